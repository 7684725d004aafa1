"""Results that nobody reads: a name that stands for something else too, or elsewhere, counts as read."""

from __future__ import annotations

import pytest

from errlint.collect import collect
from errlint.index.vocabulary import Vocabulary

LOADED = "def keep(path):\n    current = load(path)\n"

READ = {
    "a name of the module": "def keep(path):\n    global current\n    current = load(path)\n",
    "a name of a function around it": "def outer(path):\n    current = None\n    def keep():\n"
    "        nonlocal current\n        current = load(path)\n    return keep\n",
    "a parameter": "def keep(path, current):\n    current = load(path)\n",
    "a parameter of a lambda": f"{LOADED}    return lambda current: 1\n",
    "a function": f"{LOADED}    def current():\n        return 1\n",
    "what is caught": f"{LOADED}    try:\n        run()\n    except OSError as current:\n        pass\n",
    "what a pattern binds": f"{LOADED}    match path:\n        case current:\n            run()\n",
}


def dropped(text: str) -> list[str]:
    """Return what functions call whose results nobody reads."""
    found = collect(text, Vocabulary(unread=True))
    return [item.callee for function in found.functions for item in function.unread if item.callee == "load"]


@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_a_result_is_read_that_gets_the_name_of(text: str) -> None:
    assert dropped(text) == []


def test_a_result_that_only_gets_a_name_is_not_read() -> None:
    assert dropped(f"{LOADED}    return path\n") == ["load"]
