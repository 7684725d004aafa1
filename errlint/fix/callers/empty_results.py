"""What a boundary answers by itself: the keys of its empty result, with their values where those are certain."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from errlint.facts import Call, Opaque, Value
from errlint.facts import Mapping as Table
from errlint.fix.name_uses import NameUse
from errlint.fix.source_cache import Files
from errlint.project import Project
from errlint.project.boundary import Covered
from errlint.trees import children, walk

_READS = frozenset({"copy", "get", "items", "keys", "values"})
"""Methods that leave a dict as it is."""

_COPIES = frozenset({"copy", "deepcopy", "dict", "dumps", "len", "list", "set", "sorted"})
"""Functions that do so."""


def empty_result(project: Project, files: Files, covered: Covered) -> Mapping[str, Value]:
    """Return the empty result that a boundary is given, with :class:`Opaque` for what may get another value."""
    value = project.boundaries.argument(covered, covered.cover.boundary.empty_result)
    if type(value) is not Table:
        return {}
    is_changed = any(_may_change(files, covered.path, name) for name in _constants(files, covered))
    is_certain = not value.spreads and not is_changed
    return {item.key: item.value if is_certain else Opaque() for item in value.entries if item.key}


def _constants(files: Files, covered: Covered) -> Iterator[str]:
    """Yield the names of what the decorator is given, those included that imported ones have where they come from."""
    for item in getattr(covered.cover.value, "arguments", ()):
        name = getattr(item.value, "name", "")
        if name and type(item.value) is not Call:
            last = name.rpartition(".")[2]
            yield last
            yield from (item.attribute for item in files.imports(covered.path) if item.name == last and item.attribute)


def _may_change(files: Files, path: str, name: str) -> bool:
    if any(files.unread(path, name)):
        return True
    for other in files.naming(path, (name,)):
        bound = (use for use in files.bound(other).get(name, ()) if not use.is_variable)
        if any(use.function or isinstance(use.statement, ast.AugAssign) for use in bound):
            return True
        if not all(map(_only_reads, files.uses_of(other, name))):
            return True
    return False


def _only_reads(use: NameUse) -> bool:
    """Whether a name is given to a decorator, copied, or looked into."""
    decorators = getattr(use.statement, "decorator_list", ())
    parts = decorators or (use.statement,)  # where a definition is decorated, its body has statements of its own
    parents = {child: node for part in parts for node in walk(part) for child in children(node)}
    parent = parents.get(use.node)
    is_unpacked = isinstance(parent, ast.keyword) and parent.arg is None
    call = parents.get(parent) if isinstance(parent, ast.keyword) else parent
    if isinstance(call, ast.Call) and call.func is not use.node:
        return is_unpacked or bool(decorators) or ast.unparse(call.func).rpartition(".")[2] in _COPIES
    if isinstance(parent, ast.Attribute):
        return parent.attr in _READS
    if isinstance(parent, ast.Subscript):
        return isinstance(parent.ctx, ast.Load)
    return isinstance(parent, (ast.Dict, ast.Compare))
