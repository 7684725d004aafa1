"""Each preset on a project that breaks all of it, and on a twin that keeps to it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from fixture_projects import FIXTURES, expected, presets, report

from errlint.rules import RULES
from errlint.settings import load

each_preset = pytest.mark.parametrize("preset", presets())

ELSEWHERE = {"ERR106", "ERR107", "ERR901", "ERR902", "ERR903", "ERR904", "ERR905", "ERR906", "ERR907"}
"""Rules about other things than what a convention asks for; their pages test them."""

UNBROKEN: dict[tuple[str, str], str] = {}
"""Rules that a preset turns on and that its project cannot break, with the reason."""


def copied(preset: str, kind: str, folder: Path) -> Path:
    return Path(shutil.copytree(FIXTURES / preset / kind, folder / "project"))


def turned_on(preset: str) -> set[str]:
    """Return the rules that run because of a preset."""
    settings = load(FIXTURES / preset / "violating").settings
    return set(settings.rules - load(FIXTURES, isolated=True).settings.rules)


def broken(preset: str) -> set[str]:
    """Return the rules of which a violating project has a finding."""
    return set(re.findall(r"^\S+: (ERR\d{3})", expected(preset), re.MULTILINE))


@each_preset
def test_all_findings_of_the_violating_project_are_as_pinned(preset: str, tmp_path: Path) -> None:
    assert report(copied(preset, "violating", tmp_path)) == expected(preset)


@each_preset
def test_the_clean_twin_has_no_findings(preset: str, tmp_path: Path) -> None:
    assert report(copied(preset, "clean", tmp_path)) == ""


@each_preset
def test_each_rule_that_the_preset_turns_on_is_broken_at_least_once(preset: str) -> None:
    unbroken = {code for name, code in UNBROKEN if name == preset}
    assert turned_on(preset) - ELSEWHERE - broken(preset) == unbroken


@each_preset
def test_the_clean_twin_is_checked_by_the_same_configuration(preset: str) -> None:
    violating, clean = (FIXTURES / preset / kind / "pyproject.toml" for kind in ("violating", "clean"))
    assert clean.read_text(encoding="utf-8") == violating.read_text(encoding="utf-8")


def test_exemptions_name_rules_and_presets_that_exist() -> None:
    assert all(preset in presets() and code in RULES for preset, code in UNBROKEN)


def test_each_rule_about_errors_that_some_preset_runs_is_broken_in_some_project() -> None:
    run = set().union(*(load(FIXTURES / preset / "violating").settings.rules for preset in presets()))
    about_errors = {code for code in run if code.startswith(("ERR1", "ERR2", "ERR3", "ERR4"))}
    assert about_errors - set().union(*map(broken, presets())) == set()
