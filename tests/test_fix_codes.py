"""How the fixes of rules about codes tell which text of a file is a code, and where a registry has it."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_fix_rules import CODED, CODED_ERRORS, COVERED, HEAD, PREFIXED, Project, doubts

CODES = "class Code:\n    BAD = 'bad'\n    GONE = 'gone'\n"


def raising(*calls: str) -> str:
    """A tool that raises one error after the other."""
    lines = "".join(f"    if path == {number}:\n        raise {call}\n" for number, call in enumerate(calls))
    return f'{HEAD}{COVERED}def read(path):\n{lines}    return {{"lines": []}}\n'


REGISTERED = {
    "behind the only one": (
        "from enum import StrEnum\n\n\nclass Code(StrEnum):\n    ZERO = 'zero'\n",
        "from enum import StrEnum\n\n\nclass Code(StrEnum):\n    ZERO = 'zero'\n    GONE = 'gone'\n",
    ),
    "between those that are sorted": (
        "class Code:\n    BAD = 'bad'\n    ZERO = 'zero'\n",
        "class Code:\n    BAD = 'bad'\n    GONE = 'gone'\n    ZERO = 'zero'\n",
    ),
    "as the others, of which one is another name": (
        "from enum import StrEnum\n\n\nclass Code(StrEnum):\n    ZERO = 'zero'\n    NONE = 'zero'\n    BAD = 'bad'\n",
        "from enum import StrEnum\n\n\nclass Code(StrEnum):\n    ZERO = 'zero'\n    NONE = 'zero'\n    BAD = 'bad'\n"
        "    GONE = 'gone'\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), REGISTERED.values(), ids=REGISTERED)
def test_a_code_is_registered(tmp_path: Path, before: str, after: str) -> None:
    project = Project(tmp_path, CODED, server=raising('ShopError("x", code="gone")'), errors=CODED_ERRORS, codes=before)
    assert project.fixed("ERR301", module="codes") == after


def test_each_misspelt_code_is_mended_where_it_stands(tmp_path: Path) -> None:
    first, last = ('ShopError("x", code="wrng_path")', 'ShopError("y", code="wrng_path")')
    server = f'LABEL = "wrng_path"\n{raising(first, last)}'
    codes = "class Code:\n    WRONG_PATH = 'wrong_path'\n    GONE = 'gone'\n"
    project = Project(tmp_path, CODED, server=server, errors=CODED_ERRORS, codes=codes)
    assert project.fixed("ERR301") == server.replace('code="wrng_path"', 'code="wrong_path"')


HERE = f"{CODES}\n\n"
AT_TOP = 'class LostError(ShopError):\n    code = "gone"\n\n\n'
NAMED = AT_TOP.replace('"gone"', "Code.GONE")

ABOVE = {
    "above the registry in a function": (
        raising('ShopError("x", code="gone")') + "\n\n" + HERE,
        raising('ShopError("x", code=Code.GONE)') + "\n\n" + HERE,
    ),
    "below the registry": (HEAD + HERE + AT_TOP, HEAD + HERE + NAMED),
}


@pytest.mark.parametrize(("before", "after"), ABOVE.values(), ids=ABOVE)
def test_a_code_is_named_by_the_registry_of_its_file(tmp_path: Path, before: str, after: str) -> None:
    configuration = CODED.replace("shop.codes:Code", "shop.server:Code")
    project = Project(tmp_path, configuration, server=before, errors=CODED_ERRORS)
    assert project.fixed("ERR304") == after


def test_a_code_is_not_named_before_its_registry_is_defined(tmp_path: Path) -> None:
    configuration = CODED.replace("shop.codes:Code", "shop.server:Code")
    found = Project(tmp_path, configuration, server=HEAD + AT_TOP + HERE, errors=CODED_ERRORS).fixes("ERR304")
    assert (found.contents, doubts(found)) == ({}, ["`Code` is defined below it"])


def test_a_code_is_named_at_the_top_of_a_file_by_the_registry_of_another_one(tmp_path: Path) -> None:
    codes = "# The codes of the shop.\n" * 20 + CODES
    project = Project(tmp_path, CODED, server=HEAD + AT_TOP, errors=CODED_ERRORS, codes=codes)
    assert project.fixed("ERR304") == (HEAD + NAMED).replace("from shop", "from shop.codes import Code\nfrom shop", 1)


def test_of_two_codes_of_a_raise_the_one_that_is_a_text_is_named(tmp_path: Path) -> None:
    errors = CODED_ERRORS.replace("code=None", "code=None, error_code=None")
    server = raising('ShopError("x", code=Code.BAD, error_code="gone")')
    server = server.replace("from shop.errors", "from shop.codes import Code\nfrom shop.errors")
    project = Project(tmp_path, CODED, server=server, errors=errors, codes=CODES)
    assert project.fixed("ERR304") == server.replace('"gone"', "Code.GONE")


def test_of_two_registries_with_a_code_the_one_is_named_that_the_finding_tells(tmp_path: Path) -> None:
    configuration = CODED.replace('["shop.codes:Code"]', '["shop.codes:Other", "shop.codes:Code"]')
    codes = f"class Other:\n    GONE = 'lost'\n\n\n{CODES}"
    server = raising('ShopError("x", code="gone")')
    project = Project(tmp_path, configuration, server=server, errors=CODED_ERRORS, codes=codes)
    assert "code=Code.GONE)" in project.fixed("ERR304")


OPENED = {
    "a message by its place": ('ShopError("x", code="gone")', 'ShopError("[gone] x", code="gone")'),
    "a message by its name": ('ShopError(code="gone", message="x")', 'ShopError(code="gone", message="[gone] x")'),
    "a sum that begins with a text": (
        'ShopError("x " + path, code="gone")',
        'ShopError("[gone] x " + path, code="gone")',
    ),
}


@pytest.mark.parametrize(("before", "after"), OPENED.values(), ids=OPENED)
def test_the_code_is_put_before(tmp_path: Path, before: str, after: str) -> None:
    project = Project(tmp_path, PREFIXED, server=raising(before), errors=CODED_ERRORS, codes=CODES)
    assert project.fixed("ERR305") == raising(after)


UNOPENED = {
    "a text that is made": ('ShopError("no {}".format(path), code="gone")', "[{code}] "),
    "a text where the prefix has what a text cannot": ('ShopError("x", code="gone")', "'{code}' "),
}


@pytest.mark.parametrize(("before", "prefix"), UNOPENED.values(), ids=UNOPENED)
def test_the_code_is_not_put_before(tmp_path: Path, before: str, prefix: str) -> None:
    configuration = PREFIXED.replace("[{code}] ", prefix)
    found = Project(tmp_path, configuration, server=raising(before), errors=CODED_ERRORS, codes=CODES).fixes("ERR305")
    assert (found.contents, doubts(found)) == ({}, ["the message is written elsewhere"])
