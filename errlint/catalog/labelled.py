"""What the blocks below a heading say under labels: bold lines, bullets, vertical tables, example objects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from errlint.catalog import tables
from errlint.catalog.entry import EntryText
from errlint.catalog.labels import EXAMPLE, EXAMPLE_CODE, FIELD_PART, FIELD_VALUE, RPC_CODE, label
from errlint.catalog.markdown import Block, Fence, Line, MarkdownTable
from errlint.catalog.objects import error_members, members, message_of

_LABELLED = re.compile(r"([^:：`]{2,40}?)\s*[:：]\s*(.*)$")
_VALUE = re.compile(r"\W*`(?P<name>\w+)`\W{1,5}[\"'`]+(?P<value>[\w.:-]+)[\"'`]+\.?")
_HOLDS = re.compile(
    r"\W*`(?P<name>\w+)`[^`]*?\b(?P<how>with|includ\w+|contain\w*|such as|has|holds?|keys?)\b(?=[^`]*`)", re.IGNORECASE
)
_ONLY = re.compile(r"with|has|holds?", re.IGNORECASE)
"""Words before a list of parts that is meant to be whole."""

_SOME = re.compile(r"\b(?:details?|more|others?|etc|optional\w*|additional|if|when|e\.g)\b|\.\.\.|…", re.IGNORECASE)
_PART = re.compile(r"`([a-z_]\w*)`")
_RETRYABLE = re.compile(
    r"(?:^|[.;]\s+)((?:not |non-)?(?:retryable|retriable|recoverable))(?=\s*(?:[.;]|$))", re.IGNORECASE
)
"""A sentence that is nothing but that: "HTTP status: 402. Not retryable.\""""

_RPC_CODE = re.compile(r"-32\d{3}")
_CODE_LABELS = {"code": EXAMPLE_CODE, "error_code": EXAMPLE_CODE, "errorCode": EXAMPLE_CODE, "error_type": "class"}


def facts(blocks: Iterable[Block]) -> Iterator[tuple[str, EntryText]]:
    """Yield what blocks say about one error under their labels."""
    waiting = ""
    for block in blocks:
        if isinstance(block, MarkdownTable):
            if tables.is_vertical(block):
                yield from tables.facts(block)
        elif isinstance(block, Fence):
            if block.language in ("json", "jsonc", "json5") or (not waiting and not block.language):
                yield from _json_facts(block)
            elif waiting:
                for offset, text in enumerate(block.content.rstrip("\n").split("\n")):
                    yield waiting, EntryText(text, block.line + offset)
            waiting = ""
        else:
            for line in block.lines:
                alone = _RETRYABLE.search(line.text)
                if alone is not None:
                    yield "retryable", EntryText(alone.group(1), line.line)
                found = labelled(line)
                if found is not None:
                    waiting, value = found
                    if waiting and value:
                        yield waiting, EntryText(value, line.line)
                        waiting = ""
                elif waiting and block.depth:
                    yield waiting, EntryText(line.text, line.line)
                    if waiting == "field":
                        yield from _of_field(line)


def _of_field(line: Line) -> Iterator[tuple[str, EntryText]]:
    """Yield the value of a listed field, and the parts that it is said to have."""
    value = _VALUE.fullmatch(line.raw.strip())
    if value is not None:
        yield FIELD_VALUE, EntryText(f"{value['name']}={value['value']}", line.line)
    holds = _HOLDS.match(line.raw)
    names = _PART.findall(line.raw, holds.end()) if holds is not None else []
    if holds is not None and names:
        yield from ((FIELD_PART, EntryText(f"{holds['name']}.{name}", line.line)) for name in names)
        if not _ONLY.fullmatch(holds["how"]) or _SOME.search(line.raw, holds.end()):
            yield FIELD_PART, EntryText(f"{holds['name']}....", line.line)


def label_of(line: Line) -> tuple[str, str] | None:
    """Return the label of a line as it stands there, in lower case, and its value; ``None`` without one."""
    found = _LABELLED.match(line.text.lstrip())
    return (found.group(1).strip(" *").casefold(), found.group(2).strip()) if found is not None else None


def labelled(line: Line) -> tuple[str, str] | None:
    """Return the standard name of the label of a line ("" for an unknown one) and its value; ``None`` without one."""
    found = _LABELLED.match(line.text.lstrip())
    if found is None:
        return None
    name = label(found.group(1)) if found.group(1).strip() not in line.codes else ""
    if not name and not (line.strong and line.text.startswith(line.strong)):
        return None
    value = found.group(2).strip()
    if len(line.codes) == 1 and value.strip("*") == line.codes[0]:
        value = line.codes[0]
    return name, value


def _json_facts(fence: Fence) -> Iterator[tuple[str, EntryText]]:
    shown = error_members(fence.content, fence.line)
    message = message_of(shown)
    for member in members(fence.content, fence.line):
        if (
            member.key in _CODE_LABELS
            and member.is_string
            and member.text
            and not member.in_list
            and not label(member.text)
        ):
            yield _CODE_LABELS[member.key], EntryText(member.text, member.line)
        if member.keys == ("code",) and member.text and _RPC_CODE.fullmatch(member.text):
            yield RPC_CODE, EntryText(member.text, member.line)
    if message is not None and message.text and not label(message.text):  # "message": "Error message" is no example
        yield "message", EntryText(message.text, message.line)
    for member in shown:
        if label(member.keys[0]) == "hint" and member.text:
            yield "hint", EntryText(member.text, member.line)
        if not member.in_list or member.text is None:
            yield f"{EXAMPLE}{'.'.join(member.keys)}", EntryText(member.text or "", member.line)
