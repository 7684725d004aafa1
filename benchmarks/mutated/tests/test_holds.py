"""What the desk says about holds."""

import pytest

from lending.errors import HoldError
from lending.holds import fetch
from lending.store import Item


def test_late_reader() -> None:
    with pytest.raises(HoldError):
        fetch(Item("1", "north", queue=["2"]), "2", is_late=True)
