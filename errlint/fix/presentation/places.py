"""Places in files that fixes change: a line of what a pass found, as one of the file that a person looks at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from errlint.fix.source_file import lines
from errlint.source import decode

State = Mapping[str, bytes]
"""The content of the files that earlier passes have changed, by path, when a later one looked at them."""


class Places:
    """Lines of the passes of a run, as lines of the files as they are ``after`` it, or as they were before."""

    def __init__(self, contents: Mapping[str, tuple[bytes, bytes]], *, after: bool) -> None:
        """``contents`` are the old and the new bytes of each file that changes."""
        self._contents, self._after = contents, after
        self._blocks: dict[tuple[bytes, bytes], Sequence[tuple[str, int, int, int, int]]] = {}

    def line(self, path: str, line: int, state: State) -> int:
        """Return the line, from 1, at which something stands that stood at another one in a pass."""
        if path not in self._contents:
            return line
        before, after = self._contents[path]
        seen, wanted = state.get(path, before), after if self._after else before
        if seen == wanted:
            return line
        if (seen, wanted) not in self._blocks:
            self._blocks[seen, wanted] = SequenceMatcher(
                None, lines_of(seen), lines_of(wanted), autojunk=False
            ).get_opcodes()
        for kind, start, end, new, last in self._blocks[seen, wanted]:
            if start < line <= end:
                offset = line - 1 - start
                return 1 + new + (offset if kind == "equal" else min(offset, max(last - new - 1, 0)))
        return line


def lines_of(content: bytes) -> tuple[str, ...]:
    """Return the lines of a file with their ends, whatever those are."""
    return lines(decode(content))
