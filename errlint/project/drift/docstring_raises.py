"""What docstrings and pages of tools promise about the exceptions of an adapter, beside what it does."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import TYPE_CHECKING

from errlint.catalog.entry import EntryText
from errlint.catalog.raises import may_list, raised_in
from errlint.facts import Function
from errlint.findings import Related, Span
from errlint.project import raise_outcome
from errlint.project.drift.documented import definitions, place_of
from errlint.project.drift.example_responses import Broken
from errlint.project.drift.tool_sections import never_raised, not_told
from errlint.project.drift.unraised import unraised
from errlint.project.raised_errors import Origin as How
from errlint.project.raised_errors import RaisedError

if TYPE_CHECKING:
    from errlint.project import Project


def broken(project: Project) -> Iterator[Broken]:
    """Yield the promises about exceptions that adapters do not keep."""
    for path in sorted(project.modules):
        if project.is_reported(path):
            yield from _docstrings(project, path)
    yield from (answer.broken for answer in project.comparison.wrong_answers if not answer.is_listed)
    yield from _returned(project)
    yield from unraised(project)
    yield from never_raised(project)
    yield from not_told(project)


# --- docstrings -----------------------------------------------------------------------------------------------------


def _docstrings(project: Project, path: str) -> Iterator[Broken]:
    functions = {
        function.name: function
        for function in project.modules[path].functions
        if project.adapters.is_adapter(path, function)
    }
    documented = project.documented
    tree = documented.tree(path, keep=False) if functions and may_list(documented.text(path)) else None
    for name, node in definitions(tree) if tree is not None else ():
        said = raised_in(node) if name in functions else ()
        if said:
            yield from _of_docstring(project, path, functions[name], said, is_stub=_is_stub(node))


def _of_docstring(
    project: Project, path: str, function: Function, said: tuple[EntryText, ...], *, is_stub: bool
) -> Iterator[Broken]:
    """Yield what is wrong with the list of a docstring; what it lacks is told with its first wrong name.

    A list that only lacks something is reported at the function.
    """
    first, *others = (*_wrong(project, path, function, said, is_stub=is_stub), None)
    for each in _missing(project, path, function, said):
        if first is None:
            yield each
        else:
            related = (*first.related, *each.related)
            first = first._replace(message=f"{first.message}; and {each.message}", related=related)
    yield from filter(None, (first, *others))


def _wrong(
    project: Project, path: str, function: Function, said: tuple[EntryText, ...], *, is_stub: bool
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
        elif defined and not is_stub and not project.raised_errors.may_raise(function.name, name):
            message = f"{who} `{name}`, which nothing raises that it calls"
            related = tuple(Related(item.path, item.definition.span, "it is defined here") for item in defined)
            yield Broken(path, span, message, related)
        elif not defined and not hasattr(builtins, name) and not documented.is_a_name(name):
            yield Broken(path, span, f"{who} `{name}`, which does not exist")


def _missing(project: Project, path: str, function: Function, said: tuple[EntryText, ...]) -> Iterator[Broken]:
    """Yield the domain exceptions that an adapter raises, also by what it calls, and its docstring does not list."""
    told = {each.text.rpartition(".")[2] for each in said}
    missing: dict[str, RaisedError] = {}
    own = (error for error in project.raised_errors.of(path) if error.function == function.name)
    for error in (*own, *_of_helpers(project, function)):
        is_told = not told.isdisjoint(name.rpartition(".")[2] for name in error.names)
        if not is_told and error.kind is How.RAISE and error.is_domain and error.surfaces:
            missing.setdefault(error.name, error)
    if missing:
        names = " and ".join(f"`{name}`" for name in missing)
        message = f"`{function.name}` raises {names}, which its docstring does not list"
        related = tuple(Related(error.path, error.span, "it is raised here") for error in missing.values())
        listed = Related(path, place_of(said[0]), "the list is here")
        yield Broken(path, function.span, message, (*related, listed))


def _of_helpers(project: Project, function: Function) -> Iterator[RaisedError]:
    """Yield the domain exceptions of what an adapter calls for certain, where nothing on the way catches them."""
    for error in project.comparison.errors:
        if function.name not in error.adapters or error.function == function.name or not error.is_domain:
            continue
        thrown = (each for each in raise_outcome.every_raise(project, error.path) if each.found.span == error.span)
        if any(
            raise_outcome.leaves(project, each) and not raise_outcome.may_be_answered(project, each) for each in thrown
        ):
            yield error


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
