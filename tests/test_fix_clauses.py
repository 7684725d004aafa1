"""Clauses on the way of a new raise: Python evaluates what they name, which nobody has asked for before."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
from test_fix import ERRORS, START, TOOL, fixes, fixes_in, looks, reasons

SURE = {
    "a builtin": ("", "KeyError"),
    "an import": ("from codes import Closed\n", "Closed"),
    "an attribute of an import": ("import httpx\n", "httpx.HTTPError"),
    "an import in either branch": (
        "try:\n    from codes import Closed\nexcept ImportError:\n    from shop.codes import Closed\n",
        "Closed",
    ),
    "an import that ends the program where it fails": (
        "import sys\ntry:\n    from codes import Closed\nexcept ImportError:\n    print('no codes')\n    sys.exit(1)\n",
        "Closed",
    ),
    "an attribute of a package that is imported by its parts": (
        "import urllib.error\nimport urllib.request\n",
        "urllib.error.URLError",
    ),
    "a class of the module": ("class Closed(Exception):\n    pass\n", "Closed"),
    "a class of another module": ("from shop import errors\n", "errors.Other"),
    "several": ("import httpx\n", "(KeyError, httpx.HTTPError)"),
}

UNSURE = {
    "a name that nothing binds": ("", "Closed"),
    "one of several": ("", "(KeyError, Closed)"),
    "an import for types alone": ("if TYPE_CHECKING:\n    from codes import Closed\n", "Closed"),
    "an import that may fail": ("try:\n    from codes import Closed\nexcept ImportError:\n    pass\n", "Closed"),
    "an import that is suppressed where it fails": (
        "with contextlib.suppress(ImportError):\n    from codes import Closed\n",
        "Closed",
    ),
    "a name of a loop": ("for Closed in server.kinds:\n    pass\n", "Closed"),
    "a name that is deleted": ("from codes import Closed\ndel Closed\n", "Closed"),
    "a parameter": ("", "text"),
    "an attribute of a parameter": ("", "text.Closed"),
    "a variable that is bound later": ("", "later"),
    "a value": ("Closed = server.closed()\n", "Closed"),
    "an attribute of a value": ("codes = server.codes()\n", "codes.Closed"),
    "what a module of the project has not": ("from shop import errors\n", "errors.Closed"),
    "what a module of the project may not have": ("from shop import errors\n", "errors.Maybe"),
    "a call": ("", "server.kinds()"),
}


def clause(named: str, does: str) -> str:
    """Return a tool whose error return has a clause on its way."""
    body = 'try:\n    if not on:\n        return {"error": "x"}\n    return {"path": read_file(text)}\n'
    return TOOL + indent(f"{body}except {named} as exc:\n    {does}\nfinally:\n    later = KeyError\n", "    ")


OTHERS = (
    ERRORS + "\n\nclass Other(Exception):\n    pass\n\n\nif handle_errors:\n    class Maybe(Exception):\n        pass\n"
)


@pytest.mark.parametrize("does", ["raise", "server.log(exc)\n    raise", "pass"], ids=["raises", "logs", "goes on"])
@pytest.mark.parametrize(("above", "named"), SURE.values(), ids=SURE)
def test_a_fix_is_safe_where_a_clause_surely_has(tmp_path: Path, above: str, named: str, does: str) -> None:
    found = fixes(tmp_path, START.rstrip() + "\n" + above + "\n\n" + clause(named, does), OTHERS)
    assert looks((*found.hidden, *found.refused)) == []
    assert len(found.fixed) == 1


@pytest.mark.parametrize("does", ["raise", "server.log(exc)\n    raise", "pass"], ids=["raises", "logs", "goes on"])
@pytest.mark.parametrize(("above", "named"), UNSURE.values(), ids=UNSURE)
def test_a_fix_is_unsafe_where_a_clause_may_have_no(tmp_path: Path, above: str, named: str, does: str) -> None:
    server = START.rstrip() + "\n" + above + "\n\n" + clause(named, does)
    found = fixes(tmp_path, server, OTHERS, unsafe=True)
    line = server[: server.index(f"except {named} as exc")].count("\n") + 1
    assert any(place == f"shop/server.py:{line}" for _, place in looks(found.fixed)), looks(found.fixed)
    after = found.contents["shop/server.py"][1].decode()
    assert f"    except ShopError:\n        raise\n    except {named} as exc:" in after


INSIDE = {
    "before": ("import httpx\ntry:", True),
    "on some way": ("if on:\n    import httpx\ntry:", False),
    "in the block": ("try:\n    import httpx", False),
}


@pytest.mark.parametrize(("begins", "is_sure"), INSIDE.values(), ids=INSIDE)
def test_a_function_that_imports_what_a_clause_names(tmp_path: Path, begins: str, is_sure: bool) -> None:
    body = f'{begins}\n    if on:\n        return {{"error": "x"}}\nexcept httpx.HTTPError:\n    pass\nreturn {{}}\n'
    found = fixes(tmp_path, START + TOOL + indent(body, "    "))
    text = "it cannot be told what `httpx.HTTPError` is in `except httpx.HTTPError`, so it is raised again before that"
    assert reasons(found.hidden) == ([] if is_sure else [text])


def test_a_clause_that_only_may_catch_and_raise_again_hides_no_other_one(tmp_path: Path) -> None:
    body = """\
try:
    if not on:
        return {"error": "x"}
except httpx.HTTPError:
    raise
except Exception:
    return {"error": "y", "size": 1}
return {}
"""
    made = ERRORS.replace("class ShopError(Exception)", "import httpx\n\n\nclass ShopError(httpx.RequestError)")
    found = fixes(tmp_path, "import httpx\n" + START + TOOL + indent(body, "    "), made, unsafe=True)
    clauses = "    except httpx.HTTPError:\n        raise\n    except ShopError:\n        raise\n    except Exception"
    assert clauses in found.contents["shop/server.py"][1].decode()


def test_a_value_is_no_class_that_does_not_catch(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(SERVED)
    found = fixes_in(tmp_path, "ERR101")
    after = found.contents["server.py"][1].decode()
    assert "    except ToolError:\n        raise\n    except KINDS:" in after


SERVED = """\
from fastmcp import FastMCP

mcp = FastMCP("shop")
KINDS = (Exception,)


@mcp.tool()
def find(name: str) -> dict:
    try:
        if not name:
            return {"error": "no name"}
        return {"found": name}
    except KINDS:
        return {"found": ""}
"""
