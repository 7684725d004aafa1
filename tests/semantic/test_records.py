"""Error records: where they are built, with which fields, and which fields nobody finds in one."""

from __future__ import annotations

from textwrap import indent

import pytest
from judged_texts import astray, project_of

from errlint.facts import Mapping, Ref

SETTINGS = """\
style = "log"

[payload]
key = "error"
fields = ["type", "severity", "recovery", "message"]
type-field = "type"
severity-field = "severity"
recovery-field = "recovery"

[taxonomy]
severities = { Blocked = "warning" }
recoveries = { warning = ["retry"], error = ["skip"] }
"""
HEAD = """\
import json
import subprocess
from dataclasses import dataclass

from kit import page, service


def failed(kind, severity="error", *, recovery, message=None):
    return {"error": {"type": kind, "severity": severity, "recovery": recovery, "message": str(message)}}


def failed_with(kind, **fields):
    return {"error": {"type": kind, "severity": "error", "context": fields}}


def failed_at(place):
    return {"error": {"type": "Odd", "severity": place.severity, "recovery": place.kind.recovery}}


def plain(kind):
    return {"kind": kind}


@dataclass
class Report:
    type: str
    severity: str = "error"
    recovery: str = "skip"


@dataclass
class Advice:
    severity: str
    recovery: str


@dataclass
class Ticket:
    type: str
    severity: str = "low"


"""


def built(body: str) -> dict[str, str]:
    """Return the fields of the one record that a function builds, as far as they are texts."""
    text = f"{HEAD}def read(place, title, fields):\n{indent(body, '    ')}\n"
    project = project_of({"weather.py": text}, SETTINGS, rules=("ERR309",))
    found = [each for each in project.records.of("weather.py") if each.function.name == "read"]
    assert len(found) < 2
    names = ("type", "severity", "recovery", "message")
    return {name: said for each in found for name in names if (said := project.records.text(each, name))}


RECORDS = {
    "a dict": (
        'return {"error": {"type": "Blocked", "severity": "warning"}}',
        {"type": "Blocked", "severity": "warning"},
    ),
    "a dict in a name": (
        'note = {"error": {"type": "Blocked", "severity": "warning"}}\nprint(note)',
        {"type": "Blocked", "severity": "warning"},
    ),
    "a function that writes one": (
        "return failed('Blocked', recovery='retry')",
        {"type": "Blocked", "severity": "error", "recovery": "retry"},
    ),
    "a function that is given all": (
        "return failed('Blocked', 'warning', recovery='retry', message='no')",
        {"type": "Blocked", "severity": "warning", "recovery": "retry", "message": "no"},
    ),
    "a function that is given what cannot be seen": ("return failed(*fields, recovery='retry')", {}),
    "a function that writes something else": ("return plain('Blocked', recovery='retry')", {}),
    "an object": (
        "note = Report('Blocked', recovery='retry')",
        {"type": "Blocked", "severity": "error", "recovery": "retry"},
    ),
    "an object of a class that says no more": (
        "note = Advice('warning', 'retry')",
        {"severity": "warning", "recovery": "retry"},
    ),
    "an object of a class that says no recovery": ("note = Ticket('Blocked', severity='warning')", {}),
    "a call that nobody knows": ("return service.failed('Blocked', recovery='retry')", {}),
}


@pytest.mark.parametrize(("body", "fields"), RECORDS.values(), ids=RECORDS)
def test_a_record_is_built_by(body: str, fields: dict[str, str]) -> None:
    assert built(body) == fields


def test_a_field_may_be_all_other_keywords() -> None:
    text = f"{HEAD}def read(title):\n    return failed_with('Blocked', url=title, tries=3)\n"
    project = project_of({"weather.py": text}, SETTINGS, rules=("ERR309",))
    (found,) = (each for each in project.records.of("weather.py") if each.function.name == "read")
    said = found.field("context")
    assert said is not None and type(said.value) is Mapping
    assert [entry.key for entry in said.value.entries] == ["url", "tries"]


def test_a_field_may_be_an_attribute_of_what_a_function_is_given() -> None:
    text = f"{HEAD}def read(title):\n    return failed_at(page), 'retry'\n"
    project = project_of({"weather.py": text}, SETTINGS, rules=("ERR309",))
    (found,) = (each for each in project.records.of("weather.py") if each.function.name == "read")
    said = found.field("recovery")
    assert said is not None and said.value == Ref("page.kind.recovery")


def test_records_stand_in_order_and_know_where_a_field_was_given() -> None:
    body = (
        'first = {"error": {"type": "Blocked", "severity": "warning"}}\nfirst["error"]["recovery"] = "retry"\n'
        "print(first)\n"
        'print({"error": {"type": "Odd", "severity": "error"}})\n'
    )
    text = f"{HEAD}def read(place):\n{indent(body, '    ')}\n"
    project = project_of({"weather.py": text}, SETTINGS, rules=("ERR309",))
    line = text.splitlines().index("def read(place):") + 1
    first, second = (each for each in project.records.of("weather.py") if each.function.name == "read")
    assert (first.place("recovery").line, first.place("type", "recovery").line) == (line + 2, line + 2)
    assert (second.span.line, second.place("recovery").line) == (line + 4, line + 4)
    assert first.field("message") is None
    assert project.records.text(first, "") == ""


# --- who writes them, and does not log --------------------------------------------------------------------------------

LOGS = SETTINGS + '\n[logs]\nfields = ["type"]\n'
UNLOGGED = "  # error: an error is reported here, but it is not logged; log it with its fields"
RECORD = '{"error": {"type": "Blocked", "severity": "warning"}}'
WRITTEN = {
    "printed": f"print(json.dumps({RECORD})){UNLOGGED}",
    "printed and returned": f"note = {RECORD}\nprint(note)\nreturn note",
    "returned": f"return {RECORD}",
    "raised with": f"raise RuntimeError({RECORD})",
    "handed to somebody": f"service.take({RECORD})",
    "handed to a function of the project": f"plain({RECORD})",
    "written": f"place.write(json.dumps({RECORD})){UNLOGGED}",
    "printed where something else is logged": f"logger.error('no', type='Blocked')\nprint({RECORD})",
    "built by a function, and printed": "print(failed('Blocked', recovery='retry'))",
}


@pytest.mark.parametrize("body", WRITTEN.values(), ids=WRITTEN)
def test_a_record_is(body: str) -> None:
    text = f"{HEAD}def read(place, title, fields):\n{indent(body, '    ')}\n"
    assert astray({"weather.py": text}, LOGS, "ERR405") == []


# --- fields that none has ---------------------------------------------------------------------------------------------

NEVER = "  # error: looks for `{}` in an error record, which never has it; read a field that records have"
READ = {
    "a field that records have": "output = search(1)\nreturn output['error']['message']",
    "another one of an answer": f"output = search(1)\nreturn output['error']['code']{NEVER.format('code')}",
    "another one, by get": f"output = search(1)\nreturn output['error'].get('code'){NEVER.format('code')}",
    "another one of what is handed on": f"output = handed(1)\nreturn output['error']['code']{NEVER.format('code')}",
    "another one of what a process has printed": (
        "done = subprocess.run(title)\noutput = json.loads(done.stdout)\n"
        f"return output['error']['code']{NEVER.format('code')}"
    ),
    "another one of what is read elsewhere": ("output = json.loads(place.text)\nreturn output['error']['code']"),
    "another one of what is sent": "output = service.ask(title)\nreturn output['error']['code']",
    "another one of what a service answers": "output = asked(title)\nreturn output['error']['code']",
    "another one of a parameter": "return fields['error']['code']",
    "another one beside the severity": (
        f"if fields['error']['severity'] == 'error':\n"
        f"    return fields['error']['code']{NEVER.format('code')}\nreturn None"
    ),
    "another one beside the recovery, read": (
        f"print(fields['error']['recovery'])\nreturn fields['error']['code']{NEVER.format('code')}"
    ),
    "another one beside the message": "print(fields['error']['message'])\nreturn fields['error']['code']",
    "another one of two answers": (
        f"output = search(1)\nif title:\n    output = handed(1)\nreturn output['error']['code']{NEVER.format('code')}"
    ),
    "another one of one of two answers": (
        "output = search(1)\nif title:\n    output = service.ask(1)\nreturn output['error']['code']"
    ),
}
ANSWERS = (
    "def search(query):\n    if not query:\n        return {'error': {'type': 'Blocked', 'severity': 'warning'}}\n"
    "    return {'found': query}\n\n\ndef handed(query):\n    return search(query)\n\n\n"
    "def asked(query):\n    return service.ask(query)\n\n\n"
)


@pytest.mark.parametrize("body", READ.values(), ids=READ)
def test_a_field_is_read(body: str) -> None:
    text = f"{HEAD}{ANSWERS}def read(place, title, fields):\n{indent(body, '    ')}\n"
    assert astray({"weather.py": text}, SETTINGS, "ERR108") == []


def test_fields_are_known_in_the_style_of_records_alone() -> None:
    text = (f"{HEAD}{ANSWERS}def read():\n    output = search(1)\n    return output['error']['code']{{}}\n").replace(
        "{{}}", "{}"
    )
    assert astray({"weather.py": text.replace("{}\n", "\n")}, SETTINGS.replace('"log"', '"raise"'), "ERR108") == []
    no_fields = SETTINGS.replace('fields = ["type", "severity", "recovery", "message"]\n', "")
    assert astray({"weather.py": text.replace("{}\n", "\n")}, no_fields, "ERR108") == []
