"""How a finding is recognised again after the code around it moved or was reformatted."""

from __future__ import annotations

import hashlib
import keyword
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from errlint.findings import Finding, Span

_TOKEN = re.compile(
    r"(?P<comment>\#[^\n]*)"
    r"|(?P<string>(?i:[rbfut]{0,3})(?:'''(?:\\.|[^\\])*?(?:'''|\\?\Z)|\"\"\"(?:\\.|[^\\])*?(?:\"\"\"|\\?\Z)|'(?:\\.|[^'\\\n]){0,2000}'|\"(?:\\.|[^\"\\\n]){0,2000}\"))"
    r"|(?P<word>[^\W]\w*)"
    r"|(?P<space>\s+|\\\n)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_CLOSERS = frozenset(")]}")
_PARENTHESES = frozenset("()")
_QUOTE = "'"
_HOLE = re.compile(r"\{([^{}]*)\}")
_AROUND = re.compile(r"\s*([^\w\s])\s*")
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
_WORDS_OF_PYTHON = frozenset(keyword.kwlist)
_SENTENCE = re.compile(r"[^\W\d_]{2,}\W+[^\W\d_]{2,}")


class _Tokens(NamedTuple):
    """The tokens of a statement but for what a formatter may change, and which of them stand beside a parenthesis.

    ``called`` are the places of those right before one that opens, ``first`` of those right behind it.
    """

    texts: list[str]
    called: set[int]
    first: set[int]


def digest(statement: str) -> str:
    """Return a short hash of a statement's tokens, without what a formatter may change.

    That is layout, comments, trailing commas, the style of quotes (those in the holes of an f-string are the others),
    parentheses, and where a text is broken into parts.
    """
    return _hash(_significant(statement).texts, 8)


def shape(statement: str) -> str:
    """Return a short hash of a statement that stays when names in it are changed.

    Of variables, functions and called methods counts where each occurs first and again; attributes, keywords of calls,
    texts and words of Python count as they are.
    """
    tokens = _significant(statement)
    numbers: dict[str, str] = {}

    def number(match: re.Match[str]) -> str:
        name = match.group()
        return name if name in _WORDS_OF_PYTHON else numbers.setdefault(name, f"#{len(numbers)}")

    shaped: list[str] = []
    for index, token in enumerate(tokens.texts):
        before = tokens.texts[index - 1] if index else ""
        after = tokens.texts[index + 1] if index + 1 < len(tokens.texts) else ""
        is_keyword = after == "=" and (index in tokens.first or before == ",")
        if _QUOTE in token:
            prefix, quote, body = token.partition(_QUOTE)
            if not {"f", "t"}.isdisjoint(prefix):
                body = _HOLE.sub(lambda hole: "{" + _NAME.sub(number, hole.group(1)) + "}", body)
            shaped.append(f"{prefix}{quote}{body}")
        elif (before == "." and index not in tokens.called) or is_keyword:
            shaped.append(token)
        else:
            shaped.append(_NAME.sub(number, token))
    return _hash(shaped, 4)


def has_sentence(statement: str) -> bool:
    """Whether a statement holds a text of several words, which tells it from others of its shape."""
    return any(_QUOTE in token and _SENTENCE.search(token) is not None for token in _significant(statement).texts)


def _hash(tokens: Iterable[str], size: int) -> str:
    return hashlib.blake2b("\0".join(tokens).encode("utf-8", "surrogatepass"), digest_size=size).hexdigest()


def _significant(statement: str) -> _Tokens:
    tokens = _Tokens([], set(), set())
    texts = tokens.texts
    is_text = False
    for match in _TOKEN.finditer(statement):
        kind, token = match.lastgroup, match.group()
        if kind in ("comment", "space"):
            continue
        if token == "(":
            tokens.called.add(len(texts) - 1)
            tokens.first.add(len(texts))
        if kind == "string":
            token = _unquoted(token)
            if is_text:
                before, after = texts.pop(), token
                prefix = "".join(sorted({*before.partition(_QUOTE)[0], *after.partition(_QUOTE)[0]}))
                token = f"{prefix}{_QUOTE}{before.partition(_QUOTE)[2]}{after.partition(_QUOTE)[2]}"
        elif token in _CLOSERS and texts and texts[-1] == ",":
            texts.pop()
        if token not in _PARENTHESES:
            texts.append(token)
            is_text = kind == "string"
    return tokens


def _unquoted(token: str) -> str:
    start = min(position for position in (token.find("'"), token.find('"')) if position >= 0)
    quote = token[start : start + 3] if token[start : start + 3] in ("'''", '"""') else token[start]
    body = token[start + len(quote) : -len(quote)].replace(f"\\{quote}", quote)
    prefix = token[:start].lower()
    if not {"f", "t"}.isdisjoint(prefix):
        body = _HOLE.sub(_plain_hole, body)
    return f"{prefix}{_QUOTE}{body}"


def _plain_hole(hole: re.Match[str]) -> str:
    """Return a hole of an f-string without what a formatter may change in it."""
    plain = _AROUND.sub(lambda mark: mark[1], hole[1].strip()).replace('"', _QUOTE)
    return f"{{{plain}}}"


def fingerprint(code: str, statement_digest: str, function: str) -> str:
    """Return the fingerprint of a finding: its rule, its statement and the name of the innermost function."""
    innermost = function.rpartition(".")[2]
    key = f"{code}\0{statement_digest}\0{innermost}"
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def identify(findings: Iterable[Finding], text: str) -> Iterator[tuple[Finding, str]]:
    """Yield the findings of one file, each with its fingerprint; ``text`` is the decoded file."""
    lines = text.split("\n")
    for finding in findings:
        yield finding, fingerprint(finding.code, digest(statement_at(lines, finding.span)), finding.function)


def statement_at(lines: Sequence[str], span: Span) -> str:
    """Return the text of a span in the lines of a decoded file, "" where the file is shorter."""
    if span.line > len(lines):
        return ""
    found = lines[span.line - 1 : span.end_line]
    if len(found) == 1:
        return found[0][span.column - 1 : max(span.end_column - 1, span.column)]
    return "\n".join([found[0][span.column - 1 :], *found[1:-1], found[-1][: span.end_column - 1]])
