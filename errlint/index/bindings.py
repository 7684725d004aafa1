"""Which names a statement binds, and what a function is given."""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import cast

from errlint.reader.nodes import try_star
from errlint.source import Lines
from errlint.trees import walk

FunctionNode = (ast.FunctionDef, ast.AsyncFunctionDef)
TRY = (ast.Try, cast("type[ast.Try]", try_star))
"""``try``, also with ``except*``; both have the same parts."""

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class WalrusLines:
    """The lines of a file on which ``:=`` stands, also in a text: no other expression binds a name around it."""

    def __init__(self, lines: Lines) -> None:
        self._lines: list[int] = []
        position = lines.data.find(b":=")
        while position >= 0:
            line = bisect_right(lines.starts, position, 1) - 1
            self._lines.append(line)
            following = lines.starts[line + 1] if line + 1 < len(lines.starts) else len(lines.data)
            position = lines.data.find(b":=", following)

    def are_in(self, node: ast.stmt) -> bool:
        """Whether one of them is a line of a statement, those of its blocks and decorators included."""
        if not self._lines:
            return False
        first = min((each.lineno for each in getattr(node, "decorator_list", ())), default=node.lineno)
        index = bisect_left(self._lines, first)
        return index < len(self._lines) and self._lines[index] <= (node.end_lineno or node.lineno)


def bound_by(statements: list[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements bind, once for each time, definitions inside left out."""
    pending: list[ast.AST] = list(statements)
    while pending:
        node = pending.pop()
        yield from names_bound(node)
        if not isinstance(node, (*FunctionNode, ast.ClassDef, ast.Lambda)):
            pending.extend(ast.iter_child_nodes(node))


def parameters(given: ast.arguments) -> tuple[ast.arg, ...]:
    """Return the parameters of a function, but for those that take all that is left."""
    return (*given.posonlyargs, *given.args, *given.kwonlyargs)


def parameter_names(given: ast.arguments) -> list[str]:
    """Return the names of all parameters of a function, also of those that take all that is left."""
    return [item.arg for item in (*parameters(given), given.vararg, given.kwarg) if item is not None]


def given_to(call: ast.Call, taken: ast.arguments, name: str) -> ast.expr | None:
    """Return what a call of a function gives for one of its parameters, ``None`` where that cannot be told.

    The first argument of a method is its object, which no call of a method gives.
    """
    if any(isinstance(item, ast.Starred) for item in call.args):
        return None
    names = [item.arg for item in (*taken.posonlyargs, *taken.args)]
    if isinstance(call.func, ast.Attribute) and names[:1] in (["self"], ["cls"]):
        names = names[1:]
    if name in names and names.index(name) < len(call.args):
        return call.args[names.index(name)]
    return next((item.value for item in call.keywords if item.arg == name), None)


def names_bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that one node binds or deletes by itself."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, (*FunctionNode, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        yield node.name or ""
    elif isinstance(node, ast.MatchMapping):
        yield node.rest or ""
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]


def single_targets(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what an assignment to ``node`` changes, one by one: names, attributes and items."""
    if isinstance(node, (ast.Tuple, ast.List)):
        for item in node.elts:
            yield from single_targets(item)
    else:
        yield node.value if isinstance(node, ast.Starred) else node


def target_names(node: ast.expr) -> Iterator[str]:
    """Yield the names that an assignment to ``node`` binds; an attribute and an item bind none."""
    items = (node,) if type(node) is ast.Name else single_targets(node)
    return (item.id for item in items if type(item) is ast.Name)


def captured(pattern: ast.pattern) -> set[str]:
    """Return the names that a pattern binds."""
    return {name for node in ast.walk(pattern) for name in names_bound(node) if name}


def clause_names(node: ast.stmt) -> Iterator[str]:
    """Yield the names that the clauses of a ``try`` or a ``match`` bind."""
    if isinstance(node, TRY):
        yield from (handler.name for handler in node.handlers if handler.name)
    elif isinstance(node, ast.Match):
        yield from (name for case in node.cases for name in captured(case.pattern))


def targets_of(node: ast.stmt) -> list[ast.expr]:
    """Return what an assignment, or the header of a loop or a ``with``, assigns to."""
    if isinstance(node, ast.Assign):
        return node.targets
    if isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.For, ast.AsyncFor)):
        return [node.target]
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return [item.optional_vars for item in node.items if item.optional_vars is not None]
    return []


def assigned(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield what an assignment assigns to, one target after the other with the value; a declaration assigns nothing."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield target, node.value
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        yield node.target, node.value


def assigned_names(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that an assignment binds to the whole of its value, each with that."""
    return ((target.id, value) for target, value in assigned(node) if isinstance(target, ast.Name))


def only_target(node: ast.AST) -> ast.expr | None:
    """Return what an assignment or a declaration is about, ``None`` for several targets and for any other node."""
    targets = targets_of(node) if isinstance(node, (ast.Assign, ast.AnnAssign)) else ()
    return targets[0] if len(targets) == 1 else None


def variable_of(node: ast.AST) -> str:
    """Return the one name that an assignment or a declaration is about, "" for anything else."""
    target = only_target(node)
    return target.id if isinstance(target, ast.Name) else ""


def only_assigned(node: ast.AST, name: str) -> list[ast.expr]:
    """Return what the assignments in a function give a name; nothing where it is bound there in another way as well.

    What is added to it (``+=``) is no other value.
    """
    nodes = walk(node)
    found = [value for each in nodes for bound, value in assigned_names(each) if bound == name]
    added = sum(isinstance(each, ast.AugAssign) and name in target_names(each.target) for each in nodes)
    is_given = any(isinstance(each, ast.arg) and each.arg == name for each in nodes)
    times = sum(name in names_bound(each) for each in nodes if each is not node)
    return found if times - added == len(found) and not is_given else []
