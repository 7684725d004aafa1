"""Places that may call a function: what their handlers make of the exception that it raises from now on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command_line import Run
from test_fix import START, TOOL, fixes, reasons

ERRORS = "class ShopError(Exception):\n    pass\n\n\nclass Closed(ShopError):\n    pass\n"

DEPOT = """\
{imports}class Depot:
    def find(self, text: str) -> dict:
        try:
            return {{"path": load(text)}}
        except OSError as e:
            {error}
"""

SERVER = """\
import json

from fastmcp import FastMCP

from errors import Closed, ShopError

server = FastMCP("shop")


@server.tool()
def ping() -> dict:
    return {"pong": True}


class Server:
    def __init__(self, depot, logger):
        self.depot = depot
        self.depot = depot or make()
        self.logger = logger

    def ask(self, text: str) -> str:
        try:
            found = self.depot.find(text)
            text = json.dumps(found, default=str)
            return f"found: {text}"
"""

RETURNED = 'return {"status": "error", "error": f"no {text}: {e}"}'

TOLD = {
    "a class of the project": (
        'except ShopError as e:\n    return f"shop: {e}"\nexcept Exception as e:\n    return f"{type(e).__name__}"\n',
        "ShopError",
    ),
    "the most general class of the project": (
        "except Closed as e:\n    return str(e)\nexcept ShopError as e:\n    text = str(e)\n    return text\n"
        'except Exception:\n    return "bad"\n',
        "ShopError",
    ),
    "a builtin": ('except ValueError as e:\n    return str(e)\nexcept Exception:\n    return "bad"\n', "ValueError"),
    "any class": ('except Exception as e:\n    self.logger.error(e)\n    return f"bad: {e}"\n', "RuntimeError"),
    "any class, further out": ("except Exception as e:\n    self.logger.error(e)\n    raise\n", "RuntimeError"),
}

HIDDEN = {
    "another text": ('except Exception as e:\n    self.logger.error(str(e))\n    return "bad"\n', 'answers `"bad"`'),
    "the name of the class": (
        "except Exception as e:\n    kind = type(e).__name__\n    return kind\n",
        "answers `kind`",
    ),
    "nothing": ("except Exception as e:\n    self.logger.error(str(e))\nreturn text\n", "goes on without it"),
}


def fixed(folder: Path, errlint: Run, handlers: str) -> tuple[str, str]:
    """Fix a method that a server may call, with some handlers around; return its file, and what the run says."""
    inside = "".join(f"        {line}\n" for line in handlers.splitlines())
    (folder / "errors.py").write_text(ERRORS)
    (folder / "depot.py").write_text(DEPOT.format(imports="", error=RETURNED))
    (folder / "server.py").write_text(SERVER + inside)
    done = errlint("--isolated", "--no-cache", "--select", "ERR101", "--fix", "--unsafe-fixes", "--show-fixes")
    return (folder / "depot.py").read_text(), done.err


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("handlers", "raised"), TOLD.values(), ids=TOLD)
def test_an_error_is_raised_as_what_its_callers_tell(tmp_path: Path, errlint: Run, handlers: str, raised: str) -> None:
    text, told = fixed(tmp_path, errlint, handlers)
    imports = "from errors import ShopError\n\n\n" if raised == "ShopError" else ""
    assert text == DEPOT.format(imports=imports, error=f'raise {raised}(f"no {{text}}: {{e}}") from e')
    assert "may be caught here" not in told
    assert "it may be called here, or another function of its name: `self.depot.find`" in told


@pytest.mark.parametrize(("handlers", "instead"), HIDDEN.values(), ids=HIDDEN)
def test_a_handler_that_may_hide_an_error_is_named(tmp_path: Path, errlint: Run, handlers: str, instead: str) -> None:
    text, told = fixed(tmp_path, errlint, handlers)
    assert text == DEPOT.format(imports="", error='raise RuntimeError(f"no {text}: {e}") from e')
    assert f"server.py:26  an error of `Depot.find` may be caught here, which {instead}\n" in told


def test_a_handler_around_several_calls_is_named_once(tmp_path: Path, errlint: Run) -> None:
    parts = ["find", "lend", "count", "sort", "move"]
    depot = DEPOT.format(imports="", error=RETURNED)
    (tmp_path / "errors.py").write_text(ERRORS)
    (tmp_path / "depot.py").write_text(
        "\n\n".join(f"{depot}".replace("Depot", part.title()).replace("find", part) for part in parts)
    )
    calls = "".join(f"            text = self.depot.{part}(text)\n" for part in parts[1:])
    handler = "        except Exception:\n            return 'bad'\n"
    (tmp_path / "server.py").write_text(
        SERVER.replace("            text = json", f"{calls}            text = json") + handler
    )
    done = errlint("--isolated", "--no-cache", "--select", "ERR101", "--fix", "--unsafe-fixes")
    caught = "an error of `Count.count`, `Find.find`, `Lend.lend` and 2 more may be caught here, which answers"
    assert done.err.count(caught) == 1
    assert done.err.count("may be caught here") == 1


def test_a_relative_import_leads_to_the_file_beside_it(tmp_path: Path, errlint: Run) -> None:
    handlers, _ = TOLD["a class of the project"]
    for name, errors in (("another", "class OtherError(Exception):\n    pass\n"), ("shop", ERRORS)):
        place = tmp_path / name / "src"
        place.mkdir(parents=True)
        (place / "__init__.py").write_text("")
        (place / "errors.py").write_text(errors)
    inside = "".join(f"        {line}\n" for line in handlers.splitlines())
    (place / "server.py").write_text(SERVER.replace("from errors", "from .errors") + inside)
    (place / "depot.py").write_text(DEPOT.format(imports="from .errors import Closed\n\n\n", error=RETURNED))
    errlint("--isolated", "--no-cache", "--select", "ERR101", "--fix", "--unsafe-fixes")
    imports = "from .errors import Closed, ShopError\n\n\n"
    after = DEPOT.format(imports=imports, error='raise ShopError(f"no {text}: {e}") from e')
    assert (place / "depot.py").read_text() == after


SEVERAL = """\
from mcp.server.lowlevel import Server

from depot import find

server = Server("shop")


@server.call_tool()
async def call_tool(name: str, arguments: dict) -> list:
    try:
        return find(arguments["text"])
{clause}    except Exception as e:
        raise RuntimeError(f"bad: {{e}}") from e
"""

LOW = """\
def find(text: str) -> dict:
    if not text:
        {no_text}
    try:
        return {{"path": load(text)}}
    except OSError as e:
        {no_path}
"""


def test_several_classes_pass_a_handler_in_one_clause(tmp_path: Path, errlint: Run) -> None:
    no_path = 'return {"error": f"no path: {e}"}'
    (tmp_path / "depot.py").write_text(LOW.format(no_text='return {"error": "no text"}', no_path=no_path))
    (tmp_path / "server.py").write_text(SEVERAL.format(clause=""))
    errlint("--isolated", "--no-cache", "--select", "ERR101", "--fix", "--unsafe-fixes")
    no_text, no_path = 'raise ValueError("no text")', 'raise RuntimeError(f"no path: {e}") from e'
    assert (tmp_path / "depot.py").read_text() == LOW.format(no_text=no_text, no_path=no_path)
    clause = "    except (RuntimeError, ValueError):\n        raise\n"
    assert (tmp_path / "server.py").read_text() == SEVERAL.format(clause=clause)


PLAIN = """\
from mcp.server.lowlevel import Server

from depot import find

server = Server("shop")


@server.call_tool()
async def call_tool(name: str, arguments: dict) -> list:
    {call}
"""

AGAIN = {
    "the text alone": (
        '    try:\n        return load(text)\n    except OSError as e:\n        return {"error": str(e)}\n',
        "    return load(text)\n",
    ),
    "a log call before the text": (
        "    try:\n        return load(text)\n    except Exception as e:\n        logger.exception(text)\n"
        '        return {"error": str(e)}\n',
        "    try:\n        return load(text)\n    except Exception:\n        logger.exception(text)\n        raise\n",
    ),
    "a log call with the text": (
        "    try:\n        return load(text)\n    except OSError as e:\n        logger.error(e)\n"
        '        return {"status": "error", "message": f"{e}"}\n',
        "    try:\n        return load(text)\n    except OSError as e:\n        logger.error(e)\n        raise\n",
    ),
    "another text": (
        '    try:\n        return load(text)\n    except OSError as e:\n        return {"error": f"bad: {e}"}\n',
        "    try:\n        return load(text)\n    except OSError as e:\n"
        '        raise RuntimeError(f"bad: {e}") from e\n',
    ),
    "another text on several lines": (
        "    try:\n        return load(text)\n    except OSError as e:\n        return {\n"
        '            "error": f"bad: {e}, "\n            "or worse",\n        }\n',
        "    try:\n        return load(text)\n    except OSError as e:\n        raise RuntimeError(\n"
        '            f"bad: {e}, "\n            "or worse",\n        ) from e\n',
    ),
}


@pytest.mark.parametrize(("before", "after"), AGAIN.values(), ids=AGAIN)
def test_what_is_caught_is_raised_again(tmp_path: Path, errlint: Run, before: str, after: str) -> None:
    header = "import logging\n\nlogger = logging.getLogger(__name__)\n\n\ndef find(text: str) -> dict:\n"
    (tmp_path / "depot.py").write_text(header + before)
    (tmp_path / "server.py").write_text(PLAIN.format(call='return find(arguments["text"])'))
    errlint("--isolated", "--no-cache", "--select", "ERR101", "--fix", "--unsafe-fixes")
    assert (tmp_path / "depot.py").read_text() == header + after


@pytest.mark.parametrize(
    ("caught", "expected"),
    [("OSError", "OSError"), ("(OSError, ERRORS[0])", "Exception")],
    ids=["its class", "any, where one is not known"],
)
def test_a_test_expects_of_what_is_raised_again(tmp_path: Path, errlint: Run, caught: str, expected: str) -> None:
    body = f"    try:\n        return load(text)\n    except {caught} as e:\n        return {{'error': str(e)}}\n"
    test = "def test_it():\n    assert find('')['error'] == 'no text'\n"
    (tmp_path / "tests").mkdir()
    (tmp_path / "depot.py").write_text(f"def find(text: str) -> dict:\n{body}")
    (tmp_path / "server.py").write_text(PLAIN.format(call='return find(arguments["text"])'))
    (tmp_path / "tests/test_depot.py").write_text(f"from depot import find\n\n\n{test}")
    errlint("--isolated", "--no-cache", "--select", "ERR101", "--fix", "--unsafe-fixes")
    assert (tmp_path / "depot.py").read_text() == "def find(text: str) -> dict:\n    return load(text)\n"
    after = f"def test_it():\n    with pytest.raises({expected}, match=\"no text\"):\n        find('')\n"
    assert (tmp_path / "tests/test_depot.py").read_text().endswith(after)


def test_what_is_caught_has_a_class_of_its_own_where_a_handler_may_tell_it_from_others(
    tmp_path: Path, errlint: Run
) -> None:
    before, _ = AGAIN["the text alone"]
    (tmp_path / "depot.py").write_text(f"def find(text: str) -> dict:\n{before}")
    call = 'try:\n        return find(arguments["text"])\n    except OSError:\n        return []'
    (tmp_path / "server.py").write_text(PLAIN.format(call=call))
    errlint("--isolated", "--no-cache", "--select", "ERR101", "--fix", "--unsafe-fixes")
    after = before.replace('return {"error": str(e)}', "raise RuntimeError(str(e)) from e")
    assert (tmp_path / "depot.py").read_text() == f"def find(text: str) -> dict:\n{after}"


def test_handlers_in_one_another_get_names_of_their_own(tmp_path: Path, errlint: Run) -> None:
    source = (
        "from fastmcp import FastMCP\n\nserver = FastMCP()\n\n\n@server.tool()\ndef find(name: str) -> dict:\n"
        "    try:\n        first(name)\n    except ValueError:\n        try:\n            second(name)\n"
        '        except OSError:\n            if name:\n                return {"error": "no second"}\n'
        "        try:\n            third(name)\n        except KeyError as e:\n            print(e)\n"
        '        return {"error": "no first"}\n    return {}\n'
    )
    (tmp_path / "server.py").write_text(source)
    errlint("--isolated", "--no-cache", "--select", "ERR101", "--fix", "--unsafe-fixes")
    text = (tmp_path / "server.py").read_text()
    outer, inner = (re.search(rf"except {each} as (\w+):", text) for each in ("ValueError", "OSError"))
    assert outer is not None and inner is not None and outer[1] != inner[1]


DOES_MORE = {
    "a call": "apply(on)",
    "a statement around a call": "try:\n            apply(on)\n        except ValueError:\n            apply(text)",
    "a store": "apply.last = on",
    "a count": "on += 1",
}

PASSES = {"a log call": "logger.info('lost')", "a name": "on = None", "nothing": "pass"}


def around(handler: str, does: str) -> str:
    """Return a tool with an error return in a ``try`` whose handler raises again, after doing something."""
    return f'{START}{TOOL}    try:\n        return {{"error": "x"}}\n    {handler}:\n        {does}\n        raise\n'


@pytest.mark.parametrize("does", DOES_MORE.values(), ids=DOES_MORE)
def test_an_error_passes_no_handler_that_does_more_than_to_raise_it_again(tmp_path: Path, does: str) -> None:
    found = fixes(tmp_path, around("except Exception", does))
    assert (reasons(found.hidden), reasons(found.refused)) == ([], [])
    text = found.contents["shop/server.py"][1].decode()
    assert '        raise ShopError("x")\n    except ShopError:\n        raise\n    except Exception:\n' in text


@pytest.mark.parametrize("does", PASSES.values(), ids=PASSES)
def test_an_error_passes_a_handler_that_only_raises_it_again(tmp_path: Path, does: str) -> None:
    found = fixes(tmp_path, around("except Exception", does))
    assert "except ShopError" not in found.contents["shop/server.py"][1].decode()


def test_a_handler_of_such_errors_that_does_more_is_looked_at(tmp_path: Path) -> None:
    found = fixes(tmp_path, around("except ShopError", "apply(on)"))
    assert reasons(found.hidden) == ["`except ShopError` does more before it raises an error again, for this one too"]


BOUNDARY = """\
import functools


class ShopError({base}):
    pass


def handle_errors(empty_result):
    def decorate(function):
        @functools.wraps(function)
        def inner(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            except Exception as exc:
                return {{**empty_result, "error": str(exc), "problem": {{"title": type(exc).__name__}}}}

        return inner

    return decorate
"""

PASSED = f"{START}{TOOL}    try:\n        load(on)\n    except ShopError as e:\n        return {{'error': str(e)}}\n"


def test_an_error_passes_a_handler_to_a_boundary_that_catches_it(tmp_path: Path) -> None:
    found = fixes(tmp_path, PASSED, BOUNDARY.format(base="Exception"))
    assert found.contents["shop/server.py"][1].decode().endswith("):\n    load(on)\n")


@pytest.mark.parametrize("base", ["BaseException", "SystemExit", "KeyboardInterrupt"])
def test_what_is_no_exception_passes_no_handler_to_a_boundary_of_exceptions(tmp_path: Path, base: str) -> None:
    found = fixes(tmp_path, PASSED, BOUNDARY.format(base=base), unsafe=True)
    assert found.contents == {}
    assert "no handler of the boundary `handle_errors` catches `ShopError`" in reasons(found.refused)
