"""Boundaries that errors reach, and in what their answers differ from what was answered before."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import libcst as cst

from errlint.facts import Constant, Function, Text, Value
from errlint.facts import Mapping as Table
from errlint.fix.callers.abstract_values import definition
from errlint.fix.callers.call_sites import calling
from errlint.fix.callers.empty_results import empty_result
from errlint.fix.callers.serving import served_by
from errlint.fix.model import Doubt, refuse
from errlint.fix.nodes import convert
from errlint.fix.payload_extraction.payload import JSON_TEXT, Payload, alone, dumped
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SourceFile
from errlint.project import Project
from errlint.project.boundary import Covered, never_waits
from errlint.project.frameworks import AGENTS, WEB, Framework
from errlint.project.hierarchy import Exceptional
from errlint.project.names import FunctionSymbol
from errlint.project.raise_outcome import name_of
from errlint.settings import Boundary


def shape_on_the_way(value: cst.BaseExpression | None) -> str:
    """Return what a caller makes of an answer that it hands on, "" where it leaves it as it is."""
    return JSON_TEXT if dumped(value) is not None else "a list" if alone(value) is not None else ""


class Exit(NamedTuple):
    """A boundary that an error can reach; ``empty`` is its empty result, as :func:`empty_result` knows it.

    ``annotation`` is what the function says that it returns, "" for nothing. ``framework`` is the boundary itself,
    where the project has none of its own. ``is_served`` is true where it stands at the server, as middleware does: who
    calls the function itself gets the exception.
    """

    boundary: Boundary
    path: str
    function: Function
    empty: Mapping[str, Value]
    position: int | None
    annotation: str
    framework: Framework | None = None
    is_served: bool = False


def exit_of(project: Project, files: Files, path: str, function: Function) -> Exit | None:
    """Return the boundary around a function, ``None`` where it has none.

    Raises :class:`errlint.fix.model.Refusal` for an adapter where no boundary is configured, and no framework answers.
    """
    covers = project.boundaries.covers(path, function)
    if covers:
        cover = covers[-1]
        empty = empty_result(project, files, Covered(path, function, cover))
        return Exit(cover.boundary, path, function, empty, cover.position, _annotation(files.parse(path), function))
    route = project.routes.framework(path, function)
    if route is not None:
        refuse_unanswered(route)
        annotation = _annotation(files.parse(path), function)
        return Exit(Boundary(), path, function, {}, None, annotation, route, is_served=True)
    if project.adapters.is_adapter(path, function) and project.boundaries.is_around(path, function):
        annotation = _annotation(files.parse(path), function)
        is_served = not project.boundaries.is_wrapped(path, function)
        return Exit(project.policy(path).boundaries[0], path, function, {}, None, annotation, is_served=is_served)
    if project.adapters.is_adapter(path, function) and not project.policy(path).boundaries:
        if is_called_here(project, files, path, function):
            return None
        framework = served_by(project, files, path, function)
        annotation = _annotation(files.parse(path), function)
        return Exit(Boundary(), path, function, {}, None, annotation, framework, is_served=True)
    return None


def refuse_unanswered(route: Framework) -> None:
    """Refuse a route whose framework has no exception that it answers with a status and the text of the error.

    Raises :class:`errlint.fix.model.Refusal`.
    """
    if not route.error:
        raise refuse(f"{route.name} has no exception whose text clients get with any status")


def is_called_here(project: Project, files: Files, path: str, function: Function) -> bool:
    """Whether only its class makes a tool of a method, and the project calls it itself: its callers have the server."""
    if not function.owner or project.policy(path).boundaries:
        return False
    if project.adapters.registering(path, function) or project.adapters.is_registered(path, function):
        return False
    return any(each.is_certain and each.caller.function for each in calling(project, files, path, function))


def _annotation(parsed: SourceFile, function: Function) -> str:
    node = definition(parsed, function.name)
    return parsed.code(node.returns.annotation) if node is not None and node.returns is not None else ""


_OBJECT = re.compile(r"\b(?:[dD]ict|Mapping|MutableMapping|Any|object)\b")
"""In the annotations that a dict fits."""


def checked_by(found: Exit) -> str:
    """Say what servers check an object against that a function answers: they publish a schema of what it returns."""
    is_object = not found.annotation or _OBJECT.search(found.annotation)
    return "" if is_object else f", and servers check it against `{found.annotation}`"


def missed(project: Project, found: Exit, raised: Exceptional) -> Iterator[Doubt]:
    """Yield why a boundary never answers an exception, as far as the project has its definition.

    Where the convention leaves it to the server to answer, the boundary may let everything through.
    """
    if found.position is None or not found.boundary.envelope:
        return
    name = found.function.decorators[found.position]
    symbol = project.names.resolve(found.path, name, found.function.name.rpartition(".")[0])
    if not isinstance(symbol, FunctionSymbol):
        return
    parts, line = project.boundaries.parts(symbol), symbol.function.span.line
    if found.function.is_async and never_waits(parts):
        text = f"the boundary `{name}` never sees an exception of an async function (ERR211)"
        yield Doubt(text, symbol.path, line, refuses=True)
        return
    whole = (symbol.function, *parts)
    clauses = [(item.name, catch.types) for item in whole for around in item.tries for catch in around.catches]
    if clauses and all(
        project.hierarchy.catches(symbol.path, scope, types, raised) is False for scope, types in clauses
    ):
        text = f"no handler of the boundary `{name}` catches `{name_of(raised)}`"
        yield Doubt(text, symbol.path, line, refuses=True)


def differences(found: Exit, payload: Payload) -> Iterator[Doubt]:
    """Yield in what the answer of a boundary differs from a payload for those who read it."""
    line = found.function.span.line
    envelope = found.boundary.envelope
    if not envelope:
        told = "an error of the protocol" if _is_resource(found) else "isError and a text"
        if found.framework is AGENTS:
            told = "a message with the status `error`"
        elif found.framework in WEB:
            told = "the status of an error, and the text as its detail"
        text = f"the convention changes the answer: a client gets {told}"
        yield Doubt(text, found.path, line, is_convention=True)
        return
    if payload.shape:
        text = f"the answer was {payload.shape}, the boundary's is an object"
        yield Doubt(text + checked_by(found), found.path, line)
    if payload.key and payload.is_nested:
        yield Doubt(f"the message stood below another key, as `{payload.key}`", found.path, line)
    elif payload.key and "{message}" not in envelope.get(payload.key, ""):
        yield Doubt(f"the message stood under `{payload.key}`, where the boundary's answer has none", found.path, line)
    for key, node in (*payload.codes, *payload.others):
        value = convert(node)
        if _is_answered(found, key, value):
            continue
        yield Doubt(f"the boundary's answer does not have the same `{key}`", found.path, line)
    for key in payload.unsaid:
        yield Doubt(f"the boundary's answer does not have the same `{key}`", found.path, line)


def _is_resource(found: Exit) -> bool:
    """Whether those who ask are told an error of the protocol: also where prompts are asked for."""
    return found.framework is not None and found.framework.registers in ("resource", "prompt")


def lost(found: Exit, payloads: Iterable[Payload]) -> frozenset[str] | None:
    """Return the keys of payloads that a boundary's answer has not, ``None`` where that is no object of keys."""
    envelope = found.boundary.envelope
    payloads = tuple(payloads)
    if not envelope or any(item.shape for item in payloads):
        return None
    keys = {item.key for item in payloads if item.key and not item.is_nested}
    keys.update(key for item in payloads for key in (*dict(item.markers), *item.other_keys))
    return frozenset(keys - envelope.keys() - found.empty.keys())


def message_key(found: Exit) -> str:
    """Return the key below which a boundary answers a message as it is, "" for none."""
    return next((key for key, text in found.boundary.envelope.items() if text == "{message}"), "")


def kept_by(exits: tuple[Exit, ...], payload: Payload) -> frozenset[str]:
    """Return the keys of a payload that every boundary answers by itself, as parts of its empty result."""
    return frozenset(
        key for key, node in payload.others if all(_is_answered(found, key, convert(node)) for found in exits)
    )


def _is_answered(found: Exit, key: str, value: Value) -> bool:
    """Whether a boundary answers a key with the same value; ``1``, ``1.0`` and ``True`` are not the same to clients."""
    own = found.empty.get(key)
    return own is not None and key not in found.boundary.envelope and repr(own) == repr(value) and _is_fixed(value)


def _is_fixed(value: Value) -> bool:
    """Whether a value is the same wherever it is written: constants, texts without holes, displays of such."""
    if type(value) is Text:
        return all(isinstance(part, str) for part in value.parts)
    if type(value) is Constant:
        return True
    if type(value) is Table:
        return not value.spreads and all(entry.key is not None and _is_fixed(entry.value) for entry in value.entries)
    items = getattr(value, "items", None)
    return isinstance(items, tuple) and all(map(_is_fixed, items))
