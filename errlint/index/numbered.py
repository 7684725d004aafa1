"""Statements that give an envelope in a local name its number: ``result["status"] = 1``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from errlint.error_keywords import NUMBER_KEYS, NUMBERED_TEXTS, SUCCEEDED_TEXT, SUCCESS_NUMBERS
from errlint.facts import Numbered
from errlint.index.bindings import only_target
from errlint.index.expressions import constant_key, subscript_key
from errlint.index.forward import Block
from errlint.index.outcomes import followed
from errlint.index.spans import Spans


class Numbering(NamedTuple):
    """A statement, the name of the dict that it gives a number, the key, and whether the number is of a success."""

    node: ast.stmt
    name: str
    key: str
    is_good: bool


def numbering(node: ast.stmt) -> Numbering | None:
    """Return what a statement says of the number of an envelope, ``None`` for any other statement.

    ``result["status"] = 1``, and ``result = {"status": 0, "msg": "ok"}``; a number of a success that is stored later
    takes back another one, and says nothing.
    """
    if not isinstance(node, (ast.Assign, ast.AnnAssign)):
        return None
    target, value = only_target(node), node.value
    if type(target) is ast.Subscript and type(target.value) is ast.Name:
        key = subscript_key(target) if _number(value) not in (None, *SUCCESS_NUMBERS) else None
        is_numbering = key is not None and key.lower() in NUMBER_KEYS
        return Numbering(node, target.value.id, key, is_good=False) if key is not None and is_numbering else None
    if type(target) is ast.Name and type(value) is ast.Dict:
        return _of_dict(node, target.id, value)
    return None


def _of_dict(node: ast.stmt, name: str, value: ast.Dict) -> Numbering | None:
    found = ""
    number: int | None = None
    has_text = succeeds = False
    for part, item in zip(value.keys, value.values):  # noqa: B905 -- as many as there are
        key = constant_key(part)
        if key is None:
            continue
        if key.lower() in NUMBERED_TEXTS:
            has_text = True
            text = item.value if type(item) is ast.Constant else None
            succeeds = succeeds or (type(text) is str and SUCCEEDED_TEXT.fullmatch(text) is not None)
        if not found and key.lower() in NUMBER_KEYS and (number := _number(item)) is not None:
            found = key
    is_good = number in SUCCESS_NUMBERS
    return Numbering(node, name, found, is_good) if found and (succeeds if is_good else has_text) else None


def _number(node: ast.expr | None) -> int | None:
    """Return the number that an expression is; of negative ones any."""
    if type(node) is ast.UnaryOp and type(node.op) is ast.USub:
        number = _number(node.operand)
        return None if number is None else -number
    return node.value if type(node) is ast.Constant and type(node.value) is int else None


def numbered(body: Block, found: Iterable[Numbering], spans: Spans) -> Iterator[Numbered]:
    """Yield the statements of a function that say an error, with the returns each reaches, and those of a success."""
    for each in found:
        if each.is_good:
            yield Numbered(spans.of(each.node), each.key, is_good=True)
            continue
        ways = followed(body, each.node, frozenset((each.name,)), spans, frozenset()).outcomes
        answers = tuple(dict.fromkeys(way.span for way in ways if way.end == "record"))
        if answers:
            yield Numbered(spans.of(each.node), each.key, answers)
