"""Log calls: at which level, and with which fields.

Fields are keyword arguments of a structured logger, the entries of ``extra``, and the context of a logger that was
bound to some (``logger.bind(...)``, ``structlog.get_logger(...)``, ``with with_fields(logger, ...) as log``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from errlint.error_keywords import LOG_LEVELS, LOGGER, LOGGER_MAKERS
from errlint.facts import (
    Call,
    Called,
    Function,
    Item,
    Ref,
    Value,
    Variable,
    inner_values,
    is_closed,
    keyed,
    only,
)
from errlint.facts import Mapping as Dict

if TYPE_CHECKING:
    from errlint.project import Project

CONTEXTS = ("with_fields", "bind", "contextualize", "bound_contextvars", "bind_contextvars", "log_context")
"""Calls that give a logger, or all that follows, fields."""

_BINDING = (*CONTEXTS, "get_logger")
"""Calls that answer a logger with fields."""

COMPUTED = "computed"
"""The level of a log call that takes it from an object, as ``log(error.log_level, ...)`` does."""

_LEVEL_NAMES = frozenset({"level", "log_level", "loglevel", "severity"})

ERROR_LEVELS = frozenset({"error", "critical"})

NO_FIELDS = frozenset({"extra", "exc_info", "stack_info", "stacklevel", "msg", "event", "args", "level"})
"""Arguments of log calls that are no fields of their own."""


class Logged(NamedTuple):
    """A log call: its level, its fields, and whether it may have more than can be seen."""

    path: str
    function: Function
    called: Called
    method: str
    level: str
    fields: Mapping[str, Value]
    is_open: bool

    @property
    def tells_exception(self) -> bool:
        """Whether the caught exception is a part of what is logged, or of the level it is logged at."""
        names = {handler.name for handler in self.called.handlers if handler.name}
        pending: list[Value] = [self.called.value, *self.fields.values()]
        while names and pending:
            value = pending.pop()
            if type(value) is Ref and value.name.partition(".")[0] in names:
                return True
            pending.extend(() if type(value) is Item else inner_values(value))  # an item says something else
        return False


def logged(project: Project, path: str) -> Iterator[Logged]:
    """Yield the log calls in the functions of one file."""
    for function in project.modules[path].bodies:
        contexts = [called for called in function.calls if _last(called.value) in CONTEXTS]
        for called in function.calls:
            found = _logged(project, path, function, called, contexts)
            if found is not None:
                yield found


def _last(call: Call) -> str:
    return call.name.rpartition(".")[2]


def _around(called: Called, contexts: list[Called], receiver: str) -> Iterator[Called]:
    """Yield the contexts whose fields a log call has; of those that a ``with`` gives one name, the one before it."""
    entered = [item for item in contexts if item.how == "entered" and item.target == receiver != ""]
    nearest = max((item.span for item in entered if item.span < called.span), default=None)
    for item in contexts:
        if item.target == "" or (item.target == receiver and (item not in entered or item.span == nearest)):
            yield item


def _logged(project: Project, path: str, function: Function, called: Called, contexts: list[Called]) -> Logged | None:
    call, method = called.value, _last(called.value)
    level = _level(call) if method == "log" else LOG_LEVELS.get(method, "")
    receiver = _receiver(call)
    entered = {item.target: item.value for item in contexts if item.target}
    bound = call.inner
    if type(bound) is Variable:
        bound = bound.values[0] if len(bound.values) == 1 else None
    is_bound = type(bound) is Call and _last(bound) in CONTEXTS
    is_made = type(bound) is Call and _last(bound) in LOGGER_MAKERS
    if not level or not (LOGGER.search(receiver) or receiver in entered or is_bound or is_made):
        return None
    fields: dict[str, Value] = {}
    is_open = False
    for item in _around(called, contexts, receiver):
        is_open = _add(item.value, fields) or is_open
    for binding in reversed(_bindings(project, path, function.name, call)):
        is_open = _add(binding, fields) or is_open
    is_open = _add(call, fields) or is_open
    return Logged(path, function, called, method, level, fields, is_open)


def _bindings(project: Project, path: str, scope: str, call: Call) -> list[Call]:
    """Return the calls that gave fields to the logger of a log call, the last of them first."""
    found: list[Call] = []
    while True:
        made = only(call.inner)
        holder = call.name.rpartition(".")[0]
        if made is None and holder:
            path, scope, made = project.values.followed(path, scope, Ref(holder))
        if type(made) is not Call or _last(made) not in _BINDING or made in found:
            return found
        found.append(made)
        call = made


def _receiver(call: Call) -> str:
    """Return the last part of what a method is called on."""
    if type(call.inner) is Variable:
        return call.inner.name
    return call.name.rpartition(".")[0].rpartition(".")[2]


def _level(call: Call) -> str:
    """Return the level that is the first argument of ``log``: :data:`COMPUTED` for an attribute with another name."""
    first = call.arguments[0].value if call.arguments else None
    if type(first) is not Ref:
        return ""
    last = first.name.rpartition(".")[2].lower()
    return LOG_LEVELS.get(last, COMPUTED if "." in first.name and last in _LEVEL_NAMES else "")


def _add(call: Call, fields: dict[str, Value]) -> bool:
    """Add the fields of a call; return whether it may have others."""
    is_open = False
    for argument in call.arguments:
        value = argument.value
        value = only(value)
        if argument.name == "**" and type(value) is Dict:
            fields.update(keyed(value))
            is_open = is_open or not is_closed(value)
        elif argument.name in ("*", "**"):
            is_open = True
        elif argument.name == "extra" or (argument.name == "" and type(value) is Dict):
            if type(value) is Dict:
                fields.update(keyed(value))
                is_open = is_open or not is_closed(value)
            else:
                is_open = True
        elif argument.name and argument.name not in NO_FIELDS:
            fields[argument.name] = argument.value
    return is_open
