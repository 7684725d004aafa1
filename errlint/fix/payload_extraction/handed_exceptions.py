"""Exceptions that a factory is handed: what clients are told is in them already, so they are raised as they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

import libcst as cst
import libcst.matchers as m

from errlint.error_keywords import PROBLEM_KEY
from errlint.facts import Return
from errlint.fix.bindings import assignment
from errlint.fix.model import Doubt, Refusal
from errlint.fix.nodes import caught_as, dotted_name, small_of
from errlint.fix.payload_extraction import payload as payloads
from errlint.fix.payload_extraction.effects import is_plain
from errlint.fix.payload_extraction.factories import HARMLESS, bound_to, definition, symbol_of
from errlint.fix.payload_extraction.payload import Payload
from errlint.fix.payload_extraction.substitution import Putter
from errlint.fix.payload_extraction.variables import mentions
from errlint.fix.raising.logcalls import log_call
from errlint.fix.source_cache import Scope
from errlint.fix.source_file import SourceFile
from errlint.project.names import ClassSymbol, FunctionSymbol

TOLD = "the boundary tells the exception, where the factory did"
UNLOGGED = "what the factory logs is not logged any more"
"""What is in doubt where an exception is raised that a factory made an answer of."""


class Handed(NamedTuple):
    """An exception that a factory makes an answer of.

    ``made`` is the call that makes it, ``held`` the variable that has it, and ``symbol`` its class, ``None`` for what
    the handler around it caught under the name ``caught``. ``removed`` is the statement that puts it into a variable.
    ``logged`` is true for a factory that logs it, ``doubts`` are about what else that does. ``told`` is what the
    factory tells of it, in names of its caller, ``None`` where only the factory can say; ``written`` is the expression
    of that, ``None`` where a part of it is not known here.
    """

    caught: str = ""
    made: cst.Call | None = None
    held: str = ""
    symbol: ClassSymbol | None = None
    removed: tuple[cst.SimpleStatementLine, ...] = ()
    logged: bool = False
    doubts: tuple[Doubt, ...] = ()
    told: Payload | None = None
    written: cst.BaseExpression | None = None


def handed(
    scope: Scope, node: cst.Return, answer: Return | None, code_names: frozenset[str]
) -> tuple[Handed, Payload] | None:
    """Return the exception that a return hands to a factory, and what that answers; ``None`` for any other return.

    ``answer`` are the facts of the return.
    """
    call = node.value
    made = _of_itself(scope, node, answer)
    if made is not None:
        return made
    symbol = symbol_of(scope, call) if call is not None else None
    if symbol is None or not isinstance(call, cst.Call) or symbol.function.owner or symbol.function.is_generator:
        return None
    theirs = scope.files.parse(symbol.path)
    factory = definition(theirs, symbol.function)
    given = bound_to(factory, call, None, has_first=False) if factory is not None else None
    if factory is None or given is None:
        return None
    returned = _returned(factory)
    if returned is None:
        return None
    try:
        answered = _answered(returned, code_names)
    except Refusal:
        return None
    if answered is None:
        return None
    told = _parameters(factory, answered.message, frozenset(given.values))
    value = given.values[next(iter(told))] if len(told) == 1 else None
    found = _exception(scope, node, value) if value is not None else None
    if found is None or value is None:
        return None
    lines = list(_lines(factory.body.body))
    name = found.caught or dotted_name(value) or "caught"
    payload = answered._replace(message=cst.parse_expression(f"str({name})"))
    doubts = (*_more(symbol, theirs, lines), *_left_out(scope.parsed, call, given.values, value))
    # What a default is made of may mean something else where the factory is called.
    known = {key: item for key, item in given.values.items() if key not in given.defaults}
    found = found._replace(told=_told(factory, answered, known), written=_written(factory, returned, known))
    return found._replace(logged=any(map(is_log, lines)), doubts=doubts), payload


def _of_itself(scope: Scope, node: cst.Return, answer: Return | None) -> tuple[Handed, Payload] | None:
    """Return the exception that a return makes an answer of by a method of its own: ``return e.to_dict()``."""
    call = node.value
    while isinstance(call, cst.Call) and (wrapped := payloads.wrapped_by(call)) is not None:
        call = wrapped.value
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute) or call.args:
        return None
    project, parsed = scope.project, scope.parsed
    form = project.classifier.classify(parsed.path, scope.function, answer) if answer is not None else None
    helper = form.helper if form is not None else None
    owner = project.names.enclosing_class(helper.path, helper.function.name) if helper is not None else None
    if helper is None or owner is None or not project.hierarchy.is_exception(owner):
        return None
    if helper.function.name.rpartition(".")[2] != call.func.attr.value:
        return None
    found = _exception(scope, node, call.func.value)
    if found is None:
        return None
    name = found.caught or dotted_name(call.func.value) or "caught"
    return found, Payload("message", cst.parse_expression(f"str({name})"), (), ())


def _told(factory: cst.FunctionDef, answered: Payload, given: Mapping[str, cst.BaseExpression]) -> Payload | None:
    """Return what a factory answers in the names of its caller, ``None`` where its message is not known there."""
    message = _written(factory, answered.message, given)
    if message is None:
        return None
    plain = {name: value for name, value in given.items() if is_plain(value)}
    codes, others = (
        {key: _written(factory, part, plain) for key, part in parts} for parts in (answered.codes, answered.others)
    )
    return answered._replace(
        message=message,
        codes=tuple((key, part) for key, part in codes.items() if part is not None),
        others=tuple((key, part) for key, part in others.items() if part is not None),
        unsaid=(*(key for key, part in {**codes, **others}.items() if part is None), *answered.unsaid),
    )


def _written(
    factory: cst.FunctionDef, part: cst.BaseExpression, given: Mapping[str, cst.BaseExpression]
) -> cst.BaseExpression | None:
    """Return a part of a factory as an expression of its caller, ``None`` for one of more than is handed to it."""
    putter = Putter(given)
    with suppress(Refusal):
        found = part.visit(putter)
        made = filter(None, map(assignment, _lines(factory.body.body)))
        is_bound = any(name in putter.used for name, _ in made)
        is_twice = any(putter.used.count(name) > 1 and not is_plain(given[name]) for name in putter.used)
        is_known = putter.free <= HARMLESS and not is_bound and not is_twice
        if is_known and isinstance(found, cst.BaseExpression):
            return found
    return None


def is_log(line: cst.CSTNode) -> bool:
    """Whether a statement does nothing but log, perhaps with what a context manager adds to the record."""
    if isinstance(line, cst.With) and len(line.items) == 1 and line.items[0].asname is not None:
        name = dotted_name(line.items[0].asname.name)
        return all(_logs_by(each, name) for each in line.body.body)
    return log_call(line) is not None


def _logs_by(line: cst.CSTNode, name: str) -> bool:
    small = small_of(line)
    call = small.value if isinstance(small, cst.Expr) else None
    receiver = dotted_name(call.func).rpartition(".")[0] if isinstance(call, cst.Call) else ""
    return receiver == name != "" or log_call(line) is not None


def _returned(factory: cst.FunctionDef) -> cst.BaseExpression | None:
    """Return the value of the only return of a factory, ``None`` where it has several or none."""
    found = [item.value for item in m.findall(factory.body, m.Return()) if isinstance(item, cst.Return) and item.value]
    return found[0] if len(found) == 1 else None


def _answered(value: cst.BaseExpression, code_names: frozenset[str]) -> Payload | None:
    """Read what a factory answers; raises :class:`errlint.fix.model.Refusal` for no payload."""
    if isinstance(value, cst.Call) and value.args and all(item.keyword is not None for item in value.args):
        parts = [(item.keyword.value, item.value) for item in value.args if item.keyword is not None]
        return next((Payload(key, part, (), ()) for key, part in parts if isinstance(part, cst.Attribute)), None)
    parts = list(payloads.entries(value))
    if PROBLEM_KEY not in dict(parts):
        return payloads.read(value, code_names)
    # Beside a problem object the message may stand under any key.
    texts = [part for part in parts if part[0] != PROBLEM_KEY and not is_plain(part[1])]
    key, message = texts[0] if texts else (PROBLEM_KEY, dict(parts)[PROBLEM_KEY])
    return Payload(key, message, (), tuple(part for part in parts if part[0] != key))


def _parameters(factory: cst.FunctionDef, value: cst.BaseExpression, parameters: frozenset[str]) -> frozenset[str]:
    """Return the parameters that an expression of a factory is made of, by way of its local names, too."""
    local = {name: made for line in _lines(factory.body.body) for name, made in filter(None, (assignment(line),))}
    found: set[str] = set()
    seen: set[str] = set()
    pending = [value]
    while pending:
        current = pending.pop()
        if isinstance(current, cst.Name) and current.value in parameters:
            return frozenset()  # what is handed to it is the message itself
        for each in m.findall(current, m.Name()):
            name = each.value if isinstance(each, cst.Name) and mentions(current, each.value) else ""
            if name in local and name not in seen:
                seen.add(name)
                pending.append(local[name])
            elif name in parameters:
                found.add(name)
    return frozenset(found)


def _exception(scope: Scope, node: cst.Return, value: cst.BaseExpression) -> Handed | None:
    """Return the exception of the project that an expression is."""
    parsed, made = scope.parsed, _made(scope, value)
    if made is not None:
        return made
    if not isinstance(value, cst.Name):
        return None
    handler = parsed.handler(node)
    if caught_as(handler) == value.value:
        return Handed(caught=value.value)
    lines = parsed.before(node)
    for line in reversed(lines):
        assigned = assignment(line)
        if assigned is not None and assigned[0] == value.value:
            found = _made(scope, assigned[1])
            if found is None or not isinstance(line, cst.SimpleStatementLine):
                return None
            # With something between the two it stays where it is made.
            return found._replace(removed=(line,)) if line is lines[-1] else found._replace(held=value.value)
        if mentions(line, value.value):
            return None
    return None


def _made(scope: Scope, value: cst.BaseExpression) -> Handed | None:
    name = dotted_name(value.func) if isinstance(value, cst.Call) else ""
    symbol = scope.meaning(name) if name else None
    if not isinstance(symbol, ClassSymbol) or not isinstance(value, cst.Call):
        return None
    policy = scope.project.policy(scope.parsed.path)
    if any(item.star for item in value.args) or not scope.project.domain.is_domain(symbol, policy):
        return None
    return Handed(made=value, symbol=symbol)


def _lines(statements: Iterable[cst.CSTNode]) -> Iterator[cst.CSTNode]:
    """Yield the statements of a factory, those inside of branches, too."""
    for line in statements:
        yield line
        if isinstance(line, cst.If):
            yield from _lines(line.body.body)
            if line.orelse is not None:
                yield from _lines(line.orelse.body.body if isinstance(line.orelse, cst.Else) else [line.orelse])


def _left_out(
    parsed: SourceFile, call: cst.Call, given: Mapping[str, cst.BaseExpression], value: cst.BaseExpression
) -> Iterator[Doubt]:
    """Yield the doubt that a factory is given more than the exception and texts, which clients do not get any more."""
    written = [item.value for item in call.args]
    names = [
        name
        for name, each in given.items()
        if each is not value and any(each is item for item in written) and not is_plain(each)
    ]
    if names:
        shown = ", ".join(f"`{name}`" for name in names)
        yield Doubt(f"the exception does not take what is given as {shown}", parsed.path, parsed.line(call))


def _more(symbol: FunctionSymbol, theirs: SourceFile, lines: list[cst.CSTNode]) -> Iterator[Doubt]:
    """Yield the doubt that a factory does something besides building and logging, which nobody does afterwards."""
    for line in lines:
        small = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
        is_text = isinstance(small, cst.Expr) and isinstance(small.value, cst.BaseString)
        if is_log(line) or is_text or assignment(line) is not None or isinstance(small, (cst.Return, cst.Pass)):
            continue
        if not isinstance(line, cst.If):
            text = f"`{symbol.function.name}` does more than to build a payload and to log, and is not called any more"
            yield Doubt(text, symbol.path, theirs.line(line))
            return
