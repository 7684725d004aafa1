"""Codes and classes that documents list: which of them are none of this code, and what makes them known."""

from __future__ import annotations

from pathlib import Path

import pytest
from documented_shop import LISTED, said

CODE = """\
from enum import Enum

from fastmcp import FastMCP

mcp = FastMCP("shop")


class Code(str, Enum):
    ORDER_GONE = "ORDER_GONE"
    ORDER_SHUT = "ORDER_SHUT"
    ORDER_PAID = "ORDER_PAID"


class ShopError(Exception):
    def __init__(self, message, code=Code.ORDER_PAID):
        super().__init__(message)
        self.code = code


class TillError(ShopError):
    pass


@mcp.tool()
def close_order(order_id: str) -> dict:
    if order_id == "1":
        raise ShopError("It is gone", Code.ORDER_GONE)
    raise ShopError("It is paid", Code.ORDER_PAID)
"""


def table(*codes: str) -> str:
    """Return a page with a row for each code: that of the first stands in line 5."""
    return "# Error codes\n\n| Code | Meaning |\n|---|---|\n" + "".join(f"| `{each}` | it is so |\n" for each in codes)


def phantoms(
    root: Path, page: str, *, code: str = CODE, config: str = LISTED, path: str = "docs/codes.md"
) -> list[str]:
    found = said(root, "ERR502", {"shop.py": code, path: page}, config)
    return [each.removeprefix(f"{path}:") for each in found]


UNREACHED = "where it is raised, nothing calls that function, or gets there"
REGISTERED = "the error code `ORDER_SHUT` is registered, and nothing uses it"
TAIL = "\n\ndef sent(order):\n    {0}\n"
USES = {
    "nothing": ("", [REGISTERED]),
    "its member": ("return Code.ORDER_SHUT", []),
    "its text": ("return 'ORDER_SHUT'", []),
    "its text in a longer one": ("return 'an ORDER_SHUT now'", [REGISTERED]),
    "its text between holes": ("return f'{order}ORDER_SHUT{order}'", []),
    "a comment": ("return 1  # ORDER_SHUT", [REGISTERED]),
    "a docstring": ('"""An ORDER_SHUT."""', [REGISTERED]),
    "an error that nobody gets": (
        "raise ShopError('It is shut', Code.ORDER_SHUT)",
        ["nobody gets the error code `ORDER_SHUT`: where it is raised, nothing calls that function, or gets there"],
    ),
    "an error that is caught again": (
        "try:\n        raise ShopError('It is shut', Code.ORDER_SHUT)\n    except ShopError:\n        return 1",
        ["nobody gets the error code `ORDER_SHUT`: where it is raised, its own function catches it again"],
    ),
    "an error that nobody gets, and a list": (
        "print([Code.ORDER_SHUT])\n    raise ShopError('It is shut', Code.ORDER_SHUT)",
        [],
    ),
    "an error that nobody gets, over some lines": (
        "raise ShopError(\n        'It is shut',\n        Code.ORDER_SHUT,\n    )",
        ["nobody gets the error code `ORDER_SHUT`: where it is raised, nothing calls that function, or gets there"],
    ),
}


@pytest.mark.parametrize(("use", "expected"), USES.values(), ids=USES)
def test_a_code_that_is_registered_and_what_uses_it(tmp_path: Path, use: str, expected: list[str]) -> None:
    code = CODE + (TAIL.format(use) if use else "")
    assert phantoms(tmp_path, table("ORDER_GONE", "ORDER_SHUT"), code=code) == [f"6 {each}" for each in expected]


@pytest.mark.parametrize(
    ("use", "is_told"),
    [
        pytest.param("return 4711", False, id="the number"),
        pytest.param("return 47110", True, id="a longer number"),
        pytest.param("return {}  # 4711", True, id="a comment"),
        pytest.param("return '4711'", False, id="a text"),
    ],
)
def test_a_code_that_is_a_number(tmp_path: Path, use: str, is_told: bool) -> None:
    codes = "from enum import IntEnum\n\n\nclass ErrorCode(IntEnum):\n    GONE = 4711\n    SHUT = 4712\n"
    code = f"{codes}\n\ndef sent():\n    {use}\n\n\ndef shut():\n    return 4712\n"
    config = f"{LISTED}[codes]\nregistry = ['shop.ErrorCode']\n"
    found = phantoms(tmp_path, table("4711", "4712"), code=code, config=config)
    assert found == (["5 the error code `4711` is registered, and nothing uses it"] if is_told else [])


@pytest.mark.parametrize(
    "reserved", [pytest.param("ORDER_SHUT", id="by its text"), pytest.param("SHUT", id="by its member")]
)
def test_a_code_that_the_policy_reserves_is_used_by_nothing(tmp_path: Path, reserved: str) -> None:
    code = CODE.replace("ORDER_SHUT =", "SHUT =")
    page = table("ORDER_GONE", "ORDER_SHUT")
    assert phantoms(tmp_path, page, code=code) == [f"6 {REGISTERED}"]
    assert phantoms(tmp_path, page, code=code, config=f"{LISTED}[codes]\nreserved = ['{reserved}']\n") == []


OWN = "\n\nclass LostError(Exception):\n    code = 'ORDER_LOST'\n"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        pytest.param("", ["6 nothing raises `LostError`, whose error code `ORDER_LOST` is"], id="nothing"),
        pytest.param(TAIL.format("return LostError"), [], id="its class is handed around"),
        pytest.param(
            TAIL.format("raise LostError('no')"),
            [f"6 nobody gets the error code `ORDER_LOST`: {UNREACHED}"],
            id="a raise that nobody gets",
        ),
        pytest.param("\n\n@mcp.tool()\ndef lose(order: str) -> dict:\n    raise LostError('no')\n", [], id="a tool"),
    ],
)
def test_a_code_of_a_class_and_what_makes_it(tmp_path: Path, more: str, expected: list[str]) -> None:
    assert phantoms(tmp_path, table("ORDER_GONE", "ORDER_LOST"), code=CODE + OWN + more) == expected


UNKNOWN = "6 the code has no error code `RAIN_OUTSIDE`"
SPOKEN = {
    "nothing": ("", "", [UNKNOWN]),
    "its vocabulary": ("", "[codes.vocabulary]\nRAIN_OUTSIDE = { status = 400 }\n", []),
    "another code of its vocabulary": ("", "[codes.vocabulary]\nORDER_DRY = { status = 400 }\n", [UNKNOWN]),
    "the code of a status": ("", "[codes]\ndefaults = { 400 = 'RAIN_OUTSIDE' }\n", []),
    "the values of a field": (
        "",
        "[[required]]\nclasses = ['ShopError']\nfields = ['kind']\nvalues = { kind = ['RAIN_OUTSIDE'] }\n",
        [],
    ),
    "a word of the code": ("# RAIN_OUTSIDE is to come\n", "", []),
    "a longer word of the code": ("# RAIN_OUTSIDER is to come\n", "", [UNKNOWN]),
    "a word with a hyphen": ("# RAIN_OUTSIDE-1 is to come\n", "", [UNKNOWN]),
}


@pytest.mark.parametrize(("more", "config", "expected"), SPOKEN.values(), ids=SPOKEN)
def test_a_code_that_nothing_speaks_of(tmp_path: Path, more: str, config: str, expected: list[str]) -> None:
    page = table("ORDER_GONE", "RAIN_OUTSIDE", "ORDER_PAID")
    assert phantoms(tmp_path, page, code=CODE + more, config=LISTED + config) == expected


def test_a_code_that_is_nearly_one_of_the_code_is_told_which(tmp_path: Path) -> None:
    found = phantoms(tmp_path, table("ORDER_GONE", "ORDER_PAYD"))
    assert found == ["6 the code has no error code `ORDER_PAYD`; did you mean `ORDER_PAID`?"]


DOTTED = CODE.replace('"ORDER_GONE"', '"order.gone"').replace('"ORDER_PAID"', '"order.paid"')


@pytest.mark.parametrize(
    ("more", "is_told"),
    [
        pytest.param("", True, id="nothing"),
        pytest.param("# order.wet is to come\n", False, id="a word"),
        pytest.param("# reorder.wet is to come\n", True, id="the end of a word"),
        pytest.param("# order.wetter is to come\n", True, id="the beginning of a word"),
        pytest.param("# orderXwet is to come\n", True, id="other signs"),
    ],
)
def test_a_code_with_a_dot_that_stands_in_the_code(tmp_path: Path, more: str, is_told: bool) -> None:
    found = phantoms(tmp_path, table("order.gone", "order.wet", "order.paid"), code=DOTTED + more)
    assert bool(found) is is_told


RENAMED = CODE.replace("ORDER_SHUT =", "ORDER_OPEN =")


@pytest.mark.parametrize(
    ("code", "is_told"),
    [
        pytest.param(
            RENAMED.replace("    ORDER_PAID =", '    A_A = "A_A"\n    ORDER_PAID ='), True, id="all others are alike"
        ),
        pytest.param(RENAMED, False, id="only two others are alike"),
        pytest.param(
            RENAMED.replace("    ORDER_PAID =", '    A_A = "A_A"\n    ORDER_PAID =') + TAIL.format("return ORDER_OPEN"),
            False,
            id="its name is used",
        ),
        pytest.param(
            RENAMED.replace("    ORDER_PAID =", '    A_A = "A_A"\n    ORDER_PAID =')
            + TAIL.format("return Code.ORDER_OPEN"),
            True,
            id="its member is used",
        ),
    ],
)
def test_the_name_of_a_member_whose_text_is_another_one_is_no_code(tmp_path: Path, code: str, is_told: bool) -> None:
    found = phantoms(tmp_path, table("ORDER_GONE", "ORDER_OPEN", "ORDER_PAID"), code=code)
    assert [each.partition(";")[0] for each in found] == (
        ["6 the code has no error code `ORDER_OPEN`"] if is_told else []
    )


@pytest.mark.parametrize(
    ("known", "unknown", "is_told"),
    [
        pytest.param(["ORDER_GONE"], ["A_A"], True, id="half of them are known"),
        pytest.param(["ORDER_GONE"], ["A_A", "B_B"], False, id="less than half are known"),
        pytest.param(
            ["ORDER_GONE", "ORDER_PAID", "ORDER_LENT"], ["A_A", "B_B", "C_C", "D_D"], True, id="three are known"
        ),
        pytest.param(["ORDER_GONE", "ORDER_PAID"], ["A_A", "B_B", "C_C"], False, id="two are known"),
    ],
)
def test_a_document_about_other_things_has_other_codes(
    tmp_path: Path, known: list[str], unknown: list[str], is_told: bool
) -> None:
    code = CODE.replace("ORDER_SHUT", "ORDER_LENT") + TAIL.format("return Code.ORDER_LENT")
    found = phantoms(tmp_path, table(*known, *unknown), code=code)
    assert [each.rpartition(" ")[2] for each in found] == ([f"`{each}`" for each in unknown] if is_told else [])


def test_what_the_catalog_itself_reserves_is_no_phantom(tmp_path: Path) -> None:
    page = table("ORDER_GONE", "RAIN_OUTSIDE", "ORDER_PAID").replace(
        "| `RAIN_OUTSIDE` | it is so", "| `RAIN_OUTSIDE` | reserved"
    )
    assert phantoms(tmp_path, page) == []


def entries(*names: str) -> str:
    return "# Errors\n\n" + "".join(f"## {each}\n\nIt is so.\n\n" for each in names)


LOST = "\n\nclass LostError(ShopError):\n    pass\n"
CLASSES = {
    "it is raised": ("ShopError", "", []),
    "nothing raises it": ("LostError", LOST, ["7 nothing raises `LostError`"]),
    "one below it is made": (
        "LostError",
        LOST + "\n\nclass FarError(LostError):\n    pass\n\n\nfar = FarError('x')\n",
        [],
    ),
    "it does not exist": ("LostError", "", ["7 the code has no exception `LostError`"]),
    "it is imported": ("LostError", "from lib import LostError\n", []),
    "it is one of the language": ("KeyError", "", []),
    "it is there to be extended": ("LostError - the base class", LOST, []),
    "it is there to be extended, in other words": ("LostError (base exception)", LOST, []),
    "it is reserved": ("LostError - reserved", LOST, []),
    "it is named in full": ("shop.LostError", LOST, ["7 nothing raises `LostError`"]),
    "nobody gets it": (
        "LostError",
        LOST + TAIL.format("raise LostError('no')"),
        ["7 nobody gets `LostError`: where it is raised, nothing calls that function, or gets there"],
    ),
    "it is caught again": (
        "LostError",
        LOST + TAIL.format("try:\n        raise LostError('no')\n    except LostError:\n        return 1"),
        ["7 nobody gets `LostError`: where it is raised, its own function catches it again"],
    ),
    "nobody gets one below it": (
        "LostError",
        LOST + "\n\nclass FarError(LostError):\n    pass\n" + TAIL.format("raise FarError('no')"),
        ["7 nobody gets `LostError`: where it is raised, nothing calls that function, or gets there"],
    ),
    "somebody gets one below it": (
        "LostError",
        LOST
        + "\n\nclass FarError(LostError):\n    pass\n\n\n"
        + "@mcp.tool()\ndef sent(a: str) -> dict:\n    raise FarError('no')\n",
        [],
    ),
    "nobody gets it, and it is handed around": (
        "LostError",
        LOST + TAIL.format("print(LostError)\n    raise LostError('no')"),
        [],
    ),
    "nobody gets it, nor is it caught by one": (
        "LostError",
        LOST + TAIL.format("try:\n        return 1\n    except LostError:\n        return 2"),
        ["7 nothing raises `LostError`"],
    ),
}


@pytest.mark.parametrize(("name", "more", "expected"), CLASSES.values(), ids=CLASSES)
def test_a_class_that_nobody_gets(tmp_path: Path, name: str, more: str, expected: list[str]) -> None:
    assert phantoms(tmp_path, entries("ShopError", name), code=CODE + more) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param(["ShopError", "AError"], ["`AError`"], id="half are known"),
        pytest.param(["ShopError", "AError", "BError"], [], id="less than half are known"),
    ],
)
def test_a_document_about_other_things_has_other_classes(tmp_path: Path, names: list[str], expected: list[str]) -> None:
    assert [each.rpartition(" ")[2] for each in phantoms(tmp_path, entries(*names))] == expected


KINDS = """\
from fastmcp import FastMCP

mcp = FastMCP("shop")


@mcp.tool()
def print_page(name: str) -> dict:
    if not name:
        return {"success": False, "error": "no_paper", "message": "There is no paper"}
    return {"success": False, "error_type": "no_ink", "error": "There is no ink"}
"""


def kinds(*names: str) -> str:
    return "# Errors\n\n" + "".join(f"## {each}\n\nIt is so.\n\n" for each in names)


@pytest.mark.parametrize(
    ("name", "is_told"),
    [
        pytest.param("no_paper", False, id="the kind of an error"),
        pytest.param("no_ink", False, id="another kind of an error"),
        pytest.param("no_light", True, id="a kind that no error is given"),
    ],
)
def test_a_kind_of_error_is_one_that_errors_are_given(tmp_path: Path, name: str, is_told: bool) -> None:
    found = phantoms(tmp_path, kinds("no_paper", "no_ink", name), code=KINDS)
    assert [each.partition(" ")[2] for each in found] == ([f"the code has no error code `{name}`"] if is_told else [])


@pytest.mark.parametrize(
    ("name", "title", "is_told"),
    [
        pytest.param("index_corruption", "Index Corruption", False, id="the same words"),
        pytest.param("format_validation", "Invalid Format", False, id="another word for a failure"),
        pytest.param("render_failure", "Rendering Failed", False, id="another form of a word"),
        pytest.param("page_corruption", "Index Corruption", True, id="other words"),
        pytest.param("index_page_corruption", "Index Corruption", True, id="more words"),
        pytest.param("validation_failed", "Invalid Format", True, id="nothing but a failure"),
        pytest.param("validation_failed", "Invalid", True, id="nothing but a failure, beside another one"),
    ],
)
def test_a_kind_of_error_that_is_called_like_the_title_of_another_entry(
    tmp_path: Path, name: str, title: str, is_told: bool
) -> None:
    trouble = f"# Trouble\n\n| Code | Meaning |\n|---|---|\n| `INK_GONE` | {title} |\n"
    pages = {"docs/codes.md": kinds("no_paper", "no_ink", name), "docs/trouble.md": trouble}
    found = said(tmp_path, "ERR502", {"shop.py": KINDS, **pages})
    assert [each.partition(" ")[2].partition(";")[0] for each in found] == (
        [f"the code has no error code `{name}`"] if is_told else []
    )
