"""Structured envelopes at the end of messages: what is wrong with one, and when nothing is certain."""

from __future__ import annotations

from textwrap import indent

import pytest
from judged_texts import astray, project_of

from errlint.project.envelopes import flaw, messages

SETTINGS = """\
[exceptions]
root = ["ShopError"]

[codes]
prefix = "[{code}] "
prefixed = ["ToolError"]
suffix = "[envelope] "
suffix-kind = "kind"
suffix-fields = ["kind", "hints"]
"""
HEAD = """\
import json

from kit import ToolError, packed


class ShopError(Exception):
    pass


class OtherError(Exception):
    pass


def written(kind, hints):
    return json.dumps({"kind": kind, "hints": hints})


def short(kind):
    return json.dumps({"kind": kind})


def spelt(kind):
    return str({"kind": kind, "hints": []})


def of_two(kind):
    if kind:
        return json.dumps({"kind": kind})
    return json.dumps({})


def whole(kind):
    return f"[gone] no [envelope] {json.dumps({'kind': kind})}"  # error: lacks `hints`


"""


def raised(body: str, settings: str = SETTINGS, around: str = "") -> list[str]:
    """Return how the findings of a function with this body differ from its marks."""
    text = f"{HEAD}def sell(title, kind, more):\n{indent(body, '    ')}\n{around}"
    return astray({"shop.py": text}, settings, "ERR411")


WRITTEN = {
    "a whole one": 'raise ToolError(\'[gone] no [envelope] {"kind": "gone", "hints": []}\')',
    "no JSON": "raise ToolError('[gone] no [envelope] kind=gone')  # error: is not JSON",
    "a list": "raise ToolError('[gone] no [envelope] []')  # error: is no JSON object",
    "no hints": 'raise ToolError(\'[gone] no [envelope] {"kind": "gone"}\')  # error: lacks `hints`',
    "nothing": "raise ToolError('[gone] no [envelope] {}')  # error: lacks `kind`, `hints`",
    "another kind": (
        'raise ToolError(\'[gone] no [envelope] {"kind": "sold", "hints": []}\')'
        "  # error: has 'sold' as `kind`, but the message begins with 'gone'"
    ),
    "a kind behind no code": 'raise ToolError(\'no [envelope] {"kind": "sold", "hints": []}\')',
    "a kind that is no text": 'raise ToolError(\'[gone] no [envelope] {"kind": 7, "hints": []}\')',
    "no envelope": "raise ToolError('[gone] no')",
    "one in a class of the project": "raise ShopError('[gone] no [envelope] []')  # error: is no JSON object",
    "no text": "raise ToolError(kind)",
    "one in a class of somebody else": "raise OSError('[gone] no [envelope] []')",
    "one that is answered": "return '[gone] no [envelope] []'  # error: is no JSON object",
    "one that is answered in the exception": "return ToolError('[gone] no [envelope] []')  # error: is no JSON object",
    "one that is answered in something else": "return packed('[gone] no [envelope] []')",
}
PUT_IN = {
    "a dict": "{more_dict}  # error: is the text of a dict, not JSON; use json.dumps",
    "what a parameter is": "{more}",
    "the text of a parameter": "{str(more)}  # error: is the text of a dict, not JSON",
    "its representation": "{repr(more)}  # error: is the text of a dict, not JSON",
    "dumps of a whole dict": "{json.dumps(full)}",
    "dumps of a short dict": "{json.dumps(short_dict)}  # error: lacks `hints`",
    "dumps of what cannot be seen": "{json.dumps(more)}",
    "dumps of a dict with others": "{json.dumps({'kind': kind, **more})}",
    "dumps of another kind": "{json.dumps({'kind': 'sold', 'hints': []})}  # error: has 'sold' as `kind`",
    "dumps of the same kind": "{json.dumps({'kind': 'gone', 'hints': []})}",
    "dumps of nothing": "{json.dumps()}",
    "dumps with its kind under another key": (
        "{json.dumps({'code': 'gone', 'hints': []})}  # error: has its kind as `code`; write it as `kind`"
    ),
    "what a function of the project writes": "{written(kind, [])}",
    "a short one that a function of the project writes": "{short(kind)}  # error: lacks `hints`",
    "what a function of another package writes": "{packed(kind)}",
    "what a function with two answers writes": "{of_two(kind)}",
    "a function that writes a dict": "{spelt(kind)}",
    "a function that is looked at by itself": "{whole(kind)}",
    "a method of what only the run knows": "{more.text()}",
    "dumps and more text": "{json.dumps(full)} and more  # error: is followed by more text; it has to be the last",
    "dumps and a line end": "{json.dumps(full)}\\n",
    "a name and more text": "{more} and more",
    "text before the dict": "about {json.dumps(short_dict)}",
}
DICTS = "more_dict = {'kind': kind}\nfull = {'kind': kind, 'hints': []}\nshort_dict = {'kind': kind}\n"


@pytest.mark.parametrize("body", WRITTEN.values(), ids=WRITTEN)
def test_an_envelope_that_is_written_out(body: str) -> None:
    assert raised(body) == []


@pytest.mark.parametrize("part", PUT_IN.values(), ids=PUT_IN)
def test_behind_the_suffix_stands(part: str) -> None:
    inner, _, mark = part.partition("  # error: ")
    end = f"  # error: {mark}" if mark else ""
    assert raised(f'{DICTS}raise ToolError(f"[gone] no [envelope] {inner}"){end}') == []


def test_a_kind_that_is_computed_as_the_code_is_the_same() -> None:
    body = "raise ToolError(f\"[{kind}] no [envelope] {json.dumps({%s: kind, 'hints': []})}\")"
    assert raised(body % "'kind'") == []
    assert raised(f"{body % chr(39).join(['', 'code', ''])}  # error: has its kind as `code`; write it as `kind`") == []
    assert raised((body % "'code'").replace("[{kind}]", "[{title}]") + "  # error: lacks `kind`") == []


def test_a_text_is_put_together_from_names() -> None:
    body = 'machine = f"[envelope] {more}"\nhead = "[gone] no"\nraise ToolError(f"{head} {machine}")'
    assert raised(body) == []
    dumped = body.replace("{more}", "{json.dumps({'kind': 'sold', 'hints': []})}")
    assert raised(f"{dumped}  # error: has 'sold' as `kind`, but the message begins with 'gone'") == []


KEYWORDS = """\


def fail(message, **fields):
    return ToolError(f"{{message}} [envelope] {{json.dumps({spread})}}"){mark}
{calls}
"""
GIVEN = {
    "keywords that no caller gives": ("{'kind': message, **fields}", "  # error: lacks `hints`", "fail('a', url='b')"),
    "keywords that a caller gives": ("{'kind': message, **fields}", "", "fail('a', hints=[])"),
    "keywords that a caller hands on": ("{'kind': message, **fields}", "", "fail('a', **more)"),
    "keywords of which one has a name that only the run knows": (
        "{'kind': message, KEY: 1, **fields}",
        "",
        "fail('a', url='b')",
    ),
    "something else besides": ("{'kind': message, **MORE, **fields}", "", "fail('a', url='b')"),
    "keywords that nobody calls with": ("{'kind': message, **fields}", "", "print('a')"),
}


@pytest.mark.parametrize(("spread", "mark", "call"), GIVEN.values(), ids=GIVEN)
def test_an_envelope_is_spread_from(spread: str, mark: str, call: str) -> None:
    calls = f"\n\ndef stop(more):\n    raise {call}\n"
    around = KEYWORDS.format(spread=spread, mark=mark, calls=calls)
    assert raised("return 1", around=around) == []


def test_without_a_prefix_no_kind_is_compared() -> None:
    settings = SETTINGS.replace('prefix = "[{code}] "\n', "")
    assert raised('raise ToolError(\'[gone] no [envelope] {"kind": "sold", "hints": []}\')', settings) == []
    assert raised("raise ToolError('[gone] no [envelope] []')  # error: is no JSON object", settings) == []


def test_without_a_kind_none_is_compared() -> None:
    settings = SETTINGS.replace('suffix-kind = "kind"\n', "")
    assert raised('raise ToolError(\'[gone] no [envelope] {"kind": "sold", "hints": []}\')', settings) == []


FINE = [*(body for body in WRITTEN.values() if "# error" not in body)] + [
    f'{DICTS}raise ToolError(f"[gone] no [envelope] {part}")' for part in PUT_IN.values() if "# error" not in part
]


@pytest.mark.parametrize("body", FINE)
def test_nothing_is_said_as_an_empty_text(body: str) -> None:
    text = f"{HEAD}def sell(title, kind, more):\n{indent(body, '    ')}\n"
    project = project_of({"shop.py": text}, SETTINGS, rules=("ERR411",))
    codes = project.policy("shop.py").codes
    said = [
        flaw(project, "shop.py", function, message, codes)
        for function, _, message in messages(project, "shop.py")
        if function.name == "sell"
    ]
    assert {*said} <= {""}
