"""ERR203: the empty result of a boundary gets the keys of the adapter's answers, each with an empty value."""

from __future__ import annotations

import libcst as cst

from errlint.facts import is_empty
from errlint.findings import Finding
from errlint.fix.model import Doubt, refuse
from errlint.fix.nodes import constant_key, convert
from errlint.fix.rewrite import Changes, Edit
from errlint.fix.rules.empty_result import Emptied, emptied
from errlint.fix.rules.node_lookup import Fixed, below, function_at, in_style, quoted
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SourceFile
from errlint.project import Project
from errlint.project.boundary import Covered


def plan(project: Project, files: Files, finding: Finding) -> Fixed:
    """Return the fix of one finding: the dict in the decorator with other entries."""
    path = finding.path
    parsed = files.parse(path)
    node = function_at(parsed, finding.span)
    function = project.names.function(path, finding.function)
    covers = project.boundaries.covers(path, function) if function is not None else ()
    if function is None or len(covers) != 1 or covers[0].position >= len(node.decorators):
        raise refuse("its boundary was not found, or it has several")
    boundary = covers[0].boundary
    found = emptied(project, files, path, function, frozenset(boundary.envelope))
    value = project.boundaries.argument(Covered(path, function, covers[0]), boundary.empty_result)
    held = _dict(parsed, node.decorators[covers[0].position].decorator, value)
    texts = ["the boundary's answer gets other keys or values"]
    texts += [f"it cannot be told what is empty for `{key}`" for key in found.unknown]
    doubts = (Doubt(text, path, parsed.line(held)) for text in texts)
    return Fixed({path: Changes(edited=(Edit(held, _with_entries(parsed, held, found)),))}, tuple(doubts))


def _dict(parsed: SourceFile, decorator: cst.BaseExpression, value: object) -> cst.Dict:
    """Return the empty result in a decorator; raises :class:`errlint.fix.model.Refusal` where it stands elsewhere."""
    for node in below(decorator):
        if isinstance(node, cst.Dict) and convert(node) == value:
            return node
    raise refuse("the empty result is written elsewhere", parsed.path, parsed.line(decorator))


def _with_entries(parsed: SourceFile, held: cst.Dict, found: Emptied) -> str:
    """Return the text of a dict with empty values, without the keys that no answer has and with all that it lacks.

    Raises :class:`errlint.fix.model.Refusal` where the answers are not known, so that nothing says what is right.
    """
    elements: list[cst.BaseDictElement] = []
    present: set[str] = set()
    for element in held.elements:
        key = constant_key(element.key) if isinstance(element, cst.DictElement) else None
        if not isinstance(element, cst.DictElement) or key is None:
            raise refuse("the empty result takes over the keys of another dict")
        if found.has_answers and found.is_whole and key not in found.seen:
            if key in found.answered:
                raise refuse(f"an error payload of the function has the `{key}` that no other answer has")
            continue
        present.add(key)
        if is_empty(convert(element.value)) is False:
            if key not in found.entries:
                raise refuse(f"it cannot be told what is empty for `{key}`")
            element = element.with_changes(value=cst.parse_expression(in_style(parsed, found.entries[key])))
        elements.append(element)
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    between = held.elements[0].comma if len(held.elements) > 1 else comma
    last = held.elements[-1].comma if held.elements else cst.MaybeSentinel.DEFAULT
    for key, text in found.entries.items():
        if key not in present:
            elements.append(
                cst.DictElement(cst.parse_expression(quoted(parsed, key)), cst.parse_expression(in_style(parsed, text)))
            )
    spaced = [item.with_changes(comma=between) for item in elements[:-1]]
    return parsed.code(
        held.with_changes(elements=[*spaced, *(item.with_changes(comma=last) for item in elements[-1:])])
    )
