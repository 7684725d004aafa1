"""The entries of the catalogs beside the errors of the code that they are about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.codes import is_class
from errlint.catalog.entry import Entry, EntryText
from errlint.catalog.labels import ABOUT_ERRORS
from errlint.catalog.templates import Template, agreement, is_common, is_telling, nearness
from errlint.lazy import cached_property
from errlint.project.drift.binding import NEAR, NEAR_UNNAMED, BoundError, DocumentedClaim, Surfacing, bind, candidates
from errlint.project.drift.differing import Difference, Differences, codes, differences
from errlint.project.drift.entry_content import EntryContent, alike, key_of, told
from errlint.project.drift.example_responses import WrongAnswer, wrong_answers
from errlint.project.drift.message_index import Sayings
from errlint.project.drift.pages import Pages
from errlint.project.drift.unmatched_messages import Unsaid, unsaid
from errlint.project.raised_errors import Origin as How
from errlint.project.raised_errors import RaisedError

if TYPE_CHECKING:
    from errlint.project import Project

_LEAST_SHARE = 1 / 3
"""The least share of the messages of a document that the code says: in one with fewer they are descriptions."""

_MUCH_ALIKE = 0.1
"""Errors whose scores differ by less than this may all be the one that is meant."""


class Compared(NamedTuple):
    """An entry and one message of it, with what the code has: ``nearest`` is the error that is bound or nearest."""

    told: EntryContent
    said: EntryText
    template: Template
    nearest: BoundError | None


class Comparison:
    """Answers which error of the code each entry is about, and which messages nothing in the code says."""

    def __init__(self, project: Project) -> None:
        self._project = project

    @cached_property
    def errors(self) -> Surfacing:
        """The errors of the code that somebody can get."""
        return Surfacing(error for error in self._project.raised_errors.all() if error.surfaces)

    @cached_property
    def told(self) -> tuple[EntryContent, ...]:
        """What the entries of all catalogs tell; reserved and generated ones, and phantoms, are left out."""
        project = self._project
        return tuple(
            told(entry)
            for entry in project.documented.entries
            if not entry.is_reserved
            and not project.documents.is_generated(entry.path, entry.line)
            and project.phantoms.of(entry) is None
        )

    @cached_property
    def messages(self) -> tuple[Compared, ...]:
        """Each message of each entry, with the error that says it or comes nearest."""
        return tuple(
            Compared(each, said, template, self._bound(each, template))
            for each in self.told
            for said, template in each.messages
            if self._is_known(each)
        )

    @cached_property
    def answered(self) -> dict[Entry, RaisedError]:
        """The entries that name a code and an exception class, and whose errors are all answered in payloads."""
        found: dict[Entry, RaisedError] = {}
        for each in self.told:
            asked = each.documented
            if asked.codes and asked.classes and each.entry.said("class"):
                errors = candidates(asked._replace(classes=()), self.errors)
                if errors and all(error.kind is How.PAYLOAD for error in errors):
                    found[each.entry] = errors[0]
        return found

    def _is_known(self, each: EntryContent) -> bool:
        """Whether the code has what an entry names, so that its message is a message of this code."""
        asked = each.documented
        return not (asked.codes or asked.classes) or bool(candidates(asked, self.errors))

    def _bound(self, each: EntryContent, template: Template) -> BoundError | None:
        return bind(each.documented._replace(messages=(template,)), self.errors)

    @cached_property
    def trusted(self) -> frozenset[str]:
        """The documents whose messages are those of this code, word by word: enough of them are said by it."""
        agreed: dict[str, list[bool]] = {}
        for each in self.messages:
            agreed.setdefault(each.told.entry.path, []).append(each.nearest is not None and each.nearest.agrees)
        return frozenset(path for path, found in agreed.items() if sum(found) >= _LEAST_SHARE * len(found))

    @cached_property
    def drifted(self) -> tuple[Compared, ...]:
        """The messages that no error says which they could be of, the first one of each entry."""
        return tuple(self._drifted())

    def _drifted(self) -> Iterator[Compared]:
        seen: set[Entry] = set()
        for each in self.messages:
            entry = each.told.entry
            asked = each.told.documented
            is_named = bool(asked.codes or asked.classes)
            is_known = self._is_of_tool(entry) if is_named else self._is_about_errors(entry.path)
            if entry.path not in self.trusted and not is_known:
                continue
            is_said = each.nearest is not None and each.nearest.agrees
            if is_said or entry in seen or entry in self.answered or self._may_be_said(each):
                continue
            if is_named or not (self._is_of_others(each) or self.sayings.is_message(each.template)):
                seen.add(entry)
                yield each

    @cached_property
    def pages(self) -> Pages:
        """Which adapters the documents are about."""
        return Pages(self._project)

    @cached_property
    def sayings(self) -> Sayings:
        """The texts that the code writes down anywhere."""
        return Sayings(self._project)

    def _is_about_errors(self, path: str) -> bool:
        """Whether the policy lists a document that is about errors of this code: by its name, or as a tool's page."""
        project = self._project
        if not project.policy(path).catalog.files:
            return False
        is_named = bool(ABOUT_ERRORS.search(PurePosixPath(path).stem))
        return is_named or bool(self.pages.tools(path))

    def _is_of_tool(self, entry: Entry) -> bool:
        """Whether the policy lists a document, and an entry of it is about the errors of one tool."""
        return bool(self._project.policy(entry.path).catalog.files and self.pages.around(entry))

    def _is_of_others(self, each: Compared) -> bool:
        """Whether a message is one that anything says, or begins with an exception that is none of this code."""
        name = each.said.text.strip("`* ").split(" ")[0].removesuffix(":")
        is_foreign = is_class(name) and each.said.text.find(f"{name}:") >= 0
        return is_common(each.template) or (is_foreign and not self._project.documented.defined(name))

    def _may_be_said(self, each: Compared) -> bool:
        """Whether the message may come from elsewhere: an error hands on a text, and something has such a text."""
        if not each.told.documented.codes and not each.told.documented.classes:
            return False
        asked = candidates(each.told.documented, self.errors)
        return any(map(hands_on, asked)) and self.says(each.template) is not None

    def says(self, template: Template, *, of: tuple[How, ...] = tuple(How)) -> RaisedError | None:
        """Return an error that says a text, whatever its class and code are."""
        saying = [
            error
            for error in self.errors.may_agree((template,))
            if error.kind in of and any(agreement(template, own) > 0 for own in error.messages)
        ]
        found = bind(DocumentedClaim(messages=(template,)), saying)
        return found.error if found is not None and found.agrees else None

    def returned(self, each: Compared) -> RaisedError | None:
        """Return the payload that says the drifted message of a class, which no exception says."""
        if not each.told.documented.classes:
            return None
        error = self.says(each.template, of=(How.PAYLOAD, How.OBJECT))
        return error if error is not None and self.says(each.template, of=(How.RAISE,)) is None else None

    @cached_property
    def wrong_answers(self) -> tuple[WrongAnswer, ...]:
        """The failures that pages of tools show as answers, where the tool raises and answers none like them."""
        return tuple(wrong_answers(self._project))

    @cached_property
    def unsaid(self) -> tuple[Unsaid, ...]:
        """The messages that documents show without a label, and that nothing in the code says."""
        return tuple(unsaid(self._project))

    # --- bound for certain ------------------------------------------------------------------------------------------

    @cached_property
    def bound(self) -> tuple[tuple[EntryContent, tuple[RaisedError, ...]], ...]:
        """The entries that are bound for certain, with the errors that each may be: those that say its messages.

        Entries without a message are bound by that of another entry of the same error in their document.
        """
        return tuple(self._certain())

    def _certain(self) -> Iterator[tuple[EntryContent, tuple[RaisedError, ...]]]:
        with_messages = alike(self.told)
        drifted = {each.told.entry for each in self.drifted}
        for each in self.told:
            if (
                each.entry in drifted
                or each.entry in self.answered
                or not (each.documented.codes or each.documented.classes)
            ):
                continue
            others = [each] if each.messages else with_messages.get(key_of(each), [])
            if any(other.entry in drifted for other in others):
                continue
            templates = [template for other in others for _, template in other.messages]
            errors = self._saying(each, templates)
            if errors:
                yield each, errors

    @cached_property
    def differences(self) -> tuple[Differences, ...]:
        """How each entry that is bound for certain differs from the error that it differs from the least."""
        return tuple(differences(self._project))

    @cached_property
    def wrong_codes(self) -> tuple[Difference, ...]:
        """The codes of entries with a changed message, where all errors that they may be about have others."""
        return tuple(self._wrong_codes())

    def _wrong_codes(self) -> Iterator[Difference]:
        for each in self.drifted:
            if each.nearest is None or not is_near(each) or not each.told.documented.classes:
                continue
            least = each.nearest.score - _MUCH_ALIKE
            asked = candidates(each.told.documented, self.errors)
            near = [e for e in asked if any(nearness(each.template, own) >= least for own in e.messages)]
            found = [next(codes(each.told, error, "the error that comes nearest"), None) for error in near]
            if found and found[0] is not None and None not in found:
                yield found[0]

    def _saying(self, each: EntryContent, templates: list[Template]) -> tuple[RaisedError, ...]:
        """Return the errors that say one of some texts as well as any; those of the documented tool, if there are."""
        asked = candidates(each.documented, self.errors)
        scored = [
            (score, error)
            for error in asked
            if (score := max((agreement(said, own) for said in templates for own in error.messages), default=0.0)) > 0
        ]
        if not scored:
            return ()
        bound = bind(each.documented._replace(messages=tuple(templates)), [error for _, error in scored])
        assert bound is not None
        best = max(score for score, error in scored if error is bound.error)
        tools = set(bound.error.adapters)
        alike = [error for score, error in scored if score >= best - _MUCH_ALIKE]
        near = [error for error in alike if not tools or not tools.isdisjoint(error.adapters)]
        return (*(near or alike), *filter(hands_on, asked))


def hands_on(error: RaisedError) -> bool:
    """Whether the message of an error is what it was handed, so that it may be any text."""
    return not any(map(is_telling, error.messages))


def is_near(each: Compared) -> bool:
    """Whether something in the code is much like a message that nothing says.

    It takes more where neither code nor class says that the same error is meant.
    """
    asked = each.told.documented
    least = NEAR if asked.codes or asked.classes else NEAR_UNNAMED
    return each.nearest is not None and each.nearest.score >= least
