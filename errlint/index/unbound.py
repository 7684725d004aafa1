"""Names that a handler uses although its own ``try`` binds them first, so that they may have no value there.

What may fail decides: calls and subscripts, but for calls that do not fail in practice. A handler that catches
everything is entered after any failure; one of certain exceptions counts only where nothing can fail once the name
is bound, or where what is done before is known to raise the exception.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from errlint.error_keywords import LOG_METHODS
from errlint.index.bindings import TRY, FunctionNode, parameter_names, target_names
from errlint.index.bound import Bindings
from errlint.index.catching import BROAD, exception_names, suppressed
from errlint.index.definite_assignment import BoundState, DefiniteAssignment
from errlint.index.expressions import below, dotted_name, inside, names_below
from errlint.index.forward import Block, elif_of
from errlint.index.known_raises import known, with_parents
from errlint.index.statements import blocks, in_header, is_compound

_CATCH_UNBOUND = BROAD | {"NameError", "UnboundLocalError"}
_REFLECTION = frozenset({"locals", "vars", "globals", "dir"})
_SAFE = frozenset(
    {"time", "monotonic", "perf_counter", "time_ns", "perf_counter_ns", "now", "utcnow", "uuid4", "uuid1", "getLogger",
     "get_logger", *LOG_METHODS, "print", "getenv",
     "strip", "lower", "upper", "copy", "keys", "values", "items", "append", "add", "extend", "join", "format",
     "isoformat", "startswith", "endswith", "setdefault", "dict", "list", "set", "tuple", "str", "repr", "bool", "len",
     "type", "id", "isinstance", "hasattr", "range", "enumerate", "zip", "Path", "defaultdict", "Counter", "deque",
     "get_event_loop", "get_running_loop", "Lock", "Event", "getpid", "token_hex", "super", "cast", "field"}
)  # fmt: skip
"""Functions and methods that do not fail in practice."""

_REMOTE = re.compile(r"client|session|request|http|api|conn|pool|redis|service", re.IGNORECASE)
"""What has a method ``get`` that asks somebody else, unlike that of a mapping."""


class UnboundUse(NamedTuple):
    """A statement (or the header of one) of a handler, the name it uses, and the statement that binds it first."""

    statement: ast.stmt
    name: str
    binder: ast.stmt


_AT_FIRST = BoundState(frozenset(), frozenset())


class _TryPart(NamedTuple):
    """A simple statement or a header in the body of a ``try``, and what is bound when it begins.

    ``raised`` are the classes that it is known to raise. What a handler in the same ``try`` catches counts neither
    there nor as a failure. ``handles`` is true for what stands in such a handler.
    """

    statement: ast.stmt
    binds: frozenset[str]
    fails: bool
    may_fail: bool
    raised: frozenset[str]
    state: BoundState
    handles: bool


def unbound(
    function: ast.FunctionDef | ast.AsyncFunctionDef, tries: Iterable[ast.stmt], bindings: Bindings
) -> Iterator[UnboundUse]:
    """Yield what the handlers of a function use unbound; ``tries`` are in it, ``bindings`` those of the file.

    A ``try`` in a loop is left alone: an earlier round may have bound the name.
    """
    if not any(isinstance(node, TRY) and bindings.below(node.body) & _read_in(node.handlers) for node in tries):
        return  # as most functions
    bound = set(parameter_names(function.args))
    for node in _tries(function.body, bound, bindings):
        yield from _try(node, frozenset(bound), bindings)


def _tries(body: Block, bound: set[str], bindings: Bindings) -> Iterator[ast.Try]:
    """Yield each ``try`` of a block when the names that are bound before it have been added to ``bound``."""
    for statement in _statements(body):
        if isinstance(statement, TRY):
            yield statement
        bound |= bindings.of(statement)
        if isinstance(statement, (ast.For, ast.AsyncFor, ast.While)):
            bound |= bindings.below([statement])
        elif not isinstance(statement, (*FunctionNode, ast.ClassDef)):
            for inner in _blocks(statement):
                yield from _tries(inner, bound, bindings)


def _read_in(handlers: list[ast.ExceptHandler]) -> set[str]:
    """Return the names that stand in the bodies of handlers, also in those of definitions there."""
    return {name for handler in handlers for statement in handler.body for name in names_below(statement)}


def _try(node: ast.Try, bound: frozenset[str], bindings: Bindings) -> Iterator[UnboundUse]:
    touched = bindings.below(node.body)
    if not (touched - bound) & _read_in(node.handlers):
        return
    parts = _BoundNames(touched, bindings).parts(node.body)
    first: dict[str, int] = {}
    for index, part in enumerate(parts):
        for name in part.binds - bound:
            first.setdefault(name, index)
    for handler in node.handlers:
        types = {name.rpartition(".")[2] for name in exception_names(handler)}
        is_broad = not types or not types.isdisjoint(BROAD)
        seen = {handler.name} if handler.name else set()
        for use in _uses(handler.body, seen, touched, bindings):
            name = use.name
            if name not in first or name in seen:
                continue
            before = [part for index, part in enumerate(parts) if _lacks(part, use, index <= first[name])]
            certain = not any(part.may_fail and name in part.state.maybe for part in parts)
            raised = any(not part.raised.isdisjoint(types) for part in before)
            if raised or (any(part.fails for part in before) and (is_broad or certain)):
                seen.add(name)
                yield UnboundUse(use.statement, name, parts[first[name]].statement)


def _lacks(part: _TryPart, use: _HandlerUse, is_before: bool) -> bool:
    """Whether a name has no value yet when a part begins; ``is_before`` tells whether what binds it comes later.

    Another branch than the one that binds it counts as well, unless the handler too asks in which branch it is.
    """
    surely, maybe = part.state
    return use.name not in surely and (is_before or part.handles or (use.name not in maybe and not use.is_below_if))


# --- what a block does ------------------------------------------------------------------------------------------


def _statements(body: Block) -> Iterator[ast.stmt]:
    """Yield the statements of a block itself; an ``elif`` counts as one."""
    for node in body:
        yield node
        following = elif_of(node) if isinstance(node, ast.If) else None
        while following is not None:
            yield following
            following = elif_of(following)


def _blocks(node: ast.stmt) -> Iterator[Block]:
    """Yield the blocks of a compound statement in their order; those of an ``elif`` are its own."""
    is_followed = isinstance(node, ast.If) and elif_of(node) is not None
    for block in blocks(node):
        if not is_followed or block is not node.orelse:  # type: ignore[attr-defined]
            yield block


class _BoundNames(DefiniteAssignment):
    """Reads what a block does: its parts, beside what is bound."""

    def __init__(self, everything: frozenset[str], bindings: Bindings) -> None:
        super().__init__(everything, bindings)
        self._caught: frozenset[str] = frozenset()
        self._handles = False
        self._parts: list[_TryPart] = []

    def parts(self, body: Block) -> list[_TryPart]:
        """Return the parts of a block, in the order of the text."""
        self.block(body, _AT_FIRST)
        return self._parts

    def step(self, node: ast.stmt, state: BoundState | None) -> BoundState | None:
        """Note a part, and return what is bound behind it."""
        if not self.is_first_round:
            self._parts.append(self._part(node, self._bindings.of(node), state or self._nowhere))
        return super().step(node, state)

    def clause(self, node: ast.stmt | ast.ExceptHandler, body: Block, state: BoundState | None) -> BoundState | None:
        """Read a block in which exceptions are caught, or which is entered for one."""
        handles, caught = self._handles, self._caught
        if isinstance(node, ast.ExceptHandler):
            self._handles = True
        elif isinstance(node, TRY) and body is not node.finalbody:
            for handler in node.handlers:
                self._caught |= {name.rpartition(".")[2] for name in exception_names(handler)} or BROAD
        elif isinstance(node, TRY) and not self.is_first_round:
            self._clear(node)
        behind = super().clause(node, body, state)
        self._handles, self._caught = handles, caught
        return behind

    def _clear(self, node: ast.Try) -> None:
        """Note that what a ``finally`` binds has a value wherever a failure in its ``try`` is caught."""
        bound = DefiniteAssignment(frozenset(), self._bindings).block(node.finalbody, _AT_FIRST)
        begin = next(index for index, part in enumerate(self._parts) if part.statement is node)
        if bound is not None:
            inner = [part._replace(state=part.state.and_bound(bound.surely)) for part in self._parts[begin:]]
            self._parts[begin:] = inner

    def _part(self, node: ast.stmt, binds: frozenset[str], state: BoundState) -> _TryPart:
        expressions = list(_expressions(node))
        if not self._caught.isdisjoint(BROAD):
            return _TryPart(node, binds, False, False, frozenset(), state, self._handles)
        raised = known(node, expressions)
        if isinstance(node, ast.Raise) and node.exc is not None:
            exc = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            raised |= with_parents({dotted_name(exc).rpartition(".")[2]})
        fails = isinstance(node, (ast.Raise, ast.Assert)) or any(map(_fails, expressions))
        plain = isinstance(node, (ast.Pass, ast.Break, ast.Continue, ast.Return, ast.Expr, ast.Assign, ast.If))
        may_fail = not plain or not all(map(_is_plain, expressions))
        return _TryPart(node, binds, fails, may_fail, raised - self._caught, state, self._handles)


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression is a name, ``None``, a truth value or a text."""
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))
    is_named = isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, bool))
    return is_text or is_named or isinstance(node, (ast.Name, ast.JoinedStr))


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def _expressions(node: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions that a simple statement, or the header of a compound one, evaluates."""
    yield from in_header(node)
    if isinstance(node, ast.Assign):
        yield node.value
        for target in node.targets:
            if not isinstance(target, (ast.Name, ast.Tuple, ast.List)):
                yield target
    elif isinstance(node, ast.AnnAssign):
        if node.value is not None:
            yield node.value
        if not isinstance(node.target, ast.Name):
            yield node.target
    elif isinstance(node, ast.AugAssign):
        yield node.target
        yield node.value
    elif not is_compound(node):
        yield from (child for child in inside(node) if isinstance(child, ast.expr))


def _fails(expression: ast.expr) -> bool:
    """Whether an expression may well fail: it calls what is not known to be safe, or looks something up."""
    for part in below(expression):
        if isinstance(part, ast.Await) or (isinstance(part, ast.Call) and _call_fails(part)):
            return True
        if isinstance(part, ast.Subscript):
            items = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
            if any(not isinstance(item, ast.Slice) and not _is_number(item) for item in items):
                return True
    return False


def _call_fails(call: ast.Call) -> bool:
    function = call.func
    if not isinstance(function, ast.Attribute):
        last = dotted_name(function)
        return last not in _SAFE and bool(call.args or call.keywords or not last[:1].isupper())
    last = function.attr
    if last == "get":
        return bool(_REMOTE.search(dotted_name(function.value).rpartition(".")[2]))
    return last not in _SAFE and bool(call.args or call.keywords or not last[:1].isupper())


# --- what a handler uses ----------------------------------------------------------------------------------------


class _HandlerUse(NamedTuple):
    """A statement of a handler that uses a name; ``is_below_if`` tells whether some condition is around it."""

    statement: ast.stmt
    name: str
    is_below_if: bool


def _uses(
    body: Block, bound: set[str], touched: frozenset[str], bindings: Bindings, is_below_if: bool = False
) -> Iterator[_HandlerUse]:
    """Yield the uses of names in a handler in order, and add the names that it binds to ``bound``.

    What is looked at with care is left out: below a question about names, about types or about another variable that
    the ``try`` changes (``touched``), and where a failure is caught.
    """
    for statement in _statements(body):
        loads = [name for expression in _expressions(statement) for name in _loads(expression)]
        if not _REFLECTION.isdisjoint(loads):
            return
        asked = [name for name in loads if name in touched] if isinstance(statement, ast.If) else []
        binds = bindings.of(statement)
        # An assignment reads its names before it binds any.
        hidden = frozenset() if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)) else binds
        for name in loads:
            if name not in hidden and (not asked or name == asked[0]):
                yield _HandlerUse(statement, name, is_below_if)
        bound |= binds
        if isinstance(statement, (*FunctionNode, ast.ClassDef)):
            continue
        with_care = (
            bool(asked)
            or (isinstance(statement, ast.If) and "isinstance" in loads)
            or (isinstance(statement, (ast.With, ast.AsyncWith)) and suppressed(statement) is not None)
            or (isinstance(statement, TRY) and _catches_unbound(statement))
        )
        for inner in _blocks(statement):
            if with_care:
                bound |= bindings.below(inner)
            else:
                yield from _uses(inner, bound, touched, bindings, is_below_if or isinstance(statement, ast.If))


def _catches_unbound(node: ast.Try) -> bool:
    return any(not handler.type or not _CATCH_UNBOUND.isdisjoint(exception_names(handler)) for handler in node.handlers)


def _loads(node: ast.expr) -> Iterator[str]:
    """Yield the names that an expression reads, those it binds itself left out."""
    own: set[str] = set()
    pending: list[ast.AST] = [node]
    names: list[str] = []
    while pending:
        current = pending.pop()
        if isinstance(current, ast.Name):
            names.append(current.id)
        elif isinstance(current, ast.NamedExpr):
            own.add(current.target.id)
            pending.append(current.value)
        elif isinstance(current, ast.comprehension):
            own.update(target_names(current.target))
            pending.extend((current.iter, *current.ifs))
        elif not isinstance(current, ast.Lambda):
            pending.extend(reversed(inside(current)))
    yield from (name for name in names if name not in own)
