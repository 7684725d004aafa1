"""The list of rules: the one place where a code, its name, its severity and its default are written down.

A rule's code lives in ``errlint/checks/``, one module per rule, named after code and name; its page, with the
examples that test it, in ``rules/``.
"""

from __future__ import annotations

from typing import NamedTuple

from errlint.findings import Severity

_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO

PROJECT_URL = "https://github.com/errlint/errlint"


class Rule(NamedTuple):
    """One rule. ``default`` is false for rules that only run when a full code or ``ALL`` selects them."""

    code: str
    name: str
    severity: Severity
    summary: str
    default: bool = True

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
        Rule("ERR101", "hand-built-error-return", _E, "an error payload is written out at the return"),
        Rule("ERR102", "error-factory-return", _E, "a helper that only builds error payloads is called at the return"),
        Rule("ERR103", "error-string-return", _W, "adapter code answers an error as plain text"),
        Rule("ERR104", "error-tuple-return", _W, "an error path returns a tuple that looks like a success", False),
        Rule("ERR105", "error-object-return", _E, "an error model is returned instead of raised"),
        Rule("ERR106", "duplicate-error-builder", _W, "several factories build the same error shape"),
        Rule("ERR107", "mixed-error-shapes", _I, "one distribution answers errors in several shapes", False),
        Rule("ERR108", "stale-error-check", _E, "an error payload is looked for in what a raising function returns"),
        Rule("ERR109", "unchecked-error-result", _W, "nobody looks at a result that may say error", False),
        Rule("ERR110", "swallowed-error", _W, "a handler turns an exception into an ordinary answer", False),
        Rule("ERR111", "premature-success", _E, "success is answered although the work was only queued", False),
        Rule("ERR112", "unmarked-error-string", _I, "an error text that does not say that it is one", False),
        Rule("ERR113", "leaked-exception-text", _W, "the text of an unexpected exception reaches the client", False),
        Rule("ERR201", "undecorated-adapter", _E, "an adapter outside of every boundary"),
        Rule("ERR202", "misordered-boundary", _E, "the boundary is above the decorator that registers the adapter"),
        Rule(
            "ERR203", "empty-result-mismatch", _W, "the empty result of a boundary differs from the adapter's answers"
        ),
        Rule("ERR204", "malformed-operation", _W, "the operation given to a boundary is malformed, taken or another's"),
        Rule("ERR205", "swallowed-raise", _E, "a handler around a domain raise catches it before the boundary can"),
        Rule("ERR206", "foreign-raise", _W, "adapter code raises an exception that the boundary does not map", False),
        Rule("ERR207", "unchained-raise", _W, "a domain exception is raised in a handler without its cause", False),
        Rule(
            "ERR208",
            "shadowed-error-type",
            _E,
            "an error type or factory is redefined or shadowed after its import",
        ),
        Rule("ERR209", "unbound-in-handler", _E, "a handler uses a name that its own `try` binds first"),
        Rule("ERR210", "unexpected-raise", _E, "an adapter that has to answer errors lets an exception out", False),
        Rule("ERR211", "faulty-boundary", _E, "the boundary decorator itself loses or leaks what it has to convert"),
        Rule("ERR212", "unchecked-availability", _W, "a guarded call without the check of availability", False),
        Rule("ERR301", "unregistered-error-code", _E, "an error code that no registry has"),
        Rule("ERR302", "unused-error-code", _I, "a registered code that nothing uses", False),
        Rule("ERR303", "duplicate-error-code", _E, "two members or classes with one code"),
        Rule("ERR304", "literal-error-code", _W, "a code is written out although the registry has a name for it"),
        Rule("ERR305", "missing-code-prefix", _E, "a message that does not begin with its error code", False),
        Rule("ERR306", "status-mismatch", _E, "a status differs from what the registry, class or policy says"),
        Rule("ERR307", "retryability-mismatch", _E, "what an error says about retrying contradicts the policy", False),
        Rule(
            "ERR308", "message-branching", _W, "control flow decides on the text of an error instead of its code", False
        ),
        Rule("ERR309", "illegal-recovery", _E, "a recovery that does not go with the severity, or is not made", False),
        Rule("ERR310", "untested-error-code", _I, "no test mentions the code or a class that has it", False),
        Rule("ERR311", "unused-error-type", _I, "an exception class or response type that nobody uses", False),
        Rule("ERR312", "codeless-exception", _E, "a domain exception without a code of its own or inherited"),
        Rule(
            "ERR313", "wrong-phase-code", _W, "a code that belongs to the other side of the first backend call", False
        ),
        Rule("ERR314", "unhandled-mode", _E, "some modes of the policy are told apart, but not all", False),
        Rule("ERR401", "missing-hints", _E, "an error that needs hints has none"),
        Rule("ERR402", "empty-hints", _W, "a hint that is empty, a placeholder or the message again"),
        Rule("ERR403", "missing-required-field", _E, "an error lacks a field that the policy requires"),
        Rule("ERR404", "operation-mismatch", _W, "an error names another operation than the one that raises it"),
        Rule("ERR405", "unstructured-error-log", _W, "an error is logged without the fields of the policy", False),
        Rule("ERR406", "log-level-mismatch", _W, "an error is logged at another level than its severity's", False),
        Rule("ERR407", "missing-error-file", _E, "an error of this severity needs an error file", False),
        Rule("ERR408", "missing-verify-hint", _W, "a timeout on a write does not say how to verify it", False),
        Rule("ERR409", "double-logging", _I, "an error is logged and then raised to a boundary that logs it", False),
        Rule("ERR410", "malformed-problem", _E, "a problem object written by hand is not one of RFC 9457"),
        Rule("ERR411", "malformed-envelope", _E, "an error envelope is not what the policy declares", False),
        Rule("ERR501", "undocumented-error", _E, "an error that the code raises and no catalog has"),
        Rule("ERR502", "phantom-error", _E, "the catalog has an error that no code raises"),
        Rule("ERR503", "message-drift", _E, "a documented message that no error of that code or class says"),
        Rule("ERR504", "hint-drift", _W, "documented hints that the error which says the message does not have"),
        Rule("ERR505", "field-drift", _W, "a documented field that the error is not given, or the reverse"),
        Rule("ERR506", "raises-drift", _W, "documentation says that a tool raises or answers what it does not"),
        Rule("ERR507", "value-drift", _E, "a documented code or status that is not the error's"),
        Rule("ERR508", "dead-reference", _W, "a catalog refers to a file, heading or name that is not there"),
        Rule("ERR509", "contradictory-entry", _W, "two places of the catalogs describe one error differently"),
        Rule("ERR510", "stale-generated-region", _E, "a region of `errlint catalog write` that is out of date"),
        Rule("ERR901", "unused-suppression", _W, "a suppression comment that suppresses nothing"),
        Rule(
            "ERR902",
            "unknown-or-missing-code-in-suppression",
            _W,
            "a suppression comment without codes or with an unknown code",
        ),
        Rule("ERR903", "suppression-without-reason", _I, "a suppression comment that gives no reason", False),
        Rule("ERR904", "syntax-error", _E, "a file that cannot be parsed"),
        Rule("ERR905", "unresolved-setting", _E, "the configuration names something that the code does not have"),
        Rule("ERR906", "internal-error", _E, "a rule failed on a file; please report it"),
        Rule("ERR907", "unreadable-file", _E, "a file that cannot be read or decoded"),
    )
}
"""Every rule by its code, in the order of the codes."""

CATALOG_RULES = frozenset(f"ERR{number}" for number in range(501, 511))
DOCSTRING_RULES = frozenset({"ERR506"})
"""Those of them that also read docstrings, where the policy names the exceptions of the project."""
"""The rules that compare documents with the code: they run where there are such documents."""
