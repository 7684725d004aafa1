"""How the message is read off what a factory answers, where the call has to stay as it is.

A factory that logs, waits, or answers one of several payloads cannot be written out at its calls. Its call becomes
a part of the message then: ``raise ToolError(failed(key)["error"])``.
"""

from __future__ import annotations

from collections.abc import Mapping as View
from types import MappingProxyType
from typing import NamedTuple

from errlint.facts import (
    Call,
    Choice,
    Function,
    Handler,
    Mapping,
    Ref,
    Sequence,
    Text,
    Value,
    Variable,
    alternatives,
    keyed,
    named_parts,
    only,
)
from errlint.fix.payload_extraction.payload import CONTENT, message_key, quoted
from errlint.project import Project
from errlint.project.arguments import bound_to
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol

MAX_DEPTH = 8
"""Calls inside calls, and values inside values, are followed so far."""

_JSON = ExternalSymbol("json.dumps")
_DUMPS = frozenset({"dumps", "model_dump_json", "to_json"})
_TEXTS = frozenset({"str", "repr", "traceback.format_exc"})
TO_DICT = frozenset({"model_dump", "dict", "to_dict", "as_dict"})
_BLOCK = frozenset({"type", "text"})
"""The keys of a block of content."""


class MessageAccess(NamedTuple):
    """Keys, places in lists and attributes of an answer by which its message is read, none where it is a text.

    ``is_block`` is true where that is the text of a block of content, ``is_json`` where the answer is JSON text of
    what has the keys.
    """

    steps: tuple[str | int, ...] = ()
    attribute: str = ""
    is_block: bool = False
    is_json: bool = False

    @property
    def code(self) -> str:
        """What stands behind an expression that answers it."""
        steps = "".join(f"[{step if isinstance(step, int) else quoted(step)}]" for step in self.steps)
        return steps + (f".{self.attribute}" if self.attribute else "")

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys alone."""
        return tuple(step for step in self.steps if isinstance(step, str))


def way(
    project: Project,
    path: str,
    function: Function,
    value: Value,
    depth: int = 0,
    given: View[str, MessageAccess | None] = MappingProxyType({}),
    handlers: tuple[Handler, ...] = (),
) -> MessageAccess | None:
    """Return how the message is read off an answer, ``None`` where that is not known or not the same on every path.

    ``given`` says that of the parameters of the function, ``handlers`` are those around the answer.
    """

    def again(item: Value) -> MessageAccess | None:
        return way(project, path, function, item, depth + 1, given, handlers)

    if depth > MAX_DEPTH:
        return None
    if type(value) is Text:
        return MessageAccess()
    if type(value) is Ref and value.name in given:
        return given[value.name]
    if type(value) is Variable or type(value) is Choice:
        return _only(set(map(again, value.values)))
    if type(value) is Sequence:
        block = again(value.items[0]) if len(value.items) == 1 else None
        is_kept = block is not None and block.is_block and value.kind == "list"
        return block._replace(steps=(0, *block.steps)) if block is not None and is_kept else None
    if type(value) is Mapping:
        fields = keyed(value)
        is_block = fields.keys() == _BLOCK
        key = "text" if is_block else message_key(fields)
        if not key:
            # What was stored beside the message of another payload: that one is read as before.
            below = _only(set(map(again, value.spreads)))
            return below if below is not None and below.keys[:1] and below.keys[0] not in fields else None
        inner = again(fields[key])
        if inner is not None and inner.is_json:  # JSON text below a key is the text that the key says
            inner = MessageAccess()
        if inner is None and not _may_be_deep(fields[key]):
            inner = MessageAccess()  # what nothing is known of is the text that its key says
        return None if inner is None else inner._replace(steps=(key, *inner.steps), is_block=is_block or inner.is_block)
    return _of_call(project, path, function, value, depth, handlers) if type(value) is Call else None


def _may_be_deep(value: Value) -> bool:
    """Whether a value is a dict or list, or may be one of several of which one is."""
    return any(type(each) is Mapping or type(each) is Sequence for each in alternatives(value))


def _only(ways: set[MessageAccess | None]) -> MessageAccess | None:
    return ways.pop() if len(ways) == 1 else None


def _of_call(
    project: Project, path: str, function: Function, value: Call, depth: int, handlers: tuple[Handler, ...]
) -> MessageAccess | None:
    last = value.name.rpartition(".")[2]
    symbol = project.names.resolve(path, value.name, function.name)
    if symbol == _JSON and value.arguments:
        inner = way(project, path, function, value.arguments[0].value, depth + 1, handlers=handlers)
        is_read = inner is not None and inner.keys and not (inner.is_block or inner.is_json or inner.attribute)
        return inner._replace(is_json=True) if inner is not None and is_read else MessageAccess()
    if last in _DUMPS or value.name in _TEXTS or (value.name == ".join" and type(value.inner) is Text):
        return MessageAccess()
    made = only(value.inner)
    teller = project.classifier.teller(path, function, value, handlers)
    if teller is not None:
        return _of_returns(project, teller, depth)
    if last in TO_DICT and type(made) is Call:
        key = message_key(named_parts(made))
        return MessageAccess((key,)) if key and made.name.rpartition(".")[2][:1].isupper() else None
    if last == CONTENT and "text" in named_parts(value):
        return MessageAccess(attribute="text", is_block=True)
    if symbol is None:
        form = project.classifier.form(path, function, value, handlers)
        symbol = form.helper if form is not None else None  # the method of an object that is made in the function
    if isinstance(symbol, FunctionSymbol) and not symbol.function.is_generator and not symbol.function.ends:
        return _of_function(project, path, function, value, symbol, depth)
    if isinstance(symbol, ClassSymbol) and not project.hierarchy.is_exception(symbol):
        key = message_key(named_parts(value))
        return MessageAccess(attribute=key) if key else None
    return None


def _of_function(
    project: Project, path: str, function: Function, value: Call, symbol: FunctionSymbol, depth: int
) -> MessageAccess | None:
    """Return how the message is read off what a function of the project answers to a call."""
    bound = bound_to(symbol.function, value)
    given = {
        name: way(project, path, function, item, depth + 1) for name, item in bound.passed.items() if not bound.is_open
    }
    return _of_returns(project, symbol, depth, given)


def _of_returns(
    project: Project, symbol: FunctionSymbol, depth: int, given: View[str, MessageAccess | None] = MappingProxyType({})
) -> MessageAccess | None:
    return _only(
        {
            way(project, symbol.path, symbol.function, item.value, depth + 1, given, item.handlers)
            for item in symbol.function.returns
        }
    )
