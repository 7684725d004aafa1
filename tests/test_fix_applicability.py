"""What the configuration makes of fixes: those it trusts, those it does not, and what the summary says of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_fix_command import CONFIGURATION, ERRORS, SERVER, STOCK

from errlint.cli import main
from errlint.settings import load

CONTEXT = (
    "    def __init__(self, message, context=None):\n"
    "        super().__init__(message)\n"
    "        self.context = context\n"
)
"""A constructor that takes the keys which the boundary's answer does not have: the fix of `store` is unsafe."""


def run(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    settings: str,
    *arguments: str,
    configuration: str = CONFIGURATION,
) -> str:
    """Write the project, run errlint, and return what it says on the standard error stream."""
    (folder / "depot").mkdir()
    errors = ERRORS.replace('    """Base of all errors."""\n', CONTEXT)
    for name, text in (("__init__", ""), ("errors", errors), ("server", SERVER), ("stock", STOCK)):
        (folder / "depot" / f"{name}.py").write_text(text, "utf-8")
    (folder / "errlint.toml").write_text(f"{settings}\n{configuration}", "utf-8")
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit):
        main(("--no-cache", "--fix-only", *arguments))
    return capsys.readouterr().err


LOOK = """\
Look at these afterwards:
  1 place where the answer, or who gets it, changes:
    depot/server.py:18  the boundary's answer does not have the same `field`
"""
IS_ERROR = CONFIGURATION.replace('{ error = "{message}", problem = "*", result = "empty" }', '"is-error"')


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("", "2 fixed in 2 files, 1 hidden (use --unsafe-fixes), 1 refused.\n"),
        ('extend-safe-fixes = ["ERR101"]', f"{LOOK}3 fixed in 2 files, 1 refused.\n"),
        ('extend-safe-fixes = ["ERR10"]\nextend-unsafe-fixes = ["ERR1"]', f"{LOOK}3 fixed in 2 files, 1 refused.\n"),
        ('extend-unsafe-fixes = ["ERR1"]', "0 fixed, 3 hidden (use --unsafe-fixes), 1 refused.\n"),
        (
            'extend-safe-fixes = ["ERR1"]\nextend-unsafe-fixes = ["ERR1"]',
            "0 fixed, 3 hidden (use --unsafe-fixes), 1 refused.\n",
        ),
        ('extend-safe-fixes = ["ERR103"]', "2 fixed in 2 files, 1 hidden (use --unsafe-fixes), 1 refused.\n"),
        ("accept-shape-change = true", "2 fixed in 2 files, 1 hidden (use --unsafe-fixes), 1 refused.\n"),
    ],
    ids=[
        "nothing said",
        "the rule is trusted",
        "the more specific selector wins",
        "the family is not trusted",
        "between equals the unsafe one wins",
        "another rule is trusted",
        "no shape changes here",
    ],
)
def test_a_rule_can_be_trusted_or_not(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    settings: str,
    told: str,
) -> None:
    assert run(tmp_path, monkeypatch, capsys, settings) == told


def test_why_a_distrusted_fix_is_hidden_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tmp_path, monkeypatch, capsys, 'extend-unsafe-fixes = ["ERR101"]')
    with pytest.raises(SystemExit):
        main(("--no-cache", "--fix-only", "--show-fixes"))
    assert "Hidden (use --unsafe-fixes):\n  `extend-unsafe-fixes` has ERR101\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("settings", "arguments", "told"),
    [
        (
            "",
            (),
            "0 fixed, 3 hidden as convention changes (use --unsafe-fixes, or set accept-shape-change), 1 refused.\n",
        ),
        ("", ("--unsafe-fixes",), "3 fixed in 2 files, 3 of them convention changes, 1 refused.\n"),
        ("accept-shape-change = true", (), "3 fixed in 2 files, 3 of them convention changes, 1 refused.\n"),
        ("accept-shape-change = false", ("--unsafe-fixes", "--select", "ERR103"), "0 fixed.\n"),
    ],
    ids=["they are hidden", "they are forced", "they are accepted", "there are none"],
)
def test_changes_that_the_convention_asks_for_are_counted_apart(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    settings: str,
    arguments: tuple[str, ...],
    told: str,
) -> None:
    assert run(tmp_path, monkeypatch, capsys, settings, *arguments, configuration=IS_ERROR) == told


def test_accepting_a_shape_change_lifts_no_other_doubt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_stock.py").write_text("from depot.stock import take\n\ntake('1')\n", "utf-8")
    told = run(tmp_path, monkeypatch, capsys, "accept-shape-change = true", configuration=IS_ERROR)
    assert told == "2 fixed in 1 file, 2 of them convention changes, 1 hidden (use --unsafe-fixes), 1 refused.\n"


def test_new_statements_that_ask_for_hints_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    configuration = CONFIGURATION.replace('"ERR101"]', '"ERR101", "ERR401"]') + '[hints]\nclasses = ["DepotError"]\n'
    told = run(tmp_path, monkeypatch, capsys, "", configuration=configuration)
    assert told.startswith("2 fixed in 2 files, 2 of them now ask for hints, ")


def test_the_settings_are_shown_with_their_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tmp_path, monkeypatch, capsys, 'extend-safe-fixes = ["ERR101"]\naccept-shape-change = true')
    with pytest.raises(SystemExit):
        main(("--show-settings",))
    shown = capsys.readouterr().out
    place = tmp_path / "errlint.toml"
    assert f'extend-safe-fixes = ["ERR101"]  # {place}:1\n' in shown
    assert "extend-unsafe-fixes = []  # default\n" in shown
    assert f"accept-shape-change = true  # {place}:2\n" in shown


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('extend-safe-fixes = ["ERR19"]', "unknown rule `ERR19`"),
        ('extend-unsafe-fixes = "ERR101"', "`extend-unsafe-fixes` must be a list of strings"),
        ('accept-shape-change = "yes"', "`accept-shape-change` must be true or false"),
    ],
)
def test_a_wrong_value_is_an_error_of_the_configuration(tmp_path: Path, text: str, told: str) -> None:
    from errlint.errors import ConfigurationError

    (tmp_path / "errlint.toml").write_text(text, "utf-8")
    with pytest.raises(ConfigurationError, match=told):
        load(tmp_path)
