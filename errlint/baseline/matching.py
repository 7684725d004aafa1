"""Which findings of a run a baseline knows, and what it lists that is not there any more."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date
from functools import cache
from typing import NamedTuple

from errlint.baseline.entries import KnownFinding
from errlint.findings import Finding
from errlint.fingerprint import digest, fingerprint, statement_at
from errlint.rules import FATAL_RULES

_Key = tuple[str, ...]


class Matched(NamedTuple):
    """Findings and what is known of them.

    ``new`` are findings that the baseline does not have, in their order; ``known`` pairs the others with what lists
    them. ``expired`` are those of ``new`` whose day has passed. ``stale`` is what the baseline lists of the files that
    were looked at, and that is not there any more.
    """

    new: tuple[Finding, ...]
    known: tuple[tuple[Finding, KnownFinding], ...]
    expired: tuple[tuple[Finding, KnownFinding], ...]
    stale: tuple[KnownFinding, ...]


def match(
    known: Iterable[KnownFinding],
    findings: Iterable[Finding],
    read_text: Callable[[str], str | None],
    *,
    today: date,
    looked_at: Collection[str] | None = None,
) -> Matched:
    """Tell the findings that were there before from new ones.

    Of several with one fingerprint in a file as many are known as are listed. What then is left on both sides is the
    same where the function was renamed, or went to another file: its old name is not defined in the old file any more.
    ``read_text`` gives the decoded text of a file by its path from the root, ``None`` for one that is not there or
    cannot be read; ``looked_at`` are the files of the run, ``None`` for all of the project.
    """
    matching = _Matching(tuple(known), tuple(findings), read_text)
    new: list[Finding] = []
    old: list[tuple[Finding, KnownFinding]] = []
    expired: list[tuple[Finding, KnownFinding]] = []
    for index, finding in enumerate(matching.findings):
        found = matching.known_as.get(index)
        if found is None:
            new.append(finding)
        elif found.is_expired(today):
            new.append(finding)
            expired.append((finding, found))
        else:
            old.append((finding, found))
    left = (each for each in matching.left() if looked_at is None or each.path in looked_at)
    return Matched(tuple(new), tuple(old), tuple(expired), tuple(left))


def listed(
    findings: Iterable[Finding], before: Iterable[tuple[Finding, KnownFinding]], until: date | None, reason: str
) -> Iterator[KnownFinding]:
    """Yield findings as a baseline lists them: with what it said of them ``before``, else with a day and a reason."""
    said = {id(finding): known for finding, known in before}
    counted: dict[tuple[str, str, str], int] = defaultdict(int)
    for finding in findings:
        if finding.code in FATAL_RULES:
            continue
        key = (finding.path, finding.code, finding.fingerprint)
        counted[key] += 1
        old = said.get(id(finding))
        yield KnownFinding(
            finding.path,
            finding.code,
            _innermost(finding.function),
            finding.fingerprint,
            counted[key],
            old.until if old is not None else until,
            old.reason if old is not None else reason,
        )


class _Matching:
    """Pairs what is listed with what was found; ``known_as`` are the pairs by the place of the finding."""

    def __init__(
        self, known: tuple[KnownFinding, ...], findings: tuple[Finding, ...], read_text: Callable[[str], str | None]
    ) -> None:
        self.findings = findings
        self.known_as: dict[int, KnownFinding] = {}
        self._left = dict(enumerate(known))
        self._read_text = cache(read_text)
        self._pair(self._left, _place, lambda finding: ((finding.path, finding.code, finding.fingerprint),))
        gone = {index: each for index, each in self._left.items() if self._is_gone(each)}
        names: dict[str, set[str]] = defaultdict(set)
        for each in gone.values():
            names[each.path].add(each.function)
        self._pair(gone, _place, lambda finding: self._under(finding, names.get(finding.path, ())))
        self._pair(
            gone, lambda each: (each.code, each.fingerprint), lambda finding: ((finding.code, finding.fingerprint),)
        )

    def left(self) -> Iterator[KnownFinding]:
        """Yield what is listed and was not found."""
        yield from self._left.values()

    def _pair(
        self,
        known: Mapping[int, KnownFinding],
        key_of: Callable[[KnownFinding], _Key],
        keys_of: Callable[[Finding], Iterable[_Key]],
    ) -> None:
        """Pair each finding that has no partner with the first of the listed ones that has a key of it."""
        by_key: dict[_Key, deque[int]] = defaultdict(deque)
        for index, each in known.items():
            if index in self._left:
                by_key[key_of(each)].append(index)
        for index, finding in enumerate(self.findings if by_key else ()):
            if index in self.known_as or finding.code in FATAL_RULES:
                continue
            listed = next((by_key[key] for key in keys_of(finding) if by_key.get(key)), None)
            if listed is not None:
                self.known_as[index] = self._left.pop(listed.popleft())

    def _is_gone(self, known: KnownFinding) -> bool:
        """Whether the function of a finding, or its file, is not where it was."""
        text = self._read_text(known.path)
        if text is None:
            return True
        return bool(known.function) and not re.search(rf"\b(?:def|class)\s+{re.escape(known.function)}\b", text)

    def _under(self, finding: Finding, names: Iterable[str]) -> Iterator[_Key]:
        """Yield the places of a finding, had its function one of some names."""
        text = self._read_text(finding.path) if names else None
        statement = statement_at(text, finding.span) if text is not None else ""
        own = re.compile(rf"\b{re.escape(_innermost(finding.function))}\b")
        for name in sorted(names if statement and finding.function else ()):
            before = digest(own.sub(lambda _, name=name: name, statement))  # type: ignore[misc]
            yield finding.path, finding.code, fingerprint(finding.code, before, name)


def _place(known: KnownFinding) -> _Key:
    return known.path, known.code, known.fingerprint


def _innermost(function: str) -> str:
    return function.rpartition(".")[2]
