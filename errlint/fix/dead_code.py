"""What nothing uses any more once error returns are gone: factories, imports, local names.

Only what a run itself made unused is looked at, and only where no file of the project, tests included, has the name in
any other place, texts such as those of ``__all__`` and of patches included.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import pairwise

import libcst as cst
from libcst.matchers import Comment, findall

from errlint.findings import Span
from errlint.fix.bindings import assignment
from errlint.fix.callers.error_checks import unnamed_reader
from errlint.fix.model import Group, Refusal
from errlint.fix.nodes import all_below
from errlint.fix.payload_extraction.effects import is_plain
from errlint.fix.payload_extraction.variables import mentions
from errlint.fix.plan import Planned
from errlint.fix.rewrite import Changes, Replacement
from errlint.fix.source_cache import Files, written_in
from errlint.fix.source_file import SourceFile
from errlint.index.bindings import FunctionNode, assigned_names
from errlint.index.scopes import imported
from errlint.project import Project
from errlint.source import decode
from errlint.trees import walk

_WORD = re.compile(r"[^\W\d]\w*")
_ASSIGNED = re.compile(r"^[ \t]+(?![ \t])(?:.*;[ \t]*)?([^\W\d]\w*)[ \t]*(?::[^=\n]{0,200})?=(?!=)", re.MULTILINE)
"""The beginning of an assignment in a block."""

_INNER_IMPORT = re.compile(r"^[ \t]+(?:from|import)\b", re.MULTILINE)

_BEGINNING = Span(1, 1, 1, 1)


def leftovers(project: Project, files: Files, contents: Mapping[str, tuple[bytes, bytes]]) -> Iterator[Planned]:
    """Yield the removal of what the changes of a run, from old contents to new ones by path, made unused."""
    lost: set[str] = set()
    for path, (old, new) in sorted(contents.items()):
        try:
            text = decode(new)
            gone, spare = _changed(decode(old), text)
            lost.update(gone)
            replaced: tuple[Replacement, ...] = ()
            # Most files have lost no name at all, which their words tell long before a tree does.
            if not (gone | spare).isdisjoint(item.name for item in files.imports(path)):
                if _may_have_idle_import(files.tree(path), text, gone | spare):
                    replaced += tuple(_imports(project, files, files.parse(path), gone | spare))
                if _INNER_IMPORT.search(text) and _may_have_idle_name(files.tree(path), gone, _imported_by):
                    replaced += tuple(_inner_imports(files.parse(path), files.parse_as(path, old), gone))
            is_assigned = any(map(gone.__contains__, _ASSIGNED.findall(text)))
            if is_assigned and _may_have_idle_name(files.tree(path), gone, _assigned_by):
                replaced += tuple(_locals(files.parse(path), files.parse_as(path, old), gone))
        except Refusal:
            continue
        if replaced:
            yield _planned(files.parse(path), replaced)
    for path, names in _homes(project, files, lost):
        try:
            parsed = files.parse(path)
            unused = tuple(_functions(project, parsed, names))
        except Refusal:
            continue
        if unused:
            yield _planned(parsed, unused)


def _planned(parsed: SourceFile, replaced: tuple[Replacement, ...]) -> Planned:
    group = Group(parsed.path, "", _BEGINNING, (), ())
    return Planned(group, {parsed.path: Changes(replaced=replaced)})


def _changed(old: str, new: str) -> tuple[set[str], set[str]]:
    """Return the words of which a text has fewer than before, and those that it has once and did not have before.

    These are what a pass has imported, and a later one may need no more. Comments count for nothing.
    """
    changed = changed_lines(old, new)
    added = words_added(changed)
    once = {word for word, count in added.items() if count == 1}
    known = once.intersection(_WORD.findall(old))
    # To tell comments from the rest takes long.
    if any("#" in line for line, _ in changed) or not known.issubset(written_in(old)):
        was, now = _words(old), _words(new)
        return set(was - now), {name for name in now.keys() - was.keys() if now[name] == 1}
    return {word for word, count in added.items() if count < 0}, once - known


def changed_lines(old: str, new: str) -> Sequence[tuple[str, int]]:
    """Return the lines of which a text has more than another one, or fewer, with how many: most are as they were."""
    lines = Counter(new.split("\n"))
    lines.subtract(old.split("\n"))
    return [(line, count) for line, count in lines.items() if count]


def words_added(changed: Iterable[tuple[str, int]]) -> Counter[str]:
    """Return how many more times each word stands in lines that changed; less than 0 where there are fewer."""
    added: Counter[str] = Counter()
    for line, count in changed:
        for word in _WORD.findall(line):
            added[word] += count
    return added


@lru_cache(maxsize=50)
def _words(text: str) -> Counter[str]:
    """Count the words of a file, those in texts too, comments left out."""
    found: Counter[str] = Counter()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT:
            found.update(_WORD.findall(token.string))
    return found


_BEFORE = frozenset({tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.NL, tokenize.COMMENT})
"""Tokens behind which a text begins a statement, as a docstring does."""


def _words_of_code(text: str) -> Counter[str]:
    """Count the words of a file as :func:`_words` does, those of docstrings left out: prose uses no import.

    Examples in them may: one with ``>>>`` counts.
    """
    found = Counter(_words(text))
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    depth, is_first = 0, True
    for token, following in pairwise(tokens):
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
        is_alone = is_first and following.type == tokenize.NEWLINE
        if token.type == tokenize.STRING and is_alone and ">>>" not in token.string:
            found.subtract(_WORD.findall(token.string))
        is_first = not depth and token.type in _BEFORE
    return found


# --- what may be idle, told by trees of the interpreter: those of LibCST take ten times longer -----------------------


def _may_have_idle_import(tree: ast.Module, text: str, names: Set[str]) -> bool:
    """Whether a file has no use of one of some names but for an import of it at its top."""
    imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    bound = [(node, {*_imported_by(node)} & names) for node in imports]
    if not any(found for _, found in bound):
        return False
    words, lines = _words_of_code(text), re.split(r"\r\n?|\n", text)
    return any(
        words[name] <= len(re.findall(rf"\b{re.escape(name)}\b", "\n".join(lines[node.lineno - 1 : node.end_lineno])))
        for node, found in bound
        for name in found
    )


def _may_have_idle_name(tree: ast.Module, names: Set[str], bound: Callable[[ast.AST], Iterable[str]]) -> bool:
    """Whether a function binds one of some names and reads it nowhere; ``bound`` says which names a statement binds."""
    for function in walk(tree):
        if not isinstance(function, FunctionNode):
            continue
        nodes = walk(function)
        found = {name for node in nodes for name in bound(node)} & names
        if found:
            read = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)}
            if found - read:
                return True
    return False


def _imported_by(node: ast.AST) -> Iterable[str]:
    return (each.name for each in imported(node, is_whole=True))


def _assigned_by(node: ast.AST) -> Iterable[str]:
    return (name for name, _ in assigned_names(node))


def _has_comment(node: cst.CSTNode) -> bool:
    return bool(findall(node, Comment()))


# --- imports --------------------------------------------------------------------------------------------------------


def _imports(project: Project, files: Files, parsed: SourceFile, gone: set[str]) -> Iterator[Replacement]:
    """Yield the imports at the top of a file without the names that nothing in it uses any more."""
    if parsed.path.endswith("__init__.py"):
        return
    words = _words_of_code(parsed.text)
    for line in parsed.module.body:
        if not isinstance(line, cst.SimpleStatementLine):
            continue
        if isinstance(line.body[0], cst.ImportFrom) and _registers(project, parsed, line.body[0]):
            continue
        unused = {
            name
            for name in _imported(line)
            if name in gone
            and words[name] == _written(line, name)
            and not _is_shared(project, files, parsed.path, name)
        }
        yield from _without(parsed, line, unused)


def _inner_imports(parsed: SourceFile, before: SourceFile, gone: set[str]) -> Iterator[Replacement]:
    """Yield the imports inside of functions without the names that those do not use any more."""
    for node, was in _pairs(parsed, before):
        for line in node.body.body if len(node.body.body) > 1 else ():
            if isinstance(line, cst.SimpleStatementLine):
                unused = {
                    name
                    for name in _imported(line)
                    if name in gone and mentions(node, name) == mentions(line, name) < mentions(was, name)
                }
                yield from _without(parsed, line, unused)


def _imported(line: cst.SimpleStatementLine) -> tuple[str, ...]:
    """Return the names that a line imports and does nothing else."""
    node = line.body[0]
    if (
        len(line.body) != 1
        or not isinstance(node, (cst.Import, cst.ImportFrom))
        or isinstance(node.names, cst.ImportStar)
    ):
        return ()
    return tuple(alias.evaluated_alias or alias.evaluated_name for alias in node.names)


def _without(parsed: SourceFile, line: cst.SimpleStatementLine, unused: set[str]) -> Iterator[Replacement]:
    """Yield a line without some of the names that it imports."""
    node = line.body[0]
    if not unused or _has_comment(line.with_changes(leading_lines=[])):
        return
    assert isinstance(node, (cst.Import, cst.ImportFrom)) and not isinstance(node.names, cst.ImportStar)
    aliases = list(node.names)
    kept = [alias for alias in aliases if (alias.evaluated_alias or alias.evaluated_name) not in unused]
    if not kept:
        yield Replacement(line, "")
        return
    kept[-1] = kept[-1].with_changes(comma=aliases[-1].comma)
    changed = line.with_changes(leading_lines=[], body=[node.with_changes(names=kept)])
    yield Replacement(line, parsed.code(changed))


def _written(line: cst.SimpleStatementLine, name: str) -> int:
    return _words(cst.Module([line.with_changes(leading_lines=[])]).code)[name]


def _registers(project: Project, parsed: SourceFile, node: cst.ImportFrom) -> bool:
    """Whether an import may be there for more than its names: its module registers adapters."""
    name = "." * len(node.relative) + (parsed.code(node.module) if node.module is not None else "")
    target = project.names.find(name, parsed.path)
    return target is not None and any(
        project.adapters.registers(target, decorator)
        for function in (project.modules[target].functions if target in project.modules else ())
        for decorator in function.decorators
    )


def _is_shared(project: Project, files: Files, path: str, name: str) -> bool:
    """Whether another file may take a name from a file: it imports it from there, or speaks of it."""
    module = project.layout.module_name(path).rpartition(".")[2]
    own, short = re.escape(module), re.escape(name)
    # By a dotted name, as `patch` takes it, by the module and the name in quotes, or by an import.
    name_occurrences = re.compile(rf"\b{own}\.{short}\b|\b{own}\s*,\s*[\"']{short}[\"']")
    imported = re.compile(rf"\b{own}[ \t]+import[ \t]+(?:\([^)]*|[^\n(]*)(?:\b{short}\b|\*)")
    return any(
        name_occurrences.search(text) is not None or imported.search(text) is not None
        for other, text in files.texts().items()
        if other != path and module in text
    )


# --- functions ------------------------------------------------------------------------------------------------------


def _homes(project: Project, files: Files, lost: set[str]) -> Iterator[tuple[str, set[str]]]:
    """Yield the files that define functions which a run took names away from and nothing else names."""
    for path, module in sorted(project.modules.items()):
        names = {function.name.rpartition(".")[2] for function in module.functions} & lost
        unused = {name for name in names if not name.startswith("__") and _is_named_once(files, name)}
        if unused:
            yield path, unused


def _is_named_once(files: Files, name: str) -> bool:
    """Whether a name that is written somewhere is so there alone."""
    if files.written(name) > 1:
        return False
    # To tell comments from the rest takes long; of few names it is asked.
    return sum(_words(text)[name] for text in files.texts().values() if name in text) == 1


def _functions(project: Project, parsed: SourceFile, names: set[str]) -> Iterator[Replacement]:
    """Yield the functions of a file that nothing names any more: those of the module, and private methods."""
    known = {function.name: function for function in project.modules[parsed.path].functions}
    for node, name in _defined(parsed.module.body):
        short = node.name.value
        function = known.get(name)
        if short not in names or function is None or node.decorators:
            continue
        if (
            not project.adapters.is_adapter(parsed.path, function)
            and not _has_comment(node)
            and mentions(node, short) == 1
        ):
            yield Replacement(node, "")


def _defined(body: object) -> Iterator[tuple[cst.FunctionDef, str]]:
    for node in body if isinstance(body, (list, tuple)) else ():
        if isinstance(node, cst.FunctionDef):
            yield node, node.name.value
        elif isinstance(node, cst.ClassDef):
            for item in node.body.body:
                if isinstance(item, cst.FunctionDef) and item.name.value.startswith("_"):
                    yield item, f"{node.name.value}.{item.name.value}"


def _pairs(parsed: SourceFile, before: SourceFile) -> Iterator[tuple[cst.FunctionDef, cst.FunctionDef]]:
    """Yield the functions of a file that it had before, with what they were."""
    old = {(node.name.value, number): node for number, node in enumerate(before.definitions)}
    for number, node in enumerate(parsed.definitions):
        was = old.get((node.name.value, number))
        if was is not None:
            yield node, was


# --- local names ----------------------------------------------------------------------------------------------------


def _locals(parsed: SourceFile, before: SourceFile, gone: set[str]) -> Iterator[Replacement]:
    """Yield the assignments to names that a function does not read any more; what calls something is still called."""
    for node, was in _pairs(parsed, before):
        for line in all_below(node.body):
            if not isinstance(line, cst.SimpleStatementLine):
                continue
            target = assignment(line)
            if target is None or target[0] not in gone:
                continue
            is_called = isinstance(target[1], (cst.Call, cst.Await)) and unnamed_reader(node) is None
            if not (is_plain(target[1]) or is_called) or parsed.function(line) is not node:
                continue
            if mentions(node, target[0]) == 1 < mentions(was, target[0]) and not _has_comment(line):
                yield Replacement(line, f"{parsed.code(target[1])}\n" if is_called else "")
