"""A baseline keeps what was found known through any edit that leaves it as it is, and hides nothing new.

Edits are drawn on copies of real projects, each a git repository whose baseline is committed: functions and files move,
functions and variables get other names, code is formatted otherwise, violations are mended while others come, and two
branches that both changed the baseline are merged. What is old and what is new is known from how an edit was made, and
from comparing all findings before and after by their syntax trees, not from errlint.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import tokenize
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import common

SCRIPTS = 200
MERGES = 200
CLEAN_SHARE = 0.95
BASELINE = "errlint-baseline.txt"
_GIT = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
_IDENTITY = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
_WIDTHS = (60, 79, 88, 100, 140)
_MENDED = 'raise ValueError("mended")'
_MENDABLE = frozenset({"ERR101", "ERR102", "ERR103", "ERR105"})


class Key(NamedTuple):
    """What a finding is about, wherever it stands: rule, innermost function, and the tree of its statement."""

    code: str
    function: str
    tree: str


class Plant(NamedTuple):
    """A violation that an edit has put there: file, innermost function, and a text in it."""

    path: str
    function: str
    text: str


class Project:
    """A working copy: what is drawn in it, which names were given others, and what was planted."""

    def __init__(self, root: Path, drawn: random.Random, hits: list[common.Hit]) -> None:
        self.root = root
        self.drawn = drawn
        self.hits = hits
        self.names: dict[str, str] = {}
        self.planted: list[Plant] = []
        self.serial = drawn.randrange(10**6)

    def next(self) -> int:
        """Return a number that no name in the project has yet."""
        self.serial += 1
        return self.serial

    def paths(self) -> list[str]:
        """List the Python files."""
        return sorted(path.relative_to(self.root).as_posix() for path in self.root.rglob("*.py"))

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())

    def drawn_hits(self) -> list[common.Hit]:
        """Return the findings that are there now, in a drawn order."""
        return self.drawn.sample(self.hits, len(self.hits))

    def look(self) -> None:
        """Find out what is reported without a baseline."""
        self.hits = reported(self.root, "--no-baseline")


@lru_cache(maxsize=512)
def parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def owner_of(tree: ast.Module, line: int) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | None:
    """Return the statement at the top of a module that holds a line, if it is a definition."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and first_line(node) <= line <= (
            node.end_lineno or 0
        ):
            return node
    return None


def first_line(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> int:
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


@lru_cache(maxsize=512)
def statements(tree: ast.Module) -> list[ast.stmt]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]


@lru_cache(maxsize=512)
def functions(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in statements(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def innermost(tree: ast.Module, line: int) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """Return the innermost function around a line."""
    around = [node for node in functions(tree) if first_line(node) <= line <= (node.end_lineno or 0)]
    return max(around, key=lambda node: node.lineno, default=None)


def statement_of(tree: ast.Module, line: int) -> ast.stmt | None:
    """Return the innermost statement that begins at a line."""
    found = [node for node in statements(tree) if node.lineno == line]
    return max(found, key=lambda node: node.col_offset, default=None)


def key_of(hit: common.Hit, text: str, names: dict[str, str]) -> Key:
    """Return what a finding is about, with the names from before the edits."""
    tree = parsed(text)
    if tree is None:
        return Key(hit.code, "", hit.message)
    function = innermost(tree, hit.line)
    node: ast.AST | None = statement_of(tree, hit.line)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        dump = f"{node.name} {ast.dump(node.args) if not isinstance(node, ast.ClassDef) else ''}"
    elif node is not None and not isinstance(node, ast.If | ast.For | ast.While | ast.With | ast.Try | ast.AsyncWith):
        dump = ast.dump(node)
    else:
        dump = text.splitlines()[hit.line - 1].strip() if hit.line <= len(text.splitlines()) else ""
    name = function.name if function is not None else ""
    for new, old in reversed(names.items()):
        dump, name = re.sub(rf"\b{new}\b", old, dump), re.sub(rf"\b{new}\b", old, name)
    return Key(hit.code, name, dump)


def keys_of(project: Project, hits: Iterable[common.Hit]) -> Counter[Key]:
    texts: dict[str, str] = {}
    return Counter(key_of(hit, texts.setdefault(hit.path, project.read(hit.path)), project.names) for hit in hits)


# Edits that leave every violation as it is. Each says whether it found something to do.


def move_in_file(project: Project) -> bool:
    """Move a definition that has a finding to the end of its file."""
    for hit in project.drawn_hits():
        text = project.read(hit.path)
        tree = parsed(text)
        node = owner_of(tree, hit.line) if tree else None
        if node is None:
            continue
        lines = text.splitlines(keepends=True)
        block = lines[first_line(node) - 1 : node.end_lineno]
        del lines[first_line(node) - 1 : node.end_lineno]
        project.write(hit.path, "".join(lines).rstrip("\n") + "\n\n\n" + "".join(block).rstrip("\n") + "\n")
        return True
    return False


def move_to_file(project: Project) -> bool:
    """Move a definition that has a finding to a new file, which imports what it needs."""
    for hit in project.drawn_hits():
        text = project.read(hit.path)
        tree = parsed(text)
        node = owner_of(tree, hit.line) if tree else None
        if tree is None or node is None:
            continue
        lines = text.splitlines(keepends=True)
        block = "".join(lines[first_line(node) - 1 : node.end_lineno]).rstrip("\n")
        imports = [
            "".join(lines[each.lineno - 1 : each.end_lineno])
            for each in tree.body
            if isinstance(each, ast.Import | ast.ImportFrom)
        ]
        used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        needed = sorted(used & {name for each in tree.body for name in names_bound(each)} - {node.name})
        folder, _, file = hit.path.rpartition("/")
        module = file.removesuffix(".py")
        name = f"moved_{project.next()}"
        dot = "." if (project.root / folder / "__init__.py").exists() else ""
        if module in ("__init__", "__main__"):
            continue
        back = f"from {dot}{module} import {', '.join(needed)}\n" if needed else ""
        project.write(f"{folder}/{name}.py".lstrip("/"), "".join(imports) + back + "\n\n" + block + "\n")
        del lines[first_line(node) - 1 : node.end_lineno]
        project.write(hit.path, "".join(lines).rstrip("\n") + f"\n\nfrom {dot}{name} import {node.name}\n")
        return True
    return False


def names_bound(node: ast.stmt) -> set[str]:
    """Return the names that a statement of a module binds, imports aside."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return set()
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def rename_file(project: Project) -> bool:
    """Give a file that has a finding another name, in the imports of others too."""
    for hit in project.drawn_hits():
        folder, _, file = hit.path.rpartition("/")
        old = file.removesuffix(".py")
        if old in ("__init__", "__main__") or not old.isidentifier():
            continue
        new = f"file_{project.next()}"
        word = re.compile(rf"\b{old}\b")
        text = project.read(hit.path)
        (project.root / hit.path).unlink()
        project.write(f"{folder}/{new}.py".lstrip("/"), text)
        for path in project.paths():
            before = project.read(path)
            lines = before.splitlines(keepends=True)
            after = "".join(
                word.sub(new, line)
                if re.match(rf"\s*(from [\w.]*\b{old} import|import [\w.]*\b{old}\b)", line)
                else line
                for line in lines
            )
            if after != before:
                project.write(path, after)
        return True
    return False


def rename_function(project: Project) -> bool:
    """Give a function that has a finding, or that such a line calls, another name everywhere."""
    texts = {path: project.read(path) for path in project.paths()}
    for hit in project.drawn_hits():
        tree = parsed(texts.get(hit.path, ""))
        if tree is None:
            continue
        function, statement = innermost(tree, hit.line), statement_of(tree, hit.line)
        names = [function.name] if function is not None else []
        if statement is not None and not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names += [node.id for node in ast.walk(statement) if isinstance(node, ast.Name)]
        for old in project.drawn.sample(names, len(names)):
            defined = sum(len(re.findall(rf"\bdef {old}\b", text)) for text in texts.values())
            if defined != 1 or len(old) < 6 or old in project.names:
                continue
            new = f"function_{project.next()}"
            changed = {path: renamed(text, old, new, attributes=True) for path, text in texts.items() if old in text}
            if any(text is None for text in changed.values()):
                continue
            for path, text in changed.items():
                assert text is not None
                project.write(path, text)
            project.names[new] = old
            return True
    return False


def rename_variable(project: Project) -> bool:
    """Give a local variable that a line with a finding mentions another name."""
    for hit in project.drawn_hits():
        text = project.read(hit.path)
        tree = parsed(text)
        function = innermost(tree, hit.line) if tree else None
        statement = statement_of(tree, hit.line) if tree else None
        if function is None or statement is None or isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        bound = {
            node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        bound |= {node.name for node in ast.walk(function) if isinstance(node, ast.ExceptHandler) and node.name}
        used = sorted({node.id for node in ast.walk(statement) if isinstance(node, ast.Name)} & bound)
        if any(isinstance(node, ast.Global | ast.Nonlocal) for node in ast.walk(function)) or not used:
            continue
        old, new = project.drawn.choice(used), f"variable_{project.next()}"
        lines = text.splitlines(keepends=True)
        first, last = first_line(function) - 1, function.end_lineno or 0
        body = renamed("".join(lines[first:last]), old, new, attributes=False)
        if old in project.names or body is None:
            continue
        project.write(hit.path, "".join([*lines[:first], body, *lines[last:]]))
        project.names[new] = old
        return True
    return False


def renamed(text: str, old: str, new: str, *, attributes: bool) -> str | None:
    """Put one name in the place of another, in f-strings too; ``None`` where the text cannot be read."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return None
    lines = text.splitlines(keepends=True)
    inner = re.compile(rf"(\{{[^{{}}]*?)(?<![\w.'\"]){old}\b(?!['\"=])")
    depth = 0
    places: list[tuple[int, int, int, str]] = []
    for index, token in enumerate(tokens):
        depth += (token.string in "([{") - (token.string in ")]}") if token.type == tokenize.OP else 0
        if token.type == tokenize.NAME and token.string == old:
            before, after = tokens[index - 1].string if index else "", tokens[index + 1].string
            is_keyword = depth > 0 and after == "=" and (before in ("(", ",") or tokens[index - 1].type == tokenize.NL)
            if not is_keyword and (attributes or before != "."):
                places.append((token.start[0], token.start[1], token.end[1], new))
        elif (
            token.type == tokenize.STRING and "f" in re.split(r"['\"]", token.string)[0].lower() and old in token.string
        ):
            if token.start[0] != token.end[0]:
                return None
            told = token.string
            while (after := inner.sub(rf"\g<1>{new}", told)) != told:
                told = after
            places.append((token.start[0], token.start[1], token.end[1], told))
    for row, start, end, told in reversed(places):
        line = lines[row - 1]
        lines[row - 1] = line[:start] + told + line[end:]
    return "".join(lines)


def reformat(project: Project) -> bool:
    """Format files with a finding as another team would."""
    paths = sorted({hit.path for hit in project.hits if (project.root / hit.path).exists()})
    if not paths:
        return False
    some = project.drawn.sample(paths, project.drawn.randint(1, min(5, len(paths))))
    quotes = project.drawn.choice(("single", "double"))
    width = project.drawn.choice(_WIDTHS)
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--no-cache", "-q", "--line-length", str(width)]
    done = subprocess.run(
        [*command, "--config", f'format.quote-style="{quotes}"', *some],
        cwd=project.root,
        capture_output=True,
        check=False,
    )
    return done.returncode == 0


def comment(project: Project) -> bool:
    """Write a comment above a finding."""
    for hit in project.drawn_hits():
        text = project.read(hit.path)
        lines = text.splitlines(keepends=True)
        tree = parsed(text)
        if tree is None or statement_of(tree, hit.line) is None:
            continue
        indent = re.match(r"\s*", lines[hit.line - 1])
        assert indent is not None
        lines.insert(hit.line - 1, f"{indent[0].rstrip(chr(10))}# remark {project.next()}\n")
        if parsed("".join(lines)) is not None:
            project.write(hit.path, "".join(lines))
            return True
    return False


# Edits that change what there is to find.


def mend(project: Project) -> common.Hit | None:
    """Make a raise of an error return; return which one."""
    for hit in project.drawn_hits():
        if hit.code not in _MENDABLE:
            continue
        text = project.read(hit.path)
        tree = parsed(text)
        node = statement_of(tree, hit.line) if tree else None
        if not isinstance(node, ast.Return) or not text.isascii():
            continue
        lines = text.splitlines(keepends=True)
        end = lines[(node.end_lineno or 0) - 1][node.end_col_offset :]
        lines[node.lineno - 1 : node.end_lineno] = [lines[node.lineno - 1][: node.col_offset] + _MENDED + end]
        project.write(hit.path, "".join(lines))
        return hit
    return None


def plant_function(project: Project, path: str) -> None:
    """Put a function with a violation somewhere in a file."""
    number = project.next()
    name, text = f"planted_{number}", f"planted {number}"
    source = project.read(path)
    tree = parsed(source)
    lines = source.splitlines(keepends=True)
    starts = [first_line(node) - 1 for node in tree.body if isinstance(node, ast.FunctionDef)] if tree else []
    at = project.drawn.choice([*starts, len(lines)])
    answer = f'    if not query:\n        return {{"error": "{text}"}}\n    return {{"found": query}}\n'
    code = f"def {name}(query):\n{answer}\n\n"
    lead = "" if at < len(lines) or not lines or lines[-1].endswith("\n") else "\n"
    lines.insert(at, lead + code)
    project.write(path, "".join(lines))
    project.planted.append(Plant(path, name, text))


def plant_in_function(project: Project, path: str) -> None:
    """Put a violation at the top of a function that is there."""
    source = project.read(path)
    tree = parsed(source)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)] if tree else []
    functions = [node for node in functions if node.body[0].lineno > node.lineno and not is_generator(node)]
    if not functions:
        plant_function(project, path)
        return
    node = project.drawn.choice(functions)
    text = f"planted {project.next()}"
    has_docstring = ast.get_docstring(node) is not None
    lines = source.splitlines(keepends=True)
    at = (node.body[0].end_lineno or 0) if has_docstring else first_of(node.body[0]) - 1
    indent = " " * node.body[0].col_offset
    lines.insert(at, f'{indent}if not __name__:\n{indent}    return {{"error": "{text}"}}\n')
    project.write(path, "".join(lines))
    project.planted.append(Plant(path, node.name, text))


def first_of(node: ast.stmt) -> int:
    return first_line(node) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else node.lineno


def is_generator(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node))


def swap(project: Project) -> bool:
    """Mend one violation of a file and put another one into it."""
    hit = mend(project)
    if hit is None:
        return False
    project.drawn.choice((plant_function, plant_in_function))(project, hit.path)
    return True


def copy_elsewhere(project: Project) -> bool:
    """Mend a violation of texts alone, and put the same statement into a new function of the same file."""
    for hit in project.drawn_hits():
        text = project.read(hit.path)
        tree = parsed(text)
        node = statement_of(tree, hit.line) if tree else None
        if hit.code not in ("ERR101", "ERR103") or not isinstance(node, ast.Return) or not text.isascii():
            continue
        if any(isinstance(each, ast.Name | ast.Attribute) for each in ast.walk(node)):
            continue
        said = ast.unparse(node)
        lines = text.splitlines(keepends=True)
        end = lines[(node.end_lineno or 0) - 1][node.end_col_offset :]
        lines[node.lineno - 1 : node.end_lineno] = [lines[node.lineno - 1][: node.col_offset] + _MENDED + end]
        name = f"planted_{project.next()}"
        project.write(
            hit.path,
            "".join(lines).rstrip("\n")
            + f"\n\n\ndef {name}(query):\n    if not query:\n        {said}\n    return query\n",
        )
        project.planted.append(Plant(hit.path, name, ""))
        return True
    return False


KEEPING: dict[str, Callable[[Project], bool]] = {
    "move in file": move_in_file,
    "move to file": move_to_file,
    "rename file": rename_file,
    "rename function": rename_function,
    "rename variable": rename_variable,
    "reformat": reformat,
    "comment": comment,
}
CHANGING: dict[str, Callable[[Project], bool]] = {"swap": swap, "copy elsewhere": copy_elsewhere}


def reported(root: Path, *options: str) -> list[common.Hit]:
    """Return what errlint reports in a project with its own configuration."""
    command = [*common.ERRLINT, "check", ".", "--output-format", "json", "-q", *options]
    done = subprocess.run(command, cwd=root, env=common.ENVIRONMENT, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise common.CommandFailedError(done.stderr.decode())
    return common.read(root, done.stdout)


def errlint(root: Path, *arguments: str) -> None:
    done = subprocess.run(
        [*common.ERRLINT, *arguments], cwd=root, env=common.ENVIRONMENT, capture_output=True, check=False
    )
    if done.returncode:
        raise common.CommandFailedError(done.stderr.decode())


def git(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["git", *_IDENTITY, *arguments]
    environment = {**common.ENVIRONMENT, **_GIT}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)


def commit(root: Path, message: str) -> None:
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--allow-empty", "--message", message)


def prepared(source: Path, target: Path, select: str) -> list[common.Hit]:
    """Make a repository of the Python files of a project, with a baseline; return what is found in it."""
    for path in common.files(source):
        if path.endswith(".py"):
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / path, target / path)
    for marker in source.rglob("pyproject.toml"):
        copied = target / marker.relative_to(source)
        if copied.parent.is_dir():
            copied.write_text("", encoding="utf-8")
    chosen = f"extend-select = {json.dumps(select.split(','))}\n" if select else ""
    (target / "errlint.toml").write_text(f'baseline = "{BASELINE}"\n{chosen}', encoding="utf-8")
    (target / ".gitignore").write_text(".errlint_cache/\n", encoding="utf-8")
    git(target, "init", "--quiet", "--initial-branch", "main")
    errlint(target, "baseline", "write")
    commit(target, "start")
    return reported(target, "--no-baseline")


class Tally:
    """What went wrong, and how often what was done."""

    def __init__(self) -> None:
        self.done: Counter[str] = Counter()
        self.faults: list[str] = []

    def fault(self, what: str, where: str, key: object) -> None:
        self.faults.append(f"{what}: {where}: {key}")


def judge(project: Project, before: Counter[Key], where: str, tally: Tally) -> None:
    """Compare what is reported, with the baseline and since the first commit, with what is new."""
    everything = reported(project.root, "--no-baseline")
    texts = {hit.path: project.read(hit.path) for hit in everything}

    def is_planted(hit: common.Hit) -> bool:
        tree = parsed(texts[hit.path])
        function = innermost(tree, hit.line) if tree else None
        said = "\n".join(texts[hit.path].splitlines()[hit.line - 1 : hit.last])
        return any(
            plant.path == hit.path and function is not None and function.name == plant.function and plant.text in said
            for plant in project.planted
        )

    planted = keys_of(project, (hit for hit in everything if is_planted(hit)))
    kept = keys_of(project, (hit for hit in everything if not is_planted(hit)))
    known_before = Counter(Key(key.code, "", key.tree) for key in before.elements())
    for way, options in (("baseline", ()), ("since", ("--no-baseline", "--since", "HEAD"))):
        hits = reported(project.root, *options)
        told = keys_of(project, hits)
        tally.done["planted"] += planted.total()
        for key in (planted - told).elements():
            tally.fault("hidden", f"{where} [{way}]", key)
        for key in (told - planted).elements():
            # An edit may make an error of something that was none: then there are more of them than before.
            alike = Key(key.code, "", key.tree)
            if (
                sum(count for each, count in kept.items() if Key(each.code, "", each.tree) == alike)
                > known_before[alike]
            ):
                tally.done["new by the edit"] += 1
                print(f"new by the edit: {where} [{way}]: {key}")
            else:
                tally.fault("resurfaced", f"{where} [{way}]", key)


def run_script(base: Path, hits: list[common.Hit], work: Path, drawn: random.Random, name: str, tally: Tally) -> None:
    """Carry out one edit script and judge what is reported."""
    shutil.copytree(base, work, symlinks=True)
    project = Project(work, drawn, hits)
    before = keys_of(project, hits)
    told: list[str] = []
    for edit in drawn.choices(list(KEEPING), k=drawn.randint(1, 3)):
        if KEEPING[edit](project):
            told.append(edit)
            project.look()
    if drawn.random() < 0.5:
        edit = drawn.choice(list(CHANGING))
        if CHANGING[edit](project):
            told.append(edit)
            if drawn.random() < 0.5 and reformat(project):
                told.append("reformat")
    for edit in told:
        tally.done[edit] += 1
    judge(project, before, f"{name}: {', '.join(told)}", tally)
    errlint(work, "baseline", "prune")
    project.planted.clear()
    again = keys_of(project, reported(work, "--no-baseline"))
    listed = sum(1 for line in (work / BASELINE).read_text(encoding="utf-8").splitlines() if line and line[0] != "#")
    if listed > again.total():
        tally.fault("not pruned", name, f"{listed} listed, {again.total()} found")


def add(project: Project) -> None:
    """Put violations into files and into the baseline."""
    paths = sorted({hit.path for hit in project.hits})
    for _ in range(project.drawn.randint(1, 4)):
        project.drawn.choice((plant_function, plant_in_function))(project, project.drawn.choice(paths))
    errlint(project.root, "baseline", "write")


def remove(project: Project) -> None:
    """Mend violations and take them out of the baseline."""
    for _ in range(project.drawn.randint(1, 4)):
        mend(project)
        project.look()
    errlint(project.root, "baseline", "prune")


def run_merge(base: Path, hits: list[common.Hit], work: Path, drawn: random.Random, name: str, tally: Tally) -> None:
    """Merge two branches that both changed the baseline, and judge what is reported then."""
    kinds = drawn.choice((("add", "add"), ("remove", "remove"), ("add", "remove")))
    shutil.copytree(base, work, symlinks=True)
    for branch, kind in zip(("left", "right"), kinds, strict=True):
        git(work, "switch", "--quiet", "--create", branch, "main")
        project = Project(work, drawn, hits)
        (add if kind == "add" else remove)(project)
        commit(work, branch)
    merged = git(work, "merge", "--quiet", "--no-edit", "left")
    unmerged = git(work, "diff", "--name-only", "--diff-filter=U").stdout.split()
    what = f"{kinds[0]}+{kinds[1]}"
    if any(path != BASELINE for path in unmerged):
        tally.done["merges with conflicts in code, not counted"] += 1
        return
    tally.done[f"merge {what}"] += 1
    tally.done[f"conflict {what}"] += BASELINE in unmerged
    if merged.returncode and BASELINE not in unmerged:
        raise common.CommandFailedError(merged.stderr)
    tally.done[f"conflict {what} by lines alone"] += is_conflict_without_attributes(work)
    if BASELINE in unmerged:
        return
    project = Project(work, drawn, hits)
    for key in keys_of(project, reported(work)):
        tally.fault("resurfaced", f"{name}: merge {what}", key)


def is_conflict_without_attributes(work: Path) -> bool:
    """Whether git could not merge the baselines of both branches, had nobody told it how."""
    names = ("main", "left", "right")
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            (Path(folder) / name).write_text(git(work, "show", f"{name}:{BASELINE}").stdout, encoding="utf-8")
        return git(Path(folder), "merge-file", "-p", "left", "main", "right").returncode != 0


def main() -> int:
    """Run the scripts and merges, and print what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("projects", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--scripts", type=int, default=SCRIPTS)
    parser.add_argument("--merges", type=int, default=MERGES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--extend-select", default="", help="rules beside the default ones")
    asked = parser.parse_args()
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        bases: list[tuple[Path, list[common.Hit]]] = []
        for number, source in enumerate(asked.projects):
            base = folder / f"base{number}"
            hits = prepared(source, base, asked.extend_select)
            print(f"{source.name}: {len(hits)} findings")
            if hits:
                bases.append((base, hits))
        work = folder / "work"
        for kind, count in (("script", asked.scripts), ("merge", asked.merges)):
            for number in range(count):
                base, hits = bases[number % len(bases)]
                drawn = random.Random(f"{asked.seed} {kind} {number}")
                each = run_script if kind == "script" else run_merge
                print(f"{kind} {number + 1} of {count}", end="\r", file=sys.stderr)
                each(base, hits, work, drawn, f"{kind} {number} in {asked.projects[number % len(bases)].name}", tally)
                shutil.rmtree(work)
    return report(tally)


def report(tally: Tally) -> int:
    """Print the figures; return the exit status."""
    print(*tally.faults, sep="\n")
    for what, count in sorted(tally.done.items()):
        print(f"{what:<45} {count:>6}")
    status = 0
    for what in ("add+add", "remove+remove"):
        total = tally.done[f"merge {what}"]
        clean = 1 - tally.done[f"conflict {what}"] / total if total else 1.0
        alone = 1 - tally.done[f"conflict {what} by lines alone"] / total if total else 1.0
        print(f"merges {what} without a conflict in the baseline: {clean:.1%} of {total} (at least {CLEAN_SHARE:.0%})")
        print(f"  the same, had nobody told git how to merge it: {alone:.1%}")
        status |= clean < CLEAN_SHARE
    for what in ("resurfaced", "hidden", "not pruned"):
        count = sum(fault.startswith(what) for fault in tally.faults)
        print(f"{what}: {count} (at most 0)")
        status |= count > 0
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
