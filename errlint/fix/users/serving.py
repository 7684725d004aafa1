"""Which framework serves an adapter, and so answers what the adapter raises."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import suppress

from errlint.facts import Function, Import
from errlint.fix.model import Refusal, refuse
from errlint.fix.sources import Files
from errlint.project import Project
from errlint.project.frameworks import FRAMEWORKS, Framework, imported_from

MAX_IMPORTS = 4
"""Through how many modules the object of a server is followed."""

_REGISTERS = frozenset(framework.registers for framework in FRAMEWORKS)


def served_by(project: Project, files: Files, path: str, function: Function) -> Framework:
    """Return the framework that answers what an adapter raises.

    Raises :class:`errlint.fix.model.Refusal` where that cannot be told, or where none is known to answer.
    """
    boundaries = project.boundaries
    if boundaries.is_resource(path, function) or boundaries.is_prompt(path, function):
        raise refuse(f"no boundary covers `{function.name}`, which is no tool", path, function.span.line)
    names = [name for name in function.decorators if project.registers(name)]
    for name in names:
        server, _, last = name.rpartition(".")
        if last in _REGISTERS and server:
            return _of_object(project, files, path, function, server, last)
    if names or not project.is_registered(path, function):
        shown = f"`@{names[0]}`" if names else "the class that it belongs to"
        raise refuse(f"it is not known what {shown} makes of an exception", path, function.span.line)
    return _only(_in_distribution(files, path, "tool"), path, function, "what it is registered with")


def _of_object(project: Project, files: Files, path: str, function: Function, server: str, registers: str) -> Framework:
    """Return the framework of the object that a decorator belongs to."""
    name = server.removeprefix("self.").partition(".")[0]
    found = _of_name(project, files, path, name, registers, 0)
    if found is None:
        return _only(_in_distribution(files, path, registers), path, function, f"`{server}`")
    return found


def _of_name(project: Project, files: Files, path: str, name: str, registers: str, depth: int) -> Framework | None:
    """Return the framework of a server by its name in a file: as it is made or annotated there, or imported."""
    imports = files.imports(path)
    made = {
        framework
        for text in files.once(_made_of, (path, name))
        if (framework := _of_text(imports, text)) is not None and framework.registers == registers
    }
    if len(made) == 1:
        return made.pop()
    for item in imports:
        source = project.layout.find(project.layout.absolute(item.module, path), path)
        if item.name == name and source is not None and item.attribute and depth < MAX_IMPORTS:
            with suppress(Refusal):
                return _of_name(project, files, source, item.attribute, registers, depth + 1)
    found = set(_imported(imports, registers))
    return found.pop() if len(found) == 1 and not made else None


def _made_of(files: Files, about: tuple[str, str]) -> frozenset[str]:
    """Return the dotted names that a variable, an attribute or a parameter of a file is made by or annotated with."""
    path, name = about
    return frozenset(_makers(files.tree(path), name))


def _makers(tree: ast.Module, name: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            if any(_last(target) == name for target in node.targets) and isinstance(node.value, ast.Call):
                yield ast.unparse(node.value.func)
        elif isinstance(node, ast.AnnAssign):
            if _last(node.target) == name:
                yield ast.unparse(node.annotation)
        elif isinstance(node, ast.arg) and node.arg == name and node.annotation is not None:
            yield ast.unparse(node.annotation)


def _last(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _of_text(imports: Iterable[Import], text: str) -> Framework | None:
    """Return the framework of a class as a file writes it, in quotes and with parameters too."""
    root, _, rest = text.strip("'\"").partition("[")[0].partition(".")
    for item in imports:
        if item.name == root:
            return imported_from(".".join(filter(None, (item.module, item.attribute, rest))))
    return None


def _imported(imports: Iterable[Import], registers: str) -> Iterator[Framework]:
    for item in imports:
        found = imported_from(".".join(filter(None, (item.module, item.attribute))))
        if found is not None and found.registers == registers:
            yield found


def _in_distribution(files: Files, path: str, registers: str) -> frozenset[Framework]:
    """Return the frameworks that the distribution of a file imports."""
    return files.once(_frameworks, (tuple(files.naming(path, ("fastmcp", "mcp"))), registers))


def _frameworks(files: Files, about: tuple[tuple[str, ...], str]) -> frozenset[Framework]:
    paths, registers = about
    found: set[Framework] = set()
    for other in paths:
        with suppress(Refusal):  # what cannot be read imports nothing
            found.update(_imported(files.imports(other), registers))
    return frozenset(found)


def _only(found: frozenset[Framework], path: str, function: Function, server: str) -> Framework:
    if len(found) == 1:
        return next(iter(found))
    what = "no framework that answers exceptions is known here" if not found else "it may be of several frameworks"
    raise refuse(f"no boundary is configured, and {what}: {server}", path, function.span.line)
