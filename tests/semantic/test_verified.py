"""Whether the error of a write without an answer names the call that shows if it was made."""

from __future__ import annotations

from textwrap import indent

import pytest
from judged_texts import astray

SETTINGS = """\
[codes]
prefix = "[{code}] "
prefixed = ["ToolError"]
writes = ["*.post"]

[exceptions]
root = ["ToolError"]

[hints.verify]
add_book = "find_book"
drop_book = "list_books(view=\\"full\\", limit=9)"
"""
HEAD = """\
from kit import ADVICE, ToolError, advice, shop

HOW = "use find_book to look"
WRONG = "use list_books to look"
VERIFY = {"add_book": "find_book", "drop_book": 'list_books(view="full", limit=9)'}
OTHERS = {"drop_book": "find_book"}  # error: `drop_book` is verified by another call than `list_books(view="full"
NAMED = {"add_book": WRONG}
HALF = {"drop_book": 'list_books(view="full")'}  # error: `drop_book` is verified by another call
UNKNOWN = {"look": "find_book"}
MADE = {"add_book": advice()}


"""
HEAD = HEAD.replace('WRONG = "use list_books to look"', 'WRONG = "use list_books"  # error: `add_book` is verified by')


def taken(name: str) -> str:
    """Return the lines above without the marks of all tables but one."""
    lines = []
    for line in HEAD.splitlines():
        is_wanted = line.startswith(f"{name} =") or (name == "NAMED" and line.startswith("WRONG ="))
        lines.append(line if is_wanted else line.partition("  # error:")[0])
    return "\n".join([*lines, "", ""])


ASKS = "  # error: `shop.add_book` may have been done although the connection failed; name `find_book` in a hint"
WRITE = "try:\n    return shop.{call}(book)\nexcept {caught}:\n    raise {error}{mark}"


def write(
    error: str, mark: str = "", caught: str = "TimeoutError", call: str = "add_book", table: str = ""
) -> list[str]:
    """Return how the findings of a write differ from its marks."""
    body = WRITE.format(call=call, caught=caught, error=error, mark=mark)
    text = f"{taken(table)}def sell(book, tool, details, error):\n{indent(body, '    ')}\n"
    return astray({"shop.py": text}, SETTINGS, "ERR408")


ERRORS = {
    "no call": ("ToolError('no answer')", ASKS),
    "the call": ("ToolError('no answer; use find_book')", ""),
    "another call": ("ToolError('no answer; use find_books_of')", ""),
    "an error of the connection in a text": ("ToolError(f'no answer: {error}')", ASKS),
    "a constant": ("ToolError(HOW)", ""),
    "a function about it": ("ToolError(advice(tool))", ""),
    "a hint": ("ToolError('no answer', hints=['use find_book'])", ""),
    "another hint": ("ToolError('no answer', hints=['try again'])", ASKS),
    "what a table has": ("ToolError(f'no answer; {VERIFY[tool]}')", ""),
    "what a table has, by get": ("ToolError(f'no answer; {VERIFY.get(tool)}')", ""),
    "details that cannot be seen": ("ToolError('no answer', **details)", ""),
    "an error of another kind": ("OSError('no answer')", ""),
}


@pytest.mark.parametrize(("error", "mark"), ERRORS.values(), ids=ERRORS)
def test_a_failed_write_is_told_with(error: str, mark: str) -> None:
    assert write(error, mark) == []


ARGUMENTS = {
    "all of them": ('list_books(view="full", limit=9)', False),
    "all of them, otherwise quoted": ("list_books(view='full', limit=9)", False),
    "the name alone": ("list_books", True),
    "one of two": ('list_books(view="full")', True),
}


@pytest.mark.parametrize(("said", "is_told"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_the_call_has_to_be_named_with_its_arguments(said: str, is_told: bool) -> None:
    mark = '  # error: name `list_books(view="full", limit=9)` in a hint' if is_told else ""
    assert write(f"ToolError({said!r})", mark, call="drop_book") == []


UNANSWERED = {
    "a timeout": ("TimeoutError", "ToolError('no')", True),
    "a timeout of a library": ("shop.ReadTimeout", "ToolError('no')", True),
    "a connection that is lost": ("ConnectionError", "ToolError('no')", True),
    "one of several": ("(ValueError, ConnectionError)", "ToolError('no')", True),
    "something else": ("ValueError", "ToolError('no')", False),
    "something else, as a class that says so": ("ValueError", "ToolTimeoutError('no')", False),
    "something else, with a code that says so": ("ValueError", "ToolError('no', code='timeout')", True),
    "something else, with a constant that says so": ("ValueError", "ToolError('no', code=Codes.TIMEOUT.value)", True),
    "something else, with another code": ("ValueError", "ToolError('no', code='gone')", False),
    "something else, with another argument that says so": ("ValueError", "ToolError('no', text='timeout')", False),
    "something else, with a message that says so": ("ValueError", "ToolError('[timeout] no')", True),
    "something else, with another message": ("ValueError", "ToolError('[gone] no')", False),
}


@pytest.mark.parametrize(("caught", "error", "is_told"), UNANSWERED.values(), ids=UNANSWERED)
def test_no_answer_came_where_what_is_caught_is(caught: str, error: str, is_told: bool) -> None:
    assert write(error, ASKS if is_told else "", caught) == []


def test_a_class_of_the_policy_may_say_that_no_answer_came() -> None:
    text = (
        "from kit import ToolTimeoutError, shop\n\n\ndef sell(book):\n    try:\n        shop.add_book(book)\n"
        f"    except ValueError:\n        raise ToolTimeoutError('no'){ASKS}\n"
    )
    settings = SETTINGS.replace('root = ["ToolError"]', 'root = ["ToolTimeoutError"]')
    assert astray({"shop.py": text}, settings, "ERR408") == []


def test_a_write_of_which_the_policy_knows_no_call_needs_none() -> None:
    assert write("ToolError('no')", call="look_at") == []


TABLES = {
    "the right call": "VERIFY",
    "another call": "OTHERS",
    "a constant with another call": "NAMED",
    "a call with an argument less": "HALF",
    "a write that the policy does not know": "UNKNOWN",
    "what only the run knows": "MADE",
}


@pytest.mark.parametrize("name", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("look", ["{}[tool]", "{}.get(tool)", "{}.get(tool, '')"])
def test_a_table_has_for_a_write(name: str, look: str) -> None:
    assert write(f"ToolError(f'[timeout] no answer; {{{look.format(name)}}}')", table=name) == []


def test_a_table_is_looked_at_only_where_the_error_of_a_failed_connection_takes_from_it() -> None:
    assert write("ToolError(f'[gone] no answer; {OTHERS[tool]}')", caught="ValueError") == []
    assert write("ToolError(f'no answer; {OTHERS.pop(tool)}')") == []


def test_the_code_of_the_message_may_say_that_no_answer_came() -> None:
    assert write("ToolError(f'[timeout] no answer; {OTHERS[tool]}')", caught="ValueError", table="OTHERS") == []


def test_of_tables_that_are_alike_the_one_that_is_asked_is_told() -> None:
    texts = {
        "advice.py": (
            "FIRST = {'add_book': 'list_books'}\n"
            "SECOND = {'add_book': 'list_books'}  # error: `add_book` is verified by another call\n"
        ),
        "shop.py": (
            "from advice import SECOND\nfrom kit import ToolError, shop\n\n\ndef sell(book, tool):\n    try:\n"
            "        shop.add_book(book)\n    except TimeoutError:\n"
            "        raise ToolError(f'[timeout] {SECOND[tool]}')\n"
        ),
    }
    assert astray(texts, SETTINGS, "ERR408") == []
    named = {
        "advice.py": (
            "SIZE = 3\nSECOND = {'add_book': 'list_books'}  # error: `add_book` is verified by another call\n"
        ),
        "shop.py": texts["shop.py"].replace("import SECOND", "import SECOND as TABLE").replace("{SECOND[", "{TABLE["),
    }
    assert astray(named, SETTINGS, "ERR408") == []


def test_a_table_may_stand_in_the_function_or_in_another_file() -> None:
    local = (
        "from kit import ToolError, shop\n\n\ndef sell(book, tool):\n    try:\n        shop.add_book(book)\n"
        "    except TimeoutError:\n        advice = {'add_book': 'list_books'}\n"
        "        raise ToolError(f'[timeout] {advice[tool]}')  # error: `add_book` is verified by another call\n"
    )
    assert astray({"shop.py": local}, SETTINGS, "ERR408") == []
    texts = {
        "advice.py": "BY_WRITE = {'add_book': 'list_books'}  # error: `add_book` is verified by another call\n",
        "shop.py": (
            "from advice import BY_WRITE\nfrom kit import ToolError, shop\n\n\ndef sell(book, tool):\n    try:\n"
            "        shop.add_book(book)\n    except TimeoutError:\n"
            "        raise ToolError(f'[timeout] {BY_WRITE[tool]}')\n"
        ),
    }
    assert astray(texts, SETTINGS, "ERR408") == []
