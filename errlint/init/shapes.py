"""How errors are answered now: hand-built payloads by their keys, factories, texts, tuples and objects, with counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from errlint.checks import CheckFailure, check_file
from errlint.init.servers import resources
from errlint.init.statements import About, Seen, Statement, counted, listed, seen
from errlint.project import Project
from errlint.project.names import ClassSymbol
from errlint.project.payload_shapes import FormKind
from errlint.project.return_sites import ReturnSite

RULE_OF = {
    FormKind.PAYLOAD: "ERR101",
    FormKind.FACTORY: "ERR102",
    FormKind.TEXT: "ERR103",
    FormKind.TUPLE: "ERR104",
    FormKind.OBJECT: "ERR105",
    FormKind.UNMARKED_TEXT: "ERR112",
}
"""The rules that report the forms of error returns: what they leave alone is no error answer here either."""

RULES = frozenset(RULE_OF.values())

_MOST = 6


class Shape(NamedTuple):
    """Error answers that look alike.

    ``told_by`` are the keys of a payload, the class of an object or the name of a factory. ``defined`` is the place of
    the factory or class, ``None`` where it is not of the project, and ``made`` the class where it is. ``keys`` are
    those that tell what a factory builds.
    """

    kind: FormKind
    told_by: tuple[str, ...]
    number: int
    first: Seen
    defined: Seen | None = None
    made: ClassSymbol | None = None
    keys: tuple[str, ...] = ()


def error_sites(project: Project) -> list[ReturnSite]:
    """Return the error returns of a project that rules report, in order of place."""
    found: list[ReturnSite] = []
    for path in sorted(project.modules):
        if not project.is_reported(path):
            continue
        sites = project.sites.of(path)
        reported = (
            {(item.span, item.code) for item in check_file(project, path) if not isinstance(item, CheckFailure)}
            if sites
            else set()
        )
        found += [site for site in sites if (site.found.span, RULE_OF[site.form.kind]) in reported]
    return found


def shapes(sites: list[ReturnSite]) -> tuple[Shape, ...]:
    """Return the shapes of some error returns, the most frequent first."""
    groups: dict[tuple[FormKind, tuple[str, ...], object], list[ReturnSite]] = {}
    for site in sites:
        groups.setdefault(_likeness(site), []).append(site)
    found = [_shape(kind, told_by, alike) for (kind, told_by, _), alike in groups.items()]
    return tuple(sorted(found, key=lambda item: (-item.number, item.kind.value, item.first)))


def _likeness(site: ReturnSite) -> tuple[FormKind, tuple[str, ...], object]:
    form = site.form
    if form.kind in (FormKind.TEXT, FormKind.UNMARKED_TEXT):
        return form.kind, (), None
    if form.kind is FormKind.FACTORY:
        helper = form.helper
        name = helper.function.name if helper is not None else form.wrapper
        return form.kind, (name,), helper and (helper.path, helper.function.span)
    if form.kind is FormKind.OBJECT:
        return form.kind, form.shape[:1], form.made and (form.made.path, form.made.definition.name)
    return form.kind, tuple(sorted(form.shape)), None


def _shape(kind: FormKind, told_by: tuple[str, ...], alike: list[ReturnSite]) -> Shape:
    first = alike[0]
    helper, made = first.form.helper, first.form.made
    defined: Seen | None = None
    if kind is FormKind.FACTORY and helper is not None:
        defined = seen(helper.path, helper.function.span)
    elif made is not None:
        defined = seen(made.path, made.definition.span)
    keys = first.form.shape if kind is FormKind.FACTORY else ()
    return Shape(kind, told_by, len(alike), seen(first.path, first.found.span), defined, made, keys)


def statements(project: Project, found: tuple[Shape, ...], unclaimed: int) -> Iterator[Statement]:
    """Yield what there is to say of the error answers; ``unclaimed`` are those of what nobody is known to serve."""
    yield from _with_status(project)
    if not found and unclaimed:
        returns = "1 return looks" if unclaimed == 1 else f"{unclaimed:,} returns look"
        yield Statement(About.ERRORS, f"{returns} like an error answer, of functions that no client is known to reach")
        return
    if not found:
        yield Statement(About.ERRORS, "no error is answered in place of a result, as far as can be seen")
        return
    total = sum(item.number for item in found)
    returns = "1 return answers" if total == 1 else f"{total:,} returns answer"
    text = f"{returns} an error in place of a result, in {counted(len(found), 'shape')}"
    yield Statement(About.ERRORS, text, (found[0].first,), {"count": total, "shapes": len(found)})
    for item in found[:_MOST]:
        yield _of_shape(item)
    if len(found) > _MOST:
        rest = found[_MOST:]
        number = sum(item.number for item in rest)
        places = tuple(item.first for item in rest)
        yield Statement(About.ERRORS, f"{number:,} in {counted(len(rest), 'other shape')}", places, {"count": number})


def _with_status(project: Project) -> Iterator[Statement]:
    """Yield how many errors are answered with the status of an error, as they should be."""
    found: Counter[int] = Counter()
    first: Seen | None = None
    for path in sorted(project.modules):
        for function in project.modules[path].functions:
            owner = project.names.enclosing_class(path, function.name) if function.owner else None
            is_of_route = project.routes.is_route(path, function) or project.routes.answered_by(path, function)
            if not is_of_route and (owner is None or not resources(project, owner)):
                continue
            for answer in function.returns:
                status = project.routes.error_status(answer.value)
                if status is not None:
                    found[status] += 1
                    first = first or seen(path, answer.span)
    if first is not None:
        number = sum(found.values())
        returns = (
            "1 return answers an error with its status"
            if number == 1
            else f"{number:,} returns answer errors with their status"
        )
        by_status = ", ".join(f"{status} ({count:,})" for status, count in sorted(found.items()))
        details = {"count": number, "statuses": {str(status): count for status, count in sorted(found.items())}}
        yield Statement(About.ERRORS, f"{returns}: {by_status}", (first,), details)


def _of_shape(item: Shape) -> Statement:
    name = item.told_by[0] if item.told_by else ""
    places = (item.first,)
    if item.kind is FormKind.PAYLOAD:
        text = f"{counted(item.number, 'hand-built payload')} told by {listed(item.told_by)}"
    elif item.kind is FormKind.FACTORY:
        built = f", told by {listed(item.keys)}" if item.keys and item.keys != item.told_by else ""
        text = f"{counted(item.number, 'return')} of what `{name}` answers{built}"
        places = (*((item.defined,) if item.defined else ()), item.first)
    elif item.kind is FormKind.OBJECT:
        text = f"{counted(item.number, 'object')} of `{name}`"
        places = (*((item.defined,) if item.defined else ()), item.first)
    elif item.kind is FormKind.TUPLE:
        text = f"{counted(item.number, 'tuple')} with {listed(item.told_by)} first"
    elif item.kind is FormKind.TEXT:
        text = counted(item.number, "error text")
    else:
        text = f"{counted(item.number, 'text')} about errors that nothing marks as such"
    details = {
        "kind": item.kind.name.lower(),
        "told_by": list(item.told_by),
        "count": item.number,
        "defined": str(item.defined) if item.defined else None,
        "keys": list(item.keys),
    }
    return Statement(About.ERRORS, text, places, details)
