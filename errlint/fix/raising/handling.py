"""Handlers around a raise: what they call what they caught, and the clause that lets an exception pass one."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from errlint.fix.bindings import is_kept, is_stable_name
from errlint.fix.callers.exception_path import Rescue
from errlint.fix.model import Doubt, refuse
from errlint.fix.nodes import all_below, caught_as
from errlint.fix.raising.imports import Known, Needed, known_as
from errlint.fix.raising.makers import made
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SourceFile
from errlint.project import Project
from errlint.project.domain import matches
from errlint.project.hierarchy import Exceptional
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol
from errlint.project.raise_outcome import name_of

_FREE_NAMES = ("exc", "error", "caught", "exception", "failure", "original")


def steady(
    project: Project,
    files: Files,
    parsed: SourceFile,
    node: cst.CSTNode,
    symbol: ClassSymbol | FunctionSymbol | ExternalSymbol,
    scope: str,
) -> Known:
    """Return how a file names a class, where that name means nothing else in the function ``scope``."""
    known = known_as(project, files, parsed, symbol, scope)
    if not is_stable_name(parsed, parsed.function(node), known.name):
        raise refuse(f"`{known.name}` is bound more than once", parsed.path, parsed.line(node))
    return known


def needed(found: Needed | None) -> tuple[Needed, ...]:
    """Return an import as the imports of some changes."""
    return (found,) if found is not None else ()


def caught_name(parsed: SourceFile, node: cst.CSTNode, handler: cst.ExceptHandler | None) -> str:
    """Return the name of what the handler around a return caught, a free one where it has none yet."""
    if handler is None:
        return ""
    if handler.name is not None:
        name = caught_as(handler)
        if not name:
            raise refuse("the handler around it binds no plain name")
        if not is_kept(parsed, handler, name):
            raise refuse("the handler around it binds its name again", parsed.path, parsed.line(handler))
        return name
    return free_name(parsed, handler, *filter(None, (parsed.usual_caught,)))


def free_name(parsed: SourceFile, node: cst.CSTNode, *preferred: str) -> str:
    """Return a name for an exception that is caught at a node; its function does not use it.

    One of the preferred names may be that of other handlers, which are neither around the node nor in it. Refuses where
    none is left. A handler around it may get a name at the same time, and would lose it where the inner one ends, so
    each of those has a name of its own.
    """
    words = parsed.words(parsed.function(node))
    around = [parent for parent, _ in parsed.in_scope(node) if isinstance(parent, cst.ExceptHandler)]
    outer = sum(handler.name is None for handler in around)
    # In a handler without a name those of others are left out: the names that are free have to be the same for both.
    free = [
        name
        for name in dict.fromkeys((*preferred, *_FREE_NAMES))
        if name not in words or (not outer and name in preferred and _is_of_others(parsed, node, name))
    ]
    if outer < len(free):
        return free[outer]
    raise refuse("no free name is left for the exception that is being handled", parsed.path, parsed.line(node))


def _is_of_others(parsed: SourceFile, node: cst.CSTNode, name: str) -> bool:
    """Whether a name of a function is that of handlers alone which have nothing to do with a node."""
    function = parsed.function(node)
    around = {id(node), *(id(parent) for parent, _ in parsed.around(node))}
    for item in all_below(function) if function is not None else ():
        if not isinstance(item, cst.Name) or item.value != name:
            continue
        parents = [parent for parent, _ in parsed.around(item)]
        owner = next(
            (each for each in parents if isinstance(each, cst.ExceptHandler) and caught_as(each) == name), None
        )
        if owner is None or id(owner) in around or any(parent is node for parent in parents):
            return False
    return True


def clause_for(project: Project, symbol: Exceptional) -> Exceptional:
    """Return the class that a clause names to let an exception through: its topmost domain exception."""
    if isinstance(symbol, ExternalSymbol):
        return symbol
    root = project.policy(symbol.path).exceptions.root
    line = [base for base in project.hierarchy.bases(symbol) if matches(project.names.absolute(base), root)]
    return line[-1] if line else symbol


def would_pass(
    project: Project, files: Files, parsed: SourceFile, rescue: Rescue, clause: Exceptional, own: str = ""
) -> Iterator[Doubt]:
    """Yield the doubt that a new clause lets other exceptions through as well, which the handler answered before.

    ``own`` is the place of the raise that it is there for, as ``path:line``.
    """
    line = parsed.line(rescue.node)
    if isinstance(clause, ExternalSymbol):
        yield Doubt(f"a `{name_of(clause)}` from elsewhere in this `try` would pass its handler too", parsed.path, line)
        return
    place = next((each for each in made(project, files, clause) if each != own), None)
    if place is not None:
        text = f"other exceptions of the project, as that of {place}, would pass the handler too"
        yield Doubt(text, parsed.path, line)
