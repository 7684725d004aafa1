"""What answers the exceptions of LangChain's tools: an agent ends with them unless something is told to do so.

That is ``handle_tool_error`` of the tool, which answers a ``ToolException`` alone, ``handle_tool_errors`` of the node
that runs it (up to langgraph 0.6 that is on by itself), or a middleware that wraps the calls of tools.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from errlint.facts import Function
from errlint.fix.callers.catching import answers_raised
from errlint.fix.model import Doubt
from errlint.fix.source_cache import Files
from errlint.index.bindings import FunctionNode, parameters
from errlint.project import Project
from errlint.project.frameworks import AGENTS, is_from
from errlint.trees import last_name, walk

_OF_TOOL = "handle_tool_error"
_OF_NODE = "handle_tool_errors"
_WRAPPERS = frozenset({"wrap_tool_call", "awrap_tool_call"})
_CAUGHT = frozenset({"Exception", "BaseException", "ToolException"})


class _Answering(NamedTuple):
    """Something that answers, as people would call it, and its line; ``tool`` is the one whose errors, "" for any."""

    what: str
    line: int
    tool: str = ""


def is_of_agents(project: Project, files: Files, path: str, function: Function) -> bool:
    """Whether a function is a tool of LangChain, by the decorator or the base of its class as its file imports them."""
    names = [function.decorators[index] for index in project.adapters.registering(path, function)]
    owner = project.names.enclosing_class(path, function.name) if function.owner else None
    if owner is not None:
        names.extend(owner.definition.bases)
    return any(
        item.name == name.partition(".")[0]
        and is_from(AGENTS, ".".join(filter(None, (item.module, item.attribute, name.partition(".")[2]))))
        for item in files.imports(path)
        for name in names
    )


def answering(project: Project, files: Files, path: str, function: Function) -> Doubt | None:
    """Return what is taken to answer the errors of a tool, with its place; ``None`` where nothing is known to."""
    owner = project.names.enclosing_class(path, function.name) if function.owner else None
    own = owner.definition.name if owner is not None else function.name.rpartition(".")[2]
    for other in dict.fromkeys((path, *files.naming(path, (_OF_TOOL, _OF_NODE, *_WRAPPERS)))):
        for found in files.once(_in_file, other):
            if found.tool in ("", own) and (not found.tool or other == path):
                return Doubt(f"{found.what} is taken to answer what the tool raises", other, found.line)
    return None


def _in_file(files: Files, path: str) -> tuple[_Answering, ...]:
    return tuple(_found(files.tree(path)))


def _found(tree: ast.Module) -> Iterator[_Answering]:
    for node in walk(tree):
        if isinstance(node, ast.Call):
            for item in node.keywords:
                if item.arg in (_OF_NODE, _OF_TOOL) and _answers(item.value):
                    yield _Answering(f"`{item.arg}`", item.value.lineno)
        elif isinstance(node, ast.Assign) and _answers(node.value):
            for target in node.targets:
                if isinstance(target, ast.Attribute) and target.attr == _OF_TOOL:
                    name = ast.unparse(target.value)
                    yield _Answering(f"`{ast.unparse(target)}`", node.lineno, name)
        elif isinstance(node, ast.ClassDef):
            for line in node.body:
                if not isinstance(line, (ast.Assign, ast.AnnAssign)) or line.value is None:
                    continue
                field = line.targets[0] if isinstance(line, ast.Assign) else line.target
                if last_name(field) == _OF_TOOL and _answers(line.value):
                    yield _Answering(f"`{_OF_TOOL}`", line.lineno, node.name)
        elif isinstance(node, FunctionNode) and _wraps(node):
            yield _Answering(f"`{node.name}`", node.lineno)


def _answers(value: ast.expr) -> bool:
    """Whether a setting has a ``ToolException`` answered."""
    if isinstance(value, ast.Constant):
        return bool(value.value)
    if isinstance(value, ast.Tuple):
        return any(last_name(item) in _CAUGHT for item in value.elts)
    return last_name(value) in _CAUGHT or not last_name(value).endswith(("Error", "Exception"))


def _wraps(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function stands around the calls of tools and answers what they raise."""
    made = (item.func if isinstance(item, ast.Call) else item for item in node.decorator_list)
    names = [item.arg for item in parameters(node.args)]
    if not names or not (node.name in _WRAPPERS or any(last_name(item) in _WRAPPERS for item in made)):
        return False
    return answers_raised(node, _CAUGHT, called=names[-1], surely=True)
