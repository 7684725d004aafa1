"""What a handler, or a ``with suppress``, catches."""

from __future__ import annotations

import ast

from errlint.index.expressions import dotted_name, given
from errlint.trees import caught_types

BROAD = frozenset({"Exception", "BaseException"})
"""The classes above all exceptions that anything expects."""


def is_broad(types: tuple[str, ...]) -> bool:
    """Whether a clause catches everything, or every :class:`Exception`."""
    return not types or any(name.rpartition(".")[2] in BROAD for name in types)


def suppressed(node: ast.With | ast.AsyncWith) -> tuple[str, ...] | None:
    """Return the exceptions that ``with suppress(...)`` swallows, ``None`` for any other ``with``."""
    return next((types for item in node.items if (types := suppressed_by(item.context_expr)) is not None), None)


def suppressed_by(manager: ast.expr) -> tuple[str, ...] | None:
    """Return the exceptions that a context manager swallows which ``suppress`` makes, ``None`` for any other one."""
    if type(manager) is not ast.Call or dotted_name(manager.func).rpartition(".")[2] != "suppress":
        return None
    return tuple(dotted_name(value) or "?" for _, value in given(manager))


def exception_names(handler: ast.ExceptHandler) -> tuple[str, ...]:
    """Return the dotted names in an ``except`` clause, ``?`` for what is none; none for a clause of everything."""
    types = (each.value if isinstance(each, ast.Starred) else each for each in caught_types(handler))
    return tuple(dotted_name(each) or "?" for each in types)
