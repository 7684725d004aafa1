"""Log calls: which calls are some, at which level, and with which fields."""

from __future__ import annotations

from textwrap import indent

import pytest
from judged_texts import astray

SETTINGS = '[logs]\nfields = ["operation", "code"]\n\n[logs.methods]\nwarning = ["warning"]\nerror = ["error"]\n'
HEAD = """\
import logging

import structlog
from loguru import logger as lines
from structlog.contextvars import bound_contextvars

from kit import diary, with_fields

logger = logging.getLogger(__name__)
LEVEL = logging.ERROR
bound_log = structlog.get_logger("shop", operation="find")
own_log = bound_log.bind(code="gone")
odd_log = 1
odd_log = odd_log.bind(code="gone")


"""
BARE = "  # error: is logged without `operation`, `code`; pass what the policy asks for as fields"
HALF = "  # error: this error is logged without `code`;"
BOTH = "operation='find', code='gone'"


def logs(body: str, settings: str = SETTINGS) -> list[str]:
    """Return how the findings of a function with this body differ from its marks."""
    text = f"{HEAD}def find(self, title, details, level, error):\n{indent(body, '    ')}\n"
    return astray({"shop.py": text}, settings, "ERR405")


CALLS = {
    "error": f"logger.error('no'){BARE}",
    "exception": f"logger.exception('no'){BARE}",
    "critical": f"logger.critical('no'){BARE.replace('is logged', 'critical is logged')}",
    "fatal": f"logger.fatal('no'){BARE.replace('is logged', 'critical is logged')}",
    "a lower level": "logger.info('no')",
    "a warning that catches nothing": "logger.warning('no')",
    "log with a level": f"logger.log(logging.ERROR, 'no'){BARE}",
    "log with a lower level": "logger.log(logging.INFO, 'no')",
    "log with a level that only the run knows": "logger.log(level, 'no')",
    "log with a number": "logger.log(40, 'no')",
    "log with nothing": "logger.log()",
    "log with another attribute": "logger.log(details.kind, 'no')",
    "an attribute that is a logger": f"self.log.error('no'){BARE}",
    "an attribute that is called a logger": f"self._logger.error('no'){BARE}",
    "a module": f"logging.error('no'){BARE}",
    "a logger that is made on the spot": f"logging.getLogger('shop').error('no'){BARE}",
    "a logger that is made in another way": f"structlog.get_logger().error('no'){BARE}",
    "what is no logger": "diary.error('no')",
    "what is made of something": "diary.page('shop').error('no')",
    "a client": "self.context.error('no')",
    "a function, in a context": "with bound_contextvars(operation='find'):\n    error('no')",
    "another method": "logger.setLevel(logging.ERROR)",
}
FIELDS = {
    "keywords": f"logger.error('no', {BOTH})",
    "one keyword": f"logger.error('no', operation='find'){HALF}",
    "extra": "logger.error('no', extra={'operation': 'find', 'code': 'gone'})",
    "a short extra": f"logger.error('no', extra={{'operation': 'find'}}){HALF}",
    "an extra that cannot be seen": "logger.error('no', extra=details)",
    "an extra with others in it": "logger.error('no', extra={'operation': 'find', **details})",
    "keywords that are spread": "logger.error('no', **{'operation': 'find', 'code': 'gone'})",
    "short keywords that are spread": f"logger.error('no', **{{'operation': 'find'}}){HALF}",
    "keywords that are spread and cannot be seen": "logger.error('no', **details)",
    "keywords that are spread with others in them": "logger.error('no', **{'operation': 'find', **details})",
    "arguments that cannot be seen": "logger.error(*details)",
    "a dict of its own": "logger.error('no', {'operation': 'find', 'code': 'gone'})",
    "a short dict of its own": f"logger.error('no', {{'operation': 'find'}}){HALF}",
    "what is no field": f"logger.error('no', exc_info=True, stack_info=True, stacklevel=2){BARE}",
    "a logger that is bound": f"logger.bind({BOTH}).error('no')",
    "a logger that is bound to one": f"logger.bind(operation='find').error('no'){HALF}",
    "a logger that is bound to what cannot be seen": "logger.bind(**details).error('no')",
    "a name for one that is bound": f"own = lines.bind({BOTH})\nown.error('no')",
    "a name for one that is bound to one": f"own = lines.bind(operation='find')\nown.error('no'){HALF}",
    "a logger that is bound twice": "logger.bind(operation='find').bind(code='gone').error('no')",
    "a logger that is made with fields": f"structlog.get_logger({BOTH}).error('no')",
    "a logger that is made with one field": f"structlog.get_logger(operation='find').error('no'){HALF}",
    "a name for a logger that is made with fields": f"own = structlog.get_logger({BOTH})\nown.error('no')",
    "a logger that the module makes with one field": f"bound_log.error('no'){HALF}",
    "a logger that the module binds to another field": "own_log.error('no')",
    "a logger that the module binds to a name of its own": (f"odd_log.error('no'){HALF.replace('code', 'operation')}"),
    "a logger that the module binds, and the call": "bound_log.bind(code='gone').error('no')",
    "a name for a logger that is made with another name": (
        f"own = logging.getLogger(operation='find')\nown.error('no'){BARE}"
    ),
    "both": "logger.bind(operation='find').error('no', code='gone')",
    "a name for a logger that is made": f"own = logging.getLogger('shop')\nown.error('no'){BARE}",
    "a name for something else": "own = diary.page('shop')\nown.error('no')",
    "a context of all": f"with bound_contextvars({BOTH}):\n    logger.error('no')",
    "a context of all with one": f"with bound_contextvars(operation='find'):\n    logger.error('no'){HALF}",
    "a context of one logger": f"with with_fields(logger, {BOTH}) as own:\n    own.error('no')",
    "a context of another logger": f"with with_fields(logger, {BOTH}) as own:\n    logger.error('no'){BARE}",
    "a context in which another logger is bound": (
        f"with with_fields(logger, {BOTH}) as own:\n    other = logger.bind(request=title)\n    own.error('no')"
    ),
    "what something else is called with": f"diary.page({BOTH})\nlogger.error('no'){BARE}",
    "a context that cannot be seen": "with with_fields(logger, **details) as own:\n    own.error('no')",
    "a context that gives a name that is no logger": (
        f"with with_fields(diary, operation='find') as page:\n    page.error('no'){HALF}"
    ),
    "a context that is entered again": (
        f"with with_fields(logger, {BOTH}) as own:\n    own.error('no')\n"
        f"with with_fields(logger, operation='find') as own:\n    own.error('no'){HALF}"
    ),
    "a context that is entered later": (
        f"with with_fields(logger, operation='find') as own:\n    own.error('no'){HALF}\n"
        f"with with_fields(logger, {BOTH}) as own:\n    own.error('no')"
    ),
}
CAUGHT = {
    "a warning with the exception": f"logger.warning('no: %s', error){BARE.replace('is logged', 'warning is logged')}",
    "a warning with a part of it": f"logger.warning(error.code){BARE.replace('is logged', 'warning is logged')}",
    "a warning with its text": f"logger.warning(f'no: {{error}}'){BARE.replace('is logged', 'warning is logged')}",
    "a warning with it as a field": (
        "logger.warning('no', cause=error)" + BARE.replace("is logged", "warning is logged")
    ),
    "a warning of something else": "logger.warning('no: %s', title)",
    "a warning with an entry of something": "logger.warning('no: %s', details['error'])",
    "a level that the policy does not have for errors": "logger.info('no: %s', error)",
    "the level of the exception": f"logger.log(error.log_level, 'no'){BARE}",
    "a level that is handed in, with the exception": "logger.log(level, 'no: %s', error)",
    "an attribute that is no level, with the exception": "logger.log(details.kind, 'no: %s', error)",
    "the level of something else": "logger.log(details.log_level, 'no')",
    "the level of something else, with the exception": f"logger.log(details.level, 'no: %s', error){BARE}",
}


@pytest.mark.parametrize("body", CALLS.values(), ids=CALLS)
def test_an_error_is_logged_by(body: str) -> None:
    assert logs(body) == []


@pytest.mark.parametrize("body", FIELDS.values(), ids=FIELDS)
def test_fields_are_given_by(body: str) -> None:
    assert logs(body) == []


@pytest.mark.parametrize("call", CAUGHT.values(), ids=CAUGHT)
def test_what_is_caught_is_logged_by(call: str) -> None:
    assert logs(f"try:\n    return details.find(title)\nexcept KeyError as error:\n    {call}") == []
