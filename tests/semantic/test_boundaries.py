"""Which boundary is around a function, in whatever way it gets there, and which are told apart from it."""

from __future__ import annotations

from pathlib import Path

import pytest
from governed_texts import governed

from errlint.facts import Function
from errlint.project import Project
from errlint.project.names import ClassSymbol, ExternalSymbol
from errlint.settings import Boundary, Policy, Style

HEAD = """\
from functools import wraps

from fastmcp import FastMCP

mcp = FastMCP("shop")


class ShopError(Exception):
    pass


class LostError(ShopError):
    pass


def guarded(operation="", empty=None):
    def decorate(function):
        @wraps(function)
        def run(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            except ShopError as error:
                return {"error": str(error)}
        return run
    return decorate


"""
POLICY = Policy(boundaries=(Boundary(decorator="guarded", operation="operation", empty_result="empty"),))


def linked(root: Path, text: str, policy: Policy = POLICY) -> Project:
    """Return the project of one file."""
    return governed(root, {"shop.py": text}, policy)


def function(project: Project, name: str = "find") -> Function:
    """Return a function of that file."""
    return next(each for each in project.modules["shop.py"].functions if each.name == name)


COVERED = {
    "a decorator": ("@guarded('find')\ndef find(name):\n    return name\n", True),
    "a decorator without a call": ("@guarded\ndef find(name):\n    return name\n", True),
    "a decorator in a constant": ("safe = guarded('find')\n\n@safe\ndef find(name):\n    return name\n", True),
    "a decorator in a constant of a constant": (
        "safe = guarded('find')\nsafer = safe('find')\n\n@safer\ndef find(name):\n    return name\n",
        True,
    ),
    "another decorator": ("@cached('find')\ndef find(name):\n    return name\n", False),
    "another decorator in a constant": ("safe = cached('find')\n\n@safe\ndef find(name):\n    return name\n", False),
    "no decorator": ("def find(name):\n    return name\n", False),
    "what it is called in": ("def find(name):\n    return guarded('find')(look)(name)\n", True),
    "what it is handed to": ("def find(name):\n    return name\n\nsafe_find = guarded(find)\n", True),
    "what something else is handed to": (
        "def find(name):\n    return name\n\ndef look():\n    pass\n\nsafe_look = guarded(look)\n"
        "safe_find = cached(find)\n",
        False,
    ),
    "a decorator that puts it around": (
        "def served(function):\n    return guarded('x')(function)\n\n@served\ndef find(name):\n    return name\n",
        True,
    ),
    "a decorator that has it inside": (
        "def served(function):\n    @guarded('x')\n    def run(*args):\n        return function(*args)\n"
        "    return run\n\n"
        "@served\ndef find(name):\n    return name\n",
        True,
    ),
    "a decorator with a name like that of one that has it": (
        "def served(function):\n    return guarded('x')(function)\n\ndef serve(function):\n    return function\n\n"
        "@serve\ndef find(name):\n    return name\n",
        False,
    ),
    "a covered function that is answered": (
        "@guarded('look')\ndef look(name):\n    return name\n\ndef find(name):\n    return look(name)\n",
        True,
    ),
    "a covered function that is handed out": (
        "@guarded('look')\ndef look(name):\n    return name\n\ndef find(name):\n    return look\n",
        False,
    ),
    "a covered function that is called": (
        "@guarded('look')\ndef look(name):\n    return name\n\ndef find(name):\n    look(name)\n    return name\n",
        False,
    ),
    "an answered function that is not covered": (
        "def look(name):\n    return name\n\ndef find(name):\n    return look(name)\n",
        False,
    ),
    "a covered function at the end of a chain": (
        "@guarded('a')\ndef a(name):\n    return name\n\ndef b(name):\n    return a(name)\n\ndef find(name):\n"
        "    return b(name)\n",
        True,
    ),
    "functions that answer each other": (
        "def look(name):\n    return find(name)\n\ndef find(name):\n    return look(name)\n",
        False,
    ),
    "a covered method of something": (
        "class Shop:\n    @guarded('look')\n    def look(self, name):\n        return name\n\n"
        "def find(shop):\n    return shop.shelf.look('emma')\n",
        True,
    ),
    "a method of something with another name": (
        "class Shop:\n    @guarded('look')\n    def look(self, name):\n        return name\n\n"
        "def find(shop):\n    return shop.shelf.count('emma')\n",
        False,
    ),
    "a function with the name of a covered method": (
        "class Shop:\n    @guarded('look')\n    def look(self, name):\n        return name\n\n"
        "def find(shop):\n    return look('emma')\n",
        False,
    ),
    "a method with the name of a covered function": (
        "@guarded('look')\ndef look(name):\n    return name\n\ndef find(shop):\n    return shop.shelf.look('emma')\n",
        False,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "is_covered"), COVERED.values(), ids=COVERED)
def test_a_function_is_covered_by(text: str, is_covered: bool, tmp_path: Path) -> None:
    project = linked(tmp_path, HEAD + text)
    assert project.boundaries.is_covered("shop.py", function(project)) is is_covered


METHODS = {
    "a class that carries it": (
        "@guarded('shop')\nclass Shop:\n    def find(self, name):\n        return name\n",
        True,
    ),
    "a class that carries another one": (
        "@cached('shop')\nclass Shop:\n    def find(self, name):\n        return name\n",
        False,
    ),
    "a class below one that carries it": (
        "@guarded('shop')\nclass Base:\n    pass\n\nclass Shop(Base):\n    def find(self, name):\n"
        "        return name\n",
        True,
    ),
    "a method beside it": (
        "class Shop:\n    @guarded('run')\n    def run(self, name):\n        return self.find(name)\n\n"
        "    def find(self, name):\n        return name\n",
        True,
    ),
    "a method beside it that uses it": (
        "class Shop:\n    def run(self, name):\n        return guarded(name)(self.find)(name)\n\n"
        "    def find(self, name):\n        return name\n",
        True,
    ),
    "a method of a class below": (
        "class Shop:\n    def find(self, name):\n        return name\n\n"
        "class Other(Shop):\n    @guarded('run')\n    def run(self, name):\n        return name\n",
        False,
    ),
    "another adapter beside it": (
        "class Shop:\n    @mcp.tool()\n    @guarded('run')\n    def run(self, name):\n        return name\n\n"
        "    def find(self, name):\n        return name\n",
        False,
    ),
    "nothing": ("class Shop:\n    def find(self, name):\n        return name\n", False),
}


@pytest.mark.parametrize(("text", "is_covered"), METHODS.values(), ids=METHODS)
def test_a_method_is_covered_by(text: str, is_covered: bool, tmp_path: Path) -> None:
    project = linked(tmp_path, HEAD + text)
    assert project.boundaries.is_covered("shop.py", function(project, "Shop.find")) is is_covered


SERVERS = {
    "a method that puts it around": ("        return guarded('x')(function)\n", "tool", True),
    "a method that does not": ("        return function\n", "tool", False),
    "a method of another name": ("        return guarded('x')(function)\n", "serve", False),
}


@pytest.mark.parametrize(("body", "name", "is_covered"), SERVERS.values(), ids=SERVERS)
def test_a_server_of_the_project_may_register_with_the_boundary(
    body: str, name: str, is_covered: bool, tmp_path: Path
) -> None:
    text = (
        f"class Server:\n    def {name}(self, function):\n{body}\n\nserver = made()\n\n"
        f"@server.{name}\ndef find(name):\n    return name\n"
    )
    project = linked(tmp_path, HEAD + text)
    assert project.boundaries.is_covered("shop.py", function(project)) is is_covered


def test_middleware_covers_all_of_a_distribution_that_uses_it(tmp_path: Path) -> None:
    policy = Policy(boundaries=(Boundary(middleware=("pkg.Guard",)),))
    find = "def find(name):\n    return name\n"
    files = {"a/shop.py": find, "a/app.py": "app.add_middleware(Guard())\n", "b/shop.py": find}
    project = governed(tmp_path, files, policy, ("", "a", "b"))
    found = {
        path: project.boundaries.is_around(path, project.modules[path].functions[0]) for path in files if "shop" in path
    }
    assert found == {"a/shop.py": True, "b/shop.py": False}
    assert not project.boundaries.is_wrapped("a/shop.py", project.modules["a/shop.py"].functions[0])


def test_nothing_is_covered_where_the_policy_has_no_boundary(tmp_path: Path) -> None:
    project = linked(tmp_path, f"{HEAD}@guarded('find')\ndef find(name):\n    return name\n", Policy())
    assert project.boundaries.covers("shop.py", function(project)) == ()
    assert not project.boundaries.is_covered("shop.py", function(project))


def test_a_boundary_of_another_module_is_told_apart_by_its_whole_name(tmp_path: Path) -> None:
    policy = Policy(boundaries=(Boundary(decorator="pkg.errors.guarded"),))
    texts = {
        "shop.py": "from pkg.errors import guarded\n\n@guarded\ndef find():\n    pass\n",
        "other.py": "from pkg.other import guarded\n\n@guarded\ndef find():\n    pass\n",
        "gone.py": "@guarded\ndef find():\n    pass\n",
        "pkg/__init__.py": "",
        "pkg/errors.py": "def guarded(function):\n    return function\n",
        "pkg/other.py": "def guarded(function):\n    return function\n",
    }
    project = governed(tmp_path, texts, policy)
    covered = [
        path for path in texts for each in project.modules[path].functions if project.boundaries.covers(path, each)
    ]
    assert covered == ["shop.py", "gone.py"]


OPERATIONS = {
    "in its place": ("@guarded('find_book')", "find_book"),
    "by its name": ("@guarded(operation='find_book')", "find_book"),
    "in a constant": ("@guarded(NAME)", "find_book"),
    "in a constant by its name": ("@guarded(operation=NAME)", "find_book"),
    "as another argument": ("@guarded(empty='find_book')", ""),
    "as what is not known": ("@guarded(name())", ""),
    "as what a constant answers": ("@guarded(NAME())", ""),
    "as nothing": ("@guarded()", ""),
    "without a call": ("@guarded", ""),
}


@pytest.mark.parametrize(("decorator", "expected"), OPERATIONS.values(), ids=OPERATIONS)
def test_the_operation_is_what_the_decorator_is_told(decorator: str, expected: str, tmp_path: Path) -> None:
    text = f"{HEAD}NAME = 'find_book'\n\n{decorator}\ndef find(name):\n    return name\n"
    project = linked(tmp_path, text)
    (covered,) = project.boundaries.decorated()
    assert project.boundaries.operation(covered) == expected
    assert list(project.boundaries.by_operation) == [("", expected)]
    assert list(project.boundaries.by_name) == [("", "find")]


def test_a_boundary_without_an_operation_is_told_none(tmp_path: Path) -> None:
    project = linked(
        tmp_path,
        f"{HEAD}@guarded('a')\ndef find(name):\n    return name\n",
        Policy(boundaries=(Boundary(decorator="guarded"),)),
    )
    (covered,) = project.boundaries.decorated()
    assert project.boundaries.operation(covered) == ""


KINDS = {
    "a tool": ("@mcp.tool()", "", (False, False)),
    "a prompt": ("@mcp.prompt()", "", (True, False)),
    "a list": ("@server.list_tools()", "", (True, False)),
    "a resource": ("@mcp.resource('shop://books')", "", (False, True)),
    "what is read": ("@server.read_resource()", "", (False, True)),
    "a prompt that is added": ("", "mcp.add_prompt(find)", (True, False)),
    "a prompt that is made": ("", "Prompt.from_function(find)", (True, False)),
    "a resource that is added": ("", "mcp.add_resource(find)", (False, True)),
    "a resource that is made": ("", "Resource.from_function(find)", (False, True)),
    "a tool that is made": ("", "Tool.from_function(find)", (False, False)),
}


@pytest.mark.parametrize(("decorator", "after", "expected"), KINDS.values(), ids=KINDS)
def test_prompts_and_resources_are_told_apart_from_tools(
    decorator: str, after: str, expected: tuple[bool, bool], tmp_path: Path
) -> None:
    project = linked(tmp_path, f"{HEAD}{decorator}\ndef find():\n    return ''\n\n{after}\n")
    found = function(project)
    boundaries = project.boundaries
    assert (boundaries.is_prompt("shop.py", found), boundaries.is_resource("shop.py", found)) == expected


@pytest.mark.parametrize(
    ("decorators", "expected"),
    [
        ("@mcp.resource('shop://a')\n@guarded('a')", {""}),
        ("@mcp.resource('shop://a')", set()),
        ("@guarded('a')", set()),
    ],
    ids=["on a resource", "not on the resource", "on a function"],
)
def test_a_distribution_may_put_its_boundary_on_resources(decorators: str, expected: set[str], tmp_path: Path) -> None:
    project = linked(tmp_path, f"{HEAD}{decorators}\ndef find():\n    return ''\n")
    assert project.boundaries.with_resources == expected


WRAPPER = """\
def guarded(function):
    @wraps(function)
    def run(*args, **kwargs):
{body}
    return run

@guarded
def find(name):
    return name

def look(name):
    return name
"""
TRY = "        try:\n            return function(*args, **kwargs)\n"

TURNS = {
    "a clause for the class": (f"{TRY}        except LostError:\n            return {{}}\n", True),
    "a clause for the class above": (f"{TRY}        except ShopError:\n            return {{}}\n", True),
    "a clause for all": (f"{TRY}        except Exception:\n            return {{}}\n", True),
    "a clause for another class": (f"{TRY}        except KeyError:\n            return {{}}\n", False),
    "a clause that raises it again": (f"{TRY}        except ShopError:\n            raise\n", False),
    "a clause that may raise it again": (
        f"{TRY}        except ShopError:\n            if args:\n                raise\n            return {{}}\n",
        False,
    ),
    "a clause that raises something else": (
        f"{TRY}        except ShopError:\n            raise KeyError('a')\n",
        False,
    ),
    "no clause": ("        return function(*args, **kwargs)\n", False),
}


@pytest.mark.parametrize(("body", "expected"), TURNS.values(), ids=TURNS)
def test_a_boundary_turns_what_its_wrapper_catches(body: str, expected: bool, tmp_path: Path) -> None:
    head = HEAD.partition("def guarded")[0]
    project = linked(tmp_path, head + WRAPPER.replace("{body}", body))
    lost = project.names.resolve("shop.py", "LostError")
    assert isinstance(lost, ClassSymbol)
    assert project.boundaries.turns("shop.py", function(project), lost) is expected
    assert not project.boundaries.turns("shop.py", function(project, "look"), lost)


def test_only_the_wrapper_of_a_boundary_decides_what_it_turns(tmp_path: Path) -> None:
    head = HEAD.partition("def guarded")[0]
    caught = "try:\n{0}    {1}\n{0}except KeyError:\n{0}    return None\n"
    inner = f"{TRY}        except ShopError:\n            return {{}}\n\n    def told(error):\n        "
    text = WRAPPER.replace("{body}", inner + caught.format(" " * 8, "print(error)"))
    other = f"def other(*args):\n    {caught.format('    ', 'print(args)')}"
    project = linked(
        tmp_path, f"{head}{text}\n\n{other}\n\ndef count(name):\n    return name\n\nsafe_count = guarded(count)\n"
    )
    lost = project.names.resolve("shop.py", "LostError")
    assert isinstance(lost, ClassSymbol)
    names = ("find", "count", "look")
    assert [project.boundaries.turns("shop.py", function(project, name), lost) for name in names] == [True, True, False]


def test_a_boundary_turns_what_the_wrapper_of_such_a_function_catches(tmp_path: Path) -> None:
    head = HEAD.partition("def guarded")[0]
    handled = f"{TRY}        except ShopError:\n            return {{}}\n".replace("return f", "return await f")
    plain = "\n    @wraps(function)\n    def plain(*args, **kwargs):\n        return function(*args, **kwargs)\n"
    text = WRAPPER.replace("    def run", "    async def run").replace("{body}", handled + plain)
    project = linked(tmp_path, f"{head}{text}\n@guarded\nasync def wait(name):\n    return name\n")
    lost = project.names.resolve("shop.py", "LostError")
    assert isinstance(lost, ClassSymbol)
    assert project.boundaries.turns("shop.py", function(project, "wait"), lost)
    assert not project.boundaries.turns("shop.py", function(project, "find"), lost)


def test_a_boundary_turns_what_the_one_of_the_settings_catches(tmp_path: Path) -> None:
    head = HEAD.partition("def guarded")[0]
    texts = {
        "shop.py": head + WRAPPER.replace("{body}", "        return function(*args, **kwargs)\n"),
        "other.py": head + WRAPPER.replace("{body}", f"{TRY}        except Exception:\n            return {{}}\n"),
    }
    for name, expected in (("shop.guarded", False), ("other.guarded", True)):
        project = governed(tmp_path, texts, Policy(boundaries=(Boundary(decorator=name),)))
        path = f"{name.partition('.')[0]}.py"
        lost = project.names.resolve(path, "LostError")
        assert isinstance(lost, ClassSymbol)
        find = next(each for each in project.modules[path].functions if each.name == "find")
        assert project.boundaries.turns(path, find, lost) is expected


def test_a_boundary_of_another_package_is_not_known_to_turn_anything(tmp_path: Path) -> None:
    text = "from pkg import guarded\n\n@guarded\ndef find(name):\n    return name\n"
    project = linked(tmp_path, text, Policy(boundaries=(Boundary(decorator="pkg.guarded"),)))
    assert project.boundaries.is_covered("shop.py", function(project))
    assert not project.boundaries.turns("shop.py", function(project), ExternalSymbol("builtins.KeyError"))


RIVALS = {
    "a decorator that answers": ("", "@mcp.tool()\n@answered", True),
    "a decorator beside one that is not known": ("", "@mcp.tool()\n@gone\n@answered", True),
    "the boundary": ("", "@mcp.tool()\n@guarded('x')", False),
    "a decorator above the tool": ("", "@answered\n@mcp.tool()", False),
    "a decorator of no adapter": ("", "@answered", False),
    "a decorator that applies the boundary": (
        "    function = guarded('x')(function)\n",
        "@mcp.tool()\n@answered",
        False,
    ),
}


@pytest.mark.parametrize(("before", "decorators", "expected"), RIVALS.values(), ids=RIVALS)
@pytest.mark.parametrize("style", [Style.RAISE, Style.RETURN])
def test_a_decorator_that_answers_beside_the_boundary_is_a_rival_where_errors_are_raised(
    before: str, decorators: str, expected: bool, style: Style, tmp_path: Path
) -> None:
    text = (
        f"def answered(function):\n{before}    @wraps(function)\n    def run(*args):\n"
        f"        return function(*args)\n\n"
        "    def other(*args):\n        return 1\n    return run\n\n"
        f"{decorators}\ndef find(name):\n    return name\n"
    )
    project = linked(tmp_path, HEAD + text, Policy(style=style, boundaries=POLICY.boundaries))
    is_rival = project.boundaries.is_rival("shop.py", function(project, "answered.run"))
    assert is_rival is (expected and style is Style.RAISE)
    assert not project.boundaries.is_rival("shop.py", function(project, "answered.other"))
    assert not project.boundaries.is_rival("shop.py", function(project, "guarded.decorate.run"))
