"""Members and their cards."""

from __future__ import annotations

from datetime import date

from lending.codes import Code
from lending.errors import MemberError
from lending.store import MEMBERS, Member


def member_of(card: str) -> Member:
    """Return the member who has a card and may use it."""
    if not card.isdigit():
        raise MemberError(
            f"The card number {card!r} has other signs than digits",
            code=Code.CARD_MALFORMED,
            status=400,
            hints=["Type the digits below the barcode"],
            card=card,
        )
    member = MEMBERS.get(card)
    if member is None:
        raise MemberError(
            f"No member of the library has the card {card}", code=Code.MEMBER_UNKNOWN, status=404, card=card
        )
    if member.blocked_until is not None:
        raise MemberError(
            f"The card {card} is blocked until {member.blocked_until}",
            code=Code.MEMBER_BLOCKED,
            status=403,
            hints=["Send the member to the desk", "Settle open fees first"],
            card=card,
        )
    if member.expired_on is not None:
        raise MemberError(
            f"The membership ended on {member.expired_on}",
            code=Code.MEMBER_EXPIRED,
            status=403,
            hints=["Offer to prolong the membership"],
            card=card,
        )
    return member


def check_age(member: Member, age: int) -> None:
    """Make sure that a member may read something."""
    if (date.today() - member.born).days < age * 365:
        raise MemberError(
            f"Only readers above {age} may borrow this item", code=Code.MEMBER_TOO_YOUNG, status=403, card=member.card
        )


def add_member(card: str, born: date) -> Member:
    """Give out a card."""
    if card in MEMBERS:
        raise MemberError(
            f"Somebody else already uses the card {card}",
            code=Code.CARD_TAKEN,
            status=409,
            hints=["Take the next card of the box", "Look up who has it"],
            card=card,
        )
    MEMBERS[card] = Member(card, born)
    return MEMBERS[card]
