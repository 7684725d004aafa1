"""What a file imports and may define, by its bytes, and which files that leads to: the services by themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from errlint.project.connected import Reach, bare_registries, defined, imported
from errlint.project.names import Layout
from errlint.settings import Settings
from errlint.settings.model import NamedSetting

IMPORTED: dict[str, tuple[str, tuple[str, ...]]] = {
    "a module": ("import shop", ("shop",)),
    "a module in a package": ("import shop.stock", ("shop.stock",)),
    "two modules": ("import shop, stock as kept", ("shop", "stock")),
    "a module twice": ("import shop\nimport shop", ("shop",)),
    "names": ("from shop import find, sell as sold", ("shop:find", "shop:sell")),
    "everything": ("from shop import *", ("shop:*",)),
    "a relative module": ("from . import stock", (".:stock",)),
    "a name of a relative module": ("from ..shop import find", ("..shop:find",)),
    "names in brackets": (
        "from shop import (  # what is sold\n    find,  # here\n    # and there\n    sell,\n)",
        ("shop:find", "shop:sell"),
    ),
    "names over a continued line": ("from shop import find, \\\n    sell", ("shop:find", "shop:sell")),
    "a module over a continued line": ("from shop \\\n    import find", ("shop:find",)),
    "in a function": ("def get():\n    from shop import find", ("shop:find",)),
    "behind another statement": ("x = 1; import shop", ("shop",)),
    "two on a line": ("import shop; import stock", ("shop", "stock")),
    "with a comment behind": ("import shop  # and no stock", ("shop",)),
    "in a comment": ("# import shop", ()),
    "in a comment behind a statement": ("x = 1  # import shop", ()),
    "a word with it": ("important = 1", ()),
    "nothing": ("x = 1", ()),
    "a folder on the path, from where Python is started": ("import sys\nsys.path.insert(0, 'lib')", ("sys", "=/lib")),
    "one above that": ("import sys\nsys.path.append('../lib')", ("sys", "=/../lib")),
}


@pytest.mark.parametrize(("text", "names"), IMPORTED.values(), ids=IMPORTED)
def test_a_file_imports(text: str, names: tuple[str, ...]) -> None:
    assert imported(f"{text}\n".encode()) == names


@pytest.mark.parametrize(
    ("name", "what", "is_one"),
    [
        ("ErrorCode", "registry", True),
        ("shop:ErrorCode", "registry", False),
        ("shop.ErrorCode", "registry", False),
        ("ShopError", "exception class", False),
    ],
)
def test_a_registry_without_a_module_may_be_anywhere(name: str, what: str, is_one: bool) -> None:
    named = NamedSetting(name, what, "errlint.toml", ("codes", "registry"))
    assert bare_registries(Settings(Path(), named=(named,))) == (frozenset([name]) if is_one else frozenset())


def test_a_file_may_define_some_of_the_names_that_stand_in_it() -> None:
    text = b"class Kind: ...\n\nfirst, Code = made()\nOther: dict = {}\nx = Known\n"
    assert defined(text, ["Kind", "Code", "Other", "Known", "Absent", "Kin"]) == ("Kind", "Other")


FILES = (
    "one/main.py",
    "one/shop/__init__.py",
    "one/shop/stock.py",
    "one/shop/sub/__init__.py",
    "one/shop/sub/shelf.py",
    "one/lib/tool.py",
    "one/lib/both.py",
    "one/other/both.py",
    "two/far/near.py",
    "two/run.py",
)

LED: dict[str, tuple[str, list[str]]] = {
    "a package": ("import shop", ["one/shop/__init__.py"]),
    "a module in a package": ("import shop.stock", ["one/shop/__init__.py", "one/shop/stock.py"]),
    "a module of a package": ("from shop import stock", ["one/shop/__init__.py", "one/shop/stock.py"]),
    "a name of a package": ("from shop import find", ["one/shop/__init__.py"]),
    "everything of a package": ("from shop import *", ["one/shop/__init__.py"]),
    "what is on the path": ("import sys\nsys.path.append('lib')\nimport tool", ["one/lib/tool.py"]),
    "what there is once": ("import tool.absent", ["one/lib/tool.py"]),
    "what there is twice, on the path": ("import sys\nsys.path.append('lib')\nimport both", ["one/lib/both.py"]),
    "what there is twice, on no path": ("import both", []),
    "what there is twice, with a module whose name ends like its folder": ("import xlib, both", []),
    "a module of a namespace of another distribution": ("from far import near", ["two/far/near.py"]),
    "what is nowhere": ("import json", []),
}


@pytest.mark.parametrize(("text", "files"), LED.values(), ids=LED)
def test_an_import_leads_to_files(text: str, files: list[str]) -> None:
    reach = Reach(Layout(FILES, ["one", "two"]))
    assert sorted(reach.files("one/main.py", imported(text.encode()))) == files


RELATIVE: dict[str, tuple[str, list[str]]] = {
    "a module beside": ("from .shelf import find", ["one/shop/sub/shelf.py"]),
    "a module of the package": ("from . import shelf", ["one/shop/sub/__init__.py", "one/shop/sub/shelf.py"]),
    "a module above": ("from ..stock import find", ["one/shop/stock.py"]),
    "everything above": ("from .. import *", ["one/shop/__init__.py"]),
    "a module of the package above": ("from .. import stock", ["one/shop/__init__.py", "one/shop/stock.py"]),
}


@pytest.mark.parametrize(("text", "files"), RELATIVE.values(), ids=RELATIVE)
def test_a_relative_import_leads_to_files(text: str, files: list[str]) -> None:
    reach = Reach(Layout(FILES, ["one", "two"]))
    assert sorted(reach.files("one/shop/sub/__init__.py", imported(text.encode()))) == files


def test_a_relative_import_leads_to_the_module_beside_it_though_another_has_its_name() -> None:
    layout = Layout(("lib/src/stock.py", "lib/src/main.py", "src/stock.py", "src/run.py"), [""])
    assert "src/stock.py" in Reach(layout).files("src/run.py", imported(b"from . import stock"))


DISTRIBUTIONS: dict[str, tuple[str, list[str]]] = {
    "a namespace": ("import far", ["two"]),
    "a module of one": ("import far.near", ["two"]),
    "everything of one": ("from far import *", []),
    "a name of its own": ("from shop import find", ["one"]),
    "what is nowhere": ("import json", []),
    "what is on the path": ("import sys\nsys.path.append('../two')\nimport run", ["two"]),
}


@pytest.mark.parametrize(("text", "there"), DISTRIBUTIONS.values(), ids=DISTRIBUTIONS)
def test_an_import_reaches_distributions(text: str, there: list[str]) -> None:
    reach = Reach(Layout(FILES, ["one", "two"]))
    assert sorted(reach.distributions("one/main.py", imported(text.encode()))) == there
