"""A second look at a file finds what a first one that had been asked for it would have, from few of its lines."""

from __future__ import annotations

import ast

import pytest

from errlint.collect import collect, collect_more
from errlint.collect.merge import merge
from errlint.facts import Module, Wanted
from errlint.gate import Outline, Vocabulary, cut, known, outline
from errlint.gate.places import mentioned, mentions
from errlint.source import Lines

VOCABULARY = Vocabulary(
    ("error",), ("tool",), ("add_tool",), ("execute",), frozenset({"error", "status", "message"}), False
)

MODULE = """\
import os
from typing import (
    Any,  # why
)
if os.name:
    from a import helper as aid
else:
    from b import helper as aid

LIMIT = other = 3; TEXT = '''
def inside_a_string():
'''

@decorate(
    1,
)
class Box(Base):
    '''Text.'''

    kind: str = "x"

    @property
    def first(self):
        return {"error": helper(1)}

    # between
    def second(self): return self.first

    class Inner:
        def third(self):
            return make("error")

class Tight(Base): size = 1

try:
    from c import fast
except ImportError:
    def fast(x):
        return {"error": x}

async def use(x):
    r = await helper(x)
    if not r:
        raise ValueError(r)
    return [r]

def outer(x):
    def inner():
        return helper(x)
    return inner

if LIMIT: REST = 1
"""

NAMES = (
    "LIMIT", "other", "TEXT", "Box", "Box.kind", "Box.first", "Box.second", "Box.Inner", "Box.Inner.third", "Tight",
    "Tight.size", "fast", "use", "outer", "REST", "aid", "os", "Any",
)  # fmt: skip


def blocks_of(text: str) -> Outline:
    return outline(ast.parse(text), Lines(text))


def test_an_outline_knows_what_a_file_defines() -> None:
    assert known(blocks_of(MODULE), [*NAMES, "inside_a_string", "x", "Base", "Box.missing", "inner"]) == set(NAMES)


def test_a_star_import_may_define_anything() -> None:
    assert known(blocks_of("from a import *\n"), ["x", "y"]) == {"x", "y"}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_cut_out_for_a_definition_is_a_module_with_the_same_lines(name: str) -> None:
    text = cut(MODULE, blocks_of(MODULE), (), [name])
    assert text.count("\n") == MODULE.count("\n")
    assert set(text.split("\n")) - {""} <= set(MODULE.split("\n"))
    assert len(text) < len(MODULE)
    assert name in known(blocks_of(text), [name])


@pytest.mark.parametrize("line", [n for n, row in enumerate(MODULE.split("\n"), 1) if row.strip() and "#" not in row])
def test_what_is_cut_out_for_a_line_is_a_module_with_that_line(line: int) -> None:
    text = cut(MODULE, blocks_of(MODULE), [line], ())
    ast.parse(text)
    assert text.split("\n")[line - 1] == MODULE.split("\n")[line - 1]


WANTED = {
    "uses of a function": Wanted(("helper",), ()),
    "uses of a function under another name": Wanted(("fast",), ()),
    "uses of two": Wanted(("helper", "make"), ()),
    "a function": Wanted((), ("use",)),
    "a method": Wanted((), ("Box.second",)),
    "a method of a class inside a class": Wanted((), ("Box.Inner.third",)),
    "a class": Wanted((), ("Box",)),
    "a class on one line": Wanted((), ("Tight",)),
    "a value": Wanted((), ("LIMIT",)),
    "a function below try": Wanted((), ("fast",)),
    "an import below if": Wanted((), ("aid",)),
    "uses and definitions": Wanted(("helper",), ("Box", "TEXT", "outer")),
    "what is not there": Wanted(("nothing",), ("Box.missing", "missing")),
}


@pytest.mark.parametrize("wanted", WANTED.values(), ids=WANTED.keys())
@pytest.mark.parametrize("outlined", [True, False], ids=["with the outline", "with facts from the cache"])
def test_a_second_look_adds_what_a_first_one_would_have_found(wanted: Wanted, outlined: bool) -> None:
    first = collect(MODULE, VOCABULARY, Wanted())
    more = collect_more(MODULE, first.blocks if outlined else None, VOCABULARY, wanted)
    assert more is not None
    at_once = collect(MODULE, VOCABULARY, wanted).module
    assert _comparable(merge(first.module, more)) == _comparable(at_once)


def _comparable(module: Module) -> object:
    return (module.functions, module.classes, set(module.imports), module.assigned, module.uses, module.covered)


def test_an_empty_text_with_a_prefix_is_a_text() -> None:
    text = """\
@tool
def told(found):
    answer = helper(found)
    if "error" in answer:
        lines = [f"Error: {answer}", f"", f"of {found}"]
        return ", ".join(lines)
    return "told"
"""
    found = collect(text, VOCABULARY, Wanted(("helper",))).module
    assert [function.name for function in found.functions] == ["told"]


def test_looks_can_follow_each_other_in_any_order() -> None:
    parts = [Wanted(("helper",)), Wanted((), ("Box",)), Wanted(("make",), ("use", "LIMIT"))]
    found = []
    for order in (parts, parts[::-1]):
        module = collect(MODULE, VOCABULARY, Wanted()).module
        for wanted in order:
            more = collect_more(MODULE, None, VOCABULARY, wanted)
            assert more is not None
            module = merge(module, more)
        found.append(_comparable(module))
    assert found[0] == found[1]


@pytest.mark.parametrize("count", [1, 200], ids=["few names", "many names"])
def test_names_are_found_as_whole_words_however_many_are_asked_for(count: int) -> None:
    data = "größe = get_item(get, 'not-found')\n".encode()
    asked = ["get", "größe", "item", "not-found", "", *(f"absent_{number}" for number in range(count))]
    assert mentioned(data, asked) == {"get", "größe", "not-found"}
    assert mentions(data, asked) == [data.index(b"gr"), data.index(b"get,"), data.index(b"not-")]
