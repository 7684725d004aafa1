"""Small adapter projects, generated: every statement that matters for the fix of an error return, in all mixtures."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from hypothesis import strategies as st
from program_tests import EXAMPLES, HELPER, IMPORTS, Subject, tests_of

T = TypeVar("T")
Choose = Callable[[int, int], int]
"""Takes the first and the last of some numbers and returns one."""

NUMBER = "_NN"
"""Stands in every name of a program for its number in a batch."""


class Node(NamedTuple):
    """A statement: one text, or parts of a header and a body each (``try`` has several)."""

    text: str = ""
    parts: tuple[tuple[str, tuple[Node, ...]], ...] = ()


class Program(NamedTuple):
    """A package: its files by name, how many conditions its tools ask about, and the configuration it is checked by."""

    files: tuple[tuple[str, tuple[Node, ...]], ...]
    conditions: int
    configuration: str

    def sources(self, number: int) -> dict[str, str]:
        """Return the texts of the files, for a program of this number."""
        return {name: render(nodes).replace(NUMBER, f"_{number}") for name, nodes in self.files}


def render(nodes: Sequence[Node], indent: str = "") -> str:
    """Return the text of statements."""
    lines: list[str] = []
    for node in nodes:
        lines.extend(indent + line + "\n" if line else "\n" for line in node.text.split("\n") if node.text)
        for header, body in node.parts:
            lines.extend(f"{indent}{line}\n" for line in header.split("\n"))
            lines.append(render(body, indent + "    ") or f"{indent}    pass\n")
    return "".join(lines)


def smaller(program: Program) -> Iterator[Program]:
    """Yield all programs with one statement less, or one statement instead of a block that holds it."""
    files = dict(program.files)
    for name, nodes in files.items():
        for changed in _smaller(nodes):
            yield program._replace(files=tuple({**files, name: changed}.items()))


def _smaller(nodes: tuple[Node, ...]) -> Iterator[tuple[Node, ...]]:
    for index, node in enumerate(nodes):
        before, after = nodes[:index], nodes[index + 1 :]
        yield (*before, *after)
        for at, (header, body) in enumerate(node.parts):
            is_definition = "def " in header or "class " in header
            if not is_definition:
                yield (*before, *body, *after)
            if len(node.parts) > 1:
                yield (*before, node._replace(parts=(*node.parts[:at], *node.parts[at + 1 :])), *after)
            first, _, rest = header.partition("\n")
            if rest and first.startswith("@"):
                yield (*before, node._replace(parts=((rest, body), *node.parts[1:])), *after)
            for changed in _smaller(body):
                yield (
                    *before,
                    node._replace(parts=(*node.parts[:at], (header, changed), *node.parts[at + 1 :])),
                    *after,
                )


CONFIGURATION = """\
[tool.errlint]
adapters.decorators = ["*.tool"]
[[tool.errlint.boundary]]
decorator = "handle_errors"
envelope = { error = "{message}", problem = "*", result = "empty_result" }
empty-result = "empty_result"
operation = "operation"
[tool.errlint.exceptions]
root = ["ShopError"]
default = "ShopError"
cause = "cause"
[tool.errlint.exceptions.map]
ValueError = "BadValueError"
KeyError = "propagate"
FileNotFoundError = "propagate"
UnicodeDecodeError = "propagate"
[tool.errlint.exceptions.messages]
"missing*" = "MissingError"
"""

BOUNDARY = """\
def handle_errors(operation, empty_result):
    def answer(exc):
        return {**empty_result, "error": str(exc), "problem": {"title": type(exc).__name__}}

    def decorate(function):
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def waiting(*args, **kwargs):
                try:
                    return await function(*args, **kwargs)
                except Exception as exc:
                    return answer(exc)

            return waiting

        @functools.wraps(function)
        def inner(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            except Exception as exc:
                return answer(exc)

        return inner

    return decorate
"""

HIDING = BOUNDARY.replace(
    '"error": str(exc), ',
    '"error": str(exc) if isinstance(exc, (ShopError, KeyError, OSError, UnicodeError)) else "unexpected", ',
)
"""A boundary that tells clients no more of an exception than what the policy says about it."""

NARROW = BOUNDARY.replace("except Exception", "except (MissingError, KeyError, OSError, UnicodeError)")
"""A boundary that lets most exceptions of the project through."""

SYNC = BOUNDARY.partition("        if inspect")[0] + BOUNDARY[BOUNDARY.rindex("        @functools.wraps") :]
"""A boundary that does not wait for what it covers."""

PLAIN_ROOTS = (
    "class ShopError(Exception):\n    pass",
    'class ShopError(Exception):\n    """What clients are told."""\n\n'
    '    def __init__(self, message, *, code="shop-error", context=None, cause=None):\n'
    "        super().__init__(message)\n        self.code = code\n        self.context = context or {}",
    "class ShopError(Exception):\n    def __init__(self, message: str, **context: object) -> None:\n"
    "        super().__init__(message)\n        self.context = context",
)

ODD_ROOTS = (
    "class ShopError(Exception):\n    def __init__(self, message):\n        super().__init__(message)\n\n"
    '    def __str__(self):\n        return "no"',
    "class Silent:\n    def __str__(self):\n        return \"no\"\n\n\nclass ShopError(Silent, Exception):\n    pass",
    "class ShopError(Exception):\n    def __init__(self, message):\n        message = message.upper()\n"
    "        super().__init__(message)",
    "class ShopError(Exception):\n    def __init__(self, message):\n        super().__init__(f\"{len(message)} letters\")",
    "class ShopError(Exception):\n    def __init__(self, message, code=1):\n        super().__init__(message, code)",
    "class ShopError(Exception):\n    def __init__(self, message, code=1):\n        if code == 1:\n"
    '            super().__init__("no")\n        else:\n            super().__init__(message)',
    "class ShopError(Exception):\n    def __init__(self, message, code=1):\n        if code == 2:\n"
    '            super().__init__(message)\n        else:\n            super().__init__("no")',
    "class ShopError(Exception):\n    def __init__(self, message):\n        super().__init__(message)\n"
    '        self.args = ("no",)',
    "class ShopError(Exception):\n    def __init__(self, message):\n        self.message = message\n"
    "        if len(message) > 12:\n            raise ValueError(message)\n        super().__init__(message)",
    "class ShopError(Exception):\n    def __init__(self, *, message):\n        self.message = message",
    "class ShopError(KeyError):\n    pass",
    "class ShopError(BaseException):\n    pass",
    "class ShopError(UnicodeError):\n    pass",
    "class ShopError(UnicodeDecodeError):\n    pass",
    "@dataclasses.dataclass\nclass ShopError(Exception):\n    code: int = 1\n    message: str = \"\"\n\n"
    "    def __str__(self):\n        return str(self.code)",
    "@dataclasses.dataclass\nclass ShopError(Exception):\n    message: str = \"\"\n",
    "class Base(Exception):\n    def __init__(self, code, message=\"no\"):\n        super().__init__(message)\n\n\n"
    "class ShopError(Base):\n    def __init__(self, message):\n        super().__init__(message)",
    "class ShopError(Exception):\n    def __new__(cls, message):\n        return super().__new__(cls, \"no\")\n\n"
    "    def __init__(self, message):\n        pass",
    "class ShopError(Exception):\n    def __init__(self, message):\n        super().__init__()\n        self.message = message",
)  # fmt: skip

CHILDREN = (
    "class {name}(ShopError):\n    pass",
    "class {name}(ShopError):\n    pass",
    "class {name}(ShopError):\n    pass",
    "class {name}(ShopError, ValueError):\n    pass",
)

ODD_CHILDREN = (
    "class {name}(ShopError):\n    def __init__(self, message, text):\n        super().__init__(message)\n"
    "        self.text = text",
    "class {name}(ShopError):\n    def __init__(self, message, *, needed):\n        super().__init__(message)\n"
    "        self.needed = needed",
    "class {name}(ShopError):\n    def __init__(self, text):\n        super().__init__(f\"no {{len(text)}}\")",
    "class {name}(ShopError, KeyError):\n    pass",
    "class {name}(ShopError):\n    def __str__(self):\n        return super().__str__()[:3]",
)  # fmt: skip

FEATURES = (
    "try", "try", "handlers", "nested try", "finally", "with", "loop", "helper", "helper", "decorator", "keys", "keys",
    "marker", "message", "message", "plain", "plain", "plain", "plain", "plain", "plain", "plain", "plain", "plain", "plain", "plain", "plain", "exception", "child", "async", "generator", "gather", "inspect", "names",
    "effects", "rebound", "rebound", "nested", "match", "domain", "calls", "text forms", "misordered", "style", "group", "forms", "forms", "forms", "forms", "forms", "forms",
    "tests", "tests", "tests", "tests", "tests", "tests", "tests", "tests", "tests", "passing", "methods", "methods", "methods", "methods",
)  # fmt: skip
"""What a program may have beside guards; each has a few of them, so that one thing does not hide the other."""

EMPTY_RESULTS = (
    '{"path": ""}',
    '{"path": "", "items": []}',
    '{"path": "", "count": 0, "found": False}',
    '{"path": None, "ratio": 0.0}',
    "{}",
    '{"path": "", "problem": None}',
    '{"path": "", "size": -1, "pair": (1, "a")}',
    "EMPTY",
)
ENTRIES = {
    '{"path": ""}': ('"path": ""', '"path": text', '"path": None'),
    '{"path": "", "items": []}': ('"path": ""', '"items": []', '"items": [1]', '"items": ()', '"items": {}'),
    '{"path": "", "count": 0, "found": False}': ('"path": ""', '"count": 0', '"count": False', '"found": 0', '"count": 0.0', '"found": False'),
    '{"path": None, "ratio": 0.0}': ('"path": None', '"ratio": 0.0', '"ratio": 0', '"path": ""'),
    "{}": ('"path": ""',),
    '{"path": "", "problem": None}': ('"path": ""', '"problem": None'),
    '{"path": "", "size": -1, "pair": (1, "a")}': ('"path": ""', '"size": -1', '"pair": (1, "a")', '"pair": (1, "b")', '"size": 1'),
    "EMPTY": ('"path": ""', '"path": EMPTY'),
}  # fmt: skip

CAUGHT = (
    "ValueError", "KeyError", "LookupError", "(ValueError, KeyError)", "Exception", "", "BaseException",
    "FileNotFoundError", "OSError", "ShopError", "BadValueError", "UnicodeDecodeError", "(KeyError, ShopError)",
)  # fmt: skip
RISKS = ("ValueError", "KeyError", "FileNotFoundError", "RuntimeError", "Stop", "BadValueError")

CONTEXTS = (
    "open(os.devnull)", "contextlib.nullcontext()", "contextlib.suppress(Exception)", "rolling_back()", "forgiving()",
    "session()", "file_lock()", "closing(text)", "Lock()", "contextlib.suppress(ValueError)", "threading.Lock()",
)  # fmt: skip

OWN_CONTEXTS = """\
@contextlib.contextmanager
def file_lock():
    record("locked")
    yield
    record("unlocked")


@contextlib.contextmanager
def closing(thing):
    try:
        yield
    except Exception:
        record("closed badly")


class Lock:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        return kind is not None


def override(function):
    return quiet(function)
"""


class Generator:
    """Draws one program."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose
        self._conditions = 0
        self._names = 0
        self.features = frozenset(self.pick(FEATURES) for _ in range(self.count(1, 3)))
        self.is_async = "async" in self.features or "gather" in self.features
        self.is_narrow = self.chance("passing", 40)
        results = (*EMPTY_RESULTS, "EMPTY", "EMPTY")
        self.empty = self.pick(results) if "keys" in self.features else EMPTY_RESULTS[self.count(0, 1)]
        self.helpers: list[Node] = []
        self.far: list[Node] = []
        self.is_seen_by_errors = False
        self.caught: list[str] = []
        self.spare = ""
        self.subjects: list[Subject] = []
        self.tested: list[Subject] = []
        self.loops = 0
        self.depth = 0

    # --- choices ------------------------------------------------------------------------------------------------

    def count(self, first: int, last: int) -> int:
        return self._choose(first, last)

    def pick(self, options: Sequence[T]) -> T:
        return options[self.count(0, len(options) - 1)]

    def chance(self, feature: str, percent: int = 50) -> bool:
        return feature in self.features and self.count(0, 99) < percent

    def condition(self) -> int:
        self._conditions += 1
        return self._conditions

    def name(self, start: str) -> str:
        self._names += 1
        return f"{start}{NUMBER}_{self._names}"

    # --- the program --------------------------------------------------------------------------------------------

    def program(self) -> Program:
        tools = [self.tool()]
        if self.chance("calls", 80):
            tools.append(self.caller(tools[0]))
        if self.count(0, 2) == 0:
            tools.append(self.simple())
        package = f"shop{NUMBER}"
        names = ["handle_errors"]
        body = render(tools) + render(self.helpers)
        classes = [name for name in ("ShopError", "BadValueError", "MissingError") if name in body]
        if self.chance("names", 60):
            classes = [] if self.count(0, 1) else ["ShopError"]
        names += classes
        imports = [
            "import asyncio\nimport contextlib\nimport json\nimport logging\nimport os\nimport sys\nimport threading\nfrom typing import TYPE_CHECKING, Protocol",
            "from toolkit import (\n    Server, Stop, again, apply, cached, forgiving, quiet, record, retry, risky, rolling_back, session,\n)",
            f"from {package}.errors import {', '.join(sorted(names))}",
            f"from {package} import {'errors, far' if 'errors.' in body or self.count(0, 1) else 'far'}",
            f"from {package}.far import *",
            *(
                [f"if TYPE_CHECKING:\n    from {package}.errors import BadValueError, MissingError, ShopError"]
                if self.chance("names", 20)
                else ()
            ),
            'server = Server("shop")\nEMPTY = {"path": ""}',
        ]
        nodes = [Node(text) for text in imports]
        if self.empty == "EMPTY" and self.count(0, 1):
            nodes.append(
                Node(
                    self.pick(('EMPTY["path"] = "changed"', 'EMPTY |= {"path": "changed"}', "EMPTY.update(path=None)"))
                )
            )
        if "with" in self.features or "decorator" in self.features:
            nodes.append(Node(OWN_CONTEXTS))
        if self.chance("names", 30):
            nodes.append(
                Node(
                    self.pick(
                        (
                            'ShopError = "closed"',
                            "class MissingError:\n    pass",
                            "if False:\n    ShopError = None",
                            'if server:\n    ShopError = "closed"',
                            'for ShopError in ("open", "closed"):\n    pass',
                        )
                    )
                )
            )
        files: tuple[tuple[str, tuple[Node, ...]], ...] = (
            ("errors.py", (*self.looking_far(package), *self.errors())),
            ("far.py", self.far_module(package)),
            ("server.py", (*nodes, *self.helpers, *tools)),
        )
        if "tests" in self.features:
            files = (*files, ("test_server.py", tuple(self.tests(package))))
        return Program(files, self._conditions, CONFIGURATION)

    def tests(self, package: str) -> Iterator[Node]:
        """Yield the tests of a program, and what they import."""
        tool = self.tested[0]
        named: dict[str, list[str]] = {}
        for each in (*self.subjects, tool):
            named.setdefault(each.module, []).append(each.name)
        is_star = self.count(0, 5) == 0
        imports = [
            f"from {package}.{module} import {'*' if is_star else ', '.join(sorted(names))}"
            for module, names in named.items()
        ]
        yield Node(f"{IMPORTS}from {package} import far, server\n" + "\n".join(sorted(imports)))
        yield Node(HELPER)
        for test in tests_of(self.pick, package, self.subjects, tool):
            function = Node("", ((test.header, (Node(test.body),)),))
            name = test.header.partition("test_")[2].partition("(")[0]
            yield Node("", ((f"class Test_{name}(unittest.TestCase):", (function,)),)) if test.is_method else function

    def looking_far(self, package: str) -> Iterator[Node]:
        """Let the module of the exceptions import the other one, where that needs none of them so far."""
        text = render(self.far)
        is_free = not any(name in text for name in ("ShopError", "BadValueError", "MissingError", "errors."))
        self.is_seen_by_errors = is_free and self.count(0, 2) == 0
        if self.is_seen_by_errors:
            yield Node(f"from {package}.far import EMPTY as NOTHING")

    def far_module(self, package: str) -> tuple[Node, ...]:
        imports = "import contextlib\nimport json\n\nfrom toolkit import record, risky\n"
        if self.is_seen_by_errors:
            pass
        elif self.count(0, 1):
            imports += f"from {package} import errors\nfrom {package}.errors import ShopError, BadValueError\n"
        else:
            imports += f"from {package}.errors import BadValueError, ShopError\n"
        return (Node(imports + '\nEMPTY = {"path": ""}'), *self.far)

    def errors(self) -> Iterator[Node]:
        yield Node("import dataclasses\nimport functools\nimport inspect")
        yield Node(self.pick(ODD_ROOTS) if self.chance("exception", 80) else self.pick(PLAIN_ROOTS))
        for name in ("BadValueError", "MissingError"):
            options = ODD_CHILDREN if self.chance("child", 60) else CHILDREN
            yield Node(self.pick(options).format(name=name))
        if "domain" in self.features:
            yield Node("def made(text):\n    return BadValueError(text)")
        usual = (*[BOUNDARY, HIDING] * 24, NARROW, *[SYNC] * (4 * self.is_async))
        yield Node(NARROW if self.is_narrow else self.pick(usual))

    def tool(self) -> Node:
        name = self.name("tool")
        self.tested.append(Subject("server", name, self.is_async, self._conditions + 1, is_tool=True))
        below: list[str] = []
        above: list[str] = []
        if self.chance("decorator", 70):
            below.append(self.pick(("@retry", "@cached", "@quiet", "@override")))
        if self.chance("decorator", 30):
            above.append(self.pick(("@retry", "@cached", "@quiet")))
        boundary = f'@handle_errors(operation="shop.{name}", empty_result={self.empty})'
        lines = ["@server.tool()", *above, boundary, *below]
        if self.chance("misordered", 60):
            lines = [boundary, *below, "@server.tool()"]
        elif self.chance("misordered", 30):
            lines = ["@server.tool()"]
        annotated = "text: str" if self.count(0, 3) else "text"
        head = f"{'async ' if self.is_async else ''}def {name}(on, {annotated}):"
        extra = "ShopError=None, " if self.chance("names", 20) else ""
        head = head.replace("(on, text):", f"(on, text, {extra}):") if extra else head
        own = (self.guard(),) if self.chance("tests") else ()
        return Node("", (("\n".join([*lines, head]), (*own, *self.body(self.count(1, 2)))),))

    def simple(self) -> Node:
        """A tool of the kind that most are."""
        outer, self.features = self.features, frozenset({"plain"})
        made = self.tool()
        self.features = outer
        return made

    def caller(self, tool: Node) -> Node:
        """A tool that calls another one, and looks at what it answers."""
        name = tool.parts[0][0].rpartition("def ")[2].partition("(")[0]
        wait = "await " if self.is_async else ""
        tests = (
            '"error" in r', 'not r["success"]', 'r.get("success") is False', '"path" in r', 'r.get("error")',
            'r.get("status") == "error"', "len(r) == 1", 'r == {"error": text}', '"items" not in r',
        )  # fmt: skip
        body = (
            Node(f"r = {wait}{name}(on, text)"),
            Node("", ((f"if {self.pick(tests)}:", (Node('return {"path": "looked"}'),)),)),
            Node('return {"path": "fine", "content": r}'),
        )
        own = self.name("tool")
        boundary = f'@handle_errors(operation="shop.{own}", empty_result={self.empty})'
        return Node(
            "", ((f"@server.tool()\n{boundary}\n{'async ' if self.is_async else ''}def {own}(on, text):", body),)
        )

    # --- statements ---------------------------------------------------------------------------------------------

    def body(self, statements: int) -> tuple[Node, ...]:
        found: list[Node] = []
        for _ in range(statements):
            found.extend(self.statement())
        found.append(self.success())
        return tuple(found)

    def success(self) -> Node:
        return Node(self.pick(('return {"path": text, "content": 1}', 'return {"path": "x", "success": True}')))

    def statement(self) -> list[Node]:
        if self.depth > 2:
            return [self.guard()]
        options = {
            "try": self.attempt, "handlers": self.attempt, "nested try": self.attempt, "finally": self.attempt,
            "with": self.context, "loop": self.loop, "helper": self.helper, "nested": self.nested, "match": self.match,
            "domain": self.raising, "gather": self.gathered, "generator": self.generated, "effects": self.effect,
            "forms": self.deferred, "inspect": self.inspecting, "group": self.starred, "rebound": self.attempt,
            "tests": self.used, "passing": self.passing, "methods": self.method,
        }  # fmt: skip
        usable = [options[name] for name in sorted(self.features) if name in options]
        if usable and self.count(0, 3):
            self.depth += 1
            made = self.pick(usable)()
            self.depth -= 1
            return made
        return [self.guard()]

    def block(self) -> tuple[Node, ...]:
        """One or two statements, the last perhaps a way out."""
        found = list(self.statement())
        if self.count(0, 2) == 0:
            found.extend(self.statement())
        return tuple(found)

    def guard(self) -> Node:
        number = self.condition()
        style = self.count(0, 6) if "style" in self.features else 0
        error = self.error()
        if style == 1 and "\n" not in error:
            return Node(f"if {number} in on: {error}")
        if style == 2:
            lead, _, ret = error.rpartition("\n") if "\n" not in error else ("", "", error)
            return Node("", ((f"if {number} in on:", (Node(f'record("a"); {ret}') if not lead else Node(error),)),))
        if style == 3:
            return Node("", ((f"if {number} in on:", (Node("# why: it is so"), Node(error + "  # at the end"))),))
        if style == 6:
            kept = Node('return {"error": "as ever"}  # errlint: ignore[ERR101] somebody reads this')
            return Node("", ((f"if {number} in on:", (kept,)),))
        if style == 4:
            other = self.condition()
            return Node("", ((f"if {number} in on:", (Node(error),)), (f"elif {other} in on:", (Node(self.error()),))))
        if style == 5:
            return Node(f'if {number} in on: record("b"); {error}') if "\n" not in error else Node(error)
        return Node("", ((f"if {number} in on:", (Node(error),)),))

    def effect(self) -> list[Node]:
        return [Node(f'record("{self.name("effect")}")'), self.guard()]

    def raising(self) -> list[Node]:
        number = self.condition()
        kind = self.count(0, 4)
        text = (
            'raise BadValueError("raised")', 'err = BadValueError("raised")\nraise err', 'raise errors.made("raised")',
            'raise ShopError("raised")', 'kind = errors.BadValueError\nraise kind("raised")',
        )[kind]  # fmt: skip
        return [Node("", ((f"if {number} in on:", (Node(text),)),)), self.guard()]

    def attempt(self) -> list[Node]:
        """A try statement, with all that one can have."""
        if not self.spare and self.chance("rebound", 50):
            self.spare = self.pick(("exc", "error"))
            return [Node(f"{self.spare} = text"), *self.attempt()]
        number = self.condition()
        risk = self.pick(RISKS) if self.chance("handlers", 70) else self.pick(("ValueError", "KeyError"))
        risky = f"risky(on, {number}, {risk})" if risk != "ValueError" else f"risky(on, {number})"
        inner: tuple[Node, ...] = (Node(risky),)
        if "nested try" in self.features and self.depth < 3:
            inner = (*inner, *self.block())
        elif self.count(0, 2) == 0:
            inner = (*inner, self.guard())
        if self.chance("domain"):
            inner = (*inner, *self.raising())
        parts = [("try:", inner)]
        kinds = (
            [self.pick(CAUGHT) for _ in range(self.count(1, 3))]
            if "handlers" in self.features
            else [self.pick(CAUGHT[:6])]
        )
        kinds = sorted(set(kinds), key=lambda kind: kind == "")
        parts.extend(self.handler(kind) for kind in kinds)
        if self.chance("finally") or self.count(0, 9) == 0:
            parts.append(("else:", self.block()))
        if self.chance("finally", 70) or self.count(0, 9) == 0:
            ends = ['record("finally")', 'return {"path": "finally"}', "for _ in (1,):\n    break", 'record("end")']
            if self.loops:
                ends += ["break", "continue", "for _ in ():\n    pass\nelse:\n    break"]
            end = Node(self.pick(ends))
            if self.count(0, 1):
                end = Node("", ((f"if {self.condition()} in on:", (end,)),))
            parts.append(("finally:", (end,)))
        return [Node("", tuple(parts))]

    def passing(self) -> list[Node]:
        """A handler that answers what it caught, as the boundary would, or nearly so."""
        kinds = ("KeyError", "FileNotFoundError", "BadValueError", "ValueError", "Exception", "BaseException")
        kind = "BadValueError" if self.is_narrow and self.count(0, 1) else self.pick(kinds)
        risk = "BadValueError" if kind == "BadValueError" else "Stop" if kind == "BaseException" else kind
        risk = f"risky(on, {self.condition()}, {risk.replace('Exception', 'RuntimeError')})"
        answer = self.pick(("str(exc)", "str(exc)", "str(exc)", 'f"{exc}"', 'f"failed: {exc}"', "repr(exc)"))
        more = self.pick(("", "", "", "", ', "path": text', ', "count": 1'))
        key = self.pick(("error", "error", "error", "error", "err"))
        body = (Node(f'return {{"{key}": {answer}{more}}}'),)
        parts: list[tuple[str, tuple[Node, ...]]] = [("try:", (Node(risk),)), (f"except {kind} as exc:", body)]
        if self.count(0, 3) == 0:
            parts.append(self.handler(self.pick(CAUGHT)))
        nodes = [Node("", tuple(parts))]
        if self.count(0, 2) == 0:
            nodes = [Node("", (("try:", tuple(nodes)), self.handler(self.pick(CAUGHT))))]
        return nodes

    def method(self) -> list[Node]:
        """A method that another class may have too, called from a method that is called here."""
        base, heir = self.name("Shelf"), self.name("Deep")
        first, second, third = self.condition(), self.condition(), self.condition()
        check = self.pick(("return r", 'return {"path": "inspected"}', 'return {"path": r["error"]}'))
        reading = self.pick(
            (
                "return self.find(on, text)",
                f'r = self.find(on, text)\nif "error" in r:\n    {check}\nreturn r',
                f'if {third} in on:\n    return self.fail("{self.pick(("none", "missing one"))}")\nreturn {{"path": "read"}}',
            )
        )
        own: tuple[tuple[str, tuple[Node, ...]], ...] = (
            ("def read(self, on, text):", (Node(reading),)),
            ("def find(self, on, text):", (Node("", ((f"if {first} in on:", (Node(self.error()),)),)), self.success())),
            ("def fail(self, message):", (Node(self.pick(('return {"error": message}', 'return {"error": f"bad {message}"}'))),)),
        )  # fmt: skip
        if self.count(0, 3) == 0:
            asked = self.pick(("name", '"find"', 'f"fi{name[2:]}"'))
            own = (
                *own,
                ("def any(self, on, text, name):", (Node(f"return {{'path': str(sorted(getattr(self, {asked})(on, text)))}}"),)),
            )  # fmt: skip
        other = self.pick(
            (
                *[("def find(self, on, text):", f'if {second} in on:\n    return {{"error": "deep"}}\nreturn {{"path": "deep"}}')] * 3,
                ("def find(self, on, text):", 'r = super().find(on, text)\nreturn {**r, "path": "deep"}'),
                ("def fail(self, message):", 'return {"error": f"deep {message}"}'),
                ("def close(self):", "return None"),
            )
        )  # fmt: skip
        if self.count(0, 5) == 0:
            replaced = 'lambda on, text: {"error": "replaced"}'
            fill = self.pick((f"self.find = {replaced}", f'setattr(self, "find", {replaced})'))
            own = (("def __init__(self):", (Node(fill),)), *own)
        methods = tuple(Node("", ((header, body),)) for header, body in own)
        self.helpers.append(Node("", ((f"class {base}:", methods),)))
        self.helpers.append(Node("", ((f"class {heir}({base}):", (Node("", ((other[0], (Node(other[1]),)),)),)),)))
        made = self.pick((base, heir, heir))
        asking = self.count(0, 7) == 0
        if asking:
            kind, asked = self.name("Finds"), self.name("asked")
            finds = Node("", (("def find(self, on, text):", (Node("..."),)),))
            self.helpers.append(Node("", ((f"class {kind}(Protocol):", (finds,)),)))
            found = Node("return str(sorted(finds.find(on, text)))")
            self.helpers.append(Node("", ((f"def {asked}(finds: {kind}, on, text):", (found,)),)))
        if self.count(0, 9):
            shelf = self.name("shelf")
            self.helpers.append(Node(f"{shelf} = {made}()"))
            made = shelf
        else:
            made += "()"
        use = f"return {made}.{self.pick(('read', 'read', 'find'))}(on, text)"
        if "()" not in made and self.count(0, 4) == 0:
            use = f'r = {made}.find(on, text)\nif "error" in r:\n    return {{"path": r["error"]}}\nreturn r'
            if self.count(0, 1):
                fake = self.name("Fake")
                answer = Node('return {"error": "fake"}')
                self.helpers.append(
                    Node("", ((f"class {fake}:", (Node("", (("def find(self, on, text):", (answer,)),)),)),))
                )
                self.helpers.append(Node(f"sys.modules[__name__].{made} = {fake}()"))
        if asking:
            use = f"record({asked}({made}, on, text))\n{use}"
        if any("any" in header for header, _ in own):
            use = f'record(str({made}.any(on, text, "find")))\n{use}'
        uses = tuple(map(Node, use.split("\n")))
        return [Node("", ((f"if {self.condition()} in on:", uses),))]

    def handler(self, kind: str) -> tuple[str, tuple[Node, ...]]:
        named = self.pick(("exc", "e", "")) if kind else ""
        header = "except" + (f" {kind}" if kind else "") + (f" as {named}" if named else "") + ":"
        body: list[Node] = []
        self.caught.append(named or self.spare)
        if named and self.chance("rebound", 70):
            body.append(
                Node(
                    self.pick(
                        (
                            f"{named} = text",
                            f"{named} = None",
                            f"try:\n    risky(on, {self.condition()})\nexcept ValueError as {named}:\n    record('again')",
                            f"for {named} in (1,):\n    pass",
                            f"del {named}",
                            f"with open(os.devnull) as {named}:\n    pass",
                            f"text = text if ({named} := text) else text",
                        )
                    )
                )
            )
            self.caught[-1] = named if body[0].text == f"{named} = text" else ""
        choice = self.count(0, 9)
        if choice < 6:
            body.append(Node(self.error()))
        elif choice == 6:
            body.append(Node('record("caught")'))
        elif choice == 7:
            body.append(Node("raise" if self.count(0, 1) else 'return {"path": "handled"}'))
        elif choice == 8 and self.loops:
            body.append(Node(self.pick(("continue", "break"))))
        else:
            body.extend(self.statement())
        self.caught.pop()
        return header, tuple(body)

    def context(self) -> list[Node]:
        if self.is_async and self.count(0, 2) == 0:
            return [Node("", (("async with session():", self.block()),))]
        return [Node("", ((f"with {self.pick(CONTEXTS)}:", self.block()),))]

    def loop(self) -> list[Node]:
        self.loops += 1
        body = self.block() if self.count(0, 1) else tuple(self.attempt())
        self.loops -= 1
        header = self.pick(("for item in (1, 2):", "for item in range(2):", "while again():"))
        parts = [(header, (*body, Node("break")) if header == "while again():" else body)]
        if self.count(0, 2) == 0:
            parts.append(("else:", (self.guard(),)))
        return [Node("", tuple(parts))]

    def match(self) -> list[Node]:
        number = self.condition()
        return [
            Node(
                "",
                ((f"match {number} in on:\n    case True:\n        {self._one_line()}\n    case _:", (Node("pass"),)),),
            )
        ]

    def _one_line(self) -> str:
        return 'return {"error": f"matched {text}"}'

    def starred(self) -> list[Node]:
        if sys.version_info < (3, 11):
            return [self.guard()]
        number = self.condition()
        return [
            Node(
                "",
                (
                    ("try:", (Node(f"risky(on, {number})"), self.guard())),
                    (f"except* {self.pick(('ValueError', 'Exception'))}:", (Node('record("star")'),)),
                ),
            )
        ]

    def nested(self) -> list[Node]:
        name = self.name("inner")
        body = (self.guard(), *self.statement(), self.success())
        use = self.pick(
            (
                f"return {name}()",
                f"return {name}()",
                f"return {name}()",
                f"r = {name}()\nif 'error' in r:\n    return r",
                f"return apply({name})",
                f"return (lambda: {name}())()",
            )
        )
        head = f"def {name}():"
        if any("await" in render((node,)) or "async with" in render((node,)) for node in body):
            body = (self.guard(), self.success())
        return [Node("", ((head, body),)), Node("", ((f"if {self.condition()} in on:", (Node(use),)),))]

    # --- helpers ------------------------------------------------------------------------------------------------

    def define(self, *, is_generator: bool = False) -> tuple[str, bool]:
        """Make a helper, here or in the other module; return its name and whether it is async."""
        name = self.name("helper")
        is_async = self.is_async and self.count(0, 2) > 0
        outer_async, self.is_async = self.is_async, is_async
        outer_caught, self.caught = self.caught, []
        outer_loops, self.loops = self.loops, 0
        outer_spare, self.spare = self.spare, ""
        is_far = self.count(0, 2) == 0
        outer = self.features
        if is_far:
            self.features = outer & {"try", "keys", "marker", "message", "effects", "style"}
        decorator = ""
        if not is_far and (self.chance("decorator") or ("tests" in outer and self.count(0, 1))):
            decorator = f"{self.pick(('@retry', '@cached', '@quiet', '@quiet'))}\n"
        first = self._conditions + 1
        statements: list[Node] = [self.exact() if decorator and "tests" in outer else self.guard()]
        if self.depth < 3 and self.count(0, 1):
            statements.extend(self.statement())
        if outer & {"inspect", "tests"} and self.count(0, 3) == 0:
            statements.extend(self.raising())
        numbers = [first, first, self.count(first, self._conditions)]
        if outer & {"inspect", "tests"} and self.count(0, 3) == 0:
            statements.append(self.unread())
            numbers.extend([self._conditions] * 2)
        self.features = outer
        if not is_generator:
            number = self.pick(numbers)
            module = "far" if is_far else "server"
            has_example = "tests" in outer and not (is_async or decorator) and self.count(0, 11) == 0
            if has_example:
                example = self.pick(EXAMPLES).format(name=name, on=f"{{{number}}}")
                statements.insert(0, Node(f'"""Answer.\n\n{example}\n"""'))
            subject = Subject(module, name, is_async, number, is_decorated=bool(decorator), has_example=has_example)
            self.subjects.append(subject)
        self.is_async, self.caught, self.loops = outer_async, outer_caught, outer_loops
        self.spare = outer_spare
        if is_generator:
            statements.insert(0, Node(self.pick(("yield 1", "record((yield) or 'sent')", "while (yield):\n    pass"))))
        annotated = "text: str" if self.count(0, 2) else "text"
        head = f"{decorator}{'async ' if is_async else ''}def {name}(on, {annotated}):"
        end = (self.success(),) if self.count(0, 5) or not outer & {"inspect", "tests"} else ()
        node = Node("", ((head, (*statements, *end)),))
        (self.far if is_far else self.helpers).append(node)
        if not is_far and not is_async and self.count(0, 9) == 0:
            self.helpers.append(self.replacing(name))
            self.helpers.append(Node(f"replace_{name}()"))
        return name, is_async

    def replacing(self, name: str) -> Node:
        """A function that puts another one in the place of a helper."""
        fill = Node(f"global {name}\n{name} = lambda on, text: {{'error': 'replaced'}}")
        return Node("", ((f"def replace_{name}():", (fill,)),))

    def exact(self) -> Node:
        """An error whose text tests look for."""
        return Node("", ((f"if {self.condition()} in on:", (Node('return {"error": "not there"}'),)),))

    def unread(self) -> Node:
        """An error that is answered in a way in which none is looked for."""
        text = self.pick(("as ever", "not there", "bad it"))
        return Node("", ((f"if {self.condition()} in on:", (Node(f'return dict([("error", "{text}")])'),)),))

    def used(self) -> list[Node]:
        """A helper, in one way or the other."""
        return self.pick((self.helper, self.inspecting))()

    def helper(self) -> list[Node]:
        name, is_async = self.define()
        at = len(self.subjects) - 1
        call = f"{name}(on, text)"
        if is_async:
            call = f"await {call}"
        uses = [f"return {call}"] * 24
        uses += [
            f"return {call} or {{}}", f"return ({call}) and {{'path': 'and'}}", f"return [{call}]", f"return {{**({call}), 'path': 'more'}}",
            f"return dict({call})", f"return json.loads(json.dumps({call}))", f"return ({call}).get('error')",
            f"return {call} if {self.condition()} in on else {{'path': 'else'}}", f"return {call} if {self.condition()} in on else {call}", f"return ({call}, 1)[0]",
            f"r = {call}\nreturn r", f"r = {call}\nrecord('between')\nreturn r",
            f"return ('error' in ({call})) or {{'path': 'no'}}", f"return not ({call})", f"return (({call}) | {{'path': 'or'}})",
        ]  # fmt: skip
        wait, other = ("await ", "r = apply(run, on, text)") if is_async else ("", "record(str(apply(run, on, text)))")
        uses += [
            f"table = {{'run': {name}}}\n{use}"
            for use in (
                f"return {wait}table['run'](on, text)", f"run = table.get('run')\nreturn {wait}run(on, text) if run else {{}}",
                f"run = table['run']\nif not run: raise KeyError(text)\nreturn {wait}run(on, text)", "return table['run'](on, text)",
                f"record(str(sorted(table)))\nreturn {wait}table[text](on, text)", f"r = {wait}table['run'](on, text)\nreturn r",
                f"return {{**({wait}table['run'](on, text)), 'path': 'more'}}", f"record(str({wait}table['run'](on, text)))\nreturn {{}}",
                f"run = table['run']\n{other}\nreturn {wait}run(on, text)",
            )
        ]  # fmt: skip
        if not is_async:
            uses += [f"def other(run={name}):\n    return str(sorted(run(on, text)))\nrecord(other())\nreturn {call}",
                     f"run = lambda ask={name}: len(ask(on, text))\nrecord(str(run()))\nreturn {call}",
                     f"record(str(sorted(globals()['{name}'](on, text))))\nreturn {call}",
                     f"assert 'error' not in {call}\nreturn {call}", f"found = [1 for _ in (1,) if 'error' in {call}]\nrecord(str(found))\nreturn {call}",
                     f"match {call}:\n    case {{'error': _}}:\n        return {{'path': 'matched'}}\nreturn {call}",
                     f"match text:\n    case _ if 'error' in {call}:\n        return {{'path': 'guarded'}}\nreturn {call}",
                     f"{name}_result = (lambda {name}: str({name}))(text)\nrecord({name}_result)\nreturn {call}",
                     f"record(str([{name} for {name} in (1, 2)]))\nreturn {call}"]  # fmt: skip
            uses += [f"record(str(apply({name}, on, text)))\nreturn {call}"] * 2
            uses += [f"return apply({name}, on, text)", f"return {{'run': {name}}}['run'](on, text)", f"return (lambda: {call})()",
                     f"call = {name}\nreturn call(on, text)", f"return [{call} for _ in (1,)][0]"]  # fmt: skip
        elif not self.loops:
            uses += [f"return {name}(on, text)"] * 2 + [f"return await asyncio.wait_for({name}(on, text), 5)",
                     f"task = asyncio.create_task({name}(on, text))\nreturn await task"]  # fmt: skip
        is_plain = "tests" in self.features and self.subjects[at].is_decorated and self.count(0, 2)
        use = f"return {call}" if is_plain else self.pick(uses)
        nodes: list[Node] = [Node(line) for line in re.split(r"\n(?! )", use)]
        if self.chance("try") or self.chance("handlers"):
            nodes = [Node("", (("try:", tuple(nodes)), self.handler(self.pick(CAUGHT))))]
        elif self.chance("with"):
            nodes = [Node("", ((f"with {self.pick(CONTEXTS)}:", tuple(nodes)),))]
        number = self.condition()
        self.subjects[at] = self.subjects[at]._replace(use=number)
        return [Node("", ((f"if {number} in on:", tuple(nodes)),))]

    def inspecting(self) -> list[Node]:
        name, is_async = self.define()
        self.subjects[-1] = self.subjects[-1]._replace(is_inspected=True)
        call = f"await {name}(on, text)" if is_async else f"{name}(on, text)"
        test = self.pick(
            (
                *['"error" in r'] * 12, 'r.get("error")', 'not r.get("success", True)', "len(r) == 1",
                'isinstance(r, dict) and "error" in r', 'not r["success"]', 'r.get("error") is not None', "r",
                'r.get("status") == "error"', 'r["success"] is False', '"path" not in r', 'r.get("error") == "not there"',
                'r and r.get("error")', 'not r or "error" in r', 'r is None or "error" in r', '"error" in r or "path" not in r', f'"error" in r and {self.condition()} in on',
            )
        )  # fmt: skip
        ways = [
            *["return r"] * 12, *['return {"error": r["error"]}', 'return {"path": "inspected"}'] * 3, "return {**r}",
            'return {"path": "inspected"}', 'return {"error": "it said " + str(r.get("error"))}', 'record("inspected")\nreturn r',
            """return {"path": f"no {r['error']}"}""", 'raise ShopError(r["error"])', 'raise BadValueError(str(r["error"])) from None',
            'record(str(r.get("error", "none")))\nreturn {"error": r["error"]}', 'record("inspected")', 'return {"path": r["path"]}',
            'return [r["error"]]', 'return {"path": (lambda: r["error"])()}', 'raise', 'record(str(len(r)))\nreturn {"path": "x"}',
            'r = {"path": "other"}', "try:\n    raise ValueError(r['error'])\nexcept ValueError as error:\n    return {'path': str(error)}",
            f'if {self.condition()} in on:\n    return {{"path": r["error"]}}', "del r", 'return {"error": r["error"], "path": ""}',
            """return {"path": f"{r['error']=}"}""", 'del r["error"]\nreturn {**r, "path": "none"}', 'r["error"] += "!"\nreturn {"path": r["error"]}',
        ]  # fmt: skip
        if "tests" in self.features:
            ways = [*ways[-25:], *['return {"path": "inspected"}'] * 12]
        if self.count(0, 4) == 0:
            return self._with_name(call, test)
        if self.loops:
            ways += ["continue", "break", 'record(r["error"])\ncontinue']
        nodes = [Node(f"r = {call}"), Node("", ((f"if {test}:", (Node(self.pick(ways)),)),))]
        more = self.count(0, 19)
        if more == 0:
            nodes.insert(1, Node('record("between")'))
        elif more == 1:
            nodes[1] = Node("", (*nodes[1].parts, ("else:", (Node("return r"),))))
        elif more == 2:
            nodes[1] = Node("", (*nodes[1].parts, ('elif "path" in r:', (Node("return r"),))))
        elif more == 3:
            nodes.append(Node(self.pick(("return r", 'record(str(r.get("path")))', "record(str(sorted(r)))"))))
        elif more in (4, 9, 10):
            end = Node(self.pick(('record("end")', "record(str(r))", "record(str(r))")))
            nodes = [Node("r = {}"), Node("", (("try:", tuple(nodes)), ("finally:", (end,))))][self.count(0, 1) :]
        elif more == 5:
            nodes = [Node("r = {}"), Node("", (("try:", tuple(nodes)), self.handler(self.pick(CAUGHT))))]
        elif more == 8:
            shown = self.name("shown")
            way = Node(f"record({shown}())\nreturn {{'path': 'shown'}}")
            inner = Node("", ((f"def {shown}():", (Node("return str(sorted(r))"),)),))
            nodes = [inner, Node(f"r = {call}"), Node("", ((f"if {test}:", (way,)),))]
        elif more == 6:
            nodes = [Node("# before"), nodes[0], Node("# between"), nodes[1], Node("# after")]
        elif more == 7:
            nodes = [Node("r = {}"), Node("", (("for item in (1, 2):", tuple(nodes)),)), Node("record(str(sorted(r)))")]
        return nodes

    def _with_name(self, call: str, test: str) -> list[Node]:
        """A check in a function that has a use of its own for what exceptions are called."""
        name = self.pick(("exc", "error"))
        way = self.pick((f"record({name})\nreturn {{'path': r['error']}}", f"return {{'path': r['error'] + {name}}}"))
        return [Node(f"{name} = text"), Node(f"r = {call}"), Node("", ((f"if {test}:", (Node(way),)),))]

    def generated(self) -> list[Node]:
        async_, self.is_async = self.is_async, False
        name, _ = self.define(is_generator=True)
        self.is_async = async_
        return [
            Node(
                "",
                (
                    (
                        f"if {self.condition()} in on:",
                        (
                            Node(
                                self.pick(
                                    (
                                        f"return [*{name}(on, text)]",
                                        f"for _ in {name}(on, text):\n    pass",
                                        f"return {name}(on, text)",
                                    )
                                )
                            ),
                        ),
                    ),
                ),
            )
        ]

    def gathered(self) -> list[Node]:
        name, is_async = self.define()
        if not is_async or not self.is_async:
            return [self.guard()]
        uses = [
            f"return (await asyncio.gather({name}(on, text)))[0]",
            f"return (await asyncio.gather({name}(on, text), return_exceptions=True))[0]",
            f"await asyncio.gather({name}(on, text), return_exceptions=True)",
            f"return await asyncio.shield({name}(on, text))",
        ]
        if sys.version_info >= (3, 11):
            uses.append(
                f"async with asyncio.TaskGroup() as group:\n    task = group.create_task({name}(on, text))\nreturn task.result()"
            )
        return [Node("", ((f"if {self.condition()} in on:", (Node(self.pick(uses)),)),))]

    def deferred(self) -> list[Node]:
        """An answer that is put into a variable, and returned further down."""
        name = self.name("answer")
        good = self.pick(('{"path": text}', '{"path": "x", "content": 1}', 'record("made")'))
        between = self.pick(("", "", "", f"\nrecord({name})", f'\n{name}["path"] = "y"', '\nrecord("still")'))
        self.caught.append("exc")
        bad = Node(f'{name} = {{"error": {self.message()}, "path": ""}}' + between)
        self.caught.pop()
        fine = Node(f"{name} = {good}")
        kind = self.pick((0, 0, 1, 1, 2, 2, 3, 3, 3, 3, 4))
        if kind == 3:
            return self._stored(name, between)
        if kind == 0:
            parts = [("try:", (Node(f"risky(on, {self.condition()})"), fine)), ("except ValueError as exc:", (bad,))]
            if self.count(0, 2) == 0:
                parts.append(("finally:", (Node(self.pick((f"record({name})", 'record("end")'))),)))
        elif kind == 1:
            plain = Node(bad.text.replace("exc", "text"))
            parts = [(f"if {self.condition()} in on:", (plain,)), ("else:", (fine,))]
        elif kind == 2:
            plain = Node(bad.text.replace("exc", "text"))
            parts = [
                (f"if {self.condition()} in on:", (fine,)),
                (f"elif {self.condition()} in on:", (plain,)),
                ("else:", (Node("# nothing known"), Node(f'{name} = {{"error": "else"}}'))),
            ]
        else:
            loop = f"for item in (1, 2):\n    if {self.condition()} in on:\n        {name} = {{'error': 'in a loop'}}"
            body = (fine, Node(loop), Node(f"return {name}"))
            return [Node("", ((f"if {self.condition()} in on:", body),))]
        outer = (*([Node(f"{name} = None")] if kind == 0 else []), Node("", tuple(parts)), Node(f"return {name}"))
        return [Node("", ((f"if {self.condition()} in on:", outer),))]

    def _stored(self, name: str, between: str) -> list[Node]:
        """An answer that becomes an error further down, with one thing at most that stands against it."""
        hazard = self.pick(("", "", "before", "before", "text", "text", "seen", "seen", "test", "try"))
        start = self.pick(('{"path": ""}', '{"path": ""}', "{}", "dict()", '{"path": text}', "EMPTY"))
        stores = f'{name}["error"] = "stored"{between}\nreturn {name}'
        if hazard == "text":
            start = self.pick(('{"error": f"at {text}"}', '{"error": text}', '{"error": "at " + text}'))
            stores = f'{name}["path"] = ""{between}\nreturn {name}'
        first = {
            "before": self.pick(
                (f'{name}["count"] = 1', f'{name}["error"] = "first"', f"other = {name}", f"record({name})")
            ),
            "text": "text = 'new'",
        }.get(hazard, "")
        test = f"{self.condition()} in on"
        parts: list[tuple[str, tuple[Node, ...]]] = [(f"if {test}:", (Node(stores),))]
        if hazard == "test":
            parts = [(f"if {name}.update(path='new') or {test}:", (Node(stores),))]
        elif hazard == "try":
            tried = (Node(f'{name}["path"] = "new"'), Node(f"risky(on, {self.condition()})"))
            parts = [("try:", tried), ("except ValueError:", (Node(stores),))]
        whole = [Node(f"{name} = {start}"), *([Node(first)] if first else []), Node("", tuple(parts))]
        if hazard == "seen":
            seen = (Node(f"record(str(sorted(see_{name}())))"),)
            return [
                Node(f"see_{name} = lambda: {name}"),
                whole[0],
                Node("", (("try:", tuple(whole[1:])), ("finally:", seen))),
            ]
        return whole

    def factory(self, *bodies: str) -> str:
        """Make an error factory, with one of some bodies; return a call of it."""
        name = self.name("fail")
        body = self.pick(
            bodies
            or (
                'return {"error": message, "path": path}',
                'return {"error": f"Failed: {message}", "success": False}',
                'return {"error": str(message), "path": path, **more}',
                'payload = {"error": message}\nif path:\n    payload["path"] = path\nreturn payload',
                'record("built")\nreturn {"error": message}',
                'return {"path": path, "error": message}',
                'return {"error": message, "details": message}',
                'return {"error": "fixed"}',
                'return {"error": message or "none", "path": path or ""}',
                'return {"error": message, "path": EMPTY["path"]}',
                'return {"error": f"{message} {EMPTY[\'path\']}"}',
                'return {"error": str(message) + note}',
                'return {"error": f"{message=}"}',
                'return {"error": f"{message} {sorted(locals())}"}',
            )
        )
        note = ", note=record('at first')" if "note" in body else ""
        head = f'def {name}(message, path=""{note}, **more):'
        self.helpers.append(Node("", ((head, tuple(Node(line) for line in [body])),)))
        if self.count(0, 9) == 0:
            change = f"global {name}\n{name} = lambda *_, **more: {{'error': 'changed'}}"
            self.helpers.append(Node("", ((f"def change_{name}():", (Node(change),)),)))
            self.helpers.append(Node(f"change_{name}()"))
        message = self.message()
        return self.pick(
            (
                f"{name}({message})",
                f"{name}(message={message})",
                f'{name}({message}, "")',
                f'{name}({message}, path=record("p"))',
                f'{name}(record("m"), path=text)',
                f"{name}(path=text, message={message})",
                f"{name}({message}, count=0)",
                f"{name}(*[{message}])",
            )
        )

    # --- payloads -----------------------------------------------------------------------------------------------

    def error(self) -> str:
        """Return a statement that returns an error payload, perhaps with one before it."""
        before = ""
        is_tested = "tests" in self.features
        message = '"not there"' if is_tested and self.count(0, 2) == 0 else self.message()
        if self.chance("message", 25) and "yield" not in message:
            before, message = f"message = {message}\n", "message"
        key = '"error"'
        if self.chance("marker", 15):
            key = self.pick(('"message"', '"err"', '"error_message"'))
        entries = [f"{key}: {message}"]
        if "marker" in self.features:
            markers = ('"success": False', '"status": "error"', '"ok": False', '"isError": True', '"success": None')
            entries += [self.pick(markers)]
        elif is_tested and self.count(0, 2) == 0:
            entries += ['"success": False']
        if "keys" in self.features:
            entries += [self.pick(ENTRIES[self.empty]) for _ in range(self.count(0, 2))]
        if self.chance("text forms", 50):
            entries.append(
                self.pick(
                    (
                        '"details": text',
                        '"path": record("p")',
                        '"code": "bad"',
                        '"error_code": "B1"',
                        '"count": risky(on, 1)',
                    )
                )
            )
        if self.chance("text forms", 15):
            entries[0] = f'"error": {{"message": {message}, "type": "bad"}}'
        if self.count(0, 3) == 0:
            entries.reverse()
        if "text forms" in self.features and self.count(0, 19) == 0:
            entries.append('"error": "twice"')
        payload = "{" + ", ".join(entries) + "}"
        form = self.count(0, 9) if "text forms" in self.features or "style" in self.features else 0
        if form == 1:
            payload = "{\n    # a remark\n" + "".join(f"    {entry},\n" for entry in entries) + "}"
        elif form == 2 and all(entry.count('"') >= 2 for entry in entries):
            payload = (
                "dict("
                + ", ".join(
                    f"{entry.partition(': ')[0].strip(chr(34))}={entry.partition(': ')[2]}" for entry in entries
                )
                + ")"
            )
        elif form == 3:
            payload = f"json.dumps({payload})" if not self.far else payload
        elif form == 4:
            payload = f"{payload} if {self.condition()} in on else {{'path': 'fine'}}"
        elif form == 5:
            payload = f"({payload})"
        if "forms" in self.features and not before:
            kind = self.count(0, 9)
            number = self.condition() if kind < 3 else 0
            fine = "{'path': 'fine'}"
            if kind == 0:
                return f"return {fine} if {self.pick(('', 'not '))}{number} in on else {payload}"
            if kind == 1:
                return f"return {payload} if {number} in on else {fine}"
            if kind == 2:
                return f"return ({number} in on and {fine}) or {payload}"
            if kind == 3:
                return f"made = {payload}\nreturn made"
            if kind == 4 and self.count(0, 1):
                return f"made = {{'error': record('first')}}\nmade['error'] = {message}\nreturn made"
            if kind == 4:
                return f"made = {{}}\nmade['error'] = {message}\nmade['path'] = {self.pick(('text', '0'))}\nreturn made"
            if kind == 5:
                return (
                    f"made = {payload}\n{self.pick(('record(made)', 'text = 1', 'logging.error(text)'))}\nreturn made"
                )
            if kind < 9:
                if self.count(0, 7) == 0:
                    own = self.factory('return {"error": str(message) + EMPTY["path"]}')
                    return f"EMPTY = {{'path': 'own'}}\nreturn {own}"
                return f"return {self.factory()}"
        return f"{before}return {payload}"

    def message(self) -> str:
        caught = self.caught[-1] if self.caught else ""
        options = ['"not there"', 'f"bad {text}"', '"missing it"', 'f"missing {text!r}"']
        if caught:
            options += [f"str({caught})", f'f"failed: {{{caught}}}"', f'"failed: %s" % {caught}']
        if "message" in self.features:
            options += [
                "text", 'text or "none"', '"bad {}".format(text)', '"bad %s" % text', '"bad " + text', 'text + "!"',
                'record("m")', 'f"{record(text)}"', '(\n    "a long "\n    f"{text}"\n)', '"a" if 1 in on else "b"', "str(len(on))",
                '", ".join([text])', "len(on)", "text.upper()", "[text]", "None or text", 'on and "full" or "none"', "text if 1 in on else 2",
                '"""several\nlines"""', "(text,)", '(m := f"walrus {text}")',
            ]  # fmt: skip
            if caught:
                options += [
                    caught,
                    f"{caught}.args",
                    f"{caught}.args[0]",
                    f"repr({caught})",
                    f"str({caught}) or 'none'",
                ]
        return self.pick(options)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Return a strategy for programs."""
    return Generator(lambda first, last: draw(st.integers(first, last))).program()


def random_program(seed: str) -> Program:
    """Return the program of a seed: from the same grammar, without what Hypothesis keeps for shrinking."""
    return Generator(random.Random(seed).randint).program()
