"""What the value of an entry of a registry tells: its code and its status; and which numbers are statuses."""

from __future__ import annotations

import pytest

from errlint.facts import SUBSCRIPT, Argument, Call, Constant, DictEntry, Mapping, Opaque, Ref, Sequence, Text, Value
from errlint.project.registry import (
    NOWHERE,
    Registered,
    Registry,
    RegistryKind,
    is_of_protocol,
    is_status,
    number,
    texts_of,
    told,
)

LOST = Text(("lost",))


def call(name: str, *values: Value) -> Call:
    return Call(name, tuple(Argument("", value) for value in values))


VALUES: dict[str, tuple[Value, str | int | None, int | None]] = {
    "a text": (LOST, "lost", None),
    "a text with a hole": (Text(("lost ", Opaque())), None, None),
    "a number": (Constant(7), 7, None),
    "a number that is a status": (Constant(404), 404, 404),
    "a flag": (Constant(True), None, None),
    "none": (Constant(None), None, None),
    "a text and a status": (Sequence("tuple", (LOST, Constant(404))), "lost", 404),
    "a text and a member of a status": (Sequence("tuple", (LOST, Ref("HTTPStatus.NOT_FOUND"))), "lost", 404),
    "a text and another number": (Sequence("tuple", (LOST, Constant(7))), "lost", None),
    "a text and two statuses": (Sequence("tuple", (LOST, Constant(404), Constant(410))), "lost", None),
    "a status and a text": (Sequence("tuple", (Constant(404), LOST)), 404, 404),
    "a list": (Sequence("list", (LOST, Constant(404))), None, None),
    "an empty tuple": (Sequence("tuple", ()), None, None),
    "a call with both": (call("Spec", LOST, Constant(404)), "lost", 404),
    "a call of a module": (call("shop.Spec", LOST), "lost", None),
    "a call of what a call answers": (Call("", (Argument("", Constant(2)),), call("made", Constant(1))), None, None),
    "an item": (Call(SUBSCRIPT, (Argument("", Constant(2)),), Ref("ROWS")), None, None),
    "a call without": (call("read"), None, None),
    "a count": (call("auto", LOST), None, None),
    "a count of a module": (call("enum.auto", LOST), None, None),
    "a dict with a status": (Mapping((DictEntry("text", LOST), DictEntry("status", Constant(404)))), None, 404),
    "a dict with another number": (Mapping((DictEntry("limit", Constant(404)),)), None, None),
    "a dict whose first status counts": (
        Mapping((DictEntry("http_status", Constant(410)), DictEntry("status_code", Constant(404)))),
        None,
        410,
    ),
    "a name": (Ref("OTHER"), None, None),
}


@pytest.mark.parametrize(("value", "code", "status"), VALUES.values(), ids=VALUES)
def test_an_entry_tells(value: Value, code: str | int | None, status: int | None) -> None:
    assert told(value) == (code, status)


NUMBERS: dict[str, tuple[Value, int | None]] = {
    "a number": (Constant(404), 404),
    "nothing": (Constant(0), 0),
    "a flag": (Constant(True), None),
    "a part of one": (Constant(0.5), None),
    "a text": (Text(("404",)), None),
    "a member": (Ref("HTTPStatus.NOT_FOUND"), 404),
    "the value of a member": (Ref("HTTPStatus.NOT_FOUND.value"), 404),
    "a member of its module": (Ref("http.HTTPStatus.GONE"), 410),
    "a member in small letters": (Ref("requests.codes.not_found"), 404),
    "a member of a library": (Ref("httpx.codes.GONE"), 410),
    "a member that there is not": (Ref("HTTPStatus.ODD"), None),
    "a member of something else": (Ref("Shop.NOT_FOUND"), None),
    "a name with its number": (Ref("status.HTTP_404_NOT_FOUND"), 404),
    "a name with its number, of a module": (Ref("fastapi.status.HTTP_409_CONFLICT"), 409),
    "a name with its number, of something else": (Ref("mystatus.HTTP_404_NOT_FOUND"), None),
    "a name with a number of another length": (Ref("status.HTTP_40_ODD"), None),
}


@pytest.mark.parametrize(("value", "found"), NUMBERS.values(), ids=NUMBERS)
def test_a_value_is_the_number(value: Value, found: int | None) -> None:
    assert number(value) == found


@pytest.mark.parametrize("each", [100, 200, 404, 599, -32000, -32099, -32600, -32700, -32799])
def test_a_number_may_be_a_status(each: int) -> None:
    assert is_status(each)


@pytest.mark.parametrize("each", [0, 1, 99, 600, 1001, -1, -404, -31999, -32800, -40000])
def test_a_number_is_no_status(each: int) -> None:
    assert not is_status(each)


def of_numbers(*codes: int | str) -> Registry:
    entries = tuple(Registered(code, f"C{index}", NOWHERE) for index, code in enumerate(codes))
    return Registry("codes.py", "ErrorCode", RegistryKind.CONSTANTS, NOWHERE, entries)


PROTOCOLS = {
    "numbers that JSON-RPC prescribes": ((-32700, -32600), True),
    "the first and the last number of it": ((-32899, -32101), True),
    "numbers beside it": ((-32100, -32900), False),
    "more of it than others": ((-32700, -32600, 1), True),
    "as many of it as others": ((-32700, 1), False),
    "texts": (("lost", "late"), False),
}


@pytest.mark.parametrize(("codes", "is_prescribed"), PROTOCOLS.values(), ids=PROTOCOLS)
def test_a_registry_lists(codes: tuple[int | str, ...], is_prescribed: bool) -> None:
    assert is_of_protocol(of_numbers(*codes)) is is_prescribed


SPELLED = {
    "a member": (RegistryKind.TEXT_ENUM, Registered("lost", "LOST", NOWHERE), "ErrorCode.LOST"),
    "a constant": (RegistryKind.CONSTANTS, Registered("lost", "LOST", NOWHERE), "ErrorCode.LOST"),
    "a key of a dict": (RegistryKind.MAPPING, Registered("lost", "", NOWHERE), '"lost"'),
    "a code of the policy": (RegistryKind.POLICY, Registered("lost", "LOST", NOWHERE), '"lost"'),
    "a code without a name": (RegistryKind.ENUM, Registered("lost", "", NOWHERE), '"lost"'),
}


@pytest.mark.parametrize(("kind", "code", "spelled"), SPELLED.values(), ids=SPELLED)
def test_code_names(kind: RegistryKind, code: Registered, spelled: str) -> None:
    assert Registry("codes.py", "shop.ErrorCode", kind, NOWHERE, (code,)).spelled(code) == spelled


def test_codes_are_literals_by_their_texts_or_their_names() -> None:
    codes = (Registered("lost", "LOST", NOWHERE), Registered(7, "LATE", NOWHERE), Registered(8, "", NOWHERE))
    assert texts_of(Registry("codes.py", "ErrorCode", RegistryKind.ENUM, NOWHERE, codes)) == {"lost", "LATE"}
