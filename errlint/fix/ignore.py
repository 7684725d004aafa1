"""``--add-ignore``: suppressions for findings, in place of fixes.

A suppression goes to the first line of what a finding is about, or to its last where the first cannot take a comment:
it ends inside of a string, or with a backslash. One that is there already gets the code. What is written is proved as
fixes are: the trees stay the same, every old line is still there, and the findings are gone.
"""

from __future__ import annotations

import ast
import io
import re
import token
import tokenize
from collections.abc import Iterable, Mapping

from errlint.errors import UsageError
from errlint.facts import Suppression
from errlint.findings import Finding
from errlint.fix.model import Doubt, Group
from errlint.fix.prove import new_findings
from errlint.fix.run import Fixes
from errlint.request import Request
from errlint.rules import FATAL_RULES
from errlint.run import check, whole
from errlint.source import UndecodableError, decode, read_bytes
from errlint.suppress import find_suppressions, with_codes

_ABOUT_COMMENTS = frozenset({"ERR901", "ERR902", "ERR903"})
_LINE_END = re.compile(r"\r\n|\r|\n")
_OPENING = frozenset(getattr(token, name, -1) for name in ("FSTRING_START", "TSTRING_START"))
_CLOSING = frozenset(getattr(token, name, -1) for name in ("FSTRING_END", "TSTRING_END"))


def require_reason(reason: str) -> str:
    """Return a reason without blanks around it; raises :class:`UsageError` for one that cannot stand in a comment."""
    reason = reason.strip()
    if not reason:
        raise UsageError("--add-ignore: the reason is empty", hint='errlint --add-ignore="clients read this payload"')
    if "#" in reason or not reason.isprintable():
        raise UsageError("--add-ignore: the reason has to be one line without `#`")
    return reason


def add_ignores(request: Request, findings: tuple[Finding, ...], reason: str) -> Fixes:
    """Return the contents with a suppression for each finding, proved; what cannot be suppressed is refused."""
    request = whole(request)
    refused: list[Group] = []
    wanted: dict[str, list[Finding]] = {}
    for finding in findings:
        why = reason_to_show(finding)
        if why:
            refused.append(_group(finding, why))
        else:
            wanted.setdefault(finding.path, []).append(finding)
    before = check(request).findings if wanted else ()
    while True:
        contents: dict[str, tuple[bytes, bytes]] = {}
        done: list[Finding] = []
        for path, found in wanted.items():
            old, new, failed = _suppressed(request, path, found, reason)
            refused.extend(_group(finding, why) for finding, why in failed)
            wanted[path] = [item for item in found if all(item is not finding for finding, _ in failed)]
            done.extend(wanted[path])
            if new != old:
                contents[path] = (old, new)
        wrong = _wrong(request, before, done, contents)
        if not wrong:
            return Fixes(contents, tuple(_group(finding) for finding in done), (), tuple(refused))
        for path, why in wrong.items():
            refused.extend(_group(finding, why) for finding in wanted.pop(path))


def summary(fixes: Fixes, *, written: bool) -> str:
    """Return one line, without its end: how many findings were suppressed, and how many cannot be."""
    files, count = len(fixes.contents), len(fixes.fixed)
    where = f" in {files} {'file' if files == 1 else 'files'}" if count else ""
    left = f", {len(fixes.refused)} cannot be" if fixes.refused else ""
    return f"{count} {'suppressed' if written else 'to be suppressed'}{where}{left}."


def reason_to_show(finding: Finding) -> str:
    """Return why no comment may suppress a finding, "" where one may."""
    if finding.code in FATAL_RULES:
        return "a file that was not checked cannot be hidden by a comment in it"
    if finding.code in _ABOUT_COMMENTS:
        return "it is about a suppression itself"
    if not finding.path.endswith((".py", ".pyi")):
        return "it is in no Python file"
    return ""


def _group(finding: Finding, why: str = "") -> Group:
    doubts = (Doubt(why, refuses=True),) if why else ()
    return Group(finding.path, finding.function, finding.span, (finding,), doubts)


def _wrong(
    request: Request,
    before: Iterable[Finding],
    done: list[Finding],
    contents: Mapping[str, tuple[bytes, bytes]],
) -> dict[str, str]:
    """Return the files that are not what they should be, each with the reason."""
    wrong = {path: "more than comments would change" for path, (old, new) in contents.items() if not _is_same(old, new)}
    if wrong or not contents:
        return wrong
    overlay = {**request.contents, **{path: new for path, (_, new) in contents.items()}}
    after = check(request._replace(contents=overlay)).findings
    left = {(item.path, item.span.line, item.code) for item in after}
    for finding in done:
        if (finding.path, finding.span.line, finding.code) in left and finding.path in contents:
            wrong[finding.path] = f"{finding.code} would still be found"
    for finding in new_findings(before, after):
        if finding.path in contents:
            wrong[finding.path] = f"the result has a new finding: {finding.code} {finding.message}"
    return wrong


def _is_same(old: bytes, new: bytes) -> bool:
    """Whether two files are the same but for what follows in some lines."""
    before, after = decode(old), decode(new)
    lines = list(zip(before.split("\n"), after.split("\n"), strict=False))
    return (
        before.count("\n") == after.count("\n")
        and all(second == first or "# errlint: ignore" in second for first, second in lines)
        and ast.dump(ast.parse(before)) == ast.dump(ast.parse(after))
    )


def _suppressed(
    request: Request, path: str, findings: list[Finding], reason: str
) -> tuple[bytes, bytes, list[tuple[Finding, str]]]:
    """Return a file before and after, and the findings that cannot be suppressed with why."""
    try:
        data = request.contents[path] if path in request.contents else read_bytes(request.settings.root / path)
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
        plain = decode(data)
        closed = _closed_lines(plain)
        ast.parse(plain)
    except (OSError, UndecodableError, SyntaxError, ValueError, tokenize.TokenError):
        return b"", b"", [(finding, "the file cannot be read by this version of Python") for finding in findings]
    lines = _LINE_END.split(text)
    ends = [*_LINE_END.findall(text), ""]
    present = [item for item in find_suppressions(plain) if item.own and not item.whole_file and not item.alone]
    codes: dict[int, set[str]] = {}
    failed: list[tuple[Finding, str]] = []
    for finding in findings:
        line = _line(finding, closed, present)
        if line:
            codes.setdefault(line, set()).add(finding.code)
        else:
            failed.append((finding, "no line of it can take a comment"))
    for line, added in codes.items():
        own = next((item for item in present if item.span.line == line), None)
        lines[line - 1] = _with_codes(lines[line - 1], own, sorted(added), reason)
    try:
        new = "".join(map("".join, zip(lines, ends, strict=True))).encode(encoding)
    except UnicodeEncodeError:
        return data, data, [(finding, f"the reason cannot be written as {encoding}") for finding in findings]
    if text.encode(encoding) != data:
        return data, data, [(finding, "the file would not keep its encoding") for finding in findings]
    return data, new, failed


def _line(finding: Finding, closed: frozenset[int], present: list[Suppression]) -> int:
    """Return the line (from 1) that takes the suppression of a finding, 0 where none can."""
    first, last = finding.span.line, finding.span.end_line
    taken = {item.span.line for item in present}
    return next((line for line in (first, last) if line in taken), 0) or next(
        (line for line in (first, last) if line not in closed), 0
    )


def _with_codes(line: str, own: Suppression | None, codes: list[str], reason: str) -> str:
    if own is None:
        return f"{line.rstrip()}  # errlint: ignore[{', '.join(codes)}] {reason}"
    start, end = own.span.column - 1, own.span.end_column - 1
    return f"{line[:start]}{with_codes(line[start:end], codes, reason)}{line[end:]}"


def _closed_lines(text: str) -> frozenset[int]:
    """Return the lines (from 1) at whose end no comment can stand.

    Raises :class:`tokenize.TokenError` or :class:`SyntaxError` for what is no Python.
    """
    closed: set[int] = set()
    commented: set[int] = set()
    opened: list[int] = []
    for each in tokenize.generate_tokens(io.StringIO(text).readline):
        if each.type == token.STRING:
            closed.update(range(each.start[0], each.end[0]))
        elif each.type in _OPENING:
            opened.append(each.start[0])
        elif each.type in _CLOSING:
            closed.update(range(opened.pop(), each.end[0]))
        elif each.type == tokenize.COMMENT:
            commented.add(each.start[0])
    for number, line in enumerate(text.split("\n"), 1):
        if line.endswith("\\") and number not in commented:
            closed.add(number)
    return frozenset(closed)
