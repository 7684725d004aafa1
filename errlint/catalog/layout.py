"""The text of one error in a document: a row of a table, or a section by a template.

A template is Markdown with the holes of :data:`HOLES`. A line whose holes are all empty is left out, and so is a
paragraph all of whose holes are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import Template as Holed
from typing import NamedTuple

from errlint.suggest import did_you_mean

HOLES = ("name", "code", "class", "status", "messages", "hints", "fields", "tools", "files")
"""The holes of a template; ``name`` is the code, else the class."""

DEFAULT = """\
### $name

- **Exception:** $class
- **Status:** $status
- **Fields:** $fields
- **Tools:** $tools

**Messages:**
$messages

**Hints:**
$hints
"""

NOTHING = "The code has no such errors."

_LISTS = frozenset({"messages", "hints"})
_COLUMNS = (
    ("code", "Code"), ("class", "Exception"), ("messages", "Message"), ("hints", "Hints"), ("fields", "Fields"),
    ("status", "Status"), ("tools", "Tools"),
)  # fmt: skip


class DocumentedError(NamedTuple):
    """An error as it is documented, or several that have one name; each tuple is sorted."""

    codes: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    @property
    def holes(self) -> Mapping[str, tuple[str, ...]]:
        """The values of the holes, as Markdown."""
        spans = {
            "code": self.codes, "class": self.classes, "messages": self.messages, "hints": self.hints,
            "fields": self.fields, "tools": self.tools, "files": self.files,
        }  # fmt: skip
        found = {name: tuple(map(span, values)) for name, values in spans.items()}
        return {**found, "name": found["code"] or found["class"], "status": self.statuses}


class TemplateError(Exception):
    """A template that cannot be used: ``line`` is from 1."""

    def __init__(self, line: int, message: str, hint: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message
        self.hint = hint


def check(template: str) -> None:
    """Raise :class:`TemplateError` where a template has a hole that there is not."""
    count = 0
    for found in Holed.pattern.finditer(template):
        line = template.count("\n", 0, found.start()) + 1
        name = found["named"] or found["braced"]
        if found["invalid"] is not None:
            raise TemplateError(line, "a `$` without the name of a hole", "write `$$` for a dollar sign")
        if name is not None and name not in HOLES:
            hint = did_you_mean(name, HOLES) or f"the holes are {', '.join(f'${each}' for each in HOLES)}"
            raise TemplateError(line, f"there is no hole `${name}`", hint)
        count += name is not None
    if not count:
        raise TemplateError(1, "the template has no holes", f"the holes are {', '.join(f'${each}' for each in HOLES)}")


def table(errors: Iterable[DocumentedError]) -> Iterator[str]:
    """Yield the lines of a table with a row for each error; columns in which nothing stands are left out."""
    rows = [[_cell(error.holes[name]) for name, _ in _COLUMNS] for error in errors]
    shown = [index for index in range(len(_COLUMNS)) if any(row[index] for row in rows)]
    yield _row(_COLUMNS[index][1] for index in shown)
    yield _row("---" for _ in shown)
    yield from (_row(row[index] for index in shown) for row in rows)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(values: Sequence[str]) -> str:
    return ", ".join(value.replace("|", "\\|") for value in values)


def section(error: DocumentedError, template: str) -> Iterator[str]:
    """Yield the lines of the section of one error, without blank lines around it."""
    holes = error.holes
    filled = {
        name: "\n".join(f"- {value}" for value in values) if name in _LISTS else ", ".join(values)
        for name, values in holes.items()
    }
    blocks: list[str] = []
    for block in re.split(r"\n(?:[ \t]*\n)+", template.strip("\n")):
        used = _names(block)
        if not used or any(filled[name] for name in used):
            kept = [line for line in block.split("\n") if not _names(line) or any(map(filled.get, _names(line)))]
            blocks.append("\n".join(Holed(line).substitute(filled) for line in kept))
    yield from "\n\n".join(blocks).split("\n")


def _names(text: str) -> list[str]:
    return [name for found in Holed.pattern.finditer(text) if (name := found["named"] or found["braced"])]


def span(text: str) -> str:
    """Return a text as a code span on one line, whatever it contains."""
    text = re.sub(r"\s+", " ", text).strip()
    longest = max(map(len, re.findall("`+", text)), default=0)
    ticks = "`" * (longest + 1) if longest else "`"
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{space}{text}{space}{ticks}"
