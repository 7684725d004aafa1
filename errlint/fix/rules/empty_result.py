"""What an adapter answers on success, emptied: each key with the empty value of its kind.

Everything is read from the answers themselves: the dicts that are returned, directly, by way of a name or from another
function of the project. What the error payloads of the same function hold under a key is the best witness of all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from errlint.facts import Function
from errlint.fix.callers.abstract_values import entries_of
from errlint.fix.rules.default_values import FunctionScope, empty_of
from errlint.fix.source_cache import Files
from errlint.index.bindings import only_assigned
from errlint.index.statements import returns
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
    reader = _AnswerReader(project, files)
    is_whole = reader.read(path, function)
    answers, errors = reader.answers, reader.errors
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


class _AnswerReader:
    """Reads what functions answer: ``answers`` on success, ``errors`` otherwise."""

    def __init__(self, project: Project, files: Files) -> None:
        self._project, self._files = project, files
        self.answers: list[SuccessAnswer] = []
        self.errors: list[SuccessAnswer] = []

    def read(self, path: str, function: Function, depth: int = 0) -> bool:
        """Add the answers of a function; return whether all of them could be read."""
        node = definition(self._files, path, function)
        if node is None or function.is_generator:
            return False
        scope = FunctionScope(path, function.name, node)
        spans = {
            (found.span.line, found.span.column)
            for found in function.returns
            if self._project.classifier.classify(path, function, found) is not None
        }
        is_whole = True
        for item in returns(node):
            is_error = (item.lineno, item.col_offset + 1) in spans
            for values in _dicts(item.value, scope):
                if values is not None:
                    (self.errors if is_error else self.answers).append(SuccessAnswer(values, scope))
                elif is_error:
                    self.errors.extend(self._made(scope, item.value))
                else:
                    is_whole = self._delegated(scope, item.value, depth) and is_whole
        return is_whole

    def _delegated(self, scope: FunctionScope, value: ast.expr | None, depth: int) -> bool:
        """Add the answers of the function whose result is answered."""
        value = value.value if isinstance(value, ast.Await) else value
        if not isinstance(value, ast.Call) or depth >= _DEPTH:
            return False
        place = place_of_function(ast.unparse(value.func))
        called = value.args[place] if 0 <= place < len(value.args) else value.func
        symbol = self._project.names.resolve(scope.path, ast.unparse(called), scope.name)
        if not isinstance(symbol, FunctionSymbol):
            return False
        before = len(self.answers)
        return self.read(symbol.path, symbol.function, depth + 1) and len(self.answers) > before

    def _made(self, scope: FunctionScope, value: ast.expr | None) -> Iterator[SuccessAnswer]:
        """Yield the dicts that a factory makes of an error."""
        name = ast.unparse(value.func) if isinstance(value, ast.Call) else ""
        symbol = self._project.names.resolve(scope.path, name, scope.name) if name else None
        node = definition(self._files, *symbol) if isinstance(symbol, FunctionSymbol) else None
        if node is not None and isinstance(symbol, FunctionSymbol):
            theirs = FunctionScope(symbol.path, symbol.function.name, node)
            for item in returns(node):
                yield from (
                    SuccessAnswer(values, theirs) for values in _dicts(item.value, theirs) if values is not None
                )


def _dicts(value: ast.expr | None, scope: FunctionScope, depth: int = 0) -> Iterator[dict[str, ast.expr] | None]:
    """Yield the entries of what an expression may be, ``None`` for what is no dict with constant keys."""
    if isinstance(value, ast.IfExp) and depth < _DEPTH:
        yield from _dicts(value.body, scope, depth + 1)
        yield from _dicts(value.orelse, scope, depth + 1)
    elif isinstance(value, ast.Name) and depth < _DEPTH and (made := only_assigned(scope.node, value.id)):
        for each in made:
            for found in _dicts(each, scope, depth + 1):
                yield None if found is None else {**found, **scope.stored(value.id)}
    else:
        yield entries_of(value) if value is not None else None


def definition(files: Files, path: str, function: Function) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """Return the definition of a function in the tree of its file."""
    span = function.span
    functions = files.parse(path).functions
    return next((functions[line] for line in range(span.line, span.end_line + 1) if line in functions), None)
