"""The violations that benchmarks/injection_conventions.py plants: one entry per form that the rules describe.

Each belongs to one of the projects in tests/fixtures, whose exceptions, registry and boundary it uses. A line that ends
in ``# <<`` must be reported. ``<n>`` is a number that keeps names apart.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Violation:
    """One way to break a rule in a project of ``preset``.

    With ``is_statement`` the source is put into a function, below a condition; else it stands at the end of a module.
    ``imports`` are put before it. ``edits`` are lines put below an anchor in a file of the project (a marked one is what
    must be reported), ``config`` is added to the configuration, ``test`` becomes a test.
    """

    code: str
    preset: str
    name: str
    source: str
    imports: str = ""
    is_statement: bool = False
    edits: tuple[tuple[str, str, str], ...] = ()
    config: str = ""
    test: str = ""


SHELF, DRAFTS, PANEL, CRAWL, MEMORY = (
    "problem-details", "mcp-exceptions", "coded-tool-errors", "error-reports", "typed-responses",
)  # fmt: skip

SHELF_ERRORS = (
    "from shelf.errors import BookMissingError, BookUnreadableError, ErrorCode, ReaderUnknownError, RequestInvalidError, "
    "ShelfError"
)
SHELF_TOOL = f"from fastmcp import FastMCP\nfrom shelf.boundary import answer_problems\n{SHELF_ERRORS}"
DRAFTS_ERRORS = (
    "from drafts.exceptions import ErrorCode, MCPExecutionError, MCPSelectorError, MCPToolError, MCPValidationError"
)
DRAFTS_TOOL = f"from drafts.boundary import answer_errors\nfrom drafts.tools import MCPTool\n{DRAFTS_ERRORS}"
PANEL_TOOL = "from fastmcp import FastMCP\nfrom fastmcp.exceptions import ToolError\nfrom panel import backend"
CRAWL_LOG = "import json\nimport logging\nplanted<n>_logger = logging.getLogger(__name__)"
MEMORY_TYPES = "from memory.responses import DegradedResponse, ErrorResponse, QueuedResponse, SuccessResponse"
MEMORY_TOOL = f"from fastmcp import FastMCP\nfrom memory.config import OnUnavailable\n{MEMORY_TYPES}"

MCP = 'mcp_<n> = FastMCP("planted")\n\n\n'


def statement(code: str, preset: str, name: str, source: str, imports: str = "") -> Violation:
    """Return a violation that is a statement or two of a function."""
    known = {SHELF: SHELF_ERRORS, DRAFTS: DRAFTS_ERRORS, PANEL: PANEL_TOOL, CRAWL: CRAWL_LOG, MEMORY: MEMORY_TYPES}
    return Violation(code, preset, name, source, "\n".join(filter(None, (known[preset], imports))), is_statement=True)


def shelf_tool(code: str, name: str, body: str, imports: str = "", **more: object) -> Violation:
    """Return a violation in a tool of the project with problem details."""
    return Violation(code, SHELF, name, MCP + body, "\n".join(filter(None, (SHELF_TOOL, imports))), **more)  # type: ignore[arg-type]


def drafts_tool(code: str, name: str, body: str, imports: str = "", **more: object) -> Violation:
    """Return a violation in a tool class of the project with MCP exceptions."""
    return Violation(code, DRAFTS, name, body, "\n".join(filter(None, (DRAFTS_TOOL, imports))), **more)  # type: ignore[arg-type]


def panel_tool(code: str, name: str, body: str, imports: str = "", **more: object) -> Violation:
    """Return a violation in a tool of the project with codes in its messages."""
    return Violation(code, PANEL, name, MCP + body, "\n".join(filter(None, (PANEL_TOOL, imports))), **more)  # type: ignore[arg-type]


def memory_tool(code: str, name: str, body: str, imports: str = "", **more: object) -> Violation:
    """Return a violation in a tool of the project with typed responses."""
    return Violation(code, MEMORY, name, MCP + body, "\n".join(filter(None, (MEMORY_TOOL, imports))), **more)  # type: ignore[arg-type]


RAISING = """\
def load_<n>(title):
    if not title:
        raise BookMissingError(f"no book {title}", title)
    return {"title": title, "pages": 3}


"""
STALE = (
    Violation("ERR108", SHELF, "in", RAISING + 'def show_<n>(title):\n    book = load_<n>(title)\n    if "error" in book:  # <<\n        return None\n    return book["pages"]\n', SHELF_ERRORS),
    Violation("ERR108", SHELF, "get", RAISING + 'def show_<n>(title):\n    book = load_<n>(title)\n    if book.get("error"):  # <<\n        return None\n    return book["pages"]\n', SHELF_ERRORS),
    Violation("ERR108", SHELF, "not success", RAISING + 'def show_<n>(title):\n    book = load_<n>(title)\n    if not book["success"]:  # <<\n        return None\n    return book["pages"]\n', SHELF_ERRORS),
    Violation("ERR108", SHELF, "status", RAISING + 'def show_<n>(title):\n    book = load_<n>(title)\n    if book.get("status") == "error":  # <<\n        return None\n    return book["pages"]\n', SHELF_ERRORS),
    Violation("ERR108", SHELF, "in a loop", RAISING + 'def show_<n>(titles):\n    pages = 0\n    for title in titles:\n        book = load_<n>(title)\n        if "error" in book:  # <<\n            continue\n        pages += book["pages"]\n    return pages\n', SHELF_ERRORS),
    Violation("ERR108", SHELF, "async", "async def load_<n>(title):\n    if not title:\n        raise BookMissingError('no title', title)\n    return {'title': title}\n\n\nasync def show_<n>(title):\n    book = await load_<n>(title)\n    if 'error' in book:  # <<\n        return None\n    return book\n", SHELF_ERRORS),
    Violation("ERR108", SHELF, "method", "class Loader<n>:\n    def load(self, title):\n        if not title:\n            raise BookMissingError('no title', title)\n        return {'title': title}\n\n    def show(self, title):\n        book = self.load(title)\n        if 'error' in book:  # <<\n            return None\n        return book\n", SHELF_ERRORS),
    Violation("ERR108", SHELF, "a pair", "def load_<n>(title):\n    if not title:\n        raise BookMissingError('no title', title)\n    return {'title': title}\n\n\ndef show_<n>(title):\n    book, error = load_<n>(title)  # <<\n    if error:\n        return None\n    return book\n", SHELF_ERRORS),
    Violation("ERR108", SHELF, "test", "", "", test='from shelf import store\n\n\ndef test_planted_<n>():\n    result = store.summary("nothing")\n    assert "error" in result  # <<\n'),
    Violation("ERR108", SHELF, "test, success", "", "", test='from shelf.store import summary\n\n\ndef test_planted_<n>():\n    result = summary("nothing")\n    assert result["success"] is False  # <<\n'),
)

BOUNDARY = (
    shelf_tool("ERR201", "decorated", "@mcp_<n>.tool()\ndef tool_<n>(title: str) -> dict:  # <<\n    return {'title': title}\n"),
    shelf_tool("ERR201", "decorator without call, async", "@mcp_<n>.tool\nasync def tool_<n>(title: str) -> dict:  # <<\n    return {'title': title}\n"),
    shelf_tool("ERR201", "registered by a call", "def tool_<n>(title: str) -> dict:  # <<\n    return {'title': title}\n\n\nmcp_<n>.tool()(tool_<n>)\n"),
    shelf_tool("ERR201", "add_tool", "def tool_<n>(title: str) -> dict:  # <<\n    return {'title': title}\n\n\nmcp_<n>.add_tool(tool_<n>)\n"),
    drafts_tool("ERR201", "class", "class Planted<n>Tool(MCPTool):\n    async def execute(self, title: str) -> dict:  # <<\n        return {'title': title}\n"),
    shelf_tool("ERR201", "in a function that registers", "def register_<n>(server):\n    @server.tool(name='planted')\n    def tool_<n>(title: str) -> dict:  # <<\n        return {'title': title}\n"),
    shelf_tool("ERR202", "above", "@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})\n@mcp_<n>.tool()\ndef tool_<n>(title: str) -> dict:  # <<\n    return {'title': title}\n"),
    shelf_tool("ERR202", "above, async, no call", "@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})\n@mcp_<n>.tool\nasync def tool_<n>(title: str) -> dict:  # <<\n    return {'title': title}\n"),
    shelf_tool("ERR202", "above, another between", "def traced_<n>(function):\n    return function\n\n\n@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})\n@traced_<n>\n@mcp_<n>.tool(name='planted')\ndef tool_<n>(title: str) -> dict:  # <<\n    return {'title': title}\n"),
    shelf_tool("ERR202", "above a prompt", "@answer_problems(operation='shelf:prompt_<n>', empty_result={'text': ''})\n@mcp_<n>.prompt()\ndef prompt_<n>(title: str) -> dict:  # <<\n    return {'text': title}\n"),
    shelf_tool("ERR203", "another key", "@mcp_<n>.tool()\n@answer_problems(operation='shelf:tool_<n>', empty_result={'titles': []})\ndef tool_<n>(title: str) -> dict:  # <<\n    return {'title': title}\n"),
    shelf_tool("ERR203", "a key less", "@mcp_<n>.tool()\n@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})\ndef tool_<n>(title: str) -> dict:  # <<\n    if title:\n        return {'title': title, 'pages': 1}\n    return {'title': '', 'pages': 0}\n"),
    shelf_tool("ERR203", "not empty", "@mcp_<n>.tool()\n@answer_problems(operation='shelf:tool_<n>', empty_result={'pages': -1})\nasync def tool_<n>(title: str) -> dict:  # <<\n    return {'pages': len(title)}\n"),
    shelf_tool("ERR203", "answer of a helper", "def pages_<n>(title):\n    return {'pages': len(title)}\n\n\n@mcp_<n>.tool()\n@answer_problems(operation='shelf:tool_<n>', empty_result={'page': 0})\ndef tool_<n>(title: str) -> dict:  # <<\n    return pages_<n>(title)\n"),
    shelf_tool("ERR203", "a constant, positional", "EMPTY_<n> = {'text': '', 'summary': {}}\n\n\n@mcp_<n>.tool()\n@answer_problems('shelf:tool_<n>', EMPTY_<n>)\ndef tool_<n>(title: str) -> dict:  # <<\n    return {'text': title}\n"),
    shelf_tool("ERR204", "pattern", "@mcp_<n>.tool()\n@answer_problems(operation='Shelf/Tool', empty_result={'title': ''})\ndef tool_<n>(title: str) -> dict:  # <<\n    return {'title': title}\n"),
    shelf_tool("ERR204", "pattern, positional", "@mcp_<n>.tool()\n@answer_problems('tool_<n>', {'title': ''})\nasync def tool_<n>(title: str) -> dict:  # <<\n    return {'title': title}\n"),
    shelf_tool("ERR204", "another function's", "@mcp_<n>.tool()\n@answer_problems(operation='shelf:find_book', empty_result={'title': ''})\ndef search_<n>(title: str) -> dict:  # <<\n    return {'title': title}\n"),
    shelf_tool("ERR204", "twice", "@mcp_<n>.tool()\n@answer_problems(operation='shelf:<word>_shelves', empty_result={'title': ''})\ndef first_<n>(title: str) -> dict:\n    return {'title': title}\n\n\n@mcp_<n>.tool()\n@answer_problems(operation='shelf:<word>_shelves', empty_result={'title': ''})\ndef second_<n>(title: str) -> dict:  # <<\n    return {'title': title}\n"),
    Violation("ERR205", SHELF, "broad handler", "def work_<n>(title):\n    try:\n        if not title:\n            raise BookMissingError('no title', title)  # <<\n        return len(title)\n    except Exception:\n        return 0\n", SHELF_ERRORS),
    Violation("ERR205", SHELF, "bare, async", "async def work_<n>(title):\n    try:\n        if not title:\n            raise BookUnreadableError('no title', title)  # <<\n        return len(title)\n    except:\n        return 0\n", SHELF_ERRORS),
    Violation("ERR205", SHELF, "base class", "class Work<n>:\n    def work(self, title):\n        try:\n            if not title:\n                raise ReaderUnknownError('no reader', title)  # <<\n            return len(title)\n        except ShelfError:\n            return None\n", SHELF_ERRORS),
    shelf_tool("ERR205", "suppress", "@mcp_<n>.tool()\n@answer_problems(operation='shelf:work_<n>', empty_result={})\ndef work_<n>(title):\n    with contextlib.suppress(Exception):\n        if not title:\n            raise BookMissingError('no title', title)  # <<\n    return {'title': title}\n", "import contextlib"),
    Violation("ERR205", SHELF, "finally", "def work_<n>(title):\n    try:\n        if not title:\n            raise BookMissingError('no title', title)  # <<\n    finally:\n        return title\n", SHELF_ERRORS),
    drafts_tool("ERR205", "outer handler", "class Planted<n>Tool(MCPTool):\n    @answer_errors\n    async def execute(self, title: str) -> dict:\n        try:\n            for part in title:\n                with open(part) as file:\n                    if not file:\n                        raise MCPExecutionError('no file', operation='execute', hints=['Give a file'], context={'request_id': '1'})  # <<\n        except (OSError, Exception) as error:\n            print(error)\n        return {'title': title}\n"),
    shelf_tool("ERR206", "in the tool", "@mcp_<n>.tool()\n@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})\ndef tool_<n>(title: str) -> dict:\n    if not title:\n        raise ValueError('no title')  # <<\n    return {'title': title}\n"),
    shelf_tool("ERR206", "in a helper", "def helper_<n>(title):\n    if title == 'x':\n        raise KeyError(title)  # <<\n    return title\n\n\n@mcp_<n>.tool()\n@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})\nasync def tool_<n>(title: str) -> dict:\n    return {'title': helper_<n>(title)}\n"),
    shelf_tool("ERR206", "foreign", "@mcp_<n>.tool()\n@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})\nasync def tool_<n>(title: str) -> dict:\n    for part in title:\n        if not part:\n            raise HTTPException(404)  # <<\n    return {'title': title}\n", "from fastapi import HTTPException"),
    drafts_tool("ERR206", "in a handler", "class Planted<n>Tool(MCPTool):\n    @answer_errors\n    async def execute(self, title: str) -> dict:\n        try:\n            return {'size': int(title)}\n        except TypeError as error:\n            raise RuntimeError('no size') from error  # <<\n"),
    Violation("ERR207", SHELF, "no from", "def work_<n>(title):\n    try:\n        return int(title)\n    except ValueError:\n        raise BookMissingError('no number', title)  # <<\n", SHELF_ERRORS),
    Violation("ERR207", SHELF, "from without cause=", "async def work_<n>(title):\n    try:\n        return int(title)\n    except ValueError as error:\n        raise BookUnreadableError('no number', title) from error  # <<\n", SHELF_ERRORS),
    Violation("ERR207", DRAFTS, "below a condition", "def work_<n>(title):\n    try:\n        return int(title)\n    except ValueError as error:\n        if title:\n            raise MCPExecutionError('no number', operation='work', hints=['Give a number'], context={'request_id': '1'})  # <<\n        raise\n", DRAFTS_ERRORS),
    Violation("ERR207", DRAFTS, "method, nested try", "class Work<n>:\n    def work(self, title):\n        for part in title:\n            try:\n                self.size = int(part)\n            except (ValueError, TypeError):\n                raise MCPExecutionError(f'no number: {part}', operation='work', hints=['Give a number'], context={'request_id': '1'})  # <<\n", DRAFTS_ERRORS),
    Violation("ERR208", SHELF, "class again", "class BookMissing<n>Error(Exception):  # <<\n    pass\n", "from shelf.errors import BookMissingError as BookMissing<n>Error"),
    Violation("ERR208", SHELF, "import again", "from requests import ConnectionError as Refused<n>Error  # <<\n", "from shelf.errors import ShelfError as Refused<n>Error"),
    Violation("ERR208", MEMORY, "assignment", "Answer<n>Error = dict  # <<\n", "from memory.responses import ErrorResponse as Answer<n>Error"),
    Violation("ERR208", MEMORY, "factory twice", "def refused_<n>(why):\n    return {'success': False, 'error': why}\n\n\ndef refused_<n>(why, code=0):  # <<\n    return {'success': False, 'error': why, 'code': code}\n"),
    Violation("ERR208", DRAFTS, "function", "def MCPSelector<n>Error(text):  # <<\n    return text\n", "from drafts.exceptions import MCPSelectorError as MCPSelector<n>Error"),
    Violation("ERR209", SHELF, "log", "def work_<n>(path):\n    try:\n        handle = open(path)\n        return handle.read()\n    except Exception:\n        handle.close()  # <<\n        raise\n"),
    Violation("ERR209", DRAFTS, "message", "async def work_<n>(path):\n    try:\n        size = int(path)\n        return size + len(path)\n    except ValueError as error:\n        raise LookupError(f'size {size}') from error  # <<\n"),
    Violation("ERR209", PANEL, "method", "class Work<n>:\n    def work(self, path):\n        try:\n            client = self.connect(path)\n            return client.read()\n        except:\n            client.close()  # <<\n            raise\n"),
    Violation("ERR209", CRAWL, "with", "def work_<n>(path):\n    try:\n        with open(path) as file_<n>:\n            return file_<n>.read()\n    except BaseException:\n        file_<n>.close()  # <<\n        raise\n"),
    memory_tool("ERR210", "in a tool", "class Refused<n>Error(Exception):\n    pass\n\n\n@mcp_<n>.tool()\nasync def tool_<n>(text: str) -> SuccessResponse | ErrorResponse:\n    if not text:\n        raise Refused<n>Error('no text')  # <<\n    return SuccessResponse(status='success', message='done', episode_id='1', processing_time_ms=1)\n"),
    memory_tool("ERR210", "in a helper", "class Refused<n>Error(Exception):\n    pass\n\n\ndef helper_<n>(text):\n    if not text:\n        raise Refused<n>Error('no text')  # <<\n    return text\n\n\n@mcp_<n>.tool()\ndef tool_<n>(text: str) -> SuccessResponse | ErrorResponse:\n    helper_<n>(text)\n    return SuccessResponse(status='success', message='done', episode_id='1', processing_time_ms=1)\n"),
    memory_tool("ERR210", "in a handler", "class Refused<n>Error(Exception):\n    pass\n\n\n@mcp_<n>.tool()\ndef tool_<n>(text: str) -> SuccessResponse | ErrorResponse:\n    try:\n        size = int(text)\n    except ValueError as error:\n        raise Refused<n>Error('no size') from error  # <<\n    return SuccessResponse(status='success', message=str(size), episode_id='1', processing_time_ms=1)\n"),
    panel_tool("ERR210", "exempt", "@mcp_<n>.tool()\ndef setup_<n>(url: str) -> dict:\n    if not url:\n        raise ToolError('[validation_error] url: needed')  # <<\n    return {'url': url}\n", config="\n[[overrides]]\npaths = ['<path>']\n[overrides.exceptions]\nextend-exempt = ['setup_<n>']\n"),
)  # fmt: skip

FAULTY = '\n[[boundary]]\ndecorator = "<module>.bound_<n>"\nlogs = true\n'
FAULTY_TOOL = "\n\n@mcp_<n>.tool()\n@bound_<n>\n<async>def tool_<n>(title: str) -> dict:\n    return {'title': title}\n"


def boundary_of(name: str, source: str, is_async: bool = False) -> Violation:
    """Return a flaw of a boundary."""
    tool = FAULTY_TOOL.replace("<async>", "async " if is_async else "")
    return shelf_tool("ERR211", name, source + tool, "import asyncio\nimport functools\nimport logging", config=FAULTY)


FAULTY_BOUNDARIES = (
    boundary_of("async function in a sync wrapper", "def bound_<n>(function):\n    @functools.wraps(function)\n    def wrapper(*args, **kwargs):  # <<\n        try:\n            return function(*args, **kwargs)\n        except ShelfError as error:\n            logging.warning('refused', extra={'operation': 'x', 'error_code': 'y', 'context': {}})\n            return {'error': error.message}\n\n    return wrapper\n", is_async=True),
    boundary_of("no wraps", "def bound_<n>(function):\n    def wrapper(*args, **kwargs):  # <<\n        try:\n            return function(*args, **kwargs)\n        except ShelfError as error:\n            logging.warning('refused', extra={'operation': 'x', 'error_code': 'y', 'context': {}})\n            return {'error': error.message}\n\n    return wrapper\n"),
    boundary_of("cancellation", "def bound_<n>(function):\n    @functools.wraps(function)\n    async def wrapper(*args, **kwargs):\n        try:\n            return await function(*args, **kwargs)\n        except (asyncio.CancelledError, ShelfError):  # <<\n            logging.exception('refused', extra={'operation': 'x', 'error_code': 'y', 'context': {}})\n            return {'error': 'refused'}\n\n    return wrapper\n", is_async=True),
    boundary_of("BaseException", "def bound_<n>(function):\n    @functools.wraps(function)\n    def wrapper(*args, **kwargs):\n        try:\n            return function(*args, **kwargs)\n        except BaseException:  # <<\n            logging.exception('failed', extra={'operation': 'x', 'error_code': 'y', 'context': {}})\n            return {'error': 'internal error'}\n\n    return wrapper\n"),
    boundary_of("text of an unknown exception", "def bound_<n>(function):\n    @functools.wraps(function)\n    def wrapper(*args, **kwargs):\n        try:\n            return function(*args, **kwargs)\n        except Exception as error:\n            logging.exception('failed', extra={'operation': 'x', 'error_code': 'y', 'context': {}})\n            return {'error': str(error)}  # <<\n\n    return wrapper\n"),
    boundary_of("no log", "def bound_<n>(function):\n    @functools.wraps(function)\n    def wrapper(*args, **kwargs):  # <<\n        try:\n            return function(*args, **kwargs)\n        except Exception:\n            return {'error': 'internal error'}\n\n    return wrapper\n"),
)  # fmt: skip

GUARDED = "SuccessResponse(status='success', message=found, episode_id='1', processing_time_ms=1)"
AVAILABILITY = (
    memory_tool("ERR212", "never", f"@mcp_<n>.tool()\nasync def tool_<n>(text: str) -> SuccessResponse | ErrorResponse:\n    found = await extract(text)  # <<\n    return {GUARDED}\n", "from memory.llm import extract"),
    memory_tool("ERR212", "on one way", f"@mcp_<n>.tool()\nasync def tool_<n>(text: str, force: bool) -> SuccessResponse | ErrorResponse:\n    found = text\n    if not force:\n        if llm_available():\n            found = await extract(text)\n    else:\n        found = await extract(text)  # <<\n    return {GUARDED}\n", "from memory.llm import extract, llm_available"),
    memory_tool("ERR212", "afterwards", f"@mcp_<n>.tool()\nasync def tool_<n>(text: str, graph) -> SuccessResponse | ErrorResponse:\n    await graph.add_episode(text)  # <<\n    found = 'up' if llm_available() else 'down'\n    return {GUARDED}\n", "from memory.llm import llm_available"),
    Violation("ERR212", MEMORY, "method", "class Memory<n>:\n    async def remember(self, texts):\n        for text in texts:\n            self.found = await self.graph.extract_entities(text)  # <<\n"),
    memory_tool("ERR212", "in a helper", f"async def helper_<n>(text):\n    return (await llm.extract(text)).strip()  # <<\n\n\n@mcp_<n>.tool()\nasync def tool_<n>(text: str) -> SuccessResponse | ErrorResponse:\n    found = await helper_<n>(text)\n    return {GUARDED}\n", "from memory import llm"),
)  # fmt: skip

CODES = (
    statement("ERR301", SHELF, "keyword literal", "raise ShelfError('refused', code='loan-refusd')  # <<"),
    statement("ERR301", SHELF, "no such member", "raise ShelfError('refused', code=ErrorCode.LOAN_REFUSD)  # <<"),
    statement("ERR301", SHELF, "variable", "code = 'book-mising'\nraise ShelfError('refused', code=code)  # <<"),
    statement("ERR301", PANEL, "prefix", "raise ToolError('[not_fuond] no such study')  # <<"),
    statement("ERR301", PANEL, "prefix, f-string", "raise ToolError(f'[ratelimited] wait {__name__}')  # <<"),
    statement("ERR301", MEMORY, "response", "return ErrorResponse(status='error', error_type='x', error_code='TEXT_EMTPY', message='no text', recoverable=False, suggestion='Give a text')  # <<"),
    statement("ERR301", DRAFTS, "positional class", "raise MCPToolError('refused', error_code='REFUSED', hints=['Try again'], context={'request_id': '1'})  # <<"),
    Violation("ERR301", SHELF, "constructor", "class Planted<n>Error(ShelfError):\n    def __init__(self, message):\n        super().__init__(message, code='no-such-code')  # <<\n\n\ndef refuse_<n>():\n    raise Planted<n>Error('refused')\n", SHELF_ERRORS),
    Violation("ERR301", SHELF, "constant", "REFUSED_<n> = 'book-gone'\n\n\ndef refuse_<n>():\n    raise ShelfError('refused', code=REFUSED_<n>)  # <<\n", SHELF_ERRORS),
    Violation("ERR301", SHELF, "factory", "def refusal_<n>(message, code):\n    return ShelfError(message, code=code)\n\n\ndef refuse_<n>():\n    raise refusal_<n>('refused', 'book-gone')  # <<\n", SHELF_ERRORS),
    Violation("ERR302", DRAFTS, "member", "", "", edits=(("drafts/exceptions.py", "class ErrorCode:", "    UNUSED_<n> = 'UNUSED_<n>'  # <<"),)),
    Violation("ERR302", DRAFTS, "member, other spelling", "", "", edits=(("drafts/exceptions.py", "class ErrorCode:", "    SPARE_<n> = 'spare-code-<n>'  # <<"),)),
    Violation("ERR302", DRAFTS, "annotated", "", "", edits=(("drafts/exceptions.py", "class ErrorCode:", "    LATER_<n>: str = 'LATER_<n>'  # <<"),)),
    Violation("ERR302", DRAFTS, "enum", "class ErrorCode<n>(StrEnum):\n    USED_<n> = 'used-<n>'\n    MISSED_<n> = 'missed-<n>'  # <<\n\n\ndef refuse_<n>():\n    raise MCPToolError('refused', error_code=ErrorCode<n>.USED_<n>, hints=['Wait'], context={'request_id': '1'})\n", f"from enum import StrEnum\n{DRAFTS_ERRORS}", config="\n[[overrides]]\npaths = ['<path>']\n[overrides.codes]\nextend-registry = ['<module>:ErrorCode<n>']\n"),
    Violation("ERR303", SHELF, "member", "", "", edits=(("shelf/errors.py", '    SERVER_FAILED = "server-failed"', "    GONE_<n> = 'book-missing'  # <<"),)),
    Violation("ERR303", SHELF, "member of two new ones", "", "", edits=(("shelf/errors.py", '    SERVER_FAILED = "server-failed"', "    FIRST_<n> = 'taken-<n>'\n    SECOND_<n> = 'taken-<n>'  # <<"),)),
    Violation("ERR303", DRAFTS, "constant", "def refuse_<n>():\n    return ErrorCode.CHOICE_<n>\n", DRAFTS_ERRORS, edits=(("drafts/exceptions.py", '    EXECUTION_ERROR = "EXECUTION_ERROR"', "    CHOICE_<n> = 'SELECTOR_ERROR'  # <<"),)),
    Violation("ERR303", DRAFTS, "one name, two values", "def refuse_<n>():\n    return ErrorCode.BOTH_<n>\n", DRAFTS_ERRORS, edits=(("drafts/exceptions.py", '    EXECUTION_ERROR = "EXECUTION_ERROR"', "    BOTH_<n> = 'FIRST_<n>'\n    BOTH_<n> = 'SECOND_<n>'  # <<"),)),
    statement("ERR304", SHELF, "keyword", "raise ShelfError('refused', code='loan-refused', http_status=409)  # <<"),
    statement("ERR304", SHELF, "variable", "code = 'loan-refused'\nraise ShelfError('refused', code=code, http_status=409)  # <<"),
    statement("ERR304", DRAFTS, "class of constants", "raise MCPToolError('refused', error_code='EXECUTION_ERROR', hints=['Wait'], context={'request_id': '1'})  # <<"),
    Violation("ERR304", SHELF, "constructor", "class Planted<n>Error(ShelfError):\n    def __init__(self, message):\n        super().__init__(message, code='loan-refused', http_status=409)  # <<\n\n\ndef refuse_<n>():\n    raise Planted<n>Error('refused')\n", SHELF_ERRORS),
    Violation("ERR304", SHELF, "factory", "def refusal_<n>(message, code):\n    return ShelfError(message, code=code)\n\n\ndef refuse_<n>():\n    raise refusal_<n>('refused', code='reader-unknown')  # <<\n", SHELF_ERRORS),
    statement("ERR305", PANEL, "none", "raise ToolError('no such study')  # <<"),
    statement("ERR305", PANEL, "f-string", "raise ToolError(f'no such study: {__name__}')  # <<"),
    statement("ERR305", PANEL, "other brackets", "raise ToolError('(not_found) no such study')  # <<"),
    statement("ERR305", PANEL, "behind", "raise ToolError('no such study [not_found]')  # <<"),
    statement("ERR305", PANEL, "joined", "raise ToolError('no such study: ' + str(__name__))  # <<"),
    Violation("ERR305", PANEL, "subclass", "class Study<n>Error(ToolError):\n    pass\n\n\nasync def work_<n>(value):\n    if not value:\n        raise Study<n>Error('no such study')  # <<\n", PANEL_TOOL),
    statement("ERR306", SHELF, "code's", "raise ShelfError('refused', code=ErrorCode.LOAN_REFUSED, http_status=400)  # <<"),
    statement("ERR306", SHELF, "HTTPStatus", "raise ShelfError('refused', code=ErrorCode.LOAN_REFUSED, http_status=HTTPStatus.NOT_FOUND)  # <<", "from http import HTTPStatus"),
    statement("ERR306", DRAFTS, "class's", "raise MCPToolError('refused', error_code=ErrorCode.SELECTOR_ERROR, code=-32603, hints=['Wait'], context={'request_id': '1'})  # <<"),
    Violation("ERR306", SHELF, "constructor", "class Planted<n>Error(ShelfError):\n    def __init__(self, message):\n        super().__init__(message, code=ErrorCode.LOAN_REFUSED, http_status=404)  # <<\n\n\ndef refuse_<n>():\n    raise Planted<n>Error('refused')\n", SHELF_ERRORS),
    statement("ERR306", PANEL, "response", "return ChatbotSetupResponse(ok=False, error_kind='not_found', status=422)  # <<", "from panel.answers import ChatbotSetupResponse"),
    statement("ERR307", MEMORY, "not recoverable", "return ErrorResponse(status='error', error_type='llm', error_code='RATE_LIMIT_EXCEEDED', message='too many', recoverable=False, suggestion='Wait', retry_after_seconds=3)  # <<"),
    statement("ERR307", MEMORY, "recoverable", "return ErrorResponse(status='error', error_type='llm', error_code='INVALID_API_KEY', message='bad key', recoverable=True, suggestion='Check the key')  # <<"),
    statement("ERR307", MEMORY, "retry after", "return ErrorResponse(status='error', error_type='llm', error_code='QUOTA_EXCEEDED', message='no quota', recoverable=False, suggestion='Pay', retry_after_seconds=60)  # <<"),
    statement("ERR307", MEMORY, "variable", "answer = ErrorResponse(status='error', error_type='llm', error_code='QUOTA_EXCEEDED', message='no quota', recoverable=True, suggestion='Pay')\nreturn answer  # <<"),
    panel_tool("ERR307", "blind retry", "@retry(stop=stop_after_attempt(3))\ndef send_<n>(body):\n    answer = backend.post('/studies', body)  # <<\n    return answer\n", "from tenacity import retry, stop_after_attempt"),
    Violation("ERR308", PANEL, "in", "def work_<n>(value):\n    try:\n        return value()\n    except ToolError as error:\n        if 'rate limited' in str(error):  # <<\n            return None\n        raise\n", PANEL_TOOL),
    Violation("ERR308", PANEL, "startswith", "async def work_<n>(value):\n    try:\n        return await value()\n    except ToolError as error:\n        if str(error).startswith('no such'):  # <<\n            return None\n        raise\n", PANEL_TOOL),
    Violation("ERR308", PANEL, "a name, elif", "def work_<n>(value):\n    try:\n        return value()\n    except ToolError as error:\n        text = str(error).lower()\n        if value is None:\n            return 1\n        elif 'not found' in text:  # <<\n            return None\n        raise\n", PANEL_TOOL),
    Violation("ERR308", PANEL, "args", "class Work<n>:\n    def work(self, value):\n        try:\n            return value()\n        except ToolError as error:\n            if error.args[0] == 'gone':  # <<\n                return None\n            raise\n", PANEL_TOOL),
    Violation("ERR308", PANEL, "search", "def work_<n>(value):\n    try:\n        return value()\n    except ToolError as error:\n        if re.search('time[d ]*out', str(error)):  # <<\n            return None\n        raise\n", f"import re\n{PANEL_TOOL}"),
    statement("ERR309", CRAWL, "recovery of a severity", "planted<n>_logger.error('x', extra={'error_type': 'ParsingError', 'severity': 'error', 'recovery': 'retry'})  # <<\nraise LookupError"),
    statement("ERR309", CRAWL, "recovery of a type", "planted<n>_logger.critical('x', extra={'error_type': 'SecretLeakage', 'recovery': 'skip'})  # <<\nraise LookupError"),
    statement("ERR309", CRAWL, "severity of a type", "planted<n>_logger.error('x', extra={'error_type': 'CAPTCHADetected', 'severity': 'error', 'recovery': 'skip'})  # <<\nraise LookupError"),
    Violation("ERR309", CRAWL, "abort goes on", "def work_<n>(pages):\n    for page in pages:\n        if not page:\n            planted<n>_logger.critical('x', extra={'error_type': 'UnauthorizedAccess', 'severity': 'critical', 'recovery': 'abort'})  # <<\n        print(page)\n", CRAWL_LOG),
    Violation("ERR310", DRAFTS, "member", "def refuse_<n>():\n    raise MCPToolError('refused', error_code=ErrorCode.WORN_<n>, hints=['Wait'], context={'request_id': '1'})\n", DRAFTS_ERRORS, edits=(("drafts/exceptions.py", "class ErrorCode:", "    WORN_<n> = 'WORN_<n>'  # <<"),)),
    Violation("ERR310", DRAFTS, "member of a class", "class Torn<n>Error(MCPToolError):\n    def __init__(self, message):\n        super().__init__(message, error_code=ErrorCode.TORN_<n>, hints=['Wait'], context={'request_id': '1'})\n\n\ndef refuse_<n>():\n    raise Torn<n>Error('torn')\n", DRAFTS_ERRORS, edits=(("drafts/exceptions.py", "class ErrorCode:", "    TORN_<n> = 'torn-<n>'  # <<"),)),
    Violation("ERR311", DRAFTS, "class", "class Idle<n>Error(MCPToolError):  # <<\n    pass\n", DRAFTS_ERRORS),
    Violation("ERR311", DRAFTS, "class with constructor", "class Spare<n>Error(MCPExecutionError):  # <<\n    def __init__(self, message, context=None):\n        super().__init__(message, operation='spare', hints=['Wait'], context=context)\n", DRAFTS_ERRORS),
    Violation("ERR311", DRAFTS, "class of the errors module", "", "", edits=(("drafts/exceptions.py", "        self.candidates = candidates or []", "\n\nclass Lost<n>Error(MCPToolError):  # <<\n    pass"),)),
    Violation("ERR312", SHELF, "no super", "class Bare<n>Error(ShelfError):\n    def __init__(self, message):  # <<\n        self.message = message\n\n\ndef refuse_<n>():\n    raise Bare<n>Error('bare')\n", SHELF_ERRORS),
    Violation("ERR312", SHELF, "skips to Exception", "class Skip<n>Error(ShelfError):\n    def __init__(self, message, title):  # <<\n        Exception.__init__(self, message)\n        self.title = title\n\n\ndef refuse_<n>():\n    raise Skip<n>Error('skipped', 'x')\n", SHELF_ERRORS),
    Violation("ERR312", DRAFTS, "no super, errors module", "def refuse_<n>():\n    raise Mute<n>Error('mute')\n", "from drafts.exceptions import Mute<n>Error", edits=(("drafts/exceptions.py", "        self.candidates = candidates or []", "\n\nclass Mute<n>Error(MCPToolError):\n    def __init__(self, message):  # <<\n        self.text = message"),)),
    Violation("ERR312", DRAFTS, "below another", "class Upper<n>Error(MCPExecutionError):\n    pass\n\n\nclass Lower<n>Error(Upper<n>Error):\n    def __init__(self, text):  # <<\n        self.text = text\n\n\ndef refuse_<n>(value):\n    if value:\n        raise Upper<n>Error('upper', operation='x', hints=['Wait'], context={'request_id': '1'})\n    raise Lower<n>Error('lower')\n", DRAFTS_ERRORS),
    panel_tool("ERR313", "check before", "@mcp_<n>.tool()\ndef tool_<n>(study_id: str) -> dict:\n    if not study_id:\n        raise ToolError('[not_found] study_id: needed')  # <<\n    return backend.get(f'/studies/{study_id}')\n"),
    panel_tool("ERR313", "check behind", "@mcp_<n>.tool()\ndef tool_<n>(study_id: str) -> dict:\n    study = backend.get(f'/studies/{study_id}')\n    if not study:\n        raise ToolError('[validation_error] no study')  # <<\n    return study\n"),
    panel_tool("ERR313", "in the handler", "@mcp_<n>.tool()\nasync def tool_<n>(study_id: str) -> dict:\n    try:\n        study = backend.get(f'/studies/{study_id}')\n    except LookupError as error:\n        raise ToolError('[validation_error] no study') from error  # <<\n    return study\n"),
    Violation("ERR313", PANEL, "helper", "def helper_<n>(study_id):\n    if len(study_id) > 3:\n        raise ToolError(f'[client_error] too long: {study_id}')  # <<\n    study = backend.post('/studies', {'id': study_id})\n    return study\n", PANEL_TOOL),
    memory_tool("ERR314", "if", "def work_<n>(mode):\n    if mode == OnUnavailable.FAIL:  # <<\n        return 1\n    elif mode == OnUnavailable.STORE_RAW:\n        return 2\n    return 3\n"),
    memory_tool("ERR314", "match", "async def work_<n>(mode):\n    match mode:  # <<\n        case OnUnavailable.FAIL:\n            return 1\n        case OnUnavailable.QUEUE_RETRY:\n            return 2\n"),
    memory_tool("ERR314", "dict", "class Work<n>:\n    def work(self, mode):\n        return {OnUnavailable.FAIL: 1, OnUnavailable.QUEUE_RETRY: 2}[mode]  # <<\n"),
    memory_tool("ERR314", "texts", "def work_<n>(config):\n    for mode in config:\n        if mode.value in ('store_raw',):  # <<\n            print(1)\n        elif mode.value == 'queue_retry':\n            print(2)\n"),
)  # fmt: skip

VALIDATION = "validation_errors=['x'], "
FIELDS = (
    statement("ERR401", DRAFTS, "none", f"raise MCPValidationError('bad', {VALIDATION}context={{'request_id': '1'}})  # <<"),
    statement("ERR401", DRAFTS, "None", "raise MCPExecutionError('bad', operation='x', hints=None, context={'request_id': '1'})  # <<"),
    statement("ERR401", DRAFTS, "variable", "error = MCPSelectorError('bad', selector='x', error='not_found', context={'request_id': '1'})\nraise error  # <<"),
    statement("ERR401", MEMORY, "response", "return ErrorResponse(status='error', error_type='x', error_code='TEXT_EMPTY', message='no text', recoverable=False)  # <<"),
    Violation("ERR401", DRAFTS, "subclass", "class Kind<n>Error(MCPValidationError):\n    pass\n\n\ndef refuse_<n>():\n    raise Kind<n>Error('bad', validation_errors=['x'], context={'request_id': '1'})  # <<\n", DRAFTS_ERRORS),
    Violation("ERR401", DRAFTS, "factory", "def refusal_<n>(text):\n    return MCPExecutionError(text, operation='x', context={'request_id': '1'})  # <<\n\n\ndef refuse_<n>():\n    raise refusal_<n>('bad')\n", DRAFTS_ERRORS),
    statement("ERR402", DRAFTS, "empty list", f"raise MCPValidationError('bad', {VALIDATION}hints=[], context={{'request_id': '1'}})  # <<"),
    statement("ERR402", DRAFTS, "blank", f"raise MCPValidationError('bad', {VALIDATION}hints=['  '], context={{'request_id': '1'}})  # <<"),
    statement("ERR402", DRAFTS, "placeholder", f"raise MCPValidationError('bad', {VALIDATION}hints=['TODO'], context={{'request_id': '1'}})  # <<"),
    statement("ERR402", DRAFTS, "message again", "raise MCPExecutionError('the file is gone', operation='x', hints=['the file is gone'], context={'request_id': '1'})  # <<"),
    statement("ERR402", MEMORY, "text", "return ErrorResponse(status='error', error_type='x', error_code='TEXT_EMPTY', message='no text', recoverable=False, suggestion='N/A')  # <<"),
    statement("ERR402", DRAFTS, "same variable", "why = str(__name__)\nraise MCPExecutionError(why, operation='x', hints=[why], context={'request_id': '1'})  # <<"),
    statement("ERR403", DRAFTS, "no context", f"raise MCPValidationError('bad', {VALIDATION}hints=['Wait'])  # <<"),
    statement("ERR403", DRAFTS, "no request id", f"raise MCPValidationError('bad', {VALIDATION}hints=['Wait'], context={{'title': 'x'}})  # <<"),
    statement("ERR403", DRAFTS, "condition", "raise MCPSelectorError('bad', selector='x', error='ambiguous', hints=['Wait'], context={'request_id': '1'})  # <<"),
    statement("ERR403", SHELF, "None", "raise BookMissingError('no book', None)  # <<"),
    statement("ERR403", MEMORY, "success", "return SuccessResponse(status='success', message='done', processing_time_ms=1)  # <<"),
    statement("ERR403", MEMORY, "condition on a code", "return ErrorResponse(status='error', error_type='llm', error_code='NETWORK_ERROR', message='no net', recoverable=True, suggestion='Wait')  # <<"),
    statement("ERR403", CRAWL, "payload", "return {'error': {'type': 'ParsingError', 'severity': 'error', 'phase': 1, 'agent': 'a', 'message': 'bad', 'recovery': 'skip', 'context': {}, 'timestamp': '1'}}  # <<"),
    statement("ERR403", CRAWL, "payload, context", "return {'error': {'type': 'NavigationTimeout', 'severity': 'warning', 'phase': 1, 'agent': 'a', 'message': 'bad', 'recovery': 'retry', 'context': {'url': 'x'}, 'timestamp': '1', 'run_id': '1'}}  # <<"),
    shelf_tool("ERR404", "another", "@mcp_<n>.tool()\n@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})\ndef tool_<n>(title: str) -> dict:\n    if not title:\n        raise RequestInvalidError('no title', operation='shelf:lend')  # <<\n    return {'title': title}\n"),
    shelf_tool("ERR404", "another, in a handler", "@mcp_<n>.tool()\n@answer_problems('shelf:tool_<n>', {'title': ''})\nasync def tool_<n>(title: str) -> dict:\n    try:\n        return {'title': int(title)}\n    except ValueError as error:\n        raise ShelfError('no', code=ErrorCode.LOAN_REFUSED, http_status=409, operation='lending', cause=error) from error  # <<\n"),
    drafts_tool("ERR404", "another tool's", "class PlantedNumber<n>Tool(MCPTool):\n    name = 'planted_number_<n>'\n\n    @answer_errors\n    async def execute(self, title: str) -> dict:\n        if not title:\n            raise MCPExecutionError('bad', operation='create_draft', hints=['Wait'], context={'request_id': '1'})  # <<\n        return {'title': title}\n"),
    shelf_tool("ERR404", "nested", "@mcp_<n>.tool()\n@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})\ndef tool_<n>(title: str) -> dict:\n    for part in title:\n        with open(part) as file:\n            if not file:\n                raise RequestInvalidError('no title', operation='shelf:read_page')  # <<\n    return {'title': title}\n"),
    statement("ERR405", SHELF, "no fields", "logging.getLogger(__name__).error('failed')  # <<", "import logging"),
    statement("ERR405", SHELF, "exception", "logger = logging.getLogger(__name__)\nlogger.exception('failed')  # <<", "import logging"),
    statement("ERR405", SHELF, "a field less", "logging.error('failed', extra={'operation': 'x', 'error_code': 'y'})  # <<", "import logging"),
    statement("ERR405", CRAWL, "critical", "planted<n>_logger.critical('failed: %s', __name__)  # <<"),
    statement("ERR405", CRAWL, "log with level", "planted<n>_logger.log(logging.ERROR, 'failed', extra={'error_type': 'ParsingError'})  # <<"),
    Violation("ERR405", CRAWL, "attribute", "class Work<n>:\n    def work(self, value):\n        try:\n            return int(value)\n        except ValueError:\n            self._logger.error(f'bad value {value}')  # <<\n            raise\n", CRAWL_LOG),
    statement("ERR406", SHELF, "too low", "logging.warning('failed', extra={'operation': 'x', 'error_code': 'y', 'context': {}, 'severity': 'error'})  # <<", "import logging"),
    statement("ERR406", SHELF, "too high", "logging.error('failed', extra={'operation': 'x', 'error_code': 'y', 'context': {}, 'severity': 'warning'})  # <<", "import logging"),
    statement("ERR406", CRAWL, "of a type", "planted<n>_logger.info('failed', extra={'error_type': 'PromptInjectionDetected', 'recovery': 'abort'})  # <<\nraise LookupError"),
    statement("ERR406", CRAWL, "error for critical", "planted<n>_logger.error('failed', extra={'error_type': 'LoginRequired', 'severity': 'critical', 'recovery': 'abort'})  # <<\nraise LookupError"),
    statement("ERR407", CRAWL, "error", "planted<n>_logger.error('failed', extra={'error_type': 'ParsingError', 'severity': 'error', 'recovery': 'skip'})  # <<"),
    statement("ERR407", CRAWL, "of a type", "planted<n>_logger.critical('failed', extra={'error_type': 'SecretLeakage', 'recovery': 'abort'})  # <<\nraise LookupError"),
    Violation("ERR407", CRAWL, "in a handler", "async def work_<n>(value):\n    try:\n        return int(value)\n    except ValueError:\n        planted<n>_logger.exception('failed', extra={'error_type': 'ValidationError', 'severity': 'error', 'recovery': 'fallback'})  # <<\n        return 0\n", CRAWL_LOG),
    Violation("ERR407", CRAWL, "printed", "def work_<n>(value):\n    if not value:\n        print({'error': {'type': 'BudgetExceeded', 'severity': 'critical', 'phase': 1, 'agent': 'a', 'message': 'bad', 'recovery': 'abort', 'context': {'max_budget_usd': 1, 'current_cost_usd': 2, 'percent_used': 3}, 'timestamp': '1', 'run_id': '1'}})  # <<\n        raise SystemExit(1)\n    return value\n", CRAWL_LOG),
    Violation("ERR408", PANEL, "timeout", "def work_<n>(body):\n    try:\n        answer = backend.post('/studies', body)\n    except TimeoutError as error:\n        raise ToolError('[timeout] the backend took too long') from error  # <<\n    return answer\n", PANEL_TOOL),
    Violation("ERR408", PANEL, "network", "def work_<n>(body):\n    try:\n        return backend.post('/studies', body)\n    except ConnectionError as error:\n        raise ToolError('[network_error] the backend cannot be reached') from error  # <<\n", PANEL_TOOL),
    Violation("ERR408", PANEL, "httpx", "async def work_<n>(body):\n    try:\n        answer = await backend.post('/studies', body)\n    except (httpx.TimeoutException, httpx.ConnectError) as error:\n        raise ToolError('[timeout] the backend took too long; try again') from error  # <<\n    return answer\n", f"import httpx\n{PANEL_TOOL}"),
    Violation("ERR408", PANEL, "by the code", "class Work<n>:\n    def work(self, body):\n        try:\n            self.answer = backend.post('/studies', body)\n        except Exception as error:\n            raise ToolError('[timeout] the study was not made') from error  # <<\n", PANEL_TOOL),
    shelf_tool("ERR409", "in the tool", "@mcp_<n>.tool()\n@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})\ndef tool_<n>(title: str) -> dict:\n    if not title:\n        logging.error('no title', extra={'operation': 'x', 'error_code': 'y', 'context': {}})  # <<\n        raise RequestInvalidError('no title', operation='shelf:tool_<n>')\n    return {'title': title}\n", "import logging"),
    shelf_tool("ERR409", "in a handler", "planted<n>_logger = logging.getLogger(__name__)\n\n\n@mcp_<n>.tool()\n@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})\nasync def tool_<n>(title: str) -> dict:\n    try:\n        return {'title': int(title)}\n    except ValueError as error:\n        planted<n>_logger.exception('no title', extra={'operation': 'x', 'error_code': 'y', 'context': {}})  # <<\n        raise BookUnreadableError('no title', title, cause=error) from error\n", "import logging"),
    shelf_tool("ERR409", "in a helper", "def helper_<n>(title):\n    if not title:\n        logging.critical('no title', extra={'operation': 'x', 'error_code': 'y', 'context': {}})  # <<\n        raise BookMissingError('no title', title)\n    return title\n\n\n@mcp_<n>.tool()\n@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})\ndef tool_<n>(title: str) -> dict:\n    return {'title': helper_<n>(title)}\n", "import logging"),
    statement("ERR410", SHELF, "no detail", "return {'error': 'bad', 'problem': {'type': 'https://shelf.invalid/problems/book-missing', 'title': 'Bad', 'status': 404, 'instance': 'x', 'code': 'book-missing'}}  # <<"),
    statement("ERR410", SHELF, "misspelt", "return {'error': 'bad', 'problem': {'type': 'about:blank', 'title': 'Bad', 'status': 404, 'details': 'no book', 'instance': 'x'}}  # <<"),
    statement("ERR410", SHELF, "status is a text", "return {'error': 'bad', 'problem': {'type': 'about:blank', 'title': 'Bad', 'status': '404', 'detail': 'no book', 'instance': 'x'}}  # <<"),
    statement("ERR410", SHELF, "variable", "problem = {'type': 'https://shelf.invalid/problems/x', 'title': 'Bad', 'status_code': 404, 'detail': 'no book'}\nreturn {'error': 'bad', 'problem': problem}  # <<"),
    statement("ERR410", PANEL, "body of a response", "return JSONResponse({'type': 'about:blank', 'Title': 'Bad', 'status': 404}, media_type='application/problem+json')  # <<", "from fastapi.responses import JSONResponse"),
    statement("ERR411", PANEL, "dict in a text", "raise ToolError(f\"[no_audio_track] silent [envelope] {dict(error_kind='no_audio_track', suggestions=['Add sound'])}\")  # <<"),
    statement("ERR411", PANEL, "no JSON", "raise ToolError('[no_audio_track] silent [envelope] error_kind=no_audio_track')  # <<"),
    statement("ERR411", PANEL, "a key less", "raise ToolError('[no_audio_track] silent [envelope] {\"error_kind\": \"no_audio_track\"}')  # <<"),
    statement("ERR411", PANEL, "another kind", "raise ToolError('[no_audio_track] silent [envelope] {\"error_kind\": \"media_download_failed\", \"suggestions\": [\"Add sound\"]}')  # <<"),
    statement("ERR411", PANEL, "dumped", "raise ToolError('[no_audio_track] silent [envelope] ' + json.dumps({'error_kind': 'no_audio_track'}))  # <<", "import json"),
)  # fmt: skip

VIOLATIONS = (*STALE, *BOUNDARY, *FAULTY_BOUNDARIES, *AVAILABILITY, *CODES, *FIELDS)
