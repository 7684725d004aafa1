"""Callers that only tell what a call answers: an exception passes them by where a framework answers it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest
from command_line import Run

SERVER = """\
import json

from fastmcp import FastMCP
{imports}
from kept import keep, settings

server = FastMCP("shop")


def find(text: str) -> dict:
    if not text:
        {error}
    return {{"path": text, "pages": 1}}


@server.tool()
def read(text: str, other: str = "") -> dict:
"""

RELAYED = {
    "parts of an answer": 'found = find(text)\nreturn {"success": True, "path": found["path"], "told": f"of {text}"}\n',
    "an answer with what was known before": "name = other or settings.NAME\nfound = find(name)\nreturn {name: found}\n",
    "a call inside of an answer": 'return {"path": find(text)["path"]}\n',
    "a text of an answer": 'told = json.dumps(find(text), indent=2)\nreturn {"content": told}\n',
    "an answer of one of two ways": (
        'if other:\n    found = find(other)\nelse:\n    found = keep()\nreturn {"path": found}\n'
    ),
    "an answer that a log call speaks of": (
        'found = find(text)\nserver.logger.info("%s", found)\nreturn {"path": found}\n'
    ),
    "what else is done behind it": 'found = find(text)\nkeep(other)\nreturn {"path": found}\n',
    "an answer that is asked for its form": (
        'found = find(text)\nif hasattr(found, "dict"):\n    found = found.dict()\nreturn {"path": found}\n'
    ),
    "parts that are gathered": (
        'found = find(text)\nparts = []\nfor page in found.get("pages", []):\n    parts.append(page)\n'
        'return {"parts": parts}\n'
    ),
    "what a method makes of an answer": (
        'told = find(text).get("path")\nif other:\n    keep(other)\nname = text.strip()\n'
        'return {"told": told, "name": name}\n'
    ),
    "an answer that is returned after a success is kept": (
        'found = find(text)\nif other and found.get("success"):\n    keep(found)\nreturn found\n'
    ),
    "a success that is kept": (
        'found = find(text)\nif found.get("success") and other:\n    keep(found)\nreturn {"path": found}\n'
    ),
    "whether there is an error, beside it": (
        'found = find(text)\nok = "error" not in found\nreturn {"ok": ok, "path": found}\n'
    ),
    "a check that only tells the error": (
        'found = find(text)\nwrong = found.get("error")\nif isinstance(wrong, str) and wrong:\n'
        '    return {"failed": wrong}\nreturn {"path": found}\n'
    ),
}

GOES_ON = {
    "the first of several answers": ("found = [find(text)]\nfound.extend([keep(other)])\nreturn {'paths': found}\n"),
    "an answer with others that were worked out": (
        "found = [find(text)]\nmore = keep(other)\nfound.append(more)\nreturn {'paths': found}\n"
    ),
    "an answer beside another one": 'more = keep(text)\nfound = find(text)\nreturn {"path": found, "more": more}\n',
    "an answer that is kept": 'found = find(text)\nkeep(found)\nreturn {"path": found}\n',
    "an answer that an object holds": 'found = find(text)\nserver.found = found\nreturn {"path": found}\n',
    "one answer of several": 'found = []\nfor item in text:\n    found.append(find(item))\nreturn {"path": found}\n',
    "an answer that is not told": 'found = find(text)\nkeep(len(found))\nreturn {"path": text}\n',
    "a check that does something about the error": (
        'found = find(text)\nif found.get("error"):\n    keep(text)\nreturn {"path": found}\n'
    ),
    "a check that tells more than the error": (
        'found = find(text)\nwrong = found.get("error")\nif isinstance(wrong, str) and wrong:\n'
        '    return {"failed": f"no: {wrong}"}\nreturn {"path": found}\n'
    ),
    "a check of the success that tells more of the error behind it": (
        'found = find(text)\nkeep(other)\nif found.get("success"):\n    return {"path": found}\n'
        'return {"failed": f"no: {found}"}\n'
    ),
    "a handler that does without it": (
        'try:\n    found = find(text)\n    return {"path": found["path"]}\nexcept KeyError:\n    return {"path": ""}\n'
    ),
    "whether there is an error": 'found = find(text)\nreturn {"found": is_found(found)}\n',
    "whether there is an error, of an answer by itself": 'return {"found": "error" not in find(text)}\n',
    "how it went": 'found = find(text)\nreturn {"found": found.get("success"), "text": text}\n',
    "whether there is an error, in a variable": (
        'found = find(text)\nok = not found.get("error")\ntold = {"ok": ok, "text": text}\nreturn {"told": told}\n'
    ),
    "an answer that is put beside another one": (
        'found = find(text)\nmore = keep(other)\ntold = {"path": found, "more": more}\nreturn told\n'
    ),
    "what is told of an error": (
        'try:\n    keep(text)\nexcept KeyError:\n    found = find(text)\n    return {"path": found}\nreturn {}\n'
    ),
}


def fixed(folder: Path, errlint: Run, use: str) -> tuple[str, str]:
    """Fix a server whose tool has some body; return its text, and what the run says."""
    before = SERVER.format(imports="", error='return {"error": "no text"}') + indent(use, "    ")
    (folder / "server.py").write_text(before.replace("\n\nfrom kept", "\nfrom kept"))
    done = errlint("--isolated", "--no-cache", "--select", "ERR101", "--fix", "--unsafe-fixes", "--show-fixes")
    return (folder / "server.py").read_text(), done.err


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("use", RELAYED.values(), ids=RELAYED)
def test_an_error_passes_a_caller_that_only_tells_what_is_answered(tmp_path: Path, errlint: Run, use: str) -> None:
    text, told = fixed(tmp_path, errlint, use)
    imports = "from fastmcp.exceptions import ToolError"
    assert text == SERVER.format(imports=imports, error='raise ToolError("no text")') + indent(use, "    ")
    assert "an error of `find` passes by here, where its answer was told as any other" in told


@pytest.mark.parametrize("use", ["found = find(text)\nreturn keep(found)\n", "return keep(find(text))\n"])
def test_what_made_something_of_the_answer_that_an_error_passes_is_named(
    tmp_path: Path, errlint: Run, use: str
) -> None:
    assert ", by `keep`: see what that did to its text\n" in fixed(tmp_path, errlint, use)[1]


@pytest.mark.parametrize("use", GOES_ON.values(), ids=GOES_ON)
def test_an_error_does_not_pass_a_caller_that_goes_on_with(tmp_path: Path, errlint: Run, use: str) -> None:
    text, told = fixed(tmp_path, errlint, use)
    assert "passes by here" not in told
    assert ("put together again here" in told) is ('return {"error": "no text"}' not in text)


def test_an_error_that_passes_is_let_through_by_the_handlers_on_its_way(tmp_path: Path, errlint: Run) -> None:
    use = """\
        try:
            found = find(text)
            return {"success": True, "path": found["path"]}
        except Exception as e:
            return {"success": False, "error": str(e)}
        """
    after = """\
        try:
            found = find(text)
            return {"success": True, "path": found["path"]}
        except ToolError:
            raise
        except Exception as e:
            raise ToolError(str(e)) from e
        """
    text, told = fixed(tmp_path, errlint, dedent(use))
    assert text.endswith(indent(dedent(after), "    "))
    assert "2 fixed in 1 file" in told


def test_an_error_passes_through_several_functions_that_only_tell_it(tmp_path: Path, errlint: Run) -> None:
    inner = 'def shown(text: str) -> dict:\n    return {"shown": find(text)}\n\n\n@server.tool()\n'
    use = 'found = shown(text)\nreturn {"path": found}\n'
    source = SERVER.replace("@server.tool()\n", inner.replace("{", "{{").replace("}", "}}"))
    before = source.format(imports="", error='return {"error": "no text"}') + indent(use, "    ")
    (tmp_path / "server.py").write_text(before)
    done = errlint("--isolated", "--no-cache", "--select", "ERR101", "--fix", "--unsafe-fixes")
    assert done.err.count("passes by here") == 2
    assert 'raise ToolError("no text")' in (tmp_path / "server.py").read_text()


LOW_LEVEL = """\
import json

from mcp.server import Server
from mcp.types import CallToolResult, TextContent


def look(arguments: dict) -> dict:
    {error}


TOOLS = {{"look": look}}


def run(name: str, arguments: dict) -> dict:
    return TOOLS[name](arguments)


async def _called(context, params):
    try:
        found = run(params.name, params.arguments)
        parts = [TextContent(type="text", text=json.dumps(found, indent=2))]
        return CallToolResult(content=parts)
    except Exception as error:
        parts = [TextContent(type="text", text={told})]
        return CallToolResult(content=parts, is_error=True)


server = Server("shelf", on_call_tool=_called)
"""


def test_an_error_goes_to_the_handler_around_a_caller_that_only_tells_the_answer(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "server.py").write_text(LOW_LEVEL.format(error='return {"error": "no name"}', told="str(error)"))
    done = errlint("--isolated", "--no-cache", "--select", "ERR101", "--fix", "--unsafe-fixes")
    after = LOW_LEVEL.format(error='raise ValueError("no name")', told="str(error)")
    assert (tmp_path / "server.py").read_text() == after
    assert "server.py:23  errors of `run` are told by this handler, as those of anything else\n" in done.err


def test_an_error_does_not_go_to_a_handler_that_tells_nothing_of_it(tmp_path: Path, errlint: Run) -> None:
    before = LOW_LEVEL.format(error='return {"error": "no name"}', told="type(error).__name__")
    (tmp_path / "server.py").write_text(before)
    errlint("--isolated", "--no-cache", "--select", "ERR101", "--fix", "--unsafe-fixes")
    assert (tmp_path / "server.py").read_text() == before


def test_a_new_finding_is_due_to_what_changes_its_function_and_told_there(tmp_path: Path, errlint: Run) -> None:
    before = LOW_LEVEL.format(error='return {"error": "no name"}', told="type(error).__name__")
    (tmp_path / "server.py").write_text(before)
    plugin = "class Plugin:\n    def run(self, it):\n        if not it:\n            {}\n        return {{'it': it}}\n"
    (tmp_path / "plugin.py").write_text(plugin.format('return {"error": "no plugin"}'))
    done = errlint("--isolated", "--no-cache", "--select", "ERR101", "--fix", "--unsafe-fixes", "--show-fixes")
    assert "has a new finding: ERR101 the adapter `_called`" in done.out
    assert "    server.py:8 in `look`, see server.py:18\n" in done.out
    assert (tmp_path / "plugin.py").read_text() == plugin.format('raise ValueError("no plugin")')


RESULT = """\
from dataclasses import dataclass

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError

server = FastMCP("shop")


@dataclass
class Result:
    success: bool
    data: str = ""
    error: str | None = None

    @classmethod
    def ok(cls, data):
        return cls(success=True, data=data)

    @classmethod
    def fail(cls, text):
        return cls(success=False, error=text)


def find(text):
    if not text:
        {error}
    return Result.ok(text)


@server.tool()
def read(text: str) -> str:
    found = find(text)
{check}    return found.data


@server.tool()
def show(text: str) -> Result:
    return find(text)
"""


@pytest.mark.parametrize("test", ["not found.success", "found.error", "found.error is not None"])
def test_a_success_is_read_in_the_method_of_a_class_that_makes_it(tmp_path: Path, errlint: Run, test: str) -> None:
    check = f"    if {test}:\n        raise ToolError(found.error)  # type: ignore[arg-type]\n"
    (tmp_path / "server.py").write_text(RESULT.format(error='return Result.fail("no text")', check=check))
    done = errlint("--isolated", "--no-cache", "--select", "ERR102", "--fix", "--unsafe-fixes")
    after = RESULT.format(error='raise ToolError("no text")', check="")
    assert (tmp_path / "server.py").read_text() == after
    assert "would also catch" not in done.err


KEPT = """\
from dataclasses import dataclass

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError

from kept import keep

server = FastMCP("shop")


@dataclass
class Found:
    success: bool
    text: str = ""
    error: str | None = None


def find(name: str) -> Found:
    if not name:
        {error}
    return Found(True, name)


@server.tool()
def show(name: str) -> Found:
    return find(name)


@server.tool()
def read(name: str) -> list:
    found = {found}
    keep(found)
    return [found.success]
"""


def test_an_object_that_a_caller_keeps_is_written_again_with_the_message(tmp_path: Path, errlint: Run) -> None:
    error = 'return Found(success=False, error="no name")'
    (tmp_path / "server.py").write_text(KEPT.format(error=error, found="find(name)"))
    errlint("--isolated", "--no-cache", "--select", "ERR105", "--fix", "--unsafe-fixes")
    text = (tmp_path / "server.py").read_text()
    assert 'raise ToolError("no name")' in text
    assert "    except ToolError as exc:\n        found = Found(success=False, error=str(exc))\n    keep(found)" in text


@pytest.mark.parametrize("body", ["Found = keep\n    found = find(name)", "found = server.find(name)"])
def test_an_object_is_not_written_again_where_its_class_may_be_another(tmp_path: Path, errlint: Run, body: str) -> None:
    error = 'return Found(success=False, error="no name")'
    before = KEPT.format(error=error, found="find(name)").replace("found = find(name)", body)
    (tmp_path / "server.py").write_text(before)
    errlint("--isolated", "--no-cache", "--select", "ERR105", "--fix", "--unsafe-fixes")
    assert "Found(success=False, error=str(exc))" not in (tmp_path / "server.py").read_text()


def test_a_call_in_a_branch_is_caught_with_its_whole_statement(tmp_path: Path, errlint: Run) -> None:
    error = 'return Found(success=False, error="no name")'
    either = "find(name) if len(name) < 9 else Found(False)"
    (tmp_path / "server.py").write_text(KEPT.format(error=error, found=either))
    errlint("--isolated", "--no-cache", "--select", "ERR105", "--fix", "--unsafe-fixes")
    text = (tmp_path / "server.py").read_text()
    assert (
        f"    try:\n        found = {either}\n    except ToolError as exc:\n        found = Found(success=False" in text
    )


METHODS = """\
from dataclasses import dataclass

from fastmcp import FastMCP

from kept import keep

server = FastMCP("shop")


@dataclass
class Found:
    success: bool
    text: str = ""
    error: str | None = None


class Store:
    def find(self, name: str) -> Found:
        {store}


class Shelf(Store):
    def find(self, name: str) -> Found:
        if not name:
            {shelf}
        return Found(success=True, text=name)


def chosen(kind: str) -> Store:
    return Shelf() if kind else Store()


def shown(name: str, kind: str) -> list:
    store = chosen(kind)
{body}

@server.tool()
def read(name: str, kind: str) -> list:
    return shown(name, kind)
"""


def test_a_call_whose_errors_are_caught_already_gets_no_handler_inside_of_that(tmp_path: Path, errlint: Run) -> None:
    before = """\
        found = store.find(name)
        if found.success and found.text:
            keep(name)
            return [found.text]
        return ["plain"]
    """
    after = """\
        try:
            found = store.find(name)
        except ValueError:
            return ["plain"]
        keep(name)
        return [found.text]
    """
    answered = [f'return Found(success=False, error="{text}")' for text in ("no store", "no name")]
    raised = [f'raise ValueError("{text}")' for text in ("no store", "no name")]
    body, done = (indent(dedent(text), "    ") for text in (before, after))
    (tmp_path / "server.py").write_text(METHODS.format(store=answered[0], shelf=answered[1], body=body))
    errlint("--isolated", "--no-cache", "--select", "ERR105", "--fix", "--unsafe-fixes")
    text = (tmp_path / "server.py").read_text()
    assert text == METHODS.format(store=raised[0], shelf=raised[1], body=done)
