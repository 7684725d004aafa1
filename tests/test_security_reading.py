"""What docs/security.md promises about reading: nothing from outside of the project, no pipes, no more than a limit."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from errlint.cli import main
from errlint.source import MAX_CONFIGURATION_SIZE, MAX_SIZE, read_bytes

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links and pipes")

FINDING = """\
from fastmcp import FastMCP

mcp = FastMCP("files")


@mcp.tool()
def read(path: str) -> dict[str, str]:
    if not path:
        return {"error": "SECRET"}
    return {"path": path}
"""


class Done(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture(params=["with git", "without git"])
def root(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with nothing in it, beside a file that is none of its business."""
    for name in ("ERRLINT_CACHE_DIR", "FORCE_COLOR", *(name for name in os.environ if name.startswith("GIT_"))):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "secret.py").write_text(FINDING)
    (tmp_path / "secret.toml").write_text("SECRET = true\n")
    (tmp_path / "secret.md").write_text("# SECRET\n\n$code $message\n")
    root = tmp_path / "root"
    root.mkdir()
    (root / "pyproject.toml").write_text("[tool.errlint]\n")
    if request.param == "with git":
        subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return root


def run(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> Done:
    monkeypatch.chdir(root)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert isinstance(ended.value.code, int)
    return Done(ended.value.code, *capsys.readouterr())


@pytest.mark.parametrize("name", ["leak.py", "errors.md", "sub/errlint.toml", "sub/pyproject.toml"])
@pytest.mark.parametrize(
    "arguments", [(), (".",), ("--show-files",), ("--show-settings",), ("--output-format", "json")]
)
def test_a_link_out_of_the_project_is_not_read(
    arguments: tuple[str, ...], name: str, root: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    (root / "server.py").write_text("")
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).symlink_to(root.parent / f"secret{Path(name).suffix}")
    done = run(root, monkeypatch, capsys, *arguments)
    assert done.status == 0
    assert "SECRET" not in done.out + done.err
    assert name not in done.out + done.err


def test_a_link_to_a_file_of_git_is_not_read(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / ".git").mkdir(exist_ok=True)
    (root / ".git/token").write_text(FINDING)
    (root / "leak.py").symlink_to(".git/token")
    assert run(root, monkeypatch, capsys) == (0, "No files checked.\n", "")


def test_a_folder_that_became_a_link_is_not_read(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not (root / ".git").exists():
        pytest.skip("without git nothing is tracked")
    (root / "sub/inner").mkdir(parents=True)
    (root / "sub/inner/secret.py").write_text("")
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    (root / "sub/inner/secret.py").unlink()
    (root / "sub/inner").rmdir()
    (root / "sub/inner").symlink_to(root.parent)
    assert run(root, monkeypatch, capsys) == (0, "No files checked.\n", "")


@pytest.mark.parametrize("name", ["leak.py", "sub/leak.py"])
def test_a_link_that_is_named_is_read(
    name: str, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "sub").mkdir()
    (root / name).symlink_to(root.parent / "secret.py")
    done = run(root, monkeypatch, capsys, name)
    assert done.status == 1
    assert f"{name}:9:9: ERR101" in done.out
    assert "SECRET" in done.out


def test_a_link_inside_the_project_is_read(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "sub").mkdir()
    (root / "sub/kept.txt").write_text(FINDING)
    (root / "server.py").symlink_to("sub/kept.txt")
    done = run(root, monkeypatch, capsys, "--output-format", "concise")
    assert done.out.startswith("server.py:9:9: ERR101")


@pytest.mark.parametrize("name", ["errlint.toml", "pyproject.toml"])
@pytest.mark.parametrize("target", ["../secret.toml", "/dev/zero", "/etc/passwd"])
def test_a_configuration_is_no_link_out_of_the_project(
    target: str, name: str, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / name).unlink(missing_ok=True)
    (root / name).symlink_to(target)
    done = run(root, monkeypatch, capsys)
    assert (done.status, done.out) == (2, "")
    assert f"{name}: is a link out of the project" in done.err
    assert "SECRET" not in done.err


@pytest.mark.parametrize("kind", ["above", "absolute", "a link", "a device"])
def test_a_convention_outside_of_the_project_is_not_read(
    kind: str, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = {"above": "../secret.toml", "absolute": str(root.parent / "secret.toml"), "a link": "./a.toml",
             "a device": "/dev/zero"}  # fmt: skip
    (root / "a.toml").symlink_to("../secret.toml")
    (root / "pyproject.toml").write_text(f"[tool.errlint]\nconvention = '{names[kind]}'\n")
    done = run(root, monkeypatch, capsys)
    assert (done.status, done.out) == (2, "")
    assert "pyproject.toml:2" in done.err
    assert "which is outside of the project" in done.err
    assert "SECRET" not in done.err


def test_a_convention_of_the_same_repository_is_read(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not (root / ".git").exists():
        pytest.skip("without a repository the project is the folder")
    (root / "shared.toml").write_text('description = "ours"\n')
    (root / "sub").mkdir()
    (root / "sub/errlint.toml").write_text('convention = "../shared.toml"\n')
    assert run(root / "sub", monkeypatch, capsys).status == 0
    assert run(root, monkeypatch, capsys).status == 0


def test_a_configuration_in_a_subfolder_builds_on_what_is_above_it(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "shared.toml").write_text('description = "ours"\n')
    (root / "sub").mkdir()
    (root / "sub/errlint.toml").write_text('convention = "../shared.toml"\n')
    (root / "sub/server.py").write_text("")
    assert run(root, monkeypatch, capsys).status == 0
    (root / "sub/errlint.toml").write_text('convention = "../../secret.toml"\n')
    done = run(root, monkeypatch, capsys)
    assert done.status == 2
    assert "which is outside of the project" in done.err


def test_a_configuration_that_is_named_may_name_any_convention(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (root.parent / "shared.toml").write_text('description = "ours"\n')
    (root.parent / "mine").mkdir()
    (root.parent / "mine/errlint.toml").write_text('convention = "../shared.toml"\n')
    assert run(root, monkeypatch, capsys, "--config", "../mine/errlint.toml").status == 0


@pytest.mark.parametrize("template", ["../secret.md", "/etc/passwd", "link.md"])
@pytest.mark.parametrize("command", ["check", "write"])
def test_a_template_outside_of_the_project_is_not_read(
    command: str, template: str, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "link.md").symlink_to("../secret.md")
    (root / "pyproject.toml").write_text(
        f"[tool.errlint.catalog]\nfiles = ['errors.md']\ntemplate = '{template}'\n"
        "[tool.errlint.exceptions]\nroot = ['ShopError']\n"
    )
    (root / "server.py").write_text(
        "class ShopError(Exception):\n    pass\n\ndef find():\n    raise ShopError('no such thing')\n"
    )
    (root / "errors.md").write_text("<!-- errlint: begin errors format=sections -->\n<!-- errlint: end errors -->\n")
    done = run(root, monkeypatch, capsys, "catalog", command)
    assert done.status == 2
    assert "the template is outside of the project" in done.err
    assert "SECRET" not in done.out + done.err + (root / "errors.md").read_text()


def make(path: Path, kind: str) -> None:
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(os.path.relpath(path))
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")


@pytest.mark.parametrize("kind", ["pipe", "socket", "device", "folder"])
@pytest.mark.parametrize("name", ["errlint.toml", "shared.toml", "named.py", ".gitignore", "sub/errlint.toml"])
def test_what_is_no_regular_file_is_told(name: str, kind: str, tmp_path: Path) -> None:
    """In a process of its own: what waits for a pipe, or reads a device, has to be ended from outside."""
    os.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "server.py").write_text("")
    if name == "shared.toml":
        (tmp_path / "pyproject.toml").write_text("[tool.errlint]\nconvention = './shared.toml'\n")
    else:
        (tmp_path / "pyproject.toml").write_text("[tool.errlint]\n")
    make(tmp_path / name, kind)
    command = [sys.executable, "-m", "errlint", "--output-format", "concise", *([name] if name == "named.py" else [])]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=False, text=True)
    assert "Traceback" not in done.stderr
    if name in (".gitignore", "sub/errlint.toml") or (name == "errlint.toml" and kind == "folder"):
        assert (done.returncode, done.stdout) == (0, "All checks passed (1 file checked).\n")
    elif name == "named.py":
        assert done.returncode == (0 if kind == "folder" else 1)
        assert kind == "folder" or "named.py:1:1: ERR907" in done.stdout
    else:
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) <= 2
        assert name in done.stderr


@pytest.mark.parametrize("name", ["server.py", "errors.md"])
def test_a_file_that_is_too_large_is_told(
    name: str, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if name == "errors.md":
        (root / "pyproject.toml").write_text("[tool.errlint.catalog]\nfiles = ['errors.md']\n")
    with (root / name).open("wb") as file:
        file.truncate(MAX_SIZE + 1)
    done = run(root, monkeypatch, capsys, "--output-format", "concise")
    assert done.status == 1
    assert done.out.startswith(f"{name}:1:1: ERR907 cannot be read: larger than 4 MiB\n")


@pytest.mark.parametrize("name", ["errlint.toml", "shared.toml"])
def test_a_configuration_that_is_too_large_is_told(
    name: str, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "pyproject.toml").write_text("[tool.errlint]\nconvention = './shared.toml'\n")
    (root / name).write_bytes(b"#" * (MAX_CONFIGURATION_SIZE + 1))
    done = run(root, monkeypatch, capsys)
    assert done.status == 2
    assert "larger than 1 MiB" in done.err


def test_no_more_than_the_limit_is_read(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * 100)
    assert len(read_bytes(tmp_path / "large", 100)) == 100
    with pytest.raises(OSError, match="larger than"):
        read_bytes(tmp_path / "large", 99)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="a file that does not tell its size")
def test_a_file_without_a_size_is_read_up_to_the_limit() -> None:
    assert Path("/proc/self/maps").stat().st_size == 0
    assert b"[stack]" in read_bytes("/proc/self/maps")
    with pytest.raises(OSError, match="larger than"):
        read_bytes("/proc/self/maps", 100)


@pytest.mark.parametrize("form", ["full", "concise", "json", "jsonl", "sarif", "github"])
def test_a_name_that_is_not_utf_8_is_reported(
    form: str, root: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    name = os.fsdecode(b"caf\xe9.py")
    try:
        (root / name).write_text(FINDING)
    except (OSError, ValueError):
        pytest.skip("this file system has no such names")
    for jobs in ("1", "2"):
        command = [sys.executable, "-m", "errlint", "--output-format", form, "--jobs", jobs]
        done = subprocess.run(command, cwd=root, capture_output=True, check=False)
        assert done.returncode == 1, done.stderr
        assert b"ERR101" in done.stdout
        if form in ("json", "sarif"):
            json.loads(done.stdout.decode())
    for more in (["--show-files"], ["--diff", "--unsafe-fixes"], ["--fix"], ["--statistics"], ["explain", f"{name}:9"]):
        done = subprocess.run([sys.executable, "-m", "errlint", *more], cwd=root, capture_output=True, check=False)
        assert done.returncode in (0, 1), (more, done.stderr)
        assert b"bug in errlint" not in done.stderr, more
