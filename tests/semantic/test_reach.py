"""Who can get at a function: the service by itself."""

from __future__ import annotations

import pytest
from linked_texts import linked

UNCALLED = "{decorator}def _load() -> None: ...\n"


@pytest.mark.parametrize("decorator", ["", "@final\n", "@no_type_check\n", "@deprecated('no more')\n"])
def test_a_private_function_that_nobody_calls_is_not_reached_for_a_mark_on_it(decorator: str) -> None:
    project = linked({"shop.py": UNCALLED.format(decorator=decorator)})
    (function,) = project.modules["shop.py"].functions
    assert not project.reach.is_reachable("shop.py", function)
    project = linked({"shop.py": UNCALLED.format(decorator="@app.command\n")})
    (function,) = project.modules["shop.py"].functions
    assert project.reach.is_reachable("shop.py", function)
