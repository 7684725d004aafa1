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
        Rule("ERR112", "unmarked-error-string", _I, "an error text that does not say that it is one", False),
        Rule("ERR113", "leaked-exception-text", _W, "the text of an unexpected exception reaches the client", False),
        Rule(
            "ERR208",
            "shadowed-error-type",
            _E,
            "an error type or factory is redefined or shadowed after its import",
        ),
        Rule("ERR209", "unbound-in-handler", _E, "a handler uses a name that its own `try` binds first"),
        Rule("ERR901", "unused-suppression", _W, "a suppression comment that suppresses nothing"),
        Rule(
            "ERR902",
            "unknown-or-missing-code-in-suppression",
            _W,
            "a suppression comment without codes or with an unknown code",
        ),
        Rule("ERR903", "suppression-without-reason", _I, "a suppression comment that gives no reason", False),
        Rule("ERR904", "syntax-error", _E, "a file that cannot be parsed"),
        Rule("ERR906", "internal-error", _E, "a rule failed on a file; please report it"),
        Rule("ERR907", "unreadable-file", _E, "a file that cannot be read or decoded"),
    )
}
"""Every rule by its code, in the order of the codes."""
