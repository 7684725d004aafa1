"""Files in a grammar that is newer than the interpreter's, as it can read them.

``type X = …`` and type parameters (PEP 695) say nothing of what a fix asks; blanks in their place leave every other
place where it was.
"""

from __future__ import annotations

import ast

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider


def readable(text: str) -> str:
    """Return a text that the interpreter can parse, the same one where it can do so as it is.

    Raises :class:`SyntaxError` or :class:`ValueError` where it cannot.
    """
    return _read(text)[0]


def parse(text: str) -> ast.Module:
    """Return the tree of a text; raises :class:`SyntaxError` or :class:`ValueError` where there is none."""
    return _read(text)[1]


def _read(text: str) -> tuple[str, ast.Module]:
    try:
        return text, ast.parse(text)
    except SyntaxError:
        older = _older(text)
        if older == text:
            raise
        return older, ast.parse(older)


def _older(text: str) -> str:
    """Return a text without what only newer interpreters read; what else there is raises its error later."""
    try:
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    except (cst.ParserSyntaxError, UnicodeDecodeError, LookupError):
        return text
    found = _Newer()
    wrapper.visit(found)
    lines = text.splitlines(keepends=True)
    for place, name in found.places:
        first, last = place.start, place.end
        if first.line == last.line:
            line = lines[first.line - 1]
            gap = name.ljust(last.column - first.column)
            lines[first.line - 1] = line[: first.column] + gap + line[last.column :]
    return "".join(lines)


class _Newer(cst.CSTVisitor):
    """Finds what is to be blanked out: ``places`` with what is to stand there instead."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.places: list[tuple[CodeRange, str]] = []

    def visit_TypeParameters(self, node: cst.TypeParameters) -> None:
        """Leave the parameters of a class, a function or an alias out."""
        self.places.append((self.get_metadata(PositionProvider, node), ""))

    def visit_TypeAlias(self, node: cst.TypeAlias) -> None:
        """Write an alias as an assignment."""
        start, name = (self.get_metadata(PositionProvider, each) for each in (node, node.name))
        self.places.append((CodeRange(start.start, name.end), node.name.value))
