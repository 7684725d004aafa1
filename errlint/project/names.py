"""Names across modules: from a dotted name in one file to the definition it stands for in another."""

from __future__ import annotations

import builtins
import posixpath
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Mapping as MappingView
from typing import NamedTuple

from errlint.facts import Assigned, Class, Constant, Function, FunctionNames, Import, Module, Ref, Value
from errlint.lazy import cached_property
from errlint.workspace.root import distribution

_BUILTINS = frozenset(dir(builtins))


class FunctionSymbol(NamedTuple):
    """A function of the project."""

    path: str
    function: Function


class ClassSymbol(NamedTuple):
    """A class of the project."""

    path: str
    definition: Class


class ValueSymbol(NamedTuple):
    """A name bound to a value at module level, or a field of a class; ``name`` is that of the module's, else ""."""

    path: str
    value: Value
    name: str = ""


class ModuleSymbol(NamedTuple):
    """A module of the project."""

    path: str


class ExternalSymbol(NamedTuple):
    """A name from outside of the project; ``name`` is absolute."""

    name: str


OwnSymbol = FunctionSymbol | ClassSymbol | ValueSymbol | ModuleSymbol
Symbol = FunctionSymbol | ClassSymbol | ValueSymbol | ModuleSymbol | ExternalSymbol


class _Start(NamedTuple):
    """A folder in which Python may be started, and the name of a file there."""

    folder: str
    name: str
    path: str


def below(module: str, name: str) -> str:
    """Return the name of what a module, perhaps a relative one, has under a name."""
    return f"{module}{name}" if not module or module.endswith(".") else f"{module}.{name}"


def module_below(folder: str, path: str) -> str:
    """Return the name of a file for those who start Python in a folder, "" where it has none; "" is the root."""
    inside = f"{folder}/" if folder else ""
    if not path.startswith(inside):
        return ""
    parts = path[len(inside) :].rpartition(".")[0].removesuffix("/__init__").split("/")
    return ".".join(parts) if all(map(str.isidentifier, parts)) else ""


def is_standard(module: str) -> bool:
    """Whether a module is of the standard library, by its name."""
    return module.partition(".")[0] in sys.stdlib_module_names


_STEPS = 9
"""How many modules and bases a name is followed through: imports may go in a circle, and so may bases."""

_CLASS = frozenset({"cls", "type(self)", "self.__class__"})
"""What a method calls the class that it is of, as far as the code that stands there tells."""

_OF_CLASS = frozenset({"self", "super()", "cls", "type(self)"})
"""What attributes of that class are looked for in."""


class Layout:
    """Which files exist, which distribution each belongs to, and under which module names they are imported."""

    def __init__(self, paths: Iterable[str], markers: Iterable[str], callers: Iterable[str] = ()) -> None:
        """``markers`` are the folders that hold a pyproject.toml, setup.py or setup.cfg ("" is the root).

        ``callers`` are files that import others and that no import leads to.
        """
        self.paths = frozenset(paths)
        self._markers = frozenset(markers)
        self._distributions: dict[str, str] = {}
        self._packages: dict[str, bool] = {}
        self._modules: dict[tuple[str, str], str] = {}
        self._everywhere: dict[str, list[str]] = {}
        self._others: dict[str, list[_Start]] = {}
        self._names: dict[str, str] = {}
        self._shadowed: dict[str, str] = {}
        for path in sorted(self.paths):
            name = self._module_name(path)
            self._names[path] = name
            if f"{path.removesuffix('.py')}/__init__.py" in self.paths:
                continue  # Python never imports a module beside a package of its name
            if self._modules.setdefault((self.distribution(path), name), path) != path:
                # Only a relative import leads to it: by its whole path, which no other import has for a name.
                whole = self._shadowed[path] = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
                self._modules.setdefault((self.distribution(path), whole), path)
            self._everywhere.setdefault(name, []).append(path)
        for path in sorted(self.paths):
            # Where people start Python beside it, `src` is the top package.
            if f"/{path}".startswith(f"{self._root(path)}/src/"):
                self._modules.setdefault((self.distribution(path), f"src.{self._names[path]}"), path)
            for start in self._starts(path):
                self._others.setdefault(start.name, []).append(start)
        for path in callers:
            self._names[path] = self._module_name(path)

    def distribution(self, path: str) -> str:
        """Return the folder of the distribution a file belongs to."""
        found = self._distributions.get(path)
        if found is None:
            found = self._distributions[path] = distribution(path, self._markers)
        return found

    def module_name(self, path: str) -> str:
        """Return the dotted name under which a file is imported."""
        return self._names[path]

    def _root(self, path: str) -> str:
        """Return the folder of a file's distribution, with a slash before it, "" for the root."""
        distribution = self.distribution(path)
        return f"/{distribution}" if distribution else ""

    def _is_package(self, folder: str) -> bool:
        found = self._packages.get(folder)
        if found is None:
            found = self._packages[folder] = (
                f"{folder}/__init__.py" in self.paths or f"{folder}/__init__.pyi" in self.paths
            )
        return found

    def _is_source(self, folder: str) -> bool:
        """Whether modules are named from a folder called ``src``: not from one that is a package in a package."""
        above, _, name = folder.rpartition("/")
        return name == "src" and not (above and self._is_package(folder) and self._is_package(above))

    def _module_name(self, path: str) -> str:
        """Name a file from the nearest of ``src/``, its distribution, and the top of its packages."""
        # As `PurePosixPath(path).stem`, which takes most of the time of a run after one edit.
        name = path.rpartition("/")[2]
        stem = name.rpartition(".")[0] or name
        parts = [] if stem == "__init__" else [stem]
        folder = path.rpartition("/")[0]
        distribution = self.distribution(path)
        top = folder
        while top and top != distribution and self._is_package(top):
            top = top.rpartition("/")[0]
        start = folder
        while start and start not in (distribution, top) and not self._is_source(start):
            start = start.rpartition("/")[0]
        if start == top and not folder.startswith(f"{start}/src/") and top != distribution:
            # Namespace packages have no __init__.py: the name goes on up to src/ or the distribution.
            while start and start != distribution and not self._is_source(start):
                start = start.rpartition("/")[0]
        relative = folder[len(start) :].strip("/") if start else folder
        return ".".join([*(part for part in relative.split("/") if part), *parts])

    def _starts(self, path: str) -> Iterator[_Start]:
        """Yield where else Python may be started: beside the package of a file, in a distribution around its own."""
        own = self.distribution(path)
        folder = path.rpartition("/")[0]
        top = folder
        while top and top != own and self._is_package(top):
            top = top.rpartition("/")[0]
        folders = [top] if top != own else []
        while own:
            own = own.rpartition("/")[0]
            if not own or own in self._markers:
                folders.append(own)
        for start in folders:
            name = module_below(start, path)
            if name not in ("", self._names[path]) and not is_standard(name):
                yield _Start(start, name, path)

    def file(self, folder: str, module: str) -> str | None:
        """Return the file that a module name leads to from a folder; "" is the root."""
        base = "/".join(filter(None, (folder, module.replace(".", "/"))))
        names = (f"{base}/__init__.py", f"{base}.py") if module else (f"{base}/__init__.py",)
        return next((name.lstrip("/") for name in names if name.lstrip("/") in self.paths), None)

    def folders(self, path: str, put: Iterable[str]) -> Sequence[str]:
        """Return the folders of the project that a file puts on the path; ``put`` are those of its facts."""
        own, started = path.rpartition("/")[0], self.distribution(path)
        whole = (f"{started if each.startswith('/') else own}/{each}".lstrip("/") for each in put)
        return ["" if each == "." else each for each in map(posixpath.normpath, whole) if not each.startswith("..")]

    def find(self, module: str, importer: str) -> str | None:
        """Return the file of a module name.

        A relative one leads there by folders. An absolute one is looked for in the importer's distribution first, then
        where it is unique, and beside a file that is in no package, since it may be run there.
        """
        if module.startswith("."):
            if not importer:
                return None  # what a setting names is relative to no file
            found, absolute = self._relative(module, importer), self.absolute(module, importer)
            return found or (self.find(absolute, importer) if not absolute.startswith(".") else None)
        own = self._modules.get((self.distribution(importer), module))
        if own is not None:
            return own
        # A test may put any folder on the path.
        others = {
            item.path
            for item in self._others.get(module, ())
            if importer not in self.paths or not item.folder or importer.startswith(f"{item.folder}/")
        }
        if len(others) == 1:
            return others.pop()
        if importer and is_standard(module):
            return None
        everywhere = self._everywhere.get(module, ())
        if len(everywhere) == 1:
            return everywhere[0]
        folder = importer.rpartition("/")[0]
        is_started = bool(folder) and not self._is_package(folder)
        return self.file(folder, module) if is_started else None

    def _relative(self, module: str, importer: str) -> str | None:
        """Return the file that a relative module name leads to by folders, ``None`` where there is none."""
        name = module.lstrip(".")
        dots = len(module) - len(name)
        return self.file("/".join(importer.split("/")[:-dots]), name) if importer.count("/") >= dots - 1 else None

    @property
    def modules(self) -> Iterable[str]:
        """The names of all modules."""
        return self._everywhere

    @cached_property
    def packages(self) -> tuple[str, ...]:
        """The first parts of the names of all modules, sorted; an ``__init__.py`` at the top has none."""
        return tuple(sorted({name.partition(".")[0] for name in self._everywhere if name}))

    def files(self, module: str) -> tuple[str, ...]:
        """Return the files with a module name, of whatever distribution."""
        return tuple(self._everywhere.get(module, ()))

    def absolute(self, module: str, importer: str) -> str:
        """Return the absolute name of a possibly relative module name, itself where it leads beyond the top."""
        if not module.startswith("."):
            return module
        dots = len(module) - len(module.lstrip("."))
        whole = self._shadowed.get(self._relative(module, importer) or "")
        if whole is not None:
            return whole
        parts = self._names[importer].split(".") if self._names[importer] else []
        if not importer.endswith(("__init__.py", "__init__.pyi")):
            parts = parts[:-1]
        if dots - 1 > len(parts):
            return module
        parts = parts[: len(parts) - (dots - 1)]
        return ".".join([*parts, *filter(None, [module.lstrip(".")])])


def _is_at(item: Function | Class, lines: Collection[int]) -> bool:
    """Whether a definition is one of those at some lines: its header begins with its decorators."""
    return any(item.span.line <= line <= item.span.end_line for line in lines)


def may_lead_to(item: Import, symbol: OwnSymbol) -> bool:
    """Whether an import may be of something in the project, although nothing says from which folder: by its name."""
    is_module = isinstance(symbol, ModuleSymbol) and bool(item.attribute)
    module = below(item.module, item.attribute) if is_module else item.module
    if isinstance(symbol, (FunctionSymbol, ClassSymbol)):
        defined = symbol.function.name if isinstance(symbol, FunctionSymbol) else symbol.definition.name
        if item.attribute not in (defined, "*"):
            return False
    return names_file(module.lstrip("."), symbol.path)


def names_file(module: str, path: str) -> bool:
    """Whether a module name is the end of that of a file."""
    return f"/{path}".endswith(tuple(f"/{module.replace('.', '/')}{end}" for end in (".py", "/__init__.py")))


class Names:
    """Resolves names."""

    def __init__(self, layout: Layout, modules: dict[str, Module]) -> None:
        self.layout = layout
        self.modules = modules
        self._resolved: dict[tuple[str, str, str], Symbol | None] = {}
        self._functions: dict[str, dict[str, Function]] = {}
        self._classes: dict[str, dict[str, Class]] = {}
        self._imports: dict[str, dict[str, list[Import]]] = {}
        self._stars: dict[str, list[Import]] = {}
        self._values: dict[str, dict[str, Assigned]] = {}
        self._tests: dict[str, Module] = {}
        self._on_path: dict[str, Sequence[str]] = {}
        self._targets_of: dict[str, frozenset[str]] = {}
        self._scopes: dict[tuple[str, str], FunctionNames] = {}
        self._all_of: dict[str, Sequence[str]] = {}
        for path, module in modules.items():
            self._note(path, module)
            self._values[path] = {item.name: item for item in module.assigned}
        self._alternatives = {
            (path, each.name): each.lines for path, module in modules.items() for each in module.alternatives
        }
        self._selves = {path for path, module in modules.items() if any(item.selves for item in module.functions)}

    def add_tests(self, tests: MappingView[str, Module]) -> None:
        """Take in tests, from which names are resolved, and never to them: of values nothing is known there."""
        self._tests.update(tests)
        for path, module in tests.items():
            self._note(path, module)

    def _note(self, path: str, module: Module) -> None:
        self._functions[path] = {function.name: function for function in module.functions}
        self._classes[path] = {definition.name: definition for definition in module.classes}
        self._scopes.update(((path, scope.function), scope) for scope in module.scopes)
        self._note_imports(path, module)

    def _note_imports(self, path: str, module: Module) -> None:
        """Note the imports of a file by name, all of each: which one runs may not be known."""
        found: dict[str, list[Import]] = {}
        for item in module.imports:
            if item.name != "*":
                found.setdefault(item.name, []).append(item)
        self._imports[path] = found
        self._stars[path] = [item for item in module.imports if item.name == "*"]

    def function(self, path: str, name: str) -> Function | None:
        """Return the facts of a function by its qualified name."""
        return self._functions.get(path, {}).get(name)

    def own_method(self, owner: ClassSymbol, name: str) -> Function | None:
        """Return the method of a name that a class itself defines."""
        return self.function(owner.path, f"{owner.definition.name}.{name}")

    def named(self, short: str) -> Sequence[FunctionSymbol]:
        """Return the functions and methods that have a name of their own, tests left out."""
        return self._named.get(short, ())

    @cached_property
    def _named(self) -> MappingView[str, Sequence[FunctionSymbol]]:
        found: dict[str, list[FunctionSymbol]] = {}
        for path, module in self.modules.items():
            for function in module.functions:
                found.setdefault(function.name.rpartition(".")[2], []).append(FunctionSymbol(path, function))
        return found

    def original(self, path: str, name: str) -> str:
        """Return a name as its definition spells it, where an import or an assignment of the module renamed it."""
        for _ in range(4):
            spelt = {item.attribute for item in self._imports.get(path, {}).get(name, ())} - {""}
            if spelt:
                return min(spelt)
            assigned = self._values.get(path, {}).get(name)
            if assigned is None or type(assigned.value) is not Ref:
                break
            name = assigned.value.name
        return name

    def may_be_class(self, path: str, name: str) -> bool:
        """Whether a dotted name may stand for a class: by how it is spelt, or since there is a class of that name.

        Nothing has to be read to tell.
        """
        last = self.original(path, name).rpartition(".")[2]
        return last.lstrip("_")[:1].isupper() or last in self._class_names

    @cached_property
    def _class_names(self) -> frozenset[str]:
        return frozenset(name.rpartition(".")[2] for classes in self._classes.values() for name in classes)

    def resolve(self, path: str, name: str, scope: str = "", depth: int = 0) -> Symbol | None:
        """Return what a dotted name stands for inside the function ``scope`` of a file, ``None`` when unknown."""
        if depth:
            return self._resolve(path, name, scope, depth)
        key = (path, name, scope)
        if key not in self._resolved:
            self._resolved[key] = self._resolve(path, name, scope, 0)
        return self._resolved[key]

    def absolute(self, symbol: Symbol | None) -> str:
        """Return the absolute dotted name of a definition, also of a foreign one, "" for anything else."""
        if isinstance(symbol, FunctionSymbol):
            return below(self.layout.module_name(symbol.path), symbol.function.name)
        if isinstance(symbol, ClassSymbol):
            return below(self.layout.module_name(symbol.path), symbol.definition.name)
        return symbol.name if isinstance(symbol, ExternalSymbol) else ""

    def is_hidden(self, path: str, name: str, scope: str) -> bool:
        """Whether a function binds a name itself that means something around it."""
        own = self._scopes.get((path, scope))
        return own is not None and name in own.hidden

    def _resolve(self, path: str, name: str, scope: str, depth: int) -> Symbol | None:
        root, _, rest = name.partition(".")
        symbol: Symbol | None
        if root in _OF_CLASS or (path in self._selves and self._is_self(path, root, scope)):
            owner = self.enclosing_class(path, scope)
            if name in _CLASS:
                return owner
            if owner is None or not rest or "." in rest:
                return None
            return self.member(owner, rest, depth + 1)
        symbol = self._lookup(path, root, scope, depth)
        while symbol is not None and rest:
            part, _, rest = rest.partition(".")
            symbol = self._attribute(symbol, part, depth + 1)
        return symbol

    def _is_self(self, path: str, name: str, scope: str) -> bool:
        """Whether a function around another one, or that one itself, has a name for ``self``."""
        functions = self._functions[path]
        while scope:
            function = functions.get(scope)
            if function is not None:
                if name in function.selves:
                    return True
                if any(item.name == name for item in function.parameters):
                    return False
            scope = scope.rpartition(".")[0]
        return False

    def enclosing_class(self, path: str, scope: str) -> ClassSymbol | None:
        """Return the class around a function, also around a function nested in a method."""
        classes = self._classes.get(path, {})
        while scope:
            scope = scope.rpartition(".")[0]
            if scope in classes:
                return ClassSymbol(path, classes[scope])
        return None

    def _lookup(self, path: str, name: str, scope: str, depth: int) -> Symbol | None:
        if depth > _STEPS:
            return None
        functions, classes, asked = self._functions.get(path, {}), self._classes.get(path, {}), scope
        imports = self._imports.get(path, {}).get(name, ())
        while scope:
            nested = f"{scope}.{name}"
            if scope not in classes:
                if nested in functions:
                    return FunctionSymbol(path, functions[nested])
                if nested in classes:
                    return ClassSymbol(path, classes[nested])
                if imports and (inner := [item for item in imports if item.scope == scope]):
                    return self._one_of(path, inner, depth)
            if (own := self._scopes.get((path, scope))) is not None:
                if name in own.of_module:
                    break
                if name in own.hidden:
                    return None
            scope = scope.rpartition(".")[0]
        # Who asks for no scope means the file: what only functions of it import is meant then.
        imports = [item for item in imports if not item.scope] or ([] if asked or depth else imports)
        if imports or name in functions or name in classes or name in self._values.get(path, {}):
            return self._of_module(path, name, imports, depth)
        for target in self._starred(path):
            brought = [item for item in self._imports.get(target, {}).get(name, ()) if not item.scope]
            found = self._of_module(target, name, brought, depth + 1)
            if found is not None:
                return found
        return ExternalSymbol(f"builtins.{name}") if name in _BUILTINS else None

    def _of_module(self, path: str, name: str, imports: Sequence[Import], depth: int) -> Symbol | None:
        """Return what a module itself binds a name to, ``imports`` among that."""
        functions, classes = self._functions.get(path, {}), self._classes.get(path, {})
        values = self._values.get(path, {})
        if (path, name) in self._alternatives:
            return self._of_branches(path, name, imports, depth)
        if name in functions:
            return FunctionSymbol(path, functions[name])
        if name in classes:
            return ClassSymbol(path, classes[name])
        if name in values and not (imports and self._is_nothing(path, name)):
            value = values[name].value
            if type(value) is Ref and value.name != name:
                named = self.resolve(path, value.name, depth=depth + 1)
                if named is not None:
                    return named
            return ValueSymbol(path, value, name)
        return self._one_of(path, imports, depth) if imports else None

    def _starred(self, path: str) -> Sequence[str]:
        """Return the files of which a file has all names by ``import *``, in the order in which one is looked for."""
        if path not in self._all_of:
            found: dict[str, None] = {}
            pending = [path]
            while pending:
                each = pending.pop()
                if each not in found:
                    found[each] = None
                    targets = [self.find(star.module, each) for star in self._stars.get(each, ())]
                    pending.extend(target for target in reversed(targets) if target is not None)
            self._all_of[path] = tuple(found)[1:]
        return self._all_of[path]

    def _of_branches(self, path: str, name: str, imports: Sequence[Import], depth: int) -> Symbol | None:
        """Return what a name stands for that branches of a module bind, of which one defines a function or class.

        What it is bound to ``None`` for, where there is nothing better, is not what is called.
        """
        lines, module = self._alternatives[path, name], self.modules[path]
        defined: list[OwnSymbol] = [
            *(FunctionSymbol(path, item) for item in module.functions if item.name == name and _is_at(item, lines)),
            *(ClassSymbol(path, item) for item in module.classes if item.name == name and _is_at(item, lines)),
        ]
        if not imports and name in self._values.get(path, {}) and not self._is_nothing(path, name):
            return None
        return self._one_of(path, imports, depth, defined)

    def _is_nothing(self, path: str, name: str) -> bool:
        """Whether a name is bound to ``None`` or ``False``: what is called is then what it is imported as."""
        value = self._values[path][name].value
        return type(value) is Constant and (value.value is None or value.value is False)

    def find(self, module: str, importer: str) -> str | None:
        """Return the file that a module name, perhaps a relative one, leads to from a file.

        Where the layout knows none, it is looked for in the folders that the file puts on the path, then in those that
        others of its distribution put there, and beside the file where another import of it leads to the same one.
        """
        found = self.layout.find(module, importer)
        if found is not None or module.startswith(".") or is_standard(module):
            return found
        own = self.layout.distribution(importer)
        beside = (
            target for target in self._targets(self._folders_of(own), module) if self.layout.distribution(target) == own
        )
        for targets in (self._targets(self._folders(importer), module), beside):
            files = {*targets}
            if len(files) == 1:
                return files.pop()
        beside_it = self.layout.file(importer.rpartition("/")[0], module)
        return beside_it if beside_it is not None and beside_it in self._led_to(importer) else None

    def _led_to(self, path: str) -> frozenset[str]:
        """Return the files that the imports of a file lead to by the layout alone."""
        if path not in self._targets_of:
            items = (item for each in self._imports.get(path, {}).values() for item in each)
            found = (
                self.layout.find(name, path)
                for item in items
                for name in {item.module, below(item.module, item.attribute)}
            )
            self._targets_of[path] = frozenset(filter(None, found))
        return self._targets_of[path]

    def _targets(self, folders: Iterable[str], module: str) -> Iterator[str]:
        return (target for folder in folders if (target := self.layout.file(folder, module)) is not None)

    def _folders(self, path: str) -> Sequence[str]:
        """Return the folders of the project that a file puts on the path."""
        module = self.modules.get(path) or self._tests.get(path)
        return self.layout.folders(path, module.on_path) if module is not None else ()

    def _folders_of(self, distribution: str) -> Sequence[str]:
        """Return the folders that the files of a distribution put on the path."""
        if distribution not in self._on_path:
            found: set[str] = set()
            for path, module in self.modules.items():
                if module.on_path and self.layout.distribution(path) == distribution:
                    found.update(self._folders(path))
            self._on_path[distribution] = sorted(found)
        return self._on_path[distribution]

    def _one_of(
        self, path: str, items: Sequence[Import], depth: int, defined: Sequence[OwnSymbol] = ()
    ) -> Symbol | None:
        """Return what a name stands for that several imports of one scope bind, of which any may be the last to run.

        It may be ``defined`` in the scope, too.

        Where all lead to one definition, that is it. So it is where the others lead nowhere that is known, and may lead
        there: the folder may be on the path that they are looked for on. ``None`` for one that may be several functions
        of which one is of the project; of other things that differ those of the project come first. The order of the
        imports makes no difference.
        """
        if len(items) == 1 and not defined:
            return self._imported(path, items[0], depth)
        found = [(item, self._imported(path, item, depth)) for item in items]
        own = [*defined]
        for _, symbol in found:
            if symbol is not None and not isinstance(symbol, ExternalSymbol) and symbol not in own:
                own.append(symbol)
        foreign = {
            symbol
            for item, symbol in found
            if isinstance(symbol, ExternalSymbol) and not any(may_lead_to(item, place) for place in own)
        }
        if not own:
            return min(foreign, default=None)
        if len(own) + len(foreign) > 1 and any(isinstance(symbol, FunctionSymbol) for symbol in own):
            return None
        return min(own, key=lambda symbol: (symbol.path, repr(symbol)))

    def _imported(self, path: str, item: Import, depth: int) -> Symbol | None:
        if not item.attribute:
            target = self.find(item.module, path)
            return ModuleSymbol(target) if target else ExternalSymbol(item.module)
        submodule = self.find(below(item.module, item.attribute), path)
        target = self.find(item.module, path)
        if target is not None and (target != path or item.scope):
            found = self._lookup(target, item.attribute, "", depth + 1)
            if found is not None:
                return found
        if submodule is not None:
            return ModuleSymbol(submodule)
        if target is not None:
            return None
        found = self._beside(path, item, depth)
        if found is None and self._may_be_own(item):
            return None
        return found or ExternalSymbol(below(self.layout.absolute(item.module, path), item.attribute))

    def _may_be_own(self, item: Import) -> bool:
        """Whether an import that leads nowhere may be of a function of the project, by its name and its module's."""
        return not is_standard(item.module) and any(
            not each.function.owner and may_lead_to(item, each) for each in self.named(item.attribute)
        )

    def _beside(self, path: str, item: Import, depth: int) -> Symbol | None:
        """Return what is defined beside a file of a package that imports it by its plain name, as scripts do.

        A module beside it may bear the name of a library: one that does not define what is imported is not meant.
        """
        folder = path.rpartition("/")[0]
        if item.module.startswith(".") or is_standard(item.module):
            return None
        target = self.layout.file(folder, item.module)
        if target is None or target == path:
            return None
        found = self._lookup(target, item.attribute, "", depth + 1)
        return found if isinstance(found, (FunctionSymbol, ClassSymbol, ValueSymbol)) else None

    def _attribute(self, symbol: Symbol, name: str, depth: int) -> Symbol | None:
        if isinstance(symbol, ModuleSymbol):
            found = self._lookup(symbol.path, name, "", depth)
            if found is None:
                module = f"{self.layout.module_name(symbol.path)}.{name}"
                target = self.find(module, symbol.path)
                return ModuleSymbol(target) if target else None
            return found
        if isinstance(symbol, ClassSymbol):
            return self.member(symbol, name, depth)
        if isinstance(symbol, ExternalSymbol):
            target = self.layout.find(f"{symbol.name}.{name}", "")
            return ModuleSymbol(target) if target else ExternalSymbol(f"{symbol.name}.{name}")
        return None

    def member(self, owner: ClassSymbol, name: str, depth: int = 0) -> Symbol | None:
        """Return a method or field of a class or of its bases."""
        function = self.own_method(owner, name)
        if function is not None:
            return FunctionSymbol(owner.path, function)
        nested = self._classes[owner.path].get(f"{owner.definition.name}.{name}")
        if nested is not None:
            return ClassSymbol(owner.path, nested)
        for entry in owner.definition.members or ():
            if entry.key == name:
                return ValueSymbol(owner.path, entry.value)
        for base in owner.definition.bases:
            symbol = self.resolve(owner.path, base, depth=depth + 1)
            if isinstance(symbol, ClassSymbol) and symbol != owner:
                found = self.member(symbol, name, depth + 1)
                if found is not None:
                    return found
        return None
