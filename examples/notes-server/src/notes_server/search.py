"""Finding notes, and what is in them."""

import asyncio
import json
import re
from collections import Counter
from typing import Any

from notes_server.errors import NotesError
from notes_server.models import Note
from notes_server.storage import Store

MAX_RESULTS = 50


def _search_error(text: str, code: str) -> dict[str, Any]:
    return {"success": False, "error": text, "code": code}


def _compile(query: str) -> dict[str, Any] | None:
    try:
        re.compile(query)
    except re.error as error:
        return {"error": f"Bad pattern: {error}", "query": query}
    return None


async def search(store: Store, query: str, limit: int) -> dict[str, Any]:
    if not query.strip():
        return _search_error("The query is empty", "invalid_query")
    if limit > MAX_RESULTS:
        return _search_error(f"At most {MAX_RESULTS} results", code="invalid_query")
    problem = _compile(query)
    if problem:
        return problem
    result: dict[str, Any] = {"matches": [], "total": 0, "truncated": False}
    try:
        notes = await asyncio.to_thread(store.find)
    except NotesError as error:
        result["error"] = error.message
        return result
    pattern = re.compile(query, re.IGNORECASE)
    matches = [note for note in notes if pattern.search(note.title) or pattern.search(note.body)]
    result.update(
        matches=[_brief(note) for note in matches[:limit]],
        total=len(matches),
        truncated=len(matches) > limit,
    )
    return result


async def summarize(store: Store, notebook: str) -> str:
    notes = await asyncio.to_thread(store.find, notebook)
    if not notes:
        return json.dumps({"status": "error", "message": f"Notebook {notebook} is empty"})
    words = Counter(word.lower() for note in notes for word in re.findall(r"\w{4,}", note.body))
    tags = Counter(tag for note in notes for tag in note.tags)
    return json.dumps({"status": "success", "words": words.most_common(5), "tags": tags.most_common(5)})


def _brief(note: Note) -> dict[str, Any]:
    return {"id": note.id, "title": note.title, "excerpt": note.body[:80]}
