"""Where the availability of a service is asked for: here, by a decorator, by what is called, or by the callers."""

from __future__ import annotations

from textwrap import indent

import pytest
from judged_texts import astray

SETTINGS = '[work]\navailability = ["llm_ready", "*breaker*", "kit.checks.is_up"]\nguarded = ["*.add_episode"]\n'
HEAD = """\
from fastmcp import FastMCP

import kit.checks
from kit.checks import is_up
from kit.checks import is_up as up
from kit.llm import breaker, checked_service, graph, llm_ready, plain

mcp = FastMCP("memory")


def ensure():
    if not llm_ready():
        raise RuntimeError("down")


def ensure_all():
    ensure()


def ensure_later():
    return graph.keep(ensure)


def ensure_nothing():
    return plain()


def asked_first(function):
    def wrapper(text):
        if not llm_ready():
            return None
        return function(text)

    return wrapper


def unasked(function):
    def wrapper(text):
        return function(text)

    return wrapper


@asked_first
def guarded_helper():
    return 1


"""
UNASKED = "  # error: `remember` calls `graph.add_episode` on a way on which nobody asked whether it is available"
CALL = "return graph.add_episode(text)"


def unchecked(body: str, decorators: str = "@mcp.tool()\n", more: str = "", settings: str = SETTINGS) -> list[str]:
    """Return how the findings of a function with this body differ from its marks."""
    text = f"{HEAD}{decorators}def remember(text, service):\n{indent(body, '    ')}\n{more}"
    return astray({"memory.py": text}, settings, "ERR212")


BEFORE = {
    "nothing": ("pass", True),
    "the check": ("if not llm_ready():\n    return None", False),
    "the state of an object of the policy": ("if breaker.state == 'open':\n    return None", False),
    "a check by the name it is imported by": ("if not is_up():\n    return None", False),
    "a check by another name that its import gives it": ("if not up():\n    return None", False),
    "a check by its module": ("if not kit.checks.is_up():\n    return None", False),
    "another check of that module": ("if not kit.checks.is_old():\n    return None", True),
    "something else": ("if not plain():\n    return None", True),
    "a function that asks": ("ensure()", False),
    "a function that calls one that asks": ("ensure_all()", False),
    "a function that hands over one that asks": ("ensure_later()", True),
    "a function that does not ask": ("ensure_nothing()", True),
    "a function whose decorator asks": ("guarded_helper()", False),
    "what cannot be found and says so": ("service.check_health()", False),
    "what cannot be found and says nothing": ("service.look()", True),
}


@pytest.mark.parametrize(("before", "is_told"), BEFORE.values(), ids=BEFORE)
def test_a_guarded_call_comes_after(before: str, is_told: bool) -> None:
    assert unchecked(f"{before}\n{CALL}{UNASKED if is_told else ''}") == []


DECORATORS = {
    "one of the policy": ("@breaker\n", False),
    "one of the policy with arguments": ("@breaker.guard(1)\n", False),
    "one of the project that asks": ("@asked_first\n", False),
    "one of the project that does not": ("@unasked\n", True),
    "one of a package": ("@checked_service\n", True),
}


@pytest.mark.parametrize(("decorator", "is_told"), DECORATORS.values(), ids=DECORATORS)
def test_a_guarded_call_is_inside_of(decorator: str, is_told: bool) -> None:
    assert unchecked(f"{CALL}{UNASKED if is_told else ''}", f"@mcp.tool()\n{decorator}") == []


CALLERS = {
    "asks": ("if not llm_ready():\n        return None\n    return remember(text, 1)", False),
    "asks afterwards": (
        ("found = remember(text, 1)\n    if not llm_ready():\n        return None\n    return found"),
        True,
    ),
    "does not ask": ("return remember(text, 1)", True),
}


@pytest.mark.parametrize(("body", "is_told"), CALLERS.values(), ids=CALLERS)
def test_a_helper_is_called_by_who(body: str, is_told: bool) -> None:
    caller = f"\n\n@mcp.tool()\ndef keep(text):\n    {body}\n"
    assert unchecked(f"{CALL}{UNASKED if is_told else ''}", "", caller) == []


def test_a_helper_that_a_guarded_function_calls_is_asked_for_there() -> None:
    settings = SETTINGS.replace('["*.add_episode"]', '["*.add_episode", "memory.keep"]')
    caller = "\n\ndef keep(text):\n    return remember(text, 1)\n"
    assert unchecked(CALL, "", caller, settings) == []
    assert unchecked(f"{CALL}{UNASKED}", "", caller, SETTINGS) == []


def test_a_guarded_function_is_asked_for_by_its_callers() -> None:
    settings = SETTINGS.replace('["*.add_episode"]', '["*.add_episode", "memory.remember"]')
    assert unchecked(CALL, settings=settings) == []


def test_a_guarded_function_that_asks_itself_may_be_called() -> None:
    graphs = (
        "from kit.llm import llm_ready, plain\n\n\ndef add_episode(text):\n"
        "    if not {}():\n        return None\n    return text\n"
    )
    call = CALL.replace("graph.", "graphs.")
    text = (
        "from fastmcp import FastMCP\n\nimport graphs\n\n"
        "mcp = FastMCP('a')\n\n\n@mcp.tool()\ndef remember(text):\n    {}\n"
    )
    asking = {"graphs.py": graphs.format("llm_ready"), "memory.py": text.format(call)}
    assert astray(asking, SETTINGS, "ERR212") == []
    mark = UNASKED.replace("graph.", "graphs.")
    assert (
        astray({"graphs.py": graphs.format("plain"), "memory.py": text.format(call + mark)}, SETTINGS, "ERR212") == []
    )


@pytest.mark.parametrize(("check", "is_told"), {"asks": ("llm_ready", False), "does not": ("plain", True)}.values())
def test_a_guarded_method_may_ask_itself(check: str, is_told: bool) -> None:
    more = (
        f"\n\nclass Graph:\n    def add_episode(self, text):\n        if not {check}():\n"
        "            return None\n        return text\n\n\nown = Graph()\n"
    )
    call, mark = CALL.replace("graph.", "own."), UNASKED.replace("graph.", "own.")
    assert unchecked(f"{call}{mark if is_told else ''}", more=more) == []


def test_a_guarded_function_may_have_another_name() -> None:
    more = "\n\nfrom kit.llm import add_episode as keep\n"
    mark = UNASKED.replace("graph.add_episode", "keep")
    assert unchecked(f"return keep(text){mark}", more=more, settings=SETTINGS.replace("*.add", "kit.llm.add")) == []


def test_a_check_is_known_by_where_it_is_defined() -> None:
    text = (
        "from fastmcp import FastMCP\n\nfrom kit.llm import graph\n\n"
        "mcp = FastMCP('a')\n\n\ndef is_up():\n    return True\n\n\n"
        "@mcp.tool()\ndef remember(text):\n    if not is_up():\n"
        "        return None\n    return graph.add_episode(text){}\n"
    )
    settings = '[work]\navailability = ["{}.is_*"]\nguarded = ["*.add_episode"]\n'
    assert astray({"memory.py": text.format("")}, settings.format("memory"), "ERR212") == []
