"""What is done with the functions of tools after they were registered, which no decorator and no call shows.

``for tool in tools: tool.fn = timed(tool.fn)`` is as if ``timed`` decorated each tool, and may answer what they raise.
``tool.fn(**arguments)`` calls any of them without the framework that answers their exceptions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from errlint.fix.bound import FunctionNode
from errlint.fix.model import Doubt
from errlint.fix.sources import Files
from errlint.fix.users.catching import answers_raised
from errlint.fix.users.objects import definition_of
from errlint.project import Project
from errlint.project.domain import BROAD
from errlint.settings.policy import bare_name

_HOLDING = ("fn", "func", "handler", "callback")
"""Attributes of the tools of frameworks, and of registries of one's own, that hold the function."""


def late_wrappers(project: Project, files: Files, path: str) -> Iterator[Doubt]:
    """Yield where the functions of the tools of a file's distribution are replaced, unless that lets all pass."""
    for other in files.naming(path, _HOLDING):
        for node in files.once(_replacing, other):
            name = _name(node.value)
            found = _called(project, files, other, name)
            if found is not None and not any(answers_raised(each, BROAD) for each in found):
                continue
            told = "answers what they raise itself: it has to let that pass" if found else "may answer what they raise"
            yield Doubt(f"`{name or '?'}` takes the place of each tool here, and {told}", other, node.lineno)


def taken_out(files: Files, path: str) -> Iterator[Doubt]:
    """Yield where the function of a tool of a file's distribution is called, kept or returned by itself."""
    for other in files.naming(path, ("fn",)):
        for line in files.once(_taking, other):
            text = "the function of any tool is taken out here: who calls it gets the exception of an error"
            yield Doubt(text, other, line)


def _taking(files: Files, path: str) -> Sequence[int]:
    """Return the lines of a file in which ``tool.fn`` is called, given a name or returned."""
    found: list[int] = []
    for node in ast.walk(files.tree(path)):
        value = node.func if isinstance(node, ast.Call) else None
        if isinstance(node, (ast.Assign, ast.Return)):
            value = node.value
        is_function = isinstance(value, ast.Attribute) and value.attr == "fn" and isinstance(value.ctx, ast.Load)
        if is_function and value is not None and "tool" in ast.unparse(value).lower():
            found.append(value.lineno)
    return tuple(dict.fromkeys(found))


def _replacing(files: Files, path: str) -> Sequence[ast.Assign]:
    """Return the statements of loops that put something made in the place of what each item holds."""
    found: list[ast.Assign] = []
    for loop in ast.walk(files.tree(path)):
        if not isinstance(loop, (ast.For, ast.AsyncFor)):
            continue
        items = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
        for node in ast.walk(loop):
            if not isinstance(node, ast.Assign) or not isinstance(node.value, (ast.Call, ast.Name)):
                continue
            if any(isinstance(each, ast.Attribute) and _is_held(each, items) for each in node.targets):
                found.append(node)
    return tuple(found)


def _is_held(node: ast.Attribute, items: set[str]) -> bool:
    return node.attr in _HOLDING and isinstance(node.value, ast.Name) and node.value.id in items


def _name(value: ast.expr) -> str:
    while isinstance(value, ast.Call):
        value = value.func
    return ast.unparse(value)


def _called(project: Project, files: Files, path: str, name: str) -> list[ast.AST] | None:
    """Return the functions of the project that a name may stand for, ``None`` where there are none to be seen."""
    short = bare_name(name)
    top = definition_of(project, files, path, name)
    if top is not None:
        return [top.node]
    places = {path, *(item.path for item in project.names.named(short))}
    trees = (files.tree(other) for other in sorted(places))
    found: list[ast.AST] = [
        node for tree in trees for node in ast.walk(tree) if isinstance(node, FunctionNode) and node.name == short
    ]
    return found or None
