"""What a boundary does about each kind of exception, way by way (ERR211 and others)."""

from __future__ import annotations

import pytest

from errlint.collect import collect
from errlint.facts import ExceptionHandling
from errlint.index.vocabulary import Vocabulary


def ways(body: str) -> tuple[ExceptionHandling, ...]:
    """Return the ways through a boundary that is told the exception."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    functions = collect(
        f"async def guard(error, book):\n{lines}", Vocabulary(boundaries=frozenset({"guard"}))
    ).functions
    (found,) = (each for each in functions if each.name == "guard")
    return found.ways


def told(body: str) -> list[str]:
    """Return the ways in short: the line, the classes, the lines of what is done (`?` perhaps), and how it ends."""
    return [
        f"{way.span.line - 1} {'except ' if way.is_caught else ''}{'|'.join(way.types)}"
        f" {' '.join(f'{step.span.line - 1}' + ('' if step.is_sure else '?') for step in way.steps)} {way.exit}"
        for way in ways(body)
    ]


WAYS = {
    "what asks nothing": ("log(error)\nreturn 500", ["0  1 2 return"]),
    "what ends": ("log(error)", ["0  1 end"]),
    "what does nothing": ("pass", ["0   end"]),
    "what raises": ("raise error", ["0  1 raise"]),
    "a class that is asked for": (
        "if isinstance(error, LostError):\n    return 404\nreturn 500",
        ["1 LostError 2 return", "3  3 return"],
    ),
    "several classes": (
        "if isinstance(error, (LostError, TORN[0])):\n    return 404\nreturn 500",
        ["1 LostError|? 2 return", "3  3 return"],
    ),
    "classes one after the other": (
        "if isinstance(error, LostError):\n    return 404\nelif isinstance(error, TornError):\n    return 410\n"
        "else:\n    return 500",
        ["1 LostError 2 return", "3 TornError 4 return", "6  6 return"],
    ),
    "a class that it is not": (
        "if not isinstance(error, LostError):\n    return 500\nreturn 404",
        ["2  2 return", "1 LostError 3 return"],
    ),
    "a class with a condition": (
        "if isinstance(error, LostError) and book:\n    return 404\nreturn 500",
        ["1 LostError 2 return", "3  3 return", "1 LostError 3 return"],
    ),
    "a class that is not, with a condition": (
        "if not isinstance(error, LostError) and book:\n    return 404\nreturn 500",
        ["0  2? return", "0  2? 3 return"],
    ),
    "a class with a condition that is not": (
        "if not (isinstance(error, LostError) and book):\n    return 404\nreturn 500",
        ["0  2? return", "0  2? 3 return"],
    ),
    "a class, or a condition": (
        "if isinstance(error, LostError) or book:\n    return 404\nreturn 500",
        ["0  2? return", "0  2? 3 return"],
    ),
    "a condition": ("if book:\n    return 404\nreturn 500", ["0  2? return", "0  2? 3 return"]),
    "a condition with two ends": (
        "if book:\n    return 404\nelse:\n    raise error\nlog(error)",
        ["0  2? 4? raise", "0  2? 4? return", "0  2? 4? 5 end"],
    ),
    "the class of something else": (
        "if isinstance(found, LostError):\n    return 404\nreturn 500",
        ["0  2? return", "0  2? 3 return"],
    ),
    "a question of another name": (
        "if issubclass(error, LostError):\n    return 404\nreturn 500",
        ["0  2? return", "0  2? 3 return"],
    ),
    "a question without a class": (
        "if isinstance(error):\n    return 404\nreturn 500",
        ["0  2? return", "0  2? 3 return"],
    ),
    "a branch that goes on": (
        "if isinstance(error, LostError):\n    log(error)\nreturn 500",
        ["1 LostError 2 3 return", "3  3 return"],
    ),
    "what is never reached": (
        "return 500\ntry:\n    book()\nexcept LostError:\n    return 404",
        ["0  1 return"],
    ),
    "a loop": ("for each in book:\n    log(each)\nreturn 500", ["0  2? 3 return"]),
    "a context": ("with lock:\n    log(error)\nreturn 500", ["0  1 2 3 return"]),
    "contexts below a condition": (
        "if book:\n    async with lock, shelf:\n        log(error)\nreturn 500",
        ["0  2? 2? 3? 4 return"],
    ),
    "a function inside": ("def log():\n    find()\nreturn 500", ["0  3 return"]),
    "a class inside": ("class Log:\n    found = 1\nreturn 500", ["0  3 return"]),
    "what is caught": (
        "try:\n    return await book()\nexcept (LostError, errors.TornError) as caught:\n    return 404\n"
        "except Exception:\n    log()\n    raise",
        ["0  2 return", "3 except LostError|errors.TornError 4 return", "5 except Exception 6 raise"],
    ),
    "what is caught, whatever it is": ("try:\n    book()\nexcept:\n    return 404", ["3 except  4 return", "0  2 end"]),
    "what goes on behind a try": (
        "try:\n    found = book()\nexcept LostError:\n    found = 404\nelse:\n    log()\nfinally:\n    close()\n"
        "return found",
        ["0  2 6 8 9 return", "3 except LostError 4 8 9 return"],
    ),
    "a class that is asked for of what is caught": (
        "try:\n    book()\nexcept Exception as caught:\n    if isinstance(caught, LostError):\n        return 404\n"
        "    raise",
        ["4 except LostError 5 return", "6 except Exception  raise", "0  2 end"],
    ),
    "a class of what was caught somewhere else": (
        "try:\n    book()\nexcept LostError as caught:\n    pass\nif isinstance(caught, TornError):\n    return 404",
        ["0  2 6? return", "3 except LostError 6? return", "0  2 6? end", "3 except LostError 6? end"],
    ),
    "a try about what is caught": (
        "try:\n    book()\nexcept LostError:\n    try:\n        log()\n    except OSError:\n        pass\n    raise",
        ["3 except LostError 5? raise", "0  2 end"],
    ),
    "a try about what was asked for": (
        "if isinstance(error, LostError):\n    try:\n        log()\n    except OSError:\n        pass\n    return 404",
        ["1 LostError 3? 6 return"],
    ),
    "a match": (
        "match error:\n    case LostError():\n        return 404\n    case errors.TornError() | OSError() as found:\n"
        "        return 410\n    case _:\n        return 500\nreturn 0",
        ["3 LostError 3 return", "5 errors.TornError|OSError 5 return", "7  7 return"],
    ),
    "a match that may meet nothing": (
        "match error:\n    case LostError():\n        return 404\nreturn 500",
        ["3 LostError 3 return", "4  4 return"],
    ),
    "a last case with a condition": (
        "match error:\n    case _ if book:\n        return 404\nreturn 500",
        ["3  3 return", "4  4 return"],
    ),
    "a case of something else": (
        "match error:\n    case 'lost':\n        return 404\nreturn 500",
        ["3 ? 3 return", "4  4 return"],
    ),
    "a match of something else": (
        "match found:\n    case LostError():\n        return 404\nreturn 500",
        ["0  3? return", "0  3? 4 return"],
    ),
}


@pytest.mark.parametrize(("body", "expected"), WAYS.values(), ids=WAYS)
def test_the_ways_through(body: str, expected: list[str]) -> None:
    assert sorted(told(body)) == sorted(expected)


STEPS = {
    "a call": ("log(error)", [("", "")]),
    "a name": ("found = log(error)", [("found", "")]),
    "an attribute": ("self.found = log(error)", [("self.found", "")]),
    "an entry": ("found['code'] = log(error)", [("found", "code")]),
    "an entry that only the run knows": ("found[book] = log(error)", [("found", "")]),
    "an entry of an attribute": ("self.found['code'] = log(error)", [("self.found", "code")]),
    "what is entered": ("with lock as held:\n    pass", [("held", "")]),
    "a declaration": ("found: int", []),
    "what has no value": ("pass", []),
    "a bare raise": ("raise", []),
}


@pytest.mark.parametrize(("body", "expected"), STEPS.values(), ids=STEPS)
def test_what_a_step_binds(body: str, expected: list[tuple[str, str]]) -> None:
    (way,) = ways(body)
    assert [(step.target, step.key) for step in way.steps] == expected


def test_the_exception_is_told_by_its_name() -> None:
    body = "if isinstance(error, LostError):\n    return 1\ntry:\n    book()\nexcept OSError as caught:\n    return 2"
    assert sorted((way.name, way.types) for way in ways(body)) == [
        ("", ()),
        ("caught", ("OSError",)),
        ("error", ("LostError",)),
    ]
    match = "match error:\n    case LostError():\n        return 1\n    case _:\n        return 2"
    assert [way.name for way in ways(match)] == ["error", "error"]


@pytest.mark.parametrize("count", [64, 65, 200])
def test_a_function_with_too_many_ways_is_given_up(count: int) -> None:
    asked = "\n".join(f"if isinstance(error, Error{number}):\n    return {number}" for number in range(count - 1))
    assert len(ways(f"{asked}\nreturn 0")) == (count if count < 65 else 0)


@pytest.mark.parametrize("count", [6, 7, 12])
def test_a_function_whose_ways_are_doubled_again_and_again_is_given_up(count: int) -> None:
    asked = "\n".join(f"if isinstance(error, Error{number}):\n    log({number})" for number in range(count))
    assert len(ways(f"{asked}\nreturn 0")) == (64 if count == 6 else 0)


@pytest.mark.parametrize("count", [64, 65, 200])
def test_a_match_with_too_many_cases_is_given_up(count: int) -> None:
    cases = "".join(f"    case Error{number}():\n        return {number}\n" for number in range(count - 1))
    assert len(ways(f"match error:\n{cases}    case _:\n        return 0")) == (count if count < 65 else 0)
