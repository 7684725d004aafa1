"""Which recovery of the policy the code around an error carries out: what it does next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum

import libcst as cst

from errlint.collect import statements
from errlint.collect.expressions import dotted_name
from errlint.collect.flow import Statement
from errlint.fix.forms.effects import is_constant
from errlint.fix.forms.variables import bound
from errlint.fix.parsed import SCOPES, Parsed
from errlint.fix.rules.fixed import below
from errlint.fix.users.verdicts import leaves
from errlint.project.fields import EXITS
from errlint.project.logs import LOGGER
from errlint.settings.policy import Taxonomy

_NOTHING = frozenset({"None", "False", "0", "''", '""', "[]", "{}", "()"})
"""What a function answers that has nothing to answer."""

_MEMBERS = frozenset({"EMPTY", "MISSING", "NONE", "NULL", "UNDEFINED", "UNKNOWN", "UNSET"})
"""Members of enumerations that stand for nothing."""

IsError = Callable[[cst.BaseExpression], bool]
"""Whether a value that is returned is an error itself."""

_Loop = cst.For | cst.While


class Next(Enum):
    """What is done behind an error: the program ends, the work goes on, or the same is tried once more."""

    END = "end"
    ON = "on"
    AGAIN = "again"


def recovery_of(parsed: Parsed, node: cst.CSTNode, taxonomy: Taxonomy, is_error: IsError) -> str:
    """Return what is done about the error that the statement ``node`` tells of, "" where only a person can say.

    Where the program ends behind it, that is the one recovery after which nothing goes on; where the same is tried once
    more, the one that has a number of attempts. Where the next item of a loop is taken, the function answers nothing or
    an error, or what follows is done as if there had been no error, it is the one after which work goes on. What is
    raised again is for others to recover from.
    """
    legal = {name for names in taxonomy.recoveries.values() for name in names}
    done = _next(parsed, node, is_error)
    if done is None:
        return ""
    meant = {Next.END: taxonomy.stops, Next.ON: taxonomy.continues, Next.AGAIN: (*taxonomy.attempts,)}[done]
    found = [name for name in meant if name in legal]
    return found[0] if len(found) == 1 else ""


def _next(parsed: Parsed, node: cst.CSTNode, is_error: IsError) -> Next | None:
    """Return what is done behind a statement; ``None`` where it raises, answers something else, or may do either."""
    is_shared = is_chosen = False
    handler = parsed.handler(node)
    caught = next((each for each, _ in parsed.around(handler) if isinstance(each, cst.Try)), None) if handler else None
    for parent, child in parsed.around(node):
        if isinstance(parent, SCOPES):
            return Next.ON
        if isinstance(parent, (cst.IndentedBlock, cst.Module)):
            at = next(index for index, item in enumerate(parent.body) if item is child)
            for index, item in enumerate(parent.body[at + 1 :], at + 1):
                if not isinstance(item, cst.SimpleStatementLine):
                    if leaves(item):
                        return None
                    continue
                for each in item.body:
                    if isinstance(each, cst.Raise):
                        return Next.END if _is_exit(each.exc) else None
                    if isinstance(each, cst.Expr) and _is_exit(each.value):
                        return Next.END
                    if isinstance(each, cst.Return):
                        is_given_up = is_shared or _is_given_up(each.value, parent.body[:index], is_error)
                        return Next.ON if is_given_up else None
                    if isinstance(each, cst.Continue):
                        return _next_round(parsed, each, caught, is_chosen)
                    if isinstance(each, cst.Break):
                        return None
        if isinstance(parent, (cst.For, cst.While)) and child is parent.body:
            # The end of its block: what comes next is the next item.
            return _round(parent, caught, is_chosen)
        is_chosen = is_chosen or isinstance(parent, cst.If)
        if parent is caught:
            is_shared = not _is_left(caught.body) and (caught.orelse is None or not _is_left(caught.orelse.body))
        elif caught is None and isinstance(parent, cst.If):
            is_shared = is_shared or _goes_on_otherwise(parent, child)
    return Next.ON


def _goes_on_otherwise(parent: cst.If, child: cst.CSTNode) -> bool:
    """Whether what follows an ``if`` is reached by another branch than ``child``, in which an error is told, too.

    One that asks for the logger says nothing of the error.
    """
    if any(isinstance(item, cst.Name) and LOGGER.search(item.value) for item in below(parent.test)):
        return False
    other = parent.body if child is parent.orelse else parent.orelse
    return other is None or not (_is_left(other.body) if isinstance(other, cst.Else) else _is_left(other))


def _is_left(body: cst.BaseSuite | cst.If) -> bool:
    """Whether a block, or an ``elif``, leaves its function or loop; a ``with`` at its end as what is in it."""
    while isinstance(body, cst.IndentedBlock) and body.body and isinstance(body.body[-1], cst.With):
        body = body.body[-1].body
    return leaves(body)


def _next_round(parsed: Parsed, node: cst.CSTNode, caught: cst.Try | None, is_chosen: bool) -> Next | None:
    """Return what the nearest loop around a ``continue`` does with it."""
    for parent, child in parsed.around(node):
        if isinstance(parent, SCOPES):
            break
        if isinstance(parent, (cst.For, cst.While)) and child is parent.body:
            return _round(parent, caught, is_chosen)
    return Next.ON


def _round(loop: _Loop, caught: cst.Try | None, is_chosen: bool) -> Next | None:
    """Return what the next round of a loop does: it takes the next item, or tries again what raised.

    It tries again where a round that succeeds leaves the loop, and it takes no item. ``is_chosen`` is true where a
    branch tells the error in some rounds alone: perhaps in the last one.
    """
    if not _counts(loop) or (caught is None and isinstance(loop, cst.While)) or not _is_left_by_success(loop, caught):
        return Next.ON
    return Next.AGAIN if caught is not None and not is_chosen else None


def _counts(loop: _Loop) -> bool:
    """Whether a loop counts, or waits: no item is taken."""
    if isinstance(loop, cst.While):
        return True
    called = loop.iter.func if isinstance(loop.iter, cst.Call) else None
    return called is not None and dotted_name(called) == "range"


def _is_left_by_success(loop: _Loop, caught: cst.Try | None) -> bool:
    """Whether a round in which nothing is raised is the last one."""
    if caught is None:
        return any(isinstance(item, (cst.Return, cst.Break)) for item in statements.below(loop.body))
    blocks = [caught.body, *([caught.orelse.body] if caught.orelse is not None else []), loop.body]
    return any(isinstance(item, (cst.Return, cst.Break)) for block in blocks for item in _unconditional(block))


def _unconditional(body: cst.BaseSuite) -> Iterator[Statement]:
    """Yield the statements of a block and of each ``with`` in it."""
    for item in statements.of(body):
        yield item
        if isinstance(item, cst.With):
            yield from _unconditional(item.body)


def _is_exit(value: cst.BaseExpression | None) -> bool:
    name = dotted_name(value.func if isinstance(value, cst.Call) else value) if value is not None else ""
    return name == "SystemExit" or (isinstance(value, cst.Call) and name.rpartition(".")[2] in EXITS)


def _is_given_up(value: cst.BaseExpression | None, before: Sequence[cst.CSTNode], is_error: IsError) -> bool:
    """Whether a return answers nothing or an error; ``before`` are the statements of its block that come first."""
    if isinstance(value, cst.Name):
        given = (made[1] for item in reversed(before) if (made := bound(item)) is not None and made[0] == value.value)
        value = next(given, value)
    return value is None or _is_nothing(value) or is_error(value)


def _is_nothing(value: cst.BaseExpression) -> bool:
    """Whether a value says nothing: an empty one, a member as ``Kind.UNKNOWN``, a tuple of these and of constants."""
    if isinstance(value, cst.Tuple):
        return all(is_constant(item.value) or _is_nothing(item.value) for item in value.elements)
    if isinstance(value, cst.Attribute):
        return value.attr.value in _MEMBERS
    return cst.Module([]).code_for_node(value).strip() in _NOTHING
