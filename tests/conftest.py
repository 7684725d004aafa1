"""The state folder of the tests is their own: no key of the person who runs them is read, and none is left behind."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from command_line import Run, caller

_STATE = ("XDG_STATE_HOME", "LOCALAPPDATA")
_made: list[tempfile.TemporaryDirectory[str]] = []


def pytest_configure(config: pytest.Config) -> None:
    """Make it before any test is imported; workers take that of the process which has started them."""
    if not hasattr(config, "workerinput"):
        folder = tempfile.TemporaryDirectory(prefix="errlint-state-")
        _made.append(folder)
        os.environ.update(dict.fromkeys(_STATE, str(Path(folder.name).resolve())))


def pytest_unconfigure() -> None:
    """Remove it."""
    for folder in _made:
        folder.cleanup()


@pytest.fixture
def errlint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what calls the command line in the folder of the test."""
    monkeypatch.chdir(tmp_path)
    return caller(capsys)
