"""Files that a function writes something to, and what their paths are put together of."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from errlint.facts import File, Value
from errlint.index import statements
from errlint.index.bindings import assigned_names
from errlint.index.deferred import receiver
from errlint.index.expressions import constant_key, convert, given, names_below
from errlint.index.forward import Block
from errlint.index.outcomes import is_simple
from errlint.index.path_states import evaluated
from errlint.index.spans import Spans

_MAKERS = frozenset(
    {"Path", "PurePath", "str", "fspath", "join", "joinpath", "with_name", "with_suffix", "resolve", "absolute"}
)
"""Last parts of calls that make a path of their arguments, and of what they are methods of."""

_DEPTH = 6
"""How many names are looked up, one in what the other is."""


def files(body: Block, names: frozenset[str], spans: Spans) -> Iterator[File]:
    """Yield the files that are written with what one of ``names`` holds, or what is made of it."""
    inner = list(statements.below(body))
    bound = {target: value for node in inner for target, value in assigned_names(node)}
    names = _made_of(names, bound)
    for node in inner:
        if isinstance(node, (ast.With, ast.AsyncWith)):
            opened = [path for item in node.items if (path := _opened(item.context_expr)) is not None]
            if opened and any(_takes(other, names) for other in statements.below(node.body)):
                yield File(spans.of(node), tuple(_parts(opened[0], bound, 0)))
        elif is_simple(node):
            for part in evaluated(node):
                if (
                    isinstance(part, ast.Call)
                    and isinstance(part.func, ast.Attribute)
                    and part.func.attr in ("write_text", "write_bytes")
                    and _holds(part, names)
                ):
                    yield File(spans.of(node), tuple(_parts(part.func.value, bound, 0)))


def _made_of(names: frozenset[str], bound: Mapping[str, ast.expr]) -> frozenset[str]:
    """Return names, and those of what is made of one of them: ``text`` in ``text = json.dumps(record)``."""
    more = {name for name, value in bound.items() if not names.isdisjoint(names_below(value))}
    return names if more <= names else _made_of(names | more, bound)


def _takes(node: ast.stmt, names: frozenset[str]) -> bool:
    return any(isinstance(part, ast.Call) and _holds(part, names) for part in evaluated(node))


def _holds(call: ast.Call, names: frozenset[str]) -> bool:
    return any(not names.isdisjoint(names_below(value)) for _, value in given(call))


def _opened(node: ast.expr) -> ast.expr | None:
    """Return the path of a file that an expression opens to write it."""
    if not isinstance(node, ast.Call) or receiver(node.func).rpartition(".")[2] != "open":
        return None
    function, handed = node.func, given(node)
    is_method = isinstance(function, ast.Attribute) and not (
        isinstance(function.value, ast.Name) and function.value.id in ("io", "codecs")
    )
    placed = [value for name, value in handed if name in ("", "*", "**")]
    modes = [value for name, value in handed if name == "mode"]
    modes += placed[0 if is_method else 1 :]
    if not any(set("wax") & set(constant_key(mode) or "") for mode in modes[:1]):
        return None
    if isinstance(function, ast.Attribute) and is_method:
        return function.value
    return placed[0] if placed else None


def _parts(node: ast.expr, bound: Mapping[str, ast.expr], depth: int) -> Iterator[Value]:
    """Yield what a path is put together of, in the order of the text."""
    if depth > _DEPTH:
        yield convert(node, {})
    elif isinstance(node, ast.Name) and node.id in bound:
        yield from _parts(bound[node.id], bound, depth + 1)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.Add)):
        yield from _parts(node.left, bound, depth + 1)
        yield from _parts(node.right, bound, depth + 1)
    elif isinstance(node, ast.Call) and receiver(node.func).rpartition(".")[2] in _MAKERS:
        if isinstance(node.func, ast.Attribute) and receiver(node.func) not in (
            "os.path.join",
            "path.join",
            "os.fspath",
        ):
            yield from _parts(node.func.value, bound, depth + 1)
        for _, value in given(node):
            yield from _parts(value, bound, depth + 1)
    else:
        yield convert(node, {})
