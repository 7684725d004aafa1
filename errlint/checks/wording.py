"""The sentences that several rules share: what is returned, by whom, whom it reaches, and what to do instead."""

from __future__ import annotations

from errlint.findings import Finding, Related, Severity
from errlint.project import Project
from errlint.project.domain import matches
from errlint.project.drift.differing import Difference
from errlint.project.drift.documented import place_of
from errlint.project.payload_shapes import FormKind
from errlint.project.raise_outcome import answers_for_exempt
from errlint.project.return_sites import ReturnSite
from errlint.rules import RULES
from errlint.settings import Style
from errlint.settings.policy import bare_name

_SHOWN = 80
"""So much of a text is shown in a message."""


def finding(
    site: ReturnSite, code: str, message: str, severity: Severity | None = None, related: tuple[Related, ...] = ()
) -> Finding:
    """Return the finding of a rule at an error return."""
    return Finding(
        site.path,
        site.found.span,
        code,
        severity or RULES[code].severity,
        message,
        site.function.name,
        related=related,
    )


def drift(found: Difference, code: str) -> Finding:
    """Return the finding of a rule at a place of a catalog that differs from an error of the code."""
    error = found.error
    related: tuple[Related, ...] = (Related(error.path, error.span, "the error is here"),)
    if error.made is not None:
        related += (Related(*error.made, "and is made here"),)
    severity = RULES[code].severity
    return Finding(found.told.entry.path, place_of(found.said), code, severity, found.message, related=related)


def subject(project: Project, site: ReturnSite) -> str:
    """Say who returns: the adapter or route, or a function and the one that its answer reaches."""
    name = f"`{short(site.function.name)}`"
    if site.is_adapter:
        return f"the adapter {name}"
    if project.routes.is_route(site.path, site.function):
        return f"the route {name}"
    if adapter := project.reach.adapter_of(site.path, site.function):
        return f"{name} (called by the adapter `{short(adapter)}`)"
    route = project.routes.answered_by(site.path, site.function)
    return f"{name} (answered by the route `{short(route)}`)" if route else name


def short(name: str) -> str:
    """Return the last two parts of a qualified name: the class and the method, or the function."""
    parts = name.split(".")
    return ".".join(parts[-2:]) if len(parts) > 1 and parts[-2].lstrip("_")[:1].isupper() else parts[-1]


def keys(shape: tuple[str, ...]) -> str:
    """Return `` `error`, `code` `` for the keys that tell a payload."""
    return ", ".join(f"`{key}`" for key in shape)


def remedy(project: Project, site: ReturnSite) -> str:
    """Say what the style of the file asks for, and of a function that is exempt from raising."""
    if _answers(project, site):
        types = project.policy(site.path).response.types
        return f"return {types[0]}" if types else "return the declared response type"
    return "raise an exception"


def verb(site: ReturnSite) -> str:
    """Return ``returns`` or ``yields``, with ``may`` where what went well is answered there, too."""
    verb = "yield" if site.found.is_yield else "return"
    return f"may {verb}" if site.form.is_flagged else f"{verb}s"


def is_declared(project: Project, site: ReturnSite) -> bool:
    """Whether an object is of a response type that the policy declares, where errors are to be returned."""
    if not _answers(project, site) or FormKind.OBJECT not in (site.form.kind, site.form.builds):
        return False
    if site.form.made is not None:
        return matches(project.names.absolute(site.form.made), project.policy(site.path).response.types)
    return is_declared_type(project, site.path, site.form.shape)


def is_declared_type(project: Project, path: str, shape: tuple[str, ...]) -> bool:
    """Whether the shape of an object has the name of a response type that the policy of a file declares."""
    return shape[0] in {bare_name(name) for name in project.policy(path).response.types}


def _answers(project: Project, site: ReturnSite) -> bool:
    """Whether a function has to return its errors: they are its answers, or those of a function that returns them."""
    return project.policy(site.path).style is Style.RETURN or answers_for_exempt(project, site.path, site.function)


def shortened(text: str) -> str:
    """Return a text as one line of bounded length."""
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
