"""What a validator found, listed without saying which field it is about: ``[item["msg"] for item in error.errors()]``.

Such a list is looked for in the argument itself, in the variable that it is put into before, and in the function of the
project that makes it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.index.bindings import assigned_names
from errlint.project.drift.documented import definitions
from errlint.project.fields import Error
from errlint.project.names import FunctionSymbol
from errlint.trees import walk

if TYPE_CHECKING:
    from errlint.project import Project

_VALIDATED = frozenset({"errors", "iter_errors"})
"""Methods that list what a validator found: of Pydantic, and of jsonschema."""

_PLACES = frozenset({"loc", "path", "absolute_path", "json_path", "relative_path", "field", "pointer"})
"""Keys and attributes of what was found that say where."""

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp)
_DEPTH = 2


class _Located(NamedTuple):
    """The file of an expression, the function around it and that one's name."""

    path: str
    function: _Function
    name: str


def unlocated(project: Project, error: Error, names: tuple[str, ...]) -> Iterator[str]:
    """Yield what is wrong with those of some arguments of an error that list what a validator found, in words."""
    around = _around(project, error.path, error.function.name) if names else None
    if around is None:
        return
    for node in walk(around.function):
        if isinstance(node, (ast.Raise, ast.Return)) and node.lineno == error.span.line:
            for argument in (part for part in walk(node) if isinstance(part, ast.keyword) and part.arg in names):
                if _lacks_places(project, around, argument.value, 0):
                    yield f"`{argument.arg}` does not say which fields are wrong; put the place (`loc`) of each into it"


def _around(project: Project, path: str, name: str) -> _Located | None:
    tree = project.documented.tree(path)
    found = (node for each, node in definitions(tree) if each == name) if tree is not None else iter(())
    node = next(found, None)
    return _Located(path, node, name) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else None


def _lacks_places(project: Project, around: _Located, value: ast.expr, depth: int) -> bool:
    """Whether an expression lists what a validator found, and not where that is."""
    if isinstance(value, ast.Await):
        value = value.value
    if isinstance(value, ast.Name):
        return any(_lacks_places(project, around, each, depth) for each in _held(around, value.id))
    if any(_is_bare(around, part) for part in walk(value)):
        return True
    if not isinstance(value, ast.Call) or depth >= _DEPTH or not isinstance(value.func, ast.Name):
        return False
    symbol = project.names.resolve(around.path, value.func.id, around.name)
    inside = _around(project, symbol.path, symbol.function.name) if isinstance(symbol, FunctionSymbol) else None
    answers = [node.value for node in walk(inside.function) if isinstance(node, ast.Return)] if inside else []
    return any(_lacks_places(project, inside, each, depth + 1) for each in answers if inside and each is not None)


def _held(around: _Located, name: str) -> Iterator[ast.expr]:
    """Yield what a variable is set to, and as a comprehension what a loop appends to it."""
    for node in walk(around.function):
        yield from (value for bound, value in assigned_names(node) if bound == name)
        if isinstance(node, (ast.For, ast.AsyncFor)) and isinstance(node.target, ast.Name):
            if not _takes_no_place(ast.Module(node.body, []), node.target.id):
                continue  # one of its statements may read the place
            for call in (part for part in walk(node) if isinstance(part, ast.Call)):
                method = call.func
                if (
                    isinstance(method, ast.Attribute)
                    and method.attr == "append"
                    and isinstance(method.value, ast.Name)
                    and method.value.id == name
                    and len(call.args) == 1
                ):
                    yield ast.ListComp(call.args[0], [ast.comprehension(node.target, node.iter, [], 0)])


def _is_bare(around: _Located, node: ast.AST) -> bool:
    """Whether an expression goes through what a validator found and takes of each only what is no place."""
    if isinstance(node, _COMPREHENSIONS) and len(node.generators) == 1:
        loop = node.generators[0]
        return (
            isinstance(loop.target, ast.Name)
            and _is_found(around, loop.iter)
            and _takes_no_place(node.elt, loop.target.id)
        )
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "map" and len(node.args) == 2:
        taken = node.args[0]
        if not _is_found(around, node.args[1]):
            return False
        if isinstance(taken, ast.Lambda) and len(taken.args.args) == 1:
            return _takes_no_place(taken.body, taken.args.args[0].arg)
        if isinstance(taken, ast.Call) and ast.unparse(taken.func).endswith("itemgetter"):
            return not any(isinstance(item, ast.Constant) and item.value in _PLACES for item in taken.args)
    return False


def _is_found(around: _Located, value: ast.expr, depth: int = 0) -> bool:
    """Whether an expression is what a validator found."""
    if isinstance(value, ast.Name) and depth < _DEPTH:
        held = [
            node.value
            for node in walk(around.function)
            if isinstance(node, ast.Assign) and any(_is_name(each, value.id) for each in node.targets)
        ]
        return len(held) == 1 and _is_found(around, held[0], depth + 1)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in ("sorted", "list"):
        return bool(value.args) and _is_found(around, value.args[0], depth + 1)
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _VALIDATED


def _takes_no_place(value: ast.AST, name: str) -> bool:
    """Whether code takes something of what a name holds, and no place; the whole of it has one."""
    taken: set[object] = set()
    held = 0
    for part in walk(value):
        if isinstance(part, ast.Subscript) and _is_name(part.value, name) and isinstance(part.slice, ast.Constant):
            taken.add(part.slice.value)
        elif (
            isinstance(part, ast.Call)
            and isinstance(part.func, ast.Attribute)
            and part.func.attr == "get"
            and _is_name(part.func.value, name)
        ):
            taken.update(item.value for item in part.args[:1] if isinstance(item, ast.Constant))
            taken.discard("get")
        elif isinstance(part, ast.Attribute) and _is_name(part.value, name) and part.attr != "get":
            taken.add(part.attr)
        elif _is_name(part, name):
            held += 1
    return 0 < held <= _readings(value, name) and bool(taken) and taken.isdisjoint(_PLACES)


def _readings(value: ast.AST, name: str) -> int:
    """Count the places of an expression that read a key or an attribute of what a name holds."""
    return sum(
        isinstance(part, (ast.Attribute, ast.Subscript))
        and _is_name(part.value, name)
        and (isinstance(part, ast.Attribute) or isinstance(part.slice, ast.Constant))
        for part in walk(value)
    )


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
