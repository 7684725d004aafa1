"""ERR403: an error lacks a field that the policy requires of it."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding
from errlint.project import Project
from errlint.project.required import missing
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the errors of one file that are made without a field the policy requires."""
    policy = project.policy(path)
    if not policy.required and not policy.payload.fields and not policy.payload.context:
        return
    for error in project.fields.of(path):
        lacking: dict[str, list[str]] = {}
        for field, reason in missing(project, error, policy):
            if field not in (found := lacking.setdefault(reason, [])):
                found.append(field)
        if not lacking:
            continue
        said = ", and ".join(
            " ".join(filter(None, (", ".join(f"`{field}`" for field in fields), reason)))
            for reason, fields in lacking.items()
        )
        what = f"`{error.name}`" if error.name else "the error payload"
        message = f"{what} lacks {said}; the policy requires it"
        yield Finding(path, error.span, "ERR403", RULES["ERR403"].severity, message, error.function.name)
