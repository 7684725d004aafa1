"""ERR111: success is answered although the work was only queued."""

from __future__ import annotations

import re
from collections.abc import Iterator

from errlint.checks.wording import short
from errlint.facts import Function
from errlint.findings import Finding, Related, Span
from errlint.project import Project
from errlint.project.kept import only_queued, unkept
from errlint.project.promises import is_done, is_queued, is_typed_success
from errlint.rules import RULES

_STARTS = re.compile(
    r"^_*(?:start|launch|schedule|enqueue|queue|submit|trigger|spawn|begin|dispatch|background|fire|kick|subscribe"
    r"|watch|monitor|serve|stop|shutdown|restart|cancel|close|connect|disconnect|init|warm|preload|prefetch)|async|background"
)
"""Names of functions that only promise to start something."""


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the returns of adapter code in one file that say that work is done which was only queued."""
    policy = project.policy(path)
    for each in unkept(project, path):
        message = f"`{short(each.function.name)}` answers `{each.name}`, but nothing on the way to it keeps anything"
        advice = "store or queue the work before, or answer an error"
        yield _finding(path, each.function, each.span, f"{message}; {advice}")
    for only in only_queued(project, path):
        helper = short(only.helper.function.name)
        message = f"`{short(only.function.name)}` answers success, but `{helper}` has only queued the work"
        advice = f"wait for it, or return {policy.response.queued[0]}"
        related = (Related(only.helper.path, only.work.span, "the work is queued here"),)
        yield _finding(path, only.function, only.span, f"{message}; {advice}", related)
    for function in project.modules[path].functions:
        if not function.deferred or _STARTS.search(function.name.rpartition(".")[2]):
            continue
        if project.sites.is_excluded(path, function) or not project.reach.adapter_of(path, function):
            continue
        answered = {found.span: found.value for found in function.returns}
        done = set()
        for work in function.deferred:
            if not is_queued(project, path, work, policy.work.enqueue):
                continue
            for span in sorted({*work.answers, *work.unawaited}):
                if span in done or span not in answered:
                    continue
                is_typed = bool(policy.response.queued) and is_typed_success(
                    project, path, function.name, answered[span]
                )
                if not is_typed and not (span in work.answers and is_done(answered[span], policy)):
                    continue
                done.add(span)
                what = f"`{work.callee}` in line {work.span.line} has only queued the work"
                advice = "wait for it, or answer that it is queued"
                if policy.response.queued:
                    advice = f"wait for it, or return {policy.response.queued[0]}"
                message = f"`{short(function.name)}` answers success, but {what}; {advice}"
                related = (Related(path, work.span, "the work is queued here"),)
                yield _finding(path, function, span, message, related)


def _finding(path: str, function: Function, span: Span, message: str, related: tuple[Related, ...] = ()) -> Finding:
    return Finding(path, span, "ERR111", RULES["ERR111"].severity, message, function.name, related=related)
