"""What a fix makes of a function by itself is what it makes of it in the whole file."""

from __future__ import annotations

import libcst as cst
import pytest

from errlint.fix.parts import Parts, put_together
from errlint.fix.raising.imports import Needed
from errlint.fix.rewrite import Changes, Conversion, Replacement, rewrite
from errlint.fix.source_file import SourceFile, lines

PLAIN = """\
import os

# above
@tool()  # a comment
# between

def find(name):
    if not name:
        return {"error": "no name"}  # behind
    return {}


def other():
    return 1
"""

METHOD = """\
class Shop:
  # above
  @tool()
  def find(self, name):
        if not name:
            return {"error": "no name"}  # behind
        return {}

  def other(self):
        return 1
"""

NESTED = """\
def register(mcp):
    text = '''
no indent
'''

    @mcp.tool()
    async def find(name):
        if not name: return {"error": "no name"}
        return {}

    return find
"""

FILES = {
    "a function": PLAIN,
    "line ends of Windows": PLAIN.replace("\n", "\r\n"),
    "tabs": PLAIN.replace("    ", "\t"),
    "a method": METHOD,
    "a function in a function": NESTED,
    "the end of a file without a line end": 'def find(name):\n    return {"error": "no name"}',
    "a statement of the module": 'if True:\n    pass\nelse:\n    return {"error": "no name"}\nx = 1\n',
    "a function on one line": 'x = 1\ndef find(name): return {"error": "no name"}\n',
    "no ASCII": "# Stücke 🙂\n" + PLAIN.replace("no name", "kein Stück 🙂"),
}


def converted(parsed: SourceFile) -> Changes:
    """Return what makes a raise of the only error return of a file, with an import."""
    (node,) = [node for node in parsed.nodes(cst.Return) if "error" in parsed.code(node)]
    return Changes((Conversion(node, "ShopError", ('"no"',), ""),), imports=(Needed("shop.errors", "ShopError"),))


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_a_part_is_rewritten_as_in_the_whole_file(text: str) -> None:
    parsed = SourceFile("shop/server.py", text.encode())
    changes = converted(parsed)
    parts = Parts().of(parsed, changes)
    assert put_together(parsed.lines, parts) == lines(rewrite(parsed, changes).decode())
    assert sum(len(part.before) for part in parts) < len(parsed.lines) or len(parsed.lines) < 3


def test_a_change_to_the_block_of_the_module_is_one_of_the_whole_file() -> None:
    parsed = SourceFile("shop/server.py", PLAIN.encode())
    (other,) = parsed.definitions_by_name["other"]
    changes = Changes(replaced=(Replacement(other, ""),))
    (part,) = Parts().of(parsed, changes)
    assert put_together(parsed.lines, (part,)) == lines(rewrite(parsed, changes).decode())


def test_imports_that_several_fixes_need_stand_in_each() -> None:
    text = PLAIN.replace("    return 1", '    return {"error": "other"}')
    parsed = SourceFile("shop/server.py", text.encode())
    parts = Parts()
    found = [node for node in parsed.nodes(cst.Return) if "error" in parsed.code(node)]
    for node in found:
        own = Conversion(node, "ShopError", (), "")
        changes = Changes((own,), imports=(Needed("shop.errors", "ShopError"),))
        whole = "".join(put_together(parsed.lines, parts.of(parsed, changes)))
        assert "import ShopError" in whole
        assert whole.count("raise ShopError()") == 1
