"""Questions about single ``ast`` nodes: what a statement stores, which names decide a result, what is a success."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from errlint.trees import children, last_name, walk
from errlint.words import (
    EXCEPTION_ENDINGS,
    OUTRIGHT_KEYS,
    REGISTRY_NAME,
    RUNNERS,
    STATUS_KEYS,
    SUCCESS_KEYS,
    SUCCESS_STATUS,
)

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
TRY: tuple[type, ...] = (ast.Try, ast.TryStar) if hasattr(ast, "TryStar") else (ast.Try,)
TERMINATORS = (ast.Raise, ast.Break, ast.Continue)
SIMPLE = frozenset(
    [
        ast.Return, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Raise, ast.Delete, ast.Pass, ast.Break,
        ast.Continue, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Assert,
        *([ast.TypeAlias] if hasattr(ast, "TypeAlias") else []),
    ]
)  # fmt: skip

CHANGERS = frozenset(["append", "extend", "insert", "add", "pop", "clear", "remove", "popitem"])
"""Methods that change their receiver, whatever they are given."""

_MUTATORS = CHANGERS | {"update", "setdefault"}


def blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of a compound statement; those of handlers and cases are not among them."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if block:
            yield block


def all_blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield every block of a compound statement."""
    yield from blocks(node)
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield part.body


def name_or_callee(node: ast.expr) -> str:
    """Return the last part of a dotted name, also of one that is called; "" for anything else."""
    while isinstance(node, ast.Call):
        node = node.func
    return last_name(node)


def is_dotted(node: ast.expr) -> bool:
    """Whether an expression is a chain of names."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def is_yield(node: ast.stmt) -> bool:
    """Whether a statement is a ``yield``, or takes what one answers."""
    return isinstance(getattr(node, "value", None), (ast.Yield, ast.YieldFrom))


def answer(node: ast.stmt) -> ast.expr | None:
    """Return the value that a statement returns or yields."""
    if isinstance(node, ast.Return):
        return node.value
    if isinstance(node, ast.Expr) and isinstance(node.value, (ast.Yield, ast.YieldFrom)):
        return node.value.value
    return None


def is_self_alias(node: ast.stmt) -> bool:
    """Whether a statement gives ``self`` another name, for the functions that follow in a method."""
    is_self = isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id == "self"
    return is_self and all(isinstance(target, ast.Name) for target in getattr(node, "targets", ()))


def statement_call(node: ast.stmt) -> ast.Call | None:
    """Return the call that a simple statement is, or whose result it assigns or returns, also an awaited one."""
    value = getattr(node, "value", None)
    if isinstance(value, ast.Await):
        value = value.value
    return value if isinstance(value, ast.Call) else None


def argument_names(node: ast.stmt, keys: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the variables that a raise, or the call of a statement, hands over as they are or merges into a dict.

    Those that decide about the entries of a dict with one of ``keys`` (lower case) are among them.
    """
    call = node.exc if isinstance(node, ast.Raise) else statement_call(node)
    if isinstance(call, ast.Name):
        yield call.id
    if isinstance(call, ast.Call):
        yield from _handed(call, not isinstance(node, ast.Raise), keys)


def receiver_names(node: ast.stmt) -> Iterator[str]:
    """Yield the variable whose method the call of a statement is."""
    call = statement_call(node)
    if call is not None and isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
        yield call.func.value.id


def _handed(call: ast.Call, within_calls: bool, keys: frozenset[str]) -> Iterator[str]:
    for argument in (*call.args, *(item.value for item in call.keywords)):
        if isinstance(argument, ast.Name):
            yield argument.id
        elif isinstance(argument, ast.Dict):
            for key, value in zip(argument.keys, argument.values):  # noqa: B905 -- equal by construction
                if key is None and isinstance(value, ast.Name):
                    yield value.id
                elif key is not None and is_key(key, keys):
                    yield from deciding_names(value, keys, holes=False)
        elif within_calls and isinstance(argument, ast.Call):
            yield from _handed(argument, within_calls, keys)


def is_of_errors(node: ast.ClassDef) -> bool:
    """Whether a class may be an exception, or a registry of codes, by what it and its bases are called."""
    if REGISTRY_NAME.search(node.name):
        return True
    return any(name.endswith(EXCEPTION_ENDINGS) for name in (node.name, *map(name_or_callee, node.bases)))


def is_construction(node: ast.stmt) -> bool:
    """Whether a statement of a constructor stores an attribute or something in one, or calls that of a base."""
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return any(_is_attribute(item.value if isinstance(item, ast.Subscript) else item) for item in targets)
    call = statement_call(node)
    if not isinstance(node, ast.Expr) or call is None:
        return False
    is_update = isinstance(call.func, ast.Attribute) and call.func.attr == "update" and _is_attribute(call.func.value)
    return is_update or name_or_callee(call) == "__init__"


def _is_attribute(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)


def run(call: ast.Call) -> ast.Call:
    """Return the call of the coroutine that a call runs (``asyncio.run(find())``), or that call itself."""
    while call.args and {ast.unparse(call.func), name_or_callee(call)} & RUNNERS:
        inner = call.args[0].value if isinstance(call.args[0], ast.Await) else call.args[0]
        if not isinstance(inner, ast.Call):
            break
        call = inner
    return call


def is_endless(node: ast.While) -> bool:
    """Whether a loop ends by ``break`` alone."""
    return isinstance(node.test, ast.Constant) and bool(node.test.value)


def deciding_names(node: ast.expr, keys: frozenset[str], holes: bool) -> set[str]:
    """Return the local names whose values decide what an expression is as a result."""
    names: set[str] = set()
    pending: list[ast.expr] = [node]
    while pending:
        part = pending.pop()
        kind = type(part)
        if kind is ast.Name:
            names.add(part.id)  # type: ignore[attr-defined]
        elif kind is ast.Constant:
            continue
        elif isinstance(part, ast.Call):
            pending.extend(argument.value if isinstance(argument, ast.Starred) else argument for argument in part.args)
            pending.extend(
                item.value for item in part.keywords if holes or item.arg is None or item.arg.lower() in keys
            )
            function = part.func
            while isinstance(function, ast.Attribute):
                function = function.value
            pending.append(function)
        elif isinstance(part, ast.Dict):
            for key, value in zip(part.keys, part.values):  # noqa: B905 -- equal by construction
                if holes or key is None or is_key(key, keys):
                    pending.append(value)
        elif isinstance(part, (ast.Await, ast.Starred, ast.NamedExpr)):
            pending.append(part.value)
        elif isinstance(part, ast.IfExp):
            pending.extend((part.body, part.orelse))
        elif isinstance(part, ast.BoolOp):
            pending.extend(part.values)
        elif isinstance(part, ast.BinOp):
            pending.extend((part.left, part.right))
        elif isinstance(part, (ast.Tuple, ast.List, ast.Set)):
            pending.extend(part.elts)
        elif isinstance(part, ast.JoinedStr) and (
            holes or (part.values and isinstance(part.values[0], ast.FormattedValue))
        ):
            found = part.values if holes else part.values[:1]
            pending.extend(item.value for item in found if isinstance(item, ast.FormattedValue))
    return names


def is_key(node: ast.expr, keys: frozenset[str]) -> bool:
    """Whether a key of a display is one of ``keys`` (lower case)."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.lower() in keys


def target_names(node: ast.expr) -> Iterable[str]:
    """Return the names that an assignment to a target binds or changes."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, (ast.Tuple, ast.List)):
        return [name for item in node.elts for name in target_names(item)]
    if isinstance(node, (ast.Subscript, ast.Starred, ast.Attribute)):
        return target_names(node.value)
    return ()


def stored_names(node: ast.stmt, walrus: bool) -> Iterable[str]:
    """Return the names that a simple statement binds or changes in place."""
    names: Iterable[str] = ()
    if isinstance(node, ast.Assign):
        targets = node.targets
        names = target_names(targets[0]) if len(targets) == 1 else [n for item in targets for n in target_names(item)]
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
        names = target_names(node.target)
    elif isinstance(node, ast.Delete):
        return [name for item in node.targets for name in target_names(item)]
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        return [alias.asname or alias.name.partition(".")[0] for alias in node.names]
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        return node.names
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        function = node.value.func
        if isinstance(function, ast.Attribute) and function.attr in _MUTATORS:
            names = target_names(function.value)
    if walrus:
        value = getattr(node, "value", None)
        if isinstance(value, ast.expr):
            return [*names, *walrus_names(value)]
    return names


def walrus_names(node: ast.AST) -> Iterator[str]:
    """Yield the names that an expression binds (``:=``)."""
    for part in walk(node):
        if isinstance(part, ast.NamedExpr):
            yield part.target.id


def names_used_first(handler: ast.ExceptHandler) -> Iterator[str]:
    """Yield the names that a handler may use before it binds them itself; functions inside are left out."""
    used: dict[str, int] = {}
    bound: dict[str, int] = {}
    pending: list[ast.AST] = [*handler.body]
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind is ast.Name:
            lines = used if isinstance(node.ctx, ast.Load) else bound  # type: ignore[attr-defined]
            lines[node.id] = min(lines.get(node.id, node.lineno), node.lineno)  # type: ignore[attr-defined]
        elif kind is ast.comprehension:
            pending.extend((node.iter, *node.ifs))  # type: ignore[attr-defined]
        elif not isinstance(node, (*SCOPES, ast.Lambda)):
            pending.extend(ast.iter_child_nodes(node))
    yield from (name for name, line in used.items() if line <= bound.get(name, line))


def header_expressions(node: ast.stmt) -> list[ast.expr]:
    """Return the expressions in the header of a compound statement that may use a function."""
    if isinstance(node, (ast.If, ast.While)):
        return [node.test]
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return [node.iter]
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return [item.context_expr for item in node.items]
    if isinstance(node, ast.Match):
        return [node.subject]
    return []


def header_bindings(node: ast.stmt, walrus: bool) -> Iterable[str]:
    """Return the names that a compound statement binds in its header."""
    names: list[str] = []
    if isinstance(node, (ast.For, ast.AsyncFor)):
        names.extend(target_names(node.target))
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        for item in node.items:
            if item.optional_vars:
                names.extend(target_names(item.optional_vars))
    elif isinstance(node, TRY):
        names.extend(handler.name for handler in node.handlers if handler.name)  # type: ignore[attr-defined]
    elif isinstance(node, ast.Match):
        for case in node.cases:
            for part in ast.walk(case.pattern):
                if isinstance(part, (ast.MatchAs, ast.MatchStar)) and part.name:
                    names.append(part.name)
                elif isinstance(part, ast.MatchMapping) and part.rest:
                    names.append(part.rest)
    if walrus:
        for expression in header_expressions(node):
            names.extend(walrus_names(expression))
    return names


def uses_name(parts: Iterable[ast.AST], names: set[str]) -> bool:
    """Whether one of ``names`` stands in an expression, as itself or as an attribute."""
    pending = [*parts]
    for node in pending:  # which grows
        kind = type(node)
        if kind is ast.Name:
            if node.id in names:  # type: ignore[attr-defined]
                return True
        elif kind is ast.Attribute and node.attr in names:  # type: ignore[attr-defined]
            return True
        pending.extend(children(node))
    return False


def is_success(node: ast.expr) -> bool:
    """Whether a payload, object or helper call says in a constant that it is a success."""
    while isinstance(node, ast.Await):
        node = node.value
    if isinstance(node, ast.Dict):
        return any(
            isinstance(key, ast.Constant) and isinstance(key.value, str) and _says_success(key.value, value)
            for key, value in zip(node.keys, node.values)  # noqa: B905 -- equal by construction
        )
    if isinstance(node, ast.Call):
        if any(item.arg is not None and _says_success(item.arg, item.value) for item in node.keywords):
            return True
        if not node.args:
            return False
        first = node.args[0]
        return is_success(first) if isinstance(first, (ast.Dict, ast.Call)) else _is_success_status(first)
    return False


def status_keys(node: ast.expr) -> set[str]:
    """Return the keys of a status in a dict, also in one that a call is handed."""
    while isinstance(node, ast.Call) and node.args:
        node = node.args[0]
    keys = node.keys if isinstance(node, ast.Dict) else ()
    texts = {key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}
    return {text for text in texts if text.lower() in STATUS_KEYS}


def _says_success(key: str, value: ast.expr) -> bool:
    if not isinstance(value, ast.Constant):
        return False
    lower = key.lower()
    if isinstance(value.value, bool):
        return lower in (SUCCESS_KEYS if value.value else OUTRIGHT_KEYS)
    return lower in STATUS_KEYS and _is_success_status(value)


def _is_success_status(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(SUCCESS_STATUS.fullmatch(node.value))
