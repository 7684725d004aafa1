"""ERR208: an error class, response type or factory is bound again after its import or definition."""

from __future__ import annotations

import re
from collections.abc import Iterator

from errlint.facts import Rebound
from errlint.findings import Finding, Related
from errlint.project import Project
from errlint.project.names import FunctionSymbol
from errlint.rules import RULES
from errlint.settings.policy import bare_name

_ERROR_TYPE = re.compile(r"[A-Z]\w*(?:Error|Exception|Failure|Fault)$|(?:[A-Z]\w*)?(?:Error|Failure|Problem)[A-Z]\w*$")
_VERBS = {"import": "imported again from elsewhere", "class": "defined as a class again", "def": "defined again"}


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the statements of one file that take the name of an error type or factory for something else."""
    for found in project.modules[path].rebound:
        if not _is_of_errors(project, path, found):
            continue
        how = _VERBS.get(found.how, "assigned to")
        before = "imported" if found.before == "import" else "defined"
        yield Finding(
            path,
            found.span,
            "ERR208",
            RULES["ERR208"].severity,
            f"`{found.name}` is {how} here, so the one {before} in line {found.first.line} can no longer be raised, "
            "caught or called by this name; give one of them another name",
            related=(Related(path, found.first, f"`{found.name}` is {before} here"),),
        )


def _is_of_errors(project: Project, path: str, found: Rebound) -> bool:
    if _ERROR_TYPE.match(found.name):
        return True
    policy = project.policy(path)
    named = {*policy.exceptions.root, *policy.response.types, *policy.response.queued, *policy.response.factories}
    named.update(name for boundary in policy.boundaries for name in boundary.converters)
    if found.name in {bare_name(name) for name in named}:
        return True
    return any(
        function.name == found.name and project.classifier.factory(FunctionSymbol(path, function)) is not None
        for function in project.modules[path].functions
    )
