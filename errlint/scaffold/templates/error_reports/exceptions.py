"""What agents raise; the boundary makes the record of it."""

from __future__ import annotations

from collections.abc import Mapping

from .taxonomy import RECOVERIES, SEVERITIES, ErrorType, Recovery, Severity


class ReportedError(Exception):
    """Base of what is reported: a message, a type, a severity with its recovery, and a context.

    A type with one severity has that, whatever is given; a recovery that the severity does not go with gives way to one
    that it does.
    """

    error_type = ErrorType.OPERATION_FAILED

    def __init__(
        self,
        message: str,
        *,
        error_type: ErrorType | None = None,
        severity: Severity = Severity.ERROR,
        recovery: Recovery | None = None,
        context: Mapping[str, object] | None = None,
        cause: Exception | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.error_type = error_type or type(self).error_type
        self.severity = SEVERITIES.get(self.error_type, severity)
        legal = RECOVERIES[self.severity]
        self.recovery = recovery if recovery in legal else legal[0]
        self.context = dict(context or {})
        if cause is not None:
            self.__cause__ = cause


class InvalidInputError(ReportedError):
    """What an agent was given is wrong."""

    error_type = ErrorType.INVALID_INPUT


class OperationFailedError(ReportedError):
    """The work itself failed."""

    error_type = ErrorType.OPERATION_FAILED
