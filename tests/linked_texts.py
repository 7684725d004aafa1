"""Links the facts of texts, as a run does with those of files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from errlint.collect import collect
from errlint.project import Project
from errlint.project.asked_facts import vocabulary
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol, Layout, Symbol
from errlint.settings import Settings


def linked(
    texts: Mapping[str, str], *, use_ast: bool = True, root: Path | None = None, distributions: Sequence[str] = ("",)
) -> Project:
    """Return the project of some files, by their paths from its root, in distributions by their folders."""
    return under(Settings(root=root or Path()), texts, distributions, use_ast=use_ast)


def under(
    settings: Settings, texts: Mapping[str, str], distributions: Sequence[str] = ("",), *, use_ast: bool = True
) -> Project:
    """Return the project of some files under settings."""
    modules = {path: collect(text, vocabulary(settings), use_ast=use_ast) for path, text in texts.items()}
    return Project(Layout(modules, distributions), modules, settings)


def write_texts(root: Path, texts: Mapping[str, str]) -> None:
    """Write files below a folder, by their paths from it."""
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def shown(symbol: Symbol | None) -> str:
    """Return what a name stands for, with the file of it, "" for anything that is not known."""
    if isinstance(symbol, FunctionSymbol):
        return f"{symbol.path} {symbol.function.name}"
    if isinstance(symbol, ExternalSymbol):
        return symbol.name
    return f"{symbol.path} {symbol.definition.name}" if isinstance(symbol, ClassSymbol) else ""
