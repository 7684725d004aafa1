"""Which statements of a module may be the last to bind a name, where branches bind it to different things.

Each reader lowers the statements of a module to a :data:`Flow`; what is concluded from one stands here alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from errlint.facts import Alternative


class Binding(NamedTuple):
    """A statement that binds a name; ``line``, from 1, is that of a ``def`` or ``class``, 0 for anything else."""

    name: str
    line: int


class Branches(NamedTuple):
    """Blocks of which one runs."""

    flows: tuple[Flow, ...]


Flow: TypeAlias = "Sequence[Binding | Branches]"
"""What a block binds, in the order in which it runs."""


def alternatives(flow: Flow) -> tuple[Alternative, ...]:
    """Return the names that several statements may be the last to bind, of which one defines a function or class."""
    found = _last(flow, {})
    return tuple(
        Alternative(name, tuple(sorted(lines)))
        for name, every in sorted(found.items())
        if len(every) > 1 and (lines := {each.line for each in every if each.line})
    )


def surely_bound(flow: Flow) -> frozenset[str]:
    """Return the names that have a value behind a block, whatever way led there."""
    found: set[str] = set()
    for item in flow:
        if isinstance(item, Binding):
            found.add(item.name)
        elif item.flows:
            found |= frozenset.intersection(*map(surely_bound, item.flows))
    return frozenset(found)


def _last(flow: Flow, before: dict[str, frozenset[Binding]]) -> dict[str, frozenset[Binding]]:
    """Return the bindings of each name that may be its last behind a block; ``before`` are those in front of it."""
    found = dict(before)
    for item in flow:
        if isinstance(item, Binding):
            found[item.name] = frozenset((item,))
            continue
        branches = [_last(each, found) for each in item.flows]
        found = {
            name: frozenset().union(*(branch.get(name, frozenset()) for branch in branches))
            for name in dict.fromkeys(name for branch in branches for name in branch)
        }
    return found
