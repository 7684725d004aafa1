"""Runs the example projects of the rule pages."""

from __future__ import annotations

from pathlib import Path

from variants import VARIANTS, Variant

from errlint.findings import Finding
from errlint.request import Request
from errlint.rulebook import Example, page, parse_examples
from errlint.rules import RULES
from errlint.run import check
from errlint.settings import CommandLine, load

MARKER = '[project]\nname = "example"\nversion = "1"\n'
"""The pyproject.toml that makes each example a distribution."""

EXAMPLES = [(code, example) for code in RULES for example in parse_examples(page(code))]
"""Every example of every page, with the code of the page."""


def variant_of(example: Example, name: str) -> dict[str, Variant]:
    """The files of an example in one of the layouts."""
    texts = {file.path: file.text for file in example.files if file.path.endswith(".py")}
    others = {file.path: Variant(file.text) for file in example.files if file.path not in texts}
    return VARIANTS[name](texts) | others


def write(example: Example, root: Path, files: dict[str, Variant]) -> None:
    """Makes the project below ``root``."""
    (root / "pyproject.toml").write_text(MARKER, encoding="utf-8")
    if example.config:
        (root / "errlint.toml").write_text(example.config, encoding="utf-8")
    for file in example.files:
        path = root / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(files[file.path].text.encode(file.encoding))


def findings(root: Path, rules: CommandLine) -> tuple[Finding, ...]:
    """What errlint reports about the project at ``root``; fails when a rule crashed."""
    outcome = check(Request(load(root, overrides=rules).settings, use_cache=False))
    crashes = [finding.message for finding in outcome.findings if finding.code == "ERR906"]
    assert crashes == []
    assert outcome.internal_errors == 0
    return outcome.findings


def expected(example: Example, files: dict[str, Variant], codes: set[str]) -> list[str]:
    """``path:line code`` of every mark with one of the codes."""
    return sorted(
        f"{file.path}:{files[file.path].line(mark.line)} {code}"
        for file in example.files
        for mark in file.marks
        for code in mark.codes
        if code in codes
    )


def reported(found: tuple[Finding, ...], codes: set[str]) -> list[str]:
    """``path:line code`` of every finding with one of the codes."""
    return sorted(f"{each.path}:{each.span.line} {each.code}" for each in found if each.code in codes)
