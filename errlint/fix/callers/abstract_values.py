"""What a function may answer, read from its returns, and what a test of such an answer comes to.

Everything here is three-valued: ``True`` and ``False`` are certain, ``None`` stands for all else.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import libcst as cst

from errlint.facts import Function
from errlint.findings import Span
from errlint.fix.model import refuse
from errlint.fix.nodes import called_name, decorators, expression_of, inside, leaves
from errlint.fix.responding.responses import always_true
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SCOPES, SourceFile
from errlint.index.bindings import assigned_names, names_bound, only_target
from errlint.project import Project
from errlint.project.decorators import BINDING, MARKS
from errlint.project.names import ClassSymbol, FunctionSymbol
from errlint.trees import walk

MAX_DEPTH = 5
"""Through how many functions an answer is followed."""


class AbstractAnswer(NamedTuple):
    """A value that may be answered: a dict with these entries, or (``entries`` is ``None``) something else.

    ``expression`` is what is written for it, ``None`` where nothing is known about it. An object of the class ``made``
    has its fields as entries, as far as they are given to the class by name: others have defaults. ``is_true`` says
    that no object of that class is false.
    """

    expression: ast.expr | None
    entries: dict[str, ast.expr] | None = None
    made: str = ""
    is_true: bool = False


UNKNOWN = AbstractAnswer(None)

METHODS = frozenset(name for kind in (dict, list, str) for name in dir(kind))
"""Attributes of answers that are no fields, as in ``r.items()``."""


class Unreadable(Exception):
    """A test asks for something else than whether an answer says error; ``args`` hold the text of that."""


class SourceCache(NamedTuple):
    """Where answers are looked up; ``converted`` are the returns that are about to become raises."""

    project: Project
    files: Files
    converted: frozenset[cst.Return]


def answer(expression: ast.expr) -> AbstractAnswer:
    """Return what an expression is by itself; calls and names are unknown."""
    if isinstance(expression, (ast.Constant, ast.JoinedStr)):
        return AbstractAnswer(expression)
    entries = entries_of(expression)
    if entries is not None:
        return AbstractAnswer(expression, entries)
    return _object(expression) or UNKNOWN


def _object(node: ast.expr) -> AbstractAnswer | None:
    """Return the object that a call of a class makes which is given all fields by name."""
    name = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
    if not isinstance(node, ast.Call) or not name[:1].isupper() or node.args or not all(i.arg for i in node.keywords):
        return None
    fields = {item.arg: item.value for item in node.keywords if item.arg is not None}
    left_open = {key: ast.Name("_", ast.Load()) if _is_left_open(value) else value for key, value in fields.items()}
    return AbstractAnswer(node, {**fields, **left_open}, name)


def entries_of(node: ast.expr) -> dict[str, ast.expr] | None:
    """Return the entries of a dict that is written out with constant keys, ``None`` for anything else."""
    found: list[tuple[str, ast.expr]] = []
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                return None
            found.append((key.value, ast.Name("_", ast.Load()) if _is_left_open(value) else value))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict" and not node.args:
        for item in node.keywords:
            if item.arg is None:
                return None
            found.append((item.arg, item.value))
    else:
        return None
    return dict(found)


# --- the answers of a function --------------------------------------------------------------------------------------


def answers(sources: SourceCache, symbol: FunctionSymbol, depth: int = 0) -> Iterator[AbstractAnswer]:
    """Yield everything that a function may answer, the converted returns left out."""
    parsed = sources.files.parse(symbol.path)
    node = definition(parsed, symbol.function.name)
    is_read = node is not None and depth <= MAX_DEPTH and not symbol.function.is_generator
    if node is None or not is_read or not _is_plain(sources.project, symbol.path, node):
        yield UNKNOWN
        return
    if not leaves(node.body):
        yield AbstractAnswer(ast.Constant(None))
    names = _Names(parsed, node)
    for found in returns(node):
        if found in sources.converted:
            continue
        value = expression_of(found.value) if found.value is not None else ast.Constant(None)
        if value is None:
            yield UNKNOWN
        else:
            yield from _values(sources, symbol, names, value, depth)


def hands_on(sources: SourceCache, symbol: FunctionSymbol) -> bool:
    """Whether a function answers what comes of one that it holds in a variable: the errors of that may be any."""
    parsed = sources.files.parse(symbol.path)
    node = definition(parsed, symbol.function.name)
    if node is None:
        return False
    names, given = _Names(parsed, node), {item.name for item in symbol.function.parameters}
    for found in returns(node):
        value = expression_of(found.value) if found.value is not None else None
        call = value.value if isinstance(value, ast.Await) else value
        name = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
        if name and (name in given or names.binds(name)):
            return True
    return False


def answered(sources: SourceCache, symbol: FunctionSymbol, node: cst.BaseExpression) -> Iterator[AbstractAnswer]:
    """Yield everything that an expression in a function may be."""
    parsed = sources.files.parse(symbol.path)
    around, value = definition(parsed, symbol.function.name), expression_of(node)
    if around is None or value is None:
        yield UNKNOWN
    else:
        yield from _values(sources, symbol, _Names(parsed, around), value, 0)


def _values(
    sources: SourceCache, symbol: FunctionSymbol, names: _Names, node: ast.expr, depth: int
) -> Iterator[AbstractAnswer]:
    if isinstance(node, ast.Await):
        node = node.value
    if isinstance(node, ast.IfExp):
        yield from _values(sources, symbol, names, node.body, depth)
        yield from _values(sources, symbol, names, node.orelse, depth)
    elif isinstance(node, ast.BoolOp):
        for item in node.values:
            yield from _values(sources, symbol, names, item, depth)
    elif isinstance(node, ast.Name):
        yield from names.values(node.id)
    elif isinstance(node, ast.Call) and entries_of(node) is None:
        name = ast.unparse(node.func)
        called = sources.project.names.resolve(symbol.path, name, symbol.function.name)
        if name == "cls" and "classmethod" in symbol.function.decorators:
            called = sources.project.names.enclosing_class(symbol.path, symbol.function.name)
        own = called if isinstance(called, FunctionSymbol) and not called.function.owner else None
        own = own or _of_class(sources, symbol, name)
        if own is not None and not names.binds(name):
            given = _constants(sources, own, node)
            yield from (_with_constants(found, given) for found in answers(sources, own, depth + 1))
        else:
            yield (_object_of(sources, node, called) if isinstance(called, ClassSymbol) else None) or UNKNOWN
    else:
        yield answer(node)


def _constants(sources: SourceCache, symbol: FunctionSymbol, call: ast.Call) -> dict[str, ast.Constant]:
    """Return the constants that a call passes, by the parameters of the function that bind nothing else."""
    parsed = sources.files.parse(symbol.path)
    node = definition(parsed, symbol.function.name)
    names = [item.name for item in symbol.function.parameters if not item.kind]
    names = names[1:] if "classmethod" in symbol.function.decorators else names
    given: dict[str, ast.expr] = dict(zip(names, call.args, strict=False))
    if node is None or any(isinstance(item, ast.Starred) for item in call.args):
        return {}
    given.update((item.arg, item.value) for item in call.keywords if item.arg is not None)
    inside = _Names(parsed, node)
    return {name: value for name, value in given.items() if isinstance(value, ast.Constant) and not inside.binds(name)}


def _with_constants(found: AbstractAnswer, given: Mapping[str, ast.Constant]) -> AbstractAnswer:
    """Return an answer with constants in the place of parameters that are entries of it."""
    if found.entries is None:
        return found
    entries = {
        key: given.get(value.id, value) if isinstance(value, ast.Name) else value
        for key, value in found.entries.items()
    }
    return found._replace(entries=entries)


def resolved(sources: SourceCache, symbol: FunctionSymbol, found: AbstractAnswer) -> AbstractAnswer:
    """Return the answer of a function with what the class says of it of which that is an object."""
    node = found.expression
    name = ast.unparse(node.func) if found.made and isinstance(node, ast.Call) else ""
    owner = sources.project.names.resolve(symbol.path, name, symbol.function.name) if name else None
    is_true = isinstance(owner, ClassSymbol) and always_true(sources.project, sources.files, owner)
    return found._replace(is_true=is_true)


def _of_class(sources: SourceCache, symbol: FunctionSymbol, name: str) -> FunctionSymbol | None:
    """Return the method that a function calls by the name of its class, ``None`` for what needs an object for it."""
    owner, _, method = name.rpartition(".")
    found = sources.project.names.resolve(symbol.path, owner, symbol.function.name) if owner else None
    if not isinstance(found, ClassSymbol):
        return None
    parsed = sources.files.parse(found.path)
    node = definition(parsed, f"{found.definition.name}.{method}")
    function = facts_of(sources.project, parsed, node) if node is not None else None
    is_its_own = function is not None and not BINDING.isdisjoint(function.decorators)
    return FunctionSymbol(found.path, function) if function is not None and is_its_own else None


def _object_of(sources: SourceCache, node: ast.Call, symbol: ClassSymbol) -> AbstractAnswer | None:
    """Return the object of a class that a call makes, with the defaults of what it is not given."""
    name = symbol.definition.name.rpartition(".")[2]
    found = _object(ast.Call(ast.Name(name, ast.Load()), node.args, node.keywords))
    if found is None or found.entries is None:
        return None
    defaults = sources.files.once(_defaults, symbol.path).get(name, {})
    is_true = always_true(sources.project, sources.files, symbol)
    return found._replace(expression=node, entries={**defaults, **found.entries}, is_true=is_true)


def _defaults(files: Files, path: str) -> Mapping[str, Mapping[str, ast.expr]]:
    """Return the constant defaults of the fields of classes whose constructors take fields by their names."""
    found: dict[str, dict[str, ast.expr]] = {}
    for node in walk(files.tree(path)):
        if isinstance(node, ast.ClassDef) and (any(map(_is_dataclass, node.decorator_list)) or _has_fields(node)):
            fields = (pair for item in node.body if isinstance(item, ast.AnnAssign) for pair in assigned_names(item))
            found[node.name] = {name: value for name, value in fields if isinstance(value, ast.Constant)}
    return found


def _is_dataclass(node: ast.expr) -> bool:
    return ast.unparse(node.func if isinstance(node, ast.Call) else node).rpartition(".")[2] == "dataclass"


def _has_fields(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base).rpartition(".")[2] in ("BaseModel", "NamedTuple") for base in node.bases)


def _bound_below(tree: ast.AST) -> frozenset[str]:
    """Return the names that the nodes below one bind."""
    return frozenset(name for node in walk(tree) if node is not tree for name in names_bound(node) if name)


class _Names:
    """The local names of a function that hold dicts written out in it."""

    def __init__(self, parsed: SourceFile, node: cst.FunctionDef) -> None:
        self._parsed = parsed
        self._tree = parsed.as_ast(node)

    def binds(self, name: str) -> bool:
        """Whether a function binds the first part of a name."""
        tree = self._tree
        return tree is None or name.partition(".")[0] in self._parsed.once_for(_bound_below, tree)

    def values(self, name: str) -> Iterator[AbstractAnswer]:
        """Yield what a name may hold: unknown, unless it is only bound to dicts, and only read and filled by key."""
        found = self._values(name)
        yield from (UNKNOWN,) if found is None else found

    def _values(self, name: str) -> list[AbstractAnswer] | None:
        if self._tree is None:
            return None
        made: list[dict[str, ast.expr]] = []
        stored: list[tuple[str, ast.expr]] = []
        plain: set[int] = set()
        for node in walk(self._tree):
            if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
                return None
            if isinstance(node, ast.Return) and isinstance(node.value, ast.Name):
                plain.add(id(node.value))
            target = only_target(node)
            value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
            if isinstance(target, ast.Name) and target.id == name:
                entries = entries_of(value) if value is not None else None
                if entries is None:
                    return None
                made.append(entries)
                plain.add(id(target))
            elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and value is not None:
                key = target.slice
                if target.value.id == name and isinstance(key, ast.Constant) and isinstance(key.value, str):
                    stored.append((key.value, value))
                    plain.add(id(target.value))
            elif (
                isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name)
            ):
                plain.add(id(node.value))
        for node in walk(self._tree):
            if isinstance(node, ast.Name) and node.id == name and id(node) not in plain:
                return None
            if isinstance(node, ast.arg) and node.arg == name:
                return None
        unsure = ast.Name("_", ast.Load())
        return [
            AbstractAnswer(ast.Dict([], []), {**entries, **{key: unsure for key, _ in stored}}) for entries in made
        ] or None


def definition(parsed: SourceFile, name: str) -> cst.FunctionDef | None:
    """Return the function of a qualified name, ``None`` where there are several."""
    found = parsed.once(_by_qualified_name).get(name, ())
    return found[0] if len(found) == 1 else None


def qualified_name(parsed: SourceFile, node: cst.FunctionDef) -> str:
    """Return the name of a function behind those of the classes and functions around it."""
    around = [item for item, _ in parsed.around(node) if isinstance(item, (cst.FunctionDef, cst.ClassDef))]
    return ".".join(item.name.value for item in (*reversed(around), node))


def facts_of(project: Project, parsed: SourceFile, node: cst.FunctionDef) -> Function:
    """Return the facts of a function; of one for which none were collected its header, without its parameters."""
    name = qualified_name(parsed, node)
    known = project.names.function(parsed.path, name)
    if known is not None:
        return known
    around = next((item for item, _ in parsed.around(node) if isinstance(item, (cst.FunctionDef, cst.ClassDef))), None)
    owner = name.rpartition(".")[0] if isinstance(around, cst.ClassDef) else ""
    line, column = parsed.line(node), parsed.column(node) + 1
    is_generator = any(isinstance(item, cst.Yield) for item in own_nodes(node))
    is_async = node.asynchronous is not None
    span = Span(line, column, line, column)
    return Function(name, span, owner, is_async, is_generator, (), tuple(decorators(node)), (), (), ends=True)


def _by_qualified_name(parsed: SourceFile) -> Mapping[str, Sequence[cst.FunctionDef]]:
    found: dict[str, list[cst.FunctionDef]] = {}
    pending: list[tuple[cst.CSTNode, str]] = [(parsed.module, "")]
    while pending:
        node, around = pending.pop()
        for child in inside(node):
            inner = around
            if isinstance(child, (cst.FunctionDef, cst.ClassDef)):
                inner = f"{around}.{child.name.value}" if around else child.name.value
                if isinstance(child, cst.FunctionDef):
                    found.setdefault(inner, []).append(child)
            pending.append((child, inner))
    return found


def returns(node: cst.FunctionDef) -> Iterator[cst.Return]:
    """Yield the returns of a function, those of functions inside it left out."""
    return (item for item in own_nodes(node) if isinstance(item, cst.Return))


def own_nodes(node: cst.FunctionDef) -> Iterator[cst.CSTNode]:
    """Yield what stands in the body of a function, and in none inside it."""
    pending: list[cst.CSTNode] = [node.body]
    while pending:
        current = pending.pop()
        yield current
        if not isinstance(current, SCOPES):
            pending.extend(inside(current))


def refuse_generator(files: Files, path: str, function: Function) -> None:
    """Refuse a function that yields: an exception leaves it where it is iterated.

    The facts know of statements that yield, not of a ``yield`` in an expression. Raises
    :class:`errlint.fix.model.Refusal`.
    """
    node = definition(files.parse(path), function.name)
    if function.is_generator or (node is not None and any(isinstance(item, cst.Yield) for item in own_nodes(node))):
        raise refuse(f"`{function.name}` is a generator", path, function.span.line)


def _is_plain(project: Project, path: str, node: cst.FunctionDef) -> bool:
    """Whether a call of a function gets what it returns."""
    for decorator in node.decorators:
        name = called_name(decorator.decorator)
        if name.rpartition(".")[2] not in MARKS and not project.adapters.registers(path, name):
            return False
    return True


# --- tests of an answer ---------------------------------------------------------------------------------------------


def verdict(test: ast.expr, subject: str, found: AbstractAnswer) -> bool | None:
    """Return what a test of an answer comes to; ``subject`` is the text of the answer in the test.

    Raises :class:`Unreadable` for a test that asks for anything else.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = verdict(test.operand, subject, found)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        return _all_or_any(test, subject, found)
    if isinstance(test, ast.Call) and _is_named(test.func, "bool") and len(test.args) == 1:
        return verdict(test.args[0], subject, found)
    if isinstance(test, ast.Call) and _is_named(test.func, "isinstance") and len(test.args) == 2:
        name = ast.unparse(test.args[1]).rpartition(".")[2]
        if ast.unparse(test.args[0]) != subject or not (name == "dict" or name[:1].isupper()):
            raise Unreadable(ast.unparse(test))
        if name == "dict" or not found.made:
            is_dict = None if found.expression is None else found.entries is not None and not found.made
            return is_dict if name == "dict" else None
        return True if found.made == name else None
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _compared(test, subject, found)
    if ast.unparse(test) == subject and found.made:
        return True if found.is_true else None
    if ast.unparse(test) == subject:
        return bool(found.entries) if found.entries is not None else _truth(found.expression)
    return _truth(part(test, subject, found))


def _all_or_any(test: ast.BoolOp, subject: str, found: AbstractAnswer) -> bool | None:
    is_and = isinstance(test.op, ast.And)
    is_open = False
    result: bool | None = is_and
    for item in test.values:
        value = verdict(item, subject, found)
        if is_open or result is not is_and:
            continue  # what follows is read all the same: it may be something else than a test
        is_open = value is None
        result = value
    return result


def _compared(test: ast.Compare, subject: str, found: AbstractAnswer) -> bool | None:
    operator, left, right = test.ops[0], test.left, test.comparators[0]
    if isinstance(operator, (ast.In, ast.NotIn)):
        if ast.unparse(right) != subject or not (isinstance(left, ast.Constant) and isinstance(left.value, str)):
            raise Unreadable(ast.unparse(test))
        if found.entries is None or found.made or _is_unsure(found.entries.get(left.value)):
            return None
        return (left.value in found.entries) == isinstance(operator, ast.In)
    if not isinstance(right, ast.Constant) or not isinstance(operator, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)):
        raise Unreadable(ast.unparse(test))
    value = found.expression if ast.unparse(left) == subject else part(left, subject, found)
    if value is None:
        return None
    is_affirmed = isinstance(operator, (ast.Is, ast.Eq))
    if not isinstance(value, ast.Constant):
        is_other = right.value is None and (
            isinstance(value, (ast.JoinedStr, ast.Dict, ast.List)) or (bool(found.made) and value is found.expression)
        )
        return not is_affirmed if is_other else None
    if isinstance(operator, (ast.Is, ast.IsNot)):
        if right.value not in (None, True, False):
            raise Unreadable(ast.unparse(test))
        return (value.value is right.value) == is_affirmed
    return (value.value == right.value) == is_affirmed


def part(node: ast.expr, subject: str, found: AbstractAnswer) -> ast.expr | None:
    """Return the part of an answer that ``r["key"]`` or ``r.get("key", constant)`` stands for, ``None`` if unknown."""
    key, default = asked(node, subject)
    if key is None:
        raise Unreadable(ast.unparse(node))
    if (
        found.entries is None
        or _is_unsure(found.entries.get(key))
        or isinstance(node, ast.Attribute) != bool(found.made)
    ):
        return None
    if key not in found.entries:
        return None if found.made else default
    return found.entries[key]


def fails(test: ast.expr, subject: str, found: AbstractAnswer) -> bool:
    """Whether a test reads ``r["key"]`` of an answer that certainly has no such key."""
    return (
        found.entries is not None
        and not found.made
        and any(
            isinstance(node, ast.Subscript)
            and (key := asked(node, subject)[0]) is not None
            and key not in found.entries
            for node in walk(test)
        )
    )


def asked(node: ast.AST, subject: str) -> tuple[str | None, ast.expr | None]:
    """Return the key or field that an expression reads of an answer, and the default, ``None`` for none."""
    if isinstance(node, ast.Attribute) and ast.unparse(node.value) == subject:
        return None if node.attr in METHODS else node.attr, None
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) == subject:
        key = node.slice
        return (key.value, None) if isinstance(key, ast.Constant) and isinstance(key.value, str) else (None, None)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "get":
        return None, None
    if ast.unparse(node.func.value) != subject or node.keywords or not 1 <= len(node.args) <= 2:
        return None, None
    key, default = node.args[0], node.args[1] if len(node.args) == 2 else ast.Constant(None)
    if not isinstance(key, ast.Constant) or not isinstance(key.value, str) or not isinstance(default, ast.Constant):
        return None, None
    return key.value, default


def _is_left_open(node: ast.expr) -> bool:
    """Whether only a factory knows a value, see :data:`errlint.fix.payload_extraction.payload.UNKNOWN`."""
    return isinstance(node, ast.Constant) and node.value is ...


def _is_unsure(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Name) and node.id == "_"


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _truth(node: ast.expr | None) -> bool | None:
    """Return the truth of a value, ``None`` where it cannot be told."""
    if isinstance(node, ast.Constant):
        return bool(node.value)
    if isinstance(node, ast.JoinedStr):
        is_filled = any(isinstance(item, ast.Constant) and item.value for item in node.values)
        return True if is_filled else None
    if isinstance(node, (ast.List, ast.Tuple)):
        return True if node.elts and not any(isinstance(item, ast.Starred) for item in node.elts) else bool(node.elts)
    if isinstance(node, ast.Dict):
        return bool(node.keys) if None not in node.keys else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        sides = (_truth(node.left), _truth(node.right))
        is_text = any(isinstance(item, (ast.JoinedStr, ast.Constant)) for item in (node.left, node.right))
        return True if is_text and True in sides else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant):
        text = node.left.value
        return True if isinstance(text, str) and text.partition("%")[0] else None
    return None
