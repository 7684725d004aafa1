"""What a fix does to small projects: the new module, what stands against it, or why nothing is changed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent, indent

import pytest

from errlint.fix.model import Group
from errlint.fix.run import Fixes, find_fixes
from errlint.request import Request
from errlint.run import check
from errlint.settings import CommandLine
from errlint.settings.loading import load

CONFIGURATION = """\
[tool.errlint]
adapters.decorators = ["*.tool"]
[[tool.errlint.boundary]]
decorator = "handle_errors"
envelope = { error = "{message}", problem = "*", result = "empty_result" }
empty-result = "empty_result"
[tool.errlint.exceptions]
root = ["ShopError"]
default = "ShopError"
[tool.errlint.exceptions.map]
KeyError = "propagate"
UnicodeDecodeError = "propagate"
"""

ERRORS = """\
class ShopError(Exception):
    def __init__(self, message, *, context=None):
        super().__init__(message)


def handle_errors(empty_result):
    return lambda function: function
"""

START = """\
import contextlib
from toolkit import apply, retry, server
from shop.errors import ShopError, handle_errors


"""

TOOL = """\
@server.tool()
@handle_errors(empty_result={"path": "", "count": 0, "problem": None})
def read(on, text: str):
"""


def fixes(folder: Path, server: str, errors: str = ERRORS, *, unsafe: bool = False) -> Fixes:
    """Plan the fixes of a project with these two modules."""
    (folder / "shop").mkdir()
    (folder / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    for name, text in (("__init__", ""), ("errors", errors), ("server", server)):
        (folder / "shop" / f"{name}.py").write_text(text, encoding="utf-8")
    settings = load(folder, config=None, isolated=False, overrides=CommandLine(extend_ignore=("ERR203",))).settings
    request = Request(settings=settings, use_cache=False)
    return find_fixes(request, check(request).findings, unsafe=unsafe)


def fixes_in(folder: Path, *rules: str, unsafe: bool = True) -> Fixes:
    """Plan the fixes of a project that is there, the unsafe ones too, for the findings of some rules."""
    settings = load(folder, config=None, isolated=False, overrides=CommandLine(select=rules)).settings
    request = Request(settings=settings, use_cache=False)
    return find_fixes(request, check(request).findings, unsafe=unsafe)


def unsafe_alone(folder: Path, *rules: str) -> Fixes:
    """Plan the unsafe fixes of a project that is there: none is refused, and none is carried out as a safe one."""
    safe = fixes_in(folder, *rules, unsafe=False)
    assert (safe.contents, safe.fixed, reasons(safe.refused)) == ({}, (), [])
    found = fixes_in(folder, *rules)
    assert reasons(found.refused) == []
    assert looks(found.fixed) == looks(safe.hidden)
    return found


def tool(body: str) -> str:
    """Return a module with a covered tool."""
    return START + TOOL + indent(dedent(body), "    ")


def reasons(groups: tuple[Group, ...]) -> list[str]:
    """Return what stands against groups, in a fixed order."""
    return sorted({doubt.text for group in groups for doubt in group.doubts})


def looks(groups: tuple[Group, ...], folder: str = "") -> list[tuple[str, str]]:
    """Return what is to be looked at after fixes, with the place of each: those below a folder, in a fixed order."""
    doubts = {doubt for group in groups for doubt in group.doubts}
    return sorted((doubt.text, doubt.place) for doubt in doubts if doubt.path.startswith(folder))


def test_a_guard_becomes_a_raise(tmp_path: Path) -> None:
    found = fixes(
        tmp_path, tool('if not on:\n    return {"error": f"bad {text}", "path": "", "success": False}\nreturn {}\n')
    )
    after = found.contents["shop/server.py"][1].decode()
    assert after == tool('if not on:\n    raise ShopError(f"bad {text}")\nreturn {}\n')


@pytest.mark.parametrize(("unsafe", "other"), [(False, 'return {"error": "b", "size": 1}'), (True, None)])
def test_an_error_return_waits_for_no_other_one_of_its_function(
    tmp_path: Path, unsafe: bool, other: str | None
) -> None:
    body = (
        'if on == 1:\n    return {"error": "a"}\nif on == 2:\n    return {"error": "b", "size": 1}\n'
        'if on == 3:\n    return {"error": "c", "error": "d"}\nreturn {}\n'
    )
    found = fixes(tmp_path, tool(body), unsafe=unsafe)
    after = tool(body.replace('return {"error": "a"}', 'raise ShopError("a")'))
    raised = 'raise ShopError("b", context={"size": 1})'
    assert found.contents["shop/server.py"][1].decode() == after.replace(
        'return {"error": "b", "size": 1}', other or raised
    )
    assert reasons(found.hidden) == ([] if unsafe else ["the boundary's answer does not have the same `size`"])
    assert reasons(found.refused) == ["the payload has a key twice"]


def test_parentheses_around_a_message_go_where_those_of_the_call_take_their_place(tmp_path: Path) -> None:
    payload = '{\n        "error": (\n            "no "\n            "name"\n        ),\n    }'
    before = f"if not on:\n    return {payload}\nreturn {{}}\n"
    found = fixes(tmp_path, tool(before))
    after = found.contents["shop/server.py"][1].decode()
    assert after == tool('if not on:\n    raise ShopError(\n        "no "\n        "name",\n    )\nreturn {}\n')


UNSAFE = {
    "a number where another number is answered": (
        'return {"error": "x", "count": False}',
        "the boundary's answer does not have the same `count`",
    ),
    "a key that the envelope itself fills": (
        'return {"error": "x", "problem": None}',
        "the boundary's answer does not have the same `problem`",
    ),
    "a message that is no text": (
        'return {"error": [text]}',
        "the message is no text: an exception shows how it is written",
    ),
    "a message of which nothing is known": ('return {"error": on}', "it cannot be told whether the message is a text"),
    "a local message that is bound twice": (
        'why = "x"\nfor why in on:\n    pass\nreturn {"error": why}',
        "it cannot be told whether the message is a text",
    ),
    "a text in a block of content": (
        'return {"content": [{"type": "text", "text": "x"}], "is_error": True}',
        "the message stood below another key, as `content`",
    ),
    "a bare except": (
        'try:\n    on()\nexcept:\n    return {"error": "x"}\nreturn {}',
        "a bare `except` also catches what stops a program",
    ),
    "a builtin that quotes its message": (
        'try:\n    on()\nexcept KeyError as exc:\n    on()\n    return {"error": "x"}\nreturn {}',
        "a `KeyError` shows its message in quotes",
    ),
    "another text than that of what propagates": (
        'try:\n    on()\nexcept KeyError as exc:\n    return {"error": "x"}\nreturn {}',
        "clients get the text of the KeyError, and no other",
    ),
}


OTHER_SHAPES = {
    "a text": (
        'if not on:\n    return f"Error: no {text}"\nreturn text.upper()',
        'if not on:\n    raise ShopError(f"Error: no {text}")\nreturn text.upper()',
        "the answer was a text, the boundary's is an object",
    ),
    "a dumped payload": (
        'if not on:\n    return json.dumps({"error": "x"})\nreturn {}',
        'if not on:\n    raise ShopError("x")\nreturn {}',
        "the answer was JSON text, the boundary's is an object",
    ),
    "a text in a list of content": (
        'if not on:\n    return [TextContent(type="text", text=f"Error: no {text}")]\nreturn {}',
        'if not on:\n    raise ShopError(f"Error: no {text}")\nreturn {}',
        "the answer was a list of content, the boundary's is an object",
    ),
    "a dumped payload in a list of content": (
        'if not on:\n    return [types.TextContent(type="text", text=json.dumps({"error": "x"}))]\nreturn {}',
        'if not on:\n    raise ShopError("x")\nreturn {}',
        "the answer was a list of content, the boundary's is an object",
    ),
    "a text in an MCP result": (
        'if not on:\n    return CallToolResult(content=[TextContent(type="text", text=text)], isError=True)\nreturn {}',
        "if not on:\n    raise ShopError(text)\nreturn {}",
        "the answer was a `CallToolResult`, the boundary's is an object",
    ),
    "a dumped payload in an MCP result": (
        "if not on:\n    return CallToolResult(is_error=True, content=["
        'TextContent(type="text", text=json.dumps({"error": "x"}))])\nreturn {}',
        'if not on:\n    raise ShopError("x")\nreturn {}',
        "the answer was a `CallToolResult`, the boundary's is an object",
    ),
    "an error object with a text of what was caught": (
        "try:\n    on()\nexcept OSError as exc:\n    return ErrorReply(error=str(exc), success=False)\nreturn {}",
        "try:\n    on()\nexcept OSError as exc:\n    raise ShopError(str(exc)) from exc\nreturn {}",
        "the answer was a `ErrorReply`, the boundary's is an object",
    ),
    "a dict that is alone in a list": (
        'if not on:\n    return [{"error": "x"}]\nreturn []',
        'if not on:\n    raise ShopError("x")\nreturn []',
        "the answer was a list, the boundary's is an object",
    ),
    "a text that is alone in a list": (
        'if not on:\n    return [f"Error: no {text}"]\nreturn []',
        'if not on:\n    raise ShopError(f"Error: no {text}")\nreturn []',
        "the answer was a list, the boundary's is an object",
    ),
    "an error object that a dict is made of": (
        'if not on:\n    return ErrorReply(error=f"no {text}", success=False).model_dump()\nreturn {}',
        'if not on:\n    raise ShopError(f"no {text}")\nreturn {}',
        "the answer was a `ErrorReply`, the boundary's is an object",
    ),
    "an error object": (
        'if not on:\n    return ErrorReply(error=f"no {text}", success=False)\nreturn {}',
        'if not on:\n    raise ShopError(f"no {text}")\nreturn {}',
        "the answer was a `ErrorReply`, the boundary's is an object",
    ),
}


@pytest.mark.parametrize(("before", "after", "reason"), OTHER_SHAPES.values(), ids=OTHER_SHAPES)
def test_an_answer_of_another_shape_is_rewritten_unsafely(tmp_path: Path, before: str, after: str, reason: str) -> None:
    assert_unsafe(tmp_path, tool(before), tool(after), reason)


FAILED = """

class ErrorReply:
    def __init__(self, error: str):
        self.text = error
"""


def test_an_error_object_that_takes_its_message_by_position_is_rewritten_unsafely(tmp_path: Path) -> None:
    before = tool('if not on:\n    return ErrorReply(f"no {text}")\nreturn {}') + FAILED
    after = before.replace("return ErrorReply(", "raise ShopError(")
    assert_unsafe(tmp_path, before, after, "the answer was a `ErrorReply`, the boundary's is an object")


NESTED = {
    "below another key": '{"success": False, "data": {"message": "x"}}',
    "under a key that ends in that of a message": '{"success": False, "status_message": "x"}',
    "alone in a list": '{"status": "error", "insights": ["no x"]}',
    "in a block of content": 'Made(isError=True, content=[TextContent(type="text", text="x")])',
}


@pytest.mark.parametrize("payload", NESTED.values(), ids=NESTED)
def test_a_message_may_stand(tmp_path: Path, payload: str) -> None:
    found = fixes(tmp_path, tool(f"if not on:\n    return {payload}\nreturn {{}}"), unsafe=True)
    after = found.contents["shop/server.py"][1].decode()
    assert re.search(r'^        raise ShopError\("(no )?x"\)$', after, re.MULTILINE)


def test_of_a_payload_that_takes_over_keys_the_message_is_raised_in_doubt(tmp_path: Path) -> None:
    before = tool('if not on:\n    return {"error": "x", **text}\nreturn {}')
    found = fixes(tmp_path, before, unsafe=True)
    assert '        raise ShopError("x")\n' in found.contents["shop/server.py"][1].decode()
    assert "what the payload takes over from another dict may have a message, too" in reasons(found.fixed)
    assert "the exception is not given `**text`, for what is there is not known here" in reasons(found.fixed)


def test_a_dropped_key_is_in_doubt_where_a_message_may_be_no_text(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.errlint]\n", encoding="utf-8")
    (tmp_path / "server.py").write_text(
        'from fastmcp import FastMCP\n\nmcp = FastMCP("shop")\n\n\n@mcp.tool()\ndef read(on):\n    if not on:\n'
        '        return {"success": False, "error": on.why, "count": 1}\n    return {}\n',
        encoding="utf-8",
    )
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    assert "        raise ToolError(on.why)\n" in found.contents["server.py"][1].decode()


HELPED = """

def helped(on):
    if not on:
        return {"error": "x"}
    return {}
"""


def test_a_payload_that_a_caller_dumps_is_rewritten_unsafely(tmp_path: Path) -> None:
    before = tool("return json.dumps(helped(on))\n") + HELPED
    after = before.replace('return {"error": "x"}', 'raise ShopError("x")')
    assert_unsafe(tmp_path, before, after, "the answer was JSON text, the boundary's is an object")


def test_a_handler_of_what_a_parameter_holds_may_catch_anything(tmp_path: Path) -> None:
    body = 'try:\n    if not on:\n        return {"error": "x"}\nexcept KeyError:\n    pass\nreturn {}\n'
    server = tool(body).replace("text: str", "KeyError=None")
    found = fixes(tmp_path, server, unsafe=True)
    text = "it cannot be told what `KeyError` is in `except KeyError`, so it is raised again before that"
    assert reasons(found.fixed) == [text]
    clauses = "    except ShopError:\n        raise\n    except KeyError:\n        pass\n"
    assert clauses in found.contents["shop/server.py"][1].decode()


def test_a_foreign_exception_that_may_be_a_base_lets_the_new_one_pass(tmp_path: Path) -> None:
    body = 'try:\n    if not on:\n        return {"error": "x"}\nexcept httpx.HTTPError:\n    pass\nreturn {}\n'
    errors = ERRORS.replace("class ShopError(Exception)", "import httpx\n\n\nclass ShopError(httpx.RequestError)")
    found = fixes(tmp_path, "import httpx\n" + tool(body), errors, unsafe=True)
    text = "it cannot be told whether `except httpx.HTTPError` catches it, so it is raised again before that"
    assert text in reasons(found.fixed)
    clauses = "    except ShopError:\n        raise\n    except httpx.HTTPError:\n        pass\n"
    assert clauses in found.contents["shop/server.py"][1].decode()


def test_a_resource_is_no_adapter_that_a_rule_wants_a_boundary_for(tmp_path: Path) -> None:
    resource = '@server.resource("shop://{on}")\ndef shown(on):\n    return helped(on)\n'
    (group,) = fixes(tmp_path, START + resource + HELPED, unsafe=True).refused
    assert reasons((group,)) == ["no boundary covers `shown`, which is no tool"]


def test_a_caller_that_dumps_a_payload_is_checked_against_its_annotation(tmp_path: Path) -> None:
    server = tool("return json.dumps(helped(on))\n").replace("):\n", ") -> str:\n", 1) + HELPED
    text = "the answer was JSON text, the boundary's is an object, and servers check it against `str`"
    assert text in [doubt.text for group in fixes(tmp_path, server).hidden for doubt in group.doubts]


def assert_unsafe(folder: Path, before: str, after: str, reason: str) -> None:
    """Check that a fix is hidden for a reason, and what it makes of the module."""
    (folder / "safe").mkdir()
    (folder / "unsafe").mkdir()
    assert reasons(fixes(folder / "safe", before).hidden) == [reason]
    assert fixes(folder / "unsafe", before, unsafe=True).contents["shop/server.py"][1].decode() == after


@pytest.mark.parametrize(("body", "reason"), UNSAFE.values(), ids=UNSAFE)
def test_a_fix_is_hidden_for(tmp_path: Path, body: str, reason: str) -> None:
    assert reasons(fixes(tmp_path, tool(body)).hidden) == [reason]


REFUSED = {
    "a list of more than texts": ('return {"success": False, "message": ["x", 1]}', "the message is a part of a list"),
    "a key twice": ('return {"error": "x", "error": "y"}', "the payload has a key twice"),
    "a handler whose name is bound again": (
        'try:\n    on()\nexcept ValueError as exc:\n    exc = None\n    return {"error": "x"}\nreturn {}',
        "the handler around it binds its name again",
    ),
    "a finally that jumps out of the else of a loop": (
        'for _ in on:\n    try:\n        return {"error": "x"}\n    finally:\n        for _ in ():\n            pass\n'
        "        else:\n            break\nreturn {}",
        "the `finally` around it returns or jumps",
    ),
    "a function that binds the names of a class and of its module": (
        'errors = ShopError = None\nreturn {"error": "x"}',
        "`ShopError` stands for something else here",
    ),
    "an exception that is not made of a message": (
        'try:\n    on()\nexcept UnicodeDecodeError as exc:\n    on()\n    return {"error": "x"}\nreturn {}',
        "a `UnicodeDecodeError` is not made of a message",
    ),
    "an except* around it": (
        'try:\n    if on:\n        return {"error": "x"}\nexcept* ValueError:\n    pass\nreturn {}',
        "an `except*` is around it",
    ),
}


@pytest.mark.parametrize(("body", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_fix_is_refused_for(tmp_path: Path, body: str, reason: str) -> None:
    if "except*" in body:
        pytest.importorskip("asyncio.taskgroups", reason="except* needs Python 3.11")
    assert reasons(fixes(tmp_path, tool(body)).refused) == [reason]


CLASSES = {
    "other arguments than the message": (
        "class ShopError(Exception):\n    def __init__(self, message, code=1):\n"
        "        super().__init__(message, code)\n",
        "the constructor of `ShopError` does not hand on its message as it is",
    ),
    "a message bound again": (
        "class ShopError(Exception):\n    def __init__(self, message):\n        message = message.upper()\n"
        "        super().__init__(message)\n",
        "the constructor of `ShopError` does not hand on its message as it is",
    ),
    "two ways through the constructor": (
        "class ShopError(Exception):\n    def __init__(self, message, code=1):\n        if code == 1:\n"
        "            super().__init__('no')\n        else:\n            super().__init__(message)\n",
        "the constructor of `ShopError` does not hand on its message as it is",
    ),
    "arguments that are stored": (
        "class ShopError(Exception):\n    def __init__(self, message):\n        super().__init__(message)\n"
        "        self.args = ('no',)\n",
        "the constructor of `ShopError` does not hand on its message as it is",
    ),
    "a constructor that raises": (
        "class ShopError(Exception):\n    def __init__(self, message):\n        super().__init__(message)\n"
        "        if message:\n            raise ValueError(message)\n",
        "the constructor of `ShopError` does not hand on its message as it is",
    ),
    "the code of its base": (
        "class Base(Exception):\n    def __init__(self, code, message='no'):\n        super().__init__(message)\n\n\n"
        "class ShopError(Base):\n    def __init__(self, message):\n        super().__init__(message)\n",
        "the constructor of `ShopError` does not hand on its message as it is",
    ),
    "another text": (
        "class Silent:\n    def __str__(self):\n        return 'no'\n\n\n"
        "class ShopError(Silent, Exception):\n    pass\n",
        "`Silent` makes its own text in `__str__`",
    ),
    "another object": (
        "class ShopError(Exception):\n    def __new__(cls, message):\n        return super().__new__(cls, 'no')\n",
        "`ShopError` makes its own text in `__new__`",
    ),
    "a base that quotes": (
        "class ShopError(KeyError):\n    pass\n",
        "`ShopError` is a `KeyError`, which may show another text",
    ),
    "a base that no boundary catches": (
        "class ShopError(BaseException):\n    pass\n",
        "`ShopError` is no `Exception` as far as can be seen",
    ),
    "a dataclass": (
        "@dataclass\nclass ShopError(Exception):\n    message: str = ''\n",
        "what is written above or into the header of `ShopError` may change it",
    ),
}


@pytest.mark.parametrize(("source", "reason"), CLASSES.values(), ids=CLASSES)
def test_the_class_of_the_exception_may_alter_the_text_by(tmp_path: Path, source: str, reason: str) -> None:
    errors = f"{source}\n\n{ERRORS[ERRORS.index('def handle') :]}"
    assert reason in reasons(fixes(tmp_path, tool('return {"error": "x"}'), errors).hidden)


@pytest.mark.parametrize("own", ["pass", "def __init__(self, text):\n        super().__init__(text)"])
def test_a_class_below_a_builtin_that_asks_for_more_is_not_raised(tmp_path: Path, own: str) -> None:
    errors = f"class ShopError(UnicodeDecodeError):\n    {own}\n\n\n{ERRORS[ERRORS.index('def handle') :]}"
    found = fixes(tmp_path, tool('return {"error": "x"}'), errors, unsafe=True)
    assert reasons(found.refused) == ["a `ShopError` is a `UnicodeDecodeError`, which is not made of a message"]


UNTAKEN = {
    "a keyword by its place": ("self, *, message", "message"),
    "another keyword": ("self, message", "text=message"),
    "too little": ("self, message, code", "message"),
    "too much": ("self, message", "message, 1"),
}


@pytest.mark.parametrize(("asked", "given"), UNTAKEN.values(), ids=UNTAKEN)
def test_a_class_that_cannot_be_made_is_not_raised(tmp_path: Path, asked: str, given: str) -> None:
    errors = (
        f"class Base(Exception):\n    def __init__({asked}):\n        super().__init__(message)\n\n\n"
        f"class ShopError(Base):\n    def __init__(self, message):\n        super().__init__({given})\n\n\n"
        f"{ERRORS[ERRORS.index('def handle') :]}"
    )
    found = fixes(tmp_path, tool('return {"error": "x"}'), errors, unsafe=True)
    reason = "`Base.__init__` does not take what the constructor of `ShopError` gives it"
    assert reasons(found.refused) == [reason]


TAKING_MORE = (
    "class ShopError(Exception):\n    def __init__(self, message, code='', **context):\n"
    "        super().__init__(message)\n"
)


@pytest.mark.parametrize("key", ["self", "class", "not a name"])
def test_a_key_that_cannot_be_a_keyword_of_the_constructor_is_not_given_to_it(tmp_path: Path, key: str) -> None:
    errors = f"{TAKING_MORE}\n\n{ERRORS[ERRORS.index('def handle') :]}"
    found = fixes(tmp_path, tool(f'return {{"error": "x", "{key}": text}}'), errors, unsafe=True)
    assert reasons(found.refused) == [f"the constructor of `ShopError` has no place for `{key}`"]


def test_a_key_is_not_given_to_a_constructor_beside_the_message_of_that_name(tmp_path: Path) -> None:
    errors = f"{TAKING_MORE}\n\n{ERRORS[ERRORS.index('def handle') :]}"
    server = tool('return {"details": text, "status": "error", "message": "x"}')
    found = fixes(tmp_path, server, errors, unsafe=True)
    assert reasons(found.refused) == ["the constructor of `ShopError` has no place for `message`"]


def test_a_key_becomes_a_keyword_of_a_constructor_that_takes_any(tmp_path: Path) -> None:
    errors = f"{TAKING_MORE}\n\n{ERRORS[ERRORS.index('def handle') :]}"
    found = fixes(tmp_path, tool('return {"error": "x", "where": text, "context": 1}'), errors, unsafe=True)
    assert 'raise ShopError("x", where=text, context=1)' in found.contents["shop/server.py"][1].decode()


@pytest.mark.parametrize("asked", ["self, message, **context", "self, *args, cause=None", "self, message, cause=None"])
def test_a_class_that_hands_on_what_its_base_takes_is_raised(tmp_path: Path, asked: str) -> None:
    errors = (
        f"class Base(Exception):\n    def __init__({asked}):\n        super().__init__('')\n\n\n"
        f"class ShopError(Base):\n    def __init__(self, message):\n        super().__init__(message, cause=None)\n\n\n"
        f"{ERRORS[ERRORS.index('def handle') :]}"
    )
    assert not fixes(tmp_path, tool('return {"error": "x"}'), errors, unsafe=True).refused


AROUND = {
    "a context manager of the project with a library's name": (
        "@contextlib.contextmanager\ndef closing(thing):\n    yield\n    print('closed')\n\n\n"
        + TOOL
        + '    with closing(on):\n        return {"error": "x"}\n',
        "`with closing` may end otherwise when an exception leaves it",
    ),
    "a decorator of the project with a library's name": (
        "def override(function):\n    return retry(function)\n\n\n"
        + TOOL.replace("def read", "@override\ndef read")
        + '    return {"error": "x"}\n',
        "the decorator `override` may catch, repeat or keep what the function raises",
    ),
    "another user of the answer": (
        TOOL + '    return {"error": "x"}\n\n\ndef other(on):\n    answer = read(on, "a")\n    return len(answer)\n',
        "the answer of `read` is used here, and the boundary's has other keys",
    ),
    "a handler before which others would have to pass": (
        "def make():\n    return ShopError('x')\n\n\n"
        + TOOL
        + '    try:\n        if on:\n            return {"error": "x"}\n        raise make()\n'
        + "    except Exception as exc:\n        return respond(exc)\n",
        "other exceptions of the project, as that of shop/server.py:7, would pass the handler too",
    ),
}


@pytest.mark.parametrize(("code", "reason"), AROUND.values(), ids=AROUND)
def test_a_fix_is_hidden_because_of(tmp_path: Path, code: str, reason: str) -> None:
    assert reasons(fixes(tmp_path, START + code).hidden) == [reason]


ON_THE_WAY = {
    "a coroutine that somebody else awaits": (
        'async def fetch(on):\n    if on:\n        return {"error": "x"}\n    return {}\n\n\n'
        + TOOL
        + "    return fetch(on)\n",
        "the result of `fetch` is not returned as it is",
    ),
    "a result in a list": (
        'def fetch(on):\n    if on:\n        return {"error": "x"}\n    return {}\n\n\n'
        + TOOL
        + "    return on and [fetch(on)]\n",
        "the result of `fetch` is not returned as it is",
    ),
    "a boundary above the registration": (
        TOOL.replace("@server.tool()\n", "").replace("def read", "@server.tool()\ndef read")
        + '    return {"error": "x"}\n',
        "the boundary of `read` never runs (ERR202)",
    ),
    "a name that is bound again in the module": (
        TOOL + '    return {"error": "x"}\n\n\nif apply:\n    ShopError = None\n',
        "`ShopError` is bound more than once",
    ),
}


@pytest.mark.parametrize(("code", "reason"), ON_THE_WAY.values(), ids=ON_THE_WAY)
def test_a_fix_is_refused_because_of(tmp_path: Path, code: str, reason: str) -> None:
    assert reason in reasons(fixes(tmp_path, START + code).refused)


OWN_CLASS = f"""\
{START.replace("ShopError, ", "")}class ShopError:
    pass


{TOOL}    return {{"error": "x"}}
"""


def test_beside_a_class_of_the_same_name_an_exception_is_named_by_its_module(tmp_path: Path) -> None:
    after = fixes(tmp_path, OWN_CLASS).contents["shop/server.py"][1].decode()
    assert "from shop import errors\n" in after
    assert 'raise errors.ShopError("x")' in after


def test_an_exception_is_not_raised_where_the_name_of_its_module_is_taken_too(tmp_path: Path) -> None:
    server = f"{OWN_CLASS}\n\nerrors = []\n"
    assert reasons(fixes(tmp_path, server).refused) == ["`ShopError` stands for something else here"]


def test_a_class_that_only_another_function_imports_is_imported_for_this_one(tmp_path: Path) -> None:
    """What a function imports means nothing outside of it."""
    other = "\n\ndef other():\n    from shop.errors import ShopError\n\n    raise ShopError('y')\n"
    server = START.replace("ShopError, ", "") + f'{TOOL}    return {{"error": "x"}}\n{other}'
    after = fixes(tmp_path, server).contents["shop/server.py"][1].decode()
    assert "from shop import errors\n" in after
    assert 'raise errors.ShopError("x")' in after


def test_a_constructor_that_needs_a_text_gets_nothing_else(tmp_path: Path) -> None:
    errors = ERRORS.replace("super().__init__(message)", "super().__init__(message.upper())")
    found = fixes(tmp_path, tool('if not on:\n    return {"error": [text]}\nreturn {}\n'), errors, unsafe=True)
    assert reasons(found.refused) == ["`ShopError` makes something of its message, which is not certain to be a text"]


def test_the_exception_of_the_nearest_package_is_raised(tmp_path: Path) -> None:
    """Packages of one distribution may have a class of the same name each."""
    for package in ("shop", "depot"):
        (tmp_path / package).mkdir()
        for name, text in (("__init__", ""), ("errors", ERRORS), ("server", tool('return {"error": "x"}'))):
            text = text.replace("import ShopError, handle", "import handle").replace("shop.", f"{package}.")
            (tmp_path / package / f"{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    found = fixes_in(tmp_path, "ERR101")
    assert found.refused == ()
    for package in ("shop", "depot"):
        assert (
            f"from {package}.errors import ShopError, handle_errors"
            in found.contents[f"{package}/server.py"][1].decode()
        )


def test_an_import_by_a_name_from_the_root_is_extended(tmp_path: Path) -> None:
    """Where Python is started above a distribution, its modules have longer names."""
    (tmp_path / "kit/shop").mkdir(parents=True)
    server = tool('return {"error": "x"}').replace(
        "from shop.errors import ShopError, ", "from kit.shop.errors import "
    )
    for name, text in (("shop/__init__", ""), ("shop/errors", ERRORS), ("shop/server", server)):
        (tmp_path / "kit" / f"{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "kit/pyproject.toml").write_text("", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    found = fixes_in(tmp_path, "ERR101")
    after = found.contents["kit/shop/server.py"][1].decode()
    assert "from kit.shop.errors import ShopError, handle_errors\n" in after


@pytest.mark.parametrize(
    ("package", "imports", "expected"),
    [
        pytest.param(
            "app",
            "import json\n\nimport yaml\n\nfrom kit.files import Path\nfrom kit.wrap import handle_errors\n",
            "import yaml\n\nfrom app.errors import ShopError\nfrom kit.files import Path\nfrom kit.wrap",
            id="in its place among those of other packages of the project",
        ),
        pytest.param(
            "zoo",
            "import yaml\n\nfrom kit.files import Path\nfrom kit.wrap import handle_errors\n",
            "from kit.wrap import handle_errors\nfrom zoo.errors import ShopError\n\n",
            id="last among those of other packages of the project",
        ),
        pytest.param(
            "app",
            "import yaml\n\nimport kit.files\nimport kit.more\nfrom kit.wrap import handle_errors\n",
            "import kit.more\nfrom app.errors import ShopError\nfrom kit.wrap",
            id="behind modules that are imported whole",
        ),
        pytest.param(
            "app",
            "from kit.wrap import handle_errors\n\nkit = None\n\nimport yaml\n\nfrom kit.files import Path\n",
            "import yaml\n\nfrom app.errors import ShopError\nfrom kit.files import Path\n",
            id="in the last section of the project's imports",
        ),
        pytest.param(
            "app",
            "import yaml\n\nfrom .files import Path\nfrom .wrap import handle_errors\n",
            "import yaml\n\nfrom app.errors import ShopError\n\nfrom .files import Path\n",
            id="before relative imports",
        ),
        pytest.param(
            "kit",
            "import yaml\n\nfrom .files import Path\nfrom .wrap import handle_errors\n\n"
            "if TYPE_CHECKING:\n    from kit.files import Folder\n",
            "import yaml\n\nfrom .errors import ShopError\nfrom .files import Path\n",
            id="relative where most imports are",
        ),
    ],
)
def test_an_import_stands_where_sorters_put_it(tmp_path: Path, package: str, imports: str, expected: str) -> None:
    server = tool('return {"error": "x"}').replace("from shop.errors import ShopError, handle_errors\n", imports)
    errors, wrap = ERRORS.split("\n\n\n")
    texts = {"kit/files": "", "kit/more": "", "kit/wrap": wrap, "kit/server": server, f"{package}/errors": errors}
    for name, text in {**texts, "kit/__init__": "", f"{package}/__init__": ""}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    found = fixes_in(tmp_path, "ERR101")
    assert found.refused == ()
    assert expected in found.contents["kit/server.py"][1].decode()


NAMED = {
    "a module that is imported whole": ("import shop.errors\n", "shop.errors.ShopError", ""),
    "a module that is imported whole, by another name": ("import shop.errors as faults\n", "faults.ShopError", ""),
    "a module that is imported out of its package": ("from shop import errors\n", "errors.ShopError", ""),
    "a package that has it, too": ("import shop\n", "shop.ShopError", ""),
    "a module that another function imports": (
        "def other():\n    from shop import errors\n    return errors\n",
        "ShopError",
        "from shop.errors import ShopError",
    ),
    "a module whose name is bound to something else": (
        "from shop import errors\n\nerrors = 1\n",
        "ShopError",
        "from shop.errors import ShopError",
    ),
    "a module, where its own name is taken": ("ShopError = 1\n", "errors.ShopError", "from shop import errors"),
}


@pytest.mark.parametrize(("line", "raised", "imported"), NAMED.values(), ids=NAMED)
def test_an_exception_is_named_by(tmp_path: Path, line: str, raised: str, imported: str) -> None:
    errors, wrap = ERRORS.split("\n\n\n")
    imports = f"from shop.wrap import handle_errors\n{line}"
    server = tool('return {"error": "x"}').replace("from shop.errors import ShopError, handle_errors\n", imports)
    texts = {"wrap": wrap, "errors": errors, "server": server}
    texts["__init__"] = "from shop.errors import ShopError\n" if line == "import shop\n" else ""
    (tmp_path / "shop").mkdir()
    for name, text in texts.items():
        (tmp_path / "shop" / f"{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    after = fixes_in(tmp_path, "ERR101").contents["shop/server.py"][1].decode()
    assert {*after.splitlines()} - {*server.splitlines()} == {f'    raise {raised}("x")', *filter(None, [imported])}


def test_an_exception_is_not_raised_whose_names_are_taken(tmp_path: Path) -> None:
    server = tool('return {"error": "x"}').replace("import ShopError, ", "import ") + "\n\nShopError = errors = 1\n"
    assert reasons(fixes(tmp_path, server, unsafe=True).refused) == ["`ShopError` stands for something else here"]


def test_a_module_beside_a_file_is_not_taken_for_one_that_tests_put_in_the_place_of_another(tmp_path: Path) -> None:
    server = tool('return {"error": "x"}').replace(
        "from shop.errors import ShopError, handle", "from .wrap import handle"
    )
    errors, wrap = ERRORS.split("\n\n\n")
    stub = "import sys\n\n\ndef put(name, made):\n    sys.modules[name] = made\n\n\nput('old', '')\n"
    texts = {"kit/__init__": "", "kit/errors": errors, "kit/wrap": wrap, "kit/server": server, "tests/conftest": stub}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    found = fixes_in(tmp_path, "ERR101", unsafe=False)
    assert "from .errors import ShopError\n" in found.contents["kit/server.py"][1].decode()


@pytest.mark.parametrize("annotation", ["str", "Reply | None", "dict[str, Any] | str", "Any"])
def test_a_doubt_tells_what_a_server_checks_the_new_answer_against(tmp_path: Path, annotation: str) -> None:
    server = tool('if not on:\n    return "Error: none"\nreturn text').replace("str):", f"str) -> {annotation}:")
    (group,) = fixes(tmp_path, server).hidden
    (doubt,) = reasons((group,))
    assert doubt.endswith(f"and servers check it against `{annotation}`") == (annotation in ("str", "Reply | None"))


def test_what_a_factory_of_another_module_puts_around_a_text_need_not_be_known(tmp_path: Path) -> None:
    answers = (
        "def failed(why):\n    return CallToolResult(content=[TextContent(type='text', text=why)], isError=True)\n"
    )
    server = tool('if not on:\n    return failed(f"no {text}")\nreturn {}').replace(
        "from shop.errors", "from shop.answers import failed\nfrom shop.errors"
    )
    (tmp_path / "shop").mkdir()
    texts = {"__init__": "", "errors": ERRORS, "server": server, "answers": "from mcp.types import *\n\n\n" + answers}
    for name, text in texts.items():
        (tmp_path / "shop" / f"{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    found = fixes_in(tmp_path, "ERR102")
    assert reasons(found.refused) == []
    assert found.contents["shop/server.py"][1].decode() == tool(
        'if not on:\n    raise ShopError(f"no {text}")\nreturn {}'
    )


@pytest.mark.parametrize("imports", ["from kit.wrap import handle_errors\n", "from kit.limits import MOST\n"])
def test_an_import_starts_from_the_folder_that_others_start_from(tmp_path: Path, imports: str) -> None:
    """The folder of a repository that the package is in has no `pyproject.toml`: it may be anybody's."""
    errors, wrap = ERRORS.split("\n\n\n")
    server = tool('return {"error": "x"}').replace("from shop.errors import ShopError, handle_errors\n", imports)
    texts = {"wrap": wrap, "limits": "MOST = 1\n", "errors": errors, "server": server, "__init__": ""}
    (tmp_path / "kit/kit").mkdir(parents=True)
    for name, text in texts.items():
        (tmp_path / f"kit/kit/{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    found = fixes_in(tmp_path, "ERR101")
    assert found.refused == ()
    assert "\nfrom kit.errors import ShopError\n" in found.contents["kit/kit/server.py"][1].decode()


REQUIRED = {
    "a field that one class alone asks for": ('"error": "x", "at": 1', "FieldError"),
    "a field that both ask for": ('"error": "x", "of": 1', "ShopError"),
    "fields that each asks for": ('"error": "x", "at": 1, "size": 2', "ShopError"),
}


@pytest.mark.parametrize(("payload", "raised"), REQUIRED.values(), ids=REQUIRED)
def test_the_exception_is_the_one_that_asks_for(tmp_path: Path, payload: str, raised: str) -> None:
    required = "".join(
        f'[[tool.errlint.required]]\nclasses = ["{name}"]\nfields = ["of", "{field}"]\n'
        for name, field in (("ShopError", "size"), ("FieldError", "at"))
    )
    own = ERRORS.partition("\n\n\n")[0]
    errors = ERRORS.replace(own, f"{own}\n\n\n{own.replace('ShopError', 'FieldError')}")
    server = tool(f"if not on:\n    return {{{payload}}}\nreturn {{}}\n")
    fixes(tmp_path, server, errors)
    configuration = CONFIGURATION.replace('root = ["ShopError"]', 'root = ["ShopError", "FieldError"]')
    (tmp_path / "pyproject.toml").write_text(configuration + required, encoding="utf-8")
    found = fixes_in(tmp_path, "ERR101")
    assert f'        raise {raised}("x"' in found.contents["shop/server.py"][1].decode()


def test_the_exception_is_that_of_the_own_distribution(tmp_path: Path) -> None:
    server = tool('return {"error": "x"}').replace("from shop.errors import ShopError,", "from wrap import")
    errors, wrap = ERRORS.split("\n\n\n")
    texts = {"server": server, "errors": errors, "wrap": wrap, "kit/errors": errors}
    (tmp_path / "kit").mkdir()
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    for name in ("pyproject.toml", "kit/pyproject.toml"):
        (tmp_path / name).write_text(CONFIGURATION, encoding="utf-8")
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    assert "from errors import ShopError\n" in found.contents["server.py"][1].decode()


@pytest.mark.parametrize("folder", ["kit", "depot"])
def test_an_import_is_extended_whose_folder_is_called_otherwise_where_it_runs(tmp_path: Path, folder: str) -> None:
    server = tool('return {"error": "x"}').replace("from shop.errors import ShopError,", "from kit.errors import")
    (tmp_path / folder).mkdir()
    for name, text in {"__init__": "", "errors": ERRORS, "server": server}.items():
        (tmp_path / f"{folder}/{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    after = fixes_in(tmp_path, "ERR101").contents[f"{folder}/server.py"][1].decode()
    assert "\nfrom kit.errors import ShopError, handle_errors\n" in after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"""Files."""\n\ndef', '"""Files."""\n\nfrom shop.errors import ShopError\n\n\ndef'),
        ('"""Files."""\n\n\nON = 1\n\n\ndef', '"""Files."""\n\nfrom shop.errors import ShopError\n\nON = 1\n\n\ndef'),
        ('"""Files."""\n# finds\ndef', '"""Files."""\n\nfrom shop.errors import ShopError\n\n# finds\ndef'),
        ("import os\n\n\ndef", "import os\n\nfrom .errors import ShopError\n\n\ndef"),
    ],
    ids=["a definition", "a constant", "a comment", "imports, and others at the end"],
)
def test_an_import_is_set_apart_from(tmp_path: Path, before: str, after: str) -> None:
    more = "\n\nfrom .wrap import more\n" if "import" in before else ""
    server = tool("return find(text)").replace(
        "from shop.errors import ShopError", "from .finding import find\nfrom .errors"
    )
    server = server.replace("from .errors,", "from .errors import")
    texts = {
        "finding": f'{before} find(text):\n    if not text:\n        return {{"error": "x"}}\n    return {{}}\n{more}',
        "server": server,
        "errors": ERRORS,
        "wrap": "more = 1\n",
        "__init__": "",
    }
    (tmp_path / "shop").mkdir()
    for name, text in texts.items():
        (tmp_path / f"shop/{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    found = fixes_in(tmp_path, "ERR1")
    assert reasons(found.refused) == []
    changed = found.contents["shop/finding.py"][1].decode()
    assert changed == f'{after} find(text):\n    if not text:\n        raise ShopError("x")\n    return {{}}\n{more}'


@pytest.mark.parametrize(
    "imports", ["from .more import limit\n", "import os\n", "from depot.kit.sub.more import limit\n"]
)
def test_a_module_is_imported_by_the_name_that_others_have_for_it(tmp_path: Path, imports: str) -> None:
    """Under another name it would be loaded again, and none of its classes would be the same."""
    (tmp_path / "depot/kit/sub").mkdir(parents=True)
    server = tool("return find(text)").replace("import ShopError, handle", "import handle").replace("shop", "depot.kit")
    finding = 'def find(text):\n    if not text:\n        return {"error": "x"}\n    return {}\n'
    texts = {
        "kit/sub/finding": f"{imports}\n\n{finding}",
        "server": server.replace("\n\n", "\nfrom depot.kit.sub.finding import find\n\n", 1),
        "kit/sub/more": "limit = 1\n",
        "kit/errors": ERRORS,
    }
    for name, text in {**texts, "__init__": "", "kit/__init__": "", "kit/sub/__init__": ""}.items():
        (tmp_path / f"depot/{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    after = fixes_in(tmp_path, "ERR1").contents["depot/kit/sub/finding.py"][1].decode()
    assert "from depot.kit.errors import ShopError\n" in after


def test_a_file_at_the_top_is_no_package_of_the_project(tmp_path: Path) -> None:
    """What is imported from a file beside it stands before relative imports, and is none of them."""
    (tmp_path / "kit").mkdir()
    server = tool('return {"error": "x"}').replace("from shop.errors import ShopError,", "\nfrom .wrap import")
    texts = {"kit/wrap": "from errors import handle_errors\n", "kit/server": server, "kit/__init__": "", "__init__": ""}
    for name, text in {**texts, "errors": ERRORS}.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    after = fixes_in(tmp_path, "ERR101").contents["kit/server.py"][1].decode()
    assert "\nfrom errors import ShopError\n\nfrom .wrap import handle_errors\n" in after


def test_comments_stay_above_the_import_that_they_are_about(tmp_path: Path) -> None:
    server = tool('return {"error": "x"}').replace(
        "from shop.errors import ShopError,", "\n# wraps\nfrom shop.wrap import"
    )
    (tmp_path / "shop").mkdir()
    for name, text in {"wrap": ERRORS.split("\n\n\n")[1], "errors": ERRORS, "server": server, "__init__": ""}.items():
        (tmp_path / f"shop/{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    after = fixes_in(tmp_path, "ERR101").contents["shop/server.py"][1].decode()
    assert "\n\nfrom shop.errors import ShopError\n# wraps\nfrom shop.wrap import handle_errors\n" in after


def test_an_import_stands_before_the_relative_ones_of_a_mixed_section(tmp_path: Path) -> None:
    header = "from toolkit import apply, server\nfrom .wrap import handle_errors\n"
    server = tool('return {"error": "x"}').replace(START, f"{header}\n\n")
    (tmp_path / "kit").mkdir()
    texts = {"wrap": "from errors import handle_errors\n", "server": server, "__init__": ""}
    for name, text in texts.items():
        (tmp_path / f"kit/{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "errors.py").write_text(ERRORS, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    after = fixes_in(tmp_path, "ERR101").contents["kit/server.py"][1].decode()
    assert after.startswith(header.replace("from .wrap", "from errors import ShopError\nfrom .wrap"))


def test_an_error_beside_a_message_is_its_code_whatever_its_type(tmp_path: Path) -> None:
    errors = ERRORS.replace("message, *,", 'message, *, code="",')
    payload = '{"error": "no_path", "message": "There is none", "error_type": on}'
    found = fixes(tmp_path, tool(f"if not on:\n    return {payload}\nreturn {{}}\n"), errors, unsafe=True)
    after = found.contents["shop/server.py"][1].decode()
    raised = 'ShopError("There is none", code="no_path", context={"error_type": on})'
    assert f"raise {raised}" in after


LONG = (
    ('"There is no such path. "\n                     "Ask for another one."', '"x"'),
    ('"x"', '"Look at the path. "\n                    "Ask for another one."'),
)
LAID_OUT = (
    '        "There is no such path. "\n        "Ask for another one.",\n        context={"hint": "x", "kind": 1},\n',
    '        "x",\n        context={\n            "hint": (\n                "Look at the path. "\n'
    '                "Ask for another one."\n            ),\n            "kind": 1,\n        },\n',
)


@pytest.mark.parametrize(("payload", "arguments"), list(zip(LONG, LAID_OUT, strict=True)), ids=["message", "hint"])
def test_the_parts_of_a_text_stand_below_each_other(tmp_path: Path, payload: tuple[str, str], arguments: str) -> None:
    message, hint = payload
    before = f'if not on:\n    return {{"error": {message}, "hint": {hint}, "kind": 1}}\nreturn {{}}\n'
    after = fixes(tmp_path, tool(before), unsafe=True).contents["shop/server.py"][1].decode()
    assert after == tool(f"if not on:\n    raise ShopError(\n{arguments}    )\nreturn {{}}\n")


DESK = """\
from {module} import take

def run(path):
    found = take(path)
    return found.get("error") or found["path"]
"""


USES = {
    **{
        module: DESK.format(module=module)
        for module in ("shelf.engine", "depots.shelf.engine", "engine", "..shelf.engine")
    },
    "a module": DESK.format(module="engine")
    .replace("from engine import take", "import engine")
    .replace("= take", "= engine.take"),
    "an import for others": "from engine import take\n",
    "all names of a module": "from engine import *\n",
}


@pytest.mark.parametrize(("name", "text"), USES.items(), ids=USES)
def test_a_function_that_another_distribution_uses_names_the_place(tmp_path: Path, name: str, text: str) -> None:
    engine = 'def take(path):\n    if not path:\n        return {"error": "no path"}\n    return {"path": path}\n'
    server = tool("return take(text)").replace("from shop.errors", "from .engine import take\nfrom .errors")
    shelf = "depots/shelf" if name != "shelf.engine" else "depots/shelf/src/shelf"
    texts = {f"{shelf}/engine": engine, f"{shelf}/server": server, f"{shelf}/errors": ERRORS, f"{shelf}/__init__": ""}
    for path, content in {**texts, "depots/desk/job": text, "depots/desk/__init__": ""}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{path}.py").write_text(content, encoding="utf-8")
    for folder in ("depots/shelf", "depots/desk"):
        (tmp_path / folder / "pyproject.toml").write_text("", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    found = unsafe_alone(tmp_path, "ERR101")
    line = 1 if "import take" in text or "*" in text else 4
    doubt = "`take` is used in another distribution, which is not followed"
    assert (doubt, f"depots/desk/job.py:{line}") in looks(found.fixed)
    assert {*found.contents} >= {f"{shelf}/engine.py"}


def test_a_method_of_another_object_in_another_distribution_is_another_one(tmp_path: Path) -> None:
    shelf = (
        "from fastmcp import FastMCP\n\nmcp = FastMCP('a')\n\n\nclass Take:\n    def execute(self, path):\n"
        '        if not path:\n            return {"error": "no path"}\n        return {"path": path}\n\n\n'
        "@mcp.tool()\ndef take(path: str) -> dict:\n    return Take().execute(path)\n"
    )
    desk = "from shelf import mcp\n\n\nclass Job:\n    def execute(self, on):\n        return on\n\n\n{}"
    for path, text in {"a/shelf": shelf, "a/desk/job": desk.format("JOB = Job().execute(1)\n")}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{path}.py").write_text(text, encoding="utf-8")
    for folder in ("a", "a/desk"):
        (tmp_path / folder / "pyproject.toml").write_text("", encoding="utf-8")
    assert reasons(fixes_in(tmp_path, "ERR101").refused) == []
    (tmp_path / "a/desk/job.py").write_text(desk.format("JOB = made().execute(1)\n"), encoding="utf-8")
    found = unsafe_alone(tmp_path, "ERR101")
    assert ("a method `execute` is called in another distribution", "a/desk/job.py:9") in looks(found.fixed)


def test_a_method_that_may_be_called_in_another_distribution_alone_names_the_place(tmp_path: Path) -> None:
    shelf = (
        "from fastmcp import FastMCP\n\nmcp = FastMCP('a')\n\n\ndef find(path):\n"
        '    if not path:\n        return {"error": "no path"}\n    return {"path": path}\n\n\n'
        "class Take:\n    def execute(self, path):\n        return find(path)\n\n\n"
        "@mcp.tool()\ndef take(path: str) -> dict:\n    return find(path)\n"
    )
    desk = "import shelf\n\n\ndef job(take):\n    return take.execute(1)\n"
    for path, text in {"a/shelf": shelf, "b/desk": desk}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{path}.py").write_text(text, encoding="utf-8")
    for folder in ("a", "b"):
        (tmp_path / folder / "pyproject.toml").write_text("", encoding="utf-8")
    found = unsafe_alone(tmp_path, "ERR101")
    doubt = "`Take.execute` may be used here, and nothing else is known to call it: who does gets an exception"
    assert (doubt, "b/desk.py:5") in looks(found.fixed)


def test_a_test_that_imports_through_an_outer_distribution_is_rewritten(tmp_path: Path) -> None:
    engine = 'def take(path):\n    if not path:\n        return {"error": "no path"}\n    return {"path": path}\n'
    server = tool("return take(text)").replace("from shop.errors", "from .engine import take\nfrom .errors")
    texts = {"engine": engine, "server": server, "errors": ERRORS, "__init__": "", "../__init__": ""}
    test = 'from depots.shelf.engine import take\n\ndef test_take():\n    assert take("")["error"] == "no path"\n'
    for path, content in {**{f"depots/shelf/{name}": texts[name] for name in texts}, "tests/test_take": test}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{path}.py").write_text(content, encoding="utf-8")
    (tmp_path / "depots/shelf/pyproject.toml").write_text("", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    found = fixes_in(tmp_path, "ERR101")
    assert found.refused == ()
    assert "with pytest.raises(ShopError" in found.contents["tests/test_take.py"][1].decode()
    assert "from depots.shelf.errors import ShopError\n" in found.contents["tests/test_take.py"][1].decode()


def test_a_context_that_does_not_fit_into_a_line_has_an_entry_on_each(tmp_path: Path) -> None:
    hint = '"Check that the path is absolute, that the file exists, and that it may be read"'
    before = f'if not on:\n    return {{"error": "x", "hint": {hint}, "size": len([text, on])}}\nreturn {{}}\n'
    found = fixes(tmp_path, tool(before), unsafe=True)
    assert found.contents["shop/server.py"][1].decode() == tool(
        'if not on:\n    raise ShopError(\n        "x",\n        context={\n'
        f'            "hint": {hint},\n            "size": len([text, on]),\n        }},\n    )\nreturn {{}}\n'
    )


@pytest.mark.parametrize("line", ['NOTE = "{}"\n', '"""Tells.\n\n{}\n"""\n', "# {}\n", "{}\n"])
def test_a_long_text_says_nothing_of_how_long_lines_may_get(tmp_path: Path, line: str) -> None:
    """Formatters leave texts and comments as long as they are, and break all else."""
    message = '"There is no such place, as far as can be told from what was asked for"'
    written = line.format("a + " * 28 + "a")
    server = tool(f'if not on:\n    return {{"error": {message}}}\nreturn {{}}\n') + "\n\n" + written
    after = fixes(tmp_path, server).contents["shop/server.py"][1].decode()
    assert (
        f"raise ShopError({message})" in after
        if line == "{}\n"
        else f"raise ShopError(\n            {message},\n" in after
    )


def test_what_a_new_finding_is_not_due_to_is_fixed(tmp_path: Path) -> None:
    """Where nobody calls `missing` any more, that is an error return of its own."""
    missing = 'def missing():\n    return {"success": False, "message": "not here"}\n'
    first = tool("return missing()").replace("\n\n", "\nfrom shop.finding import missing\n\n", 1)
    second = tool('if on:\n    return {"error": "no", "size": 1}\nreturn {}\n')
    texts = {"finding": missing, "first": first, "second": second, "errors": ERRORS, "__init__": ""}
    (tmp_path / "shop").mkdir()
    for name, text in texts.items():
        (tmp_path / f"shop/{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    found = fixes_in(tmp_path, "ERR1")
    assert list(found.contents) == ["shop/second.py"]
    (group,) = found.refused
    reason = (
        "the result has a new finding: ERR101 `missing` returns a hand-built error payload (`success`); "
        "raise an exception instead"
    )
    assert (group.path, group.doubts[-1].text) == ("shop/first.py", reason)


FILES = {
    "without a last newline": lambda text: text.rstrip("\n"),
    "with spaces behind the last line": lambda text: f"{text}\n\n ",
    "with a tab behind the last line": lambda text: f"{text}\t",
    "with the line ends of Windows": lambda text: text.replace("\n", "\r\n"),
    "with a byte order mark": lambda text: f"\ufeff{text}",
    "with form feeds": lambda text: text.replace("\n\n\n", "\n\n\x0c\n"),
}


@pytest.mark.parametrize("made", FILES.values(), ids=FILES)
def test_all_else_of_a_file_stays_byte_for_byte(tmp_path: Path, made: Callable[[str], str]) -> None:
    before = tool('if not on:\n    return {"error": "x"}\nreturn {"path": text, "count": 1}\n')
    after = before.replace('return {"error": "x"}', 'raise ShopError("x")')
    (tmp_path / "shop").mkdir()
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    (tmp_path / "shop/errors.py").write_text(ERRORS, encoding="utf-8")
    (tmp_path / "shop/server.py").write_bytes(made(before).encode())
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    assert found.contents["shop/server.py"][1] == made(after).encode()


CAUSES = {
    "behind a text": ('"no name"', 'f"no name: {exc}"'),
    "behind a text with holes": ('f"no {text}"', 'f"no {text}: {exc}"'),
    "behind a sentence": ('"It failed."', 'f"It failed. {exc}"'),
    "behind a text with braces": ('"no {}"', 'f"no {{}}: {exc}"'),
}


@pytest.mark.parametrize(("message", "raised"), CAUSES.values(), ids=CAUSES)
def test_a_cause_in_a_key_of_its_own_stands_behind_the_message_that_is_all_a_class_takes(
    tmp_path: Path, message: str, raised: str
) -> None:
    before = 'from fastmcp import FastMCP\n\nmcp = FastMCP("shelf")\n\n\n@mcp.tool()\ndef count(text: str):\n'
    before += "    try:\n        return {'count': int(text)}\n    except ValueError as exc:\n"
    (tmp_path / "server.py").write_text(f'{before}        return {{"error": {message}, "details": str(exc)}}\n')
    found = fixes_in(tmp_path, "ERR101")
    assert f"        raise ToolError({raised}) from exc\n" in found.contents["server.py"][1].decode()
    assert reasons(found.fixed) == [
        "the convention changes the answer: a client gets isError and a text",
        "what stood under `details` stands behind the message",
    ]


CLEARER = {
    "a text": ('"error": str(exc), "message": "this is no number"', 'f"this is no number: {exc}"', "is the message"),
    "a text that has the cause": (
        '"error": f"{exc}", "detail": f"no number: {exc}"',
        'f"no number: {exc}"',
        "is the message",
    ),
    "a text beside a heading": (
        '"error": "Wrong input", "message": "Give a number"',
        '\n            "Wrong input. "\n            "Give a number",\n        ',
        "stands behind the message",
    ),
    "a text of several pieces beside a heading of several": (
        '"error": "Wrong " f"input {exc}", "message": ("Give a number, "\n            "or two")',
        '\n            "Wrong "\n            f"input {exc}. "\n            "Give a number, "\n'
        '            "or two",\n        ',
        "stands behind the message",
    ),
}


@pytest.mark.parametrize(("payload", "raised", "told"), CLEARER.values(), ids=CLEARER)
def test_a_text_that_tells_more_than_the_error_is_kept(tmp_path: Path, payload: str, raised: str, told: str) -> None:
    before = 'from fastmcp import FastMCP\n\nmcp = FastMCP("shelf")\n\n\n@mcp.tool()\ndef count(text: str):\n'
    before += "    try:\n        return {'count': int(text)}\n    except ValueError as exc:\n"
    (tmp_path / "server.py").write_text(f"{before}        return {{{payload}}}\n")
    found = fixes_in(tmp_path, "ERR101")
    assert f"        raise ToolError({raised}) from exc\n" in found.contents["server.py"][1].decode()
    key = "detail" if "detail" in payload else "message"
    assert reasons(found.fixed) == [
        "the convention changes the answer: a client gets isError and a text",
        f"what stood under `{key}` {told}",
    ]


LEFT_OUT = {
    "a method that changes something": ('"left": SHELF.pop(text)', ["pop"]),
    "a function that nothing is known of": ('"left": [load(text)], "at": store()', ["load", "store"]),
    "what only reads": ('"left": len(SHELF), "at": text.lower()', []),
    "a function that only computes": ('"left": doubled(text)', []),
}


@pytest.mark.parametrize(("payload", "called"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_is_not_called_for_a_key_any_more_is_named(tmp_path: Path, payload: str, called: list[str]) -> None:
    before = 'from fastmcp import FastMCP\n\nmcp = FastMCP("shelf")\nSHELF = {}\n\n\n'
    before += "def doubled(text):\n    return text + text\n\n\n@mcp.tool()\ndef count(text: str):\n"
    (tmp_path / "server.py").write_text(f'{before}    return {{"error": "no text", {payload}}}\n')
    found = fixes_in(tmp_path, "ERR101")
    told = [text for text in reasons(found.fixed) if "may do something" in text]
    assert told == [f"`{name}` is not called for the error any more, and may do something" for name in called]


def test_a_remark_in_a_text_that_stands_behind_the_message_stays(tmp_path: Path) -> None:
    payload = '{"error": "no text", "hint": ("Give a text, "  # of any length\n        "or two")}'
    before = 'from fastmcp import FastMCP\n\nmcp = FastMCP("shelf")\n\n\n@mcp.tool()\ndef count(text: str):\n'
    (tmp_path / "server.py").write_text(f"{before}    return {payload}\n")
    found = fixes_in(tmp_path, "ERR101")
    raised = '    # of any length\n    raise ToolError(\n        "no text. "\n'
    raised += '        "Give a text, "\n        "or two",\n    )\n'
    assert found.contents["server.py"][1].decode().endswith(raised)


def test_a_hint_in_a_key_of_its_own_stands_behind_the_message_that_is_all_a_class_takes(tmp_path: Path) -> None:
    before = 'from fastmcp import FastMCP\n\nmcp = FastMCP("shelf")\n\n\n@mcp.tool()\ndef count(text: str):\n'
    payload = '{"error": f"no {text}", "details": f"Must be one of: {\', \'.join(ALL)}", "at": 1}'
    before += f"    if not text:\n        return {payload}\n    return {{'count': 1}}\n"
    (tmp_path / "server.py").write_text(before)
    found = fixes_in(tmp_path, "ERR101")
    raised = '        raise ToolError(\n            f"no {text}. "\n'
    raised += "            f\"Must be one of: {', '.join(ALL)}\",\n        )\n"
    assert raised in found.contents["server.py"][1].decode()
    assert reasons(found.fixed) == [
        "`ToolError` takes a message alone: clients do not get `at` any more",
        "the convention changes the answer: a client gets isError and a text",
        "what stood under `details` stands behind the message",
    ]
