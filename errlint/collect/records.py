"""Error records that a function builds, what happens to them, and calls of functions that build one.

A record is a dict below the key of the policy. It is followed from the statement that writes its fields out, through
names and what is stored into it afterwards, to where it is handed on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import libcst as cst
from msgspec import structs

from errlint.collect.deferred import receiver
from errlint.collect.expressions import below, constant_key, convert, dotted_name, inside, names_below
from errlint.collect.files import files
from errlint.collect.flow import State, Statement
from errlint.collect.outcomes import Suite, followed, loop_around, outcomes
from errlint.collect.rounds import Counter
from errlint.collect.ways import evaluated
from errlint.facts import Call, Compared, Entry, Handler, Item, Looked, Record, Ref, Rounds, Told, Value, Variable, only
from errlint.facts import Mapping as Dict
from errlint.findings import Span

MANY = 200
"""A function with more records than this is given up."""


class Recorded(NamedTuple):
    """What one function, or a script, does about error records: see the fields of these names in :class:`Function`."""

    records: tuple[Record, ...]
    told: tuple[Told, ...]
    compared: tuple[Compared, ...]
    looked: tuple[Looked, ...]
    rounds: tuple[Rounds, ...]


class _Made(NamedTuple):
    """A statement that binds a name to a dict: its place, the name, the dict."""

    node: Statement
    span: Span
    name: str
    value: Dict


class _Found(NamedTuple):
    node: Statement
    span: Span
    value: Dict
    steps: Mapping[str, Span]
    names: frozenset[str]
    handlers: tuple[Handler, ...]


class Recorder:
    """Watches the statements of one function in order. ``records`` are the key and the telling fields of records."""

    def __init__(
        self, records: tuple[str, ...], terms: frozenset[str], builders: frozenset[str], spans: Mapping[int, Span]
    ) -> None:
        self._key, self._fields = records[0], frozenset(records[1:])
        self._terms, self._builders, self._spans = terms, builders, spans
        self._made: list[_Made] = []
        self._steps: dict[str, dict[str, Span]] = {}
        self._texts: dict[str, Span] = {}
        self._printed: dict[int, list[Span]] = {}
        self._remade: set[int] = set()
        self._found: dict[int, _Found] = {}
        self._told: list[tuple[Statement, Told]] = []
        self._looked: dict[Looked, None] = {}
        self._counter = Counter(spans)
        self._compared: list[tuple[Span, str, tuple[str, ...], Statement | None, frozenset[str]]] = []

    def statement(self, node: Statement, state: State, handlers: tuple[Handler, ...]) -> None:
        """Look at one statement; ``state`` is what holds before it."""
        span = self._spans[id(node)]
        self._counter.statement(node, state)
        target = _target(node)
        whole = getattr(node, "value", None) if isinstance(node, (cst.Assign, cst.AnnAssign)) else None
        if isinstance(node, cst.Match):
            self._match(node, state)
        for part in evaluated(node):
            if isinstance(part, cst.Comparison):
                self._compare(part, node, span, state)
            if isinstance(part, cst.Call):
                self._tell(part, node, state)
            if isinstance(part, (cst.Call, cst.Subscript)):
                self._look(part, span, state)
            if not isinstance(part, (cst.Dict, cst.Call, cst.Name)):
                continue
            if isinstance(part, cst.Name) and (part.value not in state or whole is part):
                continue
            if isinstance(part, cst.Call) and dotted_name(part.func) != "dict":
                continue
            found = convert(part, state)
            names = {part.value} if isinstance(part, cst.Name) else set()
            if part is whole and target:
                names.add(target)
            for value in found.values if type(found) is Variable else (found,):
                self._note(node, span, value, names, handlers)
        if whole is not None and target and isinstance(whole, (cst.Dict, cst.Call, cst.BinaryOperation)):
            value = convert(whole, state)
            if type(value) is Dict:
                self._made.append(_Made(node, span, target, value))
                self._steps.pop(target, None)
        if target:
            self._texts.pop(target, None)
            if isinstance(whole, cst.SimpleString):
                self._texts[target] = span
        for name, key in _stored(node):
            self._steps.setdefault(name, {})[key] = span

    def finish(self, body: Suite) -> Recorded:
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
        told: list[Told] = []
        for node, call in self._told[:MANY]:
            ways = followed(body, node, frozenset(filter(None, [_target(node)])), self._spans, telling)
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

    def _look(self, node: cst.BaseExpression, span: Span, state: State) -> None:
        """Note a look into what stands below the key of records."""
        value = convert(node, state)
        base = only(value.base) if type(value) is Item else None
        if type(value) is Item and type(base) is Item and base.key == self._key:
            self._looked.setdefault(Looked(span, value.key, base.base))

    def _compare(self, test: cst.Comparison, node: Statement, span: Span, state: State) -> None:
        """Note a comparison of a field of a record with texts, and the branch of an `if` where it is equal."""
        key = self._field(test.left, state)
        if not key or len(test.comparisons) != 1:
            return
        operator, given = test.comparisons[0].operator, test.comparisons[0].comparator
        items = (
            [item.value for item in given.elements] if isinstance(given, (cst.Tuple, cst.List, cst.Set)) else [given]
        )
        texts = [constant_key(item) for item in items]
        first = _first(node.body) if isinstance(node, cst.If) and node.test is test else None
        is_equal = isinstance(operator, cst.Equal) or (isinstance(operator, cst.In) and len(texts) == 1)
        known = tuple(text for text in texts if text is not None)
        if known and isinstance(operator, (cst.Equal, cst.NotEqual, cst.In, cst.NotIn)):
            names = frozenset((*names_below(test.left), *_held(convert(test.left, state))))
            self._compared.append((span, key, known, first if is_equal else None, names))

    def _match(self, node: cst.Match, state: State) -> None:
        key = self._field(node.subject, state)
        for case in node.cases if key else ():
            patterns = [item.pattern for item in case.pattern.patterns] if _is_or(case.pattern) else [case.pattern]  # type: ignore[attr-defined]
            texts = [constant_key(item.value) if isinstance(item, cst.MatchValue) else None for item in patterns]
            first = _first(case.body)
            known = tuple(text for text in texts if text is not None)
            if known and first is not None:
                names = frozenset((*names_below(node.subject), *_held(convert(node.subject, state))))
                self._compared.append((self._spans[id(first)], key, known, first if len(texts) == 1 else None, names))

    def _field(self, node: cst.BaseExpression, state: State) -> str:
        """Return which telling field of a record an expression is, "" for none."""
        value = only(convert(node, state))
        if type(value) is not Item or value.key not in self._fields:
            return ""
        base = value.base
        if type(base) in (Ref, Variable) and base.name == self._key:  # type: ignore[union-attr]
            return value.key
        inner = only(base)
        return value.key if type(inner) is Item and inner.key == self._key else ""

    def _note(
        self,
        node: Statement,
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
        given = next(entry.value for entry in value.entries if entry.key == self._key)
        if type(given) is Variable:
            names = names | {given.name}
        steps = {key: place for name in names for key, place in self._steps.get(name, {}).items()}
        is_stepped = bool(steps)
        origin = self._origin(value, inner, names)
        first, place = (origin.node, origin.span) if origin is not None else (node, span)
        if origin is not None and is_stepped:
            place = span  # filled step by step: it is whole where it is handed on
        for entry in _entries(inner):
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
        self._found[id(first)] = _Found(first, place, value, steps, frozenset(names), handlers)

    def _inner(self, value: Value) -> Dict | None:
        if type(value) is not Dict:
            return None
        inner = only(next((entry.value for entry in value.entries if entry.key == self._key), None))
        if type(inner) is not Dict:
            return None
        said = {entry.key for entry in _entries(inner)}
        return inner if said & self._fields else None

    def _origin(self, value: Dict, inner: Dict, names: set[str]) -> _Made | None:
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

    def _tell(self, node: cst.Call, statement: Statement, state: State) -> None:
        last = node.func.attr.value if isinstance(node.func, cst.Attribute) else dotted_name(node.func)
        if last in self._builders or any(constant_key(argument.value) in self._terms for argument in node.args):
            value = convert(node, state)
            if type(value) is Call:
                call = value if value.name else Call(receiver(node.func), value.arguments)
                self._told.append((statement, Told(self._spans[id(statement)], call)))


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


def _is_or(pattern: cst.MatchPattern) -> bool:
    return isinstance(pattern, cst.MatchOr)


def _first(body: cst.BaseSuite) -> Statement | None:
    """Return the first statement of a block."""
    for line in body.body:
        if isinstance(line, cst.SimpleStatementLine):
            return line.body[0]
        if isinstance(line, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            return line
    return None


def _remakes(node: Statement, names: set[str]) -> bool:
    """Whether a statement takes the result of a function that gets a record, and is not told to make a text of it."""
    call = node.value if isinstance(node, (cst.Return, cst.Assign, cst.AnnAssign)) else None
    call = call.expression if isinstance(call, cst.Await) else call
    return (
        isinstance(call, cst.Call)
        and receiver(call.func).rpartition(".")[2] not in ("dumps", "str", "repr", "dict", "len")
        and any(isinstance(item.value, cst.Dict) or dotted_name(item.value) in names for item in call.args)
    )


def _prints(node: Statement, names: set[str]) -> bool:
    """Whether a statement prints a dict, by one of its names or written out, as it is."""
    call = node.value if isinstance(node, cst.Expr) else None
    return (
        isinstance(call, cst.Call)
        and dotted_name(call.func) == "print"
        and not any(argument.keyword is not None and argument.keyword.value == "file" for argument in call.args)
        and any(isinstance(item.value, cst.Dict) or dotted_name(item.value) in names for item in call.args)
    )


def speaking(module: cst.Module, records: tuple[str, ...]) -> frozenset[str]:
    """Return the names of the functions of a module that speak of records: of the key, and of a telling field."""
    names: set[str] = set()
    pending: list[tuple[cst.CSTNode, tuple[set[str], ...]]] = [(module, ())]
    functions: list[tuple[str, set[str]]] = []
    while pending:
        node, around = pending.pop()
        if isinstance(node, cst.FunctionDef):
            said: set[str] = set()
            functions.append((node.name.value, said))
            around = (*around, said)
        text = ""
        if isinstance(node, cst.SimpleString):
            text = constant_key(node) or ""
        elif isinstance(node, cst.Arg) and node.keyword is not None:
            text = node.keyword.value
        if text:
            for each in around:
                each.add(text)
        pending.extend((child, around) for child in inside(node))
    for name, said in functions:
        if records[0] in said and not said.isdisjoint(records[1:]):
            names.add(name)
    return frozenset(names)


def _entries(value: Dict) -> Iterator[Entry]:
    yield from value.entries
    for spread in value.spreads:
        found = only(spread)
        if type(found) is Dict:
            yield from _entries(found)


def _target(node: Statement) -> str:
    if isinstance(node, cst.Assign) and len(node.targets) == 1:
        return node.targets[0].target.value if isinstance(node.targets[0].target, cst.Name) else ""
    return node.target.value if isinstance(node, cst.AnnAssign) and isinstance(node.target, cst.Name) else ""


def _stored(node: Statement) -> Iterator[tuple[str, str]]:
    """Yield the names into which a statement stores something, each with the last key."""
    targets = [item.target for item in node.targets] if isinstance(node, cst.Assign) else []
    for target in targets:
        if isinstance(target, cst.Subscript) and len(target.slice) == 1:
            index = target.slice[0].slice
            key = constant_key(index.value) if isinstance(index, cst.Index) else None
            root: cst.BaseExpression = target
            while isinstance(root, cst.Subscript):
                root = root.value
            if key is not None and isinstance(root, cst.Name):
                yield root.value, key
    call = node.value if isinstance(node, cst.Expr) else None
    if isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute):
        root = call.func.value
        while isinstance(root, cst.Subscript):
            root = root.value
        if isinstance(root, cst.Name) and call.func.attr.value in ("update", "setdefault"):
            for part in below(call):
                name = part.keyword.value if isinstance(part, cst.Arg) and part.keyword is not None else None
                if name is None and isinstance(part, (cst.Arg, cst.DictElement)):
                    name = constant_key(part.value if isinstance(part, cst.Arg) else part.key)
                if name is not None:
                    yield root.value, name
