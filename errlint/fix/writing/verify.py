"""Verify: the user's own command decides whether the fixed files stay."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from errlint.errors import FixError

_LINES = 20
_BYTES = 16_384


class Verified(NamedTuple):
    """The exit status of a command, 0 where the fix holds, and the last lines of its output."""

    status: int
    tail: str


def verify(root: Path, command: str) -> Verified:
    """Run ``command`` in the shell, in ``root``, and return how it ended; its input is empty.

    The files stay as they are: the caller undoes the fix where the status is not 0, and where KeyboardInterrupt passes.
    Raises :class:`FixError` where the shell cannot be started.
    """
    with tempfile.TemporaryFile() as output:
        try:
            done = subprocess.run(
                command,
                shell=True,  # the command is written by the user, for the shell
                cwd=root,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
            )
        except OSError as error:
            raise FixError(f"`{command}` cannot be run: {error.strerror}", hint="look at --verify") from error
        output.seek(-min(output.seek(0, 2), _BYTES), 2)
        lines = output.read().decode("utf-8", "replace").splitlines(keepends=True)
    return Verified(done.returncode, "".join(lines[-_LINES:]))
