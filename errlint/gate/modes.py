"""Functions that speak of several modes of the policy, or of one of its settings."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator


def plain(name: str) -> str:
    """Return the spelling under which a member and its value are the same: ``STORE_RAW``, ``store-raw``."""
    return name.lower().replace("-", "_").replace(" ", "_")


def named(names: Iterable[str], settings: Iterable[str]) -> Iterator[str]:
    """Yield the settings that plain names mean: ``mode`` as an option (``__mode``) or a variable (``server_mode``)."""
    for name in names:
        for setting in settings:
            if name.strip("_") == setting or name.endswith(f"_{setting}"):
                yield setting


def speaks_of_settings(node: ast.AST, settings: frozenset[str]) -> bool:
    """Whether one of some settings stands in a statement: as a name, a parameter or a text."""
    return any(isinstance(text := _word(part), str) and any(named((plain(text),), settings)) for part in ast.walk(node))


def _word(part: ast.AST) -> object:
    """Return the name or the constant that a node is."""
    if isinstance(part, ast.arg):
        return part.arg
    return getattr(part, "attr", getattr(part, "id", getattr(part, "value", None)))


def spellings(name: str) -> Iterator[str]:
    """Yield the texts of which one stands in a file that has a mode."""
    yield from {name, name.lower(), name.upper(), name.lower().replace("_", "-"), name.lower().replace("-", "_")}


def tables_of_modes(body: list[ast.stmt], modes: frozenset[str]) -> frozenset[str]:
    """Return the names that a module binds to a dict of modes."""
    return frozenset(
        target.id
        for node in body
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Dict)
        if speaks_of_modes(node.value, modes)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    )


def speaks_of_modes(node: ast.AST, modes: frozenset[str]) -> bool:
    """Whether at least two of ``modes`` (in their plain spelling) stand in a function, as members or as texts."""
    found: set[str] = set()
    for part in ast.walk(node):
        text = _word(part)
        if isinstance(text, str) and (name := plain(text)) in modes:
            found.add(name)
            if len(found) > 1:
                return True
    return False
