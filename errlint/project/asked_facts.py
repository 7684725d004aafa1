"""Which facts are asked of files: a rule that does not run, and a policy that does not speak of it, ask for nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from errlint.error_keywords import LOG_METHODS, SUCCESS_STATUS
from errlint.index.spelling import plain
from errlint.index.statements import EXITS
from errlint.index.vocabulary import Vocabulary
from errlint.project.fields import SINKS
from errlint.project.frameworks import REGISTRATIONS
from errlint.project.libraries import CALLS as RAISING
from errlint.project.logs import CONTEXTS
from errlint.project.promises import ENQUEUERS, TASKS
from errlint.project.routes import ROUTE_REGISTRATIONS
from errlint.rules import CATALOG_RULES, Need, needs
from errlint.settings import Policy, Settings, Style
from errlint.settings.policy import Payload, bare_name

TESTS_VOCABULARY = Vocabulary(inspections=True)
"""What is asked of tests: they are read as callers only."""


def vocabulary(settings: Settings) -> Vocabulary:
    """Return what is asked of files under these settings. A rule that does not run asks for nothing."""
    policies = list(settings.policies())
    boundaries = {
        bare_name(name)
        for policy in policies
        for boundary in policy.boundaries
        for name in (boundary.decorator, *boundary.converters)
    }
    rules = settings.rules
    need = needs(rules)
    modes = policies if Need.MODES in need else []
    works = [item.work for item in policies if "ERR212" in rules and item.work.availability]
    return Vocabulary(
        registrations=_last_parts((*REGISTRATIONS, *ROUTE_REGISTRATIONS), settings.adapters.registrations),
        boundaries=frozenset(filter(None, boundaries)),
        calls=tuple(sorted({name for policy in policies for name in _called_names(policy, rules)})),
        inspections=Need.INSPECTIONS in need,
        handlers=Need.HANDLERS in need,
        rebound=Need.REBOUND in need,
        swallows=Need.SWALLOWS in need,
        unread=Need.UNREAD in need,
        branches=Need.BRANCHES in need,
        deferring=tuple(sorted({name for policy in policies for name in _deferring(policy, rules)})),
        modes=frozenset(name for item in modes for name in item.work.modes),
        settings=frozenset(plain(name) for item in modes for name in _asked_settings(item)),
        guarded=_last_parts((), tuple(name for work in works for name in work.guarded)),
        checks=_last_parts((), tuple(name for work in works for name in work.availability)),
        cases=tuple(sorted({text for policy in policies for text in _asked_cases(policy, rules)})),
        records=_record_keys(policies, rules),
        terms=frozenset(_record_terms(policies, rules)),
    )


def _asked_settings(policy: Policy) -> Iterator[str]:
    """Yield the names of settings whose defaults, or whose readers, the policy speaks of."""
    yield from policy.work.defaults
    yield from (name for names in policy.work.parameters.values() for name in names)


def _asked_cases(policy: Policy, rules: frozenset[str]) -> Iterator[str]:
    """Yield what stands in functions of which the active rules want to know what they do under which conditions."""
    codes = policy.codes
    asks = {
        "ERR306": codes.defaults or codes.caught,
        "ERR307": codes.writes or any(code.retryable is not None for code in codes.vocabulary.values()),
        "ERR313": codes.validation or codes.refusals,
        "ERR401": policy.hints.mentions,
        "ERR408": policy.hints.verify and codes.writes,
        "ERR111": policy.work.kept,
        "ERR308": codes.classifiers and policy.work.guarded,
    }
    if "ERR303" in rules:
        yield from codes.vocabulary  # in enums and constants
    if "ERR301" in rules and (codes.vocabulary or codes.registry):
        yield from _read_fields(codes.arguments)
    if "ERR403" in rules:
        yield from _read_fields(name for item in policy.required for name in item.values)
    if "ERR306" in rules and codes.status:
        yield from (f"{name}=" for name in codes.status_arguments)
        yield from (f"{quote}{name}{quote}:" for name in codes.status_arguments for quote in "\"'")
        yield from (*codes.status, *(name for name, code in codes.vocabulary.items() if code.status is not None))
        yield from _read_fields(codes.arguments)
    if "ERR111" in rules and (policy.work.kept or policy.response.queued):
        yield from map(bare_name, policy.work.kept)
        yield from (bare_name(name) for key, name in policy.response.by_status.items() if SUCCESS_STATUS.fullmatch(key))
    if not any(asked and rule in rules for rule, asked in asks.items()):
        return
    yield from (*codes.vocabulary, *codes.defaults.values(), *filter(None, (codes.validation,)))
    yield from (*codes.arguments, *codes.status_arguments, *codes.retry_arguments)
    names = (*codes.writes, *policy.exceptions.root, *codes.prefixed, *codes.backend)
    pieces = (max(name.split("*"), key=len).lstrip(".") for name in names)
    yield from filter(None, (piece.rpartition(".")[2] or piece for piece in pieces))


def _read_fields(names: Iterable[str]) -> Iterator[str]:
    """Yield how code that reads a field of an object, and calls nothing, looks."""
    for name in names:
        yield from (f".{name}{sign}" for sign in " :)=!")
        yield from (f", {quote}{name}{quote}" for quote in "\"'")  # `getattr`


def _called_names(policy: Policy, rules: frozenset[str]) -> Iterator[str]:
    """Yield the last parts of the names of calls that the active rules ask about."""
    need = needs(rules)
    is_logged = policy.style is Style.LOG and not rules.isdisjoint(CATALOG_RULES)
    if is_logged or Need.LOGS in need or ("ERR211" in rules and policy.boundaries):
        yield from (*(LOG_METHODS - {"debug"}), *CONTEXTS)  # no error is told to those who debug
    if "ERR205" in rules:
        yield "gather"
    if Need.RAISES in need:
        yield from RAISING
    yield "getattr"  # what clients ask for may be looked up by it
    if "ERR313" in rules:
        yield from (name.rpartition(".")[2] for name in policy.codes.backend)
    if "ERR307" in rules:
        yield from (name.rpartition(".")[2] for name in policy.codes.writes)
    if "ERR309" in rules:
        yield from policy.taxonomy.waits
    if "ERR407" in rules:
        yield from (name.rpartition(".")[2] for name in policy.logs.writers)
    yield from _asked_calls(policy, rules)


def _deferring(policy: Policy, rules: frozenset[str]) -> Iterator[str]:
    """Yield the last parts of the names of calls that queue work, where an active rule asks about them."""
    if "ERR110" in rules and policy.response.queued:
        yield from TASKS
    if "ERR111" in rules:
        yield from ENQUEUERS
        yield from filter(None, (name.rpartition(".")[2] for name in policy.work.enqueue))


def _last_parts(builtin: tuple[str, ...], configured: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({*builtin, *(name.rpartition(".")[2] for name in configured)}))


def _record_keys(policies: Iterable[Policy], rules: frozenset[str]) -> tuple[str, ...]:
    """Return the key of the error records that the active rules follow, and their fields that say what to do."""
    for policy in policies:
        payload = policy.payload
        telling = {payload.type_field, payload.severity_field, payload.recovery_field} - {""}
        if policy.style is Style.LOG and payload.key and telling and Need.RECORDS in needs(rules):
            return (payload.key, *sorted(telling))
    return ()


def _record_terms(policies: Iterable[Policy], rules: frozenset[str]) -> Iterator[str]:
    """Yield what the fields of records may say: who hands such a text to a call may call a function that builds one."""
    for policy in policies:
        if _record_keys([policy], rules):
            yield from (*policy.taxonomy.severities, *policy.taxonomy.severities.values())
            for severity, recoveries in policy.taxonomy.recoveries.items():
                yield from (severity, *recoveries)
            yield from (*policy.taxonomy.stops, *policy.codes.vocabulary)


def _asked_calls(policy: Policy, rules: frozenset[str]) -> Iterator[str]:
    """Yield the last parts of the names of calls that rules about fields look at."""
    if "ERR408" in rules:
        yield from (bare_name(name) for name in policy.hints.verify)
    if "ERR309" in rules and policy.taxonomy.stops:
        yield from (*EXITS, *policy.taxonomy.saves)
    reads_payloads = Need.PAYLOADS in needs(rules) or not rules.isdisjoint(CATALOG_RULES)
    if policy.style is Style.LOG and policy.payload != Payload() and reads_payloads:
        yield from SINKS
    if Need.MADE in needs(rules):
        for item in policy.required:
            yield from (bare_name(name) for name in item.classes)
    if not rules.isdisjoint({"ERR306", "ERR307"}):
        yield from (bare_name(name) for name in policy.response.by_status.values())
