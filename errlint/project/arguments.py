"""Which parameter each argument of a call goes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from errlint.facts import Call, Function, Parameter, Value


class BoundArguments(NamedTuple):
    """The arguments of a call by the names of parameters.

    ``is_open`` is true where ``*`` or ``**`` may pass anything, ``has_more`` where more is passed by position than
    there are names for.
    """

    passed: Mapping[str, Value]
    is_open: bool
    has_more: bool


def bind(call: Call, positional: Sequence[str]) -> BoundArguments:
    """Give the arguments of a call the names of parameters: of ``positional`` ones in their order, or their own.

    Where arguments by position stand behind ``*``, nobody knows which parameters they are of.
    """
    known = takewhile(lambda argument: argument.name != "*", call.arguments)
    given = [argument.value for argument in known if not argument.name]
    passed = dict(zip(positional, given, strict=False))
    passed.update((item.name, item.value) for item in call.arguments if item.name not in ("", "*", "**"))
    is_open = any(argument.name in ("*", "**") for argument in call.arguments)
    return BoundArguments(passed, is_open, len(given) > len(positional))


def own_parameters(function: Function) -> list[Parameter]:
    """Return the parameters of a function that its calls give something to: ``self`` and ``cls`` are none of them."""
    return [item for item in function.parameters if item.name not in ("self", "cls")]


def bound_to(function: Function, call: Call) -> BoundArguments:
    """Give the arguments of a call of a function the names of its parameters."""
    return bind(call, [item.name for item in own_parameters(function) if item.kind == ""])


def defaults_of(function: Function) -> dict[str, Value]:
    """Return the defaults of a function's parameters, by their names."""
    return {item.name: item.default for item in own_parameters(function) if item.default is not None}
