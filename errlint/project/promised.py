"""What docstrings and pages of tools promise about the exceptions of an adapter, beside what it does."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from contextlib import suppress
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.entry import Said
from errlint.catalog.markdown import Fence, sections
from errlint.catalog.objects import Member, error_members, message_of
from errlint.catalog.raises import raised_in
from errlint.facts import Function
from errlint.findings import Related, Span
from errlint.project.raised_errors import Kind as How
from errlint.project.raised_errors import RaisedError
from errlint.source import read_text
from errlint.words import ERROR_KEYS, ERROR_STATUS, FAILURE_KEYS, STATUS_KEYS, SUCCESS_KEYS

if TYPE_CHECKING:
    from errlint.project import Project

_FAILED = ("validation_failed", "invalid", "not_found", "rejected", "denied")
"""Statuses, besides those that say error, by which an answer says that it failed."""


class Broken(NamedTuple):
    """A promise that is not kept: its file and place, what is wrong, and other places."""

    path: str
    span: Span
    message: str
    related: tuple[Related, ...] = ()


def broken(project: Project) -> Iterator[Broken]:
    """Yield the promises about exceptions that adapters do not keep."""
    for path in sorted(project.modules):
        if project.is_reported(path):
            yield from _docstrings(project, path)
    adapters = _adapters(project)
    for path, text in sorted(project.documents.texts.items()):
        names = _tools_of(path, text, adapters)
        if names:
            yield from _answers(project, path, text, names)
    yield from _returned(project)


# --- docstrings -----------------------------------------------------------------------------------------------------


def _docstrings(project: Project, path: str) -> Iterator[Broken]:
    functions = {
        function.name: function for function in project.modules[path].functions if project.is_adapter(path, function)
    }
    tree = _parsed(project, path) if functions else None
    for name, node in _definitions(tree) if tree is not None else ():
        said = raised_in(node) if name in functions else ()
        if said:
            yield from _of_docstring(project, path, functions[name], said)


def _of_docstring(project: Project, path: str, function: Function, said: tuple[Said, ...]) -> Iterator[Broken]:
    documented = project.documented
    who = f"the docstring of `{function.name.rpartition('.')[2]}` says it raises"
    for each in said:
        name = each.text.rpartition(".")[2]
        span = Span(each.line, 1, each.line, 1 + len(each.text))
        defined = documented.defined(name)
        if defined and not any(map(documented.is_made, documented.below(name))):
            related = tuple(Related(item.path, item.definition.span, "it is defined here") for item in defined)
            yield Broken(
                path, span, f"the docstring of `{function.name}` says it raises `{name}`, which nothing raises", related
            )
        elif not defined and not hasattr(builtins, name) and not _is_known(project, name):
            yield Broken(path, span, f"{who} `{name}`, which does not exist")
    told = {each.text.rpartition(".")[2] for each in said}
    missing: dict[str, RaisedError] = {}
    for error in project.raised_errors.of(path):
        is_own = error.function == function.name and error.kind is How.RAISE and error.is_domain and error.surfaces
        if is_own and told.isdisjoint(name.rpartition(".")[2] for name in error.names):
            missing.setdefault(error.name, error)
    for name, error in missing.items():
        span = Span(said[0].line, 1, said[0].line, 1 + len(said[0].text))
        message = f"`{function.name}` raises `{name}`, which its docstring does not list"
        yield Broken(path, span, message, (Related(error.path, error.span, "it is raised here"),))


def _is_known(project: Project, name: str) -> bool:
    """Whether any class has a name, or the code does something with it: docstrings alone name what there is not."""
    return any(
        isinstance(node, (ast.Name, ast.Attribute, ast.alias, ast.ClassDef)) and _name_of(node) == name
        for path in project.modules
        for tree in (_parsed(project, path),)
        if tree is not None
        for node in ast.walk(tree)
    )


def _name_of(node: ast.Name | ast.Attribute | ast.alias | ast.ClassDef) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    return (node.name if isinstance(node, ast.ClassDef) else node.asname or node.name).rpartition(".")[2]


def _parsed(project: Project, path: str) -> ast.Module | None:
    with suppress(SyntaxError, ValueError):
        return ast.parse(read_text(project.settings.root / path) or "")
    return None


def _definitions(node: ast.AST, around: str = "") -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield the functions of a file by their qualified names."""
    for child in ast.iter_child_nodes(node):
        name = around
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = f"{around}.{child.name}" if around else child.name
            if not isinstance(child, ast.ClassDef):
                yield name, child
        yield from _definitions(child, name)


# --- pages ----------------------------------------------------------------------------------------------------------


def _adapters(project: Project) -> dict[str, set[str]]:
    """Return the names of all adapters, by how pages call them."""
    found: dict[str, set[str]] = {}
    for path, module in project.modules.items():
        for function in module.functions:
            if project.is_adapter(path, function) and not _may_answer(project, path):
                found.setdefault(_plain(function.name), set()).add(function.name)
    return found


def _may_answer(project: Project, path: str) -> bool:
    """Whether exceptions may become answers outside of the adapters of a file: a known boundary tells."""
    boundaries = project.policy(path).boundaries
    return not boundaries or any(boundary.envelope for boundary in boundaries)


def _tools_of(path: str, text: str, adapters: dict[str, set[str]]) -> frozenset[str]:
    """Return the adapters that a page is about, by its name or first heading."""
    heading = next((section.heading.text for section in sections(text) if section.level == 1), "")
    names = (_plain(PurePosixPath(path).stem), _plain(heading.partition(" ")[0]))
    return frozenset(adapter for name in names for adapter in adapters.get(name, ()))


def _answers(project: Project, path: str, text: str, names: frozenset[str]) -> Iterator[Broken]:
    """Yield the error payloads that the page of a tool shows, where the tool raises and answers none like them."""
    errors = [error for error in project.comparison.errors if not names.isdisjoint(error.adapters)]
    raised = [error for error in errors if error.kind is How.RAISE and error.is_domain]
    answered = [error for error in errors if error.kind in (How.PAYLOAD, How.OBJECT)]
    if not raised:
        return
    for section in sections(text):
        for block in section.blocks:
            if isinstance(block, Fence):
                shown = error_members(block.content, block.line)
                status = _failure(shown)
                if status is not None and not any(_is_like(error, status) for error in answered):
                    said = message_of(shown)
                    tool = sorted(names)[0].removesuffix(".execute")
                    message = (
                        f"`{tool}` answers nothing with `{status.key}` `{status.text}`: it raises its errors"
                        f"{f', such as {raised[0].name}' if said is None else ''}"
                    )
                    span = Span(status.line, 1, status.line, 1)
                    yield Broken(path, span, message, (Related(raised[0].path, raised[0].span, "for example here"),))


def _failure(shown: tuple[Member, ...]) -> Member | None:
    """Return the member by which an object says that it is an error."""
    keys = {member.keys for member in shown}
    for member in shown:
        text = (member.text or "").lower()
        if len(member.keys) != 1:
            continue
        if member.key in STATUS_KEYS and (ERROR_STATUS.fullmatch(text) or text in _FAILED):
            return member
        if (member.key in SUCCESS_KEYS and text == "false") or (member.key in FAILURE_KEYS and text == "true"):
            return member if any((key,) in keys for key in (*ERROR_KEYS, "message")) else None
    return None


def _is_like(error: RaisedError, status: Member) -> bool:
    """Whether an answered error may be the one that is shown: with the same status, or one that is not known."""
    values = dict(error.values)
    if status.key not in error.fields:
        return error.is_open
    return status.key not in values or values[status.key] == status.text


# --- entries --------------------------------------------------------------------------------------------------------


def _returned(project: Project) -> Iterator[Broken]:
    """Yield the entries of classes whose message is answered in a payload instead, and those of other classes."""
    comparison = project.comparison
    for each in comparison.drifted():
        if not each.told.documented.classes:
            continue
        error = comparison.says(each.template, of=(How.PAYLOAD, How.OBJECT))
        if error is not None and comparison.says(each.template, of=(How.RAISE,)) is None:
            span = Span(each.said.line, 1, each.said.line, 1)
            message = f"`{error.function}` answers this in a payload, it raises no `{each.told.documented.classes[0]}`"
            yield Broken(each.told.entry.path, span, message, (Related(error.path, error.span, "it is here"),))


def _plain(name: str) -> str:
    name = name.removesuffix(".execute").rpartition(".")[2]
    return "".join(filter(str.isalnum, name)).casefold().removesuffix("tool")
