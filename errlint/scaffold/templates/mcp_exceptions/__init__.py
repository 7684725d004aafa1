"""The errors of this server: three exceptions with codes and hints, and the middleware that answers them."""

from .codes import ErrorCode
from .exceptions import (
    MCPExecutionError,
    MCPSelectorError,
    MCPToolError,
    MCPValidationError,
)
from .middleware import ErrorAnswers, to_mcp_error

__all__ = [
    "ErrorAnswers",
    "ErrorCode",
    "MCPExecutionError",
    "MCPSelectorError",
    "MCPToolError",
    "MCPValidationError",
    "to_mcp_error",
]
