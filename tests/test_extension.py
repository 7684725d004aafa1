"""Settings that are added to a configuration: nothing of it moves, and each comes to its table with its reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from errlint.errors import ConfigurationError
from errlint.settings.extension import Section, extended, sections_of
from errlint.settings.toml_reader import parse

SHARED, OWN = Path("pyproject.toml"), Path("errlint.toml")
STYLE = Section("", ("They raise.",), (("style", '"raise"'),))
ROOT = Section("exceptions", ("One family.",), (("root", '["svc.AppError"]'),))
MAP = Section("exceptions.map", (), (("KeyError", '"svc.NotFound"'),))
BOUNDARY = Section("boundary", (), (("decorator", '"svc.answered"'),), is_array=True)

CASES = {
    "an empty file": (
        OWN,
        "",
        (STYLE, ROOT, MAP, BOUNDARY),
        '# They raise.\nstyle = "raise"\n\n# One family.\n[exceptions]\nroot = ["svc.AppError"]\n\n'
        '[exceptions.map]\nKeyError = "svc.NotFound"\n\n[[boundary]]\ndecorator = "svc.answered"\n',
    ),
    "a pyproject.toml without errlint": (
        SHARED,
        "[project]\nname = 'x'",
        (STYLE, ROOT),
        "[project]\nname = 'x'\n\n[tool.errlint]\n# They raise.\nstyle = \"raise\"\n\n"
        '# One family.\n[tool.errlint.exceptions]\nroot = ["svc.AppError"]\n',
    ),
    "tables of others behind it, with comments": (
        SHARED,
        "[tool.errlint]\ntests = ['t/**']  # here\n# off = 1\n\n# --- ruff ---\n[tool.ruff]\nline-length = 100\n",
        (STYLE, ROOT),
        "[tool.errlint]\ntests = ['t/**']  # here\n# off = 1\n# They raise.\nstyle = \"raise\"\n\n"
        '# One family.\n[tool.errlint.exceptions]\nroot = ["svc.AppError"]\n\n'
        "# --- ruff ---\n[tool.ruff]\nline-length = 100\n",
    ),
    "a comment right above the next table": (
        SHARED,
        "[tool.errlint]\ntests = ['t/**']\n# ruff\n[tool.ruff]\nline-length = 100\n",
        (STYLE,),
        "[tool.errlint]\ntests = ['t/**']\n# They raise.\nstyle = \"raise\"\n# ruff\n[tool.ruff]\nline-length = 100\n",
    ),
    "only an inner table": (
        SHARED,
        "[tool.x]\na = 1\n\n# ours\n[tool.errlint.codes]\narguments = ['code']\n",
        (STYLE,),
        '[tool.x]\na = 1\n\n[tool.errlint]\n# They raise.\nstyle = "raise"\n\n'
        "# ours\n[tool.errlint.codes]\narguments = ['code']\n",
    ),
    "tables of others in between": (
        SHARED,
        "[tool.errlint]\n[tool.ruff]\na = 1\n[tool.errlint.exceptions] # ours\n# none\n\n[project]\nname = 'x'\n",
        (STYLE, ROOT),
        '[tool.errlint]\n# They raise.\nstyle = "raise"\n[tool.ruff]\na = 1\n[tool.errlint.exceptions] # ours\n# none\n'
        "# One family.\nroot = [\"svc.AppError\"]\n\n[project]\nname = 'x'\n",
    ),
    "keys with dots": (
        SHARED,
        "[tool.errlint]\nexceptions.default = 'svc.Failed'\n[tool.ruff]\na = 1\n",
        (ROOT, MAP),
        "[tool.errlint]\nexceptions.default = 'svc.Failed'\n# One family.\nexceptions.root = [\"svc.AppError\"]\n\n"
        '[tool.errlint.exceptions.map]\nKeyError = "svc.NotFound"\n\n[tool.ruff]\na = 1\n',
    ),
    "an inline table": (
        OWN,
        "exceptions = { default = 'svc.Failed' } # ours\n",
        (ROOT, MAP),
        "# One family.\nexceptions = { default = 'svc.Failed', root = [\"svc.AppError\"], "
        'map.KeyError = "svc.NotFound" } # ours\n',
    ),
    "everything inline": (
        SHARED,
        "tool = { errlint = {} }\n",
        (Section("", (), (("style", '"raise"'),)), MAP, BOUNDARY),
        'tool = { errlint = { style = "raise", exceptions.map.KeyError = "svc.NotFound", '
        'boundary = [{ decorator = "svc.answered" }] } }\n',
    ),
    "an array with another table": (
        OWN,
        "[[boundary]]\ndecorator = 'svc.other'\n[boundary.envelope]\nerror = '*'\n\n[codes]\narguments = ['code']\n",
        (BOUNDARY,),
        "[[boundary]]\ndecorator = 'svc.other'\n[boundary.envelope]\nerror = '*'\n\n"
        "[[boundary]]\ndecorator = \"svc.answered\"\n\n[codes]\narguments = ['code']\n",
    ),
    "an inline array": (
        OWN,
        "boundary = [\n    { decorator = 'svc.other' }, # theirs\n]\n",
        (BOUNDARY,),
        "boundary = [\n    { decorator = 'svc.other' }, { decorator = \"svc.answered\" }, # theirs\n]\n",
    ),
    "comments alone": (
        OWN,
        "#:schema ./x.json\n\n[codes]\narguments = ['code']\n",
        (STYLE,),
        "#:schema ./x.json\n\n# They raise.\nstyle = \"raise\"\n\n[codes]\narguments = ['code']\n",
    ),
    "a part of it": (
        OWN,
        "style = 'raise'\n[exceptions]\nroot = ['svc.AppError'] # ours\n",
        (STYLE, ROOT._replace(keys=(*ROOT.keys, ("cause", '"cause"')))),
        "style = 'raise'\n[exceptions]\nroot = ['svc.AppError'] # ours\n# One family.\ncause = \"cause\"\n",
    ),
    "what is left to a person": (
        OWN,
        "",
        (STYLE, BOUNDARY._replace(is_active=False, why=("Not around most.",)), ROOT),
        '# They raise.\nstyle = "raise"\n\n# Not around most.\n# [[boundary]]\n# decorator = "svc.answered"\n\n'
        '# One family.\n[exceptions]\nroot = ["svc.AppError"]\n',
    ),
}


@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "marked"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("path", "before", "sections", "after"), CASES.values(), ids=CASES)
def test_settings_come_to_where_they_belong(
    path: Path, before: str, sections: tuple[Section, ...], after: str, end: str, mark: str
) -> None:
    if "\n" not in before:
        end = "\n"
    text = mark + before.replace("\n", end)
    found = extended(path, text, sections)
    assert found == mark + after.replace("\n", end)
    active = [section for section in sections if section.is_active]
    assert extended(path, found, active) == found


@pytest.mark.parametrize(
    ("before", "section", "message"),
    [
        (
            "\nstyle = 'log'\n",
            STYLE,
            "errlint.toml:2:1: `style` says something else already than what is to be added (take it out, or make "
            'it `"raise"`)',
        ),
        (
            "[[boundary]]\ndecorator = 'svc.answered'\nlogs = true\nenvelope = 'is-error'\n",
            BOUNDARY._replace(keys=(*BOUNDARY.keys, ("logs", "false"))),
            "errlint.toml:1:3: `boundary.1` says something else already than what is to be added (take it out, or make "
            'it `{ decorator = "svc.answered", logs = false }`)',
        ),
        ("exceptions = 1\n", ROOT, "errlint.toml:1:1: `exceptions` is no table (make it one)"),
        ("boundary = {}\n", BOUNDARY, "errlint.toml:1:1: `boundary` is no array of tables (make it one)"),
        ("style = \n", ROOT, "errlint.toml:1:9: syntax error: invalid value (write valid TOML)"),
    ],
    ids=["another value", "another table of the name", "no table", "no array", "no TOML"],
)
def test_what_cannot_be_added_is_told(before: str, section: Section, message: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        extended(OWN, before, [section])
    assert str(raised.value).startswith(message)


def test_a_text_is_its_sections() -> None:
    text = (
        '# Who they are.\nstyle = "raise"\n# Odd.\ntests = [\n    "t/**",\n]\n\n'
        '[exceptions.messages]\n# For a while.\n"* must *" = "svc.Invalid"\n\n'
        '[[boundary]]\ndecorator = "a"\n\n[[boundary]]\ndecorator = "b" # the new one\n'
    )
    found = extended(OWN, "", sections_of(text))
    assert parse(found) == parse(text)
    assert found == (
        '# Who they are.\nstyle = "raise"\n# Odd.\ntests = [\n    "t/**",\n]\n\n'
        '# For a while.\n[exceptions.messages]\n"* must *" = "svc.Invalid"\n\n'
        '[[boundary]]\ndecorator = "a"\n\n[[boundary]]\ndecorator = "b"\n'
    )
