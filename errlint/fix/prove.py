"""The proof that a rewritten file is what was planned and nothing else: no finding comes, no comment goes."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from collections.abc import Iterable

import libcst as cst

from errlint.findings import Finding
from errlint.fix.rewrite import Changes, added, clauses, flattened, is_of_line, let_pass
from errlint.fix.source_file import SourceFile
from errlint.reader import parse, parse_expression, parse_with_ast
from errlint.rules import RULES
from errlint.source import decode

SUCCESSORS = frozenset(code for code, rule in RULES.items() if rule.fixes_ask_for)
"""What a new raise may ask for that the payload before it could not: a test, hints, fields, a catalog that agrees.

A generated region of it is written anew in the end. A suppression may be needed no longer, where a return that stays is
no error by itself.
"""


def reason_against(parsed: SourceFile, changes: Changes, after: bytes) -> str:
    """Say why a rewritten file is not what it should be, "" where it is."""
    try:
        before_text, after_text = decode(parsed.data), decode(after)
        before, new = _trees(before_text, after_text)
    except (SyntaxError, ValueError) as error:
        return f"the result does not parse: {error}"
    return _lost(changes, before_text, after_text) or _difference(parsed, changes, before, new)


def reason_against_statement(parsed: SourceFile, changes: Changes, line: int, before: str, after: str) -> str:
    """Say why a rewritten statement is not what it should be, "" where it is.

    Both texts are its own, each with the same lines around it that make it a module; ``line`` is how many lines of the
    file (as often, less than 0) stand before those.
    """
    before, after = (text.replace("\r\n", "\n").replace("\r", "\n") for text in (before, after))
    try:
        old, new = _trees(before, after)
    except (SyntaxError, ValueError) as error:
        return f"the result does not parse: {error}"
    ast.increment_lineno(old, line)
    return _lost(changes, before, after) or _difference(parsed, changes, old, new)


def _trees(before: str, after: str) -> tuple[ast.Module, ast.Module]:
    """Return the trees of both texts; what the interpreter could read it must read still.

    Raises :class:`SyntaxError` or :class:`ValueError`.
    """
    old = parse_with_ast(before)
    return (parse(before), parse(after)) if old is None else (old, ast.parse(after))


def _lost(changes: Changes, before: str, after: str) -> str:
    """Return a sentence about a comment that would be lost, "" where none would."""
    if not changes.comments and _lines_with_comments(before) <= _lines_with_comments(after):
        return ""  # to tell comments from the rest takes long
    planned = Counter(comment.value for comment, _ in changes.comments)
    new_comments = Counter(text for _, text in changes.comments if text)
    missing = _comments(before) - planned + new_comments - _comments(after)
    lost = [text for text in missing if not is_of_line(text)]
    return f"the comment `{lost[0]}` would be lost" if lost else ""


def _difference(parsed: SourceFile, changes: Changes, before: ast.Module, after: ast.Module) -> str:
    comparison = _Comparison(parsed, changes)
    if not comparison.same(before, after) or not comparison.is_complete:
        return "more than the planned statements would change"
    return ""


def new_findings(
    before: Iterable[Finding], after: Iterable[Finding], codes: frozenset[str] = frozenset(RULES) - SUCCESSORS
) -> list[Finding]:
    """Return the findings that a fix brings, by default without those that a raise may be expected to bring."""
    known = Counter(map(identity, before))
    found: list[Finding] = []
    for finding in after:
        key = identity(finding)
        if known[key]:
            known[key] -= 1
        elif finding.code in codes:
            found.append(finding)
    return found


def identity(finding: Finding) -> tuple[str, str, str]:
    """Return what stays of a finding where lines move."""
    if RULES[finding.code].is_of_many:
        return "", finding.code, ""
    return finding.path, finding.code, finding.function


def _lines_with_comments(text: str) -> Counter[str]:
    """Return the lines of a text that may have a comment; what stands in texts only is compared with their trees."""
    return Counter(line for line in text.split("\n") if "#" in line)


def _comments(text: str) -> Counter[str]:
    return Counter(
        token.string for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type == tokenize.COMMENT
    )


class _Comparison:
    """Compares the trees of a file before and after, with the planned differences allowed."""

    def __init__(self, parsed: SourceFile, changes: Changes) -> None:
        self._returns = {(parsed.line(item.node), item.name) for item in changes.conversions}
        self._lines = {line for line, _ in self._returns}
        self._raised = {name for _, name in self._returns}
        self._caught = {parsed.line(node): name for node, name in changes.caught}
        rescued = {
            node: [(each[1], each[2]) for each in changes.rescues if each[0] is node] for node, *_ in changes.rescues
        }
        self._clauses = {
            (parsed.line(node), names) for node, found in rescued.items() for names in clauses(found).values()
        }
        self._replaced = {
            parsed.line(item.node): (
                len(item.node.body) if isinstance(item.node, cst.SimpleStatementLine) else 1,
                parse(item.text).body,
            )
            for item in changes.replaced
        }
        self._decorated = {
            parsed.line(node): [ast.unparse(parse_expression(text)) for text in texts]
            for node, texts in changes.decorated
        }
        self._added = {
            parsed.line(node): [statement for text in texts for statement in parse(text).body]
            for node, texts in added(changes).items()
        }
        self._lines_of = parsed.lines
        self._edited = {
            (isinstance(item.node, cst.BaseExpression), *parsed.extent(item.node)): item.text for item in changes.edited
        }
        self._left = set(self._edited)
        self._flattened = set(map(parsed.line, flattened(parsed, changes)))
        passes = let_pass(changes)
        self._passed = set(map(parsed.line, passes.again))
        self._dropped = set(map(parsed.line, passes.gone))
        self._unwrapped = set(map(parsed.line, passes.unwrapped))
        self._imports = {
            (module, needed.name)
            for needed in changes.imports
            for module in (needed.module, needed.otherwise)
            if module
        }

    @property
    def is_complete(self) -> bool:
        """Whether every expression and small statement that was to be edited has been met."""
        return not self._left

    def same(self, old: object, new: object) -> bool:
        """Whether two nodes, or lists or constants in them, differ as planned only."""
        if isinstance(old, list) and isinstance(new, list):
            return self._same_list(old, new)
        if not isinstance(old, ast.AST) or not isinstance(new, ast.AST):
            return type(old) is type(new) and old == new
        if isinstance(old, (ast.expr, ast.stmt)) and (key := self._extent(old)) in self._edited:
            self._left.discard(key)
            text = self._edited[key]
            planned = parse_expression(text) if key[0] else parse(text).body[0]
            return isinstance(new, ast.AST) and ast.dump(planned) == ast.dump(new)
        if isinstance(old, ast.Return) and isinstance(new, ast.Raise):
            return old.lineno in self._lines and _raised(new) in self._raised
        if type(old) is not type(new):
            return False
        if isinstance(old, ast.Module) and isinstance(new, ast.Module):
            return self.same(old.body, self._without_imports(old.body, new.body))
        if isinstance(old, ast.Try) and isinstance(new, ast.Try):
            own = [item for item in new.handlers if not self._is_clause(old, item)]
            parts = (
                (old.body, self._without_imports(old.body, new.body)),
                ([item for item in old.handlers if item.lineno not in self._dropped], own),
                (old.orelse, new.orelse),
                (old.finalbody, new.finalbody),
            )
            return all(self.same(first, second) for first, second in parts)
        if isinstance(old, ast.ExceptHandler) and isinstance(new, ast.ExceptHandler):
            return self._same_handler(old, new)
        fields = set(old._fields)
        if isinstance(new, (ast.FunctionDef, ast.AsyncFunctionDef)) and (named := self._decorators(old)) is not None:
            fields.discard("decorator_list")
            if named != list(map(ast.unparse, new.decorator_list)):
                return False
        return all(self.same(getattr(old, name, None), getattr(new, name, None)) for name in fields)

    def _extent(self, node: ast.expr | ast.stmt) -> tuple[bool, int, int, int, int]:
        """Return what LibCST says of a node's place: the columns of `ast` count bytes."""
        end_line, end = node.end_lineno or node.lineno, node.end_col_offset or 0
        return (
            isinstance(node, ast.expr),
            node.lineno,
            self._column(node.lineno, node.col_offset),
            end_line,
            self._column(end_line, end),
        )

    def _column(self, line: int, offset: int) -> int:
        text = self._lines_of[line - 1] if line <= len(self._lines_of) else ""
        return (
            offset if text.isascii() else len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore"))
        )

    def _decorators(self, node: ast.AST) -> list[str] | None:
        """Return the decorators that were planned for a function, ``None`` for one that is to keep its own."""
        return self._decorated.get(getattr(node, "lineno", 0))

    def _same_list(self, old: list[object], new: list[object]) -> bool:
        """Whether two lists are the same, but for statements that were to be replaced."""
        index = at = 0
        while index < len(old):
            item = old[index]
            count, planned = self._replaced.get(item.lineno, (0, [])) if isinstance(item, ast.stmt) else (0, [])
            if isinstance(item, ast.Try) and item.lineno in self._unwrapped:
                old = [*old[:index], *item.body, *item.orelse, *old[index + 1 :]]
                continue
            if isinstance(item, ast.If) and item.lineno in self._flattened:
                alone = ast.copy_location(ast.If(item.test, item.body, []), item)
                if at == len(new) or not self.same(alone, new[at]):
                    return False
                old = [*old[: index + 1], *item.orelse, *old[index + 1 :]]
                index, at = index + 1, at + 1
                continue
            if count:
                found = new[at : at + len(planned)]
                if [ast.dump(each) for each in found if isinstance(each, ast.AST)] != list(map(ast.dump, planned)):
                    return False
                at += len(planned)
                index += count
            elif at < len(new) and self.same(item, new[at]):
                index, at = index + 1, at + 1
            else:
                return False
            following = self._added.get(item.lineno, []) if isinstance(item, ast.stmt) else []
            if following:
                found = new[at : at + len(following)]
                if [ast.dump(each) for each in found if isinstance(each, ast.AST)] != list(map(ast.dump, following)):
                    return False
                at += len(following)
        is_filled = not at and len(new) == 1 and isinstance(new[0], ast.Pass)
        return at == len(new) or (bool(old) and is_filled)

    def _same_handler(self, old: ast.ExceptHandler, new: ast.ExceptHandler) -> bool:
        if old.lineno in self._passed:
            again = [ast.dump(item) for item in new.body] == [ast.dump(ast.Raise())]
            return again and new.name is None and self.same(old.type, new.type)
        named = self._caught.get(old.lineno)
        if named is not None:
            is_new_type = old.type is None and isinstance(new.type, ast.Name) and new.type.id == "Exception"
            fits = new.name == (named or None) and (is_new_type or self.same(old.type, new.type))
        else:
            fits = new.name == old.name and self.same(old.type, new.type)
        return fits and self.same(old.body, self._without_imports(old.body, new.body))

    def _is_clause(self, node: ast.Try, handler: ast.ExceptHandler) -> bool:
        """Whether a handler is a planned clause that raises again."""
        body = handler.body
        return (
            len(body) == 1
            and isinstance(body[0], ast.Raise)
            and body[0].exc is None
            and handler.type is not None
            and (node.lineno, ast.unparse(handler.type)) in self._clauses
            and not any(ast.dump(handler) == ast.dump(item) for item in node.handlers)
        )

    def _without_imports(self, old: list[ast.stmt], new: list[ast.stmt]) -> list[ast.stmt]:
        """Return new statements without the imports that were planned."""
        names_before = {
            _import_key(node, alias) for node in old if isinstance(node, ast.ImportFrom) for alias in node.names
        }
        modules_before = {alias.name for node in old if isinstance(node, ast.Import) for alias in node.names}
        found: list[ast.stmt] = []
        for node in new:
            if isinstance(node, ast.Import) and len(node.names) == 1 and node.names[0].asname is None:
                name = node.names[0].name
                if name not in modules_before and (name, "") in self._imports:
                    continue
            if isinstance(node, ast.ImportFrom):
                kept = [
                    alias
                    for alias in node.names
                    if _import_key(node, alias) in names_before or (_module(node), alias.name) not in self._imports
                ]
                if not kept:
                    continue
                node.names = kept
            found.append(node)
        return found


def _import_key(node: ast.ImportFrom, alias: ast.alias) -> tuple[str, str, str | None]:
    return _module(node), alias.name, alias.asname


def _module(node: ast.ImportFrom) -> str:
    return "." * node.level + (node.module or "")


def _raised(node: ast.Raise) -> str:
    return ast.unparse(node.exc.func) if isinstance(node.exc, ast.Call) else ""
