"""What conditions say of the status of an answer and of the code of an error."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from errlint.facts import (
    Call,
    Condition,
    Constant,
    Item,
    Question,
    Ref,
    Sequence,
    Text,
    Value,
    Variable,
    inner_values,
    only,
)
from errlint.project.domain import matches
from errlint.project.names import ValueSymbol
from errlint.project.registry import number
from errlint.settings.policy import Codes

if TYPE_CHECKING:
    from errlint.project import Project

STATUSES = frozenset(range(400, 600))
"""The statuses of errors."""

_PROPERTIES = {
    "is_error": range(400, 600),
    "is_client_error": range(400, 500),
    "is_server_error": range(500, 600),
    "is_success": range(200, 300),
    "ok": range(400),
}
_POSITIVE = frozenset({"==", "in", "true", "<", "<=", ">", ">=", "?"})
MAX_DEPTH = 5


def default(codes: Codes, status: int) -> str | None:
    """Return the code of a status where the answer names none, ``None`` where the policy does not say."""
    return codes.defaults.get(str(status)) or codes.defaults.get(f"{status // 100}xx")


class Conditions:
    """Reads the conditions of one function."""

    def __init__(self, project: Project, path: str, scope: str) -> None:
        self._project = project
        self._evaluator = project.evaluator
        self._path = path
        self._scope = scope
        self._codes = project.policy(path).codes
        self._statuses = frozenset({*self._codes.status_arguments, "status_code", "http_status"})

    def is_status(self, value: Value) -> bool:
        """Whether a value is the status of an answer."""
        if type(value) is Sequence and value.kind == "class":
            return self.is_status(value.items[0])
        if type(value) is Variable:
            return value.name in self._statuses or (len(value.values) == 1 and self.is_status(value.values[0]))
        if type(value) is Ref:
            return value.name.rpartition(".")[2] in self._statuses
        if type(value) is Call and value.name == "int" and value.arguments:
            return self.is_status(value.arguments[0].value)
        return False

    def _is_property(self, value: Value) -> str:
        value = only(value)
        last = value.name.rpartition(".")[2] if type(value) is Ref and "." in value.name else ""
        return last if last in _PROPERTIES else ""

    def asks_status(self, asked: Question) -> bool:
        """Whether a question is about the status of an answer."""
        if asked.operator in ("true", "false"):
            return bool(self._is_property(asked.subject))
        return self.is_status(asked.subject)

    def asks_only_status(self, condition: Condition) -> bool:
        """Whether a condition names statuses of answers, and is about nothing else."""
        return all(self.asks_status(asked) and asked.operator in _POSITIVE for asked in condition.tests)

    def statuses(self, conditions: Iterable[Condition]) -> frozenset[int] | None:
        """Return the statuses of errors that conditions leave, ``None`` where none of them chooses any."""
        left = STATUSES
        chooses = False
        for condition in conditions:
            kept = frozenset(
                status for status in left if any(self._holds(asked, status) is not False for asked in condition.tests)
            )
            asks = all(self.asks_status(asked) for asked in condition.tests)
            chooses = chooses or (asks and kept != left and any(item.operator in _POSITIVE for item in condition.tests))
            left = kept
        return left if chooses else None

    def _holds(self, asked: Question, status: int) -> bool | None:
        if asked.operator in ("true", "false"):
            name = self._is_property(asked.subject)
            return (status in _PROPERTIES[name]) is (asked.operator == "true") if name else None
        if not self.is_status(asked.subject):
            return None
        is_class = type(asked.subject) is Sequence
        compared = status // 100 if is_class else status
        if asked.operator in ("in", "not in"):
            numbers = self._numbers(asked.value)
            return None if numbers is None else (compared in numbers) is (asked.operator == "in")
        other = number(only(asked.value))
        if other is None:
            filled = only(self._evaluator.filled(self._path, self._scope, asked.value))
            other = number(filled)
        return _COMPARED[asked.operator](compared, other) if other is not None and asked.operator in _COMPARED else None

    def _numbers(self, value: Value) -> frozenset[int] | range | None:
        value = only(value)
        symbol = self._project.names.resolve(self._path, value.name, self._scope) if type(value) is Ref else None
        if isinstance(symbol, ValueSymbol):
            value = symbol.value
        if type(value) is Call and value.name in ("frozenset", "set", "tuple") and len(value.arguments) == 1:
            value = only(value.arguments[0].value)
        if type(value) is Sequence:
            found = [number(item) for item in value.items]
            return None if None in found else frozenset(item for item in found if item is not None)
        if type(value) is Call and value.name == "range" and len(value.arguments) == 2:
            first, last = (number(item.value) for item in value.arguments)
            return None if first is None or last is None else range(first, last)
        return None

    # --- codes ------------------------------------------------------------------------------------------------------

    def own_code(self, value: Value, depth: int = 0) -> bool:
        """Whether a value is or may be the code that the answer itself names."""
        if depth > MAX_DEPTH:
            return False
        if type(value) is Item:
            return value.key in self._codes.arguments
        return any(self.own_code(item, depth + 1) for item in inner_values(value))

    def looks_up(self, value: Value, depth: int = 0) -> bool:
        """Whether a value is what a table has for a status."""
        if type(value) is Variable and depth < MAX_DEPTH:
            return any(self.looks_up(item, depth + 1) for item in value.values)
        return (
            type(value) is Call
            and value.name.endswith(".get")
            and any(self.is_status(item.value) for item in value.arguments[:1])
        )

    def is_told_otherwise(self, conditions: Iterable[Condition]) -> bool:
        """Whether something else than the status has to hold, too: that may say which code it is."""
        return any(
            not any(self.asks_status(asked) for asked in condition.tests)
            and any(
                asked.operator in _POSITIVE and not (asked.operator == "==" and asked.value == Constant(None))
                for asked in condition.tests
            )
            for condition in conditions
        )

    def named(self, conditions: Iterable[Condition]) -> frozenset[str]:
        """Return the codes of which the answer itself names one where conditions hold; none where that is not known."""
        for condition in conditions:
            if all(item.operator in ("==", "in") and self.own_code(item.subject) for item in condition.tests):
                found = frozenset(text for item in condition.tests for text in self.texts(item.value) or ())
                if found:
                    return found
        return frozenset()

    def texts(self, value: Value) -> frozenset[str] | None:
        """Return the texts that are compared with, ``None`` where they are not known."""
        value, path, scope = only(value), self._path, self._scope
        symbol = self._project.names.resolve(path, value.name, scope) if type(value) is Ref else None
        if isinstance(symbol, ValueSymbol):
            value, path, scope = symbol.value, symbol.path, ""
        if type(value) is Call and value.name in ("frozenset", "set", "tuple", "list") and len(value.arguments) == 1:
            value = only(value.arguments[0].value)
        items = value.items if type(value) is Sequence else (value,)
        found = [{str(item.text) for item in self._project.codes.resolved(path, scope, each)} for each in items]
        return frozenset().union(*found) if found and all(found) else None

    def codes(self, conditions: Iterable[Condition]) -> tuple[frozenset[str], Condition | None]:
        """Return the codes of the vocabulary that conditions on a code leave, and the last condition that chooses."""
        left = frozenset(self._codes.vocabulary)
        last: Condition | None = None
        for condition in conditions:
            kept = self._kept(condition, left)
            if kept is not None and kept != left:
                left, last = kept, condition
        return left, last

    def asks_code(self, condition: Condition) -> bool:
        """Whether a condition is about nothing but the code of an error."""
        return self._kept(condition, frozenset(self._codes.vocabulary)) is not None

    def _kept(self, condition: Condition, left: frozenset[str]) -> frozenset[str] | None:
        """Return which codes a condition leaves, ``None`` where it is about something else."""
        kept: set[str] = set()
        for asked in condition.tests:
            texts = self.texts(asked.value) if asked.operator in ("==", "!=", "in", "not in") else None
            if texts is None or not texts & self._codes.vocabulary.keys():
                return None
            kept |= left & texts if asked.operator in ("==", "in") else left - texts
        return frozenset(kept)


def asks_for(asked: Question, pattern: str) -> str:
    """Return what a question asks for and a pattern of the policy means, "" for anything else.

    That is a name that is true, or equal to something; ``not NAME`` means one that is not. Case does not matter, and a
    text that something is compared with is a name, too.
    """
    wanted = pattern.removeprefix("not ").lower()
    if asked.operator not in (("false", "!=") if wanted != pattern.lower() else ("true", "==")):
        return ""
    values = (asked.subject,) if asked.operator in ("true", "false") else (asked.subject, asked.value)
    for value in values:
        parts: tuple[object, ...] = ()
        if type(value) is Ref or type(value) is Call or type(value) is Variable:
            parts = (value.name,)
        elif type(value) is Item:
            parts = (value.key,)
        elif type(value) is Text:
            parts = value.parts
        name = parts[0] if len(parts) == 1 else ""
        if isinstance(name, str) and name and matches(name.lower(), (wanted,)):
            return name
    return ""


_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "==": int.__eq__, "!=": int.__ne__, "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__,
}  # fmt: skip
