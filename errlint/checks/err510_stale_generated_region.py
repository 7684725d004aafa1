"""ERR510: a generated region of a catalog that is out of date."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.catalog.regions import MarkerError, is_likely
from errlint.findings import Finding, Related, Span
from errlint.project import Project
from errlint.project.drift.generated import Difference, TemplateFileError, rewritten
from errlint.rules import RULES

_LONGEST = 60
"""So much of a line is quoted."""


def check(project: Project) -> Iterator[Finding]:
    """Yield the regions that `errlint catalog write` would change, and the markers that cannot be understood."""
    for path, text in sorted(project.documents.texts.items()):
        if not is_likely(text.encode("utf-8", "surrogatepass")):
            continue
        try:
            _, differences = rewritten(project, path, text)
        except MarkerError as error:
            yield _finding(path, error.line, f"{error.message}; {error.hint}")
        except TemplateFileError as error:
            yield _finding(path, 1, f"the template `{error.path}` cannot be used: {error.message}; {error.hint}")
        else:
            for difference in differences:
                related = (Related(path, Span(difference.line, 1, difference.line, 1), "the first difference is here"),)
                message = f"the region is out of date: {_told(difference)}; run `errlint catalog write`"
                yield _finding(path, difference.region.begin, message, related)


def _told(difference: Difference) -> str:
    line = f"line {difference.line}"
    if not difference.wanted.strip() or not difference.found.strip():
        return f"{line} should not be here" if difference.found.strip() else f"{_quoted(difference.wanted)} is missing"
    start = 0
    while difference.found[start : start + 1] == difference.wanted[start : start + 1]:
        start += 1
    start = max(0, start - _LONGEST // 3)
    found, wanted = (_quoted(each[start:], cut=start > 0) for each in (difference.found, difference.wanted))
    return f"{line} has {found}, and should have {wanted}"


def _quoted(text: str, *, cut: bool = False) -> str:
    whole = text.strip().replace("`", "'")
    short = whole if len(whole) <= _LONGEST else f"{whole[:_LONGEST].rstrip()}…"
    return f"`{'…' if cut else ''}{short}`"


def _finding(path: str, line: int, message: str, related: tuple[Related, ...] = ()) -> Finding:
    return Finding(path, Span(line, 1, line, 1), "ERR510", RULES["ERR510"].severity, message, related=related)
