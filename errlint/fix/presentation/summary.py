"""What a run that fixes tells people: the diff, what was fixed, what was not and why."""

from __future__ import annotations

import difflib
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from errlint.characters import printable, quoted_path
from errlint.fix.model import Applicability, Doubt, Group, TestOutcome
from errlint.fix.presentation.advice import advice
from errlint.fix.presentation.places import Places, State, lines_of
from errlint.fix.run import Fixes
from errlint.rules import RULES


def diff(fixes: Fixes, *, is_exact: bool) -> str:
    """Return a unified diff of all files, with paths relative to the project root; ``patch -p0`` takes it there.

    An exact one has the bytes of the files, with surrogates for those that are no UTF-8; else it is for people.
    """
    parts: list[str] = []
    for path, (before, after) in sorted(fixes.contents.items()):
        old, new = (_raw_lines(each) if is_exact else lines_of(each) for each in (before, after))
        name = quoted_path(path)
        told = difflib.unified_diff(old, new, name, name)
        parts.extend(line if line.endswith("\n") else f"{line}\n{_NO_END}\n" for line in told)
    return "".join(parts)


def _raw_lines(content: bytes) -> tuple[str, ...]:
    return tuple(io.StringIO(content.decode("utf-8", "surrogateescape"), newline="\n"))


_NO_END = "\\ No newline at end of file"


def fixed(fixes: Fixes) -> str:
    """Return one line for each finding that was fixed, with its place in the file as it is now."""
    places = Places(fixes.contents, after=True)
    found = (
        (item.path, places.line(item.path, item.span.line, state), item.span, item)
        for group, state in fixes.fixed_in()
        for item in group.findings
    )
    return "".join(
        printable(f"{path}:{line}: {item.code} in `{item.function}`") + "\n"
        for path, line, _, item in sorted(found, key=lambda each: each[:3])
    )


def reasons(fixes: Fixes, *, written: bool) -> str:
    """Return why the groups that are left were not fixed: each reason once, with the places it holds for."""
    out: list[str] = []
    places = Places(fixes.contents, after=written)
    for applicability in (Applicability.UNSAFE, Applicability.REFUSED):
        told: dict[str, list[str]] = {}
        for group, state in fixes.left_in():
            for doubt in group.doubts if group.applicability is applicability else ():
                if doubt.refuses == (applicability is Applicability.REFUSED):
                    told.setdefault(doubt.text, []).extend(_places(group, doubt, places, state))
        if told:
            title = "Refused" if applicability is Applicability.REFUSED else "Hidden (use --unsafe-fixes)"
            out.append(f"{title}:\n")
        out.extend(_listed(told, hints=applicability is Applicability.REFUSED))
    return "".join(out)


class Look(NamedTuple):
    """A place that a person should look at, with what becomes of the test there, and what is to be said of it."""

    path: str
    line: int
    test: TestOutcome | None
    text: str


_TITLES: dict[TestOutcome | None, str] = {
    TestOutcome.FAILS: "{} that will fail, for what they ask of an error:",
    TestOutcome.MAY_FAIL: "{} that may fail:",
    None: "{} where the answer, or who gets it, changes:",
}
"""How the parts of the list begin, in their order: the surest first."""


def looks(fixes: Fixes, *, written: bool) -> str:
    """Return what a person should look at after these fixes: by file, one line for each test and for each thing to say.

    Tests that will fail come before those that may; of those that should pass only the number is told. Left out is what
    the convention itself asks for.
    """
    found = looks_at(fixes, written=written)
    surest = {place: sorted(each, key=_rank) for place, each in _by_place(found).items()}
    out: list[str] = []
    for outcome, title in _TITLES.items():
        here = {place: each for place, each in surest.items() if each[0].test is outcome}
        if here:
            out.append(f"  {title.format(_counted(len(here), 'test' if outcome else 'place'))}\n")
            out.extend(f"    {printable(line)}\n" for line in (_by_test(here, outcome) if outcome else _by_text(here)))
    if passing := sum(each[0].test is TestOutcome.PASSES for each in surest.values()):
        out.append(f"  {_counted(passing, 'test')} more of what raises now should pass: run them.\n")
    title = "Look at these afterwards" + ("" if written else " (lines as before the fix)")
    return "".join((f"{title}:\n", *out)) if out else ""


def _by_test(here: Mapping[tuple[str, int], Sequence[Look]], outcome: TestOutcome) -> Iterator[str]:
    """Yield a line for each test, with all that is said of it."""
    for (path, line), each in sorted(here.items()):
        yield f"{path}:{line}  {_joined(item.text for item in each if item.test is outcome)}"


def _by_text(here: Mapping[tuple[str, int], Sequence[Look]]) -> Iterator[str]:
    """Yield a line for each thing that is said of a file, with the lines of which it is said."""
    lines: dict[tuple[str, str], list[int]] = {}
    for (path, line), each in sorted(here.items()):
        for text in dict.fromkeys(item.text for item in each if item.test is None):
            lines.setdefault((path, text), []).append(line)
    texts: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for (path, text), found in sorted(lines.items(), key=lambda item: (item[0][0], item[1], item[0][1])):
        texts.setdefault((path, tuple(found)), []).append(text)
    for (path, places), said in texts.items():
        yield from (f"{path}:{', '.join(map(str, places))}  {text}" for text in _alike(said))


def looks_at(fixes: Fixes, *, written: bool) -> tuple[Look, ...]:
    """Return what a person should look at after these fixes, each thing once, in the order in which it was found."""
    places = Places(fixes.contents, after=written)
    found: dict[Look, None] = {}
    for group, state in fixes.fixed_in():
        for doubt in (*group.doubts, *group.accepted):
            if doubt.is_convention:
                continue
            at = [(doubt.path, doubt.line)] if doubt.path else [(group.path, item.span.line) for item in group.findings]
            for path, line in at:
                found[Look(path, places.line(path, line, state), doubt.test, doubt.text)] = None
    return tuple(found)


def _by_place(found: Iterable[Look]) -> dict[tuple[str, int], list[Look]]:
    places: dict[tuple[str, int], list[Look]] = {}
    for look in found:
        places.setdefault((look.path, look.line), []).append(look)
    return places


def _rank(look: Look) -> int:
    return [*_TITLES, TestOutcome.PASSES].index(look.test)


_NAME = re.compile("`[^`]*`")
_MOST_NAMED = 3
"""So many names are told of one place; of more only the number."""


def _joined(texts: Iterable[str]) -> str:
    """Return what is to be said of one test in a line."""
    return "; ".join(_alike(text.removeprefix("a test ").removeprefix("this test ") for text in texts))


def _alike(texts: Iterable[str]) -> dict[str, list[str]]:
    """Return texts that differ in the first name alone as one with the names, each with those it stands for."""
    named: dict[str, dict[str, str]] = {}
    for text in texts:
        found = _NAME.search(text)
        name = found[0] if found else ""
        named.setdefault(text.replace(name, "{}", 1) if name else text, {}).setdefault(name, text)
    merged: dict[str, list[str]] = {}
    for form, each in named.items():
        shown, more = list(each)[:_MOST_NAMED], len(each) - _MOST_NAMED
        merged[form.replace("{}", ", ".join(shown) + (f" and {more} more" if more > 0 else ""), 1)] = [*each.values()]
    return merged


def _counted(count: int, what: str) -> str:
    return f"{count} {what if count == 1 else what + 's'}"


def _listed(told: Mapping[str, list[str]], *, hints: bool) -> Iterator[str]:
    """Yield each reason with its places, the most frequent first; reasons of one hint together, which is told once.

    What is said of several functions is one reason.
    """
    told = {text: [place for one in texts for place in told[one]] for text, texts in _alike(told).items()}
    hint = {text: advice(text) if hints else "" for text in told}
    counts: Counter[str] = Counter()
    for text, found in told.items():
        counts[hint[text] or text] += len(found)

    def order(text: str) -> tuple[int, str, int, str]:
        return -counts[hint[text] or text], hint[text], -len(told[text]), text

    before = ""
    for text in sorted(told, key=order):
        yield f"  {printable(text)}\n"
        if hint[text] and hint[text] != before:
            yield f"    hint: {hint[text]}\n"
        before = hint[text]
        yield from (f"    {printable(place)}\n" for place in dict.fromkeys(told[text]))


def _places(group: Group, doubt: Doubt, places: Places, state: State) -> Iterator[str]:
    """Yield the place of each finding of a group, with that of what stands against it."""
    for finding in group.findings:
        own = f"{group.path}:{places.line(group.path, finding.span.line, state)}"
        there, other = f"{own} in `{group.function}`", _place(doubt, places, state)
        yield there if other in ("", own) else f"{there}, see {other}"


def _place(doubt: Doubt, places: Places, state: State) -> str:
    if not doubt.line:
        return doubt.path
    return f"{doubt.path}:{places.line(doubt.path, doubt.line, state)}" if doubt.path else ""


def summary(fixes: Fixes, *, written: bool) -> str:
    """Return one line, without its end: how many findings were fixed, are left to be fixed, hidden and refused."""
    files = len(fixes.contents)
    count = _findings(fixes.fixed)
    where = f" in {files} {'file' if files == 1 else 'files'}" if count else ""
    parts = [f"{count} {'fixed' if written else 'fixable'}{where}"]
    if accepted := _findings(group for group in fixes.fixed if group.is_convention_change):
        parts.append(f"{accepted} of them {'a convention change' if accepted == 1 else 'convention changes'}")
    parts.extend(_asks(fixes))
    if fixes.declined:
        parts.append(f"{_findings(fixes.declined)} fixable")
    changes = [group for group in fixes.hidden if group.is_convention_change]
    if hidden := _findings(fixes.hidden) - _findings(changes):
        parts.append(f"{hidden} hidden (use --unsafe-fixes)")
    if changes:
        text = "hidden as a convention change" if _findings(changes) == 1 else "hidden as convention changes"
        parts.append(f"{_findings(changes)} {text} (use --unsafe-fixes, or set accept-shape-change)")
    if fixes.refused:
        parts.append(f"{_findings(fixes.refused)} refused")
    return ", ".join(parts) + "."


def _asks(fixes: Fixes) -> Iterator[str]:
    """Yield how many new statements ask for what the payloads before them could not have."""
    places: dict[str, set[tuple[str, int]]] = {}
    for finding in fixes.successors:
        places.setdefault(RULES[finding.code].fixes_ask_for, set()).add((finding.path, finding.span.line))
    for what, found in places.items():
        yield f"{len(found)} of them now {'asks' if len(found) == 1 else 'ask'} for {what}"


def _findings(groups: Iterable[Group]) -> int:
    return sum(len(group.findings) for group in groups)
