"""ERR508: a catalog refers to a file, a heading or a name of the code that is not there."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.catalog.references import Reference, anchors, references
from errlint.catalog.samples import imports
from errlint.findings import Finding, Span
from errlint.project import Project
from errlint.project.drift.importable import problems
from errlint.project.drift.named import dead_names
from errlint.rules import RULES

_PAGES = (".md", ".markdown")


def check(project: Project) -> Iterator[Finding]:
    """Yield what all catalogs refer to and is not there: links, paths and names in code spans, imports of samples."""
    for path, text in sorted(project.documents.texts.items()):
        for reference in references(path, text):
            message = _problem(project, path, reference)
            if message:
                end = reference.column + len(reference.target)
                span = Span(reference.line, reference.column, reference.line, end)
                yield Finding(path, span, "ERR508", RULES["ERR508"].severity, message)
        for imported in imports(text):
            for message, place in problems(project, imported):
                yield Finding(path, place, "ERR508", RULES["ERR508"].severity, message)
    for dead in dead_names(project):
        yield Finding(dead.path, dead.span, "ERR508", RULES["ERR508"].severity, dead.message)


def _problem(project: Project, path: str, reference: Reference) -> str:
    documents = project.documents
    target = reference.path or path
    first = target.partition("/")[0]
    if reference.target.startswith("/") and not any(each.startswith(f"{first}/") for each in documents.paths):
        return ""  # a path of a machine
    if reference.is_link:
        if target.startswith("../"):
            return ""  # outside of the project
        if target not in documents.paths:
            return f"the linked file `{target}` does not exist"
        if reference.anchor and target.endswith(_PAGES) and reference.anchor not in anchors(documents.text(target)):
            return f"`{target}` has no heading `#{reference.anchor}`"
        return ""
    found = [each for each in documents.paths if each == target or each.endswith(f"/{target}")]
    if not found:
        return f"there is no file `{target}`"
    name = reference.anchor.rpartition("::")[2].partition("[")[0]
    if name and not any(name in documents.text(each) for each in found):
        return f"there is no `{name}` in `{found[0]}`"
    return ""
