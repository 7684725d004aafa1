"""ERR310: no test mentions an error code or a class that has it."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding
from errlint.project import Project
from errlint.project.names import ClassSymbol
from errlint.project.registry import is_of_protocol, is_prescribed
from errlint.project.tested import declared, names, options, own, owners
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the codes of the registries in one file that are used, and that no test speaks of."""
    tested = project.tested
    if not project.codes.applies(path) or not tested.applies(project, path):
        return
    for chosen in options(project, path):
        if (chosen.name, chosen.default) not in tested.given:
            tool = chosen.tool.name.rpartition(".")[2]
            message = f"no test gives `{tool}` another `{chosen.name}` than `{chosen.default}`; test what it does then"
            severity = RULES["ERR310"].severity
            yield Finding(path, chosen.tool.span, "ERR310", severity, message, chosen.tool.name)
    reserved = project.policy(path).codes.reserved
    for each in own(project, path):
        is_raised = project.codes.is_raised(ClassSymbol(path, each.definition))  # else there is nothing to test
        if is_raised and each.code not in reserved and tested.words.isdisjoint(each.names):
            name = each.definition.name.rpartition(".")[2]
            message = f"no test mentions `{name}`, nor its error code `{each.code}`; test the error"
            yield Finding(path, each.definition.span, "ERR310", RULES["ERR310"].severity, message)
    for kind in declared(project, path):
        if tested.words.isdisjoint(kind.names):
            message = f"no test mentions {kind.text}; test what leads to it"
            yield Finding(path, kind.place, "ERR310", RULES["ERR310"].severity, message)
    for registry in project.codes.registered_in(path):
        if registry.short in tested.whole or is_of_protocol(registry) or not project.codes.is_spoken_of(registry):
            continue
        seen: set[str] = set()
        for code in registry.codes:
            if code.text in seen:
                continue  # the same code under another name
            seen.add(code.text)
            if code.repeats or is_prescribed(code) or {code.member, code.text} & set(reserved):
                continue
            if project.codes.occurrences(registry, code) == 0:
                continue  # nothing to test: that is ERR302's
            if tested.words.isdisjoint(names(project, registry, code)):
                classes = list(dict.fromkeys(owners(project, registry, code)))
                also = f", nor `{classes[0]}`, which has it" if classes else ""
                message = f"no test mentions the error code `{registry.spelled(code)}`{also}; test the error"
                yield Finding(path, code.place, "ERR310", RULES["ERR310"].severity, message)
