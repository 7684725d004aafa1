"""Reads the project in ``mutated``, by its own habits: the entries of its pages, its raises and its docstrings.

This is how ``catalog_mutations.py`` knows what an edit leads to without asking errlint.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).with_name("mutated")

Finding = tuple[str, str, int]
"""A rule, a path and a line."""


class Said(NamedTuple):
    """A text of a page, as it is written, and its line."""

    text: str
    line: int


class Entry(NamedTuple):
    """An error in one place of the pages: what it is called there, its lines, and the parts of it with theirs."""

    name: str
    path: str
    line: int
    last: int
    is_row: bool
    message: Said | None
    status: Said | None
    kind: Said | None
    severity: Said | None
    hints: tuple[Said, ...]
    fields: tuple[Said, ...]
    members: tuple[Said, ...]
    code: Said | None

    @property
    def place(self) -> Said:
        """The name of the entry with its line."""
        return Said(self.name, self.line)


class Raised(NamedTuple):
    """A raise: its lines, function, class and code, and what it is given."""

    path: str
    first: int
    last: int
    function: str
    kind: str
    code: str
    call: ast.Call


class Model(NamedTuple):
    """The project as it is read here: the texts of its files, its entries, raises and registered codes by member."""

    texts: Mapping[str, str]
    entries: tuple[Entry, ...]
    raises: tuple[Raised, ...]
    registry: Mapping[str, Said]
    classes: Mapping[str, int]
    members: Mapping[str, str]

    def of(self, raised: Raised) -> list[Entry]:
        """Return the entries that are about a raise."""
        return [entry for entry in self.entries if entry.name in (raised.code, raised.kind)]

    def raise_of(self, entry: Entry) -> Raised:
        """Return the raise that an entry is about."""
        return next(each for each in self.raises if entry.name in (each.code, each.kind))

    def is_alone(self, entry: Entry) -> bool:
        """Whether no other entry is about the same error."""
        return sum(each.name == entry.name for each in self.entries) == 1


CODES, ERRORS, SERVER = "lending/codes.py", "lending/errors.py", "lending/server.py"
_ROW = re.compile(r"^\|.*?\b([A-Z]+(?:_[A-Z]+)+)\b")
_HEADING = re.compile(r"^#{2,3} ([A-Z]+(?:_[A-Z]+)+|\w+Error)$")
_BOLD = re.compile(r"^\*\*([A-Z]+(?:_[A-Z]+)+): ")
_LABELLED = re.compile(r"^(?:- )?\*{0,2}(Message|Status|Exception|Hint|Severity)\*{0,2}:\*{0,2} (.+)$")
_MEMBER = re.compile(r'^  "(\w+)": (.+?),?$')
_TEXT = re.compile(r'"([^"]+)"')


def read_project(folder: Path) -> Model:
    """Read all files of the project."""
    texts = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".py", ".md", ".toml")
    }
    registry = {
        found[1]: Said(found[2], number)
        for number, line in enumerate(texts[CODES].split("\n"), start=1)
        if (found := re.match(r'    ([A-Z_]+) = "(.+)"$', line))
    }
    classes = {
        found[1]: number
        for number, line in enumerate(texts[ERRORS].split("\n"), start=1)
        if (found := re.match(r"class (\w+)\(", line))
    }
    members = {
        node.name: item.value.attr
        for node in ast.parse(texts[ERRORS]).body
        if isinstance(node, ast.ClassDef)
        for item in node.body
        if isinstance(item, ast.Assign) and isinstance(item.value, ast.Attribute)
    }
    entries = [entry for path in texts if path.startswith("docs/") for entry in _entries(path, texts[path])]
    raises = [each for path in texts if path.startswith("lending/") for each in _raises(path, texts[path], members)]
    return Model(texts, tuple(entries), tuple(raises), registry, classes, members)


def _entries(path: str, text: str) -> Iterator[Entry]:
    lines = text.split("\n")
    starts = [
        (number, found[1], bool(_ROW.match(line)))
        for number, line in enumerate(lines, start=1)
        if (found := _ROW.match(line) or _HEADING.match(line) or _BOLD.match(line))
    ]
    for index, (line, name, is_row) in enumerate(starts):
        end = starts[index + 1][0] if index + 1 < len(starts) else len(lines)
        if is_row:
            yield _row(path, lines, line, name)
            continue
        stop = next((number for number in range(line + 1, end) if lines[number - 1].startswith("#")), end)
        yield _section(path, lines, line, stop - 1, name)


def _row(path: str, lines: Sequence[str], line: int, name: str) -> Entry:
    top = line
    while not lines[top].startswith("|---"):
        top -= 1
    header = [cell.strip() for cell in lines[top - 1].split("|")]
    cells = dict(zip(header, (cell.strip() for cell in lines[line - 1].split("|")), strict=True))

    def said(*names: str) -> Said | None:
        return next((Said(cells[each], line) for each in names if cells.get(each)), None)

    hints = said("Hints")
    return Entry(
        name, path, line, line, True, said("Message"), said("Status", "HTTP status", "HTTP"), said("Exception"),
        said("Severity"), (hints,) if hints else (), (), (), None,
    )  # fmt: skip


def _section(path: str, lines: Sequence[str], line: int, last: int, name: str) -> Entry:
    parts: dict[str, Said] = {}
    lists: dict[str, list[Said]] = {"Fields": [], "Hints": [], "members": []}
    inside = ""
    for number in range(line + 1, last + 1):
        text = lines[number - 1]
        labelled, member, opened = (
            _LABELLED.match(text),
            _MEMBER.match(text),
            re.match(r"\*\*(Fields|Hints):\*\*$", text),
        )
        if opened:
            inside = opened[1]
        elif labelled:
            inside = ""
            parts[labelled[1]] = Said(labelled[2], number)
        elif member:
            inside = "Hints" if member[1] == "hints" else ""
            if member[1] == "hints":
                lists["Hints"] += [Said(each, number) for each in _TEXT.findall(member[2])]
            elif member[1] in ("code", "message", "status"):
                parts[member[1].title()] = Said(member[2].strip('"'), number)
            else:
                lists["members"].append(Said(member[1], number))
        elif inside == "Fields" and text.startswith("- `"):
            lists["Fields"].append(Said(text.split("`")[1], number))
        elif inside and text.startswith("- "):
            lists["Hints"].append(Said(text[2:], number))
        elif inside and text.startswith('    "'):
            lists["Hints"].append(Said(text.split('"')[1], number))
    hints = [parts["Hint"]] if "Hint" in parts else lists["Hints"]
    return Entry(
        name, path, line, last, False, parts.get("Message"), parts.get("Status"), parts.get("Exception"),
        parts.get("Severity"), tuple(hints), tuple(lists["Fields"]), tuple(lists["members"]), parts.get("Code"),
    )  # fmt: skip


def _raises(path: str, text: str, members: Mapping[str, str]) -> Iterator[Raised]:
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        for node in ast.walk(function):
            if not (
                isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name)
            ):
                continue
            given = argument(node.exc, "code")
            code = given.attr if isinstance(given, ast.Attribute) else members.get(node.exc.func.id, "")
            if code:
                yield Raised(path, node.lineno, node.end_lineno or 0, function.name, node.exc.func.id, code, node.exc)


def argument(call: ast.Call, name: str) -> ast.expr | None:
    """Return what a call is given under a name."""
    return next((item.value for item in call.keywords if item.arg == name), None)


def hints_of(raised: Raised) -> list[ast.Constant]:
    """Return the hints of a raise."""
    value = argument(raised.call, "hints")
    return [item for item in value.elts if isinstance(item, ast.Constant)] if isinstance(value, ast.List) else []


# --- docstrings -----------------------------------------------------------------------------------------------------


def promised(texts: Mapping[str, str], dead: frozenset[tuple[str, int]]) -> Iterator[Finding]:
    """Yield what the docstrings of tools say otherwise than the code does, ``dead`` raises left out.

    A name that is not raised by the tool or what it calls, at its line; one that the tool itself raises and that is
    missing, at the first of the list.
    """
    bases = {
        node.name: [base.id for base in node.bases if isinstance(base, ast.Name)]
        for node in ast.parse(texts[ERRORS]).body
        if isinstance(node, ast.ClassDef)
    }
    functions: dict[str, tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]] = {}
    for path, text in texts.items():
        if path.startswith("lending/"):
            for node in ast.parse(text).body:
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    functions[node.name] = path, node

    def own(name: str) -> set[str]:
        path, node = functions[name]
        return {
            each.exc.func.id
            for each in ast.walk(node)
            if isinstance(each, ast.Raise) and isinstance(each.exc, ast.Call) and isinstance(each.exc.func, ast.Name)
            if (path, each.lineno) not in dead and each.exc.func.id in bases
        }

    def called(name: str) -> set[str]:
        node = functions[name][1]
        names = (
            each.func.attr if isinstance(each.func, ast.Attribute) else getattr(each.func, "id", "")
            for each in ast.walk(node)
            if isinstance(each, ast.Call)
        )
        return {each for each in names if each in functions}

    def line_of(name: str) -> set[str]:
        return {name, *(each for base in bases.get(name, ()) for each in line_of(base))}

    for name, (path, node) in functions.items():
        if not isinstance(node, ast.AsyncFunctionDef) or path != SERVER:
            continue
        reached, pending = set[str](), {name}
        while pending:
            reached |= pending
            pending = {each for other in pending for each in called(other)} - reached
        raised = {each for other in reached for kind in own(other) for each in line_of(kind)}
        constant = node.body[0].value if isinstance(node.body[0], ast.Expr) else None
        assert isinstance(constant, ast.Constant)
        text = str(constant.value)
        pattern = r"^ +(?::raises )?(\w+(?:Error|Failure))(?:: .+|)$"
        listed = [
            (found[1], node.body[0].lineno + number)
            for number, line in enumerate(text.split("\n"))
            if (found := re.match(pattern, line))
        ]
        yield from (("ERR506", SERVER, line) for each, line in listed if each not in raised)
        missing = [each for each in own(name) if line_of(each).isdisjoint(item for item, _ in listed)]
        if missing and listed:
            yield "ERR506", SERVER, listed[0][1]
