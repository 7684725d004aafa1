"""``errlint baseline write``, ``check``, ``prune`` and ``show``, and what a baseline makes of the findings of a run."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

import msgspec

from errlint.baseline.entries import NAME, KnownFinding, read, render
from errlint.baseline.matching import Matched, listed, match
from errlint.characters import json_text, printable, toml_string
from errlint.errors import BaselineError, Place
from errlint.output import write_file
from errlint.request import Request
from errlint.rules import RULES
from errlint.run import RunOutcome, check, source_reader
from errlint.settings.loading import Loaded
from errlint.source import UndecodableError, decode, read_bytes
from errlint.workspace.git import repository
from errlint.workspace.writing import is_inside

_PLAIN_NAME = re.compile(r"[\w.-]+")
_PRUNE = "`errlint baseline prune` takes it out"


class Written(NamedTuple):
    """A baseline that was written: its file, and how many findings it has, had not before, and has no more.

    ``attributes`` is the file in which git was told how to merge it, ``None`` where nothing had to be.
    """

    path: Path
    total: int
    added: int
    removed: int
    attributes: Path | None = None


class Checked(NamedTuple):
    """What is wrong with a baseline, a line each, and how many findings it lists."""

    faults: tuple[str, ...]
    total: int


def without_known(request: Request, outcome: RunOutcome) -> RunOutcome:
    """Return what a run found without what its baseline has; raises :class:`errlint.errors.BaselineError`."""
    path = request.settings.baseline
    if path is None:
        return outcome
    matched = _matched(request, outcome, read(path, request.settings.root))
    notes = [outcome.note] if outcome.note else []
    name = _shown(request, path)
    if matched.expired:
        count = len(matched.expired)
        what = "1 finding of it was" if count == 1 else f"{count} findings of it were"
        notes.append(f"{name}: {what} to be mended by now.")
    if matched.stale:
        count = len(matched.stale)
        what = "1 finding of it is" if count == 1 else f"{count} findings of it are"
        notes.append(f"{name}: {what} not there any more; `errlint baseline prune` takes out what is mended.")
    return outcome._replace(
        findings=matched.new, known=tuple(finding for finding, _ in matched.known), note="\n".join(notes)
    )


def write(request: Request, path: Path | None, until: date | None, reason: str) -> Written:
    """Write a baseline of all that is found now; what the one before said of a finding stays.

    ``path`` None is the configured file, or :data:`errlint.baseline.entries.NAME` in the root. Raises
    :class:`errlint.errors.BaselineError` for one before that cannot be understood, and
    :class:`errlint.errors.OutputError` where the file cannot be written.
    """
    root = request.settings.root
    target = path or _inside(request.settings.baseline or root / NAME, root)
    is_first = not os.path.lexists(target)
    before = () if is_first else read(target, root)
    outcome = check(request)
    matched = _matched(request, outcome, before)
    kept = (*matched.known, *matched.expired)
    found = tuple(listed(outcome.findings, kept, source_reader(request), until=until, reason=reason))
    known = (*found, *_of_other_rules(request, before))
    write_file(target, render(known), root)
    attributes = _merge_by_lines(target, root) if is_first else None
    return Written(target, len(known), len(found) - len(kept), len(matched.stale), attributes)


def _merge_by_lines(baseline: Path, root: Path) -> Path | None:
    """Have git keep the lines of both sides where two branches change a baseline; return the file that says so.

    ``None`` where nothing was written: outside of the project or of git, or where something is said of it already.
    """
    path = baseline.parent / ".gitattributes"
    if not is_inside(path, root) or repository(root) is None or not _PLAIN_NAME.fullmatch(baseline.name):
        return None
    try:
        text = decode(read_bytes(path))
    except FileNotFoundError:
        text = ""
    except (OSError, UndecodableError):
        return None
    if baseline.name in text:
        return None
    end = "" if not text or text.endswith("\n") else "\n"
    write_file(path, f"{text}{end}{baseline.name} merge=union\n", root)
    return path


def prune(request: Request) -> Written:
    """Take out of the configured baseline what is not there any more, and note what has moved where it is now."""
    path, before = _configured(request)
    outcome = check(request)
    matched = _matched(request, outcome, before)
    kept = (*matched.known, *matched.expired)
    there = {id(finding) for finding, _ in kept}
    findings = (finding for finding in outcome.findings if id(finding) in there)
    known = (*listed(findings, kept, source_reader(request)), *_of_other_rules(request, before))
    write_file(_inside(path, request.settings.root), render(known), request.settings.root)
    return Written(path, len(known), 0, len(matched.stale))


def check_entries(request: Request) -> Checked:
    """Say which lines of the configured baseline are out of date."""
    path, before = _configured(request)
    matched = _matched(request, check(request), before)
    name = _shown(request, path)
    faults = [
        (known.line, f"{name}:{known.line}: {known.code} in {printable(known.path)} is not there any more; {_PRUNE}")
        for known in matched.stale
    ]
    faults += [
        (known.line, f"{name}:{known.line}: {known.code} in {printable(known.path)} was to be mended by {known.until}")
        for _, known in matched.expired
    ]
    return Checked(tuple(text for _, text in sorted(faults)), len(before))


class Counted(msgspec.Struct, frozen=True):
    """How many findings of a baseline have one value, and how many of them are stale."""

    name: str
    known: int
    stale: int


class Overview(msgspec.Struct, frozen=True):
    """A baseline in numbers, and those of its findings that have to be mended by a day, the next ones first."""

    path: str
    total: int
    stale: int
    new: int
    by_rule: tuple[Counted, ...]
    by_folder: tuple[Counted, ...]
    dated: tuple[str, ...]


def overview(request: Request) -> Overview:
    """Return where a project stands with the configured baseline."""
    path, before = _configured(request)
    matched = _matched(request, check(request), before)
    stale = set(matched.stale)
    dated = sorted((each for each in before if each.until is not None), key=lambda each: (each.until, each.path))
    return Overview(
        _shown(request, path),
        len(before),
        len(stale),
        len(matched.new) - len(matched.expired),
        tuple(_counted(before, stale, by_rule=True)),
        tuple(_counted(before, stale, by_rule=False)),
        tuple(each.text for each in dated),
    )


def text_of(found: Overview) -> str:
    """Return an overview for people."""
    lines = [
        f"{found.path}: {found.total} findings, {found.stale} of them mended; {found.new} new ones are not in it.",
    ]
    for title, counted in (("By rule", found.by_rule), ("By folder", found.by_folder)):
        if counted:
            width = max(len(each.name) for each in counted)
            lines += ["", f"{title}:"]
            lines += [
                f"  {each.name:<{width}}  {each.known:>6}" + (f"  ({each.stale} mended)" if each.stale else "")
                for each in counted
            ]
    if found.dated:
        lines += ["", "To be mended by a day:", *(f"  {each}" for each in found.dated)]
    return "\n".join(lines) + "\n"


def json_of(found: Overview) -> str:
    """Return an overview for programs."""
    return json_text(msgspec.json.format(msgspec.json.encode(found)).decode()) + "\n"


def configuration(request: Request, path: Path) -> str:
    """Return the line of the configuration that makes a file the baseline, "" where it is that."""
    settings = request.settings
    if settings.baseline is not None and settings.baseline == path:
        return ""
    return f"baseline = {toml_string(_shown(request, path))}\n"


def configure(loaded: Loaded, path: Path) -> Path:
    """Name a baseline in the configuration that was read, or in a new one; return the file of that.

    Raises :class:`errlint.errors.BaselineError` where it names another one.
    """
    from errlint.init.write import with_setting

    root = loaded.settings.root
    if loaded.settings.baseline is not None:
        raise BaselineError("the configuration names another baseline", hint="change `baseline` there")
    shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
    plan = with_setting(root, loaded.project.file, "baseline", toml_string(shown))
    write_file(plan.path, plan.after, root)
    return plan.path


def _counted(known: Iterable[KnownFinding], stale: set[KnownFinding], *, by_rule: bool) -> Iterator[Counted]:
    total: Counter[str] = Counter()
    gone: Counter[str] = Counter()
    for each in known:
        folder = each.path.rpartition("/")[0] or "."
        name = f"{each.code} {RULES[each.code].name}" if by_rule else printable(folder)
        total[name] += 1
        gone[name] += each in stale
    for name, count in sorted(total.items(), key=lambda item: (-item[1], item[0])):
        yield Counted(name, count, gone[name])


def _matched(request: Request, outcome: RunOutcome, known: Iterable[KnownFinding]) -> Matched:
    """Compare a run with what a baseline lists of the rules that ran."""
    rules = request.settings.rules
    is_whole = not request.paths and request.stdin is None
    return match(
        (each for each in known if each.code in rules),
        outcome.findings,
        source_reader(request),
        today=date.today(),
        looked_at=None if is_whole else frozenset(outcome.files),
    )


def _of_other_rules(request: Request, known: Iterable[KnownFinding]) -> Iterator[KnownFinding]:
    """Yield what is listed of rules that did not run: nothing is known of it today."""
    return (each for each in known if each.code not in request.settings.rules)


def _configured(request: Request) -> tuple[Path, tuple[KnownFinding, ...]]:
    path = request.settings.baseline
    if path is None:
        hint = "`errlint baseline write` writes one, and says what to configure"
        raise BaselineError("no baseline is configured", hint=hint)
    return path, read(path, request.settings.root)


def _inside(path: Path, root: Path) -> Path:
    """Return a path to write to that a configuration gives: a project does not decide where else files are written."""
    if not is_inside(path, root):
        raise BaselineError(
            "the configured baseline leads out of the project", hint="name a file in it", place=Place(path)
        )
    return path


def _shown(request: Request, path: Path) -> str:
    root = request.settings.root
    return printable(path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path))
