"""What has to hold before files are fixed, and what the user's own command says afterwards."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from errlint.errors import FixError
from errlint.fix.writing.guard import require_clean
from errlint.fix.writing.verify import verify

HINT = "(commit or stash them first, or add --allow-dirty)"


@pytest.fixture(autouse=True)
def no_settings_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")] + ["PRE_COMMIT"]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *identity, "-C", str(root), *arguments], check=True, capture_output=True)


def repository(root: Path, *names: str) -> Path:
    """Make a repository in which these files are committed."""
    root.mkdir(exist_ok=True)
    git(root, "init", "-q")
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"committed\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first", "--allow-empty")
    return root


def message(root: Path, *paths: str) -> str:
    """Return what the guard says, "" where the files may be changed."""
    try:
        require_clean(root, paths)
    except FixError as error:
        return str(error)
    return ""


def test_committed_files_may_be_changed(tmp_path: Path) -> None:
    assert message(repository(tmp_path, "a.py", "pkg/b.py"), "a.py", "pkg/b.py") == ""


@pytest.mark.parametrize("name", ["a.py", "pkg/b c.py", "pkg/größe.py", os.fsdecode(b"caf\xe9.py")], ids=ascii)
@pytest.mark.parametrize("staged", [False, True], ids=["in the work tree", "staged"])
def test_a_file_with_uncommitted_changes_may_not(name: str, staged: bool, tmp_path: Path) -> None:
    try:
        root = repository(tmp_path, name, "clean.py")
    except (OSError, ValueError):
        pytest.skip("this file system has no such names")
    (root / name).write_bytes(b"mine\n")
    if staged:
        git(root, "add", "-A")
    assert message(root, "clean.py", name) == f"uncommitted changes in {name} {HINT}"
    assert message(root, "clean.py") == "", "other files are no matter of this fix"


def test_a_renamed_file_may_not(tmp_path: Path) -> None:
    root = repository(tmp_path, "a.py", "c.py")
    git(root, "mv", "a.py", "b.py")
    assert message(root, "b.py", "c.py") == f"uncommitted changes in b.py {HINT}"


@pytest.mark.parametrize("name", ["new.py", "new/folder/a.py"])
def test_a_new_file_may_not(name: str, tmp_path: Path) -> None:
    root = repository(tmp_path, "a.py")
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_bytes(b"new\n")
    assert message(root, "a.py", name) == f"uncommitted changes in {name} {HINT}"


def test_an_ignored_file_may(tmp_path: Path) -> None:
    root = repository(tmp_path)
    (root / ".gitignore").write_bytes(b"a.py\n")
    (root / "a.py").write_bytes(b"mine\n")
    assert message(root, "a.py") == ""


def test_many_files_are_counted(tmp_path: Path) -> None:
    names = [f"{number:02}.py" for number in range(12)]
    root = repository(tmp_path, *names)
    for name in names:
        (root / name).write_bytes(b"mine\n")
    assert message(root, *names) == f"uncommitted changes in {', '.join(names[:10])} and 2 more {HINT}"


def test_a_project_below_the_repository_is_guarded(tmp_path: Path) -> None:
    root = repository(tmp_path, "servers/one/a.py", "servers/one/b.py") / "servers/one"
    (root / "a.py").write_bytes(b"mine\n")
    assert message(root, "a.py", "b.py") == f"uncommitted changes in a.py {HINT}"


def test_a_file_in_a_submodule_is_guarded(tmp_path: Path) -> None:
    repository(tmp_path / "library", "a.py")
    root = repository(tmp_path / "root", "b.py")
    git(root, "submodule", "--quiet", "add", str(tmp_path / "library"), "lib")
    git(root, "commit", "-qm", "with the library")
    assert message(root, "b.py", "lib/a.py") == ""
    (root / "lib/a.py").write_bytes(b"mine\n")
    assert message(root, "b.py", "lib/a.py") == f"uncommitted changes in lib/a.py {HINT}"


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege")
def test_a_link_is_as_clean_as_what_it_leads_to(tmp_path: Path) -> None:
    root = repository(tmp_path, "a.py")
    (root / "link.py").symlink_to("a.py")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "a link")
    assert message(root, "link.py") == ""
    (root / "a.py").write_bytes(b"mine\n")
    assert message(root, "link.py") == f"uncommitted changes in link.py {HINT}"


def test_under_pre_commit_nothing_is_guarded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path, "a.py")
    (root / "a.py").write_bytes(b"mine\n")
    monkeypatch.setenv("PRE_COMMIT", "1")
    assert message(root, "a.py") == ""


def test_without_a_repository_nothing_is_guarded(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"mine\n")
    assert message(tmp_path, "a.py") == ""


def test_without_git_nothing_is_guarded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path)
    (root / "a.py").write_bytes(b"mine\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert message(root, "a.py") == ""


def test_a_repository_that_git_cannot_read_is_not_taken_for_clean(tmp_path: Path) -> None:
    root = repository(tmp_path, "a.py")
    (root / ".git/index").write_bytes(b"damaged")
    said = message(root, "a.py")
    assert said.startswith("git cannot tell which files are committed: ")
    assert said.endswith(" (see `git status`, or add --allow-dirty)")


def test_the_journal_of_a_fix_is_no_uncommitted_change(tmp_path: Path) -> None:
    from errlint.fix.writing.transaction import Change, apply
    from errlint.fix.writing.undo import undo

    root = repository(tmp_path, "a.py")
    apply(root, [Change("a.py", b"committed\n", b"fixed\n")])
    undo(root)
    status = subprocess.run(["git", "-C", str(root), "status", "--porcelain"], check=True, capture_output=True)
    assert status.stdout == b""


@pytest.mark.parametrize(
    ("command", "status", "tail"),
    [
        pytest.param("echo good", 0, "good\n", id="success"),
        pytest.param("echo bad && exit 3", 3, "bad\n", id="failure"),
        pytest.param("echo one; echo two >&2", 0, "one\ntwo\n", id="both streams, in order"),
        pytest.param("cat", 0, "", id="the input is empty"),
        pytest.param("pwd -P", 0, "{root}\n", id="in the root"),
        pytest.param("seq 30", 0, "".join(f"{number}\n" for number in range(11, 31)), id="the last lines of many"),
        pytest.param("printf 'a\\377b'", 0, "a\ufffdb", id="output that is not UTF-8"),
        pytest.param("head -c 100000 /dev/zero | tr '\\0' x", 0, "x" * 16_384, id="a line without end"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="the commands are written for a POSIX shell")
def test_a_command_decides(command: str, status: int, tail: str, tmp_path: Path) -> None:
    assert verify(tmp_path, command) == (status, tail.replace("{root}", str(tmp_path.resolve())))


def test_a_command_that_does_not_exist_fails(tmp_path: Path) -> None:
    done = verify(tmp_path, "no-such-command-anywhere")
    assert done.status != 0
    assert "no-such-command-anywhere" in done.tail


def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    with pytest.raises(FixError, match=r"^`true` cannot be run: No such file or directory \(look at --verify\)$"):
        verify(tmp_path / "gone", "true")
