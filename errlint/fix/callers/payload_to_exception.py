"""What reads the error of a result, and what reads an exception in its place."""

from __future__ import annotations

import re

import libcst as cst

from errlint.error_keywords import ERROR_KEYS
from errlint.fix.callers.abstract_values import (
    METHODS,
    answer,
    asked,
)
from errlint.fix.nodes import all_below, as_block, constant_key, expression_of, small_of, subscript_key
from errlint.fix.payload_extraction.effects import is_constant
from errlint.fix.payload_extraction.payload import alone, wrapped_by

_CONVERTING = re.compile(r"(?:to|as)_|(?:model_dump|model_dump_json|dict|json)$")
"""Names of methods by which an object is told as something else, for those who get it."""

_CHANGING = (cst.AnnAssign, cst.AssignTarget, cst.AugAssign, cst.CompFor, cst.Del, cst.For)


def hands_on(node: cst.CSTNode, name: str) -> frozenset[str] | None:
    """Return the keys by which a statement returns the error of a result, none where it returns all of the result.

    That may stand in a list, be made JSON text of, or be told as content.
    ``None`` stands for a statement that does anything else.
    """
    node = small_of(node) or node
    if not isinstance(node, cst.Return) or node.value is None:
        return None
    value = node.value
    while (inner := _inner(value)) is not None:
        value = inner
    if isinstance(value, cst.Name):
        return frozenset() if value.value == name else None
    if isinstance(node.value, cst.Dict) and len(node.value.elements) == 1:
        written = expression_of(node.value)
        entries = (answer(written).entries if written is not None else None) or {}
        for key, item in entries.items():
            if key in ERROR_KEYS and asked(item, name)[0] == key:
                return frozenset({key})
    return None


def _inner(value: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return what an expression wraps up, ``None`` where it is anything else."""
    content = wrapped_by(value) if isinstance(value, cst.Call) else None
    if content is not None:
        return content.value
    if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
        is_plain = all(item.keyword is not None and is_constant(item.value) for item in value.args)
        if is_plain and _CONVERTING.match(value.func.attr.value):
            return value.func.value
    return alone(value)


def path_of(node: cst.CSTNode, name: str) -> tuple[str, ...]:
    """Return the keys by which an expression reads of a result, () for all else.

    ``("error", "message")`` for ``r["error"]["message"]`` and ``r.get("error", {}).get("message")``, ``("error",)`` for
    the field ``r.error``.
    """
    inner: cst.BaseExpression | None = None
    key: str | None = None
    if isinstance(node, cst.Attribute):
        inner, key = node.value, node.attr.value if node.attr.value not in METHODS else None
    elif isinstance(node, cst.Subscript):
        inner, key = node.value, subscript_key(node)
    elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "get":
        is_plain = 1 <= len(node.args) <= 2 and not any(item.keyword or item.star for item in node.args)
        is_filled = is_plain and not all(_is_fixed(item.value) for item in node.args[1:])
        inner = node.func.value if is_plain and not is_filled else None
        key = constant_key(node.args[0].value) if is_plain else None
    if inner is None or not key:
        return ()
    if isinstance(inner, cst.Name):
        return (key,) if inner.value == name else ()
    above = path_of(inner, name)
    return (*above, key) if above else ()


def _is_fixed(node: cst.BaseExpression) -> bool:
    return is_constant(node) or (isinstance(node, cst.Dict) and not node.elements)


class Reading(cst.CSTTransformer):
    """Turns what reads the error of a result into what reads an exception; ``paths`` are the keys that were read."""

    def __init__(self, name: str, exception: str, text: str = "") -> None:
        """``exception`` is the name of the exception, ``text`` the code that reads its text, by default ``str``."""
        super().__init__()
        self._name = name
        self._exception = exception
        self._text = text or f"str({exception})"
        self._others: set[cst.CSTNode] = set()
        self.paths: set[tuple[str, ...]] = set()

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Note what is given another value or deleted, which reads nothing, and what shows its own source."""
        if isinstance(node, _CHANGING):
            self._others.update(all_below(node.target))
        elif isinstance(node, cst.AsName):
            self._others.update(all_below(node.name))
        elif isinstance(node, cst.FormattedStringExpression) and node.equal is not None:
            self._others.update(all_below(node.expression))
        elif path_of(node, self._name):
            self._others.update(item for item in all_below(node) if item is not node)
        return super().on_visit(node)

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:
        """Read the text of the exception."""
        return self._read(original_node) or updated_node

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        """Read the text of the exception."""
        return self._read(original_node) or updated_node

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        """Read the text of the exception, once."""
        is_text = isinstance(original_node.func, cst.Name) and original_node.func.value == "str"
        if is_text and len(original_node.args) == 1:
            return self._read(original_node.args[0].value) or updated_node
        return self._read(original_node) or updated_node

    def leave_FormattedStringExpression(
        self, original_node: cst.FormattedStringExpression, updated_node: cst.FormattedStringExpression
    ) -> cst.FormattedStringExpression:
        """Show the exception itself, which is its text."""
        is_plain = not original_node.conversion and not original_node.format_spec
        if is_plain and self._read(original_node.expression) is not None:
            shown = self._exception if self._text.startswith("str(") else self._text
            return updated_node.with_changes(expression=cst.parse_expression(shown))
        return updated_node

    def _read(self, node: cst.BaseExpression) -> cst.BaseExpression | None:
        path = path_of(node, self._name)
        if not path or node in self._others:
            return None
        self.paths.add(path)
        return cst.parse_expression(self._text)


class Block(Reading):
    """Turns a block that reads the error of a result into one that reads an exception."""

    def __init__(self, name: str, exception: str, text: str = "") -> None:
        super().__init__(name, exception, text)
        self._depth = 0

    def block(self, body: cst.BaseSuite) -> cst.IndentedBlock:
        """Return the new block."""
        block = as_block(body)
        changed = block.with_changes(body=[self._last(item) for item in block.body]).visit(self)
        assert isinstance(changed, cst.IndentedBlock)
        return changed

    def visit_ExceptHandler(self, node: cst.ExceptHandler) -> None:
        """Note that a raise in here is about something else."""
        self._depth += 1

    def leave_ExceptHandler(
        self, original_node: cst.ExceptHandler, updated_node: cst.ExceptHandler
    ) -> cst.ExceptHandler:
        """Come back from there."""
        self._depth -= 1
        return updated_node

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        """Leave out what runs later."""
        return False

    def _last(self, node: cst.BaseStatement) -> cst.BaseStatement:
        """Return a statement of the block, one that hands the error on as a raise of it."""
        if hands_on(node, self._name) is None or not isinstance(node, cst.SimpleStatementLine):
            return node
        return node.with_changes(body=[cst.Raise()])

    def leave_Raise(self, original_node: cst.Raise, updated_node: cst.Raise) -> cst.Raise:
        """Chain what is raised to the exception that is handled."""
        if original_node.exc is None or original_node.cause is not None or self._depth:
            return updated_node
        return updated_node.with_changes(cause=cst.From(cst.Name(self._exception)))
