"""The rules: one module each, found by its name from the list in :mod:`errlint.rules`.

A rule is a function ``check(project, path)`` that yields the findings of one file. Rules about suppressions are
asked after the others, as ``check(project, path, used)``; rules about documents once, as ``check(project)``, and those
about settings once a run. A rule never sees a syntax tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from errlint.errors import described
from errlint.findings import Finding, Span
from errlint.project import Project
from errlint.project.configured import Code
from errlint.reader import on_deep_stack
from errlint.rules import PROJECT_URL, RULES, Need, Rule, Subject
from errlint.settings import Settings


class CheckFailure(NamedTuple):
    """A rule that raised, as the finding that tells of it."""

    finding: Finding


def check_file(
    project: Project, path: str, used: set[tuple[int, str]] | None = None
) -> Iterator[Finding | CheckFailure]:
    """Yield what the active rules say of one file.

    Without ``used`` these are the rules about files, with it those about suppressions. A rule that raises yields a
    :class:`CheckFailure`, and the others go on.
    """
    rules = project.rules(path)
    scope = Subject.FILE if used is None else Subject.SUPPRESSIONS
    for code, rule in RULES.items():
        if code not in rules or rule.scope is not scope:
            continue
        try:
            module = _module(rule.module)
            yield from _found(module, project, path) if used is None else _found(module, project, path, used)
        except Exception as error:  # noqa: BLE001 -- one rule must not hide the others: it becomes a finding
            yield CheckFailure(_failure(rule, path, error))
    problem = project.modules[path].problem
    if used is None and problem is not None and problem.code == "ERR906":
        yield Finding(
            path,
            problem.span,
            "ERR906",
            RULES["ERR906"].severity,
            f"{problem.message}; please report this at {PROJECT_URL}/issues",
        )


def check_run(project: Project) -> Iterator[Finding | CheckFailure]:
    """Yield what the active rules say of all files of a project together."""
    if project.documents.unread:
        yield from _module(RULES["ERR907"].module).check_documents(project)
    documents = sorted(project.documents.texts)
    about = {Subject.DOCUMENTS: documents, Subject.DOCSTRINGS: documents or sorted(project.modules)}
    for code, rule in RULES.items():
        if code in project.settings.rules and (files := about.get(rule.scope)):
            try:
                yield from _found(_module(rule.module), project)
            except Exception as error:  # noqa: BLE001 -- as in check_file
                yield CheckFailure(_failure(rule, files[0], error))


def check_settings(settings: Settings, code: Code, pages: Iterable[str]) -> Iterator[Finding | CheckFailure]:
    """Yield what the active rules say of the names that the settings give; ``pages`` are the documents."""
    for rule in RULES.values():
        if rule.scope is Subject.SETTINGS and rule.code in settings.rules:
            try:
                yield from _found(_module(rule.module), settings, code, pages)
            except Exception as error:  # noqa: BLE001 -- as in check_file
                yield CheckFailure(_failure(rule, settings.named[0].file, error))


def check_test(project: Project, path: str) -> Iterator[Finding | CheckFailure]:
    """Yield what the active rules say of one test that was read as a caller."""
    for code, rule in RULES.items():
        if code in project.settings.rules and Need.INSPECTIONS in rule.needs:
            try:
                yield from _found(_module(rule.module), project, path)
            except Exception as error:  # noqa: BLE001 -- as above
                yield CheckFailure(_failure(rule, path, error))


def _found(module: ModuleType, *asked: object) -> list[Finding]:
    """Return what a rule finds, on a deep stack where its own is too short for what calls what."""
    try:
        return list(module.check(*asked))
    except RecursionError:
        return on_deep_stack(lambda: list(module.check(*asked)))


@cache
def _module(name: str) -> ModuleType:
    return import_module(f"errlint.checks.{name}")


def _failure(rule: Rule, path: str, error: Exception) -> Finding:
    message = f"{rule.code} failed on this file ({described(error)}); please report this at {PROJECT_URL}/issues"
    return Finding(path, Span(1, 1, 1, 1), "ERR906", RULES["ERR906"].severity, message)
