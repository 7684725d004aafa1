"""The statements of a function or module, in the order of the text."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import get_args

from errlint.index.bindings import TRY, FunctionNode
from errlint.index.expressions import dotted_name
from errlint.trees import last_name

_BLOCKS: dict[type[ast.AST], tuple[str, ...]] = {
    **dict.fromkeys((*FunctionNode, ast.ClassDef, ast.With, ast.AsyncWith, ast.ExceptHandler), ("body",)),
    **dict.fromkeys((ast.match_case, ast.Module), ("body",)),
    **dict.fromkeys((ast.If, ast.For, ast.AsyncFor, ast.While), ("body", "orelse")),
    **dict.fromkeys(TRY, ("body", "handlers", "orelse", "finalbody")),
    ast.Match: ("cases",),
}
"""The fields that hold blocks, or clauses with one each, in the order of the text."""

EXITS = frozenset({"exit", "_exit", "quit", "abort"})
"""Last parts of calls that end the process."""

_ENDING = frozenset({"", "sys", "os", "builtins", "flask", "parser", "ctx"})
"""What such a function belongs to, by the last part of its name."""

_LOOPS = (ast.For, ast.AsyncFor, ast.While)

Jump = ast.Return | ast.Raise | ast.Break | ast.Continue
"""What is never followed by the next statement of its block."""

_JUMPS = frozenset(get_args(Jump))


def is_compound(node: ast.AST) -> bool:
    """Whether a statement has blocks."""
    return type(node) in _BLOCKS


def blocks(node: ast.AST) -> list[Sequence[ast.stmt]]:
    """Return the blocks of a compound statement or of a clause, in the order of the text; a simple one has none."""
    found: list[Sequence[ast.stmt]] = []
    for name in _BLOCKS.get(type(node), ()):
        parts = getattr(node, name)
        if name in ("handlers", "cases"):
            found.extend([clause.body for clause in parts])
        elif parts:
            found.append(parts)
    return found


def in_header(node: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions that the header of a compound statement evaluates; a definition and a ``try`` have none."""
    if isinstance(node, (ast.If, ast.While)):
        yield node.test
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        yield node.iter
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        yield from (item.context_expr for item in node.items)
    elif isinstance(node, ast.Match):
        yield node.subject


def below(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield all statements below a block, those of definitions inside left out."""
    for node in body:
        if isinstance(node, (*FunctionNode, ast.ClassDef)):
            continue
        yield node
        for block in blocks(node):
            yield from below(block)


def returns(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.Return]:
    """Yield the returns of a function itself, in the order of the text."""
    return (each for each in below(node.body) if isinstance(each, ast.Return))


def everywhere(body: Sequence[ast.stmt]) -> Iterator[ast.stmt | ast.ExceptHandler]:
    """Yield every statement and handler below a block, those of definitions too, compound ones before their parts."""
    pending: list[ast.stmt | ast.ExceptHandler] = [*reversed(body)]
    while pending:
        node = pending.pop()
        yield node
        for name in reversed(_BLOCKS.get(type(node), ())):
            parts = getattr(node, name)
            if name == "cases":
                parts = [inner for case in parts for inner in case.body]
            pending.extend(reversed(parts))


def is_left(node: ast.stmt) -> bool:
    """Whether control certainly never comes to what follows a statement; a ``with`` may suppress what leaves it."""
    if type(node) is ast.If:
        return bool(node.orelse) and leaves(node.orelse) and leaves(node.body)
    if type(node) is ast.Expr:
        return ends_process(node)
    if isinstance(node, TRY):
        ends_so = (leaves(node.body) or leaves(node.orelse)) and all(leaves(each.body) for each in node.handlers)
        return ends_so or leaves(node.finalbody)
    return type(node) in _JUMPS


def leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether control certainly never comes to the end of a block."""
    return any(map(is_left, body))


def jumps_out(body: Sequence[ast.stmt]) -> Iterator[Jump]:
    """Yield what may leave a block: not what ends or continues a loop in it, nor what definitions in it do."""
    for node in body:
        if isinstance(node, Jump):
            yield node
        elif isinstance(node, _LOOPS):
            yield from (each for each in jumps_out(node.body) if isinstance(each, (ast.Return, ast.Raise)))
            yield from jumps_out(node.orelse)
        elif not isinstance(node, (*FunctionNode, ast.ClassDef)):
            for block in blocks(node):
                yield from jumps_out(block)


def ends_process(node: ast.stmt) -> bool:
    """Whether a simple statement is a call that ends the process."""
    value = getattr(node, "value", None)
    return type(value) is ast.Call and last_name(value.func) in EXITS and is_exit(dotted_name(value.func))


def is_exit(called: str) -> bool:
    """Whether what is called by a dotted name ends the process: ``sys.exit``, and not ``driver.quit``."""
    owner, _, last = called.rpartition(".")
    return last in EXITS and owner.rpartition(".")[2] in _ENDING
