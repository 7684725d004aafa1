"""What is written for a terminal: lines and tables, as the text that shows them there."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console
from rich.style import Style
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from errlint.terminal import Terminal


class Paper:
    """Takes lines and gives the text for one terminal.

    Texts are shown as they are: nothing in them is taken for markup, a smiley or a number to be coloured.
    """

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self._console = Console(
            file=StringIO(),
            width=terminal.width,
            force_terminal=True,
            color_system="standard" if terminal.colour else None,
            legacy_windows=False,
            markup=False,
            emoji=False,
            highlight=False,
            _environ={},  # what the user's say has been read: it holds for all of the output
        )

    def style(self, name: str, link: str) -> Style:
        """Return a style with a link, where the terminal has links."""
        style = Style.parse(name) if name else Style.null()
        return style.update_link(link) if self.terminal.links else style

    def line(self, text: Text) -> None:
        """Add a line; what does not fit is broken anywhere."""
        self._console.print(text, overflow="fold", soft_wrap=len(text) < self.terminal.width)

    def wrapped(self, text: Text, indent: int, widest: int) -> None:
        """Add a sentence, in lines between an indent and the right margin."""
        width = max(min(self.terminal.width - indent, widest), 16)
        for line in text.wrap(self._console, width, overflow="fold"):
            line.rstrip()
            self.line(Text(" " * indent).append_text(line))

    def add(self, renderable: RenderableType) -> None:
        """Add what Rich can render, such as a table."""
        self._console.print(renderable)

    def text(self) -> str:
        """Return all that was added."""
        file = self._console.file
        assert isinstance(file, StringIO)
        return file.getvalue()
