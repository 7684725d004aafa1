"""ERR109: a function answers its errors, and adapter code that calls it does not look at the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from errlint.checks.wording import keys, short
from errlint.error_keywords import PROBE
from errlint.facts import Function, Return, Unread
from errlint.findings import Finding, Related
from errlint.project import Project
from errlint.project.names import FunctionSymbol
from errlint.project.payload_shapes import Form, FormKind
from errlint.project.signs import is_unchecked
from errlint.rules import RULES
from errlint.settings import Style

_BESIDE = re.compile(
    r"(?:^|_)(?:log|notify|emit|track|record|report|telemetry|metrics?|cleanup|close|stop|disconnect|wait|warm|prefetch)(?:_|$)"
)
"""In the name of a function, or in the first text it is given: its failure is nobody's concern."""


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the calls in the adapter code of one file whose result may say error and is dropped."""
    if project.layout.distribution(path) not in project.adapters.distributions:
        return
    for function in project.modules[path].functions:
        if (
            not function.unread
            or project.sites.is_excluded(path, function)
            or not project.reach.adapter_of(path, function)
        ):
            continue
        groups: dict[tuple[str, str], list[Unread]] = {}
        for found in function.unread:
            symbol = project.names.resolve(path, found.callee, function.name)
            if not isinstance(symbol, FunctionSymbol) or found.is_aside or _BESIDE.search(found.word):
                continue
            if not found.parts or is_unchecked(project, symbol, found.parts):
                groups.setdefault((symbol.path, symbol.function.name), []).append(found)
        for place, group in groups.items():
            callee = project.names.function(*place)
            answer = _error_answer(project, FunctionSymbol(place[0], callee)) if callee else None
            if callee is not None and answer is not None:
                yield _finding(project, path, function, group, FunctionSymbol(place[0], callee), answer)


def _finding(
    project: Project,
    path: str,
    function: Function,
    group: list[Unread],
    callee: FunctionSymbol,
    answer: tuple[Return, Form],
) -> Finding:
    name = short(callee.function.name)
    returns = project.policy(path).style is Style.RETURN
    read = f"only reads {keys(group[0].parts)} of" if group[0].parts else "does not look at"
    remedy = "" if returns else f", or let `{name}` raise"
    return Finding(
        path,
        group[0].span,
        "ERR109",
        RULES["ERR109"].severity,
        f"`{short(function.name)}` {read} what `{name}` returns, which may be an error "
        f"({keys(answer[1].shape)}); look at it before you go on{remedy}",
        function.name,
        related=(
            Related(callee.path, answer[0].span, f"`{name}` returns the error here"),
            *(Related(path, item.span, "nobody looks at this one either") for item in group[1:]),
        ),
    )


def _error_answer(project: Project, symbol: FunctionSymbol) -> tuple[Return, Form] | None:
    """Return the first answer of a function that is an error in a form nobody takes for a success."""
    path, function = symbol
    short_name = function.name.rpartition(".")[2]
    if function.is_generator or PROBE.search(short_name) or _BESIDE.search(short_name):
        return None
    policy = project.policy(path)
    if project.sites.is_excluded(path, function):
        return None
    is_adapter = project.adapters.is_adapter(path, function)
    if is_adapter and policy.style is not Style.LOG:
        return None
    for found in function.returns:
        form = project.classifier.classify(path, function, found)
        if is_adapter and (form is None or policy.payload.key not in form.shape or not policy.payload.key):
            continue  # of an agent only a record is an answer to whoever starts it
        if (
            form is not None
            and form.kind in (FormKind.PAYLOAD, FormKind.OBJECT, FormKind.FACTORY)
            and not (form.neutral or form.is_weak or found.is_yield)
        ):
            return found, form
    return None
