"""Reader: from the text of a file to its tree, in any Python's grammar.

``ast`` reads what the interpreter's grammar has, LibCST what it does not have, lowered to the nodes of ``ast``.
"""

from __future__ import annotations

import ast
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from errlint.source import deep_line, long_chain_line

if TYPE_CHECKING:
    from libcst import ParserSyntaxError

STACK_SIZE = 512 * 1024 * 1024
"""Address space for the stack of a whole-file parse: LibCST recurses natively."""

TOO_LONG = "an expression is too long a chain to be analysed; split it up"

_Result = TypeVar("_Result")

_lock = threading.Lock()
_limits: list[int] = []
"""The limit of recursion as it was, once for each thread that has to recurse deeper now."""


def parse(text: str) -> ast.Module:
    """Return the tree of a file; raises :class:`SyntaxError` with the line where it is no Python, or too deep."""
    return parse_with_ast(text) or parse_lowered(text)


def parse_expression(text: str) -> ast.expr:
    """Return the tree of an expression; raises :class:`SyntaxError` where it is none."""
    statement = parse(f"(\n{text}\n)").body[0]
    if not isinstance(statement, ast.Expr):
        raise _error("it is no expression", 1)
    return statement.value


def parse_with_ast(text: str) -> ast.Module | None:
    """Return the tree of a file, ``None`` where the interpreter cannot read it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def parse_lowered(text: str) -> ast.Module:
    """Return the tree of a file as LibCST reads it, to be used :func:`on_deep_stack`.

    Raises :class:`SyntaxError` with the line where it is no Python, or too deep to be read.
    """
    if "\0" in text:
        raise _error("the file contains a NUL byte", text.count("\n", 0, text.index("\0")) + 1)
    if line := deep_line(text):
        raise _error("brackets are nested too deeply to be analysed", line)
    if line := long_chain_line(text):
        raise _error(TOO_LONG, line)
    from libcst import ParserSyntaxError

    from errlint.reader.lowering import lowered
    from errlint.reader.unchecked import parse_module

    try:
        return on_deep_stack(lambda: lowered(parse_module(text)))
    except ParserSyntaxError as error:
        raise _error(_reason(error.message), _line_of(text, error)) from error


def on_deep_stack(work: Callable[[], _Result]) -> _Result:
    """Return what ``work`` does, or raise what it raises, where it may recurse as deep as any text goes."""
    results: list[_Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 -- handed to the caller's thread
            errors.append(error)

    thread = threading.Thread(target=run)
    with _recursing():
        with _lock:
            size = threading.stack_size(STACK_SIZE)
            try:
                thread.start()
            finally:
                threading.stack_size(size)
        thread.join()
    if errors:
        raise errors[0]
    return results[0]


@contextmanager
def _recursing() -> Iterator[None]:
    """Let all threads recurse deep while one of them has to: the limit is the process's, and an editor has several."""
    with _lock:
        if not _limits:
            _limits.append(sys.getrecursionlimit())
            sys.setrecursionlimit(100_000)
        else:
            _limits.append(_limits[-1])
    try:
        yield
    finally:
        with _lock:
            limit = _limits.pop()
            if not _limits:
                sys.setrecursionlimit(limit)


def _error(message: str, line: int) -> SyntaxError:
    return SyntaxError(message, (None, line, 1, None))


def _line_of(text: str, error: ParserSyntaxError) -> int:
    """Return the line of a syntax error, from 1: the interpreter's, unless LibCST could read what that stumbled over.

    LibCST tells the token behind the fault, which may stand in the next line, and the wrong line for some of them.
    """
    told = re.search(r"error at (\d+):", error.message)
    line = int(told[1]) if told else max(error.raw_line, 1)
    try:
        ast.parse(text)
    except SyntaxError as own:
        if own.lineno and (line <= own.lineno + 1 or "never closed" in own.msg):
            return own.lineno
    except (ValueError, RecursionError, MemoryError):
        pass
    return line


def _reason(message: str) -> str:
    """Say in short what LibCST says of a syntax error: not which of forty tokens it would have taken."""
    text = re.sub(r"^(?:parser|tokenizer) error: (?:error at \d+:\d+: )?", "", re.sub(r"\s+", " ", message).strip())
    return "invalid syntax" if text.startswith("expected ") else text
