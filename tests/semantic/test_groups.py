"""Which distributions are linked together, and which are only looked at: the service by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from errlint.project.connected import Reach, defined, groups, imported
from errlint.project.names import Layout
from errlint.settings import Settings
from errlint.settings.model import NamedSetting

FILES = {
    "one/server.py": "",
    "one/models.py": "",
    "two/tools.py": "",
    "two/models.py": "",
    "three/src/pkg/errors.py": "",
    "codes.py": "class ErrorCode:\n    OLD = 1\n",
}
MARKERS = ("one", "two", "three")


def registry(name: str, file: str = "errlint.toml") -> tuple[NamedSetting, ...]:
    return (NamedSetting(name, "registry", file, ("codes", "registry")),)


def root(name: str, file: str = "errlint.toml") -> tuple[NamedSetting, ...]:
    return (NamedSetting(name, "exception class", file, ("exceptions", "root")),)


def divided(text: str, named: tuple[NamedSetting, ...] = ()) -> list[str]:
    """The groups where a text stands in ``one/server.py``: their distributions with a plus, in brackets the context."""
    files = {**FILES, "one/server.py": text}
    layout = Layout(files, MARKERS)
    reach = Reach(layout)
    found = groups(
        layout,
        {path: sorted(reach.distributions(path, imported(text.encode()))) for path, text in files.items()},
        {path: defined(text.encode(), ["ErrorCode"]) for path, text in files.items()},
        Settings(Path(), named=named),
        ("one/errlint.toml",),
    )
    lines = []
    for group in found:
        context = f" ({'+'.join(sorted(each or '.' for each in group.context))})" if group.context else ""
        lines.append("+".join(sorted(each or "." for each in group.distributions)) + context)
    return sorted(lines)


IMPORTS = {
    "nothing": ("", [".", "one", "three", "two"]),
    "a module of its own": ("import models", [".", "one", "three", "two"]),
    "what is nowhere": ("import requests", [".", "one", "three", "two"]),
    "a module of another": ("import tools", [".", "one+two", "three"]),
    "a name of it": ("from tools import look", [".", "one+two", "three"]),
    "everything of it": ("from tools import *", [".", "one+two", "three"]),
    "over several lines": ("from tools import (\n    look,\n)", [".", "one+two", "three"]),
    "a namespace around it": ("import pkg", [".", "one+three", "two"]),
    "a module of a namespace": ("from pkg import errors", [".", "one+three", "two"]),
    "of two others": ("import tools, pkg.errors", [".", "one+three+two"]),
    "in a function": ("def f():\n    import tools", [".", "one+two", "three"]),
    "in a comment": ("# import tools", [".", "one", "three", "two"]),
    "a folder on the path": (
        "import sys\nsys.path.append('../three/src/pkg')\nimport errors",
        [".", "one+three", "two"],
    ),
}


@pytest.mark.parametrize(("text", "expected"), IMPORTS.values(), ids=IMPORTS.keys())
def test_what_is_imported_connects(text: str, expected: list[str]) -> None:
    assert divided(text) == expected


NAMES = {
    "a registry by its module": (registry("codes:ErrorCode"), [".", "one (.)", "three (.)", "two (.)"]),
    "a registry by its name": (registry("ErrorCode"), [".", "one (.)", "three (.)", "two (.)"]),
    "a registry that nothing defines": (registry("ProblemCode"), [".", "one", "three", "two"]),
    "a registry that a folder names": (
        registry("codes.ErrorCode", "one/errlint.toml"),
        [".", "one (.)", "three", "two"],
    ),
    "an exception by its module": (root("pkg.errors.AppError"), [". (three)", "one (three)", "three", "two (three)"]),
    "an exception by its name": (root("AppError"), [".", "one", "three", "two"]),
    "an exception from outside": (root("fastmcp.ToolError"), [".", "one", "three", "two"]),
    "a module that two have": (root("models.AppError"), [".", "one", "three", "two"]),
}


@pytest.mark.parametrize(("named", "expected"), NAMES.values(), ids=NAMES.keys())
def test_what_the_settings_name_is_looked_at(named: tuple[NamedSetting, ...], expected: list[str]) -> None:
    assert divided("", named) == expected


DEFINITIONS = {
    "a class": ("class ErrorCode(Enum):", True),
    "a class in another": ("class Api:\n    class ErrorCode: ...", True),
    "a table": ("ErrorCode = {}", True),
    "an annotated table": ("ErrorCode: dict = {}", True),
    "a use": ("raise AppError(ErrorCode.OLD)", False),
    "an import": ("from codes import ErrorCode", False),
    "a longer name": ("class ErrorCodes: ...", False),
}


@pytest.mark.parametrize(("text", "is_there"), DEFINITIONS.values(), ids=DEFINITIONS.keys())
def test_what_may_define_a_registry(text: str, is_there: bool) -> None:
    assert defined(text.encode(), ["ErrorCode"]) == (("ErrorCode",) if is_there else ())
