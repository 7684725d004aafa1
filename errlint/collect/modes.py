"""Places that tell values of one subject apart (``match``, ``if``, a dict that is looked up), declare or give them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import libcst as cst

from errlint.collect.deferred import last_name
from errlint.collect.expressions import dotted_name
from errlint.collect.flow import Statement
from errlint.collect.statements import below, leaves
from errlint.collect.ways import evaluated
from errlint.facts import Arm, Distinction
from errlint.findings import Span
from errlint.gate.modes import named, plain


def distinctions(
    function: cst.FunctionDef, spans: Mapping[int, Span], settings: frozenset[str]
) -> Iterator[Distinction]:
    """Yield the places in a function that tell at least two values apart and say nothing of any other.

    So are those that give one of the ``settings`` a default, and the names that hold one value only.
    """
    statements = list(below(function.body))
    followed = {id(node.orelse) for node in statements if isinstance(node, cst.If)}
    rows = _rows(function.body)
    for node in statements:
        if isinstance(node, cst.Match):
            found = _of_match(node)
        elif isinstance(node, cst.If) and id(node) in rows:
            found = rows[id(node)]
        elif isinstance(node, cst.If) and id(node) not in followed:
            found = _of_chain(node)
        else:
            found = None
        if found is not None and len(found[1]) > 1:
            yield Distinction(spans[id(node)], *found)
    yield from _of_dicts(statements, statements, spans)
    yield from _fixed(statements, spans)
    for parameter in (*function.params.params, *function.params.kwonly_params):
        yield from _default(spans[id(function)], parameter.name.value, parameter.default, settings)
    for node in statements:
        yield from _given(node, spans, settings)


def reads(function: cst.FunctionDef, settings: frozenset[str]) -> Iterator[str]:
    """Yield the ``settings`` that the body of a function reads, as a name or as an attribute."""
    for node in below(function.body):
        for part in evaluated(node):
            if isinstance(part, (cst.Name, cst.Attribute)):
                yield from named({plain(last_name(part))}, settings)


def arms(function: cst.FunctionDef, spans: Mapping[int, Span]) -> Iterator[Arm]:
    """Yield the branches of a function that are for some values of a subject."""
    for node in below(function.body):
        if isinstance(node, cst.Match):
            for case in node.cases:
                whole = case.pattern
                patterns = [item.pattern for item in whole.patterns] if isinstance(whole, cst.MatchOr) else [whole]
                values = [_value(item.value) if isinstance(item, cst.MatchValue) else "" for item in patterns]
                if all(values):
                    yield _arm(spans[id(node)], dotted_name(node.subject), values, case.body, spans)
        elif isinstance(node, cst.If):
            asked = _asked(node.test)
            if asked is not None:
                yield _arm(spans[id(node)], *asked, node.body, spans)


def _arm(span: Span, subject: str, values: list[str], body: cst.BaseSuite, spans: Mapping[int, Span]) -> Arm:
    statements = list(below(body))
    answers = tuple(spans[id(node)] for node in statements if isinstance(node, cst.Return) and node.value)
    calls = (
        (dotted_name(part.func), spans[id(node)])
        for node in statements
        for part in evaluated(node)
        if isinstance(part, cst.Call) and dotted_name(part.func)
    )
    return Arm(span, subject, tuple(values), answers, tuple(dict.fromkeys(calls)))


def _fixed(statements: list[Statement], spans: Mapping[int, Span]) -> Iterator[Distinction]:
    """Yield the assignments of one value to a name that nothing else is assigned to."""
    bound: dict[str, list[Statement]] = {}
    for node in statements:
        for name in _targets(node):
            bound.setdefault(name, []).append(node)
    for name, nodes in bound.items():
        value = getattr(nodes[0], "value", None)
        text = _value(value) if isinstance(value, cst.BaseExpression) else ""
        if len(nodes) == 1 and text:
            yield Distinction(spans[id(nodes[0])], name, (text,), "fixed")


def _targets(node: Statement) -> Iterator[str]:
    targets: list[cst.CSTNode | None] = [getattr(node, "target", None)]
    if isinstance(node, cst.Assign):
        targets = [item.target for item in node.targets]
    for target in targets:
        for part in target.elements if isinstance(target, (cst.Tuple, cst.List)) else [target]:
            found = part.value if isinstance(part, cst.BaseElement) else part
            if isinstance(found, cst.Name):
                yield found.value


def _given(node: Statement, spans: Mapping[int, Span], settings: frozenset[str]) -> Iterator[Distinction]:
    """Yield what a statement looks up with a value for the case that it is not there, or declares a default for."""
    for part in evaluated(node) if settings else ():
        if not isinstance(part, cst.Call):
            continue
        given = [item.value for item in part.args if item.keyword is None]
        keywords = {item.keyword.value: item.value for item in part.args if item.keyword is not None}
        at = _LOOKUPS.get(last_name(part.func))
        value = keywords.get("default", given[at] if at is not None and len(given) == at + 1 else None)
        for text in map(_value, (*given[:2], *([keywords["dest"]] if "dest" in keywords else []))):
            yield from _default(spans[id(node)], text, value, settings)


def _default(
    span: Span, name: str, value: cst.BaseExpression | None, settings: frozenset[str]
) -> Iterator[Distinction]:
    """Yield that a setting has a value where nobody gives another one."""
    if isinstance(value, cst.Call) and last_name(value.func) in _FIELDS:
        keywords = [item.value for item in value.args if item.keyword and item.keyword.value == "default"]
        value = next(iter([*keywords, *(item.value for item in value.args[:1] if item.keyword is None)]), None)
    text = _value(value) if value is not None else ""
    if isinstance(value, cst.Name) and value.value in ("True", "False"):
        text = value.value
    for setting in named({plain(name)}, settings) if text else ():
        yield Distinction(span, setting, (text,), "default")


_FIELDS = frozenset({"Field", "field", "Option", "Argument", "Query", "Body", "mapped_column", "attrib", "ib"})
"""Last names of calls that declare a field or a parameter, with its default as the first argument or by name."""

_LOOKUPS = {"get": 1, "getenv": 1, "pop": 1, "setdefault": 1, "getattr": 2}
"""Last names of calls that look something up, and which of their arguments holds where it is not there."""


def declarations(
    nodes: list[Statement],
    statements: Iterable[cst.CSTNode],
    spans: Mapping[int, Span],
    settings: frozenset[str],
) -> Iterator[Distinction]:
    """Yield what a module declares: enumerations, aliases of ``Literal``, and tables that it looks up somewhere.

    So are defaults of ``settings``.

    ``nodes`` are its own statements, ``statements`` all of those in the file.
    """
    for node in nodes:
        if isinstance(node, cst.ClassDef):
            if any(_ENUM.search(dotted_name(item.value)) for item in node.bases):
                yield Distinction(spans[id(node)], node.name.value, tuple(_members(node)), how="declared")
            else:
                yield from _defaults(node, spans, settings)
        elif isinstance(node, cst.Assign) and isinstance(node.targets[0].target, cst.Name):
            yield from _alias(node.targets[0].target.value, node.value, spans[id(node)])
        elif isinstance(node, cst.AnnAssign) and isinstance(node.target, cst.Name) and node.value is not None:
            yield from _alias(node.target.value, node.value, spans[id(node)])
        yield from _given(node, spans, settings)
    everywhere = [node for node in statements if isinstance(node, (cst.BaseSmallStatement, cst.BaseCompoundStatement))]
    yield from _of_dicts(nodes, everywhere, spans)


_ENUM = re.compile(r"Enum$")


def _defaults(node: cst.ClassDef, spans: Mapping[int, Span], settings: frozenset[str]) -> Iterator[Distinction]:
    """Yield the values that fields of a class have where nobody gives others."""
    for statement in below(node.body):
        if isinstance(statement, (cst.Assign, cst.AnnAssign)):
            for name in _targets(statement):
                yield from _default(spans[id(statement)], name, statement.value, settings)


def _members(node: cst.ClassDef) -> Iterator[str]:
    """Yield the names of the members of an enumeration, and the texts that they are where those are others."""
    for statement in below(node.body):
        if isinstance(statement, cst.Assign) and isinstance(statement.targets[0].target, cst.Name):
            name, text = statement.targets[0].target.value, _value(statement.value)
            yield name
            if text and plain(text) != plain(name):
                yield text


def _alias(name: str, value: cst.BaseExpression, span: Span) -> Iterator[Distinction]:
    """Yield the texts of ``Mode = Literal["fail", "queue"]``."""
    if isinstance(value, cst.Subscript) and last_name(value.value) == "Literal":
        items = [item.slice.value for item in value.slice if isinstance(item.slice, cst.Index)]
        texts = tuple(_value(item) for item in items if isinstance(item, cst.SimpleString))
        if len(texts) == len(value.slice):
            yield Distinction(span, name, texts, how="declared")


def _rows(body: cst.BaseSuite) -> dict[int, tuple[str, tuple[str, ...]]]:
    """Return the first of several ``if`` in a row that leave the function one after the other, with nothing behind.

    What stands behind them is the branch of all others, but for ``assert_never(mode)``.
    """
    lines: list[cst.CSTNode] = list(body.body)
    if lines and _is_never(lines[-1]):
        lines.pop()
    elif lines and isinstance(lines[-1], (cst.If, cst.With, cst.Try)) and len(_row(lines)) < 2:
        return _rows(lines[-1].body)
    row = _row(lines)
    asked = [_asked(node.test) for node in row]
    subjects = {item[0] if item is not None else "" for item in asked}
    if len(row) < 2 or len(subjects) != 1 or "" in subjects:
        return {}
    return {id(row[0]): (subjects.pop(), tuple(value for item in asked if item is not None for value in item[1]))}


def _row(lines: list[cst.CSTNode]) -> list[cst.If]:
    """Return the last statements of a block as far as each is an ``if`` that leaves the function."""
    row: list[cst.If] = []
    for line in reversed(lines):
        if not isinstance(line, cst.If) or line.orelse is not None or not leaves(line.body):
            break
        row.insert(0, line)
    return row


def _is_never(line: cst.CSTNode) -> bool:
    """Whether a statement, or all of a block, is ``assert_never(mode)``."""
    lines = line.body if isinstance(line, (cst.BaseSuite, cst.SimpleStatementLine)) else [line]
    if len(lines) != 1:
        return False
    if lines[0] is not line and isinstance(lines[0], cst.SimpleStatementLine):
        return _is_never(lines[0])
    call = lines[0].value if isinstance(lines[0], cst.Expr) else None
    return isinstance(call, cst.Call) and last_name(call.func) == "assert_never"


def _of_match(node: cst.Match) -> tuple[str, tuple[str, ...]] | None:
    values: list[str] = []
    for case in node.cases:
        if _is_never(case.body):
            continue
        whole = case.pattern
        patterns = [item.pattern for item in whole.patterns] if isinstance(whole, cst.MatchOr) else [whole]
        for pattern in patterns:
            value = _value(pattern.value) if isinstance(pattern, cst.MatchValue) else ""
            if not value:
                return None
            values.append(value)
    return dotted_name(node.subject), tuple(values)


def _of_chain(node: cst.If) -> tuple[str, tuple[str, ...]] | None:
    """Return the subject of an ``if`` with an ``elif`` and the values that are asked for; ``None`` with an ``else``."""
    subject, values = "", list[str]()
    current: cst.If | cst.Else | None = node
    if not isinstance(node.orelse, cst.If):
        return None
    while isinstance(current, cst.If):
        asked = _asked(current.test)
        if asked is None or subject not in ("", asked[0]):
            return None
        subject = asked[0]
        values.extend(asked[1])
        current = current.orelse
    return None if current is not None and not _is_never(current.body) else (subject, tuple(values))


def _asked(test: cst.BaseExpression) -> tuple[str, list[str]] | None:
    """Return what a test compares, and the values it is compared with."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.Or):
        left, right = _asked(test.left), _asked(test.right)
        if left is None or right is None or left[0] != right[0]:
            return None
        return left[0], [*left[1], *right[1]]
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return None
    target = test.comparisons[0]
    first, second = test.left, target.comparator
    if isinstance(target.operator, cst.In) and isinstance(second, (cst.Tuple, cst.List, cst.Set)):
        values = [_value(item.value) for item in second.elements]
    elif isinstance(target.operator, (cst.Equal, cst.Is)):
        if isinstance(first, cst.SimpleString):
            first, second = second, first
        values = [_value(second)]
    else:
        return None
    subject = dotted_name(first).removesuffix(".value")
    return (subject, values) if subject and all(values) else None


def _value(node: cst.BaseExpression) -> str:
    """Return the last name of a member, or a text, "" for anything else."""
    if isinstance(node, cst.SimpleString):
        text = node.evaluated_value
        return text if isinstance(text, str) else ""
    name = dotted_name(node).removesuffix(".value")
    return name.rpartition(".")[2] if "." in name else ""


def _of_dicts(nodes: list[Statement], statements: list[Statement], spans: Mapping[int, Span]) -> Iterator[Distinction]:
    """Yield the dicts that are asked for what they lack: written where they are looked up, or held in a name.

    ``nodes`` may hold one in a name, ``statements`` may ask it.
    """
    held: dict[str, tuple[Span, tuple[str, ...]]] = {}
    asked: dict[str, str] = {}
    careful: set[str] = set()
    for node in nodes:
        if isinstance(node, (cst.Assign, cst.AnnAssign)) and isinstance(node.value, cst.Dict):
            targets = [item.target for item in node.targets] if isinstance(node, cst.Assign) else [node.target]
            for target in targets:
                held[dotted_name(target)] = (spans[id(node)], _keys(node.value))
    is_whole = nodes is statements
    for node in statements:
        for part in evaluated(node):
            if isinstance(part, cst.Subscript) and len(part.slice) == 1 and isinstance(part.slice[0].slice, cst.Index):
                subject = dotted_name(part.slice[0].slice.value).removesuffix(".value")
                if is_whole and isinstance(part.value, cst.Dict) and subject and len(keys := _keys(part.value)) > 1:
                    yield Distinction(spans[id(node)], subject, keys)
                elif subject and (name := dotted_name(part.value)):
                    asked[name] = subject
            elif isinstance(part, cst.Comparison):
                careful.update(dotted_name(item.comparator) for item in part.comparisons)
            elif isinstance(part, cst.Call):
                careful.update(dotted_name(item.value) for item in part.args)
                if isinstance(part.func, cst.Attribute):
                    careful.add(dotted_name(part.func.value))
    for name, (span, keys) in held.items():
        if name in asked and name not in careful and len(keys) > 1:
            yield Distinction(span, asked[name], keys)


def _keys(node: cst.Dict) -> tuple[str, ...]:
    """Return the keys of a dict, none where one of them cannot be told."""
    keys = [_value(item.key) if isinstance(item, cst.DictElement) else "" for item in node.elements]
    return tuple(keys) if all(keys) else ()
