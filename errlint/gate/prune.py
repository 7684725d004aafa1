"""Which statements of a parsed module to keep: the candidates, what decides about them, and what is around them."""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator
from operator import itemgetter
from typing import NamedTuple, TypeGuard

from errlint.gate.branches import may_ask, may_branch, retries_by_text
from errlint.gate.inspections import inspected
from errlint.gate.modes import plain, speaks_of_modes, speaks_of_settings, tables_of_modes
from errlint.gate.places import Hits, inspection_places, mentions
from errlint.gate.records import looks_into_records, speaks_of_records, tells
from errlint.gate.swallows import falls_through, gathers_exceptions, may_swallow
from errlint.gate.syntax import (
    CHANGERS,
    FUNCTIONS,
    SCOPES,
    SIMPLE,
    TERMINATORS,
    TRY,
    Function,
    all_blocks,
    answer,
    argument_names,
    blocks,
    deciding_names,
    header_bindings,
    header_expressions,
    is_construction,
    is_endless,
    is_of_errors,
    is_self_alias,
    is_success,
    is_yield,
    name_or_callee,
    names_used_first,
    receiver_names,
    run,
    statement_call,
    status_keys,
    stored_names,
    uses_name,
)
from errlint.gate.unread import drops
from errlint.gate.vocabulary import Vocabulary, matcher
from errlint.source import Lines
from errlint.words import REGISTRY_NAME, STATUS_ATTRIBUTE, TOOL_ENDING, TOOLS_TABLE

PLACEHOLDER, REDUCED, WHOLE = range(3)
"""How much of a kept statement is written: that it is there, what decides about a result, or everything."""


class Scope:
    """A function, a class or the module: its own statements in order, not those of definitions inside."""

    __slots__ = ("answers", "binders", "bound", "node", "statements")

    def __init__(self, node: ast.AST) -> None:
        self.node = node
        self.statements: list[ast.stmt] = []
        self.answers: list[tuple[ast.stmt, ast.expr]] = []  # statements that return or yield a value
        self.binders: dict[str, list[ast.stmt]] | None = None  # name -> what binds or changes it
        self.bound: list[tuple[int, str]] | None = None  # the lines of these, in order, with the names


class _Definitions(NamedTuple):
    """The names of wanted definitions, ``Class.method`` for a method; ``ordered`` are the same names, sorted."""

    names: frozenset[str]
    ordered: list[str]

    def has_below(self, prefix: str) -> bool:
        """Whether one of the names begins like this: asked of each class, so the names are not gone through."""
        place = bisect_left(self.ordered, prefix)
        return place < len(self.ordered) and self.ordered[place].startswith(prefix)


class Pruner:
    """Marks what to keep, for :class:`errlint.gate.write.Writer` to write."""

    def __init__(
        self, tree: ast.Module, lines: Lines, vocabulary: Vocabulary, builders: frozenset[str] = frozenset()
    ) -> None:
        self.lines = lines
        self.vocabulary = vocabulary
        self.kept: dict[ast.AST, int] = {}  # how much of a statement to write
        self.headers: set[ast.AST] = set()  # definitions, blocks and statements to write
        self.flat: set[ast.AST] = set()  # functions whose blocks decide nothing
        self.whole: set[ast.AST] = set()  # classes whose fields are wanted
        self.tested: set[str] = set()  # names that hold a result somebody may raise from
        self.adapters: set[ast.AST] = set()
        self.uses = Hits([])  # where the names stand whose uses are wanted
        self.flows: set[ast.AST] = set()  # functions of which all is kept that decides about the way through them
        self.tries: set[ast.AST] = set()  # `try` statements of which all is kept that decides about names in handlers
        self.swallows: set[ast.AST] = set()  # `try` statements that may swallow, all of them kept
        self.branching: set[ast.AST] = set()  # `try` statements with a condition on the text of an exception
        self.unread: set[ast.AST] = set()  # statements that call one of the names and drop the result
        self.rebound: frozenset[str] = frozenset()  # names that the module binds more than once, all of it kept
        self.registering: set[ast.AST] = set()  # loops that register what they go through
        self.using: set[ast.AST] = set()  # definitions with a use or a registration inside
        self.is_script = False  # whether all is kept that the module does itself
        self.walrus = b":=" in lines.data
        self._is_called = matcher(vocabulary.calls)
        self._is_deferring = matcher(vocabulary.deferring)
        self._cases = [text.encode() for text in vocabulary.cases]
        self._modes = frozenset(map(plain, vocabulary.modes))
        self._tables: frozenset[str] = frozenset()
        self._is_precaution = matcher((*vocabulary.guarded, *vocabulary.checks))
        self._builders = builders  # names of functions that speak of error records
        self._tree = tree
        self._rooted: set[ast.AST] = set()  # functions in which uses or all returns matter
        self._boundaries: list[Scope] = []  # those of boundary decorators and of the functions inside
        self._in_boundary = False
        self._converted: set[ast.AST] = set()  # the `try` statements around raises whose handlers were looked at
        self._skipped: list[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef] = []
        self._parents: dict[ast.AST, ast.AST] = {}
        self._scopes: list[Scope] = []
        self._hits = Hits([])  # where a word stands, or a name whose uses are wanted
        self._entries = Hits([])  # where an adapter may begin, or one may be registered
        self._looks = Hits([])  # where a result may be looked at for an error

    def mark_candidates(self, hits: Hits, entries: Hits) -> set[str]:
        """Mark what may be an error, adapters and registrations; return the names of functions that may answer one.

        ``hits`` are the words of the vocabulary, ``entries`` the names of its decorators, registrations and methods.
        """
        self._hits, self._entries = hits, entries
        self._tables = tables_of_modes(self._tree.body, self._modes) if self._modes else frozenset()
        self._walk_module()
        if self.vocabulary.rebound:
            self._mark_rebound()
        local: set[str] = set()
        for scope in self._scopes:
            self._mark_registrations(scope)
            self._mark_calls(scope)
            if self.vocabulary.deferring and isinstance(scope.node, FUNCTIONS):
                self._mark_deferring(scope)
            if self.vocabulary.modes or self.vocabulary.settings:
                self._mark_modes(scope)
            if self.vocabulary.guarded and isinstance(scope.node, FUNCTIONS):
                self._mark_precautions(scope)
            if self.vocabulary.cases:
                self._mark_cases(scope)
            if self.vocabulary.records and isinstance(scope.node, FUNCTIONS):
                self._mark_records(scope)
            elif self.vocabulary.records and isinstance(scope.node, ast.Module):
                self._mark_script(scope)
            elif self.vocabulary.records and self._is_model_of_records(scope.node):
                self._keep_class(scope.node)  # otherwise only a method of it may be kept
            if self.vocabulary.raises and isinstance(scope.node, FUNCTIONS):
                self._mark_raises(scope)
            if self.vocabulary.classes:
                self._mark_classes(scope)
            if self.vocabulary.advice and isinstance(scope.node, ast.Module):
                self._mark_advice(scope)
            if self.vocabulary.handlers and isinstance(scope.node, FUNCTIONS):
                self._mark_handlers(scope)
            if self.vocabulary.branches and isinstance(scope.node, FUNCTIONS):
                self._mark_branches(scope)
            if self.vocabulary.swallows and isinstance(scope.node, FUNCTIONS):
                self._mark_swallows(scope)
            if isinstance(scope.node, FUNCTIONS) and self._mark_answers(scope) and scope.node not in self.adapters:
                local.add(scope.node.name)
        for scope in self._boundaries:
            if isinstance(scope.node, FUNCTIONS):
                self._mark_boundary(scope)
        self._entries = Hits([])
        return local

    def mark_uses(self, hits: Hits, names: set[str]) -> None:
        """Mark the statements at ``hits`` that use one of ``names``, and what becomes of the results."""
        self._hits = self.uses = hits
        if self.vocabulary.inspections:
            self._looks = Hits(sorted(inspection_places(self.lines.data)))
        if self._scopes:
            skipped, self._skipped = self._skipped, []
            for node in skipped:
                self._enter(node, self._parents[node])
        else:
            self._walk_module()
        held: set[str] = set()
        for scope in self._scopes:
            held |= self._mark_uses(scope, names)
        if held:
            self.uses = Hits(sorted([*hits.places, *mentions(self.lines.data, held)]))

    def mark_definitions(self, names: Iterable[str]) -> None:
        """Mark top-level definitions (or ``Class.method``) whole."""
        wanted = frozenset(names)
        self._define(self._tree.body, "", _Definitions(wanted, sorted(wanted)), self._tree)

    # --- walking ------------------------------------------------------------------------------------------------

    def _span(self, node: ast.stmt | ast.expr | ast.ExceptHandler) -> tuple[int, int]:
        starts = self.lines.starts
        return starts[node.lineno] + node.col_offset, starts[node.end_lineno] + node.end_col_offset  # type: ignore[index, operator]

    def _hit(self, node: ast.stmt | ast.expr) -> bool:
        return self._hits.within(*self._span(node))

    def _walk_module(self) -> None:
        module = Scope(self._tree)
        self._walk(self._tree.body, module, self._tree)
        self._scopes.append(module)

    def _walk(self, body: list[ast.stmt], scope: Scope, parent: ast.AST) -> None:
        """Collect the statements of each scope with a hit, and the parent of each statement."""
        parents, statements = self._parents, scope.statements
        for node in body:
            parents[node] = parent
            statements.append(node)
            kind = type(node)
            if kind in SIMPLE:
                if kind is ast.Return or kind is ast.Expr:
                    value = answer(node)
                    if value is not None:
                        scope.answers.append((node, value))
            elif isinstance(node, SCOPES):
                self._enter(node, parent)
            else:
                for block in blocks(node):
                    self._walk(block, scope, node)
                for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                    parents[part] = node
                    self._walk(part.body, scope, part)

    def _enter(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, parent: ast.AST) -> None:
        start, end = self._span(node)
        if node.decorator_list:
            first = node.decorator_list[0]
            start = self.lines.starts[first.lineno]
        inside = self._in_boundary or (isinstance(node, FUNCTIONS) and node.name in self.vocabulary.boundaries)
        is_hit = self._hits.within(start, end) or self._entries.within(start, end)
        if not inside and not is_hit and not self._looks_up_modes(node):
            self._skipped.append(node)
            return
        if isinstance(node, FUNCTIONS):
            names = [name_or_callee(item) for item in node.decorator_list]
            if any(name in self.vocabulary.decorators or name.endswith(TOOL_ENDING) for name in names):
                self.adapters.add(node)
                self.keep(node)
            is_method = node.name in self.vocabulary.methods and isinstance(parent, ast.ClassDef) and bool(parent.bases)
            if is_method or (self.vocabulary.branches and retries_by_text(node.decorator_list)):
                self.keep(node)
        scope = Scope(node)
        outer, self._in_boundary = self._in_boundary, inside
        self._walk(node.body, scope, node)
        self._in_boundary = outer
        self._scopes.append(scope)
        if inside:
            self._boundaries.append(scope)

    def keep(self, node: ast.AST, how: int = WHOLE) -> None:
        """Keep a statement, and the blocks and definitions around it."""
        kept, headers, parents = self.kept, self.headers, self._parents
        if how > kept.get(node, -1):
            kept[node] = how
        parent: ast.AST | None = node
        while parent is not None and parent not in headers:
            headers.add(parent)
            parent = parents.get(parent)

    # --- candidates ---------------------------------------------------------------------------------------------

    def _mark_registrations(self, scope: Scope) -> None:
        if not self._entries:
            return
        names = self.vocabulary.registrations
        for node in scope.statements if isinstance(scope.node, ast.Module) else ():
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and any(
                map(TOOLS_TABLE.fullmatch, stored_names(node, self.walrus))
            ):
                self.keep(node)
        for node in scope.statements:
            if (
                type(node) in SIMPLE
                and self._entries.within(*self._span(node))
                and any(isinstance(part, ast.Call) and _registers(part, names) for part in ast.walk(node))
            ):
                is_comprehension = any(isinstance(part, ast.comprehension) for part in ast.walk(node))
                self.keep(node, WHOLE if is_comprehension else REDUCED)
                self._note_use(scope)
                if isinstance(scope.node, FUNCTIONS):
                    self.keep(scope.node)  # what it registers may be a parameter
                self._mark_registering(scope, node)

    def _mark_registering(self, scope: Scope, node: ast.stmt) -> None:
        """Mark the loops around a registration of what they go through, and what its names hold, calls above all."""
        used = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        parent: ast.AST | None = self._parents.get(node)
        while parent is not None and parent is not scope.node:
            if isinstance(parent, ast.For) and used & {
                part.id for part in ast.walk(parent.target) if isinstance(part, ast.Name)
            }:
                self.keep(parent)
                self.registering.add(parent)
                used |= {part.id for part in ast.walk(parent.iter) if isinstance(part, ast.Name)}
            parent = self._parents.get(parent)
        if isinstance(scope.node, ast.ClassDef):
            return
        is_looped = bool(self.registering) and isinstance(scope.node, FUNCTIONS)
        for other in reversed(scope.statements):
            targets: list[ast.expr] = other.targets if isinstance(other, ast.Assign) else []
            if isinstance(other, ast.AnnAssign):
                targets = [other.target]
            if (
                isinstance(other, (ast.Assign, ast.AnnAssign))
                and other.value is not None
                and (is_looped or isinstance(other.value, ast.Call))
                and used & {name_or_callee(target) for target in targets}
            ):
                self.keep(other)
                used |= {part.id for part in ast.walk(other.value) if isinstance(part, ast.Name)}

    def _mark_calls(self, scope: Scope) -> None:
        is_called = self._is_called
        if not self.vocabulary.calls or not self._entries or not isinstance(scope.node, FUNCTIONS):
            return
        found = [
            node
            for node in scope.statements
            if type(node) in SIMPLE
            and self._entries.within(*self._span(node))
            and (call := statement_call(node)) is not None
            and is_called(name_or_callee(call))
        ]
        for node in found:
            self.keep(node)
        entered = [
            node
            for node in scope.statements
            if isinstance(node, (ast.With, ast.AsyncWith))
            and any(
                isinstance(item.context_expr, ast.Call) and is_called(name_or_callee(item.context_expr))
                for item in node.items
            )
        ]
        for node in entered:
            self.keep(node)
        if found or entered:
            self._rooted.add(scope.node)
            fields = self.vocabulary.fields
            handed = (name for node in found for name in (*argument_names(node, fields), *receiver_names(node)))
            self._keep_flow(scope, {*handed})

    def _mark_deferring(self, scope: Scope) -> None:
        """Mark all of a function that queues work: the ways from there to its answers matter."""
        if any(
            self._entries.within(*self._span(node))
            and any(isinstance(part, ast.Call) and self._is_deferring(name_or_callee(part)) for part in ast.walk(node))
            for node in scope.statements
            if type(node) in SIMPLE
        ):
            self._keep_whole(scope)

    def _mark_modes(self, scope: Scope) -> None:
        """Mark all of a function that may tell modes apart, and what declares them."""
        if isinstance(scope.node, FUNCTIONS):
            is_near = self._entries.within(*self._span(scope.node))
            if (is_near and self._speaks_of_modes(scope.node)) or self._looks_up_modes(scope.node):
                self._keep_whole(scope)
            return
        for node in scope.statements:
            if type(node) in SIMPLE and (self._speaks_of_modes(node) or self._looks_up_modes(node)):
                self.keep(node)
        if isinstance(scope.node, ast.ClassDef) and self._speaks_of_modes(scope.node):
            self._keep_class(scope.node)

    def _speaks_of_modes(self, node: ast.AST) -> bool:
        settings = self.vocabulary.settings
        return speaks_of_modes(node, self._modes) or (bool(settings) and speaks_of_settings(node, settings))

    def _looks_up_modes(self, node: ast.AST) -> bool:
        """Whether a table of modes is spoken of."""
        return bool(self._tables) and any(
            isinstance(part, ast.Name) and part.id in self._tables for part in ast.walk(node)
        )

    def _is_model_of_records(self, node: ast.AST) -> TypeGuard[ast.ClassDef]:
        """Whether a class has the fields of an error record that say what to do."""
        return isinstance(node, ast.ClassDef) and {*self.vocabulary.records[1:]} <= {*_fields(node)}

    def _mark_records(self, scope: Scope) -> None:
        """Mark all of a function that speaks of error records, or may call one that does."""
        node = scope.node
        if self._entries.within(*self._span(node)) and (  # type: ignore[arg-type]
            speaks_of_records([node], self.vocabulary.records)
            or looks_into_records([node], self.vocabulary.records)
            or tells([node], self._builders, self.vocabulary.terms)
        ):
            self._keep_whole(scope)

    def _mark_script(self, scope: Scope) -> None:
        """Mark all that the module does itself where it reports errors."""
        own = [node for node in scope.statements if not isinstance(node, SCOPES)]
        parts: list[ast.AST] = []
        for node in own:
            parts.extend([node] if type(node) in SIMPLE else header_expressions(node))
        self.is_script = any(self._entries.within(*self._span(part)) for part in parts) and (  # type: ignore[arg-type]
            speaks_of_records(parts, self.vocabulary.records)
            or looks_into_records(parts, self.vocabulary.records)
            or tells(parts, self._builders, self.vocabulary.terms)
            or any((call := statement_call(node)) is not None and self._is_called(name_or_callee(call)) for node in own)
        )
        for node in own if self.is_script else ():
            self.keep(node)

    def _mark_precautions(self, scope: Scope) -> None:
        """Mark all of a function that asks whether something is available, or makes a guarded call."""
        if self._entries.within(*self._span(scope.node)) and any(  # type: ignore[arg-type]
            isinstance(part, (ast.Name, ast.Attribute)) and self._is_precaution(name_or_callee(part))
            for part in ast.walk(scope.node)
        ):
            self._keep_whole(scope)

    def _mark_cases(self, scope: Scope) -> None:
        """Mark all of a function that speaks of codes or makes a write, elsewhere the statements that do."""
        if isinstance(scope.node, FUNCTIONS):
            header = scope.node.decorator_list
            if self._holds(scope.node, self._cases) or any(self._holds(each, self._cases) for each in header):
                self._keep_whole(scope)
            return
        found = [
            node
            for node in scope.statements
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and self._holds(node, self._cases)
        ]
        for node in found:
            self.keep(node)
        if found and isinstance(scope.node, ast.ClassDef):
            self._keep_class(scope.node)  # a class that is read in part passes for one without the other fields

    def _keep_whole(self, scope: Scope) -> None:
        assert isinstance(scope.node, FUNCTIONS)
        self._rooted.add(scope.node)
        self._keep_all(scope.node.body)
        self._keep_flow(scope, set())

    def _mark_raises(self, scope: Scope) -> None:
        """Mark every raise, and what becomes of it."""
        found = [node for node in scope.statements if isinstance(node, ast.Raise)]
        for node in found:
            self.keep(node)
        if found:
            self._rooted.add(scope.node)
            fields, holes = self.vocabulary.fields, self.vocabulary.holes
            names = (name for node in found for name in (_all_names(node) if holes else argument_names(node, fields)))
            self._keep_flow(scope, {*names})

    def _mark_boundary(self, scope: Scope) -> None:
        """Mark all of a boundary, or of a function inside one."""
        assert isinstance(scope.node, FUNCTIONS)
        self._keep_all(scope.node.body)
        self._rooted.add(scope.node)
        self._keep_flow(scope, {name for node in scope.node.body for name in _all_names(node)}, whole=True)

    def _mark_classes(self, scope: Scope) -> None:
        """Mark exception classes and registries of codes, whole."""
        if isinstance(scope.node, ast.ClassDef) and is_of_errors(scope.node):
            self._keep_class(scope.node)
            self._keep_constructor(scope.node)
        elif isinstance(scope.node, ast.Module):
            for node in scope.statements:
                if isinstance(node, (ast.Assign, ast.AnnAssign)) and any(
                    REGISTRY_NAME.search(name) for name in stored_names(node, walrus=False)
                ):
                    self.keep(node)

    def _mark_advice(self, scope: Scope) -> None:
        """Mark the dicts and lists of the module whose lines have an argument or a key that is asked about."""
        for node in scope.statements:
            if not isinstance(node, (ast.Assign, ast.AnnAssign)):
                continue
            value = node.value
            if not isinstance(value, (ast.Dict, ast.List, ast.Tuple)):
                continue
            for part in ast.walk(value):
                names = [part.arg] if isinstance(part, ast.keyword) else part.keys if isinstance(part, ast.Dict) else []
                if any(getattr(name, "value", name) in self.vocabulary.advice for name in names):
                    self.keep(node)
                    break

    def _mark_rebound(self) -> None:
        """Mark the statements of the module by which it binds a name again that it imported or defined."""
        binders: dict[str, list[ast.stmt]] = {}
        defined: set[str] = set()
        for node in self._tree.body:
            if isinstance(node, SCOPES):
                binders.setdefault(node.name, []).append(node)
                defined.add(node.name)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                for name in stored_names(node, walrus=False):
                    binders.setdefault(name, []).append(node)
                    defined.add(name)
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                for name in stored_names(node, walrus=False):
                    binders.setdefault(name, []).append(node)
        found = {name: nodes for name, nodes in binders.items() if len(nodes) > 1 and name in defined}
        if found:
            found = {name: nodes for name, nodes in found.items() if name not in set(_bound_below(self._tree.body))}
        for nodes in found.values():
            for node in nodes:
                self.keep(node)
        self.rebound = frozenset(found)

    def _mark_handlers(self, scope: Scope) -> None:
        """Mark the ``try`` statements whose handlers use a name that may be bound in them first."""
        assert isinstance(scope.node, FUNCTIONS)
        for node in scope.statements:
            if not isinstance(node, TRY) or not node.handlers or self._is_in_loop(node):  # type: ignore[attr-defined]
                continue
            last = node.body[-1].end_lineno or 0  # type: ignore[attr-defined]
            needles = [name.encode() for name in self._bound_within(scope, node.lineno, last)]
            if not any(self._holds(handler, needles) for handler in node.handlers):  # type: ignore[attr-defined]
                continue
            used = {name for handler in node.handlers for name in names_used_first(handler)}  # type: ignore[attr-defined]
            binders = {name: found for name in used if (found := self._binders(scope).get(name))}
            parameters = {item.arg for item in ast.walk(scope.node.args) if isinstance(item, ast.arg)}
            if not any(
                node.lineno < min(item.lineno for item in found) <= last and name not in parameters
                for name, found in binders.items()
            ):
                continue
            self.tries.add(node)
            self._rooted.add(scope.node)
            self._keep_all([node])
            for found in binders.values():
                for item in found:
                    self.keep(item, WHOLE if type(item) in SIMPLE else PLACEHOLDER)
            self._keep_flow(scope, set())

    def _bound_within(self, scope: Scope, first: int, last: int) -> set[str]:
        """Return the names that statements between two lines bind."""
        if scope.bound is None:
            bound = ((item.lineno, name) for name, found in self._binders(scope).items() for item in found)
            scope.bound = sorted(bound)
        begin, end = (bisect_right(scope.bound, line, key=itemgetter(0)) for line in (first, last))
        return {name for _, name in scope.bound[begin:end]}

    def _mark_swallows(self, scope: Scope) -> None:
        """Mark the ``try`` statements that may swallow what is raised in them, and all that follows where they do."""
        assert isinstance(scope.node, FUNCTIONS)
        for node in scope.statements:
            handlers = [item for item in getattr(node, "handlers", ()) if may_swallow(item)]
            suppresses = isinstance(node, (ast.With, ast.AsyncWith)) and any(
                name_or_callee(item.context_expr) == "suppress" for item in node.items
            )
            if type(node) in (ast.Assign, ast.Return, ast.For, ast.AsyncFor) and gathers_exceptions(node):
                self._keep_all(scope.node.body)
                self._rooted.add(scope.node)
                self._keep_flow(scope, set())
            if not handlers and not suppresses:
                continue
            if suppresses:
                self._keep_all(scope.node.body)
            self.swallows.add(node)
            self._rooted.add(scope.node)
            self._keep_all([node])
            tracked: set[str] = set()
            for handler in handlers:
                if falls_through(handler):
                    self._keep_all(scope.node.body)
                else:
                    tracked |= _all_names(handler.body[-1])
            self._keep_flow(scope, tracked)

    def _mark_branches(self, scope: Scope) -> None:
        """Mark the ``try`` statements in whose handlers a condition may look at the text of the exception.

        A function that may look at the text of what others have answered is kept whole.
        """
        if may_ask(scope.statements):
            self._keep_whole(scope)
        for node in scope.statements:
            handlers = getattr(node, "handlers", ())
            if any(map(may_branch, handlers)):
                self.branching.add(node)
                self.keep(node)
                for handler in handlers:
                    self._keep_all(handler.body)
                self._rooted.add(scope.node)
                self._keep_flow(scope, set())

    def _is_in_loop(self, node: ast.AST) -> bool:
        parent = self._parents.get(node)
        while parent is not None and not isinstance(parent, SCOPES):
            if isinstance(parent, (ast.For, ast.AsyncFor, ast.While)):
                return True
            parent = self._parents.get(parent)
        return False

    def _keep_all(self, body: list[ast.stmt]) -> None:
        """Keep all statements of a block, of definitions only their headers."""
        for node in body:
            self.keep(node)
            if type(node) not in SIMPLE and not isinstance(node, SCOPES):
                for block in all_blocks(node):
                    self._keep_all(block)

    def _mark_inspections(self, scope: Scope, names: set[str]) -> None:
        """Mark the places that look for an error in the result of one of ``names``, and where it comes from."""
        tracked: set[str] = set()
        found = False
        for node in scope.statements:
            simple = type(node) in SIMPLE
            parts: list[ast.AST] = [node] if simple else [*header_expressions(node)]
            for part in parts:
                if not self._looks.within(*self._span(part)):  # type: ignore[arg-type]
                    continue
                for subject in inspected(part):
                    if not self._is_result(scope, subject, names):
                        continue
                    self.keep(node)
                    found = True
                    tracked |= self._names(subject)
        if found:
            self._rooted.add(scope.node)
            self._keep_flow(scope, tracked)

    def _is_result(self, scope: Scope, subject: ast.expr, names: set[str]) -> bool:
        """Whether an expression is a call of one of ``names``, or a variable that holds the result of one."""
        if isinstance(subject, ast.Call):
            return uses_name([run(subject).func], names)
        return isinstance(subject, ast.Name) and any(
            type(node) in SIMPLE and (call := statement_call(node)) is not None and uses_name([run(call).func], names)
            for node in self._binders(scope).get(subject.id, ())
        )

    def _note_use(self, scope: Scope) -> None:
        node: ast.AST | None = scope.node
        while node is not None and node not in self.using:
            self.using.add(node)
            node = self._parents.get(node)

    def _mark_answers(self, scope: Scope) -> bool:
        """Mark the returns of a function that may be errors, and what they depend on; false when there are none."""
        seeds = self._seeds(scope)
        if not seeds:
            return False
        tracked: set[str] = set()
        for node, value in seeds:
            self.keep(node, REDUCED)
            tracked |= self._names(value)
        self._keep_flow(scope, tracked)
        self._keep_statuses(scope)
        return True

    def _keep_statuses(self, scope: Scope) -> None:
        """Mark where a function sets the status of a response."""
        for node in scope.statements:
            if isinstance(node, ast.Assign) and any(
                isinstance(item, ast.Attribute) and item.attr == STATUS_ATTRIBUTE for item in node.targets
            ):
                self.keep(node, REDUCED)

    def _seeds(self, scope: Scope) -> list[tuple[ast.stmt, ast.expr]]:
        """Return the answers of a function at a hit, and those that may hold what stands at one."""
        if not scope.answers:
            return []
        if self.vocabulary.boundaries and scope.node in self.adapters:
            return list(scope.answers)  # an adapter may hand on what a covered function answers
        held: set[str] = set()
        for node in scope.statements:
            if type(node) in SIMPLE:
                if not isinstance(node, ast.Return) and self._hit(node) and self._is_stored(node):
                    held.update(stored_names(node, self.walrus))
            elif self.walrus and any(self._hit(part) for part in header_expressions(node)):
                held.update(header_bindings(node, self.walrus))
        found = [
            (node, value)
            for node, value in scope.answers
            if (self.vocabulary.successes or not is_success(value))
            and ((self._hit(node) and not self._is_bound(scope, value)) or (held and self._reaches(scope, value, held)))
        ]
        # Whether a status is that of an error or one of several states is said by the other answers.
        told = set().union(*(status_keys(value) for _, value in found))
        if not told:
            return found
        return [item for item in scope.answers if item in found or not told.isdisjoint(status_keys(item[1]))]

    def _is_stored(self, node: ast.stmt) -> bool:
        """Whether what stands at a hit in a statement becomes (part of) a value: not the name of a variable alone."""
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if all(isinstance(target, ast.Name) for target in targets):
                return node.value is not None and self._hit(node.value)
        elif isinstance(node, ast.Expr) and not self.walrus:
            call = node.value
            # What is gathered in a collection is never the result itself.
            return not (
                isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in CHANGERS
            )
        return True

    def _is_bound(self, scope: Scope, value: ast.expr) -> bool:
        """Whether an answer is a local variable, so that what it is called says nothing."""
        return isinstance(value, ast.Name) and value.id in self._binders(scope)

    def _reaches(self, scope: Scope, value: ast.expr, held: set[str]) -> bool:
        """Whether the result that an expression is may come from one of the names ``held``, also by way of others."""
        seen = self._names(value)
        pending = list(seen)
        while pending:
            name = pending.pop()
            if name in held:
                return True
            for node in self._binders(scope).get(name, ()):
                bound = getattr(node, "value", None) if type(node) in SIMPLE else None
                if isinstance(bound, ast.expr):
                    more = self._names(bound) - seen
                    seen |= more
                    pending.extend(more)
        return False

    # --- uses ---------------------------------------------------------------------------------------------------

    def _mark_uses(self, scope: Scope, names: set[str]) -> set[str]:
        """Mark the uses in one scope; return the local names that hold their results."""
        tracked: set[str] = set()
        users: set[ast.stmt] = set()
        for node in scope.statements:
            parts: list[ast.AST]
            if type(node) in SIMPLE:
                parts = [node] if self._hit(node) else []
            else:
                parts = [part for part in header_expressions(node) if self._hit(part)]
            if not parts or not uses_name(parts, names):
                continue
            users.add(node)
            self.keep(node, REDUCED if type(node) in SIMPLE else WHOLE)
            tracked.update(
                stored_names(node, self.walrus) if type(node) in SIMPLE else header_bindings(node, self.walrus)
            )
        if not users:
            return tracked
        self._note_use(scope)
        self._keep_selves(scope)
        if not isinstance(scope.node, FUNCTIONS):
            return tracked
        self._keep_makers(scope, users, names)
        self._keep_statuses(scope)
        if self._looks:
            self._mark_inspections(scope, names)
        if self.vocabulary.unread:
            for node in users:
                is_dropped = drops(node, scope.node, names)
                if is_dropped is not False:
                    self.keep(node)
                    self.unread.add(node)
                if is_dropped is None:
                    self._keep_whole(scope)  # which parts of the result are read
        held = frozenset(tracked)
        if tracked:
            # What becomes of a result that was put into a name first.
            needles = [name.encode() for name in tracked]
            for node in scope.statements:
                if type(node) in SIMPLE and self._holds(node, needles) and uses_name([node], tracked):
                    users.add(node)
                    self.keep(node, REDUCED)
        self.tested |= tracked
        for node, value in (*self._seeds(scope), *(pair for pair in scope.answers if pair[0] in users)):
            self.keep(node, REDUCED)
            tracked |= self._names(value)
        for node in users:
            if isinstance(node, ast.Raise):
                tracked.update(argument_names(node, self.vocabulary.fields))
                tracked |= self._keep_conversions(node)
                if self.vocabulary.holes and node.exc is not None:
                    tracked.update(_all_names(node.exc))
        self._rooted.add(scope.node)
        self._keep_flow(scope, tracked)
        return set(held)

    def _keep_makers(self, scope: Scope, users: Collection[ast.stmt], names: set[str]) -> None:
        """Keep what makes the local callables that one of ``names`` is handed to: ``wrap`` of ``wrap(find)``."""
        callees = {
            part.func.id
            for node in users
            for part in ast.walk(node)
            if isinstance(part, ast.Call)
            and isinstance(part.func, ast.Name)
            and any(name_or_callee(item) in names for item in part.args)
        }
        for name in callees:
            for node in self._binders(scope).get(name, ()):
                if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                    self.keep(node, REDUCED)

    def _keep_selves(self, scope: Scope) -> None:
        """Keep the other names for ``self`` that the functions around a scope bind."""
        around = self._parents.get(scope.node)
        while around is not None:
            if isinstance(around, FUNCTIONS):
                for node in around.body:
                    if is_self_alias(node):
                        self.keep(node)
            around = self._parents.get(around)

    def _keep_conversions(self, node: ast.stmt) -> set[str]:
        """Keep what the handlers around a raise return that is the result of a call: it may convert the exception.

        Returns the names whose values decide what that is.
        """
        names: set[str] = set()
        child: ast.AST = node
        while child in self._parents:
            around = self._parents[child]
            if isinstance(around, (*FUNCTIONS, ast.ClassDef)):
                break
            if isinstance(around, TRY) and around not in self._converted and child in around.body:  # type: ignore[attr-defined]
                self._converted.add(around)
                for handler in around.handlers:  # type: ignore[attr-defined]
                    for inner in ast.walk(handler):
                        if isinstance(inner, ast.Return) and inner in self._parents and statement_call(inner):
                            self.keep(inner, REDUCED)
                            names |= self._names(inner.value) if inner.value else set()
            child = around
        return names

    def _holds(self, node: ast.stmt | ast.expr | ast.ExceptHandler, needles: list[bytes]) -> bool:
        start, end = self._span(node)
        return any(self.lines.data.find(needle, start, end) >= 0 for needle in needles)

    # --- definitions --------------------------------------------------------------------------------------------

    def _define(self, body: list[ast.stmt], prefix: str, wanted: _Definitions, parent: ast.AST) -> None:
        """Mark the wanted definitions of a module or class body whole; ``prefix`` is ``Class.`` in the body of one."""
        for node in body:
            self._parents.setdefault(node, parent)
            if isinstance(node, ast.ClassDef):
                name = prefix + node.name
                has_members = wanted.has_below(name + ".")
                if name in wanted.names or (
                    has_members and any(f"{name}.{field}" in wanted.names for field in _fields(node))
                ):
                    self._keep_class(node)
                if has_members:
                    self._define(node.body, name + ".", wanted, node)
            elif isinstance(node, FUNCTIONS):
                if prefix + node.name in wanted.names:
                    self._define_function(node)
            elif type(node) not in SIMPLE:
                for block in blocks(node):
                    self._define(block, prefix, wanted, node)
                for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                    self._parents.setdefault(part, node)
                    self._define(part.body, prefix, wanted, part)
            elif not prefix and isinstance(node, (ast.Assign, ast.AnnAssign)):
                if not wanted.names.isdisjoint(stored_names(node, self.walrus)):
                    self.keep(node)
            elif isinstance(node, (ast.Import, ast.ImportFrom)) and not prefix:
                bound = stored_names(node, walrus=False)
                if "*" in bound or not wanted.names.isdisjoint(bound):
                    self.keep(node)

    def _keep_class(self, node: ast.ClassDef) -> None:
        """Keep a class with its fields and the headers of its methods."""
        self.keep(node)
        self.whole.add(node)
        for inner in node.body:
            self._parents.setdefault(inner, node)
            if isinstance(inner, (ast.Assign, ast.AnnAssign, *FUNCTIONS)):
                self.keep(inner)

    def _keep_constructor(self, node: ast.ClassDef) -> None:
        """Keep what the constructor of an exception stores, and what it hands to its base."""
        for inner in node.body:
            if not isinstance(inner, FUNCTIONS) or inner.name != "__init__":
                continue
            scope = Scope(inner)
            hits, skipped = self._hits, self._skipped
            self._hits, self._skipped = Hits([]), []
            self._walk(inner.body, scope, inner)
            self._hits, self._skipped = hits, skipped
            for statement in scope.statements:
                if is_construction(statement):
                    self.keep(statement)
            if self.vocabulary.holes:
                self._rooted.add(inner)
                names = {name for item in scope.statements if is_construction(item) for name in _all_names(item)}
                self._keep_flow(scope, names, whole=True)

    def _define_function(self, node: Function) -> None:
        scope = Scope(node)
        hits, self._hits = self._hits, Hits([])
        self._walk(node.body, scope, node)
        self._hits = hits
        self.keep(node)
        self._rooted.add(node)
        tracked: set[str] = set()
        for inner, value in scope.answers:
            self.keep(inner)
            tracked |= _all_names(value)
        self._keep_flow(scope, tracked, whole=True)

    # --- flow ---------------------------------------------------------------------------------------------------

    def _names(self, node: ast.expr) -> set[str]:
        return deciding_names(node, self.vocabulary.keys, self.vocabulary.holes)

    def _binders(self, scope: Scope) -> dict[str, list[ast.stmt]]:
        if scope.binders is None:
            scope.binders = {}
            for node in scope.statements:
                if type(node) in SIMPLE:
                    names = stored_names(node, self.walrus)
                elif isinstance(node, SCOPES):
                    names = (node.name,)
                else:
                    names = header_bindings(node, self.walrus)
                for name in names:
                    scope.binders.setdefault(name, []).append(node)
        return scope.binders

    def _keep_flow(self, scope: Scope, tracked: set[str], whole: bool = False) -> None:
        """Mark what decides which values reach the kept statements of a function, and whether its end is reached.

        ``tracked`` are the names whose values matter; with ``whole`` so does everything those are made of.
        """
        node: ast.AST
        self.keep(scope.node)
        bound = False
        bound_in: list[ast.stmt] = []
        pending, seen = list(tracked), set(tracked)
        binders = self._binders(scope) if pending else {}
        while pending:
            for node in binders.get(pending.pop(), ()):
                if type(node) not in SIMPLE:
                    self.keep(node, WHOLE if isinstance(node, SCOPES) else PLACEHOLDER)
                    bound = bound or not isinstance(node, TRY)
                    continue
                self.keep(node, WHOLE if whole else REDUCED)
                bound = True
                bound_in.append(node)
                value = getattr(node, "value", None)
                if isinstance(value, ast.expr):
                    more = (_all_names(value) if whole else self._names(value)) - seen
                    seen |= more
                    pending.extend(more)
        if not bound and scope.node not in self._rooted:
            other = self._other_answer(scope)
            if other is not None:
                self.keep(other, PLACEHOLDER)
            if other is not None or scope.node in self.adapters:
                self.flat.add(scope.node)
                return
        self.flat.discard(scope.node)
        self.flows.add(scope.node)
        self._keep_failing(scope, bound_in)
        for node in scope.statements:
            if node not in self.kept and (
                isinstance(node, (ast.Return, *TERMINATORS))
                or is_yield(node)
                or (isinstance(node, ast.While) and is_endless(node))
            ):
                self.keep(node, PLACEHOLDER)

    def _keep_failing(self, scope: Scope, binders: list[ast.stmt]) -> None:
        """Mark what follows a binding in a ``try``: where that fails, its handlers have the value that was bound."""
        within = [(node, last) for node in binders if (last := self._end_of_try(node))]
        places = {node: index for index, node in enumerate(scope.statements)} if within else {}
        for node, last in within:
            following = scope.statements[places[node] + 1 : places[node] + 2] if node in places else ()
            for after in following:
                if after.lineno <= last and after not in self.kept:
                    self.keep(after, PLACEHOLDER)

    def _end_of_try(self, node: ast.AST) -> int:
        """Return the last line of the body of the innermost ``try`` around a statement, 0 for none."""
        inner, parent = node, self._parents.get(node)
        while parent is not None and not isinstance(parent, SCOPES):
            if isinstance(parent, TRY) and inner in parent.body:  # type: ignore[attr-defined]
                return parent.body[-1].end_lineno or 0  # type: ignore[attr-defined]
            inner, parent = parent, self._parents.get(parent)
        return 0

    def _other_answer(self, scope: Scope) -> ast.stmt | None:
        """Return a statement by which a function answers more than errors: then it does not matter if it ends."""
        return next((node for node, _ in scope.answers if node not in self.kept), None)


def _bound_below(body: list[ast.stmt]) -> Iterator[str]:
    """Yield the names that a module binds on some ways only, or takes back."""
    for node in body:
        if isinstance(node, ast.Delete):
            yield from stored_names(node, walrus=False)
        elif type(node) not in SIMPLE and not isinstance(node, SCOPES):
            yield from header_bindings(node, walrus=False)
            for block in all_blocks(node):
                for inner in block:
                    if isinstance(inner, SCOPES):
                        yield inner.name
                    elif type(inner) in SIMPLE:
                        yield from stored_names(inner, walrus=False)
                yield from _bound_below(block)


def _all_names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _fields(node: ast.ClassDef) -> Iterator[str]:
    for inner in node.body:
        if isinstance(inner, (ast.Assign, ast.AnnAssign)):
            yield from stored_names(inner, walrus=False)


def _registers(call: ast.Call, names: Collection[str]) -> bool:
    """Whether a call has one of the names by which functions are registered, or an argument does."""
    return name_or_callee(call.func) in names or any(item.arg in names for item in call.keywords)
