"""What members owe."""

from __future__ import annotations

from lending.codes import Code
from lending.errors import FeeError
from lending.store import FEES, Fee


def pay(fee_id: str, cents: int, *, is_open: bool) -> Fee:
    """Settle a fee."""
    fee = FEES.get(fee_id)
    if fee is None:
        raise FeeError(f"There is no fee with the number {fee_id}", code=Code.FEE_UNKNOWN, status=404)
    if fee.is_paid:
        raise FeeError(f"The fee {fee_id} was paid before", code=Code.FEE_SETTLED, status=409, card=fee.card)
    if fee.dispute:
        raise FeeError(
            f"A librarian still looks into the fee {fee_id}", code=Code.FEE_DISPUTED, status=423, card=fee.card
        )
    if cents != fee.cents:
        raise FeeError(
            f"The fee is {fee.cents} cents and cannot be paid in parts",
            code=Code.FEE_AMOUNT_WRONG,
            status=422,
            hints=["Ask for the whole amount"],
        )
    if not is_open:
        raise FeeError("The till opens at nine in the morning", code=Code.TILL_CLOSED, status=503)
    fee.is_paid = True
    return fee


def receipt(fee: Fee, layout: str) -> str:
    """Write down that a fee was paid."""
    if layout not in ("letter", "slip", "email"):
        raise FeeError(
            f"Unknown layout '{layout}'. Must be one of: letter, slip, email",
            code=Code.RECEIPT_UNPRINTABLE,
            status=422,
        )
    return f"{fee.fee_id} ({layout}): {fee.cents}"
