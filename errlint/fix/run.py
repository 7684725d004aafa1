"""The run of a fix: plan, rewrite, prove; what is left is a set of new contents, and the reasons for all the rest."""

from __future__ import annotations

import gc
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, repeat
from types import MappingProxyType
from typing import NamedTuple

import libcst as cst

from errlint.findings import Finding
from errlint.fix.applicability import trusted
from errlint.fix.callers.abstract_values import definition
from errlint.fix.dead_code import changed_lines, leftovers, words_added
from errlint.fix.model import Applicability, Doubt, Group, Refusal, failure
from errlint.fix.nodes import all_below, names_below
from errlint.fix.parts import Parts
from errlint.fix.plan import FIXABLE, PLANNED, STALE, SWALLOWED, Planned, plan, reason_of_policy, refused_for
from errlint.fix.prove import SUCCESSORS, identity, new_findings, reason_against
from errlint.fix.rewrite import Changes, claims, first_line, joined, rewrite
from errlint.fix.rules import followers
from errlint.fix.shares import ReachesOutError, shared_out
from errlint.fix.snapshot import Snapshot, snapshot
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SourceFile
from errlint.progress import Report
from errlint.project import Project
from errlint.project.connected import Group as Together
from errlint.request import Request, Stopwatch
from errlint.run import check, nested, select, whole
from errlint.settings.model import Trust
from errlint.source import decode

MAX_PASSES = 10
"""How often fixes are planned for what earlier ones have left."""

MAX_PROOFS = 5
"""How often what could not be proved is left out and the rest proved again."""


class Fixes(NamedTuple):
    """What a fix would write (path to the content before and after), and what becomes of each group.

    ``hidden`` groups need ``--unsafe-fixes``, ``declined`` ones were not wanted. ``successors`` are the findings that
    the new statements bring, as the pages of their rules say. Lines are those of the pass that found a group:
    ``states`` has for each that is fixed what earlier passes had made of files by then, none where there was one pass
    alone; ``state`` has that for those that are left, or ``left_states`` for each hidden and each refused one.
    """

    contents: Mapping[str, tuple[bytes, bytes]]
    fixed: tuple[Group, ...]
    hidden: tuple[Group, ...]
    refused: tuple[Group, ...]
    declined: tuple[Group, ...] = ()
    successors: tuple[Finding, ...] = ()
    states: tuple[Mapping[str, bytes], ...] = ()
    state: Mapping[str, bytes] = MappingProxyType({})
    left_states: tuple[Mapping[str, bytes], ...] = ()

    def fixed_in(self) -> Iterator[tuple[Group, Mapping[str, bytes]]]:
        """Yield each group that is fixed, with what earlier passes had made of files."""
        return zip(self.fixed, self.states or repeat(self.state), strict=False)

    def left_in(self) -> Iterator[tuple[Group, Mapping[str, bytes]]]:
        """Yield each hidden group, and then each refused one, with what earlier passes had made of files."""
        return zip((*self.hidden, *self.refused), self.left_states or repeat(self.state), strict=False)


class Proposal(NamedTuple):
    """What one pass would do: new contents, the groups that they are proved for, and what becomes of the others.

    ``later`` groups want what one of the others changes. ``after`` are the findings of the whole project afterwards,
    ``before`` those it started from. ``unsettled`` are the files of groups that may fare otherwise in the next pass.
    """

    contents: Mapping[str, tuple[bytes, bytes]]
    chosen: tuple[Planned, ...]
    later: tuple[Planned, ...]
    hidden: tuple[Group, ...]
    refused: tuple[Group, ...]
    declined: tuple[Group, ...]
    files: Files
    before: tuple[Finding, ...]
    after: tuple[Finding, ...]
    unsettled: frozenset[str]


Ask = Callable[[Files, Sequence[Planned]], list[Planned]]
"""Who decides which of the groups that are proved are wanted."""


def find_fixes(
    request: Request,
    findings: tuple[Finding, ...],
    watch: Stopwatch | None = None,
    progress: Report | None = None,
    *,
    known: tuple[Finding, ...] = (),
    unsafe: bool,
    editable: frozenset[str] | None = None,
    ask: Ask | None = None,
) -> Fixes:
    """Plan and prove the fixes of the findings of a run, again and again until nothing is left to be fixed.

    With ``unsafe`` also those that are not shown to be safe. ``known`` are findings of the run that stay. Groups that
    need to change other files than those that are ``editable`` (``None``: all) are refused. ``ask`` is given those that
    could be applied and returns the wanted ones.
    """
    asked = frozenset(item.path for item in findings) if request.paths else None
    before = (*findings, *known) if asked is None else None
    left = frozenset((item.path, item.fingerprint) for item in known)
    request, watch = whole(request), watch or Stopwatch()
    if refused := refused_by_policy(request, findings):
        fixes = Fixes({}, (), (), refused)
        return fixes if ask is not None else _with_regions(request, fixes, findings)
    passes = _Passes(request, asked, left, unsafe, editable, ask)
    with _without_collector():
        files = snapshot(request)
        if ask is not None or len(files.shares()) < 2:
            return passes(files, findings, before, watch)
        shares = shared_out(files.without(_OF_ALL_TESTS), findings, before, passes, watch, progress)
        return _with_successors(request, _joined(shares), files.rules & _OF_ALL_TESTS, before, watch)


_OF_ALL_TESTS = frozenset({"ERR310"})
"""Rules of which a finding in one share of a project may rest on the files of another; no fix is refused for them."""


def _with_successors(
    request: Request, fixes: Fixes, rules: frozenset[str], before: tuple[Finding, ...] | None, watch: Stopwatch
) -> Fixes:
    """Return fixes of several shares, with what rules that look at all of these say of them together."""
    if not rules or not fixes.contents:
        return fixes
    if before is None:
        before = check(request, watch=watch).findings
    overlay = {path: new for path, (_, new) in fixes.contents.items()}
    after = check(request._replace(contents={**request.contents, **overlay}), watch=watch).findings
    return fixes._replace(successors=(*fixes.successors, *new_findings(before, after, rules)))


def _joined(shares: Sequence[Fixes]) -> Fixes:
    """Return the fixes of shares of a project, which change different files."""
    hidden = [each for fixes in shares for each in islice(fixes.left_in(), len(fixes.hidden))]
    refused = [each for fixes in shares for each in islice(fixes.left_in(), len(fixes.hidden), None)]
    fixed = [each for fixes in shares for each in fixes.fixed_in()]
    return Fixes(
        {path: content for fixes in shares for path, content in fixes.contents.items()},
        tuple(group for group, _ in fixed),
        tuple(group for group, _ in hidden),
        tuple(group for group, _ in refused),
        tuple(group for fixes in shares for group in fixes.declined),
        tuple(finding for fixes in shares for finding in fixes.successors),
        tuple(state for _, state in fixed),
        left_states=tuple(state for _, state in (*hidden, *refused)),
    )


@contextmanager
def _without_collector() -> Iterator[None]:
    """Let nobody look for cycles: trees have none, and the more there are the longer each look takes."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@dataclass(frozen=True)
class _Passes:
    """Plans and proves the fixes of some files, again and again until nothing is left to be fixed.

    ``asked`` are the files whose findings are to be fixed (``None``: all), ``left`` the findings that stay, by path and
    fingerprint; the rest as :func:`find_fixes` has it.
    """

    request: Request
    asked: frozenset[str] | None
    left: frozenset[tuple[str, str]]
    unsafe: bool
    editable: frozenset[str] | None
    ask: Ask | None

    def __call__(
        self, files: Snapshot, findings: tuple[Finding, ...], before: tuple[Finding, ...] | None, watch: Stopwatch
    ) -> Fixes:
        """Return what can be fixed."""
        contents: dict[str, tuple[bytes, bytes]] = {}
        fixed: list[Group] = []
        states: list[Mapping[str, bytes]] = []
        overlay: dict[str, bytes] = {}
        successors: list[Finding] = []
        found: Proposal | None = None
        state: Mapping[str, bytes] = overlay
        now = files
        for _ in range(MAX_PASSES):
            state = overlay
            found = propose(
                now,
                findings,
                before,
                watch,
                contents,
                unsafe=self.unsafe,
                editable=self.editable,
                ask=self.ask,
                previous=found,
            )
            for path, (old, new) in found.contents.items():
                contents[path] = (contents[path][0] if path in contents else old, new)
            fixed.extend(item.group for item in found.chosen)
            states.extend([overlay] * len(found.chosen))
            if not found.contents:
                break
            successors.extend(new_findings(found.before, found.after, SUCCESSORS))
            overlay = {path: new for path, (_, new) in contents.items()}
            now, before = files.replaced({**files.contents, **overlay}), found.after
            findings = tuple(filter(self._is_asked, found.after))
        assert found is not None
        fixes = Fixes(
            contents,
            tuple(fixed),
            found.hidden,
            found.refused,
            found.declined,
            tuple(successors),
            tuple(states),
            state,
        )
        request = self.request._replace(contents=now.contents)
        return fixes if self.ask is not None else _with_regions(request, fixes, findings)

    def _is_asked(self, finding: Finding) -> bool:
        """Whether a finding of a later pass is to be fixed."""
        is_named = self.asked is None or finding.path in self.asked
        return is_named and (finding.path, finding.fingerprint) not in self.left


def refused_by_policy(request: Request, findings: Iterable[Finding]) -> tuple[Group, ...]:
    """Return a group for each error return where the settings alone say that none is rewritten; nothing else is asked.

    There are none where a finding may be fixed: that the code has to say.
    """
    planned = [finding for finding in findings if finding.code in PLANNED]
    if any(finding.code not in FIXABLE for finding in planned):
        return ()
    inner, _ = nested(request, select(request))
    first, *others = {reason_of_policy(policy) for policy in inner.settings.policies()}
    return tuple(refused_for(first, planned)) if first and not others else ()


def _with_regions(request: Request, fixes: Fixes, findings: Iterable[Finding]) -> Fixes:
    """Return fixes with those of documents whose generated regions are out of date.

    They are written from the code as it is after all other fixes, which the contents of the request say; ``findings``
    are those that are left.
    """
    stale = [finding for finding in findings if finding.code == "ERR510" and finding.related]
    if not stale:
        return fixes
    from errlint.fix.regions import find  # few projects have such regions

    root = request.settings.root
    changes = find(request, [root / path for path in sorted({finding.path for finding in stale})]).changes
    regions = {change.path: (change.before, change.after) for change in changes}
    return fixes._replace(
        contents={**fixes.contents, **regions},
        fixed=(*fixes.fixed, *(Group(finding.path, "", finding.span, (finding,), ()) for finding in stale)),
        successors=tuple(
            finding for finding in fixes.successors if finding.path not in regions or finding.code != "ERR510"
        ),
        states=(*fixes.states, *repeat(request.contents, len(stale))),
    )


def propose(
    snapshot: Snapshot,
    findings: tuple[Finding, ...],
    before: tuple[Finding, ...] | None,
    watch: Stopwatch,
    earlier: Mapping[str, tuple[bytes, bytes]] = MappingProxyType({}),
    *,
    unsafe: bool,
    editable: frozenset[str] | None = None,
    ask: Ask | None = None,
    previous: Proposal | None = None,
) -> Proposal:
    """Plan and prove once; ``before`` are all findings in the snapshot, ``None`` where they are not known yet.

    Of ``previous``, the pass before, what it says of distributions is taken over that have nothing to do with what it
    changed. Where nothing more can be fixed, what ``earlier`` passes have left unused is removed instead. Raises
    :class:`errlint.fix.shares.ReachesOutError` where a fix needs a file that the snapshot does not own.
    """
    built = snapshot.build({*earlier, *(item.path for item in findings)}, watch)
    built.store()
    project = built.project
    trust = snapshot.task.request.settings.trust
    last = previous.files if previous is not None else None
    files = Files(project, snapshot.contents, snapshot.texts, last)
    added = _added_words(earlier)
    findings = tuple(item for item in findings if not _is_left_over(files, earlier, added, item, is_written=True))
    distribution = project.layout.distribution
    again = _unsettled(project, snapshot.groups, files, findings, previous)
    settled: tuple[Group, ...] = ()
    if previous is not None and again is not None:
        settled = tuple(each for each in (*previous.hidden, *previous.refused) if distribution(each.path) not in again)
        findings = tuple(item for item in findings if distribution(item.path) in again)
    with watch.stage("plan"):
        planned = [_trusted(_within(files, item, editable), trust) for item in plan(project, findings, files)]
    allowed = {Applicability.SAFE, Applicability.UNSAFE} if unsafe else {Applicability.SAFE}
    chosen = _callees_first(item for item in planned if item.group.applicability in allowed)
    groups = (*settled, *(item.group for item in planned))
    hidden = [group for group in groups if group.applicability is Applicability.UNSAFE and not unsafe]
    refused = [group for group in groups if group.applicability is Applicability.REFUSED]
    attempted = list(chosen)
    if others := frozenset(path for item in chosen for path in item.changes if not snapshot.owns(path)):
        raise ReachesOutError(others)
    if chosen and before is None:
        before = snapshot.check(watch)
    before = before or ()
    declined: list[Group] = []
    chosen, later = non_conflicting(chosen)
    while True:
        chosen, contents, after = proved(snapshot, files, chosen, before, refused, watch)
        wanted = ask(files, chosen) if ask is not None and chosen else chosen
        kept = {id(item) for item in wanted}
        unwanted = [item.group for item in chosen if id(item) not in kept]
        if unwanted:
            declined.extend(unwanted)
            chosen, contents, after = proved(snapshot, files, wanted, before, refused, watch)
        if contents or not later:
            break
        chosen, later = non_conflicting(later)
    if not contents and earlier:
        about = earlier
        if previous is not None and not previous.chosen:
            about = {path: earlier[path] for path in previous.contents}  # the rest has been looked at then
        unused = [_within(files, item, editable) for item in leftovers(project, files, about)]
        # They end no finding, so nobody is asked about them, or told of those that cannot be proved.
        _, contents, after = proved(snapshot, files, [item for item in unused if item.changes], before, [], watch)
    project.release()
    return Proposal(
        contents,
        tuple(chosen),
        tuple(later),
        tuple(hidden),
        tuple(refused),
        tuple(declined),
        files,
        tuple(before),
        after,
        frozenset(item.group.path for item in attempted if not any(item is each for each in chosen)),
    )


def _unsettled(
    project: Project,
    together: Iterable[Together],
    files: Files,
    findings: Iterable[Finding],
    previous: Proposal | None,
) -> frozenset[str] | None:
    """Return the distributions of which the pass before does not say what becomes of their findings; ``None`` for all.

    These are those that it changed something in, by whatever reason, and all that have to do with them (``together``),
    or by a test that was changed.
    """
    if previous is None:
        return None
    distribution = project.layout.distribution
    start = frozenset(map(distribution, (*previous.contents, *previous.unsettled)))
    found = start.union(
        *(each.distributions for each in together if not start.isdisjoint(each.distributions | each.context))
    )
    others = {item.path for item in findings if item.path in project.modules and distribution(item.path) not in found}
    return found.union(
        distribution(path) for path in others if not previous.contents.keys().isdisjoint(files.tests(path))
    )


def proved(
    snapshot: Snapshot,
    files: Files,
    chosen: list[Planned],
    before: tuple[Finding, ...],
    refused: list[Group],
    watch: Stopwatch,
) -> tuple[list[Planned], dict[str, tuple[bytes, bytes]], tuple[Finding, ...]]:
    """Return the groups that can be proved together, new contents, and the findings afterwards.

    The other groups are added to ``refused``.
    """
    written: dict[str, tuple[tuple[int, ...], tuple[bytes, bytes]]] = {}
    for _ in range(MAX_PROOFS):
        contents, failed, after = _prove(snapshot, files, chosen, before, watch, written)
        if not failed:
            return chosen, contents, after
        refused.extend(_with_doubt(item, failed[id(item)]) for item in chosen if id(item) in failed)
        chosen = [item for item in chosen if id(item) not in failed]
    refused.extend(_with_doubt(item, _against(item, "the proof did not come to an end")) for item in chosen)
    return [], {}, ()


def _trusted(planned: Planned, trust: Trust) -> Planned:
    return planned._replace(group=trusted(planned.group, trust))


def non_conflicting(planned: list[Planned]) -> tuple[list[Planned], list[Planned]]:
    """Return the groups that can be carried out together, and those that want what one of them changes."""
    taken: dict[tuple[str, cst.CSTNode], object] = {}
    together: list[Planned] = []
    later: list[Planned] = []
    for item in planned:
        wanted = [((path, node), change) for path, changes in item.changes.items() for node, change in claims(changes)]
        if any(taken.get(key, change) != change for key, change in wanted):
            later.append(item)
        else:
            together.append(item)
            taken.update(wanted)
    return together, later


def _callees_first(planned: Iterable[Planned]) -> list[Planned]:
    """Return groups, those that take a check of a result away before those that change what stands in one."""
    return sorted(
        planned,
        key=lambda item: (
            not any(isinstance(each.node, cst.If) for changes in item.changes.values() for each in changes.replaced)
        ),
    )


def _within(files: Files, planned: Planned, editable: frozenset[str] | None) -> Planned:
    """Refuse what needs other files than those that may be changed."""
    others = [
        f"{path}:{first_line(files.parse(path), changes)}"
        for path, changes in sorted(planned.changes.items())
        if editable is not None and path not in editable
    ]
    if not others:
        return planned
    doubt = Doubt(f"also needs {', '.join(others)}; run `errlint --fix`", refuses=True)
    return Planned(_with_doubt(planned, doubt), {})


def _with_doubt(planned: Planned, doubt: Doubt) -> Group:
    return planned.group._replace(doubts=(*planned.group.doubts, doubt))


def _against(planned: Planned, reason: str) -> Doubt:
    return Doubt(reason, planned.group.path, planned.group.span.line, refuses=True)


def _prove(
    snapshot: Snapshot,
    files: Files,
    chosen: list[Planned],
    before: Iterable[Finding],
    watch: Stopwatch,
    written: dict[str, tuple[tuple[int, ...], tuple[bytes, bytes]]],
) -> tuple[dict[str, tuple[bytes, bytes]], dict[int, Doubt], tuple[Finding, ...]]:
    """Return new contents, for each group (by ``id``) that is not proved the reason, and the findings afterwards.

    ``written`` keeps the contents of files, each with the changes (by ``id``) that they come of, for the next proof.
    """
    wanted: dict[str, list[Changes]] = {}
    for item in chosen:
        for path, changes in item.changes.items():
            wanted.setdefault(path, []).append(changes)
    merged = {path: joined(changes) for path, changes in wanted.items()}
    contents: dict[str, tuple[bytes, bytes]] = {}
    failed: dict[int, Doubt] = {}
    for path, changes in merged.items():
        parts = tuple(map(id, wanted[path]))
        if path in written and written[path][0] == parts:
            contents[path] = written[path][1]
            continue
        try:
            with watch.stage("rewrite"):
                parsed = files.parse(path)
                after = rewrite(parsed, changes)
                reason = reason_against(parsed, changes, after)
                parsed.release()
        except Refusal as refusal:
            after, reason = b"", refusal.doubt.text
        except Exception as error:  # noqa: BLE001 -- one fix must not hide the others: it is refused
            after, reason = b"", failure(error)
        if reason:
            failed.update((id(item), _against(item, reason)) for item in _guilty(files, path, chosen))
        else:
            contents[path] = (parsed.data, after)
            written[path] = (parts, contents[path])
    if failed or not contents:
        return contents, failed, ()
    overlay = {**snapshot.contents, **{path: after for path, (_, after) in contents.items()}}
    after_findings = snapshot.replaced(overlay).check(watch)
    left = Counter(map(identity, before))
    left -= Counter(identity(item) for planned in chosen for item in planned.group.findings)
    followers = {(path, code) for planned in chosen for path, code in _followers(planned)}
    added = _added_words(contents)
    for finding in new_findings(before, after_findings):
        if (finding.path, finding.code) in followers or _is_left_over(
            files, contents, added, finding, is_written=False
        ):
            continue
        _blame(files, chosen, finding, failed)
    targets = {identity(item) for planned in chosen for item in planned.group.findings}
    for finding in after_findings:
        key = identity(finding)
        left[key] -= 1
        if key in targets and left[key] < 0:
            for planned in chosen:
                if key in map(identity, planned.group.findings):
                    failed.setdefault(id(planned), _against(planned, f"{finding.code} is still found in the result"))
    return contents, failed, after_findings


def _guilty(files: Files, path: str, chosen: list[Planned]) -> list[Planned]:
    """Return the groups whose changes of a file are not proved by themselves; all that change it, where each is."""
    own = [item for item in chosen if path in item.changes]
    parts, parsed = Parts(), files.parse(path)
    guilty = [item for item in own if not _is_proved(parts, parsed, item.changes[path])] if len(own) > 1 else []
    return guilty or own


def _is_proved(parts: Parts, parsed: SourceFile, changes: Changes) -> bool:
    try:
        parts.of(parsed, changes)
    except Exception:  # noqa: BLE001 -- a refusal, or errlint fails on it: no proof either way
        return False
    return True


def _followers(planned: Planned) -> Iterator[tuple[str, str]]:
    """Yield the findings, by file and code, that a group may bring.

    Those of another rule, since the next pass fixes them, and, where somebody is to look, checks for an error in a test
    and handlers that go on with an answer that is put together again.
    """
    for doubt in (*planned.group.doubts, *planned.group.accepted):
        yield from ((doubt.path, code) for code in (STALE, SWALLOWED))
    for finding in planned.group.findings:
        for code in followers(finding.code):
            yield from ((path, code) for path in (finding.path, *planned.changes))


def _is_left_over(
    files: Files, contents: Container[str], added: Counter[str], finding: Finding, *, is_written: bool
) -> bool:
    """Whether changes took the last uses of a function with an error return away: it goes with what they leave over.

    What has a decorator may be used by that alone. ``contents`` are the files that are changed, ``added`` the words by
    which there are more or fewer in them. ``is_written`` is true where the files are read as the changes
    made them, and not as they were before.
    """
    short = finding.function.rpartition(".")[2]
    if not short or finding.path not in contents or finding.code not in FIXABLE or added[short] >= 0:
        return False
    so_many = 0 if is_written else added[short]
    if files.written(short) + so_many > 1:
        return False  # most are: to search all texts takes longer
    node = _function_of(files, finding)
    if node is None or node.decorators:
        return False
    word = re.compile(rf"\b{re.escape(short)}\b")
    found = sum(len(word.findall(text)) for text in files.texts().values() if short in text)
    return found + so_many == 1


def _added_words(contents: Mapping[str, tuple[bytes, bytes]]) -> Counter[str]:
    """Return how many more times each word stands in files after changes; less than 0 where there are fewer."""
    added: Counter[str] = Counter()
    for old, new in contents.values():
        added.update(words_added(changed_lines(decode(old), decode(new))))
    return added


def _blame(files: Files, chosen: list[Planned], finding: Finding, failed: dict[int, Doubt]) -> None:
    """Find the groups that a finding in the result is due to: the function's own, else those that change a part of it.

    Else it is due to those of functions that it names, to all that change its file, or what it rests on, as the
    function that a test calls, or what names it.
    """
    node = _function_of(files, finding)
    own = [item for item in chosen if (item.group.path, item.group.function) == (finding.path, finding.function)]
    inside = set(all_below(node)) if node is not None and not own else set()
    own = own or [item for item in chosen if _changes_one_of(item, finding.path, inside)]
    named = frozenset(names_below(node.body)) if node is not None and not own else frozenset()
    own = own or [item for item in chosen if item.group.function.rpartition(".")[2] in named]
    own = own or [item for item in chosen if finding.path in item.changes]
    for related in finding.related if not own else ():
        own.extend(item for item in chosen if related.path in item.changes)
    short = finding.function.rpartition(".")[2]
    own = own or [item for item in chosen if short and _changes_naming(item, short)]
    reason = f"the result has a new finding: {finding.code} {finding.message}"
    for item in own or chosen:
        doubt = _against(item, reason)
        if node is not None:
            doubt = doubt._replace(path=finding.path, line=files.parse(finding.path).line(node))
        failed.setdefault(id(item), doubt)


def _changes_one_of(planned: Planned, path: str, nodes: set[cst.CSTNode]) -> bool:
    """Whether a group changes one of some nodes of a file."""
    changes = planned.changes.get(path) if nodes else None
    return changes is not None and any(node in nodes for node, _ in claims(changes))


def _function_of(files: Files, finding: Finding) -> cst.FunctionDef | None:
    """Return the function in which a finding stands, ``None`` where it cannot be read or is defined twice."""
    try:
        return definition(files.parse(finding.path), finding.function)
    except Refusal:
        return None


def _changes_naming(planned: Planned, name: str) -> bool:
    """Whether a group changes something that names a function."""
    nodes = (node for changes in planned.changes.values() for node, _ in claims(changes))
    return any(isinstance(node, cst.Name) and node.value == name for node in nodes)
