"""Reader: from the text of a file to its tree, in any Python's grammar.

``ast`` reads what the interpreter's grammar has, LibCST what it does not have, lowered to the nodes of ``ast``.
"""

from __future__ import annotations

import ast
import re
import sys
import threading
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from errlint.source import deep_line, long_chain_line

if TYPE_CHECKING:
    from libcst import ParserSyntaxError

STACK_SIZE = 512 * 1024 * 1024
"""Address space for the stack of a whole-file parse: LibCST recurses natively."""

TOO_LONG = "an expression is too long a chain to be analysed; split it up"

_Result = TypeVar("_Result")


def parse(text: str) -> ast.Module:
    """Return the tree of a file; raises :class:`SyntaxError` with the line where it is no Python, or too deep."""
    return parse_with_ast(text) or parse_lowered(text)


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

    limit, size = sys.getrecursionlimit(), threading.stack_size(STACK_SIZE)
    sys.setrecursionlimit(100_000)
    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    if errors:
        raise errors[0]
    return results[0]


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
