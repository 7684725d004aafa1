"""What an error payload written out at a return says: its message, its code, and everything else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple, TypeGuard

import libcst as cst
import libcst.matchers as m

from errlint.error_keywords import (
    ERROR_CODE_KEYS,
    ERROR_KEYS,
    ERROR_LIST_KEYS,
    ERROR_STATUS,
    FAILURE_KEYS,
    MESSAGE_KEYS,
    NUMBERED_TEXTS,
    OUTRIGHT_KEYS,
    PRINTED_KEYS,
    PROCESS_STATUS_KEYS,
    RAISED_KEY,
    STATUS_KEYS,
    SUCCESS_KEYS,
)
from errlint.facts import CASTS, Constant, Ref, Value, constant_text, is_null
from errlint.fix.model import Refusal, refuse
from errlint.fix.nodes import constant_key, convert, dict_entries, dotted_name

_DUMPS = "dumps"
"""The last part of the names of calls that turn their argument into JSON text: those of `json`, `orjson` and others."""

_MODEL_DUMPS = "model_dump_json"
"""The method that turns an object of a model into JSON text."""

TEXT = "a text"
"""The shape of an answer that is no more than a text."""

JSON_TEXT = "JSON text"
"""The shape of a payload that is dumped."""

_LIST = "a list"
"""The shape of a list whose only value is an error."""

BLOCKS = "a list of content"
"""The shape of an MCP result with one text in it, whether in a list or not."""

CONTENT = "TextContent"
RESULT = "CallToolResult"
_RESULTS = frozenset({RESULT, "ToolResult"})
"""The last parts of the names of what MCP, and FastMCP, make of texts, and of content."""

_STRUCTURED = frozenset({"structuredContent", "structured_content"})
"""Arguments of a result that say the same as its content, as data."""

_AROUND_TEXT = frozenset({"type", "text", "annotations", "meta", "_meta"})
"""Keys and arguments of a block of content that has a text: the text is all that is read of one."""

CODE_NAMES = ("code", "type", "kind")
"""How a variable is called, or what its name ends in, that holds a code."""

_TYPE_KEYS = frozenset({"error_type", "errortype"})
"""Keys that say what kind of error it is where another one has a code."""


_GIVEN_KEYS = frozenset(["args", "arguments", "kwargs", "params", "parameters", "input", "inputs", "request", "query"])
"""Keys of what the client gave: a description below one of them is its own, and says nothing of the error."""

_LISTS = ERROR_LIST_KEYS | {"messages", "problems", "issues", "diagnostics"}
"""Keys with lists of what went wrong."""

_LAST = frozenset({"stderr", "why", "cause", "explanation", "hint"})
"""Keys that tell what went wrong where no other one does."""

_RESPONSES = frozenset({"jsonify", "JSONResponse"})
"""Calls that make the response of a route of a payload, and do nothing else."""

_DICTS = frozenset({"dict", "jsonify", "flask.jsonify"})
"""Calls whose arguments by name are the entries of a payload."""

_OF_COMMANDS = PROCESS_STATUS_KEYS | PRINTED_KEYS
"""Keys of what a command answered: one that says nothing is told apart by its number."""

_SAYS_NOTHING = re.compile(
    r"(?:an? )?(?:unknown|unexpected|unspecified) (?:error|failure|problem)(?: (?:has )?occurred)?[.!]?", re.IGNORECASE
)
"""A text that stands where nothing was said: the default of a factory."""

UNKNOWN = cst.Ellipsis()
"""Stands in the place of what a factory puts into a payload in a way that only it knows."""


def is_known(value: cst.BaseExpression) -> bool:
    """Whether nothing in an expression is unknown."""
    return not m.findall(value, m.Ellipsis())


class Payload(NamedTuple):
    """The parts of a payload, as nodes of the checked file.

    ``key`` is the one that holds the message, and ``is_nested`` is true where that stands below another key; ``codes``
    are all parts that may be an error code, ``markers`` those that say nothing but error. ``shape`` says
    what was answered where that was no dict. ``is_part`` is true where only the message of an answer is known,
    ``unsaid`` are the keys of which it is not known what stands below them, and ``**more`` for a dict whose keys it
    takes over; ``is_open`` is true where there is one. ``above`` is the key below which ``key`` stands, "" for none.
    ``is_made_up`` is true where the payload says that something went wrong, and not what. ``empty`` is the key of a
    text in the usual place that says no more than that, where ``message`` is what another entry says; "" for none.
    """

    key: str
    message: cst.BaseExpression
    codes: tuple[tuple[str, cst.BaseExpression], ...]
    others: tuple[tuple[str, cst.BaseExpression], ...]
    is_nested: bool = False
    shape: str = ""
    markers: tuple[tuple[str, cst.BaseExpression], ...] = ()
    is_part: bool = False
    unsaid: tuple[str, ...] = ()
    is_open: bool = False
    above: str = ""
    is_made_up: bool = False
    empty: str = ""

    @property
    def path(self) -> tuple[str, ...]:
        """The keys by which the message is read of the answer, () where it stands elsewhere."""
        if self.shape or (self.is_nested and not self.above):
            return ()
        return tuple(filter(None, (self.above, self.key)))

    @property
    def other_keys(self) -> tuple[str, ...]:
        """All keys but those of the message and of the markers."""
        return (*(key for key, _ in (*self.codes, *self.others)), *self.unsaid)


def read(value: cst.BaseExpression, code_names: frozenset[str], otherwise: str = "") -> Payload:
    """Read a payload; ``code_names`` are the keys that the policy knows to carry a code.

    ``otherwise`` is the message of one that has none, "" where there is no such.

    Raises :class:`errlint.fix.model.Refusal` for what is no dict written out with constant keys and a message.
    """
    result = _result(value)
    if result is not None:
        return _read_result(result, code_names)._replace(shape=BLOCKS)
    inner = dumped(value)
    whole = value if inner is None else inner
    single = alone(whole)
    body, spread, named = _written_out(whole if single is None else single)
    parts = list(entries(body))
    if len({key for key, _ in parts}) < len(parts):
        raise refuse("the payload has a key twice")
    shape = JSON_TEXT if inner is not None else "" if single is None else _LIST
    found = _split(parts, code_names, otherwise)
    return found._replace(shape=shape, unsaid=(*found.unsaid, *named, *spread), is_open=bool(spread))


def _written_out(value: cst.BaseExpression) -> tuple[cst.BaseExpression, tuple[str, ...], tuple[str, ...]]:
    """Return a dict with its constant keys alone, the other ones whose keys it takes over, and its other keys.

    The latter two are as they are written: ``**more`` and ``HOST``.
    """
    if not isinstance(value, cst.Dict):
        return value, (), ()
    spread = [item for item in value.elements if isinstance(item, cst.StarredDictElement)]
    named = [item for item in value.elements if isinstance(item, cst.DictElement) and constant_key(item.key) is None]
    if any(_may_bind(item) for item in (*spread, *named)):
        raise refuse("the payload takes over the keys of another dict")
    if not spread and not named:
        return value, (), ()
    kept = [item for item in value.elements if item not in spread and item not in named]
    whole = cst.Module([])
    return (
        value.with_changes(elements=kept),
        tuple(f"**{whole.code_for_node(item.value)}" for item in spread),
        tuple(whole.code_for_node(item.key) for item in named),
    )


def _may_bind(item: cst.CSTNode) -> bool:
    """Whether something in an entry binds a name, or waits: somebody would miss it."""
    return bool(m.findall(item, m.NamedExpr() | m.Await() | m.Yield()))


def alone(value: cst.BaseExpression | None) -> cst.BaseExpression | None:
    """Return the only value of a list, ``None`` for any other expression."""
    value = uncast(value)
    if isinstance(value, cst.List) and len(value.elements) == 1 and isinstance(value.elements[0], cst.Element):
        return value.elements[0].value
    return None


def uncast(value: cst.BaseExpression | None) -> cst.BaseExpression | None:
    """Return what an expression is at run time, without what only type checkers are told."""
    while isinstance(value, cst.Call) and dotted_name(value.func) in CASTS and len(value.args) == 2:
        value = value.args[1].value
    return value


def dumped(value: cst.BaseExpression | None) -> cst.BaseExpression | None:
    """Return what an expression turns into JSON text, ``None`` for one that does nothing of the sort."""
    if not isinstance(value, cst.Call):
        return None
    if isinstance(value.func, cst.Attribute) and value.func.attr.value == "decode" and not value.args:
        return dumped(value.func.value)
    if isinstance(value.func, cst.Attribute) and value.func.attr.value == _MODEL_DUMPS:
        return value.func.value if _last(value.func.value)[:1].isupper() else None
    return value.args[0].value if _last(value) == _DUMPS and value.args and not value.args[0].star else None


def innermost(value: cst.BaseExpression) -> cst.BaseExpression:
    """Return what is inside of all that makes JSON text, content or a list of content of an expression."""
    result = _result(value)
    inner = dumped(value) if result is None else result.content
    return value if inner is None else innermost(inner)


class _ResultParts(NamedTuple):
    """The text, or the data, of which an MCP result is made, and what else is passed to it."""

    content: cst.BaseExpression
    rest: tuple[tuple[str, cst.BaseExpression], ...] = ()


def _result(value: cst.BaseExpression) -> _ResultParts | None:
    """Return what an MCP result with one text, or a block of content with one, says; ``None`` for all else.

    A result without content says what its structured content does.
    """
    if not _is_result(value):
        block = alone(value) or value
        is_block = isinstance(block, cst.Call) or _is_typed_block(block)
        text = _text_of_block(block) if is_block else None
        return None if text is None else _ResultParts(text)
    parts = [(item.keyword.value, item.value) for item in value.args if item.keyword is not None and not item.star]
    told = dict(parts)
    is_error = [key for key, part in parts if key.lower() in OUTRIGHT_KEYS and is_marker(key.lower(), part)]
    if len(parts) != len(value.args) or (_last(value) == RESULT and not is_error):
        return None
    structured = next((key for key in told if key in _STRUCTURED), "")
    key = "content" if "content" in told else structured
    content = told.get(key)
    if content is None:
        return None
    if key == "content":
        is_bare = isinstance(content, cst.BaseString) or dumped(content) is not None
        content = content if is_bare else _text_of_block(alone(content) or content)
    if content is None:
        return None
    return _ResultParts(content, tuple(part for part in parts if part[0] not in (key, *is_error)))


def _read_result(result: _ResultParts, code_names: frozenset[str]) -> Payload:
    """Read a result: the payload that it shows as JSON text, or holds as data, else its text."""
    is_data = dumped(result.content) is not None or isinstance(result.content, cst.Dict)
    return _with_rest(read(result.content, code_names) if is_data else _text(result.content), result)


def _text(message: cst.BaseExpression) -> Payload:
    """Return a text as a payload; raises :class:`errlint.fix.model.Refusal` for one that only a factory knows."""
    _refuse_unknown(message)
    return Payload("", message, (), ())


def _with_rest(found: Payload, result: _ResultParts) -> Payload:
    """Return what the text of a result says, with the names of what else the result has.

    Where a factory makes the result, what stands there may be of names that only the factory has.
    """
    return found._replace(unsaid=(*found.unsaid, *(key for key, _ in result.rest)))


def _text_of_block(value: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return the text of a block of content, made of its class or written as a dict; ``None`` for all else."""
    if isinstance(value, cst.Call) and _last(value) == CONTENT:
        given = {item.keyword.value: item.value for item in value.args if item.keyword is not None}
        is_whole = len(given) == len(value.args)
    elif isinstance(value, cst.Dict):
        given = dict_entries(value) or {}
        is_whole = len(given) == len(value.elements)
    else:
        return None
    is_typed = isinstance(given.get("type"), (cst.SimpleString, type(None)))
    return given.get("text") if is_whole and is_typed and given.keys() <= _AROUND_TEXT else None


def _is_typed_block(value: cst.BaseExpression) -> bool:
    """Whether a value is a dict with the keys of a block of content, of which one says that it has a text."""
    keys = dict_entries(value) or {}
    return "text" in keys and isinstance(keys.get("type"), cst.SimpleString)


def content_text(value: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return the text of the one content block of an MCP result, ``None`` for another expression."""
    result = _result(value)
    return None if result is None else result.content


def wrapped_by(call: cst.Call) -> cst.Arg | cst.Attribute | None:
    """Return the part with the value that a call makes JSON text or content of, ``None`` for any other call.

    That is an argument, or what names the method of an object.
    """
    if dumped(call) is not None:
        if not isinstance(call.func, cst.Attribute) or call.args:
            return call.args[0]
        inner = call.func.value
        return wrapped_by(inner) if call.func.attr.value == "decode" and isinstance(inner, cst.Call) else call.func
    wanted = "text" if _last(call) == CONTENT else "content" if _is_result(call) else ""
    named = (item for item in call.args if item.keyword is not None)
    return next((item for item in named if item.keyword is not None and item.keyword.value == wanted), None)


def replaced(
    whole: cst.BaseExpression,
    part: cst.Arg | cst.Attribute | cst.BaseElement | cst.BaseDictElement,
    value: cst.BaseExpression,
) -> cst.BaseExpression:
    """Return an expression with another value in a part of it; itself where that is the one which is there."""
    if value is part.value:
        return whole
    return cst.ensure_type(whole.deep_replace(part, part.with_changes(value=value)), type(whole))


def read_text(value: cst.BaseExpression) -> Payload:
    """Read a text that is returned; raises :class:`errlint.fix.model.Refusal` for what is more than a text."""
    result = _result(value)
    if result is not None:
        return _with_rest(_text(result.content), result)._replace(shape=BLOCKS)
    single = alone(value)
    if single is not None:
        return read_text(single)._replace(shape=_LIST)
    if isinstance(value, (cst.BaseString, cst.BinaryOperation)) or _is_formatted(value):
        return _text(value)._replace(shape=TEXT)
    raise refuse("only a text that is written out at the return is rewritten")


def _refuse_unknown(message: cst.BaseExpression) -> None:
    if not is_known(message):
        raise refuse("only the factory knows the message")


_ON_TEXTS = frozenset({"expandtabs", "format", "join", "lstrip", "replace", "rstrip", "strip"})
"""Methods of texts that answer texts."""


def _is_formatted(value: cst.BaseExpression) -> bool:
    """Whether an expression is what a method of a text that is written out answers."""
    while isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute) and value.func.attr.value in _ON_TEXTS:
        value = value.func.value
        if isinstance(value, (cst.BaseString, cst.BinaryOperation)):
            return True
    return False


def read_object(value: cst.BaseExpression, code_names: frozenset[str]) -> Payload:
    """Read an error object that is made at the return, of nothing but keyword arguments.

    Raises :class:`errlint.fix.model.Refusal` for any other.
    """
    result = _result(value)
    if result is not None:
        return _read_result(result, code_names)._replace(shape=f"a `{_last(value)}`")
    single = alone(value)
    if single is not None:
        return read_object(single, code_names)._replace(shape=_LIST)
    name = dotted_name(value.func) if isinstance(value, cst.Call) else ""
    told = _only_told(value) if isinstance(value, cst.Call) and name else None
    if told is not None:
        found = _split(list(entries(told)), code_names) if _is_made(told) else _text(told)
        return found._replace(shape=f"what `{name}` answers", is_part=True)
    if not name or not isinstance(value, cst.Call) or any(item.keyword is None for item in value.args):
        raise refuse(
            "only an object that is made at the return, of keyword arguments, and returned itself is rewritten"
        )
    parts = [(item.keyword.value, item.value) for item in value.args if item.keyword is not None]
    found = _split(parts, code_names)
    if isinstance(found.message, (cst.List, cst.Tuple)) or _is_made(found.message):
        raise refuse("the message is a part of another object")
    return found._replace(shape=f"a `{name.rpartition('.')[2]}`")


def _only_told(call: cst.Call) -> cst.BaseExpression | None:
    """Return the one argument by position that is a text of several words, or an object with a message.

    That is what an envelope has to tell, whatever else it is given.
    """
    given = [item.value for item in call.args if item.keyword is None]
    if not given or any(item.star for item in call.args):
        return None
    texts = [item for item in given if is_sentence(item)] or [item for item in given if _has_message(item)]
    return texts[0] if len(texts) == 1 and not isinstance(texts[0], cst.Dict) else None


def read_built(value: cst.BaseExpression, code_names: frozenset[str]) -> Payload:
    """Read what a factory builds: a dict, JSON text, a text, a list of one error, content, or an object.

    Raises :class:`errlint.fix.model.Refusal` for anything else.
    """
    content = content_text(value)
    if content is not None:
        if _is_result(value):
            return read_object(value, code_names)
        return read_text(value) if dumped(content) is None else read(value, code_names)
    inner = alone(value) or value
    if _last(inner) in _RESPONSES and isinstance(inner, cst.Call) and len(inner.args) == 1 and not inner.args[0].star:
        part = inner.args[0]
        if part.keyword is None or part.keyword.value == "content":
            return read_built(part.value, code_names)
    if isinstance(inner, (cst.BaseString, cst.BinaryOperation)):
        return read_text(value)
    if isinstance(inner, cst.Dict) or dumped(inner) is not None or (isinstance(inner, cst.Call) and _is_dict(inner)):
        return read(value, code_names)
    if not isinstance(inner, cst.Call):
        raise refuse("it is not certain what the factory builds")
    return read_object(value, code_names)


def _is_dict(call: cst.Call) -> bool:
    return dotted_name(call.func) == "dict"


def _is_result(value: cst.BaseExpression) -> TypeGuard[cst.Call]:
    return _last(value) in _RESULTS


def _last(value: cst.BaseExpression) -> str:
    """Return the last part of the name of what is called, "" for no call."""
    return dotted_name(value.func).rpartition(".")[2] if isinstance(value, cst.Call) else ""


def _is_made(value: cst.BaseExpression) -> bool:
    """Whether a value is an object, made of a class by its name."""
    return _last(value)[:1].isupper()


def entries(value: cst.BaseExpression) -> Iterator[tuple[str, cst.BaseExpression]]:
    """Yield the keys of a dict with their values; raises :class:`errlint.fix.model.Refusal` for any that is unknown."""
    if isinstance(value, cst.Call) and (dotted_name(value.func) in _DICTS or _is_made(value)):
        for argument in value.args:
            if argument.keyword is None:
                raise refuse("the payload takes over the keys of another dict")
            yield argument.keyword.value, argument.value
        return
    if not isinstance(value, cst.Dict):
        raise refuse("only a payload that is written out at the return is rewritten")
    for element in value.elements:
        key = constant_key(element.key) if isinstance(element, cst.DictElement) else None
        if key is None:
            raise refuse("the payload takes over the keys of another dict, or has one that is no constant")
        yield key, element.value


def _split(parts: list[tuple[str, cst.BaseExpression]], code_names: frozenset[str], otherwise: str = "") -> Payload:
    codes: list[tuple[str, cst.BaseExpression]] = []
    left: list[tuple[str, cst.BaseExpression]] = []
    markers = tuple((key, value) for key, value in parts if is_marker(key.lower(), value))
    for key, value in parts:
        if (key, value) in markers:
            continue
        if key in code_names or key.lower() in ERROR_CODE_KEYS:
            codes.append((key, value))
        else:
            left.append((key, value))
    message = _message(left)
    if message is None and len(codes) == 1 and markers and is_known(codes[0][1]):
        # All that is said is a code: who reads an exception reads that.
        known = tuple(part for part in left if is_known(part[1]))
        unsaid = tuple(key for key, item in left if not is_known(item))
        return Payload(codes[0][0], codes[0][1], (), known, markers=markers, unsaid=unsaid)
    if message is None and otherwise and markers and _OF_COMMANDS.isdisjoint(key.lower() for key, _ in parts):
        known = tuple(part for part in (*codes, *left) if is_known(part[1]))
        unsaid = tuple(key for key, item in (*codes, *left) if not is_known(item))
        made_up = cst.SimpleString(quoted(otherwise))
        return Payload("", made_up, (), known, markers=markers, unsaid=unsaid, is_made_up=True)
    if message is None:
        raise refuse("the payload has no message")
    message, empty = _that_says_more(message, left)
    key, value = message
    single = alone(value)
    blocks = single if single is not None and is_sentence(single) else _block(value)
    deeper = None if blocks is not None else single if single is not None and _has_message(single) else value
    if isinstance(deeper, cst.List) and key.lower() in MESSAGE_KEYS:
        blocks = _in_a_row(deeper)
        if blocks is None:
            raise refuse("the message is a part of a list")
    if key.lower() in MESSAGE_KEYS:
        types = [part for part in codes if part[0].lower() in _TYPE_KEYS]
        errors = [part for part in left if part[0].lower() in ERROR_KEYS]
        codes = [part for part in codes if part not in types] + errors + types
    others = [part for part in left if part[0] != key and part not in codes]
    found = Payload(key, value if blocks is None else blocks, (), (), is_nested=blocks is not None)
    data = None if blocks is None else dumped(blocks)
    if data is not None:
        found = _split(list(entries(data)), code_names)._replace(is_nested=True, above="", shape="")
    elif deeper is not None and (isinstance(deeper, cst.Dict) or _has_message(deeper)):
        inner = _split(list(entries(deeper)), code_names | {"type"})
        is_read_by_keys = value is deeper and isinstance(value, cst.Dict) and not inner.is_nested
        found = inner._replace(is_nested=True, above=key if is_read_by_keys else "")
    _refuse_unknown(found.message)
    return found._replace(
        codes=(*(part for part in codes if is_known(part[1])), *found.codes),
        others=(*(part for part in others if is_known(part[1])), *found.others),
        unsaid=(*(name for name, item in (*codes, *others) if not is_known(item)), *found.unsaid),
        markers=markers,
        empty=empty,
    )


def _that_says_more(
    message: tuple[str, cst.BaseExpression], parts: list[tuple[str, cst.BaseExpression]]
) -> tuple[tuple[str, cst.BaseExpression], str]:
    """Return the entry that has the message, and the key of the usual one where that is no more than a placeholder."""
    key, value = message
    text = value.evaluated_value if isinstance(value, cst.SimpleString) else ""
    if isinstance(text, str) and _SAYS_NOTHING.fullmatch(text):
        telling = [part for part in parts if part[0] != key and _has_message(part[1])]
        if len(telling) == 1:
            return telling[0], key
    return message, ""


def _block(value: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return the text of the only block in a list of content, ``None`` for all else."""
    single = alone(value)
    return content_text(value) if single is None else _text_of_block(single)


def is_marker(key: str, value: cst.BaseExpression) -> bool:
    """Whether an entry, by its key in lower case, says nothing but that this is an error."""
    name = value.value if isinstance(value, cst.Name) else ""
    if key in SUCCESS_KEYS:
        return name in ("False", "None")
    if key in FAILURE_KEYS or key in ERROR_KEYS:
        return name == "True"
    if key in STATUS_KEYS and isinstance(value, cst.SimpleString):
        text = value.evaluated_value
        return isinstance(text, str) and bool(ERROR_STATUS.fullmatch(text))
    return False


def _message(parts: list[tuple[str, cst.BaseExpression]]) -> tuple[str, cst.BaseExpression] | None:
    """Return the entry that tells what went wrong: a message beside an error that is a code, else the error itself."""
    telling = {key: convert(value) for key, value in parts if key.lower() in ERROR_KEYS | MESSAGE_KEYS}
    key = message_key(telling)
    if key:
        return next(part for part in parts if part[0] == key)
    ending = ERROR_KEYS | MESSAGE_KEYS | NUMBERED_TEXTS
    named = [part for part in parts if part[0].lower().rpartition("_")[2] in ending]
    told = [part for part in parts if part[0].lower() not in _GIVEN_KEYS]
    named = named or [part for part in told if _has_message(alone(part[1]) or part[1])]
    named = named or [part for part in parts if is_sentence(alone(part[1]) or part[1])]
    lists = ((key, value) for key, value in parts if key.lower() in _LISTS and not _is_empty(value))
    named = named or [(key, _as_text(value)) for key, value in lists]
    named = named or [part for part in parts if part[0].lower() in _LAST and _says_something(part[1])]
    return named[0] if len(named) == 1 else None


def message_key(fields: Mapping[str, Value]) -> str:
    """Return the key of what tells what went wrong: a message beside an error that is a code, else the error itself."""
    errors = [key for key, value in fields.items() if key.lower() in ERROR_KEYS and type(value) is not Constant]
    texts = [key for key, value in fields.items() if key.lower() in MESSAGE_KEYS and not is_null(value)]
    if errors and texts and (_is_code(fields[errors[0]]) or errors[0].lower() == RAISED_KEY):
        return texts[0]
    return next(iter((*errors, *texts)), "")


def _is_empty(value: cst.BaseExpression) -> bool:
    return isinstance(value, (cst.List, cst.Tuple)) and not value.elements


def _says_something(value: cst.BaseExpression) -> bool:
    return not isinstance(value, cst.SimpleString) or bool(value.raw_value.strip())


def _as_text(value: cst.BaseExpression) -> cst.BaseExpression:
    """Return a list of errors as one text: the only one of them, or all in a row."""
    if not is_known(value):
        return value
    single = alone(value)
    if single is not None and not isinstance(single, (cst.Dict, cst.List, cst.Tuple)) and not _is_made(single):
        return single
    return _in_a_row(value) or cst.Call(cst.Name("str"), [cst.Arg(value)])


def _in_a_row(value: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return a list that has nothing but texts, or is made in one expression, as one text; ``None`` for any other."""
    if isinstance(value, cst.ListComp):
        is_text = isinstance(value.elt, cst.BaseString) or _last(value.elt) == "str"
        each = value.elt if is_text else cst.Call(cst.Name("str"), [cst.Arg(value.elt)])
        row = cst.GeneratorExp(each, value.for_in, lpar=(), rpar=())
        return cst.Call(cst.Attribute(cst.SimpleString('"; "'), cst.Name("join")), [cst.Arg(row)])
    items = [item.value for item in value.elements] if isinstance(value, cst.List) else []
    if not items or not all(isinstance(item, cst.BaseString) for item in items):
        return None
    return cst.Call(cst.Attribute(cst.SimpleString('"; "'), cst.Name("join")), [cst.Arg(value)])


def is_sentence(value: cst.BaseExpression) -> bool:
    """Whether a value is a text of more than one word."""
    if _is_formatted(value) and isinstance(value, cst.Call):
        return is_sentence(cst.ensure_type(value.func, cst.Attribute).value)
    if isinstance(value, cst.FormattedString):
        return any(isinstance(part, cst.FormattedStringText) and " " in part.value for part in value.parts)
    if isinstance(value, cst.ConcatenatedString):
        return is_sentence(value.left) or is_sentence(value.right)
    return isinstance(value, cst.SimpleString) and " " in value.raw_value


def _has_message(value: cst.BaseExpression) -> bool:
    """Whether a value is a dict, or an object, with a message in it."""
    if not isinstance(value, cst.Dict) and not _is_made(value):
        return False
    with suppress(Refusal):
        return _message(list(entries(value))) is not None
    return False


def _is_code(value: Value) -> bool:
    """Whether a value is one word, a member of something, or called like a code."""
    text = constant_text(value)
    if text is not None:
        return " " not in text
    return type(value) is Ref and ("." in value.name or value.name.rpartition("_")[2].lower() in CODE_NAMES)


def quoted(text: str) -> str:
    """Return a text on one line as code."""
    shown = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{shown}"'
