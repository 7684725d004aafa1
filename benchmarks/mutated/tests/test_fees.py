"""What the desk says about fees."""

import pytest

from lending.errors import FeeError
from lending.fees import pay
from lending.store import FEES, Fee


def test_paid_before() -> None:
    FEES["f"] = Fee("f", "77", 150, is_paid=True)
    with pytest.raises(FeeError):
        pay("f", 150, is_open=True)
