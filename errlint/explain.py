"""``errlint explain PATH:LINE``: what errlint made of a line, for users who wonder and for developers of rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from errlint.characters import printable
from errlint.checks import CheckFailure, check_file
from errlint.discover import SUFFIXES
from errlint.errors import InputError, Place
from errlint.facts import Function, Return
from errlint.findings import Finding
from errlint.fix.model import Applicability, Doubt, Refusal
from errlint.patterns import Patterns
from errlint.pipeline import build
from errlint.project import Project
from errlint.project.names import FunctionSymbol
from errlint.project.payload_shapes import Form, FormKind
from errlint.request import Stopwatch
from errlint.run import nested, open_cache, reached, read_states, require_line, select, whole
from errlint.suppress import apply
from errlint.workspace.root import inside

if TYPE_CHECKING:
    from errlint.request import FileSelection, Request

_FORMS = {
    FormKind.FACTORY: "a call of an error factory (ERR102)",
    FormKind.OBJECT: "an error object (ERR105)",
    FormKind.PAYLOAD: "an error payload (ERR101)",
    FormKind.TEXT: "an error text (ERR103, in adapter code)",
    FormKind.TUPLE: "an error tuple (ERR104)",
    FormKind.UNMARKED_TEXT: "an error text without an error opening (ERR112, in adapter code)",
}


def explain(request: Request, path: Path, line: int) -> str:
    """Return what is known of the statement at a line (from 1) and why it is reported or not, as text.

    Raises :class:`InputError` for a file that the run does not read.
    """
    root = request.settings.root
    name = inside(root, path)
    selection = select(request)
    inner, _ = nested(request, selection)
    if refusal := _unread(inner, selection, name):
        raise InputError(f"errlint does not report on this file: {refusal[0]}", hint=refusal[1], place=Place(path))
    require_line(request, path, line)
    asked, cache, states = request, open_cache(request, selection), read_states(root, selection.known)
    selection, _ = reached(inner, selection, states, cache)
    request, _ = nested(asked, selection)
    project = build(request, selection, states, cache, Stopwatch()).project
    return "".join(
        f"{printable(told)}\n" for told in (*_lines(project, name, line), *_fixes(asked, project, name, line))
    )


def _unread(request: Request, selection: FileSelection, name: str) -> tuple[str, str] | None:
    """Return why a run that names no files does not report on a file, and what to do; ``None`` where it does."""
    settings = request.settings
    if (settings.root / name).is_dir():
        return "it is a folder", "write FILE:LINE"
    if not name.endswith(SUFFIXES):
        return "it is not Python", "of Markdown the documents of `catalog.files` are explained"
    for key, patterns in (("exclude", settings.exclude), ("tests", settings.tests)):
        matching = (each for each in patterns if Patterns((each,)).matches(name))
        if Patterns(patterns).matches(name) and (found := next(matching, "")):
            what = "excluded" if key == "exclude" else "a test"
            return f"it is {what}, by `{found}` of `{key}`", f"`errlint --show-settings` says where `{key}` is"
    if settings.include and not Patterns(settings.include).matches(name):
        return "no pattern of `include` is about it", "`errlint --show-settings` says where `include` is"
    if name in selection.excluded:
        return "git ignores it", "see .gitignore"
    return None if name in selection.reported else ("git ignores it, or it is outside of the project", "")


def _lines(project: Project, path: str, line: int) -> Iterator[str]:
    distribution = project.layout.distribution(path)
    yield f"file          {path} (module {project.layout.module_name(path)}, distribution {distribution or '.'})"
    yield f"style         {project.policy(path).style.value}"
    if not project.sites.is_served(path):
        yield "adapters      none in this distribution, so error returns are not reported"
    problem = project.modules[path].problem
    if problem is not None:
        yield f"problem       {problem.code}: {problem.message}"
    function, found = _at(project, path, line)
    if function is None:
        yield "function      none with a candidate at this line"
    else:
        yield from _function(project, path, function)
    if function is not None and found is not None:
        yield from _return(project, path, function, found)
    yield from _findings(project, path, line)


def _at(project: Project, path: str, line: int) -> tuple[Function | None, Return | None]:
    """Return the function with a candidate at a line and the candidate, or the nearest function that starts above."""
    nearest: Function | None = None
    for function in project.modules[path].functions:
        for found in function.returns:
            if found.span.line <= line <= found.span.end_line:
                return function, found
        if function.span.line <= line and (nearest is None or nearest.span.line < function.span.line):
            nearest = function
    return nearest, None


def _function(project: Project, path: str, function: Function) -> Iterator[str]:
    yield f"function      {function.name} (line {function.span.line})"
    if project.adapters.is_adapter(path, function):
        yield "adapter       yes"
    elif (framework := project.routes.framework(path, function)) is not None:
        sets = ", which sets the status of its answers itself" if function.sets_status else ""
        yield f"adapter       a route of {framework.name}{sets}"
    else:
        adapter = project.reach.adapter_of(path, function)
        yield f"adapter       no; {f'adapter code, through {adapter}' if adapter else 'not adapter code'}"
    if project.sites.is_excluded(path, function) and not project.routes.is_answering(path, function):
        yield "excluded      yes: a web handler, serializer, middleware, exception class or boundary"
    callers = project.callers.may(path, function)
    certain = set(project.callers.must(path, function))
    for caller in callers[:10]:
        how = f"{caller.use.how}" + (f" to {caller.use.receiver}" if caller.use.receiver else "")
        sure = "" if caller in certain else ", by name only"
        yield f"caller        {caller.path}:{caller.use.span.line} in {caller.function or 'the module'} ({how}{sure})"
    if len(callers) > 10:
        yield f"caller        … and {len(callers) - 10} more"
    if project.sites.is_part_of_more(path, function):
        yield "callers       all of them make its result a part of something bigger, or raise from it"
    if project.sites.tells_reasons(path, function):
        yield "callers       none answers the reason that it tells as it is, so it is not reported"
    if project.classifier.factory(FunctionSymbol(path, function)) is not None:
        yield "factory       yes: every return is an error form, so its callers are reported"


def _return(project: Project, path: str, function: Function, found: Return) -> Iterator[str]:
    form = project.classifier.classify(path, function, found)
    yield f"statement     lines {found.span.line}-{found.span.end_line}"
    yield f"form          {_form(form) if form else 'not an error form'}"


def _form(form: Form) -> str:
    parts = [_FORMS[form.kind]]
    if form.shape:
        parts.append(f"told by {', '.join(form.shape)}")
    if form.wrapper:
        parts.append(f"inside {form.wrapper}")
    if form.helper is not None:
        parts.append(f"built by {form.helper.function.name} in {form.helper.path}:{form.helper.function.span.line}")
    if form.neutral:
        parts.append("its own status is no failure, so it only counts in an adapter")
    return "; ".join(parts)


def _fixes(request: Request, project: Project, path: str, line: int) -> Iterator[str]:
    """Yield what `--fix` makes of the findings at a line: the whole of their functions is planned, and proved."""
    from errlint.fix.parts import Parts
    from errlint.fix.plan import PLANNED
    from errlint.fix.presentation.advice import advice
    from errlint.fix.presentation.edits import message, parts_of
    from errlint.fix.run import propose
    from errlint.fix.snapshot import snapshot

    found, _ = apply(_found(project, path), project.modules[path].suppressions)
    here = [item for item in found if item.span.line <= line <= item.span.end_line and item.code in PLANNED]
    if not here:
        return
    functions = {item.function for item in here}
    findings = tuple(item for item in found if item.function in functions)
    proposal = propose(snapshot(whole(request)), findings, None, Stopwatch(), unsafe=True)
    places = {(item.span, item.code) for item in here}
    for group in proposal.refused:
        if any((item.span, item.code) in places for item in group.findings):
            yield "fix           refused"
            refusing = [doubt for doubt in group.doubts if doubt.refuses]
            yield from map(_doubt, refusing)
            yield from (f"hint          {told}" for doubt in refusing if (told := advice(doubt.text)))
    for planned in proposal.chosen:
        group = planned.group
        if not any((item.span, item.code) in places for item in group.findings):
            continue
        try:
            text = message(planned, parts_of(proposal.files, planned, Parts()))
        except Refusal as refusal:
            yield from ("fix           refused", _doubt(refusal.doubt))
            continue
        sure = "safe" if group.applicability is Applicability.SAFE else "unsafe"
        yield f"fix           {sure}: {text[0].lower()}{text[1:].removesuffix(' (unsafe)')}"
        notes = planned.changes[path].notes if path in planned.changes else ()
        for place, told in notes:
            if any(item.span.line <= place <= item.span.end_line for item in here):
                yield f"class         {told}"
        yield from map(_doubt, group.doubts)
        yield from (f"{_doubt(doubt)}, which the configuration accepts" for doubt in group.accepted)


def _doubt(doubt: Doubt) -> str:
    return f"because       {doubt.text}" + (f" ({doubt.place})" if doubt.place else "")


def _found(project: Project, path: str) -> list[Finding]:
    return [found for found in check_file(project, path) if not isinstance(found, CheckFailure)]


def _findings(project: Project, path: str, line: int) -> Iterator[str]:
    here = [found for found in _found(project, path) if found.span.line <= line <= found.span.end_line]
    kept, _ = apply(here, project.modules[path].suppressions)
    for found in here:
        yield f"finding       {_finding(found)}" + ("" if found in kept else " (suppressed by a comment)")
    if not here:
        yield "finding       none"


def _finding(found: Finding) -> str:
    return f"{found.code} {found.message}"
