"""LibCST's parser, without the checks that only a tree made by hand needs."""

from __future__ import annotations

import libcst as cst


def _trust(_: cst.CSTNode) -> None:
    """Take a node as it is."""


def parse_module(text: str) -> cst.Module:
    """Return the tree of a module.

    A node checks itself when it is made, which takes a sixth of the time of a parse; what the parser has read needs
    no check. Raises :class:`libcst.ParserSyntaxError`.
    """
    check = cst.CSTNode.__post_init__
    cst.CSTNode.__post_init__ = _trust  # type: ignore[method-assign, assignment]
    try:
        return cst.parse_module(text)
    finally:
        cst.CSTNode.__post_init__ = check  # type: ignore[method-assign]
