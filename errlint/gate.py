"""The gate: which statements of a file can matter, found without LibCST, and the skeleton that LibCST then reads.

Two tiers. A search for literal words finds the lines that can matter; the interpreter's own ``ast`` turns them into
statements with exact bounds. The gate prunes and locates, it never decides: the collector reads the *skeleton*, a
small module of the candidate statements with the definitions and blocks around them, and would find the same in the
whole file. benchmarks/soundness.py compares the two over thousands of real files.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from errlint.findings import Span
from errlint.source import LONG, Lines
from errlint.words import SUCCESS_KEYS, SUCCESS_STATUS, STATUS_KEYS


class Vocabulary(msgspec.Struct, frozen=True, array_like=True):
    """What the active rules and the policy make worth a look; part of the key of cached facts.

    ``words`` mark statements; the others are last parts of dotted names: of decorators that make an adapter, of
    calls that register one, and names of methods that are one. ``keys`` (lower case) are the parts of payloads and
    objects whose values matter; with ``holes`` so do the values put into texts.
    """

    words: tuple[str, ...]
    decorators: tuple[str, ...]
    registrations: tuple[str, ...]
    methods: tuple[str, ...]
    keys: frozenset[str]
    holes: bool


class Skeleton(NamedTuple):
    """A pruned module: its text and the span in the original of each of its statements, in document order.

    ``local`` are the names of its functions with a candidate, whose uses in the same file it keeps too; ``long`` are
    statements that have to be measured before anything recurses over them.
    """

    text: str
    spans: tuple[Span, ...]
    local: frozenset[str]
    long: tuple[tuple[Span, str], ...]


SHORT = 80
"""An expression of at most so many bytes is kept as it is; a longer one only where a word marks it."""

DEFAULT_LENGTH = 40
"""A text default of a parameter is kept up to so many characters."""

PLACEHOLDER, REDUCED, WHOLE = range(3)
"""How much of a kept statement is written: that it is there, what decides about a result, or everything."""

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SIMPLE = (
    ast.Return, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Raise, ast.Delete, ast.Pass, ast.Break,
    ast.Continue, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Assert,
)  # fmt: skip
_TERMINATORS = (ast.Raise, ast.Break, ast.Continue)
_UNREAD = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.Compare)
_MUTATORS = frozenset({"update", "setdefault", "append", "extend", "insert", "add", "pop", "clear"})
_TRY_STAR: tuple[type, ...] = (ast.Try, ast.TryStar) if hasattr(ast, "TryStar") else (ast.Try,)
_IDENTIFIER = re.compile(rb"[A-Za-z_]\w*")


def mentions(data: bytes, names: frozenset[bytes]) -> frozenset[bytes]:
    """Return those of ``names`` that occur as identifiers in ``data``."""
    return names.intersection(_IDENTIFIER.findall(data))


def skeleton(
    tree: ast.Module,
    lines: Lines,
    vocabulary: Vocabulary,
    mentioned: frozenset[str] = frozenset(),
    defined: frozenset[str] = frozenset(),
    use_words: bool = True,
) -> Skeleton | None:
    """Prune a parsed module to what matters, or return ``None`` when nothing does.

    ``mentioned`` and ``defined`` are what the linker wants on top of the vocabulary (see
    :class:`errlint.facts.Wanted`). Without ``use_words`` every line counts as marked by a word.
    """
    hits = _hit_lines(lines, vocabulary, mentioned) if use_words else list(range(1, len(lines.starts)))
    if not hits and not defined:
        return None
    pruner = _Pruner(lines, hits, vocabulary, mentioned, defined)
    pruner.scan(tree)
    return pruner.render(tree)


def _hit_lines(lines: Lines, vocabulary: Vocabulary | None, mentioned: frozenset[str]) -> list[int]:
    needles = {name.encode() for name in mentioned}
    if vocabulary:
        needles.update(word.encode() for word in vocabulary.words)
        for name in (*vocabulary.decorators, *vocabulary.registrations):
            needles.update((b"." + name.encode(), b"@" + name.encode(), name.encode() + b"("))
        needles.update(b"def " + name.encode() + b"(" for name in vocabulary.methods)
    found: set[int] = set()
    data, starts = lines.data, lines.starts
    for needle in needles:
        position = data.find(needle)
        while position >= 0:
            line = bisect_left(starts, position + 1, 1) - 1
            found.add(line)
            following = starts[line + 1] if line + 1 < len(starts) else len(data)
            position = data.find(needle, following)
    return sorted(found)


class _Scope:
    """A function (or the module, or a class) while it is scanned: its own statements, not those of nested ones."""

    __slots__ = ("node", "statements")

    def __init__(self, node: ast.AST) -> None:
        self.node = node
        self.statements: list[ast.stmt] = []


class _Pruner:
    """Marks the statements to keep (:meth:`scan`), then writes the skeleton (:meth:`render`)."""

    def __init__(
        self,
        lines: Lines,
        hits: list[int],
        vocabulary: Vocabulary,
        mentioned: frozenset[str],
        defined: frozenset[str],
    ) -> None:
        self.lines = lines
        self.hits = hits
        self.vocabulary = vocabulary
        self.mentioned = set(mentioned)
        self.local: set[str] = set()
        self.long: list[tuple[Span, str]] = []
        self.tested: set[str] = set()  # names that hold a result somebody may raise from
        self.stored: dict[int, set[str]] = {}
        self.walrus = b":=" in lines.data
        self.rooted: set[int] = set()  # ids of functions in which uses or all returns matter
        self.flat: set[int] = set()  # ids of functions whose blocks decide nothing
        self.is_flat = False
        self.skipped: list[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef] = []
        self.defined = defined
        self.kept: dict[int, int] = {}  # id of a statement -> how much of it to write
        self.headers: set[int] = set()  # ids of definitions and blocks to write
        self.whole: set[int] = set()  # ids of classes whose fields are wanted
        self.parents: dict[int, ast.AST] = {}
        self.scopes: list[_Scope] = []
        self.out: list[str] = []
        self.spans: list[Span] = []

    # --- scan ---------------------------------------------------------------------------------------------------

    def scan(self, tree: ast.Module) -> None:
        """Mark everything to keep."""
        module = _Scope(tree)
        self._walk(tree.body, module, tree)
        self.scopes.append(module)
        local = self.local
        for scope in self.scopes:
            if self._seed(scope) and isinstance(scope.node, _FUNCTIONS) and not self._is_adapter(scope.node):
                local.add(scope.node.name)
        wanted = self.mentioned | local
        if local - self.mentioned:
            self.hits = sorted({*self.hits, *_hit_lines(self.lines, None, frozenset(local))})
            skipped, self.skipped = self.skipped, []
            for node in skipped:
                self._enter(node)
        if wanted:
            for scope in self.scopes:
                self._mention(scope, wanted)
        if self.defined:
            self._define(tree.body, "")

    def _hit(self, first: int, last: int) -> bool:
        index = bisect_left(self.hits, first)
        return index < len(self.hits) and self.hits[index] <= last

    def _walk(self, body: list[ast.stmt], scope: _Scope, parent: ast.AST) -> None:
        """Collect the statements of each scope with a hit, and the parent of each statement."""
        parents, statements = self.parents, scope.statements
        for node in body:
            parents[id(node)] = parent
            if isinstance(node, _SIMPLE):
                statements.append(node)
                continue
            if isinstance(node, _SCOPES):
                statements.append(node)
                before = len(self.scopes)
                self._enter(node)
                if len(self.scopes) == before:
                    self.skipped.append(node)
                continue
            statements.append(node)
            for block in _blocks(node):
                self._walk(block, scope, node)
            if isinstance(node, _TRY_STAR):
                for handler in node.handlers:  # type: ignore[attr-defined]
                    parents[id(handler)] = node
                    self._walk(handler.body, scope, handler)
            elif isinstance(node, ast.Match):
                for case in node.cases:
                    parents[id(case)] = node
                    self._walk(case.body, scope, case)

    def _enter(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        first = node.decorator_list[0].lineno if node.decorator_list else node.lineno
        if not self._hit(first, node.end_lineno or first):
            return
        scope = _Scope(node)
        self._walk(node.body, scope, node)
        self.scopes.append(scope)

    def _seed(self, scope: _Scope) -> bool:
        """Mark the candidates of one scope; true when it has a return that may be an error."""
        tracked: set[str] = set()
        candidates: set[str] = set()
        seeds: list[ast.stmt] = []
        is_function = isinstance(scope.node, _FUNCTIONS)
        for node in scope.statements:
            if isinstance(node, _SCOPES):
                self._seed_definition(node)
                continue
            if not isinstance(node, _SIMPLE) or not self._hit(node.lineno, node.end_lineno or node.lineno):
                continue
            if self._registers(node):
                self._keep(node, REDUCED)
            if not is_function:
                continue
            if isinstance(node, ast.Return) or _is_yield(node):
                value = _yielded_or_returned(node)
                if value is not None and not _is_success(value):
                    seeds.append(node)
            else:
                candidates |= self._stored(node)
        if not is_function:
            return False
        if candidates:
            marked = {id(node) for node in seeds}
            for node in scope.statements:
                value = _yielded_or_returned(node)
                if value is not None and id(node) not in marked and candidates & self._names(value):
                    seeds.append(node)
        for node in seeds:
            value = _yielded_or_returned(node)
            assert value is not None
            tracked |= self._names(value)
        if not seeds:
            return False
        for node in seeds:
            self._keep(node, REDUCED)
        self._keep_flow(scope, tracked)
        return True

    def _seed_definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        if isinstance(node, ast.ClassDef):
            return
        parent = self.parents.get(id(node))
        if self._is_adapter(node) or (
            node.name in self.vocabulary.methods and isinstance(parent, ast.ClassDef) and parent.bases
        ):
            self._keep(node)

    def _is_adapter(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        return any(_last_name(decorator) in self.vocabulary.decorators for decorator in node.decorator_list)

    def _registers(self, node: ast.stmt) -> bool:
        names = self.vocabulary.registrations
        text = self._slice(node)
        return any(name.encode() in text for name in names) and any(
            isinstance(part, ast.Call) and _last_name(part.func) in names for part in ast.walk(node)
        )

    def _mention(self, scope: _Scope, names: set[str]) -> None:
        """Mark the statements of one scope that use one of ``names``, and what becomes of the results."""
        tracked: set[str] = set()
        found = False
        for node in scope.statements:
            header = _header_expressions(node)
            first, last = (node.lineno, node.end_lineno or node.lineno)
            if header is not None:
                if not header:
                    continue
                first, last = header[0].lineno, max(part.end_lineno or 0 for part in header)
            if not self._hit(first, last) or not _uses_name(header if header is not None else [node], names):
                continue
            found = True
            self._keep(node)
            tracked |= self._stored(node)
            value = _yielded_or_returned(node)
            if value is not None:
                tracked |= self._names(value)
        if not found or not isinstance(scope.node, _FUNCTIONS):
            return
        if tracked:
            # What becomes of a result that was put into a name first.
            for node in scope.statements:
                if isinstance(node, (ast.Expr, ast.Assign)) and id(node) not in self.kept and _stores_name(node, tracked):
                    self._keep(node)
        self.tested |= tracked
        self.rooted.add(id(scope.node))
        self._keep_flow(scope, tracked)

    def _define(self, body: list[ast.stmt], prefix: str) -> None:
        """Mark the wanted definitions of a module or class body whole."""
        for node in body:
            if isinstance(node, ast.If):
                self._adopt(node, body=(node.body, node.orelse))
                self._define(node.body, prefix)
                self._define(node.orelse, prefix)
            elif isinstance(node, _TRY_STAR):
                handlers = [handler.body for handler in node.handlers]  # type: ignore[attr-defined]
                for handler in node.handlers:  # type: ignore[attr-defined]
                    self.parents[id(handler)] = node
                    for inner in handler.body:
                        self.parents[id(inner)] = handler
                self._adopt(node, body=(node.body, node.orelse, node.finalbody))  # type: ignore[attr-defined]
                for block in (node.body, *handlers, node.orelse, node.finalbody):  # type: ignore[attr-defined]
                    self._define(block, prefix)
            elif isinstance(node, ast.ClassDef):
                name = prefix + node.name
                self._adopt(node, body=(node.body,))
                if name in self.defined:
                    self._keep(node)
                    self.whole.add(id(node))
                if any(wanted.startswith(name + ".") for wanted in self.defined):
                    self._define(node.body, name + ".")
            elif isinstance(node, _FUNCTIONS):
                if prefix + node.name in self.defined:
                    self._define_function(node)
            elif not prefix and isinstance(node, (ast.Assign, ast.AnnAssign)):
                if self.defined & self._stored(node):
                    self._keep(node)
            elif (
                isinstance(node, (ast.Import, ast.ImportFrom))
                and not prefix
                and any((alias.asname or alias.name.split(".")[0]) in self.defined or alias.name == "*" for alias in node.names)
            ):
                self._keep(node)

    def _adopt(self, node: ast.AST, body: tuple[list[ast.stmt], ...]) -> None:
        for block in body:
            for inner in block:
                self.parents[id(inner)] = node

    def _define_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        scope = _Scope(node)
        hits, self.hits = self.hits, []
        self._walk(node.body, scope, node)
        self.hits = hits
        self._keep(node)
        self.rooted.add(id(node))
        tracked: set[str] = set()
        for inner in scope.statements:
            value = _yielded_or_returned(inner)
            if value is not None:
                self._keep(inner)
                tracked |= self._names(value)
        self._keep_flow(scope, tracked)

    def _keep_flow(self, scope: _Scope, tracked: set[str]) -> None:
        """Mark what decides which values reach the kept statements of a function, and whether its end is reached.

        ``tracked`` are the names whose values matter.
        """
        self._keep(scope.node)
        tracked = set(tracked)
        bound = False
        pending = True
        while pending:
            pending = False
            for node in scope.statements:
                if isinstance(node, _SIMPLE):
                    if self.kept.get(id(node), PLACEHOLDER) != PLACEHOLDER or not self._stored(node) & tracked:
                        continue
                    self._keep(node, REDUCED)
                    bound = True
                    value = getattr(node, "value", None)
                    more = self._names(value) - tracked if isinstance(value, ast.expr) else set()
                    if more:
                        tracked |= more
                        pending = True
                elif isinstance(node, _SCOPES):
                    if node.name in tracked:
                        self._keep(node)
                        bound = True
                elif id(node) not in self.kept and tracked & _header_bindings(node, self.walrus):
                    self._keep(node, PLACEHOLDER)
                    bound = bound or not isinstance(node, _TRY_STAR)
        if not bound and id(scope.node) not in self.rooted:
            if isinstance(scope.node, _FUNCTIONS) and self._is_adapter(scope.node):
                self.flat.add(id(scope.node))
                return
            other = self._other_answer(scope)
            if other is not None:
                self._keep(other, PLACEHOLDER)
                self.flat.add(id(scope.node))
                return
        self.flat.discard(id(scope.node))
        for node in scope.statements:
            if id(node) in self.kept:
                continue
            if isinstance(node, (ast.Return, *_TERMINATORS)) or _is_yield(node):
                self._keep(node, PLACEHOLDER)
            elif isinstance(node, ast.While) and _is_endless(node):
                self._keep(node, PLACEHOLDER)

    def _other_answer(self, scope: _Scope) -> ast.stmt | None:
        """Return a statement by which a function answers more than errors: then it does not matter if its end is reached."""
        for node in scope.statements:
            if (isinstance(node, ast.Return) and node.value is not None and id(node) not in self.kept) or _is_yield(node):
                return node
        return None

    def _names(self, node: ast.expr) -> set[str]:
        return _result_names(node, self.vocabulary.keys, self.vocabulary.holes)

    def _stored(self, node: ast.stmt) -> set[str]:
        names = self.stored.get(id(node))
        if names is None:
            names = self.stored[id(node)] = _stored_names(node, self.walrus)
        return names

    def _keep(self, node: ast.AST, how: int = WHOLE) -> None:
        self.kept[id(node)] = max(self.kept.get(id(node), PLACEHOLDER), how)
        parent: ast.AST | None = node
        while parent is not None and id(parent) not in self.headers:
            self.headers.add(id(parent))
            parent = self.parents.get(id(parent))

    # --- render -------------------------------------------------------------------------------------------------

    def render(self, tree: ast.Module) -> Skeleton | None:
        """Write the kept statements with what surrounds them."""
        self._render(tree.body, 0)
        if not self.out:
            return None
        used = set(_IDENTIFIER.findall("\n".join(self.out).encode("utf-8", "surrogatepass")))
        body, self.out = self.out, []
        spans, self.spans = self.spans, []
        for node in tree.body:
            self._render_imports(node, used)
        return Skeleton("\n".join((*self.out, *body, "")), (*self.spans, *spans), frozenset(self.local), tuple(self.long))

    def _render_imports(self, node: ast.stmt, used: set[bytes]) -> None:
        """Write the imports of the module (also below ``if`` and ``try``) that bind a name in use."""
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            if id(node) in self.kept:
                return
            names = [
                alias for alias in node.names if alias.name == "*" or (alias.asname or alias.name.split(".")[0]).encode() in used
            ]
            if names:
                listed = ", ".join(f"{alias.name} as {alias.asname}" if alias.asname else alias.name for alias in names)
                origin = f"from {'.' * node.level}{node.module or ''} " if isinstance(node, ast.ImportFrom) else ""
                self._emit(node, 0, f"{origin}import {listed}")
        elif isinstance(node, (ast.If, *_TRY_STAR)):
            blocks = list(_blocks(node))
            blocks.extend(handler.body for handler in getattr(node, "handlers", ()))
            for block in blocks:
                for inner in block:
                    self._render_imports(inner, used)

    def _render(self, body: list[ast.stmt], depth: int) -> bool:
        """Write the kept statements of a block; true when there were any."""
        before = len(self.out)
        headers = self.headers
        for node in body:
            if id(node) not in headers:
                continue
            if isinstance(node, _SIMPLE):
                self._emit(node, depth, self._statement(node))
            elif isinstance(node, _FUNCTIONS):
                self._render_function(node, depth)
            elif isinstance(node, ast.ClassDef):
                self._render_class(node, depth)
            else:
                self._render_block(node, depth)
        return len(self.out) > before

    def _body(self, body: list[ast.stmt], depth: int) -> None:
        if not self._render(body, depth):
            self.out.append(" " * depth + "pass")
            self.spans.append(Span(0, 0, 0, 0))

    def _decorators(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, depth: int) -> None:
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call):
                self._line(depth, f"@{self._expression(decorator.func)}()")
            else:
                self._line(depth, f"@{self._expression(decorator)}")

    def _render_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, depth: int) -> None:
        self._decorators(node, depth)
        keyword = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
        # Nobody asks for the parameters of a function of which nothing else is kept.
        filled = id(node) in self.whole or any(id(inner) in self.headers for inner in node.body)
        self._line(depth, f"{keyword} {node.name}({self._parameters(node.args) if filled else ''}):")
        self.spans.append(self._header_span(node))
        outer, self.is_flat = self.is_flat, id(node) in self.flat
        self._body(node.body, depth + 1)
        self.is_flat = outer

    def _render_class(self, node: ast.ClassDef, depth: int) -> None:
        self._decorators(node, depth)
        bases = ", ".join(self._expression(base) for base in node.bases)
        self._line(depth, f"class {node.name}({bases}):")
        self.spans.append(self._header_span(node))
        if id(node) in self.whole:
            for inner in node.body:
                if isinstance(inner, (ast.Assign, ast.AnnAssign)):
                    self._keep(inner)
                elif isinstance(inner, _FUNCTIONS):
                    self._keep(inner)
        self._body(node.body, depth + 1)

    def _header_span(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Span:
        """Return the span from ``def`` or ``class`` to the end of the name."""
        start = self.lines.offset(node.lineno, node.col_offset)
        line_end = self.lines.data.find(b"\n", start)
        header = self.lines.data[start : line_end if line_end >= 0 else None]
        end = node.col_offset + header.find(node.name.encode()) + len(node.name.encode())
        return self.lines.span(node.lineno, node.col_offset, node.lineno, end)

    def _parameters(self, args: ast.arguments) -> str:
        out: list[str] = []
        positional = [*args.posonlyargs, *args.args]
        defaults: list[ast.expr | None] = [*([None] * (len(positional) - len(args.defaults))), *args.defaults]
        for parameter, default in zip(positional, defaults):  # noqa: B905 -- equal by construction
            out.append(self._parameter(parameter.arg, default))
        if args.vararg:
            out.append("*" + args.vararg.arg)
        elif args.kwonlyargs:
            out.append("*")
        for parameter, default in zip(args.kwonlyargs, args.kw_defaults):  # noqa: B905 -- equal by construction
            out.append(self._parameter(parameter.arg, default))
        if args.kwarg:
            out.append("**" + args.kwarg.arg)
        return ", ".join(out)

    def _parameter(self, name: str, default: ast.expr | None) -> str:
        if default is None:
            return name
        if isinstance(default, (ast.Name, ast.Attribute)) or (
            isinstance(default, ast.Constant)
            and not (isinstance(default.value, (str, bytes)) and len(default.value) > DEFAULT_LENGTH)
        ):
            return f"{name}={self._expression(default)}"
        return f"{name}=..."

    def _render_block(self, node: ast.stmt, depth: int) -> None:
        """Write a compound statement: of its header only what binds names or tests them."""
        if self.is_flat:
            self._render_flat(node, depth)
            return
        if isinstance(node, ast.If):
            self._render_if(node, depth, "if")
            return
        verbatim = self.kept.get(id(node)) == WHOLE
        if isinstance(node, (ast.For, ast.AsyncFor)):
            keyword = "async for" if isinstance(node, ast.AsyncFor) else "for"
            iterable = self._expression(node.iter) if verbatim else "..."
            self._line(depth, f"{keyword} {self._expression(node.target)} in {iterable}:", node)
            self._body(node.body, depth + 1)
            self._orelse(node.orelse, depth)
        elif isinstance(node, ast.While):
            test = "True" if _is_endless(node) else self._test(node.test, verbatim)
            self._line(depth, f"while {test}:", node)
            self._body(node.body, depth + 1)
            self._orelse(node.orelse, depth)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            keyword = "async with" if isinstance(node, ast.AsyncWith) else "with"
            items = ", ".join(self._with_item(item, verbatim) for item in node.items)
            self._line(depth, f"{keyword} {items}:", node)
            self._body(node.body, depth + 1)
        elif isinstance(node, ast.Match):
            self._line(depth, "match ...:", node)
            for case in node.cases:
                guard = " if ..." if case.guard else ""
                self._line(depth + 1, f"case {self._expression(case.pattern)}{guard}:")
                self._body(case.body, depth + 2)
        else:
            self._render_try(node, depth)

    def _render_flat(self, node: ast.stmt, depth: int) -> None:
        """Write the statements of a block where nothing depends on the path to them but the handlers around them."""
        handlers = [handler for handler in getattr(node, "handlers", ()) if id(handler) in self.headers]
        if not handlers:
            for block in _blocks(node):
                self._render(block, depth)
            for case in getattr(node, "cases", ()):
                self._render(case.body, depth)
            return
        self._render_try(node, depth)

    def _with_item(self, item: ast.withitem, verbatim: bool) -> str:
        context = self._expression(item.context_expr) if verbatim or self._binds(item.context_expr) else "..."
        return f"{context} as {self._expression(item.optional_vars)}" if item.optional_vars else context

    def _test(self, test: ast.expr, verbatim: bool) -> str:
        return self._expression(test) if verbatim or self._binds(test) else "..."

    def _render_if(self, node: ast.If, depth: int, keyword: str) -> None:
        while True:
            # A test above a raise says what is inspected.
            verbatim = id(node) in self.kept or (
                any(isinstance(inner, ast.Raise) for inner in node.body) and _uses_name([node.test], self.tested)
            )
            self._line(depth, f"{keyword} {self._test(node.test, verbatim)}:", node)
            self._body(node.body, depth + 1)
            if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If) and self._is_elif(node.orelse[0]):
                node, keyword = node.orelse[0], "elif"
                continue
            self._orelse(node.orelse, depth)
            return

    def _is_elif(self, node: ast.If) -> bool:
        start = self.lines.offset(node.lineno, node.col_offset)
        return self.lines.data[start : start + 4] == b"elif"

    def _orelse(self, body: list[ast.stmt], depth: int) -> None:
        if body and (not self.is_flat or any(id(inner) in self.headers for inner in body)):
            self._line(depth, "else:")
            self._body(body, depth + 1)

    def _render_try(self, node: ast.stmt, depth: int) -> None:
        assert isinstance(node, _TRY_STAR)
        self._line(depth, "try:", node)
        self._body(node.body, depth + 1)  # type: ignore[attr-defined]
        keyword = "except" if isinstance(node, ast.Try) else "except*"
        for handler in node.handlers:  # type: ignore[attr-defined]
            if self.is_flat and id(handler) not in self.headers:
                continue
            types = f" {self._expression(handler.type)}" if handler.type else ""
            name = f" as {handler.name}" if handler.name else ""
            if "," in types and "(" not in types:
                types = f" ({types.strip()})"  # `except A, B:` of Python 3.14
            self._line(depth, f"{keyword}{types}{name}:")
            self._body(handler.body, depth + 1)
        self._orelse(node.orelse, depth)  # type: ignore[attr-defined]
        if node.finalbody:  # type: ignore[attr-defined]
            self._line(depth, "finally:")
            self._body(node.finalbody, depth + 1)  # type: ignore[attr-defined]

    def _statement(self, node: ast.stmt) -> str:
        """Write a simple statement, as much of it as is wanted."""
        how = self.kept.get(id(node), PLACEHOLDER)
        value = getattr(node, "value", None)
        if how == WHOLE or (value is None and not isinstance(node, ast.Raise)):
            return self._text(node)
        if how == PLACEHOLDER:
            if isinstance(node, ast.Return):
                return "return ..."
            if isinstance(node, ast.Raise):
                return "raise"
            if isinstance(node, ast.Expr) and isinstance(value, (ast.Yield, ast.YieldFrom)):
                return "yield"
        if not isinstance(value, ast.expr):
            return self._text(node)
        start, (inner, end) = self._bounds(node)[0], self._bounds(value)
        head = self.lines.data[start:inner].decode("utf-8", "surrogatepass")
        tail = self.lines.data[end : self._bounds(node)[1]].decode("utf-8", "surrogatepass")
        if tail.strip("\n )") or head.count("(") != tail.count(")"):
            return self._text(node)
        # Parentheses around the value go with it; the reduced text needs them only to span lines.
        return head.replace("(", "").rstrip() + " " + self._reduced(value) if "(" in head else head + self._reduced(value)

    def _reduced(self, node: ast.expr) -> str:
        """Write an expression without the parts that nothing is decided by."""
        kind = type(node)
        if kind in (ast.Dict, ast.Call, ast.List, ast.Set) and not self.vocabulary.holes:
            start, end = self._bounds(node)
            if end - start > SHORT:
                return self._reduced_display(node)
        if kind in (ast.Await, ast.Yield) and node.value is not None:  # type: ignore[attr-defined]
            return f"{'await' if kind is ast.Await else 'yield'} {self._reduced(node.value)}"  # type: ignore[attr-defined]
        if kind in _UNREAD:
            start, end = self._bounds(node)
            if end - start > SHORT:
                return "..."
        return self._expression(node)

    def _reduced_display(self, node: ast.expr) -> str:
        keys = self.vocabulary.keys
        if isinstance(node, ast.Dict):
            parts: list[str] = []
            for key, value in zip(node.keys, node.values):  # noqa: B905 -- equal by construction
                if key is None:
                    parts.append(f"**({self._expression(value)})")
                elif isinstance(key, ast.Constant) and isinstance(key.value, str):
                    inner = self._reduced(value) if key.value.lower() in keys else "..."
                    parts.append(f"{self._expression(key)}: {inner}")
                else:
                    parts.append("...: ...")
            return "{" + ", ".join(parts) + "}"
        if isinstance(node, ast.Call):
            parts = [f"*({self._expression(item.value)})" if isinstance(item, ast.Starred) else self._reduced(item) for item in node.args]
            for item in node.keywords:
                if item.arg is None:
                    parts.append(f"**({self._expression(item.value)})")
                else:
                    parts.append(f"{item.arg}={self._reduced(item.value)}")
            return f"{self._expression(node.func)}({', '.join(parts)})"
        assert isinstance(node, (ast.List, ast.Set))
        items = [self._reduced(item) if not isinstance(item, ast.Starred) else "*..." for item in node.elts]
        opening, closing = "[]" if isinstance(node, ast.List) else "{}"
        return f"{opening}{', '.join(items if len(items) == 1 else ['...'] * len(items))}{closing}"

    def _emit(self, node: ast.stmt, depth: int, text: str) -> None:
        self._line(depth, text, node)
        if len(text) > LONG:
            self.long.append((self.spans[-1], text))

    def _binds(self, node: ast.expr) -> bool:
        """Whether an expression contains an assignment (``:=``)."""
        return self.walrus and any(isinstance(part, ast.NamedExpr) for part in ast.walk(node))

    def _line(self, depth: int, text: str, node: ast.stmt | None = None) -> None:
        self.out.append(" " * depth + text)
        if node is not None:
            end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
            self.spans.append(self.lines.span(node.lineno, node.col_offset, end_line, end_column))

    def _bounds(self, node: ast.expr | ast.stmt | ast.pattern) -> tuple[int, int]:
        return (
            self.lines.offset(node.lineno, node.col_offset),
            self.lines.offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset),
        )

    def _slice(self, node: ast.expr | ast.stmt | ast.pattern) -> bytes:
        start, end = self._bounds(node)
        return self.lines.data[start:end]

    def _text(self, node: ast.stmt) -> str:
        return self._slice(node).decode("utf-8", "surrogatepass")

    def _expression(self, node: ast.expr | ast.pattern) -> str:
        """Return the text of an expression, in parentheses when it spans lines outside of brackets of its own."""
        text = self._slice(node).decode("utf-8", "surrogatepass")
        return f"({text})" if "\n" in text else text


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if block:
            yield block


def _last_name(node: ast.expr) -> str:
    while isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_yield(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, (ast.Yield, ast.YieldFrom))


def _yielded_or_returned(node: ast.stmt) -> ast.expr | None:
    if isinstance(node, ast.Return):
        return node.value
    if isinstance(node, ast.Expr) and isinstance(node.value, (ast.Yield, ast.YieldFrom)):
        return node.value.value
    return None


def _result_names(node: ast.expr, keys: frozenset[str], holes: bool) -> set[str]:
    """Return the local names whose values decide what an expression is as a result."""
    names: set[str] = set()
    pending: list[ast.expr] = [node]
    while pending:
        part = pending.pop()
        kind = type(part)
        if kind is ast.Name:
            names.add(part.id)  # type: ignore[attr-defined]
        elif isinstance(part, ast.Call):
            pending.extend(argument.value if isinstance(argument, ast.Starred) else argument for argument in part.args)
            pending.extend(item.value for item in part.keywords if item.arg is None or item.arg.lower() in keys)
            function = part.func
            while isinstance(function, ast.Attribute):
                function = function.value
            pending.append(function)
        elif isinstance(part, ast.Dict):
            for key, value in zip(part.keys, part.values):  # noqa: B905 -- equal by construction
                if key is None or (isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.lower() in keys):
                    pending.append(value)
        elif isinstance(part, (ast.Await, ast.Starred, ast.NamedExpr)):
            pending.append(part.value)
        elif isinstance(part, ast.IfExp):
            pending.extend((part.body, part.orelse))
        elif isinstance(part, ast.BoolOp):
            pending.extend(part.values)
        elif isinstance(part, ast.BinOp):
            pending.extend((part.left, part.right))
        elif isinstance(part, (ast.Tuple, ast.List, ast.Set)):
            pending.extend(part.elts)
        elif holes and isinstance(part, ast.JoinedStr):
            pending.extend(item.value for item in part.values if isinstance(item, ast.FormattedValue))
    return names


def _target_names(node: ast.expr) -> set[str]:
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, (ast.Tuple, ast.List)):
        return set().union(*(_target_names(item) for item in node.elts))
    if isinstance(node, (ast.Subscript, ast.Starred, ast.Attribute)):
        return _target_names(node.value)
    return set()


def _stored_names(node: ast.stmt, walrus: bool) -> set[str]:
    """Return the names that a simple statement binds or changes in place."""
    if isinstance(node, ast.Assign):
        names = set().union(*(_target_names(target) for target in node.targets))
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
        names = _target_names(node.target)
    elif isinstance(node, ast.Delete):
        return set().union(*(_target_names(target) for target in node.targets))
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        return {alias.asname or alias.name.split(".")[0] for alias in node.names}
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        return set(node.names)
    else:
        names = set()
        value = getattr(node, "value", None)
        if isinstance(node, ast.Expr) and isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            if value.func.attr in _MUTATORS:
                names = _target_names(value.func.value)
    value = getattr(node, "value", None)
    if walrus and isinstance(value, ast.expr):
        names |= {part.target.id for part in ast.walk(value) if isinstance(part, ast.NamedExpr)}
    return names


def _header_expressions(node: ast.stmt) -> list[ast.expr] | None:
    """Return the expressions in the header of a compound statement, ``None`` for a simple one."""
    if isinstance(node, _SIMPLE):
        return None
    if isinstance(node, (ast.If, ast.While)):
        return [node.test]
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return [node.iter]
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return [item.context_expr for item in node.items]
    return []


def _header_bindings(node: ast.stmt, walrus: bool) -> set[str]:
    """Return the names that a compound statement binds in its header."""
    names: set[str] = set()
    if isinstance(node, (ast.For, ast.AsyncFor)):
        names |= _target_names(node.target)
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        for item in node.items:
            if item.optional_vars:
                names |= _target_names(item.optional_vars)
    elif isinstance(node, _TRY_STAR):
        names |= {handler.name for handler in node.handlers if handler.name}  # type: ignore[attr-defined]
    elif isinstance(node, ast.Match):
        for case in node.cases:
            for part in ast.walk(case.pattern):
                if isinstance(part, (ast.MatchAs, ast.MatchStar)) and part.name:
                    names.add(part.name)
                elif isinstance(part, ast.MatchMapping) and part.rest:
                    names.add(part.rest)
    for part in (_header_expressions(node) or ()) if walrus else ():
        names |= {inner.target.id for inner in ast.walk(part) if isinstance(inner, ast.NamedExpr)}
    return names


def _stores_name(node: ast.Expr | ast.Assign, names: set[str]) -> bool:
    """Whether a statement makes one of ``names`` a part of something: an argument of a method, an item, a field."""
    value = node.value
    if isinstance(node, ast.Assign):
        if any(isinstance(target, (ast.Subscript, ast.Attribute)) for target in node.targets):
            return _uses_name([value], names)
        return isinstance(value, (ast.Dict, ast.List)) and _uses_name([value], names)
    if isinstance(value, ast.Await):
        value = value.value
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and _uses_name([*value.args], names)


def _is_success(node: ast.expr) -> bool:
    """Whether a payload, object or helper call says in a constant that it is a success."""
    while isinstance(node, ast.Await):
        node = node.value
    if isinstance(node, ast.Dict):
        return any(
            isinstance(key, ast.Constant) and isinstance(key.value, str) and _says_success(key.value, value)
            for key, value in zip(node.keys, node.values)  # noqa: B905 -- equal by construction
        )
    if isinstance(node, ast.Call):
        if any(item.arg is not None and _says_success(item.arg, item.value) for item in node.keywords):
            return True
        return bool(node.args) and (
            _is_success(node.args[0]) if isinstance(node.args[0], (ast.Dict, ast.Call)) else _is_success_status(node.args[0])
        )
    return False


def _says_success(key: str, value: ast.expr) -> bool:
    if not isinstance(value, ast.Constant):
        return False
    return (value.value is True and key.lower() in SUCCESS_KEYS) or (key.lower() in STATUS_KEYS and _is_success_status(value))


def _is_success_status(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(SUCCESS_STATUS.fullmatch(node.value))


def _is_endless(node: ast.While) -> bool:
    return isinstance(node.test, ast.Constant) and bool(node.test.value)


def _uses_name(parts: list[ast.expr] | list[ast.stmt], names: set[str]) -> bool:
    for part in parts:
        for inner in ast.walk(part):
            if isinstance(inner, ast.Name):
                if inner.id in names:
                    return True
            elif isinstance(inner, ast.Attribute) and inner.attr in names:
                return True
    return False
