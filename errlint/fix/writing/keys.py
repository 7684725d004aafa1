"""The key that journals are signed with: one for each user and machine, never in the tree that is being fixed.

It is in the user's state folder: ``$XDG_STATE_HOME/errlint``, else ``~/.local/state/errlint`` (macOS:
``~/Library/Application Support/errlint``, Windows: ``%LOCALAPPDATA%\\errlint``). Where that cannot be written, as in
many containers, it is in the folder for temporary files; where that cannot be either, it ends with the process.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from hmac import compare_digest
from pathlib import Path
from typing import NamedTuple

from errlint.workspace.git import repository
from errlint.workspace.writing import Folder, is_inside, opened

SIZE = 32
"""Bytes of a key, and of a signature."""

_NAME = "undo-key"
_WHAT = b"errlint-undo"


class Signature(NamedTuple):
    """A signature; ``is_kept`` where a later process of this user can check it."""

    value: bytes
    is_kept: bool


def sign(root: Path, content: bytes) -> Signature:
    """Sign what is true of the project in a resolved folder; makes the key where there is none."""
    for folder in _folders(root):
        if key := _key(folder) or _key(folder, make=True):
            return Signature(_signature(key, root, content), is_kept=True)
    return Signature(_signature(_of_this_process(), root, content), is_kept=False)


def is_signed(root: Path, content: bytes, signature: bytes) -> bool:
    """Whether this user has signed the content on this machine, for the project in this resolved folder."""
    keys = [key for folder in _folders(root) if (key := _key(folder))]
    return any(compare_digest(_signature(key, root, content), signature) for key in [*keys, _of_this_process()])


def _signature(key: bytes, root: Path, content: bytes) -> bytes:
    hashed = hashlib.blake2b(os.fsencode(root) + b"\0", key=key, digest_size=SIZE, person=_WHAT)
    hashed.update(content)
    return hashed.digest()


@cache
def _of_this_process() -> bytes:
    return secrets.token_bytes(SIZE)


def _folders(root: Path) -> Iterator[Path]:
    """Yield the folders that may hold the key, best first; none of the checkout that the project is in."""
    checkout = repository(root)
    tree = Path(checkout.top) if checkout else root
    for folder in _candidates():
        found = Path(os.path.realpath(folder))
        if folder.is_absolute() and found not in (tree, root) and not is_inside(found, tree):
            yield found


def _candidates() -> Iterator[Path]:
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - without an error where there is no home
    if state := os.environ.get("XDG_STATE_HOME"):
        yield Path(state, "errlint")
    elif sys.platform == "win32":
        yield Path(os.environ.get("LOCALAPPDATA") or home / "AppData/Local", "errlint")
    elif sys.platform == "darwin":
        yield home / "Library/Application Support/errlint"
    else:
        yield home / ".local/state/errlint"
    with suppress(OSError):
        yield Path(tempfile.gettempdir(), f"errlint-{_user()}")


def _user() -> int:
    return os.geteuid() if sys.platform != "win32" else 0


def _key(folder: Path, *, make: bool = False) -> bytes | None:
    """Return the key in a folder; None where there is none that this user alone can read or write."""
    try:
        if make:
            folder.parent.mkdir(parents=True, exist_ok=True)
        with opened(folder.parent, [folder.name], make=make, mode=0o700) as state:
            if not _is_own(state.stat("."), 0o022):
                return None
            if make and _is_broken(state):
                state.remove(_NAME)
            if make and state.stat(_NAME) is None:
                state.create(_NAME, secrets.token_bytes(SIZE), 0o600)
                state.sync()
            found = state.read(_NAME, SIZE)
    except OSError:
        return None
    return found[0] if found and len(found[0]) == SIZE and _is_own(found[1], 0o077) else None


def _is_broken(state: Folder) -> bool:
    """Whether a crash has left an own key without its bytes."""
    found = state.stat(_NAME)
    return found is not None and stat.S_ISREG(found.st_mode) and not found.st_size and _is_own(found, 0o077)


def _is_own(found: os.stat_result | None, others: int) -> bool:
    """Whether something is this user's, and gives none of these bits to others."""
    if found is None:
        return False
    return sys.platform == "win32" or (found.st_uid == os.geteuid() and not found.st_mode & others)
