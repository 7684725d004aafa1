"""By which name a file is imported, and what imports lead to: the services by themselves."""

from __future__ import annotations

import pytest
from linked_texts import linked, shown

from errlint.project.names import ClassSymbol, FunctionSymbol, Layout, ModuleSymbol, ValueSymbol

NAMED: dict[str, tuple[tuple[str, ...], str, str]] = {
    # the folders of distributions, the file, and its name
    "a module at the top": (("",), "main.py", "main"),
    "the package at the top": (("",), "__init__.py", ""),
    "a stub": (("",), "types.pyi", "types"),
    "a file without an end": (("",), "script", "script"),
    "a package": (("",), "shop/__init__.py", "shop"),
    "a module of a package": (("",), "shop/stock.py", "shop.stock"),
    "a module below src": (("",), "src/store/rack.py", "store.rack"),
    "a package below src": (("",), "src/store/__init__.py", "store"),
    "a module below a src of its own": (("",), "kit/src/tool/run.py", "tool.run"),
    "a module below a package src in a package": (("",), "app/src/deep/a.py", "app.src.deep.a"),
    "a module below a src without a package": (("",), "shop/src/deep/a.py", "deep.a"),
    "a module of a folder that is no package": (("",), "plain/deep/run.py", "plain.deep.run"),
    "a package in a folder that is none": (("",), "plain/pack/a.py", "plain.pack.a"),
    "a package of stubs": (("",), "stubs/a.pyi", "stubs.a"),
    "a module of a distribution": (("one",), "one/main.py", "main"),
    "a module of a package of a distribution": (("one",), "one/pack/a.py", "pack.a"),
    "a distribution that is a package": (("shop",), "shop/stock.py", "stock"),
    "a folder of a distribution that is no package": (("one",), "one/plain/a.py", "plain.a"),
    "a package in a folder of a distribution": (("one",), "one/plain/pack/a.py", "plain.pack.a"),
    "a module beside a distribution": (("one",), "two/b.py", "two.b"),
}

FILES = (
    "shop/__init__.py",
    "app/__init__.py",
    "app/src/__init__.py",
    "plain/pack/__init__.py",
    "stubs/__init__.pyi",
    "one/pack/__init__.py",
    "one/plain/pack/__init__.py",
)


@pytest.mark.parametrize(("markers", "path", "name"), NAMED.values(), ids=NAMED)
def test_a_file_is_imported_by_the_name(markers: tuple[str, ...], path: str, name: str) -> None:
    assert Layout({*FILES, path}, markers).module_name(path) == name


def test_a_file_that_only_imports_others_has_a_name_and_is_not_found() -> None:
    layout = Layout(("shop/__init__.py",), [""], ["shop/tests/test_stock.py"])
    assert layout.module_name("shop/tests/test_stock.py") == "shop.tests.test_stock"
    assert layout.find("shop.tests.test_stock", "shop/__init__.py") is None


FOUND: dict[str, tuple[str, str, str | None]] = {
    "a module of its distribution": ("stock", "one/main.py", "one/stock.py"),
    "the same name of another distribution": ("stock", "two/main.py", "two/stock.py"),
    "a module that another distribution alone has": ("only", "one/main.py", "two/only.py"),
    "one that two others have": ("stock", "main.py", None),
    "one that two others have, from nowhere": ("stock", "", None),
    "one that another alone has, from nowhere": ("only", "", "two/only.py"),
    "a relative one, from nowhere": (".stock", "", None),
    "a relative one that there is not": (".absent", "one/main.py", None),
    "the package around": ("..", "one/pack/deep/a.py", "one/pack/__init__.py"),
    "the package itself": (".", "one/pack/deep/a.py", "one/pack/deep/__init__.py"),
    "a folder without a package": ("plain", "one/main.py", None),
    "the module beside a file that is started": ("near", "one/bin/run.py", "one/bin/near.py"),
    "a module beside one of a package": ("near", "one/pack/a.py", None),
}

PLACES = (
    "main.py",
    "one/main.py",
    "one/stock.py",
    "one/plain/a.py",
    "one/bin/run.py",
    "one/bin/near.py",
    "one/pack/__init__.py",
    "one/pack/a.py",
    "one/pack/near.py",
    "one/pack/deep/__init__.py",
    "one/pack/deep/a.py",
    "two/main.py",
    "two/stock.py",
    "two/only.py",
    "two/bin/near.py",
)


@pytest.mark.parametrize(("module", "importer", "path"), FOUND.values(), ids=FOUND)
def test_a_name_of_a_module_leads_to(module: str, importer: str, path: str | None) -> None:
    assert Layout(PLACES, ["", "one", "two"]).find(module, importer) == path


TEXTS = {
    "shop/__init__.py": "from .stock import find as seek\nfrom . import stock as kept\nLIMIT = 3\n",
    "shop/stock.py": (
        "import json\n\n\ndef find(): ...\n\n\nclass Shelf:\n    def find(self): ...\n\n\nOTHER = find\nROW = 1\n"
    ),
    "shop/deep/__init__.py": "",
    "shop/deep/well.py": "def draw(): ...\n",
    "bin/run.py": "import sys\nsys.path.append('lib')\n",
    "lib/tool.py": "def saw(): ...\n",
    "lib/both.py": "def cut(): ...\n",
    "lib2/both.py": "def cut(): ...\n",
}

MEANT: dict[str, tuple[str, str, str]] = {
    "a function by another name of a package": ("import shop", "shop.seek", "shop/stock.py find"),
    "a module by another name of a package": ("import shop", "shop.kept.find", "shop/stock.py find"),
    "a method of a class of a module": ("import shop", "shop.kept.Shelf.find", "shop/stock.py Shelf.find"),
    "a module that nothing imports": ("import shop", "shop.deep.well.draw", "shop/deep/well.py draw"),
    "a module of a package below": ("from shop.deep import well", "well.draw", "shop/deep/well.py draw"),
    "a name for a function": ("from shop.stock import OTHER", "OTHER", "shop/stock.py find"),
    "what a module imports": ("from shop.stock import json", "json.loads", "json.loads"),
    "what a module of the project does not have": ("from shop.stock import absent", "absent", ""),
    "what a package of the project does not have": ("import shop", "shop.absent", ""),
    "what a function does not have": ("from shop.stock import find", "find.absent", ""),
    "what a library has": ("import kit.parts", "kit.parts.load", "kit.parts.load"),
    "what a library has by another name": ("import kit.parts as p", "p.load", "kit.parts.load"),
    "what a library has by its own": ("from kit import load as got", "got", "kit.load"),
    "what a module has that a file puts on the path": (
        "import sys\nsys.path.append('lib')\nfrom tool import saw",
        "saw",
        "lib/tool.py saw",
    ),
    "what a module has that another file puts on the path": ("from tool import saw", "saw", "lib/tool.py saw"),
    "what may be of one of two modules": ("from both import cut", "cut", "lib/both.py cut"),
    "a builtin": ("import shop", "print", "builtins.print"),
    "a builtin of its own": ("def print(): ...", "print", "main.py print"),
    "what nothing binds": ("import shop", "absent", ""),
    "a dunder of a builtin": ("import shop", "print.absent", "builtins.print.absent"),
}


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
@pytest.mark.parametrize(("code", "name", "meaning"), MEANT.values(), ids=MEANT)
def test_a_name_of_a_file_means(code: str, name: str, meaning: str, use_ast: bool) -> None:
    names = linked({**TEXTS, "main.py": f"{code}\n"}, use_ast=use_ast).names
    assert shown(names.resolve("main.py", name)) == meaning


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("shop.LIMIT", ValueSymbol),
        ("shop.kept", ModuleSymbol),
        ("shop.kept.Shelf", ClassSymbol),
        ("shop.kept.ROW", ValueSymbol),
        ("shop.seek", FunctionSymbol),
        ("shop.kept.ROW.real", type(None)),
    ],
)
def test_what_a_name_of_a_file_is(name: str, kind: type) -> None:
    names = linked({**TEXTS, "main.py": "import shop\n"}).names
    assert isinstance(names.resolve("main.py", name), kind)


def test_the_whole_name_of_a_definition() -> None:
    names = linked({**TEXTS, "main.py": "import shop, kit\nLIMIT = 3\n"}).names
    told = {
        name: names.absolute(names.resolve("main.py", name))
        for name in ("shop.seek", "shop.kept.Shelf", "shop.kept.Shelf.find", "kit.load", "LIMIT", "absent")
    }
    assert told == {
        "shop.seek": "shop.stock.find",
        "shop.kept.Shelf": "shop.stock.Shelf",
        "shop.kept.Shelf.find": "shop.stock.Shelf.find",
        "kit.load": "kit.load",
        "LIMIT": "",
        "absent": "",
    }


SPELT = {
    "an import by another name": ("from shop.stock import find as got", "got", "find"),
    "a module by another name": ("import shop.stock as kept", "kept", "kept"),
    "a name for it": ("from shop.stock import find as got\nmore = got", "more", "find"),
    "a name for a name": ("from shop.stock import find as got\nmore = got\nmost = more", "most", "find"),
    "names that stand for each other": ("a = b\nb = a", "a", "a"),
    "a name for a number": ("more = 1", "more", "more"),
    "a name for an attribute": ("more = kit.find", "more", "kit.find"),
    "what nothing binds": ("import shop", "absent", "absent"),
    "two imports of one name": (
        "if here:\n    from kit import b as got\nelse:\n    from kit import a as got",
        "got",
        "a",
    ),
}


@pytest.mark.parametrize(("code", "name", "spelt"), SPELT.values(), ids=SPELT)
def test_a_definition_spells_a_name(code: str, name: str, spelt: str) -> None:
    names = linked({**TEXTS, "main.py": f"{code}\n"}).names
    assert names.original("main.py", name) == spelt


CLASSES = {
    "a name with a capital": ("import shop", "Absent", True),
    "a private name with a capital": ("import shop", "_Absent", True),
    "a name of a module with a capital": ("import shop", "shop.Absent", True),
    "a name for one": ("from shop.stock import Shelf as shelf", "shelf", True),
    "a small name": ("import shop", "absent", False),
    "a small name that a class has": ("class absent: ...", "shop.absent", True),
}


@pytest.mark.parametrize(("code", "name", "may"), CLASSES.values(), ids=CLASSES)
def test_a_name_may_be_that_of_a_class(code: str, name: str, may: bool) -> None:
    assert linked({**TEXTS, "main.py": f"{code}\n"}).names.may_be_class("main.py", name) is may


def test_functions_are_known_by_their_own_names() -> None:
    names = linked(TEXTS).names
    assert [each.function.name for each in names.named("find")] == ["find", "Shelf.find"]
    assert names.named("absent") == ()


AROUND = {
    "a method": ("Shelf.find", "Shelf"),
    "a function in a method": ("Shelf.find.inner", "Shelf"),
    "a class in a class": ("Shelf.Row.find", "Shelf.Row"),
    "a function": ("find", None),
    "the module": ("", None),
}


@pytest.mark.parametrize(("scope", "owner"), AROUND.values(), ids=AROUND)
def test_the_class_around(scope: str, owner: str | None) -> None:
    text = (
        "class Shelf:\n    class Row:\n        def find(self): ...\n\n"
        "    def find(self):\n        def inner(): ...\n\n\ndef find(): ...\n"
    )
    found = linked({"shop.py": text}).names.enclosing_class("shop.py", scope)
    assert (found.definition.name if found is not None else None) == owner


MAYBE = {
    "an import of what is nowhere": ("from absent import load", "load", "absent.load"),
    "one that the end of a path fits": ("from stock import find", "find", ""),
    "one of another name": ("from stock import lost", "lost", "stock.lost"),
    "one of a method": ("from stock import seek", "seek", "stock.seek"),
    "one of a relative module that there is not": ("from .nowhere import find", "find", "nowhere.find"),
}


@pytest.mark.parametrize(("code", "name", "meaning"), MAYBE.values(), ids=MAYBE)
def test_an_import_that_leads_nowhere_is_foreign_unless_it_may_be_of_the_project(
    code: str, name: str, meaning: str
) -> None:
    texts = {
        "a/stock.py": "def find(): ...\n\n\nclass Shelf:\n    def seek(self): ...\n",
        "b/stock.py": "X = 1\n",
        "main.py": f"{code}\n",
    }
    assert shown(linked(texts, distributions=("", "a", "b")).names.resolve("main.py", name)) == meaning


def test_tests_have_names_and_give_none() -> None:
    project = linked({"shop.py": "def find(): ...\n"})
    test = linked({"test_shop.py": "from shop import find\n\n\ndef helper(): ...\n"}).modules["test_shop.py"]
    project.names.add_tests({"test_shop.py": test})
    assert shown(project.names.resolve("test_shop.py", "find")) == "shop.py find"
    assert shown(project.names.resolve("test_shop.py", "helper")) == "test_shop.py helper"
    assert project.names.named("helper") == ()


INSIDE: dict[str, tuple[str, str, str]] = {
    "an import of another function": ("def warm():\n    from shop import seek\n\n\ndef get(): ...", "get", ""),
    "an import of its own": ("def get():\n    from shop import seek", "get", "shop/stock.py find"),
    "an import that the module has, too": (
        "from shop.stock import find as seek\n\n\ndef warm():\n    from shop.deep.well import draw as seek",
        "",
        "shop/stock.py find",
    ),
    "what only a function imports, for the file": (
        "def warm():\n    from shop import seek",
        "",
        "shop/stock.py find",
    ),
}


@pytest.mark.parametrize(("code", "scope", "meaning"), INSIDE.values(), ids=INSIDE)
def test_a_name_means_in_a_scope(code: str, scope: str, meaning: str) -> None:
    names = linked({**TEXTS, "main.py": f"{code}\n"}).names
    assert shown(names.resolve("main.py", "seek", scope)) == meaning


def test_what_only_a_function_imports_is_no_name_of_the_module() -> None:
    texts = {**TEXTS, "main.py": "def warm():\n    from shop import seek\n", "other.py": "from main import seek\n"}
    assert linked(texts).names.resolve("other.py", "seek") is None


def test_self_of_a_function_without_a_class_is_nothing() -> None:
    names = linked({"shop.py": "def find(self):\n    return self.get()\n"}).names
    assert names.resolve("shop.py", "self.get", "find") is None


def test_a_folder_of_another_distribution_is_on_the_path_for_the_file_that_puts_it_there_alone() -> None:
    texts = {
        "one/run.py": "import sys\nsys.path.append('../two/lib')\nfrom both import cut\n",
        "one/main.py": "from both import cut\n",
        "two/lib/both.py": "def cut(): ...\n",
        "three/lib/both.py": "def cut(): ...\n",
    }
    names = linked(texts, distributions=("one", "two", "three")).names
    assert shown(names.resolve("one/run.py", "cut")) == "two/lib/both.py cut"
    assert names.resolve("one/main.py", "cut") is None
