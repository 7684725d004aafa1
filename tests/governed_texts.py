"""Links texts that are files below a folder, under a policy: for what reads them once more while it is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from linked_texts import under, write_texts

from errlint.project import Project
from errlint.rules import RULES
from errlint.settings import Adapters, Policy, Settings


def governed(
    root: Path,
    texts: Mapping[str, str],
    policy: Policy,
    distributions: Sequence[str] = ("",),
    adapters: Adapters = Adapters(),  # noqa: B008 - nothing changes it
) -> Project:
    """Write the texts below a folder, by their paths from it, and return their project; all rules are on."""
    write_texts(root, texts)
    settings = Settings(root=root, policy=policy, rules=frozenset(RULES), adapters=adapters)
    return under(settings, texts, distributions)


def marked(text: str, mark: str = "# HERE") -> list[int]:
    """Return the numbers of the lines that have a mark: those of which something is said."""
    return [number for number, line in enumerate(text.splitlines(), 1) if mark in line]
