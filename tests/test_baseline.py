"""Baselines: old findings stay known wherever they go, new ones are reported, what is mended is noticed."""

from __future__ import annotations

import json
import subprocess
from datetime import date, timedelta
from pathlib import Path

import pytest
from command_line import Run, caller

from errlint.fingerprint import digest

NAME = "errlint-baseline.txt"

SERVER = """\
from fastmcp import FastMCP

mcp = FastMCP("shop")


@mcp.tool()
def find(name: str) -> dict:
    if not name:
        return {"error": "no name"}
    return {"found": name}


@mcp.tool()
def sell(name: str) -> dict:
    try:
        return {"sold": name}
    except KeyError as error:
        return {"error": str(error)}
"""

FRESH = """

@mcp.tool()
def lend(name: str) -> dict:
    return {"error": "no name"}
"""


@pytest.fixture
def errlint(capsys: pytest.CaptureFixture[str]) -> Run:
    return caller(capsys)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, errlint: Run) -> Path:
    """Make a server with two known findings the working directory."""
    (tmp_path / "pyproject.toml").write_text(f'[tool.errlint]\nbaseline = "{NAME}"\n', encoding="utf-8")
    (tmp_path / "server.py").write_text(SERVER, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert errlint("baseline", "write").status == 0
    return tmp_path


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def reported(errlint: Run, *arguments: str) -> list[str]:
    """Return file, line and code of what is reported."""
    done = errlint("check", "--output-format", "concise", "-q", *arguments)
    found = [line.split(" ")[:2] for line in done.out.splitlines()]
    assert done.status == int(bool(found)), done
    return [f"{place.rpartition(':')[0].rpartition(':')[0]} {code}" for place, code in found]


def test_what_is_in_the_baseline_is_not_reported(project: Path, errlint: Run) -> None:
    done = errlint("check")
    assert (done.status, done.out) == (0, "All checks passed (1 file checked, 2 findings known before).\n")


def test_the_baseline_is_a_sorted_line_a_finding(project: Path) -> None:
    lines = (project / NAME).read_text(encoding="utf-8").splitlines()
    known = [line.split() for line in lines if line and not line.startswith("#")]
    assert [words[:3] for words in known] == [["server.py:", "ERR101", "find"], ["server.py:", "ERR101", "sell"]]


def test_without_the_baseline_all_is_reported(project: Path, errlint: Run) -> None:
    assert reported(errlint, "--no-baseline") == ["server.py:9 ERR101", "server.py:18 ERR101"]


def test_a_new_finding_is_reported(project: Path, errlint: Run) -> None:
    (project / "server.py").write_text(SERVER + FRESH, encoding="utf-8")
    assert reported(errlint) == ["server.py:23 ERR101"]


def test_another_violation_in_the_place_of_an_old_one_is_reported(project: Path, errlint: Run) -> None:
    edit(project / "server.py", '        return {"error": "no name"}\n', '        raise ValueError("no name")\n')
    (project / "server.py").write_text((project / "server.py").read_text() + FRESH, encoding="utf-8")
    assert reported(errlint) == ["server.py:23 ERR101"]


def test_the_same_statement_a_second_time_in_a_function_is_reported(project: Path, errlint: Run) -> None:
    twice = '    if name == "-":\n        return {"error": "no name"}\n    return {"found": name}\n'
    edit(project / "server.py", '    return {"found": name}\n', twice)
    assert reported(errlint) == ["server.py:11 ERR101"]


MOVES = {
    "lines before it": ("mcp = Fast", "# the shop\n\nmcp = Fast"),
    "another layout": ('return {"error": str(error)}', "return {\n            'error': str(error),  # told\n        }"),
    "parentheses around it": ('return {"error": "no name"}', 'return (\n            {"error": "no name"}\n        )'),
    "other quotes": ('{"error": str(error)}', "{'error': str(error)}"),
    "a text in two": ('{"error": "no name"}', '{"error": "no "\n                "name"}'),
    "a new name of the function": ("def sell(", "def sell_one("),
    "a new name of a variable": (
        'except KeyError as error:\n        return {"error": str(error)}',
        'except KeyError as gone:\n        return {"error": str(gone)}',
    ),
    "new names of both": (
        'sell(name: str) -> dict:\n    try:\n        return {"sold": name}\n    except KeyError as error:\n'
        '        return {"error": str(error)}',
        'sell_one(name: str) -> dict:\n    try:\n        return {"sold": name}\n    except KeyError as gone:\n'
        '        return {"error": str(gone)}',
    ),
}


@pytest.mark.parametrize(("old", "new"), MOVES.values(), ids=MOVES)
def test_old_code_that_looks_otherwise_stays_known(project: Path, errlint: Run, old: str, new: str) -> None:
    edit(project / "server.py", old, new)
    assert reported(errlint) == []
    assert errlint("baseline", "check").status == 0


def test_layout_in_the_holes_of_a_text_is_layout() -> None:
    assert digest('return f"up to {len(names)-1}"') == digest('return f"up to {len(names) - 1}"')


def test_quotes_in_the_holes_of_a_text_count_as_any() -> None:
    assert digest("""return f"no {names['first']}\"""") == digest("""return f'no { names["first"] }'""")


SWAPS = {
    "another text": ('return {"error": "no name"}', 'return {"error": "no such name"}'),
    "another key": ('return {"error": str(error)}', 'return {"error": str(error), "code": 1}'),
    "another attribute": ('return {"error": str(error)}', 'return {"error": error.args}'),
}


@pytest.mark.parametrize(("old", "new"), SWAPS.values(), ids=SWAPS)
def test_a_statement_that_says_something_else_is_reported(project: Path, errlint: Run, old: str, new: str) -> None:
    edit(project / "server.py", old, new)
    assert len(reported(errlint)) == 1


def test_a_factory_with_another_name_stays_known_where_it_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, errlint: Run
) -> None:
    factory = "def failed(text):\n    return {'error': text}\n\n\n"
    code = SERVER.replace("@mcp", f"{factory}@mcp", 1).replace('{"error": "no name"}', 'failed("no name")')
    (tmp_path / "pyproject.toml").write_text(f'[tool.errlint]\nbaseline = "{NAME}"\n', encoding="utf-8")
    (tmp_path / "server.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    errlint("baseline", "write")
    edit(tmp_path / "server.py", "failed", "refused")
    assert reported(errlint) == []
    assert errlint("baseline", "check").status == 0


def test_a_function_with_another_name_in_another_file_stays_known_by_its_text(project: Path, errlint: Run) -> None:
    head, mark, _ = SERVER.partition("@mcp.tool()\n")
    sell = SERVER.rpartition(mark)[2]
    find = SERVER[len(head) : -len(mark) - len(sell)].replace("find(", "find_one(")
    (project / "server.py").write_text(head + mark + sell, encoding="utf-8")
    (project / "finding.py").write_text(f"from server import mcp\n\n\n{find}", encoding="utf-8")
    assert reported(errlint) == []


def test_what_moved_under_another_name_with_it_stays_known(project: Path, errlint: Run) -> None:
    both = SERVER.replace(
        "    except KeyError", '    except OSError:\n        return {"error": "not today"}\n    except KeyError'
    )
    (project / "server.py").write_text(both, encoding="utf-8")
    errlint("baseline", "write")
    (project / "server.py").unlink()
    (project / "shop.py").write_text(both.replace("sell(", "sell_one("), encoding="utf-8")
    assert reported(errlint) == []
    assert errlint("baseline", "check").status == 0


def test_a_copy_below_another_function_of_a_file_with_another_name_is_reported(project: Path, errlint: Run) -> None:
    (project / "server.py").unlink()
    mended = SERVER.replace('return {"error": "no name"}', 'raise ValueError("no name")')
    (project / "shop.py").write_text(mended + FRESH, encoding="utf-8")
    assert reported(errlint) == ["shop.py:23 ERR101"]


METHODS = """\
class Small:
    def run(self) -> dict:
        if self:
            return {"error": "too small"}
        return {"ran": 1}


class Large:
    def run(self) -> dict:
        if self:
            return {"error": "too large"}
        return {"ran": 2}
"""


def test_a_method_stays_known_where_another_class_keeps_one_of_its_name(project: Path, errlint: Run) -> None:
    (project / "jobs.py").write_text(METHODS, encoding="utf-8")
    errlint("baseline", "write")
    small, _, large = METHODS.partition("\n\nclass Large")
    (project / "jobs.py").write_text(small, encoding="utf-8")
    (project / "large.py").write_text(f"class Large{large}", encoding="utf-8")
    assert reported(errlint) == []
    assert errlint("baseline", "check").status == 0


def test_a_copy_of_a_method_is_reported(project: Path, errlint: Run) -> None:
    (project / "jobs.py").write_text(METHODS, encoding="utf-8")
    errlint("baseline", "write")
    (project / "more.py").write_text(METHODS, encoding="utf-8")
    assert reported(errlint) == ["more.py:4 ERR101", "more.py:11 ERR101"]


def test_a_file_with_another_name_stays_known(project: Path, errlint: Run) -> None:
    (project / "server.py").rename(project / "shop.py")
    assert reported(errlint) == []


def test_a_function_that_went_to_another_file_stays_known(project: Path, errlint: Run) -> None:
    head, mark, sell = SERVER.rpartition("@mcp.tool()\n")
    (project / "server.py").write_text(head, encoding="utf-8")
    (project / "sales.py").write_text(f"from server import mcp\n\n\n{mark}{sell}", encoding="utf-8")
    assert reported(errlint) == []
    assert errlint("baseline", "prune").status == 0
    assert "sales.py: ERR101 sell" in (project / NAME).read_text(encoding="utf-8")
    assert reported(errlint) == []


def test_what_is_mended_fails_the_check_until_it_is_pruned(project: Path, errlint: Run) -> None:
    edit(project / "server.py", '        return {"error": "no name"}\n', '        raise ValueError("no name")\n')
    done = errlint("check")
    assert (done.status, "1 finding of it is not there any more" in done.err) == (0, True)
    done = errlint("baseline", "check")
    assert (done.status, done.out) == (
        1,
        f"{NAME}:4: ERR101 in server.py is not there any more; `errlint baseline prune` takes it out\n",
    )
    assert errlint("baseline", "prune").out == f"Took out 1 finding; {NAME} has 1 finding.\n"
    assert errlint("baseline", "check").status == 0
    before = (project / NAME).read_bytes()
    errlint("baseline", "prune")
    assert (project / NAME).read_bytes() == before


def test_a_run_over_other_rules_finds_nothing_mended(project: Path, errlint: Run) -> None:
    assert errlint("check", "--select", "ERR2").err == ""


def test_what_is_listed_of_rules_that_do_not_run_stays(project: Path, errlint: Run) -> None:
    before = (project / NAME).read_bytes()
    (project / "pyproject.toml").write_text(
        f'[tool.errlint]\nbaseline = "{NAME}"\nselect = ["ERR2"]\n', encoding="utf-8"
    )
    assert errlint("baseline", "write").out == f"Wrote 2 findings to {NAME} (0 new, 0 no longer there).\n"
    assert (project / NAME).read_bytes() == before


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_two_branches_that_add_or_remove_lines_beside_each_other_merge(project: Path, errlint: Run) -> None:
    (project / NAME).unlink()
    git(project, "init", "--quiet", "--initial-branch", "main")
    (project / ".gitattributes").write_text("*.png binary", encoding="utf-8")
    assert "Told git in .gitattributes to keep the lines of both sides" in errlint("baseline", "write").out
    assert (project / ".gitattributes").read_text() == f"*.png binary\n{NAME} merge=union\n"
    assert "Told git" not in errlint("baseline", "write").out
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "start")
    for branch in ("left", "right"):
        git(project, "switch", "--quiet", "--create", branch, "main")
        (project / f"{branch}.py").write_text(SERVER, encoding="utf-8")
        errlint("baseline", "write")
        git(project, "add", "--all")
        git(project, "commit", "--quiet", "--message", branch)
    git(project, "merge", "--quiet", "--no-edit", "left")
    assert reported(errlint) == []
    assert errlint("baseline", "check").status == 0


def test_a_run_over_other_files_finds_nothing_mended(project: Path, errlint: Run) -> None:
    (project / "other.py").write_text("", encoding="utf-8")
    edit(project / "server.py", '        return {"error": "no name"}\n', '        raise ValueError("no name")\n')
    assert errlint("check", "other.py").err == ""


def test_a_named_file_is_compared_with_the_baseline(project: Path, errlint: Run) -> None:
    (project / "server.py").write_text(SERVER + FRESH, encoding="utf-8")
    assert reported(errlint, "server.py") == ["server.py:23 ERR101"]


@pytest.mark.parametrize(("days", "status"), [(1, 0), (-1, 1)])
def test_a_finding_counts_up_to_its_day(project: Path, errlint: Run, days: int, status: int) -> None:
    day = (date.today() + timedelta(days)).isoformat()
    (project / NAME).unlink()
    errlint("baseline", "write", "--until", day, "--reason", "clients are  asked")
    assert f"  # until {day}: clients are asked\n" in (project / NAME).read_text(encoding="utf-8")
    assert errlint("check").status == status
    done = errlint("baseline", "check")
    assert (done.status, f"was to be mended by {day}" in done.out) == (status, bool(status))


def test_what_was_said_of_a_finding_stays(project: Path, errlint: Run) -> None:
    edit(project / NAME, "\n", "\n")
    lines = [
        f"{line}  # old clients" if " sell " in line else line for line in (project / NAME).read_text().splitlines()
    ]
    (project / NAME).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (project / "server.py").write_text("\n" + SERVER + FRESH, encoding="utf-8")
    done = errlint("baseline", "write", "--reason", "found in May")
    assert done.out == f"Wrote 3 findings to {NAME} (1 new, 0 no longer there).\n"
    told = [line.partition("  # ")[2] for line in (project / NAME).read_text().splitlines() if "ERR101" in line]
    assert told == ["", "found in May", "old clients"]


def test_the_first_baseline_says_what_to_configure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, errlint: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    (tmp_path / "server.py").write_text(SERVER, encoding="utf-8")
    assert errlint("baseline", "write").out.endswith(f'\n\nbaseline = "{NAME}"\n')
    assert reported(errlint, "--baseline", NAME) == []


CONFIGURED = {
    "none": ({}, "errlint.toml", f'baseline = "{NAME}"\n'),
    "a pyproject.toml of others": (
        {"pyproject.toml": "[project]\nname = 'a'\n"},
        "pyproject.toml",
        f"[project]\nname = 'a'\n\n[tool.errlint]\nbaseline = \"{NAME}\"\n",
    ),
    "one with comments": (
        {"pyproject.toml": "[tool.errlint]\n# ours\nselect = ['ERR1']\n"},
        "pyproject.toml",
        f"[tool.errlint]\n# ours\nselect = ['ERR1']\nbaseline = \"{NAME}\"\n",
    ),
}


@pytest.mark.parametrize(("files", "name", "expected"), CONFIGURED.values(), ids=CONFIGURED)
def test_the_baseline_can_be_named_in_the_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, errlint: Run, files: dict[str, str], name: str, expected: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "server.py").write_text(SERVER, encoding="utf-8")
    for path, text in files.items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    assert errlint("baseline", "write", "--configure").out.endswith(f"\nNamed it in {name}.\n")
    assert (tmp_path / name).read_text(encoding="utf-8") == expected
    assert reported(errlint) == []
    assert "Named it" not in errlint("baseline", "write", "--configure").out


def test_another_baseline_is_not_put_in_the_place_of_a_configured_one(project: Path, errlint: Run) -> None:
    done = errlint("baseline", "write", "--configure", "other.txt")
    assert (done.status, done.err) == (
        2,
        "errlint: error: the configuration names another baseline (change `baseline` there)\n",
    )


def test_a_file_that_cannot_be_parsed_is_always_reported(project: Path, errlint: Run) -> None:
    (project / "broken.py").write_text("def\n", encoding="utf-8")
    assert errlint("baseline", "write").out == f"Wrote 2 findings to {NAME} (0 new, 0 no longer there).\n"
    assert reported(errlint) == ["broken.py:1 ERR904"]


FAULTS = {
    "no line of a baseline": ("server.py ERR101\n", "1:1: this is no line of a baseline"),
    "a rule that there is not": ("a.py: ERR999 f 0123456789abcdef\n", "1:1: this is no line of a baseline"),
    "a day that there is not": ("a.py: ERR101 f 0123456789abcdef  # until 2027-02-30\n", "1:1: this is no line"),
    "an unfinished merge": ("# old\n<<<<<<< ours\n", "2:1: a merge was left unfinished"),
}


@pytest.mark.parametrize(("text", "message"), FAULTS.values(), ids=FAULTS)
def test_a_baseline_that_means_nothing_is_told_with_its_line(
    project: Path, errlint: Run, text: str, message: str
) -> None:
    (project / NAME).write_text(text, encoding="utf-8")
    done = errlint("check")
    assert (done.status, f"error: {NAME}:{message}" in done.err) == (2, True), done.err


def test_a_baseline_that_is_not_there_is_told(project: Path, errlint: Run) -> None:
    (project / NAME).unlink()
    done = errlint("check")
    assert (done.status, done.err) == (
        2,
        f"errlint: error: {NAME}: there is no such baseline (`errlint baseline write` makes it)\n",
    )


def test_a_project_does_not_decide_where_else_a_baseline_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, errlint: Run
) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "pyproject.toml").write_text('[tool.errlint]\nbaseline = "../out.txt"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path / "inside")
    done = errlint("baseline", "write")
    assert (done.status, "leads out of the project" in done.err) == (2, True)
    assert not (tmp_path / "out.txt").exists()


def test_names_of_files_may_hold_anything_that_a_line_holds(project: Path, errlint: Run) -> None:
    for name in ("a b.py", "né: x.py", '"q".py', "# no.py"):
        (project / name).write_text(SERVER, encoding="utf-8")
    errlint("baseline", "write")
    assert reported(errlint) == []
    assert errlint("baseline", "check").status == 0


def test_where_a_project_stands(project: Path, errlint: Run) -> None:
    edit(project / "server.py", '        return {"error": "no name"}\n', '        raise ValueError("no name")\n')
    found = json.loads(errlint("baseline", "show", "--output-format", "json").out)
    assert (found["total"], found["stale"], found["new"]) == (2, 1, 0)
    assert found["by_rule"] == [{"name": "ERR101 hand-built-error-return", "known": 2, "stale": 1}]
    assert errlint("baseline", "show").out.startswith(
        f"{NAME}: 2 findings, 1 of them mended; 0 new ones are not in it."
    )


def test_a_fix_leaves_what_is_known(project: Path, errlint: Run) -> None:
    (project / "server.py").write_text(SERVER + FRESH, encoding="utf-8")
    diff = errlint("check", "--diff", "--unsafe-fixes").out
    assert diff.count('-    return {"error": "no name"}') == 1
    assert '-        return {"error": str(error)}' not in diff


def test_a_line_may_have_the_name_of_its_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, errlint: Run) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "server.py").write_text(SERVER, encoding="utf-8")
    errlint("baseline", "write")
    baseline = tmp_path / NAME
    written = baseline.read_text(encoding="utf-8")
    assert ": ERR101 " in written
    baseline.write_text(written.replace(": ERR101 ", ": hand-built-error-return "), encoding="utf-8")
    assert errlint("check", "--no-cache", "--baseline", NAME).status == 0
    errlint("baseline", "write")
    assert baseline.read_text(encoding="utf-8") == written
    baseline.write_text(written.replace(": ERR101 ", ": hand-build-error "), encoding="utf-8")
    done = errlint("check", "--no-cache", "--baseline", NAME)
    assert done.status == 2
    assert ":4:1: this is no line of a baseline" in done.err


BUILDERS = """\
from fastmcp import FastMCP

mcp = FastMCP("shop")


def _failed(PARAMETERS):
    return {"error": text}


@mcp.tool()
def NAME(name: str) -> dict:
    return name or _failed(name, name)
"""


@pytest.mark.parametrize("header", ["text", "code, text"], ids=["of one header", "of two"])
def test_the_one_finding_of_several_builders_stays_known_whatever_file_is_renamed(
    project: Path, errlint: Run, header: str
) -> None:
    for file, parameters in (("b", "text"), ("c", header)):
        text = BUILDERS.replace("PARAMETERS", parameters).replace("NAME", file)
        (project / f"{file}.py").write_text(text, encoding="utf-8")
    assert errlint("baseline", "write").status == 0
    assert "ERR106" in (project / NAME).read_text("utf-8")
    (project / "c.py").rename(project / "a.py")
    renamed = errlint("--no-cache", "--select", "ERR106")
    assert renamed.out.startswith("All checks passed"), renamed.out
    (project / "a.py").rename(project / "z.py")
    assert errlint("--no-cache", "--select", "ERR106").status == 0


def test_builders_that_were_no_finding_before_are_new(project: Path, errlint: Run) -> None:
    (project / "b.py").write_text(BUILDERS.replace("PARAMETERS", "text").replace("NAME", "b"), encoding="utf-8")
    assert errlint("baseline", "write").status == 0
    (project / "c.py").write_text(BUILDERS.replace("PARAMETERS", "text").replace("NAME", "c"), encoding="utf-8")
    assert "b.py:6:1: ERR106" in errlint("--no-cache", "--select", "ERR106", "--output-format", "concise").out
