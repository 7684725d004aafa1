"""Tests of generated programs: what they assert of a function whose errors a fix may turn into exceptions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol, TypeVar

T = TypeVar("T")


class Pick(Protocol):
    """Draws one of some options."""

    def __call__(self, options: Sequence[T]) -> T:
        """Return it."""


class Subject(NamedTuple):
    """A function to test, as ``module.name``.

    ``number`` is the condition that it answers an error on, ``use`` the one on which the ``tool`` calls it (0 for
    always). ``is_decorated`` says that something stands around it that is no boundary, ``is_inspected`` that its caller
    looks for an error, ``has_example`` that an example in its docstring shows one.
    """

    module: str
    name: str
    is_async: bool
    number: int
    use: int = 0
    is_tool: bool = False
    is_decorated: bool = False
    is_inspected: bool = False
    has_example: bool = False


class Written(NamedTuple):
    """A test function: its header, and the text of its body; ``is_method`` is one of a test case."""

    header: str
    body: str
    is_method: bool = False


IMPORTS = """\
import contextlib
import doctest
import inspect
import json
import unittest
from unittest import mock

from toolkit import record

"""

HELPER = """\
def ask(function, on):
    return function(on, "it")


def run_examples(module, name):
    runner = doctest.DocTestRunner(verbose=False)
    for test in doctest.DocTestFinder().find(getattr(module, name), name, module=module):
        runner.run(test, out=lambda text: None)
    assert not runner.failures
"""

EXAMPLES = (
    """>>> "error" in {name}({on}, "it")\nTrue""",
    """>>> {name}({on}, "it")["error"]\n'not there'""",
    """>>> found = {name}({on}, "it")\n>>> found["error"]\n'not there'""",
)
"""What the docstring of a function shows of its errors."""

ABOUT_ERRORS = (
    'assert "error" in {call}',
    'assert {call}["error"]',
    'assert {call}.get("error")',
    'result = {call}\nassert "error" in result',
    'result = {call}\nassert result["error"] == "not there"',
    'result = {call}\nassert result.get("error")',
    'result = {call}\nassert "error" in result\nassert "bad" in result["error"]',
    'assert {call}["error"] == "not there"',
    'assert {call}["error"] == "bad it"',
    'result = {call}\nassert result["error"].startswith("missing")',
    'result = {call}\nassert result["success"] is False',
    'result = {call}\nassert "error" in result  # it says so\nassert len(result["error"]) > 2',
    'result = {call}\nassert not result.get("success", True)',
    'result = {call}\nassert result["status"] == "error"',
    'result = {call}\nassert isinstance(result, dict)\nassert result["error"]',
)

ABOUT_VALUES = (
    'assert "error" not in {good}',
    'assert {good}["path"]',
    'result = {good}\nassert result.get("error") is None',
    'assert not {good}.get("error")',
    'assert {good} == {{"path": "it", "content": 1}}',
)

ODD = (
    'assert {call} == {{"error": "not there"}}',
    'assert {call} == {{"error": "bad it"}}',
    "assert len({call}) == 1",
    'assert json.loads(json.dumps({call}))["error"]',
    'for result in [{call}]:\n    assert result["error"]',
    'results = [{call} for _ in (1, 2)]\nassert all("error" in each for each in results)',
    'assert sorted({call}) == ["error"]',
    'assert list({call})[-1] == "error"',
    'with contextlib.suppress(KeyError):\n    result = {call}\n    assert "error" in result',
    "try:\n    result = {call}\nexcept Exception:\n    result = None\nassert result",
    "assert {call} != {good}",
    'try:\n    {call}["path"]\nexcept KeyError:\n    found = "error"\nelse:\n    found = ""\nassert found or "path"',
    'found = {call}\nother = found\nassert other["error"]',
    'result = {call}\nassert "path" in result or result["error"]',
    'result = {call}\nassert "error" in result\nrecord(str(result))',
    'result = {call}\nassert "error" in result\nassert "path" not in result',
    'result = {call}\nassert str(result).count("error")',
)

EXACT = ('assert {call}["error"] == "not there"', 'result = {call}\nassert result["error"] == "not there"')

ELSEWHERE = (
    'for _ in (1,):\n    result = {call}\n    assert "error" in result\nassert result',
    'try:\n    result = {call}\n    assert result["error"]\nfinally:\n    record("end")\nrecord(str(result))',
    'if {on}:\n    result = {call}\n    assert result.get("error")\nrecord(str(len(result)))',
)

INDIRECT = (
    'assert ask({function}, {on})["error"]',
    'assert ask({function}, {on})["success"] is False',
    'check = {function}\nassert "error" in check({on}, "it")',
    'check = {function}\nassert not check({on}, "it")["success"]',
    'holder = {module}\nassert "error" in holder.{name}({on}, "it")',
    'assert getattr({module}, "{name}")({on}, "it")["error"]',
    'for name in ("{name}",):\n    assert not getattr({module}, name)({on}, "it")["success"]',
    'assert "error" in vars({module})["{name}"]({on}, "it")',
)

UNWRAPPED = (
    'assert "error" in {inner}({on}, "it")',
    'inner = {inner}\nassert "error" in inner({on}, "it")',
    'for inner in ({inner},):\n    assert "error" in inner({on}, "it")',
)
"""Tests of a tool without the boundary that is its decorator."""

INNER = (
    "{function}.__wrapped__",
    "inspect.unwrap({function})",
    'getattr({function}, "__wrapped__")',
)

OF_UNITTEST = (
    'result = {call}\nself.assertIn("error", result)',
    'self.assertEqual({call}["error"], "not there")',
    'result = {call}\nself.assertTrue(result["error"])\nself.assertIn("bad", result["error"])',
    'self.assertNotIn("error", {good})',
    'result = {call}\nself.assertFalse(result.get("success", True))',
    'self.assertEqual({call}, {{"error": "not there"}})',
)

STAND_INS = (
    'with mock.patch("{package}.server.{name}", {made}):\n    result = {tool}\n    {claim}',
    'with mock.patch.object(server, "{name}", new={made}):\n    result = {tool}\n    {claim}',
    'monkeypatch.setattr(server, "{name}", {made})\nresult = {tool}\n{claim}',
    "kept, server.{name} = server.{name}, {made}\n"
    "try:\n    result = {tool}\n    {claim}\nfinally:\n    server.{name} = kept",
)

CLAIMS_OF_STAND_INS = (
    'assert result["error"] == "fake"',
    'assert "error" in result',
    *['assert result.get("path") == "inspected"'] * 4,
    "assert result",
)


KINDS = (
    *["error"] * 6, "value", *["odd", "elsewhere", "indirect"] * 2, "unittest", *["stand-in"] * 4,
)  # fmt: skip


def tests_of(pick: Pick, package: str, subjects: Sequence[Subject], tool: Subject) -> Iterator[Written]:
    """Yield tests of functions, some of which the ``tool`` calls, and of that."""
    for index in range(pick((1, 1, 2, 3))):
        decorated = [each for each in subjects if each.is_decorated]
        is_usual = not decorated or pick((True, False))
        subject = pick((*subjects, *subjects, tool, tool) if is_usual else tuple(decorated))
        kind = pick(KINDS)
        if subject.is_decorated and pick((True, False)):
            kind = "error"
        elif subject.is_inspected and pick((True, False)):
            kind = "stand-in"
        elif subject.is_tool and not subject.is_async and pick((True, *[False] * 15)):
            kind = "unwrapped"
        function = pick((f"{subject.module}.{subject.name}", subject.name))
        name = f"test_{subject.name}_{index}"
        if kind == "stand-in" and subject.module == "server" and not subject.is_tool:
            yield _with_stand_in(pick, package, subject, tool, name)
        elif kind == "unittest" and not subject.is_async:
            yield Written(f"def {name}(self):", _filled(pick(OF_UNITTEST), subject, function), is_method=True)
        else:
            known = {"value": ABOUT_VALUES, "odd": ODD, "elsewhere": ELSEWHERE}
            if not subject.is_async:
                known["indirect"] = INDIRECT
                known["unwrapped"] = tuple(text.replace("{inner}", pick(INNER)) for text in UNWRAPPED)
            claims = (*ABOUT_ERRORS, *EXACT * 8) if subject.is_decorated else (*ABOUT_ERRORS, *EXACT)
            text = pick(known.get(kind, claims))
            start = "async " if subject.is_async else ""
            yield Written(f"{start}def {name}():", _filled(text, subject, function))
    for subject in subjects:
        if subject.has_example:
            yield Written(f"def test_examples_{subject.name}():", f"run_examples({subject.module}, '{subject.name}')")


def _filled(text: str, subject: Subject, function: str) -> str:
    on = f"{{{subject.number}}}"
    call, good = (f'{function}({given}, "it")' for given in (on, "set()"))
    if subject.is_async:
        call, good = f"(await {call})", f"(await {good})"
    return text.format(module=subject.module, name=subject.name, function=function, on=on, call=call, good=good)


def _with_stand_in(pick: Pick, package: str, subject: Subject, tool: Subject, name: str) -> Written:
    """Return a test of a tool that lets something else answer in place of a function."""
    text, claim = pick(STAND_INS), pick(CLAIMS_OF_STAND_INS)
    made = 'lambda on, text: {"error": "fake"}'
    if subject.is_async:
        made = 'mock.AsyncMock(return_value={"error": "fake"})'
    call = f'server.{tool.name}({f"{{{subject.use}}}" if subject.use else "set()"}, "it")'
    header = f"def {name}({'monkeypatch' if 'monkeypatch' in text else ''}):"
    if tool.is_async:
        call, header = f"await {call}", f"async {header}"
    return Written(header, text.format(package=package, name=subject.name, made=made, tool=call, claim=claim))
