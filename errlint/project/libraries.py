"""Calls of libraries that are told to raise when something failed, and what is above the exceptions of libraries."""

from __future__ import annotations

import builtins
from functools import lru_cache
from typing import TYPE_CHECKING

from errlint.facts import Call, Constant
from errlint.project import frameworks
from errlint.project.names import ExternalSymbol

if TYPE_CHECKING:
    from errlint.project import Project

_COMMAND_FAILED = "subprocess.CalledProcessError"
_STATUS = {
    "httpx": "httpx.HTTPStatusError",
    "requests": "requests.HTTPError",
    "aiohttp": "aiohttp.ClientResponseError",
}
"""What ``raise_for_status`` raises, by the library that a file imports."""

_ABOVE = {
    "asyncio.CancelledError": ("builtins.BaseException",),
    "asyncio.TimeoutError": ("builtins.TimeoutError",),
    "concurrent.futures.TimeoutError": ("builtins.TimeoutError",),
    "httpx.HTTPStatusError": ("httpx.HTTPError", "builtins.Exception"),
    "json.JSONDecodeError": ("builtins.ValueError",),
    "json.decoder.JSONDecodeError": ("builtins.ValueError",),
    "pydantic.ValidationError": ("builtins.ValueError",),
    "pydantic_core.ValidationError": ("builtins.ValueError",),
    "requests.HTTPError": (
        "requests.exceptions.HTTPError",
        "requests.RequestException",
        "requests.exceptions.RequestException",
        "builtins.OSError",
    ),
    "aiohttp.ClientResponseError": ("aiohttp.ClientError", "builtins.Exception"),
    "sqlite3.Error": ("builtins.Exception",),
    _COMMAND_FAILED: ("subprocess.SubprocessError", "builtins.Exception"),
}
"""Exceptions of libraries with what is above them, under all of its names, up to the first one of the language."""

_OTHER_NAMES = {
    "fastapi.exceptions.HTTPException": "fastapi.HTTPException",
    "os.error": "builtins.OSError",
    "select.error": "builtins.OSError",
    "socket.error": "builtins.OSError",
    "socket.timeout": "builtins.TimeoutError",
}
"""Names by which a class is known that has another one here."""

CALLS = ("check_call", "check_output", "raise_for_status", "run")
"""Last parts of the names of the calls that :func:`told_to_raise` knows."""


@lru_cache(maxsize=10_000)
def line_of(name: str) -> tuple[str, ...]:
    """Return the absolute names of a class from outside of the project and of what is above it, as far as known."""
    name = _OTHER_NAMES.get(name, name)
    above = _ABOVE.get(name) or frameworks.above(name)
    if above:
        return (name, *above, *line_of(above[-1])[1:])
    found = getattr(builtins, name.removeprefix("builtins."), None)
    return (name, *(f"builtins.{base.__name__}" for base in (found.__mro__[1:-1] if isinstance(found, type) else ())))


def told_to_raise(project: Project, path: str, scope: str, call: Call) -> str:
    """Return the absolute name of the exception that a call is there to raise, "" for any other call."""
    last = call.name.rpartition(".")[2]
    if last == "raise_for_status":
        imported = {item.module.partition(".")[0] for item in project.modules[path].imports} & _STATUS.keys()
        return _STATUS[imported.pop()] if len(imported) == 1 else ""
    symbol = project.names.resolve(path, call.name, scope) if last in CALLS else None
    if not isinstance(symbol, ExternalSymbol) or symbol.name.rpartition(".")[0] != "subprocess":
        return ""
    checks = any(item.name == "check" and item.value == Constant(True) for item in call.arguments)
    return _COMMAND_FAILED if last in ("check_call", "check_output") or (last == "run" and checks) else ""
