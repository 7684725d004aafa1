"""What entries of codes say that the policy prescribes otherwise: whether a retry helps, and the statuses of a code.

The policy speaks for the code here: its vocabulary is what the rules about code hold that to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.entry import Entry, EntryKind, EntryText
from errlint.catalog.labels import EXAMPLE
from errlint.project.drift.entry_content import retryable
from errlint.settings.policy import Codes

if TYPE_CHECKING:
    from errlint.project import Project

_STATUS = re.compile(r"\b[1-5]\d\d\b")
_CLASS = re.compile(r"([1-5])[xX]{2}")


class Contrary(NamedTuple):
    """What an entry says otherwise than the policy: where, and in which words it is told."""

    path: str
    said: EntryText
    message: str


def contrary(project: Project) -> Iterator[Contrary]:
    """Yield what the entries of all catalogs say of codes that the policy of their document prescribes otherwise."""
    for entry in project.documented.entries:
        codes = project.policy(entry.path).codes
        if entry.kind is not EntryKind.CODE or project.documents.is_generated(entry.path, entry.line):
            continue
        yield from _retries(entry, codes)
        yield from _statuses(entry, codes)


def _retries(entry: Entry, codes: Codes) -> Iterator[Contrary]:
    expected = codes.vocabulary[entry.name].retryable if entry.name in codes.vocabulary else None
    shown = (
        said
        for label, said in entry.facts
        if label.startswith(EXAMPLE) and label.removeprefix(EXAMPLE).rpartition(".")[2] in codes.retry_arguments
    )
    for said in (*entry.said("retryable"), *shown) if expected is not None else ():
        told = retryable(said.text)
        if told is not None and told is not expected:
            yield Contrary(entry.path, said, f"`{entry.name}` is {'' if expected else 'not '}retryable")


def _statuses(entry: Entry, codes: Codes) -> Iterator[Contrary]:
    own = codes.vocabulary[entry.name].status if entry.name in codes.vocabulary else None
    known = [status for status, code in codes.defaults.items() if code == entry.name]
    known += [str(own)] if own is not None and str(own) not in known else []
    if not known:
        return
    for said in entry.said("status"):
        for number in _STATUS.findall(said.text):
            if not any(_is_one(number, status) for status in known):
                listed = " or ".join(sorted(known))
                yield Contrary(entry.path, said, f"the status of `{entry.name}` is {listed}, not {number}")
                break


def _is_one(number: str, status: str) -> bool:
    """Whether a status is another one, or one of ``5xx``."""
    of_class = _CLASS.fullmatch(status)
    return number == status or (of_class is not None and number.startswith(of_class.group(1)))
