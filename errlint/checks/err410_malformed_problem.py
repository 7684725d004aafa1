"""ERR410: a problem object that is written by hand is not one of RFC 9457."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding
from errlint.project import Project
from errlint.project.fields import is_meant
from errlint.project.problems import flaws, problems, wrong_types
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the answers of one file with a malformed problem object."""
    policy = project.policy(path)
    payload = policy.payload
    makers = [item for item in policy.required if not item.inside and {"type", "title", "status"} <= {*item.fields}]
    for error in project.fields.of(path) if makers else ():
        if error.payload is None and any(is_meant(error, item.classes) for item in makers):
            said = dict.fromkeys(wrong_types(error.passed))
            if said:
                message = f"the problem object of `{error.name}` {', '.join(said)}"
                yield Finding(path, error.span, "ERR410", RULES["ERR410"].severity, message, error.function.name)
    for function in project.modules[path].functions:
        for found in function.returns:
            said = dict.fromkeys(flaw for problem in problems(found.value) for flaw in flaws(problem, payload))
            if said:
                message = f"the problem object {', '.join(said)}; RFC 9457 has type, title, status, detail and instance"
                yield Finding(path, found.span, "ERR410", RULES["ERR410"].severity, message, function.name)
