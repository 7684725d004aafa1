"""Users of a function that stand in no call of it, and boundaries that do not answer what it would raise."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Run
from test_fix import CONFIGURATION, ERRORS, START, fixes_in, looks, reasons, unsafe_alone
from test_fix_objects import tool

FIND = '''\
def find(on):
    """Find it.

    {}
    """
    if not on:
        return {{"error": "no on"}}
    return {{"path": on}}


'''


FAILING = tool('if not on:\n    return {"error": "no on"}\nreturn {"path": on}\n')


def write(folder: Path, server: str, tests: str = "") -> None:
    for name, text in {"__init__": "", "errors": ERRORS, "server": START + server}.items():
        (folder / "shop").mkdir(exist_ok=True)
        (folder / "shop" / f"{name}.py").write_text(text, encoding="utf-8")
    if tests:
        (folder / "tests").mkdir()
        (folder / "tests/test_server.py").write_text(f"from shop.server import read\n\n\n{tests}", encoding="utf-8")
    (folder / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")


SHOWN = {
    "as the answer": ">>> find('')\n    {'error': 'no on'}",
    "by its key": ">>> find('')['error']\n    'no on'",
    "by its text": ">>> print(*find('').values())\n    no on",
    "further down": ">>> found = find('')\n    >>> 'error' in found\n    True",
}


@pytest.mark.parametrize("example", SHOWN.values(), ids=SHOWN)
def test_an_example_that_shows_an_error_makes_the_fix_unsafe_and_is_named(tmp_path: Path, example: str) -> None:
    write(tmp_path, FIND.format(example) + tool("return find(on)\n"))
    assert_example_named(tmp_path, "find")


def test_an_example_of_a_tool_makes_the_fix_of_what_it_calls_unsafe_and_is_named(tmp_path: Path) -> None:
    write(
        tmp_path, FIND.format("") + tool('"""Read.\n\n>>> read("", "")\n{\'error\': \'no on\'}\n"""\nreturn find(on)\n')
    )
    assert_example_named(tmp_path, "read")


def assert_example_named(folder: Path, name: str) -> None:
    """Check that nothing is changed but the return, and that this is unsafe for the first example of the module."""
    before = (folder / "shop/server.py").read_text(encoding="utf-8")
    found = unsafe_alone(folder, "ERR101")
    line = next(number for number, text in enumerate(before.split("\n"), 1) if ">>>" in text)
    asked = [(f"an example in a docstring shows an error of `{name}`", f"shop/server.py:{line}")]
    assert looks(found.fixed) == asked
    after = before.replace('return {"error": "no on"}', 'raise ShopError("no on")')
    assert {path: new.decode() for path, (_, new) in found.contents.items()} == {"shop/server.py": after}


YIELDING = ("x = yield 1", "apply((yield))", "x = [(yield 1)]", "while (yield):\n    pass", "return (yield from text)")


@pytest.mark.parametrize("statement", YIELDING)
def test_a_generator_is_left_wherever_it_yields(tmp_path: Path, statement: str) -> None:
    write(tmp_path, tool(f'if not on:\n    return {{"error": "no on"}}\n{statement}\n'))
    assert reasons(fixes_in(tmp_path, "ERR101").refused) == ["`read` is a generator"]


HARMLESS = {
    "a value": ">>> find('it')\n    {'path': 'it'}",
    "the error of something else": ">>> load('')\n    {'error': 'no on'}",
    "no example": "find('') answers {'error': 'no on'}",
    "what doctest does not run": ">>>find('')\n    {'error': 'no on'}",
}


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_a_docstring_holds_nothing_back_that_shows(tmp_path: Path, text: str) -> None:
    write(tmp_path, FIND.format(text) + tool("return find(on)\n"))
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    assert 'raise ShopError("no on")' in found.contents["shop/server.py"][1].decode()


TAKEN_OUT = (
    "read.__wrapped__('', '')",
    "inspect.unwrap(read)('', '')",
    "getattr(read, '__wrapped__')('', '')",
)


@pytest.mark.parametrize("call", TAKEN_OUT)
def test_a_function_is_left_that_a_test_takes_out_of_its_boundary(tmp_path: Path, call: str) -> None:
    write(tmp_path, FAILING, f"import inspect\n\n\ndef test_it():\n    assert 'error' in {call}\n")
    assert reasons(fixes_in(tmp_path, "ERR101").refused) == ["`read` is taken out of its boundary here"]


def test_a_function_is_left_that_the_project_takes_out_of_its_boundary(tmp_path: Path) -> None:
    write(tmp_path, f"{FAILING}\n\ninner = read.__wrapped__\n")
    assert "`read` is taken out of its boundary here" in reasons(fixes_in(tmp_path, "ERR101").refused)


def test_a_function_that_may_be_called_without_its_boundary_is_fixed_in_doubt(tmp_path: Path) -> None:
    write(tmp_path, FAILING, "def test_it():\n    for tool in [read]:\n        assert tool.__wrapped__('it', '')\n")
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.fixed) == ["`read` may be called without its boundary here"]


LOOKED_UP = (
    "getattr(server, 'find')",
    "vars(server)['find']",
    "server.__dict__['find']",
    "methodcaller('find', '')",
    "run_path('shop/server.py')['find']",
)


@pytest.mark.parametrize("function", LOOKED_UP)
def test_a_fix_is_unsafe_where_a_test_looks_for_an_error_by_way_of(tmp_path: Path, function: str) -> None:
    tests = f"from shop import server\n\n\ndef test_it():\n    assert 'error' in {function}('')\n"
    write(tmp_path, FIND.format("") + tool("return find(on)\n"), tests)
    assert_test_named(tmp_path, 8)


def assert_test_named(folder: Path, line: int) -> None:
    """Check that nothing is changed but the return, and that this is unsafe for a line of the test."""
    found = unsafe_alone(folder, "ERR101")
    text = "a test looks for an error of `find`"
    assert looks(found.fixed) == [(text, f"tests/test_server.py:{line}")]
    assert set(found.contents) == {"shop/server.py"}
    assert 'raise ShopError("no on")' in found.contents["shop/server.py"][1].decode()


def test_a_fix_is_unsafe_where_a_test_looks_for_an_error_under_a_name_in_a_variable(tmp_path: Path) -> None:
    tests = "from shop import server\n\n\ndef test_it():\n    for name in ('find', 'load'):\n"
    write(
        tmp_path,
        FIND.format("") + tool("return find(on)\n"),
        tests + "        assert getattr(server, name)('')['error']\n",
    )
    assert_test_named(tmp_path, 9)


LISTED = {
    "each name of the module": ("[vars(server)[name] for name in ('load', 'shut')]", True),
    "one name of the module": ("vars(server)['load']", False),
    "each name of another module": ("[vars(other)[name] for name in ('load', 'shut')]", False),
}


@pytest.mark.parametrize(("looked_up", "is_named"), LISTED.values(), ids=LISTED)
def test_a_test_may_use_a_function_that_goes_through(tmp_path: Path, looked_up: str, is_named: bool) -> None:
    tests = f"from shop import other, server\n\n\ndef test_it():\n    assert {looked_up}\n"
    write(tmp_path, FIND.format("") + tool("return find(on)\n"), tests)
    (tmp_path / "shop/other.py").write_text("", encoding="utf-8")
    told = looks(fixes_in(tmp_path, "ERR101").fixed)
    assert (("a test goes through all functions of a module", "tests/test_server.py:8") in told) is is_named


MIDDLEWARE = {
    "a server that has it": ("mcp.add_middleware(Answering())\n", []),
    "a server without it": ("", ["no boundary covers the adapter `read` (ERR201)"]),
}


@pytest.mark.parametrize(("added", "refused"), MIDDLEWARE.values(), ids=MIDDLEWARE)
def test_a_boundary_that_is_a_middleware_covers_the_tools_of(tmp_path: Path, added: str, refused: list[str]) -> None:
    write(tmp_path, "")
    head = f"from fastmcp import FastMCP\n\nfrom shop.errors import Answering\n\nmcp = FastMCP('shop')\n{added}\n\n"
    body = "@mcp.tool()\ndef read(on):\n    if not on:\n        return {'error': 'no on'}\n    return {'path': on}\n"
    (tmp_path / "shop/server.py").write_text(head + body, encoding="utf-8")
    (tmp_path / "shop/errors.py").write_text(f"{ERRORS}\n\nclass Answering:\n    pass\n", encoding="utf-8")
    usual = 'decorator = "handle_errors"\nenvelope = { error = "{message}", problem = "*", result = "empty_result" }\n'
    usual += 'empty-result = "empty_result"\n'
    assert usual in CONFIGURATION
    boundary = 'middleware = ["shop.errors.Answering"]\nenvelope = { error = "{message}" }\n'
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION.replace(usual, boundary), encoding="utf-8")
    found = fixes_in(tmp_path, "ERR101", unsafe=False)
    assert reasons((*found.hidden, *found.refused)) == refused
    assert bool(found.contents) is (not refused)


def test_a_function_that_a_test_looks_up_is_fixed_in_doubt(tmp_path: Path) -> None:
    tests = "from shop import server\n\n\ndef test_it():\n    assert getattr(server, 'find')('it')\n"
    write(tmp_path, FIND.format("") + tool("return find(on)\n"), tests)
    assert reasons(fixes_in(tmp_path, "ERR101").fixed) == ["a test uses `find`, and would get an exception from it"]


OUT_OF_OTHERS = {
    "another function": "from shop import other\n\n\ndef test_it():\n    assert other.__wrapped__('', '') and read\n",
    "no call": "def test_it():\n    assert signature(unwrap(tools[0])) and read\n",
}


@pytest.mark.parametrize("tests", OUT_OF_OTHERS.values(), ids=OUT_OF_OTHERS)
def test_a_function_is_not_taken_out_of_its_boundary_by(tmp_path: Path, tests: str) -> None:
    write(tmp_path, FAILING, tests)
    found = fixes_in(tmp_path, "ERR101")
    assert reasons((*found.fixed, *found.refused)) == []


FINDER = """\
class Finder(Protocol):
    def find(self, on): ...


class Repo:
    def find(self, on):
        if not on:
            return {"error": "no on"}
        return {"path": on}


"""


@pytest.mark.parametrize("bases", ["Protocol", "typing.Protocol", "Protocol[T]", "Sized, Protocol"])
def test_an_object_of_a_protocol_may_be_of_any_class_with_the_method(tmp_path: Path, bases: str) -> None:
    use = "def use(finder: Finder, on):\n    return {**finder.find(on)}\n\n\n"
    write(tmp_path, FINDER.replace("Protocol", bases) + use + tool("return Repo().find(on)\n"))
    text = "it may be called here, or another function of its name: `finder.find`"
    assert text in reasons(unsafe_alone(tmp_path, "ERR101").fixed)


WRAPPER = """\
def handle_errors(empty_result):
    def decorate(function):
        def wrapper(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            except ShopError as exc:
                return {**empty_result, "error": str(exc), "problem": {}}

        return wrapper

    return decorate
"""


def with_boundary(folder: Path, server: str, wrapper: str) -> None:
    write(folder, server)
    errors = ERRORS.replace(ERRORS[ERRORS.index("def handle_errors") :], wrapper)
    (folder / "shop/errors.py").write_text(errors, encoding="utf-8")


CATCHING = {
    "its class": "ShopError",
    "a base": "Exception",
    "a class among others": "(KeyError, ShopError)",
    "?": "OTHERS",
}


@pytest.mark.parametrize("caught", CATCHING.values(), ids=CATCHING)
def test_an_error_becomes_an_exception_that_the_boundary_catches(tmp_path: Path, caught: str) -> None:
    with_boundary(tmp_path, FAILING, WRAPPER.replace("except ShopError", f"except {caught}"))
    found = fixes_in(tmp_path, "ERR101")
    assert reasons((*found.fixed, *found.refused)) == []


def test_an_error_does_not_become_an_exception_that_no_handler_of_the_boundary_catches(tmp_path: Path) -> None:
    with_boundary(tmp_path, FAILING, WRAPPER.replace("except ShopError", "except (ValueError, KeyError)"))
    assert reasons(fixes_in(tmp_path, "ERR101").refused) == [
        "no handler of the boundary `handle_errors` catches `ShopError`"
    ]


def test_a_boundary_that_leaves_errors_to_the_server_need_not_catch_them(tmp_path: Path) -> None:
    with_boundary(tmp_path, FAILING, WRAPPER.replace("except ShopError", "except (ValueError, KeyError)"))
    envelope = 'envelope = { error = "{message}", problem = "*", result = "empty_result" }\n'
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION.replace(envelope, ""), encoding="utf-8")
    assert reasons(fixes_in(tmp_path, "ERR101").refused) == []


def test_a_handler_stays_where_the_boundary_does_not_answer_what_it_catches(tmp_path: Path) -> None:
    body = 'try:\n    return load(on)\nexcept KeyError as exc:\n    return {"error": str(exc)}\n'
    with_boundary(tmp_path, tool(body), WRAPPER)
    found = fixes_in(tmp_path, "ERR101")
    text = "no handler of the boundary `handle_errors` catches `KeyError`"
    assert reasons(found.refused) == ["a `KeyError` shows its message in quotes", text]


def test_an_async_function_does_not_raise_in_a_boundary_that_does_not_wait_for_it(tmp_path: Path) -> None:
    with_boundary(tmp_path, FAILING.replace("def read", "async def read"), WRAPPER)
    text = "the boundary `handle_errors` never sees an exception of an async function (ERR211)"
    assert reasons(fixes_in(tmp_path, "ERR101").refused) == [text]


OF_THE_NAME = {
    "the tool": ("from shop.server import read\n\n\ndef run():\n    return read(1)['error']\n", True),
    "an attribute of its module": ("from shop import server\n\n\ndef run():\n    return server.read(1)\n", True),
    "another function": ("def read(on):\n    return on\n\n\ndef run():\n    return read(1)\n", False),
    "a parameter": ("def run(read):\n    return read(1)\n", False),
    "what it is registered by": ("from shop.server import read\n\n\ndef run(mcp):\n    mcp.add_tool(read)\n", False),
}


@pytest.mark.parametrize(("other", "is_named"), OF_THE_NAME.values(), ids=OF_THE_NAME)
def test_a_use_of_a_tool_is_named_where_it_is_of(tmp_path: Path, other: str, is_named: bool) -> None:
    write(tmp_path, FAILING)
    (tmp_path / "shop/other.py").write_text(other, encoding="utf-8")
    text = "the answer of `read` is used here, and the boundary's has other keys"
    assert (text in reasons(fixes_in(tmp_path, "ERR101").fixed)) is is_named


ENTRY_POINTS = {
    "pyproject.toml": '\n[project.scripts]\nfind = "shop.server:find"\n',
    "setup.cfg": "[options.entry_points]\nconsole_scripts =\n    find = shop.server:find\n",
    "shop/plugins.py": "PLUGINS = ['shop.server.find']\n",
}


@pytest.mark.parametrize("name", ENTRY_POINTS)
def test_a_function_is_fixed_in_doubt_whose_path_something_is_told(tmp_path: Path, name: str) -> None:
    write(tmp_path, FIND.format("") + tool("return find(on)\n"))
    with (tmp_path / name).open("a", encoding="utf-8") as file:
        file.write(ENTRY_POINTS[name])
    (group,) = fixes_in(tmp_path, "ERR101").fixed
    (doubt,) = (item for item in group.doubts if item.text == "`find` may be looked up by its name here")
    assert doubt.path == name
    assert "shop.server" in (tmp_path / name).read_text(encoding="utf-8").split("\n")[doubt.line - 1]


@pytest.mark.parametrize("text", ["# shop.server:find\n", "A = 'server.find'\n", "A = 'shop.server.finder'\n"])
def test_a_function_is_not_looked_up_by(tmp_path: Path, text: str) -> None:
    write(tmp_path, FIND.format("") + tool("return find(on)\n"))
    (tmp_path / "shop/plugins.py").write_text(text, encoding="utf-8")
    assert reasons(fixes_in(tmp_path, "ERR101").refused) == []


EMPTY = """\
EMPTY = {"path": ""}


@server.tool()
@handle_errors(empty_result=EMPTY)
def read(on):
    if not on:
        return {"error": "no on", "path": ""}
    return {**EMPTY, "path": EMPTY["path"] or EMPTY.get("on")}
"""

CHANGED = (
    'EMPTY["path"] = "x"\n',
    'EMPTY.update(path="x")\n',
    'def use():\n    global EMPTY\n    EMPTY |= {"path": "x"}\n',
    'def use():\n    result = EMPTY\n    result["path"] = "x"\n',
    'def use():\n    global EMPTY\n    EMPTY = {"path": "x"}\n',
    "def use():\n    apply(EMPTY)\n",
)


def test_an_empty_result_that_is_only_read_answers_its_values(tmp_path: Path) -> None:
    write(tmp_path, EMPTY)
    found = fixes_in(tmp_path, "ERR101")
    assert reasons((*found.fixed, *found.refused)) == []


@pytest.mark.parametrize("statement", CHANGED)
def test_an_empty_result_that_may_change_answers_other_values(tmp_path: Path, statement: str) -> None:
    write(tmp_path, f"{EMPTY}\n\n{statement}")
    assert reasons(fixes_in(tmp_path, "ERR101").fixed) == ["the boundary's answer does not have the same `path`"]


def test_an_empty_result_with_keys_of_another_dict_answers_other_values(tmp_path: Path) -> None:
    write(tmp_path, EMPTY.replace("empty_result=EMPTY", 'empty_result={"path": "", **apply()}'))
    assert reasons(fixes_in(tmp_path, "ERR101").fixed) == ["the boundary's answer does not have the same `path`"]


@pytest.mark.parametrize("second", ["def read(on):\n    return {}\n", FAILING])
def test_a_tool_that_is_defined_twice_is_left(tmp_path: Path, second: str) -> None:
    write(tmp_path, f"{FAILING}\n\n{second}")
    assert set(reasons(fixes_in(tmp_path, "ERR101").refused)) == {"`read` is defined more than once"}


CHECKED = """\
from fastmcp import FastMCP

import checking

mcp = FastMCP("shop")


@mcp.tool()
def read(path: str) -> str:
    found, problem = checked(path)
    if problem:
        return f"Error: {problem}"
    return found


def checked(path):
    problem = checking.problem(path)
    if problem:
        return None, problem
    return path, None
"""

CHECKING = """\
def problem(path):
    \"\"\"Validate and return error text if invalid.\"\"\"
    found = []
    if not path:
        found.append("a path is required")
    if not found:
        return None
    message = "Invalid inputs:\\n"
    for each in found:
        message += f"- {each}\\n"
    message += usage(path)
    return message


def usage(path):
    return f"use {path}"
"""

CLAIMS_OF_CHECKS = {
    "asks for a text": ("found = problem('')\n    assert 'a path is required' in found", True),
    "asks for something": ("found = problem('')\n    assert found is not None", True),
    "asks for nothing": ("assert problem('x') is None", False),
    "denies what it holds": ("found = problem('x')\n    assert not found", False),
}


@pytest.mark.parametrize(("claim", "is_named"), CLAIMS_OF_CHECKS.values(), ids=CLAIMS_OF_CHECKS)
def test_of_a_check_that_answers_texts_or_nothing_a_test_is_named_that(
    tmp_path: Path, errlint: Run, claim: str, is_named: bool
) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    (tmp_path / "server.py").write_text(CHECKED, encoding="utf-8")
    (tmp_path / "checking.py").write_text(CHECKING, encoding="utf-8")
    test = f"from checking import problem\n\n\ndef test_it():\n    {claim}\n"
    (tmp_path / "tests" / "test_checking.py").write_text(test, encoding="utf-8")
    said = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes").err
    assert "    raise ValueError(message)\n" in (tmp_path / "checking.py").read_text("utf-8")
    assert ("test_checking.py:" in said) is is_named
