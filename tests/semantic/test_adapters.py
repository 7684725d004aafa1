"""What makes an adapter of a function: decorators, registrations, classes of tools, and what the settings name."""

from __future__ import annotations

from pathlib import Path

import pytest
from governed_texts import governed

from errlint.settings import Adapters, Policy

FIND = "def find(name):\n    return name\n"


def adapters(root: Path, text: str, settings: Adapters | None = None, path: str = "shop.py") -> list[str]:
    """Return the names of the adapters in a file."""
    project = governed(root, {path: text}, Policy(), adapters=settings or Adapters())
    return [each.name for each in project.modules[path].functions if project.adapters.is_adapter(path, each)]


DECORATED = {
    "a tool": ("@mcp.tool()", True),
    "a tool without a call": ("@tool", True),
    "a resource": ("@mcp.resource('shop://books')", True),
    "a prompt": ("@mcp.prompt", True),
    "what runs all tools": ("@server.call_tool()", True),
    "what lists the tools": ("@server.list_tools()", True),
    "a tool of the project": ("@shop_tool('find')", True),
    "a tool by its description": ("@shop.action(description='Finds', input_schema={})", True),
    "a tool by its arguments": ("@shop.action('find', description='Finds', args_schema={})", True),
    "a description alone": ("@shop.action(description='Finds')", False),
    "a schema alone": ("@shop.action(name='find', input_schema={})", False),
    "a route with a description": ("@app.post(description='Finds', input_schema={})", False),
    "a route": ("@app.get('/books')", False),
    "another decorator": ("@cached", False),
    "something with a name that begins so": ("@toolbox", False),
    "a tool below another decorator": ("@cached\n@mcp.tool()", True),
}


@pytest.mark.parametrize(("decorators", "is_adapter"), DECORATED.values(), ids=DECORATED)
def test_a_decorator_makes_an_adapter(decorators: str, is_adapter: bool, tmp_path: Path) -> None:
    assert adapters(tmp_path, f"{decorators}\n{FIND}") == ["find"] * is_adapter


@pytest.mark.parametrize(
    ("decorators", "places"),
    [("@cached\n@mcp.tool()\n@shop_tool", [1, 2]), ("@cached", []), ("@mcp.prompt", [0])],
    ids=["two of three", "none", "one"],
)
def test_the_decorators_that_make_an_adapter_are_known_by_their_places(
    decorators: str, places: list[int], tmp_path: Path
) -> None:
    project = governed(tmp_path, {"shop.py": f"{decorators}\n{FIND}"}, Policy())
    assert project.adapters.registering("shop.py", project.modules["shop.py"].functions[0]) == places


CONFIGURED = {
    "a decorator by its pattern": (Adapters(decorators=("*.action",)), f"@shop.action\n{FIND}", ["find"]),
    "a decorator by its own name": (Adapters(decorators=("*.action",)), f"@action\n{FIND}", ["find"]),
    "another decorator": (Adapters(decorators=("*.action",)), f"@shop.other\n{FIND}", []),
    "a decorator by what it means": (
        Adapters(decorators=("pkg.action",)),
        f"from pkg import action as act\n\n@act\n{FIND}",
        ["find"],
    ),
    "a decorator by its pattern under another name": (
        Adapters(decorators=("*.action",)),
        f"from pkg import action as act\n\n@act\n{FIND}",
        [],
    ),
    "a decorator that means something else": (
        Adapters(decorators=("pkg.action",)),
        f"from other import action as act\n\n@act\n{FIND}",
        [],
    ),
    "a registration": (Adapters(registrations=("*.serve",)), f"{FIND}\nshop.serve(find)\n", ["find"]),
    "another registration": (Adapters(registrations=("*.serve",)), f"{FIND}\nshop.other(find)\n", []),
    "a method of a class": (
        Adapters(methods={"Desk": ("answer",)}),
        "class Shop(Desk):\n    def answer(self):\n        return 1\n\n    def other(self):\n        return 1\n",
        ["Shop.answer"],
    ),
    "a method of a class by its whole name": (
        Adapters(methods={"pkg.Desk": ("answer",)}),
        "from pkg import Desk\n\nclass Shop(Desk):\n    def answer(self):\n        return 1\n",
        ["Shop.answer"],
    ),
    "a method of another class": (
        Adapters(methods={"Desk": ("answer",)}),
        "class Shop(Shelf):\n    def answer(self):\n        return 1\n",
        [],
    ),
    "a file": (
        Adapters(paths=("shop.py",)),
        f"{FIND}\ndef _own():\n    return 1\n\nclass Shop:\n    def look(self):\n        return 1\n\n"
        "def made():\n    def inner():\n        return 1\n    return inner\n",
        ["find", "made"],
    ),
    "another file": (Adapters(paths=("other.py",)), FIND, []),
}


@pytest.mark.parametrize(("settings", "text", "expected"), CONFIGURED.values(), ids=CONFIGURED)
def test_the_settings_name_what_makes_an_adapter(
    settings: Adapters, text: str, expected: list[str], tmp_path: Path
) -> None:
    assert adapters(tmp_path, text, settings) == expected


METHOD = "    def {}(self, name):\n        return name\n"

METHODS = {
    "a method of a tool": ("class Shop(BaseTool):\n" + METHOD.format("_run"), ["Shop._run"]),
    "another method of a tool": ("class Shop(BaseTool):\n" + METHOD.format("count"), []),
    "a method of no tool": ("class Shop(Shelf):\n" + METHOD.format("_run"), []),
    "a message": ("class Shop(ToolMessage):\n" + METHOD.format("execute"), ["Shop.execute"]),
    "a class by itself": ("class ShopTool:\n" + METHOD.format("execute"), []),
    "a class with one below it": (
        "class ShopTool:\n" + METHOD.format("execute") + "\nclass Books(ShopTool):\n    pass\n",
        ["ShopTool.execute"],
    ),
    "what runs a tool of another package": ("class Shop(BaseTool):\n" + METHOD.format("invoke"), ["Shop.invoke"]),
    "what runs something of it": ("class Shop(BaseTool):\n" + METHOD.format("run_books"), []),
    "what runs without an answer": ("class Shop(BaseTool):\n    def invoke(self, name):\n        print(name)\n", []),
    "what an abstract class leaves": (
        "class ShopTool:\n    @abstractmethod\n    def invoke(self, name):\n        pass\n\nclass Books(ShopTool):\n"
        + METHOD.format("invoke"),
        ["Books.invoke"],
    ),
    "what a class above leaves": (
        "class ShopTool:\n    def invoke(self, name):\n        raise NotImplementedError\n\nclass Books(ShopTool):\n"
        + METHOD.format("invoke"),
        ["Books.invoke"],
    ),
    "what a class above leaves with a text": (
        "class ShopTool:\n    def invoke(self, name):\n        raise NotImplementedError('later')\n\n"
        "class Books(ShopTool):\n"
        + METHOD.format("invoke"),
        ["Books.invoke"],
    ),
    "what a class above refuses": (
        "class ShopTool:\n    def invoke(self, name):\n        raise ValueError('no')\n\nclass Books(ShopTool):\n"
        + METHOD.format("invoke"),
        [],
    ),
    "what a class above may answer": (
        "class ShopTool:\n    def invoke(self, name):\n        if name:\n            return 1\n"
        "        raise NotImplementedError\n\n"
        "class Books(ShopTool):\n" + METHOD.format("invoke"),
        [],
    ),
    "what a class above that is no tool leaves": (
        "class Shelf:\n    def invoke(self, name):\n        raise NotImplementedError\n\nclass Books(Shelf):\n"
        + METHOD.format("invoke"),
        [],
    ),
    "what runs tools by name": ("class ToolExecutor:\n" + METHOD.format("execute_tool"), ["ToolExecutor.execute_tool"]),
    "another method of that": ("class ToolExecutor:\n" + METHOD.format("count"), []),
    "a class of another name with that": ("class Shop:\n" + METHOD.format("execute_tool"), []),
    "a function of that name": ("def execute_tool(name):\n    return name\n", []),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), METHODS.values(), ids=METHODS)
def test_a_method_of_a_tool_is_an_adapter(text: str, expected: list[str], tmp_path: Path) -> None:
    assert adapters(tmp_path, text) == expected


REGISTERED = {
    "what is added": (f"{FIND}\nmcp.add_tool(find)\n", ["find"]),
    "what is decorated afterwards": (f"{FIND}\nmcp.tool()(find)\n", ["find"]),
    "what is handed to something else": (f"{FIND}\nprint(find)\n", []),
    "what is called": (f"{FIND}\nmcp.add_tool(find('emma'))\n", []),
    "what a function registers": (
        f"{FIND}\ndef serve(function):\n    mcp.add_tool(function)\n\nserve(find)\n",
        ["find"],
    ),
    "what a function does not register": (
        f"{FIND}\ndef serve(function):\n    mcp.add_tool(other)\n    print(function)\n\nserve(find)\n",
        [],
    ),
    "what a method registers": (
        f"class Server:\n    def serve(self, function):\n        self.mcp.add_tool(function)\n\n{FIND}\n"
        f"made.server.serve(find)\n",
        ["find"],
    ),
    "what a method of one of two registers": (
        "class Server:\n    def serve(self, function):\n        self.mcp.add_tool(function)\n\n"
        f"class Other:\n    def serve(self, function):\n        return function\n\n{FIND}\nmade.server.serve(find)\n",
        [],
    ),
    "what a function that is not known registers": (
        f"class Server:\n    def serve(self, function):\n        self.mcp.add_tool(function)\n\n{FIND}\nserve(find)\n",
        [],
    ),
    "what a registered function answers": (
        "def look(name):\n    return name\n\ndef find(name):\n    return look\n\nmcp.add_tool(find)\n",
        ["find"],
    ),
    "what a loop prints": (
        f"{FIND}\ndef listed():\n    return [find]\n\nfor each in listed():\n    print(each)\n",
        [],
    ),
    "what a function with the name of a method registers": (
        f"def serve(function):\n    mcp.add_tool(function)\n\n{FIND}\nmade.server.serve(find)\n",
        [],
    ),
    "what a loop goes through": (
        f"{FIND}\ndef look(name):\n    return name\n\nALL = [find]\n\nfor each in ALL:\n    mcp.add_tool(each)\n",
        ["find"],
    ),
    "what a loop goes through that is answered": (
        f"{FIND}\ndef look(name):\n    return name\n\ndef listed():\n    return [find]\n\n"
        "for each in listed():\n    mcp.add_tool(each)\n",
        ["find"],
    ),
    "what an answered list grows by": (
        f"{FIND}\ndef look(name):\n    return name\n\ndef listed():\n    found = []\n    found.append(find)\n"
        f"    print(look)\n"
        "    return found\n\nfor each in listed():\n    mcp.add_tool(each)\n",
        ["find"],
    ),
    "what a list of lists has": (
        f"{FIND}\nSOME = [find]\nALL = [SOME]\n\nfor each in ALL:\n    mcp.add_tool(each)\n",
        ["find"],
    ),
}


@pytest.mark.parametrize(("text", "expected"), REGISTERED.values(), ids=REGISTERED)
def test_what_is_handed_to_a_registration_is_an_adapter(text: str, expected: list[str], tmp_path: Path) -> None:
    assert adapters(tmp_path, text) == expected


TOOLS = f"{FIND}\nTOOLS = [find]\n"

OUT_OF_SIGHT = {
    "what cannot be seen": ("def serve(function):\n    load(function)\n\nmcp.add_tool(gone)\n", ["find"]),
    "nothing": ("", []),
    "what is known": ("def look(name):\n    return name\n\nmcp.add_tool(look)\n", ["look"]),
    "what a client calls": ("client.call_tool(gone)\n", []),
}


@pytest.mark.parametrize(("text", "expected"), OUT_OF_SIGHT.values(), ids=OUT_OF_SIGHT)
def test_what_a_table_of_tools_has_is_registered_where_something_out_of_sight_is(
    text: str, expected: list[str], tmp_path: Path
) -> None:
    assert adapters(tmp_path, f"{TOOLS}{text}") == expected


COMMANDS = f"{FIND}\ndef drop(name):\n    return name\n\nHANDLERS = {{'find': find, 'drop': drop}}\n\n"
LOOK = "def run(name):\n    return HANDLERS[name](name)\n"

DISPATCHED = {
    "where nothing else is an adapter": (LOOK, ["find", "drop"]),
    "where nobody looks": ("", []),
    "where something is decorated": (f"{LOOK}\n@mcp.tool()\ndef look():\n    return 1\n", ["look"]),
    "where something is registered": (f"{LOOK}\ndef look():\n    return 1\n\nmcp.add_tool(look)\n", ["look"]),
}


@pytest.mark.parametrize(("text", "expected"), DISPATCHED.values(), ids=DISPATCHED)
def test_what_is_looked_up_is_an_adapter(text: str, expected: list[str], tmp_path: Path) -> None:
    assert adapters(tmp_path, f"{COMMANDS}{text}") == expected


def test_distributions_have_adapters_and_files_of_their_own(tmp_path: Path) -> None:
    texts = {
        "b/shop.py": f"@mcp.tool()\n{FIND}",
        "b/shelf.py": FIND,
        "a/shop.py": FIND,
        "c/shop.py": f"{COMMANDS}{LOOK}",
    }
    project = governed(tmp_path, texts, Policy(), ("", "a", "b", "c"))
    assert project.adapters.distributions == {"b", "c"}
    assert project.adapters.files == {"b": ["b/shelf.py", "b/shop.py"], "c": ["c/shop.py"]}


@pytest.mark.parametrize(
    ("name", "expected"),
    [("mcp.tool", True), ("mcp.add_tool", True), ("shop_tool", True), ("print", False), ("", False)],
    ids=["a decorator", "a registration", "one of the project", "another name", "no name"],
)
def test_what_takes_a_function_makes_an_adapter_of_it(name: str, expected: bool, tmp_path: Path) -> None:
    assert governed(tmp_path, {"shop.py": FIND}, Policy()).adapters.takes("shop.py", name) is expected
