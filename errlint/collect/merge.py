"""Facts of one file from several looks at it, as if they came from one."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from errlint.facts import Assigned, Called, Class, Function, Module, Opaque, Raise, Return, Try, Unread, Use


def merge(first: Module, second: Module) -> Module:
    """Return the facts of two looks at the same content; what the second one tells more exactly replaces the first."""
    if first.problem is not None or second.problem is not None:
        return second if second.problem is not None else first
    functions = {(item.name, item.span): item for item in first.functions}
    for function in second.functions:
        key = (function.name, function.span)
        known = functions.get(key)
        functions[key] = function if known is None else _function(known, function)
    classes = {(item.name, item.span): item for item in first.classes}
    for definition in second.classes:
        key = (definition.name, definition.span)
        other = classes.get(key)
        classes[key] = definition if other is None else _class(other, definition)
    return Module(
        tuple(sorted(functions.values(), key=lambda item: item.span)),
        tuple(sorted(classes.values(), key=lambda item: item.span)),
        first.imports or second.imports,
        _assigned(first.assigned, second.assigned),
        _uses(first.uses, second.uses),
        first.suppressions,
        tuple(sorted({*first.covered, *second.covered})),
        mentions=tuple(dict.fromkeys((*first.mentions, *second.mentions))),
        rebound=first.rebound or second.rebound,
        distinctions=first.distinctions or second.distinctions,
        tables=tuple(dict.fromkeys((*first.tables, *second.tables))),
        script=first.script or second.script,
        on_path=first.on_path or second.on_path,
        scopes=first.scopes or second.scopes,
        alternatives=first.alternatives or second.alternatives,
    )


def _function(first: Function, second: Function) -> Function:
    returns = {item.span: item for item in first.returns}
    for found in second.returns:
        known = returns.get(found.span)
        returns[found.span] = found if known is None else _return(known, found)
    return Function(
        first.name,
        first.span,
        first.owner,
        first.is_async,
        first.is_generator or second.is_generator,
        max(first.parameters, second.parameters, key=len),
        first.decorators,
        tuple(sorted(returns.values(), key=lambda item: item.span)),
        _uses(first.uses, second.uses),
        # A look that kept no answer did not look where the function ends.
        second.ends if second.returns or not first.returns else first.ends,
        first.decorations or second.decorations,
        _by_span(first.raises, second.raises),
        _by_span(first.tries, second.tries),
        _calls(first.calls, second.calls),
        tuple(dict.fromkeys((*first.inspections, *second.inspections))),
        max(first.stores, second.stores, key=len),
        first.unbound or second.unbound,
        first.swallows or second.swallows,
        _by_span(first.unread, second.unread),
        first.branches or second.branches,
        first.deferred or second.deferred,
        first.distinctions or second.distinctions,
        first.precaution or second.precaution,
        first.ways or second.ways,
        first.cases or second.cases,
        first.records or second.records,
        first.told or second.told,
        first.compared or second.compared,
        _by_span(first.reraises, second.reraises),
        first.arms or second.arms,
        first.reads or second.reads,
        tuple(dict.fromkeys((*first.selves, *second.selves))),
        first.looked or second.looked,
        first.rounds or second.rounds,
        first.matched or second.matched,
        first.sets_status or second.sets_status,
    )


_Placed = TypeVar("_Placed", Raise, Try, Unread)
_encode = msgspec.msgpack.Encoder().encode


def _by_span(first: tuple[_Placed, ...], second: tuple[_Placed, ...]) -> tuple[_Placed, ...]:
    if not first or not second:
        return first or second
    found = {item.span: item for item in first} | {item.span: item for item in second}
    return tuple(found[span] for span in sorted(found))


def _calls(first: tuple[Called, ...], second: tuple[Called, ...]) -> tuple[Called, ...]:
    """Keep of each call the look that tells more: the other one did not follow the variables that are passed."""
    found = {item.span: item for item in first}
    for item in second:
        known = found.get(item.span)
        if known is None or known == item or len(_encode(known)) <= len(_encode(item)):
            found[item.span] = item
    return tuple(found[span] for span in sorted(found))


def _return(first: Return, second: Return) -> Return:
    return first if isinstance(second.value, Opaque) else second


def _class(first: Class, second: Class) -> Class:
    return first if len(first.members or ()) > len(second.members or ()) else second


def _assigned(first: tuple[Assigned, ...], second: tuple[Assigned, ...]) -> tuple[Assigned, ...]:
    """Take all values of a name from one look: their order says which one holds."""
    again = {item.name for item in second}
    return (*(item for item in first if item.name not in again), *second)


def _uses(first: tuple[Use, ...], second: tuple[Use, ...]) -> tuple[Use, ...]:
    return tuple(sorted(dict.fromkeys((*first, *second)), key=lambda use: use.span))
