"""Positions: errlint counts lines and columns from 1, columns in characters; an editor from 0, in units of its own."""

from __future__ import annotations

from lsprotocol import types

from errlint.findings import Span

_BYTES = {types.PositionEncodingKind.Utf8: ("utf-8", 1), types.PositionEncodingKind.Utf16: ("utf-16-le", 2)}


class Lines:
    r"""The lines of a text, as both sides count them: they end with ``\n``, ``\r\n`` or ``\r``, and nothing else."""

    def __init__(self, text: str, encoding: types.PositionEncodingKind | str | None) -> None:
        """Split a text; ``encoding`` names what the editor counts in a line, UTF-16 where it asked for nothing else."""
        self._lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        kind = types.PositionEncodingKind(encoding) if encoding else types.PositionEncodingKind.Utf16
        self._codec, self._size = _BYTES.get(kind, ("", 1))

    def range(self, span: Span) -> types.Range:
        """Return a span as an editor counts it; one without extent is shown as the rest of its line."""
        start = self.position(span.line, span.column)
        if (span.line, span.column) == (span.end_line, span.end_column):
            line = self._line(span.line)
            indent = len(line) - len(line.lstrip())
            start = self.position(span.line, max(span.column, indent + 1))
            return types.Range(start, self.position(span.line, len(line) + 1))
        return types.Range(start, self.position(span.end_line, span.end_column))

    def exact(self, span: Span) -> types.Range:
        """Return a span that is to be replaced: also one without extent, where something is put in."""
        return types.Range(self.position(span.line, span.column), self.position(span.end_line, span.end_column))

    def position(self, line: int, column: int) -> types.Position:
        """Return a place as an editor counts it; one behind the end of its line is that end."""
        return types.Position(max(line - 1, 0), self._units(self._line(line)[: max(column - 1, 0)]))

    def place(self, position: types.Position) -> tuple[int, int]:
        """Return line and column, both from 1, of a position in an editor."""
        line = self._line(position.line + 1)
        if not self._codec:
            return position.line + 1, min(position.character, len(line)) + 1
        data = line.encode(self._codec, "surrogatepass")[: position.character * self._size]
        return position.line + 1, len(data.decode(self._codec, "ignore")) + 1

    def _line(self, line: int) -> str:
        return self._lines[line - 1] if 0 < line <= len(self._lines) else ""

    def _units(self, text: str) -> int:
        return len(text.encode(self._codec, "surrogatepass")) // self._size if self._codec else len(text)
