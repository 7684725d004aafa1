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
_COMMAND = re.compile(r"""\bpython3?\s+-c\s+(?P<quote>["'])(?P<code>.+?)(?P=quote)(?=\s|$)""")
_PROMPT = re.compile(r"^(?:>>>|\.\.\.) ?", re.MULTILINE)
_BEFORE = re.compile(
    r"\b(?:before|old|previous|legacy|deprecated|removed|migrat\w*|upgrad\w*|change\w*)\b", re.IGNORECASE
)
"""What headings say above samples of code as it was."""


class Imported(NamedTuple):
    """A name that a sample imports; ``name`` is "" for one that imports the module itself. The place counts from 1."""

    line: int
    column: int
    module: str
    name: str


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
            for found in _found(tree, fence.line + number) if tree is not None else ():
                yield found._replace(column=found.column + command.start("code"))


def _parsed(code: str) -> ast.Module | None:
    with suppress(SyntaxError, ValueError):
        return ast.parse(code)
    return None


def _found(tree: ast.Module, line: int) -> Iterator[Imported]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for item in node.names:
                yield Imported(line + item.lineno - 1, item.col_offset + 1, item.name, "")
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for item in node.names:
                if item.name != "*":
                    yield Imported(line + item.lineno - 1, item.col_offset + 1, node.module, item.name)
