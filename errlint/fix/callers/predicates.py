"""Functions of the project that tell whether an answer is an error: a call of one is read as what it asks."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from typing import NamedTuple

from errlint.facts import Function, Use
from errlint.findings import Span
from errlint.fix.callers.receiver_types import Receiver, definition_of
from errlint.fix.model import Refusal
from errlint.fix.source_cache import Files
from errlint.project import Project
from errlint.project.callers import Caller
from errlint.project.decorators import BINDING
from errlint.trees import walk

MAX_CALLS = 3
"""Through how many functions a question is followed."""

_OWN = frozenset({"self", "cls"})


class _Predicate(NamedTuple):
    """A function, with its qualified name."""

    path: str
    node: ast.FunctionDef
    scope: str
    is_method: bool


WrittenOut = Callable[[ast.expr], ast.expr]
"""Puts what is asked into the places of the calls that ask it."""


def written_out(project: Project, files: Files, path: str, function: Function) -> WrittenOut:
    """Return what writes out the questions of a function."""

    def write(test: ast.expr) -> ast.expr:
        found = _PredicateReader(project, files, path, function.name, 0).visit(deepcopy(test))
        return found if isinstance(found, ast.expr) else test

    return write


class _PredicateReader(ast.NodeTransformer):
    def __init__(self, project: Project, files: Files, path: str, scope: str, depth: int) -> None:
        self._project, self._files, self._path, self._scope, self._depth = project, files, path, scope, depth

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Put the question of a function in the place of its call."""
        if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred) or self._depth > MAX_CALLS:
            return node
        with suppress(Refusal):
            found = self._definition(ast.unparse(node.func))
            if found is not None and (question := _question(found.node, is_method=found.is_method)) is not None:
                put = _Put(question[0], node.args[0]).visit(deepcopy(question[1]))
                inner = _PredicateReader(self._project, self._files, found.path, found.scope, self._depth + 1).visit(
                    put
                )
                return inner if isinstance(inner, ast.expr) else node
        return node

    def _definition(self, name: str) -> _Predicate | None:
        """Return the function that is certainly called by a name."""
        owner, _, short = name.rpartition(".")
        if owner not in _OWN:
            definition = definition_of(self._project, self._files, self._path, name)
            if definition is None or not isinstance(definition.node, ast.FunctionDef):
                return None
            return _Predicate(definition.path, definition.node, short, is_method=False)
        if self._files.methods(short) != 1:
            return None
        caller = Caller(self._path, self._scope, Use(name, Span(1, 1, 1, 1), "called"))
        around = Receiver(self._project, self._files, caller).defining(short)
        if around is None:
            return None
        for node in around.node.body:
            if isinstance(node, ast.FunctionDef) and node.name == short:
                return _Predicate(around.path, node, f"{around.node.name}.{short}", is_method=True)
        return None


class _Put(ast.NodeTransformer):
    def __init__(self, name: str, value: ast.expr) -> None:
        self._name, self._value = name, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Put the argument in the place of the parameter."""
        return self._value if node.id == self._name else node


def _question(node: ast.FunctionDef, *, is_method: bool) -> tuple[str, ast.expr] | None:
    """Return the only parameter of a function, and what it returns where it does nothing else."""
    kinds = {ast.unparse(item) for item in node.decorator_list}
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    given = node.args
    names = [item.arg for item in (*given.posonlyargs, *given.args)]
    if is_method and "staticmethod" not in kinds:
        names = names[1:]
    is_plain = kinds <= BINDING and not given.kwonlyargs and given.vararg is None and given.kwarg is None
    if not is_plain or len(names) != 1 or len(body) != 1 or not isinstance(body[0], ast.Return):
        return None
    question = body[0].value
    if question is None or any(isinstance(item, ast.Name) and item.id in _OWN for item in walk(question)):
        return None
    return names[0], question
