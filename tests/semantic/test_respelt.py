"""Names in settings: spelt from the root of a repository, or as a package hands them on, they mean what is defined."""

from __future__ import annotations

from pathlib import Path

import pytest

from errlint.collect import collect
from errlint.project import Project
from errlint.project.asked_facts import vocabulary
from errlint.project.names import Layout
from errlint.settings import load

FILES = {
    "services/shop/shop/__init__.py": (
        "from lib import LibError\n\nfrom .errors import LIMIT, ShopError\nfrom .guard import answered\n"
    ),
    "services/shop/shop/errors.py": (
        "LIMIT = 3\n\n\nclass ShopError(Exception):\n    pass\n\n\nclass Own:\n    class InnerError(Exception):\n"
        "        pass\n"
    ),
    "services/shop/shop/guard.py": "def answered(function):\n    return function\n",
    "services/till/common/errors.py": "class TillError(Exception):\n    pass\n",
    "services/mail/common/errors.py": "class MailError(Exception):\n    pass\n",
    "services/mail/mail/__init__.py": "from common.errors import MailError\n",
}
DISTRIBUTIONS = ["services/shop", "services/till", "services/mail"]

NAMES = {
    "as its module has it": ("shop.errors.ShopError", "shop.errors.ShopError"),
    "as its package hands it on": ("shop.ShopError", "shop.errors.ShopError"),
    "from the root": ("services.shop.shop.errors.ShopError", "shop.errors.ShopError"),
    "from the root, with a colon": ("services.shop.shop.errors:ShopError", "shop.errors.ShopError"),
    "from the root, as its package hands it on": ("services.shop.shop.ShopError", "shop.errors.ShopError"),
    "inside of a class": ("shop.errors.Own.InnerError", "shop.errors.Own.InnerError"),
    "inside of a class, from the root": ("services.shop.shop.errors.Own.InnerError", "shop.errors.Own.InnerError"),
    "its last part alone": ("ShopError", "ShopError"),
    "a pattern": ("services.shop.*.ShopError", "services.shop.*.ShopError"),
    "a name that is not there": ("shop.GoneError", "shop.GoneError"),
    "a name that is not there, from the root": ("services.shop.shop.errors.GoneError", "shop.errors.GoneError"),
    "a module that is not there": ("gone.errors.ShopError", "gone.errors.ShopError"),
    "a class of a library": ("shop.LibError", "shop.LibError"),
    "a constant": ("shop.LIMIT", "shop.LIMIT"),
    "of a module that there are two of": ("common.errors.MailError", "common.errors.MailError"),
    "of such a module, from the root": ("services.mail.common.errors.MailError", "common.errors.MailError"),
    "handed on from such a module": ("mail.MailError", "common.errors.MailError"),
}


def respelt(root: Path, config: str) -> Project:
    """Return the project of some distributions with settings, whose names are spelt anew."""
    (root / "errlint.toml").write_text(config, encoding="utf-8")
    settings = load(root).settings
    modules = {path: collect(text, vocabulary(settings)) for path, text in FILES.items()}
    return Project(Layout(modules, DISTRIBUTIONS), modules, settings)


@pytest.mark.parametrize(("name", "expected"), NAMES.values(), ids=NAMES)
def test_a_name_of_the_settings_is_that_of_its_definition(tmp_path: Path, name: str, expected: str) -> None:
    found = respelt(tmp_path, f"[exceptions]\nroot = ['{name}']\n")
    assert found.policy("services/shop/shop/errors.py").exceptions.root == (expected,)


def test_a_function_that_a_package_hands_on_is_that_of_its_module(tmp_path: Path) -> None:
    found = respelt(tmp_path, "[[boundary]]\ndecorator = 'shop.answered'\n")
    assert [each.decorator for each in found.settings.policy.boundaries] == ["shop.guard.answered"]


def test_names_are_spelt_anew_wherever_they_stand(tmp_path: Path) -> None:
    config = "[exceptions]\nmap = { 'shop.ShopError' = 'shop.errors.ShopError', 'KeyError' = 'shop.ShopError' }\n"
    found = respelt(tmp_path, config).settings.policy.exceptions.map
    assert found == {"shop.errors.ShopError": "shop.errors.ShopError", "KeyError": "shop.errors.ShopError"}


def test_names_in_overrides_are_spelt_anew(tmp_path: Path) -> None:
    config = "[[overrides]]\npaths = ['services/shop/**']\n[overrides.exceptions]\nroot = ['shop.ShopError']\n"
    (found,) = respelt(tmp_path, config).settings.overrides
    assert found.policy == {"exceptions": {"root": ("shop.errors.ShopError",)}}
    assert respelt(tmp_path, config).policy("services/shop/shop/main.py").exceptions.root == ("shop.errors.ShopError",)


def test_settings_that_name_everything_right_are_the_same(tmp_path: Path) -> None:
    found = respelt(tmp_path, "[exceptions]\nroot = ['shop.errors.ShopError']\n")
    assert found.settings == load(tmp_path).settings
