"""The formats of CI machines: what each gets, and that nothing of the checked code commands one."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from junitparser import Failure, JUnitXml
from test_report import ROOT, finding, report

from errlint.characters import harmless
from errlint.findings import Severity
from errlint.report import COMMANDS, Format, render

INFO = finding("docs/a b.md", (7, 1, 7, 2), "ERR107", Severity.INFO, "three shapes")
WARNING = finding("src/é.py", (3, 5, 4, 2), "ERR103", Severity.WARNING, "a `text`, 100%; [old]\nand more")
ERROR = finding(span=(2, 9, 2, 12))


def test_gitlab_has_what_it_asks_for() -> None:
    found = json.loads(render(Format.GITLAB, report(ERROR, WARNING, INFO)))
    assert [(each["check_name"], each["severity"]) for each in found] == [
        ("ERR101", "major"),
        ("ERR103", "minor"),
        ("ERR107", "info"),
    ]
    assert found[0]["description"] == "ERR101 a payload"
    assert found[0]["location"] == {
        "path": "src/a.py",
        "positions": {"begin": {"line": 2, "column": 9}, "end": {"line": 2, "column": 12}},
    }


def test_findings_that_are_alike_have_fingerprints_of_their_own_in_gitlab() -> None:
    first, second = json.loads(render(Format.GITLAB, report(ERROR, ERROR)))
    assert first["fingerprint"] != second["fingerprint"]
    moved = finding(span=(12, 9, 12, 12))
    assert json.loads(render(Format.GITLAB, report(moved)))[0]["fingerprint"] == first["fingerprint"]


def test_paths_in_gitlab_are_those_of_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI_PROJECT_DIR", "/")
    (found,) = json.loads(render(Format.GITLAB, report(ERROR, cwd=ROOT)))
    assert found["location"]["path"] == "project/src/a.py"


def test_junit_is_read_by_a_reader_of_junit() -> None:
    suites = list(JUnitXml.fromstring(render(Format.JUNIT, report(ERROR, WARNING, INFO)).encode()))
    assert [(suite.name, suite.tests, suite.failures) for suite in suites] == [
        ("src/a.py", 1, 1),
        ("src/é.py", 1, 1),
        ("docs/a b.md", 1, 0),
    ]
    (case,) = suites[1]
    (failure,) = case.result
    assert isinstance(failure, Failure)
    assert (case.name, case.classname) == ("ERR103 src/é.py:3:5", "src.é")
    assert failure.message == r"src/é.py:3:5: ERR103 a `text`, 100%; [old]\nand more"
    assert failure.type == "ERR103 error-string-return"


def test_junit_has_a_test_that_passed_where_nothing_was_found() -> None:
    xml = JUnitXml.fromstring(render(Format.JUNIT, report()).encode())
    assert (xml.tests, xml.failures) == (1, 0)


def test_junit_is_xml_whatever_a_message_holds() -> None:
    hostile = finding("a<&\"'\x00\x1b.py", message="]]>&lt;\x08\ud800")
    root = ElementTree.fromstring(render(Format.JUNIT, report(hostile)))
    assert root.find("testsuite/testcase/failure") is not None


def test_rdjson_counts_bytes() -> None:
    source = "\n\nñ = é(x)\n"
    found = json.loads(render(Format.RDJSON, report(finding(span=(3, 5, 3, 9)), source=source)))
    assert found["source"]["name"] == "errlint"
    (diagnostic,) = found["diagnostics"]
    assert diagnostic["severity"] == "ERROR"
    assert diagnostic["code"]["value"] == "ERR101"
    assert diagnostic["location"] == {
        "path": "src/a.py",
        "range": {"start": {"line": 3, "column": 6}, "end": {"line": 3, "column": 11}},
    }


def test_azure_gets_commands_for_errors_and_warnings() -> None:
    assert render(Format.AZURE, report(ERROR, WARNING, INFO)) == (
        "##vso[task.logissue type=error;sourcepath=src/a.py;linenumber=2;columnnumber=9;code=ERR101;]a payload\n"
        "##vso[task.logissue type=warning;sourcepath=src/é.py;linenumber=3;columnnumber=5;code=ERR103;]"
        "a `text`, 100%AZP25; [old]%0Aand more\n"
        "docs/a b.md:7:1: ERR107 three shapes\n"
    )


HOSTILE = "##vso[task.setvariable variable=a]b"


@pytest.mark.parametrize("severity", Severity)
def test_no_name_or_message_commands_azure(severity: Severity) -> None:
    text = render(Format.AZURE, report(finding(f"{HOSTILE}.py", severity=severity, message=f"\n{HOSTILE}")))
    printed = harmless(text, commands=COMMANDS[Format.AZURE])
    own = printed.removeprefix("##vso[task.logissue ")
    assert "##" not in own
    assert (own == printed) == (severity is Severity.INFO)


def test_a_command_of_azure_counts_at_the_start_of_a_line_alone() -> None:
    text = "##vso[task.logissue type=error;]one\nsee ##vso[task.logissue type=error;]two\n"
    printed = harmless(text, commands=COMMANDS[Format.AZURE])
    assert printed == "##vso[task.logissue type=error;]one\nsee #\\x23vso[task.logissue type=error;]two\n"
    assert "##" not in harmless(text)


def test_markdown_is_a_summary_with_a_table_and_the_findings_by_file() -> None:
    lines = render(Format.MARKDOWN, report(ERROR, ERROR, WARNING)).splitlines()
    assert lines[:3] == ["## errlint", "", "Found 2 errors, 1 warning in 2 files (3 files checked)."]
    rows = [line for line in lines if line.startswith("| [")]
    assert [row.split(" | ")[1:] for row in rows] == [
        ["hand-built-error-return", "error", "2 |"],
        ["error-string-return", "warning", "1 |"],
    ]
    assert lines.count("<summary><code>src/a.py</code></summary>") == 1
    assert r"- 3:5 **ERR103** a `text`, 100%; \[old\]\\nand more" in lines


def test_markdown_without_findings_is_short() -> None:
    assert render(Format.MARKDOWN, report()) == "## errlint\n\nAll checks passed (3 files checked).\n"


def test_markdown_takes_nothing_of_the_code_for_markup() -> None:
    text = render(Format.MARKDOWN, report(finding("<b>.py", message="<script>x</script> *a* | [b](c)")))
    assert "<script>" not in text
    assert "<code>&lt;b&gt;.py</code>" in text
    assert r"\*a\* \| \[b\](c)" in text


def test_markdown_lists_no_more_than_a_summary_holds() -> None:
    text = render(Format.MARKDOWN, report(*[ERROR] * 501))
    assert (text.count("**ERR101**"), text.splitlines()[-1]) == (500, "1 more are not listed.")


def test_a_format_goes_to_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from errlint.cli import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    (tmp_path / "server.py").write_text("def\n", encoding="utf-8")
    options = [f"--output-format={name}={name}.out" for name in ("gitlab", "junit", "rdjson", "markdown", "azure")]
    with pytest.raises(SystemExit) as stopped:
        main(["check", *options, "--output-format", "concise", "--no-cache"])
    assert stopped.value.code == 1
    assert all("ERR904" in (tmp_path / f"{name}.out").read_text() for name in ("gitlab", "junit", "rdjson", "markdown"))
