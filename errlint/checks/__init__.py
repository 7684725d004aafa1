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
from errlint.rules import CATALOG_RULES, DOCSTRING_RULES, PROJECT_URL, RULES, Rule

AFTERWARDS = frozenset({"ERR901"})
"""Rules that need to know what the comments of a file suppressed."""

ABOUT_DOCUMENTS = tuple(sorted(CATALOG_RULES))
"""Rules that compare documents with the code."""

OF_THE_RUN = frozenset({"ERR905", *ABOUT_DOCUMENTS})
"""Rules that look at the settings or documents and not at any one file."""


ABOUT_TESTS = ("ERR108",)
"""Rules that are asked about tests too."""


class CheckFailure(NamedTuple):
    """A rule that raised, as the finding that tells of it."""

    finding: Finding


def check_file(
    project: Project, path: str, used: set[tuple[int, str]] | None = None
) -> Iterator[Finding | CheckFailure]:
    """Yield what the active rules say of one file.

    Without ``used`` these are all rules but those of :data:`AFTERWARDS`, with it only those. A rule that raises yields
    a :class:`CheckFailure`, and the others go on.
    """
    rules = project.rules(path)
    for code, rule in RULES.items():
        if code not in rules or (code in AFTERWARDS) != (used is not None):
            continue
        if code == "ERR906" or code in OF_THE_RUN:
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
    # What the settings name is looked for everywhere, which a run over named paths does not read.
    about = {"ERR905": [named.file for named in project.settings.named] if project.is_whole else []}
    about.update(dict.fromkeys(ABOUT_DOCUMENTS, sorted(project.documents.texts)))
    about.update(dict.fromkeys(DOCSTRING_RULES, sorted(project.documents.texts) or sorted(project.modules)))
    for code, files in about.items():
        if files and code in project.settings.rules:
            try:
                yield from list(_module(RULES[code].module).check(project))
            except Exception as error:  # noqa: BLE001 -- as in check_file
                yield CheckFailure(_failure(RULES[code], files[0], error))


def check_test(project: Project, path: str) -> Iterator[Finding | CheckFailure]:
    """Yield what the active rules say of one test that was read as a caller."""
    for code in ABOUT_TESTS:
        if code in project.settings.rules:
            try:
                yield from list(_module(RULES[code].module).check(project, path))
            except Exception as error:  # noqa: BLE001 -- as above
                yield CheckFailure(_failure(RULES[code], path, error))


@cache
def _module(name: str) -> ModuleType:
    return import_module(f"errlint.checks.{name}")


def _failure(rule: Rule, path: str, error: Exception) -> Finding:
    message = f"{rule.code} failed on this file ({described(error)}); please report this at {PROJECT_URL}/issues"
    return Finding(path, Span(1, 1, 1, 1), "ERR906", RULES["ERR906"].severity, message)
