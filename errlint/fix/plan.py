"""The plan: which error returns become which raises, in groups of one function each, with what stands against it.

Nothing is written here. :func:`plan` reads as the table of contents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

import libcst as cst

from errlint.facts import Function
from errlint.findings import Finding
from errlint.fix.answers import Answer, answers
from errlint.fix.exceptions import Site, choose, chosen_by, construct
from errlint.fix.handling import caught_name, clause_for, needed, steady, would_pass
from errlint.fix.hazards import decorators, way_out
from errlint.fix.imports import Needed
from errlint.fix.model import Applicability, Doubt, Group, Refusal, refuse
from errlint.fix.parsed import Parsed
from errlint.fix.passing import logs, passing
from errlint.fix.raises import raised_by
from errlint.fix.reach import Reach, differences, kept_by, reach
from errlint.fix.rewrite import Changes
from errlint.fix.rules import PLANNERS, planned
from errlint.fix.sources import Files
from errlint.fix.texts import is_text
from errlint.project import Project
from errlint.project.escape import name_of
from errlint.project.names import ClassSymbol, ExternalSymbol
from errlint.settings import Style

FIXABLE = frozenset({"ERR101", "ERR102", "ERR103", "ERR105"})
"""Rules whose findings are returns to be rewritten, or refused with a reason."""


PLANNED = FIXABLE.union(PLANNERS)
"""All rules whose findings are fixed, or refused with a reason."""


class Planned(NamedTuple):
    """A group, and what to change in each file for it."""

    group: Group
    changes: Mapping[str, Changes]


def plan(project: Project, findings: tuple[Finding, ...], files: Files) -> Iterator[Planned]:
    """Yield a group for each function with findings that are error returns, and one for each finding of other rules."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        if finding.code in FIXABLE:
            groups.setdefault((finding.path, finding.function), []).append(finding)
    for (path, name), found in groups.items():
        function = project.names.function(path, name)
        if function is not None:
            yield _planned(project, files, path, function, tuple(found))
    for finding in findings:
        if finding.code in PLANNERS:
            yield Planned(*planned(project, files, finding))


def _planned(project: Project, files: Files, path: str, function: Function, findings: tuple[Finding, ...]) -> Planned:
    doubts: list[Doubt] = []
    changes: dict[str, Changes] = {}

    @cache
    def reached() -> Reach:
        """Follow the function to its boundaries, once for all its findings."""
        return reach(project, files, path, function)

    for finding in findings:
        try:
            for where, change, found in _convert(project, files, path, function, finding, findings, reached):
                changes[where] = changes[where].joined(change) if where in changes else change
                doubts.extend(found)
        except Refusal as refusal:  # noqa: PERF203 -- each finding may be refused
            doubt = refusal.doubt
            doubts.append(doubt if doubt.path else doubt._replace(path=path, line=finding.span.line))
    group = Group(path, function.name, function.span, findings, tuple(dict.fromkeys(doubts)))
    return Planned(group, {} if group.applicability is Applicability.REFUSED else changes)


def _convert(
    project: Project,
    files: Files,
    path: str,
    function: Function,
    finding: Finding,
    all_of: tuple[Finding, ...],
    reached: Callable[[], Reach],
) -> Iterator[tuple[str, Changes, tuple[Doubt, ...]]]:
    """Yield the changes for one finding, file by file, with their doubts."""
    policy = project.policy(path)
    if policy.style is not Style.RAISE:
        raise refuse(f"the style of this path is `{policy.style.value}`")
    _refuse_rest(project, path, function, all_of)
    parsed = files.parse(path)
    node = parsed.returned(finding.span)
    if node is None or node.value is None:
        raise refuse("only a payload that is written out at the return is rewritten")
    for answer in answers(project, files, parsed, function, finding, node):
        yield from _answered(project, files, parsed, function, answer, reached)


def _answered(
    project: Project,
    files: Files,
    parsed: Parsed,
    function: Function,
    answer: Answer,
    reached: Callable[[], Reach],
) -> Iterator[tuple[str, Changes, tuple[Doubt, ...]]]:
    """Yield the changes for one error that is answered, file by file, with their doubts."""
    path, node = parsed.path, answer.at
    handler = parsed.handler(node)
    caught = caught_name(parsed, node, handler)
    found = reached()
    kept = kept_by(found.exits, answer.payload)
    payload, told = (
        each._replace(others=tuple(item for item in each.others if item[0] not in kept))
        for each in (answer.payload, answer.told)
    )
    through = passing(project, parsed, function.name, answer, payload, found)
    if through is not None:
        yield path, through, found.doubts
        any_of_them = ExternalSymbol("builtins.Exception")
        yield from _ways(project, files, found, parsed, function, node, any_of_them)
        return
    site = Site(parsed, function, told, handler, caught)
    symbol = choose(project, site)
    yield path, Changes(notes=((parsed.line(node), f"`{name_of(symbol)}`, {chosen_by(project, site)}"),)), ()
    raised = construct(project, files.parse, site, symbol)
    known = steady(project, files, parsed, node, symbol, function)
    named = ((handler, caught),) if handler is not None and handler.name is None else ()
    doubts = [*found.doubts, *raised.doubts]
    if not is_text(project, parsed, payload.message, parsed.function(node)):
        doubts.append(Doubt("it cannot be told whether the message is a text", path, parsed.line(node)))
    if handler is not None and handler.type is None:
        doubts.append(Doubt("a bare `except` also catches what stops a program", path, parsed.line(handler)))
    for exit_ in found.exits:
        doubts.extend(differences(exit_, payload))
    own = raised_by(parsed, answer, known.name, raised.arguments, caught)
    gone = (*own.replaced, *logs(parsed, answer, found))
    yield path, own._replace(caught=named, imports=needed(known.needed), replaced=gone), tuple(doubts)
    yield from _ways(project, files, found, parsed, function, node, symbol)


def _refuse_rest(project: Project, path: str, function: Function, findings: tuple[Finding, ...]) -> None:
    """Refuse a function of which some error returns would stay: its callers would have to expect both."""
    spans = {finding.span for finding in findings}
    for site in project.sites_of(path):
        if site.function.name == function.name and site.found.span not in spans:
            raise refuse("another error return of the function stays as it is", path, site.found.span.line)


def _ways(
    project: Project,
    files: Files,
    found: Reach,
    own: Parsed,
    around: Function,
    at: cst.CSTNode,
    symbol: ClassSymbol | ExternalSymbol,
) -> Iterator[tuple[str, Changes, tuple[Doubt, ...]]]:
    """Yield what has to change on the way of the exception through each function, up to the boundaries."""
    positions = {(item.path, item.function.name): item.position for item in found.exits}
    for parsed, scope, node in ((own, around, at), *found.frames):
        way = way_out(parsed, node, project, scope.name, symbol)
        function = parsed.function(node)
        doubts = list(way.doubts)
        if function is not None:
            position = positions.get((parsed.path, scope.name))
            has_exit = (parsed.path, scope.name) in positions
            doubts.extend(decorators(parsed, function, project, position, has_exit=has_exit))
        rescues: list[tuple[cst.Try, int, str]] = []
        imports: list[Needed] = []
        for rescue in way.rescues:
            clause = clause_for(project, symbol)
            known = steady(project, files, parsed, node, clause, scope)
            rescues.append((rescue.node, rescue.before, known.name))
            imports.extend(needed(known.needed))
            doubts.extend(would_pass(project, files, parsed, rescue, clause))
        yield parsed.path, Changes((), (), tuple(rescues), tuple(imports)), tuple(doubts)
