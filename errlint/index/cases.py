"""What a function does under which conditions, as :class:`errlint.facts.Case`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from errlint.facts import Case, Condition, Constant, Handler, Opaque, Question, Sequence, StoredDict, Text, Value
from errlint.findings import Span
from errlint.index.bindings import TRY, FunctionNode, assigned, single_targets, targets_of
from errlint.index.catching import exception_names
from errlint.index.effects import State
from errlint.index.expressions import OPAQUE, convert, dotted_name, inside, names_below
from errlint.index.forward import Block, elif_of
from errlint.index.path_states import evaluated, names_in
from errlint.index.spans import Spans

_OPERATORS: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Is: "==", ast.IsNot: "!=", ast.In: "in", ast.NotIn: "not in",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_FLIPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPPOSITE = {
    "==": "!=", "!=": "==", "in": "not in", "not in": "in", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
    "true": "false", "false": "true",
}  # fmt: skip
MANY = 24
"""More conditions than this are not kept: the innermost say most."""

_DEFINITIONS = (*FunctionNode, ast.ClassDef)


class _Failure(NamedTuple):
    """What was caught: the handler with its place, the calls of its ``try`` by name, and what was done from then on.

    ``since`` are the names of what may have been called since then, but for what looks at the exception, and of the
    attributes and entries that were set; ``bound`` the names that were bound again.
    """

    handler: Handler
    span: Span
    calls: Mapping[str, list[ast.Call]]
    since: list[str]
    bound: set[str]


class _Situation(NamedTuple):
    """What holds at a point: conditions, calls made before, handlers, the loop around, what it and its ``try`` name.

    ``perhaps`` are calls that were made before on some ways only.
    ``failure`` is the innermost exception that was caught, also behind the only handler by which a point is reached.
    """

    conditions: tuple[Condition, ...] = ()
    before: tuple[str, ...] = ()
    handlers: tuple[Handler, ...] = ()
    caught: tuple[Span, ...] = ()
    loop: Span | None = None
    bound: frozenset[str] = frozenset()
    tried: tuple[str, ...] = ()
    is_again: bool = False
    pauses: bool = False
    perhaps: tuple[str, ...] = ()
    failure: _Failure | None = None


class _CallsBelow(NamedTuple):
    """The calls in a statement with all below it, in the order of the text, and the names of what they call."""

    nodes: list[ast.Call]
    names: list[str]


class Cases:
    """Walks one function. ``states`` are the values of names at its statements, by ``id``."""

    def __init__(self, states: Mapping[int, State], spans: Spans) -> None:
        self._states = states
        self._spans = spans
        self._found: list[Case] = []
        self._calls: dict[ast.stmt, _CallsBelow] = {}

    def of(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[Case, ...]:
        """Return the cases of a function in document order."""
        self._block(function.body, _Situation())
        return tuple(self._found)

    def _block(self, body: Block, around: _Situation) -> tuple[bool, _Situation]:
        """Walk a block; return whether its end is reached, and what holds there."""
        for node in body:
            if isinstance(node, _DEFINITIONS):
                continue
            goes_on, around = self._statement(node, around)
            if not goes_on:
                return False, around
        return True, around

    def _statement(self, node: ast.stmt, around: _Situation) -> tuple[bool, _Situation]:
        calls = tuple(dict.fromkeys(reversed([*_calls(node)])))  # arguments are called before what they are handed to
        if around.failure is not None:
            self._repeat(node, around, around.failure)
        if isinstance(node, ast.If):
            return self._if(node, around._replace(before=(*around.before, *calls)))
        if isinstance(node, ast.Match):
            return self._match(node, around._replace(before=(*around.before, *calls)))
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            around = around._replace(before=(*around.before, *calls))
            self._loop(node, around)
            around = self._perhaps(around, node.body)
            self._block(node.orelse, around)
            return True, self._perhaps(around, node.orelse)
        if isinstance(node, TRY):
            return self._try(node, around)
        around = around._replace(before=(*around.before, *calls))
        if isinstance(node, (ast.With, ast.AsyncWith)):
            return self._block(node.body, around)
        if isinstance(node, (ast.Return, ast.Raise)):
            how = "return" if isinstance(node, ast.Return) else "raise"
            value = node.value if isinstance(node, ast.Return) else node.exc
            self._add(node, how, value, around)
            return False, around
        if isinstance(node, (ast.Continue, ast.Break)):
            if isinstance(node, ast.Continue):
                self._add(node, "continue", None, around)
            return False, around
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            self._add(node, "assigned", node.value, around)
        elif isinstance(node, ast.Expr) and calls:
            self._add(node, "called", node.value, around)
        return True, around

    def _add(self, node: ast.stmt, how: str, value: ast.expr | None, around: _Situation) -> None:
        state = self._states.get(id(node), {})
        parts = _chosen(value, around.conditions, state, self._spans.of(node), is_asked=how == "return")
        for part, conditions in parts:
            found = convert(part, state) if part is not None else OPAQUE
            first = _alternatives(part, state)
            self._found.append(
                Case(
                    self._spans.of(node), how, found, conditions[-MANY:], around.before, around.handlers,
                    around.caught, around.loop, around.tried, around.is_again, around.pauses, first,
                    around.perhaps, _since(around),
                )
            )  # fmt: skip

    def _repeat(self, node: ast.stmt, around: _Situation, failure: _Failure) -> None:
        """Note a call that failed before and is made again as it was, and what else a statement does."""
        state = self._states.get(id(node), {})
        for part in evaluated(node):
            if not isinstance(part, ast.Call):
                continue
            names = tuple(_called(part))
            alike = failure.calls.get(dotted_name(part.func), ())
            if any(_is_same(part, call) for call in alike) and failure.bound.isdisjoint(names_in(part)):
                self._found.append(
                    Case(
                        self._spans.of(node), "again", convert(part, state), around.conditions[-MANY:], around.before,
                        (failure.handler, *around.handlers), (failure.span, *around.caught), around.loop, names,
                        since=tuple(failure.since),
                    )
                )  # fmt: skip
            elif failure.handler.name not in names_in(part):
                failure.since.extend(names)
        for target in (each for whole in targets_of(node) for each in single_targets(whole)):
            if isinstance(target, ast.Name):
                failure.bound.add(target.id)
            else:
                failure.since.append(dotted_name(target.value if isinstance(target, ast.Subscript) else target))

    def _if(self, node: ast.If, around: _Situation) -> tuple[bool, _Situation]:
        state, span = self._states.get(id(node), {}), self._spans.of(node)
        holds = conditions(node.test, state, span, is_negated=False)
        fails = conditions(node.test, state, span, is_negated=True)
        entered = around._replace(conditions=(*around.conditions, *holds))
        goes_on, _ = self._block(node.body, entered)
        otherwise = around._replace(conditions=(*around.conditions, *fails))
        following = elif_of(node)
        if following is not None:
            goes_on_too, after = self._if(following, otherwise)
        else:
            goes_on_too, after = self._block(node.orelse, otherwise)
        perhaps = self._perhaps(after if goes_on_too else around, node.body).perhaps if goes_on else after.perhaps
        if goes_on_too and following is None:
            perhaps = (*perhaps, *self._calls_below(node.orelse).names)
        if goes_on and goes_on_too:
            return True, around._replace(perhaps=perhaps)
        if goes_on:
            return True, entered._replace(perhaps=perhaps)
        return goes_on_too, after._replace(before=around.before, perhaps=perhaps)

    def _match(self, node: ast.Match, around: _Situation) -> tuple[bool, _Situation]:
        state, span = self._states.get(id(node), {}), self._spans.of(node)
        subject = convert(node.subject, state)
        goes_on, is_whole, left = False, False, around
        past: tuple[Condition, ...] = ()
        for case in node.cases:
            values = pattern_values(case.pattern)
            is_any = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
            own: tuple[Condition, ...] = ()
            if values is not None:
                own = (Condition(span, tuple(Question(subject, "==", value) for value in values)),)
            elif not is_any:
                own = (Condition(span, (Question(subject, "?", OPAQUE),)),)
            if case.guard is not None:
                own = (*own, *conditions(case.guard, state, span, is_negated=False))
            reached, _ = self._block(
                case.body, around._replace(conditions=(*around.conditions, *past, *own), before=around.before)
            )
            goes_on = goes_on or reached
            left = self._perhaps(left, case.body) if reached else left
            if case.guard is None:
                is_whole = is_whole or is_any
                if values is not None:
                    past = (*past, *(Condition(span, (Question(subject, "!=", value),)) for value in values))
        return goes_on or not is_whole, left

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, around: _Situation) -> None:
        conditions_ = around.conditions
        if isinstance(node, ast.While):
            state = self._states.get(id(node), {})
            conditions_ = (*conditions_, *conditions(node.test, state, self._spans.of(node), is_negated=False))
        # What is tried again is tried with the same values.
        bound = frozenset(
            name for each in (node, *node.body) for target in targets_of(each) for name in names_below(target)
        )
        called = self._calls_below(node.body).names
        pauses = any("sleep" in name or "wait" in name or "backoff" in name for name in called)
        inner = around._replace(conditions=conditions_, loop=self._spans.of(node), bound=bound, pauses=pauses)
        self._block(node.body, inner)

    def _try(self, node: ast.Try, around: _Situation) -> tuple[bool, _Situation]:
        calls = self._calls_below(node.body)
        tried = tuple(dict.fromkeys(calls.names))
        is_again = not around.bound or around.bound.isdisjoint(
            name for statement in node.body for name in names_below(statement)
        )
        again: dict[str, list[ast.Call]] = {}
        for call in calls.nodes:
            again.setdefault(dotted_name(call.func), []).append(call)
        goes_on, after = self._block(node.body, around)
        sure = after.before
        if goes_on:
            goes_on, after = self._block(node.orelse, after)
        result = after if goes_on else None
        perhaps = [*(after if goes_on else around).perhaps]
        is_handled = False
        for handler in node.handlers:
            caught = Handler(exception_names(handler), handler.name or "")
            inner = around._replace(
                before=(*around.before, *tried),
                handlers=(caught, *around.handlers),
                caught=(self._spans.of(handler), *around.caught),
                tried=tried,
                is_again=is_again,
                failure=_Failure(caught, self._spans.of(handler), again, [], set()),
            )
            reached, end = self._block(handler.body, inner)
            if reached:
                is_handled = True
                perhaps.extend(self._calls_below(handler.body).names)
                if around.loop:
                    self._end(handler, end)
                left = end._replace(handlers=around.handlers, caught=around.caught, tried=around.tried)
                result = left if result is None else around
        if is_handled:  # any call may have failed, and what would have followed was not called then
            perhaps.extend(name for name in (*tried, *(after.before if goes_on else ())) if name not in sure)
        else:
            sure = after.before
        finished, cleared = self._block(node.finalbody, around)
        if not finished or result is None:
            return False, around
        before = (*sure, *cleared.before[len(around.before) :])
        perhaps.extend(cleared.perhaps)
        return True, result._replace(before=before, loop=around.loop, perhaps=tuple(dict.fromkeys(perhaps)))

    def _perhaps(self, around: _Situation, body: Block) -> _Situation:
        """Return what holds behind a block that may have been run."""
        return around._replace(perhaps=(*around.perhaps, *dict.fromkeys(self._calls_below(body).names)))

    def _calls_below(self, body: Block) -> _CallsBelow:
        """Return the calls of a block."""
        found = _CallsBelow([], [])
        for node in body:
            self._add_calls(node, found)
        return found

    def _add_calls(self, node: ast.stmt, found: _CallsBelow) -> None:
        """Add the calls of a statement, which are asked for once for each block around it."""
        own = self._calls.get(node)
        if own is None:
            own = self._calls[node] = _CallsBelow([], [])
            pending: list[ast.AST] = [] if isinstance(node, _DEFINITIONS) else [*reversed(inside(node))]
            while pending:
                part = pending.pop()
                if type(part) is ast.Name or type(part) is ast.Constant or type(part) is ast.Lambda:
                    continue
                if isinstance(part, ast.stmt):
                    self._add_calls(part, own)
                    continue
                if type(part) is ast.Call:
                    own.nodes.append(part)
                    own.names.extend(_called(part))
                pending.extend(reversed(inside(part)))
        found.nodes.extend(own.nodes)
        found.names.extend(own.names)

    def _end(self, handler: ast.ExceptHandler, around: _Situation) -> None:
        self._found.append(
            Case(
                self._spans.of(handler), "end", OPAQUE, around.conditions[-MANY:], around.before, around.handlers,
                around.caught, around.loop, around.tried, around.is_again, around.pauses, (), (),
                _since(around),
            )
        )  # fmt: skip


def table(node: ast.stmt, state: State, span: Span, scope: str) -> Iterator[StoredDict]:
    """Yield the entries of a dict that a statement assigns, or the entry that it stores."""
    for target, whole in assigned(node):
        if isinstance(target, ast.Subscript):
            if not isinstance(target.slice, ast.Slice):
                pair = (convert(target.slice, state), convert(whole, state))
                yield StoredDict(scope, span, dotted_name(target.value), (pair,))
        elif isinstance(whole, ast.Dict):
            pairs = tuple(
                (convert(key, state), convert(value, state))
                for key, value in zip(whole.keys, whole.values)  # noqa: B905 -- equal by construction
                if key is not None
            )
            if pairs:
                yield StoredDict(scope, span, dotted_name(target), pairs)


def conditions(test: ast.expr, state: State, span: Span, *, is_negated: bool) -> tuple[Condition, ...]:
    """Return what holds where a test does (or does not): all of the conditions, of each one of its tests."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return conditions(test.operand, state, span, is_negated=not is_negated)
    if isinstance(test, ast.NamedExpr):
        test = test.value
    if isinstance(test, ast.BoolOp):
        first, *others = (conditions(item, state, span, is_negated=is_negated) for item in test.values)
        for other in others:
            if isinstance(test.op, ast.And) is not is_negated:
                first = (*first, *other)
            elif len(first) * len(other) > MANY:
                return ()
            else:
                first = tuple(Condition(span, (*one.tests, *each.tests)) for one in first for each in other)
        return first
    tests = tuple(_tests(test, state))
    if not is_negated:
        return tuple(Condition(span, (item,)) for item in tests)
    opposite = tuple(Question(item.subject, _OPPOSITE.get(item.operator, "?"), item.value) for item in tests)
    return (Condition(span, opposite),)


def _tests(test: ast.expr, state: State) -> Iterator[Question]:
    """Yield what a plain test asks; a chained comparison asks several things."""
    if not isinstance(test, ast.Compare):
        yield Question(convert(test, state), "true", OPAQUE)
        return
    left = test.left
    for sign, right in zip(test.ops, test.comparators):  # noqa: B905 -- equal by construction
        operator = _OPERATORS[type(sign)]
        first, second = _operand(left, state), _operand(right, state)
        left = right
        if operator in _FLIPPED and type(first) in (Constant, Text) and type(second) not in (Constant, Text):
            yield Question(second, _FLIPPED[operator], first)
        else:
            yield Question(first, operator, second)


def _operand(node: ast.expr, state: State) -> Value:
    if isinstance(node, ast.NamedExpr):
        node = node.value
    if (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.FloorDiv)
        and isinstance(node.right, ast.Constant)
        and type(node.right.value) is int
        and node.right.value == 100
    ):
        return Sequence("class", (convert(node.left, state),))
    return convert(node, state)


def _chosen(
    value: ast.expr | None, around: tuple[Condition, ...], state: State, span: Span, *, is_asked: bool
) -> Iterator[tuple[ast.expr | None, tuple[Condition, ...]]]:
    """Yield the branches of a conditional expression with what holds in each; any other value as it is.

    With ``is_asked`` a comparison is such an expression, too: it is ``True`` where it holds.
    """
    test = value
    first: ast.expr = _TRUE
    second: ast.expr = _FALSE
    if isinstance(value, ast.IfExp):
        test, first, second = value.test, value.body, value.orelse
    elif not is_asked or value is None or not _compares(value):
        yield value, around
        return
    assert test is not None
    for part, is_negated in ((first, False), (second, True)):
        holds = (*around, *conditions(test, state, span, is_negated=is_negated))
        yield from _chosen(part, holds, state, span, is_asked=is_asked)


_TRUE = ast.Constant(True)
_FALSE = ast.Constant(False)


def _compares(node: ast.expr) -> bool:
    """Whether an expression is made of nothing but comparisons."""
    pending = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, ast.BoolOp):
            pending.extend(part.values)
        elif isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not):
            pending.append(part.operand)
        elif not isinstance(part, ast.Compare):
            return False
    return True


def _is_same(first: ast.AST, second: ast.AST) -> bool:
    """Whether two parts of a tree say the same."""
    pending: list[tuple[object, object]] = [(first, second)]
    while pending:
        one, other = pending.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, ast.AST):
            pending.extend(
                (getattr(one, name, None), getattr(other, name, None)) for name in one._fields if name != "kind"
            )
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            pending.extend(zip(one, other))  # noqa: B905 -- equal by then
        elif one != other:
            return False
    return True


def _since(around: _Situation) -> tuple[str, ...]:
    """Return what may have been called since an exception was caught in a handler around."""
    return tuple(around.failure.since) if around.failure is not None and around.handlers else ()


def _alternatives(value: ast.expr | None, state: State) -> tuple[Value, ...]:
    """Return the operands of an ``or``, or what a ``get`` answers and its default, wherever they stand in a value."""
    pending = [] if value is None else [value]
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind is ast.Name or kind is ast.Constant or kind is ast.Lambda:
            continue
        if kind is ast.BoolOp or kind is ast.Call:
            operands = list(_operands(node))
            if len(operands) > 1:
                return tuple(convert(item, state) for item in operands)
        pending.extend(_expressions(node))
    return ()


def _operands(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        for value in node.values:
            yield from _operands(value)
    elif (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "get"
        and len(node.args) == 2
        and not node.keywords
        and not any(isinstance(item, ast.Starred) for item in node.args)
    ):
        yield ast.Call(node.func, node.args[:1], [])
        yield from _operands(node.args[1])
    else:
        yield node


def _expressions(node: ast.AST) -> list[ast.expr]:
    found: list[ast.expr] = []
    for child in inside(node):
        if isinstance(child, ast.expr):
            found.append(child)
        else:
            found.extend(_expressions(child))
    return found


def pattern_values(pattern: ast.pattern) -> tuple[Value, ...] | None:
    """Return the constants that a pattern stands for, ``None`` for any other pattern."""
    if isinstance(pattern, ast.MatchValue):
        value = convert(pattern.value, {})
        return None if type(value) is Opaque else (value,)
    if isinstance(pattern, ast.MatchOr):
        found = [pattern_values(item) for item in pattern.patterns]
        values = [value for item in found if item is not None for value in item]
        return None if None in found else tuple(values)
    return None


def _calls(node: ast.stmt) -> Iterator[str]:
    """Yield the names of what a simple statement or a header certainly calls."""
    for part in evaluated(node):
        if isinstance(part, ast.Call):
            yield from _called(part)


def _called(node: ast.Call) -> Iterator[str]:
    """Yield the name of what is called, with that of a tool called by name; `post` too where a request is one."""
    function = node.func
    name = dotted_name(function)
    if not name and isinstance(function, ast.Attribute):
        name = f".{function.attr}"
    first = node.args[0] if node.args else None
    text = first.value if isinstance(first, ast.Constant) else ""
    if isinstance(text, str) and text.isidentifier():
        holder, _, last = name.rpartition(".")
        if last == "call_tool":
            name = f"{name}:{text}"
        elif last == "request":
            yield f"{holder}.{text.lower()}"
    yield name
