"""What errlint writes stays where the user wants it, whatever links a stranger's project brings along."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Run, caller

from errlint.errors import FixError
from errlint.fix.writing.transaction import Change, apply
from errlint.fix.writing.undo import undo

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")
pytestmark = needs_links

SERVER = """\
from fastmcp import FastMCP

mcp = FastMCP("orders")


@mcp.tool()
def get_order(order_id: str) -> dict:
    return {"error": "no such order"}
"""
MINE = b"# mine\n"
CACHE = ".errlint_cache"
JOURNAL = ".errlint_undo"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in a folder of its own; beside it lies what is not the project's."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "errlint.toml").write_text("")
    (root / "server.py").write_text(SERVER)
    (tmp_path / "mine").write_bytes(MINE)
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def run(project: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    return caller(capsys)


@pytest.fixture(autouse=True)
def nothing_outside_is_touched(project: Path) -> object:
    """After each test, whatever it did."""
    yield
    assert (project.parent / "mine").read_bytes() == MINE
    assert list((project.parent / "home").iterdir()) == []
    assert sorted(path.name for path in project.parent.iterdir()) == ["home", "mine", "project"]


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def cached(root: Path, kind: str) -> list[Path]:
    return sorted((root / CACHE).glob(f"{kind}-*"))


def test_a_cache_folder_that_is_a_link_is_not_used_and_named(run: Run, project: Path) -> None:
    (project / CACHE).symlink_to("../home")
    done = run("check")
    assert done.status == 1
    assert "server.py" in done.out
    assert f"No cache is used: {project / CACHE} is a link" in done.err


@pytest.mark.parametrize("linked", ["../home", "inside"])
def test_a_cache_folder_behind_a_link_is_not_used(linked: str, run: Run, project: Path) -> None:
    (project / "inside").mkdir()
    (project / "build").symlink_to(linked)
    (project / "errlint.toml").write_text('cache-dir = "build/cache"\n')
    assert "No cache is used" in run("check").err
    assert list((project / "inside").iterdir()) == []


@pytest.mark.parametrize(
    "folder", ["../home/cache", "~/cache", "{parent}/home", ".", ".git/x", ".GIT/x", "a/../../home"]
)
def test_a_cache_that_the_configuration_puts_out_of_the_project_is_not_used(
    folder: str, run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(project.parent / "home"))
    before = sorted(project.iterdir())
    (project / "errlint.toml").write_text(f'cache-dir = "{folder.format(parent=project.parent)}"\n')
    done = run("check")
    assert done.status == 1
    assert done.err.count("\n") == 1
    assert done.err.startswith("No cache is used: `cache-dir` of the project leads out of it; name the folder with")
    assert sorted(project.iterdir()) == before


def test_a_user_puts_the_cache_anywhere(
    run: Run, project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "link").symlink_to(folder)
    (project / "errlint.toml").write_text('cache-dir = "../home/cache"\n')
    assert run("check", "--cache-dir", str(folder / "one")).err == ""
    assert run("check", "--cache-dir", str(folder / "link/two")).err == ""
    monkeypatch.setenv("ERRLINT_CACHE_DIR", str(folder / "three"))
    assert run("check").err == ""
    assert all(any((folder / name).glob("run-*")) for name in ("one", "two", "three"))


def test_a_cache_that_the_user_names_is_not_led_out_by_a_link_of_the_project(run: Run, project: Path) -> None:
    (project / "cache").symlink_to("../home")
    done = run("check", "--cache-dir", "cache/inner")
    assert done.status == 2
    assert "the cache folder is behind a link of the project (remove the link" in done.err


@pytest.mark.parametrize("name", ["CACHEDIR.TAG", ".gitignore"])
def test_a_link_in_place_of_a_file_of_the_cache_is_replaced(name: str, run: Run, project: Path) -> None:
    (project / CACHE).mkdir()
    (project / CACHE / name).symlink_to("../../mine")
    run("check")
    assert (project / CACHE / name).is_file()
    assert not (project / CACHE / name).is_symlink()


@pytest.mark.parametrize("kind", ["run", "facts"])
@pytest.mark.parametrize("is_hard", [False, True], ids=["link", "hard link"])
def test_a_link_in_place_of_what_is_cached_is_neither_read_nor_written_through(
    is_hard: bool, kind: str, run: Run, project: Path
) -> None:
    run("check")
    [path] = cached(project, kind)
    content = path.read_bytes()
    path.unlink()
    path.hardlink_to("../mine") if is_hard else path.symlink_to("../../mine")
    (project / "server.py").write_text(SERVER + "\n\n")
    assert run("check").status == 1
    assert path.is_file()
    assert not path.is_symlink()
    assert path.read_bytes()[:16] == content[:16]


def test_a_run_that_is_cached_behind_a_link_is_not_believed(run: Run, project: Path) -> None:
    """The file it leads to is a good one, of this project; the link is enough to pass it over."""
    run("check")
    [path] = cached(project, "run")
    path.rename(project / "moved")
    path.symlink_to("../moved")
    assert run("check").status == 1
    assert not path.is_symlink()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
def test_a_pipe_in_place_of_what_is_cached_holds_nobody_up(run: Run, project: Path) -> None:
    run("check")
    for path in (*cached(project, "run"), *cached(project, "facts")):
        path.unlink()
        os.mkfifo(path)
    assert run("check").status == 1
    assert all(path.is_file() for path in cached(project, "run"))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only the superuser gives files away")
def test_a_cache_of_another_user_is_not_believed(run: Run, project: Path) -> None:
    run("check")
    [path] = cached(project, "run")
    os.chown(path, 1234, 1234)
    run("check")
    assert path.stat().st_uid == 0, "it was passed over, and written anew"


def test_a_cache_that_is_too_large_is_not_read(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("check")
    [path] = cached(project, "run")
    for is_too_large in (False, True):
        monkeypatch.setattr("errlint.cache.LARGEST", path.stat().st_size - is_too_large)
        written = path.stat().st_ino
        assert run("check").status == 1
        assert (path.stat().st_ino != written) == is_too_large, "it was passed over, and written anew"


def test_names_to_write_beside_may_be_links(run: Run, project: Path) -> None:
    """The name is known before: it has the number of the process, which a link may guess."""
    (project / CACHE).mkdir()
    for name in (".errlint-{}.tmp", ".out.json.{}.tmp", f"{CACHE}/.errlint-{{}}.tmp"):
        (project / name.format(os.getpid())).symlink_to(project.parent / "mine")
    assert run("check", "--output-format", "json=out.json").status == 1
    assert (project / "out.json").read_text().startswith("[")


def test_a_cache_that_git_tracks_is_not_used(run: Run, project: Path) -> None:
    run("check")
    git(project, "init", "-q")
    git(project, "add", "-f", ".")
    before = {path: path.read_bytes() for path in (project / CACHE).iterdir()}
    (project / "other.py").write_text("")
    done = run("check")
    assert done.status == 1
    assert f"No cache is used: git tracks what is in {project / CACHE}" in done.err
    assert {path: path.read_bytes() for path in (project / CACHE).iterdir()} == before
    git(project, "rm", "-q", "-r", "--cached", CACHE)
    assert run("check").err == ""
    assert {path: path.read_bytes() for path in (project / CACHE).iterdir()} != before


def test_a_forged_cache_that_git_tracks_hides_no_finding(run: Run, project: Path) -> None:
    """The cache says that a project without findings has none; then the file gets its state but another content."""
    git(project, "init", "-q")
    (project / "server.py").write_text("#" * len(SERVER))
    os.utime(project / "server.py", (1, 1))
    assert run("check").status == 0
    (project / "server.py").write_text(SERVER)
    os.utime(project / "server.py", (1, 1))
    assert run("check").status == 0, "else the cache is none that could hide anything"
    git(project, "add", "-f", ".")
    assert run("check").status == 1


def test_a_name_that_is_not_utf_8_does_not_switch_the_cache_off(run: Run, project: Path) -> None:
    name = os.fsdecode(b"caf\xe9.py")
    try:
        (project / name).write_text(SERVER)
    except (OSError, UnicodeError):
        pytest.skip("this file system has no such names")
    found = run("check", "--output-format", "concise").out
    assert found.count("ERR101") == 2
    [path] = cached(project, "run")
    for file in (project / name, project / "server.py"):
        before = file.stat()
        file.write_text("#" * before.st_size)
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert run("check", "--output-format", "concise").out != found, "young files are compared by content"
    for file in (project / name, project / "server.py"):
        file.write_text(SERVER)
        os.utime(file, (1, 1))
    run("check")
    written = path.stat().st_ino
    assert run("check", "--output-format", "concise").out == found
    assert path.stat().st_ino == written, "the second run has found its answer"


LED_OUT = "a link in the project leads out of it (remove the link {link}, or name another file)"


@pytest.mark.parametrize(
    ("link", "target", "file"),
    [
        pytest.param("out.sarif", "../mine", "out.sarif", id="the file"),
        pytest.param("out.sarif", "../home/new", "out.sarif", id="the file, to nothing"),
        pytest.param("out", "../home", "out/x.sarif", id="the folder"),
        pytest.param("first", "second", "first/x.sarif", id="one link behind another"),
        pytest.param("out.sarif", ".git/config", "out.sarif", id="git's own files"),
        pytest.param("out.sarif", ".GIT/config", "out.sarif", id="git's own files, spelled otherwise"),
    ],
)
def test_a_report_does_not_follow_a_link_out_of_the_project(
    link: str, target: str, file: str, run: Run, project: Path
) -> None:
    (project / ".git").mkdir()
    (project / link).symlink_to(target)
    (project / "second").symlink_to("../home")
    done = run("check", "--output-format", f"sarif={file}")
    assert (done.status, done.out) == (2, "")
    told = LED_OUT.format(link=project / link)
    assert done.err == f"errlint: error: {project / file}: {told}\n"
    assert list((project / ".git").iterdir()) == []


def test_a_report_follows_links_that_stay_in_the_project(run: Run, project: Path) -> None:
    (project / "build").mkdir()
    (project / "out.json").symlink_to("build/out.json")
    (project / "reports").symlink_to("build")
    run("check", "--output-format", "json=out.json", "--output-format", "concise=reports/out.txt")
    assert (project / "build/out.json").read_text().startswith("[")
    assert (project / "build/out.txt").read_text().startswith("server.py")
    assert (project / "out.json").is_symlink()


def test_a_report_goes_wherever_the_user_s_own_links_lead(
    run: Run, project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "folder").mkdir()
    (elsewhere / "link").symlink_to("folder")
    run("check", "--output-format", f"json={elsewhere / 'link' / 'out.json'}")
    assert (elsewhere / "folder/out.json").read_text().startswith("[")


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no such device")
def test_a_report_goes_to_a_device_or_a_pipe(project: Path) -> None:
    command = [sys.executable, "-m", "errlint", "-q", "--output-format", "json=/dev/stdout", "--output-format"]
    done = subprocess.run([*command, "concise=/dev/null"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("[")


def test_a_report_that_was_there_keeps_its_mode_but_for_set_id_bits(run: Run, project: Path) -> None:
    (project / "out.json").write_text("")
    (project / "out.json").chmod(0o4750)
    run("check", "--output-format", "json=out.json")
    assert (project / "out.json").stat().st_mode & 0o7777 == 0o750


def test_a_hard_link_of_a_report_keeps_its_content(run: Run, project: Path) -> None:
    (project / "out.json").hardlink_to("../mine")
    run("check", "--output-format", "json=out.json")
    assert (project / "out.json").read_text().startswith("[")


@pytest.mark.parametrize(
    ("link", "target", "file"),
    [
        pytest.param("docs", "../home", (), id="the folder of the default"),
        pytest.param("docs", "../home", ("docs/sub/errors.md",), id="a folder above"),
        pytest.param("docs", "../home/none", ("docs/errors.md",), id="a folder that is not there"),
    ],
)
def test_catalog_init_does_not_follow_a_link_out_of_the_project(
    link: str, target: str, file: tuple[str, ...], run: Run, project: Path
) -> None:
    (project / link).symlink_to(target)
    done = run("catalog", "init", *file)
    assert done.status == 2
    assert LED_OUT.format(link=project / link) in done.err


def test_catalog_init_does_not_write_through_a_link(run: Run, project: Path) -> None:
    (project / "errors.md").symlink_to("../home/errors.md")
    done = run("catalog", "init", "errors.md")
    assert done.status == 2
    assert "there is such a file already" in done.err


def test_catalog_init_makes_folders_behind_links_that_stay_in_the_project(run: Run, project: Path) -> None:
    (project / "documents").mkdir()
    (project / "docs").symlink_to("documents")
    assert run("catalog", "init", "docs/sub/errors.md").status == 0
    assert (project / "documents/sub/errors.md").is_file()


@pytest.mark.parametrize("name", ["errlint.toml", "pyproject.toml"])
def test_init_write_does_not_follow_a_link_out_of_the_project(name: str, run: Run, project: Path) -> None:
    (project / "errlint.toml").unlink()
    (project / ".git").mkdir()
    (project / name).symlink_to("../mine" if name == "pyproject.toml" else "../home/errlint.toml")
    done = run("init", "--write")
    assert done.status == 2


@pytest.mark.parametrize(
    ("link", "target"),
    [
        pytest.param(JOURNAL, "../home", id="the folder"),
        pytest.param(f"{JOURNAL}/lock", "../../home/lock", id="the lock"),
        pytest.param(f"{JOURNAL}/unfinished", "../../mine", id="the journal"),
    ],
)
def test_a_link_in_place_of_the_journal_stops_the_fix(link: str, target: str, project: Path) -> None:
    (project / link).parent.mkdir(exist_ok=True)
    (project / link).symlink_to(target)
    before = (project / "server.py").read_bytes()
    with pytest.raises(FixError) as raised:
        apply(project, [Change("server.py", before, b"# fixed\n")])
    assert JOURNAL in str(raised.value)
    assert (project / "server.py").read_bytes() == before


@pytest.mark.parametrize("name", ["draft", "finished", ".gitignore"])
def test_a_link_in_place_of_another_file_of_the_journal_is_replaced(name: str, project: Path) -> None:
    (project / JOURNAL).mkdir()
    (project / JOURNAL / name).symlink_to("../../mine")
    before = (project / "server.py").read_bytes()
    apply(project, [Change("server.py", before, b"# fixed\n")])
    assert not (project / JOURNAL / name).is_symlink()
    assert undo(project)
    assert (project / "server.py").read_bytes() == before


def test_a_link_in_place_of_what_is_staged_is_replaced(project: Path) -> None:
    from errlint.fix.writing.files import digest

    staged = project / f".errlint-{digest(b'server.py').hex()[:16]}.tmp"
    staged.symlink_to("../mine")
    before = (project / "server.py").read_bytes()
    apply(project, [Change("server.py", before, b"# fixed\n")])
    assert (project / "server.py").read_bytes() == b"# fixed\n"
    assert not (project / "server.py").is_symlink()
    assert not staged.is_symlink()


def test_a_file_to_fix_that_is_a_link_out_of_the_project_is_refused(project: Path) -> None:
    (project / "link.py").symlink_to("../mine")
    with pytest.raises(FixError, match="leads out of the project"):
        apply(project, [Change("link.py", MINE, b"# fixed\n")])


def test_a_folder_that_becomes_a_link_while_files_are_replaced_is_not_followed(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its name is exchanged after the file has been looked at, before it is renamed."""
    from errlint.fix.writing import files

    (project / "pkg").mkdir()
    (project / "pkg/a.py").write_bytes(b"old\n")
    commit = files.commit

    def exchanged(root: Path, target: Path) -> None:
        (project / "pkg").rename(project / "away")
        (project / "pkg").symlink_to("../home")
        commit(root, target)

    monkeypatch.setattr(files, "commit", exchanged)
    with pytest.raises(FixError):
        apply(project, [Change("pkg/a.py", b"old\n", b"new\n")])
    assert (project / "away/a.py").read_bytes() == b"old\n"


def test_a_hard_link_of_a_fixed_file_keeps_the_old_content(project: Path) -> None:
    (project / "a.py").hardlink_to("../mine")
    apply(project, [Change("a.py", MINE, b"# fixed\n")])
    assert (project / "a.py").read_bytes() == b"# fixed\n"
