"""What comes next: what the first run under a proposed configuration finds, and how much of it can be fixed."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from errlint.request import Request, Stopwatch
from errlint.run import check

MOST_PLANNED = 100
"""Of so many findings at most fixes are planned: that takes far longer than to find them."""


class Outlook(NamedTuple):
    """The findings by rule, the most frequent first; ``fixable`` are those with a safe fix, and with one that is not.

    Where fixes were not planned that is ``None``.
    """

    by_rule: tuple[tuple[str, int], ...]
    fixable: tuple[int, int] | None

    @property
    def findings(self) -> int:
        """How many findings there are."""
        return sum(number for _, number in self.by_rule)


def look_ahead(request: Request) -> Outlook:
    """Return what a run finds."""
    found = check(request).findings
    rules = Counter(item.code for item in found)
    by_rule = tuple(sorted(rules.items(), key=lambda item: (-item[1], item[0])))
    if len(found) > MOST_PLANNED:
        return Outlook(by_rule, None)
    from errlint.fix.presentation.edits import find_offers

    return Outlook(by_rule, find_offers(request, found, Stopwatch()).totals(found))
