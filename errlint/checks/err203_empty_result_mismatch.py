"""ERR203: the empty result that a boundary is given is not what the adapter answers, emptied."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import keys, short
from errlint.facts import Call, Function, Mapping, Variable, is_closed, is_empty
from errlint.findings import Finding, Related, Span
from errlint.project import Project
from errlint.project.boundary import Covered
from errlint.project.names import FunctionSymbol
from errlint.rules import RULES

_DEPTH = 3


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the functions of one file whose boundary is told of other fields than they answer, or of filled ones."""
    for function in project.modules[path].functions:
        for cover in project.boundaries.covers(path, function):
            empty = project.boundaries.argument(Covered(path, function, cover), cover.boundary.empty_result)
            if type(empty) is not Mapping or empty.spreads or any(entry.key is None for entry in empty.entries):
                continue
            problem = _filled(empty) or _difference(project, path, function, empty, frozenset(cover.boundary.envelope))
            if problem is not None:
                text, related = problem
                message = f"the empty result of `{short(function.name)}` {text}"
                yield Finding(
                    path, function.span, "ERR203", RULES["ERR203"].severity, message, function.name, related=related
                )


def _filled(empty: Mapping) -> tuple[str, tuple[Related, ...]] | None:
    filled = tuple(entry.key or "" for entry in empty.entries if is_empty(entry.value) is False)
    return (f"is not empty: it fills {keys(filled)}", ()) if filled else None


def _difference(
    project: Project, path: str, function: Function, empty: Mapping, envelope: frozenset[str]
) -> tuple[str, tuple[Related, ...]] | None:
    """Say what keys are in the empty result only, or in all answers only; nothing where an answer is not known."""
    answers = _answers(project, path, function, 0)
    if not answers:
        return None
    given = frozenset(entry.key or "" for entry in empty.entries) - envelope
    extra = tuple(sorted(given.difference(*(found for _, _, found in answers))))
    always = frozenset.intersection(*(found for _, _, found in answers))
    missing = tuple(sorted(always - given - envelope))
    if not extra and not missing:
        return None
    said = [f"has {keys(extra)}, which no answer has"] if extra else []
    said += [f"lacks {keys(missing)} of its answers"] if missing else []
    where, span, found = answers[0]
    return " and ".join(said), (Related(where, span, f"an answer with {keys(tuple(sorted(found)))}"),)


def _answers(project: Project, path: str, function: Function, depth: int) -> list[tuple[str, Span, frozenset[str]]]:
    """Return the keys of all success answers of a function, none when one of them is not known."""
    found: list[tuple[str, Span, frozenset[str]]] = []
    for answer in function.returns:
        if project.classifier.classify(path, function, answer) is not None:
            continue
        values = answer.value.values if type(answer.value) is Variable else (answer.value,)
        for value in values:
            if type(value) is Mapping and is_closed(value):
                found.append((path, answer.span, frozenset(entry.key or "" for entry in value.entries)))
                continue
            symbol = project.names.resolve(path, value.name, function.name) if type(value) is Call else None
            inner = (
                _answers(project, symbol.path, symbol.function, depth + 1)
                if isinstance(symbol, FunctionSymbol) and depth < _DEPTH
                else []
            )
            if not inner:
                return []
            found.extend(inner)
    return [] if function.ends else found
