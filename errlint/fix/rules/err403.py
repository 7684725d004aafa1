"""ERR403: fields that an error lacks are passed on, where a name of theirs is in scope."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from errlint.facts import is_null
from errlint.findings import Finding, Span
from errlint.fix.bindings import has_value
from errlint.fix.model import Doubt, refuse
from errlint.fix.nodes import caught_as, convert, dotted_name
from errlint.fix.raising.constructors import alterations
from errlint.fix.rewrite import Changes, Edit
from errlint.fix.rules.node_lookup import (
    Fixed,
    below,
    laid_out,
    quoted,
    statement,
    text_of,
    with_argument,
    with_entries,
    with_value,
)
from errlint.fix.rules.reported import Filling, entry, record_in
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SourceFile
from errlint.project import Project
from errlint.project.fields import Error
from errlint.project.operations import ARGUMENT
from errlint.project.required import missing
from errlint.settings import Style


def plan(project: Project, files: Files, finding: Finding) -> Fixed:
    """Return the fix of one finding: all fields that are missing, each with the value that its name has here."""
    path = finding.path
    policy = project.policy(path)
    errors = [item for item in project.fields.of(path) if item.span == finding.span]
    lacking = [(item, [field for field, _ in missing(project, item, policy)]) for item in errors]
    lacking = [(item, fields) for item, fields in lacking if fields]
    if not lacking:
        raise refuse("where the value comes from is for people to say")
    if len(lacking) != 1:
        raise refuse("several errors are made in one statement")
    error, fields = lacking[0]
    parsed = files.parse(path)
    if error.payload is not None and policy.style is Style.LOG:
        return _completed(project, files, parsed, finding.span, fields)
    if error.payload is not None or error.is_held:
        raise refuse("only an exception or object that is made in the statement is given its fields")
    call = _call(parsed, statement(parsed, finding.span), error)
    given = {field: _value(project, parsed, call, error, field) for field in dict.fromkeys(fields)}
    doubts = list(_doubts(project, files, error))
    text = _with_fields(parsed, call, error, given)
    return Fixed({path: Changes(edited=(Edit(call, text),))}, tuple(doubts))


def _completed(project: Project, files: Files, parsed: SourceFile, span: Span, fields: Sequence[str]) -> Fixed:
    """Return the fix of a record that is written out in the statement at a span."""
    policy = project.policy(parsed.path)
    payload = policy.payload
    node = statement(parsed, span)
    record = record_in(node, policy)
    if record is None:
        raise refuse("only a record that is written out in the statement is given its fields")
    filling = Filling(project, parsed, node, record)
    above = f"{payload.key}." if payload.key else ""
    given = {name: filling.value(name) for name in dict.fromkeys(field.removeprefix(above) for field in fields)}
    inner = {name: text for name, text in given.items() if "." in name}
    changed = record
    for holder in dict.fromkeys(name.partition(".")[0] for name in inner):
        held = entry(record, holder)
        entries = {name.partition(".")[2]: text for name, text in inner.items() if name.partition(".")[0] == holder}
        if not isinstance(held, cst.Dict) or any(entry(held, last) is not None for last in entries):
            raise refuse(f"`{holder}` is no dict that is written out, or has a field with nothing in it")
        fuller = with_entries(parsed, held, entries, payload.context.get(filling.type, ()))
        changed = with_value(changed, holder, cst.parse_expression(laid_out(parsed, held, fuller)))
    outer = {name: text for name, text in given.items() if name not in inner}
    for name in [name for name in outer if entry(record, name) is not None]:
        held, value = entry(record, name), cst.parse_expression(outer.pop(name))
        if not isinstance(held, cst.Dict) or held.elements:
            raise refuse(f"`{name}` is passed, with nothing in it", parsed.path, span.line)
        if entry(changed, name) is held:
            changed = with_value(changed, name, value)
    changed = with_entries(parsed, changed, outer, payload.fields)
    told = ", ".join(f"`{name}`" for name in given)
    doubt = Doubt(f"the record gets {told}: look whether that is what is meant", parsed.path, span.line)
    edits = (Edit(record, laid_out(parsed, record, changed)),)
    return Fixed({parsed.path: Changes(edited=edits, imports=filling.imports, caught=filling.caught)}, (doubt,))


def _call(parsed: SourceFile, node: cst.CSTNode, error: Error) -> cst.Call:
    """Return the call that makes an error."""
    calls = [item for item in below(node) if isinstance(item, cst.Call) and dotted_name(item.func) == error.name]
    if len(calls) != 1:
        raise refuse("the call that makes the error was not found", parsed.path, error.span.line)
    return calls[0]


def _value(project: Project, parsed: SourceFile, node: cst.CSTNode, error: Error, field: str) -> str:
    """Return what a field is given; raises :class:`errlint.fix.model.Refusal` where nothing of its name is known."""
    last = field.rpartition(".")[2]
    if last == ARGUMENT:
        operation = project.operations.of_boundary(error.path, error.function)
        if operation is not None:
            return quoted(parsed, operation.name)
    if has_value(parsed, node, last):
        return last
    handler = parsed.handler(node)
    caught = caught_as(handler)
    if last == project.policy(error.path).exceptions.cause and caught:
        return caught
    raise refuse(f"`{error.name}` needs `{field}`, which is not in scope", error.path, error.span.line)


def _with_fields(parsed: SourceFile, call: cst.Call, error: Error, given: dict[str, str]) -> str:
    """Return the text of a call with some fields: arguments, or entries of a dict that is one (``context.path``)."""
    inside: dict[str, dict[str, str]] = {}
    for field, value in given.items():
        holder, _, name = field.rpartition(".")
        if holder:
            inside.setdefault(holder, {})[name] = value
            continue
        if name in error.passed:
            raise refuse(f"`{name}` is passed, with nothing in it", parsed.path, error.span.line)
        call = _parsed_call(parsed, with_argument(parsed, call, name, value))
    for holder, entries in inside.items():
        argument = next((item for item in call.args if item.keyword is not None and item.keyword.value == holder), None)
        if argument is None:
            if holder in error.passed:
                raise refuse(f"`{holder}` is no dict that is written out", parsed.path, error.span.line)
            text = "{" + ", ".join(f"{quoted(parsed, name)}: {value}" for name, value in entries.items()) + "}"
            call = _parsed_call(parsed, with_argument(parsed, call, holder, text))
            continue
        held = argument.value
        if not isinstance(held, cst.Dict):
            if not is_null(convert(held)):
                raise refuse(f"`{holder}` is no dict that is written out", parsed.path, error.span.line)
            held = cst.Dict([])
        if any(isinstance(item, cst.DictElement) and text_of(item.key) in entries for item in held.elements):
            raise refuse(f"`{holder}` has the field, with nothing in it", parsed.path, error.span.line)
        changed = argument.with_changes(value=with_entries(parsed, held, entries))
        call = call.with_changes(args=[changed if item is argument else item for item in call.args])
    return parsed.code(call)


def _parsed_call(parsed: SourceFile, text: str) -> cst.Call:
    return cst.ensure_type(cst.parse_expression(text, config=parsed.module.config_for_parsing), cst.Call)


def _doubts(project: Project, files: Files, error: Error) -> Iterator[Doubt]:
    """Yield what may make the answer another one: fields go into the exception, and with it to the boundary."""
    if not error.is_raised or error.symbol is None:
        yield Doubt("the answer gets more fields", error.path, error.span.line)
        return
    yield from alterations(project, files.parse, error.symbol)
    boundaries = project.policy(error.path).boundaries
    if not boundaries or any(not item.envelope for item in boundaries):
        yield Doubt("it is not known what clients get of the fields of an exception", error.path, error.span.line)
