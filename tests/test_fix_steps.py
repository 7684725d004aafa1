"""A fix that fails, is interrupted or crashes at any of its steps leaves files that are all old or all new."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from failing_steps import failing, steps_of

from errlint.errors import FixError
from errlint.fix.writing import keys
from errlint.fix.writing.transaction import Change, apply
from errlint.fix.writing.undo import recover, undo

OLD = {"a.py": b"one\r\ntwo\r\n", "pkg/b c.py": b"\xef\xbb\xbfx = 1\n", "pkg/run.py": b"# \xe9\n"}
NEW = {name: content + b"# fixed\r\n" for name, content in OLD.items()}
MODES = {"a.py": 0o644, "pkg/b c.py": 0o600, "pkg/run.py": 0o755}
CHANGES = [Change(name, OLD[name], NEW[name]) for name in OLD]


def project(root: Path) -> Path:
    (root / "pkg").mkdir()
    for name, content in OLD.items():
        (root / name).write_bytes(content)
        (root / name).chmod(MODES[name])
    return root


def state(root: Path) -> dict[str, bytes]:
    """What is in the project, whatever it is; each file has to have its mode."""
    found = [path for path in root.rglob("*") if path.is_file() and ".errlint_undo" not in path.parts]
    for path in found:
        if (name := path.relative_to(root).as_posix()) in MODES:
            assert path.stat().st_mode & 0o7777 == MODES[name]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


def interrupted_run(root: Path) -> None:
    """Leave what a crash in the middle of the replaces leaves."""
    replaces = [number for number, name in enumerate(STEPS) if name == "replace"]
    crash(lambda: apply(root, CHANGES), step=replaces[-2], done=False)


def crash(action: Callable[[], object], step: int, *, done: bool) -> None:
    """Carry out an action in a process that ends, without another word, at one of its steps."""
    child = os.fork()
    if child == 0:
        with failing(step, lambda: os._exit(9), done=done):
            try:
                action()
            finally:
                os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


keys.sign(Path.cwd(), b"")  # the key is made once, and not among the steps of each fix
with tempfile.TemporaryDirectory() as folder:
    root = project(Path(folder))
    STEPS = steps_of(lambda: apply(root, CHANGES))
    UNDO_STEPS = steps_of(lambda: undo(root))
    SECOND_STEPS = steps_of(lambda: apply(root, CHANGES))

RECOVERY_STEPS = ["none"]
if hasattr(os, "fork"):
    with tempfile.TemporaryDirectory() as folder:
        root = project(Path(folder))
        interrupted_run(root)
        RECOVERY_STEPS = steps_of(lambda: recover(root))


@pytest.fixture(autouse=True)
def flushes_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a process has written stays when it ends; only a machine that ends needs the flush."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture(autouse=True)
def another_place_for_keys(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Where the key cannot be read at a step, the folder for temporary files has another one."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("temporary")))


def each(steps: list[str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("step", [pytest.param(n, id=f"{n:02} {name}") for n, name in enumerate(steps)])


def raising(error: type[BaseException] | int) -> Callable[[], None]:
    def fail() -> None:
        raise OSError(error, os.strerror(error)) if isinstance(error, int) else error

    return fail


each_error = pytest.mark.parametrize(
    "error",
    [
        pytest.param(errno.ENOSPC, id="disk full"),
        pytest.param(errno.EACCES, id="denied"),
        pytest.param(KeyboardInterrupt, id="Ctrl-C"),
    ],
)
before_and_after = pytest.mark.parametrize("done", [pytest.param(False, id="before"), pytest.param(True, id="after")])
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="a process has to be ended within a function")


def test_the_steps_are_in_the_order_that_survives_a_loss_of_power() -> None:
    """Journal, then new contents, each flushed before it gets its name, then renames only, their folders flushed."""
    new_file = ["unlink", "write", "fchmod", "fsync"]
    renamed = ["replace", "fsync"]
    make_folder = ["mkdir", *new_file, *renamed]
    journal = [*new_file, *renamed, "fsync"]
    contents = new_file * len(CHANGES)
    replaces = ["replace"] * len(CHANGES) + ["fsync"] * len({Path(name).parent for name in OLD})
    changing = [step for step in STEPS if step != "open"]  # handles of folders and files, many more
    assert [*make_folder, *journal, *contents, *replaces, *renamed] == changing


@each(STEPS)
@each_error
@before_and_after
def test_a_fix_that_fails_at_a_step_changes_nothing(
    step: int, error: type[BaseException] | int, done: bool, tmp_path: Path
) -> None:
    root = project(tmp_path)
    try:
        with failing(step, raising(error), done=done) as seen:
            apply(root, CHANGES)
    except (FixError, KeyboardInterrupt):
        assert state(root) == OLD
        assert undo(root) is None
    else:
        assert seen[step] == "open", "a folder that cannot be listed is passed over, and a key that cannot be read"
        assert state(root) == NEW
        undo(root)
    apply(root, CHANGES)
    assert state(root) == NEW


@each(STEPS)
@each_error
def test_a_disk_that_stays_broken_leaves_what_undo_brings_back(
    step: int, error: type[BaseException] | int, tmp_path: Path
) -> None:
    root = project(tmp_path)
    message = ""
    try:
        with failing(step, raising(error), on=True):
            apply(root, CHANGES)
    except FixError as raised:
        message = str(raised)
    except KeyboardInterrupt:
        message = "Ctrl-C, twice"
    else:
        assert state(root) == NEW, "a folder that cannot be listed is passed over"
    left = {name: content for name, content in state(root).items() if name in OLD}
    assert all(content in (OLD[name], NEW[name]) for name, content in left.items())
    if left not in (OLD, NEW):
        assert "errlint undo" in message or error is KeyboardInterrupt
    if "errlint again" in message:
        assert left == OLD
    undo(root)
    assert {name: content for name, content in state(root).items() if name in OLD} == OLD
    apply(root, CHANGES)
    assert state(root) == NEW


@each(STEPS)
@before_and_after
@needs_fork
def test_a_crash_at_a_step_is_recovered_from_by_the_next_run(step: int, done: bool, tmp_path: Path) -> None:
    root = project(tmp_path)
    crash(lambda: apply(root, CHANGES), step, done=done)
    recover(root)
    assert state(root) in (OLD, NEW)
    undo(root)
    assert state(root) == OLD
    assert undo(root) is None


@each(SECOND_STEPS)
@needs_fork
def test_a_crash_in_a_second_run_brings_back_the_first_or_is_all_done(step: int, tmp_path: Path) -> None:
    root = project(tmp_path)
    newer = {name: content + b"# again\n" for name, content in NEW.items()}
    apply(root, CHANGES)
    second = [Change(name, NEW[name], newer[name]) for name in NEW]
    crash(lambda: apply(root, second), step, done=False)
    recover(root)
    assert state(root) in (NEW, newer)


@each(UNDO_STEPS)
@before_and_after
@needs_fork
def test_a_crash_in_undo_is_recovered_from_by_undo(step: int, done: bool, tmp_path: Path) -> None:
    root = project(tmp_path)
    apply(root, CHANGES)
    crash(lambda: undo(root), step, done=done)
    undo(root)
    assert state(root) == OLD
    assert undo(root) is None


@each(UNDO_STEPS)
@each_error
@before_and_after
def test_an_undo_that_fails_at_a_step_goes_on_when_it_is_run_again(
    step: int, error: type[BaseException] | int, done: bool, tmp_path: Path
) -> None:
    root = project(tmp_path)
    apply(root, CHANGES)
    try:
        with failing(step, raising(error), done=done):
            undo(root)
    except FixError as raised:
        assert "errlint" in raised.hint
    except KeyboardInterrupt:
        pass
    undo(root)
    assert state(root) == OLD
    assert undo(root) is None


@each(RECOVERY_STEPS)
@before_and_after
@needs_fork
def test_a_crash_in_the_recovery_is_recovered_from(step: int, done: bool, tmp_path: Path) -> None:
    root = project(tmp_path)
    interrupted_run(root)
    assert state(root) not in (OLD, NEW)
    crash(lambda: recover(root), step, done=done)
    recover(root)
    assert state(root) == OLD
    assert undo(root) is None


def test_a_write_that_takes_only_some_bytes_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project(tmp_path)
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:3]))
    apply(root, CHANGES)
    assert state(root) == NEW
    assert undo(root)
    assert state(root) == OLD
