"""Names that a handler uses although its own ``try`` binds them first, so that they may have no value there.

What may fail decides: calls and subscripts, but for calls that do not fail in practice. A handler that catches
everything is entered after any failure; one of certain exceptions counts only where nothing can fail after the name
is bound, or where the exception is raised by name before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst

from errlint.collect.expressions import dotted_name, inside
from errlint.collect.flow import Statement, captured, exception_names, suppressed

_BROAD = frozenset({"Exception", "BaseException"})
_CATCH_UNBOUND = _BROAD | {"NameError", "UnboundLocalError"}
_REFLECTION = frozenset({"locals", "vars", "globals", "dir"})
_SAFE = frozenset(
    {"time", "monotonic", "perf_counter", "time_ns", "perf_counter_ns", "now", "utcnow", "uuid4", "uuid1", "getLogger",
     "get_logger", "debug", "info", "warning", "error", "exception", "critical", "log", "print", "getenv",
     "strip", "lower", "upper", "copy", "keys", "values", "items", "append", "add", "extend", "join", "format",
     "isoformat", "startswith", "endswith", "setdefault", "dict", "list", "set", "tuple", "str", "repr", "bool", "len",
     "type", "id", "isinstance", "hasattr", "range", "enumerate", "zip", "Path", "defaultdict", "Counter", "deque",
     "get_event_loop", "get_running_loop", "Lock", "Event", "getpid", "token_hex", "super", "cast", "field"}
)  # fmt: skip
"""Functions and methods that do not fail in practice."""

_REMOTE = re.compile(r"client|session|request|http|api|conn|pool|redis|service", re.IGNORECASE)
"""What has a method ``get`` that asks somebody else, unlike that of a mapping."""


class Found(NamedTuple):
    """A statement (or the header of one) of a handler, the name it uses, and the statement that binds it first."""

    statement: Statement
    name: str
    binder: Statement


class _Part(NamedTuple):
    """A simple statement or a header in the body of a ``try``."""

    statement: Statement
    binds: frozenset[str]
    fails: bool
    may_fail: bool
    raised: str


def unbound(function: cst.FunctionDef, watched: frozenset[int] | None) -> Iterator[Found]:
    """Yield what the handlers of a function use unbound; ``watched`` are the ``try`` statements to look at, by ``id``.

    A ``try`` in a loop is left alone: an earlier round may have bound the name.
    """
    parameters = function.params
    bound = {item.name.value for item in (*parameters.posonly_params, *parameters.params, *parameters.kwonly_params)}
    for extra in (parameters.star_arg, parameters.star_kwarg):
        if isinstance(extra, cst.Param):
            bound.add(extra.name.value)
    yield from _suite(function.body, bound, watched)


def _suite(body: cst.BaseSuite, bound: set[str], watched: frozenset[int] | None) -> Iterator[Found]:
    """Yield what is found in a block, and add the names that it binds to ``bound``."""
    for statement in _statements(body):
        if isinstance(statement, (cst.Try, cst.TryStar)) and (watched is None or id(statement) in watched):
            yield from _try(statement, frozenset(bound))
        bound |= _binds(statement)
        if isinstance(statement, (cst.For, cst.While)):
            for inner in _blocks(statement):
                for part in _parts(inner):
                    bound |= part.binds
        elif not isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
            for inner in _blocks(statement):
                yield from _suite(inner, bound, watched)


def _try(node: cst.Try | cst.TryStar, bound: frozenset[str]) -> Iterator[Found]:
    parts = list(_parts(node.body))
    first: dict[str, int] = {}
    for index, part in enumerate(parts):
        for name in part.binds - bound:
            first.setdefault(name, index)
    touched = frozenset[str]().union(*(part.binds for part in parts))
    for handler in node.handlers if first else ():
        types = {name.rpartition(".")[2] for name in exception_names(handler.type)}
        is_broad = not types or not types.isdisjoint(_BROAD)
        seen = {handler.name.name.value} if handler.name and isinstance(handler.name.name, cst.Name) else set()
        for statement, name in _uses(handler.body, seen, touched):
            index = first.get(name, -1)
            if index < 0 or name in seen:
                continue
            before, after = parts[: index + 1], parts[index + 1 :]
            raised = any(part.raised and part.raised in types for part in before)
            certain = not any(part.may_fail for part in after)
            if raised or (any(part.fails for part in before) and (is_broad or certain)):
                seen.add(name)
                yield Found(statement, name, parts[index].statement)


# --- what a block does ------------------------------------------------------------------------------------------


def _statements(body: cst.BaseSuite) -> Iterator[Statement]:
    """Yield the statements of a block itself; an ``elif`` counts as one."""
    for line in body.body:
        if isinstance(line, cst.SimpleStatementLine):
            yield from line.body
        elif isinstance(line, cst.BaseSmallStatement):
            yield line
        elif isinstance(line, cst.BaseCompoundStatement):
            yield line
            while isinstance(line, cst.If) and isinstance(line.orelse, cst.If):
                line = line.orelse
                yield line


def _blocks(node: Statement) -> Iterator[cst.BaseSuite]:
    """Yield the blocks of a compound statement in their order; those of an ``elif`` are its own."""
    if isinstance(node, cst.Match):
        for case in node.cases:
            yield case.body
        return
    if isinstance(node, cst.BaseSmallStatement):
        return
    yield node.body
    for handler in getattr(node, "handlers", ()):
        yield handler.body
    orelse = getattr(node, "orelse", None)
    if isinstance(orelse, cst.Else):
        yield orelse.body
    finalbody = getattr(node, "finalbody", None)
    if isinstance(finalbody, cst.Finally):
        yield finalbody.body


def _parts(body: cst.BaseSuite) -> Iterator[_Part]:
    """Yield what a block does, in order."""
    for statement in _statements(body):
        expressions = list(_expressions(statement))
        raised = ""
        if isinstance(statement, cst.Raise) and statement.exc is not None:
            exc = statement.exc.func if isinstance(statement.exc, cst.Call) else statement.exc
            raised = dotted_name(exc).rpartition(".")[2]
        fails = isinstance(statement, (cst.Raise, cst.Assert)) or any(map(_fails, expressions))
        plain = isinstance(statement, (cst.Pass, cst.Break, cst.Continue, cst.Return, cst.Expr, cst.Assign, cst.If))
        may_fail = not plain or not all(isinstance(item, (cst.Name, cst.BaseString)) for item in expressions)
        yield _Part(statement, _binds(statement), fails, may_fail, raised)
        if not isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
            for inner in _blocks(statement):
                yield from _parts(inner)


def _binds(node: Statement) -> frozenset[str]:
    """Return the names that a simple statement, or the header of a compound one, binds."""
    names: set[str] = set()
    if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        return frozenset({node.name.value})
    if isinstance(node, cst.Assign):
        for target in node.targets:
            names |= _targets(target.target)
    elif (
        isinstance(node, cst.AugAssign)
        or (isinstance(node, cst.AnnAssign) and node.value is not None)
        or isinstance(node, cst.For)
    ):
        names |= _targets(node.target)
    elif isinstance(node, cst.With):
        for item in node.items:
            if item.asname:
                names |= _targets(item.asname.name)
    elif isinstance(node, (cst.Try, cst.TryStar)):
        for handler in node.handlers:
            if handler.name:
                names |= _targets(handler.name.name)
    elif isinstance(node, cst.Match):
        for case in node.cases:
            names |= captured(case.pattern)
    elif isinstance(node, (cst.Import, cst.ImportFrom)) and not isinstance(node.names, cst.ImportStar):
        names |= {alias.evaluated_alias or alias.evaluated_name.partition(".")[0] for alias in node.names}
    elif isinstance(node, (cst.Global, cst.Nonlocal)):
        names |= {item.name.value for item in node.names}
    for expression in _expressions(node):
        names |= {
            part.target.value
            for part in _below(expression)
            if isinstance(part, cst.NamedExpr) and isinstance(part.target, cst.Name)
        }
    return frozenset(names)


def _targets(node: cst.CSTNode) -> set[str]:
    if isinstance(node, cst.Name):
        return {node.value}
    if isinstance(node, (cst.Tuple, cst.List)):
        return {name for element in node.elements for name in _targets(element.value)}
    return set()


def _expressions(node: Statement) -> Iterator[cst.CSTNode]:
    """Yield the expressions that a simple statement, or the header of a compound one, evaluates."""
    if isinstance(node, (cst.If, cst.While)):
        yield node.test
    elif isinstance(node, cst.For):
        yield node.iter
    elif isinstance(node, cst.With):
        for item in node.items:
            yield item.item
    elif isinstance(node, cst.Match):
        yield node.subject
    elif isinstance(node, cst.Assign):
        yield node.value
        for target in node.targets:
            if not isinstance(target.target, (cst.Name, cst.Tuple, cst.List)):
                yield target.target
    elif isinstance(node, cst.AnnAssign):
        if node.value is not None:
            yield node.value
        if not isinstance(node.target, cst.Name):
            yield node.target
    elif isinstance(node, cst.AugAssign):
        yield node.target
        yield node.value
    elif isinstance(node, (cst.Import, cst.ImportFrom, cst.Global, cst.Nonlocal)):
        return
    elif isinstance(node, cst.Raise):
        if node.exc is not None:
            yield node.exc
        if node.cause is not None:
            yield node.cause.item
    elif isinstance(node, cst.BaseSmallStatement):
        for child in inside(node):
            if isinstance(child, cst.BaseExpression):
                yield child


def _below(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield a node and what is below it, without the bodies of functions in it."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        if not isinstance(current, cst.Lambda):
            pending.extend(inside(current))


def _fails(expression: cst.CSTNode) -> bool:
    """Whether an expression may well fail: it calls what is not known to be safe, or looks something up."""
    for part in _below(expression):
        if isinstance(part, cst.Await) or (isinstance(part, cst.Call) and _call_fails(part)):
            return True
        if isinstance(part, cst.Subscript) and any(
            isinstance(item.slice, cst.Index) and not isinstance(item.slice.value, cst.Integer) for item in part.slice
        ):
            return True
    return False


def _call_fails(call: cst.Call) -> bool:
    function = call.func
    if not isinstance(function, cst.Attribute):
        last = dotted_name(function)
        return last not in _SAFE and bool(call.args or not last[:1].isupper())
    last = function.attr.value
    if last == "get":
        return bool(_REMOTE.search(dotted_name(function.value).rpartition(".")[2]))
    return last not in _SAFE and bool(call.args or not last[:1].isupper())


# --- what a handler uses ----------------------------------------------------------------------------------------


def _uses(body: cst.BaseSuite, bound: set[str], touched: frozenset[str]) -> Iterator[tuple[Statement, str]]:
    """Yield the uses of names in a handler in order, and add the names that it binds to ``bound``.

    What is looked at with care is left out: below a question about names, about types or about another variable that
    the ``try`` changes (``touched``), and where a failure is caught.
    """
    for statement in _statements(body):
        loads = [name for expression in _expressions(statement) for name in _loads(expression)]
        if not _REFLECTION.isdisjoint(loads):
            return
        asked = [name for name in loads if name in touched] if isinstance(statement, cst.If) else []
        binds = _binds(statement)
        yield from ((statement, name) for name in loads if name not in binds and (not asked or name == asked[0]))
        bound |= binds
        if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
            continue
        with_care = (
            bool(asked)
            or (isinstance(statement, cst.If) and "isinstance" in loads)
            or (isinstance(statement, cst.With) and suppressed(statement) is not None)
            or (isinstance(statement, (cst.Try, cst.TryStar)) and _catches_unbound(statement))
        )
        for inner in _blocks(statement):
            if with_care:
                bound.update(*(part.binds for part in _parts(inner)))
            else:
                yield from _uses(inner, bound, touched)


def _catches_unbound(node: cst.Try | cst.TryStar) -> bool:
    return any(
        not handler.type or not _CATCH_UNBOUND.isdisjoint(exception_names(handler.type)) for handler in node.handlers
    )


def _loads(node: cst.CSTNode) -> Iterator[str]:
    """Yield the names that an expression reads, those it binds itself left out."""
    own: set[str] = set()
    pending: list[cst.CSTNode] = [node]
    names: list[str] = []
    while pending:
        current = pending.pop()
        if isinstance(current, cst.Name):
            names.append(current.value)
        elif isinstance(current, (cst.Attribute, cst.Arg, cst.NamedExpr)):
            if isinstance(current, cst.NamedExpr):
                own |= _targets(current.target)
            pending.append(current.value)
        elif isinstance(current, cst.CompFor):
            own |= _targets(current.target)
            pending.extend(child for child in inside(current) if child is not current.target)
        elif not isinstance(current, cst.Lambda):
            pending.extend(reversed(inside(current)))
    yield from (name for name in names if name not in own)
