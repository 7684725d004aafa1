"""Registries of error codes: what they are, and what the value of one entry tells."""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from errlint.facts import Call, Constant, Mapping, Ref, Sequence, Text, Value, constant_text
from errlint.findings import Span

NOWHERE = Span(1, 1, 1, 1)
"""The place of what stands in no file."""


class RegistryKind(Enum):
    """What registers codes."""

    ENUM = "enum"
    TEXT_ENUM = "enum of strings"
    CONSTANTS = "class"
    MAPPING = "dict"
    LITERAL = "Literal alias"
    LIST = "list"
    POLICY = "vocabulary"
    EXCEPTIONS = "exception classes"


class Registered(NamedTuple):
    """One registered code: what is sent, its name in the registry ("" for none), its place, its status if it says one.

    ``repeats`` is true where the registry itself says that it is another one's code under a second name, ``is_written``
    false where the value is made from the name.
    """

    value: str | int | None
    member: str
    place: Span
    status: int | None = None
    repeats: bool = False
    is_written: bool = True

    @property
    def text(self) -> str:
        """What a literal has to be to be this code."""
        return self.value if isinstance(self.value, str) else self.member


class Registry(NamedTuple):
    """A registry. ``is_open`` is true where some of its codes cannot be told."""

    path: str
    name: str
    kind: RegistryKind
    place: Span
    codes: tuple[Registered, ...]
    is_open: bool = False

    @property
    def short(self) -> str:
        """The last part of its name."""
        return self.name.rpartition(".")[2]

    def spelled(self, code: Registered) -> str:
        """Return how code names a registered code."""
        return f"{self.short}.{code.member}" if self.kind in MEMBERS and code.member else f'"{code.text}"'


MEMBERS = frozenset({RegistryKind.ENUM, RegistryKind.TEXT_ENUM, RegistryKind.CONSTANTS})
"""Registries whose codes are named ``Registry.MEMBER``."""


def texts_of(registry: Registry) -> frozenset[str]:
    """Return what the codes of a registry are as literals."""
    return frozenset(code.text for code in registry.codes if code.text)


def told(value: Value) -> tuple[str | int | None, int | None]:
    """Return the code and the status that a registry's entry tells: ``"x"``, ``("x", 404)``, ``Spec("x", 404)``."""
    items: list[Value] = []
    if type(value) is Text or type(value) is Constant:
        items = [value]
    elif type(value) is Sequence and value.kind == "tuple":
        items = list(value.items)
    elif type(value) is Call and value.inner is None and value.name.rpartition(".")[2] != "auto":
        items = [argument.value for argument in value.arguments]
    elif type(value) is Mapping:
        return None, next((number(entry.value) for entry in value.entries if entry.key in STATUS_NAMES), None)
    code: str | int | None = constant_text(items[0]) if items else None
    if items and code is None:
        code = number(items[0])
    numbers = [found for item in items if (found := number(item)) is not None and is_status(found)]
    return code, numbers[0] if len(numbers) == 1 else None


STATUS_NAMES = frozenset({"status", "status_code", "http_status", "http_status_code"})


def is_of_protocol(registry: Registry) -> bool:
    """Whether a registry lists the codes of a protocol: numbers that JSON-RPC or LSP prescribe."""
    return sum(map(is_prescribed, registry.codes)) * 2 > len(registry.codes)


def is_prescribed(code: Registered) -> bool:
    """Whether a code is a number that JSON-RPC or LSP prescribes."""
    return isinstance(code.value, int) and -32899 <= code.value < -32100


def is_status(number: int) -> bool:
    """Whether a number may be the status of an HTTP answer, or a code of JSON-RPC."""
    return 100 <= number < 600 or -32800 < number <= -32000


def number(value: Value) -> int | None:
    """Return the whole number that a value is, also as a member of ``HTTPStatus``."""
    if type(value) is Constant and isinstance(value.value, int) and not isinstance(value.value, bool):
        return value.value
    if type(value) is Ref:
        return _http_status(value.name.removesuffix(".value"))
    return None


_NUMBERED = re.compile(r"(?:^|\.)status\.HTTP_(\d{3})_\w+$")
_STATUS_HOLDERS = frozenset({"HTTPStatus", "http.HTTPStatus", "httpx.codes", "requests.codes"})


def _http_status(name: str) -> int | None:
    from http import HTTPStatus

    numbered = _NUMBERED.search(name)
    if numbered is not None:
        return int(numbered[1])
    holder, _, member = name.rpartition(".")
    member = member.upper()
    return int(HTTPStatus[member]) if holder in _STATUS_HOLDERS and member in HTTPStatus.__members__ else None
