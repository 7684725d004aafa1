"""Glob patterns of settings mean what git means; pathspec is the oracle."""

from __future__ import annotations

import subprocess
import sys

import pytest
from pathspec import GitIgnoreSpec

from errlint.patterns import Patterns, problem

PATTERNS = """
    a b a/ /a /a/ a/b a/b/ /a/b ./a a/. *.py /*.py a/*.py a/?.py test_*.py *_t.py *.p[yi] **/*.py
    * */ /* /*/ a/* a/*/ */a */*/a ?a a? a* a/*/b
    ** /** **/ /**/ **/** a/** a/**/ a/**/b a/**/b/ a/b/** a/b/**/c **/a **/a/ **/a/b /**/a **/a/**
    **/**/a a/**/**/b a**b **a ***a a/***
    [ab] [!a] [^a] [a-b]b [a^] [&&a] [~~a] [-a] [a-] []a] [!]a] [.]a [ [a [] [!]
    !a #a \\#a \\!a a\\*b a// //a a.b a+b (a) {a,b} a|b ^a $a - é [é]
""".split()  # noqa: SIM905 - a table of words

PATHS = """
    a a/ a/b a/b/ a/b/c a/b/c/ a/c/b a/c/d/b a/aa a/.b a/x.py a/b/x.py a/test_x.py a/b.py/c a/x/y/b
    a/b/c/d/e.py b b/ b/a b/a/ b/a/c b/x.py b/c/a x/a/y/b c/ab/d x.py x.pyi a.py/ test_x.py
    x_t.py aa aa/ ab ba ca .a z - a.b aXb a+b (a) {a,b} a|b ^a $a ] [ a] !a #a a*b é x/é
""".split()  # noqa: SIM905


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_matches_the_paths_that_git_would_match(pattern: str) -> None:
    oracle = GitIgnoreSpec.from_lines([pattern])
    patterns = Patterns([pattern])
    assert [path for path in PATHS if patterns.matches(path)] == [path for path in PATHS if oracle.match_file(path)]


@pytest.mark.parametrize(
    "patterns",
    [
        pytest.param(["venv", "dist", "node_modules"], id="names only"),
        pytest.param(["a", "*.pyi", "/b/**"], id="names, wildcards and anchors"),
        pytest.param(["a", "!a/b", "*.py"], id="a later negation takes some back"),
        pytest.param(["!a", "a/b"], id="a negation that comes too early"),
        pytest.param([], id="no pattern matches nothing"),
    ],
)
def test_a_list_of_patterns_matches_what_git_would_match(patterns: list[str]) -> None:
    oracle = GitIgnoreSpec.from_lines(patterns)
    asked = Patterns(patterns)
    assert [path for path in PATHS if asked.matches(path)] == [path for path in PATHS if oracle.match_file(path)]
    assert bool(asked) == bool(patterns)


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
        pytest.param("!", "is not a valid glob pattern", id="a negation of nothing"),
    ],
)
def test_a_broken_pattern_is_told_from_a_good_one(pattern: str, why: str) -> None:
    assert problem(pattern) == why


def test_usual_patterns_do_not_import_the_ignore_library() -> None:
    code = (
        "import sys; from errlint.patterns import Patterns;"
        "from errlint.settings import DEFAULT_EXCLUDE, DEFAULT_TESTS;"
        "Patterns([*DEFAULT_EXCLUDE, *DEFAULT_TESTS, 'src/*/x', '/a/**']).matches('src/a.py');"
        "print('pathspec' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
