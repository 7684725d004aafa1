"""The changes that put a raise in the place of an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from errlint.fix.payload_extraction.answers import ErrorAnswer
from errlint.fix.rewrite import Changes, Conversion, Replacement, raising
from errlint.fix.source_file import SourceFile


def raised_by(parsed: SourceFile, answer: ErrorAnswer, name: str, arguments: Sequence[str], cause: str) -> Changes:
    """Return the changes that raise ``name(arguments) from cause`` where an error is answered."""
    removed = tuple(Replacement(line, "") for line in answer.removed)
    flattened = tuple((node,) for node in dict.fromkeys((*answer.flattened, *freed(parsed, answer.at))))
    if isinstance(answer.at, cst.Return):
        conversion = Conversion(answer.at, name, tuple(arguments), cause)
        return Changes((conversion,), replaced=removed, flattened=flattened)
    column = parsed.column(answer.at)
    if answer.guard is None:
        text = raising(parsed, name, arguments, cause, column)
    else:
        inner = raising(parsed, name, arguments, cause, column + len(parsed.module.default_indent))
        text = _guarded(parsed, answer.guard.condition, inner) + f"return {answer.guard.rest}\n"
        if answer.guard.before:
            text = f"{answer.guard.before}\n{text}"
    return Changes(replaced=(Replacement(answer.at, text), *removed), flattened=flattened)


def freed(parsed: SourceFile, at: cst.Return | cst.SimpleStatementLine) -> Iterator[cst.If]:
    """Yield the ``if`` or ``elif`` that a raise ends: nobody writes an ``else`` behind it."""
    around: list[cst.CSTNode] = [parent for parent, _ in parsed.around(at)]
    chain = [at, *around] if isinstance(at, cst.SimpleStatementLine) else around
    line, block, branch = (*chain, None, None, None)[:3]
    if (
        isinstance(block, cst.IndentedBlock)
        and block.body[-1] is line
        and isinstance(branch, cst.If)
        and branch.body is block
        and _can_be_dedented(branch.orelse)
    ):
        yield branch


def _can_be_dedented(node: cst.If | cst.Else | None) -> bool:
    """Whether what stands in an ``else`` can follow the ``if`` with all of its comments."""
    if isinstance(node, cst.Else):
        block = node.body
        return isinstance(block, cst.IndentedBlock) and not any(line.comment is not None for line in block.footer)
    return node is not None


def _guarded(parsed: SourceFile, condition: str, statement: str) -> str:
    """Return an ``if`` with one statement in it; lines inside texts stay where they are."""
    config = parsed.module.config_for_parsing
    body = cst.IndentedBlock([cst.ensure_type(cst.parse_statement(statement, config=config), cst.SimpleStatementLine)])
    return parsed.code(cst.If(cst.parse_expression(condition, config=config), body))
