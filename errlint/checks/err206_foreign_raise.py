"""ERR206: adapter code raises a builtin or foreign exception that the boundary does not map."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import short
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.domain import builtin_line, matches
from errlint.project.escape import every_raise, is_domain, is_protocol, leaves
from errlint.project.names import ExternalSymbol
from errlint.rules import RULES
from errlint.settings import Policy, Style

_OTHER_ENDS = frozenset(
    {"AssertionError", "CancelledError", "GeneratorExit", "KeyboardInterrupt", "NotImplementedError",
     "StopAsyncIteration", "StopIteration", "SystemExit"}
)  # fmt: skip
"""Exceptions that say something to Python or to a programmer, not to a client."""


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the raises of one file that the boundary can only answer as unknown errors."""
    policy = project.policy(path)
    if not policy.boundaries or policy.style is not Style.RAISE:
        return
    for found in every_raise(project, path):
        symbol = found.symbol
        if not isinstance(symbol, ExternalSymbol) or found.name in _OTHER_ENDS or is_protocol(symbol):
            continue
        if is_domain(project, symbol, policy) or _is_mapped(symbol.name, policy):
            continue
        if project.is_excluded(path, found.function) or not (adapter := leaves(project, found)):
            continue
        instead = _replacement(symbol.name, policy)
        who = "" if adapter == found.function.name else f", called by the adapter `{short(adapter)}`,"
        message = (
            f"`{short(found.function.name)}`{who} raises `{found.name}`, which the boundary does not map; "
            f"raise {instead} instead"
        )
        yield Finding(path, found.found.span, "ERR206", RULES["ERR206"].severity, message, found.function.name)


def _is_mapped(name: str, policy: Policy) -> bool:
    answered = [pattern for boundary in policy.boundaries for pattern in boundary.maps]
    answered += [pattern for pattern, target in policy.exceptions.map.items() if target == "propagate"]
    return any(matches(each, tuple(answered)) for each in builtin_line(name))


def _replacement(name: str, policy: Policy) -> str:
    mapped = (target for pattern, target in policy.exceptions.map.items() if matches(name, (pattern,)))
    target = next(mapped, policy.exceptions.default)
    return f"`{target.rpartition('.')[2]}`" if target else "a domain exception"
