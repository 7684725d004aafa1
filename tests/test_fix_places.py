"""Places of what a fix leaves to a person: the lines that they have once the files are written."""

from __future__ import annotations

import random

from errlint.fix.presentation.places import Places


def test_a_line_that_stands_in_many_places_is_told_apart_by_what_is_around_it() -> None:
    chosen = random.Random(0)
    old: list[str] = []
    new: list[str] = []
    expected: dict[int, range] = {}
    for number in range(40):
        call = ["    call(\n", f"        ids={chosen.randrange(12)},\n", *["        None,\n"] * 8, "    )\n"]
        head, tail = f"def test_{number}():\n", f"    same({chosen.randrange(3)})\n"
        first = len(new)
        is_changed = chosen.random() < 0.3
        new += [head, *(["    with raises():\n", *(f"    {line}" for line in call)] if is_changed else [*call, tail])]
        expected[len(old) + 2] = range(first + 1, len(new) + 1)
        old += [head, *call, tail]
    places = Places({"test_it.py": ("".join(old).encode(), "".join(new).encode())}, after=True)
    misplaced = [line for line, test in expected.items() if places.line("test_it.py", line, {}) not in test]
    assert misplaced == []
