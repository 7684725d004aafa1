"""What a file reads and binds by names, and what is around each place."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from errlint.index.bindings import COMPREHENSIONS, FunctionNode, names_bound
from errlint.index.scopes import own_names
from errlint.index.uses import maker
from errlint.trees import children, walk


class NameUse(NamedTuple):
    """A name that is read or bound; ``given_to`` is what is called with it as an argument, ``None`` for no call.

    ``statement`` is the innermost one around it, ``function`` the qualified name of the function around that ("" at
    module level), ``owner`` that of the class in whose body it stands, "" elsewhere. ``is_variable`` is true where the
    first part of the name is a parameter or a variable of a function, a lambda or a comprehension; ``is_decorator``
    where what has the name decorates something, or makes what does.
    """

    node: ast.Name | ast.Attribute
    given_to: ast.expr | None
    statement: ast.stmt
    function: str
    owner: str
    is_variable: bool
    is_decorator: bool

    @property
    def asked(self) -> str:
        """What stands there, as :class:`errlint.project.objects.Objects` is asked for it: ``shelf().find``."""
        if isinstance(self.node, ast.Attribute) and (made := maker(self.node.value)):
            return f"{made}.{self.node.attr}"
        return ast.unparse(self.node)


class _Context(NamedTuple):
    """What is around a node, as in :class:`NameUse`; ``prefix`` stands before the names of definitions in it."""

    statement: ast.stmt | None = None
    given_to: ast.expr | None = None
    function: str = ""
    prefix: str = ""
    owner: str = ""
    variables: frozenset[str] = frozenset()
    is_decorator: bool = False


def uses_in(tree: ast.Module) -> tuple[Mapping[str, Sequence[NameUse]], Mapping[str, Sequence[NameUse]]]:
    """Return what is read, and what is bound."""
    read: dict[str, list[NameUse]] = {}
    bound: dict[str, list[NameUse]] = {}
    pending: list[tuple[ast.AST, _Context]] = [(tree, _Context())]
    while pending:
        node, around = pending.pop()
        if isinstance(node, (ast.Name, ast.Attribute)):
            last = node.id if isinstance(node, ast.Name) else node.attr
            statement, given_to, function, _, owner, variables, is_decorator = around
            assert statement is not None
            use = NameUse(node, given_to, statement, function, owner, _root(node) in variables, is_decorator)
            (read if isinstance(node.ctx, ast.Load) else bound).setdefault(last, []).append(use)
        pending.extend(reversed(list(_parts(node, around))))
    return read, bound


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _parts(node: ast.AST, around: _Context) -> Iterator[tuple[ast.AST, _Context]]:
    """Yield the parts of a node, with what is around each."""
    if isinstance(node, ast.stmt):
        around = around._replace(statement=node)
    if isinstance(node, ast.Attribute):
        yield node.value, around._replace(is_decorator=False) if around.is_decorator else around
        return
    is_plain = around.given_to is None and not around.is_decorator
    plain = around if is_plain else around._replace(given_to=None, is_decorator=False)
    if isinstance(node, ast.Call):
        yield node.func, plain._replace(is_decorator=True) if around.is_decorator else plain
        handed = plain._replace(given_to=node.func)
        yield from ((item, handed) for item in node.args)
        yield from ((item.value, handed) for item in node.keywords)
        return
    if not isinstance(node, (*FunctionNode, ast.ClassDef, ast.Lambda, *COMPREHENSIONS)):
        yield from ((part, plain) for part in children(node))
        return
    decorators = () if isinstance(node, (ast.Lambda, *COMPREHENSIONS)) else {id(item) for item in node.decorator_list}
    scope, inside = _scope(node, plain)
    for part in children(node):
        is_decorator = id(part) in decorators
        yield part, scope if id(part) in inside else plain._replace(is_decorator=is_decorator)


def _scope(node: ast.AST, around: _Context) -> tuple[_Context, Collection[int]]:
    """Return what is around the parts of a node that are in a scope of their own, and these parts by ``id``."""
    if isinstance(node, COMPREHENSIONS):
        made = {name for each in node.generators for item in walk(each.target) for name in names_bound(item)}
        parts = {id(item) for item in children(node)}
        return around._replace(variables=around.variables | made), parts
    if isinstance(node, ast.Lambda):
        return around._replace(variables=around.variables | own_names(node)[0]), {id(node.body)}
    assert isinstance(node, (*FunctionNode, ast.ClassDef))
    parts = {id(item) for item in node.body}
    name = f"{around.prefix}{node.name}"
    scope = around._replace(prefix=f"{name}.", owner="")
    if isinstance(node, ast.ClassDef):
        return scope._replace(owner=name), parts
    variables, others = own_names(node)
    return scope._replace(function=name, variables=(around.variables - others) | variables), parts
