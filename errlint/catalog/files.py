"""Which documents of a project are its error catalogs."""

from __future__ import annotations

import re
from collections.abc import Iterable

from errlint.patterns import Patterns
from errlint.rules import CATALOG_RULES
from errlint.settings import Settings

_NAMED = re.compile(r"(?:^|/)error[-_ ]?(?:catalog|catalogue|code|codes|reference|registry)\.\w+$", re.IGNORECASE)
"""Names that nothing but a catalog has; an ``errors.md`` may be about anything."""


def catalogs(pages: Iterable[str], settings: Settings) -> tuple[str, ...]:
    """Return those of some documents that are catalogs: the configured ones, else those that are named so."""
    globs = tuple(glob for policy in settings.policies() for glob in policy.catalog.files)
    if globs:
        patterns = Patterns(globs)
        return tuple(page for page in pages if patterns.matches(page))
    if settings.rules.isdisjoint(CATALOG_RULES):
        return ()
    return tuple(page for page in pages if _NAMED.search(page))
