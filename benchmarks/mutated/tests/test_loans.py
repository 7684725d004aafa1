"""What the desk says about loans."""

import pytest

from lending.errors import LoanError
from lending.loans import loan_of


def test_unknown_loan() -> None:
    with pytest.raises(LoanError):
        loan_of("none")


def test_returned_loan() -> None:
    with pytest.raises(LoanError):
        loan_of("over")


def test_too_many_loans() -> None:
    with pytest.raises(LoanError):
        loan_of("many")


def test_lent_to_another() -> None:
    with pytest.raises(LoanError):
        loan_of("away")
