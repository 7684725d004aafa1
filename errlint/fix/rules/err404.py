"""ERR404: the operation that an error is given becomes that of its boundary."""

from __future__ import annotations

import libcst as cst

from errlint.checks.err404_operation_mismatch import adapter_around, named
from errlint.findings import Finding
from errlint.fix.model import Doubt, refuse
from errlint.fix.nodes import dotted_name
from errlint.fix.rewrite import Changes, Edit
from errlint.fix.rules.node_lookup import Fixed, below, quoted, statement, text_of
from errlint.fix.source_cache import Files
from errlint.project import Project
from errlint.project.operations import last_part, spellings


def plan(project: Project, files: Files, finding: Finding) -> Fixed:
    """Return the fix of one finding: the text of the argument."""
    path = finding.path
    parsed = files.parse(path)
    node = statement(parsed, finding.span)
    for error, name, given in named(project, path):
        if error.span != finding.span or f"`{name}` is {given!r}" not in finding.message:
            continue
        operation = project.operations.of_boundary(path, error.function)
        own = adapter_around(project, error)
        if operation is not None:
            wanted = operation.name
        elif own is not None and given.endswith(last_part(given)):
            last = last_part(given)
            wanted = given[: len(given) - len(last)] + ([*spellings(own)][-1] if last.islower() else own)
        else:
            raise refuse("it cannot be told what the operation is")
        calls = [item for item in below(node) if isinstance(item, cst.Call) and dotted_name(item.func) == error.name]
        values = [
            argument.value
            for call in calls
            for argument in call.args
            if (argument.keyword is None or argument.keyword.value == name) and text_of(argument.value) == given
        ]
        if len(values) != 1:
            raise refuse("the operation is written elsewhere", path, finding.span.line)
        doubt = Doubt(f"the error says `{wanted}`, where it said `{given}`", path, finding.span.line)
        return Fixed({path: Changes(edited=(Edit(values[0], quoted(parsed, wanted)),))}, (doubt,))
    raise refuse("the error was not found")
