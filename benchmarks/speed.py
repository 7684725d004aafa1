"""Time and memory of errlint on one checkout, beside its peers: whole processes, as users wait for them.

Each figure is the median of pairs that run right after each other, so that a busy machine slows both.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import common

COLD_LIMIT, WARM_LIMIT, FILE_LIMIT, MEMORY_LIMIT, FIXIT_FACTOR = 1.5, 0.6, 3.0, 250.0, 50.0
PEER_PATTERN = 'return {"error": $$$}'
FIXIT_RULE = "fixit.rules:NoInheritFromObject"
"""Any one rule: Fixit's time is that of reading all files with LibCST."""


@dataclass(frozen=True, slots=True)
class Bench:
    """Runs commands in ``checkout`` and keeps count of the comparisons that miss their limit."""

    checkout: Path
    rounds: int

    def seconds(self, command: list[str], worst: int = 1) -> float:
        """Time one run; raises CommandFailedError when its status is above ``worst``."""
        started = time.perf_counter()
        done = subprocess.run(
            command, cwd=self.checkout, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
        )
        elapsed = time.perf_counter() - started
        if not 0 <= done.returncode <= worst:
            raise common.CommandFailedError(f"status {done.returncode}: {' '.join(command)}")
        return elapsed

    def compare(self, title: str, ours: list[str], peer: list[str], limit: float) -> bool:
        """Time both commands in turns, print the medians, and say whether their ratio keeps the limit."""
        # One unmeasured run of each fills the disk cache and, where the command has one, its own.
        self.seconds(ours), self.seconds(peer)
        pairs = [(self.seconds(ours), self.seconds(peer)) for _ in range(self.rounds)]
        mine, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(a / b for a, b in pairs)
        times = f"{mine:.3f} s to {theirs:.3f} s"
        print(f"{verdict(ratio <= limit)} {title}: {ratio:.2f} times (limit {limit}), {times}")
        return ratio <= limit


def verdict(passed: bool) -> str:
    return "pass" if passed else "FAIL"


def tree(pid: int) -> list[int]:
    """List a process and all that descend from it, as far as they still run."""
    found = [pid]
    for parent in found:
        found.extend(children(parent))
    return found


def children(pid: int) -> list[int]:
    try:
        lists = [task / "children" for task in Path(f"/proc/{pid}/task").iterdir()]
        return [int(child) for path in lists for child in path.read_text().split()]
    except OSError:
        return []


def proportional_memory(pid: int) -> int:
    """Read how many KiB a process holds, pages shared with others counted in parts; 0 when it has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def peak_memory(command: list[str], checkout: Path) -> float:
    """Run a command and return the most MiB that its process tree held at any sample."""
    peak = 0
    with subprocess.Popen(command, cwd=checkout, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            peak = max(peak, sum(map(proportional_memory, tree(process.pid))))
            time.sleep(0.005)
    return peak / 1024


def check_memory(title: str, command: list[str], checkout: Path) -> bool:
    peak = peak_memory(command, checkout)
    print(f"{verdict(peak < MEMORY_LIMIT)} {title}: {peak:.0f} MiB (limit {MEMORY_LIMIT:.0f})")
    return peak < MEMORY_LIMIT


def check_fixit(bench: Bench, fixit: str, cold: list[str]) -> bool:
    """Time Fixit once (it takes minutes) with one rule against errlint with all its default rules."""
    # Its status is 2 or 3 when one of the files does not parse.
    theirs = bench.seconds([fixit, "--quiet", "--rules", FIXIT_RULE, "lint", "."], worst=3)
    mine = statistics.median(bench.seconds(cold) for _ in range(3))
    factor = theirs / mine
    print(f"{verdict(factor >= FIXIT_FACTOR)} Fixit takes {factor:.0f} times as long (limit {FIXIT_FACTOR:.0f})")
    return factor >= FIXIT_FACTOR


def checks(bench: Bench, arguments: argparse.Namespace, caches: Path) -> list[Callable[[], bool]]:
    """Put together every comparison; nothing runs before it is called."""
    check = [*common.ERRLINT, "check"]
    cold = [*check, "--no-cache", "."]
    warm = [*check, "--cache-dir", str(caches / "errlint")]
    one = [*warm, arguments.file]
    search = [arguments.ast_grep, "run", "-p", PEER_PATTERN, "-l", "python", "."]
    ruff = [arguments.ruff, "check", "--select", "TRY,BLE,E722", "--cache-dir", str(caches / "ruff"), "."]
    click = [sys.executable, "-c", "import click"]
    planned = [
        lambda: bench.compare("without cache, to ast-grep with one rule", cold, search, COLD_LIMIT),
        lambda: bench.compare("warm cache, to ruff with a warm cache", [*warm, "."], ruff, WARM_LIMIT),
        lambda: bench.compare("one file of a warm project, to import click", one, click, FILE_LIMIT),
        lambda: check_memory("peak memory without cache", cold, bench.checkout),
        lambda: check_memory("peak memory with a warm cache", [*warm, "."], bench.checkout),
    ]
    if arguments.fixit:
        planned.append(lambda: check_fixit(bench, arguments.fixit, cold))
    return planned


def beside_python(name: str) -> str:
    """Find a program next to the running interpreter, else on the search path."""
    return shutil.which(name, path=str(Path(sys.executable).parent)) or name


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path, help="a git checkout to run in")
    parser.add_argument("--file", help="the file of the one-file run (default: the first with a finding)")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--ast-grep", default=beside_python("ast-grep"))
    parser.add_argument("--ruff", default=beside_python("ruff"))
    parser.add_argument("--fixit", metavar="PROGRAM", help="also time this Fixit (minutes)")
    arguments = parser.parse_args()
    bench = Bench(arguments.checkout, arguments.rounds)
    if arguments.file is None:
        arguments.file = common.findings(arguments.checkout, "--no-cache")[0].path
    with tempfile.TemporaryDirectory() as caches:
        results = [check() for check in checks(bench, arguments, Path(caches))]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
