"""What a planner answers, and the places of a file that planners look for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import libcst as cst

from errlint.findings import Span
from errlint.fix.model import Doubt, refuse
from errlint.fix.nodes import inside
from errlint.fix.rewrite import Changes
from errlint.fix.source_file import SourceFile


class Fixed(NamedTuple):
    """What to change in each file for one finding, and what is in doubt about it."""

    changes: Mapping[str, Changes]
    doubts: tuple[Doubt, ...] = ()


def statement(parsed: SourceFile, span: Span) -> cst.BaseSmallStatement:
    """Return the small statement that begins where a span does.

    Raises :class:`errlint.fix.model.Refusal` where there is none: the span is that of a header.
    """
    for node in parsed.nodes_at(span.line, span.column):
        if isinstance(node, cst.BaseSmallStatement):
            return node
    raise refuse("it is no statement of its own", parsed.path, span.line)


def raised(parsed: SourceFile, span: Span) -> cst.Raise:
    """Return the ``raise`` that begins where a span does; raises :class:`errlint.fix.model.Refusal` for none."""
    node = statement(parsed, span)
    if not isinstance(node, cst.Raise):
        raise refuse("the exception is raised elsewhere", parsed.path, span.line)
    return node


def function_at(parsed: SourceFile, span: Span) -> cst.FunctionDef:
    """Return the function whose header a span is; raises :class:`errlint.fix.model.Refusal` for none."""
    for node in parsed.nodes(cst.FunctionDef):
        if span.line <= parsed.line(node) <= span.end_line:
            return node
    raise refuse("its definition was not found", parsed.path, span.line)


def below(node: cst.CSTNode) -> list[cst.CSTNode]:
    """Return a node and all that is below it, in the order of the text."""
    found: list[cst.CSTNode] = []
    pending = [node]
    while pending:
        current = pending.pop()
        found.append(current)
        pending.extend(reversed(inside(current)))
    return found


def text_of(node: cst.CSTNode) -> str | None:
    """Return the constant text that a node is, ``None`` for anything else."""
    if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)):
        value = node.evaluated_value
        return value if isinstance(value, str) else None
    return None


def quoted(parsed: SourceFile, text: str) -> str:
    """Return a text as a literal, in the quotation marks that its file prefers."""
    mark = parsed.quote
    return mark + text.replace("\\", "\\\\").replace(mark, f"\\{mark}") + mark


def in_style(parsed: SourceFile, value: str) -> str:
    """Return an empty value as its file would write it."""
    return parsed.quote * 2 if value == '""' else value


def with_argument(parsed: SourceFile, call: cst.Call, name: str, value: str) -> str:
    """Return the text of a call that is given one more keyword argument, in the layout of those it has."""
    new = cst.Arg(
        cst.parse_expression(value),
        cst.Name(name),
        equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")),
    )
    args = list(call.args)
    if not args:
        return parsed.code(call.with_changes(args=[new]))
    last = args[-1]
    at = next((index for index, item in enumerate(args) if item.star == "**"), len(args))
    if at < len(args):
        return parsed.code(call.with_changes(args=[*args[:at], new.with_changes(comma=_comma()), *args[at:]]))
    if not isinstance(last.comma, cst.Comma):
        # The line end before the bracket stays with the bracket.
        first = call.whitespace_before_args
        is_own_line = len(args) == 1 and isinstance(first, cst.ParenthesizedWhitespace)
        between = args[-2].comma if len(args) > 1 else cst.Comma(whitespace_after=first) if is_own_line else _comma()
        edited = [
            *args[:-1],
            last.with_changes(comma=between),
            new.with_changes(whitespace_after_arg=last.whitespace_after_arg),
        ]
        if len(args) > 1 or is_own_line or "\n" not in parsed.code(call):
            edited[-2] = edited[-2].with_changes(whitespace_after_arg=cst.SimpleWhitespace(""))
        return parsed.code(call.with_changes(args=edited))
    first = call.whitespace_before_args
    between = last.comma.with_changes(
        whitespace_after=first if isinstance(first, cst.ParenthesizedWhitespace) else cst.SimpleWhitespace(" ")
    )
    return parsed.code(
        call.with_changes(args=[*args[:-1], last.with_changes(comma=between), new.with_changes(comma=last.comma)])
    )


def with_entries(parsed: SourceFile, held: cst.Dict, entries: Mapping[str, str], order: Sequence[str] = ()) -> cst.Dict:
    """Return a dict with more entries, in the layout of those it has: where ``order`` puts them, else at its end."""
    elements = list(held.elements)
    last = elements[-1].comma if elements else cst.MaybeSentinel.DEFAULT
    between = elements[0].comma if len(elements) > 1 else _comma()
    if len(elements) == 1 and isinstance(last, cst.Comma):
        between = cst.Comma(whitespace_after=held.lbrace.whitespace_after)
    elements = [item.with_changes(comma=between) for item in elements]
    for key, text in entries.items():
        new = cst.DictElement(cst.parse_expression(quoted(parsed, key)), cst.parse_expression(text), comma=between)
        elements.insert(_place(elements, key, order), new)
    return held.with_changes(elements=[*elements[:-1], *(item.with_changes(comma=last) for item in elements[-1:])])


def laid_out(parsed: SourceFile, before: cst.Dict, after: cst.Dict) -> str:
    """Return the text of a dict that takes the place of another one: an entry a line where one line is too short."""
    text = parsed.code(after)
    begin, column, end, end_column = parsed.extent(before)
    rest = parsed.lines[end - 1][end_column:].rstrip()
    if "\n" in text or column + len(text) + len(rest) <= parsed.width:
        return text
    line = parsed.lines[begin - 1]
    # What the block is indented by comes on top of what stands here.
    around = next(parent for parent, _ in parsed.around(before) if isinstance(parent, cst.SimpleStatementLine))
    margin = " " * (len(line) - len(line.lstrip()) - parsed.column(around))
    indent = parsed.module.default_indent
    entries = (parsed.item(item) for item in after.elements)
    return "{\n" + "".join(f"{margin}{indent}{item},\n" for item in entries) + margin + "}"


def with_value(held: cst.Dict, name: str, value: cst.BaseExpression) -> cst.Dict:
    """Return a dict with another value for one of its keys."""
    elements = [
        item.with_changes(value=value) if isinstance(item, cst.DictElement) and text_of(item.key) == name else item
        for item in held.elements
    ]
    return held.with_changes(elements=elements)


def _place(elements: Sequence[cst.BaseDictElement], key: str, order: Sequence[str]) -> int:
    """Return the index of a new entry: before the first that comes later in an order."""
    if key not in order:
        return len(elements)
    later = {*order[order.index(key) + 1 :]}
    found = (index for index, item in enumerate(elements) if isinstance(item, cst.DictElement))
    return next((index for index in found if _key(elements[index]) in later), len(elements))


def _key(item: cst.BaseDictElement) -> str | None:
    return text_of(item.key) if isinstance(item, cst.DictElement) else None


def _comma() -> cst.Comma:
    return cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
