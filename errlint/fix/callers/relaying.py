"""Callers that only tell what a call answers: an exception may pass them by, with nothing lost but their wrapping.

``return {"success": True, "pages": found["pages"]}`` behind ``found = split(path)`` tells nothing but that answer. A
caller that does more than to tell it has to go on: one that gathers several answers, keeps one somewhere, or does
something about an error.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import libcst as cst

from errlint.error_keywords import FAILURE_KEYS, STATUS_KEYS, SUCCESS_KEYS
from errlint.fix.callers.abstract_values import Unreadable, verdict
from errlint.fix.callers.catching import answers, tries_around
from errlint.fix.callers.error_checks import TYPICAL, TYPICAL_OBJECT
from errlint.fix.callers.keeping import Kept
from errlint.fix.nodes import (
    all_below,
    constant_key,
    dotted_name,
    exception_names,
    expression_of,
    inside,
    leaves,
    statements_from,
    subscript_key,
)
from errlint.fix.payload_extraction.effects import calls_that_may_do_something
from errlint.fix.raising.logcalls import log_call
from errlint.fix.source_file import SCOPES, SourceFile
from errlint.index.scopes import own_names
from errlint.index.statements import jumps_out

_LOOPS = (cst.For, cst.While)

_WORKING = (cst.Await, cst.Yield)
"""Expressions that do work of their own, whose result an answer may tell as well."""

_TEXTS = (cst.FormattedString, cst.BinaryOperation)
"""Expressions by which a text is made of others."""

_SHOWING = frozenset({"print", "len", "str", "int", "float", "bool", "isinstance", "hasattr"})
"""Functions that keep nothing of what they are given."""


_ASKING = re.compile(r"bool|isinstance|hasattr|any|all|_*(?:is|has|can|should)_\w+")
"""Functions that say no more of what they are given than whether something is so."""

_MARKS = SUCCESS_KEYS | FAILURE_KEYS | STATUS_KEYS


def is_relayed(found: Kept) -> bool:
    """Whether a caller does nothing with an answer, be it an error or not, but to tell it."""
    parsed = found.parsed
    function = parsed.function(found.line)
    if function is None or found.is_dropped or not is_left_alone(parsed, found.line):
        return False
    return _RelayedAnswer(found, function).is_all()


def is_told_around(found: Kept) -> bool:
    """Whether a caller that only tells an answer has a handler around the call that tells any exception."""
    return told_around(found) is not None


def told_around(found: Kept) -> cst.ExceptHandler | None:
    """Return the handler around the call of a caller that only tells an answer, which tells any exception."""
    if not is_relayed(found):
        return None
    handlers = (each for around in tries_around(found.parsed, found.line) for each in around.handlers)
    telling = (each for each in handlers if "Exception" in exception_names(each.type) and answers(each))
    return next(telling, None)


def handed_to(found: Kept) -> tuple[str, ...]:
    """Return the names of the functions to which a caller that tells an answer hands it, those of Python left out.

    They may make something of it that an exception does not go through, as when they take secrets out of it.
    """
    parsed = found.parsed
    function = parsed.function(found.line)
    names: list[str] = []
    for call in all_below(function.body) if function is not None else ():
        if not isinstance(call, cst.Call) or parsed.function(call) is not function:
            continue
        is_given = any(
            item.value is found.value or (found.name and found.name in set(_spoken(item.value))) for item in call.args
        )
        name = dotted_name(call.func)
        if is_given and name and "." not in name and not hasattr(builtins, name) and not name[:1].isupper():
            names.append(name)
    return tuple(dict.fromkeys(names))


def is_left_alone(parsed: SourceFile, line: cst.SimpleStatementLine) -> bool:
    """Whether an exception at a line ends its function: no loop goes on, and no handler around it does without."""
    for parent, child in parsed.around(line):
        if isinstance(parent, SCOPES):
            return isinstance(parent, cst.FunctionDef)
        if isinstance(parent, (*_LOOPS, cst.ExceptHandler, cst.Finally, cst.TryStar)):
            return False
        if isinstance(parent, cst.Try) and child is parent.body and not all(map(_tells, parent.handlers)):
            return False
    return False


def _tells(handler: cst.ExceptHandler) -> bool:
    """Whether a handler ends its function, and says what it caught."""
    raises = any(isinstance(node, ast.Raise) for node in jumps_out(statements_from(handler.body)))
    return leaves(handler.body) and (raises or answers(handler))


class _Assigned(NamedTuple):
    """An assignment to one variable: whether it starts it empty, and whether it waits or does anything else as well."""

    name: str
    is_empty: bool
    works: bool
    speaks_of: tuple[str, ...]


def _assigned(function: cst.FunctionDef) -> Sequence[_Assigned]:
    """Return the assignments of a function, in their order."""
    found: list[_Assigned] = []
    for item in all_below(function.body):
        target = item.targets[0].target if isinstance(item, cst.Assign) and len(item.targets) == 1 else None
        if not isinstance(item, cst.Assign) or not isinstance(target, cst.Name):
            continue
        value = item.value
        works = any(isinstance(each, _WORKING) for each in all_below(value)) or any(calls_that_may_do_something(value))
        is_empty = isinstance(value, (cst.List, cst.Dict)) and not value.elements
        found.append(_Assigned(target.value, is_empty, works, tuple(_spoken(value))))
    return found


class _RelayedAnswer:
    """What a function makes of an answer behind the line that asks for it.

    ``_made`` are the names of what is made of the answer, of which those in ``_asked`` say no more than whether it is
    an error; ``_given`` are those of what is known before it.
    """

    def __init__(self, found: Kept, function: cst.FunctionDef) -> None:
        self._parsed, self._line, self._name = found.parsed, found.line, found.name
        self._value = found.value
        self._function = function
        own = found.parsed.as_ast(function)
        self._local = own_names(own)[0] if own is not None else frozenset()
        self._made: set[str] = set()
        self._asked: set[str] = set()
        self._given = {item.name.value for item in all_below(function.params) if isinstance(item, cst.Param)}
        self._given.update(_spoken(found.value))
        self._empty: set[str] = set()
        self._only_errors = False
        for each in found.parsed.once_for(_assigned, function):
            if each.is_empty:
                self._empty.add(each.name)
            if not each.works and all(name in self._given or name not in self._local for name in each.speaks_of):
                self._given.add(each.name)

    def is_all(self) -> bool:
        """Whether all that is done behind the line tells the answer, or does not speak of it."""
        small = self._line.body[0]
        if isinstance(small, cst.Return):
            assert small.value is not None
            return self._is_told_alone(small.value)
        if self._name:
            self._made.add(self._name)
        elif isinstance(small, (cst.Assign, cst.AnnAssign)):
            targets = [each.target for each in small.targets] if isinstance(small, cst.Assign) else [small.target]
            if not all(isinstance(each, cst.Name) for each in targets) or small.value is None:
                return False
            if not self._is_made_alone(small.value):
                return False
            self._put([each.value for each in targets if isinstance(each, cst.Name)], small.value)
        else:
            return False
        return self._is_told_behind()

    def _is_told_behind(self) -> bool:
        """Whether the statements that follow, in their order, tell the answer in the end."""
        for block in self._parsed.blocks_behind(self._line):
            for item in block:
                if not self._follow(item, is_error=False):
                    return False
                if leaves(item):
                    return True
        return False

    def _follow(self, item: cst.CSTNode, *, is_error: bool) -> bool:
        """Whether a statement only tells the answer; ``is_error`` is true where only an error may come to it."""
        is_error = is_error or self._only_errors
        if isinstance(item, cst.SimpleStatementLine):
            return all(self._follow_small(each, item, is_error=is_error) for each in item.body)
        if isinstance(item, cst.If):
            return self._follow_check(item, is_error=is_error)
        if not self._speaks(item):
            return not is_error and not any(isinstance(each, cst.Return) for each in all_below(item))
        if isinstance(item, cst.Try):
            parts = [item.body, *(each.body for each in item.handlers)]
            parts.extend(each.body for each in (item.orelse, item.finalbody) if each is not None)
            return all(self._follow_block(each, is_error=is_error) for each in parts)
        if isinstance(item, cst.With):
            return self._follow_block(item.body, is_error=is_error)
        if isinstance(item, cst.For) and not is_error and not item.orelse:
            if self._speaks(item.iter):
                self._made.update(_names_of(item.target))
            return self._follow_block(item.body, is_error=False)
        return False

    def _follow_block(self, body: cst.BaseSuite, *, is_error: bool) -> bool:
        return all(self._follow(item, is_error=is_error) for item in body.body)

    def _follow_check(self, item: cst.If, *, is_error: bool) -> bool:
        """Whether the ways of a condition that an error takes only tell it; what may be for an error does nothing else.

        Where only an error comes behind the condition, that does nothing else either.
        """
        is_asked = self._speaks(item.test)
        seen = self._verdict(item.test) if is_asked else None
        if seen is not False and not self._follow_block(item.body, is_error=is_error or is_asked):
            return False
        self._only_errors = self._only_errors or (seen is False and item.orelse is None and leaves(item.body))
        if seen is True or item.orelse is None:
            return True
        if isinstance(item.orelse, cst.If):
            return self._follow_check(item.orelse, is_error=is_error)
        return self._follow_block(item.orelse.body, is_error=is_error or is_asked)

    def _verdict(self, test: cst.BaseExpression) -> bool | None:
        """Return what a condition comes to for an error; ``None`` where that is not known."""
        if isinstance(test, cst.BooleanOperation):
            seen = {self._verdict(test.left), self._verdict(test.right)}
            decides = isinstance(test.operator, cst.Or)
            return decides if decides in seen else None if None in seen else not decides
        node = expression_of(test)
        if node is None or not self._name:
            return None
        try:
            seen_so = verdict(node, self._name, TYPICAL)
            return verdict(node, self._name, TYPICAL_OBJECT) if seen_so is None else seen_so
        except Unreadable:
            return None

    def _follow_small(self, small: cst.BaseSmallStatement, line: cst.SimpleStatementLine, *, is_error: bool) -> bool:
        if isinstance(small, (cst.Return, cst.Raise)):
            value = small.value if isinstance(small, cst.Return) else small.exc
            if value is None or not self._speaks(value):
                return False
            if is_error:
                return self._is_plainly_told(value)
            return isinstance(small, cst.Return) and self._is_told_alone(value)
        if isinstance(small, (cst.Assign, cst.AnnAssign, cst.AugAssign)):
            return small.value is None or self._follow_assignment(small)
        if isinstance(small, (cst.Pass, cst.Import, cst.ImportFrom)):
            return True
        if isinstance(small, cst.Expr):
            is_shown = log_call(line) is not None or _is_showing(small.value)
            if is_shown:
                return True
            if not self._speaks(small):
                return not is_error
            return not is_error and self._is_own_method(small.value)
        return False

    def _follow_assignment(self, small: cst.Assign | cst.AnnAssign | cst.AugAssign) -> bool:
        targets = [each.target for each in small.targets] if isinstance(small, cst.Assign) else [small.target]
        assert small.value is not None
        for target in targets:
            names = _names_of(target)
            if names:
                if self._speaks(small.value):
                    if not self._is_made_alone(small.value):
                        return False
                    self._put(names, small.value)
            elif self._root(target) not in self._made and self._speaks(small.value):
                return False
        return True

    def _is_told_alone(self, value: cst.BaseExpression) -> bool:
        """Whether a value that is returned tells the answer, with nothing but what was known before it."""
        return self._is_made_alone(value) and self._is_told_in(value)

    def _is_made_alone(self, value: cst.BaseExpression) -> bool:
        """Whether a value is made of nothing but the answer and what was known before: no other one is waited for."""
        others = (each for each in all_below(value) if isinstance(each, _WORKING) and not self._speaks(each))
        own = set(all_below(self._value))
        return all(each in own for each in others) and all(map(self._is_known, _spoken(value, self._value)))

    def _put(self, names: Iterable[str], value: cst.BaseExpression) -> None:
        """Note variables that hold something made of the answer."""
        self._made.update(names)
        change = self._asked.difference_update if self._is_told_in(value) else self._asked.update
        change(names)

    def _is_told_in(self, value: cst.BaseExpression) -> bool:
        """Whether a value has more of the answer than whether it is an error."""
        pending: list[cst.CSTNode] = [value]
        while pending:
            node = pending.pop()
            is_made = isinstance(node, cst.Name) and node.value in self._made - self._asked
            if is_made or node is self._value:
                return True
            if not _asks(node):
                pending.extend(_parts(node))
        return False

    def _is_own_method(self, value: cst.BaseExpression) -> bool:
        """Whether a call changes only what is made of the answer, or a variable that started empty."""
        if not isinstance(value, cst.Call) or not isinstance(value.func, cst.Attribute):
            return False
        # What is told beside it must not be work of its own.
        given = [item.value for item in value.args]
        parts = [each for item in given for each in (item, *all_below(item)) if not self._speaks(each)]
        is_beside = any(isinstance(each, _WORKING) or _is_call_of_more(each) for each in parts)
        if is_beside or not all(self._is_known(name) for item in given for name in _spoken(item)):
            return False
        root = self._root(value.func.value)
        if root in self._empty and isinstance(value.func.value, cst.Name):
            self._made.add(root)
        return root in self._made

    def _root(self, node: cst.BaseExpression) -> str:
        while isinstance(node, (cst.Attribute, cst.Subscript)):
            node = node.value
        return node.value if isinstance(node, cst.Name) else ""

    def _speaks(self, node: cst.CSTNode) -> bool:
        return not self._made.isdisjoint(_spoken(node))

    def _is_known(self, name: str) -> bool:
        """Whether a name stands for something made of the answer, or known before it, or for no variable."""
        return name in self._made or name in self._given or name not in self._local or hasattr(builtins, name)

    def _is_plainly_told(self, value: cst.BaseExpression) -> bool:
        """Whether what is told of an error is told somewhere as it is, and not as a part of a text alone."""
        pending: list[cst.CSTNode] = [value]
        while pending:
            node = pending.pop()
            if isinstance(node, cst.Name) and node.value in self._made:
                return True
            if not isinstance(node, _TEXTS):
                pending.extend(_parts(node))
        return False


def _asks(node: cst.CSTNode) -> bool:
    """Whether an expression says of what is in it no more than whether it is so, or how it went."""
    if isinstance(node, cst.Comparison) or (
        isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not)
    ):
        return True
    if isinstance(node, cst.Call):
        name = dotted_name(node.func).rpartition(".")[2]
        key = constant_key(node.args[0].value) if name == "get" and node.args else None
        return _ASKING.fullmatch(name) is not None or (key or "").lower() in _MARKS
    if isinstance(node, cst.Attribute):
        return node.attr.value.lower() in _MARKS
    return isinstance(node, cst.Subscript) and (subscript_key(node) or "").lower() in _MARKS


def _is_call_of_more(node: cst.CSTNode) -> bool:
    """Whether a node calls anything but a builtin function."""
    return isinstance(node, cst.Call) and not hasattr(builtins, dotted_name(node.func))


def _is_showing(value: cst.BaseExpression) -> bool:
    return isinstance(value, cst.Call) and dotted_name(value.func) in _SHOWING


def _names_of(target: cst.BaseExpression) -> Iterable[str]:
    """Return the variables that a target binds, none for a part of an object."""
    if isinstance(target, (cst.Tuple, cst.List)):
        return [name for item in target.elements for name in _names_of(item.value)]
    return [target.value] if isinstance(target, cst.Name) else []


def _spoken(node: cst.CSTNode, without: cst.CSTNode | None = None) -> Iterator[str]:
    """Yield the variables that a node speaks of, those in one part of it left out."""
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, cst.Name) and current is not without:
            yield current.value
        elif current is not without:
            pending.extend(_parts(current))


def _parts(node: cst.CSTNode) -> Iterable[cst.CSTNode]:
    """Return what a node is made of, without the names of attributes and keywords."""
    return [node.value] if isinstance(node, (cst.Attribute, cst.Arg)) else inside(node)
