"""Which files git would ignore, for where git cannot be asked: which ignore files count at a place, and which first."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from errlint.patterns import IgnoreFile
from errlint.source import MAX_CONFIGURATION_SIZE, read_bytes
from errlint.workspace import git


class Rules(NamedTuple):
    """An ignore file, and the folder that it counts below: a path with a slash at its end, or ""."""

    folder: str
    file: IgnoreFile


def is_ignored(path: str, is_folder: bool, rules: Sequence[Rules]) -> bool:
    """Whether an entry of a folder is ignored: so says the last of ``rules`` that has something to say on it.

    ``path`` and the folders of the rules are relative to the same folder. What is in an ignored folder is not asked.
    """
    path = _as_bytes(f"{path}/" if is_folder else path)
    for each in reversed(rules):
        if path.startswith(each.folder):
            verdict = each.file.verdict(path[len(each.folder) :])
            if verdict is not None:
                return verdict
    return False


def read_rules(path: str, folder: str = "", *, links: bool = False) -> Rules:
    """Return the rules of an ignore file for what is below ``folder``; none where it cannot be read.

    Like git, a link is only followed for a file that the user has named.
    """
    try:
        content = read_bytes(path, MAX_CONFIGURATION_SIZE, links=links)
    except OSError:
        content = b""
    text = content.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    return Rules(_as_bytes(f"{folder}/") if folder else "", IgnoreFile(text))


def rules_of_clone(repository: git.Repository) -> list[Rules]:
    """Return the rules that are in no checked file: those of the user, then those of this clone."""
    configured = git.configured_excludes()
    if configured is None:
        home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")  # noqa: PTH111
        configured = os.path.join(home, "git", "ignore")  # noqa: PTH118
    return [read_rules(configured, links=True), read_rules(git.exclude_file(repository))]


def _as_bytes(path: str) -> str:
    """Return a path with a character for each byte, as git reads patterns."""
    return os.fsencode(path).decode("latin-1")
