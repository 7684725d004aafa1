"""What an object is whose method is called: of which class, as far as a file and what it imports say."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from errlint.fix.dynamic_lookup import ANY
from errlint.fix.model import Refusal
from errlint.fix.name_uses import NameUse
from errlint.fix.source_cache import Files
from errlint.index.annotations import head, members
from errlint.index.bindings import FunctionNode, names_bound, parameters
from errlint.project import Project
from errlint.project.callers import Caller
from errlint.project.names import ExternalSymbol, ValueSymbol, below
from errlint.project.objects import makes_own
from errlint.trees import children, walk

MAX_CLASSES = 8
"""Through how many imports and bases a class is followed."""

_MODULES = frozenset(
    {"import_module", "__import__", "modules", "getattr", "globals", "vars", "ModuleType", "Any", "object"}
)
"""What a module may come out of, and annotations that one has."""


class Definition(NamedTuple):
    """A class or function at the top of a file."""

    path: str
    node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class Class(NamedTuple):
    """A class, and the file that defines it."""

    path: str
    node: ast.ClassDef


def definition_of(project: Project, files: Files, path: str, name: str, depth: int = 0) -> Definition | None:
    """Return the class or function that a dotted name stands for in a file, as its text says; ``None`` if unknown."""
    root, _, rest = name.partition(".")
    if not name or depth > MAX_CLASSES:
        return None
    if not rest:
        own = files.once(_at_top, path).get(name, ())
        if len(own) == 1 and isinstance(own[0], (*FunctionNode, ast.ClassDef)):
            return Definition(path, own[0])
    found: set[tuple[str, str] | None] = set()
    for item in files.imports(path):
        if item.name in (root, name.rpartition(".")[0]):
            target = below(item.module, item.attribute) if item.attribute else item.module
            owner, _, last = (target + name[len(item.name) :]).rpartition(".")
            owner = owner if owner.strip(".") or not target.startswith(".") else f"{owner}."
            where = project.names.find(owner, path)
            found.add((where, last) if where is not None else None)
    only = found.pop() if len(found) == 1 else None
    return definition_of(project, files, *only, depth + 1) if only is not None else None


def is_protocol(node: ast.ClassDef) -> bool:
    """Whether objects of any class that has its methods may be handed over for one of a class."""
    return "Protocol" in _base_names(node)


def written_bases(files: Files, path: str, name: str) -> frozenset[str]:
    """Return the last names of the bases that the classes of a name have in a file."""
    return files.once(_bases_by_class, path).get(name, frozenset())


def _bases_by_class(files: Files, path: str) -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for node in walk(files.tree(path)):
        if isinstance(node, ast.ClassDef):
            found[node.name] = found.get(node.name, frozenset()).union(_base_names(node))
    return found


_Stored = tuple[ast.FunctionDef | ast.AsyncFunctionDef, ast.Assign | ast.AnnAssign | ast.AugAssign]
"""A function of a class, and a statement in it that puts something into an attribute of ``self``."""


def _stored_by_class(files: Files, path: str) -> Mapping[ast.ClassDef, Mapping[str, Sequence[_Stored]]]:
    """Return what the functions of each class of a file put into attributes of ``self``, by their names."""
    found: dict[ast.ClassDef, dict[str, list[_Stored]]] = {}
    for owner in walk(files.tree(path)):
        if not isinstance(owner, ast.ClassDef):
            continue
        stored = found.setdefault(owner, {})
        for function in walk(owner):
            if not isinstance(function, FunctionNode):
                continue
            for node in walk(function):
                if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
                    for name in {ast.unparse(item) for item in walk(node) if _is_stored(item)}:
                        if name.startswith("self."):
                            stored.setdefault(name[len("self.") :], []).append((function, node))
    return found


def _at_top(files: Files, path: str) -> Mapping[str, Sequence[ast.stmt]]:
    """Return the statements at the top of a file by the names that they bind."""
    found: dict[str, list[ast.stmt]] = {}
    for node in files.tree(path).body:
        for name in dict.fromkeys(names_bound(node)):
            found.setdefault(name, []).append(node)
    return found


def _by_scope(files: Files, path: str) -> Mapping[str, Sequence[ast.AST]]:
    """Return the functions and classes of a file by their qualified names."""
    found: dict[str, list[ast.AST]] = {}
    pending: list[tuple[ast.AST, str]] = [(files.tree(path), "")]
    while pending:
        around, scope = pending.pop()
        for item in _inside(around):
            if isinstance(item, (*FunctionNode, ast.ClassDef)):
                name = f"{scope}.{item.name}" if scope else item.name
                found.setdefault(name, []).append(item)
                pending.append((item, name))
    return found


def _calls_on_results(files: Files, path: str) -> Mapping[tuple[str, int], Sequence[ast.expr]]:
    """Return the calls of which a file asks an attribute, by its name and line."""
    found: dict[tuple[str, int], list[ast.expr]] = {}
    for name, uses in files.uses(path).items():
        for use in uses:
            if isinstance(use.node, ast.Attribute) and isinstance(use.node.value, ast.Call):
                found.setdefault((name, use.node.lineno), []).append(use.node.value)
    return found


def _bound_at_top(files: Files, path: str) -> Mapping[str, Sequence[ast.AST]]:
    """Return what binds each name somewhere in a file, inner functions included."""
    return _by_name(files.tree(path).body)


class _BoundByFunction(dict[ast.AST, Mapping[str, Sequence[ast.AST]]]):
    """What binds each name in the functions of a file, inner functions included; looked for when first asked."""

    def __missing__(self, function: ast.AST) -> Mapping[str, Sequence[ast.AST]]:
        assert isinstance(function, FunctionNode)
        found = self[function] = _by_name(function.body)
        return found


def _bound_by_function(files: Files, path: str) -> _BoundByFunction:
    return _BoundByFunction()


def _by_name(statements: list[ast.stmt]) -> Mapping[str, Sequence[ast.AST]]:
    found: dict[str, list[ast.AST]] = {}
    for name, node in _bindings(statements):
        found.setdefault(name, []).append(node)
    return found


def _outside_definitions(files: Files, path: str) -> frozenset[ast.AST]:
    """Return the nodes of a file that stand in no function and in no class."""
    return frozenset(_inside(files.tree(path)))


def _base_names(node: ast.ClassDef) -> Iterator[str]:
    bases = (base.value if isinstance(base, ast.Subscript) else base for base in node.bases)
    return (ast.unparse(base).rpartition(".")[2] for base in bases)


class Receiver:
    """What stands before the last dot of a call: ``writer``, or ``self.writer``.

    ``is_given`` is true for an object that may be of a class below the one that is known, ``is_object`` for one that
    is no module, ``is_module`` for what certainly is one, ``is_foreign`` for an object of a library.
    """

    def __init__(self, project: Project, files: Files, caller: Caller) -> None:
        self._project, self._files, self._path, self._scope = project, files, caller.path, caller.function
        self.is_given = False
        self.is_object = False
        self.is_module = False
        self.is_foreign = False
        self._class: Class | None = None
        self._is_self = False
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
                self._class, self.is_module, self.is_foreign = None, False, False  # they are those of the whole object
            named = project.names.resolve(caller.path, owner, caller.function) if first != "self" else None
            if isinstance(named, ValueSymbol) and named.name and (attribute or named.path != caller.path):
                self._read_variable(named.path, named.name)

    def defining(self, method: str) -> Class | None:
        """Return the class that defines a method of the object, ``None`` where that is not known."""
        if self._class is None:
            return None
        found = self._defining(self._class, method, 0)
        return self._beside(method) if found is None and self._is_self else found

    def _beside(self, method: str) -> Class | None:
        """Return the class that defines a method for what a class is mixed into, ``None`` where several do."""
        around = self._project.names.enclosing_class(self._path, self._scope)
        found: list[Class] = []
        for heir in self._project.hierarchy.heirs(around) if around is not None else ():
            mixed = self._located(heir.path, heir.definition.name)
            defining = self._defining(mixed, method, 0) if mixed is not None else None
            if defining is None:
                return None
            found.append(defining)
        return found[0] if found and all(item.node is found[0].node for item in found) else None

    def _read(self, scope: str, name: str) -> bool:
        """Say what a function makes of a name; false where it binds it nowhere."""
        node = self._definition(scope)
        if not isinstance(node, FunctionNode):
            return False
        bound = self._files.once(_bound_by_function, self._path)[node].get(name, ())
        parameter = next((item for item in parameters(node.args) if item.arg == name), None)
        self.is_given = parameter is not None
        if parameter is not None:
            self.is_object = parameter.annotation is not None and not bound and not _is_module(parameter.annotation)
            self._class = self._located(self._path, _annotated(parameter.annotation)) if not bound else None
        elif bound:
            self.is_object = not any(map(_is_module, bound))
            self.is_module = all(map(_is_made_module, bound))
            self._class = self._made(bound)
            self.is_foreign = all(self._is_of_library(node, scope) for node in bound)
        return self.is_given or bool(bound)

    def _read_self(self, scope: str) -> None:
        """Say which class is around a function."""
        self._class = self._around(scope)
        self.is_given = self._is_self = True

    def _around(self, scope: str) -> Class | None:
        while scope:
            scope = scope.rpartition(".")[0]
            node = self._definition(scope) if scope else None
            if isinstance(node, ast.ClassDef):
                return Class(self._path, node)
        return None

    def _read_result(self, caller: Caller) -> None:
        """Say what the call makes whose result a method is called of."""
        span, method = caller.use.span, caller.use.callee.removeprefix(".")
        calls = self._files.once(_calls_on_results, caller.path)
        lines = range(span.line, span.end_line + 1)
        made: list[ast.AST] = [call for line in lines for call in calls.get((method, line), ())]
        self.is_object = bool(made) and not any(map(_is_module, made))
        self._class = self._made(made)

    def _read_module(self, name: str) -> None:
        """Say what the module binds a name to, where nothing else in the file binds it."""
        bound = list(self._files.once(_bound_at_top, self._path).get(name, ()))
        if not self._files.once(_outside_definitions, self._path).isdisjoint(bound):
            self.is_object = not any(map(_is_module, bound))
            made = self._made(bound)
            self._class = None if made is None or self._is_replaced(name, made, "") else made
            self.is_foreign = all(self._is_of_library(node, "") for node in bound)

    def _is_of_library(self, node: ast.AST, scope: str) -> bool:
        """Whether a statement binds an object of a class of a library: ``re.compile(...)``, ``httpx.Client()``."""
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        name = ast.unparse(value.func) if isinstance(value, ast.Call) else ""
        symbol = self._project.names.resolve(self._path, name, scope) if name else None
        return isinstance(symbol, ExternalSymbol) and makes_own(symbol)

    def _read_variable(self, path: str, name: str) -> None:
        """Say what another module binds a name to: an object of the same class everywhere, or nothing at first."""
        bound = self._files.once(_bound_at_top, path).get(name, ())
        if self._files.once(_outside_definitions, path).isdisjoint(bound):
            return
        made: list[Class | None] = []
        for node in bound:
            annotated = _annotated(node.annotation) if isinstance(node, ast.AnnAssign) else ""
            value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else node
            if annotated:
                made.append(self._located(path, annotated))
            elif not isinstance(node, ast.Global) and not (isinstance(value, ast.Constant) and value.value is None):
                made.append(self._made_by(node, path)[0])
        first = made[0] if made else None
        if first is None or any(_differs(item, first) for item in made) or self._is_replaced(name, first, ""):
            return
        self._class, self.is_given, self.is_object = first, True, True

    def _read_attribute(self, scope: str, attribute: str) -> None:
        """Say what the methods of a class put into an attribute: they alone are looked at."""
        around = self._project.names.enclosing_class(self._path, scope)
        owner = self._definition(around.definition.name) if around is not None else None
        if around is None or not isinstance(owner, ast.ClassDef):
            return
        stored = self._files.once(_stored_by_class, self._path).get(owner, {}).get(attribute, ())
        if len(stored) != 1:
            return
        function, node = stored[0]
        made = self._made([node])
        if made is None and isinstance(node.value, ast.Name):
            self.is_given = True
            bound = node.value.id in self._files.once(_bound_by_function, self._path)[function]
            named = (item.annotation for item in parameters(function.args) if item.arg == getattr(node.value, "id", ""))
            made = self._located(self._path, _annotated(next(named, None))) if not bound else None
        is_replaced = made is None or self._is_replaced(attribute, made, around.definition.name)
        self._class = None if is_replaced else made

    def _is_replaced(self, name: str, known: Class, owner: str) -> bool:
        """Whether something puts what is of no known class, or of another one, in the place of an object.

        That is one under the ``name`` of a module, or an attribute of the class ``owner``. What cannot be read may.
        """
        if any(self._files.unread(self._path, name)):
            return True
        for path in self._files.naming(self._path, (name,)):
            for found in self._files.lookups(path):
                if found.changes and found.pattern != ANY and re.fullmatch(found.pattern, name):
                    return True
            for use in self._files.bound(path).get(name, ()):
                is_value = not isinstance(use.statement, ast.AnnAssign) or use.statement.value is not None
                is_other = isinstance(use.node, ast.Attribute) and is_value and self._may_hold(path, use, owner)
                if is_other and _differs(self._made_by(use.statement, path)[0], known):
                    return True
        return False

    def _may_hold(self, path: str, use: NameUse, owner: str) -> bool:
        """Whether what is given an attribute may be a module, or an object of the class ``owner`` or of one below it.

        The methods of that class itself have been looked at.
        """
        assert isinstance(use.node, ast.Attribute)
        if not isinstance(use.node.value, ast.Name) or use.node.value.id not in ("self", "cls"):
            return True
        around = use.function.rpartition(".")[0].rpartition(".")[2]
        bases = set(written_bases(self._files, path, around))
        found = self._project.names.enclosing_class(path, use.function)
        bases.update(self._project.hierarchy.base_names(found) if found is not None else ())
        return owner.rpartition(".")[2] in bases - {around}

    def _made(self, bound: Sequence[ast.AST]) -> Class | None:
        """Return the class of which all that is bound are objects."""
        found = [self._made_by(node, self._path) for node in bound]
        self.is_given = self.is_given or any(is_given for _, is_given in found)
        first = found[0][0] if found else None
        return first if all(made is not None and made == first for made, _ in found) else None

    def _made_by(self, node: ast.AST, path: str) -> tuple[Class | None, bool]:
        """Return the class of which a call makes an object, or a statement binds one, in a file.

        The second part is true where an annotation says so: the object may be of a class below that one.
        """
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else node
        value = value.value if isinstance(value, ast.Await) else value
        name = ast.unparse(value.func) if isinstance(value, ast.Call) else ""
        owner, _, method = name.rpartition(".")
        if owner in ("self", "cls") and path == self._path:
            return self._answered_by(method), True
        found = definition_of(self._project, self._files, path, name)
        if found is None or isinstance(found.node, ast.ClassDef):
            return self._as_class(found), False
        is_plain = not found.node.decorator_list
        return self._located(found.path, _annotated(found.node.returns)) if is_plain else None, True

    def _answered_by(self, method: str) -> Class | None:
        """Return the class of which a method of the object around the caller says that it answers objects."""
        around = self._around(self._scope)
        owner = self._defining(around, method, 0) if around is not None else None
        for node in owner.node.body if owner is not None else ():
            is_it = isinstance(node, FunctionNode) and node.name == method
            if owner is not None and is_it and isinstance(node, FunctionNode) and not node.decorator_list:
                return self._located(owner.path, _annotated(node.returns))
        return None

    def _definition(self, scope: str) -> ast.AST | None:
        """Return the node of a function or class by its name in the file, ``None`` where several have it."""
        found = self._files.once(_by_scope, self._path).get(scope, ())
        return found[0] if len(found) == 1 else None

    def _located(self, path: str, name: str, depth: int = 0) -> Class | None:
        """Return the class that a dotted name stands for in a file."""
        return self._as_class(definition_of(self._project, self._files, path, name, depth))

    def _as_class(self, found: Definition | None) -> Class | None:
        if found is None or not isinstance(found.node, ast.ClassDef):
            return None
        return Class(found.path, found.node)

    def _defining(self, owner: Class, method: str, depth: int) -> Class | None:
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


def _differs(made: Class | None, known: Class) -> bool:
    return made is None or made.node is not known.node


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is inside a definition, but not inside those inside."""
    pending = list(children(node))
    while pending:
        item = pending.pop()
        yield item
        if not isinstance(item, (*FunctionNode, ast.ClassDef)):
            pending.extend(children(item))


def _annotated(annotation: ast.expr | None) -> str:
    """Return the class that an annotation names, "" for none and for several."""
    found = [each for each in members(annotation) if head(each) != "None"] if annotation is not None else []
    return ast.unparse(found[0]) if len(found) == 1 and isinstance(found[0], (ast.Name, ast.Attribute)) else ""


def _bindings(statements: list[ast.stmt]) -> Iterator[tuple[str, ast.AST]]:
    """Yield the names that are bound in statements, each with the statement or expression that does it."""
    pending: list[ast.AST] = list(statements)
    while pending:
        node = pending.pop()
        below = list(children(node))
        shared = node.names if isinstance(node, (ast.Global, ast.Nonlocal)) else ()
        variables = (name for item in below if isinstance(item, ast.Name) for name in names_bound(item))
        for name in dict.fromkeys((*shared, *names_bound(node), *variables)):
            yield name, node
        pending.extend(item for item in below if not isinstance(item, ast.Name))


def _is_module(node: ast.AST) -> bool:
    """Whether what binds a name may bind it to a module."""
    return any(
        isinstance(item, (ast.alias, ast.Global, ast.Nonlocal))
        or (isinstance(item, ast.Name) and item.id in _MODULES)
        or (isinstance(item, ast.Attribute) and item.attr in _MODULES)
        for item in walk(node)
    )


def _is_made_module(node: ast.AST) -> bool:
    """Whether what binds a name certainly binds it to a module: one of ``sys.modules``, or one that is imported."""
    value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else node
    if isinstance(value, ast.Subscript):
        return ast.unparse(value.value) == "sys.modules"
    return isinstance(value, ast.Call) and ast.unparse(value.func) in ("importlib.import_module", "import_module")
