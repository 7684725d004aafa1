"""Handlers that do what the boundary does anyway: they go, or let the exception pass; log calls that it makes too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import libcst as cst
from libcst.matchers import Comment, findall

from errlint.fix.callers.boundary_differences import Exit, differences, missed
from errlint.fix.callers.reach import ReachedBoundaries
from errlint.fix.model import Doubt
from errlint.fix.nodes import caught_as, dotted_name, exception_names
from errlint.fix.payload_extraction.answers import ErrorAnswer
from errlint.fix.payload_extraction.effects import is_plain
from errlint.fix.payload_extraction.handed_exceptions import TOLD, UNLOGGED, Handed
from errlint.fix.payload_extraction.payload import Payload
from errlint.fix.payload_extraction.texts import is_text_of
from errlint.fix.payload_extraction.variables import mentions, statement
from errlint.fix.raising.constructors import own_alterations
from errlint.fix.raising.exceptions import mapped_to
from errlint.fix.raising.logcalls import log_call
from errlint.fix.rewrite import Changes, Replacement
from errlint.fix.source_cache import Scope
from errlint.fix.source_file import SourceFile
from errlint.project.domain import matches
from errlint.project.frameworks import WEB
from errlint.project.hierarchy import Exceptional
from errlint.project.names import ClassSymbol, ExternalSymbol, Symbol
from errlint.settings.policies import PROPAGATE


class Again(NamedTuple):
    """The changes that raise again what a handler caught, what clients get otherwise then, and the classes."""

    changes: Changes
    doubts: tuple[Doubt, ...]
    raised: tuple[Exceptional, ...]


class Passing(NamedTuple):
    """The changes that let exceptions pass a handler, what clients get otherwise then, and the classes if known.

    ``is_asked_for`` is true where the only class is the one by which the frameworks on the way are told an error.
    """

    changes: Changes
    doubts: tuple[Doubt, ...]
    raised: tuple[Exceptional, ...]
    is_asked_for: bool


def passing(scope: Scope, answer: ErrorAnswer, payload: Payload, found: ReachedBoundaries) -> Passing | None:
    """Return the changes that let an exception pass a handler which only answers it, as the boundary does.

    What the policy lets propagate passes whatever is answered; else it has to be the text of the exception, which is
    in doubt where its class makes another one of its message. ``None`` where the handler does anything else, or where
    it is not certain that the boundary answers the same. Raises :class:`errlint.fix.model.Refusal` for a class whose
    constructor cannot be called as it is written.
    """
    project, parsed = scope.project, scope.parsed
    handler = parsed.handler(answer.at)
    around = answering_only(parsed, answer, found)
    if handler is None or around is None or answer.removed:
        return None
    names = exception_names(handler.type) or ("?",)
    doubts = [doubt for exit_ in found.exits for doubt in differences(exit_, payload)]
    if not _is_own_text(payload.message, handler):
        text = f"clients get the text of the {' or '.join(names)}, and no other"
        doubts.append(Doubt(text, parsed.path, parsed.line(answer.at)))
    if answer.handed is not None:
        doubts.extend(_of_factory(parsed, answer, answer.handed, handler, found))
    mapped = project.policy(parsed.path).exceptions.map
    is_meant_to = all(is_propagated(mapped, name) for name in names)
    symbols = list(map(scope.meaning, names))
    # What a framework asks for is raised on all ways out as any other error is: those are told to let it pass.
    is_asked_for = all(_is_asked_for(symbol, found.exits) for symbol in symbols)
    if is_asked_for and _is_own_text(payload.message, handler):
        is_web = any(exit_.framework in WEB for exit_ in found.exits)
        keys = ", ".join(f"`{key}`" for key in (*(dict(payload.markers) if is_web else ()), *payload.other_keys))
        text = f"`{names[0]}` takes a message alone: clients do not get {keys} any more"
        doubts.extend([Doubt(text, parsed.path, parsed.line(answer.at))] if keys else ())
    elif not is_meant_to and (payload.other_keys or doubts):
        return None
    if not all(_is_answered(scope, name, found.exits) for name in names):
        return None
    is_tried = _is_tried(parsed, around) or any(_is_tried(frame.parsed, frame.node) for frame in found.frames)
    if is_tried and not is_asked_for:
        return None
    raised = tuple(item for item in symbols if isinstance(item, (ClassSymbol, ExternalSymbol)))
    for symbol in raised:
        doubts.extend(own_alterations(project, scope.files.parse, symbol) if isinstance(symbol, ClassSymbol) else ())
    known = raised if len(raised) == len(names) else ()
    return Passing(Changes(passed=((around, handler),)), tuple(doubts), known, is_asked_for)


def _of_factory(
    parsed: SourceFile, answer: ErrorAnswer, handed: Handed, handler: cst.ExceptHandler, found: ReachedBoundaries
) -> Iterator[Doubt]:
    """Yield what a factory that a handler calls does with the exception, and nobody does after it has passed."""
    yield from handed.doubts
    told, line = handed.told, parsed.line(answer.at)
    if told is None or not _is_own_text(told.message, handler):
        yield Doubt(TOLD, parsed.path, line)
    if handed.logged and not all(exit_.boundary.logs for exit_ in found.exits):
        yield Doubt(UNLOGGED, parsed.path, line)


def raised_again(
    scope: Scope, answer: ErrorAnswer, payload: Payload, arguments: Sequence[str], found: ReachedBoundaries
) -> Again | None:
    """Return the changes that raise again what a handler caught, where any class with its text would be raised there.

    ``arguments`` are those that the exception would be given, as code. ``None`` where its text is not that of what is
    caught, where somebody looks for it, or where a handler on the way may tell one class from another.
    """
    parsed = scope.parsed
    handler = parsed.handler(answer.at)
    if handler is None or handler.type is None or not isinstance(answer.at, cst.Return) or answer.guard is not None:
        return None
    # Between parentheses, as an argument may stand on several lines.
    call = cst.ensure_type(cst.parse_expression("f(\n{}\n)".format(", ".join(arguments))), cst.Call)
    if len(call.args) != 1 or call.args[0].keyword is not None or not _is_own_text(call.args[0].value, handler):
        return None
    names = exception_names(handler.type)
    around = next(parent for parent, _ in parsed.around(handler))
    places = [(parsed, around), *((each.parsed, each.node) for each in found.frames)]
    places.extend((each.parsed, each.node) for each in found.perhaps)
    if found.inspections or "BaseException" in names or any(_is_tried(*place) for place in places):
        return None
    symbols = list(map(scope.meaning, names))
    known = tuple(item for item in symbols if isinstance(item, (ClassSymbol, ExternalSymbol)))
    raised = known if known and len(known) == len(names) else (ExternalSymbol("builtins.Exception"),)
    keys = ", ".join(f"`{key}`" for key in payload.other_keys)
    text = f"what is caught is raised again as it is: clients do not get {keys} any more"
    doubts = (Doubt(text, parsed.path, parsed.line(answer.at)),) if keys else ()
    only = answering_only(parsed, answer, found) if not answer.removed else None
    if only is not None:
        return Again(Changes(passed=((only, handler),)), doubts, raised)
    line = statement(parsed, answer.at)
    gone = (*(Replacement(item, "") for item in answer.removed), *logs(parsed, answer, found))
    name = caught_as(handler)
    is_read = mentions(handler.body, name) > sum(mentions(item, name) for item in (line, *(each.node for each in gone)))
    unnamed = () if is_read else ((handler, ""),)
    return Again(Changes(replaced=(Replacement(line, "raise\n"), *gone), caught=unnamed), doubts, raised)


def answering_only(parsed: SourceFile, answer: ErrorAnswer, found: ReachedBoundaries) -> cst.Try | None:
    """Return the ``try`` of the handler around a return, where that does nothing but to log and to answer."""
    handler = parsed.handler(answer.at)
    if handler is None or not isinstance(answer.at, cst.Return) or answer.guard is not None:
        return None
    line = next((parent for parent, _ in parsed.around(answer.at)), None)
    body = handler.body
    is_all = isinstance(body, cst.IndentedBlock) and body.body[-1] is line and isinstance(line, cst.SimpleStatementLine)
    if not is_all or len(line.body) != 1 or findall(handler, Comment()):  # type: ignore[union-attr]
        return None
    if len(body.body) - 1 > len(logs(parsed, answer, found)):
        return None
    parent = next(parent for parent, _ in parsed.around(handler))
    return parent if isinstance(parent, cst.Try) else None


def logs(parsed: SourceFile, answer: ErrorAnswer, found: ReachedBoundaries) -> tuple[Replacement, ...]:
    """Return the removal of the log calls directly before an answer, where every boundary logs what it answers."""
    handler = parsed.handler(answer.at)
    if handler is None or not found.exits or not all(exit_.boundary.logs for exit_ in found.exits):
        return ()
    gone: list[Replacement] = []
    statements = handler.body.body
    simple = (item for item in statements if isinstance(item, cst.SimpleStatementLine))
    line = next((item for item in simple if item is answer.at or answer.at in item.body), None)
    if line is None:
        return ()
    before = list(statements[: next(index for index, item in enumerate(statements) if item is line)])
    while before and isinstance(last := before.pop(), cst.SimpleStatementLine):
        call = last if last in answer.removed else None
        logged = log_call(last)
        if call is not None:
            continue
        if logged is None or not all(_is_quiet(argument.value) for argument in logged.args):
            break
        gone.append(Replacement(last, ""))
    return tuple(gone)


def _is_quiet(value: cst.BaseExpression) -> bool:
    return is_plain(value) or bool(dotted_name(value))


def _is_own_text(message: cst.BaseExpression, handler: cst.ExceptHandler) -> bool:
    """Whether a message is the text of what a handler caught, and nothing else."""
    return is_text_of(message, caught_as(handler))


def _is_answered(scope: Scope, name: str, exits: tuple[Exit, ...]) -> bool:
    """Whether the boundaries answer a class with its text: the policy says so, or it is a domain exception."""
    project, symbol = scope.project, scope.meaning(name)
    raised = symbol if isinstance(symbol, (ClassSymbol, ExternalSymbol)) else None
    if raised is not None and any(doubt for exit_ in exits for doubt in missed(project, exit_, raised)):
        return False
    exceptions = project.policy(scope.parsed.path).exceptions
    if is_propagated(exceptions.map, name) or _is_asked_for(symbol, exits):
        return True
    if not isinstance(symbol, ClassSymbol) or not exceptions.root:
        return False
    return any(matches(project.names.absolute(base), exceptions.root) for base in project.hierarchy.bases(symbol))


def _is_asked_for(symbol: Symbol | None, exits: tuple[Exit, ...]) -> bool:
    """Whether a class is the one by which all frameworks on the way are told an error."""
    frameworks = [exit_.framework for exit_ in exits]
    return bool(frameworks) and all(
        each is not None and bool(each.error) and symbol == ExternalSymbol(each.error) for each in frameworks
    )


def is_propagated(mapped: Mapping[str, str], name: str) -> bool:
    """Whether a policy leaves an exception to the boundary."""
    last = name.rpartition(".")[2]
    return PROPAGATE in (mapped_to(last, mapped), mapped.get(last))


def _is_tried(parsed: SourceFile, node: cst.CSTNode) -> bool:
    """Whether a ``try`` of its function is around a node."""
    return any(isinstance(parent, (cst.Try, cst.TryStar)) for parent, _ in parsed.in_scope(node))
