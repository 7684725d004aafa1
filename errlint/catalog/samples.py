"""The imports in samples of code that a document shows."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from errlint.catalog.markdown import Fence, sections

_PYTHON = frozenset({"python", "py", "python3", "pycon"})
_SHELL = frozenset({"bash", "sh", "shell", "console", "zsh", ""})
_COMMAND = re.compile(r"""\bpython3?\s+-c\s+(?P<quote>["'])(?P<code>.{1,2000}?)(?P=quote)(?=\s|$)""")
_PROMPT = re.compile(r"^(?:>>>|\.\.\.) ?", re.MULTILINE)
_BEFORE = re.compile(
    r"\b(?:before|old|previous|legacy|deprecated|removed|migrat\w*|upgrad\w*|change\w*)\b", re.IGNORECASE
)
"""What headings say above samples of code as it was."""


class Imported(NamedTuple):
    """Names that a sample imports from one module, each with its line and column from 1.

    A module that is imported itself is named "".
    """

    module: str
    names: tuple[tuple[str, int, int], ...]


def imports(text: str) -> Iterator[Imported]:
    """Yield the absolute imports of the samples of a document, but for those of code as it was before."""
    for section in sections(text):
        if any(map(_BEFORE.search, (*section.parents, section.heading.text))):
            continue
        for block in section.blocks:
            if isinstance(block, Fence) and block.language in _PYTHON:
                yield from _of_python(block)
            elif isinstance(block, Fence) and block.language in _SHELL:
                yield from _of_shell(block)


def _of_python(fence: Fence) -> Iterator[Imported]:
    content = _PROMPT.sub("", fence.content) if fence.content.startswith(">>>") else fence.content
    tree = _parsed(textwrap.dedent(content))
    if tree is not None:
        yield from _found(tree, fence.line)
        return
    for number, line in enumerate(content.split("\n")):  # what is left out with "..." still has its imports
        tree = _parsed(line.strip()) if line.lstrip().startswith(("from ", "import ")) else None
        if tree is not None:
            yield from _found(tree, fence.line + number)


def _of_shell(fence: Fence) -> Iterator[Imported]:
    for number, line in enumerate(fence.content.split("\n")):
        for command in _COMMAND.finditer(line):
            tree = _parsed(command["code"])
            if tree is not None:
                yield from _found(tree, fence.line + number, command.start("code"))


def _parsed(code: str) -> ast.Module | None:
    with suppress(SyntaxError, ValueError):
        return ast.parse(code)
    return None


def _found(tree: ast.Module, line: int, column: int = 0) -> Iterator[Imported]:
    """Yield the imports of a tree whose first line begins at a place, ``column`` from 0."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for item in node.names:
                yield Imported(item.name, (("", line + item.lineno - 1, column + item.col_offset + 1),))
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = (
                (item.name, line + item.lineno - 1, column + item.col_offset + 1)
                for item in node.names
                if item.name != "*"
            )
            yield Imported(node.module, tuple(names))
