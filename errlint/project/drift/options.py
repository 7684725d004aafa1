"""What documents say of options, beside the code: values, defaults, and which there are.

An option is a parameter of a tool, or a field of a class with annotations: ``on_failure: Mode = Mode.FAIL``. A document
speaks of it below a heading that is its name, in the row of a table, or in a line that names it before a default.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.entry import Entry, EntryKind
from errlint.catalog.labelled import label_of
from errlint.catalog.markdown import Line, MarkdownTable, Paragraph, Section, sections
from errlint.findings import Related, Span
from errlint.index.bindings import variable_of
from errlint.index.expressions import dotted_name
from errlint.lazy import cached_property
from errlint.project.drift import enumerated
from errlint.project.drift.allowed_values import RUN, VALUE, Differing, difference
from errlint.project.drift.enumerated import PlacedExpression
from errlint.project.drift.pages import Tool
from errlint.project.names import ClassSymbol

if TYPE_CHECKING:
    from errlint.project import Project

_IS_DEFAULT = re.compile(
    r"(?<!\bby )\bdefaults?\b(?: values?)?\s*(?:is|to|:|=|of)?\s*"
    r"(?:[`'\"]+(?P<quoted>[\w.+-]+)[`'\"]+|(?P<plain>true|false|-?\d+(?:\.\d+)?)(?![\w%.]|\s*[a-z]))",
    re.IGNORECASE,
)
"""What a line says that a default is: "the default is `active`", "(default: 30)", "defaults to `true`".

"By default `find` looks everywhere" says something else.
"""

_DEFAULTS = frozenset({"default", "default value", "defaults", "standard", "standardwert"})
_VALUES = frozenset({
    "allowed values", "values", "allowed", "possible values", "valid values", "choices", "options", "accepted values",
    "modes", "supported values", "werte",
})  # fmt: skip
"""Labels and headers of the values that an option may have."""

_NAMED = re.compile(r"[`*\[\"]*(?:[a-z_]\w*\.)*(?P<name>[a-z_]\w*)[`*\]\"]*(?:\s*\([^()]{0,80}\))?")
"""A heading or cell that is nothing but the name of an option, perhaps with its type."""

_NOTHING = frozenset({"", "none", "null", "-", "—", "–", "n/a", "required", "unset", "empty"})
_ENOUGH = 2
"""So many values in common make two lists those of one option; so many options make a section list them."""


class Option(NamedTuple):
    """An option of the code: ``owner`` is its class or tool.

    ``scope`` is the function or class that its annotation and default stand in, "" for the module.
    """

    name: str
    owner: str
    path: str
    line: int
    scope: str
    annotation: ast.expr | None
    default: ast.expr | None


class _Claim(NamedTuple):
    """What a document says of the option with a name: its values or its default, and where."""

    name: str
    what: str
    said: tuple[str, ...]
    line: int


class Missing(NamedTuple):
    """An option that the section of a document about its class leaves out."""

    option: Option
    path: str
    line: int
    group: str


class Options:
    """Compares the documents of a project with the options of its code."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def _fields(self, name: str) -> list[Option]:
        """Return the annotated fields of all classes that are called so."""
        return [
            field
            for symbol in self._classes_by_field.get(name, ())
            for field in self._fields_of(symbol)
            if field.name == name
        ]

    def _fields_of(self, symbol: ClassSymbol) -> list[Option]:
        """Return the annotated fields of a class, but for private ones."""
        node = self._project.documented.definition(symbol.path, symbol.definition.name)
        return _fields_of(symbol.path, node) if node is not None else []

    @cached_property
    def _classes_by_field(self) -> dict[str, list[ClassSymbol]]:
        """The classes that are no exceptions, by the names of their fields and methods."""
        found: dict[str, list[ClassSymbol]] = {}
        for path in sorted(self._project.modules):
            for definition in self._project.modules[path].classes:
                if not self._project.documented.defined(definition.name):
                    names = dict.fromkeys(entry.key for entry in definition.members or () if entry.key)
                    for name in names:
                        found.setdefault(name, []).append(ClassSymbol(path, definition))
        return found

    def _parameters(self, tool: Tool) -> dict[str, Option]:
        found = self._project.documented.function(tool.path, tool.function)
        if found is None:
            return {}
        given = found.args
        positional = [*given.posonlyargs, *given.args]
        defaults: list[ast.expr | None] = [None] * (len(positional) - len(given.defaults))
        pairs = [
            *zip(positional, [*defaults, *given.defaults], strict=True),
            *zip(given.kwonlyargs, given.kw_defaults, strict=True),
        ]
        owner = tool.function.removesuffix(".execute").rpartition(".")[2]
        scope = tool.function.rpartition(".")[0]
        return {
            item.arg: Option(item.arg, owner, tool.path, item.lineno, scope, item.annotation, default)
            for item, default in pairs
        }

    def differing(self) -> Iterator[Differing]:
        """Yield the values and defaults of options that documents say otherwise than the code."""
        for path, text in sorted(self._project.documents.texts.items()):
            for section in sections(text):
                if self._project.documents.is_generated(path, section.heading.line):
                    continue
                claims = dict.fromkeys(_claims(section))
                tools = self._tools(path, section) if claims else []
                for claim in claims:
                    option = self._meant(tools, claim.name)
                    message = self._message(option, claim) if option is not None else ""
                    if option is not None and message:
                        span = Span(option.line, 1, option.line, 1)
                        yield Differing(path, claim.line, message, Related(option.path, span, "the option is here"))

    def _tools(self, path: str, section: Section) -> list[Tool]:
        """Return the tools that a section is about: those below whose name it stands, else the one that it names."""
        pages = self._project.comparison.pages
        title = Entry(path, section.heading.line, 1, EntryKind.TITLE, "", section.heading.text, section.parents)
        around = sorted(pages.around(title))
        if around:
            return around
        lines = (line for block in section.blocks if isinstance(block, Paragraph) for line in block.lines)
        named = {tool for line in lines for code in line.codes for tool in pages.called(code.partition("(")[0])}
        return sorted(named)

    def _meant(self, tools: list[Tool], name: str) -> Option | None:
        """Return the option that a name means: that of the one tool, else the only field that is called so."""
        of_tools = [found[name] for tool in tools if name in (found := self._parameters(tool))]
        if tools:
            return of_tools[0] if len(of_tools) == 1 else None
        fields = self._fields(name)
        return fields[0] if len(fields) == 1 else None

    def _message(self, option: Option, claim: _Claim) -> str:
        own = self._values(option)
        if claim.what == "values":
            common = {*own} & {*claim.said} if own is not None else set()
            if own is None or len(common) < _ENOUGH or {*own} == {*claim.said}:
                return ""
            return f"the list of values of `{option.name}` {difference(own, claim.said)}"
        own_default = self._default(option)
        if own_default is None or own_default.casefold() in _NOTHING or _is_same(own_default, claim.said[0]):
            return ""
        if own is None and _shape(own_default) != _shape(claim.said[0]):
            return ""  # "30s" beside 30, a name beside what it stands for
        return f"the default of `{option.name}` is `{own_default}` in the code, not `{claim.said[0]}`"

    def _values(self, option: Option) -> tuple[str, ...] | None:
        """Return the texts that the annotation of an option allows, ``None`` where they are not known."""
        if option.annotation is None:
            return None
        return enumerated.texts(self._project, PlacedExpression(option.path, option.scope, option.annotation))

    def _default(self, option: Option) -> str | None:
        if option.default is None:
            return None
        return enumerated.value(self._project, PlacedExpression(option.path, option.scope, option.default))

    # --- options that are left out -----------------------------------------------------------------------------------

    def missing(self) -> Iterator[Missing]:
        """Yield the options of a class that a document leaves out which has a section for the class.

        The section is called like a field of the class: ``### retries`` for ``retries: RetryConfig``. It lists two
        of its options and half of all, or the policy names the option that is missing.
        """
        seen: set[tuple[str, int]] = set()
        for path, text in sorted(self._project.documents.texts.items()):
            words = frozenset(re.findall(r"\w+", text))
            for index, section in enumerate(sections(text)):
                named = _NAMED.fullmatch(section.heading.text)
                groups = self._fields(named["name"]) if named is not None else []
                options = self._group(groups[0]) if len(groups) == 1 else []
                known = [each for each in options if each.name in words]
                told = _told(sections(text)[index:]) if len(known) >= _ENOUGH else set()
                listed = [each for each in known if each.name in told]
                is_list = len(listed) >= _ENOUGH and 2 * len(listed) >= len(options)
                for each in options:
                    policy = self._project.policy(each.path)
                    is_asked = is_list or each.name in policy.work.defaults
                    if each not in known and is_asked and (each.path, each.line) not in seen:
                        seen.add((each.path, each.line))
                        if self._project.is_reported(each.path) and not self._is_told_elsewhere(each.name):
                            yield Missing(each, path, section.heading.line, groups[0].name)

    def _is_told_elsewhere(self, name: str) -> bool:
        pattern = re.compile(rf"\b{re.escape(name)}\b")
        return any(pattern.search(text) for text in self._project.documents.texts.values())

    def _group(self, option: Option) -> Sequence[Option]:
        """Return the fields of the class that an option holds an object of, nothing where it holds something else."""
        expression = option.annotation
        if isinstance(expression, ast.BinOp):
            expression = expression.left
        meaning = self._project.names.resolve(option.path, dotted_name(expression), option.scope)
        if not isinstance(meaning, ClassSymbol) or self._project.values.is_enum(meaning):
            return ()
        return self._fields_of(meaning)


def _fields_of(path: str, node: ast.AST) -> list[Option]:
    """Return the annotated fields of a class, but for private ones."""
    if not isinstance(node, ast.ClassDef):
        return []
    return [
        Option(name, node.name, path, each.lineno, "", each.annotation, each.value)
        for each in node.body
        if isinstance(each, ast.AnnAssign) and (name := variable_of(each)) and not name.startswith("_")
    ]


# --- what documents say -----------------------------------------------------------------------------------------------


def _claims(section: Section) -> Iterator[_Claim]:
    """Yield what a section says of options."""
    named = _NAMED.fullmatch(section.heading.text)
    name = named["name"] if named is not None else ""
    for block in section.blocks:
        if isinstance(block, MarkdownTable):
            yield from _in_table(block)
        elif isinstance(block, Paragraph):
            for line in block.lines:
                found = label_of(line)
                if found is not None and name and found[0] in _VALUES | _DEFAULTS:
                    yield from _labelled(name, found[0], line)
                else:
                    yield from _in_line(line)


def _labelled(name: str, label: str, line: Line) -> Iterator[_Claim]:
    if label in _VALUES:
        yield from (
            _Claim(name, "values", tuple(VALUE.findall(run.group())), line.line) for run in RUN.finditer(line.raw)
        )
    elif len(line.codes) == 1 and VALUE.fullmatch(f"`{line.codes[0]}`"):
        yield _Claim(name, "default", (line.codes[0].strip("\"'"),), line.line)


def _in_line(line: Line) -> Iterator[_Claim]:
    """Yield the default of the option that a line names last before it."""
    for found in _IS_DEFAULT.finditer(line.raw):
        before = [code for code in line.codes if f"`{code}`" in line.raw[: found.start()]]
        if before and before[-1].isidentifier():
            yield _Claim(before[-1], "default", (found["quoted"] or found["plain"],), line.line)


def _in_table(table: MarkdownTable) -> Iterator[_Claim]:
    headers = [cell.text.strip(" *:").casefold() for cell in table.header]
    for row in table.rows:
        named = _NAMED.fullmatch(row[0].text) if row else None
        if named is None:
            continue
        for header, cell in zip(headers[1:], row[1:], strict=False):
            if header in _DEFAULTS and len(cell.text) == len(cell.codes[0] if len(cell.codes) == 1 else cell.text):
                text = (cell.codes[0] if cell.codes else cell.text).strip("\"' ")
                if text.casefold() not in _NOTHING and re.fullmatch(r"[\w.+-]+", text):
                    yield _Claim(named["name"], "default", (text,), cell.line)
            elif header in _VALUES:
                runs = RUN.finditer(cell.raw)
                yield from (
                    _Claim(named["name"], "values", tuple(VALUE.findall(run.group())), cell.line) for run in runs
                )


def _told(below: Sequence[Section]) -> set[str]:
    """Return the names that the first of some sections lists, also in those below it: headings, items and rows."""
    first, *others = below
    own = [first, *takewhile(lambda each: each.level > first.level, others)]
    texts = [each.heading.text for each in own[1:]]
    for block in (block for section in own for block in section.blocks):
        if isinstance(block, MarkdownTable):
            texts.extend(row[0].text for row in block.rows if row)
        elif isinstance(block, Paragraph) and block.depth and block.lines:
            line = block.lines[0]
            texts.append(line.codes[0] if line.codes and line.text.startswith(line.codes[0]) else line.strong)
    return {named["name"] for named in map(_NAMED.fullmatch, texts) if named is not None}


def _is_same(own: str, said: str) -> bool:
    """Whether two constants are one, however they are written: ``True`` and ``true``, ``30`` and ``30.0``."""
    try:
        return float(own) == float(said)
    except ValueError:
        return own.casefold() == said.casefold()


def _shape(text: str) -> str:
    """Return what kind of constant a text is."""
    if text.casefold() in ("true", "false"):
        return "flag"
    try:
        float(text)
    except ValueError:
        return "text"
    return "number"
