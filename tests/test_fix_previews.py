"""What reports tell of fixes: edits that an editor can apply, reasons for refusals, marks and counts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from test_fix_command import CONFIGURATION, ERRORS, FIXED_SERVER, FIXED_STOCK, SERVER, STOCK

from errlint.cli import main
from errlint.fix.parts import Part
from errlint.fix.presentation.edits import edits_in
from errlint.fix.source_file import lines

Run = Callable[..., str]

PASSED_ON = SERVER.replace(
    "return take(name)", "try:\n        return take(name)\n    except Exception:\n        return {}"
)
"""A caller that would catch what `take` raises: a fix of `take` has to change it too."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "depot").mkdir()
    files = {"depot/__init__": "", "depot/errors": ERRORS, "depot/server": SERVER, "depot/stock": STOCK}
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text, "utf-8")
    (tmp_path / "errlint.toml").write_text(CONFIGURATION, "utf-8")
    return tmp_path


@pytest.fixture
def run(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> str:
        monkeypatch.chdir(root)
        with pytest.raises(SystemExit):
            main(("--no-cache", *arguments))
        return capsys.readouterr().out

    return run


def applied(text: str, edits: Iterable[Mapping[str, Any]]) -> str:
    """Apply edits as an editor does: by lines and columns of the file as it was, the last one first."""
    lines = [*text.splitlines(keepends=True), ""]
    starts = [sum(map(len, lines[:index])) for index in range(len(lines))]

    def offset(place: Mapping[str, int]) -> int:
        return starts[place["row"] - 1] + place["column"] - 1

    for edit in sorted(edits, key=lambda edit: offset(edit["location"]), reverse=True):
        text = text[: offset(edit["location"])] + edit["content"] + text[offset(edit["end_location"]) :]
    return text


def records(run: Run, *arguments: str) -> dict[str, dict[str, Any]]:
    """Return the records of a run by file and line."""
    found = json.loads(run("--output-format", "json", "--show-fixes", *arguments))
    return {f"{Path(item['filename']).name}:{item['location']['row']}": item for item in found}


def test_the_edits_of_a_finding_make_what_its_fix_alone_makes(run: Run) -> None:
    found = records(run)
    assert applied(STOCK, found["stock.py:8"]["fix"]["edits"]) == FIXED_STOCK
    assert applied(SERVER, found["server.py:12"]["fix"]["edits"]) == FIXED_SERVER


def test_a_fix_under_the_style_return_names_the_declared_type(root: Path, run: Run) -> None:
    answers = "from typing import TypedDict\n\n\nclass Failure(TypedDict):\n    error: str\n"
    (root / "depot/answers.py").write_text(answers, "utf-8")
    (root / "errlint.toml").write_text('style = "return"\n\n[response]\ntypes = ["depot.answers.Failure"]\n', "utf-8")
    assert records(run)["server.py:27"]["fix"]["message"] == "Return `Failure` in `drop`"


def test_a_fix_has_the_field_names_of_ruff(run: Run) -> None:
    fix = records(run)["server.py:12"]["fix"]
    assert fix["applicability"] == "safe"
    assert fix["message"] == "Raise `DepotError` in `fetch`"
    assert fix["edits"][-1] == {
        "content": 'raise DepotError("no name")',
        "location": {"row": 12, "column": 9},
        "end_location": {"row": 12, "column": 47},
    }
    assert (fix["files"], fix["doubts"]) == ([], [])


def test_line_ends_and_columns_are_those_of_the_file(root: Path, run: Run) -> None:
    text = STOCK.replace("no number", "kein Stück 🙂").replace("\n", "\r\n")
    (root / "depot/stock.py").write_bytes(b"\xef\xbb\xbf" + text.encode())
    edits = records(run)["stock.py:8"]["fix"]["edits"]
    expected = FIXED_STOCK.replace("no number", "kein Stück 🙂").replace("\n", "\r\n")
    assert applied(text, edits) == expected


def test_a_fix_of_several_files_is_not_offered_by_halves(root: Path, run: Run) -> None:
    (root / "depot/server.py").write_text(PASSED_ON, "utf-8")
    fix = records(run)["stock.py:8"]["fix"]
    assert fix["edits"] == []
    assert fix["message"] == "Raise `DepotError` in `take`, and change depot/server.py"
    texts = {Path(item["filename"]).name: item["edits"] for item in fix["files"]}
    changed = applied(PASSED_ON, texts["server.py"])
    assert "    except DepotError:\n        raise\n    except Exception:\n" in changed
    compile(changed, "server.py", "exec")
    assert applied(STOCK, texts["stock.py"]) == FIXED_STOCK


def test_each_group_alone_is_valid_where_a_file_has_several(root: Path, run: Run) -> None:
    server = SERVER.replace("from depot.stock import take\n", "").replace("return take(name)", "return {}")
    server = server.replace('"no name", "field": "name"', '"no name"')
    (root / "depot/server.py").write_text(server, "utf-8")
    found = records(run)
    both = [found[place]["fix"]["edits"] for place in ("server.py:11", "server.py:19")]
    for edits, function in zip(both, ("fetch", "store"), strict=True):
        text = applied(server, edits)
        compile(text, "server.py", "exec")
        assert text.count("raise DepotError") == 1
        assert "import DepotError, answered" in text
        before = text[: text.index("raise DepotError")]
        assert before.rindex("def ") == before.index(f"def {function}(")


def test_a_refusal_has_its_reason_and_place(root: Path, run: Run) -> None:
    item = records(run)["server.py:27"]
    assert item["fix"] is None
    assert item["refused"] == [
        {
            "message": "no boundary covers the adapter `drop` (ERR201)",
            "filename": str(root / "depot/server.py"),
            "location": {"row": 25, "column": 1},
            "test": None,
            "hint": "put the boundary on the adapter first: ERR201 does that where one is configured",
        }
    ]


ADAPTERS = {"server.py:12": 10, "server.py:20": 18, "server.py:27": 25, "stock.py:8": 10}
"""The line of the adapter by which each error reaches clients."""


def test_without_a_boundary_or_a_known_framework_every_error_return_is_refused_for_its_adapter(
    root: Path, run: Run
) -> None:
    (root / "errlint.toml").unlink()
    found = records(run, "--select", "ERR1")
    assert found.keys() == ADAPTERS.keys()
    for place, item in found.items():
        assert item["fix"] is None
        (reason,) = item["refused"]
        assert reason == {
            "message": "no boundary is configured, and no framework that answers exceptions is known here: `mcp`",
            "filename": str(root / "depot/server.py"),
            "location": {"row": ADAPTERS[place], "column": 1},
            "test": None,
            "hint": "name what answers exceptions in the configuration (`boundary`), "
            "or register the tools with a framework",
        }


def test_without_a_boundary_the_framework_of_the_adapter_answers_as_a_convention_change(root: Path, run: Run) -> None:
    (root / "errlint.toml").unlink()
    server = SERVER.replace("from server import mcp", "from fastmcp import FastMCP\n\nmcp = FastMCP()")
    (root / "depot/server.py").write_text(server, "utf-8")
    item = records(run, "--select", "ERR1")["server.py:29"]
    assert item["refused"] is None
    fix = item["fix"]
    assert (fix["applicability"], fix["message"]) == ("unsafe", "Raise `ToolError` in `drop` (unsafe)")
    assert fix["doubts"] == [
        {
            "message": "the convention changes the answer: a client gets isError and a text",
            "filename": str(root / "depot/server.py"),
            "location": {"row": 27, "column": 1},
            "test": None,
            "hint": None,
        }
    ]
    after = applied(server, fix["edits"])
    assert 'def drop(name):\n    if not name:\n        raise ToolError("no name")\n' in after
    assert after.count("raise ") == 1
    assert "from fastmcp.exceptions import ToolError\n" in after


def test_timings_show_what_the_planning_took(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)
    for options in (("--show-fixes", "--output-format", "json"), ("--diff",), ("--fix-only",)):
        with pytest.raises(SystemExit):
            main(("--no-cache", "--timings", *options))
        stages = [line.split()[0] for line in capsys.readouterr().err.splitlines() if line.endswith(" ms")]
        assert {"plan", "rewrite", "total"} <= {*stages}


def test_findings_of_rules_without_fixes_have_neither(run: Run) -> None:
    assert {(item["fix"], item["refused"]) for item in records(run, "--select", "ERR107,ERR106").values()} <= {
        (None, None)
    }


def test_the_standard_input_is_what_edits_are_for(root: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    text = f"# new\n{STOCK}"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    fix = records(run, "-", "--stdin-filename", "depot/stock.py")["stock.py:9"]["fix"]
    assert applied(text, fix["edits"]) == f"# new\n{FIXED_STOCK}"
    assert (root / "depot/stock.py").read_text("utf-8") == STOCK


def test_sarif_has_fixes_as_replacements_of_regions(run: Run) -> None:
    results = json.loads(run("--output-format", "sarif", "--show-fixes"))["runs"][0]["results"]
    fixes = {item["locations"][0]["physicalLocation"]["region"]["startLine"]: item.get("fixes") for item in results}
    assert fixes[27] is None
    (fix,) = fixes[12]
    assert fix["description"] == {"text": "Raise `DepotError` in `fetch`"}
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"]["uri"] == "depot/server.py"
    assert change["replacements"][-1] == {
        "deletedRegion": {"startLine": 12, "startColumn": 9, "endLine": 12, "endColumn": 47},
        "insertedContent": {"text": 'raise DepotError("no name")'},
    }


@pytest.mark.parametrize("format", ["json", "jsonl", "sarif"])
def test_fixes_are_planned_only_where_somebody_asks_for_them(run: Run, format: str) -> None:
    plain = run("--output-format", format)
    assert "DepotError(" not in plain
    assert plain != run("--output-format", format, "--show-fixes")
    assert run("--output-format", format, "--show-fixes") == run("--output-format", format, "--diff")


def test_a_diff_as_json_changes_nothing_and_tells_that_it_would(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    for select, status in (("ERR101", 1), ("ERR107", 0)):
        with pytest.raises(SystemExit) as ended:
            main(("--no-cache", "--diff", "--output-format", "json", "--select", select))
        assert ended.value.code == status
    assert (root / "depot/stock.py").read_text("utf-8") == STOCK


def test_edits_in_a_file_go_with_a_diff_on_the_terminal(root: Path, run: Run) -> None:
    diff = run("--diff", "--output-format", "json=edits.json")
    assert diff == run("--diff")
    assert diff.startswith("--- depot/")
    found = {Path(item["filename"]).name: item["fix"] for item in json.loads((root / "edits.json").read_text("utf-8"))}
    assert applied(STOCK, found["stock.py"]["edits"]) == FIXED_STOCK


def test_text_reports_mark_what_can_be_fixed_where_that_is_asked_for(run: Run) -> None:
    plain = run("--output-format", "concise")
    assert "[*]" not in plain
    marked = run("--output-format", "concise", "--show-fixes")
    assert marked.replace("[*] ", "", 2).startswith(plain)
    assert "depot/stock.py:8:9: ERR101 [*] " in marked
    assert marked.endswith("[*] 2 fixable with --fix, 1 hidden (use --unsafe-fixes), 1 refused.\n")
    assert "ERR101 [*] hand-built-error-return: " in run("--show-fixes")


@pytest.mark.parametrize(
    ("old", "new", "edits"),
    [
        ("a\nb\n", "a\nb\n", []),
        ("a", "a\nb\n", [((1, 2, 1, 2), "\nb\n")]),
        ("a\n", "b\n", [((1, 1, 1, 2), "b")]),
        ("", "a\n", [((1, 1, 1, 1), "a\n")]),
        ("a\n", "", [((1, 1, 2, 1), "")]),
        ("x = retry(1)\n", "x = return_(1)\n", [((1, 5, 1, 10), "return_")]),
    ],
    ids=[
        "nothing",
        "a line end at the end of the file",
        "a word",
        "an empty file",
        "a file that becomes empty",
        "words are replaced whole",
    ],
)
def test_the_smallest_edits_between(old: str, new: str, edits: list[tuple[tuple[int, ...], str]]) -> None:
    found = edits_in(Part(1, lines(old), lines(new)))
    assert [
        ((edit.span.line, edit.span.column, edit.span.end_line, edit.span.end_column), edit.content) for edit in found
    ] == edits


EXPLAINED = {
    "safe": (
        "depot/server.py:12",
        "fix           safe: raise `DepotError` in `fetch`\nclass         `DepotError`, by `exceptions.default`\n",
    ),
    "refused": (
        "depot/server.py:27",
        "fix           refused\nbecause       no boundary covers the adapter `drop` (ERR201) (depot/server.py:25)\n"
        "hint          put the boundary on the adapter first: ERR201 does that where one is configured\n",
    ),
}


@pytest.mark.parametrize(("place", "told"), EXPLAINED.values(), ids=EXPLAINED)
def test_a_line_is_explained_with_its_fix(root: Path, run: Run, place: str, told: str) -> None:
    run()
    assert explained(place).endswith(told)


MAPPED = '[exceptions.map]\nValueError = "NumberError"\n'
MESSAGES = '[exceptions.messages]\n"no number: *" = "NumberError"\n'


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (MAPPED, "`NumberError`, by `exceptions.map`, for `ValueError` is handled"),
        (MESSAGES, "`NumberError`, by `exceptions.messages`, which its message matches"),
        (MAPPED.replace("NumberError", "DepotError") + MESSAGES, "`DepotError`, by `exceptions.map`, for `ValueError`"),
    ],
    ids=["what is handled", "the message", "what is handled comes first"],
)
def test_why_a_class_is_raised_is_told(root: Path, run: Run, settings: str, told: str) -> None:
    (root / "depot/errors.py").write_text(f"{ERRORS}\n\nclass NumberError(DepotError):\n    pass\n", "utf-8")
    (root / "errlint.toml").write_text(f"{CONFIGURATION}\n{settings}", "utf-8")
    run()
    assert f"\nclass         {told}" in explained("depot/stock.py:8")


def test_the_code_of_a_payload_chooses_its_class_before_all_else(root: Path, run: Run) -> None:
    errors = f'{ERRORS}\n\nclass NumberError(DepotError):\n    code = "no_number"\n\n'
    errors += "    def __init__(self, message, context=None):\n        super().__init__(message)\n"
    (root / "depot/errors.py").write_text(errors, "utf-8")
    (root / "depot/stock.py").write_text(STOCK.replace('{name}"}', '{name}", "code": "no_number"}'), "utf-8")
    (root / "errlint.toml").write_text(f"{CONFIGURATION}\n{MAPPED.replace('NumberError', 'DepotError')}", "utf-8")
    run()
    assert "class         `NumberError`, by the code in the payload" in explained("depot/stock.py:8")


def test_doubts_are_explained_with_their_places(root: Path, run: Run) -> None:
    (root / "tests").mkdir()
    (root / "tests/test_stock.py").write_text(
        "from depot.stock import take\n\n\ndef test_take():\n    print(take(0))\n", "utf-8"
    )
    run()
    text = explained("depot/stock.py:8")
    assert "fix           unsafe: raise `DepotError` in `take`\n" in text
    assert "because       a test uses `take`, and would get an exception from it (tests/test_stock.py:5)\n" in text


def explained(place: str) -> str:
    """Return what errlint explains of a place, in the working directory."""
    import contextlib
    import io

    out = io.StringIO()
    with contextlib.redirect_stdout(out), pytest.raises(SystemExit):
        main(("explain", place))
    return out.getvalue()
