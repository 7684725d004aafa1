"""What can be imported from the modules of a project."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from errlint.catalog.samples import Imported
from errlint.findings import Span
from errlint.index.bindings import names_bound
from errlint.workspace.entries import is_anything

if TYPE_CHECKING:
    from errlint.project import Project

_DYNAMIC = frozenset({"__getattr__", "globals", "vars", "setattr", "exec"})
"""Where a module uses one of these, only a run knows its names."""


def problems(project: Project, imported: Imported) -> Iterator[tuple[str, Span]]:
    """Yield what of an import cannot work, with its place; nothing where that is not known."""
    layout = project.layout
    module = imported.module
    if not layout.files(module.partition(".")[0]) or not imported.names:
        return
    parent, _, last = module.rpartition(".")
    if layout.files(module):
        for name, line, column in imported.names:
            if name and _lacks(project, module, name):
                yield f"`{module}` has no `{name}`", Span(line, column, line, column + len(name))
    elif len(layout.files(parent)) == 1 and _lacks(project, parent, last):  # parts of another may be elsewhere
        name, line, column = imported.names[0]
        yield f"there is no module `{module}`", Span(line, column, line, column + len(name or module))


def _lacks(project: Project, module: str, name: str) -> bool:
    """Whether a module for certain has neither a name nor a module below it that is called so."""
    return all(_lacks_file(project, path, name, set()) for path in project.layout.files(module))


def _lacks_file(project: Project, path: str, name: str, seen: set[str]) -> bool:
    """Whether a file for certain does not make a name; ``seen`` are files that have been asked."""
    if path in seen:
        return True
    seen.add(path)
    folder, _, file = path.rpartition("/")
    if file.startswith("__init__.") and _is_below(project, folder, name):
        return False
    tree = project.documented.tree(path)
    if tree is None:
        return False
    for node in ast.walk(tree):
        # A name of a function counts as one of its module too.
        if name in names_bound(node) or not _DYNAMIC.isdisjoint((*names_bound(node), *_named(node))):
            return False
        if isinstance(node, ast.ImportFrom) and any(item.name == "*" for item in node.names):
            target = project.layout.absolute("." * node.level + (node.module or ""), path)
            files = project.layout.files(target)
            if not files or not all(_lacks_file(project, each, name, seen) for each in files):
                return False
    return True


def _is_below(project: Project, folder: str, name: str) -> bool:
    """Whether a package has a module, or anything else that may be one, of a name."""
    path = f"{folder}/{name}"
    found = project.beside[path] = is_anything(project.settings.root, path)
    return found


def _named(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
