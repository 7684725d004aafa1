"""The errors of this server: typed exceptions, and records of them with severity and recovery for an orchestrator."""

from .boundary import report, reported
from .exceptions import InvalidInputError, OperationFailedError, ReportedError
from .middleware import ErrorAnswers
from .records import CURRENT_RUN, ErrorRecord, Run, current_run
from .taxonomy import RECOVERIES, ErrorType, Recovery, Severity

__all__ = [
    "CURRENT_RUN",
    "RECOVERIES",
    "ErrorAnswers",
    "ErrorRecord",
    "ErrorType",
    "InvalidInputError",
    "OperationFailedError",
    "Recovery",
    "ReportedError",
    "Run",
    "Severity",
    "current_run",
    "report",
    "reported",
]
