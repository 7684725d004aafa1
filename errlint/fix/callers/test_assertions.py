"""What a test asserts of a result."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import libcst as cst

from errlint.error_keywords import ERROR_KEYS, MESSAGE_KEYS, STATUS_KEYS, SUCCESS_KEYS
from errlint.fix.callers.abstract_values import (
    AbstractAnswer,
    Unreadable,
    answer,
    asked,
    entries_of,
    fails,
    verdict,
)
from errlint.fix.callers.payload_checks_in_tests import joined_by_and
from errlint.fix.nodes import expression_of, names_below, small_of
from errlint.fix.source_file import SourceFile
from errlint.trees import walk


class TestedCall(NamedTuple):
    """A call of the function in a test: its line, the call with its ``await``, and the name of the result or ""."""

    line: cst.SimpleStatementLine
    call: cst.BaseExpression
    name: str


def is_read_whole(test: ast.expr, subject: str) -> bool:
    """Whether an assertion looks at more of an answer than at single keys of it."""
    parts = {id(test)}
    for node in walk(test):
        if isinstance(node, ast.Subscript):
            parts.add(id(node.value))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            parts.add(id(node.func.value))
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance" and node.args:
            parts.add(id(node.args[0]))
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            parts.add(id(node.comparators[0]))
        elif isinstance(node, ast.Compare) and isinstance(node.comparators[0], ast.Constant):
            parts.add(id(node.left))
        elif isinstance(node, ast.UnaryOp):
            parts.add(id(node.operand))
        elif isinstance(node, ast.BoolOp):
            parts.update(map(id, node.values))
    return any(isinstance(node, ast.Name) and node.id == subject and id(node) not in parts for node in walk(test))


def use_of(parsed: SourceFile, node: cst.BaseExpression) -> TestedCall | None:
    """Return the call that a name stands in, where that is the value of an assignment or part of an assertion."""
    call: cst.BaseExpression | None = None
    name = ""
    for parent, child in parsed.around(node):
        if call is None:
            if not isinstance(parent, cst.Call) or parent.func is not child:
                return None
            call = parent
        elif isinstance(parent, cst.Await) and child is call:
            call = parent
        elif isinstance(parent, (cst.Assign, cst.AnnAssign)):
            targets = parent.targets if isinstance(parent, cst.Assign) else ()
            target = targets[0].target if len(targets) == 1 else getattr(parent, "target", None)
            if child is not call or not isinstance(target, cst.Name):
                return None
            name = target.value
        elif isinstance(parent, cst.SimpleStatementLine):
            return TestedCall(parent, call, name) if len(parent.body) == 1 else None
        elif isinstance(parent, (cst.BaseCompoundStatement, cst.Lambda)):
            return None
    return None


class Claim(NamedTuple):
    """What one assertion says: its test, and whether it is one of unittest."""

    line: cst.BaseStatement
    test: ast.expr
    is_unittest: bool


def passes(claims: Sequence[Claim], subject: str, found: AbstractAnswer) -> bool:
    """Whether an answer may pass all assertions of a test."""
    return not any(outcome_of(claim.test, subject, found) is False for claim in claims)


def outcome_of(test: ast.expr, subject: str, found: AbstractAnswer) -> bool | None:
    """Return what an assertion says of an answer, ``None`` where that cannot be told."""
    if fails(test, subject, found):
        return False
    whole = compared_whole(test, subject)
    if whole is not None and found.entries is not None:
        other = answer(whole).entries
        return False if other is not None and other.keys() != found.entries.keys() else None
    inner = contained_text(test, subject)
    if inner is not None and found.entries is not None:
        value = found.entries.get(inner[1])
        text = value.value if isinstance(value, ast.Constant) else None
        if isinstance(text, str):
            return inner[0] in text
        return None
    try:
        return verdict(test, subject, found)
    except Unreadable:
        return None


def compared_whole(test: ast.expr, subject: str) -> ast.expr | None:
    """Return what the whole answer is compared with, ``None`` where it is not."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        sides = (test.left, test.comparators[0])
        for one, other in (sides, sides[::-1]):
            if ast.unparse(one) == subject and not isinstance(other, ast.Constant):
                return other
    return None


def named_text(test: ast.expr, subject: str) -> tuple[str, str] | None:
    """Return the text that an assertion compares a part of the answer with or looks for in it, and its key."""
    return compared_text(test, subject) or contained_text(test, subject)


def contained_text(test: ast.expr, subject: str) -> tuple[str, str] | None:
    """Return the text that an assertion looks for in a part of the answer, and the key of that part."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.In):
        return None
    left, key = test.left, asked(test.comparators[0], subject)[0]
    if key is None or not isinstance(left, ast.Constant) or not isinstance(left.value, str):
        return None
    return left.value, key


def compared_text(test: ast.expr, subject: str) -> tuple[str, str] | None:
    """Return the text that an assertion compares a part of the answer with, and the key of that part."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.Eq):
        return None
    for one, other in ((test.left, test.comparators[0]), (test.comparators[0], test.left)):
        key = asked(one, subject)[0]
        if key is not None and isinstance(other, ast.Constant) and isinstance(other.value, str):
            return other.value, key
    return None


def claims_of(parsed: SourceFile, use: TestedCall, subject: str) -> Iterator[Claim]:
    """Yield the assertions about a result, up to where its name gets another one."""
    call = ast.unparse(expression_of(use.call) or ast.Constant(None))
    if not use.name:
        yield from _claim(parsed, use.line, call)
        return
    for line in lines_behind(parsed, use):
        if use.name in set(names_below(line)):
            yield from _claim(parsed, line, "")


def lines_behind(parsed: SourceFile, use: TestedCall) -> Iterator[cst.BaseStatement]:
    """Yield the statements that follow a call, those behind a ``with`` around it too, while its name is not bound."""
    for parent, child in parsed.around(use.line):
        if isinstance(parent, (cst.IndentedBlock, cst.Module)):
            at = next(index for index, item in enumerate(parent.body) if item is child)
            for line in parent.body[at + 1 :]:
                if isinstance(line, cst.SimpleStatementLine) and _binds(line, use.name):
                    return
                yield line
        elif not isinstance(parent, cst.With):
            return


def _binds(line: cst.SimpleStatementLine, name: str) -> bool:
    return any(
        isinstance(target.target, cst.Name) and target.target.value == name
        for node in line.body
        if isinstance(node, cst.Assign)
        for target in node.targets
    )


_ASSERTIONS: dict[str, str] = {
    "assertIn": "{0} in {1}", "assertNotIn": "{0} not in {1}", "assertEqual": "{0} == {1}",
    "assertEquals": "{0} == {1}", "assertNotEqual": "{0} != {1}", "assertIs": "{0} is {1}",
    "assertIsNot": "{0} is not {1}", "assertTrue": "{0}", "assertFalse": "not ({0})",
    "assertIsNone": "{0} is None", "assertIsNotNone": "{0} is not None", "assertIsInstance": "isinstance({0}, {1})",
    "assertDictEqual": "{0} == {1}",
}  # fmt: skip
"""What the assertions of unittest say, as tests."""


def _claim(parsed: SourceFile, line: cst.BaseStatement, call: str) -> Iterator[Claim]:
    """Yield what a line asserts, a test of something unknown where it is no assertion; ``call`` is the result."""
    node = small_of(line)
    test: ast.expr | None = None
    is_unittest = False
    if isinstance(node, cst.Assert):
        test = expression_of(node.test)
    elif isinstance(node, cst.Expr) and isinstance(node.value, cst.Call):
        made = expression_of(node.value)
        assert isinstance(made, ast.Call)
        name = ast.unparse(made.func)
        shape = _ASSERTIONS.get(name.removeprefix("self."))
        if shape is not None and name.startswith("self.") and len(made.args) >= 1 + ("{1}" in shape):
            is_unittest = True
            test = ast.parse(shape.format(*(f"({ast.unparse(item)})" for item in made.args)), mode="eval").body
    if test is None:
        test = ast.Call(ast.Name("unknown", ast.Load()), [], [])
    for each in joined_by_and(test):
        yield Claim(line, _with_result(each, call) if call else each, is_unittest)


def _with_result(test: ast.expr, call: str) -> ast.expr:
    """Return a test with a name in the place of the call."""

    class Replacing(ast.NodeTransformer):
        def generic_visit(self, node: ast.AST) -> ast.AST:
            if isinstance(node, (ast.Call, ast.Await)) and ast.unparse(node) == call:
                return ast.Name("_", ast.Load())
            return super().generic_visit(node)

    found = Replacing().visit(test)
    assert isinstance(found, ast.expr)
    return found


def is_about_error(test: ast.expr, subject: str, errors: Sequence[AbstractAnswer]) -> bool:
    """Whether an assertion says that there is an error: no answer without one passes it."""
    keys = set(keys_of(test, subject))
    if keys & (ERROR_KEYS | MESSAGE_KEYS):
        return outcome_of(test, subject, answer(ast.Dict([], []))) is not True
    return bool(keys & (SUCCESS_KEYS | STATUS_KEYS)) and all(outcome_of(test, subject, found) for found in errors)


def keys_of(test: ast.expr, subject: str) -> Iterator[str]:
    """Yield the keys of an answer that an assertion speaks of."""
    whole = compared_whole(test, subject)
    if whole is not None:
        yield from entries_of(whole) or ()
    for node in walk(test):
        key = asked(node, subject)[0] if isinstance(node, ast.expr) else None
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In) and isinstance(node.left, ast.Constant):
            key = str(node.left.value) if ast.unparse(node.comparators[0]) == subject else key
        if key is not None:
            yield key


def says_only_error(test: ast.expr, subject: str) -> bool:
    """Whether an assertion says nothing but that there is an error: an exception says that too."""
    if ast.unparse(test) == f"isinstance({subject}, dict)":
        return True
    try:
        verdict(test, subject, answer(ast.Dict([], [])))
    except Unreadable:
        return False
    return set(keys_of(test, subject)) <= ERROR_KEYS | SUCCESS_KEYS | STATUS_KEYS
