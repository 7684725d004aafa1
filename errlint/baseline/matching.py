"""Which findings of a run a baseline knows, and what it lists that is not there any more."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from typing import NamedTuple

from errlint.baseline.entries import KnownFinding
from errlint.findings import Finding
from errlint.fingerprint import digest, fingerprint, has_sentence, shape, statement_at
from errlint.rules import FATAL_RULES

_Key = tuple[str, ...]
_Lines = Callable[[str], Sequence[str]]

_BLOCK = re.compile(
    r"([ \t]*)(?:(?:async[ \t]+def|def|class)[ \t]+(\w+)"
    r"|(?:if|else|elif|try|except|finally|with|async|for|while|match|case)\b)"
)
"""A line that begins a block: its indentation, and the name of what it defines."""


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
    same where only names in the statement were changed, and where the function was renamed, or went to another file:
    then its old name is not defined in the old file any more. A finding about several definitions is told at the first,
    and stays the same where another of them is the first now.
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
    findings: Iterable[Finding],
    before: Iterable[tuple[Finding, KnownFinding]],
    read_text: Callable[[str], str | None],
    *,
    until: date | None = None,
    reason: str = "",
) -> Iterator[KnownFinding]:
    """Yield findings as a baseline lists them: with what it said of them ``before``, else with a day and a reason."""
    said = {id(finding): known for finding, known in before}
    counted: dict[tuple[str, str, str], int] = defaultdict(int)
    lines = _lines_of(read_text)
    for finding in findings:
        if finding.code in FATAL_RULES:
            continue
        key = (finding.path, finding.code, finding.fingerprint)
        counted[key] += 1
        old = said.get(id(finding))
        yield KnownFinding(
            finding.path,
            finding.code,
            finding.function,
            finding.fingerprint,
            shape(statement_at(lines(finding.path), finding.span)),
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
        self._lines = _lines_of(read_text)
        self._defined = cache(lambda path: _definitions(self._lines(path)))
        self._pair(
            self._left,
            lambda each: (each.path, each.code, each.fingerprint),
            lambda finding: (finding.path, finding.code, finding.fingerprint),
        )
        self._pair_by_related()
        shaped = {index: each for index, each in self._left.items() if each.shape}
        self._pair(
            shaped,
            lambda each: (each.path, each.code, _innermost(each.function), each.shape),
            lambda finding: (finding.path, finding.code, _innermost(finding.function), self._shape(finding)),
        )
        gone = {index: each for index, each in self._left.items() if self._is_gone(each)}
        self._pair(
            gone,
            lambda each: (each.code, each.fingerprint),
            lambda finding: (finding.code, finding.fingerprint),
        )
        # A function that has a name of the old ones is one of them, not another one under a new name.
        self._old = {(each.path, _innermost(each.function)) for each in known}
        shaped = {index: each for index, each in gone.items() if each.shape}
        self._pair(
            shaped,
            lambda each: (each.code, _innermost(each.function), each.shape),
            lambda finding: (finding.code, _innermost(finding.function), self._shape(finding)),
        )
        self._pair(
            shaped,
            lambda each: (each.path, each.code, each.shape),
            lambda finding: (finding.path, finding.code, self._shape(finding)) if self._is_renamed(finding) else None,
        )
        self._pair(
            shaped,
            lambda each: (each.code, each.shape),
            lambda finding: (finding.code, self._shape(finding)) if self._is_told_apart(finding) else None,
        )
        came_from = dict(self._moves())
        self._pair(
            shaped,
            lambda each: (each.path, _innermost(each.function), each.code, each.shape),
            lambda finding: self._at_origin(finding, came_from.get((finding.path, _innermost(finding.function)))),
        )
        files = {new: old for (new, _), (old, _) in came_from.items()}
        self._pair(
            shaped,
            lambda each: (each.path, each.code, each.shape),
            lambda finding: (
                (files.get(finding.path, ""), finding.code, self._shape(finding)) if self._is_renamed(finding) else None
            ),
        )

    def _moves(self) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
        """Yield file and function of findings that are known from another file or function, each with the old ones."""
        for index, known in self.known_as.items():
            new = (self.findings[index].path, _innermost(self.findings[index].function))
            if (old := (known.path, _innermost(known.function))) != new:
                yield new, old

    def _at_origin(self, finding: Finding, origin: tuple[str, str] | None) -> _Key | None:
        return (*origin, finding.code, self._shape(finding)) if origin is not None else None

    def left(self) -> Iterator[KnownFinding]:
        """Yield what is listed and was not found."""
        yield from self._left.values()

    def _pair(
        self,
        known: Mapping[int, KnownFinding],
        key_of: Callable[[KnownFinding], _Key],
        wanted: Callable[[Finding], _Key | None],
    ) -> None:
        """Pair each finding that has no partner with the first of the listed ones that has its key."""
        by_key: dict[_Key, deque[int]] = defaultdict(deque)
        for index, each in known.items():
            if index in self._left:
                by_key[key_of(each)].append(index)
        for index, finding in enumerate(self.findings if by_key else ()):
            if index in self.known_as or finding.code in FATAL_RULES:
                continue
            key = wanted(finding)
            candidates = by_key.get(key, ()) if key is not None else ()
            partner = next((each for each in candidates if self._may_be(self._left[each], finding)), None)
            if partner is not None and key is not None:
                by_key[key].remove(partner)
                self.known_as[index] = self._left.pop(partner)

    def _pair_by_related(self) -> None:
        """Pair a finding about several definitions with what lists it at another of them, the first of before."""
        listed = {(each.code, each.fingerprint): index for index, each in self._left.items()}
        for index, finding in enumerate(self.findings if listed else ()):
            if index in self.known_as:
                continue
            partner = next((listed[key] for key in self._elsewhere(finding) if listed.get(key) in self._left), None)
            if partner is not None:
                self.known_as[index] = self._left.pop(partner)

    def _elsewhere(self, finding: Finding) -> Iterator[tuple[str, str]]:
        """Yield the rule and the fingerprint that a finding would have at the definitions that are related to it."""
        places = ((finding.path, finding.span), *((other.path, other.span) for other in finding.related))
        for path, span in places if finding.related else ():
            statement = statement_at(self._lines(path), span)
            defined = _BLOCK.match(statement)
            if defined is not None and defined[2]:
                yield finding.code, fingerprint(finding.code, digest(statement), defined[2])

    def _may_be(self, known: KnownFinding, finding: Finding) -> bool:
        """Whether a finding may be an old one: not below another function where the old one is defined still."""
        return _innermost(known.function) == _innermost(finding.function) or known.function not in self._defined(
            finding.path
        )

    def _is_gone(self, known: KnownFinding) -> bool:
        """Whether the function of a finding, or its file, is not where it was."""
        lines = self._lines(known.path)
        return not lines or (bool(known.function) and known.function not in self._defined(known.path))

    def _is_renamed(self, finding: Finding) -> bool:
        """Whether the function of a finding may be one that had another name before."""
        return bool(finding.function) and (finding.path, _innermost(finding.function)) not in self._old

    def _is_told_apart(self, finding: Finding) -> bool:
        """Whether a finding is the same as an old one of its shape although file and function have other names."""
        return self._is_renamed(finding) and has_sentence(statement_at(self._lines(finding.path), finding.span))

    def _shape(self, finding: Finding) -> str:
        return shape(statement_at(self._lines(finding.path), finding.span))


def _lines_of(read_text: Callable[[str], str | None]) -> _Lines:
    """Return what gives the lines of a file by its path, none for one that is not there."""

    @cache
    def lines(path: str) -> Sequence[str]:
        text = read_text(path)
        return text.split("\n") if text is not None else ()

    return lines


def _definitions(lines: Sequence[str]) -> frozenset[str]:
    """Return the qualified names of the functions and classes of a file, as their indentation tells."""
    found: set[str] = set()
    around: list[tuple[int, str]] = []
    for line in lines:
        if (match := _BLOCK.match(line)) is None:
            continue
        indent = len(match[1].expandtabs())
        while around and around[-1][0] >= indent:
            around.pop()
        if match[2]:
            name = f"{around[-1][1]}.{match[2]}" if around else match[2]
            around.append((indent, name))
            found.add(name)
    return frozenset(found)


def _innermost(function: str) -> str:
    return function.rpartition(".")[2]
