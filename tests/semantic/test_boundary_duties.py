"""What a boundary owes to clients and to the log: what it catches, what it logs, and what it answers with."""

from __future__ import annotations

from textwrap import indent

import pytest
from judged_texts import astray, project_of

HEAD = """\
import functools
import logging
import sys
import traceback
from copy import deepcopy

from elsewhere import describe, report_failure, tidy_up

logger = logging.getLogger(__name__)


class ShopError(Exception):
    code = "shop"


class SoldOut(ShopError):
    pass


class WrongRange(ValueError):
    pass


"""
WRAPPER = """
def boundary(empty=None):
    def decorate(function):
        @functools.wraps(function)
        async def wrapper(*args, **kwargs):{mark}
            try:
                return await function(*args, **kwargs)
{clauses}

        return wrapper

    return decorate
"""
LOGS = '[exceptions]\nroot = ["errors.ShopError"]\n\n[[boundary]]\ndecorator = "errors.boundary"\nlogs = true\n'
CONVERTS = f'{LOGS}converters = ["errors.to_answer"]\n'
UNEXPECTED = "except Exception:\n    logger.exception('unexpected')\n    return {'error': 'internal error'}"


def around(clauses: str, before: str = "", mark: str = "") -> dict[str, str]:
    """Return a boundary with some clauses, behind some functions."""
    return {"errors.py": f"{HEAD}{before}{WRAPPER.format(clauses=indent(clauses, ' ' * 12), mark=mark)}"}


NOTED = {
    "a logger": ("", "logger.warning('refused')"),
    "the method log of a logger": ("", "logger.log(logging.WARNING, 'refused')"),
    "a logger that is bound": ("", "logger.bind(code=error.code).warning('refused')"),
    "a function that logs": ("def note():\n    logger.warning('refused')\n", "note()"),
    "a function that calls one that logs": (
        "def write():\n    logger.warning('refused')\n\n\ndef note():\n    tidy_up()\n    write()\n",
        "note()",
    ),
    "what cannot be seen, handed the exception": ("", "describe(error)"),
    "what cannot be seen, named after logging": ("", "report_failure('refused')"),
    "a method that cannot be seen, named after logging": ("", "function.audit_refusal()"),
    "what a call returns": ("", "function.made()('refused')"),
    "a function that is handed the exception and named after logging": (
        "def record(error):\n    STATE.last = error\n",
        "record(error)",
    ),
}
QUIET = {
    "a function that hands over one that logs": (
        "def write():\n    logger.warning('refused')\n\n\ndef note():\n    tidy_up(write)\n",
        "note()",
    ),
    "nothing": ("", "pass"),
    "what cannot be seen, of another name": ("", "tidy_up()"),
    "a builtin that is handed the exception": ("", "text = repr(error)"),
    "a stack that goes nowhere": ("", "text = traceback.format_exc()"),
    "a context with nothing in it": ("", "with bound_contextvars(code=error.code):\n        pass"),
    "a class that is handed the exception": ("class Refusal:\n    pass\n", "refusal = Refusal(error)"),
    "a function that does something else": ("def count(error):\n    STATE.refused += 1\n", "count(error)"),
    "a function that calls something else": ("def count():\n    tally.add(1)\n", "count()"),
    "a function named after logging that is not handed the exception": (
        "def record():\n    STATE.refused += 1\n",
        "record()",
    ),
    "a name that only begins like one of logging": ("", "logistics('refused')"),
    "a function of its own called like a level": ("", "error_text = warning"),
}


@pytest.mark.parametrize(("before", "call"), NOTED.values(), ids=NOTED)
def test_a_clause_logs_with(before: str, call: str) -> None:
    clause = f"except ShopError as error:\n    {call}\n    return {{'error': 'refused'}}\n{UNEXPECTED}"
    assert astray(around(clause, before), LOGS, "ERR211") == []


@pytest.mark.parametrize(("before", "call"), QUIET.values(), ids=QUIET)
def test_a_clause_does_not_log_with(before: str, call: str) -> None:
    clause = (
        f"except ShopError as error:  # error: does not log `ShopError`\n    {call}\n    return {{'error': 'refused'}}"
    )
    assert astray(around(f"{clause}\n{UNEXPECTED}", before), LOGS, "ERR211") == []


SILENT = "return {'error': 'refused'}"
CLAUSES = {
    "one that raises": f"except ShopError as error:\n    raise KeyError from error\n{UNEXPECTED}",
    "all of them, told once": f"except ShopError:\n    {SILENT}\nexcept Exception:\n    {SILENT}",
    "the one for what nobody expected": (
        f"except ShopError:\n    logger.info('refused')\n    {SILENT}\n"
        f"except Exception:  # error: does not log what nobody expected\n    {SILENT}"
    ),
    "the first of several classes": (
        f"except (SoldOut, WrongRange):  # error: does not log `SoldOut`\n    {SILENT}\n{UNEXPECTED}"
    ),
}


@pytest.mark.parametrize("name", CLAUSES)
def test_clauses_that_do_not_log(name: str) -> None:
    mark = "  # error: does not log what it answers" if name == "all of them, told once" else ""
    assert astray(around(CLAUSES[name], mark=mark), LOGS, "ERR211") == []


STACKS = {
    "exception": "logger.exception('unexpected')",
    "exc_info": "logger.error('unexpected', exc_info=True)",
    "the exception as exc_info": "logger.error('unexpected', exc_info=error)",
    "stack_info": "logger.error('unexpected', stack_info=True)",
    "options that cannot be seen": "logger.error('unexpected', **options)",
    "the stack as a text": "logger.error(traceback.format_exc())",
    "the stack in a text": "logger.error(f'unexpected: {traceback.format_exc()}')",
    "the options of loguru": "logger.opt(exception=True).error('unexpected')",
    "one of two calls": "logger.error('unexpected')\n    logger.debug('where', exc_info=True)",
}
STACKLESS = {
    "a text": "logger.error('unexpected')",
    "exc_info that is false": "logger.error('unexpected', exc_info=False)",
    "no exc_info": "logger.error('unexpected', exc_info=None)",
    "another keyword": "logger.error('unexpected', extra={'code': 'internal'})",
    "a logger that is bound": "logger.bind(code='internal').error('unexpected')",
}


@pytest.mark.parametrize("call", STACKS.values(), ids=STACKS)
def test_what_nobody_expected_is_logged_with_its_stack_by(call: str) -> None:
    assert astray(around(f"except Exception as error:\n    {call}\n    {SILENT}"), LOGS, "ERR211") == []


@pytest.mark.parametrize("call", STACKLESS.values(), ids=STACKLESS)
def test_what_nobody_expected_is_logged_without_its_stack_by(call: str) -> None:
    clause = (
        f"except Exception as error:\n    {call}  # error: logs what nobody expected without its stack\n    {SILENT}"
    )
    assert astray(around(clause), LOGS, "ERR211") == []


def test_the_stack_of_a_known_exception_is_not_that_of_what_nobody_expected() -> None:
    before = (
        "def to_answer(error):\n    if isinstance(error, ShopError):\n        logger.exception('refused')\n"
        "        return {'error': 'refused'}\n"
        "    logger.error('unexpected')  # error: logs what nobody expected without its stack\n"
        "    return {'error': 'internal error'}\n"
    )
    assert astray(around("except Exception as error:\n    return to_answer(error)", before), CONVERTS, "ERR211") == []


def test_a_known_exception_needs_no_stack_in_the_log() -> None:
    clause = f"except ShopError as error:\n    logger.error('refused')\n    {SILENT}\n{UNEXPECTED}"
    assert astray(around(clause), LOGS, "ERR211") == []


def test_the_stack_is_asked_for_where_a_function_of_the_project_logs() -> None:
    before = "def note():\n    logger.error('unexpected')  # error: without its stack\n"
    assert astray(around(f"except Exception:\n    note()\n    {SILENT}", before), LOGS, "ERR211") == []
    with_stack = before.replace("'unexpected')  # error: without its stack", "'unexpected', exc_info=True)")
    assert astray(around(f"except Exception:\n    note()\n    {SILENT}", with_stack), LOGS, "ERR211") == []


def test_a_function_that_tells_exceptions_apart_need_not_log_the_stack_of_the_known_ones() -> None:
    before = (
        "def note(error):\n    if isinstance(error, ShopError):\n        logger.error('refused')\n"
        "    else:\n        logger.exception('unexpected')\n"
    )
    assert astray(around(f"except Exception as error:\n    note(error)\n    {SILENT}", before), LOGS, "ERR211") == []


BRANCHES = """\
def to_answer(error):
    if isinstance(error, SoldOut):{mark}
        {call}
        return {{"error": "sold out"}}
    if isinstance(error, ShopError):
        logger.info("refused")
        return {{"error": "refused"}}
    logger.exception("unexpected")
    return {{"error": "internal error"}}
"""


def test_a_branch_of_a_converter_that_does_not_log_is_told() -> None:
    clause = "except Exception as error:\n    return to_answer(error)"
    silent = BRANCHES.format(mark="  # error: does not log `SoldOut`", call="pass")
    assert astray(around(clause, silent), CONVERTS, "ERR211") == []
    assert astray(around(clause, BRANCHES.format(mark="", call="logger.info('sold out')")), CONVERTS, "ERR211") == []
    assert astray(around(clause, BRANCHES.format(mark="", call="raise error")), CONVERTS, "ERR211") == []


HANDED = {
    "the clause for the same class": "except SoldOut as error:\n    return to_answer(error)\n" + UNEXPECTED,
    "a bare clause": "except:  # error: catches everything\n    return to_answer(sys.exc_info()[1])",
}
KEPT_BACK = {
    "another class": "except WrongRange as error:\n    return to_answer(error)\n" + UNEXPECTED,
    "a clause that logs itself": (
        "except Exception as error:\n    logger.exception('failed')\n    return to_answer(error)"
    ),
    "a clause that raises": "except Exception as error:\n    raise KeyError(to_answer(error)) from error",
    "nothing at all": UNEXPECTED,
}


@pytest.mark.parametrize("clauses", HANDED.values(), ids=HANDED)
def test_a_converter_has_to_log_what_is_handed_to_it_by(clauses: str) -> None:
    silent = BRANCHES.format(mark="  # error: does not log `SoldOut`", call="pass")
    assert astray(around(clauses, silent), CONVERTS, "ERR211") == []


@pytest.mark.parametrize("clauses", KEPT_BACK.values(), ids=KEPT_BACK)
def test_a_converter_need_not_log_what_it_is_not_left_by(clauses: str) -> None:
    assert astray(around(clauses, BRANCHES.format(mark="", call="pass")), CONVERTS, "ERR211") == []


def test_a_converter_that_does_the_same_about_all_is_told_by_the_clause_that_calls_it() -> None:
    before = "def to_answer(error):\n    return {'error': 'refused'}\n"
    clause = "except Exception as error:\n    return to_answer(error)"
    assert astray(around(clause, before, "  # error: does not log what it answers"), CONVERTS, "ERR211") == []


# --- what is caught ---------------------------------------------------------------------------------------------------

ENVELOPE = f'{CONVERTS}envelope = {{ error = "{{message}}" }}\n'.replace("logs = true\n", "")
LACKS_DOMAIN = "does not catch every `ShopError`: the others reach the client raw"
LACKS_REST = "does not catch what nobody expects"

CAUGHT = {
    "the root, and nothing else": (
        f"except ShopError as error:  # error: {LACKS_REST}\n    return {{'error': str(error)}}"
    ),
    "a class below the root": f"except SoldOut as error:  # error: {LACKS_DOMAIN}\n    return {{'error': str(error)}}",
    "a class beside the root": (
        f"except WrongRange as error:  # error: {LACKS_DOMAIN}\n    return {{'error': str(error)}}"
    ),
    "a builtin": f"except OSError as error:  # error: {LACKS_DOMAIN}\n    return {{'error': str(error)}}",
    "a builtin, then the root": (
        f"except OSError:\n    return {{'error': 'io'}}\nexcept ShopError as error:  # error: {LACKS_REST}\n"
        "    return {'error': str(error)}"
    ),
    "a name that only the run knows": (
        f"except CAUGHT as error:  # error: {LACKS_REST}\n    return {{'error': str(error)}}"
    ),
    "everything": "except OSError:\n    return {'error': 'io'}\nexcept Exception:\n    return {'error': 'internal'}",
    "everything, bare": "except:  # error: catches everything\n    return {'error': 'internal'}",
}


@pytest.mark.parametrize("clauses", CAUGHT.values(), ids=CAUGHT)
def test_what_is_left_to_nobody_is_told_where_a_boundary_catches(clauses: str) -> None:
    assert astray(around(clauses, "CAUGHT = known()\n"), ENVELOPE, "ERR211") == []


def test_a_boundary_without_an_envelope_may_leave_exceptions_to_the_framework() -> None:
    clause = "except SoldOut as error:\n    return {'error': str(error)}"
    settings = ENVELOPE.replace('envelope = { error = "{message}" }\n', "")
    assert astray(around(clause), settings, "ERR211") == []


def test_the_root_may_be_one_of_a_library() -> None:
    texts = around("except Refused as error:  # error: does not catch what nobody expects\n    return {'error': 'no'}")
    texts = {path: f"from kit.errors import Refused, Late\n{text}" for path, text in texts.items()}
    settings = ENVELOPE.replace("errors.ShopError", "kit.errors.Refused")
    assert astray(texts, settings, "ERR211") == []
    late = {path: text.replace("Refused as", "Late as") for path, text in texts.items()}
    late = {path: text.replace("what nobody expects", "every `Refused`") for path, text in late.items()}
    assert astray(late, settings, "ERR211") == []


def test_only_the_try_around_the_tool_is_looked_at() -> None:
    text = (
        "def boundary(function):\n    @functools.wraps(function)\n    def wrapper(*args, **kwargs):\n"
        "        try:\n            tidy_up()\n        except Exception:\n            return {'error': 'no'}\n"
        "        try:\n            return function(*args, **kwargs)\n"
        f"        except ShopError:  # error: {LACKS_REST}\n"
        f"            return {{'error': 'no'}}\n\n    return wrapper\n"
    )
    assert astray({"errors.py": HEAD + text}, ENVELOPE, "ERR211") == []


def test_what_is_suppressed_is_no_clause() -> None:
    text = (
        "def boundary(function):\n    @functools.wraps(function)\n    def wrapper(*args, **kwargs):\n"
        "        with suppress(ShopError):\n            return function(*args, **kwargs)\n\n    return wrapper\n"
    )
    assert astray({"errors.py": f"from contextlib import suppress\n{HEAD}{text}"}, ENVELOPE, "ERR211") == []


def test_a_try_around_something_else_leaves_nothing_to_anybody() -> None:
    text = (
        "def boundary(function):\n    @functools.wraps(function)\n    def wrapper(*args, **kwargs):\n"
        "        try:\n            found = looked_up(args)\n"
        "        except KeyError:\n            return {'error': 'no'}\n"
        "        return function(found)\n\n    return wrapper\n"
    )
    assert astray({"errors.py": HEAD + text}, ENVELOPE, "ERR211") == []


# --- what is answered -------------------------------------------------------------------------------------------------

FULL = (
    f'{CONVERTS}envelope = {{ error = "{{message}}", code = "*", result = "empty_result" }}\nempty-result = "empty"\n'
)
FULL = FULL.replace("logs = true\n", "")
NO_FIELDS = "answers without the fields of the tool, which `empty` has"
CONVERTED = """\
def to_answer(error, empty):
    if isinstance(error, ShopError):
        return {answer}{mark}
    return {{"error": "internal error", "code": "internal", **empty}}
"""
ANSWERS = {
    "all of it": ("{**empty, 'error': str(error), 'code': error.code}", ""),
    "a copy of the fields by dict": ("{**dict(empty), 'error': str(error), 'code': error.code}", ""),
    "a copy of the fields by a method": ("{**empty.copy(), 'error': str(error), 'code': error.code}", ""),
    "a deep copy of the fields": ("{**deepcopy(empty), 'error': str(error), 'code': error.code}", ""),
    "its fields beside the others": ("{'error': str(error), 'code': error.code, 'books': []}", ""),
    "the field of its result": ("{'error': str(error), 'code': error.code, 'result': []}", ""),
    "something else that is spread": ("{**extra, 'error': str(error)}", ""),
    "a copy of something else": ("{**dict(extra), 'error': str(error)}", ""),
    "what a call returns, spread": ("{**defaults(), 'error': str(error)}", ""),
    "keys that only the run knows": ("{NAME: 1, 'error': str(error)}", ""),
    "no dict": ("answered(error)", ""),
    "no code": ("{**empty, 'error': str(error)}", "answers without `code`, which its envelope has"),
    "no code beside a copy": ("{**dict(empty), 'error': str(error)}", "answers without `code`"),
    "no code beside a deep copy": ("{**deepcopy(empty), 'error': str(error)}", "answers without `code`"),
    "no code beside a copy by a method": ("{**empty.copy(), 'error': str(error)}", "answers without `code`"),
    "two keys less": ("{**empty}", "answers without `error`, `code`, which its envelope has"),
    "no fields": ("{'error': str(error), 'code': error.code}", NO_FIELDS),
    "a code as the message": (
        "{**empty, 'error': error.code, 'code': error.code}",
        "fills `error` with `code` where the message belongs",
    ),
    "the value of a code as the message": (
        "{**empty, 'error': error.code.value, 'code': error.code}",
        "fills `error` with `code` where the message belongs",
    ),
    "an entry as the message": (
        "{**empty, 'error': error.problem['status'], 'code': error.code}",
        "fills `error` with `status` where the message belongs",
    ),
    "another entry as the message": ("{**empty, 'error': error.problem['detail'], 'code': error.code}", ""),
    "true as the message": ("{**empty, 'error': True, 'code': error.code}", "fills `error` with `True`"),
    "nothing as the message": ("{**empty, 'error': None, 'code': error.code}", "fills `error` with `None`"),
    "a text as the message": ("{**empty, 'error': 'refused', 'code': error.code}", ""),
    "a number as the message": ("{**empty, 'error': 7, 'code': error.code}", ""),
    "another attribute as the message": ("{**empty, 'error': error.text, 'code': error.code}", ""),
    "nothing as the code": ("{**empty, 'error': str(error), 'code': None}", ""),
}


@pytest.mark.parametrize(("answer", "said"), ANSWERS.values(), ids=ANSWERS)
def test_a_converter_answers(answer: str, said: str) -> None:
    before = CONVERTED.format(answer=answer, mark=f"  # error: {said}" if said else "")
    clause = "except Exception as error:\n    return to_answer(error, empty)"
    assert astray(around(clause, before), FULL, "ERR211") == []


def test_fields_of_the_tool_have_the_name_of_the_filler_where_the_decorator_is_given_none() -> None:
    settings = FULL.replace('empty-result = "empty"\n', "")
    answer = "{'error': str(error), 'code': error.code}"
    mark = "  # error: answers without the fields of the tool, which `empty_result` has"
    before = CONVERTED.format(answer=answer, mark=mark).replace("**empty", "**empty_result")
    before = before.replace("error, empty", "error, empty_result")
    clause = "except Exception as error:\n    return to_answer(error, empty)"
    assert astray(around(clause, before), settings, "ERR211") == []


def test_the_answers_of_clauses_have_the_envelope_too_and_what_the_tool_answers_has_not() -> None:
    clauses = (
        "except ShopError as error:\n    return {**empty, 'error': str(error)}  # error: answers without `code`\n"
        "except Exception:\n    return {**empty, 'error': 'internal error', 'code': 'internal'}"
    )
    text = around(clauses)["errors.py"]
    told = text.replace("return await function(*args, **kwargs)", "return {'data': await function(*args, **kwargs)}")
    assert told != text
    assert astray({"errors.py": told}, FULL, "ERR211") == []


def test_fields_that_are_set_again_are_still_those_of_the_tool() -> None:
    before = (
        "def to_answer(error, empty):\n    if not empty:\n        empty = {}\n"
        "    return {**empty, 'error': str(error)}  # error: answers without `code`, which its envelope has\n"
    )
    clause = "except Exception as error:\n    return to_answer(error, empty)"
    assert astray(around(clause, before), FULL, "ERR211") == []


def test_the_message_is_told_where_it_is_stored() -> None:
    before = (
        "def to_answer(error, empty):\n    if isinstance(error, ShopError):\n"
        "        answer = {**empty, 'code': error.code}\n"
        "        answer['error'] = error.code  # error: fills `error` with `code`\n        return answer\n"
        "    return {**empty, 'error': 'internal error', 'code': 'internal'}\n"
    )
    clause = "except Exception as error:\n    return to_answer(error, empty)"
    assert astray(around(clause, before), FULL, "ERR211") == []


# --- what is told of an exception -------------------------------------------------------------------------------------

TOLD = "answers what nobody expected with its text"
LEAKS = {
    "a text with the exception in it": f"return {{'error': f'failed: {{error}}'}}  # error: {TOLD}",
    "the exception as a text": f"return {{'error': str(error)}}  # error: {TOLD}",
    "a name for its text": f"text = str(error)  # error: {TOLD}\n    return {{'error': text}}",
    "a name for a name for its text": (
        f"text = str(error)  # error: {TOLD}\n    answer = {{'error': text}}\n    return answer"
    ),
    "a text of its own": "text = str(error)\n    return {'error': 'internal error'}",
    "another name": "text = str(error)\n    other = 'internal error'\n    return {'error': other}",
    "a raise": "raise KeyError(str(error))",
    "its class alone": "return {'error': type(error).__name__}",
}


@pytest.mark.parametrize("body", LEAKS.values(), ids=LEAKS)
def test_a_converter_answers_what_nobody_expected_with(body: str) -> None:
    before = (
        f"def to_answer(error):\n    if isinstance(error, ShopError):\n"
        f"        return {{'error': str(error)}}\n    {body}\n"
    )
    clause = "except Exception as error:\n    return to_answer(error)"
    assert astray(around(clause, before), CONVERTS.replace("logs = true\n", ""), "ERR211") == []


def test_a_converter_that_does_not_tell_exceptions_apart_may_be_given_known_ones_alone() -> None:
    before = "def to_answer(error):\n    if isinstance(error, Exception):\n        return {'error': str(error)}\n"
    clause = "except Exception as error:\n    return to_answer(error)"
    assert astray(around(clause, before), CONVERTS.replace("logs = true\n", ""), "ERR211") == []


def test_only_functions_that_the_policy_names_are_converters() -> None:
    before = "def to_answer(error):\n    if isinstance(error, ShopError):\n        return {'error': str(error)}\n"
    leak = f"    return {{'error': str(error)}}{'{mark}'}\n"
    clause = "except Exception as error:\n    return to_answer(error)"
    settings = CONVERTS.replace("logs = true\n", "")
    named = before + leak.replace("{mark}", f"  # error: {TOLD}")
    assert astray(around(clause, named), settings, "ERR211") == []
    others = {"answers.py": f"from errors import ShopError\n\n\n{before}{leak.replace('{mark}', '')}"}
    assert astray({**around(clause, named), **others}, settings, "ERR211") == []
    assert (
        astray(around(clause, before + leak.replace("{mark}", "")), settings.replace("to_answer", "other"), "ERR211")
        == []
    )


def test_converters_are_those_of_the_same_distribution() -> None:
    leaking = (
        "def to_answer(error):\n    if isinstance(error, ShopError):\n        return {'error': str(error)}\n"
        "    return {'error': str(error)}\n"
    )
    texts = {
        **around("except Exception as error:\n    return to_answer(error)"),
        "kit/answers.py": f"from kit.errors import ShopError\n\n\n{leaking}",
    }
    settings = CONVERTS.replace("errors.to_answer", "*.to_answer").replace("logs = true\n", "")
    apart = project_of(texts, settings, rules=("ERR211",), distributions=["", "kit"])
    assert [*apart.duties.of("kit/answers.py")] == []
    together = project_of(texts, settings, rules=("ERR211",))
    assert [fault.span.line for fault in together.duties.of("kit/answers.py")] == [7]
