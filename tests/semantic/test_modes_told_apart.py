"""Places that tell the values of a mode apart, declare or give them, and what a function does for some of them."""

from __future__ import annotations

import pytest

from errlint.collect import collect
from errlint.facts import Distinction, Function, Module
from errlint.index.vocabulary import Vocabulary

ASKING = Vocabulary(modes=frozenset({"Mode"}), settings=frozenset({"mode", "limit"}))


def facts(text: str) -> Module:
    """Return the facts of a file with what it says of modes and settings."""
    return collect(text, ASKING)


def function(body: str, parameters: str = "mode, found") -> Function:
    """Return the facts of a function with this body."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    functions = facts(f"async def lend({parameters}):\n{lines}").functions
    (found,) = (each for each in functions if each.name == "lend")
    return found


def told(distinctions: tuple[Distinction, ...], how: str = "") -> list[str]:
    """Return the places of one kind: the line of the function or file, the subject, and the values."""
    return [f"{each.span.line} {each.subject} {','.join(each.values)}" for each in distinctions if each.how == how]


CHAIN = "if mode == Mode.STRICT:\n    a()\nelif mode == Mode.LOOSE:\n    b()"

APART = {
    "a chain": (CHAIN, ["2 mode STRICT,LOOSE"]),
    "a chain of three": (f"{CHAIN}\nelif mode == Mode.OFF:\n    c()", ["2 mode STRICT,LOOSE,OFF"]),
    "a chain of texts": ("if mode == 'strict':\n    a()\nelif mode == 'loose':\n    b()", ["2 mode strict,loose"]),
    "a chain the other way round": (
        "if 'strict' == mode:\n    a()\nelif 'loose' == mode:\n    b()",
        ["2 mode strict,loose"],
    ),
    "a chain of identities": (
        "if mode is Mode.STRICT:\n    a()\nelif mode is Mode.LOOSE:\n    b()",
        ["2 mode STRICT,LOOSE"],
    ),
    "a chain of values": (
        "if mode.value == 'strict':\n    a()\nelif mode == Mode.LOOSE.value:\n    b()",
        ["2 mode strict,LOOSE"],
    ),
    "a chain of several each": (
        "if mode in (Mode.STRICT, Mode.OFF):\n    a()\nelif mode in [Mode.LOOSE]:\n    b()",
        ["2 mode STRICT,OFF,LOOSE"],
    ),
    "a chain of sets": ("if mode in {'a', 'b'}:\n    a()\nelif mode == 'c':\n    b()", ["2 mode a,b,c"]),
    "a chain of alternatives": (
        "if mode == 'a' or mode == 'b':\n    a()\nelif mode == 'c':\n    b()",
        ["2 mode a,b,c"],
    ),
    "a chain that says that it is whole": (f"{CHAIN}\nelse:\n    assert_never(mode)", ["2 mode STRICT,LOOSE"]),
    "a chain in a loop": ("for each in found:\n    " + CHAIN.replace("\n", "\n    "), ["3 mode STRICT,LOOSE"]),
    "a chain with one for all others": (f"{CHAIN}\nelse:\n    c()", []),
    "a chain with more for all others": (f"{CHAIN}\nelse:\n    c()\n    assert_never(mode)", []),
    "a chain whose others are called": (f"{CHAIN}\nelse:\n    never(mode)", []),
    "a chain of two subjects": ("if mode == 'a':\n    a()\nelif found == 'b':\n    b()", []),
    "a chain with another question": ("if mode == 'a':\n    a()\nelif found:\n    b()", []),
    "a chain with another question first": ("if found:\n    b()\nelif mode == 'a':\n    a()", []),
    "a chain with an order": ("if mode == 1:\n    a()\nelif mode > 'b':\n    b()", []),
    "a chain with a difference": ("if mode == 'a':\n    a()\nelif mode != 'b':\n    b()", []),
    "a chain with two questions at once": ("if mode == 'a':\n    a()\nelif mode == 'b' and found:\n    b()", []),
    "alternatives of two subjects": ("if mode == 'a' or found == 'b':\n    a()\nelif mode == 'c':\n    b()", []),
    "alternatives with another question": ("if mode == 'a' or found:\n    a()\nelif mode == 'c':\n    b()", []),
    "a chain with names": ("if mode == STRICT:\n    a()\nelif mode == LOOSE:\n    b()", []),
    "a chain with numbers": ("if mode == 1:\n    a()\nelif mode == 2:\n    b()", []),
    "a chain of what is in a name": ("if mode in STRICT:\n    a()\nelif mode in LOOSE:\n    b()", []),
    "a chain of comparisons of three": ("if 'a' == mode == 'b':\n    a()\nelif mode == 'c':\n    b()", []),
    "a chain of what is called": ("if find() == 'a':\n    a()\nelif find() == 'b':\n    b()", []),
    "one question": ("if mode == Mode.STRICT:\n    a()", []),
    "one question of several": ("if mode in (Mode.STRICT, Mode.LOOSE):\n    a()", []),
    "a match": (
        "match mode:\n    case Mode.STRICT:\n        a()\n    case 'loose' | Mode.OFF:\n        b()",
        ["2 mode STRICT,loose,OFF"],
    ),
    "a match that says that it is whole": (
        "match mode:\n    case 'a':\n        a\n    case 'b':\n        b()\n    case _:\n        x.assert_never(mode)",
        ["2 mode a,b"],
    ),
    "a match with one for all others": (
        "match mode:\n    case 'a':\n        a()\n    case 'b':\n        b()\n    case _:\n        c()",
        [],
    ),
    "a match with a class": ("match mode:\n    case 'a':\n        a()\n    case Strict():\n        b()", []),
    "a match of one": ("match mode:\n    case 'a':\n        a()", []),
    "a match of what is called": ("match find():\n    case 'a':\n        a()\n    case 'b':\n        b()", ["2  a,b"]),
}


@pytest.mark.parametrize(("body", "expected"), APART.values(), ids=APART)
def test_values_are_told_apart_by(body: str, expected: list[str]) -> None:
    assert told(function(body).distinctions) == expected


ROW = "if mode == 'a':\n    return 1\nif mode == 'b':\n    return 2"

ROWS = {
    "one after the other": (ROW, ["2 mode a,b"]),
    "one of them of several": (ROW.replace("== 'a'", "in ('a', 'c')"), ["2 mode a,c,b"]),
    "that raise": (ROW.replace("return 2", "raise OSError"), ["2 mode a,b"]),
    "behind other statements": (f"prepare()\n{ROW}", ["3 mode a,b"]),
    "behind another question": (f"if found:\n    prepare()\n{ROW}", ["4 mode a,b"]),
    "that say that they are whole": (f"{ROW}\nassert_never(mode)", ["2 mode a,b"]),
    "in a context at the end": ("with lock:\n    " + ROW.replace("\n", "\n    "), ["3 mode a,b"]),
    "in an asynchronous context at the end": ("async with lock:\n    " + ROW.replace("\n", "\n    "), ["3 mode a,b"]),
    "in a try at the end": ("try:\n    " + ROW.replace("\n", "\n    ") + "\nexcept OSError:\n    pass", ["3 mode a,b"]),
    "in a condition at the end": ("if found:\n    " + ROW.replace("\n", "\n    "), ["3 mode a,b"]),
    "in a loop at the end": ("for each in found:\n    " + ROW.replace("\n", "\n    "), []),
    "with something behind them": (f"{ROW}\nreturn 3", []),
    "of which one goes on": (ROW.replace("return 1", "a()"), []),
    "of which one has another way": (ROW.replace("return 2", "return 2\nelse:\n    prepare()"), []),
    "of two subjects": (ROW.replace("mode == 'b'", "found == 'b'"), []),
    "of which one asks something else": (ROW.replace("mode == 'b'", "found"), []),
    "that ask nothing": ("if found:\n    return 1\nif found.more:\n    return 2", []),
    "of one": ("if mode == 'a':\n    return 1", []),
    "in a context with something behind it": ("with lock:\n    " + ROW.replace("\n", "\n    ") + "\nb()", []),
}


@pytest.mark.parametrize(("body", "expected"), ROWS.values(), ids=ROWS)
def test_values_are_told_apart_by_conditions_in_a_row(body: str, expected: list[str]) -> None:
    assert told(function(body).distinctions) == expected


TABLES = {
    "a dict that is looked up where it stands": ("return {'a': 1, Mode.B: 2}[mode]", ["2 mode a,B"]),
    "a dict that is looked up by the value": ("return {'a': 1, 'b': 2}[mode.value]", ["2 mode a,b"]),
    "a dict in a name": ("table = {'a': 1, 'b': 2}\nreturn table[mode]", ["2 mode a,b"]),
    "a dict in an attribute": ("self.table = {'a': 1, 'b': 2}\nreturn self.table[mode]", ["2 mode a,b"]),
    "a dict of one": ("return {'a': 1}[mode]", []),
    "a dict of one in a name": ("table = {'a': 1}\nreturn table[mode]", []),
    "a dict with other keys": ("return {'a': 1, find(): 2}[mode]", []),
    "a dict with others in it": ("return {'a': 1, 'b': 2, **found}[mode]", []),
    "a dict that is looked up by a text": ("return {'a': 1, 'b': 2}['a']", []),
    "a dict that nobody looks up": ("table = {'a': 1, 'b': 2}\nreturn table", []),
    "another dict that is looked up": ("table = {'a': 1, 'b': 2}\nreturn found[mode]", []),
    "a dict that is asked before": (
        "table = {'a': 1, 'b': 2}\nif mode not in table:\n    return 0\nreturn table[mode]",
        [],
    ),
    "a dict that is handed on": ("table = {'a': 1, 'b': 2}\ncheck(mode, table)\nreturn table[mode]", []),
    "a dict whose method is called": ("table = {'a': 1, 'b': 2}\ntable.update(found)\nreturn table[mode]", []),
    "something else that is asked before": (
        "table = {'a': 1, 'b': 2}\nif mode in found:\n    check(found)\nreturn table[mode]",
        ["2 mode a,b"],
    ),
}


@pytest.mark.parametrize(("body", "expected"), TABLES.values(), ids=TABLES)
def test_values_are_told_apart_by_a_table(body: str, expected: list[str]) -> None:
    assert told(function(body).distinctions) == expected


def test_a_table_of_the_module_is_looked_up_in_a_function() -> None:
    text = "TABLE = {'a': 1, 'b': 2}\ndef lend(mode):\n    return TABLE[mode]\n"
    assert told(facts(text).distinctions) == ["1 mode a,b"]
    assert told(facts(text.replace("return TABLE", "return SHELF")).distinctions) == []
    assert told(facts(f"{text}SHOWN = mode in TABLE\n").distinctions) == []
    assert told(facts("def lend(mode):\n    return {'a': 1, 'b': 2}[mode]\n").distinctions) == []


FIXED = {
    "a text": ("kept = 'strict'", ["2 kept strict"]),
    "a member": ("kept: Mode = Mode.STRICT", ["2 kept STRICT"]),
    "the value of a member": ("kept = Mode.STRICT.value", ["2 kept STRICT"]),
    "a name": ("kept = strict", []),
    "a call": ("kept = find()", []),
    "a number": ("kept = 1", []),
    "no text": ("kept = ''", []),
    "a declaration": ("kept: str", []),
    "what is assigned again": ("kept = 'strict'\nif found:\n    kept = 'loose'", []),
    "what is added to": ("kept = 'strict'\nkept += 'loose'", []),
    "what is deleted": ("kept = 'strict'\ndel kept", []),
    "the target of a loop": ("kept = 'strict'\nfor kept in found:\n    pass", []),
    "an attribute": ("self.kept = 'strict'", []),
}


@pytest.mark.parametrize(("body", "expected"), FIXED.values(), ids=FIXED)
def test_the_one_value_that_a_name_ever_has(body: str, expected: list[str]) -> None:
    assert told(function(body).distinctions, "fixed") == expected


DEFAULTS = {
    "of a parameter": ("def lend(mode='strict'): ...", ["1 mode strict"]),
    "of a parameter by name": ("def lend(*, mode='strict'): ...", ["1 mode strict"]),
    "of a parameter behind those by position": ("def lend(a, b='x', /, mode='strict'): ...", ["1 mode strict"]),
    "of a parameter by position": ("def lend(mode='strict', /): ...", []),
    "of the second parameter": ("def lend(found, mode=Mode.STRICT): ...", ["1 mode STRICT"]),
    "of a longer name": ("def lend(lending_mode='strict'): ...", ["1 mode strict"]),
    "of another name": ("def lend(modes='strict'): ...", []),
    "of a truth value": ("def lend(limit=False): ...", ["1 limit False"]),
    "of a number": ("def lend(limit=3): ...", []),
    "of nothing": ("def lend(mode, limit=None): ...", []),
    "of a field": ("def lend(mode=Query('strict')): ...", ["1 mode strict"]),
    "of a field by name": ("def lend(mode=Query('loose', default='strict')): ...", ["1 mode strict"]),
    "of a field by name, behind another argument": (
        "def lend(mode=Query(alias='loose', default='strict')): ...",
        ["1 mode strict"],
    ),
    "of a field with another argument": ("def lend(mode=Query(alias='loose')): ...", []),
    "of a field without one": ("def lend(mode=Query()): ...", []),
    "of something that is made": ("def lend(mode=find('strict')): ...", []),
    "of a class": ("class Shelf:\n    mode: str = 'strict'\n    limit = False\n", ["2 mode strict", "3 limit False"]),
    "of a field of a class": ("class Shelf:\n    mode: str = Field(default='strict')\n", ["2 mode strict"]),
    "of a declaration of a class": ("class Shelf:\n    mode: str\n", []),
    "of a member": ("class Mode(Enum):\n    mode = 'strict'\n", []),
    "of a variable of the environment": ("found = os.getenv('LENDING_MODE', 'strict')\n", ["1 mode strict"]),
    "of a variable without one": ("found = os.getenv('LENDING_MODE')\n", []),
    "of an entry": ("found = os.environ.get('mode', 'strict')\n", ["1 mode strict"]),
    "of an attribute": ("found = getattr(shelf, 'mode', 'strict')\n", ["1 mode strict"]),
    "of an attribute without one": ("found = getattr(shelf, 'mode')\n", []),
    "of an option": ("parser.add_argument('--mode', default='strict')\n", ["1 mode strict"]),
    "of an option with a short name": ("parser.add_argument('-m', '--mode', default='strict')\n", ["1 mode strict"]),
    "of an option with another name": ("parser.add_argument('-m', dest='mode', default='strict')\n", ["1 mode strict"]),
    "of an option without one": ("parser.add_argument('--mode', help='strict')\n", []),
    "of something that is called with two": ("found = shelf.find('mode', 'strict')\n", []),
    "of an entry with more than one": ("found = shelf.get('mode', 'strict', 'loose')\n", []),
    "in a function": ("def lend():\n    return os.getenv('MODE', 'strict')\n", ["2 mode strict"]),
    "in a condition": ("def lend():\n    if os.getenv('MODE', 'strict'):\n        pass\n", ["2 mode strict"]),
}


@pytest.mark.parametrize(("text", "expected"), DEFAULTS.values(), ids=DEFAULTS)
def test_the_default_of_a_setting(text: str, expected: list[str]) -> None:
    module = facts(f"{text}\n")
    found = (*module.distinctions, *(each for inner in module.functions for each in inner.distinctions))
    assert told(found, "default") == expected


def test_no_default_is_told_where_nobody_asks_for_settings() -> None:
    text = "found = os.getenv('MODE', 'strict')\ndef lend(mode='strict'):\n    return os.getenv('MODE', 'strict')\n"
    module = collect(text, Vocabulary(modes=frozenset({"Mode"})))
    assert told(module.distinctions, "default") == []
    assert [each.distinctions for each in module.functions] == [()]


DECLARED = {
    "an enumeration": ("class Mode(Enum):\n    STRICT = 'strict'\n    LOOSE = auto()\n", ["1 Mode STRICT,LOOSE"]),
    "an enumeration of texts": ("class Mode(enum.StrEnum):\n    STRICT = 's'\n", ["1 Mode STRICT,s"]),
    "an enumeration with texts of the same spelling": (
        "class Mode(str, Enum):\n    STORE_RAW = 'store-raw'\n",
        ["1 Mode STORE_RAW"],
    ),
    "an enumeration with a method": (
        "class Mode(Enum):\n    A = 1\n    def shown(self):\n        found = 'x'\n",
        ["1 Mode A"],
    ),
    "an enumeration with an attribute that is set": ("class Mode(Enum):\n    A = 1\n    A.shown = 'x'\n", ["1 Mode A"]),
    "an alias": ("Mode = Literal['strict', 'loose']\n", ["1 Mode strict,loose"]),
    "an alias of one": ("Mode: TypeAlias = typing.Literal['strict']\n", ["1 Mode strict"]),
    "an alias with a number": ("Mode = Literal['strict', 1]\n", []),
    "an alias of something else": ("Mode = Union['strict', 'loose']\n", []),
    "a class": ("class Mode(Base):\n    STRICT = 'strict'\n", []),
}


@pytest.mark.parametrize(("text", "expected"), DECLARED.values(), ids=DECLARED)
def test_what_values_there_are(text: str, expected: list[str]) -> None:
    assert told(facts(text).distinctions, "declared") == expected


ARMS = {
    "a condition": ("if mode == 'a':\n    return find()", ["2 mode a answers 3 calls find:3"]),
    "a condition of several": ("if mode in ('a', Mode.B):\n    return", ["2 mode a,B answers  calls "]),
    "a condition below another one": ("if found:\n    if mode == 'a':\n        pass", ["3 mode a answers  calls "]),
    "a condition of something else": ("if found:\n    return find()", []),
    "a case": (
        "match mode:\n    case 'a' | 'b':\n        log(find())\n        return 1\n    case _:\n        return 2",
        ["2 mode a,b answers 5 calls log:4,find:4"],
    ),
    "what is called twice": (
        "if mode == 'a':\n    find(find())\n    find()",
        ["2 mode a answers  calls find:3,find:4"],
    ),
    "a call of what is looked up": ("if mode == 'a':\n    FINDERS['a']()", ["2 mode a answers  calls "]),
    "what stands below it": (
        "if mode == 'a':\n    for each in found:\n        return each",
        ["2 mode a answers 4 calls "],
    ),
}


@pytest.mark.parametrize(("body", "expected"), ARMS.values(), ids=ARMS)
def test_what_a_function_does_for_some_values(body: str, expected: list[str]) -> None:
    assert [
        f"{each.span.line} {each.subject} {','.join(each.values)} answers"
        f" {','.join(str(span.line) for span in each.answers)}"
        f" calls {','.join(f'{name}:{span.line}' for name, span in each.calls)}"
        for each in function(body).arms
    ] == expected


READ = {
    "a name": ("return mode", ("mode",)),
    "a longer name": ("return find(lending_mode)", ("mode",)),
    "an attribute": ("return self.mode", ("mode",)),
    "an argument by name": ("return find(mode=1)", ("mode",)),
    "several": ("if limit:\n    return mode", ("limit", "mode")),
    "a name that is bound": ("mode = 1\nreturn found", ()),
    "an attribute that is set": ("self.mode = 1\nreturn found", ()),
    "a text": ("return 'mode'", ()),
    "an argument of all that are left": ("return find(**found)", ()),
    "another name": ("return modes", ()),
}


@pytest.mark.parametrize(("body", "expected"), READ.values(), ids=READ)
def test_the_settings_that_a_function_reads(body: str, expected: tuple[str, ...]) -> None:
    assert function(body, "found").reads == expected
