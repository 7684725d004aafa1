"""Under which name a class is known in a file, and the import that makes it known."""

from __future__ import annotations

import itertools
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from posixpath import commonprefix
from typing import NamedTuple

import libcst as cst

from errlint.facts import Import
from errlint.fix.model import Refusal, refuse
from errlint.fix.nodes import BlockStatement, all_below, dotted_name
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SourceFile
from errlint.index.bindings import names_bound
from errlint.project import Project
from errlint.project.names import (
    ClassSymbol,
    ExternalSymbol,
    FunctionSymbol,
    below,
    is_standard,
    module_below,
    names_file,
)


class Needed(NamedTuple):
    """An import to add: ``from module import name``; ``module`` is written as the file writes its own imports.

    Without a name it is ``import module``. ``own`` are the packages of the project, which stand in a section of their
    own. ``otherwise`` is the name of the module in the handler of a ``try``: the file imports the project in two ways,
    and the name is added to both.
    """

    module: str
    name: str
    own: tuple[str, ...] = ()
    otherwise: str = ""


class Known(NamedTuple):
    """The name of a class in a file, and what has to be imported for it."""

    name: str
    needed: Needed | None = None


def known_as(
    project: Project,
    files: Files,
    parsed: SourceFile,
    symbol: ClassSymbol | FunctionSymbol | ExternalSymbol,
    scope: str,
) -> Known:
    """Return how a file names a class or function.

    Raises :class:`errlint.fix.model.Refusal` where it cannot import it: the name is taken, or a cycle would come of it.
    """
    path, imports = parsed.path, parsed.imports
    for imported in imports:
        # A name of several imports may mean something else.
        if _is_at_top(parsed, imported.name) and project.names.resolve(path, imported.name, scope) == symbol:
            return Known(imported.name)
    if isinstance(symbol, ExternalSymbol):
        module, _, last = symbol.name.rpartition(".")
        for imported in imports:
            # What a file imports of the standard library as a module is named by that.
            is_module = not imported.attribute and imported.module == module and is_standard(module)
            if is_module and _is_module_at_top(parsed, imported.name):
                return Known(f"{imported.name}.{last}")
        if module == "builtins" and project.names.resolve(path, last, scope) in (symbol, None):
            return Known(last)
        if module in ("", "builtins"):
            raise refuse(f"`{last}` stands for something else here")
        return _needing(parsed, module, last, project.layout.packages)
    name = symbol.function.name if isinstance(symbol, FunctionSymbol) else symbol.definition.name
    if symbol.path == path:
        return Known(name)
    for imported in imports:
        is_module = not imported.attribute and _is_module_at_top(parsed, imported.name)
        is_own = project.names.find(below(imported.module, imported.attribute), path) == symbol.path
        is_known = is_module or (is_own and _is_at_top(parsed, imported.name))
        if is_known and project.names.resolve(path, f"{imported.name}.{name}", scope) == symbol:
            return Known(f"{imported.name}.{name}")
    if path in _reached(project, files, symbol.path) and not _is_there(project, files, parsed, symbol.path, name):
        raise refuse(f"to import `{name}` would be a cycle: its module imports this one")
    own = project.layout.packages
    outer = name.partition(".")[0]
    both = _in_two_ways(project, parsed, symbol.path) if not _is_taken(parsed, outer) else None
    if both is not None:
        return Known(name, Needed(both[0], outer, own, both[1]))
    for imported in imports:
        module = project.layout.absolute(imported.module, path)
        # A file may import from the root of a repository what belongs to a distribution in a folder of it.
        found = project.names.find(imported.module, path)
        is_same = found == symbol.path or f"{module.replace('.', '/')}.py" == symbol.path
        # Or a folder is called otherwise here than where it is run.
        is_same = is_same or (found is None and _is_named_after(project, imported, module, symbol.path))
        if imported.attribute not in ("", "*") and is_same and _is_at_top(parsed, imported.name):
            return _needing(parsed, imported.module, name, own)
    return _needing(parsed, _module(project, files, imports, path, symbol.path), name, own)


def _needing(parsed: SourceFile, module: str, name: str, own: tuple[str, ...]) -> Known:
    """Return a class by its name in a module, and the import: that of the module where the name is taken in the file.

    Raises :class:`errlint.fix.model.Refusal` where that of the module is taken, too.
    """
    outer = name.partition(".")[0]
    if not _is_taken(parsed, outer):
        return Known(name, Needed(module, outer, own))
    parent, dot, last = module.rpartition(".")
    if not last or _is_taken(parsed, last):
        raise refuse(f"`{name}` stands for something else here")
    if not dot:
        return Known(f"{last}.{name}", Needed(module, "", own))
    return Known(f"{last}.{name}", Needed(parent or dot, last, own))


def _in_two_ways(project: Project, parsed: SourceFile, target: str) -> tuple[str, str] | None:
    """Return the names of a module for a ``try`` by which a file imports the project, and for its handler.

    Returns ``None`` where a file has no such ``try``, or imports the project at its top too: it runs in one way then.
    """
    path, find = parsed.path, project.names.find
    if any(find(_written(node), path) for line in parsed.module.body for node in _froms(line)):
        return None
    for line in parsed.module.body:
        first, second = _imports_of_try(line)
        for one in first:
            for other in second:
                source = find(_written(one), path)
                if source is None or not (find(_written(other), path) == source or names_file(_written(other), source)):
                    continue
                names = [_spelt(path, _written(each), source, target) for each in (one, other)]
                if all(names):
                    return names[0], names[1]
    return None


def _imports_of_try(line: cst.CSTNode) -> tuple[Sequence[cst.ImportFrom], Sequence[cst.ImportFrom]]:
    """Return the imports in the body of a ``try`` with one handler, and those in that; none for another line."""
    if not isinstance(line, cst.Try) or len(line.handlers) != 1:
        return (), ()
    first, second = ([node for item in block.body.body for node in _froms(item)] for block in (line, line.handlers[0]))
    return first, second


def _spelt(path: str, module: str, source: str, target: str) -> str:
    """Return the name of a module as a file writes another one, ``module``, which leads to ``source``; "" for none."""
    if module.startswith("."):
        package, place = path.split("/")[:-1], _place(target).split("/")
        shared = len(commonprefix((package, place)))
        return "." * (len(package) - shared + 1) + ".".join(filter(None, place[shared:]))
    folder = _place(source).removesuffix(module.replace(".", "/"))
    return module_below(folder.rstrip("/"), target) if folder != _place(source) else ""


def _place(path: str) -> str:
    """Return the path of a module without what makes a file of it."""
    return path.removesuffix("/__init__.py").removesuffix(".py")


def _is_there(project: Project, files: Files, parsed: SourceFile, source: str, name: str) -> bool:
    """Whether a file imports what its module binds behind a name: that is there then, in whatever order they load."""
    bound = {each: node.lineno for node in reversed(files.tree(source).body) for each in names_bound(node)}
    return any(
        bound.get(item.attribute, 0) > bound.get(name, 0) > 0
        and project.names.find(item.module, parsed.path) == source
        and _is_at_top(parsed, item.name)
        for item in parsed.imports
    )


def _is_named_after(project: Project, imported: Import, module: str, path: str) -> bool:
    """Whether an import that leads nowhere names a file by its last part, and something that is defined there alone."""
    if module.rpartition(".")[2] != path.rpartition("/")[2].removesuffix(".py"):
        return False
    found = project.names.resolve(path, imported.attribute)
    return isinstance(found, (ClassSymbol, FunctionSymbol)) and found.path == path


def _is_at_top(parsed: SourceFile, name: str) -> bool:
    """Whether an import at the top of the file, that always runs, binds a name."""
    return name in parsed.once(_imported_at_top)


def _imported_at_top(parsed: SourceFile) -> frozenset[str]:
    plain = _names_of(node for line in parsed.module.body for node in _froms(line))
    return plain.union(*(_names_of(one) & _names_of(other) for one, other in map(_imports_of_try, parsed.module.body)))


def _is_module_at_top(parsed: SourceFile, name: str) -> bool:
    """Whether the file gives a name to a module at its top."""
    return name in parsed.once(_modules_at_top)


def _modules_at_top(parsed: SourceFile) -> frozenset[str]:
    """Return the names that a file gives to modules at its top."""
    lines = (item for line in parsed.module.body if isinstance(line, cst.SimpleStatementLine) for item in line.body)
    names = (alias for item in lines if isinstance(item, cst.Import) for alias in item.names)
    return frozenset(dotted_name(alias.asname.name if alias.asname is not None else alias.name) for alias in names)


def _names_of(nodes: Iterable[cst.ImportFrom]) -> frozenset[str]:
    """Return the names that imports bind."""
    return frozenset(
        alias.evaluated_alias or alias.evaluated_name
        for node in nodes
        if not isinstance(node.names, cst.ImportStar)
        for alias in node.names
    )


def _is_taken(parsed: SourceFile, name: str) -> bool:
    """Whether a name may stand for something in the file: what it stands for there would change."""
    return name in parsed.once(_names)


def _names(parsed: SourceFile) -> frozenset[str]:
    """Return the names of a file that are no parts of others, and not of modules that it imports from."""
    parts: set[cst.CSTNode] = set()
    for node in all_below(parsed.module):
        if isinstance(node, cst.Attribute):
            parts.add(node.attr)
        elif isinstance(node, cst.ImportFrom) and node.module is not None:
            parts.update(all_below(node.module))
    return frozenset(
        node.value for node in all_below(parsed.module) if isinstance(node, cst.Name) and node not in parts
    )


def _reached(project: Project, files: Files, path: str) -> set[str]:
    """Return the files that one imports, in whatever way, itself left out."""
    found: set[str] = set()
    pending = [path]
    while pending:
        current = pending.pop()
        for item in files.imports(current):
            for name in (below(item.module, item.attribute) if item.attribute else item.module, item.module):
                target = project.names.find(name, current)
                if target is not None and target not in found:
                    found.add(target)
                    pending.append(target)
    return found


def _module(project: Project, files: Files, imported: Sequence[Import], path: str, target: str) -> str:
    """Return the name of a module as a file imports it, or would: relative where most of its own imports are.

    Else it is the one that other files have for it: a module that is imported under two names is there twice. So is one
    of a relative import that leads further up than others do.
    """
    for item in imported:
        if item.attribute and project.layout.find(project.layout.absolute(item.module, path), path) == target:
            return item.module
    known = _known(project, files, path, target)
    start = _start(project, files, imported, path)
    absolute = module_below(start, target) if start is not None else ""
    own = module_below(start, path) if start is not None else ""
    imports = [item.module for item in imported]
    relative = sum(name.startswith(".") for name in imports)
    if not absolute or not own or (relative and "." not in own):
        # A file that imports relatively is in a package, though a script may start in its folder, too.
        absolute, own = project.layout.module_name(target), project.layout.module_name(path)
    top = own.partition(".")[0]
    if relative <= sum(name.partition(".")[0] == top for name in imports):
        return known or absolute
    package = own.split(".") if path.endswith("__init__.py") else own.split(".")[:-1]
    parts = absolute.split(".")
    shared = len(commonprefix((package, parts)))
    dots = len(package) - shared + 1
    if not shared or (known and dots > max(len(name) - len(name.lstrip(".")) for name in imports)):
        return known or absolute
    return "." * dots + ".".join(parts[shared:])


def _known(project: Project, files: Files, path: str, target: str) -> str:
    """Return the name by which most other files import a module and a file can too, "" where none does."""
    last = target.removesuffix("/__init__.py").rpartition("/")[2].removesuffix(".py")
    names = files.imported(path, last)
    fitting = (name for name in names if project.names.find(name, path) == target)
    return max(fitting, key=names.__getitem__, default="")


def _start(project: Project, files: Files, imported: Iterable[Import], path: str) -> str | None:
    """Return the folder from which a file, or another one beside it, imports the project; ``None`` where none does."""
    folder = path.rpartition("/")[0]
    beside = (other for other in sorted(project.layout.paths) if other.rpartition("/")[0] == folder and other != path)
    for imports in itertools.chain([imported], _readable(files, beside)):
        found = Counter(
            where[: -len(module)].rstrip("/")
            for item in imports
            if not item.module.startswith(".")
            and (target := project.names.find(item.module, path)) is not None
            and (where := target.rpartition(".")[0].removesuffix("/__init__")).endswith(
                module := item.module.replace(".", "/")
            )
        )
        if found:
            return found.most_common(1)[0][0]
    return None


def _readable(files: Files, paths: Iterable[str]) -> Iterator[Sequence[Import]]:
    for path in paths:
        with suppress(Refusal):
            yield files.imports(path)


def add_imports(module: cst.Module, needed: Sequence[Needed]) -> cst.Module:
    """Return a module that imports some names too, in the order that import sorters keep."""
    for each in sorted(set(needed)):
        if each.otherwise:
            module = _in_both(module, each)
        elif each.name:
            module = _extended(module, each) or _inserted(module, each)
        elif not any(_imports(line, each.module) for line in module.body):
            module = _with_module(module, each)
    return module


def _imports(line: cst.CSTNode, name: str) -> bool:
    """Whether a line at the top of a file imports a module under its own name."""
    return isinstance(line, cst.SimpleStatementLine) and any(
        alias.evaluated_name == name and alias.asname is None
        for node in line.body
        if isinstance(node, cst.Import)
        for alias in node.names
    )


def _with_module(module: cst.Module, needed: Needed) -> cst.Module:
    """Return a module with ``import name``: sorted among those of its section, or in a section of its own."""
    line = cst.parse_statement(f"import {needed.module}\n", config=module.config_for_parsing)
    assert isinstance(line, cst.SimpleStatementLine)
    body = list(module.body)
    section = _section(needed.module, needed.own)
    imports = [(index, top) for index, item in enumerate(body) if (top := _top(item)) is not None]
    kin = [(index, top) for index, top in imports if _section(top, needed.own) == section]
    plain = [(index, top) for index, top in kin if isinstance(_small(body[index]), cst.Import)]
    later = [index for index, top in imports if _section(top, needed.own) > section]
    if kin:
        before = [index for index, top in plain if top > needed.module]
        at = before[0] if before else plain[-1][0] + 1 if plain else kin[0][0]
        if any(index == at for index, _ in kin):
            line, body[at] = _ahead(line, body[at], ())
    elif later:
        at = later[0]
        line, body[at] = _ahead(line, body[at], (cst.EmptyLine(indent=False),))
    else:
        at = imports[-1][0] + 1 if imports else int(bool(body) and _is_docstring(body[0]))
        line = line.with_changes(leading_lines=[cst.EmptyLine(indent=False)] if at else [])
    body.insert(at, line)
    return module.with_changes(body=body)


def _ahead(
    line: cst.SimpleStatementLine, old: cst.CSTNode, gap: Sequence[cst.EmptyLine]
) -> tuple[cst.SimpleStatementLine, cst.SimpleStatementLine]:
    """Return two lines, the first of which takes the place of the second; comments stay above that."""
    assert isinstance(old, cst.SimpleStatementLine)
    above = list(itertools.takewhile(lambda item: item.comment is None, old.leading_lines))
    comments = old.leading_lines[len(above) :]
    return line.with_changes(leading_lines=above), old.with_changes(leading_lines=[*gap, *comments])


def _section(top: str, own: Sequence[str]) -> int:
    """Return the section of an import, as sorters make them: standard, others, the project's, relative."""
    if top == "__future__":
        return 0
    return 4 if not top else 1 if top in sys.stdlib_module_names else _OWN if top in own else 2


_OWN = 3
"""The section of the project's packages."""


def _small(line: cst.CSTNode) -> cst.CSTNode:
    return line.body[0] if isinstance(line, cst.SimpleStatementLine) else line


def _top(line: cst.CSTNode) -> str | None:
    """Return the first part of the module that a line imports, "" for a relative one, ``None`` for other lines."""
    node = _small(line)
    if isinstance(node, cst.Import):
        return node.names[0].evaluated_name.partition(".")[0]
    if isinstance(node, cst.ImportFrom):
        return "" if node.relative else _written(node).partition(".")[0]
    return None


def _in_both(module: cst.Module, needed: Needed) -> cst.Module:
    """Add a name to a ``try`` that imports something: to its body, and to its handler by the other name of the module.

    That is the first one that imports of both modules, else the first one that imports in both places.
    """
    found = [(index, line, *_imports_of_try(line)) for index, line in enumerate(module.body)]
    both = [item for item in found if item[2] and item[3]]
    of_them = [
        item for item in both if needed.module in map(_written, item[2]) and needed.otherwise in map(_written, item[3])
    ]
    index, line = (of_them or both)[0][:2]
    assert isinstance(line, cst.Try)
    handler = line.handlers[0]
    body = _in_block(module, line.body, needed.module, needed.name)
    other = _in_block(module, handler.body, needed.otherwise, needed.name)
    changed = line.with_changes(body=body, handlers=[handler.with_changes(body=other)])
    return module.with_changes(body=[*module.body[:index], changed, *module.body[index + 1 :]])


def _in_block(file: cst.Module, block: cst.BaseSuite, module: str, name: str) -> cst.BaseSuite:
    """Add a name to an import of its module in a block, else an import behind the last one."""
    assert isinstance(block, cst.IndentedBlock)
    lines = list(block.body)
    last = 0
    for index, line in enumerate(lines):
        for node in _froms(line):
            last = index
            if _written(node) == module and not isinstance(node.names, cst.ImportStar):
                lines[index] = _with_import(line, node, name)
                return block.with_changes(body=lines)
    lines.insert(last + 1, cst.parse_statement(f"from {module} import {name}\n", config=file.config_for_parsing))
    return block.with_changes(body=lines)


def _with_import(line: cst.BaseStatement, node: cst.ImportFrom, name: str) -> cst.SimpleStatementLine:
    """Return a line whose import has one more name."""
    assert isinstance(line, cst.SimpleStatementLine)
    assert not isinstance(node.names, cst.ImportStar)
    names = _with_name(list(node.names), name)
    return line.with_changes(body=[node.with_changes(names=names) if item is node else item for item in line.body])


def _extended(module: cst.Module, needed: Needed) -> cst.Module | None:
    """Add a name to an import of its module at the top of the file; ``None`` where there is none."""
    for index, line in enumerate(module.body):
        for node in _froms(line):
            if _written(node) == needed.module and not isinstance(node.names, cst.ImportStar):
                changed = _with_import(line, node, needed.name)
                return module.with_changes(body=[*module.body[:index], changed, *module.body[index + 1 :]])
    return None


def _with_name(aliases: list[cst.ImportAlias], name: str) -> list[cst.ImportAlias]:
    """Put a name among others: where it belongs when they are sorted, else at the end."""
    names = [alias.evaluated_name for alias in aliases]
    at = next((index for index, other in enumerate(names) if _order(other) > _order(name)), len(names))
    if names != sorted(names, key=_order):
        at = len(names)
    template = aliases[min(at, len(aliases) - 1)]
    last = aliases[-1]
    if at < len(aliases):
        comma = aliases[0].comma if len(aliases) > 1 else cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
        return [*aliases[:at], cst.ImportAlias(cst.Name(name), comma=comma), *aliases[at:]]
    between = aliases[-2].comma if len(aliases) > 1 else cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    if len(aliases) == 1 and isinstance(last.comma, cst.Comma):
        between = last.comma.with_changes(whitespace_after=cst.SimpleWhitespace(" "))
    return [
        *aliases[:-1],
        last.with_changes(comma=between),
        template.with_changes(name=cst.Name(name), asname=None, comma=last.comma),
    ]


def _order(name: str) -> tuple[int, str]:
    """Return the place of a name among others, as sorters see it: constants, classes, then all others."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return kind, name


def _written(node: cst.ImportFrom) -> str:
    return "." * len(node.relative) + (dotted_name(node.module) if node.module is not None else "")


def _inserted(module: cst.Module, needed: Needed) -> cst.Module:
    """Add a statement of its own: among the imports of the same package or section, else behind all imports."""
    statement = cst.parse_statement(f"from {needed.module} import {needed.name}\n", config=module.config_for_parsing)
    assert isinstance(statement, cst.SimpleStatementLine)
    body = list(module.body)
    header = _header(body)
    top = needed.module.partition(".")[0]
    section = _section(top, needed.own)
    tops = {index: found for index, line in enumerate(header) if (found := _top(line)) is not None}
    family = [index for index in tops if _froms(header[index]) and tops[index] == top]
    alike = [index for index, found in tops.items() if _section(found, needed.own) == section < _OWN]
    local = [] if family or alike or not top else _last_section(header, {""})
    kin = family or alike or (_last_section(header, needed.own) if section == _OWN else [])
    later = (
        index
        for index in kin
        if any(_module_order(_written(node)) > _module_order(needed.module) for node in _froms(body[index]))
    )
    following = next((index for index, found in tops.items() if _section(found, needed.own) > section), None)
    if section == _OWN:
        following = next((index for index in local if tops.get(index) == ""), None)
    at = next(later, kin[-1] + 1 if kin else following)
    if at is None:
        last = max((index for index, line in enumerate(header) if _is_import(line)), default=-1)
        if last < 0:
            last = 0 if body and _is_docstring(body[0]) else -1
            body[last + 1 :] = _apart(body[last + 1 :])
        at, statement = last + 1, statement.with_changes(leading_lines=[cst.EmptyLine()] if last >= 0 else [])
    elif at in kin:
        statement, body[at] = _ahead(statement, body[at], ())
    elif not kin:
        gap = (cst.EmptyLine(indent=False),) if section < _OWN or at == local[0] else ()
        statement, body[at] = _ahead(statement, body[at], gap)
    body.insert(at, statement)
    return module.with_changes(body=body)


def _header(body: Sequence[cst.CSTNode]) -> Sequence[cst.CSTNode]:
    """Return the lines above the first definition, all lines where none of those imports anything."""
    header = list(itertools.takewhile(lambda line: not isinstance(line, (cst.FunctionDef, cst.ClassDef)), body))
    return header if any(map(_is_import, header)) else body


def _apart(body: Sequence[BlockStatement]) -> Sequence[BlockStatement]:
    """Return lines that follow imports, with as many empty ones above the first as sorters put there."""
    first = body[0] if body else None
    if not isinstance(first, (cst.SimpleStatementLine, cst.FunctionDef, cst.ClassDef)):
        return body
    is_remark = any(line.comment is not None for line in first.leading_lines)
    number = 1 if is_remark or isinstance(first, cst.SimpleStatementLine) else 2
    remarks = itertools.dropwhile(lambda line: line.comment is None, first.leading_lines)
    return [first.with_changes(leading_lines=[*[cst.EmptyLine(indent=False)] * number, *remarks]), *body[1:]]


def _last_section(body: Sequence[cst.CSTNode], tops: Collection[str]) -> list[int]:
    """Return the lines of the last section of imports, up to a blank line, with one of a package of ``tops``."""
    sections: list[list[int]] = [[]]
    for index, line in enumerate(body):
        if not _is_import(line) or any(above.comment is None for above in getattr(line, "leading_lines", ())):
            sections.append([])
        if _is_import(line):
            sections[-1].append(index)
    return next((lines for lines in reversed(sections) if any(_top(body[index]) in tops for index in lines)), [])


def _module_order(name: str) -> tuple[int, str]:
    """Return the place of a module inside a section; of relative ones those furthest away come first."""
    dots = len(name) - len(name.lstrip("."))
    return -dots, name.lstrip(".").lower()


def _froms(line: cst.CSTNode) -> list[cst.ImportFrom]:
    if not isinstance(line, cst.SimpleStatementLine):
        return []
    return [node for node in line.body if isinstance(node, cst.ImportFrom)]


def _is_import(line: cst.CSTNode) -> bool:
    return isinstance(line, cst.SimpleStatementLine) and any(
        isinstance(node, (cst.Import, cst.ImportFrom)) for node in line.body
    )


def _is_docstring(line: cst.CSTNode) -> bool:
    return (
        isinstance(line, cst.SimpleStatementLine)
        and len(line.body) == 1
        and isinstance(line.body[0], cst.Expr)
        and isinstance(line.body[0].value, (cst.SimpleString, cst.ConcatenatedString))
    )
