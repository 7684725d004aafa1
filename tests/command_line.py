"""The command line called in this process: what it printed, and the status it ended with."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from errlint.cli import main


class Done(NamedTuple):
    """The exit status of a command, and what it wrote to each stream."""

    status: int
    out: str
    err: str


Run = Callable[..., Done]


def caller(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what calls the command line with some words."""

    def call(*arguments: str) -> Done:
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        captured = capsys.readouterr()
        assert isinstance(stopped.value.code, int)
        return Done(stopped.value.code, captured.out, captured.err)

    return call
