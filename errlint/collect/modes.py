"""Places that tell the values of one subject apart: ``match``, ``if`` and ``elif``, a dict that is looked up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst

from errlint.collect.expressions import dotted_name
from errlint.collect.flow import Statement
from errlint.collect.statements import below
from errlint.collect.ways import evaluated
from errlint.facts import Distinction
from errlint.findings import Span


def distinctions(function: cst.FunctionDef, spans: Mapping[int, Span]) -> Iterator[Distinction]:
    """Yield the places in a function that tell at least two values apart and say nothing of any other."""
    statements = list(below(function.body))
    followed = {id(node.orelse) for node in statements if isinstance(node, cst.If)}
    for node in statements:
        if isinstance(node, cst.Match):
            found = _of_match(node)
        elif isinstance(node, cst.If) and id(node) not in followed:
            found = _of_chain(node)
        else:
            found = None
        if found is not None and len(found[1]) > 1:
            yield Distinction(spans[id(node)], *found)
    yield from _of_dicts(statements, spans)


def _of_match(node: cst.Match) -> tuple[str, tuple[str, ...]] | None:
    values: list[str] = []
    for case in node.cases:
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
    return None if current is not None else (subject, tuple(values))


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


def _of_dicts(statements: list[Statement], spans: Mapping[int, Span]) -> Iterator[Distinction]:
    """Yield the dicts, written where they are looked up or held in a local name, that are asked for what they lack."""
    held: dict[str, tuple[Span, tuple[str, ...]]] = {}
    asked: dict[str, str] = {}
    careful: set[str] = set()
    for node in statements:
        if isinstance(node, cst.Assign) and isinstance(node.value, cst.Dict):
            for target in node.targets:
                held[dotted_name(target.target)] = (spans[id(node)], _keys(node.value))
        for part in evaluated(node):
            if isinstance(part, cst.Subscript) and len(part.slice) == 1 and isinstance(part.slice[0].slice, cst.Index):
                subject = dotted_name(part.slice[0].slice.value).removesuffix(".value")
                if isinstance(part.value, cst.Dict) and subject and len(keys := _keys(part.value)) > 1:
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
