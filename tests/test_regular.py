"""Regular expressions of settings mean what ``re`` means, in time linear in the text."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errlint.regular import MAX_STATES, Regular

PATTERNS = r"""
    a abc [a-z]+:[a-z_]+ orders:[a-z_]+ \w+\.\w+ [0-9]+ a* a+ a? a*? a+? a?? (a|b)* (a|aa)+ (a|aa|a+)+$
    ^a|b$ ^ $ ^$ |a a| ((a{0}){999}){999}
    (?:ab){2} (ab){2,} a{,2} a{0} (a|b){1,3}c a{2}? a{} a{,} a{x a{1 (?P<n>a)b . .. .*b a.b [.] [^a] [^a-c]* []a] [^]a]
    [\]a] [\w-]+ \d+ \D \s \S \W \. \\ \- \/ \$ \^ \{ \x41 \u0041 \n \t () ()* (()|a)+ ((a*)*)* (a*b*)*
    (a?){3} ((a{2}){2}){2}
    (a|b|)c a(b(c(d)?)?)? é [é-ü]+ \w\W [a\-z] [a-] (?:) (?:a|b)(?:c|d)? (a*)+b
""".split()  # noqa: SIM905 - a table of words

WORDS = """
    a b c ab aa aaa aaaa aaaaaaaa abab ababab abc abcd acd ac bc c a.b axb orders:find orders:find_all orders: :a
    shop.find ] - / . \\ $ ^ { } A é ü éü 1 12 _ a{} a{x a{1 a{, ad bd
""".split()  # noqa: SIM905 - a table of words
TEXTS = [*WORDS, "", " ", "\n", "\t", "a\n", "\na", "a\nb", "x:" + "y" * 50]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_an_expression_matches_the_texts_that_re_matches_as_a_whole(pattern: str) -> None:
    regular = Regular(pattern)
    assert [text for text in TEXTS if regular.matches(text)] == [t for t in TEXTS if re.fullmatch(pattern, t)]


EXPRESSIONS = st.recursive(
    st.sampled_from(["a", "b", "[ab]", "[^a]", ".", r"\w", "", "c"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,}", "{,2}", "{0}", "*?", "{1,3}?"])).map(
            lambda pair: f"({pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(EXPRESSIONS, st.lists(st.text("abc", max_size=6), max_size=8))
def test_drawn_expressions_match_what_re_matches(pattern: str, texts: list[str]) -> None:
    regular = Regular(pattern)
    assert [text for text in texts if regular.matches(text)] == [t for t in texts if re.fullmatch(pattern, t)]


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        pytest.param("[", "is not a regular expression: unterminated character set", id="an open set"),
        pytest.param("[a\\", "is not a regular expression: unterminated character set", id="an open set and escape"),
        pytest.param("[z-a]", "is not a regular expression: bad character range z-a", id="a range that runs backwards"),
        pytest.param("(a", "is not a regular expression: missing ), unterminated subpattern", id="an open group"),
        pytest.param("a)", "is not a regular expression: unbalanced parenthesis", id="a group that is not open"),
        pytest.param("*a", "is not a regular expression: nothing to repeat", id="a repetition of nothing"),
        pytest.param("a**", "is not a regular expression: multiple repeat", id="a repetition of a repetition"),
        pytest.param("a{3,2}", "is not a regular expression: min repeat greater than max", id="an empty range"),
        pytest.param("(?=a)a", "may not have `(?=`: it cannot be matched in a time that is", id="a look ahead"),
        pytest.param("(?<!a)b", "may not have `(?<`", id="a look behind"),
        pytest.param("(?i)a", "may not have `(?i`", id="a flag"),
        pytest.param(r"(a)\1", r"may not have `\1`", id="a backreference"),
        pytest.param(r"\ba", r"may not have `\b`", id="a word boundary"),
        pytest.param("a++", "may not have a possessive repetition", id="a possessive repetition"),
        pytest.param("a^b", "may not have `^` other than at its ends", id="an anchor in the middle"),
        pytest.param("(a$)", "may not have `$` other than at its ends", id="an anchor in a group"),
        pytest.param("a" * 1_001, "is longer than 1,000 characters", id="a long expression"),
        pytest.param(
            "a{301}", f"is too large: it stands for more than {MAX_STATES} characters", id="a long repetition"
        ),
        pytest.param("((a{99}){99}){99}", "is too large", id="repetitions in each other"),
        pytest.param("a{" + "9" * 900 + "}", "is too large", id="a number of many digits"),
        pytest.param("(" * 400 + ")" * 400, "has more than 20 groups in each other", id="groups in each other"),
    ],
)
def test_what_is_no_expression_or_none_that_ends_in_time_is_refused(pattern: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        Regular(pattern)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        pytest.param("(a|aa|a+)+", "a" * 100_000 + "!", id="ways that grow with every character"),
        pytest.param("(((a*)*)*)*b", "a" * 100_000, id="repetitions in each other"),
        pytest.param("a?" * 150 + "a" * 150, "a" * 149, id="a hundred choices"),
        pytest.param("(.*,){9}x", "1," * 50_000, id="commas"),
        pytest.param("(" + "|".join("ab" * n for n in range(1, 17)) + ")*c", "ab" * 50_000, id="many alternatives"),
    ],
)
def test_no_expression_takes_longer_than_the_text_is_long(pattern: str, text: str) -> None:
    code = "import sys; from errlint.regular import Regular; print(Regular(sys.argv[1]).matches(sys.stdin.read()))"
    command = [sys.executable, "-c", code, pattern]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "False\n"
