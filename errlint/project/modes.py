"""What a project does in the modes of its policy, and which values its settings have where nobody gives others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.error_keywords import STATUS_KEYS
from errlint.facts import Arm, Call, Choice, Function, Mapping, Value, Variable, keyed, only
from errlint.findings import Span
from errlint.index.spelling import plain
from errlint.project.domain import matches
from errlint.project.names import ClassSymbol, FunctionSymbol

if TYPE_CHECKING:
    from errlint.project import Project

MAX_DEPTH = 3
"""So many functions are followed to what they answer."""


class Wrong(NamedTuple):
    """A place that is at odds with the policy about modes, and how; ``function`` is "" outside of functions."""

    function: str
    span: Span
    text: str


def wrong(project: Project, path: str) -> Iterator[Wrong]:
    """Yield where a file does something else in a mode, or with a setting, than the policy says."""
    work = project.policy(path).work
    module = project.modules[path]
    if len(work.modes) > 1:
        for function in module.functions:
            yield from _fixed(project, path, function)
            yield from _unknown(project, path, function)
            for arm in function.arms:
                yield from _answered(project, path, function, arm)
    modes = {plain(mode) for mode in work.modes}
    wanted = {plain(name): (name, value) for name, value in work.defaults.items()}
    places = [("", found) for found in module.distinctions]
    places += [(function.name, found) for function in module.functions for found in function.distinctions]
    for scope, found in places:
        name, value = wanted.get(found.subject, ("", "")) if found.how == "default" else ("", "")
        given = {plain(mode) for mode in found.values}
        if not value or given == {plain(value)} or (given <= modes and plain(value) not in modes):
            continue  # the last: another policy's mode, where this one has modes of its own
        text = f"`{name}` is `{found.values[0]}` where nobody gives it; the policy has `{value}` for its default"
        yield Wrong(scope, found.span, text)
    for function in module.functions if work.parameters else ():
        yield from _parameters(project, path, function)


def _parameters(project: Project, path: str, function: Function) -> Iterator[Wrong]:
    """Yield the parameters that a tool has to have, and lacks or does not read."""
    short = function.name.rpartition(".")[2]
    names = project.policy(path).work.parameters.get(short, ())
    own = [item for item in function.parameters if item.name not in ("self", "cls", "ctx", "context")]
    if not names or not project.adapters.is_adapter(path, function) or any(item.kind == "**" for item in own):
        return
    for name in names:
        if plain(name) in function.reads:
            continue
        if any(item.name == name for item in own):
            yield Wrong(function.name, function.span, f"`{short}` takes `{name}` and does not look at it")
        elif len(own) > 1:
            yield Wrong(function.name, function.span, f"`{short}` has no parameter `{name}`, so that nobody can choose")


def _fixed(project: Project, path: str, function: Function) -> Iterator[Wrong]:
    """Yield the names that a function tells modes apart by and gives one mode only."""
    modes = {plain(mode) for mode in project.policy(path).work.modes}
    asked = {arm.subject for arm in function.arms if {plain(value) for value in arm.values} <= modes}
    for found in function.distinctions:
        if found.how == "fixed" and found.subject in asked and plain(found.values[0]) in modes:
            text = f"`{found.subject}` is always `{found.values[0]}`, whatever the setting says; read it from there"
            yield Wrong(function.name, found.span, text)


def _unknown(project: Project, path: str, function: Function) -> Iterator[Wrong]:
    """Yield what is no mode among the values that one subject is compared with, where the others are modes.

    A single other one is enough where the function reads a setting that holds a mode.
    """
    work = project.policy(path).work
    modes = {plain(mode): mode for mode in work.modes}
    settings = {plain(name) for name, value in work.defaults.items() if plain(value) in modes}
    told = {found.span for found in function.distinctions if not found.how}  # those rows are looked at as a whole
    by_subject: dict[str, list[Arm]] = {}
    for arm in function.arms:
        by_subject.setdefault(arm.subject, []).append(arm)
    for subject, arms in by_subject.items():
        strange = [(arm, value) for arm in arms for value in arm.values if plain(value) not in modes]
        known = sum(len(arm.values) for arm in arms) - len(strange)
        is_about = known > 1 or (known == 1 and not settings.isdisjoint(function.reads))
        if not subject or not is_about or len(strange) > known or any(arm.span in told for arm in arms):
            continue
        for arm, value in strange:
            text = f"`{subject}` is compared with `{value}`, which is none of the modes {_listed(modes.values())}"
            yield Wrong(function.name, arm.span, text)


def _answered(project: Project, path: str, function: Function, arm: Arm) -> Iterator[Wrong]:
    """Yield the answers in the branch of a mode that have another status than its own, and what it keeps in spite."""
    work = project.policy(path).work
    wanted = {plain(mode): status for mode, status in work.answers.items()}
    status = wanted.get(plain(arm.values[0]), "") if len(arm.values) == 1 else ""
    if not status:
        return
    mode = arm.values[0]
    answers = [found for found in function.returns if found.span in arm.answers]
    for found in answers:
        statuses = statuses_of(project, path, function.name, found.value)
        if statuses and status not in statuses and "error" not in statuses:
            said = " or ".join(f"`{each}`" for each in sorted(statuses))
            yield Wrong(function.name, found.span, f"the mode `{mode}` answers {said}; its answer is `{status}`")
    keeping = [span for name, span in arm.calls if _keeps(project, path, function, name)]
    if status == "error":
        for span in keeping:
            yield Wrong(function.name, span, f"the mode `{mode}` answers an error and keeps something in spite of it")


def _keeps(project: Project, path: str, function: Function, name: str) -> bool:
    work = project.policy(path).work
    return matches(name, (*work.stores, *work.enqueue))


def statuses_of(project: Project, path: str, scope: str, value: Value, depth: int = 0) -> frozenset[str]:
    """Return the statuses of the declared types that an answer can be; none where one of them cannot be told."""
    value = only(value)
    if type(value) is Variable or type(value) is Choice:
        each = [statuses_of(project, path, scope, item, depth) for item in value.values]
        return frozenset().union(*each) if all(each) else frozenset()
    by_status = project.policy(path).response.by_status
    if type(value) is Mapping:
        entries = keyed(value)
        said = next((project.fields.text(path, scope, entries[key]) for key in STATUS_KEYS if key in entries), None)
        return frozenset({said} & by_status.keys()) if said else frozenset()
    if type(value) is not Call or depth > MAX_DEPTH:
        return frozenset()
    symbol = project.names.resolve(path, value.name, scope)
    if isinstance(symbol, ClassSymbol):
        absolute = project.names.absolute(symbol)
        return frozenset(status for status, pattern in by_status.items() if matches(absolute, (pattern,)))
    if isinstance(symbol, FunctionSymbol) and symbol.function.returns and not symbol.function.ends:
        inner = symbol.function
        each = [statuses_of(project, symbol.path, inner.name, item.value, depth + 1) for item in inner.returns]
        return frozenset().union(*each) if all(each) else frozenset()
    return frozenset()


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
