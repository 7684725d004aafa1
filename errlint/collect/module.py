"""From a LibCST module (a skeleton or a whole file) to :class:`errlint.facts.Module`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import libcst as cst
from msgspec import structs

from errlint.collect.after import After, after
from errlint.collect.branches import branches
from errlint.collect.cases import Cases, table
from errlint.collect.comparisons import Comparisons
from errlint.collect.deferred import deferred
from errlint.collect.expressions import OPAQUE, convert, dotted_name, self_alias, subscript_key
from errlint.collect.flow import Flow, State, Statement, exception_names, suppressed
from errlint.collect.gathered import filtered, gathers
from errlint.collect.inspections import inspections as find_inspections
from errlint.collect.modes import arms, declarations, distinctions, reads
from errlint.collect.precautions import precaution
from errlint.collect.rebound import rebound
from errlint.collect.records import Recorded, Recorder, speaking
from errlint.collect.swallows import swallows
from errlint.collect.unbound import unbound
from errlint.collect.unread import unread
from errlint.collect.uses import Tracker
from errlint.collect.ways_of_exceptions import ways_of_exceptions
from errlint.facts import (
    Argument,
    Assigned,
    Call,
    Called,
    Catch,
    Class,
    Entry,
    Function,
    Handler,
    Import,
    Inspection,
    Item,
    Module,
    Opaque,
    Parameter,
    Precaution,
    Raise,
    Ref,
    Return,
    Swallow,
    Table,
    Text,
    Try,
    Unbound,
    Unread,
    Value,
)
from errlint.facts import Mapping as Dict
from errlint.findings import Span
from errlint.gate.vocabulary import Vocabulary, matcher
from errlint.gate.write import DEFAULT_LENGTH
from errlint.words import STATUS_ATTRIBUTE

Suite = cst.BaseSuite | cst.Module


Placed = Statement | cst.ExceptHandler | cst.ExceptStarHandler
"""What has a place of its own."""


def statements(body: Suite) -> Iterator[Placed]:
    """Yield every statement and handler below a module or block in document order, compound ones before their parts."""
    for line in body.body:
        if type(line) is cst.SimpleStatementLine:
            yield from line.body
        elif isinstance(line, cst.BaseSmallStatement):
            yield line
        else:
            yield from _compound(line)


def _compound(node: cst.CSTNode) -> Iterator[Placed]:
    current: cst.CSTNode | None = node
    while current is not None:
        following: cst.CSTNode | None = None
        if isinstance(current, cst.BaseCompoundStatement):
            yield current
        for handler, block in _blocks(current):
            if handler is not None:
                yield handler
            yield from statements(block)
        if type(current) is cst.If:
            following = current.orelse
        current = following


def _blocks(node: cst.CSTNode) -> Iterator[tuple[cst.ExceptHandler | cst.ExceptStarHandler | None, cst.BaseSuite]]:
    """Yield the blocks of a compound statement, each with the handler whose it is."""
    if type(node) is cst.Match:
        for case in node.cases:
            yield None, case.body
        return
    body = getattr(node, "body", None)
    if isinstance(body, cst.BaseSuite):
        yield None, body
    for handler in getattr(node, "handlers", ()):
        yield handler, handler.body
    if type(node) is not cst.If:
        orelse = getattr(node, "orelse", None)
        if orelse is not None:
            yield None, orelse.body
    finalbody = getattr(node, "finalbody", None)
    if finalbody is not None:
        yield None, finalbody.body


def last_of_header(node: Placed) -> cst.CSTNode | None:
    """Return the last expression in the header of a compound statement, or the name of a definition."""
    if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        return node.name
    if isinstance(node, (cst.If, cst.While)):
        return node.test
    if type(node) is cst.For:
        return node.iter
    if type(node) is cst.With:
        item = node.items[-1]
        return item.asname.name if item.asname else item.item
    return node.subject if type(node) is cst.Match else None


class Collector:
    """Collects the facts of one module.

    ``spans`` tells where each statement stands; uses are collected of ``names`` and of whatever is handed to a call
    whose name ends in a registration of the vocabulary. ``using`` are the functions (by ``id``, as ``spans``) that may
    have such a use, ``flows`` those with all that decides about the way through them, ``tries`` the ``try`` statements
    with all that decides about names in their handlers, ``again`` the names that the module may bind more than once,
    ``swallowing`` the ``try`` statements that may swallow, ``dropping`` the statements that may drop a result,
    ``branching`` the ``try`` statements with a condition on the text of an exception; ``None`` stands for all. With
    ``is_script`` there is all that the module does itself.
    """

    def __init__(
        self,
        spans: Mapping[int, Span],
        names: frozenset[str],
        vocabulary: Vocabulary,
        using: frozenset[int] | None = None,
        flows: frozenset[int] | None = None,
        tries: frozenset[int] | None = None,
        again: frozenset[str] | None = None,
        swallowing: frozenset[int] | None = None,
        dropping: frozenset[int] | None = None,
        branching: frozenset[int] | None = None,
        is_script: bool = True,
    ) -> None:
        self._spans = spans
        self._names = names
        self._vocabulary = vocabulary
        self._registrations = frozenset(vocabulary.registrations)
        self._calls = vocabulary.calls
        self._is_called = matcher(vocabulary.calls)
        self._is_deferring = matcher(vocabulary.deferring)
        self._is_guarded = matcher(vocabulary.guarded)
        self._is_check = matcher(vocabulary.checks)
        self._using = using
        self._flows = flows
        self._tries = tries
        self._again = again
        self._swallowing = swallowing
        self._dropping = dropping
        self._branching = branching
        self._is_script = is_script
        self._builders: frozenset[str] = frozenset()
        self._functions: list[Function] = []
        self._classes: list[Class] = []
        self._assigned: list[Assigned] = []
        self._tables: list[Table] = []

    def collect(self, module: cst.Module) -> Module:
        """Return the facts of the module."""
        nodes = list(_toplevel(module))
        covered = self._names
        inner = (node for node in statements(module) if isinstance(node, (cst.Import, cst.ImportFrom)))
        self._names |= frozenset(_aliases((*nodes, *inner), covered)) if covered else frozenset()
        tracker = Tracker(self._names, self._registrations)
        state: State = {}
        if self._vocabulary.records:
            self._builders = speaking(module, self._vocabulary.records)
        for node in nodes:
            if type(node) is cst.FunctionDef:
                self._function(node, "", "")
            elif type(node) is cst.ClassDef:
                self._class(node, "", tracker)
            elif type(node) is cst.For:
                tracker.loop(node)
            else:
                self._assignments(node)
                self._table(node, {}, "")
                tracker.statement(node, state, self._spans[id(node)])
        return Module(
            tuple(sorted(self._functions, key=lambda function: function.span)),
            tuple(sorted(self._classes, key=lambda definition: definition.span)),
            (),
            tuple(self._assigned),
            tracker.finish(),
            covered=tuple(sorted(covered)),
            rebound=tuple(rebound(module, self._again, self._spans)) if self._vocabulary.rebound else (),
            distinctions=tuple(declarations(nodes, statements(module), self._spans, self._vocabulary.settings))
            if self._vocabulary.modes or self._vocabulary.settings
            else (),
            tables=tuple(self._tables),
            script=self._script(module) if self._is_script and self._vocabulary.records else None,
        )

    def _script(self, module: cst.Module) -> Function | None:
        """Return what the module does itself, ``None`` where it reports nothing."""
        calls: list[Called] = []
        recorder = Recorder(self._vocabulary.records, self._vocabulary.terms, self._builders, self._spans)
        followers = after(module)

        def on_statement(statement: Statement, state: State, handlers: tuple[Handler, ...]) -> None:
            if not isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
                found = self._calls_of(statement, state, handlers, flow.tries, self._is_called)
                calls.extend(_placed(called, statement, followers) for called in found)
                recorder.statement(statement, state, handlers)

        flow = Flow(on_statement)
        flow.walk(module)
        found = recorder.finish(module)
        if not any(found) and all(called.how == "entered" for called in calls):
            return None
        body = Function("", Span(1, 1, 1, 1), "", False, False, (), (), (), (), flow.ends, calls=tuple(calls))
        return structs.replace(body, **found._asdict())

    def _table(self, node: Statement, state: State, scope: str) -> None:
        if self._vocabulary.cases:
            self._tables.extend(table(node, state, self._spans[id(node)], scope))

    def _assignments(self, node: Statement) -> None:
        if type(node) is cst.Assign:
            targets = [target.target for target in node.targets]
        elif type(node) is cst.AnnAssign:
            targets = [node.target]
        else:
            return
        value = convert(node.value, {}) if node.value else OPAQUE
        span = self._spans[id(node)]
        self._assigned.extend(Assigned(target.value, value, span) for target in targets if type(target) is cst.Name)

    def _class(self, node: cst.ClassDef, prefix: str, tracker: Tracker) -> None:
        name = prefix + node.name.value
        members: list[Entry] = []
        places: list[Span] = []
        unset: list[str] = []
        for inner in _toplevel(node.body):
            if type(inner) is cst.FunctionDef:
                self._function(inner, name + ".", name)
                members.append(Entry(inner.name.value, OPAQUE))
            elif type(inner) is cst.ClassDef:
                self._class(inner, name + ".", tracker)
            else:
                if type(inner) is cst.AnnAssign and type(inner.target) is cst.Name:
                    members.append(Entry(inner.target.value, convert(inner.value, {}) if inner.value else OPAQUE))
                    if inner.value is None:
                        unset.append(inner.target.value)
                elif type(inner) is cst.Assign:
                    value = convert(inner.value, {})
                    targets = [target.target for target in inner.targets]
                    members.extend(Entry(target.value, value) for target in targets if type(target) is cst.Name)
                self._table(inner, {}, name)
                tracker.statement(inner, {}, self._spans[id(inner)])
            places.extend([self._spans[id(inner)]] * (len(members) - len(places)))
        bases, decorated = tuple(_bases(node)), tuple(decorators(node))
        self._classes.append(
            Class(name, self._spans[id(node)], bases, decorated, tuple(members), tuple(places), unset=tuple(unset))
        )

    def _function(self, node: cst.FunctionDef, prefix: str, owner: str) -> None:
        name = prefix + node.name.value
        returns: list[Return] = []
        raises: list[Raise] = []
        reraises: list[Raise] = []
        tries: list[tuple[cst.Try | cst.TryStar | cst.With, bool]] = []
        calls: list[Called] = []
        inspections: list[Inspection] = []
        stores: list[Entry] = []
        dropped: list[Unread] = []
        selves: list[str] = []
        tracker = Tracker(self._names, self._registrations)
        generator = has_gathered = is_left_bare = sets_status = False
        has_uses = self._using is None or id(node) in self._using
        has_flow = self._flows is None or id(node) in self._flows
        has_cases = has_flow and self._has_cases(node)
        has_modes = bool(self._vocabulary.modes or self._vocabulary.settings)
        is_constructor = bool(owner) and node.name.value == "__init__"
        followers: After | None = None
        states: dict[int, State] = {}
        comparisons = Comparisons()
        recorder: Recorder | None = None
        if has_flow and self._vocabulary.records:
            recorder = Recorder(self._vocabulary.records, self._vocabulary.terms, self._builders, self._spans)
        is_wanted = self._is_called
        is_boundary = not self._vocabulary.boundaries.isdisjoint(name.split("."))
        if is_boundary:
            is_wanted = _any_name
        elif is_constructor:
            is_wanted = _or_constructor(self._is_called)

        def on_statement(statement: Statement, state: State, handlers: tuple[Handler, ...]) -> None:
            nonlocal followers, generator, has_gathered, is_left_bare, sets_status
            if type(statement) is cst.FunctionDef:
                self._function(statement, name + ".", "")
                return
            if type(statement) is cst.ClassDef:
                self._class(statement, name + ".", tracker)
                return
            span = self._spans[id(statement)]
            if has_cases:
                comparisons.statement(statement, state, span, handlers)
                states[id(statement)] = state
                self._table(statement, state, name)
            if type(statement) is cst.Return:
                if statement.value is not None:
                    returns.append(Return(span, convert(statement.value, state), False, handlers))
                else:
                    is_left_bare = True
            elif type(statement) is cst.Expr and type(statement.value) is cst.Yield:
                generator = True
                yielded = statement.value.value
                if isinstance(yielded, cst.BaseExpression):
                    returns.append(Return(span, convert(yielded, state), True, handlers))
            elif type(statement) is cst.Assign and type(statement.value) is cst.Yield:
                generator = True
            elif type(statement) is cst.Raise and type(statement.exc) is cst.Ellipsis:
                pass  # one that nobody asked about
            elif type(statement) is cst.Raise and statement.exc is not None and has_flow:
                cause = convert(statement.cause.item, state) if statement.cause else None
                raises.append(Raise(span, convert(statement.exc, state), cause, handlers, self._places(flow.tries)))
            elif type(statement) is cst.Raise and has_flow:
                reraises.append(Raise(span, OPAQUE, None, handlers, self._places(flow.tries)))
            elif isinstance(statement, (cst.Try, cst.TryStar)) or (
                type(statement) is cst.With and suppressed(statement) is not None
            ):
                tries.append((statement, flow.in_loop))
            if alias := self_alias(statement):
                selves.append(alias)
            has_gathered = has_gathered or gathers(statement)
            sets_status = sets_status or _sets_status(statement)
            if is_constructor:
                stores.extend(_stored(statement, state))
            for called in self._calls_of(statement, state, handlers, flow.tries, is_wanted):
                if self._calls and called.how != "entered":
                    followers = followers or after(node.body)
                    called = _placed(called, statement, followers)
                calls.append(called)
            if self._vocabulary.inspections and has_uses:
                inspections.extend(find_inspections(statement, state, span))
            if self._vocabulary.unread and has_uses and (self._dropping is None or id(statement) in self._dropping):
                found = unread(statement, node, self._names)
                if found is not None:
                    callee, word, parts = found
                    dropped.append(Unread(span, callee, word, bool(handlers), parts))
            if has_uses:
                tracker.statement(statement, state, span, flow.in_loop)
            if recorder is not None:
                recorder.statement(statement, state, handlers)

        flow = Flow(on_statement)
        flow.walk(node.body)
        recorded = recorder.finish(node.body) if recorder is not None else Recorded((), (), (), (), ())
        decorations = tuple(self._decoration(item.decorator) for item in node.decorators)
        self._functions.append(
            Function(
                name,
                self._spans[id(node)],
                owner,
                node.asynchronous is not None,
                generator,
                tuple(_parameters(node.params, is_whole=self._vocabulary.holes)),
                tuple(decorators(node)),
                tuple(returns),
                tracker.finish(),
                flow.ends or is_left_bare,
                decorations if any(type(item) is not Opaque for item in decorations) else (),
                tuple(raises),
                tuple(self._try(item, flow.exits, looped) for item, looped in tries) if has_flow else (),
                tuple(calls),
                tuple(inspections),
                tuple(stores),
                tuple(self._unbound(node)) if self._vocabulary.handlers else (),
                tuple(self._swallows(node, has_gathered)) if self._vocabulary.swallows else (),
                tuple(dropped),
                tuple(branches(node, self._branching, self._spans)) if self._vocabulary.branches else (),
                tuple(deferred(node, self._is_deferring, self._spans)) if self._defers(has_flow) else (),
                tuple(distinctions(node, self._spans, self._vocabulary.settings)) if has_flow and has_modes else (),
                self._precaution(node) if has_flow and self._vocabulary.guarded else None,
                ways_of_exceptions(node, self._spans) if is_boundary and has_flow else (),
                Cases(states, self._spans).of(node) if has_cases else (),
                recorded.records,
                recorded.told,
                recorded.compared,
                tuple(reraises),
                tuple(arms(node, self._spans)) if has_flow and self._vocabulary.modes else (),
                tuple(dict.fromkeys(reads(node, self._vocabulary.settings))) if has_modes else (),
                tuple(dict.fromkeys(selves)),
                recorded.looked,
                recorded.rounds,
                tuple(comparisons.found),
                sets_status,
            )
        )

    def _has_cases(self, node: cst.FunctionDef) -> bool:
        """Whether one of the texts stands in a function for which all of it is kept: of others parts may be missing."""
        if not self._vocabulary.cases:
            return False
        text = cst.Module([node]).code
        return any(needle in text for needle in self._vocabulary.cases)

    def _unbound(self, node: cst.FunctionDef) -> Iterator[Unbound]:
        if self._tries is None or self._tries:
            for found in unbound(node, self._tries):
                yield Unbound(self._spans[id(found.statement)], found.name, self._spans[id(found.binder)])

    def _swallows(self, node: cst.FunctionDef, has_gathered: bool) -> Iterator[Swallow]:
        if self._swallowing is None or self._swallowing:
            yield from swallows(node, self._swallowing, self._spans)
        for statement in filtered(node.body) if has_gathered else ():
            yield Swallow(self._spans[id(statement)], (), "filtered", None, "", "", ())

    def _defers(self, has_flow: bool) -> bool:
        return has_flow and bool(self._vocabulary.deferring)

    def _precaution(self, node: cst.FunctionDef) -> Precaution | None:
        return precaution(node, self._is_check, self._is_guarded, self._spans)

    def _places(self, nodes: tuple[int, ...]) -> tuple[Span, ...]:
        return tuple(self._spans[node] for node in nodes)

    def _try(self, node: cst.Try | cst.TryStar | cst.With, exits: Mapping[int, tuple[str, ...]], in_loop: bool) -> Try:
        span = self._spans[id(node)]
        if isinstance(node, cst.With):
            return Try(span, (Catch(suppressed(node) or (), "", span, ("end",)),), (), in_loop)
        catches = tuple(
            Catch(
                exception_names(handler.type),
                handler.name.name.value if handler.name and type(handler.name.name) is cst.Name else "",
                self._spans[id(handler)],
                exits.get(id(handler), ()),
            )
            for handler in node.handlers
        )
        left = exits.get(id(node.finalbody), ()) if node.finalbody else ()
        return Try(span, catches, tuple(how for how in left if how != "end"), in_loop)

    def _decoration(self, node: cst.BaseExpression) -> Value:
        wanted = dotted_name(node.func if type(node) is cst.Call else node).rpartition(".")[2]
        return convert(node, {}) if self._vocabulary.reads(wanted) else OPAQUE

    def _calls_of(
        self,
        statement: Statement,
        state: State,
        handlers: tuple[Handler, ...],
        tries: tuple[int, ...],
        is_wanted: Callable[[str], bool],
    ) -> Iterator[Called]:
        """Yield the calls that a statement enters, is, or takes the result of, whose names the policy asks about."""
        span = self._spans[id(statement)]
        if type(statement) is cst.With and self._calls:
            for call, target in _context_calls(statement):
                context = convert(call, state)
                if type(context) is Call and self._is_called(context.name.rpartition(".")[2]):
                    yield Called(span, context, "entered", target, False, handlers, self._places(tries))
        if called := self._called(statement, span, state, handlers, tries, is_wanted):
            yield called

    def _called(
        self,
        statement: Statement,
        span: Span,
        state: State,
        handlers: tuple[Handler, ...],
        tries: tuple[int, ...],
        is_wanted: Callable[[str], bool],
    ) -> Called | None:
        """Return the call that a statement is, or takes the result of, when its last name is wanted."""
        value = getattr(statement, "value", None)
        is_awaited = type(value) is cst.Await
        call = value.expression if type(value) is cst.Await else value
        if type(call) is not cst.Call:
            return None
        function = call.func
        last = function.attr.value if type(function) is cst.Attribute else dotted_name(function)
        if not is_wanted(last):
            return None
        found = convert(call, state)
        if type(found) is Item and self._is_called(last):
            # The policy says that this `get` is no look into a mapping.
            found = Call(dotted_name(function), (Argument("", Text((found.key,))),))
        if type(found) is not Call:
            return None
        target = ""
        how = "returned" if type(statement) is cst.Return else "expression"
        if isinstance(statement, (cst.Assign, cst.AnnAssign)):
            how = "assigned"
            first = statement.targets[0].target if isinstance(statement, cst.Assign) else statement.target
            target = dotted_name(first)
        return Called(span, found, how, target, is_awaited, handlers, self._places(tries))


def _context_calls(node: cst.With) -> Iterator[tuple[cst.Call, str]]:
    """Yield the calls in the header of a ``with``, each with the name its result is bound to."""
    for item in node.items:
        if type(item.item) is cst.Call:
            yield item.item, dotted_name(item.asname.name) if item.asname else ""


def _placed(called: Called, statement: Statement, followers: After) -> Called:
    """Return a call with what comes after its statement."""
    return structs.replace(
        called, raises_next=id(statement) in followers.raising, goes_on=id(statement) in followers.going_on
    )


def _any_name(_: str) -> bool:
    return True


def _or_constructor(is_wanted: Callable[[str], bool]) -> Callable[[str], bool]:
    return lambda name: name == "__init__" or is_wanted(name)


def _stored(statement: Statement, state: State) -> Iterator[Entry]:
    """Yield what a statement of a constructor stores in attributes of its object, or adds to a dict in one."""
    if type(statement) is cst.Expr:
        updated = _updated(statement.value, state)
        if updated is not None:
            yield updated
        return
    if type(statement) is cst.Assign:
        targets = [item.target for item in statement.targets]
    elif type(statement) is cst.AnnAssign:
        targets = [statement.target]
    else:
        return
    for target in targets:
        if type(target) is cst.Attribute and type(target.value) is cst.Name and statement.value is not None:
            yield Entry(target.attr.value, convert(statement.value, state))
        elif type(target) is cst.Subscript and (name := _own_attribute(target.value)) and statement.value is not None:
            added = Entry(subscript_key(target), convert(statement.value, state))
            yield Entry(name, Dict((added,), (Ref(dotted_name(target.value)),)))


def _updated(node: cst.BaseExpression, state: State) -> Entry | None:
    """Return what ``self.context.update(path=path)`` stores: the dict there was, with more."""
    if type(node) is not cst.Call or type(node.func) is not cst.Attribute or node.func.attr.value != "update":
        return None
    name = _own_attribute(node.func.value)
    given = convert(node, state)
    if not name or type(given) is not Call:
        return None
    added = tuple(Entry(item.name, item.value) for item in given.arguments if item.name not in ("", "*", "**"))
    spreads = (item.value for item in given.arguments if item.name in ("", "*", "**"))
    return Entry(name, Dict(added, (Ref(dotted_name(node.func.value)), *spreads)))


def _own_attribute(node: cst.BaseExpression) -> str:
    """Return the name of an attribute of a plain name, "" for anything else."""
    return node.attr.value if type(node) is cst.Attribute and type(node.value) is cst.Name else ""


def _aliases(nodes: Iterable[Placed], names: frozenset[str]) -> Iterator[str]:
    """Yield the names that a module gives to things of other names: by an import, or by an assignment."""
    for node in nodes:
        if isinstance(node, (cst.Import, cst.ImportFrom)):
            yield from (item.name for item in imports(node) if item.attribute in names)
        elif type(node) is cst.Assign and dotted_name(node.value).rpartition(".")[2] in names:
            yield from (target.target.value for target in node.targets if type(target.target) is cst.Name)


def _toplevel(body: Suite) -> Iterator[Statement]:
    """Yield the statements of a module or class body, also those below ``if``, ``try``, ``with`` and loops.

    A ``for`` comes before what is below it.
    """
    for line in body.body:
        if type(line) is cst.SimpleStatementLine:
            yield from line.body
        elif isinstance(line, (cst.BaseSmallStatement, cst.FunctionDef, cst.ClassDef)):
            yield line
        else:
            if isinstance(line, cst.For):
                yield line
            current: cst.CSTNode | None = line
            while current is not None:
                for _, block in _blocks(current):
                    yield from _toplevel(block)
                current = current.orelse if isinstance(current, cst.If) else None


def imports(node: cst.Import | cst.ImportFrom) -> Iterator[Import]:
    """Yield what an import statement binds."""
    if isinstance(node, cst.Import):
        for alias in node.names:
            module = alias.evaluated_name
            if alias.evaluated_alias:
                yield Import(alias.evaluated_alias, module, "")
            else:
                root = module.partition(".")[0]
                yield Import(root, root, "")
        return
    module = "." * len(node.relative) + (dotted_name(node.module) if node.module else "")
    if isinstance(node.names, cst.ImportStar):
        yield Import("*", module, "*")
        return
    for alias in node.names:
        yield Import(alias.evaluated_alias or alias.evaluated_name, module, alias.evaluated_name)


def decorators(node: cst.FunctionDef | cst.ClassDef) -> Iterator[str]:
    """Yield the dotted names of the decorators, with or without a call."""
    for decorator in node.decorators:
        expression = decorator.decorator
        while isinstance(expression, cst.Call):
            expression = expression.func
        yield dotted_name(expression) or "?"


def _bases(node: cst.ClassDef) -> Iterator[str]:
    for argument in node.bases:
        base = argument.value
        while isinstance(base, (cst.Subscript, cst.Call)):
            base = base.value if isinstance(base, cst.Subscript) else base.func
        yield dotted_name(base) or "?"


def _sets_status(statement: Statement) -> bool:
    """Whether a statement sets the status of a response."""
    return type(statement) is cst.Assign and any(
        type(item.target) is cst.Attribute and item.target.attr.value == STATUS_ATTRIBUTE for item in statement.targets
    )


def _parameters(parameters: cst.Parameters, *, is_whole: bool) -> Iterator[Parameter]:
    for parameter in (*parameters.posonly_params, *parameters.params):
        yield Parameter(parameter.name.value, "", _default(parameter.default, is_whole=is_whole))
    if isinstance(parameters.star_arg, cst.Param):
        yield Parameter(parameters.star_arg.name.value, "*", None)
    for parameter in parameters.kwonly_params:
        yield Parameter(parameter.name.value, "kw", _default(parameter.default, is_whole=is_whole))
    if parameters.star_kwarg is not None:
        yield Parameter(parameters.star_kwarg.name.value, "**", None)


def _default(node: cst.BaseExpression | None, *, is_whole: bool) -> Value | None:
    """Return the default of a parameter as far as the gate keeps one; with ``is_whole`` texts of any length."""
    if node is None:
        return None
    if isinstance(node, (cst.Name, cst.Attribute, cst.SimpleString, cst.Integer, cst.Float)):
        value = convert(node, {})
        if isinstance(value, Text) and len(str(value.parts[0])) > DEFAULT_LENGTH and not is_whole:
            return OPAQUE
        return value
    return OPAQUE
