"""Examples in docstrings, as doctest runs them: one that shows an error leaves a raise in its place in doubt."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from doctest import DocTestParser, Example

from errlint.error_keywords import ERROR_KEYS
from errlint.fix.callers.caller_rewrites import Converted
from errlint.fix.callers.payload_checks_in_tests import LEAST
from errlint.fix.callers.test_rewrites import pieces_of
from errlint.fix.model import Doubt
from errlint.fix.source_cache import Files
from errlint.index.bindings import FunctionNode
from errlint.project.names import FunctionSymbol
from errlint.trees import walk

_DOCUMENTED = (ast.Module, ast.ClassDef, *FunctionNode)
_PROMPT = ">>>"
_KEY = re.compile(rf"""(["'])(?:{"|".join(map(re.escape, sorted(ERROR_KEYS)))})\1""")


def examples(files: Files, symbol: FunctionSymbol, converted: Sequence[Converted]) -> Iterator[Doubt]:
    """Yield the examples that call a function and show one of its converted errors.

    Raises :class:`errlint.fix.model.Refusal` where a file with such an example cannot be parsed.
    """
    short = symbol.function.name.rpartition(".")[2]
    pieces = {piece for item in converted for piece in pieces_of(item) if len(piece) >= LEAST}
    for path in files.naming(symbol.path, (short,)):
        for line, found in files.once(_examples, path):
            if re.search(rf"\b{re.escape(short)}\b", found[0].source) is None:
                continue
            shown = "".join(f"{each.source}{each.want}" for each in found)
            if _KEY.search(shown) or any(piece in shown for piece in pieces):
                yield Doubt(f"an example in a docstring shows an error of `{symbol.function.name}`", path, line)


def _examples(files: Files, path: str) -> Sequence[tuple[int, Sequence[Example]]]:
    """Return the examples of a file, each with its line, and with those that follow it in the docstring."""
    if _PROMPT not in files.text(path):
        return ()
    found: list[tuple[int, Sequence[Example]]] = []
    documented = (node for node in walk(files.tree(path)) if isinstance(node, _DOCUMENTED))
    for node in documented:
        try:
            examples = DocTestParser().get_examples(ast.get_docstring(node, clean=False) or "")
        except ValueError:  # indented in a way that doctest does not run either
            continue
        line = node.body[0].lineno if examples else 0
        found.extend((line + example.lineno, examples[index:]) for index, example in enumerate(examples))
    return found
