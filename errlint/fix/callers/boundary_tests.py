"""Tests of a function with a boundary: what they read of its errors, which the boundary answers from now on."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

import libcst as cst

from errlint.fix.callers.abstract_values import (
    AbstractAnswer,
    definition,
    returns,
)
from errlint.fix.callers.caller_rewrites import answer_of
from errlint.fix.callers.mentions import is_registered, looked_up, may_mean, may_name, mentions, named, refers_to
from errlint.fix.callers.payload_checks_in_tests import (
    LEAST,
    compared,
    is_in_test,
    keys_read,
    literal,
    looked_at,
    texts_of,
)
from errlint.fix.callers.test_assertions import (
    claims_of,
    compared_whole,
    is_about_error,
    is_read_whole,
    keys_of,
    outcome_of,
    passes,
    use_of,
)
from errlint.fix.callers.test_rewrites import TestedFunction, answered_texts, pieces_of
from errlint.fix.callers.text_assertions import asked_below, asserted
from errlint.fix.model import Doubt, TestOutcome
from errlint.fix.nodes import expression_of
from errlint.fix.payload_extraction.payload import TEXT
from errlint.fix.rewrite import Changes, Step
from errlint.fix.source_file import SourceFile

_AN_ERROR = "an error"
"""What a test reads that looks for an error in a way that has no key."""


def reread(tested: TestedFunction, keys: Collection[str] | None, below: str) -> Iterator[Step]:
    """Yield the changes of tests of a function with a boundary that assert something of a text it answered.

    ``keys`` are those that an error had and the boundary's answer has not, ``None`` where that is no object of keys.
    ``below`` is the key that has the text in the boundary's answer, "" for none. A test that reads something else
    that the boundary's answer does not have is left as it is, in doubt.
    """
    name = tested.name
    errors = [pieces_of(item) for item in tested.converted if item.payload.shape == TEXT]
    others = list(_left(tested)) if errors and below else []
    for parsed, node in _mentioned(tested):
        is_meant = isinstance(node, cst.SimpleString) or refers_to(tested.sources, parsed, tested.function, node)
        if not is_meant and not may_mean(tested.sources, parsed, tested.function, node):
            continue
        is_asked = is_meant and errors and below
        changed = _asserted_below(parsed, node, below, errors, others) if is_asked else None
        if changed is not None:
            text = f"this test may get its text from another answer of `{name}`"
            yield parsed.path, changed, (Doubt(text, parsed.path, parsed.line(node), test=TestOutcome.MAY_FAIL),)
            continue
        key, line = _read(tested, parsed, node, keys)
        if key:
            text = f"a test reads {key} of the answer of `{name}`, which `envelope` does not have"
            if key == _AN_ERROR:
                text = f"a test looks for an error of `{name}`, which has another form from now on"
                if errors:
                    text = f"a test looks for a text that `{name}` answered"
            yield parsed.path, Changes(), (Doubt(text, parsed.path, line, test=TestOutcome.MAY_FAIL),)
        elif keys and use_of(parsed, node) is None and is_in_test(parsed, node):
            for told, at in compared(parsed, node, _constants(tested, keys)):
                text = f"a test may read `{told}` of an error of `{name}`, which `envelope` does not have"
                yield parsed.path, Changes(), (Doubt(text, parsed.path, at, test=TestOutcome.MAY_FAIL),)


def _constants(tested: TestedFunction, keys: Collection[str]) -> dict[str, set[object]]:
    """Return the constants that errors had below some keys."""
    found: dict[str, set[object]] = {}
    for item in tested.converted:
        for key, value in (answer_of(tested.sources, item).entries or {}).items():
            if key in keys and isinstance(value, ast.Constant):
                found.setdefault(key, set()).add(value.value)
    return found


def _asserted_below(
    parsed: SourceFile,
    node: cst.BaseExpression,
    key: str,
    errors: Sequence[tuple[str, ...]],
    others: Sequence[tuple[str, ...]],
) -> Changes | None:
    """Return the changes by which a test asserts of a key what it did of a text, ``None`` for any other test.

    ``errors`` and ``others`` are the literal pieces of the errors and of what else the function answers.
    """
    use = use_of(parsed, node)
    tests = asserted(parsed, use.line, use.name) if use is not None and is_in_test(parsed, node) else None
    if use is None or tests is None:
        return None
    asked = [text for test in tests for text in texts_of(test)]
    if not asked or any(_has(pieces, asked) for pieces in others):
        return None
    return asked_below(parsed, tests, use.name, key) if any(_has(pieces, asked) for pieces in errors) else None


def _has(pieces: Sequence[str], asked: Sequence[str]) -> bool:
    """Whether a text with some literal pieces may have all that is looked for, whatever the case.

    What is looked for may be part of a piece, or begin with the first one and go on with what is filled in.
    """
    known = [piece.casefold() for piece in pieces]
    first = known[0] if known and len(known[0]) >= LEAST else None
    return all(
        any(text in piece for piece in known) or (first is not None and text.startswith(first))
        for text in map(str.casefold, asked)
    )


def _left(tested: TestedFunction) -> Iterator[tuple[str, ...]]:
    """Yield the literal pieces of what a function returns besides the converted errors."""
    node = definition(tested.sources.files.parse(tested.function.path), tested.function.function.name)
    for found in returns(node) if node is not None else ():
        value = (
            expression_of(found.value) if found.value is not None and found not in tested.sources.converted else None
        )
        if value is not None:
            yield literal(value)


def _mentioned(tested: TestedFunction) -> Iterator[tuple[SourceFile, cst.BaseExpression]]:
    """Yield where tests may mean a function: its name, and texts with that, also those that clients call it by."""
    symbol = tested.function
    for path in tested.sources.files.tests(symbol.path):
        if may_name(tested.sources.files, path, symbol, by_clients=True):
            parsed = tested.sources.files.parse(path)
            yield from ((parsed, node) for node in mentions(parsed, symbol) if not is_registered(parsed, node))
            yield from (
                (parsed, node)
                for node in (*named(tested.sources.files, parsed, symbol, by_clients=True), *looked_up(parsed, symbol))
            )


def _read(
    tested: TestedFunction, parsed: SourceFile, node: cst.BaseExpression, keys: Collection[str] | None
) -> tuple[str, int]:
    """Return what a test reads of an error that the boundary's answer has not, with its line; "" for nothing."""
    texts = answered_texts(tested)
    use = use_of(parsed, node)
    if use is None or texts or not is_in_test(parsed, node):
        line = min(looked_at(parsed, node, texts=texts), default=0)
        if not line or keys is None:
            return (_AN_ERROR if line else "", line)
        return next(((f"`{key}`", at) for key, at in keys_read(parsed, node, keys)), ("", 0))
    subject = use.name or "_"
    claims = list(claims_of(parsed, use, subject))
    known = [each for item in tested.converted if passes(claims, subject, each := answer_of(tested.sources, item))]
    is_whole = any(each.entries is not None for each in known)
    is_error = bool(known) and any(is_about_error(claim.test, subject, known) for claim in claims)
    for claim in claims:
        line = parsed.line(claim.line)
        if is_whole and compared_whole(claim.test, subject) is not None:
            return "the whole", line
        if is_error and keys is None:
            return _AN_ERROR, line
        found = [key for key in keys_of(claim.test, subject) if keys and key in keys]
        if is_error and found:
            return f"`{found[0]}`", line
    return "", 0


def gained(tested: TestedFunction, keys: Collection[str]) -> Iterator[Doubt]:
    """Yield the tests of a function with a boundary that may notice the ``keys`` which the boundary's answer has.

    They look at all of an error, or for a key that should not be there.
    """
    symbol = tested.function
    text = f"a test of `{symbol.function.name}` may notice the keys that the boundary adds to an error"
    for parsed, node in _mentioned(tested):
        is_meant = any(asks(tested.sources, parsed, symbol, node) for asks in (refers_to, may_mean))
        use = use_of(parsed, node) if is_meant else None
        if use is None:
            continue
        subject = use.name or "_"
        claims = list(claims_of(parsed, use, subject))
        for error in (
            found for item in tested.converted if passes(claims, subject, found := answer_of(tested.sources, item))
        ):
            entries = {key: (error.entries or {}).get(key, ast.Name("value")) for key in keys}
            after = AbstractAnswer(ast.Dict([], []), entries)
            for claim in claims:
                if is_read_whole(claim.test, subject) or outcome_of(claim.test, subject, after) is False:
                    yield Doubt(text, parsed.path, parsed.line(claim.line), test=TestOutcome.MAY_FAIL)
