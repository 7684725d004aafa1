"""ERR313: a failed parameter check with another code than the policy's, or that code once the backend was called."""

from __future__ import annotations

import builtins
from collections.abc import Iterator

from errlint.facts import Call, Case, Choice, Function, Item, Opaque, Ref, Sequence, Text, Value, Variable
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.calls import is_meant, makes
from errlint.project.conditions import Conditions
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol
from errlint.rules import RULES

_CONVERSIONS = frozenset(
    {"ValueError", "TypeError", "KeyError", "IndexError", "AttributeError", "LookupError", "ValidationError",
     "JSONDecodeError", "UnicodeDecodeError", "InvalidOperation"}
)  # fmt: skip
"""What a conversion of a parameter fails with."""

_STORED = frozenset({"get", "find", "search", "count", "index", "insert", "remove", "pop", "update", "add", "append"})
_PURE = (
    frozenset(name for kind in (str, bytes, dict, set) for name in dir(kind) if not name.startswith("_")) - _STORED
) | {"group", "groups", "fullmatch", "match", "is_absolute"}
"""Methods that ask nobody else; those that databases have, too, may."""

_MODULES = ("re.", "math.", "itertools.", "functools.", "datetime.", "uuid.", "urllib.parse.", "builtins.", "logging.")


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the raises in one file whose code belongs to the other side of the first call of the backend."""
    codes = project.policy(path).codes
    if not codes.validation or not codes.backend:
        return
    said: dict[tuple[str, object], set[object]] = {}
    for usage in project.codes.usages(path):
        if usage.how in ("raise", "message"):
            said.setdefault((usage.function, usage.place), set()).add(usage.found.text)
    for function in project.modules[path].functions:
        names = dict.fromkeys(name for case in function.cases for name in (*case.before, *case.tried))
        if not makes(project, path, function.name, names, codes.backend):
            continue
        for case in function.cases:
            texts = said.get((function.name, case.span), set()) if case.how == "raise" else set()
            if len(texts) != 1:
                continue
            (code,) = texts
            called = makes(project, path, function.name, case.before, codes.backend)
            if code == codes.validation:
                message = (
                    f"`{codes.validation}` is for checks before the backend is called, "
                    f"and here it was called by `{called}`"
                )
                is_wrong = bool(called) and _is_after(project, path, function, case)
            else:
                message = f"a check before the first call of the backend fails with `{code}`; use `{codes.validation}`"
                is_wrong = not called and _is_check(project, path, function, case)
            if is_wrong:
                yield Finding(path, case.span, "ERR313", RULES["ERR313"].severity, message, function.name)


def _is_after(project: Project, path: str, function: Function, case: Case) -> bool:
    """Whether a raise comes of what the backend answered, or of a check that should have come before."""
    asks = Conditions(project, path, function.name)
    if any(
        asks.asks_status(asked) or asks.own_code(asked.subject) or asks.own_code(asked.value)
        for condition in case.conditions
        for asked in condition.tests
    ):
        return False  # the backend said that the request is wrong
    if not case.handlers:
        return True
    backend = project.policy(path).codes.backend
    types = case.handlers[0].types
    return (
        bool(types)
        and not any(name.rpartition(".")[2] in _CONVERSIONS for name in types)
        and any(is_meant(project, path, function.name, name, backend) for name in case.tried)
    )


def _is_check(project: Project, path: str, function: Function, case: Case) -> bool:
    """Whether a raise can only be about the parameters: nobody was asked, and the conditions are about nothing else."""
    if case.handlers or not case.conditions or not all(_is_pure(project, path, function, name) for name in case.before):
        return False
    parameters = {item.name for item in function.parameters} - {"self", "cls"}
    roots = {
        root
        for asked in case.conditions[-1].tests
        for value in ((asked.subject,) if asked.operator in ("true", "false") else (asked.subject, asked.value))
        for root in _roots(value)
    }
    own = {root for root in roots if root in parameters or not root}
    return bool(own)


def _is_pure(project: Project, path: str, function: Function, name: str) -> bool:
    """Whether a call asks nobody outside of the function: it only computes."""
    last = name.rpartition(".")[2]
    if name.startswith(".") or ("." in name and last in _PURE):
        return last in _PURE
    symbol = project.names.resolve(path, name, function.name)
    if isinstance(symbol, ClassSymbol):
        return True
    if isinstance(symbol, FunctionSymbol):
        return not symbol.function.is_async
    if isinstance(symbol, ExternalSymbol):
        return symbol.name.startswith(_MODULES) or last[:1].isupper()
    return hasattr(builtins, name) or last[:1].isupper()


def _roots(value: Value) -> Iterator[str]:
    """Yield the names that a value is made of, "" for what cannot be told."""
    if type(value) is Ref:
        yield value.name.partition(".")[0]
    elif type(value) is Opaque:
        yield ""
    elif type(value) is Call:
        root, dot, _ = value.name.partition(".")
        if dot and root:
            yield root
        for argument in value.arguments:
            yield from _roots(argument.value)
        if value.inner is not None:
            yield from _roots(value.inner)
    elif type(value) is Variable or type(value) is Choice:
        for item in value.values:
            yield from _roots(item)
    elif type(value) is Sequence:
        for item in value.items:
            yield from _roots(item)
    elif type(value) is Item:
        yield from _roots(value.base)
    elif type(value) is Text:
        for part in value.parts:
            if not isinstance(part, str):
                yield from _roots(part)
