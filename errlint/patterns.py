"""Glob patterns with git's meaning, compiled to one set of names and one regular expression.

Settings match thousands of paths in every run, so the forms that people write are the fast ones. No pattern makes
matching slow: where a pattern has several wildcards in a part, or several ``**``, each takes the first place that
fits and is not asked again, which is right because the wildcards behind it can take whatever is left. The tests
compare with git on a table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import count

MAX_LENGTH = 1_000
"""Characters of a pattern: what matching takes grows with the length of the pattern times that of the path."""

_SPECIAL = re.compile(r"[*?\[]")
_UNUSUAL = re.compile(r"^[!#]|^\s*$|\s$|\\|\r|\n")
_BACKSLASHED = re.compile(r"(?:^|[^\\])(?:\\\\)*\\\w")
"""A backslash that escapes what needs no escape: the way to write paths on Windows."""

_BRACKET = re.compile(r"\\.|\[[!^]?\]?(?:\[:[a-z]+:\]|\\.|[^\]/\\])*\]")
"""A bracket with its end, or what a backslash makes a plain character."""

_ESCAPED = re.compile(r"\\.")
_NOTHING = "(?!)"
_POSIX = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": r"\x21-\x7e",
    "lower": "a-z",
    "print": r"\x20-\x7e",
    "punct": r"\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e",
    "space": r"\t-\r ",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}


class Patterns:
    """A list of patterns, asked as one question: whether a path is matched.

    Paths are relative to where the patterns stand, with forward slashes; a folder's path ends with a slash.
    A pattern that matches a folder matches everything below it. As in a ``.gitignore``, a pattern that begins with
    ``!`` takes back what an earlier one matches, unless a folder above is matched.
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

        What :func:`problem` tells of matches nothing; settings refuse it.
        """
        if self._match is None:
            self._match = _compile(self._patterns)
        return self._match(path)


class IgnoreFile:
    """The lines of a ``.gitignore``, asked about one path at a time: folders above are asked about before."""

    __slots__ = ("_rules",)

    def __init__(self, text: str) -> None:
        self._rules = _rules(text.removeprefix("\ufeff").split("\n"))

    def verdict(self, path: str) -> bool | None:
        """Return whether ``path`` is ignored, or not; ``None`` where no line says anything of it.

        It is relative to the folder of the file, and ends with a slash for a folder.
        """
        return next((is_ignored for is_ignored, matches in self._rules if matches(path)), None)


def problem(pattern: str) -> str:
    """Return why ``pattern`` is no pattern; "" for the good ones."""
    if not pattern.strip():
        return "is empty"
    if len(pattern) > MAX_LENGTH:
        return f"is longer than {MAX_LENGTH:,} characters"
    if pattern == "!" or any(_is_backward(member) for member in re.findall(r"\[[^\]/]*", pattern)):
        return "is not a valid glob pattern"
    if _BACKSLASHED.search(pattern):
        return "has a backslash before a name; folders are separated by `/`, on Windows too"
    if "[" in _BRACKET.sub("", pattern):
        return "has a `[` without its `]`"
    if ".." in pattern.split("/"):
        return "leads out of the project by `..`"
    return ""


@lru_cache(maxsize=65_536)
def _name_matcher(pattern: str) -> Callable[[str], object]:
    from fnmatch import translate

    try:
        return re.compile(translate(pattern) if len(pattern) <= MAX_LENGTH else _NOTHING).match
    except re.error:  # some versions of Python translate a range that runs backwards as it stands
        return re.compile(_NOTHING).match


def fits(name: str, pattern: str) -> bool:
    """Return whether a name or a text as a whole is matched: ``*``, ``?`` and brackets stand for any characters.

    Each pattern is compiled once, however many there are; the expression takes no wildcard back.
    """
    return _name_matcher(pattern)(name) is not None


def _is_backward(bracket: str) -> bool:
    return any(found[1] > found[2] for found in re.finditer(r"([^\\])-([^\\])", bracket[1:]))


def _nothing(path: str) -> bool:
    return False


def _compile(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    """Return one function for all patterns."""
    if any(_UNUSUAL.search(pattern) for pattern in patterns):
        return _compile_in_order(patterns)
    names = frozenset(pattern for pattern in patterns if "/" not in pattern and not _SPECIAL.search(pattern))
    numbers = count()
    others = [_translate(pattern, numbers, is_exact=False) for pattern in patterns if pattern not in names]
    if not others:
        return lambda path: not names.isdisjoint(path.split("/"))
    expression = re.compile("|".join(others), re.DOTALL).match
    if not names:
        return lambda path: expression(path) is not None
    return lambda path: not names.isdisjoint(path.split("/")) or expression(path) is not None


def _compile_in_order(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    """Return one function for patterns of which some take back what others match."""
    rules = _rules(patterns)

    def matches(path: str) -> bool:
        end = 0
        while end < len(path):
            end = path.find("/", end) + 1 or len(path)
            if next((is_ignored for is_ignored, matched in rules if matched(path[:end])), False):
                return True
        return False

    return matches


def _rules(lines: Iterable[str]) -> list[tuple[bool, Callable[[str], object]]]:
    """Return what lines say of a path, the last line first: whether it is ignored where the expression matches."""
    numbers = count()
    runs: list[tuple[bool, list[str]]] = []  # lines behind each other that say the same are one expression
    for written in lines:
        line = _without_spaces(written.removesuffix("\r"))
        if not line or line.startswith("#") or len(line) > MAX_LENGTH:
            continue
        pattern = line.removeprefix("!")
        translated = _translate(pattern, numbers, is_exact=True)
        if translated == _NOTHING:
            continue
        if not runs or runs[-1][0] is not (pattern == line):
            runs.append((pattern == line, []))
        runs[-1][1].append(translated)
    return [(sign, re.compile("|".join(each), re.DOTALL).match) for sign, each in reversed(runs)]


def _without_spaces(line: str) -> str:
    """Return the line without the spaces at its end; one behind a backslash stays."""
    bare = line.rstrip(" ")
    backslashes = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if backslashes % 2 and len(bare) < len(line) else bare


def _translate(pattern: str, numbers: Iterable[int], *, is_exact: bool) -> str:
    """Return the expression of one pattern, to be matched at a path's start.

    It matches the path itself (``is_exact``), or that or a folder above. ``numbers`` name what is matched once.
    Unlike git's, a bracket ends with its part of the path.
    """
    pattern = _ESCAPED.sub(lambda found: "/" if found[0] == "\\/" else found[0], pattern)
    only_folders = pattern.endswith("/")
    bare = pattern.removesuffix("/")
    segments = bare.removeprefix("/").split("/")
    if not all(segments):
        return _NOTHING
    # Runs of parts that follow one another, with any folders between two runs.
    runs: list[list[str]] = [[]]
    if "/" not in bare:
        runs.append([])
    for segment in segments:
        if len(segment) > 1 and not segment.strip("*"):
            if runs[-1] or len(runs) == 1:
                runs.append([])
        else:
            translated = _translate_segment(segment, numbers)
            if translated is None:
                return _NOTHING
            runs[-1].append(translated)
    is_below = not runs[-1]
    if is_below:
        runs.pop()
    is_searched_once = len(runs) > 2
    out = "/".join(runs[0])
    for position, run in enumerate(runs[1:]):
        out += "/" if position or runs[0] else ""
        text = "/".join(run)
        if not is_searched_once:
            out += f"(?:.+/)?{text}"
        elif position < len(runs) - 2:
            out += _once(f"(?:[^/]+/)*?{text}(?=/)", numbers)
        else:
            out += f"(?:[^/]+/)*?{text}"
    if is_below:
        out += "/" if any(runs) else ""
        return out + ((r".+/\Z" if only_folders else r".+\Z") if is_exact else "[^/]+/" if only_folders else ".")
    if is_exact:
        return out + (r"/\Z" if only_folders else r"/?\Z")
    return out + ("/" if only_folders else r"(?:/|\Z)")


def _once(expression: str, numbers: Iterable[int]) -> str:
    """Return an expression that matches what ``expression`` matches first, and nothing else after that."""
    name = f"n{next(iter(numbers))}"
    return f"(?=(?P<{name}>{expression}))(?P={name})"


def _translate_segment(segment: str, numbers: Iterable[int]) -> str | None:
    """Return the expression of the part between two slashes; None for one that matches nothing."""
    pieces = [""]
    position = 0
    while position < len(segment):
        char = segment[position]
        position += 1
        if char == "*":
            if len(pieces) == 1 or pieces[-1]:
                pieces.append("")
        elif char == "?":
            pieces[-1] += "[^/]"
        elif char == "[":
            members, position = _translate_class(segment, position)
            if not members:
                return None
            pieces[-1] += members
        else:
            if char == "\\":
                if position == len(segment):
                    return None
                char = segment[position]
                position += 1
            pieces[-1] += re.escape(char)
    if len(pieces) == 1:
        return pieces[0]
    if pieces == ["", ""]:
        return "[^/]+"
    first, *middle, last = pieces
    return first + "".join(_once(f"[^/]*?{piece}", numbers) for piece in middle) + f"[^/]*{last}"


def _translate_class(segment: str, position: int) -> tuple[str, int]:
    """Return the expression of the bracket whose inside begins at ``position``, and where it ends.

    Like git's, it never matches a slash; "" for a bracket that is never closed.
    """
    begin = position
    is_negated = segment[position : position + 1] in ("!", "^")
    begin = position = position + is_negated
    members = ""
    while position < len(segment) and (segment[position] != "]" or position == begin):
        if segment.startswith("[:", position) and (end := segment.find(":]", position + 2)) >= 0:
            name = segment[position + 2 : end]
            if name not in _POSIX:
                return "", position
            members += _POSIX[name]
            position = end + 2
            continue
        first, position = _member(segment, position)
        if segment[position : position + 1] == "-" and segment[position + 1 : position + 2] not in ("", "]"):
            last, position = _member(segment, position + 1)
            # A range that runs backwards holds the character it begins with, and no other.
            members += f"{re.escape(first)}-{re.escape(last)}" if first <= last else re.escape(first)
        else:
            members += re.escape(first)
    if position >= len(segment):
        return "", position
    if not members:
        return "[^/]" if is_negated else _NOTHING, position + 1
    return f"(?!/)[{'^' if is_negated else ''}{members}]", position + 1


def _member(segment: str, position: int) -> tuple[str, int]:
    """Return the character of a bracket at ``position``, and where the next one begins."""
    position += segment[position] == "\\" and position + 1 < len(segment)
    return segment[position], position + 1
