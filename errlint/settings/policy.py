"""The policy: what a convention asks of the code of some paths. All of it is data; no rule knows a convention.

Dotted names of the code (``pkg.errors.AppError``) may be given by their last parts alone (``AppError``), and by
patterns with ``*``. A part that is empty makes the rules about it silent.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

import msgspec


def bare_name(name: str) -> str:
    """Return the last part of a dotted name as settings write it, with ``:`` before what a module has."""
    return name.replace(":", ".").rpartition(".")[2]


class Style(str, Enum):
    """How the code of a path should answer errors."""

    RAISE = "raise"
    RETURN = "return"
    LOG = "log"


class Boundary(msgspec.Struct, frozen=True):
    """Where exceptions become an adapter's answer: a decorator and the functions that build the answer.

    ``decorator``: the decorator; ``middleware``: classes that cover every adapter of a distribution instead.
    ``converters``: functions that turn an exception into an answer.
    ``envelope``: top-level keys of the answer to what fills them (``{message}``, ``*``, ``empty_result``); empty
    where the client gets isError and a text.
    ``operation`` and ``empty_result``: names of the decorator's arguments for the operation and for the answer's empty
    fields, "" where it has none; an operation matches the regular expression ``operation_pattern``, and is spelt by
    ``operation_template`` with ``{module}``, ``{function}`` and ``{tool}``.
    ``maps``: exceptions besides those below ``Exceptions.root`` that it answers properly.
    ``logs``: whether it logs what it answers.
    """

    decorator: str = ""
    middleware: tuple[str, ...] = ()
    converters: tuple[str, ...] = ()
    envelope: Mapping[str, str] = msgspec.field(default_factory=dict)
    operation: str = ""
    empty_result: str = ""
    operation_pattern: str = ""
    operation_template: str = ""
    maps: tuple[str, ...] = ()
    logs: bool = False


class Exceptions(msgspec.Struct, frozen=True):
    """The domain exceptions: ``root`` classes (empty: exception classes of the project), the ``default`` one to raise.

    ``map`` says what a builtin or foreign exception becomes ("propagate": the boundary answers it), ``messages`` which
    class belongs to a message pattern. ``cause`` names the constructor argument that takes the cause, "" for none.
    ``exempt`` are functions that have to answer instead of raising. ``parents`` says of exception classes which class
    they have to be below: their code, status and fields come from there.
    """

    root: tuple[str, ...] = ()
    default: str = ""
    map: Mapping[str, str] = msgspec.field(default_factory=dict)
    messages: Mapping[str, str] = msgspec.field(default_factory=dict)
    cause: str = ""
    exempt: tuple[str, ...] = ()
    parents: Mapping[str, str] = msgspec.field(default_factory=dict)


class Code(msgspec.Struct, frozen=True):
    """One code of the vocabulary, with what the policy says about it (``None``: nothing)."""

    status: int | None = None
    retryable: bool | None = None


class Codes(msgspec.Struct, frozen=True):
    """The error codes.

    ``registry``: enums, classes, dicts, ``Literal`` aliases or lists of the code (``pkg.errors:ErrorCode``).
    ``vocabulary``: codes that the policy itself registers. ``reserved``: registered ones that nobody has to use.
    ``arguments``: names of arguments and payload keys that carry a code.
    ``prefix``: how a message begins (``[{code}] ``), "" where it carries no code.
    ``prefixed``: exception classes whose message it begins. ``suffix``: what stands in a message before a structured
    envelope in JSON (``[envelope] ``), "" where there is none; ``suffix_kind`` is the key of the envelope that repeats
    the code, ``suffix_fields`` all keys it has to have. ``validation``: the code of a failed parameter check, and
    ``backend``: names of calls from which on a failure is no parameter check any more.
    ``status``: HTTP or JSON-RPC status per exception class or code; ``status_arguments``: arguments that carry one.
    ``defaults``: the code of a backend's status (``404``, ``5xx``) where its answer names no code itself.
    ``caught``: the codes of which a caught exception (pattern) becomes one, ``messages``: the code of a message
    (pattern).
    ``retry_arguments``: arguments or keys that say whether to retry. ``writes``: names of calls that change something.
    ``classifiers``: what tells the kind of a foreign exception.
    ``refusals``: the codes of an error whose condition asks for something (pattern), ``not NAME`` where that does not
    hold. ``waits``: names of functions that wait for something.
    """

    registry: tuple[str, ...] = ()
    vocabulary: Mapping[str, Code] = msgspec.field(default_factory=dict)
    reserved: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ("code", "error_code")
    prefix: str = ""
    prefixed: tuple[str, ...] = ()
    suffix: str = ""
    suffix_kind: str = ""
    suffix_fields: tuple[str, ...] = ()
    validation: str = ""
    backend: tuple[str, ...] = ()
    status: Mapping[str, int] = msgspec.field(default_factory=dict)
    status_arguments: tuple[str, ...] = ("status", "http_status", "status_code")
    defaults: Mapping[str, str] = msgspec.field(default_factory=dict)
    caught: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    messages: Mapping[str, str] = msgspec.field(default_factory=dict)
    retry_arguments: tuple[str, ...] = ("retryable", "recoverable")
    writes: tuple[str, ...] = ()
    classifiers: tuple[str, ...] = ()
    refusals: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    waits: tuple[str, ...] = ()


class Hints(msgspec.Struct, frozen=True):
    """Advice to whoever gets an error.

    ``keywords``: arguments and keys that carry it; ``classes``: exceptions and response types that need it;
    ``tools``: whether a tool that it sends people to has to exist;
    ``verify``: calls (patterns) that change something, to the name of the call that a timeout's hint has to give;
    ``mentions``: what the message with a code has to name, each one of several words between ``|``.
    """

    keywords: tuple[str, ...] = (
        "hints", "hint", "suggestions", "suggestion", "remediation", "install_guidance", "restart_hint",
        "troubleshooting",
    )  # fmt: skip
    classes: tuple[str, ...] = ()
    verify: Mapping[str, str] = msgspec.field(default_factory=dict)
    tools: bool = False
    mentions: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class Requirement(msgspec.Struct, frozen=True):
    """Fields that a construction of one of ``classes`` has to pass, where the arguments ``when`` have these values.

    ``inside`` names the argument, a dict, that has to hold them; "" where they are arguments themselves. With
    ``handled`` it holds only for a raise in a handler. ``lists`` are arguments that have to be lists if they are
    passed, ``values`` are the only texts that an argument may be. ``functions`` are those in which it holds, by their
    own names (none: all). ``explicit`` are arguments for which the default of a constructor does not count, ``traced``
    fields that have the value of the parameter with their name, which a tool makes where it is given none. ``located``
    are lists in which what a validator found stands with the path of its field.
    """

    classes: tuple[str, ...]
    fields: tuple[str, ...]
    inside: str = ""
    when: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    handled: bool = False
    lists: tuple[str, ...] = ()
    values: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    functions: tuple[str, ...] = ()
    explicit: tuple[str, ...] = ()
    traced: tuple[str, ...] = ()
    located: tuple[str, ...] = ()


class Payload(msgspec.Struct, frozen=True):
    """A dict that reports an error: its fields stand under ``key`` ("": at the top), all ``fields`` are required.

    ``type_field``, ``severity_field`` and ``recovery_field`` name those that taxonomy rules look at;
    ``context_field`` the one whose dict has to hold ``context[type]``. ``kinds`` says what a field has to be:
    ``number``, ``text``, ``object`` or ``time`` (a text in UTC).
    """

    key: str = ""
    fields: tuple[str, ...] = ()
    type_field: str = ""
    severity_field: str = ""
    recovery_field: str = ""
    context_field: str = ""
    context: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    kinds: Mapping[str, str] = msgspec.field(default_factory=dict)


class Taxonomy(msgspec.Struct, frozen=True):
    """Error types with their severities, and which recovery goes with which severity."""

    severities: Mapping[str, str] = msgspec.field(default_factory=dict)  # type -> severity
    recoveries: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)  # severity -> legal recoveries
    stops: tuple[str, ...] = ()  # recoveries after which the function may not go on
    saves: tuple[str, ...] = ()  # calls (patterns) of which one comes before the process ends after such a recovery
    continues: tuple[str, ...] = ()  # recoveries and severities after which the next item follows
    attempts: Mapping[str, int] = msgspec.field(default_factory=dict)  # recovery -> how often it is tried at most
    backoff: tuple[str, ...] = ()  # recoveries that wait longer before each attempt
    asks: tuple[str, ...] = ()  # recoveries after which the work waits for the user
    waits: tuple[str, ...] = ()  # calls (patterns) that do so
    replaces: tuple[str, ...] = ()  # recoveries after which another way is tried
    fails: Mapping[str, str] = msgspec.field(default_factory=dict)  # recovery -> the one where it did not help


class Logs(msgspec.Struct, frozen=True):
    """How errors are logged: ``fields`` of each error log call, ``methods`` per severity, severities with a file.

    ``by_status`` gives the severity of a status (``404``, ``5xx``).
    ``writers`` are the calls that write an error file (names of functions, ``open`` and ``dump`` among them), of which
    one of ``file_places`` (patterns) is in the path.
    """

    fields: tuple[str, ...] = ()
    methods: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    file_severities: tuple[str, ...] = ()
    writers: tuple[str, ...] = ()
    by_status: Mapping[str, str] = msgspec.field(default_factory=dict)
    file_places: tuple[str, ...] = ()


class Commands(msgspec.Struct, frozen=True):
    """How commands for a terminal tell of errors.

    ``statuses``: the exit status of a ``failure``, and of a wrong ``usage``. ``signs``: what a printed ``error`` or
    ``warning`` begins with. ``stderr``: whether errors are printed there.
    """

    statuses: Mapping[str, int] = msgspec.field(default_factory=dict)
    signs: Mapping[str, str] = msgspec.field(default_factory=dict)
    stderr: bool = False


class Response(msgspec.Struct, frozen=True):
    """Declared answers: ``types`` of errors, type per status in ``by_status``, those that say "queued".

    ``success``: keys of each dict by which an adapter answers that it succeeded. ``base``: the class that all of the
    types are below, "" for any.
    """

    types: tuple[str, ...] = ()
    by_status: Mapping[str, str] = msgspec.field(default_factory=dict)
    queued: tuple[str, ...] = ()
    factories: tuple[str, ...] = ()
    success: tuple[str, ...] = ()
    base: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """All types that are declared, each once."""
        return tuple(dict.fromkeys((*self.types, *self.by_status.values(), *self.queued)))


class Work(msgspec.Struct, frozen=True):
    """``enqueue``: calls that only queue work. ``availability``: checks that come before the ``guarded`` calls.

    ``modes``: the values of a setting that says what to do when something is missing; who tells some of them apart has
    to handle all. ``answers``: the status of what a mode answers (a key of ``response.by_status``). ``stores``: calls
    that keep what the work is about; ``kept``: types of answers that promise that one of these was made, or the work
    queued. ``defaults``: the values of settings where nobody gives others. ``parameters``: those that a tool has to
    have, by its name.
    """

    enqueue: tuple[str, ...] = ()
    availability: tuple[str, ...] = ()
    guarded: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    answers: Mapping[str, str] = msgspec.field(default_factory=dict)
    stores: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    defaults: Mapping[str, str] = msgspec.field(default_factory=dict)
    parameters: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class Catalog(msgspec.Struct, frozen=True):
    """The documents that list the errors: ``files`` are globs, relative to the root (none: those that are named so).

    ``sections`` are patterns of the headings below which entries stand (none: anywhere), ``ignore`` those of headings
    and entries that are none. ``code_column`` is the header of the column of codes, "" for one that is recognised.
    ``template`` is the file by which the sections of generated regions are written, "" for the built-in one.
    """

    files: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    code_column: str = ""
    template: str = ""


class Policy(msgspec.Struct, frozen=True):
    """All that a convention says. ``name`` is that of the preset, or of the file."""

    name: str = ""
    style: Style = Style.RAISE
    boundaries: tuple[Boundary, ...] = ()
    exceptions: Exceptions = Exceptions()
    codes: Codes = Codes()
    hints: Hints = Hints()
    required: tuple[Requirement, ...] = ()
    payload: Payload = Payload()
    taxonomy: Taxonomy = Taxonomy()
    logs: Logs = Logs()
    commands: Commands = Commands()
    response: Response = Response()
    work: Work = Work()
    catalog: Catalog = Catalog()


Changes = Mapping[str, object]
"""Changes to a policy, by the names of its fields.

A mapping changes the fields of a part: in ``{"codes": {"reserved": ("x",), "+registry": ("pkg:Code",)}}`` the first is
replaced, the second added to. Fields that are mappings are changed key by key. Anything else replaces a field whole.
"""


def changed(policy: Policy, changes: Changes) -> Policy:
    """Return the policy with changes."""
    return _changed(policy, changes)


_Part = TypeVar("_Part", bound=msgspec.Struct)


def _changed(part: _Part, changes: Changes) -> _Part:
    fields: dict[str, object] = {}
    for name, change in changes.items():
        field = name.removeprefix("+")
        before = fields.get(field, getattr(part, field))
        if field != name:
            assert isinstance(before, tuple)
            assert isinstance(change, tuple)
            fields[field] = (*before, *(item for item in change if item not in before))
        elif not isinstance(change, dict):
            fields[field] = change
        elif isinstance(before, msgspec.Struct):
            fields[field] = _changed(before, change)
        else:
            assert isinstance(before, Mapping)
            fields[field] = {**before, **{key: _entry(before.get(key), value) for key, value in change.items()}}
    return msgspec.structs.replace(part, **fields)


def _entry(before: object, change: object) -> object:
    """Return one entry of a mapping: of a code only what is said changes."""
    if not isinstance(change, dict):
        return change
    return _changed(before if isinstance(before, Code) else Code(), change)
