"""What a file says of its functions, their calls and raises, its classes and names: the facts, each by itself."""

from __future__ import annotations

from textwrap import indent

import pytest
from test_flow import shown

from errlint.collect import collect
from errlint.facts import Class, Function, Module
from errlint.index.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    calls=("keep", "get", "log*"), boundaries=frozenset({"guard"}), swallows=True, records=("errors", "type")
)


def read(text: str, *, use_ast: bool = True) -> Module:
    """Return the facts of a file."""
    return collect(text, VOCABULARY, use_ast=use_ast)


def function(body: str, header: str = "async def make(a, b)") -> Function:
    """Return the facts of a function with a body."""
    functions = read(f"{header}:\n{indent(body, '    ')}\n").functions
    return next(each for each in functions if each.name == "make")


PARAMETERS = {
    "by position": ("a, b=1, /, c=shop.y", "a, b=1, c=shop.y"),
    "all that is left": ("*args, **more", "*args, **more"),
    "by name": ("*, a, b=-2", "kw a, kw b=-2"),
    "with a default that is worked out": ("a=load(), *, b={}", "a=?, kw b=?"),
    "of a class": ("a: Shop, *, b: 'Shop | None' = None", "a: Shop, kw b: Shop=None"),
    "of no class": ("a: dict, *, b: int | str = 'x'", "a, kw b='x'"),
}


@pytest.mark.parametrize(("written", "told"), PARAMETERS.values(), ids=PARAMETERS)
def test_the_parameters_of_a_function(written: str, told: str) -> None:
    found = (
        f"{each.kind}{' ' * (each.kind == 'kw')}{each.name}{': ' * bool(each.of_class)}{each.of_class}"
        f"{'' if each.default is None else f'={shown(each.default)}'}"
        for each in function("...", f"def make({written})").parameters
    )
    assert ", ".join(found) == told


HEADERS = {
    "of a boundary, with arguments": ("@guard('x')", "guard", ["guard('x')"]),
    "of a boundary, with none": ("@guard", "guard", ["guard"]),
    "of something else": ("@other('x')", "other", []),
    "of a module": ("@shop.other", "shop.other", []),
    "of what a call makes": ("@other('x')('y')", "other", []),
    "of an item": ("@others[0]", "?", []),
    "several": ("@other('x')\n@guard('y')", "other guard", ["?", "guard('y')"]),
    "that describes a tool": (
        "@server.tool(description='x', input_schema={})",
        "server.tool",
        ["server.tool(description='x', input_schema={})"],
    ),
}


@pytest.mark.parametrize(("decorators", "names", "values"), HEADERS.values(), ids=HEADERS)
def test_the_decorators_of_a_function(decorators: str, names: str, values: list[str]) -> None:
    found = function("...", f"{decorators}\ndef make()")
    assert " ".join(found.decorators) == names
    assert [shown(each) for each in found.decorations] == values


@pytest.mark.parametrize(
    ("body", "returns", "is_generator"),
    [
        ("yield", [], True),
        ("yield a", ["a"], True),
        ("x = yield a", [], True),
        ("yield from a", [], True),
        ("keep(a)", [], False),
    ],
)
def test_what_a_generator_yields(body: str, returns: list[str], is_generator: bool) -> None:
    found = function(body)
    assert [shown(each.value) for each in found.returns if each.is_yield] == returns
    assert found.is_generator is is_generator


@pytest.mark.parametrize(
    ("body", "ends"),
    [("return", True), ("if a:\n    return\nreturn a", True), ("return a", False), ("raise Gone", False)],
)
def test_nothing_is_answered_at_the_end_and_by_a_bare_return(body: str, ends: bool) -> None:
    assert function(body).ends is ends


RAISES = {
    "again": ("raise", [], 1),
    "as it is": ("raise Gone(a)", ["Gone(a)"], 0),
    "with a cause": ("raise Gone from a", ["Gone from a"], 0),
    "with no cause": ("raise Gone from None", ["Gone from None"], 0),
}


@pytest.mark.parametrize(("body", "raises", "again"), RAISES.values(), ids=RAISES)
def test_what_a_function_raises(body: str, raises: list[str], again: int) -> None:
    found = function(body)
    told = [f"{shown(each.value)}{'' if each.cause is None else f' from {shown(each.cause)}'}" for each in found.raises]
    assert (told, len(found.reraises)) == (raises, again)


@pytest.mark.parametrize(
    ("body", "sets_status"),
    [("a.status_code = 404", True), ("b = a.status_code = 404", True), ("a.status = 404", False), ("a = 404", False)],
)
def test_a_function_may_set_the_status_of_a_response(body: str, sets_status: bool) -> None:
    assert function(body).sets_status is sets_status


CALLS = {
    "as a statement": ("keep(a)", "expression keep(a)"),
    "in an assignment": ("x = keep(a)", "assigned keep(a) to x"),
    "in a declared one": ("x: int = shop.keep(a)", "assigned shop.keep(a) to x"),
    "in one to an attribute, awaited": ("x.y = await keep(a)", "assigned keep(a) to x.y awaited"),
    "in one to two names": ("x, y = keep(a)", "assigned keep(a)"),
    "as the answer": ("return keep(a)", "returned keep(a)"),
    "of a method of what is called": ("shops().keep(a)", "expression shops().keep(a)"),
    "of a name that fits a pattern": ("logs(a)", "expression logs(a)"),
    "of another name": ("other(a)", ""),
    "of an item": ("keep[0](a)", ""),
    "of nothing": ("keep", ""),
    "of a get that is none": ("x.get('key')", "expression x.get('key')"),
    "of a get of a name": ("x.get(a)", "expression x.get(a)"),
    "in a header": ("with keep(a) as x:\n    ...", "entered keep(a) to x"),
    "in a header without a name": ("with other(a), keep(a):\n    ...", "entered keep(a)"),
    "in a header of another": ("with other(a) as x:\n    ...", ""),
    "of nothing in a header": ("with keep:\n    ...", ""),
    "before a raise": ("keep(a)\nraise Gone", "expression keep(a) then raises"),
    "before a raise around it": ("if a:\n    keep(a)\nraise Gone", "expression keep(a)"),
    "before something else": ("keep(a)\nother(a)", "expression keep(a)"),
    "in a header before a raise": ("with keep(a):\n    ...\nraise Gone", "entered keep(a)"),
}


@pytest.mark.parametrize(("body", "calls"), CALLS.values(), ids=CALLS)
def test_the_calls_of_a_function_that_are_asked_for(body: str, calls: str) -> None:
    found = (
        f"{each.how} {shown(each.value)}{f' to {each.target}' if each.target else ''}"
        f"{' awaited' * each.is_awaited}{' then raises' * each.raises_next}"
        for each in function(body).calls
    )
    assert "; ".join(found) == calls


def test_all_calls_of_what_makes_a_boundary_are_asked_for() -> None:
    text = (
        "def guard():\n    def inner():\n        other(1)\n\n\nclass guard:\n    def run(self):\n        other(1)\n\n\n"
    )
    found = read(f"{text}def other_guard():\n    other(1)\n").functions
    assert {each.name: (len(each.calls), bool(each.ways)) for each in found} == {
        "guard": (0, True),
        "guard.inner": (1, True),
        "guard.run": (1, True),
        "other_guard": (0, False),
    }


STORED = {
    "an attribute": ("self.x = x", "x: x"),
    "a declared attribute": ("self.x: int = 1", "x: 1"),
    "a declaration": ("self.x: int", ""),
    "an attribute of an attribute": ("self.a.x = 1", ""),
    "a variable": ("y = 1", ""),
    "an item of a dict": ("self.more['k'] = x", "more: {k: x, **self.more}"),
    "an item of a variable": ("more['k'] = x", ""),
    "an update": ("self.more.update(k=x)", "more: {k: x, **self.more}"),
    "an update with all of a dict": ("self.more.update(k=x, **x)", "more: {k: x, **self.more, **x}"),
    "an update with a dict": ("self.more.update(x)", "more: {**self.more, **x}"),
    "an update of a variable": ("more.update(k=x)", ""),
    "an update of an attribute of an attribute": ("self.a.more.update(k=x)", ""),
    "something else than an update": ("self.more.extend(k=x)", ""),
    "a function that updates": ("update(k=x)", ""),
}


@pytest.mark.parametrize(("body", "stored"), STORED.values(), ids=STORED)
def test_a_constructor_stores(body: str, stored: str) -> None:
    text = f"def __init__(self, x):\n    {body}\n"
    (method,) = read(f"class Shop:\n{indent(text, '    ')}").functions
    assert "; ".join(f"{each.key}: {shown(each.value)}" for each in method.stores) == stored
    assert read(text).functions[0].stores == ()
    (other,) = read(f"class Shop:\n{indent(text, '    ')}".replace("__init__", "start")).functions
    assert other.stores == ()


def test_a_constructor_calls_that_of_its_parent() -> None:
    text = "def __init__(self, x):\n    super().__init__(x)\n    super().start(x)\n"
    (method,) = read(f"class Shop:\n{indent(text, '    ')}").functions
    assert [shown(each.value) for each in method.calls] == ["super().__init__(x)"]
    assert read(text).functions[0].calls == ()


def test_names_stand_for_the_object_of_a_method() -> None:
    body = "this = self\nthat: Shop = self\nx = y = self\nz = a\nself.own = self"
    assert function(body, "def make(self, a)").selves == ("this", "that")


TRIES = {
    "clauses": ("try:\n    load()\nexcept (Gone, shop.Lost) as e:\n    raise\nexcept:\n    ...",
                "2 Gone,shop.Lost as e: again;  as : end"),
    "a clause that raises another": ("try:\n    load()\nexcept Gone:\n    raise Lost", "2 Gone as : raise"),
    "a clause that raises its name": ("try:\n    load()\nexcept Gone as e:\n    raise e", "2 Gone as e: again"),
    "a clause that raises another name": ("try:\n    load()\nexcept Gone as e:\n    raise a", "2 Gone as e: raise"),
    "a clause that answers": ("try:\n    load()\nexcept Gone:\n    return 1", "2 Gone as : return"),
    "a clause that may answer": ("try:\n    load()\nexcept Gone:\n    if a:\n        return 1",
                                 "2 Gone as : end,return"),
    "a clause with a loop that is left": ("try:\n    load()\nexcept Gone:\n    for x in a:\n        break",
                                          "2 Gone as : end"),
    "a clause in a clause": (
        "try:\n    load()\nexcept Gone as e:\n    try:\n        keep()\n    except Lost:\n        raise",
        "2 Gone as e: end,raise | 5 Lost as : again",
    ),
    "a clause after which nothing is raised": (
        "try:\n    load()\nexcept Gone:\n    return 1\n    raise",
        "2 Gone as : return",
    ),
    "a clause in a loop": ("for x in a:\n    try:\n        load()\n    except Gone:\n        continue",
                           "3 Gone as : jump in a loop"),
    "a clean-up": ("try:\n    load()\nfinally:\n    return 1", "2  finally return"),
    "a clean-up that goes on": ("try:\n    load()\nfinally:\n    close()", "2 "),
    "what is suppressed": ("with suppress(Gone):\n    load()", "2 Gone as : end"),
    "what is suppressed in a loop": ("for x in a:\n    with suppress(Gone):\n        load()",
                                     "3 Gone as : end in a loop"),
    "a context": ("with opened(Gone):\n    load()", ""),
}  # fmt: skip


@pytest.mark.parametrize(("body", "tries"), TRIES.values(), ids=TRIES)
def test_how_the_clauses_of_a_try_are_left(body: str, tries: str) -> None:
    told = []
    for each in function(body).tries:
        clauses = (f"{','.join(one.types)} as {one.name}: {','.join(one.exits)}" for one in each.catches)
        left = f" finally {','.join(each.finally_exits)}" if each.finally_exits else ""
        told.append(f"{each.span.line} {'; '.join(clauses)}{left}{' in a loop' * each.in_loop}")
    assert " | ".join(told) == tries


CLASSES = {
    "bases": ("class Shop(Base, shop.Other[int], *more, made(x), kinds[0](1), metaclass=Meta): ...",
              "Base shop.Other more made kinds", ""),
    "decorators": ("@dataclass\n@shop.kept(1)\nclass Shop: ...", "", "dataclass shop.kept"),
    "a base without a name": ("class Shop(1): ...", "?", ""),
}  # fmt: skip


def shop(text: str, *, use_ast: bool = True) -> Class:
    """Return the facts of the class `Shop` of a file."""
    return next(each for each in read(text, use_ast=use_ast).classes if each.name.rpartition(".")[2] == "Shop")


@pytest.mark.parametrize(("text", "bases", "decorators"), CLASSES.values(), ids=CLASSES)
def test_the_header_of_a_class(text: str, bases: str, decorators: str) -> None:
    found = shop(text)
    assert (" ".join(found.bases), " ".join(found.decorators)) == (bases, decorators)


MEMBERS = {
    "a value": ("x = 1", "x=1 on 2", "", ""),
    "two names of a value": ("x = y = 1", "x=1 on 2; y=1 on 2", "", ""),
    "parts of a value": ("x, y = 1, 2", "", "", ""),
    "an attribute": ("x.y = 1", "", "", ""),
    "a declaration": ("x: int", "x=? on 2", "x", ""),
    "a declared value": ("x: Shop = 1", "x=1 on 2", "", "x: Shop"),
    "a declaration of a class": ("x: Shop | None", "x=? on 2", "x", "x: Shop"),
    "a value on one way": ("if here:\n    x = 1", "x=1 on 3", "", ""),
    "a method": ("x = 1\ndef get(self): ...", "x=1 on 2; get=? on 3", "", ""),
    "a class": ("class Row:\n    x = 1\ny = 2", "y=2 on 4", "", ""),
    "a sum": ("x += 1", "", "", ""),
}


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
@pytest.mark.parametrize(("body", "members", "unset", "of_class"), MEMBERS.values(), ids=MEMBERS)
def test_the_members_of_a_class(body: str, members: str, unset: str, of_class: str, use_ast: bool) -> None:
    found = shop(f"class Shop:\n{indent(body, '    ')}\n", use_ast=use_ast)
    assert found.members is not None
    told = (
        f"{each.key}={shown(each.value)} on {at.line}" for each, at in zip(found.members, found.places, strict=True)
    )
    assert "; ".join(told) == members
    assert " ".join(found.unset) == unset
    assert "; ".join(f"{name}: {named}" for name, named in found.of_class) == of_class


def test_what_stands_in_functions_and_classes_has_their_names() -> None:
    text = "def make():\n    class Shop(Base):\n        def get(self): ...\n    def find(): ...\n"
    found = read(text)
    assert [(each.name, each.owner) for each in found.functions] == [
        ("make", ""),
        ("make.Shop.get", "make.Shop"),
        ("make.find", ""),
    ]
    assert [each.name for each in found.classes] == ["make.Shop"]


NAMES = {
    "a value": ("x = 1", "x=1"),
    "a declaration": ("x: int", "x=?"),
    "a declared value": ("x: int = 1", "x=1"),
    "an attribute": ("x.y = 1", ""),
    "parts": ("x, y = 1, 2", ""),
    "a sum": ("x += 1", ""),
    "on one way": ("if here:\n    x = 1\nelse:\n    x = 2", "x=1; x=2"),
    "in a loop": ("for y in b:\n    x = y", "x=y"),
    "in a try": ("try:\n    x = 1\nexcept OSError:\n    x = 2", "x=1; x=2"),
    "in a with": ("with a:\n    x = 1", "x=1"),
    "in a function": ("def make():\n    x = 1", ""),
}


@pytest.mark.parametrize(("text", "names"), NAMES.values(), ids=NAMES)
def test_what_a_file_binds_to_its_names(text: str, names: str) -> None:
    assert "; ".join(f"{each.name}={shown(each.value)}" for each in read(text).assigned) == names


SCRIPTS = {
    "a call": ("keep(1)", ["keep(1)"]),
    "a call below a condition": ("if __name__ == '__main__':\n    keep(1)", ["keep(1)"]),
    "a call in a function": ("def make():\n    keep(1)", None),
    "another call": ("other(1)", None),
    "a header alone": ("with keep(1):\n    other(1)", None),
    "a header and a call": ("with keep(1):\n    keep(2)", ["keep(1)", "keep(2)"]),
}


@pytest.mark.parametrize(("text", "calls"), SCRIPTS.values(), ids=SCRIPTS)
def test_what_a_file_does_itself(text: str, calls: list[str] | None) -> None:
    script = read(text).script
    assert (None if script is None else [shown(each.value) for each in script.calls]) == calls


def test_a_call_of_a_file_is_told_with_what_follows() -> None:
    script = read("try:\n    keep(1)\n    raise Gone\nexcept OSError:\n    keep(2)\n").script
    assert script is not None
    told = [(each.raises_next, [one.types for one in each.handlers], len(each.tries)) for each in script.calls]
    assert told == [(True, [], 1), (False, [("OSError",)], 0)]


def test_a_call_goes_on_where_nothing_leaves_the_loop_around_it() -> None:
    found = function("for x in a:\n    keep(x)\nfor x in b:\n    keep(x)\n    break").calls
    assert [each.goes_on for each in found] == [True, False]


EVERYTHING = """\
from shop import load, find

TABLE = {"gone": 404}


class Mode(Enum):
    OPEN = "open"
    SHUT = "shut"


def load(x):
    return x


async def get(a, b, client, mode=Mode.OPEN, limit=3):
    try:
        book = client.fetch(a)
    except OSError:
        print(book)
    found = load(a)
    if "error" in found:
        return None
    try:
        find(a)
    except Gone as error:
        if "gone" in str(error):
            return []
        if error.code == "gone":
            raise Lost("gone")
    save(a)
    if mode == Mode.OPEN:
        client.guarded(a)
    limit = settings.limit
    report = {"failure": {"type": "gone"}}
    print(report)
    return {"answer": report}


async def start(a, jobs):
    task = jobs.create_task(a.work())
    return {"started": True}


async def every(a, b):
    results = await asyncio.gather(load(a), load(b), return_exceptions=True)
    return [each for each in results if not isinstance(each, Exception)]
"""

ASKED = {
    "nothing": (Vocabulary(), set()),
    "inspections": (Vocabulary(inspections=True), {"inspections"}),
    "handlers": (Vocabulary(handlers=True), {"unbound"}),
    "names that are bound again": (Vocabulary(rebound=True), {"rebound"}),
    "handlers that swallow": (Vocabulary(swallows=True), {"swallows"}),
    "results that nobody reads": (Vocabulary(unread=True), {"unread"}),
    "conditions on texts": (Vocabulary(branches=True), {"branches"}),
    "queued work": (Vocabulary(deferring=("create_task",)), {"deferred"}),
    "modes": (Vocabulary(modes=frozenset({"Mode"})), {"arms", "distinctions"}),
    "settings": (Vocabulary(settings=frozenset({"limit"})), {"distinctions", "reads"}),
    "guarded calls": (Vocabulary(guarded=("guarded",)), {"precaution"}),
    "checks alone": (Vocabulary(checks=("load",)), set()),
    "cases": (Vocabulary(cases=("gone",)), {"cases", "matched", "tables"}),
    "cases of something else": (Vocabulary(cases=("lost",)), {"tables"}),
    "records": (Vocabulary(records=("failure", "type")), {"records"}),
    "boundaries": (Vocabulary(boundaries=frozenset({"get"})), {"calls", "ways"}),
    "calls": (Vocabulary(calls=("save",)), {"calls"}),
}
FACTS = frozenset().union(*(facts for _, facts in ASKED.values()))


@pytest.mark.parametrize(("asked", "facts"), ASKED.values(), ids=ASKED)
def test_facts_are_only_collected_where_they_are_asked_for(asked: Vocabulary, facts: set[str]) -> None:
    module = collect(EVERYTHING, asked)
    told = (name for each in (module, *module.functions) for name in FACTS if getattr(each, name, None))
    assert {*told} == facts


def test_results_of_which_only_those_are_looked_at_that_are_no_exceptions_are_swallowed() -> None:
    functions = {each.name: each for each in collect(EVERYTHING, Vocabulary(swallows=True)).functions}
    assert [each.how for each in functions["every"].swallows] == ["filtered"]
    assert functions["start"].swallows == ()


def test_cases_are_collected_of_functions_with_one_of_the_texts() -> None:
    text = "@tool(code='gone')\ndef find(a):\n    return a\n\n\ndef get(a):\n    return a\n"
    found = collect(text, Vocabulary(cases=("gone",))).functions
    assert {each.name: bool(each.cases) for each in found} == {"find": True, "get": False}


def test_an_enumeration_says_which_modes_there_are() -> None:
    text = "class Mode(Enum):\n    OPEN = 'open'\n    SHUT = 'shut'\n"
    (found,) = collect(text, Vocabulary(modes=frozenset({"Mode"}))).distinctions
    assert (found.subject, found.values, found.how) == ("Mode", ("OPEN", "SHUT"), "declared")
    assert collect(text, VOCABULARY).distinctions == ()
