"""For tests that install packages."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def skip_without_index(folder: Path) -> None:
    """Skip where no package index can be reached, but for a CI machine; ``folder`` takes what is downloaded."""
    probe = ("download", "--quiet", "--no-deps", "--dest", str(folder / "probe"), "hatchling")
    done = subprocess.run([sys.executable, "-m", "pip", *probe], capture_output=True, check=False)
    if done.returncode and "CI" not in os.environ:
        pytest.skip("no package index can be reached")
