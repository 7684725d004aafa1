"""Where text goes: the standard output, or a file that is either the old one or the whole new one."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from errlint.characters import harmless
from errlint.errors import OutputError, Place
from errlint.terminal import is_ci
from errlint.workspace.git import repository
from errlint.workspace.writing import LeadsOutError, resolved, write


def write_stdout(text: str, *, commands: str = "", links: bool = False) -> None:
    """Print lines, none of which steers a terminal or commands the machine of a CI job.

    A reader that went away (``errlint | head``) ends the output, not the run. What the stream cannot encode is printed
    with escapes. Lines may begin with ``commands``, and ``links`` may be in them. Raises :class:`OutputError`.
    """
    _write_stdout(harmless(text, commands=commands, links=links))


def write_own(text: str) -> None:
    """Print on a terminal what is errlint's own to the last character, in any style. Raises :class:`OutputError`."""
    _write_stdout(text)


def is_patch_exact() -> bool:
    """Whether a diff that is printed is one to be applied: into a file or pipe it goes to the last byte.

    On a terminal it is harmless; the log of a CI job is a pipe as well: there only a file gets it exactly.
    """
    stream = sys.stdout
    is_shown = stream is not None and stream.isatty()
    is_logged = is_ci() and not _is_file(stream)
    return not is_shown and not is_logged


def write_patch(text: str) -> None:
    """Print a diff, exactly where it is to be applied; ``text`` is UTF-8, with surrogates for what is not.

    Raises :class:`OutputError`.
    """
    if is_patch_exact():
        _write_stdout(text, is_exact=True)
    else:
        _write_stdout(harmless(text))


def _is_file(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def _write_stdout(text: str, *, is_exact: bool = False) -> None:
    stream = sys.stdout
    if not text:
        return
    if stream is None:
        raise OutputError("the standard output is closed", hint="`errlint > FILE` writes into a file")
    encoding = stream.encoding or "utf-8"
    try:
        if is_exact and hasattr(stream, "buffer"):
            stream.flush()
            stream.buffer.write(text.encode("utf-8", "surrogateescape"))
        else:
            stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except BrokenPipeError:
        _drop(stream)
    except OSError as error:
        _drop(stream)
        raise OutputError(f"the standard output cannot be written: {error.strerror}") from error


def _drop(stream: TextIO) -> None:
    """Let what is still buffered go nowhere: it is flushed again at the exit."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def write_stderr(text: str) -> None:
    """Print lines beside the output, harmless as those; where they cannot be printed, nobody can be told."""
    stream = sys.stderr
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(harmless(text).encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except OSError:
        _drop(stream)


def fill_standard_streams() -> None:
    """Open what is closed of the three standard streams: else the next file to be opened gets its number."""
    with suppress(OSError):
        opened = os.open(os.devnull, os.O_RDWR)
        while opened < 3:
            opened = os.open(os.devnull, os.O_RDWR)
        os.close(opened)


def check_writable(path: Path, root: Path) -> None:
    """Raise :class:`OutputError` where a file cannot be written; a run asks before its work.

    ``root`` is that of the project, whose links lead nowhere else.
    """
    with _about(path):
        resolved(path, _checkout(root))
    if path.is_dir():
        raise OutputError("this is a folder", hint="name a file in it", place=Place(path))
    if not path.parent.is_dir():
        raise OutputError("the folder does not exist", hint=f"mkdir -p {path.parent}", place=Place(path))


def write_file(path: Path, text: str, root: Path, *, make: bool = False) -> None:
    """Replace the content of ``path`` in one step, through links; devices and pipes are written to directly.

    Links may lead anywhere but for those of the project with this ``root``, which have to stay in it. ``make`` makes
    the folders that are missing. Raises :class:`OutputError`.
    """
    with _about(path):
        write(path, text.encode("utf-8", "backslashreplace"), _checkout(root), make=make)


def _checkout(root: Path) -> Path:
    """Return all of what came with a project: the work tree it is in, else its root."""
    found = repository(root)
    return Path(found.top) if found else Path(os.path.realpath(root))


@contextmanager
def _about(path: Path) -> Iterator[None]:
    """Make an :class:`OutputError` about a file of any OSError."""
    try:
        yield
    except LeadsOutError as error:
        hint = f"remove the link {error.link}, or name another file"
        raise OutputError("a link in the project leads out of it", hint=hint, place=Place(path)) from error
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", place=Place(path)) from error
