"""The codes that a document lists as all that a field may have: ``"code": "GONE|LOCKED"`` in the form of an error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from errlint.catalog.markdown import Fence, sections
from errlint.catalog.objects import CODES, error_members
from errlint.findings import Related
from errlint.project.drift.allowed import Differing

if TYPE_CHECKING:
    from errlint.project import Project

_ALTERNATIVES = re.compile(r"\w[\w.-]*(?:\s*\|\s*\w[\w.-]*)+")
_MOST = 3
"""So many codes are named."""


def differing_codes(project: Project) -> Iterator[Differing]:
    """Yield the lists that lack codes which errors of the project have, where all that they list are such codes.

    Pages about one tool are left out: they list what the tool has to do with.
    """
    errors = {str(code): error for error in project.comparison.errors if error.is_domain for code in error.codes}
    for path, text in sorted(project.documents.texts.items()) if errors else ():
        if project.comparison.pages.tools(path):
            continue
        for line, listed in _listed(text):
            lacking = sorted(errors.keys() - listed)
            if lacking and listed <= errors.keys():
                names = ", ".join(f"`{code}`" for code in lacking[:_MOST])
                more = f" and {len(lacking) - _MOST} others" if len(lacking) > _MOST else ""
                first = errors[lacking[0]]
                message = f"the list of codes lacks {names}{more}, which errors have"
                yield Differing(path, line, message, Related(first.path, first.span, f"`{lacking[0]}` is used here"))


def _listed(text: str) -> Iterator[tuple[int, set[str]]]:
    """Yield the lists of codes in the objects that a document shows, with their lines."""
    for section in sections(text):
        for block in section.blocks:
            if isinstance(block, Fence):
                for member in error_members(block.content, block.line):
                    if member.key in CODES and member.text and _ALTERNATIVES.fullmatch(member.text):
                        yield member.line, set(map(str.strip, member.text.split("|")))
