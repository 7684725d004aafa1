"""Whether a value is one that an annotation allows, as far as both are written out."""

from __future__ import annotations

import ast

import libcst as cst

from errlint.fix.nodes import dotted_name, is_none
from errlint.fix.payload_extraction.effects import is_constant
from errlint.fix.payload_extraction.texts import is_text
from errlint.fix.source_file import SourceFile
from errlint.index.annotations import head, literals, members
from errlint.project import Project

_ANYTHING = frozenset({"Any", "object", "JSONValue", "JsonValue"})
_TEXTS = frozenset({"str", "LiteralString", "Text"})
_LISTS = frozenset({"list", "List", "Sequence", "Iterable", "Collection"})
_DICTS = frozenset({"dict", "Dict", "Mapping", "MutableMapping"})
_NUMBERS = {"bool": bool, "int": int, "float": float}


def fits(
    project: Project, parsed: SourceFile, annotation: ast.expr | None, value: cst.BaseExpression, at: cst.CSTNode
) -> bool | None:
    """Whether a value in the function around a node is one that an annotation allows; ``None`` where nobody can say."""
    if annotation is None:
        return True
    is_a_text = is_text(project, parsed, value, parsed.function(at))
    answers = [_fits(project, parsed, item, value, at, is_a_text=is_a_text) for item in members(annotation)]
    if True in answers:
        return True
    return None if None in answers or not answers else False


def _fits(
    project: Project,
    parsed: SourceFile,
    annotation: ast.expr,
    value: cst.BaseExpression,
    at: cst.CSTNode,
    *,
    is_a_text: bool,
) -> bool | None:
    name = head(annotation)
    if name in _ANYTHING:
        return True
    if name == "None" or is_none(value):
        return _certain(value, is_equal=name == "None" and is_none(value))
    if name == "Literal":
        own = evaluated(value)
        return _certain(value, is_equal=any(type(item) is type(own) and item == own for item in literals(annotation)))
    if name in _TEXTS:
        return True if is_a_text else False if is_constant(value) or _is_display(value) else None
    if name in _NUMBERS:
        if is_constant(value):
            return type(evaluated(value)) is _NUMBERS[name]
        return False if is_a_text or _is_display(value) else None
    if name in _LISTS:
        if not isinstance(value, cst.List):
            return False if is_a_text or is_constant(value) or isinstance(value, cst.Dict) else None
        inner = annotation.slice if isinstance(annotation, ast.Subscript) else None
        found = [
            fits(project, parsed, inner, item.value, at) if isinstance(item, cst.Element) else None
            for item in value.elements
        ]
        return False if False in found else None if None in found else True
    if name in _DICTS:
        if not isinstance(value, cst.Dict):
            return False if is_a_text or is_constant(value) or isinstance(value, cst.List) else None
        is_open = not isinstance(annotation, ast.Subscript) or ast.unparse(annotation.slice).endswith(" Any)")
        return True if is_open or not value.elements else None
    written = dotted_name(value)
    # A member of an enumeration; its value is another thing.
    is_member = "." in written and written.rpartition(".")[0].rpartition(".")[2] == name
    return True if is_member else None


class Nothing:
    """Equal to no value that is written out."""


def evaluated(value: cst.BaseExpression) -> object:
    """Return the value of a constant, :class:`Nothing` for anything else."""
    if isinstance(value, cst.Name):
        return {"None": None, "True": True, "False": False}.get(value.value, Nothing)
    if isinstance(value, (cst.SimpleString, cst.ConcatenatedString, cst.Integer, cst.Float)):
        return value.evaluated_value
    return Nothing


def _certain(value: cst.BaseExpression, *, is_equal: bool) -> bool | None:
    """Whether a value is what it has to be: of one that is not written out nobody can say."""
    if is_equal and evaluated(value) is not Nothing:
        return True
    return False if is_constant(value) or _is_display(value) or isinstance(value, cst.FormattedString) else None


def _is_display(value: cst.BaseExpression) -> bool:
    return isinstance(value, (cst.Dict, cst.List, cst.Tuple, cst.Set))
