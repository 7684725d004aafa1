"""What errlint finds in some texts under a configuration, without files: linked and checked as in a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from errlint.checks import CheckFailure, check_file
from errlint.collect import collect
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.asked_facts import vocabulary
from errlint.project.names import Layout
from errlint.settings import CommandLine
from errlint.settings.loading import load_text


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
    folder = root or Path()
    settings = load_text(folder, folder, folder / "errlint.toml", config, asked).settings
    for path, text in texts.items() if root is not None else ():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    modules = {path: collect(text, vocabulary(settings)) for path, text in texts.items()}
    return Project(Layout(modules, distributions), modules, settings)


def findings(
    texts: Mapping[str, str],
    config: str = "",
    *,
    rules: Sequence[str],
    distributions: Sequence[str] = ("",),
    root: Path | None = None,
) -> list[Finding]:
    """Return what some rules find in the files, file by file; fails where a rule does."""
    project = project_of(texts, config, rules=rules, distributions=distributions, root=root)
    found: list[Finding] = []
    for path in texts:
        for result in check_file(project, path):
            assert not isinstance(result, CheckFailure), result.finding.message
            found.append(result)
    return found


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
