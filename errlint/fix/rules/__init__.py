"""The fixes of rules other than those about error returns: one module each, named after the code of the rule.

A planner is a function ``plan(project, files, finding)`` that returns the :class:`Fixed` of one finding, or raises
:class:`errlint.fix.model.Refusal`. Each finding is a group of its own; what two of them want to change is done in two
passes. A module may say in ``FOLLOWERS`` which findings its fixes may bring.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType

from errlint.findings import Finding
from errlint.fix.model import Group, Refusal
from errlint.fix.rewrite import Changes
from errlint.fix.source_cache import Files
from errlint.project import Project
from errlint.rules import RULES, Fix


def planned(project: Project, files: Files, finding: Finding) -> tuple[Group, Mapping[str, Changes]]:
    """Return the group of one finding, and what to change for it; nothing where it is refused.

    What stands against it without a place of its own rests on the place of the finding.
    """
    changes: Mapping[str, Changes] = {}
    try:
        changes, doubts = _module(finding.code).plan(project, files, finding)
    except Refusal as refusal:
        doubts = (refusal.doubt,)
    placed = (item if item.path else item._replace(path=finding.path, line=finding.span.line) for item in doubts)
    return Group(finding.path, finding.function, finding.span, (finding,), tuple(dict.fromkeys(placed))), changes


def followers(code: str) -> frozenset[str]:
    """Return the rules of which the fix of one may bring findings, for the next pass to mend or for people to see."""
    if RULES[code].fix is not Fix.OWN:
        return frozenset()
    found: frozenset[str] = getattr(_module(code), "FOLLOWERS", frozenset())
    return found


def _module(code: str) -> ModuleType:
    return import_module(f"{__name__}.{code.lower()}")
