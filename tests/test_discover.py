"""Which files are found: with git, without it, and where folders are left out."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from errlint.discover import discover, start
from errlint.patterns import Patterns
from errlint.request import Request
from errlint.run import check, list_files
from errlint.settings import load

FILES = (
    "a.py", "b.pyi", "c.txt", "d/e.py", "d/ignored.py", "d/f/g.py", "venv/h.py", "node_modules/i.py",
    "pyproject.toml", "d/setup.py",
)  # fmt: skip


@pytest.fixture(params=["with git", "without git"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A small project."""
    for name in FILES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")
    (tmp_path / ".gitignore").write_text("venv/\nnode_modules\n")
    (tmp_path / "d" / ".gitignore").write_text("/ignored.py\n")
    if request.param == "with git":
        subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


def test_ignored_files_and_other_suffixes_are_left_out(root: Path) -> None:
    assert discover(start(root), Patterns(())).files == ("a.py", "b.pyi", "d/e.py", "d/f/g.py", "d/setup.py")


def test_a_nested_ignore_file_takes_back_what_that_of_a_folder_above_ignores(root: Path) -> None:
    (root / ".gitignore").write_text("venv/\nnode_modules/\n*.py\n")
    (root / "d" / ".gitignore").write_text("!e.py\nf/\n")
    (root / "d" / "f" / ".gitignore").write_text("!g.py\n")
    assert discover(start(root), Patterns(())).files == ("b.pyi", "d/e.py")


def test_the_folders_of_distributions_are_found(root: Path) -> None:
    (root / "d/setup.py").write_text("from setuptools import setup\n\nsetup(name='d')\n")
    assert discover(start(root), Patterns(())).markers == ("", "d")


@pytest.mark.parametrize(
    ("text", "is_marker"),
    [
        pytest.param("import setuptools\nsetuptools.setup()\n", True, id="an attribute is called"),
        pytest.param("if __name__ == '__main__':\n    setup(name='d')\n", True, id="called in a block"),
        pytest.param("raise SystemExit(setup())\n", True, id="called inside of another call"),
        pytest.param("text = '''of setup()'''\nsetup()\n", True, id="called, after a text that speaks of it"),
        pytest.param("", False, id="an empty file"),
        pytest.param("def setup():\n    pass\n", False, id="a function of that name"),
        pytest.param("# setup()\nx = 1  # setup(x)\n", False, id="comments"),
        pytest.param('"""Call\nsetup()\n"""\nTEXT = "setup()"\n', False, id="texts"),
        pytest.param("dialog_setup()\nsetup_all()\nfrom x import setup\n", False, id="other names"),
    ],
)
def test_a_setup_script_makes_a_distribution_where_it_calls_setup(root: Path, text: str, is_marker: bool) -> None:
    (root / "d/setup.py").write_text(text)
    assert discover(start(root), Patterns(())).markers == (("", "d") if is_marker else ("",))


def test_a_setup_script_beside_a_configuration_says_nothing(root: Path) -> None:
    (root / "d/setup.cfg").write_text("")
    assert discover(start(root), Patterns(())).markers == ("", "d")


@pytest.mark.parametrize(
    ("pattern", "files"),
    [
        ("d", ("a.py", "b.pyi")),
        ("d/f/", ("a.py", "b.pyi", "d/e.py", "d/setup.py")),
        ("*.pyi", ("a.py", "d/e.py", "d/f/g.py", "d/setup.py")),
        ("/e.py", ("a.py", "b.pyi", "d/e.py", "d/f/g.py", "d/setup.py")),
    ],
)
def test_excluded_files_are_left_out(root: Path, pattern: str, files: tuple[str, ...]) -> None:
    assert discover(start(root), Patterns((pattern,))).files == files


def test_a_folder_of_a_repository_has_paths_of_its_own(root: Path) -> None:
    assert discover(start(root / "d"), Patterns(())).files == ("e.py", "f/g.py", "setup.py")


def test_a_tracked_file_is_found_though_it_is_ignored(root: Path) -> None:
    if not (root / ".git").exists():
        pytest.skip("without git nothing is tracked")
    subprocess.run(["git", "add", "-f", "venv/h.py"], cwd=root, check=True)
    assert "venv/h.py" in discover(start(root), Patterns(())).files


def test_a_tracked_file_that_was_deleted_is_no_file_any_more(root: Path) -> None:
    (root / "errlint.toml").write_text("")
    if (root / ".git").exists():
        subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    (root / "a.py").unlink()
    request = Request(load(root).settings, use_cache=False)
    assert "a.py" not in list_files(request)
    assert check(request).findings == ()


def test_a_link_to_a_folder_above_does_not_go_on_for_ever(root: Path) -> None:
    (root / "d" / "loop").symlink_to("..")
    assert "d/e.py" in discover(start(root), Patterns(())).files


def test_a_name_that_is_not_utf_8_is_found(root: Path) -> None:
    (root / os.fsdecode(b"caf\xe9.py")).write_text("x = 1\n")
    assert os.fsdecode(b"caf\xe9.py") in discover(start(root), Patterns(())).files


def test_a_damaged_repository_is_walked(root: Path) -> None:
    (root / ".git").mkdir(exist_ok=True)
    (root / ".git" / "HEAD").unlink(missing_ok=True)
    assert "d/e.py" in discover(start(root), Patterns(())).files


def test_without_the_command_git_the_folder_is_walked(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / ".git").mkdir(exist_ok=True)
    monkeypatch.setenv("PATH", str(root / "nowhere"))
    assert discover(start(root), Patterns(())).files == ("a.py", "b.pyi", "d/e.py", "d/f/g.py", "d/setup.py")


def test_where_processes_cannot_be_spawned_the_listing_is_the_same(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = discover(start(root), Patterns(()))
    monkeypatch.delattr(os, "posix_spawnp", raising=False)
    assert discover(start(root), Patterns(())) == expected
