"""What may catch, change, repeat or undo a raise between its place and the edge of its function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst

from errlint.error_keywords import MASKING
from errlint.fix.bindings import surely_means
from errlint.fix.callers.context_managers import Ending, Leaving, described, ending
from errlint.fix.model import Doubt, refuse
from errlint.fix.nodes import all_below, called_name, dotted_name, exception_names, small_of, statements_from
from errlint.fix.raising.logcalls import log_call
from errlint.fix.source_file import SourceFile
from errlint.index.statements import jumps_out
from errlint.project import Project
from errlint.project.decorators import MARKS
from errlint.project.names import ClassSymbol, ExternalSymbol
from errlint.trees import walk

TRANSPARENT_CONTEXTS = frozenset(
    {"open", "closing", "aclosing", "nullcontext", "TemporaryDirectory", "TemporaryFile", "NamedTemporaryFile",
     "ZipFile", "TarFile", "catch_warnings", "redirect_stdout", "redirect_stderr", "ThreadPoolExecutor",
     "ProcessPoolExecutor", "Lock", "RLock", "Semaphore", "BoundedSemaphore", "Condition", "lock", "_lock"}
)  # fmt: skip
"""Last parts of context managers that do the same whether their block is left by a return or by an exception."""


_DOING = (cst.Call, cst.Await, cst.Yield, cst.AugAssign, cst.Del)
"""What changes more than a name of the function; a store in an attribute or by a key is a target."""


class Rescue(NamedTuple):
    """A clause to put into a ``try``, before one of its handlers, that raises the new exception again."""

    node: cst.Try
    before: int


class WayOut(NamedTuple):
    """The way of a raise out of its function: the clauses it needs, and what is in doubt on it."""

    rescues: tuple[Rescue, ...]
    doubts: tuple[Doubt, ...]


def way_out(leaving: Leaving, node: cst.CSTNode) -> WayOut:
    """Look at all that is around a statement in its function.

    Raises :class:`errlint.fix.model.Refusal` where the exception would end, or where that cannot be told.
    """
    parsed = leaving.parsed
    rescues: list[Rescue] = []
    doubts: list[Doubt] = []
    for parent, child in parsed.in_scope(node):
        if isinstance(parent, cst.TryStar):
            raise refuse("an `except*` is around it", parsed.path, parsed.line(parent))
        if isinstance(parent, cst.Try):
            _refuse_jumps(parsed, parent, child)
            if child is parent.body:
                before, found = _first_catching(leaving, parent)
                if before is not None:
                    rescues.append(Rescue(parent, before))
                doubts.extend(found)
        elif isinstance(parent, cst.With):
            doubts.extend(_contexts(leaving, parent))
    return WayOut(tuple(rescues), tuple(doubts))


def _refuse_jumps(parsed: SourceFile, node: cst.Try, child: cst.CSTNode) -> None:
    final = node.finalbody
    jumps = jumps_out(statements_from(final.body)) if final is not None and child is not final else ()
    if final is not None and not all(isinstance(each, ast.Raise) for each in jumps):
        raise refuse("the `finally` around it returns or jumps", parsed.path, parsed.line(final))


def _first_catching(leaving: Leaving, node: cst.Try) -> tuple[int | None, list[Doubt]]:
    """Return the index of the first handler that the exception must not come to, with what is in doubt on its way."""
    parsed, names = leaving.parsed, leaving.project.names
    doubts: list[Doubt] = []
    for index, handler in enumerate(node.handlers):
        types, line = exception_names(handler.type), parsed.line(handler)
        clause = f"except {parsed.code(handler.type)}" if handler.type is not None else "except"
        # Where an exception comes by, names are looked up that nobody has asked for before.
        unknown = next((name for name in types if not _is_class(leaving, node, name)), None)
        if unknown is not None:
            text = f"it cannot be told what `{unknown}` is in `{clause}`, so it is raised again before that"
            return index, [*doubts, Doubt(text, parsed.path, line)]
        caught = leaving.is_of(types)
        if caught is False:
            continue
        is_own = any(isinstance(names.resolve(parsed.path, name, leaving.scope), ClassSymbol) for name in types)
        if (hands_on(handler) and not _does_more(handler)) or (not hands_on(handler) and _masks(handler)):
            pass
        elif hands_on(handler) and is_own:
            text = f"`{clause}` does more before it raises an error again, for this one too"
            doubts.append(Doubt(text, parsed.path, line))
        elif caught:
            return index, doubts
        else:
            text = f"it cannot be told whether `{clause}` catches it, so it is raised again before that"
            return index, [*doubts, Doubt(text, parsed.path, line)]
        if caught:
            break
    return None, doubts


def _is_class(leaving: Leaving, node: cst.Try, name: str) -> bool:
    """Whether a name in a clause surely stands for a class where an exception comes to it."""
    parsed = leaving.parsed
    symbol = leaving.project.names.resolve(parsed.path, name, leaving.scope)
    if not isinstance(symbol, (ClassSymbol, ExternalSymbol)) or not surely_means(parsed, node, name):
        return False
    if isinstance(symbol, ExternalSymbol) or "." not in name or symbol.path == parsed.path:
        return True
    # What is imported by its own name was there then; an attribute of a module is looked up.
    return surely_means(leaving.files.parse(symbol.path), None, symbol.definition.name)


def hands_on(handler: cst.ExceptHandler) -> bool:
    """Whether a handler raises what it caught again, after a log call or the like."""
    body = handler.body.body
    return bool(body) and _is_bare_raise(body[-1]) and len([*jumps_out(statements_from(handler.body))]) == 1


def _does_more(handler: cst.ExceptHandler) -> bool:
    """Whether a handler does more than to log before its last statement, which is done for what passes by it, too."""
    others = (line for line in handler.body.body[:-1] if log_call(line) is None)
    return any(
        isinstance(item, _DOING)
        or (isinstance(item, cst.AssignTarget) and isinstance(item.target, (cst.Attribute, cst.Subscript)))
        for line in others
        for item in all_below(line)
    )


def _masks(handler: cst.ExceptHandler) -> bool:
    """Whether a handler ends in a raise of another exception, whose text it masks."""
    last = handler.body.body[-1] if handler.body.body else None
    raised = last.body[0] if isinstance(last, cst.SimpleStatementLine) else last
    calls = all_below(raised.exc) if isinstance(raised, cst.Raise) and raised.exc is not None else ()
    return any(
        isinstance(item, cst.Call) and bool(MASKING.search(dotted_name(item.func).rpartition(".")[2])) for item in calls
    )


def _is_bare_raise(node: cst.CSTNode) -> bool:
    small = small_of(node) or node
    return isinstance(small, cst.Raise) and small.exc is None


def _contexts(leaving: Leaving, node: cst.With) -> Iterator[Doubt]:
    parsed = leaving.parsed
    for item in node.items:
        expression = item.item
        found = ending(leaving, node, expression)
        if found is Ending.SWALLOWED:
            text = f"`{described(expression)}` is around it, which drops an exception"
            raise refuse(text, parsed.path, parsed.line(node))
        name = called_name(expression)
        last = name.rpartition(".")[2]
        is_lock = last.endswith("_lock") and not isinstance(expression, cst.Call)
        is_known = (last in TRANSPARENT_CONTEXTS or is_lock) and not _is_own(leaving.project, parsed, name)
        if found is not Ending.SAME and not is_known:
            text = f"`{described(expression)}` may end otherwise when an exception leaves it"
            yield Doubt(text, parsed.path, parsed.line(node))


def _is_own(project: Project, parsed: SourceFile, name: str, depth: int = 0) -> bool:
    """Whether a name stands for something that the project itself defines; a name that nothing binds is foreign."""
    root = name.partition(".")[0]
    for imported in parsed.imports:
        if imported.name in (root, "*") and project.names.find(imported.module, parsed.path) is not None:
            return True
    for node in walk(parsed.tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.name == root:
            return True
        if isinstance(node, ast.Assign) and any(ast.unparse(target) == root for target in node.targets):
            maker = ast.unparse(node.value.func) if isinstance(node.value, ast.Call) else ""
            is_plain = maker.rpartition(".")[2] in TRANSPARENT_CONTEXTS and depth < 1
            if not is_plain or _is_own(project, parsed, maker, depth + 1):
                return True
    return False


def decorators_below(
    parsed: SourceFile, node: cst.FunctionDef, project: Project, boundary: int | None, *, has_exit: bool
) -> Iterator[cst.Decorator]:
    """Yield the decorators below the boundary (all of them, where ``boundary`` is ``None``) that may catch a raise.

    Those that register a function do nothing else to it; where ``has_exit`` is true, the boundary is around them. A
    plain function below one that registers does not do that again, whatever its name says.
    """
    is_registered = False
    for index, decorator in enumerate(node.decorators):
        if boundary is not None and index <= boundary:
            continue
        name = called_name(decorator.decorator)
        is_registering = (
            project.adapters.registers(parsed.path, name) or project.routes.meant(parsed.path, name, "") is not None
        )
        if has_exit and boundary is None and is_registering and not (is_registered and "." not in name):
            is_registered = True
            continue
        if name.rpartition(".")[2] not in MARKS or _is_own(project, parsed, name):
            yield decorator
