"""What a file binds: imports, and the names that each function binds itself, so that they mean another thing there.

The walk goes over statements only, since no expression but an assignment expression binds a name in the scope it
stands in. What is bound in comprehensions and lambdas holds in these alone and is not a part of a function's scope.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Sequence

from msgspec import structs

from errlint.facts import FunctionNames, Import, Module
from errlint.index.alternatives import Binding, Branches, Flow, alternatives
from errlint.index.bindings import (
    FunctionNode,
    WalrusLines,
    assigned,
    clause_names,
    parameter_names,
    target_names,
    targets_of,
)
from errlint.index.catching import suppressed
from errlint.index.expressions import names_below
from errlint.index.statements import blocks, ends_process

BUILTINS = frozenset(dir(builtins))


class Block:
    """What is bound in a module, function or class, and the functions in it with their qualified names.

    ``defined`` are the names of what is defined or imported, ``variables`` those of all else, parameters included.
    ``of_module`` are those that ``global`` says to be the module's, ``of_outer`` those that ``nonlocal`` says to be
    of a function around it. ``imports`` are all of the file, in the order of the text; ``flow`` is that of a module.
    """

    __slots__ = ("defined", "flow", "functions", "imports", "of_module", "of_outer", "variables")

    def __init__(self, parameters: Iterable[str] = (), imports: list[Import] | None = None) -> None:
        self.variables: set[str] = {*parameters}
        self.defined: set[str] = set()
        self.of_module: set[str] = set()
        self.of_outer: set[str] = set()
        self.functions: list[tuple[str, Block]] = []
        self.imports: list[Import] = [] if imports is None else imports
        self.flow: Flow = ()

    @property
    def own(self) -> set[str]:
        """The names that have their meaning here."""
        return (self.variables | self.defined) - self.of_module - self.of_outer


def read(tree: ast.Module, walruses: WalrusLines | None) -> Block:
    """Return what a file binds; ``walruses`` are where its expressions may bind names, ``None``: anywhere."""
    module = Block()
    _ScopeReader(walruses).read(tree.body, "", module)
    module.flow = _flow(tree.body)
    return module


def bound(facts: Module, module: Block) -> Module:
    """Return facts with what a file binds: imports, scopes of the functions that hide a name, and alternatives.

    The names are among them that functions bind in the module.
    """
    return structs.replace(
        facts,
        imports=tuple(dict.fromkeys(module.imports)),
        scopes=scopes(module),
        alternatives=alternatives(module.flow),
        set_by_functions=tuple(sorted({*_set_by_functions(module)})),
    )


def _set_by_functions(block: Block) -> Iterator[str]:
    for _, inner in block.functions:
        yield from inner.of_module & (inner.variables | inner.defined)
        yield from _set_by_functions(inner)


def scopes(module: Block) -> tuple[FunctionNames, ...]:
    """Return the scopes of the functions of a file, those left out that hide nothing."""
    has_star = any(item.name == "*" for item in module.imports)
    hidden: dict[str, set[str]] = {}
    shown: dict[str, set[str]] = {}
    pending = [(name, block, module.own | BUILTINS, frozenset[str]()) for name, block in reversed(module.functions)]
    while pending:
        name, block, around, outer = pending.pop()
        own = block.own
        if found := own if has_star else own & around:
            hidden.setdefault(name, set()).update(found)
        if found := block.of_module & outer:
            shown.setdefault(name, set()).update(found)
        pending.extend((inner, each, around | own, outer | own) for inner, each in reversed(block.functions))
    return tuple(
        FunctionNames(name, tuple(sorted(hidden.get(name, ()))), tuple(sorted(shown.get(name, ()))))
        for name in dict.fromkeys((*hidden, *shown))
    )


def bound_in(node: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """Return the names that have their meaning in a function, and not in a scope around it."""
    return frozenset(_block(node).own)


def _block(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Block:
    block = Block(parameter_names(node.args))
    if isinstance(node, ast.Lambda):
        block.variables.update(_walrus(node.body))
    else:
        _ScopeReader(None).read(node.body, "", block)
    return block


def own_names(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names that are parameters or variables of a function, and those that stand for anything else there.

    The others are defined or imported in it, or said to be those of a scope around it.
    """
    block = _block(node)
    others = block.defined | block.of_module | block.of_outer
    return frozenset(block.variables - others), frozenset(others)


class _ScopeReader:
    def __init__(self, walruses: WalrusLines | None) -> None:
        self._walruses = walruses

    def read(self, body: Sequence[ast.stmt], prefix: str, found: Block) -> None:
        """Note what the statements of a function, class or module bind; ``prefix`` stands before names in it."""
        variables, defined = found.variables, found.defined
        pending = [*reversed(body)]
        while pending:
            node = pending.pop()
            kind = type(node)
            if self._walruses is None or self._walruses.are_in(node):
                variables.update(_walrus(node))
            if kind is ast.Expr or kind is ast.Return or kind is ast.Raise or kind is ast.Pass:
                continue
            if type(node) is ast.Assign:  # most statements that bind anything
                for target in node.targets:
                    if type(target) is ast.Name:
                        variables.add(target.id)
                    else:
                        variables.update(target_names(target))
            elif type(node) is ast.If:
                pending.extend(reversed(node.orelse))
                pending.extend(reversed(node.body))
            elif isinstance(node, FunctionNode):
                defined.add(node.name)
                block = Block(parameter_names(node.args), found.imports)
                self.read(node.body, f"{prefix}{node.name}.", block)
                found.functions.append((f"{prefix}{node.name}", block))
            elif isinstance(node, ast.ClassDef):
                defined.add(node.name)
                block = Block((), found.imports)
                self.read(node.body, f"{prefix}{node.name}.", block)
                found.functions.extend(block.functions)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                for item in imported(node, prefix[:-1]):
                    defined.add(item.name)
                    found.imports.append(item)
            elif isinstance(node, ast.Global):
                found.of_module.update(node.names)
            elif isinstance(node, ast.Nonlocal):
                found.of_outer.update(node.names)
            elif isinstance(node, ast.Delete):
                for target in node.targets:
                    variables.update(target_names(target))
            else:
                for target in targets_of(node):
                    variables.update(target_names(target))
                variables.update(clause_names(node))
                if type(node).__name__ == "TypeAlias":  # `type X = …`, which older typesheds do not have
                    variables.update(target_names(node.name))  # type: ignore[attr-defined]
                pending.extend(reversed([inner for block in blocks(node) for inner in block]))


def imported(node: ast.AST, scope: str = "", *, is_whole: bool = False) -> Iterator[Import]:
    """Yield what an import statement in a function or class binds, nothing for any other node.

    ``import a.b`` binds ``a``; where ``is_whole`` is true, that is told as an import of ``a.b`` by that name.
    """
    if isinstance(node, ast.ImportFrom):
        module = "." * node.level + (node.module or "")
        yield from (Import(alias.asname or alias.name, module, alias.name, scope) for alias in node.names)
    elif isinstance(node, ast.Import):
        for alias in node.names:
            module = alias.name if alias.asname or is_whole else alias.name.partition(".")[0]
            yield Import(alias.asname or module, module, "", scope)


def _flow(body: Sequence[ast.stmt]) -> list[Binding | Branches]:
    """Return what the statements of a block bind; a branch that ends in a raise, or the process, counts for nothing."""
    found: list[Binding | Branches] = []
    for node in body:
        if isinstance(node, (*FunctionNode, ast.ClassDef)):
            found.append(Binding(node.name, node.lineno))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found.extend(Binding(item.name, 0) for item in imported(node))
        elif isinstance(node, ast.If):
            found.append(_branches(node.body, node.orelse))
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            found.append(_branches(node.body, ()))
            found.extend(_flow(node.orelse))
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            if suppressed(node) is None:
                found.extend(_flow(node.body))
            else:
                found.append(_branches(node.body, ()))
        elif isinstance(node, ast.Match):
            found.append(_branches(*(case.body for case in node.cases), ()))
        elif hasattr(node, "handlers"):
            handlers = (handler.body for handler in node.handlers)
            found.append(_branches([*node.body, *node.orelse], *handlers))  # type: ignore[attr-defined]
            found.extend(_flow(node.finalbody))  # type: ignore[attr-defined]
        for target, value in assigned(node):
            # What is made of a function and gets its name, `find = traced(find)`, stands for it still.
            own = set(names_below(value)) if isinstance(value, ast.Call) else ()
            found.extend(Binding(name, 0) for name in target_names(target) if name not in own)
    return found


def _branches(*blocks: Sequence[ast.stmt]) -> Branches:
    return Branches(tuple(_flow(each) for each in blocks if not each or not _is_last(each[-1])))


def _is_last(node: ast.stmt) -> bool:
    """Whether nothing of a module runs behind a statement."""
    return isinstance(node, ast.Raise) or ends_process(node)


def _walrus(node: ast.stmt | ast.expr) -> Iterator[str]:
    """Yield what the assignment expressions in a node bind, those of the statements below it left out.

    One in a comprehension binds in the scope around that, one in a lambda in the lambda.
    """
    pending: list[ast.AST] = [*ast.iter_child_nodes(node)] if isinstance(node, ast.stmt) else [node]
    while pending:
        part = pending.pop()
        if isinstance(part, ast.NamedExpr):
            yield part.target.id
        if isinstance(part, ast.Lambda):
            pending.append(part.args)
        elif not isinstance(part, ast.stmt):
            pending.extend(ast.iter_child_nodes(part))
