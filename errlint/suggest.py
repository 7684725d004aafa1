"""Did-you-mean: the hint of every error about a word that errlint does not know."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the hint ``did you mean `x`?`` for the known word nearest to ``word``; "" when none is near."""
    from difflib import get_close_matches  # only a run that fails anyway pays for it

    by_fold = {name.casefold(): name for name in sorted(known, reverse=True)}
    near = get_close_matches(word.casefold(), by_fold, n=1)
    return f"did you mean `{by_fold[near[0]]}`?" if near else ""
