"""Where a test speaks of a function: by its name, by another one that it is imported as, or in a text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress

import libcst as cst

from errlint.collect.expressions import all_below, dotted_name
from errlint.facts import Import
from errlint.fix.model import Refusal
from errlint.fix.parsed import Parsed
from errlint.fix.reflection import WORDS
from errlint.fix.sources import Files
from errlint.fix.users.calling import is_local
from errlint.fix.users.verdicts import Sources
from errlint.project import Project
from errlint.project.names import FunctionSymbol, below, may_lead_to

_REGISTRY = re.compile(r"tool|func|handler|regist|captur", re.IGNORECASE)
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


def mentions(parsed: Parsed, symbol: FunctionSymbol) -> Iterator[cst.Name | cst.Attribute]:
    """Yield the names and attributes of a file that may stand for a function, imports left out."""
    short = _short(symbol)
    others = {item.name for item in parsed.imports if item.attribute == short} - {short}
    yield from parsed.uses.get(short, ())
    for name in sorted(others):
        yield from (node for node in parsed.uses.get(name, ()) if isinstance(node, cst.Name))


def means(sources: Sources, parsed: Parsed, symbol: FunctionSymbol, node: cst.BaseExpression) -> bool:
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


def may_import(sources: Sources, parsed: Parsed, symbol: FunctionSymbol) -> bool:
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


def _may_be(sources: Sources, parsed: Parsed, symbol: FunctionSymbol, item: Import, name: str) -> bool:
    """Whether a name stands for a function where its first part is imported, or a file of the same name is meant."""
    if _is_imported(sources, parsed, symbol, item, name):
        return True
    owner, last = _parts(_imported(item, item.module, name))
    return last == _short(symbol) and symbol.path in sources.files.targets(owner, parsed.path)


def _bound(parsed: Parsed, root: str) -> Iterator[Import]:
    return (item for item in parsed.imports if item.name.partition(".")[0] == root)


def _is_imported(sources: Sources, parsed: Parsed, symbol: FunctionSymbol, item: Import, name: str) -> bool:
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


def _is_in(sources: Sources, path: str, name: str, symbol: FunctionSymbol, depth: int = 0) -> bool:
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


def may_mean(sources: Sources, parsed: Parsed, symbol: FunctionSymbol, node: cst.BaseExpression) -> bool:
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


def is_stood_in_for(parsed: Parsed, node: cst.BaseExpression) -> bool:
    """Whether a name in a test is given something else, or asked for what a mock alone has.

    ``store.find = Mock()`` and ``store.find.assert_called_once()`` are no uses of the function ``find``.
    """
    parent, child = next(parsed.around(node))
    if isinstance(parent, cst.AssignTarget):
        return isinstance(node, cst.Attribute)
    return (
        isinstance(parent, cst.Attribute) and parent.value is child and _OF_MOCKS.match(parent.attr.value) is not None
    )


def cannot_mean(sources: Sources, parsed: Parsed, symbol: FunctionSymbol, node: cst.BaseExpression) -> bool:
    """Whether a name in a test certainly stands for something else: a mock, or what is imported from elsewhere.

    An attribute is never a function that is defined in another one.
    """
    root, _, rest = dotted_name(node).partition(".")
    if bound := [*_bound(parsed, root)]:
        return not any(_may_be(sources, parsed, symbol, item, dotted_name(node)) for item in bound)
    return "mock" in root.lower() or bool(rest and is_local(sources.project, symbol.path, symbol.function))


def named(parsed: Parsed, symbol: FunctionSymbol, *, by_clients: bool = False) -> Iterator[cst.SimpleString]:
    """Yield the texts by which a test takes a function out of something, as in ``tools["find"]``.

    Those in ``client.call_tool("find")``, which gets the answer of a boundary, are yielded ``by_clients`` alone; the
    name may have that of a server before it then, as in ``"shop_find"``.
    """
    short = _short(symbol)
    public = re.escape(short.lstrip("_") or short)
    pattern = re.compile(rf"(?:\w+[_./-])?{public}" if by_clients else re.escape(short))
    for node in (each for text, each in parsed.texts if pattern.fullmatch(text)):
        if by_clients and _is_listed(parsed, node):
            yield node
            continue
        _, last = _source(parsed, node)
        if (last not in _CLIENTS and _REGISTRY.search(last)) or (by_clients and last == _CLIENT):
            yield node


def looked_up(parsed: Parsed, symbol: FunctionSymbol) -> Iterator[cst.SimpleString]:
    """Yield the texts by which a test asks for a function, as in ``getattr(server, "find")`` and ``names["find"]()``.

    Where a name in a variable is asked for, that may be any text of the file.
    """
    texts = [node for text, node in parsed.texts if text == _short(symbol)]
    calls = (node for node in parsed.nodes(cst.Call) if texts and _last(node.func) in WORDS)
    is_any = any(not isinstance(item.value, cst.SimpleString) for call in calls for item in call.args[1:2])
    for node in texts:
        found, last = _source(parsed, node)
        if is_any or last in WORDS or (isinstance(found, cst.Subscript) and _is_called(parsed, found)):
            yield node


def listings(sources: Sources, path: str, symbol: FunctionSymbol) -> Iterator[int]:
    """Yield the lines in which a file goes through all names of the module that a function is in.

    The module may be imported by a text of which only the beginning is known. Raises
    :class:`errlint.fix.model.Refusal` for a file that cannot be read.
    """
    if symbol.function.owner or _LISTING.isdisjoint(sources.files.words(path)):
        return
    parsed = sources.files.parse(path)
    # ``vars(server)["find"]`` asks for one of them.
    keyed = {id(item.value) for item in parsed.tree_nodes(ast.Subscript) if isinstance(item.slice, ast.Constant)}
    for call in parsed.tree_nodes(ast.Call):
        if _called(call) not in _LISTING or not call.args or id(call) in keyed:
            continue
        if _is_module(sources, parsed, symbol, call.args[0]):
            yield call.lineno


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _is_module(sources: Sources, parsed: Parsed, symbol: FunctionSymbol, node: ast.expr) -> bool:
    """Whether an expression may be the module of a function."""
    layout = sources.project.layout
    name = ast.unparse(node)
    for item in _bound(parsed, name.partition(".")[0]):
        module = _imported(item, item.module, name)
        if sources.project.names.find(module, parsed.path) == symbol.path:
            return True
    own = layout.module_name(symbol.path)
    for made in parsed.tree_nodes(ast.Assign):
        value = made.value
        if not any(isinstance(target, ast.Name) and target.id == name for target in made.targets):
            continue
        if isinstance(value, ast.Call) and _called(value) in _IMPORTING and value.args:
            asked = value.args[0]
            parts = asked.values if isinstance(asked, ast.JoinedStr) else [asked]
            first = parts[0].value if parts and isinstance(parts[0], ast.Constant) else ""
            if isinstance(first, str) and (own == first or (len(parts) > 1 and first and own.startswith(first))):
                return True
    return False


def may_name(files: Files, path: str, symbol: FunctionSymbol, *, by_clients: bool = False) -> bool:
    """Whether a test file has a word that may be a function, or ``by_clients`` what clients call it."""
    short = _short(symbol)
    return not {short, short.lstrip("_")}.isdisjoint(files.once(_word_ends, path) if by_clients else files.words(path))


def _word_ends(files: Files, path: str) -> frozenset[str]:
    """Return the words of a file, and what stands behind each underscore in them: a tool's name may follow one."""
    words = files.words(path)
    ends = (word[index + 1 :] for word in words for index, character in enumerate(word) if character == "_")
    return words.union(ends)


def _source(parsed: Parsed, node: cst.SimpleString) -> tuple[cst.Subscript | cst.Call | None, str]:
    """Return what a text stands in as a key or an argument, and the last name of what has the key or is called."""
    for parent, child in parsed.around(node):
        if isinstance(parent, (cst.Subscript, cst.Call)):
            source = parent.value if isinstance(parent, cst.Subscript) else parent.func
            made = source.func if isinstance(source, cst.Call) else source
            return (None, "") if child is source else (parent, _last(made))
    return None, ""


def _is_called(parsed: Parsed, node: cst.BaseExpression) -> bool:
    parent = next(parent for parent, _ in parsed.around(node))
    return isinstance(parent, cst.Call) and parent.func is node


def _last(node: cst.BaseExpression) -> str:
    return dotted_name(node).rpartition(".")[2]


def is_registered(parsed: Parsed, node: cst.BaseExpression) -> bool:
    """Whether a function is only handed to a server, as in ``server.add_tool(find)``: clients call it by its name."""
    around = [parent for parent, _ in parsed.around(node)]
    call = around[1] if len(around) > 1 and isinstance(around[0], cst.Arg) else None
    return isinstance(call, cst.Call) and _last(call.func) in _REGISTERING


def _is_listed(parsed: Parsed, node: cst.SimpleString) -> bool:
    """Whether a text stands in a function that calls tools by names which it has in variables."""
    around = [parent for parent, _ in parsed.around(node)]
    if isinstance(around[0], cst.Arg) and isinstance(around[1], cst.Call) and _is_client(around[1]):
        return False
    outermost = next((parent for parent in reversed(around) if isinstance(parent, cst.FunctionDef)), None)
    return outermost is not None and any(
        isinstance(item, cst.Call) and _is_client(item) and item.args and isinstance(item.args[0].value, cst.Name)
        for item in all_below(outermost)
    )


def is_asked_by_client(sources: Sources, parsed: Parsed, node: cst.SimpleString) -> bool:
    """Whether a text is the name by which a client calls a tool, and not by which a function of the project does."""
    if _source(parsed, node)[1] != _CLIENT or sources.project.names.named(_CLIENT):
        return False
    # The facts leave out the methods of files that have nothing else to tell of.
    return not sources.files.methods(_CLIENT)


def _is_client(call: cst.Call) -> bool:
    return _last(call.func) == _CLIENT


def _short(symbol: FunctionSymbol) -> str:
    return symbol.function.name.rpartition(".")[2]


def _namesakes(project: Project, symbol: FunctionSymbol) -> int:
    """Count the functions of a project that have the last name of one."""
    return len(project.names.named(_short(symbol)))


def _is_defined(parsed: Parsed, name: str) -> bool:
    return name in parsed.once(_defined)


def _defined(parsed: Parsed) -> frozenset[str]:
    """Return the names of a file's functions, classes, parameters and variables."""
    classes = (node.name for node in parsed.tree_nodes(ast.ClassDef))
    parameters = (node.arg for node in parsed.tree_nodes(ast.arg))
    variables = (node.id for node in parsed.tree_nodes(ast.Name) if not isinstance(node.ctx, ast.Load))
    return frozenset((*parsed.definitions_by_name, *classes, *parameters, *variables))
