"""Recall by injection: error returns of every form, planted into real files that errlint finds clean.

The distributions of the chosen files are copied; the code goes to the top of their functions.
A module beside the file registers functions as tools where a form only counts in what a tool answers.
"""

from __future__ import annotations

import argparse
import ast
import random
import shutil
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import common
from forms import ANSWERS, ANSWERS_NAME, FACTORY_METHOD, FORMS, LOCAL_FACTORY, TEXTS, Form
from hosts import TESTS, Host, distribution, hosts

RULES = "ERR101,ERR102,ERR103,ERR104,ERR105,ERR112"
ENOUGH = 0.95
PER_FUNCTION = 2


@dataclass(frozen=True, slots=True)
class Plant:
    """A form planted in a function: ``line`` is where it must be reported in the changed file."""

    form: Form
    host: Host
    line: int


@dataclass(slots=True)
class Edit:
    """The lines to insert before each line of a file; ``targets`` say which of them must be reported."""

    inserts: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    targets: list[tuple[int, int, Form, Host]] = field(default_factory=list)

    def apply(self, file: Path) -> list[Plant]:
        """Rewrite the file and return where the planted statements came to lie."""
        lines = file.read_text(encoding="utf-8").split("\n")
        result: list[str] = []
        start: dict[int, int] = {}
        for number, line in enumerate([*lines, ""], 1):
            start[number] = len(result) + 1
            result += [*self.inserts.get(number, ()), line]
        ast.parse("\n".join(result))
        file.write_text("\n".join(result), encoding="utf-8")
        return [Plant(form, host, start[line] + offset) for line, offset, form, host in self.targets]


def clean_files(root: Path, per_file: int) -> list[tuple[Path, Path]]:
    """List the files without findings that have enough hosts, each after the distribution it is from."""
    found = {hit.path for hit in common.findings(root, "--no-cache", "--select", RULES)}
    files: list[tuple[Path, Path]] = []
    for path in common.files(root):
        home = distribution(root / path, root)
        if path in found or TESTS.search(path) or home is None or not home.bears_adapter:
            continue
        if len(hosts(root / path, home)) >= per_file:
            files.append((home.folder, root / path))
    return files


def copy(chosen: list[tuple[Path, Path]], target: Path) -> list[Path]:
    """Copy the distributions of the chosen files and return the files in the copies."""
    homes = sorted({home for home, _ in chosen})
    copies = {home: target / f"{number:02}-{home.name}" for number, home in enumerate(homes)}
    for home, folder in copies.items():
        shutil.copytree(home, folder, symlinks=True, ignore=shutil.ignore_patterns(".git", ".venv"))
    return [copies[home] / file.relative_to(home) for home, file in chosen]


def pair(files: list[Path], count: int, dice: random.Random) -> list[tuple[Form, Host]]:
    """Give each form its share of functions; raises ValueError when they do not suffice."""
    homes = {file: distribution(file, file.parents[-1]) for file in files}
    free = [host for file, home in homes.items() if home for host in hosts(file, home)]
    dice.shuffle(free)
    uses = dict.fromkeys(free, 0)
    pairs: list[tuple[Form, Host]] = []
    # Forms that fit few functions choose first, and functions that are still as they were are chosen first.
    for form in sorted((FORMS[number % len(FORMS)] for number in range(count)), key=lambda form: not form.needs):
        fit = [host for host in free if host.takes(form) and uses[host] < (1 if form.alone else PER_FUNCTION)]
        if not fit:
            raise ValueError(f"no function left for the form {form.name!r}; try another seed or more folders")
        host = min(fit, key=uses.__getitem__)
        uses[host] += PER_FUNCTION if form.alone else 1
        pairs.append((form, host))
    return pairs


def written(form: Form, host: Host, number: int, dice: random.Random) -> tuple[list[str], int]:
    """Write out a form in a guard or a handler; return its lines and which of them must be reported."""
    source = form.source.replace("<text>", dice.choice(TEXTS))
    in_handler = "<exc>" in source or dice.random() < 0.5
    for hole, value in (("<n>", str(number)), ("<subject>", host.subject), ("<exc>", "exc")):
        source = source.replace(hole, value)
    if in_handler:
        head = ["try:", f"    str({host.subject})", "except ValueError as exc:"]
    else:
        head = [f"if {host.subject} is None:"]
    lines = [*head, *(f"    {line}" for line in source.split("\n"))]
    target = next(index for index, line in enumerate(lines) if line.lstrip().startswith(("return", "yield")))
    return [" " * host.indent + line for line in lines], target


def module_prefix(file: Path) -> str:
    """Say how a module beside ``file`` is imported: relatively inside a package."""
    # A folder in a package is one too, also without a file of its own.
    return "." if any((folder / "__init__.py").is_file() for folder in (file.parent, file.parent.parent)) else ""


def import_of(file: Path, wanted: str) -> str:
    if wanted.startswith(("import ", "from ")):
        return wanted
    if wanted == ANSWERS_NAME:
        return f"from . import {wanted}" if module_prefix(file) else f"import {wanted}"
    return f"from {module_prefix(file)}{ANSWERS_NAME} import {wanted}"


def support(file: Path, pairs: list[tuple[Form, Host]], edit: Edit) -> None:
    """Add to an edit what the planted code needs: imports, helpers, and the modules beside the file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    wanted = sorted({import_of(file, each) for form, _ in pairs for each in form.imports})
    edit.inserts[first_definition(tree)] += wanted
    if any("_planted_refusal" in form.source and not form.needs for form, _ in pairs):
        edit.inserts[len(file.read_text(encoding="utf-8").split("\n")) + 1] += LOCAL_FACTORY.split("\n")
    for owner in sorted({host.owner for form, host in pairs if form.needs == "method"}):
        line, indent = first_method(tree, owner)
        edit.inserts[line] += [" " * indent + text if text else "" for text in FACTORY_METHOD.split("\n")]
    (file.parent / f"{ANSWERS_NAME}.py").write_text(ANSWERS, encoding="utf-8")
    registered = [host for form, host in pairs if form.needs == "adapter"]
    if registered:
        (file.parent / f"planted_server_{file.stem}.py").write_text(server(file, registered), encoding="utf-8")


def server(file: Path, registered: list[Host]) -> str:
    """Write a tool server that registers half of the functions and calls the others from a tool."""
    names = ", ".join(host.name for host in registered)
    module = f"{module_prefix(file)}{file.stem}"
    text = f"from mcp.server.fastmcp import FastMCP\n\nfrom {module} import {names}\n\nmcp = FastMCP()\n"
    for number, host in enumerate(registered):
        prefix, call = ("async ", "await ") if host.is_async else ("", "")
        if number % 2:
            text += f"mcp.tool()({host.name})\n"
        else:
            text += f"\n\n@mcp.tool()\n{prefix}def tool_{number}(value):\n"
            text += f"    return {call}{host.name}(value)\n\n\n"
    return text


def start(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def first_definition(tree: ast.Module) -> int:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return next(start(node) for node in tree.body if isinstance(node, kinds))


def first_method(tree: ast.Module, owner: str) -> tuple[int, int]:
    """Return line and indentation of the first method of a class."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == owner]
    methods = [node for node in classes[0].body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return start(methods[0]), methods[0].col_offset


def plant(pairs: list[tuple[Form, Host]], dice: random.Random) -> list[Plant]:
    """Write all forms into the files of their hosts and return where each must be reported."""
    planted: list[Plant] = []
    by_file: dict[Path, list[tuple[Form, Host]]] = defaultdict(list)
    for form, host in pairs:
        by_file[host.file].append((form, host))
    for file, mine in sorted(by_file.items()):
        edit = Edit()
        support(file, mine, edit)
        for form, host in mine:
            lines, target = written(form, host, len(planted) + len(edit.targets), dice)
            edit.targets.append((host.line, len(edit.inserts[host.line]) + target, form, host))
            edit.inserts[host.line] += lines
        planted += edit.apply(file)
    return planted


def report(planted: list[Plant], hits: list[common.Hit], target: Path) -> int:
    """Print what was missed and what else was reported; return how many were found by the right rule."""
    found = 0
    expected: set[common.Hit] = set()
    for each in planted:
        path = each.host.file.relative_to(target).as_posix()
        covering = [hit for hit in hits if hit.covers(path, each.line)]
        expected.update(covering)
        if any(hit.code == each.form.code and hit.line == each.line for hit in covering):
            found += 1
            continue
        got = ", ".join(f"{hit.code} at line {hit.line}" for hit in covering) or "nothing"
        print(f"missed {each.form.code} {each.form.name}: {got} at {path}:{each.line} in {each.host.name}")
        print("    " + each.host.file.read_text(encoding="utf-8").split("\n")[each.line - 1].strip())
    paths = {each.host.file.relative_to(target).as_posix() for each in planted}
    for hit in sorted(hit for hit in hits if hit.path in paths and hit not in expected):
        print(f"also reported: {hit.path}:{hit.line} {hit.code} {hit.message}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("roots", type=Path, nargs="+", metavar="DIR", help="folders of real code with tool servers")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--seed", type=int, default=20240131)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="plant in this new folder and leave it there")
    arguments = parser.parse_args()
    dice = random.Random(arguments.seed)
    per_file = -(-arguments.count // (arguments.files * PER_FUNCTION))
    clean = [found for root in arguments.roots for found in clean_files(root, per_file)]
    if len(clean) < arguments.files:
        parser.error(f"only {len(clean)} clean files with {per_file} functions in these folders")
    with tempfile.TemporaryDirectory() as name:
        target = arguments.keep.resolve() if arguments.keep else Path(name).resolve()
        files = copy(dice.sample(clean, arguments.files), target)
        planted = plant(pair(files, arguments.count, dice), dice)
        hits = common.findings(target, "--no-cache", "--select", RULES)
        found = report(planted, hits, target)
    used = len({each.host.file for each in planted})
    print(f"{found} of {len(planted)} found at their lines in {used} of {len(clean)} clean files")
    return 0 if found >= ENOUGH * arguments.count else 1


if __name__ == "__main__":
    sys.exit(main())
