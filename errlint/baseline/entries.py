"""The file of a baseline: a sorted line for each finding, so that two branches that change it can be merged.

A line is ``src/shop/server.py: ERR101 Shop.find 9f86d081884c7d65-2c26b46b.2  # until 2027-01-31: clients are asked``:
path, rule, function ("-" at module level), fingerprint, shape, which one of several with that fingerprint in the file
(the first is not numbered), and, where somebody gave one, the day up to which it counts and the reason. A blank line
stands between files, so that changes about two of them do not touch.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import NamedTuple

from errlint.characters import printable
from errlint.errors import BaselineError, Place
from errlint.rules import RULES, code_of
from errlint.source import UndecodableError, decode, read_bytes

NAME = "errlint-baseline.txt"
"""Where a baseline is written if nothing else is said."""

TOP_LEVEL = "-"

_HEADER = """\
# Findings that were there before errlint was used here. `errlint baseline write` writes this file, `prune` takes out
# what is mended. Behind a line may stand a reason, and the day up to which it counts: `# until 2027-01-31: reason`.
"""

_LINE = re.compile(
    r'(?P<path>"(?:[^"\\]|\\.)*"|[^"].*?): (?P<code>ERR\d{3}|[a-z]+(?:-[a-z]+)*) (?P<function>\S+) '
    r"(?P<fingerprint>[0-9a-f]{16})"
    r"(?:-(?P<shape>[0-9a-f]{8}))?(?:\.(?P<ordinal>[1-9]\d{0,8}))?(?:\s+#\s*(?P<comment>.*?))?\s*"
)
_UNTIL = re.compile(r"until (?P<day>\d{4}-\d{2}-\d{2})(?::\s*|\s+|$)(?P<reason>.*)")
_CONFLICT = re.compile(r"<{7}|={7}$|>{7}|\|{7}")
_PLAIN = re.compile(r'[^"\s#](?:[^"\n\r#]*[^"\s#])?')


class KnownFinding(NamedTuple):
    """A finding that was there before.

    ``path`` is relative to the root, ``function`` the qualified name of the innermost function ("" at module level),
    ``shape`` that of its statement (:func:`errlint.fingerprint.shape`, "" unknown). ``ordinal`` counts (from 1) those
    that have path and fingerprint in common. ``until`` is the last day on which it counts, ``None`` for ever. ``line``
    (from 1) is where it stands in the file, 0 in none.
    """

    path: str
    code: str
    function: str
    fingerprint: str
    shape: str = ""
    ordinal: int = 1
    until: date | None = None
    reason: str = ""
    line: int = 0

    def is_expired(self, today: date) -> bool:
        """Whether it counts no longer."""
        return self.until is not None and self.until < today

    @property
    def text(self) -> str:
        """Its line, without the end."""
        path = self.path if _PLAIN.fullmatch(self.path) and printable(self.path) == self.path else json.dumps(self.path)
        shape = f"-{self.shape}" if self.shape else ""
        ordinal = f".{self.ordinal}" if self.ordinal > 1 else ""
        told = f"until {self.until.isoformat()}" if self.until is not None else ""
        told = f"{told}: {self.reason}" if told and self.reason else told or self.reason
        comment = f"  # {told}" if told else ""
        return f"{path}: {self.code} {self.function or TOP_LEVEL} {self.fingerprint}{shape}{ordinal}{comment}"


def read(path: Path, root: Path) -> tuple[KnownFinding, ...]:
    """Return what a baseline lists, each once.

    Raises :class:`errlint.errors.BaselineError` where the file cannot be read or a line of it is none of a baseline.
    """
    shown = path.relative_to(root) if path.is_relative_to(root) else path
    try:
        text = decode(read_bytes(path))
    except FileNotFoundError:
        raise BaselineError(
            "there is no such baseline", hint="`errlint baseline write` makes it", place=Place(shown)
        ) from None
    except (OSError, UndecodableError) as error:
        raise BaselineError(f"the baseline cannot be read: {error}", place=Place(shown)) from error
    return parse(text, shown)


def parse(text: str, path: Path) -> tuple[KnownFinding, ...]:
    """Return what the text of a baseline lists, each once; raises :class:`errlint.errors.BaselineError`."""
    found: dict[tuple[str, str, str, int], KnownFinding] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if _CONFLICT.match(line):
            hint = "keep the lines of both sides, then run `errlint baseline prune`"
            raise BaselineError("a merge was left unfinished", hint=hint, place=Place(path, number, 1))
        match = _LINE.fullmatch(line)
        known = _known(match, number) if match is not None else None
        if known is None:
            hint = "a line is `PATH: CODE FUNCTION FINGERPRINT`; `errlint baseline write` writes the file anew"
            raise BaselineError("this is no line of a baseline", hint=hint, place=Place(path, number, 1))
        found.setdefault((known.path, known.code, known.fingerprint, known.ordinal), known)
    return tuple(found.values())


def _known(match: re.Match[str], number: int) -> KnownFinding | None:
    """Return what a line says, ``None`` where a part of it has the right form and means nothing."""
    until = None
    comment = match["comment"] or ""
    if (dated := _UNTIL.fullmatch(comment)) is not None:
        comment = dated["reason"]
        try:
            until = date.fromisoformat(dated["day"])
        except ValueError:
            return None
    path = match["path"]
    if path.startswith('"'):
        try:
            path = json.loads(path)
        except ValueError:
            return None
    code = code_of(match["code"])
    if code not in RULES:
        return None
    function = "" if match["function"] == TOP_LEVEL else match["function"]
    return KnownFinding(
        path,
        code,
        function,
        match["fingerprint"],
        match["shape"] or "",
        int(match["ordinal"] or 1),
        until,
        comment.strip(),
        number,
    )


def render(known: Iterable[KnownFinding]) -> str:
    """Return the text of a baseline."""
    parts = [_HEADER]
    before = None
    for each in sorted(known, key=lambda item: (item.path, item.code, item.function, item.fingerprint, item.ordinal)):
        if each.path != before:
            parts.append("\n")
            before = each.path
        parts.append(f"{each.text}\n")
    return "".join(parts)
