"""What a run that fixes tells people: the diff, what was fixed, what was not and why."""

from __future__ import annotations

import difflib
import io
from collections.abc import Iterable, Iterator

from errlint.fix.model import Applicability, Doubt, Group
from errlint.fix.run import Fixes
from errlint.report.characters import printable, quoted_path
from errlint.source import decode


def diff(fixes: Fixes) -> str:
    """Return a unified diff of all files, with paths relative to the project root; ``patch -p0`` takes it there."""
    parts: list[str] = []
    for path, (before, after) in sorted(fixes.contents.items()):
        old, new = _lines(before), _lines(after)
        name = quoted_path(path)
        lines = difflib.unified_diff(old, new, name, name)
        parts.extend(line if line.endswith(("\n", "\r")) else f"{line}\n{_NO_END}\n" for line in lines)
    return "".join(parts)


_NO_END = "\\ No newline at end of file"


def _lines(content: bytes) -> list[str]:
    """Return the lines of a file with their ends, whatever those are."""
    return list(io.StringIO(decode(content), newline=""))


def fixed(groups: Iterable[Group]) -> str:
    """Return one line for each finding that was fixed."""
    found = sorted((finding for group in groups for finding in group.findings), key=lambda item: (item.path, item.span))
    return "".join(
        printable(f"{item.path}:{item.span.line}: {item.code} in `{item.function}`") + "\n" for item in found
    )


def reasons(fixes: Fixes) -> str:
    """Return why the groups that are left were not fixed: each reason once, with the places it holds for."""
    out: list[str] = []
    for applicability, groups in ((Applicability.UNSAFE, fixes.hidden), (Applicability.REFUSED, fixes.refused)):
        places: dict[str, list[str]] = {}
        for group in groups:
            for doubt in group.doubts:
                if doubt.refuses == (applicability is Applicability.REFUSED):
                    places.setdefault(doubt.text, []).extend(_places(group, doubt))
        if places:
            title = "Refused" if applicability is Applicability.REFUSED else "Hidden (use --unsafe-fixes)"
            out.append(f"{title}:\n")
        for text, found in sorted(places.items(), key=lambda item: (-len(item[1]), item[0])):
            out.append(f"  {printable(text)}\n")
            out.extend(f"    {printable(place)}\n" for place in dict.fromkeys(found))
    return "".join(out)


def looks(fixes: Fixes) -> str:
    """Return what a person should look at after these fixes: each reason once, with its places as they were before.

    Left out is what the convention itself asks for.
    """
    places: dict[str, list[str]] = {}
    for group in fixes.fixed:
        for doubt in (*group.doubts, *group.accepted):
            if not doubt.is_convention:
                places.setdefault(doubt.text, []).extend([doubt.place] if doubt.place else _places(group, doubt))
    if not places:
        return ""
    out = ["Look at these afterwards (lines as before the fix):\n"]
    for text, found in sorted(places.items(), key=lambda item: (-len(item[1]), item[0])):
        out.append(f"  {printable(text)}\n")
        out.extend(f"    {printable(place)}\n" for place in dict.fromkeys(found))
    return "".join(out)


def _places(group: Group, doubt: Doubt) -> Iterator[str]:
    """Yield the place of each finding of a group, with that of what stands against it."""
    for finding in group.findings:
        own = f"{group.path}:{finding.span.line}"
        there = f"{own} in `{group.function}`"
        yield there if doubt.place in ("", own) else f"{there}, see {doubt.place}"


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


_ASKED = {
    "ERR401": "hints",
    "ERR402": "hints",
    "ERR403": "fields",
    "ERR404": "the right operation",
    "ERR310": "a test",
    "ERR501": "a place in the catalog",
    **dict.fromkeys(("ERR503", "ERR504", "ERR505", "ERR506", "ERR507"), "a catalog that agrees"),
}
"""What the findings that a fix may bring ask for."""


def _asks(fixes: Fixes) -> Iterator[str]:
    """Yield how many new statements ask for what the payloads before them could not have."""
    places: dict[str, set[tuple[str, int]]] = {}
    for finding in fixes.successors:
        places.setdefault(_ASKED.get(finding.code, finding.code), set()).add((finding.path, finding.span.line))
    for what, found in places.items():
        yield f"{len(found)} of them now {'asks' if len(found) == 1 else 'ask'} for {what}"


def _findings(groups: Iterable[Group]) -> int:
    return sum(len(group.findings) for group in groups)
