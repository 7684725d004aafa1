"""Which framework serves an adapter, and so answers what the adapter raises."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import suppress

from errlint.facts import Function, Import
from errlint.fix.callers.agents import answering, is_of_agents
from errlint.fix.callers.receiver_types import Definition, definition_of
from errlint.fix.model import Refusal, refuse
from errlint.fix.source_cache import Files
from errlint.index.bindings import FunctionNode, given_to, parameters
from errlint.project import Project
from errlint.project.frameworks import AGENTS, FRAMEWORKS, PROMPTS, RESOURCES, Framework, imported_from
from errlint.project.names import ClassSymbol
from errlint.settings.policy import bare_name
from errlint.trees import last_name, walk

MAX_IMPORTS = 4
"""Through how many modules the object of a server is followed."""

_FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef

_REGISTERS = frozenset(framework.registers for framework in FRAMEWORKS)


def served_by(project: Project, files: Files, path: str, function: Function) -> Framework:
    """Return the framework that answers what an adapter raises.

    Raises :class:`errlint.fix.model.Refusal` where that cannot be told, or where none is known to answer.
    """
    boundaries = project.boundaries
    is_prompt = boundaries.is_prompt(path, function)
    if not is_prompt and not boundaries.is_resource(path, function):
        return _of_tools(project, files, path, function)
    known = PROMPTS if is_prompt else RESOURCES
    names = (name.rpartition(".") for name in function.decorators)
    server, last = next(((server, last) for server, _, last in names if server and last in known), ("", ""))
    found = (
        _of_object(project, files, path, function, server, known[last])
        if server
        else _of_registration(project, files, path, function)
    )
    answering_it = None if found is None else found.of_prompts() if is_prompt else found.of_resources()
    if answering_it is None:
        raise refuse(f"no boundary covers `{function.name}`, which is no tool", path, function.span.line)
    return answering_it


def _of_tools(project: Project, files: Files, path: str, function: Function) -> Framework:
    """Return the framework that answers what a tool raises."""
    names = [function.decorators[index] for index in project.adapters.registering(path, function)]
    if is_of_agents(project, files, path, function):
        if answering(project, files, path, function) is None:
            raise refuse(
                "LangChain ends an agent with what a tool raises, unless `handle_tool_error` of the tool, "
                "`handle_tool_errors` of its node or a `wrap_tool_call` that returns a message answers it",
                path,
                function.span.line,
            )
        return AGENTS
    for name in names:
        server, _, last = name.rpartition(".")
        if last in _REGISTERS and server:
            return _of_object(project, files, path, function, server, last)
    if collecting(project, files, path, function):
        return _only(_in_distribution(files, path, "tool"), path, function, f"`@{names[0]}`")
    is_registered = project.adapters.is_registered(path, function)
    if names:
        raise refuse(f"it is not known what `@{names[0]}` makes of an exception", path, function.span.line)
    if function.owner and not is_registered:
        base, place = project.adapters.tool_base(path, function), _place_of_base(project, path, function)
        shown = f"`{base}`" if base else "the class that it belongs to"
        raise refuse(f"it is not known what {shown} makes of an exception", *place)
    if project.sites.answers_all_tools(path, function):
        raise refuse(
            f"the server answers an error of the protocol for what `{function.name}` raises, and tools return a "
            '`CallToolResult` there: set `style = "return"`',
            path,
            function.span.line,
        )
    known = _of_registration(project, files, path, function)
    serves = "what it is registered with" if is_registered else "what serves it"
    return known or _only(_in_distribution(files, path, "tool"), path, function, serves)


def _place_of_base(project: Project, path: str, function: Function) -> tuple[str, int]:
    """Return where the class is defined that makes a tool of a method, or where one of the project is put below it."""
    base, owner = project.adapters.tool_base(path, function), project.names.enclosing_class(path, function.name)
    for each in project.hierarchy.bases(owner) if owner is not None else ():
        above = {bare_name(name): project.names.resolve(each.path, name) for name in each.definition.bases}
        is_it = bare_name(each.definition.name) == base and each != owner
        if is_it or (base in above and not isinstance(above[base], ClassSymbol)):
            return each.path, each.definition.span.line
    return path, function.span.line


def _of_registration(project: Project, files: Files, path: str, function: Function) -> Framework | None:
    """Return the framework of the objects that a function is handed to, also by functions of the project."""
    found = {
        _of_name(project, files, each.path, each.use.receiver.split(".")[-2], _kind(each.use.receiver), 0)
        for caller in project.callers.may(path, function)
        for each in project.adapters.registrations(caller)
        if "." in each.use.receiver
    } - {None}
    return found.pop() if len(found) == 1 else None


def _kind(receiver: str) -> str:
    """Return how a server registers tools that is handed a function: as ``call_tool`` alone, or any other one."""
    last = bare_name(receiver)
    return last if last in _REGISTERS else {**RESOURCES, **PROMPTS}.get(last, "tool")


def collecting(project: Project, files: Files, path: str, function: Function) -> str:
    """Return the decorator of the project that makes a tool of a function, "" where an object of a server does."""
    names = [function.decorators[index] for index in project.adapters.registering(path, function)]
    if any(name.rpartition(".")[2] in _REGISTERS and "." in name for name in names):
        return ""
    return next((name for name in names if definition_of(project, files, path, name) is not None), "")


def _of_object(project: Project, files: Files, path: str, function: Function, server: str, registers: str) -> Framework:
    """Return the framework of the object that a decorator belongs to."""
    name = server.removeprefix("self.").partition(".")[0]
    found = _of_name(project, files, path, name, registers, 0)
    if found is None:
        return _only(_in_distribution(files, path, registers), path, function, f"`{server}`")
    return found


def _of_name(project: Project, files: Files, path: str, name: str, registers: str, depth: int) -> Framework | None:
    """Return the framework of a server by its name in a file: as it is made or annotated there, or imported.

    Where callers hand it over, it is theirs: an annotation may name another class of the same name.
    """
    given = {
        _of_name(project, files, other, handed, registers, depth + 1)
        for other, handed in _handed_over(project, files, path, name)
        if depth < MAX_IMPORTS
    }
    known = given - {None}
    if len(known) == 1:
        return known.pop()
    imports = files.imports(path)
    made = {
        framework
        for text in files.once(_made_of, (path, name))
        if (framework := _of_text(imports, text)) is not None and framework.registers == registers
    }
    if len(made) == 1:
        return made.pop()
    for item in imports:
        source = project.names.find(item.module, path)
        if item.name == name and source is not None and item.attribute and depth < MAX_IMPORTS:
            with suppress(Refusal):
                return _of_name(project, files, source, item.attribute, registers, depth + 1)
    found = set(_imported(imports, registers))
    return found.pop() if len(found) == 1 and not made and len(given) < 2 else None


def _handed_over(project: Project, files: Files, path: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield what the callers of functions of a file hand over for a parameter, as a file and the last part of a name.

    That is "" for what has no name.
    """
    for node in files.once(_taking, (path, name)):
        for other in files.naming(path, (node.name,)):
            for use in files.uses_of(other, node.name):
                meant = definition_of(project, files, other, ast.unparse(use.node))
                for call in walk(use.statement):
                    if meant == Definition(path, node) and isinstance(call, ast.Call) and call.func is use.node:
                        value = given_to(call, node.args, name)
                        yield other, last_name(value) if value is not None else ""


def _taking(files: Files, about: tuple[str, str]) -> tuple[_FunctionNode, ...]:
    """Return the functions at the top of a file that have a parameter."""
    path, name = about
    functions = (node for node in files.tree(path).body if isinstance(node, FunctionNode))
    return tuple(node for node in functions if any(item.arg == name for item in parameters(node.args)))


def _made_of(files: Files, about: tuple[str, str]) -> frozenset[str]:
    """Return the dotted names that a variable, an attribute or a parameter of a file is made by or annotated with."""
    path, name = about
    return frozenset(_makers(files.tree(path), name))


def _makers(tree: ast.Module, name: str) -> Iterator[str]:
    for node in walk(tree):
        if isinstance(node, ast.Assign):
            if any(last_name(target) == name for target in node.targets) and isinstance(node.value, ast.Call):
                yield ast.unparse(node.value.func)
        elif isinstance(node, ast.AnnAssign):
            if last_name(node.target) == name:
                yield ast.unparse(node.annotation)
        elif isinstance(node, ast.arg) and node.arg == name and node.annotation is not None:
            yield ast.unparse(node.annotation)


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
    """Return the frameworks that the distribution of a file imports; of several those of which it makes a server."""
    about = (tuple(files.naming(path, ("fastmcp", "mcp"))), registers)
    found = files.once(_frameworks, about)
    return (files.once(_frameworks_of_servers, about) or found) if len(found) > 1 else found


def _frameworks(files: Files, about: tuple[tuple[str, ...], str]) -> frozenset[Framework]:
    paths, registers = about
    found: set[Framework] = set()
    for other in paths:
        with suppress(Refusal):  # what cannot be read imports nothing
            found.update(_imported(files.imports(other), registers))
    return frozenset(found)


def _frameworks_of_servers(files: Files, about: tuple[tuple[str, ...], str]) -> frozenset[Framework]:
    """Return the frameworks whose classes are called: what is only annotated with one serves nobody."""
    paths, registers = about
    found: set[Framework] = set()
    for other in paths:
        with suppress(Refusal):
            imports = files.imports(other)
            calls = (node for node in walk(files.tree(other)) if isinstance(node, ast.Call))
            found.update(
                framework
                for node in calls
                if (framework := _of_text(imports, ast.unparse(node.func))) is not None
                and framework.registers == registers
            )
    return frozenset(found)


def _only(found: frozenset[Framework], path: str, function: Function, server: str) -> Framework:
    if len(found) == 1:
        return next(iter(found))
    what = "no framework that answers exceptions is known here" if not found else "it may be of several frameworks"
    raise refuse(f"no boundary is configured, and {what}: {server}", path, function.span.line)
