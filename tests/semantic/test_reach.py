"""Which bases of a class may call its methods: the service by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from errlint.collect import collect
from errlint.project import Project
from errlint.project.asked_facts import vocabulary
from errlint.project.names import ClassSymbol, Layout
from errlint.project.reach import active_bases
from errlint.settings import Settings

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
    settings = Settings(root=Path())
    texts = {"bases.py": BASES, "tool.py": f"{code}\n"}
    modules = {name: collect(text, vocabulary(settings)) for name, text in texts.items()}
    project = Project(Layout(modules, [""]), modules, settings)
    symbol = project.names.resolve("tool.py", "Tool", "")
    assert isinstance(symbol, ClassSymbol)
    assert active_bases(project, symbol) == active
