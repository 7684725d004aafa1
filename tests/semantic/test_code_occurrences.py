"""How often a code occurs, and which registries are used as a whole."""

from __future__ import annotations

from textwrap import indent

import pytest
from judged_texts import project_of

CODES = """\
from enum import Enum, auto


class ErrorCode(Enum):
    LOST = "lost"
    LATE = "LATE"
    FULL = 7
    OPEN = auto()


ERROR_CODES = {"gone": "It is gone"}


class Shelf:
    class ErrorKind(Enum):
        ODD = "odd"
"""

OCCURRENCES = {
    "by its name": ("LOST", {"LOST": 3, "lost": 1}, 2),
    "by its name and as a text": ("LOST", {"LOST": 2, "lost": 3}, 3),
    "nowhere else": ("LOST", {"LOST": 1, "lost": 1}, 0),
    "by its name, which is its text": ("LATE", {"LATE": 3}, 1),
    "by its name, where it is a number": ("FULL", {"FULL": 3}, 2),
    "by its name, where it counts": ("OPEN", {"OPEN": 3}, 2),
}


@pytest.mark.parametrize(("member", "counts", "number"), OCCURRENCES.values(), ids=OCCURRENCES)
def test_a_code_occurs(member: str, counts: dict[str, int], number: int) -> None:
    project = project_of({"codes.py": CODES})
    project.counts = {("", name): count for name, count in counts.items()}
    registry = next(each for each in project.codes.recognised("codes.py") if each.name == "ErrorCode")
    code = next(each for each in registry.codes if each.member == member)
    assert project.codes.occurrences(registry, code) == number


def test_a_code_without_a_name_occurs_as_a_text() -> None:
    project = project_of({"codes.py": CODES})
    project.counts = {("", "gone"): 3}
    registry = next(each for each in project.codes.recognised("codes.py") if each.name == "ERROR_CODES")
    assert project.codes.occurrences(registry, registry.codes[0]) == 2


def test_names_are_counted_in_files_whose_codes_are_looked_at() -> None:
    tool = "@mcp.tool()\ndef find():\n    pass\n"
    project = project_of({"codes.py": CODES, "server.py": tool})
    names = ["gone", "ODD", "odd", "LOST", "lost", "LATE", "LATE", "FULL", "FULL", "OPEN", "OPEN"]
    assert sorted(project.codes.counted("codes.py")) == sorted([*names, "ErrorCode", "Shelf", "ErrorKind"])
    assert list(project.codes.counted("server.py")) == []
    assert list(project_of({"codes.py": CODES}).codes.counted("codes.py")) == []


USES = {
    "called": ("return ErrorCode(title)", True),
    "gone through": ("return [each.value for each in ErrorCode]", True),
    "handed over": ("return shown(ErrorCode)", True),
    "asked by its key": ("return ErrorCode[title]", True),
    "used by its members": ("return ErrorCode.LOST", False),
    "not used": ("return title", False),
    "hidden by a parameter": ("def inner(ErrorCode):\n    return ErrorCode(title)\nreturn inner", False),
}


@pytest.mark.parametrize(("body", "is_whole"), USES.values(), ids=USES)
def test_a_registry_is_used_as_a_whole_where_it_is(body: str, is_whole: bool) -> None:
    text = f"from codes import ErrorCode\n\n\ndef find(title):\n{indent(body, '    ')}\n"
    project = project_of({"codes.py": CODES, "server.py": text})
    registry = next(each for each in project.codes.recognised("codes.py") if each.name == "ErrorCode")
    assert project.codes.is_taken_whole(registry) is is_whole


MODULES = {
    "at the top of a file": ("from codes import ErrorCode\n\nEVERY = list(ErrorCode)\n", True),
    "by the name of its module": ("import codes\n\nEVERY = list(codes.ErrorCode)\n", True),
    "as a function of that name": ("def ErrorCode():\n    pass\n\n\nEVERY = ErrorCode()\n", False),
    "as a class in a class": ("from codes import Shelf\n\nEVERY = list(Shelf.ErrorKind)\n", False),
}


@pytest.mark.parametrize(("text", "is_whole"), MODULES.values(), ids=MODULES)
def test_a_registry_is_used_as_a_whole(text: str, is_whole: bool) -> None:
    project = project_of({"codes.py": CODES, "server.py": text})
    registry = next(each for each in project.codes.recognised("codes.py") if each.name == "ErrorCode")
    assert project.codes.is_taken_whole(registry) is is_whole


def test_a_registry_is_not_used_where_another_one_of_its_name_is() -> None:
    texts = {"codes.py": CODES, "kinds.py": f"{CODES}\n\nEVERY = list(ErrorCode)\n"}
    project = project_of(texts)
    whole = {
        path: [project.codes.is_taken_whole(each) for each in project.codes.recognised(path) if each.path == path][:1]
        for path in texts
    }
    assert whole == {"codes.py": [False], "kinds.py": [True]}


def test_a_registry_is_not_used_by_another_distribution() -> None:
    texts = {"one/codes.py": CODES, "two/server.py": "from codes import ErrorCode\n\nEVERY = list(ErrorCode)\n"}
    project = project_of(texts, distributions=("one", "two"))
    registry = next(each for each in project.codes.recognised("one/codes.py") if each.name == "ErrorCode")
    assert not project.codes.is_taken_whole(registry)
