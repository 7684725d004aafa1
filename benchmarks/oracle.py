"""What errlint says of public repositories, kept by commit of errlint, to compare what should not have changed.

``freeze`` runs one commit over the repositories of oracle.tsv: all rules, with no convention and with each of three,
and the unsafe fixes of error returns. ``compare`` shows what two such folders differ in, ``between`` does both.
"""

from __future__ import annotations

import argparse
import difflib
import io
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from csv import DictReader
from pathlib import Path
from typing import NamedTuple

import common

LISTS = Path(__file__).with_name("oracle.tsv")

CONVENTIONS = ("", "problem-details", "mcp-exceptions", "coded-tool-errors")

FIXED = "ERR101,ERR102,ERR103,ERR105"
"""The rules whose findings are fixed: the error returns."""

TIMEOUT = 1800.0
"""Seconds after which a run is given up."""


class Project(NamedTuple):
    """A repository at one of its commits."""

    repository: str
    commit: str

    @property
    def name(self) -> str:
        """Its name as that of a folder: ``OWNER__NAME``."""
        return self.repository.replace("/", "__")


def projects(only: Iterable[str]) -> list[Project]:
    """Return the listed repositories, or those of them whose names contain one of some words."""
    words = tuple(only)
    with LISTS.open(encoding="utf-8") as lines:
        found = [Project(row["repository"], row["commit"]) for row in DictReader(lines, delimiter="\t")]
    return [each for each in found if not words or any(word in each.repository for word in words)]


def unpack(git_directory: Path, revision: str, folder: Path, *paths: str) -> None:
    """Write the files of a commit below a folder.

    Raises :class:`common.CommandFailedError` where git does not have it.
    """
    done = subprocess.run(
        ["git", "--git-dir", str(git_directory), "archive", revision, *paths], capture_output=True, check=False
    )
    if done.returncode:
        raise common.CommandFailedError(f"{git_directory}: {done.stderr.decode('utf-8', 'replace').strip()}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")


def git_directory_of(clones: Path, project: Project) -> Path:
    """Return the git directory of a clone: ``OWNER__NAME`` below a folder, bare or not.

    Raises :class:`common.CommandFailedError` where there is none.
    """
    folder = clones / project.name
    found = next((each for each in (folder, folder / ".git") if (each / "HEAD").is_file()), None)
    if found is None:
        raise common.CommandFailedError(
            f"{folder} is no clone: git clone --bare https://github.com/{project.repository} {folder}"
        )
    return found


def run(source: Path, root: Path, *options: str) -> common.Run:
    """Run the errlint of a folder on a project. Raises :class:`common.CommandFailedError` where it fails."""
    done = common.run(root, "--no-cache", "-j", "1", *options, timeout=TIMEOUT, source=source)
    if done.status not in (0, 1):
        raise common.CommandFailedError(f"{' '.join(options)}: {done.stderr.strip()[-500:]}")
    return done


def findings(source: Path, root: Path, convention: str) -> str:
    """Return all findings, a line each."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml", encoding="utf-8") as configuration:
        configuration.write(f'convention = "{convention}"\n' if convention else "")
        configuration.flush()
        done = run(source, root, "--config", configuration.name, "--select", "ALL")
    hits = common.read(root, done.stdout)
    return "".join(f"{hit.path}:{hit.line}:{hit.column}: {hit.code} {hit.message}\n" for hit in hits)


def fixes(source: Path, root: Path) -> str:
    """Return the diff of all unsafe fixes, and behind it what is said of them."""
    done = run(source, root, "--select", FIXED, "--fix", "--unsafe-fixes", "--diff", "--output-format", "full")
    return f"{done.stdout.decode('utf-8', 'replace')}\n{done.stderr}"


def commit_of(revision: str) -> str:
    """Return the commit that a name stands for where this is run: results are kept by commit, and ``HEAD`` moves on.

    Raises :class:`common.CommandFailedError` where there is none.
    """
    done = subprocess.run(
        ["git", "rev-parse", "--verify", "--short=7", f"{revision}^{{commit}}"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise common.CommandFailedError(f"there is no commit `{revision}` here: {done.stderr.strip()}")
    return done.stdout.strip()


def freeze(revision: str, clones: Path, out: Path, only: Iterable[str], jobs: int) -> None:
    """Write what one commit of errlint says of each repository below a folder; what is there stays."""
    own = Path(__file__).resolve().parents[1]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "errlint"
        git = subprocess.run(
            ["git", "rev-parse", "--absolute-git-dir"], cwd=own, capture_output=True, text=True, check=True
        )
        unpack(Path(git.stdout.strip()), revision, source, "errlint", "rules")

        def keep(project: Project) -> None:
            root, kept = Path(folder) / project.name, out / project.name
            kept.mkdir(parents=True, exist_ok=True)
            unpack(git_directory_of(clones, project), project.commit, root)
            for convention in CONVENTIONS:
                target = kept / f"{convention or 'none'}.txt"
                if not target.exists():
                    target.write_text(findings(source, root, convention), encoding="utf-8")
            if not (kept / "fixes.diff").exists():
                (kept / "fixes.diff").write_text(fixes(source, root), encoding="utf-8")
            print(f"{project.repository}: done", file=sys.stderr, flush=True)

        with ThreadPoolExecutor(jobs) as pool:
            failed = [error for error in pool.map(lambda each: _failure(keep, each), projects(only)) if error]
    for error in failed:
        print(error, file=sys.stderr)
    if failed:
        raise common.CommandFailedError(f"{len(failed)} projects without a result")


def _failure(keep: Callable[[Project], None], project: Project) -> str:
    try:
        keep(project)
    except (common.CommandFailedError, OSError, ValueError, subprocess.TimeoutExpired) as error:
        return f"{project.repository}: {error}"
    return ""


def differences(old: Path, new: Path) -> Iterator[tuple[str, str]]:
    """Yield what is gone (``-``) and new (``+``) in each result that two folders have, with its name."""
    for before in sorted(old.glob("*/*")):
        after = new / before.relative_to(old)
        if not after.exists():
            continue
        name = str(before.relative_to(old))
        texts = [path.read_text(encoding="utf-8") for path in (before, after)]
        if before.suffix == ".txt":
            gone, come = (Counter(text.splitlines()) for text in texts)
            yield from ((name, f"-{line}") for line in (gone - come).elements())
            yield from ((name, f"+{line}") for line in (come - gone).elements())
        else:
            lines = difflib.unified_diff(texts[0].splitlines(), texts[1].splitlines(), lineterm="", n=2)
            yield from ((name, line) for line in lines if not line.startswith(("---", "+++")))


def compare(old: Path, new: Path) -> int:
    """Print what two folders differ in; return the count of results that differ."""
    counts: Counter[str] = Counter()
    for name, line in differences(old, new):
        if not counts[name]:
            print(f"== {name}")
        counts[name] += line.startswith(("-", "+"))
        print(line)
    same = len({str(path.relative_to(old)) for path in old.glob("*/*")} - counts.keys())
    print(f"{same} results are the same, {len(counts)} differ in {sum(counts.values())} lines")
    return len(counts)


def main() -> int:
    """Freeze, compare, or both."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name, asked in (("freeze", ("revision",)), ("between", ("old", "new"))):
        command = commands.add_parser(name)
        for each in asked:
            command.add_argument(each, help="a commit of errlint")
        command.add_argument("--clones", type=Path, required=True, help="a folder with a clone `OWNER__NAME` of each")
        command.add_argument("--out", type=Path, required=True, help="where results are kept, by commit of errlint")
        command.add_argument("--only", action="append", default=[], help="a part of the name of a repository")
        command.add_argument("--jobs", type=int, default=2)
    command = commands.add_parser("compare")
    command.add_argument("old", type=Path)
    command.add_argument("new", type=Path)
    given = parser.parse_args()
    if given.command == "compare":
        return bool(compare(given.old, given.new))
    names = (given.revision,) if given.command == "freeze" else (given.old, given.new)
    try:
        revisions = [*map(commit_of, names)]
        for revision in revisions:
            freeze(revision, given.clones, given.out / revision, given.only, given.jobs)
    except common.CommandFailedError as failure:
        sys.exit(str(failure))
    return bool(compare(*(given.out / each for each in revisions))) if len(revisions) > 1 else 0


if __name__ == "__main__":
    sys.exit(main())
