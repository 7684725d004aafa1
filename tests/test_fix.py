"""What a fix does to small projects: the new module, what stands against it, or why nothing is changed."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest

from errlint.fix.model import Group
from errlint.fix.run import Fixes, find_fixes
from errlint.run import Request, check
from errlint.settings.loading import load
from errlint.settings.overrides import CommandLine

CONFIGURATION = """\
[tool.errlint]
adapters.decorators = ["*.tool"]
[[tool.errlint.boundary]]
decorator = "handle_errors"
envelope = { error = "{message}", problem = "*", result = "empty_result" }
empty-result = "empty_result"
[tool.errlint.exceptions]
root = ["ShopError"]
default = "ShopError"
[tool.errlint.exceptions.map]
KeyError = "propagate"
UnicodeDecodeError = "propagate"
"""

ERRORS = """\
class ShopError(Exception):
    pass


def handle_errors(empty_result):
    return lambda function: function
"""

START = """\
import contextlib
from toolkit import apply, retry, server
from shop.errors import ShopError, handle_errors


"""

TOOL = """\
@server.tool()
@handle_errors(empty_result={"path": "", "count": 0, "problem": None})
def read(on, text: str):
"""


def fixes(folder: Path, server: str, errors: str = ERRORS, *, unsafe: bool = False) -> Fixes:
    """Plan the fixes of a project with these two modules."""
    (folder / "shop").mkdir()
    (folder / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    for name, text in (("__init__", ""), ("errors", errors), ("server", server)):
        (folder / "shop" / f"{name}.py").write_text(text, encoding="utf-8")
    settings = load(folder, config=None, isolated=False, overrides=CommandLine()).settings
    request = Request(settings=settings, use_cache=False)
    return find_fixes(request, check(request).findings, unsafe=unsafe)


def tool(body: str) -> str:
    """Return a module with a covered tool."""
    return START + TOOL + indent(dedent(body), "    ")


def reasons(groups: tuple[Group, ...]) -> list[str]:
    """Return what stands against groups, in a fixed order."""
    return sorted({doubt.text for group in groups for doubt in group.doubts})
