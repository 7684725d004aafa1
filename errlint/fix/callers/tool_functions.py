"""What is done with the functions of tools after they were registered, and with their answers, at the server.

``for tool in tools: tool.fn = timed(tool.fn)`` is as if ``timed`` decorated each tool, and may answer what they raise.
``tool.fn(**arguments)`` calls any of them without the framework that answers their exceptions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from errlint.error_keywords import HANDLER_KEYWORDS, MASKING
from errlint.fix.callers.catching import answers_raised
from errlint.fix.callers.receiver_types import definition_of
from errlint.fix.model import Doubt
from errlint.fix.source_cache import Files
from errlint.index.bindings import FunctionNode, assigned_names
from errlint.index.catching import BROAD
from errlint.index.statements import jumps_out
from errlint.project import Project
from errlint.settings.policy import bare_name
from errlint.trees import walk

_HOLDING = ("fn", "func", "handler", "callback")
"""Attributes of the tools of frameworks, and of registries of one's own, that hold the function."""

MAX_DEPTH = 2
"""Through so many functions it is looked for what masks texts."""


def late_wrappers(project: Project, files: Files, path: str) -> Iterator[Doubt]:
    """Yield where the functions of the tools of a file's distribution are replaced, unless that lets all pass."""
    for other in files.naming(path, _HOLDING):
        for node in files.once(_replacing, other):
            name = _name(node.value)
            found = _called(project, files, other, name)
            if found is not None and not any(answers_raised(each, BROAD) for each in found):
                continue
            told = "answers what they raise itself: it has to let that pass" if found else "may answer what they raise"
            yield Doubt(f"`{name or '?'}` takes the place of each tool here, and {told}", other, node.lineno)


def taken_out(files: Files, path: str) -> Iterator[Doubt]:
    """Yield where the function of a tool of a file's distribution is called, kept or returned by itself."""
    for other in files.naming(path, ("fn",)):
        for line in files.once(_taking, other):
            text = "the function of any tool is taken out here: who calls it gets the exception of an error"
            yield Doubt(text, other, line)


_Function = ast.FunctionDef | ast.AsyncFunctionDef


class NamedCall(NamedTuple):
    """A function that calls another one by a name, and goes on with the answer; ``names`` are those that hold it.

    ``is_told`` is true where a handler around the call tells of any exception.
    """

    called: str
    names: frozenset[str]
    is_told: bool

    def speaks(self, node: ast.AST) -> bool:
        """Whether code speaks of the answer."""
        held = any(isinstance(item, ast.Name) and item.id in self.names for item in walk(node))
        return held or _calls(node, self.called)


def middleware(project: Project, files: Files, path: str) -> Iterator[tuple[Doubt, bool]]:
    """Yield the middleware that errors of the tools of a file's distribution pass by, and whether it masks answers.

    That does more with an answer than to return it, and tells of no exception itself.
    """
    for other in files.naming(path, HANDLER_KEYWORDS):
        for node, asked in files.once(_going_on, other):
            masking = masking_in(project, files, other, node, asked)
            does = masks(masking) if masking else "does more with what a tool answers"
            yield Doubt(f"the middleware here {does}, which an error passes by", other, node.lineno), bool(masking)


def masks(name: str) -> str:
    """Say what becomes of an answer that a function masks."""
    return f"masks what is answered, with `{name}`"


def masking_of(project: Project, files: Files, path: str, line: int, called: str) -> str:
    """Return the name of the function by which the function at a line masks what another one answers, "" for none."""
    for node in walk(files.tree(path)):
        if isinstance(node, FunctionNode) and node.lineno == line:
            asked = _asked(node, called)
            return "" if asked.is_told else masking_in(project, files, path, node, asked)
    return ""


def masking_in(
    project: Project, files: Files, path: str, node: ast.AST, asked: NamedCall | None = None, depth: int = 0
) -> str:
    """Return the name of the function by which a piece of code masks texts, "" where it does not.

    That is one that it calls, or that such a one of the project calls. With ``asked`` it is handed the answer of that.
    """
    calls = [item for item in walk(node) if isinstance(item, ast.Call)]
    if asked is not None:
        calls = [item for item in calls if any(map(asked.speaks, (*item.args, *item.keywords)))]
    names = list(dict.fromkeys(_name(item.func) for item in calls))
    for name in names:
        if MASKING.search(bare_name(name)):
            return bare_name(name)
    for name in names if depth < MAX_DEPTH else ():
        found = definition_of(project, files, path, name)
        if found is not None and not isinstance(found.node, ast.ClassDef):
            inner = masking_in(project, files, found.path, found.node, None, depth + 1)
            if inner:
                return inner
    return ""


def _going_on(files: Files, path: str) -> Sequence[tuple[_Function, NamedCall]]:
    """Return the middleware of a file that goes on with an answer, and has no handler that tells of an exception."""
    found: list[tuple[_Function, NamedCall]] = []
    for node in walk(files.tree(path)):
        if isinstance(node, FunctionNode) and node.name in HANDLER_KEYWORDS and node.args.args:
            asked = _asked(node, node.args.args[-1].arg)
            returned = {id(item.value) for item in walk(node) if isinstance(item, ast.Return)}
            uses = [item for item in walk(node) if isinstance(item, ast.Name) and item.id in asked.names]
            goes_on = any(isinstance(item.ctx, ast.Load) and id(item) not in returned for item in uses)
            if (goes_on or _is_handed_on(node, asked)) and not asked.is_told:
                found.append((node, asked))
    return tuple(found)


def _is_handed_on(node: ast.AST, asked: NamedCall) -> bool:
    """Whether an answer is handed to another function at once: ``mask(await call_next(context))``."""
    calls = (item for item in walk(node) if isinstance(item, ast.Call))
    return any(_calls(each, asked.called) for item in calls for each in item.args)


def _asked(node: _Function, called: str) -> NamedCall:
    """Return what a function makes of the answer of another one that it calls."""
    names = {name for item in walk(node) for name, value in assigned_names(item) if _calls(value, called)}
    tries = [item for item in walk(node) if isinstance(item, ast.Try)]
    around = [item for item in tries if any(_calls(each, called) for each in item.body)]
    return NamedCall(called, frozenset(names), any(_tells(each) for item in around for each in item.handlers))


def _calls(node: ast.AST, name: str) -> bool:
    return any(
        isinstance(item, ast.Call) and isinstance(item.func, ast.Name) and item.func.id == name for item in walk(node)
    )


def _tells(handler: ast.ExceptHandler) -> bool:
    """Whether a handler of any exception answers it, or raises another one for it."""
    is_any = handler.type is None or ast.unparse(handler.type) in ("Exception", "BaseException")
    leaving = jumps_out(handler.body)
    return is_any and any(isinstance(item, ast.Return) or getattr(item, "exc", None) is not None for item in leaving)


def _taking(files: Files, path: str) -> Sequence[int]:
    """Return the lines of a file in which ``tool.fn`` is called, given a name or returned."""
    found: list[int] = []
    for node in walk(files.tree(path)):
        value = node.func if isinstance(node, ast.Call) else None
        if isinstance(node, (ast.Assign, ast.Return)):
            value = node.value
        is_function = isinstance(value, ast.Attribute) and value.attr == "fn" and isinstance(value.ctx, ast.Load)
        if is_function and value is not None and "tool" in ast.unparse(value).lower():
            found.append(value.lineno)
    return tuple(dict.fromkeys(found))


def _replacing(files: Files, path: str) -> Sequence[ast.Assign]:
    """Return the statements of loops that put something made in the place of what each item holds."""
    found: list[ast.Assign] = []
    for loop in walk(files.tree(path)):
        if not isinstance(loop, (ast.For, ast.AsyncFor)):
            continue
        items = {node.id for node in walk(loop.target) if isinstance(node, ast.Name)}
        for node in walk(loop):
            if not isinstance(node, ast.Assign) or not isinstance(node.value, (ast.Call, ast.Name)):
                continue
            if any(isinstance(each, ast.Attribute) and _is_held(each, items) for each in node.targets):
                found.append(node)
    return tuple(found)


def _is_held(node: ast.Attribute, items: set[str]) -> bool:
    return node.attr in _HOLDING and isinstance(node.value, ast.Name) and node.value.id in items


def _name(value: ast.expr) -> str:
    while isinstance(value, ast.Call):
        value = value.func
    return ast.unparse(value)


def _called(project: Project, files: Files, path: str, name: str) -> list[ast.AST] | None:
    """Return the functions of the project that a name may stand for, ``None`` where there are none to be seen."""
    short = bare_name(name)
    top = definition_of(project, files, path, name)
    if top is not None:
        return [top.node]
    places = {path, *(item.path for item in project.names.named(short))}
    found: list[ast.AST] = [node for other in sorted(places) for node in files.once(_functions, other).get(short, ())]
    return found or None


def _functions(files: Files, path: str) -> Mapping[str, Sequence[_Function]]:
    """Return the functions of a file, those in others and in classes too, by their names."""
    found: dict[str, list[_Function]] = {}
    for node in walk(files.tree(path)):
        if isinstance(node, FunctionNode):
            found.setdefault(node.name, []).append(node)
    return found
