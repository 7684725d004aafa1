"""Recognises the entries of a catalog, whatever its layout."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import NamedTuple

from errlint.catalog import tables
from errlint.catalog.codes import MARKED, expanded, is_any, is_class, is_kebab, is_marked, is_placeholder, is_status
from errlint.catalog.entry import Entry, Kind, Said
from errlint.catalog.labels import EXAMPLE_CODE, EXIT_CODE, is_reserved, label
from errlint.catalog.markdown import Block, Fence, Line, Paragraph, Section, Table, sections
from errlint.settings.policy import Catalog

_NUMBER = re.compile(r"^(?:\d+(?:\.\d+)*[.)]|[①-⑳])\s+")
_AFTER = re.compile(r"\s*(?:$|[:：—–(\[|]|-\s|→|=)|\s")
_LABELLED = re.compile(r"^\s*([^:：`]{2,40}?)\s*[:：]\s*(.*)$")
_IN_JSON = re.compile(
    r'"(code|error_code|errorCode|message|error|error_message|error_type|detail)"\s*:\s*"((?:[^"\\]|\\.)*)"'
)
_ERROR_WORD = re.compile(
    r"err|exception|fail|code|ошиб|исключ|fehler|ausnahme|excep|错误|异常|エラー|例外|오류|에러", re.I
)
_OTHER_WORD = re.compile(
    r"variable|environment|setting|config|option|permission|table of contents|see also|related", re.I
)

_JSON_LABELS = {"code": EXAMPLE_CODE, "error_code": EXAMPLE_CODE, "errorCode": EXAMPLE_CODE, "error_type": "class"}


class _Candidate(NamedTuple):
    """What may be an entry: ``family`` is how it is spelt and where, and ``is_sure`` whether that is enough."""

    entry: Entry
    family: str
    is_sure: bool


def read(path: str, text: str, layout: Catalog = Catalog()) -> tuple[Entry, ...]:  # noqa: B008 -- frozen
    """Return the entries of a catalog in their order; ``layout`` is what the policy says of it."""
    readers = (_Reader(path, section, layout.code_column) for section in sections(text))
    candidates = [item for reader in readers for item in reader.candidates() if _is_meant(item.entry, layout)]
    families = Counter(item.family for item in candidates)
    examples = Counter(said.text for item in candidates for said in item.entry.said(EXAMPLE_CODE))
    stem = PurePosixPath(path).stem.casefold()
    found: dict[tuple[int, str], Entry] = {}
    for item in candidates:
        if item.is_sure or families[item.family] > 1 or item.entry.name.casefold() == stem:
            entry = _by_example(item.entry, examples)
            found.setdefault((entry.line, entry.name), entry)
    return tuple(sorted(found.values(), key=lambda entry: (entry.line, entry.column)))


def _is_meant(entry: Entry, layout: Catalog) -> bool:
    """Whether the policy lets an entry be one."""
    headings = (*entry.sections, entry.title)
    if any(fnmatchcase(text, pattern) for text in (*headings, entry.name) for pattern in layout.ignore):
        return False
    return not layout.sections or any(fnmatchcase(text, pattern) for text in headings for pattern in layout.sections)


def _by_example(entry: Entry, examples: Counter[str]) -> Entry:
    """Return an entry under the code of its example object, where no other one has an example of the same code."""
    codes = [said.text for said in entry.said(EXAMPLE_CODE) if is_any(said.text)]
    if entry.kind is Kind.TITLE and codes and examples[codes[0]] == 1:
        return entry._replace(kind=Kind.CODE, name=codes[0])
    return entry


class _Reader:
    """Reads one section."""

    def __init__(self, path: str, section: Section, code_column: str) -> None:
        self._path = path
        self._code_column = code_column
        self._section = section
        self._around = (*section.parents, section.heading.text)

    def candidates(self) -> Iterator[_Candidate]:
        """Yield what may be entries: the heading, else rows, bold lines and items below it."""
        section = self._section
        heading = list(self._heading(tuple(_facts(section.blocks))))
        yield from heading
        for block in section.blocks:
            if isinstance(block, Table) and not tables.is_vertical(block):
                for entry in tables.entries(block, section, self._path, self._code_column):
                    yield _Candidate(entry, "table", True)
        if not heading:
            yield from self._lines()

    # --- headings -----------------------------------------------------------------------------------------------

    def _heading(self, said: tuple[tuple[str, Said], ...]) -> Iterator[_Candidate]:
        line, anchor = self._section.heading, self._section.anchor
        text = _NUMBER.sub("", line.text)
        if not text or EXIT_CODE.search(text):
            return
        name, rest = _leading_code(text, line.codes)
        if anchor and is_any(anchor) and not is_marked(name):
            yield _Candidate(self._entry(Kind.CODE, anchor, text, said), f"anchor {self._section.level}", False)
        elif name:
            family = f"heading {self._section.level} {_spelling(name)}"
            yield _Candidate(self._entry(Kind.CODE, name, rest, said), family, bool(said))
        else:
            yield from self._without_code(text, said)

    def _without_code(self, text: str, said: tuple[tuple[str, Said], ...]) -> Iterator[_Candidate]:
        first, _, rest = text.partition(" ")
        first = first.strip(":`*")
        codes = [each.text for name, each in said if name == "code" and is_any(each.text) and not is_status(each.text)]
        if is_class(first) and (not rest or rest[:1] in "(—–-:"):
            yield _Candidate(self._entry(Kind.CLASS, first, rest.strip("—–-: "), said), "heading class", True)
        elif codes:
            yield _Candidate(self._entry(Kind.CODE, codes[0], text, said), "heading with code", True)
        elif not {name for name, _ in said}.isdisjoint(("message", "class")):
            yield _Candidate(self._entry(Kind.TITLE, text, text, said), "heading with message", True)

    def _entry(self, kind: Kind, name: str, title: str, said: tuple[tuple[str, Said], ...]) -> Entry:
        line, parents = self._section.heading, self._section.parents
        reserved = is_reserved(line.text) or any(is_reserved(each.text) for label, each in said if label == "status")
        return Entry(self._path, line.line, line.column, kind, name, title, parents, reserved, said)

    # --- lines --------------------------------------------------------------------------------------------------

    def _lines(self) -> Iterator[_Candidate]:
        """Yield entries that are bold lines, items of lists, or plain lines that begin with a code."""
        is_about = bool(_ERROR_WORD.search(" ".join(self._around))) and not _OTHER_WORD.search(
            self._section.heading.text
        )
        blocks = self._section.blocks
        for index, block in enumerate(blocks):
            if not isinstance(block, Paragraph):
                continue
            for line in block.lines:
                if line.strong and line.text.startswith(line.strong):
                    name, rest = _leading_code(line.strong, ())
                    where = "bold"
                elif is_about:
                    name, rest = _leading_code(line.text, line.codes)
                    where = f"item {block.depth}"
                    if not rest:
                        name = ""
                else:
                    continue
                if not name and where == "bold" and is_about and is_class(line.strong.strip(":")):
                    entry = Entry(
                        self._path, line.line, line.column, Kind.CLASS, line.strong.strip(":"), "", self._around
                    )
                    yield _Candidate(entry, "bold class", False)
                if name:
                    said = tuple(_facts(_until(blocks[index + 1 :], where)))
                    reserved = is_reserved(line.text) or is_reserved(rest)
                    entry = Entry(
                        self._path, line.line, line.column, Kind.CODE, name, rest, self._around, reserved, said
                    )
                    yield _Candidate(entry, f"{where} {_spelling(name)}", False)


def _until(blocks: Sequence[Block], where: str) -> Iterator[Block]:
    """Yield the blocks that belong to a line: those up to the next one of its kind."""
    for block in blocks:
        if isinstance(block, Paragraph) and block.lines:
            line = block.lines[0]
            if _leading_code(line.strong if where == "bold" else line.text, line.codes)[0]:
                return
        yield block


def _leading_code(text: str, spans: Sequence[str]) -> tuple[str, str]:
    """Return the code that a text begins with and what follows it, ("", "") where there is none."""
    text = text.strip()
    span = next((each for each in spans if text.startswith(each)), "")
    if span and (is_marked(span) or is_kebab(span)):
        rest = text[len(span) :]
        return (span, _rest(rest)) if _AFTER.match(rest) and not _is_range(text) else ("", "")
    text = text.lstrip("[(")
    found = MARKED.match(text)
    if found is None or is_placeholder(found.group()) or _is_range(text):
        return "", ""
    rest = text[found.end() :].lstrip(")]")
    return (found.group(), _rest(rest)) if _AFTER.match(rest) else ("", "")


def _is_range(text: str) -> bool:
    first = re.split(r"[\s:(]", text)[0]
    spaced = re.match(r"\S+\s*(?:[–—-]|to)\s*\S+", text)
    return any(expanded(first)) or (spaced is not None and any(expanded(spaced.group())))


def _rest(text: str) -> str:
    return text.strip(" :：—–-()|→=")


def _spelling(name: str) -> str:
    """Return how a code is spelt: codes of one catalog are spelt alike."""
    if name.lstrip("-").isdigit():
        return "number"
    kinds = "-" if "-" in name else "_" if "_" in name else ""
    return f"{'upper' if name.isupper() else 'lower'}{kinds}{'9' if name[-1].isdigit() else ''}"


def _facts(blocks: Sequence[Block] | Iterator[Block]) -> Iterator[tuple[str, Said]]:
    """Yield what blocks say about one error under their labels."""
    waiting = ""
    for block in blocks:
        if isinstance(block, Table):
            if tables.is_vertical(block):
                yield from tables.facts(block)
        elif isinstance(block, Fence):
            if waiting:
                for offset, text in enumerate(block.content.rstrip("\n").split("\n")):
                    yield waiting, Said(text, block.line + offset)
            elif block.language in ("json", "jsonc", "json5", ""):
                yield from _json_facts(block)
            waiting = ""
        else:
            for line in block.lines:
                found = _labelled(line)
                if found is not None:
                    waiting, value = found
                    if waiting and value:
                        yield waiting, Said(value, line.line)
                        waiting = ""
                elif waiting and block.depth:
                    yield waiting, Said(line.text, line.line)


def _labelled(line: Line) -> tuple[str, str] | None:
    """Return the standard name of the label of a line ("" for an unknown one) and its value; ``None`` without one."""
    found = _LABELLED.match(line.text)
    if found is None:
        return None
    name = label(found.group(1)) if found.group(1).strip() not in line.codes else ""
    if not name and not (line.strong and line.text.startswith(line.strong)):
        return None
    value = found.group(2).strip()
    if len(line.codes) == 1 and value.strip("*") == line.codes[0]:
        value = line.codes[0]
    return name, value


def _json_facts(fence: Fence) -> Iterator[tuple[str, Said]]:
    for offset, line in enumerate(fence.content.split("\n")):
        for found in _IN_JSON.finditer(line):
            yield _JSON_LABELS.get(found.group(1), "message"), Said(found.group(2), fence.line + offset)
