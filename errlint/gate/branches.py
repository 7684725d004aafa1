"""Handlers in which a condition may look at the text of the exception."""

from __future__ import annotations

import ast


def may_branch(handler: ast.ExceptHandler) -> bool:
    """Whether a clause names its exception, uses that, and has a condition with a text in it."""
    if handler.name is None or handler.type is None:
        return False
    inside = [part for node in handler.body for part in ast.walk(node)]
    if not any(isinstance(part, ast.Name) and part.id == handler.name for part in inside):
        return False
    tests = [part.test for part in inside if isinstance(part, (ast.If, ast.While))]
    return any(
        isinstance(part, ast.Constant) and isinstance(part.value, str) for test in tests for part in ast.walk(test)
    )
