"""Links that lead out of the project: what is found in it, or named by it, is not read through them."""

from __future__ import annotations

import os
from pathlib import Path

from errlint.workspace import git


def leads_out(folder: str | Path, path: str | Path) -> bool:
    """Whether ``path`` leads to something that is not in ``folder``, or is one of git's own files there.

    Those hold what the people who wrote the project must not see: the token by which a pipeline fetches it.
    """
    root, target = os.path.realpath(folder), os.path.realpath(path)
    if target == root:
        return False
    prefix = root if root.endswith(os.sep) else root + os.sep
    return not target.startswith(prefix) or git.is_inside_git_folder(Path(target[len(prefix) :]).parts)


def project_around(folder: Path) -> Path:
    """Return what a configuration may build on: the repository that its folder is in, else the folder itself."""
    found = git.repository(folder)
    return Path(found.top) if found else folder
