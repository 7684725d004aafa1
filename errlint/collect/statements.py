"""The statements of a function, those of definitions inside left out."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from errlint.collect.expressions import inside
from errlint.collect.flow import Statement


def of(body: cst.BaseSuite | cst.Module) -> Iterator[Statement]:
    """Yield the statements of a block itself in document order."""
    for line in body.body:
        if isinstance(line, cst.SimpleStatementLine):
            yield from line.body
        elif isinstance(line, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            yield line


def below(body: cst.CSTNode) -> Iterator[Statement]:
    """Yield all statements below a block in document order."""
    for child in inside(body):
        if isinstance(child, (cst.FunctionDef, cst.ClassDef)):
            continue
        if isinstance(child, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            yield child
        if not isinstance(child, (cst.BaseExpression, cst.BaseSmallStatement)):
            yield from below(child)


def leaves(body: cst.BaseSuite) -> bool:
    """Whether the last statement of a block leaves the function."""
    last = body.body[-1] if body.body else None
    last = last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last
    return isinstance(last, (cst.Return, cst.Raise))
