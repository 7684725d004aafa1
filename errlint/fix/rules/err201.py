"""ERR201: the boundary is put on an adapter, told its operation and what its empty answer has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from errlint.checks.err204_malformed_operation import operation_of
from errlint.facts import Call, Function
from errlint.findings import Finding
from errlint.fix.bindings import is_stable_name
from errlint.fix.model import Doubt, refuse
from errlint.fix.raising.handling import needed
from errlint.fix.raising.imports import known_as
from errlint.fix.rewrite import Changes, called
from errlint.fix.rules.empty_result import definition, emptied
from errlint.fix.rules.node_lookup import Fixed, function_at, in_style, quoted
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SourceFile
from errlint.index.bindings import FunctionNode, assigned_names
from errlint.project import Project
from errlint.project.boundary import Covered
from errlint.project.decorators import BINDING
from errlint.project.names import FunctionSymbol
from errlint.project.operations import filled, spellings
from errlint.regular import compiled
from errlint.settings import Boundary
from errlint.settings.policy import bare_name
from errlint.trees import walk

_FIRST = BINDING | {"property", "override"}
"""Decorators that stay above any other."""

_LITERAL = re.compile(r"(?:[\w:/ -]|\\[.:/-])+")
"""What a pattern begins with that stands for itself."""

_OBJECTS = ("dict", "Dict", "Mapping", "Any", "object", "TypedDict")


def plan(project: Project, files: Files, finding: Finding) -> Fixed:
    """Return the fix of one finding: the first boundary of the policy as a decorator, and its import."""
    path = finding.path
    boundary = next((item for item in project.policy(path).boundaries if item.decorator), None)
    function = project.names.function(path, finding.function)
    if boundary is None:
        raise refuse("the boundary is no decorator: add its middleware to the server")
    if function is None:
        raise refuse("its definition was not found")
    parsed = files.parse(path)
    node = function_at(parsed, finding.span)
    symbol = _decorator(project, boundary)
    known = known_as(project, files, parsed, symbol, function.name.rpartition(".")[0])
    if not is_stable_name(parsed, None, known.name):
        raise refuse(f"`{known.name}` is bound more than once")
    if symbol.path == path and symbol.function.span.line > finding.span.line:
        raise refuse(f"`{known.name}` is defined below it", path, symbol.function.span.line)
    arguments, doubts = _arguments(project, files, parsed, function, boundary, symbol)
    text = known.name
    if arguments or not _is_bare(project, files, boundary, symbol):
        text = called(parsed, text, arguments, parsed.column(node) + len("@"))
    doubts.append(Doubt(f"clients get the boundary's answer, where they got what `{node.name.value}` raises"))
    doubts.extend(_declared(parsed, files, path, function, boundary))
    texts = [parsed.code(item.decorator) for item in node.decorators]
    at = _place(project, path, function)
    changes = Changes(decorated=((node, (*texts[:at], text, *texts[at:])),), imports=needed(known.needed))
    return Fixed({path: changes}, tuple(doubts))


def _place(project: Project, path: str, function: Function) -> int:
    """Return the place of the boundary among the decorators: right below what registers the function."""
    first = (index for index, name in enumerate(function.decorators) if name.rpartition(".")[2] in _FIRST)
    return max((*project.adapters.registering(path, function), *first), default=-1) + 1


def _decorator(project: Project, boundary: Boundary) -> FunctionSymbol:
    """Return the definition of a boundary's decorator.

    Raises :class:`errlint.fix.model.Refusal` where the project has none, or several.
    """
    found = [each for each in project.domain.functions(boundary.decorator) if "." not in each.function.name]
    last = bare_name(boundary.decorator)
    if len(found) != 1:
        raise refuse(f"`{last}` is {'defined more than once' if found else 'no function of the project'}")
    return found[0]


def _is_bare(project: Project, files: Files, boundary: Boundary, symbol: FunctionSymbol) -> bool:
    """Whether a decorator takes the function itself, and is no function that makes one: as others use it, or by itself.

    Raises :class:`errlint.fix.model.Refusal` where that cannot be told.
    """
    for item in project.boundaries.decorated():
        used = definition(files, item.path, item.function) if item.cover.boundary == boundary else None
        if used is not None:
            return not isinstance(used.decorator_list[item.cover.position], ast.Call)
    node = definition(files, symbol.path, symbol.function)
    own = {item.name for item in symbol.function.parameters}
    if node is not None:
        wrapped = {
            ast.unparse(call.args[0])
            for call in walk(node)
            if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] == "wraps" and call.args
        }
        if wrapped:
            return not wrapped.isdisjoint(own)
        if not any(item.default is None and item.kind == "" for item in symbol.function.parameters):
            return False
        inner = [item for item in node.body if isinstance(item, FunctionNode)]
        if len(inner) == 1 and not any(
            isinstance(item, FunctionNode) for item in walk(inner[0]) if item is not inner[0]
        ):
            return True
    raise refuse(f"it cannot be told how `{symbol.function.name}` decorates", symbol.path, symbol.function.span.line)


def _arguments(
    project: Project, files: Files, parsed: SourceFile, function: Function, boundary: Boundary, symbol: FunctionSymbol
) -> tuple[list[str], list[Doubt]]:
    """Return the arguments of the decorator as texts, and what is in doubt about them.

    Raises :class:`errlint.fix.model.Refusal` where one that it needs is not known.
    """
    path = parsed.path
    doubts: list[Doubt] = []
    given: dict[str, str] = {}
    parameters = [item for item in symbol.function.parameters if item.kind in ("", "kw")]
    names = {item.name for item in parameters}
    takes_more = any(item.kind == "**" for item in symbol.function.parameters)
    if boundary.operation and (boundary.operation in names or takes_more):
        given[boundary.operation] = quoted(parsed, _operation(project, parsed, function, boundary))
    if boundary.empty_result and (boundary.empty_result in names or takes_more):
        found = emptied(project, files, path, function, frozenset(boundary.envelope))
        if found.has_answers:
            entries = ", ".join(
                f"{quoted(parsed, key)}: {in_style(parsed, text)}" for key, text in found.entries.items()
            )
            given[boundary.empty_result] = f"{{{entries}}}"
            doubts.extend(Doubt(f"it cannot be told what is empty for `{key}`") for key in found.unknown)
        elif any(item.name == boundary.empty_result and item.default is None for item in parameters):
            given[boundary.empty_result] = "{}"
            doubts.append(Doubt(f"it cannot be told what is empty in the answer of `{function.name}`"))
        if not found.is_whole:
            doubts.append(Doubt(f"not all answers of `{function.name}` are dicts that can be read"))
    if given or not _is_bare(project, files, boundary, symbol):
        for item in parameters:
            if item.default is None and item.name not in given:
                text = f"`{symbol.function.name}` needs `{item.name}`, which cannot be told from the adapter"
                raise refuse(text, path, function.span.line)
    return _spelt(project, boundary, given, [item.name for item in parameters if item.kind == ""]), doubts


def _spelt(project: Project, boundary: Boundary, given: dict[str, str], positional: list[str]) -> list[str]:
    """Return the arguments as the project writes them: its other uses may pass the operation by position."""
    uses = [
        item.cover.value
        for item in project.boundaries.decorated()
        if item.cover.boundary == boundary and type(item.cover.value) is Call
    ]
    by_position = sum(bool(use.arguments) and not use.arguments[0].name for use in uses)
    first = positional[0] if positional else ""
    return [
        text if name == first == boundary.operation and by_position * 2 > len(uses) else f"{name}={text}"
        for name, text in given.items()
    ]


def _operation(project: Project, parsed: SourceFile, function: Function, boundary: Boundary) -> str:
    """Return the operation of an adapter: its name, as the policy's pattern and the other adapters spell operations.

    Raises :class:`errlint.fix.model.Refusal` where no spelling fits.
    """
    path = parsed.path
    name = _name(project, parsed, function)
    if boundary.operation_template:
        own = function.name.rpartition(".")[2]
        return filled(boundary.operation_template, project.layout.module_name(path), own, name)
    distribution = project.layout.distribution(path)
    prefixes: list[str] = []
    for same_file in (True, False):
        found = {
            operation.removesuffix(own)
            for item in project.boundaries.decorated()
            if (item.path == path if same_file else project.layout.distribution(item.path) == distribution)
            and (operation := operation_of(project, Covered(item.path, item.function, item.cover)))
            and operation.endswith(own := item.function.name.rpartition(".")[2])
        }
        prefixes.extend(found if len(found) == 1 else ())
    module = project.layout.module_name(path).rpartition(".")[2]
    literal = _LITERAL.match(boundary.operation_pattern)
    prefixes.append(literal.group().replace("\\", "") if literal else "")
    for prefix in (*prefixes, "", f"{module}.", f"{module}:", f"{module}_", f"{module}/"):
        for spelt in (name, name.replace("_", "-")):
            if not boundary.operation_pattern or compiled(boundary.operation_pattern).matches(prefix + spelt):
                return prefix + spelt
    raise refuse(f"no operation made of `{name}` matches `{boundary.operation_pattern}`")


def _name(project: Project, parsed: SourceFile, function: Function) -> str:
    """Return the name of an adapter: of the function, or for the method of a tool class the class's."""
    short = function.name.rpartition(".")[2]
    owner = project.names.enclosing_class(parsed.path, function.name) if function.owner else None
    if owner is None or project.adapters.registering(parsed.path, function):
        return short
    own = owner.definition.name.rpartition(".")[2]
    for node in walk(parsed.tree):
        if isinstance(node, ast.ClassDef) and node.name == own:
            return _said(node) or [*spellings(own)][-1]
    return short


def _said(node: ast.ClassDef) -> str:
    """Return the text that is a class's ``name``, by an attribute or a property; "" for none."""
    for item in node.body:
        value = dict(assigned_names(item)).get("name")
        if isinstance(item, ast.FunctionDef) and item.name == "name":
            last = item.body[-1]
            value = last.value if isinstance(last, ast.Return) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return value.value
    return ""


def _declared(parsed: SourceFile, files: Files, path: str, function: Function, boundary: Boundary) -> Iterator[Doubt]:
    """Yield the doubt that an adapter declares another kind of answer than the boundary's object."""
    node = definition(files, path, function)
    if node is None or node.returns is None or not boundary.envelope:
        return
    text = ast.unparse(node.returns).strip("'\"")
    if not any(re.search(rf"\b{name}\b", text) for name in _OBJECTS):
        yield Doubt(f"it is declared to answer `{text}`, and the boundary answers an object", path, node.lineno)
