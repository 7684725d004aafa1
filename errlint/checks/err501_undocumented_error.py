"""ERR501: an error that the code can raise and no catalog has."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from errlint.catalog.entry_identifier import spelling
from errlint.findings import Finding, Related, Span
from errlint.project import Project
from errlint.project.drift.documented import ENOUGH
from errlint.project.names import ClassSymbol
from errlint.project.raise_outcome import thrown
from errlint.rules import RULES


def check(project: Project) -> Iterator[Finding]:
    """Yield the codes that the code uses, and the exception classes that it raises, that are in no catalog."""
    documented = project.documented
    pages = [path for path in project.documents.texts if documented.is_about(path)]
    shown = {said.text for each in project.comparison.told for said in each.example_codes} if pages else set()
    for held in documented.held if pages else ():
        if (
            held.text in documented.codes
            or held.text in shown
            or held.is_reserved
            or not project.is_reported(held.path)
        ):
            continue
        if spelling(held.text) not in documented.spellings or not documented.is_used(held):
            continue  # of another kind, or ERR302
        message = f"the error code `{held.text}` is in no catalog; document it, or list it as reserved"
        yield _finding(held.path, held.place, message, pages[0])
    yield from _raised(project)
    listing = [path for path in project.documents.texts if documented.is_about_classes(path)]
    raised = _raised_classes(project) if listing else set()
    for path, module in project.modules.items() if listing else ():
        for definition in module.classes:
            symbol = ClassSymbol(path, definition)
            name = definition.name.rpartition(".")[2]
            if name in documented.classes or not project.domain.is_domain(symbol, project.policy(path)):
                continue
            if not project.is_reported(path) or symbol not in raised or not documented.is_made(name):
                continue
            if not _has_documented_code(project, symbol) and _surfaces(project, symbol):
                message = f"the exception `{name}` is raised, and is in no catalog; document it"
                yield _finding(path, definition.span, message, listing[0])


def _raised(project: Project) -> Iterator[Finding]:
    """Yield the codes that errors are given and that no registry has, where the catalogs tell others of their kind."""
    documented = project.documented
    shown = {said.text: each.entry.path for each in project.comparison.told for said in each.example_codes}
    own = {str(code) for error in project.comparison.errors for code in error.codes}
    common = own & {*shown, *documented.codes}
    told = {*shown, *documented.codes}
    if len(common) < min(ENOUGH, len(told)):
        return
    spellings = {spelling(code) for code in common}
    pages = [shown[code] if code in shown else documented.codes[code][0].path for code in sorted(common)]
    seen: set[str] = set()
    for error in project.comparison.errors:
        reserved = project.policy(error.path).codes.reserved
        for code in map(str, error.codes):
            is_new = code not in told and code not in documented.by_code and code not in seen and code not in reserved
            if is_new and error.is_domain and spelling(code) in spellings and project.is_reported(error.path):
                seen.add(code)
                message = f"the error code `{code}` is in no catalog; document it, or list it as reserved"
                found = _finding(error.path, error.span, message, pages[0])
                made = (Related(*error.made, "it is made here"),) if error.made is not None else ()
                yield msgspec.structs.replace(found, related=(*made, *found.related))


def _raised_classes(project: Project) -> set[ClassSymbol]:
    paths = filter(project.is_reported, project.modules)
    every = (raised.symbol for path in paths for raised in thrown(project, path))
    return {symbol for symbol in every if isinstance(symbol, ClassSymbol)}


def _surfaces(project: Project, symbol: ClassSymbol) -> bool:
    """Whether anybody outside of the function that raises an exception can ever get it."""
    name = project.hierarchy.ancestors(symbol)[0]
    return any(error.surfaces and error.names[:1] == (name,) for error in project.raised_errors.all())


def _has_documented_code(project: Project, symbol: ClassSymbol) -> bool:
    """Whether an exception is documented by its code, or is told by the codes that all its errors are given.

    A code that several classes have documents none of them.
    """
    documented = project.documented
    shared = {text for text, owners in documented.owners.items() if len(owners) > 1}
    owned = (usage for usage in project.codes.own(symbol.path) if usage.owner == symbol.definition.name)
    if any(str(usage.found.text) in documented.codes.keys() - shared for usage in owned):
        return True
    name = project.hierarchy.ancestors(symbol)[0]
    given = [set(map(str, error.codes)) for error in project.comparison.errors if error.names[:1] == (name,)]
    return bool(given) and all(
        codes and codes.isdisjoint(shared) and all(spelling(code) in documented.spellings for code in codes)
        for codes in given
    )


def _finding(path: str, span: Span, message: str, page: str) -> Finding:
    related = (Related(page, Span(1, 1, 1, 1), "the catalog is here"),)
    return Finding(path, span, "ERR501", RULES["ERR501"].severity, message, related=related)
