"""Messages that a document shows without calling them so: below a bold line, as items of a list, in an example.

They count where the headings say that errors are listed, and in examples of answers that failed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from errlint.catalog import entry_identifier
from errlint.catalog.codes import is_class
from errlint.catalog.entry import Entry, EntryKind, EntryText
from errlint.catalog.labels import is_reserved, label
from errlint.catalog.markdown import Block, Fence, Line, Paragraph, Section, sections
from errlint.catalog.objects import Member, members, says_failure
from errlint.catalog.reader import is_meant
from errlint.catalog.sentences import LOWER_WORD, MOST_LINES, NO_MESSAGE, PLAIN, is_sentence
from errlint.error_keywords import ERROR_CODE_KEYS, ERROR_KEYS, FAILURE_KEYS, STATUS_KEYS, SUCCESS_KEYS
from errlint.settings.policy import Catalog

_LISTS_ERRORS = re.compile(
    r"\b(?:errors|exceptions|failures|error messages?|error texts?)\W{0,20}(?:\([^)]{0,200}\)\W{0,20})?$", re.I
)
"""The end of a heading below which errors are listed."""

_OTHER = re.compile(
    r"solution|fix|resolv|diagnos|\blog|changelog|migrat|install|setup|known issue|limitation|example|usage|"
    r"best practice|handling|recover|retry|prevent|avoid|test",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(r"troubleshoot|warning|debug|\bfaq", re.IGNORECASE)
"""Headings below which a text may be anything; the latter also where they are those of whole documents."""

_PART = re.compile(
    r"(?:symptoms?|examples?|outputs?|usage|requests?|responses?|commands?|resolution|workaround|diagnosis|notes?|tip|"
    r"before|after|wrong|right|correct|incorrect|good|bad|input|logs?|results?|checks?|steps?)"
    r"(?: (?:usage|requests?|responses?|outputs?|code|messages?|logs?|examples?|commands?|fix|\d+))?\W{0,20}(?:\(.*)?|"
    r"(?:why|how|what|where|when|if)\b.*",
    re.IGNORECASE,
)
"""A bold line that is a part of something, and no title."""

_PREFIX = re.compile(
    r"\W*(?:(?:error|fatal)\s*:\s*|(?P<class>(?:\w+\.)*[A-Z]\w*(?:Error|Exception))\s*:\s*)", re.IGNORECASE
)
"""What is shown before a message, and is no part of it."""

_LISTED = re.compile(r"(?:^|_)(?:errors?|issues|problems|violations|failures|messages)$", re.IGNORECASE)
"""The keys of lists of messages."""

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*(?:"|\\?(?=\n|\Z))|[{}\n]')


class How(Enum):
    """How a message is shown."""

    FENCE = "below a bold line"
    ITEM = "an item of a list"
    OPENING = "the opening of an item"
    LISTED = "in a list of an answer"


class BareMessage(NamedTuple):
    """A message without a label: ``entry`` is the one that it makes, ``of_class`` the exception named before it."""

    how: How
    entry: Entry
    said: EntryText
    of_class: str


def unlabelled(path: str, text: str, layout: Catalog) -> tuple[BareMessage, ...]:
    """Return the messages that a document shows without a label; ``layout`` is what the policy says of it."""
    found: list[BareMessage] = []
    for section in sections(text):
        around = (*section.parents, section.heading.text)
        if _lists_errors(around):
            found.extend(_below_bold_lines(path, around, section.blocks))
            found.extend(_items(path, around, section.blocks))
        found.extend(_listed(path, section))
    return tuple(shown for shown in found if is_meant(shown.entry, layout))


def _lists_errors(around: Iterable[str]) -> bool:
    titles = [text for text in around if text]
    others = (*filter(_OF_OTHERS.search, titles), *filter(_OTHER.search, titles[1:] or titles))
    return any(map(_LISTS_ERRORS.search, titles)) and not others


def _shown(how: How, path: str, line: Line, title: str, around: tuple[str, ...], said: EntryText) -> BareMessage:
    reserved = is_reserved(line.text) or is_reserved(title)
    entry = Entry(path, line.line, line.column, EntryKind.TITLE, title, title, around, reserved)
    prefix = _PREFIX.match(said.text)
    if prefix is None:
        return BareMessage(how, entry, said, "")
    return BareMessage(how, entry, said._replace(text=said.text[prefix.end() :]), prefix["class"] or "")


# --- bold lines ---------------------------------------------------------------------------------------------------


def _below_bold_lines(path: str, around: tuple[str, ...], blocks: tuple[Block, ...]) -> Iterator[BareMessage]:
    for block, after in pairwise(blocks):
        if not isinstance(block, Paragraph) or len(block.lines) != 1 or not isinstance(after, Fence):
            continue
        line = block.lines[0]
        title = line.text.strip(" :")
        if not line.strong or title != line.strong.strip(" :") or not _is_title(title, line):
            continue
        content = after.content.strip("\n")
        if after.language in PLAIN and content.count("\n") < MOST_LINES and not NO_MESSAGE.search(content):
            first = after.line + (len(after.content) - len(after.content.lstrip("\n")))
            yield _shown(How.FENCE, path, line, title, around, EntryText(content, first))


def _is_title(text: str, line: Line) -> bool:
    """Whether a bold line is the title of an error that has neither code nor class."""
    return not (
        label(text)
        or _PART.fullmatch(text)
        or _OTHER.search(text)
        or is_class(text)
        or entry_identifier.codes(text, line.codes)[0]
    )


# --- items --------------------------------------------------------------------------------------------------------


def _items(path: str, around: tuple[str, ...], blocks: tuple[Block, ...]) -> Iterator[BareMessage]:
    for block in blocks:
        if not isinstance(block, Paragraph) or not block.depth or not block.lines or not block.lines[0].codes:
            continue
        line = block.lines[0]
        text = line.codes[0]
        if len(block.lines) == len(line.codes) == 1 and line.raw.rstrip(" .;,") == f"`{text}`":
            how = How.ITEM
        elif line.raw.startswith(f"`{text}`") and entry_identifier.SEPARATOR.match(line.raw[len(text) + 2 :]):
            how = How.OPENING
        else:
            continue
        if is_sentence(text) if how is How.ITEM else LOWER_WORD.search(text) and " " in text:
            yield _shown(how, path, line, text, around, EntryText(text, line.line))


# --- examples -----------------------------------------------------------------------------------------------------


def _listed(path: str, section: Section) -> Iterator[BareMessage]:
    around = (*section.parents, section.heading.text)
    for block in section.blocks:
        if not isinstance(block, Fence) or block.language not in ("", "json", "jsonc", "json5", "python", "py"):
            continue
        for content, first in _objects(block):
            answer = tuple(members(content, first))
            if not any(map(_is_failure, answer)):
                continue
            for member in answer:
                if member.in_list and member.is_string and member.text and _LISTED.search(member.key):
                    line = Line(member.text, member.line, 1)
                    yield _shown(
                        How.LISTED, path, line, section.heading.text, around, EntryText(member.text, member.line)
                    )


def _objects(fence: Fence) -> Iterator[tuple[str, int]]:
    """Yield the objects of a fence that stand in no other one, with their first lines."""
    depth, start, line, first = 0, 0, fence.line, fence.line
    for found in _TOKEN.finditer(fence.content):
        token = found.group()
        if token == "\n":
            line += 1
        elif token == "{":
            if not depth:
                start, first = found.start(), line
            depth += 1
        elif token == "}" and depth:
            depth -= 1
            if not depth:
                yield fence.content[start : found.end()], first


def _is_failure(member: Member) -> bool:
    """Whether a member of an answer says that it failed."""
    if len(member.keys) != 1 or member.in_list:
        return False
    key, text = member.key.lower(), (member.text or "").lower()
    if key in STATUS_KEYS:
        return says_failure(text)
    if key in SUCCESS_KEYS or key in FAILURE_KEYS:
        return text == ("false" if key in SUCCESS_KEYS else "true")
    return (key in ERROR_KEYS or key in ERROR_CODE_KEYS) and bool(text) and text not in ("null", "none")
