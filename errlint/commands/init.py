"""``errlint init``: what the code says of its errors, the configuration that fits, and what to do next."""

from __future__ import annotations

import json
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import NamedTuple

from errlint.baseline.entries import NAME
from errlint.characters import json_text, printable, quoted_path
from errlint.init.evidence import Evidence, gather
from errlint.init.outlook import MOST_PLANNED, Outlook, look_ahead
from errlint.init.propose import propose
from errlint.init.statements import About, Seen, Statement, counted
from errlint.init.write import Planned, planned
from errlint.output import write_file
from errlint.request import Request
from errlint.settings import CommandLine, load
from errlint.settings.loading import load_text

_SHOWN = 4
"""So many places of a statement are printed; JSON has all."""

FORMATS = ("text", "json")


class Proposal(NamedTuple):
    """What was found in a project with this root, what would be written, and what the first run under it finds."""

    root: Path
    evidence: Evidence
    plan: Planned
    outlook: Outlook

    @property
    def changes(self) -> bool:
        """Whether there is anything to write."""
        return self.plan.before != self.plan.after


def proposal(cwd: Path) -> Proposal:
    """Return what is proposed for the project around a folder.

    Raises :class:`errlint.errors.ConfigurationError` where its configuration cannot be understood or extended.
    """
    loaded = load(cwd)
    settings = loaded.settings
    evidence = gather(Request(settings))
    plan = planned(settings.root, loaded.project.file, propose(evidence))
    told = CommandLine(use_baseline=False)
    proposed = load_text(cwd, settings.root, plan.path, plan.after.removeprefix("\ufeff"), told)
    return Proposal(settings.root, evidence, plan, look_ahead(Request(proposed.settings)))


def write(found: Proposal) -> bool:
    """Write what is proposed; a file that is there is replaced so that ``errlint undo`` can bring it back.

    Returns whether it can. Raises :class:`errlint.errors.FixError` for a file that is read-only or has changed
    meanwhile, and :class:`errlint.errors.OutputError` for one that cannot be made.
    """
    if not found.plan.path.is_file():
        write_file(found.plan.path, found.plan.after, found.root)
        return True
    from errlint.fix.writing.transaction import Change, apply

    return apply(found.root, [Change(_name(found), found.plan.before.encode(), found.plan.after.encode())])


def diff(found: Proposal) -> str:
    """Return what would be written as a patch, "" for nothing."""
    plan = found.plan
    name = quoted_path(_name(found))
    before = "/dev/null" if not plan.before else f"a/{name}"
    lines = unified_diff(_lines(plan.before), _lines(plan.after), before, f"b/{name}", n=3)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    """Return lines with their ends; unlike ``splitlines`` this cuts at line feeds alone."""
    found = [f"{line}\n" for line in text.split("\n")]
    return [*found[:-1], *([found[-1][:-1]] if found[-1] != "\n" else [])]


def _name(found: Proposal) -> str:
    return found.plan.path.relative_to(found.root).as_posix()


# --- text -----------------------------------------------------------------------------------------------------------


def text_of(found: Proposal, *, is_written: bool = False) -> str:
    """Return what people read: the statements, the proposal, and what to do next."""
    return "".join(f"{line}\n" for line in _text(found, is_written))


def _text(found: Proposal, is_written: bool) -> Iterator[str]:
    yield f"{counted(found.evidence.files, 'Python file')} read."
    for about in About:
        said = [item for item in found.evidence.statements if item.about is about]
        if said:
            yield f"\n{about.value.capitalize()}"
            yield from (f"  {printable(_line(item))}" for item in said)
    name = printable(_name(found))
    if not found.changes:
        yield f"\n{name} has all that is proposed."
    elif is_written:
        yield f"\nWritten to {name}:\n"
    else:
        yield f"\nProposed for {name}; `errlint init --write` adds it:\n"
    yield from (f"  {printable(line)}".rstrip() for line in _added(found).splitlines())
    yield "\nNext"
    yield from (f"  {command:<36}{told}" for command, told in _next(found, is_written))


def _line(item: Statement) -> str:
    places = ", ".join(str(place) for place in item.places[:_SHOWN])
    more = f" and {len(item.places) - _SHOWN} more" if len(item.places) > _SHOWN else ""
    return f"{item.text} ({places}{more})" if places else item.text


def _added(found: Proposal) -> str:
    """Return the lines that are added."""
    before, after = (text.replace("\r\n", "\n").split("\n") for text in (found.plan.before, found.plan.after))
    patch = [*unified_diff(before, after, n=0, lineterm="")][2:]
    return "\n".join(line[1:] for line in patch if line.startswith("+")).strip("\n")


def _next(found: Proposal, is_written: bool) -> Iterator[tuple[str, str]]:
    outlook = found.outlook
    if found.changes and not is_written:
        yield "errlint init --write", f"adds the proposal to {printable(_name(found))}; look at what is a comment"
    rules = ", ".join(f"{number:,} {code}" for code, number in outlook.by_rule[:4])
    rest = sum(number for _, number in outlook.by_rule[4:])
    by_rule = f": {rules}{f', {rest:,} others' if rest else ''}" if rules else ""
    yield "errlint", f"{counted(outlook.findings, 'finding')} today{by_rule}"
    if not outlook.findings:
        return
    if outlook.fixable is None:
        yield (
            "errlint --diff --unsafe-fixes",
            f"what can be fixed: of more than {MOST_PLANNED} findings that is not counted here",
        )
    elif any(outlook.fixable):
        safe, unsafe = outlook.fixable
        also = "" if not safe else f", {safe:,} of them without --unsafe-fixes"
        yield "errlint --diff --unsafe-fixes", f"shows fixes of {safe + unsafe:,}{also}; --fix makes them"
    else:
        yield "errlint --show-fixes", "says why none of them can be fixed by itself"
    yield "errlint baseline write --configure", f"lists what is left in {NAME}: then only what is new is reported"


# --- JSON -----------------------------------------------------------------------------------------------------------


def json_of(found: Proposal, *, is_written: bool = False) -> str:
    """Return the same for programs."""
    outlook = found.outlook
    document = {
        "root": str(found.root),
        "files": found.evidence.files,
        "statements": [_statement(item) for item in found.evidence.statements],
        "configuration": {
            "filename": _name(found),
            "exists": bool(found.plan.before) or found.plan.path.is_file(),
            "changes": found.changes,
            "written": is_written and found.changes,
            "added": _added(found),
        },
        "next": {
            "findings": outlook.findings,
            "by_rule": dict(outlook.by_rule),
            "fixable": None if outlook.fixable is None else {"safe": outlook.fixable[0], "unsafe": outlook.fixable[1]},
            "commands": [command for command, _ in _next(found, is_written)],
        },
    }
    return json_text(json.dumps(document, indent=2, ensure_ascii=False)) + "\n"


def _statement(item: Statement) -> dict[str, object]:
    return {
        "about": item.about.value,
        "text": item.text,
        "evidence": [_place(place) for place in item.places],
        "details": dict(item.details),
    }


def _place(place: Seen) -> dict[str, object]:
    return {"filename": place.path, "row": place.line or None}
