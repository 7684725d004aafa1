"""How long a fix of many files takes, how much memory, and how often LibCST parses what.

A project of 300 files is made in a temporary folder, with 1,000 error returns in adapters under a boundary: guards,
handlers, payloads in variables, factories and callers that look for the error. ``errlint --fix --unsafe-fixes`` runs on
it as a command; then once more in one process, in which each parse of LibCST is counted by its text.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import common
from speed import peak_memory

FILES = 300
CONFIGURATION = """\
[[boundary]]
decorator = "shop.errors.answered"
envelope = { error = "{message}", result = "empty" }
empty-result = "empty"

[exceptions]
root = ["shop.errors.ShopError"]
default = "shop.errors.ShopError"
"""
ERRORS = '''\
"""Errors of the shop."""

import functools


class ShopError(Exception):
    """Base of all errors of the shop."""

    def __init__(self, message, cause=None):
        super().__init__(message)
        self.cause = cause


def answered(empty):
    """Answer exceptions of the shop."""

    def decorate(function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            except ShopError as exc:
                return {**empty, "error": str(exc)}

        return call

    return decorate
'''
TOOLS = '''\
"""Tools of department {number}."""

import logging

from shop.errors import answered
from shop.server import mcp

logger = logging.getLogger(__name__)


@mcp.tool()
@answered({{"items": []}})
def find_{number}(name: str, limit: int = 10):
    """Find goods by their name."""
    if not name:
        # Nothing to look for.
        return {{"error": "no name is given", "items": []}}
    if limit < 1:
        return {{"error": f"limit must be positive, got {{limit}}", "items": []}}
    try:
        return {{"items": list(look_up(name))[:limit]}}
    except KeyError:
        return {{"error": f"{{name}} is unknown", "items": []}}


def look_up(name: str):
    """Look goods up."""
    return sorted({{"a": 1, "b": {number}}}[name].to_bytes(2, "big"))
'''
MORE = '''

@mcp.tool()
@answered({{"sold": 0}})
def sell_{number}(name: str, count: int):
    """Sell goods."""
    result = {{"sold": 0}}
    if count < 1:
        result["error"] = "nothing to sell"
        return result
    return {{"sold": count}}
'''
COUNTED = """\
import collections, hashlib, json, sys
import libcst
import errlint.cli
parse, counts = libcst.parse_module, collections.Counter()
def counted(source, *args, **kwargs):
    data = source.encode() if isinstance(source, str) else source
    counts[hashlib.sha256(data).hexdigest()] += 1
    return parse(source, *args, **kwargs)
libcst.parse_module = counted
try:
    errlint.cli.main(sys.argv[2:])
except SystemExit as ended:
    status = ended.code
with open(sys.argv[1], "w") as file:
    json.dump({"status": status, "counts": counts}, file)
"""


def make(root: Path) -> int:
    """Write the project; return how many error returns it has."""
    package = root / "shop"
    package.mkdir(parents=True)
    (root / "errlint.toml").write_text(CONFIGURATION)
    (package / "__init__.py").write_text("")
    (package / "errors.py").write_text(ERRORS)
    (package / "server.py").write_text("from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP('shop')\n")
    returns = 0
    for number in range(FILES):
        has_more = number % 3 == 0
        text = (TOOLS + MORE * has_more).format(number=number)
        (package / f"department_{number}.py").write_text(text)
        returns += 3 + has_more
    return returns


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.parse_args()
    options = ["--config", "errlint.toml", "--fix", "--unsafe-fixes", "--select", "ERR101", "--no-cache", "-q"]
    with tempfile.TemporaryDirectory() as folder:
        roots = [Path(folder).resolve() / name for name in ("timed", "weighed", "counted")]
        returns = max([make(root) for root in roots])
        started = time.perf_counter()
        done = subprocess.run(
            [*common.ERRLINT, *options], cwd=roots[0], env=common.ENVIRONMENT, capture_output=True, check=False
        )
        seconds = time.perf_counter() - started
        left = len(common.findings(roots[0], "--config", "errlint.toml", "--no-cache", "--select", "ERR101"))
        memory = peak_memory([*common.ERRLINT, *options], roots[1])
        report = roots[2] / "counts.json"
        before = _contents(roots[2])
        command = [sys.executable, "-c", COUNTED, str(report), *options, "-j", "1"]
        subprocess.run(command, cwd=roots[2], env=common.ENVIRONMENT, capture_output=True, check=True)
        counts = Counter(json.loads(report.read_text())["counts"])
        after = _contents(roots[2])
    old, new = _most(before - after, counts), _most(after - before, counts)
    print(f"status {done.returncode}: {returns - left} of {returns} error returns in {FILES} files fixed")
    print(f"{seconds:.1f} s, {memory:.0f} MiB; LibCST parses an original at most {old} times, a result {new}")
    return int(done.returncode != 0 or left > 0)


def _contents(root: Path) -> set[str]:
    return {hashlib.sha256(path.read_bytes()).hexdigest() for path in (root / "shop").glob("department_*.py")}


def _most(contents: set[str], counts: Counter[str]) -> int:
    return max((counts[each] for each in contents), default=0)


if __name__ == "__main__":
    sys.exit(main())
