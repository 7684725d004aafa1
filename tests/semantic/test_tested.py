"""What the tests of a project speak of: codes, registries as a whole, types, modes, and values of parameters."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import astray_on_disk, project_of

from errlint.project import tested
from errlint.project.tested import Questions, read
from errlint.settings import CommandLine

ASKED = Questions(
    frozenset({"GONE", "gone", "Sold"}),
    frozenset({"ErrorCode", "Level"}),
    frozenset({("wait", "True"), ("mode", "fail")}),
)


def mentions(*texts: str) -> tested.TestMentions:
    """Return what is found in tests of one distribution."""
    return read([("shop", text.encode()) for text in texts], [ASKED])


WORDS = {
    "a name": ("assert code == ErrorCode.GONE", {"GONE"}),
    "a text": ("assert code == 'gone'", {"gone"}),
    "a comment": ("# about Sold", {"Sold"}),
    "a part of a word": ("assert UNGONE == goner", set()),
    "two of them": ("Sold('gone')", {"Sold", "gone"}),
}


@pytest.mark.parametrize(("text", "words"), WORDS.values(), ids=WORDS)
def test_a_test_mentions(text: str, words: set[str]) -> None:
    assert mentions(text).words == words
    assert mentions("pass", text).words == words


WHOLE = {
    "a loop": ("for code in ErrorCode:", {"ErrorCode"}),
    "a loop over its members": ("for name in ErrorCode.__members__:", {"ErrorCode"}),
    "a loop over one of a module": ("for code in errors.ErrorCode:", {"ErrorCode"}),
    "an argument": ("parametrize('code', ErrorCode)", {"ErrorCode"}),
    "the first argument": ("list(ErrorCode)", {"ErrorCode"}),
    "an item": ("[Level, ErrorCode]", {"Level", "ErrorCode"}),
    "what is spread": ("{*ErrorCode}", set()),
    "what is spread in a list": ("[*ErrorCode]", {"ErrorCode"}),
    "one member": ("f(ErrorCode.GONE)", set()),
    "an import": ("from errors import ErrorCode, Level", set()),
    "an import in brackets": ("from errors import (\n    ErrorCode,\n    Level,\n)", set()),
    "an import before a loop": ("from errors import (ErrorCode)\nfor code in Level:", {"Level"}),
    "nothing": ("pass", set()),
}


@pytest.mark.parametrize(("text", "whole"), WHOLE.values(), ids=WHOLE)
def test_a_test_goes_through(text: str, whole: set[str]) -> None:
    assert mentions(text).whole == whole


GIVEN = {
    "another value": ("wait=False", {("wait", "True")}),
    "what only the run knows": ("wait=value", {("wait", "True")}),
    "a key": ("{'wait': value}", {("wait", "True")}),
    "the default": ("wait=True", set()),
    "the default, with spaces": ("wait = True", set()),
    "the default and another value": ("add(wait=True)\nadd(wait=False)", {("wait", "True")}),
    "a longer name": ("waiting=False", set()),
    "a value that only begins like the default": ("wait=Truely", {("wait", "True")}),
}


@pytest.mark.parametrize(("text", "given"), GIVEN.values(), ids=GIVEN)
def test_a_test_gives_a_parameter(text: str, given: set[tuple[str, str]]) -> None:
    questions = ASKED._replace(words=ASKED.words | {"wait", "mode"})
    assert read([("shop", text.encode())], [questions]).given == given
    assert read([("shop", text.encode()), ("shop", b"pass")], [questions]).given == given


def test_questions_of_several_projects_are_asked_together() -> None:
    other = Questions(frozenset({"late"}), frozenset({"Kind"}), frozenset())
    found = read([("", b"for kind in Kind: assert 'late' in GONE")], [ASKED, other])
    assert found.words == {"late", "GONE"}
    assert found.whole == {"Kind"}
    assert found.distributions == {""}


APPLIES = {
    "the same distribution": ("shop", True),
    "the root": ("", True),
    "the one around": ("sho", False),
    "another one": ("other", False),
}


@pytest.mark.parametrize(("tests", "applies"), APPLIES.values(), ids=APPLIES)
def test_tests_are_for_a_file_of(tests: str, applies: bool) -> None:
    texts = {"shop/errors.py": "", "shop/kit/errors.py": ""}
    project = project_of(texts, "", rules=("ERR310",), distributions=["shop", "shop/kit", "other"])
    found = tested.TestMentions(frozenset({tests}), is_asked=True)
    assert found.applies(project, "shop/errors.py") is applies
    assert found.applies(project, "shop/kit/errors.py") is applies


# --- what is said of it -----------------------------------------------------------------------------------------------

HEAD = "from enum import Enum\n\nfrom fastmcp import FastMCP\n\nmcp = FastMCP('shop')\n\n\n"
CODES = """\
class ErrorCode(Enum):
    GONE = "gone"{gone}
    SOLD = "sold"{sold}
    LATE = 4711{late}


class ShopError(Exception):
    code = ErrorCode.SOLD


class SoldOut(ShopError):
    pass


class Vanished(Exception):
    code = "gone"


@mcp.tool()
def sell(title):
    if title:
        raise ShopError(ErrorCode.LATE)
    raise SoldOut(ErrorCode.GONE)
"""
SAID = "  # error: no test mentions the error code `ErrorCode.{}`"


def untested(folder: Path, text: str, test: str, settings: str = "") -> list[str]:
    """Return how what is said of a file differs from its marks, beside one test."""
    texts = {
        "errors.py": HEAD + text,
        "tests/test_errors.py": test,
        "errlint.toml": settings,
        "pyproject.toml": '[project]\nname = "shop"\n',
    }
    return astray_on_disk(folder, texts, CommandLine(select=("ERR310",)))


SPOKEN = {
    "all of them": ("GONE SOLD LATE", ""),
    "one by its text": ("'gone' SOLD LATE", ""),
    "one by its number": ("GONE SOLD 4711", ""),
    "one by the class that has it": ("GONE ShopError LATE", ""),
    "one by a class below": ("GONE SoldOut LATE", ""),
    "one by the class that has its text": ("Vanished SOLD LATE", ""),
    "all but one": ("SOLD LATE", "gone"),
    "all but one, beside a class of another": ("SoldOut LATE", "gone"),
    "all but one with a class": ("GONE LATE", "sold"),
    "all but a number": ("GONE SOLD 47", "late"),
    "the registry": ("for code in ErrorCode: pass", ""),
}


@pytest.mark.parametrize(("test", "code"), SPOKEN.values(), ids=SPOKEN)
def test_a_test_speaks_of(test: str, code: str, tmp_path: Path) -> None:
    marks = {name: SAID.format(name.upper()) if name == code else "" for name in ("gone", "sold", "late")}
    text = f"# {test}\n" if "for " not in test else f"def test_codes():\n    {test}\n"
    assert untested(tmp_path, CODES.format(**marks), text) == []


OWN = """\
class StockError(Exception):{mark}
    error_code = "STOCK"


class EmptyError(StockError):
    pass


class PriceError(Exception):
    error_code = "PRICE"


@mcp.tool()
def sell(title):
    raise EmptyError(title)


@mcp.tool()
def stock(title):
    raise StockError(title)
"""


def test_a_small_number_is_no_word_for_a_code(tmp_path: Path) -> None:
    text = CODES.replace("4711", "0").format(gone="", sold="", late=SAID.format("LATE"))
    assert untested(tmp_path, text, "# GONE SOLD 0\n") == []


def test_a_code_that_only_the_policy_lists_is_one_of_its_own(tmp_path: Path) -> None:
    mark = "  # error: no test mentions `StockError`, nor its error code `STOCK`"
    assert untested(tmp_path, OWN.format(mark=mark), "# nothing\n", "[codes.vocabulary]\nSTOCK = {}\n") == []


@pytest.mark.parametrize(
    ("test", "is_told"),
    [("StockError", False), ("STOCK", False), ("EmptyError", False), ("PriceError", True), ("nothing", True)],
    ids=["the class", "its code", "a class below", "another class with a code", "nothing"],
)
def test_a_class_with_a_code_of_its_own_is_tested_by(test: str, is_told: bool, tmp_path: Path) -> None:
    mark = "  # error: no test mentions `StockError`, nor its error code `STOCK`" if is_told else ""
    assert untested(tmp_path, OWN.format(mark=mark), f"# {test}\n") == []


TYPES = """\
class Refused:{refused}
    pass


class Queued:{queued}
    pass


class Unused:
    pass


@mcp.tool()
def sell(title):
    return Refused() if title else Queued()
"""
DECLARED = '[response]\ntypes = ["Refused", "Unused"]\nby-status = { queued = "Queued" }\n'
KINDS = {
    "both": ("Refused Queued", ""),
    "one by its status": ('Refused "queued"', ""),
    "one by its status, otherwise quoted": ("Refused 'queued'", ""),
    "one by a word that is no text": ("Refused queued", "queued"),
    "one alone": ("Queued", "refused"),
}


@pytest.mark.parametrize(("test", "kind"), KINDS.values(), ids=KINDS)
def test_of_the_types_of_answers_a_test_speaks_of(test: str, kind: str, tmp_path: Path) -> None:
    marks = {
        name: f"  # error: no test mentions the response type `{name.title()}`" if name == kind else ""
        for name in ("refused", "queued")
    }
    assert untested(tmp_path, TYPES.format(**marks), f"# {test}\n", DECLARED) == []


MODES = """\
class Mode(Enum):
    FAIL = "fail"
    STORE = "store"{store}


class Size(Enum):
    SMALL = "small"


@mcp.tool()
def sell(title, wait=True, loud=False):{wait}
    return Mode(title), Size, wait, loud


@mcp.tool()
def find(title, wait=True):
    return title, wait
"""
POLICY = (
    '[work]\nmodes = ["FAIL", "STORE"]\ndefaults = { mode = "FAIL", wait = "True" }\n'
    'parameters = { sell = ["wait", "loud"] }\n'
)
STORE = "  # error: no test mentions the mode `Mode.STORE`; test what leads to it"
WAIT = "  # error: no test gives `sell` another `wait` than `True`; test what it does then"
CHOSEN = {
    "both": ("STORE, wait=False", "", ""),
    "no mode": ("wait=False", STORE, ""),
    "the mode that holds anyway": ("FAIL, wait=False", STORE, ""),
    "the default": ("STORE, wait=True", "", WAIT),
    "no parameter": ("STORE", "", WAIT),
    "nothing": ("", STORE, WAIT),
}


@pytest.mark.parametrize(("test", "store", "wait"), CHOSEN.values(), ids=CHOSEN)
def test_of_modes_and_parameters_a_test_speaks_of(test: str, store: str, wait: str, tmp_path: Path) -> None:
    assert untested(tmp_path, MODES.format(store=store, wait=wait), f"# {test}\n", POLICY) == []


def test_a_policy_with_one_mode_asks_for_no_test_of_it(tmp_path: Path) -> None:
    text = MODES.format(store="", wait=WAIT).replace('    FAIL = "fail"\n', "")
    policy = POLICY.replace('["FAIL", "STORE"]', '["STORE"]').replace('mode = "FAIL", ', "")
    assert untested(tmp_path, text, "# nothing\n", policy) == []


def test_the_parameter_of_what_is_no_tool_needs_no_test(tmp_path: Path) -> None:
    text = (
        "def sell(title, wait=True):\n    return title, wait\n\n"
        "\n@mcp.tool()\ndef find(title):\n    return sell(title)\n"
    )
    assert untested(tmp_path, text, "# nothing\n", POLICY) == []
