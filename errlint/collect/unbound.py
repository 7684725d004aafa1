"""Names that a handler uses although its own ``try`` binds them first, so that they may have no value there.

What may fail decides: calls and subscripts, but for calls that do not fail in practice. A handler that catches
everything is entered after any failure; one of certain exceptions counts only where nothing can fail once the name
is bound, or where what is done before is known to raise the exception.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import NamedTuple

import libcst as cst

from errlint.collect import statements
from errlint.collect.expressions import below, dotted_name, inside
from errlint.collect.flow import Statement, captured, exception_names, suppressed
from errlint.collect.raisers import known, with_parents

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


class _State(NamedTuple):
    """The names that are bound for certain, and those that are on some way."""

    surely: frozenset[str]
    maybe: frozenset[str]

    def and_bound(self, names: frozenset[str]) -> _State:
        return _State(self.surely | names, self.maybe | names)

    def or_else(self, other: _State) -> _State:
        return _State(self.surely & other.surely, self.maybe | other.maybe)


_AT_FIRST = _State(frozenset(), frozenset())


class _Part(NamedTuple):
    """A simple statement or a header in the body of a ``try``, and what is bound when it begins.

    ``raised`` are the classes that it is known to raise. What a handler in the same ``try`` catches counts neither
    there nor as a failure. ``handles`` is true for what stands in such a handler.
    """

    statement: Statement
    binds: frozenset[str]
    fails: bool
    may_fail: bool
    raised: frozenset[str]
    state: _State
    handles: bool


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
                bound |= _bound_in(inner)
        elif not isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
            for inner in _blocks(statement):
                yield from _suite(inner, bound, watched)


def _try(node: cst.Try | cst.TryStar, bound: frozenset[str]) -> Iterator[Found]:
    touched = _bound_in(node.body)
    if touched <= bound:
        return
    parts = list(_Reader(touched).parts(node.body))
    first: dict[str, int] = {}
    for index, part in enumerate(parts):
        for name in part.binds - bound:
            first.setdefault(name, index)
    for handler in node.handlers:
        types = {name.rpartition(".")[2] for name in exception_names(handler.type)}
        is_broad = not types or not types.isdisjoint(_BROAD)
        seen = {handler.name.name.value} if handler.name and isinstance(handler.name.name, cst.Name) else set()
        for use in _uses(handler.body, seen, touched):
            name = use.name
            if name not in first or name in seen:
                continue
            before = [part for index, part in enumerate(parts) if _lacks(part, use, index <= first[name])]
            certain = not any(part.may_fail and name in part.state.maybe for part in parts)
            raised = any(not part.raised.isdisjoint(types) for part in before)
            if raised or (any(part.fails for part in before) and (is_broad or certain)):
                seen.add(name)
                yield Found(use.statement, name, parts[first[name]].statement)


def _lacks(part: _Part, use: _Use, is_before: bool) -> bool:
    """Whether a name has no value yet when a part begins; ``is_before`` tells whether what binds it comes later.

    Another branch than the one that binds it counts as well, unless the handler too asks in which branch it is.
    """
    surely, maybe = part.state
    return use.name not in surely and (is_before or part.handles or (use.name not in maybe and not use.is_below_if))


# --- what a block does ------------------------------------------------------------------------------------------


def _statements(body: cst.BaseSuite) -> Iterator[Statement]:
    """Yield the statements of a block itself; an ``elif`` counts as one."""
    for line in statements.of(body):
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


def _bound_in(body: cst.BaseSuite) -> frozenset[str]:
    """Return the names that a block and the blocks in it bind."""
    names: frozenset[str] = frozenset()
    for statement in _statements(body):
        names |= _binds(statement)
        if not isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
            names = names.union(*map(_bound_in, _blocks(statement)))
    return names


_Reading = Generator[_Part, None, _State]
"""Parts in their order; the result is what is bound behind them."""


class _Reader:
    """Reads what a block does. ``everything`` are all the names it binds: they count as bound where nobody comes."""

    def __init__(self, everything: frozenset[str]) -> None:
        self._nowhere = _State(everything, frozenset())
        self._caught: frozenset[str] = frozenset()
        self._handles = False

    def parts(self, body: cst.BaseSuite, state: _State = _AT_FIRST) -> _Reading:
        """Yield the parts of a block that begins in ``state``."""
        for statement in statements.of(body):
            state = yield from self._statement(statement, state)
        return state

    def _statement(self, node: Statement, state: _State) -> _Reading:
        binds = _binds(node)
        yield self._part(node, binds, state)
        if isinstance(node, (cst.Return, cst.Raise, cst.Continue, cst.Break)):
            return self._nowhere
        if isinstance(node, (cst.Try, cst.TryStar)):
            return (yield from self._try(node, state))
        if isinstance(node, (cst.For, cst.While)):
            around = _State(state.surely, state.maybe.union(binds, *map(_bound_in, _blocks(node))))
            yield from self.parts(node.body, around.and_bound(binds))
            if node.orelse:
                yield from self.parts(node.orelse.body, around)
            return around
        if isinstance(node, cst.Match):
            behind = state
            for case in node.cases:
                behind = behind.or_else(
                    (yield from self.parts(case.body, state.and_bound(frozenset(captured(case.pattern)))))
                )
            return behind
        state = state.and_bound(binds)
        if isinstance(node, cst.If):
            behind = yield from self.parts(node.body, state)
            if isinstance(node.orelse, cst.If):
                return behind.or_else((yield from self._statement(node.orelse, state)))
            return behind.or_else((yield from self.parts(node.orelse.body, state)) if node.orelse else state)
        if isinstance(node, cst.With):
            behind = yield from self.parts(node.body, state)
            return behind.or_else(state) if suppressed(node) is not None else behind
        return state

    def _try(self, node: cst.Try | cst.TryStar, state: _State) -> _Reading:
        caught, handles = self._caught, self._handles
        for handler in node.handlers:
            self._caught |= {name.rpartition(".")[2] for name in exception_names(handler.type)} or _BROAD
        behind = yield from self.parts(node.body, state)
        self._caught = caught
        if node.orelse:
            behind = yield from self.parts(node.orelse.body, behind)
        failed = _State(state.surely, state.maybe | _bound_in(node.body))
        self._handles = True
        for handler in node.handlers:
            behind = behind.or_else((yield from self.parts(handler.body, failed)))
        self._handles = handles
        if node.finalbody:
            cleared = yield from self.parts(node.finalbody.body, _State(state.surely, failed.maybe | behind.maybe))
            behind = _State(behind.surely | cleared.surely, behind.maybe | cleared.maybe)
        return behind

    def _part(self, node: Statement, binds: frozenset[str], state: _State) -> _Part:
        expressions = list(_expressions(node))
        if not self._caught.isdisjoint(_BROAD):
            return _Part(node, binds, False, False, frozenset(), state, self._handles)
        raised = known(node, expressions)
        if isinstance(node, cst.Raise) and node.exc is not None:
            exc = node.exc.func if isinstance(node.exc, cst.Call) else node.exc
            raised |= with_parents({dotted_name(exc).rpartition(".")[2]})
        fails = isinstance(node, (cst.Raise, cst.Assert)) or any(map(_fails, expressions))
        plain = isinstance(node, (cst.Pass, cst.Break, cst.Continue, cst.Return, cst.Expr, cst.Assign, cst.If))
        may_fail = not plain or not all(isinstance(item, (cst.Name, cst.BaseString)) for item in expressions)
        return _Part(node, binds, fails, may_fail, raised - self._caught, state, self._handles)


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
            for part in below(expression)
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


def _fails(expression: cst.CSTNode) -> bool:
    """Whether an expression may well fail: it calls what is not known to be safe, or looks something up."""
    for part in below(expression):
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


class _Use(NamedTuple):
    """A statement of a handler that uses a name; ``is_below_if`` tells whether some condition is around it."""

    statement: Statement
    name: str
    is_below_if: bool


def _uses(body: cst.BaseSuite, bound: set[str], touched: frozenset[str], is_below_if: bool = False) -> Iterator[_Use]:
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
        for name in loads:
            if name not in binds and (not asked or name == asked[0]):
                yield _Use(statement, name, is_below_if)
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
                bound |= _bound_in(inner)
            else:
                yield from _uses(inner, bound, touched, is_below_if or isinstance(statement, cst.If))


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
