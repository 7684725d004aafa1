"""Values that documents list for an argument of an exception class, and that stand nowhere in the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from errlint.catalog.entry_identifier import class_of
from errlint.catalog.markdown import Section, paragraphs, sections
from errlint.findings import Related
from errlint.project.drift.allowed_values import Differing
from errlint.project.names import ClassSymbol

if TYPE_CHECKING:
    from errlint.project import Project

_LIST = re.compile(
    r"\(\s*(?:one of:?\s*)?(?P<values>[\"'`][\w.-]+[\"'`](?:\s*(?:,|\||/|\bor\b|,\s*or\b)\s*[\"'`][\w.-]+[\"'`])+)\s*\)"
)
_VALUE = re.compile(r"[\"'`]([\w.-]+)[\"'`]")

_ENOUGH = 2
"""So many values that the code has make a list one of values of the code."""


def unknown_values(project: Project) -> Iterator[Differing]:
    """Yield the lists with a value that no text of the code is, while others of the list are."""
    for path, text in sorted(project.documents.texts.items()):
        for section in sections(text):
            symbols = project.documented.defined(class_of(section.heading.text)[0])
            if len(symbols) == 1:
                yield from _of_class(project, path, section, symbols[0])


def _of_class(project: Project, path: str, section: Section, symbol: ClassSymbol) -> Iterator[Differing]:
    arguments = _arguments(project, symbol)
    for line in (line for block in paragraphs(section.blocks) for line in block.lines):
        found = _LIST.search(line.raw)
        if found is None or not line.codes or line.codes[0] not in arguments:
            continue
        values = _VALUE.findall(found["values"])
        unknown = [value for value in values if not _stands_in(project, value)]
        if unknown and len(values) - len(unknown) >= _ENOUGH:
            names = " or ".join(f"`{value}`" for value in unknown)
            message = f"no text of the code is {names}, which is listed for `{line.codes[0]}`"
            yield Differing(path, line.line, message, Related(symbol.path, symbol.definition.span, "the class is here"))


def _arguments(project: Project, symbol: ClassSymbol) -> frozenset[str]:
    constructor = project.domain.constructor(symbol)
    return frozenset(item.name for item in constructor.function.parameters) if constructor is not None else frozenset()


def _stands_in(project: Project, value: str) -> bool:
    """Whether a text of the code is a value, whatever it is for, unless exceptions only compare with it."""
    documented = project.documented
    return any(
        (tree := documented.tree(path)) is not None and value in _told(project, tree)
        for path in project.modules
        if value in documented.text(path)
    )


def _told(project: Project, tree: ast.Module) -> Iterator[str]:
    """Yield the texts of a file, but for those that an exception class compares with what it was given."""
    pending: list[tuple[ast.AST, bool]] = [(tree, False)]
    while pending:
        node, is_inside = pending.pop()
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif is_inside and isinstance(node, ast.match_case):
            pending.extend((each, is_inside) for each in node.body)
        elif not (is_inside and isinstance(node, ast.Compare)):
            is_inside = is_inside or (isinstance(node, ast.ClassDef) and bool(project.documented.defined(node.name)))
            pending.extend((each, is_inside) for each in ast.iter_child_nodes(node))
