"""The snippets of docs/editor.md: each is what its editor reads, and starts the server."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from errlint.settings.toml_reader import parse

PAGE = Path(__file__).parent.parent / "docs" / "editor.md"


def snippet(language: str) -> str:
    """Return the one block of a language."""
    (text,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return str(text)


def of_vs_code() -> list[str]:
    settings = json.loads(snippet("json"))
    assert "python" in settings["glspc.server.languageId"]
    return [settings["glspc.server.command"], *settings["glspc.server.commandArguments"]]


def of_helix() -> list[str]:
    table = parse(snippet("toml"))
    servers, languages = table["language-server"], table["language"]
    assert isinstance(servers, dict)
    assert isinstance(languages, list)
    assert set(servers) <= set(languages[0]["language-servers"])
    return [servers["errlint"]["command"], *servers["errlint"]["args"]]


def of_neovim() -> list[str]:
    (words,) = re.findall(r"cmd = \{ (.*?) \}", snippet("lua"))
    return re.findall(r'"(.*?)"', words)


def of_emacs() -> list[str]:
    text = snippet("elisp")
    assert text.count("(") == text.count(")")
    (words,) = re.findall(r"\. \((.*?)\)", text)
    return re.findall(r'"(.*?)"', words)


@pytest.mark.parametrize("read", [of_vs_code, of_helix, of_neovim, of_emacs])
def test_each_editor_starts_the_server(read: Callable[[], list[str]]) -> None:
    pytest.importorskip("pygls", reason="the server is an extra")
    command, *arguments = read()
    assert command == "errlint"
    done = subprocess.run(
        [sys.executable, "-m", "errlint", *arguments], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")  # the editor went away at once


def test_emacs_can_read_its_snippet(tmp_path: Path) -> None:
    emacs = shutil.which("emacs")
    if emacs is None:
        pytest.skip("there is no Emacs")
    file = tmp_path / "snippet.el"
    file.write_text(snippet("elisp"), encoding="utf-8")
    subprocess.run([emacs, "--batch", "-Q", "-l", str(file)], check=True)


def test_neovim_can_read_its_snippet(tmp_path: Path) -> None:
    neovim = shutil.which("nvim")
    if neovim is None:
        pytest.skip("there is no Neovim")
    file = tmp_path / "snippet.lua"
    file.write_text(snippet("lua"), encoding="utf-8")
    subprocess.run([neovim, "--headless", "--clean", "-l", str(file)], check=True)
