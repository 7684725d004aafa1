"""What in a function may raise: its calls, raises and operations, divided by the ``try`` statements around them.

It is read where a document names an exception that a tool might let out, of the functions that the tool calls, and is
no part of the facts of a file. In which order a block does what it does makes no difference to what it may raise.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from errlint.facts import Call, Choice, Ref, Value
from errlint.findings import Span
from errlint.index.bindings import TRY, FunctionNode, assigned, names_bound, only_target, parameter_names
from errlint.index.catching import exception_names
from errlint.index.expressions import OPAQUE, dotted_name

_MAX_DEPTH = 8
"""So many local names are followed, each standing for the next."""

_DEFINITIONS = (*FunctionNode, ast.ClassDef)


class PossibleCall(NamedTuple):
    """A call: ``written`` is its dotted name, ``.name`` for a method of another expression, "" for anything else.

    ``callee`` is the same call without its arguments, where what local names hold stands in their place: for
    ``client.get(url)`` after ``client = Client()`` it is ``Client().get()``. ``names`` are those of its arguments that
    are nothing but names. ``is_entered`` is true in the header of a ``with``.
    """

    written: str
    callee: Call
    names: tuple[str, ...]
    is_entered: bool


class PossibleRaise(NamedTuple):
    """A ``raise``: the name that its value begins with ("" for a bare one, ``?`` for none), and the value."""

    root: str
    value: Value


class RaisedAgain(NamedTuple):
    """A point of a handler that raises what it caught, or calls what may; the types that are asked for before.

    ``callee`` is ``None`` for the ``raise`` itself.
    """

    callee: Call | None
    tests: tuple[tuple[str, ...], ...]


class AttemptClause(NamedTuple):
    """An ``except`` clause: the dotted names it catches (none: everything), its name, and what its body may raise."""

    types: tuple[str, ...]
    name: str
    span: Span
    body: PossibleRaises
    again: tuple[RaisedAgain, ...]


class Attempt(NamedTuple):
    """A ``try``; ``after`` is what its ``else`` and ``finally`` may raise."""

    body: PossibleRaises
    clauses: tuple[AttemptClause, ...]
    after: PossibleRaises


class PossibleRaises(NamedTuple):
    """What a block may raise.

    ``operations`` are the exceptions of the language that its expressions may raise without any call; ``has_unknown``
    is true where it runs something that is no call of a name: an iterator, a context manager.
    """

    calls: tuple[PossibleCall, ...]
    raises: tuple[PossibleRaise, ...]
    operations: frozenset[str]
    has_unknown: bool
    attempts: tuple[Attempt, ...]


def possible_raises(tree: ast.Module, name: str) -> PossibleRaises | None:
    """Return what a function of a file may raise, by its qualified name, ``None`` for none; of several the last."""
    found = list(_named(tree, "", {}, name))
    return found[-1] if found else None


def _named(node: ast.AST, prefix: str, outer: Mapping[str, Value], name: str) -> Iterator[PossibleRaises]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, FunctionNode):
            own = f"{prefix}{child.name}"
            if name != own and not name.startswith(f"{own}."):
                continue
            held = {**outer, **_held(child, outer)}
            for parameter in parameter_names(child.args):
                held.pop(parameter, None)
            if name == own:
                yield _Reader(held).block(child.body)
            else:
                yield from _named(child, f"{own}.", held, name)
        else:
            inner = f"{prefix}{child.name}." if isinstance(child, ast.ClassDef) else prefix
            yield from _named(child, inner, outer, name)


def running(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield some nodes and all below them that run with them: no bodies of definitions and lambdas."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, _DEFINITIONS):
            pending.extend(node.decorator_list)
        elif not isinstance(node, ast.Lambda):
            pending.extend(ast.iter_child_nodes(node))


def only_values(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef,
) -> dict[str, ast.expr | None]:
    """Return the variables of a scope with the one value that each is given, ``None`` where that is not known.

    What is defined or imported in it, or is that of a scope around it, is no variable.
    """
    found: dict[str, ast.expr | None] = {}
    others: set[str] = set()
    known: set[int] = set()
    for part in running(node.body):
        if isinstance(part, (ast.Global, ast.Nonlocal)):
            others.update(part.names)
        elif isinstance(part, (*_DEFINITIONS, ast.alias)):
            others.update(names_bound(part))
        for target, value in assigned(part):
            if isinstance(target, ast.Name) and target is only_target(part):
                known.add(id(target))
                found[target.id] = None if target.id in found else value
    for part in running(node.body):
        if id(part) not in known and not isinstance(part, (*_DEFINITIONS, ast.alias)):
            found.update(dict.fromkeys(filter(None, names_bound(part))))
    if isinstance(node, FunctionNode):
        found.update(dict.fromkeys(found.keys() & {*parameter_names(node.args)}))
    return {name: value for name, value in found.items() if name not in others}


def _held(node: ast.FunctionDef | ast.AsyncFunctionDef, outer: Mapping[str, Value]) -> dict[str, Value]:
    """Return what the variables of a function hold, as far as that is one name, call or choice."""
    values = only_values(node)
    found: dict[str, Value] = {}

    def held(name: str, depth: int) -> Value:
        if name not in found:
            value = values[name]
            found[name] = OPAQUE  # what is made of itself is not known
            if value is not None and depth < _MAX_DEPTH:
                found[name] = outlined(value, depth)
        return found[name]

    def outlined(value: ast.expr, depth: int) -> Value:
        for part in ast.walk(value):
            if isinstance(part, ast.Name) and part.id in values:
                held(part.id, depth + 1)
        return _outline(value, {**outer, **found})

    for name in values:
        held(name, 0)
    return found


def _outline(node: ast.expr, held: Mapping[str, Value]) -> Value:
    """Return an expression without the arguments of its calls: a name, a call or a choice; opaque for any other."""
    if isinstance(node, ast.Await):
        return _outline(node.value, held)
    if isinstance(node, ast.IfExp):
        return Choice((_outline(node.body, held), _outline(node.orelse, held)))
    if isinstance(node, ast.Name):
        return held.get(node.id, Ref(node.id))
    if isinstance(node, ast.Attribute):
        name = dotted_name(node)
        return Ref(name) if name and name.partition(".")[0] not in held else OPAQUE
    return _callee(node.func, held) if isinstance(node, ast.Call) else OPAQUE


def _callee(function: ast.expr, held: Mapping[str, Value]) -> Call:
    """Return the call of a function, without arguments."""
    if isinstance(function, ast.Attribute):
        name = dotted_name(function)
        if name and name.partition(".")[0] not in held:
            return Call(name, ())
        return Call(f".{function.attr}", (), _outline(function.value, held))
    meant = _outline(function, held) if isinstance(function, ast.Name) else OPAQUE
    return Call(meant.name, ()) if type(meant) is Ref else Call("", (), OPAQUE)


class _Reader:
    """Reads the blocks of one function; ``held`` is what stands in the place of its names."""

    def __init__(self, held: Mapping[str, Value]) -> None:
        self._held = held

    def block(self, nodes: Iterable[ast.AST]) -> PossibleRaises:
        calls: dict[PossibleCall, None] = {}
        raises: dict[PossibleRaise, None] = {}
        attempts: list[Attempt] = []
        found: set[str] = set()
        has_unknown = False
        entered: set[int] = set()
        pending = [*nodes]
        pending.reverse()
        while pending:
            node = pending.pop()
            if isinstance(node, (*_DEFINITIONS, ast.Lambda)):
                continue
            if isinstance(node, TRY):
                attempts.append(self._attempt(node))
                continue
            if isinstance(node, ast.Raise):
                raises[PossibleRaise(_root(node.exc), _outline(node.exc, self._held) if node.exc else OPAQUE)] = None
            elif isinstance(node, ast.Call):
                calls[self._call(node, is_entered=id(node) in entered)] = None
            elif isinstance(node, ast.withitem) and isinstance(node.context_expr, ast.Call):
                entered.add(id(node.context_expr))
            else:
                has_unknown = has_unknown or _is_unknown(node)
            found |= operations(node)
            pending.extend(reversed([*ast.iter_child_nodes(node)]))
        return PossibleRaises(tuple(calls), tuple(raises), frozenset(found), has_unknown, tuple(attempts))

    def _call(self, node: ast.Call, *, is_entered: bool) -> PossibleCall:
        function = node.func
        written = dotted_name(function) or (f".{function.attr}" if isinstance(function, ast.Attribute) else "")
        handed = [*node.args, *(each.value for each in node.keywords)]
        names = {each.id for each in handed if isinstance(each, ast.Name)}
        if not isinstance(function, (ast.Name, ast.Attribute)):  # `retry(3)(function)()`
            names |= {each.id for each in ast.walk(function) if isinstance(each, ast.Name)}
        meant = (self._held.get(name, Ref(name)) for name in sorted(names))
        names_meant = tuple(each.name for each in meant if type(each) is Ref)
        return PossibleCall(written, _callee(function, self._held), names_meant, is_entered)

    def _attempt(self, node: ast.Try) -> Attempt:
        clauses = (self._clause(handler) for handler in node.handlers)
        return Attempt(self.block(node.body), tuple(clauses), self.block([*node.orelse, *node.finalbody]))

    def _clause(self, handler: ast.ExceptHandler) -> AttemptClause:
        at = handler.type or handler
        span = Span(at.lineno, at.col_offset + 1, at.lineno, at.col_offset + 1)
        again = dict.fromkeys(self._again(handler.body, handler.name or "", ()))
        return AttemptClause(exception_names(handler), handler.name or "", span, self.block(handler.body), tuple(again))

    def _again(self, nodes: Iterable[ast.AST], name: str, tests: tuple[tuple[str, ...], ...]) -> Iterator[RaisedAgain]:
        for node in nodes:
            if isinstance(node, (*_DEFINITIONS, ast.Lambda)):
                continue
            if isinstance(node, ast.If) and (asked := _asked(node.test, name)) is not None:
                yield from self._again(node.body, name, (*tests, asked))
                yield from self._again(node.orelse, name, tests)
                continue
            if isinstance(node, ast.Raise) and _root(node.exc) in ("", name):
                yield RaisedAgain(None, tests)
            elif isinstance(node, ast.Call):
                yield RaisedAgain(_callee(node.func, self._held), tests)
            yield from self._again(ast.iter_child_nodes(node), name, tests)


def _asked(test: ast.expr, name: str) -> tuple[str, ...] | None:
    """Return the types that a condition asks whether the exception with a name is of; ``None`` for any other one."""
    if not isinstance(test, ast.Call) or dotted_name(test.func) != "isinstance" or len(test.args) != 2:
        return None
    if dotted_name(test.args[0]) != name:
        return None
    types = test.args[1].elts if isinstance(test.args[1], ast.Tuple) else [test.args[1]]
    return tuple(dotted_name(each) or "?" for each in types)


def _is_unknown(node: ast.AST) -> bool:
    """Whether a node runs what is not known without calling it."""
    if isinstance(node, ast.Await):
        return not isinstance(node.value, ast.Call)
    return isinstance(node, (ast.AsyncFor, ast.YieldFrom, ast.withitem))


def operations(node: ast.AST) -> frozenset[str]:
    """Return the exceptions of the language that a node may raise by itself, without what is called or below it."""
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
        return frozenset({"KeyError", "IndexError"})
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)):
        return frozenset({"ZeroDivisionError", "ValueError", "OverflowError"})
    if isinstance(node, (ast.Tuple, ast.List)) and isinstance(node.ctx, ast.Store):
        return frozenset({"ValueError"})
    if isinstance(node, ast.Assert):
        return frozenset({"AssertionError"})
    if isinstance(node, ast.Attribute):
        return frozenset({"AttributeError"})
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return frozenset({"ImportError", "ModuleNotFoundError"})
    is_formatted = isinstance(node, ast.FormattedValue) and node.format_spec is not None
    return frozenset({"ValueError"}) if is_formatted else frozenset()


def _root(raised: ast.expr | None) -> str:
    """Return the name that what is raised begins with: of ``error.with_traceback(None)`` it is ``error``.

    It is "" where nothing is named, and ``?`` for another expression.
    """
    while isinstance(raised, ast.Attribute) or (
        isinstance(raised, ast.Call) and isinstance(raised.func, ast.Attribute)
    ):
        raised = raised.func if isinstance(raised, ast.Call) else raised.value
    if raised is None:
        return ""
    return raised.id if isinstance(raised, ast.Name) else "?"
