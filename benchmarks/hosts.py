"""Functions of real code that can take an error return: those whose answers errlint is meant to judge."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from forms import Form

MARKERS = ("pyproject.toml", "setup.py", "setup.cfg")
ADAPTER = re.compile(r"^\s*@[\w.]+\.(tool|resource|prompt)\b", re.MULTILINE)
TESTS = re.compile(r"(^|/)(tests?/|test_|conftest|__)|_test\.py$|\.pyi$")
# What errlint passes over by contract, whatever it returns: predicates, serialisers, error helpers.
NEVER = re.compile(
    r"__|^_*(is|has|can|check|validate|verify)_|_dict$|^(to|as)_|serialize|err|exception|fail|valid",
    re.IGNORECASE,
)
DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
NO_HOSTS = re.compile(r"Error|Exception|Middleware|Protocol|Enum")


@dataclass(frozen=True, slots=True)
class Host:
    """A function that can take a planted return before the line ``line``, indented by ``indent`` blanks."""

    file: Path
    name: str
    owner: str
    line: int
    indent: int
    is_async: bool
    is_generator: bool
    subject: str

    def takes(self, form: Form) -> bool:
        """Whether the form makes sense in this function."""
        if form.needs == "generator":
            return not self.is_async
        wanted = {"": True, "async": self.is_async, "method": bool(self.owner), "adapter": not self.owner}
        return wanted[form.needs] and not self.is_generator


@dataclass(frozen=True, slots=True)
class Distribution:
    """What decides in a whole distribution whether errlint judges a function of it.

    ``items`` are names of functions that are used other than by answering with their result: what they return
    may be one item of a bigger answer, or an exception in the making.
    """

    folder: Path
    bears_adapter: bool
    items: frozenset[str]


def distribution(file: Path, root: Path) -> Distribution | None:
    """Find the distribution a file belongs to, not above ``root``."""
    below = (folder for folder in file.parents if folder.is_relative_to(root))
    home = next((folder for folder in below if any((folder / name).is_file() for name in MARKERS)), None)
    return survey(home) if home else None


@cache
def survey(folder: Path) -> Distribution:
    """Read all of a distribution, tests excepted."""
    paths = [path for path in sorted(folder.rglob("*.py")) if not TESTS.search(path.relative_to(folder).as_posix())]
    bears = any(ADAPTER.search(path.read_text("utf-8", "replace")) for path in paths)
    items = (name for path in paths if (tree := parse(path)) for name in used_as_items(tree))
    return Distribution(folder, bears, frozenset(items))


def parse(file: Path) -> ast.Module | None:
    """Parse a file; None when this interpreter cannot."""
    try:
        return ast.parse(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, SyntaxError):
        return None


def used_as_items(tree: ast.Module) -> Iterator[str]:
    """List the names that a module uses in other ways than ``return f()`` or ``x = f()`` and ``return x``."""
    plain: set[int] = set()
    for function in (node for node in ast.walk(tree) if isinstance(node, DEFINITION)):
        nodes = list(own_nodes(function))
        values: list[ast.expr | None] = [node.value for node in nodes if isinstance(node, ast.Return)]
        names = {value.id for value in values if isinstance(value, ast.Name)}
        values += [node.value for node in nodes if isinstance(node, ast.Assign) and target(node) in names]
        calls = [value.value if isinstance(value, ast.Await) else value for value in values]
        plain.update(id(call.func) for call in calls if isinstance(call, ast.Call))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and id(node) not in plain:
            yield node.id if isinstance(node, ast.Name) else node.attr


def target(node: ast.Assign) -> str:
    """Return the name that an assignment binds, "" when it does something else."""
    first = node.targets[0]
    return first.id if isinstance(first, ast.Name) else ""


def hosts(file: Path, home: Distribution) -> list[Host]:
    """List the functions of a file, at its top or in its classes, that errlint has no reason to pass over."""
    tree = parse(file)
    # Only plain line ends keep line numbers the same here and there.
    if tree is None or any(mark in file.read_bytes() for mark in (b"\r", b"\f")):
        return []
    found: list[Host | None] = []
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            found.append(as_host(file, node, ""))
        elif not any(NO_HOSTS.search(name) for name in [node.name, *map(ast.unparse, node.bases)]):
            found += [as_host(file, child, node.name) for child in node.body]
    return [host for host in found if host and host.name not in home.items]


def as_host(file: Path, node: ast.stmt, owner: str) -> Host | None:
    """Describe a function as a host; None when it is no fit place for an error return."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.decorator_list or NEVER.search(node.name):
        return None
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    if not body or body[0].lineno == node.lineno or isinstance(body[0], DEFINITION):
        return None
    own = list(own_nodes(node))
    is_generator = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in own)
    values = [each.value for each in own if isinstance(each, ast.Return) and each.value is not None]
    # A function that answers nothing else would become an error factory, or is a predicate.
    if not is_generator and all(isinstance(value, ast.Constant | ast.Tuple | ast.Compare) for value in values):
        return None
    if owner and not (node.args.args and node.args.args[0].arg == "self"):
        return None
    names = [argument.arg for argument in node.args.args if argument.arg != "self"]
    subject = names[0] if names else "__name__"
    is_async = isinstance(node, ast.AsyncFunctionDef)
    return Host(file, node.name, owner, body[0].lineno, body[0].col_offset, is_async, is_generator, subject)


def own_nodes(function: ast.AST) -> list[ast.AST]:
    """List the nodes of a function without those of the functions inside it."""
    found: list[ast.AST] = []
    for child in ast.iter_child_nodes(function):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            found += [child, *own_nodes(child)]
    return found
