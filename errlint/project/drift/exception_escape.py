"""Whether a function may let an exception of a class out, asked of the trees of all that it calls.

In doubt it may. A call of what is not known may raise anything, but for what has nothing to do with failures: methods
of texts and lists, and logging. The decorators of a function count, so that one whose boundary turns whatever happens
into an exception of the project lets no other one out. In a boundary, and where an exception is handled, a call of
what is not known raises nothing: what runs because something has failed is written not to fail.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from errlint.error_keywords import LOG_METHODS
from errlint.findings import Span
from errlint.lazy import cached_property
from errlint.project.drift.scopes import (
    Defined,
    Foreign,
    FunctionNode,
    Instance,
    Meaning,
    Parameter,
    Scope,
    parameters,
    walk,
)
from errlint.project.names import ClassSymbol, ExternalSymbol
from errlint.project.raise_outcome import is_protocol
from errlint.project.reach import TRANSPARENT

if TYPE_CHECKING:
    from errlint.project import Project

MAX_ROUNDS = 5
"""So often functions that call each other are asked again."""

MAX_DEPTH = 3
"""So many functions are followed from a handler to what it raises."""

_SAFE = frozenset(
    {"len", "str", "repr", "isinstance", "issubclass", "hasattr", "getattr", "dict", "list", "set", "tuple", "bool",
     "frozenset", "sorted", "reversed", "enumerate", "zip", "range", "any", "all", "abs", "type", "id", "callable",
     "super", "print", "object"}
)  # fmt: skip
"""Functions of the language that raise no more than ``TypeError``."""

_CONVERSIONS = {"int": "ValueError", "float": "ValueError", "chr": "ValueError", "next": "StopIteration"}
"""Functions of the language, and what they raise besides ``TypeError``."""

_SAFE_METHODS = frozenset(
    {"strip", "lstrip", "rstrip", "lower", "upper", "casefold", "title", "capitalize", "startswith", "endswith", "join",
     "splitlines", "append", "extend", "items", "keys", "values", "isoformat", "isdigit", "isalnum"}
)  # fmt: skip
_TRANSPARENT = TRANSPARENT - {"retry", "timed", "traced"}
"""Decorators by which the exceptions of a function stay what they are, besides those that register it."""

_LOOKS = frozenset({"signature", "getattr", "hasattr", "cast", "repr", "str", "wraps", "id", "type"})
"""Functions that are handed a function and do not call it, besides those that ask whether it is something."""

_KNOWN = {
    "asyncio.TimeoutError": "TimeoutError",
    "asyncio.CancelledError": "BaseException",
    "concurrent.futures.TimeoutError": "TimeoutError",
    "json.JSONDecodeError": "ValueError",
    "json.decoder.JSONDecodeError": "ValueError",
    "pydantic.ValidationError": "ValueError",
    "pydantic_core.ValidationError": "ValueError",
    "subprocess.CalledProcessError": "Exception",
    "sqlite3.Error": "Exception",
}
"""Exceptions from outside of the language, and the nearest one of the language that each is below."""


_Key = tuple[int, str, bool]
"""A question about a function: its tree, the class, and whether it is asked leniently."""


class Relation(Enum):
    """What an ``except`` clause does with the exceptions of a class: it catches all, perhaps some, or none of them."""

    ALL = "all"
    SOME = "some"
    NONE = "none"


class _EscapeQuestion(NamedTuple):
    """A question: for which class, at which place, and what is known there.

    ``is_lenient`` is true in boundaries and handlers. ``wrapped`` is the decorator around a wrapper, whose first
    parameter is the function that it wraps, and ``throws`` whether that may let the class out. ``caught`` are the names
    of the exceptions that are being handled.
    """

    wanted: str
    scope: Scope
    is_lenient: bool = False
    wrapped: FunctionNode | None = None
    throws: bool = False
    caught: frozenset[str] = frozenset()


class BoundaryWrapper(NamedTuple):
    """A function that a decorator puts around another: its scope and tree, and the decorator."""

    scope: Scope
    node: FunctionNode
    decorator: FunctionNode

    @property
    def inner(self) -> Scope:
        """The scope of its body."""
        return Scope(self.scope.path, (*self.scope.around, self.node))


class Turned(NamedTuple):
    """What a boundary makes of an exception: its name, the place of the handler, and the classes that it raises."""

    boundary: str
    path: str
    span: Span
    classes: tuple[str, ...]


class PassedOn:
    """Answers which exceptions the functions of one project let out."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self.scopes = project.comparison.scopes
        self._known: dict[_Key, bool] = {}
        self._round: dict[_Key, bool] = {}
        self._open: set[_Key] = set()

    def may(self, path: str, name: str, wanted: str) -> bool:
        """Whether a function, with its decorators, may let an exception of the language out, or one below it."""
        found = self.scopes.find(path, name)
        if found is None or isinstance(found.node, ast.ClassDef):
            return True
        for _ in range(MAX_ROUNDS):
            before = dict(self._known)
            self._round = {}
            if self._function(found, found.node, wanted, is_lenient=False):
                return True
            if before == self._known:
                return False
        return True

    def may_sample(
        self, nodes: Iterable[ast.stmt], names: Mapping[str, Iterable[tuple[str, str]]], wanted: str
    ) -> bool:
        """Whether the statements of a sample may raise it; ``names`` are the adapters that its calls are of."""
        for node in walk(nodes):
            if isinstance(node, (ast.Raise, ast.With, ast.AsyncWith, ast.Import, ast.ImportFrom)):
                return True
            if isinstance(node, ast.Call):
                name = node.func.id if isinstance(node.func, ast.Name) else ""
                if name in names:
                    if any(self.may(path, each, wanted) for path, each in names[name]):
                        return True
                elif not (name in _SAFE or _is_safe_method(node.func)):
                    return True
            elif wanted in _implied(node):
                return True
        return False

    # --- functions and decorators -----------------------------------------------------------------------------------

    def _function(self, found: Defined, node: FunctionNode, wanted: str, *, is_lenient: bool) -> bool:
        key = (id(node), wanted, is_lenient)
        if key in self._open:
            return self._known.get(key, False)  # it calls itself; the next round knows better
        if key not in self._round:
            self._open.add(key)
            self._round[key] = self._known[key] = self._lets_out(found, node, wanted, is_lenient=is_lenient)
            self._open.discard(key)
        return self._round[key]

    def _lets_out(self, found: Defined, node: FunctionNode, wanted: str, *, is_lenient: bool) -> bool:
        answers = [True]  # whatever happens inside
        for decorator in reversed(node.decorator_list):
            answers.append(self._decorated(found, decorator, wanted, is_lenient=is_lenient, throws=answers[-1]))
        if not answers[-1]:
            return False
        answer = self._block(_EscapeQuestion(wanted, found.inner, is_lenient), node.body)
        for decorator in reversed(node.decorator_list):
            answer = self._decorated(found, decorator, wanted, is_lenient=is_lenient, throws=answer)
        return answer

    def _decorated(self, found: Defined, decorator: ast.expr, wanted: str, *, is_lenient: bool, throws: bool) -> bool:
        name = dotted(decorator.func if isinstance(decorator, ast.Call) else decorator)
        if name and (self._project.registers(name) or name.rpartition(".")[2] in _TRANSPARENT):
            return throws
        wrappers = self.wrappers(found, decorator)
        is_boundary = self._is_boundary(found, name)
        return not wrappers or any(
            self._block(
                _EscapeQuestion(wanted, each.inner, is_lenient or is_boundary, each.decorator, throws),
                each.node.body,
            )
            for each in wrappers
        )

    def _is_boundary(self, found: Defined, name: str) -> bool:
        scope = ".".join(node.name for node in found.scope.around)
        return bool(name) and self._project.boundaries.meant(found.scope.path, name, scope) is not None

    def _boundary(self, path: str, name: str) -> tuple[str, tuple[BoundaryWrapper, ...]]:
        """Return the name of the outermost boundary decorator of a function, and what it puts around it."""
        found = self.scopes.find(path, name)
        for decorator in found.node.decorator_list if found is not None else ():
            assert found is not None
            written = dotted(decorator.func if isinstance(decorator, ast.Call) else decorator)
            if self._is_boundary(found, written):
                return written.rpartition(".")[2], self.wrappers(found, decorator)
        return "", ()

    def turned(self, path: str, name: str, wanted: str) -> Turned | None:
        """Return what the boundary around a function makes of an exception; ``None`` without such a boundary."""
        boundary, wrappers = self._boundary(path, name)
        for wrapper, handler in self._handlers(wrappers):
            if self.relation(wrapper.inner, handler.type, wanted) is Relation.ALL:
                names = (_key(each).rpartition(":")[2] for each in self._raised(wrapper.inner, handler.body, 0))
                short = dict.fromkeys(each.rpartition(".")[2] for each in names)
                at = handler.type or handler
                span = Span(at.lineno, at.col_offset + 1, at.lineno, at.col_offset + 1)
                return Turned(boundary, wrapper.scope.path, span, tuple(short))
        return None

    def answers(self, path: str, name: str, wanted: str) -> bool:
        """Whether a function itself catches an exception, to answer it."""
        found = self.scopes.find(path, name)
        return found is not None and any(
            self.relation(found.inner, handler.type, wanted) is Relation.ALL
            and any(isinstance(below, ast.Return) for below in walk(handler.body))
            for node in found.node.body
            if isinstance(node, ast.Try)
            for handler in node.handlers
        )

    def lets_through(self, path: str, name: str, wanted: str) -> bool:
        """Whether the boundary around a function names an exception to raise it again."""
        _, wrappers = self._boundary(path, name)
        let = [
            _key(self.scopes.meaning(wrapper.inner, handler.type)) == wanted
            and isinstance(handler.body[-1], ast.Raise)
            and handler.body[-1].exc is None
            for wrapper, handler in self._handlers(wrappers)
            if handler.type is not None and self.relation(wrapper.inner, handler.type, wanted) is not Relation.NONE
        ]
        return bool(let) and let[0] and len(wrappers) == 1

    def _handlers(self, wrappers: Iterable[BoundaryWrapper]) -> Iterator[tuple[BoundaryWrapper, ast.ExceptHandler]]:
        for wrapper in wrappers:
            for node in wrapper.node.body:
                for handler in node.handlers if isinstance(node, ast.Try) else ():
                    yield wrapper, handler

    def _raised(self, scope: Scope, nodes: Iterable[ast.AST], depth: int) -> Iterator[Meaning]:
        """Yield the classes of what some statements raise, and the functions that they call."""
        for node in walk(nodes):
            if isinstance(node, ast.Raise) and node.exc is not None:
                yield from self.classes(scope, node.exc) or ()
            meant = self.scopes.meaning(scope, node.func) if isinstance(node, ast.Call) else None
            if isinstance(meant, Defined) and not isinstance(meant.node, ast.ClassDef) and depth < MAX_DEPTH:
                yield from self._raised(meant.inner, meant.node.body, depth + 1)

    def wrappers(self, found: Defined, decorator: ast.expr) -> tuple[BoundaryWrapper, ...]:
        """Return what a decorator of the project puts around a function, nothing where that is not known.

        Of wrappers for both kinds of functions those of its kind.
        """
        used = decorator.func if isinstance(decorator, ast.Call) else decorator
        meant = self.scopes.meaning(found.scope, used)
        if not isinstance(meant, Defined) or isinstance(meant.node, ast.ClassDef):
            return ()
        every = tuple(_wrappers(meant.scope, meant.node))
        own = tuple(each for each in every if isinstance(each.node, type(found.node)))
        return own or every

    # --- statements -------------------------------------------------------------------------------------------------

    def _block(self, asked: _EscapeQuestion, nodes: Iterable[ast.AST]) -> bool:
        return any(self._node(asked, node) for node in nodes)

    def _node(self, asked: _EscapeQuestion, node: ast.AST) -> bool:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            return False
        if isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
            return self._try(asked, node)  # type: ignore[arg-type]
        if isinstance(node, ast.Raise) and self._raise(asked, node):
            return True
        if isinstance(node, ast.Call) and self._call(asked, node):
            return True
        if not asked.is_lenient and (asked.wanted in _implied(node) or self._is_unknown(asked, node)):
            return True
        return self._block(asked, ast.iter_child_nodes(node))

    def _is_unknown(self, asked: _EscapeQuestion, node: ast.AST) -> bool:
        """Whether a node runs what is not known without calling it."""
        if isinstance(node, ast.Await):
            return not isinstance(node.value, ast.Call)
        if isinstance(node, ast.withitem):
            return not (isinstance(node.context_expr, ast.Call) and self._is_closed(asked, node.context_expr))
        return isinstance(node, (ast.AsyncFor, ast.YieldFrom))

    def _is_closed(self, asked: _EscapeQuestion, call: ast.Call) -> bool:
        """Whether a context manager is a function of the project, whose body is asked as that of any call."""
        meant = self.scopes.meaning(asked.scope, call.func)
        return isinstance(meant, Defined) and not isinstance(meant.node, ast.ClassDef)

    def _try(self, asked: _EscapeQuestion, node: ast.Try) -> bool:
        remains = self._block(asked, node.body)
        handling = asked._replace(is_lenient=True)
        for handler in node.handlers:
            relation = self.relation(asked.scope, handler.type, asked.wanted)
            if remains and relation is not Relation.NONE and self._raises_again(asked, handler):
                return True
            own = handling._replace(caught=asked.caught.union(filter(None, [handler.name])))
            if self._block(own, handler.body):
                return True
            remains = remains and relation is not Relation.ALL
        return remains or self._block(asked, (*node.orelse, *node.finalbody))

    def _raise(self, asked: _EscapeQuestion, node: ast.Raise) -> bool:
        """Whether a statement raises the class; a handler that raises again what it caught is asked elsewhere."""
        if _root(node.exc) in asked.caught | {""}:
            return False
        assert node.exc is not None
        lines = self._lines(asked.scope, node.exc, 0)
        return lines is None or any(line is None or asked.wanted in line for line in lines)

    def _call(self, asked: _EscapeQuestion, node: ast.Call) -> bool:
        if asked.wrapped is not None and self._is_of_wrapped(asked, node):
            return asked.throws
        meant = self.scopes.meaning(asked.scope, node.func)
        if isinstance(meant, Defined) and isinstance(meant.node, ast.ClassDef):
            return not asked.is_lenient and self._construction(meant, asked.wanted)
        if isinstance(meant, Defined):
            assert not isinstance(meant.node, ast.ClassDef)
            return self._function(meant, meant.node, asked.wanted, is_lenient=asked.is_lenient)
        if asked.is_lenient or _is_safe_method(node.func):
            return False
        if not isinstance(meant, Foreign):
            return True
        if self._line(meant) is not None:
            return False  # an exception that is made
        name = meant.name.removeprefix("builtins.")
        return asked.wanted in _builtin_line(_CONVERSIONS[name]) if name in _CONVERSIONS else name not in _SAFE

    def _is_of_wrapped(self, asked: _EscapeQuestion, node: ast.Call) -> bool:
        """Whether a call is one of the function that is wrapped, or hands it to what may call it."""
        if any(self._is_wrapped(asked, each) for each in _names(node.func)):
            return True
        handed = [*node.args, *(each.value for each in node.keywords)]
        if not any(isinstance(each, ast.Name) and self._is_wrapped(asked, each) for each in handed):
            return False
        last = dotted(node.func).rpartition(".")[2]
        return not (last in _LOOKS or last.startswith("is"))

    def _is_wrapped(self, asked: _EscapeQuestion, name: ast.Name) -> bool:
        meant = self.scopes.meaning(asked.scope, name)
        return isinstance(meant, Parameter) and meant.of is asked.wrapped and meant.position == 0

    def _construction(self, made: Defined, wanted: str) -> bool:
        """Whether making an object may raise it."""
        if self._line(made) is not None and "BaseException" in (self._line(made) or ()):
            return False
        if any(each is None for each in self.scopes.line(made)):
            return True
        for name in ("__new__", "__init__", "__post_init__"):
            method = self.scopes.method(made, name)
            if method is None or isinstance(method.node, ast.ClassDef):
                continue
            if self._function(method, method.node, wanted, is_lenient=False):
                return True
        return False

    # --- handlers ---------------------------------------------------------------------------------------------------

    def relation(self, scope: Scope, types: ast.expr | None, wanted: str) -> Relation:
        """Return what an ``except`` clause does with the exceptions of a class."""
        if types is None:
            return Relation.ALL
        above = _builtin_line(wanted)
        found = Relation.NONE
        for each in types.elts if isinstance(types, ast.Tuple) else (types,):
            meant = self.scopes.meaning(scope, each)
            line = self._line(meant)
            key = _key(meant)
            if key in above:
                return Relation.ALL
            if line is None or wanted in line or any({key, wanted} <= each for each in self._several):
                found = Relation.SOME
        return found

    def _raises_again(self, asked: _EscapeQuestion, handler: ast.ExceptHandler) -> bool:
        """Whether a handler may raise what it caught."""
        for node in self._walk_handler(asked, handler, handler.body):
            if isinstance(node, ast.Raise) and _root(node.exc) in ("", handler.name):
                return True
            if isinstance(node, ast.Call) and self._raises_current(asked.scope, node, 0):
                return True
        return False

    def _walk_handler(
        self, asked: _EscapeQuestion, handler: ast.ExceptHandler, nodes: Iterable[ast.AST]
    ) -> Iterator[ast.AST]:
        """Yield what runs in a handler; what runs only for exceptions of other classes is left out."""
        for node in nodes:
            if isinstance(node, ast.If) and _is_test(node.test, handler.name):
                assert isinstance(node.test, ast.Call)
                if self.relation(asked.scope, node.test.args[1], asked.wanted) is Relation.NONE:
                    yield from self._walk_handler(asked, handler, node.orelse)
                    continue
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
                yield node
                yield from self._walk_handler(asked, handler, ast.iter_child_nodes(node))

    def _raises_current(self, scope: Scope, call: ast.Call, depth: int) -> bool:
        """Whether a call raises again what its caller is handling: a function with a ``raise`` and nothing behind."""
        meant = self.scopes.meaning(scope, call.func)
        if not isinstance(meant, Defined) or isinstance(meant.node, ast.ClassDef) or depth > MAX_DEPTH:
            return False
        return any(
            (isinstance(node, ast.Raise) and node.exc is None)
            or (isinstance(node, ast.Call) and self._raises_current(meant.inner, node, depth + 1))
            for node in walk(meant.node.body)
        )

    # --- classes ----------------------------------------------------------------------------------------------------

    def _lines(self, scope: Scope, raised: ast.expr, depth: int) -> list[frozenset[str] | None] | None:
        """Return the classes, each with its bases, that what is raised may be of; ``None`` where that is not known."""
        found = self.classes(scope, raised, depth)
        return None if found is None else [self._line(each) for each in found]

    def classes(self, scope: Scope, raised: ast.expr, depth: int = 0) -> list[Meaning] | None:
        """Return the classes that what is raised may be of; ``None`` where that is not known."""
        if isinstance(raised, ast.IfExp):
            both = [self.classes(scope, each, depth) for each in (raised.body, raised.orelse)]
            return None if None in both else [item for each in both for item in each or ()]
        meant = self.scopes.meaning(scope, raised.func if isinstance(raised, ast.Call) else raised)
        if isinstance(meant, Instance):
            return [meant.of] if meant.is_exact else None
        if isinstance(meant, Foreign) or (isinstance(meant, Defined) and isinstance(meant.node, ast.ClassDef)):
            return [meant]
        if isinstance(meant, Defined) and isinstance(raised, ast.Call) and depth <= MAX_DEPTH:
            assert not isinstance(meant.node, ast.ClassDef)
            answers = [node.value for node in walk(meant.node.body) if isinstance(node, ast.Return) and node.value]
            several = [self.classes(meant.inner, each, depth + 1) for each in answers]
            return None if None in several or not several else [item for each in several for item in each or ()]
        if isinstance(raised, ast.Name) and depth <= MAX_DEPTH:
            value = self.scopes.value(scope, raised.id)
            return self.classes(scope, value, depth + 1) if isinstance(value, ast.Call) else None
        return None

    def _line(self, meant: Meaning | None) -> frozenset[str] | None:
        """Return the keys of a class and of all its bases; ``None`` where they are not all known."""
        if isinstance(meant, Foreign):
            name = _KNOWN.get(meant.name, meant.name.removeprefix("builtins."))
            if _builtin_line(name):
                return _builtin_line(name) | {_key(meant)}
            return _builtin_line("Exception") if is_protocol(ExternalSymbol(meant.name)) else None
        if not isinstance(meant, Defined) or not isinstance(meant.node, ast.ClassDef):
            return None
        found = {_key(meant)}
        for base in self.scopes.bases(meant):
            line = self._line(base) if _key(base) != _key(meant) else None
            if line is None:
                return None
            found |= line
        return frozenset(found)

    @cached_property
    def _several(self) -> tuple[frozenset[str], ...]:
        """The lines of the exception classes of the project."""
        found: list[frozenset[str]] = []
        for path, module in self._project.modules.items():
            for definition in module.classes:
                if self._project.names.is_exception(ClassSymbol(path, definition)):
                    line = self._line(self.scopes.find(path, definition.name))
                    if line is not None:
                        found.append(line)
        return tuple(found)


def _key(meant: Meaning | None) -> str:
    """Return what a class is called in lines: a name of the language, or its file and name."""
    if isinstance(meant, Foreign):
        return meant.name.removeprefix("builtins.")
    return f"{meant.scope.path}:{meant.name}" if isinstance(meant, Defined) else ""


def _builtin_line(name: str) -> frozenset[str]:
    """Return the names of an exception of the language and of its bases, nothing for another name."""
    found = getattr(builtins, name, None)
    if not isinstance(found, type) or not issubclass(found, BaseException):
        return frozenset()
    return frozenset(each.__name__ for each in found.__mro__[:-1])


def _wrappers(scope: Scope, node: FunctionNode) -> Iterator[BoundaryWrapper]:
    """Yield the innermost functions that a decorator, or one made by it, returns."""
    inner = Scope(scope.path, (*scope.around, node))
    returned = {
        each.id for found in walk(node.body) if isinstance(found, ast.Return) for each in _names(found.value)
    }  # fmt: skip
    for found in walk(node.body):
        if isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef)) and found.name in returned:
            below = list(_wrappers(inner, found))
            is_overload = any(dotted(each).rpartition(".")[2] == "overload" for each in found.decorator_list)
            if below:
                yield from below
            elif not is_overload and next(parameters(node), ""):
                yield BoundaryWrapper(inner, found, node)


def _names(node: ast.AST | None) -> Iterator[ast.Name]:
    """Yield the names in an expression that are not mere holders of an attribute."""
    pending = [node] if node is not None else []
    while pending:
        current = pending.pop()
        if isinstance(current, ast.Name):
            yield current
        elif not isinstance(current, ast.Attribute):
            pending.extend(ast.iter_child_nodes(current))


def _is_test(test: ast.expr, name: str | None) -> bool:
    """Whether a condition asks for the class of the exception with a name."""
    return (
        isinstance(test, ast.Call)
        and dotted(test.func) == "isinstance"
        and len(test.args) == 2
        and isinstance(test.args[0], ast.Name)
        and test.args[0].id == name
    )


def _implied(node: ast.AST) -> frozenset[str]:
    """Return the exceptions, with their bases, that an expression may raise that calls nothing."""
    name = ""
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
        return _builtin_line("KeyError") | _builtin_line("IndexError") - {"Exception"}
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)):
        return _builtin_line("ZeroDivisionError") | {"ValueError", "OverflowError"}
    if isinstance(node, (ast.Tuple, ast.List)) and isinstance(node.ctx, ast.Store):
        name = "ValueError"
    elif isinstance(node, ast.Assert):
        name = "AssertionError"
    elif isinstance(node, ast.Attribute):
        name = "AttributeError"
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        return _builtin_line("ImportError") | {"ModuleNotFoundError"}
    elif isinstance(node, ast.FormattedValue) and node.format_spec is not None:
        name = "ValueError"
    return _builtin_line(name)


def _is_safe_method(called: ast.expr) -> bool:
    if not isinstance(called, ast.Attribute):
        return False
    holder = dotted(called.value).rpartition(".")[2].lower()
    return called.attr in _SAFE_METHODS or (called.attr in LOG_METHODS and holder.strip("_").startswith("log"))


def _root(raised: ast.expr | None) -> str:
    """Return the name that what is raised begins with: of ``error.with_traceback(None)`` it is ``error``.

    It is "" where nothing is named, and "?" for another expression.
    """
    while isinstance(raised, ast.Attribute) or (
        isinstance(raised, ast.Call) and isinstance(raised.func, ast.Attribute)
    ):
        raised = raised.func if isinstance(raised, ast.Call) else raised.value
    if raised is None:
        return ""
    return raised.id if isinstance(raised, ast.Name) else "?"


def dotted(node: ast.expr) -> str:
    """Return a dotted name as it is written, "" for another expression."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else ""
    return ""
