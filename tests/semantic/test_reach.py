"""Who can get at a function: the service by itself."""

from __future__ import annotations

import pytest
from linked_texts import linked

from errlint.facts import Function
from errlint.project import Project

UNCALLED = "{decorator}def _load() -> None: ...\n"


@pytest.mark.parametrize("decorator", ["", "@final\n", "@no_type_check\n", "@deprecated('no more')\n"])
def test_a_private_function_that_nobody_calls_is_not_reached_for_a_mark_on_it(decorator: str) -> None:
    project = linked({"shop.py": UNCALLED.format(decorator=decorator)})
    (function,) = project.modules["shop.py"].functions
    assert not project.reach.is_reachable("shop.py", function)
    project = linked({"shop.py": UNCALLED.format(decorator="@app.command\n")})
    (function,) = project.modules["shop.py"].functions
    assert project.reach.is_reachable("shop.py", function)


SERVER = "from fastmcp import FastMCP\nimport kit\n\nmcp = FastMCP('shop')\n\n\n"
TOOL = "@mcp.tool()\ndef find(key):\n"
LOAD = "def _load(key):\n    return key\n\n\n"


def found(project: Project, name: str) -> Function:
    return next(each for each in project.modules["shop/server.py"].functions if each.name == name)


def served(code: str, **others: str) -> Project:
    """Return a project with a package that has a tool, and other packages of one module each."""
    texts = {f"{name}/stock.py": text for name, text in others.items()}
    return linked({"shop/server.py": f"{SERVER}{code}\n", "shop/__init__.py": "", **texts})


REACHED: dict[str, tuple[str, str, list[str] | None]] = {
    # code, the function, and the tools that its errors may surface through (None: anybody may call it)
    "a tool": (f"{TOOL}    return key", "find", ["find"]),
    "what a tool calls": (f"{LOAD}{TOOL}    return _load(key)", "_load", ["find"]),
    "what is called by what a tool calls": (
        f"{LOAD}def _again(key):\n    return _load(key)\n\n\n{TOOL}    return _again(key)",
        "_load",
        ["find"],
    ),
    "what two tools call": (
        f"{LOAD}{TOOL}    return _load(key)\n\n\n@mcp.tool()\ndef sell(key):\n    return _load(key)",
        "_load",
        ["find", "sell"],
    ),
    "what nobody calls": (f"{LOAD}{TOOL}    return key", "_load", []),
    "what is called by what nobody calls": (
        f"{LOAD}def again(key):\n    return _load(key)\n\n\n{TOOL}    return key",
        "_load",
        [],
    ),
    "what the module calls": (f"{LOAD}{TOOL}    return key\n\n\n_load(3)", "_load", None),
    "what the module and a tool call": (f"{LOAD}{TOOL}    return _load(key)\n\n\n_load(3)", "_load", None),
    "a decorator of a tool": (
        "def _traced(function):\n    return function\n\n\n@_traced\n" + f"{TOOL}    return key",
        "_traced",
        ["find"],
    ),
    "the wrapper of a decorator of a tool": (
        "def _traced(function):\n    def wrapper(key):\n        return function(key)\n    return wrapper\n\n\n"
        f"@_traced\n{TOOL}    return key",
        "_traced.wrapper",
        ["find"],
    ),
    "a function in a tool": (f"{TOOL}    def inner():\n        return key\n    return inner", "find.inner", ["find"]),
    "a public function that nobody calls": (f"def load(key): ...\n\n\n{TOOL}    return key", "load", []),
    "the function that a package is started by": (f"def main(): ...\n\n\n{TOOL}    return key", "main", None),
    "a method of its name": (
        f"class Shop:\n    def main(self): ...\n\n\n{TOOL}    return key",
        "Shop.main",
        [],
    ),
    "a method that Python calls": (
        f"class Shop:\n    def __enter__(self): ...\n\n\n{TOOL}    return key",
        "Shop.__enter__",
        None,
    ),
    "a method that only begins like one": (
        f"class Shop:\n    def __enter(self): ...\n\n\n{TOOL}    return key",
        "Shop.__enter",
        [],
    ),
    "a method of a class of a library": (
        f"class Shop(kit.Plugin):\n    def load(self): ...\n\n\n{TOOL}    return key",
        "Shop.load",
        None,
    ),
    "a method of a class beside one of a library": (
        f"class Base:\n    def load(self): ...\n\n\nclass Shop(Base, kit.Plugin): ...\n\n\n{TOOL}    return key",
        "Base.load",
        None,
    ),
    "a function in a method of a class of a library": (
        f"class Shop(kit.Plugin):\n    def _a(self):\n        def load(): ...\n\n\n{TOOL}    return key",
        "Shop._a.load",
        None,
    ),
    "a method of a class of the project": (
        f"class Base: ...\n\n\nclass Shop(Base):\n    def load(self): ...\n\n\n{TOOL}    return key",
        "Shop.load",
        [],
    ),
    "what is looked up by its name": (
        "def _add(key): ...\n\n\ndef _drop(key): ...\n\n\nCOMMANDS = {'add': _add, 'drop': _drop}\n\n\n"
        f"{TOOL}    return COMMANDS[key](key)",
        "_add",
        None,
    ),
}


@pytest.mark.parametrize(("code", "name", "tools"), REACHED.values(), ids=REACHED)
def test_errors_may_surface_through(code: str, name: str, tools: list[str] | None) -> None:
    project = served(code)
    function = found(project, name)
    through = project.reach.may_surface_through("shop/server.py", function)
    assert (None if through is None else sorted(through)) == tools
    assert project.reach.is_reachable("shop/server.py", function) is (tools != [])


LIBRARY = {
    "a public function": ("def load(): ...", "load", True),
    "a private function": ("def _load(): ...", "_load", False),
    "a public method": ("class Shelf:\n    def load(self): ...", "Shelf.load", True),
    "a public method of a private class": ("class _Shelf:\n    def load(self): ...", "_Shelf.load", False),
    "what a public function calls": ("def _load(): ...\n\n\ndef load():\n    return _load()", "_load", True),
}


@pytest.mark.parametrize(("code", "name", "is_reached"), LIBRARY.values(), ids=LIBRARY)
def test_of_a_package_without_tools_others_call(code: str, name: str, is_reached: bool) -> None:
    project = served(f"{TOOL}    return key", library=f"{code}\n")
    function = next(each for each in project.modules["library/stock.py"].functions if each.name == name)
    assert project.reach.is_reachable("library/stock.py", function) is is_reached


CODE: dict[str, tuple[str, str, str]] = {
    "a tool": (f"{TOOL}    return key", "find", "find"),
    "what a tool answers": (f"{LOAD}{TOOL}    return _load(key)", "_load", "find"),
    "what a tool calls": (f"{LOAD}{TOOL}    _load(key)", "_load", "find"),
    "what is answered by what a tool calls": (
        f"{LOAD}def _again(key):\n    return _load(key)\n\n\n{TOOL}    _again(key)",
        "_load",
        "find",
    ),
    "what is called by what a tool calls": (
        f"{LOAD}def _again(key):\n    _load(key)\n\n\n{TOOL}    return _again(key)",
        "_load",
        "",
    ),
    "what nobody calls": (f"{LOAD}{TOOL}    return key", "_load", ""),
    "what calls itself": (f"def _load(key):\n    return _load(key)\n\n\n{TOOL}    return key", "_load", ""),
    "what a tool hands over": (f"{LOAD}{TOOL}    kit.run(_load)", "_load", ""),
    "a function in a tool that it hands over": (
        f"{TOOL}    def inner(): ...\n    kit.run(inner)",
        "find.inner",
        "find",
    ),
    "a function in a tool that nobody calls": (f"{TOOL}    def inner(): ...\n    return key", "find.inner", ""),
    "what the module calls": (f"{LOAD}{TOOL}    return key\n\n\n_load(3)", "_load", ""),
}


@pytest.mark.parametrize(("code", "name", "tool"), CODE.values(), ids=CODE)
def test_a_function_is_of_the_code_of_a_tool(code: str, name: str, tool: str) -> None:
    project = served(code)
    assert project.reach.adapter_of("shop/server.py", found(project, name)) == tool


CERTAIN: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "a tool": (f"{TOOL}    return key", "find", ("find",)),
    "what a tool calls": (f"{LOAD}{TOOL}    _load(key)", "_load", ("find",)),
    "what is called by what a tool calls": (
        f"{LOAD}def _again(key):\n    _load(key)\n\n\n{TOOL}    return _again(key)",
        "_load",
        ("find",),
    ),
    "what two tools call": (
        f"{LOAD}@mcp.tool()\ndef sell(key):\n    return _load(key)\n\n\n{TOOL}    return _load(key)",
        "_load",
        ("find", "sell"),
    ),
    "a tool that a tool calls": (
        f"{TOOL}    return key\n\n\n@mcp.tool()\ndef sell(key):\n    return find(key)",
        "find",
        ("find",),
    ),
    "what decorates a tool": (
        "def _traced(function):\n    return function\n\n\n@_traced\n" + f"{TOOL}    return key",
        "_traced",
        ("find",),
    ),
    "what nobody calls": (f"{LOAD}{TOOL}    return key", "_load", ()),
    "what the module calls": (f"{LOAD}{TOOL}    return key\n\n\n_load(3)", "_load", ()),
}


@pytest.mark.parametrize(("code", "name", "tools"), CERTAIN.values(), ids=CERTAIN)
def test_tools_certainly_call(code: str, name: str, tools: tuple[str, ...]) -> None:
    project = served(code)
    assert project.reach.adapters("shop/server.py", found(project, name)) == tools


def test_where_there_are_no_tools_none_calls() -> None:
    project = linked({"shop/server.py": f"{LOAD}def get():\n    return _load(1)\n"})
    assert project.reach.adapters("shop/server.py", found(project, "_load")) == ()
