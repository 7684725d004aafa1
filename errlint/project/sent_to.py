"""Tools that a hint sends its readers to and that there are not: ``Use list_versions to see which there are``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from errlint.facts import Choice, Sequence, Text, Value, Variable, text_with_holes
from errlint.project.fields import Error

if TYPE_CHECKING:
    from errlint.project import Project

_HOLE = "\0"
_SENT = re.compile(
    r"\b(?i:use|call|run|invoke|try|retry with|with|via|see|check)\s+(?:(?i:the|tool)\s+)*[`'\"]?"
    r"(?P<name>[a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?![\w.=\0-]|\s*=)"
)
"""Readers are sent to something that is called like a function; what has a value behind it is a parameter."""

_ENOUGH = 2
"""So many tools are all that a hint can mean; where there is one only, hints are about those of servers beside it."""

_SPELLINGS = re.compile(r"_case$|^utf_\d+$")
"""Names of ways to write: ``snake_case``."""


def dead_tool(project: Project, error: Error, value: Value) -> str:
    """Return the first tool that a hint of an error names and the code does not have, "" for none.

    Where there is one tool only, nothing is known of the others that are meant.
    """
    distribution = project.layout.distribution(error.path)
    tools = project.operations.adapters.get(distribution, {})
    if len({(path, function.name) for path, function in tools.values()}) < _ENOUGH:
        return ""
    filled = project.evaluator.filled(error.path, error.function.name, value)
    for text in _texts(filled):
        for found in _SENT.finditer(text):
            name = found["name"]
            if not _SPELLINGS.search(name) and not _is_known(project.documented.called(distribution), name):
                return name
    return ""


def _is_known(called: frozenset[str], name: str) -> bool:
    """Whether anything in the code is called by a name, also with the prefix that a mounted server gives its tools."""
    places = (place for place, sign in enumerate(name) if sign == "_" and "_" in name[place + 1 :])
    return name in called or any(name[place + 1 :] in called for place in places)


def _texts(value: Value, depth: int = 0) -> Iterator[str]:
    """Yield the texts in a value, each hole as a character that stands in none."""
    if type(value) is Text:
        yield text_with_holes(value, _HOLE)
    elif depth < 4 and (type(value) is Variable or type(value) is Choice):
        for item in value.values:
            yield from _texts(item, depth + 1)
    elif depth < 4 and type(value) is Sequence:
        for item in value.items:
            yield from _texts(item, depth + 1)
