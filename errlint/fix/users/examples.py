"""Examples in docstrings, as doctest runs them: one that shows an error stands against a raise in its place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from doctest import DocTestParser

from errlint.fix.bound import FunctionNode
from errlint.fix.model import refuse
from errlint.fix.sources import Files
from errlint.fix.users.callers import Converted
from errlint.fix.users.looking import LEAST
from errlint.fix.users.tested import pieces_of
from errlint.project.names import FunctionSymbol
from errlint.words import ERROR_KEYS

_DOCUMENTED = (ast.Module, ast.ClassDef, *FunctionNode)
_PROMPT = ">>>"
_KEY = re.compile(rf"""(["'])(?:{"|".join(map(re.escape, sorted(ERROR_KEYS)))})\1""")


def refuse_examples(files: Files, symbol: FunctionSymbol, converted: Sequence[Converted]) -> None:
    """Refuse the converted errors of a function where an example calls it and shows one of them.

    Raises :class:`errlint.fix.model.Refusal`, also where a file with such an example cannot be parsed.
    """
    short = symbol.function.name.rpartition(".")[2]
    named = re.compile(rf"\b{re.escape(short)}\b")
    pieces = {piece for item in converted for piece in pieces_of(item) if len(piece) >= LEAST}
    for path in files.naming(symbol.path, (short,)):
        for line, shown in _examples(files, path, named):
            if _KEY.search(shown) or any(piece in shown for piece in pieces):
                raise refuse(f"an example in a docstring shows an error of `{symbol.function.name}`", path, line)


def _examples(files: Files, path: str, named: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Yield the examples that have a name, each with its line and all that follows it in the docstring."""
    if _PROMPT not in files.text(path):
        return
    for node in ast.walk(files.tree(path)):
        if not isinstance(node, _DOCUMENTED):
            continue
        text = ast.get_docstring(node, clean=False) or ""
        if named.search(text) is None:
            continue
        try:
            examples = DocTestParser().get_examples(text)
        except ValueError:  # indented in a way that doctest does not run either
            continue
        for index, example in enumerate(examples):
            if named.search(example.source):
                shown = "".join(f"{each.source}{each.want}" for each in examples[index:])
                yield node.body[0].lineno + example.lineno, shown
