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
    "a check that answers the text by another default and has an else": (
        'r = find(on, text)\nif "error" not in r:\n    return {"path": ""}\nelse:\n'
        '    return {"error": r.get("error", "no"), "path": ""}\n',
        'find(on, text)\nreturn {"path": ""}\n',
    ),
    "a check that does nothing about an error": (
        'r = find(on, text)\nif "error" not in r:\n    print(r)\nreturn {}\n',
        "try:\n    r = find(on, text)\nexcept ShopError:\n    pass\nelse:\n    print(r)\nreturn {}\n",
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
    "a check of a result that another branch reads by the same name": (
        'if on:\n    r = find(on, text)\n    if "error" in r:\n        return r\n    return {}\n'
        'elif text:\n    r = find(text, on)\n    if "error" in r:\n        return r\n    return dict(r)\nreturn {}\n',
        "if on:\n    find(on, text)\n    return {}\n"
        "elif text:\n    r = find(text, on)\n    return dict(r)\nreturn {}\n",
    ),
    "a check of a result that is read where it cannot come": (
        'if on:\n    r = find(on, text)\n    if "error" in r:\n        return r\n    return {}\n'
        "r = apply(text)\nreturn r\n",
        "if on:\n    find(on, text)\n    return {}\nr = apply(text)\nreturn r\n",
    ),
    "a check of a result before what is done finally": (
        'try:\n    r = find(on, text)\n    if "error" in r:\n        return r\n    return {}\nfinally:\n    print(1)\n',
        "try:\n    find(on, text)\n    return {}\nfinally:\n    print(1)\n",
    ),
    "a check of a result in a loop that binds the name again": (
        'for _ in text:\n    r = find(on, text)\n    if "error" in r:\n        return r\n    r = {}\n    print(r)\n'
        "return {}\n",
        "for _ in text:\n    find(on, text)\n    r = {}\n    print(r)\nreturn {}\n",
    ),
    "a check that answers the text by another default": (
        'r = find(on, text)\nif "error" in r:\n    return {"error": r.get("error", "no"), "path": ""}\nreturn {}\n',
        "find(on, text)\nreturn {}\n",
    ),
    "a check with an empty line before what it does with an error": (
        'r = find(on, text)\nif "error" not in r:\n    return dict(r)\n\nprint(r["error"])\nreturn {}\n',
        "try:\n    r = find(on, text)\nexcept ShopError as exc:\n    print(str(exc))\n    return {}\nreturn dict(r)\n",
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
    "a check of what kind an answer is": 'r = find(on, text)\nif "error" in r:\n    at = 1\nelif "path" in r:\n'
    '    at = 2\nelse:\n    at = 3\nreturn {"path": at}\n',
    "a block that gives the error another text": "r = find(on, text)\n"
    'if "error" in r:\n    r["error"] = text\n    return {}\nreturn {}\n',
    "a block that gives the error a key that is worked out": "r = find(on, text)\n"
    'if "error" in r:\n    r["at"] = apply(on)\n    return {}\nreturn {}\n',
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


SOME_MARKED = FIND.replace(
    '    return {"path": text}\n',
    "    if len(text) > 9:\n"
    '        return {"success": False, "error": f"long {text}"}\n'
    '    return {"path": text, "success": True}\n',
)
"""A function of whose errors one has a flag, and the other has none."""

READS_A_FLAG = {
    "by its key": ('r["success"]', True),
    "with a default": ('r.get("success", True)', True),
    "by nothing": ('r.get("path")', False),
}


@pytest.mark.parametrize(("read", "is_told"), READS_A_FLAG.values(), ids=READS_A_FLAG)
def test_a_flag_that_only_some_errors_had_is_named_where_a_caller_reads_it(
    tmp_path: Path, read: str, is_told: bool
) -> None:
    use = f'r = find(on, text)\nif r.get("error") == "no it":\n    return {{}}\nreturn {{"path": {read}}}\n'
    shop(tmp_path, SOME_MARKED + body(use))
    found = unsafe_alone(tmp_path, *RULES)
    again = '    r = {"success": False, "error": str(exc)}\n'
    assert again in found.contents["shop/server.py"][1].decode()
    told = "every error of `find` has `success` here now, which the caller reads and not every one had"
    assert (told in [text for text, _ in looks(found.fixed)]) is is_told


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
    "the same for its class": (
        'except ShopError as e:\n    r = {"error": str(e)}\n',
        'except ShopError as e:\n    r = {"error": str(e)}\n',
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


OWN_KEYS = {
    "a key that only its own errors have": (
        '{"error": f"no {text}"}',
        '{"error": str(e), "at": 1}',
        "no error that is caught here has `at` any more",
    ),
    "no key that only the errors of the function have": (
        '{"error": f"no {text}", "at": 1}',
        '{"error": str(e)}',
        "the error of `find` has no `at` here any more",
    ),
}


@pytest.mark.parametrize(("answered", "put", "gone"), OWN_KEYS.values(), ids=OWN_KEYS)
def test_a_handler_around_a_call_is_left_where_a_key_is_read_and_it_puts_together(
    tmp_path: Path, answered: str, put: str, gone: str
) -> None:
    source = FIND.replace('{"error": f"no {text}"}', answered)
    use = "try:\n    r = find(on, text)\nexcept Exception as e:\n    r = PUT\napply(r, r.get('KEY'))\nreturn {}\n"
    shop(tmp_path, source + body(use.replace("PUT", put).replace("KEY", "at")))
    found = fixes_in(tmp_path, *RULES)
    assert (reasons(found.refused), found.contents) == (["the caller reads `at` of an error"], {})
    (tmp_path / "shop" / "server.py").write_text(source + body(use.replace("PUT", put).replace("KEY", "path")))
    found = fixes_in(tmp_path, *RULES)
    assert reasons(found.refused) == []
    assert gone in reasons(found.fixed)
    kept = body(use.replace("PUT", '{"error": str(e)}').replace("KEY", "path"))
    assert found.contents["shop/server.py"][1].decode().endswith(kept)


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


def test_of_several_errors_what_all_have_and_markers_are_put_together_again(tmp_path: Path) -> None:
    one, other = '{"error": "no on", "success": False, "at": 1, "of": 2}', '{"error": "none", "at": 1, "of": 3}'
    more = f"    if not text:\n        return {other}\n"
    source = FIND.replace('{"error": f"no {text}"}', one).replace(
        '    return {"path": text}', f'{more}    return {{"path": text}}'
    )
    shop(tmp_path, source + body("r = find(on, text)\napply(r)\nreturn {}\n"))
    found = fixes_in(tmp_path, *RULES)
    again = '        r = {"success": False, "error": str(exc), "at": 1}\n'
    assert again in found.contents["shop/server.py"][1].decode()
    assert "the error of `find` has no `of` here any more" in reasons(found.fixed)


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


def test_only_the_message_is_put_together_again_in_a_handler_where_a_factory_keeps_the_rest(tmp_path: Path) -> None:
    factory = 'def fail(text):\n    apply(text)\n    return {"error": text, "at": 1}\n\n\n'
    source = FIND.replace('{"error": f"no {text}"}', "fail(text)").replace("def find", f"{factory}def find")
    use = body('try:\n    r = find(on, text)\nexcept Exception as e:\n    r = {"error": str(e)}\napply(r)\nreturn {}\n')
    shop(tmp_path, source + use)
    found = fixes_in(tmp_path, *RULES, "ERR102")
    assert found.contents["shop/server.py"][1].decode().endswith(use)
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


STALE = {
    "has an else": (
        'r = find(on, text)\nif "error" in r:\n    return r\nelse:\n    print(1)\nreturn {}\n',
        "the check has an `else`",
    ),
    "does not follow the call": (
        'r = find(on, text)\nprint(on)\nif "error" in r:\n    return r\nreturn {}\n',
        "the check does not follow the call",
    ),
    "stands below a condition": (
        'r = find(on, text)\nif on:\n    if "error" in r:\n        return r\nreturn {}\n',
        "the check does not follow the call",
    ),
    "is about what was waited for": (
        'r = await find(on, text)\nif "error" in r:\n    return r\nreturn {}\n',
        "the check does not follow the call",
    ),
    "is no statement": (
        'r = find(on, text)\nprint("error" in r)\nreturn {}\n',
        "only a check that is an `if` of its own is removed",
    ),
    "asks for something else, too": (
        'r = find(on, text)\nif "error" in r or on:\n    return r\nreturn {}\n',
        "`find` may still answer what this looks for",
    ),
}


@pytest.mark.parametrize(("use", "text"), STALE.values(), ids=STALE)
def test_a_check_that_finds_nothing_any_more_stays_where_it(tmp_path: Path, use: str, text: str) -> None:
    found = fixes(tmp_path, RAISING + body(use), unsafe=True)
    assert (reasons(found.refused), found.contents) == ([text], {})


def test_checks_that_find_nothing_any_more_go_one_behind_the_other(tmp_path: Path) -> None:
    checks = 'if "error" in r:\n    return r\nif r.get("success") is False:\n    return r\n'
    found = fixes(tmp_path, RAISING + body(f"r = find(on, text)\n{checks}return {{}}\n"))
    assert found.contents["shop/server.py"][1].decode() == RAISING + body("find(on, text)\nreturn {}\n")


def test_a_check_that_finds_nothing_any_more_stays_where_it_is_ignored(tmp_path: Path) -> None:
    checked = "{0} = {1}(on, text)\nif 'error' in {0}:{2}\n    return {0}\n"
    look = RAISING[RAISING.index("def find") : RAISING.index("@server")].replace("find", "look")
    server = RAISING.replace("def find", f"{look}def find")
    kept = checked.format("r", "find", "  # errlint: ignore[ERR108]")
    shop(tmp_path, server + body(f"{kept}{checked.format('q', 'look', '')}return {{**r, **q}}\n"))
    after = fixes_in(tmp_path, *RULES).contents["shop/server.py"][1].decode()
    assert after == server + body(f"{kept}q = look(on, text)\nreturn {{**r, **q}}\n")


REFUSED = {
    "a check of the beginning of an error": (
        'r = find(on, text)\nif r.get("error", "").startswith("no"):\n    return r\nreturn {}\n',
        "a caller does more with the result of `find` than to return it",
    ),
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


OPAQUE = "return apply(text)"
CHECKED = 'r = find(on, text)\nif "error" in r:\n    '
AGAIN = 'try:\n    r = find(on, text)\nexcept ShopError as exc:\n    r = {"error": str(exc)}\n'
MORE = "clients do not get {} any more, added here to an error of `find`"
OF_ANSWERS = {
    "one with an `elif`": (
        (
            '{"error": text}',
            'return {"path": text}',
            CHECKED + 'return {"path": r["error"]}\nelif on:\n    return {}\nelse:\n    return r\n',
        ),
        [],
        'try:\n    r = find(on, text)\nexcept ShopError as exc:\n    return {"path": str(exc)}\n'
        "if on:\n    return {}\nelse:\n    return r\n",
    ),
    "one for a success with an `elif`": (
        (
            '{"error": text}',
            'return {"path": text}',
            'r = find(on, text)\nif "error" not in r:\n    return r\nelif on:\n    return {}\nelse:\n'
            '    return {"path": r["error"]}\n',
        ),
        [],
        "try:\n    r = find(on, text)\nexcept ShopError as exc:\n    if on:\n        return {}\n    else:\n"
        '        return {"path": str(exc)}\nreturn r\n',
    ),
    "one that gives the error another key": (
        ('{"error": text}', 'return {"path": text}', CHECKED + 'r["at"] = on\n    return r\nreturn {}\n'),
        [MORE.format("`at`")],
        "find(on, text)\nreturn {}\n",
    ),
    "one that gives the error a key it may have": (
        ('{"error": text}', 'return {"path": text}', CHECKED + 'r.setdefault("at", 1)\n    return r\nreturn {}\n'),
        [MORE.format("`at`")],
        "find(on, text)\nreturn {}\n",
    ),
    "one that gives the error two keys, and does more": (
        (
            '{"error": text}',
            'return {"path": text}',
            CHECKED + "r.update(at=1, to=on)\n    print(on)\n    return r\nreturn r\n",
        ),
        [MORE.format("`at`, `to`")],
        "try:\n    r = find(on, text)\nexcept ShopError:\n    print(on)\n    raise\nreturn r\n",
    ),
    "one that an empty error passes": (
        (
            '{"error": text}',
            'return {"path": text}',
            'r = find(on, text)\nif r.get("error"):\n    return r\nreturn {}\n',
        ),
        ["the error may be empty, and the check of the result would not see it"],
        "find(on, text)\nreturn {}\n",
    ),
    "one that reads a part of the error": (
        (
            '{"error": {"message": text, "code": 1}}',
            'return {"path": text}',
            CHECKED + 'return {"path": r["error"]["message"]}\nreturn {}\n',
        ),
        [],
        'try:\n    find(on, text)\nexcept ShopError as exc:\n    return {"path": str(exc)}\nreturn {}\n',
    ),
    "one that reads another key of the error": (
        ('{"error": text, "at": 1}', 'return {"path": text}', CHECKED + 'return {"path": r["at"]}\nreturn {}\n'),
        ["what `find` answered for an error is put together again here"],
        AGAIN.replace("(exc)", '(exc), "at": 1') + 'if "error" in r:\n    return {"path": r["at"]}\nreturn {}\n',
    ),
    "one that hands on what may be another error": (
        ('{"error": f"no {text}"}', OPAQUE, CHECKED + "return r\nprint(r)\nreturn {}\n"),
        [],
        CHECKED + "return r\nprint(r)\nreturn {}\n",
    ),
    "one that reads what may be another error": (
        ('{"error": f"no {text}"}', OPAQUE, CHECKED + 'print(r["error"])\nelse:\n    print(1)\nreturn {}\n'),
        ["what `find` answered for an error is put together again here"],
        AGAIN + 'if "error" in r:\n    print(r["error"])\nelse:\n    print(1)\nreturn {}\n',
    ),
}


@pytest.mark.parametrize(("before", "told", "after"), OF_ANSWERS.values(), ids=OF_ANSWERS)
def test_what_becomes_of_a_check(tmp_path: Path, before: tuple[str, str, str], told: list[str], after: str) -> None:
    payload, end, use = before
    source = FIND.replace('{"error": f"no {text}"}', payload).replace('return {"path": text}', end)
    shop(tmp_path, source + body(use))
    found = fixes_in(tmp_path, *RULES)
    assert reasons(found.refused) == []
    assert [text for text in reasons(found.fixed) if "boundary" not in text and "whether the mess" not in text] == told
    assert found.contents["shop/server.py"][1].decode().endswith(body(after))


PREDICATES = {
    "a function": ('def failed(r):\n    "Tell."\n    return "error" in r\n', "failed(r)"),
    "a function that asks another one": (
        'def has(r):\n    return "error" in r\n\n\ndef failed(answer):\n    return has(answer)\n',
        "failed(r)",
    ),
}


@pytest.mark.parametrize(("predicate", "asked"), PREDICATES.values(), ids=PREDICATES)
def test_a_check_is_read_that_is_the_question_of(tmp_path: Path, predicate: str, asked: str) -> None:
    source = FIND.replace("def find", f"{predicate}\n\ndef find")
    shop(tmp_path, source + body(f"r = find(on, text)\nif {asked}:\n    return r\nreturn {{}}\n"))
    found = fixes_in(tmp_path, *RULES)
    assert reasons(found.refused) == []
    assert found.contents["shop/server.py"][1].decode().endswith(body("find(on, text)\nreturn {}\n"))


NO_PREDICATES = {
    "a function with a decorator": ('@apply\ndef failed(r):\n    return "error" in r\n', "failed(r)"),
    "a function that does more": ('def failed(r):\n    print(r)\n    return "error" in r\n', "failed(r)"),
    "a function of two": ('def failed(r, more=1):\n    return "error" in r\n', "failed(r)"),
    "a function of any": ('def failed(r, *more):\n    return "error" in r\n', "failed(r)"),
    "a function of any names": ('def failed(r, **more):\n    return "error" in r\n', "failed(r)"),
    "a function of one by its name": ('def failed(r, *, key="error"):\n    return key in r\n', "failed(r)"),
    "a function that answers nothing": ("def failed(r):\n    print(r)\n", "failed(r)"),
    "a function that is given it by name": ('def failed(r):\n    return "error" in r\n', "failed(r=r)"),
    "a function that is given what is in it": ('def failed(r):\n    return "error" in r\n', "failed(*r)"),
    "a method of a class": (
        'class Answers:\n    @staticmethod\n    def failed(answer):\n        return "error" in answer\n',
        "Answers.failed(r)",
    ),
    "an async function": ('async def failed(r):\n    return "error" in r\n', "failed(r)"),
    "a function of a parameter's name": ('def failed(self):\n    return "error" in self\n', "failed(r)"),
}


@pytest.mark.parametrize(("predicate", "asked"), NO_PREDICATES.values(), ids=NO_PREDICATES)
def test_a_check_is_not_read_that_is_the_question_of(tmp_path: Path, predicate: str, asked: str) -> None:
    source = FIND.replace("def find", f"{predicate}\n\ndef find")
    use = body(f"r = find(on, text)\nif {asked}:\n    return r\nreturn {{}}\n")
    found = fixes(tmp_path, source + use, unsafe=True)
    assert reasons(found.refused) == ["a caller does more with the result of `find` than to return it"]
    assert found.contents == {}


METHODS = {
    "a method": ("def failed(self, answer):", "", True),
    "a static method": ("@staticmethod\n    def failed(answer):", "", True),
    "a class method": ("@classmethod\n    def failed(cls, answer):", "", True),
    "a method of nothing else": ("def failed(self):", "", False),
    "a method that other classes have": (
        "def failed(self, answer):",
        "class Other:\n    def failed(self): ...\n",
        False,
    ),
}


@pytest.mark.parametrize(("method", "others", "is_read"), METHODS.values(), ids=METHODS)
def test_a_method_checks_by(tmp_path: Path, method: str, others: str, is_read: bool) -> None:
    shelf = f"class Shelf:\n    {method}\n        return 'error' in answer\n\n    def open(self, on, text):\n        "
    before, after = "r = find(on, text)\n        if self.failed(r):\n            return r\n", "find(on, text)\n"
    source = FIND.replace("@server", f"{shelf}{before}        return {{}}\n\n\n{others}@server")
    shop(tmp_path, source + body("return Shelf().open(on, text)\n"))
    found = fixes_in(tmp_path, *RULES)
    assert reasons(found.refused) == (
        [] if is_read else ["a caller does more with the result of `find` than to return it"]
    )
    assert [path for path, (_, text) in found.contents.items() if f"{shelf}{after}" in text.decode()] == (
        ["shop/server.py"] if is_read else []
    )


def test_a_check_that_may_find_another_error_makes_nothing_of_this_one(tmp_path: Path) -> None:
    source = FIND.replace('return {"path": text}', OPAQUE)
    found = fixes(tmp_path, source + body(CHECKED + "return {}\nreturn r\n"), unsafe=True)
    assert (reasons(found.refused), found.contents) == (["`find` may still answer what this looks for"], {})


def test_a_look_is_asked_for_at_the_line_of_a_long_statement_that_speaks_of_the_function(tmp_path: Path) -> None:
    source = FIND + body('return {\n    "on": on,\n    "find": find,\n}\n')
    (group,) = fixes(tmp_path, source, unsafe=True).fixed
    assert source.split("\n")[group.doubts[0].line - 1] == '        "find": find,'


IN_TESTS = {
    "a text": ('assert found["error"] == "no on (1)"', 'pytest.raises(ShopError, match=re.escape("no on (1)"))', ""),
    "a part of a text": ('assert "no on" in found["error"]', 'pytest.raises(ShopError, match="no on")', ""),
    "a marker": ('assert found["success"] is False', "pytest.raises(ShopError)", ""),
    "a key": ('assert "error" in found\nassert "path" not in found', "pytest.raises(ShopError)", ""),
    "more about the text": (
        'assert len(found["error"]) > 3\nassert found["error"].startswith("no")',
        "pytest.raises(ShopError) as caught",
        'assert len(str(caught.value)) > 3\nassert str(caught.value).startswith("no")',
    ),
    "two texts": (
        'assert "no" in found["error"]\nassert "on" in found["error"]',
        'pytest.raises(ShopError, match="no") as caught',
        'assert "on" in str(caught.value)',
    ),
    "another thing, too": (
        'assert found["error"] == "no on (1)"\nassert other',
        'pytest.raises(ShopError, match=re.escape("no on (1)"))',
        "assert other",
    ),
}


@pytest.mark.parametrize(("claims", "header", "kept"), IN_TESTS.values(), ids=IN_TESTS)
def test_a_test_expects_the_exception_that_asserts(tmp_path: Path, claims: str, header: str, kept: str) -> None:
    more, gone = in_test(tmp_path, f'found = find(None, "a")\n{claims}\n', f"{header}\n{kept}")
    assert (more, gone) == ([], [])


GONE_IN_TESTS = {
    "the whole": ('assert found == {"success": False, "error": "no on (1)", "at": 1}', ["at", "success"]),
    "another key": ('assert found["error"] == "no on (1)"\nassert found["at"] == 1', ["at"]),
}


@pytest.mark.parametrize(("claims", "keys"), GONE_IN_TESTS.values(), ids=GONE_IN_TESTS)
def test_what_a_test_asserts_of_keys_that_an_exception_has_not_goes_with(
    tmp_path: Path, claims: str, keys: list[str]
) -> None:
    header = 'pytest.raises(ShopError, match=re.escape("no on (1)"))\n'
    more, gone = in_test(tmp_path, f'found = find(None, "a")\n{claims}\n', header)
    assert (more, gone) == (
        [],
        [f"what a test asserts of `{key}` of an error of `find` goes: an exception has no such key" for key in keys],
    )


LEFT_IN_TESTS = {
    "the whole that is written elsewhere": ("assert found == whole", "a test compares the whole answer of `find`"),
    "the whole as it was once": ("assert snapshot.matches(found)", "a test compares the whole answer of `find`"),
    "the whole, and more": (
        'assert found == {"success": False, "error": error, "at": 1}',
        "a test compares the whole answer of `find`",
    ),
    "a key that the error has not": (
        'assert found["error"]\nassert found.get("size") is None',
        "a test reads `size` of an error of `find`",
    ),
    "the text and a key in one": (
        'assert len(found["error"]) > 3 and found["at"] == 1',
        "a test looks for an error of `find`",
    ),
    "it, where more is done with it": (
        'assert found["error"] == "no on (1)"\nprint(found)',
        "a test looks for an error of `find`",
    ),
    "more about the text, where the name for that is taken": (
        'caught = 1\nassert len(found["error"]) > 3',
        "a test looks for an error of `find`",
    ),
}


@pytest.mark.parametrize(("claims", "told"), LEFT_IN_TESTS.values(), ids=LEFT_IN_TESTS)
def test_a_test_is_left_and_told_of_that_asserts(tmp_path: Path, claims: str, told: str) -> None:
    more, gone = in_test(tmp_path, f'found = find(None, "a")\n{claims}\n', "")
    assert (more, gone) == ([told], [])


MAY_BE_OTHERS = {
    "the text of the one error": ('assert found["error"] == "no on"', "return apply(text)", "no on", []),
    "any error": (
        'assert found["error"]',
        "return apply(text)",
        "",
        ["this test may get its error from another answer of `find`"],
    ),
    "a text that stands elsewhere, too": (
        'assert found["error"] == "no on"',
        'return apply(text, "no on")',
        "no on",
        ["this test may get its error from another answer of `find`"],
    ),
    "the error of a stand-in": (
        'apply.return_value = {"error": "x"}\nfound = find(None, "a")\nassert "error" in found',
        "return apply(text)",
        None,
        ["a test looks for an error of `find`"],
    ),
}


@pytest.mark.parametrize(("claims", "end", "text", "told"), MAY_BE_OTHERS.values(), ids=MAY_BE_OTHERS)
def test_a_test_of_what_may_answer_other_errors_asks_for(
    tmp_path: Path, claims: str, end: str, text: str | None, told: list[str]
) -> None:
    source = FIND.replace('{"error": f"no {text}"}', '{"error": "no on"}').replace('return {"path": text}', end)
    call = "" if "find(" in claims else 'found = find(None, "a")\n'
    test = f"from shop.server import find\n\n\ndef test_it(apply):\n{indent(call + claims, '    ')}\n"
    shop(tmp_path, source + body("return find(on, text)\n"), test)
    found = fixes_in(tmp_path, *RULES)
    assert [each for each, _ in looks(found.fixed, "tests/")] == told
    header = f'ShopError, match="{text}"' if text else "ShopError"
    after = found.contents.get("tests/test_server.py", (b"", test.encode()))[1].decode()
    assert (f'    with pytest.raises({header}):\n        find(None, "a")\n' in after) is (text is not None)


OF_METHODS = {
    "of an object of the test": ("Shelf().find", "a test looks for an error of `Shelf.find`"),
    "of an object with a name": ("shelf.find", "it cannot be told whether `shelf.find` of a test is `Shelf.find`"),
}


@pytest.mark.parametrize(("called", "told"), OF_METHODS.values(), ids=OF_METHODS)
def test_a_look_is_asked_for_at_a_test_of_a_method(tmp_path: Path, called: str, told: str) -> None:
    start, end = FIND.index("def find"), FIND.index("@server")
    shelf = FIND[start:end].replace("(on", "(self, on").strip()
    source = f"{FIND[:start]}class Shelf:\n{indent(shelf, '    ')}\n\n\n{FIND[end:]}"
    claims = f"    found = {called}(None, 'a')\n    assert found['error'] == 'no a'\n"
    test = f"from shop.server import Shelf\n\n\ndef test_it(shelf):\n{claims}"
    shop(tmp_path, source + body("return Shelf().find(on, text)\n"), test)
    assert [each for each, _ in looks(fixes_in(tmp_path, *RULES).fixed, "tests/")] == [told]


def test_a_test_is_left_where_a_decorator_may_answer_the_error(tmp_path: Path) -> None:
    claims = "    found = find(None, 'a')\n    assert found['error'] == 'no a'\n"
    test = f"from shop.server import find\n\n\ndef test_it():\n{claims}"
    shop(tmp_path, FIND.replace("def find", "@apply\ndef find") + body("return find(on, text)\n"), test)
    found = fixes_in(tmp_path, *RULES)
    told = "a test looks for an error of `find`, which its decorator `apply` may answer"
    assert ([each for each, _ in looks(found.fixed, "tests/")], [*found.contents]) == ([told], ["shop/server.py"])


THROUGH = {
    "by its name": ("from shop.server import find\n", "from shop.api import find\n", True, []),
    "with all others": ("from shop.server import *\n", "from shop.api import find\n", True, []),
    "by another name": ("from shop.server import find as look\n", "from shop.api import look as find\n", True, []),
    "with all others of that": (
        "from shop.server import find\n",
        "from shop.api import *\n",
        False,
        ["a test looks for an error of `find`"],
    ),
    "from somewhere else": ("from shop.other import find\n", "from shop.api import find\n", False, []),
    "by a name that is not there": ("from shop.server import find\n", "from shop.api import look as find\n", False, []),
    "in a file that cannot be read": (
        "",
        "from shop.server import find\n\n\ndef broken(:\n",
        False,
        ["a test uses `find`, and would get an exception from it"],
    ),
}


@pytest.mark.parametrize(("api", "imports", "is_changed", "told"), THROUGH.values(), ids=THROUGH)
def test_a_test_is_one_of_a_function_that_it_imports_through_another_module(
    tmp_path: Path, api: str, imports: str, is_changed: bool, told: list[str]
) -> None:
    test = "\n\ndef test_it():\n    found = find(None, 'a')\n    assert found['error'] == 'no a'\n"
    shop(tmp_path, FIND + body("return find(on, text)\n"), imports + test)
    (tmp_path / "shop/api.py").write_text(api, encoding="utf-8")
    found = fixes_in(tmp_path, *RULES)
    assert "raise ShopError(" in found.contents["shop/server.py"][1].decode()
    assert ("tests/test_server.py" in found.contents) is is_changed
    assert [each for each, _ in looks(found.fixed, "tests/")] == told


OF_NO_ERROR = {
    "an error that is still answered": (
        "from shop.server import find\n",
        "    found = find(1, '')\n    assert found['error'] == 'no text'\n",
        [],
    ),
    "a function of its own": (
        "from shop import server\n\n\ndef find(on):\n    return vars(server)['find'](on, '')['path']\n",
        "    assert find(None)['error']\n",
        ["a test looks for an error of `find`"],
    ),
    "a mock": ("", "    assert mock_server.find(None)['error']\n", []),
    "a function from elsewhere": ("from elsewhere import find\n", "    assert find(None)['error']\n", []),
}


@pytest.mark.parametrize(("imports", "claims", "told"), OF_NO_ERROR.values(), ids=OF_NO_ERROR)
def test_what_is_told_of_a_test_that_is_left_of(tmp_path: Path, imports: str, claims: str, told: list[str]) -> None:
    twice = '    if not text:\n        return {"error": "none", "error": "no text"}\n'
    source = FIND.replace('    return {"path"', f'{twice}    return {{"path"')
    shop(tmp_path, source + body("return find(on, text)\n"), f"{imports}\n\ndef test_it(mock_server):\n{claims}")
    found = fixes_in(tmp_path, *RULES)
    assert ([text for text, _ in looks(found.fixed, "tests/")], [*found.contents]) == (told, ["shop/server.py"])


def test_a_test_of_unittest_expects_the_exception(tmp_path: Path) -> None:
    claims = 'self.assertIn("no", found["error"])\nself.assertEqual(len(found["error"]), 9)\n'
    after = 'self.assertRaisesRegex(ShopError, "no") as caught\nself.assertEqual(len(str(caught.exception)), 9)'
    assert in_test(tmp_path, f'found = find(None, "a")\n{claims}', after) == ([], [])


def in_test(folder: Path, test: str, after: str) -> tuple[list[str], list[str]]:
    """Fix what a test calls; it becomes a ``with`` of the first line of ``after``, with the others behind it.

    Return what is to be looked at in it, and what of that is about keys that are gone.
    """
    source = FIND.replace('{"error": f"no {text}"}', '{"success": False, "error": "no on (1)", "at": 1}')
    use = body("return find(on, text)\n")
    head, start = "from shop.server import find\n\n\n", "def test_it(self, other, whole, error):\n"
    shop(folder, source + use, f"{head}{start}{indent(test, '    ')}")
    found = fixes_in(folder, *RULES)
    assert 'raise ShopError("no on (1)", context={"at": 1})' in found.contents["shop/server.py"][1].decode()
    if after:
        header, *kept = after.splitlines()
        lines = f'with {header}:\n    find(None, "a")\n' + "".join(f"{line}\n" for line in kept)
        changed = found.contents["tests/test_server.py"][1].decode()
        assert changed.partition(start)[2] == indent(lines, "    ")
        assert [name for name in ("pytest", "re") if f"import {name}\n" in changed] == [
            name for name in ("pytest", "re") if f"{name}." in header
        ]
    else:
        assert "tests/test_server.py" not in found.contents
    told = [text for text, _ in looks(found.fixed, "tests/")]
    gone = [text for text in told if text.startswith("what a test asserts")]
    return [text for text in told if text not in gone], gone


ASKED = {
    "another key than the error had": (
        "from shop.server import find\n",
        'find(None, "a")\n    assert found["error"] == "no a"\n    assert found.get("at") is None\n',
        ("a test reads `at` of an error of `find`", "7"),
    ),
    "a function that may be this one": (
        "import pytest\n",
        'server.find(None, "a")\n    assert found\n',
        ("a test uses `find`, and would get an exception from it", "5"),
    ),
}


@pytest.mark.parametrize(("imports", "asked", "told"), ASKED.values(), ids=ASKED)
def test_a_look_is_asked_for_at_a_test_that_asks(
    tmp_path: Path, imports: str, asked: str, told: tuple[str, str]
) -> None:
    shop(tmp_path, FIND + body("return find(on, text)\n"), f"{imports}\n\ndef test_it(server):\n    found = {asked}")
    assert looks_in_test(tmp_path, RAISING + body("return find(on, text)\n")) == [told]


ANSWERED = 'if not on:\n    return {"error": "no on", "at": 1}\nreturn {"path": text}\n'
OF_TOOLS = {
    "the whole of an error": (
        'assert found == {"error": "no on", "at": 1}',
        [
            "a test compares a whole payload, and uses `read`",
            "a test of `read` may notice the keys that the boundary adds to an error",
            "a test reads the whole of the answer of `read`, which `envelope` does not have",
        ],
    ),
    "a key that the boundary does not answer": (
        'assert "error" in found and found["at"] == 1',
        [
            "a test of `read` may notice the keys that the boundary adds to an error",
            "a test reads `at` of the answer of `read`, which `envelope` does not have",
        ],
    ),
    "a text in the whole": (
        'assert "no on" in str(found)',
        ["a test of `read` may notice the keys that the boundary adds to an error"],
    ),
    "what the boundary answers, too": ('assert found["error"] == "no on"', []),
    "what a success has": ('assert found["path"] == "a"', []),
}


@pytest.mark.parametrize(("claim", "told"), OF_TOOLS.values(), ids=OF_TOOLS)
def test_what_is_told_of_a_test_of_a_tool_that_reads(tmp_path: Path, claim: str, told: list[str]) -> None:
    source = FIND.replace(FIND[FIND.index("def find") : FIND.index("@server")], "")
    test = f'from shop.server import read\n\n\ndef test_it():\n    found = read(None, "a")\n    {claim}\n'
    shop(tmp_path, source + body(ANSWERED), test)
    raised = ANSWERED.replace('return {"error": "no on", "at": 1}', 'raise ShopError("no on", context={"at": 1})')
    assert looks_in_test(tmp_path, source + body(raised)) == [(text, "6") for text in told]


WHOLE_ELSEWHERE = {
    "in another test": ("def test_other(other):\n    assert other() == {'error': 'x'}\n", False),
    "in a test that names it, too": ("def test_other(other):\n    assert other(read) == {'error': 'x'}\n", True),
    "in no test": ("WHOLE = other() == {'error': 'x'}\n", True),
}


@pytest.mark.parametrize(("compared", "is_told"), WHOLE_ELSEWHERE.values(), ids=WHOLE_ELSEWHERE)
def test_a_whole_error_is_compared_with(tmp_path: Path, compared: str, is_told: bool) -> None:
    source = FIND.replace(FIND[FIND.index("def find") : FIND.index("@server")], "")
    use = "def test_it():\n    assert read(1, 'a')['path'] == 'a'\n"
    shop(tmp_path, source + body(ANSWERED), f"from shop.server import read\n\n\n{compared}\n\n{use}")
    told = "a test compares a whole payload, and uses `read`"
    assert (told in reasons(fixes_in(tmp_path, *RULES).fixed)) is is_told


OF_TEXTS = {
    "in a text": ('assert "no on" in found', 'assert "no on" in found["error"]'),
    "as a whole": ('assert found == "Error: no on"', 'assert found["error"] == "Error: no on"'),
    "at the beginning": ('assert found.startswith("Error")', 'assert found["error"].startswith("Error")'),
    "of another answer": ('assert "none" in found', 'assert "none" in found'),
    "of a text and in another way": (
        "assert 'no on' in found\n    print(found)",
        "assert 'no on' in found\n    print(found)",
    ),
}


def test_a_look_is_asked_for_at_a_test_of_a_text_without_a_name(tmp_path: Path) -> None:
    source = FIND.replace(FIND[FIND.index("def find") : FIND.index("@server")], "")
    test = "from shop.server import read\n\n\ndef test_it():\n    assert 'no on' in read(None, 'a')\n"
    answers = "if not on:\n    return 'Error: no on'\nreturn text\n"
    shop(tmp_path, source + body(answers), test)
    raised = answers.replace("return 'Error: no on'", "raise ShopError('Error: no on')")
    found = looks_in_test(tmp_path, source + body(raised))
    assert ("a test looks for a text that `read` answered", "5") in found


@pytest.mark.parametrize(("before", "after"), OF_TEXTS.values(), ids=OF_TEXTS)
def test_a_test_asks_the_answer_of_the_boundary_for_what_stood(tmp_path: Path, before: str, after: str) -> None:
    source = FIND.replace(FIND[FIND.index("def find") : FIND.index("@server")], "")
    test = "from shop.server import read\n\n\ndef test_it():\n    found = read(None, 'a')\n    CLAIM\n"
    answers = "if not on:\n    return 'Error: no on'\nif not text:\n    return 'none'\nreturn text\n"
    shop(tmp_path, source + body(answers), test.replace("CLAIM", before))
    found = unsafe_alone(tmp_path, *RULES)
    told = [text for text, _ in looks(found.fixed, "tests/") if text.startswith("this test may get its text")]
    assert told == ["this test may get its text from another answer of `read`"] * (before != after)
    texts = {path: text.decode() for path, (_, text) in found.contents.items()}
    assert texts.get("tests/test_server.py", test.replace("CLAIM", before)) == test.replace("CLAIM", after)


def _checking(answers: str, end: str, call: str) -> str:
    """Return a tool with a check that answers, or raises, two texts."""
    whole = f'def find(on, text: str):\n    if not on:\n        {answers}"Error: no text"{end}\n'
    whole += f'    if on == text:\n        {answers}f"Error: {{text}}"{end}\n'
    first = (
        'def find(on, text: str):\n    if not on:\n        return {"error": f"no {text}"}\n    return {"path": text}\n'
    )
    return FIND.replace(first, whole) + body(call)


@pytest.mark.parametrize(
    "call",
    [
        "error = find(on, text)\nif error:\n    return error\nreturn text\n",
        "error = find(on, text)\nif error is not None:\n    return error\nreturn text\n",
        "if error := find(on, text):\n    return error\nreturn text\n",
    ],
)
def test_a_check_that_answers_a_text_raises_it(tmp_path: Path, call: str) -> None:
    found = fixes(tmp_path, _checking("return ", "", call), unsafe=True)
    assert reasons(found.refused) == []
    after = found.contents["shop/server.py"][1].decode()
    assert after == _checking("raise ShopError(", ")", "find(on, text)\nreturn text\n")


NAMED_CHECKS = {
    "does more": "if error := find(on, text):\n    print(error)\n    return error\nreturn text\n",
    "has an else": "if error := find(on, text):\n    return error\nelse:\n    return text\n",
    "is read behind it": "if error := find(on, text):\n    return error\nreturn error or text\n",
    "is read before it": "error = ''\nif error := find(on, text):\n    return error\nreturn text\n",
    "asks for something else, too": "if (error := find(on, text)) and on:\n    return error\nreturn text\n",
}


@pytest.mark.parametrize("call", NAMED_CHECKS.values(), ids=NAMED_CHECKS)
def test_a_check_that_names_a_text_does_not_raise_it_where_it(tmp_path: Path, call: str) -> None:
    found = fixes(tmp_path, _checking("return ", "", call), unsafe=True)
    assert reasons(found.refused) == ["a caller does more with the result of `find` than to return it"]
    assert found.contents == {}
