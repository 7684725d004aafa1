"""What tests put in the place of a function: mocks and functions of their own that answer an error in its stead."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from errlint.fix.bound import FunctionNode
from errlint.fix.parsed import Parsed
from errlint.words import ERROR_KEYS, ERROR_STATUS, STATUS_KEYS, SUCCESS_KEYS

_PATCHES = frozenset({"patch", "object", "setattr", "setitem", "Mock", "MagicMock", "AsyncMock"})
_ANSWERS = frozenset({"return_value", "side_effect", "new", "value"})
_PARTS = re.compile(r"\w+")


def stand_in(parsed: Parsed, short: str) -> int:
    """Return the line of a test that lets something else answer an error for a function, 0 for none.

    ``short`` is the last part of the function's name.
    """
    values = _values(parsed.tree)
    for node in ast.walk(parsed.tree):
        if isinstance(node, (ast.ClassDef, ast.Call)) and _is_fake(node, short, values):
            return node.lineno
        if isinstance(node, ast.Call) and _is_patch(node, short):
            given = [item.value for item in node.keywords if item.arg in _ANSWERS]
            given += [item for item in node.args if not isinstance(item, ast.Constant)]
            if any(_answers_error(item, values) for item in given):
                return node.lineno
        if isinstance(node, ast.Assign) and short in _attributes(node) and _answers_error(node.value, values):
            return node.lineno
    named = re.compile(rf"(?:mock_|fake_|patched_)?{re.escape(short)}")
    for scope in (parsed.tree, *(node for node in ast.walk(parsed.tree) if isinstance(node, FunctionNode))):
        mocks = set(_mocks(scope, short))
        for node in ast.walk(scope):
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            if not isinstance(node, ast.Assign) or not isinstance(target, ast.Attribute):
                continue
            words = _PARTS.findall(ast.unparse(target.value))
            is_mock = not mocks.isdisjoint(words[:1]) or any(named.fullmatch(word) for word in words)
            if target.attr in _ANSWERS and is_mock and _answers_error(node.value, values):
                return node.lineno
    return 0


def _is_fake(node: ast.ClassDef | ast.Call, short: str, values: Mapping[str, list[ast.AST]]) -> bool:
    """Whether something makes an object with a method of the name that answers an error."""
    if isinstance(node, ast.ClassDef):
        methods = (item for item in node.body if isinstance(item, FunctionNode) and item.name == short)
        return any(_answers_error(item, values) for item in methods)
    return any(item.arg == short and _answers_error(item.value, values) for item in node.keywords)


def _attributes(node: ast.Assign) -> Iterator[str]:
    """Yield the names of the attributes that an assignment gives a value."""
    for item in (item for target in node.targets for item in ast.walk(target)):
        if isinstance(item, ast.Attribute) and isinstance(item.ctx, ast.Store):
            yield item.attr


def _values(tree: ast.Module) -> Mapping[str, list[ast.AST]]:
    """Return what the names of a file are given, functions among them."""
    found: dict[str, list[ast.AST]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
        elif isinstance(node, FunctionNode):
            found.setdefault(node.name, []).append(node)
    return found


def _is_patch(node: ast.AST, short: str) -> bool:
    """Whether something is a call that puts something else in the place of a function."""
    if not isinstance(node, ast.Call):
        return False
    words = {item.attr if isinstance(item, ast.Attribute) else item.id for item in _names(node.func)}
    return bool(words & _PATCHES) and any(
        isinstance(item, ast.Constant) and isinstance(item.value, str) and item.value.rpartition(".")[2] == short
        for item in node.args
    )


def _mocks(scope: ast.AST, short: str) -> Iterator[str]:
    """Yield the names that a test has for what it puts in the place of a function."""
    for node in ast.walk(scope):
        if isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                if _is_patch(item.context_expr, short) and isinstance(item.optional_vars, ast.Name):
                    yield item.optional_vars.id
        elif isinstance(node, ast.Assign) and _is_patch(node.value, short) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id
    if isinstance(scope, FunctionNode):
        # each `@patch(...)` that is told nothing to put in adds an argument, the lowest one first
        names = [item.arg for item in scope.args.args if item.arg not in ("self", "cls")]
        added = [item for item in reversed(scope.decorator_list) if _adds_argument(item)]
        yield from (name for name, item in zip(names, added, strict=False) if _is_patch(item, short))


def _adds_argument(node: ast.expr) -> bool:
    is_patch = isinstance(node, ast.Call) and re.search(r"\bpatch(?:\.object)?$", ast.unparse(node.func)) is not None
    if not is_patch or not isinstance(node, ast.Call):
        return False
    own = 2 if ast.unparse(node.func).endswith(".object") else 1
    return len(node.args) <= own and not any(item.arg == "new" for item in node.keywords)


def _names(node: ast.expr) -> Iterator[ast.Name | ast.Attribute]:
    if isinstance(node, ast.Attribute):
        yield node
        yield from _names(node.value)
    elif isinstance(node, ast.Name):
        yield node


def _answers_error(node: ast.AST, values: Mapping[str, list[ast.AST]]) -> bool:
    """Whether an error payload is written out in an expression, or in what its names stand for in the file."""
    found: list[ast.AST] = [node]
    found += [value for item in ast.walk(node) if isinstance(item, ast.Name) for value in values.get(item.id, ())]
    return any(isinstance(item, ast.Dict) and _is_error(item) for each in found for item in ast.walk(each))


def _is_error(node: ast.Dict) -> bool:
    """Whether a dict says that there is an error."""
    values = {
        str(key.value): value.value if isinstance(value, ast.Constant) else value
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant)
    }
    if any(ERROR_STATUS.fullmatch(str(values[key])) for key in values.keys() & STATUS_KEYS):
        return True
    told = values.keys() & SUCCESS_KEYS
    return bool(values.keys() & ERROR_KEYS) or any(isinstance(values[key], ast.AST) or not values[key] for key in told)
