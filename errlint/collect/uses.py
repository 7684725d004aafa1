"""Where functions of interest are used, and what becomes of their results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import libcst as cst
from msgspec import structs

from errlint.collect.expressions import dotted_name, inside, names_below, subscript_key
from errlint.collect.flow import State, Statement
from errlint.facts import ANSWERED, CASTS, Call, Use, Value, handed_to, names_in
from errlint.findings import Span
from errlint.words import ERROR_KEYS, FUNCTION_ARGUMENTS, HANDLER_KEYWORDS

_REGISTRARS = frozenset({"add_prompt", "add_tool", "from_function", "prompt", "register_tool", "resource", "tool"})
"""Functions that register what they are handed."""

_GATHERERS = frozenset(
    {"append", "add", "extend", "insert", "put", "put_nowait", "setdefault", "update", "gather", "as_completed"}
)
"""Methods and functions whose argument becomes one of several results."""

_MAPPERS = frozenset({"map", "imap", "imap_unordered", "starmap", "map_async", "process_concurrently"})
"""Functions that call what they are handed once per item."""

_CONTENT = frozenset({"text", "content", "data", "result"})
"""Names of arguments that carry the whole of an answer."""

_GOING_THROUGH = frozenset({"enumerate", "list", "reversed", "sorted", "tuple"})
"""Functions of which the result has the items of the argument."""

_DEFERRERS = frozenset({"submit", "delayed", "run_in_executor", "apply_async", "to_thread"})
"""Functions that call what they are handed once, later: one of several only in a loop."""


class Tracker:
    """Follows the uses of some names through the statements of one scope.

    A result held in a local name is what later statements make of that name: stored somewhere, or tested above a
    ``raise``.
    """

    def __init__(self, names: frozenset[str], registrations: frozenset[str]) -> None:
        self._names = names
        self._registrations = registrations
        self._uses: list[Use] = []
        self._held: dict[str, list[int]] = {}
        self._gone_through: dict[str, tuple[str, ...]] = {}  # what the names of loops are items of
        self._state: State = {}
        self._in_loop = False
        self._own: frozenset[str] = frozenset()  # the names of the lambdas and comprehensions around an expression

    def finish(self) -> tuple[Use, ...]:
        """Return the uses found."""
        return tuple(self._uses)

    def statement(self, node: Statement, state: State, span: Span, in_loop: bool = False) -> None:
        """Look at one statement: its own expressions, not the blocks below it."""
        self._state, self._in_loop = state, in_loop
        if type(node) is cst.Return:
            if node.value:
                self._expression(node.value, "returned", span)
        elif type(node) is cst.Assign:
            for target in node.targets:
                self._assignment(target.target, node.value, span)
        elif isinstance(node, (cst.AnnAssign, cst.AugAssign)):
            if node.value:
                self._assignment(node.target, node.value, span)
        elif type(node) is cst.Expr:
            self._expression(node.value, "called", span)
        elif type(node) is cst.If:
            if _raises(node.body):
                for name in set(names_below(node.test)):
                    self._mark(name, "raised")
                self._expression(node.test, "raised", span)
            else:
                self._expression(node.test, "called", span)
        elif type(node) is cst.While:
            self._expression(node.test, "called", span)
        elif type(node) is cst.For:
            self.loop(node)
            self._expression(node.iter, "called", span)
        elif type(node) is cst.With:
            for item in node.items:
                self._expression(item.item, "called", span)
        elif type(node) is cst.Raise and node.exc is not None:
            for name in set(names_below(node.exc)):
                self._mark(name, "raised")
            self._expression(node.exc, "raised", span)

    def loop(self, node: cst.For | cst.CompFor) -> None:
        """Note what a loop goes through, by name: for those that register one thing after the other."""
        through = tuple(dict.fromkeys(self._items(node.iter)))
        if through:
            for name in names_below(node.target):
                self._gone_through[name] = through

    def _items(self, node: cst.BaseExpression) -> Iterator[str]:
        """Yield the names that stand in a display, or that of what holds them."""
        if isinstance(node, (cst.Tuple, cst.List, cst.Set)):
            for element in node.elements:
                yield from self._items(element.value)
        elif type(node) is cst.Dict:
            for item in node.elements:
                yield from self._items(item.value)
        elif type(node) is cst.Call:
            if type(node.func) is cst.Attribute and node.func.attr.value in ("values", "items"):
                yield from self._items(node.func.value)
            elif dotted_name(node.func) in _GOING_THROUGH and node.args:
                yield from self._items(node.args[0].value)
            elif dotted_name(node.func) in CASTS and len(node.args) == 2:
                yield from self._items(node.args[1].value)
            elif called := dotted_name(node.func):
                yield called + ANSWERED
        elif name := dotted_name(node):
            values = tuple(map(_uncast, self._state.get(name, ())))
            held = [item for value in values for item in names_in(value)]
            answered = [value.name + ANSWERED for value in values if type(value) is Call and value.name]
            yield from held or answered or (name,)

    def _assignment(self, target: cst.BaseExpression, value: cst.BaseExpression, span: Span) -> None:
        if type(target) is cst.Name:
            first = len(self._uses)
            self._expression(value, "called", span)
            if len(self._uses) > first:
                self._held.setdefault(target.value, []).extend(range(first, len(self._uses)))
        else:
            self._expression(value, _destination(target), span)

    def _mark(self, name: str, how: str) -> None:
        """Note what becomes of the results that ``name`` can hold here."""
        calls = self._reaching_calls(name)
        for index in self._held.get(name, ()):
            use = self._uses[index]
            reaches = calls is None or use.callee.rpartition(".")[2] in calls
            if reaches and use.how not in ("raised", "passed", "gathered"):
                self._uses[index] = structs.replace(use, how=how)

    def _reaching_calls(self, name: str) -> frozenset[str] | None:
        """Return the last names of the calls whose results ``name`` can hold, ``None`` when that is not known."""
        values = self._state.get(name)
        if values is None or not all(type(value) is Call for value in values):
            return None
        return frozenset(value.name.rpartition(".")[2] for value in values if type(value) is Call)

    def _expression(self, node: cst.BaseExpression, how: str, span: Span) -> None:
        """Find uses in an expression whose own value is used as ``how`` says."""
        if how == "field" and self._in_loop:
            how = "gathered"
        if type(node) is cst.Await:
            if type(node.expression) is cst.Call:
                self._call(node.expression, how, span, is_awaited=True)
            else:
                self._expression(node.expression, how, span)
        elif type(node) is cst.Call:
            self._call(node, how, span)
        elif isinstance(node, (cst.Name, cst.Attribute)):
            if type(node) is cst.Name and how in ("gathered", "field"):
                self._mark(node.value, how)
            self._reference(node, "", "called", span)
            if type(node) is cst.Attribute:
                if (
                    how in ("gathered", "field")
                    and type(node.value) is cst.Name
                    and node.attr.value.lower() in ERROR_KEYS
                ):
                    self._mark(node.value.value, "gathered")  # only its error goes on, beside the rest
                if type(node.value) is not cst.Name:
                    self._expression(node.value, "called", span)
        elif type(node) is cst.IfExp:
            self._expression(node.test, "called", span)
            self._expression(node.body, how, span)
            self._expression(node.orelse, how, span)
        elif type(node) is cst.BooleanOperation:
            self._expression(node.left, how, span)
            self._expression(node.right, how, span)
        elif type(node) is cst.Tuple:
            for element in node.elements:
                self._expression(element.value, how, span)
        elif isinstance(node, (cst.List, cst.Set)):
            # A list of one is still the answer; a list of several gathers parts.
            part = how if len(node.elements) == 1 else "gathered"
            for element in node.elements:
                self._expression(element.value, part, span)
        elif type(node) is cst.Dict:
            for item in node.elements:
                spread = type(item) is cst.StarredDictElement
                part = "gathered" if how in ("field", "gathered") else "field"
                self._expression(item.value, how if spread else part, span)
        elif isinstance(node, (cst.GeneratorExp, cst.ListComp, cst.SetComp)):
            self._comprehension(node.for_in, (node.elt,), span)
        elif type(node) is cst.DictComp:
            self._comprehension(node.for_in, (node.key, node.value), span)
        elif type(node) is cst.NamedExpr:
            if type(node.target) is cst.Name:
                self._assignment(node.target, node.value, span)
        elif type(node) is cst.Lambda:
            given = node.params
            every = (*given.posonly_params, *given.params, *given.kwonly_params, given.star_arg, given.star_kwarg)
            with self._naming(item.name.value for item in every if isinstance(item, cst.Param)):
                self._expression(node.body, "passed", span)
        else:
            for child in inside(node):
                if isinstance(child, cst.BaseExpression):
                    self._expression(child, "called", span)
                elif isinstance(
                    child, (cst.ComparisonTarget, cst.FormattedStringExpression, cst.SubscriptElement, cst.Index)
                ):
                    for inner in _expressions_in(child):
                        self._expression(inner, "called", span)

    def _comprehension(self, node: cst.CompFor, made: Iterable[cst.BaseExpression], span: Span) -> None:
        """Look at what a comprehension goes through, and in the scope of its names at what it makes."""
        self.loop(node)
        self._expression(node.iter, "called", span)
        with self._naming(names_below(node.target)):
            if node.inner_for_in:
                self._comprehension(node.inner_for_in, made, span)
                return
            for each in made:
                self._expression(each, "gathered", span)

    @contextmanager
    def _naming(self, names: Iterable[str]) -> Iterator[None]:
        """Look at expressions in which names stand for what a lambda or a comprehension is given."""
        around = self._own
        self._own = around.union(names)
        yield
        self._own = around

    def _call(self, node: cst.Call, how: str, span: Span, *, is_awaited: bool = False) -> None:
        name = dotted_name(node.func)
        last = name.rpartition(".")[2]
        is_own = name.partition(".")[0] in self._own
        if name and not (is_own and "." in name):
            if last in self._names and not is_own:
                self._uses.append(Use(name, span, how, is_awaited=is_awaited))
        else:
            # What `defer(function)` returns is called in place of the function.
            self._expression(node.func, how if type(node.func) is cst.Call else "called", span)
            last = node.func.attr.value if type(node.func) is cst.Attribute else ""
            if type(node.func) is cst.Attribute and last in self._names:
                self._uses.append(Use("." + last, span, how, is_awaited=is_awaited))
        receiver = self._maker(name) if name else _callee_of_callee(node.func)
        for argument in node.args:
            value = argument.value
            if argument.keyword is not None and argument.keyword.value in HANDLER_KEYWORDS:
                self._reference(value, f"{receiver}.{argument.keyword.value}", how, span)
                continue
            aside = argument.keyword is not None and argument.keyword.value not in FUNCTION_ARGUMENTS
            if isinstance(value, (cst.Name, cst.Attribute)):
                if last in _GATHERERS and type(value) is cst.Name:
                    self._mark(value.value, "gathered")
                self._reference(value, "?" if aside and last in _REGISTRARS else receiver or "?", how, span)
            elif type(value) is cst.Dict and last == "update":
                self._expression(value, how, span)
            elif type(value) is cst.Subscript and not aside and receiver.rpartition(".")[2] in self._registrations:
                self._of_item(_root(value), receiver, span)
                self._expression(value, how, span)
            else:
                part = how
                if last in _GATHERERS or argument.star == "*":
                    part = "gathered"
                elif how == "returned" and argument.keyword and argument.keyword.value not in _CONTENT:
                    part = "field"
                self._expression(value, part, span)
                if type(value) is cst.Call and receiver.rpartition(".")[2] in self._registrations and not aside:
                    self._wrapped(value, receiver, span)

    def _wrapped(self, node: cst.Call, receiver: str, span: Span) -> None:
        """Note what a call is handed whose result is registered: ``server.add_tool(timed(function))``."""
        if _callee_of_callee(node).rpartition(".")[2] in self._registrations:
            return
        for item in node.args:
            if item.keyword is not None and FUNCTION_ARGUMENTS.isdisjoint(item.keyword.value.split("_")):
                continue
            if type(item.value) is cst.Call:
                self._wrapped(item.value, receiver, span)
            elif name := dotted_name(item.value):
                self._registered(name, receiver, span)

    def _registered(self, name: str, receiver: str, span: Span) -> None:
        """Note that what a name stands for is registered: each item of a loop, or what a call around it was handed."""
        handed = tuple(dict.fromkeys(item for value in self._state.get(name, ()) for item in handed_to(value)))
        for each in self._gone_through.get(name) or handed or (name,):
            self._uses.append(Use(each, span, "passed", receiver))

    def _of_item(self, name: str, receiver: str, span: Span) -> bool:
        """Note that a part of each item of a loop is registered, and whether a name stands for such an item.

        ``for tool in TOOLS: server.tool(tool["name"])(tool["handler"])``: whatever functions the items have.
        """
        if name not in self._gone_through:
            return False
        self._registered(name, receiver, span)
        return True

    def _maker(self, name: str) -> str:
        """Return the name of the call that makes what a local name stands for: ``guard`` of ``wrap = guard("x")``."""
        made = {value.name if type(value) is Call else "" for value in self._state.get(name, ())}
        return made.pop() or name if len(made) == 1 else name

    def _reference(self, node: cst.BaseExpression, receiver: str, how: str, span: Span) -> None:
        name = dotted_name(node)
        last = receiver.rpartition(".")[2]
        if last in self._registrations:
            if not self._of_item(_root(node), receiver, span) and name:
                self._registered(name, receiver, span)
            return
        if last in _MAPPERS or (last in _DEFERRERS and self._in_loop):
            how = "gathered"
        elif last not in _DEFERRERS:
            how = "passed"
        plain: tuple[str, ...] = (name,)
        if name.partition(".")[0] in self._own:
            plain = (f".{name.rpartition('.')[2]}",) if "." in name else ()
        for each in self._gone_through.get(name, plain):
            if each.rpartition(".")[2] in self._names:
                self._uses.append(Use(each, span, how, receiver))


def _destination(target: cst.BaseExpression) -> str:
    """Say what a value becomes that is assigned to something other than a plain name."""
    if type(target) is cst.Attribute:
        return "field"
    if type(target) is cst.Subscript:
        nested = type(target.value) is cst.Subscript
        return "gathered" if nested or subscript_key(target) is None else "field"
    return "called"


def _root(node: cst.BaseExpression) -> str:
    """Return the name with which an attribute or an item begins: ``tool`` of ``tool["handler"]``."""
    while isinstance(node, (cst.Attribute, cst.Subscript)):
        node = node.value
    return dotted_name(node)


def _uncast(value: Value) -> Value:
    """Return what a cast answers, any other value as it is."""
    is_cast = type(value) is Call and value.name in CASTS and len(value.arguments) == 2
    return value.arguments[1].value if type(value) is Call and is_cast else value


def _callee_of_callee(node: cst.BaseExpression) -> str:
    """Return the name behind ``name(...)(argument)``."""
    while type(node) is cst.Call:
        node = node.func
    return dotted_name(node)


def _raises(body: cst.BaseSuite) -> bool:
    for line in body.body:
        if type(line) is cst.SimpleStatementLine and any(type(small) is cst.Raise for small in line.body):
            return True
        if type(line) is cst.Raise:
            return True
    return False


def _expressions_in(node: cst.CSTNode) -> list[cst.BaseExpression]:
    found: list[cst.BaseExpression] = []
    for child in inside(node):
        if isinstance(child, cst.BaseExpression):
            found.append(child)
        else:
            found.extend(_expressions_in(child))
    return found
