"""Notes from files and to files."""

import json
from pathlib import Path
from typing import Any

from notes_server.models import AttachmentError, ExportResult, Note
from notes_server.storage import Store

FORMATS = ("markdown", "json")


def export(store: Store, notebook: str, fmt: str) -> ExportResult:
    if fmt not in FORMATS:
        return ExportResult(success=False, notebook=notebook, message=f"{fmt} is not one of {', '.join(FORMATS)}")
    notes = store.find(notebook)
    if not notes:
        return ExportResult(success=False, notebook=notebook, message="There is nothing to export")
    content, problem = _render(notes, fmt)
    if problem:
        return ExportResult(success=False, notebook=notebook, message=problem)
    return ExportResult(success=True, notebook=notebook, content=content or "", count=len(notes))


def _render(notes: list[Note], fmt: str) -> tuple[str | None, str | None]:
    if fmt == "json":
        return json.dumps([note.model_dump() for note in notes], indent=2), None
    if any("\x00" in note.body for note in notes):
        return None, "A note contains binary data"
    return "\n\n".join(f"# {note.title}\n\n{note.body}" for note in notes), None


def attach(store: Store, note_id: int, path: str) -> Note | AttachmentError:
    note = store.get(note_id)
    file = Path(path)
    if not file.is_file():
        return AttachmentError(reason="There is no such file", path=path)
    note.body += f"\n\n[{file.name}]({file.as_uri() if file.is_absolute() else file})"
    store.save(note)
    return note


def import_all(store: Store, notebook: str, paths: list[str]) -> dict[str, Any]:
    imported, errors = [], []
    for path in paths:
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            errors.append({"path": path, "error": str(error)})
            continue
        title, _, body = text.partition("\n")
        imported.append(store.add(notebook, title.lstrip("# ") or Path(path).stem, body.strip(), []).id)
    return {"imported": imported, "errors": errors}
