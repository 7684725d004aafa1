"""Handlers after which nobody knows that something failed: they answer something, or log and go on."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from errlint.gate.syntax import SIMPLE, name_or_callee
from errlint.trees import caught_types

EXPECTED = frozenset(
    {"KeyError", "IndexError", "LookupError", "ValueError", "TypeError", "AttributeError", "NameError", "StopIteration",
     "StopAsyncIteration", "ImportError", "ModuleNotFoundError", "PackageNotFoundError", "CancelledError",
     "JSONDecodeError", "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError", "FileNotFoundError",
     "FileExistsError", "NotADirectoryError", "IsADirectoryError", "ProcessLookupError", "BrokenPipeError", "Empty",
     "QueueEmpty", "Full", "QueueFull", "EOFError", "KeyboardInterrupt", "SystemExit", "GeneratorExit",
     "NotImplementedError", "ZeroDivisionError", "OverflowError", "ArithmeticError", "RecursionError", "SyntaxError",
     "InvalidOperation", "ParseError", "ParserError", "ValidationError", "NoSuchKey", "DoesNotExist"}
)  # fmt: skip
"""Exceptions that ask a question in practice: no such key, not a number, not installed, nothing more to come."""


def is_expected(types: Iterable[str]) -> bool:
    """Whether a clause catches, by the last names of its types, nothing but what is expected."""
    names = list(types)
    return bool(names) and all(name in EXPECTED for name in names)


def may_swallow(handler: ast.ExceptHandler) -> bool:
    """Whether a clause is a few simple statements, none of which raises or leaves a loop, perhaps below an ``if``."""
    if is_expected(map(name_or_callee, caught_types(handler))):
        return False
    return all(map(_may_go_on, handler.body))


def _may_go_on(node: ast.stmt) -> bool:
    if isinstance(node, ast.If):
        return all(type(inner) in SIMPLE and _may_go_on(inner) for inner in (*node.body, *node.orelse))
    return type(node) in SIMPLE and not isinstance(node, (ast.Raise, ast.Break))


def falls_through(handler: ast.ExceptHandler) -> bool:
    """Whether what comes behind the ``try`` is reached from a clause of simple statements."""
    return not isinstance(handler.body[-1], ast.Return)


def gathers_exceptions(node: ast.stmt) -> bool:
    """Whether a statement may gather results with the exceptions among them."""
    value = getattr(node, "iter", None) or getattr(node, "value", None)
    return value is not None and any(
        isinstance(part, ast.keyword) and part.arg == "return_exceptions" for part in ast.walk(value)
    )
