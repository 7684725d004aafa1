"""ERR209: a handler uses a name first bound inside its own ``try``."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding, Related
from errlint.project import Project
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the uses of names, in the handlers of one file, that have no value when the handler is entered."""
    for function in project.modules[path].functions:
        for found in function.unbound:
            yield Finding(
                path,
                found.span,
                "ERR209",
                RULES["ERR209"].severity,
                f"`{found.name}` has no value here when what binds it has failed: the handler raises UnboundLocalError "
                f"instead of handling the error; bind `{found.name}` before the `try`",
                function.name,
                related=(Related(path, found.bound, f"`{found.name}` is bound here first"),),
            )
