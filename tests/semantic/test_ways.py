"""How values come from one statement to the next, and which statement gave a dict the keys that tell of an error."""

from __future__ import annotations

import pytest
from test_flow import function, shown

REACHING = {
    "a loop that is left after a value": ("while True:\n r = 1\n if a:\n  break\n r = 2\nreturn r", "r<1>"),
    "a loop without end": ("while True:\n b()\nelse:\n r = 1\nreturn r", "r"),
    "a loop without end, by a number": ("while 1:\n b()\nelse:\n r = 1\nreturn r", "r"),
    "a loop that does not run": ("while 0:\n b()\nelse:\n r = 1\nreturn r", "r<1>"),
    "the else of a loop": ("r = 0\nwhile a:\n r = 1\nelse:\n return r", "r<0 | 1>"),
    "behind the else of a loop": (
        "r = 0\nfor x in a:\n if x:\n  r = 1\n  break\n r = 2\nelse:\n r = 3\nreturn r",
        "r<3 | 1>",
    ),
    "what the round before has done": (
        "r = 0\nq = 0\nfor x in a:\n q = r\n r = 1\nreturn q",
        "q<0 | r<0 | 1>>",
    ),
    "a round that goes on at once": ("r = 0\nfor x in a:\n continue\n r = 1\nreturn r", "r<0>"),
    "a round that the else of an inner loop ends": (
        "r = 0\nfor x in a:\n for y in b:\n  if y:\n   break\n else:\n  continue\n r = 1\nreturn r",
        "r<0 | 1>",
    ),
    "a break of an inner loop": ("r = 0\nfor x in a:\n for y in b:\n  r = 1\n  break\n r = 2\nreturn r", "r<0 | 2>"),
    "a loop that binds in its condition": ("while (r := a()):\n return r", "r<a()>"),
    "a loop in a try": ("r = 0\ntry:\n for x in a:\n  r = 1\n  b()\nexcept E:\n return r", "r<0 | 1>"),
    "a try that raises itself": ("r = 0\ntry:\n r = 1\n raise X\nexcept E:\n return r", "r<0 | 1>"),
    "a try in a try": ("r = 0\ntry:\n try:\n  r = 1\n  b()\n except E:\n  r = 2\nexcept F:\n return r", "r<0 | 1>"),
    "a try in a try, and what comes before": (
        "r = 0\ntry:\n r = 1\n try:\n  b()\n except E:\n  raise\nexcept F:\n return r",
        "r<0 | 1>",
    ),
    "a clean-up behind an else": (
        "r = 0\ntry:\n r = 1\nexcept E:\n r = 2\nelse:\n r = 3\nfinally:\n return r",
        "r<3 | 2>",
    ),
    "a clean-up that nobody goes on from": ("r = 0\ntry:\n raise X\nfinally:\n r = 2\nreturn r", "r"),
    "a clean-up that is entered for an exception alone": (
        "r = 0\ntry:\n r = 1\n raise X\nfinally:\n return r",
        "r<0 | 1>",
    ),
    "a handler behind an answer": ("try:\n return b()\nexcept E:\n r = 1\nreturn r", "b(); r<1>"),
    "what is suppressed behind an answer": ("r = 0\nwith suppress(E):\n return 1\nreturn r", "1; r<0>"),
    "a context behind an answer": ("r = 0\nwith opened(E):\n return 1\nreturn r", "1; r"),
    "a last case with a name": ("match a:\n case 1:\n  r = 1\n case x:\n  r = 2\nreturn r", "r<1 | 2>"),
    "a last case with a condition": (
        "match a:\n case 1:\n  r = 1\n case x if x:\n  r = 2\nreturn r",
        "r<1 | 2 | ?>",
    ),
    "a last case with a pattern and a name": ("match a:\n case 1 as x:\n  r = 1\nreturn r", "r<1 | ?>"),
    "conditions without an else": ("if a:\n r = 1\nelif b:\n r = 2\nreturn r", "r<1 | 2 | ?>"),
    "a condition in an else": ("if a:\n r = 1\nelse:\n if b:\n  r = 2\n else:\n  r = 3\nreturn r", "r<1 | 2 | 3>"),
    "a second condition that binds": ("if (r := a()):\n b()\nelif (r := b()):\n b()\nreturn r", "r<a() | b()>"),
    "nothing, behind a raise": (
        "r = 0\nraise X\nfor x in a:\n return r\nwith a:\n return r\ntry:\n return r\nexcept E:\n return r\n"
        "match a:\n case 1:\n  return r",
        "r; r; r; r; r",
    ),
    "a definition": ("r = 1\ndef q(): ...\nreturn r", "r<1>"),
    "two contexts": ("with (q := a()) as p, (r := b()):\n return r", "r<b()>"),
    "the name of a context": ("r = 0\nwith a() as r:\n return r", "r<?>"),
    "a loop over it": ("r = 0\nasync for r in a:\n return r", "r<?>"),
    "a pattern with it": ("r = 0\nmatch a:\n case [r]:\n  return r", "r"),
    "a handler with its name": ("r = 0\ntry:\n b()\nexcept E as r:\n return r", "r"),
}


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
@pytest.mark.parametrize(("body", "values"), REACHING.values(), ids=REACHING)
def test_a_value_comes_by(body: str, values: str, use_ast: bool) -> None:
    found = sorted(function(body, use_ast=use_ast).returns, key=lambda each: each.span)
    assert "; ".join(shown(each.value) for each in found) == values


FILLED = {
    "a dict": ("r = {'error': a}", "r", "1 error"),
    "a dict with other keys": ("r = {'error': a, 'shelf': b, 1: 2, b: 3}", "r", "1 error"),
    "a dict without any": ("r = {'shelf': a}", "r", ""),
    "a declared dict": ("r: dict = {'error': a}", "r", "1 error"),
    "a dict with two names": ("q = r = {'error': a}", "r", "1 error"),
    "another name of a dict": ("q = {'error': a}\nr = q", "r", "1 error"),
    "a stored key": ("r = {'shelf': a}\nr['error'] = b", "r", "2 error"),
    "a key that is stored again": ("r = {'error': a}\nr['error'] = b", "r", "2 error"),
    "a key that is stored below another": ("r = {'data': {}}\nr['data']['error'] = b", "r", "2 data"),
    "an update": ("r = {}\nr.update(error=a, ok=False)", "r", "2 error,ok"),
    "a default": ("r = {}\nr.setdefault('error', a)", "r", "2 error"),
    "a dict that is made of it": ("r = {'error': a}\nr = {**r, 'ok': False}", "r", "1 error; 2 ok"),
    "a key that is stored in a loop": ("r = {}\nfor x in a:\n r['error'] = x", "r", "1 of 3 error, added"),
    "a dict that is made in a loop": ("for x in a:\n r = {'error': x}", "r", "1 of 2 error"),
    "two dicts": ("if a:\n r = {'error': a}\nelse:\n r = {'error': b}", "r", "2 error; 1 of 4 error"),
    "a dict that is handed over": ("r = {'error': a}", "keep(r)", "1 error"),
    "a dict in a list": ("r = {'error': a}", "[r, 1]", "1 error"),
    "a dict in a dict": ("r = {'error': a}", "{'x': r}", ""),
    "a text": ("r = 'error'", "r", ""),
}


@pytest.mark.parametrize(("body", "answer", "told"), FILLED.values(), ids=FILLED)
def test_a_dict_gets_the_keys_that_may_tell_of_an_error_from(body: str, answer: str, told: str) -> None:
    (found,) = function(f"{body}\nreturn {answer}", use_ast=True).returns
    parts = (
        f"{f'{each.index} of ' if each.index else ''}{each.span.line - 1} {','.join(each.keys)}"
        f"{', added' * each.is_added}"
        for each in found.filled
    )
    assert "; ".join(parts) == told


BEGUN = {
    "r = {'status': 0}": ["{status: 0}"],
    "r = {'status': 200, 'data': a}\nr['status'] = 500": ["{status: 200, data: a}"],
    "r: dict = {'Code': 0}": ["{Code: 0}"],
    "r = {'status': 500}": [],
    "r = {'status': a}": [],
    "r = {'size': 0}": [],
    "r = {}\nr['status'] = 0": [],
    "return {'status': 0}": [],
}


@pytest.mark.parametrize(("body", "begun"), BEGUN.items(), ids=BEGUN)
def test_a_name_is_bound_to_a_dict_with_the_number_of_a_success(body: str, begun: list[str]) -> None:
    assert [shown(each) for each in function(body, use_ast=True).begun] == begun
