"""What makes a statement worth a look."""

from __future__ import annotations

import msgspec


class Vocabulary(msgspec.Struct, frozen=True, array_like=True):
    """What the active rules and the policy make worth a look; part of the key of cached facts.

    ``words`` mark statements; the others are last parts of dotted names: of decorators that make an adapter, of
    calls that register one, and names of methods that are one. ``keys`` (lower case) are the parts of payloads and
    objects whose values matter; with ``holes`` so do the values put into texts. ``boundaries`` are last parts of
    decorators whose arguments matter, ``calls`` of calls whose statements do. With ``inspections`` the places that look
    for an error in the result of a function are worth a look, where its uses are wanted, with ``classes`` exception
    classes and registries of codes are, with ``handlers`` handlers that use a name of their own ``try``,
    with ``rebound`` names of a module that it binds more than once.
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
    handlers: bool = False
    rebound: bool = False
