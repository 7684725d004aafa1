"""Where a proposed configuration goes: to the end of pyproject.toml, or into an errlint.toml of its own."""

from __future__ import annotations

from pathlib import Path

from errlint.errors import ConfigurationError, Place
from errlint.init.evidence import Evidence
from errlint.init.propose import propose
from errlint.output import write_file
from errlint.settings.locate import OWN_NAME, SHARED_NAME, read_file
from errlint.settings.toml_reader import TomlSyntaxError, parse
from errlint.source import MAX_CONFIGURATION_SIZE, read_bytes

PREFIX = "tool.errlint"


def target(root: Path) -> Path:
    """Return the file that a configuration of a project goes into.

    Raises :class:`ConfigurationError` where there is one already, or where pyproject.toml cannot be read.
    """
    for name in (OWN_NAME, SHARED_NAME):
        if read_file(root / name) is not None:
            message = "there is a configuration already"
            raise ConfigurationError(message, hint="`errlint init` prints a proposal", place=Place(root / name))
    return root / SHARED_NAME if (root / SHARED_NAME).is_file() else root / OWN_NAME


def text_for(path: Path, evidence: Evidence) -> str:
    """Return what is proposed in the form that a file asks for."""
    return propose(evidence, PREFIX if path.name == SHARED_NAME else "")


def write(path: Path, text: str) -> None:
    """Add a text to a file, which is made where there is none; what it holds stays as it is.

    Raises :class:`ConfigurationError` where the result would be no TOML, and :class:`errlint.errors.OutputError`.
    """
    content = read_bytes(path, MAX_CONFIGURATION_SIZE).decode("utf-8") if path.is_file() else ""
    if content:
        end = "\r\n" if "\r\n" in content else "\n"
        gap = end if content.endswith("\n") else end * 2
        text = content + gap + text.replace("\n", end)
    try:
        parse(text.removeprefix("\ufeff"))
    except TomlSyntaxError as error:
        message = f"a table cannot be added: {error.message}"
        raise ConfigurationError(message, hint="add what `errlint init` prints yourself", place=Place(path)) from error
    write_file(path, text, path.parent)
