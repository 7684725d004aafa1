"""Whether an answer tells the text of an exception."""

from __future__ import annotations

from errlint.facts import Call, Choice, Mapping, Ref, Sequence, Text, Value, Variable

TRACES = frozenset({"format_exc", "format_exception", "format_stack", "format_tb", "print_exc", "print_exception"})
"""Last names of the functions that write a stack."""


def tells(value: Value, name: str) -> bool:
    """Whether the text or stack of an exception is part of an answer; the exception itself may be handed on."""
    if type(value) is Variable:
        return bool(value.values) and all(tells(item, name) for item in value.values)
    if type(value) is Text:
        return any(_is_text(part, name) for part in value.parts if not isinstance(part, str))
    if type(value) is Mapping:
        return any(tells(entry.value, name) for entry in value.entries)
    if type(value) is Call:
        if value.name.rpartition(".")[2] in TRACES:
            return True
        if value.name in ("str", "repr"):
            return any(_is_text(argument.value, name) for argument in value.arguments)
        inner = value.inner is not None and tells(value.inner, name)
        return inner or any(tells(argument.value, name) for argument in value.arguments)
    if type(value) is Choice:
        return any(tells(item, name) for item in value.values)
    return type(value) is Sequence and any(tells(item, name) for item in value.items)


def _is_text(value: Value, name: str) -> bool:
    return (type(value) is Ref and value.name == name) or tells(value, name)
