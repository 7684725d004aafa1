"""Functions that are handed to a function of the project, which runs them and goes on with what they answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_fix import fixes_in, looks, reasons

SERVER = """\
from fastmcp import FastMCP

mcp = FastMCP("shop")


class Base:
    async def cached(self, kind, fetch, fresh=True, **params):
{runner}

class Shelf(Base):
    async def look(self, text):
        return await self.cached("shelf", self._look, text=text)

    async def _look(self, text):
        if not text:
            return {{"error": "no text"}}
        return {{"path": text}}


@mcp.tool()
async def read(text: str) -> dict:
    return await Shelf().look(text)
"""

RUNNERS = {
    "returns what it answers": "        return await fetch(**params)\n",
    "keeps what it answers": (
        "        found = await fetch(**params)\n"
        '        if fresh and found["path"]:\n            self.kept[kind] = found\n        return found\n'
    ),
    "tells what it catches": (
        "        try:\n            return await fetch(**params)\n"
        '        except Exception as error:\n            return {"failed": str(error)}\n'
    ),
}
PASSED = "        except ToolError:\n            raise\n        except Exception"


@pytest.mark.parametrize("runner", RUNNERS.values(), ids=RUNNERS)
def test_an_error_passes_a_method_that(tmp_path: Path, runner: str) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.errlint]\n", encoding="utf-8")
    (tmp_path / "server.py").write_text(SERVER.format(runner=runner), encoding="utf-8")
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    after = SERVER.replace('return {{"error": "no text"}}', 'raise ToolError("no text")')
    after = after.replace("import FastMCP\n", "import FastMCP\nfrom fastmcp.exceptions import ToolError\n")
    passed = runner.replace("        except Exception", PASSED)
    assert found.contents["server.py"][1].decode() == after.format(runner=passed)
    doubt = ("`Base.cached` does more with what `Shelf._look` answers, which an error passes by", "server.py:8")
    assert (doubt in looks(found.fixed)) is ("found" in runner)


LEFT = {
    "goes on with another one": (
        "        for each in (1, 2):\n            found = await fetch(**params)\n        return found\n"
    ),
    "catches what it raises": (
        "        try:\n            return await fetch(**params)\n        except Exception:\n            return None\n"
    ),
    "hands it on": "        return await self.run(fetch)\n",
}


@pytest.mark.parametrize("runner", LEFT.values(), ids=LEFT)
def test_a_method_is_named_that(tmp_path: Path, runner: str) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.errlint]\n", encoding="utf-8")
    (tmp_path / "server.py").write_text(SERVER.format(runner=runner), encoding="utf-8")
    found = fixes_in(tmp_path, "ERR101")
    doubts = [text for text, _ in looks(found.fixed)]
    assert reasons(found.refused) == []
    assert "who calls `Shelf._look` after it was handed on here gets an exception" in doubts
