"""The level at which an exception is logged by its status, and that which its class says."""

from __future__ import annotations

from textwrap import indent

import pytest
from judged_texts import findings

CONFIG = """\
[exceptions]
root = ["BookError"]

[codes.status]
FileNotFoundError = 404

[logs]
methods = { warning = ["warning", "warn"], error = ["error"] }
by-status = { 404 = "error", 4xx = "warning", 5xx = "error" }

[[boundary]]
decorator = "errors.boundary"
converters = ["errors.to_answer"]
"""

HEAD = """\
import logging

from others import OtherError

logger = logging.getLogger(__name__)


class BookError(Exception):
    http_status = 400


class LostError(BookError):
    http_status = 404


class LateError(BookError):
    http_status = 408


class StoreError(BookError):
    http_status = 500


class OddError(BookError):
    http_status = 300


class PlainError(Exception):
    pass


def boundary(function):
    def wrapper(*args):
        try:
            return function(*args)
        except Exception as error:
            return to_answer(error)

    return wrapper


def to_answer(error):
"""


def told(body: str, config: str = CONFIG) -> list[str]:
    text = f"{HEAD}{indent(body, '    ')}\n    return {{'error': 'failed'}}\n"
    return [each.message.partition(";")[0] for each in findings({"errors.py": text}, config, rules=["ERR406"])]


def asked(name: str, log: str) -> str:
    return f"if isinstance(error, {name}):\n    {log}"


MISFITS = {
    "a class": (asked("LateError", "logger.error('no')"), ["`LateError` has status 408, and is logged with `error`"]),
    "a class by its own status": (
        asked("LostError", "logger.warning('no')"),
        ["`LostError` has status 404, and is logged with `warning`"],
    ),
    "a class of failures": (
        asked("StoreError", "logger.warning('no')"),
        ["`StoreError` has status 500, and is logged with `warning`"],
    ),
    "one of two classes": (
        asked("(LostError, LateError)", "logger.error('no')"),
        ["`LateError` has status 408, and is logged with `error`"],
    ),
    "a class of Python": (
        asked("FileNotFoundError", "logger.warning('no')"),
        ["`FileNotFoundError` has status 404, and is logged with `warning`"],
    ),
    "a level that is named": (
        asked("LateError", "logger.log(logging.ERROR, 'no')"),
        ["`LateError` has status 408, and is logged with `log`"],
    ),
    "what nobody expected": (
        asked("LateError", "logger.warning('no')") + "\nelse:\n    logger.warning('no')",
        ["what nobody expected, and is logged with `warning`"],
    ),
    "a class twice": (
        asked("LateError", "logger.error('no')\n    logger.error('no')"),
        ["`LateError` has status 408, and is logged with `error`"] * 2,
    ),
}


@pytest.mark.parametrize(("body", "said"), MISFITS.values(), ids=MISFITS)
def test_a_level_does_not_go_with_the_status_of(body: str, said: list[str]) -> None:
    assert told(body) == said


FITTING = {
    "a class": asked("LateError", "logger.warning('no')"),
    "a class by the second of two methods": asked("LateError", "logger.warn('no')"),
    "a class by its own status": asked("LostError", "logger.error('no')"),
    "a class with a traceback": asked("StoreError", "logger.exception('no')"),
    "a class of whose status nothing is asked": asked("OddError", "logger.error('no')"),
    "a class of another library": asked("OtherError", "logger.error('no')"),
    "a class of Python without a status": asked("ValueError", "logger.warning('no')"),
    "a class without a status": asked("PlainError", "logger.error('no')"),
    "a level that is computed": asked("LateError", "logger.log(error.level, 'no')"),
    "a level that is named": asked("LateError", "logger.log(logging.WARNING, 'no')"),
    "a condition that is another one": asked("LateError", "if error.deep:\n        logger.error('no')"),
    "no class": "logger.warning('no')",
    "something else than a log": asked("LateError", "shelf.error('no')"),
}


@pytest.mark.parametrize("body", FITTING.values(), ids=FITTING)
def test_a_level_goes_with_the_status_of(body: str) -> None:
    assert told(body) == []


def test_levels_are_not_asked_for_where_the_policy_says_nothing_of_statuses_or_methods() -> None:
    body = asked("LateError", "logger.error('no')")
    assert told(body, CONFIG.replace("by-status", "# by-status")) == []
    assert told(body, CONFIG.replace("methods", "# methods")) == []


CLASSES = {
    "a level that does not go with its status": ("http_status = 408\n    log_level = logging.ERROR", "`AError` has", 5),
    "a level by another name": ("http_status = 408\n    loglevel = logging.ERROR", "`AError` has", 5),
    "a level that its constructor hands on": (
        "http_status = 500\n\n    def __init__(self):\n        super().__init__('no', log_level=logging.INFO)",
        "`AError` has",
        7,
    ),
    "a level that goes with its status": ("http_status = 408\n    log_level = logging.WARNING", "", 0),
    "a level of a status of which nothing is asked": ("http_status = 300\n    log_level = logging.ERROR", "", 0),
    "a level without a status": ("log_level = logging.ERROR", "", 0),
    "a level that is a number": ("http_status = 408\n    log_level = 40", "", 0),
    "a level that is no level": ("http_status = 408\n    log_level = logging.OTHER", "", 0),
    "another field": ("http_status = 408\n    level = logging.ERROR", "", 0),
}


@pytest.mark.parametrize(("body", "said", "line"), CLASSES.values(), ids=CLASSES)
def test_a_class_says(body: str, said: str, line: int) -> None:
    text = f"import logging\nfrom shop import BookError\n\n\nclass AError(BookError):\n    {body}\n"
    base = "class BookError(Exception):\n    def __init__(self, text, log_level=None):\n        self.text = text\n"
    texts = {"shop.py": base, "errors.py": text}
    found = findings(texts, CONFIG.replace('"errors.boundary"', '"shop.boundary"'), rules=["ERR406"])
    assert [each.span.line for each in found] == ([line + 2] if line else [])
    assert all(each.message.startswith(said) for each in found)


def test_a_class_that_is_no_domain_exception_has_whatever_level() -> None:
    text = "import logging\n\n\nclass AError(Exception):\n    http_status = 408\n    log_level = logging.ERROR\n"
    assert findings({"errors.py": text}, CONFIG, rules=["ERR406"]) == []
