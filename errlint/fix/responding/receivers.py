"""Who gets the answer of a function that returns a declared type from now on, and what its annotations say of that."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst

from errlint.facts import Call, Function
from errlint.fix.callers.abstract_values import refuse_generator
from errlint.fix.callers.call_sites import calling
from errlint.fix.callers.examples import examples
from errlint.fix.callers.lookups import lookup
from errlint.fix.callers.reach import MAX_CALLS, handed_on, siblings, used_at
from errlint.fix.dynamic_lookup import WORDS
from errlint.fix.model import Doubt, Refusal, refuse
from errlint.fix.nodes import called_name, dotted_name, is_none
from errlint.fix.payload_extraction.factories import definition
from errlint.fix.payload_extraction.payload import dumped
from errlint.fix.raising.handling import needed, steady
from errlint.fix.responding.responses import Declared, ModelKind
from errlint.fix.rewrite import Changes, Edit, Step
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SourceFile
from errlint.index.annotations import head, members
from errlint.index.scopes import imported
from errlint.project import Project
from errlint.project.callers import Caller
from errlint.project.decorators import MARKS
from errlint.project.frameworks import PROMPTS, RESOURCES
from errlint.project.names import ClassSymbol, FunctionSymbol, ValueSymbol

_SERVERS = frozenset({"FastMCP", "MCPServer"})
"""Classes whose ``tool`` turns the fields of dataclasses and pydantic models into an answer, as it does with a dict."""

_ANSWERING_TEXTS = frozenset({"call_tool", *PROMPTS, *RESOURCES})
"""Last parts of decorators whose functions answer texts, or what the protocol has for them."""


class Received(NamedTuple):
    """How the new answer differs from the old one for code that uses it.

    ``is_dict``: it is a dict still, ``is_same``: with the same keys and values.
    """

    is_dict: bool
    is_same: bool


class Ways(NamedTuple):
    """The functions that an answer leaves through, and what is in doubt about those who get it."""

    functions: tuple[FunctionSymbol, ...]
    doubts: tuple[Doubt, ...]


def received(
    project: Project, files: Files, path: str, function: Function, declared: Declared, answer: Received
) -> Ways:
    """Follow the answer of a function to the adapters that hand it to clients.

    Raises :class:`errlint.fix.model.Refusal` where somebody looks into it on the way.
    """
    found = [FunctionSymbol(path, function)]
    doubts: list[Doubt] = []
    pending, seen = [(path, function, 0)], {(path, function.name)}
    while pending:
        where, item, depth = pending.pop()
        refuse_generator(files, where, item)
        is_adapter = project.adapters.is_adapter(where, item)
        if depth >= MAX_CALLS and not is_adapter:
            raise refuse(f"`{item.name}` is too far from an adapter", where, item.span.line)
        if not answer.is_same:
            looked_up = lookup(project, files, where, item)
            if looked_up is not None:
                raise refuse(f"`{item.name}` may be looked up by its name here", looked_up.path, looked_up.line)
            doubts.extend(examples(files, FunctionSymbol(where, item), ()))
            doubts.extend(_tested(files, where, item))
            doubts.extend(_decorated(project, files, where, item))
            doubts.extend(siblings(project, where, item))
        if not answer.is_dict and is_adapter:
            for name in item.decorators:
                if name.rpartition(".")[2] in _ANSWERING_TEXTS:
                    raise refuse(f"`{name}` takes no object as the answer of `{item.name}`", where, item.span.line)
            if not _is_served(project, files, where, item):
                text = f"what is made of a `{declared.name}` where `{item.name}` is called is not known"
                doubts.append(Doubt(text, where, item.span.line))
        callers = list(calling(project, files, where, item))
        if not callers and not is_adapter and not answer.is_same:
            if item.decorators or used_at(project, files, where, item):
                raise refuse(f"nothing is known to call `{item.name}`, tests aside", where, item.span.line)
            text = f"nothing here calls `{item.name}`, tests aside: who does elsewhere gets a `{declared.name}`"
            doubts.append(Doubt(text, where, item.span.line))
        for caller, is_certain, _ in callers:
            if caller.use.how == "passed" and project.adapters.takes(caller.path, caller.use.receiver):
                continue
            if not is_certain and not answer.is_same and not item.owner and "." in caller.use.callee:
                # An attribute of an object has the name of a function of a module: hardly that one.
                text = f"it may be called here, or another function of its name: `{caller.use.asked}`"
                doubts.append(Doubt(text, caller.path, caller.use.span.line))
                continue
            around = _handing_on(project, files, item, caller, answer, is_certain=is_certain)
            if around is not None and (caller.path, around.name) not in seen:
                seen.add((caller.path, around.name))
                found.append(FunctionSymbol(caller.path, around))
                pending.append((caller.path, around, depth + 1))
    return Ways(tuple(found), tuple(doubts))


def _handing_on(
    project: Project, files: Files, function: Function, caller: Caller, answer: Received, *, is_certain: bool
) -> Function | None:
    """Return the function that hands on an answer as it is.

    ``None`` for one that does something that stays right. Raises :class:`errlint.fix.model.Refusal` for all others.
    """
    line = caller.use.span.line
    around = project.callers.around(caller)
    node = files.parse(caller.path).returned(caller.use.span) if around is not None else None
    inner = dumped(node.value) if node is not None else None
    value = inner or (node.value if node is not None else None)
    is_returned = caller.use.how == "returned" and handed_on(value, caller.use.callee, is_async=function.is_async)
    if answer.is_same:
        return around if is_certain and is_returned and inner is None else None
    if not is_certain:
        text = f"it may be called here, or another function of its name: `{caller.use.asked}`"
        raise refuse(text, caller.path, line)
    if not is_returned or around is None:
        raise refuse(f"a caller does more with the answer of `{function.name}` than to return it", caller.path, line)
    if inner is not None and not answer.is_dict:
        raise refuse(f"the answer of `{function.name}` is dumped as JSON", caller.path, line)
    return around if inner is None else None


def _tested(files: Files, path: str, function: Function) -> Iterator[Doubt]:
    """Yield where tests name a function, or look it up; those of clients have it in a text alone.

    Of a test that imports it, only what comes after the imports says anything.
    """
    name = rf"\b{re.escape(function.name.rpartition('.')[2])}\b"
    pattern = re.compile(rf"""{name}(?!["'])|\b(?:{"|".join(WORDS)})\b.*{name}""")
    for test, text in files.tests(path).items():
        lines = text.splitlines()
        found = sorted({text.count("\n", 0, each.start()) + 1 for each in pattern.finditer(text)})
        uses = [line for line in found if not lines[line - 1].startswith(("import ", "from "))]
        for line in uses or found:
            yield Doubt(f"a test may look into the answer of `{function.name}`", test, line)


def _decorated(project: Project, files: Files, path: str, function: Function) -> Iterator[Doubt]:
    """Yield the decorators that may look into what a function returns."""
    parsed = files.parse(path)
    node = definition(parsed, function)
    scope = function.name.rpartition(".")[0]
    for index, decorator in enumerate(node.decorators if node is not None else ()):
        expression = decorator.decorator
        name = called_name(expression)
        is_own = isinstance(project.names.resolve(path, name), FunctionSymbol)
        if project.adapters.registers(path, name) and not (is_own and index):
            if isinstance(expression, cst.Call) and any(_is_schema(item) for item in expression.args):
                yield Doubt(f"`{name}` publishes what `{function.name}` answers", path, parsed.line(decorator))
            continue
        if name.rpartition(".")[2] in MARKS or project.boundaries.meant(path, name, scope) is not None:
            continue
        text = f"the decorator `{name or '?'}` may look into what the function returns"
        yield Doubt(text, path, parsed.line(decorator))


def _is_schema(argument: cst.Arg) -> bool:
    is_it = argument.keyword is not None and argument.keyword.value == "output_schema"
    return is_it and not is_none(argument.value)


def _is_served(project: Project, files: Files, path: str, function: Function) -> bool:
    """Whether an adapter belongs to a server that answers the fields of an object."""
    for name in function.decorators:
        owner, _, last = name.rpartition(".")
        if last != "tool" or not project.adapters.registers(path, name):
            continue
        found = project.names.resolve(path, owner, function.name)
        if isinstance(found, ValueSymbol):
            made = found.value
            return type(made) is Call and made.name.rpartition(".")[2] in _SERVERS
        for node in files.parse(path).tree.body:
            if isinstance(node, ast.Assign) and any(ast.unparse(item) == owner for item in node.targets):
                value = node.value
                made_by = ast.unparse(value.func) if isinstance(value, ast.Call) else ""
                return made_by.rpartition(".")[2] in _SERVERS
    return False


_BUILTIN = frozenset(
    {"dict", "Dict", "str", "list", "List", "int", "float", "bool", "None", "tuple", "Tuple", "set", "bytes",
     "Mapping", "MutableMapping"}
)  # fmt: skip
"""Annotations of which it is certain that they take no object of a class."""


def annotated(project: Project, files: Files, place: FunctionSymbol, declared: Declared) -> Step:
    """Return what makes the return annotation of a function name a type too, with what is in doubt about it."""
    path = place.path
    parsed = files.parse(path)
    node = definition(parsed, place.function)
    if node is None or node.returns is None:
        return path, Changes(), ()
    old = node.returns.annotation
    line = parsed.line(node)
    written = ast.parse(parsed.code(old).strip(), mode="eval").body
    if _takes(written, declared):
        return path, Changes(), ()
    unsure = Doubt(f"the annotation of `{place.function.name}` does not name `{declared.name}`", path, line)
    heads = {head(item) for item in members(written)}
    is_text = isinstance(old, (cst.SimpleString, cst.ConcatenatedString))
    # Before Python 3.12 pydantic, and with it a server, takes no `typing.TypedDict` in an annotation.
    is_left = declared.kind in (ModelKind.PLAIN, ModelKind.STRUCT, ModelKind.DICT)
    if is_text or is_left or "\n" in parsed.code(old):
        return path, Changes(), (unsure,)
    if not all(name in _BUILTIN or _is_class(project, path, name, declared) for name in heads):
        return path, Changes(), (unsure,)
    try:
        known = steady(project, files, parsed, node, declared.symbol, place.function.name)
    except Refusal:
        return path, Changes(), (unsure,)
    if not _is_bound_before(parsed, known.name, node, is_imported=known.needed is not None):
        return path, Changes(), (unsure,)
    text = f"the annotation of `{place.function.name}`, which may be published, names `{declared.name}` too"
    edit = Edit(old, _widened(parsed, old, known.name))
    return path, Changes(edited=(edit,), imports=needed(known.needed)), (Doubt(text, path, line),)


def _takes(annotation: ast.expr, declared: Declared) -> bool:
    """Whether an annotation names a type; of one that names its base, a server may answer only what that has."""
    names = {declared.name.rpartition(".")[2], "Any", "object"}
    return any(head(item) in names for item in members(annotation))


def _is_class(project: Project, path: str, name: str, declared: Declared) -> bool:
    """Whether a name stands for a class that a type does not come from, and not for a type that may be anything."""
    found = project.names.resolve(path, name)
    return isinstance(found, ClassSymbol) and found not in project.hierarchy.bases(declared.symbol)


def _is_bound_before(parsed: SourceFile, name: str, node: cst.FunctionDef, *, is_imported: bool) -> bool:
    """Whether a name of the module is bound when an annotation is evaluated, or that is never."""
    if is_imported or _is_lazy(parsed):
        return True
    root = name.partition(".")[0]
    line = parsed.line(node)
    for item in (each for each in parsed.tree.body if (each.end_lineno or 0) < line):
        bound = (each.name for each in imported(item))
        if root in bound or (isinstance(item, ast.ClassDef) and item.name == root):
            return True
    return False


def _is_lazy(parsed: SourceFile) -> bool:
    return any(
        isinstance(item, ast.ImportFrom)
        and item.module == "__future__"
        and any(alias.name == "annotations" for alias in item.names)
        for item in parsed.tree.body
    )


def _widened(parsed: SourceFile, old: cst.BaseExpression, name: str) -> str:
    """Return an annotation with one more type, in the way of the file."""
    if isinstance(old, cst.Subscript):
        last = dotted_name(old.value).rpartition(".")[2]
        inner = [parsed.code(item.slice) for item in old.slice]
        if last == "Union":
            return f"{parsed.code(old.value)}[{', '.join((*inner, name))}]"
        if last == "Optional" and _has_union(parsed):
            return f"{parsed.code(old.value)}[Union[{inner[0]}, {name}]]"
    if _has_union(parsed) and not _has_bars(parsed):
        return f"Union[{parsed.code(old)}, {name}]"
    return f"{parsed.code(old)} | {name}"


def _has_union(parsed: SourceFile) -> bool:
    return any(
        isinstance(item, ast.ImportFrom)
        and item.module == "typing"
        and any(alias.name == "Union" and alias.asname is None for alias in item.names)
        for item in parsed.tree.body
    )


def _has_bars(parsed: SourceFile) -> bool:
    """Whether a file writes unions with ``|`` already."""
    return any(
        isinstance(found, cst.BinaryOperation) and isinstance(found.operator, cst.BitOr)
        for item in parsed.nodes(cst.Annotation)
        for found in (item.annotation,)
    )
