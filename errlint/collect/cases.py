"""What a function does under which conditions, as :class:`errlint.facts.Case`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import libcst as cst

from errlint.collect import statements
from errlint.collect.expressions import OPAQUE, convert, dotted_name, inside, names_below
from errlint.collect.flow import State, Statement, exception_names
from errlint.collect.ways import evaluated, names_in
from errlint.facts import Asked, Case, Condition, Constant, Handler, Opaque, Sequence, Table, Text, Value
from errlint.findings import Span

_OPERATORS: Mapping[type[cst.BaseCompOp], str] = {
    cst.Equal: "==", cst.NotEqual: "!=", cst.Is: "==", cst.IsNot: "!=", cst.In: "in", cst.NotIn: "not in",
    cst.LessThan: "<", cst.LessThanEqual: "<=", cst.GreaterThan: ">", cst.GreaterThanEqual: ">=",
}  # fmt: skip
_FLIPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPPOSITE = {
    "==": "!=", "!=": "==", "in": "not in", "not in": "in", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
    "true": "false", "false": "true",
}  # fmt: skip
MANY = 24
"""More conditions than this are not kept: the innermost say most."""


class _Failure(NamedTuple):
    """What was caught: the handler with its place, the calls of its ``try``, and what was done from then on.

    ``since`` are the names of what may have been called since then, but for what looks at the exception, and of the
    attributes and entries that were set; ``bound`` the names that were bound again.
    """

    handler: Handler
    span: Span
    calls: tuple[cst.Call, ...]
    since: list[str]
    bound: set[str]


class _Around(NamedTuple):
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


class Cases:
    """Walks one function. ``states`` are the values of names at its statements, by ``id``."""

    def __init__(self, states: Mapping[int, State], spans: Mapping[int, Span]) -> None:
        self._states = states
        self._spans = spans
        self._found: list[Case] = []

    def of(self, function: cst.FunctionDef) -> tuple[Case, ...]:
        """Return the cases of a function in document order."""
        self._suite(function.body, _Around())
        return tuple(self._found)

    def _suite(self, body: cst.BaseSuite, around: _Around) -> tuple[bool, _Around]:
        """Walk a block; return whether its end is reached, and what holds there."""
        for node in statements.of(body):
            if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
                continue
            goes_on, around = self._statement(node, around)
            if not goes_on:
                return False, around
        return True, around

    def _statement(self, node: Statement, around: _Around) -> tuple[bool, _Around]:
        calls = tuple(dict.fromkeys(reversed([*_calls(node)])))  # arguments are called before what they are handed to
        if around.failure is not None:
            self._repeat(node, around, around.failure)
        if isinstance(node, cst.If):
            return self._if(node, around._replace(before=(*around.before, *calls)))
        if isinstance(node, cst.Match):
            return self._match(node, around._replace(before=(*around.before, *calls)))
        if isinstance(node, (cst.For, cst.While)):
            self._loop(node, around._replace(before=(*around.before, *calls)))
            around = _perhaps(around, node.body)
            return True, around._replace(before=(*around.before, *calls))
        if isinstance(node, (cst.Try, cst.TryStar)):
            return self._try(node, around)
        around = around._replace(before=(*around.before, *calls))
        if isinstance(node, cst.With):
            return self._suite(node.body, around)
        if isinstance(node, (cst.Return, cst.Raise)):
            how = "return" if isinstance(node, cst.Return) else "raise"
            value = node.value if isinstance(node, cst.Return) else node.exc
            self._add(node, how, value, around)
            return False, around
        if isinstance(node, (cst.Continue, cst.Break)):
            if isinstance(node, cst.Continue):
                self._add(node, "continue", None, around)
            return False, around
        if isinstance(node, (cst.Assign, cst.AnnAssign)) and node.value is not None:
            self._add(node, "assigned", node.value, around)
        elif isinstance(node, cst.Expr) and calls:
            self._add(node, "called", node.value, around)
        return True, around

    def _add(self, node: cst.CSTNode, how: str, value: cst.BaseExpression | None, around: _Around) -> None:
        state = self._states.get(id(node), {})
        parts = _chosen(value, around.conditions, state, self._spans[id(node)], is_asked=how == "return")
        for part, conditions in parts:
            found = convert(part, state) if part is not None else OPAQUE
            first = _alternatives(part, state)
            self._found.append(
                Case(
                    self._spans[id(node)], how, found, conditions[-MANY:], around.before, around.handlers,
                    around.caught, around.loop, around.tried, around.is_again, around.pauses, first,
                    around.perhaps, _since(around),
                )
            )  # fmt: skip

    def _repeat(self, node: Statement, around: _Around, failure: _Failure) -> None:
        """Note a call that failed before and is made again as it was, and what else a statement does."""
        state = self._states.get(id(node), {})
        for part in evaluated(node):
            if not isinstance(part, cst.Call):
                continue
            names = tuple(_called(part))
            if any(part.deep_equals(call) for call in failure.calls) and failure.bound.isdisjoint(names_in(part)):
                self._found.append(
                    Case(
                        self._spans[id(node)], "again", convert(part, state), around.conditions[-MANY:], around.before,
                        (failure.handler, *around.handlers), (failure.span, *around.caught), around.loop, names,
                        since=tuple(failure.since),
                    )
                )  # fmt: skip
            elif failure.handler.name not in names_in(part):
                failure.since.extend(names)
        for target in _assigned(node):
            if isinstance(target, cst.Name):
                failure.bound.add(target.value)
            else:
                failure.since.append(dotted_name(target.value if isinstance(target, cst.Subscript) else target))

    def _if(self, node: cst.If, around: _Around) -> tuple[bool, _Around]:
        state, span = self._states.get(id(node), {}), self._spans[id(node)]
        holds = conditions(node.test, state, span, is_negated=False)
        fails = conditions(node.test, state, span, is_negated=True)
        entered = around._replace(conditions=(*around.conditions, *holds))
        goes_on, _ = self._suite(node.body, entered)
        otherwise = around._replace(conditions=(*around.conditions, *fails))
        if isinstance(node.orelse, cst.If):
            goes_on_too, after = self._if(node.orelse, otherwise)
        elif node.orelse is not None:
            goes_on_too, after = self._suite(node.orelse.body, otherwise)
        else:
            goes_on_too, after = True, otherwise
        perhaps = _perhaps(after if goes_on_too else around, node.body).perhaps if goes_on else after.perhaps
        if goes_on_too and isinstance(node.orelse, cst.Else):
            perhaps = (*perhaps, *_calls_below(node.orelse.body))
        if goes_on and goes_on_too:
            return True, around._replace(perhaps=perhaps)
        if goes_on:
            return True, entered._replace(perhaps=perhaps)
        return goes_on_too, after._replace(before=around.before, perhaps=perhaps)

    def _match(self, node: cst.Match, around: _Around) -> tuple[bool, _Around]:
        state, span = self._states.get(id(node), {}), self._spans[id(node)]
        subject = convert(node.subject, state)
        goes_on, is_whole, left = False, False, around
        past: tuple[Condition, ...] = ()
        for case in node.cases:
            values = pattern_values(case.pattern)
            is_any = isinstance(case.pattern, cst.MatchAs) and case.pattern.pattern is None
            own: tuple[Condition, ...] = ()
            if values is not None:
                own = (Condition(span, tuple(Asked(subject, "==", value) for value in values)),)
            elif not is_any:
                own = (Condition(span, (Asked(subject, "?", OPAQUE),)),)
            if case.guard is not None:
                own = (*own, *conditions(case.guard, state, span, is_negated=False))
            reached, _ = self._suite(
                case.body, around._replace(conditions=(*around.conditions, *past, *own), before=around.before)
            )
            goes_on = goes_on or reached
            left = _perhaps(left, case.body) if reached else left
            if case.guard is None:
                is_whole = is_whole or is_any
                if values is not None:
                    past = (*past, *(Condition(span, (Asked(subject, "!=", value),)) for value in values))
        return goes_on or not is_whole, left

    def _loop(self, node: cst.For | cst.While, around: _Around) -> None:
        conditions_ = around.conditions
        if isinstance(node, cst.While):
            state = self._states.get(id(node), {})
            conditions_ = (*conditions_, *conditions(node.test, state, self._spans[id(node)], is_negated=False))
        bound = frozenset(_targets(node))
        pauses = any("sleep" in name or "wait" in name or "backoff" in name for name in _calls_below(node.body))
        inner = around._replace(conditions=conditions_, loop=self._spans[id(node)], bound=bound, pauses=pauses)
        self._suite(node.body, inner)

    def _try(self, node: cst.Try | cst.TryStar, around: _Around) -> tuple[bool, _Around]:
        tried = tuple(dict.fromkeys(_calls_below(node.body)))
        used = frozenset(names_below(node.body))
        again = tuple(_call_nodes(node.body))
        goes_on, after = self._suite(node.body, around)
        if goes_on and node.orelse:
            goes_on, after = self._suite(node.orelse.body, after)
        result = after if goes_on else None
        perhaps = [*after.perhaps] if goes_on else []
        sure = after.before if len(after.before) > len(around.before) else around.before
        for handler in node.handlers:
            name = handler.name.name.value if handler.name and isinstance(handler.name.name, cst.Name) else ""
            caught = Handler(exception_names(handler.type), name)
            inner = around._replace(
                before=(*around.before, *tried),
                handlers=(caught, *around.handlers),
                caught=(self._spans[id(handler)], *around.caught),
                tried=tried,
                is_again=not around.bound & used,
                failure=_Failure(caught, self._spans[id(handler)], again, [], set()),
            )
            reached, end = self._suite(handler.body, inner)
            if reached:
                perhaps.extend(_calls_below(handler.body))
                if around.loop:
                    self._end(handler, end)
                left = end._replace(handlers=around.handlers, caught=around.caught, tried=around.tried)
                result = left if result is None else around
        if node.finalbody is not None:
            finished, _ = self._suite(node.finalbody.body, around)
            if not finished:
                return False, around
        if result is None:
            return False, around
        return True, result._replace(before=sure, loop=around.loop, perhaps=(*around.perhaps, *perhaps))

    def _end(self, handler: cst.ExceptHandler | cst.ExceptStarHandler, around: _Around) -> None:
        self._found.append(
            Case(
                self._spans[id(handler)], "end", OPAQUE, around.conditions[-MANY:], around.before, around.handlers,
                around.caught, around.loop, around.tried, around.is_again, around.pauses, (), (),
                _since(around),
            )
        )  # fmt: skip


def table(node: Statement, state: State, span: Span, scope: str) -> Iterator[Table]:
    """Yield the entries of a dict that a statement assigns, or the entry that it stores."""
    if isinstance(node, (cst.Assign, cst.AnnAssign)) and node.value is not None:
        target = node.targets[0].target if isinstance(node, cst.Assign) else node.target
        if isinstance(target, cst.Subscript) and len(target.slice) == 1:
            index = target.slice[0].slice
            if isinstance(index, cst.Index):
                pair = (convert(index.value, state), convert(node.value, state))
                yield Table(scope, span, dotted_name(target.value), (pair,))
        elif isinstance(node.value, cst.Dict):
            pairs = tuple(
                (convert(item.key, state), convert(item.value, state))
                for item in node.value.elements
                if isinstance(item, cst.DictElement)
            )
            if pairs:
                yield Table(scope, span, dotted_name(target), pairs)


def conditions(test: cst.BaseExpression, state: State, span: Span, *, is_negated: bool) -> tuple[Condition, ...]:
    """Return what holds where a test does (or does not): all of the conditions, of each one of its tests."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return conditions(test.expression, state, span, is_negated=not is_negated)
    if isinstance(test, cst.NamedExpr):
        test = test.value
    if isinstance(test, cst.BooleanOperation):
        left = conditions(test.left, state, span, is_negated=is_negated)
        right = conditions(test.right, state, span, is_negated=is_negated)
        if isinstance(test.operator, cst.And) is not is_negated:
            return (*left, *right)
        if len(left) * len(right) > MANY:
            return ()
        return tuple(Condition(span, (*one.tests, *other.tests)) for one in left for other in right)
    tests = tuple(_tests(test, state))
    if not is_negated:
        return tuple(Condition(span, (item,)) for item in tests)
    opposite = tuple(Asked(item.subject, _OPPOSITE.get(item.operator, "?"), item.value) for item in tests)
    return (Condition(span, opposite),)


def _tests(test: cst.BaseExpression, state: State) -> Iterator[Asked]:
    """Yield what a plain test asks; a chained comparison asks several things."""
    if not isinstance(test, cst.Comparison):
        yield Asked(convert(test, state), "true", OPAQUE)
        return
    left = test.left
    for comparison in test.comparisons:
        operator = _OPERATORS.get(type(comparison.operator), "?")
        first, second = _operand(left, state), _operand(comparison.comparator, state)
        left = comparison.comparator
        if operator in _FLIPPED and type(first) in (Constant, Text) and type(second) not in (Constant, Text):
            yield Asked(second, _FLIPPED[operator], first)
        else:
            yield Asked(first, operator, second)


def _operand(node: cst.BaseExpression, state: State) -> Value:
    if isinstance(node, cst.NamedExpr):
        node = node.value
    if (
        isinstance(node, cst.BinaryOperation)
        and isinstance(node.operator, cst.FloorDivide)
        and isinstance(node.right, cst.Integer)
        and node.right.value == "100"
    ):
        return Sequence("class", (convert(node.left, state),))
    return convert(node, state)


def _chosen(
    value: cst.BaseExpression | None, around: tuple[Condition, ...], state: State, span: Span, *, is_asked: bool
) -> Iterator[tuple[cst.BaseExpression | None, tuple[Condition, ...]]]:
    """Yield the branches of a conditional expression with what holds in each; any other value as it is.

    With ``is_asked`` a comparison is such an expression, too: it is ``True`` where it holds.
    """
    test, first, second = value, _TRUE, _FALSE
    if isinstance(value, cst.IfExp):
        test, first, second = value.test, value.body, value.orelse
    elif not is_asked or value is None or not _compares(value):
        yield value, around
        return
    assert test is not None
    for part, is_negated in ((first, False), (second, True)):
        holds = (*around, *conditions(test, state, span, is_negated=is_negated))
        yield from _chosen(part, holds, state, span, is_asked=is_asked)


_TRUE: cst.BaseExpression = cst.Name("True")
_FALSE: cst.BaseExpression = cst.Name("False")


def _compares(node: cst.BaseExpression) -> bool:
    """Whether an expression is made of nothing but comparisons."""
    pending = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, cst.BooleanOperation):
            pending.extend((part.left, part.right))
        elif isinstance(part, cst.UnaryOperation) and isinstance(part.operator, cst.Not):
            pending.append(part.expression)
        elif not isinstance(part, cst.Comparison):
            return False
    return True


def _since(around: _Around) -> tuple[str, ...]:
    """Return what may have been called since an exception was caught in a handler around."""
    return tuple(around.failure.since) if around.failure is not None and around.handlers else ()


def _assigned(node: Statement) -> Iterator[cst.BaseExpression]:
    """Yield what a simple statement assigns to."""
    targets: list[cst.BaseExpression] = []
    if isinstance(node, cst.Assign):
        targets = [item.target for item in node.targets]
    elif isinstance(node, (cst.AnnAssign, cst.AugAssign)):
        targets = [node.target]
    while targets:
        target = targets.pop()
        if isinstance(target, (cst.Tuple, cst.List)):
            targets.extend(element.value for element in target.elements)
        else:
            yield target


def _alternatives(value: cst.BaseExpression | None, state: State) -> tuple[Value, ...]:
    """Return the operands of an ``or``, or what a ``get`` answers and its default, wherever they stand in a value."""
    pending = [] if value is None else [value]
    while pending:
        node = pending.pop()
        operands = list(_operands(node))
        if len(operands) > 1:
            return tuple(convert(item, state) for item in operands)
        if isinstance(node, cst.BaseExpression) and not isinstance(node, cst.Lambda):
            pending.extend(child for child in _expressions(node))
    return ()


def _operands(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    if isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.Or):
        yield from _operands(node.left)
        yield from _operands(node.right)
    elif (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Attribute)
        and node.func.attr.value == "get"
        and len(node.args) == 2
        and not any(item.keyword or item.star for item in node.args)
    ):
        yield cst.Call(node.func, node.args[:1])
        yield from _operands(node.args[1].value)
    else:
        yield node


def _expressions(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    for child in inside(node):
        if isinstance(child, cst.BaseExpression):
            yield child
        else:
            yield from _expressions(child)


def pattern_values(pattern: cst.MatchPattern) -> tuple[Value, ...] | None:
    """Return the constants that a pattern stands for, ``None`` for any other pattern."""
    if isinstance(pattern, cst.MatchValue):
        value = convert(pattern.value, {})
        return None if type(value) is Opaque else (value,)
    if isinstance(pattern, cst.MatchOr):
        found = [pattern_values(item.pattern) for item in pattern.patterns]
        values = [value for item in found if item is not None for value in item]
        return None if None in found else tuple(values)
    return None


def _calls(node: Statement) -> Iterator[str]:
    """Yield the names of what a simple statement or a header certainly calls."""
    for part in evaluated(node):
        if isinstance(part, cst.Call):
            yield from _called(part)


def _called(node: cst.Call) -> Iterator[str]:
    """Yield the name of what is called, with that of a tool called by name; `post` too where a request is one."""
    function = node.func
    name = dotted_name(function)
    if not name and isinstance(function, cst.Attribute):
        name = f".{function.attr.value}"
    first = node.args[0].value if node.args and not node.args[0].keyword else None
    text = first.evaluated_value if isinstance(first, cst.SimpleString) else ""
    if isinstance(text, str) and text.isidentifier():
        holder, _, last = name.rpartition(".")
        if last == "call_tool":
            name = f"{name}:{text}"
        elif last == "request":
            yield f"{holder}.{text.lower()}"
    yield name


def _perhaps(around: _Around, body: cst.BaseSuite) -> _Around:
    """Return what holds behind a block that may have been run."""
    return around._replace(perhaps=(*around.perhaps, *dict.fromkeys(_calls_below(body))))


def _calls_below(body: cst.CSTNode) -> Iterator[str]:
    for node in _call_nodes(body):
        yield from _called(node)


def _call_nodes(body: cst.CSTNode) -> Iterator[cst.Call]:
    pending = [body]
    while pending:
        node = pending.pop()
        if isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            continue
        if isinstance(node, cst.Call):
            yield node
        pending.extend(reversed(inside(node)))


def _targets(node: cst.For | cst.While) -> Iterator[str]:
    """Yield the names that a round of a loop has of its own: what is tried again is tried with the same values."""
    if isinstance(node, cst.For):
        yield from names_below(node.target)
    for child in statements.of(node.body):
        if isinstance(child, cst.Assign):
            for target in child.targets:
                yield from names_below(target.target)
