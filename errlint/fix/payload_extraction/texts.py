"""Whether the message of a payload is certainly a text: what else a client got would not be the same as a text."""

from __future__ import annotations

import ast
from typing import TypeGuard

import libcst as cst

from errlint.facts import Text
from errlint.fix.nodes import dotted_name, expression_of
from errlint.fix.payload_extraction.substitution import parts_of
from errlint.fix.source_file import SourceFile
from errlint.index.bindings import names_bound, only_assigned
from errlint.project import Project
from errlint.project.names import ValueSymbol
from errlint.trees import walk

_MAKERS = frozenset({"str", "repr", "ascii", "dumps", "format_exc", "decode", "strftime", "isoformat"})
"""Last parts of functions and methods that answer texts."""

_KEEPERS = frozenset(
    {"capitalize", "format", "join", "lower", "lstrip", "replace", "removeprefix", "removesuffix", "rstrip", "strip",
     "title", "upper"}
)  # fmt: skip
"""Methods of texts that answer texts."""

_DISPLAYS = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

MAX_DEPTH = 12


def is_text(project: Project, parsed: SourceFile, node: cst.BaseExpression, function: cst.FunctionDef | None) -> bool:
    """Whether an expression in a function is a text, whatever happens."""
    value = expression_of(node)
    around = parsed.as_ast(function) if function is not None else None
    return value is not None and _TextReader(project, parsed.path, around).is_text(value, 0)


def is_no_text(
    project: Project, parsed: SourceFile, node: cst.BaseExpression, function: cst.FunctionDef | None
) -> bool:
    """Whether an expression in a function is something else than a text, whatever happens: nothing, a list, a dict."""
    value = expression_of(node)
    around = parsed.as_ast(function) if function is not None else None
    return value is not None and _TextReader(project, parsed.path, around).is_no_text(value, 0)


class _TextReader:
    """Reads expressions of one function."""

    def __init__(self, project: Project, path: str, function: ast.FunctionDef | ast.AsyncFunctionDef | None) -> None:
        self._project = project
        self._path = path
        self._function = function

    def is_text(self, node: ast.expr, depth: int) -> bool:
        """Whether an expression is a text."""
        if depth > MAX_DEPTH:
            return False
        deeper = depth + 1
        if isinstance(node, ast.Constant):
            return isinstance(node.value, str)
        if isinstance(node, ast.JoinedStr):
            return True
        if isinstance(node, ast.NamedExpr):
            return self.is_text(node.value, deeper)
        if isinstance(node, ast.BoolOp):
            return all(self.is_text(value, deeper) for value in node.values)
        if isinstance(node, ast.IfExp):
            return self.is_text(node.body, deeper) and self.is_text(node.orelse, deeper)
        if isinstance(node, ast.BinOp):
            is_left = self.is_text(node.left, deeper)
            return is_left or (isinstance(node.op, ast.Add) and self.is_text(node.right, deeper))
        if isinstance(node, ast.Attribute):
            return node.attr in ("__name__", "__qualname__")
        if isinstance(node, ast.Call):
            return self._is_text_call(node.func, deeper)
        return isinstance(node, ast.Name) and self._is_text_name(node.id, deeper)

    def is_no_text(self, node: ast.expr, depth: int) -> bool:
        """Whether an expression is certainly none."""
        if isinstance(node, ast.Constant):
            return not isinstance(node.value, str)
        if isinstance(node, _DISPLAYS):
            return True
        if isinstance(node, ast.IfExp):
            return self.is_no_text(node.body, depth + 1) and self.is_no_text(node.orelse, depth + 1)
        if not isinstance(node, ast.Name) or depth > MAX_DEPTH:
            return False
        values = only_assigned(self._function, node.id) if self._function is not None else ()
        return bool(values) and all(self.is_no_text(value, depth + 1) for value in values)

    def _is_text_call(self, function: ast.expr, depth: int) -> bool:
        if isinstance(function, ast.Name):
            return function.id in _MAKERS
        if not isinstance(function, ast.Attribute):
            return False
        return function.attr in _MAKERS or (function.attr in _KEEPERS and self.is_text(function.value, depth))

    def _is_text_name(self, name: str, depth: int) -> bool:
        if self._function is None:
            return False
        bindings = sum(name in names_bound(node) for node in walk(self._function))
        arguments = self._function.args
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            if argument.arg == name:
                annotation = argument.annotation
                text = ast.unparse(annotation).strip("'\"") if annotation is not None else ""
                return text == "str" and not bindings
        if not bindings:
            found = self._project.names.resolve(self._path, name)
            return isinstance(found, ValueSymbol) and type(found.value) is Text
        values = only_assigned(self._function, name) if self._function is not None else ()
        return bool(values) and all(self.is_text(value, depth) for value in values)


def is_text_of(value: cst.BaseExpression, name: str) -> bool:
    """Whether an expression is the text of what a name holds, and nothing else: ``str(exc)``, ``f"{exc}"``."""
    shown: cst.BaseExpression | None = None
    if isinstance(value, cst.FormattedString) and len(value.parts) == 1:
        part = value.parts[0]
        if isinstance(part, cst.FormattedStringExpression) and part.format_spec is None and not part.conversion:
            shown = part.expression
    elif isinstance(value, cst.Call) and dotted_name(value.func) == "str" and len(value.args) == 1:
        shown = value.args[0].value
    return shown is not None and dotted_name(shown) == name != ""


def followed_by(message: cst.BaseExpression, name: str) -> cst.BaseExpression | None:
    """Return a message with the text of what a name holds behind it, ``None`` where it is no text on one line.

    ``f"no name: {exc}"`` for ``"no name"``.
    """
    if not _is_line(message) or message.lpar:
        return None
    parts, end = _without_blanks(message)
    joint = cst.FormattedStringText(" " if end.endswith(_MARKS) else ": ")
    shown = cst.FormattedStringExpression(cst.Name(name))
    return cst.FormattedString([*parts, joint, shown], start=f"f{message.quote}", end=message.quote)


def continued_by(message: cst.BaseExpression, more: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return a message with another text as a sentence behind it, ``None`` where they are no texts.

    ``("no name. " f"Try {other}")`` for ``"no name"`` and ``f"Try {other}"``. Each may be one of several pieces.
    """
    said, added = _pieces(message), _pieces(more)
    is_empty = isinstance(more, cst.SimpleString) and not more.raw_value.strip()
    if not said or not added or is_empty:
        return None
    last = said.pop()
    parts, end = _without_blanks(last)
    parts.append(cst.FormattedStringText(" " if end.endswith(_MARKS) else ". "))
    first: _Piece = last
    if isinstance(last, cst.FormattedString):
        first = last.with_changes(parts=parts)
    else:
        text = last.raw_value.rstrip(" ") + (" " if end.endswith(_MARKS) else ". ")
        first = last.with_changes(value=f"{last.quote}{text}{last.quote}")
    joined: _Piece | cst.ConcatenatedString = added.pop()
    for piece in reversed([*said, first, *added]):
        joined = cst.ConcatenatedString(piece, joined)
    return joined.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


_Piece = cst.SimpleString | cst.FormattedString


def _pieces(text: cst.BaseExpression) -> list[_Piece]:
    """Return the pieces that a text is written in, each on one line; none for anything else."""
    if isinstance(text, cst.ConcatenatedString):
        left, right = _pieces(text.left), _pieces(text.right)
        return [*left, *right] if left and right else []
    return [text.with_changes(lpar=(), rpar=())] if _is_line(text) else []


_MARKS = (".", "!", "?", ":")
"""What ends a sentence, or asks for the next one."""


def _is_line(text: cst.BaseExpression) -> TypeGuard[cst.SimpleString | cst.FormattedString]:
    if not isinstance(text, (cst.SimpleString, cst.FormattedString)):
        return False
    return len(text.quote) == 1 and text.prefix.lower() in ("", "f")


def _without_blanks(
    message: cst.SimpleString | cst.FormattedString,
) -> tuple[list[cst.BaseFormattedStringContent], str]:
    """Return the parts of a text without blanks at its end, and how it ends."""
    parts = list(parts_of(message))
    last = parts[-1] if parts else None
    if not isinstance(last, cst.FormattedStringText):
        return parts, ""
    end = last.value.rstrip(" ")
    return [*parts[:-1], last.with_changes(value=end)], end
