"""Which parameter each argument of a call goes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from errlint.facts import Call, Value


class BoundArguments(NamedTuple):
    """The arguments of a call by the names of parameters.

    ``is_open`` is true where ``*`` or ``**`` may pass anything, ``has_more`` where more is passed by position than
    there are names for.
    """

    passed: Mapping[str, Value]
    is_open: bool
    has_more: bool


def bind(call: Call, positional: Sequence[str]) -> BoundArguments:
    """Give the arguments of a call the names of parameters: of ``positional`` ones in their order, or their own."""
    given = [argument.value for argument in call.arguments if not argument.name]
    passed = dict(zip(positional, given, strict=False))
    passed.update((item.name, item.value) for item in call.arguments if item.name not in ("", "*", "**"))
    is_open = any(argument.name in ("*", "**") for argument in call.arguments)
    return BoundArguments(passed, is_open, len(given) > len(positional))
