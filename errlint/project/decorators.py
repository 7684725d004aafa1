"""Which decorators leave a function what it is, by the last parts of their names: one question in four degrees."""

from __future__ import annotations

BINDING = frozenset({"staticmethod", "classmethod"})
"""Those that say what a method is called with."""

MARKS = BINDING | {
    "override", "final", "overload", "deprecated", "no_type_check", "typechecked", "beartype",
}  # fmt: skip
"""Those that hand on every call, and what comes of it: what a function returns, and what it raises."""

CACHES = frozenset({"cache", "lru_cache"})
"""Those that hand on what a function returns or raises, and do not call it every time."""

PASSING = MARKS | CACHES | {"wraps", "contextmanager", "asynccontextmanager", "abstractmethod"}
"""Those by which the exceptions of a function stay what they are."""

BY_NAME = PASSING | {"retry", "timed", "traced"}
"""Those of functions that are still called by their names, and by nobody else."""
