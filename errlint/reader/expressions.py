"""Expressions of LibCST as those of ``ast``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import libcst as cst
from libcst.metadata import CodePosition

from errlint.reader.places import Extent, Places
from errlint.reader.strings import Strings

LOAD, STORE, DEL = ast.Load(), ast.Store(), ast.Del()

_CONSTANTS = {"True": True, "False": False, "None": None}

_OPERATORS: dict[type[cst.CSTNode], type[ast.AST]] = {
    cst.Add: ast.Add, cst.Subtract: ast.Sub, cst.Multiply: ast.Mult, cst.Divide: ast.Div, cst.FloorDivide: ast.FloorDiv,
    cst.Modulo: ast.Mod, cst.Power: ast.Pow, cst.LeftShift: ast.LShift, cst.RightShift: ast.RShift,
    cst.BitOr: ast.BitOr, cst.BitAnd: ast.BitAnd, cst.BitXor: ast.BitXor, cst.MatrixMultiply: ast.MatMult,
    cst.AddAssign: ast.Add, cst.SubtractAssign: ast.Sub, cst.MultiplyAssign: ast.Mult, cst.DivideAssign: ast.Div,
    cst.FloorDivideAssign: ast.FloorDiv, cst.ModuloAssign: ast.Mod, cst.PowerAssign: ast.Pow,
    cst.LeftShiftAssign: ast.LShift, cst.RightShiftAssign: ast.RShift, cst.BitOrAssign: ast.BitOr,
    cst.BitAndAssign: ast.BitAnd, cst.BitXorAssign: ast.BitXor, cst.MatrixMultiplyAssign: ast.MatMult,
    cst.And: ast.And, cst.Or: ast.Or,
    cst.Plus: ast.UAdd, cst.Minus: ast.USub, cst.BitInvert: ast.Invert, cst.Not: ast.Not,
    cst.LessThan: ast.Lt, cst.GreaterThan: ast.Gt, cst.Equal: ast.Eq, cst.LessThanEqual: ast.LtE,
    cst.GreaterThanEqual: ast.GtE, cst.NotEqual: ast.NotEq, cst.In: ast.In, cst.NotIn: ast.NotIn, cst.Is: ast.Is,
    cst.IsNot: ast.IsNot,
}  # fmt: skip


def operator(node: cst.CSTNode) -> Any:
    """Return the sign of an operation."""
    return _OPERATORS[type(node)]()


class Expressions:
    """Reads the expressions of one file."""

    def __init__(self, module: cst.Module, places: Places) -> None:
        self._places = places
        self._strings = Strings(module, places, self.read)
        self._readers: dict[type[cst.CSTNode], Callable[..., ast.expr]] = {
            cst.Name: self._name, cst.Ellipsis: self._number, cst.Integer: self._number, cst.Float: self._number,
            cst.Imaginary: self._number, cst.Attribute: self._attribute, cst.Subscript: self._subscript,
            cst.Tuple: self._tuple, cst.List: self._list, cst.StarredElement: self._starred, cst.Set: self._set,
            cst.Dict: self._dict, cst.Call: self._call, cst.Comparison: self._comparison,
            cst.BooleanOperation: self._boolean, cst.BinaryOperation: self._binary, cst.UnaryOperation: self._unary,
            cst.IfExp: self._conditional, cst.Lambda: self._lambda, cst.Await: self._await, cst.Yield: self._yield,
            cst.NamedExpr: self._named, cst.GeneratorExp: self._generator, cst.ListComp: self._comprehension,
            cst.SetComp: self._comprehension, cst.DictComp: self._dict_comprehension,
            cst.StarredDictComp: self._dict_comprehension, cst.SimpleString: self._strings.read,
            cst.ConcatenatedString: self._strings.read, cst.FormattedString: self._strings.read,
            cst.TemplatedString: self._strings.read,
        }  # fmt: skip

    def read(self, node: cst.CSTNode, context: ast.expr_context = LOAD) -> ast.expr:
        """Return an expression; ``context`` says whether its value is asked for, set or deleted."""
        reader = self._readers[type(node)]
        return reader(node, context) if isinstance(node, _WITH_CONTEXT) else reader(node)

    def optional(self, node: cst.CSTNode | None) -> ast.expr | None:
        """Return an expression that may be missing."""
        return None if node is None else self.read(node)

    def arguments(self, given: cst.Parameters) -> ast.arguments:
        """Return the parameters of a function."""
        in_order = (*given.posonly_params, *given.params)
        return ast.arguments(
            posonlyargs=[self._parameter(each) for each in given.posonly_params],
            args=[self._parameter(each) for each in given.params],
            vararg=self._parameter(given.star_arg) if isinstance(given.star_arg, cst.Param) else None,
            kwonlyargs=[self._parameter(each) for each in given.kwonly_params],
            kw_defaults=[self.optional(each.default) for each in given.kwonly_params],
            kwarg=self._parameter(given.star_kwarg) if given.star_kwarg else None,
            defaults=[self.read(each.default) for each in in_order if each.default],
        )

    def split(self, given: Sequence[cst.Arg]) -> tuple[list[ast.expr], list[ast.keyword]]:
        """Return the arguments of a call, or of the header of a class: those by their place, and those by name."""
        args: list[ast.expr] = []
        keywords: list[ast.keyword] = []
        for each in given:
            start, end = self._places.of(each)
            if each.keyword is not None or each.star == "**":
                name = each.keyword.value if each.keyword else None
                keywords.append(self._places.put(ast.keyword(arg=name, value=self.read(each.value)), start, end))
            elif each.star:
                args.append(self._places.put(ast.Starred(value=self.read(each.value), ctx=LOAD), start, end))
            else:
                args.append(self.read(each.value))
        return args, keywords

    def _parameter(self, node: cst.Param) -> ast.arg:
        start, end = self._places.of(node.name)
        annotation = None
        if node.annotation is not None:
            annotation = self.read(node.annotation.annotation)
            end = self._places.around(node.annotation.annotation).end
        return self._places.put(ast.arg(arg=node.name.value, annotation=annotation), start, end)

    def _put(self, found: ast.expr, node: cst.CSTNode) -> ast.expr:
        return self._places.put(found, *self._places.of(node))

    # --- names and values ---------------------------------------------------------------------------------------

    def _name(self, node: cst.Name, context: ast.expr_context) -> ast.expr:
        if node.value in _CONSTANTS:
            return self._put(ast.Constant(value=_CONSTANTS[node.value]), node)
        return self._put(ast.Name(id=node.value, ctx=context), node)

    def _number(self, node: cst.Ellipsis | cst.BaseNumber) -> ast.expr:
        value = ast.literal_eval(node.value) if isinstance(node, cst.BaseNumber) else ...  # type: ignore[attr-defined]
        return self._put(ast.Constant(value=value), node)

    def _attribute(self, node: cst.Attribute, context: ast.expr_context) -> ast.expr:
        return self._put(ast.Attribute(value=self.read(node.value), attr=node.attr.value, ctx=context), node)

    def _subscript(self, node: cst.Subscript, context: ast.expr_context) -> ast.expr:
        last = node.slice[-1]
        items = [self._slice(each.slice) for each in node.slice]
        part = items[0]
        if len(items) > 1 or isinstance(last.comma, cst.Comma) or isinstance(part, ast.Starred):
            start = self._sliced(node.slice[0].slice).start
            end = self._places.behind(last.comma) if isinstance(last.comma, cst.Comma) else self._sliced(last.slice).end
            part = self._places.put(ast.Tuple(elts=items, ctx=LOAD), start, end)
        return self._put(ast.Subscript(value=self.read(node.value), slice=part, ctx=context), node)

    def _slice(self, node: cst.BaseSlice) -> ast.expr:
        if isinstance(node, cst.Slice):
            step = self.optional(node.step)
            found = ast.Slice(lower=self.optional(node.lower), upper=self.optional(node.upper), step=step)
            return self._places.put(found, *self._sliced(node))
        index = cst.ensure_type(node, cst.Index)
        if index.star:
            return self._places.put(ast.Starred(value=self.read(index.value), ctx=LOAD), *self._sliced(node))
        return self.read(index.value)

    def _sliced(self, node: cst.BaseSlice) -> Extent:
        if isinstance(node, cst.Index) and not node.star:
            return self._places.around(node.value)
        return self._places.of(node)

    # --- collections --------------------------------------------------------------------------------------------

    def _items(self, node: cst.Tuple | cst.List | cst.Set, context: ast.expr_context) -> list[ast.expr]:
        return [
            self._starred(each, context) if isinstance(each, cst.StarredElement) else self.read(each.value, context)
            for each in node.elements
        ]

    def _tuple(self, node: cst.Tuple, context: ast.expr_context) -> ast.expr:
        start, end = self._places.in_parentheses(node)
        comma = node.elements[-1].comma if node.elements else None
        if not node.lpar and isinstance(comma, cst.Comma):
            end = self._places.behind(comma)
        return self._places.put(ast.Tuple(elts=self._items(node, context), ctx=context), start, end)

    def _list(self, node: cst.List, context: ast.expr_context) -> ast.expr:
        return self._put(ast.List(elts=self._items(node, context), ctx=context), node)

    def _set(self, node: cst.Set) -> ast.expr:
        return self._put(ast.Set(elts=self._items(node, LOAD)), node)

    def _starred(self, node: cst.StarredElement, context: ast.expr_context) -> ast.expr:
        found = ast.Starred(value=self.read(node.value, context), ctx=context)
        return self._places.put(found, self._places.of(node).start, self._places.around(node.value).end)

    def _dict(self, node: cst.Dict) -> ast.expr:
        keys = [self.read(each.key) if isinstance(each, cst.DictElement) else None for each in node.elements]
        return self._put(ast.Dict(keys=keys, values=[self.read(each.value) for each in node.elements]), node)

    # --- comprehensions -----------------------------------------------------------------------------------------

    def _generators(self, node: cst.CompFor | None) -> Iterator[ast.comprehension]:
        while node is not None:
            yield ast.comprehension(
                target=self.read(node.target, STORE),
                iter=self.read(node.iter),
                ifs=[self.read(each.test) for each in node.ifs],
                is_async=int(node.asynchronous is not None),
            )
            node = node.inner_for_in

    def _generator(self, node: cst.GeneratorExp) -> ast.expr:
        found = ast.GeneratorExp(elt=self.read(node.elt), generators=[*self._generators(node.for_in)])
        return self._places.put(found, *self._places.in_parentheses(node))

    def _comprehension(self, node: cst.ListComp | cst.SetComp) -> ast.expr:
        kind = ast.ListComp if isinstance(node, cst.ListComp) else ast.SetComp
        return self._put(kind(elt=self.read(node.elt), generators=[*self._generators(node.for_in)]), node)

    def _dict_comprehension(self, node: cst.DictComp | cst.StarredDictComp) -> ast.expr:
        """``{**one for one in …}`` has its mapping as the key, and no value that says anything."""
        if isinstance(node, cst.DictComp):
            key, value = self.read(node.key), self.read(node.value)
        else:
            key, value = self.read(node.value), self._put(ast.Constant(value=None), node.value)
        return self._put(ast.DictComp(key=key, value=value, generators=[*self._generators(node.for_in)]), node)

    # --- operations ---------------------------------------------------------------------------------------------

    def _call(self, node: cst.Call) -> ast.expr:
        args, keywords = self.split(node.args)
        end = self._places.of(node).end
        only = node.args[0].value if len(node.args) == 1 else None
        if isinstance(only, cst.GeneratorExp) and not only.lpar:
            # The parentheses are those of the call; the generator has them, too.
            before = self._places.of(node.whitespace_before_args).start
            self._places.put(args[0], CodePosition(before.line, before.column - 1), end)
        return self._put(ast.Call(func=self.read(node.func), args=args, keywords=keywords), node)

    def _comparison(self, node: cst.Comparison) -> ast.expr:
        found = ast.Compare(
            left=self.read(node.left),
            ops=[operator(each.operator) for each in node.comparisons],
            comparators=[self.read(each.comparator) for each in node.comparisons],
        )
        return self._put(found, node)

    def _boolean(self, node: cst.BooleanOperation) -> ast.expr:
        kind = type(node.operator)
        values = [node.right]
        left = node.left
        while isinstance(left, cst.BooleanOperation) and type(left.operator) is kind and not left.lpar:
            values.append(left.right)
            left = left.left
        values.append(left)
        found = ast.BoolOp(op=operator(node.operator), values=[self.read(each) for each in reversed(values)])
        return self._put(found, node)

    def _binary(self, node: cst.BinaryOperation) -> ast.expr:
        left, right = self.read(node.left), self.read(node.right)
        return self._put(ast.BinOp(left=left, op=operator(node.operator), right=right), node)

    def _unary(self, node: cst.UnaryOperation) -> ast.expr:
        return self._put(ast.UnaryOp(op=operator(node.operator), operand=self.read(node.expression)), node)

    def _conditional(self, node: cst.IfExp) -> ast.expr:
        test, body, orelse = (self.read(each) for each in (node.test, node.body, node.orelse))
        return self._put(ast.IfExp(test=test, body=body, orelse=orelse), node)

    def _lambda(self, node: cst.Lambda) -> ast.expr:
        return self._put(ast.Lambda(args=self.arguments(node.params), body=self.read(node.body)), node)

    def _await(self, node: cst.Await) -> ast.expr:
        return self._put(ast.Await(value=self.read(node.expression)), node)

    def _yield(self, node: cst.Yield) -> ast.expr:
        if isinstance(node.value, cst.From):
            return self._put(ast.YieldFrom(value=self.read(node.value.item)), node)
        return self._put(ast.Yield(value=self.optional(node.value)), node)

    def _named(self, node: cst.NamedExpr) -> ast.expr:
        target = cast("ast.Name", self.read(node.target, STORE))
        return self._put(ast.NamedExpr(target=target, value=self.read(node.value)), node)


_WITH_CONTEXT = (cst.Name, cst.Attribute, cst.Subscript, cst.Tuple, cst.List, cst.StarredElement)
