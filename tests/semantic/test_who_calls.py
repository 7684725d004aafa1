"""Who calls a function: the service by itself."""

from __future__ import annotations

import pytest
from linked_texts import linked

from errlint.facts import Function
from errlint.project import Project

FAMILY = """\
class Base:
    def find(self): ...

class Shop(Base):
    def find(self): ...
"""

CALLED: dict[str, tuple[str, str, str, str, str]] = {
    # of what, code, and in which functions it is called: certainly, by who may answer it, and perhaps
    "a function by its name": ("find", "def find(): ...\ndef a(): return find()", "a", "a", "a"),
    "a function, and a method of its name": (
        "find",
        "def find(): ...\nclass Base:\n    def find(self): ...\ndef a(x): return Base.find(x)",
        "",
        "",
        "",
    ),
    "the only method of a name": (
        "Base.find",
        "class Base:\n    def find(self): ...\ndef a(x): return x.find()",
        "a",
        "a",
        "a",
    ),
    "what overrides the method that is called": ("Shop.find", f"{FAMILY}def a(x): return Base.find(x)", "a", "a", "a"),
    "what is overridden by the method that is called": (
        "Base.find",
        f"{FAMILY}def a(x): return Shop.find(x)",
        "",
        "",
        "",
    ),
    "one of a family": ("Shop.find", f"{FAMILY}def a(x): return x.find()", "", "a", "a"),
    "one of a name that others have as well": (
        "Shop.find",
        f"{FAMILY}class Other:\n    def find(self): ...\ndef a(x): return x.find()",
        "",
        "",
        "a",
    ),
    "a method of a class beside the one that is called": (
        "Other.find",
        f"{FAMILY}class Other:\n    def find(self): ...\ndef a(x): return Base.find(x)",
        "",
        "",
        "",
    ),
}


def found(project: Project, name: str) -> Function:
    (function,) = (each for each in project.modules["shop.py"].functions if each.name == name)
    return function


@pytest.mark.parametrize(("name", "code", "certainly", "answering", "perhaps"), CALLED.values(), ids=CALLED)
def test_who_calls_a_function(name: str, code: str, certainly: str, answering: str, perhaps: str) -> None:
    project = linked({"shop.py": f"{code}\n"})
    function, callers = found(project, name), project.callers
    told = [callers.must, callers.answering, callers.may]
    names = [" ".join(caller.function for caller in ask("shop.py", function)) for ask in told]
    assert names == [certainly, answering, perhaps]


ANSWERED = {
    "return find()": True,
    "x = find()\n    return x": True,
    "x = find()\n    return wrap(data=x)": True,
    "find()\n    return find": False,
    "find()\n    return other()": False,
    "x = find()\n    return {'left': x}": False,
}


@pytest.mark.parametrize(("body", "is_answered"), ANSWERED.items(), ids=ANSWERED)
def test_a_function_answers_what_one_that_it_calls_does(body: str, is_answered: bool) -> None:
    project = linked({"shop.py": f"def find(): ...\ndef a():\n    {body}\n"})
    caller, *_ = project.callers.may("shop.py", found(project, "find"))
    around = project.callers.around(caller)
    assert around is not None
    assert project.callers.returns_result(caller, around) is is_answered


FOUND = "class Shop:\n    def find(self): ...\n\n\n"

HELD = {
    "what a local object answers": ("shop = Shop()\n    return Response(content=shop.find())", True),
    "what an object of the module answers": ("return Response(content=SHOP.find())", True),
    "what another local object answers": (
        "shop = Shop()\n    shop.find()\n    return Response(content=it.other())",
        False,
    ),
    "nothing of it": ("shop = Shop()\n    shop.find()\n    return Response(content=shop)", False),
}


@pytest.mark.parametrize(("body", "is_answered"), HELD.values(), ids=HELD)
def test_a_function_answers_in_a_response(body: str, is_answered: bool) -> None:
    project = linked({"shop.py": f"{FOUND}SHOP = Shop()\n\n\ndef a(it):\n    {body}\n"})
    caller, *_ = project.callers.may("shop.py", found(project, "Shop.find"))
    around = project.callers.around(caller)
    assert around is not None
    assert project.callers.returns_result(caller, around) is is_answered


def test_the_users_of_a_method_use_its_name_as_an_attribute() -> None:
    text = f"{FOUND}def find(): ...\n\n\ndef a(it): return it.find()\n\n\ndef b(): return find()\n"
    project = linked({"shop.py": text})
    users = {
        name: [caller.function for caller in project.callers.users("shop.py", found(project, name))]
        for name in ("Shop.find", "find")
    }
    assert users == {"Shop.find": ["a"], "find": ["a", "b"]}
    assert {name for _, name in project.callers.used_names} == {"find"}


def test_a_function_in_a_method_of_a_base_is_overridden_by_none() -> None:
    text = (
        "class Base:\n    def get(self):\n        def find(): ...\n        return find()\n\n"
        "class Shop(Base):\n    def find(self): ...\n"
    )
    project = linked({"shop.py": text})
    assert not project.callers.may("shop.py", found(project, "Shop.find"))
    assert [each.function for each in project.callers.must("shop.py", found(project, "Base.get.find"))] == ["Base.get"]


def test_who_calls_is_asked_of_the_distribution_alone() -> None:
    text = "def find(): ...\n"
    project = linked(
        {"one/shop.py": text, "two/use.py": "def a(x): return x.find()\n", "one/use.py": "def b(x): return x.find()\n"},
        distributions=("one", "two"),
    )
    function = project.modules["one/shop.py"].functions[0]
    assert [caller.path for caller in project.callers.may("one/shop.py", function)] == ["one/use.py"]


FAMILIES = {
    "a base and two below it": (
        "class A:\n    def f(self): ...\nclass B(A):\n    def f(self): ...\nclass C(B):\n    def f(self): ...\n",
        "a",
    ),
    "two below one that has it not": (
        "class A: ...\nclass B(A):\n    def f(self): ...\nclass C(A):\n    def f(self): ...\n",
        "",
    ),
    "a class in a function": ("def made():\n    class B:\n        def f(self): ...\n    return B\n", "a"),
    "one of a class and a function of its name": ("class B:\n    def f(self): ...\ndef f(): ...\n", "a"),
}


@pytest.mark.parametrize(("code", "caller"), FAMILIES.values(), ids=FAMILIES)
def test_a_call_of_an_unknown_object_may_answer_what_a_family_does(code: str, caller: str) -> None:
    project = linked({"shop.py": f"{code}def a(x): return x.f()\n"})
    method = next(each for each in project.modules["shop.py"].functions if each.owner)
    assert " ".join(each.function for each in project.callers.answering("shop.py", method)) == caller
