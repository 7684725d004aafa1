"""Who may call a function, who may call these, and so on up to the adapters: the ways out for its exceptions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.facts import Function, Use
from errlint.project.callers import upwards

if TYPE_CHECKING:
    from errlint.project import Project

_Key = tuple[str, str]
"""The file and the qualified name of a function."""


class CallAround(NamedTuple):
    """A call on the way out: the file and function it is made in, its place, and the function that is called."""

    path: str
    around: Function
    use: Use
    called: Function


class Above:
    """Answers what is on the ways out of the functions of one project; what is directly above one is looked up once.

    ``answers`` tells whether a decorator of a function of a file may answer or turn its exceptions.
    """

    def __init__(self, project: Project, answers: Callable[[str, Function], bool]) -> None:
        self._project = project
        self._answers = answers
        self._calls: dict[_Key, tuple[CallAround, ...]] = {}
        self._answered: dict[_Key, bool] = {}

    def calls(self, path: str, function: Function) -> Iterator[CallAround]:
        """Yield the calls that may be of a function, and those of the functions around them, up to the adapters.

        The calls of each function come once.
        """

        def around(where: str, current: Function) -> Iterator[tuple[str, Function]]:
            return ((call.path, call.around) for call in self._directly(where, current))

        for where, current in upwards(path, function, around):
            yield from self._directly(where, current)

    def is_answered(self, path: str, function: Function) -> bool:
        """Whether a decorator of a function, or of one above it, may answer or turn its exceptions."""
        start = (path, function.name)
        if start not in self._answered:
            self._decide(path, function)
        return self._answered[start]

    def _decide(self, path: str, function: Function) -> None:
        """Decide about a function and all that is above it."""
        below: dict[_Key, list[_Key]] = {(path, function.name): []}
        answering: list[_Key] = []
        pending = [(path, function)]
        while pending:
            where, current = pending.pop()
            key = (where, current.name)
            if self._answered.get(key, False) or self._answers(where, current):
                answering.append(key)
                continue
            for call in () if key in self._answered else self._directly(where, current):
                above = (call.path, call.around.name)
                if above not in below:
                    below[above] = []
                    pending.append((call.path, call.around))
                below[above].append(key)
        answered: set[_Key] = set()
        while answering:
            key = answering.pop()
            if key not in answered:
                answered.add(key)
                answering.extend(below[key])
        self._answered.update((key, key in answered) for key in below)

    def _directly(self, path: str, function: Function) -> tuple[CallAround, ...]:
        """Return the calls that may be of a function; what calls an adapter is none of the project."""
        key = (path, function.name)
        found = self._calls.get(key)
        if found is None:
            found = self._calls[key] = tuple(self._look(path, function))
        return found

    def _look(self, path: str, function: Function) -> Iterator[CallAround]:
        if self._project.adapters.is_adapter(path, function):
            return
        for caller in self._project.callers.may(path, function):
            around = self._project.callers.around(caller)
            if around is not None:
                yield CallAround(caller.path, around, caller.use, function)
