"""What is raised in the place of an error return: by who answers it, who looks for it, and what was caught there."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_fix import ERRORS, fixes, fixes_in, looks, reasons, tool

KEPT = {
    "nothing that the boundary answers, too": ('{"error": "x", "path": "", "count": 0}', '"x"'),
    "what the boundary answers otherwise": ('{"error": "x", "path": "a", "count": 0}', '"x", context={"path": "a"}'),
    "what the boundary does not answer": ('{"error": "x", "size": 1}', '"x", context={"size": 1}'),
}


@pytest.mark.parametrize(("payload", "arguments"), KEPT.values(), ids=KEPT)
def test_an_exception_is_given_of_a_payload(tmp_path: Path, payload: str, arguments: str) -> None:
    server = tool(f"if not on:\n    return {payload}\nreturn {{}}\n")
    found = fixes(tmp_path, server, unsafe=True)
    after = server.replace(f"return {payload}", f"raise ShopError({arguments})")
    assert found.contents["shop/server.py"][1].decode() == after


HANDLED = {
    "what is caught": ("e", "str(e)", ["it is the exception itself that is answered here: its text is raised"]),
    "the text of what is caught": ("str(e)", "str(e)", []),
    "anything else": ("on", "on", ["it cannot be told whether the message is a text"]),
    "a text": ('"no path"', '"no path"', []),
}


@pytest.mark.parametrize(("message", "raised", "doubts"), HANDLED.values(), ids=HANDLED)
def test_the_message_in_a_handler_is(tmp_path: Path, message: str, raised: str, doubts: list[str]) -> None:
    server = tool(f'try:\n    apply(on)\nexcept OSError as e:\n    return {{"error": {message}}}\nreturn {{}}\n')
    found = fixes(tmp_path, server, unsafe=True)
    after = server.replace(f'return {{"error": {message}}}', f"raise ShopError({raised}) from e")
    assert found.contents["shop/server.py"][1].decode() == after
    assert reasons(found.fixed) == doubts


def test_what_is_caught_without_a_name_gets_one(tmp_path: Path) -> None:
    server = tool('try:\n    apply(on)\nexcept OSError:\n    return {"error": "no path"}\nreturn {}\n')
    found = fixes(tmp_path, server)
    after = server.replace("except OSError:", "except OSError as exc:")
    after = after.replace('return {"error": "no path"}', 'raise ShopError("no path") from exc')
    assert found.contents["shop/server.py"][1].decode() == after


CLASSES = f"""{ERRORS}

class LostError(ShopError):
    pass


class StockError(Exception):
    pass
"""
TELLING = 'def told(error):\n    return {"error": str(error)}\n'
MAKING = 'def told(error):\n    return {"error": made(error)}\n'
DOING = 'def told(error):\n    apply(error)\n    return {"error": str(error)}\n'
LOGGING = 'def told(error):\n    logger.error(error)\n    return {"error": str(error)}\n'
TOLD = "the boundary tells the exception, where the factory did"
MORE = "`told` does more than to build a payload and to log, and is not called any more"

LET_PASS = {
    "that only tells its text": (TELLING, []),
    "that makes another text of it": (MAKING, [TOLD]),
    "that does more": (
        DOING,
        [TOLD, "`told` does more than to build a payload and to log, and is not called any more"],
    ),
    "that logs it": (LOGGING, [TOLD, "what the factory logs is not logged any more"]),
}


@pytest.mark.parametrize("caught", ["ShopError", "LostError"])
@pytest.mark.parametrize(("factory", "doubts"), LET_PASS.values(), ids=LET_PASS)
def test_an_exception_of_the_project_passes_a_handler_with_a_factory(
    tmp_path: Path, caught: str, factory: str, doubts: list[str]
) -> None:
    server = "from shop.errors import LostError\n" + tool(
        f"try:\n    apply(on)\nexcept {caught} as e:\n    return told(e)\nreturn {{}}\n"
    )
    found = fixes(tmp_path, f"{server}\n\n{factory}", CLASSES, unsafe=True)
    assert sorted(reasons(found.fixed)) == sorted(doubts)
    assert "def read(on, text: str):\n    apply(on)\n    return {}\n" in found.contents["shop/server.py"][1].decode()


OTHERS = {
    "one of a library": "OSError",
    "one of the project that the policy does not name": "StockError",
    "several": "(LostError, StockError)",
}


@pytest.mark.parametrize("caught", OTHERS.values(), ids=OTHERS)
def test_an_exception_passes_no_handler_with_a_factory_that_catches(tmp_path: Path, caught: str) -> None:
    server = "from shop.errors import LostError, StockError\n" + tool(
        f"try:\n    apply(on)\nexcept {caught} as e:\n    return told(e)\nreturn {{}}\n"
    )
    found = fixes(tmp_path, f"{server}\n\n{MAKING}", CLASSES, unsafe=True)
    after = server.replace("return told(e)", "raise ShopError(made(e)) from e")
    assert found.contents["shop/server.py"][1].decode() == after


FIND = 'def find(path):\n    if not path:\n        return {"error": "no path"}\n    return {"path": path}\n'
ONE, OTHER, WEB = (
    f"from {module} import {server}\nfrom shelf import find\n\nserver = {server}()\n\n\n"
    f"@server.{decorator}\ndef {{}}(path: str):\n    return find(path)\n"
    for module, server, decorator in (
        ("fastmcp", "FastMCP", "tool()"),
        ("mcp.server.fastmcp", "FastMCP", "tool()"),
        ("fastapi", "FastAPI", 'get("/read")'),
    )
)
OWN = 'from fastmcp import FastMCP\n\nserver = FastMCP("shelf")\n\n\n@server.tool()\n'

SERVED = {
    "by one framework": ({"server": ONE.format("read")}, FIND, "fastmcp.exceptions"),
    "by another framework": ({"server": OTHER.format("read")}, FIND, "mcp.server.fastmcp.exceptions"),
    "by its own framework, whoever else calls it": (
        {"server": OTHER.format("read"), "web": WEB.format("read")},
        OWN + FIND,
        "fastmcp.exceptions",
    ),
    "by the framework of tools, where a route calls it as well": (
        {"server": ONE.format("read"), "web": WEB.format("look")},
        FIND,
        "fastmcp.exceptions",
    ),
}


def served(folder: Path, modules: dict[str, str], shelf: str) -> None:
    """Write a shelf that servers ask."""
    for name, text in {**modules, "shelf": shelf}.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    (folder / "pyproject.toml").write_text("[tool.errlint]\n", encoding="utf-8")


@pytest.mark.parametrize(("modules", "shelf", "module"), SERVED.values(), ids=SERVED)
def test_an_error_is_raised_as_is_asked_for(tmp_path: Path, modules: dict[str, str], shelf: str, module: str) -> None:
    served(tmp_path, modules, shelf)
    after = fixes_in(tmp_path, "ERR101").contents["shelf.py"][1].decode()
    assert f"from {module} import ToolError\n" in after
    assert 'raise ToolError("no path")\n' in after


TWO = {
    "two servers": {"server": ONE.format("read"), "other": OTHER.format("look")},
    "two servers, of which one has a tool of its name": {
        "server": ONE.format("find")
        .replace("find\n\nserver", "find as ask\n\nserver")
        .replace("return find", "return ask"),
        "other": OTHER.format("look"),
    },
}


@pytest.mark.parametrize("modules", TWO.values(), ids=TWO)
def test_an_error_is_not_raised_that_is_answered_by(tmp_path: Path, modules: dict[str, str]) -> None:
    served(tmp_path, modules, FIND)
    found = fixes_in(tmp_path, "ERR101")
    text = "`find` is served by two frameworks with an exception of their own"
    assert (found.contents, looks(found.refused)) == ({}, [(text, "shelf.py:3")])


CAUGHT = """\
{}

def find(path):
    try:
        return {{"path": load(path)}}
    except {} as e:
        return {{"error": str(e)}}
"""
PASSING = 'def find(path):\n    return {"path": load(path)}\n'
LOOKING = """

def shown(path):
    found = find(path)
    if "error" in found:
        print(found["error"])
        return None
    return found
"""


def test_what_tells_a_framework_passes_to_it_and_to_a_caller_that_looks_for_it(tmp_path: Path) -> None:
    modules = {"server": ONE.format("read") + LOOKING}
    served(tmp_path, modules, CAUGHT.format("from fastmcp.exceptions import ToolError\n", "ToolError"))
    found = fixes_in(tmp_path, "ERR101")
    assert found.contents["shelf.py"][1].decode() == PASSING
    caught = "    try:\n        found = find(path)\n    except ToolError as exc:\n        print(str(exc))\n"
    assert caught in found.contents["server.py"][1].decode()
    assert "its callers get any such exception, also one without a text" in reasons(found.fixed)


def test_what_tells_a_framework_is_expected_by_a_test(tmp_path: Path) -> None:
    served(
        tmp_path,
        {"server": ONE.format("read")},
        CAUGHT.format("from fastmcp.exceptions import ToolError\n", "ToolError"),
    )
    test = "from shelf import find\n\n\ndef test_find():\n    assert find('')['error'] == 'no path'\n"
    (tmp_path / "test_shelf.py").write_text(test, encoding="utf-8")
    found = fixes_in(tmp_path, "ERR101")
    assert found.contents["shelf.py"][1].decode() == PASSING
    assert 'with pytest.raises(ToolError, match="no path"):' in found.contents["test_shelf.py"][1].decode()
    assert "its callers get any such exception, also one without a text" not in reasons(found.fixed)


FREE = ("exc", "error", "caught", "exception", "failure", "original")
UNTOLD = 'return {"success": False, "message": "no path"}'
NAMED = "{} = 1\ntry:\n    apply(on)\nexcept OSError{}:\n    {}\nreturn {{}}\n"


@pytest.mark.parametrize("taken", range(len(FREE)))
def test_what_is_caught_gets_a_name_that_the_function_does_not_use(tmp_path: Path, taken: int) -> None:
    used, name = " = ".join(("first", *FREE[:taken])), FREE[taken]
    found = fixes(tmp_path, tool(NAMED.format(used, "", UNTOLD)), unsafe=True)
    after = tool(NAMED.format(used, f" as {name}", f'raise ShopError("no path") from {name}'))
    assert found.contents["shop/server.py"][1].decode() == after


def test_what_is_caught_stays_where_the_function_uses_all_names_for_it(tmp_path: Path) -> None:
    found = fixes(
        tmp_path,
        tool(NAMED.format(" = ".join(FREE), "", UNTOLD)),
        unsafe=True,
    )
    text = "no free name is left for the exception that is being handled"
    assert (found.contents, looks(found.refused)) == ({}, [(text, "shop/server.py:12")])
