"""What the words of the command line mean: lists of codes, pairs, output formats, paths, the standard input.

All functions raise :class:`errlint.errors.UsageError`, those about a path :class:`errlint.errors.InputError`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import click
from click.shell_completion import CompletionItem

from errlint.errors import InputError, Place, UsageError
from errlint.report import Format
from errlint.rules import RULES
from errlint.settings.loading import absolute
from errlint.suggest import did_you_mean

_STDIN = Path("-")
_STDIN_NAME = Path("stdin.py")


class Output(NamedTuple):
    """A format that was asked for; ``file`` None is the standard output."""

    format: Format
    file: Path | None


class Stdin(NamedTuple):
    """The standard input, and the file whose content it is."""

    path: Path
    content: bytes


def split(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the words between the commas of all uses of an option; None when it is not used."""
    if not given:
        return None
    return tuple(word for value in given for word in map(str.strip, value.split(",")) if word)


def split_pairs(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> tuple[tuple[str, str], ...] | None:
    """Return the pairs ``PATTERN:CODE`` between the commas; None when the option is not used."""
    entries = split(context, option, given)
    if entries is None:
        return None
    pairs = []
    for entry in entries:
        pattern, _, code = map(str.strip, entry.rpartition(":"))
        if not pattern or not code:
            raise UsageError(f"--per-file-ignores: `{entry}` is no pair", hint="write PATTERN:CODE")
        pairs.append((pattern, code))
    return tuple(pairs)


def split_outputs(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[Output, ...]:
    """Return each ``FORMAT`` and ``FORMAT=FILE``; without any, ``full`` goes to the standard output."""
    outputs: list[Output] = []
    names = {format.value: format for format in Format}
    for value in given or (Format.FULL.value,):
        name, equals, file = value.partition("=")
        if name not in names:
            hint = did_you_mean(name, names) or f"the formats are {', '.join(names)}"
            raise UsageError(f"--output-format: unknown format `{name}`", hint=hint)
        if equals and not file:
            raise UsageError(f"--output-format: `{value}` names no file", hint=f"write {name}=FILE or {name}")
        target = absolute(working_folder(), Path(file)) if file else None
        if any(target == output.file for output in outputs):
            where = file or "the standard output"
            raise UsageError(f"--output-format: two formats for {where}", hint=f"write {name}=FILE")
        outputs.append(Output(names[name], target))
    return tuple(outputs)


def codes(context: click.Context, option: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the rules that a word on the command line may be about; the last one of several between commas."""
    before, comma, last = begun.rpartition(",")
    known = {"ALL": "every rule", **{code: rule.summary for code, rule in RULES.items()}}
    named = {rule.name: rule.summary for rule in RULES.values()} if last else {}
    return [
        CompletionItem(f"{before}{comma}{word}", help=text)
        for word, text in {**known, **named}.items()
        if word.casefold().startswith(last.casefold())
    ]


def formats(context: click.Context, option: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the formats that a word on the command line may be about."""
    return [CompletionItem(format.value) for format in Format if format.value.startswith(begun)]


def working_folder() -> Path:
    """Return the folder that relative paths start from; it may have been deleted."""
    try:
        return Path.cwd()
    except OSError as error:
        raise InputError("the working directory is not there any more", hint="`cd` into one that is") from error


def existing(cwd: Path, path: Path, commands: Iterable[str] = ()) -> Path:
    """Return a named path, made absolute. Its typos may mean a file beside it, or one of the ``commands``."""
    whole = absolute(cwd, path)
    if whole.exists():
        return whole
    known = [str(path.with_name(name)) for name in _names_in(whole.parent)]
    hint = did_you_mean(str(path), [*known, *commands])
    raise InputError("no such file or folder", hint=hint, place=Place(path))


def location(text: str) -> tuple[Path, int]:
    """Return path and line of ``PATH:LINE``; a column behind the line is ignored."""
    match = re.fullmatch(r"(?P<path>.+?):(?P<line>[1-9][0-9]*)(?::[0-9]+)?", text, re.DOTALL)
    if match is None:
        raise UsageError(f"`{text}` is no place in a file", hint="write PATH:LINE")
    return Path(match["path"]), int(match["line"])


def read_stdin(cwd: Path, paths: tuple[Path, ...], filename: Path | None) -> Stdin | None:
    """Return the standard input when ``-`` is the path; None when it is not asked for."""
    if _STDIN not in paths:
        if filename is not None:
            raise UsageError("--stdin-filename is for the standard input", hint="add the path `-`")
        return None
    if len(paths) > 1:
        raise UsageError("`-` goes with no other path", hint="run errlint on the other paths apart")
    if sys.stdin is None:
        raise InputError("the standard input is closed", hint="`errlint - < FILE` reads a file")
    try:
        content = sys.stdin.buffer.read()
    except OSError as error:
        raise InputError(f"the standard input cannot be read: {error.strerror}") from error
    return Stdin(absolute(cwd, filename or _STDIN_NAME), content)


def _names_in(folder: Path) -> list[str]:
    try:
        return [entry.name for entry in folder.iterdir()]
    except OSError:
        return []
