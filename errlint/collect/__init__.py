"""Collect: from the text of one file to its facts.

:func:`collect` is the whole way: bounds, the two tiers of the gate, one LibCST parse, the visitors.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from msgspec import structs

from errlint import gate
from errlint.collect.merge import merge
from errlint.collect.remarks import counted, remarked
from errlint.collect.search_path import on_path
from errlint.facts import Module, Problem, Wanted
from errlint.findings import Span
from errlint.gate import Outline
from errlint.index import scopes
from errlint.reader import TOO_LONG, on_deep_stack, parse_with_ast, parse_with_libcst
from errlint.source import Lines, has_long_line, long_chain_line
from errlint.suppress import find_suppressions

if TYPE_CHECKING:
    import libcst as cst


class Collected(NamedTuple):
    """The facts of a file, and its outline; ``None`` where LibCST read all of it."""

    module: Module
    blocks: Outline | None


def collect(
    text: str, vocabulary: gate.Vocabulary, wanted: Wanted, *, use_ast: bool = True, use_gate: bool = True
) -> Collected:
    """Return the facts of one file.

    ``wanted`` adds to what the vocabulary makes worth a look. Without ``use_ast`` LibCST reads the whole file, without
    ``use_gate`` every statement is a candidate: both are slower ways to the same findings.
    """
    collected = _collect(text, vocabulary, wanted, use_ast, use_gate)
    module = remarked(collected.module, text)
    if vocabulary.counts and wanted.mentions:
        module = counted(module, text.encode("utf-8", "surrogatepass"), wanted.mentions)
    collected = collected._replace(module=module)
    if folders := on_path(text):
        collected = collected._replace(module=structs.replace(collected.module, on_path=folders))
    suppressions = find_suppressions(text)
    if suppressions:
        collected = collected._replace(module=structs.replace(collected.module, suppressions=suppressions))
    return collected


def collect_more(text: str, blocks: Outline | None, vocabulary: gate.Vocabulary, wanted: Wanted) -> Module | None:
    """Return facts to add to those of an earlier look, of which ``blocks`` is the outline where it is known.

    Of ``wanted`` what the file does not have is passed over. Returns ``None`` for a file that has to be read whole.
    """
    lines = Lines(text)
    tree: ast.Module | None = None
    if blocks is None:
        tree = parse_with_ast(text)
        if tree is None:
            return None
        blocks = gate.outline(tree, lines)
    found = _look_again(text, lines, tree, blocks, vocabulary, wanted)
    if found is None:
        return None
    found = remarked(found, text)
    return counted(found, lines.data, wanted.mentions) if vocabulary.counts else found


def _look_again(
    text: str, lines: Lines, tree: ast.Module | None, blocks: Outline, vocabulary: gate.Vocabulary, wanted: Wanted
) -> Module | None:
    definitions = gate.known(blocks, wanted.definitions)
    places = gate.mentions(lines.data, gate.with_aliases(lines.data, wanted.mentions))
    if not definitions and not places:
        return Module(covered=wanted.mentions)
    if tree is None:
        rows = {bisect_right(lines.starts, place) - 1 for place in places}
        tree = parse_with_ast(gate.cut(text, blocks, rows, definitions)) or parse_with_ast(text)
        assert tree is not None
    skeleton = gate.second_look(tree, lines, vocabulary, wanted.mentions, definitions)
    return _read(skeleton, frozenset(wanted.mentions), _again(vocabulary))


def _collect(text: str, vocabulary: gate.Vocabulary, wanted: Wanted, use_ast: bool, use_gate: bool) -> Collected:
    if has_long_line(text) and (line := long_chain_line(text)):
        return Collected(_problem(line, TOO_LONG), None)
    # Perhaps a grammar newer than this interpreter: LibCST decides.
    tree = parse_with_ast(text) if use_ast else None
    if tree is None:
        return Collected(_whole(text, vocabulary, wanted), None)
    lines = Lines(text)
    skeleton, local = gate.first_look(tree, lines, vocabulary, use_gate)
    module = _read(skeleton, local, vocabulary)
    if module is None:
        return Collected(_whole(text, vocabulary, wanted), None)
    blocks = gate.outline(tree, lines)
    if wanted.mentions or wanted.definitions:
        definitions = gate.known(blocks, wanted.definitions)
        names = frozenset(wanted.mentions)
        more = _read(gate.second_look(tree, lines, vocabulary, names, definitions), names, _again(vocabulary))
        if more is None:
            return Collected(_whole(text, vocabulary, wanted), None)
        module = merge(module, more)
    return Collected(scopes.bound(module, scopes.read(tree, text)), blocks)


def _again(vocabulary: gate.Vocabulary) -> gate.Vocabulary:
    """Return what a second look has to know: the first saw all the rest."""
    return structs.replace(
        vocabulary, registrations=(), handlers=False, rebound=False, swallows=False, branches=False, cases=()
    )


def _read(skeleton: gate.Skeleton | None, names: frozenset[str], vocabulary: gate.Vocabulary) -> Module | None:
    """Return the facts in a skeleton; ``names`` are those whose uses it has.

    Returns ``None`` for a skeleton that is not Python: the file is read whole then, slower and just as right.
    """
    if skeleton is None:
        return Module(covered=tuple(sorted(names)))
    for span, statement in skeleton.long:
        if long_chain_line(statement):
            return _problem(span.line, TOO_LONG)
    from libcst import ParserSyntaxError

    from errlint.collect.module import Collector, statements
    from errlint.reader.unchecked import parse_module

    try:
        module = parse_module(skeleton.text)
    except ParserSyntaxError:
        return None
    nodes = list(statements(module))
    spans = {id(node): span for node, span in zip(nodes, skeleton.spans)}  # noqa: B905 -- equal by construction
    places = (skeleton.using, skeleton.flows, skeleton.tries, skeleton.swallows, skeleton.unread, skeleton.branching)
    using, flows, tries, swallows, unread, branching = (
        frozenset(id(nodes[index]) for index in found) for found in places
    )
    return Collector(
        spans, names, vocabulary, using, flows, tries, skeleton.rebound, swallows, unread, branching, skeleton.is_script
    ).collect(module)


def _problem(line: int, message: str) -> Module:
    return Module(problem=Problem("ERR904", Span(line, 1, line, 1), message))


def _whole(text: str, vocabulary: gate.Vocabulary, wanted: Wanted) -> Module:
    """Read a whole file with LibCST."""
    try:
        module = parse_with_libcst(text)
    except SyntaxError as error:
        return _problem(error.lineno or 1, error.msg)
    return on_deep_stack(lambda: _facts(module, text, vocabulary, wanted))


def _facts(module: cst.Module, text: str, vocabulary: gate.Vocabulary, wanted: Wanted) -> Module:
    import libcst as cst
    from libcst.metadata import MetadataWrapper, PositionProvider

    from errlint.collect.module import Collector, last_of_header, statements
    from errlint.reader.lowering import lowered

    positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    spans: dict[int, Span] = {}
    names: set[str] = set()
    rows = re.split(r"\r\n|\r|\n", text)
    for node in statements(module):
        place = positions[node]
        line, column = place.end.line, place.end.column
        last = last_of_header(node)
        if last is not None:
            end = positions[last].end
            line, column = end.line, end.column
            if isinstance(node, cst.FunctionDef):
                names.add(node.name.value)
            elif not isinstance(node, cst.ClassDef):
                line, column = _behind_brackets(rows, line, column)
        elif isinstance(node, (cst.Try, cst.TryStar, cst.ExceptHandler, cst.ExceptStarHandler)):
            keyword = "try" if isinstance(node, (cst.Try, cst.TryStar)) else "except"
            line, column = place.start.line, place.start.column + len(keyword)
        spans[id(node)] = Span(place.start.line, place.start.column + 1, line, column + 1)
    facts = Collector(spans, frozenset(wanted.mentions) | names, vocabulary).collect(module)
    return scopes.bound(facts, scopes.read(lowered(module, positions), text))


def _behind_brackets(rows: list[str], line: int, column: int) -> tuple[int, int]:
    """Return where the closing brackets end that stand before the colon of a header; columns from 0."""
    rest = "\n".join([rows[line - 1][column:], *rows[line : line + 50]])
    skipped = re.match(r"[\s),\\]*(?=:)", rest)
    closing = skipped.group().rstrip() if skipped else ""
    breaks = closing.count("\n")
    return line + breaks, len(closing) - closing.rfind("\n") - 1 if breaks else column + len(closing)
