"""A fix replaces all its files or none: what it keeps, what it refuses, and in which words."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import errlint
from errlint.errors import ErrorCode, FixError
from errlint.fix.writing import files, journal
from errlint.fix.writing.transaction import Change, apply
from errlint.fix.writing.undo import recover, undo

AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
JOURNAL = ".errlint_undo"

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")


def write(root: Path, name: str = "a.py", content: bytes = b"old\n", mode: int = 0o644) -> Change:
    """Make a file, and the change that is to be made to it."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)
    return Change(name, content, b"new: " + content)


def refused(root: Path, *changes: Change) -> str:
    """Return the message of a fix that is refused, with all files left as they were."""
    before = contents(root)
    with pytest.raises(FixError) as raised:
        apply(root, changes)
    assert contents(root) == before
    assert undo(root) is None
    assert raised.value.code is ErrorCode.FIX
    return str(raised.value)


def contents(root: Path) -> dict[str, bytes]:
    found = [path for path in root.rglob("*") if JOURNAL not in path.parts and path.is_file()]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"a\r\nb\r\n", id="CRLF"),
        pytest.param(b"a\rb\n\r\nc", id="mixed line ends, none at the end"),
        pytest.param(b"\xef\xbb\xbfa\n", id="a BOM"),
        pytest.param("# -*- coding: latin-1 -*-\n# é\n".encode("latin-1"), id="latin-1"),
        pytest.param(b"", id="an empty file"),
        pytest.param(bytes(range(256)) * 5000, id="more than a megabyte of any bytes"),
    ],
)
def test_bytes_are_written_and_brought_back_as_they_are(content: bytes, tmp_path: Path) -> None:
    apply(tmp_path, [write(tmp_path, content=content)])
    assert contents(tmp_path) == {"a.py": b"new: " + content}
    undo(tmp_path)
    assert contents(tmp_path) == {"a.py": content}


@pytest.mark.parametrize("mode", [0o755, 0o600, 0o664, 0o200], ids=oct)
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such modes")
def test_the_mode_of_a_file_is_kept_there_and_back(mode: int, tmp_path: Path) -> None:
    if not mode & 0o400 and not AS_ROOT:
        pytest.skip("only the superuser reads a file that nobody may read")
    apply(tmp_path, [write(tmp_path, mode=mode)])
    assert stat.S_IMODE((tmp_path / "a.py").stat().st_mode) == mode
    undo(tmp_path)
    assert stat.S_IMODE((tmp_path / "a.py").stat().st_mode) == mode


@pytest.mark.skipif(not AS_ROOT, reason="only the superuser gives files away")
def test_the_owner_of_a_file_is_kept_there_and_back(tmp_path: Path) -> None:
    change = write(tmp_path, mode=0o4755)
    os.chown(tmp_path / "a.py", 1234, 1235)
    (tmp_path / "a.py").chmod(0o4755)
    steps: list[Callable[[], object]] = [lambda: apply(tmp_path, [change]), lambda: undo(tmp_path)]
    for step in steps:
        step()
        found = (tmp_path / "a.py").stat()
        assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (1234, 1235, 0o4755)


def test_an_owner_that_cannot_be_kept_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def chown(*arguments: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "fchown", chown)
    change = write(tmp_path)
    if AS_ROOT:
        os.lchown(tmp_path / "a.py", 1234, 1235)
    apply(tmp_path, [change])
    assert contents(tmp_path) == {"a.py": change.after}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("with space/and 'quotes\".py", id="spaces and quotes"),
        pytest.param("line\nend.py", id="a line end"),
        pytest.param("größe/模块.py", id="other scripts"),
        pytest.param(os.fsdecode(b"caf\xe9/\xff.py"), id="not UTF-8"),
        pytest.param("n" * 252 + ".py", id="as long as names can be"),
    ],
)
def test_any_name_is_written_and_brought_back(name: str, tmp_path: Path) -> None:
    try:
        change = write(tmp_path, name)
    except (OSError, ValueError):
        pytest.skip("this file system has no such names")
    apply(tmp_path, [change])
    assert contents(tmp_path) == {name: change.after}
    undone = undo(tmp_path)
    assert undone
    assert undone.files == (name,)
    assert contents(tmp_path) == {name: change.before}


@needs_links
def test_a_link_is_written_through(tmp_path: Path) -> None:
    change = write(tmp_path, "real/a.py")
    (tmp_path / "link.py").symlink_to("real/a.py")
    apply(tmp_path, [Change("link.py", change.before, change.after)])
    assert (tmp_path / "link.py").is_symlink()
    assert (tmp_path / "real/a.py").read_bytes() == change.after
    undo(tmp_path)
    assert (tmp_path / "link.py").is_symlink()
    assert (tmp_path / "real/a.py").read_bytes() == change.before


@needs_links
def test_a_root_that_is_reached_through_a_link_is_the_same_root(tmp_path: Path) -> None:
    change = write(tmp_path, "real/a.py")
    (tmp_path / "link").symlink_to("real")
    apply(tmp_path / "link", [Change("a.py", change.before, change.after)])
    assert undo(tmp_path / "real")
    assert (tmp_path / "real/a.py").read_bytes() == change.before


@needs_links
def test_a_file_that_is_named_twice_is_written_once(tmp_path: Path) -> None:
    change = write(tmp_path)
    (tmp_path / "link.py").symlink_to("a.py")
    apply(tmp_path, [change, Change("link.py", change.before, change.after)])
    undone = undo(tmp_path)
    assert undone
    assert undone.files == ("a.py",)


@needs_links
def test_two_different_changes_to_one_file_are_refused(tmp_path: Path) -> None:
    change = write(tmp_path)
    (tmp_path / "link.py").symlink_to("a.py")
    assert refused(tmp_path, change, Change("link.py", change.before, b"other")) == (
        "link.py: is the same file as a.py, and both are to be changed (exclude one of them)"
    )


@needs_links
@pytest.mark.parametrize("name", ["link.py", "folder/a.py", "../other/a.py"])
def test_a_file_outside_of_the_project_is_refused(name: str, tmp_path: Path) -> None:
    change = write(tmp_path, "other/a.py")
    root = tmp_path / "root"
    first = write(root, "first.py")
    (root / "link.py").symlink_to("../other/a.py")
    (root / "folder").symlink_to("../other")
    assert refused(root, first, Change(name, change.before, change.after)) == (
        f"{name}: leads out of the project (exclude it, or fix the project it is in)"
    )
    assert (tmp_path / "other/a.py").read_bytes() == change.before


def test_git_s_own_files_are_refused(tmp_path: Path) -> None:
    change = write(tmp_path, ".git/hooks/commit-msg.py")
    assert refused(tmp_path, change) == ".git/hooks/commit-msg.py: is one of git's own files (exclude it)"


def test_a_file_that_was_changed_meanwhile_is_left_alone_with_all_others(tmp_path: Path) -> None:
    changes = [write(tmp_path, "a.py"), write(tmp_path, "b.py")]
    (tmp_path / "b.py").write_bytes(b"mine\n")
    assert refused(tmp_path, *changes) == (
        "b.py: has been changed while errlint was running (run errlint again; no file was changed)"
    )


@pytest.mark.parametrize("instead", ["nothing", "a folder", "a link to nowhere", "a pipe"])
def test_a_file_that_was_deleted_meanwhile_stops_the_fix(instead: str, tmp_path: Path) -> None:
    changes = [write(tmp_path, "a.py"), write(tmp_path, "b.py")]
    path = tmp_path / "b.py"
    path.unlink()
    if instead == "a folder":
        path.mkdir()
    elif instead == "a link to nowhere":
        path.symlink_to("gone.py")
    elif instead == "a pipe":
        if not hasattr(os, "mkfifo"):
            pytest.skip("there are no pipes")
        os.mkfifo(path)
    assert refused(tmp_path, *changes) == (
        "b.py: has been deleted while errlint was running (run errlint again; no file was changed)"
    )


@pytest.mark.parametrize("late", [b"mine\n", None], ids=["changed", "deleted"])
def test_a_file_that_changes_between_two_replaces_takes_back_the_first(
    late: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = [write(tmp_path, "a.py"), write(tmp_path, "b.py")]
    commit = files.commit

    def commit_slowly(root: Path, target: Path) -> None:
        commit(root, target)
        if target.name == "a.py" and target.read_bytes() == changes[0].after:
            (tmp_path / "b.py").unlink()
            if late:
                (tmp_path / "b.py").write_bytes(late)

    monkeypatch.setattr(files, "commit", commit_slowly)
    with pytest.raises(FixError, match=r"^b.py: has been (changed|deleted) while .* no file was changed\)$"):
        apply(tmp_path, changes)
    assert contents(tmp_path) == {"a.py": b"old\n", **({"b.py": late} if late else {})}
    assert undo(tmp_path) is None


def test_a_read_only_file_in_the_middle_stops_the_fix(tmp_path: Path) -> None:
    """Also for the superuser, who could write it: whoever took the right away meant it."""
    changes = [write(tmp_path, "a.py"), write(tmp_path, "b.py", mode=0o444), write(tmp_path, "c.py")]
    assert refused(tmp_path, *changes) == (
        "b.py: cannot be written: the file is read-only "
        "(look at the permissions of the file and its folder, then run errlint again; no file was changed)"
    )


@pytest.mark.skipif(AS_ROOT, reason="the superuser writes into any folder")
@pytest.mark.skipif(sys.platform == "win32", reason="folders are not read-only")
def test_a_read_only_folder_in_the_middle_stops_the_fix(tmp_path: Path) -> None:
    changes = [write(tmp_path, "a.py"), write(tmp_path, "sub/b.py")]
    (tmp_path / "sub").chmod(0o555)
    try:
        message = refused(tmp_path, *changes)
    finally:
        (tmp_path / "sub").chmod(0o755)
    assert message.startswith("sub/b.py: cannot be written: Permission denied")


@pytest.mark.parametrize(
    ("content", "place"),
    [
        pytest.param(b"# Made", ".errlint_undo", id="the folder of the journal"),
        pytest.param(b"errlint-undo", ".errlint_undo", id="the journal"),
        pytest.param(b"new: ", "b.py", id="a file"),
    ],
)
def test_a_full_disk_is_told_with_the_file_and_what_to_do(
    content: bytes, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_to_disk = os.write

    def fail(descriptor: int, data: bytes) -> int:
        if bytes(data).startswith(content):
            raise OSError(28, "No space left on device")
        return write_to_disk(descriptor, data)

    change = write(tmp_path, "b.py")
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", fail)
        message = refused(tmp_path, change)
    assert message == (
        f"{place}: cannot be written: No space left on device "
        "(free some space, then run errlint again; no file was changed)"
    )


def test_nothing_is_written_where_nothing_changes(tmp_path: Path) -> None:
    write(tmp_path)
    apply(tmp_path, [Change("a.py", b"old\n", b"old\n")])
    assert not (tmp_path / JOURNAL).exists()


def test_the_journal_is_ignored_by_git_and_names_no_other_place(tmp_path: Path) -> None:
    apply(tmp_path, [write(tmp_path)])
    assert (tmp_path / JOURNAL / ".gitignore").read_text(encoding="utf-8").splitlines()[-1] == "*"
    for path in (tmp_path / JOURNAL).iterdir():
        assert os.fsencode(tmp_path) not in path.read_bytes()


def test_a_project_that_moved_can_be_undone_where_it_was(tmp_path: Path) -> None:
    """Who copies a journal to another place must not be able to have it replayed there."""
    change = write(tmp_path, "here/a.py")
    apply(tmp_path / "here", [Change("a.py", change.before, change.after)])
    (tmp_path / "here").rename(tmp_path / "there")
    with pytest.raises(FixError, match=r"^\.errlint_undo/finished: was not written .* for this folder, so nothing"):
        undo(tmp_path / "there")
    assert contents(tmp_path) == {"there/a.py": change.after}
    (tmp_path / "there").rename(tmp_path / "here")
    assert undo(tmp_path / "here")
    assert contents(tmp_path) == {"here/a.py": change.before}


@pytest.mark.parametrize("kind", ["file", "link"])
def test_a_journal_folder_that_is_none_is_refused(kind: str, tmp_path: Path) -> None:
    change = write(tmp_path, "root/a.py")
    (tmp_path / "other").mkdir()
    folder = tmp_path / "root" / JOURNAL
    folder.symlink_to("../other") if kind == "link" else folder.write_bytes(b"")
    with pytest.raises(FixError, match=r"^\.errlint_undo: this is no folder \(remove it\)$"):
        apply(tmp_path / "root", [Change("a.py", change.before, change.after)])
    assert (tmp_path / "root/a.py").read_bytes() == change.before
    assert list((tmp_path / "other").iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="one process cannot take the lock twice")
def test_a_second_errlint_at_the_same_time_is_refused(tmp_path: Path) -> None:
    first, second = write(tmp_path, "a.py"), write(tmp_path, "b.py")
    apply(tmp_path, [first])
    actions: list[Callable[[], object]] = [lambda: apply(tmp_path, [second]), lambda: undo(tmp_path)]
    with journal.locked(tmp_path):
        for action in actions:
            with pytest.raises(FixError) as raised:
                action()
            assert str(raised.value) == (
                ".errlint_undo: another errlint is writing files of this project (wait for it, then run errlint again)"
            )
    assert contents(tmp_path) == {"a.py": first.after, "b.py": second.before}


def test_a_file_system_without_locks_does_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")

    def fail(*arguments: object) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", fail)
    change = write(tmp_path)
    apply(tmp_path, [change])
    assert contents(tmp_path) == {"a.py": change.after}


def test_a_file_system_that_cannot_flush_folders_does_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsync = os.fsync

    def flush(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(22, "Invalid argument")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", flush)
    change = write(tmp_path)
    apply(tmp_path, [change])
    assert contents(tmp_path) == {"a.py": change.after}


def test_the_journal_is_read_by_another_process(tmp_path: Path) -> None:
    change = write(tmp_path)
    apply(tmp_path, [change])
    environment = {**os.environ, "PYTHONPATH": str(Path(errlint.__file__).parents[1])}
    command = [sys.executable, "-m", "errlint", "undo", "--isolated"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Restored 1 file.\na.py\n", "")
    assert contents(tmp_path) == {"a.py": change.before}


def test_only_the_last_run_can_be_undone(tmp_path: Path) -> None:
    first = write(tmp_path)
    apply(tmp_path, [first])
    apply(tmp_path, [Change("a.py", first.after, b"newer")])
    assert undo(tmp_path)
    assert contents(tmp_path) == {"a.py": first.after}
    assert undo(tmp_path) is None


def test_a_run_that_was_refused_leaves_the_one_before_to_undo(tmp_path: Path) -> None:
    first = write(tmp_path)
    apply(tmp_path, [first])
    with pytest.raises(FixError):
        apply(tmp_path, [Change("a.py", b"not what it is", b"newer")])
    assert undo(tmp_path)
    assert contents(tmp_path) == {"a.py": first.before}


def test_where_nothing_was_interrupted_there_is_nothing_to_recover(tmp_path: Path) -> None:
    change = write(tmp_path)
    assert recover(tmp_path) == ()
    apply(tmp_path, [change])
    assert recover(tmp_path) == ()
    assert contents(tmp_path) == {"a.py": change.after}
