"""The terminal that the output goes to, if it goes to one: how wide it is, and what it can show."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import NamedTuple, TextIO

LEAST_WIDTH = 40
"""Narrower terminals wrap lines by themselves: nothing could be aligned there."""

_PLAIN = frozenset({"dumb", "unknown"})
_CI = ("CI", "TF_BUILD", "TEAMCITY_VERSION")
"""Environment variables by which CI machines say that they read what is printed."""

_WITHOUT_LINKS = re.compile(r"linux|screen|vt\d+|cygwin")
"""Values of ``TERM`` of those that print the address of a link, or lose what is linked."""


class Terminal(NamedTuple):
    """A terminal that a person looks at: its columns, and whether it is to have colours, and links to click on."""

    width: int
    colour: bool
    links: bool


def terminal_of(stream: TextIO | None, *, colour: bool, environment: Mapping[str, str] = os.environ) -> Terminal | None:
    """Return the terminal behind a stream.

    ``None`` for a file, a pipe, a terminal of a CI job, whose log others read, and one that calls itself dumb: editors
    start commands in those and look for ``path:line:column`` in the output.
    """
    if stream is None or not stream.isatty() or environment.get("TERM") in _PLAIN:
        return None
    if is_ci(environment):
        return None
    import shutil  # takes longer to import than the rest of what is asked here

    width = max(shutil.get_terminal_size().columns, LEAST_WIDTH)
    return Terminal(width, colour, colour and _has_links(environment))


def is_ci(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether this is a job of a CI machine, which reads what is printed."""
    return any(map(environment.get, _CI))


def _has_links(environment: Mapping[str, str]) -> bool:
    if forced := environment.get("FORCE_HYPERLINK"):
        return forced != "0"
    if environment.get("TERM_PROGRAM") == "Apple_Terminal":
        return False
    # tmux calls itself screen unless it is told otherwise, and hands links on or leaves them out.
    return bool(environment.get("TMUX")) or not _WITHOUT_LINKS.match(environment.get("TERM", ""))
