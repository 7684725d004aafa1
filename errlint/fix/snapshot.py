"""The state of files on which fixes are planned and proved: with what earlier passes have changed already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from msgspec import structs

from errlint.cache import Part
from errlint.findings import Finding
from errlint.fix.model import NEEDED
from errlint.fix.source_cache import Texts
from errlint.memory import Memory
from errlint.pipeline import Built, Task, build_of, run_pipeline
from errlint.project.connected import Group
from errlint.request import Request, Stopwatch
from errlint.run import prepare, shown_findings


@dataclass(frozen=True)
class Snapshot:
    """The state of some files in a run that fixes.

    ``texts`` are what all files of the project had in them at first: also those outside of a share may name what is in
    it. ``distributions`` are those of a share, ``None`` stands for all.
    """

    task: Task
    texts: Texts
    distributions: frozenset[str] | None = None
    _known: list[Part] = field(default_factory=list)

    @property
    def contents(self) -> Mapping[str, bytes]:
        """What is to be taken in place of files."""
        return self.task.request.contents

    @property
    def rules(self) -> frozenset[str]:
        """The rules that run."""
        return self.task.request.settings.rules

    @property
    def groups(self) -> tuple[Group, ...]:
        """The groups of distributions that are linked and checked by themselves."""
        return self.task.division.groups

    def replaced(self, contents: Mapping[str, bytes]) -> Snapshot:
        """Return the snapshot with other contents in place of files."""
        return replace(self, task=self.task.with_contents(contents))

    def check(self, watch: Stopwatch) -> tuple[Finding, ...]:
        """Return the findings; groups that are as they were in the last check of any state are not checked again."""
        request, selection, division, states, cache, *_ = self.task
        parts = run_pipeline(request, selection, division, states, cache, watch, None, "", self._known)
        self._known[:] = parts
        return shown_findings(request, selection, parts)

    def build(self, paths: Iterable[str], watch: Stopwatch) -> Built:
        """Link the groups of some files as one project, with the facts that fixes ask for."""
        request = self.task.request
        settings = structs.replace(request.settings, rules=request.settings.rules | NEEDED)
        return build_of(self.task._replace(request=request._replace(settings=settings)), watch, paths)

    def shares(self) -> Sequence[frozenset[str]]:
        """Return the distributions of the groups in shares, in order: no finding of one rests on a file of another."""
        found: list[frozenset[str]] = []
        for group in self.groups:
            around = group.distributions | group.context
            apart = [share for share in found if around.isdisjoint(share)]
            found = [*apart, around.union(*(share for share in found if share not in apart))]
        return sorted(found, key=sorted)

    def about(self, distributions: frozenset[str]) -> Snapshot:
        """Return the snapshot of some shares alone."""
        return replace(self, task=self.task.about(distributions), distributions=distributions, _known=[])

    def without(self, rules: frozenset[str]) -> Snapshot:
        """Return the snapshot without the findings of some rules."""
        return self._with(rules=self.rules - rules)

    def in_one_process(self) -> Snapshot:
        """Return the snapshot for a process that starts no others."""
        return self._with(jobs=1)

    def _with(self, **changed: Any) -> Snapshot:
        """Return the snapshot with other settings."""
        request = self.task.request
        settings = structs.replace(request.settings, **changed)
        return replace(self, task=self.task._replace(request=request._replace(settings=settings)), _known=[])

    def owns(self, path: str) -> bool:
        """Whether a file may be changed with this snapshot as proof: it is of one of its distributions."""
        return self.distributions is None or self.task.division.layout.distribution(path) in self.distributions


def snapshot(request: Request) -> Snapshot:
    """Return the files of a request as they are, or as its contents say."""
    # Facts of what is not written yet are of no use to a later run.
    task = prepare(request._replace(memory=request.memory or Memory(), also=NEEDED))
    texts = Texts(task.division.layout, task.selection.all_tests, task.request.settings.root, request.contents)
    return Snapshot(task, texts)
