"""Whether a ``setup.py`` is the script that builds a distribution: other modules have that name too."""

from __future__ import annotations

import re

# Compiled when it is first asked for: most distributions have a pyproject.toml.
_CALL = (
    rb"'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|\#[^\n]*"
    rb"|\bdef[ \t]+\w+|(?P<call>\bsetup[ \t]*\()"
)
"""A call, and before it what may look like one: texts, comments, a definition."""


def builds_distribution(source: bytes) -> bool:
    """Whether the code of a file named ``setup.py`` calls ``setup(``, plain or as an attribute.

    >>> builds_distribution(b"setuptools.setup()"), builds_distribution(b"def setup(): ..."), builds_distribution(b"")
    (True, False, False)
    """
    return b"setup" in source and any(match["call"] for match in re.finditer(_CALL, source, re.DOTALL))
