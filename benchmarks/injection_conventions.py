"""Recall by injection for the rules about a convention: violations planted into small clean projects and real files.

A project is a copy of a clean one of tests/fixtures, with real files beside its modules that are silent under the
same configuration. Half of the projects take the violations in their own modules, half in the real files.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import common
from hosts import TESTS, Distribution, Host, hosts
from violations import CRAWL, DRAFTS, MEMORY, PANEL, SHELF, VIOLATIONS, Violation

FIXTURES = Path(__file__).parent.parent / "tests" / "fixtures"
CODE = re.compile(r"ERR(108|[234]\d\d)")
ENOUGH = 0.95
AT_LEAST = 4
OWN = {
    SHELF: ("shelf/store.py", "shelf/server.py"),
    DRAFTS: ("drafts/store.py", "drafts/render.py", "drafts/tools.py"),
    PANEL: ("panel/people.py", "panel/server.py"),
    CRAWL: ("crawl/agent.py",),
    MEMORY: ("memory/store.py", "memory/server.py"),
}
"""The modules of the small projects that take violations."""

FUNCTIONS = (
    "def planted_<n>(value):\n    if not value:\n@        \n    return value\n",
    "async def planted_<n>(value):\n    if not value:\n@        \n    return value\n",
    "class Planted<n>:\n    def run(self, value):\n        if not value:\n@            \n        return value\n",
    "def planted_<n>(value):\n    def inner(part):\n        if part is None:\n@            \n        return part\n\n"
    "    return inner(value)\n",
    "def planted_<n>(values):\n    for value in values:\n        while value:\n@            \n    return values\n",
    "async def planted_<n>(path):\n    async with path as it:\n        if not it:\n@            \n    return path\n",
    "def planted_<n>(value):\n    if value:\n        return value\n    else:\n@        \n",
)  # fmt: skip
"""Functions that take a statement in place of the line that begins with @."""


@dataclass(slots=True)
class File:
    """What is planted into one file: lines before a line, lines at its end, and the marks inside them."""

    path: Path
    before: dict[int, list[tuple[list[str], Violation | None]]] = field(default_factory=lambda: defaultdict(list))
    behind: list[tuple[list[str], Violation]] = field(default_factory=list)

    def write(self) -> list[tuple[int, Violation]]:
        """Rewrite the file; return the lines that must be reported."""
        found: list[tuple[int, Violation]] = []
        result: list[str] = []

        def add(lines: list[str], planted: Violation | None) -> None:
            for line in lines:
                if line.endswith("  # <<"):
                    assert planted is not None
                    found.append((len(result) + 1, planted))
                result.append(line.removesuffix("  # <<"))

        for number, line in enumerate(self.path.read_text(encoding="utf-8").split("\n"), 1):
            for lines, planted in self.before.get(number, ()):
                add(lines, planted)
            result.append(line)
        for lines, planted in self.behind:
            add(["", "", *lines], planted)
        text = "\n".join(result)
        ast.parse(text)
        self.path.write_text(text, encoding="utf-8")
        return found


@dataclass(slots=True)
class Project:
    """A copy of a clean project: its preset, and the files that take violations."""

    folder: Path
    preset: str
    files: list[Path]
    edits: dict[Path, File] = field(default_factory=dict)

    def file(self, path: Path) -> File:
        return self.edits.setdefault(path, File(path))


@dataclass(frozen=True, slots=True)
class Plant:
    """A violation in a file, to be reported at ``line``."""

    violation: Violation
    project: Project
    file: Path
    line: int


def real_files(roots: list[Path], dice: random.Random) -> list[Path]:
    """List real files of ordinary size with functions, in random order."""
    found = [
        path
        for root in roots
        for path in sorted(root.rglob("*.py"))
        if path.is_file() and 1_000 < path.stat().st_size < 30_000 and not TESTS.search(path.as_posix())
    ]
    dice.shuffle(found)
    return found


def project(preset: str, folder: Path, real: list[Path]) -> Project:
    """Copy the clean project of a preset, with its configuration in errlint.toml, and real files into ``lib``."""
    shutil.copytree(FIXTURES / preset / "clean", folder, ignore=shutil.ignore_patterns(".errlint_cache"))
    declared = (folder / "pyproject.toml").read_text(encoding="utf-8")
    about, _, config = declared.partition("[tool.errlint]")
    (folder / "pyproject.toml").write_text(about, encoding="utf-8")
    (folder / "errlint.toml").write_text(config.replace("[tool.errlint.", "["), encoding="utf-8")
    (folder / "lib").mkdir()
    (folder / "lib" / "__init__.py").touch()
    copies = []
    for number, path in enumerate(real):
        copies.append(folder / "lib" / f"{path.stem.strip('_')}_{number}.py")
        shutil.copyfile(path, copies[-1])
    return Project(folder, preset, copies or [folder / name for name in OWN[preset]])


def silent(preset: str, candidates: list[Path], folder: Path) -> tuple[list[Path], int]:
    """Return those of some real files that are silent under a preset, and how often the small project itself is not."""
    checked = project(preset, folder, candidates)
    reported = [hit for hit in findings(checked) if CODE.match(hit.code)]
    loud = {hit.path for hit in reported}
    kept = [
        path
        for path, copied in zip(candidates, checked.files, strict=True)
        if copied.relative_to(folder).as_posix() not in loud and functions(copied)
    ]
    return kept, sum(not hit.path.startswith("lib/") for hit in reported)


def findings(checked: Project) -> list[common.Hit]:
    done = common.run(checked.folder, "--no-cache", "--config", "errlint.toml")
    if done.status not in (0, 1):
        raise common.CommandFailedError(f"errlint ended with status {done.status} in {checked.folder}:\n{done.stderr}")
    return common.read(checked.folder, done.stdout)


def functions(file: Path) -> list[Host]:
    """List the functions of a file that take a statement at their top."""
    return [host for host in hosts(file, Distribution(file.parent, True, frozenset())) if not host.is_generator]


def chosen(count: int, dice: random.Random) -> list[Violation]:
    """Draw the violations: every rule some times, the rest as it comes."""
    by_rule: dict[str, list[Violation]] = defaultdict(list)
    for each in VIOLATIONS:
        by_rule[each.code].append(each)
    codes = [code for code in by_rule for _ in range(AT_LEAST)]
    codes += dice.choices(sorted(by_rule), k=max(0, count - len(codes)))
    drawn: list[Violation] = []
    for code, times in sorted(Counter(codes).items()):
        forms = by_rule[code][:]
        dice.shuffle(forms)
        drawn += [forms[number % len(forms)] for number in range(times)]
    dice.shuffle(drawn)
    return drawn


def first_definition(file: Path) -> int:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    node = next(node for node in ast.parse(file.read_text(encoding="utf-8")).body if isinstance(node, kinds))
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def plant(violation: Violation, into: Project, number: int, dice: random.Random) -> None:
    """Note what one violation changes in a project."""
    path = dice.choice(into.files)
    module = ".".join(path.relative_to(into.folder).with_suffix("").parts)
    word = "".join(chr(ord("a") + int(digit)) for digit in str(number))
    holes = {"<n>": str(number), "<word>": word, "<module>": module, "<path>": path.relative_to(into.folder).as_posix()}

    def filled(text: str) -> str:
        for hole, value in holes.items():
            text = text.replace(hole, value)
        return text

    source = filled(violation.source)
    imports = filled(violation.imports).split("\n") if violation.imports else []
    free = [host for host in functions(path) if host.line not in into.file(path).before]
    if violation.is_statement and free and dice.random() < 0.5:
        host = dice.choice(free)
        guard = [f"if {host.subject} is None:", *(f"    {line}" for line in source.split("\n"))]
        into.file(path).before[host.line].append(([" " * host.indent + line for line in guard], violation))
        into.file(path).before[first_definition(path)].append((imports, None))
    elif violation.is_statement:
        lines: list[str] = []
        for line in filled(dice.choice(FUNCTIONS)).rstrip("\n").split("\n"):
            lines += [line[1:] + each for each in source.split("\n")] if line.startswith("@") else [line]
        into.file(path).behind.append(([*imports, "", "", *lines], violation))
    elif source:
        into.file(path).behind.append(([*imports, "", "", *source.rstrip().split("\n")], violation))
    for name, anchor, text in violation.edits:
        edited = into.folder / name
        lines = edited.read_text(encoding="utf-8").split("\n")
        at = lines.index(anchor) + 2
        into.file(edited).before[at].append((filled(text).split("\n"), violation))
    if violation.config:
        with (into.folder / "errlint.toml").open("a", encoding="utf-8") as config:
            config.write(filled(violation.config))
    if violation.test:
        test = into.folder / "tests" / f"test_planted_{number}.py"
        test.touch()
        into.file(test).behind.append((filled(violation.test).rstrip().split("\n"), violation))


def report(plants: list[Plant], hits: dict[Path, list[common.Hit]]) -> tuple[Counter[str], Counter[str]]:
    """Print the misses; return how many of each rule were planted, and how many found."""
    planted: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for each in sorted(plants, key=lambda each: (each.violation.code, each.violation.name)):
        code, path = each.violation.code, each.file.relative_to(each.project.folder).as_posix()
        planted[code] += 1
        here = [hit for hit in hits[each.project.folder] if hit.path == path and hit.line == each.line]
        if any(hit.code == code for hit in here):
            found[code] += 1
            continue
        near = [hit for hit in hits[each.project.folder] if hit.path == path and abs(hit.line - each.line) < 6]
        got = ", ".join(f"{hit.code} at line {hit.line}" for hit in here or near) or "nothing"
        print(f"missed {code} {each.violation.name}: {got} at {each.project.folder.name}/{path}:{each.line}")
        print("    " + each.file.read_text(encoding="utf-8").split("\n")[each.line - 1].strip())
    return planted, found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("roots", type=Path, nargs="+", metavar="DIR", help="folders of real code")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=20240131)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="plant in this new folder and leave it there")
    arguments = parser.parse_args()
    dice = random.Random(arguments.seed)
    candidates = real_files([root.resolve() for root in arguments.roots], dice)
    with tempfile.TemporaryDirectory() as name:
        target = arguments.keep.resolve() if arguments.keep else Path(name).resolve()
        projects: dict[str, list[Project]] = {}
        loud = real = 0
        for number, preset in enumerate(OWN):
            kept, findings_of_clean = silent(
                preset, candidates[number * 16 : number * 16 + 16], target / f"clean-{preset}"
            )
            loud += findings_of_clean
            if len(kept) < 4:
                parser.error(f"only {len(kept)} silent files for {preset}; try another seed or more folders")
            real += len(kept[:8])
            projects[preset] = [project(preset, target / f"{preset}-own-{turn}", []) for turn in (1, 2)]
            projects[preset] += [project(preset, target / f"{preset}-real-{turn}", kept[turn:8:2]) for turn in (0, 1)]
        drawn = chosen(arguments.count, dice)
        for number, violation in enumerate(drawn, 1):
            plant(violation, dice.choice(projects[violation.preset]), number, dice)
        plants = [
            Plant(violation, each, file.path, line)
            for several in projects.values()
            for each in several
            for file in each.edits.values()
            for line, violation in file.write()
        ]
        assert len(plants) == len(drawn)
        hits = {each.folder: findings(each) for several in projects.values() for each in several}
        planted, found = report(plants, hits)
    print(" ".join(f"{code} {found[code]}/{planted[code]}" for code in sorted(planted)))
    print(f"{sum(found.values())} of {len(plants)} found at their lines; {real} real files, all silent before")
    print(f"{loud} findings in the clean small projects")
    return 0 if sum(found.values()) >= ENOUGH * len(plants) and not loud else 1


if __name__ == "__main__":
    sys.exit(main())
