"""The kinds of edits that ``catalog_mutations.py`` tries, of pages, code and docstrings, each with what it leads to."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from mutated_project import CODES, ERRORS, SERVER, Entry, Finding, Model, Raised, argument, hints_of

WORDS = ("marble", "thistle", "quietly", "seventh", "garden", "borrowed", "lantern", "yellow", "upward", "harbours")
"""Words that stand nowhere in the project."""


class Change(NamedTuple):
    """New lines in place of the lines ``first`` to ``last`` of a file; before ``first`` where ``last`` is less."""

    path: str
    first: int
    last: int
    lines: tuple[str, ...]


class Edit(NamedTuple):
    """One edit: what is done, the findings that it has to lead to, in the lines of the clean project.

    Places in ``new`` are lines as they are after the edit. ``dead`` are the raises that are no longer reached.
    ``equivalent`` is the reason why nothing needs to be reported, "" for an edit that has to be.
    """

    what: str
    changes: tuple[Change, ...]
    expected: tuple[Finding, ...] = ()
    new: tuple[Finding, ...] = ()
    dead: frozenset[tuple[str, int]] = frozenset()
    equivalent: str = ""


Kind = Callable[[Model, random.Random], Edit | None]
KINDS: dict[str, Kind] = {}


def kind(function: Kind) -> Kind:
    """Add a kind of edit; its name is that of the function."""
    KINDS[function.__name__.replace("_", " ")] = function
    return function


def replaced(model: Model, path: str, line: int, old: str, new: str) -> Change:
    """Return the change of the first place of a text in a line."""
    text = model.texts[path].split("\n")[line - 1]
    assert old in text, (path, line, old)
    return Change(path, line, line, (text.replace(old, new, 1),))


def _pick(drawn: random.Random, items: Sequence[Entry]) -> Entry:
    return drawn.choice(items)


def _words(text: str) -> list[str]:
    """Return the words of a message or hint that may be changed: no holes, examples or listed values."""
    literal = re.sub(r"\{[^}]*\}|<[^>]*>|'[^']*'", " ", text.partition("one of:")[0])
    found = [word for word in re.findall(r"[a-z]{4,}", literal) if len(re.findall(rf"\b{word}\b", text)) == 1]
    return [word for word in found if re.search(rf"(?<![\w{{<]){word}(?![\w}}>])", text)]


class Reworded(NamedTuple):
    """A text with another word, one more, or one less; ``beside`` are the words around one that came or went."""

    text: str
    beside: tuple[str, ...] = ()


def _reworded(drawn: random.Random, text: str) -> Reworded:
    word = drawn.choice(_words(text))
    other = drawn.choice(WORDS)
    found = re.search(rf"(?<!\w){word}(?!\w)", text)
    assert found is not None
    before, after = text[: found.start()], text[found.end() :]
    how = drawn.choice(("replace", "add", "drop"))
    if how == "replace":
        return Reworded(f"{before}{other}{after}")
    around = (*before.split()[-1:], *after.split()[:1])
    if how == "add":
        return Reworded(f"{before}{word} {other}{after}", around[1:])
    return Reworded(re.sub(r"  +", " ", f"{before}{after}").strip(), around)


def _hidden(model: Model, entry: Entry, beside: Sequence[str]) -> str:
    """Return why a word that came or went in a message is not seen: a value beside it may be of several words."""
    message = model.raise_of(entry).call.args[0]
    values = [each.value for each in ast.walk(message) if isinstance(each, ast.FormattedValue)]
    names = {getattr(each, "attr", getattr(each, "id", "")) for each in values}
    keys = [each.slice for each in values if isinstance(each, ast.Subscript)]
    names |= {each.value for each in keys if isinstance(each, ast.Constant)}
    for word in beside:
        plain = word.strip("`'\",.:")
        is_example = bool(re.search(r"\d|\.\w", plain))
        if is_example or (plain[:1] in ("{", "<") and plain.strip("{}<>") not in names):
            return f"`{plain}` stands for a value of the code that may be of several words"
    return ""


def _new_code(drawn: random.Random, code: str) -> str:
    first, _, _ = code.partition("_")
    return f"{first}_{drawn.choice(WORDS).upper()}"


def _undocumented(model: Model, name: str) -> Finding:
    """Return the finding about an error that no page has any more: at its registered code, or at its class."""
    if name in model.registry:
        return "ERR501", CODES, model.registry[name].line
    return "ERR501", ERRORS, model.classes[name]


def _links_to(model: Model, entry: Entry) -> list[Finding]:
    """Return the findings about links to the heading of an entry, once that is gone."""
    page, anchor = entry.path.rpartition("/")[2], f"#{entry.name.lower()})"
    return [
        ("ERR508", path, number)
        for path, text in model.texts.items()
        if path.endswith(".md")
        for number, line in enumerate(text.split("\n"), start=1)
        if f"{page}{anchor}" in line
    ]


def _phantoms(model: Model, *raises: Raised) -> tuple[Finding, ...]:
    """Return the findings about all entries of errors that are not raised any more."""
    return tuple(("ERR502", entry.path, entry.line) for raised in raises for entry in model.of(raised))


# --- edits of pages -------------------------------------------------------------------------------------------------


@kind
def rename_a_documented_code(model: Model, drawn: random.Random) -> Edit:
    entry = _pick(drawn, [each for each in model.entries if each.name in model.registry])
    new = _new_code(drawn, entry.name)
    gone = [] if entry.is_row else _links_to(model, entry)
    missing = [_undocumented(model, entry.name)] if model.is_alone(entry) else []
    return Edit(
        f"{entry.name} -> {new}",
        (replaced(model, entry.path, entry.line, entry.name, new),),
        (("ERR502", entry.path, entry.line), *missing, *gone),
    )


@kind
def rename_a_documented_class(model: Model, drawn: random.Random) -> Edit:
    entry = _pick(drawn, [each for each in model.entries if each.name in model.classes])
    new = f"{drawn.choice(WORDS).title()}{entry.name}"
    return Edit(
        f"{entry.name} -> {new}",
        (replaced(model, entry.path, entry.line, entry.name, new),),
        (("ERR502", entry.path, entry.line), _undocumented(model, entry.name)),
    )


@kind
def reword_a_documented_message(model: Model, drawn: random.Random) -> Edit:
    entry = _pick(drawn, [each for each in model.entries if each.message is not None and _words(each.message.text)])
    said = entry.message
    assert said is not None
    new = _reworded(drawn, said.text)
    change = replaced(model, entry.path, said.line, said.text, new.text)
    reason = _hidden(model, entry, new.beside)
    expected = () if reason else (("ERR503", entry.path, said.line),)
    return Edit(f"{entry.name}: {said.text} -> {new.text}", (change,), expected, equivalent=reason)


@kind
def reword_a_documented_hint(model: Model, drawn: random.Random) -> Edit:
    entry = _pick(drawn, [each for each in model.entries if each.hints])
    said = drawn.choice([each for each in entry.hints if _words(each.text)])
    new = _reworded(drawn, said.text).text
    change = replaced(model, entry.path, said.line, said.text, new)
    return Edit(f"{entry.name}: {said.text} -> {new}", (change,), (("ERR504", entry.path, said.line),))


def _listed_hints(model: Model) -> list[Entry]:
    """Return the entries with several hints on lines of their own."""
    return [each for each in model.entries if len({said.line for said in each.hints}) > 1]


@kind
def drop_a_documented_hint(model: Model, drawn: random.Random) -> Edit:
    entry = _pick(drawn, _listed_hints(model))
    said = drawn.choice(entry.hints)
    left = next(each for each in entry.hints if each != said)
    return Edit(
        f"{entry.name}: {said.text}",
        (Change(entry.path, said.line, said.line, ()),),
        (("ERR504", entry.path, left.line),),
    )


@kind
def add_a_documented_hint(model: Model, drawn: random.Random) -> Edit:
    entry = _pick(drawn, _listed_hints(model))
    said = entry.hints[0]
    text = f"Look into the {drawn.choice(WORDS)} drawer"
    line = model.texts[entry.path].split("\n")[said.line - 1].replace(said.text, text)
    change = Change(entry.path, said.line, said.line - 1, (line,))
    return Edit(f"{entry.name}: {text}", (change,), new=(("ERR504", entry.path, said.line),))


@kind
def swap_documented_hints(model: Model, drawn: random.Random) -> Edit:
    one, other = drawn.sample([each for each in model.entries if each.hints], 2)
    first, second = drawn.choice(one.hints), drawn.choice(other.hints)
    changes = (
        replaced(model, one.path, first.line, first.text, second.text),
        replaced(model, other.path, second.line, second.text, first.text),
    )
    expected = (("ERR504", one.path, first.line), ("ERR504", other.path, second.line))
    return Edit(f"{one.name}: {first.text} <-> {other.name}: {second.text}", changes, expected)


def _other_status(drawn: random.Random, *statuses: str) -> str:
    known = ("400", "402", "403", "404", "405", "406", "409", "410", "412", "418", "422", "429", "500", "503")
    return drawn.choice([each for each in known if each not in statuses])


@kind
def change_a_documented_status(model: Model, drawn: random.Random) -> Edit:
    entry = _pick(drawn, [each for each in model.entries if each.status is not None])
    said = entry.status
    assert said is not None
    new = _other_status(drawn, said.text)
    change = replaced(model, entry.path, said.line, said.text, new)
    return Edit(f"{entry.name}: {said.text} -> {new}", (change,), (("ERR507", entry.path, said.line),))


@kind
def add_a_status(model: Model, drawn: random.Random) -> Edit:
    entry = _pick(drawn, [each for each in model.entries if each.status is None and not each.is_row])
    raised = argument(model.raise_of(entry).call, "status")
    own = str(raised.value) if isinstance(raised, ast.Constant) else "422"
    new = _other_status(drawn, own)
    lines = ("", f"**Status:** {new}") if entry.kind is None else (f"**Status:** {new}",)
    line = entry.line + 1 if entry.kind is None else entry.kind.line + 1
    place = line + len(lines) - 1
    change = Change(entry.path, line, line - 1, lines)
    return Edit(f"{entry.name}: {new}", (change,), new=(("ERR507", entry.path, place),))


@kind
def delete_a_documented_error(model: Model, drawn: random.Random) -> Edit:
    entry = _pick(drawn, model.entries)
    gone = [] if entry.is_row else _links_to(model, entry)
    missing = [_undocumented(model, entry.name)] if model.is_alone(entry) else []
    reason = "" if gone or missing else "the error is still documented in the section that the row is about"
    change = Change(entry.path, entry.line, entry.last, ())
    return Edit(f"{entry.name} in {entry.path}", (change,), (*missing, *gone), equivalent=reason)


@kind
def add_a_phantom(model: Model, drawn: random.Random) -> Edit:
    entry = _pick(drawn, model.entries)
    text = model.texts[entry.path].split("\n")
    new = _new_code(drawn, entry.name) if entry.name in model.registry else f"{drawn.choice(WORDS).title()}Error"
    lines = tuple(line.replace(entry.name, new) for line in text[entry.line - 1 : entry.last])
    if entry.is_row:
        lines = (re.sub(r"\[(`\w+`)\]\([^)]*\)", r"\1", lines[0]),)
    else:
        lines = (lines[0], "", "Nobody has seen it yet.", "")
    change = Change(entry.path, entry.line, entry.line - 1, lines)
    return Edit(f"{new} in {entry.path}", (change,), new=(("ERR502", entry.path, entry.line),))


def _found(model: Model, pattern: str, suffix: str = ".md") -> list[tuple[str, int, re.Match[str]]]:
    return [
        (path, number, found)
        for path, text in model.texts.items()
        if path.endswith(suffix)
        for number, line in enumerate(text.split("\n"), start=1)
        for found in re.finditer(pattern, line)
    ]


@kind
def break_a_link(model: Model, drawn: random.Random) -> Edit:
    path, line, found = drawn.choice(_found(model, r"\]\(([\w/.]*?)(\w+)\.md"))
    new = found[0].replace(f"{found[2]}.md", f"{drawn.choice(WORDS)}.md")
    return Edit(f"{found[0]} -> {new}", (replaced(model, path, line, found[0], new),), (("ERR508", path, line),))


@kind
def break_an_anchor(model: Model, drawn: random.Random) -> Edit:
    path, line, found = drawn.choice(_found(model, r"\]\([\w/.-]*#([\w-]+)\)"))
    new = found[0].replace(f"#{found[1]}", f"#{drawn.choice(WORDS)}")
    return Edit(f"{found[0]} -> {new}", (replaced(model, path, line, found[0], new),), (("ERR508", path, line),))


@kind
def name_another_test(model: Model, drawn: random.Random) -> Edit:
    path, line, found = drawn.choice(_found(model, r"`tests/(\w+)\.py(?:::(\w+))?`"))
    old = drawn.choice([each for each in found.groups() if each])
    new = f"test_{drawn.choice(WORDS)}"
    change = replaced(model, path, line, found[0], found[0].replace(old, new))
    return Edit(f"{found[0]}: {old} -> {new}", (change,), (("ERR508", path, line),))


@kind
def drop_a_documented_field(model: Model, drawn: random.Random) -> Edit:
    entry = _pick(drawn, [each for each in model.entries if len(each.fields) > 1])
    said = drawn.choice(entry.fields)
    left = next(each for each in entry.fields if each != said)
    change = Change(entry.path, said.line, said.line, ())
    return Edit(f"{entry.name}: {said.text}", (change,), (("ERR505", entry.path, left.line),))


FIELDS = {False: ("card", "loan_id", "item_id", "branch", "limit"), True: ("file", "row", "column")}
"""The arguments that tell what an error is about: of the exceptions of imports, and of the others."""


def _not_given(model: Model, raised: Raised) -> list[str]:
    names = FIELDS[raised.kind in model.members]
    return [name for name in names if argument(raised.call, name) is None]


@kind
def add_a_documented_field(model: Model, drawn: random.Random) -> Edit:
    entry = _pick(drawn, [each for each in model.entries if each.fields or each.members])
    said = (*entry.fields, *entry.members)[-1]
    name = drawn.choice(_not_given(model, model.raise_of(entry)))
    line = f"- `{name}`: the one that is meant" if entry.fields else f'  "{name}": "17",'
    change = Change(entry.path, said.line, said.line - 1, (line,))
    return Edit(f"{entry.name}: {name}", (change,), new=(("ERR505", entry.path, said.line),))


@kind
def rename_a_documented_field(model: Model, drawn: random.Random) -> Edit:
    entry = _pick(drawn, [each for each in model.entries if each.fields])
    said = drawn.choice(entry.fields)
    others = [*_not_given(model, model.raise_of(entry)), f"{said.text}_{drawn.choice(WORDS)}"]
    new = drawn.choice(others)
    change = replaced(model, entry.path, said.line, said.text, new)
    # The one that is missing has no line: it is told at the first of the list.
    places = {("ERR505", entry.path, entry.fields[0].line)}
    places |= {("ERR505", entry.path, said.line)} if new != others[-1] else set()
    return Edit(f"{entry.name}: {said.text} -> {new}", (change,), tuple(places))


@kind
def change_the_code_of_an_example(model: Model, drawn: random.Random) -> Edit:
    entry = _pick(drawn, [each for each in model.entries if each.code is not None])
    said = entry.code
    assert said is not None
    is_import = said.text.startswith("IMP")
    codes = [each.text for each in model.registry.values() if each.text.startswith("IMP") == is_import]
    new = drawn.choice([code for code in codes if code != said.text])
    change = replaced(model, entry.path, said.line, said.text, new)
    return Edit(f"{entry.name}: {said.text} -> {new}", (change,), (("ERR507", entry.path, said.line),))


@kind
def document_another_class(model: Model, drawn: random.Random) -> Edit:
    entry = _pick(drawn, [each for each in model.entries if each.kind is not None])
    said = entry.kind
    assert said is not None
    own = said.text.strip("`")
    new = drawn.choice([name for name in model.classes if name not in (own, "LendingError")])
    change = replaced(model, entry.path, said.line, own, new)
    return Edit(f"{entry.name}: {own} -> {new}", (change,), (("ERR507", entry.path, said.line),))


@kind
def document_a_class_that_is_not_there(model: Model, drawn: random.Random) -> Edit:
    entry = _pick(drawn, [each for each in model.entries if each.kind is not None])
    said = entry.kind
    assert said is not None
    own = said.text.strip("`")
    new = f"{drawn.choice(WORDS).title()}Error"
    change = replaced(model, entry.path, said.line, own, new)
    return Edit(f"{entry.name}: {own} -> {new}", (change,), (("ERR502", entry.path, said.line),))


@kind
def change_a_documented_value(model: Model, drawn: random.Random) -> Edit:
    path, line, found = drawn.choice(_found(model, r"one of (?:the layouts )?((?:`\w+`(?:, )?){3})"))
    values = re.findall(r"`\w+`", found[1])
    value = drawn.choice(values)
    if drawn.random() < 0.5:
        change = replaced(model, path, line, value, f"`{drawn.choice(WORDS)}`")
    else:
        left = ", ".join(each for each in values if each != value)
        change = replaced(model, path, line, found[1], f"{left}{' ' if found[1].endswith(' ') else ''}")
    return Edit(f"{found[0]}: {value}", (change,), (("ERR507", path, line),))


@kind
def contradict_a_severity(model: Model, drawn: random.Random) -> Edit:
    entry = _pick(drawn, [each for each in model.entries if each.severity is not None])
    said = entry.severity
    assert said is not None
    pair = [each for each in model.entries if each.name == entry.name and each.severity is not None]
    later = pair[-1].severity
    assert later is not None
    new = drawn.choice([each for each in ("info", "warning", "critical", "fatal") if each != said.text])
    change = replaced(model, entry.path, said.line, said.text, new)
    return Edit(f"{entry.name}: {said.text} -> {new}", (change,), (("ERR509", pair[-1].path, later.line),))


@kind
def show_an_answer(model: Model, drawn: random.Random) -> Edit:
    path = drawn.choice([each for each in model.texts if each.startswith("docs/tools/")])
    line = model.texts[path].split("\n").index("## Raises") + 1
    status = drawn.choice(("error", "failed"))
    text = (
        "Or it answers:",
        "",
        "```json",
        "{",
        f'  "status": "{status}",',
        '  "message": "Not today"',
        "}",
        "```",
        "",
    )
    return Edit(f"{status} in {path}", (Change(path, line, line - 1, text),), new=(("ERR506", path, line + 4),))


@kind
def rename_a_heading(model: Model, drawn: random.Random) -> Edit:
    linked = {found[1] for _, _, found in _found(model, r"#([\w-]+)\)")}
    headings = [
        (path, line, found)
        for path, line, found in _found(model, r"^#{2,3} (.+)$")
        if found[1].lower().replace(" ", "-") in linked and "_" not in found[1]
    ]
    path, line, found = drawn.choice([item for item in headings if item[2][1] != "Raises" or "renew" in item[0]])
    anchor = found[1].lower().replace(" ", "-")
    page = path.rpartition("/")[2]
    links = [
        ("ERR508", where, number)
        for where, number, link in _found(model, rf"\]\(([\w/.-]*)#{anchor}\)")
        if link[1].endswith(page)
    ]
    new = f"{found[1]} {drawn.choice(WORDS)}"
    return Edit(f"{found[1]} -> {new}", (replaced(model, path, line, found[1], new),), tuple(dict.fromkeys(links)))


# --- edits of code --------------------------------------------------------------------------------------------------


@kind
def rename_a_registered_code(model: Model, drawn: random.Random) -> Edit:
    member = drawn.choice(list(model.registry))
    said = model.registry[member]
    raised = next(each for each in model.raises if each.code == member)
    if said.text.startswith("IMP"):
        new = f"IMP-{drawn.randint(200, 999)}"
        (entry,) = model.of(raised)
        assert entry.code is not None
        expected: tuple[Finding, ...] = (("ERR507", entry.path, entry.code.line),)
    else:
        new = _new_code(drawn, said.text)
        expected = (*_phantoms(model, raised), ("ERR501", CODES, said.line))
    return Edit(f"{said.text} -> {new}", (replaced(model, CODES, said.line, f'"{said.text}"', f'"{new}"'),), expected)


def _in_source(model: Model, drawn: random.Random, raised: Raised, node: ast.expr) -> Change | None:
    """Reword a text of the code."""
    texts = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    lines = model.texts[raised.path].split("\n")
    choices = [
        (number, word)
        for number in range(node.lineno, (node.end_lineno or 0) + 1)
        for word in _words(" ".join(texts))
        if len(re.findall(rf"\b{word}\b", lines[number - 1])) == 1
    ]
    if not choices:
        return None
    number, word = drawn.choice(choices)
    other = drawn.choice(WORDS)
    after = lines[number - 1].partition(word)[2].split()[:1]
    # A word more beside a value may be part of the value on the page, which has names of its own for them.
    new = other if after and "{" in after[0] else drawn.choice((other, f"{word} {other}"))
    return replaced(model, raised.path, number, word, new)


@kind
def reword_a_raised_message(model: Model, drawn: random.Random) -> Edit | None:
    raised = drawn.choice(model.raises)
    change = _in_source(model, drawn, raised, raised.call.args[0])
    if change is None:
        return None
    expected = tuple(("ERR503", each.path, each.message.line) for each in model.of(raised) if each.message is not None)
    return Edit(f"{raised.code}: {change.lines[0].strip()}", (change,), expected)


def _hinted(model: Model, least: int = 1) -> list[Raised]:
    return [each for each in model.raises if len(hints_of(each)) >= least and _entry_with_hints(model, each)]


def _entry_with_hints(model: Model, raised: Raised) -> Entry | None:
    return next((each for each in model.of(raised) if each.hints), None)


def _hint_place(model: Model, raised: Raised, index: int) -> Finding:
    entry = _entry_with_hints(model, raised)
    assert entry is not None
    return "ERR504", entry.path, entry.hints[index].line


@kind
def reword_a_raised_hint(model: Model, drawn: random.Random) -> Edit | None:
    raised = drawn.choice(_hinted(model))
    index = drawn.randrange(len(hints_of(raised)))
    change = _in_source(model, drawn, raised, hints_of(raised)[index])
    if change is None:
        return None
    return Edit(f"{raised.code}: {change.lines[0].strip()}", (change,), (_hint_place(model, raised, index),))


@kind
def drop_a_raised_hint(model: Model, drawn: random.Random) -> Edit:
    raised = drawn.choice(_hinted(model, 2))
    index = drawn.randrange(2)
    text = f'"{hints_of(raised)[index].value!s}"'
    old = f"{text}, " if index == 0 else f", {text}"
    change = replaced(model, raised.path, hints_of(raised)[index].lineno, old, "")
    return Edit(f"{raised.code}: {text}", (change,), (_hint_place(model, raised, index),))


@kind
def drop_all_raised_hints(model: Model, drawn: random.Random) -> Edit:
    raised = drawn.choice(_hinted(model))
    line = hints_of(raised)[0].lineno
    assert model.texts[raised.path].split("\n")[line - 1].lstrip().startswith("hints=")
    change = Change(raised.path, line, line, ())
    return Edit(raised.code, (change,), (_hint_place(model, raised, 0),))


@kind
def add_a_raised_hint(model: Model, drawn: random.Random) -> Edit:
    raised = drawn.choice(_hinted(model))
    text = f"Look into the {drawn.choice(WORDS)} drawer"
    change = replaced(model, raised.path, hints_of(raised)[0].lineno, "hints=[", f'hints=["{text}", ')
    return Edit(f"{raised.code}: {text}", (change,), (_hint_place(model, raised, 0),))


@kind
def swap_raised_hints(model: Model, drawn: random.Random) -> Edit:
    one, other = drawn.sample(_hinted(model), 2)
    lines = [hints_of(each)[0].lineno for each in (one, other)]
    texts = [
        model.texts[each.path].split("\n")[line - 1].strip() for each, line in zip((one, other), lines, strict=True)
    ]
    changes = (
        replaced(model, one.path, lines[0], texts[0], texts[1]),
        replaced(model, other.path, lines[1], texts[1], texts[0]),
    )
    return Edit(f"{one.code} <-> {other.code}", changes, (_hint_place(model, one, 0), _hint_place(model, other, 0)))


@kind
def change_a_raised_status(model: Model, drawn: random.Random) -> Edit:
    told = [each for each in model.raises if any(entry.status for entry in model.of(each))]
    raised = drawn.choice([each for each in told if argument(each.call, "status") is not None])
    node = argument(raised.call, "status")
    assert isinstance(node, ast.Constant)
    new = _other_status(drawn, str(node.value))
    change = replaced(model, raised.path, node.lineno, f"status={node.value!r}", f"status={new}")
    places = tuple(("ERR507", each.path, each.status.line) for each in model.of(raised) if each.status is not None)
    return Edit(f"{raised.code}: {node.value!r} -> {new}", (change,), places)


def _lines_of(model: Model, raised: Raised) -> list[str]:
    return model.texts[raised.path].split("\n")[raised.first - 1 : raised.last]


@kind
def catch_a_raise(model: Model, drawn: random.Random) -> Edit:
    raised = drawn.choice([each for each in model.raises if each.kind != "FileUnreadableError"])
    lines = _lines_of(model, raised)
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    caught = drawn.choice((raised.kind, "Exception"))
    new = (f"{indent}try:", *(f"    {line}" for line in lines), f"{indent}except {caught}:", f"{indent}    pass")
    return Edit(
        raised.code,
        (Change(raised.path, raised.first, raised.last, new),),
        _phantoms(model, raised),
        # What a narrow handler catches is caught on purpose.
        (("ERR205", raised.path, raised.first + 1),) if caught == "Exception" else (),
        frozenset({(raised.path, raised.first + 1)}),
    )


@kind
def return_before_a_raise(model: Model, drawn: random.Random) -> Edit:
    raised = drawn.choice([each for each in model.raises if each.kind != "FileUnreadableError"])
    line = _lines_of(model, raised)[0]
    new = f"{line[: len(line) - len(line.lstrip())]}{drawn.choice(('return None', 'raise RuntimeError'))}"
    return Edit(
        raised.code,
        (Change(raised.path, raised.first, raised.first - 1, (new,)),),
        _phantoms(model, raised),
        dead=frozenset({(raised.path, raised.first + 1)}),
    )


@kind
def make_a_condition_false(model: Model, drawn: random.Random) -> Edit | None:
    raised = drawn.choice(model.raises)
    line = model.texts[raised.path].split("\n")[raised.first - 2]
    if not line.lstrip().startswith("if "):
        return None
    new = f"{line[: len(line) - len(line.lstrip())]}if False:"
    return Edit(
        raised.code,
        (Change(raised.path, raised.first - 1, raised.first - 1, (new,)),),
        _phantoms(model, raised),
        dead=frozenset({(raised.path, raised.first)}),
    )


CALLS = (
    ("lending/loans.py", "check_age(member, item.age)", "pass", ("check_age",)),
    ("lending/loans.py", "branch_of(branch)", "pass", ("branch_of",)),
    (SERVER, "holds.fetch(ITEMS[item_id], card, is_late=is_late)", "ITEMS[item_id].queue.remove(card)", ("fetch",)),
    (SERVER, "holds.enqueue(ITEMS[item_id], member.card, notice)", "len(member.loans)", ("enqueue",)),
    (SERVER, "fees.receipt(fee, layout)", "fee.fee_id", ("receipt",)),
    (SERVER, "members.add_member(card, born).card", "card", ("add_member",)),
    (SERVER, "imports.take(file, number, names, cells)", "names[number]", ("take",)),
    (
        SERVER,
        "loans.lend(card, item_id, period, branch).loan_id",
        "item_id",
        ("lend", "item_of", "branch_of", "check_age"),
    ),
)
"""Calls without which nobody calls some functions: the file, the call, what to write instead, and the functions."""


@kind
def drop_the_only_call(model: Model, drawn: random.Random) -> Edit:
    path, old, new, functions = drawn.choice(CALLS)
    line = next(number for number, text in enumerate(model.texts[path].split("\n"), start=1) if old in text)
    lost = [each for each in model.raises if each.function in functions]
    return Edit(f"{old}", (replaced(model, path, line, old, new),), _phantoms(model, *lost))


@kind
def drop_a_raise(model: Model, drawn: random.Random) -> Edit:
    raised = drawn.choice(model.raises)
    line = _lines_of(model, raised)[0]
    change = Change(raised.path, raised.first, raised.last, (f"{line[: len(line) - len(line.lstrip())]}pass",))
    return Edit(raised.code, (change,), _phantoms(model, raised))


@kind
def raise_a_new_code(model: Model, drawn: random.Random) -> Edit:
    raised = drawn.choice([each for each in model.raises if each.kind not in model.members])
    new = _new_code(drawn, raised.code)
    said = model.registry[raised.code]
    lines = _lines_of(model, raised)
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    text = f'{indent}if not "".strip():'
    added = f'{indent}    raise {raised.kind}("Something is {drawn.choice(WORDS)} today", code=Code.{new}, status=400)'
    changes = (
        Change(CODES, said.line, said.line - 1, (f'    {new} = "{new}"',)),
        Change(raised.path, raised.first, raised.first - 1, (text, added)),
    )
    return Edit(new, changes, new=(("ERR501", CODES, said.line),))


@kind
def raise_with_the_code_of_another(model: Model, drawn: random.Random) -> Edit:
    own = [each for each in model.raises if each.kind not in model.members]
    raised = drawn.choice(own)
    other = drawn.choice([each for each in own if each.code != raised.code])
    node = argument(raised.call, "code")
    assert node is not None
    change = replaced(model, raised.path, node.lineno, f"Code.{raised.code}", f"Code.{other.code}")
    return Edit(f"{raised.code} -> {other.code}", (change,), _phantoms(model, raised))


@kind
def raise_another_class(model: Model, drawn: random.Random) -> Edit | None:
    told = [each for each in model.raises if any(entry.kind for entry in model.of(each))]
    raised = drawn.choice(told)
    imported = re.search(r"^from lending.errors import (.+)$", model.texts[raised.path], re.MULTILINE)
    others = [each for each in (imported[1].split(", ") if imported else ()) if each != raised.kind]
    if not others:
        return None
    new = drawn.choice(others)
    change = replaced(model, raised.path, raised.first, f"raise {raised.kind}", f"raise {new}")
    places = tuple(("ERR507", each.path, each.kind.line) for each in model.of(raised) if each.kind is not None)
    return Edit(f"{raised.code}: {raised.kind} -> {new}", (change,), places)


@kind
def give_a_class_another_code(model: Model, drawn: random.Random) -> Edit:
    name = drawn.choice(list(model.members))
    own = model.members[name]
    new = drawn.choice([each for each in model.members.values() if each != own])
    lines = model.texts[ERRORS].split("\n")
    line = next(number for number, text in enumerate(lines, start=1) if text == f"    code = Code.{own}")
    (entry,) = (each for each in model.entries if each.name == name)
    assert entry.code is not None
    change = replaced(model, ERRORS, line, own, new)
    return Edit(f"{name}: {own} -> {new}", (change,), (("ERR507", entry.path, entry.code.line),))


@kind
def rename_a_class(model: Model, drawn: random.Random) -> Edit:
    name = drawn.choice(list(model.members))
    new = f"{drawn.choice(WORDS).title()}{name}"
    places = dict.fromkeys((path, line) for path, line, _ in _found(model, rf"\b{name}\b", ".py"))
    changes = tuple(replaced(model, path, line, name, new) for path, line in places)
    entry = next(each for each in model.entries if each.name == name)
    expected = (("ERR502", entry.path, entry.line), ("ERR501", ERRORS, model.classes[name]))
    return Edit(f"{name} -> {new}", changes, expected)


@kind
def answer_instead_of_raising(model: Model, drawn: random.Random) -> Edit:
    raised = drawn.choice([each for each in model.raises if each.path == SERVER])
    lines = _lines_of(model, raised)
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    message = next(line.strip() for line in lines if line.strip().startswith('f"'))
    new = f'{indent}return {{"error": {message} "code": Code.{raised.code}.value}}'
    places = tuple(("ERR506", each.path, each.kind.line) for each in model.of(raised) if each.kind is not None)
    return Edit(
        raised.code,
        (Change(raised.path, raised.first, raised.last, (new,)),),
        places,
        (("ERR101", raised.path, raised.first),),
    )


@kind
def drop_a_raised_field(model: Model, drawn: random.Random) -> Edit:
    entry = _pick(drawn, [each for each in model.entries if each.fields or each.members])
    raised = model.raise_of(entry)
    said = drawn.choice((*entry.fields, *entry.members))
    node = argument(raised.call, said.text)
    assert node is not None, (entry.name, said)
    text = model.texts[raised.path].split("\n")[node.lineno - 1]
    old = re.search(rf"(?:, |\s*){said.text}=[\w.\[\]\"]+,?", text)
    assert old is not None
    is_line = not text.replace(old[0], "").strip()
    new = () if is_line else (text.replace(old[0], ""),)
    return Edit(
        f"{entry.name}: {said.text}",
        (Change(raised.path, node.lineno, node.lineno, new),),
        (("ERR505", entry.path, said.line),),
    )


@kind
def add_a_raised_field(model: Model, drawn: random.Random) -> Edit:
    entry = _pick(drawn, [each for each in model.entries if each.fields])
    raised = model.raise_of(entry)
    name = drawn.choice(_not_given(model, raised))
    node = argument(raised.call, "hints")
    assert node is not None
    line = model.texts[raised.path].split("\n")[node.lineno - 1]
    added = f"{line[: len(line) - len(line.lstrip())]}{name}={'3' if name == 'limit' else 'str(1)'},"
    return Edit(
        f"{entry.name}: {name}",
        (Change(raised.path, node.lineno, node.lineno - 1, (added,)),),
        (("ERR505", entry.path, entry.fields[0].line),),
    )


@kind
def change_a_raised_value(model: Model, drawn: random.Random) -> Edit:
    listing = [
        (each, number)
        for each in model.raises
        for number, line in enumerate(_lines_of(model, each), start=each.first)
        if "one of:" in line
    ]
    raised, number = drawn.choice(listing)
    text = model.texts[raised.path].split("\n")[number - 1]
    values = text.partition("one of: ")[2].rstrip('",').split(", ")
    value, other = drawn.choice(values), drawn.choice(WORDS)
    new = drawn.choice((other, f"{value}, {other}"))
    pattern = r"one of (?:the layouts )?(?:`\w+`(?:, )?){3}"
    lists = tuple(
        ("ERR507", path, line)
        for path, line, found in _found(model, pattern)
        if all(f"`{each}`" in found[0] for each in values)
    )
    places = tuple(("ERR503", each.path, each.message.line) for each in model.of(raised) if each.message is not None)
    before, after = text.partition("one of: ")[0], text.partition("one of: ")[2]
    change = Change(raised.path, number, number, (f"{before}one of: {after.replace(value, new, 1)}",))
    return Edit(f"{raised.code}: {value} -> {new}", (change,), (*places, *lists))


@kind
def rename_a_test(model: Model, drawn: random.Random) -> Edit:
    tests = _found(model, r"^def (test_\w+)", ".py")
    path, line, found = drawn.choice(tests)
    new = f"test_{drawn.choice(WORDS)}"
    named = tuple(("ERR508", where, number) for where, number, _ in _found(model, rf"`{path}::{found[1]}`"))
    reason = "" if named else "no page names the test"
    return Edit(f"{found[1]} -> {new}", (replaced(model, path, line, found[1], new),), named, equivalent=reason)


# --- edits of docstrings --------------------------------------------------------------------------------------------


_ABOVE = "the tool raises it, or an exception below it"
_DEEP = "a docstring need not list what the functions raise that a tool calls"


def _raises_lines(model: Model) -> list[tuple[int, re.Match[str]]]:
    pattern = r"^( +)(?::raises )?(\w+(?:Error|Failure))(?:: .+|)$"
    return [(number, found) for path, number, found in _found(model, pattern, ".py") if path == SERVER]


@kind
def list_another_exception(model: Model, drawn: random.Random) -> Edit:
    number, found = drawn.choice(_raises_lines(model))
    new = drawn.choice([*(name for name in model.classes if name != found[2]), f"{drawn.choice(WORDS).title()}Error"])
    change = replaced(model, SERVER, number, found[2], new)
    return Edit(f"line {number}: {found[2]} -> {new}", (change,), equivalent=_ABOVE)


@kind
def list_an_exception_more(model: Model, drawn: random.Random) -> Edit:
    number, found = drawn.choice([item for item in _raises_lines(model) if _is_item(item[1])])
    new = drawn.choice([*model.classes, f"{drawn.choice(WORDS).title()}Error"])
    line = f"{found[1]}{new}: if it is so"
    return Edit(f"line {number}: {new}", (Change(SERVER, number, number - 1, (line,)),), equivalent=_ABOVE)


@kind
def list_an_exception_less(model: Model, drawn: random.Random) -> Edit:
    number, found = drawn.choice([item for item in _raises_lines(model) if _is_item(item[1])])
    return Edit(f"line {number}: {found[2]}", (Change(SERVER, number, number, ()),), equivalent=_DEEP)


def _is_item(found: re.Match[str]) -> bool:
    """Whether a name stands in a section in the style of Google."""
    return ": " in found[0] and ":raises" not in found[0]
