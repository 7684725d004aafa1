"""Payloads in variables: what a name holds at a return, where that is certain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import libcst as cst
import libcst.matchers as m

from errlint.collect.expressions import constant_key, dotted_name, inside
from errlint.fix.bindings import spoken
from errlint.fix.forms.effects import is_constant, is_plain
from errlint.fix.model import Refusal, refuse
from errlint.fix.parsed import SCOPES, Parsed
from errlint.fix.raising.logcalls import log_call

Line = cst.SimpleStatementLine


class Held(NamedTuple):
    """A payload that a name holds.

    ``at`` is the statement that the raise takes the place of, ``removed`` are those that have put it together;
    ``flattened`` are the ``if`` statements whose ``else`` is not needed any more.
    """

    value: cst.BaseExpression
    at: cst.Return | Line
    removed: tuple[Line, ...] = ()
    flattened: tuple[cst.If, ...] = ()


def held(
    parsed: Parsed, node: cst.Return, name: str, is_error: Callable[[cst.BaseExpression], bool]
) -> tuple[Held, ...]:
    """Return the error payloads that a name may hold at a return.

    Raises :class:`errlint.fix.model.Refusal` where it cannot be told for sure.
    """
    function = parsed.function(node)
    if function is None:
        raise refuse("the return stands in no function", parsed.path, parsed.line(node))
    _refuse_shared(parsed, function, name)
    line = statement(parsed, node)
    for parent, _ in parsed.around(node):
        final = parent.finalbody if isinstance(parent, cst.Try) else None
        if final is not None and mentions(final, name):
            raise refuse(f"the `finally` around it uses `{name}`", parsed.path, parsed.line(final))
        if parent is function:
            break
    built = _built(parsed, function, line, node, name)
    if built is not None:
        return (built,)
    return tuple(_assigned(parsed, function, line, name, is_error))


def statement(parsed: Parsed, node: cst.BaseSmallStatement) -> Line:
    """Return the line of a statement; raises :class:`errlint.fix.model.Refusal` where it is not alone on one."""
    for parent, _ in parsed.around(node):
        if isinstance(parent, Line) and len(parent.body) == 1:
            return parent
        break
    raise refuse("the statement shares its line with others", parsed.path, parsed.line(node))


def mentions(node: cst.CSTNode, name: str) -> int:
    """Count how often a name stands in a node; names of attributes and of arguments are others."""
    count = 0
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, cst.Name):
            count += current.value == name
        elif isinstance(current, (cst.Attribute, cst.Arg)):
            pending.append(current.value)
        else:
            pending.extend(inside(current))
    return count


def _refuse_shared(parsed: Parsed, function: cst.FunctionDef, name: str) -> None:
    """Refuse a name that others can see or change: parameters, names of outer scopes or used in inner ones."""
    if mentions(function.params, name):
        raise refuse(f"`{name}` is a parameter", parsed.path, parsed.line(function))
    pending: list[cst.CSTNode] = [function.body]
    while pending:
        current = pending.pop()
        is_inner = isinstance(current, (*SCOPES, cst.BaseComp))
        is_declared = isinstance(current, (cst.Global, cst.Nonlocal))
        if (is_inner or is_declared) and mentions(current, name):
            raise refuse(f"`{name}` is used in another scope too", parsed.path, parsed.line(current))
        if not is_inner:
            pending.extend(inside(current))


def bound(line: cst.CSTNode) -> tuple[str, cst.BaseExpression] | None:
    """Return the name and the value of ``name = value``, ``None`` where a statement is anything else."""
    if not isinstance(line, Line) or len(line.body) != 1:
        return None
    small = line.body[0]
    if isinstance(small, cst.Assign) and len(small.targets) == 1:
        target: cst.BaseExpression = small.targets[0].target
    elif isinstance(small, cst.AnnAssign):
        target = small.target
    else:
        return None
    return (target.value, small.value) if isinstance(target, cst.Name) and small.value is not None else None


def assigned(line: cst.CSTNode, name: str) -> cst.BaseExpression | None:
    """Return what a statement assigns to a name, ``None`` where it does anything else, or uses it for that."""
    found = bound(line)
    return found[1] if found is not None and found[0] == name and not mentions(found[1], name) else None


def stored(line: cst.CSTNode, name: str) -> tuple[str, cst.BaseExpression] | None:
    """Return the key and the value of ``name["key"] = value``, ``None`` where a statement is anything else."""
    if not isinstance(line, Line) or len(line.body) != 1:
        return None
    small = line.body[0]
    if not isinstance(small, cst.Assign) or len(small.targets) != 1 or mentions(small.value, name):
        return None
    target = small.targets[0].target
    if not isinstance(target, cst.Subscript) or len(target.slice) != 1:
        return None
    index = target.slice[0].slice
    key = constant_key(index.value) if isinstance(index, cst.Index) else None
    is_own = isinstance(target.value, cst.Name) and target.value.value == name
    return (key, small.value) if key is not None and is_own else None


def merged(base: cst.BaseExpression, stores: Sequence[tuple[str, cst.BaseExpression]]) -> cst.BaseExpression | None:
    """Return a dict with what was stored into it, ``None`` where that cannot be written as one."""
    if not stores:
        return base
    if isinstance(base, cst.Call) and dotted_name(base.func) == "dict" and not base.args:
        base = cst.Dict([])
    if not isinstance(base, cst.Dict):
        return None
    entries: dict[str, cst.BaseExpression] = {}
    for element in base.elements:
        key = constant_key(element.key) if isinstance(element, cst.DictElement) else None
        if key is None or key in entries:
            return None
        entries[key] = element.value
    for key, value in stores:
        if key in entries and not is_plain(entries[key]):
            return None
        entries[key] = value
    return cst.Dict([cst.DictElement(cst.SimpleString(repr(key)), value) for key, value in entries.items()])


def _built(parsed: Parsed, function: cst.FunctionDef, line: Line, node: cst.Return | Line, name: str) -> Held | None:
    """Return a payload that is put together straight before the return, ``None`` where it is not."""
    block = _block(parsed, line)
    before = list(block[: _index(block, line)])
    stores: list[tuple[str, cst.BaseExpression]] = []
    removed: list[Line] = []
    passed: list[Line] = []
    while before:
        last = before.pop()
        found = stored(last, name)
        value = assigned(last, name)
        if found is not None and isinstance(last, Line):
            stores.insert(0, found)
            removed.insert(0, last)
        elif value is not None and isinstance(last, Line):
            return _whole(parsed, node, name, value, stores, (last, *removed), passed)
        elif isinstance(last, Line) and log_call(last) is not None and not mentions(last, name):
            passed.append(last)
        else:
            before.append(last)
            break
    if not stores:
        return None
    base = _start(parsed, function, line, name, removed[0])
    return _whole(parsed, node, name, base, stores, tuple(removed), passed)


def _whole(
    parsed: Parsed,
    node: cst.Return | Line,
    name: str,
    base: cst.BaseExpression,
    stores: list[tuple[str, cst.BaseExpression]],
    removed: tuple[Line, ...],
    passed: list[Line],
) -> Held:
    value = merged(base, stores)
    if value is None:
        raise refuse(f"`{name}` does not start as a dict of constants", parsed.path, parsed.line(node))
    values = (base, *(item for _, item in stores))
    if passed and not all(map(is_plain, values)):
        raise refuse(f"something happens between `{name}` and its return", parsed.path, parsed.line(passed[-1]))
    return Held(value, node, removed)


def _start(parsed: Parsed, function: cst.FunctionDef, line: Line, name: str, first: Line) -> cst.BaseExpression:
    """Return the constant dict that a name starts as, where nothing on the way to a statement has changed it."""
    child: cst.CSTNode = first
    for parent, inner in parsed.around(first):
        if isinstance(parent, (cst.For, cst.While)):
            text = f"`{name}` may have been changed before, in an earlier round of the loop"
            raise refuse(text, parsed.path, parsed.line(parent))
        if isinstance(parent, SCOPES):
            break
        if _has_changed(parent, inner, name):
            raise refuse(f"`{name}` may have been changed before", parsed.path, _first(parsed, parent, name))
        if not isinstance(parent, cst.IndentedBlock):
            continue
        child = inner
        for item in reversed(parent.body[: _index(parent.body, child)]):
            value = assigned(item, name)
            if value is not None:
                if not _is_start(value):
                    raise refuse(f"`{name}` does not start as a dict of constants", parsed.path, parsed.line(item))
                return value
            if mentions(item, name) and not _is_left(item, name):
                raise refuse(f"`{name}` may have been changed before", parsed.path, _first(parsed, item, name))
    raise refuse(f"it is not certain what `{name}` starts as", parsed.path, parsed.line(line))


def _first(parsed: Parsed, node: cst.CSTNode, name: str) -> int:
    """Return the first line in which a statement uses a name."""
    return min(map(parsed.line, spoken(node, name)))


def _has_changed(parent: cst.CSTNode, inner: cst.CSTNode, name: str) -> bool:
    """Whether what is around a part of a compound statement may have run before it, and uses a name."""
    if isinstance(parent, cst.If):
        return mentions(parent.test, name) > 0
    if isinstance(parent, cst.With):
        return any(mentions(item, name) for item in parent.items)
    if isinstance(parent, (cst.Try, cst.TryStar)):
        others = (parent.body, *(parent.handlers if inner is parent.finalbody else ()))
        return inner is not parent.body and any(mentions(item, name) for item in others)
    return isinstance(parent, cst.Match) and mentions(parent, name) > mentions(inner, name)


def _is_start(value: cst.BaseExpression) -> bool:
    if isinstance(value, cst.Call):
        return dotted_name(value.func) == "dict" and not value.args
    return isinstance(value, cst.Dict) and all(
        isinstance(item, cst.DictElement)
        and is_constant(item.key)
        and (is_constant(item.value) or (isinstance(item.value, (cst.List, cst.Dict)) and not item.value.elements))
        for item in value.elements
    )


def _is_left(node: cst.CSTNode, name: str) -> bool:
    """Whether a statement is an ``if`` of which every branch that mentions a name leaves the function."""
    if not isinstance(node, cst.If) or mentions(node.test, name):
        return False
    if mentions(node.body, name) and not _leaves(node.body):
        return False
    other = node.orelse
    if other is None or not mentions(other, name):
        return True
    return _leaves(other.body) if isinstance(other, cst.Else) else _is_left(other, name)


def _leaves(body: cst.BaseSuite) -> bool:
    last = body.body[-1] if body.body else None
    if isinstance(last, Line):
        last = last.body[-1]
    return isinstance(last, (cst.Return, cst.Raise))


def _assigned(
    parsed: Parsed,
    function: cst.FunctionDef,
    line: Line,
    name: str,
    is_error: Callable[[cst.BaseExpression], bool],
) -> Iterator[Held]:
    """Yield the error payloads that are assigned where nothing but the return follows."""
    found = [line for line in m.findall(function.body, m.SimpleStatementLine()) if assigned(line, name) is not None]
    payloads = [_payload(parsed, function, each, name) for each in found if isinstance(each, Line)]
    errors = [each for each in payloads if is_error(each.value)]
    if not errors or len(errors) == len(payloads):
        raise refuse(f"it is not certain what `{name}` holds", parsed.path, parsed.line(line))
    for each in errors:
        assert isinstance(each.at, Line)
        yield each._replace(flattened=_straight(parsed, each.at, line, name))


def _payload(parsed: Parsed, function: cst.FunctionDef, line: Line, name: str) -> Held:
    """Return what a statement assigns to a name; where that is another name, what has been put together in it."""
    value = assigned(line, name)
    assert value is not None
    if isinstance(value, cst.Name):
        try:
            _refuse_shared(parsed, function, value.value)
            built = _built(parsed, function, line, line, value.value)
        except Refusal:
            built = None
        if built is not None and mentions(function, value.value) == 2 + len(built.removed) - 1:
            return built
    return Held(value, line)


def _straight(parsed: Parsed, found: Line, target: Line, name: str) -> tuple[cst.If, ...]:
    """Check that nothing runs between a statement and the return; return the ``if`` that it ends.

    Raises :class:`errlint.fix.model.Refusal` where something does.
    """
    unsure = refuse(f"more happens between this value of `{name}` and the return", parsed.path, parsed.line(found))
    ended: list[cst.If] = []
    child: cst.CSTNode = found
    is_end = True
    for parent, inner in parsed.around(found):
        if isinstance(parent, cst.IndentedBlock):
            child = inner
            rest = parent.body[_index(parent.body, child) + 1 :]
            if rest and rest[0] is target:
                return tuple(ended)
            if rest:
                raise unsure
        elif isinstance(parent, cst.If):
            if is_end and inner is parent.body and parent.orelse is not None:
                ended.append(parent)
            is_end = False
        elif isinstance(parent, (cst.Try, cst.ExceptHandler, cst.Else, cst.With)):
            is_end = False
            if isinstance(parent, cst.Try):
                is_body = inner is parent.body
                if (is_body and parent.orelse is not None) or inner is parent.finalbody:
                    raise unsure
                if parent.finalbody is not None and mentions(parent.finalbody, name):
                    raise unsure
        else:
            raise unsure
    raise unsure


def _block(parsed: Parsed, line: Line) -> Sequence[cst.BaseStatement]:
    for parent, _ in parsed.around(line):
        if isinstance(parent, cst.IndentedBlock):
            return parent.body
        break
    raise refuse("the return stands in no block", parsed.path, parsed.line(line))


def _index(block: Sequence[cst.BaseStatement], node: cst.CSTNode) -> int:
    return next(index for index, item in enumerate(block) if item is node)
