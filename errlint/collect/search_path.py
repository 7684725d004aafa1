"""Which folders a file puts on the path that modules are looked for on, as far as its text says."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Callable, Iterable, Iterator

from errlint.index.bindings import FunctionNode
from errlint.index.scopes import own_names
from errlint.lazy import cached_property
from errlint.reader import parse
from errlint.trees import children

_PATH = "sys.path"
_SITE = "addsitedir"

_FILE = "__file__"

_PLAIN = frozenset({"Path", "PurePath", "str", "abspath", "realpath", "normpath", "fspath", "expanduser"})
"""Calls that answer the path that they are given."""

_SAME = frozenset({"resolve", "absolute", "as_posix", "expanduser", "strip"})
"""Methods that answer the path that they are called on."""

_CURRENT = frozenset({"os.getcwd", "Path.cwd", "pathlib.Path.cwd", "getcwd"})

_PUTTING = frozenset({"insert", "append", "extend", _SITE})

_SCOPES = (*FunctionNode, ast.Lambda)
_BINDING = (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.For, ast.comprehension)
_STATING = (ast.Call, ast.Assign, ast.AugAssign)

MAX_DEPTH = 20
"""How deep in each other the calls may be that make a path."""

_ROUNDS = 10
"""So many names are followed, each made of the next."""

_MAX_PATHS = 100
"""A name that may be more paths grows in a loop."""


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
    return tuple(sorted(path for path in _Paths(tree).put() if path != _FILE))


class _Scope:
    """A module, function or lambda: the scope around it, and what its plain names are bound to."""

    def __init__(self, node: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, outer: _Scope | None):
        self._node = node
        self._outer = outer
        self.values: dict[str, list[ast.expr]] = {}
        self.of_module: set[str] = set()

    @cached_property
    def _others(self) -> frozenset[str]:
        """The names that a function has for itself, whatever binds them."""
        return frozenset() if isinstance(self._node, ast.Module) else frozenset().union(*own_names(self._node))

    def of(self, name: str) -> _Scope:
        """Return the scope that says what the name is made of, the module where none does."""
        scope, between = self, []
        while scope._outer is not None and (name in scope.of_module or name not in scope.values):
            between.append(scope)
            scope = scope._outer
        if name in scope.values:  # unless a function on the way has it for itself, by what says nothing of it
            return next((each for each in between if name not in each.of_module and name in each._others), scope)
        return scope


class _Paths:
    """The paths that expressions of a file may be."""

    def __init__(self, tree: ast.Module) -> None:
        self._put: list[tuple[ast.expr, _Scope]] = []
        module = _Scope(tree, None)
        pending: list[tuple[ast.AST, _Scope]] = [(tree, module)]
        while pending:
            node, scope = pending.pop()
            if isinstance(node, _SCOPES):
                scope = _Scope(node, scope)
            elif isinstance(node, ast.Global):
                scope.of_module.update(node.names)
            elif isinstance(node, _BINDING):
                for name, value in _bound(node):
                    (module if name in scope.of_module else scope).values.setdefault(name, []).append(value)
            if isinstance(node, _STATING):
                self._put.extend((each, scope) for each in _put(node))
            pending.extend([(child, scope) for child in reversed(children(node))])
        self._known: dict[tuple[_Scope, str], frozenset[str]] = {}

    def put(self) -> frozenset[str]:
        """Return the paths that are put on the path.

        Names may be made of each other, and of themselves: they are worked out in rounds, each of the one before, so
        that what a name stands for is worked out once a round however many others are made of it.
        """
        asked = [pair for each in self._put for pair in self._names(*each)]
        for scope, name in asked:  # grows
            if (scope, name) not in self._known:
                self._known[scope, name] = frozenset()
                asked.extend(each for value in scope.values.get(name, ()) for each in self._names(value, scope))
        for _ in range(_ROUNDS):
            found = {pair: self._of_name(pair) for pair in self._known}
            if found == self._known:
                break
            self._known = found
        return frozenset().union(*(self._of(node, scope, 0) for node, scope in self._put))

    def _names(self, node: ast.expr, scope: _Scope) -> Iterator[tuple[_Scope, str]]:
        names = (part.id for part in ast.walk(node) if isinstance(part, ast.Name))
        return ((scope.of(name), name) for name in names)

    def _of_name(self, pair: tuple[_Scope, str]) -> frozenset[str]:
        scope, name = pair
        found = frozenset().union(*(self._of(value, scope, 0) for value in scope.values.get(name, ())))
        return found if len(found) <= _MAX_PATHS else self._known[pair]

    def _of(self, node: ast.expr, scope: _Scope, depth: int) -> frozenset[str]:
        """Return the paths that an expression may be."""
        if depth > MAX_DEPTH:
            return frozenset()

        def of(inner: ast.expr) -> frozenset[str]:
            return self._of(inner, scope, depth + 1)

        if isinstance(node, ast.Name):
            return frozenset({_FILE}) if node.id == _FILE else self._known[scope.of(node.id), node.id]
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
        return _answered(node, of) if isinstance(node, ast.Call) else frozenset()


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


def _answered(node: ast.Call, of: Callable[[ast.expr], frozenset[str]]) -> frozenset[str]:
    """Return the paths that a call may answer."""
    name = ast.unparse(node.func)
    last = name.rpartition(".")[2]
    if name in _CURRENT:
        return frozenset({"/."})
    first = of(node.args[0]) if node.args else frozenset()
    if last in _PLAIN and len(node.args) == 1:
        return first
    if last in ("Path", "PurePath", "join") and len(node.args) > 1:
        return _all_joined(first, node.args[1:])
    if last == "dirname" and len(node.args) == 1:
        return _above(first, 1)
    if isinstance(node.func, ast.Attribute):
        own = of(node.func.value)
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
