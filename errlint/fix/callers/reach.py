"""Through which boundaries the errors of a function reach clients, and what stands on the way."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import suppress
from itertools import islice, takewhile
from typing import NamedTuple

import libcst as cst
from msgspec.structs import replace

from errlint.facts import Function, Import, Use
from errlint.findings import Span
from errlint.fix.bindings import is_test
from errlint.fix.callers.abstract_values import SourceCache, definition, facts_of, qualified_name, refuse_generator
from errlint.fix.callers.agents import answering
from errlint.fix.callers.boundary_bypass import unwrapped
from errlint.fix.callers.boundary_differences import Exit, checked_by, exit_of, is_called_here, shape_on_the_way
from errlint.fix.callers.call_sites import by_object, calling, where_named
from errlint.fix.callers.carrying import is_carried, statement_of
from errlint.fix.callers.catching import Perhaps
from errlint.fix.callers.dispatch_tables import out_of_file, returns_out_of
from errlint.fix.callers.envelope_consumers import readers
from errlint.fix.callers.error_checks import Inspection, calls, inspection, returned_by
from errlint.fix.callers.keeping import Finished, Kept, finished, held, kept, kept_value, waited_later
from errlint.fix.callers.lookups import LookupPlace, lookup, replaced
from errlint.fix.callers.mentions import may_import, may_mean, mentions, refers_to
from errlint.fix.callers.predicates import written_out
from errlint.fix.callers.relaying import handed_to, is_relayed, is_told_around, told_around
from errlint.fix.callers.running import run_by
from errlint.fix.callers.serving import collecting
from errlint.fix.callers.tool_functions import late_wrappers, masking_in, masks, middleware, taken_out
from errlint.fix.model import Doubt, Refusal, TestOutcome, refuse
from errlint.fix.nodes import all_below, dotted_name
from errlint.fix.payload_extraction.payload import dumped
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SourceFile
from errlint.index.bindings import FunctionNode
from errlint.project import Project
from errlint.project.callers import Caller
from errlint.project.decorators import BY_NAME
from errlint.project.frameworks import AGENTS
from errlint.project.names import FunctionSymbol, below, is_standard, names_file
from errlint.project.threads import place_of_function
from errlint.trees import walk

_AT_ONCE = (cst.Lambda, cst.BaseSmallStatement, cst.BaseStatement)
"""What is done together with a statement stands in it, and in nothing that is called later."""


_RUNNING = frozenset({"func", "coroutine", "invoke", "ainvoke", "run", "arun", "batch", "abatch", "_run", "_arun"})
"""Attributes of LangChain's tools that run the function."""

MAX_CALLS = 5
"""Through how many functions an error may be handed on before it reaches a boundary."""


MAX_KEPT = 5
"""How many callers put an answer together again where no error reaches a client as an exception: that gains little."""


class Frame(NamedTuple):
    """A place from which an exception leaves a function: the error return itself, or the call of another function.

    ``goes_on`` is false where it goes to one caller of the function, which is a frame by itself.
    """

    parsed: SourceFile
    function: Function
    node: cst.Return | cst.SimpleStatementLine | cst.If
    goes_on: bool = True


class ReachedBoundaries(NamedTuple):
    """All boundaries that errors of a function reach, and the calls on the way.

    ``inspections`` are the callers that look for the errors or go on with them, ``inner`` the functions that raise
    when they are called, since no decorator of theirs is the boundary. ``perhaps`` are the places that may call one.
    ``masked`` are those that take secrets out of what is answered, and not out of an error that passes them by.
    """

    exits: tuple[Exit, ...]
    frames: tuple[Frame, ...]
    doubts: tuple[Doubt, ...]
    inspections: tuple[Inspection | Kept | Finished, ...] = ()
    inner: tuple[FunctionSymbol, ...] = ()
    perhaps: tuple[Perhaps, ...] = ()
    masked: tuple[Doubt, ...] = ()


class _Passed(NamedTuple):
    """A call whose answer a caller returns in the end, and the reason why it is refused where no exception passes."""

    call: Kept
    refusal: Refusal


class _Followed(NamedTuple):
    """How callers are followed that only tell an answer, which an exception may pass by as well.

    ``passes`` is false where they go on with it all the same. ``around`` are the functions on whose way a function is
    followed, and ``relayed`` is filled with the calls that an exception may pass.
    """

    passes: bool
    around: frozenset[tuple[str, str]]
    relayed: list[Kept]


def reach(
    project: Project, files: Files, path: str, function: Function, around: frozenset[tuple[str, str]] = frozenset()
) -> ReachedBoundaries:
    """Follow a function to its boundaries; ``around`` are the functions on whose way that is asked.

    Where a framework answers, an exception passes callers that only tell what was answered; with a boundary of the
    project, which has another form for an error, only where they cannot go on. Raises
    :class:`errlint.fix.model.Refusal` where an error can end anywhere else.
    """
    passes = not project.policy(path).boundaries
    way = _Followed(passes, around | {(path, function.name)}, [])
    try:
        return _followed(project, files, path, function, way)
    except Refusal:
        if not way.relayed:
            raise
        return _followed(project, files, path, function, way._replace(passes=not passes))


def _followed(project: Project, files: Files, path: str, function: Function, way: _Followed) -> ReachedBoundaries:
    tests = files.tests(path)
    exits: list[Exit] = []
    frames: list[Frame] = []
    inspections: list[Inspection | Kept | Finished] = []
    inner: list[FunctionSymbol] = []
    doubts: list[Doubt] = []
    perhaps: list[Perhaps] = []
    masked: list[Doubt] = []
    pending, seen = [(path, function, 0)], {(path, function.name)}
    while pending:
        where, item, depth = pending.pop()
        refuse_generator(files, where, item)
        if definition(files.parse(where), item.name) is None:
            raise refuse(f"`{item.name}` is defined more than once", where, item.span.line)
        found = exit_of(project, files, where, item)
        if found is not None:
            exits.append(found)
            _refuse_misordered(project, where, item, found)
            doubts.extend(_comparisons(files, item, tests))
            if found.framework is not None and (kept := collecting(project, files, where, item)):
                text = f"`@{kept}` of the project is taken to leave to {found.framework.name} what a tool raises"
                doubts.append(Doubt(text, where, item.span.line))
            if found.framework is not None:
                doubts.extend(late_wrappers(project, files, where))
                doubts.extend(taken_out(files, where))
                for doubt, is_masking in middleware(project, files, where):
                    (masked if is_masking else doubts).append(doubt)
            if found.framework is AGENTS and (answered := answering(project, files, where, item)) is not None:
                doubts.append(answered)
            if not found.is_served:
                doubts.extend(readers(project, files, where, item))
            if found.position is None:
                inner.append(FunctionSymbol(where, item))
            else:
                doubts.extend(unwrapped(project, files, where, item))
            if not found.is_served:
                continue
        elif project.adapters.is_adapter(where, item) and not is_called_here(project, files, where, item):
            boundaries = project.boundaries
            is_tool = not boundaries.is_resource(where, item) and not boundaries.is_prompt(where, item)
            text = "the adapter `{}` (ERR201)" if is_tool else "`{}`, which is no tool"
            raise refuse(f"no boundary covers {text.format(item.name)}", where, item.span.line)
        if depth >= MAX_CALLS and found is None:
            raise refuse(f"`{item.name}` is too far from a boundary", where, item.span.line)
        doubts.extend(_elsewhere(project, files, where, item))
        doubts.extend(_unread(files, where, item))
        doubts.extend(siblings(project, where, item))
        if found is None:
            inner.append(FunctionSymbol(where, item))
        # What a framework serves may be called by others of the project too: these get the exception itself, and
        # so do they where middleware answers.
        is_object = found is not None and found.framework is AGENTS and bool(item.decorators)
        for frame in _frames(project, files, where, item, is_served=found is not None, is_object=is_object):
            if isinstance(frame, Doubt):
                doubts.append(frame)
                continue
            if isinstance(frame, Perhaps):
                perhaps.append(frame)
                continue
            if isinstance(frame, _Passed) and not _may_pass(project, files, frame.call, way):
                raise frame.refusal
            frame = frame.call if isinstance(frame, _Passed) else frame
            if (
                isinstance(frame, Kept)
                and not _masks_both(project, files, frame)
                and _may_pass(project, files, frame, way)
            ):
                text = f"an error of `{item.name}` passes by here, where its answer was told as any other"
                if given := handed_to(frame):
                    text += f", by {', '.join(f'`{each}`' for each in given)}: see what that did to its text"
                    masked.extend(_masked(project, files, frame, given))
                doubts.append(Doubt(text, frame.parsed.path, frame.parsed.line(frame.line)))
                frame = Frame(frame.parsed, frame.function, frame.line)
            if isinstance(frame, (Inspection, Kept, Finished)):
                inspections.append(frame)
                if isinstance(frame, Kept) or (isinstance(frame, Inspection) and not frame.goes_on):
                    continue
                handed = returned_by(frame) if isinstance(frame, Inspection) else None
                frame = Frame(frame.parsed, frame.function, frame.line)
            else:
                handed = frame.node if isinstance(frame.node, cst.Return) else None
            frames.append(frame)
            if handed is not None and (shape := shape_on_the_way(handed.value)):
                covered = exit_of(project, files, frame.parsed.path, frame.function)
                text = f"the answer was {shape}, the boundary's is an object"
                text += checked_by(covered) if covered is not None else ""
                doubts.append(Doubt(text, frame.parsed.path, frame.parsed.line(handed)))
            key = (frame.parsed.path, frame.function.name)
            if key not in seen and frame.goes_on:
                seen.add(key)
                pending.append((frame.parsed.path, frame.function, depth + 1))
    _refuse_kept(exits, inspections)
    return ReachedBoundaries(
        tuple(exits), tuple(frames), tuple(doubts), tuple(inspections), tuple(inner), tuple(perhaps), tuple(masked)
    )


def _masks_both(project: Project, files: Files, found: Kept) -> bool:
    """Whether a caller masks what is answered, and what its handler around the call tells of any exception, too."""
    if not any(_masked(project, files, found, handed_to(found))):
        return False
    handler = told_around(found)
    calls = (item for item in all_below(handler.body) if isinstance(item, cst.Call)) if handler is not None else ()
    return any(_masked(project, files, found, [dotted_name(item.func) for item in calls]))


def _masked(project: Project, files: Files, found: Kept, given: Iterable[str]) -> Iterator[Doubt]:
    """Yield that a caller masks an answer with one of some functions, by which an error passes."""
    for name in given:
        call = ast.Expression(ast.Call(ast.Name(name, ast.Load()), [], []))
        masking = masking_in(project, files, found.parsed.path, call)
        if masking:
            text = f"`{found.function.name}` {masks(masking)}, which an error passes by"
            yield Doubt(text, found.parsed.path, found.parsed.line(found.line))


def _may_pass(project: Project, files: Files, found: Kept, way: _Followed) -> bool:
    """Whether an exception passes a caller by, and ends nowhere but at a boundary."""
    key = (found.parsed.path, found.function.name)
    if key in way.around or not is_relayed(found):
        return False
    way.relayed.append(found)
    if not way.passes:
        return False
    with suppress(Refusal):
        return bool(reach(project, files, found.parsed.path, found.function, way.around).exits)
    return False


def _refuse_kept(exits: Sequence[Exit], users: Sequence[Inspection | Kept | Finished]) -> None:
    """Refuse what would be raised only for its callers to catch it, and to go on with the same answer.

    Few of them may, and any may where as many others look for the error.
    """
    kept = [user for user in users if isinstance(user, Kept) and not is_told_around(user)]
    if exits or 2 * len(kept) <= len(users):
        return
    first, count = kept[0], len(kept)
    if count > MAX_KEPT and not first.is_dropped:
        who = f"{count} callers of `{first.callee.function.name}` go on"
        raise refuse(f"{who} with what it answers: raise there first", first.parsed.path, first.parsed.line(first.line))


def _refuse_misordered(project: Project, path: str, function: Function, found: Exit) -> None:
    """Refuse a function that is registered below its boundary: clients call it without."""
    if found.position is not None and max(project.adapters.registering(path, function), default=-1) > found.position:
        raise refuse(f"the boundary of `{function.name}` never runs (ERR202)", path, function.span.line)


def _elsewhere(project: Project, files: Files, path: str, function: Function) -> Iterator[Doubt]:
    """Yield where a function is used of which nothing is known of what becomes of the answer.

    That is in another distribution, or in a file that may import it, from a folder which nothing tells of.
    """
    symbol, short = FunctionSymbol(path, function), function.name.rpartition(".")[2]
    sources = SourceCache(project, files, frozenset())
    text = f"`{function.name}` is used in another distribution, which is not followed"
    for other in files.elsewhere(path):
        may_be_named = short in files.words(other) or "*" in files.text(other)
        found = re.search(rf"\b{re.escape(short)}\b|import +\*", files.text(other)) if may_be_named else None
        if found is None:
            continue
        parsed = files.parse(other)
        if may_import(sources, parsed, symbol):
            yield Doubt(text, other, files.text(other).count("\n", 0, found.start()) + 1)
            continue
        for node in mentions(parsed, symbol):
            is_it = refers_to(sources, parsed, symbol, node)
            if is_it or (not function.owner and may_mean(sources, parsed, symbol, node)):
                yield Doubt(text, other, parsed.line(node))
                break
            if not may_mean(sources, parsed, symbol, node):
                continue
            if not _is_of_another(project, files, path, function, other, node):
                yield Doubt(f"a method `{short}` is called in another distribution", other, parsed.line(node))
                break
    for other in where_named(project, files, path, function, (short,)):
        imported: tuple[Import, ...] = ()
        with suppress(Refusal):  # what cannot be read imports nothing
            imported = files.imports(other)
        if any(_may_lead_to(project, item, other, symbol) for item in imported):
            line = files.text(other).count("\n", 0, files.text(other).index(short)) + 1
            yield Doubt(f"`{short}` may be imported here from a folder that is put on the path", other, line)


def _unread(files: Files, path: str, function: Function) -> Iterator[Doubt]:
    """Yield the files that may use a function, and that cannot be parsed."""
    short = function.name.rpartition(".")[2]
    for other, line in files.unread(path, short):
        yield Doubt(f"the file cannot be parsed, and may use `{short}`", other, line)


def _is_of_another(
    project: Project, files: Files, path: str, function: Function, other: str, node: cst.BaseExpression
) -> bool:
    """Whether a name in another distribution is of a method of an object that is made there of another class."""
    if not isinstance(node, cst.Attribute) or not isinstance(node.value, cst.Call):
        return False
    line = files.parse(other).line(node)
    caller = Caller(other, "", Use(f".{node.attr.value}", Span(line, 1, line, 1), "called"))
    return not any(by_object(project, files, path, function, caller, is_only=False))


def _may_lead_to(project: Project, item: Import, importer: str, symbol: FunctionSymbol) -> bool:
    """Whether an import may be of a function, or of the module that has it, although nothing says from which folder."""
    names, short = project.names, symbol.function.name.rpartition(".")[2]
    if is_standard(item.module) or importer == symbol.path:
        return False
    if names.find(item.module, importer) is not None or (
        item.attribute not in ("", "*") and names.find(below(item.module, item.attribute), importer) is not None
    ):
        return False
    if item.attribute == short and names.resolve(importer, item.name) == symbol:
        return False
    owner = item.module if item.attribute in (short, "*", "") else below(item.module, item.attribute)
    return names_file(owner, symbol.path)


def handed_on(node: cst.BaseExpression | None, callee: str, *, is_async: bool) -> bool:
    """Whether an expression is the result of a call as it is, waited for where that has to be."""
    if isinstance(node, cst.IfExp):
        return any(handed_on(item, callee, is_async=is_async) for item in (node.body, node.orelse))
    if is_async:
        if not isinstance(node, cst.Await):
            return False
        node = node.expression
    return node is not None and calls(node, callee)


def in_thread(node: cst.BaseExpression | None, callee: str) -> bool:
    """Whether an expression waits for what a function answers in another thread."""
    call = node.expression if isinstance(node, cst.Await) else None
    if not isinstance(call, cst.Call):
        return False
    method = f"?.{call.func.attr.value}" if isinstance(call.func, cst.Attribute) else ""
    place = place_of_function(dotted_name(call.func) or method)
    return 0 <= place < len(call.args) and dotted_name(call.args[place].value) == callee


def _frames(
    project: Project, files: Files, path: str, function: Function, *, is_served: bool, is_object: bool
) -> Iterator[Frame | Inspection | Kept | Finished | Doubt | Perhaps | _Passed]:
    """Yield the callers of a function: all of them must hand on what it answers, or look for an error in it.

    Where ``is_served`` is true, a framework calls it too; where ``is_object`` is, its name stands for an object of that
    one, which may be passed around and runs the function by methods of its own.
    """
    symbol = FunctionSymbol(path, function)
    looked_up = lookup(project, files, path, function)
    if looked_up is not None:
        yield Doubt(f"`{function.name}` may be looked up by its name here", looked_up.path, looked_up.line)
        yield from _above(project, files, looked_up)
    changed = replaced(project, files, path, function)
    if changed is not None:
        raise refuse(f"something else may take the place of `{function.name}` here", *changed)
    callers, uncertain, surfaces = 0, int(looked_up is not None), False
    found_users = list(calling(project, files, path, function))
    # A statement that registers a function may hand it to a function around it, which is looked into by itself.
    registering = {
        (each.caller.path, each.caller.use.span)
        for each in found_users
        if is_served and project.adapters.is_registering(each.caller)
    }
    for caller, is_certain, is_guessed in found_users:
        parsed, callee = files.parse(caller.path), caller.use.callee
        statement = statement_at(parsed, caller.use.span)
        named = _named(statement, callee)
        # Where no statement begins, the use is that of the name alone.
        here = parsed.nodes_at(caller.use.span.line, caller.use.span.column)
        named = named or _named(here, callee)
        if _are_only_asked_for(parsed, named):
            continue
        if is_object and named and not _is_called(parsed, statement, callee):
            yield from _run_by_object(parsed, function, named)
            continue
        if caller.use.how == "passed" and (caller.path, caller.use.span) in registering:
            continue
        defined = definition(parsed, caller.function)
        around = project.callers.around(caller)
        if around is None and defined is not None:
            around = facts_of(project, parsed, defined)
        line = min(map(parsed.line, named), default=caller.use.span.line)
        is_called = _is_called(parsed, statement, callee)
        if not is_certain:
            awaited = _awaited(parsed, statement, caller.use)
            if is_called and awaited and function.is_async not in awaited:
                continue
            uncertain += 1
            surfaces = surfaces or (around is not None and bool(project.reach.adapter_of(caller.path, around)))
            yield _uncertain(caller, line, "called" if is_called else "meant")
            # What is waited for may well be it: the handlers around have to let the error pass.
            is_waiting = True in awaited
            waiting = _in_adapter(project, parsed, caller.function, caller.use.span) if is_waiting else None
            if waiting is not None:
                yield waiting
            elif around is not None and is_called:
                yield from _perhaps(parsed, around, caller.use)
            continue
        callers += 1
        node = parsed.returned(caller.use.span)
        if around is None and is_called:
            callers -= 1
            if any(isinstance(item, (cst.Assign, cst.AnnAssign, cst.NamedExpr)) for item in statement):
                text = f"the module goes on with what `{callee}` answers when it is run"
                raise refuse(text, caller.path, line)
            text = f"`{callee}` is called here when the file is run, and raises its errors from now on"
            yield Doubt(text, caller.path, line)
            continue
        if around is None:
            # A table, an object, or a list that what serves it may be handed: who takes it out gets an exception.
            callers -= 1
            uncertain += 1
            yield from _handed_on(project, parsed, () if is_served else named, function, line)
            continue
        found_there = returns_out_of(parsed, caller.use.span, callee, is_async=function.is_async)
        if found_there is not None:
            for answering_it in found_there:
                within = _around(project, parsed, answering_it, around)
                yield Frame(parsed, within, answering_it)
            yield Doubt("functions are called out of this table", caller.path, line)
            continue
        if node is not None and in_thread(node.value, callee):
            yield Frame(parsed, around, node)
            continue
        run = run_by(project, files, parsed, statement, callee, caller.function, is_async=function.is_async)
        if run is not None:
            for where, runner, at in run.ways:
                yield Frame(where, runner, at, goes_on=False)
                if not isinstance(at, cst.Return):
                    text = f"`{runner.name}` does more with what `{function.name}` answers, which an error passes by"
                    yield Doubt(text, where.path, where.line(at))
            if run.waiting is not None:
                text = (
                    f"`{run.waiting.function.name}` waits for `{function.name}` here: look whether it lets errors out"
                )
                yield Doubt(text, caller.path, line)
            handing = node if node is not None and node.value is run.value else held(parsed, run.value)
            if handing is not None:
                yield Frame(parsed, around, handing)
                continue
            going_on = kept_value(parsed, around, symbol, run.value)
            if going_on is None:
                raise refuse(f"what becomes of `{function.name}` is not followed", caller.path, line)
            yield going_on
            continue
        wrapped = _wrapped_up(parsed, statement, callee, is_async=function.is_async)
        if wrapped is not None:
            yield Frame(parsed, around, wrapped)
            text = f"what `{function.name}` answers is wrapped up here, which an error passes by"
            yield Doubt(text, caller.path, line)
            continue
        if caller.use.how != "returned" or node is None:
            if not is_called and any(_calls(parsed, node) and not _is_put_off(parsed, node) for node in named):
                raise refuse(f"what becomes of `{function.name}` is not followed", caller.path, line)
            if not is_called:
                callers -= 1
                uncertain += 1
                yield from _handed_on(project, parsed, named, function, line)
                continue
            try:
                asked = written_out(project, files, caller.path, around)
                found = inspection(parsed, around, caller.use.span, symbol, callee, line, asked)
            except Refusal as refusal:
                if is_guessed:
                    callers -= 1
                    uncertain += 1
                    surfaces = surfaces or bool(project.reach.adapter_of(caller.path, around))
                    yield _uncertain(caller, line)
                    yield from _perhaps(parsed, around, caller.use)
                    continue
                call = (parsed, around, symbol, statement, callee)
                user = finished(*call) or kept(*call)
                answered = kept(*call, is_answered=True) if not project.policy(caller.path).boundaries else None
                later = waited_later(parsed, statement, callee) if function.is_async else None
                if user is not None:
                    yield user
                elif isinstance(later, cst.Return):
                    yield Frame(parsed, _waited_above(around), later)
                elif later is not None:
                    going_on = kept_value(parsed, around, symbol, later)
                    if going_on is None:
                        raise
                    yield going_on
                elif answered is not None:
                    yield _Passed(answered, refusal)
                else:
                    raise
                continue
            if is_guessed:
                text = f"`{callee}` is taken to be `{function.name}`, the only method of its name"
                yield Doubt(text, caller.path, line)
            yield found
            continue
        value = dumped(node.value) or node.value
        # A plain function cannot wait: it hands on what its framework waits for, but that is behind any other boundary.
        is_waiting = around.is_async or bool(project.policy(caller.path).boundaries)
        if not handed_on(value, callee, is_async=function.is_async and is_waiting):
            going_on = kept(parsed, around, symbol, statement, callee)
            if going_on is not None:
                yield going_on
                continue
            if is_called:
                raise refuse(f"the result of `{function.name}` is not returned as it is", caller.path, line)
            callers -= 1
            uncertain += 1
            yield from _handed_on(project, parsed, named, function, line)
            continue
        yield Frame(parsed, around, node)
    owner = project.names.enclosing_class(path, function.name) if function.owner else None
    is_unknown = not callers and not is_served and not surfaces and looked_up is None
    bases = project.hierarchy.active_bases(owner) if owner is not None and is_unknown else ()
    if bases:
        text = f"`{bases[0]}`, which is not of the project, may call `{function.name}`"
        raise refuse(f"{text}: what it does with an exception is not known", path, function.span.line)
    if not callers and not is_served and not uncertain:
        unknown = [name for name in function.decorators if name.rpartition(".")[2] not in BY_NAME]
        if unknown:
            text = f"nothing is known to call `{function.name}`, tests aside"
            raise refuse(f"{text}; what `{unknown[0]}` does with it is not known", path, function.span.line)
        used = used_at(project, files, path, function)
        text = f"nothing here calls `{function.name}`, tests aside: who does elsewhere gets an exception"
        if used is not None:
            text = (
                f"`{function.name}` may be used here, and nothing else is known to call it: who does gets an exception"
            )
        yield Doubt(text, *(used or (path, function.span.line)))


def used_at(project: Project, files: Files, path: str, function: Function) -> tuple[str, int] | None:
    """Return where code of the project may speak of a function, tests aside: has its name, and means no other one."""
    short = function.name.rpartition(".")[2]
    for other in where_named(project, files, path, function, (short,)):
        for use in files.uses_of(other, short):
            caller = Caller(other, use.function, Use(ast.unparse(use.node), files.span(other, use.node), "called"))
            symbol = project.objects.called(other, use.asked, use.function)
            if symbol is not None and not project.callers.means(symbol, path, function):
                continue
            if not function.owner or any(by_object(project, files, path, function, caller, is_only=False)):
                return other, caller.use.span.line
    return None


def _calls(parsed: SourceFile, node: cst.CSTNode) -> bool:
    """Whether a name is that of a function which is called there."""
    parent, part = next(parsed.around(node))
    return isinstance(parent, cst.Call) and parent.func is part


def _is_put_off(parsed: SourceFile, node: cst.CSTNode) -> bool:
    """Whether the call of a name is all that a lambda does, which is called elsewhere: ``keep(lambda: find(text))``."""
    (call, _), (made, _), (above, _) = islice(parsed.around(node), 3)
    return isinstance(made, cst.Lambda) and made.body is call and not isinstance(above, cst.Call)


def _handed_on(
    project: Project, parsed: SourceFile, named: Sequence[cst.CSTNode], function: Function, line: int
) -> Iterator[Frame | Doubt | Perhaps]:
    """Yield that a function is handed on as it is, and where an error goes that is raised where it is called then."""
    yield Doubt(f"who calls `{function.name}` after it was handed on here gets an exception", parsed.path, line)
    for node in named:
        for taking in out_of_file(parsed, node):
            yield from _out_of(project, parsed, taking, function)


def _out_of(project: Project, parsed: SourceFile, call: cst.Call, function: Function) -> Iterator[Frame | Perhaps]:
    """Yield where an error goes of what a statement calls that it takes out of a table: out of it, where it returns."""
    around = parsed.function(call)
    if around is None or qualified_name(parsed, around) == function.name:
        return
    facts = facts_of(project, parsed, around)
    above = [parent for parent, _ in parsed.around(call)]
    is_waited = isinstance(above[0], cst.Await)
    inside = takewhile(lambda each: not isinstance(each, (cst.BaseCompoundStatement, cst.Lambda)), above)
    returned = next((each for each in inside if isinstance(each, cst.Return)), None)
    if returned is not None:
        yield Frame(parsed, facts if is_waited or not function.is_async else _waited_above(facts), returned)
    else:
        yield Perhaps(parsed, facts, call)


def _waited_above(function: Function) -> Function:
    """Return a function that answers what has to be waited for as one that is async: its callers wait."""
    return replace(function, is_async=True)


def _above(project: Project, files: Files, place: LookupPlace) -> Iterator[Frame]:
    """Yield where an error goes in adapters that a function raises which is looked up by its name at a place.

    That is the statement itself, or a call of the function around it.
    """
    if not place.path.endswith(".py"):
        return
    waiting = _in_adapter(project, files.parse(place.path), place.function, place.span)
    if waiting is not None:
        yield waiting
    elif place.function:
        yield from _calling(project, files, place.path, place.function.rpartition(".")[2])


def _calling(project: Project, files: Files, path: str, short: str) -> Iterator[Frame]:
    """Yield the statements of adapters that name a function."""
    for other in files.naming(path, (short,)):
        for use in files.uses_of(other, short):
            waiting = _in_adapter(project, files.parse(other), use.function, files.span(other, use.statement))
            if waiting is not None:
                yield waiting


def _around(project: Project, parsed: SourceFile, node: cst.CSTNode, known: Function) -> Function:
    """Return the facts of the function around a statement: of a method of the same class, where it is another one."""
    definition_of_it = parsed.function(node)
    assert definition_of_it is not None
    name = f"{known.name.rpartition('.')[0]}.{definition_of_it.name.value}".lstrip(".")
    return project.names.function(parsed.path, name) or known


def _wrapped_up(
    parsed: SourceFile, statement: Iterable[cst.CSTNode], callee: str, *, is_async: bool
) -> cst.Return | cst.SimpleStatementLine | None:
    """Return the statement of a call whose answer is only wrapped up and returned; ``None`` for one that is not."""
    found = [item for item in statement if isinstance(item, cst.Call) and calls(item, callee)]
    if len(found) != 1:
        return None
    parent = next(parsed.around(found[0]))[0]
    value = parent if is_async else found[0]
    if is_async and not isinstance(parent, cst.Await):
        return None
    assert isinstance(value, cst.BaseExpression)
    around = next(parsed.around(value))[0]
    is_plain = isinstance(around, cst.Return) or (isinstance(around, cst.Arg) and _is_dumped(parsed, value))
    line = statement_of(parsed, value) if isinstance(around, (cst.Assign, cst.AnnAssign)) else None
    behind = parsed.following(line) if isinstance(line, cst.SimpleStatementLine) else None
    if isinstance(behind, cst.SimpleStatementLine) and isinstance(behind.body[0], cst.Return):
        is_plain = isinstance(behind.body[0].value, cst.Name)
    return statement_of(parsed, value) if not is_plain and is_carried(parsed, value) else None


def _is_dumped(parsed: SourceFile, value: cst.BaseExpression) -> bool:
    returned = next((parent for parent, _ in parsed.around(value) if isinstance(parent, cst.Return)), None)
    return returned is not None and dumped(returned.value) is value


def _run_by_object(
    parsed: SourceFile, function: Function, named: Iterable[cst.Name | cst.Attribute]
) -> Iterator[Doubt]:
    """Yield where what a name stands for may run its function: where an attribute is taken that does so."""
    for node in named:
        parent = next(parsed.around(node))[0]
        if isinstance(parent, cst.Attribute) and parent.value is node and parent.attr.value in _RUNNING:
            text = f"`{function.name}` may be run here, which gets the exception then"
            yield Doubt(text, parsed.path, parsed.line(node))


def _perhaps(parsed: SourceFile, function: Function, use: Use) -> Iterator[Perhaps]:
    for node in parsed.nodes_at(use.span.line, use.span.column)[:1]:
        yield Perhaps(parsed, function, node)


def _uncertain(caller: Caller, line: int, verb: str = "called") -> Doubt:
    return Doubt(f"it may be {verb} here, or another function of its name: `{caller.use.asked}`", caller.path, line)


def statement_at(parsed: SourceFile, span: Span) -> tuple[cst.CSTNode, ...]:
    """Return the nodes of the statement that begins where a span does, and not of the block that it begins."""
    nodes = parsed.nodes_at(span.line, span.column)
    kinds = (cst.BaseStatement, cst.BaseSmallStatement)
    found = next((node for kind in kinds for node in nodes if isinstance(node, kind)), None)
    return tuple(all_below(found)) if found is not None else ()


def _named(statement: Iterable[cst.CSTNode], callee: str) -> list[cst.Name | cst.Attribute]:
    """Return where the nodes of a statement speak of a function."""
    return [item for item in statement if isinstance(item, (cst.Name, cst.Attribute)) and dotted_name(item) == callee]


def _are_only_asked_for(parsed: SourceFile, named: list[cst.Name | cst.Attribute]) -> bool:
    """Whether names only ask whether there is a function, as where its import may fail, or speak of attributes of it.

    Such attributes are those that the file gives it.
    """
    return bool(named) and all(is_test(*next(iter(parsed.around(item)))) or _is_marked(parsed, item) for item in named)


def _is_marked(parsed: SourceFile, node: cst.CSTNode) -> bool:
    around = parsed.around(node)
    parent, above = next(around)[0], next(around)[0]
    if isinstance(parent, cst.Arg):
        return isinstance(above, cst.Call) and dotted_name(above.func) == "hasattr" and above.args[0] is parent
    if not isinstance(parent, cst.Attribute) or parent.value is not node:
        return False
    given = re.escape(dotted_name(parent))
    return isinstance(above, cst.AssignTarget) or bool(re.search(rf"(?m)^\s*{given} *=[^=]", parsed.text))


def _is_called(parsed: SourceFile, statement: Iterable[cst.CSTNode], callee: str) -> bool:
    """Whether the nodes of a statement call a function, and do not only mention it, or call it later in a lambda."""
    return any(
        isinstance(item, cst.BaseExpression)
        and calls(item, callee)
        and not isinstance(
            next(parent for parent, _ in parsed.around(item) if isinstance(parent, _AT_ONCE)), cst.Lambda
        )
        for item in statement
    )


def _awaited(parsed: SourceFile, statement: Iterable[cst.CSTNode], use: Use) -> Set[bool]:
    """Return whether the calls of a statement are waited for, where that is done at once if at all."""
    if use.is_awaited:
        return {True}
    found = (item for item in statement if isinstance(item, cst.Call) and calls(item, use.callee))
    parents = (next(parsed.around(item))[0] for item in found)
    return {isinstance(parent, cst.Await) for parent in parents if not isinstance(parent, (cst.Arg, cst.Element))}


def _in_adapter(project: Project, parsed: SourceFile, scope: str, place: Span) -> Frame | None:
    """Return the statement at a place in a function, ``None`` where that is no adapter, or there is no statement."""
    around = project.names.function(parsed.path, scope)
    if around is None or not project.adapters.is_adapter(parsed.path, around):
        return None
    nodes = parsed.nodes_at(place.line, place.column)
    return next((Frame(parsed, around, node) for node in nodes if isinstance(node, cst.SimpleStatementLine)), None)


def siblings(project: Project, path: str, function: Function) -> Iterator[Doubt]:
    """Yield the other methods of the same name that may be called in place of one."""
    short = function.name.rpartition(".")[2]
    owner = project.names.enclosing_class(path, function.name) if function.owner else None
    if owner is None:
        return
    bases = set(project.hierarchy.base_names(owner)) - {"object", "builtins.object", "ABC", "abc.ABC"}
    own = owner.definition.name
    for other, item in project.names.named(short):
        if not item.owner or (other, item.name) == (path, function.name):
            continue
        heir = project.names.enclosing_class(other, item.name)
        if heir is None:
            continue
        line = {*project.hierarchy.base_names(heir), heir.definition.name}
        if own in line or heir.definition.name in bases or not bases.isdisjoint(line):
            yield Doubt(f"`{item.name}` may be called in its place, and stays as it is", other, item.span.line)


_COMPARISON = re.compile(r"""==\s*\{\s*["'](?:error|err|success|status|message)\b""")


def _comparisons(files: Files, function: Function, tests: Iterable[str]) -> Iterator[Doubt]:
    """Yield the tests that name a covered function, or stand in no function, and compare a whole payload."""
    short = function.name.rpartition(".")[2]
    text = f"a test compares a whole payload, and uses `{function.name}`"
    for path in tests:
        if short in files.words(path):
            for line, words in files.once(_comparison, path):
                if not words or short in words:
                    yield Doubt(text, path, line, test=TestOutcome.MAY_FAIL)
                    return


def _comparison(files: Files, path: str) -> Sequence[tuple[int, frozenset[str]]]:
    """Return the lines of a test file that compare a whole payload, each with the words of the function around."""
    text = files.text(path)
    lines = [text.count("\n", 0, found.start()) + 1 for found in _COMPARISON.finditer(text)]
    if not lines:
        return ()
    functions: list[tuple[int, int]] = []
    with suppress(Refusal):
        functions = [
            (node.lineno, node.end_lineno or node.lineno)
            for node in walk(files.tree(path))
            if isinstance(node, FunctionNode)
        ]
    rows = text.splitlines()
    around = (max((each for each in functions if each[0] <= line <= each[1]), default=None) for line in lines)
    words = (
        frozenset(_WORD.findall("\n".join(rows[each[0] - 1 : each[1]]))) if each else frozenset() for each in around
    )
    return tuple(zip(lines, words, strict=True))


_WORD = re.compile(r"\w+")
