"""The sections of catalogs that are about one tool, beside the errors that get out of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from errlint.catalog.templates import agreement, is_telling, nearness
from errlint.findings import Related
from errlint.project.drift.binding import NEAR
from errlint.project.drift.documented import place
from errlint.project.drift.entry_content import EntryContent
from errlint.project.drift.example_responses import Broken
from errlint.project.drift.pages import Tool
from errlint.project.raised_errors import Origin as How
from errlint.project.raised_errors import RaisedError

if TYPE_CHECKING:
    from errlint.project import Project


def never_raised(project: Project) -> Iterator[Broken]:
    """Yield the entries below the name of a tool whose exception nothing raises that the tool calls."""
    drifted = {each.told.entry for each in project.comparison.drifted}
    for told in project.comparison.told:
        tools = sorted(project.comparison.pages.around(told.entry)) if told.entry not in drifted else []
        defined = [name for name in told.documented.classes if project.documented.defined(name)]
        if not tools or len(defined) != len(told.documented.classes):
            continue
        if defined and not any(
            project.raised_errors.may_raise(tool.function, name) for tool in tools for name in defined
        ):
            names = " or ".join(f"`{name}`" for name in defined)
            message = f"`{_short(tools[0])}` raises no {names}, nor does anything that it calls"
            function = project.names.function(*tools[0])
            related = (Related(tools[0].path, function.span, "the tool is here"),) if function is not None else ()
            yield Broken(told.entry.path, place(told.entry), message, related)


def not_told(project: Project) -> Iterator[Broken]:
    """Yield the errors of a tool that no entry is about, the first of each class, where its section tells of others.

    That is certain where each entry of the class below the name of the tool shows a message.
    """
    comparison = project.comparison
    sections: dict[Tool, list[EntryContent]] = {}
    for told in comparison.told:
        if project.policy(told.entry.path).catalog.files and told.documented.classes:
            for tool in comparison.pages.around(told.entry):
                sections.setdefault(tool, []).append(told)
    if not sections:
        return  # nobody asks for the errors
    by_adapter: dict[str, list[RaisedError]] = {}
    codes: dict[str, set[str | int]] = {}
    for error in comparison.errors:
        codes.setdefault(error.name, set()).update(error.codes)
    for error in comparison.errors:
        if len(codes[error.name]) > 1:
            continue  # codes tell the errors of the class apart: ERR501 looks for these
        if error.kind is How.RAISE and error.is_domain and project.is_reported(error.path):
            for adapter in error.adapters:
                by_adapter.setdefault(adapter, []).append(error)
    seen: set[tuple[str, int]] = set()
    for tool, entries in sorted(sections.items()):
        missing: dict[str, list[RaisedError]] = {}
        for error in by_adapter.get(tool.function, ()):
            if _is_untold(project, error, entries):
                missing.setdefault(error.name, []).append(error)
        for name, errors in missing.items():
            first = errors[0]
            if (first.path, first.span.line) in seen:
                continue
            seen.add((first.path, first.span.line))
            others = f", and {len(errors) - 1} others of it" if len(errors) > 1 else ""
            message = f'no entry of `{_short(tool)}` is about this `{name}`: "{first.messages[0]}"{others}'
            head = entries[0].entry
            related = (Related(head.path, place(head), "these entries are about others"),)
            yield Broken(first.path, first.span, message, related)


def _is_untold(project: Project, error: RaisedError, entries: Sequence[EntryContent]) -> bool:
    if not error.messages or not all(map(is_telling, error.messages)):
        return False
    names = {name.rpartition(".")[2] for name in error.names}
    own = [told for told in entries if not names.isdisjoint(told.documented.classes)]
    if not all(told.messages for told in own):
        return False
    return not any(
        agreement(said, raised) > 0 or nearness(said, raised, NEAR) >= NEAR  # ERR503 tells what has changed
        for told in project.comparison.told
        for _, said in told.messages
        for raised in error.messages
    )


def _short(tool: Tool) -> str:
    return tool.function.removesuffix(".execute").rpartition(".")[2]
