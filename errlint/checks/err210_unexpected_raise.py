"""ERR210: an adapter that has to answer its errors lets an exception out."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import short
from errlint.facts import Function
from errlint.findings import Finding, Span
from errlint.project import Project
from errlint.project.escape import (
    Fate,
    Thrown,
    every_raise,
    is_domain,
    is_exempt,
    leaves,
    outcome,
    passing,
    raised_again,
)
from errlint.rules import RULES
from errlint.settings import Style


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the raises of one file that leave an adapter although its policy wants them returned."""
    policy = project.policy(path)
    if policy.style is not Style.RETURN and not policy.exceptions.exempt:
        return
    for function, span, text in sorted(_of_exempt(project, path), key=lambda found: found[1]):
        yield Finding(path, span, "ERR210", RULES["ERR210"].severity, text, function.name)
    for found in every_raise(project, path):
        if is_exempt(project, path, found.function):
            continue
        if policy.style is not Style.RETURN or not is_domain(project, found.symbol, policy):
            continue
        adapter = _adapter(project, found)
        if not adapter:
            continue
        types = policy.response.types
        text = f"`{found.name}` leaves the adapter `{short(adapter)}`, which has to return its errors; "
        text += f"return {types[0].rpartition('.')[2]} instead" if types else "return the declared type instead"
        yield Finding(path, found.found.span, "ERR210", RULES["ERR210"].severity, text, found.function.name)


def _of_exempt(project: Project, path: str) -> Iterator[tuple[Function, Span, str]]:
    """Yield what leaves functions that are exempt from raising: what they raise, raise again, or do not catch."""
    again = set[tuple[str, Span]]()
    for found in every_raise(project, path):
        function = found.function
        if is_exempt(project, path, function) and outcome(project, found).fate is Fate.ESCAPES:
            again |= {(function.name, catch.span) for catch in passing(project, found)}
            text = f"`{short(function.name)}` is exempt from raising and raises `{found.name}`; answer the error"
            yield function, found.found.span, text
    for function in project.modules[path].functions:
        if is_exempt(project, path, function):
            for found_again, catch in raised_again(project, path, function):
                if (function.name, catch.span) not in again:
                    caught = ", ".join(f"`{name.rpartition('.')[2]}`" for name in catch.types) or "what it caught"
                    text = f"`{short(function.name)}` is exempt from raising and raises {caught} again"
                    yield function, found_again.span, f"{text}; answer the error"
    for arrival in project.arriving.get(path, {}).values():
        name, thrown = short(arrival.function.name), arrival.thrown
        text = f"`{name}` is exempt from raising, and `{thrown.name}` of `{short(thrown.function.name)}` leaves it; "
        yield arrival.function, arrival.place, text + "catch it and answer the error"


def _adapter(project: Project, found: Thrown) -> str:
    """Return the adapter that a raise leaves, "" where there is none or a boundary answers it."""
    adapter = leaves(project, found)
    if not adapter or project.is_excluded(found.path, found.function):
        return ""
    return "" if project.boundaries.is_covered(found.path, found.function) else adapter
