"""Where text goes: the standard output, or a file that is either the old one or the whole new one."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from errlint.errors import OutputError, Place


def write_stdout(text: str) -> None:
    """Print ``text``. A reader that went away (``errlint | head``) ends the output, not the run.

    What the stream cannot encode, such as the name of a file that is not UTF-8, is printed with escapes.
    """
    encoding = sys.stdout.encoding or "utf-8"
    try:
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())  # what is still buffered is flushed at exit, without an error


def check_writable(path: Path) -> None:
    """Raise :class:`OutputError` where a file cannot be written; a run asks before its work."""
    if path.is_dir():
        raise OutputError("this is a folder", hint="name a file in it", place=Place(path))
    if not path.parent.is_dir():
        raise OutputError("the folder does not exist", hint=f"mkdir -p {path.parent}", place=Place(path))


def write_file(path: Path, text: str) -> None:
    """Replace the content of ``path`` in one step, through links; devices and pipes are written to directly.

    Raises :class:`OutputError`.
    """
    target = path.resolve()
    content = text.encode("utf-8", "backslashreplace")
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(content)
        else:
            _replace(target, content)
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", place=Place(path)) from error


def _replace(target: Path, content: bytes) -> None:
    """Write beside ``target`` first; an existing file keeps its mode."""
    beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        beside.write_bytes(content)
        if target.exists():
            beside.chmod(target.stat().st_mode)
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
