"""A configuration with settings added to it: what it says already stays to the letter, in its order.

Only ever are lines put in between, or pairs at the end of an inline table. So nothing that a person has written moves.
tomlkit, which keeps a document as well, was tried first: of six configurations with inline tables, dotted keys or split
tables it failed on two, put a table at the wrong level of one, and parted a comment from its key in another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

from errlint.characters import printable, toml_key
from errlint.errors import ConfigurationError, Place
from errlint.settings.locate import SHARED_NAME, SHARED_TABLE
from errlint.settings.toml_positions import Key, Outline, Statement, find_keys, nearest, outline
from errlint.settings.toml_reader import TomlSyntaxError, parse

_WIDTH = 116
"""How long the lines of a reason are."""

_NAMES = ("decorator", "middleware")
"""Keys that say what a table of an array is about: there is one table for each."""


class Section(NamedTuple):
    """Keys of one table of the configuration ("" for the outermost one), as TOML, with the reasons for them.

    One that is not ``is_active`` is written as a comment. ``is_array`` is true for one of an array of tables.
    """

    table: str
    why: tuple[str, ...]
    keys: tuple[tuple[str, str], ...] = ()
    is_active: bool = True
    is_array: bool = False


def sections_of(text: str) -> Iterator[Section]:
    """Yield the sections of an errlint.toml; what is said above a key or a header, is the reason for what follows."""
    found = outline(text)
    section = Section("", ())
    last = 0
    for statement in found.statements:
        above = tuple(line.lstrip("# ") for line in text[last : statement.start].splitlines() if line.startswith("#"))
        last = statement.end
        if statement.is_header:
            if section.keys:
                yield section
            names = ".".join(toml_key(part) for part in statement.table if isinstance(part, str))
            section = Section(names, above, is_array=isinstance(statement.table[-1], int))
            continue
        if above and section.keys:
            yield section
            section = section._replace(why=(), keys=())
        start, end = found.values[statement.key]
        key = _dotted(statement.key[len(statement.table) :])
        section = section._replace(why=section.why + above, keys=(*section.keys, (key, text[start:end].rstrip())))
    if section.keys:
        yield section


def extended(path: Path, text: str, sections: Iterable[Section]) -> str:
    """Return the text of a configuration with sections added to it; keys that it has with that value are left out.

    Raises :class:`ConfigurationError` for a text that is no TOML, and for a key that it sets to something else.
    """
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix(mark)
    prefix = SHARED_TABLE if path.name == SHARED_NAME else ()
    try:
        document = parse(text)
    except TomlSyntaxError as error:
        place = Place(path, error.line, error.column)
        raise ConfigurationError(f"syntax error: {error.message}", hint="write valid TOML", place=place) from error
    missing = [_merged(path, text, document, prefix, each) if each.is_active else each for each in sections]
    end = "\r\n" if "\r\n" in text else "\n"
    apart: list[Section] = []
    for section in filter(None, missing):
        put = _put(text, outline(text), prefix, section, end) if section.is_active else None
        if put is None:
            apart.append(section)
        else:
            text = put
    if apart:
        text = _block(text, _behind(text, outline(text), prefix), render(apart, ".".join(prefix)), end)
    try:
        is_right = parse(text) == document
    except TomlSyntaxError:
        is_right = False
    if not is_right:
        raise ConfigurationError("the settings cannot be added to it", hint="add them yourself", place=Place(path))
    return mark + text


def render(sections: Iterable[Section], prefix: str = "") -> str:
    """Return sections as TOML; ``prefix`` comes before the name of each table (``tool.errlint`` in pyproject.toml)."""
    text = ""
    before = Section("", (), is_active=False)
    for section in sections:
        name = ".".join(filter(None, (prefix, section.table)))
        goes_on = section.is_active and before.is_active and not section.is_array and before.table == section.table
        has_header = bool(name) and not goes_on and bool(section.keys or not section.table)
        header = [f"[[{name}]]" if section.is_array else f"[{name}]"] if has_header else []
        pairs = _pairs(section)
        if not section.is_active:
            header, pairs = ([f"# {line}" for line in lines] for lines in (header, pairs))
        # Reasons for the outermost keys stand below the header, which another table may have been before.
        is_below = not section.table and section.is_active
        lines = [*header, *_reasons(section), *pairs] if is_below else [*_reasons(section), *header, *pairs]
        text += "\n" * bool(text and lines and not goes_on) + "".join(f"{line}\n" for line in lines)
        before = section
    return text


def _reasons(section: Section) -> list[str]:
    wrapped = (wrap(printable(why), _WIDTH, break_long_words=False, break_on_hyphens=False) for why in section.why)
    return [f"# {line}" for lines in wrapped for line in lines]


def _pairs(section: Section) -> list[str]:
    return [printable(line) for key, value in section.keys for line in f"{key} = {value}".split("\n")]


# --- what it becomes ------------------------------------------------------------------------------------------------


def _merged(path: Path, text: str, into: dict[str, Any], prefix: Sequence[str], section: Section) -> Section | None:
    """Add a section to a document; return what of it was missing, ``None`` where nothing was."""
    table = into
    names = (*prefix, *_parts(section.table))
    above, last = (names[:-1], names[-1]) if section.is_array else (names, "")
    for depth, name in enumerate(above, 1):
        table = _of_type(path, text, table.setdefault(name, {}), names[:depth], dict)
    own: dict[str, Any] = parse("\n".join(_pairs(section)))
    if section.is_array:
        items = _of_type(path, text, table.setdefault(last, []), names, list)
        if any(isinstance(item, dict) and own.items() <= item.items() for item in items):
            return None
        for number, item in enumerate(items):
            same = [key for key in _NAMES if key in own and isinstance(item, dict) and item.get(key) == own[key]]
            if same:
                said = ", ".join(f"{key} = {value}" for key, value in section.keys)
                raise _conflict(path, text, (*names, number), f"{{ {said} }}")
        items.append(own)
        return section
    missing: list[tuple[str, str]] = []
    for key, value in section.keys:
        ((name, wanted),) = parse(f"{key} = {value}").items()
        if name not in table:
            table[name] = wanted
            missing.append((key, value))
        elif table[name] != wanted:
            raise _conflict(path, text, (*names, name), value)
    return section._replace(keys=tuple(missing)) if missing else None


def _of_type(path: Path, text: str, value: Any, key: Key, kind: type) -> Any:  # a value of any document
    if isinstance(value, kind):
        return value
    what = "table" if kind is dict else "array of tables"
    raise ConfigurationError(f"`{_dotted(key)}` is no {what}", hint="make it one", place=_place(path, text, key))


def _conflict(path: Path, text: str, key: Key, wanted: str) -> ConfigurationError:
    message = f"`{_dotted(key)}` says something else already than what is to be added"
    hint = f"take it out, or make it `{printable(' '.join(wanted.split()))}`"
    return ConfigurationError(message, hint=hint, place=_place(path, text, key))


def _place(path: Path, text: str, key: Key) -> Place:
    position = nearest(find_keys(text), key)
    return Place(path, *position) if position else Place(path)


# --- where it goes --------------------------------------------------------------------------------------------------


def _put(text: str, found: Outline, prefix: Key, section: Section, end: str) -> str | None:
    """Return the text with a section where its table is already, ``None`` where that is nowhere."""
    table = (*prefix, *_parts(section.table))
    for length in range(len(table), 0, -1):
        if table[:length] in found.values:
            return _inside(text, found, table[:length], table[length:], section, end)
    statements = found.statements
    if section.is_array:
        items = [item for item in statements if item.table[: len(table)] == table]
        another = render([section], _dotted(prefix))
        return _block(text, _line_behind(text, items[-1]), another, end) if items else None
    lines = [*_reasons(section), *_pairs(section)]
    pairs = [item for item in statements if not item.is_header and item.table == table]
    headers = [item for item in statements if item.is_header and item.table == table]
    if pairs or headers:
        return _lines(text, _line_behind(text, [*headers, *pairs][-1]), lines, end)
    if not table:
        return _lines(text, _before_tables(text, found), lines, end, is_apart=bool(statements))
    dotted = [
        item for item in statements if len(item.table) < len(table) < len(item.key) and item.key[: len(table)] == table
    ]
    if dotted:
        name = _dotted(table[len(dotted[-1].table) :])
        pairs_of = _pairs(section._replace(keys=tuple((f"{name}.{key}", value) for key, value in section.keys)))
        return _lines(text, _line_behind(text, dotted[-1]), [*_reasons(section), *pairs_of], end)
    below = next((item for item in statements if item.is_header and item.table[: len(table)] == table), None)
    if below is None:
        return None
    return _lines(
        text, _above_comments(text, below), render([section], _dotted(prefix)).splitlines(), end, is_apart=True
    )


def _inside(text: str, found: Outline, key: Key, rest: Key, section: Section, end: str) -> str:
    """Return the text with a section in the inline table or array that is the value of ``key``."""
    start, _ = found.values[key]
    pairs = ", ".join(f"{name} = {value}" for name, value in section.keys)
    item = f"{{ {pairs} }}"
    if text[start] == "[":
        added = item
    elif section.is_array:
        added = f"{_dotted(rest)} = [{item}]"
    else:
        names = f"{_dotted(rest)}." if rest else ""
        added = ", ".join(f"{names}{name} = {value}" for name, value in section.keys)
    inner = [ends for other, (_, ends) in found.values.items() if other[: len(key)] == key and other != key]
    position = start + len(text[start : max(inner, default=start + 1)].rstrip())
    added = f", {added}" if inner else added if text[start] == "[" else f" {added} "
    text = text[:position] + added.replace("\n", end) + text[position:]
    statement = next(item for item in found.statements if item.start <= start < item.end)
    return _lines(text, text.rfind("\n", 0, statement.start) + 1, _reasons(section), end)


def _behind(text: str, found: Outline, prefix: Key) -> int:
    """Return where tables go that are new: behind those of errlint, or at the end."""
    own = [item for item in found.statements if prefix and item.table[: len(prefix)] == prefix]
    return _line_behind(text, own[-1]) if own else len(text)


def _line_behind(text: str, statement: Statement) -> int:
    """Return the offset of the line after a statement, and after comments that belong to it rather than to the next."""
    position = behind = _next_line(text, statement.end)
    while text[position : _next_line(text, position)].lstrip(" \t").startswith("#"):
        position = _next_line(text, position)
    return position if not text[position : _next_line(text, position)].strip() else behind


def _above_comments(text: str, statement: Statement) -> int:
    """Return the offset of the first of the lines that are comments right above a statement, or of its own."""
    position = text.rfind("\n", 0, statement.start) + 1
    while position:
        above = text.rfind("\n", 0, position - 1) + 1
        if not text[above:position].lstrip(" \t").startswith("#"):
            break
        position = above
    return position


def _before_tables(text: str, found: Outline) -> int:
    """Return where the outermost keys go in a file that has none: below a comment that is about the file."""
    if not found.statements:
        return len(text)
    position = _above_comments(text, found.statements[0])
    if text.startswith("#:") and not position:  # for editors, which look for it in the first line
        return _next_line(text, 0)
    return position


def _next_line(text: str, offset: int) -> int:
    found = text.find("\n", offset)
    return found + 1 if found >= 0 else len(text)


def _lines(text: str, offset: int, lines: Sequence[str], end: str, *, is_apart: bool = False) -> str:
    """Return the text with lines put in at the beginning of a line, and an empty one behind where ``is_apart``."""
    above = text[:offset] + (end if offset and text[offset - 1] != "\n" else "")
    behind = text[offset:]
    gap = end if is_apart and behind.partition("\n")[0].strip() else ""
    return above + "".join(f"{line}{end}" for line in lines) + gap + behind


def _block(text: str, offset: int, block: str, end: str) -> str:
    """Return the text with tables put in at the beginning of a line, with an empty one above and below."""
    above = text[:offset]
    if above and not above.endswith("\n"):
        above += end
    if above.strip() and not above.endswith(("\n\n", "\n\r\n")):
        above += end
    return _lines(above + text[offset:], len(above), block.split("\n")[:-1], end, is_apart=True)


def _parts(table: str) -> tuple[str, ...]:
    return tuple(table.split(".")) if table else ()


def _dotted(key: Key) -> str:
    """Return a key as TOML has it; numbers of tables count from 1."""
    return ".".join(toml_key(part) if isinstance(part, str) else str(part + 1) for part in key)
