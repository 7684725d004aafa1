"""Where errors leave the server."""

from __future__ import annotations

import functools
import json
import logging
from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from fastmcp.exceptions import ToolError

from lending.errors import LendingError

P = ParamSpec("P")
T = TypeVar("T")
logger = logging.getLogger(__name__)


def told_to_the_client(function: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Tell the client what the desk knows of an error, and nothing of any other."""

    @functools.wraps(function)
    async def wrapper(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await function(*args, **kwargs)
        except LendingError as error:
            details = {"code": str(error.code), "status": error.status, "hints": error.hints}
            raise ToolError(f"{error.message} {json.dumps(details)}") from error
        except Exception as error:
            logger.exception("%s failed", function.__name__)
            raise ToolError("internal error") from error

    return wrapper
