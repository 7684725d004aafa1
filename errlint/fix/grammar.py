"""Files in a grammar that is newer than the interpreter's, as it can read them.

``type X = …`` and type parameters (PEP 695) say nothing of what a fix asks; blanks in their place leave every other
place where it was. Texts between the braces of an f-string (PEP 701) get the other quotation marks, and no backslashes.
"""

from __future__ import annotations

import ast
import re

import libcst as cst
import libcst.matchers as m
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
    lines = text.splitlines(keepends=True)
    found = _Newer(lines)
    wrapper.visit(found)
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

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self._lines = lines
        self.places: list[tuple[CodeRange, str]] = []

    def visit_TypeParameters(self, node: cst.TypeParameters) -> None:
        """Leave the parameters of a class, a function or an alias out."""
        self.places.append((self.get_metadata(PositionProvider, node), ""))

    def visit_TypeAlias(self, node: cst.TypeAlias) -> None:
        """Write an alias as an assignment."""
        start, name = (self.get_metadata(PositionProvider, each) for each in (node, node.name))
        self.places.append((CodeRange(start.start, name.end), node.name.value))

    def visit_FormattedString(self, node: cst.FormattedString) -> None:
        """Write the texts between the braces as older versions want them, where each stands on one line."""
        for part in node.parts:
            if not isinstance(part, cst.FormattedStringExpression):
                continue
            for each in m.findall(part, m.SimpleString() | m.FormattedString()):
                place = self.get_metadata(PositionProvider, each)
                written = self._lines[place.start.line - 1][place.start.column : place.end.column]
                if place.start.line == place.end.line:
                    self.places.append((place, _in_braces(written, node.end)))


def _in_braces(written: str, around: str) -> str:
    """Return a text as it may stand between the braces of an f-string that ends with a quotation mark."""
    other = "'" if around == '"' else '"'
    if len(around) == 1 and around in written and other not in written:
        written = written.replace(around, other)
    return re.sub(r"\\.", "__", written)
