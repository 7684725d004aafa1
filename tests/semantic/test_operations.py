"""Operations: under which names the errors of a tool are reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import astray, astray_on_disk

from errlint.project.operations import filled, last_part, spellings
from errlint.settings import CommandLine

HEAD = """\
import kit.bounds
from fastmcp import FastMCP
from kit.base import BaseTool
from kit.bounds import guarded

mcp = FastMCP("files")


class FileError(Exception):
    def __init__(self, text, operation=""):
        super().__init__(text)


def bounded(operation, label=""):
    def decorate(function):
        return function

    return decorate


class Bounded:
    def __init__(self, operation):
        self.operation = operation


"""
BOUNDARY = '[[boundary]]\ndecorator = "files.bounded"\noperation = "operation"\n'
ELSE = "  # error: `operation` is 'list_files', but the boundary of `open_file` has 'open_file'"


def told(text: str, settings: str = BOUNDARY) -> list[str]:
    """Return how the findings of a module differ from its marks."""
    return astray({"files.py": HEAD + text}, settings, "ERR404")


BODY = "def open_file(path):\n    raise FileError('no', operation='list_files'){mark}\n"
DECORATED = {
    "by position": ("@bounded('open_file')", True),
    "by name": ("@bounded(operation='open_file')", True),
    "by name, behind another": ("@bounded(label='x', operation='open_file')", True),
    "in the place of another argument": ("@bounded(label='open_file')", False),
    "in the second place": ("@bounded(name(), 'open_file')", False),
    "by a constant": ("@bounded(OPEN)", True),
    "by what only the run knows": ("@bounded(operation=name())", False),
    "without an operation": ("@bounded()", False),
    "without a call": ("@bounded", False),
    "by another decorator": ("@marked('open_file')", False),
    "by two decorators": ("@marked('a')\n@bounded('open_file')", True),
}


@pytest.mark.parametrize(("decorator", "is_told"), DECORATED.values(), ids=DECORATED)
def test_an_operation_is_given_to_a_boundary(decorator: str, is_told: bool) -> None:
    assert told(f"OPEN = 'open_file'\n\n\n{decorator}\n{BODY.format(mark=ELSE if is_told else '')}") == []


def test_the_boundary_may_be_a_class() -> None:
    text = f"@Bounded(operation='open_file')\n{BODY.format(mark=ELSE)}"
    assert told(text, BOUNDARY.replace("files.bounded", "files.Bounded")) == []
    assert told(text.replace(ELSE, "")) == []


def test_the_boundary_may_be_one_of_another_package() -> None:
    settings = BOUNDARY.replace("files.bounded", "kit.bounds.guarded")
    assert told(f"@guarded(operation='open_file')\n{BODY.format(mark=ELSE)}", settings) == []
    assert told(f"@kit.bounds.guarded(operation='open_file')\n{BODY.format(mark=ELSE)}", settings) == []
    assert told(f"@guarded('open_file')\n{BODY.format(mark='')}", settings) == []
    other = settings.replace("kit.bounds.guarded", "kit.bounds.covered")
    assert told(f"@guarded(operation='open_file')\n{BODY.format(mark='')}", other) == []


def test_a_boundary_that_cannot_be_found_is_known_by_its_last_name() -> None:
    text = f"@server.bounded(operation='open_file')\n{BODY.format(mark=ELSE)}"
    assert told(text) == []
    assert told(text.replace("server.bounded", "server.covered").replace(ELSE, "")) == []


def test_a_decorator_of_another_package_is_none_for_its_last_name() -> None:
    assert told(f"@kit.bounds.bounded(operation='open_file')\n{BODY.format(mark='')}") == []


def test_a_boundary_without_an_argument_for_the_operation_has_none() -> None:
    text = f"@bounded(operation='open_file')\n{BODY.format(mark='')}"
    assert told(text, BOUNDARY.replace('operation = "operation"\n', "")) == []
    middleware = '[[boundary]]\nmiddleware = ["Bounded"]\noperation = "operation"\n'
    assert told(text, middleware) == []


def test_a_function_inside_has_the_operation_of_the_one_around() -> None:
    text = (
        "@bounded('open_file')\ndef open_file(path):\n    def read():\n"
        "        raise FileError('no', operation='list_files'){}\n\n    return read()\n"
    )
    assert told(text.format(ELSE)) == []


# --- the names of tools -----------------------------------------------------------------------------------------------

TOOLS = "@mcp.tool()\ndef list_files():\n    return []\n\n\n@mcp.tool({given})\ndef {name}(path):\n"
RAISES = "    raise FileError('no', operation='{said}'){mark}\n"
ANOTHER = "  # error: that is another tool; this is `{}`"
NAMED = {
    "another tool": ("open_file", "list_files", True),
    "the tool itself": ("open_file", "open_file", False),
    "the tool itself, in another spelling": ("open_file", "Open-File", False),
    "the tool behind its module": ("open_file", "files:open_file", False),
    "another tool behind its module": ("open_file", "files:list_files", True),
    "another tool behind a point": ("open_file", "files.list_files", True),
    "no tool": ("open_file", "read_index", False),
    "the module": ("open_file", "files", False),
    "without its ending": ("open_file_tool", "open_file", False),
}


@pytest.mark.parametrize(("name", "said", "is_told"), NAMED.values(), ids=NAMED)
def test_an_error_of_a_tool_names(name: str, said: str, is_told: bool) -> None:
    mark = ANOTHER.format(name) if is_told else ""
    assert told(TOOLS.format(given="", name=name) + RAISES.format(said=said, mark=mark), "") == []


CLASSES = """\
class OpenFileTool(BaseTool):
    {member}

    def execute(self, path):
        raise FileError("no", operation="{said}"){mark}


class ListFilesTool(BaseTool):
    def execute(self):
        return []
"""
OF_CLASSES = {
    "the name of the class": ("OpenFileTool", ""),
    "its snake case": ("open_file_tool", ""),
    "its snake case without the ending": ("open_file", ""),
    "the name of the method": ("execute", ""),
    "another class": ("list_files", "  # error: that is another tool; this is `OpenFileTool`"),
    "another class with the ending": ("list_files_tool", "  # error: that is another tool; this is `OpenFileTool`"),
}


@pytest.mark.parametrize(("said", "mark"), OF_CLASSES.values(), ids=OF_CLASSES)
def test_an_error_of_a_tool_class_names(said: str, mark: str) -> None:
    assert told(CLASSES.format(member="pass", said=said, mark=mark), "") == []


REQUIRED = '[[required]]\nclasses = ["FileError"]\nfields = ["operation"]\n'
NONE_OF_IT = "  # error: `operation` is '{}', but this is the tool `{}`"
GIVEN = {
    "the name it is registered by": ("'open'", "open", False),
    "the name it is registered by, as a keyword": ("name='open'", "open", False),
    "another keyword": ("title='open'", "open", True),
    "another argument": ("'look', 'open'", "open", True),
    "a name that only the run knows": ("name=OPEN", "open", True),
    "no name of it": ("", "close", True),
    "a step of it": ("", "open_file.parse", False),
}


@pytest.mark.parametrize(("given", "said", "is_told"), GIVEN.values(), ids=GIVEN)
def test_where_an_operation_is_required_it_is(given: str, said: str, is_told: bool, tmp_path: Path) -> None:
    mark = NONE_OF_IT.format(said, "open_file") if is_told else ""
    text = HEAD + TOOLS.format(given=given, name="open_file") + RAISES.format(said=said, mark=mark)
    assert on_disk(tmp_path, text) == []


MEMBERS = {
    "a name in the body": ("name = 'look'", "look", False),
    "a name of another member": ("title = 'look'", "look", True),
    "a name that a property returns": (
        "@property\n    def name(self):\n        return 'look'",
        "look",
        False,
    ),
    "what another property returns": ("@property\n    def title(self):\n        return 'look'", "look", True),
}


@pytest.mark.parametrize(("member", "said", "is_told"), MEMBERS.values(), ids=MEMBERS)
def test_a_tool_class_has(member: str, said: str, is_told: bool, tmp_path: Path) -> None:
    mark = NONE_OF_IT.format(said, "OpenFileTool") if is_told else ""
    assert on_disk(tmp_path, HEAD + CLASSES.format(member=member, said=said, mark=mark)) == []


def on_disk(folder: Path, text: str) -> list[str]:
    """Return how what is said of a file in a project differs from its marks."""
    texts = {"files.py": text, "errlint.toml": REQUIRED, "pyproject.toml": '[project]\nname = "files"\n'}
    return astray_on_disk(folder, texts, CommandLine(select=("ERR404",)))


# --- by a template ----------------------------------------------------------------------------------------------------

TEMPLATE = BOUNDARY + 'operation-template = "{}"\n'
SPELT = {
    "module and function": ("{module}:{function}", "files:open_file", ""),
    "another module": (
        "{module}:{function}",
        "folders:open_file",
        "  # error: is not spelt by `{module}:{function}`, as `files:open_file`",
    ),
    "the tool": ("{tool}", "open_file", ""),
    "another name of the tool": ("{tool}", "files", ""),
    "another name, where the function is asked for": (
        "{function}",
        "files",
        "  # error: is not spelt by `{function}`, as `open_file`",
    ),
}


@pytest.mark.parametrize(("template", "said", "mark"), SPELT.values(), ids=SPELT)
def test_an_operation_is_spelt_by_a_template(template: str, said: str, mark: str) -> None:
    text = f"{HEAD}@bounded('{said}')\ndef open_file(path):{mark}\n    return path\n"
    assert astray({"files.py": text}, TEMPLATE.format(template), "ERR204") == []


def test_names_are_spelt_in_snake_case_with_and_without_their_endings() -> None:
    assert [*spellings("OpenFileTool")] == ["open_file_tool", "open_file"]
    assert [*spellings("_open_file_impl")] == ["open_file_impl", "open_file"]
    assert [*spellings("toolbox")] == ["toolbox"]


def test_the_last_part_of_an_operation_names_the_function() -> None:
    assert [last_part(each) for each in ("files:Open-File", "files.open_file", " a/b open ")] == [
        "open_file",
        "open_file",
        "open",
    ]
    assert filled("{module}:{function}/{tool}", "shop.files", "open_file", "open") == "files:open_file/open"
