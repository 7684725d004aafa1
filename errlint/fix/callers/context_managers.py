"""Context managers of the project: whether a block that an exception leaves ends otherwise than one that returns."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from enum import Enum
from typing import NamedTuple

import libcst as cst

from errlint.fix.bindings import is_stable_name
from errlint.fix.callers.receiver_types import definition_of
from errlint.fix.nodes import called_name, suppressed_by
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SourceFile
from errlint.index.bindings import FunctionNode
from errlint.index.catching import BROAD
from errlint.index.statements import jumps_out, returns
from errlint.project import Project
from errlint.project.hierarchy import Exceptional
from errlint.trees import caught_types, walk


class Ending(Enum):
    """How a block ends that an exception leaves, beside one that returns."""

    SAME = "the exception goes on, and nothing else is done"
    SWALLOWED = "the exception ends there, and the code behind the block goes on"
    UNKNOWN = "anything else"


class Leaving(NamedTuple):
    """An exception of a class, in the function ``scope`` of a file, that may leave what is around a place there."""

    project: Project
    files: Files
    parsed: SourceFile
    scope: str
    raised: Exceptional

    def is_of(self, types: tuple[str, ...]) -> bool | None:
        """Whether an ``except`` clause of some types catches it, none for one of everything; ``None`` if unknown."""
        return self.project.hierarchy.catches(self.parsed.path, self.scope, types, self.raised)


def swallowing(leaving: Leaving, node: cst.With) -> str | None:
    """Return the name of the context manager of a ``with`` that surely swallows an exception, ``None`` for none."""
    for item in node.items:
        if ending(leaving, node, item.item) is Ending.SWALLOWED:
            return described(item.item)
    return None


def described(manager: cst.BaseExpression) -> str:
    """Return how a context manager is called in what is said of it."""
    name = called_name(manager)
    return "suppress" if name.rpartition(".")[2] == "suppress" else f"with {name or 'a context manager'}"


def ending(leaving: Leaving, node: cst.With, manager: cst.BaseExpression) -> Ending:
    """Return how a block under a context manager ends that an exception leaves.

    Known is what the project defines as a class, or as a function below ``contextmanager``, and ``suppress``.
    """
    types = suppressed_by(manager)
    if types is not None:
        # One that may be of the exception is as good as one that is: what it would drop is lost.
        return Ending.SAME if leaving.is_of(types or ("?",)) is False else Ending.SWALLOWED
    parsed = leaving.parsed
    name = called_name(manager)
    if not isinstance(manager, cst.Call) or not is_stable_name(parsed, parsed.function(node), name):
        return Ending.UNKNOWN
    found = definition_of(leaving.project, leaving.files, parsed.path, name)
    if found is None:
        return Ending.UNKNOWN
    if isinstance(found.node, ast.ClassDef):
        return _of_class(found.node, "__aexit__" if node.asynchronous is not None else "__exit__")
    makers = [ast.unparse(each).rpartition(".")[2] for each in found.node.decorator_list]
    yields = [each for each in walk(found.node) if isinstance(each, (ast.Yield, ast.YieldFrom))]
    if makers not in (["contextmanager"], ["asynccontextmanager"]) or len(yields) != 1:
        return Ending.UNKNOWN

    def catching(types: tuple[str, ...]) -> bool | None:
        return leaving.project.hierarchy.catches(found.path, found.node.name, types, leaving.raised)

    return _of_block(found.node.body, yields[0], catching)


def _of_block(block: Sequence[ast.stmt], pause: ast.expr, catching: Callable[[tuple[str, ...]], bool | None]) -> Ending:
    """Return how a block of a generator ends where an exception comes out of the ``yield`` in it."""
    place, around = next((index, each) for index, each in enumerate(block) if _has(each, pause))
    is_last = place == len(block) - 1
    if isinstance(around, ast.Expr) and around.value is pause:
        return Ending.SAME if is_last else Ending.UNKNOWN
    if isinstance(around, (ast.With, ast.AsyncWith)):
        is_inside = any(_has(each, pause) for each in around.body)
        found = _of_block(around.body, pause, catching) if is_inside else Ending.UNKNOWN
        return found if found is Ending.SWALLOWED else Ending.UNKNOWN
    if not isinstance(around, ast.Try) or not any(_has(each, pause) for each in around.body):
        return Ending.UNKNOWN
    found = _of_block(around.body, pause, catching)
    if found is Ending.SWALLOWED:
        return found
    for handler in around.handlers:
        types = tuple(map(ast.unparse, caught_types(handler)))
        is_caught = catching(types)
        if found is Ending.UNKNOWN and not set(types) <= BROAD:
            return Ending.UNKNOWN
        if is_caught is not False:
            return Ending.SWALLOWED if is_caught and _only_notes(handler) else Ending.UNKNOWN
    leaves = any(isinstance(each, (ast.Return, ast.Raise)) for each in jumps_out(around.finalbody))
    return found if is_last and not around.orelse and not leaves else Ending.UNKNOWN


def _has(node: ast.AST, expression: ast.expr) -> bool:
    return any(each is expression for each in walk(node))


def _only_notes(handler: ast.ExceptHandler) -> bool:
    """Whether a handler raises nothing, and hands what it caught to nobody who might."""
    inside = [each for line in handler.body for each in walk(line)]
    given = [value for each in inside if isinstance(each, ast.Call) for value in (*each.args, *each.keywords)]
    values = [value.value if isinstance(value, ast.keyword) else value for value in given]
    is_handed = any(isinstance(value, ast.Name) and value.id == handler.name for value in values)
    return not is_handed and not any(isinstance(each, ast.Raise) for each in inside)


def _of_class(node: ast.ClassDef, name: str) -> Ending:
    """Return how a block ends for which a class has a method of its own, ``__exit__`` or ``__aexit__``."""
    method = next((each for each in node.body if isinstance(each, FunctionNode) and each.name == name), None)
    if method is None or method.decorator_list:
        return Ending.UNKNOWN
    given = [each.arg for each in (*method.args.posonlyargs, *method.args.args)][1:]
    told = {*given, *(each.arg for each in (method.args.vararg, method.args.kwarg) if each is not None)}
    returned = [each.value for each in returns(method)]
    if all(value is None or (isinstance(value, ast.Constant) and not value.value) for value in returned):
        is_asked = any(
            (isinstance(each, ast.Name) and each.id in told)
            or (isinstance(each, ast.Attribute) and each.attr == "exc_info")
            for line in method.body
            for each in walk(line)
        )
        return Ending.UNKNOWN if is_asked else Ending.SAME
    kind = given[0] if given else ""
    is_sure = isinstance(method.body[-1], ast.Return) and all(_is_true(value, kind) for value in returned)
    return Ending.SWALLOWED if is_sure else Ending.UNKNOWN


def _is_true(value: ast.expr | None, kind: str) -> bool:
    """Whether a value is true for every exception; ``kind`` is the name of its class."""
    if isinstance(value, ast.Compare) and isinstance(value.ops[0], ast.IsNot):
        return ast.unparse(value) == f"{kind} is not None"
    return isinstance(value, ast.Constant) and bool(value.value)
