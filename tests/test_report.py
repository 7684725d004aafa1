"""What users and programs see of a run's findings, format by format."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from errlint.findings import Finding, Related, Severity, Span
from errlint.report import Format, Report, render, statistics, summary

ROOT = Path("/project")


def finding(
    path: str = "src/a.py",
    span: tuple[int, int, int, int] = (1, 1, 1, 2),
    code: str = "ERR101",
    severity: Severity = Severity.ERROR,
    message: str = "a payload",
    related: tuple[Related, ...] = (),
) -> Finding:
    return Finding(path, Span(*span), code, severity, message, "read", "f1d0", related)


def report(
    *findings: Finding,
    source: str | None = None,
    cwd: Path = ROOT,
    files: int = 3,
    colour: bool = False,
    read_source: Callable[[str], str | None] | None = None,
) -> Report:
    return Report(
        findings=findings,
        root=ROOT,
        cwd=cwd,
        files=files,
        rules=frozenset({"ERR101", "ERR103"}),
        colour=colour,
        read_source=read_source or (lambda path: source),
    )


def snippet(source: str, span: tuple[int, int, int, int]) -> str:
    """What ``full`` shows of the source: everything between the header line and the empty line at the end."""
    text = render(Format.FULL, report(finding(span=span), source=source))
    header, _, rest = text.partition("\n")
    assert header == f"src/a.py:{span[0]}:{span[1]}: ERR101 hand-built-error-return: a payload"
    assert rest.endswith("\n")
    return rest[:-1]


def shown(text: str) -> str:
    """An expected snippet, written indented."""
    return dedent(text).removeprefix("\n")


def test_full_shows_header_source_marker_and_notes_and_an_empty_line_after_each_finding() -> None:
    source = 'def read(path):\n    return {"error": "no file"}\n\n\ndef write(path):\n    return failed(path)\n'
    first = finding(span=(2, 5, 2, 32), message="an error payload with `error` is returned by `read`")
    second = finding(
        span=(6, 5, 6, 24),
        code="ERR102",
        message="`failed` only builds error payloads",
        related=(
            Related("src/errors.py", Span(10, 1, 10, 20), "`failed` is defined here"),
            Related("src/a.py", Span(5, 1, 5, 17), "`write` is a tool"),
        ),
    )
    assert render(Format.FULL, report(first, second, source=source)) == shown(
        """
        src/a.py:2:5: ERR101 hand-built-error-return: an error payload with `error` is returned by `read`
          |
        2 |     return {"error": "no file"}
          |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^

        src/a.py:6:5: ERR102 error-factory-return: `failed` only builds error payloads
          |
        6 |     return failed(path)
          |     ^^^^^^^^^^^^^^^^^^^
          = note: src/errors.py:10:1: `failed` is defined here
          = note: src/a.py:5:1: `write` is a tool

        """
    )


@pytest.mark.parametrize(
    ("severity", "header"),
    [
        pytest.param(
            Severity.ERROR,
            "ERR101 hand-built-error-return: a payload",
            id="an error, the usual case, does not say so",
        ),
        pytest.param(Severity.WARNING, "ERR101 hand-built-error-return [warning]: a payload", id="a warning says so"),
        pytest.param(Severity.INFO, "ERR101 hand-built-error-return [info]: a payload", id="an info says so"),
    ],
)
def test_full_tells_the_severity_without_colour(severity: Severity, header: str) -> None:
    text = render(Format.FULL, report(finding(severity=severity)))
    assert text == f"src/a.py:1:1: {header}\n\n"


SNIPPETS = [
    pytest.param(
        "\tif x:\n\t\treturn {'error': 1}  # why\n",
        (2, 3, 2, 22),
        """
          |
        2 |         return {'error': 1}  # why
          |         ^^^^^^^^^^^^^^^^^^^
        """,
        id="tabs at the start become four columns",
    ),
    pytest.param(
        "ab\treturn\tx\n",
        (1, 4, 1, 12),
        """
          |
        1 | ab  return  x
          |     ^^^^^^^^^
        """,
        id="tabs inside a line go to the next tab stop",
    ),
    pytest.param(
        "x = '日本'; return 'é', '失敗'\n",
        (1, 11, 1, 26),
        """
          |
        1 | x = '日本'; return 'é', '失敗'
          |             ^^^^^^^^^^^^^^^^^
        """,
        id="wide characters count two columns before and under the marker",
    ),
    pytest.param(
        "x = 'e\u0301'; return y\n",
        (1, 11, 1, 19),
        """
          |
        1 | x = 'e\u0301'; return y
          |          ^^^^^^^^
        """,
        id="combining characters count no column",
    ),
    pytest.param(
        "x = '\u3000\xa0'; return y\n",
        (1, 11, 1, 19),
        """
          |
        1 | x = '\u3000\xa0'; return y
          |            ^^^^^^^^
        """,
        id="unusual spaces stay and count their width",
    ),
    pytest.param(
        "x = '\x1b[31m\x07\r\x9b\u202e\ud800'; return y\n",
        (1, 19, 1, 27),
        """
          |
        1 | x = '\\x1b[31m\\x07\\r\\x9b\\u202e\\ud800'; return y
          |                                       ^^^^^^^^
        """,
        id="what steers a terminal or reorders text is written as an escape",
    ),
    pytest.param(
        "def f():\n    return {\n        'error': 1,\n    }\n",
        (2, 5, 4, 6),
        """
          |
        2 | /     return {
        3 | |         'error': 1,
        4 | |     }
          | |_____^
        """,
        id="several lines are bracketed, with a marker under the last character",
    ),
    pytest.param(
        "\n" * 7 + "if x: return {\n    'é': 1,\n    'error': 1}\n",
        (8, 7, 10, 16),
        """
           |
         8 |   if x: return {
           |  _______^
         9 | |     'é': 1,
        10 | |     'error': 1}
           | |_______________^
        """,
        id="a span that starts inside its first line is led to the bracket",
    ),
    pytest.param(
        "x = '失敗'; return {\n    'error': 1}\n",
        (1, 11, 2, 16),
        """
          |
        1 |   x = '失敗'; return {
          |  _____________^
        2 | |     'error': 1}
          | |_______________^
        """,
        id="wide characters shift where the bracket is led from",
    ),
    pytest.param(
        "\treturn {\n\t\t'失敗': 1, }\n",
        (1, 2, 2, 14),
        """
          |
        1 | /     return {
        2 | |         '失敗': 1, }
          | |____________________^
        """,
        id="tabs and wide characters shift the closing marker",
    ),
    pytest.param(
        "return {\n\n'error': 1}\n",
        (1, 1, 3, 12),
        """
          |
        1 | / return {
        2 | |
        3 | | 'error': 1}
          | |___________^
        """,
        id="an empty line keeps its bracket and has no trailing space",
    ),
    pytest.param(
        "return f(\n" + "".join(f"    a{n},\n" for n in range(2, 6)) + ")\n",
        (1, 1, 6, 2),
        """
          |
        1 | / return f(
        2 | |     a2,
        3 | |     a3,
        4 | |     a4,
        5 | |     a5,
        6 | | )
          | |_^
        """,
        id="six lines are shown whole",
    ),
    pytest.param(
        "return f(\n" + "".join(f"    a{n},\n" for n in range(2, 12)) + ")\n",
        (1, 1, 12, 2),
        """
            |
          1 | / return f(
          2 | |     a2,
          3 | |     a3,
          4 | |     a4,
        ... | |
         12 | | )
            | |_^
        """,
        id="more than six lines lose those before the last",
    ),
    pytest.param(
        "return x\nreturn y\n",
        (1, 1, 2, 1),
        """
          |
        1 | return x
          | ^^^^^^^^
        """,
        id="a span up to and with the line end stays on its line",
    ),
    pytest.param(
        "x = (\n",
        (1, 6, 1, 6),
        """
          |
        1 | x = (
          |      ^
        """,
        id="an empty span at the line end is one marker",
    ),
    pytest.param(
        "x\n",
        (1, 5, 1, 9),
        """
          |
        1 | x
          |  ^
        """,
        id="a span beyond a line that got shorter is marked at its end",
    ),
    pytest.param(
        "return {\n",
        (1, 1, 9, 2),
        """
          |
        1 | / return {
        2 | |
          | |_^
        """,
        id="a span beyond the end of a file that got shorter ends with the file",
    ),
    pytest.param("x = 1\n", (3, 1, 3, 2), "", id="a line that is no longer there shows no source"),
    pytest.param(
        "x" * 1000 + "; return y; " + "z" * 1000 + "\n",
        (1, 1003, 1, 1011),
        f"""
          |
        1 | …{"x" * 48}; return y; {"z" * 140}…
          | {" " * 51}^^^^^^^^
        """,
        id="a very long line is cut around the span",
    ),
    pytest.param(
        "return [" + "1, " * 1000 + "]\n",
        (1, 1, 1, 3010),
        f"""
          |
        1 | return [{"1, " * 64}…
          | {"^" * 200}
        """,
        id="a very long span is cut at the end",
    ),
]


@pytest.mark.parametrize(("source", "span", "expected"), SNIPPETS)
def test_full_marks_the_span_in_its_source(source: str, span: tuple[int, int, int, int], expected: str) -> None:
    assert snippet(source, span) == shown(expected)


def test_full_without_source_shows_header_and_notes_only() -> None:
    related = (Related("src/b.py", Span(3, 4, 3, 9), "defined here"),)
    assert render(Format.FULL, report(finding(related=related), source=None)) == shown(
        """
        src/a.py:1:1: ERR101 hand-built-error-return: a payload
          = note: src/b.py:3:4: defined here

        """
    )


def test_full_reads_each_source_once() -> None:
    reads: list[str] = []

    def read_source(path: str) -> str:
        reads.append(path)
        return "x\n" * 9

    findings = [finding(path, (line, 1, line, 2)) for path in ("a.py", "b.py") for line in range(1, 9)]
    render(Format.FULL, report(*findings, read_source=read_source))
    assert reads == ["a.py", "b.py"]


def test_full_in_colour_paints_place_code_gutter_marker_and_note_and_nothing_else() -> None:
    found = finding(
        span=(1, 1, 1, 9),
        severity=Severity.WARNING,
        related=(Related("src/b.py", Span(3, 4, 3, 9), "defined here"),),
    )
    text = render(Format.FULL, report(found, source="return x\n", colour=True))
    painted = text.replace("\x1b[0m", "›").replace("\x1b[", "‹")
    assert painted == shown(
        """
        ‹1msrc/a.py›:1:1: ‹1;33mERR101› hand-built-error-return [warning]: a payload
        ‹1;34m  |›
        ‹1;34m1 |› return x
        ‹1;34m  |› ‹1;33m^^^^^^^^›
          ‹1;36m= note:› src/b.py:3:4: defined here

        """
    )


def test_concise_is_one_line_per_finding() -> None:
    found = report(finding(span=(2, 5, 4, 6)), finding("src/b.py", code="ERR103", severity=Severity.WARNING))
    assert render(Format.CONCISE, found) == shown(
        """
        src/a.py:2:5: ERR101 a payload
        src/b.py:1:1: ERR103 a payload
        """
    )


def test_concise_in_colour_paints_place_and_code() -> None:
    text = render(Format.CONCISE, report(finding(), colour=True))
    assert text == "\x1b[1msrc/a.py\x1b[0m:1:1: \x1b[1;31mERR101\x1b[0m a payload\n"


@pytest.mark.parametrize("format", [Format.FULL, Format.CONCISE])
def test_text_formats_keep_paths_and_messages_on_one_line_and_harmless(format: Format) -> None:
    hostile = finding(
        "src/\x1b]0;a\udcff.py",
        message="key `\x1b[2J\n` of 失敗",
        related=(Related("b\n.py", Span(1, 1, 1, 2), "\x9b"),),
    )
    text = render(format, report(hostile))
    assert text.startswith("src/\\x1b]0;a\\udcff.py:1:1: ERR101 ")
    assert text.split("\n")[0].endswith("key `\\x1b[2J\\n` of 失敗")
    assert text.replace("\n", "").isprintable()


@pytest.mark.parametrize(
    ("cwd", "path", "expected"),
    [
        pytest.param("/project", "src/a.py", "src/a.py", id="below the working directory it is relative"),
        pytest.param("/project/src", "src/a.py", "a.py", id="relative to the working directory, not the root"),
        pytest.param(
            "/project/src",
            "srcs/a.py",
            "/project/srcs/a.py",
            id="a folder that only starts the same is elsewhere",
        ),
        pytest.param("/other", "src/a.py", "/project/src/a.py", id="elsewhere it is absolute"),
        pytest.param("/", "src/a.py", "project/src/a.py", id="the working directory may be the top"),
        pytest.param("/project", "../lib/a.py", "/lib/a.py", id="a file outside the root is absolute"),
        pytest.param("/lib", "../lib/a.py", "a.py", id="a file outside the root may be below the working directory"),
        pytest.param("/project", "/project/src/a.py", "src/a.py", id="an absolute path is shortened as well"),
    ],
)
def test_paths_are_shown_relative_to_the_working_directory(cwd: str, path: str, expected: str) -> None:
    found = report(finding(path), cwd=Path(cwd))
    assert render(Format.CONCISE, found) == f"{expected}:1:1: ERR101 a payload\n"
    assert render(Format.FULL, found).startswith(f"{expected}:1:1: ")
    assert f",file={expected}," in render(Format.GITHUB, found)


RECORD = {
    "code": "ERR102",
    "name": "error-factory-return",
    "severity": "warning",
    "message": "`failed` builds „errors“",
    "filename": "/project/src/a.py",
    "location": {"row": 2, "column": 5},
    "end_location": {"row": 4, "column": 6},
    "fix": None,
    "url": "https://github.com/errlint/errlint/blob/main/rules/ERR102-error-factory-return.md",
    "fingerprint": "f1d0",
    "related": [{"filename": "/project/src/b.py", "location": {"row": 3, "column": 4}, "message": "defined here"}],
    "refused": None,
}

RECORDED = finding(
    span=(2, 5, 4, 6),
    code="ERR102",
    severity=Severity.WARNING,
    message="`failed` builds „errors“",
    related=(Related("src/b.py", Span(3, 4, 3, 9), "defined here"),),
)


def test_json_is_an_indented_list_of_records_in_the_order_of_the_findings() -> None:
    text = render(Format.JSON, report(RECORDED, finding("src/b.py")))
    records = json.loads(text)
    assert records[0] == RECORD
    assert [record["filename"] for record in records] == ["/project/src/a.py", "/project/src/b.py"]
    assert text == json.dumps(records, indent=2, ensure_ascii=False) + "\n"
    assert list(records[0]) == list(RECORD)


def test_jsonl_is_one_record_per_line() -> None:
    text = render(Format.JSONL, report(RECORDED, finding("src/b.py")))
    lines = text.split("\n")
    assert json.loads(lines[0]) == RECORD
    assert json.loads(lines[1])["filename"] == "/project/src/b.py"
    assert lines[2:] == [""]


@pytest.mark.parametrize("format", [Format.JSON, Format.JSONL, Format.SARIF])
def test_json_formats_can_hold_names_and_texts_that_are_not_unicode(format: Format) -> None:
    broken = finding("src/\udcff.py", message="\ud800", related=(Related("\udcff", Span(1, 1, 1, 2), "\udcff"),))
    text = render(format, report(broken))
    assert json.loads(text.encode("utf-8").decode("utf-8"))
    assert "\\\\ud800" in text


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(
            finding(span=(2, 5, 2, 32)),
            "::error title=errlint (ERR101),file=src/a.py,line=2,col=5,endLine=2,endColumn=32"
            "::src/a.py:2:5: ERR101 a payload\n",
            id="a span on one line has columns",
        ),
        pytest.param(
            finding(span=(2, 5, 4, 6)),
            "::error title=errlint (ERR101),file=src/a.py,line=2,endLine=4::src/a.py:2:5: ERR101 a payload\n",
            id="a span over several lines has no columns, which the runner would reject",
        ),
        pytest.param(
            finding(severity=Severity.WARNING),
            "::warning title=errlint (ERR101),file=src/a.py,line=1,col=1,endLine=1,endColumn=2"
            "::src/a.py:1:1: ERR101 a payload\n",
            id="a warning is a warning",
        ),
        pytest.param(
            finding(severity=Severity.INFO),
            "::notice title=errlint (ERR101),file=src/a.py,line=1,col=1,endLine=1,endColumn=2"
            "::src/a.py:1:1: ERR101 a payload\n",
            id="an info is a notice",
        ),
        pytest.param(
            finding("src/a:b,100%.py", message="50%, a:b\r\n::error::forged"),
            "::error title=errlint (ERR101),file=src/a%3Ab%2C100%25.py,line=1,col=1,endLine=1,endColumn=2"
            "::src/a:b,100%25.py:1:1: ERR101 50%25, a:b%0D%0A::error::forged\n",
            id="what ends or separates commands is escaped",
        ),
    ],
)
def test_github_writes_one_workflow_command_per_finding(found: Finding, expected: str) -> None:
    assert render(Format.GITHUB, report(found)) == expected


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        pytest.param(Format.FULL, "", id="full is empty"),
        pytest.param(Format.CONCISE, "", id="concise is empty"),
        pytest.param(Format.JSON, "[]\n", id="json is an empty list"),
        pytest.param(Format.JSONL, "", id="jsonl is empty"),
        pytest.param(Format.GITHUB, "", id="github is empty"),
    ],
)
def test_a_run_without_findings(format: Format, expected: str) -> None:
    assert render(format, report()) == expected


@pytest.mark.parametrize("format", [Format.JSON, Format.JSONL, Format.GITHUB, Format.SARIF])
def test_formats_for_programs_never_have_colour(format: Format) -> None:
    assert "\x1b" not in render(format, report(finding(), colour=True))


@pytest.mark.parametrize(
    ("found", "files", "expected"),
    [
        pytest.param([], 58, "All checks passed (58 files checked).", id="nothing found"),
        pytest.param([], 1, "All checks passed (1 file checked).", id="nothing found in one file"),
        pytest.param([], 0, "No files checked.", id="no files"),
        pytest.param([("a.py", "error")], 1, "Found 1 error in 1 file (1 file checked).", id="all singular"),
        pytest.param(
            [("a.py", "error"), ("a.py", "warning"), ("b.py", "error"), ("b.py", "warning")],
            58,
            "Found 2 errors, 2 warnings in 2 files (58 files checked).",
            id="all plural",
        ),
        pytest.param(
            [("a.py", "warning")],
            2,
            "Found 1 warning in 1 file (2 files checked).",
            id="warnings alone are found",
        ),
        pytest.param(
            [("a.py", "error"), ("b.py", "info"), ("b.py", "info")],
            2,
            "Found 1 error, 2 infos in 2 files (2 files checked).",
            id="infos are counted apart",
        ),
        pytest.param(
            [("a.py", "info")],
            2,
            "All checks passed, 1 info in 1 file (2 files checked).",
            id="infos alone pass",
        ),
    ],
)
def test_summary_counts_in_one_sentence(found: list[tuple[str, str]], files: int, expected: str) -> None:
    findings = [finding(path, severity=Severity(severity)) for path, severity in found]
    assert summary(report(*findings, files=files)) == expected


COUNTED = [finding(code=code) for code in ("ERR103", "ERR904", "ERR101", "ERR103", "ERR101", "ERR102", "ERR101")]


@pytest.mark.parametrize("format", [Format.FULL, Format.CONCISE, Format.GITHUB, Format.SARIF])
def test_statistics_list_rules_by_count_then_code(format: Format) -> None:
    assert statistics(report(*COUNTED), format) == (
        "3\tERR101\thand-built-error-return\n"
        "2\tERR103\terror-string-return\n"
        "1\tERR102\terror-factory-return\n"
        "1\tERR904\tsyntax-error\n"
    )


def test_statistics_follow_the_json_formats() -> None:
    rows = [
        {"code": "ERR101", "name": "hand-built-error-return", "count": 3},
        {"code": "ERR103", "name": "error-string-return", "count": 2},
        {"code": "ERR102", "name": "error-factory-return", "count": 1},
        {"code": "ERR904", "name": "syntax-error", "count": 1},
    ]
    assert statistics(report(*COUNTED), Format.JSON) == json.dumps(rows, indent=2) + "\n"
    lines = statistics(report(*COUNTED), Format.JSONL).splitlines()
    assert [json.loads(line) for line in lines] == rows


@pytest.mark.parametrize(
    ("format", "expected"),
    [(Format.FULL, ""), (Format.JSON, "[]\n"), (Format.JSONL, "")],
    ids=["text is empty", "json is an empty list", "jsonl is empty"],
)
def test_statistics_of_a_run_without_findings(format: Format, expected: str) -> None:
    assert statistics(report(), format) == expected
