"""What docs/security.md promises about git: nothing of a repository is run, wherever errlint is started and on what.

Each repository here is hostile: each has a way to run a command, or to have git write or read elsewhere.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from errlint.cli import main
from errlint.discover import Discovered, discover, start
from errlint.patterns import Patterns

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the commands are written for a POSIX shell")

CODE = """\
def find(name):
    return name  # errlint: ignore[ERR101] -- nothing is ignored here
"""
CATALOG = """\
# Errors

<!-- errlint: begin errors -->
<!-- errlint: end errors -->
"""


@pytest.fixture(autouse=True)
def no_settings_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")] + ["PRE_COMMIT", "ERRLINT_CACHE_DIR"]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))


def git(root: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always")
    done = subprocess.run(["git", *identity, "-C", str(root), *arguments], check=True, capture_output=True)
    return os.fsdecode(done.stdout)


def repository(root: Path, names: tuple[str, ...] = ("server.py", "sub/tool.py", "docs/errors.md")) -> Path:
    """Make a repository in which these files are committed."""
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q")
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(CATALOG if name.endswith(".md") else CODE)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def command(root: Path) -> str:
    """Make a command that leaves a trace beside the repository, and does what any filter or hook has to."""
    path = root.parent / "command.sh"
    path.write_text(f"#!/bin/sh\ntouch '{root.parent / 'trace'}'\nexec cat\n")
    path.chmod(0o755)
    return str(path)


def changed(root: Path) -> None:
    """Give a file another time, so that git has to look at its content."""
    os.utime(root / "server.py", (1, 1))


def with_fsmonitor(root: Path) -> None:
    git(root, "config", "core.fsmonitor", command(root))


def with_fsmonitor_of_the_index(root: Path) -> None:
    with_fsmonitor(root)
    git(root, "update-index", "--fsmonitor")


def with_clean_filter(root: Path) -> None:
    (root / ".gitattributes").write_text("* filter=own\n")
    git(root, "config", "filter.own.clean", command(root))
    changed(root)


def with_filter_process(root: Path) -> None:
    (root / ".git/info").mkdir(exist_ok=True)
    (root / ".git/info/attributes").write_text("* filter=own\n")
    git(root, "config", "filter.own.process", command(root))
    git(root, "config", "filter.own.required", "true")
    changed(root)


def with_diff_commands(root: Path) -> None:
    (root / ".gitattributes").write_text("* diff=own\n")
    git(root, "config", "diff.own.textconv", command(root))
    git(root, "config", "diff.own.command", command(root))
    git(root, "config", "diff.external", command(root))
    (root / "server.py").write_text(CODE + "\n")


def with_hooks(root: Path) -> None:
    hooks = root / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "reference-transaction", "fsmonitor-watchman", "pre-commit"):
        (hooks / name).symlink_to(command(root))
    git(root, "config", "core.hooksPath", "hooks")
    changed(root)


def with_pagers(root: Path) -> None:
    for name in ("core.pager", "pager.ls-files", "pager.diff", "pager.status", "core.editor", "alias.ls-files"):
        git(root, "config", name, command(root))


def with_an_included_file(root: Path) -> None:
    (root / "shared.config").write_text(f"[core]\n\tfsmonitor = {command(root)}\n")
    git(root, "config", "include.path", "../shared.config")


def with_worktree_configuration(root: Path) -> None:
    git(root, "config", "extensions.worktreeConfig", "true")
    (root / ".git/config.worktree").write_text(f"[core]\n\tfsmonitor = {command(root)}\n")


def with_trace_files(root: Path) -> None:
    for name in ("normalTarget", "eventTarget", "perfTarget"):
        git(root, "config", f"trace2.{name}", str(root.parent / "trace"))


def with_a_missing_object_to_fetch(root: Path) -> None:
    tree = git(root, "rev-parse", "HEAD^{tree}").strip()
    (root / ".git/objects" / tree[:2] / tree[2:]).unlink()
    git(root, "config", "extensions.partialClone", "origin")
    git(root, "config", "core.repositoryFormatVersion", "1")
    git(root, "config", "remote.origin.url", str(root.parent))
    git(root, "config", "remote.origin.promisor", "true")
    git(root, "config", "remote.origin.uploadpack", command(root))


def with_an_embedded_bare_repository(root: Path) -> None:
    git(root, "init", "-q", "--bare", str(root / "sub"))
    git(root / "sub", "--git-dir=.", "config", "core.fsmonitor", command(root))
    git(root / "sub", "--git-dir=.", "config", "core.bare", "false")
    git(root / "sub", "--git-dir=.", "config", "core.worktree", ".")


def with_a_repository_inside(root: Path) -> None:
    with_fsmonitor_of_the_index(repository(root / "sub", ("inner.py",)))


def with_a_submodule(root: Path) -> None:
    library = repository(root.parent / "library", ("inner.py",))
    git(root, "submodule", "--quiet", "add", str(library), "sub/library")
    git(root, "commit", "-qm", "with the library")
    git(root / "sub/library", "config", "core.fsmonitor", command(root))
    (root / "sub/library/inner.py").write_text(CODE + "\n")


HOSTILE = [
    with_fsmonitor, with_fsmonitor_of_the_index, with_clean_filter, with_filter_process, with_diff_commands, with_hooks,
    with_pagers, with_an_included_file, with_worktree_configuration, with_trace_files, with_a_missing_object_to_fetch,
    with_an_embedded_bare_repository, with_a_repository_inside, with_a_submodule,
]  # fmt: skip

COMMANDS = {
    "check": (),
    "check a file": ("{root}/server.py",),
    "check a folder": ("{root}/sub",),
    "list the files": ("--show-files",),
    "fix": ("--fix", "--unsafe-fixes", "--extend-select", "ERR901"),
    "show fixes": ("--diff", "--extend-select", "ERR901"),
    "catalog check": ("catalog", "check"),
    "catalog write": ("catalog", "write"),
    "catalog show": ("catalog", "show"),
    "undo": ("undo",),
    "init": ("init",),
    "explain": ("explain", "{root}/server.py:2"),
    "show settings": ("--show-settings",),
}


def run(cwd: Path, root: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a command line; with what it says and ends is nothing the matter here."""
    monkeypatch.chdir(cwd)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(SystemExit):
        main([argument.format(root=root) for argument in arguments])


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda each: each.__name__.replace("_", " "))
@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_of_a_repository_is_run(
    name: str, hostile: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path / "root")
    hostile(root)
    (tmp_path / "trace").unlink(missing_ok=True)
    (tmp_path / "elsewhere").mkdir()
    for cwd in (root, root / "sub", tmp_path / "elsewhere"):
        run(cwd, root, COMMANDS[name], monkeypatch)
        assert not (tmp_path / "trace").exists(), f"started in {cwd}"


def test_a_project_inside_a_bare_repository_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path / "root")
    with_an_embedded_bare_repository(root)
    (root / "sub/errlint.toml").write_text("")
    run(root / "sub", root, (), monkeypatch)
    assert not (tmp_path / "trace").exists()


@pytest.mark.parametrize("named", ["{root}/dist", "{root}/dist/tool.py"])
def test_a_folder_that_is_excluded_and_named_runs_nothing(
    named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path / "root")
    with_an_embedded_bare_repository(root)
    (root / "sub").rename(root / "dist")
    for cwd in (root, root / "dist"):
        run(cwd, root, (named,), monkeypatch)
        assert not (tmp_path / "trace").exists(), f"started in {cwd}"


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda each: each.__name__.replace("_", " "))
def test_asking_what_is_tracked_runs_nothing(hostile: Callable[[Path], None], tmp_path: Path) -> None:
    from errlint.workspace.git import tracked

    root = repository(tmp_path / "root")
    hostile(root)
    (tmp_path / "trace").unlink(missing_ok=True)
    assert tracked(root, ["server.py", "new.py"]) == {"server.py"}
    assert not (tmp_path / "trace").exists()


def test_what_is_tracked_is_known(tmp_path: Path) -> None:
    from errlint.workspace.git import tracked

    root = repository(tmp_path, ("a.py", "kept/state", "Upper/state", "sub/b.py"))
    asked = ["a.py", "new.py", "kept", "upper", "ke", "sub/b.py", "sub/none.py"]
    assert tracked(root, asked) == {"a.py", "kept", "upper", "sub/b.py"}
    assert tracked(root / "sub", ["b.py", "a.py"]) == {"b.py"}


def test_without_git_nothing_is_tracked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from errlint.workspace.git import tracked

    assert tracked(tmp_path, ["a.py"]) == frozenset()
    root = repository(tmp_path, ("a.py",))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert tracked(root, ["a.py"]) == frozenset()


def test_a_configured_work_tree_does_not_lead_elsewhere(tmp_path: Path) -> None:
    root = repository(tmp_path / "root")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/private.py").write_text("")
    (root / "new.py").write_text("")
    git(root, "config", "core.worktree", str(tmp_path / "elsewhere"))
    assert listed(root).files == ("new.py", "server.py", "sub/tool.py")


@pytest.mark.parametrize("name", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_NAMESPACE"])
def test_the_environment_does_not_lead_git_elsewhere(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path / "root")
    other = repository(tmp_path / "other", ("private.py",))
    values = {"GIT_INDEX_FILE": other / ".git/index", "GIT_WORK_TREE": other}
    monkeypatch.setenv(name, str(values.get(name, other / ".git")))
    (root / "new.py").write_text("")
    assert listed(root).files == ("new.py", "server.py", "sub/tool.py")


@pytest.mark.parametrize("name", ["GIT_TRACE", "GIT_TRACE2_EVENT", "GIT_TRACE_SETUP"])
def test_the_environment_of_a_hook_makes_git_write_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path / "root")
    monkeypatch.setenv(name, str(tmp_path / "trace"))
    assert listed(root).files == ("server.py", "sub/tool.py")
    assert not (tmp_path / "trace").exists()


def test_a_program_in_the_current_folder_is_not_taken_for_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path / "root")
    (root / "git").symlink_to(command(root))
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", os.environ["PATH"]]))
    monkeypatch.chdir(root)
    assert listed(root).files == ("server.py", "sub/tool.py")
    assert not (tmp_path / "trace").exists()


def test_git_that_does_not_come_to_an_end_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from errlint.workspace import git as asked

    root = repository(tmp_path / "root")
    os.mkfifo(root / ".gitignore")
    os.mkfifo(root / "sub/.gitignore")
    monkeypatch.setattr(asked, "PATIENCE", 0.2)
    assert listed(root).files == ("server.py", "sub/tool.py")


def test_the_index_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path / "root")
    changed(root)
    before = (root / ".git/index").read_bytes()
    run(root, root, COMMANDS["fix"], monkeypatch)
    assert (root / "server.py").read_text() != CODE, "the file was fixed, so git was asked whether it is committed"
    assert (root / ".git/index").read_bytes() == before


def test_a_filter_of_the_user_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from errlint.fix.writing.guard import require_clean

    root = repository(tmp_path / "root")
    (tmp_path / "user.config").write_text('[filter "own"]\n\tclean = sed s/mine/ours/\n')
    (root / ".gitattributes").write_text("*.py filter=own\n")
    (root / "server.py").write_text("ours\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "second")
    (root / "server.py").write_text("mine\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "user.config"))
    require_clean(root, ["server.py"])


@pytest.mark.parametrize(
    "name", [".git", ".GIT", ".Git", "git~1", "GIT~1", ".git.", ".git ", ".g\u200cit", ".git::$DATA"]
)
def test_every_spelling_of_the_git_folder_is_known(name: str) -> None:
    from errlint.workspace.git import is_inside_git_folder

    assert is_inside_git_folder(("a", name, "config"))


@pytest.mark.parametrize("name", [".github", "git", ".gitignore", "agit~1", "git~2", ".gi", ""])
def test_other_names_are_not_taken_for_it(name: str) -> None:
    from errlint.workspace.git import is_inside_git_folder

    assert not is_inside_git_folder(("a", name, "config"))


@pytest.mark.parametrize("path", ["", os.devnull], ids=["by git", "by walking"])
def test_the_git_folder_in_another_case_has_no_code(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path / "root")
    (root / "sub/.GIT").mkdir()
    (root / "sub/.GIT/hook.py").write_text("")
    monkeypatch.setenv("PATH", path or os.environ["PATH"])
    assert listed(root).files == ("server.py", "sub/tool.py")


def listed(root: Path) -> Discovered:
    return discover(start(root), Patterns(()))


def both(root: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Discovered, Discovered]:
    """List the files of a repository by git, and again where git is not there."""
    by_git = listed(root)
    with monkeypatch.context() as patched:
        patched.setenv("PATH", os.devnull)
        return by_git, listed(root)


def tree(root: Path, files: dict[str, str]) -> Path:
    """Make a repository of files that git has not seen."""
    root.mkdir(exist_ok=True)
    git(root, "init", "-q")
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    return root


PLAIN = dict.fromkeys(
    ("a.py", "b.pyi", "d/a.py", "d/e/a.py", "d/e/f/b.py", "build/a.py", "pyproject.toml", "d/x.md"), ""
)


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({}, id="nothing is ignored"),
        pytest.param({".gitignore": "a.py\n"}, id="a name in all folders"),
        pytest.param({".gitignore": "/a.py\n/d/e/\n"}, id="names in one folder"),
        pytest.param({".gitignore": "a.py\n", "d/.gitignore": "!a.py\n"}, id="taken back in a folder"),
        pytest.param({".gitignore": "d/\n", "d/.gitignore": "!a.py\n"}, id="in an ignored folder"),
        pytest.param({".gitignore": "*\n!*/\n!b.py\n"}, id="all but one name"),
        pytest.param({".gitignore": "d/*\n!d/e\n"}, id="all of a folder but one"),
        pytest.param({".gitignore": "**/e/**\n!**/e/f/\n"}, id="two stars"),
        pytest.param({".gitignore": "a?py\n[^a].pyi\n"}, id="wildcards"),
        pytest.param({".gitignore": "\\a.py\n\\#x\n b.pyi\nx.md \n"}, id="escapes and spaces"),
        pytest.param({".gitignore": "\ufeffa.py\r\nb.pyi\r\n"}, id="of another system"),
        pytest.param({".git/info/exclude": "a.py\n", "d/.gitignore": "!a.py\n"}, id="of this clone only"),
        pytest.param({"../home/git/ignore": "a.py\n", ".git/info/exclude": "!/a.py\n"}, id="of the user"),
        pytest.param({"node_modules/a.py": "", "__pycache__/a.py": "", ".hg/a.py": ""}, id="folders without a rule"),
        pytest.param({".gitignore": "[z-a].py\n[a.py\n[[:lower:]].pyi\n"}, id="brackets"),
    ],
)  # fmt: skip
def test_without_git_the_same_files_are_found(
    files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree(tmp_path / "root", {**PLAIN, **files})
    by_git, walked = both(root, monkeypatch)
    assert walked == by_git
    inner, walked = both(root / "d", monkeypatch)
    assert walked == inner


def test_without_git_the_configured_ignore_file_of_the_user_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree(tmp_path / "root", PLAIN)
    (tmp_path / "mine").write_text("/d\n")
    (tmp_path / "user.config").write_text(f"[core]\n\texcludesFile = {tmp_path / 'mine'}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "user.config"))
    by_git = listed(root)
    (root / ".git/index").write_bytes(b"damaged: git refuses")
    assert listed(root) == by_git
    assert by_git.files == ("a.py", "b.pyi", "build/a.py")


@pytest.mark.parametrize("kind", ["repository", "submodule", "linked work tree", "no repository", "pipe", "link"])
def test_without_git_what_is_inside_is_the_same(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path / "root")
    (root / "inner").mkdir()
    (root / "inner/a.py").write_text("")
    if kind == "repository":
        repository(root / "inner", ("b.py",))
    elif kind == "submodule":
        git(root, "submodule", "--quiet", "add", str(repository(tmp_path / "library", ("b.py",))), "lib")
    elif kind == "linked work tree":
        git(root, "worktree", "add", "-q", "--detach", "tree")
    elif kind == "no repository":
        (root / "inner/.git").mkdir()
    elif kind == "pipe":
        os.mkfifo(root / "inner/b.py")
    else:
        (root / "inner/b.py").symlink_to("a.py")
        (root / "inner/.gitignore").symlink_to(root / "ignored")
        (root / "ignored").write_text("a.py\n")
    by_git, walked = both(root, monkeypatch)
    assert walked == by_git


@pytest.mark.parametrize("kind", ["linked work tree", "submodule"])
def test_a_folder_whose_repository_is_elsewhere_is_listed_by_git(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = repository(tmp_path / "main", ("server.py", "venv/kept.py"))
    if kind == "linked work tree":
        git(main, "worktree", "add", "-q", "--detach", str(tmp_path / "tree"))
        root = tmp_path / "tree"
    else:
        outer = repository(tmp_path / "outer")
        git(outer, "submodule", "--quiet", "add", str(main), "lib")
        root = outer / "lib"
    (root / ".gitignore").write_text("venv\n")
    assert listed(root).files == ("server.py", "venv/kept.py"), "a tracked file is found though it is ignored"


def test_a_repository_with_other_hashes_is_listed_by_git(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256")
    (tmp_path / "kept.py").write_text("")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    (tmp_path / ".gitignore").write_text("*.py\n")
    assert listed(tmp_path).files == ("kept.py",)


_NAMES = st.sampled_from(
    ["a", "b", "a.py", "ab", "**", "*", "a*", "?", "*.py", "[ab]", "[!a]*", "[^b]", "\\a", "*a*b*"]
)
_LINES = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(_NAMES, min_size=1, max_size=3).map("/".join),
    st.sampled_from(["", "", "/", "/**"]),
)
_FILES = st.lists(_LINES, max_size=5).map("\n".join)


@given(outer=_FILES, inner=_FILES, clone=_FILES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_drawn_ignore_files_mean_the_same_without_git(
    outer: str, inner: str, clone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = ("", "a/", "b/", "a/b/", "a/a/", "ab/", "b/a/b/")
    code = {f"{folder}{name}": "" for folder in folders for name in ("a.py", "b.py", "ab.py")}
    root = tmp_path / "root"
    if not root.exists():
        tree(root, code)
    for name, content in ((".gitignore", outer), ("a/.gitignore", inner), (".git/info/exclude", clone)):
        (root / name).write_text(content)
    by_git, walked = both(root, monkeypatch)
    assert walked == by_git
