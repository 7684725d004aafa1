"""Tools of LangChain: their errors are raised where something is known to answer them, and left alone elsewhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Run

TOOLS = """\
from langchain_core.tools import tool


@tool
def count(title: str) -> str:
    \"\"\"Count the copies of a book.\"\"\"
    if not title:
        return "Error: no title"
    return title
"""

MIDDLEWARE = """\
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import ToolMessage
from langgraph.errors import GraphBubbleUp


class Answered(AgentMiddleware):
    def wrap_tool_call(self, request, handler):
        try:
            return handler(request)
        except GraphBubbleUp:
            raise
        except Exception as error:
            return ToolMessage(content=f"{error}", tool_call_id=request.tool_call["id"], status="error")
"""

HANDLED = """\
def handle(error: Exception) -> str:
    return str(error)


def nodes(tools):
    return ToolNode(tools, handle_tool_errors={})
"""

ANSWERED = {
    "a middleware": (MIDDLEWARE, "shelf/agent.py:7  `wrap_tool_call` is taken to answer what the tool raises"),
    "its node": (
        HANDLED.format("True"),
        "`handle_tool_errors` is taken to answer what the tool raises\n",
    ),
    "a function of its node": (HANDLED.format("handle"), "`handle_tool_errors` is taken to answer"),
    "classes of its node": (HANDLED.format("(OSError, ToolException)"), "`handle_tool_errors` is taken to answer"),
}

UNANSWERED = {
    "nothing": "",
    "a node that is told not to": HANDLED.format("False"),
    "a node that answers others": HANDLED.format("(OSError,)"),
    "a middleware that raises again": MIDDLEWARE.replace("return ToolMessage", "raise Failed"),
    "a middleware that answers others": MIDDLEWARE.replace("except Exception", "except OSError"),
}


def fixed(folder: Path, errlint: Run, agent: str, tools: str = TOOLS) -> tuple[str, str]:
    """Fix a tool; return what is said about it, and its file."""
    (folder / "shelf").mkdir()
    for name, text in {"__init__": "", "tools": tools, "agent": agent}.items():
        (folder / "shelf" / f"{name}.py").write_text(text, encoding="utf-8")
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes", "--show-fixes")
    return done.out + done.err, (folder / "shelf" / "tools.py").read_text("utf-8")


@pytest.mark.parametrize(("agent", "told"), ANSWERED.values(), ids=ANSWERED)
def test_errors_are_raised_where_something_answers_them(tmp_path: Path, errlint: Run, agent: str, told: str) -> None:
    said, tools = fixed(tmp_path, errlint, agent)
    assert "1 fixed in 1 file" in said
    assert told in said
    assert 'raise ToolException("Error: no title")' in tools
    assert "from langchain_core.tools import ToolException, tool\n" in tools


@pytest.mark.parametrize("agent", UNANSWERED.values(), ids=UNANSWERED)
def test_errors_stay_where_nothing_answers_them(tmp_path: Path, errlint: Run, agent: str) -> None:
    said, tools = fixed(tmp_path, errlint, agent)
    assert "LangChain ends an agent with what a tool raises, unless `handle_tool_error` of the tool" in said
    assert tools == TOOLS


def test_the_tool_itself_may_answer_its_errors(tmp_path: Path, errlint: Run) -> None:
    said, tools = fixed(tmp_path, errlint, "", TOOLS + "\n\ncount.handle_tool_error = True\n")
    assert "shelf/tools.py:12  `count.handle_tool_error` is taken to answer what the tool raises" in said
    assert 'raise ToolException("Error: no title")' in tools


def test_a_class_may_answer_the_errors_of_its_tool(tmp_path: Path, errlint: Run) -> None:
    tools = (
        "from langchain_core.tools import BaseTool\n\n\nclass Count(BaseTool):\n    name: str = 'count'\n"
        "    handle_tool_error: bool = True\n\n    def _run(self, title: str) -> str:\n"
        "        return 'Error: no title'\n"
    )
    said, after = fixed(tmp_path, errlint, "", tools)
    assert "shelf/tools.py:6  `handle_tool_error` is taken to answer what the tool raises" in said
    assert "raise ToolException('Error: no title')" in after


USED = """

def tools() -> list:
    return [count]


async def ask(title: str) -> str:
    return await asked(count.func, title)


count.coroutine = ask
"""


def test_the_object_of_a_tool_may_be_passed_around_and_run(tmp_path: Path, errlint: Run) -> None:
    said, tools = fixed(tmp_path, errlint, MIDDLEWARE, TOOLS + USED)
    assert "1 fixed in 1 file" in said
    assert "shelf/tools.py:17  `count` may be run here, which gets the exception then" in said
    assert 'raise ToolException("Error: no title")' in tools


CALLED = """\
from langchain_core.messages import AIMessage
from langgraph.graph import MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from shelf.tools import count

asked = AIMessage("", tool_calls=[{"name": "count", "args": {"title": ""}, "id": "1", "type": "tool_call"}])
for options in ({}, {"handle_tool_errors": True}, {"handle_tool_errors": str}):
    graph = StateGraph(MessagesState).add_node("tools", ToolNode([count], **options)).set_entry_point("tools")
    try:
        answer = graph.compile().invoke({"messages": [asked]})["messages"][-1]
        print(answer.status, repr(answer.content))
    except Exception as error:
        print(type(error).__name__, error)
count.handle_tool_error = True
print(repr(count.invoke({"title": ""})))
"""


def test_what_langchain_makes_of_it(tmp_path: Path, errlint: Run) -> None:
    pytest.importorskip("langgraph.prebuilt", reason="langgraph is not installed")
    fixed(tmp_path, errlint, HANDLED.format("True"))
    done = subprocess.run([sys.executable, "-c", CALLED], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "ToolException Error: no title",
        "error \"Error: ToolException('Error: no title')\\n Please fix your mistakes.\"",
        "error 'Error: no title'",
        "'Error: no title'",
    ]
