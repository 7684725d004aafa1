"""Questions about LibCST nodes, which fixes edit: names, texts, and what is below a node."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, fields
from functools import cache
from operator import attrgetter
from typing import Any, cast

import libcst as cst

from errlint.facts import Value
from errlint.index import catching, expressions, statements
from errlint.index.expressions import OPAQUE

_LAYOUT = frozenset(
    {"__slots__", "lpar", "rpar", "comma", "equal", "colon", "lbracket", "rbracket", "lbrace", "rbrace", "semicolon",
     "first_colon", "second_colon", "asynchronous", "star", "leading_lines", "lines_after_decorators", "header",
     "footer", "trailing_whitespace"}
)  # fmt: skip
"""Fields of nodes that hold nothing but layout."""

_NO_NODES = frozenset({str, bool, type(None), cst.MaybeSentinel})

Statement = cst.BaseSmallStatement | cst.BaseCompoundStatement
BlockStatement = cst.SimpleStatementLine | cst.BaseCompoundStatement
"""What a block consists of, but for one on the line of its header: simple statements by their lines."""


def dotted_name(node: cst.BaseExpression) -> str:
    """Return ``a.b.c`` for a chain of names, "" for anything else."""
    parts: list[str] = []
    while type(node) is cst.Attribute:
        parts.append(node.attr.value)
        node = node.value
    if type(node) is not cst.Name:
        return ""
    parts.append(node.value)
    return ".".join(reversed(parts))


def called_name(node: cst.BaseExpression) -> str:
    """Return the dotted name of an expression or of what it calls, "" for none: ``a.b`` of ``a.b(c)``."""
    return dotted_name(node.func if isinstance(node, cst.Call) else node)


def is_none(node: cst.CSTNode) -> bool:
    """Whether an expression is ``None``."""
    return type(node) is cst.Name and node.value == "None"


def expression_of(node: cst.BaseExpression) -> ast.expr | None:
    """Return an expression as the interpreter reads it, ``None`` where it cannot."""
    try:
        return ast.parse(f"(\n{cst.Module([]).code_for_node(node)}\n)", mode="eval").body
    except SyntaxError:
        return None


def convert(node: cst.BaseExpression) -> Value:
    """Return what an expression says, names of variables left as they are."""
    tree = expression_of(node)
    return OPAQUE if tree is None else expressions.convert(tree, {})


def constant_key(node: cst.BaseExpression) -> str | None:
    """Return the text of a constant string."""
    if type(node) is cst.SimpleString:
        value = literal_value(node)
        return value if isinstance(value, str) else None
    return None


def dict_entries(node: cst.CSTNode) -> dict[str, cst.BaseExpression] | None:
    """Return the values of a dict that is written out by their keys, each a constant text and there once.

    ``None`` stands for any other expression.
    """
    found: dict[str, cst.BaseExpression] = {}
    for element in node.elements if isinstance(node, cst.Dict) else (None,):
        key = constant_key(element.key) if isinstance(element, cst.DictElement) else None
        if element is None or key is None or key in found:
            return None
        found[key] = element.value
    return found


def dict_of(entries: Mapping[str, cst.BaseExpression], *before: cst.BaseDictElement) -> cst.Dict:
    """Return a dict with some entries, behind others as they are written."""
    return cst.Dict([*before, *(cst.DictElement(cst.SimpleString(repr(key)), item) for key, item in entries.items())])


def literal_value(node: cst.SimpleString) -> str | bytes:
    """Return what a literal says: ``node.evaluated_value``, which makes a circle of functions for each that it reads.

    Nobody looks for circles while fixes are planned, and a file has thousands of literals.
    """
    text = node.value
    if text[0] in "\"'" and "\\" not in text and "\r" not in text:
        return node.raw_value
    value = cast(ast.Constant, ast.parse(text, mode="eval").body).value
    assert isinstance(value, (str, bytes))
    return value


def subscript_key(node: cst.Subscript) -> str | None:
    """Return the constant text in ``base["text"]``."""
    if len(node.slice) == 1 and type(node.slice[0].slice) is cst.Index:
        return constant_key(node.slice[0].slice.value)
    return None


def inside(node: cst.CSTNode) -> list[cst.CSTNode]:
    """Return what a node is made of, without layout; the parts of an expression in the order of the text.

    The same by ``node.children`` takes ten times longer: it makes a visitor, and a copy of the node.
    """
    found: list[cst.CSTNode] = []
    for child in _parts(type(node))(node):
        kind = type(child)
        if kind is tuple or kind is list:
            found.extend(child)
        elif kind not in _NO_NODES:
            found.append(child)
    return found


def all_below(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield a node and everything in it, in no certain order."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(inside(current))


def names_below(node: cst.CSTNode) -> Iterator[str]:
    """Yield the names that stand in a node, in no certain order, as often as they do."""
    return (current.value for current in all_below(node) if type(current) is cst.Name)


@cache
def _parts(kind: type[cst.CSTNode]) -> Callable[[cst.CSTNode], tuple[Any, ...]]:
    """Return what gets at the fields of a kind of node that hold others, in the order of the text."""
    names = (
        ("body", "test", "orelse") if kind is cst.IfExp else tuple(item.name for item in fields(kind) if _holds(item))
    )
    get = attrgetter(*names) if names else None
    if get is None:
        return lambda _: ()
    return get if len(names) > 1 else lambda node: (get(node),)


def _holds(item: Field[Any]) -> bool:
    """Whether a field of a node may hold others that are no layout."""
    return item.name not in _LAYOUT and not item.name.startswith("whitespace") and item.type not in ("str", str)


def suppressed_by(manager: cst.BaseExpression) -> tuple[str, ...] | None:
    """Return the exceptions that a context manager swallows which ``suppress`` makes, ``None`` for any other one."""
    tree = expression_of(manager)
    return catching.suppressed_by(tree) if tree is not None else None


def exception_names(node: cst.BaseExpression | None) -> tuple[str, ...]:
    """Return the dotted names in an ``except`` clause."""
    if node is None:
        return ()
    items = [item.value for item in node.elements] if type(node) is cst.Tuple else [node]
    return tuple(dotted_name(item) or "?" for item in items)


def caught_as(handler: cst.ExceptHandler | None) -> str:
    """Return the name that a handler gives to what it catches, "" for none."""
    name = handler.name.name if handler is not None and handler.name is not None else None
    return name.value if isinstance(name, cst.Name) else ""


def decorators(node: cst.FunctionDef | cst.ClassDef) -> Iterator[str]:
    """Yield the dotted names of the decorators, with or without a call."""
    for decorator in node.decorators:
        expression = decorator.decorator
        while isinstance(expression, cst.Call):
            expression = expression.func
        yield dotted_name(expression) or "?"


def small_of(line: cst.CSTNode | None) -> cst.BaseSmallStatement | None:
    """Return the statement that has a line for itself, ``None`` for any other node."""
    return line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None


def statements_from(node: cst.BaseSuite | cst.BaseStatement | cst.BaseSmallStatement) -> Sequence[ast.stmt]:
    """Return a block, or a statement, as the interpreter reads it; nothing where it cannot."""
    text = cst.Module([]).code_for_node(node)
    try:
        if not isinstance(node, cst.BaseSuite):
            return ast.parse(text).body
        return cast(ast.If, ast.parse(f"if _:{text}").body[0]).body
    except SyntaxError:
        return ()


def leaves(node: cst.BaseSuite | cst.BaseStatement | cst.BaseSmallStatement) -> bool:
    """Whether control certainly never comes to the end of a block, or behind a statement."""
    return statements.leaves(statements_from(node))


def statements_of(body: cst.BaseSuite | cst.Module) -> Iterator[Statement]:
    """Yield the statements of a block itself in document order."""
    for line in body.body:
        if isinstance(line, cst.SimpleStatementLine):
            yield from line.body
        elif isinstance(line, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            yield line


def statements_below(body: cst.CSTNode) -> Iterator[Statement]:
    """Yield all statements below a block in document order."""
    for child in inside(body):
        if isinstance(child, (cst.FunctionDef, cst.ClassDef)):
            continue
        if isinstance(child, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            yield child
        if not isinstance(child, (cst.BaseExpression, cst.BaseSmallStatement)):
            yield from statements_below(child)


def as_block(body: cst.BaseSuite) -> cst.IndentedBlock:
    """Return a block with its statements on lines of their own, as they follow a header."""
    if isinstance(body, cst.IndentedBlock):
        return body
    assert isinstance(body, cst.SimpleStatementSuite)
    return cst.IndentedBlock([cst.SimpleStatementLine(body.body, trailing_whitespace=body.trailing_whitespace)])
