"""Names that a file imports in more than one way, or from a folder that is put on the path."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from test_fix import fixes_in, looks, reasons

from errlint.collect.search_path import on_path
from errlint.fix.bindings import is_stable_name
from errlint.fix.source_file import SourceFile
from errlint.project.names import Layout

HELPERS = """\
def find(text):
    if not text:
        return {"error": "no text"}
    return {"path": text}
"""

SERVER = """\
from fastmcp import FastMCP

mcp = FastMCP("shop")


@mcp.tool()
def read(text: str) -> dict:
    found = find(text)
    if "error" in found:
        return found
    return {"path": found["path"]}
"""

CHECK = '    if "error" in found:\n        return found\n'


def write(folder: Path, texts: dict[str, str]) -> None:
    (folder / "pyproject.toml").write_text("[tool.errlint]\n", encoding="utf-8")
    for name, text in texts.items():
        path = folder / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def alternatives(first: str, second: str) -> str:
    return f"try:\n    {first}\nexcept ImportError:\n    {second}\n"


PACKAGE = {"shop/__init__": "", "shop/tools/__init__": ""}
"""A package, in which there is another one."""

IMPORTS = {
    "by a relative name or a plain one": (
        PACKAGE,
        "shop/server",
        "shop/tools/helpers",
        ("from .tools.helpers import find", "from tools.helpers import find"),
    ),
    "by a relative name or that of the package": (
        PACKAGE,
        "shop/server",
        "shop/helpers",
        ("from .helpers import find", "from shop.helpers import find"),
    ),
    "from a package that is called src": (
        {**PACKAGE, "shop/src/__init__": ""},
        "shop/server",
        "shop/src/helpers",
        ("from .src.helpers import find", "from src.helpers import find"),
    ),
    "from the root or beside": (
        {},
        "src/server",
        "src/helpers",
        ("from src.helpers import find", "from helpers import find"),
    ),
    "as a module": (
        {"shop/__init__": ""},
        "shop/server",
        "shop/helpers",
        ("from . import helpers", "import helpers"),
    ),
    "under the name that it is installed with": (
        {"src/__init__": ""},
        "src/server",
        "src/helpers",
        ("from .helpers import find", "from helpers import find"),
    ),
}


@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize(("others", "server", "helpers", "imports"), IMPORTS.values(), ids=IMPORTS)
def test_the_check_of_a_caller_goes_that_imports_a_function(
    tmp_path: Path, others: dict[str, str], server: str, helpers: str, imports: tuple[str, str], order: int
) -> None:
    head = alternatives(*(imports[::-1] if order else imports))
    text = head + (SERVER if "import find" in head else SERVER.replace("find(", "helpers.find("))
    write(tmp_path, {**others, helpers: HELPERS, server: text})
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    assert found.contents[f"{server}.py"][1].decode() == text.replace(CHECK, "")


PUT_ON_PATH = {
    "its own folder": (
        "bin/server",
        "import sys\nsys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))\n",
        "bin/helpers",
    ),
    "a folder beside its own": (
        "bin/server",
        'sys.path.append(str(Path(__file__).resolve().parent.parent / "lib"))\n',
        "lib/helpers",
    ),
    "a folder in a name": (
        "bin/server",
        'ROOT = Path(__file__).parents[1]\nsys.path[:0] = [str(ROOT / "lib")]\n',
        "lib/helpers",
    ),
    "one of several": (
        "bin/server",
        'for each in ("lib", "more"):\n    sys.path.insert(0, each)\n',
        "lib/helpers",
    ),
}


@pytest.mark.parametrize(("server", "put", "helpers"), PUT_ON_PATH.values(), ids=PUT_ON_PATH)
def test_a_function_is_followed_that_is_imported_from(tmp_path: Path, server: str, put: str, helpers: str) -> None:
    head = f"{put}from helpers import find\n"
    packages = {"bin/__init__": "", "lib/__init__": "", "other/helpers": "find = None\n"}
    write(tmp_path, {**packages, helpers: HELPERS, server: head + SERVER})
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    assert found.contents[f"{server}.py"][1].decode() == head + SERVER.replace(CHECK, "")


INNER = {
    "the same as the module": ("from .helpers import find\n", "from .helpers import find"),
    "what only type checkers import elsewhere": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .helpers import find\n",
        "from .helpers import find",
    ),
    "what the module imports otherwise": ("from .others import find\n", "from .helpers import find"),
}


@pytest.mark.parametrize(("head", "inner"), INNER.values(), ids=INNER)
def test_a_function_is_followed_that_a_tool_imports_itself(tmp_path: Path, head: str, inner: str) -> None:
    text = head + SERVER.replace("    found =", f"    {inner}\n\n    found =")
    write(tmp_path, {"shop/__init__": "", "shop/helpers": HELPERS, "shop/others": OTHERS, "shop/server": text})
    found = fixes_in(tmp_path, "ERR101")
    assert found.contents["shop/server.py"][1].decode() == text.replace(CHECK, "")


OTHERS = """\
def find(text):
    return {"path": text}
"""

WRAPPER = """\
from fastmcp import FastMCP

mcp = FastMCP("shop")


def ask(text):
    return find(text)


@mcp.tool()
def read(text: str) -> dict:
    return ask(text)
"""


def test_a_name_of_several_functions_means_none_in_whatever_order(tmp_path: Path) -> None:
    imports = ("from .helpers import find", "from .others import find")
    for number, order in enumerate(permutations(imports)):
        folder = tmp_path / str(number)
        folder.mkdir()
        head = alternatives(*order)
        write(
            folder, {"shop/__init__": "", "shop/helpers": HELPERS, "shop/others": OTHERS, "shop/server": head + SERVER}
        )
        found = fixes_in(folder, "ERR101")
        assert reasons(found.refused) == []
        # It may be the other one that is called: its answer is looked into as before.
        assert [*found.contents] == ["shop/helpers.py"]
        assert ("it may be called here, or another function of its name: `find`", "shop/server.py:12") in looks(
            found.fixed
        )


def test_another_function_of_the_file_may_import_another_one(tmp_path: Path) -> None:
    other = "\n\ndef other(text):\n    from .others import find\n\n    return find(text)\n"
    text = "from .helpers import find\n" + SERVER + other
    write(tmp_path, {"shop/__init__": "", "shop/helpers": HELPERS, "shop/others": OTHERS, "shop/server": text})
    found = fixes_in(tmp_path, "ERR101")
    assert found.contents["shop/server.py"][1].decode() == text.replace(CHECK, "")


def test_a_library_is_not_taken_for_a_module_of_its_name(tmp_path: Path) -> None:
    text = "from redis import Redis, find\n" + SERVER
    write(
        tmp_path,
        {"shop/__init__": "", "shop/redis": "from redis import find\n", "shop/helpers": HELPERS, "shop/server": text},
    )
    found = fixes_in(tmp_path, "ERR101")
    assert [*found.contents] == ["shop/helpers.py"]


def test_where_a_function_may_be_imported_is_named(tmp_path: Path) -> None:
    text = "sys.path.insert(0, made())\nfrom tools.helpers import find\n" + SERVER
    write(
        tmp_path,
        {"src/kit/__init__": "", "src/kit/tools/__init__": "", "src/kit/tools/helpers": HELPERS, "bin/server": text},
    )
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    doubt = "`find` may be imported here from a folder that is put on the path"
    assert (doubt, "bin/server.py:2") in looks(found.fixed)
    assert [*found.contents] == ["src/kit/tools/helpers.py"]


def test_a_module_is_not_taken_for_that_of_the_standard_library_of_its_name(tmp_path: Path) -> None:
    tool = 'import json\nfrom fastmcp import FastMCP\n\nmcp = FastMCP("shop")\n\n\n@mcp.tool()\n' + HELPERS
    other = "import json\n\nNAMES = json.dumps({'find': ''})\n"
    write(tmp_path, {"shop/__init__": "", "shop/json": tool, "shop/names": other})
    (group,) = fixes_in(tmp_path, "ERR101").fixed
    assert "`find` may be imported here from a folder that is put on the path" not in reasons((group,))


RAISING = """\
from fastmcp import FastMCP

{head}
mcp = FastMCP("shop")


@mcp.tool()
def read(text: str) -> dict:
    if not text:
        {answer}
    return {{"path": norm(text)}}
"""

ADDED = {
    "to the imports of its module": (
        "shop/errors",
        alternatives("from .errors import norm", "from errors import norm"),
        alternatives("from .errors import ShopError, norm", "from errors import ShopError, norm"),
    ),
    "behind others": (
        "shop/more/errors",
        alternatives("from .norms import norm", "from norms import norm"),
        alternatives(
            "from .norms import norm\n    from .more.errors import ShopError",
            "from norms import norm\n    from more.errors import ShopError",
        ),
    ),
    "by the name of the package": (
        "shop/more/errors",
        alternatives("from shop.norms import norm", "from norms import norm"),
        alternatives(
            "from shop.norms import norm\n    from shop.more.errors import ShopError",
            "from norms import norm\n    from more.errors import ShopError",
        ),
    ),
    "where it is there in both": (
        "shop/errors",
        alternatives("from .errors import ShopError, norm", "from errors import ShopError, norm"),
        alternatives("from .errors import ShopError, norm", "from errors import ShopError, norm"),
    ),
    "where the file imports the project in one way too": (
        "shop/errors",
        alternatives("from .norms import norm", "from norms import norm") + "from .norms import other\n",
        alternatives("from .norms import norm", "from norms import norm")
        + "from .errors import ShopError\nfrom .norms import other\n",
    ),
}


@pytest.mark.parametrize(("errors", "before", "after"), ADDED.values(), ids=ADDED)
def test_an_exception_is_imported_in_both_ways(tmp_path: Path, errors: str, before: str, after: str) -> None:
    norms = "def norm(text):\n    return text\n\n\ndef other(text):\n    return text\n"
    kinds = f"class ShopError(Exception):\n    pass\n\n\n{norms}"
    server = RAISING.format(head=before, answer='return {"error": "no text"}')
    write(tmp_path, {"shop/__init__": "", "shop/norms": norms, errors: kinds, "shop/server": server})
    configured = '[tool.errlint.exceptions]\nroot = ["ShopError"]\ndefault = "ShopError"\n'
    (tmp_path / "pyproject.toml").write_text(configured, encoding="utf-8")
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    changed = found.contents["shop/server.py"][1].decode()
    assert changed == RAISING.format(head=after, answer='raise ShopError("no text")')


ONE_ABOVE_ANOTHER = tuple(sorted((".", *("/".join([".."] * count) for count in range(1, 9)))))

PATHS = {
    "sys.path.insert(0, str(Path(__file__).parent))": (".",),
    "sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))": ("..",),
    'sys.path.append(os.path.join(os.path.dirname(__file__), os.pardir, "lib"))': ("../lib",),
    'sys.path.append(os.path.abspath(os.path.join(__file__, "..", "..")))': ("..",),
    "HERE = Path(__file__).resolve().parents[1]\nif str(HERE) not in sys.path:\n    sys.path.insert(0, str(HERE))": (
        "..",
    ),
    'sys.path = [str(Path(__file__).parent / "a"), *sys.path]': ("a",),
    'sys.path += ["src", "../lib"]': ("/../lib", "/src"),
    "site.addsitedir(os.getcwd())": ("/.",),
    'sys.path.append(str(Path(__file__).parent.joinpath("lib", "more")))': ("lib/more",),
    "sys.path.append(Path(__file__).parent.joinpath(name))\nsys.path.append(Path(__file__).parent / name)": (),
    'sys.path.insert(0, os.environ["HOME"])\nsys.path.append("/opt/lib")\nprint(__file__)': (),
    "HERE = HERE.parent\nsys.path.append(HERE)": (),
    "HERE = Path(__file__)\nHERE = HERE.parent\nHERE = HERE.parent\nsys.path.append(HERE)": ONE_ABOVE_ANOTHER,
    'p = "a"\ndef f(p):\n    return p\ndef g():\n    p = "b"\n    sys.path.append(p)\n': ("/b",),
    'def f():\n    sys.path.append(p)\ndef g():\n    global p\n    p = "b"\ndef h():\n    p = "c"\n': ("/b",),
    "\n".join(f"n{i % 40} = n{i * 7 % 40} if x else n{i * 3 % 40}" for i in range(400))
    + '\nn1 = "lib"\nsys.path.append(n1)': ("/lib",),
}


@pytest.mark.parametrize(("text", "folders"), PATHS.items(), ids=range(len(PATHS)))
def test_the_folders_are_read_that_are_put_on_the_path(text: str, folders: tuple[str, ...]) -> None:
    assert on_path(text) == folders


def test_a_package_in_a_package_is_named_after_both() -> None:
    paths = ("shop/__init__.py", "shop/src/__init__.py", "shop/src/a.py", "kit/src/b.py")
    layout = Layout(paths, [""])
    assert [layout.module_name(path) for path in paths] == ["shop", "shop.src", "shop.src.a", "b"]
    assert [layout.find(name, "shop/src/a.py") for name in (".", "..", "..src.a", "...kit.src.b", "....b")] == [
        "shop/src/__init__.py",
        "shop/__init__.py",
        "shop/src/a.py",
        "kit/src/b.py",
        None,
    ]


STEADY = {
    "in two ways": (alternatives("from .a import norm", "from a import norm"), True),
    "in two ways of a condition": ("if x:\n    from shop.a import norm\nelse:\n    from a import norm\n", True),
    "of two modules": (alternatives("from .a import norm", "from b import norm"), False),
    "and bound later": (alternatives("from .a import norm", "from a import norm") + "norm = 1\n", False),
    "and bound instead": (alternatives("from .a import norm", "norm = None"), False),
    "twice in one way": (alternatives("from .a import norm\n    from b.a import norm", "from a import norm"), False),
}


@pytest.mark.parametrize(("text", "steady"), STEADY.values(), ids=STEADY)
def test_a_name_stays_what_it_is_that_is_imported(text: str, steady: bool) -> None:
    assert is_stable_name(SourceFile("a.py", text.encode()), None, "norm") is steady
