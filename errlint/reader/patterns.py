"""Patterns of ``match`` of LibCST as those of ``ast``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import libcst as cst
from libcst.metadata import CodePosition

from errlint.reader.expressions import Expressions
from errlint.reader.places import Places


class Patterns:
    """Reads the patterns of one file."""

    def __init__(self, places: Places, expressions: Expressions) -> None:
        self._places = places
        self._expressions = expressions
        self._readers: dict[type[cst.CSTNode], Callable[..., ast.pattern]] = {
            cst.MatchValue: self._value, cst.MatchSingleton: self._singleton, cst.MatchList: self._sequence,
            cst.MatchTuple: self._sequence, cst.MatchStar: self._star, cst.MatchMapping: self._mapping,
            cst.MatchClass: self._class, cst.MatchAs: self._as, cst.MatchOr: self._or,
        }  # fmt: skip

    def read(self, node: cst.MatchPattern | cst.MatchStar) -> ast.pattern:
        """Return a pattern."""
        return self._readers[type(node)](node)

    def _put(self, found: ast.pattern, node: cst.CSTNode) -> ast.pattern:
        return self._places.put(found, *self._places.of(node))

    def _value(self, node: cst.MatchValue) -> ast.pattern:
        return self._places.put(ast.MatchValue(value=self._expressions.read(node.value)), *self._places.of(node.value))

    def _singleton(self, node: cst.MatchSingleton) -> ast.pattern:
        value = {"True": True, "False": False, "None": None}[node.value.value]
        return self._places.put(ast.MatchSingleton(value=value), *self._places.of(node.value))

    def _sequence(self, node: cst.MatchList | cst.MatchTuple) -> ast.pattern:
        found = ast.MatchSequence(patterns=self._parts(node.patterns))
        if isinstance(node, cst.MatchTuple):
            return self._places.put(found, *self._places.in_parentheses(node))
        start, end = self._places.of(node)
        comma = node.patterns[-1].comma if node.patterns else None
        if node.lbracket is None and isinstance(comma, cst.Comma):
            end = self._places.behind(comma)
        return self._places.put(found, start, end)

    def _parts(self, parts: Sequence[cst.MatchSequenceElement | cst.MatchStar]) -> list[ast.pattern]:
        return [self.read(each if isinstance(each, cst.MatchStar) else each.value) for each in parts]

    def _star(self, node: cst.MatchStar) -> ast.pattern:
        start = self._places.of(node).start
        name = node.name
        end = self._places.of(name).end if name else CodePosition(start.line, start.column + len("*_"))
        return self._places.put(ast.MatchStar(name=name.value if name else None), start, end)

    def _mapping(self, node: cst.MatchMapping) -> ast.pattern:
        keys = [self._expressions.read(each.key) for each in node.elements]
        patterns = [self.read(each.pattern) for each in node.elements]
        rest = node.rest.value if node.rest else None
        return self._put(ast.MatchMapping(keys=keys, patterns=patterns, rest=rest), node)

    def _class(self, node: cst.MatchClass) -> ast.pattern:
        found = ast.MatchClass(
            cls=self._expressions.read(node.cls),
            patterns=self._parts(node.patterns),
            kwd_attrs=[each.key.value for each in node.kwds],
            kwd_patterns=[self.read(each.pattern) for each in node.kwds],
        )
        return self._put(found, node)

    def _as(self, node: cst.MatchAs) -> ast.pattern:
        pattern = self.read(node.pattern) if node.pattern else None
        return self._put(ast.MatchAs(pattern=pattern, name=node.name.value if node.name else None), node)

    def _or(self, node: cst.MatchOr) -> ast.pattern:
        return self._put(ast.MatchOr(patterns=[self.read(each.pattern) for each in node.patterns]), node)
