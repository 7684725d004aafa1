"""Who calls a function, and how sure that is: what an object is whose method is called."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from errlint.facts import Function, Use
from errlint.findings import Span
from errlint.fix.bound import FunctionNode, names_bound, parameters
from errlint.fix.model import Refusal
from errlint.fix.sources import Files
from errlint.project import Caller, Project

MAX_CLASSES = 8
"""Through how many imports and bases a class is followed."""

_MODULES = frozenset(
    {"import_module", "__import__", "modules", "getattr", "globals", "vars", "ModuleType", "Any", "object"}
)
"""What a module may come out of, and annotations that one has."""


class Calling(NamedTuple):
    """A place that may call a function.

    ``is_certain`` is false where another function may be meant. ``is_guessed`` is true where only the name of a method
    says what is called, and no other method of the project has it.
    """

    caller: Caller
    is_certain: bool
    is_guessed: bool = False


class _Definition(NamedTuple):
    path: str
    node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class _Class(NamedTuple):
    path: str
    node: ast.ClassDef


def calling(project: Project, files: Files, path: str, function: Function) -> Iterator[Calling]:
    """Yield who may call a function in its distribution; those whose objects have another method are left out."""
    certain = set(project.must_callers(path, function))
    known = project.may_callers(path, function)
    for caller in (*known, *_others(project, files, path, function, known)):
        if _is_variable(files, caller):
            continue
        if project.names.resolve(caller.path, caller.use.callee, caller.function) is not None:
            yield Calling(caller, is_certain=True)
        elif caller.path == path or _may_import(files, caller):
            yield from by_object(project, files, path, function, caller, is_only=caller in certain)


def where_named(project: Project, files: Files, path: str, function: Function, names: Iterable[str]) -> Sequence[str]:
    """Return the files that have one of some names and may use a function: its own where another one defines it."""
    is_local = project.names.function(path, function.name.rpartition(".")[0]) is not None
    found = files.naming(path, names)
    return [other for other in found if other == path] if is_local else found


def by_object(
    project: Project, files: Files, path: str, function: Function, caller: Caller, *, is_only: bool
) -> Iterator[Calling]:
    """Yield a caller, by what is known of the object whose method it calls."""
    short = function.name.rpartition(".")[2]
    receiver = _Receiver(project, files, caller)
    found = receiver.defining(short)
    if found is not None and not (receiver.is_given and _is_protocol(found.node)):
        is_it = (found.path, f"{found.node.name}.{short}") == (path, function.name)
        # An object that is handed over may be of a class that overrides the method.
        if is_it or (receiver.is_given and found.node.name in base_names(project, path, function)):
            yield Calling(caller, is_certain=True)
    elif function.owner or not receiver.is_object:
        is_only = is_only and files.methods(short) == 1
        yield Calling(caller, is_certain=is_only, is_guessed=is_only)


def _others(project: Project, files: Files, path: str, function: Function, known: Iterable[Caller]) -> Iterator[Caller]:
    """Yield the uses of a function that are in no statement which the facts look at: in defaults, assertions and so on.

    Decorators are left out: what answers an error does not make one.
    """
    short = function.name.rpartition(".")[2]
    counted = Counter(_place(caller.path, caller.use.callee, caller.use.span) for caller in known)
    returned: set[tuple[str, str, int, int]] = set()
    for other in where_named(project, files, path, function, (short,)):
        if project.layout.distribution(other) != project.layout.distribution(path):
            continue
        for use in files.uses_of(other, short):
            name = ast.unparse(use.node)
            symbol = project.names.resolve(other, name, use.function)
            if use.is_decorator or not (symbol is None or project.means(symbol, path, function)):
                continue
            place = _place(other, name, files.span(other, use.statement))
            # The facts name a function once for a statement that returns its result on several ways.
            if place in returned and _is_returned(use.statement, use.node):
                continue
            if _is_returned(use.statement, use.node):
                returned.add(place)
            counted[place] -= 1
            if counted[place] < 0:
                yield Caller(other, use.function, Use(name, files.span(other, use.node), "passed"))


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


def _is_protocol(node: ast.ClassDef) -> bool:
    """Whether objects of any class that has its methods may be handed over for one of a class."""
    bases = (base.value if isinstance(base, ast.Subscript) else base for base in node.bases)
    return any(ast.unparse(base).rpartition(".")[2] == "Protocol" for base in bases)


class _Receiver:
    """What stands before the last dot of a call: ``writer``, or ``self.writer``.

    ``is_given`` is true for an object that may be of a class below the one that is known, ``is_object`` for one that
    is no module.
    """

    def __init__(self, project: Project, files: Files, caller: Caller) -> None:
        self._project, self._files, self._path = project, files, caller.path
        self.is_given = False
        self.is_object = False
        self._class: _Class | None = None
        owner, _, _ = caller.use.callee.rpartition(".")
        first, _, attribute = owner.partition(".")
        with suppress(Refusal):
            if not owner:
                self._read_result(caller)
            if owner in ("self", "cls"):
                self._read_self(caller.function)
            elif first == "self" and attribute and "." not in attribute:
                self._read_attribute(caller.function, attribute)
            scope = caller.function if first not in ("", "self") else ""
            while scope and not self._read(scope, first):
                scope = scope.rpartition(".")[0]
            if first not in ("", "self") and not scope:
                self._read_module(first)
            if attribute and first != "self":
                self._class = None  # it is that of the whole object

    def defining(self, method: str) -> _Class | None:
        """Return the class that defines a method of the object, ``None`` where that is not known."""
        return self._defining(self._class, method, 0) if self._class is not None else None

    def _read(self, scope: str, name: str) -> bool:
        """Say what a function makes of a name; false where it binds it nowhere."""
        node = self._definition(scope)
        if not isinstance(node, FunctionNode):
            return False
        bound = list(_binding(node.body, name))
        parameter = next((item for item in parameters(node.args) if item.arg == name), None)
        self.is_given = parameter is not None
        if parameter is not None:
            self.is_object = parameter.annotation is not None and not bound and not _is_module(parameter.annotation)
            self._class = self._located(self._path, _annotated(parameter.annotation)) if not bound else None
        elif bound:
            self.is_object = not any(map(_is_module, bound))
            self._class = self._made(bound)
        return self.is_given or bool(bound)

    def _read_self(self, scope: str) -> None:
        """Say which class is around a function."""
        while scope and self._class is None:
            scope = scope.rpartition(".")[0]
            node = self._definition(scope) if scope else None
            self._class = _Class(self._path, node) if isinstance(node, ast.ClassDef) else None
        self.is_given = True

    def _read_result(self, caller: Caller) -> None:
        """Say what the call makes whose result a method is called of."""
        span, method = caller.use.span, caller.use.callee.removeprefix(".")
        made: list[ast.AST] = [
            use.node.value
            for use in self._files.uses(caller.path).get(method, ())
            if span.line <= use.node.lineno <= span.end_line
            and isinstance(use.node, ast.Attribute)
            and isinstance(use.node.value, ast.Call)
        ]
        self._class = self._made(made)

    def _read_module(self, name: str) -> None:
        """Say what the module binds a name to, where nothing else in the file binds it."""
        tree = self._files.tree(self._path)
        bound = list(_binding(tree.body, name))
        if any(item in bound for item in _inside(tree)):
            self.is_object = not any(map(_is_module, bound))
            self._class = self._made(bound)

    def _read_attribute(self, scope: str, attribute: str) -> None:
        """Say what the methods of a class put into an attribute: they alone are looked at."""
        around = self._project.names.enclosing_class(self._path, scope)
        owner = self._definition(around.definition.name) if around is not None else None
        if owner is None:
            return
        stored = [
            (function, node)
            for function in ast.walk(owner)
            if isinstance(function, FunctionNode)
            for node in ast.walk(function)
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign))
            and f"self.{attribute}" in {ast.unparse(item) for item in ast.walk(node) if _is_stored(item)}
        ]
        if len(stored) != 1:
            return
        function, node = stored[0]
        self._class = self._made([node])
        if self._class is None and isinstance(node.value, ast.Name):
            self.is_given = True
            bound = any(_binding(function.body, node.value.id))
            named = (item.annotation for item in parameters(function.args) if item.arg == getattr(node.value, "id", ""))
            self._class = self._located(self._path, _annotated(next(named, None))) if not bound else None

    def _made(self, bound: list[ast.AST]) -> _Class | None:
        """Return the class of which all that is bound are objects."""
        found = [self._made_by(node) for node in bound]
        return found[0] if found and all(item is not None and item == found[0] for item in found) else None

    def _made_by(self, node: ast.AST) -> _Class | None:
        """Return the class of which a call makes an object, or a statement binds one."""
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else node
        value = value.value if isinstance(value, ast.Await) else value
        found = self._found(self._path, ast.unparse(value.func)) if isinstance(value, ast.Call) else None
        if found is None or isinstance(found.node, ast.ClassDef):
            return self._as_class(found)
        self.is_given = True
        return self._located(found.path, _annotated(found.node.returns)) if not found.node.decorator_list else None

    def _definition(self, scope: str) -> ast.AST | None:
        """Return the node of a function or class by its name in the file, ``None`` where several have it."""
        found: list[ast.AST] = [self._files.tree(self._path)]
        for name in scope.split("."):
            found = [
                item
                for node in found
                for item in _inside(node)
                if isinstance(item, (*FunctionNode, ast.ClassDef)) and item.name == name
            ]
        return found[0] if len(found) == 1 else None

    def _located(self, path: str, name: str, depth: int = 0) -> _Class | None:
        """Return the class that a dotted name stands for in a file."""
        return self._as_class(self._found(path, name, depth))

    def _as_class(self, found: _Definition | None) -> _Class | None:
        if found is None or not isinstance(found.node, ast.ClassDef):
            return None
        return _Class(found.path, found.node)

    def _found(self, path: str, name: str, depth: int = 0) -> _Definition | None:
        """Return the class or function that a dotted name stands for in a file."""
        root, _, rest = name.partition(".")
        if not name or depth > MAX_CLASSES:
            return None
        if not rest:
            own = [node for node in self._files.tree(path).body if name in names_bound(node)]
            if len(own) == 1 and isinstance(own[0], (*FunctionNode, ast.ClassDef)):
                return _Definition(path, own[0])
        layout = self._project.layout
        found: set[str] = set()
        for item in self._files.imports(path):
            if item.name in (root, name.rpartition(".")[0]):
                module = layout.absolute(item.module, path)
                target = f"{module}.{item.attribute}" if item.attribute else module
                found.add(target + name[len(item.name) :])
        if len(found) != 1:
            return None
        owner, _, last = found.pop().rpartition(".")
        where = layout.find(owner, path)
        return self._found(where, last, depth + 1) if where is not None else None

    def _defining(self, owner: _Class, method: str, depth: int) -> _Class | None:
        for node in owner.node.body:
            if isinstance(node, FunctionNode) and node.name == method:
                return owner
            if method in names_bound(node):
                return None
        for base in owner.node.bases:
            found = self._located(owner.path, ast.unparse(base), depth + 1)
            if found is None or depth > MAX_CLASSES:
                return None
            defining = self._defining(found, method, depth + 1)
            if defining is not None:
                return defining
        return None


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is inside a definition, but not inside those inside."""
    pending = list(ast.iter_child_nodes(node))
    while pending:
        item = pending.pop()
        yield item
        if not isinstance(item, (*FunctionNode, ast.ClassDef)):
            pending.extend(ast.iter_child_nodes(item))


def base_names(project: Project, path: str, function: Function) -> frozenset[str]:
    """Return the names of the classes that the class of a method reaches."""
    owner = project.names.enclosing_class(path, function.name) if function.owner else None
    return frozenset(project.names.bases(owner)) if owner is not None else frozenset()


def _annotated(annotation: ast.expr | None) -> str:
    """Return the class that an annotation names, "" for none and for several."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        with suppress(SyntaxError):
            return _annotated(ast.parse(annotation.value, mode="eval").body)
    if isinstance(annotation, ast.BinOp) and ast.unparse(annotation.right) == "None":
        return _annotated(annotation.left)
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value).rpartition(".")[2] == "Optional":
        return _annotated(annotation.slice)
    return ast.unparse(annotation) if isinstance(annotation, (ast.Name, ast.Attribute)) else ""


def _binding(statements: list[ast.stmt], name: str) -> Iterator[ast.AST]:
    """Yield the statements and expressions of a function that bind a name, inner functions included."""
    pending: list[ast.AST] = list(statements)
    while pending:
        node = pending.pop()
        below = list(ast.iter_child_nodes(node))
        is_shared = isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names
        if (
            is_shared
            or name in names_bound(node)
            or any(name in names_bound(item) for item in below if isinstance(item, ast.Name))
        ):
            yield node
        pending.extend(item for item in below if not isinstance(item, ast.Name))


def _is_module(node: ast.AST) -> bool:
    """Whether what binds a name may bind it to a module."""
    return any(
        isinstance(item, (ast.alias, ast.Global, ast.Nonlocal))
        or (isinstance(item, ast.Name) and item.id in _MODULES)
        or (isinstance(item, ast.Attribute) and item.attr in _MODULES)
        for item in ast.walk(node)
    )
