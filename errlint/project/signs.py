"""By which parts of its answer a caller can tell that a function has failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errlint.error_keywords import RESULT_KEYS
from errlint.facts import Call, Choice, Mapping, Value, Variable
from errlint.project.names import ClassSymbol, FunctionSymbol
from errlint.project.payload_shapes import FormKind

if TYPE_CHECKING:
    from errlint.project import Project


def is_unchecked(project: Project, callee: FunctionSymbol, parts: tuple[str, ...]) -> bool:
    """Whether a caller that reads some parts of an answer never looks at one that tells an error from a success.

    Only where everything that the function answers is known, and all the parts that are read.
    """
    errors: list[frozenset[str]] = []
    others: list[frozenset[str]] = []
    for found in callee.function.returns:
        form = project.classifier.classify(callee.path, callee.function, found)
        if form is not None and form.kind not in (FormKind.PAYLOAD, FormKind.OBJECT):
            return False
        fields = _fields(project, callee, found.value, set(parts))
        if fields is None:
            return False
        (others if form is None else errors).append(fields)
    if not errors or not others or callee.function.ends:
        return False
    shared = frozenset.intersection(*others)
    known = frozenset().union(*errors, *others)
    signs = frozenset().union(*(item - shared for item in errors))
    return all(part in known and part not in signs and part.lower() not in RESULT_KEYS for part in parts)


def _fields(project: Project, callee: FunctionSymbol, value: Value, parts: set[str]) -> frozenset[str] | None:
    """Return the keys or fields that an answer is made with, ``None`` where they are not known."""
    if type(value) is Variable or type(value) is Choice:
        each = [_fields(project, callee, item, parts) for item in value.values]
        return frozenset().union(*(item for item in each if item is not None)) if None not in each else None
    if type(value) is Mapping:
        names = [entry.key for entry in value.entries if entry.key is not None]
        return frozenset(names) if len(names) == len(value.entries) and not value.spreads else None
    if type(value) is not Call:
        return None
    symbol = project.names.resolve(callee.path, value.name, callee.function.name) if value.name else None
    made = project.domain.construction(callee.path, callee.function.name, value)
    if not isinstance(symbol, ClassSymbol) or made is None or made.is_open or made.has_more:
        return None
    line = [(base.path, f"{base.definition.name}.") for base in project.hierarchy.bases(symbol)]
    if any(project.names.function(path, owner + part) for path, owner in line for part in parts):
        return None  # a property may look at all of it
    return frozenset(made.passed)
