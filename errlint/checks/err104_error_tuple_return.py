"""ERR104: an error path returns a tuple that looks like a success."""

from __future__ import annotations

import re
from collections.abc import Iterator

from errlint.checks import wording
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.payload_shapes import FormKind
from errlint.settings import Style

_PREDICATE = re.compile(
    r"_*(?:is|has|can|should|check|validate|verify|ensure|test|probe|authenticate|authorize)(?:_|$)"
)
"""Functions whose contract is to answer ``(bool, reason)``."""


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the error tuples that the functions of one file return; validators and probes excepted."""
    if project.policy(path).style is Style.LOG:
        return
    for site in project.sites.of(path):
        if site.form.kind is not FormKind.TUPLE or _PREDICATE.match(site.function.name.rpartition(".")[2]):
            continue
        message = (
            f"{wording.subject(project, site)} returns an error as a tuple ({wording.keys(site.form.shape)} first) "
            f"that callers must take apart; {wording.remedy(project, site)} instead"
        )
        yield wording.finding(site, "ERR104", message)
