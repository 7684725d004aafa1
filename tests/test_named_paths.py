"""A run over named paths reads what can decide about them and no more, and finds what a run over everything does."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from fixture_projects import FIXTURES, presets

from errlint import workers
from errlint.cli import main
from errlint.project.connected import imported

SERVER = """\
from fastmcp import FastMCP
{imports}
mcp = FastMCP("orders")


@mcp.tool()
def get_order(order_id: str) -> dict:
    return {answer}
"""
OWN = SERVER.format(imports="\n", answer='{"error": "no order"}')
BORROWED = SERVER.format(imports="from shared.answers import make_error\n\n", answer="make_error(order_id)")
ANSWERS = 'def make_error(text):\n    return {"error": text}\n'
FILES = {
    "errlint.toml": 'select = ["ALL"]\n',
    "base/pyproject.toml": "",
    "base/src/shared/__init__.py": "",
    "base/src/shared/answers.py": ANSWERS,
    "first/pyproject.toml": "",
    "first/server.py": BORROWED,
    "first/tests/test_server.py": "from server import get_order\n",
    "second/pyproject.toml": "",
    "second/tools.py": 'def look(text):\n    return {"error": text}\n',
    "third/setup.cfg": "",
    "third/register.py": "from fastmcp import FastMCP\nimport tools\n\nmcp = FastMCP('x')\nmcp.add_tool(tools.look)\n",
    "alone/pyproject.toml": "",
    "alone/server.py": OWN,
    "alone/models.py": "class Order:\n    pass\n",
    "other/pyproject.toml": "",
    "other/models.py": "class Order:\n    pass\n",
    "other/server.py": OWN,
    "top.py": OWN,
}


class Report:
    """Runs errlint in the current folder, and knows which files the last run has read as code."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self.read: set[str] = set()
        look = workers.look

        def noted(job: workers.Job, mode: workers.Mode) -> workers.Look:
            self.read.add(job.path)
            return look(job, mode)

        monkeypatch.setattr(workers, "look", noted)

    def __call__(self, *arguments: str) -> list[str]:
        self.read.clear()
        with pytest.raises(SystemExit) as stopped:
            main(["check", "-q", "-j1", "--output-format", "concise", *arguments])
        captured = self._capsys.readouterr()
        assert stopped.value.code in (0, 1), captured.err
        return captured.out.splitlines()


@pytest.fixture
def report(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Report:
    return Report(capsys, monkeypatch)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, FILES)
    return tmp_path


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def below(lines: list[str], path: str) -> list[str]:
    return [line for line in lines if path == "." or line.startswith((f"{path}:", f"{path}/"))]


def distributions(report: Report) -> set[str]:
    return {path.partition("/")[0] for path in report.read}


@pytest.mark.parametrize(
    ("path", "read"),
    [
        pytest.param("alone", {"alone"}, id="a distribution that has nothing to do with others"),
        pytest.param("alone/server.py", {"alone"}, id="a file of it"),
        pytest.param("first", {"first", "base"}, id="with what it imports"),
        pytest.param("base", {"first", "base"}, id="with what imports it"),
        pytest.param("second/tools.py", {"second", "third"}, id="with what registers its functions"),
        pytest.param("top.py", {"top.py"}, id="what belongs to no distribution"),
    ],
)
def test_a_named_path_reads_what_it_can_reach(path: str, read: set[str], project: Path, report: Report) -> None:
    everything = report("--no-cache")
    assert distributions(report) == {"base", "first", "second", "third", "alone", "other", "top.py"}
    assert report("--no-cache", path) == below(everything, path)
    assert distributions(report) == read


def test_a_named_path_reads_what_puts_its_folder_on_the_path(project: Path, report: Report) -> None:
    text = "sys.path.append('../base/src/shared')\n" + BORROWED.replace("shared.answers", "answers")
    (project / "alone/server.py").write_text(text)
    report("--no-cache", "base")
    assert distributions(report) == {"alone", "base", "first"}


def test_several_named_paths_are_looked_at_together(project: Path, report: Report) -> None:
    everything = report("--no-cache")
    found = report("--no-cache", "alone/server.py", "second", "top.py")
    assert found == [line for path in ("alone/server.py", "second", "top.py") for line in below(everything, path)]
    assert distributions(report) == {"alone", "second", "third", "top.py"}


@pytest.fixture
def monorepo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """All fixture projects in one tree, each with the configuration it has."""
    for name in presets():
        shutil.copytree(FIXTURES / name / "violating", tmp_path / name)
        (tmp_path / name / "setup.cfg").touch()
    (tmp_path / "errlint.toml").write_text('select = ["ALL"]\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_each_project_of_many_is_told_what_a_run_over_all_of_them_says(monorepo: Path, report: Report) -> None:
    everything = report("--no-cache")
    for folder in sorted(path.name for path in monorepo.iterdir() if path.is_dir()):
        assert report("--no-cache", folder) == below(everything, folder)
        for file in sorted((monorepo / folder).rglob("*.py"))[::7]:
            name = file.relative_to(monorepo).as_posix()
            assert report("--no-cache", name) == below(everything, name)


def test_runs_over_parts_and_over_everything_use_the_same_facts(project: Path, report: Report) -> None:
    everything = report("--no-cache")
    assert report("alone") == below(everything, "alone")
    assert report() == everything
    assert "alone" not in distributions(report)
    assert report("first") == below(everything, "first")
    assert report.read == set()
    (project / "first/server.py").write_text(BORROWED.replace("order_id)", "'none')"))
    report("first")
    assert report.read <= {"first/server.py"}
    assert report() == report("--no-cache")


def test_a_run_over_a_part_does_not_put_away_the_answer_to_a_run_over_everything(project: Path, report: Report) -> None:
    everything = report()
    (project / "top.py").write_text("")
    report("alone")
    (project / "top.py").write_text(OWN)
    report("alone")
    assert report() == everything
    assert report.read <= {"top.py"}


EDITS: dict[str, tuple[str, str]] = {
    "a helper that is imported": ("base/src/shared/answers.py", 'def make_error(text):\n    return {"order": text}\n'),
    "an import of another distribution": ("alone/server.py", BORROWED),
    "a folder of another distribution on the path": (
        "alone/server.py",
        "sys.path.append('../base/src/shared')\n" + BORROWED.replace("shared.answers", "answers"),
    ),
    "an import that is gone": ("first/server.py", OWN),
    "a registration from elsewhere": ("other/more.py", FILES["third/register.py"].replace("tools", "models")),
    "a new module with a name in use": ("other/tools.py", "VALUE = 1\n"),
    "a file that cannot be parsed": ("base/src/shared/answers.py", "def ("),
    "a test": ("first/tests/test_server.py", "from server import get_order\n\n\ndef test_it():\n    get_order('1')\n"),
}


@pytest.mark.parametrize(("path", "text"), EDITS.values(), ids=EDITS.keys())
@pytest.mark.parametrize("part", ["first", "alone", "second", "base/src/shared/answers.py"])
def test_whatever_was_run_before_an_edit_is_seen_by_all(
    path: str, text: str, part: str, project: Path, report: Report
) -> None:
    report(), report(part)
    (project / path).write_text(text)
    expected = report("--no-cache")
    assert report(part) == below(expected, part)
    assert report() == expected
    assert report("first") == below(expected, "first")


def test_a_method_of_the_same_name_elsewhere_overrides_nothing(project: Path, report: Report) -> None:
    """A base of the same name in a distribution that has nothing to do with this one is another class."""
    store = """\
from fastmcp import FastMCP

mcp = FastMCP("orders")


class OrderError(Exception):
    pass


class Store:
    def load(self, order_id):
        if not order_id:
            raise OrderError("no order")
        return {"order": order_id}


@mcp.tool()
def get_order(order_id: str) -> dict:
    found = Store().load(order_id)
    if "error" in found:
        return {}
    return found
"""
    (project / "alone/server.py").write_text(store)
    (project / "other/more.py").write_text(
        "from elsewhere import Store\n\n\n"
        "class Other(Store):\n    def load(self, order_id):\n        return {'error': order_id}\n"
    )
    everything = report("--no-cache", "--select", "ERR108")
    assert everything == report("--no-cache", "--select", "ERR108", "alone")
    assert [line.split()[1] for line in everything] == ["ERR108"]


def test_an_excluded_folder_is_looked_at_by_itself(project: Path, report: Report) -> None:
    """The project is not compared with what it excludes, nor its documents."""
    (project / "errlint.toml").write_text('exclude = ["alone"]\n[catalog]\nfiles = ["docs/errors.md"]\n')
    write(project, {"docs/errors.md": "| Code | Message |\n|---|---|\n| `E_ORDER` | no order |\n"})
    found = report("--no-cache", "alone")
    assert [line.split()[:2] for line in found] == [["alone/server.py:9:5:", "ERR101"]]
    assert distributions(report) == {"alone"}


def test_documents_are_compared_with_all_of_the_code(project: Path, report: Report) -> None:
    (project / "errlint.toml").write_text('select = ["ALL"]\n[catalog]\nfiles = ["docs/errors.md"]\n')
    write(project, {"docs/errors.md": "| Code | Message |\n|---|---|\n| `E_ORDER` | no order |\n"})
    everything = report("--no-cache")
    assert report("--no-cache", "alone") == below(everything, "alone")
    assert distributions(report) == {"base", "first", "second", "third", "alone", "other", "top.py"}


def test_a_document_alone_is_compared_as_in_a_run_over_everything(project: Path, report: Report) -> None:
    registry = 'from enum import Enum\n\n\nclass ErrorCode(str, Enum):\n    NONE = "NONE"\n'
    (project / "errlint.toml").write_text('[codes]\nregistry = ["ErrorCode"]\n[catalog]\nfiles = ["docs/errors.md"]\n')
    page = "| Code | Message |\n|---|---|\n| `NONE` | none |\n| `E_ORDER` | no order |\n"
    write(project, {"docs/errors.md": page, "other/codes.py": registry})
    found = report("--no-cache", "docs/errors.md")
    assert found == below(report("--no-cache"), "docs")
    assert "ERR502" in [line.split()[1] for line in found]


def test_a_registry_counts_wherever_it_is(project: Path, report: Report) -> None:
    (project / "errlint.toml").write_text('select = ["ALL"]\n[codes]\nregistry = ["models.ErrorCode"]\n')
    write(
        project,
        {
            "other/models.py": 'from enum import Enum\n\n\nclass ErrorCode(str, Enum):\n    NONE = "none"\n',
            "alone/models.py": "",
            "alone/server.py": OWN.replace('{"error"', '{"code": "nome", "error"'),
        },
    )
    everything = report("--no-cache")
    assert report("--no-cache", "alone") == below(everything, "alone")


def test_a_file_on_the_standard_input_counts_with_what_it_imports(
    project: Path, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io
    import sys

    def typed(text: str) -> list[str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        return report("--stdin-filename", "alone/server.py", "-")

    assert [line.split()[1] for line in typed(BORROWED)] == ["ERR102"]
    assert distributions(report) == {"alone", "base", "first"}
    assert [line.split()[1] for line in typed(OWN)] == ["ERR101"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param("import a\nimport b.c as d, e\n", ["a", "b.c", "e"], id="modules"),
        pytest.param("from a.b import c, d as e\n", ["a.b:c", "a.b:d"], id="names"),
        pytest.param("from .a import (\n    b,  # first, of all\n    c as d,\n)\n", [".a:b", ".a:c"], id="in brackets"),
        pytest.param("from . import a\nfrom .. import *\n", [".:a", "..:*"], id="of the package"),
        pytest.param("from a import b, \\\n    c\n", ["a:b", "a:c"], id="on two lines"),
        pytest.param("from a \\\n  import b\r\n", ["a:b"], id="broken before the names"),
        pytest.param("if x: from a import b; import c\n", ["a:b", "c"], id="beside other statements"),
        pytest.param("# import a\nimportant = 1\nreimport = 2\n", [], id="what is none"),
        pytest.param("import a  # import b\n", ["a"], id="a comment behind one"),
    ],
)
def test_what_a_file_imports_is_told_by_its_text(text: str, names: list[str]) -> None:
    assert list(imported(text.encode())) == names
