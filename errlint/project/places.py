"""Where a file lies, as far as the expression that is its path says so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from errlint.facts import Call, File, Item, Ref, Text, Value, all_values, constant_text, only, text_with_holes
from errlint.patterns import fits
from errlint.project.values import Located

if TYPE_CHECKING:
    from errlint.project import Project

_FOLDERS = frozenset({"gettempdir", "mkdtemp", "mkstemp", "getcwd", "cwd", "home", "expanduser", "TemporaryDirectory"})
"""Last parts of calls that answer a folder which is nobody's own."""

_PATHS = frozenset({"Path", "PurePath", "str", "join"})
_DEPTH = 4


def is_elsewhere(project: Project, path: str, scope: str, file: File, places: tuple[str, ...]) -> bool:
    """Whether all that the path of a file is made of is known, and none of ``places`` (patterns) is in it.

    The name of the file itself is no place. A path that begins with what is computed may lie anywhere.
    """
    words: list[str | None] = []
    for part in file.parts:
        words.extend(_words(project, Located(path, scope, part), 0))
    if words and words[0] is not None and words[0].startswith("{}"):
        words[0] = None
    if words and words[-1] is not None:
        words[-1] = words[-1].replace("\\", "/").rpartition("/")[0]
    named = [name for word in words if word for name in (word, *word.replace("\\", "/").split("/"))]
    if any(fits(name.lower(), pattern.lower()) for name in named for pattern in places):
        return False
    mentioned = (name for part in file.parts for name in _names(part))
    if any(fits(name.lower(), pattern.lower()) for name in mentioned for pattern in places):
        return False
    return bool(words) and None not in words


def _words(project: Project, at: Located, depth: int) -> Iterator[str | None]:
    """Yield the texts that a path is put together of, ``None`` for what is not known."""
    found = project.values.followed(*at)
    value = only(found.value)
    if type(value) is Text:
        # Only what stands behind the last slash may be anything: that is the name of the file.
        text = text_with_holes(value)
        if constant_text(value) is not None or "/" not in text or "{}" not in text.rpartition("/")[0]:
            yield text
        else:
            yield None
    elif type(value) is Call and value.name.rpartition(".")[2] in _FOLDERS:
        yield ""
    elif type(value) is Call and value.name.rpartition(".")[2] in _PATHS and depth < _DEPTH and value.arguments:
        for argument in value.arguments:
            yield from _words(project, found._replace(value=argument.value), depth + 1)
    else:
        yield None


def _names(value: Value) -> Iterator[str]:
    """Yield the parts of the names that stand in a part of a path."""
    for part in all_values(value):
        if type(part) is Ref or type(part) is Call:
            yield from part.name.split(".")
        elif type(part) is Item:
            yield part.key
