"""Which folders a file puts on the path that modules are looked for on, as far as its text says."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterable, Iterator, Mapping

from errlint.reader import parse

_PATH = "sys.path"
_SITE = "addsitedir"

_FILE = "__file__"

_PLAIN = frozenset({"Path", "PurePath", "str", "abspath", "realpath", "normpath", "fspath", "expanduser"})
"""Calls that answer the path that they are given."""

_SAME = frozenset({"resolve", "absolute", "as_posix", "expanduser", "strip"})
"""Methods that answer the path that they are called on."""

_CURRENT = frozenset({"os.getcwd", "Path.cwd", "pathlib.Path.cwd", "getcwd"})

_PUTTING = frozenset({"insert", "append", "extend", _SITE})

MAX_DEPTH = 20
"""How deep in each other the calls may be that make a path."""


def may_put_on_path(data: bytes) -> bool:
    """Whether a file has any word by which :func:`on_path` knows that folders are put on the path."""
    return _PATH.encode() in data or _SITE.encode() in data


def on_path(text: str) -> tuple[str, ...]:
    """Return the folders that a file puts on ``sys.path``, sorted.

    They are relative to the folder of the file, as ``.`` and ``../src``; those below the folder in which Python is
    started begin with a slash. What cannot be told is left out.
    """
    if _PATH not in text and _SITE not in text:
        return ()
    try:
        tree = parse(text)
    except SyntaxError:
        return ()
    values: dict[str, list[ast.expr]] = {}
    put: list[ast.expr] = []
    for node in ast.walk(tree):
        for name, value in _bound(node):
            values.setdefault(name, []).append(value)
        put.extend(_put(node))
    found = {path for node in put for path in _paths(node, values, 0)}
    return tuple(sorted(path for path in found if path != _FILE))


def _bound(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield the plain names that a node binds, each with its value or, for a loop, with each of its values."""
    if isinstance(node, ast.Assign):
        yield from ((target.id, node.value) for target in node.targets if isinstance(target, ast.Name))
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        if isinstance(node.target, ast.Name):
            yield node.target.id, node.value
    elif isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.target, ast.Name):
        yield from ((node.target.id, value) for value in _members(node.iter))


def _members(node: ast.expr) -> Iterable[ast.expr]:
    return node.elts if isinstance(node, (ast.List, ast.Tuple, ast.Set)) else (node,)


def _put(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what a node puts on the path."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _PUTTING and node.args:
        if ast.unparse(node.func.value) in (_PATH, "site"):
            yield from _members(node.args[-1] if node.func.attr == "insert" else node.args[0])
    elif isinstance(node, ast.AugAssign) and ast.unparse(node.target) == _PATH:
        yield from _members(node.value)
    elif isinstance(node, ast.Assign) and any(ast.unparse(target).startswith(_PATH) for target in node.targets):
        value = node.value
        parts = (value.left, value.right) if isinstance(value, ast.BinOp) else (value,)
        for part in parts:
            yield from _members(part)


def _paths(node: ast.expr, values: Mapping[str, list[ast.expr]], depth: int) -> frozenset[str]:
    """Return the paths that an expression may be."""
    if depth > MAX_DEPTH:
        return frozenset()

    def of(inner: ast.expr) -> frozenset[str]:
        return _paths(inner, values, depth + 1)

    if isinstance(node, ast.Name):
        if node.id == _FILE:
            return frozenset({_FILE})
        return frozenset(path for value in values.get(node.id, ()) for path in of(value))
    if isinstance(node, ast.Constant):
        text = node.value if isinstance(node.value, str) else None
        # An absolute path is one of another machine.
        return frozenset({_joined("/", text)} if text is not None and not text.startswith(("/", "~")) else ())
    if isinstance(node, ast.IfExp):
        return of(node.body) | of(node.orelse)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return _all_joined(of(node.left), (node.right,))
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "parents":
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        return _above(of(node.value.value), index + 1) if isinstance(index, int) else frozenset()
    if isinstance(node, ast.Attribute) and node.attr == "parent":
        return _above(of(node.value), 1)
    return _answered(node, values, depth + 1) if isinstance(node, ast.Call) else frozenset()


def _answered(node: ast.Call, values: Mapping[str, list[ast.expr]], depth: int) -> frozenset[str]:
    """Return the paths that a call may answer."""
    name = ast.unparse(node.func)
    last = name.rpartition(".")[2]
    if name in _CURRENT:
        return frozenset({"/."})
    first = _paths(node.args[0], values, depth) if node.args else frozenset()
    if last in _PLAIN and len(node.args) == 1:
        return first
    if last in ("Path", "PurePath", "join") and len(node.args) > 1:
        return _all_joined(first, node.args[1:])
    if last == "dirname" and len(node.args) == 1:
        return _above(first, 1)
    if isinstance(node.func, ast.Attribute):
        own = _paths(node.func.value, values, depth)
        if last in _SAME:
            return own
        if last == "joinpath":
            return _all_joined(own, node.args)
    return frozenset()


def _above(paths: Iterable[str], count: int) -> frozenset[str]:
    """Return the folders so many steps above paths."""
    found = set[str]()
    for path in paths:
        folder = path
        for _ in range(count):
            folder = "." if folder == _FILE else _joined(folder, "..")
        found.add(folder)
    return frozenset(found)


def _all_joined(paths: Iterable[str], parts: Iterable[ast.expr]) -> frozenset[str]:
    """Return paths with more parts behind them, none where one of those is not written there."""
    texts: list[str] = []
    for part in parts:
        if isinstance(part, ast.Attribute) and ast.unparse(part) in ("os.pardir", "os.path.pardir"):
            texts.append("..")
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            texts.append(part.value)
        else:
            return frozenset()
    # `__file__/..` is the folder of the file for `os.path`.
    return frozenset(
        _joined(*((".", *texts[1:]) if path == _FILE and texts[:1] == [".."] else (path, *texts))) for path in paths
    )


def _joined(*parts: str) -> str:
    joined = posixpath.normpath("/".join(parts).lstrip("/"))
    return f"/{joined}" if parts[0].startswith("/") else joined
