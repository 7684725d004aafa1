"""Who in a project uses the answer of a function that a boundary covers: the boundary's answer has other keys."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errlint.facts import Function
from errlint.fix.callers.call_sites import where_named
from errlint.fix.callers.lookups import lookup
from errlint.fix.model import Doubt
from errlint.fix.name_uses import NameUse
from errlint.fix.source_cache import Files
from errlint.project import Project
from errlint.project.names import FunctionSymbol


def readers(project: Project, files: Files, path: str, function: Function) -> Iterator[Doubt]:
    """Yield the first place that calls a covered function, or hands it to something that does not register it."""
    short = function.name.rpartition(".")[2]
    looked_up = lookup(project, files, path, function)
    if looked_up is not None:
        text = f"`{function.name}` may be looked up by its name here, and the boundary's answer has other keys"
        yield Doubt(text, looked_up.path, looked_up.line)
        return
    for other in where_named(project, files, path, function, (short,)):
        for use in files.uses_of(other, short):
            if use.given_to is not None and _registers(project, other, use.given_to):
                continue
            is_other = use.is_variable and isinstance(use.node, ast.Name)
            if not is_other and _may_mean(project, other, use, path, function):
                text = f"the answer of `{function.name}` is used here, and the boundary's has other keys"
                yield Doubt(text, other, use.node.lineno)
                return


def _registers(project: Project, path: str, function: ast.expr) -> bool:
    inner = function.func if isinstance(function, ast.Call) else function
    name = ast.unparse(inner) if isinstance(inner, (ast.Name, ast.Attribute)) else ""
    return project.adapters.takes(path, name)


def _may_mean(project: Project, path: str, use: NameUse, target: str, function: Function) -> bool:
    """Whether a name may stand for a function: it does, or it is one of a method that nothing is known of."""
    name = ast.unparse(use.node)
    symbol = project.names.resolve(path, name, use.function)
    if isinstance(symbol, FunctionSymbol):
        return (symbol.path, symbol.function.name) == (target, function.name)
    return symbol is None and (bool(function.owner) == ("." in name))
