"""Which names stay what they are: nothing else in their scope binds them again."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

import libcst as cst

from errlint.fix.nodes import all_below, small_of
from errlint.fix.source_file import SourceFile
from errlint.index.alternatives import surely_bound
from errlint.index.bindings import FunctionNode, names_bound
from errlint.index.definite_assignment import bound_before
from errlint.index.scopes import bound_in, imported, read
from errlint.trees import children, walk


def is_stable_name(parsed: SourceFile, function: cst.FunctionDef | None, name: str) -> bool:
    """Whether a name of the module means in a function what the module binds it to, and that only once.

    The imports in the branches of one statement, of which one runs, count as one, as do those of parts of a package.
    """
    root = name.partition(".")[0]
    if parsed.bindings.get(root, 0) > 1 and root not in (
        parsed.once(_imported_in_branches) | parsed.once(_imported_in_parts)
    ):
        return False
    if root in parsed.globals:
        return False
    own = parsed.as_ast(function) if function is not None else None
    return own is None or root not in parsed.once(_bound_around)[own]


def surely_means(parsed: SourceFile, node: cst.CSTNode | None, name: str) -> bool:
    """Whether a name has a value whatever way led to a node, and never another one; ``None`` stands for the module.

    What nothing in the file binds is taken to be a builtin, or what ``import *`` binds.
    """
    root = name.partition(".")[0]
    function = parsed.function(node) if node is not None else None
    if node is not None and is_imported_inside(parsed, function, root):
        return has_value(parsed, node, root)
    is_there = root not in parsed.bindings or root in parsed.once(_surely_bound)
    return is_there and is_stable_name(parsed, function, name)


def has_value(parsed: SourceFile, node: cst.CSTNode, name: str) -> bool:
    """Whether a name of the function around a node certainly has a value there: a parameter, or bound before."""
    function, statement = parsed.function(node), parsed.statement(node)
    own = parsed.as_ast(function) if function is not None else None
    return own is not None and statement is not None and name in bound_before(own, statement)


def _surely_bound(parsed: SourceFile) -> frozenset[str]:
    """Return the names that a module has bound when all of it has run."""
    return surely_bound(read(parsed.tree, None).flow)


def _bound_around(parsed: SourceFile) -> Mapping[ast.AST, frozenset[str]]:
    """Return for each function the names that it or a function around it binds."""
    found: dict[ast.AST, frozenset[str]] = {}
    pending: list[tuple[ast.AST, frozenset[str]]] = [(parsed.tree, frozenset())]
    while pending:
        node, around = pending.pop()
        if isinstance(node, FunctionNode):
            around |= bound_in(node)
            found[node] = around
        pending.extend((part, around) for part in children(node) if not isinstance(part, ast.expr))
    return found


def _imported_in_branches(parsed: SourceFile) -> frozenset[str]:
    """Return the names that a module binds in the branches of one statement alone, each time to one thing.

    That is imported by one name or another, as ``.errors.ShopError`` and ``errors.ShopError``.
    """
    found: set[str] = set()
    for node in parsed.tree.body:
        if isinstance(node, ast.Try) and not node.orelse and not node.finalbody:
            branches = [node.body, *(handler.body for handler in node.handlers)]
        elif isinstance(node, ast.If):
            branches = [node.body, node.orelse]
        else:
            continue
        targets: dict[str, list[str]] = {}
        for branch in branches:
            for name, target in dict(_imported(branch)).items():
                targets.setdefault(name, []).append(target)
        for name, each in targets.items():
            longest = f".{max(each, key=len)}"
            if len(each) == parsed.bindings[name] and all(longest.endswith(f".{target}") for target in each):
                found.add(name)
    return frozenset(found)


def _imported_in_parts(parsed: SourceFile) -> frozenset[str]:
    """Return the packages that a module binds by ``import package.part`` alone, however often."""
    found = Counter(
        alias.name.partition(".")[0]
        for node in parsed.tree.body
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.asname is None
    )
    return frozenset(name for name, count in found.items() if count == parsed.bindings[name])


def _imported(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Yield the names that the statements of a block themselves import, each with what it is, from where it may be."""
    found = (each for line in body for each in imported(line, is_whole=True))
    return ((each.name, f"{each.module}.{each.attribute}".strip(".")) for each in found)


def is_imported_inside(parsed: SourceFile, function: cst.FunctionDef | None, name: str) -> bool:
    """Whether an import in a function, and nothing else there, binds a name."""
    own = parsed.as_ast(function) if function is not None else None
    if own is None:
        return False
    binding = [item for child in own.body for item in walk(child) if name in names_bound(item)]
    given = any(item.arg == name for item in walk(own.args) if isinstance(item, ast.arg))
    return len(binding) == 1 and isinstance(binding[0], ast.alias) and not given


def name_occurrences(node: cst.CSTNode, name: str) -> Iterator[cst.Name]:
    """Yield where a name stands in a node, whatever it means there."""
    return (item for item in all_below(node) if isinstance(item, cst.Name) and item.value == name)


def assignment(line: cst.CSTNode | None) -> tuple[str, cst.BaseExpression] | None:
    """Return the name and the value of a line that only assigns to one name, ``None`` for any other node."""
    node = small_of(line)
    if isinstance(node, cst.Assign) and len(node.targets) == 1:
        target = node.targets[0].target
    elif isinstance(node, cst.AnnAssign):
        target = node.target
    else:
        return None
    return (target.value, node.value) if isinstance(target, cst.Name) and node.value is not None else None


def is_kept(parsed: SourceFile, handler: cst.ExceptHandler, name: str) -> bool:
    """Whether the name that a handler gives to what it caught is bound to nothing else in its body."""
    line, column = parsed.line(handler), parsed.column(handler)
    for node in parsed.handlers.get(line, ()):
        # The columns of `ast` count bytes; there is one handler in a line.
        if node.col_offset >= column:
            return not any(name in names_bound(item) for child in node.body for item in walk(child))
    return False


def is_test(user: cst.CSTNode, part: cst.CSTNode) -> bool:
    """Whether a name is only asked whether there is something in it."""
    if isinstance(user, cst.Comparison):
        return user.left is part and all(isinstance(item.operator, (cst.Is, cst.IsNot)) for item in user.comparisons)
    return (isinstance(user, (cst.If, cst.IfExp)) and user.test is part) or (
        isinstance(user, cst.UnaryOperation) and isinstance(user.operator, cst.Not)
    )
