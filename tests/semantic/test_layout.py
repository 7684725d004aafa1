"""Which file a module name leads to, and which definition an import of it: the services by themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from linked_texts import linked

from errlint.collect import collect
from errlint.project import Project
from errlint.project.asked_facts import vocabulary
from errlint.project.names import (
    ClassSymbol,
    ExternalSymbol,
    FunctionSymbol,
    Layout,
    ModuleSymbol,
    may_lead_to,
    module_below,
)
from errlint.settings import Settings

FILES = (
    "one/pyproject.toml",
    "one/src/shop/__init__.py",
    "one/src/shop/stock.py",
    "one/src/shop/sub/__init__.py",
    "one/src/shop/sub/stock.py",
    "one/main.py",
    "two/pyproject.toml",
    "two/shop/__init__.py",
    "two/shop/stock.py",
    "two/shop/only.py",
    "two/tool/run.py",
    "two/tool/beside.py",
    "two/logging.py",
    "two/run.py",
)
FOUND = {
    "of the language, and not of the other distribution": ("logging", "one/main.py", None),
    "of its own distribution, and not of the language": ("logging", "two/tool/run.py", "two/logging.py"),
    "of its own distribution": ("shop.stock", "one/main.py", "one/src/shop/stock.py"),
    "of the other distribution": ("shop.stock", "two/tool/run.py", "two/shop/stock.py"),
    "that is unique": ("shop.only", "one/main.py", "two/shop/only.py"),
    "relative": (".stock", "one/src/shop/sub/__init__.py", "one/src/shop/sub/stock.py"),
    "relative to the package above": ("..stock", "one/src/shop/sub/stock.py", "one/src/shop/stock.py"),
    "a package": ("shop.sub", "one/main.py", "one/src/shop/sub/__init__.py"),
    "beside a file in no package": ("beside", "two/tool/run.py", "two/tool/beside.py"),
    "that there is not": ("shop.absent", "one/main.py", None),
    "relative, too far up": ("....stock", "one/main.py", None),
    "relative, too far up, with the name of one at the top": ("...run", "two/shop/stock.py", None),
    "relative, too far up for a script": ("...run", "two/logging.py", None),
}


@pytest.mark.parametrize(("module", "importer", "path"), FOUND.values(), ids=FOUND)
def test_a_module_name_leads_to_a_file(module: str, importer: str, path: str | None) -> None:
    layout = Layout([name for name in FILES if name.endswith(".py")], ["one", "two"])
    assert layout.find(module, importer) == path


STARTED = {
    "from the root, below `src`": ("src.shop.stock", "one", "one/main.py", "one/src/shop/stock.py"),
    "below `src` of a project without a marker": ("src.shop.stock", "", "main.py", "src/shop/stock.py"),
    "beside the package of a file": ("tool.run", "", "lib/tool/other.py", "lib/tool/run.py"),
    "below a folder that is no package": ("lib.tool.run", "", "main.py", "lib/tool/run.py"),
    "from a distribution around its own": ("parts.odd.run", "", "main.py", "parts/odd/run.py"),
    "from another distribution of the same": ("odd.run", "parts", "parts/main.py", "parts/odd/run.py"),
}
PLACES = (
    "one/src/shop/__init__.py",
    "one/src/shop/stock.py",
    "one/main.py",
    "src/shop/__init__.py",
    "src/shop/stock.py",
    "main.py",
    "lib/tool/__init__.py",
    "lib/tool/run.py",
    "lib/tool/other.py",
    "parts/main.py",
    "parts/odd/run.py",
)


@pytest.mark.parametrize(("module", "marked", "importer", "path"), STARTED.values(), ids=STARTED)
def test_a_module_name_may_be_the_one_of_another_start(module: str, marked: str, importer: str, path: str) -> None:
    assert Layout(PLACES, ["", "parts/odd", *filter(None, [marked])]).find(module, importer) == path


@pytest.mark.parametrize(
    ("module", "importer", "path"),
    [
        ("beside", "b/main.py", "b/beside.py"),
        ("beside", "pack/main.py", None),
        ("queue", "b/main.py", None),
        ("beside", "main.py", None),
    ],
)
def test_a_module_is_beside_a_file_that_may_be_run_there(module: str, importer: str, path: str | None) -> None:
    paths = ("b/beside.py", "b/queue.py", "b/main.py", "pack/__init__.py", "pack/beside.py", "pack/main.py")
    layout = Layout(["a/beside.py", "c/beside.py", *paths, "main.py"], ["", "a", "c"])
    assert layout.find(module, importer) == path


def test_below_src_a_module_is_found_from_anywhere_in_its_distribution() -> None:
    paths = ("src/shop/__init__.py", "src/shop/a.py", "tests/run.py", "kit/src/tool/__init__.py", "kit/tests/run.py")
    layout = Layout(paths, ["", "kit"])
    assert layout.find("src.shop.a", "tests/run.py") == "src/shop/a.py"
    assert layout.find("src.tool", "kit/tests/run.py") == "kit/src/tool/__init__.py"


CLASHING = ("lib/src/stock.py", "lib/src/main.py", "src/stock.py", "src/run.py")
ABSOLUTE = {
    "of a package": (".stock", "one/shop/sub/__init__.py", "shop.sub.stock"),
    "of the package of a module": (".stock", "one/shop/sub/stock.py", "shop.sub.stock"),
    "of the package above": ("..stock", "one/shop/sub/stock.py", "shop.stock"),
    "of the package above that of a package": ("..stock", "one/shop/sub/__init__.py", "shop.stock"),
    "the package itself": (".", "one/shop/sub/stock.py", "shop.sub"),
    "at the top": (".stock", "main.py", "stock"),
    "at the top of everything": (".stock", "__init__.py", "stock"),
    "absolute": ("shop.stock", "one/shop/stock.py", "shop.stock"),
    "whose name another one has too": (".stock", "src/run.py", "src.stock"),
    "whose name is that of another one": (".stock", "lib/src/main.py", "stock"),
}


@pytest.mark.parametrize(("module", "importer", "name"), ABSOLUTE.values(), ids=ABSOLUTE)
def test_the_whole_name_of_a_module_is(module: str, importer: str, name: str) -> None:
    paths = ("one/shop/__init__.py", "one/shop/stock.py", "one/shop/sub/__init__.py", "one/shop/sub/stock.py")
    layout = Layout([*paths, *CLASHING, "main.py", "__init__.py"], ["", "one"])
    assert layout.absolute(module, importer) == name


def test_of_two_modules_of_one_name_each_is_found_by_a_relative_import() -> None:
    layout = Layout(CLASHING, [""])
    assert layout.find(".stock", "src/run.py") == "src/stock.py"
    assert layout.find(layout.absolute(".stock", "src/run.py"), "lib/src/main.py") == "src/stock.py"
    assert layout.find("stock", "src/run.py") == "lib/src/stock.py"
    assert layout.files("stock") == ("lib/src/stock.py", "src/stock.py")


def test_a_module_beside_a_package_of_its_name_is_never_meant() -> None:
    layout = Layout(("shop/__init__.py", "shop.py", "main.py"), [""])
    assert layout.find("shop", "main.py") == "shop/__init__.py"
    assert layout.files("shop") == ("shop/__init__.py",)


def test_the_packages_of_a_project_are_the_first_parts_of_its_modules() -> None:
    assert Layout(("__init__.py", "b.py", "a/c.py"), [""]).packages == ("a", "b")


@pytest.mark.parametrize(
    ("folder", "path", "name"),
    [
        ("", "a/b.py", "a.b"),
        ("a", "a/b.py", "b"),
        ("a", "ab/c.py", ""),
        ("a", "a/b/__init__.py", "b"),
        ("", "a-b/c.py", ""),
        ("a-b", "a-b/c.py", "c"),
    ],
)
def test_a_file_has_a_name_for_those_who_start_in_a_folder(folder: str, path: str, name: str) -> None:
    assert module_below(folder, path) == name


def test_folders_outside_of_the_project_are_not_on_the_path() -> None:
    layout = Layout(("one/bin/run.py", "one/lib/a.py"), ["one"])
    put = ("..", "../lib", "/src", "../..", "../../..", ".")
    assert layout.folders("one/bin/run.py", put) == ["one", "one/lib", "one/src", "", "one/bin"]


TEXTS = {
    "shop/__init__.py": "from .stock import find\nfrom . import stock\n",
    "shop/stock.py": "def find(): ...\nclass Lost(Missing): ...\nclass Bad(ValueError): ...\nclass Plain: ...\n",
    "shop/errors.py": "from shop.absent import BaseError\n\n\nclass Own(BaseError): ...\n",
}
MEANT = {
    "a re-export": ("from shop import find", "find", "function shop/stock.py find"),
    "a module": ("from shop import stock", "stock", "module shop/stock.py"),
    "a definition of a module": ("from shop import stock", "stock.find", "function shop/stock.py find"),
    "an imported package": ("import shop.stock", "shop.stock.find", "function shop/stock.py find"),
    "a package by another name": ("import shop.stock as s", "s.find", "function shop/stock.py find"),
    "what a module of the project does not have": ("from shop.stock import lost", "lost", "None"),
    "what is foreign": ("from json import loads", "loads", "external json.loads"),
}


def project(extra: str) -> Project:
    return linked({**TEXTS, "main.py": extra})


def shown(symbol: object) -> str:
    if isinstance(symbol, FunctionSymbol):
        return f"function {symbol.path} {symbol.function.name}"
    if isinstance(symbol, ModuleSymbol):
        return f"module {symbol.path}"
    return f"external {symbol.name}" if isinstance(symbol, ExternalSymbol) else str(symbol)


@pytest.mark.parametrize(("line", "name", "meaning"), MEANT.values(), ids=MEANT)
def test_an_import_means_a_definition(line: str, name: str, meaning: str) -> None:
    assert shown(project(f"{line}\n").names.resolve("main.py", name, "")) == meaning


@pytest.mark.parametrize(
    ("path", "name", "is_one"),
    [
        ("shop/stock.py", "Bad", True),
        ("shop/stock.py", "Plain", False),
        ("shop/stock.py", "Lost", False),
        ("shop/errors.py", "Own", True),
    ],
)
def test_a_class_is_an_exception_by_its_bases_or_by_their_names(path: str, name: str, is_one: bool) -> None:
    known = project("")
    symbol = known.names.resolve(path, name, "")
    assert isinstance(symbol, ClassSymbol)
    assert known.hierarchy.is_exception(symbol) is is_one


LED = {
    "the end of the path": ("from stock import find", True),
    "the whole path": ("from shop.stock import find", True),
    "everything in it": ("from stock import *", True),
    "another module": ("from shelf import find", False),
    "another name": ("from stock import sell", False),
    "a part of a folder": ("from op.stock import find", False),
}


@pytest.mark.parametrize(("line", "may"), LED.values(), ids=LED)
def test_an_import_may_lead_to_a_function_by_its_name(line: str, may: bool) -> None:
    found = project("from shop.stock import find\n")
    symbol = found.names.resolve("main.py", "find", "")
    assert isinstance(symbol, FunctionSymbol)
    (item,) = collect(f"{line}\n", vocabulary(Settings(root=Path()))).imports
    assert may_lead_to(item, symbol) is may
