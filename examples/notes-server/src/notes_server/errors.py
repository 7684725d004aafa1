"""The errors of the server, and the decorator that turns them into answers of a tool."""

import functools
import inspect
import logging
import sqlite3
from collections.abc import Callable
from enum import Enum
from typing import Any

from fastmcp.exceptions import ToolError

log = logging.getLogger("notes_server")


class ErrorCode(str, Enum):
    NOTE_NOT_FOUND = "note_not_found"
    INVALID_NOTE = "invalid_note"
    NOTEBOOK_NOT_FOUND = "notebook_not_found"
    STORAGE_UNAVAILABLE = "storage_unavailable"
    UNSUPPORTED_FORMAT = "unsupported_format"


class NotesError(Exception):
    """Base of all errors of the server."""

    code = ErrorCode.STORAGE_UNAVAILABLE

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def to_dict(self) -> dict[str, str]:
        return {"error": self.code.value, "message": self.message, "hint": self.hint}

    def __str__(self) -> str:
        return f"[{self.code.value}] {self.message}"


class NoteNotFoundError(NotesError):
    code = ErrorCode.NOTE_NOT_FOUND


class InvalidNoteError(NotesError):
    code = ErrorCode.INVALID_NOTE


class NotebookNotFoundError(NotesError):
    code = ErrorCode.NOTEBOOK_NOT_FOUND


class StorageError(NotesError):
    pass


def note_not_found(note_id: int) -> NoteNotFoundError:
    return NoteNotFoundError(f"There is no note {note_id}", hint="List the notes of the notebook.")


def tool_errors(function: Callable[..., Any]) -> Callable[..., Any]:
    """Log domain errors of a tool and answer them as tool errors."""
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def answer_later(*args: Any, **kwargs: Any) -> Any:
            try:
                return await function(*args, **kwargs)
            except (NotesError, sqlite3.Error) as error:
                raise _tool_error(function.__name__, error) from error

        return answer_later

    @functools.wraps(function)
    def answer(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except (NotesError, sqlite3.Error) as error:
            raise _tool_error(function.__name__, error) from error

    return answer


def _tool_error(operation: str, error: Exception) -> ToolError:
    log.warning("%s: %s", operation, error)
    if isinstance(error, NotesError):
        return ToolError(str(error))
    return ToolError(f"[{ErrorCode.STORAGE_UNAVAILABLE.value}] The notes cannot be reached")
