"""``python -m errlint`` in the folder under check runs errlint's own imports, never that folder's modules."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("name", ["typing.py", "click.py", "msgspec.py", "json/__init__.py"])
def test_a_file_with_the_name_of_a_library_is_read_and_not_run(name: str, tmp_path: Path) -> None:
    trap = tmp_path / name
    trap.parent.mkdir(exist_ok=True)
    trap.write_text("open('ran', 'w').close()\nraise SystemExit(7)\n")
    done = subprocess.run(
        [sys.executable, "-m", "errlint", "--no-cache", "--isolated"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "All checks passed (1 file checked).\n")
    assert not (tmp_path / "ran").exists()
