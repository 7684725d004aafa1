"""Of what kind a value is, told by the expression that makes it: which empty value stands for it."""

from __future__ import annotations

import ast
from typing import NamedTuple

from errlint.index.annotations import head, members
from errlint.index.bindings import only_assigned, only_target, parameters, variable_of
from errlint.project import Project
from errlint.project.names import FunctionSymbol
from errlint.trees import walk

_DEPTH = 6

_TEXT, _NUMBER, _NO, _LIST, _DICT, _NONE = '""', "0", "False", "[]", "{}", "None"

_CALLS = {
    **dict.fromkeys(("str", "repr", "format", "ascii", "chr"), _TEXT),
    **dict.fromkeys(("len", "int", "float", "sum", "round", "abs", "ord"), _NUMBER),
    **dict.fromkeys(("bool", "any", "all", "isinstance", "hasattr", "callable"), _NO),
    **dict.fromkeys(("list", "sorted", "tuple", "set"), _LIST),
    "dict": _DICT,
}
"""Builtin functions by the empty value of what they answer."""

_METHODS = {
    **dict.fromkeys(
        ("join", "strip", "lstrip", "rstrip", "lower", "upper", "title", "decode", "isoformat", "strftime", "hexdigest",
         "format", "replace", "capitalize", "read_text", "as_posix", "getvalue", "dumps"),
        _TEXT,
    ),
    **dict.fromkeys(("split", "splitlines", "rsplit", "tolist", "readlines", "fetchall"), _LIST),
    **dict.fromkeys(("startswith", "endswith", "exists", "is_file", "is_dir", "isdigit"), _NO),
    **dict.fromkeys(("model_dump", "to_dict", "_asdict", "asdict"), _DICT),
    **dict.fromkeys(("time", "perf_counter", "monotonic", "total_seconds", "timestamp"), _NUMBER),
}  # fmt: skip
"""Methods and functions of modules, by their last names."""

_ANNOTATIONS = {
    "str": _TEXT, "int": _NUMBER, "float": _NUMBER, "bool": _NO, "list": _LIST, "List": _LIST, "tuple": _LIST,
    "Tuple": _LIST, "set": _LIST, "Sequence": _LIST, "Iterable": _LIST, "dict": _DICT, "Dict": _DICT, "Mapping": _DICT,
}  # fmt: skip


class FunctionScope(NamedTuple):
    """A function: its file, its qualified name and its definition."""

    path: str
    name: str
    node: ast.FunctionDef | ast.AsyncFunctionDef

    def stored(self, name: str) -> dict[str, ast.expr]:
        """Return what statements that always run put into the dict that a name holds: those in a ``try`` do so too."""
        found: dict[str, ast.expr] = {}
        pending = list(reversed(self.node.body))
        while pending:
            node = pending.pop()
            if isinstance(node, (ast.Try, ast.With, ast.AsyncWith)):
                pending.extend(reversed(node.body))
            target = only_target(node) if isinstance(node, ast.Assign) else None
            if (
                isinstance(node, ast.Assign)
                and isinstance(target, ast.Subscript)
                and isinstance(target.value, ast.Name)
                and target.value.id == name
                and isinstance(target.slice, ast.Constant)
                and isinstance(target.slice.value, str)
            ):
                found[target.slice.value] = node.value
        return found

    def annotation(self, name: str) -> ast.expr | None:
        """Return what is said of the type of a name: of a parameter, or where it is bound."""
        arguments = self.node.args
        for item in parameters(arguments):
            if item.arg == name:
                return item.annotation
        for node in walk(self.node):
            if isinstance(node, ast.AnnAssign) and variable_of(node) == name:
                return node.annotation
        return None


def empty_of(project: Project, node: ast.expr, scope: FunctionScope, depth: int = 0) -> str | None:
    """Return the empty value of the kind that an expression is of, as a text; ``None`` where that is not known."""
    deeper = depth + 1
    if depth > _DEPTH:
        return None
    if isinstance(node, ast.Constant):
        return _of_constant(node.value)
    if isinstance(node, ast.JoinedStr):
        return _TEXT
    if isinstance(node, (ast.List, ast.ListComp, ast.Tuple, ast.Set, ast.SetComp)):
        return _LIST
    if isinstance(node, (ast.Dict, ast.DictComp)):
        return _DICT
    if isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
        return _NO
    if isinstance(node, ast.IfExp):
        return _agreed([empty_of(project, item, scope, deeper) for item in (node.body, node.orelse)])
    if isinstance(node, ast.BoolOp):
        return _last_known([empty_of(project, item, scope, deeper) for item in node.values])
    if isinstance(node, ast.BinOp):
        found = [empty_of(project, item, scope, deeper) for item in (node.left, node.right)]
        return next((each for each in found if each in (_TEXT, _LIST)), _NUMBER if _NUMBER in found else None)
    if isinstance(node, ast.Await):
        return empty_of(project, node.value, scope, deeper)
    if isinstance(node, ast.Call):
        return _of_call(project, node, scope)
    if isinstance(node, ast.Name):
        annotation = scope.annotation(node.id)
        if annotation is not None:
            return of_annotation(annotation)
        values = only_assigned(scope.node, node.id)
        return _agreed([empty_of(project, item, scope, deeper) for item in values]) if values else None
    return None


def _of_constant(value: object) -> str | None:
    if value is None:
        return _NONE
    if isinstance(value, bool):
        return _NO
    if isinstance(value, str):
        return _TEXT
    return _NUMBER if isinstance(value, (int, float)) else None


def _agreed(found: list[str | None]) -> str | None:
    """Return what several values have in common; one that may be ``None`` is that when it is empty."""
    kinds = set(found)
    if len(kinds) == 2 and _NONE in kinds and None not in kinds:
        return _NONE
    return found[0] if len(kinds) == 1 else None


def _last_known(found: list[str | None]) -> str | None:
    return found[-1] if found[-1] is not None else None


def _of_call(project: Project, node: ast.Call, scope: FunctionScope) -> str | None:
    name = ast.unparse(node.func)
    if name in _CALLS:
        return _CALLS[name]
    if isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:
        return _METHODS[node.func.attr]
    symbol = project.names.resolve(scope.path, name, scope.name)
    return _METHODS.get(name) if not isinstance(symbol, FunctionSymbol) else None


def of_annotation(node: ast.expr) -> str | None:
    """Return the empty value of an annotated type, as a text."""
    found = [head(each) for each in members(node)]
    if len(found) > 1:
        return _NONE if "None" in found else None
    return _ANNOTATIONS.get(found[0])
