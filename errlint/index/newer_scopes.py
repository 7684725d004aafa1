"""What a file binds that the interpreter cannot parse: the same as :mod:`errlint.index.scopes`, from LibCST.

LibCST's own ``ScopeProvider`` is not asked: it knows neither ``del`` nor the names that patterns bind, takes an
assignment expression in a comprehension to bind in that, and ``nonlocal`` to mean the next function outwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import libcst as cst
from libcst import matchers
from libcst.helpers import get_full_name_for_node

from errlint.facts import Import
from errlint.index.alternatives import Binding, Branches
from errlint.index.scopes import Block

LineOf = Callable[[cst.FunctionDef | cst.ClassDef], int]
"""Tells the line of a definition, from 1."""


def read(module: cst.Module, line_of: LineOf) -> Block:
    """Return what a file binds."""
    reader = _Reader()
    module.visit(reader)
    reader.module.flow = _flow(module, line_of)
    return reader.module


class _Reader(cst.CSTVisitor):
    """Notes what binds a name, in the block that it stands in.

    Lambdas have blocks of their own, which are forgotten. What a comprehension goes through is not noted.
    """

    def __init__(self) -> None:
        super().__init__()
        self.module = Block()
        self._blocks = [self.module]
        self._prefixes = [""]

    @property
    def _block(self) -> Block:
        return self._blocks[-1]

    # --- blocks -------------------------------------------------------------------------------------------------

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        """Read the decorators and the defaults where they stand, the rest in a block of its own."""
        self._block.defined.add(node.name.value)
        for decorator in node.decorators:
            decorator.visit(self)
        self._defaults(node.params)
        name = f"{self._prefixes[-1]}{node.name.value}"
        block = Block(_parameters(node.params), self.module.imports)
        self._block.functions.append((name, block))
        self._read(node.body, block, f"{name}.")
        return False

    def visit_ClassDef(self, node: cst.ClassDef) -> bool:
        """Read the header where it stands, the rest in a block of its own, of which only the functions are kept."""
        self._block.defined.add(node.name.value)
        for part in (*node.decorators, *node.bases, *node.keywords):
            part.visit(self)
        block = Block((), self.module.imports)
        self._read(node.body, block, f"{self._prefixes[-1]}{node.name.value}.")
        self._block.functions.extend(block.functions)
        return False

    def visit_Lambda(self, node: cst.Lambda) -> bool:
        """Read the defaults where they stand, the rest in a block that is forgotten."""
        self._defaults(node.params)
        self._read(node.body, Block(), "")
        return False

    def _read(self, node: cst.CSTNode, block: Block, prefix: str) -> None:
        self._blocks.append(block)
        self._prefixes.append(prefix)
        node.visit(self)
        self._blocks.pop()
        self._prefixes.pop()

    def _defaults(self, given: cst.Parameters) -> None:
        for item in (*given.posonly_params, *given.params, *given.kwonly_params):
            if item.default is not None:
                item.default.visit(self)

    # --- what binds ---------------------------------------------------------------------------------------------

    def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
        """``name = …``."""
        self._bind(node.target)

    def visit_AnnAssign(self, node: cst.AnnAssign) -> None:
        """``name: …``."""
        self._bind(node.target)

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        """``name += …``."""
        self._bind(node.target)

    def visit_NamedExpr(self, node: cst.NamedExpr) -> None:
        """``name := …``."""
        self._bind(node.target)

    def visit_For(self, node: cst.For) -> None:
        """``for name in …``."""
        self._bind(node.target)

    def visit_Del(self, node: cst.Del) -> None:
        """``del name``."""
        self._bind(node.target)

    def visit_WithItem(self, node: cst.WithItem) -> None:
        """``with … as name``."""
        if node.asname is not None:
            self._bind(node.asname.name)

    def visit_ExceptHandler(self, node: cst.ExceptHandler) -> None:
        """``except … as name``."""
        if node.name is not None:
            self._bind(node.name.name)

    def visit_ExceptStarHandler(self, node: cst.ExceptStarHandler) -> None:
        """``except* … as name``."""
        if node.name is not None:
            self._bind(node.name.name)

    def visit_MatchAs(self, node: cst.MatchAs) -> None:
        """``case name`` and ``case … as name``."""
        self._bind(node.name)

    def visit_MatchStar(self, node: cst.MatchStar) -> None:
        """``case [*name]``."""
        self._bind(node.name)

    def visit_MatchMapping(self, node: cst.MatchMapping) -> None:
        """``case {**name}``."""
        self._bind(node.rest)

    def visit_TypeAlias(self, node: cst.TypeAlias) -> None:
        """``type name = …``."""
        self._bind(node.name)

    def visit_Import(self, node: cst.Import) -> bool:
        """``import …``: a dotted name binds its first part."""
        for alias in node.names:
            name = alias.evaluated_alias or ""
            module = alias.evaluated_name if name else alias.evaluated_name.partition(".")[0]
            self._import(name or module, module, "")
        return False

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
        """``from … import …``."""
        module = "." * len(node.relative) + (get_full_name_for_node(node.module) or "" if node.module else "")
        if isinstance(node.names, cst.ImportStar):
            self._import("*", module, "*")
        else:
            for alias in node.names:
                self._import(alias.evaluated_alias or alias.evaluated_name, module, alias.evaluated_name)
        return False

    def _import(self, name: str, module: str, attribute: str) -> None:
        self._block.defined.add(name)
        self._block.imports.append(Import(name, module, attribute, self._prefixes[-1][:-1]))

    def visit_Global(self, node: cst.Global) -> None:
        """``global name``."""
        self._block.of_module.update(item.name.value for item in node.names)

    def visit_Nonlocal(self, node: cst.Nonlocal) -> None:
        """``nonlocal name``."""
        self._block.of_outer.update(item.name.value for item in node.names)

    def _bind(self, target: cst.CSTNode | None) -> None:
        self._block.variables.update(_targets(target))


def _targets(node: cst.CSTNode | None) -> Iterator[str]:
    """Yield the names that an assignment to ``node`` binds; an attribute and an item bind none."""
    if isinstance(node, cst.Name):
        yield node.value
    elif isinstance(node, (cst.Tuple, cst.List)):
        for item in node.elements:
            yield from _targets(item.value)


def _parameters(given: cst.Parameters) -> list[str]:
    every = (*given.posonly_params, *given.params, *given.kwonly_params, given.star_arg, given.star_kwarg)
    return [item.name.value for item in every if isinstance(item, cst.Param)]


def _flow(block: cst.Module | cst.BaseSuite, line_of: LineOf) -> list[Binding | Branches]:
    """Return what the statements of a block bind; a branch that is left by ``raise`` counts for nothing."""
    found: list[Binding | Branches] = []
    for node in block.body:
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            found.append(Binding(node.name.value, line_of(node)))
        elif isinstance(node, cst.If):
            found.append(_branches(line_of, [node.body], [node.orelse]))
        elif isinstance(node, (cst.For, cst.While)):
            found.append(_branches(line_of, [node.body], []))
            found.extend(_blocks(line_of, [node.orelse]))
        elif isinstance(node, cst.With):
            found.extend(_flow(node.body, line_of))
        elif isinstance(node, cst.Match):
            found.append(_branches(line_of, *([case.body] for case in node.cases), []))
        elif isinstance(node, (cst.Try, cst.TryStar)):
            handlers = ([handler.body] for handler in node.handlers)
            found.append(_branches(line_of, [node.body, node.orelse], *handlers))
            found.extend(_blocks(line_of, [node.finalbody]))
        elif isinstance(node, cst.SimpleStatementLine):
            found.extend(Binding(name, 0) for line in node.body for name in _bound(line))
        elif isinstance(node, cst.BaseSmallStatement):
            found.extend(Binding(name, 0) for name in _bound(node))
    return found


Part = cst.BaseSuite | cst.If | cst.Else | cst.Finally | None
"""A block, or a clause that has one."""


def _blocks(line_of: LineOf, parts: Sequence[Part]) -> list[Binding | Branches]:
    """Return what blocks bind that run one behind the other."""
    found: list[Binding | Branches] = []
    for part in parts:
        if isinstance(part, cst.If):
            found.append(_branches(line_of, [part.body], [part.orelse]))
        elif part is not None:
            found.extend(_flow(part if isinstance(part, cst.BaseSuite) else part.body, line_of))
    return found


def _branches(line_of: LineOf, *parts: Sequence[Part]) -> Branches:
    return Branches(tuple(_blocks(line_of, each) for each in parts if not _is_left(each)))


def _is_left(parts: Sequence[Part]) -> bool:
    """Whether the last statement of a branch is a ``raise``."""
    last = next((part for part in reversed(parts) if part is not None), None)
    if last is None or isinstance(last, cst.If):
        return False
    lines = (last if isinstance(last, cst.BaseSuite) else last.body).body
    line = lines[-1] if lines else None
    small = line.body[-1] if isinstance(line, cst.SimpleStatementLine) else line
    return isinstance(small, cst.Raise)


def _bound(node: cst.BaseSmallStatement) -> Iterator[str]:
    """Yield the names that an import or an assignment binds, but for one to what is made of the same name."""
    if isinstance(node, cst.Import):
        yield from ((item.evaluated_alias or item.evaluated_name).partition(".")[0] for item in node.names)
    elif isinstance(node, cst.ImportFrom):
        names = () if isinstance(node.names, cst.ImportStar) else node.names
        yield from (item.evaluated_alias or item.evaluated_name for item in names)
    elif isinstance(node, (cst.Assign, cst.AnnAssign)) and node.value is not None:
        targets = [item.target for item in node.targets] if isinstance(node, cst.Assign) else [node.target]
        parts = matchers.findall(node.value, matchers.Name()) if isinstance(node.value, cst.Call) else ()
        own = {cst.ensure_type(part, cst.Name).value for part in parts}
        yield from (name for target in targets for name in _targets(target) if name not in own)
