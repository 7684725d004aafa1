"""Mutated files, configurations, catalogs and projects: a clear answer in time, the same one however it is asked for.

Every mutation is drawn from the seed and the number of its input, so that ``--replay files:17`` makes it again. An
answer is wrong when the status is none of 0, 1 and 2, when errlint says that it is at fault (a traceback, ERR906, "bug
in errlint"), when it takes longer than 10 seconds, or when runs on one or two workers, with or without cache, differ.
Projects are fixed: afterwards all files parse, and another run plans nothing.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import multiprocessing
import os
import pkgutil
import random
import shutil
import signal
import sys
import sysconfig
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple, NoReturn

import programs

import errlint
from errlint import cli

REPOSITORY = Path(__file__).resolve().parent.parent
PRESETS = REPOSITORY / "rules" / "conventions"
FIXTURES = REPOSITORY / "tests" / "fixtures"
LIMIT = 10
"""Seconds of wall clock that a run may take."""

LARGEST = 60_000
"""Real files up to so many bytes are mutated."""

OPEN = tuple(b"()[]{}'\"`#\\:=,.*@|<>~-_\n\r\t\f \0")
ODD = (
    b"\xef\xbb\xbf", b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"\r", b"\r\n", b"\0", b"\x0c", b"\x1b[31m", "\u202e".encode(),
    "\u2028".encode(), b"# -*- coding: latin-1 -*-\n", b"# coding: utf-7\n", b"'''", b'"""', b'f"{', b"\\\n", b"lambda: ",
    b"return {'error': 'no'}\n", b"raise ValueError('no') from None\n", b"except* E:\n", b"@mcp.tool()\n", b"async ", b"await ",
    b"match x:\n    case {'error': e}:\n        return e\n", b"# errlint: ignore[ERR101] why\n", b"# noqa: ERR101\n",
    b"type X = int\n", b"global x\n", b"nonlocal x\n", b"*", b"**", b":=", b"...", b"if", b"else", b"try:\n", b"finally:\n",
)  # fmt: skip
ODD_TEXT = (
    "```", "```json\n", '{"error": ', "| a | b |\n|---|---|\n", "|", "**", "`", "# ", "## ", "- ", "> ", "<table>", "</table>",
    "<td>", "<!-- errlint: begin -->\n", "<!-- errlint: end -->\n", "<!--", "-->", "[a]: ", "[a](", "Raises:\n", "{name}", "%s", "{#a}",
    "---\n", "\u202e", "\0", "\r", "Message: ", "(not raised)", "ERR_1–ERR_999999", "1. ", "\ufeff", "&#0;", "&amp;",
)  # fmt: skip
ODD_VALUE = (
    '""', "[]", "{}", "true", "0", "-1", "1e400", "nan", '"*"', '"**"', '"["', '"a" * 9', "[[]]", '["a", 1]', '"(a+)+$"', '"\\u0000"',
    '"../.."', '"/etc/passwd"', '"\\n"', "1979-05-27", '["**/**/**/a"]', '{ a = "b" }', '"problem-details"', '"mcp-exceptions"', "9" * 5_000,
    '"pkg.errors:Code"', '"no.such.Thing"', "[" * 500, '"' + "a" * 9_000 + '"', '["!a", "\\\\"]', '"return"', '"log"', "'''a", '"{message}"',
)  # fmt: skip


class Subject(NamedTuple):
    """An input: the files of its project by name, and whether it is fixed."""

    files: dict[str, bytes]
    is_fixed: bool = False


# --- mutations --------------------------------------------------------------------------------------------------


def mutated(draw: random.Random, data: bytes, odd: tuple[bytes, ...]) -> bytes:
    """Return the bytes after one to four changes."""
    for _ in range(draw.randint(1, 4)):
        data = draw.choice(CHANGES)(draw, data, odd)
    return data[: 4 * LARGEST]


def truncated(draw: random.Random, data: bytes, odd: tuple[bytes, ...]) -> bytes:
    return data[: draw.randint(0, len(data))]


def inserted(draw: random.Random, data: bytes, odd: tuple[bytes, ...]) -> bytes:
    at = draw.randint(0, len(data))
    return data[:at] + draw.choice(odd) * draw.choice((1, 1, 1, 2, 30, 600)) + data[at:]


def without(draw: random.Random, data: bytes, odd: tuple[bytes, ...]) -> bytes:
    at = draw.randint(0, len(data))
    return data[:at] + data[at + draw.choice((1, 1, 5, 60, 900)) :]


def replaced(draw: random.Random, data: bytes, odd: tuple[bytes, ...]) -> bytes:
    changed = bytearray(data)
    for _ in range(draw.randint(1, 20) if changed else 0):
        changed[draw.randrange(len(changed))] = draw.choice(OPEN) if draw.random() < 0.7 else draw.randrange(256)
    return bytes(changed)


def with_lines_again(draw: random.Random, data: bytes, odd: tuple[bytes, ...]) -> bytes:
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    first = draw.randrange(len(lines))
    block = lines[first : first + draw.randint(1, 30)]
    at = draw.randint(0, len(lines))
    return b"".join((*lines[:at], *block * draw.choice((1, 1, 2, 40)), *lines[at:]))[: 3 * LARGEST]


def with_lines_moved(draw: random.Random, data: bytes, odd: tuple[bytes, ...]) -> bytes:
    lines = data.splitlines(keepends=True)
    for _ in range(draw.randint(1, 6) if lines else 0):
        lines.insert(draw.randint(0, len(lines)), lines.pop(draw.randrange(len(lines))))
    return b"".join(lines)


def with_lines_deeper(draw: random.Random, data: bytes, odd: tuple[bytes, ...]) -> bytes:
    lines = data.splitlines(keepends=True)
    first = draw.randint(0, len(lines))
    last = first + draw.randint(1, 40)
    indent = draw.choice((b" ", b"    ", b"\t", b"> ", b"- ")) * draw.choice((1, 1, 2, 60))
    return b"".join(indent + line if first <= number < last else line for number, line in enumerate(lines))[
        : 3 * LARGEST
    ]


def with_other_ends(draw: random.Random, data: bytes, odd: tuple[bytes, ...]) -> bytes:
    return data.replace(b"\n", draw.choice((b"\r", b"\r\n", b"\n\n", b" ", b"\\\n", b"\x0c\n")))


def with_words_swapped(draw: random.Random, data: bytes, odd: tuple[bytes, ...]) -> bytes:
    words = data.split(b" ")
    for _ in range(draw.randint(1, 10)):
        one, other = draw.randrange(len(words)), draw.randrange(len(words))
        words[one], words[other] = words[other], words[one]
    return b" ".join(words)


def with_nodes_moved(draw: random.Random, data: bytes, odd: tuple[bytes, ...]) -> bytes:
    """Put a statement or an expression of a Python file in the place of another."""
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return data
    for kind in (ast.stmt, ast.expr):
        nodes = [node for node in ast.walk(tree) if isinstance(node, kind)]
        for _ in range(draw.randint(0, 3) if len(nodes) > 1 else 0):
            one, other = draw.choice(nodes), draw.choice(nodes)
            if type(one) is type(other) and one is not other:
                kept = dict(vars(other))
                if not any(node is one for node in ast.walk(other)) and not any(
                    node is other for node in ast.walk(one)
                ):
                    vars(one).update(kept)
    try:
        return ast.unparse(tree).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError, TypeError, AttributeError, KeyError):
        return data


CHANGES = (
    truncated, inserted, inserted, without, replaced, with_lines_again, with_lines_moved, with_lines_deeper, with_other_ends,
    with_words_swapped, with_nodes_moved,
)  # fmt: skip


# --- inputs -----------------------------------------------------------------------------------------------------


@cache
def sources() -> list[Path]:
    """Return Python files of the standard library and of installed packages, and those of the fixtures."""
    folders = [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib")]
    found = {path for folder in (*folders, FIXTURES, REPOSITORY / "examples") for path in folder.rglob("*.py")}
    return sorted(path for path in found if path.stat().st_size <= LARGEST)


@cache
def fixtures(suffix: str) -> list[Path]:
    folders = (FIXTURES, PRESETS, REPOSITORY / "docs", REPOSITORY / "examples", REPOSITORY / "benchmarks")
    return sorted(path for folder in folders for path in folder.rglob(f"*{suffix}") if path.is_file())


@cache
def projects() -> list[Path]:
    """Return the folders of the fixture projects, and the bundled example."""
    found = (path.parent for folder in (FIXTURES, REPOSITORY / "examples") for path in folder.rglob("pyproject.toml"))
    return sorted(set(found))


def read(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix in (".py", ".md", ".toml"))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files if "." not in path.parts[:-1]}


PLAIN = b'[project]\nname = "fuzz"\n'


def of_file(draw: random.Random) -> Subject:
    data = mutated(draw, draw.choice(sources()).read_bytes(), ODD)
    preset = draw.choice(("", *(path.stem for path in sorted(PRESETS.glob("*.toml")))))
    head = PLAIN + (f'[tool.errlint]\nconvention = "{preset}"\n'.encode() if preset else b"")
    return Subject({"pyproject.toml": head, "pkg/fuzzed.py": data, "pkg/server.py": SERVER})


def of_configuration(draw: random.Random) -> Subject:
    files = read(draw.choice(projects()))
    texts = [path for path in fixtures(".toml") if b"errlint" in path.read_bytes() or path.parent == PRESETS]
    text = draw.choice(texts).read_text(encoding="utf-8")
    lines = text.splitlines()
    for _ in range(draw.randint(1, 3)):
        settings = [number for number, line in enumerate(lines) if " = " in line]
        if settings and draw.random() < 0.8:
            number = draw.choice(settings)
            lines[number] = f"{lines[number].partition(' = ')[0]} = {draw.choice(ODD_VALUE)}"
        elif lines:
            lines.insert(draw.randint(0, len(lines)), draw.choice(lines))
    data = "\n".join(lines).encode("utf-8", "surrogatepass")
    if draw.random() < 0.4:
        data = mutated(draw, data, tuple(value.encode() for value in ODD_VALUE))
    if draw.random() < 0.3:
        return Subject(
            {
                **files,
                "convention.toml": data,
                "pyproject.toml": PLAIN + b'[tool.errlint]\nconvention = "convention.toml"\n',
            }
        )
    name = "pyproject.toml" if b"[tool.errlint" in data else "errlint.toml"
    nested = draw.random() < 0.2
    return Subject({**files, ("sub/" if nested else "") + name: data, "sub/server.py": SERVER})


def of_catalog(draw: random.Random) -> Subject:
    files = read(draw.choice(projects()))
    data = draw.choice(fixtures(".md")).read_bytes()[:LARGEST]
    for name in list(files):
        if name.endswith(".md"):
            files[name] = mutated(draw, files[name] if draw.random() < 0.5 else data, tuple(map(str.encode, ODD_TEXT)))
    return Subject({**files, "docs/errors.md": mutated(draw, data, tuple(map(str.encode, ODD_TEXT)))})


def of_project(draw: random.Random) -> Subject:
    if draw.random() < 0.5:
        program = programs.random_program(f"fuzz {draw.random()}")
        sources = {f"shop/{name}": text for name, text in program.sources(0).items()}
        files = {name: text.encode() for name, text in sources.items()} | {
            "pyproject.toml": programs.CONFIGURATION.encode()
        }
    else:
        files = read(draw.choice(projects()))
    names = [name for name in files if name.endswith(".py")]
    for name in draw.sample(names, min(len(names), draw.randint(0, 2))):
        changed = with_nodes_moved(draw, files[name], ODD) if draw.random() < 0.6 else mutated(draw, files[name], ODD)
        files[name] = changed
    return Subject(files, is_fixed=True)


SERVER = b"""\
from fuzzed import *
import server


@mcp.tool()
def look_up(key):
    if not key:
        return {"error": "no key"}
    return {"key": key}
"""
KINDS: dict[str, Callable[[random.Random], Subject]] = {
    "files": of_file,
    "configurations": of_configuration,
    "catalogs": of_catalog,
    "projects": of_project,
}


# --- answers ----------------------------------------------------------------------------------------------------


def write(folder: Path, subject: Subject) -> None:
    for name, data in subject.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


class Answer(NamedTuple):
    status: int
    text: bytes
    wrong: str


def asked(folder: Path, *arguments: str) -> Answer:
    """Run errlint in a folder, in a process of its own; ``wrong`` says what no answer may be."""
    begin = time.monotonic()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        child = os.fork()
        if not child:
            run(folder, arguments, output.fileno(), errors.fileno())
        status = waited(child, begin + 6 * LIMIT)
        output.seek(0)
        errors.seek(0)
        text, said = output.read(), errors.read()
    if status is None:
        return Answer(-1, b"", f"no answer after {6 * LIMIT} s")
    took = time.monotonic() - begin
    wrong = ""
    last = said.decode("utf-8", "replace").strip()[-300:]
    if status not in (0, 1, 2):
        wrong = f"status {status}: {last}"
    elif b"Traceback" in said or b"bug in errlint" in said:
        wrong = last
    elif b"ERR906" in text:
        wrong = next(line for line in text.decode("utf-8", "replace").splitlines() if "ERR906" in line)
    elif took > LIMIT:
        wrong = f"took {took:.0f} s"
    return Answer(status, text, wrong)


def run(folder: Path, arguments: tuple[str, ...], output: int, errors: int) -> NoReturn:
    """Be errlint: the modules are loaded already, which is most of what a small run costs."""
    status = 99
    try:
        os.setsid()
        os.chdir(folder)
        os.dup2(output, 1)
        os.dup2(errors, 2)
        cli.main(arguments)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 98
    except BaseException:  # noqa: BLE001 -- whatever it is has to be seen
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def waited(child: int, deadline: float) -> int | None:
    """Return the status of a process; ``None`` for one that had to be ended."""
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def load() -> None:
    """Import all of errlint, once for all runs."""
    for module in pkgutil.walk_packages(errlint.__path__, "errlint."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def problems(kind: str, number: int, seed: int, keep: Path | None = None) -> Iterator[str]:
    """Yield what is wrong with the answers about one input."""
    subject = KINDS[kind](random.Random(f"{seed}:{kind}:{number}"))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = keep or Path(name) / "project"
        folder.mkdir(parents=True, exist_ok=True)
        write(folder, subject)
        cache = f"--cache-dir={name}/cache"
        common_arguments = ("--select", "ALL", "--output-format", "concise")
        runs = {
            "-j1": ("--no-cache", "-j1"),
            "-j2": ("--no-cache", "-j2"),
            "with an empty cache": (cache, "-j1"),
            "from the cache": (cache, "-j1"),
        }
        answers = {how: asked(folder, *common_arguments, *arguments) for how, arguments in runs.items()}
        causes = dict.fromkeys(answer.wrong for answer in answers.values() if answer.wrong)
        for cause in causes:
            yield f"{', '.join(how for how, answer in answers.items() if answer.wrong == cause)}: {cause}"
        first = answers["-j1"]
        yield from (
            f"{how} answers otherwise than -j1"
            for how, answer in answers.items()
            if not answer.wrong and not first.wrong and answer[:2] != first[:2]
        )
        if subject.is_fixed and not first.wrong:
            yield from fixed(folder, subject)


def answered(kind: str, number: int, *, seed: int) -> list[str]:
    return list(problems(kind, number, seed))


def fixed(folder: Path, subject: Subject) -> Iterator[str]:
    """Fix a project, and yield what is wrong with the result."""
    arguments = ("--fix", "--unsafe-fixes", "--allow-dirty", "--no-cache", "-j1", "--output-format", "concise")
    parsed = {name for name, data in subject.files.items() if name.endswith(".py") and parses(data)}
    done = asked(folder, *arguments)
    if done.wrong:
        yield f"--fix: {done.wrong}"
        return
    yield from (f"--fix: {name} does not parse any more" for name in parsed if not parses((folder / name).read_bytes()))
    before = {name: (folder / name).read_bytes() for name in subject.files}
    again = asked(folder, *arguments)
    if again.wrong:
        yield f"--fix again: {again.wrong}"
    yield from (f"--fix again changes {name}" for name, data in before.items() if (folder / name).read_bytes() != data)
    text = asked(folder, "--no-cache", "-j2", "--output-format", "concise")
    if not text.wrong and text.text != asked(folder, "--no-cache", "-j1", "--output-format", "concise").text:
        yield "-j2 answers otherwise than -j1 after the fix"


def parses(data: bytes) -> bool:
    try:
        ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for kind, count in (("files", 2000), ("configurations", 500), ("catalogs", 500), ("projects", 300)):
        parser.add_argument(f"--{kind}", type=int, default=count, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--replay", metavar="KIND:NUMBER", help="make one input again, and keep its project")
    given = parser.parse_args()
    load()
    os.environ["PYTHONSAFEPATH"] = "1"
    if given.replay:
        kind, _, number = given.replay.partition(":")
        folder = Path(tempfile.gettempdir()) / f"fuzz-{kind}-{number}"
        shutil.rmtree(folder, ignore_errors=True)
        found = list(problems(kind, int(number), given.seed, folder))
        write(folder, KINDS[kind](random.Random(f"{given.seed}:{kind}:{number}")))
        print("\n".join((f"the project is in {folder}", *found)))
        return 1 if found else 0
    wrong = 0
    for kind in KINDS:
        count = getattr(given, kind)
        failed = 0
        ask = partial(answered, kind, seed=given.seed)
        with multiprocessing.get_context("fork").Pool(given.jobs) as pool:
            for number, found in enumerate(pool.imap(ask, range(count))):
                failed += bool(found)
                for text in found:
                    print(f"{kind}:{number} {text}", flush=True)
        print(f"{count} {kind}, {failed} with a wrong answer (limit 0)", flush=True)
        wrong += failed
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
