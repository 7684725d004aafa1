"""What is above and below a class, and which clauses catch it: the service by itself."""

from __future__ import annotations

from textwrap import dedent

import pytest
from linked_texts import linked

from errlint.project.names import ClassSymbol, ExternalSymbol

BASES = "from abc import ABC as Abstract\n\n\nclass Own(Abstract): ...\n\n\nOther = Own\n"
CASES = {
    "none": ("class Tool: ...", []),
    "one of the project": ("from bases import Own\nclass Tool(Own): ...", []),
    "one by another name of its import": ("from bases import Own as Base\nclass Tool(Base): ...", []),
    "one by another name of its module": ("from bases import Other\nclass Tool(Other): ...", []),
    "one of its own file by another name": ("class Own: ...\nOther = Own\nclass Tool(Other): ...", []),
    "one that calls nothing": ("from abc import ABC as Abstract\nclass Tool(Abstract): ...", []),
    "a foreign one": ("from kit import Plugin\nclass Tool(Plugin): ...", ["Plugin"]),
    "a foreign one by another name": ("from kit import Plugin as Base\nclass Tool(Base): ...", ["Plugin"]),
    "a foreign one above one of the project": (
        "import kit\nclass Base(kit.Plugin): ...\nclass Tool(Base): ...",
        ["Plugin"],
    ),
    "one that is made": ("class Tool(made()): ...", ["made"]),
}


@pytest.mark.parametrize(("code", "active"), CASES.values(), ids=CASES)
def test_the_bases_that_may_call_the_methods_of_a_class(code: str, active: list[str]) -> None:
    project = linked({"bases.py": BASES, "tool.py": f"{code}\n"})
    symbol = project.names.resolve("tool.py", "Tool", "")
    assert isinstance(symbol, ClassSymbol)
    assert project.hierarchy.active_bases(symbol) == active


def test_the_bases_of_a_class_are_told_once_however_they_are_reached() -> None:
    code = """
        from library import Thing

        class Left(Right): ...
        class Right(Left, Thing): ...
        class Both(Left, Right): ...
    """
    project = linked({"server.py": dedent(code)})
    names, hierarchy = project.names, project.hierarchy
    symbol = names.resolve("server.py", "Both")
    assert isinstance(symbol, ClassSymbol)
    assert hierarchy.base_names(symbol) == ("Left", "Right", "Thing", "library.Thing")
    heirs = [heir.definition.name for heir in hierarchy.heirs(ClassSymbol("server.py", symbol.definition))]
    assert heirs == []
    thing = names.resolve("server.py", "Left")
    assert isinstance(thing, ClassSymbol)
    assert [heir.definition.name for heir in hierarchy.heirs(thing)] == ["Left", "Right", "Both"]


ORDER = {
    "a class comes before what is above both": (
        "class Root(Exception): ...\nclass A(Root): ...\nclass B(Root): ...\nclass C(A, B): ...",
        ["C", "A", "B", "Root", "Exception", "BaseException"],
    ),
    "what is above the first base comes before the second": (
        "class Root: ...\nclass A(Root): ...\nclass B(Exception): ...\nclass C(A, B): ...",
        ["C", "A", "Root", "B", "Exception", "BaseException"],
    ),
    "what is above an error of a library is known": (
        "from fastmcp.exceptions import ToolError\nclass C(ToolError): ...",
        ["C", "ToolError", "FastMCPError", "Exception", "BaseException"],
    ),
}


@pytest.mark.parametrize(("code", "names"), ORDER.values(), ids=ORDER)
def test_what_is_above_a_class_comes_in_the_order_of_python(code: str, names: list[str]) -> None:
    project = linked({"server.py": f"{code}\n"})
    symbol = project.names.resolve("server.py", "C")
    assert isinstance(symbol, ClassSymbol)
    assert [name.rpartition(".")[2] for name in project.hierarchy.ancestors(symbol)] == names


CAUGHT = {
    "its base": ("class C(ValueError): ...", "ValueError", True),
    "any exception": ("class C(ValueError): ...", "Exception", True),
    "another one": ("class C(ValueError): ...", "KeyError", False),
    "what any exception leaves": ("class C(KeyboardInterrupt): ...", "Exception", False),
    "what is above one of a library": (
        "import fastmcp\nclass C(fastmcp.exceptions.ToolError): ...",
        "ValueError",
        False,
    ),
    "a builtin one below one of a library": ("import kit\nclass C(kit.Odd): ...", "ValueError", None),
    "one of the same library": ("import kit\nclass C(kit.Odd): ...", "kit.Even", None),
    "one of another library": ("import kit, net\nclass C(kit.Odd): ...", "net.Even", False),
    "what a name holds that is no class": ("KNOWN = (KeyError,)\nclass C(ValueError): ...", "KNOWN", None),
    "an error of a library by what is above it": ("from json import JSONDecodeError as C", "ValueError", True),
    "one of the language by another name": ("import socket\nC = TimeoutError", "socket.timeout", True),
    "one of the language in a clause of a library": ("import kit\nC = ValueError", "kit.Odd", False),
    "what may be several classes of a library": ("import kit\nC = ValueError", "kit.ERRORS", None),
    "a mixin that says nothing": ("from abc import ABC\nclass C(ABC, ValueError): ...", "KeyError", False),
}


@pytest.mark.parametrize(("code", "clause", "is_caught"), CAUGHT.values(), ids=CAUGHT)
def test_a_clause_catches_a_class(code: str, clause: str, is_caught: bool | None) -> None:
    project = linked({"server.py": f"{code}\n"})
    symbol = project.names.resolve("server.py", "C")
    assert isinstance(symbol, (ClassSymbol, ExternalSymbol))
    assert project.hierarchy.catches("server.py", "", (clause,), symbol) is is_caught


OVERRIDDEN = {
    "a method that a class below has": ("class C(B):\n    def find(self): ...", "B.find", True),
    "one that a class further below has": ("class M(B): ...\nclass C(M):\n    def find(self): ...", "B.find", True),
    "one that no class below has": ("class C(B):\n    def get(self): ...", "B.find", False),
    "one that another class has": ("class C:\n    def find(self): ...", "B.find", False),
    "one of the class below": ("class C(B):\n    def find(self): ...", "C.find", False),
    "a function in a method": ("class C(B):\n    def inner(self): ...", "B.find.inner", False),
    "a function": ("def find(): ...\nclass C(B):\n    def find(self): ...", "find", False),
}


@pytest.mark.parametrize(("code", "name", "is_one"), OVERRIDDEN.values(), ids=OVERRIDDEN)
def test_a_class_below_overrides(code: str, name: str, is_one: bool) -> None:
    base = "class B:\n    def find(self):\n        def inner(): ...\n        return inner\n"
    project = linked({"server.py": f"{base}{code}\n"})
    function = next(each for each in project.modules["server.py"].functions if each.name == name)
    assert project.hierarchy.is_overridden("server.py", function) is is_one
