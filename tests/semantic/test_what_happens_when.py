"""What a function does under which conditions, and what it has called by then."""

from __future__ import annotations

import pytest
from test_flow import shown

from errlint.collect import collect
from errlint.facts import Case, Condition
from errlint.index.vocabulary import Vocabulary


def cases(body: str) -> tuple[Case, ...]:
    """Return what a function does."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    functions = collect(f"async def lend(book, found):\n{lines}", Vocabulary(cases=("lend",))).functions
    (function,) = (each for each in functions if each.name == "lend")
    return function.cases


def case(body: str, how: str = "raise") -> Case:
    """Return the one thing of a kind that a function does."""
    (wanted,) = (each for each in cases(body) if each.how == how)
    return wanted


def asked(conditions: tuple[Condition, ...]) -> list[str]:
    """Return conditions in short: the questions of each, one of which holds."""
    return [
        " or ".join(
            f"{shown(each.subject)} {each.operator}"
            + ("" if each.operator in ("true", "false", "?") else f" {shown(each.value)}")
            for each in condition.tests
        )
        for condition in conditions
    ]


HOW = {
    "a raise": ("raise LostError(book)", ["raise 1 LostError(book)"]),
    "a bare raise": ("raise", ["raise 1 ?"]),
    "an answer": ("return book", ["return 1 book"]),
    "an answer of nothing": ("return", ["return 1 ?"]),
    "an assignment": ("shelf = find(book)", ["assigned 1 find(book)"]),
    "an assignment with a type": ("shelf: str = find(book)", ["assigned 1 find(book)"]),
    "a declaration": ("shelf: str", []),
    "a call": ("find(book)", ["called 1 find(book)"]),
    "a call that is waited for": ("await find(book)", ["called 1 find(book)"]),
    "a remark": ("'a book'", []),
    "a definition": ("def find():\n    return 1", []),
    "a class": ("class Shelf:\n    book = find()", []),
    "the next round": ("for each in found:\n    continue", ["continue 2 ?"]),
    "the last round": ("for each in found:\n    break", []),
    "what stands in a context": ("with lock:\n    find(book)", ["called 2 find(book)"]),
    "what is never reached": ("return 1\nfind(book)", ["return 1 1"]),
    "what is never reached behind both ways": (
        "if book:\n    return 1\nelse:\n    raise LostError\nfind(book)",
        ["return 2 1", "raise 4 LostError"],
    ),
    "what is never reached behind a context": ("with lock:\n    return 1\nfind(book)", ["return 2 1"]),
    "what is never reached behind a match": (
        "match book:\n    case 1:\n        return 1\n    case _:\n        return 2\nfind(book)",
        ["return 3 1", "return 5 2"],
    ),
    "what is reached behind one case of a match": (
        "match book:\n    case 1:\n        pass\n    case _:\n        return 2\nfind(book)",
        ["return 5 2", "called 6 find(book)"],
    ),
    "what is reached behind a match": (
        "match book:\n    case 1:\n        return 1\n    case _ if found:\n        return 2\nfind(book)",
        ["return 3 1", "return 5 2", "called 6 find(book)"],
    ),
    "what is never reached behind a try": (
        "try:\n    return 1\nexcept OSError:\n    raise\nfind(book)",
        ["return 2 1", "raise 4 ?"],
    ),
    "what is never reached behind a finally": ("try:\n    pass\nfinally:\n    return 1\nfind(book)", ["return 4 1"]),
    "what is reached behind a handler": (
        "try:\n    return 1\nexcept OSError:\n    pass\nfind(book)",
        ["return 2 1", "called 5 find(book)"],
    ),
    "the end of a handler in a loop": (
        "for each in found:\n    try:\n        find(each)\n    except OSError:\n        pass",
        ["called 3 find(each<?>)", "end 4 ?"],
    ),
    "the end of a handler in a loop that is left": (
        "for each in found:\n    try:\n        find(each)\n    except OSError:\n        return 1",
        ["called 3 find(each<?>)", "return 5 1"],
    ),
}


@pytest.mark.parametrize(("body", "expected"), HOW.values(), ids=HOW)
def test_what_a_function_does(body: str, expected: list[str]) -> None:
    assert [f"{each.how} {each.span.line - 1} {shown(each.value)}" for each in cases(body)] == expected


CONDITIONS = {
    "none": ("raise LostError", []),
    "a test": ("if book:\n    raise LostError", ["book true"]),
    "no test": ("if not book:\n    raise LostError", ["book false"]),
    "a comparison": ("if book == 1:\n    raise LostError", ["book == 1"]),
    "a comparison the other way round": ("if 1 < book:\n    raise LostError", ["book > 1"]),
    "a text the other way round": ("if 'gone' != book:\n    raise LostError", ["book != 'gone'"]),
    "two names": ("if found <= book:\n    raise LostError", ["found <= book"]),
    "two numbers": ("if 1 <= 2:\n    raise LostError", ["1 <= 2"]),
    "a part": ("if 'gone' in book:\n    raise LostError", ["'gone' in book"]),
    "a chain": ("if 1 <= book < 3:\n    raise LostError", ["book >= 1", "book < 3"]),
    "no chain": ("if not 1 <= book < 3:\n    raise LostError", ["book < 1 or book >= 3"]),
    "identity": ("if book is None:\n    raise LostError", ["book == None"]),
    "no identity": ("if not book is not None:\n    raise LostError", ["book == None"]),
    "the hundreds of a status": ("if book.status // 100 == 5:\n    raise LostError", ["class(book.status) == 5"]),
    "another part of a status": ("if book.status // 10 == 50:\n    raise LostError", ["? == 50"]),
    "a remainder": ("if book.status % 100 == 5:\n    raise LostError", ["? == 5"]),
    "a value that gets a name": ("if (each := find(book)):\n    raise LostError", ["find(book) true"]),
    "a value that gets a name and is compared": (
        "if (each := book.status) == 5:\n    raise LostError",
        ["book.status == 5"],
    ),
    "both": ("if book and found == 1:\n    raise LostError", ["book true", "found == 1"]),
    "one of two": ("if book or found == 1:\n    raise LostError", ["book true or found == 1"]),
    "not both": ("if not (book and found == 1):\n    raise LostError", ["book false or found != 1"]),
    "none of two": ("if not (book or found == 1):\n    raise LostError", ["book false", "found != 1"]),
    "one of two, each of two": (
        "if (a and b) or (c and d):\n    raise LostError",
        ["a true or c true", "a true or d true", "b true or c true", "b true or d true"],
    ),
    "as many as can be told": (
        "if (a and b and c and d) or (e and f and g and h and i and j):\n    raise LostError",
        [f"{one} true or {other} true" for one in "abcd" for other in "efghij"],
    ),
    "too many to tell": ("if (a and b and c and d and e) or (f and g and h and i and j):\n    raise LostError", []),
    "else": ("if book == 1:\n    pass\nelse:\n    raise LostError", ["book != 1"]),
    "elif": ("if book == 1:\n    pass\nelif found in book:\n    raise LostError", ["book != 1", "found in book"]),
    "else of an elif": (
        "if book == 1:\n    pass\nelif found in book:\n    pass\nelse:\n    raise LostError",
        ["book != 1", "found not in book"],
    ),
    "behind what was left": ("if book >= 1:\n    return 1\nraise LostError", ["book < 1"]),
    "behind what was left otherwise": ("if book >= 1:\n    pass\nelse:\n    return 1\nraise LostError", ["book >= 1"]),
    "behind what goes on both ways": ("if book:\n    find()\nelse:\n    seek()\nraise LostError", []),
    "a loop": ("while book > 1:\n    raise LostError", ["book > 1"]),
    "a loop over items": ("for each in book:\n    raise LostError", []),
    "behind a loop": ("while book > 1:\n    find()\nraise LostError", []),
    "a case": ("match book:\n    case 1:\n        raise LostError", ["book == 1"]),
    "a case of several": (
        "match book:\n    case 1 | 'gone':\n        raise LostError",
        ["book == 1 or book == 'gone'"],
    ),
    "a case of a class": ("match book:\n    case Gone():\n        raise LostError", ["book ?"]),
    "a case of several, one of a class": ("match book:\n    case 1 | Gone():\n        raise LostError", ["book ?"]),
    "a case of a member": ("match book:\n    case Kind.GONE:\n        raise LostError", ["book == Kind.GONE"]),
    "a case with a condition": (
        "match book:\n    case 1 if found:\n        raise LostError",
        ["book == 1", "found true"],
    ),
    "a case of all others": (
        "match book:\n    case 1 | 2:\n        pass\n    case _:\n        raise LostError",
        ["book != 1", "book != 2"],
    ),
    "a case of all others behind a condition": (
        "match book:\n    case 1 if found:\n        pass\n    case _:\n        raise LostError",
        [],
    ),
    "a case of all others behind a class": (
        "match book:\n    case Gone():\n        pass\n    case _:\n        raise LostError",
        [],
    ),
    "a case of all others with a name": (
        "match book:\n    case 1:\n        pass\n    case other:\n        raise LostError",
        ["book != 1"],
    ),
    "a case of a class with a name": ("match book:\n    case Gone() as gone:\n        raise LostError", ["book ?"]),
    "a case of a class behind a value": (
        "match book:\n    case 1:\n        pass\n    case Gone():\n        raise LostError",
        ["book != 1", "book ?"],
    ),
}


@pytest.mark.parametrize(("body", "expected"), CONDITIONS.values(), ids=CONDITIONS)
def test_under_which_conditions_a_function_raises(body: str, expected: list[str]) -> None:
    assert asked(case(body).conditions) == expected


def test_of_many_conditions_the_innermost_are_told() -> None:
    body = "".join(f"{' ' * number}if book == {number}:\n" for number in range(30)) + f"{' ' * 30}raise LostError"
    found = asked(case(body).conditions)
    assert (found[0], found[-1], len(found)) == ("book == 6", "book == 29", 24)


CHOSEN = {
    "a conditional expression": ("return 1 if book else 2", ["1 if book true", "2 if book false"]),
    "one in another": (
        "return 1 if book else 2 if found else 3",
        ["1 if book true", "2 if book false, found true", "3 if book false, found false"],
    ),
    "a comparison": ("return book == 1", ["True if book == 1", "False if book != 1"]),
    "comparisons": (
        "return book == 1 and not found == 2",
        ["True if book == 1, found != 2", "False if book != 1 or found == 2"],
    ),
    "a comparison and something else": ("return book == 1 and found", ["(? or found) if "]),
    "no comparison": ("return not book", ["? if "]),
    "a sign before a comparison": ("return -(book == 1)", ["? if "]),
    "a value": ("return book", ["book if "]),
}


@pytest.mark.parametrize(("body", "expected"), CHOSEN.values(), ids=CHOSEN)
def test_what_is_answered_when(body: str, expected: list[str]) -> None:
    found = [f"{shown(each.value)} if {', '.join(asked(each.conditions))}" for each in cases(body)]
    assert found == expected


def test_a_comparison_that_is_kept_is_no_condition() -> None:
    assert len(cases("found = book == 1")) == 1
    assert len(cases("found = 1 if book else 2")) == 2


BEFORE = {
    "nothing": ("raise LostError", [], []),
    "a call": ("find(book)\nraise LostError", ["find"], []),
    "what is called in the value": ("raise LostError(find(book))", ["find", "LostError"], []),
    "a method": ("self.shelf.find(book)\nraise LostError", ["self.shelf.find"], []),
    "a method of what is called": ("find().take(book)\nraise LostError", ["find", ".take"], []),
    "a tool by its name": ("session.call_tool('take', book)\nraise LostError", ["session.call_tool:take"], []),
    "a tool that only the run knows": ("session.call_tool(book)\nraise LostError", ["session.call_tool"], []),
    "a request": ("client.request('POST', book)\nraise LostError", ["client.request", "client.post"], []),
    "a text that is no name": ("client.request('a b', book)\nraise LostError", ["client.request"], []),
    "another call with a text": ("client.send('post', book)\nraise LostError", ["client.send"], []),
    "a condition": ("if find(book):\n    raise LostError", ["find"], []),
    "a match": ("match find(book):\n    case 1:\n        raise LostError", ["find"], []),
    "a loop": ("for each in find(book):\n    raise LostError", ["find"], []),
    "a context": ("with find(book):\n    raise LostError", ["find"], []),
    "what is called on one way": ("if book:\n    find(book)\nraise LostError", [], ["find"]),
    "what is called on another way": ("if book:\n    pass\nelse:\n    find(book)\nraise LostError", [], ["find"]),
    "what is called on all ways": (
        "if book:\n    find(book)\nelif found:\n    seek(book)\nelse:\n    ask(book)\nraise LostError",
        [],
        ["ask", "seek", "find"],
    ),
    "what is called on a way that is left": ("if book:\n    find(book)\n    return 1\nraise LostError", [], []),
    "what is called on the way that goes on": (
        "if book:\n    find(book)\nelse:\n    return 1\nraise LostError",
        [],
        ["find"],
    ),
    "what may be called in a loop": ("for each in book:\n    find(each)\nraise LostError", [], ["find"]),
    "what may be called in a case": (
        "match book:\n    case 1:\n        find(book)\n    case 2:\n        ask(book)\n        return\nraise LostError",
        [],
        ["find"],
    ),
    "what is called in a try": (
        "try:\n    find(book)\nexcept OSError:\n    ask(book)\nraise LostError",
        ["find"],
        ["ask"],
    ),
    "what is called in a try whose handler leaves": (
        "try:\n    find(book)\nexcept OSError:\n    ask(book)\n    return 1\nraise LostError",
        ["find"],
        [],
    ),
    "what may be called in a try": (
        "try:\n    if found:\n        find(book)\nexcept OSError:\n    pass\nraise LostError",
        [],
        ["find"],
    ),
    "what is called in the else of a try": (
        "try:\n    find(book)\nexcept OSError:\n    return 1\nelse:\n    ask(book)\nraise LostError",
        ["find", "ask"],
        [],
    ),
    "what is called in the else of a try whose handler goes on": (
        "try:\n    find(book)\nexcept OSError:\n    pass\nelse:\n    ask(book)\nraise LostError",
        ["find"],
        ["ask"],
    ),
    "what is called in the else of a try on the way that is left": (
        "try:\n    find(book)\nexcept OSError:\n    pass\nelse:\n    ask(book)\n    return 1\nraise LostError",
        ["find"],
        [],
    ),
    "what may have failed in a try on a way that is left": (
        "try:\n    if found:\n        find(book)\n        return 1\nexcept OSError:\n    pass\nraise LostError",
        [],
        ["find"],
    ),
    "what is called in a finally": (
        "try:\n    find(book)\nfinally:\n    close()\n    if found:\n        ask(book)\nraise LostError",
        ["find", "close"],
        ["ask"],
    ),
    "what may be called in the else of a loop": (
        "for each in book:\n    if each:\n        break\nelse:\n    find(book)\nraise LostError",
        [],
        ["find"],
    ),
    "what is called in the else of a loop, there": (
        "for each in book:\n    if find(each):\n        break\nelse:\n    ask(book)\n    raise LostError",
        ["ask"],
        ["find"],
    ),
    "what is called in a try by a handler": (
        "try:\n    find(ask(book))\nexcept OSError:\n    raise LostError",
        ["find", "ask"],
        [],
    ),
    "what is called in a function": ("def shown():\n    find(book)\nraise LostError", [], []),
    "what a lambda calls": ("if book:\n    shown = lambda: find(book)\nraise LostError", [], []),
    "what is called below": (
        "if book:\n    with lock():\n        for each in find(book):\n            ask(each)\nraise LostError",
        [],
        ["lock", "find", "ask"],
    ),
}


@pytest.mark.parametrize(("body", "before", "perhaps"), BEFORE.values(), ids=BEFORE)
def test_what_has_been_called_by_then(body: str, before: list[str], perhaps: list[str]) -> None:
    found = case(body)
    assert (sorted(found.before), sorted(found.perhaps)) == (sorted(before), sorted(perhaps))


AGAIN = {
    "in the handler": ("try:\n    find(book)\nexcept OSError:\n    find(book)", [("find", ())]),
    "behind the handler": ("try:\n    return find(book)\nexcept OSError:\n    pass\nreturn find(book)", [("find", ())]),
    "waited for": ("try:\n    await find(book)\nexcept OSError:\n    await find(book)", [("find", ())]),
    "with a list": ("try:\n    find([book, 1])\nexcept OSError:\n    find([book, 1])", [("find", ())]),
    "with a text that is marked otherwise": (
        "try:\n    find('book')\nexcept OSError:\n    find(u'book')",
        [("find", ())],
    ),
    "behind something else": (
        "try:\n    find(book)\nexcept OSError:\n    close()\n    find(book)",
        [("find", ("close",))],
    ),
    "behind something that looks at the exception": (
        "try:\n    find(book)\nexcept OSError as error:\n    log(error)\n    find(book)",
        [("find", ())],
    ),
    "behind an attribute that is set": (
        "try:\n    find(book)\nexcept OSError:\n    shelf.open = True\n    find(book)",
        [("find", ("shelf.open",))],
    ),
    "behind an entry that is set": (
        "try:\n    find(book)\nexcept OSError:\n    shelf['a'] = 1\n    find(book)",
        [("find", ("shelf",))],
    ),
    "with another value": ("try:\n    find(book)\nexcept OSError:\n    find(found)", []),
    "with more": ("try:\n    find(book)\nexcept OSError:\n    find(book, 1)", []),
    "with another number": ("try:\n    find([book, 1])\nexcept OSError:\n    find([book, 2])", []),
    "with something of another kind": ("try:\n    find(book)\nexcept OSError:\n    find('book')", []),
    "with a name that was bound again": ("try:\n    find(book)\nexcept OSError:\n    book = 1\n    find(book)", []),
    "with a part of a name that was bound again": (
        "try:\n    find(book.title)\nexcept OSError:\n    book, other = found\n    find(book.title)",
        [],
    ),
    "by another method": ("try:\n    shelf.find(book)\nexcept OSError:\n    desk.find(book)", []),
    "in a branch of the handler": (
        "try:\n    find(book)\nexcept OSError:\n    if found:\n        find(book)",
        [("find", ())],
    ),
    "in a handler of something else": (
        "try:\n    find(book)\nexcept OSError:\n    pass\ntry:\n    ask(book)\nexcept OSError:\n    ask(found)",
        [],
    ),
}


@pytest.mark.parametrize(("body", "expected"), AGAIN.values(), ids=AGAIN)
def test_what_failed_is_done_again(body: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    assert [("".join(each.tried), each.since) for each in cases(body) if each.how == "again"] == expected


def test_behind_two_handlers_nobody_knows_which_failed() -> None:
    body = "try:\n    return find(book)\nexcept OSError:\n    pass\nexcept ValueError:\n    pass\nreturn find(book)"
    assert [each.how for each in cases(body)] == ["return", "return"]


ROUNDS = {
    "the same": ("find(book)", True, False),
    "what the loop binds": ("find(each)", False, False),
    "what is bound in the loop": ("number = 1\nfind(number)", False, False),
    "with a pause": ("find(book)\ntime.sleep(1)", True, True),
    "with a wait": ("find(book)\nevent.wait()", True, True),
    "with a step back": ("find(book)\nbackoff()", True, True),
}


@pytest.mark.parametrize(("body", "is_again", "pauses"), ROUNDS.values(), ids=ROUNDS)
def test_another_round_tries_again(body: str, is_again: bool, pauses: bool) -> None:
    lines = [f"        {line}" for line in body.split("\n")]
    outside = [f"    {line.strip()}" for line in lines if " = " in line]
    tried = [line for line in lines if " = " not in line]
    text = "\n".join(["for each in found:", *outside, "    try:", *tried, "    except OSError:", "        continue"])
    again = case(text, "continue")
    assert (again.is_again, again.pauses) == (is_again, pauses)
    assert again.loop is not None


def test_a_handler_outside_of_loops_is_entered_once() -> None:
    found = case("try:\n    find(book)\nexcept (OSError, ValueError) as error:\n    raise LostError")
    assert [(each.types, each.name) for each in found.handlers] == [(("OSError", "ValueError"), "error")]
    assert (found.loop, found.tried, [span.line - 1 for span in found.caught]) == (None, ("find",), [3])


def test_behind_a_try_its_handlers_are_none() -> None:
    found = case("try:\n    find(book)\nexcept OSError:\n    pass\nraise LostError")
    assert (found.handlers, found.caught, found.tried) == ((), (), ())


ALTERNATIVES = {
    "an `or`": ("return book or found", ["book", "found"]),
    "several": ("return book or found or 1", ["book", "found", "1"]),
    "an `or` in a call": ("return find(book or found)", ["book", "found"]),
    "an `or` in a keyword": ("return find(shelf=book or found)", ["book", "found"]),
    "an `or` in a comprehension": ("return [each or 1 for each in book]", ["each", "1"]),
    "a `get` with another value": ("return found.get('title', book)", ["found['title']", "book"]),
    "a `get` in an `or`": ("return found.get('title', book) or 1", ["found['title']", "book", "1"]),
    "a `get` with an `or`": ("return found.get('title', book or 1)", ["found['title']", "book", "1"]),
    "an `and`": ("return book and found", []),
    "a `get` without another value": ("return found.get('title')", []),
    "a `get` with more": ("return found.get('title', book, 1)", []),
    "a `get` by name": ("return found.get('title', book, default=1)", []),
    "a `get` of what only the run knows": ("return found.get('title', *book)", []),
    "another method": ("return found.take('title', book)", []),
    "a function of that name": ("return get('title', book)", []),
    "a lambda": ("return lambda: book or found", []),
    "a value": ("return book", []),
}


@pytest.mark.parametrize(("body", "expected"), ALTERNATIVES.values(), ids=ALTERNATIVES)
def test_which_values_stand_in_for_each_other(body: str, expected: list[str]) -> None:
    assert [shown(each) for each in cases(body)[-1].alternatives] == expected


TABLES = {
    "a dict": ("codes = {'lost': 404, GONE: 410}", ["codes 'lost'=404 GONE=410"]),
    "a dict with a type": ("codes: dict = {'lost': 404}", ["codes 'lost'=404"]),
    "a dict in an attribute": ("self.codes = {'lost': 404}", ["self.codes 'lost'=404"]),
    "a dict with others in it": ("codes = {'lost': 404, **found}", ["codes 'lost'=404"]),
    "an entry": ("codes['lost'] = 404", ["codes 'lost'=404"]),
    "an empty dict": ("codes = {}", []),
    "a slice": ("codes[1:] = found", []),
    "something else": ("codes = find()", []),
}


@pytest.mark.parametrize(("body", "expected"), TABLES.values(), ids=TABLES)
def test_what_is_stored_under_which_key(body: str, expected: list[str]) -> None:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    tables = collect(f"def lend(book, found):\n{lines}", Vocabulary(cases=("lend",))).tables
    assert [
        " ".join([each.name, *(f"{shown(key)}={shown(value)}" for key, value in each.entries)]) for each in tables
    ] == expected


def test_what_is_done_since_an_exception_was_caught_is_told_in_its_handler_alone() -> None:
    caught = case("try:\n    find(book)\nexcept OSError:\n    close()\n    shelf.open = False\n    raise LostError")
    assert caught.since == ("close", "shelf.open")
    behind = case("try:\n    find(book)\nexcept OSError:\n    close()\nraise LostError")
    assert behind.since == ()
    only_way = case("try:\n    return find(book)\nexcept OSError:\n    close()\nraise LostError")
    assert only_way.since == ()
    assert case("close()\nraise LostError").since == ()
