"""The generated regions of documents beside the code: which of them are out of date, and what they should be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from errlint.catalog.regions import MarkerError, is_likely, lines, regions
from errlint.discover import discover, start
from errlint.errors import CatalogError, Place
from errlint.fix.writing.transaction import Change
from errlint.patterns import Patterns
from errlint.project.drift.generated import Difference, TemplateFileError, rewritten
from errlint.request import Request
from errlint.run import linked
from errlint.source import read_bytes
from errlint.workspace.root import inside


class RegionUpdate(NamedTuple):
    """What is to be written, the regions that are out of date by document, and how many regions there are in all."""

    changes: tuple[Change, ...]
    differences: Mapping[str, tuple[Difference, ...]]
    total: int


def find(request: Request, named: Iterable[Path] = ()) -> RegionUpdate:
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
    return RegionUpdate(changes, differences, count)


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
