"""What makes a statement worth a look."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from errlint.patterns import fits
from errlint.words import RETRIES


class Vocabulary(msgspec.Struct, frozen=True, array_like=True):
    """What the active rules and the policy make worth a look; part of the key of cached facts.

    ``words`` mark statements; the others are last parts of dotted names: of decorators that make an adapter, of
    calls that register one, and names of methods that are one. ``keys`` (lower case) are the parts of payloads and
    objects whose values matter; with ``holes`` so do the values put into texts. ``boundaries`` are last parts of
    decorators whose arguments matter, ``calls`` of calls whose statements do. With ``inspections`` the places that look
    for an error in the result of a function are worth a look, where its uses are wanted, with ``classes`` exception
    classes and registries of codes are, with ``handlers`` handlers that use a name of their own ``try``. With
    ``counts`` the occurrences of all names that are asked about are counted. ``fields`` (lower case) are keys and names
    of arguments whose values are wanted whole. With ``raises`` every raise of something is worth a look,
    with ``rebound`` names of a module that it binds more than once, with ``swallows`` handlers that swallow, with
    ``unread`` the calls whose results nobody reads, where the uses of the function are wanted, with ``branches``
    conditions on the text of a caught exception. ``deferring`` are last parts of calls that queue work: functions that
    make one are wanted whole, as are those that speak of two of the ``modes``, and those that call one of ``guarded``
    or read one of ``checks`` (last parts of names), those that speak of one of the ``settings`` (spelt plainly), and
    those in which one of the texts ``cases`` stands. With ``successes`` so are answers that say so, and tables of a
    module with an argument or a key of ``advice``.
    ``records`` are the key of error records and those of their fields that say what to do, ``terms`` what they may say:
    functions that speak of such a record are wanted whole, and those that call one of them in the same file, or speak
    of a term.
    """

    words: tuple[str, ...]
    decorators: tuple[str, ...]
    registrations: tuple[str, ...]
    methods: tuple[str, ...]
    keys: frozenset[str]
    holes: bool
    boundaries: frozenset[str] = frozenset()
    calls: tuple[str, ...] = ()
    inspections: bool = False
    classes: bool = False
    counts: bool = False
    fields: frozenset[str] = frozenset()
    handlers: bool = False
    raises: bool = False
    rebound: bool = False
    swallows: bool = False
    unread: bool = False
    branches: bool = False
    deferring: tuple[str, ...] = ()
    modes: frozenset[str] = frozenset()
    guarded: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    successes: bool = False
    cases: tuple[str, ...] = ()
    advice: frozenset[str] = frozenset()
    records: tuple[str, ...] = ()
    terms: frozenset[str] = frozenset()
    settings: frozenset[str] = frozenset()

    def reads(self, decorator: str) -> bool:
        """Whether the arguments of a decorator matter, by the last part of its name."""
        return decorator in self.boundaries or ((bool(self.cases) or self.branches) and decorator in RETRIES)


def matcher(names: tuple[str, ...]) -> Callable[[str], bool]:
    """Return a function that says whether a name is one of ``names``, which may be patterns with ``*``."""
    known = frozenset(name for name in names if "*" not in name)
    patterns = tuple(name for name in names if "*" in name)
    if not patterns:
        return known.__contains__
    return lambda name: name in known or any(fits(name, pattern) for pattern in patterns)
