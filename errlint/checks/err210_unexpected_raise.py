"""ERR210: an adapter that has to answer its errors lets an exception out."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import short
from errlint.facts import Function
from errlint.findings import Finding, Span
from errlint.project import Project
from errlint.project.raise_outcome import (
    Fate,
    Thrown,
    every_raise,
    is_domain,
    is_exempt,
    leaves,
    may_be_answered,
    must_answer,
    outcome,
    passing,
    raised_again,
)
from errlint.rules import RULES
from errlint.settings import Policy, Style

_ANSWER = "answer the error"


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the raises of one file that leave an adapter although its policy wants them returned."""
    policy = project.policy(path)
    if policy.style is not Style.RETURN and not policy.exceptions.exempt:
        return
    found = (*_raised(project, path), *_raised_again(project, path), *_called_for(project, path))
    for function, span, text in sorted(found, key=lambda item: item[1]):
        yield Finding(path, span, "ERR210", RULES["ERR210"].severity, text, function.name)


_Place = tuple[Function, Span, str]


def _raised(project: Project, path: str) -> Iterator[_Place]:
    """Yield what is raised here: of what a function raises that is called for something its callers are told."""
    policy = project.policy(path)
    for found in every_raise(project, path):
        if is_exempt(project, path, found.function):
            if outcome(project, found).fate is Fate.ESCAPES:
                yield (
                    found.function,
                    found.found.span,
                    f"{_who(project, path, found.function)} raises `{found.name}`; {_ANSWER}",
                )
        elif policy.style is Style.RETURN and is_domain(project, found.symbol, policy):
            adapter = _adapter(project, found)
            if adapter and (path, found.found.span) not in project.told_to_callers:
                text = f"`{found.name}` leaves the adapter `{short(adapter)}`, which has to return its errors; "
                yield found.function, found.found.span, text + _instead(policy)


def _raised_again(project: Project, path: str) -> Iterator[_Place]:
    """Yield the handlers that let out what they caught, unless it is what the same function raised."""
    own = {
        (found.function.name, catch.span)
        for found in every_raise(project, path)
        if outcome(project, found).fate is Fate.ESCAPES
        for catch in passing(project, found)
    }
    for function in project.modules[path].functions:
        if not function.reraises or not must_answer(project, path, function):
            continue
        for found, catch in raised_again(project, path, function):
            if (function.name, catch.span) not in own:
                caught = ", ".join(f"`{name.rpartition('.')[2]}`" for name in catch.types) or "what it caught"
                yield function, found.span, f"{_who(project, path, function)} raises {caught} again; {_ANSWER}"


def _called_for(project: Project, path: str) -> Iterator[_Place]:
    """Yield the calls of functions whose exceptions nothing catches."""
    for arrival in project.arriving.get(path, {}).values():
        thrown = arrival.thrown
        text = (
            f"{_who(project, path, arrival.function)} does not catch `{thrown.name}` of `{short(thrown.function.name)}`"
        )
        yield arrival.function, arrival.place, f"{text}; {_ANSWER}"


def _who(project: Project, path: str, function: Function) -> str:
    name = f"`{short(function.name)}`"
    return f"{name} is exempt from raising and" if is_exempt(project, path, function) else f"the adapter {name}"


def _instead(policy: Policy) -> str:
    types = policy.response.types
    return f"return {types[0].rpartition('.')[2]} instead" if types else "return the declared type instead"


def _adapter(project: Project, found: Thrown) -> str:
    """Return the adapter that a raise leaves, "" where there is none or a boundary answers it."""
    adapter = leaves(project, found)
    if not adapter or project.sites.is_excluded(found.path, found.function) or may_be_answered(project, found):
        return ""
    return "" if project.boundaries.is_covered(found.path, found.function) else adapter
