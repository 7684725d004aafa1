"""Exceptions of the language that pages of tools name, where no tool lets one of them out."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.markdown import Line
from errlint.catalog.raises_lists import Handled, Listed, handled, listed
from errlint.findings import Related, Span
from errlint.index.may_raise import running
from errlint.project.drift.example_responses import Broken
from errlint.project.drift.exception_escape import ExceptionEscape
from errlint.project.drift.pages import Tool
from errlint.project.raised_errors import Origin as How
from errlint.project.raised_errors import RaisedError

if TYPE_CHECKING:
    from errlint.project import Project

_SHOWN = 3
"""So many of the exceptions that are raised are told."""


_NAME = re.compile(r"\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:tool\b\s*(?::\s*)?)?([\w.]+)", re.IGNORECASE)


def unraised(project: Project) -> Iterator[Broken]:
    """Yield what pages say of exceptions of the language that no tool lets out which they speak of."""
    pages = [(path, text) for path, text in sorted(project.documents.texts.items()) if _may_have(text)]
    if pages:
        asked = _Pages(project)
        for path, text in pages:
            yield from asked.of(path, text)


def _may_have(text: str) -> bool:
    return "Error" in text or "except" in text


class _Pages:
    """Compares pages with the adapters of one project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._escape = ExceptionEscape(project)
        self._by_name: dict[str, set[Tool]] = {}
        self._pages = project.comparison.pages
        self._all: set[Tool] = set()
        self._others: set[str] = set()
        for path, module in project.modules.items():
            for function in module.functions:
                short = function.name.rpartition(".")[2]
                tool = Tool(path, function.name)
                if not project.adapters.is_adapter(path, function):
                    self._others.add(short)
                    continue
                if not function.owner:
                    self._by_name.setdefault(short, set()).add(tool)
                boundaries = project.boundaries
                if not (boundaries.is_resource(path, function) or boundaries.is_prompt(path, function)):
                    self._all.add(tool)

    def of(self, path: str, text: str) -> Iterator[Broken]:
        """Yield what is wrong on one page, once for a line."""
        seen: set[int] = set()
        page = self._pages.tools(path)
        found = [(each, self._subject(each, page)) for each in listed(text)]
        for each, tools in found:
            if tools and each.line not in seen and not self._is_told(path, each.line):
                broken = self._wrong(path, each, tools, is_of_all=tools == self._all and tools != page)
                if broken is not None:
                    seen.add(each.line)
                    yield broken
        own = [each for each, tools in found if tools == page]
        missing = self._missing(path, text, own, page) if page and own else None
        if missing is not None and missing.span.line not in seen:
            yield missing
        for sample in handled(text):
            broken = self._never_runs(path, page, sample) if sample.line not in seen else None
            if broken is not None:
                seen.add(sample.line)
                yield broken

    def _is_told(self, path: str, line: int) -> bool:
        """Whether another rule tells of the entry in a line."""
        phantoms = self._project.phantoms
        return any(
            entry.path == path and entry.line == line and phantoms.of(entry) is not None
            for entry in self._project.documented.entries
        )

    # --- what a list is about ---------------------------------------------------------------------------------------

    def _subject(self, each: Listed, page: frozenset[Tool]) -> frozenset[Tool]:
        """Return the tools of the innermost heading that is called like some, else of the page, or all of them.

        Below the name of anything else there are none.
        """
        for heading in reversed(each.around):
            name = _first_word(heading)
            tools = self._pages.called(name)
            if tools and tools == page:
                return page
            tools = frozenset(self._by_name.get(name, tools if heading.codes else ()))
            if tools and name not in self._others:
                return tools
            if heading.codes or "(" in heading.text or name in self._others:
                return frozenset()
        if page:
            return page
        return frozenset(self._all) if each.is_of_all else frozenset()

    # --- what is wrong ----------------------------------------------------------------------------------------------

    def _wrong(self, path: str, each: Listed, tools: frozenset[Tool], *, is_of_all: bool) -> Broken | None:
        """Return what is wrong with an exception of a list: no tool that it is about may let one out."""
        if not self._is_never(tools, each.name):
            return None
        instead = self._instead(tools, each.name)
        if instead is None and not each.is_raised:
            return None  # what is told may be what it answers
        text, related = instead or _Instead(": it is answered", ())
        who = "no tool raises" if is_of_all else f"`{_called(tools)}` raises no"
        span = Span(each.line, each.column, each.line, each.column + len(each.name))
        return Broken(path, span, f"{who} `{each.name}`{text}", related)

    def _is_never(self, tools: frozenset[Tool], name: str) -> bool:
        return not any(
            self._is_configured(tool, name) or self._escape.may(tool.path, tool.function, name) for tool in tools
        )

    def _is_configured(self, tool: Tool, name: str) -> bool:
        """Whether the policy says that an exception, or one that is related to it, goes to the boundary as it is."""
        policy = self._project.policy(tool.path)
        kept = [each for each, becomes in policy.exceptions.map.items() if becomes == "propagate"]
        kept.extend(each for boundary in policy.boundaries for each in boundary.maps)
        return any(_are_related(each.rpartition(".")[2], name) for each in kept)

    def _instead(self, tools: frozenset[Tool], name: str) -> _Instead | None:
        """Return what happens instead; ``None`` where a tool or its boundary answers, perhaps with the same name."""
        turns = [self._escape.turned(tool.path, tool.function, name) for tool in sorted(tools)]
        around = [turned for turned in turns if turned is not None]
        if around:
            names = " or ".join(f"`{each}`" for each in around[0].classes[:_SHOWN])
            place = Related(around[0].path, around[0].span, "it is caught here")
            is_raised = all(turned.classes for turned in around)
            return _Instead(f": `{around[0].boundary}` makes {names} of it", (place,)) if is_raised else None
        if any(self._escape.answers(tool.path, tool.function, name) for tool in tools):
            return None
        own = {tool.function for tool in tools}
        raised = {
            error.name: error
            for error in self._project.comparison.errors
            if error.kind is How.RAISE and error.is_domain and not own.isdisjoint(error.adapters)
        }
        if not raised:
            return _Instead(", nor does anything that it calls let one out", ())
        names = " and ".join(f"`{each}`" for each in list(raised)[:_SHOWN])
        first = next(iter(raised.values()))
        return _Instead(f": it raises {names}", (Related(first.path, first.span, "for example here"),))

    # --- samples ----------------------------------------------------------------------------------------------------

    def _never_runs(self, path: str, page: frozenset[Tool], sample: Handled) -> Broken | None:
        """Return what is wrong with a handler of a sample: nothing that it stands for lets its exception out."""
        names = {
            node.func.id: self._meant(node.func.id, page, sample)
            for node in running(sample.tried)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        called = {name: tools for name, tools in names.items() if tools}
        tools = frozenset(tool for each in called.values() for tool in each)
        if not tools or any(self._is_configured(tool, sample.name) for tool in tools):
            return None
        if self._escape.may_sample(sample.tried, called, sample.name):
            return None
        instead = self._instead(tools, sample.name) or _Instead(": it is answered", ())
        message = f"this handler never runs: `{next(iter(called))}` raises no `{sample.name}`{instead.text}"
        return Broken(path, Span(sample.line, 1, sample.line, 1), message, instead.related)

    def _meant(self, name: str, page: frozenset[Tool], sample: Handled) -> frozenset[Tool]:
        """Return the tools that a sample calls by a name, nothing where it may mean something else."""
        tools = frozenset(self._by_name.get(name, self._pages.called(name)))
        if name in self._others and tools != page:
            return frozenset()
        for node in ast.walk(sample.module):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.name == name:
                return frozenset()
            if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
                return frozenset()
            if isinstance(node, ast.ImportFrom) and any((each.asname or each.name) == name for each in node.names):
                found = self._project.layout.find(node.module or "", "")
                return tools if found is not None and any(tool.path == found for tool in tools) else frozenset()
        return tools

    # --- what is missing --------------------------------------------------------------------------------------------

    def _missing(self, path: str, text: str, found: list[Listed], tools: frozenset[Tool]) -> Broken | None:
        """Return the exceptions that the tool of a page raises past its boundary and that its list leaves out."""
        named = {each.name for each in found}
        missing: dict[str, RaisedError] = {}
        for tool in sorted(tools):
            for error in self._project.raised_errors.of(tool.path):
                name = error.name
                is_own = error.function == tool.function and error.kind is How.RAISE and error.surfaces
                if not is_own or f"builtins.{name}" not in error.names[:1] or re.search(rf"\b{name}\b", text):
                    continue
                if not any(_are_related(name, each) for each in named) and self._escape.lets_through(*tool, name):
                    missing.setdefault(name, error)
        if not missing:
            return None
        names = " and ".join(f"`{name}`" for name in missing)
        related = tuple(Related(error.path, error.span, "it is raised here") for error in missing.values())
        head = found[0].head
        return Broken(path, Span(head, 1, head, 1), f"`{_called(tools)}` raises {names}, which is not listed", related)


def _first_word(heading: Line) -> str:
    """Return the name that a heading begins with, without its number and parameters."""
    found = _NAME.match(heading.text)
    return found.group(1) if found is not None else ""


class _Instead(NamedTuple):
    """What happens instead of an exception, as the end of a sentence, with its places."""

    text: str
    related: tuple[Related, ...]


def _called(tools: frozenset[Tool]) -> str:
    """Return what the first of some tools is called."""
    return min(tool.function for tool in tools).removesuffix(".execute").rpartition(".")[2]


def _are_related(name: str, other: str) -> bool:
    """Whether one of two exceptions of the language is the other, or below it."""
    both = [getattr(builtins, each, None) for each in (name, other)]
    one, two = (each if isinstance(each, type) else None for each in both)
    return one is not None and two is not None and (issubclass(one, two) or issubclass(two, one))
