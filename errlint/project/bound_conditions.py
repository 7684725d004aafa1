"""Whether what a function asks of its parameters holds for what one call of it gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from errlint.facts import (
    Choice,
    Condition,
    Constant,
    Question,
    Ref,
    Return,
    Sequence,
    Text,
    Value,
    Variable,
    constant_text,
    only,
)
from errlint.index.expressions import variable

_ASKING_WHICH = {"==": True, "in": True, "!=": False, "not in": False}


def is_given(value: Value) -> bool | None:
    """Whether an argument is something, a text with any part, or nothing; ``None`` where that is not known."""
    value = only(value)
    if type(value) is Text:
        return any(value.parts)
    return bool(value.value) if type(value) is Constant else None


def hold(conditions: Iterable[Condition], bindings: Mapping[str, Value]) -> bool | None:
    """Whether all of some conditions hold where parameters are bound to arguments; ``None`` where that is not known."""
    found: bool | None = True
    for condition in conditions:
        answers = [_holds(asked, bindings) for asked in condition.tests]
        if True not in answers:
            if None not in answers:
                return False
            found = None
    return found


def ways(found: Return) -> Iterator[tuple[Value, tuple[Condition, ...]]]:
    """Yield what a return answers, each with what holds there: apart the values of which one was chosen."""
    if (type(found.value) is Variable or type(found.value) is Choice) and found.held:
        for value, asked in zip(found.value.values, found.held, strict=True):
            yield value, (*found.asked, *asked)
    else:
        yield found.value, found.asked


def answer(found: Return, bindings: Mapping[str, Value]) -> Value | None:
    """Return what a return can answer where parameters are bound to arguments; ``None`` where none comes by it."""
    left = tuple(value for value, asked in ways(found) if hold(asked, bindings) is not False)
    if not left:
        return None
    if type(found.value) is Variable and found.held:
        return variable(found.value.name, left)
    return left[0] if len(left) == 1 else Choice(left)


def _holds(asked: Question, bindings: Mapping[str, Value]) -> bool | None:
    subject = only(bindings.get(asked.subject.name, asked.subject) if type(asked.subject) is Ref else asked.subject)
    if asked.operator in ("true", "false"):
        found = is_given(subject)
        return None if found is None else found is (asked.operator == "true")
    if asked.operator not in _ASKING_WHICH:
        return None
    own = _constant(subject)
    value = only(asked.value)
    others = [_constant(only(item)) for item in (value.items if type(value) is Sequence else (value,))]
    if own is None or None in others:
        if own is None and others == [_NOTHING] and is_given(subject):
            return not _ASKING_WHICH[asked.operator]  # a text that is not known is one
        return None
    return (own in others) is _ASKING_WHICH[asked.operator]


_NOTHING = (type(None), None)


def _constant(value: Value) -> tuple[type, object] | None:
    """Return a constant with its type, so that ``True`` is not ``1``; ``None`` for any other value."""
    if type(value) is Constant:
        return type(value.value), value.value
    text = constant_text(value)
    return None if text is None else (str, text)
