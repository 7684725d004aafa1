"""Calls of libraries that are told to raise when something failed, and what is above the exceptions of libraries."""

from __future__ import annotations

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

_LINES = {
    "httpx.HTTPStatusError": ("httpx.HTTPError",),
    "requests.HTTPError": (
        "requests.exceptions.HTTPError",
        "requests.RequestException",
        "requests.exceptions.RequestException",
        "builtins.OSError",
    ),
    "aiohttp.ClientResponseError": ("aiohttp.ClientError",),
    _COMMAND_FAILED: ("subprocess.SubprocessError",),
}
"""Exceptions of libraries with what is between them and ``Exception``, under all of their names."""

CALLS = ("check_call", "check_output", "raise_for_status", "run")
"""Last parts of the names of the calls that :func:`told_to_raise` knows."""


def line_of(name: str) -> tuple[str, ...]:
    """Return a known exception of a library or framework and what is above it; none for any other class."""
    if name in _LINES:
        return (name, *_LINES[name], "builtins.Exception", "builtins.BaseException", "builtins.object")
    return frameworks.line_of(name)


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
