"""What a name means where it stands: the service by itself, for both readers, and what a user sees of it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest
from example_projects import findings
from linked_texts import linked

from errlint.project.names import ClassSymbol, FunctionSymbol, Symbol
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
    "an import of what is not there": ("def get(x):\n    from absent import load\n    return load(x)", ""),
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


def shown(symbol: Symbol | None) -> str:
    if isinstance(symbol, FunctionSymbol):
        return f"{symbol.path} {symbol.function.name}"
    return f"{symbol.path} {symbol.definition.name}" if isinstance(symbol, ClassSymbol) else ""


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


CLASSES = """\
class Shelf:
    def find(self):
        pass


class Other:
    def find(self):
        pass
"""

OBJECTS = {
    "an object": ("shelf = Shelf()", "shelf.find", "held.py Shelf.find"),
    "an object that is none at first": (
        "shelf = None\nif here:\n    shelf = Shelf()",
        "shelf.find",
        "held.py Shelf.find",
    ),
    "one of two objects": ("shelf = Shelf()\nif here:\n    shelf = Other()", "shelf.find", ""),
    "an object that a function replaces": (
        "shelf = Shelf()\n\n\ndef start():\n    global shelf\n    shelf = Other()",
        "shelf.find",
        "",
    ),
    "an object by another name": ("first = Shelf()\nshelf = first", "shelf.find", "held.py Shelf.find"),
    "what a function makes": ("shelf = made()", "shelf.find", ""),
    "a method that it has not": ("shelf = Shelf()", "shelf.close", ""),
}


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
@pytest.mark.parametrize(("code", "name", "meaning"), OBJECTS.values(), ids=OBJECTS)
def test_a_method_of_an_imported_object_is(code: str, name: str, meaning: str, use_ast: bool) -> None:
    texts = {"held.py": f"{CLASSES}\n\n{code}\n", "server.py": "from held import shelf\n"}
    assert shown(linked(texts, use_ast=use_ast).names.called("server.py", name)) == meaning


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


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
def test_a_variable_hides_what_an_import_of_everything_brings(use_ast: bool) -> None:
    code = "def get(x):\n    load = x.loader()\n    return load(x)\n\n\ndef find(x):\n    return load(x)\n"
    texts = {"fast.py": FAST, "server.py": f"from fast import *\n\n\n{code}"}
    names = linked(texts, use_ast=use_ast).names
    assert [shown(names.resolve("server.py", "load", scope)) for scope in ("get", "find", "")] == ["", OTHER, OTHER]


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
    "a module of a library of its name": ("from requests import find", ""),
}


@pytest.mark.parametrize(("code", "meaning"), BESIDE.values(), ids=BESIDE)
def test_a_module_beside_a_file_of_a_package_is_meant_by(code: str, meaning: str) -> None:
    texts = {
        "tools/__init__.py": "",
        "tools/stock.py": "import json as also\n\n\ndef find(): ...\n\n\nclass Shelf: ...\n",
        "tools/requests.py": "def get(): ...\n",
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
    "imports that two functions have": (
        "def other():\n    from fast import load\n\ndef more():\n    from slow import load",
        "",
    ),
}


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
@pytest.mark.parametrize(("code", "meaning"), SEVERAL.values(), ids=SEVERAL)
def test_a_name_of_a_file_means(code: str, meaning: str, use_ast: bool) -> None:
    texts = {"fast.py": FAST, "slow.py": FAST, "empty.py": "", "server.py": f"{code}\n"}
    assert shown(linked(texts, use_ast=use_ast).names.resolve("server.py", "load")) == meaning
