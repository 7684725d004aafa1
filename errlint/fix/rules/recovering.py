"""Which recovery of the policy the code around an error carries out: what it does next."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from enum import Enum

import libcst as cst

from errlint.error_keywords import ERROR_TELLER, LOGGER
from errlint.fix.bindings import assignment
from errlint.fix.nodes import (
    Statement,
    called_name,
    caught_as,
    dotted_name,
    leaves,
    statements_below,
    statements_from,
    statements_of,
)
from errlint.fix.rules.node_lookup import below
from errlint.fix.source_file import SCOPES, SourceFile
from errlint.index.statements import is_exit, jumps_out
from errlint.settings.policy import Taxonomy

NOTHING = frozenset({"None", "False", "0", "''", '""', "[]", "{}", "()"})
"""The texts of values that say nothing: what a function answers that has nothing to answer."""

_MEMBERS = frozenset({"EMPTY", "MISSING", "NONE", "NULL", "UNDEFINED", "UNKNOWN", "UNSET"})
"""Members of enumerations that stand for nothing."""

IsError = Callable[[cst.BaseExpression], bool]
"""Whether a value that is returned is an error itself."""

_Loop = cst.For | cst.While


class Next(Enum):
    """What is done behind an error: the program ends, the work goes on, it is tried once more, or in another way."""

    END = "end"
    ON = "on"
    AGAIN = "again"
    OTHERWISE = "otherwise"


def recovery_of(parsed: SourceFile, node: cst.CSTNode, taxonomy: Taxonomy, is_error: IsError) -> str:
    """Return what is done about the error that the statement ``node`` tells of, "" where only a person can say.

    Where the program ends behind it, that is the one recovery after which nothing goes on; where the same is tried once
    more, the one that has a number of attempts; where another function is given the same and answers, the one that
    takes another way. Where the next item of a loop is taken, the function answers nothing or an error, or what follows
    is done as if there had been no error, it is the one after which work goes on. What is raised again is for others to
    recover from.
    """
    legal = {name for names in taxonomy.recoveries.values() for name in names}
    done = _next(parsed, node, is_error)
    if done is None:
        return ""
    meant = {
        Next.END: taxonomy.stops,
        Next.ON: taxonomy.continues,
        Next.AGAIN: (*taxonomy.attempts,),
        Next.OTHERWISE: taxonomy.replaces,
    }
    found = [name for name in meant[done] if name in legal]
    return found[0] if len(found) == 1 else ""


def _next(parsed: SourceFile, node: cst.CSTNode, is_error: IsError) -> Next | None:
    """Return what is done behind a statement; ``None`` where it raises, answers something else, or may do either."""
    is_shared = is_chosen = False
    handler = parsed.handler(node)
    caught = next((each for each, _ in parsed.around(handler) if isinstance(each, cst.Try)), None) if handler else None
    for parent, child in parsed.around(node):
        if isinstance(parent, SCOPES):
            return Next.ON
        if isinstance(parent, (cst.IndentedBlock, cst.Module)):
            at = next(index for index, item in enumerate(parent.body) if item is child)
            for item in parent.body[at + 1 :]:
                if isinstance(item, cst.SimpleStatementLine):
                    last = next(filter(_leads_away, item.body), None)
                    if last is not None:
                        is_same = is_shared and isinstance(last, cst.Return)
                        return Next.ON if is_same else _led(parsed, last, caught, is_chosen, is_error)
                elif leaves(item):
                    ways = (each for each in statements_below(item) if isinstance(each, cst.BaseSmallStatement))
                    led = {_led(parsed, each, caught, True, is_error) for each in ways if _leads_away(each)}
                    return led.pop() if len(led) == 1 else None
        if isinstance(parent, (cst.For, cst.While)) and child is parent.body:
            # The end of its block: what comes next is the next item.
            return _round(parent, caught, is_chosen)
        is_chosen = is_chosen or isinstance(parent, cst.If)
        if parent is caught:
            is_shared = not _is_left(caught.body) and (caught.orelse is None or not _is_left(caught.orelse.body))
        elif caught is None and isinstance(parent, cst.If):
            is_shared = is_shared or _goes_on_otherwise(parent, child)
    return Next.ON


def _leads_away(node: cst.BaseSmallStatement) -> bool:
    """Whether nothing that follows a statement is carried out."""
    if isinstance(node, cst.Expr):
        return _is_exit(node.value)
    return isinstance(node, (cst.Raise, cst.Return, cst.Continue, cst.Break))


def _led(
    parsed: SourceFile, node: cst.BaseSmallStatement, caught: cst.Try | None, is_chosen: bool, is_error: IsError
) -> Next | None:
    """Return what a statement that leads away does about the error before it; ``None`` where that is not said."""
    if isinstance(node, cst.Expr):
        return Next.END
    if isinstance(node, cst.Raise):
        return Next.END if _is_exit(node.exc) else None
    if isinstance(node, cst.Continue):
        return _next_round(parsed, node, caught, is_chosen)
    if not isinstance(node, cst.Return):
        return None
    value = _given(parsed, node)
    if value is None or _is_nothing(value) or is_error(value):
        return Next.ON
    return Next.OTHERWISE if caught is not None and _is_other_way(value, caught) else None


def _given(parsed: SourceFile, node: cst.Return) -> cst.BaseExpression | None:
    """Return what is returned: also by way of a variable that is given it before in the same block."""
    if not isinstance(node.value, cst.Name):
        return node.value
    before = map(assignment, parsed.before(node))
    made = [found[1] for found in before if found is not None and found[0] == node.value.value]
    return made[-1] if made else node.value


def _is_other_way(value: cst.BaseExpression, caught: cst.Try) -> bool:
    """Whether another function is asked for what failed: one that is given something that was given to that, too.

    What gets the exception, or is called after errors, makes an answer of them.
    """
    call = value.expression if isinstance(value, cst.Await) else value
    name = dotted_name(call.func) if isinstance(call, cst.Call) else ""
    last = name.rpartition(".")[2]
    if not isinstance(call, cst.Call) or not last or last[0].isupper() or ERROR_TELLER.search(last):
        return False
    exceptions = set(map(caught_as, caught.handlers))
    given = {item.value for each in call.args for item in below(each.value) if isinstance(item, cst.Name)}
    tried = [item for item in below(caught.body) if isinstance(item, cst.Call)]
    if not given.isdisjoint(exceptions) or any(dotted_name(item.func) == name for item in tried):
        return False
    plain = {item.value.value for item in call.args if isinstance(item.value, cst.Name)}
    return any(isinstance(item.value, cst.Name) and item.value.value in plain for each in tried for item in each.args)


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


def _next_round(parsed: SourceFile, node: cst.CSTNode, caught: cst.Try | None, is_chosen: bool) -> Next | None:
    """Return what the nearest loop around a ``continue`` does with it."""
    for parent, child in parsed.in_scope(node):
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
        return any(isinstance(item, (ast.Return, ast.Break)) for item in jumps_out(statements_from(loop.body)))
    blocks = [caught.body, *([caught.orelse.body] if caught.orelse is not None else []), loop.body]
    return any(isinstance(item, (cst.Return, cst.Break)) for block in blocks for item in _unconditional(block))


def _unconditional(body: cst.BaseSuite) -> Iterator[Statement]:
    """Yield the statements of a block and of each ``with`` in it."""
    for item in statements_of(body):
        yield item
        if isinstance(item, cst.With):
            yield from _unconditional(item.body)


def _is_exit(value: cst.BaseExpression | None) -> bool:
    name = called_name(value) if value is not None else ""
    return name == "SystemExit" or (isinstance(value, cst.Call) and is_exit(name))


def _is_nothing(value: cst.BaseExpression) -> bool:
    """Whether a value says nothing: an empty one, a member as ``Kind.UNKNOWN``, a tuple with one of these in it."""
    if isinstance(value, cst.Tuple):
        return not value.elements or any(_is_nothing(item.value) for item in value.elements)
    if isinstance(value, cst.Attribute):
        return value.attr.value in _MEMBERS
    return cst.Module([]).code_for_node(value).strip() in NOTHING
