"""What stands in a generated region: the errors of the code that its marker asks for, in an order that stays.

It has no line numbers, so that it is out of date only where an error is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog import layout
from errlint.catalog.codes import is_status
from errlint.catalog.entry_identifier import spelling
from errlint.catalog.layout import DEFAULT, NOTHING, DocumentedError, TemplateError
from errlint.catalog.regions import Options, Region, lines, regions
from errlint.workspace.links import leads_out

if TYPE_CHECKING:
    from errlint.catalog.templates import Template
    from errlint.project import Project
    from errlint.project.raised_errors import RaisedError


class Difference(NamedTuple):
    """A region that is out of date, and the first line in which it is: what stands there and what should, "" none."""

    region: Region
    line: int
    found: str
    wanted: str


class TemplateFileError(TemplateError):
    """A template of the project that cannot be used: ``path`` is relative to the root."""

    def __init__(self, path: str, line: int, message: str, hint: str) -> None:
        super().__init__(line, message, hint)
        self.path = path


def rewritten(project: Project, path: str, text: str) -> tuple[str, tuple[Difference, ...]]:
    """Return a document with its regions as they should be, and the differences; all else is the same.

    Raises :class:`errlint.catalog.regions.MarkerError` for a broken marker and :class:`TemplateFileError`.
    """
    old = lines(text)
    new: list[str] = []
    differences: list[Difference] = []
    after = 0
    for region in regions(old):
        end = re.search(r"(?:\r\n|\r|\n)$", old[region.begin - 1])
        found = [line.rstrip("\r\n") for line in old[region.begin : region.end - 1]]
        wanted = _content(project, path, region.options)
        new += old[after : region.begin]
        if found == wanted:
            new += old[region.begin : region.end - 1]
        else:
            new += [f"{line}{end.group() if end else ''}" for line in wanted]
            differences.append(_first(region, found, wanted))
        after = region.end - 1
    return "".join((*new, *old[after:])), tuple(differences)


def _first(region: Region, found: Sequence[str], wanted: Sequence[str]) -> Difference:
    same = 0
    while same < min(len(found), len(wanted)) and found[same] == wanted[same]:
        same += 1
    pair = [part[same] if same < len(part) else "" for part in (found, wanted)]
    return Difference(region, min(region.begin + 1 + same, region.end), pair[0], pair[1])


def _content(project: Project, path: str, options: Options) -> list[str]:
    errors = _errors(project, options)
    if not errors:
        return ["", NOTHING, ""]
    if options.format == "table":
        return ["", *layout.table(sorted(_by_message(errors), key=_order)), ""]
    template = _template(project, path)
    found = [""]
    for error in sorted(_by_name(errors), key=_order):
        found += [*layout.section(error, template), ""]
    return found


def _template(project: Project, path: str) -> str:
    name = project.policy(path).catalog.template
    if not name:
        return DEFAULT
    root = project.settings.root
    if leads_out(root, root / name):
        raise TemplateFileError(name, 0, "the template is outside of the project", "put it into the project")
    text = project.documents.text(name)
    if not text:
        raise TemplateFileError(name, 0, "the template does not exist, or is empty", "write it, or change the settings")
    try:
        layout.check(text)
    except TemplateError as error:
        raise TemplateFileError(name, error.line, error.message, error.hint) from None
    return text


# --- errors -----------------------------------------------------------------------------------------------------


def _errors(project: Project, options: Options) -> list[DocumentedError]:
    """Return the errors that surface, each once whatever its places, and the codes whose errors nobody can follow."""
    surfacing = [error for error in project.raised_errors.all() if error.surfaces and project.is_reported(error.path)]
    groups: dict[DocumentedError, list[RaisedError]] = {}
    for error in surfacing:
        codes = tuple(map(str, error.codes))
        if not codes and not error.name:
            continue  # a payload that only its text can be told by
        if options.has_code(codes) and options.has_path(error.path) and options.has_class(error.names):
            groups.setdefault(_documented(project, error, codes), []).append(error)
    found = [
        each._replace(
            tools=_distinct(_tool(name) for error in errors for name in error.adapters),
            files=_distinct(error.path for error in errors),
        )
        for each, errors in groups.items()
    ]
    seen = {str(code) for error in surfacing for code in error.codes}
    return [*found, *_unseen(project, options, seen)]


def _documented(project: Project, error: RaisedError, codes: tuple[str, ...]) -> DocumentedError:
    policy = project.policy(error.path)
    told = {*_MESSAGES, *policy.hints.keywords, *policy.codes.arguments, *policy.codes.status_arguments}
    return DocumentedError(
        _distinct(codes),
        _distinct((error.name,)),
        _distinct(map(str, filter(_says_something, error.messages))),
        _distinct(map(str, filter(_says_something, error.hints))),
        _distinct(name for name in error.fields if name not in told),
        _distinct(() if error.status is None else (str(error.status),)),
    )


def _says_something(text: Template) -> bool:
    """Whether a text is more than a hole that anything may fill."""
    return any(isinstance(part, str) and part.strip() for part in text.parts)


_MESSAGES = frozenset({"message", "msg", "error_message", "detail", "error", "success"})
"""Names of arguments and keys that carry what an entry says anyway."""


def _tool(name: str) -> str:
    return name.removesuffix(".execute")


def _unseen(project: Project, options: Options, seen: set[str]) -> Iterator[DocumentedError]:
    """Yield the codes that the code has and uses, without an error that is seen to have them."""
    documented = project.documented
    spellings = {spelling(code) for code in seen}
    for held in documented.held:
        if held.text in seen or held.is_reserved or not project.is_reported(held.path) or is_status(held.text):
            continue
        if spellings and spelling(held.text) not in spellings:
            continue  # of another kind
        is_meant = options.has_code((held.text,)) and options.has_class((held.owner,)) and options.has_path(held.path)
        if is_meant and documented.is_used(held):
            yield DocumentedError((held.text,), _distinct((held.owner,)), files=(held.path,))


def _by_message(errors: Iterable[DocumentedError]) -> Iterator[DocumentedError]:
    """Yield each error with one of its messages: a row tells what is sent together."""
    for error in errors:
        yield from (error._replace(messages=(text,)) for text in error.messages) if error.messages else (error,)


def _by_name(errors: Iterable[DocumentedError]) -> list[DocumentedError]:
    """Return one error for each code, and for each class that has none, with all that is said of it."""
    groups: dict[tuple[str, str], list[DocumentedError]] = {}
    for error in errors:
        for key in [(code, "") for code in error.codes] or [("", name) for name in error.classes]:
            groups.setdefault(key, []).append(error)
    found: list[DocumentedError] = []
    for (code, _), each in groups.items():
        said = (_distinct(value for error in each for value in error[index]) for index in range(len(each[0])))
        found.append(DocumentedError(*said)._replace(codes=(code,) if code else ()))
    return found


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({value for value in values if value.strip()}, key=_natural))


def _order(error: DocumentedError) -> tuple[bool, list[list[_Natural]]]:
    """Order errors by code, those without one by class and last; numbers in names count as numbers."""
    return not error.codes, [[_natural(value) for value in part] for part in error]


_Natural = tuple[list[tuple[int, str]], str]


def _natural(text: str) -> _Natural:
    pieces = re.split(r"(\d+)", text)
    return [(int(piece), "") if index % 2 else (0, piece) for index, piece in enumerate(pieces)], text
