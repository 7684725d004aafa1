"""ERR110: a handler turns an exception into an ordinary answer, or only logs it and goes on."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import short
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.names import FunctionSymbol
from errlint.project.promises import TASKS, is_queued, is_typed_success
from errlint.project.swallowed import swallowed
from errlint.rules import RULES
from errlint.settings import Style


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the handlers in the adapter code of one file after which nobody knows that something failed."""
    policy = project.policy(path)
    answer = policy.response.types[0] if policy.response.types else "an error"
    remedy = f"return {answer}" if policy.style is Style.RETURN else "raise an exception"
    if project.layout.distribution(path) not in project.adapters.distributions and not project.is_governed(path):
        return
    if policy.response.queued:
        yield from _unwatched(project, path)
    for function, found, fate in swallowed(project, path):
        caught = ", ".join(name.rpartition(".")[2] for name in found.types)
        clause = (
            f"`except {caught}`" if len(found.types) == 1 else f"`except ({caught})`" if caught else "a bare `except`"
        )
        if found.how == "filtered":
            clause = "`gather(return_exceptions=True)`"
        if found.is_suppressed:
            clause = f"`suppress({caught})`"
        logs = "only logs the error and " if found.level else ""
        name = f"`{short(function.name)}`"
        if not project.adapters.is_adapter(path, function) and project.reach.adapter_of(path, function):
            name += f" (called by the adapter `{short(project.reach.adapter_of(path, function))}`)"
        yield Finding(
            path,
            found.span,
            "ERR110",
            RULES["ERR110"].severity,
            f"{clause} in {name} {logs}{fate}, so that nobody learns of it; {remedy}",
            function.name,
        )


def _unwatched(project: Project, path: str) -> Iterator[Finding]:
    """Yield the tasks of adapter code that nobody keeps, so that nobody can ask how they ended."""
    for function in project.modules[path].functions:
        promised = {
            item.span for item in function.returns if is_typed_success(project, path, function.name, item.value)
        }
        for work in function.deferred:
            if work.is_kept or work.callee.rpartition(".")[2] not in TASKS or project.sites.is_excluded(path, function):
                continue
            if not promised.isdisjoint(work.unawaited):
                continue  # ERR111 says so
            if not project.reach.adapter_of(path, function) or not is_queued(project, path, work, ()):
                continue
            symbol = project.names.resolve(path, work.job, function.name)
            if isinstance(symbol, FunctionSymbol) and symbol.function.tries:
                continue  # it looks after itself
            job = f"`{work.job}`" if work.job else "the task"
            message = f"nobody keeps the task, so that nobody learns how {job} ends; keep it and look at its exception"
            yield Finding(path, work.span, "ERR110", RULES["ERR110"].severity, message, function.name)
