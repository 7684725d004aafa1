"""Both readers make the same findings: in every example of every page, and in shapes that are hard to read."""

from __future__ import annotations

from pathlib import Path

import pytest
from example_projects import EXAMPLES, variant_of, write

from errlint.findings import Finding
from errlint.request import Request
from errlint.rulebook import Example
from errlint.run import check
from errlint.settings import CommandLine, Settings, load

SERVER = "from fastmcp import FastMCP\nmcp = FastMCP('x')\n@mcp.tool()\n{keyword} tool(a, *, b=None) -> dict:\n{body}\n"

TRICKY = {
    "parentheses around a yield": """\
    x = (yield {'error': 'no'})
    return (yield {'error': 'gone'})""",
    "parentheses and a comment before a value": """\
    return (  # why
        # not
        {'error': a}
    )""",
    "a walrus in the returned payload": """\
    if (r := {'error': 'no'}):
        return r
    return {}""",
    "a walrus in a test": """\
    if (r := find(a)) and r.get('error'):
        return {'error': r['error']}
    return r""",
    "semicolons": """\
    r = {}; r['error'] = 'no'; return r""",
    "a backslash": """\
    return \\
        {'error': 'no'}""",
    "an f-string with quotes and braces": """\
    return {'error': f'{a!r:>{b}} {{no}} {"x" if a else "y"}'}""",
    "a triple-quoted text": """\
    return {'error': '''no
such
  thing'''}""",
    "else of a loop": """\
    for x in a:
        if x:
            r = {'error': x}
            break
    else:
        r = {'ok': True}
    return r""",
    "finally that changes the result": """\
    r = {}
    try:
        r = run(a)
    finally:
        r['error'] = 'no'
    return r""",
    "nested handlers": """\
    try:
        try:
            run()
        except KeyError as e:
            raise
    except Exception as e:
        return {'error': str(e)}
    return {}""",
    "a match statement": """\
    match a:
        case {'x': y}:
            r = {'error': y}
        case [z, *rest]:
            r = {'error': 'list'}
        case _:
            r = {'rows': 1}
    return r""",
    "a union of dicts": """\
    base = {'path': a}
    return base | {'error': 'no'}""",
    "spreads": """\
    base = {'path': a}
    return {**base, **({'error': 'no'} if b else {}), 'x': 1}""",
    "a conditional expression over lines": """\
    return (
        {'rows': 1}
        if a
        else {'error': 'no'}
    )""",
    "a nested function that answers": """\
    def inner():
        return {'error': 'no'}
    return inner()""",
    "a global": """\
    global state
    state = {'error': 'no'}
    return state""",
    "a deleted key": """\
    r = {'error': 'no', 'x': 1}
    del r['error']
    return r""",
    "unreachable code": """\
    return {'rows': 1}
    return {'error': 'no'}""",
    "an endless loop": """\
    while True:
        if a:
            return {'error': 'no'}""",
    "non-ASCII text before the value": """\
    é = 'ü'; return {'error': 'größer als ' + é, 'ß': 1}""",
}


def run(root: Path, *, use_ast: bool = True, jobs: int = 1) -> tuple[Finding, ...]:
    settings: Settings = load(root, overrides=CommandLine(select=("ALL",), jobs=jobs)).settings
    outcome = check(Request(settings, use_cache=False, use_ast=use_ast))
    assert outcome.internal_errors == 0
    return outcome.findings


def assert_same(root: Path) -> None:
    default = run(root)
    assert run(root, use_ast=False) == default


@pytest.mark.parametrize("example", [pytest.param(each, id=f"{code} {each.title}") for code, each in EXAMPLES])
def test_an_example_has_the_same_findings_from_both_readers(example: Example, tmp_path: Path) -> None:
    write(example, tmp_path, variant_of(example, "as written"))
    assert_same(tmp_path)


@pytest.mark.parametrize("keyword", ["def", "async def"])
@pytest.mark.parametrize("body", [pytest.param(body, id=name) for name, body in TRICKY.items()])
def test_a_tricky_function_has_the_same_findings_without_the_gate_and_without_the_ast_tier(
    body: str, keyword: str, tmp_path: Path
) -> None:
    (tmp_path / "errlint.toml").write_text("")
    (tmp_path / "server.py").write_text(SERVER.format(keyword=keyword, body=body), encoding="utf-8")
    assert_same(tmp_path)


HELPERS = """\
def fail(text):
    return {"error": text}


def describe(text):
    return f"Error: {text}"
"""
SCATTERED = {
    "an import in the function around the adapter": """\
def register(server):
    from helpers import describe, fail

    @server.tool()
    def tool(a):
        return fail(a) if a else describe(a)
""",
    "imports under other names": """\
from fastmcp import FastMCP
from helpers import describe as said, fail as no

mcp = FastMCP("x")

@mcp.tool()
def tool(a):
    if a:
        return no(a)
    return said(a)
""",
    "a second name in the module": """\
from fastmcp import FastMCP

mcp = FastMCP("x")

def lookup(a):
    if not a:
        return {"error": "no"}
    return {"row": a}

_lookup_impl = lookup

@mcp.tool()
def tool(a):
    return str(_lookup_impl(a))
""",
    "a decorator of the project's own, on the only adapter": """\
from helpers import my_tool

def lookup(a):
    if not a:
        return {"error": "no"}
    return {"row": a}

@my_tool
def tool(a):
    return a
""",
    "a domain raise whose handler answers a text made before": """\
import json
from fastmcp import FastMCP

mcp = FastMCP("x")

class RowError(Exception):
    pass

@mcp.tool()
def tool(a):
    try:
        if not a:
            raise RowError("no")
        return a
    except Exception as e:
        text = f"{type(e).__name__}: {e}"
        return json.dumps([{"error": text}])
""",
    "a result that is held, and returned by a helper": """\
from fastmcp import FastMCP
from helpers import describe

mcp = FastMCP("x")

def outer(a):
    text = describe(a)
    return text

@mcp.tool()
def tool(a):
    return outer(a)
""",
}


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in SCATTERED.items()])
def test_a_project_has_the_same_findings_without_the_gate_and_without_the_ast_tier(text: str, tmp_path: Path) -> None:
    (tmp_path / "errlint.toml").write_text("")
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "server.py").write_text(text)
    assert run(tmp_path) != ()
    assert_same(tmp_path)


def test_several_processes_report_what_one_does(tmp_path: Path) -> None:
    (tmp_path / "errlint.toml").write_text("")
    padding = "# " + "x" * 200_000 + "\n"
    for index, body in enumerate(TRICKY.values()):
        (tmp_path / f"server{index}.py").write_text(padding + SERVER.format(keyword="def", body=body), encoding="utf-8")
    assert run(tmp_path, jobs=2) == run(tmp_path, jobs=1) != ()
