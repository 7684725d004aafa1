"""What an entry tells of its error, in the words by which it is compared with the code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from errlint.catalog.codes import is_any, is_class, is_status
from errlint.catalog.entry import Entry, EntryKind, EntryText
from errlint.catalog.labels import EXAMPLE, label
from errlint.catalog.templates import Template, documented, is_telling
from errlint.error_keywords import SUCCESS_KEYS, SUCCESS_STATUS
from errlint.project.drift.binding import DocumentedClaim

_ABOUT = re.compile(
    r"(?:(?:an?|the|your|some|human[- ]readable|detailed|original|optional|full|short|actual)\s+)*"
    r"(?:(?:error|exception)\s*)?(?:messages?|descriptions?|details?|texts?|reasons?)\b(?!\s*[:=]\s*\S)",
    re.IGNORECASE,
)
"""The opening of a text that is about a message and is none: "Human-readable error message"."""

_WARNING = re.compile(r"\bwarnings?\b", re.IGNORECASE)

_FIELD = re.compile(r"[`*\"]*([A-Za-z_]\w*)[`*\"]*\s*(?:$|[:(\u2014\u2013=-]|\s-)")
_STATUS_KEYS = ("status", "status_code", "statusCode", "http_status")
_STATUS = re.compile(r"\b[1-5]\d\d\b")


class EntryContent(NamedTuple):
    """An entry with what it tells: messages, hints, fields and codes in examples, each with its line.

    ``fields`` are those that it lists, ``shown`` the names of the members of its example object.
    """

    entry: Entry
    documented: DocumentedClaim
    messages: tuple[tuple[EntryText, Template], ...]
    hints: tuple[EntryText, ...]
    fields: tuple[EntryText, ...]
    shown: tuple[EntryText, ...]
    example_codes: tuple[EntryText, ...]

    @property
    def name(self) -> str:
        """What the entry is called."""
        return self.entry.name


def told(entry: Entry) -> EntryContent:
    """Return what an entry tells; one that shows a success, or a warning, has no messages."""
    shown = tuple(
        EntryText(name.removeprefix(EXAMPLE), said.line) for name, said in entry.facts if name.startswith(EXAMPLE)
    )
    is_no_error = _is_success(entry) or any(map(_WARNING.search, (*entry.sections, entry.title)))
    said = () if is_no_error else tuple(_messages(entry))
    messages = tuple((each, text) for each in said if is_telling(text := documented(each.text)))
    classes = tuple(dict.fromkeys(_classes(entry)))
    tools = (entry.title, *(each.text.replace(",", " ") for each in entry.said("tool")))
    around = (*entry.sections, PurePosixPath(entry.path).stem)
    codes = (entry.name,) if entry.kind is EntryKind.CODE else ()
    return EntryContent(
        entry,
        DocumentedClaim(codes, classes, tuple(text for _, text in messages), tools, around),
        messages,
        entry.said("hint"),
        tuple(_fields(entry.said("field"))),
        shown,
        tuple(_codes(entry)),
    )


_YES = re.compile(
    r"[\s*_`(]*(?:yes|true|ja|always|✅|✓|✔|(?:is |are )?(?:retryable|retriable|recoverable))(?:\W|$)", re.IGNORECASE
)
_NO = re.compile(
    r"[\s*_`(]*(?:no|false|nein|never|❌|✗|✘|(?:is |are )?(?:not |non-?|un)(?:retryable|retriable|recoverable))"
    r"(?:\W|$)",
    re.IGNORECASE,
)


def retryable(text: str) -> bool | None:
    """Return what a text says of retries, ``None`` where it says neither yes nor no, or both."""
    is_no, is_yes = bool(_NO.match(text)), bool(_YES.match(text))
    return is_yes if is_yes is not is_no else None


def statuses(entry: Entry) -> Iterator[tuple[int, EntryText]]:
    """Yield the one HTTP status that each of the labelled parts of an entry tells, or a member of its example."""
    shown = (said for key in _STATUS_KEYS for said in entry.said(f"{EXAMPLE}{key}") if _STATUS.fullmatch(said.text))
    for said in (*entry.said("status"), *shown):
        found = set(_STATUS.findall(said.text))
        if len(found) == 1:
            yield int(found.pop()), said


def alike(entries: Iterable[EntryContent]) -> dict[tuple[str, str, tuple[str, ...]], list[EntryContent]]:
    """Return the entries of each document that have messages, by title and classes: other places leave them out."""
    found: dict[tuple[str, str, tuple[str, ...]], list[EntryContent]] = {}
    for each in entries:
        if each.messages:
            found.setdefault(key_of(each), []).append(each)
    return found


def key_of(told: EntryContent) -> tuple[str, str, tuple[str, ...]]:
    """Return by what other entries of the same error are found: document, title and classes."""
    title = told.entry.title.strip()
    if title.endswith(")"):
        aside = title.find("(", title.rfind(")", 0, -1) + 1)
        title = title[:aside] if aside >= 0 else title
    return told.entry.path, title.strip().casefold(), told.documented.classes


def _messages(entry: Entry) -> Iterator[EntryText]:
    if entry.kind is EntryKind.MESSAGE:
        yield EntryText(entry.name, entry.line)
    seen = {entry.name} if entry.kind is EntryKind.MESSAGE else set()
    for said in _joined(entry.said("message")):
        if said.text not in seen and not _ABOUT.match(said.text):
            seen.add(said.text)
            yield said


def _joined(lines: Iterable[EntryText]) -> list[EntryText]:
    """Return the lines of each text block as one text."""
    found: list[EntryText] = []
    last = 0
    for said in lines:
        if found and said.line == last + 1:
            found[-1] = EntryText(f"{found[-1].text}\n{said.text.strip()}", found[-1].line)
        else:
            found.append(EntryText(said.text.strip(), said.line))
        last = said.line
    return found


def _is_success(entry: Entry) -> bool:
    for name, said in entry.facts:
        key = name.removeprefix(EXAMPLE)
        if name.startswith(EXAMPLE) and (
            (key == "status" and SUCCESS_STATUS.fullmatch(said.text)) or (key in SUCCESS_KEYS and said.text == "true")
        ):
            return True
    return False


def _classes(entry: Entry) -> Iterator[str]:
    if entry.kind is EntryKind.CLASS:
        yield entry.name.rpartition(".")[2]
    for said in entry.said("class"):
        for word in re.split(r"[\s,/|]+", said.text):
            name = word.strip("`*()[]:").rpartition(".")[2]
            if is_class(name):
                yield name


def _codes(entry: Entry) -> Iterator[EntryText]:
    for name in ("error_code", "code", "errorCode"):
        for said in entry.said(f"{EXAMPLE}{name}"):
            if is_any(said.text) and not is_status(said.text) and not label(said.text):
                yield said


def _fields(listed: Iterable[EntryText]) -> Iterator[EntryText]:
    for said in listed:
        found = _FIELD.match(said.text)
        if found is not None:
            yield EntryText(found.group(1), said.line)
