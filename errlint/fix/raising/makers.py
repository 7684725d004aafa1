"""Where a project makes exceptions of a family, or hands their classes around: any of them may be raised anywhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errlint.fix.source_cache import Files
from errlint.index.bindings import parameters
from errlint.project import Project
from errlint.project.names import ClassSymbol, FunctionSymbol
from errlint.project.references import uses
from errlint.settings.policy import bare_name
from errlint.trees import walk

_Definition = ast.FunctionDef | ast.AsyncFunctionDef


def made(project: Project, files: Files, root: ClassSymbol) -> Iterator[str]:
    """Yield the places, as ``path:line``, that use a class or one below it for more than to catch or extend it."""
    family = _family(project, root)
    for path, tree in files.trees(root.path, family):
        yield from (f"{path}:{line}" for _, line in uses(tree, family))


def _family(project: Project, root: ClassSymbol) -> frozenset[str]:
    """Return the last names of a class and of all below it."""
    return frozenset(bare_name(each.definition.name) for each in project.hierarchy.below(root))


def makes(project: Project, files: Files, function: FunctionSymbol, root: ClassSymbol) -> Iterator[str]:
    """Yield the places that make exceptions of a family in a function, or in anything that it may call.

    A function that calls one of its parameters may call anything.
    """
    family = _family(project, root)
    definitions: dict[str, list[tuple[str, _Definition]]] = {}
    for path, tree in files.trees(function.path, ("def",)):
        for node in walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                definitions.setdefault(node.name, []).append((path, node))
    pending = [function.function.name.rpartition(".")[2]]
    seen: set[str] = set()
    while pending:
        name = pending.pop()
        if name in seen:
            continue
        seen.add(name)
        for path, node in definitions.get(name, ()):
            if _calls_parameter(node):
                yield from made(project, files, root)
                return
            yield from (f"{path}:{line}" for _, line in uses(node, family))
            for item in walk(node):
                if isinstance(item, ast.Name):
                    pending.append(item.id)
                elif isinstance(item, ast.Attribute):
                    pending.append(item.attr)


def _calls_parameter(node: _Definition) -> bool:
    arguments = node.args
    names = {item.arg for item in parameters(arguments)}
    return any(
        isinstance(item, ast.Call) and isinstance(item.func, ast.Name) and item.func.id in names for item in walk(node)
    )
