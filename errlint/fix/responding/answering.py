"""Error answers become declared response types, where the policy of a path has the style ``return``.

The statement stays a return: nothing on its way through the function changes. What has to be looked at is what is
answered, and who uses it: :mod:`responses` reads the types, :mod:`filling` says what they are given,
:mod:`receivers` who gets the answer.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import libcst as cst

from errlint.error_keywords import ERROR_STATUS, STATUS_KEYS
from errlint.facts import Function
from errlint.findings import Finding
from errlint.fix.callers.abstract_values import refuse_generator
from errlint.fix.model import Doubt, Refusal, refuse
from errlint.fix.nodes import dotted_name
from errlint.fix.payload_extraction import payload as payloads
from errlint.fix.payload_extraction.answers import ErrorAnswer, answers
from errlint.fix.raising.handling import needed, steady
from errlint.fix.raising.raises import freed
from errlint.fix.responding.filling import Filled, Filler, said
from errlint.fix.responding.receivers import Received, annotated, received
from errlint.fix.responding.responses import Declared, ModelKind, made_by, named
from errlint.fix.rewrite import Changes, Edit, Replacement, Step, called
from errlint.fix.source_cache import Files, Scope
from errlint.fix.source_file import SourceFile
from errlint.project import Project
from errlint.project.names import ClassSymbol
from errlint.settings import Policy


def convert(project: Project, files: Files, path: str, function: Function, finding: Finding) -> Iterator[Step]:
    """Yield the changes for one error return, file by file, with their doubts.

    Raises :class:`errlint.fix.model.Refusal` where the declared type cannot say what was answered.
    """
    refuse_generator(files, path, function)
    parsed = files.parse(path)
    node = parsed.returned(finding.span)
    if node is None or node.value is None:
        raise refuse("only a payload that is written out at the return is rewritten")
    scope = Scope(project, files, parsed, function)
    for answer in answers(scope, finding, node):
        # What a factory makes of an exception is what it tells of that, or what is read off its answer.
        yield from _answered(scope, node, answer.otherwise or answer)


def _answered(scope: Scope, node: cst.Return, answer: ErrorAnswer) -> Iterator[Step]:
    if answer.payload.unsaid:
        keys = ", ".join(f"`{key}`" for key in answer.payload.unsaid)
        raise refuse(f"it is not known here what stands below {keys}")
    project, files, parsed, function = scope
    declared, filled = _chosen(scope, answer)
    path, line = parsed.path, parsed.line(answer.at)
    maker = declared.maker
    is_method = maker is None or bool(maker.function.owner)
    known = steady(
        project, files, parsed, node, declared.symbol if is_method or maker is None else maker, function.name
    )
    called = f"{known.name}.{maker.function.name.rpartition('.')[2]}" if maker and is_method else known.name
    doubts = [*answer.doubts, *filled.doubts]
    called_for_it = _read_off(answer)
    if called_for_it is not None:
        text = f"clients get the message of what `{dotted_name(called_for_it.func)}` answers alone"
        doubts.append(Doubt(text, path, line))
    if answer.payload.shape:
        what = f"the answer was {answer.payload.shape}, a `{declared.name}` is another shape"
        doubts.append(Doubt(what, path, line, is_convention=True))
    if declared.kind is ModelKind.PLAIN or declared.kind is ModelKind.STRUCT:
        text = f"what clients get of a `{declared.name}`, a {declared.kind.value}, is not known"
        doubts.append(Doubt(text, declared.symbol.path, declared.symbol.definition.span.line))
    doubts.extend(
        Doubt(f"`{name}` may change what it is given", declared.symbol.path, where)
        for name, where in declared.own
        if declared.kind is not ModelKind.PLAIN or maker is not None
    )
    if known.needed is not None and not _has_imported(parsed, known.needed.module):
        text = f"`{path}` imports nothing of `{known.needed.module.partition('.')[0]}` so far"
        doubts.append(Doubt(text, path, 1))
    own = _put(parsed, node, answer, called, filled.arguments)
    note = (line, f"`{declared.name}`, which `response` declares")
    yield path, own._replace(imports=needed(known.needed), notes=(note,), answered=((declared.name,),)), tuple(doubts)
    is_dict = declared.kind is ModelKind.DICT and not answer.payload.shape
    is_same = is_dict and filled.is_same
    found = received(project, files, path, function, declared, Received(is_dict=is_dict, is_same=is_same))
    yield path, Changes(), found.doubts
    for place in found.functions:
        yield annotated(project, files, place, declared)


def _has_imported(parsed: SourceFile, module: str) -> bool:
    """Whether a file that belongs to a package, or imports from it, may import a module of that package."""
    top = module.partition(".")[0]
    own = [item.module for item in parsed.imports]
    is_kin = not top or parsed.path.startswith(f"{top}/") or f"/{top}/" in parsed.path
    return is_kin or any(not name.partition(".")[0] or name.partition(".")[0] == top for name in own)


def _chosen(scope: Scope, answer: ErrorAnswer) -> tuple[Declared, Filled]:
    """Return the type for an answer, and what it is given."""
    project, files, parsed, _ = scope
    policy = project.policy(parsed.path)
    if not policy.response.types:
        raise refuse("`response.types` declares no type")
    parts = _parts(scope, answer)
    types = [named(project, files, parsed.path, name) for name in _names(policy, parts)]
    message = answer.payload.key
    codes = [key for key, _ in answer.payload.codes]

    def filled(declared: Declared, *, is_whole: bool = True) -> Filled | Refusal:
        try:
            told = said(parts, message, codes, declared)
            return Filler(scope, answer.at, told, declared, is_whole=is_whole).fill()
        except Refusal as refusal:
            return refusal

    tried = [(each, filled(each)) for each in types]
    fitting = [(each, result) for each, result in tried if isinstance(result, Filled)]
    if len(fitting) == 1:
        return fitting[0]
    refused = [result for _, result in tried if isinstance(result, Refusal)]
    if not fitting:
        makers = [made_by(project, files, parsed.path, name, types) for name in policy.response.factories]
        made = [(each, result) for each in makers if isinstance(result := filled(each), Filled)]
        if len(made) == 1:
            return made[0]
        partly = [(each, result) for each in types if isinstance(result := filled(each, is_whole=False), Filled)]
        if len(partly) == 1:
            return partly[0]
        raise refused[0]
    names = ", ".join(f"`{each.name}`" for each, _ in fitting)
    raise refuse(f"it is not certain which of {names} is meant; `response.by-status` can say so")


def _parts(scope: Scope, answer: ErrorAnswer) -> list[tuple[str, cst.BaseExpression]]:
    """Return what was answered, key by key; a text has no key, an object also what its class says by default."""
    written = answer.written
    assert written is not None
    inner = payloads.dumped(written) or written
    if answer.payload.shape == payloads.TEXT or _read_off(answer) is not None:
        return [(answer.payload.key if answer.payload.shape != payloads.TEXT else "", answer.payload.message)]
    if payloads.content_text(written) is not None:
        raise refuse("a text in the content of an MCP result is no payload")
    if isinstance(inner, cst.Call) and answer.payload.shape not in ("", "JSON text"):
        parts = [(item.keyword.value, item.value) for item in inner.args if item.keyword is not None]
        return [*parts, *_defaults(scope, dotted_name(inner.func), {name for name, _ in parts})]
    return list(payloads.entries(inner))


def _read_off(answer: ErrorAnswer) -> cst.Call | None:
    """Return the call of a factory that builds an answer of which only the message is known, ``None`` for any other."""
    inner = answer.written
    while isinstance(inner, cst.Await):
        inner = inner.expression
    return inner if isinstance(inner, cst.Call) and answer.payload.is_part else None


def _defaults(scope: Scope, name: str, passed: set[str]) -> Iterator[tuple[str, cst.BaseExpression]]:
    """Yield what an object of a class of the project says although nobody has told it."""
    project, files, parsed, _ = scope
    if not isinstance(project.names.resolve(parsed.path, name), ClassSymbol):
        return
    try:
        fields = named(project, files, parsed.path, name).fields
    except Refusal:
        return
    for item in fields:
        if item.name in passed or item.is_required or item.is_renamed:
            continue
        if not isinstance(item.default, ast.Constant):
            raise refuse(f"`{name}` fills its `{item.name}` by itself")
        value = item.default.value
        if value is not None:
            text = payloads.quoted(value) if isinstance(value, str) else ast.unparse(item.default)
            yield item.name, cst.parse_expression(text)


def _names(policy: Policy, parts: Sequence[tuple[str, cst.BaseExpression]]) -> tuple[str, ...]:
    """Return the names of the types that may be meant: that of the status, or all that errors have."""
    response = policy.response
    for key, value in parts:
        if key.lower() in STATUS_KEYS and isinstance(value, cst.SimpleString):
            named_so = response.by_status.get(str(value.evaluated_value))
            if named_so is not None:
                return (named_so,)
    if len(response.types) > 1:
        of_errors = {name for status, name in response.by_status.items() if ERROR_STATUS.fullmatch(status)}
        if len(of_errors) == 1:
            return tuple(of_errors)
    return response.types


def _put(parsed: SourceFile, node: cst.Return, answer: ErrorAnswer, name: str, arguments: Sequence[str]) -> Changes:
    """Return the changes that put a call in the place of a payload."""
    removed = tuple(Replacement(line, "") for line in answer.removed)
    flattened = tuple((branch,) for branch in answer.flattened)
    if isinstance(answer.at, cst.SimpleStatementLine) and answer.guard is None:
        text = f"return {called(parsed, name, arguments, parsed.column(answer.at) + len('return '))}\n"
        flattened = tuple((branch,) for branch in dict.fromkeys((*answer.flattened, *freed(parsed, answer.at))))
        return Changes(replaced=(Replacement(answer.at, text), *removed), flattened=flattened)
    value = node.value if answer.guard is None else answer.guard.error
    assert value is not None
    if answer.guard is not None and payloads.dumped(node.value) is not None:
        raise refuse("the payload is a part of what is dumped as JSON", parsed.path, parsed.line(node))
    text = called(parsed, name, arguments, parsed.column(value))
    parent, _ = next(parsed.around(node))
    if not isinstance(parent, cst.SimpleStatementLine):
        return Changes(edited=(Edit(value, text),), replaced=removed, flattened=flattened)
    call = cst.parse_expression(text, config=parsed.module.config_for_parsing)
    if value is not node.value:
        call = call.with_changes(lpar=value.lpar, rpar=value.rpar)
    line = cst.ensure_type(parent.deep_replace(value, call), cst.SimpleStatementLine)
    written = parsed.code(line.with_changes(leading_lines=()))
    return Changes(replaced=(Replacement(parent, written), *removed), flattened=flattened)
