"""What tests put in the place of a function, or of a module: mocks, and functions and modules of their own."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from errlint.error_keywords import ERROR_KEYS, ERROR_STATUS, STATUS_KEYS, SUCCESS_KEYS
from errlint.fix.model import Doubt, Refusal, TestOutcome
from errlint.fix.raising.imports import Needed
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SourceFile
from errlint.index.bindings import FunctionNode, assigned_names
from errlint.trees import children, walk

_PATCHES = frozenset({"patch", "object", "setattr", "setitem", "Mock", "MagicMock", "AsyncMock"})
_ANSWERS = frozenset({"return_value", "side_effect", "new", "value"})
_PARTS = re.compile(r"\w+")


class _Mocked(NamedTuple):
    """What a test file has that may stand in for functions, by their last names, in the order of the text.

    ``mocks`` are the names that tests have for what they put in the place of a function, with the test for an argument
    (``None`` for a name of the file). ``told`` are the assignments that say what such a name answers, with the words
    of its target and the tests around it. ``answering`` are the names of the file that stand for an error payload.
    """

    nodes: Mapping[str, Sequence[ast.ClassDef | ast.Call | ast.Assign]]
    mocks: Mapping[str, Collection[tuple[str, ast.AST | None]]]
    told: Sequence[tuple[ast.Assign, Sequence[str], Collection[ast.AST]]]
    answering: Collection[str]


def stand_in(parsed: SourceFile, short: str) -> int:
    """Return the line of a test that lets something else answer an error for a function, 0 for none.

    ``short`` is the last part of the function's name.
    """
    mocked = parsed.once(_mocked)
    for node in mocked.nodes.get(short, ()):
        if _stands_in(node, short, mocked.answering):
            return node.lineno
    named = re.compile(rf"(?:mock_|fake_|patched_)?{re.escape(short)}")
    mocks = mocked.mocks.get(short, ())
    for assign, words, tests in mocked.told:
        is_mock = any(name in words[:1] and (test is None or test in tests) for name, test in mocks)
        if (is_mock or any(map(named.fullmatch, words))) and _answers_error(assign.value, mocked.answering):
            return assign.lineno
    return 0


def modules_without(files: Files, path: str, needed: Needed) -> Iterator[Doubt]:
    """Yield where tests put a module of their own in the place of one from which a file imports a name from now on.

    The file can no longer be imported then: their module has no such name, or is no package with such a module.
    """
    packages = {needed.module[: each.start()] for each in re.finditer(r"\.|$", needed.module)}
    for test in files.tests(path):
        if needed.module.startswith(".") or "modules" not in files.words(test):
            continue
        put: Mapping[str, int] = {}
        with suppress(Refusal):
            put = files.once(_modules_put, test)
        found = sorted(packages & put.keys())
        if found and not (needed.module in found and needed.name in files.words(test)):
            what = needed.module if needed.module not in found else needed.name
            text = f"a test puts a module without `{what}` in the place of `{found[-1]}`"
            text += ": all tests fail of what imports it now"
            yield Doubt(text, test, put[found[-1]], test=TestOutcome.FAILS)


def _modules_put(files: Files, path: str) -> Mapping[str, int]:
    """Return the names of the modules that a test file puts in the place of others, with their lines.

    Where a name in a variable is given, that may be any text of the file.
    """
    found: dict[str, int] = {}
    is_any = False
    nodes = walk(files.tree(path))
    for node in nodes:
        keys: Sequence[ast.expr | None] = ()
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and _is_modules(node.value):
            keys = (node.slice,)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            is_own = node.func.attr == "setdefault" and _is_modules(node.func.value)
            if is_own or (node.func.attr == "setitem" and node.args and _is_modules(node.args[0])):
                keys = node.args[:1] if is_own else node.args[1:2]
            elif node.func.attr in ("dict", "update") and any(map(_is_modules, (node.func.value, *node.args[:1]))):
                keys = [key for each in node.args for key in (each.keys if isinstance(each, ast.Dict) else ())]
        texts = [key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
        found.update(dict.fromkeys(texts, getattr(node, "lineno", 1)))
        is_any |= len(texts) < len(keys)
    for node in nodes if is_any else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.setdefault(node.value, node.lineno)
    return found


def _is_modules(node: ast.expr) -> bool:
    return ast.unparse(node).strip("'\"") == "sys.modules"


def _mocked(parsed: SourceFile) -> _Mocked:
    nodes: dict[str, list[ast.ClassDef | ast.Call | ast.Assign]] = {}
    mocks: dict[str, dict[tuple[str, ast.AST | None], None]] = {}
    told: list[tuple[ast.Assign, Sequence[str], Collection[ast.AST]]] = []
    pending: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(parsed.tree, ())]
    while pending:
        node, tests = pending.pop()
        if isinstance(node, (ast.ClassDef, ast.Call, ast.Assign)):
            for name in dict.fromkeys(_stood_in_for(node)):
                nodes.setdefault(name, []).append(node)
        for short, mock, test in _mocks(node):
            mocks.setdefault(short, {})[mock, test] = None
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if isinstance(node, ast.Assign) and isinstance(target, ast.Attribute) and target.attr in _ANSWERS:
            told.append((node, _PARTS.findall(ast.unparse(target.value)), tests))
        if isinstance(node, FunctionNode):
            tests = (*tests, node)
        pending.extend((child, tests) for child in reversed(children(node)))
    return _Mocked(nodes, mocks, told, frozenset(_answering(parsed)))


def _stood_in_for(node: ast.ClassDef | ast.Call | ast.Assign) -> Iterator[str]:
    """Yield the names of functions for which something may stand in."""
    if isinstance(node, ast.ClassDef):
        yield from (item.name for item in node.body if isinstance(item, FunctionNode))
    elif isinstance(node, ast.Call):
        yield from (item.arg for item in node.keywords if item.arg is not None)
        yield from _patched(node)
    else:
        yield from _attributes(node)


def _stands_in(node: ast.ClassDef | ast.Call | ast.Assign, short: str, answering: Collection[str]) -> bool:
    """Whether something that stands in for a function answers an error."""
    if isinstance(node, ast.Assign):
        return _answers_error(node.value, answering)
    if _is_fake(node, short, answering):
        return True
    if not isinstance(node, ast.Call) or short not in _patched(node):
        return False
    given = [item.value for item in node.keywords if item.arg in _ANSWERS]
    given += [item for item in node.args if not isinstance(item, ast.Constant)]
    return any(_answers_error(item, answering) for item in given)


def _is_fake(node: ast.ClassDef | ast.Call, short: str, answering: Collection[str]) -> bool:
    """Whether something makes an object with a method of the name that answers an error."""
    if isinstance(node, ast.ClassDef):
        methods = (item for item in node.body if isinstance(item, FunctionNode) and item.name == short)
        return any(_answers_error(item, answering) for item in methods)
    return any(item.arg == short and _answers_error(item.value, answering) for item in node.keywords)


def _attributes(node: ast.Assign) -> Iterator[str]:
    """Yield the names of the attributes that an assignment gives a value."""
    for item in (item for target in node.targets for item in walk(target)):
        if isinstance(item, ast.Attribute) and isinstance(item.ctx, ast.Store):
            yield item.attr


def _answering(parsed: SourceFile) -> Iterator[str]:
    """Yield the names of a file, functions among them, that are given something with an error payload in it."""
    for node in parsed.tree_nodes(ast.Assign):
        yield from (name for name, value in assigned_names(node) if _has_error(value))
    for function in parsed.functions.values():
        if _has_error(function):
            yield function.name


def _patched(node: ast.AST | None) -> Iterator[str]:
    """Yield the last names of functions in whose place a call puts something else."""
    if not isinstance(node, ast.Call):
        return
    words = {item.attr if isinstance(item, ast.Attribute) else item.id for item in _names(node.func)}
    if words & _PATCHES:
        texts = (item.value for item in node.args if isinstance(item, ast.Constant))
        yield from (text.rpartition(".")[2] for text in texts if isinstance(text, str))


def _mocks(node: ast.AST) -> Iterator[tuple[str, str, ast.AST | None]]:
    """Yield functions in whose place a node of a test puts something, the name for that, the test of an argument."""
    if isinstance(node, (ast.With, ast.AsyncWith)):
        for item in node.items:
            if isinstance(item.optional_vars, ast.Name):
                yield from ((short, item.optional_vars.id, None) for short in _patched(item.context_expr))
    for name, value in assigned_names(node):
        yield from ((short, name, None) for short in _patched(value))
    if isinstance(node, FunctionNode):
        # each `@patch(...)` that is told nothing to put in adds an argument, the lowest one first
        names = [item.arg for item in node.args.args if item.arg not in ("self", "cls")]
        added = [item for item in reversed(node.decorator_list) if _adds_argument(item)]
        for name, decorator in zip(names, added, strict=False):
            yield from ((short, name, node) for short in _patched(decorator))


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


def _answers_error(node: ast.AST, answering: Collection[str]) -> bool:
    """Whether an error payload is written out in an expression, or in what its names stand for in the file."""
    return _has_error(node) or any(isinstance(item, ast.Name) and item.id in answering for item in walk(node))


def _has_error(node: ast.AST) -> bool:
    return any(isinstance(item, ast.Dict) and _is_error(item) for item in walk(node))


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
