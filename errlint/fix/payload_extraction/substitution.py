"""Expressions with others in the places of their names, as a call of a function sees them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import libcst as cst

from errlint.fix.dynamic_lookup import READERS
from errlint.fix.model import refuse
from errlint.fix.nodes import dotted_name
from errlint.fix.payload_extraction.effects import truth
from errlint.fix.payload_extraction.payload import replaced, wrapped_by

_ODD = (cst.Lambda, cst.BaseComp, cst.NamedExpr, cst.Await, cst.Yield, cst.StarredElement)
_ATOMS = (
    cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.SimpleString, cst.FormattedString, cst.Integer, cst.Float,
    cst.Dict, cst.List, cst.Set, cst.Ellipsis,
)  # fmt: skip
_Piece = cst.SimpleString | cst.FormattedString

_LOOKING_AROUND = READERS | {"_getframe", "currentframe", "globals", "stack", "super"}
"""What depends on the function, or on the module, in which it stands."""


def in_parts(
    value: cst.BaseExpression,
    put: Callable[[cst.BaseExpression, bool], cst.BaseExpression],
    *,
    is_whole: bool = True,
    is_shown: bool = False,
) -> cst.BaseExpression:
    """Return a payload with something else in the place of each of its values.

    ``put`` gets what is no dict, no list of one value, no object and nothing that is dumped as JSON or told as content,
    and whether that is the whole of the payload, and not an entry or an argument of an object. The class of an object
    that ``is_shown`` as JSON text or content says nothing to anybody.
    """

    def again(inner: cst.BaseExpression, *, is_whole: bool = is_whole, is_shown: bool = is_shown) -> cst.BaseExpression:
        return in_parts(inner, put, is_whole=is_whole, is_shown=is_shown)

    if isinstance(value, cst.Dict):
        elements: list[cst.BaseDictElement] = []
        for element in value.elements:
            found = again(element.value, is_whole=False)
            if isinstance(element, cst.StarredDictElement) and isinstance(found, cst.Dict):
                elements.extend(found.elements)
            else:
                elements.append(_without_break(element.with_changes(value=found)))
        return value.with_changes(elements=elements)
    if isinstance(value, cst.List) and len(value.elements) == 1 and isinstance(value.elements[0], cst.Element):
        return replaced(value, value.elements[0], again(value.elements[0].value))
    if not isinstance(value, cst.Call):
        return put(value, is_whole)
    wrapped = wrapped_by(value)
    if wrapped is not None:
        # What is around it says nothing that an exception is told, whatever its names stand for.
        return replaced(value, wrapped, again(wrapped.value, is_shown=True))
    name = dotted_name(value.func)
    is_object = name in ("dict", "cls") or name.rpartition(".")[2][:1].isupper()
    if not is_object or any(item.keyword is None for item in value.args):
        return put(value, is_whole)
    args = [item.with_changes(value=again(item.value, is_whole=False)) for item in value.args]
    if is_shown:
        return value.with_changes(args=args)
    made = put(value.with_changes(args=()), is_whole)
    return made.with_changes(args=args) if isinstance(made, cst.Call) else made


class Putter(cst.CSTTransformer):
    """Puts expressions in the places of names; ``used`` are those in order, ``free`` are all other names."""

    def __init__(self, values: Mapping[str, cst.BaseExpression]) -> None:
        super().__init__()
        self._values = values
        self._others: set[cst.CSTNode] = set()
        self._bare: set[cst.CSTNode] = set()
        self.used: list[str] = []
        self.free: set[str] = set()

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Refuse what is not followed, and note the names that are no variables."""
        if isinstance(node, _ODD):
            raise refuse("it builds a payload in a way that is not followed")
        if isinstance(node, cst.Name) and node.value in _LOOKING_AROUND:
            raise refuse(f"`{node.value}` finds something else at the call")
        if isinstance(node, cst.FormattedStringExpression) and node.equal is not None:
            raise refuse("its text shows the names of the parameters")
        if isinstance(node, cst.Attribute):
            self._others.add(node.attr)
        elif isinstance(node, cst.Arg):
            if node.keyword is not None:
                self._others.add(node.keyword)
            self._bare.add(node.value)
        elif isinstance(node, (cst.DictElement, cst.Element)):
            self._bare.add(node.value)
        elif isinstance(node, cst.FormattedStringExpression):
            self._bare.add(node.expression)
        return super().on_visit(node)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        """Put the expression in the place of its name."""
        name = original_node.value
        if original_node in self._others or name in ("None", "True", "False"):
            return updated_node
        if name not in self._values:
            self.free.add(name)
            return updated_node
        self.used.append(name)
        value = self._values[name]
        if original_node in self._bare or isinstance(value, _ATOMS) or value.lpar:
            return value
        return value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])

    def leave_Dict(self, original_node: cst.Dict, updated_node: cst.Dict) -> cst.BaseExpression:
        """Put the entries of a dict in the place where another one takes them over."""
        elements: list[cst.BaseDictElement] = []
        for element in updated_node.elements:
            if isinstance(element, cst.StarredDictElement) and isinstance(element.value, cst.Dict):
                elements.extend(element.value.elements)
            else:
                elements.append(element)
        return updated_node.with_changes(elements=[_without_break(item) for item in elements])

    def leave_BooleanOperation(
        self, original_node: cst.BooleanOperation, updated_node: cst.BooleanOperation
    ) -> cst.BaseExpression:
        """Take the side that the arguments decide for."""
        known = truth(updated_node.left)
        if known is None:
            return updated_node
        return updated_node.left if known == isinstance(updated_node.operator, cst.Or) else updated_node.right

    def leave_BinaryOperation(
        self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation
    ) -> cst.BaseExpression:
        """Write two texts that are put together as one."""
        left, right = updated_node.left, updated_node.right
        if not isinstance(updated_node.operator, cst.Add) or updated_node.lpar:
            return updated_node
        texts = [item for item in (left, right) if isinstance(item, (cst.SimpleString, cst.FormattedString))]
        if len(texts) < 2 or len({item.quote for item in texts}) > 1 or any(item.lpar for item in texts):
            return updated_node
        if {item.prefix for item in texts} - {"", "f"}:
            return updated_node
        parts = [part for item in texts for part in parts_of(item)]
        return _shortest(cst.FormattedString(parts, start=f"f{texts[0].quote}", end=texts[0].quote))

    def leave_IfExp(self, original_node: cst.IfExp, updated_node: cst.IfExp) -> cst.BaseExpression:
        """Take the part that the arguments decide for."""
        known = truth(updated_node.test)
        return updated_node if known is None else updated_node.body if known else updated_node.orelse

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        """Leave out what makes a text of a text."""
        is_text = isinstance(updated_node.func, cst.Name) and updated_node.func.value == "str"
        value = updated_node.args[0].value if is_text and len(updated_node.args) == 1 else None
        return value if isinstance(value, cst.BaseString) and not updated_node.args[0].star else updated_node

    def leave_FormattedString(
        self, original_node: cst.FormattedString, updated_node: cst.FormattedString
    ) -> cst.BaseExpression:
        """Write the texts that have been put into holes as parts of the text."""
        text, pieces = updated_node, _Pieces(updated_node)
        for part in text.parts:
            held = part.expression if isinstance(part, cst.FormattedStringExpression) else None
            if isinstance(held, cst.ConcatenatedString) and _is_bare(part):
                pieces.put(held)
            else:
                pieces.parts.extend(_part(text, part))
        return pieces.whole()


class _Pieces:
    """A text that is written down part by part, and in several pieces where it takes over one that is."""

    def __init__(self, text: cst.FormattedString) -> None:
        self._text = text
        self._ended: list[tuple[_Piece, cst.BaseParenthesizableWhitespace]] = []
        self.parts: list[cst.BaseFormattedStringContent] = []

    def put(self, text: cst.ConcatenatedString) -> None:
        """Go on with a text in several pieces."""
        current: _Piece | cst.ConcatenatedString = text
        while isinstance(current, cst.ConcatenatedString):
            self._add(current.left)
            self._end(current.whitespace_between)
            current = current.right
        self._add(current)

    def whole(self) -> cst.BaseExpression:
        """Return all that was written."""
        found: _Piece | cst.ConcatenatedString | None = self._piece() if self.parts or not self._ended else None
        for left, gap in reversed(self._ended):
            found = left if found is None else cst.ConcatenatedString(left, found, whitespace_between=gap)
        assert found is not None
        return found

    def _add(self, piece: _Piece) -> None:
        is_like = piece.prefix.lower() in ("", "f") and self._text.prefix.lower() == "f"
        if is_like and piece.quote == self._text.quote:
            self.parts.extend(parts_of(piece))
        else:
            if self.parts:
                self._end(cst.SimpleWhitespace(" "))
            self._ended.append((piece, cst.SimpleWhitespace(" ")))

    def _end(self, gap: cst.BaseParenthesizableWhitespace) -> None:
        if self.parts:
            self._ended.append((self._piece(), gap))
        elif self._ended:
            self._ended[-1] = (self._ended[-1][0], gap)
        self.parts = []

    def _piece(self) -> _Piece:
        return _shortest(self._text.with_changes(parts=self.parts, lpar=[], rpar=[]))


def parts_of(text: cst.SimpleString | cst.FormattedString) -> Sequence[cst.BaseFormattedStringContent]:
    """Return the parts of a text as those of one with holes."""
    if isinstance(text, cst.FormattedString):
        return text.parts
    return (cst.FormattedStringText(text.raw_value.replace("{", "{{").replace("}", "}}")),)


def _shortest(text: cst.FormattedString) -> _Piece:
    """Return a text as one without holes where it has none."""
    if text.prefix != "f" or any(isinstance(part, cst.FormattedStringExpression) for part in text.parts):
        return text
    raw = "".join(part.value for part in text.parts if isinstance(part, cst.FormattedStringText))
    return cst.SimpleString(f"{text.quote}{raw.replace('{{', '{').replace('}}', '}')}{text.quote}")


def _without_break(element: cst.BaseDictElement) -> cst.BaseDictElement:
    return element.with_changes(comma=cst.MaybeSentinel.DEFAULT)


def _part(
    text: cst.FormattedString, part: cst.BaseFormattedStringContent
) -> tuple[cst.BaseFormattedStringContent, ...]:
    """Return the parts for one part of a text.

    Raises :class:`errlint.fix.model.Refusal` for what cannot stand in it.
    """
    if not isinstance(part, cst.FormattedStringExpression):
        return (part,)
    value = part.expression
    quote = text.quote
    if _is_bare(part) and isinstance(value, (cst.SimpleString, cst.FormattedString)) and not value.lpar:
        prefix = value.prefix.lower()
        is_plain = isinstance(value, cst.SimpleString) and not any(
            mark in value.raw_value for mark in (quote[0], "\n", "\r")
        )
        if (value.quote == quote or is_plain) and prefix in ("", "f") and text.prefix.lower() == "f":
            return tuple(parts_of(value))
    code = cst.Module([]).code_for_node(value)
    # Up to Python 3.11 a hole has no backslash, no comment, no line break, and none of the quotes around it.
    if any(mark in code for mark in ("\\", "\n", "#", quote[0])) or code.startswith("{"):
        raise refuse("what is passed cannot stand inside the text that it becomes a part of")
    return (part,)


def _is_bare(part: cst.BaseFormattedStringContent) -> bool:
    return isinstance(part, cst.FormattedStringExpression) and part.conversion is None and part.format_spec is None
