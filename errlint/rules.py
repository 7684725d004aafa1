"""The list of rules: the one place where is written down what is said of a rule by its code.

A rule's code lives in ``errlint/checks/``, one module per rule, named after code and name; its page, with the
examples that test it, in ``rules/``.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, Flag, auto
from functools import reduce
from operator import or_
from typing import NamedTuple

from errlint.findings import Severity

_AGREEMENT = "a catalog that agrees"
_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO

PROJECT_URL = "https://github.com/errlint/errlint"


class Subject(Enum):
    """What a rule is asked about, and when."""

    FILE = auto()
    """Each file by itself."""
    SUPPRESSIONS = auto()
    """Each file, once it is known what its comments suppressed."""
    DOCUMENTS = auto()
    """The run as a whole, where there are documents that are compared with the code."""
    DOCSTRINGS = auto()
    """As DOCUMENTS, and without any: docstrings are documents to it."""
    SETTINGS = auto()
    """The run as a whole, for what its settings name."""
    ERRLINT = auto()
    """Nothing: errlint reports it of itself."""


class Need(Flag):
    """Facts that are only collected where a rule that runs needs them."""

    INSPECTIONS = auto()
    """Where a result is looked at for an error, in tests as well."""
    HANDLERS = auto()
    """Handlers that use a name of their own ``try``."""
    REBOUND = auto()
    """Names that a module binds more than once."""
    SWALLOWS = auto()
    """Handlers that swallow what they catch."""
    UNREAD = auto()
    """Calls whose results nobody reads."""
    BRANCHES = auto()
    """Conditions on the text of an error."""
    MODES = auto()
    """What functions say of the modes of the policy."""
    COUNTS = auto()
    """How often names occur."""
    LOGS = auto()
    """Calls of loggers."""
    RAISES = auto()
    """Raises of any class, and calls that raise."""
    PAYLOADS = auto()
    """The fields of payloads, and what becomes of these."""
    RECORDS = auto()
    """Error records, from where they are built on."""
    MADE = auto()
    """What those classes and functions are given that ``[[required]]`` names."""


class Fix(Enum):
    """Who plans the fix of a finding."""

    NONE = auto()
    RAISE = auto()
    """:mod:`errlint.fix.plan`: the error return becomes a raise, and its callers change with it."""
    OWN = auto()
    """The module of :mod:`errlint.fix.rules` that is named after the code."""


class Rule(NamedTuple):
    """One rule.

    ``default`` is false for rules that only run when a full code or ``ALL`` selects them. ``fixes_ask_for`` says what a
    finding asks for that the fix of another rule may bring, "" for rules of which a fix brings no finding.
    ``is_of_many`` is true where a finding is about several places, and moves to the next one when the first is mended;
    ``is_fatal`` where it says that a file or rule was not looked at: it is never switched off or suppressed.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    default: bool = True
    scope: Subject = Subject.FILE
    needs: Need = Need(0)
    fix: Fix = Fix.NONE
    fixes_ask_for: str = ""
    is_of_many: bool = False
    is_fatal: bool = False

    @property
    def page(self) -> str:
        """File name of the rule's page in ``rules/``."""
        return f"{self.code}-{self.name}.md"

    @property
    def url(self) -> str:
        """Where the page is published."""
        return f"{PROJECT_URL}/blob/main/rules/{self.page}"

    @property
    def module(self) -> str:
        """Name of the module in ``errlint.checks`` that holds the rule."""
        return f"{self.code.lower()}_{self.name.replace('-', '_')}"


RULES: dict[str, Rule] = {
    rule.code: rule
    for rule in (
        Rule("ERR101", "hand-built-error-return", _E, "an error payload is written out at the return", fix=Fix.RAISE),
        Rule(
            "ERR102",
            "error-factory-return",
            _E,
            "a helper that only builds error payloads is called at the return",
            fix=Fix.RAISE,
        ),
        Rule("ERR103", "error-string-return", _W, "adapter code answers an error as plain text", fix=Fix.RAISE),
        Rule("ERR104", "error-tuple-return", _W, "an error path returns a tuple that looks like a success", False),
        Rule("ERR105", "error-object-return", _E, "an error model is returned instead of raised", fix=Fix.RAISE),
        Rule("ERR106", "duplicate-error-builder", _W, "several factories build the same error shape", is_of_many=True),
        Rule(
            "ERR107",
            "mixed-error-shapes",
            _I,
            "one distribution answers errors in several shapes",
            False,
            is_of_many=True,
        ),
        Rule(
            "ERR108",
            "stale-error-check",
            _E,
            "an error payload is looked for in what a raising function returns",
            needs=Need.INSPECTIONS | Need.RECORDS,
        ),
        Rule(
            "ERR109",
            "unchecked-error-result",
            _W,
            "nobody looks at a result that may say error",
            False,
            needs=Need.UNREAD | Need.RECORDS,
        ),
        Rule(
            "ERR110",
            "swallowed-error",
            _W,
            "a handler turns an exception into an ordinary answer",
            False,
            needs=Need.SWALLOWS,
        ),
        Rule("ERR111", "premature-success", _E, "success is answered although the work was only queued", False),
        Rule("ERR112", "unmarked-error-string", _I, "an error text that does not say that it is one", False),
        Rule(
            "ERR113",
            "leaked-exception-text",
            _W,
            "the text of an unexpected exception reaches the client",
            False,
            needs=Need.RAISES,
        ),
        Rule("ERR201", "undecorated-adapter", _E, "an adapter outside of every boundary", fix=Fix.OWN),
        Rule(
            "ERR202",
            "misordered-boundary",
            _E,
            "the boundary is above the decorator that registers the adapter",
            fix=Fix.OWN,
        ),
        Rule(
            "ERR203",
            "empty-result-mismatch",
            _W,
            "the empty result of a boundary differs from the adapter's answers",
            fix=Fix.OWN,
        ),
        Rule("ERR204", "malformed-operation", _W, "the operation given to a boundary is malformed, taken or another's"),
        Rule(
            "ERR205",
            "swallowed-raise",
            _E,
            "a handler around a domain raise catches it before the boundary can",
            fix=Fix.OWN,
        ),
        Rule(
            "ERR206",
            "foreign-raise",
            _W,
            "adapter code raises an exception that the boundary does not map",
            False,
            needs=Need.RAISES,
        ),
        Rule(
            "ERR207",
            "unchained-raise",
            _W,
            "a domain exception is raised in a handler without its cause",
            False,
            fix=Fix.OWN,
        ),
        Rule(
            "ERR208",
            "shadowed-error-type",
            _E,
            "an error type or factory is redefined or shadowed after its import",
            needs=Need.REBOUND,
        ),
        Rule(
            "ERR209",
            "unbound-in-handler",
            _E,
            "a handler uses a name that its own `try` binds first",
            needs=Need.HANDLERS,
        ),
        Rule(
            "ERR210",
            "unexpected-raise",
            _E,
            "an adapter that has to answer errors lets an exception out",
            False,
            needs=Need.RAISES,
        ),
        Rule("ERR211", "faulty-boundary", _E, "the boundary decorator itself loses or leaks what it has to convert"),
        Rule("ERR212", "unchecked-availability", _W, "a guarded call without the check of availability", False),
        Rule(
            "ERR301",
            "unregistered-error-code",
            _E,
            "an error code that no registry has",
            needs=Need.RECORDS,
            fix=Fix.OWN,
        ),
        Rule("ERR302", "unused-error-code", _I, "a registered code that nothing uses", False, needs=Need.COUNTS),
        Rule("ERR303", "duplicate-error-code", _E, "two members or classes with one code"),
        Rule(
            "ERR304",
            "literal-error-code",
            _W,
            "a code is written out although the registry has a name for it",
            fix=Fix.OWN,
        ),
        Rule(
            "ERR305", "missing-code-prefix", _E, "a message that does not begin with its error code", False, fix=Fix.OWN
        ),
        Rule(
            "ERR306",
            "status-mismatch",
            _E,
            "a status differs from what the registry, class or policy says",
            needs=Need.MADE,
        ),
        Rule("ERR307", "retryability-mismatch", _E, "what an error says about retrying contradicts the policy", False),
        Rule(
            "ERR308",
            "message-branching",
            _W,
            "control flow decides on the text of an error instead of its code",
            False,
            needs=Need.BRANCHES,
        ),
        Rule(
            "ERR309",
            "illegal-recovery",
            _E,
            "a recovery that does not go with the severity, or is not made",
            False,
            needs=Need.LOGS | Need.PAYLOADS | Need.RECORDS,
            fix=Fix.OWN,
        ),
        Rule(
            "ERR310",
            "untested-error-code",
            _I,
            "no test mentions the code or a class that has it",
            False,
            needs=Need.COUNTS | Need.MODES,
            fixes_ask_for="a test",
        ),
        Rule(
            "ERR311",
            "unused-error-type",
            _I,
            "an exception class or response type that nobody uses",
            False,
            needs=Need.COUNTS,
        ),
        Rule("ERR312", "codeless-exception", _E, "a domain exception without a code of its own or inherited"),
        Rule(
            "ERR313", "wrong-phase-code", _W, "a code that belongs to the other side of the first backend call", False
        ),
        Rule(
            "ERR314",
            "unhandled-mode",
            _E,
            "some modes of the policy are told apart, but not all",
            False,
            needs=Need.MODES,
        ),
        Rule("ERR401", "missing-hints", _E, "an error that needs hints has none", fixes_ask_for="hints"),
        Rule(
            "ERR402",
            "empty-hints",
            _W,
            "a hint that is empty, a placeholder or the message again",
            fixes_ask_for="hints",
        ),
        Rule(
            "ERR403",
            "missing-required-field",
            _E,
            "an error lacks a field that the policy requires",
            needs=Need.PAYLOADS | Need.RECORDS | Need.MADE,
            fixes_ask_for="fields",
            fix=Fix.OWN,
        ),
        Rule(
            "ERR404",
            "operation-mismatch",
            _W,
            "an error names another operation than the one that raises it",
            fixes_ask_for="the right operation",
            fix=Fix.OWN,
        ),
        Rule(
            "ERR405",
            "unstructured-error-log",
            _W,
            "an error is logged without the fields of the policy",
            False,
            needs=Need.LOGS | Need.PAYLOADS | Need.RECORDS,
            fix=Fix.OWN,
        ),
        Rule(
            "ERR406",
            "log-level-mismatch",
            _W,
            "an error is logged at another level than its severity's",
            False,
            needs=Need.LOGS | Need.PAYLOADS | Need.RECORDS,
            fix=Fix.OWN,
        ),
        Rule(
            "ERR407",
            "missing-error-file",
            _E,
            "an error of this severity needs an error file",
            False,
            needs=Need.LOGS | Need.PAYLOADS | Need.RECORDS,
        ),
        Rule("ERR408", "missing-verify-hint", _W, "a timeout on a write does not say how to verify it", False),
        Rule(
            "ERR409",
            "double-logging",
            _I,
            "an error is logged and then raised to a boundary that logs it",
            False,
            needs=Need.LOGS,
        ),
        Rule(
            "ERR410",
            "malformed-problem",
            _E,
            "a problem object written by hand is not one of RFC 9457",
            needs=Need.MADE,
        ),
        Rule("ERR411", "malformed-envelope", _E, "an error envelope is not what the policy declares", False),
        Rule(
            "ERR501",
            "undocumented-error",
            _E,
            "an error that the code raises and no catalog has",
            scope=Subject.DOCUMENTS,
            fixes_ask_for="a place in the catalog",
        ),
        Rule(
            "ERR502",
            "phantom-error",
            _E,
            "the catalog has an error that no code raises",
            scope=Subject.DOCUMENTS,
        ),
        Rule(
            "ERR503",
            "message-drift",
            _E,
            "a documented message that no error of that code or class says",
            scope=Subject.DOCUMENTS,
            fixes_ask_for=_AGREEMENT,
        ),
        Rule(
            "ERR504",
            "hint-drift",
            _W,
            "documented hints that the error which says the message does not have",
            scope=Subject.DOCUMENTS,
            fixes_ask_for=_AGREEMENT,
        ),
        Rule(
            "ERR505",
            "field-drift",
            _W,
            "a documented field that the error is not given, or the reverse",
            scope=Subject.DOCUMENTS,
            fixes_ask_for=_AGREEMENT,
        ),
        Rule(
            "ERR506",
            "raises-drift",
            _W,
            "documentation says that a tool raises or answers what it does not",
            scope=Subject.DOCSTRINGS,
            fixes_ask_for=_AGREEMENT,
        ),
        Rule(
            "ERR507",
            "value-drift",
            _E,
            "a documented code or status that is not the error's",
            scope=Subject.DOCUMENTS,
            fixes_ask_for=_AGREEMENT,
        ),
        Rule(
            "ERR508",
            "dead-reference",
            _W,
            "a catalog refers to a file, heading or name that is not there",
            scope=Subject.DOCUMENTS,
        ),
        Rule(
            "ERR509",
            "contradictory-entry",
            _W,
            "two places of the catalogs describe one error differently",
            scope=Subject.DOCUMENTS,
        ),
        Rule(
            "ERR510",
            "stale-generated-region",
            _E,
            "a region of `errlint catalog write` that is out of date",
            scope=Subject.DOCUMENTS,
            fixes_ask_for=_AGREEMENT,
        ),
        Rule(
            "ERR901",
            "unused-suppression",
            _W,
            "a suppression comment that suppresses nothing",
            scope=Subject.SUPPRESSIONS,
            fixes_ask_for="the end of a suppression",
            fix=Fix.OWN,
        ),
        Rule(
            "ERR902",
            "unknown-or-missing-code-in-suppression",
            _W,
            "a suppression comment without codes or with an unknown code",
        ),
        Rule("ERR903", "suppression-without-reason", _I, "a suppression comment that gives no reason", False),
        Rule("ERR904", "syntax-error", _E, "a file that cannot be parsed", is_fatal=True),
        Rule(
            "ERR905",
            "unresolved-setting",
            _E,
            "the configuration names something that the code does not have",
            scope=Subject.SETTINGS,
        ),
        Rule(
            "ERR906",
            "internal-error",
            _E,
            "a rule failed on a file; please report it",
            scope=Subject.ERRLINT,
            is_fatal=True,
        ),
        Rule("ERR907", "unreadable-file", _E, "a file that cannot be read or decoded", is_fatal=True),
    )
}
"""Every rule by its code, in the order of the codes."""

_CODES = {rule.name: code for code, rule in RULES.items()}


def code_of(word: str) -> str:
    """Return the code of the rule with this name; any other word as it stands."""
    return _CODES.get(word, word)


CATALOG_RULES = frozenset(code for code, rule in RULES.items() if rule.scope in (Subject.DOCUMENTS, Subject.DOCSTRINGS))
"""The rules that compare documents with the code: they run where there are such documents."""

DOCSTRING_RULES = frozenset(code for code, rule in RULES.items() if rule.scope is Subject.DOCSTRINGS)
"""Those of them that also read docstrings, where the policy names the exceptions of the project."""

FATAL_RULES = frozenset(code for code, rule in RULES.items() if rule.is_fatal)
"""A file that was not read and a rule that failed never pass silently, whatever is selected or suppressed."""


def needs(codes: Iterable[str]) -> Need:
    """Return what the rules with some codes need."""
    return reduce(or_, (RULES[code].needs for code in codes), Need(0))
