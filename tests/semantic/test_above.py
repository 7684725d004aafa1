"""Whether a decorator above a function may answer its exceptions: the service by itself, in any order of questions."""

from __future__ import annotations

from itertools import permutations

from linked_texts import linked

from errlint.project import Project

CODE = """\
@answering
def top(x):
    return left(x)


def left(x):
    return right(x)


def right(x):
    left(x)
    return inner(x)


def inner(x):
    raise ValueError(x)


def apart(x):
    alone(x)


def alone(x):
    apart(x)
    raise ValueError(x)


@server.tool()
def served(x):
    tool_part(x)


@answering
def calls_a_tool(x):
    served(x)


def tool_part(x):
    raise ValueError(x)
"""
ANSWERED = {"top": True, "left": True, "right": True, "inner": True, "apart": False, "alone": False, "tool_part": False}


def project() -> Project:
    return linked({"server.py": CODE})


def test_who_answers_above_does_not_depend_on_what_was_asked_before() -> None:
    for names in permutations(ANSWERED, 3):
        linked = project()
        functions = {item.name: item for item in linked.modules["server.py"].functions}
        found = {name: linked.above.is_answered("server.py", functions[name]) for name in names}
        assert found == {name: ANSWERED[name] for name in names}


def test_each_call_on_the_way_out_comes_once() -> None:
    linked = project()
    inner = next(item for item in linked.modules["server.py"].functions if item.name == "inner")
    calls = [(call.around.name, call.called.name) for call in linked.above.calls("server.py", inner)]
    assert sorted(calls) == [("left", "right"), ("right", "inner"), ("right", "left"), ("top", "left")]
