"""What an expression says, and what statements do to what a name holds."""

from __future__ import annotations

import pytest
from test_flow import function, shown

from errlint.facts import Mapping, Variable

SAID = {
    "a chain of names": ("a.b.c", "a.b.c"),
    "an attribute of what is called": ("a().b", "?"),
    "an attribute of an item": ("a[0].b", "?"),
    "the name of a type": ("type(a).__name__", "type(a).__name__"),
    "the name of what two things make": ("type(a, b).__name__", "?"),
    "the name of a made class": ("type(a, module='x').__name__", "?"),
    "the name of the type of what is called": ("type(a()).__name__", "?"),
    "the name of another thing": ("kind(a).__name__", "?"),
    "the text of a type": ("type(a).__doc__", "?"),
    "the text of an id": ("uuid4().hex", "hex(uuid4())"),
    "the text of an id of a module": ("uuid.uuid4().hex", "hex(uuid.uuid4())"),
    "the text of another thing": ("made().hex", "?"),
    "the bytes of an id": ("uuid4().bytes", "?"),
    "the largest number": ("9223372036854775807", "9223372036854775807"),
    "a larger number": ("9223372036854775808", "?"),
    "a fraction": ("1.5", "1.5"),
    "a truth value": ("True", "True"),
    "bytes": ("b'error'", "?"),
    "dots": ("...", "?"),
    "a number below zero": ("-1", "-1"),
    "a fraction below zero": ("-1.5", "-1.5"),
    "a sign that says nothing": ("+1", "?"),
    "a sign of a name": ("-a", "?"),
    "a sign of a truth value": ("-True", "?"),
    "texts that are added": ("'x' + 'y' + a", "'xy{a}'"),
    "names that are added": ("a + b", "?"),
    "a text that is added to a name": ("a + 'x'", "'{a}x'"),
    "a name that is subtracted": ("a - 'x'", "?"),
    "a text that is filled in": ("'x %s' % a", "'x %s{a}'"),
    "what is left of a number": ("a % 'x'", "?"),
    "a text that is filled in by a method": ("'x {}'.format(a)", "'x {}{a}'"),
    "a method of that name": ("a.format(b)", "a.format(b)"),
    "a union of names": ("a | b", "?"),
    "a union of a name and a dict": ("a | {'x': 1}", "{x: 1, **a}"),
    "a union of a dict and a name": ("{'x': 1} | a", "{x: 1, **a}"),
    "a union of dicts": ("{'x': 1, 'z': 0} | {'x': 2, 'y': 3}", "{z: 0, x: 2, y: 3}"),
    "a dict with what others have": ("{'x': 1, **a, **b}", "{x: 1, **a, **b}"),
    "a dict with a key twice, by another dict": ("{'x': 1, **{'x': 2}, 'y': 3}", "{x: 2, y: 3}"),
    "a dict with a key after another dict": ("{**{'x': 2}, 'x': 3}", "{x: 3}"),
    "a dict with a key that is worked out": ("{a: 1}", "{None: 1}"),
    "a made dict": ("dict(x=1)", "{x: 1}"),
    "a made dict with what another has": ("dict(a, x=1)", "{x: 1, **a}"),
    "a made dict that is told what it has": ("dict(x=1, **a)", "{x: 1, **a}"),
    "a made dict of what only the run knows": ("dict(*a)", "{**?}"),
    "a made dict of a dict": ("dict({'x': 1}, y=2)", "{x: 1, y: 2}"),
    "arguments of all kinds": ("call(a, *b, x=1, **b)", "call(a, *=b, x=1, **=b)"),
    "arguments in the order of the text": ("call(x=1, *b)", "call(x=1, *=b)"),
    "a class with its parameters": ("Result[int](1)", "Result(1)"),
    "an item that is called": ("result[int](1)", "result.__getitem__(int)(1)"),
    "an item of a constant that is called": ("RESULT[int](1)", "RESULT.__getitem__(int)(1)"),
    "an item under a text that is called": ("Result['x'](1)", "Result['x'](1)"),
    "what is made and called": ("a()(1)(2)", "a()(1)(2)"),
    "an item": ("a['x']", "a['x']"),
    "an item that is got": ("a.get('x')", "a['x']"),
    "an item that is got with a default": ("a.get('x', 1)", "a['x']"),
    "an item of what is called": ("a().get('x')", "a()['x']"),
    "an item under a name": ("a.get(b)", "a.get(b)"),
    "a get without a key": ("a.get()", "a.get()"),
    "an item that is taken away": ("a.pop('x')", "a.pop('x')"),
    "an item under a number": ("a[1]", "a.__getitem__(1)"),
    "an item under two numbers": ("a[1, 2]", "?"),
    "a slice": ("a[1:2]", "?"),
    "an item of what is not known": ("(a + b)[1]", "?"),
    "an item under a text of what is not known": ("(a + b)['x']", "?['x']"),
    "a literal type": ("Literal['x', 1]", "Literal('x', 1)"),
    "a literal type of a module": ("typing.Literal['x']", "Literal('x')"),
    "a tuple with all of a list": ("(a, *b)", "tuple(a, ?)"),
    "a list": ("[1, 2]", "list(1, 2)"),
    "a set": ("{1, 2}", "set(1, 2)"),
    "one of three": ("a or b or 1", "(a or b or 1)"),
    "one of two by a condition": ("a if b else 1", "(a or 1)"),
    "what is bound on the way": ("(x := a())", "a()"),
    "what is awaited": ("await a()", "a()"),
    "a function without a name": ("lambda: 1", "?"),
    "a comparison": ("a < b", "?"),
    "half a character, which cannot be kept": (r"'\ud800'", r"'\\ud800'"),
    "letters of any alphabet": ("'Bücher'", "'Bücher'"),
}

HELD = {
    "a text with more behind it": ("r = 'x'", "r + 'z'", "'xz'"),
    "one of two texts with more behind it": ("r = 'x' if a else 'y'", "'z' + r", "\"z{r<('x' or 'y')>}\""),
    "what is not known with one of two texts": (
        "if a:\n r = 'x'\nelse:\n r = 'y'",
        "a + r",
        "?",
    ),
    "a text that is filled in": ("r = 'x {}'", "r.format(a)", "'x {}{a}'"),
    "a method of what is called": ("r = a()", "r.format(b)", "r<a()>.format(b)"),
    "a copy": ("r = {'x': 1}", "r.copy()", "r<{x: 1}>"),
    "a copy that is told what to change": ("r = a()", "r.copy(1)", "r<a()>.copy(1)"),
    "an item that is got": ("r = a()", "r.get('x')", "r<a()>['x']"),
    "a function with some of its arguments": ("r = partial(call, 1, x=2)", "r(3, x=4)", "call(1, 3, x=4)"),
    "one of a module": ("r = functools.partial(call, 1)", "r(3)", "call(1, 3)"),
    "one by a name": ("r = partial(func=call)", "r(3)", "r(3)"),
    "none": ("r = partial()", "r(3)", "r(3)"),
    "a text in the place of a function": ("r = partial('x', 1)", "r(3)", "r(3)"),
    "another function that is handed one": ("r = other(call, 1)", "r(3)", "r(3)"),
}

AFTER = {
    "the same on two ways": ("r = {'x': 1}\nif a:\n r = {'x': 1}", "r<{x: 1}>"),
    "a parameter that one way binds": ("r = 1\nif a:\n b = 'x'\nr = b", "r<b<'x' | b>>"),
    "a parameter that the other way binds": ("if a:\n ...\nelse:\n b = 'x'\nr = b", "r<b<b | 'x'>>"),
    "a name that one way binds": ("if a:\n ...\nelse:\n r = 'x'", "r<? | 'x'>"),
    "the second of two": ("q, r = a, b", "r<b>"),
    "the second of three": ("q, r = a, b, 1", "r<?>"),
    "the first, before the rest": ("r, *q = a, b", "r<a>"),
    "the last, behind the rest": ("*q, r = a()", "r<?>"),
    "a part of a part": ("p, (q, r) = 1, (2, 3)", "r<3>"),
    "a part of what a name holds": ("q = a()\np, r = q", "r<q<a()>.__getitem__(*=1)>"),
    "a key of a dict": ("q, r = {'x': 1}", "r<?>"),
    "a field that is set twice": ("r = a()\nr.x = 1\nr.x = 2", "r<a(x=2)>"),
    "a field of a dict": ("r = {'x': 1}\nr.x = 2", "r<{x: 1}>"),
    "a field of something else": ("r = a()\nq.x = 2", "r<a()>"),
    "a key of what nobody knows": ("r['x'] = 1", "r<{x: 1, **?}>"),
    "a key of a text": ("r = 'text'\nr['x'] = 1", "r<?>"),
    "a key of a list": ("r = [1]\nr['x'] = 1", "r<?>"),
    "a key of what is called": ("r = a()\nr['x'] = 1", "r<{x: 1, **a()}>"),
    "a key that is worked out": ("r = {}\nr[b] = 1", "r<{None: 1}>"),
    "a key that is worked out, of what is called": ("r = a()\nr[b] = 1", "r<?>"),
    "a key of what stands under a key": ("r = {'x': {}}\nr['x']['y'] = 1", "r<{x: {y: 1}}>"),
    "a key further down": ("r = {'x': {'z': {}}}\nr['x']['z']['y'] = 1", "r<{x: {z: {y: 1}}}>"),
    "a key below one that is worked out": ("r = {'x': {'z': {}}}\nr['x'][a]['y'] = 1", "r<{x: {z: {}}}>"),
    "a key below one that it has not": ("r = {'x': {}}\nr['z']['y'] = 1", "r<{x: {}}>"),
    "a key of what is called, under a key": ("r = {'x': a()}\nr['x']['y'] = 1", "r<{x: a()}>"),
    "a key of a dict that has a name": ("q = {'z': 1}\nr = {'x': q}\nr['x']['y'] = 1", "r<{x: {z: 1, y: 1}}>"),
    "a key below one of an attribute": ("r = {'x': {}}\nr.x['x']['y'] = 1", "r<{x: {}}>"),
    "an error that a function may fill in": (
        "r = {'error': None, 'x': 1, 'y': []}\nfill(r)",
        "r<{x: 1, **?}>",
    ),
    "an error that a function may fill in later": ("r = {'error': None}\nq = await fill(r)", "r<{**?}>"),
    "an error that a function may fill in by a name": ("r = {'error': None}\nfill(x=r)", "r<{**?}>"),
    "an error that a declared name is told": ("r = {'error': None}\nq: int = fill(r)", "r<{**?}>"),
    "an error that a condition may fill in": ("r = {'error': None}\nif not fill(r) == 1:\n ...", "r<{**?}>"),
    "an error that a bound condition may fill in": ("r = {'error': None}\nif q := fill(r):\n ...", "r<{**?}>"),
    "an error that is printed": ("r = {'error': None}\nprint(r)", "r<{error: None}>"),
    "an error that is logged": ("r = {'error': None}\nlogger.info(r)", "r<{error: None}>"),
    "an error that is there already": ("r = {'error': 'x'}\nfill(r)", "r<{error: 'x'}>"),
    "a dict without one": ("r = {'name': None}\nfill(r)", "r<{name: None}>"),
    "a part that is handed over": ("r = {'error': None}\nfill(r['x'])", "r<{error: None}>"),
    "a key that is deleted": ("r = {'x': 1, 'y': 2}\ndel r['x']", "r<{y: 2}>"),
    "a key that is worked out and deleted": ("r = {'x': 1, 'y': 2}\ndel r[a]", "r<?>"),
    "a key of what is called that is deleted": ("r = a()\ndel r['x']", "r<?>"),
    "an attribute that is deleted": ("r = {'x': 1}\ndel r.x", "r<{x: 1}>"),
    "a name that is deleted beside another": ("r = {'x': 1}\ndel q, r", "r"),
    "a declaration": ("r: dict", "r"),
    "a declared value": ("r: dict = {'x': 1}", "r<{x: 1}>"),
    "an import from a module": ("r = {'x': 1}\nfrom q import r", "r"),
    "an import by another name": ("r = {'x': 1}\nfrom q import x as r", "r"),
    "a text that is added to": ("r = 'x'\nr += a", "r<'x{a}'>"),
    "a name that a text is added to": ("r = a\nr += 'x'", "r<'{a}x'>"),
    "a number that is added to": ("r = 1\nr += 1", "r<?>"),
    "a text that is repeated": ("r = 'x'\nr *= 2", "r<?>"),
    "a union": ("r = {'x': 1}\nr |= a", "r<{x: 1, **a}>"),
    "a key that is added to": ("r = {'x': 1}\nr['x'] += 1", "r<{x: ?}>"),
    "an update by all means": ("r = {'x': 1}\nr.update(a, y=2)", "r<{x: 1, y: 2, **a}>"),
    "an update by arguments that nobody sees": ("r = {'x': 1}\nr.update(*a)", "r<{x: 1, **a}>"),
    "an update of what is called": ("r = a()\nr.update(y=2)", "r<{y: 2, **a()}>"),
    "an update under a key": ("r = {'x': {'z': 1}}\nr['x'].update(y=2)", "r<{x: {z: 1, y: 2}}>"),
    "an update under a key that is worked out": ("r = {'x': 1}\nr[a].update(y=2)", "r<{x: 1}>"),
    "a default": ("r = {'x': 1}\nr.setdefault('y', 2)", "r<{x: 1, y: 2}>"),
    "a default under a key": ("r = {'x': {'z': 1}}\nr['x'].setdefault('y', 2)", "r<{x: {z: 1, y: 2}}>"),
    "a default of a key that is there": ("r = {'x': 1}\nr.setdefault('x', 2)", "r<{x: 1}>"),
    "a default of nothing": ("r = {'x': 1}\nr.setdefault('x')", "r<{x: 1}>"),
    "a list under a key that is added to": ("r = {'x': [1]}\nr['x'].append(2)", "r<{x: list(1)}>"),
    "a list that is added to at its begin": ("r = [1]\nr.insert(0, 2)", "r<?>"),
    "a list that is sorted": ("r = [1]\nr.sort()", "r<list(1)>"),
    "something that is added to a dict's other list": ("r = {'x': 1}\nr.append(2)", "r<{x: 1}>"),
    "a dict that something is taken from": ("r = {'x': 1}\nr.pop('x')", "r<?>"),
    "a dict that the last is taken from": ("r = {'x': 1}\nr.popitem()", "r<?>"),
    "a dict that is cleared": ("r = {'x': 1}\nr.clear()", "r<?>"),
    "a bound part of a condition": ("if a and (r := b()):\n ...", "r<b()>"),
    "a bound part of a comparison": ("if (r := b()) is None:\n ...", "r<b()>"),
    "a bound part of what does not hold": ("if not (r := b()):\n ...", "r<b()>"),
    "something bound in the header of a with": ("with (r := a()):\n ...", "r<a()>"),
    "a class of that name": ("r = 1\nclass r: ...", "r"),
}


def value(body: str, *, use_ast: bool) -> str:
    """Return what a function answers, in short."""
    (found,) = function(body, use_ast=use_ast).returns
    return shown(found.value)


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
@pytest.mark.parametrize(("expression", "said"), SAID.values(), ids=SAID)
def test_an_expression_says(expression: str, said: str, use_ast: bool) -> None:
    assert value(f"return {expression}", use_ast=use_ast) == said


@pytest.mark.parametrize(("before", "expression", "said"), HELD.values(), ids=HELD)
def test_an_expression_says_with_what_a_name_holds(before: str, expression: str, said: str) -> None:
    assert value(f"{before}\nreturn {expression}", use_ast=True) == said


@pytest.mark.parametrize(("before", "said"), AFTER.values(), ids=AFTER)
def test_a_name_holds_after_statements(before: str, said: str) -> None:
    assert value(f"{before}\nreturn r", use_ast=True) == said


@pytest.mark.parametrize(("depth", "is_known"), [(12, True), (13, False)])
def test_an_expression_is_looked_into_so_far(depth: int, is_known: bool) -> None:
    said = value(f"return {'[' * depth}1{']' * depth}", use_ast=True)
    assert ("1" in said) is is_known


def test_of_a_name_with_many_values_one_is_not_known() -> None:
    branches = "\n".join(f"if a == {number}:\n r = {number}" for number in range(40))
    (found,) = function(f"r = -1\n{branches}\nreturn r", use_ast=True).returns
    values = shown(found.value).removeprefix("r<").removesuffix(">").split(" | ")
    assert len(values) == 32
    assert values[-1] == "?"


@pytest.mark.parametrize(("count", "has_unknown"), [(31, False), (32, True)])
def test_so_many_values_of_a_name_are_all_known(count: int, has_unknown: bool) -> None:
    branches = "\n".join(f"if a == {number}:\n r = {number}" for number in range(count))
    (found,) = function(f"r = -1\n{branches}\nreturn r", use_ast=True).returns
    assert ("?" in shown(found.value)) is has_unknown


SIZES = {
    "a number": ("r = 1", 0),
    "a name": ("r = x.y", 0),
    "a text": ("r = 'x'", 1),
    "a text with parts": ("r = f'{a} {b()}'", 2),
    "a call": ("r = a(1, b)", 1),
    "a call that is handed a call": ("r = a(b())", 2),
    "a call that is handed a call, too": ("r = a(1, b())", 2),
    "a method of what is called": ("r = a().b()", 2),
    "a method of what is called, with what both are handed": ("r = a(b()).c('x')", 4),
    "a list": ("r = [1, 2]", 1),
    "a list with parts": ("r = [a(), 'x']", 3),
    "a dict with parts": ("r = {'x': a(), **b()}", 3),
    "one of two": ("r = a() if b else 1", 2),
    "another name": ("q = [a(), 1]\nr = q", 3),
    "another name twice": ("q = [a(), 1]\nr = [q, q]", 7),
    "two values": ("if a:\n r = [b()]\nelse:\n r = [a(), b()]", 5),
    "one value on two ways": ("if a:\n r = [b()]\nelse:\n r = [b()]", 2),
    "two values, of which one comes by two ways": (
        "if a:\n r = [b()]\n if b:\n  r = [1]\nelse:\n r = [1]\n if b:\n  r = a(1)",
        4,
    ),
}


@pytest.mark.parametrize(("before", "size"), SIZES.values(), ids=SIZES)
def test_the_parts_of_what_a_name_holds_are_counted(before: str, size: int) -> None:
    (found,) = function(f"{before}\nreturn r", use_ast=True).returns
    assert isinstance(found.value, Variable)
    assert found.value.size == size


@pytest.mark.parametrize(("count", "is_known"), [(99, True), (100, False)])
def test_a_name_holds_so_many_parts(count: int, is_known: bool) -> None:
    parts = ", ".join(f"a{number}()" for number in range(count))
    (found,) = function(f"r = [{parts}]\nreturn r", use_ast=True).returns
    assert isinstance(found.value, Variable)
    assert found.value.size == (100 if is_known else 0)
    assert (shown(found.value) == "r<?>") is not is_known


@pytest.mark.parametrize(
    ("width", "inner"),
    [
        (9, "keep4(list(keep3(list(keep2(list(keep1(list(keep0(list(a(), "),
        (20, "keep4(list(keep3(?), "),
    ],
    ids=["known", "not known"],
)
def test_the_inner_parts_of_what_is_large_are(width: int, inner: str) -> None:
    deep = "a()"
    for number in range(5):
        deep = f"keep{number}([{deep}, " + ", ".join(f"x{number}{part}()" for part in range(width)) + "])"
    (found,) = function(f"r = failure('x', code=b(), more={deep})\nreturn r", use_ast=True).returns
    assert isinstance(found.value, Variable)
    assert shown(found.value).startswith(f"r<failure('x', code=b(), more={inner}")
    assert found.value.size <= 100


def test_the_keys_of_a_dict_have_names() -> None:
    (found,) = function("return {404: a, 'x': a, Code.X: a, a(): a, 1.5: a}", use_ast=True).returns
    assert isinstance(found.value, Mapping)
    assert [each.name for each in found.value.entries] == ["404", "", "Code.X", "", ""]


def test_arguments_that_are_unpacked_are_used_in_the_order_of_the_text() -> None:
    text = "load(key=find(1), *rest(2), **more(3))\nload(*rest(2), key=find(1))"
    assert [use.callee for use in function(text, use_ast=True).uses] == [
        "load",
        "find",
        "rest",
        "more",
        "load",
        "rest",
        "find",
    ]
