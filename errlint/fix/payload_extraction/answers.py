"""What a return answers, in whatever form: written out, built by a factory, held in a variable, or on a condition."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple, TypeGuard

import libcst as cst
from msgspec.structs import replace

from errlint.facts import Call, Mapping, Return, Value, Variable, only
from errlint.findings import Finding
from errlint.fix.model import Doubt, Refusal, refuse
from errlint.fix.nodes import convert, dict_of, dotted_name, is_none
from errlint.fix.payload_extraction import payload as payloads
from errlint.fix.payload_extraction.conditions import Guarded, split, text_of
from errlint.fix.payload_extraction.effects import calls_that_may_do_something
from errlint.fix.payload_extraction.factories import computes, definition, symbol_of, unfolded
from errlint.fix.payload_extraction.handed_exceptions import UNLOGGED, Handed, handed
from errlint.fix.payload_extraction.message_access import TO_DICT, MessageAccess, way
from errlint.fix.payload_extraction.payload import Payload
from errlint.fix.payload_extraction.variables import HeldPayload, held, statement
from errlint.fix.raising.imports import Known, known_as
from errlint.fix.responding.responses import filled_in
from errlint.fix.source_cache import Scope
from errlint.project.names import ClassSymbol, ExternalSymbol
from errlint.project.payload_shapes import FormKind

_MODEL_DICTS = frozenset({"model_dump", "dict"})
"""Methods that make a dict of a pydantic model."""


class ErrorAnswer(NamedTuple):
    """An error that a return may answer.

    ``payload`` is all that clients get, ``told`` what an exception has to be told of it. ``at`` is the statement that
    the raise takes the place of; ``guard`` says on which condition, and what is answered otherwise. ``removed`` are
    statements that are not needed any more, ``flattened`` those whose ``else`` is not. ``written`` is the expression
    that was read. ``handed`` is the exception that a factory makes the answer of, where it can be raised itself, and
    ``otherwise`` the answer for where it cannot. ``used`` is what the message calls that the return did not.
    ``unset`` are the keys below which nothing but ``None`` is, as the class of an object has that for them.
    """

    payload: Payload
    told: Payload
    at: cst.Return | cst.SimpleStatementLine
    guard: Guarded | None = None
    removed: tuple[cst.SimpleStatementLine, ...] = ()
    flattened: tuple[cst.If, ...] = ()
    written: cst.BaseExpression | None = None
    handed: Handed | None = None
    doubts: tuple[Doubt, ...] = ()
    otherwise: ErrorAnswer | None = None
    used: tuple[Known, ...] = ()
    unset: frozenset[str] = frozenset()


def answers(scope: Scope, finding: Finding, node: cst.Return) -> Iterator[ErrorAnswer]:
    """Yield the errors that a return answers.

    Raises :class:`errlint.fix.model.Refusal` where that is not certain.
    """
    parsed, reader = scope.parsed, _PayloadReader(scope, finding)
    reader.refuse_flagged()
    value = node.value
    assert value is not None
    dumped = payloads.dumped(value)
    inner = value if dumped is None else dumped
    conditional = payloads.innermost(value)
    if isinstance(conditional, cst.IfExp) and reader.is_error(conditional.body) and reader.is_error(conditional.orelse):
        yield reader.either(value, conditional, node)
    elif isinstance(conditional, (cst.IfExp, cst.BooleanOperation)):
        line = statement(parsed, node)
        words = parsed.words(definition(parsed, scope.function))
        guard = split(parsed, conditional, reader.is_error, words)
        error = guard.error
        if conditional is not value:
            rest = _with_other(value, conditional, cst.parse_expression(guard.rest))
            guard = guard._replace(rest=text_of(parsed, rest))
            error = _with_other(value, conditional, error)
        try:
            yield reader.answer(error, HeldPayload(conditional, line), guard)
        except Refusal:
            read_off = reader.read_off(error, node, guard)
            if read_off is None:
                raise
            yield read_off._replace(at=line)
    elif isinstance(inner, cst.Name):
        try:
            yield from [
                reader.answer(_within(value, found.value) if dumped is not None else found.value, found)
                for found in held(parsed, node, inner.value, reader.is_error)
            ]
        except Refusal:
            read_off = reader.read_off(value, node)
            if read_off is None:
                raise
            yield read_off
    elif finding.code == "ERR102" and (raised := reader.handed(node)) is not None:
        with suppress(Refusal):
            otherwise = _told_of(raised)
            if otherwise is None:
                (otherwise,) = _of_value(reader, finding, node, value)
            raised = raised._replace(otherwise=otherwise)
        yield raised
    else:
        yield from _of_value(reader, finding, node, value)


def _told_of(answer: ErrorAnswer) -> ErrorAnswer | None:
    """Return the answer with what its factory tells of the exception, ``None`` where only the factory can say."""
    handed = answer.handed
    if handed is None or handed.told is None:
        return None
    logged = (Doubt(UNLOGGED),) if handed.logged else ()
    return answer._replace(
        payload=handed.told,
        told=handed.told,
        removed=(),
        written=handed.written or answer.written,
        handed=None,
        doubts=(*handed.doubts, *logged),
    )


def _of_value(
    reader: _PayloadReader, finding: Finding, node: cst.Return, value: cst.BaseExpression
) -> tuple[ErrorAnswer, ...]:
    """Return the errors of an expression as it stands; raises Refusal where that is not certain."""
    try:
        return (reader.answer(value, HeldPayload(value, node)),)
    except Refusal:
        if finding.code != "ERR102":
            others = reader.wrapped(value, node)
        else:
            others = ()
            with suppress(Refusal):
                others = reader.wrapped(value, node)
            read_off = None if others else reader.read_off(value, node)
            others = others if read_off is None else (read_off,)
        if not others:
            raise
        return others


def _within(call: cst.BaseExpression, value: cst.BaseExpression) -> cst.BaseExpression:
    """Return a call that makes JSON text of another value."""
    part = payloads.wrapped_by(call) if isinstance(call, cst.Call) else None
    assert part is not None
    return payloads.replaced(call, part, value)


def _with_other(whole: cst.BaseExpression, part: cst.BaseExpression, value: cst.BaseExpression) -> cst.BaseExpression:
    """Return an expression with another value in the place of a part of it."""
    return cst.ensure_type(whole.deep_replace(part, value), type(whole))


class _PayloadReader:
    """Reads the payloads of one function."""

    def __init__(self, scope: Scope, finding: Finding) -> None:
        self._scope = scope
        self._project, self._files, self._parsed, self._function = scope
        returns = self._function.returns
        self._found: Return | None = next((item for item in returns if item.span == finding.span), None)
        self._code = finding.code
        self._code_names = frozenset(self._project.policy(self._parsed.path).codes.arguments)

    def refuse_flagged(self) -> None:
        """Raise Refusal where the return answers what went well, too, and a variable says which."""
        form = (
            self._project.classifier.classify(self._parsed.path, self._function, self._found) if self._found else None
        )
        if form is not None and form.is_flagged:
            raise refuse("this return answers what went well, too, and a variable says which: raise where it is set")

    def is_error(self, value: cst.BaseExpression) -> bool:
        """Whether a value is an error payload of some form."""
        handlers = self._found.handlers if self._found is not None else ()
        form = self._project.classifier.form(self._parsed.path, self._function, convert(value), handlers)
        return form is not None and form.kind not in (FormKind.TUPLE, FormKind.UNMARKED_TEXT)

    def answer(self, value: cst.BaseExpression, found: HeldPayload, guard: Guarded | None = None) -> ErrorAnswer:
        """Return the answer for a payload; raises :class:`errlint.fix.model.Refusal` for what is none."""
        doubts: list[Doubt] = []
        made = unfolded(self._scope, value, doubts)
        if made is value and self._is_helper(value):
            raise refuse(f"it is not certain what `{dotted_name(value.func)}` builds")
        built = self._with_names(made)
        whole = self._to_its_text(self._read(built))
        told = whole
        if built is not value:
            told = whole._replace(
                codes=tuple(item for item in whole.codes if not is_none(item[1])),
                others=tuple(item for item in whole.others if not is_none(item[1])),
            )
        entire = self._entire(made, built, whole)
        unset: frozenset[str] = frozenset()
        if entire is not None:
            whole, built = entire
            unset = frozenset(key for key, item in whole.others if is_none(item)) - frozenset(told.other_keys)
        place = (self._parsed.path, self._parsed.line(found.at))
        placed = tuple(item if item.path else item._replace(path=place[0], line=place[1]) for item in doubts)
        return ErrorAnswer(
            whole, told, found.at, guard, found.removed, found.flattened, built, doubts=placed, unset=unset
        )

    def _is_helper(self, value: cst.BaseExpression) -> TypeGuard[cst.Call]:
        """Whether what is returned is the call of a function of the project: only that knows what it tells."""
        if self._code != "ERR102" or self._found is None or not isinstance(value, cst.Call):
            return False
        form = self._project.classifier.classify(self._parsed.path, self._function, self._found)
        helper = form.helper if form is not None else None
        name = dotted_name(value.func).rpartition(".")[2]
        return helper is not None and helper.function.name.rpartition(".")[2] == name

    def _entire(
        self, made: cst.BaseExpression, built: cst.BaseExpression, told: Payload
    ) -> tuple[Payload, cst.BaseExpression] | None:
        """Return the dict that is made of an object, with all that its class fills in, and what that says.

        ``None`` stands for what is made no dict, and for an object of which that is not known.
        """
        if made is built or not isinstance(built, cst.Call) or not isinstance(made, cst.Call) or made.args:
            return None
        is_dumped = isinstance(made.func, cst.Attribute) and made.func.attr.value in _MODEL_DICTS
        owner = self._scope.meaning(dotted_name(built.func))
        if not is_dumped or not isinstance(owner, ClassSymbol):
            return None
        given = {item.keyword.value: item.value for item in built.args if item.keyword is not None}
        fields = filled_in(self._project, self._files, owner, given.keys())
        whole = dict_of({key: given[key] if item is None else _written(item) for key, item in (fields or {}).items()})
        with suppress(Refusal):
            found = self._to_its_text(payloads.read(whole, self._code_names))
            return (found, whole) if found.key == told.key and found.message is told.message else None
        return None

    def _to_its_text(self, payload: Payload) -> Payload:
        """Return a payload whose message is that inside of a variable, where this holds a dict with one."""
        told = only(self._found.value) if self._found is not None else None
        if type(told) is not Mapping or not isinstance(payload.message, cst.Name) or self._found is None:
            return payload
        held = next((item.value for item in told.entries if item.key == payload.key), None)
        if type(held) is not Variable or held.name != payload.message.value or not all(map(_is_dict, held.values)):
            return payload
        inner = self._read_off_by(held, self._found)
        if inner is None or not inner.code:
            return payload
        message = cst.parse_expression(f"{payload.message.value}{inner.code}")
        deep = len(inner.keys) == 1 and not payload.is_nested
        return payload._replace(message=message, is_nested=True, key=inner.keys[-1], above=payload.key if deep else "")

    def either(self, whole: cst.BaseExpression, value: cst.IfExp, node: cst.Return) -> ErrorAnswer:
        """Return the answer of a conditional expression of two errors: its message is conditional, too.

        ``whole`` is the value, or what dumps it. Raises :class:`errlint.fix.model.Refusal` where the messages do not
        stand in the same place.
        """
        one, other = (
            self.answer(part if whole is value else _with_other(whole, value, part), HeldPayload(part, node))
            for part in (value.body, value.orelse)
        )
        first, second = one.payload, other.payload
        if (first.path, first.key, first.shape) != (second.path, second.key, second.shape):
            raise refuse("the messages of the conditional answer do not stand in the same place")
        message = cst.IfExp(value.test, first.message, second.message)
        keys = dict.fromkeys((*first.other_keys, *second.other_keys))
        payload = first._replace(message=message, codes=(), others=(), unsaid=tuple(keys))
        return one._replace(payload=payload, told=payload, written=whole, doubts=(*one.doubts, *other.doubts))

    def wrapped(self, value: cst.BaseExpression, node: cst.Return) -> tuple[ErrorAnswer, ...]:
        """Return the errors that a call is handed, and makes an answer of; none for any other expression.

        There may be several where it is handed a variable.

        Raises :class:`errlint.fix.model.Refusal` for an error that is none to be read.
        """
        args = value.args if isinstance(value, cst.Call) and not any(item.star for item in value.args) else ()
        errors = [item for item in args if not isinstance(item.value, cst.BaseString) and self.is_error(item.value)]
        errors = errors or [item for index, item in enumerate(args) if self._holds_error(index)]
        if not errors or not isinstance(value, cst.Call) or not dotted_name(value.func):
            return ()
        # What says error beside it, as a status in the metadata, has no message.
        error = next((item for item in errors if self._has_message(item.value)), errors[0])
        name, place = dotted_name(value.func), (self._parsed.path, self._parsed.line(node))
        others = [item.value for item in args if item is not error]

        def only_computes(called: str) -> bool:
            return computes(self._project, self._files, self._parsed.path, called)

        if any(True for item in others for _ in calls_that_may_do_something(item, only_computes)):
            raise refuse(f"what is passed to `{name}` beside the error may do something", *place)
        doubts = []
        if not only_computes(name):
            doubts.append(Doubt(f"`{name}` is not called for the error any more, and may do something", *place))
        shape = f"what `{name}` answers"
        return tuple(
            found._replace(
                payload=found.payload._replace(shape=shape, is_part=True),
                told=found.told._replace(shape=shape, is_part=True),
                written=value,
                doubts=(*found.doubts, *doubts),
            )
            for found in self._handed_over(error.value, value, node, args.index(error))
        )

    def _handed_over(
        self, error: cst.BaseExpression, value: cst.BaseExpression, node: cst.Return, index: int
    ) -> tuple[ErrorAnswer, ...]:
        """Return the errors that an argument of a call may be."""
        if not isinstance(error, cst.Name):
            return (self.answer(error, HeldPayload(value, node)),)
        try:
            return tuple(self.answer(each.value, each) for each in held(self._parsed, node, error.value, self.is_error))
        except Refusal:
            given = self._argument(index)
            read_off = None if given is None else self.read_off(error, node, of=given)
            if read_off is None:
                raise
            return (read_off,)

    def _argument(self, index: int) -> Value | None:
        """Return what an argument of the call that is returned may be."""
        told = only(self._found.value) if self._found is not None else None
        return told.arguments[index].value if type(told) is Call and index < len(told.arguments) else None

    def _holds_error(self, index: int) -> bool:
        """Whether an argument of the call that is returned is a variable that may hold an error."""
        given = self._argument(index)
        if given is None or type(given) is not Variable or self._found is None:
            return False
        found = self._project.classifier.form(self._parsed.path, self._function, given, self._found.handlers)
        return found is not None and found.kind not in (FormKind.TUPLE, FormKind.UNMARKED_TEXT, FormKind.TEXT)

    def _has_message(self, value: cst.BaseExpression) -> bool:
        """Whether an error says what went wrong."""
        with suppress(Refusal):
            return not self._read(value).is_made_up
        return False

    def _with_names(self, value: cst.BaseExpression) -> cst.BaseExpression:
        """Return an object of a class of the project with the names of what it is made of, also one made a dict of."""
        if not isinstance(value, cst.Call):
            return value
        if isinstance(value.func, cst.Attribute) and value.func.attr.value in TO_DICT and not value.args:
            inner = value.func.value
            is_made = isinstance(inner, cst.Call) and dotted_name(inner.func).rpartition(".")[2][:1].isupper()
            return self._with_names(inner) if is_made else value
        symbol = self._scope.meaning(dotted_name(value.func))
        if not isinstance(symbol, ClassSymbol) or any(item.star for item in value.args):
            return value
        names = self._positional(symbol)
        if sum(item.keyword is None for item in value.args) > len(names):
            return value
        args = [
            item if item.keyword is not None else item.with_changes(keyword=cst.Name(names[index]))
            for index, item in enumerate(value.args)
        ]
        return value.with_changes(args=args)

    def _positional(self, symbol: ClassSymbol) -> list[str]:
        """Return the names of what an object takes by position; those of a constructor stand only in its file."""
        constructor = self._project.domain.constructor(symbol)
        if constructor is None:
            return self._project.domain.positional(symbol)
        node = definition(self._files.parse(constructor.path), constructor.function)
        parameters = () if node is None else (*node.params.posonly_params, *node.params.params)
        return [item.name.value for item in parameters][1:]

    def handed(self, node: cst.Return) -> ErrorAnswer | None:
        """Return the answer that a factory makes of an exception, ``None`` where it is handed none."""
        found = handed(self._scope, node, self._found, self._code_names)
        if found is None:
            return None
        raised, payload = found
        return ErrorAnswer(payload, payload, node, removed=raised.removed, written=node.value, handed=raised)

    def read_off(
        self, value: cst.BaseExpression, node: cst.Return, guard: Guarded | None = None, of: Value | None = None
    ) -> ErrorAnswer | None:
        """Return the answer of an expression that stays as it is, ``None`` where its message cannot be told.

        That is what the return has, or with a ``guard`` a part of it; ``of`` is what another part may be.
        """
        found, called = self._found, symbol_of(self._scope, value)
        if called is not None and called.function.is_async:
            return None  # there is nothing in the answer before somebody awaits it
        if found is not None and (guard is not None or of is not None):
            found = replace(found, value=convert(value) if of is None else of)
        if found is None or not self._project.classifier.is_always(self._parsed.path, self._function, found):
            return None
        known = self._read_off_by(found.value, found)
        dumped, told = payloads.dumped(value), only(found.value)
        if dumped is not None and type(told) is Call and told.arguments:  # the message, not JSON text that has it
            inner = self._read_off_by(told.arguments[0].value, found)
            if inner is None:
                return None
            if inner.code:
                value, known = dumped, inner
        if known is None:
            return None
        text = self._parsed.code(value)
        is_bare = isinstance(value, (cst.Name, cst.Call)) and not value.lpar
        message: cst.BaseExpression = value
        used: tuple[Known, ...] = ()
        if known.is_json:
            loads = known_as(
                self._project, self._files, self._parsed, ExternalSymbol("json.loads"), self._function.name
            )
            message, used = cst.parse_expression(f"{loads.name}({text}){known.code}"), (loads,)
        elif known.code:
            message = cst.parse_expression(f"{text}{known.code}" if is_bare else f"({text}){known.code}")
        shape = "" if known.keys else "an object" if known.attribute else payloads.TEXT
        if known.is_block:
            shape = payloads.BLOCKS
        *above, key = known.keys or ("",)
        payload = Payload(key, message, (), (), is_nested=bool(above), shape=shape)
        payload = payload._replace(is_part=bool(known.code) and not known.is_block)
        payload = payload._replace(above=above[0] if len(above) == 1 else "")
        return ErrorAnswer(payload, payload, node, guard, written=value, used=used)

    def _read_off_by(self, value: Value, found: Return) -> MessageAccess | None:
        return way(self._project, self._parsed.path, self._function, value, handlers=found.handlers)

    def _read(self, value: cst.BaseExpression) -> Payload:
        if self._code == "ERR103":
            return payloads.read_text(value)
        if self._code == "ERR105":
            return payloads.read_object(value, self._code_names)
        if self._code == "ERR102":
            return payloads.read_built(value, self._code_names)
        # What says nothing may be what a function found out: of a tool alone it is known to be an error.
        is_tool = self._project.adapters.is_adapter(self._parsed.path, self._function)
        words = self._function.name.rpartition(".")[2].strip("_").replace("_", " ")
        return payloads.read(value, self._code_names, f"{words} failed" if is_tool else "")


def _written(value: ast.expr) -> cst.BaseExpression:
    """Return an expression of another file: only a constant is the same here."""
    return cst.parse_expression(ast.unparse(value)) if isinstance(value, ast.Constant) else payloads.UNKNOWN


def _is_dict(value: Value) -> bool:
    return type(value) is Mapping
