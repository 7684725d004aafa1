"""ERR205: a handler of the same function catches a domain raise before the boundary can."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import short
from errlint.facts import Call, Catch, Ref, Try, Value
from errlint.findings import Finding, Related, Span
from errlint.index.catching import is_broad
from errlint.project import Project
from errlint.project.hierarchy import Exceptional
from errlint.project.names import ClassSymbol
from errlint.project.raise_outcome import (
    Fate,
    Thrown,
    name_of,
    names_class,
    outcome,
    raised_instead,
    thrown,
)
from errlint.rules import RULES
from errlint.settings import Policy, Style


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the domain raises of one file that something around them turns into something else."""
    policy = project.policy(path)
    if policy.style is not Style.RAISE or project.layout.distribution(path) not in project.adapters.distributions:
        return
    for found in thrown(project, path):
        if not project.sites.is_excluded(path, found.function):
            stop = _handled(project, policy, found) or _gathered(project, policy, found)
            if stop is not None:
                text, remedy, where, place = stop
                yield Finding(
                    path,
                    found.found.span,
                    "ERR205",
                    RULES["ERR205"].severity,
                    f"`{found.name}` does not reach {text}; {remedy}",
                    found.function.name,
                    related=(Related(where, place, f"`{found.name}` ends here"),),
                )


_Stop = tuple[str, str, str, Span]
"""What a raise does not reach and why, what to do instead, and the place where it ends."""


def _handled(project: Project, policy: Policy, found: Thrown) -> _Stop | None:
    """Say how a handler of its own function ends a raise."""
    fate, around, catch = outcome(project, found) if found.found.tries else (Fate.ESCAPES, None, None)
    if fate is Fate.REPLACED and around is not None and catch is not None:
        return _replaced(project, policy, found, around, catch)
    if fate is not Fate.CAUGHT or around is None:
        return None
    if catch is not None and not _is_accident(project, policy, found, around, catch):
        return None
    if not policy.exceptions.root and not project.reach.adapter_of(found.path, found.function):
        return None
    text = f"the callers of `{short(found.function.name)}`: {_what(around, catch)}"
    return text, _remedy(found, around, catch), found.path, catch.span if catch else around.span


def _replaced(project: Project, policy: Policy, found: Thrown, around: Try, catch: Catch) -> _Stop | None:
    """Say how a clause for everything makes another exception of a raise, where the policy says which there are."""
    if not (policy.exceptions.root or policy.boundaries) or not is_broad(catch.types):
        return None
    raised = raised_instead(found.function, catch)
    others = [project.domain.raised(found.path, found.function.name, item.value) for item in raised]
    if not others or any(other is None or _is_as_good(project, other, found) for other in others):
        return None
    text = f"the callers of `{short(found.function.name)}`: {_clause(catch)} in line {catch.span.line} raises "
    text += f"`{name_of(others[0])}` instead" if others[0] is not None else ""
    return text, _remedy(found, around, catch), found.path, catch.span


def _is_as_good(project: Project, other: Exceptional, found: Thrown) -> bool:
    """Whether an exception is of the same class as the one that it is raised instead of, or of one below."""
    if isinstance(other, ClassSymbol) and isinstance(found.symbol, ClassSymbol):
        return project.names.absolute(found.symbol) in project.hierarchy.ancestors(other)
    return name_of(other) == found.name


def _gathered(project: Project, policy: Policy, found: Thrown) -> _Stop | None:
    """Say where a raise that leaves its function is one of the results that nobody looks at."""
    gathering = project.gathered.get((found.path, found.function.name))
    if gathering is None or (found.found.tries and outcome(project, found).fate is not Fate.ESCAPES):
        return None
    if not policy.exceptions.root and not project.reach.adapter_of(gathering.path, gathering.function):
        return None
    caller = short(gathering.function.name)
    text = f"`{caller}`: its `gather(return_exceptions=True)` in line {gathering.span.line} drops it"
    return text, "look at the results, or gather without `return_exceptions`", gathering.path, gathering.span


def _is_accident(project: Project, policy: Policy, found: Thrown, around: Try, catch: Catch) -> bool:
    """Whether a clause catches what was meant for the boundary: nobody named it, nobody tries again or converts it."""
    if names_class(project, found, catch.types) or (around.in_loop and catch.exits != ("return",)):
        return False
    if not policy.boundaries and not is_broad(catch.types):
        return False
    return not _is_converted(policy, found, around, catch)


def _is_converted(policy: Policy, found: Thrown, around: Try, catch: Catch) -> bool:
    """Whether a clause answers what a converter makes of the exception: any function where no boundary is known."""
    following = min((other.span for other in around.catches if other.span > catch.span), default=None)
    converters = {name.rpartition(".")[2] for boundary in policy.boundaries for name in boundary.converters}
    for answer in found.function.returns:
        call = answer.value
        if answer.span < catch.span or (following is not None and answer.span > following):
            continue
        if (catch.types, catch.name) not in [(item.types, item.name) for item in answer.handlers]:
            continue
        if type(call) is Call and any(_is_exception(argument.value, catch) for argument in call.arguments):
            last = call.name.rpartition(".")[2]
            if last in converters or (not policy.boundaries and last not in ("str", "repr")):
                return True
    return False


def _is_exception(value: Value, catch: Catch) -> bool:
    return bool(catch.name) and type(value) is Ref and value.name == catch.name


def _what(around: Try, catch: Catch | None) -> str:
    if catch is None:
        return f"the `finally` of the `try` in line {around.span.line} is left by a return or jump"
    if catch.span == around.span:
        return f"`suppress({', '.join(catch.types)})` in line {catch.span.line} swallows it"
    return f"{_clause(catch)} in line {catch.span.line} catches it"


def _clause(catch: Catch) -> str:
    types = ", ".join(catch.types)
    return f"`except {types}`" if len(catch.types) == 1 else f"`except ({types})`" if types else "`bare except`"


def _remedy(found: Thrown, around: Try, catch: Catch | None) -> str:
    if catch is None:
        return "let the `finally` run to its end"
    if catch.span == around.span:
        return "raise it outside of the `with`, or name what is to be suppressed"
    return f"raise it outside of the `try`, or put `except {found.name}: raise` first"
