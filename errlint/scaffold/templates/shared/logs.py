"""The structured log: a line of JSON for each record, without secrets."""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import TextIO

from .redaction import redacted

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "color_message",
}
"""Attributes of every record; the others are what a call has given as ``extra``."""


class JsonFormatter(logging.Formatter):
    """Formats a record as JSON: time, level, logger, message, fields, stack."""

    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def __init__(self) -> None:
        super().__init__()
        self.converter = time.gmtime

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; what JSON cannot hold is written as its ``repr``."""
        line: dict[str, object] = {
            "timestamp": self.formatTime(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        line.update(
            (key, value) for key, value in vars(record).items() if key not in _STANDARD
        )
        if record.exc_info:
            line["stack"] = self.formatException(record.exc_info)
        return json.dumps(redacted(line), default=repr)


def configure_logging(level: int = logging.INFO, stream: TextIO | None = None) -> None:
    """Let the root logger write JSON to the standard error: MCP may use the output."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=level, handlers=[handler], force=True)
