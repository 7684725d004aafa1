"""Which exception a fix raises, and what it is given: what its constructor takes, and what the policy asks for."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_fix import fixes_in, looks, reasons

TOOL = """\
from fastmcp import FastMCP
from shop.bound import handle_errors
{head}
mcp = FastMCP("shop")


@mcp.tool()
@handle_errors
def read(path: str, shelf: str) -> dict:
    if not path:
        {gone}
    return {{"path": path}}
"""

CONFIGURATION = """\
[tool.errlint.exceptions]
root = ["shop.errors.ShopError"]
default = "{default}"
[[tool.errlint.boundary]]
decorator = "handle_errors"
envelope = {{ error = "{{message}}" }}
"""

IMPORTED = "from shop.errors import ShopError\n"
HEADER = "class ShopError(Exception):\n"
CONSTRUCTOR = "    def __init__(self, {}):\n        super().__init__(message)\n"


def shop(
    folder: Path, errors: str, payload: str, default: str = "ShopError", more: str = "", head: str = IMPORTED
) -> str:
    """Write a shop whose tool answers a payload; return the file of the tool."""
    server = TOOL.format(head=head, gone=f"return {payload}")
    (folder / "shop").mkdir()
    (folder / "pyproject.toml").write_text(CONFIGURATION.format(default=default) + more, encoding="utf-8")
    modules = {
        "__init__": "",
        "bound": "def handle_errors(function):\n    return function\n",
        "codes": "class Code:\n    BAD = 'bad'\n    GONE = 'gone'\n",
        "errors": errors,
        "server": server,
    }
    for name, text in modules.items():
        (folder / "shop" / f"{name}.py").write_text(text, encoding="utf-8")
    return server


GIVEN = {
    "a message by its place": ("message", '"no path"'),
    "a message that has no place by its name": ("*, message", 'message="no path"'),
    "a message that is not the first one by its name": ("shelf, message", 'message="no path", shelf=shelf'),
    "a message by its name beside what has a place": ("shelf, *, message", 'message="no path", shelf=shelf'),
}


@pytest.mark.parametrize(("parameters", "arguments"), GIVEN.values(), ids=GIVEN)
def test_a_constructor_is_given(tmp_path: Path, parameters: str, arguments: str) -> None:
    before = shop(tmp_path, HEADER + CONSTRUCTOR.format(parameters), '{"error": "no path"}')
    found = fixes_in(tmp_path, "ERR101", unsafe=False)
    after = before.replace('return {"error": "no path"}', f"raise ShopError({arguments})")
    assert found.contents["shop/server.py"][1].decode() == after


CODED = '[tool.errlint.codes]\nregistry = ["shop.codes:Code"]\n'
ASKED = '[[tool.errlint.required]]\nclasses = ["ShopError"]\ninside = "context"\nfields = {}\n'
CONTEXT = HEADER + CONSTRUCTOR.format("message, context=None")

INSIDE = {
    "a code for which there is no other place": (
        CONTEXT,
        CODED,
        '{"error": "no path", "code": "gone"}',
        '"no path", context={"code": "gone"}',
    ),
    "no code where the class has its own": (
        CONTEXT.replace("    def", "    code = 'bad'\n\n    def"),
        CODED,
        '{"error": "no path", "code": "bad"}',
        '"no path"',
    ),
    "what is asked for": (
        CONTEXT,
        ASKED.format('["path", "shelf"]'),
        '{"error": "no path"}',
        '"no path", context={"path": path, "shelf": shelf}',
    ),
    "what is asked for as the payload has it": (
        CONTEXT,
        ASKED.format('["path", "shelf"]'),
        '{"error": "no path", "path": "a/b"}',
        '"no path", context={"path": "a/b", "shelf": shelf}',
    ),
    "of what is asked for, what there is": (
        CONTEXT,
        ASKED.format('["book", "path"]'),
        '{"error": "no path"}',
        '"no path", context={"path": path}',
    ),
    "nothing where there is nothing of what is asked for": (
        CONTEXT,
        ASKED.format('["book"]'),
        '{"error": "no path"}',
        '"no path"',
    ),
}


@pytest.mark.parametrize(("errors", "more", "payload", "arguments"), INSIDE.values(), ids=INSIDE)
def test_the_context_of_an_exception_has(tmp_path: Path, errors: str, more: str, payload: str, arguments: str) -> None:
    before = shop(tmp_path, errors, payload, more=more)
    found = fixes_in(tmp_path, "ERR101")
    after = before.replace(f"return {payload}", f"raise ShopError({arguments})")
    assert found.contents["shop/server.py"][1].decode() == after


ALTERING = '    def __init__(self, message):\n        super().__init__(f"shop: {message}")\n'
ALTERED = "the constructor of `ShopError` does not hand on its message as it is"

CONSTRUCTORS = {
    "behind what it is for": ('    """An error of the shop."""\n\n', 4),
    "behind an attribute": ("    status = 400\n\n", 4),
    "behind another method": ("    def told(self):\n        return self.args[0]\n\n", 5),
    "alone": ("", 2),
}


@pytest.mark.parametrize(("before", "line"), CONSTRUCTORS.values(), ids=CONSTRUCTORS)
def test_a_constructor_that_makes_another_message_is_looked_at(tmp_path: Path, before: str, line: int) -> None:
    shop(tmp_path, HEADER + before + ALTERING, '{"error": "no path"}')
    found = fixes_in(tmp_path, "ERR101", unsafe=False)
    assert looks(found.hidden) == [(ALTERED, f"shop/errors.py:{line}")]


def test_a_method_that_takes_a_message_is_no_constructor(tmp_path: Path) -> None:
    shop(tmp_path, HEADER + ALTERING.replace("__init__(self", "told(self"), '{"error": "no path"}')
    found = fixes_in(tmp_path, "ERR101", unsafe=False)
    assert (looks(found.hidden), looks(found.fixed)) == ([], [])
    assert b'raise ShopError("no path")' in found.contents["shop/server.py"][1]


NAMED = {
    "a class of a library by the name that the file gives it": (
        "ConflictError",
        "from toolkit import ConflictError\n",
        "ConflictError",
    ),
    "a builtin": ("ValueError", "", "ValueError"),
    "a builtin by its module": ("builtins.ValueError", "", "ValueError"),
}


@pytest.mark.parametrize(("default", "head", "raised"), NAMED.values(), ids=NAMED)
def test_the_default_may_be(tmp_path: Path, default: str, head: str, raised: str) -> None:
    before = shop(tmp_path, HEADER + "    pass\n", '{"error": "no path"}', default, head=head)
    found = fixes_in(tmp_path, "ERR101")
    after = before.replace('return {"error": "no path"}', f'raise {raised}("no path")')
    assert found.contents["shop/server.py"][1].decode() == after


def test_the_default_is_no_class_that_nobody_defines(tmp_path: Path) -> None:
    shop(tmp_path, HEADER + "    pass\n", '{"error": "no path"}', "ConflictError", head="")
    assert reasons(fixes_in(tmp_path, "ERR101").refused) == ["`ConflictError` is not defined in the project"]


LABEL = "from shop.plugins.mail.failures import LABEL\n"

DISTRIBUTIONS = {
    "its own distribution": ("errors", "from shop.errors import ShopError\n" + LABEL),
    "another one, if there alone is one": ("labels", "from shop.plugins.mail.failures import LABEL, ShopError\n"),
}


@pytest.mark.parametrize(("own", "imported"), DISTRIBUTIONS.values(), ids=DISTRIBUTIONS)
def test_the_default_is_a_class_of(tmp_path: Path, own: str, imported: str) -> None:
    before = shop(tmp_path, "", '{"error": "no path"}', head=LABEL)
    plugin = tmp_path / "shop/plugins/mail"
    plugin.mkdir(parents=True)
    (plugin / "pyproject.toml").write_text('[project]\nname = "mail"\n', encoding="utf-8")
    (plugin / "failures.py").write_text(f"LABEL = 'mail'\n\n\n{HEADER}    pass\n", encoding="utf-8")
    (tmp_path / f"shop/{own}.py").write_text((HEADER if own == "errors" else "class Label:\n") + "    pass\n", "utf-8")
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    after = before.replace('return {"error": "no path"}', 'raise ShopError("no path")').replace(LABEL, imported)
    assert found.contents["shop/server.py"][1].decode() == after


FLASK = """\
import requests
from flask import Flask{0}

app = Flask(__name__)


@app.route("/read")
def read():
    reply = requests.get("shelf")
    if not reply.ok:
        {1}
    return {{"path": reply.text}}
"""

STATUSES = ["reply.status_code", "404"]


@pytest.mark.parametrize("status", STATUSES)
def test_flask_answers_the_payload_as_it_was_with_its_status(tmp_path: Path, status: str) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.errlint]\n", encoding="utf-8")
    payload = f'{{"error": "no path", "status_code": {status}}}'
    (tmp_path / "server.py").write_text(FLASK.format("", f"return {payload}"), encoding="utf-8")
    found = fixes_in(tmp_path, "ERR1")
    assert f"response=make_response({payload}, {status})" in found.contents["server.py"][1].decode()
