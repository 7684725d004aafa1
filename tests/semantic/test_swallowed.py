"""Handlers after which nobody knows that something failed: what is work, what is a failure, and what is answered."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
from governed_texts import governed

from errlint.project.swallowed import swallowed
from errlint.settings import Policy, Response, Style
from errlint.settings.policy import Codes, Exceptions

HEAD = """\
import asyncio
import json
import logging
from contextlib import suppress
from dataclasses import dataclass

import requests
from fastmcp import FastMCP

mcp = FastMCP("shop")
log = logging.getLogger(__name__)


class ShopError(Exception):
    pass


@dataclass
class Books:
    items: list
    total: int = 0


@dataclass
class SuccessResponse:
    items: list
    status: str = "success"


@dataclass
class ErrorResponse:
    message: str
    ok: bool = False


"""
RAISED = Policy(exceptions=Exceptions(root=("ShopError",)))


def fates(root: Path, text: str, policy: Policy | None = None, path: str = "shop.py") -> list[str]:
    """Return what becomes of what the handlers of a file swallow, with their functions."""
    project = governed(root, {path: HEAD + text}, policy or Policy())
    return [f"{each.function.name} {each.fate}" for each in swallowed(project, path)]


def tool(body: str, name: str = "find", head: str = "@mcp.tool()\n") -> str:
    """Return a tool."""
    return f"{head}def {name}(name, count):\n{indent(body, '    ')}\n"


def swallowing(
    answer: str, clause: str = "except Exception:", work: str = "books = shop.load(name)", after: str = "return books"
) -> str:
    """Return a body that catches what its work raises."""
    return f"try:\n    {work}\n{clause}\n{indent(answer, '    ')}\n{after}"


ANSWERS = {
    "an empty list": ("return []", "answers `[]`"),
    "an empty text": ('return ""', "answers an empty text"),
    "an empty dict": ("return {}", "answers `{}`"),
    "an empty tuple": ("return ()", "answers an empty result"),
    "nothing": ("return None", "answers `None`"),
    "nothing twice": ("return None, None", "answers an empty result"),
    "nothing in its places": ('return {"items": [], "total": 0}', "answers an empty result"),
    "nothing beside what was asked for": ('return {"name": name, "items": []}', "answers an empty result"),
    "what was asked for alone": ('return {"name": name}', ""),
    "what was asked for, and no number": ('return {"name": name, "total": 0}', ""),
    "something": ('return {"items": [name]}', ""),
    "more than can be seen": ('return {"items": [], **count}', ""),
    "an object with nothing in it": ("return Books(items=[])", "answers an empty result"),
    "an object with something in it": ("return Books(items=[name])", ""),
    "an object without arguments": ("return Books()", ""),
    "an object that is not known": ("return Gone(items=[])", ""),
    "a list of nothing": ("return list()", "answers an empty result"),
    "a list of something": ("return list(name)", ""),
    "JSON of nothing": ("return json.dumps([], indent=2)", "answers an empty result"),
    "JSON of something": ("return json.dumps([name])", ""),
    "an empty value in a variable": ("found = []\nreturn found", "answers `found`, which is empty then"),
    "a success": ('return {"success": True}', "answers success"),
    "a success by its status": ('return {"status": "ok", "name": name}', "answers success"),
    "a success with something": ('return {"success": True, "items": [name]}', "answers success"),
    "another status": ('return {"status": "open", "name": name}', ""),
    "no success": ('return {"success": False}', ""),
    "a success by the name of its class": ("return SuccessResponse(items=[name])", "answers success"),
    "a success by the name of what is not known": ("return GoneSuccess(items=[name])", ""),
    "an error": ('return {"error": "no book"}', ""),
    "an error text": ('return "Error: no book"', ""),
    "yes": ("return True", ""),
    "no": ("return False", ""),
    "a number": ("return 3", ""),
}


@pytest.mark.parametrize(("answer", "fate"), ANSWERS.values(), ids=ANSWERS)
def test_a_tool_that_swallows_an_exception_answers(answer: str, fate: str, tmp_path: Path) -> None:
    assert fates(tmp_path, tool(swallowing(answer))) == ([f"find {fate}"] if fate else [])


def test_the_answer_is_that_of_the_handler(tmp_path: Path) -> None:
    text = tool("try:\n    return shop.load(name)\nexcept Exception:\n    return []")
    assert fates(tmp_path, text) == ["find answers `[]`"]
    text = tool("if count:\n    return []\ntry:\n    return shop.load(name)\nexcept Exception:\n    return [name]")
    assert fates(tmp_path, text) == []


def test_what_answers_requests_is_left_to_its_framework(tmp_path: Path) -> None:
    route = tool(swallowing("return []"), "look", '@app.get("/books")\n')
    assert fates(tmp_path, f"{route}\n{tool('return look(name, count)')}") == []


HELPERS = {
    "an empty list": ("return []", ["look answers `[]`"]),
    "nothing": ("return None", []),
    "nothing and an empty list": ("return None, []", []),
    "nothing and a reason": ('return None, "no"', []),
    "a tuple that is empty": ("return [], 0", ["look answers an empty result"]),
}


@pytest.mark.parametrize(("answer", "expected"), HELPERS.values(), ids=HELPERS)
def test_a_helper_may_answer_nothing_since_its_callers_look_at_that(
    answer: str, expected: list[str], tmp_path: Path
) -> None:
    helper = tool(swallowing(answer), "look", "")
    assert fates(tmp_path, f"{helper}\n{tool('return look(name, count)')}") == expected
    assert fates(tmp_path, helper) == []


def test_a_helper_may_answer_what_its_caller_raises_from(tmp_path: Path) -> None:
    helper = tool(swallowing("return []"), "look", "")
    asked = "wrong = look(name, count)\nif wrong:\n    raise wrong\nreturn name"
    assert fates(tmp_path, f"{helper}\n{tool(asked)}") == []


GOES_ON = {
    "an error in the log": ('log.error("no")', "goes on"),
    "an exception in the log": ('log.exception("no")', "goes on"),
    "a warning in the log": ('log.warning("no")', ""),
    "an error in the log that is expected": ('log.error("no, skipping it")', ""),
    "news in the log": ('log.info("no")', ""),
    "nothing": ("pass", ""),
}


@pytest.mark.parametrize(("answer", "fate"), GOES_ON.values(), ids=GOES_ON)
def test_a_tool_goes_on_after_an_error_in_the_log(answer: str, fate: str, tmp_path: Path) -> None:
    text = tool(swallowing(answer, work="shop.load(name)", after="return name"))
    assert fates(tmp_path, text) == ([f"find {fate}"] if fate else [])
    helper = tool(swallowing(answer, work="shop.load(name)", after="return name"), "look", "")
    assert fates(tmp_path, f"{helper}\n{tool('return look(name, count)')}") == []


ENDS = {
    "after an answer": (
        "if count:\n    return shop.count(name)\ntry:\n    return shop.load(name)\n",
        ["find answers `None`"],
    ),
    "after no answer": ("try:\n    shop.load(name)\n", []),
}


@pytest.mark.parametrize(("before", "expected"), ENDS.values(), ids=ENDS)
def test_a_tool_that_ends_in_a_handler_answers_nothing(before: str, expected: list[str], tmp_path: Path) -> None:
    assert fates(tmp_path, tool(f'{before}except Exception:\n    log.warning("no")')) == expected


LEVELS = {
    "at no level": ("return []", True),
    "as a warning": ('log.warning("no")\nreturn []', True),
    "as news": ('log.info("no")\nreturn []', False),
    "for those who look for faults": ('log.debug("no")\nreturn []', False),
}


@pytest.mark.parametrize(("answer", "is_told"), LEVELS.values(), ids=LEVELS)
def test_what_is_logged_as_news_is_no_failure(answer: str, is_told: bool, tmp_path: Path) -> None:
    assert fates(tmp_path, tool(swallowing(answer))) == ["find answers `[]`"] * is_told


CLAUSES = {
    "everything": ("except:", True),
    "every exception": ("except Exception:", True),
    "a failure of the system": ("except OSError:", True),
    "failures": ("except (OSError, ConnectionError):", True),
    "a failure and what is expected": ("except (OSError, KeyError):", False),
    "everything and what is expected": ("except (Exception, KeyError):", True),
    "what is expected": ("except KeyError:", False),
    "what may be an answer": ("except requests.HTTPError:", False),
    "what the policy maps": ("except ValueError:", False),
}


@pytest.mark.parametrize(("clause", "is_told"), CLAUSES.values(), ids=CLAUSES)
def test_what_is_caught_has_to_say_that_the_work_failed(clause: str, is_told: bool, tmp_path: Path) -> None:
    assert fates(tmp_path, tool(swallowing("return []", clause))) == ["find answers `[]`"] * is_told


LOGGED = {
    "what may be an answer": ("except requests.HTTPError:", True),
    "what a program answered": ("except CalledProcessError:", True),
    "what a library raises": ("except requests.Gone:", True),
    "what Python raises": ("except json.Gone:", False),
    "what the project raises": ("except ShopError:", False),
    "what is not known": ("except Gone:", False),
    "what is expected": ("except KeyError:", False),
    "what a library and Python raise": ("except (requests.Gone, KeyError):", False),
}


@pytest.mark.parametrize(("clause", "is_told"), LOGGED.values(), ids=LOGGED)
def test_what_is_logged_as_an_error_may_be_one_of_a_library(clause: str, is_told: bool, tmp_path: Path) -> None:
    body = swallowing('log.error("no")\nreturn []', clause)
    assert fates(tmp_path, tool(body)) == ["find answers `[]`"] * is_told


POLICIES = {
    "the root": (RAISED, "except ShopError:", True),
    "another class": (RAISED, "except KeyError:", False),
    "the default": (Policy(exceptions=Exceptions(default="pkg.GoneError")), "except GoneError:", True),
    "what is mapped": (
        Policy(exceptions=Exceptions(map={"requests.HTTPError": "E"})),
        "except requests.HTTPError:",
        True,
    ),
    "what has a code": (Policy(codes=Codes(caught={"HTTP*": ("gone",)})), "except requests.HTTPError:", True),
    "what has no code": (Policy(codes=Codes(caught={"Value*": ("gone",)})), "except requests.HTTPError:", False),
}


@pytest.mark.parametrize(("policy", "clause", "is_told"), POLICIES.values(), ids=POLICIES)
def test_a_policy_says_what_is_a_failure(policy: Policy, clause: str, is_told: bool, tmp_path: Path) -> None:
    assert fates(tmp_path, tool(swallowing("return []", clause)), policy) == ["find answers `[]`"] * is_told


DOMAIN = {
    "the root": ("except ShopError:", ["find goes on"]),
    "the root and another": ("except (ShopError, OSError):", []),
    "another": ("except OSError:", []),
    "everything": ("except Exception:", []),
}


@pytest.mark.parametrize(("clause", "expected"), DOMAIN.values(), ids=DOMAIN)
def test_what_is_raised_for_the_boundary_is_no_warning(clause: str, expected: list[str], tmp_path: Path) -> None:
    body = swallowing('log.warning("no")', clause, work="shop.load(name)", after="return name")
    assert fates(tmp_path, tool(body), RAISED) == expected
    assert fates(tmp_path, tool(body)) == []


WRITES = {
    "a save": ("shop.save(name)", 'return {"success": True}', True),
    "something that begins so": ("shop.saved(name)", 'return {"success": True}', False),
    "no save": ("shop.load(name)", 'return {"success": True}', False),
    "a save without a success": ("shop.save(name)", 'return {"name": name}', False),
    "a save with a success or not": (
        "shop.save(name)",
        'if count:\n    return {"name": name}\nreturn {"success": True}',
        False,
    ),
}


@pytest.mark.parametrize(("work", "after", "is_told"), WRITES.values(), ids=WRITES)
def test_a_failed_save_is_no_success(work: str, after: str, is_told: bool, tmp_path: Path) -> None:
    before = 'if not name:\n    return {"name": name}\n'
    body = before + swallowing('log.warning("no")', work=work, after=after)
    assert fates(tmp_path, tool(body), RAISED) == ["find goes on to answer success"] * is_told
    assert fates(tmp_path, tool(body)) == []


WORK = {
    "a call": ("shop.load(name)", "find", True),
    "looking something up": ("shop.get(name)", "find", False),
    "asking somebody": ("client.get(name)", "find", True),
    "asking somebody in an attribute": ("http_session.get(name)", "find", True),
    "taking a text apart": ("name.split()", "find", False),
    "tidying up": ("shop.close(name)", "find", False),
    "tidying up by its ending": ("shop.send_event(name)", "find", False),
    "removing": ("shop.delete(name)", "find", False),
    "removing where that is the work": ("shop.delete(name)", "delete_book", True),
    "removing something else": ("shop.deletes(name)", "find", True),
    "one of two": ("shop.close(shop.load(name))", "find", True),
}


@pytest.mark.parametrize(("work", "name", "is_told"), WORK.values(), ids=WORK)
def test_a_try_has_to_do_some_work(work: str, name: str, is_told: bool, tmp_path: Path) -> None:
    text = tool(swallowing("return []", work=f"books = {work}"), name)
    assert fates(tmp_path, text) == [f"{name} answers `[]`"] * is_told


NAMES = {
    "find_books": True,
    "try_books": False,
    "is_open": False,
    "books_or_none": False,
    "check_books": False,
    "books_loop": True,
    "cache_books": False,
    "pin_report": True,
    "report_pin": False,
    "create_task": True,
    "task_of": False,
    "find_metrics": False,
}


@pytest.mark.parametrize(("name", "is_told"), NAMES.items(), ids=NAMES)
def test_the_name_of_a_tool_may_say_that_a_failure_is_an_answer(name: str, is_told: bool, tmp_path: Path) -> None:
    assert fates(tmp_path, tool(swallowing("return []"), name)) == [f"{name} answers `[]`"] * is_told


def test_the_name_of_a_helper_is_taken_as_it_is(tmp_path: Path) -> None:
    caller = tool("return [find_report(name, count), find_books(name, count), __books(name, count)]")
    helpers = "".join(tool(swallowing("return []"), name, "") for name in ("find_report", "find_books", "__books"))
    assert fates(tmp_path, f"{helpers}\n{caller}") == ["find_books answers `[]`"]


@pytest.mark.parametrize(("path", "is_told"), [("shop.py", True), ("shop_cache.py", False), ("metrics/shop.py", False)])
def test_what_a_file_does_beside_the_work_may_fail(path: str, is_told: bool, tmp_path: Path) -> None:
    assert fates(tmp_path, tool(swallowing("return []")), path=path) == ["find answers `[]`"] * is_told


FILTERED = (
    "results = await asyncio.gather(a(), b(), return_exceptions=True)\n"
    "return [each for each in results if not isinstance(each, Exception)]"
)


@pytest.mark.parametrize(("name", "is_told"), [("find", True), ("try_all", False)])
def test_results_are_not_filtered(name: str, is_told: bool, tmp_path: Path) -> None:
    text = tool(FILTERED, name).replace("def ", "async def ")
    assert fates(tmp_path, text) == [f"{name} filters away what failed"] * is_told
    assert fates(tmp_path, text.replace("@mcp.tool()\n", "")) == []


RETURN = Policy(
    style=Style.RETURN,
    response=Response(types=("ErrorResponse",), by_status={"success": "SuccessResponse", "error": "ErrorResponse"}),
)
SUCCESS = "SuccessResponse(items=[name])"

TYPED = {
    "a success": (swallowing(f"return {SUCCESS}", "except requests.Gone:"), ["find answers success"]),
    "a success that is expected": (
        swallowing(f'log.warning("falling back")\nreturn {SUCCESS}', "except requests.Gone:"),
        [],
    ),
    "an error": (swallowing("return ErrorResponse('no')", "except requests.Gone:"), []),
    "a success later": (
        swallowing("pass", "except requests.Gone:", after=f"return {SUCCESS}"),
        ["find goes on to answer success"],
    ),
    "an error later": (swallowing("pass", "except requests.Gone:", after="return ErrorResponse('no')"), []),
    "a success before": (
        f"if count:\n"
        f"    return {SUCCESS}\n" + swallowing("pass", "except requests.Gone:", after="return ErrorResponse('no')"),
        [],
    ),
    "a success after what is left out": (
        f"with suppress(requests.Gone):\n    shop.load(name)\nreturn {SUCCESS}",
        ["find goes on to answer success"],
    ),
    "a success after each turn": (
        f"for each in count:\n    try:\n        shop.load(each)\n    except requests.Gone:\n        pass\n"
        f"return {SUCCESS}",
        ["find goes on to answer success"],
    ),
    "news": (swallowing('log.info("no")', "except requests.Gone:", after=f"return {SUCCESS}"), []),
}


@pytest.mark.parametrize(("body", "expected"), TYPED.values(), ids=TYPED)
def test_a_type_for_success_is_one_whatever_was_caught(body: str, expected: list[str], tmp_path: Path) -> None:
    assert fates(tmp_path, tool(body), RETURN) == expected
    assert fates(tmp_path, tool(body)) == []


def test_a_probe_goes_on_to_answer_success(tmp_path: Path) -> None:
    body = swallowing("pass", "except requests.Gone:", after=f"return {SUCCESS}")
    assert fates(tmp_path, tool(body, "check_books"), RETURN) == []


CLAIMED = {
    "a declared type": ("return ErrorResponse('no', ok=True)", ["find answers success"]),
    "a declared type that says no": ("return ErrorResponse('no', ok=False)", []),
    "another type": ("return Books(items=[name], ok=True)", []),
    "no object": ("return name", []),
}
OTHERS = (
    "",
    "if count:\n    return ErrorResponse('no', ok=False)\n",
    "if count:\n    return ErrorResponse('no', ok=True)\n",
)


@pytest.mark.parametrize(("answer", "expected"), CLAIMED.values(), ids=CLAIMED)
def test_an_object_of_a_declared_type_may_claim_success(answer: str, expected: list[str], tmp_path: Path) -> None:
    policy = Policy(style=Style.RETURN, response=Response(types=("pkg.ErrorResponse",)))
    for before in OTHERS:
        text = tool(before + swallowing(answer, "except requests.Gone:"))
        assert fates(tmp_path, text, policy) == expected


LOOP = (
    "while True:\n    job = queue.get()\n    try:\n        shop.load(job)\n    except Exception:\n"
    "        log.error('no')"
)


@pytest.mark.parametrize(
    ("response", "expected"),
    [(Response(queued=("Queued",)), ["work takes what is queued next"]), (Response(), [])],
    ids=["where work is promised", "where it is not"],
)
def test_what_is_queued_is_not_lost(response: Response, expected: list[str], tmp_path: Path) -> None:
    assert fates(tmp_path, tool(LOOP, "work", ""), Policy(response=response)) == expected
