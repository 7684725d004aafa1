"""Who calls a function, and how sure that is."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from errlint.facts import Function, Use
from errlint.findings import Span
from errlint.fix.callers.receiver_types import Receiver, is_protocol
from errlint.fix.source_cache import Files
from errlint.index.bindings import only_target
from errlint.project import Project
from errlint.project.callers import Caller
from errlint.trees import children


class Calling(NamedTuple):
    """A place that may call a function.

    ``is_certain`` is false where another function may be meant. ``is_guessed`` is true where only the name of a method
    says what is called, and no other method of the project has it.
    """

    caller: Caller
    is_certain: bool
    is_guessed: bool = False


def calling(project: Project, files: Files, path: str, function: Function) -> Iterator[Calling]:
    """Yield who may call a function in its distribution; those whose objects have another method are left out."""
    certain = set(project.callers.must(path, function))
    known = project.callers.may(path, function)
    for caller in (*known, *_others(project, files, path, function, known)):
        if _is_variable(files, caller):
            continue
        if alias := _alias(files, caller):
            yield from _by_alias(project, files, path, function, caller.path, alias)
            continue
        if project.names.resolve(caller.path, caller.use.callee, caller.function) is not None:
            yield Calling(caller, is_certain=True)
        elif caller.path == path or _may_import(files, caller):
            yield from by_object(project, files, path, function, caller, is_only=caller in certain)


def where_named(project: Project, files: Files, path: str, function: Function, names: Iterable[str]) -> Sequence[str]:
    """Return the files that have one of some names and may use a function: its own where another one defines it."""
    found = files.naming(path, names)
    return [other for other in found if other == path] if is_local(project, path, function) else found


def is_local(project: Project, path: str, function: Function) -> bool:
    """Whether a function is defined in another one: no module has it, and no object but one that it is handed to."""
    return project.names.function(path, function.name.rpartition(".")[0]) is not None


def by_object(
    project: Project, files: Files, path: str, function: Function, caller: Caller, *, is_only: bool
) -> Iterator[Calling]:
    """Yield a caller, by what is known of the object whose method it calls."""
    short = function.name.rpartition(".")[2]
    receiver = Receiver(project, files, caller)
    found = receiver.defining(short)
    if found is not None and not (receiver.is_given and is_protocol(found.node)):
        is_it = (found.path, f"{found.node.name}.{short}") == (path, function.name)
        # An object that is handed over may be of a class that overrides the method.
        if is_it or (receiver.is_given and found.node.name in base_names(project, path, function)):
            yield Calling(caller, is_certain=True)
    elif function.owner and (receiver.is_module or receiver.is_foreign):
        return  # a module has no methods of the project, nor has an object of a library
    elif function.owner or not (receiver.is_object or ("." in caller.use.callee and is_local(project, path, function))):
        is_only = is_only and files.methods(short) == 1
        yield Calling(caller, is_certain=is_only, is_guessed=is_only)


def _others(project: Project, files: Files, path: str, function: Function, known: Iterable[Caller]) -> Iterator[Caller]:
    """Yield the uses of a function that the facts leave out: in defaults, assertions and so on.

    They also leave out those of a function that only hands on what another one answers. Decorators are left out here,
    too: what answers an error does not make one.
    """
    short = function.name.rpartition(".")[2]
    counted = Counter(_place(caller.path, caller.use.callee, caller.use.span) for caller in known)
    returned: set[tuple[str, str, int, int]] = set()
    for other in where_named(project, files, path, function, (short,)):
        if project.layout.distribution(other) != project.layout.distribution(path):
            continue
        for use in files.uses_of(other, short):
            name = ast.unparse(use.node)
            symbol = project.objects.called(other, use.asked, use.function)
            if use.is_decorator or not (symbol is None or project.callers.means(symbol, path, function)):
                continue
            place = _place(other, name, files.span(other, use.statement))
            # The facts name a function once for a statement that returns its result on several ways.
            if place in returned and _is_returned(use.statement, use.node):
                continue
            if _is_returned(use.statement, use.node):
                returned.add(place)
            counted[place] -= 1
            if counted[place] >= 0:
                continue
            how = _how_called(use.statement, use.node)
            span = files.span(other, use.statement if how else use.node)
            yield Caller(other, use.function, Use(name, span, how or "passed"))


def _alias(files: Files, caller: Caller) -> str:
    """Return the other name that a module gives to a function for good, "" where it does anything else with it."""
    place = _place(caller.path, caller.use.callee, caller.use.span)
    for use in files.uses(caller.path).get(place[1], ()) if not caller.function else ():
        line = use.statement
        target = only_target(line) if isinstance(line, ast.Assign) else None
        spans = (files.span(caller.path, each) for each in (line, use.node))
        if not isinstance(target, ast.Name) or not isinstance(line, ast.Assign) or line.value is not use.node:
            continue
        if any(_place(caller.path, caller.use.callee, span) == place for span in spans):
            return target.id if len(files.bound(caller.path).get(target.id, ())) == 1 else ""
    return ""


def _by_alias(
    project: Project, files: Files, path: str, function: Function, where: str, alias: str
) -> Iterator[Calling]:
    """Yield who may call a function by another name that the module ``where`` gives it."""
    for other in files.naming(path, (alias,)):
        names = {alias} if other == where else set()
        for item in files.imports(other):
            if item.attribute == alias and project.names.find(item.module, other) == where:
                names.add(item.name)
        for use in files.uses_of(other, alias):
            name = ast.unparse(use.node)
            if use.is_variable or ("." not in name and name not in names):
                continue
            how = "returned" if isinstance(use.statement, ast.Return) else "called"
            caller = Caller(other, use.function, Use(name, files.span(other, use.statement), how))
            yield Calling(caller, is_certain="." not in name)


def _is_returned(statement: ast.stmt, name: ast.expr) -> bool:
    """Whether a statement returns what a function with some name returns, perhaps as one part of a conditional."""
    pending = [statement.value] if isinstance(statement, ast.Return) else []
    while pending:
        value = pending.pop()
        if isinstance(value, ast.IfExp):
            pending.extend((value.body, value.orelse))
        value = value.value if isinstance(value, ast.Await) else value
        if isinstance(value, ast.Call) and value.func is name:
            return True
    return False


_LATER = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Yield, ast.YieldFrom)
"""Expressions of which a part is evaluated later, or more than once."""


def _how_called(statement: ast.stmt, name: ast.expr) -> str:
    """Say whether a plain statement returns what a function answers, or calls it for anything else; "" for neither."""
    plain = isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return))
    pending: list[ast.AST] = [statement] if plain else []
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Call) and node.func is name:
            return "returned" if _is_returned(statement, name) else "called"
        if not isinstance(node, _LATER):
            pending.extend(children(node))
    return ""


def _place(path: str, name: str, span: Span) -> tuple[str, str, int, int]:
    return path, name.rpartition(".")[2], span.line, span.column


def _is_variable(files: Files, caller: Caller) -> bool:
    """Whether a name stands for a parameter or a variable of its function wherever a statement has it."""
    place = _place(caller.path, caller.use.callee, caller.use.span)
    found = [
        use.is_variable
        for use in files.uses(caller.path).get(caller.use.callee, ())
        if isinstance(use.node, ast.Name)
        and place
        in (_place(caller.path, use.node.id, files.span(caller.path, each)) for each in (use.statement, use.node))
    ]
    return bool(found) and all(found)


def _may_import(files: Files, caller: Caller) -> bool:
    """Whether a name of one part may be a function of another file: else it is a parameter or variable."""
    name = caller.use.callee
    return "." in name or any(item.name in (name, "*") for item in files.imports(caller.path))


def base_names(project: Project, path: str, function: Function) -> frozenset[str]:
    """Return the names of the classes that the class of a method reaches."""
    owner = project.names.enclosing_class(path, function.name) if function.owner else None
    return frozenset(project.hierarchy.base_names(owner)) if owner is not None else frozenset()
