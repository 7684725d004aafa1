"""What the desk says about imports."""

import pytest

from lending.errors import RowMalformedError
from lending.imports import take


def test_short_row() -> None:
    with pytest.raises(RowMalformedError):
        take("books.csv", 17, ["isbn", "shelf"], ["1"])
