"""Answers that say more than was done: the work was only queued, or nothing keeps what is promised."""

from __future__ import annotations

from textwrap import indent

import pytest
from judged_texts import astray

HEAD = """\
import asyncio
import threading
from asyncio import Queue, create_task
from multiprocessing import Process
from threading import Thread

from fastmcp import FastMCP
from kit import Accepted, Stored, StoredSuccess, Successor, chores, pool, runner, store, work_queue

mcp = FastMCP("books")
items = Queue()
shelves = list()


def bind(book):
    return book


"""
ONLY = "has only queued the work; wait for it, or answer that it is queued"


def told(queues: str, answer: str, settings: str = "", head: str = HEAD) -> list[str]:
    """Return how the findings of a tool that queues its work and answers differ from its marks."""
    body = indent(f"{queues}\n{answer}\n", "    ")
    text = f"{head}@mcp.tool()\nasync def add(book: str, loop, background_tasks, log_queue):\n{body}"
    return astray({"shop.py": text}, settings, "ERR111")


DONE = "return {'success': True}"
QUEUED = {
    "put in what is called a queue": "await work_queue.put(book)",
    "put at once": "work_queue.put_nowait(book)",
    "put in what is made as a queue": "items.put_nowait(book)",
    "a task of asyncio": "asyncio.create_task(bind(book))",
    "a task of a loop": "loop.create_task(bind(book))",
    "a task by the function itself": "create_task(bind(book))",
    "a task in the background": "background_tasks.add_task(bind, book)",
    "a job for a pool": "pool.submit(bind, book)",
    "a job for an executor of any name": "runner.run_in_executor(None, bind, book)",
    "a job for a task queue": "bind.delay(book)",
    "a thread": "threading.Thread(target=bind).start()",
    "a thread by its class": "Thread(target=bind).start()",
    "a process": "Process(target=bind).start()",
}
ELSEWHERE = {
    "put in a store": "store.put(book)",
    "put in what is made as a list": "shelves.put_nowait(book)",
    "put in what is for logs": "log_queue.put_nowait(book)",
    "a task of a list of chores": "chores.create_task(bind(book))",
    "a task by a function of somebody else": "add_task(bind(book))",
    "a job for no task queue": "delay(book)",
    "a thread of something else": "store.Thread(target=bind)",
    "a task for a log": "asyncio.create_task(write_log(book))",
    "a task that never ends": "asyncio.create_task(worker(book))",
}


@pytest.mark.parametrize("queues", QUEUED.values(), ids=QUEUED)
def test_the_work_is_only_queued_by(queues: str) -> None:
    assert told(queues, f"{DONE}  # error: {ONLY}") == []


@pytest.mark.parametrize("queues", ELSEWHERE.values(), ids=ELSEWHERE)
def test_the_work_is_not_queued_by(queues: str) -> None:
    assert told(queues, DONE) == []


def test_a_call_that_the_policy_names_queues_whatever_it_is_called_on() -> None:
    queues = "store.log_later(book)"
    assert told(queues, DONE) == []
    named = '[work]\nenqueue = ["*.log_later"]\n'
    assert told(queues, f"{DONE}  # error: {ONLY}", named) == []
    assert told("store.put(book)", DONE, '[work]\nenqueue = ["*.put"]\n') == []


ANSWERS = {
    "a flag of success": f"return {{'ok': True}}  # error: {ONLY}",
    "a flag that says no": "return {'success': False}",
    "a flag that only the run knows": "return {'success': loop}",
    "a status of success": f"return {{'status': 'success'}}  # error: {ONLY}",
    "a status in capitals": f"return {{'Status': 'ok'}}  # error: {ONLY}",
    "another status": "return {'status': 'open'}",
    "a text that it is done": f"return f'Stored {{book}}'  # error: {ONLY}",
    "a text of something else": "return f'Thanks for {book}'",
    "a class of success": f"return StoredSuccess(book)  # error: {ONLY}",
    "a class that only begins so": "return Successor(book)",
    "a name for an answer": f"answer = {{'success': True}}\nreturn answer  # error: {ONLY}",
    "a name for one of two, both done": (
        f"answer = {{'success': True}}\nif loop:\n    answer = {{'ok': True}}\nreturn answer  # error: {ONLY}"
    ),
    "a name for one of two, one of them not done": (
        "answer = {'success': True}\nif loop:\n    answer = {'success': False}\nreturn answer"
    ),
    "one of two, both done": f"return {{'success': True}} if loop else {{'ok': True}}  # error: {ONLY}",
    "one of two, one of them not done": "return {'success': True} if loop else {'success': False}",
    "a text that it will be done": "return {'success': True, 'message': 'will be stored'}",
    "a text that it is queued": "return {'success': True, 'message': f'queued {book}'}",
    "a status of later": "return {'success': True, 'state': 'pending'}",
    "a key of later": "return {'success': True, 'job_id': book}",
    "a name of later": "return {'success': True, 'id': scheduled}",
    "a name of what is done": f"return {{'success': True, 'id': book}}  # error: {ONLY}",
    "an entry of later": "return {'success': True, 'id': book['ticket_id']}",
    "a call of later": "return {'success': True, 'id': accepted(book)}",
    "nothing": "return None",
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_behind_queued_work_is_answered(answer: str) -> None:
    assert told("work_queue.put_nowait(book)", answer) == []


TYPES = """\
[work]
kept = ["Stored"]
stores = ["store.*"]
enqueue = ["*.add_episode"]

[response]
types = ["Refused"]
queued = ["Accepted"]
by-status = { success = "Stored", error = "Refused" }
"""
TYPED = "has only queued the work; wait for it, or return Accepted"
TYPED_ANSWERS = {
    "the type of success": f"return Stored(book)  # error: {TYPED}",
    "the type of success that says that it is queued": f"return Stored('queued')  # error: {TYPED}",
    "the type of queued work": "return Accepted('stored')",
    "the type of errors": "return Refused('stored')",
    "a dict of success that says that it is queued": (
        f"return {{'status': 'success', 'message': 'queued'}}  # error: {TYPED}"
    ),
    "a text": f"return 'stored'  # error: {TYPED}",
    "a text that says that it is queued": "return 'stored soon'",
    "a method of the type": f"return Stored(book).model_dump()  # error: {TYPED}",
    "a method of the type that says that it is queued": "return Stored('queued').model_dump()",
    "one of two of the type": f"return Stored(book) if loop else Stored('queued')  # error: {TYPED}",
    "one of two, one of them for queued work": "return Stored(book) if loop else Accepted(book)",
}


@pytest.mark.parametrize("answer", TYPED_ANSWERS.values(), ids=TYPED_ANSWERS)
def test_where_types_are_declared_is_answered(answer: str) -> None:
    assert told("work_queue.put_nowait(book)", answer, TYPES.replace('kept = ["Stored"]\n', "")) == []


# --- by a helper ------------------------------------------------------------------------------------------------------

HELPERS = """\
def later(book):
    work_queue.put_nowait(book)
    return True


def later_or_not(book):
    if not book:
        return False
    work_queue.put_nowait(book)
    return True


def later_log(book):
    work_queue.put_nowait(book)
    return True


def write_down(book):
    store.write(book)


"""
BY_HELPERS = {
    "all that is done is queued": "later(book)\nreturn Stored(book)  # error: but `later` has only queued the work",
    "the helper may do without": "later_or_not(book)\nreturn Stored(book)",
    "the helper is for work beside it": "later_log(book)\nreturn Stored(book)",
    "the helper does it": "write_down(book)\nreturn Stored(book)",
    "something else is done, too": "later(book)\nwrite_down(book)\nreturn Stored(book)",
    "something harmless is done, too": (
        "check_book(book)\nlater(book)\nreturn Stored(book)  # error: but `later` has only queued the work"
    ),
    "the answer is no success": "later(book)\nreturn Accepted(book)",
    "it is raised": "later(book)\nraise KeyError",
    "nobody knows the helper": "somehow(book)\nreturn Stored(book)",
}
LATER = TYPES.replace('kept = ["Stored"]', 'kept = ["Accepted"]')


@pytest.mark.parametrize("body", BY_HELPERS.values(), ids=BY_HELPERS)
def test_where_a_helper_queues(body: str) -> None:
    tool = f"@mcp.tool()\nasync def add(book: str):\n{indent(body, '    ')}\n"
    assert astray({"shop.py": f"{HEAD}{HELPERS}{tool}"}, LATER, "ERR111") == []


def test_a_function_that_is_no_tool_may_answer_what_it_likes() -> None:
    text = f"{HEAD}{HELPERS}def add(book):\n    later(book)\n    return Stored(book)\n"
    assert astray({"shop.py": text}, LATER, "ERR111") == []


# --- what is promised to be kept --------------------------------------------------------------------------------------

NOTHING = "  # error: answers `Stored`, but nothing on the way to it keeps anything"
KEPT = TYPES.replace('queued = ["Accepted"]\n', "").replace(
    ('by-status = { success = "Stored", error = "Refused" }\n'), ""
)
WORK = {
    "a store": "store.write(book)\nreturn Stored(book)",
    "a queue": "memory.add_episode(book)\nreturn Stored(book)",
    "what may be a store": "somehow(book)\nreturn Stored(book)",
    "what may be a store, sometimes": "if book:\n    somehow(book)\nreturn Stored(book)",
    "a store whose name is harmless": "store.find(book)\nreturn Stored(book)",
    "nothing": f"if not book:\n    return None\nreturn Stored(book){NOTHING}",
    "what looks it up": f"found = find_book(book)\nreturn Stored(found){NOTHING}",
    "what is made": f"found = Book(book)\nreturn Stored(found){NOTHING}",
    "a private class": f"found = _Book(book)\nreturn Stored(found){NOTHING}",
    "a builtin": f"size = len(book)\nreturn Stored(size){NOTHING}",
    "a method that is called like a builtin": "book.print()\nreturn Stored(book)",
    "a log": f"logger.info(book)\nreturn Stored(book){NOTHING}",
    "a name for the answer": f"if book:\n    answer = Stored(book)\n    return answer{NOTHING}\nreturn None",
    "a store that has failed": (
        "try:\n    save(book)\nexcept OSError:\n    return Stored(book)" + NOTHING + "\nreturn None"
    ),
    "a store before the one that has failed": (
        "try:\n    somehow(book)\n    save(book)\nexcept OSError:\n    return Stored(book)\nreturn None"
    ),
    "a store that has failed before a look at it": (
        ("try:\n    save(book)\n    size = len(book)\nexcept OSError:\n    return Stored(book)")
        + NOTHING
        + "\nreturn None"
    ),
    "nothing, in all of the tool": f"return Stored(book){NOTHING}",
    "what is made, before a constant": f"size = len(book)\nreturn Stored('a'){NOTHING}",
    "a look around a constant": f"with get_lock():\n    return Stored('a'){NOTHING}",
    "a constant": "return Stored('a')",
    "a constant of a stub": "return Stored(None)",
    "another answer": "return Refused(book)",
}


@pytest.mark.parametrize("body", WORK.values(), ids=WORK)
def test_what_is_promised_is_kept_by(body: str) -> None:
    tool = f"@mcp.tool()\nasync def add(book: str, memory):\n{indent(body, '    ')}\n"
    assert astray({"shop.py": f"{HEAD}{tool}"}, KEPT, "ERR111") == []


def test_the_policy_says_what_asks_for_availability() -> None:
    tool = "@mcp.tool()\nasync def add(book: str):\n    breaker(book)\n    return Stored(book){}\n"
    assert astray({"shop.py": HEAD + tool.format("")}, KEPT, "ERR111") == []
    asked = KEPT.replace("[work]\n", '[work]\navailability = ["breaker"]\n')
    assert astray({"shop.py": HEAD + tool.format(NOTHING)}, asked, "ERR111") == []


CALLERS = """\
def answered(book):
    if not book:
        return None
    return Stored(book){mark}


@mcp.tool()
async def add(book: str) -> Stored | None:
    {before}
    return answered(book)
"""


def test_a_helper_answers_for_who_has_kept_it() -> None:
    assert astray({"shop.py": HEAD + CALLERS.format(mark="", before="somehow(book)")}, KEPT, "ERR111") == []
    texts = {"shop.py": HEAD + CALLERS.format(mark=NOTHING, before="size = len(book)")}
    assert astray(texts, KEPT, "ERR111") == []


def test_what_is_kept_on_another_way_is_not_kept_on_this_one() -> None:
    before = "if not book:\n        somehow(book)\n        return None\n    size = len(book)"
    assert astray({"shop.py": HEAD + CALLERS.format(mark=NOTHING, before=before)}, KEPT, "ERR111") == []


def test_a_helper_that_makes_such_answers_alone_is_none_of_their_work() -> None:
    text = "def answered(book):\n    size = len(book)\n    return Stored(size)\n"
    assert astray({"shop.py": HEAD + text}, KEPT, "ERR111") == []


def test_a_type_is_known_by_where_it_is_imported_from() -> None:
    text = (
        "from kit.answers import Kept\n\n\n@mcp.tool()\ndef add(book):\n    if not book:\n        return None\n"
        "    return Kept(book)  # error: answers `Kept`, but nothing on the way to it keeps anything\n"
    )
    assert astray({"shop.py": HEAD + text}, KEPT.replace('"Stored"', '"kit.answers.Kept"'), "ERR111") == []
