"""Error records that a function builds, what it asks of them, and what tells an error (ERR309, ERR407 and others)."""

from __future__ import annotations

import pytest
from test_flow import shown

from errlint.collect import collect
from errlint.facts import Function, Record
from errlint.index.vocabulary import Vocabulary

ASKING = Vocabulary(records=("error", "type", "severity"), terms=frozenset({"retry", "lost"}))
LOST = "{'error': {'type': 'lost', 'severity': 'high'}}"


def facts(body: str, more: str = "") -> Function:
    """Return the facts of a function with this body, in a file with more text."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    functions = collect(f"async def lend(book, found):\n{lines}{more}", ASKING).functions
    (function,) = (each for each in functions if each.name == "lend")
    return function


def records(body: str) -> tuple[Record, ...]:
    """Return the records that a function builds."""
    return facts(body).records


BUILT = {
    "a dict that is answered": (f"return {LOST}", [1]),
    "a dict that is handed on": (f"report(1, {LOST})", [1]),
    "a dict in a list": (f"return [{LOST}]", [1]),
    "a dict made by its name": ("return dict(error={'type': 'lost'})", [1]),
    "a dict made by its name, handed on": ("report(dict(error=dict(type='lost')))", [1]),
    "a dict in a name": (f"answer = {LOST}\nreturn answer", [1]),
    "a dict made by its name in a name": ("answer = dict(error={'type': 'lost'})\nreturn answer", [1]),
    "a dict in a name with its type": (f"answer: dict = {LOST}\nreturn answer", [1]),
    "what is below the key in a name": ("error = {'type': 'lost'}\nreturn {'error': error}", [1]),
    "what is below the key in one of two names that hold the same": (
        "error = {'type': 'lost'}\nother = {'type': 'lost'}\nreturn {'error': error}",
        [1],
    ),
    "a record under the name of what was below its key, copied": (
        "error = {'type': 'lost'}\nerror = {'error': error}\nreturn {**error}",
        [1],
    ),
    "a dict in an attribute, and one like it": (f"self.last = {LOST}\nreturn {LOST}", [1, 2]),
    "a dict that something is made of, for a name that held another one": (
        f"more = {{}}\nmore = stamped({LOST})\nreturn more",
        [2],
    ),
    "a dict made by its name that something is made of, for a name that held another one": (
        "more = {}\nmore = stamped(dict(error={'type': 'lost'}))\nreturn more",
        [2],
    ),
    "a dict in a name that held another one": (
        f"answer = {{'ok': True}}\nlog(answer)\nanswer = {LOST}\nlog(answer)",
        [3],
    ),
    "a dict made by its name in a name that held another one": (
        "answer = {'ok': True}\nlog(answer)\nanswer = dict(error={'type': 'lost'})\nlog(answer)",
        [3],
    ),
    "two of them": (f"if book:\n    return {LOST}\nreturn {LOST}", [2, 3]),
    "one of two by a condition": (f"return {LOST} if book else found", [1]),
    "a dict with more than that": (f"return {{'ok': False, **{LOST}}}", [1]),
    "a name that may be one of two": (
        f"if book:\n    answer = {LOST}\nelse:\n    answer = {{'error': {{'type': 'torn'}}}}\nreturn answer",
        [2, 4],
    ),
    "a record filled field by field": (
        "answer = {'error': {'type': 'lost'}}\nanswer['error']['severity'] = 'high'\nreturn answer",
        [3],
    ),
    "a record with a base": ("base = {'type': 'lost'}\nreturn {'error': {**base, 'text': book}}", [2]),
    "fields that say nothing": ("return {'error': {'text': 'lost'}}", []),
    "another key": ("return {'fault': {'type': 'lost'}}", []),
    "a text below the key": ("return {'error': 'lost'}", []),
    "nothing below the key": ("return {'error': None}", []),
    "what somebody else has made": ("return {'error': found}", []),
    "a dict made of something else": ("return shelf.dict(error={'type': 'lost'})", []),
    "an object": ("return Answer(error={'type': 'lost'})", []),
}


@pytest.mark.parametrize(("body", "expected"), BUILT.values(), ids=BUILT)
def test_where_a_record_is_built(body: str, expected: list[int]) -> None:
    assert [each.span.line - 1 for each in records(body)] == expected


def test_a_record_in_a_name_is_one_wherever_it_is_used() -> None:
    body = f"answer = {LOST}\nlog(answer)\nif book:\n    report(answer)\nreturn answer"
    assert [each.span.line - 1 for each in records(body)] == [1]


STEPS = {
    "none": (f"answer = {LOST}\nreturn answer", {}),
    "an entry": (f"answer = {LOST}\nanswer['error']['text'] = book\nreturn answer", {"text": 2}),
    "an entry of the record": (f"answer = {LOST}\nanswer['code'] = 1\nreturn answer", {"code": 2}),
    "an update by names": (
        f"answer = {LOST}\nanswer['error'].update(text=book, code=1)\nreturn answer",
        {"text": 2, "code": 2},
    ),
    "an update by a dict": (f"answer = {LOST}\nanswer['error'].update({{'text': book}})\nreturn answer", {"text": 2}),
    "a default": (f"answer = {LOST}\nanswer['error'].setdefault('text', book)\nreturn answer", {"text": 2}),
    "an update by a dict in a call": (
        f"answer = {LOST}\nanswer['error'].update(dict(text=book))\nreturn answer",
        {"text": 2},
    ),
    "another method": (f"answer = {LOST}\nanswer['error'].pop('text')\nreturn answer", {}),
    "an entry that only the run knows": (f"answer = {LOST}\nanswer['error'][book] = 1\nreturn answer", {}),
    "an entry of something else": (f"answer = {LOST}\nfound['text'] = 1\nreturn answer", {}),
    "an entry of an attribute": (f"answer = {LOST}\nself.answer['text'] = 1\nreturn answer", {}),
    "an update of what is called": (f"answer = {LOST}\nfind()['text'].update(a=1)\nreturn answer", {}),
    "what is below the key in a name, behind another key": (
        "error = {'type': 'lost'}\nerror['text'] = book\nreturn {'ok': False, 'error': error}",
        {"text": 2},
    ),
    "a text that a name holds": ("kind = 'lost'\nanswer = {'error': {'type': kind}}\nreturn answer", {"type": 1}),
    "a text that a name held": (
        "kind = 'lost'\nkind = find(book)\nanswer = {'error': {'type': kind}}\nreturn answer",
        {},
    ),
    "something else that a name holds": ("kind = 1\nanswer = {'error': {'type': kind}}\nreturn answer", {}),
    "a text that is written out": (f"kind = 'lost'\nanswer = {LOST}\nreturn answer, kind", {}),
    "what is below the key in a name": (
        "error = {'type': 'lost'}\nerror['text'] = book\nreturn {'error': error}",
        {"text": 2},
    ),
}


@pytest.mark.parametrize(("body", "expected"), STEPS.values(), ids=STEPS)
def test_the_statements_that_store_a_field(body: str, expected: dict[str, int]) -> None:
    (record,) = records(body)
    assert {key: span.line - 1 for key, span in record.steps} == expected


CAUGHT = {
    "a clause": (f"try:\n    find()\nexcept OSError as error:\n    return {LOST}", ("error",)),
    "a clause without a name": (f"try:\n    find()\nexcept OSError:\n    return {LOST}", ()),
    "two clauses": (
        f"try:\n    find()\nexcept OSError as error:\n    try:\n        seek()\n    except ValueError as torn:\n"
        f"        return {LOST}",
        ("error", "torn"),
    ),
    "none": (f"return {LOST}", ()),
}


@pytest.mark.parametrize(("body", "expected"), CAUGHT.values(), ids=CAUGHT)
def test_the_names_of_what_was_caught_around_a_record(body: str, expected: tuple[str, ...]) -> None:
    (record,) = records(body)
    assert record.caught == expected


LOOPS = {
    "none": (f"report({LOST})", ""),
    "items": (f"for each in found:\n    report({LOST})", "items"),
    "a search": (f"for each in found:\n    if each:\n        return each\n    report({LOST})", "search"),
    "numbers": (f"for each in range(3):\n    report({LOST})", "rounds"),
    "a condition": (f"while found:\n    report({LOST})", "rounds"),
    "two of them": (f"for each in found:\n    for other in each:\n        report({LOST})", "rounds"),
}


@pytest.mark.parametrize(("body", "expected"), LOOPS.values(), ids=LOOPS)
def test_the_loop_around_a_record(body: str, expected: str) -> None:
    (record,) = records(body)
    assert record.loop == expected


PRINTED = {
    "by its name": (f"answer = {LOST}\nprint(answer)", [2]),
    "written out": (f"print({LOST})", [1]),
    "twice": (f"answer = {LOST}\nprint(answer)\nprint(answer, book)", [2, 3]),
    "with an end": (f"answer = {LOST}\nprint(answer, end='')", [2]),
    "to a file": (f"answer = {LOST}\nprint(answer, file=found)", []),
    "as a text": (f"answer = {LOST}\nprint(json.dumps(answer))", []),
    "by a method": (f"answer = {LOST}\nconsole.print(answer)", []),
    "by something else": (f"answer = {LOST}\nshow(answer)", []),
    "with its result": (f"answer = {LOST}\nshown = print(answer)", []),
    "something else": (f"answer = {LOST}\nprint(book)\nreturn answer", []),
}


@pytest.mark.parametrize(("body", "expected"), PRINTED.values(), ids=PRINTED)
def test_where_a_record_is_printed_as_a_dict(body: str, expected: list[int]) -> None:
    (record,) = records(body)
    assert [span.line - 1 for span in record.printed] == expected


REMADE = {
    "an answer": (f"answer = {LOST}\nreturn stamped(answer)", True),
    "an answer that is waited for": (f"answer = {LOST}\nreturn await stamped(answer)", True),
    "a name": (f"answer = {LOST}\nmore = stamped(answer)", True),
    "a name with its type": (f"answer = {LOST}\nmore: dict = stamped(answer)", True),
    "a record that is written out": (f"return stamped({LOST})", True),
    "a text": (f"answer = {LOST}\nreturn json.dumps(answer)", False),
    "a text of what it shows": (f"answer = {LOST}\nreturn str(answer)", False),
    "a call alone": (f"answer = {LOST}\nstamped(answer)", False),
    "a call with something else": (f"answer = {LOST}\nmore = stamped(book)\nreturn answer", False),
    "the record": (f"answer = {LOST}\nreturn answer", False),
}


@pytest.mark.parametrize(("body", "expected"), REMADE.values(), ids=REMADE)
def test_whether_something_may_be_made_of_a_record(body: str, expected: bool) -> None:
    (record,) = records(body)
    assert record.is_remade is expected


COMPARED = {
    "a field": ("if found['error']['type'] == 'lost':\n    give()", ["1 type lost equal"]),
    "a field by `get`": ("if found.get('error').get('type') == 'lost':\n    give()", ["1 type lost equal"]),
    "a field of a name": ("error = found['error']\nif error['type'] == 'lost':\n    give()", ["2 type lost equal"]),
    "a field of what is called like the key": ("if error['type'] == 'lost':\n    give()", ["1 type lost equal"]),
    "a field in a name": ("kind = found['error']['type']\nif kind == 'lost':\n    give()", ["2 type lost equal"]),
    "another text": ("if found['error']['type'] != 'lost':\n    give()", ["1 type lost"]),
    "one of a list of one": ("if found['error']['type'] in ['lost']:\n    give()", ["1 type lost equal"]),
    "one of several": ("if found['error']['type'] in ('lost', 'torn'):\n    give()", ["1 type lost,torn"]),
    "none of several": ("if found['error']['type'] not in {'lost'}:\n    give()", ["1 type lost"]),
    "several of which one is known": ("if found['error']['type'] in ('lost', book):\n    give()", ["1 type lost"]),
    "a part of a condition": ("if book and found['error']['type'] == 'lost':\n    give()", ["1 type lost"]),
    "an answer": ("return found['error']['type'] == 'lost'", ["1 type lost"]),
    "a loop": ("while found['error']['type'] == 'lost':\n    give()", ["1 type lost"]),
    "cases": (
        "match found['error']['type']:\n    case 'lost':\n        give()\n    case 'torn' | 'gone':\n        give()\n"
        "    case str():\n        give()",
        ["3 type lost equal", "5 type torn,gone"],
    ),
    "a case with something else": (
        "match found['error']['type']:\n    case 'lost' | None:\n        give()",
        ["3 type lost"],
    ),
    "cases of something else": ("match found['error']['text']:\n    case 'lost':\n        give()", []),
    "a text that only the run knows": ("if found['error']['type'] == book:\n    give()", []),
    "an order": ("if found['error']['type'] > 'lost':\n    give()", []),
    "a chain": ("if found['error']['type'] == 'lost' == book:\n    give()", []),
    "a field that says nothing": ("if found['error']['text'] == 'lost':\n    give()", []),
    "a field of something else": ("if found['book']['type'] == 'lost':\n    give()", []),
    "a field of a name of something else": ("if book['type'] == 'lost':\n    give()", []),
    "the record": ("if found['error'] == 'lost':\n    give()", []),
}


@pytest.mark.parametrize(("body", "expected"), COMPARED.values(), ids=COMPARED)
def test_where_a_field_of_a_record_is_compared(body: str, expected: list[str]) -> None:
    assert [
        f"{each.span.line - 1} {each.key} {','.join(each.texts)}{' equal' if each.outcomes else ''}"
        for each in facts(body).compared
    ] == expected


GIVEN = {
    "the record": ("if found['error']['type'] == 'lost':", "found", True),
    "what is below the key": ("error = found['error']\nif error['type'] == 'lost':", "error", True),
    "the record of what is below the key": ("error = found['error']\nif error['type'] == 'lost':", "found", True),
    "the record of a field": (
        "error = found['error']\nkind = error['type']\nif kind == 'lost':",
        "found",
        True,
    ),
    "what is below the key of a field": (
        "error = found['error']\nkind = error['type']\nif kind == 'lost':",
        "error",
        True,
    ),
    "a record that may be one of two": (
        "if book:\n    found = find(book)\nerror = found['error']\nif error['type'] == 'lost':",
        "found",
        True,
    ),
    "what is called like the key": ("if error['type'] == 'lost':", "error", True),
    "something else": ("if found['error']['type'] == 'lost':", "book", False),
    "something else beside what is below the key": (
        "error = found['error']\nif error['type'] == 'lost':",
        "book",
        False,
    ),
}


@pytest.mark.parametrize(("asked", "given", "holds"), GIVEN.values(), ids=GIVEN)
def test_what_a_branch_hands_on(asked: str, given: str, holds: bool) -> None:
    (compared,) = facts(f"{asked}\n    count = 1\n    report({given})").compared
    assert [(each.end, each.acts) for each in compared.outcomes] == [("end", (("report", holds),))]


@pytest.mark.parametrize("given", ["found", "kind", "error"])
def test_what_a_case_hands_on(given: str) -> None:
    match = "error = found['error']\nkind = error['type']\nmatch kind:\n    case 'lost':"
    (compared,) = facts(f"{match}\n        count = 1\n        report({given})\n        return 1").compared
    assert [(each.end, each.acts) for each in compared.outcomes] == [("return", (("report", True),))]


def test_the_loop_around_a_branch() -> None:
    branch = "    if each['error']['type'] == 'lost':\n        break"
    assert [each.loop for each in facts(f"for each in found:\n{branch}").compared] == ["items"]
    assert [each.loop for each in facts(f"while found:\n{branch}").compared] == ["rounds"]
    assert [each.loop for each in facts("if found['error']['type'] == 'lost':\n    give()").compared] == [""]


LOOKED = {
    "an entry": ("return found['error']['text']", ["text found"]),
    "an entry by `get`": ("return found['error'].get('text')", ["text found"]),
    "an entry of a name": ("error = found['error']\nreturn error['text']", ["text found"]),
    "an entry of what is called there": ("return find()['error']['text']", ["text find()"]),
    "two of them": ("return found['error']['text'], found['error']['code']", ["code found", "text found"]),
    "one of them twice": ("return found['error']['text'] + found['error']['text']", ["text found"]),
    "an entry that only the run knows": ("return found['error'][book]", []),
    "what stands below the key": ("return found['error']", []),
    "an entry of something else": ("return found['book']['text']", []),
    "an entry of an entry of something below the key": ("return found['error']['book']['text']", ["book found"]),
    "another method": ("return found['error'].pop('text')", []),
}


@pytest.mark.parametrize(("body", "expected"), LOOKED.values(), ids=LOOKED)
def test_which_fields_of_a_record_are_read(body: str, expected: list[str]) -> None:
    assert sorted(f"{each.key} {shown(each.origin)}" for each in facts(body).looked) == expected


BUILDER = "def failure(kind):\n    return {'error': {'type': kind}}\n"

TOLD = {
    "what builds a record": ("return failure(book)", BUILDER, ["failure(book)"]),
    "a method of that name": ("return self.failure(book)", BUILDER, ["self.failure(book)"]),
    "what builds a record by names": (
        "return failure(book)",
        "def failure(kind):\n    return dict(error=dict(type=kind))\n",
        ["failure(book)"],
    ),
    "what is told a word of the policy": ("log('retry', book)", "", ["log('retry', book)"]),
    "what is told such a word by name": ("log(book, kind='lost')", "", ["log(book, kind='lost')"]),
    "what is told such a word behind a star": ("log(*'lost')", "", ["log(*='lost')"]),
    "what is looked up and told such a word": ("LOGS[book]('lost')", "", ["LOGS('lost')"]),
    "what is told another word": ("log('shown', book, kind='torn')", "", []),
    "what makes other dicts": ("return failure(book)", "def failure(kind):\n    return {'type': kind}\n", []),
    "what makes records that say nothing": (
        "return failure(book)",
        "def failure(text):\n    return {'error': {'text': text}}\n",
        [],
    ),
    "what speaks of records in names alone": (
        "return failure(book)",
        "def failure(error, type):\n    return error(type)\n",
        [],
    ),
    "what speaks of records in a text with holes": (
        "return failure(book)",
        "def failure(kind):\n    return f'error{kind}type'\n",
        [],
    ),
    "what speaks of records in a hole of a text": (
        "return failure(book)",
        "def failure(kind):\n    return f\"{kind['error']} {kind['type']}\"\n",
        ["failure(book)"],
    ),
    "what is only named": ("return failure", BUILDER, []),
}


@pytest.mark.parametrize(("body", "more", "expected"), TOLD.values(), ids=TOLD)
def test_which_calls_may_tell_an_error(body: str, more: str, expected: list[str]) -> None:
    assert [shown(each.value) for each in facts(body, more).told] == expected


def test_what_comes_of_what_a_call_tells() -> None:
    (told,) = facts("answer = failure(book)\nreport(answer)\nreturn answer", BUILDER).told
    assert [(each.end, dict(each.acts)["report"]) for each in told.outcomes] == [("record", True)]
    (alone,) = facts("failure(book)\nreport(book)\nreturn found", BUILDER).told
    assert [(each.end, dict(each.acts)["report"]) for each in alone.outcomes] == [("return", False)]


def test_a_record_is_told_again_behind_another_one() -> None:
    first, second = records(f"report({LOST})\nclose()\nreturn {LOST}")
    assert [(each.span.line - 1, [name for name, _ in each.acts]) for each in first.reached] == [
        (3, ["report", "close"])
    ]
    assert second.reached == ()


def test_of_many_records_the_first_are_told() -> None:
    body = "\n".join(f"report({LOST})" for _ in range(210))
    assert len(records(body)) == 200
