"""Work that a function only queues, and the answers that it gives before that work is done (ERR111)."""

from __future__ import annotations

import pytest

from errlint.collect import collect
from errlint.index.vocabulary import Vocabulary

WANTED = ("put", "create_task", "submit", "Thread", "delay")
QUEUED = "await jobs.put(book)\n"
DONE = "return {'success': True}"


def deferred(body: str) -> list[str]:
    """Return what is queued: the call, the job, and the lines of the answers before it is done, `!` if it is held.

    Behind a `/` come the lines of those that wait for nothing of it.
    """
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    (function,) = [
        each
        for each in collect(f"async def lend(book):\n{lines}", Vocabulary(deferring=WANTED)).functions
        if each.name == "lend"
    ]
    return [
        f"{each.callee}({each.job}){'!' if each.is_kept else ''}"
        f" {','.join(str(span.line - 1) for span in each.answers)}"
        f"/{','.join(str(span.line - 1) for span in each.unawaited)}"
        for each in function.deferred
    ]


EARLY = {
    "a task beside another one that is answered": (
        "a = create_task(run(book))\nb = create_task(keep(book))\nreturn a",
        "create_task(keep)! 3/3",
    ),
    "a queue": (f"{QUEUED}{DONE}", "jobs.put(book) 2/2"),
    "a queue of the object": (f"await self.jobs.put(book)\n{DONE}", "self.jobs.put(book) 2/2"),
    "a queue out of a table": (f"await JOBS[book].put(book)\n{DONE}", "JOBS.put(book) 2/2"),
    "a queue that a call answers": (f"find().put(book)\n{DONE}", "find.put(book) 2/2"),
    "a queue that a call answers, under a lock": (f"with lock:\n    find().put(book)\n{DONE}", "find.put(book) 3/3"),
    "a task, and something else in a collection that is answered": (
        "task = asyncio.create_task(lending(book))\nTASKS.add(book)\nreturn {'tasks': TASKS}",
        "asyncio.create_task(lending)! 3/3",
    ),
    "a task, and something else in an attribute that is answered": (
        "task = asyncio.create_task(lending(book))\nself.book = book\nreturn {'book': self.book}",
        "asyncio.create_task(lending)! 3/3",
    ),
    "a task, and a collection that says what to do when it ends": (
        "task = asyncio.create_task(lending(book))\ntask.add_done_callback(TASKS.discard)\nreturn {'tasks': TASKS}",
        "asyncio.create_task(lending)! 3/3",
    ),
    "a task": (f"asyncio.create_task(lending(book))\n{DONE}", "asyncio.create_task(lending) 2/2"),
    "a task that is held": (f"task = asyncio.create_task(lending(book))\n{DONE}", "asyncio.create_task(lending)! 2/2"),
    "a task in a collection": (
        f"task = asyncio.create_task(lending(book))\nTASKS.add(task)\n{DONE}",
        "asyncio.create_task(lending)! 3/3",
    ),
    "a task that says when it ends": (
        f"task = asyncio.create_task(lending(book))\ntask.add_done_callback(TASKS.discard)\n{DONE}",
        "asyncio.create_task(lending)! 3/3",
    ),
    "a task in an attribute": (
        f"task = asyncio.create_task(lending(book))\nself.task = task\n{DONE}",
        "asyncio.create_task(lending)! 3/3",
    ),
    "a thread": (f"Thread(target=lending, args=(book,)).start()\n{DONE}", "Thread(lending) 2/2"),
    "a thread that is held": (
        f"thread = threading.Thread(target=lending)\nthread.start()\n{DONE}",
        "threading.Thread(lending)! 3/3",
    ),
    "a thread of nothing by its name": (f"Thread(lending).start()\n{DONE}", "Thread() 2/2"),
    "a job without an argument": (f"jobs.put()\n{DONE}", "jobs.put() 2/2"),
    "a log between": (f"{QUEUED}log.info('lent')\n{DONE}", "jobs.put(book) 3/3"),
    "what only prepares the work": (f"{QUEUED}self._check_shelf()\n{DONE}", "jobs.put(book) 3/3"),
    "work of a function inside": (f"{QUEUED}def shown():\n    lend()\n{DONE}", "jobs.put(book) 4/4"),
    "one of two ways": (f"if book:\n    {QUEUED}{DONE}", "jobs.put(book) 3/3"),
    "two answers": (f"{QUEUED}if book:\n    {DONE}\n{DONE}", "jobs.put(book) 3,4/3,4"),
    "an answer that is told by what is known": (
        f"count = len(book)\n{QUEUED}return {{'success': True, 'count': count}}",
        "jobs.put(book) 3/3",
    ),
    "a number that is declared": (
        f"count: int = len(book)\n{QUEUED}return {{'success': True, 'count': count}}",
        "jobs.put(book) 3/3",
    ),
    "a lock around it": (f"with lock as held:\n    {QUEUED}{DONE}", "jobs.put(book) 3/3"),
}


@pytest.mark.parametrize(("body", "expected"), EARLY.values(), ids=EARLY)
def test_an_answer_is_given_before_work_is_done(body: str, expected: str) -> None:
    assert deferred(body) == [expected]


WAITED = {
    "a task that is waited for where it is made": f"await asyncio.create_task(lending(book))\n{DONE}",
    "a task that is waited for later": f"task = asyncio.create_task(lending(book))\nawait task\n{DONE}",
    "a task whose result is asked for": f"task = pool.submit(lending)\nlent = task.result()\n{DONE}",
    "a task that is answered": "task = asyncio.create_task(lending(book))\nreturn {'task': task}",
    "a task in a collection that is waited for": (
        f"task = asyncio.create_task(lending(book))\nTASKS.add(task)\nawait asyncio.gather(*TASKS)\n{DONE}"
    ),
    "a task under a key that is waited for": (
        f"task = asyncio.create_task(lending(book))\nTASKS[book] = task\nawait TASKS[book]\n{DONE}"
    ),
    "a task in a collection that is answered": (
        "task = asyncio.create_task(lending(book))\nTASKS.append(task)\nreturn {'tasks': TASKS}"
    ),
    "a task under a key of what is answered": (
        "task = asyncio.create_task(lending(book))\nTASKS[book] = task\nreturn {'tasks': TASKS}"
    ),
    "a task in an attribute that is answered": (
        "task = asyncio.create_task(lending(book))\nself.task = task\nreturn {'task': self.task}"
    ),
    "a queue that is waited for": f"{QUEUED}await jobs.join()\n{DONE}",
    "a thread that is waited for": (f"thread = Thread(target=lending)\nthread.start()\nthread.join()\n{DONE}"),
    "a group that waits at its end": (
        f"async with asyncio.TaskGroup() as group:\n    group.create_task(lending(book))\n{DONE}"
    ),
    "a loop that waits": f"{QUEUED}async for each in results:\n    pass\n{DONE}",
    "a context that waits": f"{QUEUED}async with results:\n    pass\n{DONE}",
    "nothing that is answered": f"{QUEUED}return",
    "nothing that is wanted": f"await jobs.add(book)\n{DONE}",
    "an answer on another way": f"if book:\n    {DONE}\n{QUEUED}",
    "something that is only named": f"shown = jobs.put\n{DONE}",
}


@pytest.mark.parametrize("body", WAITED.values(), ids=WAITED)
def test_an_answer_is_not_given_before_work_is_done(body: str) -> None:
    assert deferred(body) == []


BETWEEN = {
    "other work": (f"{QUEUED}lend(book)\n{DONE}", []),
    "other work that is waited for": (f"{QUEUED}lent = await lend(book)\n{DONE}", []),
    "other work before it": (f"lend(book)\n{QUEUED}{DONE}", []),
    "other work on one way": (f"{QUEUED}if book:\n    lend(book)\n{DONE}", ["jobs.put(book) 4/4"]),
    "an answer that is told by other work": (
        f"lent = lend(book)\n{QUEUED}return {{'success': True, 'lent': lent}}",
        ["jobs.put(book) /3"],
    ),
    "an answer that is told by other work, declared": (
        f"lent: bool = lend(book)\n{QUEUED}return {{'success': True, 'lent': lent}}",
        ["jobs.put(book) /3"],
    ),
    "what the queue is asked for": (f"{QUEUED}lent = results.get(book)\n{DONE}", ["jobs.put(book) /3"]),
    "something that is asked for without it": (f"{QUEUED}lent = results.get(1)\n{DONE}", ["jobs.put(book) 3/3"]),
    "what asks until it is done": (f"{QUEUED}lent = poll(book)\n{DONE}", ["jobs.put(book) 3/"]),
    "what asks until something else is done": (f"{QUEUED}lent = poll(1)\n{DONE}", ["jobs.put(book) 3/3"]),
    "something of it that is waited for": (f"{QUEUED}shown = await show(book)\n{DONE}", []),
    "a check of it that is waited for": (f"{QUEUED}await check_shelf(book)\n{DONE}", ["jobs.put(book) 3/3"]),
    "something else that is waited for, for a while": (
        f"{QUEUED}await asyncio.sleep(1)\n{DONE}",
        ["jobs.put(book) 3/3"],
    ),
}


@pytest.mark.parametrize(("body", "expected"), BETWEEN.values(), ids=BETWEEN)
def test_an_answer_may_be_about_what_is_done_between(body: str, expected: list[str]) -> None:
    assert deferred(body) == expected


def test_work_of_two_calls_is_told_of_each() -> None:
    assert deferred(f"{QUEUED}task = asyncio.create_task(lending(book))\nawait task\n{DONE}") == []
    assert deferred(f"{QUEUED}asyncio.create_task(lending(book))\n{DONE}") == [
        "jobs.put(book) 3/3",
        "asyncio.create_task(lending) 3/3",
    ]


def test_a_function_with_too_many_ways_is_given_up() -> None:
    flags = "\n".join(f"if book.flag_{number}:\n    pass" for number in range(8))
    assert deferred(f"{QUEUED}{flags}\n{DONE}") == []
