"""The codes that a document lists as all that a field may have.

In the form of an error, ``"code": "GONE|LOCKED"``, or beside the name of the field: ```code`: `GONE` or `LOCKED```.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from typing import TYPE_CHECKING

from errlint.catalog.markdown import Fence, Line, MarkdownTable, Paragraph, Section, sections
from errlint.catalog.objects import CODES, error_members
from errlint.findings import Related
from errlint.project.drift.allowed_values import RUN, VALUE, Differing

if TYPE_CHECKING:
    from errlint.project import Project

_ALTERNATIVES = re.compile(r"\w[\w.-]*(?:\s*\|\s*\w[\w.-]*)+")
_ENOUGH = 2
"""So many codes of errors make a list one of such codes."""

_MOST = 3
"""So many codes are named."""


def differing_codes(project: Project) -> Iterator[Differing]:
    """Yield the lists that lack codes which errors of the project have, where all that they list are such codes.

    Pages about one tool are left out: they list what the tool has to do with.
    """
    errors = {str(code): error for error in project.comparison.errors if error.is_domain for code in error.codes}
    heads = {(entry.path, entry.line) for entry in project.documented.entries}
    for path, text in sorted(project.documents.texts.items()) if errors else ():
        is_of_tool = bool(project.comparison.pages.tools(path))
        for section in sections(text):
            is_of_entry = (path, section.heading.line) in heads  # which lists the codes of one error
            for line, listed, is_form in _listed(section, project.policy(path).codes.arguments):
                unknown = [] if is_form else sorted(code for code in listed if _is_unknown(project, errors, path, code))
                lacking = sorted(errors.keys() - listed)
                if unknown and len(listed & errors.keys()) >= _ENOUGH:
                    names = " or ".join(f"`{code}`" for code in unknown)
                    first = errors[min(listed & errors.keys())]
                    message = f"the list of codes has {names}, which no error has"
                    yield Differing(path, line, message, Related(first.path, first.span, "the others are used here"))
                elif lacking and listed <= errors.keys() and not is_of_tool and not is_of_entry:
                    names = ", ".join(f"`{code}`" for code in lacking[:_MOST])
                    more = f" and {len(lacking) - _MOST} others" if len(lacking) > _MOST else ""
                    first = errors[lacking[0]]
                    message = f"the list of codes lacks {names}{more}, which errors have"
                    yield Differing(
                        path, line, message, Related(first.path, first.span, f"`{lacking[0]}` is used here")
                    )


def _is_unknown(project: Project, errors: Container[str], path: str, code: str) -> bool:
    """Whether nothing knows a code: no error, no registry, no other word of the code, nor the policy."""
    documented = project.documented
    is_known = code in errors or code in documented.by_code or code in project.policy(path).codes.vocabulary
    return not is_known and not documented.is_mentioned(code)


def _listed(section: Section, carriers: Sequence[str]) -> Iterator[tuple[int, set[str], bool]]:
    """Yield the lists of codes in a section: line, codes, and whether it is in the form of an error.

    ``carriers`` are the names of fields that have codes.
    """
    for block in section.blocks:
        if isinstance(block, Fence):
            for member in error_members(block.content, block.line):
                if member.key in CODES and member.text and _ALTERNATIVES.fullmatch(member.text):
                    yield member.line, set(map(str.strip, member.text.split("|"))), True
        elif isinstance(block, Paragraph):
            for line in block.lines:
                if line.codes and line.codes[0] in carriers and line.text.startswith(line.codes[0]):
                    yield from _run(line)
        else:
            assert isinstance(block, MarkdownTable)
            for row in block.rows:
                if row and row[0].text.strip("`* ") in carriers:
                    for cell in row[1:]:
                        yield from _run(cell)


def _run(line: Line) -> Iterator[tuple[int, set[str], bool]]:
    for found in RUN.finditer(line.raw):
        yield line.line, set(VALUE.findall(found.group())), False
