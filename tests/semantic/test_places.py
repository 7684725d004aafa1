"""Where a file lies, by the expression that is its path: the service by itself."""

from __future__ import annotations

import pytest
from linked_texts import linked

from errlint.facts import File
from errlint.project.places import is_elsewhere

SHOP = """\
import os
import tempfile
from pathlib import Path

FOLDER = "out"
ERRORS = "out"
LOST = "errors"
TABLE = {"errors": "out", "reports": "out"}


def asked(key, errors):
    return {}
"""

PLACES: dict[str, tuple[str, bool]] = {
    "another folder": ("'out/report.json'", True),
    "the folder": ("'errors/report.json'", False),
    "the folder in another spelling": ("'Errors/report.json'", False),
    "the folder in another": ("'out/errors/report.json'", False),
    "the folder of another system": ("'out\\\\errors\\\\report.json'", False),
    "a file with the name of the folder": ("'out/errors'", True),
    "a file in no folder": ("'report.json'", True),
    "another folder by a constant": ("Path(FOLDER, 'report.json')", True),
    "the folder by a constant": ("Path(LOST, 'report.json')", False),
    "another folder by a name that says the folder": ("Path(ERRORS, 'report.json')", False),
    "another folder by a key that says another": ("Path(TABLE['reports'], 'report.json')", True),
    "another folder by a key that says the folder": ("Path(TABLE['errors'], 'report.json')", False),
    "a folder that is nobody's own": ("os.path.join(tempfile.gettempdir(), 'report.json')", True),
    "the folder in one that is nobody's own": ("os.path.join(tempfile.gettempdir(), 'errors', 'a.json')", False),
    "a folder that a call answers": ("os.path.join(load(), 'report.json')", False),
    "what is not known": ("key", False),
    "a folder that is not known": ("f'{key}/report.json'", False),
    "a folder in one that is not known": ("f'{key}/out/report.json'", False),
    "a file that is not known in another folder": ("f'out/{key}.json'", True),
    "a file that is not known in the folder": ("f'errors/{key}.json'", False),
    "a file that is not known in no folder": ("f'{key}.json'", False),
    "a file with a part that is not known in no folder": ("f'report-{key}.json'", True),
    "a folder with a part that is not known": ("f'out-{key}/report.json'", False),
    "a path in a path in a path": ("str(Path(Path('out', 'report.json')))", True),
    "a path of nothing": ("Path()", False),
    "a file by its number": ("1", False),
}


@pytest.mark.parametrize(("expression", "is_one"), PLACES.values(), ids=PLACES)
def test_a_file_certainly_lies_elsewhere(expression: str, is_one: bool) -> None:
    project = linked({"shop.py": SHOP.replace("{}\n", f"{expression}\n")})
    found = project.modules["shop.py"].functions[0].returns[0]
    assert is_elsewhere(project, "shop.py", "asked", File(found.span, (found.value,)), ("error*",)) is is_one


def test_a_file_without_a_path_lies_anywhere() -> None:
    project = linked({"shop.py": SHOP})
    span = project.modules["shop.py"].functions[0].span
    assert not is_elsewhere(project, "shop.py", "asked", File(span, ()), ("errors",))


def test_a_path_of_several_parts_lies_where_any_of_them_says() -> None:
    project = linked({"shop.py": SHOP.replace("{}\n", "['out', 'errors', 'report.json']\n")})
    (found,) = project.modules["shop.py"].functions[0].returns
    first, second, last = found.value.items  # type: ignore[union-attr]
    told = [
        is_elsewhere(project, "shop.py", "asked", File(found.span, parts), ("errors",))
        for parts in ((first, last), (first, second, last), (first, second))
    ]
    assert told == [True, False, True]
