"""What a run costs against the size of its input: twice the input may cost at most 2.3 times the processor time.

Every case is a file or document that grows in one way only, made at ``n`` and at ``2n`` things of its kind, in a
project of its own. What an empty project costs is taken off both. Figures are processor seconds of the whole run, on
one worker.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import common

LIMIT = 2.3
"""So many times as much for twice the input."""

LEAST = 0.3
"""Less than so many seconds above an empty project is noise."""

TIMEOUT = 60
ERRORS = """\
class LostError(Exception):
    code = "LOST"


def find(key):
    raise LostError(f"no item {key}")


@mcp.tool()
def look(key):
    if key == 2:
        return {"error": "gone", "code": "LOST"}
    return find(key)
"""
CATALOG = "# Error catalog\n\n## LostError\n\n**Message**: `no item`\n\n"
PROJECT = '[project]\nname = "growth"\n[tool.errlint.catalog]\nfiles = ["errors.md"]\n'
TOOL = "@mcp.tool()\ndef tool(a):\n"


@dataclass(frozen=True, slots=True)
class Case:
    """An input that grows: the file it makes beside the others, and its text for ``n`` things."""

    name: str
    file: str
    text: Callable[[int], str]
    size: int


def code(name: str, size: int, text: Callable[[int], str]) -> Case:
    return Case(name, "grown.py", text, size)


def document(name: str, size: int, text: Callable[[int], str]) -> Case:
    return Case(name, "errors.md", lambda n: CATALOG + text(n), size)


def lines(count: int, line: str) -> str:
    """Return a line again and again; ``#`` in it is the number of the line."""
    return "".join(line.replace("#", str(number)) + "\n" for number in range(count))


def rows(count: int, row: str) -> str:
    return "| Code | Message |\n|---|---|\n" + lines(count, row)


CODE = (
    code("assignments to one name", 10_000, lambda n: TOOL + lines(n, "    x = a") + "    return x\n"),
    code("error payloads in one name", 5_000, lambda n: TOOL + lines(n, "    x = {'error': a}") + "    return x\n"),
    code("names in turn", 5_000, lambda n: TOOL + "    x0 = a\n" + lines(n, "    x = f(x, #)") + "    return x\n"),
    code("keys of a name", 10_000, lambda n: TOOL + "    x = {}\n" + lines(n, "    x['k#'] = a") + "    return x\n"),
    code(
        "paths made of each other",
        5_000,
        lambda n: (
            "import sys\n"
            + lines(n, "p = q if a else r\nq = p if b else 'c#'")
            + "sys.path.append(p)\n"
            + TOOL
            + "    return a\n"
        ),
    ),
    code("branches that assign", 3_000, lambda n: TOOL + lines(n, "    if a:\n        x = #") + "    return x\n"),
    code("branches that return", 5_000, lambda n: TOOL + lines(n, "    if a == #:\n        return #")),
    code(
        "branches that answer errors",
        2_000,
        lambda n: TOOL + lines(n, "    if a == #:\n        return {'error': 'e#'}"),
    ),
    code("errors under one condition", 2_000, lambda n: TOOL + lines(n, "    if a:\n        return {'error': 'no'}")),
    code(
        "tools that answer errors",
        1_500,
        lambda n: lines(n, TOOL.replace("tool(a)", "t#(a)") + "    return {'error': 'e#'}\n"),
    ),
    code(
        "try blocks",
        2_000,
        lambda n: TOOL + lines(n, "    try:\n        f(#)\n    except ValueError as e:\n        g(e)"),
    ),
    code(
        "handlers that answer errors",
        2_000,
        lambda n: (
            TOOL + lines(n, "    try:\n        f(#)\n    except ValueError as e:\n        return {'error': str(e)}")
        ),
    ),
    code(
        "handlers of one try",
        2_000,
        lambda n: TOOL + "    try:\n        f(a)\n" + lines(n, "    except E#:\n        return {'error': 'e#'}"),
    ),
    code("loops", 2_000, lambda n: TOOL + lines(n, "    for x in a:\n        f(x)") + "    return a\n"),
    code("with blocks", 2_000, lambda n: TOOL + lines(n, "    with a as x:\n        f(x)") + "    return a\n"),
    code(
        "elif",
        400,
        lambda n: TOOL + "    if a:\n        x = 0\n" + lines(n, "    elif a == #:\n        x = #") + "    return x\n",
    ),
    code(
        "cases",
        2_000,
        lambda n: TOOL + "    match a:\n" + lines(n, "        case #:\n            return {'error': 'e#'}"),
    ),
    code("returns", 20_000, lambda n: TOOL + lines(n, "    return a")),
    code("raises", 10_000, lambda n: TOOL + lines(n, "    if a:\n        raise LostError('no #')")),
    code("a returned mapping", 50_000, lambda n: TOOL + "    return {\n" + lines(n, "        'k#': #,") + "    }\n"),
    code(
        "an error payload",
        30_000,
        lambda n: TOOL + "    return {'error': 'no',\n" + lines(n, "        'k#': #,") + "    }\n",
    ),
    code("a mapping of a module", 50_000, lambda n: "CODES = {\n" + lines(n, "    'E_#': #,") + "}\n"),
    code("a list of a module", 50_000, lambda n: "CODES = [\n" + lines(n, "    'E_#',") + "]\n"),
    code("an enumeration", 10_000, lambda n: "class ErrorCode(str, Enum):\n" + lines(n, "    E_# = 'E_#'")),
    code("codes used", 4_000, lambda n: TOOL + lines(n, "    f(ErrorCode.E_#)")),
    code("codes compared", 4_000, lambda n: TOOL + lines(n, "    if a.code == 'E_#':\n        f(a)")),
    code("parts of a text", 20_000, lambda n: TOOL + "    return {'error': f'" + "{a} b " * n + "'}\n"),
    code("parts of a raised text", 20_000, lambda n: TOOL + "    raise LostError(f'" + "{a} b " * n + "')\n"),
    code("a long text", 400_000, lambda n: TOOL + "    return {'error': '" + "no " * n + "'}\n"),
    code("a long docstring", 20_000, lambda n: TOOL + "    '''\n" + lines(n, "    Raises: LostError") + "    '''\n"),
    code(
        "listed exceptions",
        10_000,
        lambda n: TOOL + "    '''Find.\n\n    Raises:\n" + lines(n, "        LostError: gone") + "    '''\n",
    ),
    code("decorators", 3_000, lambda n: lines(n, "@d#") + TOOL + "    return {'error': 'no'}\n"),
    code("arguments", 10_000, lambda n: TOOL + "    return f(\n" + lines(n, "        k#=a,") + "    )\n"),
    code(
        "arguments of a raise",
        10_000,
        lambda n: TOOL + "    raise LostError(\n" + lines(n, "        k#=a,") + "    )\n",
    ),
    code("parameters", 10_000, lambda n: "def f(\n" + lines(n, "    k#=None,") + "):\n    return {'error': 'no'}\n"),
    code("calls of a function", 10_000, lambda n: "def f(a):\n    return a\n" + TOOL + lines(n, "    f(#)")),
    code(
        "a chain of calls",
        1_500,
        lambda n: lines(n, "def f#(a):\n    return f#1(a)".replace("#1", "#_")) + TOOL + "    return f0(a)\n",
    ),
    code("functions in a chain", 1_500, lambda n: chain(n, "raise LostError('no')")),
    code("errors through a chain", 1_500, lambda n: chain(n, "return {'error': 'no'}")),
    code("functions in a ring", 1_500, lambda n: chain(n, "return f0(a)")),
    code(
        "tools on one function",
        1_500,
        lambda n: (
            "def g(a):\n    raise LostError('no')\n" + lines(n, TOOL.replace("tool(a)", "t#(a)") + "    return g(a)\n")
        ),
    ),
    code(
        "tools on one factory",
        1_500,
        lambda n: (
            "def g(a):\n    return {'error': a}\n" + lines(n, TOOL.replace("tool(a)", "t#(a)") + "    return g('no')\n")
        ),
    ),
    code(
        "factories",
        1_500,
        lambda n: (
            lines(n, "def g#(a):\n    return {'error': a}\n") + TOOL + lines(n, "    if a == #:\n        return g#(a)")
        ),
    ),
    code(
        "classes in a line",
        3_000,
        lambda n: (
            "class E0(Exception):\n    code = 'A'\n" + "".join(f"class E{i + 1}(E{i}):\n    pass\n" for i in range(n))
        ),
    ),
    code(
        "raised classes in a line",
        1_000,
        lambda n: (
            "class E0(Exception):\n    code = 'A'\n"
            + "".join(f"class E{i + 1}(E{i}):\n    pass\n" for i in range(n))
            + TOOL
            + lines(n, "    if a == #:\n        raise E#('no')")
        ),
    ),
    code(
        "classes of one base",
        5_000,
        lambda n: "class E(Exception):\n    code = 'A'\n" + lines(n, "class E#(E):\n    code = 'C#'"),
    ),
    code("methods", 4_000, lambda n: "class T:\n" + lines(n, "    def m#(self, a):\n        return self.m0(a)")),
    code("imports of a module", 10_000, lambda n: lines(n, "from m# import n#")),
    code("imports in functions", 4_000, lambda n: lines(n, "def f#():\n    from m# import n#\n    return n#()")),
    code("comments", 40_000, lambda n: lines(n, "# comment") + ERRORS),
    code("suppressions", 20_000, lambda n: lines(n, "# errlint: ignore[ERR101] reason") + ERRORS),
    code("suppressions of a file", 20_000, lambda n: lines(n, "# errlint: ignore-file[ERR101] reason") + ERRORS),
    code(
        "suppressed findings",
        1_000,
        lambda n: TOOL + lines(n, "    if a == #:\n        return {'error': 'e#'}  # errlint: ignore[ERR101] why"),
    ),
    code("noqa", 20_000, lambda n: lines(n, "x = 1  # noqa: ERR101")),
    code("unclosed strings", 20_000, lambda n: "x = '''a'''\n" + "\\'''" * n),
    code("escaped quotes", 20_000, lambda n: "x = '" + "\\'" * n + "'\n"),
    code(
        "nested functions",
        2_000,
        lambda n: TOOL + lines(n, "    def f#():\n        return {'error': 'no'}") + "    return f0()\n",
    ),
    code("lambdas", 5_000, lambda n: TOOL + lines(n, "    x = lambda: {'error': #}") + "    return x()\n"),
    code("statements of a line", 5_000, lambda n: TOOL + "    " + "x = a; " * n + "return x\n"),
    code("errors of a line", 500, lambda n: "; ".join(f"t{i} = lambda: {{'error': 'no'}}" for i in range(n)) + "\n"),
    code("logs", 4_000, lambda n: TOOL + lines(n, "    logger.error('no %s', a)") + "    return a\n"),
    code("globals", 4_000, lambda n: TOOL + lines(n, "    global g#\n    g# = a") + "    return g0\n"),
    code(
        "assertions in tests",
        3_000,
        lambda n: "from app import look\n\n\n" + lines(n, "def test_#():\n    assert look(#)['error'] == 'no'"),
    ),
)


def chain(count: int, last: str) -> str:
    """Return functions each of which answers what the next one does."""
    inner = "".join(f"def f{number}(a):\n    return f{number + 1}(a)\n" for number in range(count))
    return inner + f"def f{count}(a):\n    {last}\n" + TOOL + "    return f0(a)\n"


DOCUMENTS = (
    document("nested objects", 40_000, lambda n: "```json\n" + '{"a":' * n + "\n```\n"),
    document("nested lists", 40_000, lambda n: '```json\n{"error":' + "[" * n + "\n```\n"),
    document("members", 10_000, lambda n: "```json\n{" + '"a": "b", ' * n + '"error": "x"}\n```\n'),
    document("open quotes", 10_000, lambda n: '```json\n{"error": ' + '"\\' * n + "\n```\n"),
    document("objects", 3_000, lambda n: '```json\n{"error": "no item"}\n```\n\n' * n),
    document("spaces of a heading", 100_000, lambda n: "## a" + " " * n + "b\n"),
    document("words of a heading", 20_000, lambda n: "## " + "word " * n + "\n"),
    document("codes of a heading", 5_000, lambda n: "## " + "`A_B`, " * n + "\n"),
    document("headings", 3_000, lambda n: lines(n, "## NOT_FOUND_#\n\nMessage: no x #\n")),
    document("one heading again", 3_000, lambda n: "## NOT_FOUND\n\nMessage: no x\n\n" * n),
    document("rows", 3_000, lambda n: rows(n, "| `E_#` | no item # |")),
    document("one row again", 3_000, lambda n: rows(n, "| `E_A` | no item |")),
    document("a code of a cell", 20_000, lambda n: rows(1, "| " + "A1" * n + "! | x |")),
    document("codes of a cell", 5_000, lambda n: rows(1, "| " + ", ".join(f"`E_{i}`" for i in range(n)) + " | x |")),
    document("labels", 4_000, lambda n: "## NOT_FOUND\n\n" + lines(n, "**Message**: no item #\n")),
    document("hints", 4_000, lambda n: "## NOT_FOUND\n\nHints:\n\n" + lines(n, "- try #")),
    document("links", 5_000, lambda n: "[a](errors.md#x) " * n + "\n"),
    document("definitions of links", 5_000, lambda n: lines(n, "[a#]: errors.md")),
    document("open definitions", 5_000, lambda n: lines(n, "[a]: <b")),
    document("open brackets", 20_000, lambda n: "[" * n + "\n"),
    document("open links", 10_000, lambda n: "[a](" * n + "\n"),
    document("emphasis", 10_000, lambda n: "**a *b " * n + "\n"),
    document("backticks", 20_000, lambda n: " ".join("`" * i for i in range(1, int((2 * n) ** 0.5))) + "\n"),
    document("quotes in each other", 10_000, lambda n: ">" * n + "\n"),
    document("lists in each other", 10_000, lambda n: "- " * n + "\n"),
    document("lines of a paragraph", 20_000, lambda n: "no item\n" * n),
    document("a long message", 20_000, lambda n: "## GONE\n\nMessage: `" + "no item {x} " * n + "`\n"),
    document("holes of a message", 20_000, lambda n: "## GONE\n\nMessage: `" + "{x}" * n + "`\n"),
    document("rows of HTML", 5_000, lambda n: "<table>\n" + "<tr><td>E_A</td><td>x</td></tr>\n" * n + "</table>\n"),
    document("tables of HTML", 2_000, lambda n: "<table><tr><th>Code</th></tr><tr><td>E_A</td></tr></table>\n\n" * n),
    document("open tables of HTML", 5_000, lambda n: "<table>\n\n" * n),
    document("open tags of HTML", 10_000, lambda n: "<table>" + "<a " * n + "\n"),
    document("open comments of HTML", 10_000, lambda n: "<table>" + "<!--" * n + "\n"),
    document("pages of a tool", 2_000, lambda n: "## look\n\nRaises:\n\n- LostError\n\n" * n),
    document("samples of code", 10_000, lambda n: "```python\n" + "from a import (\n" * n + "```\n"),
    document("suppressions of documents", 10_000, lambda n: "<!-- errlint: ignore[ERR502] x -->\n" * n),
    document("markers", 5_000, lambda n: "<!-- errlint: begin -->\n<!-- errlint: end -->\n" * n),
    document("allowed values", 5_000, lambda n: "must be one of " + "`a`, " * n + "\n"),
    document(
        "messages without labels",
        2_000,
        lambda n: "## Errors\n\n" + lines(n, "**Item # not found**\n\n```\nno item #\n```\n"),
    ),
)


def cost(case: Case | None, size: int, arguments: list[str], convention: str) -> float:
    """Return the processor seconds of a run, or infinity for one that does not end in time or fails."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        head = f'convention = "{convention}"\n' if convention else ""
        (folder / "pyproject.toml").write_text(
            PROJECT.replace("[tool.errlint.catalog]", f"[tool.errlint]\n{head}[tool.errlint.catalog]")
        )
        (folder / "app.py").write_text(ERRORS)
        (folder / "errors.md").write_text(CATALOG)
        if case is not None:
            (folder / case.file).write_text(case.text(size))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [*common.ERRLINT, "--no-cache", "-j1", "--output-format", "concise", *arguments]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        except subprocess.TimeoutExpired:
            return float("inf")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 1) or "Traceback" in done.stderr or "ERR906" in done.stdout:
            internal = [line for line in done.stdout.splitlines() if "ERR906" in line]
            print(f"status {done.returncode}: {done.stderr.strip()[-200:]} {internal[:1]}")
            return float("inf")
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--case", action="append", help="only the cases with this in their name")
    parser.add_argument("--scale", type=float, default=1.0, help="times the size of each case")
    parser.add_argument("--after", default="", help="only the cases behind the one with this name")
    parser.add_argument("--convention", default="", help="the preset that the project has")
    parser.add_argument("arguments", nargs="*", default=["--select", "ALL"], help="arguments of the run")
    given = parser.parse_args()
    empty = min(cost(None, 0, given.arguments, given.convention) for _ in range(3))
    print(f"an empty project: {empty:.2f} s", flush=True)
    wrong = 0
    cases = [*CODE, *DOCUMENTS]
    names = [case.name for case in cases]
    for case in cases[names.index(given.after) + 1 if given.after else 0 :]:
        if given.case and not any(part in case.name for part in given.case):
            continue
        size = max(1, int(case.size * given.scale))
        once, twice = (cost(case, n, given.arguments, given.convention) - empty for n in (size, 2 * size))
        ratio = twice / once if once > LEAST / 2 else 1.0
        is_wrong = twice == float("inf") or (twice > LEAST and ratio > LIMIT)
        wrong += is_wrong
        print(
            f"{'FAIL' if is_wrong else 'pass'} {case.name}, {size:,}: {once:.2f} s, {twice:.2f} s, {ratio:.1f} times",
            flush=True,
        )
    print(f"{wrong} inputs of which twice as much costs more than {LIMIT} times as much (limit 0)")
    return 1 if wrong else 0


if __name__ == "__main__":
    os.environ.setdefault("PYTHONHASHSEED", "0")
    sys.exit(main())
