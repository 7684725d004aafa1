"""A project with documents, written down and checked by one rule: what is said where."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from example_projects import MARKER, findings
from linked_texts import write_texts

from errlint.settings import CommandLine

LISTED = '[catalog]\nfiles = ["docs/*.md"]\n'
"""Settings by which all documents in the folder are about the errors of the code."""


def said(root: Path, code: str, texts: Mapping[str, str], config: str = LISTED) -> list[str]:
    """Return ``path:line message`` of each finding of a rule in some files, in order."""
    (root / "pyproject.toml").write_text(MARKER, encoding="utf-8")
    (root / "errlint.toml").write_text(config, encoding="utf-8")
    write_texts(root, texts)
    found = [each for each in findings(root, CommandLine(select=(code,))) if each.code == code]
    return [f"{each.path}:{each.span.line} {each.message}" for each in found]
