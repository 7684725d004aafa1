"""Tests of a function that raises from now on: what they assert of its errors becomes a ``pytest.raises``.

A test that no error can have passed stays as it is. What is not understood, or has nothing that can be put in its
place, leaves the fix in doubt, with its line: it is for a person to look at.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeGuard

import libcst as cst

from errlint.error_keywords import ERROR_KEYS, SUCCESS_KEYS
from errlint.fix.callers.abstract_values import (
    AbstractAnswer,
    SourceCache,
    answers,
    asked,
    definition,
    entries_of,
    hands_on,
)
from errlint.fix.callers.call_sites import is_local
from errlint.fix.callers.caller_rewrites import Converted, answer_of
from errlint.fix.callers.error_checks import mentions_of
from errlint.fix.callers.mentions import (
    cannot_mean,
    is_asked_by_client,
    is_stood_in_for,
    listings,
    looked_up,
    may_mean,
    may_name,
    mentions,
    named,
    refers_to,
)
from errlint.fix.callers.payload_checks_in_tests import hands_out_errors, is_in_test, literal, looked_at
from errlint.fix.callers.payload_to_exception import Reading
from errlint.fix.callers.succeeding import WIRE, Errors, judged
from errlint.fix.callers.test_assertions import (
    Claim,
    TestedCall,
    claims_of,
    compared_whole,
    is_about_error,
    lines_behind,
    named_text,
    passes,
    says_only_error,
    use_of,
)
from errlint.fix.callers.test_doubles import stand_in
from errlint.fix.callers.wrapping import in_between
from errlint.fix.model import Doubt, Refusal, TestOutcome, refuse
from errlint.fix.nodes import BlockStatement, all_below, dotted_name, expression_of, literal_value, names_below
from errlint.fix.payload_extraction.payload import TEXT, quoted
from errlint.fix.raising.imports import Known, Needed
from errlint.fix.raising.libraries import text_of
from errlint.fix.rewrite import Changes, Replacement, Step
from errlint.fix.source_file import SourceFile
from errlint.lazy import cached_property
from errlint.project.frameworks import WEB
from errlint.project.hierarchy import Exceptional
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol
from errlint.trees import walk

FAILS, MAY_FAIL = TestOutcome.FAILS, TestOutcome.MAY_FAIL

_SNAPSHOT = re.compile(r"\bsnapshot\b|\bassert_match\b")


_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")


Naming = Callable[[SourceFile, cst.CSTNode, Exceptional], Known]
"""How a test names a class."""


@dataclass(frozen=True)
class TestedFunction:
    """A function whose errors are raised, and the error returns that were converted for that.

    Where a framework is the boundary (``is_served``), tests that call a tool as clients do get an exception as well.
    """

    sources: SourceCache
    function: FunctionSymbol
    converted: Sequence[Converted]
    naming: Naming
    is_served: bool = False

    @property
    def name(self) -> str:
        """What people call the function: one that is defined in another by its last name."""
        symbol = self.function
        is_inner = is_local(self.sources.project, symbol.path, symbol.function)
        return symbol.function.name.rpartition(".")[2] if is_inner else symbol.function.name

    @cached_property
    def errors(self) -> Errors:
        """What the converted errors look like."""
        payloads = [item.answered for item in self.converted]
        keys = {key for item in payloads for key in (item.key, *item.other_keys, *dict(item.markers))}
        parsed = self.sources.files.parse(self.function.path)
        node = definition(parsed, self.function.function.name)
        tree = parsed.as_ast(node) if node is not None else None
        said = {text for item in self.converted for text in _said(item)}
        has_texts = any(map(_may_have_text, self.answers))
        own = [text for text in literal(tree) if text not in said] if has_texts and tree is not None else []
        is_open = any(item.is_part or item.is_open for item in payloads) or hands_on(self.sources, self.function)
        return Errors(
            [_message(item) for item in self.converted],
            None if is_open else keys,
            all(item.shape == TEXT for item in payloads),
            own,
            not any(_may_be_error(found) for found in self.answers),
            any(item.is_nested and not item.above and item.key not in WIRE for item in payloads),
            not has_texts,
        )

    @cached_property
    def answers(self) -> tuple[AbstractAnswer, ...]:
        """All that the function still answers."""
        return tuple(answers(self.sources, self.function))

    @cached_property
    def answered(self) -> tuple[AbstractAnswer, ...]:
        """What each converted error return answered."""
        return tuple(answer_of(self.sources, item) for item in self.converted)


def rewritten(tested: TestedFunction) -> Iterator[Step]:
    """Yield the changes of each test that uses a function, with what is in doubt."""
    function = tested.function.function
    short = function.name.rpartition(".")[2]
    files = tested.sources.files
    for path, text in files.tests(tested.function.path).items():
        with suppress(Refusal):
            for line in listings(tested.sources, path, tested.function):
                yield (
                    path,
                    Changes(),
                    (Doubt("a test goes through all functions of a module", path, line, test=MAY_FAIL),),
                )
        if not may_name(files, path, tested.function, by_clients=tested.is_served):
            continue
        try:
            parsed = files.parse(path)
        except Refusal:
            found = re.search(rf"\b{re.escape(short)}\b", text)
            first = text.count("\n", 0, found.start()) + 1 if found is not None else 1
            yield path, Changes(), (_unknown(tested, path, first),)
            continue
        yield from _in_test(tested, parsed, short)


def pieces_of(item: Converted) -> tuple[str, ...]:
    """Return the literal pieces of the text of an error."""
    message = expression_of(item.payload.message)
    return literal(message) if message is not None else ()


def _message(item: Converted) -> tuple[str, ...]:
    """Return the literal pieces of the text of an error, and "" where anything may stand."""
    is_whole = isinstance(expression_of(item.payload.message), ast.Constant)
    return (*pieces_of(item), *([] if is_whole else [""]))


def _said(item: Converted) -> Iterator[str]:
    """Yield all texts of an error that is answered."""
    payload = item.answered
    whole = item.node.value if isinstance(item.node, cst.Return) else None
    for node in (payload.message, *(value for _, value in (*payload.codes, *payload.others)), whole):
        value = expression_of(node) if node is not None else None
        yield from literal(value) if value is not None else ()


def answered_texts(tested: TestedFunction) -> tuple[str, ...]:
    """Return the literal pieces of the errors that were answered as texts; "" for one that has none."""
    found: list[str] = []
    for item in tested.converted:
        if item.payload.shape:
            found.extend(pieces_of(item) or [""])
    return tuple(dict.fromkeys(found))


def _unknown(tested: TestedFunction, path: str, line: int) -> Doubt:
    name = tested.name
    return Doubt(f"a test uses `{name}`, and would get an exception from it", path, line, test=MAY_FAIL)


def _in_test(tested: TestedFunction, parsed: SourceFile, short: str) -> Iterator[Step]:
    stands_in = stand_in(parsed, short)
    if stands_in:
        text = f"a test lets something else answer an error for `{tested.name}`"
        yield parsed.path, Changes(), (Doubt(text, parsed.path, stands_in, test=MAY_FAIL),)
    project, symbol = tested.sources.project, tested.function
    decorator = in_between(project, tested.sources.files, symbol)
    for node in mentions(parsed, symbol):
        if is_stood_in_for(parsed, node):
            continue
        use = use_of(parsed, node) if not decorator else None
        function = parsed.function(node)
        is_meant = refers_to(tested.sources, parsed, symbol, node)
        found = None
        if is_meant and use is not None and function is not None:
            try:
                found = _of_use(tested, parsed, use, function)
            except Refusal as refusal:  # of this test: the fix goes on
                place = parsed.path, refusal.doubt.line or parsed.line(node)
                yield parsed.path, Changes(), (Doubt(refusal.doubt.text, *place, test=FAILS),)
                continue
        if found is None:
            if is_meant or may_mean(tested.sources, parsed, symbol, node):
                yield parsed.path, Changes(), _asking(tested, parsed, node)
            elif not cannot_mean(tested.sources, parsed, symbol, node):
                yield parsed.path, Changes(), _looking(tested, parsed, node)
        elif found[0] != Changes():
            yield parsed.path, found[0], (*found[1], *_certain(tested, parsed, node))
    for told in named(tested.sources.files, parsed, symbol, by_clients=tested.is_served):
        yield (
            parsed.path,
            Changes(),
            _asking(tested, parsed, told, by_client=is_asked_by_client(tested.sources, parsed, told)),
        )
    for asked_for in looked_up(parsed, symbol):
        yield parsed.path, Changes(), _asking(tested, parsed, asked_for)


def _asking(
    tested: TestedFunction, parsed: SourceFile, node: cst.BaseExpression, *, by_client: bool = False
) -> tuple[Doubt, ...]:
    """Return the doubts about tests that may be about an error: all that do not demand what only a success has."""
    looking = _looking(tested, parsed, node)
    told = literal_value(node) if isinstance(node, cst.SimpleString) else dotted_name(node).rpartition(".")[2]
    errors = tested.errors
    test = judged(parsed, node, str(told), errors)
    if not looking and test is not None and test.demands_success():
        return ()
    outcome = MAY_FAIL if test is None else test.outcome(by_client=by_client)
    found = looking or (_unknown(tested, parsed.path, parsed.line(node)),)
    return tuple(doubt._replace(test=outcome) for doubt in found) if is_in_test(parsed, node) else found


def _may_have_text(found: AbstractAnswer) -> bool:
    """Whether a test may find a text in what a function still answers."""
    if found.entries is None and isinstance(found.expression, ast.Constant):
        return isinstance(found.expression.value, (str, bytes))
    return True


def _may_be_error(found: AbstractAnswer) -> bool:
    """Whether what a function still answers says that there is an error, or may."""
    if found.entries is None:
        return found.expression is None
    return not ERROR_KEYS.isdisjoint(found.entries) or any(
        key in SUCCESS_KEYS and isinstance(value, ast.Constant) and not value.value
        for key, value in found.entries.items()
    )


def _looking(tested: TestedFunction, parsed: SourceFile, node: cst.BaseExpression) -> tuple[Doubt, ...]:
    """Return the doubts about tests that look at an error in a way that nothing can be put in the place of."""
    lines = looked_at(parsed, node, texts=answered_texts(tested), provoked=True)
    name = tested.name
    decorator = in_between(tested.sources.project, tested.sources.files, tested.function)
    text = f"a test looks for an error of `{name}`"
    if decorator:
        text = f"a test looks for an error of `{name}`, which its decorator `{decorator}` may answer"
    return tuple(Doubt(text, parsed.path, line, test=MAY_FAIL) for line in lines)


def _certain(tested: TestedFunction, parsed: SourceFile, node: cst.BaseExpression) -> tuple[Doubt, ...]:
    """Return the doubt about a method: nothing says of which object it is."""
    if not tested.function.function.owner:
        return ()
    name = dotted_name(node)
    text = f"it cannot be told whether `{name}` of a test is `{tested.function.function.name}`"
    return (Doubt(text, parsed.path, parsed.line(node), test=MAY_FAIL),)


def _of_use(
    tested: TestedFunction, parsed: SourceFile, use: TestedCall, function: cst.FunctionDef
) -> tuple[Changes, tuple[Doubt, ...]] | None:
    """Return the changes for one use: none for a test that no error can pass, ``None`` for what is not understood.

    Raises :class:`errlint.fix.model.Refusal` for what no exception can take the place of.
    """
    subject = use.name or "_"
    claims = list(claims_of(parsed, use, subject))
    known = {
        id(item): error
        for item, error in zip(tested.converted, tested.answered, strict=True)
        if passes(claims, subject, error)
    }
    passing = [item for item in tested.converted if id(item) in known]
    if not passing:
        return Changes(), ()
    if _is_of_another(tested, claims, subject, passing):
        return Changes(), ()
    _refuse_whole(parsed, claims, subject, tested)
    if any(found.entries is None for found in known.values()):
        return None
    if not any(is_about_error(claim.test, subject, list(known.values())) for claim in claims):
        return None
    raising = _raising(tested, parsed, use, function, claims, passing, subject)
    if raising is None:
        return None
    changes, dropped = raising
    left = [found for found in tested.answers if passes(claims, subject, found)]
    if not left or _is_named(tested, claims, subject, passing, left):
        return changes, dropped
    if hands_out_errors(parsed, use.line):
        return None  # what it gets may be the error of its stand-in, which is answered as before
    text = f"this test may get its error from another answer of `{tested.name}`"
    return changes, (*dropped, Doubt(text, parsed.path, parsed.line(use.line), test=MAY_FAIL))


def _is_of_another(tested: TestedFunction, claims: Sequence[Claim], subject: str, passing: Sequence[Converted]) -> bool:
    """Whether a test names a text that an answer which stays has under its key, and no converted error says."""
    said = [text for item in passing for text in _said(item)]
    for claim in claims:
        named = named_text(claim.test, subject)
        if named is None or any(named[0] in text for text in said):
            continue
        for found in tested.answers:
            stays = found.entries.get(named[1]) if found.entries is not None else None
            if isinstance(stays, ast.Constant) and isinstance(stays.value, str) and named[0] in stays.value:
                return True
    return False


def _refuse_whole(parsed: SourceFile, claims: Sequence[Claim], subject: str, tested: TestedFunction) -> None:
    """Refuse assertions about more than the error of an answer."""
    name = tested.name
    for claim in claims:
        line = parsed.line(claim.line)
        is_snapshot = any(map(_SNAPSHOT.search, parsed.rows(claim.line)))
        whole = compared_whole(claim.test, subject)
        if is_snapshot or (whole is not None and not entries_of(whole)):
            raise refuse(f"a test compares the whole answer of `{name}`", parsed.path, line)


def _is_named(
    tested: TestedFunction,
    claims: Sequence[Claim],
    subject: str,
    passing: Sequence[Converted],
    left: Sequence[AbstractAnswer],
) -> bool:
    """Whether a test names the text of one converted error, so that it is not about another answer."""
    for claim in claims:
        named = named_text(claim.test, subject)
        if named is None or len(passing) != 1 or any(item.expression is not None for item in left):
            continue
        message = passing[0].payload.message
        text = message.evaluated_value if isinstance(message, (cst.SimpleString, cst.ConcatenatedString)) else None
        if isinstance(text, str) and named == (text, passing[0].payload.key):
            return _is_written_once(tested, text)
    return False


def _is_written_once(tested: TestedFunction, text: str) -> bool:
    """Whether the function has a text in one place only: what is not understood of it may answer the other."""
    parsed = tested.sources.files.parse(tested.function.path)
    node = definition(parsed, tested.function.function.name)
    tree = parsed.as_ast(node) if node is not None else None
    return tree is not None and sum(text in each for each in literal(tree)) == 1


def _raising(
    tested: TestedFunction,
    parsed: SourceFile,
    use: TestedCall,
    function: cst.FunctionDef,
    claims: Sequence[Claim],
    passing: Sequence[Converted],
    subject: str,
) -> tuple[Changes, tuple[Doubt, ...]] | None:
    """Return the changes that expect an exception instead of a payload, ``None`` where that cannot be said."""
    symbol = _class(tested, passing)
    keys = {item.payload.key for item in passing}
    is_web = isinstance(symbol, ExternalSymbol) and symbol.name in {item.error for item in WEB}
    if is_web and any(item.payload.other_keys for item in passing):
        return None  # its detail may be a dict
    if symbol is None or len(keys) > 1 or any(item.payload.is_nested or item.payload.shape for item in passing):
        return None
    (key,) = keys
    text, rest, dropped = _sorted_out(tested, parsed, claims, subject, passing)
    lines = list(dict.fromkeys(claim.line for claim in claims))
    is_unittest = all(claim.is_unittest for claim in claims)
    if rest and (not use.name or "caught" in set(names_below(function))):
        return None
    kept = {line: _about_exception(parsed, line, use.name, key, symbol, is_unittest=is_unittest) for line in rest}
    if None in kept.values() or (use.name and _is_read_elsewhere(parsed, use, function, lines)):
        return None
    known = tested.naming(parsed, use.line, symbol)
    needed = [known.needed] if known.needed is not None else []
    own = tested.sources.project.layout.packages
    header = f"pytest.raises({known.name})"
    if is_unittest:
        header = f"self.assertRaises({known.name})"
    else:
        needed.append(Needed("pytest", "", own))
    if text is not None:
        is_special = bool(_SPECIAL.search(text))
        pattern = f"re.escape({quoted(text)})" if is_special else quoted(text)
        header = (
            f"self.assertRaisesRegex({known.name}, {pattern})" if is_unittest else f"{header[:-1]}, match={pattern})"
        )
        needed.extend([Needed("re", "", own)] if is_special else [])
    alias = " as caught" if rest else ""
    call = cst.IndentedBlock([cst.SimpleStatementLine([cst.Expr(use.call)])])
    replaced = [Replacement(use.line, f"with {header}{alias}:{parsed.code(call)}")]
    if use.name:
        replaced.extend(Replacement(line, kept.get(line) or "") for line in lines if _is_statement(line))
    return Changes(imports=tuple(needed), replaced=tuple(replaced)), dropped


def _is_statement(line: cst.BaseStatement) -> TypeGuard[BlockStatement]:
    return isinstance(line, (cst.SimpleStatementLine, cst.BaseCompoundStatement))


def _sorted_out(
    tested: TestedFunction, parsed: SourceFile, claims: Sequence[Claim], subject: str, passing: Sequence[Converted]
) -> tuple[str | None, list[cst.BaseStatement], tuple[Doubt, ...]]:
    """Return the text that a test expects, the lines with assertions about more, and doubts about those that go.

    What it asserts of other keys of the payload goes: an exception has none. Raises
    :class:`errlint.fix.model.Refusal` for assertions about keys that the payload has not.
    """
    key = passing[0].payload.key
    lost = set.intersection(*({*dict(item.payload.markers), *item.payload.other_keys} for item in passing))
    text: str | None = None
    rest: list[cst.BaseStatement] = []
    doubts: dict[str, Doubt] = {}
    name = tested.name
    for claim in claims:
        line = parsed.line(claim.line)
        whole = compared_whole(claim.test, subject)
        entries = (entries_of(whole) if whole is not None else None) or {}
        said = entries.get(key)
        named = named_text(claim.test, subject)
        if isinstance(said, ast.Constant) and isinstance(said.value, str):
            named = (said.value, key)
        if named is not None and named[1] == key and text in (None, named[0]):
            text = named[0]
            others = entries.keys() - {key}
        elif entries:
            raise refuse(f"a test compares the whole answer of `{name}`", parsed.path, line)
        elif says_only_error(claim.test, subject):
            continue
        else:
            asked_for = (asked(node, subject)[0] for node in walk(claim.test))
            others = {other for other in asked_for if other not in (None, key)}
            if others - lost:
                raise refuse(f"a test reads `{min(others - lost)}` of an error of `{name}`", parsed.path, line)
            if not others:
                rest.append(claim.line)
        for other in sorted(others):
            told = f"what a test asserts of `{other}` of an error of `{name}` goes: an exception has no such key"
            doubts.setdefault(other, Doubt(told, parsed.path, line))
    return text, rest, tuple(doubts.values())


def _is_read_elsewhere(
    parsed: SourceFile, use: TestedCall, function: cst.FunctionDef, lines: Sequence[cst.BaseStatement]
) -> bool:
    """Whether a test speaks of a result in other statements than those that change."""
    own = sum(mentions_of(line, use.name) for line in lines)
    if sum(mentions_of(line, use.name) for line in lines_behind(parsed, use)) > own:
        return True
    is_bound_once = sum(
        isinstance(node, cst.AssignTarget) and use.name in set(names_below(node)) for node in all_below(function)
    )
    return is_bound_once == 1 and mentions_of(function, use.name) > own + mentions_of(use.line, use.name)


def _about_exception(
    parsed: SourceFile,
    line: cst.BaseStatement,
    name: str,
    key: str,
    symbol: Exceptional,
    *,
    is_unittest: bool,
) -> str | None:
    """Return a line about the text of an error as one about the exception, ``None`` where it is about more."""
    exception = "caught.exception" if is_unittest else "caught.value"
    read = Reading(name, exception, text_of(exception, [symbol]))
    changed = line.visit(read)
    if not isinstance(changed, cst.SimpleStatementLine) or name in set(names_below(changed)) or read.paths != {(key,)}:
        return None
    return parsed.code(changed.with_changes(leading_lines=()))


def _class(tested: TestedFunction, passing: Sequence[Converted]) -> Exceptional | None:
    """Return the class that a test expects: the one of its errors, or what they all are."""
    symbols = list(dict.fromkeys(item.symbol for item in passing))
    if len(symbols) == 1 and isinstance(symbols[0], ExternalSymbol):
        return symbols[0]
    lines: list[tuple[ClassSymbol, ...]] = []
    for symbol in symbols:
        if isinstance(symbol, ExternalSymbol):
            return None
        lines.append(tested.sources.project.hierarchy.bases(symbol))
    return next((base for base in lines[0] if all(base in line for line in lines)), None)
