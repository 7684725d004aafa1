"""Exceptions of libraries that are made of more than a message, and what each is given besides."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import libcst as cst

from errlint.fix.model import refuse
from errlint.fix.payload_extraction.payload import Payload, quoted
from errlint.project.hierarchy import Exceptional
from errlint.project.names import ExternalSymbol

Naming = Callable[[str], str]
"""What a file calls something of a library by its dotted name, which is imported where it has no name there yet."""


class LibraryArguments(NamedTuple):
    """The arguments of an exception of a library, the keys of the payload that they hold, and what was chosen.

    ``is_whole`` is true where the keys of the payload stand beside the message, which has its own, as they did there.
    """

    arguments: tuple[str, ...]
    keys: frozenset[str]
    chosen: str
    is_whole: bool = False


class _Given(NamedTuple):
    """What there is for an exception: the message, numbers and other keys of the payload as code, and where it is.

    ``key`` is that of the message, ``markers`` say nothing but that there is an error. ``is_answered`` is true where a
    web framework answers the function itself.
    ``status`` is the code that reads the status of the exception that is handled, "" where that has none.
    """

    key: str
    message: str
    numbers: dict[str, int]
    others: dict[str, str]
    markers: dict[str, str]
    is_handled: bool
    is_answered: bool
    status: str


_Maker = Callable[[_Given, Naming], LibraryArguments]

_STATUSES = range(400, 600)
"""The HTTP statuses of errors."""

_PROTOCOL = range(-32768, -31999)
"""The codes that JSON-RPC keeps for its own errors, in which those of MCP lie."""


def is_of_library(name: str) -> bool:
    """Whether an exception with a dotted name is one of these."""
    return name in _MAKERS


def made(
    name: str,
    payload: Payload,
    message: str,
    others: dict[str, str],
    markers: dict[str, str],
    named: Naming,
    *,
    is_handled: bool,
    is_answered: bool = False,
    status: str = "",
) -> LibraryArguments:
    """Return what an exception of a library is made of, for a payload with a message, other keys and markers as code.

    ``is_handled`` is true where it is raised in a handler: what fails there is no mistake of the caller;
    ``is_answered`` where a web framework answers the function itself, so that no other code gets the exception.
    ``status`` is the code that reads the status of what is handled.
    """
    numbers = _numbers((*payload.codes, *payload.others))
    given = _Given(payload.key, message, numbers, others, markers, is_handled, is_answered, status)
    return _MAKERS[name](given, named)


def text_of(name: str, symbols: Sequence[Exceptional]) -> str:
    """Return the code that reads the text of an exception, which is of one of some classes, by its name.

    Raises :class:`errlint.fix.model.Refusal` where it has none to be read.
    """
    makers = {_MAKERS.get(item.name) if isinstance(item, ExternalSymbol) else None for item in symbols}
    if makers.isdisjoint((_http, _fastapi, _flask)):
        return f"str({name})"
    if makers <= {_http, _fastapi}:
        return f"{name}.detail"
    raise refuse("a caller reads the text of the error, which an `HTTPException` does not show as it is")


def _numbers(items: Iterable[tuple[str, cst.BaseExpression]]) -> dict[str, int]:
    """Return the values that are written as whole numbers, by their keys."""
    found = ((key, cst.Module([]).code_for_node(node)) for key, node in items)
    return {key: int(text) for key, text in found if text.removeprefix("-").isdecimal()}


def _protocol_error(given: _Given, named: Naming) -> LibraryArguments:
    key = next((key for key, number in given.numbers.items() if number in _PROTOCOL), "")
    last = "INTERNAL_ERROR" if given.is_handled else "INVALID_PARAMS"
    code = str(given.numbers[key]) if key else named(f"mcp.types.{last}")
    others = {name: text for name, text in given.others.items() if name != key}
    data = f"{{{', '.join(f'{quoted(name)}: {text}' for name, text in others.items())}}}"
    arguments = (f"code={code}", f"message={given.message}", *((f"data={data}",) if others else ()))
    chosen = "" if key else f"the code `{last}` was chosen, and "
    told = f"{chosen}a server may answer it as an error of the protocol, which is no answer of the tool"
    return LibraryArguments(arguments, frozenset(given.others), told)


def _error_data(given: _Given, named: Naming) -> LibraryArguments:
    found = _protocol_error(given, named)
    return found._replace(arguments=(f"{named('mcp.types.ErrorData')}({', '.join(found.arguments)})",))


_STATUS_KEYS = ("status_code", "http_status", "status", "code")
_STATUS_READ = re.compile(r"[\w.]+\.(?:status_code|status)")
"""The keys of a payload that hold a status, and how the status of somebody else's answer is read."""

_NOT_FOUND = re.compile(r"\bnot found\b", re.IGNORECASE)


def _status(given: _Given) -> tuple[str, str, str]:
    """Return the status of an error as code, the key of the payload that holds it ("" for none) and what was chosen."""
    key = next((key for key, number in given.numbers.items() if number in _STATUSES), "")
    if key:
        return str(given.numbers[key]), key, ""
    key = next((key for key in _STATUS_KEYS if _STATUS_READ.fullmatch(given.others.get(key, ""))), "")
    if key:
        return given.others[key], key, f"the status is `{given.others[key]}`, which has to be that of an error"
    if given.status:
        return given.status, "", ""
    status = 404 if _NOT_FOUND.search(given.message) else 500 if given.is_handled else 400
    return str(status), "", f"the status {status} was chosen"


def _http(given: _Given, _: Naming) -> LibraryArguments:
    status, key, chosen = _status(given)
    return LibraryArguments((f"status_code={status}", f"detail={given.message}"), frozenset({key} - {""}), chosen)


def _fastapi(given: _Given, named: Naming) -> LibraryArguments:
    """Make the detail of all that is certain to be JSON, as FastAPI takes more than a text."""
    found = _http(given, named)
    more = {key: text for key, text in given.others.items() if key not in found.keys and given.key and _is_json(text)}
    if not more or not given.is_answered:
        return found
    parts = (*given.markers.items(), (given.key, given.message), *more.items())
    detail = ", ".join(f"{quoted(key)}: {text}" for key, text in parts)
    keys = found.keys | frozenset((*more, *given.markers))
    return LibraryArguments((found.arguments[0], f"detail={{{detail}}}"), keys, found.chosen, is_whole=True)


def _flask(given: _Given, named: Naming) -> LibraryArguments:
    """Give Flask a response that has the payload as it was: it answers a text as a page."""
    status, _, chosen = _status(given)
    if not given.is_answered:
        raise refuse("Flask answers what is raised as a page: only a route itself is given a response to raise")
    parts = (*given.markers.items(), (given.key or "error", given.message), *given.others.items())
    body = ", ".join(f"{quoted(name)}: {text}" for name, text in parts)
    keys = frozenset((*given.others, *given.markers))
    made_of = f"response={named('flask.make_response')}({{{body}}}, {status})"
    return LibraryArguments((made_of,), keys, chosen, is_whole=True)


def _is_json(text: str) -> bool:
    """Whether code is certain to be what JSON has: a literal, a text that is made, or one that is read of an answer."""
    node = ast.parse(text, mode="eval").body
    if isinstance(node, ast.Call):
        is_text = isinstance(node.func, ast.Name) and node.func.id in ("str", "len", "repr", "int", "float", "bool")
        return is_text or (isinstance(node.func, ast.Attribute) and node.func.attr in ("isoformat", "join"))
    if isinstance(node, ast.Attribute):
        return node.attr in ("text", "status_code", "reason_phrase", "__name__")
    if isinstance(node, (ast.List, ast.Tuple)):
        return all(_is_json(ast.unparse(item)) for item in node.elts)
    if isinstance(node, ast.Dict):
        return all(_is_json(ast.unparse(item)) for item in (*filter(None, node.keys), *node.values))
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, (str, int, float)))
    )


_MAKERS: dict[str, _Maker] = {
    # mcp 1 and mcp 2
    "mcp.McpError": _error_data,
    "mcp.shared.exceptions.McpError": _error_data,
    "mcp.MCPError": _protocol_error,
    "mcp.shared.exceptions.MCPError": _protocol_error,
    "fastapi.HTTPException": _fastapi,
    "fastapi.exceptions.HTTPException": _fastapi,
    "starlette.exceptions.HTTPException": _http,
    "werkzeug.exceptions.HTTPException": _flask,
}
