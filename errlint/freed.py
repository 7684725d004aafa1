"""Memory that is free in this process, and that the system does not know of."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache


def give_back() -> None:
    """Give free memory back to the system where the C library can: it keeps what lies between pieces in use."""
    _trim()(0)


@cache
def _trim() -> Callable[[int], object]:
    if sys.platform != "linux":
        return bool
    import ctypes

    try:
        return ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):  # a C library that has none
        return bool
