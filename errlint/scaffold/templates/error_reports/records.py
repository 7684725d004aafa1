"""The record of an error, as an orchestrator reads it, and the file of a grave one."""

from __future__ import annotations

import json
import logging
import os
import platform
import time
import traceback
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TypedDict

from ..shared.redaction import redacted, redacted_text
from .exceptions import ReportedError
from .taxonomy import Severity

LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True)
class Run:
    """A run of the workflow: its name, its phase, and the folder of all runs."""

    run_id: str
    phase: int = 0
    folder: Path = Path("runs")


CURRENT_RUN: ContextVar[Run] = ContextVar("CURRENT_RUN")
"""The run that errors are reported for; set it where a run, or a phase, begins."""

_STARTED = Run(
    run_id=time.strftime(f"{__name__.partition('.')[0]}_%Y%m%d_%H%M%S", time.gmtime()),
    folder=Path(os.environ.get("RUNS_FOLDER", "runs")),
)
_NUMBERS = count(1)


class ErrorRecord(TypedDict):
    """What is told of an error."""

    type: str
    severity: str
    phase: int
    agent: str
    message: str
    recovery: str
    context: dict[str, object]
    timestamp: str
    run_id: str


def current_run() -> Run:
    """Return the run that errors are reported for: by default that of this process."""
    return CURRENT_RUN.get(_STARTED)


def record_of(error: ReportedError, agent: str) -> ErrorRecord:
    """Return the record of an error, without secrets."""
    run = current_run()
    return {
        "type": error.error_type.value,
        "severity": error.severity.value,
        "phase": run.phase,
        "agent": agent,
        "message": redacted_text(error.message),
        "recovery": error.recovery.value,
        "context": redacted(error.context),
        "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "run_id": run.run_id,
    }


def write_error_file(record: ErrorRecord, exc: Exception) -> Path | None:
    """Keep the record of a grave error with its stack; return the file, if any."""
    if record["severity"] not in (Severity.ERROR.value, Severity.CRITICAL.value):
        return None
    errors = current_run().folder / record["run_id"] / "errors"
    path = errors / f"phase_{record['phase']}_error_{next(_NUMBERS):03}.json"
    whole = {
        "error": record,
        "stacktrace": redacted_text(
            "".join(traceback.format_exception(type(exc), exc, exc.__traceback__))
        ),
        "system_info": {
            "python_version": platform.python_version(),
            "os": platform.platform(),
        },
    }
    try:
        errors.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(whole, indent=2, default=repr), encoding="utf-8")
    except OSError:
        LOGGER.exception(
            "The error file cannot be written",
            extra={
                "error_type": record["type"],
                "recovery": record["recovery"],
                "path": str(path),
            },
        )
        return None
    return path
