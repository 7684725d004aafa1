"""A boundary around a function: that keeps its kind, its signature and its metadata."""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncIterator, Callable, Generator
from contextlib import aclosing
from types import TracebackType
from typing import Any, ParamSpec, TypeVar, cast, final

P = ParamSpec("P")
R = TypeVar("R")

Answer = Callable[[Exception], Any]
"""What becomes of an exception: the answer for the caller, or another exception."""


@final
class Answered:
    """A block whose exceptions are answered; ``value`` is the answer, if any."""

    def __init__(self, answer: Answer) -> None:
        self.value: Any = None
        self._answer = answer

    def __enter__(self) -> Answered:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        _: TracebackType | None,
    ) -> bool:
        """Answer an ``Exception``; a cancellation, Ctrl-C and ``sys.exit`` are none."""
        if not isinstance(error, Exception):
            return False
        self.value = self._answer(error)
        return True


def wrapped(function: Callable[P, R], answer: Answer) -> Callable[P, R]:
    """Return ``function`` with its exceptions answered, as the same kind of function.

    A generator that fails yields the answer as its last item.
    """
    around = cast("Callable[..., Any]", function)
    wrapper: Callable[..., Any]
    if inspect.isasyncgenfunction(function):

        @functools.wraps(function)
        async def stream_async(*args: P.args, **kwargs: P.kwargs) -> AsyncIterator[Any]:
            with Answered(answer) as answered:
                async with aclosing(around(*args, **kwargs)) as items:
                    async for item in items:
                        yield item
                return
            yield answered.value

        wrapper = stream_async
    elif inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def call_async(*args: P.args, **kwargs: P.kwargs) -> Any:
            with Answered(answer) as answered:
                return await around(*args, **kwargs)
            return answered.value

        wrapper = call_async
    elif inspect.isgeneratorfunction(function):

        @functools.wraps(function)
        def stream(*args: P.args, **kwargs: P.kwargs) -> Generator[Any, Any, Any]:
            with Answered(answer) as answered:
                return (yield from around(*args, **kwargs))
            yield answered.value
            return None

        wrapper = stream
    else:

        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> Any:
            with Answered(answer) as answered:
                return around(*args, **kwargs)
            return answered.value

        wrapper = call
    return cast("Callable[P, R]", wrapper)
