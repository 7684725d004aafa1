"""What an adapter answers on success, emptied: each key with the empty value of its kind.

Everything is read from the answers themselves: the dicts that are returned, directly, by way of a name or from another
function of the project. What the error payloads of the same function hold under a key is the best witness of all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from errlint.facts import Function
from errlint.fix.rules.default_values import FunctionScope, empty_of
from errlint.fix.source_cache import Files
from errlint.index.bindings import returns
from errlint.project import Project
from errlint.project.names import FunctionSymbol
from errlint.project.threads import place_of_function

_DEPTH = 3


class SuccessAnswer(NamedTuple):
    """The values of one answer by their keys, and the function that they are written in."""

    values: dict[str, ast.expr]
    scope: FunctionScope


class Emptied(NamedTuple):
    """The entries of an empty result, as texts; the keys whose kind is not known; whether all answers were read.

    ``seen`` are the keys of all answers, ``answered`` those of error payloads.
    """

    entries: dict[str, str]
    unknown: tuple[str, ...]
    seen: frozenset[str]
    answered: frozenset[str]
    is_whole: bool
    has_answers: bool


def emptied(project: Project, files: Files, path: str, function: Function, envelope: frozenset[str]) -> Emptied:
    """Return the empty result of a function; keys that the ``envelope`` fills by itself are left out.

    Raises :class:`errlint.fix.model.Refusal` where a file that is asked cannot be read.
    """
    answers: list[SuccessAnswer] = []
    errors: list[SuccessAnswer] = []
    is_whole = _read(project, files, path, function, answers, errors, 0)
    answered = frozenset(key for item in errors for key in item.values)
    if not answers:
        return Emptied({}, (), frozenset(), answered, is_whole, has_answers=False)
    always = set.intersection(*(set(item.values) for item in answers))
    kept = set.intersection(*(set(item.values) for item in errors)) if errors else set()
    order = list(dict.fromkeys(key for item in answers for key in item.values))
    wanted = [key for key in order if (key in always or key in kept) and key not in envelope]
    entries: dict[str, str] = {}
    unknown: list[str] = []
    for key in wanted:
        text = _witness(key, errors) or _of_kind(project, key, answers)
        if text is None:
            unknown.append(key)
        entries[key] = text or "None"
    return Emptied(entries, tuple(unknown), frozenset(order), answered, is_whole, has_answers=True)


def _witness(key: str, errors: list[SuccessAnswer]) -> str | None:
    """Return the empty value that all error payloads with a key give it."""
    found = {ast.unparse(item.values[key]) for item in errors if key in item.values}
    text = found.pop() if len(found) == 1 else ""
    return {"''": '""'}.get(text, text) if text in ("''", "0", "0.0", "False", "None", "[]", "{}") else None


def _of_kind(project: Project, key: str, answers: list[SuccessAnswer]) -> str | None:
    """Return the empty value of the kind that all answers give a key; ``None`` where they differ or it is unknown."""
    found = {empty_of(project, item.values[key], item.scope) for item in answers if key in item.values}
    if len(found) == 2 and "None" in found:
        return "None"
    return found.pop() if len(found) == 1 else None


def _read(
    project: Project,
    files: Files,
    path: str,
    function: Function,
    answers: list[SuccessAnswer],
    errors: list[SuccessAnswer],
    depth: int,
) -> bool:
    """Add the answers of a function; return whether all of them could be read."""
    node = definition(files, path, function)
    if node is None or function.is_generator:
        return False
    scope = FunctionScope(path, function.name, node)
    spans = {
        (found.span.line, found.span.column)
        for found in function.returns
        if project.classifier.classify(path, function, found) is not None
    }
    is_whole = True
    for item in returns(node):
        if (item.lineno, item.col_offset + 1) in spans:
            for values in _dicts(item.value, scope):
                errors.extend(
                    [SuccessAnswer(values, scope)] if values is not None else _made(project, files, scope, item.value)
                )
            continue
        for values in _dicts(item.value, scope):
            if values is not None:
                answers.append(SuccessAnswer(values, scope))
            else:
                is_whole = _delegated(project, files, scope, item.value, answers, errors, depth) and is_whole
    return is_whole


def _delegated(
    project: Project,
    files: Files,
    scope: FunctionScope,
    value: ast.expr | None,
    answers: list[SuccessAnswer],
    errors: list[SuccessAnswer],
    depth: int,
) -> bool:
    """Add the answers of the function whose result is answered."""
    value = value.value if isinstance(value, ast.Await) else value
    if not isinstance(value, ast.Call) or depth >= _DEPTH:
        return False
    place = place_of_function(ast.unparse(value.func))
    called = value.args[place] if 0 <= place < len(value.args) else value.func
    symbol = project.names.resolve(scope.path, ast.unparse(called), scope.name)
    if not isinstance(symbol, FunctionSymbol):
        return False
    before = len(answers)
    return _read(project, files, symbol.path, symbol.function, answers, errors, depth + 1) and len(answers) > before


def _made(project: Project, files: Files, scope: FunctionScope, value: ast.expr | None) -> Iterator[SuccessAnswer]:
    """Yield the dicts that a factory makes of an error."""
    name = ast.unparse(value.func) if isinstance(value, ast.Call) else ""
    symbol = project.names.resolve(scope.path, name, scope.name) if name else None
    node = definition(files, *symbol) if isinstance(symbol, FunctionSymbol) else None
    if node is not None and isinstance(symbol, FunctionSymbol):
        theirs = FunctionScope(symbol.path, symbol.function.name, node)
        for item in returns(node):
            yield from (SuccessAnswer(values, theirs) for values in _dicts(item.value, theirs) if values is not None)


def _dicts(value: ast.expr | None, scope: FunctionScope, depth: int = 0) -> Iterator[dict[str, ast.expr] | None]:
    """Yield the entries of what an expression may be, ``None`` for what is no dict with constant keys."""
    if isinstance(value, ast.IfExp) and depth < _DEPTH:
        yield from _dicts(value.body, scope, depth + 1)
        yield from _dicts(value.orelse, scope, depth + 1)
    elif isinstance(value, ast.Name) and depth < _DEPTH and (made := scope.assigned(value.id)):
        for each in made:
            for found in _dicts(each, scope, depth + 1):
                yield None if found is None else {**found, **scope.stored(value.id)}
    elif isinstance(value, ast.Dict):
        keys = [key.value if isinstance(key, ast.Constant) else None for key in value.keys]
        is_plain = all(isinstance(key, str) for key in keys)
        yield {str(key): item for key, item in zip(keys, value.values, strict=True)} if is_plain else None
    elif isinstance(value, ast.Call) and ast.unparse(value.func) == "dict" and not value.args:
        is_plain = all(item.arg is not None for item in value.keywords)
        yield {item.arg or "": item.value for item in value.keywords} if is_plain else None
    else:
        yield None


def definition(files: Files, path: str, function: Function) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """Return the definition of a function in the tree of its file."""
    span = function.span
    functions = files.parse(path).functions
    return next((functions[line] for line in range(span.line, span.end_line + 1) if line in functions), None)
