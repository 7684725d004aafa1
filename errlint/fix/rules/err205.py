"""ERR205: a clause in front of the handler that swallows a raise lets it through."""

from __future__ import annotations

from errlint.findings import Finding
from errlint.fix.callers.context_managers import Leaving
from errlint.fix.callers.exception_path import Rescue, way_out
from errlint.fix.model import Doubt, refuse
from errlint.fix.nodes import exception_names
from errlint.fix.raising.handling import clause_for, needed, steady, would_pass
from errlint.fix.raising.imports import Needed
from errlint.fix.rewrite import Changes
from errlint.fix.rules.node_lookup import Fixed, raised
from errlint.fix.source_cache import Files
from errlint.index.catching import is_broad
from errlint.project import Project
from errlint.project.hierarchy import Exceptional
from errlint.project.names import ClassSymbol
from errlint.project.raise_outcome import Thrown, thrown


def plan(project: Project, files: Files, finding: Finding) -> Fixed:
    """Return the fix of one finding: ``except DomainError: raise`` before each handler on the way."""
    parsed = files.parse(finding.path)
    found = next((item for item in thrown(project, finding.path) if item.found.span == finding.span), None)
    if found is None:
        raise refuse("its class is not known")
    node = raised(parsed, finding.span)
    way = way_out(Leaving(project, files, parsed, found.function.name, found.symbol), node)
    if not way.rescues:
        raise refuse("what drops it is no handler of its function")
    doubts = list(way.doubts)
    rescues = []
    imports: list[Needed] = []
    for rescue in way.rescues:
        clause = _clause(project, found, rescue)
        known = steady(project, files, parsed, node, clause, found.function.name)
        rescues.append((rescue.node, rescue.before, known.name))
        imports.extend(needed(known.needed))
        own = f"{parsed.path}:{parsed.line(node)}"
        doubts.extend(would_pass(project, files, parsed, rescue, clause, own))
        handler = rescue.node.handlers[rescue.before]
        text = "clients get the boundary's answer, where this handler answered"
        doubts.append(Doubt(text, parsed.path, parsed.line(handler)))
    return Fixed({finding.path: Changes(rescues=tuple(rescues), imports=tuple(imports))}, tuple(doubts))


def _clause(project: Project, found: Thrown, rescue: Rescue) -> Exceptional:
    """Return what the clause names: the topmost domain exception, but none that the handler behind it names itself."""
    clause = clause_for(project, found.symbol)
    types = exception_names(rescue.node.handlers[rescue.before].type)
    named = [project.names.resolve(found.path, name, found.function.name) for name in types]
    above = project.hierarchy.bases(clause) if isinstance(clause, ClassSymbol) else (clause,)
    return clause if is_broad(types) or not any(item in named for item in above) else found.symbol
