"""Examples of one error that show a member as values of different kinds: as texts here and as objects there.

Where the exception class of the error declares what the member is, the example that shows it otherwise is wrong. Here
are also entries of a class in their heading and of another one below it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.entry import Entry, EntryKind
from errlint.catalog.markdown import Fence, sections
from errlint.catalog.objects import CODES, Member, error_members, message_of
from errlint.index.bindings import variable_of

if TYPE_CHECKING:
    from errlint.project import Project

_LIST = re.compile(r"\b(?:list|List|Sequence|tuple|Tuple|Iterable|set|frozenset)\[(?P<of>\w+)")
_OBJECT = re.compile(r"(?:dict|Dict|Mapping)\b")
_VALUES = frozenset({"str", "int", "float", "bool", "UUID"})


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
                        if shape.kind in _declared(project, shown, key):
                            known[key], before, shape = shape, shape, before
                        yield Contradiction(key, shape, before)


class Misnamed(NamedTuple):
    """A class that an entry names at a line (from 1, as the column), beside another one at ``other``."""

    entry: Entry
    name: str
    line: int
    column: int
    right: str
    other: int


def misnamed(project: Project) -> Iterator[Misnamed]:
    """Yield the classes of entries that have two, of which neither is below the other: in the heading and below it.

    The wrong one is that which nothing raises that the tool of the entry calls, else the one that stands there less
    often, else the later one.
    """
    for entry in project.documented.entries:
        if entry.kind is not EntryKind.CLASS or project.documents.is_generated(entry.path, entry.line):
            continue
        heading = entry.name.rpartition(".")[2]
        named = [(heading, entry.line, entry.column)]
        for said in entry.said("class"):
            name = said.text.strip("`* ").rpartition(".")[2]
            if (name != heading and _are_apart(project, heading, name)) or name == heading:
                named.append((name, said.line, 1))
        others = [each for each in named if each[0] != heading]
        if not others or len({each[0] for each in others}) > 1:
            continue
        headed = [each for each in named if each[0] == heading]
        wrong, right = (headed, others) if _is_wrong(project, entry, headed, others) else (others, headed)
        name, line, column = wrong[0]
        yield Misnamed(entry, name, line, column, right[0][0], right[0][1])


def _are_apart(project: Project, one: str, other: str) -> bool:
    """Whether the code has two classes of which neither is below the other."""
    documented = project.documented
    is_there = bool(documented.defined(one) and documented.defined(other))
    return is_there and other not in documented.below(one) and one not in documented.below(other)


def _is_wrong(
    project: Project, entry: Entry, headed: list[tuple[str, int, int]], others: list[tuple[str, int, int]]
) -> bool:
    """Whether the class in the heading of an entry is the wrong one."""
    tools = sorted(project.comparison.pages.around(entry))
    raised = [
        any(project.raised_errors.may_raise(tool.function, each[0][0]) for tool in tools) for each in (headed, others)
    ]
    return not raised[0] if raised[0] is not raised[1] else len(others) > len(headed)


def _declared(project: Project, shown: tuple[Member, ...], key: str) -> Iterator[str]:
    """Yield what the exception classes that an example names say that an argument or a field of theirs is."""
    named = (each.text for each in shown if each.text and len(each.keys) == 1 and each.key in CODES)
    for symbol in (symbol for name in named for symbol in project.documented.defined(name)):
        for node in project.documented.nodes(symbol.path):
            if isinstance(node, ast.ClassDef) and node.name == symbol.definition.name.rpartition(".")[2]:
                yield from filter(None, (_kind(ast.unparse(each)) for each in _annotations(node, key)))


def _annotations(owner: ast.ClassDef, name: str) -> Iterator[ast.expr]:
    """Yield the annotations of a field of a class, and of the argument of its constructor that is called so."""
    for node in owner.body:
        if isinstance(node, ast.AnnAssign) and variable_of(node) == name:
            yield node.annotation
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == "__init__":
            given = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            yield from (each.annotation for each in given if each.arg == name and each.annotation is not None)


def _kind(annotation: str) -> str:
    """Return what a value with an annotation is, in the words of :class:`Shape`, "" where that is not told."""
    of_list = _LIST.search(annotation)
    if of_list is not None:
        inner = of_list["of"]
        return "a list of values" if inner in _VALUES else "a list of objects" if _OBJECT.match(inner) else ""
    return "an object" if _OBJECT.match(annotation) else ""


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
