"""Recognises the entries of a catalog, whatever its layout."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from errlint.catalog import entry_identifier, tables
from errlint.catalog.codes import is_any, is_class, is_marked, is_status
from errlint.catalog.entry import Entry, EntryKind, EntryText
from errlint.catalog.labelled import facts, labelled
from errlint.catalog.labels import ABOUT_ERRORS, EXAMPLE, EXAMPLE_CODE, EXIT_CODE, is_reserved
from errlint.catalog.markdown import Block, Fence, Line, MarkdownTable, Paragraph, Section, paragraphs, sections
from errlint.catalog.objects import ERROR_MARKS
from errlint.catalog.sentences import PLAIN, is_sentence
from errlint.patterns import fits
from errlint.settings.policy import Catalog

_NUMBER = re.compile(r"^(?:\d+(?:\.\d+)*[.)]|[①-⑳])\s+")
_OTHER_WORD = re.compile(
    r"variable|environment|setting|config|option|permission|table of contents|see also|^related", re.IGNORECASE
)
_HAPPENS = re.compile(
    r"^(?:(?:this|the|these) (?:errors?|exceptions?) (?:is|are|will be) )?(?:raised|thrown|returned|reported|emitted) "
    r"(?:when|if|by|for)\b(?!\s*(?:\.\.\.|…))",  # not "thrown when ... for example", which is to be filled in
    re.IGNORECASE,
)
_CAMEL = re.compile(r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+")
_LOWER = re.compile(r"[a-z]{3,}")
"""A word that may be the name of a kind of errors below a heading about errors: ``ambiguous``."""

_PART = re.compile(r"description|overview|summary|details|cause|when", re.IGNORECASE)
"""Headings of parts of an entry whose own heading is above them."""

_LOWER_ITEM = re.compile(
    r"(?:`\[(?P<span>[a-z][\w.-]+)\]`|\[(?P<plain>[a-z][\w.-]{2,})\]|`(?P<bare>[a-z][\w.-]+)`)(?P<rest>.*)"
)
"""An item that begins with a code in lower case: between the brackets of messages, or as a code span alone."""

_CODES = re.compile(r"(?<!exit )(?<!return )(?<!status )\bcodes?\b", re.IGNORECASE)
"""A heading below which a code span that an item begins with is a code; that of a process or of HTTP is another one."""

_MANY = 5
"""So many paragraphs that begin with a code are entries, without anything that sets the code off."""

_ENOUGH_BARE = 3
"""So many headings that are bare names make each of them a code."""

Facts = tuple[tuple[str, EntryText], ...]


class _Candidate(NamedTuple):
    """What may be an entry: ``family`` is how it is spelt and where; where there are so ``many``, they are entries."""

    entry: Entry
    family: str
    many: int


def read(path: str, text: str, layout: Catalog | None = None) -> tuple[Entry, ...]:
    """Return the entries of a catalog in their order; ``layout`` is what the policy says of it."""
    layout = layout or Catalog()
    candidates: list[_Candidate] = []
    above: dict[int, Section] = {}
    for section in sections(text):
        above[section.level] = section
        parent = next((above[level] for level in range(section.level - 1, 0, -1) if level in above), None)
        reader = _SectionReader(path, section, parent, layout.code_column)
        candidates.extend(item for item in reader.candidates() if is_meant(item.entry, layout))
    return tuple(sorted(_chosen(path, candidates), key=lambda entry: (entry.line, entry.column)))


def _chosen(path: str, candidates: list[_Candidate]) -> Iterator[Entry]:
    """Yield those of the candidates that are entries."""
    families = Counter(item.family for item in candidates)
    examples = Counter(said.text for item in candidates for said in item.entry.said(EXAMPLE_CODE))
    stem = PurePosixPath(path).stem.casefold()
    chosen = [item for item in candidates if families[item.family] >= item.many]
    if not any(item.entry.kind is EntryKind.CODE for item in chosen):  # one with codes is about what its name says
        alone = [
            item for item in candidates if item.entry.kind is EntryKind.CODE and item.entry.name.casefold() == stem
        ]
        kept = {id(item) for item in (*chosen, *alone)}
        chosen = [item for item in candidates if id(item) in kept]
    has_codes = any(item.entry.kind is not EntryKind.TITLE for item in chosen)
    headed = {item.entry.name for item in chosen if item.family.startswith(("heading", "anchor"))}
    seen: set[tuple[int, str]] = set()
    for item in chosen:
        entry = _by_example(item.entry, examples)
        if entry.kind is EntryKind.TITLE and has_codes and families[item.family] < _ENOUGH_BARE:
            continue  # a page of codes with a section about something else
        if entry.kind is EntryKind.CODE and item.family.startswith(("item", "bold", "label")) and entry.name in headed:
            continue  # told again in the text
        if (entry.line, entry.name) not in seen:
            seen.add((entry.line, entry.name))
            yield entry


def is_meant(entry: Entry, layout: Catalog) -> bool:
    """Whether the policy lets an entry be one."""
    headings = (*entry.sections, entry.title)
    if any(fits(text, pattern) for text in (*headings, entry.name) for pattern in layout.ignore):
        return False
    return not layout.sections or any(fits(text, pattern) for text in headings for pattern in layout.sections)


def _by_example(entry: Entry, examples: Counter[str]) -> Entry:
    """Return an entry under the code of its example object, where no other one has an example of the same code."""
    codes = [said.text for said in entry.said(EXAMPLE_CODE) if is_any(said.text)]
    if entry.kind is EntryKind.TITLE and codes and examples[codes[0]] == 1:
        return entry._replace(kind=EntryKind.CODE, name=codes[0])
    return entry


class _SectionReader:
    """Reads one section; ``parent`` is the section around it."""

    def __init__(self, path: str, section: Section, parent: Section | None, code_column: str) -> None:
        self._path = path
        self._code_column = code_column
        self._section = section
        self._parent = parent
        self._around = (*section.parents, section.heading.text)

    def candidates(self) -> Iterator[_Candidate]:
        """Yield what may be entries: the heading, rows, labelled codes, bold lines and items below it."""
        section = self._section
        said = tuple(facts(section.blocks))
        heading = list(self._heading(said))
        yield from heading
        for block in section.blocks:
            if isinstance(block, MarkdownTable) and not tables.is_vertical(block):
                for entry in tables.entries(block, section, self._path, self._code_column):
                    yield _Candidate(entry, "table", 1)
        is_of_class = any(item.entry.kind is EntryKind.CLASS for item in heading)
        if is_of_class or not heading:
            yield from self._labelled(1 if is_of_class else 2)
        if all(
            item.entry.kind is EntryKind.TITLE for item in heading
        ):  # what a mere title says may be said by its lines
            yield from self._lines()

    def _entry(
        self, line: Line, kind: EntryKind, name: str, title: str, said: Facts, *, reserved: bool = False
    ) -> Entry:
        reserved = reserved or is_reserved(line.text) or is_reserved(title)
        reserved = reserved or any(is_reserved(each.text) for label, each in said if label == "status")
        around = self._section.parents if line is self._section.heading else self._around
        return Entry(self._path, line.line, line.column, kind, name, title, around, reserved, said)

    # --- headings -----------------------------------------------------------------------------------------------

    def _heading(self, said: Facts) -> Iterator[_Candidate]:
        line, anchor, level = self._section.heading, self._section.anchor, self._section.level
        text = _NUMBER.sub("", line.text)
        if not text or EXIT_CODE.search(text):
            return
        names, rest = entry_identifier.codes(text, line.codes)
        if anchor and is_any(anchor) and not any(map(is_marked, names)):
            yield _Candidate(self._entry(line, EntryKind.CODE, anchor, text, said), f"anchor {level}", 2)
        elif names:
            said = (*said, *self._shown(said))
            for name in names:
                family = f"heading {level} {entry_identifier.spelling(name) if is_marked(name) else 'bare'}"
                yield _Candidate(self._entry(line, EntryKind.CODE, name, rest, said), family, 1 if said else 2)
        elif entry_identifier.is_bare_name(text, line.codes) or (_LOWER.fullmatch(text) and self._is_below_errors()):
            yield _Candidate(self._entry(line, EntryKind.CODE, text, "", said), f"heading {level} bare", _ENOUGH_BARE)
        else:
            yield from self._without_code(text, said)

    def _shown(self, said: Facts) -> Iterator[tuple[str, EntryText]]:
        """Yield the message that is shown as plain text right below the heading of a code that has no other one."""
        block = self._section.blocks[0] if self._section.blocks else None
        if not isinstance(block, Fence) or block.language not in PLAIN or any(label == "message" for label, _ in said):
            return
        text = block.content.strip("\n")
        if "\n" not in text and is_sentence(text):
            yield "message", EntryText(text, block.line)

    def _is_below_errors(self) -> bool:
        return bool(ABOUT_ERRORS.search(" ".join(self._section.parents)))

    def _without_code(self, text: str, said: Facts) -> Iterator[_Candidate]:
        line, level = self._section.heading, self._section.level
        name, rest = entry_identifier.class_of(text)
        given = {each.text for label, each in said if label == "code"}
        codes = {code for code in given if is_any(code) and not is_status(code)}
        first = next(paragraphs(self._section.blocks), None)
        happens = first is not None and bool(_HAPPENS.match(first.lines[0].text if first.lines else ""))
        if name or (happens and _CAMEL.fullmatch(text)):
            yield _Candidate(self._entry(line, EntryKind.CLASS, name or text, rest, said), "heading class", 1)
        elif len(codes) == 1:
            yield _Candidate(self._entry(line, EntryKind.CODE, codes.pop(), text, said), "heading with code", 1)
        elif codes:
            return
        elif happens and _PART.fullmatch(text) and self._parent is not None:
            heading = self._parent.heading
            yield _Candidate(self._entry(heading, EntryKind.TITLE, heading.text, heading.text, said), "title above", 1)
        elif happens or self._is_error(said):
            labels = {label for label, each in said if label != "class" or is_class(each.text)}
            is_whole = {"class", "message"} <= labels  # an object that names its exception is of an error for certain
            yield _Candidate(
                self._entry(line, EntryKind.TITLE, text, text, said), f"title {level}", 1 if is_whole else 2
            )

    def _is_error(self, said: Facts) -> bool:
        """Whether what a section says is of an error: a message below a label, or an object that shows one."""
        labels = {label for label, _ in said}
        shown = {said.line for label, said in said if label.startswith(EXAMPLE)}
        is_labelled = any(label == "message" and each.line not in shown for label, each in said)
        keys = {label.removeprefix(EXAMPLE).partition(".")[0] for label in labels if label.startswith(EXAMPLE)}
        is_shown = not keys.isdisjoint(ERROR_MARKS) or bool(ABOUT_ERRORS.search(" ".join(self._around)))
        return "class" in labels or is_labelled or ("message" in labels and is_shown)

    # --- lines --------------------------------------------------------------------------------------------------

    def _labelled(self, many: int) -> Iterator[_Candidate]:
        """Yield the codes of lines such as ``**Error Code:** A, B``."""
        for block in paragraphs(self._section.blocks):
            for line in block.lines:
                found = labelled(line)
                if found is None or found[0] != "code":
                    continue
                names = list(tables.codes_of(line._replace(text=found[1])))
                for name in names or ([found[1]] if found[1].lstrip("-").isdigit() else []):
                    entry = self._entry(line, EntryKind.CODE, name, self._section.heading.text, tuple(facts((block,))))
                    yield _Candidate(entry, "label", many)

    def _lines(self) -> Iterator[_Candidate]:
        """Yield entries that are bold lines, items of lists, or plain lines that begin with a code."""
        heading = self._section.heading.text
        is_about = bool(ABOUT_ERRORS.search(" ".join(self._around))) and not _OTHER_WORD.search(heading)
        blocks = self._section.blocks
        for index, block in enumerate(blocks):
            if not isinstance(block, Paragraph):
                continue
            for line in block.lines:
                is_bold = bool(line.strong) and line.text.startswith(line.strong)
                lower = self._lower(block, line) if is_about else None
                if lower is not None:
                    yield lower
                    continue
                if not is_bold and not is_about:
                    continue
                text = line.strong if is_bold else line.text
                where = "bold" if is_bold else f"item {block.depth}"
                names, rest = entry_identifier.codes(text, line.codes)
                after = line.text[len(names[0]) :] if names else ""
                is_set_off = is_bold or bool(entry_identifier.SEPARATOR.match(after))
                if names and is_marked(names[0]) and (is_set_off or line is block.lines[0]):
                    said = tuple(facts(_until(blocks[index + 1 :], is_bold=is_bold)))
                    entry = self._entry(line, EntryKind.CODE, names[0], rest, said)
                    if is_set_off:
                        yield _Candidate(entry, f"{where} {entry_identifier.spelling(names[0])}", 2)
                    else:
                        yield _Candidate(entry, f"{where} plain", _MANY)
                    continue
                name = text.strip(":") if is_class(text.strip(":")) else ""
                if name and is_about and (is_bold or block.depth):
                    entry = self._entry(line, EntryKind.CLASS, name, entry_identifier.rest(line.text[len(text) :]), ())
                    yield _Candidate(entry, f"{where.split()[0]} class", 2)

    def _lower(self, block: Paragraph, line: Line) -> _Candidate | None:
        """Return the entry of an item of a list that begins with a code in lower case, ``None`` for another one."""
        found = _LOWER_ITEM.match(line.raw) if block.depth and line is block.lines[0] else None
        if found is None or not entry_identifier.SEPARATOR.match(found["rest"]):
            return None
        name = found["span"] or found["plain"] or found["bare"]
        if not is_any(name) or (found["bare"] and not _CODES.search(self._section.heading.text)):
            return None
        entry = self._entry(line, EntryKind.CODE, name, entry_identifier.rest(found["rest"]), ())
        return _Candidate(entry, f"item {block.depth} lower", _ENOUGH_BARE)


def _until(blocks: Sequence[Block], *, is_bold: bool) -> Iterator[Block]:
    """Yield the blocks that belong to a line: those up to the next one of its kind."""
    for block in blocks:
        if isinstance(block, Paragraph) and block.lines:
            line = block.lines[0]
            if entry_identifier.codes(line.strong if is_bold else line.text, line.codes)[0]:
                return
        yield block
