"""The pages of the rules: text for people, and the examples in them for the tests.

``page`` and ``render`` give the text, ``as_json`` the same for programs, ``parse_examples`` the examples.
``python -m errlint.rulebook`` in a checkout rewrites the tables of rules/README.md.

An example is everything below one ``###`` heading of the sections :data:`SHOWN` and :data:`LISTED`: fenced
blocks whose info string gives language, kind (on the first block) and file::

    ```python bad path=server.py

``bad`` code must be reported exactly where its marks stand, ``good`` code must not be; what ``todo`` marks
is a known gap that must still be missed. A mark is a comment on the first line of the reported statement:
``# error: [ERR101]``, with several codes where several rules report it; text behind the bracket must be
contained in the message. In Markdown it is ``<!-- error: [ERR502] -->``. A block that is ``fixed`` is what
``errlint --fix --unsafe-fixes`` makes of the ``bad`` example's file of its path, with the rule of the page alone.
``toml config`` is the errlint.toml of the example. ``encoding=latin-1`` writes a file in another encoding. Blocks
without a path are prose.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from errlint.errors import ErrlintError, UsageError
from errlint.rules import RULES, Rule, code_of
from errlint.suggest import did_you_mean, did_you_mean_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from errlint.terminal import Terminal

SHOWN = "Examples"
"""Section whose examples the text of ``errlint rule`` prints."""

LISTED = "More examples"
"""Section whose examples the text only names; they cover the other forms and are tests all the same."""

KINDS = {"bad": "reported", "good": "not reported", "todo": "known gap, not reported yet"}
"""The kinds of examples, and how the text calls them."""

FIXED = "fixed"
"""What marks a file as it is after the fix."""

_FENCE = "```"
_MARK = re.compile(
    r"[ \t]*(?:#|<!--) error: \[(?P<codes>ERR\d{3}(?:, ERR\d{3})*)\][ \t]*(?P<text>.*?)(?: -->)?$", re.MULTILINE
)
_LISTED_EXAMPLE = re.compile(r"^### (?P<title>.+)\n(?:(?!###).*\n)*?```\w+ (?P<kind>bad|good|todo)\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mark:
    """A line (counted from 1) where ``codes`` are expected, with ``text`` somewhere in the message."""

    line: int
    codes: tuple[str, ...]
    text: str = ""


@dataclass(frozen=True, slots=True)
class ExampleFile:
    """One file of an example: its text without marks, and the marks."""

    path: str
    text: str
    marks: tuple[Mark, ...] = ()
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True)
class Example:
    """A small project in a page.

    ``title`` is its heading, ``kind`` one of :data:`KINDS`, ``config`` its errlint.toml, ``fixed`` the files that a fix
    changes as they are afterwards.
    """

    title: str
    kind: str
    files: tuple[ExampleFile, ...]
    config: str = ""
    fixed: tuple[ExampleFile, ...] = ()


def rules_directory() -> Path:
    """Where the pages are: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent
    installed = package / "rules"
    return installed if installed.is_dir() else package.parent / "rules"


def find_rule(code: str) -> Rule:
    """Return the rule with this code or name; raise :class:`UsageError` with the nearest one when there is none."""
    try:
        return RULES[code_of(code)]
    except KeyError:
        names = [rule.name for rule in RULES.values()]
        hint = did_you_mean_code(code, RULES) or did_you_mean(code, names) or "`errlint rule --all` lists every rule"
        raise UsageError(f"there is no rule {code!r}", hint=hint) from None


def page(code: str) -> str:
    """Return the Markdown text of a rule's page.

    Raise :class:`UsageError` for an unknown code, :class:`ErrlintError` when the page is missing.
    """
    rule = find_rule(code)
    try:
        return (rules_directory() / rule.page).read_text(encoding="utf-8")
    except OSError as error:
        raise ErrlintError(
            f"the page of {code} cannot be read: {error.strerror}",
            hint="the installation is incomplete; install errlint again",
        ) from error


def render(code: str) -> str:
    """Return a rule's page as text for a terminal: few examples in full, the others by title.

    Raise :class:`UsageError` for an unknown code.
    """
    shown, _, listed = page(code).partition(f"## {LISTED}\n")
    return "\n".join((*_shown(shown.splitlines()), *_listed(listed))) + "\n"


def markdown(code: str) -> str:
    """Return a rule's page as Markdown for an editor: few examples, their marks as comments, and where the rest is.

    Raise :class:`UsageError` for an unknown code.
    """
    shown = page(code).partition(f"## {LISTED}\n")[0]
    lines = (
        f"{_FENCE}{_language(line)}" if line.startswith(_FENCE) else _MARK.sub(_arrow, line)
        for line in shown.splitlines()
    )
    return "\n".join((*lines, f"[More examples]({RULES[code].url})")) + "\n"


def rendered(codes: Iterable[str], terminal: Terminal) -> str:
    """Return the pages of rules for a terminal: headings, tables and code as such.

    Raise :class:`UsageError` for an unknown code.
    """
    from rich.markdown import Markdown

    from errlint.report.paper import Paper

    paper = Paper(terminal)
    for code in codes:
        paper.add(Markdown(markdown(code), code_theme="ansi_dark", hyperlinks=terminal.links))
    return paper.text()


def as_json(codes: Iterable[str]) -> str:
    """Return the rules with these codes as a JSON list of objects.

    Raise :class:`UsageError` for an unknown code.
    """
    import json

    return json.dumps([_record(find_rule(code)) for code in codes], indent=2, ensure_ascii=False)


def parse_examples(text: str) -> tuple[Example, ...]:
    """Return the examples of a page, in order.

    Raise :class:`ErrlintError` with the line where an example is not well-formed: no kind or two, no files, a
    bad example without a mark, a good one with a mark.
    """
    from markdown_it import MarkdownIt

    examples: list[Example] = []
    blocks: list[tuple[int, str, str]] = []
    section = title = ""
    tokens = MarkdownIt().parse(text)
    for number, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag in ("h2", "h3"):
            if blocks:
                examples.append(_example(title, blocks))
                blocks = []
            title = tokens[number + 1].content
            section = title if token.tag == "h2" else section
        elif token.type == "fence" and section in (SHOWN, LISTED) and token.map and _is_code(token.info):
            blocks.append((token.map[0] + 1, token.info, token.content))
    if blocks:
        examples.append(_example(title, blocks))
    return tuple(examples)


def example_file(path: str, content: str, encoding: str = "utf-8") -> ExampleFile:
    """Return the file of a fence: its text without the marks, and the marks."""
    marks = tuple(
        Mark(content.count("\n", 0, match.start()) + 1, tuple(match["codes"].split(", ")), match["text"])
        for match in _MARK.finditer(content)
    )
    return ExampleFile(path, _MARK.sub("", content), marks, encoding)


def rule_table() -> str:
    """Return what each rule finds, as a table of rules/README.md."""
    rows = ["| Code | Name | Severity | Finds |", "|---|---|---|---|"]
    rows += [
        f"| [{rule.code}]({rule.page}) | {rule.name}{'' if rule.default else ' ○'} "
        f"| {rule.severity.value} | {rule.summary} |"
        for rule in RULES.values()
    ]
    return "\n".join(rows) + "\n"


def policy_table() -> str:
    """Return which rules run under which policy, and how severe they are, as a table of rules/README.md."""
    from errlint.settings.conventions import Convention, presets

    named = presets()
    titles = ["Rule", "no configuration", *(f"`{name}`" for name in named), "`--select ALL`"]
    rows = [titles, ["---"] * len(titles)]
    for code, rule in RULES.items():
        policies = [
            policy.severity.get(code, rule.severity).value if code in policy.rules else "–"
            for policy in (Convention(), *named.values())
        ]
        rows.append([f"[{code}]({rule.page})", *policies, rule.severity.value])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


TABLES = {"rules": rule_table, "policies": policy_table}
"""What makes each table of rules/README.md, by the name in the markers around it."""


def with_tables(document: str) -> str:
    """Return the document with what stands between the markers of each table replaced by that table."""
    for name, table in TABLES.items():
        begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
        head, _, rest = document.partition(begin)
        document = f"{head}{begin}{table()}{end}{rest.partition(end)[2]}"
    return document


def _record(rule: Rule) -> dict[str, object]:
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.value,
        "default": rule.default,
        "summary": rule.summary,
        "url": rule.url,
        "explanation": page(rule.code),
    }


def _shown(lines: list[str]) -> Iterator[str]:
    fence = ""
    for line in lines:
        ticks = line[: len(line) - len(line.lstrip("`"))]
        if fence and line == fence:
            fence = ""
        elif not fence and len(ticks) >= len(_FENCE):
            fence = ticks
            if caption := _caption(line):
                yield from (caption, "")
        elif fence:
            yield f"    {_MARK.sub(_arrow, line)}".rstrip()
        else:
            yield line


def _language(fence: str) -> str:
    """Return the language of a fence: what else stands there is for the tests."""
    return fence.removeprefix(_FENCE).strip("`").partition(" ")[0]


def _listed(text: str) -> Iterator[str]:
    if not text:
        return
    yield f"## {LISTED}"
    examples = [(match["kind"], match["title"]) for match in _LISTED_EXAMPLE.finditer(text)]
    for kind, caption in KINDS.items():
        if titles := [title for each, title in examples if each == kind]:
            yield from ("", f"{caption.capitalize()}:", "", *(f"- {title}" for title in titles))


def _arrow(mark: re.Match[str]) -> str:
    return f"  # <- {mark['codes']}"


def _caption(fence: str) -> str:
    words = fence.split()[1:]
    path = next((word.removeprefix("path=") for word in words if word.startswith("path=")), "")
    if "config" in words:
        path = "errlint.toml"
    kind = next((word for word in words if word in KINDS), "")
    if FIXED in words:
        return f"{path} (after --fix --unsafe-fixes):"
    return f"{path} ({KINDS[kind]}):" if kind else f"{path}:" if path else ""


def _is_code(info: str) -> bool:
    return any(word in KINDS or word == "config" or word.startswith("path=") for word in info.split()[1:])


def _example(title: str, blocks: list[tuple[int, str, str]]) -> Example:
    kinds: list[str] = []
    files: list[ExampleFile] = []
    fixed: list[ExampleFile] = []
    config = ""
    for _, info, content in blocks:
        words = info.split()[1:]
        kinds += (word for word in words if word in KINDS)
        values = dict(word.split("=", 1) for word in words if "=" in word)
        if "config" in words:
            config = content
        elif FIXED in words:
            fixed.append(example_file(values["path"], content, values.get("encoding", "utf-8")))
        elif "path" in values:
            files.append(example_file(values["path"], content, values.get("encoding", "utf-8")))
    marked = any(file.marks for file in files)
    where = f"line {blocks[0][0]}, example {title!r}"
    if len(kinds) != 1 or not files:
        raise ErrlintError(f"{where}: one block has to give the kind ({', '.join(KINDS)}), and each file its path")
    if marked == (kinds[0] == "good"):
        raise ErrlintError(f"{where}: {'a good example has no marks' if marked else 'no statement is marked'}")
    unknown = {file.path for file in fixed} - {file.path for file in files}
    if fixed and (unknown or kinds[0] != "bad"):
        raise ErrlintError(f"{where}: a fixed block is a file of a bad example")
    return Example(title, kinds[0], tuple(files), config, tuple(fixed))


def _write_tables() -> None:
    """Rewrite the generated tables of a checkout."""
    path = rules_directory() / "README.md"
    path.write_text(with_tables(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    _write_tables()
