"""ERR101: an error payload is written out at the return."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks import wording
from errlint.facts import Mapping, keyed, only
from errlint.findings import Finding, Related
from errlint.project import Project
from errlint.project.payload_shapes import FormKind, places_of
from errlint.project.return_sites import ReturnSite
from errlint.rules import RULES
from errlint.settings import Style


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the hand-built error payloads of one file."""
    if project.policy(path).style is Style.LOG:
        return
    for site in project.sites.of(path):
        if site.form.kind is not FormKind.PAYLOAD:
            continue
        wrapper = f" through `{site.form.wrapper}`" if site.form.wrapper else ""
        message = (
            f"{wording.subject(project, site)} {wording.verb(site)} a hand-built error payload "
            f"({wording.keys(site.form.shape)}){wrapper}; {wording.remedy(project, site)} instead"
        )
        yield wording.finding(site, "ERR101", message, related=tuple(_related(site)))
    if project.policy(path).style is Style.RETURN:
        yield from _untyped(project, path)


def _related(site: ReturnSite) -> Iterator[Related]:
    """Yield where the error is put into a dict that a name holds, or its number, which may be all that says so."""
    number = site.form.number_key
    first = {each.index: each for each in reversed([*places_of(site.form, site.found)])}
    for span, keys in sorted({each.span: each.keys for each in first.values()}.items()):
        said = f"`{number}` says that it is an error here" if number in keys else "the error is put into it here"
        yield Related(site.path, span, said)


def _untyped(project: Project, path: str) -> Iterator[Finding]:
    """Yield the dicts of adapters with a status for which the policy has a type: not those of errors."""
    by_status = project.policy(path).response.by_status
    sites = {site.found.span for site in project.sites.of(path)}
    for function in project.modules[path].functions if by_status else ():
        if not project.adapters.is_adapter(path, function) or project.sites.is_excluded(path, function):
            continue
        for found in function.returns:
            value = only(found.value)
            entries = keyed(value) if type(value) is Mapping and found.span not in sites else {}
            expected = by_status.get(project.fields.text(path, function.name, entries.get("status")) or "")
            if expected:
                message = (
                    f"the adapter `{wording.short(function.name)}` returns a hand-built answer "
                    f"({wording.keys(tuple(entries))}); return {expected.rpartition('.')[2]} instead"
                )
                yield Finding(path, found.span, "ERR101", RULES["ERR101"].severity, message, function.name)
