"""From the tree of a file to :class:`errlint.facts.Module`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import structs

from errlint.error_keywords import STATUS_ATTRIBUTE, describes_tool
from errlint.facts import (
    Argument,
    Assigned,
    Call,
    Called,
    Catch,
    Class,
    Condition,
    DictEntry,
    Function,
    Handler,
    Inspection,
    Item,
    Module,
    Opaque,
    Parameter,
    Precaution,
    Raise,
    Ref,
    Return,
    StoredDict,
    Swallow,
    Text,
    Try,
    Unbound,
    Unread,
    Value,
)
from errlint.facts import Mapping as Dict
from errlint.findings import Span
from errlint.index.annotations import named_class
from errlint.index.bindings import TRY, FunctionNode, WalrusLines, assigned, parameter_names, parameters, targets_of
from errlint.index.block_successors import After, after
from errlint.index.bound import Bindings
from errlint.index.branches import branches
from errlint.index.cases import Cases, table
from errlint.index.catching import exception_names, suppressed
from errlint.index.comparisons import Comparisons
from errlint.index.deferred import deferred
from errlint.index.effects import State
from errlint.index.expressions import OPAQUE, convert, dotted_name, self_alias, subscript_key
from errlint.index.flow import Flow
from errlint.index.forward import Block
from errlint.index.gathered import filtered, gathers
from errlint.index.inspections import inspections as find_inspections
from errlint.index.modes import arms, declarations, distinctions, reads
from errlint.index.parameter_tests import ParameterTests
from errlint.index.precautions import precaution
from errlint.index.rebound import rebound
from errlint.index.records import Recorded, Recorder, speaking
from errlint.index.spans import Spans
from errlint.index.statements import blocks, everywhere
from errlint.index.swallows import swallows
from errlint.index.unbound import unbound
from errlint.index.unreached import unreached
from errlint.index.unread import Reads, unread
from errlint.index.uses import Tracker
from errlint.index.vocabulary import Vocabulary, matcher
from errlint.index.ways_of_exceptions import ways_of_exceptions
from errlint.source import Lines

_YIELDS = (ast.Yield, ast.YieldFrom)


class Collector:
    """Collects the facts of one module."""

    def __init__(self, lines: Lines, vocabulary: Vocabulary, walruses: WalrusLines) -> None:
        self._lines = lines
        self._spans = Spans(lines)
        self._bindings = Bindings(walruses)
        self._vocabulary = vocabulary
        self._registrations = frozenset(vocabulary.registrations)
        self._calls = vocabulary.calls
        self._is_called = matcher(vocabulary.calls)
        self._is_deferring = matcher(vocabulary.deferring)
        self._is_guarded = matcher(vocabulary.guarded)
        self._is_check = matcher(vocabulary.checks)
        self._cases = tuple(text.encode() for text in vocabulary.cases)
        self._renamed: dict[str, str] = {}  # by the names that imports give with `as`: the names before
        self._builders: frozenset[str] = frozenset()
        self._functions: list[Function] = []
        self._classes: list[Class] = []
        self._assigned: list[Assigned] = []
        self._tables: list[StoredDict] = []

    def collect(self, tree: ast.Module) -> Module:
        """Return the facts of the module."""
        nodes = list(_toplevel(tree.body))
        tracker = Tracker(self._registrations)
        state: State = {}
        if self._vocabulary.records:
            self._builders = speaking(tree.body, self._vocabulary.records)
        if self._vocabulary.guarded:
            imports = (node for node in nodes if isinstance(node, ast.ImportFrom))
            self._renamed = {item.asname: item.name for node in imports for item in node.names if item.asname}
        for node in nodes:
            if isinstance(node, FunctionNode):
                self._function(node, "", "")
            elif isinstance(node, ast.ClassDef):
                self._class(node, "", tracker)
            elif isinstance(node, (ast.For, ast.AsyncFor)):
                tracker.loop(node)
            else:
                self._assignments(node)
                self._table(node, {}, "")
                tracker.statement(node, state, self._spans.of(node))
        has_distinctions = self._vocabulary.modes or self._vocabulary.settings
        return Module(
            tuple(sorted(self._functions, key=lambda function: function.span)),
            tuple(sorted(self._classes, key=lambda definition: definition.span)),
            (),
            tuple(self._assigned),
            tracker.finish(),
            rebound=tuple(rebound(tree.body, self._spans)) if self._vocabulary.rebound else (),
            distinctions=tuple(declarations(nodes, everywhere(tree.body), self._spans, self._vocabulary.settings))
            if has_distinctions
            else (),
            tables=tuple(self._tables),
            script=self._script(tree.body) if self._vocabulary.records else None,
            unreached=tuple(unreached(tree)),
        )

    def _script(self, body: Block) -> Function | None:
        """Return what the module does itself, ``None`` where it reports nothing."""
        calls: list[Called] = []
        recorder = Recorder(self._vocabulary.records, self._vocabulary.terms, self._builders, self._spans)
        followers = after(body)

        def on_statement(statement: ast.stmt, state: State, handlers: tuple[Handler, ...]) -> None:
            if not isinstance(statement, (*FunctionNode, ast.ClassDef)):
                found = self._calls_of(statement, state, handlers, flow.tries, self._is_called)
                calls.extend(_placed(called, statement, followers) for called in found)
                recorder.statement(statement, state, handlers)

        flow = Flow(on_statement, self._spans)
        flow.walk(body)
        found = recorder.finish(body)
        if not any(found) and all(called.how == "entered" for called in calls):
            return None
        body_of_module = Function("", Span(1, 1, 1, 1), "", False, False, (), (), (), (), flow.ends, calls=tuple(calls))
        return structs.replace(body_of_module, **found._asdict())

    def _table(self, node: ast.stmt, state: State, scope: str) -> None:
        if self._vocabulary.cases:
            self._tables.extend(table(node, state, self._spans.of(node), scope))

    def _assignments(self, node: ast.stmt) -> None:
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            value, span = convert(node.value, {}) if node.value else OPAQUE, self._spans.of(node)
            targets = (target for target in targets_of(node) if isinstance(target, ast.Name))
            self._assigned.extend(Assigned(target.id, value, span) for target in targets)

    def _class(self, node: ast.ClassDef, prefix: str, tracker: Tracker) -> None:
        name = prefix + node.name
        members: list[DictEntry] = []
        places: list[Span] = []
        unset: list[str] = []
        of_class: list[tuple[str, str]] = []
        for inner in _toplevel(node.body):
            if isinstance(inner, FunctionNode):
                self._function(inner, name + ".", name)
                members.append(DictEntry(inner.name, OPAQUE))
            elif isinstance(inner, ast.ClassDef):
                self._class(inner, name + ".", tracker)
            else:
                if isinstance(inner, (ast.Assign, ast.AnnAssign)):
                    value = convert(inner.value, {}) if inner.value else OPAQUE
                    names = [target.id for target in targets_of(inner) if isinstance(target, ast.Name)]
                    members.extend(DictEntry(each, value) for each in names)
                    unset.extend(names if inner.value is None else ())
                    if isinstance(inner, ast.AnnAssign) and (named := named_class(inner.annotation)):
                        of_class.extend((each, named) for each in names)
                self._table(inner, {}, name)
                tracker.statement(inner, {}, self._spans.of(inner))
            places.extend([self._spans.of(inner)] * (len(members) - len(places)))
        bases, decorated = tuple(_bases(node)), tuple(decorators(node))
        self._classes.append(
            Class(
                name,
                self._spans.of(node),
                bases,
                decorated,
                tuple(members),
                tuple(places),
                (),
                tuple(unset),
                tuple(of_class),
            )
        )

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, prefix: str, owner: str) -> None:
        name = prefix + node.name
        returns: list[Return] = []
        raises: list[Raise] = []
        reraises: list[Raise] = []
        tries: list[tuple[ast.Try | ast.With | ast.AsyncWith, bool]] = []
        calls: list[Called] = []
        inspections: list[Inspection] = []
        stores: list[tuple[DictEntry, bool]] = []
        dropped: list[Unread] = []
        selves: list[str] = []
        tracker = Tracker(self._registrations, _never_bound(node, self._bindings))
        generator = has_gathered = is_left_bare = sets_status = has_inner = False
        has_cases = self._has_cases(node)
        has_modes = bool(self._vocabulary.modes or self._vocabulary.settings)
        is_constructor = bool(owner) and node.name == "__init__"
        always_run = {id(each) for each in node.body} if is_constructor else set()
        followers: After | None = None
        read_of_names = Reads(node)
        states: dict[int, State] = {}
        comparisons = Comparisons()
        parameter_tests = ParameterTests([item.arg for item in parameters(node.args)], self._spans)
        origins: list[tuple[frozenset[Span], ...]] = []
        recorder: Recorder | None = None
        if self._vocabulary.records:
            recorder = Recorder(self._vocabulary.records, self._vocabulary.terms, self._builders, self._spans)
        is_wanted = self._is_called
        is_boundary = not self._vocabulary.boundaries.isdisjoint(name.split("."))
        if is_boundary:
            is_wanted = _any_name
        elif is_constructor:
            is_wanted = _or_constructor(self._is_called)

        def on_statement(statement: ast.stmt, state: State, handlers: tuple[Handler, ...]) -> None:
            nonlocal followers, generator, has_gathered, is_left_bare, sets_status, has_inner
            if isinstance(statement, FunctionNode):
                has_inner = True
                self._function(statement, name + ".", "")
                return
            if isinstance(statement, ast.ClassDef):
                has_inner = True
                self._class(statement, name + ".", tracker)
                return
            span = self._spans.of(statement)
            if has_cases:
                comparisons.statement(statement, state, span, handlers)
                states[id(statement)] = state
                self._table(statement, state, name)
            if type(statement) is ast.If:
                flow.keeps_origins |= parameter_tests.statement(statement, state)
            elif isinstance(statement, ast.Return):
                if statement.value is not None:
                    value = convert(statement.value, state)
                    origins.append(parameter_tests.chosen(statement.value, state) or flow.origins(value))
                    returns.append(Return(span, value, False, handlers, flow.filled(value)))
                else:
                    is_left_bare = True
            elif isinstance(statement, (ast.Expr, ast.Assign)) and isinstance(statement.value, _YIELDS):
                generator = True
                yielded = statement.value
                if isinstance(statement, ast.Expr) and isinstance(yielded, ast.Yield) and yielded.value is not None:
                    origins.append(())
                    returns.append(Return(span, convert(yielded.value, state), True, handlers))
            elif isinstance(statement, ast.Raise):
                if statement.exc is None:
                    reraises.append(Raise(span, OPAQUE, None, handlers, flow.tries))
                else:
                    cause = convert(statement.cause, state) if statement.cause else None
                    raises.append(Raise(span, convert(statement.exc, state), cause, handlers, flow.tries))
            elif isinstance(statement, TRY) or (
                isinstance(statement, (ast.With, ast.AsyncWith)) and suppressed(statement) is not None
            ):
                tries.append((statement, flow.in_loop))
            if alias := self_alias(statement):
                selves.append(alias)
            has_gathered = has_gathered or (self._vocabulary.swallows and gathers(statement))
            sets_status = sets_status or _sets_status(statement)
            if is_constructor:
                replaced = _replaced(statement) if id(statement) in always_run else set()
                stores.extend((entry, entry.key in replaced) for entry in _stored(statement, state))
            for called in self._calls_of(statement, state, handlers, flow.tries, is_wanted):
                if self._calls and called.how != "entered":
                    followers = followers or after(node.body)
                    called = _placed(called, statement, followers)
                calls.append(called)
            if self._vocabulary.inspections:
                inspections.extend(find_inspections(statement, state, span))
            if self._vocabulary.unread:
                found = unread(statement, read_of_names)
                if found is not None:
                    callee, word, parts = found
                    dropped.append(Unread(span, callee, word, bool(handlers), parts))
            tracker.statement(statement, state, span, flow.in_loop)
            if recorder is not None:
                recorder.statement(statement, state, handlers)

        flow = Flow(on_statement, self._spans, [item.arg for item in parameters(node.args)])
        flow.walk(node.body)
        if told := parameter_tests.found(node.body):
            returns = [_with_asked(found, told, of) for found, of in zip(returns, origins, strict=True)]
        recorded = recorder.finish(node.body) if recorder is not None else Recorded((), (), (), (), ())
        has_swallows = self._vocabulary.swallows and bool(tries or has_gathered)
        decorations = tuple(self._decoration(item) for item in node.decorator_list)
        self._functions.append(
            Function(
                name,
                self._spans.of(node),
                owner,
                isinstance(node, ast.AsyncFunctionDef),
                generator,
                tuple(_parameters(node.args)),
                tuple(decorators(node)),
                tuple(returns),
                tracker.finish(),
                flow.ends or is_left_bare,
                decorations if any(type(item) is not Opaque for item in decorations) else (),
                tuple(raises),
                tuple(self._try(item, flow.exits, looped) for item, looped in tries),
                tuple(calls),
                tuple(inspections),
                _left(stores),
                tuple(self._unbound(node, tries)) if tries and self._vocabulary.handlers else (),
                tuple(self._swallows(node, has_gathered)) if has_swallows else (),
                tuple(dropped),
                tuple(branches(node, self._spans)) if self._vocabulary.branches else (),
                tuple(deferred(node, self._is_deferring, self._spans)) if self._vocabulary.deferring else (),
                tuple(distinctions(node, self._spans, self._vocabulary.settings)) if has_modes else (),
                self._precaution(node) if self._vocabulary.guarded else None,
                ways_of_exceptions(node, self._spans) if is_boundary else (),
                Cases(states, self._spans).of(node) if has_cases else (),
                recorded.records,
                recorded.told,
                recorded.compared,
                tuple(reraises),
                tuple(arms(node, self._spans)) if self._vocabulary.modes else (),
                tuple(dict.fromkeys(reads(node, self._vocabulary.settings))) if has_modes else (),
                tuple(dict.fromkeys(selves)),
                recorded.looked,
                recorded.rounds,
                tuple(comparisons.found),
                sets_status,
                tuple(flow.begun),
                named_class(node.returns),
                tracker.objects(is_seen_below=has_inner),
            )
        )

    def _has_cases(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """Whether one of the texts stands in a function."""
        if not self._cases:
            return False
        assert node.end_lineno is not None
        first = min((each.lineno for each in node.decorator_list), default=node.lineno)
        text = self._lines.data[
            self._lines.offset(first, 0) : self._lines.offset(node.end_lineno, node.end_col_offset or 0)
        ]
        return any(needle in text for needle in self._cases)

    def _unbound(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, tries: Iterable[tuple[ast.stmt, bool]]
    ) -> Iterator[Unbound]:
        for found in unbound(node, (statement for statement, _ in tries), self._bindings):
            yield Unbound(self._spans.of(found.statement), found.name, self._spans.of(found.binder))

    def _swallows(self, node: ast.FunctionDef | ast.AsyncFunctionDef, has_gathered: bool) -> Iterator[Swallow]:
        yield from swallows(node, self._spans)
        for statement in filtered(node.body) if has_gathered else ():
            yield Swallow(self._spans.of(statement), (), "filtered", None, "", "", ())

    def _precaution(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Precaution | None:
        def is_check(name: str) -> bool:
            return self._is_check(self._renamed.get(name, name))

        def is_guarded(name: str) -> bool:
            return self._is_guarded(self._renamed.get(name, name))

        return precaution(node, is_check, is_guarded, self._spans)

    def _try(
        self, node: ast.Try | ast.With | ast.AsyncWith, exits: Mapping[int, tuple[str, ...]], in_loop: bool
    ) -> Try:
        span = self._spans.of(node)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            return Try(span, (Catch(suppressed(node) or (), "", span, ("end",)),), (), in_loop)
        catches = tuple(
            Catch(exception_names(each), each.name or "", self._spans.of(each), exits.get(id(each), ()))
            for each in node.handlers
        )
        left = exits.get(id(node.finalbody), ()) if node.finalbody else ()
        return Try(span, catches, tuple(how for how in left if how != "end"), in_loop)

    def _decoration(self, node: ast.expr) -> Value:
        wanted = dotted_name(node.func if isinstance(node, ast.Call) else node).rpartition(".")[2]
        is_described = isinstance(node, ast.Call) and describes_tool([item.arg for item in node.keywords])
        return convert(node, {}) if is_described or self._vocabulary.reads(wanted) else OPAQUE

    def _calls_of(
        self,
        statement: ast.stmt,
        state: State,
        handlers: tuple[Handler, ...],
        tries: tuple[Span, ...],
        is_wanted: Callable[[str], bool],
    ) -> Iterator[Called]:
        """Yield the calls that a statement enters, is, or takes the result of, whose names the policy asks about."""
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            for call, target in _context_calls(statement) if self._calls else ():
                context = convert(call, state)
                if type(context) is Call and self._is_called(context.name.rpartition(".")[2]):
                    yield Called(self._spans.of(statement), context, "entered", target, False, handlers, tries)
        elif called := self._called(statement, state, handlers, tries, is_wanted):
            yield called

    def _called(
        self,
        statement: ast.stmt,
        state: State,
        handlers: tuple[Handler, ...],
        tries: tuple[Span, ...],
        is_wanted: Callable[[str], bool],
    ) -> Called | None:
        """Return the call that a statement is, or takes the result of, when its last name is wanted."""
        value = getattr(statement, "value", None)
        is_awaited = isinstance(value, ast.Await)
        call = value.value if isinstance(value, ast.Await) else value
        if type(call) is not ast.Call:
            return None
        function = call.func
        last = function.attr if isinstance(function, ast.Attribute) else dotted_name(function)
        if not is_wanted(last):
            return None
        found = convert(call, state)
        if type(found) is Item and self._is_called(last):
            # The policy says that this `get` is no look into a mapping.
            found = Call(dotted_name(function), (Argument("", Text((found.key,))),))
        if type(found) is not Call:
            return None
        target = ""
        how = "returned" if isinstance(statement, ast.Return) else "expression"
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            how = "assigned"
            target = dotted_name(targets_of(statement)[0])
        return Called(self._spans.of(statement), found, how, target, is_awaited, handlers, tries)


def _never_bound(node: ast.FunctionDef | ast.AsyncFunctionDef, bindings: Bindings) -> frozenset[str]:
    """Return the parameters of a function to which it binds nothing else."""
    return frozenset(parameter_names(node.args)) - bindings.below(node.body)


def _context_calls(node: ast.With | ast.AsyncWith) -> Iterator[tuple[ast.Call, str]]:
    """Yield the calls in the header of a ``with``, each with the name its result is bound to."""
    for item in node.items:
        if isinstance(item.context_expr, ast.Call):
            yield item.context_expr, dotted_name(item.optional_vars)


def _placed(called: Called, statement: ast.stmt, followers: After) -> Called:
    """Return a call with what comes after its statement."""
    return structs.replace(
        called, raises_next=id(statement) in followers.raising, goes_on=id(statement) in followers.going_on
    )


def _with_asked(
    found: Return, told: Mapping[Span, tuple[Condition, ...]], origins: tuple[frozenset[Span], ...]
) -> Return:
    """Return a return with what holds there and where its values come from, which is ``told`` by place."""
    held = tuple(tuple(item for span in sorted(spans) for item in told.get(span, ())) for spans in origins)
    return structs.replace(found, asked=told.get(found.span, ()), held=held if any(held) else ())


def _any_name(_: str) -> bool:
    return True


def _or_constructor(is_wanted: Callable[[str], bool]) -> Callable[[str], bool]:
    return lambda name: name == "__init__" or is_wanted(name)


def _stored(statement: ast.stmt, state: State) -> Iterator[DictEntry]:
    """Yield what a statement of a constructor stores in attributes of its object, or adds to a dict in one."""
    if isinstance(statement, ast.Expr):
        updated = _updated(statement.value, state)
        if updated is not None:
            yield updated
        return
    for target, value in assigned(statement):
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            yield DictEntry(target.attr, convert(value, state))
        elif isinstance(target, ast.Subscript) and (name := _own_attribute(target.value)):
            added = DictEntry(subscript_key(target), convert(value, state))
            yield DictEntry(name, Dict((added,), (Ref(dotted_name(target.value)),)))


def _replaced(statement: ast.stmt) -> set[str]:
    """Return the attributes of its object that a statement of a constructor gives a value without what was there."""
    return {
        target.attr
        for target, value in assigned(statement)
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
        if all(not isinstance(each, ast.Attribute) or each.attr != target.attr for each in ast.walk(value))
    }


def _left(stores: Iterable[tuple[DictEntry, bool]]) -> tuple[DictEntry, ...]:
    """Return what is left of what a constructor stores, given with whether it takes the place of all before it."""
    left: list[DictEntry] = []
    replaced: set[str | None] = set()
    for entry, is_alone in reversed([*stores]):
        if entry.key not in replaced:
            left.append(entry)
        if is_alone:
            replaced.add(entry.key)
    return tuple(reversed(left))


def _updated(node: ast.expr, state: State) -> DictEntry | None:
    """Return what ``self.context.update(path=path)`` stores: the dict there was, with more."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "update":
        return None
    name = _own_attribute(node.func.value)
    made = convert(node, state)
    if not name or type(made) is not Call:
        return None
    added = tuple(DictEntry(item.name, item.value) for item in made.arguments if item.name not in ("", "*", "**"))
    spreads = (item.value for item in made.arguments if item.name in ("", "*", "**"))
    return DictEntry(name, Dict(added, (Ref(dotted_name(node.func.value)), *spreads)))


def _own_attribute(node: ast.expr) -> str:
    """Return the name of an attribute of a plain name, "" for anything else."""
    return node.attr if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) else ""


def _toplevel(body: Block) -> Iterator[ast.stmt]:
    """Yield the statements of a module or class body, also those below ``if``, ``try``, ``with`` and loops.

    A ``for`` comes before what is below it.
    """
    for node in body:
        inner = () if isinstance(node, (*FunctionNode, ast.ClassDef)) else tuple(blocks(node))
        if not inner or isinstance(node, (ast.For, ast.AsyncFor)):
            yield node
        for block in inner:
            yield from _toplevel(block)


def decorators(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Iterator[str]:
    """Yield the dotted names of the decorators, with or without a call."""
    for decorator in node.decorator_list:
        expression = decorator
        while isinstance(expression, ast.Call):
            expression = expression.func
        yield dotted_name(expression) or "?"


def _bases(node: ast.ClassDef) -> Iterator[str]:
    for item in node.bases:
        base = item.value if isinstance(item, ast.Starred) else item
        while isinstance(base, (ast.Subscript, ast.Call)):
            base = base.value if isinstance(base, ast.Subscript) else base.func
        yield dotted_name(base) or "?"


def _sets_status(statement: ast.stmt) -> bool:
    """Whether a statement sets the status of a response."""
    return isinstance(statement, ast.Assign) and any(
        isinstance(target, ast.Attribute) and target.attr == STATUS_ATTRIBUTE for target in statement.targets
    )


def _parameters(taken: ast.arguments) -> Iterator[Parameter]:
    in_order = [*taken.posonlyargs, *taken.args]
    defaults = [*[None] * (len(in_order) - len(taken.defaults)), *taken.defaults]
    for item, default in zip(in_order, defaults):  # noqa: B905 -- equal by construction
        yield Parameter(item.arg, "", _default(default), named_class(item.annotation))
    if taken.vararg is not None:
        yield Parameter(taken.vararg.arg, "*", None)
    for item, default in zip(taken.kwonlyargs, taken.kw_defaults):  # noqa: B905 -- equal by construction
        yield Parameter(item.arg, "kw", _default(default), named_class(item.annotation))
    if taken.kwarg is not None:
        yield Parameter(taken.kwarg.arg, "**", None)


def _default(node: ast.expr | None) -> Value | None:
    """Return the default of a parameter where it is a name, a number or a text."""
    if node is None:
        return None
    return convert(node, {}) if isinstance(node, (ast.Name, ast.Attribute, ast.Constant, ast.UnaryOp)) else OPAQUE
