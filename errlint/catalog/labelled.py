"""What the blocks below a heading say under labels: bold lines, bullets, vertical tables, example objects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from errlint.catalog import tables
from errlint.catalog.entry import Said
from errlint.catalog.labels import EXAMPLE, EXAMPLE_CODE, label
from errlint.catalog.markdown import Block, Fence, Line, Table
from errlint.catalog.objects import error_members, members, message_of

_LABELLED = re.compile(r"([^:：`]{2,40}?)\s*[:：]\s*(.*)$")
_CODE_LABELS = {"code": EXAMPLE_CODE, "error_code": EXAMPLE_CODE, "errorCode": EXAMPLE_CODE, "error_type": "class"}


def facts(blocks: Iterable[Block]) -> Iterator[tuple[str, Said]]:
    """Yield what blocks say about one error under their labels."""
    waiting = ""
    for block in blocks:
        if isinstance(block, Table):
            if tables.is_vertical(block):
                yield from tables.facts(block)
        elif isinstance(block, Fence):
            if block.language in ("json", "jsonc", "json5") or (not waiting and not block.language):
                yield from _json_facts(block)
            elif waiting:
                for offset, text in enumerate(block.content.rstrip("\n").split("\n")):
                    yield waiting, Said(text, block.line + offset)
            waiting = ""
        else:
            for line in block.lines:
                found = labelled(line)
                if found is not None:
                    waiting, value = found
                    if waiting and value:
                        yield waiting, Said(value, line.line)
                        waiting = ""
                elif waiting and block.depth:
                    yield waiting, Said(line.text, line.line)


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


def _json_facts(fence: Fence) -> Iterator[tuple[str, Said]]:
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
            yield _CODE_LABELS[member.key], Said(member.text, member.line)
    if message is not None and message.text and not label(message.text):  # "message": "Error message" is no example
        yield "message", Said(message.text, message.line)
    for member in shown:
        if label(member.keys[0]) == "hint" and member.text:
            yield "hint", Said(member.text, member.line)
        if not member.in_list or member.text is None:
            yield f"{EXAMPLE}{'.'.join(member.keys)}", Said(member.text or "", member.line)
