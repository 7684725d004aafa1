"""The statements of a function, those of definitions inside left out."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from errlint.collect.expressions import inside
from errlint.collect.flow import Statement


def below(body: cst.CSTNode) -> Iterator[Statement]:
    """Yield all statements below a block in document order."""
    for child in inside(body):
        if isinstance(child, (cst.FunctionDef, cst.ClassDef)):
            continue
        if isinstance(child, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            yield child
        if not isinstance(child, (cst.BaseExpression, cst.BaseSmallStatement)):
            yield from below(child)
