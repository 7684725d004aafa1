"""ERR206: adapter code raises a builtin or foreign exception that the boundary does not map.

Without a boundary the framework answers what leaves a tool: there no other exceptions may than those that are declared.
"""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import short
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.domain import builtin_line, matches
from errlint.project.escape import Thrown, every_raise, is_domain, is_protocol, leaves, may_be_answered
from errlint.project.libraries import line_of
from errlint.project.names import ClassSymbol, ExternalSymbol
from errlint.rules import RULES
from errlint.settings import Policy, Style


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the raises of one file that the boundary can only answer as unknown errors."""
    policy = project.policy(path)
    if policy.style is not Style.RAISE or not (policy.boundaries or policy.exceptions.root):
        return
    for found in every_raise(project, path):
        symbol = found.symbol
        if not found.is_failure or is_domain(project, symbol, policy) or not _is_foreign(project, found, policy):
            continue
        name = symbol.name if isinstance(symbol, ExternalSymbol) else project.domain.absolute(symbol)
        if _is_mapped(name, policy):
            continue
        if project.is_excluded(path, found.function) or not (adapter := leaves(project, found)):
            continue
        instead = _replacement(name, policy)
        who = "" if adapter == found.function.name else f", called by the adapter `{short(adapter)}`,"
        what = f"lets `{found.name}` of `{found.by}` out" if found.by else f"raises `{found.name}`"
        message = f"`{short(found.function.name)}`{who} {what}, {_why(policy)}; raise {instead} instead"
        yield Finding(path, found.found.span, "ERR206", RULES["ERR206"].severity, message, found.function.name)


def _is_foreign(project: Project, found: Thrown, policy: Policy) -> bool:
    """Whether an exception that is no domain exception is not meant for clients either.

    Where the framework answers, classes of the project are none of the declared ones, and of the MCP libraries only
    those that resources and prompts raise.
    """
    symbol = found.symbol
    if isinstance(symbol, ClassSymbol):
        return not policy.boundaries and project.names.is_exception(symbol) and not may_be_answered(project, found)
    if policy.boundaries:
        return not is_protocol(symbol)
    asks = project.boundaries.is_resource, project.boundaries.is_prompt
    if is_protocol(symbol) and any(ask(found.path, found.function) for ask in asks):
        return False
    return not may_be_answered(project, found)


def _why(policy: Policy) -> str:
    if policy.boundaries:
        return "which the boundary does not map"
    names = [f"`{name.replace(':', '.').rpartition('.')[2]}`" for name in policy.exceptions.root]
    listed = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
    return f"which is no {listed}"


def _is_mapped(name: str, policy: Policy) -> bool:
    answered = [pattern for boundary in policy.boundaries for pattern in boundary.maps]
    answered += [pattern for pattern, target in policy.exceptions.map.items() if target == "propagate"]
    return any(matches(each, tuple(answered)) for each in line_of(name) or builtin_line(name))


def _replacement(name: str, policy: Policy) -> str:
    mapped = (target for pattern, target in policy.exceptions.map.items() if matches(name, (pattern,)))
    target = next(mapped, policy.exceptions.default)
    return f"`{target.rpartition('.')[2]}`" if target else "a domain exception"
