"""Handlers around a place that may call a function: which exceptions they tell, and of which they tell nothing.

What is only perhaps called there cannot be let through by a clause of its own: that would let others through, too.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

import libcst as cst

from errlint.facts import Function
from errlint.fix.bindings import assignment
from errlint.fix.callers.context_managers import Leaving, swallowing
from errlint.fix.callers.exception_path import hands_on
from errlint.fix.nodes import all_below, caught_as, dotted_name, exception_names
from errlint.fix.raising.logcalls import log_call
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SCOPES, SourceFile
from errlint.index.statements import jumps_out
from errlint.project import Project
from errlint.project.hierarchy import Exceptional
from errlint.project.names import ClassSymbol, ExternalSymbol
from errlint.trees import caught_types, last_name, walk

_PLAIN = (ExternalSymbol("builtins.ValueError"), ExternalSymbol("builtins.RuntimeError"))

_SHOWN = 60
"""So much is shown of what a handler answers."""


class Perhaps(NamedTuple):
    """A statement that may call a function, or another one of its name."""

    parsed: SourceFile
    function: Function
    node: cst.CSTNode


def hiding(project: Project, place: Perhaps, raised: Exceptional) -> cst.ExceptHandler | None:
    """Return the handler that catches a class at a place, and tells nothing of its text; ``None`` for none."""
    for around in tries_around(place.parsed, place.node):
        for handler in around.handlers:
            types = exception_names(handler.type)
            if not project.hierarchy.catches(place.parsed.path, place.function.name, types, raised):
                continue
            if hands_on(handler):
                break
            return None if _is_told(handler) else handler
    return None


def dropping(project: Project, files: Files, place: Perhaps, raised: Exceptional) -> tuple[cst.With, str] | None:
    """Return the ``with`` around a place that drops a class, and the name of its context manager; ``None`` for none."""
    leaving = Leaving(project, files, place.parsed, place.function.name, raised)
    for parent, _ in place.parsed.in_scope(place.node):
        if isinstance(parent, cst.With):
            name = swallowing(leaving, parent)
            if name is not None:
                return parent, name
    return None


def told_classes(project: Project, places: Iterable[Perhaps]) -> Iterator[Exceptional]:
    """Yield the classes whose texts handlers around some places tell, the most general ones first.

    They are of the project, or such as are raised where any class will do.
    """
    for place in places:
        found: list[Exceptional] = []
        handlers = [each for around in tries_around(place.parsed, place.node) for each in around.handlers]
        for handler in filter(_is_told, handlers):
            names = exception_names(handler.type)
            symbols = (project.names.resolve(place.parsed.path, name, place.function.name) for name in names)
            found.extend(item for item in symbols if isinstance(item, ClassSymbol) or item in _PLAIN)
        yield from reversed(found)


def shown(handler: cst.ExceptHandler, parsed: SourceFile) -> str:
    """Say what a handler does in place of telling what it caught."""
    values = [node.value for node in all_below(handler.body) if isinstance(node, cst.Return) and node.value is not None]
    if not values:
        return "goes on without it"
    text = " ".join(parsed.code(values[0]).split())
    return f"answers `{text if len(text) <= _SHOWN else text[:_SHOWN] + '…'}`"


def tries_around(
    parsed: SourceFile, node: cst.CSTNode, *, within: tuple[type[cst.CSTNode], ...] = SCOPES
) -> Iterator[cst.Try]:
    """Yield the statements in whose body a node stands, the innermost first, up to something ``within`` which they are.

    These are the statements whose handlers an exception comes to that leaves the node.
    """
    for parent, child in parsed.around(node):
        if isinstance(parent, within):
            return
        if isinstance(parent, cst.Try) and child is parent.body:
            yield parent


def answers(handler: cst.ExceptHandler) -> bool:
    """Whether a handler returns anything made of the text of what it caught."""
    names = _made_of_it(handler)
    return any(isinstance(item, cst.Return) and _speaks(item, names) for item in all_below(handler.body))


def answers_raised(node: ast.AST, caught: Collection[str], *, called: str = "", surely: bool = False) -> bool:
    """Whether a function, or one inside it, may catch one of some classes and return something in its place.

    With ``called``, only what a function of that name raises counts; ``surely`` leaves out what is raised after all.
    """
    for item in walk(node):
        if not isinstance(item, ast.Try):
            continue
        calls = [each for line in item.body for each in walk(line) if isinstance(each, ast.Call)]
        if called and not any(isinstance(each.func, ast.Name) and each.func.id == called for each in calls):
            continue
        for handler in item.handlers:
            types = caught_types(handler)
            if types and not any(last_name(each) in caught for each in types):
                continue
            ways = [*jumps_out(handler.body)]
            is_answered = any(isinstance(each, ast.Return) and each.value is not None for each in ways)
            if is_answered and not (surely and any(isinstance(each, ast.Raise) for each in ways)):
                return True
            break
    return False


def _is_told(handler: cst.ExceptHandler) -> bool:
    """Whether a handler does anything with the text of what it caught but to log it."""
    names = _made_of_it(handler)
    lines = [item for item in all_below(handler.body) if isinstance(item, cst.SimpleStatementLine)]
    return any(assignment(item) is None and log_call(item) is None and _speaks(item, names) for item in lines)


def _made_of_it(handler: cst.ExceptHandler) -> set[str]:
    """Return the names of what a handler caught, and of what it makes of that."""
    names = {caught_as(handler)} - {""}
    made = [given for given in map(assignment, all_below(handler.body)) if given is not None]
    while more := {name for name, value in made if name not in names and _speaks(value, names)}:
        names.update(more)
    return names


def _speaks(node: cst.CSTNode, names: set[str]) -> bool:
    """Whether code has the text of an exception, and not the name of its class alone."""
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, cst.Name) and current.value in names:
            return True
        if not (isinstance(current, cst.Call) and dotted_name(current.func) == "type"):
            pending.extend(current.children)
    return False
