"""Only a journal that this user's errlint has written on this machine for this folder is ever replayed."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec
import pytest
from command_line import Run, caller

from errlint.fix.writing import files, journal, keys
from errlint.fix.writing.transaction import Change, apply

OLD = b"old = 1\n"
NEW = b"new = 1\n"
JOURNAL = ".errlint_undo"
FOREIGN = "was not written by your errlint on this machine for this folder, so nothing of it was brought back"
PAYLOAD = """\
from fastmcp import FastMCP

mcp = FastMCP("orders")


@mcp.tool()
def get_order(order_id: str) -> dict:
    return {"error": "no such order"}
"""
DOCUMENT = "<!-- errlint: begin errors -->\n<!-- errlint: end -->\n"

posix = pytest.mark.skipif(sys.platform == "win32", reason="there are no such modes and owners")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with keys of its own: none has been made yet."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "errlint.toml").write_text("")
    (root / "a.py").write_bytes(OLD)
    monkeypatch.chdir(root)
    for name in ("XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "state"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    return root


@pytest.fixture
def run(root: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    return caller(capsys)


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def fixed(root: Path, name: str = "a.py") -> None:
    apply(root, [Change(name, OLD, NEW)])


def forged(path: str, before: bytes, now: bytes, mode: int = 0o644) -> list[bytes]:
    """Return journals about a file as a stranger can make them: in both formats, signed with any key."""
    entry = [path.encode(), before, files.digest(before), files.digest(now), mode]
    payload = msgspec.msgpack.encode([entry])
    digest = files.digest(payload)
    return [b"errlint-undo 1\n" + digest + payload, b"errlint-undo 2\n" + digest + b"k" * keys.SIZE + payload]


@pytest.mark.parametrize("number", [0, 1], ids=["unsigned", "signed"])
@pytest.mark.parametrize(
    "arguments",
    [("--fix",), ("--add-ignore", "why"), ("catalog", "write"), ("undo",), ("--diff",)],
    ids=lambda words: words[0],
)
def test_a_committed_journal_writes_into_no_virtual_environment(
    arguments: tuple[str, ...], number: int, root: Path, run: Run
) -> None:
    """The hole: a file that git ignores, so that nobody sees the change, with a mode that gives rights away."""
    ignored = root / ".venv/lib/site-packages/start.pth"
    ignored.parent.mkdir(parents=True)
    ignored.write_bytes(b"")
    ignored.chmod(0o644)
    (root / ".gitignore").write_text(".venv\n")
    (root / "server.py").write_text(PAYLOAD)
    (root / "errors.md").write_text(DOCUMENT)
    folder = root / JOURNAL
    folder.mkdir()
    name = ignored.relative_to(root).as_posix()
    (folder / "unfinished").write_bytes(forged(name, b"import os; os.system('id')\n", b"", 0o4777)[number])
    git(root, "init", "-q")
    git(root, "add", "-f", ".gitignore", "a.py", "server.py", "errors.md", "errlint.toml", JOURNAL)
    git(root, "commit", "-q", "-m", "all")
    before = (folder / "unfinished").read_bytes()
    done = run(*arguments)
    assert done.status == 2
    assert f"{JOURNAL}/unfinished: is tracked by git, so nothing of it was brought back" in done.err
    assert "git rm -r --cached .errlint_undo" in done.err
    assert ignored.read_bytes() == b""
    assert stat.S_IMODE(ignored.stat().st_mode) == 0o644
    assert (folder / "unfinished").read_bytes() == before


@pytest.mark.parametrize("number", [0, 1], ids=["unsigned", "signed"])
@pytest.mark.parametrize("state", ["unfinished", "finished"])
def test_a_journal_that_somebody_has_unpacked_here_is_named_and_not_replayed(
    state: str, number: int, root: Path, run: Run
) -> None:
    (root / JOURNAL).mkdir()
    (root / JOURNAL / state).write_bytes(forged("a.py", b"import os\n", OLD)[number])
    done = run("undo")
    assert done.status == 2
    assert f"{JOURNAL}/{state}: {FOREIGN}" in done.err
    assert done.err.endswith("(run `errlint undo` where it was written, or delete .errlint_undo)\n")
    assert (root / "a.py").read_bytes() == OLD


def test_a_foreign_interrupted_fix_stops_fixes_until_it_is_deleted(root: Path, run: Run) -> None:
    (root / JOURNAL).mkdir()
    (root / JOURNAL / "unfinished").write_bytes(forged("a.py", b"import os\n", OLD)[1])
    assert FOREIGN in run("--fix").err
    shutil.rmtree(root / JOURNAL)
    assert run("--fix").status == 0


def test_a_foreign_finished_fix_stops_none(root: Path, run: Run) -> None:
    (root / JOURNAL).mkdir()
    (root / JOURNAL / "finished").write_bytes(forged("a.py", b"import os\n", OLD)[1])
    fixed(root)
    assert run("undo").status == 0
    assert (root / "a.py").read_bytes() == OLD


def test_a_journal_of_another_project_is_not_replayed(root: Path, run: Run) -> None:
    other = root.parent / "other"
    other.mkdir()
    (other / "a.py").write_bytes(OLD)
    fixed(other)
    shutil.copytree(other / JOURNAL, root / JOURNAL)
    (root / "a.py").write_bytes(NEW)
    assert FOREIGN in run("undo").err
    assert (root / "a.py").read_bytes() == NEW


def test_a_journal_of_another_machine_is_not_replayed(root: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree that two machines share: each has a key of its own, and the other one's journal stays for it."""
    fixed(root)
    with monkeypatch.context() as there:
        there.setenv("XDG_STATE_HOME", str(root.parent / "state of another machine"))
        there.setenv("LOCALAPPDATA", str(root.parent / "state of another machine"))
        assert FOREIGN in run("undo").err
    assert run("undo").status == 0
    assert (root / "a.py").read_bytes() == OLD


def test_a_journal_that_was_changed_is_not_replayed(root: Path, run: Run) -> None:
    """Its own digest is right again, the signature is that of the content before."""
    fixed(root)
    path = root / JOURNAL / "finished"
    data = path.read_bytes()
    start = len(b"errlint-undo 2\n")
    payload = data[start + 16 + keys.SIZE :].replace(b"a.py", b"b.py")
    path.write_bytes(data[:start] + files.digest(payload) + data[start + 16 : start + 16 + keys.SIZE] + payload)
    (root / "b.py").write_bytes(NEW)
    assert FOREIGN in run("undo").err
    assert (root / "b.py").read_bytes() == NEW


def test_a_good_journal_that_git_tracks_is_not_replayed(root: Path, run: Run) -> None:
    fixed(root)
    git(root, "init", "-q")
    git(root, "add", "-f", JOURNAL)
    assert "is tracked by git" in run("undo").err
    git(root, "rm", "-q", "-r", "--cached", JOURNAL)
    assert run("undo").status == 0


@posix
@pytest.mark.parametrize("kind", ["a link", "a pipe", "a folder"])
def test_a_journal_that_is_no_file_is_named(kind: str, root: Path, run: Run) -> None:
    fixed(root)
    path = root / JOURNAL / "finished"
    path.rename(root / "moved")
    if kind == "a link":
        path.symlink_to("../moved")
    elif kind == "a pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    assert FOREIGN in run("undo").err
    assert (root / "a.py").read_bytes() == NEW


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only the superuser gives files away")
def test_a_journal_of_another_user_is_not_replayed(root: Path, run: Run) -> None:
    fixed(root)
    os.chown(root / JOURNAL / "finished", 1234, 1234)
    assert FOREIGN in run("undo").err
    assert (root / "a.py").read_bytes() == NEW


@posix
def test_an_undo_gives_permissions_back_and_no_set_id_bits(root: Path, run: Run) -> None:
    (root / "a.py").chmod(0o4755)
    fixed(root)
    (root / "a.py").chmod(0o700)
    assert run("undo").status == 0
    assert stat.S_IMODE((root / "a.py").stat().st_mode) == 0o755


@posix
def test_the_key_is_the_user_s_alone_and_not_in_the_project(root: Path) -> None:
    fixed(root)
    folder = root.parent / "state/errlint"
    [key] = folder.iterdir()
    assert (stat.S_IMODE(folder.stat().st_mode), stat.S_IMODE(key.stat().st_mode)) == (0o700, 0o600)
    assert all(key.read_bytes() not in path.read_bytes() for path in root.rglob("*") if path.is_file())


@posix
@pytest.mark.parametrize("flaw", ["a link", "read by others", "another owner", "too short", "a folder others write to"])
def test_a_key_that_others_may_know_signs_nothing(flaw: str, root: Path, run: Run) -> None:
    """The fix gets along with another one, in the folder for temporary files."""
    fixed(root)
    key = root.parent / "state/errlint/undo-key"
    if flaw == "a link":
        key.rename(key.with_name("moved"))
        key.symlink_to("moved")
    elif flaw == "read by others":
        key.chmod(0o644)
    elif flaw == "too short":
        key.write_bytes(b"k" * 31)
    elif flaw == "a folder others write to":
        key.parent.chmod(0o777)
    elif os.geteuid() == 0:
        os.chown(key, 1234, 1234)
    else:
        pytest.skip("only the superuser gives files away")
    before = key.read_bytes()
    assert FOREIGN in run("undo").err
    apply(root, [Change("a.py", NEW, b"newer = 1\n")])
    assert run("undo").status == 0
    assert (root / "a.py").read_bytes() == NEW
    assert key.read_bytes() == before


@posix
def test_a_key_in_the_project_signs_nothing(root: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home that is the checkout, as in some CI: whoever wrote the checkout would know the key."""
    state = root / ".local/state/errlint"
    state.mkdir(parents=True, mode=0o700)
    (state / "undo-key").write_bytes(b"k" * keys.SIZE)
    (state / "undo-key").chmod(0o600)
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(root))
    fixed(root)
    assert [path.name for path in state.iterdir()] == ["undo-key"]
    assert list((root.parent / "temporary").rglob("undo-key")) != []
    assert run("undo").status == 0


def unkept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be no place for a key: files are in the way."""
    (root.parent / "file").write_text("")
    for name in ("XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(root.parent / "file"))
    user = os.geteuid() if sys.platform != "win32" else 0
    (root.parent / f"temporary/errlint-{user}").write_text("")


def test_without_a_place_for_a_key_a_fix_works_and_says_that_it_cannot_be_undone(
    root: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    unkept(root, monkeypatch)
    (root / "server.py").write_text(PAYLOAD)
    done = run("--add-ignore", "why")
    assert done.status == 0
    assert "# errlint: ignore" in (root / "server.py").read_text()
    assert done.err.startswith(journal.NOT_KEPT)
    keys._of_this_process.cache_clear()  # as at the end of the process
    assert FOREIGN in run("undo").err
    (root / "errors.md").write_text(DOCUMENT)
    assert journal.NOT_KEPT in run("catalog", "write").err


def test_without_a_place_for_a_key_what_was_not_verified_is_taken_back(
    root: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    unkept(root, monkeypatch)
    (root / "server.py").write_text(PAYLOAD)
    done = run("--add-ignore", "why", "--verify", "exit 3")
    assert done.status == 2
    assert "which was undone" in done.err
    assert (root / "server.py").read_text() == PAYLOAD
