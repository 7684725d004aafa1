"""``errlint server`` as an editor knows it: a real client and a real process, which speak on its standard streams."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Run
from language_client import PATIENCE, editor, run
from lsprotocol import types

SERVER = """\
from mcp.server.fastmcp import FastMCP
from answers import failed

mcp = FastMCP("x")


@mcp.tool()
def find(key):
    if not key:
        return {"error": "no key"}
    return failed("gone")
"""
ANSWERS = """\
def failed(message):
    return {"error": message}
"""
BOUNDARY = """\
import functools


class AppError(Exception):
    pass


class NotFoundError(AppError):
    pass


def to_envelope(error):
    return {"error": str(error)}


def tool_errors(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except AppError as error:
            return to_envelope(error)

    return wrapper
"""
CONVENTION = """\
[[boundary]]
decorator = "errors.tool_errors"
converters = ["errors.to_envelope"]
envelope = { error = "{message}" }
[exceptions]
root = ["errors.AppError"]
default = "errors.NotFoundError"
"""
SAFE = """\
from errors import tool_errors


@mcp.tool()
@tool_errors
def find(key):
    if not key:
        return {"error": "no key"}
    return {"key": key}
"""
HERE = types.Range(types.Position(9, 8), types.Position(9, 8))
"""Where SERVER writes an error payload out."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "a project, ünïcode"
    root.mkdir()
    (root / "pyproject.toml").write_text('[project]\nname = "example"\n', encoding="utf-8")
    (root / "server.py").write_text(SERVER, encoding="utf-8")
    (root / "answers.py").write_text(ANSWERS, encoding="utf-8")
    return root


@pytest.fixture
def converted(project: Path) -> Path:
    """A project whose error returns can be rewritten safely."""
    (project / "errlint.toml").write_text(CONVENTION, encoding="utf-8")
    (project / "errors.py").write_text(BOUNDARY, encoding="utf-8")
    (project / "server.py").write_text(SAFE, encoding="utf-8")
    (project / "answers.py").unlink()
    return project


# --- diagnostics ----------------------------------------------------------------------------------------------------


def test_all_files_of_a_project_are_shown_before_one_is_open(project: Path) -> None:
    async def session() -> None:
        async with editor(project) as user:
            first, second = await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            assert (first.source, first.severity) == ("errlint", types.DiagnosticSeverity.Error)
            assert first.code_description is not None
            assert "ERR101-hand-built-error-return" in first.code_description.href
            assert first.range == types.Range(types.Position(9, 8), types.Position(9, 34))
            assert second.related_information is not None
            (factory,) = second.related_information
            assert (factory.location.uri, factory.location.range.start.line) == (user.uri("answers.py"), 0)

    run(session())


def test_what_is_typed_is_checked_before_it_is_saved(project: Path) -> None:
    async def session() -> None:
        async with editor(project) as user:
            user.open("server.py")
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            user.type("server.py", SERVER.replace('        return {"error": "no key"}', "        raise KeyError(key)"))
            await user.shows("server.py", ("ERR102", 10))
            assert "error" in (project / "server.py").read_text(encoding="utf-8")

    run(session())


def test_what_is_typed_in_one_file_changes_what_is_shown_of_another(project: Path) -> None:
    async def session() -> None:
        async with editor(project) as user:
            user.open("answers.py")
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            user.type("answers.py", "def failed(message):\n    return {'found': message}\n")
            await user.shows("server.py", ("ERR101", 9))
            user.close("answers.py")  # what is on disk counts again
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))

    run(session())


def test_a_text_that_cannot_be_parsed_keeps_what_was_found_and_says_so(project: Path) -> None:
    async def session() -> None:
        async with editor(project) as user:
            user.open("server.py")
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            user.type("server.py", "def (\n" + SERVER)
            told = await user.shows("server.py", ("ERR904", 0), ("ERR101", 10), ("ERR102", 11))
            assert told[0].range.end.character > 0  # a place without extent would not be seen
            user.type("server.py", "\n" + SERVER)
            await user.shows("server.py", ("ERR101", 10), ("ERR102", 11))
            assert user.messages == []

    run(session())


def test_a_text_that_could_never_be_parsed_has_one_syntax_error(project: Path) -> None:
    async def session() -> None:
        async with editor(project) as user:
            user.open("new.py", "def (\n")
            await user.shows("new.py", ("ERR904", 0))
            user.type("new.py", "\ndef (\n")
            await user.shows("new.py", ("ERR904", 1))
            user.type("new.py", "@mcp.tool()\ndef new():\n    return {'error': 'x'}\n")
            await user.shows("new.py", ("ERR101", 2))

    run(session())


def test_a_factory_that_cannot_be_parsed_for_a_moment_changes_no_other_file(project: Path) -> None:
    async def session() -> None:
        async with editor(project) as user:
            user.open("answers.py")
            user.open("server.py")
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            user.type("answers.py", ANSWERS + "def broken(")
            await user.shows("answers.py", ("ERR904", 2))
            user.type("server.py", SERVER + "\n")
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))

    run(session())


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\0", id="a NUL byte"),
        pytest.param("\ud800 = 1", id="half of a pair of surrogates"),
        pytest.param("(" * 5_000, id="nested too deeply"),
        pytest.param("# coding: nonsense\n", id="an encoding that nobody knows"),
        pytest.param("x = 1 +" * 3_000, id="too long a chain"),
        pytest.param("\x0c\u2028\x85\r\r\n\t" * 50, id="line ends of all kinds"),
        pytest.param("", id="nothing"),
    ],
)
def test_no_text_ends_the_server(project: Path, text: str) -> None:
    async def session() -> None:
        async with editor(project) as user:
            user.open("server.py")
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            user.type("server.py", text)
            version = user.texts["server.py"][0]
            await user.until(lambda: user.shown[user.uri("server.py")].version == version)
            user.type("server.py", SERVER)
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            assert user.messages == []

    run(session())


def test_a_file_that_is_not_on_disk_yet_is_checked(project: Path) -> None:
    async def session() -> None:
        async with editor(project) as user:
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            user.open("new.py", "@mcp.tool()\ndef new():\n    return {'error': 'x'}\n")
            await user.shows("new.py", ("ERR101", 2))
            user.close("new.py")
            await user.shows("new.py")

    run(session())


def test_what_others_write_is_checked(project: Path) -> None:
    async def session() -> None:
        async with editor(project) as user:
            await user.until(lambda: "workspace/didChangeWatchedFiles" in user.registered)
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            (project / "server.py").write_text(SERVER.replace("no key", "no such key at all") + "\n", encoding="utf-8")
            (project / "other.py").write_text("@mcp.tool()\ndef f():\n    return {'error': 1}\n", encoding="utf-8")
            user.changed("server.py", "other.py")
            await user.shows("other.py", ("ERR101", 2))
            (project / "other.py").unlink()
            user.changed("other.py")
            await user.shows("other.py")

    run(session())


def test_saving_makes_no_difference_to_what_is_found(project: Path) -> None:
    async def session() -> None:
        async with editor(project) as user:
            user.open("server.py")
            user.type("server.py", "\n" + SERVER)
            await user.shows("server.py", ("ERR101", 10), ("ERR102", 11))
            user.save("server.py")
            user.type("server.py", "\n\n" + SERVER)
            await user.shows("server.py", ("ERR101", 11), ("ERR102", 12))

    run(session())


def test_columns_are_counted_in_utf_16(project: Path) -> None:
    text = SERVER.replace('return {"error": "no key"}', 'x = \'😀ä\'; return {"error": "😀"}')

    async def session() -> None:
        async with editor(project) as user:
            user.open("server.py", text)
            told, _ = await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            assert told.range == types.Range(types.Position(9, 19), types.Position(9, 41))
            position = types.Position(9, 20)
            document = types.TextDocumentIdentifier(user.uri("server.py"))
            assert await user.client.text_document_hover_async(types.HoverParams(document, position)) is not None
            before = types.Position(9, 16)
            assert await user.client.text_document_hover_async(types.HoverParams(document, before)) is None

    run(session())


def test_an_editor_that_asks_for_it_gets_columns_in_bytes(project: Path) -> None:
    general = types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind.Utf8])
    capabilities = types.ClientCapabilities(general=general)
    text = SERVER.replace('return {"error": "no key"}', 'x = \'😀ä\'; return {"error": "😀"}')

    async def session() -> None:
        async with editor(project, capabilities=capabilities) as user:
            user.open("server.py", text)
            told, second = await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            assert told.range == types.Range(types.Position(9, 22), types.Position(9, 46))
            assert (second.related_information, second.code_description) == (None, None)

    run(session())


def test_the_log_says_why_nothing_is_reported_where_no_adapter_is_known(project: Path) -> None:
    (project / "server.py").write_text(ANSWERS, encoding="utf-8")

    async def session() -> None:
        async with editor(project) as user:
            await user.until(lambda: bool(user.logged))
            assert "No adapter was recognised" in user.logged[0]

    run(session())


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_link_out_of_the_project_is_not_followed(project: Path) -> None:
    outside = project.parent / "outside.py"
    outside.write_text("@mcp.tool()\ndef f():\n    return {'error': 1}\n", encoding="utf-8")
    (project / "link.py").symlink_to(outside)

    async def session() -> None:
        async with editor(project) as user:
            user.open("link.py")
            await user.shows("link.py")
            user.type("link.py", "@mcp.tool()\ndef g():\n    return {'error': 1}\n")
            await user.shows("link.py")

    run(session())


# --- folders and settings -------------------------------------------------------------------------------------------


def test_folders_of_several_projects_have_settings_of_their_own(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "errlint.toml").write_text(
            "" if name == "one" else 'ignore = ["ERR101"]\n', encoding="utf-8"
        )
        (tmp_path / name / "server.py").write_text(SERVER, encoding="utf-8")
        (tmp_path / name / "answers.py").write_text(ANSWERS, encoding="utf-8")

    async def session() -> None:
        async with editor(tmp_path, folders=("one", "two")) as user:
            await user.shows("one/server.py", ("ERR101", 9), ("ERR102", 10))
            await user.shows("two/server.py", ("ERR102", 10))
            removed = types.WorkspaceFolder((tmp_path / "one").as_uri(), "one")
            event = types.WorkspaceFoldersChangeEvent([], [removed])
            user.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
            await user.shows("one/server.py")

    run(session())


def test_only_the_folder_that_is_open_is_shown_of_a_larger_project(project: Path) -> None:
    (project / "part").mkdir()
    (project / "part" / "other.py").write_text("@mcp.tool()\ndef f():\n    return {'error': 1}\n", encoding="utf-8")
    (project / "errlint.toml").write_text("", encoding="utf-8")

    async def session() -> None:
        async with editor(project, folders=("part",)) as user:
            await user.shows("part/other.py", ("ERR101", 2))
            assert user.uri("server.py") not in user.shown
            user.open("server.py")  # and what a person opens
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            user.close("server.py")
            await user.shows("server.py")

    run(session())


def test_a_file_without_a_folder_is_checked_in_its_own_project(project: Path) -> None:
    async def session() -> None:
        async with editor(project, folders=()) as user:
            user.open("server.py")
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            user.close("server.py")
            await user.shows("server.py")

    run(session())


def test_settings_that_change_count_at_once(project: Path) -> None:
    async def session() -> None:
        async with editor(project) as user:
            user.open("server.py")
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            (project / "errlint.toml").write_text('ignore = ["ERR101"]\n', encoding="utf-8")
            user.changed("errlint.toml")
            await user.shows("server.py", ("ERR102", 10))

    run(session())


def test_settings_that_stay_the_same_begin_nothing_anew(project: Path) -> None:
    (project / "part").mkdir()
    (project / "errlint.toml").write_text("", encoding="utf-8")
    (project / "part" / "other.py").write_text("@mcp.tool()\ndef f():\n    return {'error': 1}\n", encoding="utf-8")

    async def session() -> None:
        async with editor(project, folders=("part",)) as user:
            user.open("server.py")
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            user.type("server.py", "\n" + SERVER)
            user.client.workspace_did_change_configuration(types.DidChangeConfigurationParams({}))
            await user.shows("server.py", ("ERR101", 10), ("ERR102", 11))
            added = types.WorkspaceFoldersChangeEvent([types.WorkspaceFolder(project.as_uri(), "all")], [])
            user.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(added))
            user.close("server.py")
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))  # now it is in a folder that is open

    run(session())


def test_a_broken_configuration_is_told_once_beside_it_and_the_one_before_holds(project: Path) -> None:
    async def session() -> None:
        async with editor(project) as user:
            user.open("server.py")
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            (project / "errlint.toml").write_text('\nslect = ["ERR101"]\n', encoding="utf-8")
            user.changed("errlint.toml")
            await user.until(lambda: user.uri("errlint.toml") in user.shown)
            (told,) = user.shown[user.uri("errlint.toml")].diagnostics
            assert "slect" in told.message
            assert "select" in told.message
            assert told.range.start.line == 1
            user.type("server.py", "\n" + SERVER)
            await user.shows("server.py", ("ERR101", 10), ("ERR102", 11))
            (project / "errlint.toml").write_text('ignore = ["ERR101"]\n', encoding="utf-8")
            user.changed("errlint.toml")
            await user.shows("server.py", ("ERR102", 11))
            assert user.shown[user.uri("errlint.toml")].diagnostics == ()
            assert len(user.messages) == 1

    run(session())


def test_what_an_editor_sends_as_settings_is_no_configuration(project: Path) -> None:
    async def session() -> None:
        async with editor(project) as user:
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            settings = {"errlint": {"ignore": ["ERR101"], "verify": "touch owned"}}
            user.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
            user.open("server.py")
            user.type("server.py", "\n" + SERVER)
            await user.shows("server.py", ("ERR101", 10), ("ERR102", 11))
            assert not (project / "owned").exists()

    run(session())


def test_findings_of_a_baseline_are_not_shown(project: Path, errlint: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "errlint.toml").write_text('baseline = "errlint-baseline.txt"\n', encoding="utf-8")
    monkeypatch.chdir(project)
    assert errlint("baseline", "write").status == 0

    async def session() -> None:
        async with editor(project) as user:
            user.open("server.py")
            user.type("server.py", SERVER + "\n\n@mcp.tool()\ndef more():\n    return {'error': 'new'}\n")
            await user.shows("server.py", ("ERR101", 15))
            user.type("server.py", "\n" + SERVER + "\n\n@mcp.tool()\ndef more():\n    return {'error': 'new'}\n")
            await user.shows("server.py", ("ERR101", 16))

    run(session())


# --- fixes ----------------------------------------------------------------------------------------------------------


def test_a_safe_fix_is_preferred_and_says_that_it_is_safe(converted: Path) -> None:
    async def session() -> None:
        async with editor(converted) as user:
            user.open("server.py", "\n" + SAFE)
            (told,) = await user.shows("server.py", ("ERR101", 8))
            fix, ignore = await user.actions("server.py", told.range, types.CodeActionKind.QuickFix)
            assert (fix.title, fix.is_preferred) == ("ERR101: Raise `NotFoundError` in `find` (safe)", True)
            assert fix.diagnostics == (told,)
            text = user.applied(fix.edit)["server.py"]
            assert 'raise NotFoundError("no key")' in text
            assert "from errors import NotFoundError, tool_errors" in text
            assert (ignore.title, ignore.is_preferred) == ("Suppress ERR101 on this line", None)

    run(session())


def test_an_unsafe_fix_is_offered_with_all_files_that_it_changes_and_never_preferred(project: Path) -> None:
    (project / "server.py").write_text(
        "from mcp.server.fastmcp import FastMCP\nfrom logic import look\n\nmcp = FastMCP('x')\n\n\n"
        "@mcp.tool()\ndef find(key):\n    found = look(key)\n"
        '    if "error" in found:\n        return found\n    return {"value": found["value"]}\n',
        encoding="utf-8",
    )
    (project / "logic.py").write_text(
        'def look(key):\n    if not key:\n        return {"error": "no key"}\n    return {"value": key}\n',
        encoding="utf-8",
    )

    async def session() -> None:
        async with editor(project) as user:
            user.open("logic.py")
            (told,) = await user.shows("logic.py", ("ERR101", 2))
            fix, _ = await user.actions("logic.py", told.range)
            assert fix.title.endswith("and change server.py (unsafe)")
            assert fix.is_preferred is None
            texts = user.applied(fix.edit)
            assert set(texts) == {"logic.py", "server.py"}
            assert "raise" in texts["logic.py"]
            assert '"error" in found' not in texts["server.py"]

    run(session())


def test_a_fix_of_lines_with_wide_letters_keeps_them(converted: Path) -> None:
    text = SAFE.replace('return {"error": "no key"}', 'x = "😀"; return {"error": "no 🔑"}')

    async def session() -> None:
        async with editor(converted) as user:
            user.open("server.py", text)
            (told,) = await user.shows("server.py", ("ERR101", 7))
            fix, _ = await user.actions("server.py", told.range)
            assert 'x = "😀"; raise NotFoundError("no 🔑")' in user.applied(fix.edit)["server.py"]

    run(session())


def test_a_line_is_suppressed_by_a_comment_that_asks_for_a_reason(project: Path) -> None:
    async def session() -> None:
        async with editor(project) as user:
            user.open("server.py")
            told, _ = await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            *_, ignore = await user.actions("server.py", told.range)
            assert (ignore.title, ignore.edit) == ("Suppress ERR101 on this line", None)
            chosen = await user.client.code_action_resolve_async(ignore)
            text = user.applied(chosen.edit)["server.py"]
            assert 'return {"error": "no key"}  # errlint: ignore[ERR101] TODO: say why\n' in text
            user.type("server.py", text)
            await user.shows("server.py", ("ERR102", 10))

    run(session())


def test_an_action_for_a_text_that_has_changed_has_no_edit(project: Path) -> None:
    async def session() -> None:
        async with editor(project) as user:
            user.open("server.py")
            told, _ = await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            *_, ignore = await user.actions("server.py", told.range)
            user.type("server.py", "\n" + SERVER)
            assert (await user.client.code_action_resolve_async(ignore)).edit is None

    run(session())


def test_an_editor_that_asks_only_once_gets_the_edit_of_a_suppression_at_once(project: Path) -> None:
    async def session() -> None:
        async with editor(project, capabilities=types.ClientCapabilities()) as user:
            user.open("server.py")
            told, _ = await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            *_, ignore = await user.actions("server.py", told.range)
            assert ignore.edit is not None
            assert ignore.edit.changes is not None
            (edit,) = ignore.edit.changes[user.uri("server.py")]
            assert edit.new_text == "  # errlint: ignore[ERR101] TODO: say why"

    run(session())


def test_all_safe_fixes_of_a_file_are_one_action(converted: Path) -> None:
    other = '\n\n@mcp.tool()\n@tool_errors\ndef other(key):\n    return {"error": "never"}\n'

    async def session() -> None:
        async with editor(converted) as user:
            user.open("server.py", SAFE + other)
            told, _ = await user.shows("server.py", ("ERR101", 7), ("ERR101", 14))
            (action,) = await user.actions("server.py", told.range, types.CodeActionKind.SourceFixAll)
            assert action.kind == "source.fixAll.errlint"
            text = user.applied(action.edit)["server.py"]
            assert text.count("raise NotFoundError") == 2
            user.type("server.py", text)
            await user.shows("server.py")

    run(session())


def test_what_is_not_safe_is_not_fixed_with_all(project: Path) -> None:
    async def session() -> None:
        async with editor(project) as user:
            user.open("server.py")
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            assert await user.actions("server.py", HERE, "source.fixAll.errlint") == []
            assert await user.actions("server.py", HERE, types.CodeActionKind.Refactor) == []

    run(session())


def test_nothing_is_offered_where_nothing_is_found_or_the_text_cannot_be_parsed(project: Path) -> None:
    async def session() -> None:
        async with editor(project) as user:
            user.open("server.py")
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            top = types.Range(types.Position(0, 0), types.Position(0, 0))
            assert await user.actions("server.py", top) == []
            user.type("server.py", SERVER + "(")
            assert await user.actions("server.py", HERE) == []

    run(session())


def test_a_request_can_be_cancelled(project: Path) -> None:
    async def session() -> None:
        async with editor(project) as user:
            user.open("server.py")
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            protocol = user.client.protocol
            document = types.TextDocumentIdentifier(user.uri("server.py"))
            params = types.CodeActionParams(document, HERE, types.CodeActionContext([]))
            asked = protocol.send_request(types.TEXT_DOCUMENT_CODE_ACTION, params)
            (number,) = [key for key, value in protocol._request_futures.items() if value is asked]
            protocol.notify(types.CANCEL_REQUEST, types.CancelParams(number))
            with pytest.raises(Exception, match="cancel"):
                await asyncio.wait_for(asyncio.wrap_future(asked), PATIENCE)
            fix, *_ = await user.actions("server.py", HERE)  # and the server goes on
            assert fix.title.startswith("ERR101: ")

    run(session())


# --- hover ----------------------------------------------------------------------------------------------------------


def test_the_page_of_the_rule_is_shown_at_a_finding(project: Path) -> None:
    async def session() -> None:
        async with editor(project) as user:
            user.open("server.py")
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            document = types.TextDocumentIdentifier(user.uri("server.py"))
            params = types.HoverParams(document, types.Position(9, 10))
            hover = await user.client.text_document_hover_async(params)
            assert hover is not None
            assert isinstance(hover.contents, types.MarkupContent)
            assert hover.contents.kind is types.MarkupKind.Markdown
            assert hover.contents.value.startswith("# hand-built-error-return (ERR101)")
            assert "```python\n" in hover.contents.value
            assert "bad path=" not in hover.contents.value

    run(session())


def test_an_editor_without_markdown_gets_the_page_as_text(project: Path) -> None:
    async def session() -> None:
        async with editor(project, capabilities=types.ClientCapabilities()) as user:
            user.open("server.py")
            await user.shows("server.py", ("ERR101", 9), ("ERR102", 10))
            document = types.TextDocumentIdentifier(user.uri("server.py"))
            hover = await user.client.text_document_hover_async(types.HoverParams(document, types.Position(9, 10)))
            assert hover is not None
            assert isinstance(hover.contents, types.MarkupContent)
            assert hover.contents.kind is types.MarkupKind.PlainText

    run(session())


# --- the process ----------------------------------------------------------------------------------------------------


def test_a_server_whose_editor_is_gone_ends_with_status_1() -> None:
    command = [sys.executable, "-m", "errlint", "server", "--stdio"]
    done = subprocess.run(command, input=b"", capture_output=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")


def test_a_missing_extra_is_told_in_one_line(errlint: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("errlint.server.language_server", "pygls.lsp.server", "pygls.lsp", "pygls"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "pygls", None)
    done = errlint("server")
    assert done.status == 2
    assert done.err == "errlint: error: the server needs pygls (pip install 'errlint[lsp]')\n"
