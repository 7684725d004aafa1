"""Where a test speaks of a function: by its name, by another one that it is imported as, or in a text."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import libcst as cst

from errlint.facts import Import
from errlint.fix.callers.abstract_values import SourceCache
from errlint.fix.callers.call_sites import is_local
from errlint.fix.callers.payload_checks_in_tests import parents_in, words_of_functions
from errlint.fix.dynamic_lookup import WORDS
from errlint.fix.model import Refusal
from errlint.fix.nodes import dotted_name
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SourceFile
from errlint.index.bindings import FunctionNode, assigned_names
from errlint.project import Project
from errlint.project.names import FunctionSymbol, below, may_lead_to
from errlint.trees import children, last_name, walk

_REGISTRY = re.compile(r"tool|func|handler|regist|captur|resource|prompt", re.IGNORECASE)
"""In the name of what a test takes a function out of."""

MAX_IMPORTS = 5
"""Through how many modules a name is followed."""

_OF_MOCKS = re.compile(
    r"(?:assert_(?:not_)?(?:any_)?(?:called|awaited|has_)\w*|return_value|side_effect|called|reset_mock|configure_mock"
    r"|(?:call|await)_(?:args|args_list|count)|(?:mock|method)_calls)$"
)
"""The attributes that a mock has and a function has not."""

_CLIENT = "call_tool"
_REGISTERING = frozenset({"add_tool", "register_tool"})
_IMPORTING = frozenset({"__import__", "import_module"})
_LISTING = frozenset({"getmembers", "dir", "vars"})
"""What tells all names of a module."""

_CLIENTS = frozenset({_CLIENT, *_REGISTERING})
"""What is told the name of a tool, and does not hand the function out."""

_GETTERS = frozenset({"get", "pop", "__getitem__"})
_USING = re.compile(r"_*(?:call|execute|find|get|invoke|read|run)_")
"""How functions are called that are told the name of a tool to use it: others get something else in a variable."""

_DECIDING = (cst.Call, cst.Subscript, cst.Comparison, cst.BaseStatement)
_NAMES = frozenset({"name", "__name__", "uri"})
_PLACEHOLDER = re.compile(r"(\{\w+\*?\})")


def mentions(parsed: SourceFile, symbol: FunctionSymbol) -> Iterator[cst.Name | cst.Attribute]:
    """Yield the names and attributes of a file that may stand for a function, imports left out."""
    short = _short(symbol)
    others = {item.name for item in parsed.imports if item.attribute == short} - {short}
    yield from parsed.uses.get(short, ())
    for name in sorted(others):
        yield from (node for node in parsed.uses.get(name, ()) if isinstance(node, cst.Name))


def refers_to(sources: SourceCache, parsed: SourceFile, symbol: FunctionSymbol, node: cst.BaseExpression) -> bool:
    """Whether a name in a test stands for a function, as far as imports and definitions say, also those of others."""
    name = dotted_name(node)
    root, _, rest = name.partition(".")
    if symbol.function.owner:
        return bool(rest) and _namesakes(sources.project, symbol) == 1
    bound = {*_bound(parsed, root)}
    if _is_defined(parsed, root):
        return False
    # Imports that stand in for each other may be of one file under several names.
    is_it = [item for item in bound if _is_imported(sources, parsed, symbol, item, name)]
    return bool(is_it) and all(item in is_it or may_lead_to(item, symbol) for item in bound)


def may_import(sources: SourceCache, parsed: SourceFile, symbol: FunctionSymbol) -> bool:
    """Whether a file may import a function, for itself or for those who import it of that file."""
    for item in parsed.imports:
        if item.attribute == "*":
            is_it = not _short(symbol).startswith("_") and symbol.path in sources.files.targets(
                item.module, parsed.path
            )
        else:
            is_it = bool(item.attribute) and _may_be(sources, parsed, symbol, item, item.name)
        if is_it:
            return True
    return False


def _may_be(sources: SourceCache, parsed: SourceFile, symbol: FunctionSymbol, item: Import, name: str) -> bool:
    """Whether a name stands for a function where its first part is imported, or a file of the same name is meant."""
    if _is_imported(sources, parsed, symbol, item, name):
        return True
    owner, last = _parts(_imported(item, item.module, name))
    return last == _short(symbol) and symbol.path in sources.files.targets(owner, parsed.path)


def _bound(parsed: SourceFile, root: str) -> Iterator[Import]:
    return (item for item in parsed.imports if item.name.partition(".")[0] == root)


def _is_imported(sources: SourceCache, parsed: SourceFile, symbol: FunctionSymbol, item: Import, name: str) -> bool:
    """Whether a name stands for a function where its first part is imported."""
    owner, last = _parts(_imported(item, item.module, name))
    where = sources.project.names.find(owner, parsed.path)
    return where is not None and _is_in(sources, where, last, symbol)


def _parts(name: str) -> tuple[str, str]:
    """Return the module of a name, which keeps its dots where it is a relative one, and the last part."""
    owner, _, last = name.rpartition(".")
    return owner + "." if not owner.strip(".") and name.startswith(".") else owner, last


def _imported(item: Import, module: str, name: str) -> str:
    """Return what a name with an imported first part is, from a module on."""
    rest = name.partition(".")[2]
    target = below(module, item.attribute) if item.attribute else module
    if not rest:
        return target
    return f"{target}.{rest}" if item.attribute or item.name != item.module else name


def _is_in(sources: SourceCache, path: str, name: str, symbol: FunctionSymbol, depth: int = 0) -> bool:
    """Whether a name of a module stands for a function."""
    found = sources.project.names.resolve(path, name)
    if found is not None or depth > MAX_IMPORTS:
        return found == symbol
    # The facts leave out what files import that have nothing else to tell of.
    with suppress(Refusal):
        for item in sources.files.imports(path):
            where = sources.project.names.find(item.module, path) if item.attribute else None
            asked = name if item.name == "*" else item.attribute
            is_so_called = item.name in (name, "*")
            if where is not None and is_so_called and _is_in(sources, where, asked, symbol, depth + 1):
                return True
    return False


def may_mean(sources: SourceCache, parsed: SourceFile, symbol: FunctionSymbol, node: cst.BaseExpression) -> bool:
    """Whether a name in a test that is not known to stand for a function may do so all the same.

    Names that are bound to something else do not, nor do attributes of stand-ins and of what is imported.
    """
    name = dotted_name(node)
    root, _, rest = name.partition(".")
    bound = {*_bound(parsed, root)}
    if bound:
        return any(_may_be(sources, parsed, symbol, item, name) for item in bound)
    if "mock" in root.lower():
        return False
    if not rest:
        return not _is_defined(parsed, root)
    if is_local(sources.project, symbol.path, symbol.function):
        return False
    if symbol.function.owner:
        return True
    # The facts leave out the methods of files that have nothing else to tell of.
    return _namesakes(sources.project, symbol) == 1 and not sources.files.methods(_short(symbol))


def is_stood_in_for(parsed: SourceFile, node: cst.BaseExpression) -> bool:
    """Whether a name in a test is given something else, or asked for what a mock alone has.

    ``store.find = Mock()`` and ``store.find.assert_called_once()`` are no uses of the function ``find``.
    """
    parent, child = next(parsed.around(node))
    if isinstance(parent, cst.AssignTarget):
        return isinstance(node, cst.Attribute)
    return (
        isinstance(parent, cst.Attribute) and parent.value is child and _OF_MOCKS.match(parent.attr.value) is not None
    )


def cannot_mean(sources: SourceCache, parsed: SourceFile, symbol: FunctionSymbol, node: cst.BaseExpression) -> bool:
    """Whether a name in a test certainly stands for something else: a mock, or what is imported from elsewhere.

    An attribute is never a function that is defined in another one.
    """
    root, _, rest = dotted_name(node).partition(".")
    if bound := [*_bound(parsed, root)]:
        return not any(_may_be(sources, parsed, symbol, item, dotted_name(node)) for item in bound)
    return "mock" in root.lower() or bool(rest and is_local(sources.project, symbol.path, symbol.function))


def named(
    files: Files, parsed: SourceFile, symbol: FunctionSymbol, *, by_clients: bool = False
) -> Iterator[cst.SimpleString]:
    """Yield the texts by which a test takes a function out of something, as in ``tools["find"]``.

    Those in ``client.call_tool("find")``, which gets the answer of a boundary, are yielded ``by_clients`` alone; the
    name may have that of a server before it then, as in ``"shop_find"``. What a decorator of the function says that it
    is called counts as its name does, as in ``resources["shop://items"]``. Where a function of the test file asks for a
    name in a variable, any text that it may get there counts.
    """
    short = _short(symbol)
    public = re.escape(short.lstrip("_") or short)
    own = rf"(?:\w+[_./-])?{public}" if by_clients else re.escape(short)
    pattern = re.compile("|".join((own, *map(_asked_as, registered_as(files, symbol)))))
    for node in (each for text, each in parsed.texts if pattern.fullmatch(text)):
        _, last = _source(parsed, node)
        is_asked = (last not in _CLIENTS and _REGISTRY.search(last)) or (by_clients and last == _CLIENT)
        if is_asked or _is_searched(parsed, node) or _is_given(parsed, node, by_clients=by_clients):
            yield node


def looked_up(parsed: SourceFile, symbol: FunctionSymbol) -> Iterator[cst.SimpleString]:
    """Yield the texts by which a test asks for a function, as in ``getattr(server, "find")`` or ``names["find"]()``."""
    for node in (each for text, each in parsed.texts if text == _short(symbol)):
        found, last = _source(parsed, node)
        if last in WORDS or (isinstance(found, cst.Subscript) and _is_called(parsed, found)):
            yield node


def registered_as(files: Files, symbol: FunctionSymbol) -> Sequence[str]:
    """Return what the decorators of a function say that it is called, as in ``@server.resource("shop://items")``."""
    return files.once(_told_by_decorators, symbol.path).get(symbol.function.name, ())


def _told_by_decorators(files: Files, path: str) -> Mapping[str, Sequence[str]]:
    """Return the texts that decorators are told first or as a name, by the qualified names of the functions."""
    found: dict[str, list[str]] = {}
    pending: list[tuple[ast.AST, str]] = [(files.tree(path), "")]
    while pending:
        node, around = pending.pop()
        if isinstance(node, (ast.ClassDef, *FunctionNode)):
            for call in (item for item in node.decorator_list if isinstance(item, ast.Call)):
                told = (*call.args[:1], *(item.value for item in call.keywords if item.arg in _NAMES))
                texts = (item.value for item in told if isinstance(item, ast.Constant))
                found.setdefault(around + node.name, []).extend(text for text in texts if isinstance(text, str))
            around = f"{around}{node.name}."
        pending.extend((child, around) for child in children(node))
    return found


def _asked_as(name: str) -> str:
    """Return a pattern of what a registered name is asked for as: of a template, anything may stand in its place."""
    parts = _PLACEHOLDER.split(name)
    return "".join(f"(?:{re.escape(part)}|[^/]+)" if index % 2 else re.escape(part) for index, part in enumerate(parts))


def _is_searched(parsed: SourceFile, node: cst.SimpleString) -> bool:
    """Whether something is sought that has a text as its name, as in ``next(t for t in tools if t.name == "find")``."""
    around = [parent for parent, _ in parsed.around(node)]
    compared = next((item for item in around if isinstance(item, cst.Comparison)), None)
    if compared is None or any(isinstance(item, cst.Assert) for item in around):
        return False
    return any(
        _last(item) in _NAMES for item in (compared.left, *(target.comparator for target in compared.comparisons))
    )


class _Asking(NamedTuple):
    """An outermost function of a test file that asks for functions by names in variables, and the words that it has."""

    function: ast.FunctionDef | ast.AsyncFunctionDef
    words: frozenset[str]
    by_clients: bool


def _asking(parsed: SourceFile) -> Sequence[_Asking]:
    """Return the outermost functions of a file that ask for other functions by names in variables."""
    found: list[_Asking] = []
    for function, words in parsed.once(words_of_functions):
        parents = parents_in(function)
        called = {_root(item.func) for item in walk(function) if isinstance(item, ast.Call)}
        sources = [
            last
            for item in parents
            if (last := _asked_by_variable(item)) and (last == _CLIENT or _is_run(item, parents, called))
        ]
        if sources:
            found.append(_Asking(function, words, all(last == _CLIENT for last in sources)))
    return found


def _asked_by_variable(node: ast.AST) -> str:
    """Return the last name of what is asked for a function by a name in a variable, "" for all else."""
    source: ast.expr | None = None
    key: ast.expr | None = None
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        source, key = node.value, node.slice
    elif isinstance(node, ast.Call) and node.args:
        source, key = node.func, node.args[0]
        if _called(node) in WORDS:
            key = node.args[1] if len(node.args) > 1 else None
        elif isinstance(source, ast.Attribute) and source.attr in _GETTERS:
            source = source.value
        elif not _USING.match(last_name(source)):
            return ""
    last = last_name(source.func if isinstance(source, ast.Call) else source) if source is not None else ""
    is_registry = last in (_CLIENT, *WORDS) or (last not in _CLIENTS and _REGISTRY.search(last) is not None)
    return last if is_registry and isinstance(key, (ast.Name, ast.Attribute)) else ""


def _is_run(node: ast.AST, parents: Mapping[ast.AST, ast.AST], called: Collection[str]) -> bool:
    """Whether a function that is asked for is called, or may be: ``called`` are the names of what is, or has it."""
    around = parents[node]
    if isinstance(around, (ast.Assign, ast.NamedExpr)):
        targets = around.targets if isinstance(around, ast.Assign) else [around.target]
        return any(_root(target) in called for target in targets)
    if isinstance(around, ast.Attribute):
        return isinstance(parents.get(around), ast.Call)
    return isinstance(around, (ast.Call, ast.Await, ast.Return, ast.Lambda))


def _root(node: ast.AST) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return last_name(node)


def _is_given(parsed: SourceFile, node: cst.SimpleString, *, by_clients: bool) -> bool:
    """Whether a text may be what a function of the file has in a variable by which it asks for functions.

    It stands in that function or its decorators, in what that uses of the file, or in a call of it.
    """
    asking = [item for item in parsed.once(_asking) if by_clients or not item.by_clients]
    if not asking:
        return False
    around = [parent for parent, _ in parsed.around(node)]
    if isinstance(next((item for item in around if isinstance(item, _DECIDING)), None), cst.Comparison):
        return False  # it is asked whether a name is there
    outermost = next((item for item in reversed(around) if isinstance(item, cst.FunctionDef)), None)
    if outermost is None:
        assign = next((item for item in around if isinstance(item, cst.Assign)), None)
        targets = [_last(item.target) for item in assign.targets] if assign is not None else []
        return any(target in item.words for target in targets for item in asking)
    own = parsed.as_ast(outermost)
    if any(item.function is own for item in asking):
        return True
    called = {_last(item.func) for item in around if isinstance(item, cst.Call)}
    return any(item.function.name in called for item in asking)


def listings(sources: SourceCache, path: str, symbol: FunctionSymbol) -> Iterator[int]:
    """Yield the lines in which a file goes through all names of the module that a function is in.

    The module may be imported by a text of which only the beginning is known. Raises
    :class:`errlint.fix.model.Refusal` for a file that cannot be read.
    """
    if symbol.function.owner or _LISTING.isdisjoint(sources.files.words(path)):
        return
    for call in sources.files.once(_listing_calls, path):
        if _is_module(sources, sources.files.parse(path), symbol, call.args[0]):
            yield call.lineno


def _listing_calls(files: Files, path: str) -> Sequence[ast.Call]:
    """Return the calls of a file that go through all names of something."""
    parsed = files.parse(path)
    # ``vars(server)["find"]`` asks for one of them.
    keyed = {id(item.value) for item in parsed.tree_nodes(ast.Subscript) if isinstance(item.slice, ast.Constant)}
    calls = (call for call in parsed.tree_nodes(ast.Call) if call.args and _called(call) in _LISTING)
    return [call for call in calls if id(call) not in keyed]


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _is_module(sources: SourceCache, parsed: SourceFile, symbol: FunctionSymbol, node: ast.expr) -> bool:
    """Whether an expression may be the module of a function."""
    layout = sources.project.layout
    name = ast.unparse(node)
    for item in _bound(parsed, name.partition(".")[0]):
        module = _imported(item, item.module, name)
        if sources.project.names.find(module, parsed.path) == symbol.path:
            return True
    own = layout.module_name(symbol.path)
    for made in parsed.tree_nodes(ast.Assign):
        value = dict(assigned_names(made)).get(name)
        if isinstance(value, ast.Call) and _called(value) in _IMPORTING and value.args:
            asked = value.args[0]
            parts = asked.values if isinstance(asked, ast.JoinedStr) else [asked]
            first = parts[0].value if parts and isinstance(parts[0], ast.Constant) else ""
            if isinstance(first, str) and (own == first or (len(parts) > 1 and first and own.startswith(first))):
                return True
    return False


def may_name(files: Files, path: str, symbol: FunctionSymbol, *, by_clients: bool = False) -> bool:
    """Whether a test file has a word that may be a function, or what it is registered as or ``by_clients`` called."""
    short = _short(symbol)
    if any(_PLACEHOLDER.split(name)[0] in files.text(path) for name in registered_as(files, symbol)):
        return True
    return not {short, short.lstrip("_")}.isdisjoint(files.once(_word_ends, path) if by_clients else files.words(path))


def _word_ends(files: Files, path: str) -> frozenset[str]:
    """Return the words of a file, and what stands behind each underscore in them: a tool's name may follow one."""
    words = files.words(path)
    ends = (word[index + 1 :] for word in words for index, character in enumerate(word) if character == "_")
    return words.union(ends)


def _source(parsed: SourceFile, node: cst.SimpleString) -> tuple[cst.Subscript | cst.Call | None, str]:
    """Return what a text stands in as a key or an argument, and the last name of what has the key or is called."""
    for parent, child in parsed.around(node):
        if isinstance(parent, (cst.Subscript, cst.Call)):
            source = parent.value if isinstance(parent, cst.Subscript) else parent.func
            if isinstance(source, cst.Attribute) and source.attr.value in _GETTERS:
                source = source.value
            made = source.func if isinstance(source, cst.Call) else source
            return (None, "") if child is source else (parent, _last(made))
    return None, ""


def _is_called(parsed: SourceFile, node: cst.BaseExpression) -> bool:
    parent = next(parent for parent, _ in parsed.around(node))
    return isinstance(parent, cst.Call) and parent.func is node


def _last(node: cst.BaseExpression) -> str:
    return dotted_name(node).rpartition(".")[2]


def is_registered(parsed: SourceFile, node: cst.BaseExpression) -> bool:
    """Whether a function is only handed to a server, as in ``server.add_tool(find)``: clients call it by its name."""
    around = [parent for parent, _ in parsed.around(node)]
    call = around[1] if len(around) > 1 and isinstance(around[0], cst.Arg) else None
    return isinstance(call, cst.Call) and _last(call.func) in _REGISTERING


def is_asked_by_client(sources: SourceCache, parsed: SourceFile, node: cst.SimpleString) -> bool:
    """Whether a text is the name by which a client calls a tool, and not by which a function of the project does."""
    if _source(parsed, node)[1] != _CLIENT or sources.project.names.named(_CLIENT):
        return False
    # The facts leave out the methods of files that have nothing else to tell of.
    return not sources.files.methods(_CLIENT)


def _short(symbol: FunctionSymbol) -> str:
    return symbol.function.name.rpartition(".")[2]


def _namesakes(project: Project, symbol: FunctionSymbol) -> int:
    """Count the functions of a project that have the last name of one."""
    return len(project.names.named(_short(symbol)))


def _is_defined(parsed: SourceFile, name: str) -> bool:
    return name in parsed.once(_defined)


def _defined(parsed: SourceFile) -> frozenset[str]:
    """Return the names of a file's functions, classes, parameters and variables."""
    classes = (node.name for node in parsed.tree_nodes(ast.ClassDef))
    parameters = (node.arg for node in parsed.tree_nodes(ast.arg))
    variables = (node.id for node in parsed.tree_nodes(ast.Name) if not isinstance(node.ctx, ast.Load))
    return frozenset((*parsed.definitions_by_name, *classes, *parameters, *variables))
