"""Notes in a SQLite file."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from notes_server.errors import InvalidNoteError, NotebookNotFoundError, StorageError, note_not_found
from notes_server.models import Note

SCHEMA = """
create table if not exists notes (
    id integer primary key, notebook text not null, title text not null, body text not null, tags text not null
)
"""


class Store:
    def __init__(self, path: Path) -> None:
        self.path = path

    def _connect(self) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(self.path)
            connection.execute(SCHEMA)
        except sqlite3.Error as error:
            raise StorageError("The notes cannot be opened", hint="Try again in a minute.") from error
        connection.row_factory = sqlite3.Row
        return connection

    def add(self, notebook: str, title: str, body: str, tags: list[str]) -> Note:
        if len(title) > 200:
            raise InvalidNoteError("The title has more than 200 characters", hint="Move text into the body.")
        with closing(self._connect()) as connection, connection:
            cursor = connection.execute(
                "insert into notes (notebook, title, body, tags) values (?, ?, ?, ?)",
                (notebook, title, body, json.dumps(tags)),
            )
            note_id = cursor.lastrowid or 0
        return Note(id=note_id, notebook=notebook, title=title, body=body, tags=tags)

    def get(self, note_id: int) -> Note:
        with closing(self._connect()) as connection:
            row = connection.execute("select * from notes where id = ?", (note_id,)).fetchone()
        if row is None:
            raise note_not_found(note_id)
        return _note(row)

    def find(self, notebook: str | None = None) -> list[Note]:
        with closing(self._connect()) as connection:
            rows = connection.execute(
                "select * from notes where ? is null or notebook = ? order by id", (notebook, notebook)
            ).fetchall()
        return [_note(row) for row in rows]

    def save(self, note: Note) -> None:
        with closing(self._connect()) as connection, connection:
            connection.execute(
                "update notes set notebook = ?, title = ?, body = ?, tags = ? where id = ?",
                (note.notebook, note.title, note.body, json.dumps(note.tags), note.id),
            )

    def remove(self, note_id: int) -> bool:
        with closing(self._connect()) as connection, connection:
            return connection.execute("delete from notes where id = ?", (note_id,)).rowcount > 0

    def notebooks(self) -> list[str]:
        return sorted({note.notebook for note in self.find()})

    def require_notebook(self, name: str) -> None:
        if name not in self.notebooks():
            raise NotebookNotFoundError(f"There is no notebook {name}", hint="List the notes first.")

    def ping(self) -> dict[str, Any]:
        try:
            count = len(self.find())
        except (StorageError, sqlite3.Error) as error:
            return {"status": "unhealthy", "error": str(error)}
        return {"status": "healthy", "notes": count}


def _note(row: sqlite3.Row) -> Note:
    return Note(
        id=row["id"],
        notebook=row["notebook"],
        title=row["title"],
        body=row["body"],
        tags=json.loads(row["tags"]),
    )


def open_store() -> Store:
    return Store(Path(os.environ.get("NOTES_DB", "notes.db")))
