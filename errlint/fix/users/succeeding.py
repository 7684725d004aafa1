"""Whether a test demands of an answer what no error has: such a test is about a success, and stays as it is."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import NamedTuple

import libcst as cst

from errlint.fix.bound import FunctionNode
from errlint.fix.parsed import Parsed
from errlint.fix.users.looking import is_exception, is_of, key_read, last_name, test_around, text_of
from errlint.words import ERROR_KEYS, FAILURE_KEYS, SUCCESS_KEYS

_WIRE = frozenset({"content", "text", "type", "result", "structured_content", "structuredContent", "meta", "_meta"})
"""Keys that clients find the answer below, whatever it says."""

_LOADS = frozenset({"loads"})
_DENIED = (None, False)


class Errors(NamedTuple):
    """What the errors of a function look like.

    ``messages`` are the literal pieces of each, "" where anything may stand, ``keys`` those of their payloads,
    ``None`` where not all of them are known; ``are_texts`` is true where none of them can be read as JSON, and ``own``
    are the other texts of the function.
    """

    messages: Collection[Collection[str]]
    keys: Collection[str] | None
    are_texts: bool
    own: Collection[str]


def demands_success(parsed: Parsed, node: cst.CSTNode, name: str, errors: Errors) -> bool:
    """Whether the test around a node, which stands for a function or has its ``name``, passes with none of its errors.

    Only what always runs counts: nothing below a condition or a handler.
    """
    scope = test_around(parsed, node)
    if scope is None:
        return False
    test = _Test(scope, parsed, name, parsed.line(node), errors)
    return any(map(test.is_demand, test.always_run()))


class _Test:
    def __init__(self, scope: ast.AST, parsed: Parsed, name: str, line: int, errors: Errors) -> None:
        self._scope, self._parsed, self._errors = scope, parsed, errors
        self._origins = {
            id(item)
            for item in ast.walk(scope)
            if name in (last_name(item), text_of(item)) and _first_line(item) <= line <= _last_line(item)
        }
        self._derived: set[str] = set()
        while self._derive():
            pass
        claimed = (
            each
            for each in ast.walk(scope)
            if isinstance(each, (ast.Assert, ast.Compare))
            or (isinstance(each, ast.Call) and last_name(each.func).startswith("assert"))
            or _is_docstring(each)
            or is_exception(each)
        )
        self._claimed = {id(item) for each in claimed for item in ast.walk(each)}

    def always_run(self) -> Iterator[ast.AST]:
        """Yield the nodes of a test that no condition and no handler is around."""
        pending: list[ast.AST] = [*ast.iter_child_nodes(self._scope)]
        while pending:
            node = pending.pop()
            if isinstance(node, (ast.If, ast.IfExp, ast.While, ast.Try, ast.Lambda, *FunctionNode)):
                continue
            yield node
            pending.extend(ast.iter_child_nodes(node))

    def is_demand(self, node: ast.AST) -> bool:
        """Whether something fails for each error."""
        if isinstance(node, ast.Subscript):
            key = key_read(node)
            return bool(key) and self._is_no_key(key) and self._is_answer(node.value) and not self._is_in_error(node)
        if isinstance(node, ast.Call):
            return self._is_demanding_call(node)
        return isinstance(node, ast.Assert) and any(map(self._is_demanded, _joined(node.test)))

    def _is_demanding_call(self, node: ast.Call) -> bool:
        name = last_name(node.func)
        if name in _LOADS and node.args:
            return self._errors.are_texts and self._is_answer(node.args[0])
        if not name.startswith("assert") or not isinstance(node.func, ast.Attribute):
            return False
        args = node.args
        if name in ("assertIn", "assertNotIn", "assertEqual", "assertIs") and len(args) > 1:
            operator = {"assertIn": ast.In(), "assertNotIn": ast.NotIn()}.get(name, ast.Eq())
            return self._is_demanded(ast.Compare(args[0], [operator], [args[1]]))
        if name in ("assertFalse", "assertIsNone") and args:
            return self._is_demanded(ast.UnaryOp(ast.Not(), args[0]))
        return name == "assertTrue" and bool(args) and self._is_demanded(args[0])

    def _is_demanded(self, claim: ast.expr) -> bool:
        """Whether a claim fails for each error."""
        if isinstance(claim, ast.UnaryOp) and isinstance(claim.op, ast.Not):
            return self._is_denied(claim.operand)
        if isinstance(claim, ast.Compare) and len(claim.ops) == 1:
            return self._is_compared(claim.left, claim.ops[0], claim.comparators[0])
        if isinstance(claim, ast.Call) and last_name(claim.func) == "startswith" and claim.args:
            return self._is_answer(claim.func) and self._is_success_text(text_of(claim.args[0]))
        return key_read(claim).lower() in SUCCESS_KEYS & self._keys and self._is_answer(claim)

    def _is_denied(self, claim: ast.expr) -> bool:
        """Whether each error has what is said not to be there."""
        return key_read(claim).lower() in (ERROR_KEYS | FAILURE_KEYS) & self._keys and self._is_answer(claim)

    def _is_compared(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> bool:
        if isinstance(operator, ast.In):
            return self._is_answer(right) and self._is_success_text(text_of(left))
        if isinstance(operator, ast.NotIn):
            return self._is_answer(right) and self._is_in_all(text_of(left))
        if not isinstance(operator, (ast.Is, ast.Eq)):
            return False
        value, other = (left, right) if self._is_answer(left) else (right, left)
        if not self._is_answer(value):
            return False
        key = key_read(value)
        if isinstance(other, ast.Constant) and other.value in _DENIED:
            return self._is_denied(value)
        if key.lower() in SUCCESS_KEYS & self._keys:
            return isinstance(other, ast.Constant) and other.value is True
        if key and self._is_no_key(key) and not self._is_in_error(value):
            return True
        if isinstance(value, ast.Name) and isinstance(other, (ast.List, ast.Tuple, ast.Constant)):
            return not text_of(other) or self._is_success_text(text_of(other))
        return not key and self._is_success_text(text_of(other))

    @property
    def _keys(self) -> frozenset[str]:
        return frozenset(map(str.lower, self._errors.keys or ()))

    def _is_no_key(self, key: str) -> bool:
        """Whether no error has a key."""
        is_known = self._errors.keys is not None
        return is_known and key not in _WIRE and key.lower() not in self._keys | ERROR_KEYS | FAILURE_KEYS

    def _is_in_error(self, node: ast.expr) -> bool:
        """Whether what has a key stands below one that errors have."""
        keys = self._keys | ERROR_KEYS
        return any(key_read(item).lower() in keys for item in ast.walk(node) if item is not node)

    def _is_in_all(self, text: str) -> bool:
        """Whether each error has a key, or a text in its message."""
        asked = text.casefold().strip()
        if asked in self._keys:
            return True
        told = (any(asked in piece.casefold() for piece in pieces) for pieces in self._errors.messages)
        return self._errors.are_texts and bool(asked) and all(told)

    def _is_success_text(self, text: str) -> bool:
        """Whether a text that is looked for is in no error."""
        asked = text.casefold().strip()
        pieces = [piece for each in self._errors.messages for piece in each]
        if not asked or is_of(text, pieces) or asked in self._keys:
            return False
        if "" not in pieces or any(asked in piece.casefold() for piece in self._errors.own):
            return True
        # Anything may stand in a message: what the test itself hands to a stand-in is what it expects to get again,
        # but for the text of an exception that the stand-in raises.
        return any(
            asked in text_of(item).casefold() and id(item) not in self._claimed and id(item) not in self._origins
            for item in ast.walk(self._scope)
        )

    def _is_answer(self, node: ast.AST) -> bool:
        """Whether an expression is made of the answer."""
        return any(
            id(item) in self._origins
            or (isinstance(item, ast.Name) and isinstance(item.ctx, ast.Load) and item.id in self._derived)
            for item in ast.walk(node)
        )

    def _derive(self) -> bool:
        """Find more names that hold something of the answer; false when there are none."""
        before = len(self._derived)
        for node in ast.walk(self._scope):
            for target, value in _bindings(node):
                if self._is_answer(value):
                    self._derived.update(
                        item.id
                        for item in ast.walk(target)
                        if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)
                    )
        return len(self._derived) > before


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        yield node.target, node.value
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        yield node.target, node.iter
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield node.optional_vars, node.context_expr


def _joined(claim: ast.expr) -> Iterator[ast.expr]:
    """Yield the claims that ``and`` joins."""
    if isinstance(claim, ast.BoolOp) and isinstance(claim.op, ast.And):
        for item in claim.values:
            yield from _joined(item)
    else:
        yield claim


def _first_line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def _last_line(node: ast.AST) -> int:
    return getattr(node, "end_lineno", 0) or 0
