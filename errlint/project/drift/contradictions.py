"""Examples of one error that show a member as values of different kinds: as texts here and as objects there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.markdown import Fence, sections
from errlint.catalog.objects import CODES, Member, error_members, message_of

if TYPE_CHECKING:
    from errlint.project import Project


class Shape(NamedTuple):
    """What a member of an example is: ``kind`` says it in words, at a line of a document."""

    kind: str
    path: str
    line: int


class Contradiction(NamedTuple):
    """A member that an earlier example of the same error shows as something else."""

    key: str
    shape: Shape
    before: Shape


def contradictions(project: Project) -> Iterator[Contradiction]:
    """Yield the members of examples that differ in kind from those of the first example with the same message."""
    first: dict[tuple[str, ...], dict[str, Shape]] = {}
    for path, text in sorted(project.documents.texts.items()):
        for section in sections(text):
            for block in section.blocks:
                shown = error_members(block.content, block.line) if isinstance(block, Fence) else ()
                message = message_of(shown)
                if message is None or not message.text:
                    continue
                codes = sorted(f"{each.key}={each.text}" for each in shown if len(each.keys) == 1 and each.key in CODES)
                known = first.setdefault((message.text, *codes), {})
                for key, shape in _shapes(path, shown):
                    before = known.setdefault(key, shape)
                    if before.kind != shape.kind:
                        yield Contradiction(key, shape, before)


def _shapes(path: str, shown: tuple[Member, ...]) -> Iterator[tuple[str, Shape]]:
    """Yield the outer members of an example that are lists or objects with something in them."""
    for member in shown:
        if len(member.keys) != 1 or member.text is not None or member.in_list:
            continue
        inner = [each for each in shown if each.keys[:1] == member.keys and each is not member]
        if not inner or any(each.text in ("...", "…") for each in inner):
            continue
        is_list = inner[0].in_list
        of_objects = any(len(each.keys) > 1 for each in inner)
        kind = f"a list of {'objects' if of_objects else 'values'}" if is_list else "an object"
        yield member.key, Shape(kind, path, member.line)
