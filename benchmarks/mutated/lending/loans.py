"""Lending, returning and renewing."""

from __future__ import annotations

from datetime import date, timedelta

from lending.codes import Code
from lending.errors import ItemError, LoanError
from lending.members import check_age, member_of
from lending.store import BRANCHES, ITEMS, LOANS, Item, Loan

PERIODS = {"week": 7, "fortnight": 14, "month": 30}
MOST_LOANS = 12


def item_of(item_id: str) -> Item:
    """Return a copy that can be lent."""
    item = ITEMS.get(item_id)
    if item is None:
        raise ItemError(
            f"No shelf has an item numbered {item_id}",
            code=Code.ITEM_UNKNOWN,
            status=404,
            hints=["Search the catalogue by title", "Check the sticker on the back"],
            item_id=item_id,
        )
    if item.damage:
        raise ItemError(
            f"The item {item_id} is being mended: {item.damage}",
            code=Code.ITEM_DAMAGED,
            status=409,
            hints=["Offer another copy of the book"],
            item_id=item_id,
        )
    if item.is_reference:
        raise ItemError(
            f"The item {item_id} must stay in the reading room",
            code=Code.ITEM_REFERENCE_ONLY,
            status=403,
            hints=["Point to the copier on the first floor", "Offer a seat in the reading room"],
            item_id=item_id,
        )
    if item.goes_to:
        raise ItemError(
            f"A van is carrying the item to the branch {item.goes_to}",
            code=Code.ITEM_IN_TRANSIT,
            status=409,
            hints=["Place a hold at that branch", "Try again tomorrow"],
            item_id=item_id,
            branch=item.goes_to,
        )
    return item


def branch_of(name: str) -> str:
    """Return a branch that is open."""
    if name not in BRANCHES:
        raise LoanError(
            f"The town has no branch called {name}",
            code=Code.BRANCH_UNKNOWN,
            status=404,
            hints=["List the branches with list_branches"],
            branch=name,
        )
    if not BRANCHES[name]:
        raise LoanError(
            f"The branch {name} is shut for the holidays",
            code=Code.BRANCH_CLOSED,
            status=503,
            hints=["Choose a neighbouring branch", "Wait until the holidays end"],
            branch=name,
        )
    return name


def lend(card: str, item_id: str, period: str, branch: str) -> Loan:
    """Hand out an item."""
    member, item = member_of(card), item_of(item_id)
    branch_of(branch)
    check_age(member, item.age)
    if period not in PERIODS:
        raise LoanError(
            f"Invalid period '{period}'. Must be one of: week, fortnight, month",
            code=Code.LOAN_PERIOD_INVALID,
            status=422,
            hints=["Take a fortnight if the reader has no wish"],
        )
    if item.lent_to:
        raise ItemError(
            f"Another reader took {item_id} home",
            code=Code.ITEM_LENT,
            status=409,
            hints=["Place a hold for the reader", "Look for an electronic edition"],
            item_id=item_id,
        )
    if len(member.loans) >= MOST_LOANS:
        raise LoanError(
            f"The reader {card} already keeps {len(member.loans)} items",
            code=Code.LOAN_LIMIT_REACHED,
            status=409,
            hints=["Return something first", "Ask the head of the desk for an exception"],
            card=card,
            limit=MOST_LOANS,
        )
    late = [LOANS[each] for each in member.loans if LOANS[each].due < date.today()]
    if late:
        raise LoanError(
            f"The reader must bring back {late[0].item_id} before borrowing more",
            code=Code.LOAN_OVERDUE,
            status=403,
            hints=["Renew the late loan", "Tell the reader what it costs"],
            card=card,
            loan_id=late[0].loan_id,
        )
    loan = Loan(f"{card}-{item_id}", item_id, card, date.today() + timedelta(days=PERIODS[period]))
    LOANS[loan.loan_id] = loan
    return loan


def loan_of(loan_id: str) -> Loan:
    """Return a loan that still runs."""
    loan = LOANS.get(loan_id)
    if loan is None:
        raise LoanError(
            f"Nothing was lent under the number {loan_id}",
            code=Code.LOAN_UNKNOWN,
            status=404,
            hints=["List the loans of the card"],
            loan_id=loan_id,
        )
    if loan.is_over:
        raise LoanError(
            f"The item of the loan {loan_id} came back on {loan.due}",
            code=Code.LOAN_RETURNED,
            status=410,
            hints=["Lend the item again", "Close the window of the loan"],
            loan_id=loan_id,
        )
    return loan
