"""Which fields the policy requires of an error, and which of them are missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from errlint.error_keywords import STATUS_KEYS, SUCCESS_KEYS, SUCCESSES
from errlint.facts import (
    Call,
    Choice,
    Constant,
    Function,
    Ref,
    Sequence,
    Text,
    Value,
    Variable,
    constant_text,
    is_closed,
    is_null,
    keyed,
    only,
)
from errlint.facts import Mapping as Dict
from errlint.findings import Span
from errlint.project.domain import matches
from errlint.project.fields import (
    PROBLEM,
    Error,
    Fields,
    is_meant,
    is_no_record,
    is_text,
    parts,
    payload_of,
    supplies,
)
from errlint.project.hints import lacks_hints
from errlint.project.located import unlocated
from errlint.project.names import ClassSymbol
from errlint.project.raised_errors import MESSAGES
from errlint.project.traced import untraced
from errlint.settings import Policy, Style
from errlint.settings.policy import Requirement

if TYPE_CHECKING:
    from errlint.project import Project


def missing(project: Project, error: Error, policy: Policy) -> Iterator[tuple[str, str]]:
    """Yield the fields that an error lacks, each with why it needs it.

    Missing hints are not among them where ERR401 reports them, nor is a dict of which a missing part is.
    """
    if error.payload is not None:
        yield from _of_payload(project.fields, error, policy)
        return
    found: list[tuple[str, str]] = []
    for item in policy.required:
        if is_meant(error, item.classes) and (reason := _reason(project.fields, error, item)) is not None:
            lacking = _inside(project, error, item) if item.inside else _directly(error, item, policy.hints.keywords)
            found.extend((field, reason) for field in lacking)
    found.extend(_blank(error, policy))
    known = {field.partition(".")[0] for field, _ in found if "." in field}
    if lacks_hints(project, error, policy.hints):
        known.update(policy.hints.keywords)
    yield from ((field, reason) for field, reason in found if field not in known)


def undeclared(project: Project, path: str) -> Iterator[tuple[Span, str, tuple[str, ...]]]:
    """Yield the models of a file without a field that each object of them has to have: place, name and fields.

    One that has none of them is no such model, or was not read whole.
    """
    policy = project.policy(path)
    wanted = [item for item in policy.required if not (item.inside or item.when or item.handled or item.functions)]
    for definition in project.modules[path].classes if wanted else ():
        symbol = ClassSymbol(path, definition)
        if definition.members is None or not _is_model(project, symbol):
            continue
        bases = project.hierarchy.bases(symbol)
        names = {entry.key for base in bases for entry in base.definition.members or ()}
        absolute = project.names.absolute(symbol)
        asked = dict.fromkeys(name for item in wanted if matches(absolute, item.classes) for name in item.fields)
        lacking = tuple(name for name in asked if name not in names)
        if len(lacking) < len(asked) and lacking and not names & {"model_config", "Config", "__init__", "__getattr__"}:
            yield definition.span, definition.name.rpartition(".")[2], lacking


def unfilled(project: Project, path: str) -> Iterator[tuple[Span, str, tuple[str, ...]]]:
    """Yield the constructors of a file that leave fields out of a dict only they make: place, class and fields."""
    wanted = [item for item in project.policy(path).required if item.inside]
    for definition in project.modules[path].classes if wanted else ():
        symbol = ClassSymbol(path, definition)
        constructor = project.names.own_method(symbol, "__init__")
        calls = constructor.calls if constructor is not None else ()
        span = next((called.span for called in calls if called.value.name.endswith("__init__")), None)
        for item in wanted:
            if span is not None and _makes(project, symbol, item):
                held = project.domain.construction_of(symbol, Call(definition.name, ())).defaults.get(item.inside)
                lacking = tuple(f"{item.inside}.{field}" for field in _left_out(held, item))
                if lacking:
                    yield span, definition.name.rpartition(".")[2], lacking


def _makes(project: Project, symbol: ClassSymbol, item: Requirement) -> bool:
    """Whether the constructor of a class makes the dict of a requirement, which nobody can hand to it."""
    found = project.domain.constructor(symbol)
    owner = project.names.enclosing_class(found.path, found.function.name) if found is not None else None
    if found is None or owner is None:
        return False
    if any(each.name == item.inside or each.kind == "**" for each in found.function.parameters):
        return False
    return any(matches(name, item.classes) for name in project.hierarchy.ancestors(owner))


def _left_out(held: Value | None, item: Requirement) -> Iterator[str]:
    """Yield the fields that a dict lacks which holds without an argument; one in another name may have any."""
    held = only(held)
    if type(held) is Ref:
        return
    if type(held) is Dict:
        entries = keyed(held)
        yield from (field for field in item.fields if is_closed(held) and is_null(entries.get(field)))
    elif not supplies(held, (item.inside,)):
        yield from item.fields


_PLAIN_BASES = frozenset({"ABC", "BaseModel", "Generic", "NamedTuple", "object"})
"""Bases outside of the project that bring no fields."""


def _is_model(project: Project, symbol: ClassSymbol) -> bool:
    """Whether all that a class has is known: it is a dataclass or a model of Pydantic, and so are its bases."""
    named: list[str] = []
    for base in project.hierarchy.bases(symbol):
        if base.definition.members is None:
            return False
        others = (name for name in base.definition.bases if not _is_class(project, base.path, name))
        named.extend(name.rpartition(".")[2] for name in (*others, *base.definition.decorators))
    return not {"dataclass", "BaseModel", "NamedTuple"}.isdisjoint(named) and {*named} <= _PLAIN_BASES | {"dataclass"}


def _is_class(project: Project, path: str, name: str) -> bool:
    return isinstance(project.names.resolve(path, name), ClassSymbol)


def incomplete(project: Project, path: str) -> Iterator[tuple[Function, Span, tuple[str, ...]]]:
    """Yield the successes that the adapters of a file answer with a dict that lacks a key, with what it lacks."""
    wanted = project.policy(path).response.success
    for function in project.modules[path].functions if wanted else ():
        if not project.adapters.is_adapter(path, function) or project.sites.is_excluded(path, function):
            continue
        for found in function.returns:
            answers = [part for part, _ in parts(found.value) if type(part) is Dict and _is_success(part)]
            lacking = {name for part in answers if is_closed(part) for name in wanted if name not in keyed(part)}
            if lacking:
                yield function, found.span, tuple(name for name in wanted if name in lacking)


def _is_success(answer: Dict) -> bool:
    """Whether a dict says that something succeeded."""
    for name, value in keyed(answer).items():
        if name in STATUS_KEYS and (status := constant_text(value)) is not None:
            return status in SUCCESSES
        if name in SUCCESS_KEYS and only(value) == Constant(True):
            return True
    return False


def unfit(project: Project, error: Error, policy: Policy) -> Iterator[str]:
    """Yield what is wrong with the fields that an error has, in words."""
    for item in policy.required if error.payload is None else ():
        if not is_meant(error, item.classes) or _reason(project.fields, error, item) is None:
            continue
        yield from untraced(project, error, item)
        yield from unlocated(project, error, item.located)
        for name in item.lists:
            if (what := _kind(error.passed.get(name))) is not None:
                yield f"`{name}` has to be a list, and is {what}"
        for name, allowed in item.values.items():
            given = error.passed.get(name)
            for text in project.values.texts(error.path, error.function.name, given) if given is not None else ():
                if text is not None and text not in allowed:
                    listed = ", ".join(f"`{each}`" for each in allowed)
                    yield f"`{name}` is {text!r}, and has to be one of {listed}"


def _kind(value: Value | None) -> str | None:
    """Return what a value is that is no list for certain, ``None`` for what may be one."""
    value = only(value)
    if is_text(value):
        return "a text"
    if type(value) is Dict:
        return "a dict"
    if type(value) is Constant and value.value is not None:
        return "a number"
    if type(value) is Choice or type(value) is Variable:
        kinds = {_kind(each) for each in value.values}
        return kinds.pop() if len(kinds) == 1 else None
    return None


def _blank(error: Error, policy: Policy) -> Iterator[tuple[str, str]]:
    """Yield the message of an error that has to have fields, where it is passed and says nothing."""
    if any(is_meant(error, item.classes) for item in policy.required):
        for name in MESSAGES:
            value = only(error.passed.get(name))
            if type(value) is Text and not "".join(str(part) for part in value.parts).strip():
                yield name, ""


def _reason(fields: Fields, error: Error, item: Requirement) -> str | None:
    """Return when a requirement holds, in words ("" for always); ``None`` where it does not for certain."""
    said: list[str] = ["where it is raised in a handler"] if item.handled else []
    if item.handled and not error.is_handling:
        return None
    short = error.function.name.rpartition(".")[2]
    if item.functions and short not in item.functions:
        return None
    if item.functions:
        said.append(f"in `{short}`")
    for name, wanted in item.when.items():
        value = error.field(name)
        found = next((each for each in _spellings(fields, error, value) if each in wanted), None)
        if found is None:
            return None
        said.append(f"where `{name}` is {found}")
    return " and ".join(said)


def _spellings(fields: Fields, error: Error, value: Value | None) -> Iterator[str]:
    """Yield how a policy may write a value: as its text, or as the member of an enumeration it is."""
    text = fields.text(error.path, error.function.name, value)
    if text is not None:
        yield text
    value = only(value)
    if type(value) is Ref and "." in value.name:
        yield value.name
        yield value.name.removesuffix(".value").rpartition(".")[2]
    elif type(value) is Constant and value.value is not None:
        yield str(value.value)
        yield str(value.value).lower()


def _directly(error: Error, item: Requirement, hints: tuple[str, ...]) -> Iterator[str]:
    if error.is_open:
        return
    for name in item.fields:
        if name in error.passed:
            given = only(error.passed[name])
            # Empty hints are those of ERR402.
            is_empty = name in item.lists and name not in hints and type(given) is Sequence and not given.items
            if is_empty or (is_null(given) and not _is_nullable(error, name)):
                yield name
        elif name in item.explicit or (not supplies(error.defaults.get(name), (name,)) and not _is_method(error, name)):
            yield name


def _is_nullable(error: Error, name: str) -> bool:
    """Whether ``None`` is what has to be passed where there is nothing: a field that has no default must be given."""
    given = only(error.passed[name])
    has_to_be_given = error.symbol is not None and name in error.symbol.definition.unset
    return type(given) is Constant and given.value is None and has_to_be_given


def _is_method(error: Error, name: str) -> bool:
    """Whether a class works a field out by itself."""
    symbol = error.symbol
    return (
        symbol is not None
        and name not in error.defaults
        and name not in symbol.definition.unset
        and any(entry.key == name for entry in symbol.definition.members or ())
    )


def _inside(project: Project, error: Error, item: Requirement) -> Iterator[str]:
    """Yield what a dict that is an argument lacks; what is not known to be a dict may hold anything."""
    given = error.passed.get(item.inside)
    if given is None and (error.is_open or (error.symbol is not None and _makes(project, error.symbol, item))):
        return
    held = error.defaults.get(item.inside)
    if given is None or is_null(given):
        # A constructor that cannot be read may put there what it is given by itself.
        own = error.passed if error.symbol is None else {}
        yield from (f"{item.inside}.{field}" for field in _left_out(held, item) if field not in own)
        return
    ways = [
        project.evaluator.mapping(error.path, error.function.name, way)
        for way in (given.values if type(given) is Variable else (given,))
    ]
    below = keyed(held) if type(held) is Dict else {}
    if not all(way is not None and is_closed(way) for way in ways):
        return
    several = [{**below, **keyed(way)} for way in ways if way is not None]
    for field in item.fields:
        if all(is_null(entries.get(field)) for entries in several):
            yield f"{item.inside}.{field}"


def _of_payload(fields: Fields, error: Error, policy: Policy) -> Iterator[tuple[str, str]]:
    found = payload_of(error.payload, policy)
    if found is None and error.payload is not None and policy.payload.key and policy.style is not Style.RAISE:
        yield from ((f"{policy.payload.key}.{name}", "") for name in _outside(error.payload, policy))
    if found is None or not is_closed(found):
        return
    asked = policy.payload
    entries = keyed(found)
    # The members of a problem object are those of ERR410.
    owned = PROBLEM if asked.key == "problem" else ()
    above = f"{asked.key}." if asked.key else ""
    is_remade = any(record.is_remade for record in error.function.records if record.span == error.span)
    for name in asked.fields:
        if name not in owned and (_is_blank(entries[name]) if name in entries else not is_remade):
            yield above + name, ""
    for name, wanted in asked.kinds.items():
        value = only(entries.get(name))
        if value is not None and not _is_blank(value) and not _is_kind(value, wanted):
            yield above + name, f"as {_KINDS.get(wanted, wanted)}"
    caught = {name for record in error.function.records if record.span == error.span for name in record.caught}
    for name, value in _below(found):
        if type(value) is Ref and value.name in caught:
            yield above + name, "as JSON"
    if not asked.context_field:
        return
    if type(only(entries.get(asked.context_field))) is Dict and not _fills(only(entries[asked.context_field])):
        yield above + asked.context_field, "with fields"
    if not asked.type_field:
        return
    kind = fields.text(error.path, error.function.name, entries.get(asked.type_field))
    context = entries.get(asked.context_field)
    context = only(context)
    if kind is None or type(context) is not Dict or not is_closed(context):
        return
    present = keyed(context)
    for name in asked.context.get(kind, ()):
        if _is_blank(present.get(name)):
            yield f"{above}{asked.context_field}.{name}", f"where `{asked.type_field}` is {kind}"


def _outside(value: Dict, policy: Policy) -> Iterator[str]:
    """Yield the fields of something that is handed on in the place of a record."""
    key = policy.payload.key
    if key in keyed(value) and not is_no_record(keyed(value)[key]):
        return
    yield from policy.payload.fields


_KINDS = {"number": "a number", "text": "a text", "object": "an object", "time": "a time in UTC"}

_CLOCKS = frozenset({"time.time", "time.monotonic", "time.perf_counter", "time.time_ns"})
"""Calls that give a time as a number."""

_LOCAL = re.compile(r"(?:^|\.)(?:datetime|date|dt)\.(now|today|fromtimestamp)$")
"""Calls that give the local time where they are given no zone."""


def _is_blank(value: Value | None) -> bool:
    """Whether a value is certainly nothing, or a text without a character."""
    if is_null(value):
        return True
    value = only(value)
    return type(value) is Text and all(type(part) is str and not part.strip() for part in value.parts)


def _fills(value: Value) -> bool:
    return type(value) is Dict and bool(value.entries or value.spreads)


def _below(value: Dict, above: str = "") -> Iterator[tuple[str, Value]]:
    """Yield the fields of a dict and of those in it, by their path."""
    for name, each in keyed(value).items():
        inner = only(each)
        yield above + name, inner
        if type(inner) is Dict:
            yield from _below(inner, f"{above}{name}.")


def _is_kind(value: Value, kind: str) -> bool:
    """Whether a value may be of a kind; what cannot be told may be of any."""
    if kind == "number":
        return type(value) not in (Text, Dict, Sequence)
    if kind == "text":
        return type(value) not in (Dict, Sequence) and not (type(value) is Constant and value.value is not None)
    if kind == "object":
        return type(value) not in (Text, Sequence, Constant)
    if kind == "time":
        return _is_time(value)
    return True


def _is_time(value: Value) -> bool:
    """Whether a value may be a text that says a time in UTC."""
    if type(value) is Constant or type(value) is Dict or type(value) is Sequence:
        return False
    if type(value) is not Call:
        return True
    last = value.name.rpartition(".")[2]
    if last in ("isoformat", "strftime", "replace") and type(value.inner) is Call:
        return _is_zoned(value.inner)
    return value.name not in _CLOCKS and last != "timestamp" and _is_zoned(value)


def _is_zoned(value: Call) -> bool:
    """Whether a time may have a zone: ``datetime.now()`` has none."""
    found = _LOCAL.search(value.name)
    return found is None or len(value.arguments) > (found.group(1) == "fromtimestamp")
