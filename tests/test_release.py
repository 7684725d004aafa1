"""The script that makes a release: what it refuses, what it changes, and that a trial changes nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
PAGE = "rev: v0.1.0\n"
CHANGELOG = "# Changelog\n\n## Unreleased\n\n- The first rules.\n- Output.\n"

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")


class Checkout:
    """A small project that is released by the script, with a stand-in for what builds and checks distributions."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        files = {
            "errlint/__init__.py": '__version__ = "0.1.0"\n',
            "CHANGELOG.md": CHANGELOG,
            "README.md": "# errlint\n",
            "docs/ci.md": PAGE,
            "scripts/distributions": "import sys\nprint('built', open('errlint/__init__.py').read().strip())\n",
            ".gitignore": "dist/\n",
        }
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        shutil.copy2(PROJECT / "scripts" / "release", folder / "scripts" / "release")
        self.git("init", "--quiet")
        self.git("config", "user.name", "A")
        self.git("config", "user.email", "a@example.org")
        self.commit()

    def git(self, *arguments: str) -> str:
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        command = ["git", *arguments]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=True)
        return done.stdout

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "change")

    def release(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "scripts/release", *arguments]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)

    def refuses(self, *arguments: str) -> str:
        before = self.state()
        done = self.release(*arguments)
        assert done.returncode == 1
        assert self.state() == before
        return done.stderr

    def state(self) -> tuple[str, str, str]:
        return self.git("rev-parse", "HEAD"), self.git("tag"), self.git("status", "--short")

    def read(self, path: str) -> str:
        return (self.folder / path).read_text(encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_a_trial_builds_the_release_and_changes_nothing(checkout: Checkout) -> None:
    before = checkout.state()
    done = checkout.release("0.2.0")
    assert done.returncode == 0, done.stderr
    assert 'built __version__ = "0.2.0"' in done.stdout
    assert "CHANGELOG.md: 2 entries" in done.stdout
    assert done.stdout.endswith("Nothing was changed. `scripts/release 0.2.0 --execute` makes the release.\n")
    assert checkout.state() == before


def test_a_release_is_a_commit_and_a_tag(checkout: Checkout) -> None:
    done = checkout.release("0.2.0", "--execute")
    assert done.returncode == 0, done.stderr
    assert checkout.git("log", "--format=%s", "-1") == "release: 0.2.0\n"
    assert checkout.git("tag", "--points-at", "HEAD") == "v0.2.0\n"
    assert checkout.read("errlint/__init__.py") == '__version__ = "0.2.0"\n'
    assert checkout.read("docs/ci.md") == "rev: v0.2.0\n"
    lines = checkout.read("CHANGELOG.md").splitlines()
    assert lines[2:4] == ["## Unreleased", ""]
    assert lines[4].startswith("## 0.2.0 (20")
    assert lines[6:] == ["- The first rules.", "- Output."]
    assert "has nothing below `## Unreleased`" in checkout.refuses("0.3.0")


def test_the_first_release_may_be_the_version_that_is_there(checkout: Checkout) -> None:
    assert checkout.release("0.1.0", "--execute").returncode == 0
    assert checkout.git("tag") == "v0.1.0\n"
    assert "v0.1.0 is tagged already" in checkout.refuses("0.1.0")
    assert "0.0.9 is not above 0.1.0" in checkout.refuses("0.0.9")


@pytest.mark.parametrize("version", ["1", "v0.2.0", "0.2.0rc1", "0.02.0", "--"])
def test_what_is_no_version_is_refused(checkout: Checkout, version: str) -> None:
    done = checkout.release(version)
    assert (done.returncode, "no version" in done.stderr or "usage:" in done.stderr) in ((1, True), (2, True))


def test_a_checkout_with_changes_is_refused(checkout: Checkout) -> None:
    (checkout.folder / "README.md").write_text("half done\n", encoding="utf-8")
    (checkout.folder / "new.txt").touch()
    told = checkout.refuses("0.2.0", "--execute")
    assert told == "release: the checkout has changes; commit or stash them first:\n M README.md\n?? new.txt\n"


def test_nothing_is_released_where_the_distributions_are_wrong(checkout: Checkout) -> None:
    (checkout.folder / "scripts" / "distributions").write_text("raise SystemExit(1)\n", encoding="utf-8")
    checkout.commit()
    assert "nothing was released" in checkout.refuses("0.2.0", "--execute")
    assert checkout.git("status", "--short") == ""
