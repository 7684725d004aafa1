"""A survey of a project, asked of the services of the linked project; for formats that show one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from msgspec import structs

from errlint.facts import Function
from errlint.pipeline import build
from errlint.project import Project
from errlint.project.payload_shapes import FormKind
from errlint.project.raised_errors import Origin
from errlint.project.registry import Registered, Registry, is_of_protocol
from errlint.project.return_sites import ReturnSite
from errlint.project.tested import names, own
from errlint.report.survey import Code, DayOne, Factory, Flow, Package, Shape, Survey
from errlint.request import Request, Stopwatch
from errlint.rules import CATALOG_RULES
from errlint.run import RunOutcome, nested, open_cache, read_states, select, whole
from errlint.settings.policy import bare_name

_NEEDED = frozenset({"ERR101", "ERR108", "ERR201", "ERR205", "ERR301", "ERR302", "ERR310"}) | CATALOG_RULES
"""Rules whose facts the survey rests on."""

_FORMS = {
    FormKind.PAYLOAD: "hand-built payload",
    FormKind.FACTORY: "payload of a factory",
    FormKind.OBJECT: "error object",
    FormKind.TEXT: "error text",
    FormKind.TUPLE: "error tuple",
    FormKind.UNMARKED_TEXT: "unmarked text",
}
_RAISED = "exception"
_ADAPTER, _BELOW = "in an adapter", "in what adapters call"
_RESULT, _FRAMEWORK = "the client, as a result", "the framework, as an error"
_SEVERAL = "differs by adapter"


def survey(request: Request, outcome: RunOutcome) -> Survey:
    """Return the survey of the whole project; ``outcome`` are the findings of the run."""
    project = _linked(whole(request))
    sites = [site for path in sorted(project.modules) if project.is_reported(path) for site in project.sites.of(path)]
    distribution = project.layout.distribution
    return Survey(
        flows=_flows(project, sites),
        shapes=_shapes(sites),
        factories=_factories(sites),
        codes=tuple(_codes(project)),
        packages=_packages(project, sites),
        packages_of={path: distribution(path) or "." for path in {finding.path for finding in outcome.findings}},
        has_boundary=any(policy.boundaries for policy in project.settings.policies()),
        day_one=_day_one(request, outcome),
    )


def _linked(request: Request) -> Project:
    request = request._replace(settings=structs.replace(request.settings, rules=request.settings.rules | _NEEDED))
    selection = select(request)
    request, _ = nested(request, selection)
    states = read_states(request.settings.root, selection.known)
    return build(request, selection, states, open_cache(request, selection), Stopwatch()).project


def _flows(project: Project, sites: list[ReturnSite]) -> tuple[Flow, ...]:
    counts: Counter[tuple[str, str, str]] = Counter(
        (_FORMS[site.form.kind], _ADAPTER if site.is_adapter else _BELOW, _RESULT) for site in sites
    )
    adapters = _adapters_by_name(project)
    for error in project.raised_errors.all():
        if error.kind is not Origin.RAISE or not error.surfaces or not project.is_reported(error.path):
            continue
        around = project.names.function(error.path, error.function)
        is_adapter = around is not None and project.adapters.is_adapter(error.path, around)
        places = [(error.path, around)] if is_adapter and around is not None else []
        places = places or [place for name in error.adapters for place in _nearest(project, adapters[name], error.path)]
        ends = {_boundary(project, *place) or _FRAMEWORK for place in places}
        if ends:
            counts[_RAISED, _ADAPTER if is_adapter else _BELOW, ends.pop() if len(ends) == 1 else _SEVERAL] += 1
    return tuple(Flow(*key, count) for key, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _adapters(project: Project) -> Iterator[tuple[str, Function]]:
    for path in sorted(project.modules):
        if project.is_reported(path):
            for function in project.modules[path].functions:
                if project.adapters.is_adapter(path, function):
                    yield path, function


def _adapters_by_name(project: Project) -> dict[str, list[tuple[str, Function]]]:
    found: dict[str, list[tuple[str, Function]]] = defaultdict(list)
    for path, function in _adapters(project):
        found[function.name].append((path, function))
    return found


def _nearest(project: Project, adapters: list[tuple[str, Function]], path: str) -> list[tuple[str, Function]]:
    """Return those of the adapters of one name that are in the distribution of a file; all where none is."""
    distribution = project.layout.distribution
    return [each for each in adapters if distribution(each[0]) == distribution(path)] or adapters


def _boundary(project: Project, path: str, function: Function) -> str:
    """Return the name of the configured boundary that covers an adapter, "" for none."""
    covers = project.boundaries.covers(path, function)
    if covers:
        return f"`{bare_name(covers[0].boundary.decorator)}`"
    policy = project.policy(path)
    if not policy.boundaries or not project.boundaries.is_covered(path, function):
        return ""
    first = policy.boundaries[0]
    return f"`{bare_name(first.decorator or first.middleware[0])}`" if first.decorator or first.middleware else ""


def _shapes(sites: list[ReturnSite]) -> tuple[Shape, ...]:
    groups: dict[tuple[str, tuple[str, ...]], list[ReturnSite]] = {}
    for site in sites:
        kind = site.form.kind
        is_text = kind in (FormKind.TEXT, FormKind.UNMARKED_TEXT)
        told_by = () if is_text else site.form.shape
        groups.setdefault((_FORMS[kind], tuple(sorted(told_by))), []).append(site)
    found = [
        Shape(form, told_by, len(alike), alike[0].path, alike[0].found.span.line)
        for (form, told_by), alike in groups.items()
    ]
    return tuple(sorted(found, key=lambda shape: (-shape.number, shape.form, shape.told_by)))


def _factories(sites: list[ReturnSite]) -> tuple[Factory, ...]:
    uses: dict[tuple[str, str], list[ReturnSite]] = {}
    for site in sites:
        if site.form.helper is not None:
            uses.setdefault((site.form.helper.path, site.form.helper.function.name), []).append(site)
    found = []
    for (path, name), alike in uses.items():
        helper = alike[0].form.helper
        assert helper is not None
        found.append(Factory(bare_name(name), path, helper.function.span.line, alike[0].form.shape, len(alike)))
    return tuple(sorted(found, key=lambda factory: (-factory.uses, factory.path, factory.line)))


def _packages(project: Project, sites: list[ReturnSite]) -> tuple[Package, ...]:
    distribution = project.layout.distribution
    adapters: Counter[str] = Counter()
    covered: Counter[str] = Counter()
    answers = Counter(distribution(site.path) for site in sites)
    for path, function in _adapters(project):
        adapters[distribution(path)] += 1
        covered[distribution(path)] += bool(_boundary(project, path, function))
    return tuple(
        Package(name or ".", adapters[name], covered[name], answers[name]) for name in sorted({*adapters, *answers})
    )


def _codes(project: Project) -> Iterator[Code]:
    """Yield the codes of registries, those of exception classes, then those that errors are given and nobody lists."""
    raised = {
        str(code)
        for error in project.raised_errors.all()
        if error.surfaces and project.is_reported(error.path)
        for code in error.codes
    }
    documented = project.documented.codes.keys() if project.documents.texts else None
    seen: set[str] = set()
    for path in sorted(filter(project.is_reported, project.modules)):
        if not project.codes.applies(path):
            continue
        can_be_tested = project.tested.applies(project, path)
        for registry in project.codes.registered_in(path):
            for code in () if is_of_protocol(registry) else registry.codes:
                text = str(code.value) if code.value is not None else code.text
                if code.repeats or not text or text in seen:
                    continue
                seen.add(text)
                yield Code(
                    text,
                    registry.spelled(code),
                    True,
                    text in raised or code.member in raised,
                    None if documented is None else text in documented or code.member in documented,
                    _is_tested(project, registry, code) if can_be_tested else None,
                )
        for each in own(project, path):
            if each.code not in seen:
                seen.add(each.code)
                yield Code(
                    each.code,
                    each.definition.name,
                    True,
                    each.code in raised,
                    None if documented is None else each.code in documented,
                    not project.tested.words.isdisjoint(each.names) if can_be_tested else None,
                )
    for text in sorted(raised - seen):
        yield Code(text, "", False, True, None if documented is None else text in documented, None)


def _is_tested(project: Project, registry: Registry, code: Registered) -> bool:
    tested = project.tested
    return registry.short in tested.whole or not tested.words.isdisjoint(names(project, registry, code))


def _day_one(request: Request, outcome: RunOutcome) -> tuple[DayOne, ...] | None:
    if request.settings.baseline is None:
        return None
    from errlint.commands.baseline import overview

    listed = {each.name.partition(" ")[0]: each for each in overview(whole(request)).by_rule}
    new = Counter(finding.code for finding in outcome.findings)
    return tuple(
        DayOne(code, listed[code].known, listed[code].stale, new[code])
        if code in listed
        else DayOne(code, 0, 0, new[code])
        for code in sorted({*listed, *new})
    )
