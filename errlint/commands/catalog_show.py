"""``errlint catalog show``: the code's own catalog, as Markdown for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from errlint.characters import json_text, printable
from errlint.findings import Span
from errlint.project.raised_errors import Origin, RaisedError
from errlint.run import linked

if TYPE_CHECKING:
    from errlint.request import Request

FORMATS = ("md", "json")

_UNNAMED = {
    Origin.PAYLOAD: "Error payloads",
    Origin.TEXT: "Error texts",
    Origin.LOG: "Error logs",
    Origin.OBJECT: "Error objects",
    Origin.RAISE: "Exceptions",
}
"""How errors without a class are headed."""

_COLUMNS = ("Code", "Message", "Hints", "Fields", "Status", "Surfaces through", "Raised in")


def show(request: Request, format: str) -> str:
    """Return the catalog of a project's code in one of :data:`FORMATS`, in an order that does not change by itself."""
    errors = collected(request)
    return as_json(errors) if format == "json" else as_markdown(errors)


def collected(request: Request) -> list[RaisedError]:
    """Return the errors of a project, in order of place."""
    project = linked(request)
    return [error for error in project.raised_errors.all() if project.is_reported(error.path)]


# --- JSON -------------------------------------------------------------------------------------------------------


def as_json(errors: Iterable[RaisedError]) -> str:
    """Return errors as a JSON list; those that never surface are marked."""
    return json_text(json.dumps([_object(error) for error in errors], indent=2, ensure_ascii=False)) + "\n"


def _object(error: RaisedError) -> dict[str, object]:
    return {
        "kind": error.kind.value,
        "class": error.names[0] if error.names else None,
        "bases": list(error.names[1:]),
        "codes": list(error.codes),
        "messages": [str(message) for message in error.messages],
        "hints": [str(hint) for hint in error.hints],
        "fields": list(error.fields),
        "status": error.status,
        "adapters": list(error.adapters),
        "function": error.function,
        "filename": error.path,
        **_location(error.span),
        "made": {"filename": error.made[0], **_location(error.made[1])} if error.made else None,
        "reachable": error.is_reachable,
        "escapes": error.escapes,
    }


def _location(span: Span) -> dict[str, object]:
    return {
        "location": {"row": span.line, "column": span.column},
        "end_location": {"row": span.end_line, "column": span.end_column},
    }


# --- Markdown ---------------------------------------------------------------------------------------------------


def as_markdown(errors: Iterable[RaisedError]) -> str:
    """Return the errors that surface as Markdown: a table for each class, what is the same but for its place once."""
    groups: dict[tuple[bool, str], dict[tuple[str, ...], list[str]]] = {}
    for error in errors:
        if error.surfaces:
            heading = (not error.name, error.name or _UNNAMED[error.kind])
            places = groups.setdefault(heading, {}).setdefault(_cells(error), [])
            places.append(f"`{error.path}:{error.span.line}`")
    return "\n".join(map(printable, _lines(groups)))


def _lines(groups: dict[tuple[bool, str], dict[tuple[str, ...], list[str]]]) -> Iterator[str]:
    yield "# Errors"
    for (_, heading), rows in sorted(groups.items()):
        yield ""
        yield f"## {heading}"
        yield ""
        shown = [index for index in range(len(_COLUMNS) - 1) if any(cells[index] for cells in rows)]
        header = [*(_COLUMNS[index] for index in shown), _COLUMNS[-1]]
        yield _row(header)
        yield _row(["---"] * len(header))
        for cells, places in sorted(rows.items()):
            yield _row([*(cells[index] for index in shown), "<br>".join(dict.fromkeys(places))])
    yield ""


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(error: RaisedError) -> tuple[str, ...]:
    adapters = dict.fromkeys(name.removesuffix(".execute") for name in error.adapters)
    return (
        _listed(map(str, error.codes)),
        "<br>".join(_text(str(message)) for message in error.messages),
        "<br>".join(_text(str(hint)) for hint in error.hints),
        _listed(error.fields),
        "" if error.status is None else str(error.status),
        _listed(adapters),
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _text(text: str) -> str:
    """Write a text into a cell of a table."""
    escaped = text.strip().replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "\\`")
    return escaped.replace("*", "\\*").replace("\n", " ")
