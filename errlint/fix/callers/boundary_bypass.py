"""Who takes a function out of the boundary that is its decorator, as by ``__wrapped__``: there it raises."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from errlint.facts import Function
from errlint.fix.callers.call_sites import where_named
from errlint.fix.dynamic_lookup import ANY
from errlint.fix.model import Doubt
from errlint.fix.name_uses import NameUse
from errlint.fix.source_cache import Files
from errlint.index.bindings import FunctionNode
from errlint.project import Project
from errlint.trees import walk

_ATTRIBUTE = "__wrapped__"
_WORDS = (_ATTRIBUTE, "unwrap")


def unwrapped(project: Project, files: Files, path: str, function: Function) -> Iterator[Doubt]:
    """Yield the places, tests included, that take a function out of its boundary, or may do so and call it.

    Raises :class:`errlint.fix.model.Refusal` where a file cannot be parsed that may have such a place.
    """
    short = function.name.rpartition(".")[2]
    tests = (test for test in files.tests(path) if not files.words(test).isdisjoint(_WORDS))
    for other in dict.fromkeys((*where_named(project, files, path, function, _WORDS), *tests)):
        if short not in files.words(other):
            continue
        names = files.names_of(other, short)
        known = {item.name for item in files.imports(other)}
        known.update(node.name for node in walk(files.tree(other)) if isinstance(node, FunctionNode))
        for operand, line, is_called in _taken(files, other):
            if operand.rpartition(".")[2] in names:
                text = f"`{function.name}` is taken out of its boundary here"
                yield Doubt(text, other, line, refuses=True)
            elif is_called and operand.partition(".")[0] not in known:
                yield Doubt(f"`{function.name}` may be called without its boundary here", other, line)


def _taken(files: Files, path: str) -> Iterator[tuple[str, int, bool]]:
    """Yield what a file takes out of its decorators, with the line, and whether it calls that at once."""
    for word in _WORDS:
        for use in files.uses(path).get(word, ()):
            for made, operand in _operands(use):
                is_called = any(isinstance(node, ast.Call) and node.func is made for node in walk(use.statement))
                yield ast.unparse(operand), made.lineno, is_called
    for found in files.lookups(path):
        if found.pattern != ANY and re.fullmatch(found.pattern, _ATTRIBUTE):
            yield found.holder, found.made.lineno, found.may_call


def _operands(use: NameUse) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the expression that takes something out of its decorators, and what it takes it of."""
    if isinstance(use.node, ast.Attribute) and use.node.attr == _ATTRIBUTE:
        yield use.node, use.node.value
        return
    for node in walk(use.statement):
        if isinstance(node, ast.Call) and node.func is use.node and node.args:
            yield node, node.args[0]
