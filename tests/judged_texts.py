"""Asks one rule about texts that are linked in memory, as a run asks it about files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from errlint.checks import CheckFailure, check_file, check_run
from errlint.collect import collect
from errlint.findings import Finding, order
from errlint.project import Project
from errlint.project.asked_facts import vocabulary
from errlint.project.names import Layout
from errlint.request import Request
from errlint.run import check
from errlint.settings import CommandLine, load
from errlint.settings.loading import load_text

NOWHERE = Path(__file__).parent / "nowhere"
"""The root of a project whose files are texts alone."""

_MARK = re.compile(r"# error: (.*)")


def configured(
    texts: Mapping[str, str], settings: str, code: str, root: Path = NOWHERE, distributions: Sequence[str] = ("",)
) -> Project:
    """Return the project of some texts by their paths, under the text of an ``errlint.toml``, for one rule."""
    known = load_text(root, root, root / "errlint.toml", settings, CommandLine(select=(code,))).settings
    modules = {path: collect(text, vocabulary(known)) for path, text in texts.items()}
    return Project(Layout(modules, distributions), modules, known)


def judged(texts: Mapping[str, str], settings: str, code: str, root: Path = NOWHERE) -> list[Finding]:
    """Return what a rule finds in some texts, in order of place."""
    project = configured(texts, settings, code, root)
    findings = []
    for result in (*check_run(project), *(found for path in texts for found in check_file(project, path))):
        assert not isinstance(result, CheckFailure), result.finding.message
        findings.append(result)
    return sorted(findings, key=order)


def astray(texts: Mapping[str, str], settings: str, code: str, root: Path = NOWHERE) -> list[str]:
    """Return what a rule says beside the marks of some texts, and the marks that it says nothing at.

    A line with ``# error: words`` has one finding, with these words in its message; other lines have none.
    """
    return _apart(texts, judged(texts, settings, code, root))


def astray_on_disk(root: Path, texts: Mapping[str, str], chosen: CommandLine) -> list[str]:
    """Return the same of files that are written below a folder, under the rules that the command line chooses."""
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    outcome = check(Request(load(root, overrides=chosen).settings, use_cache=False))
    return _apart(texts, outcome.findings)


def _apart(texts: Mapping[str, str], found: Iterable[Finding]) -> list[str]:
    marks = {
        f"{path}:{line}": mark[1].strip()
        for path, text in texts.items()
        for line, written in enumerate(text.splitlines(), 1)
        if (mark := _MARK.search(written))
    }
    said: list[str] = []
    for each in found:
        place = f"{each.path}:{each.span.line}"
        words = marks.pop(place, None)
        if words is None or words not in each.message:
            said.append(f"{place} {each.message}")
    return [*said, *(f"nothing at {place}: {words}" for place, words in marks.items())]
