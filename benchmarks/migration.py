"""Migrates real packages: a boundary is added as a maintainer would, then their error returns become raises.

Each package is copied, its undecorated adapters (ERR201) get a boundary from a module of its own, and the copy is
committed to a git repository. Then ``--fix`` and ``--fix --unsafe-fixes`` run on it.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import io
import json
import random
import re
import shutil
import subprocess
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import common

RULES = "ERR101,ERR102,ERR103,ERR105"
LINTED = "F,E9,B904,TRY201,RET506,I001"
AROUND = 4
"""So many unchanged lines are shown on each side of a conversion."""

CONFIGURATION = """\
[[boundary]]
decorator = "answered_errors"
envelope = { error = "{message}", problem = "*", result = "empty" }
empty-result = "empty"

[exceptions]
root = ["AppFailure"]
default = "AppFailure"
"""

ERRORS = '''\
"""Errors of the server, and the boundary that answers them."""

import asyncio
import functools


class AppFailure(Exception):
    """Base of all errors of the server."""

    def __init__(self, message, code="", context=None):
        super().__init__(message)
        self.message = message
        self.code = code
        self.context = context or {}


def answered_errors(empty):
    """Answer exceptions, with the keys of an empty result."""

    def answered(exc):
        return {**empty, "error": str(exc), "problem": {"title": type(exc).__name__}}

    def decorate(function):
        if asyncio.iscoroutinefunction(function):

            @functools.wraps(function)
            async def wait(*args, **kwargs):
                try:
                    return await function(*args, **kwargs)
                except Exception as exc:
                    return answered(exc)

            return wait

        @functools.wraps(function)
        def call(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            except Exception as exc:
                return answered(exc)

        return call

    return decorate
'''

MODULE = "app_errors"
DEFINITION = re.compile(r"\s*(?:async\s+def|def)\s")


class Place(NamedTuple):
    """Something to read: a conversion with its code, or a refused place with its reasons."""

    project: str
    path: str
    line: int
    text: str


class Migrated(NamedTuple):
    """What became of one package; ``faults`` are what must not be."""

    sites: int
    safe: int
    unsafe: int
    refused: int
    faults: tuple[str, ...]
    conversions: tuple[Place, ...]
    refusals: tuple[Place, ...]


# --- preparing ------------------------------------------------------------------------------------------------------


def prepare(source: Path, root: Path) -> None:
    """Copy a package, put the boundary on its adapters and commit it."""
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(source, root, symlinks=True, ignore=shutil.ignore_patterns(".git", ".errlint*", "errlint.toml"))
    (root / "errlint.toml").write_text(CONFIGURATION)
    lines = defaultdict(set)
    for hit in _findings(root, "ERR201"):
        if hit.code == "ERR201":  # files that cannot be read are always reported
            lines[root / hit.path].add(hit.line)
    for path, found in lines.items():
        top = path.parent
        while (top.parent / "__init__.py").exists() and top != root:
            top = top.parent
        package = f"{top.name}." if (top / "__init__.py").exists() or _is_imported(root, top.name) else ""
        (top / f"{MODULE}.py").write_text(ERRORS)
        path.write_text(decorated(path.read_text("utf-8"), found, f"{package}{MODULE}"), "utf-8")
    _git(root, "init", "-q")
    _git(root, "add", "-A", "-f")
    _git(root, "-c", "user.email=a@example.org", "-c", "user.name=a", "commit", "-qm", "with a boundary")


def _is_imported(root: Path, folder: str) -> bool:
    """Whether some file imports a module of a folder by way of the folder's name."""
    pattern = re.compile(rf"^\s*from {re.escape(folder)}\.", re.MULTILINE)
    return any(pattern.search(path.read_text("utf-8", "replace")) for path in root.rglob("*.py"))


def decorated(text: str, found: set[int], module: str) -> str:
    """Put the boundary on the functions that begin in these lines, and import it."""
    body = ast.parse(text).body
    imports = [item for item in body if isinstance(item, (ast.Import, ast.ImportFrom))]
    below = imports[-1].end_lineno or 0 if imports else 0
    lines = text.split("\n")
    for line in sorted(found, reverse=True):
        at = next(number for number in range(line - 1, len(lines)) if DEFINITION.match(lines[number]))
        indentation = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        lines.insert(at, f"{indentation}@answered_errors({{}})")
    lines.insert(below, f"from {module} import answered_errors")
    return "\n".join(lines)


def _findings(root: Path, rules: str) -> list[common.Hit]:
    return common.findings(root, "--config", "errlint.toml", "--no-cache", "--select", rules)


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout


# --- migrating ------------------------------------------------------------------------------------------------------


def migrate(root: Path) -> Migrated:
    """Fix a prepared package, first what is safe, then all, and look at what came of it."""
    before = len(_findings(root, RULES))
    old, linted = _texts(root), _linted(root)
    faults = _fix(root)
    after_safe = len(_findings(root, RULES))
    faults += _fix(root, "--unsafe-fixes")
    new = _texts(root)
    faults += _fix(root, "--unsafe-fixes")
    if _texts(root) != new:
        faults.append("a second run changes something")
    report = common.run(root, "--config", "errlint.toml", "--no-cache", "--select", RULES)
    left = json.loads(report.stdout)
    faults += [f"{name} does not compile" for name in old.keys() - new.keys()]
    lost = _comments(old) - _comments(new)
    faults += [f"lost: {comment}" for comment in lost]
    faults += [f"ruff: {each} ({count} more)" for each, count in (_linted(root) - linted).items()]
    return Migrated(
        before,
        before - after_safe,
        after_safe - len(left),
        len(left),
        tuple(faults),
        tuple(_conversions(root.name, old, new)),
        tuple(_refusals(root, left)),
    )


def _fix(root: Path, *options: str) -> list[str]:
    command = [*common.ERRLINT, "--config", "errlint.toml", "--select", RULES, "--no-cache", "--fix", "--allow-dirty"]
    done = subprocess.run(
        [*command, "-q", *options], cwd=root, env=common.ENVIRONMENT, capture_output=True, text=True, check=False
    )
    return [] if done.returncode in (0, 1) else [f"status {done.returncode}: {done.stderr.strip()[-500:]}"]


def _texts(root: Path) -> dict[str, str]:
    """Return the Python files; those that Python cannot read are none of ours."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        try:
            text = path.read_bytes().decode("utf-8")
            compile(text, str(path), "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            continue
        found[path.relative_to(root).as_posix()] = text
    return found


def _comments(texts: dict[str, str]) -> Counter[str]:
    return Counter(
        f"{name}: {token.string}"
        for name, text in texts.items()
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    )


def _linted(root: Path) -> Counter[str]:
    """Count what Ruff reports, by file, rule and message."""
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--exit-zero", "--no-cache", "--select", LINTED]
    done = subprocess.run(
        [*command, "--output-format", "json", "."], cwd=root, capture_output=True, text=True, check=True
    )
    return Counter(
        f"{Path(item['filename']).name}: {item['code']} {item['message']}" for item in json.loads(done.stdout)
    )


# --- for reading ----------------------------------------------------------------------------------------------------


def _conversions(project: str, old: dict[str, str], new: dict[str, str]) -> Iterator[Place]:
    """Yield each changed part of a file in which a raise is new."""
    for name, text in new.items():
        before, after = old.get(name, "").split("\n"), text.split("\n")
        matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
        for opcode, start, end, new_start, new_end in matcher.get_opcodes() if before != after else ():
            changed = after[new_start:new_end]
            if opcode == "equal" or not any(line.strip().startswith("raise ") for line in changed):
                continue
            shown = [f" {line}" for line in before[max(start - AROUND, 0) : start]]
            shown += [f"-{line}" for line in before[start:end]]
            shown += [f"+{line}" for line in changed]
            shown += [f" {line}" for line in before[end : end + AROUND]]
            yield Place(project, name, new_start + 1, "\n".join(shown))


def _refusals(root: Path, left: Sequence[dict[str, object]]) -> Iterator[Place]:
    for item in left:
        location = item["location"]
        assert isinstance(location, dict)
        row = int(location["row"])
        path = Path(str(item["filename"]))
        name = path.relative_to(root.resolve()).as_posix() if path.is_absolute() else path.as_posix()
        lines = (root / name).read_text("utf-8").split("\n")[max(row - 1 - AROUND, 0) : row + AROUND]
        yield Place(root.name, name, row, "\n".join([json.dumps(item["refused"], indent=1), *lines]))


def show(places: Sequence[Place], number: int, seed: int, title: str) -> list[Place]:
    """Print some of the places, drawn with a seed."""
    drawn = sorted(random.Random(seed).sample(places, min(number, len(places))))
    for each in drawn:
        print(f"=== {title} {each.project} {each.path}:{each.line}\n{each.text}\n")
    return drawn


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="+", type=Path)
    parser.add_argument("--work", type=Path, required=True, help="the folder for the copies")
    parser.add_argument("--conversions", type=int, default=0, help="how many conversions to show for reading")
    parser.add_argument("--refusals", type=int, default=0, help="how many refused places to show for reading")
    parser.add_argument("--seed", type=int, default=20261122)
    options = parser.parse_args()
    done = []
    for source in options.packages:
        root = options.work / source.name
        prepare(source, root)
        found = migrate(root)
        done.append(found)
        print(
            f"{source.name}: {found.sites} error returns, {found.safe} fixed safely, {found.unsafe} unsafely, "
            f"{found.refused} left; {len(found.conversions)} changed places",
            flush=True,
        )
        for fault in found.faults:
            print(f"  {fault}")
    show([each for found in done for each in found.conversions], options.conversions, options.seed, "conversion")
    show([each for found in done for each in found.refusals], options.refusals, options.seed, "refused")
    sites, faults = sum(found.sites for found in done), sum(len(found.faults) for found in done)
    shares = [sum(getattr(found, name) for found in done) / max(sites, 1) for name in ("safe", "unsafe", "refused")]
    print(f"{sites} error returns: {shares[0]:.0%} safe, {shares[1]:.0%} unsafe, {shares[2]:.0%} left; {faults} faults")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
