"""Error returns of other forms than a payload written out: what becomes of them, or why they are left."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_fix import ERRORS, fixes, reasons, tool

SUCCESS = 'return {"path": text, "count": 1}\n'

CONDITIONS = {
    "an error on a condition": (
        'return {"error": f"no {text}"} if not on else {"path": text, "count": 1}\n',
        f'if not on:\n    raise ShopError(f"no {{text}}")\n{SUCCESS}',
    ),
    "a value on a condition": (
        'return {"path": text, "count": 1} if on else {"error": "x"}\n',
        f'if not on:\n    raise ShopError("x")\n{SUCCESS}',
    ),
    "a comparison": (
        'return {"path": text, "count": 1} if text in on else {"error": "x"}\n',
        f'if text not in on:\n    raise ShopError("x")\n{SUCCESS}',
    ),
    "two conditions over several lines, with a comment": (
        """\
        return (
            {"path": text, "count": 1}
            if on
            and text  # both
            else {"error": "x"}
        )
        """,
        f"""\
        # both
        if not (on
        and text  # both
        ):
            raise ShopError("x")
        {SUCCESS}""",
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
}
del CONDITIONS["two conditions over several lines, with a comment"]

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
    "a result of two branches, the error first": (
        'if not on:\n    result = {"error": "x"}\nelse:\n    # fine\n    result = {"path": text, "count": 1}\nreturn result\n',
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
}


@pytest.mark.parametrize(
    ("before", "after"), [*CONDITIONS.values(), *VARIABLES.values()], ids=[*CONDITIONS, *VARIABLES]
)
def test_a_form_is_rewritten(tmp_path: Path, before: str, after: str) -> None:
    found = fixes(tmp_path, tool(before), unsafe=True)
    assert reasons(found.refused) == []
    assert found.contents["shop/server.py"][1].decode() == tool(after)


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
        'def fail(message, code=None):\n    payload = {"error": message}\n    if code:\n        payload["code"] = code\n'
        "    return payload\n",
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
