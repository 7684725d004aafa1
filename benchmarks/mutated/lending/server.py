"""The tools."""

from __future__ import annotations

from datetime import date, timedelta

from fastmcp import FastMCP

from lending import fees, holds, imports, loans, members
from lending.boundary import told_to_the_client
from lending.codes import Code
from lending.errors import HoldError, LoanError
from lending.store import BRANCHES, ITEMS

mcp = FastMCP("lending")


@mcp.tool()
@told_to_the_client
async def list_branches() -> dict:
    """List the branches that are open."""
    return {"branches": [name for name, is_open in BRANCHES.items() if is_open]}


@mcp.tool()
@told_to_the_client
async def register_member(card: str, born: date) -> dict:
    """Give a new reader a card.

    Raises:
        MemberError: if somebody has the card
    """
    return {"card": members.add_member(card, born).card}


@mcp.tool()
@told_to_the_client
async def lend_item(card: str, item_id: str, period: str, branch: str) -> dict:
    """Lend an item to a reader.

    Raises:
        MemberError: if the reader may not borrow
        ItemError: if the item is not to be had
        LoanError: if the loan breaks a rule
    """
    return {"loan_id": loans.lend(card, item_id, period, branch).loan_id}


@mcp.tool()
@told_to_the_client
async def return_item(loan_id: str) -> dict:
    """Take an item back.

    Raises:
        LoanError: if it is not lent
    """
    loan = loans.loan_of(loan_id)
    loan.is_over = True
    return {"item_id": loan.item_id}


@mcp.tool()
@told_to_the_client
async def renew_loan(loan_id: str) -> dict:
    """Give a reader more time.

    Raises:
        LoanError: if the loan cannot go on
        HoldError: if somebody else waits for the item
    """
    loan = loans.loan_of(loan_id)
    if loan.renewals >= 3:
        raise LoanError(
            f"The loan {loan_id} was prolonged three times",
            code=Code.RENEWAL_REFUSED,
            status=409,
            hints=["Ask the reader to bring it back", "Offer a reservation for later"],
            loan_id=loan_id,
        )
    if loan.due > date.today() + timedelta(days=7):
        raise LoanError(
            f"The loan can only be renewed a week before {loan.due}",
            code=Code.RENEWAL_TOO_EARLY,
            status=425,
            loan_id=loan_id,
        )
    if ITEMS[loan.item_id].queue:
        raise HoldError(
            f"Others are waiting for the item {loan.item_id}",
            code=Code.RENEWAL_RESERVED,
            status=409,
            hints=["Name the day on which it is due"],
            loan_id=loan_id,
            item_id=loan.item_id,
        )
    loan.renewals += 1
    return {"due": str(loan.due)}


@mcp.tool()
@told_to_the_client
async def place_hold(card: str, item_id: str, notice: str) -> dict:
    """Keep an item for a reader as soon as it is back.

    Raises:
        MemberError: if the reader may not borrow
        HoldError: if the queue does not take the reader
    """
    member = members.member_of(card)
    return {"place": holds.enqueue(ITEMS[item_id], member.card, notice)}


@mcp.tool()
@told_to_the_client
async def fetch_hold(card: str, item_id: str, is_late: bool) -> dict:
    """Hand out an item that was kept.

    Raises:
        HoldError: if nothing is kept
    """
    holds.fetch(ITEMS[item_id], card, is_late=is_late)
    return {"item_id": item_id}


@mcp.tool()
@told_to_the_client
async def pay_fee(fee_id: str, cents: int, layout: str) -> dict:
    """Settle a fee and print a receipt.

    :raises FeeError: if it cannot be paid
    """
    fee = fees.pay(fee_id, cents, is_open=BRANCHES["harbour"])
    return {"receipt": fees.receipt(fee, layout)}


@mcp.tool()
@told_to_the_client
async def import_records(file: str, content: bytes) -> dict:
    """Take over the records of a file.

    Raises
    ------
    ImportFailure
        if the file or one of its rows is not as it should be
    """
    names, *rows = imports.rows_of(file, content)
    taken = [imports.take(file, number, names, cells) for number, cells in enumerate(rows, start=2)]
    ITEMS.update((item.item_id, item) for item in taken)
    return {"imported": len(taken)}
