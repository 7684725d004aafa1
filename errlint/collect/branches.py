"""Conditions on the text of an error, caught or answered, as :class:`errlint.facts.Branch`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import libcst as cst

from errlint.collect.expressions import constant_key, dotted_name, inside
from errlint.collect.flow import exception_names
from errlint.collect.statements import below
from errlint.facts import Branch
from errlint.findings import Span

_SHAPES = frozenset({"lower", "upper", "casefold", "strip", "lstrip", "rstrip", "splitlines"})
_PIECES = frozenset({"partition", "rpartition", "split", "rsplit"})
_ASKED = frozenset({"startswith", "endswith", "find", "index", "count"})
_SEARCHES = frozenset({"search", "match", "fullmatch"})
_TEXTS = frozenset({"message", "msg", "detail", "args"})
"""Attributes of an exception, or of an answer, that hold its text."""


class _Error(NamedTuple):
    """An error that conditions are about: its name, and the names that hold its text, or a part of that."""

    name: str
    held: set[str]
    is_exception: bool = True


class _Asked(NamedTuple):
    """What a condition looks for in a text: texts, regular expressions, and names of compiled ones.

    ``statuses`` are the attributes of the error itself that are compared with a number.
    """

    texts: dict[str, None]
    patterns: dict[str, None]
    named: dict[str, None]
    statuses: dict[str, None]

    def kept(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """Return each as it is kept in a :class:`Branch`."""
        return tuple(self.texts), tuple(self.patterns), tuple(self.named), tuple(self.statuses)


def branches(function: cst.FunctionDef, watched: frozenset[int] | None, spans: Mapping[int, Span]) -> Iterator[Branch]:
    """Yield the conditions on texts of errors; ``watched`` are the ``try`` statements to look at, by ``id``."""
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
    yield from _answers(function, spans)


def _handler(
    handler: cst.ExceptHandler | cst.ExceptStarHandler, name: str, spans: Mapping[int, Span]
) -> Iterator[Branch]:
    types = exception_names(handler.type)
    tests: list[cst.If | cst.While] = []
    error = _Error(name, set())
    pending: list[cst.CSTNode] = [handler.body]
    while pending:
        node = pending.pop()
        if isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Try, cst.TryStar)):
            continue
        if isinstance(node, cst.Assign):
            error.held.update(_holding(node, error))
        elif isinstance(node, (cst.If, cst.While)):
            tests.append(node)
        if not isinstance(node, cst.BaseExpression):
            pending.extend(reversed(inside(node)))
    for test in tests:
        asked = _asked(test.test, error)
        if any(asked[:3]) != bool(asked.statuses) and (asked.statuses or not _asks_more(test.test, name)):
            yield Branch(spans[id(test)], types, *asked.kept())


def _answers(function: cst.FunctionDef, spans: Mapping[int, Span]) -> Iterator[Branch]:
    """Yield the conditions on texts in the results of calls: of errors that are answered."""
    callees: dict[str, str] = {}
    errors: dict[str, _Error] = {}
    for node in below(function.body):
        if isinstance(node, cst.Assign) and len(node.targets) == 1:
            value = node.value.expression if isinstance(node.value, cst.Await) else node.value
            target = dotted_name(node.targets[0].target)
            for error in errors.values():
                error.held.discard(target)
                error.held.update(_holding(node, error))
            if isinstance(value, cst.Call) and (callee := dotted_name(value.func)) and "." not in target:
                callees[target] = callee
                errors[target] = _Error(target, set(), is_exception=False)
            else:
                errors.pop(target, None)
        elif isinstance(node, (cst.If, cst.While)):
            for name, error in errors.items():
                asked = _asked(node.test, error)
                if any(asked):
                    yield Branch(spans[id(node)], (), *asked.kept(), callees[name])


def _holding(node: cst.Assign, error: _Error) -> Iterator[str]:
    """Yield the names that an assignment binds to the text of an error, or to its parts."""
    target = node.targets[0].target
    if len(node.targets) == 1 and _is_text(node.value, error):
        names = [item.value for item in target.elements] if isinstance(target, cst.Tuple) else [target]
        yield from (name.value for name in names if isinstance(name, cst.Name) and name.value != "_")


def _asks_more(test: cst.BaseExpression, name: str) -> bool:
    """Whether a condition also looks at an attribute of the exception that is not its text, such as a status."""
    pending: list[cst.CSTNode] = [test]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.Attribute) and node.attr.value not in _TEXTS and dotted_name(node.value) == name:
            return True
        pending.extend(inside(node))
    return False


def _is_text(node: cst.BaseExpression, error: _Error) -> bool:
    """Whether an expression is the text of an error or a part of it, or one of the names that hold it."""
    while True:
        if isinstance(node, cst.Subscript):
            node = node.value
        elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and _is_shaping(node, node.func):
            node = node.func.value
        else:
            break
    if isinstance(node, cst.Name):
        return node.value in error.held
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value in ("str", "repr"):
        given = node.args[0].value if len(node.args) == 1 else None
        is_error = error.is_exception and isinstance(given, cst.Name) and given.value == error.name
        return given is not None and (is_error or _is_text(given, error))
    if not isinstance(node, cst.Attribute):
        return False
    if node.attr.value == "text" and not error.is_exception:
        content = node.value.value if isinstance(node.value, cst.Subscript) else None
        return content is not None and dotted_name(content) == f"{error.name}.content"
    return node.attr.value in _TEXTS and dotted_name(node.value) == error.name


def _is_shaping(node: cst.Call, function: cst.Attribute) -> bool:
    """Whether a call answers the text it is called on in another shape, or a part of it that is not its code."""
    if function.attr.value in _SHAPES:
        return True
    separator = constant_key(node.args[0].value) if node.args else None
    return function.attr.value in _PIECES and separator is not None and not separator.strip().startswith("]")


def _asked(test: cst.BaseExpression, error: _Error) -> _Asked:
    """Return what a condition compares the text of an error with."""
    found = _Asked({}, {}, {}, {})
    pending: list[cst.CSTNode] = [test]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
            operator, other = node.comparisons[0].operator, node.comparisons[0].comparator
            if isinstance(operator, (cst.In, cst.NotIn, cst.Equal, cst.NotEqual)):
                left, right = constant_key(node.left), constant_key(other)
                if left is not None and _is_text(other, error):
                    found.texts[left] = None
                elif right is not None and _is_text(node.left, error):
                    found.texts[right] = None
                elif isinstance(node.left, cst.Attribute) and _is_number(other) and error.is_exception:
                    found.statuses.update({node.left.attr.value: None} if _is_of(node.left, error) else {})
        elif isinstance(node, cst.Call) and node.args and isinstance(node.func, cst.Attribute):
            _look(node, node.func, error, found)
        pending.extend(reversed(inside(node)))
    return found


def _is_of(node: cst.Attribute, error: _Error) -> bool:
    return dotted_name(node.value) == error.name


def _is_number(node: cst.BaseExpression) -> bool:
    """Whether an expression is a number, a member of ``HTTPStatus``, or several of them."""
    if isinstance(node, (cst.Tuple, cst.List, cst.Set)):
        return all(_is_number(item.value) for item in node.elements)
    return isinstance(node, cst.Integer) or dotted_name(node).startswith(("HTTPStatus.", "http.HTTPStatus."))


def _look(node: cst.Call, function: cst.Attribute, error: _Error, found: _Asked) -> None:
    """Note what a call looks for in the text of an error."""
    first, method = node.args[0].value, function.attr.value
    text = constant_key(first)
    if method in _ASKED and text is not None and _is_text(function.value, error):
        found.texts[text] = None
    elif method in _SEARCHES and dotted_name(function.value) in ("re", "regex"):
        if text is not None and len(node.args) > 1 and _is_text(node.args[1].value, error):
            found.patterns[text] = None
    elif method in _SEARCHES and (name := dotted_name(function.value)) and _is_text(first, error):
        found.named[name] = None
