"""What a process that answers more than one run keeps of the cache: the server, and ``errlint check --watch``."""

from __future__ import annotations

from typing import Any


class Memory:
    """Holds what came of earlier runs, by the name of its file in the cache.

    Also of runs over contents that are not on disk, which no cache is told of. It is for one configuration: with
    another one, begin with a new memory.
    """

    __slots__ = ("entries",)

    def __init__(self) -> None:
        self.entries: dict[str, Any] = {}
