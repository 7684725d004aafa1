"""Decorators of the project that give a function back as it is, with marks at most."""

from __future__ import annotations

import libcst as cst

from errlint.collect.expressions import all_below, dotted_name
from errlint.fix.parsed import Parse
from errlint.fix.users.hazards import TRANSPARENT_DECORATORS
from errlint.fix.users.verdicts import definition, returns
from errlint.project import Project
from errlint.project.names import FunctionSymbol


def in_between(project: Project, parse: Parse, symbol: FunctionSymbol) -> str:
    """Return the first decorator of a function that may do more than to mark or to register it, "" for none."""
    node = definition(parse(symbol.path), symbol.function.name)
    scope = symbol.function.name.rpartition(".")[0]
    for decorator in node.decorators if node is not None else ():
        expression = decorator.decorator
        is_called = isinstance(expression, cst.Call)
        name = dotted_name(expression.func if isinstance(expression, cst.Call) else expression)
        if name.rpartition(".")[2] in TRANSPARENT_DECORATORS or project.registers(name):
            continue
        made = project.names.resolve(symbol.path, name, scope)
        if not isinstance(made, FunctionSymbol) or not _gives_back(parse, made, is_called=is_called):
            return name or "?"
    return ""


def _gives_back(parse: Parse, symbol: FunctionSymbol, *, is_called: bool) -> bool:
    """Whether a decorator gives back what it decorates; one that ``is_called`` makes the decorator first."""
    node = definition(parse(symbol.path), symbol.function.name)
    if node is not None and is_called:
        inside = [item for item in node.body.body if isinstance(item, cst.FunctionDef)]
        if len(inside) != 1 or not _answers(node, inside[0].name.value):
            return False
        node = inside[0]
    if node is None or node.asynchronous is not None or not node.params.params:
        return False
    name = node.params.params[0].name.value
    is_bound = any(
        isinstance(item, cst.AssignTarget) and dotted_name(item.target) == name for item in all_below(node.body)
    )
    return not is_bound and _answers(node, name)


def _answers(node: cst.FunctionDef, name: str) -> bool:
    """Whether a function answers what a name stands for, and nothing else."""
    found = list(returns(node))
    return bool(found) and all(isinstance(item.value, cst.Name) and item.value.value == name for item in found)
