"""``errlint catalog write``, ``check`` and ``init``: the generated regions of all documents, brought up to date."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from errlint.catalog.files import catalogs
from errlint.catalog.generated import Difference, TemplateFileError, rewritten
from errlint.catalog.regions import END, MarkerError, is_likely, lines, regions
from errlint.catalog.show import linked
from errlint.discover import PAGES, discover, start
from errlint.errors import CatalogError, Place
from errlint.fix.writing.transaction import Change
from errlint.output import write_file
from errlint.patterns import Patterns
from errlint.report.characters import quoted_path, toml_string
from errlint.run import Request
from errlint.source import read_bytes
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


class Result(NamedTuple):
    """What is to be written, the regions that are out of date by document, and how many regions there are in all."""

    changes: tuple[Change, ...]
    differences: Mapping[str, tuple[Difference, ...]]
    total: int


def find(request: Request, named: Iterable[Path] = ()) -> Result:
    """Compare the generated regions of a project with its code; ``named`` are files and folders to look at (none: all).

    Raises :class:`CatalogError` for a marker or template that cannot be used, and for a document that cannot be read.
    """
    root = request.settings.root
    contents: dict[str, bytes] = {}
    count = 0
    for path in _pages(request, [inside(root, path) for path in named]):
        try:
            content = request.contents[path] if path in request.contents else read_bytes(root / path)
        except OSError as error:
            raise CatalogError(
                f"cannot be read: {error.strerror}", hint="look at its permissions", place=Place(Path(path))
            ) from error
        if is_likely(content):
            found = _regions(path, content)
            count += found
            contents.update({path: content} if found else {})
    # Only now: most projects have none, and the code takes long to read.
    changes, differences = _compared(request, contents) if contents else ((), {})
    return Result(changes, differences, count)


def _pages(request: Request, named: list[str]) -> Iterator[str]:
    settings = request.settings
    pages = discover(start(settings.root), Patterns(settings.exclude)).pages
    if not named:
        yield from pages
        return
    for name in named:
        if (settings.root / name).is_dir():
            yield from (page for page in pages if name == "." or page.startswith(f"{name}/"))
        else:
            yield name


def _regions(path: str, content: bytes) -> int:
    try:
        return len(regions(lines(_decoded(content))))
    except MarkerError as error:
        raise CatalogError(error.message, hint=error.hint, place=Place(Path(path), error.line)) from None


def _compared(
    request: Request, contents: Mapping[str, bytes]
) -> tuple[tuple[Change, ...], dict[str, tuple[Difference, ...]]]:
    project = linked(request)
    changes: list[Change] = []
    found: dict[str, tuple[Difference, ...]] = {}
    for path, content in sorted(contents.items()):
        try:
            text, differences = rewritten(project, path, _decoded(content))
        except TemplateFileError as error:
            place = Place(Path(error.path), error.line)
            raise CatalogError(error.message, hint=error.hint, place=place) from None
        if differences:
            changes.append(Change(path, content, _encoded(text)))
            found[path] = differences
    return tuple(changes), found


def _decoded(content: bytes) -> str:
    """Return a text from which all bytes can be had again, whatever they are."""
    return content.decode("utf-8", "surrogateescape")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


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
