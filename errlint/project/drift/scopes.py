"""Names in the trees of a project: which definition an expression of a function stands for.

Whether nothing that a function reaches raises something is told by all it calls, so that the trees themselves are
asked here. What may have several meanings has none.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.lazy import cached_property

if TYPE_CHECKING:
    from errlint.project import Project

MAX_DEPTH = 8
"""So many names are followed, each standing for the next."""

MAX_LINE = 50
"""So many classes of one line are looked at; what is behind them is unknown."""

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


class Scope(NamedTuple):
    """A file, and the definitions around a place in it, outermost first."""

    path: str
    around: tuple[FunctionNode | ast.ClassDef, ...] = ()


class Defined(NamedTuple):
    """A function or class: where it is defined, and its tree."""

    scope: Scope
    node: FunctionNode | ast.ClassDef

    @property
    def inner(self) -> Scope:
        """The scope of its body."""
        return Scope(self.scope.path, (*self.scope.around, self.node))

    @property
    def name(self) -> str:
        """Its qualified name."""
        return ".".join(node.name for node in self.inner.around)


class Instance(NamedTuple):
    """An object of a class; ``is_exact`` is false where the class may be one below it."""

    of: Defined
    is_exact: bool


class Imported(NamedTuple):
    """A module of the project."""

    path: str


class Foreign(NamedTuple):
    """A name from outside of the project, an absolute one."""

    name: str


class Parameter(NamedTuple):
    """A parameter of a function: of which, and the how manieth."""

    of: FunctionNode
    position: int


Meaning = Defined | Instance | Imported | Foreign | Parameter


class _Binding(NamedTuple):
    """What a name is bound to: a definition, an import (module and attribute), or a value."""

    node: FunctionNode | ast.ClassDef | None = None
    module: str = ""
    attribute: str = ""
    value: ast.expr | None = None


class Scopes:
    """Answers what names stand for in the trees of one project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._bound: dict[int, dict[str, list[_Binding]]] = {}

    def tree(self, path: str) -> ast.Module | None:
        """Return the tree of a file."""
        return self._project.documented.tree(path)

    def find(self, path: str, name: str) -> Defined | None:
        """Return a definition by its qualified name."""
        tree = self.tree(path)
        around: tuple[FunctionNode | ast.ClassDef, ...] = ()
        for part in name.split("."):
            holder: ast.Module | FunctionNode | ast.ClassDef | None = around[-1] if around else tree
            nodes = [each.node for each in self._names(holder).get(part, ())] if holder is not None else []
            if not nodes or nodes[-1] is None:
                return None
            around = (*around, nodes[-1])
        return Defined(Scope(path, around[:-1]), around[-1])

    def value(self, scope: Scope, name: str) -> ast.expr | None:
        """Return the only value that a name is given in the innermost function around a place."""
        holder = scope.around[-1] if scope.around else None
        bound = self._names(holder).get(name, []) if holder is not None else []
        return bound[0].value if len(bound) == 1 else None

    def given(self, scope: Scope, expression: ast.expr, depth: int = 0) -> tuple[Scope, ast.expr] | None:
        """Return the only expression that a name stands for, also by an import, and the scope that it is written in."""
        if depth > MAX_DEPTH:
            return None
        if isinstance(expression, ast.Attribute):
            holder = self.meaning(scope, expression.value, depth + 1)
            if isinstance(holder, Imported):
                return self.given(Scope(holder.path), ast.Name(expression.attr), depth + 1)
            if isinstance(holder, Defined) and isinstance(holder.node, ast.ClassDef):
                found = self._names(holder.node).get(expression.attr, [])
                only = found[0].value if len(found) == 1 else None
                return (holder.inner, only) if only is not None else None
            return None
        if not isinstance(expression, ast.Name):
            return None
        for index in range(len(scope.around), -1, -1):
            around = scope.around[:index]
            holder_node = around[-1] if around else self.tree(scope.path)
            if holder_node is None or (isinstance(holder_node, ast.ClassDef) and index != len(scope.around)):
                continue
            if not isinstance(holder_node, (ast.Module, ast.ClassDef)) and expression.id in parameters(holder_node):
                return None
            bound = self._names(holder_node).get(expression.id, [])
            if len(bound) == 1 and bound[0].value is not None:
                return Scope(scope.path, around), bound[0].value
            if len(bound) == 1 and bound[0].attribute:
                module = self._module(bound[0].module, scope.path)
                return self.given(Scope(module), ast.Name(bound[0].attribute), depth + 1) if module else None
            if bound:
                return None
        return None

    def meaning(self, scope: Scope, expression: ast.expr, depth: int = 0) -> Meaning | None:
        """Return what an expression stands for in a scope, ``None`` where that is not known."""
        if depth > MAX_DEPTH:
            return None
        if isinstance(expression, ast.Await):
            return self.meaning(scope, expression.value, depth)
        if isinstance(expression, ast.Name):
            return self._named(scope, expression.id, depth)
        if isinstance(expression, ast.Attribute):
            holder = self.meaning(scope, expression.value, depth + 1)
            return self._attribute(holder, expression.attr, depth) if holder is not None else None
        if isinstance(expression, ast.Call):
            made = self.meaning(scope, expression.func, depth + 1)
            if isinstance(made, Defined) and isinstance(made.node, ast.ClassDef):
                return Instance(made, is_exact=True)
        return None

    def _named(self, scope: Scope, name: str, depth: int) -> Meaning | None:
        for index in range(len(scope.around) - 1, -1, -1):
            node = scope.around[index]
            if isinstance(node, ast.ClassDef):
                continue
            names = [*parameters(node)]
            bound = self._names(node).get(name, [])
            if name in names:
                if bound:
                    return None
                owner = scope.around[index - 1] if index else None
                if name == names[0] and isinstance(owner, ast.ClassDef):
                    return Instance(Defined(Scope(scope.path, scope.around[: index - 1]), owner), is_exact=False)
                return Parameter(node, names.index(name))
            if bound:
                return self._of(Scope(scope.path, scope.around[: index + 1]), bound, depth)
        return self.of_module(scope.path, name, depth)

    def of_module(self, path: str, name: str, depth: int = 0) -> Meaning | None:
        """Return what a name stands for at the top of a file."""
        tree = self.tree(path)
        bound = self._names(tree).get(name, []) if tree is not None else []
        if bound:
            return self._of(Scope(path), bound, depth)
        is_builtin = hasattr(builtins, name) and tree is not None and "*" not in self._names(tree)
        return Foreign(f"builtins.{name}") if is_builtin else None

    def _of(self, scope: Scope, bound: list[_Binding], depth: int) -> Meaning | None:
        if all(each.node is not None for each in bound):
            bound = bound[-1:]  # overloads, or one that replaces another
        if len(bound) > 1 or depth > MAX_DEPTH:
            return None
        only = bound[0]
        if only.node is not None:
            return Defined(scope, only.node)
        if only.value is not None:
            return self.meaning(scope, only.value, depth + 1)
        return self._imported(scope.path, only, depth) if only.module else None

    def _imported(self, path: str, bound: _Binding, depth: int) -> Meaning | None:
        if not bound.attribute:
            module = self._module(bound.module, path)
            return Imported(module) if module else Foreign(bound.module)
        separator = "" if bound.module.endswith(".") else "."
        below = self._module(f"{bound.module}{separator}{bound.attribute}", path)
        if below:
            return Imported(below)
        found = self._module(bound.module, path)
        if found:
            return self.of_module(found, bound.attribute, depth + 1) if found != path else None
        return None if bound.module.startswith(".") else Foreign(f"{bound.module}.{bound.attribute}")

    def _module(self, module: str, importer: str) -> str:
        """Return the file of a module, "" for one that is not of the project.

        One that is imported by its place is found by it, also where it is called like a test and is none.
        """
        name = module.lstrip(".")
        if name == module:
            return self._project.layout.find(module, importer) or ""
        folders = importer.split("/")[: -(len(module) - len(name))]
        stem = "/".join((*folders, *filter(None, name.split("."))))
        found = (path for path in (f"{stem}.py", f"{stem}/__init__.py") if self._project.documented.text(path))
        return next(found, "")

    def _attribute(self, holder: Meaning, name: str, depth: int) -> Meaning | None:
        if isinstance(holder, Imported):
            return self.of_module(holder.path, name, depth + 1)
        if isinstance(holder, Foreign):
            return Foreign(f"{holder.name}.{name}")
        if isinstance(holder, Instance):
            return self.method(holder.of, name) if holder.is_exact or not self._is_base(holder.of) else None
        if isinstance(holder, Defined) and isinstance(holder.node, ast.ClassDef):
            return self.method(holder, name)
        return None

    def method(self, owner: Defined, name: str) -> Defined | None:
        """Return a method of a class, or of the nearest of its bases that has it."""
        for each in self.line(owner):
            if each is None:
                return None
            assert isinstance(each.node, ast.ClassDef)
            bound = self._names(each.node).get(name, [])
            if bound:
                node = bound[-1].node
                return Defined(each.inner, node) if node is not None else None
        return None

    def line(self, owner: Defined) -> Iterator[Defined | None]:
        """Yield a class and its bases, nearest first; ``None`` for one that is not of the project."""
        pending: list[Defined | None] = [owner]
        seen: set[int] = set()
        for current in pending:
            yield current
            if current is None or id(current.node) in seen:
                continue
            if len(seen) == MAX_LINE:
                yield None
                return
            seen.add(id(current.node))
            pending.extend(map(_class, self.bases(current)))

    def bases(self, owner: Defined) -> Iterator[Meaning | None]:
        """Yield what the bases of a class stand for, as far as they matter."""
        assert isinstance(owner.node, ast.ClassDef)
        for base in owner.node.bases:
            inner = base.value if isinstance(base, ast.Subscript) else base
            found = self.meaning(owner.scope, inner)
            if not (isinstance(found, Foreign) and found.name.rpartition(".")[2] in _PASSIVE):
                yield found

    def _is_base(self, owner: Defined) -> bool:
        return owner.node.name in self._base_names

    @cached_property
    def _base_names(self) -> frozenset[str]:
        """The last names of all bases of classes."""
        return frozenset(
            inner.attr if isinstance(inner, ast.Attribute) else inner.id
            for path in self._project.modules
            if (tree := self.tree(path)) is not None
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef)
            for base in node.bases
            if isinstance(inner := base.value if isinstance(base, ast.Subscript) else base, (ast.Name, ast.Attribute))
        )

    # --- what a scope binds -----------------------------------------------------------------------------------------

    def _names(self, holder: ast.Module | FunctionNode | ast.ClassDef) -> dict[str, list[_Binding]]:
        found = self._bound.get(id(holder))
        if found is None:
            found = self._bound[id(holder)] = {}
            for name, bound in _bindings(holder):
                found.setdefault(name, []).append(bound)
        return found


_PASSIVE = frozenset({"object", "ABC", "Protocol", "Generic"})
"""Bases that say nothing about an object."""


def parameters(node: FunctionNode) -> Iterator[str]:
    """Yield the names of the parameters of a function."""
    given = node.args
    yield from (each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs))
    yield from (each.arg for each in (given.vararg, given.kwarg) if each is not None)


def walk(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield some nodes and all below them that run with them: no bodies of definitions and lambdas."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            pending.extend(node.decorator_list)
        elif not isinstance(node, ast.Lambda):
            pending.extend(ast.iter_child_nodes(node))


def _bindings(holder: ast.Module | FunctionNode | ast.ClassDef) -> Iterator[tuple[str, _Binding]]:
    known: set[int] = set()
    found: list[tuple[int, str, _Binding]] = []
    for node in walk(holder.body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.append((node.lineno, node.name, _Binding(node)))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                found.append((node.lineno, name, _Binding(module=alias.name if alias.asname else name)))
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found.extend(
                (node.lineno, alias.asname or alias.name, _Binding(module=module, attribute=alias.name))
                for alias in node.names
            )
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            known.add(id(node.targets[0]))
            found.append((node.lineno, node.targets[0].id, _Binding(value=node.value)))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            known.add(id(node.target))
            found.append((node.lineno, node.target.id, _Binding(value=node.value)))
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            found.extend((node.lineno, name, _Binding()) for name in node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.append((node.lineno, node.name, _Binding()))
    found.extend(
        (node.lineno, node.id, _Binding())
        for node in walk(holder.body)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and id(node) not in known
    )
    for _, name, bound in sorted(found, key=lambda item: item[0]):
        yield name, bound


def _class(meaning: Meaning | None) -> Defined | None:
    return meaning if isinstance(meaning, Defined) and isinstance(meaning.node, ast.ClassDef) else None
