"""ERR301: a code that no registry has becomes a member of it; where it is used, ERR304 writes the member then."""

from __future__ import annotations

import re
from collections.abc import Sequence

import libcst as cst

from errlint.checks.err301_unregistered_error_code import nearest
from errlint.findings import Finding
from errlint.fix.model import Doubt, refuse
from errlint.fix.rewrite import Changes, Edit, Replacement
from errlint.fix.rules.node_lookup import Fixed, quoted
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SourceFile
from errlint.project import Project
from errlint.project.codes import Usage
from errlint.project.registry import MEMBERS, Registered, Registry

FOLLOWERS = frozenset({"ERR302", "ERR304", "ERR310", "ERR403"})
"""A code that is registered has a name, and what its type asks for."""

_BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")


def plan(project: Project, files: Files, finding: Finding) -> Fixed:
    """Return the fix of one finding: a new member with its value, where the registry's order puts it."""
    usage, registries = _meant(project, finding)
    if near := nearest(usage.found, registries):
        return _spelt(files, usage, registries, near)
    if len(registries) > 1 or registries[0].kind not in MEMBERS:
        raise refuse("its registry is no class of members, or there are several")
    registry = registries[0]
    codes = [code for code in registry.codes if not code.repeats]
    name, value = _member(str(usage.found.text), usage.found.missing, codes)
    if any(code.member == name for code in registry.codes):
        raise refuse(f"`{registry.short}` has a member `{name}` already", registry.path, registry.place.line)
    if not name.isidentifier():
        raise refuse(f"no member can be called `{name}`")
    parsed = files.parse(registry.path)
    anchors = [_line(parsed, code) for code in registry.codes]
    names = [code.member for code in registry.codes]
    at = len(anchors)
    if names == sorted(names) and len(names) > 1:
        at = sum(other < name for other in names)
    if not at:
        raise refuse("it would be the first member: put it there by hand", registry.path, registry.place.line)
    written = "auto()" if not codes[-1].is_written else quoted(parsed, value)
    change = Changes(added=(Replacement(anchors[at - 1], f"{name} = {written}\n"),))
    doubt = Doubt(f"`{registry.short}` gets a new member", registry.path, registry.place.line)
    return Fixed({registry.path: change}, (doubt,))


def _spelt(files: Files, usage: Usage, registries: Sequence[Registry], near: str) -> Fixed:
    """Return the fix of a code that is taken to be a misspelt one: what is registered, where it is written."""
    parsed = files.parse(usage.path)
    texts = {item.text for registry in registries for item in registry.codes if registry.spelled(item) == near}
    lines = range(usage.place.line, usage.place.end_line + 1)
    found = [
        node
        for text, node in parsed.texts
        if text == usage.found.text and not usage.found.missing
        if parsed.line(node) in lines
    ]
    if len(found) != 1 or len(texts) != 1:
        raise refuse(f"it may be `{near}`, misspelt")
    doubt = Doubt(f"`{usage.found.text}` is taken to be {near}, misspelt", usage.path, usage.place.line)
    return Fixed({usage.path: Changes(edited=(Edit(found[0], quoted(parsed, str(texts.pop()))),))}, (doubt,))


def _meant(project: Project, finding: Finding) -> tuple[Usage, tuple[Registry, ...]]:
    """Return what a finding is about: the use, and the registries that its code may be of."""
    for usage in project.codes.written(finding.path):
        if usage.place != finding.span or f"`{usage.found.text}`" not in finding.message:
            continue
        if registries := project.codes.registries(usage):
            return usage, registries
    raise refuse("its registry was not found")


def _member(text: str, is_name: bool, codes: list[Registered]) -> tuple[str, str]:
    """Return name and value of a new member.

    Raises :class:`errlint.fix.model.Refusal` where the others do not say how one is made of the other.
    """
    if any(not isinstance(code.value, str) or code.status is not None for code in codes):
        raise refuse("the members of the registry say more than their codes")
    if not is_name:
        name = "_".join(filter(None, _BREAK.split(text))).upper()
        made = {name: text}
        if any(not code.is_written for code in codes) and text not in (name, name.lower()):
            raise refuse("the values of the registry are made of the names")
        return name, made[name]
    if all(code.value == code.member for code in codes):
        return text, text
    if all(code.value == code.member.lower() for code in codes):
        return text, text.lower()
    raise refuse(f"it cannot be told which value `{text}` has")


def _line(parsed: SourceFile, code: Registered) -> cst.SimpleStatementLine:
    """Return the line of a member; raises :class:`errlint.fix.model.Refusal` where it shares it with others."""
    for node in parsed.nodes(cst.SimpleStatementLine):
        if len(node.body) == 1 and parsed.line(node) == code.place.line:
            return node
    raise refuse("the members of the registry do not have lines of their own", parsed.path, code.place.line)
