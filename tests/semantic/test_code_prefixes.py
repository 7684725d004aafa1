"""Messages that begin with their code, where the policy wants it, and those that do not."""

from __future__ import annotations

from textwrap import indent

import pytest
from judged_texts import findings, project_of

CONFIG = """\
[codes]
prefix = "[{code}] "
prefixed = ["ToolError", "BookError"]
vocabulary = { lost = {}, late = {} }
"""

HEAD = """\
from fastmcp.exceptions import ToolError

FOUND = "[lost]"
LOST = "lost"


def find(title, error_code):
"""


def told(body: str) -> list[int]:
    """Return the lines of a function that raises with messages without a code, counted from its first."""
    texts = {"server.py": f"{HEAD}{indent(body, '    ')}\n"}
    return [each.span.line - HEAD.count("\n") for each in findings(texts, CONFIG, rules=["ERR305"])]


WITHOUT = {
    "no code": "raise ToolError('no book')",
    "no code, by a keyword": "raise ToolError(message='no book')",
    "the bare code": "raise ToolError('lost: no book')",
    "the bare code of a constant": "raise ToolError(f'{LOST} no book')",
    "the bare code of an argument": "raise ToolError(f'{error_code} no book')",
    "what is no code": "raise ToolError('[no book] there is none')",
    "an open bracket": "raise ToolError('[lost no book')",
    "a hole in an open bracket": "raise ToolError(f'[{error_code} no book')",
    "a hole in an open bracket at the end": "raise ToolError(f'[{error_code}')",
    "nothing in brackets": "raise ToolError('[] no book')",
    "an open bracket alone": "raise ToolError('[')",
    "a bracket further on": "raise ToolError('No book [lost] here')",
    "another bracket": "raise ToolError('(lost) no book')",
    "an exception that is answered": "return ToolError('no book')",
}


@pytest.mark.parametrize("body", WITHOUT.values(), ids=WITHOUT)
def test_a_message_has_no_code_in_front(body: str) -> None:
    assert told(body) == [1]


WITH = {
    "the code": "raise ToolError('[lost] no book')",
    "the code, by a keyword": "raise ToolError(message='[lost] no book')",
    "the code without a blank": "raise ToolError('[lost]no book')",
    "a code of words": "raise ToolError('[not_found_] no book')",
    "a code in a hole": "raise ToolError(f'[{error_code}] no book')",
    "a code in a hole, without a blank": "raise ToolError(f'[{error_code}]: {title}')",
    "a code of a constant": "raise ToolError(f'[{LOST}] no book')",
    "a text that may have the code": "raise ToolError(f'{title} no book')",
    "a constant that has the code": "raise ToolError(f'{FOUND} no book')",
    "a message that is given": "raise ToolError(title)",
    "nothing": "raise ToolError()",
    "something else by a keyword": "raise ToolError(name='no book')",
    "another exception": "raise OtherError('no book')",
    "the class alone": "raise ToolError",
    "a text that is answered": "return 'no book'",
}


@pytest.mark.parametrize("body", WITH.values(), ids=WITH)
def test_a_message_has_or_may_have_its_code_in_front(body: str) -> None:
    assert told(body) == []


def test_without_a_prefix_no_message_has_to_begin_with_anything() -> None:
    texts = {"server.py": f"{HEAD}    raise ToolError('no book')\n"}
    assert findings(texts, "[codes]\nprefixed = ['ToolError']\n", rules=["ERR305"]) == []
    assert findings(texts, "[codes]\nprefix = '[{code}] '\n", rules=["ERR305"]) == []


def test_a_prefix_may_begin_with_the_code() -> None:
    config = CONFIG.replace('"[{code}] "', '"{code}: "')
    bodies = {
        "raise ToolError('lost: no book')": 0,
        "raise ToolError(f'{error_code}: no book')": 0,
        "raise ToolError('no book')": 1,
        "raise ToolError('no book: lost')": 1,
    }
    for body, count in bodies.items():
        assert len(findings({"server.py": f"{HEAD}    {body}\n"}, config, rules=["ERR305"])) == count


INIT = "def __init__(self, text, code=None):\n    "

GIVEN = "def __init__(self, code, text):\n    "

CONSTRUCTORS = {
    "one that writes the code": (f"{INIT}super().__init__(f'[{{code}}] {{text}}')", "'no book'", ""),
    "one that hands a text of its own on": (f"{INIT}super().__init__(f'no book {{text}}')", "'no book'", "constructor"),
    "one that hands on what it is given": (f"{GIVEN}super().__init__(text)", "'lost', 'no book'", "constructor"),
    "one that hands on what it is given, with a code that may be none": (
        f"{INIT}super().__init__(text)",
        "'no book'",
        "raise",
    ),
    "one that hands on what it is given, of a class without a code": (
        "def __init__(self, text):\n    super().__init__(text)",
        "'no book'",
        "raise",
    ),
    "one that hands on what it is given by its name": (
        f"{GIVEN}Exception.__init__(self, text)",
        "'lost', 'no book'",
        "constructor",
    ),
    "one that hands on what is given with a code": (f"{INIT}super().__init__(text)", "'[lost] no book'", ""),
    "one that hands on what is given otherwise": (
        "def __init__(self, name, text, code=None):\n    super().__init__(text)",
        "'no book', title",
        "",
    ),
    "one that hands on something else": (f"{INIT}super().__init__(LOST)", "'no book'", "constructor"),
    "one that hands on what only the run knows": (f"{INIT}super().__init__(shown(text))", "'no book'", ""),
    "one that hands on nothing": (f"{INIT}super().__init__()", "'no book'", ""),
    "one that calls nothing": (f"{INIT}self.text = text", "'no book'", ""),
    "one of a class that writes the code when it is shown": (
        f"{INIT}super().__init__(text)\n\ndef __str__(self):\n    return f'[{{self.code}}] {{self.text}}'",
        "'no book'",
        "",
    ),
    "one with a text of its own, of a class that writes the code when it is shown": (
        f"{INIT}super().__init__('no book')\n\ndef __str__(self):\n    return f'[{{self.code}}] {{self.text}}'",
        "'no'",
        "",
    ),
    "one that calls something before": (f"{INIT}tell('no book')\n    super().__init__(f'[{{code}}] no')", "'no'", ""),
    "one that calls something before it hands on a text of its own": (
        f"{INIT}tell(f'[{{code}}] no')\n    super().__init__('no book')",
        "'no'",
        "constructor",
    ),
    "none, and a class that writes the code when it is shown": (
        "def __str__(self):\n    return f'[{self.code}] {self.text}'",
        "'no book'",
        "",
    ),
    "none": ("code = 'lost'", "'no book'", "raise"),
    "one of a class with a code": (
        "code = 'lost'\n\ndef __init__(self, text):\n    super().__init__(text)",
        "'no book'",
        "constructor",
    ),
    "one of a class whose code is none": (
        "code = None\n\ndef __init__(self, text):\n    super().__init__(text)",
        "'no book'",
        "raise",
    ),
    "one that stores a code": (
        "def __init__(self, text):\n    super().__init__(text)\n    self.code = 'lost'",
        "'no book'",
        "constructor",
    ),
    "one that stores the code which it is given": (
        "def __init__(self, text, kind='lost'):\n    super().__init__(text)\n    self.code = kind",
        "'no book'",
        "constructor",
    ),
    "one that stores something else": (
        "def __init__(self, text, kind='lost'):\n    super().__init__(text)\n    self.kind = kind",
        "'no book'",
        "raise",
    ),
}


@pytest.mark.parametrize(("code", "given", "where"), CONSTRUCTORS.values(), ids=CONSTRUCTORS)
def test_a_message_without_a_code_is_the_fault_of(code: str, given: str, where: str) -> None:
    definition = f"LOST = 'no book'\n\n\nclass BookError(Exception):\n{indent(code, '    ')}\n\n\n"
    text = f"{definition}def find(title):\n    raise BookError({given})\n"
    found = findings({"server.py": text}, CONFIG, rules=["ERR305"])
    last = text.count("\n")
    assert ["raise" if each.span.line == last else "constructor" for each in found] == [
        each for each in [where] if each
    ]


def test_a_constructor_is_not_at_fault_where_some_of_its_texts_have_the_code() -> None:
    text = (
        "class BookError(Exception):\n    def __init__(self, text, code):\n        super().__init__(text)\n\n\n"
        "def find(title):\n    if title:\n        raise BookError('[lost] no book', 'lost')\n"
        "    raise BookError('no book', 'lost')\n"
    )
    found = findings({"server.py": text}, CONFIG, rules=["ERR305"])
    assert [each.span.line for each in found] == [9]


USAGES = {
    "a code": ("'[lost] no book'", ["message lost"]),
    "a code of a constant": ("f'[{LOST}] no book'", ["message lost"]),
    "a code that is given": ("f'[{error_code}] no book'", []),
    "the name of a class": ("f'[{type(title).__name__}] no book'", ["named type(title).__name__"]),
    "none": ("'no book'", []),
}


@pytest.mark.parametrize(("message", "codes"), USAGES.values(), ids=USAGES)
def test_the_code_of_a_message_is_used(message: str, codes: list[str]) -> None:
    texts = {"server.py": f"{HEAD}    raise ToolError({message})\n"}
    usages = project_of(texts, CONFIG).codes.usages("server.py")
    assert [f"{each.how} {each.found.text}" for each in usages] == codes
