"""Whether a function may let an exception of a class out, asked of all that it calls.

In doubt it may. A call of what is not known may raise anything, but for what has nothing to do with failures: methods
of texts and lists, and logging. The decorators of a function count, so that one whose boundary turns whatever happens
into an exception of the project lets no other one out. In a boundary, and where an exception is handled, a call of
what is not known raises nothing: what runs because something has failed is written not to fail.

What stands in a function is read by :mod:`errlint.index.may_raise`; what its names mean, and which classes a clause
catches, the project is asked for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from errlint.error_keywords import is_log_call
from errlint.facts import Call, Choice, Function, Ref, Value, Variable, all_values
from errlint.findings import Span
from errlint.index.may_raise import (
    Attempt,
    AttemptClause,
    PossibleCall,
    PossibleRaise,
    PossibleRaises,
    operations,
    possible_raises,
    running,
)
from errlint.lazy import cached_property
from errlint.project.decorators import PASSING
from errlint.project.hierarchy import EMPTY
from errlint.project.libraries import line_of
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol, ModuleSymbol, Symbol, ValueSymbol
from errlint.project.raise_outcome import is_protocol

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
_LOOKS = frozenset({"signature", "getattr", "hasattr", "cast", "repr", "str", "wraps", "id", "type"})
"""Functions that are handed a function and do not call it, besides those that ask whether it is something."""

_Key = tuple[str, str, str, bool]
"""A question about a function: its file and name, the class, and whether it is asked leniently."""


class Relation(Enum):
    """What an ``except`` clause does with the exceptions of a class: it catches all, perhaps some, or none of them."""

    ALL = "all"
    SOME = "some"
    NONE = "none"


class _EscapeQuestion(NamedTuple):
    """A question: for which class, in which function, and what is known there.

    ``is_lenient`` is true in boundaries and handlers. ``wrapped`` is the name of the function that a wrapper stands
    around, and ``throws`` whether that may let the class out. ``caught`` are the names of the exceptions that are being
    handled.
    """

    wanted: str
    path: str
    scope: str
    is_lenient: bool = False
    wrapped: str = ""
    throws: bool = False
    caught: frozenset[str] = frozenset()


class BoundaryWrapper(NamedTuple):
    """A function that a decorator puts around another, and the name by which it has that."""

    path: str
    function: Function
    wrapped: str


class Turned(NamedTuple):
    """What a boundary makes of an exception: its name, the place of the handler, and the classes that it raises."""

    boundary: str
    path: str
    span: Span
    classes: tuple[str, ...]


class ExceptionEscape:
    """Answers which exceptions the functions of one project let out."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._bodies: dict[tuple[str, str], PossibleRaises | None] = {}
        self._known: dict[_Key, bool] = {}
        self._round: dict[_Key, bool] = {}
        self._open: set[_Key] = set()

    def may(self, path: str, name: str, wanted: str) -> bool:
        """Whether a function, with its decorators, may let an exception of the language out, or one below it."""
        function = self._project.names.function(path, name)
        if function is None:
            return True
        for _ in range(MAX_ROUNDS):
            before = dict(self._known)
            self._round = {}
            if self._function(FunctionSymbol(path, function), wanted, is_lenient=False):
                return True
            if before == self._known:
                return False
        return True

    def may_sample(
        self, nodes: Iterable[ast.stmt], names: Mapping[str, Iterable[tuple[str, str]]], wanted: str
    ) -> bool:
        """Whether the statements of a sample may raise it; ``names`` are the adapters that its calls are of."""
        for node in running(nodes):
            if isinstance(node, (ast.Raise, ast.With, ast.AsyncWith, ast.Import, ast.ImportFrom)):
                return True
            if isinstance(node, ast.Call):
                name = node.func.id if isinstance(node.func, ast.Name) else ""
                if name in names:
                    if any(self.may(path, each, wanted) for path, each in names[name]):
                        return True
                elif not (name in _SAFE or _is_safe_method(ast.unparse(node.func))):
                    return True
            elif _may_be(operations(node), wanted):
                return True
        return False

    # --- functions and decorators -----------------------------------------------------------------------------------

    def _of(self, function: FunctionSymbol) -> PossibleRaises | None:
        """Return what a function may raise, ``None`` where it cannot be read."""
        key = (function.path, function.function.name)
        if key not in self._bodies:
            tree = self._project.documented.tree(function.path)
            self._bodies[key] = None if tree is None else possible_raises(tree, function.function.name)
        return self._bodies[key]

    def _function(self, function: FunctionSymbol, wanted: str, *, is_lenient: bool) -> bool:
        key = (function.path, function.function.name, wanted, is_lenient)
        if key in self._open:
            return self._known.get(key, False)  # it calls itself; the next round knows better
        if key not in self._round:
            self._open.add(key)
            self._round[key] = self._known[key] = self._lets_out(function, wanted, is_lenient=is_lenient)
            self._open.discard(key)
        return self._round[key]

    def _lets_out(self, function: FunctionSymbol, wanted: str, *, is_lenient: bool) -> bool:
        decorators = function.function.decorators[::-1]
        throws = True  # whatever happens inside
        for decorator in decorators:
            throws = self._decorated(function, decorator, wanted, is_lenient=is_lenient, throws=throws)
        if not throws:
            return False
        body = self._of(function)
        asked = _EscapeQuestion(wanted, function.path, function.function.name, is_lenient)
        throws = body is None or self._block(asked, body)
        for decorator in decorators:
            throws = self._decorated(function, decorator, wanted, is_lenient=is_lenient, throws=throws)
        return throws

    def _decorated(
        self, function: FunctionSymbol, decorator: str, wanted: str, *, is_lenient: bool, throws: bool
    ) -> bool:
        if decorator and self._project.adapters.registers(function.path, decorator):
            return throws
        if decorator.rpartition(".")[2] in PASSING:
            return throws
        wrappers = self.wrappers(function, decorator)
        is_boundary = self._is_boundary(function, decorator)
        return not wrappers or any(
            self._wrapper(each, wanted, is_lenient=is_lenient or is_boundary, throws=throws) for each in wrappers
        )

    def _wrapper(self, wrapper: BoundaryWrapper, wanted: str, *, is_lenient: bool, throws: bool) -> bool:
        body = self._of(FunctionSymbol(wrapper.path, wrapper.function))
        asked = _EscapeQuestion(wanted, wrapper.path, wrapper.function.name, is_lenient, wrapper.wrapped, throws)
        return body is None or self._block(asked, body)

    def _is_boundary(self, function: FunctionSymbol, decorator: str) -> bool:
        scope = function.function.name.rpartition(".")[0]
        return bool(decorator) and self._project.boundaries.meant(function.path, decorator, scope) is not None

    def _boundary(self, path: str, name: str) -> tuple[str, tuple[BoundaryWrapper, ...]]:
        """Return the name of the outermost boundary decorator of a function, and what it puts around it."""
        function = self._project.names.function(path, name)
        for decorator in function.decorators if function is not None else ():
            assert function is not None
            if self._is_boundary(FunctionSymbol(path, function), decorator):
                return decorator.rpartition(".")[2], self.wrappers(FunctionSymbol(path, function), decorator)
        return "", ()

    def turned(self, path: str, name: str, wanted: str) -> Turned | None:
        """Return what the boundary around a function makes of an exception; ``None`` without such a boundary."""
        boundary, wrappers = self._boundary(path, name)
        for wrapper in wrappers:
            symbol = FunctionSymbol(wrapper.path, wrapper.function)
            body = self._of(symbol)
            for clause in (each for attempt in body.attempts for each in attempt.clauses) if body is not None else ():
                if self.relation(wrapper.path, wrapper.function.name, clause.types, wanted) is Relation.ALL:
                    names = (_name(each) for each in self._raised(symbol, clause.body, 0))
                    return Turned(boundary, wrapper.path, clause.span, tuple(dict.fromkeys(names)))
        return None

    def answers(self, path: str, name: str, wanted: str) -> bool:
        """Whether a function itself catches an exception, to answer it."""
        function = self._project.names.function(path, name)
        return function is not None and any(
            "return" in catch.exits and self.relation(path, name, catch.types, wanted) is Relation.ALL
            for around in function.tries
            for catch in around.catches
        )

    def lets_through(self, path: str, name: str, wanted: str) -> bool:
        """Whether the boundary around a function names an exception to raise it again."""
        _, wrappers = self._boundary(path, name)
        if len(wrappers) != 1:
            return False
        where, function = wrappers[0].path, wrappers[0].function
        for catch in (catch for around in function.tries for catch in around.catches if catch.types):
            if self.relation(where, function.name, catch.types, wanted) is not Relation.NONE:
                named = [self._project.names.resolve(where, each, function.name) for each in catch.types]
                return named == [ExternalSymbol(f"builtins.{wanted}")] and catch.exits == ("again",)
        return False

    def _raised(self, function: FunctionSymbol, block: PossibleRaises, depth: int) -> Iterator[Symbol]:
        """Yield the classes of what a block raises, and the functions that it calls."""
        path, scope = function.path, function.function.name
        for found in block.raises:
            yield from self.classes(path, scope, found.value) or ()
        for call in block.calls:
            meant = self._meant(path, scope, call.callee)
            body = self._of(meant) if isinstance(meant, FunctionSymbol) and depth < MAX_DEPTH else None
            if body is not None and isinstance(meant, FunctionSymbol):
                yield from self._raised(meant, body, depth + 1)
        for inner in _inner(block):
            yield from self._raised(function, inner, depth)

    def wrappers(self, function: FunctionSymbol, decorator: str) -> tuple[BoundaryWrapper, ...]:
        """Return what a decorator of the project puts around a function, nothing where that is not known.

        Of wrappers for both kinds of functions those of its kind.
        """
        meant = self._project.names.resolve(function.path, decorator, function.function.name.rpartition(".")[0])
        if not isinstance(meant, FunctionSymbol):
            return ()
        every = tuple(self._wrappers(meant))
        own = tuple(each for each in every if each.function.is_async == function.function.is_async)
        return own or every

    def _wrappers(self, decorator: FunctionSymbol) -> Iterator[BoundaryWrapper]:
        """Yield the innermost functions that a decorator, or one made by it, returns."""
        path, function = decorator
        answered = (part for found in function.returns if not found.is_yield for part in all_values(found.value))
        returned = {part.name for part in answered if type(part) is Ref}
        for name in sorted(returned):
            inner = self._project.names.function(path, f"{function.name}.{name}")
            if inner is None:
                continue
            below = list(self._wrappers(FunctionSymbol(path, inner)))
            is_overload = any(each.rpartition(".")[2] == "overload" for each in inner.decorators)
            if below:
                yield from below
            elif not is_overload and inner.parameters:
                yield BoundaryWrapper(path, inner, function.parameters[0].name if function.parameters else "")

    # --- blocks -----------------------------------------------------------------------------------------------------

    def _block(self, asked: _EscapeQuestion, block: PossibleRaises) -> bool:
        return (
            (not asked.is_lenient and (block.has_unknown or _may_be(block.operations, asked.wanted)))
            or any(self._raise(asked, each) for each in block.raises)
            or any(self._call(asked, each) for each in block.calls)
            or any(self._attempt(asked, each) for each in block.attempts)
        )

    def _attempt(self, asked: _EscapeQuestion, attempt: Attempt) -> bool:
        remains = self._block(asked, attempt.body)
        handling = asked._replace(is_lenient=True)
        for clause in attempt.clauses:
            relation = self.relation(asked.path, asked.scope, clause.types, asked.wanted)
            if remains and relation is not Relation.NONE and self._raises_again(asked, clause):
                return True
            own = handling._replace(caught=asked.caught.union(filter(None, [clause.name])))
            if self._block(own, clause.body):
                return True
            remains = remains and relation is not Relation.ALL
        return remains or self._block(asked, attempt.after)

    def _raise(self, asked: _EscapeQuestion, found: PossibleRaise) -> bool:
        """Whether a statement raises the class; a handler that raises again what it caught is asked elsewhere."""
        if found.root in asked.caught | {""}:
            return False
        classes = self.classes(asked.path, asked.scope, found.value)
        lines = [None] if classes is None else map(self._line, classes)
        return any(line is None or f"builtins.{asked.wanted}" in line for line in lines)

    def _call(self, asked: _EscapeQuestion, call: PossibleCall) -> bool:
        if asked.wrapped and self._is_of_wrapped(asked.wrapped, call):
            return asked.throws
        meant = self._meant(asked.path, asked.scope, call.callee)
        if isinstance(meant, FunctionSymbol):
            return self._function(meant, asked.wanted, is_lenient=asked.is_lenient)
        if asked.is_lenient:
            return False
        if call.is_entered:
            return True  # what it does when it is entered and left is not known
        if isinstance(meant, ClassSymbol):
            return self._construction(meant, asked.wanted)
        if _is_safe_method(call.written):
            return False
        if not isinstance(meant, ExternalSymbol):
            return True
        if self._line(meant) is not None:
            return False  # an exception that is made
        name = meant.name.removeprefix("builtins.")
        return _may_be([_CONVERSIONS[name]], asked.wanted) if name in _CONVERSIONS else name not in _SAFE

    def _is_of_wrapped(self, wrapped: str, call: PossibleCall) -> bool:
        """Whether a call is one of the function that is wrapped, or hands it to what may call it."""
        if call.callee.name == wrapped:
            return True
        last = call.written.rpartition(".")[2]
        return wrapped in call.names and not (last in _LOOKS or last.startswith("is"))

    def _construction(self, made: ClassSymbol, wanted: str) -> bool:
        """Whether making an object may raise it."""
        line = self._line(made)
        if line is not None and "builtins.BaseException" in line:
            return False
        if {name.rpartition(".")[2] for name in self._project.hierarchy.line(made).outside} - EMPTY:
            return True
        for name in ("__new__", "__init__", "__post_init__"):
            method = self._project.names.member(made, name)
            if isinstance(method, FunctionSymbol) and self._function(method, wanted, is_lenient=False):
                return True
        return False

    def _meant(self, path: str, scope: str, call: Call) -> Symbol | None:
        """Return what is called, also as a method of an object of a known class; ``None`` where that is not known."""
        names = self._project.names
        holder, _, last = call.name.rpartition(".")
        if call.name.startswith("."):
            made = call.inner
            owner = self._meant(path, scope, made) if type(made) is Call else None
            return names.member(owner, last) if isinstance(owner, ClassSymbol) else None
        symbol = names.resolve(path, call.name, scope) if call.name else None
        if symbol is not None and not isinstance(symbol, ValueSymbol):
            own = names.enclosing_class(path, scope) if isinstance(symbol, FunctionSymbol) else None
            is_of_self = bool(holder) and names.resolve(path, holder, scope) is None
            # What is below the class of `self` may have another method by that name.
            return None if is_of_self and own is not None and self._project.hierarchy.heirs(own) else symbol
        if not holder or isinstance(names.resolve(path, holder, scope), (ExternalSymbol, ModuleSymbol)):
            return None
        made_of = self._project.values.object_of(path, scope, Ref(holder))
        return names.member(made_of.symbol, last) if made_of is not None else None

    # --- handlers ---------------------------------------------------------------------------------------------------

    def relation(self, path: str, scope: str, types: tuple[str, ...], wanted: str) -> Relation:
        """Return what an ``except`` clause does with the exceptions of a class."""
        name = f"builtins.{wanted}"
        if self._project.hierarchy.catches(path, scope, types, ExternalSymbol(name)):
            return Relation.ALL
        for each in types:
            symbol = self._project.names.resolve(path, each, scope)
            line = self._line(symbol) if symbol is not None else None
            if line is None or name in line:
                return Relation.SOME
            if any({self._project.names.absolute(symbol), name} <= other for other in self._several):
                return Relation.SOME
        return Relation.NONE

    def _raises_again(self, asked: _EscapeQuestion, clause: AttemptClause) -> bool:
        """Whether a handler may raise what it caught; what runs only for exceptions of other classes is left out."""
        path, scope = asked.path, asked.scope
        return any(
            all(self.relation(path, scope, types, asked.wanted) is not Relation.NONE for types in found.tests)
            and (found.callee is None or self._raises_current(path, scope, found.callee, 0))
            for found in clause.again
        )

    def _raises_current(self, path: str, scope: str, call: Call, depth: int) -> bool:
        """Whether a call raises again what its caller is handling: a function with a ``raise`` and nothing behind."""
        meant = self._meant(path, scope, call)
        body = self._of(meant) if isinstance(meant, FunctionSymbol) and depth <= MAX_DEPTH else None
        return (
            body is not None
            and isinstance(meant, FunctionSymbol)
            and any(
                any(not found.root for found in block.raises)
                or any(
                    self._raises_current(meant.path, meant.function.name, each.callee, depth + 1)
                    for each in block.calls
                )
                for block in _every(body)
            )
        )

    # --- classes ----------------------------------------------------------------------------------------------------

    def classes(self, path: str, scope: str, raised: Value, depth: int = 0) -> list[Symbol] | None:
        """Return the classes that what is raised may be of; ``None`` where that is not known."""
        if depth > MAX_DEPTH:
            return None
        if type(raised) is Choice or type(raised) is Variable:
            several = [self.classes(path, scope, each, depth) for each in raised.values]
            return None if None in several or not several else [item for each in several for item in each or ()]
        if type(raised) is not Call and type(raised) is not Ref:
            return None
        meant = self._meant(path, scope, raised if type(raised) is Call else Call(raised.name, ()))
        if isinstance(meant, (ClassSymbol, ExternalSymbol)):
            return [meant]
        if isinstance(meant, FunctionSymbol) and type(raised) is Call:
            made = Choice(tuple(each.value for each in meant.function.returns))
            return self.classes(meant.path, meant.function.name, made, depth + 1)
        held = self._project.names.resolve(path, raised.name, scope) if type(raised) is Ref else None
        return self.classes(held.path, "", held.value, depth + 1) if isinstance(held, ValueSymbol) else None

    def _line(self, symbol: Symbol) -> frozenset[str] | None:
        """Return the absolute names of a class and of all its bases; ``None`` where they are not all known."""
        if isinstance(symbol, ExternalSymbol):
            names = line_of("builtins.Exception" if is_protocol(symbol) else symbol.name)
            return frozenset(names) if "builtins.BaseException" in names else None
        if not isinstance(symbol, ClassSymbol):
            return None
        line = self._project.hierarchy.line(symbol)
        return None if line.unknown else frozenset(line.names)

    @cached_property
    def _several(self) -> tuple[frozenset[str], ...]:
        """The lines of the exception classes of the project."""
        found: list[frozenset[str]] = []
        for path, module in self._project.modules.items():
            for definition in module.classes:
                symbol = ClassSymbol(path, definition)
                line = self._line(symbol) if self._project.hierarchy.is_exception(symbol) else None
                if line is not None:
                    found.append(line)
        return tuple(found)


def _may_be(names: Iterable[str], wanted: str) -> bool:
    """Whether one of some exceptions of the language is one, or below one."""
    return any(f"builtins.{wanted}" in line_of(f"builtins.{name}") for name in names)


def _name(symbol: Symbol) -> str:
    """Return the last name of a class."""
    name = symbol.definition.name if isinstance(symbol, ClassSymbol) else getattr(symbol, "name", "")
    return str(name).rpartition(".")[2]


def _inner(block: PossibleRaises) -> Iterator[PossibleRaises]:
    """Yield the blocks of the ``try`` statements in a block."""
    for attempt in block.attempts:
        yield attempt.body
        yield from (clause.body for clause in attempt.clauses)
        yield attempt.after


def _every(block: PossibleRaises) -> Iterator[PossibleRaises]:
    """Yield a block and all blocks inside it."""
    yield block
    for inner in _inner(block):
        yield from _every(inner)


def _is_safe_method(written: str) -> bool:
    """Whether a method, as it is written, has nothing to do with failures."""
    _, dot, last = written.rpartition(".")
    return is_log_call(written) or (bool(dot) and last in _SAFE_METHODS)
