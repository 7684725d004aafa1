"""Files that a function writes something to, and what their paths are put together of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst

from errlint.collect import statements
from errlint.collect.deferred import receiver
from errlint.collect.expressions import convert, names_below
from errlint.collect.flow import Statement
from errlint.collect.outcomes import Suite
from errlint.collect.ways import evaluated
from errlint.facts import File, Value
from errlint.findings import Span

_MAKERS = frozenset(
    {"Path", "PurePath", "str", "fspath", "join", "joinpath", "with_name", "with_suffix", "resolve", "absolute"}
)
"""Last parts of calls that make a path of their arguments, and of what they are methods of."""

_DEPTH = 6
"""How many names are looked up, one in what the other is."""


def files(body: Suite, names: frozenset[str], spans: Mapping[int, Span]) -> Iterator[File]:
    """Yield the files that are written with what one of ``names`` holds, or what is made of it."""
    inner = list(statements.below(body))
    bound = {target: value for node in inner for target, value in _bindings(node)}
    names = _made_of(names, bound)
    for node in inner:
        if isinstance(node, cst.With):
            opened = [path for item in node.items if (path := _opened(item.item)) is not None]
            if opened and any(_takes(other, names) for other in statements.below(node.body)):
                yield File(spans[id(node)], tuple(_parts(opened[0], bound, 0)))
        elif isinstance(node, cst.BaseSmallStatement):
            for part in evaluated(node):
                if (
                    isinstance(part, cst.Call)
                    and isinstance(part.func, cst.Attribute)
                    and part.func.attr.value in ("write_text", "write_bytes")
                    and _holds(part, names)
                ):
                    yield File(spans[id(node)], tuple(_parts(part.func.value, bound, 0)))


def _bindings(node: Statement) -> Iterator[tuple[str, cst.BaseExpression]]:
    """Yield the names that an assignment binds, with the value."""
    if isinstance(node, cst.Assign):
        yield from ((item.target.value, node.value) for item in node.targets if isinstance(item.target, cst.Name))
    elif isinstance(node, cst.AnnAssign) and isinstance(node.target, cst.Name) and node.value is not None:
        yield node.target.value, node.value


def _made_of(names: frozenset[str], bound: Mapping[str, cst.BaseExpression]) -> frozenset[str]:
    """Return names, and those of what is made of one of them: ``text`` in ``text = json.dumps(record)``."""
    more = {name for name, value in bound.items() if not names.isdisjoint(names_below(value))}
    return names if more <= names else _made_of(names | more, bound)


def _takes(node: Statement, names: frozenset[str]) -> bool:
    return any(isinstance(part, cst.Call) and _holds(part, names) for part in evaluated(node))


def _holds(call: cst.Call, names: frozenset[str]) -> bool:
    return any(not names.isdisjoint(names_below(argument.value)) for argument in call.args)


def _opened(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return the path of a file that an expression opens to write it."""
    if not isinstance(node, cst.Call) or receiver(node.func).rpartition(".")[2] != "open":
        return None
    is_method = isinstance(node.func, cst.Attribute) and not isinstance(node.func.value, cst.Name)
    is_method = is_method or (
        isinstance(node.func, cst.Attribute) and receiver(node.func.value) not in ("io", "codecs")
    )
    given = [item.value for item in node.args if item.keyword is None]
    modes = [item.value for item in node.args if item.keyword is not None and item.keyword.value == "mode"]
    modes += given[0 if is_method else 1 :]
    if not any(
        isinstance(mode, cst.SimpleString) and set("wax") & set(str(mode.evaluated_value)) for mode in modes[:1]
    ):
        return None
    if isinstance(node.func, cst.Attribute) and is_method:
        return node.func.value
    return given[0] if given else None


def _parts(node: cst.BaseExpression, bound: Mapping[str, cst.BaseExpression], depth: int) -> Iterator[Value]:
    """Yield what a path is put together of, in the order of the text."""
    if depth > _DEPTH:
        yield convert(node, {})
    elif isinstance(node, cst.Name) and node.value in bound:
        yield from _parts(bound[node.value], bound, depth + 1)
    elif isinstance(node, cst.BinaryOperation) and isinstance(node.operator, (cst.Divide, cst.Add)):
        yield from _parts(node.left, bound, depth + 1)
        yield from _parts(node.right, bound, depth + 1)
    elif isinstance(node, cst.Call) and receiver(node.func).rpartition(".")[2] in _MAKERS:
        if isinstance(node.func, cst.Attribute) and receiver(node.func) not in (
            "os.path.join",
            "path.join",
            "os.fspath",
        ):
            yield from _parts(node.func.value, bound, depth + 1)
        for argument in node.args:
            yield from _parts(argument.value, bound, depth + 1)
    else:
        yield convert(node, {})
