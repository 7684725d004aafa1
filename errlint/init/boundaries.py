"""Candidates for boundaries: decorators on adapters that catch every exception and answer it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from errlint.error_keywords import LOG_METHODS
from errlint.facts import Function
from errlint.fix.model import Refusal
from errlint.fix.source_cache import Files
from errlint.project import Project
from errlint.trees import caught_types

_BROAD = frozenset({"Exception", "BaseException"})
_Definition = (ast.FunctionDef, ast.AsyncFunctionDef)
_DefinitionNode = ast.FunctionDef | ast.AsyncFunctionDef


class Candidate(NamedTuple):
    """A decorator that may be a boundary; places are ``path:line``.

    ``adapters`` is the number of adapters below it, ``first`` the place of one. ``caught`` is where it catches
    everything, ``answered`` where it answers. ``envelope`` are the keys of the answer and what fills them, empty where
    they cannot be told; ``empty_result`` and ``operation`` are the names of its arguments, "" for none.
    """

    name: str
    place: str
    adapters: int
    first: str
    caught: str
    answered: str
    envelope: Mapping[str, str]
    converters: tuple[str, ...]
    empty_result: str
    operation: str
    logs: bool


def candidates(project: Project, files: Files) -> list[Candidate]:
    """Return the decorators of adapters that catch every exception of the function and return an answer instead."""
    used: dict[tuple[str, str], list[str]] = {}
    asked: dict[tuple[str, str], str] = {}
    for path, module in project.modules.items():
        for function in module.functions:
            if project.is_adapter(path, function):
                for name in _own_decorators(project, function):
                    key = (project.layout.distribution(path), name.rpartition(".")[2])
                    used.setdefault(key, []).append(f"{path}:{function.span.line}")
                    asked.setdefault(key, path)
    found: list[Candidate] = []
    for key, places in used.items():
        for path, node, tree in _definitions(files, asked[key], key[1]):
            candidate = _read(project, files, path, node, tree, places)
            if candidate is not None:
                found.append(candidate)
    return sorted(found, key=lambda item: (-item.adapters, item.name))


def _own_decorators(project: Project, function: Function) -> Iterator[str]:
    yield from (name for name in function.decorators if name and not project.registers(name))


def _definitions(files: Files, path: str, name: str) -> Iterator[tuple[str, _DefinitionNode, ast.Module]]:
    """Yield the functions of a name at the top of the modules of a distribution; nothing of what cannot be parsed."""
    try:
        for other, tree in files.trees(path, (name,)):
            for node in tree.body:
                if isinstance(node, _Definition) and node.name == name:
                    yield other, node, tree
    except Refusal:
        return


def _read(
    project: Project, files: Files, path: str, node: _DefinitionNode, tree: ast.Module, adapters: list[str]
) -> Candidate | None:
    inner = [item for item in ast.walk(node) if isinstance(item, _Definition)]
    parameters = {name for item in inner for name in _parameters(item)}
    for attempt in (item for item in ast.walk(node) if isinstance(item, ast.Try)):
        if not any(_calls(statement, parameters) for statement in attempt.body):
            continue
        for handler in attempt.handlers:
            answer = next((item for item in ast.walk(handler) if isinstance(item, ast.Return) and item.value), None)
            if not _is_broad(handler) or answer is None or answer.value is None:
                continue
            module = project.layout.module_name(path)
            payload, converter = _payload(files, path, handler, answer.value)
            own = _parameters(node)
            keys = dict(_keys(payload, handler.name or "", own)) if payload is not None else {}
            spread = next((text for text in _spreads(payload) if text in own), "") if payload is not None else ""
            return Candidate(
                name=".".join(filter(None, (module, node.name))),
                place=f"{path}:{node.lineno}",
                adapters=len(adapters),
                first=adapters[0],
                caught=f"{path}:{handler.lineno}",
                answered=f"{path}:{answer.lineno}",
                envelope={**keys, **({"result": "empty_result"} if spread else {})},
                converters=(f"{module}.{converter}" if module else converter,) if converter else (),
                empty_result=spread,
                operation="operation" if "operation" in own else "",
                logs=any(_is_log(item) for item in ast.walk(handler)),
            )
    return None


def _parameters(node: _DefinitionNode) -> list[str]:
    arguments = node.args
    return [item.arg for item in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def _calls(statement: ast.stmt, names: set[str]) -> bool:
    """Whether a statement calls one of the parameters of the decorator: the function below it."""
    return any(
        isinstance(item, ast.Call) and isinstance(item.func, ast.Name) and item.func.id in names
        for item in ast.walk(statement)
    )


def _is_broad(handler: ast.ExceptHandler) -> bool:
    types = caught_types(handler)
    return not types or any(isinstance(item, ast.Name) and item.id in _BROAD for item in types)


def _is_log(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in LOG_METHODS
        and "log" in ast.unparse(node.func.value).lower()
    )


def _payload(files: Files, path: str, around: ast.AST, value: ast.expr, depth: int = 0) -> tuple[ast.Dict | None, str]:
    """Return the dict that is answered, ``None`` where there is none to be seen, and the function that builds it."""
    if isinstance(value, ast.Dict):
        return value, ""
    if isinstance(value, ast.Name):
        stored = [
            item.value
            for item in ast.walk(around)
            if isinstance(item, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id == value.id for target in item.targets)
        ]
        return _payload(files, path, around, stored[0], depth) if len(stored) == 1 else (None, "")
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and not depth:
        built = list(_definitions(files, path, value.func.id))
        if len(built) == 1 and built[0][0] == path:
            answers = [item.value for item in ast.walk(built[0][1]) if isinstance(item, ast.Return) and item.value]
            if len(answers) == 1:
                return _payload(files, path, built[0][1], answers[0], depth + 1)[0], value.func.id
    return None, ""


def _keys(payload: ast.Dict, caught: str, own: list[str]) -> Iterator[tuple[str, str]]:
    for key, value in zip(payload.keys, payload.values, strict=True):
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            yield key.value, _filled(value, caught)


def _filled(value: ast.expr, caught: str) -> str:
    """Return what fills a key: the message of the exception, with what is around it, or anything."""
    if caught and ast.unparse(value) == f"str({caught})":
        return "{message}"
    if not isinstance(value, ast.JoinedStr):
        return "*"
    parts = []
    for item in value.values:
        if isinstance(item, ast.Constant):
            parts.append(str(item.value))
        elif isinstance(item, ast.FormattedValue):
            is_message = bool(caught) and ast.unparse(item.value) in (caught, f"str({caught})")
            parts.append("{message}" if is_message else "*")
    return "".join(parts) if "{message}" in parts else "*"


def _spreads(payload: ast.Dict) -> Iterator[str]:
    for key, value in zip(payload.keys, payload.values, strict=True):
        if key is None:
            yield from (item.id for item in ast.walk(value) if isinstance(item, ast.Name))
