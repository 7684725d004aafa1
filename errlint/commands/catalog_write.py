"""``errlint catalog write``, ``check`` and ``init``: the generated regions of all documents, brought up to date."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from pathlib import Path

from errlint.catalog.files import catalogs
from errlint.catalog.regions import END, lines
from errlint.characters import quoted_path, toml_string
from errlint.discover import PAGES, discover, start
from errlint.errors import CatalogError, Place
from errlint.fix.writing.transaction import Change
from errlint.output import write_file
from errlint.patterns import Patterns
from errlint.project.drift.generated import rewritten
from errlint.request import Request
from errlint.run import linked
from errlint.workspace.root import inside

DEFAULT = "docs/error-codes.md"
"""Where `init` writes a catalog; the name is one that is recognised without configuration."""

_NO_END = "\\ No newline at end of file"
_TEXT = f"""\
# Error codes

The errors that callers can get, with what to do about them. The table is written from the code by
`errlint catalog write`: change the code, or write outside of the two markers.

<!-- errlint: begin errors -->
{END}
"""


def diff(changes: Iterable[Change]) -> str:
    """Return a unified diff, with paths relative to the root."""
    parts: list[str] = []
    for change in changes:
        old, new = (lines(content.decode("utf-8", "replace")) for content in (change.before, change.after))
        name = quoted_path(change.path)
        found = difflib.unified_diff(old, new, name, name)
        parts.extend(line if line.endswith(("\n", "\r")) else f"{line}\n{_NO_END}\n" for line in found)
    return "".join(parts)


def init(request: Request, path: Path | None) -> tuple[Path, str]:
    """Write a catalog for a project that has none; return its path and what to put into the configuration.

    Raises :class:`CatalogError` where there is such a file, or without ``path`` another catalog, and
    :class:`errlint.errors.OutputError` where it cannot be written.
    """
    settings = request.settings
    target = path or settings.root / DEFAULT
    name = inside(settings.root, target)
    if not name.endswith(PAGES):
        raise CatalogError("a catalog is a Markdown file", hint=f"name it {name}.md", place=Place(Path(name)))
    if os.path.lexists(target):
        hint = "write the two markers into it, then run `errlint catalog write`; see docs/catalog.md"
        raise CatalogError("there is such a file already", hint=hint, place=Place(Path(name)))
    others = catalogs(discover(start(settings.root), Patterns(settings.exclude)).pages, settings)
    if others and path is None:
        hint = "write the two markers into it, or name the file to write: `errlint catalog init FILE`"
        raise CatalogError("the project has a catalog already", hint=hint, place=Place(Path(others[0])))
    text, _ = rewritten(linked(request), name, _TEXT)
    write_file(target, text, settings.root, make=True)
    return target, "" if catalogs((name,), settings) and _is_configured(request) else _configuration(request, name)


def _is_configured(request: Request) -> bool:
    return any(policy.catalog.files for policy in request.settings.policies())


def _configuration(request: Request, name: str) -> str:
    """Return the lines of the configuration that make a document the catalog."""
    files = [*(file for policy in request.settings.policies() for file in policy.catalog.files), name]
    listed = ", ".join(map(toml_string, dict.fromkeys(files)))
    return f"[tool.errlint.catalog]\nfiles = [{listed}]\n"
