"""The same code, laid out differently: what is reported must stay, only its line may move."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

Functions = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Variant:
    """The text of a file, and the new line of each old one that moved."""

    text: str
    moved: dict[int, int] = field(default_factory=dict)

    def line(self, old: int) -> int:
        """Where the old line is now."""
        return self.moved.get(old, old)


def as_written(texts: dict[str, str]) -> dict[str, Variant]:
    """Every file as the page has it."""
    return {path: Variant(text) for path, text in texts.items()}


def nested_one_level_deeper(texts: dict[str, str]) -> dict[str, Variant]:
    """Every outermost function or method has its body, but for a docstring, inside ``try: ... finally: pass``.

    Unlike ``if`` and ``with``, this keeps the meaning exactly: what cannot be reached before cannot be after,
    and the names of a module stay names of the module.
    """
    return {path: _nest(text) for path, text in texts.items()}


def as_async(texts: dict[str, str]) -> dict[str, Variant]:
    """Every function that can be is ``async``, and its calls inside others are awaited.

    Special methods, properties and generators that cannot be async stay as they are.
    """
    trees = {path: tree for path, text in texts.items() if (tree := _parse(text))}
    nodes = [node for tree in trees.values() for node in ast.walk(tree)]
    classes = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
    functions = [node for node in nodes if isinstance(node, Functions)]
    names = {node.name for node in functions if isinstance(node, ast.AsyncFunctionDef) or _convertible(node)}
    return {
        path: Variant(_insert(text, _async_edits(trees[path], names, classes)) if path in trees else text)
        for path, text in texts.items()
    }


def with_crlf(texts: dict[str, str]) -> dict[str, Variant]:
    """Lines end as on Windows."""
    return {path: Variant(text.replace("\n", "\r\n")) for path, text in texts.items()}


def with_tabs(texts: dict[str, str]) -> dict[str, Variant]:
    """Lines are indented by tabs."""
    return {
        path: Variant(re.sub(r"^(?: {4})+", lambda m: "\t" * (len(m[0]) // 4), text, flags=re.MULTILINE))
        for path, text in texts.items()
    }


VARIANTS: dict[str, Callable[[dict[str, str]], dict[str, Variant]]] = {
    "as written": as_written,
    "nested one level deeper": nested_one_level_deeper,
    "as async": as_async,
    "with CRLF": with_crlf,
    "with tabs": with_tabs,
}
"""Every layout by its name."""


def _parse(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def _nest(text: str) -> Variant:
    tree = _parse(text)
    if tree is None:
        return Variant(text)
    bodies = {
        _first_line(body[0]): node
        for node in _outermost(tree.body)
        if (body := node.body[ast.get_docstring(node) is not None :]) and _first_line(body[0]) > node.lineno
    }
    lines: list[str] = []
    moved: dict[int, int] = {}
    ends: dict[int, str] = {}
    inside = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if number in bodies:
            indent = line[: len(line) - len(line.lstrip())]
            lines.append(f"{indent}try:")
            ends[bodies[number].end_lineno or 0] = indent
            inside = "    "
        lines.append(inside + line if line else line)
        moved[number] = len(lines)
        if number in ends:
            lines += [f"{ends[number]}finally:", f"{ends[number]}    pass"]
            inside = ""
    return Variant("\n".join(lines) + "\n", moved)


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def _outermost(body: Iterable[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for statement in body:
        if isinstance(statement, Functions):
            yield statement
        elif isinstance(statement, ast.ClassDef):
            yield from _outermost(statement.body)


def _convertible(node: ast.AST) -> bool:
    if not isinstance(node, ast.FunctionDef) or node.name.startswith("__"):
        return False
    if any(isinstance(decorator, ast.Name) and decorator.id == "property" for decorator in node.decorator_list):
        return False
    own = list(_own_nodes(node))
    yields = any(isinstance(inner, ast.Yield) for inner in own)
    answers = any(isinstance(inner, ast.Return) and inner.value for inner in own)
    return not (yields and answers) and not any(isinstance(inner, ast.YieldFrom) for inner in own)


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (*Functions, ast.Lambda, ast.ClassDef)):
            yield child
            yield from _own_nodes(child)


def _async_edits(tree: ast.Module, names: set[str], classes: set[str]) -> Iterator[tuple[int, int, str]]:
    for node in ast.walk(tree):
        if _convertible(node) and isinstance(node, ast.FunctionDef):
            yield node.lineno, node.col_offset, "async "
        if _convertible(node) or isinstance(node, ast.AsyncFunctionDef):
            for statement in node.body:  # type: ignore[attr-defined]
                yield from _awaits(statement, names, classes, part=False)


def _awaits(node: ast.AST, names: set[str], classes: set[str], *, part: bool) -> Iterator[tuple[int, int, str]]:
    """The edits that await the calls below ``node``; ``part`` is true where ``await`` needs parentheses."""
    if isinstance(node, (*Functions, ast.Lambda, ast.ClassDef, ast.GeneratorExp)):
        return
    if isinstance(node, ast.Call) and _callee(node, classes) in names:
        yield node.lineno, node.col_offset, "(await " if part else "await "
        if part:
            yield node.end_lineno or 0, node.end_col_offset or 0, ")"
    for child in ast.iter_child_nodes(node):
        if isinstance(node, ast.Await):
            yield from (
                edit for inner in ast.iter_child_nodes(child) for edit in _awaits(inner, names, classes, part=False)
            )
        else:
            yield from _awaits(child, names, classes, part=isinstance(node, (ast.Attribute, ast.Subscript, ast.BoolOp)))


def _callee(call: ast.Call, classes: set[str]) -> str:
    function = call.func
    if isinstance(function, ast.Name):
        return function.id
    if isinstance(function, ast.Attribute):
        base = function.value
        if isinstance(base, ast.Call):
            base = base.func if isinstance(base.func, ast.Name) and base.func.id in classes else call
        if isinstance(base, (ast.Name, ast.Attribute)):
            return function.attr
    return ""


def _insert(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    lines = [line.encode() for line in text.split("\n")]
    for line, column, new in sorted(set(edits), reverse=True):
        old = lines[line - 1]
        lines[line - 1] = old[:column] + new.encode() + old[column:]
    return b"\n".join(lines).decode()
