"""ERR105: an error model is returned instead of raised, or a declared response type has another base than it should."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks import wording
from errlint.findings import Finding, Severity
from errlint.project import Project
from errlint.project.domain import matches
from errlint.project.names import ClassSymbol, ExternalSymbol
from errlint.project.payload_shapes import FormKind
from errlint.rules import RULES
from errlint.settings import Style
from errlint.settings.policy import bare_name

_PLAIN = frozenset(
    {"ABC", "Enum", "Generic", "NamedTuple", "Protocol", "StrEnum", "TypedDict", "dataclass", "dict", "final", "object"}
)
"""Foreign bases and decorators of classes that are no models of a library."""


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the error objects that the functions of one file return; a declared response type is right."""
    if project.policy(path).style is Style.LOG:
        return
    for site in project.sites.of(path):
        if site.form.kind is not FormKind.OBJECT or wording.is_declared(project, site):
            continue
        severity = Severity.WARNING if site.form.is_error else None
        message = (
            f"{wording.subject(project, site)} {wording.verb(site)} the error object `{site.form.shape[0]}`; "
            f"{wording.remedy(project, site)} instead"
        )
        yield wording.finding(site, "ERR105", message, severity)
    base = project.policy(path).response.base
    for definition in project.modules[path].classes if base else ():
        if _is_of_another_kind(project, ClassSymbol(path, definition), base):
            message = (
                f"the response type `{wording.short(definition.name)}` is no `{bare_name(base)}`; derive it from that"
            )
            yield Finding(path, definition.span, "ERR105", RULES["ERR105"].severity, message)


def _is_of_another_kind(project: Project, symbol: ClassSymbol, base: str) -> bool:
    """Whether a class is a declared response type, and certainly not below the base that these have to have."""
    if not matches(project.names.absolute(symbol), project.policy(symbol.path).response.names):
        return False
    lines = project.hierarchy.bases(symbol)
    if any(matches(name, (base, bare_name(base))) for name in (*project.hierarchy.ancestors(symbol)[1:],)):
        return False
    known = {each.definition.name.rpartition(".")[2] for each in lines}
    above = {bare_name(name) for name in project.hierarchy.base_names(symbol)} - known
    decorators = [(each.path, name) for each in lines for name in each.definition.decorators]
    made = (project.names.resolve(*each) for each in decorators)
    if any(isinstance(item, ExternalSymbol) and item.name.startswith(f"{base.partition('.')[0]}.") for item in made):
        return False  # a dataclass of the library that has the base
    above |= {bare_name(name) for _, name in decorators}
    return bare_name(base) not in above and above <= _PLAIN and bool(above or symbol.definition.members)
