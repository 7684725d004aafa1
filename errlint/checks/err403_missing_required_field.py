"""ERR403: an error lacks a field that the policy requires of it."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import short
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.matched import unknown_values
from errlint.project.required import incomplete, missing, undeclared, unfilled, unfit
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the errors of one file that are made without a field the policy requires."""
    policy = project.policy(path)
    for function, span, names in incomplete(project, path):
        listed = ", ".join(f"`{name}`" for name in names)
        message = f"the success that `{short(function.name)}` answers lacks {listed}; the policy requires it"
        yield Finding(path, span, "ERR403", RULES["ERR403"].severity, message, function.name)
    for span, name, fields in undeclared(project, path):
        listed = ", ".join(f"`{field}`" for field in fields)
        message = f"`{name}` declares no {listed}, so that no object of it can have it; the policy requires it"
        yield Finding(path, span, "ERR403", RULES["ERR403"].severity, message)
    for span, name, fields in unfilled(project, path):
        listed = ", ".join(f"`{field}`" for field in fields)
        message = f"the constructor of `{name}` fills in no {listed}, and nobody else can; the policy requires it"
        yield Finding(path, span, "ERR403", RULES["ERR403"].severity, message, f"{name}.__init__")
    if not policy.required and not policy.payload.fields and not policy.payload.context:
        return
    for each, allowed in unknown_values(project, path):
        listed = ", ".join(f"`{value}`" for value in allowed)
        message = f"`{each.field}` is compared with {each.text!r}, which no error has there; it is one of {listed}"
        yield Finding(path, each.span, "ERR403", RULES["ERR403"].severity, message, each.function.name)
    for record in project.records.of(path):
        for span in record.fact.printed if record.fact is not None else ():
            message = "the error payload is printed as a dict, which is no JSON; print `json.dumps` of it"
            yield Finding(path, span, "ERR403", RULES["ERR403"].severity, message, record.function.name)
    for error in project.fields.of(path):
        lacking: dict[str, list[str]] = {}
        for field, reason in missing(project, error, policy):
            if field not in (found := lacking.setdefault(reason, [])):
                found.append(field)
        wrong = list(dict.fromkeys(unfit(project, error, policy)))
        if not lacking and not wrong:
            continue
        said = ", and ".join(
            " ".join(filter(None, (", ".join(f"`{field}`" for field in fields), reason)))
            for reason, fields in lacking.items()
        )
        what = f"`{error.name}`" if error.name else "the error payload"
        message = "; ".join(
            [
                *([f"{what} lacks {said}; the policy requires it"] if lacking else []),
                *(f"of {what} {each}" for each in wrong),
            ]
        )
        yield Finding(path, error.span, "ERR403", RULES["ERR403"].severity, message, error.function.name)
