"""Queues for items that others have."""

from __future__ import annotations

from lending.codes import Code
from lending.errors import HoldError
from lending.store import Item

LONGEST_QUEUE = 25


def enqueue(item: Item, card: str, notice: str) -> int:
    """Put a reader into the queue for an item."""
    if notice not in ("letter", "phone", "message"):
        raise HoldError(
            f"Unknown notice '{notice}'. Must be one of: letter, phone, message",
            code=Code.HOLD_NOTICE_INVALID,
            status=422,
            card=card,
        )
    if card in item.queue:
        raise HoldError(
            f"The reader {card} waits for this item already",
            code=Code.HOLD_DUPLICATE,
            status=409,
            hints=["Tell the reader the place in the queue", "Cancel the older hold"],
            card=card,
        )
    if len(item.queue) >= LONGEST_QUEUE:
        raise HoldError(
            f"As many as {LONGEST_QUEUE} readers wait for the item {item.item_id}",
            code=Code.HOLD_QUEUE_FULL,
            status=429,
            hints=["Suggest buying a second copy"],
            item_id=item.item_id,
            limit=LONGEST_QUEUE,
        )
    item.queue.append(card)
    return len(item.queue)


def fetch(item: Item, card: str, *, is_late: bool) -> None:
    """Hand out what was kept for a reader."""
    if card not in item.queue:
        raise HoldError(f"Nothing is kept for the card {card}", code=Code.HOLD_UNKNOWN, status=404, card=card)
    if is_late:
        raise HoldError(
            f"The item {item.item_id} was kept for a week and went to the next reader",
            code=Code.HOLD_EXPIRED,
            status=410,
            hints=["Place the hold again"],
            card=card,
        )
    item.queue.remove(card)
