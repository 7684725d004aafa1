"""The gate: which statements of a file can matter, found without LibCST, and the skeleton that LibCST then reads.

Two tiers. A search for literal words finds the places that can matter; the interpreter's own ``ast`` turns them into
statements with exact bounds. The gate prunes and locates, it never decides: the collector reads the *skeleton*, a
small module of the candidate statements with the definitions and blocks around them, and would find the same in the
whole file. benchmarks/soundness.py compares the two over thousands of real files.

- :mod:`errlint.gate.vocabulary`: what makes a statement worth a look
- :mod:`errlint.gate.places`: where words and names stand in a file
- :mod:`errlint.gate.prune`: which statements to keep
- :mod:`errlint.gate.write`: the text of the skeleton
- :mod:`errlint.gate.outline`: where definitions stand, for a second look at few of them
- :mod:`errlint.gate.modes`: functions that speak of modes
- :mod:`errlint.gate.records`: functions that speak of error records
- :mod:`errlint.gate.syntax`: questions about single nodes
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from errlint.gate.branches import BY_TEXT
from errlint.gate.modes import spellings
from errlint.gate.outline import Outline, cut, known, outline
from errlint.gate.places import Hits, calls_one, mentioned, mentions, places_of, with_aliases
from errlint.gate.prune import Pruner
from errlint.gate.records import building
from errlint.gate.syntax import name_or_callee, stored_names
from errlint.gate.vocabulary import Vocabulary
from errlint.gate.write import DEFAULT_LENGTH, Skeleton, Writer
from errlint.source import Lines
from errlint.words import HANDLER_KEYWORDS, TOOL_ENDING, TOOLS_WORD


def first_look(
    tree: ast.Module, lines: Lines, vocabulary: Vocabulary, use_words: bool = True
) -> tuple[Skeleton | None, frozenset[str]]:
    """Prune a parsed module to what the vocabulary makes worth a look; ``None`` when nothing is.

    Also returns the names of functions whose uses in this file are all kept. Without ``use_words`` every statement
    counts as marked by a word.
    """
    places = [*places_of(lines.data, vocabulary.words)]
    places.extend(mentions(lines.data, _renamed(tree, vocabulary.words)))
    hits = Hits(sorted(places), not use_words)
    found = [*places_of(lines.data, _entry_needles(vocabulary))]
    builders = building(tree, vocabulary.records) if found and vocabulary.records else frozenset()
    found.extend(mentions(lines.data, builders))
    entries = Hits(sorted(found), not use_words)
    if not hits and not entries and not vocabulary.rebound:
        return None, frozenset()
    pruner = Pruner(tree, lines, vocabulary, builders)
    local = with_aliases(lines.data, pruner.mark_candidates(hits, entries))
    if local:
        pruner.mark_uses(Hits(mentions(lines.data, local)), set(local))
    return Writer(pruner).write(tree), local


def second_look(
    tree: ast.Module, lines: Lines, vocabulary: Vocabulary, names: Iterable[str], definitions: Iterable[str]
) -> Skeleton | None:
    """Prune a parsed module to the uses of ``names`` and to ``definitions``; ``None`` when there are none."""
    pruner = Pruner(tree, lines, vocabulary)
    wanted = set(with_aliases(lines.data, names))
    hits = Hits(mentions(lines.data, wanted))
    if hits:
        pruner.mark_uses(hits, wanted)
    pruner.mark_definitions(definitions)
    return Writer(pruner).write(tree)


def _renamed(tree: ast.Module, words: tuple[str, ...]) -> Iterator[str]:
    """Yield the names that a module gives to things whose own names have a word in them."""
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                if alias.asname is not None and any(word in alias.name for word in words):
                    yield alias.asname
        elif isinstance(node, ast.Assign) and isinstance(node.value, (ast.Name, ast.Attribute)):
            name = name_or_callee(node.value)
            if any(word in name for word in words):
                yield from stored_names(node, walrus=False)


def _entry_needles(vocabulary: Vocabulary) -> Iterator[str]:
    for name in vocabulary.decorators:
        yield f".{name}"
        yield f"@{name}"
    yield f"{TOOL_ENDING}("
    yield f"{TOOL_ENDING}\n"
    yield TOOLS_WORD
    for name in vocabulary.registrations:
        yield f"{name}=" if name in HANDLER_KEYWORDS else f"{name}("
    for name in vocabulary.methods:
        yield f"def {name}("
    for name in vocabulary.boundaries:
        yield f"def {name}("
    for name in (*vocabulary.calls, *vocabulary.deferring):
        yield f"{name}(" if "*" not in name else max(name.split("*"), key=len) or "("
    for name in (*vocabulary.modes, *vocabulary.settings):
        yield from spellings(name)
    for name in vocabulary.records[:1]:
        yield from (f'"{name}"', f"'{name}'", f"{name}=")
    for name in vocabulary.terms:
        yield from (f'"{name}"', f"'{name}'")
    for name in (*vocabulary.guarded, *vocabulary.checks):
        yield max(name.split("*"), key=len) or "("
    yield from vocabulary.cases
    if vocabulary.raises:
        yield from ("raise ", "raise\n", "raise\r")
    if vocabulary.classes:
        yield from ("class Code", "Fault", "\nFAULT", "Problem", "PROBLEM", "\nCODE", "\nCode")
    if vocabulary.handlers or vocabulary.swallows or vocabulary.branches:
        yield "except"
    if vocabulary.branches:
        yield from (".message", ".detail", ".text", BY_TEXT)
    if vocabulary.swallows:
        yield from ("suppress(", "return_exceptions")


__all__ = [
    "DEFAULT_LENGTH", "Hits", "Outline", "Skeleton", "Vocabulary", "calls_one", "cut", "first_look", "known",
    "mentioned", "mentions", "outline", "second_look", "with_aliases",
]  # fmt: skip
