"""Which status an exception class has, and which one its code has by that."""

from __future__ import annotations

import pytest
from judged_texts import astray, project_of

from errlint.project.names import ClassSymbol
from errlint.project.statuses import is_rpc

SETTINGS = '[exceptions]\nroot = ["errors.ShopError"]\n\n[codes]\nstatus-arguments = ["status", "http_status"]\n'
LISTED = SETTINGS + '\n[codes.status]\n"errors.Sold" = 410\n'
ROOT = (
    "class ShopError(Exception):\n    def __init__(self, text, status=None, code=None):\n"
    "        super().__init__(text)\n\n\n"
)

CLASSES = {
    "an attribute": ("class Gone(ShopError):\n    status = 404\n", 404),
    "another attribute of the policy": ("class Gone(ShopError):\n    http_status = 404\n", 404),
    "the first of two attributes": ("class Gone(ShopError):\n    http_status = 500\n    status = 404\n", 404),
    "an attribute that is no number": ("class Gone(ShopError):\n    status = 'gone'\n    http_status = 404\n", 404),
    "an attribute of something else": ("class Gone(ShopError):\n    size = 404\n", None),
    "a name of the library": ("class Gone(ShopError):\n    status = HTTPStatus.NOT_FOUND\n", 404),
    "what its constructor hands on": (
        "class Gone(ShopError):\n    def __init__(self):\n        super().__init__('gone', status=404)\n",
        404,
    ),
    "an attribute before what it hands on": (
        (
            "class Gone(ShopError):\n    status = 404\n\n"
            "    def __init__(self):\n        super().__init__('a', status=500)\n"
        ),
        404,
    ),
    "the attribute of its base": ("class Lost(ShopError):\n    status = 404\n\n\nclass Gone(Lost):\n    pass\n", 404),
    "its own before that of its base": (
        "class Lost(ShopError):\n    status = 500\n\n\nclass Gone(Lost):\n    status = 404\n",
        404,
    ),
    "that of the nearest base": (
        "class Lost(ShopError):\n    status = 500\n\n\nclass Missing(Lost):\n    status = 404\n\n\n"
        "class Gone(Missing):\n    pass\n",
        404,
    ),
    "none at all": ("class Gone(ShopError):\n    pass\n", None),
    "that of the policy for its base": ("class Sold(ShopError):\n    pass\n\n\nclass Gone(Sold):\n    pass\n", 410),
    "its own before that of the policy for its base": (
        "class Sold(ShopError):\n    pass\n\n\nclass Gone(Sold):\n    status = 404\n",
        404,
    ),
    "that of the policy before what its base says": (
        "class Sold(ShopError):\n    status = 500\n\n\nclass Gone(Sold):\n    pass\n",
        410,
    ),
}


@pytest.mark.parametrize(("text", "status"), CLASSES.values(), ids=CLASSES)
def test_the_status_of_a_class_is(text: str, status: int | None) -> None:
    project = project_of({"errors.py": f"from http import HTTPStatus\n\n{ROOT}{text}"}, LISTED, rules=("ERR306",))
    found = project.names.resolve("errors.py", "Gone")
    assert isinstance(found, ClassSymbol)
    assert project.statuses.of_class(found) == status


NAMESAKES = {
    "the status of the class with its code": ("class Gone(ShopError):\n    status = 404\n    code = 'gone'\n", 404),
    "that of two classes that agree": (
        "class Gone(ShopError):\n    status = 404\n    code = 'gone'\n\n\n"
        "class Lost(ShopError):\n    status = 404\n    code = 'gone'\n",
        404,
    ),
    "none of two that do not": (
        "class Gone(ShopError):\n    status = 404\n    code = 'gone'\n\n\n"
        "class Lost(ShopError):\n    status = 410\n    code = 'gone'\n",
        None,
    ),
    "none of a class with another code": ("class Gone(ShopError):\n    status = 404\n    code = 'sold'\n", None),
    "none of a class without a status": ("class Gone(ShopError):\n    code = 'gone'\n", None),
    "none of a class that is no error of the domain": ("class Gone:\n    status = 404\n    code = 'gone'\n", None),
    "none of a class with two codes": (
        "class Gone(ShopError):\n    status = 404\n    code = 'gone'\n    error_code = 'sold'\n",
        None,
    ),
    "that which the constructor hands on": (
        "class Gone(ShopError):\n    def __init__(self):\n        super().__init__('no', status=404, code='gone')\n",
        404,
    ),
}


@pytest.mark.parametrize(("text", "status"), NAMESAKES.values(), ids=NAMESAKES)
def test_the_status_of_a_code_is(text: str, status: int | None) -> None:
    project = project_of({"errors.py": ROOT + text}, SETTINGS, rules=("ERR306",))
    found = project.statuses.of_code("errors.py", "gone")
    assert (found[0] if found is not None else None) == status


def test_the_classes_below_one_are_those_of_the_domain() -> None:
    text = "class Gone(ShopError):\n    pass\n\n\nclass Sold(Gone):\n    pass\n\n\nclass Other(Exception):\n    pass\n"
    project = project_of({"errors.py": ROOT + text}, SETTINGS, rules=("ERR306",))

    def below(name: str) -> list[str]:
        found = project.names.resolve("errors.py", name)
        assert isinstance(found, ClassSymbol)
        return sorted(each.definition.name for each in project.statuses.below(found))

    assert below("Gone") == ["Gone", "Sold"]
    assert below("ShopError") == ["Gone", "ShopError", "Sold"]
    assert below("Other") == []


RPC = """\
from http import HTTPStatus

from errors import Gone
from mcp.shared.exceptions import McpError
from mcp.types import INTERNAL_ERROR, INVALID_PARAMS, ErrorData

OWN = -32602
OTHER = -32001


def find(title):
    try:
        return look(title)
    except Gone as error:
        raise McpError(ErrorData(code={code}, message="no")) from error{mark}
"""
WRONG = "  # error: `code` is {} where the configuration for `Gone` says -32602"
CODES = {
    "the one of the policy": ("INVALID_PARAMS", ""),
    "another one of the library": ("INTERNAL_ERROR", WRONG.format(-32603)),
    "a number": ("-32602", ""),
    "another number": ("-32000", WRONG.format(-32000)),
    "a number of an own numbering": ("17", ""),
    "a constant": ("OWN", ""),
    "another constant": ("OTHER", WRONG.format(-32001)),
    "a text": ("'none'", ""),
    "a status of HTTP": ("HTTPStatus.NOT_FOUND", ""),
    "what only the run knows": ("title.code", ""),
}


@pytest.mark.parametrize(("code", "mark"), CODES.values(), ids=CODES)
def test_what_is_made_of_an_error_has_the_code(code: str, mark: str) -> None:
    settings = (
        '[exceptions]\nroot = ["errors.ShopError"]\n\n[codes]\nstatus-arguments = ["code"]\n\n'
        '[codes.status]\n"errors.Gone" = -32602\n'
    )
    texts = {"errors.py": f"{ROOT}class Gone(ShopError):\n    pass\n", "shop.py": RPC.format(code=code, mark=mark)}
    assert astray(texts, settings, "ERR306") == []


@pytest.mark.parametrize(
    ("status", "is_one"),
    [(-32768, True), (-32769, False), (-32000, True), (-31999, False), (404, False), (None, False)],
)
def test_a_place_for_errors_of_json_rpc(status: int | None, is_one: bool) -> None:
    assert is_rpc(status) is is_one
