"""What becomes of a raise: in its function, through those that call it, and where nothing may get out."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
from governed_texts import governed

from errlint.project import Project, raise_outcome
from errlint.project.names import ExternalSymbol
from errlint.project.raise_outcome import Thrown
from errlint.settings import Boundary, Policy, Style
from errlint.settings.policy import Exceptions

HEAD = """\
import asyncio
import subprocess
from functools import wraps

import requests
from fastmcp import FastMCP
from fastmcp.exceptions import ToolError

mcp = FastMCP("shop")


class ShopError(Exception):
    pass


class LostError(ShopError):
    pass


def guarded(function):
    @wraps(function)
    def run(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except ShopError:
            return {}
    return run


"""


def linked(root: Path, text: str, policy: Policy | None = None) -> Project:
    """Return the project of one file."""
    return governed(root, {"shop.py": HEAD + text}, policy or Policy())


def raised(project: Project, function: str = "find") -> Thrown:
    """Return the first raise of a function."""
    return next(
        each
        for each in raise_outcome.every_raise(project, "shop.py")
        if each.function.name == function and each.by == ""
    )


def body(text: str, head: str = "") -> str:
    """Return a function."""
    return f"{head}def find(name):\n{indent(text, '    ')}\n"


RAISE = "try:\n    raise LostError(name)\n"

FATES = {
    "nothing around it": ("raise LostError(name)", "escapes"),
    "a clause for it": (f"{RAISE}except LostError:\n    return 1", "caught"),
    "a clause for what is above": (f"{RAISE}except ShopError:\n    return 1", "caught"),
    "a clause for everything": (f"{RAISE}except:\n    return 1", "caught"),
    "a clause for something else": (f"{RAISE}except KeyError:\n    return 1", "escapes"),
    "a clause for what is not known": (f"{RAISE}except name:\n    return 1", "unknown"),
    "a clause that raises it again": (f"{RAISE}except LostError:\n    raise", "escapes"),
    "a clause that raises it again before one for all": (
        f"{RAISE}except LostError:\n    raise\nexcept Exception:\n    return 1",
        "escapes",
    ),
    "a clause that may raise it again": (
        f"{RAISE}except LostError:\n    if name:\n        raise\n    return 1",
        "unknown",
    ),
    "a clause that raises something else": (f"{RAISE}except LostError:\n    raise KeyError(name)", "replaced"),
    "a clause that may raise something else": (
        f"{RAISE}except LostError:\n    if name:\n        raise KeyError(name)\n    return 1",
        "unknown",
    ),
    "a clause around one that raises it again": (
        f"try:\n{indent(RAISE, '    ')}    except LostError:\n        raise\nexcept ShopError:\n    return 1",
        "caught",
    ),
    "a finally that answers": (f"{RAISE}finally:\n    return 1", "caught"),
    "a finally that tidies up": (f"{RAISE}finally:\n    close(name)", "escapes"),
    "a finally that may raise": (f"{RAISE}finally:\n    if name:\n        raise KeyError(name)", "unknown"),
    "a clause of its own handler": ("try:\n    close(name)\nexcept LostError:\n    raise LostError(name)", "escapes"),
}


@pytest.mark.parametrize(("text", "fate"), FATES.values(), ids=FATES)
def test_a_raise_ends_in_its_function(text: str, fate: str, tmp_path: Path) -> None:
    project = linked(tmp_path, body(text))
    thrown = [each for each in raise_outcome.every_raise(project, "shop.py") if each.name == "LostError"]
    assert raise_outcome.outcome(project, thrown[0]).fate.value == fate


def test_the_clauses_that_let_a_raise_through_are_told_from_the_inside(tmp_path: Path) -> None:
    text = (
        f"try:\n{indent(RAISE, '    ')}    except KeyError:\n        return 1\n    except LostError:\n        raise\n"
        "    except Exception:\n        raise\nexcept ShopError:\n    raise"
    )
    project = linked(tmp_path, body(text))
    assert [catch.types for catch in raise_outcome.passing(project, raised(project))] == [
        ("LostError",),
        ("ShopError",),
    ]


AGAIN = {
    "a bare raise": ("try:\n    close(name)\nexcept KeyError:\n    raise", [("KeyError",)]),
    "a bare raise in a try": (
        "try:\n    close(name)\nexcept KeyError:\n    try:\n        raise\n    except Exception:\n        return 1",
        [],
    ),
    "a bare raise before a finally that answers": (
        "try:\n    close(name)\nexcept KeyError:\n    try:\n        raise\n    finally:\n        return 1",
        [],
    ),
    "a bare raise of what is no failure": ("try:\n    close(name)\nexcept SystemExit:\n    raise", []),
    "a bare raise of what may be no failure": (
        "try:\n    close(name)\nexcept (KeyError, KeyboardInterrupt):\n    raise",
        [],
    ),
    "a bare raise without a clause": ("raise", []),
    "another raise": ("try:\n    close(name)\nexcept KeyError:\n    raise ShopError(name)", []),
}


@pytest.mark.parametrize(("text", "expected"), AGAIN.values(), ids=AGAIN)
def test_what_is_raised_again_leaves_its_function(text: str, expected: list[tuple[str, ...]], tmp_path: Path) -> None:
    project = linked(tmp_path, body(text))
    function = next(each for each in project.modules["shop.py"].functions if each.name == "find")
    assert [catch.types for _, catch in raise_outcome.raised_again(project, "shop.py", function)] == expected


def test_clauses_that_look_the_same_are_told_apart_by_their_places(tmp_path: Path) -> None:
    once = "try:\n    close(name)\nexcept KeyError:\n    raise {}(name)\n"
    text = f"{once.format('ShopError')}{once.format('LostError')}raise ValueError(name)"
    project = linked(tmp_path, body(text))
    function = next(each for each in project.modules["shop.py"].functions if each.name == "find")
    names = [
        [getattr(each.value, "name", "") for each in raise_outcome.raised_instead(function, around.catches[0])]
        for around in function.tries
    ]
    assert names == [["ShopError"], ["LostError"]]


def test_what_is_raised_instead_stands_in_the_clause(tmp_path: Path) -> None:
    text = (
        "if not name:\n    raise ValueError(name)\n"
        "try:\n    close(name)\nexcept KeyError:\n    raise ShopError(name)\nexcept OSError:\n"
        "    raise LostError(name)"
    )
    project = linked(tmp_path, body(text))
    function = next(each for each in project.modules["shop.py"].functions if each.name == "find")
    (around,) = function.tries
    names = [
        [getattr(each.value, "name", "") for each in raise_outcome.raised_instead(function, catch)]
        for catch in around.catches
    ]
    assert names == [["ShopError"], ["LostError"]]


@pytest.mark.parametrize(
    ("types", "expected"),
    [(("LostError",), True), (("ShopError",), False), (("KeyError", "LostError"), True), ((), False)],
    ids=["the class", "the one above", "one of two", "none"],
)
def test_a_clause_may_name_the_very_class(types: tuple[str, ...], expected: bool, tmp_path: Path) -> None:
    project = linked(tmp_path, body("raise LostError(name)"))
    assert raise_outcome.names_class(project, raised(project), types) is expected


KNOWN = {
    "a class": ("raise LostError(name)", ["LostError"]),
    "a builtin": ("raise KeyError", ["KeyError"]),
    "a class that is not known": ("raise name", []),
    "an answer": ("requests.get(name).raise_for_status()", ["HTTPError"]),
    "a command": ("subprocess.run([name], check=True)", ["CalledProcessError"]),
    "a command that is not checked": ("subprocess.run([name])", []),
    "another call": ("close(name)", []),
}


@pytest.mark.parametrize(("text", "expected"), KNOWN.values(), ids=KNOWN)
def test_raises_are_statements_and_calls_that_are_there_to_raise(
    text: str, expected: list[str], tmp_path: Path
) -> None:
    project = linked(tmp_path, body(text))
    found = [each for each in raise_outcome.every_raise(project, "shop.py") if each.function.name == "find"]
    assert [each.name for each in found] == expected
    assert [bool(each.by) for each in found] == [not text.startswith("raise") for _ in found]


DOMAIN = {
    "the root": ("ShopError(name)", ("ShopError",), True),
    "below the root": ("LostError(name)", ("ShopError",), True),
    "no root": ("LostError(name)", (), True),
    "a builtin": ("KeyError(name)", (), False),
    "of the protocol": ("ToolError(name)", (), True),
    "of the protocol where there is a root": ("ToolError(name)", ("ShopError",), False),
    "a foreign root": ("ToolError(name)", ("fastmcp.exceptions.ToolError",), True),
    "a foreign class of another name": ("requests.ToolError(name)", (), False),
    "of the protocol's library by another name": ("mcp_types.ToolError(name)", (), False),
}


@pytest.mark.parametrize(("text", "roots", "expected"), DOMAIN.values(), ids=DOMAIN)
def test_a_domain_exception_is(text: str, roots: tuple[str, ...], expected: bool, tmp_path: Path) -> None:
    project = linked(tmp_path, body(f"raise {text}"), Policy(exceptions=Exceptions(root=roots)))
    found = [each for each in raise_outcome.thrown(project, "shop.py") if each.function.name == "find"]
    assert bool(found) is expected


def test_an_exception_of_the_protocol_is_known_by_its_name_or_library() -> None:
    names = ("fastmcp.exceptions.NotFound", "pkg.ToolError", "mcp.shared.Other", "pkg.Other", "mcpx.Other")
    found = [name for name in names if raise_outcome.is_protocol(ExternalSymbol(name))]
    assert found == ["fastmcp.exceptions.NotFound", "pkg.ToolError", "mcp.shared.Other"]


TOLD = {
    "the first": ("ShopError('no', name)", 1),
    "by its name": ("ShopError(message='no')", 1),
    "the first and one by its name": ("ShopError(name, message='no')", 2),
    "another name": ("ShopError(row='no')", 0),
    "nothing": ("ShopError()", 0),
    "a class": ("ShopError", 0),
}


@pytest.mark.parametrize(("text", "expected"), TOLD.values(), ids=TOLD)
def test_a_message_is_the_first_argument_or_one_by_its_name(text: str, expected: int, tmp_path: Path) -> None:
    project = linked(tmp_path, body(f"raise {text}"))
    assert len(raise_outcome.told(raised(project).found)) == expected


TOOL = "@mcp.tool()\n"
SERVED = f"\n{TOOL}def look(name):\n"

LEAVES = {
    "a tool itself": (body("raise LostError(name)", TOOL), "find"),
    "no tool": (body("raise LostError(name)"), ""),
    "a tool that calls it": (body("raise LostError(name)") + SERVED + "    return find(name)\n", "look"),
    "a tool that catches it": (
        body("raise LostError(name)") + SERVED + "    try:\n        return find(name)\n    except ShopError:\n"
        "        return 1\n",
        "",
    ),
    "a tool that catches something else": (
        body("raise LostError(name)") + SERVED + "    try:\n        return find(name)\n    except KeyError:\n"
        "        return 1\n",
        "look",
    ),
    "a tool that catches it elsewhere": (
        body("raise LostError(name)") + SERVED
        + "    found = find(name)\n    try:\n        return close(found)\n    except ShopError:\n        return 1\n",
        "look",
    ),
    "a tool that calls it in the handler": (
        body("raise LostError(name)") + SERVED
        + "    try:\n        return close(name)\n    except ShopError:\n        return find(name)\n",
        "look",
    ),
    "a tool that hands it over": (
        body("raise LostError(name)") + SERVED
        + "    try:\n        close(name)\n    except ShopError:\n        return 1\n    return done(find)\n",
        "",
    ),
    "a tool that catches what it goes through": (
        body("yield name\nraise LostError(name)") + SERVED
        + "    found = find(name)\n    try:\n        return list(found)\n    except ShopError:\n        return 1\n",
        "",
    ),
    "a tool that catches what it waits for": (
        "async " + body("raise LostError(name)") + f"\n{TOOL}async def look(name):\n"
        "    found = find(name)\n    try:\n        return await found\n    except ShopError:\n        return 1\n",
        "",
    ),
    "a tool that waits for it before": (
        "async " + body("raise LostError(name)") + f"\n{TOOL}async def look(name):\n"
        "    found = await find(name)\n    try:\n        return close(found)\n    except ShopError:\n"
        "        return 1\n",
        "look",
    ),
    "a tool whose clause raises what it waits for again": (
        "async " + body("raise LostError(name)") + f"\n{TOOL}async def look(name):\n"
        "    found = find(name)\n    try:\n        return await found\n    except ShopError:\n        raise\n",
        "look",
    ),
    "a function between that catches it": (
        body("raise LostError(name)") + "\ndef count(name):\n    try:\n        return find(name)\n"
        "    except ShopError:\n"
        "        return 1\n" + SERVED + "    return count(name)\n",
        "",
    ),
    "what is caught at once": (body(f"{RAISE}except ShopError:\n    return 1", TOOL), ""),
}  # fmt: skip


@pytest.mark.parametrize(("text", "adapter"), LEAVES.values(), ids=LEAVES)
def test_an_exception_gets_to_the_clients_of(text: str, adapter: str, tmp_path: Path) -> None:
    project = linked(tmp_path, text)
    assert raise_outcome.leaves(project, raised(project)) == adapter


ANSWERED = {
    "a decorator of its function": (body("raise LostError(name)", "@answered\n"), True),
    "a decorator that only marks": (body("raise LostError(name)", "@staticmethod\n"), False),
    "a decorator below the tool": (body("raise LostError(name)", f"{TOOL}@answered\n"), True),
    "a decorator above the tool": (body("raise LostError(name)", f"@answered\n{TOOL}"), False),
    "no decorator": (body("raise LostError(name)", TOOL), False),
    "a decorator of its caller": (
        body("raise LostError(name)") + "\n@answered\ndef look(name):\n    return find(name)\n",
        True,
    ),
}


@pytest.mark.parametrize(("text", "expected"), ANSWERED.values(), ids=ANSWERED)
def test_a_decorator_may_answer_a_raise(text: str, expected: bool, tmp_path: Path) -> None:
    project = linked(tmp_path, text)
    assert raise_outcome.may_be_answered(project, raised(project)) is expected


TURNED = {
    "around its function": (body("raise LostError(name)", "@guarded\n"), True),
    "around its caller": (body("raise LostError(name)") + "\n@guarded\ndef look(name):\n    return find(name)\n", True),
    "around another function": (
        body("raise LostError(name)") + "\n@guarded\ndef look(name):\n    return name\n",
        False,
    ),
    "for another class": (body("raise KeyError(name)", "@guarded\n"), False),
}


@pytest.mark.parametrize(("text", "expected"), TURNED.values(), ids=TURNED)
def test_a_boundary_turns_a_raise(text: str, expected: bool, tmp_path: Path) -> None:
    project = linked(tmp_path, text, Policy(boundaries=(Boundary(decorator="guarded"),)))
    assert raise_outcome.is_turned(project, raised(project)) is expected


# --- what has to answer --------------------------------------------------------------------------------------------

EXEMPT = Policy(exceptions=Exceptions(exempt=("look",)))
RETURN = Policy(style=Style.RETURN)

MUST = {
    "a tool where errors are returned": (body("return name", TOOL), RETURN, True),
    "a tool where errors are raised": (body("return name", TOOL), Policy(), False),
    "no tool": (body("return name"), RETURN, False),
    "a tool that a decorator may answer for": (body("return name", f"{TOOL}@answered\n"), RETURN, False),
    "a tool with a boundary": (
        body("return name", f"{TOOL}@guarded\n"),
        Policy(style=Style.RETURN, boundaries=(Boundary(decorator="guarded"),)),
        False,
    ),
    "a tool that answers what a boundary covers": (
        body("return look(name)", TOOL) + "\n@guarded\ndef look(name):\n    return name\n",
        Policy(style=Style.RETURN, boundaries=(Boundary(decorator="guarded"),)),
        False,
    ),
    "what is exempt from raising": (body("return name"), Policy(exceptions=Exceptions(exempt=("find",))), True),
    "what is exempt by its whole name": (
        body("return name"),
        Policy(exceptions=Exceptions(exempt=("shop.find",))),
        True,
    ),
    "what is not exempt": (body("return name"), EXEMPT, False),
}


@pytest.mark.parametrize(("text", "policy", "expected"), MUST.values(), ids=MUST)
def test_a_function_has_to_answer_itself(text: str, policy: Policy, expected: bool, tmp_path: Path) -> None:
    project = linked(tmp_path, text, policy)
    function = next(each for each in project.modules["shop.py"].functions if each.name == "find")
    assert raise_outcome.must_answer(project, "shop.py", function) is expected


FOR_EXEMPT = {
    "it itself": ("\ndef other(name):\n    return name\n", "look", True),
    "what it answers": ("\ndef look(name):\n    return find(name)\n", "find", True),
    "what it answers by way of another": (
        "\ndef count(name):\n    return find(name)\n\ndef look(name):\n    return count(name)\n",
        "find",
        True,
    ),
    "what it calls": ("\ndef look(name):\n    find(name)\n    return name\n", "find", False),
    "what another one answers": ("\ndef other(name):\n    return find(name)\n", "find", False),
}


@pytest.mark.parametrize(("text", "name", "expected"), FOR_EXEMPT.values(), ids=FOR_EXEMPT)
def test_a_function_may_answer_for_an_exempt_one(text: str, name: str, expected: bool, tmp_path: Path) -> None:
    look = "" if "def look" in text else "\ndef look(name):\n    return name\n"
    for policy, is_expected in ((EXEMPT, expected), (Policy(), False)):
        project = linked(tmp_path, body("return name") + look + text, policy)
        function = next(each for each in project.modules["shop.py"].functions if each.name == name)
        assert raise_outcome.answers_for_exempt(project, "shop.py", function) is is_expected


def looked(text: str) -> str:
    """Return what is exempt from raising, and may let something out."""
    return f"\ndef look(name):\n{indent(text, '    ')}\n"


LOST = body("raise LostError(name)")

ARRIVING = {
    "a call": (LOST + looked("return find(name)"), ["LostError"]),
    "a call that catches it": (LOST + looked("try:\n    return find(name)\nexcept ShopError:\n    return 1"), []),
    "a call that may catch it": (LOST + looked("try:\n    return find(name)\nexcept name:\n    return 1"), []),
    "a call that catches something else": (
        LOST + looked("try:\n    return find(name)\nexcept KeyError:\n    return 1"),
        ["LostError"],
    ),
    "a call that raises it again": (LOST + looked("try:\n    return find(name)\nexcept ShopError:\n    raise"), []),
    "a call that raises something else again": (
        LOST + looked("try:\n    return find(name)\nexcept KeyError:\n    raise"),
        ["LostError"],
    ),
    "a call behind one that raises it again": (
        LOST + looked("try:\n    close(name)\nexcept ShopError:\n    raise\nreturn find(name)"),
        ["LostError"],
    ),
    "a call by way of another function": (
        LOST + "\ndef count(name):\n    return find(name)\n" + looked("return count(name)"),
        ["LostError"],
    ),
    "a call by way of one that catches it": (
        LOST + "\ndef count(name):\n    try:\n        return find(name)\n    except ShopError:\n        return 1\n"
        + looked("return count(name)"),
        [],
    ),
    "a function that is handed over": (LOST + looked("return done(find)"), []),
    "no failure": (body("raise SystemExit(1)") + looked("return find(name)"), []),
    "what is not implemented": (body("raise NotImplementedError") + looked("return find(name)"), []),
    "what is caught at once": (body(f"{RAISE}except ShopError:\n    return 1") + looked("return find(name)"), []),
    "what a library raises": (
        body("requests.get(name).raise_for_status()") + looked("return find(name)"),
        ["HTTPError"],
    ),
    "two calls": (LOST + looked("find(name)\nreturn find(name)"), ["LostError", "LostError"]),
    "its own raise": (looked("raise LostError(name)"), []),
    "a method of that name": (
        "class Shop:\n    def find(self, name):\n        raise LostError(name)\n" + looked("return name.find(name)"),
        [],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ARRIVING.values(), ids=ARRIVING)
def test_what_is_raised_in_others_leaves_what_has_to_answer(text: str, expected: list[str], tmp_path: Path) -> None:
    found = linked(tmp_path, text, EXEMPT).arriving
    arrivals = [each for each in found.get("shop.py", {}).values() if each.function.name == "look"]
    assert [each.thrown.name for each in arrivals] == expected
    assert linked(tmp_path, text).arriving == {}


SERVING = {
    "a domain exception": (LOST + SERVED + "    return find(name)\n", ["LostError"]),
    "another exception": (body("raise KeyError(name)") + SERVED + "    return find(name)\n", []),
    "a domain exception by way of another tool": (
        body("raise LostError(name)") + f"\n{TOOL}def count(name):\n"
        f"    return find(name)\n" + SERVED + "    return count(name)\n",
        [],
    ),
}


@pytest.mark.parametrize(("text", "expected"), SERVING.values(), ids=SERVING)
def test_domain_exceptions_leave_a_tool_where_errors_are_returned(
    text: str, expected: list[str], tmp_path: Path
) -> None:
    policy = Policy(style=Style.RETURN, exceptions=Exceptions(root=("ShopError",)))
    found = linked(tmp_path, text, policy).arriving
    arrivals = [each for each in found.get("shop.py", {}).values() if each.function.name == "look"]
    assert [each.thrown.name for each in arrivals] == expected


GATHERED = {
    "what nobody looks at": ("await asyncio.gather(find(1), count(2), return_exceptions=True)", {"find", "count"}),
    "what is put away": ("_ = await asyncio.gather(find(1), return_exceptions=True)", {"find"}),
    "what is kept": ("found = await asyncio.gather(find(1), return_exceptions=True)\nprint(found)", set()),
    "what raises": ("await asyncio.gather(find(1))", set()),
    "what says that it raises": ("await asyncio.gather(find(1), return_exceptions=False)", set()),
    "something else": ("await asyncio.wait(find(1), return_exceptions=True)", set()),
    "what is handed over by a name": (
        "await asyncio.gather(find(1), other=count(2), return_exceptions=True)",
        {"find"},
    ),
    "what is in a list": ("await asyncio.gather(*found, return_exceptions=True)", set()),
    "what is not of the project": ("await asyncio.gather(gone(1), name, return_exceptions=True)", set()),
}


@pytest.mark.parametrize(("text", "expected"), GATHERED.values(), ids=GATHERED)
def test_exceptions_of_what_is_gathered_are_dropped(text: str, expected: set[str], tmp_path: Path) -> None:
    tasks = "async def find(name):\n    return name\n\n\nasync def count(name):\n    return name\n\n\n"
    project = linked(tmp_path, f"{tasks}async def look(name):\n{indent(text, '    ')}\n")
    assert {name for _, name in project.gathered} == expected
