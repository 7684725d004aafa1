"""Texts of LibCST as those of ``ast``: joined where they stand side by side, with the values between their braces."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator, Sequence

import libcst as cst

from errlint.reader.nodes import TemplateStr
from errlint.reader.places import Places

_Formatted = cst.FormattedString | cst.TemplatedString
_PARTS = (cst.FormattedString, cst.TemplatedString)
_AS_REPR = ord("r")


class Strings:
    """Reads the texts of one file; ``read_value`` reads what stands between braces."""

    def __init__(self, module: cst.Module, places: Places, read_value: Callable[[cst.CSTNode], ast.expr]) -> None:
        self._module = module
        self._places = places
        self._read_value = read_value

    def read(self, node: cst.BaseString) -> ast.expr:
        """Return a text, or several side by side."""
        parts = [*_parts(node)]
        start, end = self._places.of(node)
        if not any(isinstance(part, _PARTS) for part in parts):
            values = [_evaluated(cst.ensure_type(part, cst.SimpleString)) for part in parts]
            joined = "".join(values) if isinstance(values[0], str) else b"".join(values)  # type: ignore[arg-type]
            kind = "u" if getattr(parts[0], "prefix", "") == "u" else None
            return self._places.put(ast.Constant(value=joined, kind=kind), start, end)
        found: list[ast.expr] = []
        for part in parts:
            if isinstance(part, (cst.FormattedString, cst.TemplatedString)):
                found.extend(self._values(part.parts, part, node))
            else:
                found.append(ast.Constant(value=_evaluated(cst.ensure_type(part, cst.SimpleString))))
        is_template = any(isinstance(part, cst.TemplatedString) for part in parts)
        made: type[ast.expr] = TemplateStr if is_template else ast.JoinedStr
        return self._places.put(made(values=self._joined(found, node)), start, end)  # type: ignore[call-arg]

    def _values(self, parts: Sequence[cst.CSTNode], holder: _Formatted, whole: cst.BaseString) -> Iterator[ast.expr]:
        """Yield the texts and values of an f-string; each stands where the ``whole`` does, as old versions have it."""
        for part in parts:
            if isinstance(part, (cst.FormattedStringText, cst.TemplatedStringText)):
                yield ast.Constant(value=_unescaped(part.value, holder))
            elif isinstance(part, (cst.FormattedStringExpression, cst.TemplatedStringExpression)):
                if part.equal is not None:
                    yield ast.Constant(value=self._written(part))
                conversion = ord(part.conversion) if part.conversion else -1
                if part.equal is not None and part.format_spec is None and conversion == -1:
                    conversion = _AS_REPR
                spec = None
                if part.format_spec is not None:
                    values = self._joined([*self._values(part.format_spec, holder, whole)], whole)
                    spec = self._places.put(ast.JoinedStr(values=values), *self._places.of(whole))
                value = self._read_value(part.expression)
                yield ast.FormattedValue(value=value, conversion=conversion, format_spec=spec)

    def _written(self, part: cst.FormattedStringExpression | cst.TemplatedStringExpression) -> str:
        """Return what ``{value = }`` shows in front of the value."""
        assert part.equal is not None
        nodes = (part.whitespace_before_expression, part.expression, part.equal)
        return "".join(self._module.code_for_node(each) for each in nodes)

    def _joined(self, values: Sequence[ast.expr], whole: cst.BaseString) -> list[ast.expr]:
        """Return values with the texts side by side made one, and without empty ones."""
        found: list[ast.expr] = []
        for value in values:
            last = found[-1] if found else None
            if isinstance(value, ast.Constant) and isinstance(last, ast.Constant):
                last.value = f"{last.value!s}{value.value!s}"
            else:
                found.append(self._places.put(value, *self._places.of(whole)))
        return [each for each in found if not isinstance(each, ast.Constant) or each.value]


def _parts(node: cst.BaseString) -> Iterator[cst.BaseString]:
    while isinstance(node, cst.ConcatenatedString):
        yield node.left
        node = node.right
    yield node


def _evaluated(node: cst.SimpleString) -> str | bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return node.evaluated_value


def _unescaped(text: str, holder: _Formatted) -> str:
    """Return what a text between the values of an f-string says."""
    text = text.replace("{{", "{").replace("}}", "}")
    if "r" in holder.prefix.lower() or "\\" not in text:
        return text
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        before = text[:-1]
        if text.endswith(holder.quote[0]) and (len(before) - len(before.rstrip("\\"))) % 2 == 0:
            # In three quotes, and a value follows: this is not the end of the string.
            text = f"{before}\\{holder.quote[0]}"
        value = ast.literal_eval(holder.quote + text + holder.quote)
    assert isinstance(value, str)
    return value
