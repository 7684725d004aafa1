"""The tools of the notes server."""

from typing import Any

from fastmcp import FastMCP
from mcp.types import TextContent

from notes_server import files, search
from notes_server.errors import InvalidNoteError, NotesError, tool_errors
from notes_server.models import AttachmentError, ExportResult, Note
from notes_server.responses import error_response, format_response, not_found
from notes_server.storage import open_store

mcp = FastMCP("notes", instructions="Keeps notes in notebooks. Errors start with a code in brackets.")


@mcp.tool()
@tool_errors
def create_note(notebook: str, title: str, body: str = "", tags: list[str] | None = None) -> dict[str, Any]:
    """Create a note in a notebook; the notebook is created with its first note."""
    if not title.strip():
        raise InvalidNoteError("The title is empty", hint="Give the note a title.")
    return open_store().add(notebook, title, body, tags or []).model_dump()


@mcp.tool()
@tool_errors
def read_note(note_id: int) -> dict[str, Any]:
    """Read a note."""
    return open_store().get(note_id).model_dump()


@mcp.tool()
def update_note(note_id: int, title: str = "", body: str = "") -> dict[str, Any]:
    """Change title or body of a note."""
    if not title and not body:
        return {"success": False, "message": "Give a title or a body"}
    store = open_store()
    try:
        note = store.get(note_id)
    except NotesError:
        return not_found("note", note_id)
    note.title = title or note.title
    note.body = body or note.body
    try:
        store.save(note)
    except Exception as error:
        return {"error": str(error), "note_id": note_id}
    return format_response(True, "updated", note.model_dump())


@mcp.tool()
def delete_note(note_id: int) -> str:
    """Delete a note."""
    try:
        removed = open_store().remove(note_id)
    except NotesError as error:
        return f"Error deleting note {note_id}: {error}"
    if not removed:
        return f"Note {note_id} does not exist"
    return f"Deleted note {note_id}"


@mcp.tool()
def move_note(note_id: int, notebook: str) -> dict[str, Any]:
    """Move a note to another notebook."""
    store = open_store()
    if not notebook:
        return error_response("The notebook has no name")
    if notebook not in store.notebooks():
        return {"error": f"There is no notebook {notebook}"}  # errlint: ignore[ERR101] clients of 0.3 read this key
    try:
        note = store.get(note_id)
    except NotesError as error:
        return format_response(False, error.message)
    note.notebook = notebook
    store.save(note)
    return format_response(True, "moved", note.model_dump())


@mcp.tool()
@tool_errors
def list_notes(notebook: str | None = None) -> dict[str, Any]:
    """List the notes of a notebook, or of all of them."""
    store = open_store()
    if notebook is not None:
        store.require_notebook(notebook)  # errlint: ignore[ERR102] raises since 0.4
    return {"notes": [note.model_dump(exclude={"body"}) for note in store.find(notebook)]}


@mcp.tool()
async def search_notes(query: str, limit: int = 10) -> dict[str, Any]:
    """Find notes whose title or body matches a regular expression."""
    return await search.search(open_store(), query, limit)


@mcp.tool()
@tool_errors
async def summarize_notebook(notebook: str) -> str:
    """Count words and tags of a notebook."""
    return await search.summarize(open_store(), notebook)


@mcp.tool()
@tool_errors
def export_notebook(notebook: str, fmt: str = "markdown") -> ExportResult:
    """Export a notebook as Markdown or JSON."""
    return files.export(open_store(), notebook, fmt)


@mcp.tool()
@tool_errors
def attach_file(note_id: int, path: str) -> Note | AttachmentError:
    """Link a file at the end of a note."""
    return files.attach(open_store(), note_id, path)


@mcp.tool()
@tool_errors
def import_notes(notebook: str, paths: list[str]) -> dict[str, Any]:
    """Import text files as notes; files that cannot be read are listed under `errors`."""
    return files.import_all(open_store(), notebook, paths)


@mcp.tool()
def check_health() -> dict[str, Any]:
    """Report whether the storage can be reached."""
    storage = open_store().ping()
    return {"status": storage["status"], "components": {"storage": storage}}


@mcp.resource("notes://{note_id}")
def note_resource(note_id: str) -> str:
    """A note as Markdown."""
    if not note_id.isdigit():
        return "Error: the id of a note is a number"  # errlint: ignore
    note = open_store().get(int(note_id))
    return f"# {note.title}\n\n{note.body}"


def tag_cloud(notebook: str) -> list[TextContent]:
    """Count the tags of a notebook."""
    tags = [tag for note in open_store().find(notebook) for tag in note.tags]
    if not tags:
        return [TextContent(type="text", text=f"Failed to count: no tags in {notebook}")]  # errlint: ignore[ERR103]
    return [TextContent(type="text", text=f"{tag}: {tags.count(tag)}") for tag in sorted(set(tags))]


mcp.tool(name="tag_cloud")(tag_cloud)


def main() -> None:
    mcp.run()
