"""Payloads in variables: what a name holds at a return, where that is certain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import libcst as cst
import libcst.matchers as m

from errlint.fix.bindings import assignment, name_occurrences
from errlint.fix.model import Refusal, refuse
from errlint.fix.nodes import constant_key, dict_entries, dict_of, dotted_name, inside, small_of, subscript_key
from errlint.fix.payload_extraction.effects import is_constant, is_plain
from errlint.fix.payload_extraction.payload import UNKNOWN, is_known
from errlint.fix.raising.logcalls import log_call
from errlint.fix.source_file import SCOPES, SourceFile

Line = cst.SimpleStatementLine


class HeldPayload(NamedTuple):
    """A payload that a name holds.

    ``at`` is the statement that the raise takes the place of, ``removed`` are those that have put it together;
    ``flattened`` are the ``if`` statements whose ``else`` is not needed any more.
    """

    value: cst.BaseExpression
    at: cst.Return | Line
    removed: tuple[Line, ...] = ()
    flattened: tuple[cst.If, ...] = ()


def held(
    parsed: SourceFile, node: cst.Return, name: str, is_error: Callable[[cst.BaseExpression], bool]
) -> tuple[HeldPayload, ...]:
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
    built = _built(parsed, function, line, node, name, is_error)
    if built is not None:
        return (built,)
    return tuple(_assigned(parsed, function, line, name, is_error))


def statement(parsed: SourceFile, node: cst.BaseSmallStatement) -> Line:
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


def _refuse_shared(parsed: SourceFile, function: cst.FunctionDef, name: str) -> None:
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


def assigned(line: cst.CSTNode, name: str) -> cst.BaseExpression | None:
    """Return what a statement assigns to a name, ``None`` where it does anything else, or uses it for that."""
    found = assignment(line)
    return found[1] if found is not None and found[0] == name and not mentions(found[1], name) else None


class Store(NamedTuple):
    """An entry that a statement puts into a dict; ``is_added`` is true where the value becomes one more of a list."""

    key: str
    value: cst.BaseExpression
    is_added: bool = False


def stores_of(line: cst.CSTNode, name: str) -> tuple[Store, ...]:
    """Return what a statement puts into the dict that a name holds, nothing where it does anything else.

    ``name["key"] = value``, ``name.update(key=value)``, ``name["key"].append(value)``.
    """
    found = stored(line, name)
    if found is not None:
        return (Store(*found),)
    small = small_of(line)
    call = small.value if isinstance(small, cst.Expr) else None
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute) or not call.args:
        return ()
    if any(item.star or mentions(item.value, name) for item in call.args):
        return ()
    receiver, method, first = call.func.value, call.func.attr.value, call.args[0]
    if method == "update" and dotted_name(receiver) == name:
        return tuple(Store(key, value) for key, value in _updated(call))
    key = entry_of(receiver, name) if method == "append" and len(call.args) == 1 and first.keyword is None else None
    return (Store(key, first.value, is_added=True),) if key is not None else ()


def _updated(call: cst.Call) -> Sequence[tuple[str, cst.BaseExpression]]:
    """Return the entries with which a dict is updated, none where one of them is not known."""
    found: list[tuple[str, cst.BaseExpression]] = []
    for item in call.args:
        if item.keyword is not None:
            found.append((item.keyword.value, item.value))
            continue
        for element in item.value.elements if isinstance(item.value, cst.Dict) else (None,):
            key = constant_key(element.key) if isinstance(element, cst.DictElement) else None
            if key is None or element is None:
                return ()
            found.append((key, element.value))
    return found


def entry_of(target: cst.BaseExpression, name: str) -> str | None:
    """Return the key of ``name["key"]``, ``None`` for any other expression."""
    is_it = isinstance(target, cst.Subscript) and dotted_name(target.value) == name
    return subscript_key(target) if is_it and isinstance(target, cst.Subscript) else None


def stored(line: cst.CSTNode, name: str) -> tuple[str, cst.BaseExpression] | None:
    """Return the key and the value of ``name["key"] = value``, ``None`` where a statement is anything else."""
    small = small_of(line)
    if not isinstance(small, cst.Assign) or len(small.targets) != 1 or mentions(small.value, name):
        return None
    key = entry_of(small.targets[0].target, name)
    return (key, small.value) if key is not None else None


def merged(base: cst.BaseExpression, stores: Sequence[Store]) -> cst.BaseExpression | None:
    """Return a dict with what was stored into it, ``None`` where that cannot be written as one.

    A dict may begin with another one whose entries it takes over: what was stored is the last word.
    """
    if not stores:
        return base
    if isinstance(base, cst.Call) and dotted_name(base.func) == "dict" and not base.args:
        base = cst.Dict([])
    if not isinstance(base, cst.Dict):
        return None
    taken = [element for element in base.elements if isinstance(element, cst.StarredDictElement)]
    entries = dict_entries(base.with_changes(elements=base.elements[len(taken) :]))
    if entries is None:
        return None
    for store in stores:
        held = entries.get(store.key)
        if store.is_added:
            if not isinstance(held, cst.List):
                return None
            entries[store.key] = held.with_changes(elements=[*held.elements, cst.Element(store.value)])
            continue
        if held is not None and is_known(held) and not is_plain(held):
            return None
        entries[store.key] = store.value
    return dict_of(entries, *taken)


def _built(
    parsed: SourceFile,
    function: cst.FunctionDef,
    line: Line,
    node: cst.Return | Line,
    name: str,
    is_error: Callable[[cst.BaseExpression], bool],
) -> HeldPayload | None:
    """Return a payload that is put together straight before the return, ``None`` where it is not."""
    before: list[cst.BaseStatement] = [*parsed.before(line)]
    stores: list[Store] = []
    removed: list[Line] = []
    passed: list[Line] = []
    while before:
        last = before.pop()
        found = stores_of(last, name)
        value = assigned(last, name)
        if found and isinstance(last, Line):
            stores[:0] = found
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
    try:
        base = _start(parsed, function, line, name, removed[0])
    except Refusal:
        # What was stored last is an error by itself: what was there before is what clients do not get any more.
        own = dict_of({store.key: store.value for store in stores if not store.is_added})
        if not is_error(own):
            raise
        stores = [store for store in stores if not store.is_added]
        base = cst.Dict([cst.StarredDictElement(cst.Name(name))])
    return _whole(parsed, node, name, base, stores, tuple(removed), passed)


def _whole(
    parsed: SourceFile,
    node: cst.Return | Line,
    name: str,
    base: cst.BaseExpression,
    stores: list[Store],
    removed: tuple[Line, ...],
    passed: list[Line],
) -> HeldPayload:
    value = merged(base, stores)
    if value is None:
        raise refuse(f"`{name}` does not start as a dict of constants", parsed.path, parsed.line(node))
    is_moved = [store.value for store in stores]
    if assigned(removed[0], name) is not None:
        is_moved.append(base)
    if passed and not all(map(is_plain, is_moved)):
        raise refuse(f"something happens between `{name}` and its return", parsed.path, parsed.line(passed[-1]))
    return HeldPayload(value, node, removed)


def _start(parsed: SourceFile, function: cst.FunctionDef, line: Line, name: str, first: Line) -> cst.BaseExpression:
    """Return the dict that a name starts as, where nothing on the way to a statement has changed it.

    Values that are no constants are :data:`errlint.fix.payload_extraction.payload.UNKNOWN`.
    """
    child: cst.CSTNode = first
    for parent, inner in parsed.around(first):
        if isinstance(parent, (cst.For, cst.While)) and not _is_kept(parent, name):
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
                start = _as_start(value)
                if start is None:
                    raise refuse(f"`{name}` does not start as a dict of constants", parsed.path, parsed.line(item))
                return start
            if not _is_left(item, name) and not _is_kept(item, name):
                raise refuse(f"`{name}` may have been changed before", parsed.path, _first(parsed, item, name))
    raise refuse(f"it is not certain what `{name}` starts as", parsed.path, parsed.line(line))


def _first(parsed: SourceFile, node: cst.CSTNode, name: str) -> int:
    """Return the first line in which a statement uses a name."""
    return min(map(parsed.line, name_occurrences(node, name)))


def _has_changed(parent: cst.CSTNode, inner: cst.CSTNode, name: str) -> bool:
    """Whether what is around a part of a compound statement may have run before it, and uses a name."""
    if isinstance(parent, cst.If):
        return mentions(parent.test, name) > 0
    if isinstance(parent, cst.MatchCase):
        return parent.guard is not None and mentions(parent.guard, name) > 0
    if isinstance(parent, cst.With):
        return any(mentions(item, name) for item in parent.items)
    if isinstance(parent, (cst.Try, cst.TryStar)):
        others = (parent.body, *(parent.handlers if inner is parent.finalbody else ()))
        return inner is not parent.body and not all(_is_kept(item, name) for item in others)
    return isinstance(parent, cst.Match) and mentions(parent, name) > mentions(inner, name)


def _as_start(value: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return a dict that is written out, with only its constants and empty lists known; ``None`` for all else."""
    if isinstance(value, cst.Call):
        return value if dotted_name(value.func) == "dict" and not value.args else None
    if not isinstance(value, cst.Dict):
        return None
    elements: list[cst.DictElement] = []
    for item in value.elements:
        if not isinstance(item, cst.DictElement) or not is_constant(item.key):
            return None
        is_empty = isinstance(item.value, (cst.List, cst.Dict)) and not item.value.elements
        elements.append(item if is_constant(item.value) or is_empty else item.with_changes(value=UNKNOWN))
    return value.with_changes(elements=elements)


def _is_kept(node: cst.CSTNode, name: str) -> bool:
    """Whether nothing behind a statement, and no handler around it, sees a change of what a name holds.

    All changes are entries that are stored right before the function is left.
    """
    if not mentions(node, name):
        return True
    if isinstance(node, cst.If):
        is_asked = mentions(node.test, name)
        return not is_asked and _is_kept(node.body, name) and (node.orelse is None or _is_kept(node.orelse, name))
    if isinstance(node, cst.Else):
        return _is_kept(node.body, name)
    if isinstance(node, cst.With):
        return not any(mentions(item, name) for item in node.items) and _is_kept(node.body, name)
    if isinstance(node, (cst.For, cst.While)):
        heads = (node.target, node.iter) if isinstance(node, cst.For) else (node.test,)
        is_asked = any(mentions(item, name) for item in heads)
        return not is_asked and _is_kept(node.body, name) and (node.orelse is None or _is_kept(node.orelse, name))
    if isinstance(node, cst.Try):
        parts = [node.body, *(item.body for item in node.handlers), *([node.orelse.body] if node.orelse else ())]
        is_used = node.finalbody is not None and mentions(node.finalbody, name)
        return not is_used and all(_is_kept(item, name) for item in parts)
    if not isinstance(node, cst.IndentedBlock):
        return False
    rest = list(node.body)
    if _leaves(node):
        rest.pop()
        values: list[cst.BaseExpression] = []
        while rest and (found := stores_of(rest[-1], name)):
            values[:0] = [store.value for store in found]
            rest.pop()
        if not all(map(is_plain, values[1:])):
            return False  # what is stored later may go wrong when something is stored already
    return all(_is_kept(item, name) for item in rest)


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
    parsed: SourceFile,
    function: cst.FunctionDef,
    line: Line,
    name: str,
    is_error: Callable[[cst.BaseExpression], bool],
) -> Iterator[HeldPayload]:
    """Yield the error payloads that are assigned where nothing but the return follows."""
    found = [line for line in m.findall(function.body, m.SimpleStatementLine()) if assigned(line, name) is not None]
    payloads = [_payload(parsed, function, each, name, is_error) for each in found if isinstance(each, Line)]
    errors = [each for each in payloads if is_error(each.value)]
    if not errors or len(errors) == len(payloads):
        raise refuse(f"it is not certain what `{name}` holds", parsed.path, parsed.line(line))
    for each in errors:
        assert isinstance(each.at, Line)
        yield each._replace(flattened=_straight(parsed, each.at, line, name))


def _payload(
    parsed: SourceFile,
    function: cst.FunctionDef,
    line: Line,
    name: str,
    is_error: Callable[[cst.BaseExpression], bool],
) -> HeldPayload:
    """Return what a statement assigns to a name; where that is another name, what has been put together in it."""
    value = assigned(line, name)
    assert value is not None
    if isinstance(value, cst.Name):
        try:
            _refuse_shared(parsed, function, value.value)
            built = _built(parsed, function, line, line, value.value, is_error)
        except Refusal:
            built = None
        if built is not None and mentions(function, value.value) == 2 + len(built.removed) - 1:
            return built
    return HeldPayload(value, line)


def _straight(parsed: SourceFile, found: Line, target: Line, name: str) -> tuple[cst.If, ...]:
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


def _index(block: Sequence[cst.BaseStatement], node: cst.CSTNode) -> int:
    return next(index for index, item in enumerate(block) if item is node)
