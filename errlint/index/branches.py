"""Conditions on the text of an error, caught or answered, as :class:`errlint.facts.Branch`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from errlint.facts import Branch
from errlint.index.bindings import TRY, FunctionNode
from errlint.index.catching import exception_names
from errlint.index.expressions import constant_key, dotted_name, given, inside, names_below
from errlint.index.spans import Spans
from errlint.index.statements import below

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


class _SoughtTexts(NamedTuple):
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


def branches(function: ast.FunctionDef | ast.AsyncFunctionDef, spans: Spans) -> Iterator[Branch]:
    """Yield the conditions on texts of errors."""
    for node in below(function.body):
        for handler in getattr(node, "handlers", ()):
            if handler.name:
                yield from _handler(handler, handler.name, spans)
    yield from _answers(function, spans)


def _handler(handler: ast.ExceptHandler, name: str, spans: Spans) -> Iterator[Branch]:
    types = exception_names(handler)
    tests: list[ast.If | ast.While] = []
    error = _Error(name, set())
    pending: list[ast.AST] = [*reversed(handler.body)]
    while pending:
        node = pending.pop()
        if isinstance(node, (*FunctionNode, ast.ClassDef, *TRY)):
            continue
        if isinstance(node, ast.Assign):
            error.held.update(_holding(node, error))
        elif isinstance(node, (ast.If, ast.While)):
            tests.append(node)
        if not isinstance(node, ast.expr):
            pending.extend(reversed(inside(node)))
    for test in tests:
        asked = _asked(test.test, error)
        if any(asked[:3]) != bool(asked.statuses) and (asked.statuses or not _asks_more(test.test, name)):
            yield Branch(spans.of(test), types, *asked.kept())


def _answers(function: ast.FunctionDef | ast.AsyncFunctionDef, spans: Spans) -> Iterator[Branch]:
    """Yield the conditions on texts in the results of calls: of errors that are answered."""
    callees: dict[str, str] = {}
    errors: dict[str, _Error] = {}
    for node in below(function.body):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            value = node.value.value if isinstance(node.value, ast.Await) else node.value
            target = dotted_name(node.targets[0])
            for error in errors.values():
                error.held.discard(target)
                error.held.update(_holding(node, error))
            if isinstance(value, ast.Call) and (callee := dotted_name(value.func)) and "." not in target:
                callees[target] = callee
                errors[target] = _Error(target, set(), is_exception=False)
            else:
                errors.pop(target, None)
        elif isinstance(node, (ast.If, ast.While)):
            named = set(names_below(node.test))
            for name, error in errors.items():
                # The error of a call whose result has no name of its own may be any other call.
                if name and name not in named and named.isdisjoint(error.held):
                    continue
                asked = _asked(node.test, error)
                if any(asked):
                    yield Branch(spans.of(node), (), *asked.kept(), callees[name])


def _holding(node: ast.Assign, error: _Error) -> Iterator[str]:
    """Yield the names that an assignment binds to the text of an error, or to its parts."""
    target = node.targets[0]
    if len(node.targets) == 1 and _is_text(node.value, error):
        items = target.elts if isinstance(target, ast.Tuple) else [target]
        names = [item.value if isinstance(item, ast.Starred) else item for item in items]
        yield from (name.id for name in names if isinstance(name, ast.Name) and name.id != "_")


def _asks_more(test: ast.expr, name: str) -> bool:
    """Whether a condition also looks at an attribute of the exception that is not its text, such as a status."""
    pending: list[ast.AST] = [test]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Attribute) and node.attr not in _TEXTS and dotted_name(node.value) == name:
            return True
        pending.extend(inside(node))
    return False


def _is_text(node: ast.expr, error: _Error) -> bool:
    """Whether an expression is the text of an error or a part of it, or one of the names that hold it."""
    while True:
        if isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_shaping(node, node.func):
            node = node.func.value
        else:
            break
    if isinstance(node, ast.Name):
        return node.id in error.held
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("str", "repr"):
        shown = node.args[0] if len(node.args) == 1 and not node.keywords else None
        is_error = error.is_exception and isinstance(shown, ast.Name) and shown.id == error.name
        return shown is not None and (is_error or _is_text(shown, error))
    if not isinstance(node, ast.Attribute):
        return False
    if node.attr == "text" and not error.is_exception:
        content = node.value.value if isinstance(node.value, ast.Subscript) else None
        return content is not None and dotted_name(content) == f"{error.name}.content"
    return node.attr in _TEXTS and dotted_name(node.value) == error.name


def _is_shaping(node: ast.Call, function: ast.Attribute) -> bool:
    """Whether a call answers the text it is called on in another shape, or a part of it that is not its code."""
    if function.attr in _SHAPES:
        return True
    if function.attr not in _PIECES:
        return False
    handed = given(node)
    separator = constant_key(handed[0][1]) if handed else None
    return separator is not None and not separator.strip().startswith("]")


def _asked(test: ast.expr, error: _Error) -> _SoughtTexts:
    """Return what a condition compares the text of an error with."""
    found = _SoughtTexts({}, {}, {}, {})
    pending: list[ast.AST] = [test]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            other = node.comparators[0]
            if isinstance(node.ops[0], (ast.In, ast.NotIn, ast.Eq, ast.NotEq)):
                left, right = constant_key(node.left), constant_key(other)
                if left is not None and _is_text(other, error):
                    found.texts[left] = None
                elif right is not None and _is_text(node.left, error):
                    found.texts[right] = None
                elif isinstance(node.left, ast.Attribute) and _is_number(other) and error.is_exception:
                    found.statuses.update({node.left.attr: None} if _is_of(node.left, error) else {})
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            _look(node, node.func, error, found)
        pending.extend(reversed(inside(node)))
    return found


def _is_of(node: ast.Attribute, error: _Error) -> bool:
    return dotted_name(node.value) == error.name


def _is_number(node: ast.expr) -> bool:
    """Whether an expression is a number, a member of ``HTTPStatus``, or several of them."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return all(map(_is_number, node.elts))
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    return dotted_name(node).startswith(("HTTPStatus.", "http.HTTPStatus."))


def _look(node: ast.Call, function: ast.Attribute, error: _Error, found: _SoughtTexts) -> None:
    """Note what a call looks for in the text of an error."""
    method = function.attr
    handed = [value for _, value in given(node)] if method in _ASKED or method in _SEARCHES else []
    if not handed:
        return
    first = handed[0]
    text = constant_key(first)
    if method in _ASKED and text is not None and _is_text(function.value, error):
        found.texts[text] = None
    elif method in _SEARCHES and dotted_name(function.value) in ("re", "regex"):
        if text is not None and len(handed) > 1 and _is_text(handed[1], error):
            found.patterns[text] = None
    elif method in _SEARCHES and (name := dotted_name(function.value)) and _is_text(first, error):
        found.named[name] = None
