"""The fixes of rules other than those about error returns: one module each, found by the code.

A planner is a function ``plan(project, files, finding)`` that returns the :class:`Fixed` of one finding, or raises
:class:`errlint.fix.model.Refusal`. Each finding is a group of its own; what two of them want to change is done in two
passes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from errlint.findings import Finding
from errlint.fix.model import Doubt, Group, Refusal
from errlint.fix.rewrite import Changes
from errlint.fix.rules import (
    err201,
    err202,
    err203,
    err205,
    err207,
    err301,
    err304,
    err305,
    err309,
    err403,
    err404,
    err405,
    err406,
    err901,
)
from errlint.fix.rules.node_lookup import Fixed
from errlint.fix.source_cache import Files
from errlint.project import Project

Planner = Callable[[Project, Files, Finding], Fixed]

PLANNERS: Mapping[str, Planner] = {
    "ERR201": err201.plan,
    "ERR202": err202.plan,
    "ERR203": err203.plan,
    "ERR205": err205.plan,
    "ERR207": err207.plan,
    "ERR301": err301.plan,
    "ERR304": err304.plan,
    "ERR305": err305.plan,
    "ERR309": err309.plan,
    "ERR403": err403.plan,
    "ERR404": err404.plan,
    "ERR405": err405.plan,
    "ERR406": err406.plan,
    "ERR901": err901.plan,
}
"""How the findings of each rule are fixed."""

FOLLOWERS: Mapping[str, frozenset[str]] = {
    "ERR301": frozenset({"ERR302", "ERR304", "ERR310", "ERR403"}),
    "ERR309": frozenset({"ERR405", "ERR406", "ERR407"}),
    "ERR406": frozenset({"ERR405"}),
}
"""What the fix of a rule may bring, for the next pass to mend or for people to see.

A code that is registered has a name, and what its type asks for; a graver error is logged otherwise, with more fields.
"""


def planned(project: Project, files: Files, finding: Finding) -> tuple[Group, Mapping[str, Changes]]:
    """Return the group of one finding, and what to change for it; nothing where it is refused."""
    changes: Mapping[str, Changes] = {}
    try:
        changes, doubts = PLANNERS[finding.code](project, files, finding)
    except Refusal as refusal:
        doubt = refusal.doubt
        doubts = (doubt if doubt.path else Doubt(doubt.text, finding.path, finding.span.line, refuses=True),)
    return Group(finding.path, finding.function, finding.span, (finding,), tuple(dict.fromkeys(doubts))), changes
