"""What text an exception has, seen from its class: the message that it is given, or something else."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from typing import TypeGuard

from errlint.facts import Function, Parameter
from errlint.fix.model import Doubt, refuse
from errlint.fix.source_file import Parse
from errlint.index.bindings import names_bound
from errlint.project import Project
from errlint.project.names import ClassSymbol, ExternalSymbol
from errlint.trees import walk

MESSAGE_PARAMETERS = ("message", "msg", "detail", "text", "reason", "description", "error")

_ODD_BUILTINS = frozenset(
    {"KeyError", "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeTranslateError", "BaseExceptionGroup",
     "ExceptionGroup", "StopIteration", "StopAsyncIteration"}
)  # fmt: skip
"""Builtin exceptions that show a text in quotes, ask for more than a text, or mean something to Python itself."""

_ASKING = frozenset(
    f"builtins.{name}"
    for name in (
        "UnicodeDecodeError",
        "UnicodeEncodeError",
        "UnicodeTranslateError",
        "BaseExceptionGroup",
        "ExceptionGroup",
    )
)
"""Builtin exceptions whose constructor asks for more than a message."""

_PLAIN_FOREIGN = ("ToolError", "PromptError", "ResourceError", "FastMCPError")
"""Last parts of foreign exceptions that keep the text they are given."""

_TEXT_METHODS = frozenset({"__str__", "__new__", "__getattribute__", "__init_subclass__"})
_TEXT_ATTRIBUTES = frozenset({"args", "__str__", "__class__"})


def alterations(project: Project, parse: Parse, symbol: ClassSymbol) -> Iterator[Doubt]:
    """Yield what makes the text of an exception another one than the message that its constructor is given.

    Raises :class:`errlint.fix.model.Refusal` for one below a builtin whose constructor asks for more, whatever its own
    hands on, and for one whose own gives the next one something else than that asks for.
    """
    line = project.hierarchy.ancestors(symbol)
    name = symbol.definition.name
    asking = min(_ASKING.intersection(line), default="")
    if asking:
        raise refuse(f"a `{name}` is a `{asking.rpartition('.')[2]}`, which is not made of a message")
    if "builtins.Exception" not in line and not any(_is_plain_foreign(base) for base in line):
        yield Doubt(f"`{name}` is no `Exception` as far as can be seen", symbol.path, symbol.definition.span.line)
    own = {project.names.absolute(base) for base in project.hierarchy.bases(symbol)}
    for base in line:
        is_builtin = base.startswith("builtins.")
        if base.rpartition(".")[2] in _ODD_BUILTINS if is_builtin else base not in own and not _is_plain_foreign(base):
            last = base.rpartition(".")[2]
            yield Doubt(
                f"`{name}` is a `{last}`, which may show another text", symbol.path, symbol.definition.span.line
            )
    yield from own_alterations(project, parse, symbol)


def own_alterations(project: Project, parse: Parse, symbol: ClassSymbol) -> Iterator[Doubt]:
    """Yield what in the code of a class and of those above makes of its message another text.

    Raises :class:`errlint.fix.model.Refusal` for a constructor that gives the next one something else than it takes.
    """
    for each in project.hierarchy.bases(symbol):
        yield from _class_alterations(project, parse, each)


def foreign_alterations(symbol: ExternalSymbol) -> Iterator[Doubt]:
    """Yield what makes the text of a builtin exception another one than its message.

    Raises :class:`errlint.fix.model.Refusal` for one that cannot be made of a message, or that Python itself catches.
    """
    last = symbol.name.rpartition(".")[2]
    if last == "KeyError":
        yield Doubt("a `KeyError` shows its message in quotes")
    elif last in _ODD_BUILTINS:
        raise refuse(f"a `{last}` is not made of a message")


def _is_plain_foreign(name: str) -> bool:
    return not name.startswith("builtins.") and name.rpartition(".")[2] in _PLAIN_FOREIGN


def _class_alterations(project: Project, parse: Parse, symbol: ClassSymbol) -> Iterator[Doubt]:
    definition = symbol.definition
    nodes = [
        node
        for node in walk(parse(symbol.path).tree)
        if isinstance(node, ast.ClassDef) and node.name == definition.name.rpartition(".")[2]
    ]
    where = symbol.path, definition.span.line
    if len(nodes) != 1:
        yield Doubt(f"`{definition.name}` is defined more than once", *where)
        return
    node = nodes[0]
    if node.decorator_list or node.keywords:
        yield Doubt(f"what is written above or into the header of `{definition.name}` may change it", *where)
    for item in node.body:
        for name in {bound for inner in _shallow(item) for bound in names_bound(inner)} & _TEXT_METHODS:
            yield Doubt(f"`{definition.name}` makes its own text in `{name}`", symbol.path, item.lineno)
    constructor = next((item for item in node.body if getattr(item, "name", "") == "__init__"), None)
    if not isinstance(constructor, ast.FunctionDef):
        return
    following = _following(project, symbol)
    for call in (item for item in walk(constructor) if _is_next(item)):
        if following is not None and not _is_taken(call, following.parameters[1:]):
            text = f"`{following.name}` does not take what the constructor of `{definition.name}` gives it"
            raise refuse(text, symbol.path, call.lineno)
    if not _hands_on(following, constructor):
        text = f"the constructor of `{definition.name}` does not hand on its message as it is"
        yield Doubt(text, symbol.path, constructor.lineno)


def _shallow(item: ast.stmt) -> Iterator[ast.AST]:
    """Yield a statement of a class, and what is below it unless it is a definition."""
    yield from (item,) if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else walk(item)


def _following(project: Project, symbol: ClassSymbol) -> Function | None:
    """Return the next constructor of the project, ``None`` where there is none."""
    found = (project.names.own_method(base, "__init__") for base in project.hierarchy.bases(symbol)[1:])
    return next(filter(None, found), None)


def _is_next(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "super().__init__"


def _is_taken(call: ast.Call, parameters: Iterable[Parameter]) -> bool:
    """Whether parameters take what a call gives, as far as can be seen."""
    if any(isinstance(item, ast.Starred) for item in call.args) or any(item.arg is None for item in call.keywords):
        return True
    kinds = {
        "": inspect.Parameter.POSITIONAL_OR_KEYWORD,
        "*": inspect.Parameter.VAR_POSITIONAL,
        "kw": inspect.Parameter.KEYWORD_ONLY,
        "**": inspect.Parameter.VAR_KEYWORD,
    }
    empty = inspect.Parameter.empty
    signature = inspect.Signature(
        [
            inspect.Parameter(item.name, kinds[item.kind], default=empty if item.default is None else item.default)
            for item in parameters
        ]
    )
    try:
        signature.bind(*call.args, **{item.arg: item.value for item in call.keywords if item.arg is not None})
    except TypeError:
        return False
    return True


def _hands_on(following: Function | None, constructor: ast.FunctionDef) -> bool:
    """Whether a constructor gives its message to the next one, always, and does nothing else that matters to a text."""
    message = message_name([item.arg for item in (*constructor.args.posonlyargs, *constructor.args.args)[1:]]
                           + [item.arg for item in constructor.args.kwonlyargs])  # fmt: skip
    if constructor.decorator_list or not message:
        return False
    handed: list[ast.Call] = []
    for item in constructor.body:
        call = item.value if isinstance(item, ast.Expr) else None
        if call is not None and _is_next(call):
            handed.append(call)
        elif any(not _is_harmless(node, message) for node in walk(item)):
            return False
    return len(handed) == 1 and _is_given(following, handed[0], message)


def message_name(parameters: list[str]) -> str:
    """Return which parameter takes the message: one that is named so, else the first."""
    return next((name for name in MESSAGE_PARAMETERS if name in parameters), parameters[0] if parameters else "")


def _is_harmless(node: ast.AST, message: str) -> bool:
    if isinstance(node, (ast.Raise, ast.Assert, ast.Return, ast.Try, ast.Delete, ast.With, ast.For, ast.While)):
        return False
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Attribute) and node.attr in _TEXT_ATTRIBUTES:
        return False
    if isinstance(node, ast.Call) and "super()" in ast.unparse(node):
        return False
    return message not in names_bound(node)


def _is_given(following: Function | None, call: ast.Call, message: str) -> bool:
    """Whether the call of the next constructor gives it the message as its message."""
    if any(isinstance(item, ast.Starred) for item in call.args):
        return False
    given = [ast.unparse(item) for item in call.args]
    if following is None:
        return given == [message] and not call.keywords
    parameters = following.parameters[1:]
    name = message_name([item.name for item in parameters if item.kind in ("", "kw")])
    positions = [item.name for item in parameters if item.kind == ""]
    if name in positions[: len(given)]:
        return given[positions.index(name)] == message
    return any(item.arg == name and ast.unparse(item.value) == message for item in call.keywords)
