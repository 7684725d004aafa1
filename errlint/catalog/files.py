"""Which documents of a project are its error catalogs."""

from __future__ import annotations

import re
from collections.abc import Iterable

from errlint.patterns import Patterns
from errlint.settings import Settings

RULES = frozenset({"ERR501", "ERR502", "ERR503", "ERR504", "ERR505", "ERR506", "ERR507", "ERR508", "ERR509", "ERR510"})
"""The rules that compare documents with the code."""

_NAMED = re.compile(r"(?:^|/)error[-_ ]?(?:catalog|catalogue|code|codes|reference|registry)\.\w+$", re.IGNORECASE)
"""Names that nothing but a catalog has; an ``errors.md`` may be about anything."""


def catalogs(pages: Iterable[str], settings: Settings) -> tuple[str, ...]:
    """Return those of some documents that are catalogs: the configured ones, else those that are named so."""
    globs = tuple(glob for policy in settings.policies() for glob in policy.catalog.files)
    if globs:
        patterns = Patterns(globs)
        return tuple(page for page in pages if patterns.matches(page))
    if settings.rules.isdisjoint(RULES):
        return ()
    return tuple(page for page in pages if _NAMED.search(page))
