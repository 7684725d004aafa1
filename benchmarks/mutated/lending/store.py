"""What the desk knows; a real one keeps it in a database."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date


@dataclass
class Member:
    """Somebody with a card."""

    card: str
    born: date
    blocked_until: date | None = None
    expired_on: date | None = None
    loans: list[str] = field(default_factory=list)


@dataclass
class Item:
    """A copy of a book."""

    item_id: str
    branch: str
    age: int = 0
    lent_to: str = ""
    damage: str = ""
    is_reference: bool = False
    goes_to: str = ""
    queue: list[str] = field(default_factory=list)


@dataclass
class Loan:
    """An item that somebody has."""

    loan_id: str
    item_id: str
    card: str
    due: date
    renewals: int = 0
    is_over: bool = False


@dataclass
class Fee:
    """What somebody owes."""

    fee_id: str
    card: str
    cents: int
    is_paid: bool = False
    dispute: str = ""


MEMBERS: dict[str, Member] = {}
ITEMS: dict[str, Item] = {}
LOANS: dict[str, Loan] = {}
FEES: dict[str, Fee] = {}
BRANCHES: dict[str, bool] = {"north": True, "harbour": True, "mill": False}
SHELVES: set[str] = {"A1", "A2", "B1"}
