"""Conditional answers: one expression that is an error or a value becomes a guard and a return."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import libcst as cst

from errlint.fix.model import refuse
from errlint.fix.source_file import SourceFile

_NAMES = ("result", "found", "answer", "value", "outcome")
_OPPOSITES: dict[type[cst.BaseCompOp], Callable[[], cst.BaseCompOp]] = {
    cst.Is: cst.IsNot,
    cst.IsNot: cst.Is,
    cst.In: cst.NotIn,
    cst.NotIn: cst.In,
    cst.Equal: cst.NotEqual,
    cst.NotEqual: cst.Equal,
}


class Guarded(NamedTuple):
    """An error with the condition that it is answered on, and what is answered otherwise.

    ``before`` is a statement that has to run first, "" for none. All but the error are texts.
    """

    error: cst.BaseExpression
    condition: str
    rest: str
    before: str = ""


def split(
    parsed: SourceFile,
    value: cst.IfExp | cst.BooleanOperation,
    is_error: Callable[[cst.BaseExpression], bool],
    words: frozenset[str],
) -> Guarded:
    """Split a conditional value; ``words`` are the names that are taken in its function.

    Raises :class:`errlint.fix.model.Refusal` where it is not just one of its parts that is the error.
    """
    if isinstance(value, cst.IfExp):
        if is_error(value.body) == is_error(value.orelse):
            raise refuse("it is not one part of the conditional answer that is the error")
        if is_error(value.body):
            return Guarded(value.body, text_of(parsed, value.test), text_of(parsed, value.orelse))
        return Guarded(value.orelse, negated(parsed, value.test), text_of(parsed, value.body))
    if not isinstance(value.operator, cst.Or) or is_error(value.left) or not is_error(value.right):
        raise refuse("it is not one part of the conditional answer that is the error")
    if isinstance(value.left, cst.Name):
        name, before = value.left.value, ""
    else:
        name = next((each for each in _NAMES if each not in words), "")
        if not name:
            raise refuse("no free name is left for the result")
        before = f"{name} = {text_of(parsed, value.left)}"
    return Guarded(value.right, f"not {name}", name, before)


def text_of(parsed: SourceFile, node: cst.BaseExpression) -> str:
    """Return the text of an expression as one that stands by itself."""
    text = parsed.code(node)
    if node.lpar and isinstance(node, (cst.Comparison, cst.BooleanOperation, cst.Call, cst.UnaryOperation)):
        bare = parsed.code(node.with_changes(lpar=node.lpar[1:], rpar=node.rpar[:-1]))
        text = text if "\n" in bare else bare
    is_whole = bool(node.lpar) or isinstance(node, (cst.Dict, cst.List, cst.Set, cst.Call, cst.SimpleString))
    return f"(\n{text}\n)" if "\n" in text and not is_whole else text


def negated(parsed: SourceFile, test: cst.BaseExpression) -> str:
    """Return the text of a condition that is true where another one is not."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return text_of(parsed, test.expression)
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        target = test.comparisons[0]
        opposite = _OPPOSITES.get(type(target.operator))
        if opposite is not None:
            return text_of(parsed, test.with_changes(comparisons=[target.with_changes(operator=opposite())]))
    text = parsed.code(test)
    is_one = isinstance(test, (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.Comparison)) or bool(test.lpar)
    return f"not {text}" if is_one and ("\n" not in text or bool(test.lpar)) else f"not ({text})"
