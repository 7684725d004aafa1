"""Operations: the name under which an adapter's errors are reported, by its boundary or by its own name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.facts import Call, Function, Value
from errlint.lazy import cached_property
from errlint.project.domain import matches
from errlint.project.drift.documented import definitions
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol
from errlint.settings.policy import Boundary, bare_name
from errlint.trees import walk

if TYPE_CHECKING:
    from errlint.project import Project

ARGUMENT = "operation"
"""What the argument of an error is called that names the operation."""

_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENDINGS = ("_tool", "_handler", "_adapter", "_impl", "_async", "_sync")


class Operation(NamedTuple):
    """The operation that a boundary has for a function, and the function that is decorated."""

    name: str
    function: Function


class Operations:
    """Answers which operation the errors of a function belong to."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def of_boundary(self, path: str, function: Function) -> Operation | None:
        """Return the operation that the boundary around a function, or one around it, is given."""
        current: Function | None = function
        while current is not None:
            for name, decoration in zip(current.decorators, current.decorations):  # noqa: B905 -- none, or all
                if type(decoration) is not Call:
                    continue
                for boundary in self._project.policy(path).boundaries:
                    value = self._argument(path, name, decoration, boundary)
                    text = self._project.fields.text(path, current.name, value)
                    if text:
                        return Operation(text, current)
            current = self._project.names.function(path, current.name.rpartition(".")[0])
        return None

    def _argument(self, path: str, name: str, decoration: Call, boundary: Boundary) -> Value | None:
        """Return the argument with the operation, by name or by position, where the decorator is the boundary's."""
        if not boundary.decorator or not boundary.operation:
            return None
        symbol = self._project.names.resolve(path, name)
        known = name
        if isinstance(symbol, (FunctionSymbol, ClassSymbol)):
            known = self._project.names.absolute(symbol)
        elif isinstance(symbol, ExternalSymbol):
            known = symbol.name
        if not matches(known, (boundary.decorator,)):
            last = bare_name(boundary.decorator)
            if symbol is not None or name.rpartition(".")[2] != last:
                return None
        positional: list[str] = []
        if isinstance(symbol, FunctionSymbol):
            positional = [item.name for item in symbol.function.parameters]
        place = positional.index(boundary.operation) if boundary.operation in positional else -1
        position = 0
        for argument in decoration.arguments:
            if argument.name == boundary.operation:
                return argument.value
            if argument.name == "":
                if position == place:
                    return argument.value
                position += 1
        return None

    def by_template(self, path: str, function: Function, template: str) -> tuple[str, ...]:
        """Return the operations that a function may have by a boundary's template, first that of its own name."""
        own = function.name.rpartition(".")[2]
        others = sorted(self.own_names(path, function) - {own}) if "{tool}" in template else ()
        module = self._project.layout.module_name(path)
        return tuple(filled(template, module, own, tool) for tool in (own, *others))

    def own_names(self, path: str, function: Function) -> frozenset[str]:
        """Return the names that a function may report its operation under, without regard to its boundary."""
        found: set[str] = set()
        parts = function.name.split(".")
        owner = self._project.names.enclosing_class(path, function.name)
        if owner is not None:
            parts.extend(owner.definition.name.split("."))
        parts.extend(path.removesuffix(".py").split("/")[-2:])
        for part in parts:
            found.update(spellings(part))
        return frozenset(found)

    def given_names(self, path: str, function: Function) -> Iterator[str]:
        """Yield the names that a tool is given as constants: by what registers it, or as the ``name`` of its class."""
        tree = self._project.documented.tree(path)
        around = {function.name[:end] for end, sign in enumerate(f"{function.name}.") if sign == "."}
        for name, node in definitions(tree) if tree is not None else ():
            for decorator in node.decorator_list if name in around else ():
                if isinstance(decorator, ast.Call):
                    yield from _texts(decorator.args[:1])
                    yield from _texts(item.value for item in decorator.keywords if item.arg == "name")
        owner = self._project.names.enclosing_class(path, function.name)
        for name, node in definitions(tree) if tree is not None else ():
            if owner is not None and name == f"{owner.definition.name}.name":  # a property
                yield from _texts(each.value for each in walk(node) if isinstance(each, ast.Return) and each.value)
        if owner is not None:
            for base in self._project.hierarchy.bases(owner):
                for entry in base.definition.members or ():
                    text = self._project.fields.text(base.path, "", entry.value) if entry.key == "name" else None
                    if text:
                        yield text

    @cached_property
    def adapters(self) -> dict[str, dict[str, tuple[str, Function]]]:
        """The adapters of each distribution by their names: of the function, or of the tool class around it."""
        found: dict[str, dict[str, tuple[str, Function]]] = {}
        for path, module in self._project.modules.items():
            distribution = self._project.layout.distribution(path)
            for function in module.functions:
                if self._project.adapters.is_adapter(path, function):
                    for name in self._adapter_names(path, function):
                        found.setdefault(distribution, {}).setdefault(name, (path, function))
        return found

    def _adapter_names(self, path: str, function: Function) -> Iterator[str]:
        owner = self._project.names.enclosing_class(path, function.name)
        if owner is not None and function.owner:
            yield from spellings(owner.definition.name.rpartition(".")[2])
        else:
            yield function.name.rpartition(".")[2]


def _texts(values: Iterable[ast.expr]) -> Iterator[str]:
    for value in values:
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value


def filled(template: str, module: str, function: str, tool: str) -> str:
    """Return a template for operations with its holes filled.

    >>> filled("{module}:{function}", "shop.files", "open_file", "open")
    'files:open_file'
    """
    last = module.rpartition(".")[2]
    return template.replace("{module}", last).replace("{function}", function).replace("{tool}", tool)


def spellings(name: str) -> Iterator[str]:
    """Yield how an operation may be spelt after a name: in snake case, with and without what names of tools end in."""
    snake = _WORD.sub("_", name).lower().strip("_")
    yield snake
    for ending in _ENDINGS:
        if snake.endswith(ending):
            yield snake.removesuffix(ending)


def last_part(operation: str) -> str:
    """Return the part of an operation that names the function: ``files:open_file``, ``files.open_file``."""
    return re.split(r"[:./ ]", operation.strip())[-1].replace("-", "_").lower()
