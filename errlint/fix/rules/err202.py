"""ERR202: the boundary moves below the decorators that register the adapter."""

from __future__ import annotations

from errlint.findings import Finding
from errlint.fix.model import Doubt, refuse
from errlint.fix.rewrite import Changes
from errlint.fix.rules.node_lookup import Fixed, function_at
from errlint.fix.source_cache import Files
from errlint.project import Project


def plan(project: Project, files: Files, finding: Finding) -> Fixed:
    """Return the fix of one finding: the decorators in an order in which the boundary runs."""
    parsed = files.parse(finding.path)
    node = function_at(parsed, finding.span)
    function = project.names.function(finding.path, finding.function)
    texts = [parsed.code(item.decorator) for item in node.decorators]
    if function is None or len(function.decorators) != len(texts):
        raise refuse("its decorators are not known")
    lowest = max(project.adapters.registering(finding.path, function), default=-1)
    moved = {cover.position for cover in project.boundaries.covers(finding.path, function) if cover.position < lowest}
    if not moved:
        raise refuse("the decorator that registers it was not found")
    order = [at for at in range(lowest + 1) if at not in moved] + sorted(moved) + list(range(lowest + 1, len(texts)))
    doubt = Doubt(
        f"the boundary of `{node.name.value}` runs from now on, and clients get its answer",
        parsed.path,
        parsed.line(node.decorators[min(moved)]),
    )
    return Fixed({finding.path: Changes(decorated=((node, tuple(texts[at] for at in order)),))}, (doubt,))
