"""ERR107: one distribution answers errors in several shapes."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks import wording
from errlint.findings import Finding, Related
from errlint.project import Project
from errlint.project.payload_shapes import FormKind
from errlint.project.return_sites import ReturnSite
from errlint.rules import RULES

_NAMES = {FormKind.TEXT: "plain text", FormKind.TUPLE: "a tuple"}


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield, at a distribution's first error return in adapter code, one finding that lists its error shapes."""
    shapes = project.sites.mixed_shapes(project.layout.distribution(path))
    if not shapes or shapes[0][0].path != path:
        return
    first = shapes[0][0]
    listed = "; ".join(f"{_name(site)} ({count} times)" if count > 1 else _name(site) for site, count in shapes)
    related = tuple(Related(site.path, site.found.span, _name(site)) for site, _ in shapes[1:])
    message = f"adapters answer errors in {len(shapes)} shapes: {listed}"
    yield Finding(
        path,
        first.found.span,
        "ERR107",
        RULES["ERR107"].severity,
        message,
        first.function.name,
        related=related,
    )


def _name(site: ReturnSite) -> str:
    form = site.form
    if form.kind in _NAMES:
        return _NAMES[form.kind]
    if form.kind is FormKind.OBJECT:
        return f"the object `{form.shape[0]}`"
    return f"a payload with {wording.keys(form.shape)}"
