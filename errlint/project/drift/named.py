"""What the lines of catalogs name in code spans: tools, their parameters, names of the code, environment variables.

Only what cannot be anything else is told: a tool that people are sent to, and that no word of the code is called like;
a parameter beside the tool that it is said to be of; a name below a package of the project; a variable beside others
of the same beginning.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.entry import Entry, EntryKind
from errlint.catalog.markdown import Fence, Line, Paragraph, Section, sections
from errlint.catalog.samples import Imported
from errlint.findings import Span
from errlint.lazy import cached_property
from errlint.project.drift.importable import problems
from errlint.project.drift.pages import Tool

if TYPE_CHECKING:
    from errlint.project import Project

_SENT = re.compile(
    r"\b(?i:use|call|run|invoke|try|retry|with|via)\s+`(?P<name>[a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?:\([^`]*\))?`"
)
"""People are sent to a function."""

_GIVEN = re.compile(r"`(?P<name>[a-z_]\w*)=[^`=]+`")
_DOTTED = re.compile(r"`(?P<module>[a-z_]\w*(?:\.[a-z_]\w*)+)\.(?P<name>[A-Z]\w+)`")
_VARIABLE = re.compile(
    r"\b(?i:set|export|unset|variables?|environment)\b[^`]{0,30}`(?P<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`"
)
_PREFIX = re.compile(r"[A-Z][A-Z0-9]*_")


class Dead(NamedTuple):
    """Something that is named and is not there."""

    path: str
    span: Span
    message: str


def dead_names(project: Project) -> Iterator[Dead]:
    """Yield the names in the catalogs that nothing in the code is called by."""
    for path, text in sorted(project.documents.texts.items()):
        named = _DocumentLines(project, path)
        for section in sections(text):
            for line in _lines(section):
                if not project.documents.is_generated(path, line.line):
                    yield from named.of(section, line)


def _lines(section: Section) -> Iterator[Line]:
    for block in section.blocks:
        if isinstance(block, Paragraph):
            yield from block.lines
        elif not isinstance(block, Fence):
            for row in block.rows:
                yield from row


class _DocumentLines:
    """Looks at the lines of one document."""

    def __init__(self, project: Project, path: str) -> None:
        self._project = project
        self._path = path

    def of(self, section: Section, line: Line) -> Iterator[Dead]:
        documented = self._project.documented
        pages = self._project.comparison.pages
        for found in _SENT.finditer(line.raw):
            name = found["name"]
            if pages.adapters and not pages.called(name) and not documented.is_mentioned(name):
                yield self._dead(line, found, f"there is no tool or function `{name}`")
        for found in _GIVEN.finditer(line.raw):
            tool = self._tool(section, line)
            if tool is not None and self._has_no(tool, found["name"], is_beside=bool(self._tools(line))):
                short = tool.function.removesuffix(".execute").rpartition(".")[2]
                yield self._dead(line, found, f"`{short}` has no parameter `{found['name']}`")
        for found in _DOTTED.finditer(line.raw):
            at = (found["name"], line.line, 1)
            for message, _ in problems(self._project, Imported(found["module"], (at,))):
                yield self._dead(line, found, message)
        for found in _VARIABLE.finditer(line.raw):
            if self._is_unread(found["name"]):
                yield self._dead(line, found, f"the code reads no environment variable `{found['name']}`")

    def _dead(self, line: Line, found: re.Match[str], message: str) -> Dead:
        return Dead(self._path, Span(line.line, line.column, line.line, line.column + len(line.text)), message)

    def _tools(self, line: Line) -> set[Tool]:
        called = (self._project.comparison.pages.called(code.partition("(")[0]) for code in line.codes)
        return {tool for tools in called for tool in tools}

    def _tool(self, section: Section, line: Line) -> Tool | None:
        """Return the one tool that a line names, or that it stands below."""
        tools = self._tools(line)
        if not tools:
            title = Entry(self._path, line.line, 1, EntryKind.TITLE, "", section.heading.text, section.parents)
            tools = {*self._project.comparison.pages.around(title)}
        return tools.pop() if len(tools) == 1 else None

    def _has_no(self, tool: Tool, name: str, *, is_beside: bool) -> bool:
        """Whether a tool has no such parameter for certain; one that is not beside it may be anything that is named."""
        function = self._project.names.function(tool.path, tool.function)
        if function is None or any(item.kind in ("*", "**") for item in function.parameters):
            return False
        if any(item.name == name for item in function.parameters):
            return False
        return name not in self._members if is_beside else not self._project.documented.is_mentioned(name)

    @cached_property
    def _members(self) -> frozenset[str]:
        """The fields that classes declare, and the keys of dicts: what a parameter may be made of."""
        documented = self._project.documented
        found: set[str] = set()
        for path in self._project.modules:
            for node in documented.nodes(path):
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    found.add(node.target.id)
                elif isinstance(node, ast.Dict):
                    found.update(str(key.value) for key in node.keys if isinstance(key, ast.Constant))
                elif isinstance(node, ast.arg):
                    found.add(node.arg)
        return frozenset(found)

    def _is_unread(self, name: str) -> bool:
        """Whether nothing in the code is called like a variable, while others of its beginning are read there."""
        documented = self._project.documented
        prefix = _PREFIX.match(name)
        assert prefix is not None
        if documented.is_mentioned(name):
            return False
        return bool(documented.occurrences(rf"[\"']{prefix.group()}[A-Z0-9_]+[\"']")) and not documented.occurrences(
            rf"[\"']{prefix.group()}(?:[\"'{{%]|[A-Z0-9_]*_[\"'{{%])"
        )
