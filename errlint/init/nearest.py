"""The nearest of the presets: which of its names a project has, and how many of the project's errors have its form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from errlint.init.boundaries import Candidate
from errlint.init.statements import About, Seen, Statement, counted, listed, seen
from errlint.project import Project
from errlint.project.domain import matches
from errlint.project.raised_errors import Origin, RaisedError
from errlint.project.return_sites import ReturnSite
from errlint.settings import Policy, Style
from errlint.settings.conventions import presets
from errlint.settings.policy import bare_name

_LEAST_NAMES = 2
"""How many names of a preset a project has to define before these say anything: an ``ErrorResponse`` is everywhere."""


class Fit(NamedTuple):
    """How a preset fits.

    ``names`` are those of the preset that the project defines, with their places. Of the ``total`` error answers
    ``alike`` have its form, the first of them at ``first``. ``lacks`` are the fields that it asks for and hardly any of
    these has.
    """

    name: str
    names: tuple[tuple[str, Seen], ...]
    alike: int
    total: int
    first: Seen | None
    lacks: tuple[str, ...]

    @property
    def is_followed(self) -> bool:
        """Whether the project follows it already: most of its errors look so, or none does and its names are there."""
        if self.lacks:
            return False
        return 2 * self.alike > self.total if self.total else len(self.names) >= _LEAST_NAMES


def nearest(project: Project, sites: list[ReturnSite], candidates: tuple[Candidate, ...]) -> Fit | None:
    """Return the preset that is nearest to a project, ``None`` where none is near at all."""
    answers = _answers(project, sites)
    defined = _defined(project)
    fits = [
        _fit(name, convention.policy, answers, defined, candidates) for name, convention in sorted(presets().items())
    ]
    near = [fit for fit in fits if fit.alike or (not fit.total and len(fit.names) >= _LEAST_NAMES)]
    return max(near, key=lambda fit: (fit.is_followed, fit.alike, len(fit.names)), default=None)


def statements(fit: Fit | None) -> Iterator[Statement]:
    """Yield why a preset is the nearest one, or that none is near."""
    if fit is None:
        names = listed(sorted(presets()))
        yield Statement(About.CONVENTIONS, f"none of {names} is near: no error answer has the form of one")
        return
    reasons: list[str] = []
    if fit.names:
        reasons.append(f"the project defines {listed([name for name, _ in fit.names])}")
    reasons.append(
        f"{fit.alike:,} of {counted(fit.total, 'error answer')} {'has' if fit.alike == 1 else 'have'} its form"
    )
    if fit.lacks:
        reasons.append(f"hardly any of these has its {listed(fit.lacks)}")
    places = (*(place for _, place in fit.names), *((fit.first,) if fit.first else ()))
    details = {
        "convention": fit.name,
        "followed": fit.is_followed,
        "names": [name for name, _ in fit.names],
        "alike": fit.alike,
        "answers": fit.total,
        "lacks": list(fit.lacks),
    }
    yield Statement(About.CONVENTIONS, f"`{fit.name}` is the nearest: {'; '.join(reasons)}", places, details)


def _answers(project: Project, sites: list[ReturnSite]) -> dict[Seen, list[RaisedError]]:
    """Return the errors that clients are answered, by their places: what is returned, and what is raised."""
    returned = {(site.path, site.found.span) for site in sites}
    found: dict[Seen, list[RaisedError]] = {}
    for error in project.raised_errors.all():
        if error.kind is Origin.RAISE:
            function = project.names.function(error.path, error.function)
            is_answer = bool(error.adapters) or (function is not None and project.routes.is_route(error.path, function))
            is_answer = is_answer and error.escapes
        else:
            is_answer = (error.path, error.span) in returned
        if is_answer:
            found.setdefault(seen(error.path, error.span), []).append(error)
    return found


def _defined(project: Project) -> Mapping[str, Seen]:
    """Return the classes and functions of a project by their own names, each with its first place."""
    found: dict[str, Seen] = {}
    for path in sorted(project.modules):
        module = project.modules[path]
        for definition in module.classes:
            found.setdefault(bare_name(definition.name), seen(path, definition.span))
        for function in module.functions:
            if "." not in function.name:
                found.setdefault(function.name, seen(path, function.span))
    return found


def _names(policy: Policy) -> list[str]:
    """Return the names that a preset gives to what a project defines."""
    exceptions, response = policy.exceptions, policy.response
    names = [*exceptions.root, exceptions.default, *exceptions.parents, *response.names, *policy.codes.registry]
    names += [each for item in policy.required for each in item.classes]
    names += [each for item in policy.boundaries for each in (item.decorator, *item.converters)]
    return sorted({bare_name(name) for name in names if name and "*" not in name})


def _fit(
    name: str,
    policy: Policy,
    answers: dict[Seen, list[RaisedError]],
    defined: Mapping[str, Seen],
    candidates: tuple[Candidate, ...],
) -> Fit:
    names = tuple((each, defined[each]) for each in _names(policy) if each in defined)
    alike = {place: errors for place, errors in answers.items() if any(_is_alike(error, policy) for error in errors)}
    if _has_envelope(policy, candidates):
        # What is raised below such a boundary is answered in its form.
        alike.update(
            (place, errors) for place, errors in answers.items() if any(error.kind is Origin.RAISE for error in errors)
        )
    given = [set(error.fields) for errors in alike.values() for error in errors]
    asked = _asked_fields(policy, [error for errors in alike.values() for error in errors])
    lacks = tuple(field for field in asked if sum(field in fields for fields in given) * 4 < len(given))
    return Fit(name, names, len(alike), len(answers), min(alike, default=None), lacks)


def _is_alike(error: RaisedError, policy: Policy) -> bool:
    if error.kind is Origin.RAISE:
        if policy.style is not Style.RAISE or not any(matches(name, policy.exceptions.root) for name in error.names):
            return False
        prefix = _prefix(policy.codes.prefix)
        return prefix is None or any(prefix.match(str(message)) for message in error.messages)
    if error.kind is Origin.OBJECT:
        return policy.style is Style.RETURN and any(matches(name, policy.response.types) for name in error.names)
    key, fields = policy.payload.key, policy.payload.fields
    inside = sum(f"{key}.{field}" in error.fields or (not key and field in error.fields) for field in fields)
    return error.kind is Origin.PAYLOAD and bool(fields) and 2 * inside > len(fields)


@lru_cache
def _prefix(written: str) -> re.Pattern[str] | None:
    """Return what messages with a code in front look like, ``None`` where a convention has none."""
    before, sign, after = written.partition("{code}")
    return re.compile(rf"{re.escape(before)}[\w{{}}.-]+{re.escape(after)}") if sign else None


def _has_envelope(policy: Policy, candidates: tuple[Candidate, ...]) -> bool:
    """Whether a boundary of the project answers the keys that a preset's boundary does."""
    wanted = [{key for key, filled in item.envelope.items() if filled != "empty_result"} for item in policy.boundaries]
    keys = [set(answer.keys) for item in candidates if item.broad for answer in item.broad.answers]
    return any(len(each) > 1 and each <= found for each in filter(None, wanted) for found in keys)


def _asked_fields(policy: Policy, errors: list[RaisedError]) -> tuple[str, ...]:
    """Return the fields that a preset asks of each of some errors, whatever they say."""
    names = {name for error in errors for name in error.names}
    found = [
        field
        for item in policy.required
        if not (item.when or item.handled or item.inside or item.functions)
        and any(matches(name, item.classes) for name in names)
        for field in item.fields
    ]
    return tuple(dict.fromkeys(found))


_DICTS = frozenset({"dict", "OrderedDict", "UserDict"})
"""Bases of classes that hold anything: that an error is of one says nothing of its shape."""


class OwnType(NamedTuple):
    """The class of the project by whose objects most errors are answered, how many, and whether nearly all are."""

    name: str
    place: Seen
    number: int
    is_agreed: bool


def own_type(project: Project, sites: list[ReturnSite], raises: int) -> OwnType | None:
    """Return the class of the project by whose objects errors are answered, ``None`` where no class has most of them.

    ``raises`` is the number of errors that are raised for clients.
    """
    by_class: dict[tuple[str, str], list[ReturnSite]] = {}
    for site in sites:
        if site.form.made is not None and _DICTS.isdisjoint(project.hierarchy.base_names(site.form.made)):
            by_class.setdefault((site.form.made.path, site.form.made.definition.name), []).append(site)
    most = max(by_class.values(), key=len, default=[])
    made = most[0].form.made if most else None
    if made is None or len(most) < _LEAST_OBJECTS or 2 * len(most) < len(sites) or len(most) < raises:
        return None
    place = seen(made.path, made.definition.span)
    return OwnType(project.names.absolute(made), place, len(most), 5 * len(most) >= 4 * len(sites))


_LEAST_OBJECTS = 5
"""How many errors have to be answered as objects of a class before it is taken for what a team has agreed on."""
