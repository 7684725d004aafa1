"""ERR304: a code that is written out becomes the member of its registry."""

from __future__ import annotations

import ast

import libcst as cst

from errlint.findings import Finding, Span
from errlint.fix.bindings import is_stable_name
from errlint.fix.model import Doubt, refuse
from errlint.fix.raising.handling import needed
from errlint.fix.raising.imports import known_as
from errlint.fix.rewrite import Changes, Edit
from errlint.fix.rules.node_lookup import Fixed, below, statement, text_of
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SourceFile
from errlint.project import Project
from errlint.project.codes import Usage
from errlint.project.names import ClassSymbol
from errlint.project.registry import MEMBERS, Registered, Registry, RegistryKind
from errlint.trees import walk


def plan(project: Project, files: Files, finding: Finding) -> Fixed:
    """Return the fix of one finding: ``Registry.MEMBER``, with ``.value`` where that is what the string was."""
    path = finding.path
    usage, registry, code = _meant(project, finding)
    parsed = files.parse(path)
    literal = _literal(project, parsed, usage, finding.span)
    symbol = project.names.resolve(registry.path, registry.name)
    if not isinstance(symbol, ClassSymbol):
        raise refuse(f"the definition of `{registry.short}` was not found")
    if registry.path == path and registry.place.line > finding.span.line and parsed.function(literal) is None:
        raise refuse(f"`{registry.short}` is defined below it", path, registry.place.line)
    known = known_as(project, files, parsed, symbol, finding.function)
    if not is_stable_name(parsed, parsed.function(literal), known.name):
        raise refuse(f"`{known.name}` is bound more than once", path, finding.span.line)
    text = f"{known.name}.{code.member}"
    doubts: tuple[Doubt, ...] = ()
    if registry.kind is not RegistryKind.CONSTANTS and "StrEnum" not in _bases(project, symbol):
        if _are_handed_over(project, files, registry):
            doubts = (
                Doubt(f"a member of `{registry.short}` is formatted otherwise than the string that it stands for"),
            )
        else:
            text += ".value"
    changes = Changes(edited=(Edit(literal, text),), imports=needed(known.needed))
    return Fixed({path: changes}, doubts)


def _meant(project: Project, finding: Finding) -> tuple[Usage, Registry, Registered]:
    """Return what a finding is about: the use, the registry and the code in it."""
    related = finding.related[0]
    for usage in project.codes.usages(finding.path):
        if usage.place != finding.span or not usage.found.is_literal or usage.function != finding.function:
            continue
        for registry in project.codes.registries(usage):
            for code in registry.codes:
                is_it = code.value == usage.found.text and (registry.path, code.place) == (related.path, related.span)
                if is_it and registry.kind in MEMBERS:
                    return usage, registry, code
    raise refuse("its registry was not found")


def _literal(project: Project, parsed: SourceFile, usage: Usage, span: Span) -> cst.BaseExpression:
    """Return the one string in a statement that is the code.

    Raises :class:`errlint.fix.model.Refusal` where it stands elsewhere, or where there are several.
    """
    if usage.how == "message":
        raise refuse("the code is a part of the message", parsed.path, span.line)
    names = frozenset(project.policy(parsed.path).codes.arguments)
    nodes = below(statement(parsed, span))
    keys = {item.key for item in nodes if isinstance(item, cst.DictElement)}
    same = [node for node in nodes if node not in keys and text_of(node) == usage.found.text]
    inner = {child for node in same for child in below(node)[1:]}
    same = [node for node in same if node not in inner]
    named = [node for node in same if any(_is_for(item, node, names) for item in nodes)]
    chosen = named or same
    if len(chosen) != 1 or not isinstance(chosen[0], cst.BaseExpression):
        text = "the code stands there more than once" if chosen else "the code is written elsewhere"
        raise refuse(text, parsed.path, span.line)
    return chosen[0]


def _is_for(item: cst.CSTNode, node: cst.CSTNode, names: frozenset[str]) -> bool:
    """Whether an argument or an entry gives a code to one of some names."""
    if isinstance(item, cst.Arg):
        return item.value is node and item.keyword is not None and item.keyword.value in names
    return isinstance(item, cst.DictElement) and item.value is node and text_of(item.key) in names


def _bases(project: Project, symbol: ClassSymbol) -> set[str]:
    return {base.rpartition(".")[2] for base in project.hierarchy.base_names(symbol)}


def _are_handed_over(project: Project, files: Files, registry: Registry) -> bool:
    """Whether the project writes members of an enum as they are more often than their values."""
    members, values = 0, 0
    for _, tree in files.trees(registry.path, (registry.short,)):
        for node in walk(tree):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value).rpartition(".")[2] == registry.short:
                members += 1
            elif isinstance(node, ast.Attribute) and node.attr == "value" and isinstance(node.value, ast.Attribute):
                values += ast.unparse(node.value.value).rpartition(".")[2] == registry.short
    return members > 2 * values  # what is counted with its value is counted as a member too
