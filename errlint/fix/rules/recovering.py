"""Which recovery of the policy the code around an error carries out: what it does next."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from errlint.collect.expressions import dotted_name
from errlint.fix.forms.effects import is_constant
from errlint.fix.parsed import SCOPES, Parsed
from errlint.project.fields import EXITS
from errlint.settings.policy import Taxonomy

_NOTHING = frozenset({"None", "False", "0", "''", '""', "[]", "{}", "()"})
"""What a function answers that has nothing to answer."""


IsError = Callable[[cst.BaseExpression], bool]
"""Whether a value that is returned is an error itself."""


def recovery_of(parsed: Parsed, node: cst.CSTNode, taxonomy: Taxonomy, is_error: IsError) -> str:
    """Return what is done about the error that the statement ``node`` tells of, "" where only a person can say.

    Where the program ends behind it, that is the one recovery after which nothing goes on. Where the next item of a
    loop is taken, the function answers nothing or an error, or what follows is done as if there had been no error, it
    is the one after which work goes on. What is raised again is for others to recover from.
    """
    legal = {name for names in taxonomy.recoveries.values() for name in names}
    ends = _ends(parsed, node, is_error)
    if ends is None:
        return ""
    found = [name for name in (taxonomy.stops if ends else taxonomy.continues) if name in legal]
    return found[0] if len(found) == 1 else ""


def _ends(parsed: Parsed, node: cst.CSTNode, is_error: IsError) -> bool | None:
    """Whether the program ends behind a statement; ``None`` where it tries again, raises, or answers something else."""
    for parent, child in parsed.around(node):
        if isinstance(parent, SCOPES):
            return False
        if isinstance(parent, (cst.IndentedBlock, cst.Module)):
            at = next(index for index, item in enumerate(parent.body) if item is child)
            for item in parent.body[at + 1 :]:
                for each in item.body if isinstance(item, cst.SimpleStatementLine) else ():
                    if isinstance(each, cst.Raise):
                        return _is_exit(each.exc) or None
                    if isinstance(each, cst.Expr) and _is_exit(each.value):
                        return True
                    if isinstance(each, cst.Return):
                        is_given_up = _is_nothing(parsed, each.value) or (
                            each.value is not None and is_error(each.value)
                        )
                        return False if is_given_up else None
                    if isinstance(each, cst.Continue):
                        return None if _tries_again(parsed, each) else False
                    if isinstance(each, cst.Break):
                        return None
        if isinstance(parent, (cst.For, cst.While)) and child is parent.body:
            # The end of its block: what comes next is the next item.
            return None if _is_retry(parent) else False
        if isinstance(parent, cst.ExceptHandler) and _tries_again(parsed, parent):
            return None
    return False


def _is_exit(value: cst.BaseExpression | None) -> bool:
    name = dotted_name(value.func if isinstance(value, cst.Call) else value) if value is not None else ""
    return name == "SystemExit" or (isinstance(value, cst.Call) and name.rpartition(".")[2] in EXITS)


def _is_nothing(parsed: Parsed, value: cst.BaseExpression | None) -> bool:
    """Whether a return answers nothing: constants alone, and no text or number that says something."""
    if value is None or parsed.code(value).strip() in _NOTHING:
        return True
    return isinstance(value, cst.Tuple) and is_constant(value)


def _tries_again(parsed: Parsed, node: cst.CSTNode) -> bool:
    """Whether the nearest loop around a statement tries the same once more."""
    for parent, child in parsed.around(node):
        if isinstance(parent, SCOPES):
            return False
        if isinstance(parent, (cst.For, cst.While)) and child is parent.body:
            return _is_retry(parent)
    return False


def _is_retry(loop: cst.For | cst.While) -> bool:
    """Whether a loop counts: what it does again is the same, as no item is taken."""
    if isinstance(loop, cst.While):
        return False
    called = loop.iter.func if isinstance(loop.iter, cst.Call) else None
    return called is not None and dotted_name(called) == "range"
