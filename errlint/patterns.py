"""Glob patterns with git's meaning, compiled to one set of names and one regular expression.

Settings match thousands of paths in every run; a general ignore library costs more to import and to ask
than the whole run may take. So the forms that people write are translated here, and a list that has anything
else in it (negation, escapes, comments) is given to ``pathspec`` as a whole. The tests compare both on the
same table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

_SPECIAL = re.compile(r"[*?\[]")
_UNSUPPORTED = re.compile(r"^[!#]|^\s*$|\s$|\\|//|\*\*\*|\[[!^]?\]|\[:")


class Patterns:
    """A list of patterns, asked as one question: whether a path is matched.

    Paths are relative to where the patterns stand, with forward slashes; a folder's path ends with a slash.
    A pattern that matches a folder matches everything below it.
    """

    __slots__ = ("_match", "_patterns")

    def __init__(self, patterns: Iterable[str]) -> None:
        self._patterns = tuple(patterns)
        self._match: Callable[[str], bool] | None = None if self._patterns else _nothing

    def __bool__(self) -> bool:
        """Return whether there is any pattern at all."""
        return bool(self._patterns)

    def matches(self, path: str) -> bool:
        """Return whether one of the patterns matches ``path`` or a folder above it.

        Raises ``ValueError`` or ``re.error`` for what :func:`problem` tells of; settings refuse those.
        """
        if self._match is None:
            self._match = _compile(self._patterns)
        return self._match(path)


def problem(pattern: str) -> str:
    """Return why ``pattern`` is no pattern; "" for the good ones."""
    if not pattern.strip():
        return "is empty"
    if "[" not in pattern and not _UNSUPPORTED.search(pattern):
        return ""
    try:
        Patterns([pattern]).matches("a")
    except (ValueError, re.error):
        return "is not a valid glob pattern"
    return ""


def _nothing(path: str) -> bool:
    return False


def _compile(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    """Return one function for all patterns."""
    if any(_UNSUPPORTED.search(pattern) for pattern in patterns):
        return _compile_with_pathspec(patterns)
    names = frozenset(pattern for pattern in patterns if "/" not in pattern and not _SPECIAL.search(pattern))
    others = [translated for pattern in patterns if pattern not in names for translated in [_translate(pattern)]]
    if not others:
        return lambda path: not names.isdisjoint(path.split("/"))
    if None in others:
        return _compile_with_pathspec(patterns)
    expression = re.compile("|".join(filter(None, others)), re.DOTALL).match
    if not names:
        return lambda path: expression(path) is not None
    return lambda path: not names.isdisjoint(path.split("/")) or expression(path) is not None


def _compile_with_pathspec(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns).match_file


def _translate(pattern: str) -> str | None:
    """Return the expression of one pattern, to be matched at a path's start; None for an unusual pattern."""
    only_folders = pattern.endswith("/")
    anchored = "/" in pattern[:-1]
    segments = pattern.strip("/").split("/")
    if segments == ["**"]:
        return None if only_folders or anchored else "."
    out = "" if anchored else "(?:.+/)?"
    for position, segment in enumerate(segments):
        if segment == "**":
            if position == len(segments) - 1:
                return None if only_folders else out  # everything below what came before
            out += "(?:.+/)?"
            continue
        translated = "[^/]+" if segment == "*" else _translate_segment(segment)
        if translated is None:
            return None
        out += translated
        if position < len(segments) - 1:
            out += "/"
    return out + ("/" if only_folders else r"(?:/|\Z)")


def _translate_segment(segment: str) -> str | None:
    """Return the expression of the part between two slashes; None when a bracket is never closed."""
    out = ""
    position = 0
    while position < len(segment):
        char = segment[position]
        position += 1
        if char == "*":
            if not out.endswith("[^/]*"):
                out += "[^/]*"
        elif char == "?":
            out += "[^/]"
        elif char == "[":
            end = segment.find("]", position + 1)
            if end < 0:
                return None
            out += _translate_class(segment[position:end])
            position = end + 1
        else:
            out += re.escape(char)
    return out


def _translate_class(members: str) -> str:
    """Return the expression of a bracket; like git's, it never matches a slash."""
    negated = members[0] in "!^"
    inside = members[1:] if negated else members
    inside = inside.replace("[", r"\[").replace("^", r"\^").replace("&", r"\&").replace("~", r"\~").replace("|", r"\|")
    return f"(?!/)[{'^' if negated else ''}{inside}]"
