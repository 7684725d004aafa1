"""The files of a runtime: the templates of a convention, as they read in the package they are written for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from errlint.scaffold.destination import Destination

TEMPLATES = Path(__file__).resolve().parent / "templates"
PLAIN = "framework"
"""The runtime for the boundary of the framework itself, where no convention is named."""

_SHARED = "shared"
_CONFIGURATION = "errlint.toml"
_REMAINS = "remains.txt"
_HERE = "errlint.scaffold.templates"
_MARKER = "PACKAGE"


def conventions() -> list[str]:
    """Return the names of the conventions that have a runtime."""
    folders = (path.parent.name for path in TEMPLATES.glob(f"*/{_CONFIGURATION}"))
    return sorted(name.replace("_", "-") for name in folders)


def files(convention: str, destination: Destination) -> Iterator[tuple[Path, str]]:
    """Yield the files of a runtime: where each goes, and its text."""
    own = TEMPLATES / convention.replace("-", "_")
    last = destination.package.rpartition(".")[2]
    for template in sorted((*own.glob("*.py"), *(TEMPLATES / _SHARED).glob("*.py"))):
        text = template.read_text("utf-8")
        is_shared = template.parent != own
        if template.name.startswith("test_"):
            name = f"test_{last}_{template.stem.removeprefix('test_')}.py" if is_shared else f"test_{last}.py"
            for folder in (own.name, _SHARED):
                text = text.replace(f"{_HERE}.{folder}", destination.package)
            yield destination.tests / name, text
        elif not (is_shared and template.name == "__init__.py"):
            yield destination.folder / template.name, _joined(text)


def configuration(convention: str, destination: Destination, *, states: bool) -> str:
    """Return what names a runtime, as the text of an errlint.toml; whether it ``states`` the convention, too."""
    template = TEMPLATES / convention.replace("-", "_") / _CONFIGURATION
    text = template.read_text("utf-8").replace(_MARKER, destination.package)
    return text if states else text.replace(f'convention = "{convention}"\n', "")


def remains(convention: str, destination: Destination) -> tuple[str, ...]:
    """Return what is left to do by hand, in sentences."""
    text = (TEMPLATES / convention.replace("-", "_") / _REMAINS).read_text("utf-8")
    return tuple(text.replace(_MARKER, destination.package).splitlines())


def _joined(text: str) -> str:
    """Return a module as it reads beside those that are shared: its relative imports, in order of their names."""
    text = text.replace("from ..shared.", "from .")
    imports = [node for node in ast.parse(text).body if isinstance(node, ast.ImportFrom) and node.level]
    if not imports:
        return text
    lines = text.splitlines(keepends=True)
    first, last = imports[0].lineno - 1, imports[-1].end_lineno or imports[-1].lineno
    statements = {node.module or "": lines[node.lineno - 1 : node.end_lineno] for node in imports}
    ordered = [line for name in sorted(statements) for line in statements[name]]
    return "".join((*lines[:first], *ordered, *lines[last:]))
