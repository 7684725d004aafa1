"""Tests of a function that raises from now on: what they assert of its errors becomes a ``pytest.raises``.

A test that no error can have passed stays as it is. What stands for the function there and answers errors, and
whole answers that are compared, refuse the fix; what is not understood leaves it in doubt.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple, TypeGuard

import libcst as cst

from errlint.collect.expressions import all_below, dotted_name, names_below
from errlint.fix.forms.payload import TEXT
from errlint.fix.model import Doubt, Refusal, refuse
from errlint.fix.parsed import Parsed, expression_of
from errlint.fix.raising.imports import Known, Needed
from errlint.fix.rewrite import Changes, Replacement
from errlint.fix.users.answered import asked_below, asserted
from errlint.fix.users.callers import Converted, Reading, answer_of
from errlint.fix.users.decorating import in_between
from errlint.fix.users.looking import LEAST, compared, is_in_test, keys_read, literal, looked_at, texts_of
from errlint.fix.users.mentions import is_registered, may_mean, means, mentions, named
from errlint.fix.users.standins import stand_in
from errlint.fix.users.verdicts import (
    Answer,
    Sources,
    Unreadable,
    answer,
    answers,
    asked,
    definition,
    fails,
    returns,
    verdict,
)
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol
from errlint.words import ERROR_KEYS, MESSAGE_KEYS, STATUS_KEYS, SUCCESS_KEYS

_SNAPSHOT = re.compile(r"\bsnapshot\b|\bassert_match\b")
_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")

Naming = Callable[[Parsed, cst.CSTNode, ClassSymbol], Known]
"""How a test names a class."""


class Tested(NamedTuple):
    """A function whose errors are raised, and the error returns that were converted for that."""

    sources: Sources
    function: FunctionSymbol
    converted: Sequence[Converted]
    naming: Naming


_AN_ERROR = "an error"
"""What a test reads that looks for an error in a way that has no key."""


class _Use(NamedTuple):
    """A call of the function in a test: its line, the call with its ``await``, and the name of the result or ""."""

    line: cst.SimpleStatementLine
    call: cst.BaseExpression
    name: str


def rewritten(tested: Tested) -> Iterator[tuple[str, Changes, tuple[Doubt, ...]]]:
    """Yield the changes of each test that uses a function, with what is in doubt.

    Raises :class:`errlint.fix.model.Refusal` for what no exception can take the place of.
    """
    function = tested.function.function
    short = function.name.rpartition(".")[2]
    pattern = re.compile(rf"\b{re.escape(short)}\b")
    for path, text in tested.sources.files.tests(tested.function.path).items():
        found = pattern.search(text)
        if found is None:
            continue
        first = text.count("\n", 0, found.start()) + 1
        try:
            parsed = tested.sources.files.parse(path)
        except Refusal:
            yield path, Changes(), (_unknown(tested, path, first),)
            continue
        yield from _in_test(tested, parsed, short)


def reread(
    tested: Tested, keys: Collection[str] | None, below: str
) -> Iterator[tuple[str, Changes, tuple[Doubt, ...]]]:
    """Yield the changes of tests of a function with a boundary that assert something of a text it answered.

    ``keys`` are those that an error had and the boundary's answer has not, ``None`` where that is no object of keys.
    ``below`` is the key that has the text in the boundary's answer, "" for none. Raises
    :class:`errlint.fix.model.Refusal` where a test reads something else that the boundary's answer does not have.
    """
    name = tested.function.function.name
    errors = [_pieces(item) for item in tested.converted if item.payload.shape == TEXT]
    others = list(_left(tested)) if errors and below else []
    for parsed, node in _mentioned(tested):
        is_meant = isinstance(node, cst.SimpleString) or means(tested.sources, parsed, tested.function, node)
        if not is_meant and not may_mean(tested.sources, parsed, tested.function, node):
            continue
        is_asked = is_meant and errors and below
        changed = _asserted_below(parsed, node, below, errors, others) if is_asked else None
        if changed is not None:
            text = f"this test may get its text from another answer of `{name}`"
            yield parsed.path, changed, (Doubt(text, parsed.path, parsed.line(node)),)
            continue
        key, line = _read(tested, parsed, node, keys)
        if key == _AN_ERROR and errors:
            raise refuse(f"a test looks for a text that `{name}` answered, and is not understood", parsed.path, line)
        if key == _AN_ERROR:
            raise refuse(
                f"a test looks for an error of `{name}`, which has another form from now on", parsed.path, line
            )
        if key:
            raise refuse(
                f"a test reads {key} of the answer of `{name}`, which `envelope` does not have", parsed.path, line
            )
        if keys and _use(parsed, node) is None and is_in_test(parsed, node):
            for told, at in compared(parsed, node, _constants(tested, keys)):
                text = f"a test may read `{told}` of an error of `{name}`, which `envelope` does not have"
                yield parsed.path, Changes(), (Doubt(text, parsed.path, at),)


def _constants(tested: Tested, keys: Collection[str]) -> dict[str, set[object]]:
    """Return the constants that errors had below some keys."""
    found: dict[str, set[object]] = {}
    for item in tested.converted:
        for key, value in (answer_of(item).entries or {}).items():
            if key in keys and isinstance(value, ast.Constant):
                found.setdefault(key, set()).add(value.value)
    return found


def _asserted_below(
    parsed: Parsed,
    node: cst.BaseExpression,
    key: str,
    errors: Sequence[tuple[str, ...]],
    others: Sequence[tuple[str, ...]],
) -> Changes | None:
    """Return the changes by which a test asserts of a key what it did of a text, ``None`` for any other test.

    ``errors`` and ``others`` are the literal pieces of the errors and of what else the function answers.
    """
    use = _use(parsed, node)
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


def _left(tested: Tested) -> Iterator[tuple[str, ...]]:
    """Yield the literal pieces of what a function returns besides the converted errors."""
    node = definition(tested.sources.files.parse(tested.function.path), tested.function.function.name)
    for found in returns(node) if node is not None else ():
        value = (
            expression_of(found.value) if found.value is not None and found not in tested.sources.converted else None
        )
        if value is not None:
            yield literal(value)


def _pieces(item: Converted) -> tuple[str, ...]:
    """Return the literal pieces of the text of an error."""
    message = expression_of(item.payload.message)
    return literal(message) if message is not None else ()


def _texts(tested: Tested) -> tuple[str, ...]:
    """Return the literal pieces of the errors that were answered as texts; "" for one that has none."""
    found: list[str] = []
    for item in tested.converted:
        if item.payload.shape:
            found.extend(_pieces(item) or [""])
    return tuple(dict.fromkeys(found))


def _mentioned(tested: Tested) -> Iterator[tuple[Parsed, cst.BaseExpression]]:
    """Yield where tests may mean a function: its name, and texts with that, also those that clients call it by."""
    symbol = tested.function
    pattern = re.compile(rf"(?:\b|_){re.escape(symbol.function.name.rpartition('.')[2])}\b")
    for path, text in tested.sources.files.tests(symbol.path).items():
        if pattern.search(text):
            parsed = tested.sources.files.parse(path)
            yield from ((parsed, node) for node in mentions(parsed, symbol) if not is_registered(parsed, node))
            yield from ((parsed, node) for node in named(parsed, symbol, by_clients=True))


def _read(tested: Tested, parsed: Parsed, node: cst.BaseExpression, keys: Collection[str] | None) -> tuple[str, int]:
    """Return what a test reads of an error that the boundary's answer has not, with its line; "" for nothing."""
    texts = _texts(tested)
    use = _use(parsed, node)
    if use is None or texts or not is_in_test(parsed, node):
        line = looked_at(parsed, node, texts=texts)
        if not line or keys is None:
            return (_AN_ERROR if line else "", line)
        return next(((f"`{key}`", at) for key, at in keys_read(parsed, node, keys)), ("", 0))
    subject = use.name or "_"
    claims = list(_claims(parsed, use, subject))
    known = [each for item in tested.converted if _passes(claims, subject, each := answer_of(item))]
    is_whole = any(each.entries is not None for each in known)
    is_error = bool(known) and any(_is_about_error(claim.test, subject, known) for claim in claims)
    for claim in claims:
        line = parsed.line(claim.line)
        if is_whole and _compared_whole(claim.test, subject) is not None:
            return "the whole", line
        if is_error and keys is None:
            return _AN_ERROR, line
        found = [key for key in _keys(claim.test, subject) if keys and key in keys]
        if is_error and found:
            return f"`{found[0]}`", line
    return "", 0


def gained(tested: Tested, keys: Collection[str]) -> Iterator[Doubt]:
    """Yield the tests of a function with a boundary that may notice the ``keys`` which the boundary's answer has.

    They look at all of an error, or for a key that should not be there.
    """
    symbol = tested.function
    text = f"a test of `{symbol.function.name}` may notice the keys that the boundary adds to an error"
    for parsed, node in _mentioned(tested):
        is_meant = any(asks(tested.sources, parsed, symbol, node) for asks in (means, may_mean))
        use = _use(parsed, node) if is_meant else None
        if use is None:
            continue
        subject = use.name or "_"
        claims = list(_claims(parsed, use, subject))
        for error in (found for item in tested.converted if _passes(claims, subject, found := answer_of(item))):
            entries = {key: (error.entries or {}).get(key, ast.Name("value")) for key in keys}
            after = Answer(ast.Dict([], []), entries)
            for claim in claims:
                if _is_read_whole(claim.test, subject) or _outcome(claim.test, subject, after) is False:
                    yield Doubt(text, parsed.path, parsed.line(claim.line))


def _is_read_whole(test: ast.expr, subject: str) -> bool:
    """Whether an assertion looks at more of an answer than at single keys of it."""
    parts = {id(test)}
    for node in ast.walk(test):
        if isinstance(node, ast.Subscript):
            parts.add(id(node.value))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            parts.add(id(node.func.value))
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance" and node.args:
            parts.add(id(node.args[0]))
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            parts.add(id(node.comparators[0]))
        elif isinstance(node, ast.Compare) and isinstance(node.comparators[0], ast.Constant):
            parts.add(id(node.left))
        elif isinstance(node, ast.UnaryOp):
            parts.add(id(node.operand))
        elif isinstance(node, ast.BoolOp):
            parts.update(map(id, node.values))
    return any(isinstance(node, ast.Name) and node.id == subject and id(node) not in parts for node in ast.walk(test))


def _unknown(tested: Tested, path: str, line: int) -> Doubt:
    name = tested.function.function.name
    return Doubt(f"a test uses `{name}`, and would get an exception from it", path, line)


def _in_test(tested: Tested, parsed: Parsed, short: str) -> Iterator[tuple[str, Changes, tuple[Doubt, ...]]]:
    _refuse_stand_ins(tested, parsed, short)
    project, symbol = tested.sources.project, tested.function
    decorator = in_between(project, tested.sources.files.parse, symbol)
    for node in mentions(parsed, symbol):
        use = _use(parsed, node) if not decorator else None
        function = parsed.function(node)
        is_meant = means(tested.sources, parsed, symbol, node)
        found = (
            _of_use(tested, parsed, use, function) if is_meant and use is not None and function is not None else None
        )
        if found is None:
            if is_meant or may_mean(tested.sources, parsed, symbol, node):
                _refuse_looking(tested, parsed, node)
            yield parsed.path, Changes(), (_unknown(tested, parsed.path, parsed.line(node)),)
        elif found[0] != Changes():
            yield parsed.path, found[0], (*found[1], *_certain(tested, parsed, node))
    for text in named(parsed, symbol):
        _refuse_looking(tested, parsed, text)


def _refuse_looking(tested: Tested, parsed: Parsed, node: cst.BaseExpression) -> None:
    """Refuse a test that looks at an error in a way that nothing can be put in the place of."""
    line = looked_at(parsed, node, texts=_texts(tested))
    if line:
        name = tested.function.function.name
        decorator = in_between(tested.sources.project, tested.sources.files.parse, tested.function)
        text = f"a test looks for an error of `{name}`, and is not understood"
        if decorator:
            text = f"a test looks for an error of `{name}`, which its decorator `{decorator}` may answer"
        raise refuse(text, parsed.path, line)


def _certain(tested: Tested, parsed: Parsed, node: cst.BaseExpression) -> tuple[Doubt, ...]:
    """Return the doubt about a method: nothing says of which object it is."""
    if not tested.function.function.owner:
        return ()
    name = dotted_name(node)
    text = f"it cannot be told whether `{name}` of a test is `{tested.function.function.name}`"
    return (Doubt(text, parsed.path, parsed.line(node)),)


# --- where it is used -----------------------------------------------------------------------------------------------


def _use(parsed: Parsed, node: cst.BaseExpression) -> _Use | None:
    """Return the call that a name stands in, where that is the value of an assignment or part of an assertion."""
    call: cst.BaseExpression | None = None
    name = ""
    for parent, child in parsed.around(node):
        if call is None:
            if not isinstance(parent, cst.Call) or parent.func is not child:
                return None
            call = parent
        elif isinstance(parent, cst.Await) and child is call:
            call = parent
        elif isinstance(parent, (cst.Assign, cst.AnnAssign)):
            targets = parent.targets if isinstance(parent, cst.Assign) else ()
            target = targets[0].target if len(targets) == 1 else getattr(parent, "target", None)
            if child is not call or not isinstance(target, cst.Name):
                return None
            name = target.value
        elif isinstance(parent, cst.SimpleStatementLine):
            return _Use(parent, call, name) if len(parent.body) == 1 else None
        elif isinstance(parent, (cst.BaseCompoundStatement, cst.Lambda)):
            return None
    return None


def _refuse_stand_ins(tested: Tested, parsed: Parsed, short: str) -> None:
    """Refuse what a test puts in the place of the function and lets answer an error."""
    line = stand_in(parsed, short)
    if line:
        name = tested.function.function.name
        raise refuse(f"a test lets something else answer an error for `{name}`", parsed.path, line)


# --- what becomes of it ---------------------------------------------------------------------------------------------


class _Claim(NamedTuple):
    """What one assertion says: its test, and whether it is one of unittest."""

    line: cst.BaseStatement
    test: ast.expr
    is_unittest: bool


def _of_use(
    tested: Tested, parsed: Parsed, use: _Use, function: cst.FunctionDef
) -> tuple[Changes, tuple[Doubt, ...]] | None:
    """Return the changes for one use: none for a test that no error can pass, ``None`` for what is not understood."""
    subject = use.name or "_"
    claims = list(_claims(parsed, use, subject))
    errors = [answer_of(item) for item in tested.converted]
    passing = [item for item, error in zip(tested.converted, errors, strict=True) if _passes(claims, subject, error)]
    if not passing:
        return Changes(), ()
    _refuse_whole(parsed, claims, subject, tested)
    known = [answer_of(item) for item in passing]
    if any(found.entries is None for found in known):
        return None
    if not any(_is_about_error(claim.test, subject, known) for claim in claims):
        return None
    changes = _raising(tested, parsed, use, function, claims, passing, subject)
    left = [found for found in answers(tested.sources, tested.function) if _passes(claims, subject, found)]
    if changes is None or not left or _is_named(tested, claims, subject, passing, left):
        return None if changes is None else (changes, ())
    text = f"this test may get its error from another answer of `{tested.function.function.name}`"
    return changes, (Doubt(text, parsed.path, parsed.line(use.line)),)


def _passes(claims: Sequence[_Claim], subject: str, found: Answer) -> bool:
    """Whether an answer may pass all assertions of a test."""
    return not any(_outcome(claim.test, subject, found) is False for claim in claims)


def _outcome(test: ast.expr, subject: str, found: Answer) -> bool | None:
    if fails(test, subject, found):
        return False
    whole = _compared_whole(test, subject)
    if whole is not None and found.entries is not None:
        other = answer(whole).entries
        return False if other is not None and other.keys() != found.entries.keys() else None
    inner = _contained(test, subject)
    if inner is not None and found.entries is not None:
        value = found.entries.get(inner[1])
        text = value.value if isinstance(value, ast.Constant) else None
        if isinstance(text, str):
            return inner[0] in text
        return None
    try:
        return verdict(test, subject, found)
    except Unreadable:
        return None


def _compared_whole(test: ast.expr, subject: str) -> ast.expr | None:
    """Return what the whole answer is compared with, ``None`` where it is not."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        sides = (test.left, test.comparators[0])
        for one, other in (sides, sides[::-1]):
            if ast.unparse(one) == subject and not isinstance(other, ast.Constant):
                return other
    return None


def _contained(test: ast.expr, subject: str) -> tuple[str, str] | None:
    """Return the text that an assertion looks for in a part of the answer, and the key of that part."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.In):
        return None
    left, key = test.left, asked(test.comparators[0], subject)[0]
    if key is None or not isinstance(left, ast.Constant) or not isinstance(left.value, str):
        return None
    return left.value, key


def _equal(test: ast.expr, subject: str) -> tuple[str, str] | None:
    """Return the text that an assertion compares a part of the answer with, and the key of that part."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.Eq):
        return None
    for one, other in ((test.left, test.comparators[0]), (test.comparators[0], test.left)):
        key = asked(one, subject)[0]
        if key is not None and isinstance(other, ast.Constant) and isinstance(other.value, str):
            return other.value, key
    return None


def _claims(parsed: Parsed, use: _Use, subject: str) -> Iterator[_Claim]:
    """Yield the assertions about a result, up to where its name gets another one."""
    call = ast.unparse(expression_of(use.call) or ast.Constant(None))
    if not use.name:
        yield from _claim(parsed, use.line, call)
        return
    for line in _behind(parsed, use):
        if use.name in set(names_below(line)):
            yield from _claim(parsed, line, "")


def _behind(parsed: Parsed, use: _Use) -> Iterator[cst.BaseStatement]:
    """Yield the statements that follow a call, those behind a ``with`` around it too, while its name is not bound."""
    for parent, child in parsed.around(use.line):
        if isinstance(parent, (cst.IndentedBlock, cst.Module)):
            at = next(index for index, item in enumerate(parent.body) if item is child)
            for line in parent.body[at + 1 :]:
                if isinstance(line, cst.SimpleStatementLine) and _binds(line, use.name):
                    return
                yield line
        elif not isinstance(parent, cst.With):
            return


def _binds(line: cst.SimpleStatementLine, name: str) -> bool:
    return any(
        isinstance(target.target, cst.Name) and target.target.value == name
        for node in line.body
        if isinstance(node, cst.Assign)
        for target in node.targets
    )


_ASSERTIONS: dict[str, str] = {
    "assertIn": "{0} in {1}", "assertNotIn": "{0} not in {1}", "assertEqual": "{0} == {1}",
    "assertEquals": "{0} == {1}", "assertNotEqual": "{0} != {1}", "assertIs": "{0} is {1}",
    "assertIsNot": "{0} is not {1}", "assertTrue": "{0}", "assertFalse": "not ({0})",
    "assertIsNone": "{0} is None", "assertIsNotNone": "{0} is not None", "assertIsInstance": "isinstance({0}, {1})",
    "assertDictEqual": "{0} == {1}",
}  # fmt: skip
"""What the assertions of unittest say, as tests."""


def _claim(parsed: Parsed, line: cst.BaseStatement, call: str) -> Iterator[_Claim]:
    """Yield what a line asserts, a test of something unknown where it is no assertion; ``call`` is the result."""
    is_line = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
    node = line.body[0] if is_line and isinstance(line, cst.SimpleStatementLine) else None
    test: ast.expr | None = None
    is_unittest = False
    if isinstance(node, cst.Assert):
        test = expression_of(node.test)
    elif isinstance(node, cst.Expr) and isinstance(node.value, cst.Call):
        made = expression_of(node.value)
        assert isinstance(made, ast.Call)
        name = ast.unparse(made.func)
        shape = _ASSERTIONS.get(name.removeprefix("self."))
        if shape is not None and name.startswith("self.") and len(made.args) >= 1 + ("{1}" in shape):
            is_unittest = True
            test = ast.parse(shape.format(*(f"({ast.unparse(item)})" for item in made.args)), mode="eval").body
    if test is None:
        test = ast.Call(ast.Name("unknown", ast.Load()), [], [])
    for each in _parts(test):
        yield _Claim(line, _with_result(each, call) if call else each, is_unittest)


def _parts(test: ast.expr) -> Iterator[ast.expr]:
    """Yield the tests that ``and`` joins."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for item in test.values:
            yield from _parts(item)
    else:
        yield test


def _with_result(test: ast.expr, call: str) -> ast.expr:
    """Return a test with a name in the place of the call."""

    class Replacing(ast.NodeTransformer):
        def generic_visit(self, node: ast.AST) -> ast.AST:
            if isinstance(node, (ast.Call, ast.Await)) and ast.unparse(node) == call:
                return ast.Name("_", ast.Load())
            return super().generic_visit(node)

    found = Replacing().visit(test)
    assert isinstance(found, ast.expr)
    return found


def _is_about_error(test: ast.expr, subject: str, errors: Sequence[Answer]) -> bool:
    """Whether an assertion says that there is an error: no answer without one passes it."""
    keys = set(_keys(test, subject))
    if keys & (ERROR_KEYS | MESSAGE_KEYS):
        return _outcome(test, subject, answer(ast.Dict([], []))) is not True
    return bool(keys & (SUCCESS_KEYS | STATUS_KEYS)) and all(_outcome(test, subject, found) for found in errors)


def _keys(test: ast.expr, subject: str) -> Iterator[str]:
    """Yield the keys of an answer that an assertion speaks of."""
    for node in ast.walk(test):
        key = asked(node, subject)[0] if isinstance(node, ast.expr) else None
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In) and isinstance(node.left, ast.Constant):
            key = str(node.left.value) if ast.unparse(node.comparators[0]) == subject else key
        if key is not None:
            yield key


def _refuse_whole(parsed: Parsed, claims: Sequence[_Claim], subject: str, tested: Tested) -> None:
    """Refuse assertions about more than the error of an answer."""
    name = tested.function.function.name
    for claim in claims:
        line = parsed.line(claim.line)
        is_snapshot = bool(_SNAPSHOT.search(parsed.code(claim.line)))
        if _compared_whole(claim.test, subject) is not None or is_snapshot:
            raise refuse(f"a test compares the whole answer of `{name}`", parsed.path, line)


def _is_named(
    tested: Tested, claims: Sequence[_Claim], subject: str, passing: Sequence[Converted], left: Sequence[Answer]
) -> bool:
    """Whether a test names the text of one converted error, so that it is not about another answer."""
    for claim in claims:
        named = _equal(claim.test, subject) or _contained(claim.test, subject)
        if named is None or len(passing) != 1 or any(item.expression is not None for item in left):
            continue
        message = passing[0].payload.message
        text = message.evaluated_value if isinstance(message, (cst.SimpleString, cst.ConcatenatedString)) else None
        if isinstance(text, str) and named == (text, passing[0].payload.key):
            return _is_written_once(tested, text)
    return False


def _is_written_once(tested: Tested, text: str) -> bool:
    """Whether the function has a text in one place only: what is not understood of it may answer the other."""
    parsed = tested.sources.files.parse(tested.function.path)
    node = definition(parsed, tested.function.function.name)
    tree = parsed.as_ast(node) if node is not None else None
    return tree is not None and sum(text in each for each in literal(tree)) == 1


def _raising(
    tested: Tested,
    parsed: Parsed,
    use: _Use,
    function: cst.FunctionDef,
    claims: Sequence[_Claim],
    passing: Sequence[Converted],
    subject: str,
) -> Changes | None:
    """Return the changes that expect an exception instead of a payload, ``None`` where that cannot be said."""
    symbol = _class(tested, passing)
    keys = {item.payload.key for item in passing}
    if symbol is None or len(keys) > 1 or any(item.payload.is_nested or item.payload.shape for item in passing):
        return None
    (key,) = keys
    text, rest = _sorted_out(tested, parsed, claims, subject, key)
    lines = list(dict.fromkeys(claim.line for claim in claims))
    is_unittest = all(claim.is_unittest for claim in claims)
    if rest and (not use.name or "caught" in set(names_below(function))):
        return None
    kept = {line: _about_exception(parsed, line, use.name, key, is_unittest=is_unittest) for line in rest}
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
        pattern = f"re.escape({_literal(text)})" if is_special else _literal(text)
        header = (
            f"self.assertRaisesRegex({known.name}, {pattern})" if is_unittest else f"{header[:-1]}, match={pattern})"
        )
        needed.extend([Needed("re", "", own)] if is_special else [])
    alias = " as caught" if rest else ""
    call = cst.IndentedBlock([cst.SimpleStatementLine([cst.Expr(use.call)])])
    replaced = [Replacement(use.line, f"with {header}{alias}:{parsed.code(call)}")]
    if use.name:
        replaced.extend(Replacement(line, kept.get(line) or "") for line in lines if _is_statement(line))
    return Changes(imports=tuple(needed), replaced=tuple(replaced))


def _is_statement(line: cst.BaseStatement) -> TypeGuard[cst.SimpleStatementLine | cst.BaseCompoundStatement]:
    return isinstance(line, (cst.SimpleStatementLine, cst.BaseCompoundStatement))


def _sorted_out(
    tested: Tested, parsed: Parsed, claims: Sequence[_Claim], subject: str, key: str
) -> tuple[str | None, list[cst.BaseStatement]]:
    """Return the text that a test expects, and the lines with assertions about more than that there is an error.

    Raises :class:`errlint.fix.model.Refusal` for assertions about other parts of the payload.
    """
    text: str | None = None
    rest: list[cst.BaseStatement] = []
    name = tested.function.function.name
    for claim in claims:
        named = _equal(claim.test, subject) or _contained(claim.test, subject)
        if named is not None and named[1] == key and text in (None, named[0]):
            text = named[0]
        elif not _says_only_error(claim.test, subject):
            for node in ast.walk(claim.test):
                other = asked(node, subject)[0] if isinstance(node, ast.expr) else None
                if other not in (None, key):
                    line = parsed.line(claim.line)
                    raise refuse(f"a test reads `{other}` of an error of `{name}`", parsed.path, line)
            rest.append(claim.line)
    return text, rest


def _says_only_error(test: ast.expr, subject: str) -> bool:
    """Whether an assertion says nothing but that there is an error: an exception says that too."""
    if ast.unparse(test) == f"isinstance({subject}, dict)":
        return True
    try:
        verdict(test, subject, answer(ast.Dict([], [])))
    except Unreadable:
        return False
    return set(_keys(test, subject)) <= ERROR_KEYS | SUCCESS_KEYS | STATUS_KEYS


def _is_read_elsewhere(
    parsed: Parsed, use: _Use, function: cst.FunctionDef, lines: Sequence[cst.BaseStatement]
) -> bool:
    """Whether a test speaks of a result in other statements than those that change."""
    own = sum(_count(line, use.name) for line in lines)
    if sum(_count(line, use.name) for line in _behind(parsed, use)) > own:
        return True
    is_bound_once = sum(
        isinstance(node, cst.AssignTarget) and use.name in set(names_below(node)) for node in all_below(function)
    )
    return is_bound_once == 1 and _count(function, use.name) > own + _count(use.line, use.name)


def _about_exception(parsed: Parsed, line: cst.BaseStatement, name: str, key: str, *, is_unittest: bool) -> str | None:
    """Return a line about the text of an error as one about the exception, ``None`` where it is about more."""
    read = Reading(name, "caught.exception" if is_unittest else "caught.value")
    changed = line.visit(read)
    if not isinstance(changed, cst.SimpleStatementLine) or name in set(names_below(changed)) or read.keys != {key}:
        return None
    return parsed.code(changed.with_changes(leading_lines=()))


def _literal(text: str) -> str:
    shown = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{shown}"'


def _class(tested: Tested, passing: Sequence[Converted]) -> ClassSymbol | None:
    """Return the class that a test expects: the one of its errors, or what they all are."""
    lines: list[list[ClassSymbol]] = []
    for symbol in dict.fromkeys(item.symbol for item in passing):
        if isinstance(symbol, ExternalSymbol):
            return None
        lines.append(list(tested.sources.project.domain.bases(symbol)))
    return next((base for base in lines[0] if all(base in line for line in lines)), None)


def _count(node: cst.CSTNode, name: str) -> int:
    return sum(each == name for each in names_below(node))
