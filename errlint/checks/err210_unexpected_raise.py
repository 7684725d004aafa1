"""ERR210: an adapter that has to answer its errors lets an exception out."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import short
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.domain import matches
from errlint.project.escape import Fate, Thrown, every_raise, is_domain, leaves, outcome
from errlint.project.names import FunctionSymbol
from errlint.rules import RULES
from errlint.settings import Style


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the raises of one file that leave an adapter although its policy wants them returned."""
    policy = project.policy(path)
    if policy.style is not Style.RETURN and not policy.exceptions.exempt:
        return
    for found in every_raise(project, path):
        absolute = project.domain.absolute(FunctionSymbol(path, found.function))
        if matches(absolute, policy.exceptions.exempt):
            if outcome(project, found).fate is not Fate.ESCAPES:
                continue
            text = f"`{short(found.function.name)}` is exempt from raising and raises `{found.name}`; answer the error"
        elif policy.style is Style.RETURN and is_domain(project, found.symbol, policy):
            adapter = _adapter(project, found)
            if not adapter:
                continue
            types = policy.response.types
            text = f"`{found.name}` leaves the adapter `{short(adapter)}`, which has to return its errors; "
            text += f"return {types[0].rpartition('.')[2]} instead" if types else "return the declared type instead"
        else:
            continue
        yield Finding(path, found.found.span, "ERR210", RULES["ERR210"].severity, text, found.function.name)


def _adapter(project: Project, found: Thrown) -> str:
    """Return the adapter that a raise leaves, "" where there is none or a boundary answers it."""
    adapter = leaves(project, found)
    if not adapter or project.is_excluded(found.path, found.function):
        return ""
    return "" if project.boundaries.is_covered(found.path, found.function) else adapter
