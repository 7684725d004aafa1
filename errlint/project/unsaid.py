"""The messages that documents show without a label, and that nothing in the code says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.binding import Documented, bind, plain
from errlint.catalog.entry import Said
from errlint.catalog.templates import ELLIPSIS, Hole, Template, agrees, difference, documented, is_telling, template
from errlint.catalog.unlabelled import How, Shown, is_sentence, unlabelled
from errlint.findings import Span
from errlint.project.sayings import Saying, Sayings

if TYPE_CHECKING:
    from errlint.project import Project
    from errlint.project.raised_errors import RaisedError

_QUOTED = re.compile(r"(?<!\w)(?:'[^'\n]{1,60}'|\"[^\"\n]{1,60}\")(?!\w)")
"""An example in a text."""

_NEAR = 0.75
"""A text that is as near as this to one of the code is the same text, changed."""

_NEAR_IN_TOOL = 0.6
"""The same for a text on the page of a tool, and one that the tool may say."""


class Unsaid(NamedTuple):
    """A message that nothing says: ``difference`` and ``nearest`` tell how a near one differs, "" without one."""

    path: str
    said: Said
    difference: str
    nearest: tuple[str, Span] | None


def unsaid(project: Project) -> Iterator[Unsaid]:
    """Yield the messages without a label that nothing in the code says, in documents that the policy lists."""
    checker = _Checker(project)
    for path, text in sorted(project.documents.texts.items()):
        layout = project.policy(path).catalog
        for shown in unlabelled(path, text, layout) if layout.files else ():
            if not shown.entry.is_reserved and not project.documents.is_generated(path, shown.said.line):
                yield from checker.check(shown)


class _Checker:
    """Compares messages with what the code of one project can say."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._sayings = Sayings(project)

    def check(self, shown: Shown) -> Iterator[Unsaid]:
        """Yield what there is to tell of a message, if anything."""
        said = documented(shown.said.text)
        own = self._messages_of_tool(shown.entry.path)
        if not is_telling(said) or any(agrees(said, raised) for raised, _ in own):
            return
        cut = next((found for found in own if shown.how is not How.LISTED and _is_cut(shown, said, found[0])), None)
        if cut is not None:
            yield _differing(shown, said, cut[0], cut[1].path, cut[1].span)
        elif not self._is_said(said) and not self._are_all_said(shown):
            yield from self._told(shown, said)

    def _is_said(self, said: Template) -> bool:
        return self._project.comparison.says(said) is not None or self._sayings.says(said)

    def _are_all_said(self, shown: Shown) -> bool:
        """Whether a text is several messages, a line each, and the code says all of them."""
        lines = [documented(line) for line in shown.said.text.split("\n") if line.strip()]
        return len(lines) > 1 and all(is_telling(line) and self._is_said(line) for line in lines)

    def _messages_of_tool(self, path: str) -> list[tuple[Template, RaisedError]]:
        """Return what the errors of the tool say that a page is about, with the errors."""
        tools = self._tools(path)
        errors = (error for error in self._project.comparison.errors if not tools.isdisjoint(error.adapters))
        return [(raised, error) for error in errors for raised in error.messages]

    def _told(self, shown: Shown, said: Template) -> Iterator[Unsaid]:
        path = shown.entry.path
        tools = self._tools(path)
        stem = PurePosixPath(path).stem
        asked = Documented(messages=(said,), tools=(stem,), around=(*shown.entry.sections, stem))
        bound = bind(asked, self._project.comparison.errors)
        near = list(
            self._sayings.nearest(documented(_QUOTED.sub("{}", shown.said.text)), _NEAR_IN_TOOL if tools else _NEAR)
        )
        own = [(score, each) for score, each in near if self._may_say(each, tools)]
        if bound is not None and bound.raised is not None and bound.score >= _NEAR:
            yield _differing(shown, said, bound.raised, bound.error.path, bound.error.span)
        elif own and (own[0][0] >= _NEAR or shown.how is How.FENCE):
            best = own[0][1]
            yield _differing(shown, said, best.text, best.path, best.span)
        elif shown.how is How.LISTED:
            if near and near[0][0] >= _NEAR:
                yield Unsaid(path, shown.said, "", None)
        elif shown.how is not How.OPENING and not shown.of_class and is_sentence(shown.said.text):
            yield Unsaid(path, shown.said, "", None)

    def _may_say(self, saying: Saying, tools: frozenset[str]) -> bool:
        """Whether a text may be one of some tools, as far as anybody can tell; of all where there are none."""
        function = self._project.names.function(saying.path, saying.function)
        through = self._project.raised_errors.adapters(saying.path, function) if function is not None else ()
        return not tools or not through or not tools.isdisjoint(through)

    def _tools(self, path: str) -> frozenset[str]:
        """Return the adapters that are called like a page."""
        return self._adapters.get(plain(PurePosixPath(path).stem), frozenset())

    @cached_property
    def _adapters(self) -> dict[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        for path, module in self._project.modules.items():
            for function in module.functions:
                if self._project.is_adapter(path, function):
                    name = plain(function.name)
                    found[name] = found.get(name, frozenset()) | {function.name}
        return found


def _is_cut(shown: Shown, said: Template, raised: Template) -> bool:
    """Whether a text is one of the code but for its beginning, or for all that follows the first of its lines."""
    first, _, rest = shown.said.text.partition("\n")
    return agrees(template((Hole(), *said.parts)), raised) or (
        bool(rest) and agrees(template((*documented(first).parts, Hole(ELLIPSIS))), raised)
    )


def _differing(shown: Shown, said: Template, raised: Template, path: str, span: Span) -> Unsaid:
    return Unsaid(shown.entry.path, shown.said, difference(said, raised), (path, span))
