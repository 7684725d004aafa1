"""Places that tell values of one subject apart (``match``, ``if``, a dict that is looked up), declare or give them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from errlint.facts import Arm, Distinction
from errlint.findings import Span
from errlint.index.bindings import assigned, assigned_names, target_names, targets_of
from errlint.index.expressions import constant_key, dotted_name, given
from errlint.index.forward import Block, elif_of
from errlint.index.path_states import evaluated
from errlint.index.spans import Spans
from errlint.index.spelling import named, plain
from errlint.index.statements import below, leaves
from errlint.trees import last_name


def distinctions(
    function: ast.FunctionDef | ast.AsyncFunctionDef, spans: Spans, settings: frozenset[str]
) -> Iterator[Distinction]:
    """Yield the places in a function that tell at least two values apart and say nothing of any other.

    So are those that give one of the ``settings`` a default, and the names that hold one value only.
    """
    statements = list(below(function.body))
    followed = {elif_of(node) for node in statements if isinstance(node, ast.If)}
    rows = _rows(function.body)
    for node in statements:
        if isinstance(node, ast.Match):
            found = _of_match(node)
        elif not isinstance(node, ast.If):
            found = None
        elif node in rows:
            found = rows[node]
        else:
            found = _of_chain(node) if node not in followed else None
        if found is not None and len(found[1]) > 1:
            yield Distinction(spans.of(node), *found)
    yield from _of_dicts(statements, statements, spans)
    yield from _fixed(statements, spans)
    for name, default in _parameters(function.args):
        yield from _default(spans.of(function), name, default, settings)
    for node in statements:
        yield from _given(node, spans, settings)


def _parameters(taken: ast.arguments) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the parameters that may be given by name, with their defaults."""
    missing = [None] * (len(taken.posonlyargs) + len(taken.args) - len(taken.defaults))
    defaults = (*missing, *taken.defaults)[len(taken.posonlyargs) :]
    for item, default in zip((*taken.args, *taken.kwonlyargs), (*defaults, *taken.kw_defaults)):  # noqa: B905 -- equal
        yield item.arg, default


def reads(function: ast.FunctionDef | ast.AsyncFunctionDef, settings: frozenset[str]) -> Iterator[str]:
    """Yield the ``settings`` that the body of a function reads, as a name or an attribute, or hands over by name."""
    if not settings:
        return
    for node in below(function.body):
        for part in evaluated(node):
            if isinstance(part, (ast.Name, ast.Attribute)) and isinstance(part.ctx, ast.Load):
                yield from _meant(part.id if isinstance(part, ast.Name) else part.attr, settings)
            elif type(part) is ast.Call:
                for item in part.keywords:
                    if item.arg is not None:
                        yield from _meant(item.arg, settings)


@lru_cache(maxsize=4096)
def _meant(name: str, settings: frozenset[str]) -> tuple[str, ...]:
    """Return the settings that a name in the code means; most names are asked about again and again."""
    return tuple(named((plain(name),), settings))


def arms(function: ast.FunctionDef | ast.AsyncFunctionDef, spans: Spans) -> Iterator[Arm]:
    """Yield the branches of a function that are for some values of a subject."""
    for node in below(function.body):
        if isinstance(node, ast.Match):
            for case in node.cases:
                values = _matched(case.pattern)
                if all(values):
                    yield _arm(spans.of(node), dotted_name(node.subject), values, case.body, spans)
        elif isinstance(node, ast.If):
            asked = _asked(node.test)
            if asked is not None:
                yield _arm(spans.of(node), *asked, node.body, spans)


def _arm(span: Span, subject: str, values: list[str], body: Block, spans: Spans) -> Arm:
    statements = list(below(body))
    answers = tuple(spans.of(node) for node in statements if isinstance(node, ast.Return) and node.value)
    calls = (
        (name, spans.of(node))
        for node in statements
        for part in evaluated(node)
        if isinstance(part, ast.Call) and (name := dotted_name(part.func))
    )
    return Arm(span, subject, tuple(values), answers, tuple(dict.fromkeys(calls)))


def _fixed(statements: list[ast.stmt], spans: Spans) -> Iterator[Distinction]:
    """Yield the assignments of one value to a name that nothing else is assigned to."""
    bound: dict[str, list[ast.stmt]] = {}
    for node in statements:
        for name in _targets(node):
            bound.setdefault(name, []).append(node)
    for name, (first, *others) in bound.items():
        value = getattr(first, "value", None)
        text = _value(value) if value is not None and not others else ""
        if text:
            yield Distinction(spans.of(first), name, (text,), "fixed")


def _targets(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement assigns or deletes by itself."""
    for target in node.targets if isinstance(node, ast.Delete) else targets_of(node):
        yield from target_names(target)


def _given(node: ast.stmt, spans: Spans, settings: frozenset[str]) -> Iterator[Distinction]:
    """Yield what a statement looks up with a value for the case that it is not there, or declares a default for."""
    for part in evaluated(node) if settings else ():
        if type(part) is not ast.Call:
            continue
        if last_name(part.func) not in _LOOKUPS and not any(item.arg == "default" for item in part.keywords):
            continue  # no value for the case that something is not there
        taken = given(part)
        positional = [value for name, value in taken if name in _UNNAMED]
        keywords = {name: value for name, value in taken if name not in _UNNAMED}
        at = _LOOKUPS.get(last_name(part.func))
        value = keywords.get("default", positional[at] if at is not None and len(positional) == at + 1 else None)
        for text in map(_value, (*positional[:2], *([keywords["dest"]] if "dest" in keywords else []))):
            yield from _default(spans.of(node), text, value, settings)


def _default(span: Span, name: str, value: ast.expr | None, settings: frozenset[str]) -> Iterator[Distinction]:
    """Yield that a setting has a value where nobody gives another one."""
    if isinstance(value, ast.Call) and last_name(value.func) in _FIELDS:
        keywords = [item.value for item in value.keywords if item.arg == "default"]
        value = next(iter([*keywords, *value.args[:1]]), None)
    text = _value(value) if value is not None else ""
    if isinstance(value, ast.Constant) and isinstance(value.value, bool):
        text = str(value.value)
    for setting in _meant(name, settings) if text else ():
        yield Distinction(span, setting, (text,), "default")


_UNNAMED = frozenset({"", "*", "**"})
"""How arguments are marked that are given without a name."""

_FIELDS = frozenset({"Field", "field", "Option", "Argument", "Query", "Body", "mapped_column", "attrib", "ib"})
"""Last names of calls that declare a field or a parameter, with its default as the first argument or by name."""

_LOOKUPS = {"get": 1, "getenv": 1, "pop": 1, "setdefault": 1, "getattr": 2}
"""Last names of calls that look something up, and which of their arguments holds where it is not there."""


def declarations(
    nodes: Sequence[ast.stmt],
    statements: Iterable[ast.stmt | ast.ExceptHandler],
    spans: Spans,
    settings: frozenset[str],
) -> Iterator[Distinction]:
    """Yield what a module declares: enumerations, aliases of ``Literal``, and tables that it looks up somewhere.

    So are defaults of ``settings``.

    ``nodes`` are its own statements, ``statements`` all of those in the file.
    """
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            if any(dotted_name(item).endswith("Enum") for item in node.bases):
                yield Distinction(spans.of(node), node.name, tuple(_members(node)), how="declared")
            else:
                yield from _defaults(node, spans, settings)
        for name, value in assigned_names(node):
            yield from _alias(name, value, spans.of(node))
        yield from _given(node, spans, settings)
    yield from _of_dicts(nodes, [node for node in statements if isinstance(node, ast.stmt)], spans)


def _defaults(node: ast.ClassDef, spans: Spans, settings: frozenset[str]) -> Iterator[Distinction]:
    """Yield the values that fields of a class have where nobody gives others."""
    for statement in below(node.body):
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            for name in _targets(statement):
                yield from _default(spans.of(statement), name, statement.value, settings)


def _members(node: ast.ClassDef) -> Iterator[str]:
    """Yield the names of the members of an enumeration, and the texts that they are where those are others."""
    for statement in below(node.body):
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            name, text = statement.targets[0].id, _value(statement.value)
            yield name
            if text and plain(text) != plain(name):
                yield text


def _alias(name: str, value: ast.expr, span: Span) -> Iterator[Distinction]:
    """Yield the texts of ``Mode = Literal["fail", "queue"]``."""
    if isinstance(value, ast.Subscript) and last_name(value.value) == "Literal":
        items = value.slice.elts if isinstance(value.slice, ast.Tuple) else [value.slice]
        texts = [constant_key(item) for item in items]
        if None not in texts:
            yield Distinction(span, name, tuple(text for text in texts if text is not None), how="declared")


def _rows(body: Block) -> dict[ast.If, tuple[str, tuple[str, ...]]]:
    """Return the first of several ``if`` in a row that leave the function one after the other, with nothing behind.

    What stands behind them is the branch of all others, but for ``assert_never(mode)``.
    """
    if _is_never(body[-1:]):
        body = body[:-1]
    elif body and isinstance(body[-1], (ast.If, ast.With, ast.AsyncWith, ast.Try)) and len(_row(body)) < 2:
        return _rows(body[-1].body)
    row = _row(body)
    asked = [_asked(node.test) for node in row]
    subjects = {item[0] if item is not None else "" for item in asked}
    if len(row) < 2 or len(subjects) != 1 or "" in subjects:
        return {}
    return {row[0]: (subjects.pop(), tuple(value for item in asked if item is not None for value in item[1]))}


def _row(body: Block) -> list[ast.If]:
    """Return the last statements of a block as far as each is an ``if`` that leaves the function."""
    row: list[ast.If] = []
    for node in reversed(body):
        if not isinstance(node, ast.If) or node.orelse or not leaves(node.body):
            break
        row.insert(0, node)
    return row


def _is_never(body: Block) -> bool:
    """Whether all of a block is ``assert_never(mode)``."""
    call = body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None
    return isinstance(call, ast.Call) and last_name(call.func) == "assert_never"


def _of_match(node: ast.Match) -> tuple[str, tuple[str, ...]] | None:
    values: list[str] = []
    for case in node.cases:
        if not _is_never(case.body):
            values.extend(_matched(case.pattern))
    return (dotted_name(node.subject), tuple(values)) if all(values) else None


def _matched(pattern: ast.pattern) -> list[str]:
    """Return the value of a pattern, or those of its alternatives, "" for each that is none."""
    patterns = pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern]
    return [_value(item.value) if isinstance(item, ast.MatchValue) else "" for item in patterns]


def _of_chain(node: ast.If) -> tuple[str, tuple[str, ...]] | None:
    """Return the subject of an ``if`` with an ``elif`` and the values that are asked for; ``None`` with an ``else``."""
    subject, values = "", list[str]()
    following = elif_of(node)
    if following is None:
        return None
    while True:
        asked = _asked(node.test)
        if asked is None or subject not in ("", asked[0]):
            return None
        subject = asked[0]
        values.extend(asked[1])
        if following is None:
            return None if node.orelse and not _is_never(node.orelse) else (subject, tuple(values))
        node, following = following, elif_of(following)


def _asked(test: ast.expr) -> tuple[str, list[str]] | None:
    """Return what a test compares, and the values it is compared with."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        subject, values = "", list[str]()
        for item in test.values:
            asked = _asked(item)
            if asked is None or subject not in ("", asked[0]):
                return None
            subject = asked[0]
            values.extend(asked[1])
        return subject, values
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    first, operator, second = test.left, test.ops[0], test.comparators[0]
    if isinstance(operator, ast.In) and isinstance(second, (ast.Tuple, ast.List, ast.Set)):
        values = [_value(item) for item in second.elts]
    elif isinstance(operator, (ast.Eq, ast.Is)):
        if isinstance(first, ast.Constant):
            first, second = second, first
        values = [_value(second)]
    else:
        return None
    subject = dotted_name(first).removesuffix(".value")
    return (subject, values) if subject and all(values) else None


def _value(node: ast.expr) -> str:
    """Return the last name of a member, or a text, "" for anything else."""
    if isinstance(node, ast.Constant):
        return constant_key(node) or ""
    name = dotted_name(node).removesuffix(".value")
    return name.rpartition(".")[2] if "." in name else ""


def _of_dicts(nodes: Sequence[ast.stmt], statements: Sequence[ast.stmt], spans: Spans) -> Iterator[Distinction]:
    """Yield the dicts that are asked for what they lack: written where they are looked up, or held in a name.

    ``nodes`` may hold one in a name, ``statements`` may ask it.
    """
    held: dict[str, tuple[Span, tuple[str, ...]]] = {}
    asked: dict[str, str] = {}
    for node in nodes:
        for target, value in assigned(node):
            if isinstance(value, ast.Dict):
                held[dotted_name(target)] = (spans.of(node), _keys(value))
    is_whole = nodes is statements
    if not held and not is_whole:
        return
    for node in statements:
        for part in evaluated(node):
            if type(part) is not ast.Subscript:
                continue
            subject = dotted_name(part.slice).removesuffix(".value")
            if is_whole and isinstance(part.value, ast.Dict) and subject and len(keys := _keys(part.value)) > 1:
                yield Distinction(spans.of(node), subject, keys)
            elif subject and (name := dotted_name(part.value)):
                asked[name] = subject
    looked_up = [name for name, (_, keys) in held.items() if name in asked and len(keys) > 1]
    careful = _asked_before(statements) if looked_up else frozenset()
    for name in looked_up:
        if name not in careful:
            yield Distinction(held[name][0], asked[name], held[name][1])


def _asked_before(statements: Sequence[ast.stmt]) -> frozenset[str]:
    """Return the names that are compared with, handed over, or whose methods are called: they may be asked first."""
    found: set[str] = set()
    for node in statements:
        for part in evaluated(node):
            if type(part) is ast.Compare:
                found.update(map(dotted_name, part.comparators))
            elif type(part) is ast.Call:
                found.update(dotted_name(value) for _, value in given(part))
                if isinstance(part.func, ast.Attribute):
                    found.add(dotted_name(part.func.value))
    return frozenset(found)


def _keys(node: ast.Dict) -> tuple[str, ...]:
    """Return the keys of a dict, none where one of them cannot be told."""
    keys = [_value(key) if key is not None else "" for key in node.keys]
    return tuple(keys) if all(keys) else ()
