"""Log calls as statements."""

from __future__ import annotations

import libcst as cst

from errlint.error_keywords import LOG_METHODS
from errlint.fix.nodes import dotted_name, small_of
from errlint.project.logs import LOGGER


def log_call(line: cst.CSTNode) -> cst.Call | None:
    """Return the call of a statement that does nothing but log, ``None`` for any other statement."""
    small = small_of(line)
    call = small.value if isinstance(small, cst.Expr) else None
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
        return None
    receiver = dotted_name(call.func.value).rpartition(".")[2]
    is_method = call.func.attr.value in LOG_METHODS
    return call if is_method and LOGGER.search(receiver) else None
