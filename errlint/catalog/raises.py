"""The exceptions that a docstring says a function raises, in the styles of Google, NumPy and Sphinx."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from errlint.catalog.entry import EntryText

_SPHINX = re.compile(r"^\s*:(?:raises?|except|exception)\s+([\w.]+(?:\s*,\s*[\w.]+)*)\s*:")
_GOOGLE = re.compile(r"^(\s*)(?:Raises|Throws|Exceptions):\s*$")
_NUMPY = re.compile(r"^(\s*)Raises\s*$")
_UNDERLINE = re.compile(r"^\s*-{3,}\s*$")
_NAMED = re.compile(r"^`{0,2}:?(?:class:|exc:)?`?~?([A-Za-z_][\w.]*)`{0,2}\s*(?::|$|\s-|\()")


_LISTED = re.compile(r"\b(?:Raises|Throws|Exceptions)\b|:(?:raises?|except|exception)\s")
"""What any list of exceptions has in it."""


def may_list(text: str) -> bool:
    """Whether a docstring in the text of a file may list exceptions."""
    return _LISTED.search(text) is not None


def raised_in(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[EntryText, ...]:
    """Return the names of the exceptions that the docstring of a function lists, with their lines."""
    body = function.body[0] if function.body else None
    if not (isinstance(body, ast.Expr) and isinstance(body.value, ast.Constant) and isinstance(body.value.value, str)):
        return ()
    return tuple(_raised(body.value.value.split("\n"), body.value.lineno))


def _raised(lines: list[str], first: int) -> Iterator[EntryText]:
    """Yield the names in the lines of a docstring, which begins at ``first``."""
    inside: int | None = None
    depth: int | None = None
    for number, line in enumerate(lines):
        sphinx = _SPHINX.match(line)
        if sphinx is not None:
            for name in map(str.strip, sphinx.group(1).split(",")):
                yield EntryText(name, first + number)
            continue
        indent = len(line) - len(line.lstrip())
        google, numpy = _GOOGLE.match(line), _NUMPY.match(line)
        if google is not None:
            inside, depth = len(google.group(1)) + 1, None
        elif numpy is not None and number + 1 < len(lines) and _UNDERLINE.match(lines[number + 1]):
            inside, depth = len(numpy.group(1)), None
        elif inside is not None and line.strip() and not _UNDERLINE.match(line):
            ends = number + 1 < len(lines) and _UNDERLINE.match(lines[number + 1])
            if indent < inside or ends:
                inside = None
                continue
            depth = indent if depth is None else depth
            named = _NAMED.match(line.strip()) if indent == depth else None
            if named is not None:
                yield EntryText(named.group(1), first + number)
