"""Which names have a value at a statement, whatever way led to it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from errlint.fix.nodes import all_below, inside
from errlint.fix.source_file import SCOPES, SourceFile


def has_value(parsed: SourceFile, node: cst.CSTNode, name: str) -> bool:
    """Whether a name of the function around a node certainly has a value there: a parameter, or bound before."""
    function = parsed.function(node)
    if function is None or any(name in _deleted(item) for item in all_below(function.body)):
        return False
    given = function.params
    parameters = (*given.posonly_params, *given.params, *given.kwonly_params)
    if any(item.name.value == name for item in parameters):
        return True
    return any(name in _bound(item) for item in _before(parsed, node))


def _deleted(node: cst.CSTNode) -> set[str]:
    """Return the names that a node unbinds: those of handlers end with them."""
    if isinstance(node, cst.Del):
        return {item.value for item in all_below(node) if isinstance(item, cst.Name)}
    if isinstance(node, cst.ExceptHandler) and node.name is not None:
        return {item.value for item in all_below(node.name) if isinstance(item, cst.Name)}
    return set()


def _before(parsed: SourceFile, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield what was carried out before a node: the statements above it in each block, and the headers around it."""
    for parent, child in parsed.around(node):
        if isinstance(parent, SCOPES):
            return
        if isinstance(parent, cst.IndentedBlock):
            for item in parent.body:
                if item is child:
                    break
                yield item
        elif isinstance(parent, cst.For) and child is parent.body:
            yield parent.target
        elif isinstance(parent, cst.With) and child is parent.body:
            yield from (item.asname.name for item in parent.items if item.asname is not None)


def _bound(node: cst.CSTNode) -> set[str]:
    """Return the names that a statement, or a target, binds without fail."""
    if isinstance(node, (cst.Name, cst.Tuple)):
        return {item.value for item in all_below(node) if isinstance(item, cst.Name)}
    found: set[str] = set()
    for item in inside(node) if isinstance(node, cst.SimpleStatementLine) else ():
        if isinstance(item, cst.Assign):
            found |= {target.target.value for target in item.targets if isinstance(target.target, cst.Name)}
        elif isinstance(item, cst.AnnAssign) and item.value is not None and isinstance(item.target, cst.Name):
            found.add(item.target.value)
        elif isinstance(item, (cst.Import, cst.ImportFrom)) and not isinstance(item.names, cst.ImportStar):
            found |= {(alias.evaluated_alias or alias.evaluated_name).partition(".")[0] for alias in item.names}
    return found
