"""Which type, severity and recovery errors say that they have, where they are reported and where that is defined."""

from __future__ import annotations

from textwrap import indent

import pytest
from judged_texts import findings, project_of

from errlint.project.taxonomy import Classified, defined, reports

CONFIG = """\
[payload]
key = "error"
type-field = "type"
severity-field = "level"
recovery-field = "remedy"

[codes]
arguments = ["error_type"]
vocabulary = { Late = {}, Lost = {} }

[taxonomy]
severities = { Late = "warning", Lost = "error" }
recoveries = { warning = ["retry"], error = ["skip"] }
"""

HEAD = """\
import json
import logging

from shop import read

logger = logging.getLogger(__name__)
KIND = "Late"


class BookError(Exception):
    def __init__(self, text, error_type=None, severity=None, recovery=None):
        super().__init__(text)


def find(title):
"""


def shown(said: Classified) -> str:
    """Return what an error says: "Late warning retry", with "given" behind it where its severity is given itself."""
    told = " ".join(part or "-" for part in (said.type, said.severity, said.recovery))
    return told + (" given" if said.given else "")


def reported(body: str, config: str = CONFIG) -> list[str]:
    project = project_of({"a.py": f"{HEAD}{indent(body, '    ')}\n"}, config, rules=["ALL"])
    return [shown(each.said) for each in reports(project, "a.py")]


LOG = "logger.error('no', extra={})"

REPORTS = {
    "a log with a type": (LOG.format("{'error_type': 'Late'}"), ["Late warning -"]),
    "a log with a type that the policy names": (LOG.format("{'type': 'Late'}"), ["Late warning -"]),
    "a log with a type of nobody": (LOG.format("{'error_type': 'Odd'}"), ["Odd - -"]),
    "a log with a severity": (LOG.format("{'level': 'error'}"), ["- error - given"]),
    "a log with a severity by its plain name": (LOG.format("{'severity': 'error'}"), ["- error - given"]),
    "a log with a recovery": (LOG.format("{'remedy': 'retry'}"), ["- - retry"]),
    "a log with a recovery by its plain name": (LOG.format("{'recovery': 'retry'}"), ["- - retry"]),
    "a log with all": (
        LOG.format("{'error_type': 'Late', 'level': 'error', 'remedy': 'retry'}"),
        ["Late error retry given"],
    ),
    "a log with a constant": (LOG.format("{'error_type': KIND}"), ["Late warning -"]),
    "a log with a type that only the run knows": (LOG.format("{'error_type': title}"), []),
    "a log with a payload": (
        LOG.format("{'more': {'type': 'Late', 'remedy': 'retry'}}"),
        ["Late warning retry"],
    ),
    "a log with a payload and a type of its own": (
        LOG.format("{'more': {'type': 'Late'}, 'error_type': 'Lost'}"),
        ["Lost error -"],
    ),
    "a log with a dict of something else": (LOG.format("{'more': {'remedy': 'retry'}}"), []),
    "a log with nothing": ("logger.error('no')", []),
    "an answer": ("return {'error': {'type': 'Late', 'remedy': 'retry'}}", ["Late warning retry"]),
    "an answer with a severity": ("return {'error': {'level': 'error'}}", ["- error - given"]),
    "an answer with a type alone": ("return {'error': {'type': 'Late'}}", []),
    "another answer": ("return {'book': {'type': 'Late', 'remedy': 'retry'}}", []),
    "an exception": ("raise BookError('no', error_type='Late', recovery='retry')", ["Late warning retry"]),
    "an exception with a severity": ("raise BookError('no', severity='error')", ["- error - given"]),
    "an exception with a type alone": ("raise BookError('no', error_type='Late')", []),
    "an exception without": ("raise BookError('no')", []),
}


@pytest.mark.parametrize(("body", "said"), REPORTS.values(), ids=REPORTS)
def test_an_error_is_reported_by(body: str, said: list[str]) -> None:
    assert reported(body) == said


LOG_STYLE = f'style = "log"\n\n{CONFIG}'

RECORD = "{'error': {'type': 'Late', 'level': 'warning', 'remedy': 'retry'}}"

LOGGED = {
    "a record that is printed": (f"print(json.dumps({RECORD}))", ["Late warning retry given"]),
    "a record that is printed and answered": (
        f"error = {RECORD}\nprint(json.dumps(error))\nreturn error",
        ["Late warning retry given"],
    ),
    "a record of a type": ("print(json.dumps({'error': {'type': 'Late'}}))", ["Late warning -"]),
    "a record and a log": (
        f"print(json.dumps({RECORD}))\n{LOG.format({'error_type': 'Late', 'remedy': 'retry'})}",
        ["Late warning retry given", "Late warning retry"],
    ),
    "another dict that is printed": ("print(json.dumps({'book': {'type': 'Late', 'remedy': 'retry'}}))", []),
}


@pytest.mark.parametrize(("body", "said"), LOGGED.values(), ids=LOGGED)
def test_where_errors_are_logged_an_error_is_reported_by(body: str, said: list[str]) -> None:
    assert reported(body, LOG_STYLE) == said


PLAIN = "json.dumps({'type': 'Late', 'level': 'warning', 'remedy': 'retry'})"

PRINTED = {
    "a payload that is printed": (f"print({PLAIN})", ["Late warning retry given"]),
    "a payload that is written": (f"title.write_text({PLAIN})", ["Late warning retry given"]),
    "a payload that is handed to somebody else": (f"show(title, {PLAIN})", []),
    "a payload that is logged": (
        "logger.error('no', extra={'type': 'Late', 'level': 'warning', 'remedy': 'retry'})",
        ["Late warning retry given"],
    ),
}


@pytest.mark.parametrize(("body", "said"), PRINTED.values(), ids=PRINTED)
def test_where_errors_are_logged_without_a_key_an_error_is_reported_by(body: str, said: list[str]) -> None:
    assert reported(body, LOG_STYLE.replace('key = "error"\n', "")) == said


DEFINED = {
    "a class": ("class A:\n    type = 'Late'\n    level = 'error'", ["3 Late error - given"]),
    "a class with a recovery": (
        "class A:\n    level = 'error'\n    remedy = 'retry'",
        ["2 - error retry given"],
    ),
    "a class with a type by an argument's name": (
        "class A:\n    error_type = 'Late'\n    level = 'error'",
        ["3 Late error - given"],
    ),
    "a class below one that says the type": (
        "class A:\n    type = 'Late'\n\n\nclass B(A):\n    level = 'error'",
        ["6 Late error - given"],
    ),
    "a class below one that says all": (
        "class A:\n    type = 'Late'\n    level = 'error'\n\n\nclass B(A):\n    note = ''",
        ["3 Late error - given"],
    ),
    "a class that says another type than the one it is below": (
        "class A:\n    type = 'Late'\n    level = 'error'\n\n\nclass B(A):\n    type = 'Lost'",
        ["3 Late error - given", "7 Lost error - given"],
    ),
    "a class without a severity": ("class A:\n    type = 'Late'\n    remedy = 'retry'", []),
    "a class with a severity alone": ("class A:\n    level = 'error'", []),
    "a class of another type": ("class A:\n    type = 'Odd'\n    level = 'error'", []),
    "a class with another recovery": ("class A:\n    remedy = 'odd'\n    level = 'error'", []),
    "a class whose fields are declared": ("class A:\n    type: str\n    level: str", []),
    "a dict": ("A = {'type': 'Late', 'level': 'error'}", ["1 Late error - given"]),
    "a dict with a recovery": ("A = {'level': 'error', 'remedy': 'skip'}", ["1 - error skip given"]),
    "a dict of something else": ("A = {'level': 'error', 'title': 'Late'}", []),
    "a table of dicts": (
        "A = {'a': {'type': 'Late', 'level': 'error'}, 'b': {'type': 'Odd', 'level': 'error'}}",
        ["1 Late error - given"],
    ),
    "an object": (
        "class A:\n    def __init__(self, type, level):\n        self.type = type\n        self.level = level\n\n\n"
        "B = A('Late', 'error')",
        ["7 Late error - given"],
    ),
    "an object without a severity": (
        "class A:\n    def __init__(self, type):\n        self.type = type\n\n\nB = A('Late')",
        [],
    ),
    "a table of objects": (
        "class A:\n    def __init__(self, type, level):\n        self.type = type\n        self.level = level\n\n\n"
        "B = {'a': A('Late', 'error')}",
        ["7 Late error - given"],
    ),
    "a text": ("A = 'Late'", []),
}


def definitions(text: str, config: str = CONFIG) -> list[str]:
    project = project_of({"a.py": f"{text}\n"}, config, rules=["ALL"])
    return [f"{each.span.line} {shown(each.said)}" for each in defined(project, "a.py")]


@pytest.mark.parametrize(("text", "said"), DEFINED.values(), ids=DEFINED)
def test_what_errors_are_is_defined_by(text: str, said: list[str]) -> None:
    assert definitions(text) == said


@pytest.mark.parametrize("field", ["severity-field", "recovery-field"])
def test_nothing_is_defined_where_the_policy_names_no_fields(field: str) -> None:
    text = "A = {'type': 'Late', 'level': 'error', 'remedy': 'retry'}"
    assert definitions(text) == ["1 Late error retry given"]
    assert definitions(text, CONFIG.replace(field, f"# {field}")) == []


def test_two_errors_of_one_answer_are_found_once() -> None:
    error = "{'error': {'type': 'Late', 'level': 'warning', 'remedy': 'skip'}}"
    assert len(findings({"a.py": f"{HEAD}    return [{error}, {error}]\n"}, CONFIG, rules=["ERR309"])) == 1
