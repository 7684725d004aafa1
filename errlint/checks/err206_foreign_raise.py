"""ERR206: adapter code raises a builtin or foreign exception that the boundary does not map.

Without a boundary the framework answers what leaves a tool: there no other exceptions may than those that are declared.
An exception of the wrong class is as foreign: the policy may say which one belongs to a message.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator

from errlint.checks.wording import short
from errlint.facts import Text, only, text_with_holes
from errlint.findings import Finding
from errlint.patterns import fits
from errlint.project import Project
from errlint.project.domain import matches
from errlint.project.frameworks import TOOL_ERRORS
from errlint.project.libraries import line_of
from errlint.project.names import ClassSymbol
from errlint.project.raise_outcome import (
    Thrown,
    every_raise,
    is_domain,
    is_protocol,
    is_turned,
    leaves,
    may_be_answered,
    told,
)
from errlint.rules import RULES
from errlint.settings import Policy, Style
from errlint.settings.policy import bare_name


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the raises of one file that the boundary can only answer as unknown errors."""
    policy = project.policy(path)
    if policy.style is not Style.RAISE or not (policy.boundaries or policy.exceptions.root):
        return
    for found in every_raise(project, path):
        if (wanted := _meant(project, found, policy)) and not project.sites.is_excluded(path, found.function):
            if leaves(project, found):
                message = f"`{short(found.function.name)}` raises `{found.name}` with a message that is for {wanted}"
                yield Finding(path, found.found.span, "ERR206", RULES["ERR206"].severity, message, found.function.name)
            continue
        symbol = found.symbol
        if not found.is_failure or is_domain(project, symbol, policy) or not _is_foreign(project, found, policy):
            continue
        name = project.names.absolute(symbol)
        if _is_mapped(name, policy):
            continue
        if project.sites.is_excluded(path, found.function) or not (adapter := leaves(project, found)):
            continue
        instead = _replacement(name, policy)
        who = "" if adapter == found.function.name else f", called by the adapter `{short(adapter)}`,"
        what = f"lets `{found.name}` of `{found.by}` out" if found.by else f"raises `{found.name}`"
        message = f"`{short(found.function.name)}`{who} {what}, {_why(policy)}; raise {instead} instead"
        yield Finding(path, found.found.span, "ERR206", RULES["ERR206"].severity, message, found.function.name)


def _meant(project: Project, found: Thrown, policy: Policy) -> str:
    """Return the classes that `exceptions.messages` gives to the message of a raise, "" where it is of one of them."""
    texts = [text_with_holes(value, "\0") for value in map(only, told(found.found)) if type(value) is Text]
    named = [name for pattern, name in policy.exceptions.messages.items() if any(fits(text, pattern) for text in texts)]
    if is_domain(project, found.symbol, policy) and any(hasattr(builtins, bare_name(name)) for name in named):
        return ""  # a class of the project says more than a builtin one
    if any(matches(name, tuple(named)) for name in project.hierarchy.line(found.symbol).names):
        return ""
    return " or ".join(f"`{bare_name(name)}`" for name in dict.fromkeys(named))


def _is_foreign(project: Project, found: Thrown, policy: Policy) -> bool:
    """Whether an exception that is no domain exception is not meant for clients either.

    Where the framework answers, classes of the project are none of the declared ones, and of the MCP libraries only
    those that resources and prompts raise. These raise what they like where a class of tools is all that is declared.
    A boundary may leave those of the MCP libraries to the framework, unless it is seen to answer them like any other
    exception.
    """
    symbol = found.symbol
    if isinstance(symbol, ClassSymbol):
        return not policy.boundaries and project.hierarchy.is_exception(symbol) and not may_be_answered(project, found)
    if policy.boundaries:
        return not is_protocol(symbol) or (bool(policy.exceptions.root) and is_turned(project, found))
    asks = project.boundaries.is_resource, project.boundaries.is_prompt
    if any(ask(found.path, found.function) for ask in asks) and (is_protocol(symbol) or _is_of_tools(policy)):
        return False
    return not may_be_answered(project, found)


def _is_of_tools(policy: Policy) -> bool:
    """Whether the declared exceptions are those that a framework has for tools alone."""
    return all(bare_name(name) in TOOL_ERRORS for name in policy.exceptions.root)


def _why(policy: Policy) -> str:
    if policy.boundaries:
        return "which the boundary does not map"
    names = [f"`{name.replace(':', '.').rpartition('.')[2]}`" for name in policy.exceptions.root]
    listed = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
    return f"which is no {listed}"


def _is_mapped(name: str, policy: Policy) -> bool:
    answered = [pattern for boundary in policy.boundaries for pattern in boundary.maps]
    answered += [pattern for pattern, target in policy.exceptions.map.items() if target == "propagate"]
    return any(matches(each, tuple(answered)) for each in line_of(name))


def _replacement(name: str, policy: Policy) -> str:
    mapped = (target for pattern, target in policy.exceptions.map.items() if matches(name, (pattern,)))
    target = next(mapped, policy.exceptions.default)
    return f"`{target.rpartition('.')[2]}`" if target else "a domain exception"
