"""The nouns of fixes in reports: what could be done about a finding, as edits, or why nothing can."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from errlint.findings import Finding, Span
from errlint.fix.model import Doubt


class Edit(NamedTuple):
    """A stretch of a file, and the text that takes its place; an empty stretch inserts. Line ends are the file's."""

    span: Span
    content: str


class Offer(NamedTuple):
    """What ends a finding: the edits of each file, which belong together; ``doubts`` say why it is not safe."""

    message: str
    edits: Mapping[str, tuple[Edit, ...]]
    doubts: tuple[Doubt, ...]

    @property
    def is_safe(self) -> bool:
        """Whether clients certainly get the same answers afterwards."""
        return not self.doubts


Key = tuple[str, Span, str]


def key(finding: Finding) -> Key:
    """Return what tells a finding from the others of a run."""
    return finding.path, finding.span, finding.code


class Offers(NamedTuple):
    """The offers and refusals of a run, by the :func:`key` of the finding."""

    fixes: Mapping[Key, Offer] = MappingProxyType({})
    refused: Mapping[Key, tuple[Doubt, ...]] = MappingProxyType({})

    def fix(self, finding: Finding) -> Offer | None:
        """Return what ends a finding, ``None`` where nothing is known to."""
        return self.fixes.get(key(finding))

    def refusal(self, finding: Finding) -> tuple[Doubt, ...]:
        """Return why a finding is not fixed; none where nobody tried."""
        return self.refused.get(key(finding), ())

    def totals(self, findings: Iterable[Finding]) -> tuple[int, int]:
        """Return how many findings have a safe fix, and how many one that is not."""
        offers = [offer for offer in map(self.fix, findings) if offer is not None]
        safe = sum(offer.is_safe for offer in offers)
        return safe, len(offers) - safe
