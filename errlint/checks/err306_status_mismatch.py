"""ERR306: a status differs from what the registry, the class or the policy gives the error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from errlint.facts import Call, Case, Function, Item, Ref, Sequence, StoredDict, Value, Variable, keyed, only
from errlint.facts import Mapping as Dict
from errlint.findings import Finding, Related, Span
from errlint.project import Project
from errlint.project.commands import How
from errlint.project.conditions import Conditions, default
from errlint.project.domain import matches
from errlint.project.libraries import line_of
from errlint.project.names import ClassSymbol
from errlint.project.problems import problems
from errlint.project.registry import RegistryKind, is_status, number
from errlint.project.statuses import DEPTH, RPC_CODES, is_rpc, status_of
from errlint.rules import RULES


class Expected(NamedTuple):
    """The status an error should have, and who says so."""

    status: int
    by: str
    related: tuple[Related, ...] = ()


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the statuses in one file that differ from the expected ones."""
    yield from _of_types(project, path)
    for fault in project.commands.of(path, How.STATUS):
        yield Finding(path, fault.span, "ERR306", RULES["ERR306"].severity, fault.message, fault.function)
    if not project.codes.applies(path):
        return
    policy = project.policy(path)
    for function in project.modules[path].functions if project.codes.are_known(path) else ():
        for raised in function.raises:
            value = only(raised.value)
            fields = dict(project.codes.fields(path, function.name, value, policy))
            symbol = project.domain.class_of(path, function.name, value)
            yield from _compared(project, path, function.name, raised.span, fields, symbol)
        for found in function.returns:
            for problem in problems(found.value):
                yield from _compared(project, path, function.name, found.span, keyed(problem.value), None)
            if project.classifier.classify(path, function, found) is not None:
                parts = dict(project.codes.parts(path, function.name, found.value, policy))
                yield from _compared(project, path, function.name, found.span, parts, None)
    for error in project.fields.of(path) if policy.required else ():
        if not error.is_raised and error.payload is None and error.symbol is None:
            yield from _compared(project, path, error.function.name, error.span, dict(error.passed), None)
    for definition in project.modules[path].classes:
        symbol = ClassSymbol(path, definition)
        if project.domain.is_domain(symbol, policy):
            yield from _class(project, symbol)
    yield from _protocol(project, path)
    for function in project.modules[path].functions:
        if policy.codes.defaults or policy.codes.caught:
            yield from _by_case(project, path, function)
        if policy.codes.status:
            yield from _by_error(project, path, function)
    for table in project.modules[path].tables:
        if policy.codes.defaults:
            yield from _by_table(project, path, table)
        if policy.codes.status:
            yield from _of_table(project, path, table)


def _by_case(project: Project, path: str, function: Function) -> Iterator[Finding]:
    """Compare the codes that a function gives to statuses, and to what it catches, with those of the policy."""
    asks = Conditions(project, path, function.name)
    first = min((case.span for case in function.cases if _reads(asks, case)), default=None)
    for case in function.cases:
        message = _overridden(asks, case)
        code = _code(project, path, function, case)
        if not message and code is not None:
            message = _of_status(project, path, asks, case, code, first) or _of_caught(project, path, case, code)
        if message:
            yield Finding(path, case.span, "ERR306", RULES["ERR306"].severity, message, function.name)


def _reads(asks: Conditions, case: Case) -> bool:
    """Whether the code that the answer names is read where a case stands."""
    return asks.own_code(case.value) or any(
        asks.own_code(asked.subject) or asks.own_code(asked.value)
        for condition in case.conditions
        for asked in condition.tests
    )


def _code(project: Project, path: str, function: Function, case: Case) -> str | None:
    """Return the one code that a case raises, answers or keeps, ``None`` where it may be another one, or is none."""
    if case.how == "raise":
        found = {*project.codes.of_raise(path, function.name, case)}
    elif case.how in ("return", "assigned") and type(case.value) is not Variable:
        found = {item.text for item in project.codes.resolved(path, function.name, case.value)}
    else:
        return None
    code = found.pop() if len(found) == 1 else None
    return code if isinstance(code, str) and code in project.policy(path).codes.vocabulary else None


def _overridden(asks: Conditions, case: Case) -> str | None:
    """Say that a table of statuses is asked before the code of the answer."""
    for place, value in enumerate(case.alternatives):
        if asks.own_code(value):
            looked = any(asks.looks_up(before) for before in case.alternatives[:place])
            return _FIRST if looked else None
    is_own = type(only(case.value)) is Item and asks.own_code(case.value)
    if is_own and any(asks.looks_up(asked.subject) for item in case.conditions for asked in item.tests):
        return _FIRST
    return None


_FIRST = "the status decides before the code that the answer itself names; ask for that first"


def _of_status(project: Project, path: str, asks: Conditions, case: Case, code: str, first: Span | None) -> str | None:
    codes = project.policy(path).codes
    statuses = asks.statuses(case.conditions)
    named = asks.named(case.conditions)
    if named:
        if case.how == "assigned" or code in named:
            return None
        return f"the answer names {_listed(named)}, and here it becomes `{code}`"
    if not codes.defaults or statuses is None or not statuses or len(statuses) > WIDE:
        return None
    expected = {default(codes, status) for status in statuses}
    if asks.is_told_otherwise(case.conditions) or None in expected:
        return None
    shown = f"{min(statuses)}" if len(statuses) == 1 else f"{min(statuses)} to {max(statuses)}"
    if code not in expected:
        return f"a status of {shown} becomes `{code}` where the configuration says {_listed(expected)}"
    if case.how == "assigned":
        return None
    if first is not None and case.span < first:
        return _FIRST
    others = {name for name, item in codes.vocabulary.items() if item.status in statuses} - {code}
    if case.how == "raise" and first is None and len(statuses) == 1 and others and not _may_know(asks, case):
        return f"a status of {shown} may be {_listed(others)}, too; ask for the code that the answer names"
    return None


WIDE = 100
"""Conditions that leave more statuses choose no code."""


def _may_know(asks: Conditions, case: Case) -> bool:
    """Whether a condition asks for something that is no status: it may be what the answer names."""
    return any(not asks.asks_status(asked) for condition in case.conditions for asked in condition.tests)


def _of_caught(project: Project, path: str, case: Case, code: str) -> str | None:
    """Compare the code that a handler raises with those of what it catches."""
    codes = project.policy(path).codes
    if case.how != "raise" or not case.handlers or not case.handlers[0].types:
        return None
    if codes.vocabulary[code].retryable is None or any(item.span > case.caught[0] for item in case.conditions):
        return None
    expected: set[str] = set()
    for name in case.handlers[0].types:
        line = line_of(f"builtins.{name}") if "." not in name else (name,)
        fitting = (item for each in line for pattern, item in codes.caught.items() if matches(each, (pattern,)))
        found = next(fitting, None)
        if found is None:
            return None
        expected.update(found)
    if code in expected:
        return None
    caught = case.handlers[0].types[0]
    return f"a caught `{caught}` becomes `{code}` where the configuration says {_listed(expected)}"


def _by_table(project: Project, path: str, table: StoredDict) -> Iterator[Finding]:
    """Compare a table of statuses and codes with the policy's."""
    codes = project.policy(path).codes
    for key, value in table.entries:
        status = number(only(key))
        found = {item.text for item in project.codes.resolved(path, table.scope, value)}
        code = found.pop() if len(found) == 1 else None
        if status is None or not 400 <= status < 600 or code not in codes.vocabulary:
            continue
        expected = default(codes, status)
        if expected is not None and code != expected:
            message = f"a status of {status} becomes `{code}` where the configuration says `{expected}`"
            yield Finding(path, table.span, "ERR306", RULES["ERR306"].severity, message, table.scope)


def _of_table(project: Project, path: str, table: StoredDict) -> Iterator[Finding]:
    """Compare a table that gives statuses to codes, or to exception classes, with the policy's."""
    for key, value in table.entries:
        status = status_of(project, path, table.scope, value)
        symbol = project.domain.class_of(path, table.scope, key) if type(key) is Ref else None
        texts = {item.text for item in project.codes.resolved(path, table.scope, key)} if symbol is None else set()
        expected = _of_class(project, path, symbol) if symbol is not None else None
        if len(texts) == 1:
            expected = _of_code(project, path, texts.pop())
        if expected is not None and _differs(status, expected.status):
            name = symbol.definition.name if symbol is not None else project.fields.text(path, table.scope, key)
            message = f"`{name}` is {status} here where {expected.by} says {expected.status}"
            yield Finding(path, table.span, "ERR306", RULES["ERR306"].severity, message, table.scope)


def _by_error(project: Project, path: str, function: Function) -> Iterator[Finding]:
    """Compare the statuses that a function gives to the errors that it has caught, or tells apart."""
    names = frozenset(project.policy(path).codes.status_arguments)
    for case in function.cases:
        if case.how not in ("raise", "return", "assigned"):
            continue
        given = [*_given(project, path, function.name, case.value, names)]
        expected = _told(project, path, function, case) if given else None
        for name, value in given if expected is not None else ():
            status = status_of(project, path, function.name, value)
            if expected is not None and _differs(status, expected.status):
                what = f"`{name}` is {status}" if name else f"the status is {status}"
                message = f"{what} where {expected.by} says {expected.status}"
                yield Finding(path, case.span, "ERR306", RULES["ERR306"].severity, message, function.name)
                break


def _given(
    project: Project, path: str, scope: str, value: Value, names: frozenset[str], depth: int = 0
) -> Iterator[tuple[str, Value]]:
    """Yield the statuses that stand in a value by their names; a code of JSON-RPC may be the value itself, without one.

    What a domain exception is given is compared with what its own class has, what a variable holds where it was set.
    """
    if depth == 0 and type(value) is not Variable and is_rpc(status_of(project, path, scope, value)):
        yield "", value
    if type(value) is Call and depth < DEPTH:
        symbol = project.names.resolve(path, value.name, scope) if value.name else None
        if project.domain.is_domain(symbol, project.policy(path)):
            return
        for argument in value.arguments:
            if argument.name in names:
                yield argument.name, argument.value
            else:
                yield from _given(project, path, scope, argument.value, names, depth + 1)
    elif type(value) is Dict and depth < DEPTH:
        for entry in value.entries:
            if entry.key in names:
                yield entry.key, entry.value
            else:
                yield from _given(project, path, scope, entry.value, names, depth + 1)


def _told(project: Project, path: str, function: Function, case: Case) -> Expected | None:
    """Return the status that the policy has for what a case is about: caught, or told apart by class or code."""
    arguments = project.policy(path).codes.arguments
    first = case.caught[0] if case.caught else None
    types = case.handlers[0].types if case.handlers else ()
    for condition in case.conditions:
        if len(condition.tests) != 1 or (first is not None and condition.span < first):
            continue
        (asked,) = condition.tests
        subject = only(asked.subject)
        if asked.operator == "true" and type(subject) is Call and subject.name == "isinstance":
            asked_types = tuple(_class_names(subject.arguments[1].value)) if len(subject.arguments) == 2 else ()
            types = asked_types or types
        elif asked.operator == "==" and type(subject) is Ref and subject.name.rpartition(".")[2] in arguments:
            texts = {item.text for item in project.codes.resolved(path, function.name, asked.value)}
            if len(texts) == 1:
                return _of_code(project, path, texts.pop())
    found = [_of_caught_class(project, path, function.name, name) for name in types]
    known = {item.status for item in found if item is not None}
    return found[0] if len(known) == 1 and None not in found else None


def _class_names(value: Value) -> Iterator[str]:
    if type(value) is Ref:
        yield value.name
    elif type(value) is Sequence:
        yield from (item.name for item in value.items if type(item) is Ref)


def _of_caught_class(project: Project, path: str, scope: str, name: str) -> Expected | None:
    symbol = project.names.resolve(path, name, scope)
    return _of_class(project, path, symbol) if isinstance(symbol, ClassSymbol) else None


def _differs(status: int | None, expected: int) -> bool:
    """Whether a number is another status of the same kind: an exit status beside an HTTP status is none."""
    return status is not None and status != expected and is_rpc(status) is is_rpc(expected) and is_status(status)


def _listed(names: Iterable[str | None]) -> str:
    return " or ".join(f"`{name}`" for name in sorted(filter(None, names)))


def _of_types(project: Project, path: str) -> Iterator[Finding]:
    """Compare the status of an answer, and that which its type declares, with the one that the policy has for it."""
    by_status = project.policy(path).response.by_status
    if not by_status:
        return
    for error in project.fields.of(path):
        expected = _statuses(error.names, by_status) if error.name else []
        said = project.fields.text(path, error.function.name, error.passed.get("status"))
        if expected and said is not None and said not in expected:
            message = f"`status` of `{error.name}` is {said!r} where the configuration says {expected[0]!r}"
            yield Finding(path, error.span, "ERR306", RULES["ERR306"].severity, message, error.function.name)
    for definition in project.modules[path].classes:
        symbol = ClassSymbol(path, definition)
        expected = _statuses(project.hierarchy.ancestors(symbol)[:1], by_status)
        for entry, place in zip(definition.members or (), definition.places, strict=False):
            said = project.fields.text(path, "", entry.value) if expected and entry.key == "status" else None
            if said is not None and said not in expected:
                message = (
                    f"`{definition.name}` declares the status {said!r} where the configuration says {expected[0]!r}"
                )
                yield Finding(path, place, "ERR306", RULES["ERR306"].severity, message)


def _statuses(names: tuple[str, ...], by_status: Mapping[str, str]) -> list[str]:
    """Return the statuses of the type with one of these names."""
    return [status for status, pattern in by_status.items() if any(matches(name, (pattern,)) for name in names)]


def _compared(
    project: Project, path: str, scope: str, place: Span, fields: dict[str, Value], symbol: ClassSymbol | None
) -> Iterator[Finding]:
    codes = project.policy(path).codes
    given = next(((name, fields[name]) for name in codes.status_arguments if name in fields), None)
    status = number(only(given[1])) if given is not None else None
    if given is None or status is None:
        return
    values = [fields[name] for name in codes.arguments if name in fields and name != given[0]]
    texts = {found.text for value in values for found in project.codes.resolved(path, scope, value)}
    code = texts.pop() if len(texts) == 1 else None
    expected = _of_code(project, path, code) if code is not None else None
    if expected is None and symbol is not None:
        expected = _of_class(project, path, symbol)
    if expected is None and code is not None:
        expected = _of_namesake(project, path, code)
    if expected is not None and expected.status != status:
        message = f"`{given[0]}` is {status} where {expected.by} says {expected.status}"
        yield Finding(path, place, "ERR306", RULES["ERR306"].severity, message, scope, related=expected.related)


def _of_code(project: Project, path: str, code: str | int) -> Expected | None:
    codes = project.policy(path).codes
    if not isinstance(code, str):
        return None
    if code in codes.status:
        return Expected(codes.status[code], f"the configuration for `{code}`")
    for registry in (*project.codes.configured(path), *project.codes.recognised(path)):
        for item in registry.codes:
            if item.status is None or item.text != code:
                continue
            if registry.kind is RegistryKind.POLICY:
                return Expected(item.status, f"the configuration for `{code}`")
            related = (Related(registry.path, item.place, f"`{registry.short}` gives it {item.status}"),)
            return Expected(item.status, f"`{registry.short}`", related)
    return None


def _of_namesake(project: Project, path: str, code: str | int) -> Expected | None:
    """Return the status that all exception classes with a code have."""
    found = project.statuses.of_code(path, code) if isinstance(code, str) else None
    if found is None:
        return None
    status, symbol = found
    name = symbol.definition.name
    return Expected(status, f"`{name}`", (Related(symbol.path, symbol.definition.span, f"`{name}` has the same code"),))


def _of_class(project: Project, path: str, symbol: ClassSymbol) -> Expected | None:
    status = project.policy(path).codes.status
    for name in project.hierarchy.ancestors(symbol):
        for pattern, expected in status.items():
            if matches(name, (pattern,)):
                return Expected(expected, f"the configuration for `{name.rpartition('.')[2]}`")
    return None


def _class(project: Project, symbol: ClassSymbol) -> Iterator[Finding]:
    """Compare what a class says of itself with the policy, with its code, and with what its constructor hands on."""
    codes, definition = project.policy(symbol.path).codes, symbol.definition
    own, places, handed = project.statuses.fields(symbol)
    for name in codes.status_arguments:
        status = number(own[name]) if name in own else None
        passed = number(handed[name][0]) if name in handed else None
        place = places[name] if status is not None else handed[name][1] if passed is not None else definition.span
        said = status if status is not None else passed
        if said is None:
            continue
        if status is not None and passed is not None and status != passed:
            message = f"`{name}` is {status} in the class, but its constructor hands on {passed}"
            yield Finding(symbol.path, handed[name][1], "ERR306", RULES["ERR306"].severity, message)
            continue
        fields = {key: value for key, value in own.items() if key in codes.arguments}
        fields |= {key: value for key, (value, _) in handed.items() if key in codes.arguments}
        fields[name] = own[name] if status is not None else handed[name][0]
        yield from _compared(project, symbol.path, definition.name, place, fields, symbol)


def _protocol(project: Project, path: str) -> Iterator[Finding]:
    """Compare registries of JSON-RPC codes with the protocol."""
    for registry in project.codes.registered_in(path):
        for code in registry.codes:
            standard = RPC_CODES.get(code.member)
            if standard is None or not isinstance(code.value, int) or not -32769 < code.value < -31999:
                continue
            if code.value != standard:
                message = f"`{registry.spelled(code)}` is {code.value} where JSON-RPC says {standard}"
                yield Finding(path, code.place, "ERR306", RULES["ERR306"].severity, message)
