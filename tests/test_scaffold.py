"""``errlint init --scaffold``: where a runtime goes, what is in the way, and that all of it is written or nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Run

from errlint.scaffold import runtime
from errlint.settings import load
from errlint.workspace.writing import Folder

PYPROJECT = '[project]\nname = "svc"  # ours\nrequires-python = ">=3.10"\n'
SCAFFOLD = ("init", "--scaffold", "svc.errors")
REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty project with a package, which is the working directory."""
    (tmp_path / "svc").mkdir()
    (tmp_path / "svc" / "__init__.py").write_text("", "utf-8")
    (tmp_path / "pyproject.toml").write_text(PYPROJECT, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def texts(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".errlint" not in str(path)
    }


def refused(run: Run, *arguments: str) -> str:
    """Return what is said where nothing is written."""
    before = texts(Path.cwd())
    done = run(*arguments)
    assert (done.status, done.out) == (2, "")
    assert texts(Path.cwd()) == before
    return done.err.removeprefix("errlint: error: ").rstrip("\n").replace(f"{Path.cwd()}", ".")


def test_there_is_a_runtime_for_each_preset_and_for_the_plain_framework() -> None:
    presets = sorted(path.stem for path in (REPOSITORY / "rules" / "conventions").glob("*.toml"))
    assert runtime.conventions() == sorted([*presets, runtime.PLAIN])


@pytest.mark.parametrize("convention", runtime.conventions())
def test_what_is_written_is_told_and_depends_on_nothing_of_errlint(
    convention: str, project: Path, errlint: Run
) -> None:
    named = () if convention == runtime.PLAIN else ("--convention", convention)
    done = errlint(*SCAFFOLD, *named)
    assert (done.status, done.err.count("\n")) == (0, len(done.err.splitlines()))
    written = texts(project)
    assert set(done.out.removesuffix(": written\n").split(": written\n")) == set(written) - {"svc/__init__.py"}
    code = {name: text for name, text in written.items() if name.endswith(".py")}
    assert not [name for name, text in code.items() if "errlint" in text or "PACKAGE" in text or ".shared" in text]
    assert {"svc/errors/__init__.py", "tests/test_errors.py", "tests/test_errors_wrapping.py"} <= set(code)
    assert load(project).settings.policy.name == ("" if convention == runtime.PLAIN else convention)


@pytest.mark.parametrize(("required", "is_told"), [("mcp>=1.3", True), ("fastmcp>=3", False)])
def test_a_framework_that_nothing_requires_is_told(project: Path, errlint: Run, required: str, is_told: bool) -> None:
    text = f'[project]\nname = "svc"\nversion = "1"\ndependencies = ["{required}"]\n'
    (project / "pyproject.toml").write_text(text, "utf-8")
    done = errlint(*SCAFFOLD)
    assert done.status == 0
    assert ("imports `fastmcp`, which the project does not require" in done.err) is is_told


def test_the_convention_is_that_of_the_configuration(project: Path, errlint: Run) -> None:
    (project / "pyproject.toml").write_text(f'{PYPROJECT}\n[tool.errlint]\nconvention = "typed-responses"\n', "utf-8")
    assert errlint(*SCAFFOLD).status == 0
    assert "class ErrorResponse" in texts(project)["svc/errors/responses.py"]


def test_the_convention_may_be_a_file_that_builds_on_a_preset(project: Path, errlint: Run) -> None:
    (project / "ours.toml").write_text('convention = "typed-responses"\n', "utf-8")
    (project / "errlint.toml").write_text('convention = "./ours.toml"\n', "utf-8")
    assert errlint(*SCAFFOLD).status == 0
    assert "class ErrorResponse" in texts(project)["svc/errors/responses.py"]
    assert texts(project)["errlint.toml"].startswith('convention = "./ours.toml"\n')


def test_a_configuration_keeps_its_order_and_its_comments(project: Path, errlint: Run) -> None:
    before = (
        f"{PYPROJECT}\n[tool.errlint] # mine\n# not in here\nextend-exclude = ['build'] # odd quotes\n\n"
        "[tool.errlint.exceptions.messages]\n'gone*' = 'svc.Gone'\n\n[tool.ruff]\nline-length = 100\n"
    )
    (project / "pyproject.toml").write_text(before, "utf-8")
    assert errlint(*SCAFFOLD, "--convention", "problem-details").status == 0
    after = texts(project)["pyproject.toml"]
    lines = after.splitlines()
    assert [line for line in before.splitlines() if line not in lines] == []
    assert [lines.index(line) for line in before.splitlines() if line] == sorted(
        lines.index(line) for line in before.splitlines() if line
    )
    policy = load(project).settings.policy
    assert policy.exceptions.default == "svc.errors.exceptions.AdapterError"
    assert policy.exceptions.messages["gone*"] == "svc.Gone"
    assert policy.exceptions.messages["Invalid *"] == "svc.errors.exceptions.InvalidRequestError"
    assert policy.boundaries[0].decorator == "svc.errors.boundary.handle_adapter_errors"


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_the_ends_of_lines_of_a_configuration_stay(project: Path, errlint: Run, end: str) -> None:
    (project / "pyproject.toml").write_bytes(PYPROJECT.replace("\n", end).encode())
    assert errlint(*SCAFFOLD).status == 0
    after = (project / "pyproject.toml").read_bytes().decode()
    assert after.startswith(PYPROJECT.replace("\n", end))
    assert after.count("\n") == after.count(end)


def test_a_configuration_keeps_its_byte_order_mark(project: Path, errlint: Run) -> None:
    (project / "pyproject.toml").write_text(f"\ufeff{PYPROJECT}", "utf-8")
    assert errlint(*SCAFFOLD).status == 0
    assert texts(project)["pyproject.toml"].startswith(f"\ufeff{PYPROJECT}")
    assert load(project).settings.policy.boundaries


def test_a_project_without_a_configuration_gets_one(project: Path, errlint: Run) -> None:
    (project / "pyproject.toml").unlink()
    assert errlint(*SCAFFOLD, "--convention", "problem-details").status == 0
    assert load(project).settings.policy.boundaries[0].converters == (
        "svc.errors.boundary.convert_exception_to_envelope",
    )


def test_a_package_below_src_is_found(project: Path, errlint: Run) -> None:
    (project / "src").mkdir()
    (project / "svc").rename(project / "src" / "svc")
    assert errlint(*SCAFFOLD).status == 0
    assert {"src/svc/errors/boundary.py", "tests/test_errors.py"} <= set(texts(project))


def test_in_a_distribution_of_several_its_own_package_is_meant(
    project: Path, errlint: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / ".git").mkdir()
    inner = project / "servers" / "one"
    (inner / "svc").mkdir(parents=True)
    (project / "errlint.toml").write_text("", "utf-8")
    monkeypatch.chdir(inner)
    assert errlint(*SCAFFOLD).status == 0
    assert {"servers/one/svc/errors/boundary.py", "servers/one/tests/test_errors.py"} <= set(texts(project))
    assert "svc.errors.boundary.answered" in texts(project)["errlint.toml"]


def test_beside_plain_modules_a_package_has_one_name(project: Path, errlint: Run) -> None:
    (project / "server.py").write_text("", "utf-8")
    assert errlint("init", "--scaffold", "failures").status == 0
    assert {"failures/boundary.py", "tests/test_failures.py"} <= set(texts(project))


def test_a_second_time_there_is_nothing_to_write(project: Path, errlint: Run) -> None:
    errlint(*SCAFFOLD, "--convention", "error-reports")
    before = texts(project)
    done = errlint(*SCAFFOLD)
    assert (done.status, done.out) == (0, "`svc.errors` is there already, with nothing to add.\n")
    assert texts(project) == before


def test_what_is_missing_is_written_and_nothing_else(project: Path, errlint: Run) -> None:
    errlint(*SCAFFOLD)
    before = texts(project)
    (project / "svc" / "errors" / "logs.py").unlink()
    assert errlint(*SCAFFOLD).out == "svc/errors/logs.py: written\n"
    assert texts(project) == before


def test_a_dry_run_prints_a_patch_and_writes_nothing(project: Path, errlint: Run) -> None:
    before = texts(project)
    done = errlint(*SCAFFOLD, "--dry-run")
    assert (done.status, texts(project)) == (0, before)
    subprocess.run(["patch", "-p0", "-s"], input=done.out.encode(), check=True)
    patched = texts(project)
    for name in set(patched) - set(before):
        (project / name).unlink()
    (project / "pyproject.toml").write_text(PYPROJECT, "utf-8")
    errlint(*SCAFFOLD)
    assert texts(project) == patched


def test_a_file_that_is_there_is_not_replaced(project: Path, errlint: Run) -> None:
    (project / "tests").mkdir()
    (project / "tests" / "test_errors.py").write_text("mine", "utf-8")
    assert refused(errlint, *SCAFFOLD) == (
        "./tests/test_errors.py: is there already, and is not what would be written (move it away, or give the package "
        "another name; nothing was written)"
    )


def test_a_module_of_the_name_is_in_the_way(project: Path, errlint: Run) -> None:
    (project / "svc" / "errors.py").write_text("", "utf-8")
    assert refused(errlint, *SCAFFOLD) == (
        "./svc/errors.py: `svc.errors` is a module already (give the package another name, or move what the module has "
        "into it first)"
    )


def test_a_setting_that_says_something_else_is_not_replaced(project: Path, errlint: Run) -> None:
    (project / "errlint.toml").write_text('[exceptions]\ndefault = "svc.Failed"\n', "utf-8")
    assert refused(errlint, *SCAFFOLD) == (
        "./errlint.toml:2:1: `exceptions.default` says something else already than what is to be added (take it out, "
        'or make it `"svc.errors.exceptions.OperationError"`)'
    )


def test_a_style_that_is_not_the_convention_s_is_told(project: Path, errlint: Run) -> None:
    (project / "errlint.toml").write_text('style = "raise"\n', "utf-8")
    assert refused(errlint, *SCAFFOLD, "--convention", "typed-responses").startswith(
        "./errlint.toml:1:1: `style` says something else already than what is to be added ("
    )
    assert errlint(*SCAFFOLD, "--convention", "problem-details").status == 0
    assert texts(project)["errlint.toml"].startswith(
        'style = "raise"\n'
        "# Written with the runtime in svc.errors: what raises, what answers, and which codes there are.\n"
        'convention = "problem-details"\n'
    )


@pytest.mark.parametrize(
    ("package", "said"),
    [
        ("svc.my-errors", "`svc.my-errors` is no name of a package"),
        ("svc.class", "`svc.class` is no name of a package"),
        ("svc..errors", "`svc..errors` is no name of a package"),
        ("logging.errors", "`logging.errors` would hide the module `logging` of the standard library"),
        ("other.errors", "there is no package `other` in ., or in a folder around it"),
        ("svc.inner.errors", "there is no package `svc.inner` in ."),
    ],
)
def test_a_package_that_cannot_be_is_refused(package: str, said: str, project: Path, errlint: Run) -> None:
    assert refused(errlint, "init", "--scaffold", package) == (
        f"{said} (name a package in one that is there, as `pkg.errors`)"
    )


def test_a_convention_that_cannot_be_is_refused(project: Path, errlint: Run) -> None:
    assert refused(errlint, *SCAFFOLD, "--convention", "problem-detail") == (
        "there is no runtime for `problem-detail` (did you mean `problem-details`?)"
    )
    (project / "errlint.toml").write_text('convention = "error-reports"\n', "utf-8")
    assert refused(errlint, *SCAFFOLD, "--convention", "problem-details") == (
        "the configured convention is `error-reports` (change the configuration, or leave --convention out)"
    )


def test_a_convention_goes_with_a_scaffold(project: Path, errlint: Run) -> None:
    assert refused(errlint, "init", "--convention", "problem-details") == (
        "--convention goes with --scaffold (`errlint init --scaffold pkg.errors`)"
    )


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", [1, 5, 10, 11])
def test_a_failure_in_the_middle_leaves_nothing(
    step: int, failure: BaseException, project: Path, errlint: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [step]

    def failing(name: str) -> None:
        write = getattr(Folder, name)

        def fail(self: Folder, *arguments: object, **options: object) -> object:
            left[0] -= 1
            if left[0] == 0:
                raise failure
            return write(self, *arguments, **options)

        monkeypatch.setattr(Folder, name, fail)

    failing("create")
    failing("replace")
    before = texts(project)
    done = errlint(*SCAFFOLD)
    assert done.status != 0
    assert (done.out, texts(project), (project / "svc" / "errors").exists()) == ("", before, False)
    if isinstance(failure, OSError):
        assert done.status == 2
        assert "cannot be written: No space left on device (nothing was written)" in done.err


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_out_of_the_project_is_not_followed(
    project: Path, errlint: Run, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (project / "tests").symlink_to(outside)
    assert errlint(*SCAFFOLD).status == 2
    assert list(outside.iterdir()) == []
    assert not (project / "svc" / "errors").exists()


def test_type_checkers_and_linters_accept_what_is_written(project: Path, errlint: Run) -> None:
    pytest.importorskip("mypy")
    pytest.importorskip("ruff")
    for number, convention in enumerate(runtime.conventions()):
        folder = project / f"svc{number}"
        folder.mkdir()
        (folder / "__init__.py").write_text("", "utf-8")
        named = () if convention == runtime.PLAIN else ("--convention", convention)
        assert errlint("init", "--scaffold", f"svc{number}.errors{number}", *named).status == 0
        (project / "pyproject.toml").write_text(PYPROJECT, "utf-8")
    ours = ["--config", str(REPOSITORY / "pyproject.toml"), "--config", "extend-exclude=[]"]
    for command in (
        ["ruff", "check", "--no-cache", "--isolated", "."],
        ["ruff", "check", "--no-cache", *ours, *(f"svc{number}/errors{number}" for number in range(6)), "tests"],
        ["ruff", "format", "--no-cache", "--isolated", "--check", "."],
        ["mypy", "--strict", "."],
    ):
        done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
