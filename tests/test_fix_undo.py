"""``errlint undo`` as its users see it: standard output, standard error, exit status, and the files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

import errlint
from errlint.cli import main
from errlint.errors import FixError
from errlint.fix.writing import files, journal, keys
from errlint.fix.writing.transaction import Change, apply
from errlint.fix.writing.undo import recover

OLD = b"old\n"
NEW = b"new\n"
BY_HAND = "(look at your files, bring them back by hand where needed, then delete .errlint_undo)"
FINISHED = Path(".errlint_undo/finished")
UNFINISHED = Path(".errlint_undo/unfinished")


class Done(NamedTuple):
    status: int
    out: str
    err: str


Undo = Callable[..., Done]


@pytest.fixture
def undo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Undo:
    """Runs ``errlint undo`` in the folder ``tmp_path``, or one below it; a configuration says that this is the root."""
    (tmp_path / "errlint.toml").write_bytes(b"")

    def run(*arguments: str, cwd: str = "") -> Done:
        monkeypatch.chdir(tmp_path / cwd)
        with pytest.raises(SystemExit) as ended:
            main(("undo", *arguments))
        captured = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Done(ended.value.code, captured.out, captured.err)

    return run


def fixed(root: Path, *names: str) -> None:
    """Make files and fix them."""
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(OLD)
    apply(root, [Change(name, OLD, NEW) for name in names])


def interrupt(root: Path) -> None:
    """Make of a finished run one that crashed after its last replace."""
    journal.reopen(root)


def contents(root: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(root.rglob("*.py"))]


def test_few_files_are_named(tmp_path: Path, undo: Undo) -> None:
    fixed(tmp_path, "pkg/b c.py", "a.py")
    assert undo() == (0, "Restored 2 files.\npkg/b c.py\na.py\n", "")
    assert contents(tmp_path) == [OLD, OLD]


def test_one_file_is_a_file(tmp_path: Path, undo: Undo) -> None:
    fixed(tmp_path, "a.py")
    assert undo() == (0, "Restored 1 file.\na.py\n", "")


def test_many_files_are_named_on_demand(tmp_path: Path, undo: Undo) -> None:
    names = [f"{number:02}.py" for number in range(11)]
    fixed(tmp_path, *names)
    assert undo() == (0, "Restored 11 files.\n", "")
    fixed(tmp_path, *names)
    assert undo("--verbose") == (0, "Restored 11 files.\n" + "".join(f"{name}\n" for name in names), "")


def test_files_are_named_as_seen_from_the_working_directory(tmp_path: Path, undo: Undo) -> None:
    fixed(tmp_path, "pkg/a.py")
    assert undo(cwd="pkg").out == "Restored 1 file.\na.py\n"


def test_a_name_that_is_no_text_is_printed_with_escapes(tmp_path: Path, undo: Undo) -> None:
    name = os.fsdecode(b"caf\xe9.py")
    try:
        fixed(tmp_path, name)
    except (OSError, ValueError):
        pytest.skip("this file system has no such names")
    (tmp_path / name).write_bytes(b"mine")
    environment = {**os.environ, "PYTHONPATH": str(Path(errlint.__file__).parents[1])}
    command = [sys.executable, "-m", "errlint", "undo"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"errlint: error: caf\\udce9.py is no longer")
    (tmp_path / name).write_bytes(NEW)
    assert undo() == (0, "Restored 1 file.\ncaf\\udce9.py\n", "")


@pytest.mark.parametrize("times", [1, 2])
def test_without_a_fix_there_is_nothing_to_undo(times: int, tmp_path: Path, undo: Undo) -> None:
    if times == 2:
        fixed(tmp_path, "a.py")
        undo()
    assert undo() == (0, "There is nothing to undo.\n", "")
    assert (tmp_path / ".errlint_undo").exists() == (times == 2)


def test_an_interrupted_fix_is_told_apart(tmp_path: Path, undo: Undo) -> None:
    fixed(tmp_path, "a.py", "b.py")
    interrupt(tmp_path)
    (tmp_path / "b.py").write_bytes(OLD)
    assert undo() == (0, "The last fix was interrupted. Restored 1 file.\na.py\n", "")
    assert contents(tmp_path) == [OLD, OLD]
    assert undo().out == "There is nothing to undo.\n"


def test_undo_after_an_interrupted_fix_does_not_go_on_to_the_one_before(tmp_path: Path, undo: Undo) -> None:
    fixed(tmp_path, "a.py")
    earlier = (tmp_path / FINISHED).read_bytes()
    apply(tmp_path, [Change("a.py", NEW, b"newer")])
    interrupt(tmp_path)
    (tmp_path / FINISHED).write_bytes(earlier)
    undo()
    assert undo().out == "There is nothing to undo.\n"
    assert contents(tmp_path) == [NEW]


def test_an_interrupted_fix_is_brought_back_by_the_next_one(tmp_path: Path) -> None:
    fixed(tmp_path, "a.py", "b.py")
    interrupt(tmp_path)
    (tmp_path / "b.py").write_bytes(OLD)
    apply(tmp_path, [Change("b.py", OLD, b"newer")])
    assert contents(tmp_path) == [OLD, b"newer"]


def test_the_leftovers_of_a_crash_are_removed(tmp_path: Path, undo: Undo) -> None:
    fixed(tmp_path, "a.py")
    interrupt(tmp_path)
    files.stage(tmp_path, tmp_path / "a.py", b"half", 0o644)
    undo()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".errlint_undo", "a.py", "errlint.toml"]


@pytest.mark.parametrize("after_crash", [False, True], ids=["finished", "interrupted"])
@pytest.mark.parametrize("instead", [b"mine\n", None], ids=["changed", "deleted"])
def test_a_file_that_is_no_longer_what_the_fix_wrote_is_named_and_nothing_changes(
    instead: bytes | None, after_crash: bool, tmp_path: Path, undo: Undo
) -> None:
    fixed(tmp_path, "a.py", "b.py", "c.py")
    if after_crash:
        interrupt(tmp_path)
    (tmp_path / "b.py").unlink()
    if instead:
        (tmp_path / "b.py").write_bytes(instead)
    before = contents(tmp_path)
    for _ in range(2):
        assert undo() == (
            2,
            "",
            "errlint: error: b.py is no longer what the fix wrote; nothing was changed "
            "(take your changes back, then run `errlint undo`, or delete .errlint_undo to keep all files)\n",
        )
    assert contents(tmp_path) == before
    (tmp_path / "b.py").write_bytes(NEW)
    assert undo().status == 0
    assert contents(tmp_path) == [OLD] * 3


def test_an_undone_file_is_no_longer_what_the_fix_wrote(tmp_path: Path, undo: Undo) -> None:
    fixed(tmp_path, "a.py", "b.py")
    (tmp_path / "b.py").write_bytes(OLD)
    assert undo().err.startswith("errlint: error: b.py is no longer what the fix wrote; nothing was changed (")
    assert contents(tmp_path) == [NEW, OLD]


def test_of_many_such_files_ten_are_named(tmp_path: Path, undo: Undo) -> None:
    names = [f"{number:02}.py" for number in range(12)]
    fixed(tmp_path, *names)
    for name in names:
        (tmp_path / name).write_bytes(b"mine")
    assert undo().err.startswith(f"errlint: error: {', '.join(names[:10])} and 2 more are no longer what the fix wrote")


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")
def test_a_file_that_became_a_link_out_of_the_project_is_refused(tmp_path: Path, undo: Undo) -> None:
    root = tmp_path / "root"
    fixed(root, "a.py", "b.py")
    (root / "errlint.toml").write_bytes(b"")
    (root / "b.py").rename(tmp_path / "outside.txt")
    (root / "b.py").symlink_to("../outside.txt")
    done = undo(cwd="root")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("errlint: error: b.py: leads out of the project (")
    assert contents(root) == [NEW, NEW]


def entry(root: Path, **changed: object) -> bytes:
    """Return a journal as errlint writes it in a project, but for what is changed about its only file."""
    fields = {"path": b"a.py", "before": OLD, "old": files.digest(OLD), "new": files.digest(NEW), "mode": 0o644}
    return sealed(root, msgspec.msgpack.encode([list({**fields, **changed}.values())]))


def sealed(root: Path, payload: bytes) -> bytes:
    header = b"errlint-undo 2\n"
    return header + files.digest(payload) + keys.sign(root, header + payload).value + payload


DAMAGED = f"the journal is damaged {BY_HAND}"
NONE = f"is no journal of errlint, or a damaged one {BY_HAND}"
FOREIGN = (
    "was not written by your errlint on this machine for this folder, so nothing of it was brought back "
    "(run `errlint undo` where it was written, or delete .errlint_undo)"
)


@pytest.mark.parametrize("state", [FINISHED, UNFINISHED], ids=lambda path: path.name)
@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(lambda root: entry(root)[:-1], DAMAGED, id="truncated by a byte"),
        pytest.param(lambda root: entry(root)[:40], DAMAGED, id="truncated in the signature"),
        pytest.param(lambda root: entry(root)[:20], DAMAGED, id="truncated in the digest"),
        pytest.param(lambda root: entry(root)[:15], DAMAGED, id="truncated behind the header"),
        pytest.param(lambda root: entry(root)[:8], NONE, id="truncated in the header"),
        pytest.param(lambda root: b"", NONE, id="empty"),
        pytest.param(lambda root: b"\0" * 64, NONE, id="zeros"),
        pytest.param(lambda root: b'{"a": 1}\n', NONE, id="of another program"),
        pytest.param(lambda root: entry(root).replace(OLD, b"bad\n"), DAMAGED, id="with another byte"),
        pytest.param(lambda root: sealed(root, b"\x93\x01"), DAMAGED, id="sealed, but no msgpack"),
        pytest.param(lambda root: sealed(root, b"\x91\x01"), DAMAGED, id="sealed, but no entries"),
        pytest.param(lambda root: sealed(root, b"\x90"), DAMAGED, id="sealed, about no file"),
        pytest.param(lambda root: entry(root, before=b"other"), DAMAGED, id="with another content"),
        pytest.param(lambda root: entry(root, path=b"/etc/a.py"), DAMAGED, id="with an absolute path"),
        pytest.param(lambda root: entry(root, path=b"../a.py"), DAMAGED, id="with a path that leads out"),
        pytest.param(lambda root: entry(root, path=b"a\0.py"), DAMAGED, id="with a path that is none"),
        pytest.param(lambda root: entry(root, mode=1 << 20), DAMAGED, id="with a mode that is none"),
        pytest.param(lambda root: entry(root, mode=0o4777), DAMAGED, id="with a mode that gives the owner's rights"),
        pytest.param(lambda root: entry(root.parent), FOREIGN, id="signed for another folder"),
        pytest.param(
            lambda root: entry(root).replace(b"undo 2", b"undo 3"),
            "is a journal in format 3; this errlint knows format 2 "
            "(undo with the errlint that wrote it, or delete .errlint_undo)",
            id="of a later format",
        ),
    ],
)
def test_a_journal_that_cannot_be_trusted_changes_nothing(
    content: Callable[[Path], bytes], message: str, state: Path, tmp_path: Path, undo: Undo
) -> None:
    fixed(tmp_path, "a.py")
    (tmp_path / FINISHED).unlink()
    (tmp_path / state).write_bytes(content(tmp_path))
    assert undo() == (2, "", f"errlint: error: {state}: {message}\n")
    assert contents(tmp_path) == [NEW]
    assert (tmp_path / state).read_bytes() == content(tmp_path)


def test_the_journal_that_the_damaged_ones_are_made_of_is_good(tmp_path: Path, undo: Undo) -> None:
    fixed(tmp_path, "a.py")
    assert (tmp_path / FINISHED).read_bytes() == entry(tmp_path)
    assert undo().status == 0


@pytest.mark.parametrize("name", [".git", ".GIT", ".Git "])
def test_a_journal_about_git_s_own_files_changes_nothing(name: str, tmp_path: Path, undo: Undo) -> None:
    """However they are spelled: some file systems ignore case, and blanks at the end."""
    fixed(tmp_path, "a.py")
    (tmp_path / FINISHED).write_bytes(entry(tmp_path, path=f"{name}/config".encode()))
    assert undo() == (2, "", f"errlint: error: {name}/config: is one of git's own files (exclude it)\n")


def test_a_damaged_journal_of_an_interrupted_run_stops_the_next_one(tmp_path: Path, undo: Undo) -> None:
    fixed(tmp_path, "a.py")
    (tmp_path / UNFINISHED).write_bytes(b"")
    for action in (lambda: apply(tmp_path, [Change("a.py", NEW, b"newer")]), lambda: recover(tmp_path)):
        with pytest.raises(FixError, match="no journal of errlint"):
            action()
    assert contents(tmp_path) == [NEW]


def test_a_damaged_journal_of_a_finished_run_is_replaced_by_the_next_one(tmp_path: Path, undo: Undo) -> None:
    fixed(tmp_path, "a.py")
    (tmp_path / FINISHED).write_bytes(b"")
    apply(tmp_path, [Change("a.py", NEW, b"newer")])
    assert undo().status == 0
    assert contents(tmp_path) == [NEW]


def test_a_wrong_key_in_the_configuration_does_not_stop_an_undo(tmp_path: Path, undo: Undo) -> None:
    fixed(tmp_path, "a.py")
    (tmp_path / "errlint.toml").write_bytes(b"nonsense = 1\n")
    assert undo().status == 0
    assert contents(tmp_path) == [OLD]


def test_the_project_is_that_of_the_configuration(tmp_path: Path, undo: Undo) -> None:
    fixed(tmp_path, "outer.py")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/errlint.toml").write_bytes(b"")
    assert undo(cwd="inner").out == "There is nothing to undo.\n"
    (tmp_path / "errlint.toml").write_bytes(b"")
    assert undo("--config", "../errlint.toml", cwd="inner").out == "There is nothing to undo.\n"
    assert undo("--config", "inner/errlint.toml").status == 0
    assert contents(tmp_path) == [OLD]
    done = undo("--config", "errlint.toml", "--isolated")
    assert (done.status, done.err) == (
        2,
        "errlint: error: --config and --isolated do not go together (give one of them)\n",
    )


def test_ctrl_c_ends_with_its_status(tmp_path: Path, undo: Undo, monkeypatch: pytest.MonkeyPatch) -> None:
    fixed(tmp_path, "a.py", "b.py")
    commit = files.commit

    def interrupted(root: Path, target: Path) -> None:
        commit(root, target)
        raise KeyboardInterrupt

    monkeypatch.setattr(files, "commit", interrupted)
    assert undo().status == 130
    monkeypatch.setattr(files, "commit", commit)
    assert undo() == (0, "The last fix was interrupted. Restored 1 file.\nb.py\n", "")
    assert contents(tmp_path) == [OLD, OLD]
