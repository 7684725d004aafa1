"""Code, pages, tables and exemptions tell of the same rules."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import errlint
from errlint.rulebook import (
    LISTED,
    SHOWN,
    TABLES,
    parse_examples,
    rules_directory,
    with_tables,
)
from errlint.rules import RULES, Rule

PACKAGE = Path(errlint.__file__).parent
REPOSITORY = PACKAGE.parent
SECTIONS = ("Why", "Finds", "Does not find", "Near Ruff rules", "Configuration", SHOWN)

ELSEWHERE = {
    "ERR906": "checks/__init__.py",
}
"""Rules without a module of their own: ERR906 is what becomes of a rule that fails."""

WITHOUT_BAD_EXAMPLE = {
    "ERR906": "no code is known that makes a rule fail",
}

each_rule = pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.code)


def text_of(rule: Rule) -> str:
    return (rules_directory() / rule.page).read_text(encoding="utf-8")


@each_rule
def test_a_rule_has_a_module_of_its_own_or_says_where_it_is(rule: Rule) -> None:
    module = PACKAGE / "checks" / f"{rule.module}.py"
    assert module.is_file() != (rule.code in ELSEWHERE)


@pytest.mark.parametrize("code", ELSEWHERE)
def test_the_place_of_a_rule_without_a_module_is_right(code: str) -> None:
    assert f'"{code}"' in (PACKAGE / ELSEWHERE[code]).read_text(encoding="utf-8")


def test_every_module_of_a_rule_belongs_to_a_rule() -> None:
    modules = {path.stem for path in (PACKAGE / "checks").glob("err*.py")}
    assert modules == {rule.module for rule in RULES.values() if rule.code not in ELSEWHERE}


def test_every_page_belongs_to_a_rule() -> None:
    pages = {path.name for path in rules_directory().glob("*.md")} - {"README.md"}
    assert pages == {rule.page for rule in RULES.values()}


@each_rule
def test_a_page_opens_with_name_code_severity_and_default(rule: Rule) -> None:
    state = "on" if rule.default else "off"
    assert text_of(rule).startswith(
        f"# {rule.name} ({rule.code})\n\nSeverity: {rule.severity.value} · Default: {state}\n\n"
    )


@each_rule
def test_a_page_has_the_sections_in_order(rule: Rule) -> None:
    sections = re.findall(r"^## (.+)$", text_of(rule), re.MULTILINE)
    assert [section for section in sections if section != LISTED] == list(SECTIONS)
    assert LISTED not in sections[:-1]


@each_rule
def test_the_long_list_of_examples_is_folded_away(rule: Rule) -> None:
    listed = text_of(rule).partition(f"\n## {LISTED}\n")[2]
    folded = "\n<details>\n<summary>Other forms, found and not found: each is a test of the rule</summary>\n\n### "
    assert not listed or (listed.startswith(folded) and listed.endswith("```\n\n</details>\n"))


@each_rule
def test_a_page_has_a_bad_and_a_good_example(rule: Rule) -> None:
    kinds = {example.kind for example in parse_examples(text_of(rule))}
    assert "good" in kinds
    assert ("bad" in kinds) != (rule.code in WITHOUT_BAD_EXAMPLE)


@each_rule
def test_the_titles_of_a_page_are_unique(rule: Rule) -> None:
    titles = [example.title for example in parse_examples(text_of(rule))]
    assert sorted(titles) == sorted(set(titles))


@each_rule
def test_the_links_of_a_page_lead_to_pages(rule: Rule) -> None:
    prose = re.sub(r"^```.*?^```$", "", text_of(rule), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)\)", prose):
        assert (rules_directory() / target).is_file(), target


@pytest.mark.parametrize("name", TABLES)
def test_a_generated_table_is_current(name: str) -> None:
    """``python -m errlint.rulebook`` brings them up to date."""
    text = (rules_directory() / "README.md").read_text(encoding="utf-8")
    assert TABLES[name]() in text
    assert with_tables(text) == text


@pytest.mark.skipif(os.name == "nt", reason="the paths of the output are those of this system")
def test_the_output_that_the_readme_shows_is_what_is_printed() -> None:
    """``scripts/shown-output`` brings it up to date, and the picture of it."""
    done = subprocess.run(
        [sys.executable, "scripts/shown-output", "--check"], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_readme_and_the_pages_lead_to_files_that_are_there() -> None:
    for page in (REPOSITORY / "README.md", *(REPOSITORY / "docs").glob("*.md")):
        prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", prose):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@each_rule
def test_the_default_of_a_page_says_how_a_rule_is_turned_on(rule: Rule) -> None:
    assert rule.default or f'extend-select = ["{rule.code}"]' in text_of(rule)


def test_exemptions_name_rules() -> None:
    assert {*ELSEWHERE, *WITHOUT_BAD_EXAMPLE} <= set(RULES)


def test_the_homes_of_questions_are_there() -> None:
    page = (REPOSITORY / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = page.partition("## One question, one home")[2].partition("\n## ")[0]
    rows = [row.split("|")[2:4] for row in section.splitlines() if row.startswith("| ") and "`" in row]
    assert 0 < len(rows) <= 25
    for module, asked in rows:
        (path,) = re.findall(r"`(.+?)`", module)
        text = (PACKAGE / path).read_text(encoding="utf-8")
        for each in re.findall(r"`(.+?)`", asked):
            if each.endswith(".py"):
                assert (PACKAGE / each).is_file(), each
                continue
            for name in each.split("."):
                assert re.search(rf"^ *(?:def|class) {name}\b|^{name} = ", text, re.MULTILINE), f"{path} has no {each}"
