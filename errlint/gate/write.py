"""The skeleton: the kept statements of a module with what surrounds them, as little text as the collector needs.

What is left out is what nobody looks into: the linker reads of an expression only what
:data:`errlint.facts.Value` keeps, of payloads and objects only the keys of the vocabulary, of conditions nothing.
Every token counts: LibCST takes about as long for a comma as Python takes to leave it out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import NamedTuple

from errlint.findings import Span
from errlint.gate.prune import PLACEHOLDER, WHOLE, Pruner
from errlint.gate.syntax import (
    CHANGERS,
    FUNCTIONS,
    SCOPES,
    SIMPLE,
    TRY,
    Function,
    all_blocks,
    blocks,
    is_dotted,
    is_endless,
    is_key,
    name_or_callee,
    uses_name,
)
from errlint.source import LONG

DEFAULT_LENGTH = 40
"""A text default of a parameter is kept up to so many characters, unless all texts are wanted whole."""

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_NAME = re.compile(rb"(?:async(?:\s|\\)+)?(?:def|class)(?:\s|\\)+[\w\x80-\xff]+")
_CLOSING = re.compile(rb"[\s),\\]*(?=:)")
_HOLE = re.compile(r"\{[^{}]*\}")
_NOWHERE = Span(0, 0, 0, 0)


class Skeleton(NamedTuple):
    """A pruned module: its text and the span in the original of each of its statements, in document order.

    ``long`` are statements that have to be measured before anything recurses over them. ``using`` are the positions in
    ``spans`` of the functions with a use of a wanted name or a registration inside, ``flows`` those of the functions
    with all that decides about the way through them, ``tries`` those of the ``try`` statements with all that decides
    about names in their handlers. ``rebound`` are names that the module binds more than once,
    ``swallows`` the positions of the ``try`` statements that may swallow, ``unread`` those of calls
    whose result is dropped, ``branching`` those of the ``try`` statements with a condition on the text of an exception.
    ``is_script`` is true where all is kept that the module does itself.
    """

    text: str
    spans: tuple[Span, ...]
    long: tuple[tuple[Span, str], ...]
    using: frozenset[int]
    flows: frozenset[int]
    tries: frozenset[int]
    rebound: frozenset[str]
    swallows: frozenset[int]
    unread: frozenset[int]
    branching: frozenset[int]
    is_script: bool


class Writer:
    """Writes what a :class:`Pruner` kept."""

    def __init__(self, pruner: Pruner) -> None:
        self._marks = pruner
        self._lines = pruner.lines
        self._keys = pruner.vocabulary.keys
        self._holes = pruner.vocabulary.holes
        self._fields = pruner.vocabulary.fields
        self._is_flat = False
        self._caught: str | None = None  # the name of what the innermost handler caught
        self._out: list[str] = []
        self._spans: list[Span] = []
        self._using: list[int] = []
        self._flows: list[int] = []
        self._tries: list[int] = []
        self._swallows: list[int] = []
        self._dropping: list[int] = []
        self._branching: list[int] = []
        self._heads: set[int] = set()  # positions in the text of headers: nothing may follow those on their line
        self._long: list[tuple[Span, str]] = []

    def write(self, tree: ast.Module) -> Skeleton | None:
        """Write the kept statements with what surrounds them, ``None`` when there are none."""
        self._block(tree.body, 0)
        if not self._out:
            return None
        used = set(_IDENTIFIER.findall("\n".join(self._out)))
        body, self._out = self._out, []
        spans, self._spans = self._spans, []
        for node in tree.body:
            self._imports(node, used)
        before = len(self._spans)
        places = (self._using, self._flows, self._tries, self._swallows, self._dropping, self._branching)
        using, flows, tries, swallows, unread, branching = (
            frozenset(before + index for index in found) for found in places
        )
        text = "\n".join((*self._out, *body, ""))
        positions = (*self._spans, *spans)
        return Skeleton(
            text, positions, tuple(self._long), using, flows, tries, self._marks.rebound, swallows, unread, branching,
            self._marks.is_script,
        )  # fmt: skip

    def _imports(self, node: ast.stmt, used: set[str]) -> None:
        """Write the imports of the module, and of the functions around what is kept, that bind a name in use."""
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            if node in self._marks.kept:
                return
            names = [
                alias
                for alias in node.names
                if alias.name == "*" or (alias.asname or alias.name.partition(".")[0]) in used
            ]
            if names:
                listed = ", ".join(f"{alias.name} as {alias.asname}" if alias.asname else alias.name for alias in names)
                origin = f"from {'.' * node.level}{node.module or ''} " if isinstance(node, ast.ImportFrom) else ""
                self._simple(node, 0, f"{origin}import {listed}")
        elif type(node) not in SIMPLE and (not isinstance(node, SCOPES) or node in self._marks.headers):
            for block in all_blocks(node):
                for inner in block:
                    self._imports(inner, used)

    # --- statements ---------------------------------------------------------------------------------------------

    def _block(self, body: list[ast.stmt], depth: int) -> None:
        """Write the kept statements of a block."""
        headers = self._marks.headers
        for node in body:
            if node not in headers:
                continue
            if type(node) in SIMPLE:
                self._simple(node, depth, self._statement(node))
            elif isinstance(node, FUNCTIONS):
                self._function(node, depth)
            elif isinstance(node, ast.ClassDef):
                self._class(node, depth)
            elif self._is_flat and node not in self._marks.registering:
                self._flattened(node, depth)
            else:
                self._compound(node, depth)

    def _simple(self, node: ast.stmt, depth: int, text: str) -> None:
        self._out.append(" " * depth + text)
        if node in self._marks.unread:
            self._dropping.append(len(self._spans))
        span = self._span(node)
        self._spans.append(span)
        if len(text) > LONG:
            self._long.append((span, text))

    def _head(self, depth: int, text: str, span: Span | None) -> None:
        self._heads.add(len(self._out))
        self._out.append(" " * depth + text)
        if span is not None:
            self._spans.append(span)
            if len(text) > LONG:
                self._long.append((span, text))

    def _body(self, body: list[ast.stmt], depth: int) -> None:
        """Write the block of the header just written, on its line where it is one simple statement."""
        before = len(self._out)
        self._block(body, depth)
        written = len(self._out) - before
        if written == 0:
            self._out[-1] += " pass"
            self._spans.append(_NOWHERE)
        elif written == 1 and before not in self._heads:
            only = self._out.pop()
            self._out[-1] += " " + only.lstrip(" ")

    def _decorators(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, depth: int) -> None:
        for decorator in node.decorator_list:
            expression: ast.expr = decorator
            while isinstance(expression, ast.Call):
                expression = expression.func
            wanted = self._marks.vocabulary.reads(name_or_callee(expression))
            self._head(depth, f"@{self._expression(decorator) if wanted else self._dotted(expression)}", None)

    def _dotted(self, node: ast.expr) -> str:
        return self._text(node) if is_dotted(node) else "..."

    def _function(self, node: Function, depth: int) -> None:
        self._decorators(node, depth)
        position = len(self._out)
        if node in self._marks.using:
            self._using.append(len(self._spans))
        if node in self._marks.flows:
            self._flows.append(len(self._spans))
        self._head(depth, "", self._name_span(node))
        outer, self._is_flat = self._is_flat, node in self._marks.flat
        before = len(self._out)
        self._block(node.body, depth + 1)
        self._is_flat = outer
        body = self._out[before:]
        # Nobody asks for the parameters of a function of which nothing else is kept.
        filled = (body or self._marks.vocabulary.settings) and node in self._marks.kept
        keyword = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
        header = f"{' ' * depth}{keyword} {node.name}({self._parameters(node.args) if filled else ''}):"
        if not body:
            header += " pass"
            self._spans.append(_NOWHERE)
        elif len(body) == 1 and before not in self._heads:
            header += " " + self._out.pop().lstrip(" ")
        self._out[position] = header

    def _class(self, node: ast.ClassDef, depth: int) -> None:
        self._decorators(node, depth)
        bases: list[str] = []
        for base in node.bases:
            while isinstance(base, (ast.Subscript, ast.Call)):
                base = base.value if isinstance(base, ast.Subscript) else base.func
            bases.append(self._dotted(base))
        self._head(depth, f"class {node.name}({', '.join(bases)}):", self._name_span(node))
        self._body(node.body, depth + 1)

    def _parameters(self, args: ast.arguments) -> str:
        positional = [*args.posonlyargs, *args.args]
        defaults: list[ast.expr | None] = [*([None] * (len(positional) - len(args.defaults))), *args.defaults]
        out = [self._parameter(item.arg, default) for item, default in zip(positional, defaults)]  # noqa: B905
        if args.vararg:
            out.append("*" + args.vararg.arg)
        elif args.kwonlyargs:
            out.append("*")
        out.extend(self._parameter(item.arg, default) for item, default in zip(args.kwonlyargs, args.kw_defaults))  # noqa: B905
        if args.kwarg:
            out.append("**" + args.kwarg.arg)
        return ", ".join(out)

    def _parameter(self, name: str, default: ast.expr | None) -> str:
        if default is None:
            return name
        if is_dotted(default) or (
            isinstance(default, ast.Constant)
            and not (
                isinstance(default.value, (str, bytes)) and len(default.value) > DEFAULT_LENGTH and not self._holes
            )
        ):
            return f"{name}={self._expression(default)}"
        return f"{name}=..."

    def _compound(self, node: ast.stmt, depth: int) -> None:
        """Write a compound statement: of its header only what binds names or tests them."""
        if isinstance(node, ast.If):
            self._if(node, depth, "if")
            return
        if isinstance(node, (ast.For, ast.AsyncFor)):
            keyword = "async for" if isinstance(node, ast.AsyncFor) else "for"
            header = f"{keyword} {self._expression(node.target)} in {self._condition(node, node.iter)}:"
            self._head(depth, header, self._header_span(node, node.iter))
            self._body(node.body, depth + 1)
            self._orelse(node.orelse, depth)
        elif isinstance(node, ast.While):
            test = "True" if is_endless(node) else self._condition(node, node.test)
            self._head(depth, f"while {test}:", self._header_span(node, node.test))
            self._body(node.body, depth + 1)
            self._orelse(node.orelse, depth)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            keyword = "async with" if isinstance(node, ast.AsyncWith) else "with"
            items = ", ".join(self._with_item(node, item) for item in node.items)
            last = node.items[-1].optional_vars or node.items[-1].context_expr
            if node in self._marks.swallows:
                self._swallows.append(len(self._spans))
            self._head(depth, f"{keyword} {items}:", self._header_span(node, last))
            self._body(node.body, depth + 1)
        elif isinstance(node, ast.Match):
            self._head(depth, f"match {self._condition(node, node.subject)}:", self._header_span(node, node.subject))
            for case in node.cases:
                guard = " if ..." if case.guard else ""
                self._head(depth + 1, f"case {self._expression(case.pattern)}{guard}:", None)
                self._body(case.body, depth + 2)
        elif isinstance(node, TRY):
            self._try(node, depth)

    def _flattened(self, node: ast.stmt, depth: int) -> None:
        """Write the statements of a block where nothing depends on the path to them but the handlers around them."""
        if any(handler in self._marks.headers for handler in getattr(node, "handlers", ())):
            self._try(node, depth)
            return
        for block in all_blocks(node) if isinstance(node, ast.Match) else blocks(node):
            self._block(block, depth)

    def _with_item(self, node: ast.stmt, item: ast.withitem) -> str:
        swallows = name_or_callee(item.context_expr) == "suppress"
        context = self._expression(item.context_expr) if swallows else self._condition(node, item.context_expr)
        return f"{context} as {self._expression(item.optional_vars)}" if item.optional_vars else context

    def _condition(self, node: ast.stmt, expression: ast.expr) -> str:
        """Write an expression of a header: only what uses a name or binds one."""
        if self._marks.kept.get(node) == WHOLE or self._binds(expression):
            return self._expression(expression)
        return "..."

    def _if(self, node: ast.If, depth: int, keyword: str) -> None:
        while True:
            test = self._condition(node, node.test)
            # A test above a raise says what is inspected.
            if any(isinstance(inner, ast.Raise) for inner in node.body) and uses_name([node.test], self._marks.tested):
                test = self._expression(node.test)
            self._head(depth, f"{keyword} {test}:", self._header_span(node, node.test))
            self._body(node.body, depth + 1)
            following = node.orelse[0] if len(node.orelse) == 1 else None
            if isinstance(following, ast.If) and following in self._marks.headers and self._is_elif(following):
                node, keyword = following, "elif"
                continue
            self._orelse(node.orelse, depth)
            return

    def _is_elif(self, node: ast.If) -> bool:
        start = self._lines.starts[node.lineno] + node.col_offset
        return self._lines.data[start : start + 4] == b"elif"

    def _orelse(self, body: list[ast.stmt], depth: int) -> None:
        if body and any(inner in self._marks.headers for inner in body):
            self._head(depth, "else:", None)
            self._body(body, depth + 1)

    def _try(self, node: ast.stmt, depth: int) -> None:
        if node in self._marks.tries:
            self._tries.append(len(self._spans))
        if node in self._marks.branching:
            self._branching.append(len(self._spans))
        if node in self._marks.swallows:
            self._swallows.append(len(self._spans))
        self._head(depth, "try:", self._keyword_span(node, "try"))
        self._body(node.body, depth + 1)  # type: ignore[attr-defined]
        keyword = "except" if isinstance(node, ast.Try) else "except*"
        for handler in node.handlers:  # type: ignore[attr-defined]
            if self._is_flat and handler not in self._marks.headers:
                continue
            types = f" {self._expression(handler.type)}" if handler.type else ""
            name = f" as {handler.name}" if handler.name else ""
            if "," in types and "(" not in types:
                types = f" ({types.strip()})"  # `except A, B:` of Python 3.14
            span = self._lines.span(
                handler.lineno, handler.col_offset, handler.lineno, handler.col_offset + len("except")
            )
            self._head(depth, f"{keyword}{types}{name}:", span)
            outer, self._caught = self._caught, handler.name
            self._body(handler.body, depth + 1)
            self._caught = outer
        self._orelse(node.orelse, depth)  # type: ignore[attr-defined]
        if node.finalbody:  # type: ignore[attr-defined]
            self._head(depth, "finally:", None)
            self._body(node.finalbody, depth + 1)  # type: ignore[attr-defined]

    def _statement(self, node: ast.stmt) -> str:
        """Write a simple statement, as much of it as is wanted."""
        try:
            return self._reduced_statement(node)
        except RecursionError:  # a chain of hundreds of calls: the collector's bounds decide
            return self._text(node)

    def _reduced_statement(self, node: ast.stmt) -> str:
        how = self._marks.kept.get(node, PLACEHOLDER)
        if how == WHOLE:
            return self._text(node)
        if how == PLACEHOLDER:
            if isinstance(node, ast.Return):
                return "return ..." if node.value is not None else "return"
            if isinstance(node, ast.Raise):
                # What is raised does not matter, but whether it is what was caught.
                is_again = node.exc is None or (isinstance(node.exc, ast.Name) and node.exc.id == self._caught)
                return "raise" if is_again else "raise ..."
            if isinstance(getattr(node, "value", None), (ast.Yield, ast.YieldFrom)):
                return "yield"
        if isinstance(node, ast.Return) and node.value is not None:
            return f"return {self._reduced(node.value)}"
        if isinstance(node, ast.Expr):
            return self._expression_statement(node.value)
        if isinstance(node, ast.Assign):
            targets = " = ".join(self._expression(target) for target in node.targets)
            unpacked = any(isinstance(target, (ast.Tuple, ast.List)) for target in node.targets)
            return f"{targets} = {self._expression(node.value) if unpacked else self._reduced(node.value)}"
        if isinstance(node, ast.AnnAssign):
            value = f" = {self._reduced(node.value)}" if node.value is not None else ""
            return f"{self._expression(node.target)}: ...{value}"
        if isinstance(node, ast.AugAssign) and isinstance(node.op, (ast.Add, ast.BitOr)):
            operator = "+=" if isinstance(node.op, ast.Add) else "|="
            return f"{self._expression(node.target)} {operator} {self._reduced(node.value)}"
        return self._text(node)

    def _expression_statement(self, node: ast.expr) -> str:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in CHANGERS
            and not self._is_used(node)
        ):
            # What it is changed to is not followed: a call is enough.
            return f"{self._expression(node.func)}()"
        return self._reduced(node)

    # --- expressions --------------------------------------------------------------------------------------------

    def _is_used(self, node: ast.expr) -> bool:
        """Whether a name whose uses are wanted stands in an expression."""
        return bool(self._marks.uses) and self._marks.uses.within(*self._bounds(node))

    def _reduced(self, node: ast.expr) -> str:
        """Write an expression without the parts that nothing is decided by."""
        kind = type(node)
        if kind is ast.Name or kind is ast.Constant or self._holes:
            return self._expression(node)
        writer = _REDUCERS.get(kind)
        return writer(self, node) if writer else self._expression(node)

    def _reduced_dict(self, node: ast.Dict) -> str:
        parts: list[str] = []
        for key, value in zip(node.keys, node.values):  # noqa: B905 -- equal by construction
            if key is None:
                parts.append(f"**({self._reduced(value)})" if not isinstance(value, ast.Name) else f"**{value.id}")
            elif isinstance(key, ast.Constant) and isinstance(key.value, str):
                if self._fields and is_key(key, self._fields):
                    parts.append(f"{self._expression(key)}: {self._expression(value)}")
                    continue
                # Parts of the record that an error comes from say whose error that is.
                is_plain = isinstance(value, (ast.Name, ast.Constant, ast.Subscript, ast.Attribute))
                is_read = is_key(key, self._keys) or is_plain or self._is_used(value)
                parts.append(f"{self._expression(key)}: {self._reduced(value) if is_read else '...'}")
            else:
                parts.append(f"...: {self._reduced(value) if self._is_used(value) else '...'}")
        return "{" + ", ".join(parts) + "}"

    def _reduced_call(self, node: ast.Call) -> str:
        parts = [
            f"*({self._reduced(item.value)})" if isinstance(item, ast.Starred) else self._reduced(item)
            for item in node.args
        ]
        for item in node.keywords:
            is_whole = item.arg is not None and item.arg.lower() in self._fields
            value = self._expression(item.value) if is_whole else self._reduced(item.value)
            parts.append(f"**({value})" if item.arg is None else f"{item.arg}={value}")
        return f"{self._callee(node.func)}({', '.join(parts)})"

    def _callee(self, node: ast.expr) -> str:
        if isinstance(node, ast.Attribute) and not is_dotted(node):
            return f"{self._callee(node.value)}.{node.attr}"
        if isinstance(node, ast.Call):
            return self._reduced_call(node)
        text = self._expression(node)
        return text if is_dotted(node) or text.startswith("(") else f"({text})"

    def _reduced_items(self, node: ast.List | ast.Set | ast.Tuple) -> str:
        if isinstance(node, ast.Tuple):
            items = [self._reduced(item) for item in node.elts]
            return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
        opening, closing = "[]" if isinstance(node, ast.List) else "{}"
        if len(node.elts) > 1 and not self._is_used(node):
            return f"{opening}..., ...{closing}"
        return opening + ", ".join(self._reduced(item) for item in node.elts) + closing

    def _reduced_starred(self, node: ast.Starred) -> str:
        return f"*({self._reduced(node.value)})"

    def _reduced_await(self, node: ast.Await) -> str:
        return f"await {self._reduced(node.value)}" if isinstance(node.value, ast.Call) else self._expression(node)

    def _reduced_yield(self, node: ast.Yield) -> str:
        return f"(yield {self._reduced(node.value)})" if node.value is not None else "(yield)"

    def _in_parentheses(self, node: ast.expr) -> str:
        return f"({self._text(node)})"

    def _reduced_condition(self, node: ast.IfExp) -> str:
        test = self._expression(node.test) if self._is_used(node.test) else "..."
        return f"({self._reduced(node.body)} if {test} else {self._reduced(node.orelse)})"

    def _unread(self, node: ast.expr) -> str:
        return self._in_parentheses(node) if self._is_used(node) or self._binds(node) else "..."

    def _reduced_subscript(self, node: ast.Subscript) -> str:
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            return self._expression(node)
        return self._unread(node)

    def _reduced_text(self, node: ast.JoinedStr) -> str:
        text = self._expression(node)
        if self._is_used(node) or "{{" in text or "}}" in text:
            return text
        holes = [isinstance(part, ast.FormattedValue) for part in node.values]
        if not any(holes) or len(_HOLE.findall(text)) != sum(holes):
            return text
        first = holes[0]  # a text may begin with another one

        def shorten(match: re.Match[str]) -> str:
            nonlocal first
            if first or len(match.group()) < 6:
                first = False
                return match.group()
            return "{_}"

        return _HOLE.sub(shorten, text)

    def _binds(self, node: ast.expr) -> bool:
        """Whether an expression contains an assignment (``:=``)."""
        return self._marks.walrus and any(isinstance(part, ast.NamedExpr) for part in ast.walk(node))

    # --- places -------------------------------------------------------------------------------------------------

    def _span(self, node: ast.stmt) -> Span:
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return self._lines.span(node.lineno, node.col_offset, end_line, end_column)

    def _header_span(self, node: ast.stmt, last: ast.expr) -> Span:
        """Return the span of a header without its colon; ``last`` is the last expression in it."""
        starts = self._lines.starts
        assert last.end_lineno is not None
        assert last.end_col_offset is not None
        end = starts[last.end_lineno] + last.end_col_offset
        skipped = _CLOSING.match(self._lines.data, end)
        closing = skipped.group().rstrip() if skipped else b""
        line = last.end_lineno + closing.count(b"\n")
        return self._lines.span(node.lineno, node.col_offset, line, end + len(closing) - starts[line])

    def _keyword_span(self, node: ast.stmt | ast.ExceptHandler, keyword: str) -> Span:
        return self._lines.span(node.lineno, node.col_offset, node.lineno, node.col_offset + len(keyword))

    def _name_span(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Span:
        """Return the span from ``def`` or ``class`` to the end of the name."""
        starts = self._lines.starts
        found = _NAME.match(self._lines.data, starts[node.lineno] + node.col_offset)
        assert found is not None
        line = node.lineno + found.group().count(b"\n")
        return self._lines.span(node.lineno, node.col_offset, line, found.end() - starts[line])

    def _bounds(self, node: ast.expr | ast.stmt | ast.pattern) -> tuple[int, int]:
        starts = self._lines.starts
        return starts[node.lineno] + node.col_offset, starts[node.end_lineno] + node.end_col_offset  # type: ignore[index, operator]

    def _text(self, node: ast.expr | ast.stmt | ast.pattern) -> str:
        start, end = self._bounds(node)
        return self._lines.data[start:end].decode("utf-8", "surrogatepass")

    def _expression(self, node: ast.expr | ast.pattern) -> str:
        """Return the text of an expression, in parentheses when it may span lines outside of brackets of its own."""
        text = self._text(node)
        return f"({text})" if "\n" in text and not isinstance(node, _BRACKETED) else text


_BRACKETED = (ast.Dict, ast.List, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_REDUCERS: dict[type, Callable[..., str]] = {
    ast.Dict: Writer._reduced_dict,
    ast.Call: Writer._reduced_call,
    ast.List: Writer._reduced_items,
    ast.Set: Writer._reduced_items,
    ast.Tuple: Writer._reduced_items,
    ast.Starred: Writer._reduced_starred,
    ast.Await: Writer._reduced_await,
    ast.Yield: Writer._reduced_yield,
    ast.IfExp: Writer._reduced_condition,
    ast.Subscript: Writer._reduced_subscript,
    ast.JoinedStr: Writer._reduced_text,
    ast.ListComp: Writer._unread,
    ast.SetComp: Writer._unread,
    ast.DictComp: Writer._unread,
    ast.GeneratorExp: Writer._unread,
    ast.Lambda: Writer._unread,
    ast.NamedExpr: Writer._in_parentheses,
    ast.YieldFrom: Writer._in_parentheses,
    ast.Compare: Writer._unread,
}
