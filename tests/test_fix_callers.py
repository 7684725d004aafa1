"""What becomes of callers that look for an error, and of tests, when a function raises instead."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent, indent

import pytest
from test_fix import CONFIGURATION, ERRORS, fixes_in, looks, reasons, unsafe_alone

from errlint.fix.run import Fixes, find_fixes
from errlint.request import Request
from errlint.run import check
from errlint.settings import CommandLine
from errlint.settings.loading import load

FIND = """\
import json
from toolkit import apply, server
from shop.errors import ShopError, handle_errors


def find(on, text: str):
    if not on:
        return {"error": f"no {text}"}
    return {"path": text}


@server.tool()
@handle_errors(empty_result={"path": "", "count": 0})
def read(on, text: str):
"""

RULES = ("ERR101", "ERR103", "ERR108")

RAISING = FIND.replace('return {"error": f"no {text}"}', 'raise ShopError(f"no {text}")')


def fixes(
    folder: Path,
    server: str,
    tests: str = "",
    *,
    unsafe: bool = False,
    editable: frozenset[str] | None = None,
    boundary: str = "",
) -> Fixes:
    """Plan the fixes of a project with a module and a test."""
    shop(folder, server, tests, boundary)
    settings = load(folder, config=None, isolated=False, overrides=CommandLine(select=RULES)).settings
    request = Request(settings=settings, use_cache=False)
    return find_fixes(request, check(request).findings, unsafe=unsafe, editable=editable)


def shop(folder: Path, server: str, tests: str = "", boundary: str = "") -> None:
    """Write a project with a module and a test; ``boundary`` stands in the place of the usual decorator."""
    write(folder, {"__init__": "", "errors": ERRORS, "server": server}, tests)
    if boundary:
        usual = (
            'decorator = "handle_errors"\nenvelope = { error = "{message}", problem = "*", result = "empty_result" }'
        )
        assert usual in CONFIGURATION
        (folder / "pyproject.toml").write_text(CONFIGURATION.replace(usual, boundary), encoding="utf-8")


def looks_in_test(folder: Path, server: str, *rules: str) -> list[tuple[str, str]]:
    """Return what an unsafe fix asks people to look at in the tests of a project that is there, with the lines.

    Nothing of it is carried out as a safe fix. It makes ``server`` of the module, and leaves the tests as they are.
    """
    found = unsafe_alone(folder, *(rules or RULES))
    assert {path: after.decode() for path, (_, after) in found.contents.items()} == {"shop/server.py": server}
    return [(text, place.removeprefix("tests/test_server.py:")) for text, place in looks(found.fixed, "tests/")]


def write(folder: Path, modules: dict[str, str], tests: str) -> None:
    for name in ("shop", "tests"):
        (folder / name).mkdir(parents=True)
    (folder / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    for name, text in modules.items():
        (folder / "shop" / f"{name}.py").write_text(text, encoding="utf-8")
    if tests:
        (folder / "tests" / "test_server.py").write_text(tests, encoding="utf-8")


def refusals(found: Fixes) -> list[str]:
    """Return why fixes were refused, without what would only have made them unsafe."""
    return [doubt.text for group in found.refused for doubt in group.doubts if doubt.refuses]


def body(text: str) -> str:
    return indent(dedent(text), "    ")


REWRITTEN = {
    "an answer on two ways": (
        "return find(on, text) if on else find(text, on) if text else find(on, on)\n",
        "return find(on, text) if on else find(text, on) if text else find(on, on)\n",
    ),
    "a check that hands the answer on": (
        'r = find(on, text)\nif "error" in r:\n    return r\nr["count"] = 1\nreturn r\n',
        'r = find(on, text)\nr["count"] = 1\nreturn r\n',
    ),
    "a check that hands the text on": (
        'r = find(on, text)\nif isinstance(r, dict) and "error" in r:\n    return {"error": r["error"]}\nreturn {}\n',
        "find(on, text)\nreturn {}\n",
    ),
    "a check of a result that nothing else reads": (
        "if on:\n    # why\n    r = find(  # how\n        on,\n        text,\n    )\n"
        '    if "error" in r:\n        return r\nreturn {}\n',
        "if on:\n    # why\n    find(  # how\n        on,\n        text,\n    )\nreturn {}\n",
    ),
    "a check with empty lines behind it": (
        'r = find(on, text)\nif "error" not in r:\n    on = dict(r)\n\n    return on\nelse:\n'
        '    return {"error": r["error"]}\n',
        "r = find(on, text)\non = dict(r)\n\nreturn on\n",
    ),
    "a check of a result before the name is used again": (
        'r = find(on, text)\nif "error" in r:\n    return r\nr = {}\nreturn r\n',
        "find(on, text)\nr = {}\nreturn r\n",
    ),
    "a check of a result that the next one is made of": (
        'r = find(on, text)\nif "error" in r:\n    return r\nr = dict(r)\nreturn r\n',
        "r = find(on, text)\nr = dict(r)\nreturn r\n",
    ),
    "a check in a block of a result that is read behind it": (
        'r = {}\nif on:\n    r = find(on, text)\n    if "error" in r:\n        return r\nreturn dict(r)\n',
        "r = {}\nif on:\n    r = find(on, text)\nreturn dict(r)\n",
    ),
    "a check of a result that the next round reads": (
        'r = {}\nfor _ in text:\n    print(r)\n    r = find(on, text)\n    if "error" in r:\n        return r\n'
        "return {}\n",
        "r = {}\nfor _ in text:\n    print(r)\n    r = find(on, text)\nreturn {}\n",
    ),
    "a check of a result that is read in a function": (
        'def show():\n    print(r)\nr = find(on, text)\nif "error" in r:\n    return r\nshow()\nreturn {}\n',
        "def show():\n    print(r)\nr = find(on, text)\nshow()\nreturn {}\n",
    ),
    "a check of a result that others are only called like": (
        'r = find(on, text)\nif "error" in r:\n    return r\nreturn dict(r=on.r)\n',
        "find(on, text)\nreturn dict(r=on.r)\n",
    ),
    "a check with a function that reads the result before the name is used again": (
        'def show():\n    print(r)\nr = find(on, text)\nif "error" in r:\n    return r\nshow()\nr = {}\nreturn r\n',
        "def show():\n    print(r)\nr = find(on, text)\nshow()\nr = {}\nreturn r\n",
    ),
    "a check with an else that reads the result before the name is used again": (
        'r = find(on, text)\nif "error" in r:\n    return {"path": "none"}\nelse:\n    print(r)\nr = {}\nreturn r\n',
        'try:\n    r = find(on, text)\nexcept ShopError:\n    return {"path": "none"}\nprint(r)\nr = {}\nreturn r\n',
    ),
    "a check before the answer is returned": (
        'r = find(on, text)\n# why\nif r.get("error"): return r\nreturn r\n',
        "# why\nreturn find(on, text)\n",
    ),
    "an answer that is returned in a statement of its own": (
        "r = find(on, text)\nreturn r\n",
        "r = find(on, text)\nreturn r\n",
    ),
    "a check that answers something else": (
        'r = find(on, text)\nif "error" in r:\n    # why\n    return {"path": "none", "count": len(str(r["error"]))}\n'
        "return {}\n",
        "try:\n    find(on, text)\nexcept ShopError as exc:\n    # why\n"
        '    return {"path": "none", "count": len(str(exc))}\nreturn {}\n',
    ),
    "a check that does something before it hands the error on": (
        'r = find(on, text)\nif "error" in r:\n    print(f"bad: {r[\'error\']}")\n    return r\nreturn {}\n',
        'try:\n    find(on, text)\nexcept ShopError as exc:\n    print(f"bad: {exc}")\n    raise\nreturn {}\n',
    ),
    "a check that raises": (
        'r = find(on, text)\nif "error" in r:\n    raise KeyError(r.get("error"))\nreturn find(on, text)\n',
        "try:\n    find(on, text)\nexcept ShopError as exc:\n    raise KeyError(str(exc)) from exc\n"
        "return find(on, text)\n",
    ),
    "a check with an else": (
        'r = find(on, text)\nif r.get("error"):\n    print("no")\nelse:\n    print(r)\nreturn {}\n',
        'try:\n    r = find(on, text)\nexcept ShopError:\n    print("no")\nelse:\n    print(r)\nreturn {}\n',
    ),
    "a check that ends the program": (
        'r = find(on, text)\nif "error" in r:\n    sys.exit(r["error"])\nreturn {"path": r["path"]}\n',
        'try:\n    r = find(on, text)\nexcept ShopError as exc:\n    sys.exit(str(exc))\nreturn {"path": r["path"]}\n',
    ),
    "a block that is left at its end": (
        'r = find(on, text)\nif "error" in r:\n    print(1)\nreturn r\n',
        "try:\n    r = find(on, text)\nexcept ShopError:\n    print(1)\n    raise\nreturn r\n",
    ),
    "a check that sees the success": (
        'r = find(on, text)\nif "error" not in r:\n    # found\n    return {"path": r["path"]}\nprint(1)\nreturn {}\n',
        "try:\n    r = find(on, text)\nexcept ShopError:\n    print(1)\n    return {}\n"
        '# found\nreturn {"path": r["path"]}\n',
    ),
    "a check of both that only logs": (
        'r = find(on, text)\nif "error" not in r:\n    print("found")\n'
        "else:\n    print(f\"bad: {r.get('error')}\")\n\nreturn r\n",
        'try:\n    r = find(on, text)\nexcept ShopError as exc:\n    print(f"bad: {exc}")\n    raise\n'
        'print("found")\n\nreturn r\n',
    ),
    "a branch in the grammar of Python 3.12": (
        'r = find(on, text)\nif "error" not in r:\n    print(f"{[f"{key}" for key in r]}")\n    return r\n'
        "else:\n    print(1)\n    return {}\n",
        "try:\n    r = find(on, text)\nexcept ShopError:\n    print(1)\n    return {}\n"
        'print(f"{[f"{key}" for key in r]}")\nreturn r\n',
    ),
    "an answer that is returned behind the branches": (
        "if on:\n    r = find(on, text)\nelse:\n    r = {}\nreturn r\n",
        "if on:\n    r = find(on, text)\nelse:\n    r = {}\nreturn r\n",
    ),
    "a check that adds to a success": (
        'r = find(on, text)\nif not r.get("error"):\n    r["on"] = on\nreturn r\n',
        'r = find(on, text)\nr["on"] = on\nreturn r\n',
    ),
    "a check in a loop": (
        'for item in text:\n    r = find(on, item)\n    if "error" in r:\n        print(r["error"])\n        continue\n'
        '    print(r["path"])\nreturn {}\n',
        "for item in text:\n    try:\n        r = find(on, item)\n    except ShopError as exc:\n"
        '        print(str(exc))\n        continue\n    print(r["path"])\nreturn {}\n',
    ),
}


@pytest.mark.parametrize(
    "use", ["return make(on).find(text)\n", 'r = make(on).find(text)\nif "error" in r:\n    return r\nreturn r\n']
)
def test_a_method_raises_that_is_called_of_a_result(tmp_path: Path, use: str) -> None:
    head = FIND.replace(
        "def find(on, text: str):\n    if not on:\n",
        "class Shelf:\n    def find(self, text: str):\n        if not text:\n",
    )
    head = head.replace('        return {"error"', '            return {"error"').replace(
        '    return {"path"', '        return {"path"'
    )
    found = fixes(tmp_path, head + body(use), unsafe=True)
    assert 'raise ShopError(f"no {text}")' in found.contents["shop/server.py"][1].decode()


def test_an_empty_line_before_a_handler_stays_behind_the_body(tmp_path: Path) -> None:
    use = "try:\n    return find(on, text)\n\n# all else\nexcept Exception:\n    return {}\n"
    found = fixes(tmp_path, FIND + body(use), unsafe=True)
    after = use.replace("# all else", "except ShopError:\n    raise\n# all else")
    assert found.contents["shop/server.py"][1].decode() == RAISING + body(after)


TABLE = """\
table = {"find": find, "print": print}
if on not in table:
    return {"path": sorted(table)}
"""


def test_a_method_raises_that_is_called_of_an_object_made_in_the_same_expression(tmp_path: Path) -> None:
    """Another class has a method of its name, and so has the module."""
    shelves = "".join(
        f"class {name}:\n    def find(self, text: str):\n        return {{}}\n\n\n" for name in ("Other", "Another")
    )
    raising = "class Shelf:\n    def find(self, text: str):\n        if not text:\n"
    head = FIND.replace("def find(on, text: str):\n    if not on:\n", shelves + raising)
    head = head.replace('        return {"error"', '            return {"error"').replace(
        '    return {"path"', '        return {"path"'
    )
    found = fixes(tmp_path, head + body("print(Other().find(text))\nreturn Shelf().find(text)\n"), unsafe=True)
    assert 'raise ShopError(f"no {text}")' in found.contents["shop/server.py"][1].decode()
    assert reasons(found.fixed) == []


TABLES = {
    "that is called at once": "return table[text](on, text)\n",
    "that is taken before": "ask = table.get(on)\nif not ask:\n    return {}\nreturn ask(on, text)\n",
    "that is taken out of another one": "if on:\n    table = {}\nreturn table[text](on, text)\n",
    "whose result is dumped": "return json.dumps(table[text](on, text))\n",
}


@pytest.mark.parametrize("use", TABLES.values(), ids=TABLES)
def test_a_function_raises_out_of_a_table(tmp_path: Path, use: str) -> None:
    found = fixes(tmp_path, FIND + body(TABLE + use), unsafe=True)
    assert found.contents["shop/server.py"][1].decode() == RAISING + body(TABLE + use)


def test_an_exception_passes_the_handlers_around_a_call_out_of_a_table(tmp_path: Path) -> None:
    use = "{0}try:\n    return table[text](on, text)\n{1}except Exception:\n    return {{}}\n"
    found = fixes(tmp_path, FIND + body(use.format(TABLE, "")), unsafe=True)
    expected = RAISING + body(use.format(TABLE, "except ShopError:\n    raise\n"))
    assert found.contents["shop/server.py"][1].decode() == expected


NO_TABLES = {
    "a result that is looked at": "result = table[text](on, text)\nreturn {**result}\n",
    "a table that is handed over": "apply(table)\nreturn table[text](on, text)\n",
    "a table that is filled": "table |= on\nreturn table[text](on, text)\n",
    "a function that is handed over": "ask = table[text]\napply(ask)\nreturn ask(on, text)\n",
    "a function that is called later": "return apply(lambda: table[text](on, text))\n",
    "a function that is waited for": "return await table[text](on, text)\n",
}


@pytest.mark.parametrize("use", NO_TABLES.values(), ids=NO_TABLES)
def test_a_look_is_asked_for_where_a_function_stands_in_a_table_with(tmp_path: Path, use: str) -> None:
    shop(tmp_path, (FIND.replace("def read", "async def read") if "await" in use else FIND) + body(TABLE + use))
    assert "who calls `find` after it was handed on here gets an exception" in reasons(
        unsafe_alone(tmp_path, *RULES).fixed
    )


@pytest.mark.parametrize(("before", "after"), REWRITTEN.values(), ids=REWRITTEN)
def test_a_caller_follows(tmp_path: Path, before: str, after: str) -> None:
    found = fixes(tmp_path, FIND + body(before))
    assert found.contents["shop/server.py"][1].decode() == RAISING + body(after)
    assert reasons((*found.fixed, *found.refused, *found.hidden)) == []


GOES_ON = {
    "a block that shows how it reads the error": "r = find(on, text)\n"
    'if "error" in r:\n    return {"path": f"{r[\'error\']=}"}\nreturn {}\n',
    "a block that uses the answer later": "r = find(on, text)\n"
    'if "error" in r:\n    return {"path": lambda: r["error"]}\nreturn {}\n',
    "a loop behind which the answer is read": "for item in text:\n    r = find(on, item)\n"
    '    if "error" in r:\n        break\nreturn {"path": r}\n',
    "a check with an elif": 'r = find(on, text)\nif "error" in r:\n    return {}\nelif on:\n    return {}\nreturn {}\n',
    "an answer that is logged with the exception": "r = find(on, text)\n"
    'if "error" in r:\n    return {"path": format_exc()}\nreturn {}\n',
    "a check that reads another key": "r = find(on, text)\n"
    'if "error" in r:\n    return {"path": r["path"]}\nreturn {}\n',
    "a block that hands the whole answer to something": "r = find(on, text)\n"
    'if "error" in r:\n    print(r)\n    return {}\nreturn {}\n',
    "a block that takes the error out of the answer": "r = find(on, text)\n"
    'if "error" in r:\n    del r["error"]\n    return {}\nreturn {}\n',
    "a block that puts another error into the answer": "r = find(on, text)\n"
    'if "error" in r:\n    r["error"] += "!"\n    return {}\nreturn {}\n',
    "another function that reads it": "def shown():\n    return len(r)\nr = find(on, text)\n"
    'if "error" in r:\n    return {"path": shown()}\nreturn {}\n',
    "a lambda that reads it": "shown = lambda: len(r)\nr = find(on, text)\n"
    'if "error" in r:\n    return {"path": shown()}\nreturn {}\n',
    "what reads it without its name": "r = find(on, text)\n"
    'if "error" in r:\n    return {"path": locals()}\nreturn {}\n',
    "code in a text that reads it": "r = find(on, text)\n"
    'if "error" in r:\n    return {"path": eval(\'r\')}\nreturn {}\n',
    "a check of one text": 'r = find(on, text)\nif r.get("error") == "no it":\n    return {}\nreturn {}\n',
    "a check of other texts": "r = find(on, text)\n"
    'if r.get("error") and r.get("error") != "no it":\n    return {}\nreturn {}\n',
    "a state that is told of it": 'r = find(on, text)\napply(r, 200 if r.get("path") else 404)\nreturn {}\n',
}


def caught(use: str) -> str:
    """Return the code of a caller that puts the answers of its calls together again."""
    return re.sub(
        r"^( *)(r = find\(.*\))\n",
        r"\1try:\n\1    \2\n\1except ShopError as exc:\n" r'\1    r = {"error": str(exc)}\n',
        use,
        flags=re.MULTILINE,
    )


@pytest.mark.parametrize("use", GOES_ON.values(), ids=GOES_ON)
def test_an_answer_that_a_caller_goes_on_with_is_put_together_again_for(tmp_path: Path, use: str) -> None:
    shop(tmp_path, FIND + body(use))
    found = unsafe_alone(tmp_path, *RULES)
    assert found.contents["shop/server.py"][1].decode() == RAISING + body(caught(use))
    assert [text for text, _ in looks(found.fixed)] == ["what `find` answered for an error is put together again here"]


def test_a_function_is_followed_by_another_name_that_its_module_gives_it(tmp_path: Path) -> None:
    source = FIND.replace("@server.tool()", "_find_impl = find\n\n\n@server.tool()")
    after = source.replace('return {"error": f"no {text}"}', 'raise ShopError(f"no {text}")')
    found = fixes(tmp_path, source + body("return _find_impl(on, text)\n"))
    assert found.contents["shop/server.py"][1].decode() == after + body("return _find_impl(on, text)\n")


@pytest.mark.parametrize("table", ["locals()", "vars()"])
def test_what_looks_up_variables_of_another_function_finds_none_of_the_module(tmp_path: Path, table: str) -> None:
    source = FIND + body(f"apply({table}.get(text)())\nreturn find(on, text)\n")
    assert reasons(fixes(tmp_path, source, unsafe=True).refused) == []


def test_a_look_is_asked_for_where_a_name_holds_a_function_for_a_time(tmp_path: Path) -> None:
    source = FIND.replace("@server.tool()", "_find = find\nif apply:\n    _find = apply\n\n\n@server.tool()")
    shop(tmp_path, source + body("return _find(on, text)\n"))
    assert reasons(unsafe_alone(tmp_path, *RULES).fixed) == [
        "who calls `find` after it was handed on here gets an exception"
    ]


ALONE = {
    "an answer in an attribute": (
        "on.found = find(on, text)\nreturn {}\n",
        "{}on.found = result\nreturn {{}}\n",
    ),
    "a part of an answer": (
        "return {'path': find(on, text), 'count': 1}\n",
        "{}return {{'path': result, 'count': 1}}\n",
    ),
    "an argument": (
        "result = 1\nreturn apply(result, find(on, text))\n",
        "result = 1\n{}return apply(result, answer)\n",
    ),
    "a key of an answer": ("return {'path': find(on, text)['path']}\n", "{}return {{'path': result['path']}}\n"),
    "one of several parts": (
        "x, y = find(on, text), apply(text)\nreturn {'path': x}\n",
        "{}x, y = result, apply(text)\nreturn {{'path': x}}\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), ALONE.values(), ids=ALONE)
def test_a_call_stands_alone_where_its_caller_goes_on_with(tmp_path: Path, before: str, after: str) -> None:
    name = "answer" if "answer)" in after else "result"
    call = f'try:\n    {name} = find(on, text)\nexcept ShopError as exc:\n    {name} = {{"error": str(exc)}}\n'
    shop(tmp_path, FIND + body(before))
    found = unsafe_alone(tmp_path, *RULES)
    assert found.contents["shop/server.py"][1].decode() == RAISING + body(after.format(call))


NOT_ALONE = {
    "something that is done before": "return {'path': apply(on), 'count': find(on, text)}\n",
    "something that is read before": "return {'path': on.path, 'count': find(on, text)}\n",
    "a condition": "return {'path': on and find(on, text)}\n",
    "the head of a block": "if find(on, text):\n    return {}\nreturn {}\n",
    "another call of the function": "return {'path': apply(find(on, text), find(text, on))}\n",
    "a function that is worked out": "return {'path': apply(on)(find(on, text))}\n",
}


@pytest.mark.parametrize("use", NOT_ALONE.values(), ids=NOT_ALONE)
def test_a_call_cannot_stand_alone_in(tmp_path: Path, use: str) -> None:
    found = fixes(tmp_path, FIND + body(use), unsafe=True)
    assert found.contents == {}
    assert len(found.refused) == 1


def test_what_follows_a_call_is_done_finally_where_its_answer_is_returned_then(tmp_path: Path) -> None:
    before = "r = find(on, text)\n# why\napply(on)\nif on:\n    apply(text)\nreturn r\n"
    after = (
        "try:\n    r = find(on, text)\nfinally:\n    # why\n    apply(on)\n    if on:\n        apply(text)\nreturn r\n"
    )
    shop(tmp_path, FIND + body(before))
    found = unsafe_alone(tmp_path, *RULES)
    assert found.contents["shop/server.py"][1].decode() == RAISING + body(after)
    text = "what follows the call of `find` here is done after any exception of it, too"
    assert text in [doubt for doubt, _ in looks(found.fixed)]


@pytest.mark.parametrize("before_it", ["", "if not on:\n    r = {}\n    return r\n"])
def test_what_follows_a_call_and_speaks_of_its_answer_is_done_for_an_error_too(tmp_path: Path, before_it: str) -> None:
    before = before_it + (
        "r = find(on, text)\n# why\napply(r.get('path'), 'path' in r)\nif on:\n    r['on'] = on\nreturn r\n"
    )
    after = before_it + (
        'try:\n    r = find(on, text)\nexcept ShopError as exc:\n    r = {"error": str(exc)}\n    # why\n'
        "    apply(r.get('path'), 'path' in r)\n    if on:\n        r['on'] = on\n    raise\n"
        "# why\napply(r.get('path'), 'path' in r)\nif on:\n    r['on'] = on\nreturn r\n"
    )
    shop(tmp_path, FIND + body(before))
    found = unsafe_alone(tmp_path, *RULES)
    assert found.contents["shop/server.py"][1].decode() == RAISING + body(after)
    text = "what follows the call of `find` here is done for an error first, as before"
    assert text in [doubt for doubt, _ in looks(found.fixed)]


def test_what_follows_a_call_in_a_loop_is_not_done_again_where_the_next_turn_reads_its_answer(tmp_path: Path) -> None:
    use = (
        "r = {}\nfor each in on:\n    apply(r)\n    r = find(each, text)\n    apply(r, each)\n    return r\nreturn {}\n"
    )
    assert fixes(tmp_path, FIND + body(use), unsafe=True).contents == {}


@pytest.mark.parametrize(
    "between",
    ["if on:\n    return {}\n", "r = dict(r)\n", "print(r)\n" * 20, "apply(lambda: r, locals())\n", "yield on\n"],
)
def test_what_follows_a_call_is_not_done_finally_where_it(tmp_path: Path, between: str) -> None:
    found = fixes(tmp_path, FIND + body(f"r = find(on, text)\n{between}return r\n"), unsafe=True)
    assert found.contents == {}
    assert len(found.refused) == 1


def test_an_error_that_a_caller_drops_is_dropped_again(tmp_path: Path) -> None:
    shop(tmp_path, FIND + body("find(on, text)\nreturn {}\n"))
    found = unsafe_alone(tmp_path, *RULES)
    after = body("try:\n    find(on, text)\nexcept ShopError:\n    pass\nreturn {}\n")
    assert found.contents["shop/server.py"][1].decode() == RAISING + after
    assert looks(found.fixed)[0][0] == "an error of `find` is dropped here, as before"


def test_an_error_that_a_caller_drops_comes_to_the_handler_that_goes_on(tmp_path: Path) -> None:
    use = body("try:\n    apply(on)\n    find(on, text)\nexcept Exception as e:\n    print(e)\nreturn {}\n")
    shop(tmp_path, FIND + use)
    found = unsafe_alone(tmp_path, *RULES)
    assert found.contents["shop/server.py"][1].decode() == RAISING + use
    assert looks(found.fixed)[0][0] == "an error of `find` comes to this handler, where it was dropped before"


HANDLED_AROUND = {
    "the same": (
        'except KeyError as e:\n    r = {"error": str(e)}\n',
        'except (KeyError, ShopError) as e:\n    r = {"error": str(e)}\n',
    ),
    "the same for any": (
        'except Exception as e:\n    r = {"error": str(e)}\n',
        'except Exception as e:\n    r = {"error": str(e)}\n',
    ),
    "something else": (
        'except Exception as e:\n    r = {"bad": str(e)}\n',
        'except ShopError as e:\n    r = {"error": str(e)}\nexcept Exception as e:\n    r = {"bad": str(e)}\n',
    ),
}


@pytest.mark.parametrize(("before", "after"), HANDLED_AROUND.values(), ids=HANDLED_AROUND)
def test_a_handler_around_a_call_that_puts_together(tmp_path: Path, before: str, after: str) -> None:
    use = "try:\n    r = find(on, text)\n{}apply(r)\nreturn {{}}\n"
    shop(tmp_path, FIND + body(use.format(before)))
    found = unsafe_alone(tmp_path, *RULES)
    assert found.contents["shop/server.py"][1].decode() == RAISING + body(use.format(after))


def test_a_handler_that_puts_something_else_together_for_the_same_class_is_left(tmp_path: Path) -> None:
    use = 'try:\n    r = find(on, text)\nexcept ShopError as e:\n    r = {"bad": str(e)}\napply(r)\nreturn {}\n'
    found = fixes(tmp_path, FIND + body(use), unsafe=True)
    assert found.contents == {}
    assert "`find` answers errors in several forms" in reasons(found.refused)


PAYLOADS = {
    "a message below another key": (
        '{"success": False, "error": {"code": "none", "message": "none"}}',
        '{"success": False, "error": {"message": str(exc)}}',
        ["code"],
    ),
    "JSON text": ('json.dumps({"error": "none", "at": 1})', 'json.dumps({"error": str(exc), "at": 1})', []),
    "markers and constants": (
        '{"success": False, "error": "no on", "retry": 3}',
        '{"success": False, "error": str(exc), "retry": 3}',
        [],
    ),
    "a key that is worked out": ('{"error": "no on", "at": text}', '{"error": str(exc)}', ["at"]),
    "a text": ('"Error: no on"', "str(exc)", []),
}


@pytest.mark.parametrize(("payload", "again", "dropped"), PAYLOADS.values(), ids=PAYLOADS)
def test_what_is_put_together_again_is(tmp_path: Path, payload: str, again: str, dropped: list[str]) -> None:
    use = "r = find(on, text)\napply(r)\nreturn {}\n"
    shop(tmp_path, FIND.replace('{"error": f"no {text}"}', payload) + body(use))
    found = unsafe_alone(tmp_path, *RULES)
    assert f"        r = {again}\n" in found.contents["shop/server.py"][1].decode()
    gone = [text for text, _ in looks(found.fixed) if text.endswith("here any more")]
    assert gone == [f"the error of `find` has no `{key}` here any more" for key in dropped]


READ_OF_AN_ERROR = {
    "in brackets": "r = find(on, text)\napply(r['at'])\nreturn {}\n",
    "by get": "r = find(on, text)\napply(r.get('at'))\nreturn {}\n",
    "of a result without a name": "apply(find(on, text)['at'])\nreturn {}\n",
}


@pytest.mark.parametrize("reading", ["r.get('error', {})", "(r.get('error') or {})", "r['error']"])
def test_a_caller_that_reads_the_code_of_a_part_with_a_name_is_left(tmp_path: Path, reading: str) -> None:
    source = FIND.replace('{"error": f"no {text}"}', '{"error": {"code": "gone", "message": f"no {text}"}}')
    use = f"r = find(on, text)\napply(r)\ninfo = {reading}\nif info.get('code') == 'gone':\n    apply(1)\nreturn {{}}\n"
    found = fixes(tmp_path, source + body(use), unsafe=True)
    assert reasons(found.refused) == ["the caller reads `code` of an error"]


HANDED_ON = {
    "of a result with a name": "r = find(on, text)\napply(r)\nreturn {}\n",
    "of a result without a name": "apply(find(on, text))\nreturn {}\n",
}


@pytest.mark.parametrize("use", HANDED_ON.values(), ids=HANDED_ON)
def test_a_caller_that_hands_on_codes_by_which_errors_are_told_apart_is_left(tmp_path: Path, use: str) -> None:
    one, other = (f'return {{"error": f"no {{text}}", "error_code": "{code}"}}' for code in ("none", "gone"))
    source = FIND.replace('return {"error": f"no {text}"}\n', f"{one}\n    if not text:\n        {other}\n")
    found = fixes(tmp_path, source + body(use), unsafe=True)
    reason = "the caller hands on the error of `find`, which would have no `error_code` to be told apart by"
    assert found.contents == {}
    assert reason in reasons(found.refused)


@pytest.mark.parametrize("use", READ_OF_AN_ERROR.values(), ids=READ_OF_AN_ERROR)
def test_a_caller_that_reads_what_cannot_be_put_together_again_is_left(tmp_path: Path, use: str) -> None:
    source = FIND.replace('{"error": f"no {text}"}', '{"error": "no", "at": text}')
    found = fixes(tmp_path, source + body(use), unsafe=True)
    assert reasons(found.refused) == ["the caller reads `at` of an error"]


def test_a_check_that_cannot_become_a_handler_is_refused_for_what_it_asks(tmp_path: Path) -> None:
    source = FIND.replace('{"error": f"no {text}"}', '{"error": "no", "at": text}')
    use = "r = find(on, text)\nif 'at' in r:\n    apply(r)\nreturn {}\n"
    found = fixes(tmp_path, source + body(use), unsafe=True)
    assert reasons(found.refused) == ["the check of the result does not see all of the errors"]


def test_only_the_message_is_put_together_again_where_a_factory_keeps_the_rest(tmp_path: Path) -> None:
    factory = 'def fail(text):\n    apply(text)\n    return {"error": text, "at": 1}\n\n\n'
    source = FIND.replace('{"error": f"no {text}"}', "fail(text)").replace("def find", f"{factory}def find")
    shop(tmp_path, source + body("r = find(on, text)\napply(r)\nreturn {}\n"))
    found = fixes_in(tmp_path, *RULES, "ERR102")
    assert '        r = {"error": str(exc)}\n' in found.contents["shop/server.py"][1].decode()
    assert "an error of `find` has nothing but its message here any more" in reasons(found.fixed)


OTHERWISE = {
    "several forms": ('{"message": "none", "success": False}', "`find` answers errors in several forms"),
    "keys of another dict": (
        '{"error": "none", **text}',
        "what `find` answered for an error cannot be put together again",
    ),
}


@pytest.mark.parametrize(("payload", "reason"), OTHERWISE.values(), ids=OTHERWISE)
def test_what_cannot_be_put_together_again_is_refused(tmp_path: Path, payload: str, reason: str) -> None:
    source = FIND.replace(
        '    return {"path": text}', f'    if text:\n        return {payload}\n    return {{"path": text}}'
    )
    if "several" not in reason:
        source = source.replace('return {"error": f"no {text}"}', f"return {payload}")
    found = fixes(tmp_path, source + body("r = find(on, text)\napply(r)\nreturn {}\n"), unsafe=True)
    assert reason in reasons(found.refused)


REFUSED = {
    "a check that sees other errors": (
        'r = find(on, text)\nif not r.get("success", True):\n    return r\nreturn {}\n',
        "the check of the result does not see all of the errors",
    ),
    "a check that fails for the error": (
        'r = find(on, text)\nif r["success"] is False:\n    return r\nreturn {}\n',
        "the check of the result does not see all of the errors",
    ),
    "a check that asks for something else": (
        "r = find(on, text)\nif len(r) == 1:\n    return r\nreturn {}\n",
        "a caller does more with the result of `find` than to return it",
    ),
    "an answer that is asked for with another one": (
        "return find(find(on, text), text) if on else find(on, on)\n",
        "a caller does more with the result of `find` than to return it",
    ),
    "a check that does not follow the call": (
        'r = find(on, text)\nprint(on)\nif "error" in r:\n    return r\nreturn {}\n',
        "a caller does more with the result of `find` than to return it",
    ),
    "a block that is left at its end, with more behind it": (
        'r = find(on, text)\nif "error" in r:\n    print(1)\nprint(2)\nreturn r\n',
        "`r` is read after the error",
    ),
    "a finally that reads the answer": (
        'r = None\ntry:\n    r = find(on, text)\n    if "error" in r:\n        return r\n'
        "finally:\n    print(r)\nreturn {}\n",
        "`r` is read after the error",
    ),
}


@pytest.mark.parametrize(("before", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_caller_refuses_the_fix_for(tmp_path: Path, before: str, reason: str) -> None:
    found = fixes(tmp_path, FIND + body(before), unsafe=True)
    assert reasons(found.refused) == [reason]
    assert found.contents == {}


def test_a_look_is_asked_for_at_the_line_of_a_long_statement_that_speaks_of_the_function(tmp_path: Path) -> None:
    source = FIND + body('return {\n    "on": on,\n    "find": find,\n}\n')
    (group,) = fixes(tmp_path, source, unsafe=True).fixed
    assert source.split("\n")[group.doubts[0].line - 1] == '        "find": find,'


CHECKING = """\
from toolkit import server
from shop.errors import ShopError, handle_errors


{kind}def check(on):
    if not on:
        {no}


@server.tool()
@handle_errors(empty_result={{"path": "", "count": 0}})
{kind}def read(on, text: str):
    {call}
    return {{"path": text}}
"""

NAMING = {
    "a call": ("if found := check(on):\n        return found", "check(on)"),
    "a call in brackets": ("if (found := check(on)):\n        return found", "check(on)"),
    "a call over lines": (
        "if found := check(  # why\n        on,\n    ):\n        return found",
        "check(  # why\n        on,\n    )",
    ),
    "two calls under one name": (
        "if found := check(on):\n        return found\n    if found := check(text):\n        return found",
        "check(on)\n    check(text)",
    ),
    "a look at the error": ('if (found := check(on)) and "error" in found:\n        return found', None),
    "another answer": ("if found := check(on):\n        return found\n    else:\n        print(on)", None),
    "more with the error": ("if found := check(on):\n        print(found)\n        return found", None),
    "a result that is read behind it": ("if found := check(on):\n        return found\n    print(found)", None),
    "a check for success": ("if not (found := check(on)):\n        return {}\n    return found", None),
}


@pytest.mark.parametrize("is_async", [False, True], ids=["plain", "async"])
@pytest.mark.parametrize(("before", "after"), NAMING.values(), ids=NAMING)
def test_a_check_names_the_result_of_the_call_in_it(
    tmp_path: Path, before: str, after: str | None, is_async: bool
) -> None:
    kind, wait = ("async ", "await ") if is_async else ("", "")
    before = before.replace("check(", f"{wait}check(")
    old = CHECKING.format(kind=kind, no='return {"error": "no on"}', call=before)
    found = fixes(tmp_path, old)
    if after is None:
        assert refusals(found) == ["a caller does more with the result of `check` than to return it"]
        return
    assert refusals(found) == []
    call = after.replace("check(", f"{wait}check(")
    new = CHECKING.format(kind=kind, no='raise ShopError("no on")', call=call)
    assert found.contents["shop/server.py"][1].decode() == new


HELPER = """\
import typing
from typing import Optional, Union
from toolkit import server
from shop.errors import ShopError, handle_errors

USED = (typing, Optional, Union)


def check(on){returns}:
{docstring}    if not on:
        {no}
{yes}

@server.tool()
@handle_errors(empty_result={{"path": "", "count": 0}})
def read(on, text: str):
    {call}
    return {{"path": text}}
"""

SIGNATURES = {
    "an optional dict": (" -> dict | None", " -> None"),
    "an optional one of any kind": (" -> dict[str, str] | str | None", " -> None"),
    "None in front": (" -> None | dict", " -> None"),
    "Optional": (" -> Optional[dict]", " -> None"),
    "Optional of a module": (" -> typing.Optional[dict]", " -> None"),
    "a union": (" -> Union[dict, None]", " -> None"),
    "nothing": ("", ""),
    "what does not say None": (" -> dict", " -> dict"),
}

PROMISES = {
    "Return an error dict if there is no on, None otherwise.": "Raise ShopError if there is no on.",
    "Check it. Returns error dict or None.": "Check it. Raises ShopError on failure.",
    "Returns None if there is one, or an error message string if not.": "Raises ShopError unless there is one.",
    "Return an error message unless ``on`` is set, else None.": "Raise ``ShopError`` unless ``on`` is set.",
    "Returns ToolError on violation, None if OK.": "Raises ShopError on violation.",
    "Return an error dict if ``on`` is None.": "Raise ``ShopError`` if ``on`` is None.",
    "Returns an error if it is none of these, or None otherwise.": "Raises ShopError if it is none of these.",
    "Return what is wrong.": "Return what is wrong.",
    "Return the error count or None of it.": "Return the error count or None of it.",
}


def helper(*, is_raised: bool, returns: str = "", docstring: str = "", last: str = "return None") -> str:
    no = 'raise ShopError("no on")' if is_raised else 'return {"error": "no on"}'
    call = "check(on)" if is_raised else "found = check(on)\n    if found:\n        return found"
    yes = "" if is_raised or not last else f"    {last}\n"
    said = f'    """{docstring}"""\n' if docstring else ""
    return HELPER.format(returns=returns, docstring=said, no=no, yes=yes, call=call)


@pytest.mark.parametrize(("before", "after"), SIGNATURES.values(), ids=SIGNATURES)
@pytest.mark.parametrize("last", ["return None", "return", ""])
def test_a_helper_that_only_raises_promises_no_answer(tmp_path: Path, before: str, after: str, last: str) -> None:
    found = fixes(tmp_path, helper(is_raised=False, returns=before, last=last))
    assert found.contents["shop/server.py"][1].decode() == helper(is_raised=True, returns=after)


@pytest.mark.parametrize(("before", "after"), PROMISES.items())
def test_the_docstring_of_a_helper_says_what_it_raises(tmp_path: Path, before: str, after: str) -> None:
    found = fixes(tmp_path, helper(is_raised=False, docstring=before))
    assert found.contents["shop/server.py"][1].decode() == helper(is_raised=True, docstring=after)


KEEPING = {
    "another answer": ("    if on == 1:\n        return {}\n", ""),
    "a decorator": ("", "@server.retry\n"),
}


@pytest.mark.parametrize(("more", "decorator"), KEEPING.values(), ids=KEEPING)
def test_a_helper_goes_on_to_promise(tmp_path: Path, more: str, decorator: str) -> None:
    source = helper(is_raised=False, returns=" -> dict | None", docstring="Returns error dict or None.", last="")
    source = source.replace("def check", f"{decorator}def check").replace("\n\n@server.tool", f"{more}\n\n@server.tool")
    found = fixes(tmp_path, source, unsafe=True)
    after = found.contents["shop/server.py"][1].decode()
    assert 'raise ShopError("no on")' in after
    assert '-> dict | None:\n    """Returns error dict or None."""' in after


def test_a_comment_at_the_last_return_stays(tmp_path: Path) -> None:
    source = helper(is_raised=False, last="return None  # all is well")
    found = fixes(tmp_path, source)
    assert "    return None  # all is well\n" in found.contents["shop/server.py"][1].decode()


def test_a_check_stays_where_something_else_may_answer_an_error(tmp_path: Path) -> None:
    use = 'r = find(on, text)\nif "error" in r:\n    return r\nreturn {}\n'
    source = FIND.replace('return {"path": text}', "return json.loads(text)")
    found = fixes(tmp_path, source + body(use))
    after = RAISING.replace('return {"path": text}', "return json.loads(text)")
    assert found.contents["shop/server.py"][1].decode() == after + body(use)


def test_a_check_that_tells_what_it_finds_stays_where_something_else_may_answer_an_error(tmp_path: Path) -> None:
    use = 'r = find(on, text)\nif "error" in r:\n    print(r["error"])\nreturn r\n'
    shop(tmp_path, FIND.replace('return {"path": text}', "return json.loads(text)") + body(use))
    found = unsafe_alone(tmp_path, *RULES)
    after = "try:\n    r = find(on, text)\nexcept ShopError as exc:\n    print(str(exc))\n    raise\n"
    expected = RAISING.replace('return {"path": text}', "return json.loads(text)")
    assert found.contents["shop/server.py"][1].decode() == expected + body(after + use.partition("\n")[2])
    assert reasons(found.fixed) == ["`find` may still answer what this looks for, and the check stays"]


def test_what_a_check_answers_is_not_answered_twice(tmp_path: Path) -> None:
    use = "r = find(on, text)\nif 'error' in r:\n    return r['error']\nprint(r)\nreturn r\n"
    source = FIND.replace('return {"path": text}', "return json.loads(text)")
    found = fixes(tmp_path, source + body(use), unsafe=True)
    assert reasons(found.refused) == ["`find` may still answer what this looks for"]


NESTED = {
    "by its keys": 'r["error"]["message"]',
    "by asking for them": 'r.get("error", {}).get("message", "unknown")',
}


@pytest.mark.parametrize("read", NESTED.values(), ids=NESTED)
def test_a_check_reads_a_message_further_down(tmp_path: Path, read: str) -> None:
    payload = '{"success": False, "error": {"message": f"no {text}"}}'
    source = FIND.replace('{"error": f"no {text}"}', payload).replace('{"path": text}', '{"success": True}')
    use = f'r = find(on, text)\nif not r["success"]:\n    print({read})\nreturn r\n'
    found = fixes(tmp_path, source + body(use), unsafe=True)
    after = "try:\n    r = find(on, text)\nexcept ShopError as exc:\n    print(str(exc))\n    raise\nreturn r\n"
    expected = RAISING.replace('return {"path": text}', 'return {"success": True}')
    assert found.contents["shop/server.py"][1].decode() == expected + body(after)


def test_a_check_is_left_that_reads_less_than_the_message(tmp_path: Path) -> None:
    source = FIND.replace('{"error": f"no {text}"}', '{"error": {"message": f"no {text}"}}')
    use = 'r = find(on, text)\nif "error" in r:\n    print(r["error"])\n    return r\nreturn r\n'
    found = fixes(tmp_path, source + body(use), unsafe=True)
    text = "the check reads `error` of the answer, which is not the text of the error"
    assert text in reasons(found.refused)


def test_an_error_is_handed_on_in_a_list(tmp_path: Path) -> None:
    use = "bad = refused(on)\nif bad is not None:\n    return [bad]\nreturn find(on, text)\n"
    source = 'def refused(on):\n    if not on:\n        return {"error": "not on"}\n    return None\n\n\n'
    found = fixes(tmp_path, FIND.replace("def find", f"{source}def find") + body(use), unsafe=True)
    after = 'def refused(on):\n    if not on:\n        raise ShopError("not on")\n\n\n'
    expected = RAISING.replace("def find", f"{after}def find") + body("refused(on)\nreturn find(on, text)\n")
    assert found.contents["shop/server.py"][1].decode() == expected
    assert reasons(found.fixed) == ["the answer was a list, the boundary's is an object"]


def test_an_attribute_that_a_function_is_given_is_no_use_of_its_answer(tmp_path: Path) -> None:
    use = (
        "if hasattr(find, 'last') and not find.last:\n    print(find.last[0])\nfind.last = on\nreturn find(on, text)\n"
    )
    found = fixes(tmp_path, FIND + body(use), unsafe=True)
    assert found.contents["shop/server.py"][1].decode() == RAISING + body(use)


def test_an_error_is_handed_on_in_a_block_of_content(tmp_path: Path) -> None:
    head = "from mcp.types import TextContent\n"
    use = 'r = find(on, text)\nif "error" in r:\n    return [TextContent(type="text", text=json.dumps(r))]\nreturn {}\n'
    found = fixes(tmp_path, head + FIND + body(use), unsafe=True)
    after = RAISING.replace("import json\n", "") + body("find(on, text)\nreturn {}\n")
    assert found.contents["shop/server.py"][1].decode() == after


@pytest.mark.parametrize("use", ["json.dumps(r)", "[r]"])
def test_an_answer_is_made_the_same_of_where_its_check_goes(tmp_path: Path, use: str) -> None:
    before = f'r = find(on, text)\nif "error" in r:\n    return {use}\nreturn {use}\n'
    found = fixes(tmp_path, FIND + body(before), unsafe=True)
    after = f"return {use.replace('r)', 'find(on, text))').replace('[r', '[find(on, text)')}\n"
    assert found.contents["shop/server.py"][1].decode() == RAISING + body(after)


def test_a_handler_takes_the_place_of_no_check_that_may_find_something_else(tmp_path: Path) -> None:
    use = 'r = find(on, text)\nif "error" in r:\n    return {}\nreturn {}\n'
    found = fixes(tmp_path, FIND.replace('return {"path": text}', "return json.loads(text)") + body(use), unsafe=True)
    assert found.contents["shop/server.py"][1].decode().endswith(body(caught(use)))


def test_a_handler_that_would_catch_more_is_in_doubt(tmp_path: Path) -> None:
    use = 'r = find(on, text)\nif "error" in r:\n    return {}\nreturn {}\n'
    source = FIND.replace("    return {", "    make(on)\n    return {") + body(use)
    source += "\n\ndef make(on):\n    raise ShopError('x')\n"
    line = source[: source.index("raise ShopError")].count("\n") + 1
    assert reasons(fixes(tmp_path, source).hidden) == [
        f"the handler of the caller would also catch the exception of shop/server.py:{line}"
    ]


def test_a_result_that_a_function_may_read_at_the_end_refuses_the_fix(tmp_path: Path) -> None:
    check = '    r = find(on, text)\n    if "error" in r:\n        return r\n'
    use = f"shown = lambda: print(r)\ntry:\n{check}finally:\n    shown()\nreturn {{}}\n"
    found = fixes(tmp_path, FIND + body(use), unsafe=True)
    assert reasons(found.refused) == ["`r` is used in another scope too"]


def test_a_result_that_may_be_read_without_its_name_keeps_it(tmp_path: Path) -> None:
    use = 'r = find(on, text)\n{0}return {{"path": eval(text)}}\n'
    found = fixes(tmp_path, FIND + body(use.format('if "error" in r:\n    return r\n')), unsafe=True)
    assert found.contents["shop/server.py"][1].decode() == RAISING + body(use.format(""))


def test_a_parameter_of_the_name_of_a_result_is_another_one(tmp_path: Path) -> None:
    use = 'shown = lambda r: len(r)\nr = find(on, text)\nif "error" in r:\n    return {"path": shown(on)}\nreturn {}\n'
    assert not fixes(tmp_path, FIND + body(use), unsafe=True).refused


def test_an_error_that_may_be_empty_is_in_doubt(tmp_path: Path) -> None:
    use = 'r = find(on, text)\nif r.get("error"):\n    return r\nreturn {}\n'
    source = FIND.replace('f"no {text}"', "text") + body(use)
    assert reasons(fixes(tmp_path, source).hidden) == [
        "the error may be empty, and the check of the result would not see it"
    ]


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    use = 'r = find(on, text)\nif "error" in r:\n    print(r["error"])\n    return {"path": "x"}\nreturn r\n'
    first = fixes(
        tmp_path / "first", FIND + body(use), TEST + "    result = find(0, 'x')\n    assert 'error' in result\n"
    )
    new = {path: after.decode() for path, (_, after) in first.contents.items()}
    second = fixes(tmp_path / "second", new["shop/server.py"], new["tests/test_server.py"], unsafe=True)
    assert second.contents == {}


# --- tests ----------------------------------------------------------------------------------------------------------

TEST = "from shop.server import find\n\n\ndef test_it():\n"
HEAD = "import pytest\n\nfrom shop.errors import ShopError\nfrom shop.server import find\n\n\ndef test_it():\n"
SPECIAL = HEAD.replace("import pytest\n", "import re\n\nimport pytest\n")

TESTS = {
    "a key that is there": (
        'result = find(0, "x")\nassert "error" in result\n',
        HEAD,
        'with pytest.raises(ShopError):\n    find(0, "x")\n',
    ),
    "a text": (
        'result = find(0, "x")\nassert result["error"] == "no x"\n',
        HEAD,
        'with pytest.raises(ShopError, match="no x"):\n    find(0, "x")\n',
    ),
    "a part of a text": (
        'result = find(0, "x.y")\nassert result.get("error")\nassert "x.y" in result["error"], "why"\n',
        SPECIAL,
        'with pytest.raises(ShopError, match=re.escape("x.y")):\n    find(0, "x.y")\n',
    ),
    "a whole payload": (
        'assert find(0, "x") == {"error": "no x"}\n',
        HEAD,
        'with pytest.raises(ShopError, match="no x"):\n    find(0, "x")\n',
    ),
    "a call in the assertion": (
        'assert "error" in find(0, "x")\n',
        HEAD,
        'with pytest.raises(ShopError):\n    find(0, "x")\n',
    ),
    "more about the text": (
        'result = find(0, "x")\nassert "error" in result\nassert result["error"].endswith("x")\nprint("end")\n',
        HEAD,
        'with pytest.raises(ShopError) as caught:\n    find(0, "x")\nassert str(caught.value).endswith("x")\n'
        'print("end")\n',
    ),
    "a call over several lines": (
        'result = find(\n    0,\n    """x\ny""",\n)\nassert "error" in result\n',
        HEAD,
        'with pytest.raises(ShopError):\n    find(\n        0,\n        """x\ny""",\n    )\n',
    ),
    "assertions behind a with": (
        'with open("x"):\n    result = find(0, "x")\nassert "error" in result\n',
        HEAD,
        'with open("x"):\n    with pytest.raises(ShopError):\n        find(0, "x")\n',
    ),
    "two calls": (
        'result = find(0, "x")\nassert "error" in result\nresult = find(1, "x")\nassert result["path"] == "x"\n',
        HEAD,
        'with pytest.raises(ShopError):\n    find(0, "x")\nresult = find(1, "x")\nassert result["path"] == "x"\n',
    ),
}

USED = RAISING + "    return find(on, text)\n"


@pytest.mark.parametrize(("before", "head", "after"), TESTS.values(), ids=TESTS)
def test_a_test_expects_an_exception_instead_of(tmp_path: Path, before: str, head: str, after: str) -> None:
    found = fixes(tmp_path, FIND + "    return find(on, text)\n", TEST + body(before))
    assert found.contents["shop/server.py"][1].decode() == USED
    assert found.contents["tests/test_server.py"][1].decode() == head + body(after)
    assert reasons(found.fixed) == []


def test_an_async_test_waits_inside_of_the_with(tmp_path: Path) -> None:
    source = FIND.replace("def ", "async def ") + "    return await find(on, text)\n"
    test = TEST.replace("def ", "async def ") + '    result = await find(0, "x")\n    assert "error" in result\n'
    found = fixes(tmp_path, source, test)
    expected = HEAD.replace("def ", "async def ") + '    with pytest.raises(ShopError):\n        await find(0, "x")\n'
    assert found.contents["tests/test_server.py"][1].decode() == expected


CASES = """\
import unittest

{imports}from shop.server import find


class FindTest(unittest.TestCase):
    def test_it(self):
"""


def test_a_test_of_unittest_keeps_its_style(tmp_path: Path) -> None:
    before = (
        'result = find(0, "x")\nself.assertIn("error", result)\nself.assertEqual(result["error"], "no x")\n'
        'result = find(0, "y")\nself.assertTrue(result["error"].isprintable())\n'
        'self.assertNotIn("error", find(1, "x"))\n'
    )
    after = (
        'with self.assertRaisesRegex(ShopError, "no x"):\n    find(0, "x")\n'
        'with self.assertRaises(ShopError) as caught:\n    find(0, "y")\n'
        "self.assertTrue(str(caught.exception).isprintable())\n"
        'self.assertNotIn("error", find(1, "x"))\n'
    )
    found = fixes(tmp_path, FIND + "    return find(on, text)\n", CASES.format(imports="") + indent(before, " " * 8))
    expected = CASES.format(imports="from shop.errors import ShopError\n") + indent(after, " " * 8)
    assert found.contents["tests/test_server.py"][1].decode() == expected


SUCCESSES = {
    "a key of an answer": 'result = find(1, "x")\nassert result["path"] == "x"\n',
    "no error": 'result = find(1, "x")\nassert "error" not in result\nassert result\n',
    "a whole answer": 'assert find(1, "x") == {"path": "x"}\n',
    "how much is found": 'result = find(1, "x")\nassert len(result["path"]) == 1\n',
}


@pytest.mark.parametrize("test", SUCCESSES.values(), ids=SUCCESSES)
def test_a_test_of_a_success_stays_that_asserts(tmp_path: Path, test: str) -> None:
    found = fixes(tmp_path, FIND + "    return find(on, text)\n", TEST + body(test))
    assert {path: new.decode() for path, (_, new) in found.contents.items()} == {"shop/server.py": USED}
    assert reasons(found.fixed) == []


LOOKED_AT = {
    "a whole payload": ('assert find(0, "x") == dict(error="no x")\n', "a test compares the whole answer of `find`", 5),
    "another key": (
        'result = find(0, "x")\nassert "error" in result\nassert result.get("path") is None\n',
        "a test reads `path` of an error of `find`",
        7,
    ),
    "a mock": (
        'with mock.patch("shop.server.find", return_value={"error": "x"}):\n    pass\n',
        "a test lets something else answer an error for `find`",
        5,
    ),
    "a mock with a side effect": (
        'with mock.patch.object(server, "find", side_effect=[{"error": "x"}, {}]):\n    pass\n',
        "a test lets something else answer an error for `find`",
        5,
    ),
    "a mock that is set up by hand": (
        'patched_find.return_value = {"error": "x"}\n',
        "a test lets something else answer an error for `find`",
        5,
    ),
    "a mock under any name": (
        'with mock.patch("shop.server.find") as asked:\n    asked.return_value = {"status": "error", "message": "x"}\n',
        "a test lets something else answer an error for `find`",
        6,
    ),
    "a mock of a fixture": (
        'asked = mocker.patch("shop.server.find")\nasked.return_value = {"error": "x"}\n',
        "a test lets something else answer an error for `find`",
        6,
    ),
    "a mock with a payload that has a name": (
        'answer = {"error": "x"}\nwith mock.patch("shop.server.find", return_value=answer):\n    pass\n',
        "a test lets something else answer an error for `find`",
        6,
    ),
    "a function of its own": (
        'def fake(*_):\n    return {"error": "x"}\n\nmonkeypatch.setattr(server, "find", fake)\n',
        "a test lets something else answer an error for `find`",
        8,
    ),
    "an answer that is used otherwise too": (
        'result = find(0, "x")\nassert "error" in result\nprint(result)\n',
        "a test looks for an error of `find`",
        6,
    ),
    "a check in an if": (
        'result = find(0, "x")\nif "error" in result:\n    assert 1\n',
        "a test looks for an error of `find`",
        6,
    ),
    "a comprehension": (
        'assert all("error" in find(on, "x") for on in (0, ""))\n',
        "a test looks for an error of `find`",
        5,
    ),
    "a function that is handed on": (
        'for each in (find, print):\n    assert each(0, "x")["error"] == "no x"\n',
        "a test looks for an error of `find`",
        6,
    ),
    "an answer that another function gets": (
        'assert_error(find(0, "x"))\n',
        "a test looks for an error of `find`",
        5,
    ),
    "an answer in JSON": (
        'assert json.loads(json.dumps(find(0, "x")))["error"] == "no x"\n',
        "a test looks for an error of `find`",
        5,
    ),
    "a call that is run": (
        'result = asyncio.run(find(0, "x"))\nassert not result.get("success")\n',
        "a test looks for an error of `find`",
        6,
    ),
    "a function in its place": (
        'monkeypatch.setattr(server, "find", lambda *_: {"success": False})\n',
        "a test lets something else answer an error for `find`",
        5,
    ),
    "a function that is assigned": (
        'server.find = lambda *_: {"error": "x"}\n',
        "a test lets something else answer an error for `find`",
        5,
    ),
    "a function that is assigned beside the one that is kept": (
        'def fake(*_):\n    return {"error": "x"}\n\nkept, server.find = server.find, fake\n',
        "a test lets something else answer an error for `find`",
        8,
    ),
}


@pytest.mark.parametrize(("test", "reason", "line"), LOOKED_AT.values(), ids=LOOKED_AT)
def test_a_test_makes_the_fix_unsafe_and_is_named_with(tmp_path: Path, test: str, reason: str, line: int) -> None:
    shop(tmp_path, FIND + "    return find(on, text)\n", TEST + body(test))
    found = looks_in_test(tmp_path, USED)
    assert (reason, str(line)) in found
    assert {place for _, place in found} == {str(line)}


def test_a_mock_that_a_decorator_hands_over_answers_in_the_place_of_its_own_function(tmp_path: Path) -> None:
    test = (
        'from unittest.mock import patch\n\n\n@patch("shop.server.find")\n@patch("shop.server.load")\n'
        'def test_it({0}, {1}):\n    asked.return_value = {{"error": "x"}}\n'
    )
    source = FIND + "    return find(on, text)\n"
    shop(tmp_path / "first", source, test.format("loaded", "asked"))
    asked = [("a test lets something else answer an error for `find`", "7")]
    assert looks_in_test(tmp_path / "first", USED) == asked
    found = fixes(tmp_path / "second", source, test.format("asked", "found"))
    assert (reasons(found.fixed), reasons(found.refused)) == ([], [])
    assert found.contents["shop/server.py"][1].decode() == USED


def test_a_test_that_says_there_is_no_error_stays_as_it_is(tmp_path: Path) -> None:
    test = READ_TEST.replace("read", "find") + "    for answer in [find(1, 'x')]:\n"
    test += "        assert answer == {'path': 'x', 'error': None}\n        self.assertNotIn('error', answer)\n"
    found = fixes(tmp_path, FIND + "    return find(on, text)\n", test)
    assert (reasons(found.fixed), set(found.contents)) == ([], {"shop/server.py"})


LOOKING = {
    "a fixture": (
        "@pytest.fixture\ndef answer():\n    return find(0, 'x')\n\n\n"
        "def test_it(answer):\n    assert answer['error'] == 'no x'\n",
        12,
    ),
    "a helper": (
        "def ask():\n    return find(0, 'x')\n\n\ndef test_it():\n    assert 'error' in ask()\n",
        11,
    ),
    "parameters": (
        "@pytest.mark.parametrize('function', [find, print])\n"
        "def test_it(function):\n    assert 'error' in function(0, 'x')\n",
        8,
    ),
    "a list of functions": (
        "ALL = [find]\n\n\ndef test_it():\n    assert 'error' in ALL[0](0, 'x')\n",
        10,
    ),
    "a method of a test class": (
        "class TestIt:\n    def ask(self):\n        return find(0, 'x')\n\n"
        "    def test_it(self):\n        assert self.ask()['error']\n",
        11,
    ),
    "the list of its keys": (
        "def test_it():\n    assert sorted(find(0, 'x')) == ['error']\n",
        7,
    ),
    "its text": (
        "def test_it():\n    assert str(find(0, 'x')).count('error')\n",
        7,
    ),
    "an assertion about what stands in a list": (
        "class TestIt:\n    def test_it(self):\n"
        "        for answer in [find(0, 'x')]:\n            self.assertIn('error', answer)\n",
        9,
    ),
    "a key that is not there": (
        "def test_it():\n    try:\n        find(0, 'x')['path']\n"
        "    except KeyError:\n        return\n    raise AssertionError\n",
        9,
    ),
    "a key that must not be there": (
        "def test_it():\n    with pytest.raises(KeyError):\n        find(0, 'x')['path']\n",
        7,
    ),
    "what registered it": (
        "def test_it():\n    f = registered_tools()['find']\n    assert 'error' in f(0, 'x')\n",
        8,
    ),
    "another name that is bound again": (
        "def test_it():\n    f = find\n    assert 'error' in f(0, 'x')\n",
        8,
    ),
}


@pytest.mark.parametrize(("test", "line"), LOOKING.values(), ids=LOOKING)
def test_a_fix_is_unsafe_where_an_error_is_looked_for_by_way_of(tmp_path: Path, test: str, line: int) -> None:
    shop(tmp_path, FIND + "    return find(on, text)\n", f"import pytest\n\nfrom shop.server import find\n\n\n{test}")
    asked = [("a test looks for an error of `find`", str(line))]
    assert looks_in_test(tmp_path, USED) == asked


def test_a_test_knows_a_function_by_another_name(tmp_path: Path) -> None:
    test = (
        TEST.replace("import find", "import find as ask") + '    result = ask(0, "x")\n    assert "error" in result\n'
    )
    found = fixes(tmp_path, FIND + "    return find(on, text)\n", test)
    expected = (
        HEAD.replace("import find", "import find as ask") + '    with pytest.raises(ShopError):\n        ask(0, "x")\n'
    )
    assert found.contents["tests/test_server.py"][1].decode() == expected


UNKNOWN = {
    "nothing": 'find(0, "x")\n',
    "something in a loop": 'for on in (0, 1):\n    assert len(find(on, "x")) == 1\n',
}


@pytest.mark.parametrize("test", UNKNOWN.values(), ids=UNKNOWN)
def test_a_fix_is_in_doubt_for_a_test_that_asserts(tmp_path: Path, test: str) -> None:
    found = fixes(tmp_path, FIND + "    return find(on, text)\n", TEST + body(test))
    assert reasons(found.hidden) == ["a test uses `find`, and would get an exception from it"]


def test_a_test_of_an_answer_that_is_not_known_is_rewritten_in_doubt(tmp_path: Path) -> None:
    source = FIND.replace('return {"path": text}', "return json.loads(text)") + "    return find(on, text)\n"
    test = TEST + '    result = find(0, "x")\n    assert "error" in result\n'
    found = fixes(tmp_path, source, test, unsafe=True)
    assert reasons(found.fixed) == ["this test may get its error from another answer of `find`"]
    assert b"pytest.raises" in found.contents["tests/test_server.py"][1]


ASKING = {
    "a function": ("def failed(r):\n    return isinstance(r, dict) and 'error' in r\n\n\n", "failed(r)", True),
    "one with a docstring": (
        'def failed(r) -> bool:\n    """Whether it failed."""\n    return bool(r.get("error"))\n\n\n', "failed(r)", True
    ),
    "one that asks another": (
        "def no(r):\n    return 'error' in r\n\n\ndef failed(r):\n    return no(r)\n\n\n", "failed(r)", True
    ),
    "one that does more": ("def failed(r):\n    apply(r)\n    return 'error' in r\n\n\n", "failed(r)", False),
    "one that may ask something else": ("def failed(r, k='error'):\n    return k in r\n\n\n", "failed(r)", False),
    "one that is decorated": ("@apply\ndef failed(r):\n    return 'error' in r\n\n\n", "failed(r)", False),
    "one that asks for something else": ("def failed(r):\n    return len(r) > 1\n\n\n", "failed(r)", False),
}  # fmt: skip


@pytest.mark.parametrize(("function", "test", "is_read"), ASKING.values(), ids=ASKING)
def test_a_check_by_a_function_of_the_project_is_read(tmp_path: Path, function: str, test: str, is_read: bool) -> None:
    use = f"r = find(on, text)\nif {test}:\n    return r\nreturn dict(r)\n"
    found = fixes(tmp_path, FIND.replace("def find", f"{function}def find") + body(use), unsafe=True)
    said = ["a caller does more with the result of `find` than to return it"]
    assert reasons(found.refused) == ([] if is_read else said)
    if is_read:
        assert b"    r = find(on, text)\n    return dict(r)\n" in found.contents["shop/server.py"][1]


BASE = """\
class Base:
    def failed(self, r):
        return 'error' in r


class Store(Base):
    def __init__(self):
        self.on = 0

    def find(self, text):
        if not self.on:
            return {"error": f"no {text}"}
        return {"path": text}

    @server.tool()
    @handle_errors(empty_result={"path": "", "count": 0})
    def read(self, text: str):
        r = self.find(text)
        if self.failed(r):
            return r
        return dict(r)
"""


@pytest.mark.parametrize("more", ["", "\n\nclass Other(Store):\n    def failed(self, r):\n        return False\n"])
def test_a_check_by_a_method_is_read_where_no_other_has_its_name(tmp_path: Path, more: str) -> None:
    head = FIND[: FIND.index("def find")]
    found = fixes(tmp_path, head + BASE + more, unsafe=True)
    said = ["a caller does more with the result of `Store.find` than to return it"]
    assert reasons(found.refused) == (said if more else [])


HANDED_OUT = {
    "a lambda": "json.loads = lambda text: {'error': 'gone'}\n",
    "a function": "def loads(text):\n    return {'ok': False}\n\njson.loads = loads\n",
    "a value": "json.loads.return_value = {'error': 'gone'}\n",
    "a status": "json.loads.return_value = {'status_code': 404, 'body': {}}\n",
    "an argument": "json.loads = Mock(return_value={'error': 'gone'})\n",
}


@pytest.mark.parametrize("stand_in", HANDED_OUT.values(), ids=HANDED_OUT)
def test_a_test_that_may_get_the_error_of_its_stand_in_is_named_alone(tmp_path: Path, stand_in: str) -> None:
    source = FIND.replace('return {"path": text}', "return json.loads(text)") + "    return find(on, text)\n"
    test = TEST + body(f'{stand_in}result = find(0, "x")\nassert "error" in result\n')
    found = fixes(tmp_path, source, test, unsafe=True)
    assert reasons(found.fixed) == ["a test looks for an error of `find`"]
    assert set(found.contents) == {"shop/server.py"}


def test_a_test_names_no_error_whose_text_the_function_has_twice(tmp_path: Path) -> None:
    twice = 'if on > 1:\n        return dict([("error", "no x")])\n    return {"path": text}'
    source = FIND.replace('f"no {text}"', '"no x"').replace('return {"path": text}', twice)
    test = TEST + '    assert find(2, "x")["error"] == "no x"\n'
    found = fixes(tmp_path, source + "    return find(on, text)\n", test)
    assert reasons(found.hidden) == ["this test may get its error from another answer of `find`"]


def test_a_test_of_a_method_is_rewritten_in_doubt(tmp_path: Path) -> None:
    source = RAISING[: RAISING.index("def find")] + (
        'class Store:\n    def find(self, on):\n        if not on:\n            return {"error": "no"}\n'
        "        return {}\n\n\nstore = Store()\n\n\n"
        "@server.tool()\n@handle_errors(empty_result={})\ndef read(on):\n    return store.find(on)\n"
    )
    test = 'def test_it(store):\n    assert store.find(0)["error"] == "no"\n'
    found = fixes(tmp_path, source, test, unsafe=True)
    assert reasons(found.fixed) == ["it cannot be told whether `store.find` of a test is `Store.find`"]
    assert (
        b'with pytest.raises(ShopError, match="no"):\n        store.find(0)'
        in found.contents["tests/test_server.py"][1]
    )


def test_a_test_that_must_not_be_changed_is_named_with_its_line(tmp_path: Path) -> None:
    test = TEST + '    assert "error" in find(0, "x")\n'
    found = fixes(tmp_path, FIND + "    return find(on, text)\n", test, editable=frozenset({"shop/server.py"}))
    assert reasons(found.refused) == ["also needs tests/test_server.py:5; run `errlint --fix`"]


@pytest.mark.parametrize("line", ["from shop.server import find", "from shop.server import *"])
def test_a_test_knows_a_function_by_a_module_that_hands_it_on(tmp_path: Path, line: str) -> None:
    test = "from shop import api\n\n\ndef test_it():\n    assert 'no' in api.find(0, 'x')['error'] and api.rest()\n"
    server = FIND + "    return find(on, text)\n"
    write(tmp_path, {"__init__": "", "errors": ERRORS, "server": server, "api": f"{line}\n"}, test)
    assert looks_in_test(tmp_path, USED) == [("a test looks for an error of `find`", "5")]


def test_the_tests_of_another_distribution_are_looked_at_where_they_import_the_package(tmp_path: Path) -> None:
    write(tmp_path / "kit", {"__init__": "", "errors": ERRORS, "server": FIND + "    return find(on, text)\n"}, "")
    (tmp_path / "kit" / "pyproject.toml").write_text('[project]\nname = "kit"\n', encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    (tmp_path / "tests").mkdir()
    for name, package in (("near", "shop.server"), ("far", "store")):
        test = f"from {package} import find\n\n\ndef test_it():\n    assert 'error' in find(0, 'x')\n"
        (tmp_path / "tests" / f"test_{name}.py").write_text(test, encoding="utf-8")
    settings = load(tmp_path, config=None, isolated=False, overrides=CommandLine(select=("ERR101",))).settings
    request = Request(settings=settings, use_cache=False)
    found = find_fixes(request, check(request).findings, unsafe=False)
    assert sorted(found.contents) == ["kit/shop/server.py", "tests/test_near.py"]


# --- tests of what a boundary covers ---------------------------------------------------------------------------------

READ = """\
from toolkit import mark, server
from shop.errors import ShopError, handle_errors


@server.tool()
@handle_errors(empty_result={"count": 0})
def read(on):
    if not on:
        return {"success": False, "error": "no", "count": 0, "kind": "x"}
    return {"success": True, "count": 1, "kind": "y"}
"""
READ_TEST = "from shop.server import read\n\n\ndef test_it():\n"
READ_LOST = {
    "a marker": ('result = read(0)\nassert result["success"] is False\n', "`success`", 6),
    "a key": ('result = read(0)\nassert "error" in result\nassert result["kind"] == "x"\n', "`kind`", 7),
    "a key in a loop": (
        'for on in (0, ""):\n    r = [read(on)]\n    assert r[0]["error"] and r[0]["kind"]\n',
        "`kind`",
        7,
    ),
    "a key by a client": (
        'found = server.call_tool("read", {"on": 0}).data\nassert found["error"] and found["kind"] == "x"\n',
        "`kind`",
        6,
    ),
    "a key by a client that is told a name in a variable": (
        'for name in ("read",):\n    found = json.loads(server.call_tool(name, {"on": 0}).content[0].text)\n'
        '    assert found["success"] is False\n',
        "`success`",
        7,
    ),
    "the whole": (
        'assert read(0) == {"success": False, "error": "no", "count": 0, "kind": "x"}\n',
        "the whole",
        5,
    ),
}


RAISED_READ = READ.replace(
    'return {"success": False, "error": "no", "count": 0, "kind": "x"}',
    'raise ShopError("no", context={"kind": "x"})',
)


@pytest.mark.parametrize(("test", "read", "line"), READ_LOST.values(), ids=READ_LOST)
def test_a_fix_is_unsafe_where_a_test_reads_of_the_answer_of_a_boundary(
    tmp_path: Path, test: str, read: str, line: int
) -> None:
    shop(tmp_path, READ, READ_TEST + body(test))
    found = looks_in_test(tmp_path, RAISED_READ)
    assert (f"a test reads {read} of the answer of `read`, which `envelope` does not have", str(line)) in found
    assert {place for _, place in found} == {str(line)}


def test_a_fix_is_unsafe_where_a_helper_of_a_test_reads_of_the_answer_of_a_boundary(tmp_path: Path) -> None:
    test = READ_TEST.replace("def test_it", "def ask(on):\n    return read(on)\n\n\ndef test_it")
    test += '    assert ask(0)["success"] is False\n'
    shop(tmp_path, READ, test)
    asked = [("a test reads `success` of the answer of `read`, which `envelope` does not have", "9")]
    assert looks_in_test(tmp_path, RAISED_READ) == asked


TEXT = READ.replace('{"success": False, "error": "no", "count": 0, "kind": "x"}', 'f"Error: {on} is not there"')
LONG = "is not there, nor where anybody would look for it"
TEXT_ASSERTED = {
    "a part of it": (
        'result = read(0)\nassert "is not there" in result\n',
        'result = read(0)\nassert "is not there" in result["error"]\n',
    ),
    "a part of it in lower case, and more": (
        'result = read(0)\nassert "not there" in result.lower(), result\nassert "x" not in result\n',
        'result = read(0)\nassert "not there" in result["error"].lower(), result\nassert "x" not in result["error"]\n',
    ),
    "what is filled in": (
        'result = read(0)\nassert "Error: 0 is" in result\n',
        'result = read(0)\nassert "Error: 0 is" in result["error"]\n',
    ),
    "on a line that gets too long": (
        f'result = read(0)\nassert "Error: 0 {LONG}" in result\n',
        f'result = read(0)\nassert (\n    "Error: 0 {LONG}" in result["error"]\n)\n',
    ),
    "on a line that gets too long by far": (
        f'result = read(0)\nassert "Error: {LONG}, {LONG[:8]}" in result\n',
        f'result = read(0)\nassert (\n    "Error: {LONG}, {LONG[:8]}"\n    in result["error"]\n)\n',
    ),
    "on a line of its own that gets too long": (
        f'result = read(0)\nassert (\n    "Error: 0 {LONG}, is" in result\n)\n',
        f'result = read(0)\nassert (\n    "Error: 0 {LONG}, is"\n    in result["error"]\n)\n',
    ),
    "its beginning": (
        'result = read(0)\nassert result.startswith("Error")\n',
        'result = read(0)\nassert result["error"].startswith("Error")\n',
    ),
}


@pytest.mark.parametrize(("test", "after"), TEXT_ASSERTED.values(), ids=TEXT_ASSERTED)
def test_a_test_of_an_answered_text_asks_for_the_message(tmp_path: Path, test: str, after: str) -> None:
    found = fixes(tmp_path, TEXT, READ_TEST + body(test), unsafe=True)
    assert found.contents["tests/test_server.py"][1].decode() == READ_TEST + body(after)
    assert "this test may get its text from another answer of `read`" in reasons(found.fixed)
    again = TEXT.replace("return f", "raise ShopError(f").replace('there"', 'there")')
    assert fixes(tmp_path / "again", again, READ_TEST + body(after), unsafe=True).contents == {}


def test_a_test_of_an_answered_text_tells_it_from_another_by_how_it_begins(tmp_path: Path) -> None:
    text = TEXT.replace('{"success": True, "count": 1, "kind": "y"}', 'f"Added {on} to {on}"')
    test = 'result = read(0)\nassert "Error: added to 0" in result\n'
    found = fixes(tmp_path, text, READ_TEST + body(test), unsafe=True)
    after = test.replace("in result", 'in result["error"]')
    assert found.contents["tests/test_server.py"][1].decode() == READ_TEST + body(after)


TEXT_READ = {
    "at once": ('assert "is not there" in read(0)\n', 5),
    "and hands it on": ('result = read(0)\nassert "is not there" in result\nprint(result)\n', 6),
    "that another answer has": ('result = read(0)\nassert "there" in result\n', 6),
}


@pytest.mark.parametrize(("test", "line"), TEXT_READ.values(), ids=TEXT_READ)
def test_a_fix_is_unsafe_where_a_test_looks_for_a_text_that_was_answered(tmp_path: Path, test: str, line: int) -> None:
    text = TEXT.replace('{"success": True, "count": 1, "kind": "y"}', '"it is there"')
    raised = text.replace('return f"Error: {on} is not there"', 'raise ShopError(f"Error: {on} is not there")')
    shop(tmp_path / "covered", text, READ_TEST + body(test))
    found = looks_in_test(tmp_path / "covered", raised)
    assert ("a test looks for a text that `read` answered", str(line)) in found
    assert {place for _, place in found} == {str(line)}
    inner = ("def read(on)", "def ask(on):\n    return read(on)\n\n\ndef read(on)")
    shop(tmp_path / "inner", text.replace(*inner), READ_TEST + body(test))
    asked = [("a test looks for an error of `read`", str(line))]
    assert looks_in_test(tmp_path / "inner", raised.replace(*inner)) == asked


def test_a_test_of_another_text_stays(tmp_path: Path) -> None:
    found = fixes(tmp_path, TEXT, READ_TEST + '    assert "count" in read(1)\n', unsafe=True)
    assert set(found.contents) == {"shop/server.py"}


def test_a_fix_is_unsafe_where_a_test_reads_a_marker_that_a_factory_gives(tmp_path: Path) -> None:
    factory = '\n\ndef fail(text):\n    return {"success": False, "error": text}\n'
    server = READ.replace('{"success": False, "error": "no", "count": 0, "kind": "x"}', 'fail("no")')
    shop(tmp_path, server + factory, READ_TEST + "    check = read\n    assert not check(0)['success']\n")
    asked = [("a test reads `success` of the answer of `read`, which `envelope` does not have", "6")]
    assert looks_in_test(tmp_path, server.replace('return fail("no")', 'raise ShopError("no")'), "ERR102") == asked


def test_a_fix_is_unsafe_where_a_test_that_imports_everything_reads_of_the_answer_of_a_boundary(
    tmp_path: Path,
) -> None:
    test = "from shop.server import *\n\n\ndef test_it():\n    check = read\n    assert not check(0)['success']\n"
    shop(tmp_path, READ, test)
    asked = [("a test reads `success` of the answer of `read`, which `envelope` does not have", "6")]
    assert looks_in_test(tmp_path, RAISED_READ) == asked


def test_a_fix_is_in_doubt_where_a_client_may_get_a_value_of_an_error(tmp_path: Path) -> None:
    test = READ_TEST + '    found = server.call_tool("read", {})\n    assert found["kind"] == '
    found = fixes(tmp_path / "error", READ, test + '"x"\n', unsafe=True)
    told = "a test may read `kind` of an error of `read`, which `envelope` does not have"
    assert told in reasons(found.fixed)
    assert told not in reasons(fixes(tmp_path / "success", READ, test + '"y"\n', unsafe=True).fixed)


REGISTERED_TEST = """\
from shop.server import read, server


@pytest.fixture
def client():
    server.add_tool(read)
    return server


def test_other(client):
    assert client.call_tool("write", {})["kind"]["error"]


"""


def test_a_test_that_registers_a_tool_is_asked_where_it_is_called(tmp_path: Path) -> None:
    by_client = '    found = client.call_tool("shop_read", {})\n    assert found["error"] and found["kind"]\n'
    shop(tmp_path / "asked", READ, f"{REGISTERED_TEST}def test_it(client):\n{by_client}")
    asked = [("a test reads `kind` of the answer of `read`, which `envelope` does not have", "16")]
    assert looks_in_test(tmp_path / "asked", RAISED_READ) == asked
    by_client = '    assert client.call_tool("shop_read", {})["count"] == 0\n'
    shop(tmp_path / "not asked", READ, f"{REGISTERED_TEST}def test_it(client):\n{by_client}")
    assert looks_in_test(tmp_path / "not asked", RAISED_READ) == []


READ_KEPT = {
    "the error": 'result = read(0)\nassert result["error"] == "no"\nassert result["count"] == 0\n',
    "a key of a success": 'result = read(1)\nassert result["success"] is True\nassert result["kind"] == "y"\n',
    "the whole of a success": 'assert read(1) == {"success": True, "count": 1, "kind": "y"}\n',
}


@pytest.mark.parametrize("test", READ_KEPT.values(), ids=READ_KEPT)
def test_a_test_of_the_answer_of_a_boundary_may_stay_that_reads(tmp_path: Path, test: str) -> None:
    found = fixes(tmp_path, READ, READ_TEST + body(test), unsafe=True)
    assert set(found.contents) == {"shop/server.py"}


def test_a_test_that_a_fix_makes_stale_holds_no_other_fix_back(tmp_path: Path) -> None:
    other = READ.replace('"success": False, ', "").replace('"kind": "x"', '"path": "x"')
    test = 'from shop.server import find\n\n\ndef test_it():\n    assert find(0, "x")["success"] is False\n'
    write(
        tmp_path, {"__init__": "", "errors": ERRORS, "server": FIND + "    return find(on, text)\n", "far": other}, test
    )
    found = fixes_in(tmp_path, "ERR101", "ERR108")
    assert list(found.contents) == ["shop/far.py"]
    assert [group.function for group in found.refused] == ["find"]


READ_WHOLE = {
    "its length": "assert len(read(0)) == 1\n",
    "its keys": 'result = read(0)\nassert sorted(result) == ["error"]\n',
    "all of it": 'assert read(0) == {"error": "no"}\n',
    "a key that is not there": 'result = read(0)\nassert "error" in result\nassert "count" not in result\n',
}


@pytest.mark.parametrize("test", READ_WHOLE.values(), ids=READ_WHOLE)
def test_a_fix_is_not_safe_where_a_test_looks_at_all_of_an_answer_that_gets_more_keys(
    tmp_path: Path, test: str
) -> None:
    server = READ.replace('{"success": False, "error": "no", "count": 0, "kind": "x"}', '{"error": "no"}')
    found = fixes(tmp_path, server, READ_TEST + body(test))
    assert not found.contents
    assert "a test of `read` may notice the keys that the boundary adds to an error" in [
        doubt.text for group in found.hidden for doubt in group.doubts
    ]


def test_a_fix_is_not_safe_where_a_test_of_all_of_an_answer_imports_everything(tmp_path: Path) -> None:
    server = READ.replace('{"success": False, "error": "no", "count": 0, "kind": "x"}', '{"error": "no"}')
    test = "from shop.server import *\n\n\ndef test_it():\n    result = read(0)\n"
    found = fixes(tmp_path, server, test + '    assert "error" in result\n    assert "count" not in result\n')
    assert not found.contents


def test_a_boundary_that_answers_no_object_has_nothing_of_what_a_test_reads(tmp_path: Path) -> None:
    boundary = 'decorator = "handle_errors"\nenvelope = "is-error"'
    shop(tmp_path, READ, READ_TEST + '    assert read(0)["error"]\n', boundary)
    found = looks_in_test(tmp_path, RAISED_READ)
    assert ("a test looks for an error of `read`, which has another form from now on", "5") in found
    assert {place for _, place in found} == {"5"}


MIDDLEWARE = 'middleware = ["Errors"]\nenvelope = { error = "{message}" }'
AROUND = """\
from toolkit import Errors, server
from shop.errors import ShopError

server.add_middleware(Errors())


@server.tool()
def read(on):
    if not on:
        return {"error": "no"}
    return {}
"""


def test_a_test_that_calls_what_a_middleware_covers_expects_an_exception(tmp_path: Path) -> None:
    test = READ_TEST + '    result = read(0)\n    assert result["error"] == "no"\n'
    found = fixes(tmp_path, AROUND, test, unsafe=True, boundary=MIDDLEWARE)
    expected = HEAD.replace("find", "read") + '    with pytest.raises(ShopError, match="no"):\n        read(0)\n'
    assert found.contents["tests/test_server.py"][1].decode() == expected


TAKEN = {
    "a tool object": 'assert read.fn(0)["error"] == "no"\n',
    "a table of tools": 'assert tools["read"](0)["error"] == "no"\n',
    "a server": 'assert server.get_tool("read").fn(0)["error"] == "no"\n',
}


RAISED_AROUND = AROUND.replace('return {"error": "no"}', 'raise ShopError("no")')


@pytest.mark.parametrize("test", TAKEN.values(), ids=TAKEN)
def test_a_fix_is_unsafe_where_a_test_takes_what_a_middleware_covers_out_of(tmp_path: Path, test: str) -> None:
    shop(tmp_path, AROUND, READ_TEST + body(test), MIDDLEWARE)
    asked = [("a test looks for an error of `read`", "5")]
    assert looks_in_test(tmp_path, RAISED_AROUND) == asked


def test_a_decorator_that_may_answer_the_error_makes_the_fix_unsafe(tmp_path: Path) -> None:
    caught = (
        "\n\ndef caught(function):\n    def inner(on):\n        try:\n            return function(on)\n"
        "        except Exception as e:\n            return answer(e)\n    return inner\n"
    )
    decorated = ("@server.tool()\n", "@server.tool()\n@caught\n")
    shop(
        tmp_path,
        AROUND.replace(*decorated) + caught,
        READ_TEST + '    assert read(0)["error"] == "no"\n',
        MIDDLEWARE,
    )
    asked = [("a test looks for an error of `read`, which its decorator `caught` may answer", "5")]
    passing = caught.replace("        except Ex", "        except ShopError:\n            raise\n        except Ex")
    assert looks_in_test(tmp_path, RAISED_AROUND.replace(*decorated) + passing) == asked


MARKS = {
    "itself": ("@marked\n", "def marked(function):\n    function.mark = 1\n    return function\n"),
    "what it is called for": (
        "@marked(1)\n",
        "def marked(mark):\n    def inner(function):\n        return function\n\n    return inner\n",
    ),
}


@pytest.mark.parametrize(("use", "definition"), MARKS.values(), ids=MARKS)
def test_a_decorator_stands_in_no_ones_way_that_gives_back(tmp_path: Path, use: str, definition: str) -> None:
    source = AROUND.replace("@server.tool()\n", f"@server.tool()\n{use}") + f"\n\n{definition}"
    found = fixes(
        tmp_path, source, READ_TEST + '    assert read(0)["error"] == "no"\n', unsafe=True, boundary=MIDDLEWARE
    )
    assert b"pytest.raises(ShopError" in found.contents["tests/test_server.py"][1]


# --- checks that find nothing ---------------------------------------------------------------------------------------


def test_a_stale_check_is_removed(tmp_path: Path) -> None:
    use = 'r = find(on, text)\nif "error" in r:\n    return {}\nif r.get("error"):\n    print(r)\nprint(r)\nreturn {}\n'
    found = fixes(tmp_path, RAISING + body(use))
    assert found.contents["shop/server.py"][1].decode() == RAISING + body("r = find(on, text)\nprint(r)\nreturn {}\n")
    assert [(group.applicability.value, group.findings[0].code) for group in found.fixed] == [("safe", "ERR108")]


STALE = {
    "more than an if": (
        'r = find(on, text)\nreturn {} if "error" in r else r\n',
        "only a check that is an `if` of its own is removed",
    ),
    "an else": (
        'r = find(on, text)\nif "error" in r:\n    return {}\nelse:\n    return r\n',
        "the check has an `else`",
    ),
    "something between": (
        'r = find(on, text)\nprint(1)\nif "error" in r:\n    return {}\nreturn r\n',
        "the check does not follow the call",
    ),
    "a key that would be missing": (
        'r = find(on, text)\nif not r["success"]:\n    return {}\nreturn r\n',
        "`find` may still answer what this looks for",
    ),
}


@pytest.mark.parametrize(("use", "reason"), STALE.values(), ids=STALE)
def test_a_stale_check_stays_with(tmp_path: Path, use: str, reason: str) -> None:
    assert reasons(fixes(tmp_path, RAISING + body(use)).refused) == [reason]


def test_a_fix_is_unsafe_where_a_test_for_many_tools_reads_of_the_answer_of_a_boundary(tmp_path: Path) -> None:
    test = (
        'import json\nimport pytest\n\n\n@pytest.mark.parametrize(("name", "on"), [("list", 1), ("read", 0)])\n'
        "def test_it(name, on):\n    found = json.loads(server.call_tool(name, on).content[0].text)\n"
        '    assert found["success"] is False\n'
    )
    shop(tmp_path, READ, test)
    asked = [("a test reads `success` of the answer of `read`, which `envelope` does not have", "8")]
    assert looks_in_test(tmp_path, RAISED_READ) == asked


@pytest.mark.parametrize("other", ["", "class Store:\n    def find(self, on):\n        return {}\n"])
def test_a_method_of_an_object_that_nothing_is_known_of_may_be_the_only_function_of_its_name(
    tmp_path: Path, other: str
) -> None:
    test = 'def test_find(store):\n    assert "error" in store.find(0, "x")\n'
    write(tmp_path, {"__init__": "", "errors": ERRORS, "store": other}, f"from shop import server\n\n\n{test}")
    server = FIND + "    return find(on, text)\n"
    (tmp_path / "shop/server.py").write_text(server, encoding="utf-8")
    looking = "a test looks for an error of `find`"
    assert looks_in_test(tmp_path, USED) == [(looking, "5")]


CALLED_ELSEWHERE = {
    "under another name inside of a function": (
        'def ask(text):\n    from shop.server import find as sought\n\n    return text and sought(1, text)["path"]\n',
        "a caller does more with the result of `find` than to return it",
    ),
    "from a folder that is put on the path": (
        "sys.path.insert(0, 'shop')\nfrom server import find\n\n\ndef ask(text):\n"
        "    return text and find(1, text)['path']\n",
        "a caller does more with the result of `find` than to return it",
    ),
}


@pytest.mark.parametrize(("other", "reason"), CALLED_ELSEWHERE.values(), ids=CALLED_ELSEWHERE)
def test_a_fix_is_refused_for_a_caller_that_imports_the_function(tmp_path: Path, other: str, reason: str) -> None:
    server = FIND + "    return find(on, text)\n"
    write(tmp_path, {"__init__": "", "errors": ERRORS, "server": server, "other": other}, "")
    assert refusals(fixes_in(tmp_path, *RULES)) == [reason]


@pytest.mark.parametrize("count", [5, 6])
def test_an_error_that_many_callers_would_catch_to_go_on_stays_as_it_is(tmp_path: Path, count: int) -> None:
    callers = "".join(
        f"\n\n@server.tool()\n@handle_errors(empty_result={{}})\ndef read_{number}(on):\n    found = find(on, 'x')\n"
        "    apply(found)\n    return {'path': len(found)}\n"
        for number in range(count)
    )
    server = FIND.partition("\n\n@server.tool()")[0] + callers
    found = fixes(tmp_path, server, unsafe=True)
    refused = [] if count == 5 else ["6 callers of `find` go on with what it answers: raise there first"]
    assert reasons(found.refused) == refused


OF_SEVERAL = """\
import json

from shop import server
from shop.errors import ShopError, handle_errors


def find(on, text):
    if not text:
        return {"status": "error", "error": "no text", "handler": "find"}
    return {"path": text}


def look(on, text):
    if not text:
        return {"status": "error", "error": "nothing to look for", "handler": "look"}
    return {"path": text}


def drop(on, text):
    if not text:
        return {"error": "nothing to drop"}
    return {"path": text}


def run(on, text):
    table = {"find": find, "look": look, "drop": drop}
    return table[on](on, text)


def logged(on, text):
    r = run(on, text)
    apply(on, r)
    return r


@server.tool()
@handle_errors(empty_result={})
def read(ons, text):
    rows = []
    for on in ons:
        r = logged(on, text)
        rows.append(r)
    return {"rows": rows}
"""


def test_a_handler_that_puts_an_answer_together_again_does_so_for_other_errors_too(tmp_path: Path) -> None:
    shop(tmp_path, OF_SEVERAL)
    found = fixes_in(tmp_path, *RULES)
    text = found.contents["shop/server.py"][1].decode()
    assert not found.refused
    again = '    try:\n        r = run(on, text)\n    except ShopError as exc:\n        r = {"error": str(exc)}\n'
    assert f"{again}        apply(on, r)\n        raise\n" in text
    assert '        except ShopError as exc:\n            r = {"error": str(exc)}\n        rows.append(r)\n' in text
    assert text.count("try:") == 2
    assert "no error that is caught here has `handler` any more" in reasons(found.fixed)
    assert "the error of `logged` has no `handler` here any more" in reasons(found.fixed)


WAITED_LATER = """\
import inspect
import json

from shop import server
from shop.errors import ShopError, handle_errors


class Agent:
    def table(self):
        return {"find": self.find, "look": self.look}

    async def find(self, text):
        if not text:
            return {"status": "error", "error": "no text"}
        return {"path": text}

    def look(self, text):
        if not text:
            return {"error": "nothing to look for"}
        return {"path": text}

    def dispatch(self, on, text):
        table = self.table()
        chosen = table.get(on)
        return chosen(text)

    def call(self, on, text):
        r = self.dispatch(on, text)
        apply(on, r)
        return r

    async def run(self, ons, text):
        rows = []
        for on in ons:
            r = self.call(on, text)
            if inspect.isawaitable(r):
                r = await r
            rows.append(json.dumps(r))
        return rows


agent = Agent()


@server.tool()
@handle_errors(empty_result={})
async def read(ons, text):
    return {"rows": await agent.run(ons, text)}
"""


def test_an_error_is_caught_where_a_caller_waits_for_what_others_hand_on(tmp_path: Path) -> None:
    shop(tmp_path, WAITED_LATER)
    found = fixes_in(tmp_path, *RULES)
    text = found.contents["shop/server.py"][1].decode()
    again = (
        "            if inspect.isawaitable(r):\n                try:\n                    r = await r\n"
        "                except ShopError as exc:\n"
        '                    r = {"status": "error", "error": str(exc)}\n'
    )
    assert again in text
    assert 'r = self.call(on, text)\n            except ShopError as exc:\n                r = {"error"' in text
