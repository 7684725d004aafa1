"""Tables of the calls that show whether a write was made, as the errors of failed connections are made from them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Mapping as Mappings
from typing import TYPE_CHECKING, NamedTuple

from errlint.facts import SUBSCRIPT, Call, DictEntry, Mapping, Raise, Ref, Text, Value, text_with_holes
from errlint.findings import Span
from errlint.project.calls import calls_in
from errlint.project.domain import matches
from errlint.project.mentions import may_say
from errlint.project.names import ValueSymbol
from errlint.project.values import Located

if TYPE_CHECKING:
    from errlint.project import Project


TRANSPORT = re.compile(
    r"time_?d?_?out|network|connect(?:ion)?_?(?:error|lost|reset|failed)|transport|unreachable", re.IGNORECASE
)
"""In the name of an exception or in a code: no answer came."""


class Misdirected(NamedTuple):
    """A write for which a table names another call than the policy does: where, the write, and the right call."""

    path: str
    span: Span
    write: str
    verify: str


def verifying(name: str, verify: Mappings[str, str]) -> str:
    """Return the call by which a write of a name is verified, "" where the policy knows of none."""
    return next((found for pattern, found in verify.items() if matches(name, (pattern,))), "")


def lacks(value: Value, verify: str) -> bool:
    """Whether a text certainly does not name a call such as ``study_get(view="full")``, with its arguments."""
    if any(_table_of(call) is not None for call in calls_in(value)):
        return False  # what the table has
    name, _, arguments = verify.rstrip(")").partition("(")
    words = (name, *filter(None, (item.strip() for item in arguments.split(","))))
    return not all(may_say(value, word) or may_say(value, word.replace('"', "'")) for word in words)


def is_unanswered(found: Raise) -> bool:
    """Whether a handler catches failures of the connection, or the error that is raised says it is one."""
    if any(TRANSPORT.search(name.rpartition(".")[2]) for name in found.handlers[0].types):
        return True
    value = found.value
    if type(value) is not Call:
        return False
    return bool(TRANSPORT.search(value.name.rpartition(".")[2])) or any(
        argument.name in ("code", "error_code") and TRANSPORT.search(_constant(argument.value))
        for argument in value.arguments
    )


def _constant(value: Value) -> str:
    if type(value) is Ref:
        return value.name.removesuffix(".value").rpartition(".")[2]
    return text_with_holes(value, "") if type(value) is Text else ""


def all_misdirected(project: Project) -> dict[str, tuple[Misdirected, ...]]:
    """Return what is wrong in the tables of each file."""
    found: dict[str, dict[Misdirected, None]] = {}
    for path, module in project.modules.items():
        policy = project.policy(path)
        if not policy.hints.verify:
            continue
        said: dict[tuple[str, Span], list[str]] = {}
        for usage in project.codes.usages(path):
            if usage.how == "message":
                said.setdefault((usage.function, usage.place), []).append(str(usage.found.text))
        for function in module.functions:
            for raised in function.raises:
                codes = said.get((function.name, raised.span), [])
                if any(map(TRANSPORT.search, codes)) or (raised.handlers and is_unanswered(raised)):
                    for wrong in _misdirected(project, path, function.name, raised):
                        found.setdefault(wrong.path, {}).setdefault(wrong)
    return {path: tuple(wrong) for path, wrong in found.items()}


def _misdirected(project: Project, path: str, scope: str, raised: Raise) -> Iterator[Misdirected]:
    """Yield what is wrong in the tables that the error of a failed connection takes its call from."""
    verify = project.policy(path).hints.verify
    for call in calls_in(raised.value):
        base = _table_of(call)
        table = project.values.followed(path, scope, base) if base is not None else None
        if table is None or base is None or type(table.value) is not Mapping:
            continue
        for entry in table.value.entries:
            write = entry.key or project.values.text(table.path, table.scope, Ref(entry.name)) or ""
            wanted = verifying(write, verify)
            text = project.values.text(table.path, table.scope, entry.value) if wanted else None
            if text is not None and lacks(Text((text,)), wanted):
                where, span = _place(project, table, entry, base, Located(path, scope, base)) or (path, raised.span)
                yield Misdirected(where, span, write, wanted)


def _table_of(call: Call) -> Value | None:
    """Return what a call takes an entry from, ``None`` for one that does something else."""
    if call.name == SUBSCRIPT:
        return call.inner
    holder, _, last = call.name.rpartition(".")
    return (Ref(holder) if holder else call.inner) if last == "get" else None


def _place(project: Project, table: Located, entry: DictEntry, base: Value, asked: Located) -> tuple[str, Span] | None:
    """Return where an entry of a table is written: the constant that it names, or else the table."""
    for at, value in ((table, entry.value), (asked, base)):
        name = value.name if type(value) is Ref else ""
        symbol = project.names.resolve(at.path, name, at.scope) if name else None
        if isinstance(symbol, ValueSymbol):
            assigned = project.modules[symbol.path].assigned
            same = [item for item in assigned if item.value == symbol.value]
            named = [item for item in same if item.name == name.rpartition(".")[2]]
            return next(((symbol.path, item.span) for item in named or same), None)
    return None
