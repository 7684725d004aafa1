"""What a boundary does about each kind of exception, as :class:`errlint.facts.Way`.

Ways part where the function asks what an exception is: at ``except``, ``isinstance`` and ``match``. At any other
condition they stay one, which has the statements of both sides: whether those run is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import libcst as cst
from msgspec import structs

from errlint.collect import statements
from errlint.collect.expressions import convert, dotted_name
from errlint.collect.flow import exception_names
from errlint.facts import Step, Way
from errlint.findings import Span

_MOST = 64
"""How many ways a function may have; of one with more nothing is told."""


class _Path(NamedTuple):
    """A way up to some statement; ``span`` is ``None`` until a statement follows a condition that was not met."""

    span: Span | None
    types: tuple[str, ...]
    name: str
    is_caught: bool
    steps: tuple[Step, ...]


def ways_of_exceptions(function: cst.FunctionDef, spans: Mapping[int, Span]) -> tuple[Way, ...]:
    """Return the ways through a function, as far as it asks what an exception is; none where they are too many."""
    parameters = function.params
    named = (*parameters.posonly_params, *parameters.params, *parameters.kwonly_params)
    walker = _Walker(spans, {item.name.value for item in named})
    open_paths = walker.suite(function.body, [_Path(spans[id(function)], (), "", False, ())])
    walker.leave(open_paths, "end")
    return tuple(walker.found) if walker.is_bounded else ()


class _Walker:
    def __init__(self, spans: Mapping[int, Span], exceptions: set[str]) -> None:
        self._spans = spans
        self._exceptions = exceptions
        self.found: list[Way] = []
        self.is_bounded = True

    def leave(self, paths: Iterable[_Path], how: str) -> None:
        for path in paths:
            steps = path.steps
            span = path.span or (steps[-1].span if steps else None)
            if span is not None:
                self.found.append(Way(span, path.types, path.name, path.is_caught, steps, how))
        self.is_bounded = self.is_bounded and len(self.found) <= _MOST

    def suite(self, body: cst.BaseSuite, paths: list[_Path]) -> list[_Path]:
        """Walk a block on all paths that reach it; return those that reach its end."""
        for line in body.body:
            if len(paths) > _MOST:
                self.is_bounded = False
            if not paths or not self.is_bounded:
                return []
            if isinstance(line, cst.SimpleStatementLine):
                for small in line.body:
                    paths = self._small(small, paths)
            elif isinstance(line, cst.BaseSmallStatement):
                paths = self._small(line, paths)
            elif isinstance(line, cst.BaseCompoundStatement):
                paths = self._compound(line, paths)
        return paths

    def _small(self, node: cst.BaseSmallStatement, paths: list[_Path]) -> list[_Path]:
        paths = self._extended(paths, self._steps(node), self._spans[id(node)])
        if isinstance(node, (cst.Return, cst.Raise)):
            self.leave(paths, "return" if isinstance(node, cst.Return) else "raise")
            return []
        return paths

    def _extended(self, paths: list[_Path], steps: Iterable[Step], span: Span) -> list[_Path]:
        added = tuple(steps)
        return [path._replace(span=path.span or span, steps=(*path.steps, *added)) for path in paths]

    def _steps(self, node: cst.BaseSmallStatement) -> Iterator[Step]:
        span = self._spans[id(node)]
        value = node.exc if isinstance(node, cst.Raise) else getattr(node, "value", None)
        if not isinstance(value, cst.BaseExpression):
            return
        targets: list[cst.BaseExpression] = []
        if isinstance(node, cst.Assign):
            targets = [item.target for item in node.targets]
        elif isinstance(node, (cst.AnnAssign, cst.AugAssign)):
            targets = [node.target]
        target = targets[0] if targets else None
        key = ""
        if isinstance(target, cst.Subscript):
            index = target.slice[0].slice if len(target.slice) == 1 else None
            if isinstance(index, cst.Index) and isinstance(index.value, cst.SimpleString):
                key = str(index.value.evaluated_value)
            target = target.value
        yield Step(span, convert(value, {}), dotted_name(target) if target is not None else "", key)

    def _compound(self, node: cst.BaseCompoundStatement, paths: list[_Path]) -> list[_Path]:
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            return paths
        if isinstance(node, cst.If):
            return self._if(node, paths)
        if isinstance(node, cst.Match) and dotted_name(node.subject) in self._exceptions:
            return self._match(node, paths)
        if isinstance(node, cst.With):
            span = self._spans[id(node)]
            steps = [
                Step(span, convert(item.item, {}), dotted_name(item.asname.name) if item.asname else "")
                for item in node.items
            ]
            return self.suite(node.body, self._extended(paths, steps, span))
        if isinstance(node, (cst.Try, cst.TryStar)):
            return self._try(node, paths)
        return self._either(node, paths)

    def _if(self, node: cst.If, paths: list[_Path]) -> list[_Path]:
        asked = _asked(node.test, self._exceptions)
        if asked is None:
            return self._either(node, paths)
        span = self._spans[id(node)]
        rest = [path._replace(span=None) for path in paths]
        met = [path._replace(span=span, types=asked.types, name=asked.name) for path in paths]
        if asked.is_negated:
            met, rest = rest, met
        after = self.suite(node.body, met)
        if not asked.is_whole:
            rest = [*rest, *(path for path in met if not asked.is_negated)]
        if isinstance(node.orelse, cst.If):
            return [*after, *self._if(node.orelse, rest)]
        return [*after, *(self.suite(node.orelse.body, rest) if node.orelse else rest)]

    def _match(self, node: cst.Match, paths: list[_Path]) -> list[_Path]:
        name, after = dotted_name(node.subject), list[_Path]()
        for case in node.cases:
            types = tuple(_classes(case.pattern))
            first = next((self._spans[id(line)] for line in statements.of(case.body) if id(line) in self._spans), None)
            entered = [path._replace(span=first or path.span, types=types or path.types, name=name) for path in paths]
            after += self.suite(case.body, entered)
            if isinstance(case.pattern, cst.MatchAs) and case.pattern.pattern is None and case.guard is None:
                return after
            if self.found and not self.is_bounded:
                return []
        return [*after, *(path._replace(span=None) for path in paths)]

    def _try(self, node: cst.Try | cst.TryStar, paths: list[_Path]) -> list[_Path]:
        if any(path.is_caught or path.types for path in paths):
            return self._either(node, paths)
        after = self.suite(node.body, paths)
        if node.orelse:
            after = self.suite(node.orelse.body, after)
        for handler in node.handlers:
            caught = handler.name.name.value if handler.name and isinstance(handler.name.name, cst.Name) else ""
            outer, self._exceptions = self._exceptions, self._exceptions | {caught}
            types, span = exception_names(handler.type), self._spans[id(handler)]
            after += self.suite(handler.body, [_Path(span, types, caught, True, ())])
            self._exceptions = outer
        return self.suite(node.finalbody.body, after) if node.finalbody else after

    def _either(self, node: cst.BaseCompoundStatement, paths: list[_Path]) -> list[_Path]:
        """Walk a compound statement whose parts may run or not: they all belong to the paths."""
        steps: list[Step] = []
        leaves: set[str] = set()
        for part in statements.below(node):
            if isinstance(part, cst.With):
                steps += [Step(self._spans[id(part)], convert(item.item, {})) for item in part.items]
            elif isinstance(part, cst.BaseSmallStatement):
                steps += self._steps(part)
                if isinstance(part, (cst.Return, cst.Raise)):
                    leaves.add("return" if isinstance(part, cst.Return) else "raise")
        unsure = [structs.replace(step, is_sure=False) for step in steps]
        paths = self._extended(paths, unsure, self._spans[id(node)])
        for how in sorted(leaves):
            self.leave(paths, how)
        return paths


class _Asked(NamedTuple):
    """That an exception is one of some types; ``is_whole`` is false where a condition asks for more than that."""

    name: str
    types: tuple[str, ...]
    is_negated: bool
    is_whole: bool


def _asked(test: cst.BaseExpression, exceptions: set[str]) -> _Asked | None:
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        inner = _asked(test.expression, exceptions)
        return inner._replace(is_negated=True) if inner is not None and inner.is_whole else None
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        inner = _asked(test.left, exceptions)
        return inner._replace(is_whole=False) if inner is not None and not inner.is_negated else None
    if not isinstance(test, cst.Call) or dotted_name(test.func) != "isinstance" or len(test.args) != 2:
        return None
    name = dotted_name(test.args[0].value)
    if name not in exceptions:
        return None
    return _Asked(name, exception_names(test.args[1].value), False, True)


def _classes(pattern: cst.MatchPattern) -> Iterator[str]:
    """Yield the dotted names of the classes that a pattern asks for; "?" for one that asks for something else."""
    if isinstance(pattern, cst.MatchClass):
        yield dotted_name(pattern.cls) or "?"
    elif isinstance(pattern, cst.MatchOr):
        for item in pattern.patterns:
            yield from _classes(item.pattern)
    elif isinstance(pattern, cst.MatchAs):
        if pattern.pattern is not None:
            yield from _classes(pattern.pattern)
    else:
        yield "?"
