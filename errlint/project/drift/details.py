"""What entries tell of single fields, beside the errors they are about: the parts of dicts, and constant values.

An entry is about the errors that it is bound to; without a message it is about those of its class that the tool raises
below whose name it stands. Something is wrong where it is wrong of all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from errlint.catalog.entry import EntryText
from errlint.catalog.labels import EXAMPLE, FIELD_PART, FIELD_VALUE, RPC_CODE
from errlint.project.drift.binding import candidates
from errlint.project.drift.differing import Difference
from errlint.project.drift.entry_content import EntryContent
from errlint.project.raised_errors import MESSAGES, RaisedError
from errlint.project.raised_errors import Origin as How

if TYPE_CHECKING:
    from errlint.project import Project

_MORE = "..."
"""What stands behind the parts of a field that are only some of them."""

_WORD = re.compile(r"[A-Za-z_][\w.:-]*")


def wrong_parts(project: Project) -> Iterator[Difference]:
    """Yield the documented parts of dicts that no error of an entry is given, and those that all are given besides."""
    for told, errors in _about(project):
        yield from _parts(told, errors)


def wrong_values(project: Project) -> Iterator[Difference]:
    """Yield the constant values of fields, codes among them, that all errors of an entry have otherwise."""
    for told, errors in _about(project):
        keywords = {*project.policy(errors[0].path).hints.keywords, *MESSAGES}
        carriers = project.policy(errors[0].path).codes.arguments
        lines: set[int] = set()
        for name, said in _values(told, set(carriers)):
            known = _known(name, errors, carriers) if name not in keywords - {"error"} else None
            if known and said.text not in known and said.line not in lines:
                lines.add(said.line)
                listed = " or ".join(f"`{each}`" for each in sorted(known))
                yield Difference(told, said, errors[0], f"`{name}` is {listed} where this is raised, not `{said.text}`")


def wrong_rpc_codes(project: Project) -> Iterator[Difference]:
    """Yield the JSON-RPC codes of examples that no error of the entry's class has."""
    for told in project.comparison.told:
        for said in told.entry.said(RPC_CODE) if told.documented.classes else ():
            known = {error.status for error in candidates(told.documented, project.comparison.errors)}
            if known and all(status is not None and status < 0 for status in known) and int(said.text) not in known:
                own = " or ".join(str(status) for status in sorted(filter(None, known)))
                error = candidates(told.documented, project.comparison.errors)[0]
                yield Difference(told, said, error, f"the JSON-RPC code of `{told.name}` is {own}, not {said.text}")


def _about(project: Project) -> Iterator[tuple[EntryContent, Sequence[RaisedError]]]:
    """Yield the entries of exceptions with the errors that each is about."""
    comparison = project.comparison
    bound = {told.entry: errors for told, errors in comparison.bound}
    drifted = {each.told.entry for each in comparison.drifted}
    for told in comparison.told:
        if told.entry in drifted or told.entry in comparison.answered:
            continue
        errors: Sequence[RaisedError] = bound.get(told.entry, ())
        if not errors and not told.messages and told.documented.classes:
            tools = {tool.function for tool in comparison.pages.around(told.entry)}
            asked = candidates(told.documented, comparison.errors)
            errors = [error for error in asked if not tools.isdisjoint(error.adapters)]
        if errors and not any(error.is_open or error.kind is not How.RAISE for error in errors):
            yield told, errors


def _parts(told: EntryContent, errors: Sequence[RaisedError]) -> Iterator[Difference]:
    said: dict[str, list[EntryText]] = {}
    for each in (*told.entry.said(FIELD_PART), *_shown(told)):
        said.setdefault(each.text.partition(".")[0], []).append(each)
    for name, listed in said.items():
        given = [_inside(name, error) for error in errors]
        if not all(given):
            continue
        lacking = [each for each in listed if _lacks(each.text.partition(".")[2], given)]
        for each in lacking[:1]:
            yield Difference(told, each, errors[0], f"the error that this is about is not given `{each.text}`")
        of_field = [each for each in told.entry.said(FIELD_PART) if each.text.startswith(f"{name}.")]
        known = {each.text.partition(".")[2] for each in listed} | {_MORE}
        more = sorted(frozenset.intersection(*given) - known)
        if more and not lacking and of_field and all(each.text != f"{name}.{_MORE}" for each in of_field):
            text = f"the error that this is about is given `{name}.{more[0]}` too, which is not named here"
            yield Difference(told, of_field[0], errors[0], text)


def _lacks(part: str, given: Sequence[frozenset[str]]) -> bool:
    return part != _MORE and not any(part in each for each in given)


def _shown(told: EntryContent) -> Iterator[EntryText]:
    """Yield the members of the objects that an example shows within an error."""
    return (said for said in told.shown if said.text.count(".") == 1)


def _inside(name: str, error: RaisedError) -> frozenset[str]:
    """Return the keys of the dict that an error is given under a name, none where they are not known."""
    return frozenset(field.partition(".")[2] for field in error.fields if field.startswith(f"{name}."))


def _values(told: EntryContent, carriers: set[str]) -> Iterator[tuple[str, EntryText]]:
    """Yield what an entry says that fields are; what its example shows for codes is compared elsewhere."""
    for said in told.entry.said(FIELD_VALUE):
        name, _, text = said.text.partition("=")
        yield name, EntryText(text, said.line)
    for label, said in told.entry.facts:
        name = label.removeprefix(EXAMPLE)
        if label.startswith(EXAMPLE) and name not in carriers and _WORD.fullmatch(said.text):
            yield name, said


def _known(name: str, errors: Sequence[RaisedError], carriers: tuple[str, ...]) -> frozenset[str]:
    """Return the constants that errors have for a field, nothing where one of them may have any."""
    found: set[str] = set()
    for error in errors:
        own = (
            {str(code) for code in error.codes} if name in carriers else {*filter(None, [dict(error.values).get(name)])}
        )
        if not own:
            return frozenset()
        found |= own
    return frozenset(found)
