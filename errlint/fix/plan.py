"""The plan: which error returns become which raises, in groups of one function each, with what stands against it.

Nothing is written here. :func:`plan` reads as the table of contents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import libcst as cst

from errlint.facts import Function
from errlint.findings import Finding
from errlint.fix.callers import boundary_tests, caller_rewrites, stale_checks, test_rewrites
from errlint.fix.callers.abstract_values import SourceCache
from errlint.fix.callers.boundary_differences import (
    Exit,
    differences,
    kept_by,
    lost,
    message_key,
    missed,
    refuse_unanswered,
)
from errlint.fix.callers.caller_rewrites import Converted
from errlint.fix.callers.catching import dropping, hiding, shown, told_classes
from errlint.fix.callers.context_managers import Leaving
from errlint.fix.callers.examples import examples
from errlint.fix.callers.exception_path import way_out
from errlint.fix.callers.reach import ReachedBoundaries, reach
from errlint.fix.callers.test_doubles import modules_without
from errlint.fix.callers.tool_functions import masking_of, masks
from errlint.fix.callers.wrapping import Wrapper, let_through, standing_around, wrappers
from errlint.fix.model import Applicability, Doubt, Group, Refusal, failure, refuse, sureness
from errlint.fix.nodes import dotted_name, exception_names, is_none
from errlint.fix.payload_extraction.answers import ErrorAnswer, answers
from errlint.fix.payload_extraction.effects import calls_that_may_do_something, is_constant
from errlint.fix.payload_extraction.factories import computes
from errlint.fix.payload_extraction.handed_exceptions import TOLD, UNLOGGED, Handed
from errlint.fix.payload_extraction.payload import BLOCKS, Payload
from errlint.fix.payload_extraction.texts import is_no_text, is_text
from errlint.fix.payload_extraction.variables import statement
from errlint.fix.raising.exceptions import RaiseSite, answered_around, choose, chosen_by, construct, is_any, takes
from errlint.fix.raising.handling import caught_name, clause_for, needed, steady, would_pass
from errlint.fix.raising.imports import Known, Needed, known_as
from errlint.fix.raising.passing import answering_only, logs, passing, raised_again
from errlint.fix.raising.raises import raised_by
from errlint.fix.raising.signatures import unpromised
from errlint.fix.responding import answering
from errlint.fix.rewrite import Changes, Replacement, Step
from errlint.fix.rules import planned
from errlint.fix.source_cache import Files, Scope
from errlint.fix.source_file import SourceFile
from errlint.project import Project
from errlint.project.frameworks import WEB, Framework
from errlint.project.hierarchy import Exceptional
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol
from errlint.project.raise_outcome import name_of
from errlint.rules import RULES, Fix
from errlint.settings import Policy, Style
from errlint.settings.policy import bare_name

FIXABLE = frozenset(code for code, rule in RULES.items() if rule.fix is Fix.RAISE)
"""Rules whose findings are returns to be rewritten, or refused with a reason."""

STALE = "ERR108"
SWALLOWED = "ERR110"
"""The rule whose findings are checks to be removed."""


PLANNED = FIXABLE.union((STALE,), (code for code, rule in RULES.items() if rule.fix is Fix.OWN))
"""All rules whose findings are fixed, or refused with a reason."""


class Planned(NamedTuple):
    """A group, and what to change in each file for it."""

    group: Group
    changes: Mapping[str, Changes]


def plan(project: Project, findings: tuple[Finding, ...], files: Files) -> Iterator[Planned]:
    """Yield a group for each function with error returns or stale checks, and one for each finding of other rules.

    One distribution is planned after the other: what is read for one is not kept for the next.
    """
    work = list(_work(project, findings, files))
    by_distribution: dict[str, list[int]] = {}
    for number, (path, _) in enumerate(work):
        by_distribution.setdefault(project.layout.distribution(path), []).append(number)
    found: dict[int, list[Planned]] = {}
    for numbers in by_distribution.values():
        for number in numbers:
            found[number] = work[number][1]()
        if len(by_distribution) > 1:
            files.release({path for each in found.values() for item in each for path in item.changes})
    for number in range(len(work)):
        yield from found[number]


def _work(
    project: Project, findings: tuple[Finding, ...], files: Files
) -> Iterator[tuple[str, Callable[[], list[Planned]]]]:
    """Yield what is to be planned: the file that it is about, and what plans it."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    checks: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        if finding.code == STALE and finding.path in project.modules:
            checks.setdefault((finding.path, finding.function), []).append(finding)
        elif finding.code in FIXABLE:
            groups.setdefault((finding.path, finding.function), []).append(finding)
    for planned_by, asked in ((_planned, groups), (_without_checks, checks)):
        for (path, name), found in asked.items():
            function = project.names.function(path, name)
            if function is not None:
                given = (project, files, path, function, tuple(found))
                yield path, partial(_contained, partial(planned_by, *given), function.name, found)
    for finding in findings:
        if RULES[finding.code].fix is Fix.OWN:
            given_to_rule = partial(_of_another_rule, project, files, finding)
            yield finding.path, partial(_contained, given_to_rule, finding.function, [finding])


def reason_of_policy(policy: Policy) -> str:
    """Return why no error return of a path is rewritten; "" where its policy leaves that to the code."""
    return "" if policy.style in (Style.RAISE, Style.RETURN) else f"the style of this path is `{policy.style.value}`"


def refused_for(reason: str, findings: Iterable[Finding]) -> Iterator[Group]:
    """Yield a group for each of some findings, all of them refused for one reason."""
    for finding in findings:
        doubt = Doubt(reason, finding.path, finding.span.line, refuses=True)
        yield Group(finding.path, finding.function, finding.span, (finding,), (doubt,))


def _contained(groups: Callable[[], Iterator[Planned]], function: str, findings: list[Finding]) -> list[Planned]:
    """Return the groups of some findings, one that is refused where errlint fails on them."""
    try:
        return list(groups())
    except Exception as error:  # noqa: BLE001 -- one fix must not hide the others: it is refused
        path, span = findings[0].path, findings[0].span
        doubt = Doubt(failure(error), path, span.line, refuses=True)
        return [Planned(Group(path, function, span, tuple(findings), (doubt,)), {})]


def _of_another_rule(project: Project, files: Files, finding: Finding) -> Iterator[Planned]:
    yield Planned(*planned(project, files, finding))


def _without_checks(
    project: Project, files: Files, path: str, function: Function, findings: tuple[Finding, ...]
) -> Iterator[Planned]:
    doubts: tuple[Doubt, ...] = ()
    changes: dict[str, Changes] = {}
    try:
        changes[path] = stale_checks.removed(project, files, path, function, findings)
    except Refusal as refusal:
        doubts = (refusal.doubt,)
    yield Planned(Group(path, function.name, function.span, findings, doubts), changes)


class _Collected(NamedTuple):
    """What steps come to: the changes of each file, what is in doubt, and the errors that are converted."""

    changes: Mapping[str, Changes]
    doubts: tuple[Doubt, ...]
    converted: tuple[Converted, ...]


class _ReturnPlan(NamedTuple):
    """What is to be done for one error return, and the errors that are raised in its place."""

    finding: Finding
    changes: Mapping[str, Changes]
    doubts: tuple[Doubt, ...]
    converted: tuple[Converted, ...]

    @property
    def applicability(self) -> Applicability:
        """How sure it is by itself."""
        return sureness(self.doubts)


def _planned(
    project: Project, files: Files, path: str, function: Function, findings: tuple[Finding, ...]
) -> Iterator[Planned]:
    """Yield the groups of one function: one of all that is equally sure; what is refused has reasons of its own.

    A caller that looks for errors goes on to do so where the function still answers one.
    """
    if reason := reason_of_policy(project.policy(path)):
        yield from (Planned(group, {}) for group in refused_for(reason, findings))
        return
    found = _reached(project, files, path, function) if project.policy(path).style is Style.RAISE else None
    planner = _FunctionPlanner(project, files, path, function, found)
    parts = [planner.part(finding) for finding in findings]
    for part in parts:
        if part.applicability is Applicability.REFUSED:
            yield planner.group([part])
    sure = (Applicability.SAFE, Applicability.UNSAFE)
    safe, unsafe = ([part for part in parts if part.applicability is each] for each in sure)
    first = planner.group(safe) if safe else None
    if first is not None and unsafe and first.group.applicability is Applicability.UNSAFE:
        # Those who use the function make all of it unsafe: together, nothing is left for which they have to look.
        whole = planner.group([*safe, *unsafe])
        if whole.group.applicability is not Applicability.REFUSED:
            yield whole
            return
    if first is not None:
        yield first
    if unsafe:
        yield planner.group(unsafe)


def _reached(project: Project, files: Files, path: str, function: Function) -> ReachedBoundaries | Refusal:
    """Follow a function to its boundaries, or say why it cannot be followed."""
    try:
        return reach(project, files, path, function)
    except Refusal as refusal:
        return refusal


def _collected(steps: Iterator[Step | Converted], path: str, line: int) -> _Collected:
    """Carry out steps up to a refusal; what stands against them without a place gets that of ``path`` and ``line``."""
    changes: dict[str, Changes] = {}
    doubts: list[Doubt] = []
    converted: list[Converted] = []
    try:
        for step in steps:
            if isinstance(step, Converted):
                converted.append(step)
                continue
            where, change, found = step
            if change != Changes():
                changes[where] = changes[where].joined(change) if where in changes else change
            doubts.extend(found)
    except Refusal as refusal:
        doubts.append(refusal.doubt)
    placed = (each if each.path else each._replace(path=path, line=line) for each in doubts)
    return _Collected(changes, tuple(placed), tuple(converted))


@dataclass(frozen=True)
class _FunctionPlanner:
    """Plans what is done for the error returns of one function.

    ``found`` says how its errors reach clients, or why that cannot be followed; ``None`` where they stay answers.
    """

    project: Project
    files: Files
    path: str
    function: Function
    found: ReachedBoundaries | Refusal | None

    def part(self, finding: Finding) -> _ReturnPlan:
        """Return what is to be done for one error return."""
        return _ReturnPlan(finding, *_collected(self._convert(finding), self.path, finding.span.line))

    def group(self, parts: list[_ReturnPlan]) -> Planned:
        """Join what is done for some error returns with what those need who use the function."""
        changes: dict[str, Changes] = {}
        doubts = [doubt for part in parts for doubt in part.doubts]
        converted = [each for part in parts for each in part.converted]
        wanted = [part.changes for part in parts]
        if converted and isinstance(self.found, ReachedBoundaries) and not any(doubt.refuses for doubt in doubts):
            used = _collected(self._users(self.found, converted), self.path, parts[0].finding.span.line)
            wanted.append(used.changes)
            doubts.extend(used.doubts)
        for each in wanted:
            for where, change in each.items():
                changes[where] = changes[where].joined(change) if where in changes else change
        imported = ((where, item) for where, change in changes.items() for item in change.imports)
        doubts.extend(doubt for where, item in imported for doubt in modules_without(self.files, where, item))
        findings = tuple(part.finding for part in parts)
        group = Group(self.path, self.function.name, self.function.span, findings, tuple(dict.fromkeys(doubts)))
        return Planned(group, {} if group.applicability is Applicability.REFUSED else changes)

    def _convert(self, finding: Finding) -> Iterator[Step | Converted]:
        """Yield the changes for one finding, file by file, with their doubts, and the errors that are converted."""
        project, files, path, function = self.project, self.files, self.path, self.function
        if project.policy(path).style is Style.RETURN:
            yield from answering.convert(project, files, path, function, finding)
            return
        if (route := project.routes.answering_framework(path, function)) is not None:
            refuse_unanswered(route)
        parsed = files.parse(path)
        node = parsed.returned(finding.span)
        if node is None and function.is_generator:
            raise refuse(f"`{function.name}` is a generator")
        if node is None or node.value is None:
            raise refuse("only a payload that is written out at the return is rewritten")
        scope = Scope(project, files, parsed, function)
        for answer in answers(scope, finding, node):
            yield from self._answered(scope, answer)

    def _answered(self, scope: Scope, answer: ErrorAnswer) -> Iterator[Step | Converted]:
        """Yield what :meth:`_convert` does for one error that is answered."""
        project, _, parsed, function = scope
        path, node = self.path, answer.at
        handler = parsed.handler(node)
        caught = caught_name(parsed, node, handler)
        assert self.found is not None
        if isinstance(self.found, Refusal):
            raise self.found
        found = self.found
        kept = answer.unset | (kept_by(found.exits, answer.payload) if found.exits else frozenset())
        payload, told = (
            each._replace(others=tuple(item for item in each.others if item[0] not in kept))
            for each in (answer.payload, answer.told)
        )
        is_caught = caught != "" and dotted_name(payload.message) == caught
        if is_caught:  # an exception is no message of another one: who reads that expects a text
            told = told._replace(message=cst.parse_expression(f"str({caught})"))
        if found.masked and not is_constant(payload.message):
            raise Refusal(found.masked[0]._replace(refuses=True))
        through = passing(scope, answer, payload, found)
        if through is not None and (through.raised or not found.inspections):
            is_known = found.inspections or through.is_asked_for
            passed = through.raised if is_known else (ExternalSymbol("builtins.Exception"),)
            # Who looked for an error in the answer did not see an empty one.
            seen = [Doubt("its callers get any such exception, also one without a text", path, parsed.line(node))]
            yield path, through.changes, (*found.doubts, *through.doubts, *(seen if found.inspections else ()))
            for symbol in passed:
                yield from self._leaving(found, parsed, answer, payload, symbol)
            return
        if answer.handed is not None:
            if answer.otherwise is None or _is_told(scope, answer):
                yield from self._handed(scope, answer, payload, answer.handed, found)
            else:
                yield from self._answered(scope, answer.otherwise)
            return
        answered = answered_around(parsed, node)
        framework = _framework(found, path, function)
        raised_at = RaiseSite(parsed, function, parsed.line(node), told, handler, caught, framework, answered=answered)
        site = self._site(raised_at, found)
        symbol = choose(project, site)
        more: list[Known] = list(answer.used)

        def named(dotted: str) -> str:
            more.append(known_as(project, self.files, parsed, ExternalSymbol(dotted), function.name))
            return more[-1].name

        raised = construct(project, self.files.parse, site, symbol, named)
        if is_any(project, site):
            again = raised_again(scope, answer, payload, raised.arguments, found)
            if again is not None:
                changed = (each for exit_ in found.exits for each in differences(exit_, payload))
                yield path, again.changes, (*found.doubts, *answer.doubts, *again.doubts, *changed)
                for each in again.raised:
                    yield from self._leaving(found, parsed, answer, payload, each)
                return
        yield path, Changes(notes=((parsed.line(node), f"`{name_of(symbol)}`, {chosen_by(project, site)}"),)), ()
        known = steady(project, self.files, parsed, node, symbol, function.name)
        handled = ((handler, caught),) if handler is not None and handler.name is None else ()
        placed = (each if each.path else each._replace(path=path, line=parsed.line(node)) for each in raised.doubts)
        doubts = [*found.doubts, *answer.doubts, *placed, *self._uncalled(parsed, told, raised.arguments, node)]
        texts: list[str] = []
        is_block = payload.shape == BLOCKS
        if not is_block and not is_text(project, parsed, payload.message, parsed.function(node)):
            if raised.is_altered:
                text = f"`{name_of(symbol)}` makes something of its message, which is not certain to be a text"
                raise refuse(text, path, parsed.line(node))
            if is_none(payload.message):
                raise refuse("there is nothing in the place of the message", path, parsed.line(node))
            text = "it cannot be told whether the message is a text"
            if is_caught:
                text = "it is the exception itself that is answered here: its text is raised"
            elif is_no_text(project, parsed, payload.message, parsed.function(node)):
                text = "the message is no text: an exception shows how it is written"
            doubts.append(Doubt(text, path, parsed.line(node)))
        if handler is not None and handler.type is None:
            doubts.append(Doubt("a bare `except` also catches what stops a program", path, parsed.line(handler)))
        if payload.is_part:
            texts.append("only the message of what is answered here is raised")
        if payload.is_made_up:
            texts.append("the payload does not say what went wrong: the message is made up")
        if payload.empty:
            texts.append(f"clients get what is said below another key, where `{payload.empty}` told them nothing")
        if payload.is_open:
            texts.append("what the payload takes over from another dict may have a message, too")
        doubts.extend(Doubt(text, path, parsed.line(node)) for text in texts)
        for exit_ in found.exits:
            doubts.extend(missed(project, exit_, symbol))
            if not _is_of_route(exit_, symbol):
                doubts.extend(differences(exit_, payload))
        own = raised_by(parsed, answer, known.name, raised.arguments, caught)
        gone = (*own.replaced, *logs(parsed, answer, found))
        imports = tuple(each for item in (known, *more) for each in needed(item.needed))
        yield path, own._replace(caught=handled, imports=imports, replaced=gone), tuple(doubts)
        yield from self._leaving(found, parsed, answer, payload, symbol)

    def _uncalled(
        self, parsed: SourceFile, payload: Payload, arguments: Sequence[str], node: cst.CSTNode
    ) -> Iterator[Doubt]:
        """Yield what was called for a key of a payload that the exception has no place for."""
        for _, value in (*payload.codes, *payload.others):
            if any(parsed.code(value) in text for text in arguments):
                continue
            for name in calls_that_may_do_something(value, partial(computes, self.project, self.files, self.path)):
                text = f"`{name}` is not called for the error any more, and may do something"
                yield Doubt(text, self.path, parsed.line(node))

    def _leaving(
        self, found: ReachedBoundaries, parsed: SourceFile, answer: ErrorAnswer, payload: Payload, symbol: Exceptional
    ) -> Iterator[Step | Converted]:
        """Yield an error that is raised as one of a class from now on, and what that changes on its way."""
        source = FunctionSymbol(self.path, self.function)
        yield Converted(answer.at, payload, symbol, answer.guard is None, answer.payload, answer.written, source)
        yield from self._ways(found, parsed, answer.at, symbol, is_fixed=is_constant(payload.message))

    def _handed(
        self, scope: Scope, answer: ErrorAnswer, payload: Payload, handed: Handed, found: ReachedBoundaries
    ) -> Iterator[Step | Converted]:
        """Yield the changes that raise an exception where a factory made an answer of it."""
        parsed = scope.parsed
        handler = parsed.handler(answer.at)
        symbol = handed.symbol or _caught(scope, handler)
        told = Doubt(TOLD, parsed.path, parsed.line(answer.at))
        doubts = [*found.doubts, *handed.doubts, told]
        if handed.logged and not all(exit_.boundary.logs for exit_ in found.exits):
            doubts.append(Doubt(UNLOGGED, parsed.path, parsed.line(answer.at)))
        for exit_ in found.exits:
            doubts.extend(missed(self.project, exit_, symbol))
            # What the boundary fills in itself is made of the same exception.
            own_parts = tuple(item for item in payload.others if item[0] not in exit_.boundary.envelope)
            doubts.extend(differences(exit_, payload._replace(others=own_parts)))
        around = answering_only(parsed, answer, found) if handed.made is None else None
        named: tuple[tuple[cst.ExceptHandler, str], ...] = ()
        if around is not None and handler is not None:
            own = Changes(passed=((around, handler),))
        elif handed.made is None:
            line = statement(parsed, cst.ensure_type(answer.at, cst.Return))
            own = Changes(replaced=(Replacement(line, "raise\n"), *logs(parsed, answer, found)))
        else:
            caught = caught_name(parsed, answer.at, handler)
            if handed.held:
                again = f"raise {handed.held}{f' from {caught}' if caught else ''}\n"
                own = Changes(replaced=(Replacement(statement(parsed, cst.ensure_type(answer.at, cst.Return)), again),))
            else:
                parts = [parsed.item(item) for item in handed.made.args]
                cause = self.project.policy(parsed.path).exceptions.cause
                given = {item.keyword.value for item in handed.made.args if item.keyword is not None}
                is_taken = handed.symbol is not None and takes(self.project, handed.symbol, cause)
                if caught and cause not in given and is_taken:
                    parts.append(f"{cause}={caught}")
                own = raised_by(parsed, answer, dotted_name(handed.made.func), parts, caught)
            own = own._replace(replaced=(*own.replaced, *logs(parsed, answer, found)))
            named = ((handler, caught),) if handler is not None and handler.name is None else ()
        yield parsed.path, own._replace(caught=named), tuple(doubts)
        yield from self._leaving(found, parsed, answer, payload, symbol)

    def _site(self, site: RaiseSite, found: ReachedBoundaries) -> RaiseSite:
        """Return an error return with the class that decorators of what is served let pass, where it can be made."""
        passed = let_through(self.project, self.files, found.exits) if site.framework is not None else None
        told = () if found.exits else self._told_by_callers(site, found)
        for symbol in told if passed is None else (passed,):
            with suppress(Refusal):
                construct(self.project, self.files.parse, site, symbol, bare_name)
                known_as(self.project, self.files, site.parsed, symbol, site.function.name)
                return site._replace(passed=symbol)
        return site

    def _told_by_callers(self, site: RaiseSite, found: ReachedBoundaries) -> Iterator[Exceptional]:
        """Yield the classes that those tell who may call a function, where they tell nothing of the usual one."""
        usual: Exceptional | None = None
        with suppress(Refusal):
            usual = choose(self.project, site)
        if isinstance(usual, ExternalSymbol) and self._is_hidden(found, usual):
            told = dict.fromkeys(told_classes(self.project, found.perhaps))
            yield from (symbol for symbol in told if not self._is_hidden(found, symbol))

    def _is_hidden(self, found: ReachedBoundaries, symbol: Exceptional) -> bool:
        """Whether one of those who may call the function tells nothing of the text of a class."""
        return any(hiding(self.project, each, symbol) for each in found.perhaps)

    def _users(self, found: ReachedBoundaries, converted: list[Converted]) -> Iterator[Step]:
        """Yield what has to change in the callers that look for the errors, and in tests."""
        whole = frozenset(item.node for item in converted if item.is_whole and isinstance(item.node, cst.Return))
        project, files = self.project, self.files
        sources = SourceCache(project, files, whole)

        def naming(parsed: SourceFile, node: cst.CSTNode, symbol: Exceptional, function: Function) -> Known:
            return steady(project, files, parsed, node, symbol, function.name)

        def in_test(parsed: SourceFile, node: cst.CSTNode, symbol: Exceptional) -> Known:
            return steady(project, files, parsed, node, symbol, "")

        yield from self._unpromised(converted)
        for symbol in (*found.inner, *(FunctionSymbol(exit_.path, exit_.function) for exit_ in found.exits)):
            yield symbol.path, Changes(), tuple(examples(files, symbol, converted))
        for each in found.inspections:
            yield from caller_rewrites.rewritten(sources, each, converted, naming)
        for exit_ in found.exits:
            keys = lost(exit_, (item.payload for item in converted))
            if exit_.position is not None:
                covered = test_rewrites.TestedFunction(
                    sources, FunctionSymbol(exit_.path, exit_.function), converted, in_test
                )
                if keys != frozenset():
                    yield from boundary_tests.reread(covered, keys, message_key(exit_))
                filled = {key for key, value in exit_.boundary.envelope.items() if value != "empty_result"}
                yield exit_.path, Changes(), tuple(boundary_tests.gained(covered, {*filled, *exit_.empty}))
        served = {(exit_.path, exit_.function.name) for exit_ in found.exits if exit_.framework is not None}
        for symbol in found.inner:
            is_served = (symbol.path, symbol.function.name) in served
            tested = test_rewrites.TestedFunction(sources, symbol, converted, in_test, is_served)
            yield from test_rewrites.rewritten(tested)

    def _unpromised(self, converted: Sequence[Converted]) -> Iterator[Step]:
        """Yield what makes a helper promise no answer, where all that it answered were errors."""
        own = [item for item in converted if item.is_whole]
        for source in dict.fromkeys(item.source for item in own):
            if not self.project.adapters.is_adapter(source.path, source.function):
                names = dict.fromkeys(name_of(item.symbol).rpartition(".")[2] for item in own if item.source == source)
                nodes = [item.node for item in own if item.source == source]
                changes = unpromised(self.files.parse(source.path), source.function, nodes, tuple(names))
                yield source.path, changes, ()

    def _ways(
        self, found: ReachedBoundaries, own: SourceFile, at: cst.CSTNode, symbol: Exceptional, *, is_fixed: bool
    ) -> Iterator[Step]:
        """Yield what has to change on the way of the exception through each function, up to the boundaries.

        ``is_fixed`` is true for one whose text is always the same: there is nothing in it that has to be masked.
        """
        project, files, around = self.project, self.files, self.function
        exits = {(item.path, item.function.name): item for item in found.exits}
        for place in found.perhaps:
            handler = hiding(project, place, symbol)
            if handler is not None:
                text = f"an error of `{around.name}` may be caught here, which {shown(handler, place.parsed)}"
                doubt = Doubt(text, place.parsed.path, place.parsed.line(handler))
                yield place.parsed.path, Changes(), (doubt,)
            dropped = dropping(project, files, place, symbol)
            if dropped is not None:
                text = f"an error of `{around.name}` may end here, in `{dropped[1]}`"
                yield place.parsed.path, Changes(), (Doubt(text, place.parsed.path, place.parsed.line(dropped[0])),)
        for parsed, scope, node in ((own, around, at), *(frame[:3] for frame in found.frames)):
            exit_ = exits.get((parsed.path, scope.name))
            if exit_ is not None and _is_of_route(exit_, symbol):
                yield parsed.path, Changes(), (self._in_route(parsed, exit_, node, symbol),)
                continue
            yield self._way(parsed, scope.name, node, symbol, ())
            function = parsed.function(node)
            if function is None:
                continue
            for standing in standing_around(project, files, parsed, function, scope, exit_):
                name, line = standing.name, standing.parsed.line(standing.decorator)
                wrapped = wrappers(project, files, standing.parsed, standing.decorator, is_async=scope.is_async)
                if wrapped is None or any(each.is_repeated for each in wrapped):
                    text = f"the decorator `{name or '?'}` may catch, repeat or keep what the function raises"
                    yield standing.parsed.path, Changes(), (Doubt(text, standing.parsed.path, line),)
                for each in wrapped or ():
                    masking = "" if each.is_plain or is_fixed else _masking(project, files, each)
                    if masking:
                        text = f"the decorator `{name}` {masks(masking)}, which an error passes by"
                        raise refuse(text, each.parsed.path, each.line)
                    if not each.is_plain:
                        text = f"the decorator `{name}` does more with what is answered, which an error passes by"
                        yield each.parsed.path, Changes(), (Doubt(text, each.parsed.path, each.line),)
                    text = f"the decorator `{name}` answers other exceptions itself, and lets this one pass from now on"
                    doubt = Doubt(text, each.parsed.path, each.line)
                    for call in each.nodes:
                        yield self._way(each.parsed, each.name, call, symbol, (doubt,))

    def _in_route(self, parsed: SourceFile, exit_: Exit, node: cst.CSTNode, symbol: Exceptional) -> Doubt:
        """Say what becomes in a route of an exception that its framework tells nobody the text of."""
        line, name = parsed.line(node), name_of(symbol)
        if way_out(Leaving(self.project, self.files, parsed, exit_.function.name, symbol), node).rescues:
            return Doubt(f"the handler around it answers a `{name}` from now on", parsed.path, line)
        told = exit_.framework.name if exit_.framework is not None else ""
        return Doubt(
            f"{told} answers a `{name}` that leaves it with status 500, and without its text", parsed.path, line
        )

    def _way(
        self, parsed: SourceFile, scope: str, node: cst.CSTNode, symbol: Exceptional, told: tuple[Doubt, ...]
    ) -> Step:
        """Return what has to change on the way of the exception out of a function; ``told`` is what is said of that."""
        way = way_out(Leaving(self.project, self.files, parsed, scope, symbol), node)
        doubts = list(way.doubts)
        rescues: list[tuple[cst.Try, int, str]] = []
        imports: list[Needed] = []
        for rescue in way.rescues:
            clause = clause_for(self.project, symbol)
            known = steady(self.project, self.files, parsed, node, clause, scope)
            rescues.append((rescue.node, rescue.before, known.name))
            imports.extend(needed(known.needed))
            doubts.extend(told or would_pass(self.project, self.files, parsed, rescue, clause))
        return parsed.path, Changes(rescues=tuple(rescues), imports=tuple(imports)), tuple(doubts)


def _is_of_route(exit_: Exit, symbol: Exceptional) -> bool:
    """Whether an exception that is raised comes to a route whose framework is told another class."""
    return exit_.framework in WEB and ExternalSymbol(exit_.framework.error) != symbol


def _is_told(scope: Scope, answer: ErrorAnswer) -> bool:
    """Whether the exception that a factory is handed is one of the project."""
    assert answer.handed is not None
    with suppress(Refusal):
        return bool(answer.handed.symbol or _caught(scope, scope.parsed.handler(answer.at)))
    return False


def _caught(scope: Scope, handler: cst.ExceptHandler | None) -> Exceptional:
    """Return the class that a handler catches; raises Refusal where that is no single exception of the project."""
    names = exception_names(handler.type) if handler is not None else ()
    symbol = scope.meaning(names[0]) if len(names) == 1 else None
    policy = scope.project.policy(scope.parsed.path)
    if isinstance(symbol, ClassSymbol) and scope.project.domain.is_domain(symbol, policy):
        return symbol
    raise refuse("what is caught is no single exception of the project")


def _framework(found: ReachedBoundaries, path: str, function: Function) -> Framework | None:
    """Return the framework that answers an error: that of the function itself, if it has one, since others call it.

    Of what tools and routes call, that is the one of the tools. Raises Refusal where two are told of other classes.
    """
    served = [(exit_, exit_.framework) for exit_ in found.exits if exit_.framework is not None]
    own = [framework for exit_, framework in served if (exit_.path, exit_.function.name) == (path, function.name)]
    tools = [framework for _, framework in served if framework not in WEB]
    frameworks = own or tools or [framework for _, framework in served]
    if len({framework.error for framework in frameworks}) > 1:
        raise refuse(f"`{function.name}` is served by two frameworks with an exception of their own")
    return frameworks[0] if frameworks else None


def _masking(project: Project, files: Files, wrapper: Wrapper) -> str:
    """Return the name of the function by which a wrapper masks what the function answers that it calls, "" for none."""
    for node in wrapper.nodes:
        called = node.expression if isinstance(node, cst.Await) else node
        name = dotted_name(called.func) if isinstance(called, cst.Call) else ""
        if masking := masking_of(project, files, wrapper.parsed.path, wrapper.line, name):
            return masking
    return ""
