"""The texts that an expression of a project lists: displays, enumerations, ``Literal`` and comprehensions over them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errlint.project.drift.scopes import Defined, Scope, Scopes

_MAX_DEPTH = 8
"""So many names and calls are followed, each standing for the next."""

_COPIES = frozenset({"list", "tuple", "set", "frozenset", "sorted", "get_args", "keys", "fromkeys", "repr", "str"})
"""Functions and methods that list what they are given, or the keys of a dict."""

_WRAPPERS = frozenset({"Annotated", "Optional", "Final", "ClassVar"})


def texts(scopes: Scopes, scope: Scope, expression: ast.expr, depth: int = 0) -> tuple[str, ...] | None:
    """Return the texts that an expression or annotation lists, ``None`` where they are not known.

    For ``Literal["a", "b"]``, ``["a", "b"]``, ``", ".join(ALLOWED)`` and an enumeration with such values: a and b.
    """
    if depth > _MAX_DEPTH:
        return None
    if isinstance(expression, (ast.List, ast.Tuple, ast.Set)):
        return _constants(expression.elts)
    if isinstance(expression, ast.Dict):
        return _constants([key for key in expression.keys if key is not None])
    if isinstance(expression, ast.Subscript):
        return _subscript(scopes, scope, expression, depth)
    if isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.BitOr):
        parts = [each for each in (expression.left, expression.right) if not _is_none(each)]
        return texts(scopes, scope, parts[0], depth + 1) if len(parts) == 1 else None
    if isinstance(expression, ast.Call):
        name = expression.func.attr if isinstance(expression.func, ast.Attribute) else ""
        name = expression.func.id if isinstance(expression.func, ast.Name) else name
        inner = expression.args[0] if expression.args else None
        if name == "keys" and isinstance(expression.func, ast.Attribute):
            inner = expression.func.value
        return texts(scopes, scope, inner, depth + 1) if inner is not None and name in {*_COPIES, "join"} else None
    if isinstance(expression, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
        return _comprehended(scopes, scope, expression, depth)
    if isinstance(expression, ast.Attribute) and expression.attr == "__members__":
        return _members(scopes, scope, expression.value, "name")
    if isinstance(expression, (ast.Name, ast.Attribute)):
        found = _members(scopes, scope, expression, "value")
        if found is not None:
            return found
        place = scopes.given(scope, expression)
        return texts(scopes, *place, depth + 1) if place is not None else None
    return None


def value(scopes: Scopes, scope: Scope, expression: ast.expr, depth: int = 0) -> str | None:
    """Return how a constant is written in a document, ``None`` for anything else: ``true``, ``30``, ``fail``.

    A member of an enumeration is its value, a field with a default that default.
    """
    if depth > _MAX_DEPTH:
        return None
    if isinstance(expression, ast.Constant) and not isinstance(expression.value, bytes):
        return str(expression.value)
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.USub):
        inner = value(scopes, scope, expression.operand, depth + 1)
        return f"-{inner}" if inner is not None else None
    if isinstance(expression, ast.Call):
        given = {keyword.arg: keyword.value for keyword in expression.keywords}
        name = expression.func.attr if isinstance(expression.func, ast.Attribute) else ""
        name = expression.func.id if isinstance(expression.func, ast.Name) else name
        if name in ("Field", "field", "Query", "Body"):
            default = given.get("default", expression.args[0] if expression.args else None)
            return value(scopes, scope, default, depth + 1) if default is not None else None
        return None
    if isinstance(expression, ast.Attribute):
        holder = expression.value if expression.attr == "value" else expression
        if isinstance(holder, ast.Attribute):
            pairs = _pairs(scopes, scope, holder.value)
            if pairs is not None:
                return pairs.get(holder.attr)
    if isinstance(expression, (ast.Name, ast.Attribute)):
        place = scopes.given(scope, expression)
        return value(scopes, *place, depth + 1) if place is not None else None
    return None


def _subscript(scopes: Scopes, scope: Scope, expression: ast.Subscript, depth: int) -> tuple[str, ...] | None:
    name = expression.value.attr if isinstance(expression.value, ast.Attribute) else ""
    name = expression.value.id if isinstance(expression.value, ast.Name) else name
    inner = expression.slice
    if name == "Literal":
        return _constants(inner.elts if isinstance(inner, ast.Tuple) else [inner])
    if name in _WRAPPERS:
        first = inner.elts[0] if isinstance(inner, ast.Tuple) and inner.elts else inner
        return texts(scopes, scope, first, depth + 1)
    return None


def _comprehended(
    scopes: Scopes, scope: Scope, expression: ast.ListComp | ast.GeneratorExp | ast.SetComp, depth: int
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
        return texts(scopes, scope, over.iter, depth + 1)
    if isinstance(item, ast.Attribute) and isinstance(item.value, ast.Name) and item.value.id == over.target.id:
        return _members(scopes, scope, over.iter, item.attr)
    return None


def _members(scopes: Scopes, scope: Scope, expression: ast.expr, attribute: str) -> tuple[str, ...] | None:
    """Return the names or values of the members of an enumeration, ``None`` for anything else."""
    pairs = _pairs(scopes, scope, expression)
    if pairs is None or attribute not in ("name", "value"):
        return None
    if attribute == "name":
        return tuple(pairs)
    found = tuple(text for text in pairs.values() if text is not None)
    return found if len(found) == len(pairs) else None


def _pairs(scopes: Scopes, scope: Scope, expression: ast.expr) -> dict[str, str | None] | None:
    """Return the members of an enumeration with their values, ``None`` for anything else."""
    owner = scopes.meaning(scope, expression)
    if not isinstance(owner, Defined) or not isinstance(owner.node, ast.ClassDef):
        return None
    bases = [ast.unparse(base).rpartition(".")[2] for base in owner.node.bases]
    if not any(base.endswith("Enum") for base in bases):
        return None
    return dict(_listed_members(owner.node, is_text="StrEnum" in bases))


def _listed_members(node: ast.ClassDef, *, is_text: bool) -> Iterator[tuple[str, str | None]]:
    for each in node.body:
        if isinstance(each, ast.Assign) and len(each.targets) == 1 and isinstance(each.targets[0], ast.Name):
            name = each.targets[0].id
            if isinstance(each.value, ast.Constant) and isinstance(each.value.value, (str, int)):
                yield name, str(each.value.value)
            elif not name.startswith("_"):
                is_auto = isinstance(each.value, ast.Call) and ast.unparse(each.value.func).endswith("auto")
                yield name, name.lower() if is_auto and is_text else None


def _constants(items: list[ast.expr]) -> tuple[str, ...] | None:
    found = tuple(item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str))
    return found if found and len(found) == len(items) else None


def _is_none(expression: ast.expr) -> bool:
    return isinstance(expression, ast.Constant) and expression.value is None
