"""The rewriting of one file: returns become raises, handlers name what they catch, names are imported."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile, filterfalse, takewhile
from typing import NamedTuple, cast

import libcst as cst
from libcst.matchers import Comment, findall

from errlint.fix.model import Doubt, refuse
from errlint.fix.nodes import BlockStatement, all_below
from errlint.fix.raising.imports import Needed, add_imports
from errlint.fix.source_file import SourceFile

_OF_LINE = re.compile(r"#\s*(type:\s*ignore|pyright:\s*ignore|noqa|nosec|pragma|pylint:\s*disable)\b")


class Conversion(NamedTuple):
    """One return to rewrite: into a raise of ``name`` with ``arguments``, ``cause`` behind ``from`` ("" for none)."""

    node: cst.Return
    name: str
    arguments: tuple[str, ...]
    cause: str


class Replacement(NamedTuple):
    """A statement of a block, and the text of those that take its place ("" for none)."""

    node: BlockStatement
    text: str


class Edit(NamedTuple):
    """An expression or a small statement, and the text of the one that takes its place."""

    node: cst.BaseExpression | cst.BaseSmallStatement
    text: str


class Changes(NamedTuple):
    """Everything to change in one file; nodes are those of its :class:`SourceFile`.

    ``caught`` are handlers with the name they are to give to what they catch ("" for none), ``rescues`` the ``try``
    statements with the index of the handler before which ``except name: raise`` is to stand. ``decorated`` are
    functions with the texts of all their decorators, without ``@``. ``added`` are statements with the text of others
    to put behind them, ``comments`` comments with their new text, "" for none.

    ``flattened`` are ``if`` statements whose body leaves the function from now on: what stood in their ``else`` follows
    them; an ``elif`` is one only where the ``if`` before it is. ``passed`` are handlers, each with its ``try``, that
    are to let pass what they catch (:func:`let_pass`). ``notes`` tell people why something is done, by its line;
    ``answered`` are the names of the declared types that are returned in place of payloads.
    """

    conversions: tuple[Conversion, ...] = ()
    caught: tuple[tuple[cst.ExceptHandler, str], ...] = ()
    rescues: tuple[tuple[cst.Try, int, str], ...] = ()
    imports: tuple[Needed, ...] = ()
    replaced: tuple[Replacement, ...] = ()
    decorated: tuple[tuple[cst.FunctionDef, tuple[str, ...]], ...] = ()
    edited: tuple[Edit, ...] = ()
    added: tuple[Replacement, ...] = ()
    comments: tuple[tuple[cst.Comment, str], ...] = ()
    flattened: tuple[tuple[cst.If], ...] = ()
    passed: tuple[tuple[cst.Try, cst.ExceptHandler], ...] = ()
    notes: tuple[tuple[int, str], ...] = ()
    answered: tuple[tuple[str], ...] = ()

    def joined(self, other: Changes) -> Changes:
        """Return these changes and others, each once."""
        return joined((self, other))


Step = tuple[str, Changes, tuple[Doubt, ...]]
"""What to change in a file, and what is in doubt about it."""


def joined(changes: Iterable[Changes]) -> Changes:
    """Return many changes as one, each once."""
    kinds = (dict.fromkeys(item for some in kind for item in some) for kind in zip(*changes, strict=True))
    return Changes(*map(tuple, kinds))


def rewrite(parsed: SourceFile, changes: Changes) -> bytes:
    """Return the new content of a file.

    Raises :class:`errlint.fix.model.Refusal` where two changes want the same statement.
    """
    refuse_overlap(changes)
    return parsed.given_back(add_imports(rewritten(parsed, parsed.module, changes), changes.imports))


def rewritten(parsed: SourceFile, node: cst.CSTNodeT, changes: Changes) -> cst.CSTNodeT:
    """Return what changes make of a node of the file that holds all of them, imports left out."""
    found = node.visit(_Rewriter(parsed, changes))
    assert isinstance(found, type(node))
    return found


def first_line(parsed: SourceFile, changes: Changes) -> int:
    """Return the first line that changes."""
    return min((parsed.line(node) for node, _ in (*_singly(changes), *_wholly(changes))), default=1)


def refuse_overlap(changes: Changes) -> None:
    """Raise :class:`errlint.fix.model.Refusal` where two changes want the same statement."""
    taken: dict[cst.CSTNode, object] = {}
    for node, change in claims(changes):
        if taken.setdefault(node, change) != change:
            raise refuse("two fixes change the same statement")


def claims(changes: Changes) -> Iterator[tuple[cst.CSTNode, object]]:
    """Yield the nodes that changes need for themselves, each with the change; another change may have none of them.

    What is put around or between others is in nobody's way.
    """
    yield from _singly(changes)
    for change in changes.decorated:
        yield from ((node, change) for decorator in change[0].decorators for node in all_below(decorator))
    for whole, owner in _wholly(changes):
        yield from ((node, owner) for node in all_below(whole))


def _singly(changes: Changes) -> Iterator[tuple[cst.CSTNode, object]]:
    """Yield the nodes that change while what is in them may be changed by others."""
    for change in (*changes.caught, *changes.decorated, *changes.comments):
        yield change[0], change
    for (branch,) in changes.flattened:
        yield branch, "flattened"
    for _, handler in changes.passed:
        yield handler, "passed"
    for node, _, _ in changes.rescues:
        yield node, "rescued"


def _wholly(changes: Changes) -> Iterator[tuple[cst.CSTNode, object]]:
    """Yield the nodes that change with all that is in them."""
    wholes: tuple[Conversion | Replacement | Edit, ...] = (*changes.conversions, *changes.replaced, *changes.edited)
    for whole in wholes:
        yield whole.node, whole


class _Rewriter(cst.CSTTransformer):
    """Carries out changes; everything else stays as it is."""

    def __init__(self, parsed: SourceFile, changes: Changes) -> None:
        super().__init__()
        self._parsed = parsed
        self._conversions: Mapping[cst.CSTNode, Conversion] = {item.node: item for item in changes.conversions}
        self._caught: Mapping[cst.CSTNode, str] = dict(changes.caught)
        self._rescues: dict[cst.CSTNode, list[tuple[int, str]]] = {}
        for node, index, name in changes.rescues:
            self._rescues.setdefault(node, []).append((index, name))
        self._replaced: Mapping[cst.CSTNode, str] = dict(changes.replaced)
        self._flattened = flattened(parsed, changes)
        self._passes = let_pass(changes)
        self._decorated: Mapping[cst.CSTNode, tuple[str, ...]] = dict(changes.decorated)
        self._edited: Mapping[cst.CSTNode, str] = dict(changes.edited)
        self._comments: Mapping[cst.CSTNode | None, str] = dict(changes.comments)
        self._added = added(changes)
        self._ways: set[cst.CSTNode] = set()
        changed_nodes = (item[0] for items in changes for item in items if isinstance(item[0], cst.CSTNode))
        for changed in (*changed_nodes, *self._passes.again):
            self._ways.update((changed, *(parent for parent, _ in parsed.around(changed))))

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Go only where something changes: to go through all of a file takes longer than to parse it."""
        return node in self._ways

    def on_leave(
        self, original_node: cst.CSTNodeT, updated_node: cst.CSTNodeT
    ) -> cst.CSTNodeT | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNodeT]:
        """Put new expressions and small statements in the place of old ones."""
        text = self._edited.get(original_node)
        if text is None:
            return super().on_leave(original_node, updated_node)
        config = self._parsed.module.config_for_parsing
        if isinstance(updated_node, cst.BaseExpression):
            new: cst.CSTNode = cst.parse_expression(text, config=config)
        else:
            line = cst.ensure_type(cst.parse_statement(text, config=config), cst.SimpleStatementLine)
            new = line.body[0].with_changes(semicolon=getattr(updated_node, "semicolon", cst.MaybeSentinel.DEFAULT))
        return cast(cst.CSTNodeT, new)

    def leave_TrailingWhitespace(
        self, original_node: cst.TrailingWhitespace, updated_node: cst.TrailingWhitespace
    ) -> cst.TrailingWhitespace:
        """Change a comment behind a statement."""
        text = self._comments.get(original_node.comment)
        if text is None:
            return updated_node
        if not text:
            return updated_node.with_changes(comment=None, whitespace=cst.SimpleWhitespace(""))
        return updated_node.with_changes(comment=cst.Comment(text))

    def leave_EmptyLine(
        self, original_node: cst.EmptyLine, updated_node: cst.EmptyLine
    ) -> cst.EmptyLine | cst.RemovalSentinel:
        """Change a comment on a line of its own; the line goes where nothing is left of it."""
        text = self._comments.get(original_node.comment)
        if text is None:
            return updated_node
        return updated_node.with_changes(comment=cst.Comment(text)) if text else cst.RemoveFromParent()

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine:
        """Put comments that stood inside a payload above the raise."""
        comments = [comment for node in original_node.body if node in self._conversions for comment in _comments(node)]
        lines = [cst.EmptyLine(comment=cst.Comment(comment.value)) for comment in comments]
        return updated_node.with_changes(leading_lines=[*updated_node.leading_lines, *lines]) if lines else updated_node

    def leave_Return(self, original_node: cst.Return, updated_node: cst.Return) -> cst.BaseSmallStatement:
        """Raise instead of returning."""
        conversion = self._conversions.get(original_node)
        if conversion is None:
            return updated_node
        line = cst.parse_statement(self._text(conversion), config=self._parsed.module.config_for_parsing)
        assert isinstance(line, cst.SimpleStatementLine)
        statement = line.body[0]
        assert isinstance(statement, cst.Raise)
        return statement.with_changes(semicolon=updated_node.semicolon)

    def leave_ExceptHandler(
        self, original_node: cst.ExceptHandler, updated_node: cst.ExceptHandler
    ) -> cst.ExceptHandler:
        """Name what a handler catches, or have it raise that again."""
        if original_node in self._passes.again:
            again = cst.IndentedBlock([cst.SimpleStatementLine([cst.Raise()])])
            return updated_node.with_changes(name=None, body=again)
        name = self._caught.get(original_node)
        if name is None:
            return updated_node
        if not name:
            return updated_node.with_changes(name=None)
        if updated_node.type is None:
            updated_node = updated_node.with_changes(
                type=cst.Name("Exception"), whitespace_after_except=cst.SimpleWhitespace(" ")
            )
        return updated_node.with_changes(name=cst.AsName(cst.Name(name)))

    def leave_Try(self, original_node: cst.Try, updated_node: cst.Try) -> cst.Try:
        """Put in the clauses that raise again, and take out those that go."""
        if original_node in self._passes.unwrapped:
            return updated_node
        pairs = zip(original_node.handlers, updated_node.handlers, strict=True)
        handlers = [after for before, after in pairs if before not in self._passes.gone]
        for index, names in sorted(clauses(self._rescues.get(original_node, ())).items(), reverse=True):
            if original_node.handlers[index] in self._passes.gone | self._passes.again:
                continue  # it passes there anyway
            clause = cst.ensure_type(
                cst.parse_statement(
                    f"try:\n    pass\nexcept {names}:\n{self._parsed.module.default_indent}raise\n",
                    config=self._parsed.module.config_for_parsing,
                ),
                cst.Try,
            ).handlers[0]
            after = handlers[index]
            blank = list(takewhile(lambda line: line.comment is None, after.leading_lines))
            handlers[index] = after.with_changes(leading_lines=after.leading_lines[len(blank) :])
            handlers.insert(index, clause.with_changes(leading_lines=blank))
        return updated_node.with_changes(handlers=handlers)

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        """Give a function its decorators; those that stay keep their comments."""
        texts = self._decorated.get(original_node)
        if texts is None:
            return updated_node
        known = {self._parsed.code(item.decorator): item for item in updated_node.decorators}
        config = self._parsed.module.config_for_parsing
        new = [known.get(text) or cst.Decorator(cst.parse_expression(text, config=config)) for text in texts]
        return updated_node.with_changes(decorators=new)

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        """Replace statements of a block."""
        body, rest = self._body(original_node.body, updated_node.body)
        if body is None:
            return updated_node
        if not any(isinstance(item, cst.BaseStatement) for item in body):
            body = [cst.SimpleStatementLine([cst.Pass()])]
        return updated_node.with_changes(body=body, footer=[*rest, *updated_node.footer])

    def leave_Module(self, original_node: cst.Module, updated_node: cst.Module) -> cst.Module:
        """Replace statements at the top of the file."""
        body, rest = self._body(original_node.body, updated_node.body)
        if body is None:
            return updated_node
        if body and not updated_node.header and self._replaced.get(original_node.body[0]) == "":
            lines = dropwhile(lambda line: line.comment is None, leading(body[0]))  # a file begins with no empty line
            body[0] = body[0].with_changes(leading_lines=list(lines))
        footer = [*rest, *updated_node.footer]
        if not body and not remarks([*updated_node.header, *footer]):
            return updated_node.with_changes(header=[], body=[], footer=[], has_trailing_newline=False)
        return updated_node.with_changes(body=body, footer=footer)

    def _body(
        self, old: Sequence[cst.BaseStatement], new: Sequence[cst.BaseStatement]
    ) -> tuple[list[cst.BaseStatement] | None, list[cst.EmptyLine]]:
        """Return the statements of a block (``None``: as they were), and lines of comments that none follows."""
        kinds = (self._replaced, self._added, self._flattened, self._passes.unwrapped)
        if not any(node in kind for node in old for kind in kinds):
            return None, []
        body: list[cst.BaseStatement] = []
        waiting: list[cst.EmptyLine] = []
        ahead: Counter[str] = Counter()  # comments that a text in the row took over from the statements behind it
        for before, after in zip(old, new, strict=True):
            text = self._replaced.get(before)
            statements = list(self._flat(before, after)) if text is None else self._statements(text)
            if text is None:
                ahead.clear()
            else:
                mine = Counter(item.value for item in _comments(before))
                kept = ahead + Counter(item.value for statement in statements for item in _comments(statement))
                above = [line for line in leading(before) if line.comment is None or line.comment.value not in ahead]
                left, ahead = mine - kept, kept - mine
                left -= Counter(line.comment.value for line in above if line.comment is not None)
                waiting += [*above, *map(_remark, filterfalse(is_of_line, left.elements()))]
            if statements and waiting:
                own = leading(statements[0])
                if text is None and any(line.comment is None for line in own):
                    waiting = remarks(waiting)
                statements[0] = statements[0].with_changes(leading_lines=(*waiting, *own))
                waiting = []
            body.extend(statements)
            for following in self._added.get(before, ()):
                body.extend(self._statements(following))
        return body, remarks(waiting)

    def _flat(self, before: cst.BaseStatement, after: cst.BaseStatement) -> Iterator[cst.BaseStatement]:
        """Yield a statement, and behind it what stood in an ``else`` that it does not need any more.

        Of a ``try`` that is to go, yield what it holds.
        """
        if before in self._passes.unwrapped and isinstance(after, cst.Try):
            for index, part in enumerate(parts_of(after)):
                yield part if index else part.with_changes(leading_lines=[*leading(after), *leading(part)])
            return
        if before not in self._flattened or not isinstance(after, cst.If) or after.orelse is None:
            yield after
            return
        yield after.with_changes(orelse=None)
        other = after.orelse
        if isinstance(other, cst.If):
            assert isinstance(before, cst.If)
            assert isinstance(before.orelse, cst.If)
            yield from self._flat(before.orelse, other)
            return
        block = other.body
        if not isinstance(block, cst.IndentedBlock):
            raise refuse("the `else` stands on one line")
        comment = block.header.comment
        lines = [*other.leading_lines, *([cst.EmptyLine(comment=comment)] if comment is not None else [])]
        for index, item in enumerate(block.body):
            yield item if index or not lines else item.with_changes(leading_lines=[*lines, *leading(item)])
        if any(line.comment is not None for line in block.footer):
            raise refuse("a comment stands at the end of the `else`")

    def _statements(self, text: str) -> list[cst.BaseStatement]:
        text = text.replace("\r\n", "\n").replace("\n", self._parsed.module.default_newline)
        module = cst.parse_module(text, config=self._parsed.module.config_for_parsing)
        # At the top of a text an empty line is not told from an indented one; in a block it would get white space.
        statements: list[cst.BaseStatement] = [
            item.with_changes(leading_lines=[_without_indent(line) for line in leading(item)]) for item in module.body
        ]
        if module.header and statements:
            lines = (*module.header, *leading(statements[0]))
            statements[0] = statements[0].with_changes(leading_lines=lines)
        return statements

    def _text(self, conversion: Conversion) -> str:
        column = self._parsed.column(conversion.node)
        return raising(self._parsed, conversion.name, conversion.arguments, conversion.cause, column)


def _without_indent(line: cst.EmptyLine) -> cst.EmptyLine:
    return line if line.comment is not None else line.with_changes(indent=False)


def clauses(rescues: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return what the new clauses of one ``try`` catch, as code, by the index of the handler before which each stands.

    Several classes share one clause: ``(RuntimeError, ValueError)``.
    """
    classes: dict[int, set[str]] = {}
    for index, name in rescues:
        classes.setdefault(index, set()).add(name)
    return {
        index: ", ".join(sorted(names)) if len(names) == 1 else f"({', '.join(sorted(names))})"
        for index, names in classes.items()
    }


def raising(parsed: SourceFile, name: str, arguments: Sequence[str], cause: str, column: int) -> str:
    """Return the text of a raise that begins in a column."""
    end = f" from {cause}" if cause else ""
    return called(parsed, f"raise {name}", arguments, column, end) + "\n"


def called(parsed: SourceFile, name: str, arguments: Sequence[str], column: int, end: str = "") -> str:
    """Return the text of a call that begins in a column: on one line where it fits, else an argument on each.

    An argument that does not fit into a line either has each of its entries on its own, if it is a dict.
    """
    line = f"{name}({', '.join(arguments)}){end}"
    if "\n" not in line and column + len(line) <= parsed.width:
        return line
    indent = parsed.module.default_indent
    room = parsed.width - column - len(indent) - 1
    shown = (item if len(item) <= room and "\n" not in item else _broken(item, indent) for item in arguments)
    return "\n".join((f"{name}(", *(f"{indent}{item}," for item in shown), f"){end}"))


def _broken(argument: str, indent: str) -> str:
    """Return an argument with the entries of its dict, or the parts of its text, on lines of their own."""
    call = cst.ensure_type(cst.parse_expression(f"f({argument})"), cst.Call)
    value, keyword = call.args[0].value, call.args[0].keyword
    start = f"{keyword.value}=" if keyword is not None else ""
    if isinstance(value, cst.ConcatenatedString):
        parts = _parts_of_text(value) if keyword is None else ()
        return f"\n{indent}".join(parts) or _deeper(argument, indent)
    if not isinstance(value, cst.Dict) or value.lpar or not value.elements:
        return _deeper(argument, indent)
    entries = [_entry(item, indent) for item in value.elements]
    if any(entry is None for entry in entries):
        return _deeper(argument, indent)
    return "\n".join((f"{start}{{", *(f"{indent * 2}{entry}," for entry in entries), f"{indent}}}"))


def _deeper(argument: str, indent: str) -> str:
    """Return an argument whose last line stands below its first one; as it is where a text has some of its lines."""
    last = argument.rpartition("\n")[2]
    missing = indent.removeprefix(last[: len(last) - len(last.lstrip())])
    has_text = any(mark in argument for mark in ('"""', "'''", "\\\n"))
    return argument if has_text else argument.replace("\n", f"\n{missing}")


def _entry(element: cst.BaseDictElement, indent: str) -> str | None:
    """Return an entry of a dict in a call, a text of several lines in parentheses.

    ``None`` stands for anything else that has several lines.
    """
    empty = cst.Module([])
    value = element.value
    if isinstance(element, cst.DictElement) and isinstance(value, cst.ConcatenatedString):
        parts = _parts_of_text(value)
        if parts:
            deeper = f"\n{indent * 3}"
            return f"{empty.code_for_node(element.key)}: ({deeper}{deeper.join(parts)}\n{indent * 2})"
    text = empty.code_for_node(element.with_changes(comma=cst.MaybeSentinel.DEFAULT))
    return None if "\n" in text else text


def _parts_of_text(value: cst.ConcatenatedString) -> tuple[str, ...]:
    """Return the parts of a text of several lines; none where it is on one, or has parentheses or comments."""
    texts: list[str] = []
    pending: list[cst.BaseExpression] = [value]
    empty = cst.Module([])
    while pending:
        node = pending.pop()
        if isinstance(node, cst.ConcatenatedString):
            between = empty.code_for_node(node.whitespace_between)
            if "#" in between or "\n" not in between or node.lpar:
                return ()
            pending.extend((node.right, node.left))
        else:
            texts.append(empty.code_for_node(node))
    return () if any("\n" in text for text in texts) else tuple(texts)


def flattened(parsed: SourceFile, changes: Changes) -> set[cst.If]:
    """Return the ``if`` statements whose ``else`` is to follow them, those that are an ``elif`` now too."""
    left = {node for (node,) in changes.flattened}
    found: set[cst.If] = set()
    while left:
        ready = {
            node
            for node in left
            for parent, _ in [next(parsed.around(node))]
            if not isinstance(parent, cst.If) or parent in found
        }
        if not ready:
            break
        found |= ready
        left -= ready
    return found


class LetPass(NamedTuple):
    """Handlers that raise ``again`` what they catch, those that are ``gone``, and ``try`` statements without any."""

    again: frozenset[cst.ExceptHandler]
    gone: frozenset[cst.ExceptHandler]
    unwrapped: frozenset[cst.Try]


def let_pass(changes: Changes) -> LetPass:
    """Return what becomes of the handlers that let pass what they catch.

    The last ones of a ``try`` go; one above a handler that stays raises again, since that might catch it, too. A
    ``try`` that cannot be taken apart keeps its first one.
    """
    passed = {handler for _, handler in changes.passed}
    gone: set[cst.ExceptHandler] = set()
    unwrapped: set[cst.Try] = set()
    for node in dict.fromkeys(node for node, _ in changes.passed):
        last = list(takewhile(lambda handler: handler in passed, reversed(node.handlers)))
        if len(last) == len(node.handlers):
            if not _can_go(node):
                last.pop()
            elif node.finalbody is None:
                unwrapped.add(node)
        gone.update(last)
    return LetPass(frozenset(passed - gone), frozenset(gone), frozenset(unwrapped))


def _can_go(node: cst.Try) -> bool:
    """Whether a ``try`` is one without any handler, or can be taken apart without losing a comment."""
    if node.finalbody is not None:
        return node.orelse is None
    blocks = [node.body, *([node.orelse.body] if node.orelse is not None else [])]
    remarks = [*(node.orelse.leading_lines if node.orelse is not None else ())]
    for block in blocks:
        if not isinstance(block, cst.IndentedBlock) or block.header.comment is not None:
            return False
        remarks.extend(block.footer)
    last = node.body.body[-1]
    is_empty = isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], cst.Pass)
    return not any(line.comment is not None for line in remarks) and not is_empty


def parts_of(node: cst.Try) -> Iterator[cst.BaseStatement]:
    """Yield the statements of a ``try`` that has no handler and no ``finally`` any more."""
    for block in (node.body, *([node.orelse.body] if node.orelse is not None else [])):
        for item in block.body:
            assert isinstance(item, cst.BaseStatement)
            yield item


def remarks(lines: Sequence[cst.EmptyLine]) -> list[cst.EmptyLine]:
    """Return the lines of comments, without the empty ones: those of a statement that is gone."""
    return [line for line in lines if line.comment is not None]


def added(changes: Changes) -> Mapping[cst.CSTNode, list[str]]:
    """Return what is put behind each statement, in the order in which it stands there."""
    found: dict[cst.CSTNode, list[str]] = {}
    for item in sorted(changes.added, key=lambda each: each.text):
        found.setdefault(item.node, []).append(item.text)
    return found


def leading(node: cst.BaseStatement) -> Sequence[cst.EmptyLine]:
    """Return the lines of comments, and empty ones, above a statement."""
    lines: Sequence[cst.EmptyLine] = getattr(node, "leading_lines", ())
    return lines


def is_of_line(comment: str) -> bool:
    """Whether a comment tells a tool to say nothing of its line: it goes with what stands there."""
    return _OF_LINE.match(comment) is not None


def _remark(comment: str) -> cst.EmptyLine:
    return cst.EmptyLine(comment=cst.Comment(comment))


def _comments(node: cst.CSTNode) -> Iterator[cst.Comment]:
    for found in findall(node, Comment()):
        yield cst.ensure_type(found, cst.Comment)
