"""One file, parsed once by LibCST, with the places and parents of its nodes."""

from __future__ import annotations

import ast
import io
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import fields
from difflib import SequenceMatcher
from functools import cache
from itertools import takewhile
from typing import TypeVar, cast

import libcst as cst

from errlint.facts import Import
from errlint.findings import Span
from errlint.fix.model import Refusal, refuse
from errlint.fix.node_positions import Extent, Positions, code_of, written
from errlint.fix.nodes import BlockStatement, as_block, caught_as, inside, literal_value
from errlint.freed import give_back
from errlint.index.bindings import FunctionNode, bound_by
from errlint.index.scopes import imported
from errlint.lazy import cached_property
from errlint.reader import parse
from errlint.trees import walk

Function = cst.FunctionDef
_Node = TypeVar("_Node", bound=cst.CSTNode)
_TreeNode = TypeVar("_TreeNode", bound=ast.AST)
_About = TypeVar("_About", bound=Hashable)
_Answer = TypeVar("_Answer")
_WORD = re.compile(r"\w+")
SCOPES = (cst.FunctionDef, cst.ClassDef, cst.Lambda)

_LARGE = 20_000
"""From so many bytes on, the parser leaves much memory behind."""

_LONG_TEXT = 40
"""From so many characters on, a text may be the reason why its line is long."""

MAX_WIDTH = 88
"""How long a line may get before the arguments of a call are put on lines of their own."""


def unreadable(path: str, error: SyntaxError) -> Refusal:
    """Return the refusal for a file that is no Python."""
    return refuse("the file cannot be parsed", path, error.lineno or 1)


class SourceFile:
    """A file that may be changed."""

    def __init__(self, path: str, data: bytes) -> None:
        """Parse a file.

        LibCST keeps neither all lines behind the code nor all form feeds: :meth:`given_back` puts them back.
        Raises :class:`errlint.fix.model.Refusal` where it loses anything else.
        """
        self.path = path
        self.data = data
        for end in dict.fromkeys(_end_of_code(data, with_comments=each) for each in (False, True)):
            code, self._end = data[:end], data[end:]
            try:
                self.module = cst.parse_module(code)
            except (cst.ParserSyntaxError, UnicodeDecodeError, LookupError) as error:
                raise refuse("the file cannot be parsed", path, 1) from error
            self.text, self._first_lines = written(self.module)
            pages = _pages(lines(code.decode(self.module.encoding)), lines(self.text))
            if pages or (pages is not None and self.text.encode(self.module.encoding) == code):
                break
        else:
            raise refuse("the file would not be given back byte for byte", path, 1)
        self._pages = pages
        self._begin()
        if len(data) > _LARGE:
            give_back()

    def given_back(self, module: cst.Module) -> bytes:
        """Return a changed :attr:`module` as the content of a file, with all white space that the file has."""
        text = module.code
        if self._pages:
            rows = list(lines(text))
            same = SequenceMatcher(None, self.lines, rows, autojunk=False).get_matching_blocks()
            for old, new, size in same:
                for index in self._pages.keys() & range(old, old + size):
                    rows[new + index - old] = self._pages[index]
            text = "".join(rows)
        return text.encode(module.encoding) + self._end

    def once(self, answer: Callable[[SourceFile], _Answer]) -> _Answer:
        """Return what ``answer`` says of the file: it is asked once, however many fixes want to know."""
        if answer not in self._answers:
            self._answers[answer] = answer(self)
        return cast(_Answer, self._answers[answer])

    def once_for(self, answer: Callable[[_About], _Answer], about: _About) -> _Answer:
        """Return what ``answer`` says of something in the file, such as a node, which is asked once as well."""
        key = (answer, about)
        if key not in self._answers_for:
            self._answers_for[key] = answer(about)
        return cast(_Answer, self._answers_for[key])

    def release(self) -> None:
        """Let go of all but the tree itself: places, parents and the like take more, and are told again when asked."""
        kept = {"path", "data", "module", "text", "_end", "_first_lines", "_pages"}
        for name in [name for name in vars(self) if name not in kept]:
            delattr(self, name)
        self._begin()

    def _begin(self) -> None:
        self._answers: dict[Callable[[SourceFile], object], object] = {}
        self._answers_for: dict[tuple[object, Hashable], object] = {}
        self._of_tree_kind: dict[tuple[type[ast.AST], ...], Sequence[ast.AST]] = {}

    @cached_property
    def width(self) -> int:
        """How long new lines may get: what the file keeps, up to the longest that people allow.

        Long texts and comments do not count: formatters leave them as they are.
        """
        texts = self.tree_nodes(ast.Constant, ast.JoinedStr)
        left = {
            line
            for node in texts
            if node.end_lineno != node.lineno or (node.end_col_offset or 0) - node.col_offset > _LONG_TEXT
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
        }
        rows = enumerate(self.text.splitlines(), 1)
        longest = max((len(line) for number, line in rows if number not in left and "#" not in line), default=0)
        return max(MAX_WIDTH, min(longest, 120))

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines of the file as they are, with their ends."""
        return lines(self.text)

    @cached_property
    def quote(self) -> str:
        """The quotation mark around most of the file's strings."""
        marks = [node.quote[0] for node in self._literals if len(node.quote) == 1]
        return "'" if marks.count("'") > marks.count('"') else '"'

    @cached_property
    def tree(self) -> ast.Module:
        """The file as the interpreter reads it; raises :class:`errlint.fix.model.Refusal` where it cannot."""
        try:
            return parse(self.text)
        except SyntaxError as error:
            raise unreadable(self.path, error) from error

    def share(self, tree: ast.Module) -> None:
        """Take as :attr:`tree` what others have read, unless the file has its own: answers are about its nodes."""
        vars(self).setdefault("tree", tree)

    @cached_property
    def imports(self) -> tuple[Import, ...]:
        """All imports of the file, wherever they stand in it."""
        return tuple(imports_of(self.tree))

    @cached_property
    def globals(self) -> frozenset[str]:
        """The names that a function says are those of the module."""
        return frozenset(name for node in self.tree_nodes(ast.Global) for name in node.names)

    @cached_property
    def handlers(self) -> Mapping[int, Sequence[ast.ExceptHandler]]:
        """The ``except`` clauses in :attr:`tree` by their line."""
        found: dict[int, list[ast.ExceptHandler]] = {}
        for node in self.tree_nodes(ast.ExceptHandler):
            found.setdefault(node.lineno, []).append(node)
        return found

    @cached_property
    def usual_caught(self) -> str:
        """The name that most handlers of the file give to what they catch, "" where none has one."""
        usual = Counter(filter(None, map(caught_as, self.nodes(cst.ExceptHandler))))
        return next((name for name, _ in usual.most_common(1)), "")

    @cached_property
    def bindings(self) -> Mapping[str, int]:
        """How often the module binds each of its names, definitions inside left out."""
        return Counter(bound_by(self.tree.body))

    @cached_property
    def uses(self) -> Mapping[str, tuple[cst.Name | cst.Attribute, ...]]:
        """The names and attributes that are used, by their last part, in the order of the text.

        Left out are imports, keywords of calls, and what functions, classes and parameters are called.
        """
        found: dict[str, list[cst.Name | cst.Attribute]] = {}
        pending: list[cst.CSTNode] = [self.module]
        while pending:
            node = pending.pop()
            if isinstance(node, cst.Attribute):
                found.setdefault(node.attr.value, []).append(node)
                pending.append(node.value)
            elif isinstance(node, cst.Name):
                found.setdefault(node.value, []).append(node)
            elif isinstance(node, cst.Arg):
                pending.append(node.value)
            elif isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Param)):
                pending.extend(item for item in reversed(inside(node)) if item is not node.name)
            elif not isinstance(node, (cst.Import, cst.ImportFrom)):
                pending.extend(reversed(inside(node)))
        return {name: tuple(nodes) for name, nodes in found.items()}

    @cached_property
    def texts(self) -> tuple[tuple[str, cst.SimpleString], ...]:
        """What the file has of texts that are written down as one literal, with what they say."""
        found = ((literal_value(node), node) for node in self._literals)
        return tuple((value, node) for value, node in found if isinstance(value, str))

    @cached_property
    def _literals(self) -> Sequence[cst.SimpleString]:
        """The literals of text and bytes, in the order of the text."""
        found: list[cst.SimpleString] = []
        pending: list[cst.CSTNode] = [self.module]
        while pending:
            node = pending.pop()
            if type(node) is cst.SimpleString:
                found.append(node)
            else:
                pending.extend(reversed(_in_order(node)))
        return found

    @cached_property
    def _parents(self) -> Mapping[cst.CSTNode, cst.CSTNode]:
        """What is right around each node, layout left out."""
        return _parents_in(self.module, inside)

    @cached_property
    def _parents_of_all(self) -> Mapping[cst.CSTNode, cst.CSTNode]:
        """What is right around each node, that of comments and other layout too: they are more than half of all."""
        return _parents_in(self.module, _children)

    def _parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        found = self._parents.get(node)
        return self._parents_of_all.get(node) if found is None and node is not self.module else found

    @cached_property
    def _positions(self) -> Positions:
        return Positions(self.module, self._first_lines)

    @cached_property
    def definitions_by_name(self) -> Mapping[str, Sequence[cst.FunctionDef]]:
        """The functions of the file by their own names."""
        found: dict[str, list[cst.FunctionDef]] = {}
        for node in self.definitions:
            found.setdefault(node.name.value, []).append(node)
        return found

    @cached_property
    def definitions(self) -> tuple[cst.FunctionDef, ...]:
        """All functions of the file, those of a block in the order of the text."""
        return tuple(node for node in self._parents if isinstance(node, cst.FunctionDef))

    def returned(self, span: Span) -> cst.Return | None:
        """Return the ``return`` statement that begins where a span does."""
        return next((node for node in self.nodes_at(span.line, span.column) if isinstance(node, cst.Return)), None)

    def nodes_at(self, line: int, column: int) -> Sequence[cst.CSTNode]:
        """Return the nodes that begin in a line at a column (both from 1), inner ones first."""
        return self._positions.at(line, column - 1)

    def nodes(self, kind: type[_Node]) -> Sequence[_Node]:
        """Return all nodes of a class that has none below it."""
        return self._by_class.get(kind, ())  # type: ignore[return-value]

    @cached_property
    def _by_class(self) -> Mapping[type[cst.CSTNode], Sequence[cst.CSTNode]]:
        found: dict[type[cst.CSTNode], list[cst.CSTNode]] = {}
        for node in self._positions.all():
            found.setdefault(type(node), []).append(node)
        return found

    def tree_nodes(self, *kinds: type[_TreeNode]) -> Sequence[_TreeNode]:
        """Return all nodes of some kinds in :attr:`tree`, outer ones first."""
        if kinds not in self._of_tree_kind:
            self._of_tree_kind[kinds] = [node for node in self._walked if isinstance(node, kinds)]
        return self._of_tree_kind[kinds]  # type: ignore[return-value]

    @cached_property
    def _walked(self) -> Sequence[ast.AST]:
        return walk(self.tree)

    def extent(self, node: cst.CSTNode) -> Extent:
        """Return where a node begins and ends: lines from 1, columns from 0 in characters."""
        outermost = node
        while (parent := self._parent(outermost)) is not None and parent is not self.module:
            outermost = parent
        return self._positions.of(node, outermost)

    def rows(self, node: cst.CSTNode) -> Sequence[str]:
        """Return the lines on which a node stands, as they are."""
        start, _, end, _ = self.extent(node)
        return self.lines[start - 1 : end]

    def assigned(self, span: Span) -> cst.SimpleStatementLine | None:
        """Return the line with the assignment that begins where a span does."""
        for node in self.nodes_at(span.line, span.column):
            parent = self._parent(node) if isinstance(node, (cst.Assign, cst.AnnAssign)) else None
            if isinstance(parent, cst.SimpleStatementLine):
                return parent
        return None

    def check(self, span: Span) -> cst.If | None:
        """Return the ``if`` that begins where a span does; an ``elif`` is none."""
        for node in self.nodes_at(span.line, span.column):
            if isinstance(node, cst.If) and not isinstance(self._parent(node), cst.If):
                return node
        return None

    def line(self, node: cst.CSTNode) -> int:
        """Return the line (from 1) in which a node begins."""
        return self.extent(node)[0]

    def column(self, node: cst.CSTNode) -> int:
        """Return the column (from 0, in characters) in which a node begins."""
        return self.extent(node)[1]

    def code(self, node: cst.CSTNode) -> str:
        """Return the text of a node."""
        return code_of(self.module, node)

    def item(self, node: cst.Arg | cst.BaseDictElement) -> str:
        """Return the text of an argument or an entry, without its comma and the space around it."""
        return self.code(node.with_changes(comma=cst.MaybeSentinel.DEFAULT)).strip()

    def words(self, function: cst.FunctionDef | None) -> frozenset[str]:
        """Return the words of a function, those of its comments and texts too; of the whole file for ``None``."""
        return frozenset(_WORD.findall(self.code(function))) if function is not None else self._words

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(_WORD.findall(self.text))

    def as_ast(self, function: cst.FunctionDef) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """Return a function in the tree of the interpreter."""
        return self.functions.get(self.line(function))

    @cached_property
    def functions(self) -> Mapping[int, ast.FunctionDef | ast.AsyncFunctionDef]:
        """The functions in :attr:`tree` by the line of their ``def``, the outermost in each."""
        found: dict[int, ast.FunctionDef | ast.AsyncFunctionDef] = {}
        for node in self._walked:
            if isinstance(node, FunctionNode):
                found.setdefault(node.lineno, node)
        return found

    def statement(self, node: cst.CSTNode) -> ast.stmt | None:
        """Return the innermost statement around a node, itself included, in the tree of the interpreter."""
        kinds = (cst.BaseSmallStatement, cst.BaseStatement)
        around = (node, *(parent for parent, _ in self.around(node)))
        found = next((each for each in around if isinstance(each, kinds)), None)
        return self._statements.get(self.extent(found)[:2]) if found is not None else None

    @cached_property
    def _statements(self) -> Mapping[tuple[int, int], ast.stmt]:
        """The statements in :attr:`tree` by where they begin: lines from 1, columns from 0 in characters."""
        found: dict[tuple[int, int], ast.stmt] = {}
        for node in self._walked:
            if isinstance(node, ast.stmt):
                before = self.lines[node.lineno - 1].encode()[: node.col_offset]
                found[node.lineno, len(before.decode())] = node
        return found

    def argument(self, node: cst.BaseExpression) -> str:
        """Return the text of an expression as an argument of a call, without parentheses of its own around a text."""
        if isinstance(node, (cst.BaseString, cst.BinaryOperation)) and node.lpar:
            node = node.with_changes(lpar=node.lpar[1:], rpar=node.rpar[:-1])
            if isinstance(node, cst.ConcatenatedString) and not node.lpar:
                return f"\n{self.module.default_indent}".join(map(self.code, _pieces(node)))
        return self.code(node)

    def around(self, node: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
        """Yield what is around a node, from the inside out, each with the part of it that leads to the node."""
        child = node
        parent = self._parent(node)
        while parent is not None:
            yield parent, child
            child, parent = parent, self._parent(parent)

    def before(self, node: cst.CSTNode) -> Sequence[BlockStatement]:
        """Return the statements of a block before the one that a node is or stands in, none of a block on one line."""
        return self._beside(node)[0]

    def behind(self, node: cst.CSTNode) -> Sequence[BlockStatement]:
        """Return the statements of a block behind the one that a node is or stands in."""
        return self._beside(node)[1]

    def following(self, node: cst.CSTNode) -> BlockStatement | None:
        """Return the first statement of :meth:`behind`, ``None`` where there is none."""
        return next(iter(self.behind(node)), None)

    def blocks_behind(self, node: cst.CSTNode) -> Iterator[Sequence[cst.BaseStatement]]:
        """Yield what runs behind a statement when nothing leaves before, block by block, to the end of its function.

        Handlers around it are none of these, nor is what an ``elif`` and the parts behind it do.
        """
        yield self.behind(node)
        for parent, child in self.in_scope(node):
            if isinstance(parent, (cst.Try, cst.TryStar)):
                ends = (parent.orelse if child is parent.body else None, parent.finalbody)
                yield from (tuple(as_block(part.body).body) for part in ends if part is not None and part is not child)
            if isinstance(parent, cst.BaseCompoundStatement) and not self.is_elif(parent):
                yield self.behind(parent)

    def is_elif(self, node: cst.CSTNode) -> bool:
        """Whether a statement is an ``elif`` of another one."""
        return isinstance(node, cst.If) and isinstance(self._parent(node), cst.If)

    def _beside(self, node: cst.CSTNode) -> tuple[Sequence[BlockStatement], Sequence[BlockStatement]]:
        for parent, child in self.around(node):
            if isinstance(parent, (cst.IndentedBlock, cst.Module)):
                at = next(index for index, item in enumerate(parent.body) if item is child)
                body = [item for item in parent.body if isinstance(item, BlockStatement)]
                return body[:at], body[at + 1 :]
            if isinstance(parent, cst.SimpleStatementSuite):
                break
        return (), ()

    def in_scope(self, node: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
        """Yield what is :meth:`around` a node inside of its function, class or lambda."""
        return takewhile(lambda pair: not isinstance(pair[0], SCOPES), self.around(node))

    def scope(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """Return the innermost function, class or lambda around a node; ``None`` at module level."""
        return next((parent for parent, _ in self.around(node) if isinstance(parent, SCOPES)), None)

    def function(self, node: cst.CSTNode) -> cst.FunctionDef | None:
        """Return the innermost function around a node; ``None`` at module level, in a class or a lambda."""
        found = self.scope(node)
        return found if isinstance(found, cst.FunctionDef) else None

    def handler(self, node: cst.CSTNode) -> cst.ExceptHandler | None:
        """Return the innermost ``except`` clause around a node, inside its function."""
        return next((each for each, _ in self.in_scope(node) if isinstance(each, cst.ExceptHandler)), None)


def _end_of_code(data: bytes, *, with_comments: bool) -> int:
    """Return where the last line ends that is not blank, nor a comment ``with_comments``.

    A line that goes on in the next one is not the last.
    """
    end = len(data)
    while end:
        start = data.rfind(b"\n", 0, end - 1) + 1
        line = data[start:end].strip()
        if line.endswith(b"\\"):
            return len(data)
        if line and not (with_comments and line.startswith(b"#")):
            break
        end = start
    return end


def lines(text: str) -> tuple[str, ...]:
    """Return the lines of a text as they are, with their ends; a form feed ends none."""
    return tuple(io.StringIO(text, newline=""))


def _pages(rows: Sequence[str], kept: Sequence[str]) -> Mapping[int, str] | None:
    """Return the lines, by index, of which LibCST loses a form feed at the beginning; ``None`` for another loss."""
    if len(rows) != len(kept):
        return None
    found = {index: row for index, (row, other) in enumerate(zip(rows, kept, strict=True)) if row != other}
    lost = (row.removesuffix(kept[index]) for index, row in found.items())
    return found if all("\f" in each and not each.strip() for each in lost) else None


@cache
def _fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """Return the parts of a node, layout and comments included."""
    found: list[cst.CSTNode] = []
    for name in _fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            found.append(value)
        elif isinstance(value, (tuple, list)):
            found.extend(item for item in value if isinstance(item, cst.CSTNode))
    return found


def _parents_in(
    module: cst.Module, children: Callable[[cst.CSTNode], list[cst.CSTNode]]
) -> Mapping[cst.CSTNode, cst.CSTNode]:
    """Return the parent of each node below a module; LibCST's own provider takes ten times longer."""
    found: dict[cst.CSTNode, cst.CSTNode] = {}
    pending: list[cst.CSTNode] = [module]
    while pending:
        node = pending.pop()
        parts = children(node)
        found.update(dict.fromkeys(parts, node))
        pending.extend(reversed(parts))
    return found


def _in_order(node: cst.CSTNode) -> list[cst.CSTNode]:
    """Return what a node is made of in the order of the text: LibCST lists the body of a definition too early."""
    if not isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.ExceptHandler, cst.ExceptStarHandler, cst.MatchCase)):
        return inside(node)
    body = node.body
    return sorted(inside(node), key=lambda part: (part is body) - isinstance(part, cst.Decorator))


def _pieces(node: cst.BaseString) -> Iterator[cst.BaseString]:
    """Yield the strings that stand one after the other."""
    if isinstance(node, cst.ConcatenatedString):
        yield node.left
        yield from _pieces(node.right)
    else:
        yield node


Parse = Callable[[str], SourceFile]
"""How a path becomes a file that is parsed."""


def imports_of(tree: ast.Module) -> Iterator[Import]:
    """Yield the imports of a module, wherever they stand in it, each with its whole name."""
    return (each for node in walk(tree) for each in imported(node, is_whole=True))
