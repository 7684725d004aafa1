"""The messages that documents show without a label, and that nothing in the code says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.bare_messages import BareMessage, How, unlabelled
from errlint.catalog.entry import EntryText
from errlint.catalog.sentences import is_sentence
from errlint.catalog.templates import ELLIPSIS, Hole, Template, agrees, difference, documented, is_telling, template
from errlint.findings import Span
from errlint.project.drift.binding import NEAR_UNNAMED, DocumentedClaim, bind
from errlint.project.drift.message_index import Saying

if TYPE_CHECKING:
    from errlint.project import Project
    from errlint.project.raised_errors import RaisedError

_LEAST_SHARE = 1 / 3
"""So many of the messages of a document that is about this code are texts of it, or near to one."""

_LEAST_WORDS = 4
"""A text in a list of an answer has at least so many words: shorter ones are like too many."""

_QUOTED = re.compile(r"(?<!\w)(?:'[^'\n]{1,60}'|\"[^\"\n]{1,60}\")(?!\w)")
"""An example in a text."""

_NEAR_IN_TOOL = 0.6
"""As :data:`NEAR_UNNAMED`, for a text on the page of a tool, and one that the tool may say."""


class Unsaid(NamedTuple):
    """A message that nothing says: ``difference`` and ``nearest`` tell how a near one differs, "" without one."""

    path: str
    said: EntryText
    difference: str
    nearest: tuple[str, Span] | None


def unsaid(project: Project) -> Iterator[Unsaid]:
    """Yield the messages without a label that nothing in the code says, in documents that the policy lists."""
    checker = _Checker(project)
    for path, text in sorted(project.documents.texts.items()):
        layout = project.policy(path).catalog
        shown = unlabelled(path, text, layout) if layout.files else ()
        yield from checker.check(
            path,
            [
                each
                for each in shown
                if not each.entry.is_reserved
                and not project.documents.is_generated(path, each.said.line)
                and is_telling(documented(each.said.text))
                and (each.how is not How.LISTED or len(each.said.text.split()) >= _LEAST_WORDS)
            ],
        )


def _lines(shown: BareMessage) -> list[Template]:
    """Return what the lines of a text say, none where there is only one."""
    lines = [documented(line) for line in shown.said.text.split("\n") if line.strip()]
    return lines if len(lines) > 1 else []


def _is_raised(said: Template, errors: list[tuple[Template, RaisedError]]) -> bool:
    """Whether one of some errors says a text."""
    return any(agrees(said, raised) for raised, _ in errors)


class _Checker:
    """Compares messages with what the code of one project can say."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._sayings = project.comparison.sayings

    def check(self, path: str, texts: list[BareMessage]) -> Iterator[Unsaid]:
        """Yield what there is to tell of the messages of a document."""
        own = self._messages_of_tool(path)
        unsaid: list[tuple[BareMessage, Unsaid | None]] = []
        for shown in texts:
            said = documented(shown.said.text)
            lines = _lines(shown)
            if _is_raised(said, own) or (lines and all(_is_raised(line, own) for line in lines)):
                continue
            cut = next((found for found in own if shown.how is not How.LISTED and _is_cut(shown, said, found[0])), None)
            if cut is not None:
                unsaid.append((shown, _differing(shown, said, cut[0], cut[1].path, cut[1].span)))
            elif not self._is_said(said) and not self._are_said(lines):
                unsaid.append((shown, self._near(shown, said)))
        is_of_code = bool(self._tools(path)) or path in self._project.comparison.trusted
        known = len(texts) - sum(found is None for _, found in unsaid)
        for shown, found in unsaid:
            if found is not None:
                yield found
            elif is_of_code or known >= _LEAST_SHARE * len(texts):
                yield from self._without_near(shown)

    def _is_said(self, said: Template) -> bool:
        return self._project.comparison.says(said) is not None or self._sayings.says(said)

    def _are_said(self, lines: list[Template]) -> bool:
        """Whether the lines of a text are a message each, and the code says all of them; not for none."""
        return bool(lines) and all(is_telling(line) and self._is_said(line) for line in lines)

    def _messages_of_tool(self, path: str) -> list[tuple[Template, RaisedError]]:
        """Return what the errors of the tool say that a page is about, with the errors."""
        tools = self._tools(path)
        errors = (error for error in self._project.comparison.errors if not tools.isdisjoint(error.adapters))
        return [(raised, error) for error in errors for raised in error.messages]

    def _near(self, shown: BareMessage, said: Template) -> Unsaid | None:
        """Return how a message differs from the text of the code that it must have been, if there is one."""
        path = shown.entry.path
        tools = self._tools(path)
        stem = PurePosixPath(path).stem
        asked = DocumentedClaim(messages=(said,), tools=(stem,), around=(*shown.entry.sections, stem))
        bound = bind(asked, self._project.comparison.errors)
        if bound is not None and bound.raised is not None and bound.score >= NEAR_UNNAMED:
            return _differing(shown, said, bound.raised, bound.error.path, bound.error.span)
        is_likely = bool(tools) and shown.how is How.FENCE
        for _, each in self._nearest(shown, _NEAR_IN_TOOL if is_likely else NEAR_UNNAMED):
            if self._may_say(each, tools):
                return _differing(shown, said, each.text, each.path, each.span)
        return None

    def _without_near(self, shown: BareMessage) -> Iterator[Unsaid]:
        """Yield a message that is like nothing in the code, where it is certain that it is one of this code."""
        if shown.how is How.LISTED:
            is_certain = any(self._nearest(shown, NEAR_UNNAMED))  # of another tool
        else:
            is_certain = shown.how is not How.OPENING and not shown.of_class and is_sentence(shown.said.text)
        if is_certain:
            yield Unsaid(shown.entry.path, shown.said, "", None)

    def _nearest(self, shown: BareMessage, least: float) -> Iterator[tuple[float, Saying]]:
        return self._sayings.nearest(documented(_QUOTED.sub("{}", shown.said.text)), least)

    def _may_say(self, saying: Saying, tools: frozenset[str]) -> bool:
        """Whether a text may be one of some tools, as far as anybody can tell; of all where there are none."""
        function = self._project.names.function(saying.path, saying.function)
        through = self._project.raised_errors.adapters(saying.path, function) if function is not None else ()
        return not tools or not through or not tools.isdisjoint(through)

    def _tools(self, path: str) -> frozenset[str]:
        """Return the names of the adapters that a page is about."""
        return frozenset(tool.function for tool in self._project.comparison.pages.tools(path))


def _is_cut(shown: BareMessage, said: Template, raised: Template) -> bool:
    """Whether a text is one of the code but for its beginning, or for all that follows the first of its lines."""
    first, _, rest = shown.said.text.partition("\n")
    return agrees(template((Hole(), *said.parts)), raised) or (
        bool(rest) and agrees(template((*documented(first).parts, Hole(ELLIPSIS))), raised)
    )


def _differing(shown: BareMessage, said: Template, raised: Template, path: str, span: Span) -> Unsaid:
    return Unsaid(shown.entry.path, shown.said, difference(said, raised), (path, span))
