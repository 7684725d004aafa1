"""How an entry differs from the error that it is bound to: hints, fields, and the values that it shows."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.codes import is_class
from errlint.catalog.entry import EntryText
from errlint.catalog.templates import Template, agreement, documented
from errlint.facts import Choice, Text, is_null
from errlint.project.drift.binding import candidates, plain
from errlint.project.drift.entry_content import EntryContent, statuses
from errlint.project.raised_errors import MESSAGES, RaisedError
from errlint.project.raised_errors import Origin as How

if TYPE_CHECKING:
    from errlint.project import Project

_NOT_TOLD = frozenset({*MESSAGES, "cause", "verbose", "args", "kwargs", "exc", "exception", "original_error"})
"""Arguments that people leave out of lists of fields: the message, and what is there for developers."""


class Difference(NamedTuple):
    """One thing that an entry tells otherwise than the code: where in the document, and in which words it is told."""

    told: EntryContent
    said: EntryText
    error: RaisedError
    message: str


class Differences(NamedTuple):
    """All that differs between an entry and one error."""

    hints: tuple[Difference, ...]
    fields: tuple[Difference, ...]
    values: tuple[Difference, ...]

    @property
    def number(self) -> int:
        """How many there are."""
        return len(self.hints) + len(self.fields) + len(self.values)


def differences(project: Project) -> Iterator[Differences]:
    """Yield how each entry that is bound for certain differs from the error that it differs from the least."""
    for told, errors in project.comparison.bound:
        found = (_between(project, told, error) for error in errors)
        yield min(found, key=lambda each: each.number)


def _between(project: Project, told: EntryContent, error: RaisedError) -> Differences:
    return Differences(
        tuple(_hints(project, told, error)), tuple(_fields(project, told, error)), tuple(codes(told, error))
    )


# --- hints --------------------------------------------------------------------------------------------------------


def _hints(project: Project, told: EntryContent, error: RaisedError) -> Iterator[Difference]:
    """Yield the first documented hint that the error does not have; one that it has more, if that is all."""
    keywords = project.policy(error.path).hints.keywords
    is_unknown = error.is_open or (not error.hints and any(name in error.fields for name in keywords))
    if not told.hints or is_unknown or any(not _has_words(hint) for hint in error.hints):
        return
    said = [(each, documented(each.text)) for each in told.hints]
    for each, template in said:
        if not any(_same(template, hint) for hint in error.hints):
            what = f'does not have the hint "{each.text}"' if error.hints else "has no hints"
            yield Difference(told, each, error, f"the error that says this {what}")
            return
    more = [hint for hint in error.hints if not any(_same(template, hint) for _, template in said)]
    if more:
        yield Difference(told, told.hints[0], error, f'the error that says this has the hint "{more[0]}" too')


def _has_words(text: Template) -> bool:
    return any(isinstance(part, str) and any(map(str.isalpha, part)) for part in text.parts)


def _same(said: Template, hint: Template) -> bool:
    return agreement(said, hint) > 0 or _plain(said) == _plain(hint)


def _plain(text: Template) -> str:
    return "".join(filter(str.isalnum, str(text))).casefold()


# --- fields -------------------------------------------------------------------------------------------------------


def _fields(project: Project, told: EntryContent, error: RaisedError) -> Iterator[Difference]:
    """Yield the documented arguments that the error is not given, and the given ones that are not listed."""
    if error.is_open or not error.names:
        return
    optional = _optional(project, error)
    keywords = set(project.policy(error.path).hints.keywords) if told.hints else set()  # told by the hints themselves
    seen = set(keywords)
    lines: set[int] = set()
    for said in (*told.fields, *told.shown):
        if said.text in optional and said.text not in error.fields and said.text not in seen:
            seen.add(said.text)
            lines.add(said.line)
            yield Difference(told, said, error, f"the error that says this is not given `{said.text}`")
    listed = {said.text for said in told.fields} | keywords
    if not told.fields or told.fields[0].line in lines:  # one thing at a place
        return
    for name in error.fields:
        if name in optional and name not in listed and name not in _NOT_TOLD:
            yield Difference(
                told, told.fields[0], error, f"the error that says this is given `{name}`, which is no field here"
            )


def unbound_fields(project: Project) -> Iterator[Difference]:
    """Yield the listed arguments that no error of an entry's class is given which surfaces through its tool.

    This is for entries that are bound to no error, since their message may be any text, or has changed.
    """
    comparison = project.comparison
    known = {each.entry for each, _ in comparison.bound}
    for told in comparison.told:
        if not told.fields or not told.documented.classes or told.entry in known or told.entry in comparison.answered:
            continue
        words = {plain(word) for title in (*told.documented.around, *told.documented.tools) for word in title.split()}
        asked = candidates(told.documented, comparison.errors)
        errors = [error for error in asked if not words.isdisjoint(map(plain, error.adapters))]
        if not errors or any(error.is_open or error.kind is not How.RAISE for error in errors):
            continue
        for said in told.fields:
            if all(said.text in _optional(project, error) and said.text not in error.fields for error in errors):
                name = told.documented.classes[0]
                yield Difference(told, said, errors[0], f"no `{name}` of this tool is given `{said.text}`")


def _optional(project: Project, error: RaisedError) -> frozenset[str]:
    """Return the arguments of an error's class that have nothing where they are not given."""
    symbols = project.documented.defined(error.name)
    constructor = project.domain.constructor(symbols[0]) if len(symbols) == 1 else None
    if constructor is None:
        return frozenset()
    function = constructor.function
    filled = {entry.key for entry in function.stores if type(entry.value) is Choice and _has_text(entry.value)}
    return frozenset(
        item.name
        for item in function.parameters
        if item.default is not None and is_null(item.default) and item.name not in filled
    )


def _has_text(value: Choice) -> bool:
    return any(type(item) is Text and not is_null(item) for item in value.values)


# --- values -------------------------------------------------------------------------------------------------------


def codes(told: EntryContent, error: RaisedError, who: str = "the error that says this") -> Iterator[Difference]:
    """Yield the code that an example shows, where the error (``who`` in the message) has another one."""
    own = [str(code) for code in error.codes]
    shown = [said for said in told.example_codes if said.text not in own]
    if own and shown and len(shown) == len(told.example_codes):
        listed = " or ".join(f"`{code}`" for code in own)
        message = f"{who} has the code {listed}, the example shows `{shown[0].text}`"
        yield Difference(told, shown[0], error, message)


def wrong_statuses(project: Project) -> Iterator[Difference]:
    """Yield the statuses of entries that none of the errors has which have the entry's code or class."""
    for told in project.comparison.told:
        if not told.documented.codes and not told.documented.classes:
            continue
        errors = candidates(told.documented, project.comparison.errors)
        known = {error.status for error in errors if error.status is not None}
        if not errors or any(error.status is None for error in errors):
            continue
        for number, said in statuses(told.entry):
            if number not in known:
                own = " or ".join(map(str, sorted(known)))
                yield Difference(told, said, errors[0], f"the status of `{told.name}` is {own}, not {number}")


def _with_code(told: EntryContent, project: Project) -> Sequence[RaisedError]:
    return candidates(told.documented._replace(classes=()), project.comparison.errors)


# --- classes ------------------------------------------------------------------------------------------------------


def wrong_classes(project: Project, *, unknown: bool) -> Iterator[Difference]:
    """Yield the classes that entries with a code name, where no error with that code is of such a class.

    ``unknown`` are those that the code does not have at all, else those that other errors have.
    """
    documented = project.documented
    for told in project.comparison.told:
        errors = _with_code(told, project) if told.documented.codes else []
        if not errors or any(error.kind is not How.RAISE or not error.names for error in errors):
            continue
        own = {name.rpartition(".")[2] for error in errors for name in error.names}
        for said in told.entry.said("class"):
            name = said.text.strip("`").rpartition(".")[2]
            is_there = bool(documented.defined(name))
            if name in own or not is_class(name) or is_there == unknown:
                continue
            if is_there:
                raised = " or ".join(f"`{each}`" for each in dict.fromkeys(error.name for error in errors))
                yield Difference(told, said, errors[0], f"the class of `{told.name}` is {raised}, not `{name}`")
            elif not hasattr(builtins, name) and not documented.is_mentioned(name):
                yield Difference(told, said, errors[0], f"the code has no exception `{name}`")
