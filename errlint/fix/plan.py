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
from errlint.fix import payload as payloads
from errlint.fix.exceptions import Site, choose, construct
from errlint.fix.handling import caught_name, clause_for, needed, passing, steady
from errlint.fix.hazards import decorators, way_out
from errlint.fix.imports import Needed
from errlint.fix.model import Applicability, Doubt, Group, Refusal, refuse
from errlint.fix.reach import Frame, Reach, differences, kept_by, reach
from errlint.fix.rewrite import Changes, Conversion
from errlint.fix.rules import PLANNERS, planned
from errlint.fix.sources import Files
from errlint.fix.texts import is_text
from errlint.project import Project
from errlint.project.names import ClassSymbol, ExternalSymbol
from errlint.settings import Style

FIXABLE = frozenset({"ERR101", "ERR102", "ERR103", "ERR105"})
"""Rules whose findings are returns to be rewritten, or refused with a reason."""


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
    if finding.code == "ERR102":
        raise refuse("a call of an error factory is not rewritten")
    _refuse_rest(project, path, function, all_of)
    parsed = files.parse(path)
    node = parsed.returned(finding.span)
    if node is None or node.value is None:
        raise refuse("only a payload that is written out at the return is rewritten")
    code_names = frozenset(policy.codes.arguments)
    if finding.code == "ERR103":
        payload = payloads.read_text(node.value)
    elif finding.code == "ERR105":
        payload = payloads.read_object(node.value, code_names)
    else:
        payload = payloads.read(node.value, code_names)
    handler = parsed.handler(node)
    caught = caught_name(parsed, node, handler)
    found = reached()
    kept = kept_by(found.exits, payload)
    payload = payload._replace(others=tuple(item for item in payload.others if item[0] not in kept))
    site = Site(parsed, function, payload, handler, caught)
    symbol = choose(project, site)
    raised = construct(project, files.parse, site, symbol)
    known = steady(project, files, parsed, node, symbol, function)
    named = ((handler, caught),) if handler is not None and handler.name is None else ()
    conversion = Conversion(node, known.name, raised.arguments, caught)
    doubts = [*found.doubts, *raised.doubts]
    if not is_text(project, parsed, payload.message, parsed.function(node)):
        doubts.append(Doubt("it cannot be told whether the message is a text", path, parsed.line(node)))
    if handler is not None and handler.type is None:
        doubts.append(Doubt("a bare `except` also catches what stops a program", path, parsed.line(handler)))
    for exit_ in found.exits:
        doubts.extend(differences(exit_, payload))
    yield path, Changes((conversion,), named, (), needed(known.needed)), tuple(doubts)
    yield from _ways(project, files, found, Frame(parsed, function, node), symbol)


def _refuse_rest(project: Project, path: str, function: Function, findings: tuple[Finding, ...]) -> None:
    """Refuse a function of which some error returns would stay: its callers would have to expect both."""
    spans = {finding.span for finding in findings}
    for site in project.sites_of(path):
        if site.function.name == function.name and site.found.span not in spans:
            raise refuse("another error return of the function stays as it is", path, site.found.span.line)


def _ways(
    project: Project, files: Files, found: Reach, site: Frame, symbol: ClassSymbol | ExternalSymbol
) -> Iterator[tuple[str, Changes, tuple[Doubt, ...]]]:
    """Yield what has to change on the way of the exception through each function, up to the boundaries."""
    positions = {(item.path, item.function.name): item.position for item in found.exits}
    for frame in (site, *found.frames):
        parsed = frame.parsed
        way = way_out(parsed, frame.node, project, frame.function.name, symbol)
        function = parsed.function(frame.node)
        doubts = list(way.doubts)
        if function is not None:
            position = positions.get((parsed.path, frame.function.name))
            has_exit = (parsed.path, frame.function.name) in positions
            doubts.extend(decorators(parsed, function, project, position, has_exit=has_exit))
        rescues: list[tuple[cst.Try, int, str]] = []
        imports: list[Needed] = []
        for rescue in way.rescues:
            clause = clause_for(project, symbol)
            known = steady(project, files, parsed, frame.node, clause, frame.function)
            rescues.append((rescue.node, rescue.before, known.name))
            imports.extend(needed(known.needed))
            doubts.extend(passing(project, files, parsed, rescue, clause))
        yield parsed.path, Changes((), (), tuple(rescues), tuple(imports)), tuple(doubts)
