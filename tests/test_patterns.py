"""Glob patterns of settings mean what git means; git is the oracle, and no pattern makes matching slow."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from errlint.patterns import IgnoreFile, Patterns, fits, problem

PATTERNS = """
    a b a/ /a /a/ a/b a/b/ /a/b ./a a/. *.py /*.py a/*.py a/?.py test_*.py *_t.py *.p[yi] **/*.py
    * */ /* /*/ a/* a/*/ */a */*/a ?a a? a* a/*/b
    ** /** **/ /**/ **/** a/** a/**/ a/**/b a/**/b/ a/b/** a/b/**/c **/a **/a/ **/a/b /**/a **/a/**
    **/**/a a/**/**/b a**b **a ***a a/***
    [ab] [!a] [^a] [a-b]b [a^] [&&a] [~~a] [-a] [a-] []a] [!]a] [.]a [ [a [] [!]
    #a \\#a \\!a a\\*b a// //a a.b a+b (a) {a,b} a|b ^a $a - é
    *a*b a*a*a *?*a [a-c]*[a-c]* **/a/**/b **/a/**/b/**/c a/**/b/**/d a/**/*/**/e.py **/a/**/d/** **/a/**/d/
    [[:alpha:]] [[:digit:]a] [![:alpha:]] [[:nope:]] [z-a] [z-ab] [\\]a] [a\\-c] [a-] \\a a\\ a\\/b a/[a-c
""".split()  # noqa: SIM905 - a table of words

PATHS = """
    a a/ a/b a/b/ a/b/c a/b/c/ a/c/b a/c/d/b a/aa a/.b a/x.py a/b/x.py a/test_x.py a/b.py/c a/x/y/b
    a/b/c/d/e.py b b/ b/a b/a/ b/a/c b/x.py b/c/a x/a/y/b c/ab/d x.py x.pyi a.py/ test_x.py
    x_t.py aa aa/ ab ba ca .a z - a.b aXb a+b (a) {a,b} a|b ^a $a ] [ a] !a #a a*b
""".split()  # noqa: SIM905


class Oracle:
    """A repository that has each path in a folder of its own, with an ignore file beside it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        for number, path in enumerate(PATHS):
            place = root / str(number) / path
            if path.endswith("/"):
                place.mkdir(parents=True)
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.touch()

    def ignored(self, lines: list[str]) -> list[str]:
        for number in range(len(PATHS)):
            (self.root / str(number) / ".gitignore").write_text("\n".join(lines) + "\n", encoding="utf-8")
        asked = "\0".join(f"{number}/{path}".rstrip("/") for number, path in enumerate(PATHS))
        command = ["git", "-C", str(self.root), "check-ignore", "-z", "--stdin"]
        done = subprocess.run(command, input=asked, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        answered = set(done.stdout.split("\0"))
        return [path for number, path in enumerate(PATHS) if f"{number}/{path}".rstrip("/") in answered]


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    return Oracle(tmp_path_factory.mktemp("oracle"))


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_matches_the_paths_that_git_would_match(pattern: str, oracle: Oracle) -> None:
    patterns = Patterns([pattern])
    assert [path for path in PATHS if patterns.matches(path)] == oracle.ignored([pattern])


@pytest.mark.parametrize(
    "patterns",
    [
        pytest.param(["venv", "dist", "node_modules"], id="names only"),
        pytest.param(["a", "*.pyi", "/b/**"], id="names, wildcards and anchors"),
        pytest.param(["a", "!a/b", "*.py"], id="nothing is taken back below a matched folder"),
        pytest.param(["*.py", "!x.py", "a/*", "!a/b"], id="a later negation takes some back"),
        pytest.param(["*", "!*/", "!*.py"], id="everything but Python"),
        pytest.param(["a/**", "!a/**/", "!a/b/c"], id="folders are taken back to reach a file"),
        pytest.param(["!a", "a/b"], id="a negation that comes too early"),
        pytest.param(["!a", "#a", " ", "b ", "ab\\ "], id="blanks and comments"),
        pytest.param([], id="no pattern matches nothing"),
    ],
)
def test_a_list_of_patterns_matches_what_git_would_match(patterns: list[str], oracle: Oracle) -> None:
    asked = Patterns(patterns)
    assert [path for path in PATHS if asked.matches(path)] == oracle.ignored(patterns)
    assert bool(asked) == bool(patterns)


def test_an_ignore_file_says_of_a_path_that_it_is_ignored_that_it_is_not_or_nothing() -> None:
    ignore = IgnoreFile("\ufeff*.py\r\n!keep.py\n# note\nbuild/\n")
    asked = ["a.py", "keep.py", "a.txt", "build/", "build"]
    assert [ignore.verdict(path) for path in asked] == [True, False, None, True, None]


MANY = 40
SLOW = {
    "wildcards in one part": ("*a" * MANY + "b", "a" * 4_000),
    "wildcards in several parts": ("/".join(["*a*a*a*b"] * 9), "/".join(["a" * 400] * 9)),
    "any folders, many times": ("**/a/" * MANY + "b", "a/" * 2_000),
    "any folders and wildcards": ("**/*a*a*/" * MANY + "b", "aaaaaaa/" * 500),
    "any folders above a folder": ("**/a/" * MANY + "b/", "a/" * 2_000),
    "escaped": ("\\a" + "*a" * MANY + "b", "a" * 4_000),
    "taken back": ("!" + "*a" * MANY + "b", "a" * 4_000),
    "any folders, taken back": ("!" + "**/a/" * MANY + "b", "a/" * 2_000),
    "brackets": ("*[ab]" * MANY + "c", "a" * 4_000),
    "question marks": ("*?" * MANY + "b", "a" * 4_000),
}


@pytest.mark.parametrize(("pattern", "path"), SLOW.values(), ids=SLOW)
def test_no_pattern_takes_longer_than_its_length_times_that_of_the_path(pattern: str, path: str) -> None:
    code = (
        "import sys; from errlint.patterns import IgnoreFile, Patterns; pattern, path = sys.argv[1:];"
        "print(Patterns([pattern]).matches(path), IgnoreFile(pattern).verdict(path))"
    )
    command = [sys.executable, "-c", code, pattern, path]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "False None\n"


def test_a_name_is_matched_by_wildcards_whatever_it_holds() -> None:
    assert fits("shop.errors.LostError", "*Error")
    assert not fits("shop.errors.LostError", "Error*")
    assert not fits("a" * 10_000, "*a" * 400 + "b")


def test_a_wildcard_stands_for_a_character_of_any_alphabet() -> None:
    assert all(Patterns([pattern]).matches("x/é") for pattern in ("?", "[!a]", "[é]", "[[:alpha:]é]"))


def test_a_name_with_a_line_end_is_matched_like_any_other() -> None:
    assert Patterns(["a/*.py"]).matches("a/x\ny.py")
    assert not Patterns(["a/*.py"]).matches("a/x.py\n")


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        pytest.param("src/**/*.py", "", id="an ordinary pattern is fine"),
        pytest.param("!src", "", id="a negation is fine"),
        pytest.param("", "is empty", id="an empty pattern"),
        pytest.param("  ", "is empty", id="a blank pattern"),
        pytest.param("[z-a]", "is not a valid glob pattern", id="a range that runs backwards"),
        pytest.param("a[!z-a]b", "is not a valid glob pattern", id="a range that runs backwards in a longer one"),
        pytest.param("a" * 1_001, "is longer than 1,000 characters", id="a pattern of unlikely length"),
        pytest.param("!", "is not a valid glob pattern", id="a negation of nothing"),
    ],
)
def test_a_broken_pattern_is_told_from_a_good_one(pattern: str, why: str) -> None:
    assert problem(pattern) == why
