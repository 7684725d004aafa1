"""Context managers of the project around an error return: what they do with an exception decides over the fix."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_fix import START, TOOL, fixes, reasons

GENERATOR = "@contextlib.contextmanager\ndef guarding(thing):\n"
CLASS = "class guarding:\n    def __init__(self, thing):\n        pass\n\n    def __enter__(self):\n        pass\n\n"

SAME = {
    "nothing behind its yield": f"{GENERATOR}    print('opened')\n    yield\n",
    "a finally": f"{GENERATOR}    try:\n        yield thing\n    finally:\n        print('closed')\n",
    "a handler of other exceptions": (
        f"{GENERATOR}    try:\n        yield\n    except KeyError:\n        print('lost')\n"
    ),
    "an exit that asks for nothing": f"{CLASS}    def __exit__(self, *raised):\n        print('closed')\n",
    "an exit that answers false": f"{CLASS}    def __exit__(self, kind, value, trace):\n        return False\n",
}

SWALLOWING = {
    "a handler": f"{GENERATOR}    try:\n        yield\n    except Exception as exc:\n        print(f'lost: {{exc}}')\n",
    "a handler around another one": (
        f"{GENERATOR}    try:\n        with open(thing):\n            try:\n                yield\n"
        "            finally:\n                print('closed')\n    except Exception:\n        pass\n"
    ),
    "an exit that answers true": (
        f"{CLASS}    def __exit__(self, *raised):\n        print('closed')\n        return True\n"
    ),
    "an exit that answers whether anything was raised": (
        f"{CLASS}    def __exit__(self, kind, value, trace):\n        return kind is not None\n"
    ),
}

UNKNOWN = {
    "more behind its yield": f"{GENERATOR}    yield\n    print('committed')\n",
    "a handler that hands on what it caught": (
        f"{GENERATOR}    try:\n        yield\n    except Exception as exc:\n        fail(exc)\n"
    ),
    "a handler that may raise": (
        f"{GENERATOR}    try:\n        yield\n    except Exception:\n        if thing:\n            raise\n"
    ),
    "a handler of what the exception may be": (
        f"{GENERATOR}    try:\n        yield\n    except missing.Errors:\n        print('lost')\n"
    ),
    "a yield in one of two branches": f"{GENERATOR}    if thing:\n        yield\n    else:\n        print('none')\n",
    "an exit that asks for the exception": (
        f"{CLASS}    def __exit__(self, kind, value, trace):\n        print('lost' if kind else 'kept')\n"
    ),
    "an exit that may answer true": f"{CLASS}    def __exit__(self, *raised):\n        return self.is_kept\n",
    "no exit of its own": "class guarding(contextlib.AbstractContextManager):\n    pass\n",
    "a class that is made anew": (
        f"{CLASS}    def __exit__(self, *raised):\n        pass\n\n\nguarding = wrap(guarding)\n"
    ),
}

CODE = TOOL + '    with guarding(on):\n        return {"error": "x"}\n'


@pytest.mark.parametrize("manager", SAME.values(), ids=SAME)
def test_a_block_that_ends_the_same_is_left_by_a_raise(tmp_path: Path, manager: str) -> None:
    found = fixes(tmp_path, f"{START}{manager}\n\n{CODE}")
    assert (reasons(found.hidden), reasons(found.refused)) == ([], [])
    assert '        raise ShopError("x")' in found.contents["shop/server.py"][1].decode()


@pytest.mark.parametrize("manager", SWALLOWING.values(), ids=SWALLOWING)
def test_nothing_is_raised_in_a_block_that_drops_it(tmp_path: Path, manager: str) -> None:
    found = fixes(tmp_path, f"{START}{manager}\n\n{CODE}", unsafe=True)
    assert reasons(found.refused) == ["`with guarding` is around it, which drops an exception"]
    assert found.contents == {}


@pytest.mark.parametrize("manager", UNKNOWN.values(), ids=UNKNOWN)
def test_a_look_is_asked_for_at_a_block_that_may_end_otherwise(tmp_path: Path, manager: str) -> None:
    found = fixes(tmp_path, f"{START}{manager}\n\n{CODE}")
    assert reasons(found.hidden) == ["`with guarding` may end otherwise when an exception leaves it"]


def test_suppress_drops_what_it_names_alone(tmp_path: Path) -> None:
    code = CODE.replace("guarding(on)", "contextlib.suppress(OSError)")
    found = fixes(tmp_path, START + code)
    assert (reasons(found.hidden), reasons(found.refused)) == ([], [])


FOREIGN = {
    "a lock": ("on._lock", True),
    "a file": ("open(text)", True),
    "what is closed": ("contextlib.closing(on)", True),
    "what a function that is named after a lock makes": ("make_lock(on)", False),
    "anything else of a library": ("toolkit.guard(on)", False),
    "a name that the project binds to anything": ("opened_lock", False),
}


@pytest.mark.parametrize(("manager", "is_left"), FOREIGN.values(), ids=FOREIGN)
def test_of_those_that_are_not_of_the_project_only_some_are_known_to_end_the_same(
    tmp_path: Path, manager: str, is_left: bool
) -> None:
    code = f"{START}opened_lock = toolkit.guard()\n\n\n{CODE}".replace("guarding(on)", manager)
    found = fixes(tmp_path, code)
    name = manager.partition("(")[0]
    doubts = [] if is_left else [f"`with {name}` may end otherwise when an exception leaves it"]
    assert (reasons(found.hidden), reasons(found.refused)) == (doubts, [])


HELPER = 'def take(on):\n    return {"error": f"no {on}"}\n\n\n'


def test_a_call_out_of_a_table_is_asked_what_is_around_it(tmp_path: Path) -> None:
    body = "    with guarding(on):\n        table = {'run': take}\n        return {**table['run'](on), 'path': text}\n"
    code = f"{START}{SWALLOWING['a handler']}\n\n{HELPER}{TOOL}{body}"
    found = fixes(tmp_path, code, unsafe=True)
    assert "`with guarding` is around it, which drops an exception" in reasons(found.refused)
    assert found.contents == {}


def test_a_call_that_is_perhaps_of_it_names_what_drops_an_error(tmp_path: Path) -> None:
    body = "    with guarding(on):\n        table = {'run': take}\n        found = table['run'](on)\n    return found\n"
    found = fixes(tmp_path, f"{START}{SWALLOWING['a handler']}\n\n{HELPER}{TOOL}{body}", unsafe=True)
    assert "an error of `take` may end here, in `with guarding`" in reasons(found.fixed)
