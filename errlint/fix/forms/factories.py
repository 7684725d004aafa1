"""Calls of error factories: the payload that a call answers, with its arguments in the places of the parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import libcst as cst

from errlint.collect.expressions import dotted_name
from errlint.facts import Function
from errlint.fix.bindings import is_steady
from errlint.fix.forms.effects import is_constant, is_plain, truth
from errlint.fix.forms.payload import content_text
from errlint.fix.forms.variables import assigned, merged, stored
from errlint.fix.model import Refusal, refuse
from errlint.fix.parsed import Parsed
from errlint.fix.reflection import READERS
from errlint.fix.sources import Files
from errlint.fix.users.reach import siblings
from errlint.project import Project
from errlint.project.names import FunctionSymbol

MAX_CALLS = 4
"""Through how many factories a call is followed."""

_ODD = (cst.Lambda, cst.BaseComp, cst.NamedExpr, cst.Await, cst.Yield, cst.StarredElement)
_ATOMS = (
    cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.SimpleString, cst.FormattedString, cst.Integer, cst.Float,
    cst.Dict, cst.List, cst.Set,
)  # fmt: skip
_HARMLESS = frozenset({"str", "repr", "type", "len", "dict"})


class Given(NamedTuple):
    """What a call passes: an expression for each parameter, and the keywords that no parameter is named after."""

    values: Mapping[str, cst.BaseExpression]
    more: tuple[tuple[str, cst.BaseExpression], ...]
    more_name: str


def symbol_of(project: Project, parsed: Parsed, function: Function, value: cst.BaseExpression) -> FunctionSymbol | None:
    """Return the function of the project that an expression calls, ``None`` where it calls none or is no call."""
    name = dotted_name(value.func) if isinstance(value, cst.Call) else ""
    found = project.names.resolve(parsed.path, name, function.name) if name else None
    return found if isinstance(found, FunctionSymbol) else None


def expanded(
    project: Project, files: Files, parsed: Parsed, function: Function, call: cst.Call, depth: int = 0
) -> cst.BaseExpression:
    """Return what a call of a factory answers, as an expression of the calling function.

    Raises :class:`errlint.fix.model.Refusal` where that is not certain.
    """
    symbol = symbol_of(project, parsed, function, call)
    name = dotted_name(call.func)
    if symbol is None or depth > MAX_CALLS:
        raise refuse(f"it is not certain what `{name or 'a call'}` builds")
    root = name.partition(".")[0]
    own = definition(parsed, function)
    if root not in ("self", "cls") and not is_steady(parsed, own, root):
        raise refuse(f"`{root}` is bound more than once", parsed.path)
    theirs = files.parse(symbol.path)
    node = definition(theirs, symbol.function)
    place = theirs.path, symbol.function.span.line
    if node is None or symbol.function.is_async or symbol.function.is_generator:
        raise refuse(f"`{name}` is no plain function", *place)
    kinds = {dotted_name(item.decorator) for item in node.decorators}
    if not kinds <= {"staticmethod", "classmethod"}:
        raise refuse(f"`{name}` is decorated", *place)
    if any(siblings(project, symbol.path, symbol.function)):
        raise refuse(f"another method may be called in place of `{name}`", *place)
    receiver: cst.BaseExpression | None = None
    if symbol.function.owner and "staticmethod" not in kinds:
        if not isinstance(call.func, cst.Attribute) or root not in ("self", "cls"):
            raise refuse(f"it is not certain whose method `{name}` is", *place)
        receiver = call.func.value if not kinds else None
    given = bound_to(node, call, receiver, has_first=bool(symbol.function.owner) and "staticmethod" not in kinds)
    if given is None:
        raise refuse(f"it cannot be told which arguments of `{name}` go where", *place)
    body = _Body(project, files, theirs, symbol.function, given, depth)
    try:
        value = body.answer(node.body.body)
    except Refusal as refusal:
        doubt = refusal.doubt
        raise Refusal(doubt if doubt.path else doubt._replace(path=place[0], line=place[1])) from refusal
    _refuse_effects(name, given, body, call, place)
    for free in sorted(body.free):
        meant = project.names.resolve(symbol.path, free, symbol.function.name)
        is_same = meant is not None and meant == project.names.resolve(parsed.path, free, function.name)
        # The facts leave out most constants: in one file a name of the module is the same everywhere.
        is_own = symbol.path == parsed.path and is_steady(theirs, node, free)
        if not (is_same or is_own) or not is_steady(parsed, own, free):
            raise refuse(f"`{name}` uses `{free}`, which is not certain to be the same here")
    return value


def definition(parsed: Parsed, function: Function) -> cst.FunctionDef | None:
    """Return the node of a function in its file."""
    name = function.name.rpartition(".")[2]
    for item in parsed.definitions_by_name.get(name, ()):
        if function.span.line in (parsed.line(item), *(parsed.line(each) for each in item.decorators)):
            return item
    return None


def bound_to(
    node: cst.FunctionDef, call: cst.Call, receiver: cst.BaseExpression | None, *, has_first: bool
) -> Given | None:
    """Return what the parameters of a function are bound to by a call; ``None`` where that is not certain."""
    parameters = node.params
    if isinstance(parameters.star_arg, cst.Param) or any(item.star for item in call.args):
        return None
    positional = [*parameters.posonly_params, *parameters.params]
    values: dict[str, cst.BaseExpression] = {}
    if has_first:
        if not positional:
            return None
        first = positional.pop(0)
        if receiver is not None:
            values[first.name.value] = receiver
    everything = [*positional, *parameters.kwonly_params]
    names = {item.name.value for item in everything} - {item.name.value for item in parameters.posonly_params}
    more: list[tuple[str, cst.BaseExpression]] = []
    for index, argument in enumerate(call.args):
        if argument.keyword is None:
            if index >= len(positional):
                return None
            values[positional[index].name.value] = argument.value
        elif argument.keyword.value in names and argument.keyword.value not in values:
            values[argument.keyword.value] = argument.value
        elif parameters.star_kwarg is not None and argument.keyword.value not in values:
            more.append((argument.keyword.value, argument.value))
        else:
            return None
    for item in everything:
        if item.name.value not in values:
            if item.default is None or not is_constant(item.default):
                return None
            values[item.name.value] = item.default
    return Given(values, tuple(more), parameters.star_kwarg.name.value if parameters.star_kwarg is not None else "")


def _refuse_effects(name: str, given: Given, body: _Body, call: cst.Call, place: tuple[str, int]) -> None:
    """Refuse arguments that would run twice, never, or in another order, where somebody may notice."""
    passed = {**given.values, **{f"**{key}": value for key, value in given.more}}
    passed = {key: value for key, value in passed.items() if any(value is item.value for item in call.args)}
    odd = [key for key, value in passed.items() if not is_plain(value)]
    for key in odd:
        if body.used.count(key) != 1:
            raise refuse(
                f"`{name}` uses `{key.lstrip('*')}` not just once, and what is passed may do something", *place
            )
    if odd and not body.free <= _HARMLESS:
        raise refuse(f"`{name}` and what is passed to it may do something, one after the other", *place)
    if odd and sum(not is_constant(value) for value in passed.values()) > 1:
        order = [key for key in body.used if key in passed and not is_constant(passed[key])]
        if order != [key for key, value in passed.items() if not is_constant(value)]:
            raise refuse(f"the arguments of `{name}` would be evaluated in another order", *place)


class _Body:
    """Follows the straight line through the body of a factory for one call."""

    def __init__(
        self, project: Project, files: Files, parsed: Parsed, function: Function, given: Given, depth: int
    ) -> None:
        self._project, self._files, self._parsed, self._function = project, files, parsed, function
        self._given = given
        self._depth = depth
        self._values = dict(given.values)
        self.used: list[str] = []
        self.free: set[str] = set()

    def answer(self, statements: Iterable[cst.CSTNode]) -> cst.BaseExpression:
        """Return what the body answers; raises :class:`errlint.fix.model.Refusal` where it does anything else."""
        local: dict[str, cst.BaseExpression] = {}
        for node in self._line(statements):
            small = node.body[0] if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1 else None
            if isinstance(small, cst.Return) and small.value is not None:
                return self._put_in(_named(small.value, local))
            if isinstance(small, cst.Pass) or _is_docstring(small):
                continue
            name = _target(small)
            value = assigned(node, name) if name else None
            if value is not None and name not in self._values and name not in local:
                local[name] = _named(value, local)
                continue
            target = _subscripted(small)
            found = stored(node, target) if target in local else None
            if found is None:
                break
            whole = merged(local[target], [(found[0], _named(found[1], local))])
            if whole is None:
                break
            local[target] = whole
        raise refuse(f"`{self._function.name}` does more than to build a payload")

    def _line(self, statements: Iterable[cst.CSTNode]) -> Iterator[cst.CSTNode]:
        """Yield statements, those of the branches taken in place of an ``if`` that the arguments decide."""
        for node in statements:
            if not isinstance(node, cst.If):
                yield node
                continue
            known = self._decided(node.test)
            if known is None:
                raise refuse(f"`{self._function.name}` answers more than one payload")
            if known:
                yield from self._line(node.body.body)
            elif isinstance(node.orelse, cst.Else):
                yield from self._line(node.orelse.body.body)
            elif node.orelse is not None:
                yield from self._line([node.orelse])

    def _decided(self, test: cst.BaseExpression) -> bool | None:
        inner = test.expression if isinstance(test, cst.UnaryOperation) else test
        left = inner.left if isinstance(inner, cst.Comparison) else inner
        if not isinstance(left, cst.Name) or left.value not in self._values:
            return None
        put = self._values[left.value]
        inner = inner.with_changes(left=put) if isinstance(inner, cst.Comparison) else put
        known = truth(inner)
        is_not = isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not)
        return known if not is_not or known is None else not known

    def _put_in(self, value: cst.BaseExpression) -> cst.BaseExpression:
        inner = symbol_of(self._project, self._parsed, self._function, value)
        if isinstance(value, cst.Call) and inner is not None and dotted_name(value.func) != "dict":
            value = expanded(self._project, self._files, self._parsed, self._function, value, self._depth + 1)
        putter = _Putter(self._values, self._given)
        # What is around the text of an MCP result says nothing that an exception is told, whatever its names stand for.
        text = content_text(value)
        found = (text or value).visit(putter)
        assert isinstance(found, cst.BaseExpression)
        if text is not None:
            found = value.deep_replace(text, found)
            assert isinstance(found, cst.BaseExpression)
        self.used.extend(putter.used)
        self.free |= putter.free
        return found


def _is_docstring(small: cst.CSTNode | None) -> bool:
    return isinstance(small, cst.Expr) and isinstance(small.value, (cst.SimpleString, cst.ConcatenatedString))


def _target(small: cst.CSTNode | None) -> str:
    if isinstance(small, cst.AnnAssign):
        return dotted_name(small.target)
    return dotted_name(small.targets[0].target) if isinstance(small, cst.Assign) and len(small.targets) == 1 else ""


def _subscripted(small: cst.CSTNode | None) -> str:
    if isinstance(small, cst.Assign) and isinstance(small.targets[0].target, cst.Subscript):
        return dotted_name(small.targets[0].target.value)
    return ""


def _named(value: cst.BaseExpression, local: Mapping[str, cst.BaseExpression]) -> cst.BaseExpression:
    """Put what local names hold into an expression; each may be used once, or has to be plain."""
    if isinstance(value, cst.Name) and value.value in local:
        return local[value.value]
    putter = _Putter(local, Given({}, (), ""))
    found = value.visit(putter)
    assert isinstance(found, cst.BaseExpression)
    if any(not is_plain(local[name]) for name in putter.used):
        raise refuse("it puts a payload together in a way that is not followed")
    return found


_LOOKING_AROUND = READERS | {"_getframe", "currentframe", "globals", "stack", "super"}
"""What depends on the function, or on the module, in which it stands."""


class _Putter(cst.CSTTransformer):
    """Puts expressions in the places of names; ``used`` are those in order, ``free`` are all other names."""

    def __init__(self, values: Mapping[str, cst.BaseExpression], given: Given) -> None:
        super().__init__()
        self._values = values
        self._given = given
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
        """Put keywords in the place of what takes all that are left over."""
        elements: list[cst.BaseDictElement] = []
        for element in updated_node.elements:
            is_more = isinstance(element, cst.StarredDictElement) and isinstance(element.value, cst.Name)
            if is_more and self._given.more_name and element.value.value == self._given.more_name:  # type: ignore[attr-defined]
                self.free.discard(self._given.more_name)
                self.used.extend(f"**{key}" for key, _ in self._given.more)
                elements.extend(cst.DictElement(cst.SimpleString(f'"{key}"'), value) for key, value in self._given.more)
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
        parts: list[cst.BaseFormattedStringContent] = []
        for part in updated_node.parts:
            parts.extend(_part(updated_node, part))
        if any(isinstance(part, cst.FormattedStringExpression) for part in parts) or updated_node.prefix != "f":
            return updated_node.with_changes(parts=parts)
        raw = "".join(part.value for part in parts if isinstance(part, cst.FormattedStringText))
        return cst.SimpleString(f"{updated_node.quote}{raw.replace('{{', '{').replace('}}', '}')}{updated_node.quote}")


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
    is_bare = part.conversion is None and part.format_spec is None
    code = cst.Module([]).code_for_node(value)
    quote = text.quote
    if is_bare and isinstance(value, (cst.SimpleString, cst.FormattedString)) and not value.lpar:
        prefix = value.prefix.lower()
        same = value.quote == quote and prefix in ("", "f") and text.prefix.lower() == "f"
        if same and isinstance(value, cst.FormattedString):
            return tuple(value.parts)
        if same and isinstance(value, cst.SimpleString):
            return (cst.FormattedStringText(value.raw_value.replace("{", "{{").replace("}", "}}")),)
    if any(mark in code for mark in ("'", '"', "\\", "\n", "{", "!", ":", "#")):
        raise refuse("what is passed cannot stand inside the text that it becomes a part of")
    return (part,)
