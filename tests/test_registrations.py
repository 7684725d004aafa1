"""Tools that are registered one after the other: a loop or comprehension goes through what holds them."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Run

from errlint.collect import collect
from errlint.facts import Module, Use
from errlint.project.asked_facts import vocabulary
from errlint.settings import Settings

TOOLS = """\
def rows(table):
    return "Error: no such table"


def count(table):
    return "Error: no such table"


def unserved(table):
    return "Error: no such table"


"""
FOUND = ["tools.py:2:5:", "tools.py:6:5:"]

TABLES = [
    pytest.param("", "(rows, count)", "tool", id="a display"),
    pytest.param("ALL = [rows, count]\n", "ALL", "tool", id="a list of the module"),
    pytest.param("ALL = frozenset({rows, count})\n", "ALL", "tool", id="a frozen set"),
    pytest.param("ALL = {'rows': rows, 'count': count}\n", "ALL.values()", "tool", id="the values of a dict"),
    pytest.param("ALL = {'rows': rows, 'count': count}\n", "ALL.items()", "_, tool", id="its items"),
    pytest.param("ALL = [('rows', rows), ('count', count)]\n", "ALL", "_, tool", id="pairs"),
    pytest.param("ALL = [rows, count]\n", "enumerate(ALL)", "_, tool", id="what is counted"),
]

WAYS = [
    pytest.param("for {name} in {table}:\n    mcp.tool()(tool)\n", id="in a loop of the module"),
    pytest.param("for {name} in {table}:\n    mcp.add_tool(tool)\n", id="by a method"),
    pytest.param("def serve(mcp):\n    for {name} in {table}:\n        mcp.tool()(tool)\n", id="in a function"),
    pytest.param("def serve(mcp):\n    if mcp:\n        for {name} in {table}:\n            mcp.tool(tool)\n",
                 id="below a condition"),
    pytest.param("served = [mcp.tool()(tool) for {name} in {table}]\n", id="in a comprehension"),
]  # fmt: skip


ITEMS = [
    pytest.param("[{'run': rows}, {'run': count}]", 'tool["run"]', id="a key of each dict"),
    pytest.param(
        "[Spec('rows', handler=rows), Spec('count', handler=count)]", "tool.handler", id="a field of each object"
    ),
    pytest.param("cast('list', [{'run': rows}, {'run': count}])", 'tool["run"]', id="a key of what is cast"),
]


@pytest.mark.parametrize("register", ["mcp.tool(name=tool.name)({})", "mcp.add_tool({}, name='x')"])
@pytest.mark.parametrize(("table", "part"), ITEMS)
def test_a_part_of_each_item_is_registered(errlint: Run, tmp_path: Path, table: str, part: str, register: str) -> None:
    (tmp_path / "errlint.toml").write_text("")
    (tmp_path / "tools.py").write_text(f"{TOOLS}ALL = {table}\n")
    serving = "from fastmcp import FastMCP\nfrom tools import ALL\n\nmcp = FastMCP('x')\n"
    serving += f"TYPED: list = cast('list', ALL)\nfor tool in TYPED:\n    {register.format(part)}\n"
    (tmp_path / "serving.py").write_text(serving)
    found = errlint("--select", "ERR103", "--output-format", "concise", "--no-cache")
    assert [line.split(" ")[0] for line in found.out.splitlines() if "ERR103" in line] == FOUND


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("before", "table", "name"), TABLES)
def test_what_is_gone_through_is_registered(
    errlint: Run, tmp_path: Path, before: str, table: str, name: str, way: str
) -> None:
    serving = f"from tools import count, rows, unserved\nfrom server import mcp\n\n{before}\n"
    (tmp_path / "errlint.toml").write_text("")
    (tmp_path / "tools.py").write_text(TOOLS)
    (tmp_path / "server.py").write_text("from fastmcp import FastMCP\n\nmcp = FastMCP('x')\n")
    (tmp_path / "serving.py").write_text(serving + way.format(name=name, table=table))
    found = errlint("--select", "ERR103", "--output-format", "concise", "--no-cache")
    assert [line.split(" ")[0] for line in found.out.splitlines() if "ERR103" in line] == FOUND


def test_the_table_may_stand_beside_the_tools(errlint: Run, tmp_path: Path) -> None:
    (tmp_path / "errlint.toml").write_text("")
    (tmp_path / "tools.py").write_text(TOOLS + "ALL = [rows, count]\n")
    (tmp_path / "serving.py").write_text(
        "import tools\nfrom server import mcp\n\nfor tool in tools.ALL:\n    mcp.tool()(tool)\n"
    )
    found = errlint("--select", "ERR103", "--output-format", "concise", "--no-cache")
    assert [line.split(" ")[0] for line in found.out.splitlines() if "ERR103" in line] == FOUND


@pytest.mark.parametrize(
    "way",
    [
        pytest.param("for tool in (rows, count):\n    print(tool)\n", id="printed"),
        pytest.param("for tool in (rows, count):\n    mcp.tool(name='x', annotations=tool)\n", id="another argument"),
    ],
)
def test_what_is_only_gone_through_is_no_tool(errlint: Run, tmp_path: Path, way: str) -> None:
    (tmp_path / "errlint.toml").write_text("")
    (tmp_path / "tools.py").write_text(f"{TOOLS}from fastmcp import FastMCP\n\nmcp = FastMCP('x')\n{way}")
    assert "ERR103" not in errlint("--select", "ERR103", "--output-format", "concise", "--no-cache").out


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("before", "table", "name"), TABLES)
def test_both_readers_keep_what_registers(before: str, table: str, name: str, way: str) -> None:
    text = TOOLS + before + way.format(name=name, table=table)
    words = vocabulary(Settings(root=Path()))
    registered = [_passed(collect(text, words, use_ast=use_ast)) for use_ast in (True, False)]
    assert registered[0] == registered[1]
    assert registered[0]


def _passed(module: Module) -> list[Use]:
    """Return the uses of what is handed to something."""
    uses = [*module.uses, *(use for function in module.functions for use in function.uses)]
    return [use for use in uses if use.how == "passed"]


CLASSES = """\
from server import mcp


class Tool:
    def __init__(self, rows):
        self.rows = rows

    async def call(self, table):
        if table not in self.rows:
            return "Error: no such table"
        return self.rows[table]

    def register(self):
        {bound}

        @mcp.tool(name="rows")
        async def rows({parameter}table: str) -> str:
            return await {name}.call(table)
"""


@pytest.mark.parametrize(
    ("bound", "name", "parameter", "is_found"),
    [
        ("tool_self = self", "tool_self", "", True),
        ("pass", "self", "", True),
        ("tool_self = self.rows", "tool_self", "", False),
        ("tool_self = self", "tool_self", "tool_self, ", False),
    ],
    ids=["another name", "its own name", "something else", "a parameter"],
)
def test_a_tool_in_a_method_calls_what_self_stands_for(
    errlint: Run, tmp_path: Path, bound: str, name: str, parameter: str, is_found: bool
) -> None:
    (tmp_path / "errlint.toml").write_text("")
    (tmp_path / "server.py").write_text("from fastmcp import FastMCP\n\nmcp = FastMCP('x')\n")
    (tmp_path / "tools.py").write_text(CLASSES.format(bound=bound, name=name, parameter=parameter))
    (tmp_path / "other.py").write_text("class Other:\n    async def call(self, table):\n        return 'Error: no'\n")
    found = errlint("--no-cache", "--select", "ERR103", "--output-format", "concise").out
    assert ("tools.py:10:13: ERR103 `Tool.call` (called by the adapter `rows`)" in found) == is_found


def test_what_an_answered_list_grows_by_is_registered_too(errlint: Run, tmp_path: Path) -> None:
    listed = "\n\ndef tools(flags):\n    found = [rows]\n    if flags:\n        found.append(count)\n    return found\n"
    (tmp_path / "errlint.toml").write_text("")
    (tmp_path / "tools.py").write_text(TOOLS.rstrip() + "\n" + listed)
    (tmp_path / "server.py").write_text(
        "import tools\nfrom fastmcp import FastMCP\n\nmcp = FastMCP('x')\n"
        "for tool in tools.tools(1):\n    mcp.tool(tool)\n"
    )
    options = ("--no-cache", "--select", "ERR103")
    found = errlint(*options, "--output-format", "concise").out
    assert [line.split(" ")[0] for line in found.splitlines() if line.startswith("tools.py")] == FOUND
    assert "2 fixed in 1 file" in errlint(*options, "--fix", "--unsafe-fixes").err


@pytest.mark.parametrize(
    ("written", "imports"),
    [
        ("exposed", "from shop.serving import exposed"),
        ("again", "from shop.serving import exposed as again"),
        ("serving.exposed", "from shop import serving"),
        ("shop.serving.exposed", "import shop.serving"),
    ],
)
@pytest.mark.parametrize("how", ["decorators", "registrations"])
def test_a_dotted_name_of_the_settings_is_met_by_what_a_name_means(
    errlint: Run, tmp_path: Path, written: str, imports: str, how: str
) -> None:
    (tmp_path / "errlint.toml").write_text(f'[adapters]\n{how} = ["shop.serving.exposed"]\n')
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/__init__.py").write_text("")
    (tmp_path / "shop/serving.py").write_text("SERVED = []\n\n\ndef exposed(tool):\n    SERVED.append(tool)\n")
    (tmp_path / "shop/other.py").write_text("def exposed(tool):\n    return tool\n")
    body = 'def count(table):\n    return "Error: no such table"\n'
    tool = f"@{written}\n{body}" if how == "decorators" else f"{body}\n\n{written}(count)\n"
    (tmp_path / "shop/tools.py").write_text(f"{imports}\n\n\n{tool}")
    (tmp_path / "shop/plain.py").write_text(
        "from shop.other import exposed\n\n\n" + tool.replace(written, "exposed").replace("count", "other")
    )
    found = errlint("--select", "ERR103", "--output-format", "concise", "--no-cache")
    assert [line.partition(":")[0] for line in found.out.splitlines() if "ERR103" in line] == ["shop/tools.py"]


LOOKING_UP = """\
from flask import Flask

app = Flask("x")


def rows(user, table):
    return {"error": f"no table {table}"}


def count(user, table):
    return {"error": f"no table {table}"}


def unserved(user, table):
    return rows(user, table) or {}


TOOL_REGISTRY = {"rows": {"schema": {}, "execute": rows}, "count": {"schema": {}, "execute": count}}


def run(name, user, table):
    tool = TOOL_REGISTRY.get(name)
    return tool["execute"](user, table) if tool else None


@app.route("/")
def show():
    return {}
"""


def test_tools_that_an_agent_looks_up_in_a_table_are_adapters(errlint: Run, tmp_path: Path) -> None:
    (tmp_path / "errlint.toml").write_text("")
    (tmp_path / "agent.py").write_text(LOOKING_UP)
    (tmp_path / "other.py").write_text("HELPERS = {}\n\n\ndef find(name):\n    return HELPERS.get(name)\n")
    found = errlint("--output-format", "concise", "--no-cache")
    assert [line.split(" ")[0] for line in found.out.splitlines() if "ERR101" in line] == [
        "agent.py:7:5:",
        "agent.py:11:5:",
    ]
    told = errlint("init").out
    assert "2 adapters in tables of tools (agent.py:6)" in told


def test_a_table_in_which_nobody_looks_up_tools_makes_none(errlint: Run, tmp_path: Path) -> None:
    (tmp_path / "errlint.toml").write_text("")
    (tmp_path / "agent.py").write_text(LOOKING_UP.replace("TOOL_REGISTRY.get(name)", "None"))
    assert "ERR101" not in errlint("--output-format", "concise", "--no-cache").out


def test_what_an_adapter_looks_up_in_a_table_of_another_module_is_its_code(errlint: Run, tmp_path: Path) -> None:
    (tmp_path / "errlint.toml").write_text("")
    (tmp_path / "tools.py").write_text(f"{TOOLS}TOOL_HANDLERS = {{'rows': rows, 'count': count}}\n")
    (tmp_path / "serving.py").write_text(
        "from mcp.server import Server\nfrom tools import TOOL_HANDLERS\n\nserver = Server('x')\n\n\n"
        "@server.call_tool()\nasync def call(name, arguments):\n    run = TOOL_HANDLERS.get(name)\n"
        "    return run(arguments) if run else []\n"
    )
    found = errlint("--select", "ERR103", "--output-format", "concise", "--no-cache")
    lines = [line for line in found.out.splitlines() if "ERR103" in line]
    assert [line.split(" ")[0] for line in lines] == FOUND
    assert "`rows` (called by the adapter `call`)" in lines[0]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        pytest.param(
            "mcp.tool(name='x')(function)",
            FOUND,
            id="a tool",
        ),
        pytest.param(
            "mcp.call_tool('x', function)",
            [],
            id="a client calls one",
        ),
    ],
)
def test_what_a_table_defines_may_be_registered_out_of_sight(
    errlint: Run, tmp_path: Path, call: str, expected: list[str]
) -> None:
    (tmp_path / "errlint.toml").write_text("")
    (tmp_path / "tools.py").write_text(
        f"{TOOLS}tools_definition = [{{'func': rows}}, {{'func': count, 'name': 'n'}}]\n"
    )
    (tmp_path / "serving.py").write_text(
        "from choice import chosen\n\n\ndef serve(mcp):\n    for tool in chosen():\n"
        f"        function = tool.func\n        {call}\n"
    )
    found = errlint("--select", "ERR103", "--output-format", "concise", "--no-cache")
    assert [line.split(" ")[0] for line in found.out.splitlines() if "ERR103" in line] == expected


def test_a_function_that_is_handed_to_a_client_of_a_model_is_no_adapter(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "chat.py").write_text(
        "from fastmcp import FastMCP\nfrom litellm import completion\n\nmcp = FastMCP('a')\n\n\n"
        "@mcp.tool()\ndef ask(text: str) -> str:\n    return completion(text, logger_fn=logged)\n\n\n"
        "def logged(entry):\n    return f'Error: {entry}'\n"
    )
    assert errlint("check", "--isolated", "--no-cache").status == 0
