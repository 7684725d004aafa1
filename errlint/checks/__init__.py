"""The rules: one module each, found by its name from the list in :mod:`errlint.rules`.

A rule is a function ``check(project, path)`` that yields the findings of one file. Rules about suppressions are
asked after the others, as ``check(project, path, used)``; rules about the whole run once, as ``check(project)``. A
rule never sees a syntax tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from errlint.errors import described
from errlint.findings import Finding, Span
from errlint.project import Project
from errlint.rules import PROJECT_URL, RULES, Need, Rule, Scope

OF_THE_RUN = frozenset(
    code for code, rule in RULES.items() if rule.scope in (Scope.SETTINGS, Scope.DOCUMENTS, Scope.DOCSTRINGS)
)
"""Rules that look at the settings or documents and not at any one file."""


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
    scope = Scope.FILE if used is None else Scope.SUPPRESSIONS
    for code, rule in RULES.items():
        if code not in rules or rule.scope is not scope:
            continue
        try:
            module = _module(rule.module)
            yield from list(module.check(project, path) if used is None else module.check(project, path, used))
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
    """Yield what the active rules say of the run as a whole."""
    if project.documents.unread:
        yield from _module(RULES["ERR907"].module).check_documents(project)
    documents = sorted(project.documents.texts)
    about = {
        # What the settings name is looked for everywhere, which a run over named paths does not read.
        Scope.SETTINGS: [named.file for named in project.settings.named] if project.is_whole else [],
        Scope.DOCUMENTS: documents,
        Scope.DOCSTRINGS: documents or sorted(project.modules),
    }
    for code, rule in RULES.items():
        if code in project.settings.rules and (files := about.get(rule.scope)):
            try:
                yield from list(_module(rule.module).check(project))
            except Exception as error:  # noqa: BLE001 -- as in check_file
                yield CheckFailure(_failure(rule, files[0], error))


def check_test(project: Project, path: str) -> Iterator[Finding | CheckFailure]:
    """Yield what the active rules say of one test that was read as a caller."""
    for code, rule in RULES.items():
        if code in project.settings.rules and Need.INSPECTIONS in rule.needs:
            try:
                yield from list(_module(rule.module).check(project, path))
            except Exception as error:  # noqa: BLE001 -- as above
                yield CheckFailure(_failure(rule, path, error))


@cache
def _module(name: str) -> ModuleType:
    return import_module(f"errlint.checks.{name}")


def _failure(rule: Rule, path: str, error: Exception) -> Finding:
    message = f"{rule.code} failed on this file ({described(error)}); please report this at {PROJECT_URL}/issues"
    return Finding(path, Span(1, 1, 1, 1), "ERR906", RULES["ERR906"].severity, message)
