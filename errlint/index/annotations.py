"""What annotations name: the types of a union one by one, also where they are written as a text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress

from errlint.index.expressions import dotted_name


def unquoted(annotation: ast.expr) -> ast.expr:
    """Return an annotation that may be written as a text; as it is where that is no expression."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        with suppress(SyntaxError):
            return ast.parse(annotation.value, mode="eval").body
    return annotation


def members(annotation: ast.expr) -> Iterator[ast.expr]:
    """Yield the types of a union, one after the other; what is no union by itself."""
    annotation = unquoted(annotation)
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        yield from members(annotation.left)
        yield from members(annotation.right)
    elif isinstance(annotation, ast.Subscript) and head(annotation) in ("Union", "Optional", "Annotated", "Final"):
        items = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
        for item in items[:1] if head(annotation) == "Annotated" else items:
            yield from members(item)
        if head(annotation) == "Optional":
            yield ast.Constant(None)
    else:
        yield annotation


def head(annotation: ast.expr) -> str:
    """Return the last part of the name that an annotation begins with."""
    node = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return ast.unparse(node).rpartition(".")[2]


def named_class(annotation: ast.expr | None) -> str:
    """Return the dotted name of the one class that an annotation names, beside ``None``; "" for any other.

    Only a name that begins as those of classes do: what has methods of a project is no ``dict``.
    """
    if annotation is None:
        return ""
    found = {
        dotted_name(each.value if isinstance(each, ast.Subscript) else each)
        for each in members(annotation)
        if not isinstance(each, ast.Constant)
    }
    name = found.pop() if len(found) == 1 else ""
    return name if name.rpartition(".")[2].lstrip("_")[:1].isupper() else ""


def literals(annotation: ast.expr) -> tuple[object, ...]:
    """Return the values of a ``Literal``, nothing for any other annotation."""
    if not isinstance(annotation, ast.Subscript) or head(annotation) != "Literal":
        return ()
    items = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
    return tuple(item.value for item in items if isinstance(item, ast.Constant))
