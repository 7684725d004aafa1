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
