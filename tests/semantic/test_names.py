"""What a name means where it stands: the service by itself, for both readers, and what a user sees of it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest
from example_projects import findings
from linked_texts import linked, shown

from errlint.project.names import ClassSymbol, Symbol
from errlint.settings import CommandLine

MODULE = """\
from fastmcp import FastMCP

server = FastMCP("shop")


def load(text):
    return {"error": text}


"""
"""Its `load` is what the functions of the cases ask for, by that name."""

FAST = "def load(text):\n    return {'error': text}\n\n\ndef other(text):\n    return {'error': text}\n"

HERE = "server.py load"
OTHER = "fast.py load"
CASES = {
    "nothing else binds it": ("def get(x):\n    return load(x)", HERE),
    "a parameter": ("def get(x, load=dict):\n    return load(x)", ""),
    "a parameter by position only": ("def get(load, /, x):\n    return load(x)", ""),
    "a parameter by keyword only": ("def get(x, *, load):\n    return load(x)", ""),
    "the rest of the arguments": ("def get(x, *load):\n    return load(x)", ""),
    "the rest of the keywords": ("def get(x, **load):\n    return load(x)", ""),
    "a variable": ("def get(x):\n    load = x.loader()\n    return load(x)", ""),
    "a variable that is bound behind": ("def get(x):\n    if x:\n        return load(x)\n    load = x.loader()", ""),
    "one of several targets": ("def get(x):\n    a, (*load, b) = x\n    return load(x)", ""),
    "an annotation alone": ("def get(x):\n    load: dict\n    return load(x)", ""),
    "an annotated variable": ("def get(x):\n    load: object = x\n    return load(x)", ""),
    "an attribute of that name": ("def get(x):\n    x.load = 1\n    return load(x)", HERE),
    "an item": ("def get(x):\n    x[load] = 1\n    return load(x)", HERE),
    "an augmented assignment": ("def get(x):\n    load += x\n    return load(x)", ""),
    "a deleted name": ("def get(x):\n    if x:\n        del load\n    return load(x)", ""),
    "a walrus": ("def get(x):\n    if load := x.loader:\n        return load(x)", ""),
    "a walrus in a comprehension": ("def get(x):\n    y = [load for z in x if (load := z)]\n    return load(y)", ""),
    "a walrus in a lambda": ("def get(x):\n    y = lambda: (load := 1)\n    return load(y)", HERE),
    "a walrus in a default of a lambda": ("def get(x):\n    y = lambda z=(load := 1): z\n    return load(y)", ""),
    "a loop": ("def get(x):\n    for load in x:\n        return load(x)", ""),
    "the end of a loop": (
        "def get(x):\n    for y in x:\n        pass\n    else:\n        load = y\n    return load(x)",
        "",
    ),
    "a with": ("def get(x):\n    with x.begin() as load:\n        return load(x)", ""),
    "several of a with": ("def get(x):\n    with x.begin() as (y, load):\n        return load(x)", ""),
    "a handler": ("def get(x):\n    try:\n        x()\n    except OSError as load:\n        return load(x)", ""),
    "a finally": ("def get(x):\n    try:\n        x()\n    finally:\n        load = x\n    return load(x)", ""),
    "a pattern": ("def get(x):\n    match x:\n        case [load]:\n            return load(x)", ""),
    "a pattern with a name": ("def get(x):\n    match x:\n        case int() as load:\n            return load(x)", ""),
    "the rest of a pattern": ("def get(x):\n    match x:\n        case {**load}:\n            return load(x)", ""),
    "the body of a case": ("def get(x):\n    match x:\n        case 1:\n            load = x\n    return load(x)", ""),
    "a global": ("def get(x):\n    global load\n    load = x\n    return load(x)", HERE),
    "an import": ("def get(x):\n    from fast import load\n    return load(x)", OTHER),
    "an import by another name": (
        "def get(x):\n    from fast import other as load\n    return load(x)",
        "fast.py other",
    ),
    "an import inside another function": (
        "def warm():\n    from fast import load\n    return load\n\n\ndef get(x):\n    return load(x)",
        HERE,
    ),
    "an import of what is not there": ("def get(x):\n    from absent import load\n    return load(x)", "absent.load"),
    "an import in two branches": (
        "def get(x):\n    try:\n        from absent import load\n    except ImportError:\n"
        "        from fast import load\n    return load(x)",
        "",
    ),
    "a function inside": ("def get(x):\n    def load(y):\n        return y\n    return load(x)", "server.py get.load"),
    "a class inside": ("def get(x):\n    class load:\n        pass\n    return load(x)", "server.py get.load"),
    "a variable of the function around": (
        "def outer(load):\n    def get(x):\n        return load(x)\n    return get",
        "",
    ),
    "a variable of the function around, not of this one": (
        "def outer(load):\n    def get(x):\n        nonlocal load\n        load = x\n        return load(x)\n"
        "    return get",
        "",
    ),
    "a global of a function in one with a variable": (
        "def outer(load):\n    def get(x):\n        global load\n        return load(x)\n    return get",
        HERE,
    ),
    "a variable of a function inside": (
        "def get(x):\n    def inner():\n        load = 1\n        return load\n    return load(x, inner)",
        HERE,
    ),
    "a function around that has one of its own": (
        "def outer():\n    def load(y):\n        return y\n    def get(x):\n        return load(x)\n    return get",
        "server.py outer.load",
    ),
    "a member of the class": (
        "class Shop:\n    load = 1\n\n    def get(self, x):\n        return load(x)",
        HERE,
    ),
    "a method of the class": (
        "class Shop:\n    def load(self):\n        return 1\n\n    def get(self, x):\n        return load(x)",
        HERE,
    ),
    "a comprehension beside": ("def get(x):\n    y = [load for load in x]\n    return load(y)", HERE),
    "a lambda beside": ("def get(x):\n    y = sorted(x, key=lambda load: load.key)\n    return load(y)", HERE),
    "one of two functions": (
        "if FAST:\n    def load(y):\n        return 1\nelse:\n    def load(y):\n        return 2\n\n\n"
        "def get(x):\n    return load(x)",
        "",
    ),
    "a function, or the one before": (
        "if FAST:\n    def load(y):\n        return 1\n\n\ndef get(x):\n    return load(x)",
        "",
    ),
    "a function behind two others": (
        "if FAST:\n    def load(y):\n        return 1\n\n\ndef load(y):\n    return 2\n\n\n"
        "def get(x):\n    return load(x)",
        HERE,
    ),
    "a function, or what is imported": (
        "try:\n    from fast import load\nexcept ImportError:\n    def load(y):\n        return 1\n\n\n"
        "def get(x):\n    return load(x)",
        "",
    ),
    "a function, or what a library has": (
        "try:\n    from absent import load\nexcept ImportError:\n    def load(y):\n        return 1\n\n\n"
        "def get(x):\n    return load(x)",
        "",
    ),
    "a function, or an end": (
        "try:\n    import absent\n\n    def load(y):\n        return 1\nexcept ImportError:\n"
        "    raise SystemExit from None\n\n\ndef get(x):\n    return load(x)",
        HERE,
    ),
    "a function, or nothing": (
        "try:\n    def load(y):\n        return 1\nexcept OSError:\n    load = None\n\n\ndef get(x):\n"
        "    return load(x)",
        HERE,
    ),
    "a function, or what is made of it": (
        "if FAST:\n    load = traced(load)\n\n\ndef get(x):\n    return load(x)",
        HERE,
    ),
    "a function, or a value": (
        "try:\n    def load(y):\n        return 1\nexcept OSError:\n    load = FAST()\n\n\ndef get(x):\n"
        "    return load(x)",
        "",
    ),
    "a function that a match makes": (
        "match FAST:\n    case 1:\n        def load(y):\n            return 1\n\n\ndef get(x):\n    return load(x)",
        "",
    ),
    "a function that a with makes": (
        "with absent():\n    def load(y):\n        return 1\n\n\ndef get(x):\n    return load(x)",
        HERE,
    ),
    "a function that a loop makes": (
        "for y in FAST:\n    def load(y):\n        return 1\n\n\ndef get(x):\n    return load(x)",
        "",
    ),
    "a name in a type-checking block": (
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from fast import other\n\n\n"
        "def get(x):\n    load = other(x)\n    return load(x)",
        "",
    ),
}


def meant(text: str, *, use_ast: bool) -> Symbol | None:
    """Return what `load` means in the function `get` of a module."""
    project = linked({"fast.py": FAST, "server.py": text}, use_ast=use_ast)
    scope = next(item.name for item in project.modules["server.py"].functions if item.name.rpartition(".")[2] == "get")
    return project.names.resolve("server.py", "load", scope)


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
@pytest.mark.parametrize(("code", "meaning"), CASES.values(), ids=CASES.keys())
def test_a_name_means_what_its_scope_says(code: str, meaning: str, use_ast: bool) -> None:
    assert shown(meant(f"{MODULE}{code}\n", use_ast=use_ast)) == meaning


SILENT = {
    "a parameter": "def get(x: str, load=dict) -> dict:\n    return load(x)",
    "a variable": "def get(x: str) -> dict:\n    load = make_loader()\n    return load(x)",
    "a loop": "def get(x: str) -> dict:\n    for load in rows():\n        return load(x)",
    "a with": "def get(x: str) -> dict:\n    with opened() as load:\n        return load(x)",
    "a comprehension": "def get(x: str) -> list:\n    return [load(x) for load in rows()]",
    "a lambda": "def get(x: str) -> list:\n    return list(map(lambda load: load(x), rows()))",
}


@pytest.mark.parametrize("code", SILENT.values(), ids=SILENT.keys())
def test_what_only_has_the_name_of_a_factory_is_not_reported(code: str, tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(f"{MODULE}@server.tool()\n{code}\n", encoding="utf-8")
    assert not findings(tmp_path, CommandLine(select=("ERR102",)))


def test_the_factory_itself_is_reported(tmp_path: Path) -> None:
    code = indent(dedent("return load(x)"), "    ")
    (tmp_path / "server.py").write_text(f"{MODULE}@server.tool()\ndef get(x: str) -> dict:\n{code}\n", encoding="utf-8")
    assert [item.code for item in findings(tmp_path, CommandLine(select=("ERR102",)))] == ["ERR102"]


def test_an_import_elsewhere_changes_nothing(tmp_path: Path) -> None:
    code = "def warm() -> None:\n    from shop.fast import load\n    load(1)\n\n\ndef load(x): ...\n\n\n"
    code += "@server.tool()\ndef get(x: str) -> dict:\n    return load(x)\n"
    (tmp_path / "server.py").write_text(f"{MODULE.partition('def')[0]}{code}", encoding="utf-8")
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").touch()
    (tmp_path / "shop" / "fast.py").write_text(FAST, encoding="utf-8")
    assert not findings(tmp_path, CommandLine(select=("ERR102",)))


SELVES = {
    "an inner function": ("this = self\n\ndef run():\n    return this.find()", "Shelf.serve.run", "held.py Shelf.find"),
    "an inner one of that": (
        "this = self\n\ndef run():\n    def again():\n        return this.find()\n    return again",
        "Shelf.serve.run.again",
        "held.py Shelf.find",
    ),
    "a parameter that hides it": ("this = self\n\ndef run(this):\n    return this.find()", "Shelf.serve.run", ""),
    "another parameter": (
        "this = self\n\ndef run(on):\n    return this.find()",
        "Shelf.serve.run",
        "held.py Shelf.find",
    ),
    "a name for anything else": ("this = made()\n\ndef run():\n    return this.find()", "Shelf.serve.run", ""),
}


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
@pytest.mark.parametrize(("code", "scope", "meaning"), SELVES.values(), ids=SELVES)
def test_a_name_for_self_stands_for_it_in(code: str, scope: str, meaning: str, use_ast: bool) -> None:
    method = f"    def serve(self):\n{indent(code, '        ')}\n\n    def find(self):\n        pass\n"
    names = linked({"held.py": f"class Shelf:\n{method}"}, use_ast=use_ast).names
    assert shown(names.resolve("held.py", "this.find", scope)) == meaning


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("cls", "held.py Shelf"),
        ("type(self)", "held.py Shelf"),
        ("self.__class__", "held.py Shelf"),
        ("cls.find", "held.py Shelf.find"),
        ("type(self).find", "held.py Shelf.find"),
        ("type(other)", ""),
    ],
)
def test_a_method_names_its_class(name: str, meaning: str) -> None:
    code = "class Shelf:\n    def find(self):\n        pass\n\n    def get(self, other):\n        pass\n"
    assert shown(linked({"held.py": code}).names.resolve("held.py", name, "Shelf.get")) == meaning


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
def test_a_variable_hides_what_an_import_of_everything_brings(use_ast: bool) -> None:
    code = "def get(x):\n    load = x.loader()\n    return load(x)\n\n\ndef find(x):\n    return load(x)\n"
    texts = {"fast.py": FAST, "server.py": f"from fast import *\n\n\n{code}"}
    names = linked(texts, use_ast=use_ast).names
    assert [shown(names.resolve("server.py", "load", scope)) for scope in ("get", "find", "")] == ["", OTHER, OTHER]


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
def test_a_handler_without_a_name_hides_nothing_that_an_import_of_everything_brings(use_ast: bool) -> None:
    code = "def get(x):\n    try:\n        return load(x)\n    except OSError:\n        return None\n"
    names = linked({"fast.py": FAST, "server.py": f"from fast import *\n\n\n{code}"}, use_ast=use_ast).names
    assert shown(names.resolve("server.py", "load", "get")) == OTHER


STARS = {
    "what the other has": ("from fast import *\nfrom server import *", "load", OTHER),
    "what neither has": ("from fast import *\nfrom server import *", "absent", ""),
    "a builtin that the second brings": ("from empty import *\nfrom printing import *", "print", "printing.py print"),
    "a builtin that none brings": ("from empty import *", "print", "builtins.print"),
    "what a function of the other imports": ("from inner import *", "load", ""),
}


@pytest.mark.parametrize(("code", "name", "meaning"), STARS.values(), ids=STARS)
def test_files_that_import_everything_of_each_other_have(code: str, name: str, meaning: str) -> None:
    texts = {
        "fast.py": FAST,
        "empty.py": "",
        "printing.py": "def print(x): ...\n",
        "inner.py": "def get():\n    from fast import load\n",
        "shop.py": code,
        "server.py": "from shop import *\n",
    }
    assert shown(linked(texts).names.resolve("server.py", name)) == meaning


BESIDE = {
    "a module beside a script, which another import names in full": (
        "from tools.stock import Shelf as kept\nfrom stock import find",
        "tools/stock.py find",
    ),
    "a class": ("from tools.stock import Shelf as kept\nfrom stock import Shelf as find", "tools/stock.py Shelf"),
    "a module beside it that does not define it": (
        "from tools.stock import Shelf as kept\nfrom stock import absent as find",
        "",
    ),
    "a module of a library of its name": ("from requests import find", "requests.find"),
    "a module beside a script alone": ("from stock import find", "tools/stock.py find"),
    "a class of one": ("from stock import Shelf as find", "tools/stock.py Shelf"),
    "what a module beside a script imports": ("from stock import also as find", "stock.also"),
    "a module beside it that has the name of a standard one": ("from queue import find", "queue.find"),
    "the file itself": ("from run import find", "run.find"),
}


@pytest.mark.parametrize(("code", "meaning"), BESIDE.values(), ids=BESIDE)
def test_a_module_beside_a_file_of_a_package_is_meant_by(code: str, meaning: str) -> None:
    texts = {
        "tools/__init__.py": "",
        "tools/stock.py": "import json as also\n\n\ndef find(): ...\n\n\nclass Shelf: ...\n",
        "tools/requests.py": "def get(): ...\n",
        "tools/queue.py": "def find(): ...\n",
        "tools/run.py": f"{code}\n",
    }
    names = linked(texts).names
    assert shown(names.resolve("tools/run.py", "find")) == meaning
    assert names.find("stock", "tools/run.py") == ("tools/stock.py" if "tools.stock" in code else None)


MEMBERS = {
    "a method": ("Shelf.find", "server.py Shelf.find"),
    "a method of a base": ("Shelf.close", "base.py Base.close"),
    "a method of the base of a base": ("Shelf.begin", "base.py Root.begin"),
    "a method of the second base": ("Shelf.mix", "server.py Mixin.mix"),
    "a class in a class": ("Shelf.Row", "server.py Shelf.Row"),
    "a class in a base": ("Shelf.Column", "base.py Base.Column"),
    "a field that hides a method of a base": ("Shelf.end", ""),
    "what none of them has": ("Shelf.absent", ""),
    "a method of a base of the same name": ("Base.close", "base.py Base.close"),
    "a class that is its own base": ("Odd.find", ""),
    "a method of a class of a module": ("base.Base.close", "base.py Base.close"),
    "a method of a library's class": ("Foreign.close", ""),
}


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
@pytest.mark.parametrize(("name", "meaning"), MEMBERS.values(), ids=MEMBERS)
def test_a_member_of_a_class_is(name: str, meaning: str, use_ast: bool) -> None:
    own = """
        import base
        from base import Base as Below
        from library import Thing

        class Mixin:
            def mix(self): ...
            def find(self): ...

        class Shelf(Below, Mixin):
            end = 1
            def find(self): ...
            class Row: ...

        class Base(base.Base):
            def find(self): ...

        class Odd(Odd):
            pass

        class Foreign(Thing):
            def find(self): ...
    """
    above = """
        class Root:
            def begin(self): ...

        class Base(Root):
            def close(self): ...
            def end(self): ...
            class Column: ...
    """
    texts = {"base.py": above, "server.py": own}
    names = linked({path: dedent(text) for path, text in texts.items()}, use_ast=use_ast).names
    assert shown(names.resolve("server.py", name)) == meaning


SEVERAL = {
    "the first of two stars that has it": (
        "from empty import *\nfrom fast import *\nfrom slow import *",
        "fast.py load",
    ),
    "a star of the file itself": ("from server import *\nfrom slow import *", "slow.py load"),
    "two branches with one meaning": ("try:\n    from fast import load\nexcept ImportError:\n    load = None", OTHER),
    "two branches with two": ("if here:\n    from fast import load\nelse:\n    from slow import load", ""),
    "a name for another": ("from fast import load as first\nload = first", OTHER),
    "a name for a name for another": ("from fast import load as first\nsecond = first\nload = second", OTHER),
    "a name for itself": ("load = load", ""),
    "an import that only a function has": ("def other():\n    from fast import load\n    return load(1)", OTHER),
    "one function, which a package hands on too": (
        "try:\n    from pack import load\nexcept ImportError:\n    from fast import load",
        OTHER,
    ),
    "what is imported, or False": (
        "try:\n    from fast import load\nexcept ImportError:\n    load = False",
        OTHER,
    ),
    "what is imported, or a number": ("try:\n    from fast import load\nexcept ImportError:\n    load = 1", ""),
    "what one of two libraries has": (
        "try:\n    from quick import load\nexcept ImportError:\n    from plain import load",
        "plain.load",
    ),
    "what a library has, by the name of a builtin": ("from quick import print as load", "quick.print"),
    "imports that two functions have": (
        "def other():\n    from fast import load\n\ndef more():\n    from slow import load",
        "",
    ),
}


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
@pytest.mark.parametrize(("code", "meaning"), SEVERAL.values(), ids=SEVERAL)
def test_a_name_of_a_file_means(code: str, meaning: str, use_ast: bool) -> None:
    texts = {
        "fast.py": FAST,
        "slow.py": FAST,
        "empty.py": "",
        "pack/__init__.py": "from fast import load\n",
        "server.py": f"{code}\n",
    }
    assert shown(linked(texts, use_ast=use_ast).names.resolve("server.py", "load")) == meaning


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
def test_of_two_classes_of_one_name_that_in_the_last_branch_is_meant(use_ast: bool) -> None:
    code = "class Row: ...\n\n\ntry:\n    class Row: ...\nexcept OSError:\n    Row = None\n"
    symbol = linked({"server.py": code}, use_ast=use_ast).names.resolve("server.py", "Row")
    assert isinstance(symbol, ClassSymbol)
    assert symbol.definition.span.line == 5


@pytest.mark.parametrize(("count", "is_known"), [(9, True), (10, False)])
def test_a_name_is_followed_through_so_many_modules(count: int, is_known: bool) -> None:
    texts = {f"m{number}.py": f"from m{number + 1} import load\n" for number in range(count)}
    symbol = linked({**texts, f"m{count}.py": FAST}).names.resolve("m0.py", "load")
    assert (shown(symbol) == f"m{count}.py load") is is_known


PUT = "import sys\nsys.path.insert(0, 'lib')\n"
ON_PATH = {
    "itself": ({"shop/server.py": PUT}, "shop/lib/helpers.py find"),
    "another file of its distribution": ({"shop/start.py": PUT}, "shop/lib/helpers.py find"),
    "a file of another distribution": ({"kit/start.py": "import sys\nsys.path.insert(0, '../shop/lib')\n"}, ""),
    "nobody": ({}, ""),
}


@pytest.mark.parametrize(("texts", "meaning"), ON_PATH.values(), ids=ON_PATH)
def test_a_file_has_what_is_in_a_folder_that_is_put_on_the_path_by(texts: dict[str, str], meaning: str) -> None:
    helpers = "def find(): ...\n"
    every = {
        "shop/lib/helpers.py": helpers,
        "shop/other/helpers.py": helpers,
        "shop/server.py": "",
        **texts,
    }
    every["shop/server.py"] += "from helpers import find\n"
    names = linked(every, distributions=["", "shop", "kit"]).names
    assert shown(names.resolve("shop/server.py", "find")) == meaning


NOWHERE = {
    "a function of the project": ("from tools.helpers import find", ""),
    "a method": ("from tools.helpers import close as find", "tools.helpers.close"),
    "a function that the project does not have": ("from tools.helpers import absent as find", "tools.helpers.absent"),
    "a function of another module": ("from tools.others import find", "tools.others.find"),
    "a function of the standard library": ("from queue import find", "queue.find"),
}


@pytest.mark.parametrize(("code", "meaning"), NOWHERE.values(), ids=NOWHERE)
def test_an_import_that_leads_nowhere_may_be_of(code: str, meaning: str) -> None:
    texts = {
        "src/kit/__init__.py": "",
        "src/kit/tools/__init__.py": "",
        "src/kit/tools/helpers.py": "def find(): ...\n\n\nclass Shelf:\n    def close(self): ...\n",
        "src/kit/queue.py": "def find(): ...\n",
        "bin/server.py": f"{code}\n",
    }
    assert shown(linked(texts).names.resolve("bin/server.py", "find")) == meaning


ATTRIBUTES = {
    "a function of a module of a package": ("import pack.stock as stock", "stock.find", "pack/stock.py find"),
    "a function of a module that nothing imports in the package": (
        "import pack",
        "pack.stock.find",
        "pack/stock.py find",
    ),
    "what a package does not have": ("import pack", "pack.absent.find", ""),
    "what a library has": ("import library", "library.stock.find", "library.stock.find"),
    "an attribute of a function": ("from pack.stock import find", "find.name", ""),
}


@pytest.mark.parametrize(("code", "name", "meaning"), ATTRIBUTES.values(), ids=ATTRIBUTES)
def test_a_dotted_name_is(code: str, name: str, meaning: str) -> None:
    texts = {"pack/__init__.py": "", "pack/stock.py": "def find(): ...\n", "server.py": f"{code}\n"}
    assert shown(linked(texts).names.resolve("server.py", name)) == meaning


CALLED = {
    "a name like that of a class": ("", "Shelf", True),
    "one of a class in private": ("", "_Shelf", True),
    "a name like that of a function": ("", "find", False),
    "the name of a class of the project": ("", "row", True),
    "a function by the name of a class": ("from held import find as Find", "Find", False),
    "a class by the name of a function": ("from held import Shelf as made", "made", True),
    "a class by the name of a variable": ("from held import Shelf\nfirst = Shelf\nmade = first", "made", True),
    "what is called to make a variable": ("made = Shelf()", "made", False),
    "a module by another name": ("import held as Held", "Held.find", False),
}


@pytest.mark.parametrize(("code", "name", "may"), CALLED.values(), ids=CALLED)
def test_a_name_may_be_that_of_a_class(code: str, name: str, may: bool) -> None:
    texts = {"held.py": "class Case:\n    class row: ...\n", "server.py": f"{code}\n"}
    assert linked(texts).names.may_be_class("server.py", name) is may
