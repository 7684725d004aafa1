"""What decorators of the project put around a function: wrappers that call it, through which its exceptions go."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst

from errlint.facts import Function
from errlint.fix.bindings import assignment, name_occurrences
from errlint.fix.callers.abstract_values import definition, returns
from errlint.fix.callers.boundary_differences import Exit
from errlint.fix.callers.catching import tries_around
from errlint.fix.callers.exception_path import decorators_below, hands_on
from errlint.fix.callers.reach import statement_at
from errlint.fix.callers.receiver_types import definition_of
from errlint.fix.nodes import all_below, called_name, dotted_name, exception_names
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SCOPES, SourceFile
from errlint.index.catching import is_broad
from errlint.project import Project
from errlint.project.decorators import MARKS
from errlint.project.names import ClassSymbol, FunctionSymbol
from errlint.project.threads import place_of_function

_ASKING = frozenset(
    {"wraps", "update_wrapper", "iscoroutinefunction", "isasyncgenfunction", "isgeneratorfunction", "signature",
     "get_type_hints", "getattr", "hasattr", "setattr", "callable", "getdoc", "unwrap", "id", "str", "repr"}
)  # fmt: skip
"""Functions that are handed another one and do not call it."""


class Wrapper(NamedTuple):
    """A function that a decorator puts in the place of another one: ``nodes`` are its calls of that one.

    ``is_plain`` is true where it does nothing with the answer but to return it, ``is_repeated`` where it may call that
    one again.
    """

    parsed: SourceFile
    name: str
    nodes: tuple[cst.BaseExpression, ...]
    is_plain: bool
    is_repeated: bool

    @property
    def line(self) -> int:
        """The line of its definition."""
        node = definition(self.parsed, self.name)
        return self.parsed.line(node.name) if node is not None else 1


class Decoration(NamedTuple):
    """What is put around a function in a file: the expression of its decorator, or of what is called with it."""

    parsed: SourceFile
    decorator: cst.BaseExpression

    @property
    def name(self) -> str:
        """Its dotted name, "" for none."""
        return called_name(self.decorator)


def standing_around(
    project: Project, files: Files, parsed: SourceFile, node: cst.FunctionDef, function: Function, exit_: Exit | None
) -> Iterator[Decoration]:
    """Yield what is put around a function below its boundary, ``exit_``: decorators, and calls where it is registered.

    Of the calls those of functions of the project alone: others make tools of functions.
    """
    position = exit_.position if exit_ is not None else None
    for decorator in decorators_below(parsed, node, project, position, has_exit=exit_ is not None):
        yield Decoration(parsed, decorator.decorator)
    if exit_ is None or exit_.framework is None:
        return
    for caller in project.callers.may(parsed.path, function):
        for each in project.adapters.registrations(caller):
            where = files.parse(each.path)
            for call in statement_at(where, each.use.span):
                if isinstance(call, cst.Call) and project.adapters.is_registration(where.path, _name(call)):
                    yield from _handed(project, files, where, call)


def _handed(project: Project, files: Files, parsed: SourceFile, call: cst.Call) -> Iterator[Decoration]:
    """Yield the calls of functions of the project whose results another call is handed."""
    pending = [item.value for item in call.args]
    while pending:
        value = pending.pop()
        if not isinstance(value, cst.Call) or project.adapters.is_registration(parsed.path, _name(value)):
            continue
        found = definition_of(project, files, parsed.path, _name(value))
        if found is not None and not isinstance(found.node, ast.ClassDef):
            yield Decoration(parsed, value.func)
        pending.extend(item.value for item in value.args)


def _name(call: cst.Call) -> str:
    """Return the name of what is called, also of what makes that: ``server.tool`` of ``server.tool()(function)``."""
    node: cst.BaseExpression = call
    while isinstance(node, cst.Call):
        node = node.func
    return dotted_name(node)


def wrappers(
    project: Project, files: Files, parsed: SourceFile, decorator: cst.BaseExpression, *, is_async: bool
) -> tuple[Wrapper, ...] | None:
    """Return what a decorator puts around a function, ``None`` where that cannot be told.

    The function itself may be given back on some ways, or on all.
    """
    is_called = isinstance(decorator, cst.Call)
    found = definition_of(project, files, parsed.path, called_name(decorator))
    where = files.parse(found.path) if found is not None else None
    node = definition(where, found.node.name) if where is not None and found is not None else None
    if where is None or node is None or node.asynchronous is not None or node.decorators:
        return None
    name = node.name.value
    if is_called:
        inner = [item for item in _inside(node) if _is_returned(node, item)]
        if len(inner) != 1:
            return None
        name, node = f"{name}.{inner[0].name.value}", inner[0]
    return where.once_for(_of_decorator, _Definition(where, node, name, is_async))


class _Definition(NamedTuple):
    """The definition of a decorator, by its file, node and qualified name, and whether it stands above a coroutine."""

    parsed: SourceFile
    node: cst.FunctionDef
    name: str
    is_async: bool


def in_between(project: Project, files: Files, symbol: FunctionSymbol) -> str:
    """Return the first decorator of a function that may do more than to mark or to register it, "" for none."""
    parsed = files.parse(symbol.path)
    node = definition(parsed, symbol.function.name)
    for decorator in node.decorators if node is not None else ():
        name = called_name(decorator.decorator)
        if name.rpartition(".")[2] in MARKS or project.adapters.registers(symbol.path, name):
            continue
        if wrappers(project, files, parsed, decorator.decorator, is_async=symbol.function.is_async) != ():
            return name or "?"
    return ""


def let_through(project: Project, files: Files, exits: tuple[Exit, ...]) -> ClassSymbol | None:
    """Return the class of the project that its decorators around what is served let pass, where they answer others.

    ``None`` where there are none or several.
    """
    found: set[ClassSymbol] = set()
    for exit_ in exits:
        parsed = files.parse(exit_.path)
        node = definition(parsed, exit_.function.name)
        if node is None:
            continue
        for each in standing_around(project, files, parsed, node, exit_.function, exit_):
            made = wrappers(project, files, each.parsed, each.decorator, is_async=exit_.function.is_async)
            found.update(symbol for wrapper in made or () for symbol in _passing(project, wrapper))
    return found.pop() if len(found) == 1 else None


def _passing(project: Project, wrapper: Wrapper) -> Iterator[ClassSymbol]:
    """Yield the classes of the project that a wrapper lets pass before a clause that would catch them."""
    for node in wrapper.nodes:
        for around in tries_around(wrapper.parsed, node):
            passed: list[ClassSymbol] = []
            for handler in around.handlers:
                names = exception_names(handler.type)
                if is_broad(names):
                    yield from () if hands_on(handler) else passed
                    break
                symbols = [project.names.resolve(wrapper.parsed.path, name, wrapper.name) for name in names]
                passed.extend(item for item in symbols if isinstance(item, ClassSymbol) and hands_on(handler))


def _of_decorator(defined: _Definition) -> tuple[Wrapper, ...] | None:
    """Return the wrappers that a decorator gives back for what it is handed."""
    parsed, node, name, is_async = defined
    if not node.params.params:
        return None
    handed = node.params.params[0].name.value
    inner = {item: f"{name}.{item.name.value}" for item in _inside(node)}
    if not _are_followed(parsed, node, handed, inner):
        return None
    found: list[Wrapper] = []
    for item, inside in inner.items():
        called = [
            use for use in name_occurrences(item.body, handed) if _is_used(parsed, use) and parsed.scope(use) is item
        ]
        if not called:
            continue
        if any(_last(each.decorator) not in MARKS | {"wraps"} for each in item.decorators):
            return None
        wrapper = _wrapper(parsed, item, inside, called, is_async=is_async)
        if wrapper is None:
            return None
        found.append(wrapper)
    fitting = [each for each in found if _is_async(parsed, each) == is_async]
    return tuple(fitting or found)


def _wrapper(
    parsed: SourceFile, node: cst.FunctionDef, name: str, called: list[cst.Name], *, is_async: bool
) -> Wrapper | None:
    """Return a wrapper by what it calls, ``None`` where something else waits for what that answers."""
    nodes: list[cst.BaseExpression] = []
    is_plain, is_repeated = True, len(called) > 1
    for use in called:
        call, value = _call(parsed, use)
        parent = next(parsed.around(value))[0]
        if isinstance(parent, cst.Await):
            value, parent = parent, next(parsed.around(parent))[0]
        elif is_async and node.asynchronous is None:
            # It raises nothing here: whoever waits for what this returns gets the exception.
            if not isinstance(parent, cst.Return):
                return None
            continue
        nodes.append(value)
        line = next((each for each, _ in parsed.around(value) if isinstance(each, cst.SimpleStatementLine)), None)
        target, _ = assignment(line) or ("", None)
        if is_async and not isinstance(value, cst.Await):
            waits = [each for each in _awaits(node) if isinstance(each.expression, cst.Name)]
            later = [
                each for each in waits if isinstance(each.expression, cst.Name) and each.expression.value == target
            ]
            around = any(isinstance(each, cst.Await) for each, _ in parsed.around(call))
            if not later and not around:
                return None
            nodes.extend(later)
        is_repeated |= any(isinstance(each, (cst.For, cst.While)) for each, _ in parsed.in_scope(value))
        is_plain = is_plain and (isinstance(parent, cst.Return) or _is_only_returned(parsed, node, target))
    return Wrapper(parsed, name, tuple(nodes), is_plain, is_repeated)


def _is_only_returned(parsed: SourceFile, node: cst.FunctionDef, name: str) -> bool:
    """Whether a function does nothing with a name that it binds once but to return what that holds."""
    uses = list(name_occurrences(node.body, name)) if name else []
    parents = [next(parsed.around(use))[0] for use in uses]
    bound = [item for item in parents if isinstance(item, (cst.AssignTarget, cst.AnnAssign))]
    return len(bound) == 1 and all(isinstance(item, (cst.AssignTarget, cst.AnnAssign, cst.Return)) for item in parents)


def _are_followed(parsed: SourceFile, node: cst.FunctionDef, handed: str, inner: dict[cst.FunctionDef, str]) -> bool:
    """Whether a decorator asks about what it is handed, calls it in wrappers or returns it, and does nothing else."""
    for use in name_occurrences(node.body, handed):
        parent, _ = next(parsed.around(use))
        around = parsed.function(use)
        is_of_another = isinstance(parent, cst.Attribute) or (isinstance(parent, cst.Arg) and parent.keyword is use)
        is_given_back = isinstance(parent, cst.Return) and around is node
        is_called = parsed.scope(use) in inner and _is_used(parsed, use)
        if not (is_of_another or is_given_back or is_called or _is_asked(parsed, use)):
            return False
    return True


def _is_used(parsed: SourceFile, use: cst.Name) -> bool:
    """Whether a name is called where it stands, perhaps in another thread."""
    call, _ = _call(parsed, use)
    return call is not use


def _call(parsed: SourceFile, use: cst.Name) -> tuple[cst.BaseExpression, cst.BaseExpression]:
    """Return the call of a name, and what stands for its answer; twice the name where it is not called."""
    above = parsed.around(use)
    parent, _ = next(above)
    if isinstance(parent, cst.Call) and parent.func is use:
        return parent, parent
    outer = next(above)[0] if isinstance(parent, cst.Arg) else None
    if not isinstance(outer, cst.Call):
        return use, use
    if _last(outer) == "partial" and outer.args[0] is parent:
        parent = next(above)[0]
        outer = next(above)[0] if isinstance(parent, cst.Arg) else None
        if not isinstance(outer, cst.Call):
            return use, use
    place = place_of_function(dotted_name(outer.func))
    is_handed = 0 <= place < len(outer.args) and outer.args[place] is parent
    return (outer, outer) if is_handed else (use, use)


def _is_asked(parsed: SourceFile, use: cst.Name) -> bool:
    above = parsed.around(use)
    parent, _ = next(above)
    outer = next(above)[0] if isinstance(parent, cst.Arg) else None
    return isinstance(outer, cst.Call) and _last(outer) in _ASKING


def _inside(node: cst.FunctionDef) -> list[cst.FunctionDef]:
    """Return the functions that stand in a function, those inside of others left out."""
    found: list[cst.FunctionDef] = []
    pending: list[cst.CSTNode] = [node.body]
    while pending:
        item = pending.pop(0)
        if isinstance(item, cst.FunctionDef):
            found.append(item)
        elif not isinstance(item, SCOPES):
            pending.extend(item.children)
    return found


def _is_returned(node: cst.FunctionDef, inner: cst.FunctionDef) -> bool:
    return any(isinstance(item.value, cst.Name) and item.value.value == inner.name.value for item in returns(node))


def _awaits(node: cst.FunctionDef) -> Iterator[cst.Await]:
    return (item for item in all_below(node.body) if isinstance(item, cst.Await))


def _is_async(parsed: SourceFile, wrapper: Wrapper) -> bool:
    node = definition(parsed, wrapper.name)
    return node is not None and node.asynchronous is not None


def _last(node: cst.BaseExpression) -> str:
    return called_name(node).rpartition(".")[2]
