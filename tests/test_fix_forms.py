"""Error returns of other forms than a payload written out: what becomes of them, or why they are left."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import libcst as cst
import pytest
from test_fix import CONFIGURATION, ERRORS, START, fixes, fixes_in, looks, reasons, tool

from errlint.fix.payload_extraction.payload import read
from errlint.fix.prove import reason_against
from errlint.fix.rewrite import Changes, rewrite
from errlint.fix.source_file import SourceFile

SUCCESS = 'return {"path": text, "count": 1}\n'

CONDITIONS = {
    "an error on a condition": (
        'return {"error": f"no {text}"} if not on else {"path": text, "count": 1}\n',
        f'if not on:\n    raise ShopError(f"no {{text}}")\n{SUCCESS}',
    ),
    "two errors on a condition": (
        f'if on:\n    return {{"error": "x", "path": ""}} if text else {{"error": "y"}}\n{SUCCESS}',
        f'if on:\n    raise ShopError("x" if text else "y")\n{SUCCESS}',
    ),
    "a value on a condition": (
        'return {"path": text, "count": 1} if on else {"error": "x"}\n',
        f'if not on:\n    raise ShopError("x")\n{SUCCESS}',
    ),
    "a comparison": (
        'return {"path": text, "count": 1} if text in on else {"error": "x"}\n',
        f'if text not in on:\n    raise ShopError("x")\n{SUCCESS}',
    ),
    "a name or an error": (
        'found = {"path": text, "count": 1}\nreturn found or {"error": "x"}\n',
        'found = {"path": text, "count": 1}\nif not found:\n    raise ShopError("x")\nreturn found\n',
    ),
    "a call or an error": (
        'result = {"path": "", "count": 1}\nif on:\n    return result\nreturn apply(on) or {"error": "x"}\n',
        'result = {"path": "", "count": 1}\nif on:\n    return result\n'
        'found = apply(on)\nif not found:\n    raise ShopError("x")\nreturn found\n',
    ),
    "a text of a block on a condition": (
        'return [TextContent(type="text", text="Done" if on else f"Failed: {text}")]\n',
        'if not on:\n    raise ShopError(f"Failed: {text}")\nreturn [TextContent(type="text", text="Done")]\n',
    ),
    "an exception as the message": (
        f'try:\n    apply(on)\nexcept OSError as exc:\n    return {{"error": exc}}\n{SUCCESS}',
        f"try:\n    apply(on)\nexcept OSError as exc:\n    raise ShopError(str(exc)) from exc\n{SUCCESS}",
    ),
    "JSON text of a block on a condition": (
        'return TextContent(type="text", text=json.dumps({"error": "x"} if on else {"count": 1}))\n',
        'if on:\n    raise ShopError("x")\nreturn TextContent(type="text", text=json.dumps({"count": 1}))\n',
    ),
    "two texts of a block on a condition": (
        f'if on:\n    return [TextContent(type="text", text="Error: x" if text else "Failed: y")]\n{SUCCESS}',
        f'if on:\n    raise ShopError("Error: x" if text else "Failed: y")\n{SUCCESS}',
    ),
}

VARIABLES = {
    "a payload that is returned by its name": (
        f'if not on:\n    result = {{"error": "x"}}\n    return result\n{SUCCESS}',
        f'if not on:\n    raise ShopError("x")\n{SUCCESS}',
    ),
    "a dict into which the error is stored": (
        f'if not on:\n    result = {{}}\n    # why\n    result["error"] = "x"\n    return result\n{SUCCESS}',
        f'if not on:\n    # why\n    raise ShopError("x")\n{SUCCESS}',
    ),
    "a log call in between": (
        f'if not on:\n    result = {{"error": text}}\n    logger.error("no %s", text)\n    return result\n{SUCCESS}',
        f'if not on:\n    logger.error("no %s", text)\n    raise ShopError(text)\n{SUCCESS}',
    ),
    "a result that a handler replaces": (
        'try:\n    result = {"path": text, "count": 1}\nexcept ValueError as exc:\n'
        '    result = {"error": f"no {exc}"}\nreturn result\n',
        'try:\n    result = {"path": text, "count": 1}\nexcept ValueError as exc:\n'
        '    raise ShopError(f"no {exc}") from exc\nreturn result\n',
    ),
    "a payload with another name first": (
        'try:\n    result = {"path": text, "count": 1}\nexcept ValueError as exc:\n'
        '    failed = {"error": f"no {exc}"}\n    logger.error("no")\n    result = failed\nreturn result\n',
        'try:\n    result = {"path": text, "count": 1}\nexcept ValueError as exc:\n'
        '    logger.error("no")\n    raise ShopError(f"no {exc}") from exc\nreturn result\n',
    ),
    "a result of two branches, the error first": (
        'if not on:\n    result = {"error": "x"}\nelse:\n    # fine\n    result = {"path": text, "count": 1}\n'
        "return result\n",
        'if not on:\n    raise ShopError("x")\n# fine\nresult = {"path": text, "count": 1}\nreturn result\n',
    ),
    "a result of two branches, the error last": (
        'if on:\n    result = {"path": text, "count": 1}\nelse:\n    result = {"error": "x"}\nreturn result\n',
        'if on:\n    result = {"path": text, "count": 1}\nelse:\n    raise ShopError("x")\nreturn result\n',
    ),
    "a result of three branches": (
        'if not on:\n    result = {"error": "x"}\nelif text:\n    result = {"path": text, "count": 1}\n'
        'else:\n    result = {"error": "y"}\nreturn result\n',
        'if not on:\n    raise ShopError("x")\nif text:\n    result = {"path": text, "count": 1}\n'
        'else:\n    raise ShopError("y")\nreturn result\n',
    ),
    "a start far above, of which nothing is left": (
        f'result = {{"path": "", "count": 0}}\nif not on:\n    result["error"] = "x"\n    return result\n{SUCCESS}',
        f'if not on:\n    raise ShopError("x")\n{SUCCESS}',
    ),
    "a start far above that the success goes on with": (
        'result = {"path": "", "count": 0}\nif not on:\n    result["error"] = "x"\n    return result\n'
        'result["count"] = 1\nreturn result\n',
        'result = {"path": "", "count": 0}\nif not on:\n    raise ShopError("x")\nresult["count"] = 1\nreturn result\n',
    ),
    "a start of which something is not known": (
        'result = {"path": text, "count": on}\nif not on:\n    result["error"] = "x"\n    return result\n'
        "return result\n",
        'result = {"path": text, "count": on}\nif not on:\n    raise ShopError("x")\nreturn result\n',
    ),
    "a start that has been changed": (
        f'result = {{}}\nresult.update(on)\nif on:\n    result["error"] = "x"\n    return result\n{SUCCESS}',
        f'result = {{}}\nresult.update(on)\nif on:\n    raise ShopError("x")\n{SUCCESS}',
    ),
    "a start before a loop": (
        'result = {}\nfor item in on:\n    if item:\n        result["error"] = "x"\n        return result\n' + SUCCESS,
        f'for item in on:\n    if item:\n        raise ShopError("x")\n{SUCCESS}',
    ),
    "entries that are given all at once": (
        'result = {"path": "", "count": 0}\nif not on:\n    result.update({"error": "x"}, path="")\n'
        "    return result\nreturn result\n",
        'result = {"path": "", "count": 0}\nif not on:\n    raise ShopError("x")\nreturn result\n',
    ),
    "a list of errors with one in it": (
        'result = {"success": False, "errors": []}\ntry:\n    if not on:\n'
        '        result["errors"].append(f"no {text}")\n'
        "        return result\n    apply(on)\nexcept OSError as exc:\n"
        '    result["errors"].append(f"bad {exc}")\n    return result\nreturn {"path": text, "count": 1}\n',
        'try:\n    if not on:\n        raise ShopError(f"no {text}")\n'
        "    apply(on)\nexcept OSError as exc:\n"
        '    raise ShopError(f"bad {exc}") from exc\nreturn {"path": text, "count": 1}\n',
    ),
    "a result that is changed and returned in the try": (
        'result = {"path": text, "count": 1}\ntry:\n    apply(on)\n    result["count"] = 2\n    return result\n'
        'except OSError as exc:\n    result["error"] = f"bad {exc}"\n    return result\n',
        'result = {"path": text, "count": 1}\ntry:\n    apply(on)\n    result["count"] = 2\n    return result\n'
        'except OSError as exc:\n    raise ShopError(f"bad {exc}", context={"count": 1}) from exc\n',
    ),
}


AROUND_VARIABLES = {
    "a finally that does something else": (
        'try:\n    result = {"path": text}\nexcept OSError:\n    result = {"error": "x"}\nfinally:\n    apply(on)\n'
        "return result\n",
        'try:\n    result = {"path": text}\nexcept OSError as exc:\n    raise ShopError("x") from exc\nfinally:\n'
        "    apply(on)\nreturn result\n",
    ),
    "an else of a try, behind a handler": (
        'try:\n    result = {"path": text}\nexcept OSError:\n    result = {"error": "x"}\nelse:\n    apply(on)\n'
        "return result\n",
        'try:\n    result = {"path": text}\nexcept OSError as exc:\n    raise ShopError("x") from exc\nelse:\n'
        "    apply(on)\nreturn result\n",
    ),
    "a with": (
        'with on:\n    if text:\n        result = {"error": "x"}\n    else:\n        result = {"path": text}\n'
        "return result\n",
        'with on:\n    if text:\n        raise ShopError("x")\n    result = {"path": text}\nreturn result\n',
    ),
    "a use of the start that does not come by": (
        "result = {}\nif text:\n    apply(result)\n    return {}\n"
        f'if on:\n    result["error"] = "x"\n    return result\n{SUCCESS}',
        f'result = {{}}\nif text:\n    apply(result)\n    return {{}}\nif on:\n    raise ShopError("x")\n{SUCCESS}',
    ),
}
PUT = '    result["error"] = "x"\n    return result\n'
CHANGED = {
    "handed over": f"result = {{}}\napply(result)\nif on:\n{PUT}",
    "handed over in an earlier round": (
        "result = {}\nfor item in on:\n    if item:\n" + indent(PUT, "    ") + "    apply(result)\n"
    ),
    "asked on the way": f"result = {{}}\nif apply(result):\n{PUT}",
    "used by a with": f"result = {{}}\nwith on(result):\n{PUT}",
    "used in the try": f"result = {{}}\ntry:\n    apply(result)\nexcept OSError:\n{PUT}",
    "used in a case": (
        "result = {}\nmatch on:\n    case 1:\n" + indent(PUT, "    ") + "    case 2:\n        apply(result)\n"
    ),
    "asked by a case": "result = {}\nmatch on:\n    case 1 if apply(result):\n" + indent(PUT, "    "),
    "no dict that is written out": f"result = apply(on)\nif on:\n{PUT}",
}


@pytest.mark.parametrize("body", CHANGED.values(), ids=CHANGED)
def test_an_error_is_raised_without_what_a_dict_may_have_that_is(tmp_path: Path, body: str) -> None:
    found = fixes(tmp_path, tool(f"{body}{SUCCESS}"), unsafe=True)
    assert reasons(found.refused) == []
    assert "the exception is not given `**result`, for what is there is not known here" in reasons(found.fixed)
    assert '    raise ShopError("x")' in found.contents["shop/server.py"][1].decode()


HOLDS = "it is not certain what `result` holds"
BETWEEN = "more happens between this value of `result` and the return"
NOT_STRAIGHT = {
    "an else of the try": (
        'try:\n    if on:\n        result = {"error": "x"}\n    else:\n        result = {"path": text}\n'
        'except OSError:\n    result = {"path": ""}\nelse:\n    apply(on)\n',
        BETWEEN,
    ),
    "a finally that reads it": (
        'try:\n    result = {"path": text}\nexcept OSError:\n    result = {"error": "x"}\n'
        "finally:\n    apply(result)\n",
        BETWEEN,
    ),
    "another round": ('result = {"path": text}\nwhile on:\n    result = {"error": "x"}\n', BETWEEN),
    "a call behind it": (
        'if on:\n    result = {"error": "x"}\n    apply(on)\nelse:\n    result = {"path": text}\n',
        BETWEEN,
    ),
    "what a with drops": ('with contextlib.suppress(OSError):\n    result = {"error": "x"}\n', HOLDS),
    "a use by its other name": (
        'try:\n    result = {"path": text}\nexcept OSError:\n    failed = {"error": "x"}\n    apply(failed)\n'
        "    result = failed\n",
        HOLDS,
    ),
}


@pytest.mark.parametrize(("body", "reason"), NOT_STRAIGHT.values(), ids=NOT_STRAIGHT)
def test_a_variable_stays_with(tmp_path: Path, body: str, reason: str) -> None:
    found = fixes(tmp_path, tool(f"{body}return result\n"), unsafe=True)
    assert (reasons(found.refused), found.contents) == ([reason], {})


@pytest.mark.parametrize(
    ("before", "after"),
    [*CONDITIONS.values(), *VARIABLES.values(), *AROUND_VARIABLES.values()],
    ids=[*CONDITIONS, *VARIABLES, *AROUND_VARIABLES],
)
def test_a_form_is_rewritten(tmp_path: Path, before: str, after: str) -> None:
    found = fixes(tmp_path, tool(before), unsafe=True)
    assert reasons(found.refused) == []
    assert found.contents["shop/server.py"][1].decode() == tool(after)


BRANCHES = {
    "an else": (
        'if not on:\n    return {"error": "x"}\nelse:\n    # found\n    result = {"path": text}\n    return result\n',
        'if not on:\n    raise ShopError("x")\n# found\nresult = {"path": text}\nreturn result\n',
    ),
    "an elif": (
        'if not on:\n    return {"error": "x"}\nelif text:\n    return {"path": text}\nelse:\n    return {}\n',
        'if not on:\n    raise ShopError("x")\nif text:\n    return {"path": text}\nelse:\n    return {}\n',
    ),
    "an else behind an elif stays": (
        'if on:\n    apply(on)\nelif text:\n    return {"error": "x"}\nelse:\n    apply(text)\nreturn {}\n',
        'if on:\n    apply(on)\nelif text:\n    raise ShopError("x")\nelse:\n    apply(text)\nreturn {}\n',
    ),
    "an elif that ends in a raise behind an if that does": (
        'if not on:\n    return {"error": "x"}\nelif text:\n    return {"error": "y"}\nelif on == 2:\n    return {}\n'
        "else:\n    apply(on)\nreturn {}\n",
        'if not on:\n    raise ShopError("x")\nif text:\n    raise ShopError("y")\nif on == 2:\n    return {}\n'
        "else:\n    apply(on)\nreturn {}\n",
    ),
    "an else with a comment at its end stays": (
        'if not on:\n    return {"error": "x"}\nelse:\n    apply(on)\n    # done\nreturn {}\n',
        'if not on:\n    raise ShopError("x")\nelse:\n    apply(on)\n    # done\nreturn {}\n',
    ),
}


@pytest.mark.parametrize(("before", "after"), BRANCHES.values(), ids=BRANCHES)
def test_what_follows_a_raise_needs_no_else(tmp_path: Path, before: str, after: str) -> None:
    found = fixes(tmp_path, tool(before), unsafe=True)
    assert found.contents["shop/server.py"][1].decode() == tool(after)


def test_handlers_inside_of_each_other_get_names_of_their_own(tmp_path: Path) -> None:
    before = """\
        try:
            apply(on)
        except TypeError:
            try:
                apply(text)
            except ValueError:
                if on:
                    return {"error": "x"}
            return {"error": "y"}
        return {}
        """
    after = """\
        try:
            apply(on)
        except TypeError as exc:
            try:
                apply(text)
            except ValueError as caught:
                if on:
                    raise ShopError("x") from caught
            raise ShopError("y") from exc
        return {}
        """
    found = fixes(tmp_path, tool(dedent(before)), unsafe=True)
    assert found.contents["shop/server.py"][1].decode() == tool(dedent(after))


def test_a_function_on_one_line_is_rewritten(tmp_path: Path) -> None:
    found = fixes(tmp_path, tool("").rstrip().removesuffix(":") + ': return {"error": "x"}\n', unsafe=True)
    assert found.contents["shop/server.py"][1].decode().endswith('def read(on, text: str): raise ShopError("x")\n')


HANDLERS = {
    "a handler that the policy lets pass goes": (
        'try:\n    result = apply(on)\nexcept KeyError as exc:\n    return {"error": str(exc)}\n'
        'return {"path": result, "count": 1}\n',
        'result = apply(on)\nreturn {"path": result, "count": 1}\n',
    ),
    "a handler of domain exceptions goes, the others stay": (
        'try:\n    apply(on)\nexcept ValueError:\n    raise\nexcept ShopError as exc:\n    return {"error": f"{exc}"}\n'
        + SUCCESS,
        f"try:\n    apply(on)\nexcept ValueError:\n    raise\n{SUCCESS}",
    ),
    "one before another handler lets it pass": (
        'try:\n    apply(on)\nexcept ShopError as exc:\n    return {"error": str(exc)}\nexcept ValueError:\n'
        f"    on = None\n{SUCCESS}",
        f"try:\n    apply(on)\nexcept ShopError:\n    raise\nexcept ValueError:\n    on = None\n{SUCCESS}",
    ),
    "the finally stays": (
        'try:\n    apply(on)\nexcept ShopError as exc:\n    return {"error": str(exc)}\nfinally:\n    retry(on)\n'
        + SUCCESS,
        f"try:\n    apply(on)\nfinally:\n    retry(on)\n{SUCCESS}",
    ),
    "an error in the try of a handler that goes": (
        'try:\n    if on:\n        return {"error": "x"}\n    apply(on)\nexcept ShopError as exc:\n'
        f'    return {{"error": str(exc)}}\n{SUCCESS}',
        f'if on:\n    raise ShopError("x")\napply(on)\n{SUCCESS}',
    ),
    "a handler with a comment is rewritten": (
        'try:\n    apply(on)\nexcept ShopError as exc:\n    # why\n    return {"error": str(exc)}\n' + SUCCESS,
        f"try:\n    apply(on)\nexcept ShopError as exc:\n    # why\n    raise ShopError(str(exc)) from exc\n{SUCCESS}",
    ),
    "a handler that logs is rewritten": (
        'try:\n    apply(on)\nexcept ShopError as exc:\n    logger.error("no")\n    return {"error": str(exc)}\n'
        + SUCCESS,
        'try:\n    apply(on)\nexcept ShopError as exc:\n    logger.error("no")\n'
        f"    raise ShopError(str(exc)) from exc\n{SUCCESS}",
    ),
    "a handler that tells more is rewritten": (
        'try:\n    apply(on)\nexcept ShopError as exc:\n    return {"error": f"no: {exc}"}\n' + SUCCESS,
        f'try:\n    apply(on)\nexcept ShopError as exc:\n    raise ShopError(f"no: {{exc}}") from exc\n{SUCCESS}',
    ),
}


@pytest.mark.parametrize(("before", "after"), HANDLERS.values(), ids=HANDLERS)
def test_of_handlers_that_do_what_the_boundary_does(tmp_path: Path, before: str, after: str) -> None:
    found = fixes(tmp_path, tool(before), unsafe=True)
    assert reasons(found.refused) == []
    new = found.contents["shop/server.py"][1].decode()
    # The import goes where nothing names the class any more.
    had, has = "ShopError" in before, "ShopError" in after
    assert new.replace("import handle", "import ShopError, handle") == tool(after)
    assert ("import handle" in new) == (had and not has)


def test_a_handler_of_a_class_that_makes_another_text_is_in_doubt(tmp_path: Path) -> None:
    before = f'try:\n    apply(on)\nexcept ShopError as exc:\n    return {{"error": str(exc)}}\n{SUCCESS}'
    silent = ERRORS.replace("super().__init__(message)", "super().__init__()")
    found = fixes(tmp_path, tool(before), silent)
    assert found.contents == {}
    assert reasons(found.hidden) == ["the constructor of `ShopError` does not hand on its message as it is"]


def test_a_log_call_goes_where_the_boundary_logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("test_fix.CONFIGURATION", CONFIGURATION.replace("envelope =", "logs = true\nenvelope ="))
    handler = 'except ValueError as exc:\n    logger.error("no %s: %s", text, exc, exc_info=True)\n'
    before = f'try:\n    apply(on)\n{handler}    return {{"error": f"no {{text}}"}}\n{SUCCESS}'
    after = f'try:\n    apply(on)\nexcept ValueError as exc:\n    raise ShopError(f"no {{text}}") from exc\n{SUCCESS}'
    assert fixes(tmp_path, tool(before)).contents["shop/server.py"][1].decode() == tool(after)


FACTORIES = {
    "the message of a factory": (
        'def fail(message):\n    """Tell."""\n    return {"error": message, "success": False}\n',
        'fail("x")',
        'ShopError("x")',
    ),
    "a text around the message": (
        'def fail(message):\n    return {"error": f"Failed: {message}"}\n',
        'fail(f"no {text}")',
        'ShopError(f"Failed: no {text}")',
    ),
    "the text of what is passed": ('def fail(exc):\n    return {"error": str(exc)}\n', 'fail("x")', 'ShopError("x")'),
    "more keywords": (
        'def fail(message, **more):\n    return {"error": message, **more}\n',
        'fail("x", size=len(text))',
        'ShopError("x", context={"size": len(text)})',
    ),
    "a default that is nothing": (
        'def fail(message, code=None):\n    payload = {"error": message}\n    if code:\n'
        '        payload["code"] = code\n    return payload\n',
        'fail("x")',
        'ShopError("x")',
    ),
    "a branch that is decided": (
        'def fail(message, code=None):\n    payload = {"error": message}\n    if code is not None:\n'
        '        payload["size"] = code\n    return payload\n',
        'fail("x", code="c")',
        'ShopError("x", context={"size": "c"})',
    ),
    "a factory of a factory": (
        'def inner(text, size):\n    return {"error": text, "size": size}\n\n\n'
        "def fail(message):\n    return inner(message, 2)\n",
        'fail(message="x")',
        'ShopError("x", context={"size": 2})',
    ),
    "a list of content": (
        'def fail(message):\n    return content(f"Error: {message}")\n\n\n'
        'def content(text):\n    return [types.TextContent(type="text", text=str(text))]\n',
        'fail(f"no {text}")',
        'ShopError(f"Error: no {text}")',
    ),
    "a text without holes": (
        'def fail(message):\n    return {"error": f"Failed {{}}: {message}"}\n',
        'fail("x")',
        'ShopError("Failed {}: x")',
    ),
    "a text with other quotes around": (
        'def fail(message):\n    return {"error": f"Failed {{}}: {message}"}\n',
        "fail('x {}')",
        'ShopError("Failed {}: x {}")',
    ),
    "an entry in a dict further down": (
        'def fail(message, *, more=None):\n    payload = {"error": {"message": message}}\n    if more:\n'
        '        payload["error"]["size"] = more["size"]\n    return payload\n',
        'fail("x")',
        'ShopError("x")',
    ),
    "an update with a dict": (
        'def fail(message, **more):\n    payload = {"error": message}\n    if more:\n'
        "        payload.update(more)\n    return payload\n",
        'fail("x", size=text)',
        'ShopError("x", context={"size": text})',
    ),
    "more keys that are none": (
        'def fail(message, more=None):\n    return {"error": message, **(more or {})}\n',
        'fail("x")',
        'ShopError("x")',
    ),
    "a text that becomes longer": (
        'def fail(message, hint=""):\n    text = f"Error: {message}"\n    if hint:\n'
        '        text += f" ({hint})"\n    return {"error": text}\n',
        'fail(f"no {text}", hint="y")',
        'ShopError(f"Error: no {text} (y)")',
    ),
    "a parameter that is bound again": (
        'def fail(message):\n    message = f"Error: {message}"\n    return {"error": message}\n',
        'fail("x")',
        'ShopError("Error: x")',
    ),
    "a factory below the key of the error": (
        'def body(message, size):\n    return {"error_message": message, "size": size}\n\n\n'
        'def fail(message):\n    return {"error": body(message, 2)}\n',
        'fail("x")',
        'ShopError("x", context={"size": 2})',
    ),
    "a message that may be missing": (
        'def fail(status, message=None):\n    payload = {"status": status}\n    if message:\n'
        '        payload["message"] = message\n    return payload\n',
        'fail("error", text)',
        "ShopError(text)",
    ),
    "JSON text in a list of content": (
        "def fail(message):\n"
        '    return [TextContent(type="text", text=json.dumps({"error": True, "message": message}))]\n',
        'fail(f"no {text}")',
        'ShopError(f"no {text}")',
    ),
    "an envelope whose argument says error": (
        'def answer(success, message="", data=None):\n'
        '    return {"success": success, "error": message, "data": data or {}}\n',
        'answer(False, "x")',
        'ShopError("x", context={"data": {}})',
    ),
}


@pytest.mark.parametrize(("factory", "call", "raised"), FACTORIES.values(), ids=FACTORIES)
@pytest.mark.parametrize("is_far", [False, True], ids=["here", "in another module"])
def test_a_call_of_a_factory_is_rewritten(tmp_path: Path, factory: str, call: str, raised: str, is_far: bool) -> None:
    server = tool(f"if not on:\n    return {call}\n{SUCCESS}")
    name = call.partition("(")[0]
    if is_far:
        server = server.replace("handle_errors\n", f"{name}, handle_errors\n", 1)
        found = fixes(tmp_path, server, f"{ERRORS}\n\n{factory}", unsafe=True)
    else:
        found = fixes(tmp_path, f"{server}\n\n{factory}", unsafe=True)
    assert reasons(found.refused) == []
    assert found.contents["shop/server.py"][1].decode() == tool(f"if not on:\n    raise {raised}\n{SUCCESS}")


BLOCK = """

def fail(message, hints=None):
    if hints is None:
        hints = []
        if "size" in message:
            hints.extend(["smaller"])
    return block(False, message, hints)


def block(success, message, hints):
    told = json.dumps({"success": success, "error": message, "hints": hints})
    return [TextContent(type="text", text=f"```json\\n{told}\\n```\\n**{message}**")]
"""


def test_the_text_of_a_block_that_only_the_factory_can_write_is_read_off(tmp_path: Path) -> None:
    found = fixes(tmp_path, tool(f'if not on:\n    return fail("x", hints=["y"])\n{SUCCESS}') + BLOCK, unsafe=True)
    assert reasons(found.refused) == []
    raised = f'if not on:\n    raise ShopError(fail("x", hints=["y"])[0].text)\n{SUCCESS}'
    assert found.contents["shop/server.py"][1].decode() == tool(raised) + BLOCK


TOLD_BY_KIND = """

def fail(exc):
    if isinstance(exc, KeyError):
        text = f"no {exc}"
    else:
        text = "bad"
    return {"content": [{"type": "text", "text": text}], "isError": True}
"""


def test_the_text_of_a_block_that_is_a_dict_is_read_off(tmp_path: Path) -> None:
    found = fixes(tmp_path, tool(f"if not on:\n    return fail(on)\n{SUCCESS}") + TOLD_BY_KIND, unsafe=True)
    raised = f'if not on:\n    raise ShopError(fail(on)["content"][0]["text"])\n{SUCCESS}'
    assert found.contents["shop/server.py"][1].decode() == tool(raised) + TOLD_BY_KIND


@pytest.mark.parametrize(
    ("answer", "raised"),
    [
        ('[TextContent(type="text", text="Error: x")]', 'ShopError("Error: x")'),
        (
            'CallToolResult(content=cast(list[str], [TextContent(type="text", text="x")]), isError=True)',
            'ShopError("x")',
        ),
        ('{"success": False, "errors": on.errors}', "ShopError(str(on.errors))"),
    ],
)
def test_an_answer_is_raised(tmp_path: Path, answer: str, raised: str) -> None:
    factory = f"def fail(on):\n    return {answer}\n"
    found = fixes(tmp_path, tool(f"if not on:\n    return fail(on)\n{SUCCESS}") + f"\n\n{factory}", unsafe=True)
    assert found.contents["shop/server.py"][1].decode() == tool(f"if not on:\n    raise {raised}\n{SUCCESS}")


ANSWERS = """

class Answers:
    kind = "shop"

    def fail(self, text, **more):
        return {"error": text, "kind": self.kind, **more}


class Others(Answers):
    pass
"""

OBJECTS = {
    "one that is made there": ("answers = Answers()", "answers.kind"),
    "one of two classes": ("answers = Answers() if text else Others()", ""),
    "one that is made anew": ("answers = Answers()\nanswers = on", ""),
    "one that is given": ("answers = on", ""),
}


@pytest.mark.parametrize(("made", "kind"), OBJECTS.values(), ids=OBJECTS)
def test_an_error_that_a_method_of_an_object_builds_is_raised(tmp_path: Path, made: str, kind: str) -> None:
    body = f"{made}\nif not on:\n    return {{}}\n{SUCCESS}".replace("{}", 'answers.fail(f"no {text}", at=1)')
    found = fixes(tmp_path, tool(body) + ANSWERS, unsafe=True)
    raised = f'raise ShopError(f"no {{text}}", context={{"kind": {kind}, "at": 1}})'
    text = found.contents["shop/server.py"][1].decode() if found.contents else ""
    assert (raised in text) == bool(kind)


def test_an_object_of_the_function_around_a_tool_builds_its_error(tmp_path: Path) -> None:
    inner = tool(f'if not on:\n    return answers.fail("x")\n{SUCCESS}').removeprefix(START)
    around = f"def register():\n    answers = Answers()\n\n{indent(inner, '    ')}"
    found = fixes(tmp_path, f"{START}{around}{ANSWERS}", unsafe=True)
    assert 'raise ShopError("x", context={"kind": answers.kind})' in found.contents["shop/server.py"][1].decode()


SAYS_LITTLE = {
    "a payload that only says that it failed": (
        '{"success": False, "at": 1, "size": text}',
        'ShopError("read failed", context={"at": 1, "size": text})',
        ["the payload does not say what went wrong: the message is made up"],
    ),
    "a code": ('{"success": False, "code": "gone", "at": 1}', 'ShopError("gone", context={"at": 1})', []),
    "a placeholder beside an error below another key": (
        '{"error": "An unknown error occurred.", "data": {"error": f"no {text}", "at": 1}}',
        'ShopError(f"no {text}", context={"error": "An unknown error occurred.", "at": 1})',
        ["clients get what is said below another key, where `error` told them nothing"],
    ),
    "a message beside an error below another key": (
        '{"error": "no error at all", "data": {"error": "x"}}',
        'ShopError("no error at all", context={"data": {"error": "x"}})',
        [],
    ),
    "a placeholder beside what says nothing": (
        '{"error": "unknown error", "data": {"at": 1}}',
        'ShopError("unknown error", context={"data": {"at": 1}})',
        [],
    ),
    "a code of a factory": (
        "coded(on)",
        'ShopError("gone", context={"at": 1})',
        ["the exception is not given `size`, for what is there is not known here"],
    ),
}


@pytest.mark.parametrize(("answer", "raised", "told"), SAYS_LITTLE.values(), ids=SAYS_LITTLE)
def test_an_error_is_raised_for(tmp_path: Path, answer: str, raised: str, told: list[str]) -> None:
    factory = 'def coded(on):\n    body = {"success": False, "code": "gone", "at": 1}\n    if on:\n'
    factory += '        body["size"] = on\n    return body\n'
    found = fixes(tmp_path, tool(f"if not on:\n    return {answer}\n{SUCCESS}") + f"\n\n{factory}", unsafe=True)
    assert [
        text for text in reasons(found.fixed) if text.startswith(("the exception", "the payload", "clients get"))
    ] == told
    assert f"        raise {raised}\n" in found.contents["shop/server.py"][1].decode()


SPREAD = {
    "a dict of a factory that it begins with": (
        '{**fail("x"), "size": 1}',
        'ShopError("x", context={"at": 1, "size": 1})',
    ),
    "a dict of a factory that it begins with, with another value for a key": (
        '{**fail("x"), "at": 2}',
        'ShopError("x", context={"at": 2})',
    ),
    "a dict of a factory below another key": (
        '{"found": fail("x"), "error": "z"}',
        'ShopError("z", context={"found": fail("x")})',
    ),
    "what a factory leaves open": ('unset("x")', 'ShopError("x")'),
}


@pytest.mark.parametrize(("answer", "raised"), SPREAD.values(), ids=SPREAD)
def test_of_a_payload_is_raised(tmp_path: Path, answer: str, raised: str) -> None:
    factory = 'def fail(message):\n    return {"error": message, "at": 1}\n\n\n'
    factory += 'def unset(message, hint=None):\n    return {"error": message, "hint": hint}\n'
    found = fixes(tmp_path, tool(f"if not on:\n    return {answer}\n{SUCCESS}") + f"\n\n{factory}", unsafe=True)
    assert tool(f"if not on:\n    raise {raised}\n{SUCCESS}") in found.contents["shop/server.py"][1].decode()


SHAPED = "the answer was a `Reply`, the boundary's is an object"
DUMPED = {
    "with the defaults of its class": ("    at: int = 1\n    of: str = None\n", 'error="x"', ["`at`"]),
    "whose class changes what it is given": (
        '    at: int = 1\n\n    @field_validator("at")\n    def short(cls, value):\n        return value\n',
        'error="x"',
        [],
    ),
    "whose class takes more": ('    model_config = ConfigDict(extra="allow")\n    at: int = 1\n', 'error="x"', []),
    "whose field has another name": ('    at: int = Field(1, alias="where")\n', 'error="x"', []),
    "that lacks a field": ("    at: int\n", 'error="x"', []),
    "that is given what is no field": ("    at: int = 1\n", 'error="x", size=2', ["`size`"]),
}


@pytest.mark.parametrize(("fields", "given", "differs"), DUMPED.values(), ids=DUMPED)
def test_what_clients_got_is_known_of_a_model_made_a_dict(
    tmp_path: Path, fields: str, given: str, differs: list[str]
) -> None:
    model = "from pydantic import BaseModel, ConfigDict, Field, field_validator\n\n\n"
    model += f"class Reply(BaseModel):\n    error: str\n{fields}"
    server = tool(f"if not on:\n    return Reply({given}).model_dump()\n{SUCCESS}")
    found = fixes(tmp_path, f"{server}\n\n{model}", unsafe=True)
    text = "the boundary's answer does not have the same "
    assert [item.removeprefix(text) for item in reasons(found.fixed) if item.startswith(text)] == differs
    assert (SHAPED in reasons(found.fixed)) is (differs != ["`at`"])


OF_CLASSES = {
    "a static method": ("Kit.plain('x')", "ShopError('x')"),
    "a class method": ("Kit.made('x')", "ShopError('x')"),
    "a method of a new object": ("Kit().fail('x')", "ShopError(Kit().fail('x')[\"error\"])"),
    "a method that is handed its object": ("Kit.fail(on, 'x')", "ShopError(Kit.fail(on, 'x')[\"error\"])"),
}


@pytest.mark.parametrize(("call", "raised"), OF_CLASSES.values(), ids=OF_CLASSES)
def test_a_payload_is_raised_that_is_built_by(tmp_path: Path, call: str, raised: str) -> None:
    kit = "class Kit:\n    @staticmethod\n    def plain(message):\n        return {'error': message}\n\n"
    kit += "    @classmethod\n    def made(cls, message):\n        return {'error': message}\n\n"
    kit += "    def fail(self, message):\n        return {'error': message}\n"
    found = fixes(tmp_path, tool(f"if not on:\n    return {call}\n{SUCCESS}") + f"\n\n{kit}", unsafe=True)
    assert reasons(found.refused) == []
    assert f"        raise {raised}\n" in found.contents["shop/server.py"][1].decode()


OPEN = {
    "a name that means something else here": (
        'def fail(message):\n    return {"error": message, "at": apply}\n',
        'fail("x")',
    ),
    "what one branch adds": (
        'def fail(message, size=None):\n    payload = {"error": message}\n    if size:\n'
        '        payload["at"] = size\n    return payload\n',
        'fail("x", on)',
    ),
    "what depends on a branch": (
        "UNSET = object()\n\n\ndef fail(message, *, again=UNSET):\n    if again is UNSET:\n        at = retry.at\n"
        '    else:\n        at = bool(again)\n    body = {"message": str(message), "at": at}\n'
        '    return {"error": body}\n',
        'fail("x", again=on.again)',
    ),
    "a loop inside of a value": (
        'def fail(message, sizes=()):\n    return {"error": message, "at": [str(each) for each in sizes]}\n',
        'fail("x", on)',
    ),
    "what a function works out for one branch": (
        "def steps(size):\n    made = []\n    for each in range(size):\n        made.append(str(each))\n"
        "    return made\n\n\n"
        'def fail(message, size=None):\n    payload = {"error": message}\n    if size:\n'
        '        found = steps(size)\n        if found:\n            payload["at"] = found\n    return payload\n',
        'fail("x", on)',
    ),
    "what is computed once and is two entries": (
        'def fail(message):\n    at = time.time()\n    return {"error": message, "at": {"at": at, "size": at}}\n',
        'fail("x")',
    ),
}


@pytest.mark.parametrize(("factory", "call"), OPEN.values(), ids=OPEN)
def test_of_a_factory_the_keys_are_named_that_only_it_knows(tmp_path: Path, factory: str, call: str) -> None:
    server = tool(f"apply = 1\nif not on:\n    return {call}\nprint(apply)\n{SUCCESS}")
    found = fixes(tmp_path, f"{server}\n\n{factory}", unsafe=True)
    assert "the exception is not given `at`, for what is there is not known here" in reasons(found.fixed)
    assert '    raise ShopError("x")\n' in found.contents["shop/server.py"][1].decode()


def test_what_a_factory_logs_is_told(tmp_path: Path) -> None:
    factory = 'def fail(message):\n    payload = {"error": message}\n    logger.error(message)\n    return payload\n'
    server = tool(f"if not on:\n    return fail(text)\nif text:\n    return [fail('y')]\n{SUCCESS}")
    found = fixes(tmp_path, f"{server}\n\n{factory}", unsafe=True)
    after = found.contents["shop/server.py"][1].decode()
    assert after == tool(f"if not on:\n    raise ShopError(text)\nif text:\n    raise ShopError('y')\n{SUCCESS}")
    lines = (number for number, line in enumerate(server.splitlines(), 1) if "fail(" in line)
    text = "what `fail` logs is not logged any more"
    assert {(text, f"shop/server.py:{line}") for line in lines} <= set(looks(found.fixed))


OF_EXCEPTIONS = {
    "nothing of a factory that only answers and logs": (
        'def told(error, at):\n    "Tell."\n    place = at\n    logger.error(error)\n    pass\n'
        '    return {"error": str(error), "at": place}\n',
        "told(ShopError(text), 1)",
        [],
    ),
    "nothing of a problem, and of a text beside it": (
        'def told(error, at):\n    return {"error": str(error), "problem": error.as_dict()}\n',
        "told(ShopError(text), 1)",
        [],
    ),
    "what it is handed besides": (
        'def told(error, at):\n    return {"error": str(error), "at": at}\n',
        "told(ShopError(text), len(text))",
        ["the exception does not take what is given as `at`"],
    ),
    "nothing that it is not handed": (
        'def told(error, at=retry.at):\n    return {"error": str(error), "at": at}\n',
        "told(ShopError(text))",
        [],
    ),
    "what it does besides": (
        'def told(error, at):\n    apply(at)\n    return {"error": str(error), "at": at}\n',
        "told(ShopError(text), 1)",
        ["`told` does more than to build a payload and to log, and is not called any more"],
    ),
    "what it does besides on a condition": (
        'def told(error, at):\n    if at:\n        apply(at)\n    return {"error": str(error), "at": at}\n',
        "told(ShopError(text), 1)",
        ["`told` does more than to build a payload and to log, and is not called any more"],
    ),
}


@pytest.mark.parametrize(("factory", "call", "lost"), OF_EXCEPTIONS.values(), ids=OF_EXCEPTIONS)
def test_of_a_factory_that_is_handed_an_exception_it_is_named(
    tmp_path: Path, factory: str, call: str, lost: list[str]
) -> None:
    server = tool(f"if not on:\n    return {call}\n{SUCCESS}")
    found = fixes(tmp_path, f"{server}\n\n{factory}", unsafe=True)
    assert "    if not on:\n        raise ShopError(text)\n" in found.contents["shop/server.py"][1].decode()
    assert [text for text in reasons(found.fixed) if text.startswith(("the exception", "`told`"))] == lost


CAUGHT = {
    "what it is handed": (
        'def told(error, at, size=2):\n    return {"error": f"no: {error}", "at": at, "size": size}\n',
        "told(e, text)",
        'ShopError(f"no: {e}", context={"at": text, "size": 2})',
        [],
    ),
    "what it works out": (
        'def told(error, at):\n    size = len(at)\n    return {"error": str(error), "size": size, "at": [size]}\n',
        "told(e, text)",
        "ShopError(str(e))",
        ["the exception is not given `size`, `at`, for what is there is not known here"],
    ),
    "what its default is": (
        'def told(error, at=retry.at):\n    return {"error": str(error), "at": at}\n',
        "told(e)",
        "ShopError(str(e))",
        ["the exception is not given `at`, for what is there is not known here"],
    ),
    "what the call works out": (
        'def told(error, at):\n    return {"error": str(error), "at": at}\n',
        "told(e, apply(text))",
        "ShopError(str(e))",
        [
            "the exception does not take what is given as `at`",
            "the exception is not given `at`, for what is there is not known here",
        ],
    ),
}


@pytest.mark.parametrize(("factory", "call", "raised", "lost"), CAUGHT.values(), ids=CAUGHT)
def test_of_what_a_factory_makes_of_any_exception_it_is_raised(
    tmp_path: Path, factory: str, call: str, raised: str, lost: list[str]
) -> None:
    server = tool(f"try:\n    return {{'path': apply(on)}}\nexcept OSError as e:\n    return {call}\n")
    found = fixes(tmp_path, f"{server}\n\n{factory}", unsafe=True)
    after = found.contents["shop/server.py"][1].decode()
    assert f"        raise {raised} from e\n" in after
    assert [text for text in reasons(found.fixed) if text.startswith("the exception")] == lost


WRAPPERS = {
    "a helper that works on what it is given": (
        "def plain(on):\n    if isinstance(on, dict):\n        return {key: plain(each) for key, each in on.items()}\n"
        "    return str(on)\n\n\n"
        'def answer(data, more=None):\n    found = {"results": plain(data)}\n    if more:\n'
        '        found["more"] = plain(more)\n    return found\n',
        'answer({"error": f"no {text}"}, on)',
    ),
    "a list of one error": (
        'def answer(data, more=None):\n    return {"results": sorted(data), "more": more}\n',
        'answer([{"error": f"no {text}"}], more={"tool": "x"})',
    ),
    "a status beside it": (
        'def answer(data, more):\n    return {"results": sorted(data), "more": more}\n',
        'answer({"error": f"no {text}"}, {"tool": "x", "status": "error"})',
    ),
    "a status before it": (
        'def answer(more, data):\n    return {"results": sorted(data), "more": more}\n',
        'answer({"tool": "x", "status": "error"}, {"error": f"no {text}"})',
    ),
    "a payload of another factory": (
        'def fail(message):\n    return {"error": message}\n\n\n'
        'def answer(data):\n    return {"status": "ok", "results": sorted(data)}\n',
        'answer(fail(f"no {text}"))',
    ),
}


@pytest.mark.parametrize(("helper", "call"), WRAPPERS.values(), ids=WRAPPERS)
def test_an_error_is_raised_that_a_helper_is_handed(tmp_path: Path, helper: str, call: str) -> None:
    server = tool(f"if on:\n    return {call}\nreturn answer(text)\n")
    found = fixes(tmp_path, f"{server}\n\n{helper}", unsafe=True)
    assert reasons(found.refused) == []
    assert '    if on:\n        raise ShopError(f"no {text}")\n' in found.contents["shop/server.py"][1].decode()
    assert "only the message of what is answered here is raised" in reasons(found.fixed)


def test_a_helper_that_does_more_with_an_error_is_told(tmp_path: Path) -> None:
    helper = 'def answer(data):\n    apply(data)\n    return {"results": sorted(data)}\n'
    server = tool("if on:\n    return answer({'error': text})\nreturn answer(text)\n")
    found = fixes(tmp_path, f"{server}\n\n{helper}", unsafe=True)
    assert "`answer` is not called for the error any more, and may do something" in reasons(found.fixed)


def test_an_error_stays_where_what_is_passed_beside_it_may_do_something(tmp_path: Path) -> None:
    helper = 'def answer(data, more):\n    return {"results": sorted(data), "more": more}\n'
    server = tool("if on:\n    return answer({'error': text}, apply(on))\nreturn answer(text, on)\n")
    found = fixes(tmp_path, f"{server}\n\n{helper}", unsafe=True)
    assert reasons(found.refused) == ["what is passed to `answer` beside the error may do something"]


def test_what_only_is_read_may_be_read_again_behind_what_may_do_something(tmp_path: Path) -> None:
    factory = (
        "def fail(message, hint=None):\n"
        '    return {"error": message, "hint": hint if hint is not None else "ask", "told": hint}\n'
    )
    found = fixes(tmp_path, helped(factory, 'fail(f"no {apply(text)}", on)'), unsafe=True)
    assert reasons(found.refused) == []
    raised = """\
        raise ShopError(
            f"no {apply(text)}",
            context={"hint": on if on is not None else "ask", "told": on},
        )
"""
    assert raised in found.contents["shop/server.py"][1].decode()


def test_the_call_that_makes_the_exception_keeps_its_lines(tmp_path: Path) -> None:
    own = (
        "\n\nclass FieldError(ShopError):\n    def __init__(self, errors):\n        super().__init__('no')\n"
        "        self.errors = errors\n\n    def told(self):\n        return {'error': str(self)}\n"
    )
    made = """FieldError(
        [
            {
                "field": text,
            }
        ]
    )"""
    server = tool(f"if not on:\n    return {made}.told()\n{SUCCESS}")
    after = fixes(tmp_path, server + own, unsafe=True).contents["shop/server.py"][1].decode()
    assert after == tool(f"if not on:\n    raise {made}\n{SUCCESS}").replace("        ]\n", "        ],\n") + own


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    body = (
        'result = {}\nif not on:\n    result["error"] = "x"\n    return result\nif text:\n    return fail("y")\n'
        'try:\n    apply(on)\nexcept KeyError as exc:\n    return {"error": str(exc)}\n'
        'return {"path": text, "count": 1} if on else {"error": "z"}\n'
    )
    factory = '\n\ndef fail(message):\n    return {"error": message}\n'
    (tmp_path / "first").mkdir()
    after = fixes(tmp_path / "first", tool(body) + factory, unsafe=True).contents["shop/server.py"][1].decode()
    assert "fail" not in after
    assert "    result" not in after
    (tmp_path / "second").mkdir()
    again = fixes(tmp_path / "second", after, unsafe=True)
    assert (again.contents, again.fixed, again.refused) == ({}, (), ())


def test_a_factory_uses_a_constant_of_its_own_module(tmp_path: Path) -> None:
    before = tool(f'if not on:\n    return fail("x")\n{SUCCESS}')
    after = tool(f'if not on:\n    raise ShopError("x", context={{"size": LIMIT * 2}})\n{SUCCESS}')
    rest = "\n\nLIMIT = read.size\n"
    factory = '\n\ndef fail(message):\n    return {"error": message, "size": LIMIT * 2}\n'
    found = fixes(tmp_path, before + rest + factory, unsafe=True)
    assert reasons(found.refused) == []
    assert found.contents["shop/server.py"][1].decode() == after + rest


FAIL = '\n\ndef fail(message):\n    return {"error": message}\n'
STAYS = {
    "__all__ has it": FAIL + '\n\n__all__ = ["fail"]\n',
    "something else calls it": FAIL + "\n\nprint(fail(1))\n",
    "it has a comment": FAIL.replace("    return", "    # the shape\n    return"),
}


@pytest.mark.parametrize("rest", STAYS.values(), ids=STAYS)
def test_a_factory_stays_where(tmp_path: Path, rest: str) -> None:
    after = fixes(tmp_path, tool(f'if on:\n    return fail("x")\n{SUCCESS}') + rest, unsafe=True).contents
    assert after["shop/server.py"][1].decode() == tool(f'if on:\n    raise ShopError("x")\n{SUCCESS}') + rest


def test_a_factory_stays_where_a_test_names_it(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_server.py").write_text("from shop.server import fail\n", encoding="utf-8")
    after = fixes(tmp_path, tool(f'if on:\n    return fail("x")\n{SUCCESS}') + FAIL, unsafe=True).contents
    assert after["shop/server.py"][1].decode() == tool(f'if on:\n    raise ShopError("x")\n{SUCCESS}') + FAIL


def test_a_file_whose_only_factory_goes_is_empty(tmp_path: Path) -> None:
    server = tool(f"if on:\n    return fail(1)\n{SUCCESS}").replace(
        "from shop", "from shop.helpers import fail\nfrom shop", 1
    )
    (tmp_path / "shop").mkdir()
    for name, text in {"__init__": "", "errors": ERRORS, "server": server, "helpers": FAIL.lstrip()}.items():
        (tmp_path / f"shop/{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    assert fixes_in(tmp_path, "ERR102").contents["shop/helpers.py"][1] == b""


@pytest.mark.parametrize(
    ("said", "is_used"), [("answers a fail on failure", False), (">>> fail(1)", True)], ids=["prose", "an example"]
)
def test_an_import_that_only_a_docstring_names_goes(tmp_path: Path, said: str, is_used: bool) -> None:
    (tmp_path / "shop").mkdir()
    docstring = f'"""It {said}."""\n'
    server = tool(f"{docstring}if on:\n    return fail(1)\n{SUCCESS}")
    server = server.replace("from shop", "from shop.helpers import fail, keep\nfrom shop", 1) + "\n\nkeep()\n"
    helpers = f"{FAIL.lstrip()}\n\ndef keep():\n    pass\n"
    for name, text in {"__init__": "", "errors": ERRORS, "server": server, "helpers": helpers}.items():
        (tmp_path / f"shop/{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    after = fixes_in(tmp_path, "ERR102").contents["shop/server.py"][1].decode()
    assert ("from shop.helpers import fail, keep\n" in after) is is_used


def test_names_that_were_unused_before_stay(tmp_path: Path) -> None:
    found = fixes(tmp_path, tool(f'spare = 1\nif on:\n    return {{"error": "x"}}\n{SUCCESS}'))
    after = found.contents["shop/server.py"][1].decode()
    assert after == tool(f'spare = 1\nif on:\n    raise ShopError("x")\n{SUCCESS}')


INNER = "import json, math\nif on == 2:\n    return {}\n"


@pytest.mark.parametrize(("line", "after"), [("", "import math\n"), ("print(json)\n", "import json, math\n")])
def test_an_import_inside_of_a_function_goes_where_nothing_there_uses_it(tmp_path: Path, line: str, after: str) -> None:
    use = f"{line}print(math.pi, 'json')\n"
    before = INNER + use + f'if on:\n    return json.dumps({{"error": "x"}})\n{SUCCESS}'
    found = fixes(tmp_path, tool(before), unsafe=True)
    rest = INNER.partition("\n")[2] + use + f'if on:\n    raise ShopError("x")\n{SUCCESS}'
    assert found.contents["shop/server.py"][1].decode() == tool(after + rest)


def helped(factory: str, call: str) -> str:
    """Return a module whose tool answers what a factory builds."""
    return tool(f"if on:\n    return {call}\n{SUCCESS}") + f"\n\n{factory}"


REFUSED = {
    "a loop around the result": (
        tool(
            'result = {"path": "", "count": 1}\nfor item in on:\n    if item:\n        result = {"error": "x"}\n'
            "return result\n"
        ),
        "more happens between this value of `result` and the return",
    ),
    "both parts of a conditional answer are errors, of two kinds": (
        tool(f'if on:\n    return {{"error": "x"}} if text else {{"error": {{"message": "y"}}}}\n{SUCCESS}'),
        "the messages of the conditional answer do not stand in the same place",
    ),
    "a factory whose message is not always in the same place": (
        helped(
            'def fail(message):\n    if message:\n        return {"error": message}\n'
            '    return {"error": {"message": "x"}}\n',
            "fail(text)",
        ),
        "`fail` answers more than one payload",
    ),
}

READ_OFF = {
    "a result that is used in between": (
        tool(f'if on:\n    result = {{"error": "x"}}\n    apply(result)\n    return result\n{SUCCESS}'),
        'result["error"]',
    ),
    "a call between a value that may change and its return": (
        tool(f'if on:\n    result = {{"error": on.why}}\n    logger.error("no")\n    return result\n{SUCCESS}'),
        'result["error"]',
    ),
    "a result that a closure sees": (
        tool(f'if on:\n    result = {{"error": "x"}}\n    return result\napply(lambda: result)\n{SUCCESS}'),
        'result["error"]',
    ),
    "a finally that looks at the result": (
        tool('try:\n    result = {"error": "x"}\n    return result\nfinally:\n    apply(result)\n'),
        'result["error"]',
    ),
    "a factory that does more": (
        helped('def fail(message):\n    apply(message)\n    return {"error": message}\n', 'fail("x")'),
        'fail("x")["error"]',
    ),
    "a factory that does more in a conditional answer": (
        helped('def fail(message):\n    apply(message)\n    return {"error": message}\n', 'fail("x")').replace(
            '    if on:\n        return fail("x")\n    return {"path": text, "count": 1}',
            '    return fail("x") if on else {"path": text, "count": 1}',
        ),
        'fail("x")["error"]',
    ),
    "a factory with two answers": (
        helped(
            'def fail(message):\n    if message:\n        return {"error": message}\n    return {"error": "x"}\n',
            "fail(text)",
        ),
        'fail(text)["error"]',
    ),
    "a factory that is waited for": (
        helped('async def fail(message):\n    return {"error": message}\n', 'await fail("x")').replace(
            "def read", "async def read"
        ),
        '(await fail("x"))["error"]',
    ),
    "a factory whose message stands further down": (
        helped(
            'def fail(message):\n    apply(1)\n    return {"error": {"code": 1, "message": message}}\n', 'fail("x")'
        ),
        'fail("x")["error"]["message"]',
    ),
    "a factory that looks at its variables": (
        helped('def fail(message):\n    return {"error": f"{message} {locals()}"}\n', 'fail("x")'),
        'fail("x")["error"]',
    ),
    "a factory that looks at its caller": (
        helped('def fail(message):\n    return {"error": message + sys._getframe(1).f_code.co_name}\n', 'fail("x")'),
        'fail("x")["error"]',
    ),
    "a factory that shows a parameter with its name": (
        helped('def fail(message):\n    return {"error": f"{message=}"}\n', "fail(text)"),
        'fail(text)["error"]',
    ),
    "an argument that is used twice": (
        helped('def fail(message):\n    return {"error": message, "text": message}\n', "fail(apply(text))"),
        'fail(apply(text))["error"]',
    ),
    "an argument that is dropped": (
        helped('def fail(message, code=1):\n    return {"error": message}\n', 'fail("x", apply(text))'),
        'fail("x", apply(text))["error"]',
    ),
    "arguments in another order": (
        helped(
            'def fail(code, message):\n    return {"error": message, "text": code}\n', "fail(apply(text), apply(on))"
        ),
        'fail(apply(text), apply(on))["error"]',
    ),
    "an argument that is read before what may change it": (
        helped('def fail(message, code):\n    return {"text": code, "error": message}\n', "fail(apply(text), on.code)"),
        'fail(apply(text), on.code)["error"]',
    ),
    "arguments that are unpacked": (
        helped('def fail(message):\n    return {"error": message}\n', "fail(*[text])"),
        'fail(*[text])["error"]',
    ),
    "a decorated factory": (
        helped('@retry\ndef fail(message):\n    return {"error": message}\n', 'fail("x")'),
        'fail("x")["error"]',
    ),
    "a name in the message that the function binds itself": (
        helped('def fail(message):\n    return {"error": message + apply}\n', 'fail("x")').replace(
            "    if on:", "    apply = 1\n    if on:"
        ),
        'fail("x")["error"]',
    ),
    "a factory that does something for a key": (
        helped(
            'def fail(message, size=0):\n    payload = {"error": message}\n    if on:\n'
            '        payload["at"] = apply(size)\n    return payload\n',
            'fail("x")',
        ),
        'fail("x")["error"]',
    ),
    "a factory that does something for nothing": (
        helped('def fail(message):\n    spare = apply(message)\n    return {"error": message}\n', 'fail("x")'),
        'fail("x")["error"]',
    ),
    "a dict that changes after another one has taken it": (
        helped(
            'def fail(message):\n    body = {"message": message}\n    payload = {"error": body}\n'
            '    body["message"] = "y"\n    return payload\n',
            'fail("x")',
        ),
        'fail("x")["error"]["message"]',
    ),
    "what is computed once and told twice": (
        helped(
            'def fail(key):\n    text = apply(key)\n    return {"size": text, "error": text}\n',
            'fail("x")',
        ),
        'fail("x")["error"]',
    ),
    "a text that does not fit into another one": (
        helped('def fail(message):\n    return {"error": f"no: {message}"}\n', """fail('"it"')"""),
        """fail('"it"')["error"]""",
    ),
}


@pytest.mark.parametrize(("server", "message"), READ_OFF.values(), ids=READ_OFF)
def test_what_cannot_be_written_out_stays_and_its_message_is_raised(tmp_path: Path, server: str, message: str) -> None:
    found = fixes(tmp_path, server, unsafe=True)
    assert reasons(found.refused) == []
    assert "only the message of what is answered here is raised" in reasons(found.fixed)
    assert f"    raise ShopError({message})\n" in found.contents["shop/server.py"][1].decode()


def test_the_text_of_a_helper_that_may_add_to_what_it_is_given_is_raised(tmp_path: Path) -> None:
    helper = 'def fail(message, on):\n    apply(on)\n    if on:\n        return message\n    return f"{message}!"\n'
    found = fixes(tmp_path, helped(helper, 'fail("Error: x", on)'), unsafe=True)
    assert reasons(found.refused) == []
    assert '    raise ShopError(fail("Error: x", on))\n' in found.contents["shop/server.py"][1].decode()


def test_the_lines_of_a_call_that_stays_stand_below_its_first_one(tmp_path: Path) -> None:
    helper = 'def fail(message, on):\n    apply(on)\n    return {"error": message}\n'
    call = 'fail(\n        "a message",\n        on,  # why\n    )'
    after = fixes(tmp_path, helped(helper, call), unsafe=True).contents["shop/server.py"][1].decode()
    lines = ("raise ShopError(", "    fail(", '        "a message",', "        on,  # why", '    )["error"],', ")")
    raised = "".join(f"        {line}\n" for line in lines)
    assert raised in after


def test_of_an_answered_exception_the_cause_is_kept(tmp_path: Path) -> None:
    body = 'result = {}\ntry:\n    on()\n    result["path"] = text\nexcept OSError:\n    result["error"] = "x"\n'
    found = fixes(tmp_path, tool(f"{body}    return result\n{SUCCESS}"), unsafe=True)
    assert '        raise ShopError("x") from exc\n' in found.contents["shop/server.py"][1].decode()


@pytest.mark.parametrize(("server", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_form_is_refused_for(tmp_path: Path, server: str, reason: str) -> None:
    found = fixes(tmp_path, server, unsafe=True)
    assert found.contents == {}
    assert reasons(found.refused) == [reason]


def test_each_return_is_refused_for_reasons_of_its_own(tmp_path: Path) -> None:
    helper = (
        "def look(on):\n    try:\n        on()\n    except OSError:\n"
        '        return {"error": "x"} if on else {"error": {"text": "z"}}\n    if on:\n        return {"error": "y"}\n'
    )
    source = tool("return on and [look(on)]\n") + "\n\n" + helper
    told = [[doubt.text for doubt in group.doubts] for group in fixes(tmp_path, source, unsafe=True).refused]
    first = "the messages of the conditional answer do not stand in the same place"
    assert told == [[first], ["the result of `look` is not returned as it is"]]


GUARD = b"def f(on):\n    if on:\n        raise on\n    else:\n        g()\n"
HANDLED = b"def f(on):\n    try:\n        g()\n    except KeyError as e:\n        h()\n"
ABOVE = HANDLED + b"    except OSError:\n        g()\n"
REMARKED = HANDLED.replace(b"try:\n", b"try:  # once\n")
PROVED = {
    "an else": (GUARD, b"def f(on):\n    if on:\n        raise on\n    g()\n"),
    "a handler that goes": (HANDLED, b"def f(on):\n    g()\n"),
    "a handler above another": (ABOVE, ABOVE.replace(b" as e", b"").replace(b"h()", b"raise")),
    "a handler of a try with a remark": (REMARKED, REMARKED.replace(b" as e", b"").replace(b"h()", b"raise")),
}


@pytest.mark.parametrize(("before", "after"), PROVED.values(), ids=PROVED)
def test_the_proof_of(before: bytes, after: bytes) -> None:
    parsed = SourceFile("a.py", before)
    block = parsed.definitions[0].body.body[0]
    changes = Changes()
    if isinstance(block, cst.Try):
        handler = block.handlers[0]
        changes = Changes(passed=((block, handler),))
    elif isinstance(block, cst.If):
        changes = Changes(flattened=((block,),))
    assert rewrite(parsed, changes) == after
    assert reason_against(parsed, changes, after) == ""
    for wrong in (before, after.replace(b"g()", b"h()"), after + b"    g()\n", after.replace(b"g()", b"pass")):
        assert reason_against(parsed, changes, wrong) == "more than the planned statements would change"


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ('{"result": None, "error": info.error}', "info.error"),
        ('{"message": "no book", "error": info.error}', '"no book"'),
        ("Answer(result=None, error=info.error, error_code=info.code)", "info.error"),
    ],
)
def test_nothing_is_no_message(written: str, message: str) -> None:
    assert_message(written, message)


def assert_message(written: str, message: str) -> None:
    found = read(cst.parse_expression(written), frozenset())
    assert cst.Module([]).code_for_node(found.message) == message


@pytest.mark.parametrize("key", ["args", "params", "input"])
def test_what_a_client_gave_is_no_message(key: str) -> None:
    given = f'"{key}": {{"title": title, "description": description}}'
    assert_message(f'{{"ok": False, {given}, "hint": "Give it a title first."}}', '"Give it a title first."')
