"""The texts that an expression of a project lists: displays, enumerations, ``Literal`` and comprehensions over them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.facts import Call, Constant, constant_text
from errlint.index.bindings import FunctionNode, parameter_names
from errlint.index.expressions import dotted_name
from errlint.project.names import ClassSymbol, ModuleSymbol, ValueSymbol

if TYPE_CHECKING:
    from errlint.project import Project

_MAX_DEPTH = 8
"""So many names and calls are followed, each standing for the next."""

_COPIES = frozenset({"list", "tuple", "set", "frozenset", "sorted", "get_args", "keys", "fromkeys", "repr", "str"})
"""Functions and methods that list what they are given, or the keys of a dict."""

_WRAPPERS = frozenset({"Annotated", "Optional", "Final", "ClassVar"})


class PlacedExpression(NamedTuple):
    """An expression, and where its names have their meaning: the file, and the function or class, "" for the module."""

    path: str
    scope: str
    expression: ast.expr


def texts(project: Project, at: PlacedExpression, depth: int = 0) -> tuple[str, ...] | None:
    """Return the texts that an expression or annotation lists, ``None`` where they are not known.

    For ``Literal["a", "b"]``, ``["a", "b"]``, ``", ".join(ALLOWED)`` and an enumeration with such values: a and b.
    """
    expression = at.expression
    if depth > _MAX_DEPTH:
        return None
    if isinstance(expression, (ast.List, ast.Tuple, ast.Set)):
        return _constants(expression.elts)
    if isinstance(expression, ast.Dict):
        return _constants([key for key in expression.keys if key is not None])
    if isinstance(expression, ast.Subscript):
        return _subscript(project, at, expression, depth)
    if isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.BitOr):
        parts = [each for each in (expression.left, expression.right) if not _is_none(each)]
        return texts(project, at._replace(expression=parts[0]), depth + 1) if len(parts) == 1 else None
    if isinstance(expression, ast.Call):
        name = expression.func.attr if isinstance(expression.func, ast.Attribute) else ""
        name = expression.func.id if isinstance(expression.func, ast.Name) else name
        inner = expression.args[0] if expression.args else None
        if name == "keys" and isinstance(expression.func, ast.Attribute):
            inner = expression.func.value
        return (
            texts(project, at._replace(expression=inner), depth + 1)
            if inner is not None and name in {*_COPIES, "join"}
            else None
        )
    if isinstance(expression, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
        return _comprehended(project, at, expression, depth)
    if isinstance(expression, ast.Attribute) and expression.attr == "__members__":
        return _members(project, at._replace(expression=expression.value), "name")
    if isinstance(expression, (ast.Name, ast.Attribute)):
        found = _members(project, at, "value")
        if found is not None:
            return found
        given = _given(project, at)
        return texts(project, given, depth + 1) if given is not None else None
    return None


def value(project: Project, at: PlacedExpression, depth: int = 0) -> str | None:
    """Return how a constant is written in a document, ``None`` for anything else: ``true``, ``30``, ``fail``.

    A member of an enumeration is its value, a field with a default that default.
    """
    expression = at.expression
    if depth > _MAX_DEPTH:
        return None
    if isinstance(expression, ast.Constant) and not isinstance(expression.value, bytes):
        return str(expression.value)
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.USub):
        inner = value(project, at._replace(expression=expression.operand), depth + 1)
        return f"-{inner}" if inner is not None else None
    if isinstance(expression, ast.Call):
        passed = {keyword.arg: keyword.value for keyword in expression.keywords}
        name = expression.func.attr if isinstance(expression.func, ast.Attribute) else ""
        name = expression.func.id if isinstance(expression.func, ast.Name) else name
        if name in ("Field", "field", "Query", "Body"):
            default = passed.get("default", expression.args[0] if expression.args else None)
            return value(project, at._replace(expression=default), depth + 1) if default is not None else None
        return None
    if isinstance(expression, ast.Attribute):
        holder = expression.value if expression.attr == "value" else expression
        if isinstance(holder, ast.Attribute):
            pairs = _pairs(project, at._replace(expression=holder.value))
            if pairs is not None:
                return pairs.get(holder.attr)
    if isinstance(expression, (ast.Name, ast.Attribute)):
        given = _given(project, at)
        return value(project, given, depth + 1) if given is not None else None
    return None


def _subscript(project: Project, at: PlacedExpression, expression: ast.Subscript, depth: int) -> tuple[str, ...] | None:
    name = expression.value.attr if isinstance(expression.value, ast.Attribute) else ""
    name = expression.value.id if isinstance(expression.value, ast.Name) else name
    inner = expression.slice
    if name == "Literal":
        return _constants(inner.elts if isinstance(inner, ast.Tuple) else [inner])
    if name in _WRAPPERS:
        first = inner.elts[0] if isinstance(inner, ast.Tuple) and inner.elts else inner
        return texts(project, at._replace(expression=first), depth + 1)
    return None


def _comprehended(
    project: Project, at: PlacedExpression, expression: ast.ListComp | ast.GeneratorExp | ast.SetComp, depth: int
) -> tuple[str, ...] | None:
    """Return the texts of ``[each.value for each in Code]``; one that leaves some out may have any."""
    over = expression.generators[0]
    if len(expression.generators) != 1 or over.ifs or not isinstance(over.target, ast.Name):
        return None
    item = expression.elt
    while isinstance(item, ast.Call) and len(item.args) == 1 and isinstance(item.func, ast.Name):
        if item.func.id not in ("str", "repr"):
            return None
        item = item.args[0]
    if isinstance(item, ast.JoinedStr):  # f"'{each}'": quotes around it
        held = [each for each in item.values if isinstance(each, ast.FormattedValue)]
        item = held[0].value if len(held) == 1 else item
    if isinstance(item, ast.Name) and item.id == over.target.id:
        return texts(project, at._replace(expression=over.iter), depth + 1)
    if isinstance(item, ast.Attribute) and isinstance(item.value, ast.Name) and item.value.id == over.target.id:
        return _members(project, at._replace(expression=over.iter), item.attr)
    return None


def _members(project: Project, at: PlacedExpression, attribute: str) -> tuple[str, ...] | None:
    """Return the names or values of the members of an enumeration, ``None`` for anything else."""
    pairs = _pairs(project, at)
    if pairs is None or attribute not in ("name", "value"):
        return None
    if attribute == "name":
        return tuple(pairs)
    found = tuple(text for text in pairs.values() if text is not None)
    return found if len(found) == len(pairs) else None


def _pairs(project: Project, at: PlacedExpression) -> dict[str, str | None] | None:
    """Return the members of an enumeration with their values, ``None`` for anything else."""
    name = dotted_name(at.expression)
    owner = project.names.resolve(at.path, name, at.scope) if name else None
    if not isinstance(owner, ClassSymbol):
        return None
    bases = [base.rpartition(".")[2] for base in owner.definition.bases]
    if not any(base.endswith("Enum") for base in bases):
        return None
    return dict(_listed_members(project, owner, is_text="StrEnum" in bases))


def _listed_members(project: Project, owner: ClassSymbol, *, is_text: bool) -> Iterator[tuple[str, str | None]]:
    for member in owner.definition.members or ():
        name, held = member.key or "", member.value
        if project.names.own_method(owner, name) is not None:
            continue
        if (text := constant_text(held)) is not None:
            yield name, text
        elif type(held) is Constant and isinstance(held.value, int):
            yield name, str(held.value)
        elif not name.startswith("_"):
            is_auto = type(held) is Call and held.name.endswith("auto")
            yield name, name.lower() if is_auto and is_text else None


def _given(project: Project, at: PlacedExpression) -> PlacedExpression | None:
    """Return the only expression that a name stands for, and where that is written; ``None`` where it is not known."""
    names, documented = project.names, project.documented
    holder, _, name = dotted_name(at.expression).rpartition(".")
    if holder:
        owner = names.resolve(at.path, holder, at.scope)
        if isinstance(owner, ModuleSymbol):
            return _given(project, PlacedExpression(owner.path, "", ast.Name(name)))
        return _assigned(project, owner.path, owner.definition.name, name) if isinstance(owner, ClassSymbol) else None
    if not name:
        return None
    if at.scope and (found := _assigned(project, at.path, at.scope, name)) is not None:
        return found
    symbol = names.resolve(at.path, name, at.scope)
    if isinstance(symbol, ValueSymbol):
        spelt = name if symbol.path == at.path else names.original(at.path, name)
        return _assigned(project, symbol.path, "", spelt)
    scope = at.scope
    while symbol is None and scope:  # a variable of a function around it
        around = documented.function(at.path, scope)
        if isinstance(around, FunctionNode):
            if name in parameter_names(around.args):
                return None
            if name in documented.values(at.path, scope):
                return _assigned(project, at.path, scope, name)
        scope = scope.rpartition(".")[0]
    return None


def _assigned(project: Project, path: str, scope: str, name: str) -> PlacedExpression | None:
    """Return the only value that a name is given in a module, class or function itself."""
    value = project.documented.values(path, scope).get(name)
    return PlacedExpression(path, scope, value) if value is not None else None


def _constants(items: list[ast.expr]) -> tuple[str, ...] | None:
    found = tuple(item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str))
    return found if found and len(found) == len(items) else None


def _is_none(expression: ast.expr) -> bool:
    return isinstance(expression, ast.Constant) and expression.value is None
