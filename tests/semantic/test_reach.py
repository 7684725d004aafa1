"""Which bases of a class may call its methods: the service by itself."""

from __future__ import annotations

import pytest
from linked_texts import linked

from errlint.project.names import ClassSymbol
from errlint.project.reach import Reach, active_bases

BASES = "from abc import ABC as Abstract\n\n\nclass Own(Abstract): ...\n\n\nOther = Own\n"
CASES = {
    "none": ("class Tool: ...", []),
    "one of the project": ("from bases import Own\nclass Tool(Own): ...", []),
    "one by another name of its import": ("from bases import Own as Base\nclass Tool(Base): ...", []),
    "one by another name of its module": ("from bases import Other\nclass Tool(Other): ...", []),
    "one of its own file by another name": ("class Own: ...\nOther = Own\nclass Tool(Other): ...", []),
    "one that calls nothing": ("from abc import ABC as Abstract\nclass Tool(Abstract): ...", []),
    "a foreign one": ("from kit import Plugin\nclass Tool(Plugin): ...", ["Plugin"]),
    "a foreign one by another name": ("from kit import Plugin as Base\nclass Tool(Base): ...", ["Plugin"]),
    "a foreign one above one of the project": (
        "import kit\nclass Base(kit.Plugin): ...\nclass Tool(Base): ...",
        ["Plugin"],
    ),
    "one that is made": ("class Tool(made()): ...", ["made"]),
}


@pytest.mark.parametrize(("code", "active"), CASES.values(), ids=CASES)
def test_the_bases_that_may_call_the_methods_of_a_class(code: str, active: list[str]) -> None:
    project = linked({"bases.py": BASES, "tool.py": f"{code}\n"})
    symbol = project.names.resolve("tool.py", "Tool", "")
    assert isinstance(symbol, ClassSymbol)
    assert active_bases(project, symbol) == active


UNCALLED = "{decorator}def _load() -> None: ...\n"


@pytest.mark.parametrize("decorator", ["", "@final\n", "@no_type_check\n", "@deprecated('no more')\n"])
def test_a_private_function_that_nobody_calls_is_not_reached_for_a_mark_on_it(decorator: str) -> None:
    project = linked({"shop.py": UNCALLED.format(decorator=decorator)})
    (function,) = project.modules["shop.py"].functions
    assert not Reach(project).is_reachable("shop.py", function)
    project = linked({"shop.py": UNCALLED.format(decorator="@app.command\n")})
    (function,) = project.modules["shop.py"].functions
    assert Reach(project).is_reachable("shop.py", function)
