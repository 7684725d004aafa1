"""A LibCST tree as that of ``ast``, place for place.

So nothing but this has to know of two kinds of trees, and what errlint says of a file depends on no interpreter's
grammar. Type parameters are left out: nothing asks for them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst
from libcst.helpers import get_full_name_for_node
from libcst.metadata import MetadataWrapper, PositionProvider

from errlint.reader.expressions import DEL, STORE, Expressions, operator
from errlint.reader.nodes import try_star, type_alias
from errlint.reader.patterns import Patterns
from errlint.reader.places import Places

_NO_TYPE_PARAMETERS: dict[str, Any] = {"type_params": []} if "type_params" in ast.FunctionDef._fields else {}


def lowered(module: cst.Module) -> ast.Module:
    """Return the tree of ``ast`` that says the same as one of LibCST."""
    positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    return ast.Module(body=_Statements(module, Places(module, positions)).block(module.body), type_ignores=[])


class _Statements:
    def __init__(self, module: cst.Module, places: Places) -> None:
        self._places = places
        self._expressions = Expressions(module, self._places)
        self._patterns = Patterns(self._places, self._expressions)
        self._simple: dict[type[cst.CSTNode], Callable[..., ast.stmt]] = {
            cst.Expr: self._expression, cst.Return: self._return, cst.Raise: self._raise, cst.Assert: self._assert,
            cst.Pass: lambda _: ast.Pass(), cst.Break: lambda _: ast.Break(), cst.Continue: lambda _: ast.Continue(),
            cst.Del: self._delete, cst.Assign: self._assign, cst.AnnAssign: self._annotated,
            cst.AugAssign: self._augmented, cst.Import: self._import, cst.LazyImport: self._import,
            cst.ImportFrom: self._import_from, cst.LazyImportFrom: self._import_from, cst.Global: self._global,
            cst.Nonlocal: self._nonlocal, cst.TypeAlias: self._type_alias,
        }  # fmt: skip
        self._compound: dict[type[cst.CSTNode], Callable[..., ast.stmt]] = {
            cst.FunctionDef: self._function, cst.ClassDef: self._class, cst.If: self._if, cst.For: self._for,
            cst.While: self._while, cst.With: self._with, cst.Try: self._try, cst.TryStar: self._try,
            cst.Match: self._match,
        }  # fmt: skip

    def block(self, body: Sequence[cst.CSTNode]) -> list[ast.stmt]:
        """Return the statements of a block, those apart that stand in one line."""
        found: list[ast.stmt] = []
        for node in body:
            if isinstance(node, cst.SimpleStatementLine):
                found.extend(map(self._small, node.body))
            elif isinstance(node, cst.BaseSmallStatement):
                found.append(self._small(node))
            else:
                statement = self._compound[type(node)](node)
                found.append(self._places.put_up_to(statement, self._places.of(node).start, _last(statement)))
        return found

    def _small(self, node: cst.CSTNode) -> ast.stmt:
        return self._places.put(self._simple[type(node)](node), *self._places.of(node))

    def _body(self, clause: cst.CSTNode | None) -> list[ast.stmt]:
        """Return the statements of a clause that may be missing."""
        return [] if clause is None else self.block(clause.body.body)  # type: ignore[attr-defined]

    # --- simple statements --------------------------------------------------------------------------------------

    def _expression(self, node: cst.Expr) -> ast.stmt:
        return ast.Expr(value=self._expressions.read(node.value))

    def _return(self, node: cst.Return) -> ast.stmt:
        return ast.Return(value=self._expressions.optional(node.value))

    def _raise(self, node: cst.Raise) -> ast.stmt:
        cause = self._expressions.read(node.cause.item) if node.cause else None
        return ast.Raise(exc=self._expressions.optional(node.exc), cause=cause)

    def _assert(self, node: cst.Assert) -> ast.stmt:
        return ast.Assert(test=self._expressions.read(node.test), msg=self._expressions.optional(node.msg))

    def _delete(self, node: cst.Del) -> ast.stmt:
        targets: list[cst.BaseExpression] = [node.target]
        if isinstance(node.target, cst.Tuple) and not node.target.lpar:
            targets = [each.value for each in node.target.elements]
        return ast.Delete(targets=[self._expressions.read(each, DEL) for each in targets])

    def _assign(self, node: cst.Assign) -> ast.stmt:
        targets = [self._expressions.read(each.target, STORE) for each in node.targets]
        return ast.Assign(targets=targets, value=self._expressions.read(node.value))

    def _annotated(self, node: cst.AnnAssign) -> ast.stmt:
        target: Any = self._expressions.read(node.target, STORE)
        annotation = self._expressions.read(node.annotation.annotation)
        is_name = isinstance(node.target, cst.Name) and not node.target.lpar
        value = self._expressions.optional(node.value)
        return ast.AnnAssign(target=target, annotation=annotation, value=value, simple=int(is_name))

    def _augmented(self, node: cst.AugAssign) -> ast.stmt:
        target: Any = self._expressions.read(node.target, STORE)
        sign: Any = operator(node.operator)
        return ast.AugAssign(target=target, op=sign, value=self._expressions.read(node.value))

    def _import(self, node: cst.Import) -> ast.stmt:
        return ast.Import(names=[self._alias(each) for each in node.names])

    def _import_from(self, node: cst.ImportFrom) -> ast.stmt:
        module = get_full_name_for_node(node.module) if node.module else None
        if isinstance(node.names, cst.ImportStar):
            names = [self._places.put(ast.alias(name="*"), *self._places.of(node.names))]
        else:
            names = [self._alias(each) for each in node.names]
        return ast.ImportFrom(module=module, names=names, level=len(node.relative))

    def _alias(self, node: cst.ImportAlias) -> ast.alias:
        start, end = self._places.of(node.name)
        if node.asname is not None:
            end = self._places.of(node.asname.name).end
        return self._places.put(ast.alias(name=node.evaluated_name, asname=node.evaluated_alias), start, end)

    def _global(self, node: cst.Global) -> ast.stmt:
        return ast.Global(names=[each.name.value for each in node.names])

    def _nonlocal(self, node: cst.Nonlocal) -> ast.stmt:
        return ast.Nonlocal(names=[each.name.value for each in node.names])

    def _type_alias(self, node: cst.TypeAlias) -> ast.stmt:
        name, value = self._expressions.read(node.name, STORE), self._expressions.read(node.value)
        return type_alias(name=name, type_params=[], value=value)

    # --- compound statements ------------------------------------------------------------------------------------

    def _function(self, node: cst.FunctionDef) -> ast.stmt:
        kind = ast.AsyncFunctionDef if node.asynchronous else ast.FunctionDef
        return kind(
            name=node.name.value,
            args=self._expressions.arguments(node.params),
            body=self._body(node),
            decorator_list=[self._expressions.read(each.decorator) for each in node.decorators],
            returns=self._expressions.read(node.returns.annotation) if node.returns else None,
            **_NO_TYPE_PARAMETERS,
        )

    def _class(self, node: cst.ClassDef) -> ast.stmt:
        bases, keywords = self._expressions.split((*node.bases, *node.keywords))
        decorators = [self._expressions.read(each.decorator) for each in node.decorators]
        return ast.ClassDef(
            name=node.name.value,
            bases=bases,
            keywords=keywords,
            body=self._body(node),
            decorator_list=decorators,
            **_NO_TYPE_PARAMETERS,
        )

    def _if(self, node: cst.If) -> ast.stmt:
        test, body = self._expressions.read(node.test), self._body(node)
        orelse = self.block([node.orelse]) if isinstance(node.orelse, cst.If) else self._body(node.orelse)
        return ast.If(test=test, body=body, orelse=orelse)

    def _for(self, node: cst.For) -> ast.stmt:
        kind = ast.AsyncFor if node.asynchronous else ast.For
        target, over = self._expressions.read(node.target, STORE), self._expressions.read(node.iter)
        return kind(target=target, iter=over, body=self._body(node), orelse=self._body(node.orelse))

    def _while(self, node: cst.While) -> ast.stmt:
        test = self._expressions.read(node.test)
        return ast.While(test=test, body=self._body(node), orelse=self._body(node.orelse))

    def _with(self, node: cst.With) -> ast.stmt:
        items = [
            ast.withitem(
                context_expr=self._expressions.read(each.item),
                optional_vars=self._expressions.read(each.asname.name, STORE) if each.asname else None,
            )
            for each in node.items
        ]
        kind = ast.AsyncWith if node.asynchronous else ast.With
        return kind(items=items, body=self._body(node))

    def _try(self, node: cst.Try | cst.TryStar) -> ast.stmt:
        make: Callable[..., ast.stmt] = try_star if isinstance(node, cst.TryStar) else ast.Try
        return make(
            body=self._body(node),
            handlers=[self._handler(each) for each in node.handlers],
            orelse=self._body(node.orelse),
            finalbody=self._body(node.finalbody),
        )

    def _handler(self, node: cst.ExceptHandler | cst.ExceptStarHandler) -> ast.ExceptHandler:
        name = cst.ensure_type(node.name.name, cst.Name).value if node.name else None
        found = ast.ExceptHandler(type=self._expressions.optional(node.type), name=name, body=self._body(node))
        return self._places.put_up_to(found, self._places.of(node).start, _last(found))

    def _match(self, node: cst.Match) -> ast.stmt:
        cases = [
            ast.match_case(
                pattern=self._patterns.read(each.pattern),
                guard=self._expressions.optional(each.guard),
                body=self._body(each),
            )
            for each in node.cases
        ]
        return ast.Match(subject=self._expressions.read(node.subject), cases=cases)


def _last(node: ast.AST) -> ast.stmt:
    """Return the statement with which a compound one ends, or a clause of it."""
    for name in ("finalbody", "orelse", "handlers", "cases", "body"):
        if found := getattr(node, name, None):
            return found[-1] if isinstance(found[-1], ast.stmt) else _last(found[-1])
    raise AssertionError(node)
