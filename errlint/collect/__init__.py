"""Collect: from the text of one file to its facts.

:func:`collect` is the whole way: bounds, the two tiers of the gate, one LibCST parse, the visitors.
"""

from __future__ import annotations

import ast
import re
import sys
import threading
import warnings
from collections.abc import Callable

import msgspec

from errlint import gate
from errlint.facts import Module, Problem, Wanted
from errlint.findings import Span
from errlint.source import Lines, deep_line, has_long_line, long_chain_line
from errlint.suppress import find_suppressions

STACK_SIZE = 512 * 1024 * 1024
"""Address space for the stack of a whole-file parse: LibCST recurses natively."""


Found = tuple[Module, frozenset[str]]
"""Facts, and the names whose uses are all among them."""

_CHAIN = "an expression is too long a chain to be analysed; split it up"


def collect(text: str, vocabulary: gate.Vocabulary, wanted: Wanted, *, use_ast: bool = True, use_gate: bool = True) -> Module:
    """Return the facts of one file.

    ``wanted`` adds to what the vocabulary makes worth a look. Without ``use_ast`` LibCST reads the whole file, without
    ``use_gate`` every statement is a candidate: both are slower ways to the same findings.
    """
    module, covered = _collect(text, vocabulary, wanted, use_ast, use_gate)
    suppressions = find_suppressions(text)
    if not covered and not suppressions:
        return module
    return msgspec.structs.replace(module, suppressions=suppressions, covered=tuple(sorted(covered)))


def _collect(text: str, vocabulary: gate.Vocabulary, wanted: Wanted, use_ast: bool, use_gate: bool) -> Found:
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        return _problem("ERR904", line, "the file contains a NUL byte")
    if has_long_line(text) and (line := long_chain_line(text)):
        return _problem("ERR904", line, _CHAIN)
    if not use_ast:
        return _whole(text, vocabulary, wanted)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # Perhaps a grammar newer than this interpreter: LibCST decides.
        return _whole(text, vocabulary, wanted)
    lines = Lines(text)
    pruned = gate.skeleton(tree, lines, vocabulary, frozenset(wanted.mentions), frozenset(wanted.definitions), use_gate)
    del tree
    if pruned is None:
        return Module(), frozenset(wanted.mentions)
    for span, statement in pruned.long:
        if long_chain_line(statement):
            return _problem("ERR904", span.line, _CHAIN)
    import libcst as cst

    from errlint.collect.module import Collector, statements

    module = cst.parse_module(pruned.text)
    spans = {id(node): span for node, span in zip(statements(module), pruned.spans)}  # noqa: B905 -- equal by construction
    names = frozenset(wanted.mentions) | pruned.local
    return Collector(spans, names, frozenset(vocabulary.registrations)).collect(module), names


def _problem(code: str, line: int, message: str) -> Found:
    return Module(problem=Problem(code, Span(line, 1, line, 1), message)), frozenset()


def _whole(text: str, vocabulary: gate.Vocabulary, wanted: Wanted) -> Found:
    """Read a whole file with LibCST, on a stack that is deep enough."""
    if line := deep_line(text):
        return _problem("ERR904", line, "brackets are nested too deeply to be analysed")
    if line := long_chain_line(text):
        return _problem("ERR904", line, _CHAIN)
    return _on_deep_stack(lambda: _parse_whole(text, vocabulary, wanted))


def _on_deep_stack(work: Callable[[], Found]) -> Found:
    result: list[Found | BaseException] = []

    def run() -> None:
        try:
            result.append(work())
        except BaseException as error:  # noqa: BLE001 -- handed to the caller's thread
            result.append(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(STACK_SIZE)
    sys.setrecursionlimit(100_000)
    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    outcome = result[0]
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def _parse_whole(text: str, vocabulary: gate.Vocabulary, wanted: Wanted) -> Found:
    import libcst as cst
    from libcst.metadata import MetadataWrapper, PositionProvider

    from errlint.collect.module import Collector, statements

    try:
        module = cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        reason = re.sub(r"\s+", " ", error.message.removeprefix("parser error: ")).strip()
        return _problem("ERR904", max(error.raw_line, 1), reason)
    positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    spans: dict[int, Span] = {}
    names: set[str] = set()
    for node in statements(module):
        place = positions[node]
        end = place.end
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            end = positions[node.name].end
            if isinstance(node, cst.FunctionDef):
                names.add(node.name.value)
        spans[id(node)] = Span(place.start.line, place.start.column + 1, end.line, end.column + 1)
    covered = frozenset(wanted.mentions) | names
    return Collector(spans, covered, frozenset(vocabulary.registrations)).collect(module), covered
