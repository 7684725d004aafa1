"""The pages in rules/ are true: their examples are reported, left alone or known to be missed."""

from __future__ import annotations

from pathlib import Path

import pytest
from example_projects import EXAMPLES, expected, findings, reported, variant_of, write
from variants import VARIANTS

from errlint.errors import ErrlintError, UsageError
from errlint.findings import Severity
from errlint.fix.run import find_fixes
from errlint.request import Request
from errlint.rulebook import Example, as_json, parse_examples, render
from errlint.rules import RULES
from errlint.run import check
from errlint.settings import CommandLine, load

ERROR_RETURNS = {"ERR101", "ERR102", "ERR103", "ERR104", "ERR105"}
"""Of these, a statement has one at most."""

ABOUT_SYNC = {"an async function in a sync wrapper"}
"""Examples of which nothing is left when every function is async."""


def of_kind(kind: str) -> list[object]:
    return [
        pytest.param(code, example, id=f"{code} {example.title}") for code, example in EXAMPLES if example.kind == kind
    ]


def with_a_message() -> list[object]:
    """Choose the examples with a mark that says what is in the message."""
    return [
        pytest.param(code, example, id=f"{code} {example.title}")
        for code, example in EXAMPLES
        if example.kind == "bad" and any(mark.text for file in example.files for mark in file.marks)
    ]


def first_of_each_rule() -> list[object]:
    examples = {code: example for code, example in reversed(EXAMPLES) if example.kind == "bad"}
    return [pytest.param(code, example, id=code) for code, example in sorted(examples.items())]


def only(code: str) -> CommandLine:
    """Select the rule of the page alone. Rules about errlint itself need others to have something to say."""
    if code.startswith("ERR9"):
        return CommandLine(extend_select=(code,))
    return CommandLine(select=(code,))


def default_and(code: str) -> CommandLine:
    return CommandLine(extend_select=(code,))


@pytest.mark.parametrize("layout", VARIANTS)
@pytest.mark.parametrize(("code", "example"), of_kind("bad"))
def test_a_bad_example_is_reported_at_its_marks_in_every_layout(
    code: str, example: Example, layout: str, tmp_path: Path
) -> None:
    files = variant_of(example, layout)
    if layout == "as async" and example.title in ABOUT_SYNC:
        pytest.skip("the example is about a function that is not async")
    if layout != "as written" and files == variant_of(example, "as written"):
        pytest.skip("this layout changes nothing here")
    write(example, tmp_path, files)
    assert reported(findings(tmp_path, only(code)), {code}) == expected(example, files, {code})


@pytest.mark.parametrize(("code", "example"), of_kind("bad"))
def test_a_statement_of_a_bad_example_has_one_error_return_finding(code: str, example: Example, tmp_path: Path) -> None:
    files = variant_of(example, "as written")
    write(example, tmp_path, files)
    assert reported(findings(tmp_path, default_and(code)), ERROR_RETURNS) == expected(
        example, files, {each for each in ERROR_RETURNS if RULES[each].default or each == code}
    )


@pytest.mark.parametrize(("code", "example"), with_a_message())
def test_the_message_contains_what_the_mark_says(code: str, example: Example, tmp_path: Path) -> None:
    write(example, tmp_path, variant_of(example, "as written"))
    found = findings(tmp_path, only(code))
    for file in example.files:
        for mark in file.marks:
            here = [each.message for each in found if (each.path, each.span.line) == (file.path, mark.line)]
            assert code not in mark.codes or any(mark.text in message for message in here)


@pytest.mark.parametrize(("code", "example"), of_kind("good"))
def test_a_good_example_is_left_alone(code: str, example: Example, tmp_path: Path) -> None:
    write(example, tmp_path, variant_of(example, "as written"))
    assert reported(findings(tmp_path, only(code)), {code}) == []


@pytest.mark.parametrize(("code", "example"), of_kind("todo"))
def test_a_known_gap_is_still_a_gap(code: str, example: Example, tmp_path: Path) -> None:
    """When this fails the gap is closed: call the example bad."""
    write(example, tmp_path, variant_of(example, "as written"))
    assert reported(findings(tmp_path, only(code)), {code}) == []


@pytest.mark.parametrize(
    ("code", "example"),
    [pytest.param(code, each, id=f"{code} {each.title}") for code, each in EXAMPLES if each.fixed],
)
def test_a_fix_makes_the_files_that_the_page_shows_and_a_second_one_nothing(
    code: str, example: Example, tmp_path: Path
) -> None:
    write(example, tmp_path, variant_of(example, "as written"))
    request = Request(load(tmp_path, overrides=only(code)).settings, use_cache=False)
    contents = find_fixes(request, check(request).findings, unsafe=True).contents
    after = {path: new.decode() for path, (_, new) in contents.items()}
    assert after == {file.path: file.text for file in example.fixed}
    again = request._replace(contents={path: new for path, (_, new) in contents.items()})
    assert find_fixes(again, check(again).findings, unsafe=True).contents == {}


@pytest.mark.parametrize(("code", "example"), first_of_each_rule())
def test_a_finding_has_the_severity_of_its_rule(code: str, example: Example, tmp_path: Path) -> None:
    write(example, tmp_path, variant_of(example, "as written"))
    found = findings(tmp_path, only(code))
    assert {each.severity for each in found if each.code == code} == {RULES[code].severity}


def test_a_result_marked_for_the_protocol_is_a_warning(tmp_path: Path) -> None:
    example = next(each for code, each in EXAMPLES if each.title == "a result that is marked for the protocol")
    write(example, tmp_path, variant_of(example, "as written"))
    assert [each.severity for each in findings(tmp_path, only("ERR105"))] == [Severity.WARNING]


def fenced(info: str, code: str) -> str:
    return f"```{info}\n{code}\n```\n"


@pytest.mark.parametrize(
    ("blocks", "complaint"),
    [
        pytest.param(fenced("python path=a.py", "x = 1"), "has to give the kind", id="no kind"),
        pytest.param(fenced("python bad", "x = 1"), "each file its path", id="no file"),
        pytest.param(
            fenced("python bad path=a.py", "x = 1  # error: [ERR101]") + fenced("python good path=b.py", "x = 1"),
            "has to give the kind",
            id="two kinds",
        ),
        pytest.param(fenced("python bad path=a.py", "x = 1"), "no statement is marked", id="bad without a mark"),
        pytest.param(
            fenced("python good path=a.py", "x = 1  # error: [ERR101]"), "has no marks", id="good with a mark"
        ),
        pytest.param(
            fenced("python good path=a.py", "x = 1") + fenced("python fixed path=a.py", "x = 2"),
            "a file of a bad example",
            id="fixed without bad",
        ),
    ],
)
def test_a_malformed_example_is_refused_with_its_line(blocks: str, complaint: str) -> None:
    with pytest.raises(ErrlintError, match=f"line 5, example 'a sentence': .*{complaint}"):
        parse_examples(f"## Examples\n\n### a sentence\n\n{blocks}")


def test_marks_are_taken_out_of_the_file() -> None:
    code = "f()  # why  # error: [ERR101, ERR113] about f\n\ng()  # error: [ERR102]"
    (example,) = parse_examples("## Examples\n\n### one\n\n" + fenced("python bad path=a.py", code))
    (file,) = example.files
    assert file.text == "f()  # why\n\ng()\n"
    assert [(mark.line, mark.codes, mark.text) for mark in file.marks] == [
        (1, ("ERR101", "ERR113"), "about f"),
        (3, ("ERR102",), ""),
    ]


def test_blocks_outside_the_examples_are_prose() -> None:
    assert parse_examples("## Why\n\n### Because\n\n" + fenced("python bad path=a.py", "x = 1")) == ()


@pytest.mark.parametrize("code", RULES)
def test_the_text_for_a_terminal_has_no_fences(code: str) -> None:
    text = render(code)
    assert f"({code})" in text
    assert not any(line.startswith("```") for line in text.splitlines())
    assert "# error: [" not in text


def test_the_text_shows_examples_with_arrows_and_names_the_others() -> None:
    text = render("ERR101")
    assert "server.py (reported):" in text
    assert '        return {"error": f"Order {order_id} not found"}  # <- ERR101' in text
    assert "\n\nReported:\n\n- dict() with an error keyword\n" in text
    assert "\n\nNot reported:\n\n- an error key that is empty\n" in text
    assert "dict(error=" not in text


def test_json_has_the_fields_of_the_rule_and_its_page() -> None:
    import json

    (record,) = json.loads(as_json(["ERR104"]))
    assert record["explanation"].startswith("# error-tuple-return (ERR104)\n")
    del record["explanation"]
    assert record == {
        "code": "ERR104",
        "name": "error-tuple-return",
        "severity": "warning",
        "default": False,
        "summary": RULES["ERR104"].summary,
        "url": RULES["ERR104"].url,
    }


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        pytest.param("ERR110x", "did you mean", id="misspelt"),
        pytest.param("err101", "did you mean `ERR101`?", id="in lower case"),
        pytest.param("XYZ", "lists every rule", id="nothing near"),
    ],
)
def test_an_unknown_code_is_refused_with_a_hint(code: str, hint: str) -> None:
    with pytest.raises(UsageError) as refusal:
        render(code)
    assert code in refusal.value.message
    assert hint in refusal.value.hint
