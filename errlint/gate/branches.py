"""Functions in which a condition may look at the text of an error."""

from __future__ import annotations

import ast

from errlint.gate.syntax import name_or_callee

BY_TEXT = "exception_message"
"""How the names of conditions end by which a decorator tries again because of a text."""

_SEARCHES = frozenset({"search", "match", "fullmatch"})
_TEXTS = frozenset({"message", "msg", "detail", "text"})


def may_branch(handler: ast.ExceptHandler) -> bool:
    """Whether a clause names its exception, uses that, and has a condition with a text in it."""
    if handler.name is None or handler.type is None:
        return False
    inside = [part for node in handler.body for part in ast.walk(node)]
    if not any(isinstance(part, ast.Name) and part.id == handler.name for part in inside):
        return False
    return any(_has_text(part.test) for part in inside if isinstance(part, (ast.If, ast.While)))


def may_ask(body: list[ast.stmt]) -> bool:
    """Whether the statements of a function bind the result of a call and ask for a text in it."""
    tests = [node.test for node in body if isinstance(node, (ast.If, ast.While)) and _has_text(node.test)]
    return bool(tests) and any(
        isinstance(part, ast.Attribute) and part.attr in _TEXTS
        for node in (*tests, *(node.value for node in body if isinstance(node, ast.Assign)))
        for part in ast.walk(node)
    )


def retries_by_text(decorators: list[ast.expr]) -> bool:
    """Whether a decorator has such a condition."""
    return any(
        isinstance(part, (ast.Name, ast.Attribute)) and name_or_callee(part).endswith(BY_TEXT)
        for node in decorators
        for part in ast.walk(node)
    )


def _has_text(test: ast.expr) -> bool:
    """Whether a condition has a text in it, searches for a pattern or asks for a status."""
    return any(
        (isinstance(part, ast.Constant) and isinstance(part.value, str))
        or (isinstance(part, ast.Attribute) and (part.attr in _SEARCHES or "status" in part.attr))
        for part in ast.walk(test)
    )
