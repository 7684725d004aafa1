"""The proposal: evidence as the text of a configuration, each part below what it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from errlint.characters import printable, toml_string
from errlint.init.boundaries import Candidate
from errlint.init.evidence import Evidence

_MOST = 5
"""How many things of one kind are told of; the others are counted."""


def propose(evidence: Evidence, prefix: str = "") -> str:
    """Return a configuration; ``prefix`` comes before the name of each table (``tool.errlint`` in pyproject.toml)."""
    out = [f"[{prefix}]"] if prefix else []
    out += _adapters(evidence)
    if evidence.preset is not None:
        names = ", ".join(f"`{name}`" for name in evidence.preset.hits)
        out += [f"# The code has {names} of this preset.", f'convention = "{evidence.preset.name}"']
    else:
        out.append("# No preset fits; `convention` names one or a file of your own.")
    dot = f"{prefix}." if prefix else ""
    for candidate in evidence.boundaries:
        out += ["", *_boundary(candidate, dot)]
    if not evidence.boundaries:
        out += ["", *_NO_BOUNDARY]
    out += _exceptions(evidence, dot)
    if evidence.registries:
        out += ["", *(f"# {item.name}: {item.codes} codes ({item.place})." for item in evidence.registries[:_MOST])]
        out += [f"[{dot}codes]", f"registry = {_list(item.name for item in evidence.registries)}"]
    if evidence.catalogs:
        out += ["", *(f"# {item.name} mentions {item.codes} of the codes." for item in evidence.catalogs[:_MOST])]
        out += [f"[{dot}catalog]", f"files = {_list(item.name for item in evidence.catalogs)}"]
    return "".join(f"{printable(line)}\n" for line in out)


_NO_BOUNDARY = (
    "# No decorator on an adapter catches every exception and returns an answer. Where there is one all the same:",
    "# [[boundary]]",
    '# decorator = "pkg.errors.answered"',
    '# envelope = { error = "{message}" }',
)


def _adapters(evidence: Evidence) -> Iterator[str]:
    if not evidence.adapters:
        yield "# No adapter was found: say below [adapters] what makes a function one."
    for item in evidence.adapters[:_MOST]:
        yield f"# Adapters: {item.number} {'by' if item.how.startswith('@') else ''} {item.how}".replace("  ", " ") + (
            f" (the first in {item.first})."
        )
    if len(evidence.adapters) > _MOST:
        yield f"# Adapters: {sum(item.number for item in evidence.adapters[_MOST:])} in other ways."


def _boundary(candidate: Candidate, dot: str) -> Iterator[str]:
    count = f"{candidate.adapters} {'adapter' if candidate.adapters == 1 else 'adapters'}"
    yield f"# Check this: `{candidate.name}` ({candidate.place}) is on {count}, the first in {candidate.first}."
    yield f"# It catches every exception in {candidate.caught} and answers it in {candidate.answered}."
    lines = [f"[[{dot}boundary]]", f"decorator = {toml_string(candidate.name)}"]
    if candidate.converters:
        lines.append(f"converters = {_list(candidate.converters)}")
    if candidate.envelope:
        filled = ", ".join(f"{_key(key)} = {toml_string(value)}" for key, value in candidate.envelope.items())
        lines.append(f"envelope = {{ {filled} }}")
    if candidate.operation:
        lines.append(f"operation = {toml_string(candidate.operation)}")
    if candidate.empty_result:
        lines.append(f"empty-result = {toml_string(candidate.empty_result)}")
    if candidate.logs:
        lines.append("logs = true")
    if not candidate.envelope:
        yield "# What it answers cannot be told: add `envelope`, then take the # away."
        lines = [f"# {line}" for line in lines]
    yield from lines


def _exceptions(evidence: Evidence, dot: str) -> Iterator[str]:
    """Yield the one family of exceptions; what is only near to one, and what a preset says already, as a comment."""
    families = [item for item in evidence.roots if item.heirs]
    roots = families or evidence.roots
    if not roots:
        return
    yield ""
    for item in roots[:_MOST]:
        below = f"{item.heirs} {'exception is' if item.heirs == 1 else 'exceptions are'} below it"
        yield f"# `{item.name}` ({item.place}): {below if item.heirs else 'no other exception is below it'}."
    if len(roots) > _MOST:
        yield f"# {len(roots) - _MOST} more."
    lines = [f"[{dot}exceptions]", f"root = {_list(item.name for item in roots[:_MOST])}"]
    lines.append(f"default = {toml_string(roots[0].name)}")
    if roots[0].cause:
        lines.append(f"cause = {toml_string(roots[0].cause)}")
    if evidence.preset is not None:
        yield "# The preset names its exceptions; to have these instead:"
    elif not families:
        yield "# These have no base in common. `--fix` needs to know what to raise: one of them, or a new base."
    elif len(families) > 1:
        yield "# Which of these your adapters raise, and which by default, is for you to say."
    if len(families) != 1 or evidence.preset is not None:
        lines = [f"# {line}" for line in lines]
    yield from lines


def _list(items: Iterable[str]) -> str:
    return f"[{', '.join(map(toml_string, items))}]"


def _key(key: str) -> str:
    return key if key.isascii() and key.replace("_", "").replace("-", "").isalnum() else toml_string(key)
