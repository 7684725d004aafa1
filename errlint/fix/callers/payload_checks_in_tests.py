"""Whether a test looks at an error that is answered, in whatever way: such a test cannot be left as it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import libcst as cst

from errlint.error_keywords import ERROR_CODE_KEYS, ERROR_KEYS, ERROR_STATUS, FAILURE_KEYS, STATUS_KEYS, SUCCESS_KEYS
from errlint.fix.nodes import expression_of
from errlint.fix.source_file import SourceFile
from errlint.index.bindings import FunctionNode
from errlint.trees import children, last_name, walk

FunctionDef = ast.FunctionDef | ast.AsyncFunctionDef

_KEYS = ERROR_KEYS | ERROR_CODE_KEYS | FAILURE_KEYS
_HELPER = re.compile(r"(?:assert|expect|check|verify|is|has)_\w*(?:error|fail)\w*", re.IGNORECASE)
_EXPECTING = frozenset({"raises", "assertRaises", "suppress"})
_CAUGHT = frozenset({"value", "exception", "exc", "err", "error", "e"})
"""What tests call an exception that they caught, which has attributes of its own."""

_NO_KEY = frozenset({"KeyError", "LookupError"})
"""What reading a key raises that an error does not have."""

_ANSWERING = frozenset({"return_value", "side_effect"})
_EXCEPTION = re.compile(r"(?=_*[A-Z])\w*(?:Error|Exception|Timeout|Exit|Interrupt)")
_TEXT = re.compile(r"error|fail|invalid", re.IGNORECASE)
FAILING = 400
"""The first status of HTTP that says error."""

LEAST = 3
"""A text that is looked for has at least so many characters: a shorter one stands in any text."""


def looked_at(
    parsed: SourceFile, node: cst.CSTNode, *, texts: Collection[str] = (), provoked: bool = False
) -> tuple[int, ...]:
    """Return the lines in which tests with a node in them look at an error, the first one of each test.

    What stands in a fixture or in a helper is looked at in the tests of the file that use it; what stands in no
    function, or in what no test of the file uses, in the whole file, in a method of a class of tests in that class.
    Where the answer was a text, ``texts`` are its literal pieces, and a part of them that is looked for counts too, as
    does a text about errors. A test that lets a stand-in raise looks for what becomes of that: ``provoked`` asks for
    such tests as well.
    """
    scope = _scope(parsed, node)
    users: Sequence[ast.AST] = (scope,)
    if not isinstance(scope, FunctionNode):
        users = tests_using(parsed, node) or tuple(_functions(scope))
    looks = [_first_look(parsed, test, texts, provoked=provoked) for test in users]
    found = tuple(line for line in looks if line)
    if found or isinstance(scope, FunctionNode):
        return found
    whole = _first_look(parsed, scope, texts, provoked=provoked)
    return (whole,) if whole else ()


def tests_using(parsed: SourceFile, node: cst.CSTNode) -> tuple[FunctionDef, ...]:
    """Return the tests of a file that use the fixture, the helper or the variable of the file which a node stands in.

    None are returned where nobody is known to, and where all tests of the file may: of what runs by itself.
    """
    around = [parent for parent, _ in parsed.around(node)]
    outermost = next((item for item in reversed(around) if isinstance(item, cst.FunctionDef)), None)
    if outermost is not None:
        own = parsed.as_ast(outermost)
        names = {outermost.name.value}
        if own is None or _runs_by_itself(own):
            return ()
    else:
        assign = next((item for item in around if isinstance(item, cst.Assign)), None)
        names = {item.target.value for item in assign.targets if isinstance(item.target, cst.Name)} if assign else set()
    functions = parsed.once(words_of_functions)
    while True:
        using = [item for item, words in functions if not names.isdisjoint(words)]
        if any(_runs_by_itself(item) for item in using):
            return ()
        found = names.union(item.name for item in using if not item.name.startswith("test"))
        if found == names:
            return tuple(item for item in using if item.name.startswith("test"))
        names = found


_SETTING_UP = re.compile(r"(?:async)?set_?up|(?:async)?tear_?down", re.IGNORECASE)


def _runs_by_itself(function: FunctionDef) -> bool:
    """Whether a function of a test file runs for tests that do not name it."""
    given = (item for each in function.decorator_list for item in walk(each) if isinstance(item, ast.keyword))
    return _SETTING_UP.match(function.name) is not None or any(item.arg == "autouse" for item in given)


def words_of_functions(parsed: SourceFile) -> Sequence[tuple[FunctionDef, frozenset[str]]]:
    """Return the outermost functions of a file, each with the names, parameters and texts that it has."""
    return [(item, frozenset(_words(item))) for item in _functions(parsed.tree) if isinstance(item, FunctionNode)]


def _words(function: ast.AST) -> Iterator[str]:
    for item in walk(function):
        if isinstance(item, ast.arg):
            yield item.arg
        else:
            yield last_name(item) or text_of(item)


def _functions(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the outermost functions of a file or class; a function is its own."""
    if isinstance(scope, FunctionNode):
        yield scope
        return
    for child in children(scope):
        if isinstance(child, ast.stmt):
            yield from _functions(child)


class _Looks(NamedTuple):
    """The first line in which a test looks at any error and the first one that provokes one, 0 for none.

    ``texts`` are those that it looks for in something, with their lines.
    """

    line: int
    provoking: int
    texts: Sequence[tuple[int, str]]


def _first_look(parsed: SourceFile, scope: ast.AST, texts: Collection[str], *, provoked: bool) -> int:
    """Return the first line of a test that looks at an error, 0 for none."""
    looks = parsed.once_for(_looks, scope)
    found = looks.line
    if not found and texts:
        found = min((line for line, text in looks.texts if is_of(text, texts)), default=0)
    return found or (looks.provoking if provoked else 0)


def _looks(scope: ast.AST) -> _Looks:
    """Return how a test looks at errors, whatever they are."""
    parents = parents_in(scope)
    lines = (item.lineno for item in parents if isinstance(item, ast.expr) and asks_for_error(item, parents))
    found = min(lines, default=0)
    found = found or min((item.lineno for item in _named(scope, parents)), default=0)
    return _Looks(
        found or min(_missing(scope), default=0),
        min((item.lineno for item in _raising(scope)), default=0),
        [(item.lineno, text_of(item)) for item in _asserted(scope)],
    )


def hands_out_errors(parsed: SourceFile, node: cst.CSTNode) -> bool:
    """Whether a test with a node in it has stand-ins that answer errors, without raising any."""
    scope = _scope(parsed, node)
    made: list[ast.AST | None] = []
    for item in walk(scope):
        names: Iterable[str | None] = ()
        if isinstance(item, FunctionNode) and item is not scope and isinstance(scope, FunctionNode):
            made.extend(each.value for each in walk(item) if isinstance(each, ast.Return))
        elif isinstance(item, ast.Lambda):
            made.append(item.body)
        elif isinstance(item, (ast.keyword, ast.Assign)):
            names = (item.arg,) if isinstance(item, ast.keyword) else map(last_name, item.targets)
            made.extend(item.value for name in names if name in _ANSWERING)
    parts = (part for value in made if value is not None for part in walk(value) if isinstance(part, ast.Dict))
    return any(_is_error(part) or _is_failing_status(part) for part in parts)


def _is_failing_status(node: ast.Dict) -> bool:
    """Whether a dict that is written out has the status of a request that failed."""
    pairs = zip(node.keys, node.values, strict=True)
    numbers = (
        value.value
        for key, value in pairs
        if key is not None and isinstance(value, ast.Constant) and text_of(key) in ("status", "status_code")
    )
    return any(isinstance(number, int) and number >= FAILING for number in numbers)


def _raising(scope: ast.AST) -> Iterator[ast.expr]:
    """Yield the exceptions that a test lets stand-ins raise, and the errors that it lets them answer."""
    for node in walk(scope):
        if not isinstance(node, (ast.Assign, ast.keyword)):
            continue
        names = map(last_name, node.targets) if isinstance(node, ast.Assign) else (node.arg,)
        if "side_effect" in names and is_exception(node.value):
            yield node.value
        yield from (item for item in walk(node.value) if isinstance(item, ast.Dict) and _is_error(item))


def is_exception(node: ast.AST) -> bool:
    """Whether a node is an exception or its class by its name, or raises one."""
    made = node.func if isinstance(node, ast.Call) else node
    return isinstance(node, ast.Raise) or _EXCEPTION.fullmatch(last_name(made)) is not None


def _is_error(node: ast.Dict) -> bool:
    """Whether a dict that is written out has an error in it, or says that it is no success."""
    for key, value in zip(node.keys, node.values, strict=True):
        name = text_of(key).lower() if key is not None else ""
        is_nothing = isinstance(value, ast.Constant) and not value.value
        if (name in ERROR_KEYS and not is_nothing) or (name in SUCCESS_KEYS and is_nothing):
            return True
    return False


def is_of(text: str, texts: Collection[str]) -> bool:
    """Whether a text that is looked for may be one of an error."""
    asked = text.casefold().strip()
    return bool(_TEXT.search(text)) or (len(asked) >= LEAST and any(asked in piece.casefold() for piece in texts))


def literal(node: ast.AST) -> tuple[str, ...]:
    """Return the texts that are written down in some code."""
    return tuple(text for each in walk(node) if isinstance(each, ast.expr) and (text := text_of(each)))


def texts_of(test: cst.BaseExpression) -> tuple[str, ...]:
    """Return the texts that an assertion looks for in something."""
    node = expression_of(test)
    return tuple(map(text_of, _asserted(node))) if node is not None else ()


def is_in_test(parsed: SourceFile, node: cst.CSTNode) -> bool:
    """Whether a node stands in a test itself, and not in a fixture, a helper or outside of all functions."""
    return _scope(parsed, node) is not parsed.tree


def keys_read(parsed: SourceFile, node: cst.CSTNode, keys: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield which of some keys a test with a node in it reads, with the line."""
    for item in walk(_scope(parsed, node)):
        if isinstance(item, ast.expr) and (key := key_read(item)) in keys:
            yield key, item.lineno


def compared(
    parsed: SourceFile, node: cst.CSTNode, values: Mapping[str, Collection[object]]
) -> Iterator[tuple[str, int]]:
    """Yield the keys that a test with a node in it says are one of some values, with the line."""
    for item in walk(_scope(parsed, node)):
        if isinstance(item, ast.Compare) and isinstance(item.ops[0], (ast.Is, ast.Eq)):
            key, other = key_read(item.left), item.comparators[0]
            if isinstance(other, ast.Constant) and other.value in values.get(key, ()):
                yield key, item.lineno


def test_around(parsed: SourceFile, node: cst.CSTNode) -> ast.AST | None:
    """Return the test around a node, ``None`` for what stands in a fixture, in a helper or in no function."""
    found = _scope(parsed, node)
    return found if isinstance(found, FunctionNode) else None


def _scope(parsed: SourceFile, node: cst.CSTNode) -> ast.AST:
    """Return the test around a node; where it stands in none, the class of tests around it, or the whole file."""
    around = [parent for parent, _ in reversed(list(parsed.around(node)))]
    outermost = next((parent for parent in around if isinstance(parent, cst.FunctionDef)), None)
    if outermost is not None and outermost.name.value.startswith("test"):
        return parsed.as_ast(outermost) or parsed.tree
    tests = next((parent for parent in around if isinstance(parent, cst.ClassDef)), None)
    if tests is not None and outermost is not None and tests.name.value.startswith("Test"):
        same = (item for item in parsed.tree_nodes(ast.ClassDef) if item.lineno == parsed.line(tests))
        return next(same, None) or parsed.tree
    return parsed.tree


def parents_in(scope: ast.AST) -> dict[ast.AST, ast.AST]:
    """Return what is right around each node of some code."""
    return {child: parent for parent in walk(scope) for child in children(parent)}


def asks_for_error(node: ast.expr, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether an expression asks an answer for its error, and not for there being none."""
    if isinstance(node, ast.Call) and _HELPER.fullmatch(last_name(node.func)):
        return True
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In):
        return text_of(node.left).lower() in _KEYS
    key = field_read(node, parents).lower()
    if not key or _is_remark(node, parents):
        return False
    around = parents.get(node)
    compared = _compared(node, around)
    is_denied = (isinstance(around, ast.UnaryOp) and isinstance(around.op, ast.Not)) or _is_told(around, "assertFalse")
    if key in _KEYS:
        return not is_denied and not _is_told(around, "assertIsNone") and compared not in ("None", "False")
    if key in SUCCESS_KEYS:
        return is_denied or compared == "False"
    return key in STATUS_KEYS and ERROR_STATUS.fullmatch(compared) is not None


def key_read(node: ast.AST) -> str:
    """Return the key that an expression reads of something, "" for all else."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        return text_of(node.slice)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args:
        return text_of(node.args[0])
    return ""


def field_read(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> str:
    """Return the key or the attribute that an expression reads of something, "" for all else.

    A method that is called is none, nor is what a module has, or what was caught.
    """
    if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
        return key_read(node)
    around = parents.get(node)
    is_called = isinstance(around, ast.Call) and around.func is node
    is_module = isinstance(around, ast.Attribute) and around.attr[:1].isupper()
    return "" if is_called or is_module or last_name(node.value) in _CAUGHT else node.attr


def _is_remark(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether an expression is only shown where an assertion fails."""
    around = parents.get(node)
    while isinstance(around, ast.expr):
        node, around = around, parents.get(around)
    return isinstance(around, ast.Assert) and around.msg is node


def _compared(node: ast.expr, around: ast.AST | None) -> str:
    """Return the text of the constant that an expression is said to be, "" for none."""
    others: list[ast.expr] = []
    if isinstance(around, ast.Compare) and isinstance(around.ops[0], (ast.Is, ast.Eq)):
        others = [around.left, *around.comparators]
    elif isinstance(around, ast.Call) and (_is_told(around, "assertEqual") or _is_told(around, "assertIs")):
        others = around.args
    return next((str(item.value) for item in others if isinstance(item, ast.Constant) and item is not node), "")


def _is_told(node: ast.AST | None, assertion: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == assertion


def _named(scope: ast.AST, parents: dict[ast.AST, ast.AST]) -> Iterator[ast.expr]:
    """Yield the keys of errors that assertions name, but for those that are read, or said not to be there."""
    for node in walk(scope):
        claims: list[ast.expr] = [node.test] if isinstance(node, ast.Assert) else []
        if isinstance(node, ast.Call) and re.match("assert(?!Not|IsNone|False)", last_name(node.func)):
            claims = node.args
        for item in (item for claim in claims for item in walk(claim) if isinstance(item, ast.Constant)):
            around = parents.get(item)
            is_denied = isinstance(around, ast.Compare) and isinstance(around.ops[0], (ast.NotIn, ast.NotEq))
            if isinstance(around, ast.Dict) and item in around.keys:
                value = around.values[around.keys.index(item)]
                is_denied = isinstance(value, ast.Constant) and not value.value
            is_read = isinstance(around, ast.Subscript) or (around is not None and key_read(around) != "")
            if text_of(item).lower() in _KEYS and not is_denied and not is_read:
                yield item


def _missing(scope: ast.AST) -> Iterator[int]:
    """Yield the lines in which a test expects that a key is not there."""
    for node in walk(scope):
        if isinstance(node, ast.ExceptHandler) and node.type is not None:
            expected: Sequence[ast.expr] = [node.type]
        elif isinstance(node, ast.Call) and last_name(node.func) in _EXPECTING:
            expected = node.args[:1]
        else:
            continue
        if any(isinstance(item, ast.Name) and item.id in _NO_KEY for each in expected for item in walk(each)):
            yield node.lineno


def _asserted(scope: ast.AST) -> Iterator[ast.expr]:
    """Yield the texts that are looked for in something: the messages of assertions are none."""
    for node in walk(scope):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.Eq)):
            yield from (item for item in (node.left, *node.comparators) if text_of(item))
        elif isinstance(node, ast.Call) and last_name(node.func) in ("startswith", "assertIn", "search", "match"):
            yield from (item for item in node.args if text_of(item))


def joined_by_and(test: ast.expr) -> Iterator[ast.expr]:
    """Yield the tests that ``and`` joins."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for item in test.values:
            yield from joined_by_and(item)
    else:
        yield test


def text_of(node: ast.AST) -> str:
    """Return the text that is written down, "" for all else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
