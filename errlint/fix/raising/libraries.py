"""Exceptions of libraries that are made of more than a message, and what each is given besides."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import libcst as cst

from errlint.fix.forms.payload import Payload, quoted

Naming = Callable[[str], str]
"""What a file calls something of a library by its dotted name, which is imported where it has no name there yet."""


class Made(NamedTuple):
    """The arguments of an exception of a library, the keys of the payload that they hold, and what was chosen."""

    arguments: tuple[str, ...]
    keys: frozenset[str]
    chosen: str


class _Given(NamedTuple):
    """What there is for an exception: the message, numbers and other keys of the payload as code, and where it is."""

    message: str
    numbers: dict[str, int]
    others: dict[str, str]
    is_handled: bool


_Maker = Callable[[_Given, Naming], Made]

_STATUSES = range(400, 600)
"""The HTTP statuses of errors."""

_PROTOCOL = range(-32768, -31999)
"""The codes that JSON-RPC keeps for its own errors, in which those of MCP lie."""


def is_of_library(name: str) -> bool:
    """Whether an exception with a dotted name is one of these."""
    return name in _MAKERS


def made(name: str, payload: Payload, message: str, others: dict[str, str], named: Naming, *, is_handled: bool) -> Made:
    """Return what an exception of a library is made of, for a payload with a message and other keys as code.

    ``is_handled`` is true where it is raised in a handler: what fails there is no mistake of the caller.
    """
    return _MAKERS[name](_Given(message, _numbers((*payload.codes, *payload.others)), others, is_handled), named)


def _numbers(items: Iterable[tuple[str, cst.BaseExpression]]) -> dict[str, int]:
    """Return the values that are written as whole numbers, by their keys."""
    found = ((key, cst.Module([]).code_for_node(node)) for key, node in items)
    return {key: int(text) for key, text in found if text.removeprefix("-").isdecimal()}


def _protocol_error(given: _Given, named: Naming) -> Made:
    key = next((key for key, number in given.numbers.items() if number in _PROTOCOL), "")
    last = "INTERNAL_ERROR" if given.is_handled else "INVALID_PARAMS"
    code = str(given.numbers[key]) if key else named(f"mcp.types.{last}")
    others = {name: text for name, text in given.others.items() if name != key}
    data = f"{{{', '.join(f'{quoted(name)}: {text}' for name, text in others.items())}}}"
    arguments = (f"code={code}", f"message={given.message}", *((f"data={data}",) if others else ()))
    chosen = "" if key else f"the code `{last}` was chosen, and "
    told = f"{chosen}a server may answer it as an error of the protocol, which is no answer of the tool"
    return Made(arguments, frozenset(given.others), told)


def _error_data(given: _Given, named: Naming) -> Made:
    found = _protocol_error(given, named)
    return found._replace(arguments=(f"{named('mcp.types.ErrorData')}({', '.join(found.arguments)})",))


def _http(given: _Given, _: Naming) -> Made:
    key = next((key for key, number in given.numbers.items() if number in _STATUSES), "")
    status = given.numbers[key] if key else 500 if given.is_handled else 400
    arguments = (f"status_code={status}", f"detail={given.message}")
    chosen = "" if key else f"the status {status} was chosen"
    return Made(arguments, frozenset({key} - {""}), chosen)


_MAKERS: dict[str, _Maker] = {
    # mcp 1 and mcp 2
    "mcp.McpError": _error_data,
    "mcp.shared.exceptions.McpError": _error_data,
    "mcp.MCPError": _protocol_error,
    "mcp.shared.exceptions.MCPError": _protocol_error,
    "fastapi.HTTPException": _http,
    "fastapi.exceptions.HTTPException": _http,
    "starlette.exceptions.HTTPException": _http,
}
