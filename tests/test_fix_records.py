"""What the fixes of rules about records, log calls, fields and comments leave to people, and where they look."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_fix_rules import FIELD_ERRORS, FIELDS, HEAD, RECORD, RECORDS, Project, doubts

REPORT = 'def read({0}):\n    return {{"error": {{"type": "SecretLeakage", "severity": {1}, "recovery": "skip"}}}}\n'


def test_each_function_gets_what_goes_with_its_own_type(tmp_path: Path) -> None:
    before = REPORT.format("url", '"critical"') + "\n\n" + REPORT.replace("read", "look").format("url", '"critical"')
    before = before.replace('"SecretLeakage"', '"ParsingError"', 1).replace('"critical"', '"error"', 1)
    fixed = Project(tmp_path, RECORDS, server=before).fixed("ERR309")
    first, second = before.split("\n\n\n")
    assert fixed == f"{first}\n\n\n" + second.replace('"recovery": "skip"', '"recovery": "abort"')


def test_a_severity_that_is_written_elsewhere_is_left_to_people(tmp_path: Path) -> None:
    server = 'LEVEL = "warning"\n\n\n' + REPORT.format("url", "LEVEL")
    found = Project(tmp_path, RECORDS, server=server).fixes("ERR309")
    assert (found.contents, doubts(found)) == ({}, ["`severity` is no constant that is written here"])


UNSAID = {
    "a field of which nothing is known": ('"phase": 2, ', "nothing says what `phase` of the record is"),
    "the agent": ('"agent": "reader", ', "nothing says what `agent` of the record is"),
}


@pytest.mark.parametrize(("part", "reason"), UNSAID.values(), ids=UNSAID)
def test_a_record_with_a_severity_is_left_without(tmp_path: Path, part: str, reason: str) -> None:
    server = f"def read(url, run_id):\n    return {RECORD.replace(part, '').replace('now()', 'url')}\n"
    assert doubts(Project(tmp_path, RECORDS, server=server).fixes("ERR403")) == [reason]


NOT_KNOWN = "nothing says how `{}` takes fields: no other call of it in this file has some"
LOGGING = (
    '\n\ndef read(url):\n    {}.error("no")\n    return {{"error": {{"type": "ParsingError", "recovery": "skip"}}}}\n'
)

UNKNOWN_LOGGERS = {
    "beside one that is known": ("import structlog\nfrom shop import log\n\nother = structlog.get_logger()\n", "log"),
    "that is made by nobody knows what": ("from shop import made\n\nlog = made()\n", "log"),
    "that has no name": ("from shop import get_logger\n", 'get_logger("shop")'),
}


@pytest.mark.parametrize(("head", "logger"), UNKNOWN_LOGGERS.values(), ids=UNKNOWN_LOGGERS)
def test_a_log_call_is_left_of_a_logger(tmp_path: Path, head: str, logger: str) -> None:
    found = Project(tmp_path, RECORDS, server=head + LOGGING.format(logger)).fixes("ERR405")
    assert (found.contents, doubts(found)) == ({}, [NOT_KNOWN.format(logger)])


def test_a_log_call_of_a_logger_is_filled_that_is_made_beside_another_one(tmp_path: Path) -> None:
    head = "import structlog\nfrom shop import made\n\nother = made()\nlog = structlog.get_logger()\n"
    server = head + LOGGING.format("log")
    fixed = Project(tmp_path, RECORDS, server=server).fixed("ERR405")
    assert fixed == server.replace('log.error("no"', 'log.error("no", error_type="ParsingError", recovery="skip"')


FIELDS_OF_LOG = FIELDS.replace(
    "[[tool.errlint.boundary]]", '[tool.errlint]\nstyle = "log"\n[[tool.errlint.boundary]]', 1
)
RAISING = 'def read(path):\n    if not path:\n        raise ShopError("no path"{})\n    return path\n'


def test_an_exception_gets_its_fields_where_errors_are_logged_too(tmp_path: Path) -> None:
    project = Project(tmp_path, FIELDS_OF_LOG, server=HEAD + RAISING.format(""), errors=FIELD_ERRORS)
    assert project.fixed("ERR403") == HEAD + RAISING.format(", path=path")


def test_an_idle_suppression_goes_and_no_comment_elsewhere(tmp_path: Path) -> None:
    before = "# What the shop sells, and how many of each it has left on the shelves today, at most.\nX = 1{}\n"
    project = Project(tmp_path, server=before.format("  # errlint: ignore[ERR101]"))
    assert project.fixed("ERR1", "ERR901", unsafe=False) == before.format("")


HANDLING = """\
import logging

logger = logging.getLogger()


def read(url):
    try:
        load(url)
    except OSError as e:
        logger.error("no page"{})
        return {}
    return urls
"""

ANSWERED = {
    "an error": '{"error": f"no {e}"}',
    "a list of one error": '[{"error": f"no {e}"}]',
    "the text of an error": 'f"Error: no {e}"',
    "a list of the text of an error": '[f"Error: no {e}"]',
}


@pytest.mark.parametrize("answer", ANSWERED.values(), ids=ANSWERED)
def test_work_goes_on_behind_a_log_call_that_is_followed_by(tmp_path: Path, answer: str) -> None:
    fixed = Project(tmp_path, RECORDS, server=HANDLING.format("", answer)).fixed("ERR405")
    added = ',\n            extra={"error_type": type(e).__name__, "recovery": "skip"},\n        '
    assert "".join(fixed.split()) == "".join(HANDLING.format(added, answer).split()).replace('("nopage"', '("nopage"')


OTHER_ANSWERS = {
    "what was found": "[url, e]",
    "the text of an error, and more": '[f"Error: no {e}", load(url)]',
    "a call": "load(url)",
}


@pytest.mark.parametrize("answer", OTHER_ANSWERS.values(), ids=OTHER_ANSWERS)
def test_it_is_left_to_people_what_is_done_where_a_log_call_is_followed_by(tmp_path: Path, answer: str) -> None:
    found = Project(tmp_path, RECORDS, server=HANDLING.format("", answer)).fixes("ERR405")
    assert (found.contents, doubts(found)) == ({}, ["nothing says what `recovery` of the record is"])
