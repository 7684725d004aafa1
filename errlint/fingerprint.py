"""How a finding is recognised again after the code around it moved or was reformatted."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator

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


def digest(statement: str) -> str:
    """Return a short hash of a statement's tokens, without what a formatter may change.

    That is layout, comments, trailing commas, the style of quotes, parentheses, and where a text is broken into parts.
    """
    tokens: list[str] = []
    is_text = False
    for match in _TOKEN.finditer(statement):
        kind, token = match.lastgroup, match.group()
        if kind in ("comment", "space"):
            continue
        if kind == "string":
            token = _unquoted(token)
            if is_text:
                before, after = tokens.pop(), token
                prefix = "".join(sorted({*before.partition(_QUOTE)[0], *after.partition(_QUOTE)[0]}))
                token = f"{prefix}{_QUOTE}{before.partition(_QUOTE)[2]}{after.partition(_QUOTE)[2]}"
        elif token in _CLOSERS and tokens and tokens[-1] == ",":
            tokens.pop()
        if token not in _PARENTHESES:
            tokens.append(token)
            is_text = kind == "string"
    return hashlib.blake2b("\0".join(tokens).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _unquoted(token: str) -> str:
    start = min(position for position in (token.find("'"), token.find('"')) if position >= 0)
    quote = token[start : start + 3] if token[start : start + 3] in ("'''", '"""') else token[start]
    body = token[start + len(quote) : -len(quote)]
    return f"{token[:start].lower()}'{body.replace(chr(92) + quote, quote)}"


def fingerprint(code: str, statement_digest: str, function: str) -> str:
    """Return the fingerprint of a finding: its rule, its statement and the name of the innermost function."""
    innermost = function.rpartition(".")[2]
    key = f"{code}\0{statement_digest}\0{innermost}"
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def identify(findings: Iterable[Finding], text: str) -> Iterator[tuple[Finding, str]]:
    """Yield the findings of one file, each with its fingerprint; ``text`` is the decoded file."""
    lines = text.split("\n")
    for finding in findings:
        yield finding, fingerprint(finding.code, digest(_statement(lines, finding.span)), finding.function)


def statement_at(text: str, span: Span) -> str:
    """Return the text of a span of a decoded file, "" where the file is shorter."""
    return _statement(text.split("\n"), span)


def _statement(lines: list[str], span: Span) -> str:
    """Return the text of a span."""
    if span.line > len(lines):
        return ""
    found = lines[span.line - 1 : span.end_line]
    if len(found) == 1:
        return found[0][span.column - 1 : max(span.end_column - 1, span.column)]
    return "\n".join([found[0][span.column - 1 :], *found[1:-1], found[-1][: span.end_column - 1]])
