"""Log calls as statements."""

from __future__ import annotations

import libcst as cst

from errlint.error_keywords import is_log_call
from errlint.fix.nodes import dotted_name, small_of


def log_call(line: cst.CSTNode) -> cst.Call | None:
    """Return the call of a statement that does nothing but log, ``None`` for any other statement."""
    small = small_of(line)
    call = small.value if isinstance(small, cst.Expr) else None
    return call if isinstance(call, cst.Call) and is_log_call(dotted_name(call.func)) else None
