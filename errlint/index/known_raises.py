"""Which exceptions an expression or a statement is known to raise: builtins, the standard library, HTTP clients.

Only last parts of names are known here: what a call is named, and what a handler catches.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from errlint.index.expressions import below, dotted_name, given, subscript_key

_PARENTS = {
    "JSONDecodeError": "ValueError",
    "UnicodeDecodeError": "UnicodeError",
    "UnicodeEncodeError": "UnicodeError",
    "UnicodeError": "ValueError",
    "KeyError": "LookupError",
    "IndexError": "LookupError",
    "ModuleNotFoundError": "ImportError",
    "ZeroDivisionError": "ArithmeticError",
    "OverflowError": "ArithmeticError",
    "InvalidOperation": "ArithmeticError",
    "NotImplementedError": "RuntimeError",
    "RecursionError": "RuntimeError",
    "FileNotFoundError": "OSError",
    "FileExistsError": "OSError",
    "PermissionError": "OSError",
    "IsADirectoryError": "OSError",
    "NotADirectoryError": "OSError",
    "InterruptedError": "OSError",
    "BlockingIOError": "OSError",
    "ChildProcessError": "OSError",
    "ProcessLookupError": "OSError",
    "TimeoutError": "OSError",
    "ConnectionRefusedError": "ConnectionError",
    "ConnectionResetError": "ConnectionError",
    "ConnectionAbortedError": "ConnectionError",
    "BrokenPipeError": "ConnectionError",
    "ConnectionError": "OSError",
    "IOError": "OSError",
    "EnvironmentError": "OSError",
    "CalledProcessError": "SubprocessError",
}
"""Classes of the standard library that are subclasses, or other names, of one that handlers catch."""

_NUMBER = frozenset({"ValueError", "TypeError"})
_FILE = frozenset({"FileNotFoundError", "PermissionError", "IsADirectoryError", "IOError"})
_TEXT = _FILE | {"UnicodeDecodeError"}
_VALUE = frozenset({"ValueError"})
_FUNCTIONS = {
    "int": _NUMBER,
    "float": _NUMBER,
    "json.loads": frozenset({"JSONDecodeError", "TypeError"}),
    "json.load": frozenset({"JSONDecodeError"}),
    "open": _FILE,
    "os.stat": _FILE,
    "os.listdir": _FILE,
    "os.path.getsize": _FILE,
    "next": frozenset({"StopIteration"}),
    "getattr": frozenset({"AttributeError"}),
    "importlib.import_module": frozenset({"ModuleNotFoundError"}),
    "asyncio.wait_for": frozenset({"TimeoutError"}),
    "ast.parse": frozenset({"SyntaxError"}),
    "ast.literal_eval": frozenset({"SyntaxError", "ValueError"}),
    "Decimal": frozenset({"InvalidOperation"}),
    "UUID": _VALUE,
    "uuid.UUID": _VALUE,
    "subprocess.check_output": frozenset({"CalledProcessError", "FileNotFoundError"}),
    "subprocess.run": frozenset({"FileNotFoundError"}),
}
_DEFAULTED = {"next": 2, "getattr": 3}
"""Functions that do not raise when they are given a default: with so many arguments."""

_METHODS = {
    "read_text": _TEXT,
    "read_bytes": _FILE,
    "decode": frozenset({"UnicodeDecodeError"}),
    "strptime": _VALUE,
    "fromisoformat": _VALUE,
}
_CLIENTS = {
    "requests": frozenset({"RequestException", "Timeout"}),
    "httpx": frozenset({"HTTPError", "RequestError", "ConnectError", "TimeoutException"}),
}
_REQUESTS = frozenset({"get", "post", "put", "patch", "delete", "head", "request"})
_IMPORT = frozenset({"ModuleNotFoundError", "ImportError"})


def known(statement: ast.AST, expressions: Iterable[ast.AST]) -> frozenset[str]:
    """Return the classes that a statement with these expressions is known to raise, those they derive from included."""
    found: set[str] = set()
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        found |= _IMPORT
    for expression in expressions:
        for part in below(expression):
            if isinstance(part, ast.Call):
                found |= _called(part)
            elif isinstance(part, ast.Subscript):
                found |= _looked_up(part)
    return with_parents(found)


def with_parents(names: set[str]) -> frozenset[str]:
    """Return some classes, and those by which a handler also catches them."""
    found: set[str] = set()
    for name in names:
        while name and name not in found:
            found.add(name)
            name = _PARENTS.get(name, "")
    return frozenset(found)


def _called(call: ast.Call) -> frozenset[str]:
    name = dotted_name(call.func)
    owner, _, last = name.rpartition(".")
    taken = given(call)
    if not taken:
        return _METHODS.get(call.func.attr, frozenset()) if isinstance(call.func, ast.Attribute) else frozenset()
    if len(taken) >= _DEFAULTED.get(name, len(taken) + 1):
        return frozenset()
    if last in _REQUESTS and owner in _CLIENTS:
        return _CLIENTS[owner]
    if name == "subprocess.run":
        checks = any(
            each.arg == "check" and isinstance(each.value, ast.Constant) and each.value.value is True
            for each in call.keywords
        )
        return _FUNCTIONS[name] | {"CalledProcessError"} if checks else _FUNCTIONS[name]
    if isinstance(call.func, ast.Attribute):
        return _FUNCTIONS.get(name) or _METHODS.get(call.func.attr, frozenset())
    return _FUNCTIONS.get(name, frozenset())


def _looked_up(subscript: ast.Subscript) -> frozenset[str]:
    """Return what a lookup raises: by text that is written out nothing but KeyError, by a number IndexError."""
    index = subscript.slice
    if isinstance(index, (ast.Slice, ast.Tuple, ast.Starred)):
        return frozenset()
    if subscript_key(subscript) is not None:
        return frozenset({"KeyError"})
    if isinstance(index, ast.UnaryOp) or (isinstance(index, ast.Constant) and type(index.value) is int):
        return frozenset({"IndexError"})
    return frozenset({"KeyError", "IndexError"})
