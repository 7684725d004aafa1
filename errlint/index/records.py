"""Error records that a function builds, what happens to them, and calls of functions that build one.

A record is a dict below the key of the policy. It is followed from the statement that writes its fields out, through
names and what is stored into it afterwards, to where it is handed on.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec import structs

from errlint.facts import (
    Call,
    Compared,
    Handler,
    Item,
    Looked,
    Record,
    Ref,
    Rounds,
    ToldError,
    Value,
    Variable,
    only,
)
from errlint.facts import Mapping as Dict
from errlint.findings import Span
from errlint.index.bindings import FunctionNode, variable_of
from errlint.index.deferred import receiver
from errlint.index.effects import State
from errlint.index.expressions import below, constant_key, convert, dotted_name, given, names_below, subscript_key
from errlint.index.files import files
from errlint.index.forward import Block
from errlint.index.outcomes import followed, loop_around, outcomes
from errlint.index.path_states import evaluated
from errlint.index.rounds import Counter
from errlint.index.spans import Spans
from errlint.index.statements import everywhere
from errlint.trees import children, last_name

MANY = 200
"""A function with more records than this is given up."""


class Recorded(NamedTuple):
    """What one function, or a script, does about error records: see the fields of these names in :class:`Function`."""

    records: tuple[Record, ...]
    told: tuple[ToldError, ...]
    compared: tuple[Compared, ...]
    looked: tuple[Looked, ...]
    rounds: tuple[Rounds, ...]


class _BoundDict(NamedTuple):
    """A statement that binds a name to a dict: its place, the name, the dict."""

    node: ast.stmt
    span: Span
    name: str
    value: Dict


class _RecordPlace(NamedTuple):
    node: ast.stmt
    span: Span
    value: Dict
    steps: Mapping[str, Span]
    names: frozenset[str]
    handlers: tuple[Handler, ...]


class Recorder:
    """Watches the statements of one function in order. ``records`` are the key and the telling fields of records."""

    def __init__(self, records: tuple[str, ...], terms: frozenset[str], builders: frozenset[str], spans: Spans) -> None:
        self._key, self._fields = records[0], frozenset(records[1:])
        self._terms, self._builders, self._spans = terms, builders, spans
        self._made: list[_BoundDict] = []
        self._steps: dict[str, dict[str, Span]] = {}
        self._texts: dict[str, Span] = {}
        self._printed: dict[int, list[Span]] = {}
        self._remade: set[int] = set()
        self._found: dict[int, _RecordPlace] = {}
        self._told: list[tuple[ast.stmt, ToldError]] = []
        self._looked: dict[Looked, None] = {}
        self._counter = Counter(spans)
        self._compared: list[tuple[Span, str, tuple[str, ...], ast.stmt | None, frozenset[str]]] = []

    def statement(self, node: ast.stmt, state: State, handlers: tuple[Handler, ...]) -> None:
        """Look at one statement; ``state`` is what holds before it."""
        span = self._spans.of(node)
        self._counter.statement(node, state)
        target = variable_of(node)
        whole = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        if isinstance(node, ast.Match):
            self._match(node, state)
        for part in evaluated(node):
            if type(part) is ast.Compare:
                self._compare(part, node, span, state)
            elif type(part) is ast.Subscript:
                self._look(part, span, state)
            elif type(part) is ast.Call:
                self._tell(part, node, state)
                self._look(part, span, state)
                if dotted_name(part.func) == "dict":
                    self._hold(part, node, span, set(), state, handlers)
            elif type(part) is ast.Dict:
                # Only then can it be a record; to convert a dict is to convert all of it.
                if any(key is None or constant_key(key) == self._key for key in part.keys):
                    self._hold(part, node, span, set(), state, handlers)
            elif type(part) is ast.Name and part is not whole and _may_be_dict(state.get(part.id)):
                self._hold(part, node, span, {part.id}, state, handlers)
        if whole is not None and target and isinstance(whole, (ast.Dict, ast.Call, ast.BinOp)):
            value = convert(whole, state)
            if type(value) is Dict:
                self._made.append(_BoundDict(node, span, target, value))
                self._steps.pop(target, None)
        if target:
            self._texts.pop(target, None)
            if isinstance(whole, ast.Constant) and isinstance(whole.value, (str, bytes)):
                self._texts[target] = span
        for name, key in _stored(node):
            self._steps.setdefault(name, {})[key] = span

    def finish(self, body: Block) -> Recorded:
        """Return what was found in the function with this body."""
        found = list(self._found.values())[:MANY]
        nodes = [*(each.node for each in found), *(node for node, _ in self._told)]
        telling = frozenset(map(id, nodes))
        records: list[Record] = []
        for each in found:
            ways = followed(body, each.node, each.names, self._spans, telling)
            records.append(
                Record(
                    each.span,
                    each.value,
                    tuple(sorted(each.steps.items())),
                    ways.outcomes,
                    tuple(sorted({handler.name for handler in each.handlers if handler.name})),
                    loop_around(body, each.node),
                    tuple(self._printed.get(id(each.node), ())),
                    id(each.node) in self._remade,
                    ways.reached,
                    tuple(files(body, each.names, self._spans)),
                )
            )
        told: list[ToldError] = []
        for node, call in self._told[:MANY]:
            ways = followed(body, node, frozenset(filter(None, [variable_of(node)])), self._spans, telling)
            told.append(structs.replace(call, outcomes=ways.outcomes, reached=ways.reached))
        compared = (
            Compared(
                span,
                key,
                texts,
                outcomes(body, first, names, self._spans) if first is not None else (),
                loop_around(body, first) if first is not None else "",
            )
            for span, key, texts, first, names in self._compared
        )
        return Recorded(
            tuple(sorted(records, key=lambda record: record.span)),
            tuple(told),
            tuple(compared),
            tuple(self._looked),
            tuple(self._counter.finish(body, nodes)),
        )

    def _look(self, node: ast.Call | ast.Subscript, span: Span, state: State) -> None:
        """Note a look into what stands below the key of records."""
        if subscript_key(node) is None if isinstance(node, ast.Subscript) else last_name(node.func) != "get":
            return
        value = convert(node, state)
        base = only(value.base) if type(value) is Item else None
        if type(value) is Item and type(base) is Item and base.key == self._key:
            self._looked.setdefault(Looked(span, value.key, base.base))

    def _compare(self, test: ast.Compare, node: ast.stmt, span: Span, state: State) -> None:
        """Note a comparison of a field of a record with texts, and the branch of an `if` where it is equal."""
        if len(test.ops) != 1 or not isinstance(test.ops[0], (ast.Eq, ast.NotEq, ast.In, ast.NotIn)):
            return
        key = self._field(test.left, state)
        if not key:
            return
        operator, other = test.ops[0], test.comparators[0]
        items = other.elts if isinstance(other, (ast.Tuple, ast.List, ast.Set)) else [other]
        texts = [constant_key(item) for item in items]
        first = node.body[0] if isinstance(node, ast.If) and node.test is test else None
        is_equal = isinstance(operator, ast.Eq) or (isinstance(operator, ast.In) and len(texts) == 1)
        known = tuple(text for text in texts if text is not None)
        if known:
            names = frozenset((*names_below(test.left), *_held(convert(test.left, state))))
            self._compared.append((span, key, known, first if is_equal else None, names))

    def _match(self, node: ast.Match, state: State) -> None:
        key = self._field(node.subject, state)
        for case in node.cases if key else ():
            patterns = case.pattern.patterns if isinstance(case.pattern, ast.MatchOr) else [case.pattern]
            texts = [constant_key(item.value) if isinstance(item, ast.MatchValue) else None for item in patterns]
            first = case.body[0]
            known = tuple(text for text in texts if text is not None)
            if known:
                names = frozenset((*names_below(node.subject), *_held(convert(node.subject, state))))
                self._compared.append((self._spans.of(first), key, known, first if len(texts) == 1 else None, names))

    def _field(self, node: ast.expr, state: State) -> str:
        """Return which telling field of a record an expression is, "" for none."""
        value = only(convert(node, state))
        if type(value) is not Item or value.key not in self._fields:
            return ""
        base = value.base
        if type(base) in (Ref, Variable) and base.name == self._key:  # type: ignore[union-attr]
            return value.key
        inner = only(base)
        return value.key if type(inner) is Item and inner.key == self._key else ""

    def _hold(
        self,
        part: ast.expr,
        node: ast.stmt,
        span: Span,
        names: set[str],
        state: State,
        handlers: tuple[Handler, ...],
    ) -> None:
        """Note the records that an expression may be; ``names`` are those by which it is known."""
        found = convert(part, state)
        for value in found.values if type(found) is Variable else (found,):
            self._note(node, span, value, names, handlers)

    def _note(
        self,
        node: ast.stmt,
        span: Span,
        value: Value,
        names: set[str],
        handlers: tuple[Handler, ...],
    ) -> None:
        """Note the record that a value is, at the statement that wrote its fields out."""
        inner = self._inner(value)
        if inner is None:
            return
        assert type(value) is Dict
        below_key = next(entry.value for entry in value.entries if entry.key == self._key)
        if type(below_key) is Variable:
            names = names | {below_key.name}
        steps = {key: place for name in names for key, place in self._steps.get(name, {}).items()}
        is_stepped = bool(steps)
        origin = self._origin(value, inner, names)
        first, place = (origin.node, origin.span) if origin is not None else (node, span)
        if origin is not None and is_stepped:
            place = span  # filled step by step: it is whole where it is handed on
        for entry in inner.entries:
            if type(entry.value) is Variable and entry.value.name in self._texts and entry.key is not None:
                steps.setdefault(entry.key, self._texts[entry.value.name])
        known = self._found.get(id(first))
        if known is not None:
            names = names | known.names
            steps = {**known.steps, **steps}
        if origin is not None:
            names = names | {origin.name}
        if _remakes(node, names):
            self._remade.add(id(first))
        if _prints(node, names):
            self._printed.setdefault(id(first), []).append(span)
        self._found[id(first)] = _RecordPlace(first, place, value, steps, frozenset(names), handlers)

    def _inner(self, value: Value) -> Dict | None:
        if type(value) is not Dict:
            return None
        inner = only(next((entry.value for entry in value.entries if entry.key == self._key), None))
        if type(inner) is not Dict:
            return None
        said = {entry.key for entry in inner.entries}
        return inner if said & self._fields else None

    def _origin(self, value: Dict, inner: Dict, names: set[str]) -> _BoundDict | None:
        """Return the statement that wrote a record, or its inner dict, out and put it into a name."""
        for made in reversed(self._made):
            if made.name in names and made.value == inner:
                return made
        for made in reversed(self._made):
            if made.value in (value, inner):
                return (
                    self._origin(value, inner, {made.name}) if made.value == value and made.name not in names else made
                )
        return next((made for made in reversed(self._made) if made.name in names), None)

    def _tell(self, node: ast.Call, statement: ast.stmt, state: State) -> None:
        if (
            last_name(node.func) in self._builders
            or any(_text(item) in self._terms for item in node.args)
            or any(_text(item.value) in self._terms for item in node.keywords)
        ):
            value = convert(node, state)
            if type(value) is Call:
                call = value if value.name else Call(receiver(node.func), value.arguments)
                self._told.append((statement, ToldError(self._spans.of(statement), call)))


def _may_be_dict(held: Variable | None) -> bool:
    """Whether a name can hold a dict, by what is known of it."""
    return held is not None and any(type(value) is Dict for value in held.values)


def _text(node: ast.expr) -> str | None:
    """Return the text that an argument is, also behind a star."""
    return constant_key(node.value if isinstance(node, ast.Starred) else node)


def _held(value: Value) -> Iterator[str]:
    """Yield the names that a look into a record goes through, as in ``error = output["error"]``."""
    while type(value) is Item or type(value) is Variable:
        if type(value) is Variable:
            yield value.name
        value = value.base if type(value) is Item else only(value)
        if type(value) is Variable and len(value.values) != 1:
            yield value.name
            return
    if type(value) is Ref:
        yield value.name


def _remakes(node: ast.stmt, names: set[str]) -> bool:
    """Whether a statement takes the result of a function that gets a record, and is not told to make a text of it."""
    call = node.value if isinstance(node, (ast.Return, ast.Assign, ast.AnnAssign)) else None
    call = call.value if isinstance(call, ast.Await) else call
    return (
        isinstance(call, ast.Call)
        and receiver(call.func).rpartition(".")[2] not in ("dumps", "str", "repr", "dict", "len")
        and _takes(call, names)
    )


def _prints(node: ast.stmt, names: set[str]) -> bool:
    """Whether a statement prints a dict, by one of its names or written out, as it is."""
    call = node.value if isinstance(node, ast.Expr) else None
    return (
        isinstance(call, ast.Call)
        and dotted_name(call.func) == "print"
        and not any(keyword.arg == "file" for keyword in call.keywords)
        and _takes(call, names)
    )


def _takes(call: ast.Call, names: set[str]) -> bool:
    """Whether a call is given a dict, by one of its names or written out."""
    return any(isinstance(value, ast.Dict) or dotted_name(value) in names for _, value in given(call))


def speaking(body: Block, records: tuple[str, ...]) -> frozenset[str]:
    """Return the names of the functions of a module that speak of records: of the key, and of a telling field."""
    if records[0] not in _texts_below(body):
        return frozenset()  # of most modules
    return frozenset(
        node.name
        for node in everywhere(body)
        if isinstance(node, FunctionNode)
        and records[0] in (said := _texts_below([node]))
        and not said.isdisjoint(records[1:])
    )


def _texts_below(body: Block) -> set[str]:
    """Return the texts and the names of arguments in a block; the literal pieces of an f-string say nothing alone."""
    found: set[str] = set()
    pending: list[ast.AST] = [*body]
    while pending:
        node = pending.pop()
        if type(node) is ast.Name:
            continue
        if type(node) is ast.Constant:
            found.add(constant_key(node) or "")
        elif type(node) is ast.JoinedStr:
            pending.extend(part for part in children(node) if type(part) is not ast.Constant)
        else:
            if type(node) is ast.keyword:
                found.add(node.arg or "")
            pending.extend(children(node))
    return found


def _stored(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """Yield the names into which a statement stores something, each with the last key."""
    for target in node.targets if isinstance(node, ast.Assign) else ():
        if isinstance(target, ast.Subscript):
            key, root = subscript_key(target), _root(target)
            if key is not None and isinstance(root, ast.Name):
                yield root.id, key
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return
    root = _root(call.func.value)
    if isinstance(root, ast.Name) and call.func.attr in ("update", "setdefault"):
        yield from ((root.id, name) for part in below(call) for name in _keys(part))


def _root(node: ast.expr) -> ast.expr:
    """Return what stands before all subscripts of an expression."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node


def _keys(node: ast.AST) -> Iterator[str]:
    """Yield the keys that a dict or the arguments of a call give to what is updated with it."""
    keys: list[str | None] = []
    if type(node) is ast.Call:
        keys = [constant_key(value) if name in ("", "*", "**") else name for name, value in given(node)]
    elif type(node) is ast.Dict:
        keys = [constant_key(key) for key in node.keys]
    yield from (key for key in keys if key is not None)
