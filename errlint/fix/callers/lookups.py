"""What the uses of a function do not show: it is looked up by its name, as by ``getattr``, or something replaces it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from errlint.facts import Function, Import, Use
from errlint.findings import Span
from errlint.fix.callers.call_sites import base_names, by_object, where_named
from errlint.fix.callers.receiver_types import written_bases
from errlint.fix.dynamic_lookup import ANY, CHANGERS, WORDS, Lookup
from errlint.fix.model import Refusal
from errlint.fix.name_uses import NameUse
from errlint.fix.source_cache import Files
from errlint.project import Project
from errlint.project.callers import Caller
from errlint.project.names import FunctionSymbol

_WITH_ENTRY_POINTS = ("pyproject.toml", "setup.cfg")


class _Sought(NamedTuple):
    """A function that is asked for, in the file with a path."""

    project: Project
    files: Files
    path: str
    function: Function

    @property
    def short(self) -> str:
        """The name without those of what is around it."""
        return self.function.name.rpartition(".")[2]


class LookupPlace(NamedTuple):
    """A place that may look a function up by its name: the statement it stands in, and the function around that."""

    path: str
    line: int
    function: str = ""
    span: Span = Span(1, 1, 1, 1)


def lookup(project: Project, files: Files, path: str, function: Function) -> LookupPlace | None:
    """Return the first place that may look a function up by its name, ``None`` for none.

    Raises :class:`errlint.fix.model.Refusal` where a file cannot be parsed that has the name and may have such a place.
    """
    sought = _Sought(project, files, path, function)
    for other in where_named(project, files, path, function, WORDS):
        found = _first(sought, other, changes=False)
        if found is not None:
            return LookupPlace(other, found.made.lineno, found.use.function, files.span(other, found.use.statement))
    return _path_to(sought)


def _path_to(sought: _Sought) -> LookupPlace | None:
    """Return the first text that is the whole path of a function, as ``shop.server:find`` in an entry point."""
    files, layout = sought.files, sought.project.layout
    module = layout.module_name(sought.path)
    dotted = f"{re.escape(module)}{'[.:]' if '.' in module else ':'}{re.escape(sought.function.name)}"
    pattern = re.compile(rf"""["']{dotted}["'\[]|^[^#\n]*=\s*{dotted}\s*$""", re.MULTILINE)
    settings = [f"{layout.distribution(sought.path)}/{name}".lstrip("/") for name in _WITH_ENTRY_POINTS]
    spelt = tuple(f"{module}{sign}{sought.function.name}" for sign in ".:")
    for path in (*settings, *where_named(sought.project, files, sought.path, sought.function, (sought.short,))):
        if not files.once(_has_text, (path, module)) or not any(each in files.text(path) for each in spelt):
            continue
        found = pattern.search(files.text(path))
        if found is not None:
            return LookupPlace(path, files.text(path).count("\n", 0, found.start()) + 1)
    return None


def _has_text(files: Files, sought: tuple[str, str]) -> bool:
    """Whether a file, the first of two, has the second as a part of its text."""
    path, text = sought
    return text in files.text(path)


def replaced(project: Project, files: Files, path: str, function: Function) -> tuple[str, int] | None:
    """Return the first place, as path and line, that may put something else in the place of a function.

    What fills an object under names that are made at run time is taken for data. Raises
    :class:`errlint.fix.model.Refusal` where a file cannot be parsed that has the name.
    """
    sought = _Sought(project, files, path, function)
    short = sought.short
    for other in where_named(project, files, path, function, (short, *CHANGERS)):
        found = _first(sought, other, changes=True)
        if found is not None:
            return other, found.made.lineno
        for use in files.bound(other).get(short, ()) if short in files.text(other) else ():
            is_other = not (_is_uncallable(use) or _is_itself(sought, other, use) or _registers(project, other, use))
            if is_other and _replaces(sought, other, use):
                return other, use.node.lineno
    return None


def _is_uncallable(use: NameUse) -> bool:
    """Whether a name gets nothing that answers a call: no value, or a constant, as where an import has failed."""
    if not isinstance(use.statement, (ast.Assign, ast.AnnAssign)):
        return False
    value = use.statement.value
    values = value.elts if isinstance(value, ast.Tuple) else [value]
    return all(each is None or isinstance(each, ast.Constant) for each in values)


def _is_itself(sought: _Sought, path: str, use: NameUse) -> bool:
    """Whether a name gets the function that it stands for already: ``shelf.find = find``."""
    value = use.statement.value if isinstance(use.statement, ast.Assign) else None
    if not isinstance(value, (ast.Name, ast.Attribute)) or value is use.node:
        return False
    symbol = sought.project.names.resolve(path, ast.unparse(value), use.function)
    return symbol == FunctionSymbol(sought.path, sought.function)


def _registers(project: Project, path: str, use: NameUse) -> bool:
    """Whether a name gets what registers it: ``find = server.tool()(find)``, as a decorator would."""
    value = use.statement.value if isinstance(use.statement, ast.Assign) else None
    if not isinstance(value, ast.Call) or len(value.args) != 1 or value.keywords:
        return False
    maker = value.func.func if isinstance(value.func, ast.Call) else value.func
    return ast.unparse(value.args[0]) == ast.unparse(use.node) and project.adapters.is_registration(
        path, ast.unparse(maker)
    )


def _first(sought: _Sought, path: str, *, changes: bool) -> Lookup | None:
    """Return the first place in a file that may ask for a function by its name, or give another value to that."""
    files, short = sought.files, sought.short
    try:
        lookups, names = files.lookups(path), files.names_of(path, short)
    except Refusal:
        if short in files.text(path):
            raise
        return None
    for found in lookups:
        is_guessed = found.pattern == ANY
        if found.changes != changes or not found.may_call or (changes and is_guessed):
            continue
        if _is_of_variables(found) and path == sought.path and not _is_inside(sought.function, found.use.function):
            continue
        is_asked = any(re.fullmatch(found.pattern, name) for name in names)
        if is_asked and _may_hold(sought, path, found.use, found.holder, is_guessed=is_guessed):
            return found
    return None


def _is_of_variables(found: Lookup) -> bool:
    """Whether a lookup is one among the variables of a function, as in ``locals()``."""
    word = found.use.node.id if isinstance(found.use.node, ast.Name) else ""
    return not found.holder and word in ("locals", "vars") and found.use.function != ""


def _is_inside(function: Function, other: str) -> bool:
    return function.name.startswith(f"{other}.")


def _replaces(sought: _Sought, path: str, use: NameUse) -> bool:
    """Whether a name that a file binds may be that of the function."""
    function = sought.function
    if isinstance(use.node, ast.Attribute):
        return _may_hold(sought, path, use, ast.unparse(use.node.value), is_guessed=not function.owner)
    if not use.owner:
        return not use.is_variable and _has(sought, path)
    own = function.name.rpartition(".")[0]
    if not function.owner or (path, use.owner) == (sought.path, own):
        return bool(function.owner)
    return own.rpartition(".")[2] in written_bases(sought.files, path, use.owner.rpartition(".")[2])


def _may_hold(sought: _Sought, path: str, use: NameUse, holder: str, *, is_guessed: bool) -> bool:
    """Whether what a name is asked of may have the function; an object that nothing is known of has no guessed one."""
    project, files, _, function = sought
    if not holder:
        return _has(sought, path)
    imported = (item for item in files.imports(path) if item.name == holder)
    modules = {target for item in imported for target in _targets(files, path, item)}
    if modules:
        return any(_has(sought, module) for module in modules)
    is_own = holder in ("self", "cls")
    if is_own and not base_names(project, sought.path, function).isdisjoint(use.function.split(".")):
        return True
    name = f"{holder}.{sought.short}"
    symbol = project.names.resolve(path, name, use.function)
    if symbol is not None and not is_own:
        return project.callers.means(symbol, sought.path, function)
    caller = Caller(path, use.function, Use(name, files.span(path, use.node), "passed"))
    known = by_object(project, files, sought.path, function, caller, is_only=False)
    return any(each.is_certain or not (is_guessed or is_own) for each in known)


def _has(sought: _Sought, path: str) -> bool:
    """Whether a module has the function among its names: it defines it, or may import it."""
    if sought.function.owner:
        return False
    imported = sought.files.imports(path)
    return path == sought.path or any(item.attribute == sought.short or item.name == "*" for item in imported)


def _targets(files: Files, path: str, item: Import) -> Iterator[str]:
    return files.targets(f"{item.module}.{item.attribute}" if item.attribute else item.module, path)
