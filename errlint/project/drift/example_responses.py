"""The failures that pages and docstrings of tools show as answers, beside those that the tools answer."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.markdown import Fence, MarkdownTable, sections
from errlint.catalog.objects import Member, error_members, says_failure
from errlint.error_keywords import ERROR_KEYS, FAILURE_KEYS, STATUS_KEYS, SUCCESS_KEYS
from errlint.findings import Related, Span
from errlint.project.drift.documented import definitions
from errlint.project.drift.pages import Tool
from errlint.project.raised_errors import Origin as How
from errlint.project.raised_errors import RaisedError

if TYPE_CHECKING:
    from errlint.project import Project

_ENOUGH = 2
"""So many values in common make a table one of the values of a key."""

_QUOTED = re.compile(r'["“](\w+)["”]')
_VALUE = re.compile(r"[A-Za-z]\w*")
_ABOUT_STATUS = re.compile(r"\b(status)(?:es)?\b", re.IGNORECASE)
_ITEM = re.compile(r"""\s*[-*]\s+`{0,2}["']?(\w+)["']?`{0,2}\s*(?::|-|\u2013|$)""")


class Broken(NamedTuple):
    """A promise that is not kept: its file and place, what is wrong, and other places."""

    path: str
    span: Span
    message: str
    related: tuple[Related, ...] = ()


def _may_answer(project: Project, path: str) -> bool:
    """Whether exceptions may become answers outside of the adapters of a file: a known boundary tells."""
    boundaries = project.policy(path).boundaries
    return not boundaries or any(boundary.envelope for boundary in boundaries)


class _ShownStatus(NamedTuple):
    """A status that the page of a tool shows, which says that something failed: in an object or in a list of fields."""

    key: str
    text: str
    line: int
    is_listed: bool


class WrongAnswer(NamedTuple):
    """A failure that the page of a tool shows, and the tool does not answer: in a list of fields, or in an object."""

    broken: Broken
    is_listed: bool


class _Known(NamedTuple):
    """What the code says of some tools: the domain exceptions that they raise, and the errors that they answer."""

    tools: frozenset[Tool]
    raised: tuple[RaisedError, ...]
    answered: tuple[RaisedError, ...]

    def answers(self, project: Project, shown: _ShownStatus) -> bool:
        """Whether one of the tools may answer what is shown, also where that is no error return to us."""
        return any(_is_like(error, shown) for error in self.answered) or _stands_in(project, self.tools, shown)

    @property
    def name(self) -> str:
        """What the first of the tools is called."""
        return min(tool.function for tool in self.tools).removesuffix(".execute")


def wrong_answers(project: Project) -> Iterator[WrongAnswer]:
    """Yield the failures that pages and docstrings of tools show as answers, and that the tools do not answer."""
    for path, text in sorted(project.documents.texts.items()):
        known = _of_page(project, path)
        for shown in _shown(text) if known.raised else ():
            if not known.answers(project, shown):
                yield _wrong(path, known, shown)
        for shown in _kinds(text, known.answered):
            if not known.answers(project, shown):
                yield _wrong(path, known, shown)
    for path, functions in _adapters(project).items():
        if project.is_reported(path):
            yield from _of_docstrings(project, path, functions)


def unanswered_keys(project: Project) -> Iterator[Broken]:
    """Yield the keys of failures that pages of tools show, which no answer of the tool that may be meant has.

    The tool answers these itself, so that nothing can add the key.
    """
    for path, text in sorted(project.documents.texts.items()):
        known = _of_page(project, path)
        own = {tool.function for tool in known.tools}
        for members in _objects(text) if known.answered else ():
            meant = [error for error in known.answered if _is_meant(error, members)]
            if not meant or any(error.is_open or error.function not in own for error in meant):
                continue
            told = {name.partition(".")[0] for error in meant for name in error.fields}
            related = (Related(meant[0].path, meant[0].span, "the answer is here"),)
            for member in members:
                if len(member.keys) == 1 and member.key not in told:
                    place = Span(member.line, 1, member.line, 1)
                    yield Broken(path, place, f"what `{known.name}` answers has no `{member.key}`", related)


def _objects(text: str) -> Iterator[tuple[Member, ...]]:
    """Yield the members of each object that shows a failure, but for those that stand in code."""
    for section in sections(text):
        for block in section.blocks:
            if isinstance(block, Fence) and block.content.lstrip().startswith("{"):
                members = error_members(block.content, block.line)
                if _failure(members) is not None:
                    yield members


def _is_meant(error: RaisedError, members: tuple[Member, ...]) -> bool:
    """Whether an answer may be the one that is shown: it has a constant in common with it, and no other one."""
    values = dict(error.values)
    shown = {member.key: member.text for member in members if len(member.keys) == 1 and member.key in values}
    return bool(shown) and all(values[key] == text for key, text in shown.items())


def _adapters(project: Project) -> dict[str, set[str]]:
    """Return the names of the adapters whose exceptions become no answers, by their files."""
    found: dict[str, set[str]] = {}
    for tool in sorted(tool for tools in project.comparison.pages.adapters.values() for tool in tools):
        if not _may_answer(project, tool.path):
            found.setdefault(tool.path, set()).add(tool.function)
    return found


def _of_docstrings(project: Project, path: str, functions: set[str]) -> Iterator[WrongAnswer]:
    tree = project.documented.tree(path)
    for name, node in definitions(tree) if tree is not None else ():
        known = _known(project, frozenset([Tool(path, name)])) if name in functions else None
        for shown in _statuses(node) if known is not None and known.raised else ():
            assert known is not None
            if not known.answers(project, shown):
                yield _wrong(path, known, shown)


def _of_page(project: Project, path: str) -> _Known:
    """Return what the code says of the tools of a page whose exceptions become no answers."""
    tools = project.comparison.pages.tools(path)
    return _known(project, frozenset(tool for tool in tools if not _may_answer(project, tool.path)))


def _known(project: Project, tools: frozenset[Tool]) -> _Known:
    names = {tool.function for tool in tools}
    errors = [error for error in project.comparison.errors if not names.isdisjoint(error.adapters)]
    return _Known(
        tools,
        tuple(error for error in errors if error.kind is How.RAISE and error.is_domain),
        tuple(error for error in errors if error.kind in (How.PAYLOAD, How.OBJECT)),
    )


def _wrong(path: str, known: _Known, shown: _ShownStatus) -> WrongAnswer:
    message = f"`{known.name}` answers nothing with `{shown.key}` `{shown.text}`"
    related: tuple[Related, ...] = ()
    if known.raised:
        message += ": it raises its errors"
        related = (Related(known.raised[0].path, known.raised[0].span, "for example here"),)
    return WrongAnswer(Broken(path, Span(shown.line, 1, shown.line, 1), message, related), shown.is_listed)


def _kinds(text: str, answered: tuple[RaisedError, ...]) -> Iterator[_ShownStatus]:
    """Yield the rows of tables that list the values of a key, where the code answers two of them or more."""
    tables = (block for section in sections(text) for block in section.blocks if isinstance(block, MarkdownTable))
    for table in tables if answered else ():
        key = "_".join(table.header[0].text.lower().split())
        rows = [(row[0].text.strip("`\"'"), row[0].line) for row in table.rows]
        values = {dict(error.values).get(key, "") for error in answered} - {""}
        if len(values & {value for value, _ in rows}) >= _ENOUGH and key not in STATUS_KEYS:
            yield from (_ShownStatus(key, value, line, False) for value, line in rows if _VALUE.fullmatch(value))


def _statuses(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[_ShownStatus]:
    """Yield the failures in the list of the statuses that a docstring says an answer has."""
    body = node.body[0]
    if not (isinstance(body, ast.Expr) and isinstance(body.value, ast.Constant) and isinstance(body.value.value, str)):
        return
    key = ""
    for number, line in enumerate(body.value.value.split("\n"), body.value.lineno):
        item = _ITEM.match(line)
        if item is None:
            about = _ABOUT_STATUS.search(line) if line.rstrip().endswith(":") else None
            key = about.group(1).lower() if about is not None else ""
        elif key and says_failure(item.group(1)):
            yield _ShownStatus(key, item.group(1), number, False)


def _shown(text: str) -> Iterator[_ShownStatus]:
    for section in sections(text):
        for block in section.blocks:
            if isinstance(block, Fence):
                member = _failure(error_members(block.content, block.line))
                if member is not None:
                    yield _ShownStatus(member.key, member.text or "", member.line, False)
            elif isinstance(block, MarkdownTable):
                for row in block.rows:
                    for value in _QUOTED.findall(row[-1].text) if row[0].text.strip("`") in STATUS_KEYS else ():
                        if says_failure(value):
                            yield _ShownStatus(row[0].text.strip("`"), value, row[0].line, True)


def _stands_in(project: Project, tools: frozenset[Tool], shown: _ShownStatus) -> bool:
    """Whether the file of a tool writes a status down, also where that is no error return to us."""
    pattern = re.compile(rf"\b{re.escape(shown.key)}[\"']?\]?\s*[:=]\s*[\"']{re.escape(shown.text)}\b", re.IGNORECASE)
    return any(pattern.search(project.documented.text(tool.path)) for tool in tools)


def _failure(shown: tuple[Member, ...]) -> Member | None:
    """Return the member by which an object says that it is an error."""
    keys = {member.keys for member in shown}
    for member in shown:
        text = (member.text or "").lower()
        if len(member.keys) != 1:
            continue
        if member.key in STATUS_KEYS and says_failure(text):
            return member
        if (member.key in SUCCESS_KEYS and text == "false") or (member.key in FAILURE_KEYS and text == "true"):
            return member if any((key,) in keys for key in (*ERROR_KEYS, "message")) else None
    return None


def _is_like(error: RaisedError, status: _ShownStatus) -> bool:
    """Whether an answered error may be the one that is shown: with the same status, or one that is not known."""
    values = dict(error.values)
    if status.key not in error.fields:
        return error.is_open
    return status.key not in values or values[status.key] == status.text
