"""What the fixes of rules about boundaries, handlers, codes, fields, logs and comments make of small projects."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import indent

import pytest

from errlint.fix.prove import reason_against
from errlint.fix.rewrite import Changes, Edit, Replacement, rewrite
from errlint.fix.run import Fixes, find_fixes
from errlint.fix.source_file import SourceFile
from errlint.request import Request
from errlint.run import check
from errlint.settings import CommandLine
from errlint.settings.loading import load

CONFIGURATION = """\
[[tool.errlint.boundary]]
decorator = "shop.errors.answered"
operation = "operation"
empty-result = "empty_result"
envelope = { error = "{message}", problem = "*", result = "empty_result" }
[tool.errlint.exceptions]
root = ["shop.errors.ShopError"]
default = "shop.errors.ShopError"
cause = "cause"
"""

ERRORS = """\
import functools


class ShopError(Exception):
    def __init__(self, message, *, cause=None):
        super().__init__(message)


def answered(operation, *, empty_result=None):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            except ShopError as exc:
                return {"error": str(exc), "problem": {}, **(empty_result or {})}

        return wrapper

    return decorate
"""

HEAD = """\
from fastmcp import FastMCP

from shop.errors import ShopError, answered

mcp = FastMCP("shop")


"""

COVERED = '@mcp.tool()\n@answered(operation="read", empty_result={"lines": []})\n'


class Project:
    """A project in a folder, as often changed as wanted."""

    def __init__(self, folder: Path, configuration: str = CONFIGURATION, **modules: str) -> None:
        self.folder = folder
        (folder / "shop").mkdir()
        (folder / "pyproject.toml").write_text(configuration, encoding="utf-8")
        for name, text in {"__init__": "", "errors": ERRORS, **modules}.items():
            (folder / "shop" / f"{name}.py").write_text(text, encoding="utf-8")

    def fixes(self, *codes: str, unsafe: bool = True) -> Fixes:
        """Plan the fixes of some rules alone."""
        settings = load(self.folder, config=None, isolated=False, overrides=CommandLine(select=codes)).settings
        request = Request(settings=settings, use_cache=False)
        return find_fixes(request, check(request).findings, unsafe=unsafe)

    def fixed(self, *codes: str, unsafe: bool = True, module: str = "server") -> str:
        """Return a module after the fix, written to the disk; a second fix must have nothing to do."""
        for path, (_, after) in self.fixes(*codes, unsafe=unsafe).contents.items():
            (self.folder / path).write_bytes(after)
        assert self.fixes(*codes, unsafe=unsafe).contents == {}
        return (self.folder / "shop" / f"{module}.py").read_text(encoding="utf-8")


def doubts(fixes: Fixes) -> list[str]:
    """Return what stands against all groups, in order."""
    return sorted({doubt.text for group in (*fixes.hidden, *fixes.refused) for doubt in group.doubts})


# --- the boundary -----------------------------------------------------------------------------------------------------

READ = '''\
from fastmcp import FastMCP

from shop.errors import ShopError

mcp = FastMCP("shop")


@mcp.tool()
def read(path: str, limit: int | None = None) -> dict:
    """Read."""
    if not path:
        return {"error": "no path", "path": "", "lines": [], "count": 0, "limit": None}
    lines = [line for line in path]
    return {"path": path, "lines": lines, "count": len(lines), "limit": limit}
'''


def test_a_boundary_is_put_on_and_the_error_returns_below_it_become_raises_in_the_same_run(tmp_path: Path) -> None:
    after = Project(tmp_path, server=READ).fixed("ERR201", "ERR101")
    payload = 'return {"error": "no path", "path": "", "lines": [], "count": 0, "limit": None}'
    assert after == READ.replace(
        "from shop.errors import ShopError", "from shop.errors import ShopError, answered"
    ).replace(
        "@mcp.tool()\n",
        '@mcp.tool()\n@answered(\n    operation="read",\n'
        '    empty_result={"path": "", "lines": [], "count": 0, "limit": None},\n)\n',
    ).replace(payload, 'raise ShopError("no path")')


def test_without_the_boundary_the_error_returns_stay(tmp_path: Path) -> None:
    found = Project(tmp_path, server=READ).fixes("ERR201", "ERR101", unsafe=False)
    assert found.contents == {}
    assert "clients get the boundary's answer, where they got what `read` raises" in doubts(found)


EMPTIED = {
    "texts, numbers, truth values, lists and dicts": (
        "def read(path: str):\n"
        '    return {"a": f"{path}", "b": path.count("x") + 1, "c": path == "", "d": sorted(path), "e": {"x": path}}\n',
        '{"a": "", "b": 0, "c": False, "d": [], "e": {}}',
    ),
    "keys that only some answers have": (
        'def read(path: str):\n    if path:\n        return {"a": path, "b": path}\n    return {"a": path}\n',
        '{"a": ""}',
    ),
    "the success marker": ('def read(path: str):\n    return {"success": True}\n', '{"success": False}'),
    "a dict in a variable, with what is put into it": (
        'def read(path: str):\n    found = {"a": path}\n    found["b"] = [path]\n    return found\n',
        '{"a": "", "b": []}',
    ),
    "what is put into it in a try": (
        'def read(path: str):\n    try:\n        found = {"a": path}\n        found["b"] = [path]\n'
        "        return found\n    finally:\n        print(path)\n",
        '{"a": "", "b": []}',
    ),
    "what another function answers": (
        'def look(path: str):\n    return {"a": [path]}\n\n\n@TOOL\ndef read(path: str):\n    return look(path)\n',
        '{"a": []}',
    ),
    "what may be nothing": (
        'def read(path: str):\n    return {"a": path or None, "b": path if path else None}\n',
        '{"a": None, "b": None}',
    ),
    "what the error payloads say": (
        "def read(path, what):\n    if not path:\n"
        '        return {"error": "x", "a": []}\n    return {"a": what.found}\n',
        '{"a": []}',
    ),
}


@pytest.mark.parametrize(("function", "empty"), EMPTIED.values(), ids=EMPTIED)
def test_the_empty_result_is_made_of(tmp_path: Path, function: str, empty: str) -> None:
    function = function.replace("@TOOL", "@mcp.tool()") if "@TOOL" in function else f"@mcp.tool()\n{function}"
    after = Project(tmp_path, server=HEAD + function).fixed("ERR201")
    assert f'@answered(operation="read", empty_result={empty})\n' in after


def test_a_key_of_which_nothing_is_known_is_told_of(tmp_path: Path) -> None:
    server = HEAD + '@mcp.tool()\ndef read(path):\n    return {"a": path}\n'
    found = Project(tmp_path, server=server).fixes("ERR201", unsafe=False)
    assert "it cannot be told what is empty for `a`" in doubts(found)


def test_answers_that_are_no_dicts_are_told_of(tmp_path: Path) -> None:
    server = HEAD + "@mcp.tool()\ndef read(path: str) -> str:\n    return path\n"
    project = Project(tmp_path, server=server)
    assert doubts(project.fixes("ERR201", unsafe=False)) == [
        "clients get the boundary's answer, where they got what `read` raises",
        "it is declared to answer `str`, and the boundary answers an object",
        "not all answers of `read` are dicts that can be read",
    ]
    assert '@mcp.tool()\n@answered(operation="read")\ndef' in project.fixed("ERR201")


def test_an_empty_result_keeps_what_error_payloads_answer(tmp_path: Path) -> None:
    body = 'def read(path):\n    if path:\n        return {"error": "x", "lines": []}\n    return {"text": ""}\n'
    found = Project(tmp_path, server=HEAD + COVERED + body).fixes("ERR203")
    assert doubts(found) == ["an error payload of the function has the `lines` that no other answer has"]


def test_an_empty_result_that_cannot_be_filled_holds_no_error_return_back(tmp_path: Path) -> None:
    body = (
        'def read(path):\n    if path:\n        return {"error": "x"}\n    found = {"a": ""}\n    found.update(b=1)\n'
    )
    found = Project(tmp_path, server=HEAD + COVERED + body + "    return found\n").fixes("ERR101", "ERR203")
    assert [[item.code for item in group.findings] for group in found.fixed] == [["ERR101"]]
    assert "ERR203 is still found in the result" in doubts(found)


UNDECORATED = "@mcp.tool()\ndef read(path: str):\n    return {'a': path}\n"

REFUSED_BOUNDARIES = {
    "a boundary that nobody defines": (
        CONFIGURATION.replace("shop.errors.answered", "shop.errors.handled"),
        ERRORS,
        "`handled` is no function of the project",
    ),
    "a boundary that needs more": (
        CONFIGURATION,
        ERRORS.replace("def answered(operation,", "def answered(operation, retries,"),
        "`answered` needs `retries`, which cannot be told from the adapter",
    ),
    "a pattern that no operation fits": (
        CONFIGURATION.replace('operation = "operation"', 'operation = "operation"\noperation-pattern = "[0-9]+"'),
        ERRORS,
        "no operation made of `read` matches `[0-9]+`",
    ),
    "a name that is taken": (
        CONFIGURATION,
        ERRORS,
        "`answered` stands for something else here",
    ),
}


@pytest.mark.parametrize(("configuration", "errors", "reason"), REFUSED_BOUNDARIES.values(), ids=REFUSED_BOUNDARIES)
def test_no_boundary_is_put_on_for(tmp_path: Path, configuration: str, errors: str, reason: str) -> None:
    head = HEAD.replace(", answered", "") + ("answered = errors = 1\n\n\n" if "stands for" in reason else "")
    found = Project(tmp_path, configuration, server=head + UNDECORATED, errors=errors).fixes("ERR201")
    assert doubts(found) == [reason]


def test_a_boundary_that_takes_no_operation_is_given_none(tmp_path: Path) -> None:
    errors = ERRORS.replace("def answered(operation, *, ", "def answered(*, ")
    server = HEAD.replace(", answered", "") + UNDECORATED
    assert '@mcp.tool()\n@answered(empty_result={"a": ""})\ndef read' in Project(
        tmp_path, server=server, errors=errors
    ).fixed("ERR201")


@pytest.mark.parametrize(
    ("template", "operation"),
    [("{module}:{function}", "server:read"), ("shop.{tool}", "shop.read"), ("{function}", "read")],
)
def test_an_operation_is_spelt_by_the_template(tmp_path: Path, template: str, operation: str) -> None:
    given = f'operation = "operation"\noperation-template = "{template}"'
    configuration = CONFIGURATION.replace('operation = "operation"', given)
    server = HEAD.replace(", answered", "") + UNDECORATED
    assert f'@answered(operation="{operation}", ' in Project(tmp_path, configuration, server=server).fixed("ERR201")


def test_a_boundary_that_takes_the_function_is_written_without_a_call(tmp_path: Path) -> None:
    configuration = CONFIGURATION.replace('operation = "operation"\nempty-result = "empty_result"\n', "")
    errors = (
        "import functools\n\n\nclass ShopError(Exception):\n    pass\n\n\ndef answered(function):\n"
        "    @functools.wraps(function)\n    def wrapper(*args):\n        return function(*args)\n\n"
        "    return wrapper\n"
    )
    after = Project(tmp_path, configuration, server=HEAD + UNDECORATED, errors=errors).fixed("ERR201")
    assert after == HEAD + UNDECORATED.replace("@mcp.tool()\n", "@mcp.tool()\n@answered\n")


OPERATIONS = {
    "by position and with a prefix, as the others do": (
        '@mcp.tool()\n@answered("shop:write")\ndef write(path: str):\n    return path\n\n\n',
        "",
        '@answered("shop:read", empty_result=',
    ),
    "with what the pattern begins with": (
        "",
        'operation-pattern = "shop/[a-z]+"\n',
        '@answered(operation="shop/read", ',
    ),
    "with the module where the pattern wants a word before it": (
        "",
        'operation-pattern = "\\\\w+\\\\.\\\\w+"\n',
        '@answered(operation="server.read", ',
    ),
}


@pytest.mark.parametrize(("others", "pattern", "decorator"), OPERATIONS.values(), ids=OPERATIONS)
def test_the_operation_is_spelt(tmp_path: Path, others: str, pattern: str, decorator: str) -> None:
    configuration = CONFIGURATION.replace("empty-result", f"{pattern}empty-result")
    assert decorator in Project(tmp_path, configuration, server=HEAD + others + UNDECORATED).fixed("ERR201")


def test_decorators_that_change_places_and_values_do_so_one_after_the_other(tmp_path: Path) -> None:
    misplaced = '@answered(operation="read", empty_result={"lines": [], "count": 0})\n@mcp.tool()\n'
    body = (
        'def read(path: str) -> dict:\n    if not path:\n        raise ShopError(path)\n    return {"lines": [path]}\n'
    )
    project = Project(tmp_path, server=HEAD + misplaced + body)
    found = project.fixes("ERR202", "ERR203")
    assert found.contents["shop/server.py"][1].decode() == HEAD + COVERED + body
    assert found.refused == ()


def test_decorators_below_the_registration_stay_below_the_boundary_with_their_comments(tmp_path: Path) -> None:
    server = HEAD + UNDECORATED.replace("def read", "# once a minute\n@limited  # why\ndef read")
    after = Project(tmp_path, server=server).fixed("ERR201")
    assert "@mcp.tool()\n@answered(operation=\"read\", empty_result={'a': ''})\n# once a minute\n@limited  # why\n" in (
        after.replace('"a": ""', "'a': ''")
    )


# --- handlers ---------------------------------------------------------------------------------------------------------

CHAINED = {
    "a name that the handler has": ("except KeyError as err:", "", "from err", True),
    "a name that it gets": ("except KeyError:", "", "from exc", True),
    "a comment behind the raise": ("except KeyError as err:", "  # gone", "from err", True),
    "a bare except": ("except:", "", "from exc", False),
}


@pytest.mark.parametrize(("clause", "comment", "cause", "is_safe"), CHAINED.values(), ids=CHAINED)
def test_a_raise_is_chained_with(tmp_path: Path, clause: str, comment: str, cause: str, is_safe: bool) -> None:
    body = "def read(path):\n    try:\n        return {'lines': path['x']}\n    CLAUSE\n        RAISE\n"
    configuration = CONFIGURATION.replace('cause = "cause"\n', "")
    server = HEAD + COVERED + body
    before = server.replace("CLAUSE", clause).replace("RAISE", f'raise ShopError("gone"){comment}')
    name = cause.removeprefix("from ")
    named = {"except KeyError:": f"except KeyError as {name}:", "except:": f"except Exception as {name}:"}
    after = server.replace("CLAUSE", named.get(clause, clause))
    after = after.replace("RAISE", f'raise ShopError("gone") {cause}{comment}')
    project = Project(tmp_path, configuration, server=before)
    assert bool(project.fixes("ERR207", unsafe=False).contents) is is_safe
    assert project.fixed("ERR207") == after


def test_a_cause_that_somebody_reads_makes_chaining_unsafe(tmp_path: Path) -> None:
    errors = ERRORS + "\n\ndef why(exc):\n    return exc.__cause__\n"
    server = (
        HEAD
        + COVERED
        + "def read(path):\n    try:\n        return path()\n    except OSError:\n        raise ShopError('x')\n"
    )
    found = Project(tmp_path, CONFIGURATION.replace('cause = "cause"\n', ""), server=server, errors=errors)
    assert doubts(found.fixes("ERR207", unsafe=False)) == [
        "`__cause__` of an exception is read here, and would be filled"
    ]


def test_a_cause_that_is_only_set_makes_chaining_no_less_safe(tmp_path: Path) -> None:
    errors = ERRORS + "\n\ndef alone(exc):\n    exc.__cause__ = None\n    return exc.args\n"
    body = "def read(path):\n    try:\n        return path()\n    except OSError:\n        raise ShopError('x')\n"
    project = Project(
        tmp_path, CONFIGURATION.replace('cause = "cause"\n', ""), server=HEAD + COVERED + body, errors=errors
    )
    after = body.replace("OSError", "OSError as exc").replace("('x')", "('x') from exc")
    assert project.fixed("ERR207", unsafe=False) == HEAD + COVERED + after


def test_the_cause_goes_to_the_argument_of_the_class_in_the_layout_of_the_others(tmp_path: Path) -> None:
    body = (
        "def read(path):\n    try:\n        return {'lines': path['x']}\n    except KeyError as err:\n"
        "        raise ShopError(\n            'gone',\n        )\n"
    )
    after = Project(tmp_path, server=HEAD + COVERED + body).fixed("ERR207")
    assert after == HEAD + COVERED + body.replace(
        "            'gone',\n        )", "            'gone',\n            cause=err,\n        ) from err"
    )


def test_a_handler_whose_name_is_bound_again_is_left_alone(tmp_path: Path) -> None:
    body = (
        "def read(path):\n    try:\n        return path()\n    except OSError as err:\n"
        "        err = 1\n        raise ShopError('x')\n"
    )
    found = Project(tmp_path, server=HEAD + COVERED + body).fixes("ERR207")
    assert doubts(found) == ["the handler around it binds its name again"]


def test_a_swallowed_raise_passes_its_handler(tmp_path: Path) -> None:
    body = (
        "def read(path):\n    try:\n        if not path:\n            raise ShopError('x')\n"
        "        return {'lines': []}\n"
        "    except OSError:\n        return {'lines': [1]}\n"
        "    except Exception:\n        return {'lines': [2]}\n"
    )
    project = Project(tmp_path, server=HEAD + COVERED + body)
    assert project.fixes("ERR205", unsafe=False).contents == {}
    after = body.replace("    except Exception:", "    except ShopError:\n        raise\n    except Exception:")
    assert project.fixed("ERR205") == HEAD + COVERED + after


# --- codes ------------------------------------------------------------------------------------------------------------

CODED = CONFIGURATION.replace('cause = "cause"\n', "") + '[tool.errlint.codes]\nregistry = ["shop.codes:Code"]\n'
CODED_ERRORS = ERRORS.replace("message, *, cause=None", "message, code=None")
RAISING = 'def read(path):\n    if path:\n        raise ShopError("x", code="gone")\n    return {"lines": []}\n'

REGISTRIES = {
    "constants": ("class Code:\n    BAD = 'bad'\n    GONE = 'gone'\n", "Code.GONE", True),
    "strings": ("from enum import StrEnum\n\n\nclass Code(StrEnum):\n    GONE = 'gone'\n", "Code.GONE", True),
    "an enum of which nobody uses members": (
        "from enum import Enum\n\n\nclass Code(Enum):\n    GONE = 'gone'\n",
        "Code.GONE.value",
        True,
    ),
    "an enum whose members are handed over": (
        "from enum import Enum\n\n\nclass Code(str, Enum):\n    GONE = 'gone'\n\n\nFIRST = Code.GONE\n",
        "Code.GONE",
        False,
    ),
}


@pytest.mark.parametrize(("codes", "text", "is_safe"), REGISTRIES.values(), ids=REGISTRIES)
def test_a_literal_becomes_the_member_of(tmp_path: Path, codes: str, text: str, is_safe: bool) -> None:
    project = Project(tmp_path, CODED, server=HEAD + COVERED + RAISING, errors=CODED_ERRORS, codes=codes)
    assert bool(project.fixes("ERR304", unsafe=False).contents) is is_safe
    after = HEAD.replace("from shop.errors", "from shop.codes import Code\nfrom shop.errors") + COVERED + RAISING
    assert project.fixed("ERR304") == after.replace('"gone"', text)


def test_a_code_that_stands_in_the_message_too_is_replaced_where_it_is_the_code(tmp_path: Path) -> None:
    raising = RAISING.replace('"x"', '"gone"')
    codes = "class Code:\n    BAD = 'bad'\n    GONE = 'gone'\n"
    project = Project(tmp_path, CODED, server=HEAD + COVERED + raising, errors=CODED_ERRORS, codes=codes)
    assert 'raise ShopError("gone", code=Code.GONE)' in project.fixed("ERR304")


NEW_MEMBERS = {
    "in its place, where they are sorted": (
        "class Code:\n    BAD = 'bad'\n    ZERO = 'zero'  # none\n",
        "class Code:\n    BAD = 'bad'\n    GONE = 'gone'\n    ZERO = 'zero'  # none\n",
    ),
    "at the end, where they are not": (
        "class Code:\n    ZERO = 'zero'\n    BAD = 'bad'  # worse\n\n    # end\n",
        "class Code:\n    ZERO = 'zero'\n    BAD = 'bad'  # worse\n    GONE = 'gone'\n\n    # end\n",
    ),
    "by its name": (
        "from enum import StrEnum, auto\n\n\nclass Code(StrEnum):\n    ZERO = auto()\n    BAD = auto()\n",
        "from enum import StrEnum, auto\n\n\nclass Code(StrEnum):\n    ZERO = auto()\n    BAD = auto()\n"
        "    GONE = auto()\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), NEW_MEMBERS.values(), ids=NEW_MEMBERS)
def test_an_unknown_code_is_registered_and_then_named(tmp_path: Path, before: str, after: str) -> None:
    project = Project(tmp_path, CODED, server=HEAD + COVERED + RAISING, errors=CODED_ERRORS, codes=before)
    assert "code=Code.GONE)" in project.fixed("ERR301", "ERR304")
    assert (tmp_path / "shop" / "codes.py").read_text(encoding="utf-8") == after


def test_several_codes_are_registered_in_one_run(tmp_path: Path) -> None:
    names = [f"lost_{letter}" for letter in "abcdefghijkl"]
    body = "".join(f"    if path == '{name}':\n        raise ShopError('x', code='{name}')\n" for name in names)
    codes = "class Code:\n    ZERO = 'zero'\n    BAD = 'bad'\n"
    server = f"{HEAD}{COVERED}def read(path):\n{body}    return {{'lines': []}}\n"
    project = Project(tmp_path, CODED, server=server, errors=CODED_ERRORS, codes=codes)
    added = "".join(f"    {name.upper()} = '{name}'\n" for name in names)
    assert project.fixed("ERR301", module="codes") == codes + added


def test_a_code_that_is_nearly_a_registered_one_becomes_that_where_it_is_used(tmp_path: Path) -> None:
    codes = "class Code:\n    ZERO = 'zero'\n    GONE_ = 'gonee'\n"
    project = Project(tmp_path, CODED, server=HEAD + COVERED + RAISING, errors=CODED_ERRORS, codes=codes)
    assert project.fixes("ERR301", unsafe=False).contents == {}
    assert 'code="gonee")' in project.fixed("ERR301")


UNREGISTERED = {
    "a registry that says more": (
        "from enum import Enum\n\n\nclass Code(Enum):\n    ZERO = ('zero', 500)\n    BAD = ('bad', 400)\n",
        "the members of the registry say more than their codes",
    ),
    "a list": ("Code = ['zero', 'bad']\n", "its registry is no class of members, or there are several"),
}


@pytest.mark.parametrize(("codes", "reason"), UNREGISTERED.values(), ids=UNREGISTERED)
def test_a_code_is_not_registered_for(tmp_path: Path, codes: str, reason: str) -> None:
    project = Project(tmp_path, CODED, server=HEAD + COVERED + RAISING, errors=CODED_ERRORS, codes=codes)
    assert doubts(project.fixes("ERR301")) == [reason]


PREFIXED = CODED + 'prefix = "[{code}] "\nprefixed = ["shop.errors.ShopError"]\n'

PREFIXES = {
    "a text": ('"x", code="gone"', '"[gone] x", code="gone"'),
    "a text with holes": ('f"x {path}", code="gone"', 'f"[gone] x {path}", code="gone"'),
    "several texts": ("f'x {path}' 'y', code=\"gone\"", "f'[gone] x {path}' 'y', code=\"gone\""),
}


@pytest.mark.parametrize(("before", "after"), PREFIXES.values(), ids=PREFIXES)
def test_a_message_gets_its_prefix_in(tmp_path: Path, before: str, after: str) -> None:
    server = HEAD + COVERED + RAISING
    codes = "class Code:\n    BAD = 'bad'\n    GONE = 'gone'\n"
    project = Project(
        tmp_path, PREFIXED, server=server.replace('"x", code="gone"', before), errors=CODED_ERRORS, codes=codes
    )
    assert project.fixed("ERR305") == server.replace('"x", code="gone"', after)


def test_a_message_without_a_known_code_is_left_alone(tmp_path: Path) -> None:
    server = HEAD + COVERED + RAISING.replace(', code="gone"', "")
    codes = "class Code:\n    BAD = 'bad'\n    GONE = 'gone'\n"
    project = Project(tmp_path, PREFIXED, server=server, errors=CODED_ERRORS, codes=codes)
    assert doubts(project.fixes("ERR305")) == ["no code is known for it"]


# --- fields and logs --------------------------------------------------------------------------------------------------

FIELDS = CONFIGURATION + '[[tool.errlint.required]]\nclasses = ["ShopError"]\nfields = ["path"]\n'
FIELD_ERRORS = ERRORS.replace("*, cause=None", "*, path=None, cause=None")

IN_SCOPE = {
    "a parameter": (
        "def read(path):\n    if path:\n        raise ShopError('x'HERE)\n    return {'lines': []}\n",
        True,
    ),
    "a name that was bound before": (
        "def read(on):\n    path = on.path\n    if path:\n        raise ShopError('x'HERE)\n    return {'lines': []}\n",
        True,
    ),
    "the target of a loop": (
        "def read(on):\n    for path in on:\n        raise ShopError('x'HERE)\n    return {'lines': []}\n",
        True,
    ),
    "a name that is bound on some ways": (
        "def read(on):\n    if on:\n        path = 1\n    raise ShopError('x'HERE)\n",
        False,
    ),
    "a name that is bound in the try": (
        "def read(on):\n    try:\n        path = on()\n    except OSError as exc:\n"
        "        raise ShopError('x', cause=excHERE) from exc\n    return {'lines': path}\n",
        False,
    ),
    "a parameter that is deleted": (
        "def read(path):\n    del path\n    raise ShopError('x'HERE)\n",
        False,
    ),
    "no name of the kind": ("def read(on):\n    raise ShopError('x'HERE)\n", False),
}


@pytest.mark.parametrize(("body", "is_fixed"), IN_SCOPE.values(), ids=IN_SCOPE)
def test_a_missing_field_is_passed_on_from(tmp_path: Path, body: str, is_fixed: bool) -> None:
    server = HEAD + COVERED + body
    project = Project(tmp_path, FIELDS, server=server.replace("HERE", ""), errors=FIELD_ERRORS)
    if is_fixed:
        assert project.fixed("ERR403", unsafe=False) == server.replace("HERE", ", path=path")
    else:
        assert doubts(project.fixes("ERR403")) == ["`ShopError` needs `path`, which is not in scope"]


def test_each_error_of_a_file_gets_its_fields(tmp_path: Path) -> None:
    body = "def read(path):\n    if path:\n        raise ShopError('x'HERE)\n    raise ShopError('y'HERE)\n"
    server = HEAD + COVERED + body
    project = Project(tmp_path, FIELDS, server=server.replace("HERE", ""), errors=FIELD_ERRORS)
    assert project.fixed("ERR403", unsafe=False) == server.replace("HERE", ", path=path")


def test_a_field_is_unsafe_where_the_class_may_put_it_into_its_text(tmp_path: Path) -> None:
    errors = FIELD_ERRORS.replace("super().__init__(message)", "super().__init__(f'{message} {path}')")
    body = "def read(path):\n    raise ShopError('x')\n"
    project = Project(tmp_path, FIELDS, server=HEAD + COVERED + body, errors=errors)
    assert doubts(project.fixes("ERR403", unsafe=False)) == [
        "the constructor of `ShopError` does not hand on its message as it is"
    ]


MADE_INSIDE = """\
class ShopError(Exception):
    def __init__(self, message, *, context=None):
        super().__init__(message)
        self.context = context or {}


class OrderError(ShopError):
    def __init__(self, message, order_id):
        super().__init__(message)
        self.order_id = order_id


def answered(operation, *, empty_result=None):
    return lambda function: function
"""


def test_a_constructor_that_leaves_a_field_out_of_the_context_is_left_to_people(tmp_path: Path) -> None:
    required = '[[tool.errlint.required]]\nclasses = ["OrderError"]\nfields = ["order_id"]\ninside = "context"\n'
    project = Project(tmp_path, CONFIGURATION + required, errors=MADE_INSIDE)
    assert doubts(project.fixes("ERR403")) == ["where the value comes from is for people to say"]


LOGS = 'style = "log"\nlogs = { methods = { warning = ["warning"], error = ["error"] } }\n'

LEVELS = {
    "a method": ("log.error('x', severity='warning')", "log.warning('x', severity='warning')"),
    "a level": (
        "log.log(logging.ERROR, 'x', severity='warning')",
        "log.log(logging.WARNING, 'x', severity='warning')",
    ),
    "a traceback that stays": (
        "log.exception('x', severity='warning')",
        "log.warning('x', severity='warning', exc_info=True)",
    ),
}


@pytest.mark.parametrize(("before", "after"), LEVELS.values(), ids=LEVELS)
def test_the_level_is_that_of_the_severity_for(tmp_path: Path, before: str, after: str) -> None:
    server = f"import logging\n\nlog = logging.getLogger()\n\n\ndef run():\n    {before}  # here\n"
    project = Project(tmp_path, f"[tool.errlint]\n{LOGS}", server=server)
    assert project.fixes("ERR406", unsafe=False).contents == {}
    assert project.fixed("ERR406") == server.replace(before, after)


# --- error records ----------------------------------------------------------------------------------------------------

RECORDS = '[tool.errlint]\nconvention = "error-reports"\n'
REPORTING = """\
import logging
from datetime import datetime, timezone

logger = logging.getLogger(__name__)


def now():
    return datetime.now(timezone.utc).isoformat()


def read(url, run_id):
    {log}
    return {record}


def other(run_id):
    logger.error("x", extra={{"error_type": "ParsingError", "recovery": "skip"}})
    return {{"error": {{"type": "ParsingError", "severity": "error", "phase": 2, "agent": "reader", "message": "x",
        "recovery": "skip", "context": {{"run": run_id}}, "timestamp": now(), "run_id": run_id}}}}
"""
LOGGING = 'logger.error("x", extra={"error_type": "ParsingError", "recovery": "skip"})'
RECORD = (
    '{"error": {"type": "ParsingError", "severity": "error", "phase": 2, "agent": "reader", "message": "x", '
    '"recovery": "skip", "context": {"url": url}, "timestamp": now(), "run_id": run_id}}'
)


def reporting(folder: Path, log: str, record: str) -> Project:
    return Project(folder, RECORDS, server=REPORTING.format(log=log, record=record))


COMPLETED = {
    "a name in scope": ', "run_id": run_id',
    "what all others have": '"agent": "reader", ',
    "a call of the others": '"timestamp": now(), ',
    "the recovery of its type": '"recovery": "skip", ',
    "the parameters that nothing else tells": '"context": {"url": url}, ',
}


@pytest.mark.parametrize("part", COMPLETED.values(), ids=COMPLETED)
def test_a_record_gets_for_a_missing_field(tmp_path: Path, part: str) -> None:
    project = reporting(tmp_path, LOGGING, RECORD.replace(part, ""))
    assert project.fixes("ERR403", unsafe=False).contents == {}
    fixed, expected = project.fixed("ERR403"), REPORTING.format(log=LOGGING, record=RECORD)
    assert ast.dump(ast.parse(fixed)) == ast.dump(ast.parse(expected))


EMPTY_CONTEXT = {
    "of an empty one": ("{}", '{"url": url}', ""),
    "of one that lacks a key": ('{"a": 1}', '{"a": 1, "url": url}', 'context = { ParsingError = ["url"] }\n'),
    "of an empty one that lacks a key": ("{}", '{"url": url}', 'context = { ParsingError = ["url"] }\n'),
}


@pytest.mark.parametrize(("before", "after", "context"), EMPTY_CONTEXT.values(), ids=EMPTY_CONTEXT)
def test_the_context_of_a_record_is_filled(tmp_path: Path, before: str, after: str, context: str) -> None:
    configuration = f"{RECORDS}[tool.errlint.payload]\n{context}" if context else RECORDS
    server, whole = (
        REPORTING.format(log=LOGGING, record=RECORD.replace('{"url": url}', each)).replace(
            '{"run": run_id}', '{"url": 1}'
        )
        for each in (before, after)
    )
    fixed = Project(tmp_path, configuration, server=server).fixed("ERR403")
    assert ast.dump(ast.parse(fixed)) == ast.dump(ast.parse(whole))


def test_a_field_of_a_record_with_nothing_in_it_is_left_to_people(tmp_path: Path) -> None:
    project = reporting(tmp_path, LOGGING, RECORD.replace('"run_id": run_id', '"run_id": None'))
    assert doubts(project.fixes("ERR403")) == ["`run_id` is passed, with nothing in it"]


UNDECIDED = {
    "its severity": ('"severity": "error", ', "", "nothing says what `severity` of the record is"),
    "its recovery": (
        '"ParsingError", "severity": "error", "phase": 2, "agent": "reader", "message": "x", "recovery": "skip", ',
        '"PageLoadError", "severity": "warning", "phase": 2, "agent": "reader", "message": "x", ',
        "whether `recovery` is `retry` or `user_intervention` has to be decided",
    ),
}


@pytest.mark.parametrize(("part", "other", "reason"), UNDECIDED.values(), ids=UNDECIDED)
def test_a_record_is_left_where_people_have_to_decide(tmp_path: Path, part: str, other: str, reason: str) -> None:
    assert part in RECORD
    project = reporting(tmp_path, LOGGING, RECORD.replace(part, other))
    assert doubts(project.fixes("ERR403")) == [reason]


def test_a_record_gets_the_time_where_no_other_one_says_how(tmp_path: Path) -> None:
    record = (
        '{"error": {"type": "X", "severity": "error", "phase": 2, "agent": "a", "message": "x", "recovery": "skip", '
    )
    record += '"context": {"url": url}HERE, "run_id": "r"}}'
    server = f"HEADdef read(url):\n    return {record}\n"
    project = Project(tmp_path, RECORDS, server=server.replace("HERE", "").replace("HEAD", ""))
    fixed = project.fixed("ERR403")
    assert "from datetime import datetime, timezone\n" in fixed
    assert '"timestamp": datetime.now(timezone.utc).isoformat(),' in fixed


LOGGERS = {
    "the standard library": (
        "import logging\nlogger = logging.getLogger()\n",
        ', extra={"error_type": "Z", "recovery": "skip"}',
    ),
    "a structured one": ("import structlog\nlogger = structlog.get_logger()\n", ', error_type="Z", recovery="skip"'),
    "one that is called so elsewhere": (
        "from shop import logger\nlogger.info('x', run='r')\n",
        ', error_type="Z", recovery="skip"',
    ),
    "one that nothing is known of": ("from shop import logger\n", ""),
}


@pytest.mark.parametrize(("head", "fields"), LOGGERS.values(), ids=LOGGERS)
def test_a_log_call_gets_the_fields_of_the_record_beside_it_by(tmp_path: Path, head: str, fields: str) -> None:
    server = (
        head
        + '\n\ndef read(url):\n    logger.error("no"HERE)\n    return {"error": {"type": "Z", "recovery": "skip"}}\n'
    )
    configuration = RECORDS + "[tool.errlint.codes]\nvocabulary = {Z = {}}\n"
    project = Project(tmp_path, configuration, server=server.replace("HERE", ""))
    assert project.fixes("ERR405", unsafe=False).contents == {}
    if fields:
        assert project.fixed("ERR405") == server.replace("HERE", fields)
    else:
        text = "nothing says how `logger` takes fields: no other call of it in this file has some"
        assert doubts(project.fixes("ERR405")) == [text]


DONE_NEXT = {
    "the next item": (
        "try:\n    load(url)\nexcept OSError as e:\n    LOG\n    continue\nprint(url)\n",
        "type(e).__name__",
        "skip",
    ),
    "nothing more in a loop": ("try:\n    load(url)\nexcept OSError as e:\n    LOG\n", "type(e).__name__", "skip"),
    "nothing answered": (
        "try:\n    load(url)\nexcept OSError as e:\n    LOG\n    return None\n",
        "type(e).__name__",
        "skip",
    ),
    "an error answered": (
        'try:\n    load(url)\nexcept OSError as e:\n    LOG\n    return {"error": f"no {e}"}\n',
        "type(e).__name__",
        "skip",
    ),
    "the end": ("try:\n    load(url)\nexcept OSError as e:\n    LOG\n    sys.exit(1)\n", "type(e).__name__", "abort"),
    "the end by a class": (
        "try:\n    load(url)\nexcept OSError as e:\n    LOG\n    raise SystemExit(1)\n",
        "type(e).__name__",
        "abort",
    ),
    "an error answered by a name": (
        'try:\n    load(url)\nexcept OSError as e:\n    LOG\n    if url:\n        pass\n    x = {"error": f"no {e}"}\n'
        "    return x\n",
        "type(e).__name__",
        "skip",
    ),
    "a member for nothing answered": (
        "try:\n    load(url)\nexcept OSError as e:\n    LOG\n    return Kind.UNKNOWN, {}\n",
        "type(e).__name__",
        "skip",
    ),
    "what is answered without the error, too": (
        "try:\n    load(url)\nexcept OSError as e:\n    LOG\nreturn done\n",
        "type(e).__name__",
        "skip",
    ),
    "what is answered in the other case, too": (
        "x = 'not configured'\nif not url:\n    LOG\nreturn load(url)\n",
        '"ConfigMissing"',
        "skip",
    ),
    "the same once more": (
        "for n in range(3):\n    try:\n        return load(url)\n    except OSError as e:\n        LOG\n",
        "type(e).__name__",
        "retry",
    ),
    "the same until it is there": (
        "while True:\n    try:\n        load(url)\n        break\n    except OSError as e:\n        LOG\n",
        "type(e).__name__",
        "retry",
    ),
    "another way": (
        "try:\n    return load(url)\nexcept OSError as e:\n    LOG\nreturn await other(url, 1)\n",
        "type(e).__name__",
        "fallback",
    ),
    "an error answered in each case": (
        "try:\n    load(url)\nexcept OSError as e:\n    LOG\n    if url:\n"
        '        return {"id": 1, "error": {"code": e.args}}\n    return {"text": json.dumps({"error": f"no {e}"})}\n',
        "type(e).__name__",
        "skip",
    ),
    "a tuple with nothing in it": (
        "try:\n    load(url)\nexcept OSError as e:\n    LOG\n    return url, []\n",
        "type(e).__name__",
        "skip",
    ),
    "a file that is missing": ("if not url.exists():\n    LOG\n    sys.exit(1)\n", '"FileNotFound"', "abort"),
    "so many others": (
        "for n in range(3):\n    try:\n        load(n)\n    except OSError as e:\n        LOG\n",
        "type(e).__name__",
        "skip",
    ),
    "a class called as its type": (
        "try:\n    load(url)\nexcept FileNotFoundError as e:\n    LOG\n    continue\n",
        '"FileNotFound"',
        "skip",
    ),
    "a known class": ("try:\n    load(url)\nexcept TimeoutError:\n    LOG\n    continue\n", '"SearchTimeout"', "skip"),
    "a known message": ("if not url:\n    LOG\n    continue\n", '"ConfigMissing"', "skip"),
    "a message that is put together before": (
        "if not url:\n    x = f'no {url}'\n    LOG\n    return []\n",
        '"NoResultsFound"',
        "skip",
    ),
}


@pytest.mark.parametrize(("body", "kind", "recovery"), DONE_NEXT.values(), ids=DONE_NEXT)
def test_a_log_call_without_a_record_gets_what_is_handled_and_done_next(
    tmp_path: Path, body: str, kind: str, recovery: str
) -> None:
    said = "x" if "x = f" in body else '"not configured"'
    said = '"gone"' if "exists" in body else said
    log = f'logger.error({said}, extra={{"run": 1}})'
    head = "import logging\nimport sys\nlogger = logging.getLogger()\n\n\ndef read(urls):\n    for url in urls:\n"
    server = head + indent(body.replace("LOG", log), " " * 8)
    codes = 'caught = {TimeoutError = ["SearchTimeout"]}\n'
    codes += 'messages = {"not configured" = "ConfigMissing", "no *" = "NoResultsFound"}\n'
    if "except" in body:
        codes = codes.partition("messages")[0]
    project = Project(tmp_path, RECORDS + f"[tool.errlint.codes]\n{codes}", server=server)
    assert project.fixes("ERR405", unsafe=False).contents == {}
    expected = server.replace('{"run": 1}', f'{{"run": 1, "error_type": {kind}, "recovery": "{recovery}"}}')
    assert ast.dump(ast.parse(project.fixed("ERR405"))) == ast.dump(ast.parse(expected))


LEFT_TO_PEOPLE = {
    "raised again": ("try:\n    load(url)\nexcept OSError as e:\n    LOG\n    raise\n", "recovery"),
    "something else answered": (
        "try:\n    load(url)\nexcept OSError as e:\n    LOG\n    return other(urls)\n",
        "recovery",
    ),
    "tried again": (
        "for n in range(3):\n    try:\n        return load(url)\n    except OSError as e:\n"
        "        if n < 2:\n            wait(n)\n        else:\n            LOG\n",
        "recovery",
    ),
    "what makes an answer of the exception": (
        "try:\n    load(url)\nexcept OSError as e:\n    LOG\n    return other(url, e)\n",
        "recovery",
    ),
    "the same is asked once more": (
        "try:\n    return load(url)\nexcept OSError as e:\n    LOG\nreturn load(url)\n",
        "recovery",
    ),
    "what to do is answered": (
        "if not url:\n    if logger:\n        logger.error('y')\n    return Plan.ABORT\n",
        "recovery",
    ),
    "raised in either case": (
        "try:\n    load(url)\nexcept OSError as e:\n    LOG\n    if url:\n        raise\n    else:\n        raise No\n",
        "recovery",
    ),
    "everything is caught": ("try:\n    load(url)\nexcept:\n    LOG\n", "type"),
    "nothing is handled": ("if not url:\n    LOG\n    continue\n", "type"),
}


@pytest.mark.parametrize(("body", "field"), LEFT_TO_PEOPLE.values(), ids=LEFT_TO_PEOPLE)
def test_a_log_call_is_left_where_only_people_can_say(tmp_path: Path, body: str, field: str) -> None:
    head = "import logging\nlogger = logging.getLogger()\n\n\ndef read(urls):\n    for url in urls:\n"
    server = head + indent(body.replace("LOG", 'logger.error("x")'), " " * 8)
    codes = '[tool.errlint.codes]\nmessages = {y = "ConfigMissing"}\n'
    project = Project(tmp_path, RECORDS + codes, server=server)
    assert doubts(project.fixes("ERR405")) == [f"nothing says what `{field}` of the record is"]


def test_a_handler_gets_the_name_that_those_beside_it_have(tmp_path: Path) -> None:
    head = "import logging\n\n\ndef read(url):\n    try:\n        load(url)\n"
    handlers = "    except OSErrorNAME:\n        logging.getLogger('x').error('x'MORE)\n"
    handlers += "    except KeyError as e:\n        go(e)\n"
    fields = ", extra={'error_type': type(e).__name__, 'recovery': 'skip'}"
    project = Project(tmp_path, RECORDS, server=head + handlers.replace("NAME", "").replace("MORE", ""))
    expected = head + handlers.replace("NAME", " as e").replace("MORE", fields)
    assert ast.dump(ast.parse(project.fixed("ERR405"))) == ast.dump(ast.parse(expected))


@pytest.mark.parametrize(
    ("given", "kind"),
    [("error_type", "error_type"), ("type", "type(e).__name__"), ("type, severity", "type")],
    ids=["named as the argument", "of something else", "of the error, with its severity"],
)
def test_a_log_call_gets_the_type_that_its_function_is_given(tmp_path: Path, given: str, kind: str) -> None:
    head = f"import logging\nlogger = logging.getLogger()\n\n\ndef read(url, {given}):\n    try:\n        load(url)\n"
    project = Project(tmp_path, RECORDS, server=head + "    except OSError as e:\n        logger.error('x')\n")
    assert f"'error_type': {kind}, 'recovery': 'skip'" in project.fixed("ERR405")


def test_a_field_gets_a_line_of_its_own_as_the_one_argument_before_it(tmp_path: Path) -> None:
    server = "import logging\nlogger = logging.getLogger()\n\n\ndef read(url):\n    try:\n        load(url)\n"
    server += "    except OSError as e:\n        logger.error(\n            f'no {url}'HERE\n        )\n"
    project = Project(tmp_path, RECORDS, server=server.replace("HERE", ""))
    fields = ',\n            extra={"error_type": type(e).__name__, "recovery": "skip"}'
    assert project.fixed("ERR405") == server.replace("HERE", fields)


def test_a_critical_log_call_is_left_where_the_work_goes_on(tmp_path: Path) -> None:
    head = "import logging\nlogger = logging.getLogger()\n\n\ndef read(url):\n    try:\n        load(url)\n"
    server = head + "    except OSError as e:\n        logger.critical('x')\n"
    project = Project(tmp_path, RECORDS, server=server)
    assert doubts(project.fixes("ERR405")) == ["`critical` goes with `abort`, and what is done next is `skip`"]


def test_a_handler_gets_a_name_for_the_class_that_its_log_calls_tell(tmp_path: Path) -> None:
    head = "import logging\nlogger = logging.getLogger()\n\n\ndef read(url):\n    try:\n        load(url)\n"
    handler = "    except OSErrorNAME:\n        logger.error('x'MORE)\n        logger.error('y'MORE)\n"
    fields = ", extra={'error_type': type(exc).__name__, 'recovery': 'skip'}"
    project = Project(tmp_path, RECORDS, server=head + handler.replace("NAME", "").replace("MORE", ""))
    fixed = head + handler.replace("NAME", " as exc").replace("MORE", fields)
    assert project.fixed("ERR405") == fixed


SETTLED = {
    "an exceeded budget": ("BudgetExceeded", "error", "skip", "critical", "abort"),
    "a recovery of a critical error": ("SecretLeakage", "critical", "retry", "critical", "abort"),
    "a severity alone": ("ValidationError", "warning", "skip", "error", "skip"),
}


@pytest.mark.parametrize(("kind", "severity", "recovery", "own", "legal"), SETTLED.values(), ids=SETTLED)
def test_severity_and_recovery_become_those_of_the_type_for(
    tmp_path: Path, kind: str, severity: str, recovery: str, own: str, legal: str
) -> None:
    server = 'def read():\n    return {{"error": {{"type": "{0}", "severity": "{1}", "recovery": "{2}"}}}}\n'
    project = Project(tmp_path, RECORDS, server=server.format(kind, severity, recovery))
    assert project.fixes("ERR309", unsafe=False).contents == {}
    assert project.fixed("ERR309") == server.format(kind, own, legal)


def test_which_of_two_recoveries_is_meant_is_left_to_people(tmp_path: Path) -> None:
    server = 'def read():\n    return {"error": {"type": "X", "severity": "warning", "recovery": "abort"}}\n'
    project = Project(tmp_path, RECORDS, server=server)
    asked = ["whether the recovery is `retry` or `user_intervention` has to be decided"]
    assert doubts(project.fixes("ERR309")) == asked


def test_a_type_that_is_nearly_registered_becomes_that(tmp_path: Path) -> None:
    server = 'def read():\n    return {"error": {"type": "ParsingEror", "severity": "error", "recovery": "skip"}}\n'
    project = Project(tmp_path, RECORDS, server=server)
    assert project.fixes("ERR301", unsafe=False).contents == {}
    assert project.fixed("ERR301") == server.replace("Eror", "Error")


# --- comments ---------------------------------------------------------------------------------------------------------

COMMENTS = {
    "the whole comment": ("x = 1  # errlint: ignore[ERR101]", "x = 1"),
    "all but the reason": ("x = 1  # errlint: ignore[ERR101] for cron", "x = 1  # for cron"),
    "one code of two": ("x = 1  # noqa: ERR101, E501", "x = 1  # noqa: E501"),
    "the part of a comment": (
        "x = 1  # type: ignore  # errlint: ignore[ERR101]  # pragma: no cover",
        "x = 1  # type: ignore  # pragma: no cover",
    ),
    "a line of its own": ("# errlint: ignore-file[ERR101]\nx = 1", "x = 1"),
    "a comment inside brackets": ("x = [  # errlint: ignore[ERR101]\n    1,\n]", "x = [\n    1,\n]"),
    "two in one line": ("x = 1  # errlint: ignore[ERR101]  # noqa: ERR103", "x = 1"),
}


@pytest.mark.parametrize(("before", "after"), COMMENTS.values(), ids=COMMENTS)
def test_of_an_idle_suppression_goes(tmp_path: Path, before: str, after: str) -> None:
    project = Project(tmp_path, server=f"{HEAD}{before}\n\n\n{COVERED}def read():\n    return {{'lines': []}}\n")
    assert (
        project.fixed("ERR1", "ERR901", unsafe=False)
        == f"{HEAD}{after}\n\n\n{COVERED}def read():\n    return {{'lines': []}}\n"
    )


def test_a_suppression_of_a_rule_that_did_not_run_stays(tmp_path: Path) -> None:
    project = Project(tmp_path, server=f"{HEAD}x = 1  # errlint: ignore[ERR205] later\n")
    assert project.fixes("ERR101", "ERR901").contents == {}


# --- the proof --------------------------------------------------------------------------------------------------------

SOURCE = b"# -*- top -*-\nx = f(1, 'a')  # why\nif x:\n    y = g(2)  # there\n"


def call(parsed: SourceFile, line: int, column: int) -> Edit:
    """Return an edit of the call at a place."""
    import libcst as cst

    node = next(item for item in parsed.nodes_at(line, column) if isinstance(item, cst.Call))
    return Edit(node, "h(3)")


def test_an_edit_that_was_planned_is_proved() -> None:
    parsed = SourceFile("a.py", SOURCE)
    changes = Changes(edited=(call(parsed, 2, 5),))
    assert rewrite(parsed, changes) == SOURCE.replace(b"f(1, 'a')", b"h(3)")
    assert reason_against(parsed, changes, rewrite(parsed, changes)) == ""


UNPROVED = {
    "another edit": SOURCE.replace(b"f(1, 'a')", b"h(4)"),
    "an edit in another place too": SOURCE.replace(b"f(1, 'a')", b"h(3)").replace(b"g(2)", b"h(3)"),
    "no edit at all": SOURCE,
    "a lost comment": SOURCE.replace(b"f(1, 'a')  # why", b"h(3)"),
}


@pytest.mark.parametrize("after", UNPROVED.values(), ids=UNPROVED)
def test_what_was_not_planned_is_not_proved(after: bytes) -> None:
    parsed = SourceFile("a.py", SOURCE)
    assert reason_against(parsed, Changes(edited=(call(parsed, 2, 5),)), after) != ""


def test_a_comment_that_was_planned_to_change_is_proved_and_no_other() -> None:
    import libcst as cst

    parsed = SourceFile("a.py", SOURCE)
    comment = next(node for node in parsed.nodes(cst.Comment) if node.value == "# why")
    changes = Changes(comments=((comment, "# because"),))
    after = rewrite(parsed, changes)
    assert after == SOURCE.replace(b"# why", b"# because")
    assert reason_against(parsed, changes, after) == ""
    assert reason_against(parsed, changes, SOURCE.replace(b"# why", b"")) != ""
    assert reason_against(parsed, changes, after.replace(b"# there", b"")) != ""


def test_a_statement_that_was_planned_behind_another_is_proved_and_no_other() -> None:
    import libcst as cst

    parsed = SourceFile("a.py", SOURCE)
    line = next(node for node in parsed.nodes(cst.SimpleStatementLine) if parsed.line(node) == 4)
    changes = Changes(added=(Replacement(line, "z = 1\n"),))
    after = rewrite(parsed, changes)
    assert after == SOURCE + b"    z = 1\n"
    assert reason_against(parsed, changes, after) == ""
    assert reason_against(parsed, changes, SOURCE) != ""
    assert reason_against(parsed, changes, SOURCE + b"    z = 2\n") != ""
