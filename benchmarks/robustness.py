"""Hostile files get a clear answer: the finding in them, ERR904, ERR907 or silence, never a crash or a hang.

Every input lies in a project of its own beside a healthy file, whose finding must be reported all the same.
With --corpus, folders of real code (a standard library, installed packages) are checked instead.
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

TIMEOUT = 60
MEMORY = 1024 * 2**20
TOOL = """\
@mcp.tool()
def look_up(key):
    if not key:
        return {"error": "no key"}
    return {"key": key}
"""
HEALTHY = "import server\n\nmcp = server.create()\n\n\n" + TOOL
HOSTILE = "hostile.py"


@dataclass(frozen=True, slots=True)
class Case:
    """One hostile input: how to make it in a folder, and the answers that are right ("" is silence).

    An answer is a code, or a code and the line it must stand on.
    """

    name: str
    make: Callable[[Path], object]
    answers: frozenset[str]


def content(name: str, data: bytes | str, *answers: str) -> Case:
    """Make a case of a file's content; text is written as UTF-8 with its line ends untouched."""
    raw = data.encode() if isinstance(data, str) else data
    return Case(name, lambda folder: (folder / HOSTILE).write_bytes(raw), frozenset(answers))


def nested(opening: str, closing: str, middle: str = "1", depth: int = 5_000) -> str:
    return TOOL + f"x = {opening * depth}{middle}{closing * depth}\n"


def branches(count: int) -> str:
    tests = "".join(f"    elif x == {number}:\n        y = {number}\n" for number in range(count))
    return TOOL + f"def pick(x):\n    if x is None:\n        y = 0\n{tests}    return y\n"


def returned(expression: str) -> str:
    return f'@mcp.tool()\ndef look_up(a):\n    return {{"error": {expression}}}\n'


def doubled(statement: str) -> str:
    return f'@mcp.tool()\ndef look_up(a):\n    x = a\n{statement * 60}    return {{"error": x}}\n'


def symlink(target: str, name: str = HOSTILE) -> Callable[[Path], object]:
    return lambda folder: (folder / name).symlink_to(target)


def directory_with_file(folder: Path) -> None:
    (folder / HOSTILE).mkdir()
    (folder / HOSTILE / "inner.py").write_text(TOOL)


def tree_with_loop(folder: Path) -> None:
    (folder / "deep").mkdir()
    (folder / "deep" / "again").symlink_to("..")
    (folder / "deep" / "other").symlink_to(".")


def unreadable(folder: Path) -> None:
    (folder / HOSTILE).write_text(TOOL)
    (folder / HOSTILE).chmod(0)


LATIN = TOOL.replace("no key", "clé absente").encode("latin-1")
DEEP = ("ERR904", "ERR101:4")
CASES = (
    content("syntax error", TOOL + "def broken(:\n", "ERR904:6"),
    content("unclosed bracket at the end", TOOL + "x = [1,\n", "ERR904"),
    content("bad indentation", TOOL + "   y = 1\n", "ERR904"),
    content("statement of Python 2", TOOL + "print 'error'\n", "ERR904:6"),
    content("merge conflict", TOOL + "<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> other\n", "ERR904"),
    content("empty file", "", ""),
    content("only blanks and a comment", " \t\n\n# error", ""),
    content("only a byte order mark", b"\xef\xbb\xbf", ""),
    content("byte order mark", b"\xef\xbb\xbf" + TOOL.encode(), "ERR101:4"),
    content("no line end at the end", TOOL.rstrip("\n"), "ERR101:4"),
    content("CRLF", TOOL.replace("\n", "\r\n"), "ERR101:4"),
    content("lone CR", TOOL.replace("\n", "\r"), "ERR101:4"),
    content("all line ends mixed", TOOL.replace("\n", "\r\n", 2).replace(":\n", ":\r"), "ERR101:4"),
    content("form feeds", TOOL.replace("@mcp", "\f@mcp").replace("    if", "\f    if"), "ERR101:4"),
    content("tabs", TOOL.replace("    ", "\t"), "ERR101:4"),
    content("line continuation in the return", TOOL.replace("return {", "return \\\n        {"), "ERR101:4"),
    content("latin-1 with a cookie", b"# -*- coding: latin-1 -*-\n" + LATIN, "ERR101:5"),
    content("latin-1 without a cookie", LATIN, "ERR907"),
    content("cookie of no known encoding", b"# coding: klingon\n" + TOOL.encode(), "ERR907"),
    content(
        "cookie that contradicts the mark",
        b"\xef\xbb\xbf# coding: latin-1\n" + TOOL.encode(),
        "ERR904",
        "ERR907",
        "ERR101:5",
    ),
    content("UTF-16", TOOL.encode("utf-16"), "ERR904", "ERR907"),
    content("NUL byte", TOOL.encode() + b"x = '\0'\n", "ERR904"),
    content("binary", bytes(range(256)) * 64 + TOOL.encode(), "ERR904", "ERR907"),
    content("line of 1 MB, one string", TOOL + f"x = '{'error ' * 175_000}'\n", "ERR101:4"),
    content("line of 1 MB, many numbers", TOOL + f"x = [{'1, ' * 350_000}]\n", "ERR101:4"),
    content("line of 1 MB, the error itself", returned(f"'{'no ' * 350_000}'"), "ERR101:3"),
    content("200,000 lines", TOOL + "x = 'error'\n" * 200_000, "ERR101:4"),
    content("5,000 nested brackets", nested("[", "]"), "ERR904"),
    content("5,000 nested parentheses in the error", returned("(" * 5_000 + "a" + ")" * 5_000), "ERR904"),
    content("5,000 nested calls", nested("f(", ")"), "ERR904"),
    content("5,000 open brackets", TOOL + "[" * 5_000, "ERR904"),
    content("5,000 brackets in a string", TOOL + f"x = '{'[' * 5_000}'\n", "ERR101:4"),
    content("5,000 brackets in a comment", TOOL + f"# {'(' * 5_000}\n", "ERR101:4"),
    content("5,000 nested signs", nested("-", ""), *DEEP),
    content("5,000 nested negations", nested("not ", ""), *DEEP),
    content("5,000 nested lambdas", nested("lambda: ", ""), *DEEP),
    content("5,000 nested conditions", nested("1 if x else ", ""), *DEEP),
    content("90 nested blocks", TOOL + "".join(" " * n + "if x:\n" for n in range(90)) + " " * 90 + "x\n", *DEEP),
    content("sum of 5,000 terms", nested("a + ", ""), *DEEP),
    content("sum of 5,000 terms in the error", returned("a + " * 5_000 + "a"), "ERR904", "ERR101:3"),
    content("chain of 5,000 attributes", nested("a.", "", "b"), *DEEP),
    content("chain of 5,000 attributes in the error", returned("a." * 5_000 + "a"), "ERR904", "ERR101:3"),
    content("chain of 5,000 calls", nested("", "()", "a"), *DEEP),
    content("chain of 5,000 subscripts", nested("", "[0]", "a"), *DEEP),
    content("5,000 powers", nested("a ** ", ""), *DEEP),
    content("5,000 comparisons", nested("a < ", ""), *DEEP),
    content("5,000 strings side by side", nested("'a' ", "", "'a'"), *DEEP),
    content("5,000 targets of one assignment", nested("y = ", ""), *DEEP),
    content("5,000 branches", branches(5_000), *DEEP),
    content("60 sums of a name with itself", doubled("    x = x + x\n"), "ERR101:64"),
    content("60 mappings of a name twice", doubled('    x = {"a": x, "b": x}\n'), "ERR101:64"),
    content("60 forks of a name", doubled("    if a:\n        x = f(x)\n    else:\n        x = g(x)\n"), "ERR101:244"),
    content("60 loops in each other's way", doubled("    for a in x:\n        x = f(a, x)\n"), "ERR101:124"),
    Case("link to itself", symlink(HOSTILE), frozenset({"", "ERR907"})),
    Case("link to nothing", symlink("missing.py"), frozenset({"", "ERR907"})),
    Case("links that make the tree endless", tree_with_loop, frozenset({""})),
    Case("directory with the name of a file", directory_with_file, frozenset({"ERR101:4"})),
    Case("empty directory with the name of a file", lambda folder: (folder / HOSTILE).mkdir(), frozenset({""})),
    Case("named pipe", lambda folder: os.mkfifo(folder / HOSTILE), frozenset({"", "ERR907"})),
    *([Case("unreadable file", unreadable, frozenset({"ERR907"}))] if os.geteuid() else []),
)


def problems(case: Case) -> list[str]:
    """Run one case in a folder of its own and say what is wrong with the answer, if anything."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pyproject.toml").write_text('[project]\nname = "hostile"\n')
        (folder / "healthy.py").write_text(HEALTHY)
        case.make(folder)
        try:
            done = common.run(folder, "--no-cache", timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return [f"no answer after {TIMEOUT} s"]
        if done.status != 1:
            return [f"status {done.status}: {done.stderr.strip()[-300:]}"]
        hits = common.read(folder, done.stdout)
    found = ["Traceback on stderr"] if "Traceback" in done.stderr else []
    if not any(hit.path == "healthy.py" and hit.code == "ERR101" for hit in hits):
        found.append("the finding in the healthy file is lost")
    answers = [f"{hit.code}:{hit.line}" for hit in hits if hit.path != "healthy.py"]
    if not matches(case.answers, answers):
        expected = " or ".join(answer or "nothing" for answer in sorted(case.answers))
        found.append(f"answered {', '.join(answers) or 'nothing'}, not {expected}")
    return found


def matches(expected: frozenset[str], answers: list[str]) -> bool:
    """Tell whether the findings of the hostile file are exactly one of the right ones."""
    if not answers:
        return "" in expected
    return len(answers) == 1 and bool({answers[0], answers[0].partition(":")[0]} & expected)


def check_corpus(root: Path) -> bool:
    """Check a folder of real code with every rule, read by LibCST."""
    done = common.run(root, "--no-cache", "--select", "ALL", "--reader", "libcst")
    try:
        hits = common.read(root, done.stdout)
    except ValueError:
        hits = []
    for hit in hits:
        if hit.code == "ERR906":
            print(f"{root}: {hit.path}:{hit.line} {hit.code} {hit.message}")
    count = len(common.files(root))
    passed = count > 0 and done.status in (0, 1) and "Traceback" not in done.stderr
    unparsed = sum(1 for hit in hits if hit.code in ("ERR904", "ERR907"))
    figures = f"{count} files, {len(hits)} findings, {unparsed} files not parsed, status {done.status}"
    print(f"{'pass' if passed else 'FAIL'} {root}: {figures} {done.stderr.strip()[-2000:]}".rstrip(), flush=True)
    return passed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, nargs="+", metavar="DIR", help="folders of real code to check instead")
    arguments = parser.parse_args()
    if arguments.corpus:
        results = [check_corpus(root) for root in arguments.corpus]
        return 0 if all(results) else 1
    # Whatever runs from here on, errlint included, gets no more memory than this.
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    wrong = 0
    for case in CASES:
        found = problems(case)
        wrong += bool(found)
        print(f"{'FAIL' if found else 'pass'} {case.name}{': ' if found else ''}{'; '.join(found)}", flush=True)
    print(f"{len(CASES)} hostile inputs, {wrong} without a clear answer (limit 0)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
