"""``--interactive``: a person decides about each group, with its changes before their eyes."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence

from errlint.characters import printable, quoted_path
from errlint.fix.model import Refusal
from errlint.fix.parts import Part, Parts, put_together
from errlint.fix.plan import Planned
from errlint.fix.presentation.edits import message, parts_of
from errlint.fix.source_cache import Files

HELP = """\
y  apply this change, in all its files
n  leave it
a  apply it and all that follow
q  leave it and all that follow; what was accepted is written
?  show this help
"""

Read = Callable[[str], str]
Show = Callable[[str], None]


class Questions:
    """Asks about each group once, however often it is planned; an :data:`errlint.fix.run.Ask`."""

    def __init__(self, read: Read, show: Show) -> None:
        """Take what reads an answer to a question from the terminal, and what shows a text there."""
        self._read = read
        self._show = show
        self._declined: set[tuple[str, str, tuple[str, ...]]] = set()
        self._rest: bool | None = None

    def __call__(self, files: Files, planned: Sequence[Planned]) -> list[Planned]:
        """Return the groups that are wanted."""
        new = [item for item in planned if _key(item) not in self._declined]
        accepted: list[Planned] = []
        for number, item in enumerate(new, 1):
            if self._rest if self._rest is not None else self._accepts(files, item, f"{number} of {len(new)}"):
                accepted.append(item)
            else:
                self._declined.add(_key(item))
        return accepted

    def _accepts(self, files: Files, item: Planned, number: str) -> bool:
        try:
            found = parts_of(files, item, Parts())
        except Refusal as refusal:
            self._show(printable(f"{item.group.path}: {refusal.doubt.text}") + "\n")
            return False
        self._show(f"\n{_title(item, found)}\n{hunks(files, found)}")
        while True:
            answer = self._read(f"Apply this change ({number}) [y,n,a,q,?]?").strip().lower()
            if answer in ("y", "yes", "n", "no"):
                return answer[0] == "y"
            if answer in ("a", "all", "q", "quit"):
                self._rest = answer[0] == "a"
                return self._rest
            self._show(HELP)


def hunks(files: Files, found: Mapping[str, tuple[Part, ...]]) -> str:
    """Return a unified diff of what one group changes in all its files."""
    out: list[str] = []
    for path, parts in sorted(found.items()):
        name, before = quoted_path(path), files.parse(path).lines
        diff = difflib.unified_diff(before, put_together(before, parts), name, name)
        out.extend(line if line.endswith(("\n", "\r")) else f"{line}\n" for line in diff)
    return "".join(out)


def _title(item: Planned, found: Iterable[str]) -> str:
    group = item.group
    codes = ", ".join(sorted({finding.code for finding in group.findings}))
    out = [f"{group.path}:{group.findings[0].span.line}: {codes}: {message(item, found)}"]
    out += [f"  {doubt.text}" + (f" ({doubt.place})" if doubt.place else "") for doubt in group.doubts]
    return "\n".join(map(printable, out))


def _key(item: Planned) -> tuple[str, str, tuple[str, ...]]:
    """Return what stays of a group when others are applied before it."""
    return (
        item.group.path,
        item.group.function,
        tuple(sorted(f"{finding.code} {finding.fingerprint}" for finding in item.group.findings)),
    )
