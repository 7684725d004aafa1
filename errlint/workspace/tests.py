"""Which files are no tests, although their names say so: ``test_connection.py`` may be the tool that tests one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from errlint.source import read_bytes

_FOLDER = re.compile(r"(?:^|/)(?:[^/]*[-_.])?(?:tests?|testing)(?:[-_.][^/]*)?/", re.IGNORECASE)
"""In a folder of this name a file is believed."""

_TEST = re.compile(
    rb"^[ \t]*(?:(?:async[ \t]+)?def[ \t]+test|class[ \t]+(?:Test|\w+Tests?\b|\w+TestCase\b)"
    rb"|(?:import|from)[ \t]+(?:pytest|unittest)\b)",
    re.MULTILINE,
)
"""What is written where tests are: one of them, or the import of what runs them."""


def misnamed(root: Path, paths: Iterable[str], contents: Mapping[str, bytes]) -> Iterator[str]:
    """Yield those of the files with the name of a test that stand among code, and define none.

    ``paths`` are relative to the root; ``contents`` are taken in place of what is on disk. A file that cannot be read
    is what its name says.
    """
    for path in paths:
        if _FOLDER.search(path) is not None:
            continue
        text = contents.get(path)
        if text is None:
            try:
                text = read_bytes(root / path)
            except OSError:
                continue
        if _TEST.search(text) is None:
            yield path
