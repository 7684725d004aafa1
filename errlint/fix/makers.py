"""Where a project makes exceptions of a family, or hands their classes around: any of them may be raised anywhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errlint.fix.sources import Files
from errlint.project import Project
from errlint.project.names import ClassSymbol

_ASKERS = frozenset({"isinstance", "issubclass"})


def made(project: Project, files: Files, root: ClassSymbol) -> Iterator[str]:
    """Yield the places, as ``path:line``, that use a class or one below it for more than to catch or extend it."""
    family = {
        item.name.rpartition(".")[2]
        for path, module in project.modules.items()
        for item in module.classes
        if any(base == root for base in project.domain.bases(ClassSymbol(path, item)))
    }
    for path, tree in files.trees(root.path, family):
        yield from (f"{path}:{line}" for line in _used(tree, family))


def _used(tree: ast.AST, names: set[str]) -> Iterator[int]:
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if (
            (isinstance(node, ast.Name) and node.id in names)
            or (isinstance(node, ast.Attribute) and node.attr in names)
            or (isinstance(node, ast.alias) and node.asname is not None and node.name in names)
        ):
            yield node.lineno
        elif isinstance(node, ast.ExceptHandler):
            pending.extend(node.body)
        elif isinstance(node, ast.ClassDef):
            pending.extend((*node.body, *node.decorator_list))
        elif not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _ASKERS):
            pending.extend(ast.iter_child_nodes(node))
