"""ERR410: a problem object that is written by hand is not one of RFC 9457."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding
from errlint.project import Project
from errlint.project.problems import flaws, problems
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the answers of one file with a malformed problem object."""
    payload = project.policy(path).payload
    for function in project.modules[path].functions:
        for found in function.returns:
            said = dict.fromkeys(flaw for problem in problems(found.value) for flaw in flaws(problem, payload))
            if said:
                message = f"the problem object {', '.join(said)}; RFC 9457 has type, title, status, detail and instance"
                yield Finding(path, found.span, "ERR410", RULES["ERR410"].severity, message, function.name)
