"""Asks rules about texts that are linked under the text of an errlint.toml, as a run asks them about files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from linked_texts import under, write_texts

from errlint.checks import CheckFailure, check_file, check_run
from errlint.findings import Finding, order
from errlint.project import Project
from errlint.request import Request
from errlint.run import check
from errlint.settings import CommandLine, load
from errlint.settings.loading import load_text

NOWHERE = Path(__file__).parent / "nowhere"
"""The root of a project whose files are texts alone."""

_MARK = re.compile(r"# error: (.*)")


def project_of(
    texts: Mapping[str, str],
    config: str = "",
    *,
    rules: Sequence[str] = (),
    distributions: Sequence[str] = ("",),
    root: Path | None = None,
) -> Project:
    """Return the project of some files, by their paths from its root, under the text of an errlint.toml.

    With a ``root`` they are written there, for what looks at their trees once more.
    """
    asked = CommandLine(select=tuple(rules)) if rules else CommandLine()
    folder = root or NOWHERE
    settings = load_text(folder, folder, folder / "errlint.toml", config, asked).settings
    if root is not None:
        write_texts(root, texts)
    return under(settings, texts, distributions)


def findings(
    texts: Mapping[str, str],
    config: str = "",
    *,
    rules: Sequence[str],
    distributions: Sequence[str] = ("",),
    root: Path | None = None,
) -> list[Finding]:
    """Return what some rules find in the files, in order of place; fails where a rule does."""
    project = project_of(texts, config, rules=rules, distributions=distributions, root=root)
    found: list[Finding] = []
    for result in (*check_run(project), *(each for path in texts for each in check_file(project, path))):
        assert not isinstance(result, CheckFailure), result.finding.message
        found.append(result)
    return sorted(found, key=order)


def lines(
    texts: Mapping[str, str],
    config: str = "",
    *,
    rules: Sequence[str],
    distributions: Sequence[str] = ("",),
    root: Path | None = None,
) -> list[str]:
    """Return the places of what some rules find: ``path:line``."""
    every = findings(texts, config, rules=rules, distributions=distributions, root=root)
    return [f"{each.path}:{each.span.line}" for each in every]


def astray(texts: Mapping[str, str], config: str, code: str, root: Path | None = None) -> list[str]:
    """Return what a rule says beside the marks of some texts, and the marks that it says nothing at.

    A line with ``# error: words`` has one finding, with these words in its message; other lines have none.
    """
    return _apart(texts, findings(texts, config, rules=(code,), root=root))


def astray_on_disk(root: Path, texts: Mapping[str, str], chosen: CommandLine) -> list[str]:
    """Return the same of files that are written below a folder, under the rules that the command line chooses."""
    write_texts(root, texts)
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
