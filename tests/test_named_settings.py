"""What the settings name in the code: which names are told not to be there, and what was perhaps meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import astray_on_disk

from errlint.settings import CommandLine

CODE = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "shop/__init__.py": "from shop.errors import ShopError as Base\n",
    "shop/errors.py": (
        "from kit import (\n    Refused,\n    Late,\n)\n\n\nclass ShopError(Exception):\n    LIMIT = 3\n\n\n"
        "class Sold(Refused):\n    pass\n\n\nasync def handled(function):\n    return function\n\n\n"
        "Alias = ShopError\nwidth: int = 3\n# Ghost was here\n"
    ),
    "shop/made.py": "def __getattr__(name):\n    return name\n",
    "shop/parts/__init__.py": "",
    "shop/parts/box.py": "class Box:\n    class Lid:\n        def __init__(self):\n            self.width = 3\n",
    "docs/errors.md": "# Errors\n",
}
ONLY = CommandLine(select=("ERR905",))


def unmet(folder: Path, settings: str, more: dict[str, str] | None = None) -> list[str]:
    """Return how what is said of the names in some settings differs from their marks."""
    return astray_on_disk(folder, {**CODE, **(more or {}), "errlint.toml": settings}, ONLY)


ROOT = '[exceptions]\nroot = ["{}"]{}\n'

THERE = {
    "a class": "shop.errors.ShopError",
    "a class behind a colon": "shop.errors:ShopError",
    "a class that is imported under another name": "shop.Base",
    "a class that is imported in brackets": "shop.errors.Late",
    "another name for a class": "shop.errors.Alias",
    "an attribute of a class": "shop.errors.ShopError.LIMIT",
    "an attribute of a class with a base elsewhere": "shop.errors.Sold.anything",
    "a class in a class": "shop.parts.box.Box.Lid",
    "an attribute that is set on an object": "shop.parts.box.Box.Lid.width",
    "a module itself": "shop.errors",
    "a name of a module that makes them up": "shop.made.Anything",
    "a name without a module": "Sold",
    "a builtin": "ValueError",
    "a name of another package": "httpx.HTTPError",
    "a pattern": "shop.errors.*Error",
}
MISSING = {
    "a misspelt class": (
        "shop.errors.ShopEror",
        (
            "there is no exception class `shop.errors.ShopEror`: "
            "`ShopEror` is not in shop/errors.py; did you mean `ShopError`?"
        ),
    ),
    "a misspelt class that is imported": (
        "shop.errors.Refussed",
        "`Refussed` is not in shop/errors.py; did you mean `Refused`?",
    ),
    "a misspelt function in the place of a class": (
        "shop.errors.handeld",
        "`handeld` is not in shop/errors.py; did you mean `handled`?",
    ),
    "a name in a comment": ("shop.errors.Ghost", "`Ghost` is not in shop/errors.py"),
    "a misspelt attribute": (
        "shop.parts.box.Box.Lit",
        "`Box.Lit` is not in shop/parts/box.py",
    ),
    "a misspelt module of a package": (
        "shop.parts.bax.Box",
        "`bax.Box` is not in shop/parts/__init__.py; did you mean `box`?",
    ),
    "a misspelt name without a module": ("ShopEror", "nothing in the project has this name; did you mean `ShopError`?"),
    "a name that stands in a comment alone": ("Ghost", "nothing in the project has this name"),
}


@pytest.mark.parametrize("name", THERE.values(), ids=THERE)
def test_nothing_is_said_of(name: str, tmp_path: Path) -> None:
    assert unmet(tmp_path, ROOT.format(name, "")) == []


@pytest.mark.parametrize(("name", "said"), MISSING.values(), ids=MISSING)
def test_it_is_told_that_nothing_is_called_like(name: str, said: str, tmp_path: Path) -> None:
    assert unmet(tmp_path, ROOT.format(name, f"  # error: {said}")) == []


def test_a_module_that_cannot_be_parsed_may_have_any_name(tmp_path: Path) -> None:
    broken = {"shop/errors.py": "def (:\n"}
    assert [each for each in unmet(tmp_path, ROOT.format("shop.errors.Any", ""), broken) if "ERR905" in each] == []


def test_a_star_import_of_the_project_brings_no_other_names(tmp_path: Path) -> None:
    settings = ROOT.format("shop.all.Anything", "  # error: `Anything` is not in shop/all.py")
    assert unmet(tmp_path, settings, {"shop/all.py": "from shop.errors import *\n"}) == []
    assert unmet(tmp_path, ROOT.format("shop.all.Anything", ""), {"shop/all.py": "from kit import *\n"}) == []


OTHERS = {
    "a decorator of a package that no file imports": (
        '[[boundary]]\ndecorator = "tools.errors.handled"  # error: nothing in the project imports `tools`\n'
    ),
    "a decorator of a package that a file imports": '[[boundary]]\ndecorator = "kit.handled"\n',
    "a converter of a package that no file imports": (
        '[[boundary]]\ndecorator = "shop.errors.handled"\n'
        'converters = ["tools.answer"]  # error: nothing in the project imports `tools`\n'
    ),
    "an exception of a package that no file imports": '[exceptions]\nmap = { ValueError = "tools.Wrong" }\n',
    "a status of a code": "[codes.vocabulary]\nsold_out = { status = 409 }\n\n[codes.status]\nsold_out = 409\n",
    "a status of nothing": (
        "[codes.status]\n"
        "SoldOut = 409  # error: there is no exception class or code `SoldOut`: nothing in the project\n"
    ),
    "a status of a misspelt builtin": ("[codes.status]\nValueEror = 409  # error: did you mean `ValueError`?\n"),
    "a misspelt registration": '[adapters]\nregistrations = ["server.hanled"]  # error: did you mean `handled`?\n',
    "a registration, by its last part": '[adapters]\nregistrations = ["anything.handled"]\n',
    "a catalog": '[catalog]\nfiles = ["docs/*.md"]\n',
    "a catalog that is not there": '[catalog]\nfiles = ["pages/*.md"]  # error: no such document\n',
}


@pytest.mark.parametrize("settings", OTHERS.values(), ids=OTHERS)
def test_by_what_a_name_is_for_there_is(settings: str, tmp_path: Path) -> None:
    assert unmet(tmp_path, settings) == []


def test_two_files_of_one_module_are_both_named(tmp_path: Path) -> None:
    more = {
        "one/pyproject.toml": '[project]\nname = "one"\n',
        "one/src/app/errors.py": "class AppError(Exception):\n    pass\n",
        "two/pyproject.toml": '[project]\nname = "two"\n',
        "two/src/app/errors.py": "class Other(Exception):\n    pass\n",
    }
    said = "`AppEror` is not in one/src/app/errors.py and two/src/app/errors.py; did you mean `AppError`?"
    assert unmet(tmp_path, ROOT.format("app.errors.AppEror", f"  # error: {said}"), more) == []
    assert unmet(tmp_path, ROOT.format("app.errors.AppError", ""), more) == []


def test_three_files_of_one_module_are_counted(tmp_path: Path) -> None:
    more = {
        f"{name}/{path}": text
        for name in ("one", "two", "six")
        for path, text in (
            ("pyproject.toml", (f'[project]\nname = "{name}"\n')),
            ("src/app/errors.py", "class AppError: ...\n"),
        )
    }
    said = "`AppEror` is not in any of the 3 modules `app.errors`; did you mean `AppError`?"
    assert unmet(tmp_path, ROOT.format("app.errors.AppEror", f"  # error: {said}"), more) == []


def test_a_namespace_may_be_shared_with_other_packages(tmp_path: Path) -> None:
    more = {"acme/stock/errors.py": "class Gone(Exception):\n    pass\n"}
    assert unmet(tmp_path, ROOT.format("acme.prices.Wrong", ""), more) == []
    said = "there is no module `acme.stok` in the project; did you mean `stock`?"
    assert unmet(tmp_path, ROOT.format("acme.stok.errors.Gone", f"  # error: {said}"), more) == []


# --- what a preset looks for ------------------------------------------------------------------------------------------

LOGGING = {"shop/main.py": "import logging\n"}
PRESETS = {
    "problem-details, of which nothing is there": (
        'convention = "problem-details"  # error: fits nothing in the code: no decorator `handle_adapter_errors`\n',
        {},
    ),
    "problem-details, without its log records": (
        'convention = "problem-details"  # error: parts of the convention `problem-details` have nothing to look at\n',
        {"shop/kit.py": "def handle_adapter_errors(function):\n    return function\n"},
    ),
    "problem-details, of which the project names one itself": (
        'convention = "problem-details"  # error: parts of the convention `problem-details` have nothing to look at\n\n'
        '[exceptions]\nroot = ["shop.errors.ShopError"]\n',
        LOGGING,
    ),
    "typed-responses, of which nothing is there": (
        'convention = "typed-responses"  # error: the convention `typed-responses` fits nothing in the code: no\n',
        LOGGING,
    ),
    "error-reports, with a log": ('convention = "error-reports"\n', LOGGING),
    "error-reports, without a log": (
        'convention = "error-reports"  # error: have nothing to look at: no log record (`logs`)\n',
        {},
    ),
}


@pytest.mark.parametrize(("settings", "more"), PRESETS.values(), ids=PRESETS)
def test_what_a_preset_has_to_look_at(settings: str, more: dict[str, str], tmp_path: Path) -> None:
    assert unmet(tmp_path, settings, more) == []


def test_names_of_a_preset_beyond_two_are_counted(tmp_path: Path) -> None:
    settings = 'convention = "typed-responses"  # error: or `DegradedResponse` and 1 more (`response.by-status`)\n'
    assert unmet(tmp_path, settings, LOGGING) == []


def test_two_names_of_a_preset_are_both_told(tmp_path: Path) -> None:
    settings = (
        'convention = "typed-responses"  # error: `DegradedResponse` or `QueuedResponse` (`response.by-status`)\n\n'
        '[response.by-status]\nsuccess = "ShopError"\n'
    )
    assert unmet(tmp_path, settings, LOGGING) == []


def test_a_policy_of_its_own_may_speak_of_logs_that_nobody_writes_yet(tmp_path: Path) -> None:
    assert unmet(tmp_path, f'{ROOT.format("shop.errors.ShopError", "")}\n[logs]\nfields = ["code"]\n') == []
