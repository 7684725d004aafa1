"""How names of modes and of settings are spelt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def plain(name: str) -> str:
    """Return the spelling under which a member and its value are the same: ``STORE_RAW``, ``store-raw``."""
    return name.lower().replace("-", "_").replace(" ", "_")


def named(names: Iterable[str], settings: Iterable[str]) -> Iterator[str]:
    """Yield the settings that plain names mean: ``mode`` as an option (``__mode``) or a variable (``server_mode``)."""
    for name in names:
        for setting in settings:
            if name.strip("_") == setting or name.endswith(f"_{setting}"):
                yield setting
