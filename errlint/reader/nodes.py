"""The nodes of ``ast`` that have a place, and those that the interpreter's own may not have yet."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

Node: TypeAlias = "ast.expr | ast.stmt | ast.arg | ast.keyword | ast.alias | ast.excepthandler | ast.pattern"
"""What has a place."""


class TemplateStr(ast.expr):
    """``t"…"``; its values are those of an f-string."""

    _fields = ("values",)


type_alias: Callable[..., ast.stmt] = getattr(ast, "TypeAlias", None) or type(
    "TypeAlias", (ast.stmt,), {"_fields": ("name", "type_params", "value")}
)
"""Makes ``type X = …``."""

try_star: Callable[..., ast.stmt] = getattr(ast, "TryStar", None) or type(
    "TryStar", (ast.stmt,), {"_fields": ast.Try._fields}
)
"""Makes ``try: … except* …``."""
