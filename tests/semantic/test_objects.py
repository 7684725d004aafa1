"""Of which class an object is whose method is called: the service by itself, for both readers."""

from __future__ import annotations

import pytest
from linked_texts import linked, shown

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
    "what a function has": ("def shelf(): ...", "shelf.find", ""),
    "an object that a made function makes": ("shelf = made(Shelf)()", "shelf.find", ""),
    "an object of the standard library": ("import re\nshelf = re.compile('x')", "shelf.find", "re.compile.find"),
    "what the standard library hands on": ("import copy\nshelf = copy.copy(Other)", "shelf.find", ""),
    "an object of a library's class": ("import rack\nshelf = rack.Shelf()", "shelf.find", "rack.Shelf.find"),
    "what a library's function answers": ("import rack\nshelf = rack.shelf()", "shelf.find", ""),
}


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
@pytest.mark.parametrize(("code", "name", "meaning"), OBJECTS.values(), ids=OBJECTS)
def test_a_method_of_an_imported_object_is(code: str, name: str, meaning: str, use_ast: bool) -> None:
    texts = {"held.py": f"{CLASSES}\n\n{code}\n", "server.py": "from held import shelf\n"}
    assert shown(linked(texts, use_ast=use_ast).objects.called("server.py", name)) == meaning


SHELF, OTHER = "server.py Shelf.find", "server.py Other.find"

CALLS = {
    "a local object": ("def get():\n    shelf = Shelf()\n    return shelf.find()", "get", "shelf.find", SHELF),
    "one that is awaited": ("async def get():\n    s = await Shelf()\n    s.find()", "get", "s.find", SHELF),
    "one that is none at first": (
        "def get():\n    shelf = None\n    shelf = Shelf()\n    shelf.find()",
        "get",
        "shelf.find",
        SHELF,
    ),
    "one of two": (
        "def get(x):\n    shelf = Shelf()\n    if x:\n        shelf = Other()\n    shelf.find()",
        "get",
        "shelf.find",
        "",
    ),
    "one of two in an expression": (
        "def get(x):\n    s = Shelf() if x else Other()\n    s.find()",
        "get",
        "s.find",
        "",
    ),
    "one of a class or nothing": ("def get(x):\n    s = Shelf() if x else None\n    s.find()", "get", "s.find", SHELF),
    "one or another of a class": ("def get(x):\n    s = Shelf(1) or Shelf(2)\n    s.find()", "get", "s.find", SHELF),
    "a cast one": ("def get(x):\n    s = cast(Shelf, x)\n    s.find()", "get", "s.find", SHELF),
    "a declared one": ("def get(x):\n    s: Shelf = x()\n    s.find()", "get", "s.find", SHELF),
    "one by another name": ("def get():\n    a = Shelf()\n    s = a\n    s.find()", "get", "s.find", SHELF),
    "one that is bound to itself": ("def get():\n    s = s\n    s.find()", "get", "s.find", ""),
    "names that stand for each other": ("def get():\n    a = b\n    b = a\n    a.find()", "get", "a.find", ""),
    "one of a with": ("def get():\n    with Shelf() as s:\n        s.find()", "get", "s.find", SHELF),
    "one of a loop": ("def get(x):\n    s = Shelf()\n    for s in x:\n        s.find()", "get", "s.find", ""),
    "a part": ("def get(x):\n    s = Shelf()\n    s, x = x\n    s.find()", "get", "s.find", ""),
    "one of a function around": (
        "def register(server):\n    s = Shelf()\n\n    def get():\n        return s.find()",
        "register.get",
        "s.find",
        SHELF,
    ),
    "one that a function hides": (
        "def register(server):\n    s = Shelf()\n\n    def get(s):\n        return s.find()",
        "register.get",
        "s.find",
        "",
    ),
    "one that a variable hides": (
        "def register(x):\n    s = Shelf()\n\n    def get():\n        s = x[0]\n        return s.find()",
        "register.get",
        "s.find",
        "",
    ),
    "a parameter": ("def get(s: Shelf):\n    s.find()", "get", "s.find", SHELF),
    "a parameter by keyword": ("def get(*, s: Shelf):\n    s.find()", "get", "s.find", SHELF),
    "a parameter that may be none": ("def get(s: Shelf | None = None):\n    s.find()", "get", "s.find", SHELF),
    "a parameter by a text": ("def get(s: 'Optional[Shelf]'):\n    s.find()", "get", "s.find", SHELF),
    "a parameter of one of two": ("def get(s: Shelf | Other):\n    s.find()", "get", "s.find", ""),
    "a parameter without": ("def get(s):\n    s.find()", "get", "s.find", ""),
    "all that is left": ("def get(*s: Shelf):\n    s.find()", "get", "s.find", ""),
    "a parameter of a protocol": (
        "class Any(Protocol):\n    def find(self): ...\n\n\ndef get(s: Any):\n    s.find()",
        "get",
        "s.find",
        "",
    ),
    "a parameter of a function around": (
        "def register(s: Shelf):\n    def get():\n        return s.find()",
        "register.get",
        "s.find",
        SHELF,
    ),
    "what a function makes": (
        "def made():\n    return Shelf()\n\n\ndef get():\n    s = made()\n    s.find()",
        "get",
        "s.find",
        SHELF,
    ),
    "what a function says it makes": (
        "def made(x) -> Shelf:\n    return x\n\n\ndef get():\n    made(1).find()",
        "get",
        "made().find",
        SHELF,
    ),
    "one of two that a function makes": (
        "def made(x):\n    if x:\n        return Shelf()\n    return Other()\n\n\ndef get():\n    made(1).find()",
        "get",
        "made().find",
        "",
    ),
    "what a generator says": (
        "def made(x) -> Shelf:\n    yield x\n\n\ndef get():\n    made(1).find()",
        "get",
        "made().find",
        "",
    ),
    "functions that make what each other makes": (
        "def a():\n    return b()\n\n\ndef b():\n    return a()\n\n\ndef get():\n    a().find()",
        "get",
        "a().find",
        "",
    ),
    "what an attribute has": (
        "class Shop:\n    def __init__(self):\n        self.s = Shelf()\n\n    def get(self):\n        self.s.find()",
        "Shop.get",
        "self.s.find",
        SHELF,
    ),
    "what a constructor is handed": (
        "class Shop:\n    def __init__(self, s: Shelf | None):\n        self.s = s or Shelf()\n\n"
        "    def get(self):\n        self.s.find()",
        "Shop.get",
        "self.s.find",
        SHELF,
    ),
    "what a constructor is handed unsaid": (
        "class Shop:\n    def __init__(self, s):\n        self.s = s\n\n    def get(self):\n        self.s.find()",
        "Shop.get",
        "self.s.find",
        "",
    ),
    "what one of two constructors has": (
        "class Base:\n    def __init__(self):\n        self.s = Shelf()\n\n\nclass Shop(Base):\n"
        "    def get(self):\n        self.s.find()",
        "Shop.get",
        "self.s.find",
        SHELF,
    ),
    "what a constructor of classes in a circle has": (
        "class Shop(Store):\n    def get(self):\n        self.s.find()\n\n\nclass Store(Shop):\n    pass",
        "Shop.get",
        "self.s.find",
        "",
    ),
    "one by the tenth name for it": (
        "def get():\n    s0 = Shelf()\n" + "".join(f"    s{n} = s{n - 1}\n" for n in range(1, 10)) + "    s9.find()",
        "get",
        "s9.find",
        SHELF,
    ),
    "a field": (
        "class Shop:\n    s: Shelf\n\n    def get(self):\n        self.s.find()",
        "Shop.get",
        "self.s.find",
        SHELF,
    ),
    "a property": (
        "class Shop:\n    @property\n    def s(self) -> Shelf:\n        return x\n\n    def get(self):\n"
        "        self.s.find()",
        "Shop.get",
        "self.s.find",
        SHELF,
    ),
    "a method that is not called": (
        "class Shop:\n    def s(self) -> Shelf:\n        return x\n\n    def get(self):\n        self.s.find()",
        "Shop.get",
        "self.s.find",
        "",
    ),
    "a field of an object": (
        "class Shop:\n    s: Shelf\n\n\ndef get(shop: Shop):\n    shop.s.find()",
        "get",
        "shop.s.find",
        SHELF,
    ),
    "what a method makes": (
        "class Shop:\n    def open(self) -> Shelf:\n        return x\n\n\ndef get(shop: Shop):\n    s = shop.open()\n"
        "    s.find()",
        "get",
        "s.find",
        SHELF,
    ),
    "a library's object": (
        "import rack\n\n\ndef get():\n    s = rack.Rack()\n    s.find()",
        "get",
        "s.find",
        "rack.Rack.find",
    ),
    "a library's parameter": (
        "import rack\n\n\ndef get(s: rack.Rack):\n    s.find()",
        "get",
        "s.find",
        "rack.Rack.find",
    ),
    "a parameter of any class": ("from typing import Any\n\n\ndef get(s: Any):\n    s.find()", "get", "s.find", ""),
    "a method that it has not": ("def get(s: Shelf):\n    s.close()", "get", "s.close", ""),
}


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
@pytest.mark.parametrize(("code", "scope", "name", "meaning"), CALLS.values(), ids=CALLS)
def test_a_method_is_that_of_the_class_of(code: str, scope: str, name: str, meaning: str, use_ast: bool) -> None:
    head = f"from typing import Optional, Protocol, cast\n\n\n{CLASSES}\n\n"
    objects = linked({"server.py": f"{head}{code}\n"}, use_ast=use_ast).objects
    assert shown(objects.called("server.py", name, scope)) == meaning


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("held.shelf.find", "held.py Shelf.find"),
        ("held.shelf.close", ""),
        ("held.Shelf.find", "held.py Shelf.find"),
        ("held.odd.find", ""),
    ],
)
def test_a_method_of_an_object_of_an_imported_module_is(name: str, meaning: str, use_ast: bool) -> None:
    texts = {"held.py": f"{CLASSES}\n\nshelf = Shelf()\nodd = 3\n", "server.py": "import held\n"}
    assert shown(linked(texts, use_ast=use_ast).objects.called("server.py", name)) == meaning
