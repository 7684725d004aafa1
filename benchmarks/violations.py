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

VIOLATIONS = (
    Violation(
        "ERR108",
        SHELF,
        "in",
        """\
def load_<n>(title):
    if not title:
        raise BookMissingError(f"no book {title}", title)
    return {"title": title, "pages": 3}


def show_<n>(title):
    book = load_<n>(title)
    if "error" in book:  # <<
        return None
    return book["pages"]
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR108",
        SHELF,
        "get",
        """\
def load_<n>(title):
    if not title:
        raise BookMissingError(f"no book {title}", title)
    return {"title": title, "pages": 3}


def show_<n>(title):
    book = load_<n>(title)
    if book.get("error"):  # <<
        return None
    return book["pages"]
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR108",
        SHELF,
        "not success",
        """\
def load_<n>(title):
    if not title:
        raise BookMissingError(f"no book {title}", title)
    return {"title": title, "pages": 3}


def show_<n>(title):
    book = load_<n>(title)
    if not book["success"]:  # <<
        return None
    return book["pages"]
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR108",
        SHELF,
        "status",
        """\
def load_<n>(title):
    if not title:
        raise BookMissingError(f"no book {title}", title)
    return {"title": title, "pages": 3}


def show_<n>(title):
    book = load_<n>(title)
    if book.get("status") == "error":  # <<
        return None
    return book["pages"]
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR108",
        SHELF,
        "in a loop",
        """\
def load_<n>(title):
    if not title:
        raise BookMissingError(f"no book {title}", title)
    return {"title": title, "pages": 3}


def show_<n>(titles):
    pages = 0
    for title in titles:
        book = load_<n>(title)
        if "error" in book:  # <<
            continue
        pages += book["pages"]
    return pages
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR108",
        SHELF,
        "async",
        """\
async def load_<n>(title):
    if not title:
        raise BookMissingError('no title', title)
    return {'title': title}


async def show_<n>(title):
    book = await load_<n>(title)
    if 'error' in book:  # <<
        return None
    return book
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR108",
        SHELF,
        "method",
        """\
class Loader<n>:
    def load(self, title):
        if not title:
            raise BookMissingError('no title', title)
        return {'title': title}

    def show(self, title):
        book = self.load(title)
        if 'error' in book:  # <<
            return None
        return book
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR108",
        SHELF,
        "a pair",
        """\
def load_<n>(title):
    if not title:
        raise BookMissingError('no title', title)
    return {'title': title}


def show_<n>(title):
    book, error = load_<n>(title)  # <<
    if error:
        return None
    return book
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR108",
        SHELF,
        "test",
        "",
        test="""\
from shelf import store


def test_planted_<n>():
    result = store.summary("nothing")
    assert "error" in result  # <<
""",
    ),
    Violation(
        "ERR108",
        SHELF,
        "test, success",
        "",
        test="""\
from shelf.store import summary


def test_planted_<n>():
    result = summary("nothing")
    assert result["success"] is False  # <<
""",
    ),
    Violation(
        "ERR201",
        SHELF,
        "decorated",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
def tool_<n>(title: str) -> dict:  # <<
    return {'title': title}
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR201",
        SHELF,
        "decorator without call, async",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool
async def tool_<n>(title: str) -> dict:  # <<
    return {'title': title}
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR201",
        SHELF,
        "registered by a call",
        """\
mcp_<n> = FastMCP("planted")


def tool_<n>(title: str) -> dict:  # <<
    return {'title': title}


mcp_<n>.tool()(tool_<n>)
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR201",
        SHELF,
        "add_tool",
        """\
mcp_<n> = FastMCP("planted")


def tool_<n>(title: str) -> dict:  # <<
    return {'title': title}


mcp_<n>.add_tool(tool_<n>)
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR201",
        DRAFTS,
        "class",
        """\
class Planted<n>Tool(MCPTool):
    async def execute(self, title: str) -> dict:  # <<
        return {'title': title}
""",
        imports=DRAFTS_TOOL,
    ),
    Violation(
        "ERR201",
        SHELF,
        "in a function that registers",
        """\
mcp_<n> = FastMCP("planted")


def register_<n>(server):
    @server.tool(name='planted')
    def tool_<n>(title: str) -> dict:  # <<
        return {'title': title}
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR202",
        SHELF,
        "above",
        """\
mcp_<n> = FastMCP("planted")


@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})
@mcp_<n>.tool()
def tool_<n>(title: str) -> dict:  # <<
    return {'title': title}
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR202",
        SHELF,
        "above, async, no call",
        """\
mcp_<n> = FastMCP("planted")


@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})
@mcp_<n>.tool
async def tool_<n>(title: str) -> dict:  # <<
    return {'title': title}
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR202",
        SHELF,
        "above, another between",
        """\
mcp_<n> = FastMCP("planted")


def traced_<n>(function):
    return function


@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})
@traced_<n>
@mcp_<n>.tool(name='planted')
def tool_<n>(title: str) -> dict:  # <<
    return {'title': title}
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR202",
        SHELF,
        "above a prompt",
        """\
mcp_<n> = FastMCP("planted")


@answer_problems(operation='shelf:prompt_<n>', empty_result={'text': ''})
@mcp_<n>.prompt()
def prompt_<n>(title: str) -> dict:  # <<
    return {'text': title}
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR203",
        SHELF,
        "another key",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
@answer_problems(operation='shelf:tool_<n>', empty_result={'titles': []})
def tool_<n>(title: str) -> dict:  # <<
    return {'title': title}
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR203",
        SHELF,
        "a key less",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})
def tool_<n>(title: str) -> dict:  # <<
    if title:
        return {'title': title, 'pages': 1}
    return {'title': '', 'pages': 0}
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR203",
        SHELF,
        "not empty",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
@answer_problems(operation='shelf:tool_<n>', empty_result={'pages': -1})
async def tool_<n>(title: str) -> dict:  # <<
    return {'pages': len(title)}
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR203",
        SHELF,
        "answer of a helper",
        """\
mcp_<n> = FastMCP("planted")


def pages_<n>(title):
    return {'pages': len(title)}


@mcp_<n>.tool()
@answer_problems(operation='shelf:tool_<n>', empty_result={'page': 0})
def tool_<n>(title: str) -> dict:  # <<
    return pages_<n>(title)
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR203",
        SHELF,
        "a constant, positional",
        """\
mcp_<n> = FastMCP("planted")


EMPTY_<n> = {'text': '', 'summary': {}}


@mcp_<n>.tool()
@answer_problems('shelf:tool_<n>', EMPTY_<n>)
def tool_<n>(title: str) -> dict:  # <<
    return {'text': title}
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR204",
        SHELF,
        "pattern",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
@answer_problems(operation='Shelf/Tool', empty_result={'title': ''})
def tool_<n>(title: str) -> dict:  # <<
    return {'title': title}
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR204",
        SHELF,
        "pattern, positional",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
@answer_problems('tool_<n>', {'title': ''})
async def tool_<n>(title: str) -> dict:  # <<
    return {'title': title}
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR204",
        SHELF,
        "another function's",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
@answer_problems(operation='shelf:find_book', empty_result={'title': ''})
def search_<n>(title: str) -> dict:  # <<
    return {'title': title}
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR204",
        SHELF,
        "twice",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
@answer_problems(operation='shelf:<word>_shelves', empty_result={'title': ''})
def first_<n>(title: str) -> dict:
    return {'title': title}


@mcp_<n>.tool()
@answer_problems(operation='shelf:<word>_shelves', empty_result={'title': ''})
def second_<n>(title: str) -> dict:  # <<
    return {'title': title}
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR205",
        SHELF,
        "broad handler",
        """\
def work_<n>(title):
    try:
        if not title:
            raise BookMissingError('no title', title)  # <<
        return len(title)
    except Exception:
        return 0
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR205",
        SHELF,
        "bare, async",
        """\
async def work_<n>(title):
    try:
        if not title:
            raise BookUnreadableError('no title', title)  # <<
        return len(title)
    except:
        return 0
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR205",
        SHELF,
        "base class",
        """\
class Work<n>:
    def work(self, title):
        try:
            if not title:
                raise ReaderUnknownError('no reader', title)  # <<
            return len(title)
        except ShelfError:
            return None
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR205",
        SHELF,
        "suppress",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
@answer_problems(operation='shelf:work_<n>', empty_result={})
def work_<n>(title):
    with contextlib.suppress(Exception):
        if not title:
            raise BookMissingError('no title', title)  # <<
    return {'title': title}
""",
        imports=f"{SHELF_TOOL}\nimport contextlib",
    ),
    Violation(
        "ERR205",
        SHELF,
        "finally",
        """\
def work_<n>(title):
    try:
        if not title:
            raise BookMissingError('no title', title)  # <<
    finally:
        return title
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR205",
        DRAFTS,
        "outer handler",
        """\
class Planted<n>Tool(MCPTool):
    @answer_errors
    async def execute(self, title: str) -> dict:
        try:
            for part in title:
                with open(part) as file:
                    if not file:
                        raise MCPExecutionError('no file', operation='execute', hints=['Give a file'], context={'request_id': '1'})  # <<
        except (OSError, Exception) as error:
            print(error)
        return {'title': title}
""",
        imports=DRAFTS_TOOL,
    ),
    Violation(
        "ERR206",
        SHELF,
        "in the tool",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})
def tool_<n>(title: str) -> dict:
    if not title:
        raise ValueError('no title')  # <<
    return {'title': title}
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR206",
        SHELF,
        "in a helper",
        """\
mcp_<n> = FastMCP("planted")


def helper_<n>(title):
    if title == 'x':
        raise KeyError(title)  # <<
    return title


@mcp_<n>.tool()
@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})
async def tool_<n>(title: str) -> dict:
    return {'title': helper_<n>(title)}
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR206",
        SHELF,
        "foreign",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})
async def tool_<n>(title: str) -> dict:
    for part in title:
        if not part:
            raise HTTPException(404)  # <<
    return {'title': title}
""",
        imports=f"{SHELF_TOOL}\nfrom fastapi import HTTPException",
    ),
    Violation(
        "ERR206",
        DRAFTS,
        "in a handler",
        """\
class Planted<n>Tool(MCPTool):
    @answer_errors
    async def execute(self, title: str) -> dict:
        try:
            return {'size': int(title)}
        except TypeError as error:
            raise RuntimeError('no size') from error  # <<
""",
        imports=DRAFTS_TOOL,
    ),
    Violation(
        "ERR207",
        SHELF,
        "no from",
        """\
def work_<n>(title):
    try:
        return int(title)
    except ValueError:
        raise BookMissingError('no number', title)  # <<
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR207",
        SHELF,
        "from without cause=",
        """\
async def work_<n>(title):
    try:
        return int(title)
    except ValueError as error:
        raise BookUnreadableError('no number', title) from error  # <<
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR207",
        DRAFTS,
        "below a condition",
        """\
def work_<n>(title):
    try:
        return int(title)
    except ValueError as error:
        if title:
            raise MCPExecutionError('no number', operation='work', hints=['Give a number'], context={'request_id': '1'})  # <<
        raise
""",
        imports=DRAFTS_ERRORS,
    ),
    Violation(
        "ERR207",
        DRAFTS,
        "method, nested try",
        """\
class Work<n>:
    def work(self, title):
        for part in title:
            try:
                self.size = int(part)
            except (ValueError, TypeError):
                raise MCPExecutionError(f'no number: {part}', operation='work', hints=['Give a number'], context={'request_id': '1'})  # <<
""",
        imports=DRAFTS_ERRORS,
    ),
    Violation(
        "ERR208",
        SHELF,
        "class again",
        """\
class BookMissing<n>Error(Exception):  # <<
    pass
""",
        imports="from shelf.errors import BookMissingError as BookMissing<n>Error",
    ),
    Violation(
        "ERR208",
        SHELF,
        "import again",
        """\
from requests import ConnectionError as Refused<n>Error  # <<
""",
        imports="from shelf.errors import ShelfError as Refused<n>Error",
    ),
    Violation(
        "ERR208",
        MEMORY,
        "assignment",
        """\
Answer<n>Error = dict  # <<
""",
        imports="from memory.responses import ErrorResponse as Answer<n>Error",
    ),
    Violation(
        "ERR208",
        MEMORY,
        "factory twice",
        """\
def refused_<n>(why):
    return {'success': False, 'error': why}


def refused_<n>(why, code=0):  # <<
    return {'success': False, 'error': why, 'code': code}
""",
    ),
    Violation(
        "ERR208",
        DRAFTS,
        "function",
        """\
def MCPSelector<n>Error(text):  # <<
    return text
""",
        imports="from drafts.exceptions import MCPSelectorError as MCPSelector<n>Error",
    ),
    Violation(
        "ERR209",
        SHELF,
        "log",
        """\
def work_<n>(path):
    try:
        handle = open(path)
        return handle.read()
    except Exception:
        handle.close()  # <<
        raise
""",
    ),
    Violation(
        "ERR209",
        DRAFTS,
        "message",
        """\
async def work_<n>(path):
    try:
        size = int(path)
        return size + len(path)
    except ValueError as error:
        raise LookupError(f'size {size}') from error  # <<
""",
    ),
    Violation(
        "ERR209",
        PANEL,
        "method",
        """\
class Work<n>:
    def work(self, path):
        try:
            client = self.connect(path)
            return client.read()
        except:
            client.close()  # <<
            raise
""",
    ),
    Violation(
        "ERR209",
        CRAWL,
        "with",
        """\
def work_<n>(path):
    try:
        with open(path) as file_<n>:
            return file_<n>.read()
    except BaseException:
        file_<n>.close()  # <<
        raise
""",
    ),
    Violation(
        "ERR210",
        MEMORY,
        "in a tool",
        """\
mcp_<n> = FastMCP("planted")


class Refused<n>Error(Exception):
    pass


@mcp_<n>.tool()
async def tool_<n>(text: str) -> SuccessResponse | ErrorResponse:
    if not text:
        raise Refused<n>Error('no text')  # <<
    return SuccessResponse(status='success', message='done', episode_id='1', processing_time_ms=1)
""",
        imports=MEMORY_TOOL,
    ),
    Violation(
        "ERR210",
        MEMORY,
        "in a helper",
        """\
mcp_<n> = FastMCP("planted")


class Refused<n>Error(Exception):
    pass


def helper_<n>(text):
    if not text:
        raise Refused<n>Error('no text')
    return text


@mcp_<n>.tool()
def tool_<n>(text: str) -> SuccessResponse | ErrorResponse:
    helper_<n>(text)  # <<
    return SuccessResponse(status='success', message='done', episode_id='1', processing_time_ms=1)
""",
        imports=MEMORY_TOOL,
    ),
    Violation(
        "ERR210",
        MEMORY,
        "in a handler",
        """\
mcp_<n> = FastMCP("planted")


class Refused<n>Error(Exception):
    pass


@mcp_<n>.tool()
def tool_<n>(text: str) -> SuccessResponse | ErrorResponse:
    try:
        size = int(text)
    except ValueError as error:
        raise Refused<n>Error('no size') from error  # <<
    return SuccessResponse(status='success', message=str(size), episode_id='1', processing_time_ms=1)
""",
        imports=MEMORY_TOOL,
    ),
    Violation(
        "ERR210",
        PANEL,
        "exempt",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
def setup_<n>(url: str) -> dict:
    if not url:
        raise ToolError('[validation_error] url: needed')  # <<
    return {'url': url}
""",
        imports=PANEL_TOOL,
        config="""\

[[overrides]]
paths = ['<path>']
[overrides.exceptions]
extend-exempt = ['setup_<n>']
""",
    ),
    Violation(
        "ERR211",
        SHELF,
        "async function in a sync wrapper",
        """\
mcp_<n> = FastMCP("planted")


def bound_<n>(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):  # <<
        try:
            return function(*args, **kwargs)
        except ShelfError as error:
            logging.warning('refused', extra={'operation': 'x', 'error_code': 'y', 'context': {}})
            return {'error': error.message}

    return wrapper


@mcp_<n>.tool()
@bound_<n>
async def tool_<n>(title: str) -> dict:
    return {'title': title}
""",
        imports=f"{SHELF_TOOL}\nimport asyncio\nimport functools\nimport logging",
        config="""\

[[boundary]]
decorator = "<module>.bound_<n>"
logs = true
""",
    ),
    Violation(
        "ERR211",
        SHELF,
        "no wraps",
        """\
mcp_<n> = FastMCP("planted")


def bound_<n>(function):
    def wrapper(*args, **kwargs):  # <<
        try:
            return function(*args, **kwargs)
        except ShelfError as error:
            logging.warning('refused', extra={'operation': 'x', 'error_code': 'y', 'context': {}})
            return {'error': error.message}

    return wrapper


@mcp_<n>.tool()
@bound_<n>
def tool_<n>(title: str) -> dict:
    return {'title': title}
""",
        imports=f"{SHELF_TOOL}\nimport asyncio\nimport functools\nimport logging",
        config="""\

[[boundary]]
decorator = "<module>.bound_<n>"
logs = true
""",
    ),
    Violation(
        "ERR211",
        SHELF,
        "cancellation",
        """\
mcp_<n> = FastMCP("planted")


def bound_<n>(function):
    @functools.wraps(function)
    async def wrapper(*args, **kwargs):
        try:
            return await function(*args, **kwargs)
        except (asyncio.CancelledError, ShelfError):  # <<
            logging.exception('refused', extra={'operation': 'x', 'error_code': 'y', 'context': {}})
            return {'error': 'refused'}

    return wrapper


@mcp_<n>.tool()
@bound_<n>
async def tool_<n>(title: str) -> dict:
    return {'title': title}
""",
        imports=f"{SHELF_TOOL}\nimport asyncio\nimport functools\nimport logging",
        config="""\

[[boundary]]
decorator = "<module>.bound_<n>"
logs = true
""",
    ),
    Violation(
        "ERR211",
        SHELF,
        "BaseException",
        """\
mcp_<n> = FastMCP("planted")


def bound_<n>(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except BaseException:  # <<
            logging.exception('failed', extra={'operation': 'x', 'error_code': 'y', 'context': {}})
            return {'error': 'internal error'}

    return wrapper


@mcp_<n>.tool()
@bound_<n>
def tool_<n>(title: str) -> dict:
    return {'title': title}
""",
        imports=f"{SHELF_TOOL}\nimport asyncio\nimport functools\nimport logging",
        config="""\

[[boundary]]
decorator = "<module>.bound_<n>"
logs = true
""",
    ),
    Violation(
        "ERR211",
        SHELF,
        "text of an unknown exception",
        """\
mcp_<n> = FastMCP("planted")


def bound_<n>(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except Exception as error:
            logging.exception('failed', extra={'operation': 'x', 'error_code': 'y', 'context': {}})
            return {'error': str(error)}  # <<

    return wrapper


@mcp_<n>.tool()
@bound_<n>
def tool_<n>(title: str) -> dict:
    return {'title': title}
""",
        imports=f"{SHELF_TOOL}\nimport asyncio\nimport functools\nimport logging",
        config="""\

[[boundary]]
decorator = "<module>.bound_<n>"
logs = true
""",
    ),
    Violation(
        "ERR211",
        SHELF,
        "no log",
        """\
mcp_<n> = FastMCP("planted")


def bound_<n>(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):  # <<
        try:
            return function(*args, **kwargs)
        except Exception:
            return {'error': 'internal error'}

    return wrapper


@mcp_<n>.tool()
@bound_<n>
def tool_<n>(title: str) -> dict:
    return {'title': title}
""",
        imports=f"{SHELF_TOOL}\nimport asyncio\nimport functools\nimport logging",
        config="""\

[[boundary]]
decorator = "<module>.bound_<n>"
logs = true
""",
    ),
    Violation(
        "ERR212",
        MEMORY,
        "never",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
async def tool_<n>(text: str) -> SuccessResponse | ErrorResponse:
    found = await extract(text)  # <<
    return SuccessResponse(status='success', message=found, episode_id='1', processing_time_ms=1)
""",
        imports=f"{MEMORY_TOOL}\nfrom memory.llm import extract",
    ),
    Violation(
        "ERR212",
        MEMORY,
        "on one way",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
async def tool_<n>(text: str, force: bool) -> SuccessResponse | ErrorResponse:
    found = text
    if not force:
        if llm_available():
            found = await extract(text)
    else:
        found = await extract(text)  # <<
    return SuccessResponse(status='success', message=found, episode_id='1', processing_time_ms=1)
""",
        imports=f"{MEMORY_TOOL}\nfrom memory.llm import extract, llm_available",
    ),
    Violation(
        "ERR212",
        MEMORY,
        "afterwards",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
async def tool_<n>(text: str, graph) -> SuccessResponse | ErrorResponse:
    await graph.add_episode(text)  # <<
    found = 'up' if llm_available() else 'down'
    return SuccessResponse(status='success', message=found, episode_id='1', processing_time_ms=1)
""",
        imports=f"{MEMORY_TOOL}\nfrom memory.llm import llm_available",
    ),
    Violation(
        "ERR212",
        MEMORY,
        "method",
        """\
class Memory<n>:
    async def remember(self, texts):
        for text in texts:
            self.found = await self.graph.extract_entities(text)  # <<
""",
    ),
    Violation(
        "ERR212",
        MEMORY,
        "in a helper",
        """\
mcp_<n> = FastMCP("planted")


async def helper_<n>(text):
    return (await llm.extract(text)).strip()  # <<


@mcp_<n>.tool()
async def tool_<n>(text: str) -> SuccessResponse | ErrorResponse:
    found = await helper_<n>(text)
    return SuccessResponse(status='success', message=found, episode_id='1', processing_time_ms=1)
""",
        imports=f"{MEMORY_TOOL}\nfrom memory import llm",
    ),
    Violation(
        "ERR301",
        SHELF,
        "keyword literal",
        "raise ShelfError('refused', code='loan-refusd')  # <<",
        imports=SHELF_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR301",
        SHELF,
        "no such member",
        "raise ShelfError('refused', code=ErrorCode.LOAN_REFUSD)  # <<",
        imports=SHELF_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR301",
        SHELF,
        "variable",
        """\
code = 'book-mising'
raise ShelfError('refused', code=code)  # <<""",
        imports=SHELF_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR301",
        PANEL,
        "prefix",
        "raise ToolError('[not_fuond] no such study')  # <<",
        imports=PANEL_TOOL,
        is_statement=True,
    ),
    Violation(
        "ERR301",
        PANEL,
        "prefix, f-string",
        "raise ToolError(f'[ratelimited] wait {__name__}')  # <<",
        imports=PANEL_TOOL,
        is_statement=True,
    ),
    Violation(
        "ERR301",
        MEMORY,
        "response",
        """\
return ErrorResponse(status='error', error_type='x', error_code='TEXT_EMTPY', message='no text', recoverable=False, suggestion='Give a text')  # <<""",
        imports=MEMORY_TYPES,
        is_statement=True,
    ),
    Violation(
        "ERR301",
        DRAFTS,
        "positional class",
        """\
raise MCPToolError('refused', error_code='REFUSED', hints=['Try again'], context={'request_id': '1'})  # <<""",
        imports=DRAFTS_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR301",
        SHELF,
        "constructor",
        """\
class Planted<n>Error(ShelfError):
    def __init__(self, message):
        super().__init__(message, code='no-such-code')  # <<


def refuse_<n>():
    raise Planted<n>Error('refused')
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR301",
        SHELF,
        "constant",
        """\
REFUSED_<n> = 'book-gone'


def refuse_<n>():
    raise ShelfError('refused', code=REFUSED_<n>)  # <<
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR301",
        SHELF,
        "factory",
        """\
def refusal_<n>(message, code):
    return ShelfError(message, code=code)


def refuse_<n>():
    raise refusal_<n>('refused', 'book-gone')  # <<
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR302",
        DRAFTS,
        "member",
        "",
        edits=(("drafts/exceptions.py", "class ErrorCode:", "    UNUSED_<n> = 'UNUSED_<n>'  # <<"),),
    ),
    Violation(
        "ERR302",
        DRAFTS,
        "member, other spelling",
        "",
        edits=(("drafts/exceptions.py", "class ErrorCode:", "    SPARE_<n> = 'spare-code-<n>'  # <<"),),
    ),
    Violation(
        "ERR302",
        DRAFTS,
        "annotated",
        "",
        edits=(("drafts/exceptions.py", "class ErrorCode:", "    LATER_<n>: str = 'LATER_<n>'  # <<"),),
    ),
    Violation(
        "ERR302",
        DRAFTS,
        "enum",
        """\
class ErrorCode<n>(StrEnum):
    USED_<n> = 'used-<n>'
    MISSED_<n> = 'missed-<n>'  # <<


def refuse_<n>():
    raise MCPToolError('refused', error_code=ErrorCode<n>.USED_<n>, hints=['Wait'], context={'request_id': '1'})
""",
        imports=f"from enum import StrEnum\n{DRAFTS_ERRORS}",
        config="""\

[[overrides]]
paths = ['<path>']
[overrides.codes]
extend-registry = ['<module>:ErrorCode<n>']
""",
    ),
    Violation(
        "ERR303",
        SHELF,
        "member",
        "",
        edits=(("shelf/errors.py", '    SERVER_FAILED = "server-failed"', "    GONE_<n> = 'book-missing'  # <<"),),
    ),
    Violation(
        "ERR303",
        SHELF,
        "member of two new ones",
        "",
        edits=(
            (
                "shelf/errors.py",
                '    SERVER_FAILED = "server-failed"',
                "    FIRST_<n> = 'taken-<n>'\n    SECOND_<n> = 'taken-<n>'  # <<",
            ),
        ),
    ),
    Violation(
        "ERR303",
        DRAFTS,
        "constant",
        """\
def refuse_<n>():
    return ErrorCode.CHOICE_<n>
""",
        imports=DRAFTS_ERRORS,
        edits=(
            (
                "drafts/exceptions.py",
                '    EXECUTION_ERROR = "EXECUTION_ERROR"',
                "    CHOICE_<n> = 'SELECTOR_ERROR'  # <<",
            ),
        ),
    ),
    Violation(
        "ERR303",
        DRAFTS,
        "one name, two values",
        """\
def refuse_<n>():
    return ErrorCode.BOTH_<n>
""",
        imports=DRAFTS_ERRORS,
        edits=(
            (
                "drafts/exceptions.py",
                '    EXECUTION_ERROR = "EXECUTION_ERROR"',
                "    BOTH_<n> = 'FIRST_<n>'\n    BOTH_<n> = 'SECOND_<n>'  # <<",
            ),
        ),
    ),
    Violation(
        "ERR304",
        SHELF,
        "keyword",
        "raise ShelfError('refused', code='loan-refused', http_status=409)  # <<",
        imports=SHELF_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR304",
        SHELF,
        "variable",
        """\
code = 'loan-refused'
raise ShelfError('refused', code=code, http_status=409)  # <<""",
        imports=SHELF_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR304",
        DRAFTS,
        "class of constants",
        """\
raise MCPToolError('refused', error_code='EXECUTION_ERROR', hints=['Wait'], context={'request_id': '1'})  # <<""",
        imports=DRAFTS_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR304",
        SHELF,
        "constructor",
        """\
class Planted<n>Error(ShelfError):
    def __init__(self, message):
        super().__init__(message, code='loan-refused', http_status=409)  # <<


def refuse_<n>():
    raise Planted<n>Error('refused')
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR304",
        SHELF,
        "factory",
        """\
def refusal_<n>(message, code):
    return ShelfError(message, code=code)


def refuse_<n>():
    raise refusal_<n>('refused', code='reader-unknown')  # <<
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR305",
        PANEL,
        "none",
        "raise ToolError('no such study')  # <<",
        imports=PANEL_TOOL,
        is_statement=True,
    ),
    Violation(
        "ERR305",
        PANEL,
        "f-string",
        "raise ToolError(f'no such study: {__name__}')  # <<",
        imports=PANEL_TOOL,
        is_statement=True,
    ),
    Violation(
        "ERR305",
        PANEL,
        "other brackets",
        "raise ToolError('(not_found) no such study')  # <<",
        imports=PANEL_TOOL,
        is_statement=True,
    ),
    Violation(
        "ERR305",
        PANEL,
        "behind",
        "raise ToolError('no such study [not_found]')  # <<",
        imports=PANEL_TOOL,
        is_statement=True,
    ),
    Violation(
        "ERR305",
        PANEL,
        "joined",
        "raise ToolError('no such study: ' + str(__name__))  # <<",
        imports=PANEL_TOOL,
        is_statement=True,
    ),
    Violation(
        "ERR305",
        PANEL,
        "subclass",
        """\
class Study<n>Error(ToolError):
    pass


async def work_<n>(value):
    if not value:
        raise Study<n>Error('no such study')  # <<
""",
        imports=PANEL_TOOL,
    ),
    Violation(
        "ERR306",
        SHELF,
        "code's",
        "raise ShelfError('refused', code=ErrorCode.LOAN_REFUSED, http_status=400)  # <<",
        imports=SHELF_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR306",
        SHELF,
        "HTTPStatus",
        """\
raise ShelfError('refused', code=ErrorCode.LOAN_REFUSED, http_status=HTTPStatus.NOT_FOUND)  # <<""",
        imports=f"{SHELF_ERRORS}\nfrom http import HTTPStatus",
        is_statement=True,
    ),
    Violation(
        "ERR306",
        DRAFTS,
        "class's",
        """\
raise MCPToolError('refused', error_code=ErrorCode.SELECTOR_ERROR, code=-32603, hints=['Wait'], context={'request_id': '1'})  # <<""",
        imports=DRAFTS_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR306",
        SHELF,
        "constructor",
        """\
class Planted<n>Error(ShelfError):
    def __init__(self, message):
        super().__init__(message, code=ErrorCode.LOAN_REFUSED, http_status=404)  # <<


def refuse_<n>():
    raise Planted<n>Error('refused')
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR306",
        PANEL,
        "response",
        "return ChatbotSetupResponse(ok=False, error_kind='not_found', status=422)  # <<",
        imports=f"{PANEL_TOOL}\nfrom panel.answers import ChatbotSetupResponse",
        is_statement=True,
    ),
    Violation(
        "ERR307",
        MEMORY,
        "not recoverable",
        """\
return ErrorResponse(status='error', error_type='llm', error_code='RATE_LIMIT_EXCEEDED', message='too many', recoverable=False, suggestion='Wait', retry_after_seconds=3)  # <<""",
        imports=MEMORY_TYPES,
        is_statement=True,
    ),
    Violation(
        "ERR307",
        MEMORY,
        "recoverable",
        """\
return ErrorResponse(status='error', error_type='llm', error_code='INVALID_API_KEY', message='bad key', recoverable=True, suggestion='Check the key')  # <<""",
        imports=MEMORY_TYPES,
        is_statement=True,
    ),
    Violation(
        "ERR307",
        MEMORY,
        "retry after",
        """\
return ErrorResponse(status='error', error_type='llm', error_code='QUOTA_EXCEEDED', message='no quota', recoverable=False, suggestion='Pay', retry_after_seconds=60)  # <<""",
        imports=MEMORY_TYPES,
        is_statement=True,
    ),
    Violation(
        "ERR307",
        MEMORY,
        "variable",
        """\
answer = ErrorResponse(status='error', error_type='llm', error_code='QUOTA_EXCEEDED', message='no quota', recoverable=True, suggestion='Pay')  # <<
return answer""",
        imports=MEMORY_TYPES,
        is_statement=True,
    ),
    Violation(
        "ERR307",
        PANEL,
        "blind retry",
        """\
mcp_<n> = FastMCP("planted")


@retry(stop=stop_after_attempt(3))
def send_<n>(body):
    answer = backend.post('/studies', body)  # <<
    return answer
""",
        imports=f"{PANEL_TOOL}\nfrom tenacity import retry, stop_after_attempt",
    ),
    Violation(
        "ERR308",
        PANEL,
        "in",
        """\
def work_<n>(value):
    try:
        return value()
    except ToolError as error:
        if 'rate limited' in str(error):  # <<
            return None
        raise
""",
        imports=PANEL_TOOL,
    ),
    Violation(
        "ERR308",
        PANEL,
        "startswith",
        """\
async def work_<n>(value):
    try:
        return await value()
    except ToolError as error:
        if str(error).startswith('no such'):  # <<
            return None
        raise
""",
        imports=PANEL_TOOL,
    ),
    Violation(
        "ERR308",
        PANEL,
        "a name, elif",
        """\
def work_<n>(value):
    try:
        return value()
    except ToolError as error:
        text = str(error).lower()
        if value is None:
            return 1
        elif 'not found' in text:  # <<
            return None
        raise
""",
        imports=PANEL_TOOL,
    ),
    Violation(
        "ERR308",
        PANEL,
        "args",
        """\
class Work<n>:
    def work(self, value):
        try:
            return value()
        except ToolError as error:
            if error.args[0] == 'gone':  # <<
                return None
            raise
""",
        imports=PANEL_TOOL,
    ),
    Violation(
        "ERR308",
        PANEL,
        "search",
        """\
def work_<n>(value):
    try:
        return value()
    except ToolError as error:
        if re.search('time[d ]*out', str(error)):  # <<
            return None
        raise
""",
        imports=f"import re\n{PANEL_TOOL}",
    ),
    Violation(
        "ERR309",
        CRAWL,
        "recovery of a severity",
        """\
planted<n>_logger.error('x', extra={'error_type': 'ParsingError', 'severity': 'error', 'recovery': 'retry'})  # <<
raise LookupError""",
        imports=CRAWL_LOG,
        is_statement=True,
    ),
    Violation(
        "ERR309",
        CRAWL,
        "recovery of a type",
        """\
planted<n>_logger.critical('x', extra={'error_type': 'SecretLeakage', 'recovery': 'skip'})  # <<
raise LookupError""",
        imports=CRAWL_LOG,
        is_statement=True,
    ),
    Violation(
        "ERR309",
        CRAWL,
        "severity of a type",
        """\
planted<n>_logger.error('x', extra={'error_type': 'CAPTCHADetected', 'severity': 'error', 'recovery': 'skip'})  # <<
raise LookupError""",
        imports=CRAWL_LOG,
        is_statement=True,
    ),
    Violation(
        "ERR309",
        CRAWL,
        "abort goes on",
        """\
def work_<n>(pages):
    for page in pages:
        if not page:
            planted<n>_logger.critical('x', extra={'error_type': 'UnauthorizedAccess', 'severity': 'critical', 'recovery': 'abort'})  # <<
        print(page)
""",
        imports=CRAWL_LOG,
    ),
    Violation(
        "ERR310",
        DRAFTS,
        "member",
        """\
def refuse_<n>():
    raise MCPToolError('refused', error_code=ErrorCode.WORN_<n>, hints=['Wait'], context={'request_id': '1'})
""",
        imports=DRAFTS_ERRORS,
        edits=(("drafts/exceptions.py", "class ErrorCode:", "    WORN_<n> = 'WORN_<n>'  # <<"),),
    ),
    Violation(
        "ERR310",
        DRAFTS,
        "member of a class",
        """\
class Torn<n>Error(MCPToolError):
    def __init__(self, message):
        super().__init__(message, error_code=ErrorCode.TORN_<n>, hints=['Wait'], context={'request_id': '1'})


def refuse_<n>():
    raise Torn<n>Error('torn')
""",
        imports=DRAFTS_ERRORS,
        edits=(("drafts/exceptions.py", "class ErrorCode:", "    TORN_<n> = 'torn-<n>'  # <<"),),
    ),
    Violation(
        "ERR311",
        DRAFTS,
        "class",
        """\
class Idle<n>Error(MCPToolError):  # <<
    pass
""",
        imports=DRAFTS_ERRORS,
    ),
    Violation(
        "ERR311",
        DRAFTS,
        "class with constructor",
        """\
class Spare<n>Error(MCPExecutionError):  # <<
    def __init__(self, message, context=None):
        super().__init__(message, operation='spare', hints=['Wait'], context=context)
""",
        imports=DRAFTS_ERRORS,
    ),
    Violation(
        "ERR311",
        DRAFTS,
        "class of the errors module",
        "",
        edits=(
            (
                "drafts/exceptions.py",
                "        self.candidates = candidates or []",
                "\n\nclass Lost<n>Error(MCPToolError):  # <<\n    pass",
            ),
        ),
    ),
    Violation(
        "ERR312",
        SHELF,
        "no super",
        """\
class Bare<n>Error(ShelfError):
    def __init__(self, message):  # <<
        self.message = message


def refuse_<n>():
    raise Bare<n>Error('bare')
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR312",
        SHELF,
        "skips to Exception",
        """\
class Skip<n>Error(ShelfError):
    def __init__(self, message, title):  # <<
        Exception.__init__(self, message)
        self.title = title


def refuse_<n>():
    raise Skip<n>Error('skipped', 'x')
""",
        imports=SHELF_ERRORS,
    ),
    Violation(
        "ERR312",
        DRAFTS,
        "no super, errors module",
        """\
def refuse_<n>():
    raise Mute<n>Error('mute')
""",
        imports="from drafts.exceptions import Mute<n>Error",
        edits=(
            (
                "drafts/exceptions.py",
                "        self.candidates = candidates or []",
                "\n\nclass Mute<n>Error(MCPToolError):\n    def __init__(self, message):  # <<\n        self.text = message",
            ),
        ),
    ),
    Violation(
        "ERR312",
        DRAFTS,
        "below another",
        """\
class Upper<n>Error(MCPExecutionError):
    pass


class Lower<n>Error(Upper<n>Error):
    def __init__(self, text):  # <<
        self.text = text


def refuse_<n>(value):
    if value:
        raise Upper<n>Error('upper', operation='x', hints=['Wait'], context={'request_id': '1'})
    raise Lower<n>Error('lower')
""",
        imports=DRAFTS_ERRORS,
    ),
    Violation(
        "ERR313",
        PANEL,
        "check before",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
def tool_<n>(study_id: str) -> dict:
    if not study_id:
        raise ToolError('[not_found] study_id: needed')  # <<
    return backend.get(f'/studies/{study_id}')
""",
        imports=PANEL_TOOL,
    ),
    Violation(
        "ERR313",
        PANEL,
        "check behind",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
def tool_<n>(study_id: str) -> dict:
    study = backend.get(f'/studies/{study_id}')
    if not study:
        raise ToolError('[validation_error] no study')  # <<
    return study
""",
        imports=PANEL_TOOL,
    ),
    Violation(
        "ERR313",
        PANEL,
        "in the handler",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
async def tool_<n>(study_id: str) -> dict:
    try:
        study = backend.get(f'/studies/{study_id}')
    except ConnectionError as error:
        raise ToolError('[validation_error] no study') from error  # <<
    return study
""",
        imports=PANEL_TOOL,
    ),
    Violation(
        "ERR313",
        PANEL,
        "helper",
        """\
def helper_<n>(study_id):
    if len(study_id) > 3:
        raise ToolError(f'[client_error] too long: {study_id}')  # <<
    study = backend.post('/studies', {'id': study_id})
    return study
""",
        imports=PANEL_TOOL,
    ),
    Violation(
        "ERR314",
        MEMORY,
        "if",
        """\
mcp_<n> = FastMCP("planted")


def work_<n>(mode):
    if mode == OnUnavailable.FAIL:  # <<
        return 1
    elif mode == OnUnavailable.STORE_RAW:
        return 2
    return 3
""",
        imports=MEMORY_TOOL,
    ),
    Violation(
        "ERR314",
        MEMORY,
        "match",
        """\
mcp_<n> = FastMCP("planted")


async def work_<n>(mode):
    match mode:  # <<
        case OnUnavailable.FAIL:
            return 1
        case OnUnavailable.QUEUE_RETRY:
            return 2
""",
        imports=MEMORY_TOOL,
    ),
    Violation(
        "ERR314",
        MEMORY,
        "dict",
        """\
mcp_<n> = FastMCP("planted")


class Work<n>:
    def work(self, mode):
        return {OnUnavailable.FAIL: 1, OnUnavailable.QUEUE_RETRY: 2}[mode]  # <<
""",
        imports=MEMORY_TOOL,
    ),
    Violation(
        "ERR314",
        MEMORY,
        "texts",
        """\
mcp_<n> = FastMCP("planted")


def work_<n>(config):
    for mode in config:
        if mode.value in ('store_raw',):  # <<
            print(1)
        elif mode.value == 'queue_retry':
            print(2)
""",
        imports=MEMORY_TOOL,
    ),
    Violation(
        "ERR401",
        DRAFTS,
        "none",
        """\
raise MCPValidationError('bad', validation_errors=['x'], context={'request_id': '1'})  # <<""",
        imports=DRAFTS_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR401",
        DRAFTS,
        "None",
        """\
raise MCPExecutionError('bad', operation='x', hints=None, context={'request_id': '1'})  # <<""",
        imports=DRAFTS_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR401",
        DRAFTS,
        "variable",
        """\
error = MCPSelectorError('bad', selector='x', error='not_found', context={'request_id': '1'})
raise error  # <<""",
        imports=DRAFTS_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR401",
        MEMORY,
        "response",
        """\
return ErrorResponse(status='error', error_type='x', error_code='TEXT_EMPTY', message='no text', recoverable=False)  # <<""",
        imports=MEMORY_TYPES,
        is_statement=True,
    ),
    Violation(
        "ERR401",
        DRAFTS,
        "subclass",
        """\
class Kind<n>Error(MCPValidationError):
    pass


def refuse_<n>():
    raise Kind<n>Error('bad', validation_errors=['x'], context={'request_id': '1'})  # <<
""",
        imports=DRAFTS_ERRORS,
    ),
    Violation(
        "ERR401",
        DRAFTS,
        "factory",
        """\
def refusal_<n>(text):
    return MCPExecutionError(text, operation='x', context={'request_id': '1'})  # <<


def refuse_<n>():
    raise refusal_<n>('bad')
""",
        imports=DRAFTS_ERRORS,
    ),
    Violation(
        "ERR402",
        DRAFTS,
        "empty list",
        """\
raise MCPValidationError('bad', validation_errors=['x'], hints=[], context={'request_id': '1'})  # <<""",
        imports=DRAFTS_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR402",
        DRAFTS,
        "blank",
        """\
raise MCPValidationError('bad', validation_errors=['x'], hints=['  '], context={'request_id': '1'})  # <<""",
        imports=DRAFTS_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR402",
        DRAFTS,
        "placeholder",
        """\
raise MCPValidationError('bad', validation_errors=['x'], hints=['TODO'], context={'request_id': '1'})  # <<""",
        imports=DRAFTS_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR402",
        DRAFTS,
        "message again",
        """\
raise MCPExecutionError('the file is gone', operation='x', hints=['the file is gone'], context={'request_id': '1'})  # <<""",
        imports=DRAFTS_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR402",
        MEMORY,
        "text",
        """\
return ErrorResponse(status='error', error_type='x', error_code='TEXT_EMPTY', message='no text', recoverable=False, suggestion='N/A')  # <<""",
        imports=MEMORY_TYPES,
        is_statement=True,
    ),
    Violation(
        "ERR402",
        DRAFTS,
        "same variable",
        """\
why = str(__name__)
raise MCPExecutionError(why, operation='x', hints=[why], context={'request_id': '1'})  # <<""",
        imports=DRAFTS_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR403",
        DRAFTS,
        "no context",
        "raise MCPValidationError('bad', validation_errors=['x'], hints=['Wait'])  # <<",
        imports=DRAFTS_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR403",
        DRAFTS,
        "no request id",
        """\
raise MCPValidationError('bad', validation_errors=['x'], hints=['Wait'], context={'title': 'x'})  # <<""",
        imports=DRAFTS_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR403",
        DRAFTS,
        "condition",
        """\
raise MCPSelectorError('bad', selector='x', error='ambiguous', hints=['Wait'], context={'request_id': '1'})  # <<""",
        imports=DRAFTS_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR403",
        SHELF,
        "None",
        "raise BookMissingError('no book', None)  # <<",
        imports=SHELF_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR403",
        MEMORY,
        "success",
        "return SuccessResponse(status='success', message='done', processing_time_ms=1)  # <<",
        imports=MEMORY_TYPES,
        is_statement=True,
    ),
    Violation(
        "ERR403",
        MEMORY,
        "condition on a code",
        """\
return ErrorResponse(status='error', error_type='llm', error_code='NETWORK_ERROR', message='no net', recoverable=True, suggestion='Wait')  # <<""",
        imports=MEMORY_TYPES,
        is_statement=True,
    ),
    Violation(
        "ERR403",
        CRAWL,
        "payload",
        """\
return {'error': {'type': 'ParsingError', 'severity': 'error', 'phase': 1, 'agent': 'a', 'message': 'bad', 'recovery': 'skip', 'context': {}, 'timestamp': '1'}}  # <<""",
        imports=CRAWL_LOG,
        is_statement=True,
    ),
    Violation(
        "ERR403",
        CRAWL,
        "payload, context",
        """\
return {'error': {'type': 'NavigationTimeout', 'severity': 'warning', 'phase': 1, 'agent': 'a', 'message': 'bad', 'recovery': 'retry', 'context': {'url': 'x'}, 'timestamp': '1', 'run_id': '1'}}  # <<""",
        imports=CRAWL_LOG,
        is_statement=True,
    ),
    Violation(
        "ERR404",
        SHELF,
        "another",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})
def tool_<n>(title: str) -> dict:
    if not title:
        raise RequestInvalidError('no title', operation='shelf:lend')  # <<
    return {'title': title}
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR404",
        SHELF,
        "another, in a handler",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
@answer_problems('shelf:tool_<n>', {'title': ''})
async def tool_<n>(title: str) -> dict:
    try:
        return {'title': int(title)}
    except ValueError as error:
        raise ShelfError('no', code=ErrorCode.LOAN_REFUSED, http_status=409, operation='lending', cause=error) from error  # <<
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR404",
        DRAFTS,
        "another tool's",
        """\
class PlantedNumber<n>Tool(MCPTool):
    name = 'planted_number_<n>'

    @answer_errors
    async def execute(self, title: str) -> dict:
        if not title:
            raise MCPExecutionError('bad', operation='create_draft', hints=['Wait'], context={'request_id': '1'})  # <<
        return {'title': title}
""",
        imports=DRAFTS_TOOL,
    ),
    Violation(
        "ERR404",
        SHELF,
        "nested",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})
def tool_<n>(title: str) -> dict:
    for part in title:
        with open(part) as file:
            if not file:
                raise RequestInvalidError('no title', operation='shelf:read_page')  # <<
    return {'title': title}
""",
        imports=SHELF_TOOL,
    ),
    Violation(
        "ERR405",
        SHELF,
        "no fields",
        "logging.getLogger(__name__).error('failed')  # <<",
        imports=f"{SHELF_ERRORS}\nimport logging",
        is_statement=True,
    ),
    Violation(
        "ERR405",
        SHELF,
        "exception",
        """\
logger = logging.getLogger(__name__)
logger.exception('failed')  # <<""",
        imports=f"{SHELF_ERRORS}\nimport logging",
        is_statement=True,
    ),
    Violation(
        "ERR405",
        SHELF,
        "a field less",
        "logging.error('failed', extra={'operation': 'x', 'error_code': 'y'})  # <<",
        imports=f"{SHELF_ERRORS}\nimport logging",
        is_statement=True,
    ),
    Violation(
        "ERR405",
        CRAWL,
        "critical",
        "planted<n>_logger.critical('failed: %s', __name__)  # <<",
        imports=CRAWL_LOG,
        is_statement=True,
    ),
    Violation(
        "ERR405",
        CRAWL,
        "log with level",
        """\
planted<n>_logger.log(logging.ERROR, 'failed', extra={'error_type': 'ParsingError'})  # <<""",
        imports=CRAWL_LOG,
        is_statement=True,
    ),
    Violation(
        "ERR405",
        CRAWL,
        "attribute",
        """\
class Work<n>:
    def work(self, value):
        try:
            return int(value)
        except ValueError:
            self._logger.error(f'bad value {value}')  # <<
            raise
""",
        imports=CRAWL_LOG,
    ),
    Violation(
        "ERR406",
        SHELF,
        "too low",
        """\
logging.warning('failed', extra={'operation': 'x', 'error_code': 'y', 'context': {}, 'severity': 'error'})  # <<""",
        imports=f"{SHELF_ERRORS}\nimport logging",
        is_statement=True,
    ),
    Violation(
        "ERR406",
        SHELF,
        "too high",
        """\
logging.error('failed', extra={'operation': 'x', 'error_code': 'y', 'context': {}, 'severity': 'warning'})  # <<""",
        imports=f"{SHELF_ERRORS}\nimport logging",
        is_statement=True,
    ),
    Violation(
        "ERR406",
        CRAWL,
        "of a type",
        """\
planted<n>_logger.info('failed', extra={'error_type': 'PromptInjectionDetected', 'recovery': 'abort'})  # <<
raise LookupError""",
        imports=CRAWL_LOG,
        is_statement=True,
    ),
    Violation(
        "ERR406",
        CRAWL,
        "error for critical",
        """\
planted<n>_logger.error('failed', extra={'error_type': 'LoginRequired', 'severity': 'critical', 'recovery': 'abort'})  # <<
raise LookupError""",
        imports=CRAWL_LOG,
        is_statement=True,
    ),
    Violation(
        "ERR407",
        CRAWL,
        "error",
        """\
planted<n>_logger.error('failed', extra={'error_type': 'ParsingError', 'severity': 'error', 'recovery': 'skip'})  # <<""",
        imports=CRAWL_LOG,
        is_statement=True,
    ),
    Violation(
        "ERR407",
        CRAWL,
        "of a type",
        """\
planted<n>_logger.critical('failed', extra={'error_type': 'SecretLeakage', 'recovery': 'abort'})  # <<
raise LookupError""",
        imports=CRAWL_LOG,
        is_statement=True,
    ),
    Violation(
        "ERR407",
        CRAWL,
        "in a handler",
        """\
async def work_<n>(value):
    try:
        return int(value)
    except ValueError:
        planted<n>_logger.exception('failed', extra={'error_type': 'ValidationError', 'severity': 'error', 'recovery': 'fallback'})  # <<
        return 0
""",
        imports=CRAWL_LOG,
    ),
    Violation(
        "ERR407",
        CRAWL,
        "printed",
        """\
def work_<n>(value):
    if not value:
        print({'error': {'type': 'BudgetExceeded', 'severity': 'critical', 'phase': 1, 'agent': 'a', 'message': 'bad', 'recovery': 'abort', 'context': {'max_budget_usd': 1, 'current_cost_usd': 2, 'percent_used': 3}, 'timestamp': '1', 'run_id': '1'}})  # <<
        raise SystemExit(1)
    return value
""",
        imports=CRAWL_LOG,
    ),
    Violation(
        "ERR408",
        PANEL,
        "timeout",
        """\
def work_<n>(body):
    try:
        answer = backend.post('/studies', body)
    except TimeoutError as error:
        raise ToolError('[timeout] the backend took too long') from error  # <<
    return answer
""",
        imports=PANEL_TOOL,
    ),
    Violation(
        "ERR408",
        PANEL,
        "network",
        """\
def work_<n>(body):
    try:
        return backend.post('/studies', body)
    except ConnectionError as error:
        raise ToolError('[network_error] the backend cannot be reached') from error  # <<
""",
        imports=PANEL_TOOL,
    ),
    Violation(
        "ERR408",
        PANEL,
        "httpx",
        """\
async def work_<n>(body):
    try:
        answer = await backend.post('/studies', body)
    except (httpx.TimeoutException, httpx.ConnectError) as error:
        raise ToolError('[timeout] the backend took too long; try again') from error  # <<
    return answer
""",
        imports=f"import httpx\n{PANEL_TOOL}",
    ),
    Violation(
        "ERR408",
        PANEL,
        "by the code",
        """\
class Work<n>:
    def work(self, body):
        try:
            self.answer = backend.post('/studies', body)
        except Exception as error:
            raise ToolError('[timeout] the study was not made') from error  # <<
""",
        imports=PANEL_TOOL,
    ),
    Violation(
        "ERR409",
        SHELF,
        "in the tool",
        """\
mcp_<n> = FastMCP("planted")


@mcp_<n>.tool()
@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})
def tool_<n>(title: str) -> dict:
    if not title:
        logging.error('no title', extra={'operation': 'x', 'error_code': 'y', 'context': {}})  # <<
        raise RequestInvalidError('no title', operation='shelf:tool_<n>')
    return {'title': title}
""",
        imports=f"{SHELF_TOOL}\nimport logging",
    ),
    Violation(
        "ERR409",
        SHELF,
        "in a handler",
        """\
mcp_<n> = FastMCP("planted")


planted<n>_logger = logging.getLogger(__name__)


@mcp_<n>.tool()
@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})
async def tool_<n>(title: str) -> dict:
    try:
        return {'title': int(title)}
    except ValueError as error:
        planted<n>_logger.exception('no title', extra={'operation': 'x', 'error_code': 'y', 'context': {}})  # <<
        raise BookUnreadableError('no title', title, cause=error) from error
""",
        imports=f"{SHELF_TOOL}\nimport logging",
    ),
    Violation(
        "ERR409",
        SHELF,
        "in a helper",
        """\
mcp_<n> = FastMCP("planted")


def helper_<n>(title):
    if not title:
        logging.critical('no title', extra={'operation': 'x', 'error_code': 'y', 'context': {}})  # <<
        raise BookMissingError('no title', title)
    return title


@mcp_<n>.tool()
@answer_problems(operation='shelf:tool_<n>', empty_result={'title': ''})
def tool_<n>(title: str) -> dict:
    return {'title': helper_<n>(title)}
""",
        imports=f"{SHELF_TOOL}\nimport logging",
    ),
    Violation(
        "ERR410",
        SHELF,
        "no detail",
        """\
return {'error': 'bad', 'problem': {'type': 'https://shelf.invalid/problems/book-missing', 'title': 'Bad', 'status': 404, 'instance': 'x', 'code': 'book-missing'}}  # <<""",
        imports=SHELF_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR410",
        SHELF,
        "misspelt",
        """\
return {'error': 'bad', 'problem': {'type': 'about:blank', 'title': 'Bad', 'status': 404, 'details': 'no book', 'instance': 'x'}}  # <<""",
        imports=SHELF_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR410",
        SHELF,
        "status is a text",
        """\
return {'error': 'bad', 'problem': {'type': 'about:blank', 'title': 'Bad', 'status': '404', 'detail': 'no book', 'instance': 'x'}}  # <<""",
        imports=SHELF_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR410",
        SHELF,
        "variable",
        """\
problem = {'type': 'https://shelf.invalid/problems/x', 'title': 'Bad', 'status_code': 404, 'detail': 'no book'}
return {'error': 'bad', 'problem': problem}  # <<""",
        imports=SHELF_ERRORS,
        is_statement=True,
    ),
    Violation(
        "ERR410",
        PANEL,
        "body of a response",
        """\
return JSONResponse({'type': 'about:blank', 'Title': 'Bad', 'status': 404}, media_type='application/problem+json')  # <<""",
        imports=f"{PANEL_TOOL}\nfrom fastapi.responses import JSONResponse",
        is_statement=True,
    ),
    Violation(
        "ERR411",
        PANEL,
        "dict in a text",
        """\
raise ToolError(f"[no_audio_track] silent [envelope] {dict(error_kind='no_audio_track', suggestions=['Add sound'])}")  # <<""",
        imports=PANEL_TOOL,
        is_statement=True,
    ),
    Violation(
        "ERR411",
        PANEL,
        "no JSON",
        "raise ToolError('[no_audio_track] silent [envelope] error_kind=no_audio_track')  # <<",
        imports=PANEL_TOOL,
        is_statement=True,
    ),
    Violation(
        "ERR411",
        PANEL,
        "a key less",
        """\
raise ToolError('[no_audio_track] silent [envelope] {"error_kind": "no_audio_track"}')  # <<""",
        imports=PANEL_TOOL,
        is_statement=True,
    ),
    Violation(
        "ERR411",
        PANEL,
        "another kind",
        """\
raise ToolError('[no_audio_track] silent [envelope] {"error_kind": "media_download_failed", "suggestions": ["Add sound"]}')  # <<""",
        imports=PANEL_TOOL,
        is_statement=True,
    ),
    Violation(
        "ERR411",
        PANEL,
        "dumped",
        """\
raise ToolError('[no_audio_track] silent [envelope] ' + json.dumps({'error_kind': 'no_audio_track'}))  # <<""",
        imports=f"{PANEL_TOOL}\nimport json",
        is_statement=True,
    ),
)
