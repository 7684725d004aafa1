"""Small whole projects, a violating one and its clean twin for each preset, and the findings that are expected of them.

``python tests/fixture_projects.py`` writes the present findings into the ``expected.txt`` of each; read the difference
before you commit it.
"""

from __future__ import annotations

from pathlib import Path

from errlint.request import Request
from errlint.run import check
from errlint.settings import load

FIXTURES = Path(__file__).parent / "fixtures"


def presets() -> list[str]:
    """Return the names of the presets that have projects."""
    return sorted(path.parent.name for path in FIXTURES.glob("*/violating"))


def report(project: Path) -> str:
    """Return all findings of a project, with the places they rest on, as text."""
    lines: list[str] = []
    for found in check(Request(load(project).settings, use_cache=False)).findings:
        lines.append(f"{found.path}:{found.span.line}:{found.span.column}: {found.code} {found.message}")
        lines += [f"    {each.path}:{each.span.line}: {each.message}" for each in found.related]
    return "".join(f"{line}\n" for line in lines)


def expected(preset: str) -> str:
    """Return the pinned findings of the violating project of a preset."""
    return (FIXTURES / preset / "expected.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    for name in presets():
        (FIXTURES / name / "expected.txt").write_text(report(FIXTURES / name / "violating"), encoding="utf-8")
