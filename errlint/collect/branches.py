"""Conditions on the text of a caught exception, as :class:`errlint.facts.Branch`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst

from errlint.collect.expressions import constant_key, dotted_name, inside
from errlint.collect.flow import exception_names
from errlint.facts import Branch
from errlint.findings import Span

_SHAPES = frozenset({"lower", "upper", "casefold", "strip", "lstrip", "rstrip"})
_ASKED = frozenset({"startswith", "endswith", "find", "index", "count"})
_SEARCHES = frozenset({"re.search", "re.match", "re.fullmatch"})
_TEXTS = frozenset({"message", "msg", "detail", "args"})
"""Attributes of an exception that hold its text."""


def branches(function: cst.FunctionDef, watched: frozenset[int] | None, spans: Mapping[int, Span]) -> Iterator[Branch]:
    """Yield the conditions on texts of exceptions; ``watched`` are the ``try`` statements to look at, by ``id``."""
    pending: list[cst.CSTNode] = [function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.BaseExpression)):
            continue
        if isinstance(node, (cst.Try, cst.TryStar)) and (watched is None or id(node) in watched):
            for handler in node.handlers:
                if handler.name and isinstance(handler.name.name, cst.Name) and handler.type:
                    yield from _handler(handler, handler.name.name.value, spans)
        pending.extend(reversed(inside(node)))


def _handler(
    handler: cst.ExceptHandler | cst.ExceptStarHandler, name: str, spans: Mapping[int, Span]
) -> Iterator[Branch]:
    types = exception_names(handler.type)
    tests: list[cst.If | cst.While] = []
    held: set[str] = set()
    pending: list[cst.CSTNode] = [handler.body]
    while pending:
        node = pending.pop()
        if isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Try, cst.TryStar)):
            continue
        if isinstance(node, cst.Assign) and len(node.targets) == 1:
            target = node.targets[0].target
            if isinstance(target, cst.Name) and _is_text(node.value, name, held):
                held.add(target.value)
        elif isinstance(node, (cst.If, cst.While)):
            tests.append(node)
        if not isinstance(node, cst.BaseExpression):
            pending.extend(reversed(inside(node)))
    for test in tests:
        texts = tuple(dict.fromkeys(_texts(test.test, name, held)))
        if texts and not _asks_more(test.test, name):
            yield Branch(spans[id(test)], types, texts)


def _asks_more(test: cst.BaseExpression, name: str) -> bool:
    """Whether a condition also looks at an attribute of the exception that is not its text, such as a status."""
    pending: list[cst.CSTNode] = [test]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.Attribute) and node.attr.value not in _TEXTS and dotted_name(node.value) == name:
            return True
        pending.extend(inside(node))
    return False


def _is_text(node: cst.BaseExpression, name: str, held: set[str]) -> bool:
    """Whether an expression is the text of the exception ``name``, or one of the names that hold it."""
    while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in _SHAPES:
        node = node.func.value
    if isinstance(node, cst.Name):
        return node.value in held
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value in ("str", "repr"):
        given = node.args[0].value if len(node.args) == 1 else None
        return given is not None and (
            (isinstance(given, cst.Name) and given.value == name) or _is_text(given, name, held)
        )
    if isinstance(node, cst.Subscript):
        node = node.value
    return isinstance(node, cst.Attribute) and node.attr.value in _TEXTS and dotted_name(node.value) == name


def _texts(test: cst.BaseExpression, name: str, held: set[str]) -> Iterator[str]:
    """Yield the written texts that a condition compares the text of the exception with."""
    pending: list[cst.CSTNode] = [test]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
            operator, other = node.comparisons[0].operator, node.comparisons[0].comparator
            if isinstance(operator, (cst.In, cst.NotIn, cst.Equal, cst.NotEqual)):
                left, right = constant_key(node.left), constant_key(other)
                if left is not None and _is_text(other, name, held):
                    yield left
                elif right is not None and _is_text(node.left, name, held):
                    yield right
        elif isinstance(node, cst.Call) and node.args:
            text = constant_key(node.args[0].value)
            function = node.func
            asked = (
                function.value
                if isinstance(function, cst.Attribute) and function.attr.value in _ASKED
                else node.args[1].value
                if dotted_name(function) in _SEARCHES and len(node.args) > 1
                else None
            )
            if text is not None and asked is not None and _is_text(asked, name, held):
                yield text
        pending.extend(reversed(inside(node)))
