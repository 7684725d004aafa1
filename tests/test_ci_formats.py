"""The formats of CI machines: what each gets, and that nothing of the checked code commands one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from command_line import caller
from junitparser import Failure, JUnitXml
from markdown_it import MarkdownIt
from test_report import ROOT, finding, report

from errlint.characters import harmless
from errlint.findings import Finding, Severity
from errlint.report import COMMANDS, Format, render

jsonschema: Any = pytest.importorskip("jsonschema")

INFO = finding("docs/a b.md", (7, 1, 7, 2), "ERR107", Severity.INFO, "three shapes")
WARNING = finding("src/é.py", (3, 5, 4, 2), "ERR103", Severity.WARNING, "a `text`, 100%; [old]\nand more")
ERROR = finding(span=(2, 9, 2, 12))


# The published schemas (GitLab's codeclimate.json, reviewdog's DiagnosticResult.json) leave unknown keys alone.
# Here they count as mistakes.


def members(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """Return the schema of an object that has these keys and no others."""
    return {
        "type": "object",
        "required": list(required),
        "properties": {**required, **optional},
        "additionalProperties": False,
    }


TEXT = {"type": "string", "minLength": 1}
NUMBER = {"type": "integer", "minimum": 1}
POINT = members({"line": NUMBER, "column": NUMBER})
GITLAB = {
    "type": "array",
    "items": members(
        {
            "description": TEXT,
            "check_name": TEXT,
            "fingerprint": TEXT,
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": members(
                {
                    "path": {"type": "string", "pattern": r"^(?!\./|/)[^\\]+$"},
                    "positions": members({"begin": POINT, "end": POINT}),
                }
            ),
        }
    ),
}
RANGE = members({"start": POINT, "end": POINT})
RDJSON = members(
    {
        "source": members({"name": TEXT, "url": TEXT}),
        "diagnostics": {
            "type": "array",
            "items": members(
                {
                    "message": TEXT,
                    "location": members({"path": TEXT, "range": RANGE}),
                    "severity": {"enum": ["ERROR", "WARNING", "INFO"]},
                    "code": members({"value": TEXT, "url": TEXT}),
                },
                suggestions={"type": "array", "items": members({"range": RANGE, "text": {"type": "string"}})},
            ),
        },
    }
)


@pytest.mark.parametrize(("form", "schema"), [(Format.GITLAB, GITLAB), (Format.RDJSON, RDJSON)])
@pytest.mark.parametrize("findings", [(), (ERROR, WARNING, INFO)], ids=["nothing found", "findings"])
def test_json_is_what_its_reader_asks_for(form: Format, schema: dict[str, Any], findings: tuple[Finding, ...]) -> None:
    source = "\n" * 10
    jsonschema.validate(json.loads(render(form, report(*findings, source=source))), schema)


# The elements and attributes of Jenkins' junit-10.xsd, as far as they are used.
JUNIT = {
    "testsuites": ({"name", "time", "tests", "failures", "errors", "disabled"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname"}, {"testcase"}),
    "testcase": ({"name", "classname", "time"}, {"failure", "skipped", "system-out"}),
    "failure": ({"type", "message"}, set[str]()),
    "skipped": ({"type", "message"}, set[str]()),
    "system-out": (set[str](), set[str]()),
}


def test_junit_has_no_element_or_attribute_of_its_own() -> None:
    root = ElementTree.fromstring(render(Format.JUNIT, report(ERROR, WARNING, INFO)))
    assert root.tag == "testsuites"
    for element in root.iter():
        attributes, inner = JUNIT[element.tag]
        assert set(element.attrib) <= attributes
        assert {child.tag for child in element} <= inner
        for name in attributes & {"tests", "failures", "errors", "time"} & set(element.attrib):
            assert float(element.attrib[name]) >= 0


def test_markdown_is_a_table_and_lists_for_a_reader_of_markdown() -> None:
    text = render(Format.MARKDOWN, report(ERROR, WARNING, INFO))
    tokens = [token.type for token in MarkdownIt("gfm-like", {"linkify": False}).disable("linkify").parse(text)]
    assert (tokens.count("table_open"), tokens.count("list_item_open")) == (1, 3)


@pytest.mark.parametrize("form", ["gitlab", "junit", "rdjson", "markdown", "azure", "sarif", "json"])
def test_a_report_that_cannot_be_finished_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "server.py").write_text("def\n", encoding="utf-8")
    (tmp_path / "report").write_text("the one before", encoding="utf-8")

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    done = caller(capsys)("check", "--isolated", "--no-cache", f"--output-format={form}=report")
    told = f"errlint: error: {tmp_path / 'report'}: cannot be written: No space left on device\n"
    assert (done.status, done.err) == (2, told)
    assert (tmp_path / "report").read_text(encoding="utf-8") == "the one before"
    assert {path.name for path in tmp_path.iterdir()} == {"server.py", "report"}


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
