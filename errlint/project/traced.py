"""Fields by which an error can be traced to the call it belongs to, such as the id of a request.

A caller who gives an id looks for that one; for one who gives none the tool makes it. What a policy calls ``traced``
has the name of the parameter that takes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from errlint.facts import Call, Constant, Function, Ref, Text, Value, Variable, keyed, only
from errlint.project.fields import Error
from errlint.project.names import FunctionSymbol
from errlint.settings.policy import Requirement

if TYPE_CHECKING:
    from errlint.project import Project

_MAKERS = frozenset(
    {"uuid1", "uuid4", "uuid6", "uuid7", "token_hex", "token_urlsafe", "ulid", "ULID", "ksuid", "nanoid"}
)
"""Last names of calls that make an id which nobody had before."""

_TEXTS = frozenset({"str", "repr", "hex"})
_DEPTH = 3


def untraced(project: Project, error: Error, item: Requirement) -> Iterator[str]:
    """Yield what is wrong with the fields of an error that a requirement calls ``traced``, in words."""
    for name in item.traced:
        declared = _declaring(project, error, name)
        if declared is None:
            continue
        given = [only(value) for value in _given(project, error, item, name)]
        if given and all(_is_new(project, error.path, error.function.name, value) for value in given):
            yield f"`{name}` is a new one, by which nobody finds the call; hand on the parameter `{name}`"
        elif project.adapters.is_adapter(error.path, declared) and any(
            _is_none(declared, name, value) for value in given
        ):
            yield f"`{name}` is None where the tool is given none; make one there"


def _given(project: Project, error: Error, item: Requirement, name: str) -> Iterator[Value]:
    """Yield the values that a field has on the ways to an error.

    A parameter that is set again on one of them is none of these: where it is left alone it may well be given.
    """
    held = error.passed.get(item.inside or name)
    if held is None or (type(held) is Variable and held.name == name and Ref(name) in held.values):
        return
    if not item.inside:
        yield from held.values if type(held) is Variable else (held,)
        return
    for way in held.values if type(held) is Variable else (held,):
        found = project.evaluator.mapping(error.path, error.function.name, way)
        if found is not None and name in keyed(found):
            yield keyed(found)[name]


def _declaring(project: Project, error: Error, name: str) -> Function | None:
    """Return the function with a parameter of a name that an error is made in, also one around it."""
    function: Function | None = error.function
    while function is not None:
        if any(item.name == name for item in function.parameters):
            return function
        function = project.names.function(error.path, function.name.rpartition(".")[0])
    return None


def _is_none(function: Function, name: str, value: Value) -> bool:
    """Whether a value is a parameter as it is passed, and that is None by default."""
    is_optional = any(item.name == name and item.default == Constant(None) for item in function.parameters)
    return is_optional and type(value) is Ref and value.name == name


def _is_new(project: Project, path: str, scope: str, value: Value, depth: int = 0) -> bool:
    """Whether a value is certainly an id that is made where it stands: ``str(uuid.uuid4())``."""
    value = only(value)
    if type(value) is Text:
        return any(not isinstance(part, str) and _is_new(project, path, scope, part, depth) for part in value.parts)
    if type(value) is not Call or depth > _DEPTH:
        return False
    last = value.name.rpartition(".")[2]
    if last in _MAKERS:
        return True
    if last in _TEXTS and value.arguments:
        return _is_new(project, path, scope, value.arguments[0].value, depth + 1)
    symbol = project.objects.called(path, value.name, scope) if value.name and not value.arguments else None
    if not isinstance(symbol, FunctionSymbol):
        return False
    returns = symbol.function.returns
    return bool(returns) and all(
        _is_new(project, symbol.path, symbol.function.name, found.value, depth + 1) for found in returns
    )
