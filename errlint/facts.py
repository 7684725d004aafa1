"""Facts: what a file says, free of any policy, and all that crosses a process or the cache.

Every expression that a rule looks at is kept as a :data:`Value`, a small tree without positions. Its classes are asked
for with ``type(value) is Text``: their metaclass makes ``isinstance`` ten times slower, and there are millions of
questions. Facts know nothing
of error payloads or conventions: the linker (``errlint.project``) gives them meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import final, overload

import msgspec

from errlint.error_keywords import CONTENT_ARGUMENTS, FUNCTION_ARGUMENTS
from errlint.findings import Span

FORMAT = 53
"""Version of the structs below and of what the collector writes into them: part of every cache key."""


@final
class Opaque(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="x"):
    """An expression nobody looks into."""


@final
class Constant(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="c"):
    """``None``, a truth value or a number."""

    value: bool | int | float | None


@final
class Text(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="t"):
    """A string: literal pieces and, for an f-string, ``+``, ``%`` or ``.format``, the values in its holes."""

    parts: tuple[str | Value, ...]


@final
class Ref(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="r"):
    """A dotted name: ``e``, ``self.helper``, ``errors.Code.X``."""

    name: str


@final
class Variable(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="v"):
    """A local name with every value that can reach this use of it (:class:`Opaque` where one is unknown).

    ``size`` is the number of parts of these values, so that nobody has to count them again.
    """

    name: str
    values: tuple[Value, ...]
    size: int = 0


class DictEntry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One entry of a mapping: a constant text key, ``None`` for any other key.

    ``name`` is the dotted name or number that another key is, "" for one that is none: ``Code.X``, ``404``.
    """

    key: str | None
    value: Value
    name: str = ""


@final
class Mapping(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="d"):
    """``{...}``, ``dict(...)``, a union of them, or a name holding one with what was stored into it afterwards.

    ``spreads`` are values merged in whole (``**base``).
    """

    entries: tuple[DictEntry, ...]
    spreads: tuple[Value, ...] = ()


class Argument(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One argument of a call: ``name`` is "" for a positional one, ``*`` and ``**`` for unpacked ones.

    ``is_stored`` is true for what is stored in an attribute of the object afterwards.
    """

    name: str
    value: Value
    is_stored: bool = False


SUBSCRIPT = ".__getitem__"
"""The name of the call that ``base[key]`` is."""


@final
class Call(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="k"):
    """A call of a dotted name ("" when the callee is another expression, then kept in ``inner``).

    ``base[key]`` is one of :data:`SUBSCRIPT` with the base in ``inner``, where the key is no constant text.
    So is a part that is unpacked, ``first, second = call()``, with an argument ``*`` that is its place.
    """

    name: str
    arguments: tuple[Argument, ...]
    inner: Value | None = None


@final
class Choice(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="o"):
    """One of several values: ``a if test else b``, ``a or b``; ``is_or`` where the last stands in for nothing."""

    values: tuple[Value, ...]
    is_or: bool = False


@final
class Sequence(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="s"):
    """A tuple, list or set display; ``kind`` is ``tuple``, ``list`` or ``set``."""

    kind: str
    items: tuple[Value, ...]


@final
class Item(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="i"):
    """``base["key"]`` or ``base.get("key")``."""

    base: Value
    key: str


Value = Opaque | Constant | Text | Ref | Variable | Mapping | Call | Choice | Sequence | Item
"""An expression as far as rules look into it."""


@overload
def only(value: Value) -> Value: ...
@overload
def only(value: None) -> None: ...
def only(value: Value | None) -> Value | None:
    """Return the one value that a variable holds; anything else, and a variable of several values, as it is."""
    return value.values[0] if type(value) is Variable and len(value.values) == 1 else value


def alternatives(value: Value) -> Iterator[Value]:
    """Yield the values of which a value is one: those of a variable or a choice, else itself."""
    if type(value) is Variable or type(value) is Choice:
        for item in value.values:
            yield from alternatives(item)
    else:
        yield value


def inner_values(value: Value) -> tuple[Value, ...]:
    """Return the values directly in one, in their order: what a call is of before its arguments."""
    if type(value) is Variable or type(value) is Choice:
        return value.values
    if type(value) is Text:
        return tuple([part for part in value.parts if not isinstance(part, str)])
    if type(value) is Call:
        arguments = tuple([argument.value for argument in value.arguments])
        return arguments if value.inner is None else (value.inner, *arguments)
    if type(value) is Mapping:
        return (*[entry.value for entry in value.entries], *value.spreads)
    if type(value) is Sequence:
        return value.items
    return (value.base,) if type(value) is Item else ()


def with_inner_values(value: Value, change: Callable[[Value], Value]) -> Value:
    """Return a value with each of the values directly in it changed; itself where there are none."""
    if type(value) is Variable:
        return Variable(value.name, tuple(map(change, value.values)), value.size)
    if type(value) is Choice:
        return Choice(tuple(map(change, value.values)), value.is_or)
    if type(value) is Text:
        return Text(tuple(part if isinstance(part, str) else change(part) for part in value.parts))
    if type(value) is Call:
        arguments = tuple(Argument(argument.name, change(argument.value)) for argument in value.arguments)
        return Call(value.name, arguments, None if value.inner is None else change(value.inner))
    if type(value) is Mapping:
        entries = tuple(DictEntry(entry.key, change(entry.value), entry.name) for entry in value.entries)
        return Mapping(entries, tuple(map(change, value.spreads)))
    if type(value) is Sequence:
        return Sequence(value.kind, tuple(map(change, value.items)))
    return Item(change(value.base), value.key) if type(value) is Item else value


def all_values(value: Value) -> Iterator[Value]:
    """Yield a value and all that it is made of, outer ones first."""
    pending = [value]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(inner_values(current)))


def answered(value: Value) -> Iterator[Value]:
    """Yield the dicts and calls that an answer may be, or is made of as a whole: not what stands in them."""
    pending = [value]
    while pending:
        current = pending.pop()
        if type(current) is Mapping:
            yield current
            pending.extend(reversed(current.spreads))
        elif type(current) is not Call:
            pending.extend(() if type(current) is Text or type(current) is Item else reversed(inner_values(current)))
        else:
            yield current
            if current.name == SUBSCRIPT and current.arguments[0].name:
                continue  # one of several things that it answers
            # What is handed over under another name is a part of the answer.
            pending.extend(item.value for item in reversed(current.arguments) if item.name in CONTENT_ARGUMENTS)
            pending.extend(() if current.inner is None else (current.inner,))


def names_told(value: Value) -> Iterator[str]:
    """Yield how the names begin that a value is told by: of what it reads, calls and holds, ``e`` for ``e.code``.

    What stands in a dict is there to be handed on.
    """
    pending = [value]
    while pending:
        part = pending.pop()
        if type(part) is Ref or type(part) is Variable or type(part) is Call:
            yield part.name.partition(".")[0]
        pending.extend(() if type(part) is Mapping else reversed(inner_values(part)))


def constant_text(value: Value | None) -> str | None:
    """Return the text that a value is, ``None`` for one with holes and for anything else."""
    value = only(value)
    if type(value) is not Text or not all(isinstance(part, str) for part in value.parts):
        return None
    return text_with_holes(value)


def text_with_holes(text: Text, hole: str = "{}") -> str:
    """Return a text with something else in the place of each of its holes: ``no such book: {}``."""
    return "".join(part if isinstance(part, str) else hole for part in text.parts)


def keyed(value: Mapping) -> dict[str, Value]:
    """Return the entries of a dict with constant keys."""
    return {entry.key: entry.value for entry in value.entries if entry.key is not None}


def named_parts(value: Value) -> dict[str, Value]:
    """Return the entries of a dict with constant keys, or the arguments of a call by name; none of anything else."""
    if type(value) is Call:
        return {item.name: item.value for item in value.arguments if item.name not in ("", "*", "**")}
    return keyed(value) if type(value) is Mapping else {}


def is_closed(value: Mapping) -> bool:
    """Whether all keys of a dict are seen."""
    return not value.spreads and all(entry.key is not None for entry in value.entries)


def is_null(value: Value | None) -> bool:
    """Whether a value is certainly nothing: absent, ``None``, or a variable that can hold nothing else."""
    if value is None:
        return True
    if type(value) is Constant:
        return value.value is None
    if type(value) is Variable:
        return bool(value.values) and all(is_null(item) for item in value.values)
    return False


def is_empty(value: Value) -> bool | None:
    """Whether a value has nothing in it: ``None``, ``[]``, ``{"items": []}``, ``0``, ``""``; ``None`` if not known."""
    if type(value) is Constant:
        return not value.value
    if type(value) is Text:
        return not any(value.parts)
    if type(value) is Sequence:
        return not value.items
    if type(value) is not Mapping:
        return None
    parts = {is_empty(entry.value) for entry in value.entries}
    return False if False in parts else None if value.spreads or None in parts else True


def store(entries: tuple[DictEntry, ...], entry: DictEntry) -> tuple[DictEntry, ...]:
    """Return entries with one added, in place of an earlier one of the same key."""
    if entry.key is None:
        return (*entries, entry)
    return (*(old for old in entries if old.key != entry.key), entry)


def store_all(entries: tuple[DictEntry, ...], more: tuple[DictEntry, ...]) -> tuple[DictEntry, ...]:
    """Return entries with others added, in place of earlier ones of the same keys."""
    for entry in more:
        entries = store(entries, entry)
    return entries


def with_arguments(call: Call, more: tuple[Argument, ...]) -> Call:
    """Return a call with more arguments, which take the place of earlier ones of their names."""
    names = {item.name for item in more} - {"", "*", "**"}
    return Call(call.name, (*(item for item in call.arguments if item.name not in names), *more), call.inner)


def names_in(value: Value) -> Iterator[str]:
    """Yield the dotted names that a display or dict holds, also in tuples of it, and what its objects are made of.

    ``find`` of ``[Tool("find", handler=find)]``.
    """
    value = only(value)
    if type(value) is Sequence:
        for item in value.items:
            yield from _names_of(item)
    elif type(value) is Mapping:
        for entry in value.entries:
            yield from _names_of(entry.value)
    elif type(value) is Call and value.name in ("tuple", "list", "frozenset", "set", "MappingProxyType", *CASTS):
        for argument in value.arguments[-1:]:
            yield from names_in(argument.value)


def _names_of(item: Value) -> Iterator[str]:
    yield from (item.name,) if type(item) is Ref else names_in(item)
    if type(item) is Call:
        yield from handed_to(item)


CASTS = frozenset({"cast", "typing.cast"})
"""Functions that answer their second argument as it is."""


def handed_to(value: Value) -> Iterator[str]:
    """Yield the dotted names of functions that a call may be handed: ``find`` of ``timed(guard()(find))``."""
    value = only(value)
    for argument in value.arguments if type(value) is Call else ():
        if not argument.name or not FUNCTION_ARGUMENTS.isdisjoint(argument.name.split("_")):
            inner = only(argument.value)
            yield from (inner.name,) if type(inner) is Ref else handed_to(inner)


class Handler(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An ``except`` clause around a statement: the dotted names it catches (empty: everything) and its ``as`` name."""

    types: tuple[str, ...]
    name: str


class Filled(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The statement by which a dict that a name holds got some of its keys.

    ``index`` says which of the values of the name has them (see :func:`dicts_in`). ``is_added`` is true for keys that
    were stored in a loop, into what there was.
    """

    index: int
    span: Span
    keys: tuple[str, ...]
    is_added: bool = False


def dicts_in(value: Value) -> Variable | None:
    """Return the first name in a value that holds a dict, ``None`` where there is none."""
    if type(value) is Variable:
        if any(type(item) is Mapping for item in value.values):
            return value
        return dicts_in(value.values[0]) if len(value.values) == 1 else None
    parts = inner_values(value) if type(value) is Call or type(value) is Sequence else ()
    return next(filter(None, map(dicts_in, parts)), None)


class Return(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A ``return`` or ``yield`` with a value; ``handlers`` are the ``except`` clauses around it, innermost first.

    ``filled`` says where the dicts that a name holds in the value got the keys that may tell of an error. ``asked``
    is what holds of the parameters there, as far as the function asked whether there is an error on the way. ``held``
    is the same for each value of a name that is returned, where that value came to be, and for both of a conditional
    expression; empty for nothing asked.
    """

    span: Span
    value: Value
    is_yield: bool
    handlers: tuple[Handler, ...]
    filled: tuple[Filled, ...] = ()
    asked: tuple[Condition, ...] = ()
    held: tuple[tuple[Condition, ...], ...] = ()


ANSWERED = "()"
"""What follows the name of a function in a use that stands for each part of what it answers."""


class Use(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A place where a function's name is used.

    ``how`` is one of ``returned`` (its result is the function's own result), ``raised`` (its result is inspected and
    an exception raised from it), ``gathered`` (its result is one of several), ``field`` (its result becomes a named
    part of something bigger),
    ``passed`` (the function itself is handed over), ``called`` (anything else).
    ``callee`` is the dotted name as written, with :data:`ANSWERED` behind it where a loop registers what is answered.
    ``receiver`` is what it is handed to when passed, also by way of a function around it. ``is_awaited`` is true for a
    call that is awaited where it stands. ``of`` is the call of whose result a method is called, as
    :attr:`Function.objects` has those: ``shelf()`` where the callee of ``shelf().find()`` is ``.find``.
    """

    callee: str
    span: Span
    how: str
    receiver: str = ""
    is_awaited: bool = False
    of: str = ""

    @property
    def asked(self) -> str:
        """The callee with the call of whose result it is a method: ``shelf().find``."""
        return self.of + self.callee


class Catch(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One ``except`` clause of a :class:`Try`: what it catches (empty: everything), its name, and what comes of it.

    ``exits`` are the ways in which its body can be left: ``again`` (what was caught is raised again), ``raise`` (of
    anything else), ``return``, ``jump`` (``break``, ``continue``) and ``end``. ``span`` is that of its keyword.
    """

    types: tuple[str, ...]
    name: str
    span: Span
    exits: tuple[str, ...]


class Try(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A ``try``, or a ``with suppress(...)``, whose one clause then has the exit ``end``.

    ``finally_exits`` are the ways other than ``end`` in which its ``finally`` can be left. ``span`` is that of the
    keyword; ``in_loop`` tells whether a loop of the same function is around it.
    """

    span: Span
    catches: tuple[Catch, ...]
    finally_exits: tuple[str, ...] = ()
    in_loop: bool = False


class Raise(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A ``raise`` with a value; ``cause`` is what follows ``from``, ``None`` where nothing does.

    ``handlers`` are the ``except`` clauses around it, ``tries`` the places of the ``try`` blocks (:class:`Try`) in
    whose bodies it stands, both innermost first. The value of a bare ``raise`` is opaque.
    """

    span: Span
    value: Value
    cause: Value | None
    handlers: tuple[Handler, ...]
    tries: tuple[Span, ...]


class Called(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A call that is a statement, or the value of an assignment or a return, of a name the policy asks about.

    ``target`` is the name it is assigned to, "" for none; ``how`` is ``expression``, ``assigned``, ``returned``, or
    ``entered`` in the header of a ``with``.
    ``handlers`` and ``tries`` as in :class:`Raise`; ``raises_next`` is true where a ``raise`` follows in its block,
    ``goes_on`` where nothing in its block leaves the loop around it.
    """

    span: Span
    value: Call
    how: str
    target: str
    is_awaited: bool
    handlers: tuple[Handler, ...]
    tries: tuple[Span, ...]
    raises_next: bool = False
    goes_on: bool = False


class Inspection(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A place that looks for an error in a result: ``callees`` are the dotted names of the calls it may be from.

    A callee is ``?`` where the result may come from something else than a call of a name, ``Class().method`` for a
    method of an object made in the same function.
    ``how`` is ``in``, ``item``, ``get``, ``attribute``, ``isinstance`` or ``unpacked``; ``key`` what is looked for.
    ``texts`` are what an item is compared with: with any other text where ``is_negated``.
    """

    span: Span
    callees: tuple[str, ...]
    how: str
    key: str
    texts: tuple[str, ...] = ()
    is_negated: bool = False


class Rebound(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A statement that binds a name of the module again, on every way; ``first`` imported or defined it.

    ``how`` and ``before`` say how: ``import``, ``class``, ``def`` or ``assignment``.
    """

    name: str
    span: Span
    how: str
    first: Span
    before: str


class Unbound(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A statement of a handler that uses a name which the handler's own ``try`` binds first, at ``bound``."""

    span: Span
    name: str
    bound: Span


class Swallow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A handler after which nobody knows of the exception: it does nothing with it but log.

    ``how`` says what follows: ``returned`` (``answer`` is the place of the return), ``ended`` (the function ends),
    ``passed`` (the function goes on), ``asked`` (the same, but it asks later what came of the ``try``). ``level`` and
    ``said`` are those of what is logged, ``work`` are the names of what the ``try`` calls. ``how`` is ``looped`` in a
    loop that takes from a queue, ``turned`` in any other, which goes on with its next turn; ``is_suppressed`` for
    ``with suppress(...)``. It is ``filtered`` for a statement that gathers results, exceptions among them, of which
    its function only looks at those that are none. ``tells`` is true where the answer holds the exception.
    """

    span: Span
    types: tuple[str, ...]
    how: str
    answer: Span | None
    level: str
    said: str
    work: tuple[str, ...]
    is_suppressed: bool = False
    tells: bool = False


class Unread(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A statement that calls a function and drops the result, or puts it into a name that nothing reads.

    ``word`` is the first text that is written out in the call, ``is_aside`` is true for one in a handler. ``parts`` are
    the attributes and keys of the name that are read, where nothing but these is.
    """

    span: Span
    callee: str
    word: str
    is_aside: bool
    parts: tuple[str, ...] = ()


class Branch(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A condition that compares the text of an error with ``texts``.

    In a handler ``types`` are what is caught; elsewhere the error is what ``callee`` has answered. ``patterns`` are the
    regular expressions that the text is searched for, ``named`` the names of those that are compiled elsewhere.
    ``statuses`` are attributes of a caught exception that are compared with a number instead.
    """

    span: Span
    types: tuple[str, ...]
    texts: tuple[str, ...]
    patterns: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    callee: str = ""


class Question(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One question of a condition.

    ``operator`` is that of a comparison of ``subject`` with ``value``, ``true`` or ``false`` where only that is asked,
    ``?`` for anything else. A subject that is a sequence of the kind ``class`` is the hundreds of the status inside.
    """

    subject: Value
    operator: str
    value: Value


class Condition(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What holds at a point: one of ``tests``, each asked by the statement at ``span``."""

    span: Span
    tests: tuple[Question, ...]


class Case(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a function does under some conditions, all of which hold.

    ``how`` is ``raise``, ``return``, ``assigned``, ``called``, ``continue``, or ``end`` where a handler in a loop ends
    and the loop goes on; ``again`` is a call (``tried`` names it) that failed in a ``try`` and is made once more, in
    its handler or behind it. ``before`` are the names of what was certainly called by then (``call_tool:NAME`` for a
    tool). ``handlers`` are the ``except`` clauses around it, innermost first, ``caught`` their places, ``loop`` that
    of the innermost loop.
    ``tried`` are the names of what the ``try`` of the innermost one calls;
    ``is_again`` is true where another round does the same again, ``pauses`` where the loop waits somewhere.
    ``alternatives`` are the operands of an ``or`` in the value, or what a ``get`` answers and its default. ``perhaps``
    are names of what was called by then on some ways only. ``since`` are the names of what may have been called, or
    set, since the exception was caught, but for what looks at that.
    """

    span: Span
    how: str
    value: Value
    conditions: tuple[Condition, ...]
    before: tuple[str, ...]
    handlers: tuple[Handler, ...]
    caught: tuple[Span, ...] = ()
    loop: Span | None = None
    tried: tuple[str, ...] = ()
    is_again: bool = False
    pauses: bool = False
    alternatives: tuple[Value, ...] = ()
    perhaps: tuple[str, ...] = ()
    since: tuple[str, ...] = ()


class Matched(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A place that compares a field of an exception with ``value``: ``error.code == "gone"``, ``match error.code``.

    ``types`` are the dotted names of what the exception may be, by the clause that caught it or by ``isinstance``.
    """

    span: Span
    field: str
    value: Value
    types: tuple[str, ...]


class StoredDict(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A dict that a statement assigns to ``name`` in the function ``scope``, or the one entry that it stores there."""

    scope: str
    span: Span
    name: str
    entries: tuple[tuple[Value, Value], ...]


class Deferred(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A statement that queues work, and the places of the returns that may be reached before that work is done.

    ``callee`` is the dotted name of what is called, ``job`` that of what it is handed first, "" where it has none.
    ``unawaited`` are also those that may be about other work: nothing on the way waits for this one. ``is_kept`` is
    true where something holds on to it.
    """

    span: Span
    callee: str
    job: str
    answers: tuple[Span, ...]
    unawaited: tuple[Span, ...] = ()
    is_kept: bool = False


class Distinction(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A place that says something of the values of ``subject``.

    ``subject`` is a dotted name, "" for another expression; ``values`` are the last names of members, or texts.
    ``how`` is "" where the values are told apart and nothing is said of any others, ``declared`` for an enumeration of
    that name, or an alias: what values there are; ``default`` for the value that holds where nobody gives another one,
    ``fixed`` for the one that all assignments of a name in its function give it.
    """

    span: Span
    subject: str
    values: tuple[str, ...]
    how: str = ""


class Arm(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a function does where ``subject`` has one of some values.

    ``span`` is the place that asks, ``answers`` are those of the returns in the branch itself, ``calls`` the dotted
    names of what is called there, with the places of the statements.
    """

    span: Span
    subject: str
    values: tuple[str, ...]
    answers: tuple[Span, ...] = ()
    calls: tuple[tuple[str, Span], ...] = ()


class Unchecked(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A statement with a guarded call that some way reaches without a check; ``before`` is what is called up to it."""

    span: Span
    callee: str
    before: tuple[str, ...]


class Precaution(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a function asks about availability.

    ``checks`` are the dotted names that it reads or calls for that, ``checked`` the statements that no way reaches
    without one, ``unchecked`` the guarded calls that some way does.
    """

    checks: tuple[str, ...] = ()
    checked: tuple[Span, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()


class HandlingStep(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A statement on a :class:`ExceptionHandling`, or a context that is entered there, with its value as it is written.

    ``target`` is the name that the value is bound to, or stored in; ``key`` is then the key it is stored under.
    ``is_sure`` is false below a condition that asks for something else than the kind of exception.
    """

    span: Span
    value: Value
    target: str = ""
    key: str = ""
    is_sure: bool = True


class ExceptionHandling(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a function does about an exception that it was told from others, or caught.

    ``types`` are the dotted names of what the exception is (empty: nobody asked), ``name`` that of the exception, ""
    where it has none. ``span`` is where that is asked: the place of an ``except``, ``if`` or ``case``, or what follows
    one that was not met. ``is_caught`` is true below an ``except`` clause. ``steps`` are all statements that may run
    on the way; it is left by ``exit``: ``return``, ``raise`` or ``end``.
    """

    span: Span
    types: tuple[str, ...]
    name: str
    is_caught: bool
    steps: tuple[HandlingStep, ...]
    exit: str


class RecordOutcome(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A way from where a record is built on: what is done on it, and how it ends.

    ``end`` is ``return``, ``record`` (the record itself is returned or yielded), ``raise``, ``exit`` (with a failure),
    ``success`` (the process ends as if nothing was wrong), ``break``, ``next`` (the next round of the loop around it),
    ``end``, or ``report`` where it goes on; ``span`` is the place of the statement that does so. ``acts`` are the
    dotted names of what is called, and of attributes that are set, each with whether it gets the record.
    """

    end: str
    span: Span
    acts: tuple[tuple[str, bool], ...]


class Count(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A number of rounds: a number (or a sequence of so many items), and how many more than that."""

    value: Value
    more: int


class Wait(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A statement of a loop that waits for some time; ``changes`` is true where that may be another one each time."""

    span: Span
    value: Value
    changes: bool


class Rounds(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A loop in which errors are told: how many rounds it has at most, and how long it waits between them.

    ``count`` is ``None`` where the loop does not say. ``inside`` are the statements in it that tell an error,
    ``failed`` those that are only reached when no round succeeded.
    """

    span: Span
    count: Count | None
    waits: tuple[Wait, ...] = ()
    inside: tuple[Span, ...] = ()
    failed: tuple[Span, ...] = ()


class File(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A statement that opens a file to write it, or writes one, and what its path is put together of."""

    span: Span
    parts: tuple[Value, ...]


class Record(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An error record that a function builds: where, what it is in the end, and what happens then.

    ``steps`` are the places of the statements that store a field into it by themselves, ``caught`` the names of
    exceptions that handlers around it catch. ``loop`` is ``items`` where one loop is around it, over something that is
    no range, ``search`` for such a one that ends with the first item that succeeds, ``rounds`` for any other loops, ""
    for none. ``printed`` are the statements that print it as a dict.
    ``is_remade`` is true where a function gets it whose result is taken: that may be the record with more fields.
    ``reached`` are the statements that tell another error afterwards, each with what is done before. ``files`` are the
    files that it is written to.
    """

    span: Span
    value: Mapping
    steps: tuple[tuple[str, Span], ...] = ()
    outcomes: tuple[RecordOutcome, ...] = ()
    caught: tuple[str, ...] = ()
    loop: str = ""
    printed: tuple[Span, ...] = ()
    is_remade: bool = False
    reached: tuple[RecordOutcome, ...] = ()
    files: tuple[File, ...] = ()


class Compared(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A place that compares a field of a record with texts; ``outcomes`` are those of the branch where it is equal.

    ``loop`` is the loop around that branch, as for a :class:`Record`.
    """

    span: Span
    key: str
    texts: tuple[str, ...]
    outcomes: tuple[RecordOutcome, ...] = ()
    loop: str = ""


class Looked(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A statement that reads ``key`` of what stands below the key of records in ``origin``."""

    span: Span
    key: str
    origin: Value


class ToldError(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A call that tells an error, or may be of a function that builds a record, and the place of its statement.

    ``outcomes`` are the ways from there on; ``reached`` as for a :class:`Record`.
    """

    span: Span
    value: Call
    outcomes: tuple[RecordOutcome, ...] = ()
    reached: tuple[RecordOutcome, ...] = ()


class Parameter(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A parameter; ``kind`` is "" for an ordinary one, ``*``, ``**``, ``kw`` (keyword only).

    ``of_class`` is the dotted name of the class that its annotation names, "" where it names none.
    """

    name: str
    kind: str
    default: Value | None
    of_class: str = ""


class Function(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A function: its header, and of its body what rules look at.

    ``name`` is qualified inside the module (``Server.start``, ``outer.inner``); ``owner`` is the qualified name of the
    class whose method it is, or "". ``decorators`` are dotted names, as written, outermost first.
    ``ends`` is true where ``None`` is answered: the end of the body can be reached, or a ``return`` without a value.
    ``decorations`` are the decorators as values, with arguments where the policy asks for them or they are told a
    description and a schema (:class:`Opaque` elsewhere). ``stores`` are what a constructor stores in attributes of its
    object. ``ways`` are collected of what makes a boundary. ``records`` are the error records that it builds,
    ``told`` the calls that may be of functions that
    do, ``compared`` are the places that ask what a record says, ``looked`` those that read a field of one, ``rounds``
    the loops in which errors are told. ``reraises`` are the bare raises, which are not among
    ``raises``. ``arms`` are the branches that ask for values of modes, ``reads`` the settings that its body
    reads. ``selves`` are the names that stand for ``self`` in the functions inside it. ``matched`` are the comparisons
    of fields of exceptions, where ``cases`` are collected. ``sets_status`` is true where it sets the ``status_code`` of
    some object, as routes do with the response that they are handed. ``begun`` are the dicts with the number of a
    success that its names are bound to, whatever is stored into them later. ``answers_class`` is the dotted name of the
    class that its annotation says it returns. ``objects`` are the names of its own of which methods are called, each
    with what it is bound to and nothing else: ``Shop()`` for what a call of that name returns, ``self.shop`` for what
    another name stands for.
    """

    name: str
    span: Span
    owner: str
    is_async: bool
    is_generator: bool
    parameters: tuple[Parameter, ...]
    decorators: tuple[str, ...]
    returns: tuple[Return, ...]
    uses: tuple[Use, ...]
    ends: bool
    decorations: tuple[Value, ...] = ()
    raises: tuple[Raise, ...] = ()
    tries: tuple[Try, ...] = ()
    calls: tuple[Called, ...] = ()
    inspections: tuple[Inspection, ...] = ()
    stores: tuple[DictEntry, ...] = ()
    unbound: tuple[Unbound, ...] = ()
    swallows: tuple[Swallow, ...] = ()
    unread: tuple[Unread, ...] = ()
    branches: tuple[Branch, ...] = ()
    deferred: tuple[Deferred, ...] = ()
    distinctions: tuple[Distinction, ...] = ()
    precaution: Precaution | None = None
    ways: tuple[ExceptionHandling, ...] = ()
    cases: tuple[Case, ...] = ()
    records: tuple[Record, ...] = ()
    told: tuple[ToldError, ...] = ()
    compared: tuple[Compared, ...] = ()
    reraises: tuple[Raise, ...] = ()
    arms: tuple[Arm, ...] = ()
    reads: tuple[str, ...] = ()
    selves: tuple[str, ...] = ()
    looked: tuple[Looked, ...] = ()
    rounds: tuple[Rounds, ...] = ()
    matched: tuple[Matched, ...] = ()
    sets_status: bool = False
    begun: tuple[Mapping, ...] = ()
    answers_class: str = ""
    objects: tuple[tuple[str, str], ...] = ()


class Class(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A class: qualified name, dotted names of its bases, names of its methods and values of its fields.

    ``members`` is ``None`` where only the header was read; ``places`` are those of its fields and methods, in the same
    order. ``remarked`` are the fields that repeat the value of another one and say why in a comment, ``unset`` those
    that are declared without a value: whoever makes an object has to give one. ``of_class`` are the fields whose
    annotation names a class, each with its dotted name.
    """

    name: str
    span: Span
    bases: tuple[str, ...]
    decorators: tuple[str, ...]
    members: tuple[DictEntry, ...] | None = None
    places: tuple[Span, ...] = ()
    remarked: tuple[str, ...] = ()
    unset: tuple[str, ...] = ()
    of_class: tuple[tuple[str, str], ...] = ()


class Import(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """``import module`` (``attribute`` is "") or ``from module import attribute``, bound to ``name``.

    ``module`` keeps the leading dots of a relative import; ``name`` is ``*`` for a star import. ``scope`` is the
    function or class that has the import in its body, "" for the module.
    """

    name: str
    module: str
    attribute: str
    scope: str = ""


class FunctionNames(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The names that a function binds itself, of those that mean something around it; the function by qualified name.

    ``of_module`` are the names that it says to be ``global``, of those that a function around it binds. Of several
    functions of one name those of all.
    """

    function: str
    hidden: tuple[str, ...]
    of_module: tuple[str, ...] = ()


class Alternative(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A name of a module that branches bind to different things; ``lines`` are those of its functions and classes."""

    name: str
    lines: tuple[int, ...]


class Assigned(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A name bound to a value at module level, by the statement at ``span``."""

    name: str
    value: Value
    span: Span = Span(1, 1, 1, 1)


class Problem(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Why a file has no facts: the code of the finding, where, and the reason in words."""

    code: str
    span: Span
    message: str


class Suppression(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A comment that hides findings: ``codes`` on its line or, with ``whole_file``, in its file.

    ``own`` is false for a ``noqa`` comment, which may have names of rules in ``codes``, of no effect; ``alone`` is true
    where nothing but the comment is on the line.
    """

    span: Span
    whole_file: bool
    codes: tuple[str, ...]
    reason: str
    own: bool
    alone: bool


class Module(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The facts of one file.

    ``uses`` are those at module and class level;
    ``distinctions`` are those of the module itself.
    ``script`` is what the module does itself, where that reports errors: a function without a name, which has calls,
    records and what is said or asked of them. ``on_path`` are the folders that it puts on the path modules are looked
    for on: relative to its own, or with a slash before them to the one in which Python is started. ``scopes`` are those
    of the functions that hide a name, ``alternatives`` the names that it binds to one thing or another. ``unreached``
    are the first and last lines of statements that are never reached, ``set_by_functions`` the names of the module that
    functions bind.
    """

    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    imports: tuple[Import, ...] = ()
    assigned: tuple[Assigned, ...] = ()
    uses: tuple[Use, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    problem: Problem | None = None
    rebound: tuple[Rebound, ...] = ()
    distinctions: tuple[Distinction, ...] = ()
    tables: tuple[StoredDict, ...] = ()
    script: Function | None = None
    on_path: tuple[str, ...] = ()
    scopes: tuple[FunctionNames, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    unreached: tuple[tuple[int, int], ...] = ()
    set_by_functions: tuple[str, ...] = ()

    @property
    def bodies(self) -> tuple[Function, ...]:
        """The functions, and what the module does itself."""
        return self.functions if self.script is None else (*self.functions, self.script)
