"""What is asked of files: for each rule what it needs, of a policy that speaks of everything, and nothing without."""

from __future__ import annotations

from pathlib import Path

import pytest

from errlint.error_keywords import LOG_METHODS
from errlint.index.statements import EXITS
from errlint.index.vocabulary import Vocabulary
from errlint.project.asked_facts import vocabulary
from errlint.project.fields import SINKS
from errlint.project.libraries import CALLS
from errlint.project.logs import CONTEXTS
from errlint.project.promises import ENQUEUERS, TASKS
from errlint.settings import Policy, Settings, Style
from errlint.settings.policy import (
    Boundary,
    Code,
    Codes,
    Exceptions,
    Hints,
    Logs,
    Payload,
    Requirement,
    Response,
    Taxonomy,
    Work,
)

CODES = Codes(
    registry=("shop:Code",),
    vocabulary={"gone": Code(status=410), "busy": Code(retryable=True)},
    arguments=("code",),
    status_arguments=("status",),
    retry_arguments=("again",),
    status={"Lost": 404},
    validation="invalid",
    backend=("db.query", "*.ask*"),
    defaults={"404": "absent"},
    writes=("db.save",),
    classifiers=("classify",),
)

FULL = Policy(
    boundaries=(Boundary(decorator="shop.handled", converters=("shop.converted",)),),
    exceptions=Exceptions(root=("shop.ShopError",)),
    codes=CODES,
    hints=Hints(keywords=("hints",), verify={"db.store": "api.check"}, mentions={"gone": ("find",)}),
    required=(Requirement(classes=("shop.Refused",), fields=("code",), values={"kind": ("a", "b")}),),
    payload=Payload(key="fault", fields=("kind", "text"), type_field="kind", severity_field="level"),
    taxonomy=Taxonomy(
        severities={"disk": "high"},
        recoveries={"high": ("stop",)},
        stops=("halt",),
        saves=("keep",),
        waits=("ask_user",),
    ),
    logs=Logs(writers=("files.report",)),
    response=Response(by_status={"404": "shop.Gone", "success": "shop.Found"}, queued=("shop.Queued",)),
    work=Work(
        enqueue=("jobs.push",),
        availability=("is_up",),
        guarded=("db.read",),
        modes=("strict", "loose"),
        kept=("shop.Kept",),
        defaults={"limit": "3"},
        parameters={"find": ("deep_mode",)},
    ),
)


def logged(policy: Policy) -> Policy:
    """Return a policy whose errors are reported in logs."""
    return Policy(**{name: getattr(policy, name) for name in policy.__struct_fields__} | {"style": Style.LOG})


def asked(rule: str, policy: Policy) -> Vocabulary:
    """Return what is asked of files for one rule, "" for none."""
    return vocabulary(Settings(root=Path(), policy=policy, rules=frozenset(filter(None, [rule]))))


GROUPS = {
    "(logs)": frozenset({*(LOG_METHODS - {"debug"}), *CONTEXTS}),
    "(raising)": frozenset(CALLS),
    "(exits)": frozenset(EXITS),
    "(sinks)": frozenset(SINKS),
}


def grouped(names: tuple[str, ...]) -> list[str]:
    """Return names of calls, those that go together by the name of their group; ``getattr`` is asked for always."""
    assert "getattr" in names
    groups = [name for name, group in GROUPS.items() if group <= {*names}]
    inside = {each for name in groups for each in GROUPS[name]}
    return sorted([*groups, *({*names} - inside - {"getattr"})])


CALLED: dict[str, list[str]] = {
    "": [],
    "ERR101": [],
    "ERR113": ["(raising)"],
    "ERR205": ["gather"],
    "ERR211": ["(logs)"],
    "ERR306": ["Found", "Gone", "Refused"],
    "ERR307": ["Found", "Gone", "save"],
    "ERR309": ["(exits)", "(logs)", "ask_user", "keep"],
    "ERR313": ["ask*", "query"],
    "ERR403": ["Refused"],
    "ERR405": ["(logs)"],
    "ERR407": ["(logs)", "report"],
    "ERR408": ["store"],
    "ERR410": ["Refused"],
    "ERR501": [],
}


@pytest.mark.parametrize(("rule", "names"), CALLED.items(), ids=CALLED)
def test_calls_are_asked_for(rule: str, names: list[str]) -> None:
    assert grouped(asked(rule, FULL).calls) == names


LOGGED: dict[str, list[str]] = {
    "": [],
    "ERR101": [],
    "ERR403": ["(sinks)", "Refused"],
    "ERR405": ["(logs)", "(sinks)"],
    "ERR501": ["(logs)", "(sinks)"],
}


@pytest.mark.parametrize(("rule", "names"), LOGGED.items(), ids=LOGGED)
def test_where_errors_are_logged_calls_are_asked_for(rule: str, names: list[str]) -> None:
    assert grouped(asked(rule, logged(FULL)).calls) == names


UNSAID: dict[str, list[str]] = {
    "ERR211": [],
    "ERR309": ["(logs)"],
    "ERR313": [],
    "ERR403": [],
    "ERR408": [],
    "ERR501": ["(logs)"],
}


@pytest.mark.parametrize(("rule", "names"), UNSAID.items(), ids=UNSAID)
def test_of_a_policy_that_says_nothing_calls_are_asked_for(rule: str, names: list[str]) -> None:
    assert grouped(asked(rule, Policy(style=Style.LOG)).calls) == names


FLAGS = {
    "inspections": "ERR108",
    "handlers": "ERR209",
    "rebound": "ERR208",
    "swallows": "ERR110",
    "unread": "ERR109",
    "branches": "ERR308",
}


@pytest.mark.parametrize(("flag", "rule"), FLAGS.items(), ids=FLAGS)
def test_a_rule_asks_for_its_own_facts(flag: str, rule: str) -> None:
    assert [name for name in FLAGS if getattr(asked(rule, FULL), name)] == [flag]
    assert not getattr(asked("ERR101", FULL), flag)


DEFERRING: dict[str, tuple[str, Policy, set[str]]] = {
    "a swallowed error where work may be queued": ("ERR110", FULL, {*TASKS}),
    "a swallowed error where none may": ("ERR110", Policy(), set()),
    "a premature success": ("ERR111", FULL, {*ENQUEUERS, "push"}),
    "a premature success without names": ("ERR111", Policy(), {*ENQUEUERS}),
    "another rule": ("ERR101", FULL, set()),
}


@pytest.mark.parametrize(("rule", "policy", "names"), DEFERRING.values(), ids=DEFERRING)
def test_calls_that_queue_work_are_asked_for_by(rule: str, policy: Policy, names: set[str]) -> None:
    assert {*asked(rule, policy).deferring} == names


def test_modes_settings_and_checks_are_asked_for_by_their_rules() -> None:
    told = asked("ERR314", FULL)
    assert told.modes == {"strict", "loose"}
    assert told.settings == {"limit", "deep_mode"}
    assert (told.guarded, told.checks) == ((), ())
    told = asked("ERR212", FULL)
    assert (told.guarded, told.checks) == (("read",), ("is_up",))
    assert (told.modes, told.settings) == (frozenset(), frozenset())
    unsaid = asked("ERR212", Policy(work=Work(guarded=("db.read",))))
    assert (unsaid.guarded, unsaid.checks) == ((), ())


def test_records_are_asked_for_where_errors_are_logged() -> None:
    told = asked("ERR309", logged(FULL))
    assert told.records == ("fault", "kind", "level")
    assert told.terms == {"disk", "high", "stop", "halt", "gone", "busy"}
    for other in (asked("ERR309", FULL), asked("ERR101", logged(FULL)), asked("ERR309", Policy(style=Style.LOG))):
        assert (other.records, other.terms) == ((), frozenset())


READ = {f".code{sign}" for sign in " :)=!"} | {f", {quote}code{quote}" for quote in "\"'"}
READ_KIND = {each.replace("code", "kind") for each in READ}
PHASES = {"gone", "busy", "absent", "invalid", "code", "status", "again", "save", "ShopError", "query", "ask"}

CASES: dict[str, set[str]] = {
    "": set(),
    "ERR101": set(),
    "ERR111": {*PHASES, "Kept", "Found"},
    "ERR301": READ,
    "ERR303": {"gone", "busy"},
    "ERR306": {*PHASES, *READ, "status=", "'status':", '"status":', "Lost"},
    "ERR307": PHASES,
    "ERR308": PHASES,
    "ERR313": PHASES,
    "ERR401": PHASES,
    "ERR403": READ_KIND,
    "ERR408": PHASES,
}


@pytest.mark.parametrize(("rule", "texts"), CASES.items(), ids=CASES)
def test_functions_with_these_texts_are_asked_for_their_cases(rule: str, texts: set[str]) -> None:
    assert {*asked(rule, FULL).cases} == texts


@pytest.mark.parametrize("rule", [rule for rule in CASES if rule])
def test_a_policy_that_says_nothing_asks_for_no_cases(rule: str) -> None:
    assert asked(rule, Policy()).cases == ()


def test_codes_with_a_status_are_asked_for_where_statuses_are() -> None:
    codes = Codes(status={"Lost": 404}, vocabulary={"gone": Code(status=410), "busy": Code(retryable=True)})
    cases = asked("ERR306", Policy(codes=codes)).cases
    assert {*cases} & {"Lost", "gone", "busy"} == {"Lost", "gone"}


SAID: dict[str, tuple[str, Policy, bool]] = {
    "codes by the vocabulary alone": ("ERR301", Policy(codes=Codes(vocabulary={"gone": Code()})), True),
    "codes by a registry alone": ("ERR301", Policy(codes=Codes(registry=("shop:Code",))), True),
    "the code of a status": ("ERR306", Policy(codes=Codes(defaults={"404": "absent"})), True),
    "the code of what is caught": ("ERR306", Policy(codes=Codes(caught={"OSError": ("gone",)})), True),
    "calls that write": ("ERR307", Policy(codes=Codes(writes=("db.save",))), True),
    "codes to retry": ("ERR307", Policy(codes=Codes(vocabulary={"busy": Code(retryable=False)})), True),
    "codes that say nothing of that": ("ERR307", Policy(codes=Codes(vocabulary={"busy": Code(status=503)})), False),
    "a code for parameters": ("ERR313", Policy(codes=Codes(validation="invalid")), True),
    "codes of refusals": ("ERR313", Policy(codes=Codes(refusals={"is_open": ("closed",)})), True),
    "verified writes without writes": ("ERR408", Policy(hints=Hints(verify={"save": "check"})), False),
    "what answers that work is queued": (
        "ERR111",
        Policy(response=Response(by_status={"success": "shop.Found"}, queued=("shop.Queued",))),
        True,
    ),
    "what answers success alone": ("ERR111", Policy(response=Response(by_status={"success": "shop.Found"})), False),
    "classifiers without guarded calls": ("ERR308", Policy(codes=Codes(classifiers=("classify",))), False),
    "guarded calls without classifiers": ("ERR308", Policy(work=Work(guarded=("db.read",))), False),
}


@pytest.mark.parametrize(("rule", "policy", "is_asked"), SAID.values(), ids=SAID)
def test_cases_are_asked_for_where_a_policy_names(rule: str, policy: Policy, is_asked: bool) -> None:
    assert bool(asked(rule, policy).cases) is is_asked


def test_boundaries_are_asked_for_by_their_last_names() -> None:
    assert asked("", FULL).boundaries == {"handled", "converted"}
    assert asked("", Policy(boundaries=(Boundary(),))).boundaries == frozenset()
