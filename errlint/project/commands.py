"""What commands for a terminal tell of errors: the status that they end with, where they print, and with which sign.

A command is a function whose answer is the status of the process (``sys.exit(main())``, and what ``main`` returns the
result of), or one that Click or Typer runs. An error is told by a text that says so, or in a handler that ends it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from errlint.error_keywords import MARKED_TEXT
from errlint.findings import Span
from errlint.index.bindings import TRY
from errlint.index.scopes import imported
from errlint.lazy import cached_property
from errlint.project.drift.documented import definitions
from errlint.project.names import below
from errlint.trees import caught_types, last_name, walk

if TYPE_CHECKING:
    from errlint.project import Project
    from errlint.settings.policy import Commands as Asked

_NEAR = re.compile(r"\bexit\b|SystemExit|\bExit\b|__main__|\bclick\b|\btyper\b")
_PIECES = ("exit", "Exit", "__main__", "click", "typer")
"""One of these is in every text in which the pattern finds something; most texts have none, which is told faster."""

_FRAMEWORKS = frozenset({"click", "typer", "rich_click", "asyncclick"})
_DECORATORS = frozenset({"command", "callback", "group"})
_EXITS = frozenset({"exit", "_exit", "quit", "SystemExit", "Exit"})
_PARSED = frozenset({"parse_args", "parse_known_args", "parse_intermixed_args"})
_COMPUTED = frozenset({"len", "int", "float", "str", "bool", "any", "all", "isinstance", "not"})
_EXPECTED = frozenset({"KeyboardInterrupt", "BrokenPipeError", "EOFError", "SystemExit", "GeneratorExit", "Abort"})
"""What people do to a command, and is no error of it."""

_WARNING = re.compile(r"\W*warn(?:ing)?\b", re.IGNORECASE)
_COUNT = re.compile(r"\W*(?:errors|(?:failed|failures?)\s*[:=(])", re.IGNORECASE)
"""A line of a summary: how many errors there were."""

_MARKUP = re.compile(r"^(?:\[/?[a-z][\w #]*\]|\x1b\[[\d;]*m|\s)+")
_VARIATION = "\ufe0f"
"""Says that a sign is shown in colours; with and without it is one sign."""

_Function = ast.FunctionDef | ast.AsyncFunctionDef


class How(Enum):
    """What is wrong with how a command tells of an error."""

    STATUS = "status"
    STREAM = "stream"
    SIGN = "sign"


class CommandFault(NamedTuple):
    """Where a command tells of an error otherwise than the policy says."""

    how: How
    function: str
    span: Span
    message: str


class _Print(NamedTuple):
    """A statement that prints: what the text begins with, ``None`` where that is not known, and where to it goes.

    ``is_aside`` is true for stderr, ``None`` where that is not known; ``names`` are all names in the text.
    """

    node: ast.stmt
    lead: str | None
    is_aside: bool | None
    names: frozenset[str]


class _Exit(NamedTuple):
    """A statement that ends a command, and the status; ``None`` where that is not known."""

    node: ast.stmt
    status: int | None


class _Command(NamedTuple):
    """A function that is a command; ``options`` are the names that hold what the command line says."""

    name: str
    node: _Function
    is_decorated: bool
    is_status: bool


class Commands:
    """Answers where the commands of one project are at fault."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._faults: dict[str, tuple[CommandFault, ...]] = {}

    def of(self, path: str, how: How) -> Iterator[CommandFault]:
        """Yield the faults of one kind in one file."""
        asked = self._project.policy(path).commands
        if not (asked.statuses or asked.signs or asked.stderr):
            return
        if path not in self._faults:
            self._faults[path] = tuple(self._in(path, asked))
        yield from (fault for fault in self._faults[path] if fault.how is how)

    def _in(self, path: str, asked: Asked) -> Iterator[CommandFault]:
        tree = self._tree(path)
        if tree is None:
            return
        for command in self._commands(path, tree):
            reader = _CommandReader(self._project.documented.text(path), tree, command, asked)
            yield from reader.faults()

    def _tree(self, path: str) -> ast.Module | None:
        documented = self._project.documented
        text = documented.text(path)
        is_near = any(piece in text for piece in _PIECES) and _NEAR.search(text) is not None
        return documented.tree(path) if is_near else None

    def _commands(self, path: str, tree: ast.Module) -> Iterator[_Command]:
        has_framework = any(name.partition(".")[0] in _FRAMEWORKS for name, _ in _imported(tree))
        for name, node in definitions(tree):
            lasts = {last_name(item.func if isinstance(item, ast.Call) else item) for item in node.decorator_list}
            is_decorated = has_framework and not lasts.isdisjoint(_DECORATORS)
            is_status = (path, name) in self._statuses or name == "main"
            if is_decorated or is_status:
                yield _Command(name, node, is_decorated, is_status)

    @cached_property
    def _statuses(self) -> frozenset[tuple[str, str]]:
        """The functions, by file and name, whose answer is the status of a process."""
        trees = {path: tree for path in self._project.modules if (tree := self._tree(path)) is not None}
        bodies = {(path, name): node for path, tree in trees.items() for name, node in definitions(tree)}
        pending = [
            found
            for path, tree in trees.items()
            for node in walk(tree)
            if isinstance(node, ast.Call) and last_name(node.func) in _EXITS
            for argument in node.args
            for found in self._called(path, tree, argument)
        ]
        pending.extend(key for key in bodies if key[1] == "main")
        found: set[tuple[str, str]] = set()
        while pending:
            key = pending.pop()
            if key in found or key not in bodies:
                continue
            found.add(key)
            path, _ = key
            for node in _own(bodies[key]):
                if isinstance(node, ast.Return) and node.value is not None:
                    pending.extend(self._called(path, trees[path], node.value))
        return frozenset(found)

    def _called(self, path: str, tree: ast.Module, value: ast.expr) -> Iterator[tuple[str, str]]:
        """Yield the functions, by file and name, that an expression is the result of."""
        value = value.value if isinstance(value, ast.Await) else value
        if isinstance(value, ast.BoolOp):
            for item in value.values:
                yield from self._called(path, tree, item)
        if not isinstance(value, ast.Call):
            return
        if last_name(value.func) == "run" and value.args:
            yield from self._called(path, tree, value.args[0])  # `asyncio.run(main())`
        if isinstance(value.func, ast.Name):
            yield path, value.func.id
            for module, name in _imported(tree):
                target = self._project.layout.find(module, path)
                if name == value.func.id and target is not None:
                    yield target, name
        elif isinstance(value.func, ast.Attribute) and isinstance(value.func.value, ast.Name):
            for module, name in _imported(tree):
                whole = below(module, name) if name else module
                if whole.rpartition(".")[2] == value.func.value.id:
                    target = self._project.layout.find(whole, path)
                    if target is not None:
                        yield target, value.func.attr


class _CommandReader:
    """Reads one command."""

    def __init__(self, text: str, tree: ast.Module, command: _Command, asked: Asked) -> None:
        self._lines = text.splitlines()
        self._tree = tree
        self._command = command
        self._asked = asked
        self._own = list(_own(command.node))
        self._parsers = frozenset(_assigned(walk(tree), lambda name: name.endswith(("ArgumentParser", "add_parser"))))
        self._options = frozenset(_assigned(self._own, lambda name: name in _PARSED))

    def faults(self) -> Iterator[CommandFault]:
        """Yield what is wrong with the command."""
        yield from self._block(self._command.node.body, "", is_usage=False, is_last=True)

    def _block(self, body: list[ast.stmt], caught: str, *, is_usage: bool, is_last: bool) -> Iterator[CommandFault]:
        """Look at a block: below a handler of ``caught``, below a condition on options, or with nothing behind it."""
        prints = [found for node in body if (found := self._print(node)) is not None]
        exits = self._exit(body[-1], is_last=is_last and bool(caught))
        fails = exits is not None and exits.status not in (0, None)
        errors: list[_Print] = []
        if caught or exits is not None:  # otherwise it is a line of a report
            errors = [found for found in prints if self._says_error(found)]
            if not errors and caught and fails:  # what stands behind one that says so goes on with it
                errors = [found for found in prints if self._tells(found, caught)][:1]
        for found in prints:
            yield from self._told(found, is_error=found in errors)
        if errors and exits is not None and exits.status is not None:
            yield from self._ended(exits, is_usage=is_usage)
        for number, node in enumerate(body):
            yield from self._parser_exit(node)
            yield from self._below(node, caught, is_usage=is_usage, is_last=is_last and number == len(body) - 1)

    def _below(self, node: ast.stmt, caught: str, *, is_usage: bool, is_last: bool) -> Iterator[CommandFault]:
        if isinstance(node, ast.If):
            of_options = self._asks_for_options(node.test)
            yield from self._block(node.body, caught, is_usage=of_options, is_last=is_last)
            if node.orelse:
                yield from self._block(node.orelse, caught, is_usage=of_options, is_last=is_last)
        elif isinstance(node, TRY):
            for block in (node.body, node.orelse, node.finalbody):
                if block:
                    yield from self._block(block, caught, is_usage=is_usage, is_last=False)
            for handler in node.handlers:
                if _EXPECTED.isdisjoint(map(last_name, caught_types(handler))):
                    name = handler.name or caught or "*"
                    yield from self._block(handler.body, name, is_usage=False, is_last=is_last)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            yield from self._block(node.body, caught, is_usage=is_usage, is_last=False)
            if node.orelse:
                yield from self._block(node.orelse, caught, is_usage=is_usage, is_last=is_last)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            yield from self._block(node.body, caught, is_usage=is_usage, is_last=is_last)
        elif isinstance(node, ast.Match):
            for case in node.cases:
                yield from self._block(case.body, caught, is_usage=is_usage, is_last=is_last)

    # --- what is printed ----------------------------------------------------------------------------------------

    def _print(self, node: ast.stmt) -> _Print | None:
        call = node.value if isinstance(node, ast.Expr) else None
        if not isinstance(call, ast.Call) or not call.args or _is_dump(call.args[0]):
            return None
        is_aside = self._stream(call)
        if is_aside == "":
            return None
        text = call.args[0]
        names = frozenset(part.id for part in walk(text) if isinstance(part, ast.Name))
        return _Print(node, _lead(text), {"err": True, "out": False}.get(is_aside), names)

    def _stream(self, call: ast.Call) -> str:
        """Return where a call prints: ``out``, ``err``, ``?`` where that is not known; "" where it does not print."""
        name = ast.unparse(call.func)
        holder, _, last = name.rpartition(".")
        given = {item.arg: item.value for item in call.keywords}
        if None in given:
            return "?"
        if name in ("sys.stderr.write", "sys.stdout.write"):
            return "err" if holder.endswith("stderr") else "out"
        if name == "print" or (last == "print" and holder == "rich"):
            target = ast.unparse(given["file"]) if "file" in given else "sys.stdout"
            return {"sys.stdout": "out", "sys.stderr": "err"}.get(target, "?")
        if last in ("echo", "secho") and holder.rpartition(".")[2] in (*_FRAMEWORKS, ""):
            if "file" in given:
                return {"sys.stdout": "out", "sys.stderr": "err"}.get(ast.unparse(given["file"]), "?")
            flag = given.get("err", ast.Constant(False))
            return ("err" if flag.value else "out") if isinstance(flag, ast.Constant) else "?"
        if last == "print" and holder.isidentifier():
            made = [node.value for node in walk(self._tree) if isinstance(node, ast.Assign) and _binds(node, holder)]
            if len(made) == 1 and isinstance(made[0], ast.Call) and last_name(made[0].func) == "Console":
                return "err" if any(item.arg == "stderr" for item in made[0].keywords) else "out"
            return "?"
        return ""

    def _says_error(self, found: _Print) -> bool:
        """Whether a text says that it is an error."""
        lead = found.lead
        if lead is None or self._is_warning(lead) or _COUNT.match(lead):
            return False
        return self._has(lead, "error") or MARKED_TEXT.match(lead) is not None

    def _tells(self, found: _Print, caught: str) -> bool:
        """Whether what is printed before a command fails tells of the exception that it has caught."""
        is_warning = found.lead is not None and self._is_warning(found.lead)
        return not is_warning and (caught in found.names or found.is_aside is True)

    def _is_warning(self, lead: str) -> bool:
        return self._has(lead, "warning") or _WARNING.match(lead) is not None

    def _has(self, lead: str, kind: str) -> bool:
        sign = self._asked.signs.get(kind, "").replace(_VARIATION, "")
        return bool(sign) and lead.startswith(sign)

    def _told(self, found: _Print, *, is_error: bool) -> Iterator[CommandFault]:
        if is_error and self._asked.stderr and found.is_aside is False:
            message = "an error is printed to stdout, which other programs read; print it to stderr"
            yield self._fault(How.STREAM, found.node, message)
        is_warning = not is_error and found.lead is not None and self._is_warning(found.lead)
        kind = "error" if is_error else "warning" if is_warning else ""
        sign = self._asked.signs.get(kind, "")
        if sign and found.lead is not None and not self._has(found.lead, kind):
            what = "an error" if is_error else "a warning"
            yield self._fault(How.SIGN, found.node, f"{what} is printed that does not begin with `{sign}`")

    # --- how it ends --------------------------------------------------------------------------------------------

    def _exit(self, node: ast.stmt, *, is_last: bool) -> _Exit | None:
        """Return how a statement ends the command; ``None`` where it goes on, or ends only the function."""
        if isinstance(node, ast.Return):
            return _Exit(node, 0 if self._command.is_decorated else _status(node.value)) if self._ends else None
        value = node.exc if isinstance(node, ast.Raise) else node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Name) and value.id in ("SystemExit", "Exit"):
            return _Exit(node, 0)
        if isinstance(value, ast.Call) and last_name(value.func) in _EXITS and not self._is_parser(value.func):
            given = [*value.args, *(item.value for item in value.keywords if item.arg in ("code", "status"))]
            return _Exit(node, _status(given[0] if given else None))
        is_done = isinstance(node, ast.Expr) and is_last and self._ends
        return _Exit(node, 0) if is_done else None

    @property
    def _ends(self) -> bool:
        """Whether the command ends with the function."""
        return self._command.is_decorated or self._command.is_status

    def _ended(self, exits: _Exit, *, is_usage: bool) -> Iterator[CommandFault]:
        statuses = self._asked.statuses
        kind = "usage" if is_usage and "usage" in statuses else "failure"
        legal = {statuses["usage"]} if kind == "usage" else {*statuses.values()}
        if kind in statuses and exits.status not in legal:
            why = "with a wrong option" if kind == "usage" else "that fails"
            message = f"a command {why} ends with status {exits.status}; the configuration says {statuses[kind]}"
            yield self._fault(How.STATUS, exits.node, message)

    def _parser_exit(self, node: ast.stmt) -> Iterator[CommandFault]:
        """Look at ``parser.exit(1, "…")``: with a message it says that the command line cannot be read.

        With status 0, that of no argument, it answers what was asked for, such as the version.
        """
        call = node.value if isinstance(node, ast.Expr) else None
        if not isinstance(call, ast.Call) or not self._is_parser(call.func) or last_name(call.func) != "exit":
            return
        given = dict(zip(("status", "message"), call.args, strict=False))
        given.update({item.arg: item.value for item in call.keywords if item.arg in ("status", "message")})
        status = _status(given.get("status"))
        if "message" in given and status:
            yield from self._ended(_Exit(node, status), is_usage=True)
            yield from self._told(_Print(node, _lead(given["message"]), True, frozenset()), is_error=True)

    def _is_parser(self, function: ast.expr) -> bool:
        return isinstance(function, ast.Attribute) and last_name(function.value) in self._parsers

    def _asks_for_options(self, test: ast.expr) -> bool:
        """Whether a condition is about nothing but what the command line says."""
        arguments = self._command.node.args
        options = {item.arg for item in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
        options = {*self._options, *(options if self._command.is_decorated else ())}
        names = {part.id for part in walk(test) if isinstance(part, ast.Name)}
        called = {last_name(part.func) for part in walk(test) if isinstance(part, ast.Call)}
        is_computed = called <= _COMPUTED
        return (
            is_computed
            and not names.isdisjoint(options)
            and all(name in options or name.isupper() or name in _COMPUTED for name in names)
        )

    def _fault(self, how: How, node: ast.stmt, message: str) -> CommandFault:
        first, last = self._lines[node.lineno - 1], self._lines[(node.end_lineno or node.lineno) - 1]
        start = len(first.encode()[: node.col_offset].decode("utf-8", "replace"))
        end = len(last.encode()[: node.end_col_offset].decode("utf-8", "replace"))
        return CommandFault(
            how, self._command.name, Span(node.lineno, start + 1, node.end_lineno or 0, end + 1), message
        )


def _is_dump(value: ast.expr) -> bool:
    """Whether a text is JSON: that is an answer to other programs."""
    return isinstance(value, ast.Call) and last_name(value.func) in ("dumps", "model_dump_json")


def _own(function: _Function) -> Iterator[ast.AST]:
    """Yield what is below a function, without the functions and classes inside of it."""
    pending: list[ast.AST] = [*function.body]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            pending.extend(ast.iter_child_nodes(node))


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield what a module imports: the name of the other module, and of what is taken from it, "" for none."""
    found = (each for node in walk(tree) for each in imported(node, is_whole=True))
    return ((each.module, each.attribute) for each in found)


def _assigned(nodes: Iterable[ast.AST], is_meant: object) -> Iterator[str]:
    """Yield the names that are set to what calls of some names answer."""
    assert callable(is_meant)
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and is_meant(last_name(node.value.func)):
            for target in node.targets:
                names = target.elts[:1] if isinstance(target, ast.Tuple) else [target]
                yield from (item.id for item in names if isinstance(item, ast.Name))
        elif isinstance(node, ast.arg) and node.annotation is not None and is_meant(last_name(node.annotation)):
            yield node.arg


def _binds(node: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)


def _status(value: ast.expr | None) -> int | None:
    """Return the status that an answer or an argument is, ``None`` where it is not known; nothing is success."""
    if value is None:
        return 0
    if isinstance(value, ast.Constant):
        return value.value if type(value.value) is int else 0 if value.value is None else None
    return None


def _lead(value: ast.expr) -> str | None:
    """Return what a text begins with, without colours; "" for the text of an exception, ``None`` for another value."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return _MARKUP.sub("", value.value)
    if isinstance(value, ast.JoinedStr) and value.values:
        first = value.values[0]
        return _lead(first) if isinstance(first, ast.Constant) else None
    if isinstance(value, ast.BinOp):
        return _lead(value.left)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "format":
        return _lead(value.func.value)
    if isinstance(value, ast.Call) and last_name(value.func) in ("style", "escape", "Text") and value.args:
        return _lead(value.args[0])
    return None
