"""Edits: what a group changes in each file, as the smallest stretches of text that an editor can replace."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from posixpath import commonprefix

from errlint.findings import Finding, Span
from errlint.fix.model import Applicability, Doubt, Refusal
from errlint.fix.parts import Part, Parts, difference
from errlint.fix.plan import PLANNED, Planned
from errlint.fix.presentation.fix_preview import Edit, Key, Offer, Offers, key
from errlint.fix.run import MAX_PASSES, non_conflicting, propose, proved, refused_by_policy
from errlint.fix.shares import shared_out
from errlint.fix.snapshot import Snapshot, snapshot
from errlint.fix.source_cache import Files
from errlint.fix.source_file import lines
from errlint.pipeline import contents
from errlint.progress import Report
from errlint.request import Request, Stopwatch
from errlint.run import whole
from errlint.source import decode_as_is

_WORDS = re.compile(r"\w+|\r\n|[\s\S]")


def find_offers(
    request: Request,
    findings: tuple[Finding, ...],
    watch: Stopwatch,
    progress: Report | None = None,
    *,
    known: tuple[Finding, ...] = (),
) -> Offers:
    """Return what can be done about the findings of a run, safe or not, on the files as they are.

    Fixes that only become possible by others are not among them; ``known`` are findings of the run that stay.
    """
    if not any(finding.code in PLANNED for finding in findings):
        return Offers()
    before = None if request.paths or request.stdin else (*findings, *known)
    # As in a fix of the whole project: what else it changes is told.
    everything = whole(request)._replace(contents=contents(request))
    if at_once := refused_by_policy(everything, findings):
        return Offers(refused={key(finding): group.doubts for group in at_once for finding in group.findings})
    found = shared_out(snapshot(everything), findings, before, _offers, watch, progress)
    return Offers(
        {each: offer for offers in found for each, offer in offers.fixes.items()},
        {each: doubts for offers in found for each, doubts in offers.refused.items()},
    )


def _offers(
    files: Snapshot, findings: tuple[Finding, ...], before: tuple[Finding, ...] | None, watch: Stopwatch
) -> Offers:
    proposal = propose(files, findings, before, watch, unsafe=True)
    chosen, later = list(proposal.chosen), list(proposal.later)
    failed = list(proposal.refused)
    for _ in range(MAX_PASSES):
        if not later:
            break
        # What wants the same statement as another fix is proved without it: an editor applies one of them.
        together, later = non_conflicting(later)
        chosen += proved(files, proposal.files, together, proposal.before, failed, watch)[0]
    fixes: dict[Key, Offer] = {}
    refused: dict[Key, tuple[Doubt, ...]] = {}
    for group in failed:
        reasons = tuple(doubt for doubt in group.doubts if doubt.refuses)
        refused.update((key(finding), reasons) for finding in group.findings)
    parts = Parts()
    for planned in chosen:
        group = planned.group
        try:
            with watch.stage("rewrite"):
                found = parts_of(proposal.files, planned, parts)
        except Refusal as refusal:
            refused.update((key(finding), (refusal.doubt,)) for finding in group.findings)
            continue
        edits = {path: tuple(edit for part in each for edit in edits_in(part)) for path, each in found.items()}
        offer = Offer(message(planned, edits), edits, group.doubts)
        fixes.update((key(finding), offer) for finding in group.findings)
    return Offers(fixes, refused)


def parts_of(files: Files, planned: Planned, parts: Parts) -> dict[str, tuple[Part, ...]]:
    """Return what one group alone changes in each file.

    Raises :class:`errlint.fix.model.Refusal` where that cannot be proved to be what was planned.
    """
    found = {path: parts.of(files.parse(path), changes) for path, changes in planned.changes.items()}
    return {path: each for path, each in found.items() if each}


def message(planned: Planned, changed: Iterable[str]) -> str:
    """Return what a fix does to the files it ``changed``, in a sentence without its full stop."""
    group = planned.group
    raised = {item.name for changes in planned.changes.values() for item in changes.conversions}
    answered = {name for changes in planned.changes.values() for (name,) in changes.answered}
    codes = ", ".join(sorted({finding.code for finding in group.findings}))
    what = f"Raise {_listed(raised)}" if raised else f"Return {_listed(answered)}" if answered else f"Fix {codes}"
    others = sorted(path for path in changed if path != group.path)
    also = f", and change {', '.join(others)}" if others else ""
    sure = "" if group.applicability is Applicability.SAFE else " (unsafe)"
    return f"{what} in {f'`{group.function}`' if group.function else group.path}{also}{sure}"


def _listed(names: Iterable[str]) -> str:
    return " and ".join(f"`{name}`" for name in sorted(names))


def edits_between(before: bytes, after: bytes) -> tuple[Edit, ...]:
    """Return the edits that make one content of a file of another."""
    return tuple(edits_in(difference(1, lines(decode_as_is(before)), lines(decode_as_is(after)))))


def edits_in(part: Part) -> Iterator[Edit]:
    """Yield the edits that a part of a file consists of, in their order; they do not overlap."""
    matcher = difflib.SequenceMatcher(None, part.before, part.after, autojunk=False)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag != "equal":
            yield _trimmed(part, start, "".join(part.before[start:end]), "".join(part.after[new_start:new_end]))


def _trimmed(part: Part, first: int, old: str, new: str) -> Edit:
    """Return the edit of whole lines without the words that stay the same at its start and end."""
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    start = len(commonprefix((before, after)))
    left, added = before[start:], after[start:]
    end = len(commonprefix((left[::-1], added[::-1])))
    start_at = _place(part, first, "".join(before[:start]))
    end_at = _place(part, first, "".join(before[: len(before) - end]))
    return Edit(Span(*start_at, *end_at), "".join(added[: len(added) - end]))


def _place(part: Part, first: int, text: str) -> tuple[int, int]:
    """Return line and column, both from 1, of the place behind a text that begins with the line of index ``first``."""
    lines, index = part.before, first
    while index < len(lines) and len(text) >= len(lines[index]) and lines[index].endswith(("\r", "\n")):
        text = text[len(lines[index]) :]
        index += 1
    return part.line + index, len(text) + 1
