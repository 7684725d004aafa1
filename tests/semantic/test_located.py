"""What a validator found, listed with the fields that it is about and without them."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
from judged_texts import findings

CONFIG = """\
[[required]]
classes = ["InputError"]
fields = ["problems"]
located = ["problems", "rest"]
"""

ERRORS = """\
class InputError(Exception):
    def __init__(self, message, *, problems, rest=None):
        super().__init__(message)


"""

OPEN = "raise InputError('not valid', problems="

MADE = {
    "taken by a key": f"{OPEN}[item['msg'] for item in error.errors()])",
    "taken by `get`": f"{OPEN}[item.get('msg') for item in error.errors()])",
    "taken by `get` with a default": f"{OPEN}[item.get('msg', 'no') for item in error.errors()])",
    "taken as an attribute": f"{OPEN}[item.message for item in validator.iter_errors(given)])",
    "put into a text": f'{OPEN}[f\'{{item["type"]}}: {{item["msg"]}}\' for item in error.errors()])',
    "in a set": f"{OPEN}{{item['msg'] for item in error.errors()}})",
    "in a generator": f"{OPEN}list(item['msg'] for item in error.errors()))",
    "joined": f"{OPEN}'; '.join(item['msg'] for item in error.errors()))",
    "mapped": f"{OPEN}list(map(lambda item: item['msg'], error.errors())))",
    "mapped by what takes a key": f"{OPEN}list(map(operator.itemgetter('msg', 'type'), error.errors())))",
    "sorted": f"{OPEN}[item['msg'] for item in sorted(error.errors())])",
    "made a list": f"{OPEN}[item['msg'] for item in list(validator.iter_errors(given))])",
    "found before": f"found = error.errors()\n{OPEN}[item['msg'] for item in found])",
    "found long before": f"first = error.errors()\nfound = first\n{OPEN}[item['msg'] for item in found])",
    "listed before": f"listed = [item['msg'] for item in error.errors()]\n{OPEN}listed)",
    "listed before by another name": (
        f"listed = [item['msg'] for item in error.errors()]\nother = listed\n{OPEN}other)"
    ),
    "listed in a loop": f"listed = []\nfor item in error.errors():\n    listed.append(item['msg'])\n{OPEN}listed)",
    "listed in an asynchronous loop": (
        f"listed = []\nasync for item in error.errors():\n    listed.append(item['msg'])\n{OPEN}listed)"
    ),
    "in another argument": "raise InputError('no', problems=given, rest=[item['msg'] for item in error.errors()])",
    "in an error that is answered": "return InputError('no', problems=[item['msg'] for item in error.errors()])",
}


def said(body: str, tmp_path: Path, *, more: str = "") -> list[str]:
    """Return what is said of fields by name, of a function with that body."""
    text = f"{ERRORS}{more}async def read(given, validator, error):\n{indent(body, '    ')}\n"
    found = findings({"read.py": text}, CONFIG, rules=["ERR403"], root=tmp_path)
    return [each.message for each in found if "(`loc`)" in each.message]


@pytest.mark.parametrize("body", MADE.values(), ids=MADE)
def test_what_a_validator_found_is_listed_without_its_fields(body: str, tmp_path: Path) -> None:
    (message,) = said(body, tmp_path)
    assert "does not say which fields are wrong" in message


FINE = {
    "a place taken by a key": f"{OPEN}[(item['loc'], item['msg']) for item in error.errors()])",
    "a place taken by `get`": f"{OPEN}[(item.get('loc'), item['msg']) for item in error.errors()])",
    "a place taken as an attribute": f"{OPEN}[f'{{e.path}} {{e.message}}' for e in validator.iter_errors(given)])",
    "the whole of it": f"{OPEN}[item for item in error.errors()])",
    "the whole beside a part": f"{OPEN}[(item['msg'], item) for item in error.errors()])",
    "the whole handed on": f"{OPEN}[told(item) for item in error.errors()])",
    "the whole handed on beside a part": f"{OPEN}[told(item['msg'], item) for item in error.errors()])",
    "a key that only the run knows": f"{OPEN}[item[given] for item in error.errors()])",
    "a key for `get` that only the run knows": f"{OPEN}[item.get(given) for item in error.errors()])",
    "found by a third name": (
        f"first = error.errors()\nsecond = first\nfound = second\n{OPEN}[item['msg'] for item in found])"
    ),
    "all of it": f"{OPEN}error.errors())",
    "what it does not speak of": f"{OPEN}['not valid' for item in error.errors()])",
    "something else of it": f"{OPEN}[given['msg'] for item in error.errors()])",
    "of something else": f"{OPEN}[item['msg'] for item in given.lines()])",
    "of what a function answers": f"{OPEN}[item['msg'] for item in errors()])",
    "of another list": f"{OPEN}[item['msg'] for item in given])",
    "sorted in another way": f"{OPEN}[item['msg'] for item in placed(error.errors())])",
    "sorted nothing": f"{OPEN}[item['msg'] for item in sorted()])",
    "parts of each": f"{OPEN}[part['msg'] for item in error.errors() for part in item])",
    "both names of each": f"{OPEN}[name['msg'] for name, place in error.errors()])",
    "mapped with its place": f"{OPEN}list(map(lambda item: (item['loc'], item['msg']), error.errors())))",
    "mapped with another": f"{OPEN}list(map(lambda item, name: item['msg'], error.errors(), given)))",
    "mapped by nothing that is known": f"{OPEN}list(map(told, error.errors())))",
    "mapped by what takes its place": f"{OPEN}list(map(operator.itemgetter('loc', 'msg'), error.errors())))",
    "mapped by what something else makes": f"{OPEN}list(map(teller('msg'), error.errors())))",
    "something else mapped": f"{OPEN}list(map(lambda item: item['msg'], given)))",
    "something else filtered": f"{OPEN}list(filter(lambda item: item['msg'], error.errors())))",
    "mapped by a method": f"{OPEN}given.map(lambda item: item['msg'], error.errors()))",
    "found in one of two ways": (
        f"found = error.errors()\nif given:\n    found = given.names\n{OPEN}[item['msg'] for item in found])"
    ),
    "given": f"{OPEN}given)",
    "listed by another name": f"other = [item['msg'] for item in error.errors()]\nlisted = given\n{OPEN}listed)",
    "another argument": "raise InputError('no', problems=given, more=[item['msg'] for item in error.errors()])",
    "by position": "raise InputError([item['msg'] for item in error.errors()], problems=given)",
    "listed in a loop that reads its place": (
        "listed = []\nfor item in error.errors():\n    place = item['loc']\n    listed.append(item['msg'] + place)\n"
        f"{OPEN}listed)"
    ),
    "another list of a loop": (
        f"listed, other = [], []\nfor item in error.errors():\n    other.append(item['msg'])\n{OPEN}listed)"
    ),
    "a list that a loop adds to otherwise": (
        f"listed = []\nfor item in error.errors():\n    listed.extend(item['msg'])\n{OPEN}listed)"
    ),
    "a list of an object that a loop adds to": (
        f"listed = []\nfor item in error.errors():\n    given.listed.append(item['msg'])\n{OPEN}listed)"
    ),
    "a loop over something else": (f"listed = []\nfor item in given:\n    listed.append(item['msg'])\n{OPEN}listed)"),
    "a loop over pairs": (
        f"listed = []\nfor item, name in error.errors():\n    listed.append(item['msg'])\n{OPEN}listed)"
    ),
    "on another line": (
        f"try:\n    pass\nexcept ValueError:\n    {OPEN}given)\nshown = [item['msg'] for item in error.errors()]"
    ),
}


@pytest.mark.parametrize("body", FINE.values(), ids=FINE)
def test_what_is_listed_has_its_fields_or_is_nothing_that_a_validator_found(body: str, tmp_path: Path) -> None:
    assert said(body, tmp_path) == []


def test_only_the_error_is_told_of_whose_list_has_no_fields(tmp_path: Path) -> None:
    bare = f"{OPEN}[item['msg'] for item in error.errors()])"
    assert len(said(f"if given:\n    {OPEN}given)\n{bare}", tmp_path)) == 1


LISTERS = {
    "a function": ("def listed(error):\n    return [item['msg'] for item in error.errors()]", "listed(error)", True),
    "an asynchronous function": (
        "async def listed(error):\n    return [item['msg'] for item in error.errors()]",
        "await listed(error)",
        True,
    ),
    "a function that calls another one": (
        "def all_of(error):\n    return [item['msg'] for item in error.errors()]\n\n\n"
        "def listed(error):\n    return all_of(error)",
        "listed(error)",
        True,
    ),
    "a function by a third one": (
        "def first(error):\n    return [item['msg'] for item in error.errors()]\n\n\n"
        "def second(error):\n    return first(error)\n\n\ndef third(error):\n    return second(error)",
        "third(error)",
        False,
    ),
    "a function that lists them in a variable": (
        "def listed(error):\n    found = [item['msg'] for item in error.errors()]\n    return found",
        "listed(error)",
        True,
    ),
    "a function that answers nothing at times": (
        "def listed(error):\n    if not error:\n        return\n    return [item['msg'] for item in error.errors()]",
        "listed(error)",
        True,
    ),
    "a function that answers something else": (
        "def listed(error):\n    shown = [item['msg'] for item in error.errors()]\n    return []",
        "listed(error)",
        False,
    ),
    "a function with the places": (
        "def listed(error):\n    return [(item['loc'], item['msg']) for item in error.errors()]",
        "listed(error)",
        False,
    ),
    "a class": ("class listed:\n    def read(self, error):\n        return []", "listed(error)", False),
    "nothing of the project": ("", "listed(error)", False),
}


@pytest.mark.parametrize(("more", "value", "is_bare"), LISTERS.values(), ids=LISTERS)
def test_the_list_is_made_by(more: str, value: str, is_bare: bool, tmp_path: Path) -> None:
    assert bool(said(f"{OPEN}{value})", tmp_path, more=f"{more}\n\n\n")) is is_bare
