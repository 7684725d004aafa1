"""Links the facts of texts, as a run does with those of files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from errlint.collect import collect
from errlint.project import Project
from errlint.project.asked_facts import vocabulary
from errlint.project.names import Layout
from errlint.settings import Settings


def linked(
    texts: Mapping[str, str], *, use_ast: bool = True, root: Path | None = None, distributions: Sequence[str] = ("",)
) -> Project:
    """Return the project of some files, by their paths from its root, in distributions by their folders."""
    settings = Settings(root=root or Path())
    modules = {path: collect(text, vocabulary(settings), use_ast=use_ast) for path, text in texts.items()}
    return Project(Layout(modules, distributions), modules, settings)
