"""ERR902: a suppression comment without codes, with an unknown code, or with a name where it takes none."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding
from errlint.project import Project
from errlint.rules import RULES, code_of
from errlint.suggest import did_you_mean, did_you_mean_code


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the suppressions of one file that cannot work as they are written."""
    for suppression in project.modules[path].suppressions:
        if not suppression.own:
            for name in suppression.codes:
                if name not in RULES:
                    message = f"`noqa` takes codes alone, so {name} suppresses nothing; write `noqa: {code_of(name)}`"
                    yield Finding(path, suppression.span, "ERR902", RULES["ERR902"].severity, message)
            continue
        if not suppression.codes:
            message = "a suppression without codes suppresses nothing; write `ignore[CODE] reason`"
            yield Finding(path, suppression.span, "ERR902", RULES["ERR902"].severity, message)
        for code in suppression.codes:
            if code not in RULES:
                names = [rule.name for rule in RULES.values()]
                hint = did_you_mean_code(code, RULES) or did_you_mean(code, names)
                message = f"there is no rule {code}" + (f"; {hint}" if hint else "")
                yield Finding(path, suppression.span, "ERR902", RULES["ERR902"].severity, message)
