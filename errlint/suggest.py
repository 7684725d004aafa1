"""Misspelt words: which known one is meant, and the hint of every error about a word that errlint does not know."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, known: Iterable[str], nearness: float = 0.6) -> str:
    """Return the known word that ``word`` may be a misspelling of, "" when none is near.

    ``nearness`` is the least share of characters that both have in the same order, from 0 to 1.
    """
    from difflib import get_close_matches  # only a run that fails anyway pays for it

    by_fold = {name.casefold(): name for name in sorted(known, reverse=True)}
    near = get_close_matches(word.casefold(), by_fold, n=1, cutoff=nearness)
    return by_fold[near[0]] if near else ""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the hint ``did you mean `x`?`` for the known word nearest to ``word``; "" when none is near."""
    near = nearest(word, known)
    return f"did you mean `{near}`?" if near else ""


def did_you_mean_code(word: str, known: Iterable[str]) -> str:
    """Return the hint for a code of a rule, or its beginning: the known one with the most characters in their places.

    Codes are so alike that the usual measure takes any of them for near.
    """
    given = word.upper()
    if given[:1] != "E":
        return ""

    def kept(name: str) -> int:
        return sum(one == other for one, other in zip(given, name, strict=False))

    alike = [name for name in sorted(known) if abs(len(name) - len(given)) < 2]
    best = max(alike, key=kept, default="")
    return f"did you mean `{best}`?" if best and kept(best) >= len(given) - 2 else ""
