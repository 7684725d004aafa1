"""Which values reach a return: every way in which a local name can come to hold one."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from errlint.collect import collect
from errlint.facts import (
    Call,
    Choice,
    Constant,
    Function,
    Item,
    Mapping,
    Opaque,
    Ref,
    Sequence,
    Text,
    Value,
    Variable,
)
from errlint.index.vocabulary import Vocabulary

VOCABULARY = Vocabulary()

VALUES = {
    "an assignment": ("r = {'error': a}\nreturn r", "r<{error: a}>"),
    "the last of two assignments": ("r = {'error': a}\nr = b()\nreturn r", "r<b()>"),
    "a parameter": ("x = 'error'\nreturn a", "a"),
    "two branches": ("if a:\n r = {'error': a}\nelse:\n r = b()\nreturn r", "r<{error: a} | b()>"),
    "a branch that is left early": ("if a:\n r = {'error': a}\n return r\nr = b()\nreturn r", "r<{error: a}>; r<b()>"),
    "a branch without the name": ("if a:\n r = {'error': a}\nreturn r", "r<{error: a} | ?>"),
    "a branch that raises": ("r = b()\nif a:\n r = {'error': a}\n raise X\nreturn r", "r<b()>"),
    "elif": ("if a:\n r = 'x'\nelif b:\n r = {'error': a}\nelse:\n r = 'y'\nreturn r", "r<'x' | {error: a} | 'y'>"),
    "a loop that may not run": ("r = 'x'\nfor i in a:\n r = {'error': i}\nreturn r", "r<'x' | {error: i<?>}>"),
    "a loop left by break": ("r = 'x'\nwhile True:\n r = {'error': a}\n break\nreturn r", "r<{error: a}>"),
    "a loop that goes on": ("r = 'x'\nfor i in a:\n if i:\n  r = {'error': a}\n  continue\n r = 'y'\nreturn r",
                            "r<'x' | 'y' | {error: a}>"),
    "the target of a loop": ("for r in [{'error': a}]:\n return r", "r<?>"),
    "a handler sees what held anywhere in its try": (
        "r = 'x'\ntry:\n r = {'error': a}\n r = b()\nexcept E:\n return r", "r<'x' | {error: a}>"),
    "the name of a handler": ("try:\n r = b()\nexcept E as e:\n return {'error': e}", "{error: e}"),
    "after a try": ("try:\n r = b()\nexcept E as e:\n r = {'error': e}\nreturn r", "r<b() | {error: e}>"),
    "finally changes what was there": (
        "r = {}\ntry:\n b()\nfinally:\n r['error'] = a\nreturn r", "r<{error: a}>"),
    "else of a try": ("try:\n r = {'error': a}\nexcept E:\n r = 'x'\nelse:\n r = 'y'\nreturn r", "r<'y' | 'x'>"),
    "what is suppressed may fail after any of its statements": (
        "r = 'x'\nwith suppress(E):\n r = {'error': a}\n b()\n r = 'y'\nreturn r", "r<'y' | 'x' | {error: a}>"),
    "match": ("match a:\n case 1:\n  r = {'error': a}\n case _:\n  r = 'x'\nreturn r", "r<{error: a} | 'x'>"),
    "a name bound by a pattern": ("r = {'error': a}\nmatch a:\n case {'x': r}:\n  return r", "r"),
    "with": ("with a() as r:\n r = {'error': b}\n return r", "r<{error: b}>"),
    "a walrus in a test": ("if (r := {'error': a}):\n return r", "r<{error: a}>"),
    "a conditional expression": ("r = {'error': a} if a else b()\nreturn r", "r<({error: a} or b())>"),
    "unpacking": ("r, s = {'error': a}, 'x'\nreturn r", "r<{error: a}>"),
    "unpacking of what a call answers": ("r, s = b('error')\nreturn s", "s<b('error').__getitem__(*=1)>"),
    "unpacking of what a call answers, behind a star": ("r, *s, t = b('error')\nreturn t", "t<?>"),
    "unpacking of something unknown": ("r, s = b\nreturn r", "r<?>"),
    "a stored item": ("r = {}\nr['error'] = a\nreturn r", "r<{error: a}>"),
    "items stored without end": (
        "r = {}\n" + "".join(f"r['k{n}'] = {n}\n" for n in range(1000)) + "r['error'] = a\nreturn r",
        "r<{" + ", ".join(f"k{n}: {n}" for n in range(900, 1000)) + ", error: a, **?}>",
    ),
    "an item stored twice": ("r = {'error': a}\nr['error'] = b\nreturn r", "r<{error: b}>"),
    "an item that was deleted": ("r = {'error': a, 'x': b}\ndel r['error']\nreturn r", "r<{x: b}>"),
    "update with a mapping": ("r = {'x': a}\nr.update({'error': a})\nreturn r", "r<{x: a, error: a}>"),
    "update with names": ("r = {}\nr.update(error=a)\nreturn r", "r<{error: a}>"),
    "setdefault": ("r = {}\nr.setdefault('error', a)\nreturn r", "r<{error: a}>"),
    "|=": ("r = {'x': a}\nr |= {'error': a}\nreturn r", "r<{x: a, error: a}>"),
    "|": ("r = {'x': a}\nreturn r | {'error': a}", "{x: a, error: a}"),
    "a spread": ("r = {'x': a}\nreturn {**r, 'error': a}", "{x: a, error: a}"),
    "a spread of something unknown": ("return {**a, 'error': b}", "{error: b, **a}"),
    "+= of texts": ("r = 'error: '\nr += 'x'\nreturn r", "r<'error: x'>"),
    "+= of many texts, which nobody follows one by one": (
        "r = 'error: '\n" + "".join(f"if a.{part}:\n r += '{part}'\n" for part in "uvwxyz") + "return r",
        "r<'error: uvw{?}' | 'error: vw{?}' | 'error: uw{?}' | 'error: w{?}' | 'error: uv{?}' | 'error: v{?}'"
        " | 'error: u{?}' | 'error: {?}' | 'error: uvw' | 'error: vw' | 'error: uw' | 'error: w' | 'error: uv'"
        " | 'error: v' | 'error: u' | 'error: '>"),
    "append to a list": ("r = [{'error': a}]\nr.append(b)\nreturn r", "r<?>"),
    "a class with its type parameters": ("return models.Result[int](error=a)", "models.Result(error=a)"),
    "a function out of a table": ("return HANDLERS[a](error=1)", "HANDLERS.__getitem__(a)(error=1)"),
    "a field": ("r = Result()\nr.error = a\nreturn r", "r<Result(error=a)>"),
    "del": ("r = {'error': a}\ndel r\nreturn r", "r"),
    "a nested function of that name": ("r = {'error': a}\ndef r(): pass\nreturn r", "r"),
    "an import of that name": ("r = {'error': a}\nimport r\nreturn r", "r"),
    "global": ("global r\nr = {'error': a}\nreturn r", "r<{error: a}>"),
    "await": ("r = await b({'error': a})\nreturn r", "r<b({error: a})>"),
    "a copy": ("r = {'error': a}\nreturn r.copy()", "r<{error: a}>"),
    "an item of a name": ("r = b('error')\nreturn {'error': r['x']}", "{error: r<b('error')>['x']}"),
    "unreachable": ("r = 'error'\nreturn r\nreturn r", "r<'error'>; r"),
}  # fmt: skip


def shown(value: Value) -> str:
    """A value in short: names with what they hold, ``?`` for what nobody can follow."""
    if isinstance(value, Opaque):
        return "?"
    if isinstance(value, Constant):
        return repr(value.value)
    if isinstance(value, Text):
        return repr("".join(part if isinstance(part, str) else f"{{{shown(part)}}}" for part in value.parts))
    if isinstance(value, Ref):
        return value.name
    if isinstance(value, Variable):
        return f"{value.name}<{' | '.join(map(shown, value.values))}>"
    if isinstance(value, Mapping):
        parts = [f"{entry.key}: {shown(entry.value)}" for entry in value.entries]
        return "{" + ", ".join([*parts, *(f"**{shown(spread)}" for spread in value.spreads)]) + "}"
    if isinstance(value, Call):
        inner = shown(value.inner) if value.inner is not None else ""
        parts = [f"{item.name}={shown(item.value)}" if item.name else shown(item.value) for item in value.arguments]
        return f"{inner}{value.name}({', '.join(parts)})"
    if isinstance(value, Choice):
        return f"({' or '.join(map(shown, value.values))})"
    if isinstance(value, Sequence):
        return f"{value.kind}({', '.join(map(shown, value.items))})"
    assert isinstance(value, Item)
    return f"{shown(value.base)}[{value.key!r}]"


def function(body: str, *, use_ast: bool) -> Function:
    """The facts of an async function with this body."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    text = f"async def f(a, b):\n{lines}"
    functions = collect(text, VOCABULARY, use_ast=use_ast).functions
    return next(found for found in functions if found.name == "f")


@pytest.mark.parametrize(("body", "expected"), VALUES.values(), ids=VALUES.keys())
@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
def test_what_reaches_a_return(body: str, expected: str, use_ast: bool) -> None:
    found = function(body, use_ast=use_ast)
    assert "; ".join(shown(item.value) for item in sorted(found.returns, key=lambda item: item.span)) == expected


ENDS = {
    "a return on every path": ("if a:\n return 'error'\nelse:\n return b", False),
    "a path without one": ("if a:\n return 'error'", True),
    "an endless loop": ("while True:\n if a:\n  return 'error'", False),
    "an endless loop with a break": ("while True:\n if a:\n  return 'error'\n break", True),
    "a raise": ("if a:\n return 'error'\nraise X", False),
    "a handler that goes on": ("try:\n return 'error'\nexcept E:\n b()", True),
    "a handler that raises": ("try:\n return 'error'\nexcept E:\n raise", False),
    "finally that returns": ("try:\n b()\nfinally:\n return 'error'", False),
    "match with a last case for all": ("match a:\n case 1:\n  return 'error'\n case _:\n  return b", False),
    "match without one": ("match a:\n case 1:\n  return 'error'\n case 2:\n  return b", True),
}


@pytest.mark.parametrize(("body", "ends"), ENDS.values(), ids=ENDS.keys())
@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
def test_whether_the_end_of_a_function_is_reached(body: str, ends: bool, use_ast: bool) -> None:
    assert function(body, use_ast=use_ast).ends is ends


HANDLERS = {
    "none": ("return {'error': a}", []),
    "one": ("try:\n b()\nexcept (E, x.F) as e:\n return {'error': e}", [(("E", "x.F"), "e")]),
    "everything": ("try:\n b()\nexcept:\n return {'error': a}", [((), "")]),
    "two, the inner one first": (
        "try:\n b()\nexcept E as e:\n try:\n  b()\n except F:\n  return {'error': e}", [(("F",), ""), (("E",), "e")]),
    "not in the try itself": ("try:\n return {'error': a}\nexcept E:\n pass", []),
}  # fmt: skip


@pytest.mark.parametrize(("body", "handlers"), HANDLERS.values(), ids=HANDLERS.keys())
def test_the_handlers_around_a_return(body: str, handlers: list[tuple[tuple[str, ...], str]]) -> None:
    (found,) = function(body, use_ast=True).returns
    assert [(handler.types, handler.name) for handler in found.handlers] == handlers


def test_values_that_grow_without_end_are_given_up() -> None:
    steps = "\n".join(f"r = [r, r, r, {{'error': {number}}}]" for number in range(60))
    (found,) = function(f"r = a()\n{steps}\nreturn r", use_ast=True).returns
    assert isinstance(found.value, Variable)
    assert found.value.size < 2_000


def test_of_what_is_large_it_is_still_known_what_was_called() -> None:
    message = "\n".join(f"m = f'{{m}} and {{a.part_{number}}}'" for number in range(60))
    (found,) = function(
        f"m = 'x'\n{message}\nr = failure(m, code=[m, m])\nr['more'] = a\nreturn r", use_ast=True
    ).returns
    assert isinstance(found.value, Variable)
    (held,) = found.value.values
    assert isinstance(held, Mapping)
    assert [entry.key for entry in held.entries] == ["more"]
    (made,) = held.spreads
    assert isinstance(made, Call)
    assert (made.name, [item.name for item in made.arguments]) == ("failure", ["", "code"])


USES = {
    "a function": ("return b(find)", ["find", "b"]),
    "a parameter": ("return b(a)", ["b"]),
    "a parameter that becomes something else": ("if b:\n a = find\nreturn c(a)", ["a", "c", "find"]),
    "a result": ("r = b()\nreturn c(r)", ["b", "c"]),
    "what may have been imported": (
        "try:\n from x import r\nexcept ImportError:\n r = None\nreturn c(r)", ["c", "r"]),
    "a name that nothing binds here": ("return c(r)", ["c", "r"]),
}  # fmt: skip


@pytest.mark.parametrize(("body", "used"), USES.values(), ids=USES.keys())
def test_which_names_may_stand_for_a_function(body: str, used: list[str]) -> None:
    assert {use.callee for use in function(body, use_ast=True).uses} == set(used)


def test_what_is_read_of_a_file_leaves_nothing_that_only_a_search_for_circles_finds() -> None:
    """Processes that read files search for none: what one leaves behind stays for as long as they run."""
    everything = Vocabulary(inspections=True, handlers=True, rebound=True, swallows=True, unread=True, branches=True)
    text = Path(__file__).read_text(encoding="utf-8")
    collect(text, everything)
    gc.collect()
    gc.disable()
    try:
        collect(text, everything)
        assert gc.collect() == 0
    finally:
        gc.enable()
