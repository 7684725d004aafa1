"""What a helper says of its answer, in its signature and its docstring, where it only raises from now on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import libcst as cst

from errlint.facts import Function
from errlint.fix.nodes import is_none, small_of
from errlint.fix.payload_extraction.factories import definition
from errlint.fix.rewrite import Changes, Edit, Replacement
from errlint.fix.source_file import SourceFile
from errlint.index.statements import returns

# All is bounded: a docstring may be as long as its author likes, and is read for each of its words.
_KINDS = "dict|dictionary|payload|response|message|string|text|object|result"
_ERROR = rf"(?:an? |the )?(?:[\w-]{{1,40}} )?(?:error|\w{{1,60}}Error)\b(?: (?:{_KINDS})){{,4}}"
_NOTHING = r"(?:,|,? (?:or|and|else)) None\b(?: (?:if|when|on|otherwise)\b[^.;\n\"']{,200})?"
_END = r"(?![^.;\n\"'])"

_CONDITIONAL = re.compile(
    rf"\b([Rr])eturn(s?) {_ERROR} ((?:if|when|unless|where|on) [^.;\n\"']{{1,200}}?)(?:{_NOTHING})?{_END}"
)
"""``Return an error dict if the name is empty, None otherwise``."""

_NEGATIVE = re.compile(
    rf"\b([Rr])eturn(s?) None (?:if|when) ([^.;,\n\"']{{1,200}}),? (?:or|else) {_ERROR}"
    rf"(?: (?:if|when) (?:not|\w+))?{_END}"
)
"""``Returns None if the name is valid, or an error message if not``."""

_PLAIN = re.compile(rf"\b([Rr])eturn(s?) {_ERROR}(?:,? or|,? else|,) None(?: otherwise)?{_END}")
"""``Returns error dict or None``."""


def unpromised(
    parsed: SourceFile, function: Function, converted: Sequence[cst.CSTNode], names: Sequence[str]
) -> Changes:
    """Return what makes a helper promise no answer any more, if it has none.

    Its annotation becomes ``None``, a last ``return None`` goes, and its docstring says what it raises. ``function`` is
    no adapter; ``converted`` are its error returns that become raises, ``names`` the classes of these.
    """
    node = definition(parsed, function)
    if node is None or node.decorators or not _answers_nothing(parsed, node, converted):
        return Changes()
    edited: list[Edit] = []
    if node.returns is not None and _is_optional(node.returns.annotation):
        edited.append(Edit(node.returns.annotation, "None"))
    docstring = _docstring(node)
    if docstring is not None:
        text = _said(docstring.value, " or ".join(f"``{name}``" if "``" in docstring.value else name for name in names))
        if text != docstring.value:
            edited.append(Edit(docstring, text))
    return Changes(edited=tuple(edited), replaced=tuple(_last_return(node)))


def _answers_nothing(parsed: SourceFile, node: cst.FunctionDef, converted: Sequence[cst.CSTNode]) -> bool:
    """Whether a function returns nothing but ``None`` where some of its returns are raises."""
    tree = parsed.as_ast(node)
    raised = {parsed.line(item) for item in converted}
    return tree is not None and all(
        item.lineno in raised or item.value is None or getattr(item.value, "value", item) is None
        for item in returns(tree)
    )


def _is_optional(annotation: cst.BaseExpression) -> bool:
    """Whether an annotation names ``None`` beside something else."""
    if isinstance(annotation, cst.BinaryOperation) and isinstance(annotation.operator, cst.BitOr):
        return any(is_none(side) or _is_optional(side) for side in (annotation.left, annotation.right))
    if not isinstance(annotation, cst.Subscript):
        return False
    last = annotation.value.attr if isinstance(annotation.value, cst.Attribute) else annotation.value
    name = last.value if isinstance(last, cst.Name) else ""
    items = (item.slice.value for item in annotation.slice if isinstance(item.slice, cst.Index))
    return name == "Optional" or (name == "Union" and any(map(is_none, items)))


def _docstring(node: cst.FunctionDef) -> cst.SimpleString | None:
    first = node.body.body[0] if isinstance(node.body, cst.IndentedBlock) else None
    small = first.body[0] if isinstance(first, cst.SimpleStatementLine) else None
    value = small.value if isinstance(small, cst.Expr) else None
    return value if isinstance(value, cst.SimpleString) and "b" not in value.prefix else None


def _said(text: str, names: str) -> str:
    """Return a docstring that says what is raised where it said that an error is returned."""
    text = _CONDITIONAL.sub(lambda found: f"{_verb(found)} {names} {found[3]}", text)
    text = _NEGATIVE.sub(lambda found: f"{_verb(found)} {names} unless {found[3]}", text)
    return _PLAIN.sub(lambda found: f"{_verb(found)} {names} on failure", text)


def _verb(found: re.Match[str]) -> str:
    return ("Raise" if found[1] == "R" else "raise") + found[2]


def _last_return(node: cst.FunctionDef) -> Iterator[Replacement]:
    """Yield the removal of a ``return None`` at the end of a function, but for one with a comment."""
    body = node.body.body if isinstance(node.body, cst.IndentedBlock) else ()
    last = body[-1] if len(body) > 1 else None
    small = small_of(last)
    if not isinstance(last, cst.SimpleStatementLine) or not isinstance(small, cst.Return):
        return
    is_nothing = small.value is None or is_none(small.value)
    if is_nothing and last.trailing_whitespace.comment is None and not any(item.comment for item in last.leading_lines):
        yield Replacement(last, "")
