"""The exceptions that tools raise; :mod:`.middleware` answers them as errors of JSON-RPC.

Hints are the better the closer they are to the case: those of the classes are for where nothing more is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .codes import ErrorCode

INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603


class MCPToolError(Exception):
    """Base of the three: a message, a code, hints that say what to do, and a context with the ``request_id``.

    The middleware fills in a ``request_id`` that the context does not have.
    """

    error_code = ErrorCode.EXECUTION_ERROR
    json_rpc_code = INTERNAL_ERROR

    def __init__(
        self,
        message: str,
        *,
        hints: Sequence[str],
        context: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hints = list(hints)
        self.context = dict(context or {})

    def fields(self) -> dict[str, object]:
        """Return what only this class of errors tells."""
        return {}

    def to_data(self) -> dict[str, object]:
        """Return what an agent is told of the error."""
        return {
            "message": self.message,
            "error_type": type(self).__name__,
            "error_code": self.error_code.value,
            **self.fields(),
            "hints": self.hints,
            "context": self.context,
        }


class MCPValidationError(MCPToolError):
    """Parameters are wrong, or what they hold; ``validation_errors`` say which (the message, where none are given)."""

    error_code = ErrorCode.VALIDATION_ERROR
    json_rpc_code = INVALID_PARAMS

    def __init__(
        self,
        message: str,
        *,
        validation_errors: Sequence[str] = (),
        hints: Sequence[str] = (
            "Check the parameters against the schema of the tool, and call it again",
        ),
        context: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message, hints=hints, context=context)
        self.validation_errors = list(validation_errors or [message])

    def fields(self) -> dict[str, object]:
        """Return the errors of validation."""
        return {"validation_errors": self.validation_errors}


class MCPSelectorError(MCPToolError):
    """A selector names nothing, several things (``candidates``), or is malformed (``error`` says which)."""

    error_code = ErrorCode.SELECTOR_ERROR
    json_rpc_code = INVALID_PARAMS

    def __init__(
        self,
        message: str,
        *,
        selector: str,
        error: str,
        candidates: Sequence[object] = (),
        hints: Sequence[str] = (
            "Check the spelling of the selector, or list what there is",
        ),
        context: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message, hints=hints, context=context)
        self.selector = selector
        self.error = error
        self.candidates = list(candidates)

    def fields(self) -> dict[str, object]:
        """Return the selector, what is wrong with it, and what it may have meant."""
        return {
            "selector": self.selector,
            "error": self.error,
            "candidates": self.candidates,
        }


class MCPExecutionError(MCPToolError):
    """The work itself failed: ``operation`` is the tool, ``original_error`` what it failed with.

    The middleware fills in an ``operation`` that is not given.
    """

    error_code = ErrorCode.EXECUTION_ERROR
    json_rpc_code = INTERNAL_ERROR

    def __init__(
        self,
        message: str,
        *,
        operation: str = "",
        original_error: str = "",
        hints: Sequence[str] = (
            "Try again later; if it fails again, give the request_id to the maintainers",
        ),
        context: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message, hints=hints, context=context)
        self.operation = operation
        self.original_error = original_error

    def fields(self) -> dict[str, object]:
        """Return the operation, and the original error where there is one."""
        original = (
            {"original_error": self.original_error} if self.original_error else {}
        )
        return {"operation": self.operation, **original}
