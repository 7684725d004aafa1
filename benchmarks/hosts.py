"""Functions of real code that can take an error return: those whose answers errlint is meant to judge."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from forms import Form

# What errlint passes over by contract, whatever it returns: predicates, serialisers, error helpers.
NEVER = re.compile(
    r"__|^_*(is|has|can|check|validate|verify)_|_dict$|serialize|err|exception|fail|valid", re.IGNORECASE
)
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


def hosts(file: Path) -> list[Host]:
    """List the functions of a file, at its top or in its classes, that errlint has no reason to pass over."""
    text = file.read_text(encoding="utf-8")
    if "\r" in text or "\f" in text:
        return []
    found: list[Host] = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef):
            names = [node.name, *(ast.unparse(base) for base in node.bases)]
            if not any(NO_HOSTS.search(name) for name in names):
                found += [host for child in node.body if (host := as_host(file, child, node.name))]
        elif host := as_host(file, node, ""):
            found.append(host)
    return found


def as_host(file: Path, node: ast.stmt, owner: str) -> Host | None:
    """Describe a function as a host; None when it is no fit place for an error return."""
    if (
        not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        or node.decorator_list
        or NEVER.search(node.name)
    ):
        return None
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    if not body or body[0].lineno == node.lineno or isinstance(body[0], ast.FunctionDef | ast.ClassDef):
        return None
    own = list(own_nodes(node))
    is_generator = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in own)
    values = [each.value for each in own if isinstance(each, ast.Return) and each.value is not None]
    # A function that answers nothing else would become an error factory, or is a predicate.
    if not is_generator and all(
        isinstance(value, ast.Constant | ast.Tuple | ast.Compare) for value in values
    ):
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
