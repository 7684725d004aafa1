"""What is asked of files beyond what is always collected."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from errlint.error_keywords import EXCEPTION_HANDLERS, RETRIES
from errlint.patterns import fits


class Vocabulary(msgspec.Struct, frozen=True, array_like=True):
    """What the active rules and the policy ask of files; part of the key of cached facts.

    ``registrations`` are last parts of the names of calls that register adapters, ``boundaries`` of decorators whose
    arguments matter, ``calls`` of calls whose statements do, ``deferring`` of calls that queue work, ``guarded`` of
    calls that need one of the ``checks`` before. With ``inspections`` the places are collected that look for an error
    in a result, with ``handlers`` handlers that use a name of their own ``try``, with ``rebound`` names that a module
    binds more than once, with ``swallows`` handlers that swallow, with ``unread`` calls whose results nobody reads,
    with ``branches`` conditions on the text of an error. ``modes`` and ``settings`` are those that functions may speak
    of, ``cases`` texts: of functions with one of them it is collected what they do under which conditions. ``records``
    are the key of error records and those of their fields that say what to do, ``terms`` what they may say.
    """

    registrations: tuple[str, ...] = ()
    boundaries: frozenset[str] = frozenset()
    calls: tuple[str, ...] = ()
    inspections: bool = False
    handlers: bool = False
    rebound: bool = False
    swallows: bool = False
    unread: bool = False
    branches: bool = False
    deferring: tuple[str, ...] = ()
    modes: frozenset[str] = frozenset()
    guarded: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    records: tuple[str, ...] = ()
    terms: frozenset[str] = frozenset()
    settings: frozenset[str] = frozenset()

    def reads(self, decorator: str) -> bool:
        """Whether the arguments of a decorator matter, by the last part of its name."""
        is_retry = (bool(self.cases) or self.branches) and decorator in RETRIES
        return decorator in self.boundaries or decorator in EXCEPTION_HANDLERS or is_retry


def matcher(names: tuple[str, ...]) -> Callable[[str], bool]:
    """Return a function that says whether a name is one of ``names``, which may be patterns with ``*``."""
    known = frozenset(name for name in names if "*" not in name)
    patterns = tuple(name for name in names if "*" in name)
    if not patterns:
        return known.__contains__
    return lambda name: name in known or any(fits(name, pattern) for pattern in patterns)
