"""ERR207: the raise names what caused it, behind ``from`` and where its class takes it."""

from __future__ import annotations

import ast

import libcst as cst

from errlint.checks.err207_unchained_raise import is_passed
from errlint.findings import Finding
from errlint.fix.model import Doubt, refuse
from errlint.fix.raising.constructors import alterations
from errlint.fix.raising.handling import caught_name
from errlint.fix.rewrite import Changes, Edit
from errlint.fix.rules.node_lookup import Fixed, raised, with_argument
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SourceFile
from errlint.project import Project
from errlint.project.names import ClassSymbol
from errlint.project.raise_outcome import thrown
from errlint.trees import walk


def plan(project: Project, files: Files, finding: Finding) -> Fixed:
    """Return the fix of one finding: ``from`` and the keyword of the policy, and a name for what is handled."""
    parsed = files.parse(finding.path)
    node = raised(parsed, finding.span)
    handler = parsed.handler(node)
    if handler is None or node.exc is None:
        raise refuse("the handler around it was not found")
    name = caught_name(parsed, node, handler)
    keyword = project.policy(finding.path).exceptions.cause
    doubts = list(_readers(project, files, finding, "__cause__"))
    text = parsed.code(node.exc)
    found = next((item for item in thrown(project, finding.path) if item.found.span == finding.span), None)
    if found is not None and is_passed(project, found, keyword) is False:
        if not isinstance(node.exc, cst.Call):
            raise refuse("the exception is made elsewhere")
        text = with_argument(parsed, node.exc, keyword, name)
        doubts += _readers(project, files, finding, keyword)
        if isinstance(found.symbol, ClassSymbol):
            doubts += alterations(project, files.parse, found.symbol)
    edits: list[Edit] = []
    if node.cause is None:
        edits.append(Edit(node, f"{_head(parsed, node)}{text} from {name}"))
    elif text != parsed.code(node.exc):
        edits.append(Edit(node.exc, text))
    named = ((handler, name),) if handler.name is None else ()
    if handler.type is None:
        doubts.append(Doubt("a bare `except` also catches what stops a program", parsed.path, parsed.line(handler)))
    return Fixed({finding.path: Changes(caught=named, edited=tuple(edits))}, tuple(doubts))


def _head(parsed: SourceFile, node: cst.Raise) -> str:
    """Return the keyword with what is between it and the exception."""
    assert node.exc is not None
    return parsed.code(node.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)).removesuffix(parsed.code(node.exc))


def _readers(project: Project, files: Files, finding: Finding, name: str) -> list[Doubt]:
    """Return the doubt that somebody reads an attribute of exceptions that the fix fills."""
    for path, tree in files.trees(finding.path, (name,)):
        for node in walk(tree):
            if isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Load):
                return [Doubt(f"`{name}` of an exception is read here, and would be filled", path, node.lineno)]
    return []
