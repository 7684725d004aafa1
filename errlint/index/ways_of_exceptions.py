"""What a boundary does about each kind of exception, as :class:`errlint.facts.ExceptionHandling`.

Ways part where the function asks what an exception is: at ``except``, ``isinstance`` and ``match``. At any other
condition they stay one, which has the statements of both sides: whether those run is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec import structs

from errlint.facts import ExceptionHandling, HandlingStep
from errlint.findings import Span
from errlint.index.bindings import TRY, FunctionNode, parameters, targets_of
from errlint.index.catching import exception_names
from errlint.index.expressions import convert, dotted_name, subscript_key
from errlint.index.forward import Block, elif_of, fits_all
from errlint.index.spans import Spans
from errlint.index.statements import below, blocks, is_compound

_MOST = 64
"""How many ways a function may have; of one with more nothing is told."""


class _Path(NamedTuple):
    """A way up to some statement; ``span`` is ``None`` until a statement follows a condition that was not met."""

    span: Span | None
    types: tuple[str, ...]
    name: str
    is_caught: bool
    steps: tuple[HandlingStep, ...]


def ways_of_exceptions(function: ast.FunctionDef | ast.AsyncFunctionDef, spans: Spans) -> tuple[ExceptionHandling, ...]:
    """Return the ways through a function, as far as it asks what an exception is; none where they are too many."""
    walker = _Walker(spans, {item.arg for item in parameters(function.args)})
    open_paths = walker.block(function.body, [_Path(spans.of(function), (), "", False, ())])
    walker.leave(open_paths, "end")
    return tuple(walker.found) if walker.is_bounded else ()


class _Walker:
    def __init__(self, spans: Spans, exceptions: set[str]) -> None:
        self._spans = spans
        self._exceptions = exceptions
        self.found: list[ExceptionHandling] = []
        self.is_bounded = True

    def leave(self, paths: Iterable[_Path], how: str) -> None:
        for path in paths:
            steps = path.steps
            span = path.span or (steps[-1].span if steps else None)
            if span is not None:
                self.found.append(ExceptionHandling(span, path.types, path.name, path.is_caught, steps, how))
        self.is_bounded = self.is_bounded and len(self.found) <= _MOST

    def block(self, body: Block, paths: list[_Path]) -> list[_Path]:
        """Walk a block on all paths that reach it; return those that reach its end."""
        for node in body:
            if len(paths) > _MOST:
                self.is_bounded = False
            if not paths or not self.is_bounded:
                return []
            paths = self._compound(node, paths) if is_compound(node) else self._simple(node, paths)
        return paths

    def _simple(self, node: ast.stmt, paths: list[_Path]) -> list[_Path]:
        paths = self._extended(paths, self._steps(node), self._spans.of(node))
        if isinstance(node, (ast.Return, ast.Raise)):
            self.leave(paths, "return" if isinstance(node, ast.Return) else "raise")
            return []
        return paths

    def _extended(self, paths: list[_Path], steps: Iterable[HandlingStep], span: Span) -> list[_Path]:
        added = tuple(steps)
        return [path._replace(span=path.span or span, steps=(*path.steps, *added)) for path in paths]

    def _steps(self, node: ast.stmt) -> Iterator[HandlingStep]:
        value = node.exc if isinstance(node, ast.Raise) else getattr(node, "value", None)
        if not isinstance(value, ast.expr):
            return
        target = next(iter(targets_of(node)), None)
        key = ""
        if isinstance(target, ast.Subscript):
            key = subscript_key(target) or ""
            target = target.value
        yield HandlingStep(self._spans.of(node), convert(value, {}), dotted_name(target), key)

    def _compound(self, node: ast.stmt, paths: list[_Path]) -> list[_Path]:
        if isinstance(node, (*FunctionNode, ast.ClassDef)):
            return paths
        if isinstance(node, ast.If):
            return self._if(node, paths)
        if isinstance(node, ast.Match) and dotted_name(node.subject) in self._exceptions:
            return self._match(node, paths)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            span = self._spans.of(node)
            steps = [
                HandlingStep(span, convert(item.context_expr, {}), dotted_name(item.optional_vars))
                for item in node.items
            ]
            return self.block(node.body, self._extended(paths, steps, span))
        if isinstance(node, TRY):
            return self._try(node, paths)
        return self._either(node, paths)

    def _if(self, node: ast.If, paths: list[_Path]) -> list[_Path]:
        asked = _asked(node.test, self._exceptions)
        if asked is None:
            return self._either(node, paths)
        span = self._spans.of(node)
        rest = [path._replace(span=None) for path in paths]
        met = [path._replace(span=span, types=asked.types, name=asked.name) for path in paths]
        if asked.is_negated:
            met, rest = rest, met
        after = self.block(node.body, met)
        if not asked.is_whole:
            rest = [*rest, *(path for path in met if not asked.is_negated)]
        if (following := elif_of(node)) is not None:
            return [*after, *self._if(following, rest)]
        return [*after, *(self.block(node.orelse, rest) if node.orelse else rest)]

    def _match(self, node: ast.Match, paths: list[_Path]) -> list[_Path]:
        name, after = dotted_name(node.subject), list[_Path]()
        for case in node.cases:
            types = tuple(_classes(case.pattern))
            first = self._spans.of(case.body[0])
            entered = [path._replace(span=first, types=types or path.types, name=name) for path in paths]
            after += self.block(case.body, entered)
            if fits_all(case):
                return after
            if self.found and not self.is_bounded:
                return []
        return [*after, *(path._replace(span=None) for path in paths)]

    def _try(self, node: ast.Try, paths: list[_Path]) -> list[_Path]:
        if any(path.is_caught or path.types for path in paths):
            return self._either(node, paths)
        after = self.block(node.body, paths)
        if node.orelse:
            after = self.block(node.orelse, after)
        for handler in node.handlers:
            caught = handler.name or ""
            outer, self._exceptions = self._exceptions, self._exceptions | {caught}
            types, span = exception_names(handler), self._spans.of(handler)
            after += self.block(handler.body, [_Path(span, types, caught, True, ())])
            self._exceptions = outer
        return self.block(node.finalbody, after) if node.finalbody else after

    def _either(self, node: ast.stmt, paths: list[_Path]) -> list[_Path]:
        """Walk a compound statement whose parts may run or not: they all belong to the paths."""
        steps: list[HandlingStep] = []
        leaves: set[str] = set()
        for part in (each for block in blocks(node) for each in below(block)):
            if isinstance(part, (ast.With, ast.AsyncWith)):
                steps += [HandlingStep(self._spans.of(part), convert(item.context_expr, {})) for item in part.items]
            elif not is_compound(part):
                steps += self._steps(part)
                if isinstance(part, (ast.Return, ast.Raise)):
                    leaves.add("return" if isinstance(part, ast.Return) else "raise")
        unsure = [structs.replace(step, is_sure=False) for step in steps]
        paths = self._extended(paths, unsure, self._spans.of(node))
        for how in sorted(leaves):
            self.leave(paths, how)
        return paths


class _TypeTest(NamedTuple):
    """That an exception is one of some types; ``is_whole`` is false where a condition asks for more than that."""

    name: str
    types: tuple[str, ...]
    is_negated: bool
    is_whole: bool


def _asked(test: ast.expr, exceptions: set[str]) -> _TypeTest | None:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _asked(test.operand, exceptions)
        return inner._replace(is_negated=True) if inner is not None and inner.is_whole else None
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        inner = _asked(test.values[0], exceptions)
        return inner._replace(is_whole=False) if inner is not None and not inner.is_negated else None
    if not isinstance(test, ast.Call) or dotted_name(test.func) != "isinstance" or len(test.args) != 2:
        return None
    name = dotted_name(test.args[0])
    if name not in exceptions:
        return None
    types = test.args[1].elts if isinstance(test.args[1], ast.Tuple) else [test.args[1]]
    return _TypeTest(name, tuple(dotted_name(each) or "?" for each in types), False, True)


def _classes(pattern: ast.pattern) -> Iterator[str]:
    """Yield the dotted names of the classes that a pattern asks for; "?" for one that asks for something else."""
    if isinstance(pattern, ast.MatchClass):
        yield dotted_name(pattern.cls) or "?"
    elif isinstance(pattern, ast.MatchOr):
        for item in pattern.patterns:
            yield from _classes(item)
    elif isinstance(pattern, ast.MatchAs):
        if pattern.pattern is not None:
            yield from _classes(pattern.pattern)
    else:
        yield "?"
