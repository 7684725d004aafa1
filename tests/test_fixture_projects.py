"""Each preset on a project that breaks all of it, and on a twin that keeps to it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from fixture_projects import FIXTURES, expected, presets, report

from errlint.settings import load

each_preset = pytest.mark.parametrize("preset", presets())

ELSEWHERE = {"ERR106", "ERR107", "ERR901", "ERR902", "ERR903", "ERR904", "ERR905", "ERR906", "ERR907"}
"""Rules about other things than what a convention asks for; their pages test them."""


def copied(preset: str, kind: str, folder: Path) -> Path:
    return Path(shutil.copytree(FIXTURES / preset / kind, folder / "project"))


@each_preset
def test_all_findings_of_the_violating_project_are_as_pinned(preset: str, tmp_path: Path) -> None:
    assert report(copied(preset, "violating", tmp_path)) == expected(preset)


@each_preset
def test_the_clean_twin_has_no_findings(preset: str, tmp_path: Path) -> None:
    assert report(copied(preset, "clean", tmp_path)) == ""


@each_preset
def test_each_rule_that_the_preset_turns_on_is_broken_at_least_once(preset: str) -> None:
    turned_on = load(FIXTURES / preset / "violating").settings.rules - load(FIXTURES, isolated=True).settings.rules
    broken = set(re.findall(r"^\S+: (ERR\d{3})", expected(preset), re.MULTILINE))
    assert turned_on - ELSEWHERE - broken == set()
