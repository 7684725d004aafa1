"""What docstrings and pages of tools promise about the exceptions of an adapter, beside what it does."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.binding import plain
from errlint.catalog.entry import Said
from errlint.catalog.markdown import Fence, Table, sections
from errlint.catalog.objects import Member, error_members
from errlint.catalog.raises import raised_in
from errlint.facts import Function
from errlint.findings import Related, Span
from errlint.project.documented import place_of
from errlint.project.names import ClassSymbol
from errlint.project.raised_errors import Kind as How
from errlint.project.raised_errors import RaisedError
from errlint.words import ERROR_KEYS, ERROR_STATUS, FAILURE_KEYS, STATUS_KEYS, SUCCESS_KEYS

if TYPE_CHECKING:
    from errlint.project import Project

_FAILED = ("validation_failed", "invalid", "not_found", "rejected", "denied")
"""Statuses, besides those that say error, by which an answer says that it failed."""


_QUOTED = re.compile(r'["“](\w+)["”]')


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
    yield from (answer.broken for answer in project.comparison.wrong_answers if not answer.is_listed)
    yield from _returned(project)


# --- docstrings -----------------------------------------------------------------------------------------------------


def _docstrings(project: Project, path: str) -> Iterator[Broken]:
    functions = {
        function.name: function for function in project.modules[path].functions if project.is_adapter(path, function)
    }
    tree = project.documented.tree(path) if functions else None
    for name, node in _definitions(tree) if tree is not None else ():
        said = raised_in(node) if name in functions else ()
        if said:
            yield from _of_docstring(project, path, functions[name], said, is_stub=_is_stub(node))


def _of_docstring(
    project: Project, path: str, function: Function, said: tuple[Said, ...], *, is_stub: bool
) -> Iterator[Broken]:
    """Yield what is wrong with the list of a docstring; what is missing in it stands where its first name does."""
    wrong = {each.span.line: each for each in _wrong(project, path, function, said, is_stub=is_stub)}
    for each in _missing(project, path, function, said):
        beside = wrong.get(each.span.line)
        if beside is None:
            yield each
        else:
            wrong[each.span.line] = beside._replace(
                message=f"{beside.message}; and {each.message}", related=(*beside.related, *each.related)
            )
    yield from wrong.values()


def _wrong(
    project: Project, path: str, function: Function, said: tuple[Said, ...], *, is_stub: bool
) -> Iterator[Broken]:
    """Yield the names that a docstring lists and that do not exist, or that nothing raises that the adapter calls."""
    documented = project.documented
    who = f"the docstring of `{function.name.rpartition('.')[2]}` says it raises"
    for each in said:
        name = each.text.rpartition(".")[2]
        span = place_of(each)
        defined = documented.defined(name)
        if documented.is_unmade(name):
            related = tuple(Related(item.path, item.definition.span, "it is defined here") for item in defined)
            yield Broken(
                path, span, f"the docstring of `{function.name}` says it raises `{name}`, which nothing raises", related
            )
        elif defined and not is_stub and not _may_raise(project, function, defined):
            message = f"{who} `{name}`, which nothing raises that it calls"
            related = tuple(Related(item.path, item.definition.span, "it is defined here") for item in defined)
            yield Broken(path, span, message, related)
        elif not defined and not hasattr(builtins, name) and name not in documented.names:
            yield Broken(path, span, f"{who} `{name}`, which does not exist")


def _missing(project: Project, path: str, function: Function, said: tuple[Said, ...]) -> Iterator[Broken]:
    """Yield the domain exceptions that an adapter itself raises and its docstring does not list."""
    told = {each.text.rpartition(".")[2] for each in said}
    missing: dict[str, RaisedError] = {}
    for error in project.raised_errors.of(path):
        is_own = error.function == function.name and error.kind is How.RAISE and error.is_domain and error.surfaces
        if is_own and told.isdisjoint(name.rpartition(".")[2] for name in error.names):
            missing.setdefault(error.name, error)
    if missing:
        names = " and ".join(f"`{name}`" for name in missing)
        message = f"`{function.name}` raises {names}, which its docstring does not list"
        related = tuple(Related(error.path, error.span, "it is raised here") for error in missing.values())
        yield Broken(path, place_of(said[0]), message, related)


def _is_stub(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function does nothing: others that override it keep the promises of its docstring."""
    return all(
        isinstance(each, ast.Pass)
        or (isinstance(each, ast.Raise) and _is_not_implemented(each.exc))
        or (isinstance(each, (ast.Expr, ast.Return)) and isinstance(each.value, (ast.Constant, type(None))))
        for each in node.body
    )


def _is_not_implemented(raised: ast.expr | None) -> bool:
    raised = raised.func if isinstance(raised, ast.Call) else raised
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


def _may_raise(project: Project, function: Function, defined: tuple[ClassSymbol, ...]) -> bool:
    """Whether an adapter, or what it calls, may raise an exception of a class; also where that cannot be told."""
    names = {project.domain.ancestors(item)[0] for item in defined}
    found = project.raised_errors
    return not found.is_known(function.name) or any(
        error.surfaces and found.may_reach(error, function.name)
        for error in found.all()
        if not names.isdisjoint(error.names)
    )


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


class _Tool(NamedTuple):
    """An adapter: its file and function."""

    path: str
    function: str


def _adapters(project: Project) -> dict[str, set[_Tool]]:
    """Return the adapters, by how pages call them."""
    found: dict[str, set[_Tool]] = {}
    for path, module in project.modules.items():
        for function in module.functions:
            if project.is_adapter(path, function) and not _may_answer(project, path):
                found.setdefault(plain(function.name), set()).add(_Tool(path, function.name))
    return found


def _may_answer(project: Project, path: str) -> bool:
    """Whether exceptions may become answers outside of the adapters of a file: a known boundary tells."""
    boundaries = project.policy(path).boundaries
    return not boundaries or any(boundary.envelope for boundary in boundaries)


def _tools_of(path: str, text: str, adapters: dict[str, set[_Tool]]) -> frozenset[_Tool]:
    """Return the adapters that a page is about, by its name or first heading."""
    heading = next((section.heading.text for section in sections(text) if section.level == 1), "")
    names = (plain(PurePosixPath(path).stem), plain(heading.partition(" ")[0]))
    return frozenset(adapter for name in names for adapter in adapters.get(name, ()))


class _Shown(NamedTuple):
    """A status that the page of a tool shows, which says that something failed: in an object or in a list of fields."""

    key: str
    text: str
    line: int
    is_listed: bool


class WrongAnswer(NamedTuple):
    """A failure that the page of a tool shows, and the tool does not answer: in a list of fields, or in an object."""

    broken: Broken
    is_listed: bool


def wrong_answers(project: Project) -> Iterator[WrongAnswer]:
    """Yield the failures that pages of tools show as answers, where the tool raises and answers none like them."""
    adapters = _adapters(project)
    for path, text in sorted(project.documents.texts.items()):
        tools = _tools_of(path, text, adapters)
        names = {tool.function for tool in tools}
        errors = [error for error in project.comparison.errors if not names.isdisjoint(error.adapters)]
        raised = [error for error in errors if error.kind is How.RAISE and error.is_domain]
        answered = [error for error in errors if error.kind in (How.PAYLOAD, How.OBJECT)]
        for shown in _shown(text) if raised else ():
            is_answered = any(_is_like(error, shown) for error in answered)
            if not is_answered and not _stands_in(project, tools, shown):
                tool = sorted(names)[0].removesuffix(".execute")
                message = f"`{tool}` answers nothing with `{shown.key}` `{shown.text}`: it raises its errors"
                related = (Related(raised[0].path, raised[0].span, "for example here"),)
                broken = Broken(path, Span(shown.line, 1, shown.line, 1), message, related)
                yield WrongAnswer(broken, shown.is_listed)


def _shown(text: str) -> Iterator[_Shown]:
    for section in sections(text):
        for block in section.blocks:
            if isinstance(block, Fence):
                member = _failure(error_members(block.content, block.line))
                if member is not None:
                    yield _Shown(member.key, member.text or "", member.line, False)
            elif isinstance(block, Table):
                for row in block.rows:
                    for value in _QUOTED.findall(row[-1].text) if row[0].text.strip("`") in STATUS_KEYS else ():
                        if _says_failure(value):
                            yield _Shown(row[0].text.strip("`"), value, row[0].line, True)


def _stands_in(project: Project, tools: frozenset[_Tool], shown: _Shown) -> bool:
    """Whether the file of a tool writes a status down, also where that is no error return to us."""
    pattern = re.compile(
        rf"[\"']{re.escape(shown.key)}[\"']\]?\s*[:=]\s*[\"']?{re.escape(shown.text)}\b", re.IGNORECASE
    )
    return any(pattern.search(project.documented.text(tool.path)) for tool in tools)


def _says_failure(text: str) -> bool:
    return bool(ERROR_STATUS.fullmatch(text)) or text.lower() in _FAILED


def _failure(shown: tuple[Member, ...]) -> Member | None:
    """Return the member by which an object says that it is an error."""
    keys = {member.keys for member in shown}
    for member in shown:
        text = (member.text or "").lower()
        if len(member.keys) != 1:
            continue
        if member.key in STATUS_KEYS and _says_failure(text):
            return member
        if (member.key in SUCCESS_KEYS and text == "false") or (member.key in FAILURE_KEYS and text == "true"):
            return member if any((key,) in keys for key in (*ERROR_KEYS, "message")) else None
    return None


def _is_like(error: RaisedError, status: _Shown) -> bool:
    """Whether an answered error may be the one that is shown: with the same status, or one that is not known."""
    values = dict(error.values)
    if status.key not in error.fields:
        return error.is_open
    return status.key not in values or values[status.key] == status.text


# --- entries --------------------------------------------------------------------------------------------------------


def _returned(project: Project) -> Iterator[Broken]:
    """Yield the entries of classes whose message is answered in a payload instead, and those of other classes."""
    comparison = project.comparison
    for entry, answer in comparison.answered.items():
        said = entry.said("class")[0]
        name = said.text.strip("`")
        message = f"`{answer.function}` answers `{entry.name}` in a payload, it raises no `{name}`"
        related = (Related(answer.path, answer.span, "it is here"),)
        yield Broken(entry.path, Span(said.line, 1, said.line, 1), message, related)
    for each in comparison.drifted:
        error = comparison.returned(each)
        if error is not None:
            span = Span(each.said.line, 1, each.said.line, 1)
            message = f"`{error.function}` answers this in a payload, it raises no `{each.told.documented.classes[0]}`"
            yield Broken(each.told.entry.path, span, message, (Related(error.path, error.span, "it is here"),))
