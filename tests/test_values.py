"""What expressions stand for: the service below the rules, asked by itself over small projects."""

from __future__ import annotations

from pathlib import Path

import pytest
from linked_texts import linked

from errlint.facts import Call, Constant, Function, Mapping, Text, Value
from errlint.project import Project

TABLES = """\
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import NamedTuple

LIMIT = 3


class Kind(Enum):
    FULL = "disk_full"
    SLOW = "too_slow"


class Reason(Enum):
    GONE = ("gone", 410)
    BUSY = ("busy", 503)

    def __init__(self, word, status):
        self.word = word
        self.status = status


class Spec(NamedTuple):
    code: str
    status: int = 500
    advice: str = "ask the operator"


@dataclass(frozen=True)
class Advice:
    text: str
    links: list = field(default_factory=list)
    level: str = field(default="low")


FULL = Spec("disk_full", status=507)
PLAIN = Spec("plain")
CARE = Advice(text="take care")
WORDS = {Kind.FULL: "no room", Kind.SLOW: "no time"}
BY_STATUS = {404: "absent", 409: "clash"}
SPECS = {"full": FULL, "plain": PLAIN}
FROZEN = MappingProxyType({"a": "first"})
SHARED = {"code": "shared", "retry": False}
FRAME = "<{}> {code}"
NESTED = {**SHARED, "retry": True}


def origin(phase):
    return {"phase": phase, "agent": "reader"}


def spec(code, **more):
    return Spec(code=code, **more)


def checked(code, **more):
    if more:
        return None
    return Spec(code=code, **more)
"""


def project(tmp_path: Path, **files: str) -> Project:
    """Return the linked project of some modules."""
    return linked({f"{name}.py": text for name, text in sorted(files.items())}, use_ast=False, root=tmp_path)


def asked(tmp_path: Path, expression: str, before: str = "", **files: str) -> tuple[Project, Function, Value]:
    """Return a project with the value of an expression that a function of it returns."""
    lines = "".join(f"    {line}\n" for line in before.splitlines())
    text = f"from tables import *\nfrom typing import cast\n\ndef asked(given, key):\n{lines}    return {expression}\n"
    linked = project(tmp_path, tables=TABLES, asking=text, **files)
    function = next(item for item in linked.modules["asking.py"].functions if item.name == "asked")
    return linked, function, function.returns[0].value


@pytest.mark.parametrize(
    ("expression", "texts"),
    [
        pytest.param('"plain"', {"plain"}, id="a text is itself"),
        pytest.param("Kind.FULL", {"disk_full"}, id="a member of an enumeration is its value"),
        pytest.param("Kind.FULL.value", {"disk_full"}, id="and so is what it says by itself"),
        pytest.param("Kind.FULL.name", {"FULL"}, id="its name is another text"),
        pytest.param("Reason.GONE.word", {"gone"}, id="a member has what its constructor stores"),
        pytest.param("FULL.code", {"disk_full"}, id="a constant object has the field that was passed by position"),
        pytest.param("FULL.advice", {"ask the operator"}, id="and the default of one that was not passed"),
        pytest.param("CARE.text", {"take care"}, id="of a dataclass, too"),
        pytest.param("CARE.level", {"low"}, id="where field() says the default"),
        pytest.param('SPECS["full"].code', {None}, id="an attribute of an item is not followed"),
        pytest.param("WORDS[Kind.SLOW]", {"no time"}, id="a table holds what stands under a member"),
        pytest.param("WORDS.get(Kind.SLOW, 'other')", {"no time"}, id="also where get asks it"),
        pytest.param("WORDS[key]", {"no room", "no time"}, id="under an unknown key all that it holds"),
        pytest.param("WORDS.get(key, 'other')", {"no room", "no time", "other"}, id="and the default of get"),
        pytest.param("WORDS.get(key)", {"no room", "no time", None}, id="which may be nothing"),
        pytest.param("BY_STATUS[409]", {"clash"}, id="numbers are keys"),
        pytest.param("BY_STATUS.get(500, 'other')", {"other"}, id="a key that is not there leaves the default"),
        pytest.param('FROZEN["a"]', {"first"}, id="a frozen dict is a dict"),
        pytest.param("cast(str, FULL.code)", {"disk_full"}, id="a cast changes nothing"),
        pytest.param("str(Kind.SLOW.value)", {"too_slow"}, id="nor does str of a text"),
        pytest.param("Kind.SLOW.value if key else 'quick'", {"too_slow", "quick"}, id="a conditional is either"),
        pytest.param("key or 'quick'", {None, "quick"}, id="a default is one of two"),
        pytest.param("f'{FULL.code}!'", {"disk_full!"}, id="a text is put together of known parts"),
        pytest.param("f'{given}!'", {None}, id="and not of unknown ones"),
        pytest.param("LIMIT", {None}, id="a number is no text"),
        pytest.param("given", {None}, id="a parameter can be anything"),
        pytest.param("nowhere.code", {None}, id="so can what is not defined"),
    ],
)
def test_texts(tmp_path: Path, expression: str, texts: set[str | None]) -> None:
    linked, function, value = asked(tmp_path, expression)
    assert {*linked.values.texts("asking.py", function.name, value)} == texts


def test_a_parameter_hides_the_constant_of_its_name(tmp_path: Path) -> None:
    linked = project(tmp_path, asking='code = "outer"\n\ndef asked(code):\n    return code\n')
    value = linked.modules["asking.py"].functions[0].returns[0].value
    assert linked.values.text("asking.py", "asked", value) is None


def test_what_a_constructor_stores_hides_the_constant_of_the_class(tmp_path: Path) -> None:
    text = (
        'class Base:\n    code = "old"\n    kind = "kept"\n    def __init__(self, code):\n        self.code = code\n'
        "    def asked(self):\n        return (self.code, self.kind)\n"
    )
    linked = project(tmp_path, asking=text)
    function = next(item for item in linked.modules["asking.py"].functions if item.name == "Base.asked")
    code, kind = function.returns[0].value.items  # type: ignore[union-attr]
    assert linked.values.text("asking.py", function.name, code) is None
    assert linked.values.text("asking.py", function.name, kind) == "kept"


@pytest.mark.parametrize(
    ("expression", "before", "parts"),
    [
        pytest.param("f'[{key}] gone'", "", ["[", "Ref", "] gone"], id="a formatted text"),
        pytest.param("'[{}] {}'.format(key, given)", "", ["[", "Ref", "] ", "Ref"], id="format of a text"),
        pytest.param("'[%s] gone' % key", "", ["[", "Ref", "] gone"], id="percent"),
        pytest.param("'[' + key + '] gone'", "", ["[", "Ref", "] gone"], id="a sum"),
        pytest.param("line.format(k=key)", "line = '[{k}] gone'", ["[", "Ref", "] gone"], id="format of a local"),
        pytest.param("FRAME.format(key, code='x')", "", ["<", "Ref", "> ", "Text"], id="format of a constant"),
        pytest.param("given.format(key)", "", None, id="format of what is not known"),
        pytest.param("FULL.code", "", ["disk_full"], id="a field of a constant"),
        pytest.param("given", "", None, id="a parameter"),
    ],
)
def test_texts_that_are_written(tmp_path: Path, expression: str, before: str, parts: list[str] | None) -> None:
    linked, function, value = asked(tmp_path, expression, before)
    text = linked.evaluator.written("asking.py", function.name, value)
    found = (
        [part if isinstance(part, str) else type(part).__name__ for part in text.parts if part != ""] if text else []
    )
    assert found == (parts or [])


def told(value: Value) -> object:
    """Return what a test says of a value."""
    if type(value) is Text:
        return "".join(part if isinstance(part, str) else "{}" for part in value.parts)
    return value.value if type(value) is Constant else type(value).__name__


@pytest.mark.parametrize(
    ("expression", "before", "entries"),
    [
        pytest.param("{**SHARED}", "", {"code": "shared", "retry": False}, id="a constant of another module is spread"),
        pytest.param("{**NESTED}", "", {"code": "shared", "retry": True}, id="which is one that is spread itself"),
        pytest.param("{**SHARED, 'code': 'own'}", "", {"code": "own", "retry": False}, id="own entries win"),
        pytest.param("{'in': {**SHARED}}", "", {"in": "Mapping"}, id="a dict inside of a dict"),
        pytest.param("{**about}", "about = {'x': 1}\nabout['y'] = 2", {"x": 1, "y": 2}, id="built in steps"),
        pytest.param("{**about}", "about = dict(x=1)\nabout.update(y=2)", {"x": 1, "y": 2}, id="and by update"),
        pytest.param("{**origin(3)}", "", {"phase": 3, "agent": "reader"}, id="what a function answers is spread"),
        pytest.param("{**FULL._asdict()}", "", {"code": "disk_full", "status": 507, "advice": "ask the operator"},
                     id="the fields of an object are spread"),
        pytest.param("{**given, 'x': 1}", "", {"x": 1, "**": None}, id="an unknown dict leaves it open"),
        pytest.param("SHARED if key else {'code': 'b', 'more': 1}", "",
                     {"code": "Choice", "retry": "Choice", "more": "Choice"},
                     id="entries of one of two dicts may be there"),
        pytest.param("given", "", None, id="a parameter is no dict that is known"),
    ],
)  # fmt: skip
def test_dicts(tmp_path: Path, expression: str, before: str, entries: dict[str, object] | None) -> None:
    linked, function, value = asked(tmp_path, expression, before)
    found = linked.evaluator.mapping("asking.py", function.name, value)
    assert (None if found is None else _entries(found)) == entries


def _entries(value: Mapping) -> dict[str, object]:
    """Return the entries with constant keys, and one of two stars where there may be others."""
    known = {entry.key: told(entry.value) for entry in value.entries if entry.key is not None}
    is_open = bool(value.spreads) or any(entry.key is None for entry in value.entries)
    return known | ({"**": None} if is_open else {})


@pytest.mark.parametrize(
    ("expression", "before", "name", "arguments"),
    [
        pytest.param("Spec('a', **about)", "about = {'status': 4}", "Spec", {"": "a", "status": 4}, id="spread"),
        pytest.param("Spec('a', **given)", "", "Spec", {"": "a", "**": "Ref"}, id="an unknown spread stays"),
        pytest.param("Spec.model_validate({'code': 'a'})", "", "Spec", {"code": "a"}, id="validated"),
        pytest.param("FULL._replace(status=4)", "", "FULL._replace", {"status": 4}, id="of another module: as it is"),
        pytest.param("own._replace(status=4)", "own = Spec('a', status=1)", "Spec", {"": "a", "status": 4},
                     id="a changed copy is made like the object"),
        pytest.param("own.model_copy(update={'status': 4})", "own = Spec('a')", "Spec", {"": "a", "status": 4},
                     id="a changed copy of a model"),
    ],
)  # fmt: skip
def test_calls(tmp_path: Path, expression: str, before: str, name: str, arguments: dict[str, object]) -> None:
    linked, function, value = asked(tmp_path, expression, before)
    assert type(value) is Call
    found = linked.evaluator.called("asking.py", function.name, value)
    assert (found.name, {item.name: told(item.value) for item in found.arguments}) == (name, arguments)


@pytest.mark.parametrize(
    ("expression", "arguments"),
    [
        pytest.param("spec('a', status=4)", {"code": "a", "status": 4}, id="what is left over is handed on"),
        pytest.param("spec('a')", {"code": "a"}, id="or nothing is"),
        pytest.param("spec('a', **given)", {"code": "a", "**": "Opaque"}, id="or what is not known"),
        pytest.param("checked('a', status=4)", None, id="a function that does more"),
        pytest.param("origin(3)", None, id="a function that makes no object"),
    ],
)
def test_what_functions_hand_on(tmp_path: Path, expression: str, arguments: dict[str, object] | None) -> None:
    linked, function, value = asked(tmp_path, expression)
    assert type(value) is Call
    found = linked.evaluator.handed_on("asking.py", function.name, value)
    given = {item.name: told(item.value) for item in found.call.arguments} if found is not None else None
    assert given == arguments


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("make = partial(Spec, status=4)\n\ndef asked():\n    return make('a')\n", id="of the module"),
        pytest.param("def asked():\n    make = partial(Spec, status=4)\n    return make('a')\n", id="of the function"),
    ],
)
def test_what_partial_binds_is_passed(tmp_path: Path, text: str) -> None:
    linked = project(tmp_path, tables=TABLES, asking=f"from functools import partial\nfrom tables import Spec\n{text}")
    value = linked.modules["asking.py"].functions[0].returns[0].value
    assert type(value) is Call
    found = linked.evaluator.called("asking.py", "asked", value)
    assert (found.name, {item.name: told(item.value) for item in found.arguments}) == ("Spec", {"": "a", "status": 4})


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("A = B\nB = A\n\ndef asked():\n    return A\n", id="constants"),
        pytest.param("A = {**B}\nB = {**A}\n\ndef asked():\n    return {**A}\n", id="dicts"),
        pytest.param("def make():\n    return {**make()}\n\ndef asked():\n    return {**make()}\n", id="functions"),
        pytest.param("class S:\n    a: int = 1\n\nA = S(**A.a)\n\ndef asked():\n    return A.a\n", id="objects"),
    ],
)
def test_what_stands_for_itself_comes_to_an_end(tmp_path: Path, text: str) -> None:
    linked = project(tmp_path, asking=text)
    value = linked.modules["asking.py"].functions[-1].returns[0].value
    assert linked.values.text("asking.py", "asked", value) is None
    linked.evaluator.mapping("asking.py", "asked", value)
    linked.evaluator.filled("asking.py", "asked", value)
