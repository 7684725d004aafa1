"""Where functions of interest are used, and what becomes of their results."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Sequence as SequenceView

from msgspec import structs

from errlint.error_keywords import CONTENT_ARGUMENTS, ERROR_KEYS, FUNCTION_ARGUMENTS, HANDLER_KEYWORDS
from errlint.facts import (
    ANSWERED,
    CASTS,
    SUBSCRIPT,
    Call,
    Constant,
    Item,
    Mapping,
    Sequence,
    Text,
    Use,
    Value,
    handed_to,
    names_in,
    only,
)
from errlint.findings import Span
from errlint.index.annotations import named_class
from errlint.index.bindings import parameter_names, target_names
from errlint.index.effects import State
from errlint.index.expressions import dotted_name, given, inside, names_below, subscript_key

_REGISTRARS = frozenset({"add_prompt", "add_tool", "from_function", "prompt", "register_tool", "resource", "tool"})
"""Functions that register what they are handed."""

_GATHERERS = frozenset(
    {"append", "add", "extend", "insert", "put", "put_nowait", "setdefault", "update", "gather", "as_completed"}
)
"""Methods and functions whose argument becomes one of several results."""

_MAPPERS = frozenset({"map", "imap", "imap_unordered", "starmap", "map_async", "process_concurrently"})
"""Functions that call what they are handed once per item."""

_GOING_THROUGH = frozenset({"enumerate", "list", "reversed", "sorted", "tuple"})
"""Functions of which the result has the items of the argument."""

_DEFERRERS = frozenset({"submit", "delayed", "run_in_executor", "apply_async", "to_thread"})
"""Functions that call what they are handed once, later: one of several only in a loop."""


_TASKS = frozenset({"create_task", "ensure_future", "shield", "wait_for"})
"""Last parts of calls whose result comes to what the call comes to that they are handed."""

_VALUES = frozenset({Call, Constant, Item, Mapping, Sequence, Text})
"""What is no function, nor another name of one."""

_PLAIN = frozenset({"", "*", "**"})
"""What :func:`given` says of arguments without a name."""


class Tracker:
    """Follows the uses of names through the statements of one scope.

    A result held in a local name is what later statements make of that name: stored somewhere, or tested above a
    ``raise``. A local name that is handed on is no use of a function: what it holds came there by a use of its own.
    ``given`` are the names that have values from elsewhere: parameters.
    """

    def __init__(self, registrations: frozenset[str], given: frozenset[str] = frozenset()) -> None:
        self._registrations = registrations
        self._given = given
        self._uses: list[Use] = []
        self._held: dict[str, list[int]] = {}
        self._gone_through: dict[str, tuple[str, ...]] = {}  # what the names of loops are items of
        self._state: State = {}
        self._in_loop = False
        self._bound: dict[str, set[str]] = {}  # what local names are bound to, "" where that is no object of a class
        self._asked: set[str] = set()  # the names of which methods are called
        self._own: frozenset[str] = frozenset()  # the names of the lambdas and comprehensions around an expression

    def finish(self) -> tuple[Use, ...]:
        """Return the uses found, in the order of the text: one for all of a statement that are alike."""
        return tuple(sorted(dict.fromkeys(self._uses), key=lambda use: use.span))

    def objects(self, *, is_seen_below: bool) -> tuple[tuple[str, str], ...]:
        """Return the names that are bound to one thing, each with that, as :class:`errlint.facts.Function` has them.

        Those of which nothing is asked are left out, unless functions inside may do that: ``is_seen_below``.
        """
        made = {name: min(found) for name, found in self._bound.items() if len(found) == 1 and "" not in found}
        if not is_seen_below:
            wanted = [name for name in made if name in self._asked]
            for name in wanted:  # and what those are bound to
                root = made[name].partition(".")[0].removesuffix("()")
                if root in made and root not in wanted:
                    wanted.append(root)
            return tuple((name, made[name]) for name in wanted)
        return tuple(made.items())

    def _bind(self, target: ast.expr | None, values: Iterable[str]) -> None:
        """Note what an assignment binds a name to; any other target has parts of it."""
        if type(target) is ast.Name:
            self._bound.setdefault(target.id, set()).update(values)
        elif target is not None:
            for name in target_names(target):
                self._bound.setdefault(name, set()).add("")

    def statement(self, node: ast.stmt, state: State, span: Span, in_loop: bool = False) -> None:
        """Look at one statement: its own expressions, not the blocks below it."""
        self._state, self._in_loop = state, in_loop
        if type(node) is ast.Expr:
            self._expression(node.value, "called", span)
        elif type(node) is ast.Assign:
            for target in node.targets:
                self._assignment(target, node.value, span)
        elif type(node) is ast.Return:
            if node.value:
                self._expression(node.value, "returned", span)
        elif type(node) is ast.If:
            # Of `if found is None: raise` an error that is answered never comes to the raise.
            if any(type(inner) is ast.Raise for inner in node.body) and not _asks_for_absence(node.test):
                self._raised(node.test, span)
            else:
                self._expression(node.test, "called", span)
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
            if node.value:
                declared = named_class(node.annotation) if type(node) is ast.AnnAssign else ""
                self._assignment(node.target, node.value, span, f"{declared}()" if declared else "")
        elif type(node) is ast.While:
            self._expression(node.test, "called", span)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            self.loop(node)
            self._bind(node.target, ("",))
            self._expression(node.iter, "called", span)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                self._bind(item.optional_vars, _objects_of(item.context_expr))
                self._expression(item.context_expr, "called", span)
        elif type(node) is ast.Raise and node.exc is not None:
            self._raised(node.exc, span)

    def _raised(self, node: ast.expr, span: Span) -> None:
        """Look at what is raised, or at the condition for it."""
        for name in set(names_below(node)):
            self._mark(name, "raised")
        self._expression(node, "raised", span)

    def loop(self, node: ast.For | ast.AsyncFor | ast.comprehension) -> None:
        """Note what a loop goes through, by name: for those that register one thing after the other."""
        through = tuple(dict.fromkeys(self._items(node.iter)))
        if through:
            for name in names_below(node.target):
                self._gone_through[name] = through

    def _items(self, node: ast.expr) -> Iterator[str]:
        """Yield the names that stand in a display, or that of what holds them."""
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            for element in node.elts:
                yield from self._items(_unstarred(element))
        elif type(node) is ast.Dict:
            for value in node.values:
                yield from self._items(value)
        elif type(node) is ast.Call:
            handed = given(node)
            called = dotted_name(node.func)
            if type(node.func) is ast.Attribute and node.func.attr in ("values", "items"):
                yield from self._items(node.func.value)
            elif called in _GOING_THROUGH and handed:
                yield from self._items(handed[0][1])
            elif called in CASTS and len(handed) == 2:
                yield from self._items(handed[1][1])
            elif called:
                yield called + ANSWERED
        elif name := dotted_name(node):
            values = tuple(map(_uncast, self._values(name)))
            held = [item for value in values for item in names_in(value)]
            answered = [value.name + ANSWERED for value in values if type(value) is Call and value.name]
            yield from held or answered or (name,)

    def _assignment(self, target: ast.expr, value: ast.expr, span: Span, declared: str = "") -> None:
        self._bind(target, (declared,) if declared else _objects_of(value))
        if type(target) is ast.Name:
            first = len(self._uses)
            self._expression(value, "called", span)
            if len(self._uses) > first:
                self._held.setdefault(target.id, []).extend(range(first, len(self._uses)))
        else:
            self._expression(value, _destination(target), span)

    def _mark(self, name: str, how: str) -> None:
        """Note what becomes of the results that ``name`` can hold here."""
        if name not in self._held:
            return
        calls = self._reaching_calls(name)
        for index in self._held[name]:
            use = self._uses[index]
            reaches = calls is None or use.callee.rpartition(".")[2] in calls
            if reaches and use.how not in ("raised", "passed", "gathered"):
                self._uses[index] = structs.replace(use, how=how)

    def _reaching_calls(self, name: str) -> frozenset[str] | None:
        """Return the last names of the calls whose results ``name`` can hold, ``None`` when that is not known."""
        values = self._values(name)
        if not values or not all(type(value) is Call for value in values):
            return None
        calls = [value for value in values if type(value) is Call]
        if self._in_loop:  # one task of many; any other is a call that is waited for
            calls += [handed for each in calls if _last(each) in _TASKS for handed in _handed_calls(each)]
        return frozenset(map(_last, calls))

    def _is_local(self, name: str) -> bool:
        """Whether a name certainly stands for a value here, and for nothing that an import or a definition binds."""
        held = self._values(name)
        return all(type(value) in _VALUES for value in held) if held else name in self._given

    def _values(self, name: str) -> tuple[Value, ...]:
        """Return what a local name can hold here, nothing for any other name."""
        held = self._state.get(name)
        return held.values if held is not None else ()

    def _expression(self, node: ast.expr, how: str, span: Span) -> None:
        """Find uses in an expression whose own value is used as ``how`` says."""
        if type(node) is ast.Constant or type(node) is ast.YieldFrom:
            return  # what a generator delegates to is not followed
        if how == "field" and self._in_loop:
            how = "gathered"
        if type(node) is ast.Call:
            self._call(node, how, span)
        elif type(node) is ast.Name:
            if how in ("gathered", "field"):
                self._mark(node.id, how)
            self._reference(node, "", "called", span)
        elif type(node) is ast.Attribute:
            self._reference(node, "", "called", span)
            if type(node.value) is not ast.Name:
                self._expression(node.value, "called", span)
            elif how in ("gathered", "field") and node.attr.lower() in ERROR_KEYS:
                self._mark(node.value.id, "gathered")  # only its error goes on, beside the rest
        elif type(node) is ast.Subscript and type(node.value) is ast.Name and how == "gathered":
            if (subscript_key(node) or "").lower() in ERROR_KEYS:
                self._mark(node.value.id, "gathered")  # its error is one of several
            self._reference(node.value, "", "called", span)
            self._expression(node.slice, "called", span)
        elif type(node) in _READERS:
            _READERS[type(node)](self, node, how, span)
        else:
            for child in inside(node):
                if isinstance(child, ast.expr):
                    self._expression(child, "called", span)

    def _await(self, node: ast.Await, how: str, span: Span) -> None:
        if type(node.value) is ast.Call:
            self._call(node.value, how, span, is_awaited=True)
        else:
            self._expression(node.value, how, span)

    def _conditional(self, node: ast.IfExp, how: str, span: Span) -> None:
        self._expression(node.test, "called", span)
        self._expression(node.body, how, span)
        self._expression(node.orelse, how, span)

    def _boolean(self, node: ast.BoolOp, how: str, span: Span) -> None:
        for value in node.values:
            self._expression(value, how, span)

    def _tuple(self, node: ast.Tuple, how: str, span: Span) -> None:
        for element in node.elts:
            self._expression(_unstarred(element), how, span)

    def _list(self, node: ast.List | ast.Set, how: str, span: Span) -> None:
        # A list of one is still the answer; a list of several gathers parts.
        part = how if len(node.elts) == 1 else "gathered"
        for element in node.elts:
            self._expression(_unstarred(element), part, span)

    def _dict(self, node: ast.Dict, how: str, span: Span) -> None:
        part = "gathered" if how in ("field", "gathered") else "field"
        for key, value in zip(node.keys, node.values):  # noqa: B905 -- equal by construction
            self._expression(value, how if key is None else part, span)

    def _formatted(self, node: ast.JoinedStr, how: str, span: Span) -> None:
        # What a loop tells in a text that is one of several is so, too: all else that a text says of it is no answer.
        part = "gathered" if how == "gathered" and self._in_loop else "called"
        for value in node.values:
            if type(value) is ast.FormattedValue:
                self._expression(value.value, part, span)
                if value.format_spec is not None:
                    self._expression(value.format_spec, "called", span)

    def _named(self, node: ast.NamedExpr, how: str, span: Span) -> None:
        self._assignment(node.target, node.value, span)

    def _lambda(self, node: ast.Lambda, how: str, span: Span) -> None:
        around = self._own
        self._own = around.union(parameter_names(node.args))
        self._expression(node.body, "passed", span)
        self._own = around

    def _list_made(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, how: str, span: Span) -> None:
        self._comprehension(node.generators, (node.elt,), span)

    def _dict_made(self, node: ast.DictComp, how: str, span: Span) -> None:
        self._comprehension(node.generators, (node.key, node.value), span)

    def _comprehension(self, loops: SequenceView[ast.comprehension], made: Iterable[ast.expr], span: Span) -> None:
        """Look at what a comprehension goes through, and in the scope of its names at what it asks and makes."""
        around = self._own
        for each in loops:
            self.loop(each)
            self._expression(each.iter, "called", span)
            self._own = self._own.union(names_below(each.target))
            for test in each.ifs:
                self._expression(test, "called", span)
        for value in made:
            self._expression(value, "gathered", span)
        self._own = around

    def _call(self, node: ast.Call, how: str, span: Span, *, is_awaited: bool = False) -> None:
        name = dotted_name(node.func)
        last = name.rpartition(".")[2]
        is_own = name.partition(".")[0] in self._own
        if name and not (is_own and "." in name):
            if not is_own:
                self._uses.append(Use(name, span, how, is_awaited=is_awaited))
            root, dot, _ = name.partition(".")
            if dot:
                self._asked.add(root)
        else:
            # What `defer(function)` returns is called in place of the function.
            self._expression(node.func, how if type(node.func) is ast.Call else "called", span)
            last = ""
            if type(node.func) is ast.Attribute:
                last = node.func.attr
                made = maker(node.func.value)
                made = "" if made.partition(".")[0].removesuffix("()") in self._own else made
                self._uses.append(Use(f".{last}", span, how, "", is_awaited, made))
        receiver = self._maker(name) if name else _callee_of_callee(node.func)
        for keyword, value in given(node):
            if keyword in HANDLER_KEYWORDS:
                self._reference(value, f"{receiver}.{keyword}", how, span)
                continue
            is_named = keyword not in _PLAIN
            aside = is_named and keyword not in FUNCTION_ARGUMENTS
            if isinstance(value, (ast.Name, ast.Attribute)):
                if last in _GATHERERS and type(value) is ast.Name:
                    self._mark(value.id, "gathered")
                self._reference(value, "?" if aside and last in _REGISTRARS else receiver or "?", how, span)
            elif type(value) is ast.Dict and last == "update":
                self._expression(value, how, span)
            elif type(value) is ast.Subscript and not aside and receiver.rpartition(".")[2] in self._registrations:
                self._of_item(_root(value), receiver, span)
                self._expression(value, how, span)
            else:
                part = how
                if last in _GATHERERS or keyword == "*":
                    part = "gathered"
                elif how == "returned" and is_named and keyword not in CONTENT_ARGUMENTS:
                    part = "field"
                self._expression(value, part, span)
                if type(value) is ast.Call and receiver.rpartition(".")[2] in self._registrations and not aside:
                    self._wrapped(value, receiver, span)

    def _wrapped(self, node: ast.Call, receiver: str, span: Span) -> None:
        """Note what a call is handed whose result is registered: ``server.add_tool(timed(function))``."""
        if _callee_of_callee(node).rpartition(".")[2] in self._registrations:
            return
        for keyword, value in given(node):
            if keyword not in _PLAIN and FUNCTION_ARGUMENTS.isdisjoint(keyword.split("_")):
                continue
            if type(value) is ast.Call:
                self._wrapped(value, receiver, span)
            elif name := dotted_name(value):
                self._registered(name, receiver, span)

    def _registered(self, name: str, receiver: str, span: Span) -> None:
        """Note that what a name stands for is registered: each item of a loop, or what a call around it was handed."""
        handed = tuple(dict.fromkeys(item for value in self._values(name) for item in handed_to(value)))
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
        made = {value.name.removeprefix(SUBSCRIPT) if type(value) is Call else "" for value in self._values(name)}
        return made.pop() or name if len(made) == 1 else name

    def _reference(self, node: ast.expr, receiver: str, how: str, span: Span) -> None:
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
        elif self._is_local(name):
            plain = ()
        for each in filter(None, self._gone_through.get(name, plain)):
            self._uses.append(Use(each, span, how, receiver))


def _last(call: Call) -> str:
    return call.name.rpartition(".")[2]


def _handed_calls(call: Call) -> list[Call]:
    """Return the calls that another one is handed the results of."""
    return [value for value in (only(each.value) for each in call.arguments) if type(value) is Call]


def _destination(target: ast.expr) -> str:
    """Say what a value becomes that is assigned to something other than a plain name."""
    if type(target) is ast.Attribute:
        return "field"
    if type(target) is ast.Subscript:
        nested = type(target.value) is ast.Subscript
        return "gathered" if nested or subscript_key(target) is None else "field"
    return "called"


def _root(node: ast.expr) -> str:
    """Return the name with which an attribute or an item begins: ``tool`` of ``tool["handler"]``."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return dotted_name(node)


def _uncast(value: Value) -> Value:
    """Return what a cast answers, any other value as it is."""
    is_cast = type(value) is Call and value.name in CASTS and len(value.arguments) == 2
    return value.arguments[1].value if type(value) is Call and is_cast else value


def _callee_of_callee(node: ast.expr) -> str:
    """Return the name behind ``name(...)(argument)``."""
    while type(node) is ast.Call:
        node = node.func
    return dotted_name(node)


def maker(node: ast.expr) -> str:
    """Return a call as :attr:`errlint.facts.Function.objects` has it, awaited or not; "" for anything else."""
    node = _unawaited(node)
    name = dotted_name(node.func) if type(node) is ast.Call else ""
    return f"{name}()" if name else ""


def _unawaited(node: ast.expr) -> ast.expr:
    return node.value if type(node) is ast.Await else node


def _objects_of(value: ast.expr) -> Iterator[str]:
    """Yield what a value may be an object of: ``Shop()`` for a call of that name, names as they are, "" for the rest.

    ``None`` is no object of which anybody calls a method.
    """
    value = _unawaited(value)
    if type(value) is ast.BoolOp:
        for item in value.values:
            yield from _objects_of(item)
    elif type(value) is ast.IfExp:
        yield from _objects_of(value.body)
        yield from _objects_of(value.orelse)
    elif type(value) is ast.Call:
        is_cast = dotted_name(value.func) in CASTS and len(value.args) == 2
        cast_to = dotted_name(value.args[0]) if is_cast else ""
        yield f"{cast_to}()" if cast_to else maker(value)
    elif type(value) is not ast.Constant or value.value is not None:
        yield dotted_name(value)


def _asks_for_absence(test: ast.expr) -> bool:
    """Whether a condition only asks whether something is there: ``not found``, ``found is None``, several of these."""
    if type(test) is ast.BoolOp:
        return all(map(_asks_for_absence, test.values))
    if type(test) is ast.UnaryOp and type(test.op) is ast.Not:
        return isinstance(test.operand, (ast.Name, ast.Await, ast.Call, ast.NamedExpr))
    if type(test) is not ast.Compare or len(test.ops) != 1 or not isinstance(test.ops[0], (ast.Is, ast.Eq)):
        return False
    other = test.comparators[0]
    return type(other) is ast.Constant and other.value is None


def _unstarred(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Starred) else node


_READERS: dict[type[ast.expr], Callable[..., None]] = {
    ast.JoinedStr: Tracker._formatted,
    ast.Await: Tracker._await,
    ast.IfExp: Tracker._conditional,
    ast.BoolOp: Tracker._boolean,
    ast.Tuple: Tracker._tuple,
    ast.List: Tracker._list,
    ast.Set: Tracker._list,
    ast.Dict: Tracker._dict,
    ast.NamedExpr: Tracker._named,
    ast.Lambda: Tracker._lambda,
    ast.ListComp: Tracker._list_made,
    ast.SetComp: Tracker._list_made,
    ast.GeneratorExp: Tracker._list_made,
    ast.DictComp: Tracker._dict_made,
}
"""The expressions whose parts are used in different ways."""
