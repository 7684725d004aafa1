"""Attributes that are worked out when they are first asked for, by any thread without waiting for another one.

Until Python 3.12 :class:`functools.cached_property` has one lock for all objects of a class. The server works out two
projects at a time: one would wait for the other, and each for the other where they ask in another order.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")

if sys.version_info >= (3, 12):
    from functools import cached_property as cached_property
else:

    class cached_property(Generic[T]):
        """The value that a method returns, kept in the object under the name of the method."""

        def __init__(self, work: Callable[[Any], T]) -> None:
            self._work = work
            self._name = work.__name__
            self.__doc__ = work.__doc__

        @overload
        def __get__(self, instance: None, owner: type | None = None) -> cached_property[T]: ...

        @overload
        def __get__(self, instance: object, owner: type | None = None) -> T: ...

        def __get__(self, instance: object | None, owner: type | None = None) -> cached_property[T] | T:
            """Return the value, which is found in the object itself the next time."""
            if instance is None:
                return self
            value = vars(instance)[self._name] = self._work(instance)
            return value
