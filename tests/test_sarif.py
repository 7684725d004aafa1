"""The SARIF log: valid, complete for code scanning, and pointing at the right places."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from sarif_pydantic import Sarif  # type: ignore[import-untyped]

from errlint import __version__
from errlint.findings import Finding, Related, Severity, Span
from errlint.report import Format, Report, render

FACTORY = Finding(
    path="src/tool server/größe#1.py",
    span=Span(6, 5, 8, 6),
    code="ERR102",
    severity=Severity.WARNING,
    message="`failed` only builds error payloads",
    function="write",
    fingerprint="0123abcd",
    related=(
        Related("src/errors.py", Span(10, 1, 10, 20), "`failed` returns `x[0]`"),
        Related("/elsewhere/a b.py", Span(5, 1, 5, 17), "`write` is a tool"),
    ),
)
PAYLOAD = Finding("a.py", Span(1, 1, 1, 1), "ERR101", Severity.ERROR, "a payload")
NOTE = Finding("../lib/b.py", Span(2, 1, 2, 9), "ERR112", Severity.INFO, "a text")


def log(
    *findings: Finding, rules: frozenset[str] = frozenset({"ERR904", "ERR102"}), root: str = "/project x"
) -> dict[str, Any]:
    report = Report(findings, Path(root), Path("/"), 3, rules, colour=False, read_source=lambda path: None)
    document = json.loads(render(Format.SARIF, report))
    assert isinstance(document, dict)
    return document


def run(*findings: Finding, **options: Any) -> dict[str, Any]:
    (only,) = log(*findings, **options)["runs"]
    assert isinstance(only, dict)
    return only


def unknown_properties(value: object) -> Iterator[str]:
    """Names in a parsed log that the data model of the standard does not know."""
    if isinstance(value, BaseModel):
        yield from value.model_extra or {}
        for _, item in value:
            yield from unknown_properties(item)
    elif isinstance(value, list):
        for item in value:
            yield from unknown_properties(item)


@pytest.mark.parametrize(
    "findings", [(), (PAYLOAD, FACTORY, NOTE)], ids=["without findings", "with findings of every severity"]
)
def test_the_log_is_valid(findings: tuple[Finding, ...]) -> None:
    document = log(*findings)
    parsed = Sarif.model_validate(document)
    # The model lacks columnKind, which the standard has (3.14.17).
    assert set(unknown_properties(parsed)) == {"columnKind"}
    # The model also takes names in Python's spelling; it would write those back differently.
    assert parsed.model_dump(by_alias=True, exclude_unset=True, mode="json") == document


def test_the_run_names_the_tool_and_the_rules_that_ran_or_found_something() -> None:
    driver = run(PAYLOAD)["tool"]["driver"]
    assert (driver["name"], driver["semanticVersion"]) == ("errlint", __version__)
    assert driver["informationUri"] == "https://github.com/errlint/errlint"
    assert [rule["id"] for rule in driver["rules"]] == ["ERR101", "ERR102", "ERR904"]


def test_a_rule_carries_all_that_code_scanning_shows() -> None:
    (rule,) = run(rules=frozenset({"ERR112"}))["tool"]["driver"]["rules"]
    url = "https://github.com/errlint/errlint/blob/main/rules/ERR112-unmarked-error-string.md"
    assert rule == {
        "id": "ERR112",
        "name": "unmarked-error-string",
        "shortDescription": {"text": "An error text that does not say that it is one."},
        "fullDescription": {"text": "An error text that does not say that it is one."},
        "helpUri": url,
        "help": {
            "text": f"An error text that does not say that it is one. Examples and reasons: {url}",
            "markdown": f"An error text that does not say that it is one. [Examples and reasons]({url})",
        },
        "defaultConfiguration": {"level": "note"},
        "properties": {"tags": ["error-handling"], "problem.severity": "recommendation"},
    }


def test_a_result_points_at_its_rule_its_place_and_the_places_it_rests_on() -> None:
    whole = run(PAYLOAD, FACTORY)
    assert whole["columnKind"] == "unicodeCodePoints"
    assert whole["originalUriBaseIds"] == {"SRCROOT": {"uri": "file:///project%20x/"}}
    assert whole["results"][1] == {
        "ruleId": "ERR102",
        "ruleIndex": 1,
        "level": "warning",
        "message": {
            "text": "`failed` only builds error payloads\n[`failed` returns `x\\[0\\]`](1)\n[`write` is a tool](2)"
        },
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {
                        "uri": "src/tool%20server/gr%C3%B6%C3%9Fe%231.py",
                        "uriBaseId": "SRCROOT",
                    },
                    "region": {"startLine": 6, "startColumn": 5, "endLine": 8, "endColumn": 6},
                }
            }
        ],
        "partialFingerprints": {"errlint/v1": "0123abcd"},
        "relatedLocations": [
            {
                "id": 1,
                "physicalLocation": {
                    "artifactLocation": {"uri": "src/errors.py", "uriBaseId": "SRCROOT"},
                    "region": {"startLine": 10, "startColumn": 1, "endLine": 10, "endColumn": 20},
                },
                "message": {"text": "`failed` returns `x[0]`"},
            },
            {
                "id": 2,
                "physicalLocation": {
                    "artifactLocation": {"uri": "file:///elsewhere/a%20b.py"},
                    "region": {"startLine": 5, "startColumn": 1, "endLine": 5, "endColumn": 17},
                },
                "message": {"text": "`write` is a tool"},
            },
        ],
    }


def test_a_finding_without_fingerprint_or_related_places_leaves_them_out() -> None:
    (result,) = run(PAYLOAD)["results"]
    assert result["message"] == {"text": "a payload"}
    assert not {"partialFingerprints", "relatedLocations"} & result.keys()


def test_levels_are_those_of_the_findings_and_info_is_a_note() -> None:
    results = run(PAYLOAD, FACTORY, NOTE)["results"]
    assert [result["level"] for result in results] == ["error", "warning", "note"]


@pytest.mark.parametrize(
    ("root", "path", "location"),
    [
        pytest.param("/p", "a:b.py", {"uri": "a%3Ab.py", "uriBaseId": "SRCROOT"}, id="a colon is no scheme"),
        pytest.param("/p", "/p/a.py", {"uri": "a.py", "uriBaseId": "SRCROOT"}, id="an absolute path in the root"),
        pytest.param("/p", "../a.py", {"uri": "file:///a.py"}, id="a file outside the root has an absolute URI"),
        pytest.param("/", "a.py", {"uri": "a.py", "uriBaseId": "SRCROOT"}, id="the root may be the top"),
        pytest.param("/p", "\udcff.py", {"uri": "%FF.py", "uriBaseId": "SRCROOT"}, id="bytes that are not UTF-8"),
    ],
)
def test_paths_become_uris(root: str, path: str, location: dict[str, str]) -> None:
    (result,) = run(Finding(path, Span(1, 1, 1, 2), "ERR101", Severity.ERROR, "m"), root=root)["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == location


def test_the_base_of_relative_uris_ends_with_a_slash_even_at_the_top() -> None:
    assert run(root="/")["originalUriBaseIds"]["SRCROOT"]["uri"] == "file:///"
