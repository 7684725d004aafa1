"""Functions that are looked up by their names, as by ``getattr``: their uses do not show who gets them that way."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from errlint.facts import Function, Import, Use
from errlint.fix.bound import names_bound
from errlint.fix.model import Refusal
from errlint.fix.sources import Files, NameUse
from errlint.fix.users.calling import base_names, by_object
from errlint.project import Caller, Project

_ANY = ".*"
"""The pattern of a name of which nothing is known."""

_TABLES = frozenset({"globals", "locals", "vars"})
_GETTERS = frozenset({"get", "pop", "setdefault", "__getitem__"})
_MAKERS = frozenset({"attrgetter", "methodcaller"})
_WORDS = ("getattr", "__dict__", *sorted(_TABLES | _MAKERS))
_ASKING = frozenset({"bool", "callable", "hasattr", "isinstance", "len", "print", "repr", "str", "type"})
"""Functions that call nothing of what they are given."""


class _Lookup(NamedTuple):
    """A place that takes something by its ``name`` out of a ``holder``: "" for the module, "?" for any object.

    ``made`` is the expression that does it.
    """

    use: NameUse
    holder: str
    name: ast.expr
    made: ast.expr


def lookup(project: Project, files: Files, path: str, function: Function) -> tuple[str, int] | None:
    """Return the first place, as path and line, that may look a function up by its name, ``None`` for none.

    Raises :class:`errlint.fix.model.Refusal` where a file cannot be parsed that has the name and may have such a place.
    """
    short = function.name.rpartition(".")[2]
    for other in files.naming(path, _WORDS):
        try:
            found = _first(project, files, other, path, function)
        except Refusal:
            if short in files.text(other):
                raise
            continue
        if found is not None:
            return other, found.made.lineno
    return None


def _first(project: Project, files: Files, other: str, path: str, function: Function) -> _Lookup | None:
    """Return the first place in a file that may look a function up by its name."""
    names = files.names_of(other, function.name.rpartition(".")[2])
    for found in _lookups(files, other):
        pattern = _pattern(files.tree(other), found.name)
        if (
            any(re.fullmatch(pattern, name) for name in names)
            and _may_be_called(files.tree(other), found)
            and _may_hold(project, files, other, found, path, function, is_guessed=pattern == _ANY)
        ):
            return found
    return None


def _lookups(files: Files, path: str) -> Iterator[_Lookup]:
    for word in _WORDS:
        for use in files.uses(path).get(word, ()):
            for node in ast.walk(use.statement):
                found = _asked(node, use, word)
                if found is not None and isinstance(node, ast.expr):
                    yield _Lookup(use, *found, node)


def _asked(node: ast.AST, use: NameUse, word: str) -> tuple[str, ast.expr] | None:
    """Return the holder and the name of a lookup, ``None`` where an expression is none."""
    if isinstance(node, ast.Subscript):
        holder = _table(node.value, use)
        return None if holder is None else (holder, node.slice)
    if not isinstance(node, ast.Call) or not node.args:
        return None
    if isinstance(node.func, ast.Attribute) and node.func.attr in _GETTERS:
        holder = _table(node.func.value, use)
        return None if holder is None else (holder, node.args[0])
    if node.func is not use.node:
        return None
    if word == "getattr" and len(node.args) > 1:
        return ast.unparse(node.args[0]), node.args[1]
    return ("?", node.args[0]) if word in _MAKERS else None


def _table(node: ast.expr, use: NameUse) -> str | None:
    """Return what has the names that are in a table, as in ``globals()`` or ``tools.__dict__``."""
    if node is use.node and isinstance(node, ast.Attribute):
        return ast.unparse(node.value)
    if isinstance(node, ast.Call) and node.func is use.node:
        return ast.unparse(node.args[0]) if node.args else ""
    return None


# --- what is asked for ----------------------------------------------------------------------------------------------


def _pattern(tree: ast.Module, name: ast.expr) -> str:
    """Return a pattern of the names that are asked for."""
    if not isinstance(name, ast.Name):
        return _of_text(name)
    bound = [node for node in ast.walk(tree) if name.id in (*names_bound(node), getattr(node, "arg", None))]
    values = [value for node in ast.walk(tree) for value in _bound_to(node, name.id)]
    return "|".join(map(_of_text, values)) if values and len(values) >= len(bound) else _ANY


def _bound_to(node: ast.AST, name: str) -> Iterator[ast.expr]:
    """Yield what a statement binds a name to, where that is written down in it."""
    if isinstance(node, ast.Assign):
        yield from (node.value for target in node.targets if isinstance(target, ast.Name) and target.id == name)
    elif isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.iter, (ast.Tuple, ast.List, ast.Set)):
        yield from node.iter.elts if isinstance(node.target, ast.Name) and node.target.id == name else ()


def _of_text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return re.escape(str(node.value))
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_of_text, node.values))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _of_text(node.left) + _of_text(node.right)
    return _ANY


# --- what becomes of it, and what it is asked of --------------------------------------------------------------------


def _may_be_called(tree: ast.Module, found: _Lookup) -> bool:
    """Whether what is found may be called, and is not only asked for or shown."""
    for node in ast.walk(found.use.statement):
        children = list(ast.iter_child_nodes(node))
        if not any(child is found.made for child in children):
            continue
        if isinstance(node, ast.Call):
            return node.func is found.made or ast.unparse(node.func) not in _ASKING
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
            names = set(names_bound(node)) | {name for child in children for name in names_bound(child)}
            return not names or any(
                isinstance(each, ast.Name) and each.id in names
                for call in ast.walk(tree)
                if isinstance(call, ast.Call)
                for each in (call.func, *call.args)
            )
        return not isinstance(node, (ast.Compare, ast.FormattedValue, ast.If, ast.Assert, ast.Attribute))
    return True


def _may_hold(
    project: Project, files: Files, other: str, found: _Lookup, path: str, function: Function, *, is_guessed: bool
) -> bool:
    """Whether what a name is asked of may have a function; an object that nothing is known of has no guessed one."""
    holder, scope = found.holder, found.use.function
    if not holder:
        return _has(files, other, path, function)
    imported = (item for item in files.imports(other) if item.name == holder)
    modules = {target for item in imported for target in _targets(files, other, item)}
    if modules:
        return any(_has(files, module, path, function) for module in modules)
    is_own = holder in ("self", "cls")
    if is_own and not base_names(project, path, function).isdisjoint(scope.split(".")):
        return True
    name = f"{holder}.{function.name.rpartition('.')[2]}"
    symbol = project.names.resolve(other, name, scope)
    if symbol is not None and not is_own:
        return project.means(symbol, path, function)
    caller = Caller(other, scope, Use(name, files.span(other, found.made), "passed"))
    known = by_object(project, files, path, function, caller, is_only=False)
    return any(each.is_certain or not is_guessed for each in known)


def _has(files: Files, module: str, path: str, function: Function) -> bool:
    """Whether a module has a function among its names: it defines it, or may import it."""
    if function.owner:
        return False
    short = function.name.rpartition(".")[2]
    return module == path or any(item.attribute == short or item.name == "*" for item in files.imports(module))


def _targets(files: Files, path: str, item: Import) -> Iterator[str]:
    return files.targets(f"{item.module}.{item.attribute}" if item.attribute else item.module, path)
