"""Scopes of a file that the interpreter cannot parse: the same as :mod:`errlint.index.scopes`, from LibCST.

LibCST's own ``ScopeProvider`` is not asked: it knows neither ``del`` nor the names that patterns bind, takes an
assignment expression in a comprehension to bind in that, and ``nonlocal`` to mean the next function outwards.
"""

from __future__ import annotations

import libcst as cst
from libcst.helpers import get_full_name_for_node

from errlint.facts import Import
from errlint.index.scopes import Block


def read(module: cst.Module) -> Block:
    """Return what a file binds."""
    reader = _Reader()
    module.visit(reader)
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
        """Note the names that an assignment to ``target`` binds; an attribute and an item bind none."""
        if isinstance(target, cst.Name):
            self._block.variables.add(target.value)
        elif isinstance(target, (cst.Tuple, cst.List)):
            for item in target.elements:
                self._bind(item.value)


def _parameters(given: cst.Parameters) -> list[str]:
    every = (*given.posonly_params, *given.params, *given.kwonly_params, given.star_arg, given.star_kwarg)
    return [item.name.value for item in every if isinstance(item, cst.Param)]
