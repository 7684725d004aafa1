"""What a test says of an answer: whether it demands what no error has, and whether it is about one or a success."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

import libcst as cst

from errlint.error_keywords import ERROR_CODE_KEYS, ERROR_KEYS, FAILURE_KEYS, MESSAGE_KEYS, STATUS_KEYS, SUCCESS_KEYS
from errlint.fix.callers.payload_checks_in_tests import (
    asks_for_error,
    field_read,
    is_exception,
    is_of,
    joined_by_and,
    key_read,
    parents_in,
    test_around,
    text_of,
)
from errlint.fix.model import TestOutcome
from errlint.fix.source_file import SourceFile
from errlint.index.bindings import FunctionNode, assigned
from errlint.lazy import cached_property
from errlint.trees import children, last_name, walk

WIRE = frozenset({"content", "text", "type", "result", "structured_content", "structuredContent", "meta", "_meta"})
"""Keys that clients find the answer below, whatever it says."""

_LOADS = frozenset({"loads"})
_DENIED = (None, False)
_FAILING = re.compile(r"^(?!assert).*(?:error|fail|exception|raise)", re.IGNORECASE)
_FAILED = frozenset({"iserror", "is_error"})


class Errors(NamedTuple):
    """What the errors of a function look like.

    ``messages`` are the literal pieces of each, "" where anything may stand, ``keys`` those of their payloads,
    ``None`` where not all of them are known; ``are_texts`` is true where none of them can be read as JSON, and ``own``
    are the other texts of the function. ``are_all`` is true where the function answers no other errors that stay.
    ``are_below`` is true where the message of one stands below a key that is not known, ``are_only_texts`` where the
    function answers nothing else that a text may be in.
    """

    messages: Collection[Collection[str]]
    keys: Collection[str] | None
    are_texts: bool
    own: Collection[str]
    are_all: bool = True
    are_below: bool = False
    are_only_texts: bool = False


def judged(parsed: SourceFile, node: cst.CSTNode, name: str, errors: Errors) -> JudgedTest | None:
    """Return the test around a node, which stands for a function or has its ``name``; ``None`` where there is none."""
    scope = test_around(parsed, node)
    return None if scope is None else JudgedTest(scope, parsed, name, parsed.line(node), errors)


_WORKED = frozenset(
    f"assert_{what}"
    for each in ("called", "awaited")
    for what in (each, f"{each}_once", f"{each}_with", f"{each}_once_with")
) | {"assert_any_call", "assert_any_await", "assert_has_calls", "assert_has_awaits"}
"""What a test asks of a mock that has been called."""

_SAID_OF_ERRORS = frozenset({"code", "hint", "hints", "suggestion", "suggestions", "type", "title", "retryable"})
"""Keys that errors have beside those that say there is one."""


_TELLING = 4
"""A text of so many characters says where it is from."""


def _texts_of_data(parsed: SourceFile) -> tuple[str, ...]:
    """Return the texts of a test file but for those of claims, of exceptions and of docstrings."""
    claimed = (
        each
        for each in walk(parsed.tree)
        if isinstance(each, (ast.Assert, ast.Compare))
        or _is_docstring(each)
        or is_exception(each)
        or (isinstance(each, ast.Call) and last_name(each.func).startswith("assert"))
    )
    left_out = {id(item) for each in claimed for item in walk(each)}
    return tuple(text for item in walk(parsed.tree) if id(item) not in left_out and (text := text_of(item)))


class JudgedTest:
    """A test that uses a function, and what it says of the answer."""

    def __init__(self, scope: ast.AST, parsed: SourceFile, name: str, line: int, errors: Errors) -> None:
        self._scope, self._parsed, self._errors = scope, parsed, errors
        self._nodes = parsed.once_for(walk, scope)
        self._parents, self._line = parsed.once_for(parents_in, scope), line
        self._origins = {
            id(item)
            for item in self._nodes
            if name in (last_name(item), text_of(item)) and _first_line(item) <= line <= _last_line(item)
        }
        self._derived: set[str] = set()
        while self._derive():
            pass
        claimed = (
            each
            for each in self._nodes
            if isinstance(each, (ast.Assert, ast.Compare))
            or (isinstance(each, ast.Call) and last_name(each.func).startswith("assert"))
            or _is_docstring(each)
            or self._is_provocation(each)
        )
        self._claimed = {id(item) for each in claimed for item in walk(each)}

    @cached_property
    def _always_run(self) -> Sequence[ast.AST]:
        """The nodes of a test, and of what it defines and calls, that no condition and no handler is around."""
        found: list[ast.AST] = []
        pending: list[ast.AST] = [*children(self._scope)]
        inner = {item.name: item for item in self._nodes if isinstance(item, FunctionNode)}
        while pending:
            node = pending.pop()
            if isinstance(node, (ast.If, ast.IfExp, ast.While, ast.Try, ast.Lambda, *FunctionNode)):
                continue
            if isinstance(node, ast.Call) and (called := inner.pop(last_name(node.func), None)) is not None:
                pending.extend(called.body)
            found.append(node)
            pending.extend(children(node))
        return found

    def demands_success(self) -> bool:
        """Whether the test passes with none of the errors of the function.

        Only what always runs counts: nothing below a condition or a handler.
        """
        return any(map(self.is_demand, self._always_run)) and not self.is_of_failure()

    def outcome(self, *, by_client: bool) -> TestOutcome:
        """Return what becomes of the test.

        That is a judgement of what the test says of the answer and of the work that was done, and no proof. What is
        asked of a server ``by_client`` told ``isError`` before, where a test demands that.
        """
        claims = list(self._claims(self._nodes))
        is_failed = self.is_of_failure()
        if by_client and is_failed:
            return TestOutcome.PASSES
        parts = [item for claim in claims for item in walk(claim)]
        is_named = any(map(self._names_error, parts))
        is_error = is_named or is_failed or any(map(self._asks_for_error, parts))
        # Below a condition there may be a success in one run of the test, and an error in another.
        is_marked = any(map(self._is_marked, self._claims(self._always_run)))
        if is_marked or any(map(self._is_more, self._always_run)):
            is_told = any(self._is_told_failed(claim, SUCCESS_KEYS | STATUS_KEYS) for claim in claims)
            is_outright = any(self._is_told_failed(claim, FAILURE_KEYS) for claim in claims)
            # The keys of an error may be those that are read, where not all of them are known.
            is_open = self._errors.keys is None and not is_marked and (is_named or not is_told)
            is_both = is_open or is_outright or not self._is_single() or (is_marked and is_told)
            return TestOutcome.MAY_FAIL if is_error and is_both else TestOutcome.PASSES
        if is_error:
            is_certain = self._is_single() and (self._errors.are_all or any(map(self._names_own, parts)))
            return TestOutcome.FAILS if is_certain else TestOutcome.MAY_FAIL
        claims = list(self._claims(self._always_run))
        if any(map(self._is_success, claims)):
            return TestOutcome.PASSES
        is_provoked = any(map(self._is_provocation, self._nodes))
        is_work = any(map(self._is_work, claims)) or any(map(self._is_taken, self._nodes))
        return TestOutcome.PASSES if is_work and not is_provoked else TestOutcome.MAY_FAIL

    def is_of_failure(self) -> bool:
        """Whether the test says that the answer is marked as an error on the wire."""
        return any(map(self._is_failed, self._claims(self._nodes)))

    def _claims(self, nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
        """Yield what some of a test asserts, as expressions: those of mocks and of unittest are calls."""
        for node in nodes:
            if isinstance(node, ast.Assert):
                yield from joined_by_and(node.test)
            elif isinstance(node, ast.Call) and last_name(node.func).startswith("assert"):
                yield node

    def _is_told_failed(self, claim: ast.expr, keys: Collection[str]) -> bool:
        """Whether a claim says by one of some keys that the answer is a failure, or that it is no success."""
        return any(self._key(item) in keys and self._asks_for_error(item) for item in walk(claim))

    def _key(self, node: ast.AST) -> str:
        """Return the key or attribute that an expression reads, in lower case, "" for all else."""
        return field_read(node, self._parents).lower()

    def _is_failed(self, claim: ast.expr) -> bool:
        """Whether a claim says that the answer is marked as an error on the wire."""
        value, other = claim, None
        if isinstance(claim, ast.Call) and last_name(claim.func) == "assertTrue" and claim.args:
            value = claim.args[0]
        elif isinstance(claim, ast.Compare) and len(claim.ops) == 1 and isinstance(claim.ops[0], (ast.Is, ast.Eq)):
            value, other = claim.left, claim.comparators[0]
        is_true = other is None or (isinstance(other, ast.Constant) and other.value is True)
        return is_true and last_name(value).lower() in _FAILED and self._is_answer(value)

    def _asks_for_error(self, node: ast.AST) -> bool:
        """Whether a part of a claim looks for an error in the answer, and not in one of the items that it lists."""
        is_asked = isinstance(node, ast.expr) and self._is_answer(node) and asks_for_error(node, self._parents)
        if not is_asked or not key_read(node):
            return is_asked
        below = node.value if isinstance(node, ast.Subscript) else getattr(getattr(node, "func", None), "value", None)
        is_item = isinstance(below, ast.Subscript) and not key_read(below) and key_read(below.value) != ""
        return not is_item

    def _names_error(self, node: ast.AST) -> bool:
        """Whether a part of a claim looks for the text of an error in the answer, or for one about errors."""
        pieces = [piece for each in self._errors.messages for piece in each if piece]
        return any(is_of(text, pieces) for text in self._asked(node))

    def _names_own(self, node: ast.AST) -> bool:
        """Whether a part of a claim looks for a text that only an error of the function has."""
        pieces = [piece.casefold() for each in self._errors.messages for piece in each if piece]
        own = [text.casefold() for text in self._errors.own]
        return any(
            len(text) >= _TELLING
            and any(text.casefold() in piece for piece in pieces)
            and not any(text.casefold() in piece for piece in own)
            for text in self._asked(node)
        )

    def _asked(self, node: ast.AST) -> Iterator[str]:
        """Yield the texts that a part of a claim looks for in the answer."""
        if not self._is_answer(node):
            return
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.Eq)):
            yield from filter(None, map(text_of, (node.left, *node.comparators)))
        elif isinstance(node, ast.Call) and "not" not in last_name(node.func).lower():
            is_read = key_read(node) != ""
            yield from filter(None, () if is_read else map(text_of, node.args))

    def _is_marked(self, claim: ast.expr) -> bool:
        """Whether a claim says that the answer is marked as a success."""
        if isinstance(claim, ast.Call) and last_name(claim.func) == "assertTrue" and claim.args:
            claim = claim.args[0]
        elif isinstance(claim, ast.Compare) and len(claim.ops) == 1 and isinstance(claim.ops[0], (ast.Is, ast.Eq)):
            other = claim.comparators[0]
            claim = claim.left if isinstance(other, ast.Constant) and other.value is True else other
        return self._key(claim) in SUCCESS_KEYS and self._is_answer(claim)

    def _is_success(self, claim: ast.expr) -> bool:
        """Whether a claim is one about a success, for all that errors look like."""
        if self._is_demanded(claim):
            return True
        if isinstance(claim, ast.BoolOp):
            return all(map(self._is_success, claim.values))
        if isinstance(claim, ast.Compare) and len(claim.ops) == 1:
            return self._is_success_compared(claim.left, claim.ops[0], claim.comparators[0])
        if isinstance(claim, ast.Call) and isinstance(claim.func, ast.Attribute) and len(claim.args) > 1:
            operator = {"assertIn": ast.In(), "assertNotIn": ast.NotIn()}.get(claim.func.attr)
            return operator is not None and self._is_success_compared(claim.args[0], operator, claim.args[1])
        return False

    def _is_success_compared(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> bool:
        if not self._is_answer(right):
            return False
        if isinstance(operator, ast.In):
            return self._is_plain_text(text_of(left))
        return isinstance(operator, ast.NotIn) and is_of(text_of(left), ())

    def _is_plain_text(self, text: str) -> bool:
        """Whether a text that is looked for is in no error, nor in what is given to it, but in the data."""
        pieces = [piece for each in self._errors.messages for piece in each if piece]
        asked = text.casefold().strip()
        if self._errors.are_only_texts or not asked or is_of(text, pieces) or asked in self._error_keys:
            return False
        given = (item for each in self._nodes if self._is_call(each) for item in walk(each))
        provoked = (item for each in self._nodes if self._is_provocation(each) for item in walk(each))
        if any(asked in text_of(item).casefold() for item in (*given, *provoked)):
            return False
        known = (*self._parsed.once(_texts_of_data), *self._errors.own)
        return any(
            asked in each or (len(each) >= _TELLING and asked.startswith(each)) for each in map(str.casefold, known)
        )

    def _is_provocation(self, node: ast.AST) -> bool:
        """Whether a node is an exception, or a call by which a stand-in is told to fail (``add_client_error``)."""
        is_told = isinstance(node, ast.Call) and _FAILING.search(last_name(node.func)) is not None
        return is_exception(node) or (is_told and not self._is_answer(node))

    def _is_call(self, node: ast.AST) -> bool:
        """Whether a node is a call of the function itself, or one that names it."""
        return isinstance(node, ast.Call) and any(
            id(item) in self._origins for each in (node.func, *node.args) for item in walk(each)
        )

    def _is_more(self, node: ast.AST) -> bool:
        """Whether a key of the answer is read that says something else than what errors say."""
        key = key_read(node).lower()
        if not key or key in WIRE or key in self._error_keys or not isinstance(node, (ast.Subscript, ast.Call)):
            return False
        if self._errors.are_below:
            return False
        below = node.value if isinstance(node, ast.Subscript) else node.func
        # Below a key that errors have, too, it is one that the function names where it answers something else.
        return self._is_answer(below) and (key_read(node) in self._errors.own or not self._is_in_error(node))

    @property
    def _error_keys(self) -> frozenset[str]:
        said = ERROR_KEYS | ERROR_CODE_KEYS | FAILURE_KEYS | MESSAGE_KEYS | SUCCESS_KEYS | STATUS_KEYS
        return self._keys | said | _SAID_OF_ERRORS

    def _is_work(self, claim: ast.expr) -> bool:
        """Whether a claim is about work that was done, of a mock or of something else than the answer."""
        if isinstance(claim, ast.Call):
            return last_name(claim.func) in _WORKED and not self._is_answer(claim)
        if not isinstance(claim, ast.Compare) or len(claim.ops) != 1 or self._is_answer(claim):
            return False
        if any(isinstance(item, ast.Subscript) for item in walk(claim.left)):
            return not isinstance(claim.ops[0], (ast.NotEq, ast.NotIn))
        other = claim.comparators[0]
        is_counted = isinstance(other, ast.Constant) and isinstance(other.value, int) and bool(other.value)
        return is_counted and isinstance(claim.ops[0], (ast.Eq, ast.GtE, ast.Gt))

    def _is_taken(self, node: ast.AST) -> bool:
        """Whether something is taken out of what was recorded while the function ran, as in ``store.saved[0]``."""
        return (
            isinstance(node, ast.Subscript)
            and isinstance(node.ctx, ast.Load)
            and isinstance(node.slice, (ast.Constant, ast.UnaryOp))
            and not key_read(node)
            and isinstance(node.value, (ast.Attribute, ast.Name))
            and node.lineno > self._line
            and not self._is_answer(node)
        )

    def _is_single(self) -> bool:
        """Whether each name that holds something of the answer is bound once: it is always of this answer."""
        bound: dict[str, int] = {}
        for node in self._nodes:
            for target, _ in _bindings(node):
                for item in walk(target):
                    if isinstance(item, ast.Name) and item.id in self._derived:
                        bound[item.id] = bound.get(item.id, 0) + 1
        return all(count == 1 for count in bound.values())

    def is_demand(self, node: ast.AST) -> bool:
        """Whether something fails for each error."""
        if isinstance(node, ast.Subscript):
            key = key_read(node)
            return bool(key) and self._is_no_key(key) and self._is_answer(node.value) and not self._is_in_error(node)
        if isinstance(node, ast.Call):
            return self._is_demanding_call(node)
        return isinstance(node, ast.Assert) and any(map(self._is_demanded, joined_by_and(node.test)))

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
        return self._key(claim) in SUCCESS_KEYS & self._keys and self._is_answer(claim)

    def _is_denied(self, claim: ast.expr) -> bool:
        """Whether each error has what is said not to be there, or is it."""
        if self._is_whole(claim):
            return True
        return self._key(claim) in (ERROR_KEYS | FAILURE_KEYS) & self._keys and self._is_answer(claim)

    def _is_whole(self, claim: ast.expr) -> bool:
        """Whether an expression is the answer itself: the call, or a name that nothing but the call is bound to."""
        if isinstance(claim, ast.Name):
            bound = [value for node in self._nodes for target, value in _bindings(node) if _binds(target, claim.id)]
            return len(bound) == 1 and not isinstance(bound[0], ast.Name) and self._is_whole(bound[0])
        call = claim.value if isinstance(claim, ast.Await) else claim
        return isinstance(call, ast.Call) and any(id(item) in self._origins for item in walk(call.func))

    def _is_compared(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> bool:
        if isinstance(operator, ast.In):
            is_error = self._key(right) in ERROR_KEYS & self._keys
            return not is_error and self._is_answer(right) and self._is_success_text(text_of(left))
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
        if self._key(value) in SUCCESS_KEYS & self._keys:
            return isinstance(other, ast.Constant) and other.value is True
        if isinstance(value, ast.Attribute) and self._key(value) in ERROR_KEYS | ERROR_CODE_KEYS | FAILURE_KEYS:
            return False
        if key and self._is_no_key(key) and not self._is_in_error(value):
            return True
        if isinstance(value, ast.Name) and isinstance(other, (ast.List, ast.Tuple, ast.Constant)):
            return not text_of(other) or self._is_success_text(text_of(other))
        return not key and self._is_success_text(text_of(other))

    @property
    def _keys(self) -> frozenset[str]:
        return frozenset(key.lower() for key in self._errors.keys or () if key)

    def _is_no_key(self, key: str) -> bool:
        """Whether no error has a key."""
        is_known = self._errors.keys is not None
        return is_known and key not in WIRE and key.lower() not in self._keys | ERROR_KEYS | FAILURE_KEYS

    def _is_in_error(self, node: ast.expr) -> bool:
        """Whether what has a key stands below one that errors have."""
        keys = self._keys | ERROR_KEYS
        return any(key_read(item).lower() in keys for item in walk(node) if item is not node)

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
            for item in self._nodes
        )

    def _is_answer(self, node: ast.AST) -> bool:
        """Whether an expression is made of the answer."""
        return any(
            id(item) in self._origins
            or (isinstance(item, ast.Name) and isinstance(item.ctx, ast.Load) and item.id in self._derived)
            for item in walk(node)
        )

    def _derive(self) -> bool:
        """Find more names that hold something of the answer; false when there are none."""
        before = len(self._derived)
        for node in self._nodes:
            for target, value in _bindings(node):
                if self._is_answer(value):
                    self._derived.update(
                        item.id
                        for item in walk(target)
                        if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)
                    )
        return len(self._derived) > before


def _binds(target: ast.expr, name: str) -> bool:
    return any(isinstance(item, ast.Name) and item.id == name for item in walk(target))


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    yield from assigned(node)
    if isinstance(node, ast.NamedExpr):
        yield node.target, node.value
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        yield node.target, node.iter
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield node.optional_vars, node.context_expr
    elif isinstance(node, ast.Call) and last_name(node.func) == "parametrize" and len(node.args) > 1:
        yield from _given(*node.args[:2])


def _given(names: ast.expr, values: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the parameters of a test, each with the values that it gets, of all runs together."""
    told = names.elts if isinstance(names, (ast.List, ast.Tuple)) else [names]
    short = [name.strip() for each in told for name in text_of(each).split(",") if name.strip()]
    rows = values.elts if isinstance(values, (ast.List, ast.Tuple)) else None
    for index, name in enumerate(short):
        column: list[ast.expr] = [values] if rows is None else []
        for row in rows or ():
            cells = row.args if isinstance(row, ast.Call) else getattr(row, "elts", ()) if len(short) > 1 else (row,)
            column.extend(cells[index : index + 1] if cells else (row,))
        yield ast.Name(name, ast.Store()), ast.Tuple(column, ast.Load())


def _first_line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def _last_line(node: ast.AST) -> int:
    return getattr(node, "end_lineno", 0) or 0
