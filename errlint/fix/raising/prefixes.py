"""The code that a convention puts before the message of an exception: which one it is, and how it is written there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import libcst as cst

from errlint.facts import Text, text_with_holes
from errlint.fix.model import Doubt, refuse
from errlint.fix.nodes import convert, exception_names
from errlint.fix.payload_extraction.payload import Payload, quoted
from errlint.fix.source_file import SourceFile
from errlint.patterns import fits
from errlint.project.domain import matches
from errlint.settings.policy import Codes

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SAME = {"connect": "network", "connection": "network", "permission": "forbidden", "timed": "timeout"}
"""Words in the names of exceptions that say what a code says by another one."""


def with_code(
    parsed: SourceFile, payload: Payload, handler: cst.ExceptHandler | None, codes: Codes, *, is_check: bool
) -> tuple[str, str, tuple[Doubt, ...]]:
    """Return the message of a payload with its code before it, the key that has the code ("" for none), and the doubts.

    Without a code in the payload it is that of the message, of what is handled, of a failed check where nothing is and
    ``is_check`` is true, or of any failure.
    Raises :class:`errlint.fix.model.Refusal` where there is none of these either.
    """
    before, _, after = codes.prefix.partition("{code}")
    if _opens_with(payload.message, before):
        return parsed.argument(payload.message), "", ()
    for key, node in payload.codes:
        value = node.evaluated_value if isinstance(node, cst.SimpleString) else None
        if isinstance(value, str):
            return _joined(parsed, f"{before}{value}{after}", payload.message), key, ()
        text = parsed.code(node)
        if isinstance(node, (cst.Name, cst.Attribute)):
            return f'f"{before}{{{text}}}{after}" + {_as_text(parsed, payload.message)}', key, ()
    of_any = codes.defaults.get("5xx", "")
    code = next(by_message(payload.message, codes.messages), "")
    if not code:
        code = _of_handler(handler, codes) if handler is not None else codes.validation if is_check else of_any
    if not code:
        raise refuse("the convention asks for a code, and none fits")
    doubt = Doubt(f"the code `{code}` is chosen for want of one in the payload")
    return _joined(parsed, f"{before}{code}{after}", payload.message), "", (doubt,)


def by_message(message: cst.BaseExpression, known: Mapping[str, str]) -> Iterator[str]:
    """Yield what a policy has for the patterns that a message matches."""
    value = convert(message)
    if type(value) is Text:
        text = text_with_holes(value, "\0")
        yield from (name for pattern, name in known.items() if fits(text, pattern))


def of_handled(names: Sequence[str], codes: Codes) -> str:
    """Return the one code that a policy has for some exceptions that are caught together, "" for none or several.

    Where it says nothing of them, it is the one that is called as they are: ``FileNotFound`` for ``FileNotFoundError``.
    """
    said = {
        code for name in names for pattern, each in codes.caught.items() if matches(name, (pattern,)) for code in each
    }
    if names and not said:
        own = {_plain(code): code for code in codes.vocabulary}
        said = {own.get(_plain(name.rpartition(".")[2]), "") for name in names}
    return said.pop() if len(said) == 1 else ""


def _plain(name: str) -> str:
    """Return a name as it is compared with others: without case, underscores, and the word for any error."""
    return re.sub(r"(?:error|exception)$", "", name.replace("_", "").lower())


def _opens_with(message: cst.BaseExpression, opening: str) -> bool:
    if isinstance(message, cst.FormattedString):
        first = message.parts[0] if message.parts else None
        return isinstance(first, cst.FormattedStringText) and first.value.startswith(opening)
    value = message.evaluated_value if isinstance(message, cst.SimpleString) else None
    return isinstance(value, str) and value.startswith(opening)


def _of_handler(handler: cst.ExceptHandler, codes: Codes) -> str:
    """Return the code that the policy has for the exceptions of a handler, or one that is named like them.

    Else it is that of any failure of a backend.
    """
    names = exception_names(handler.type)
    return of_handled(names, codes) or _fitting(names, codes.vocabulary) or codes.defaults.get("5xx", "")


def _fitting(names: Iterable[str], vocabulary: Iterable[str]) -> str:
    words = {word.lower() for name in names for word in _WORD.findall(name.rpartition(".")[2])} - {"error", "exception"}
    words |= {_SAME[word] for word in words & _SAME.keys()}
    found = [code for code in vocabulary if words & set(code.lower().split("_")) - {"error", "failed", "missing"}]
    return found[0] if len(found) == 1 else ""


def _joined(parsed: SourceFile, opening: str, message: cst.BaseExpression) -> str:
    """Return the text of a message with something before it."""
    is_plain = not set(opening) & set("\"'\\{}")
    is_bare = isinstance(message, (cst.SimpleString, cst.FormattedString)) and not message.lpar
    if is_plain and is_bare and isinstance(message, cst.SimpleString) and message.prefix in ("", "r"):
        return f"{message.prefix}{message.quote}{opening}{message.raw_value}{message.quote}"
    if is_plain and is_bare and isinstance(message, cst.FormattedString):
        start = cst.FormattedStringText(opening)
        return parsed.code(message.with_changes(parts=[start, *message.parts]))
    return f"{quoted(opening)} + {_as_text(parsed, message)}"


def _as_text(parsed: SourceFile, message: cst.BaseExpression) -> str:
    text = parsed.code(message)
    is_text = isinstance(message, cst.BaseString) or (
        isinstance(message, cst.Call) and isinstance(message.func, cst.Name) and message.func.value in ("str", "repr")
    )
    return text if is_text else f"str({text})"
