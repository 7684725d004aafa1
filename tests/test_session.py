"""What a session of the server finds in texts that are typed, beside what a run from scratch finds in the same."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from errlint.findings import Finding, Related, Severity, Span
from errlint.request import Request
from errlint.run import check
from errlint.server import session as sessions
from errlint.server.nearness import Nearness
from errlint.server.session import Checked, Session, Stopped, moved
from errlint.settings import CommandLine, load

EXAMPLE = Path(__file__).parent.parent / "examples" / "notes-server"
CHAIN = 30


def spans(findings: tuple[Finding, ...] | None) -> list[tuple[str, int]]:
    assert findings is not None
    return [(finding.code, finding.span.line) for finding in findings]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "notes"
    shutil.copytree(EXAMPLE, root, ignore=shutil.ignore_patterns(".errlint_cache", "__pycache__"))
    return root


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    """A project of files, each of which answers what the next one answers: only the first one has an adapter."""
    root = tmp_path.resolve() / "chain"
    (root / "app").mkdir(parents=True)
    (root / "pyproject.toml").write_text('[project]\nname = "chain"\n', encoding="utf-8")
    for number in range(CHAIN):
        (root / "app" / f"m{number}.py").write_text(
            f"from app.m{number + 1} import f{number + 1}\n\n\n"
            + ("@mcp.tool()\n" if number == 0 else "")
            + f"def f{number}(a):\n    if a:\n        return {{'error': 'no {number}'}}\n    return f{number + 1}(a)\n",
            encoding="utf-8",
        )
    return root


def edits(text: str, drawn: random.Random, number: int) -> str:
    """Return a text after an edit of some kind."""
    lines = text.split("\n")
    at = drawn.randrange(len(lines) + 1)
    kind = drawn.randrange(6)
    if kind == 0:
        lines.insert(at, "")
    elif kind == 1:
        del lines[at : at + drawn.randrange(1, 4)]
    elif kind == 2:
        lines += ["", "", "@mcp.tool()", f"def typed_{number}(x):", f'    return {{"error": "e{number}"}}', ""]
    elif kind == 3:
        lines.insert(at, "x = (")
    elif kind == 4:
        lines.insert(at, drawn.choice(lines))
    else:
        old, new = drawn.choice([("error", "result"), ("result", "error")])
        lines[at - 1] = lines[at - 1].replace(old, new)
    return "\n".join(lines)


def from_scratch(root: Path, checked: Checked) -> list[Finding]:
    settings = load(root, overrides=CommandLine(jobs=1)).settings
    return list(check(Request(settings, contents=checked.texts, use_cache=False)).findings)


def of_all(checked: Checked) -> Iterator[Finding]:
    for path in sorted(checked.findings):
        yield from checked.findings[path]


@pytest.mark.parametrize("seed", range(3))
def test_after_any_edits_it_finds_what_a_run_from_scratch_finds(notes: Path, seed: int) -> None:
    drawn = random.Random(seed)
    session = Session(notes)
    files = sorted(path.relative_to(notes).as_posix() for path in notes.rglob("*") if path.suffix in (".py", ".md"))
    texts: dict[str, bytes] = {}
    for number in range(12):
        path = drawn.choice(files)
        before = texts.get(path) or (notes / path).read_bytes()
        texts[path] = edits(before.decode(), drawn, number).encode()
        found = session.check_near(path, texts[path])
        checked = session.check_all(texts)
        assert list(of_all(checked)) == from_scratch(notes, checked)
        if found is not None and checked.texts[path] == texts[path]:
            assert list(found) == list(checked.of(path))  # the group is small: all of it is near
        if drawn.random() < 0.3:
            path = drawn.choice(sorted(texts))
            (notes / path).write_bytes(texts.pop(path))
            session.forget(path)


@pytest.mark.parametrize("at", [0, 1, CHAIN // 2, CHAIN - 1])
def test_what_the_rest_of_a_large_project_says_is_remembered(
    chain: Path, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "NEAR", 400)
    path = f"app/m{at}.py"
    session = Session(chain)
    text = (chain / path).read_text(encoding="utf-8")
    checked = session.check_all({path: text.encode()})
    assert checked.of(path)
    typed = ("\n" + text).encode()
    found = session.check_near(path, typed)
    assert found == session.check_all({path: typed}).of(path)


def test_what_is_near_is_what_a_file_imports_and_what_imports_it(chain: Path) -> None:
    session = Session(chain)
    session.check_all({})
    assert session._survey is not None
    nearness: Nearness = session._survey.nearness
    sizes = dict.fromkeys((f"app/m{number}.py" for number in range(CHAIN)), 100)
    assert nearness.around("app/m10.py", (), sizes, 500) == {f"app/m{number}.py" for number in range(8, 13)}
    assert nearness.around("app/m10.py", (), sizes, 50) == {"app/m10.py"}
    assert nearness.around("app/m10.py", ("app/m1.py",), sizes, 200) == {"app/m10.py", "app/m1.py"}
    assert nearness.imported_by("app/m1.py", b"from app.m7 import f7\nimport app.m9\n") == {"app/m7.py", "app/m9.py"}


def test_a_check_can_be_stopped_and_done_again(chain: Path) -> None:
    session = Session(chain)
    stages: list[str] = []

    def stop(stage: str, done: int, total: int) -> None:
        stages.append(stage)
        if stage == "Checking" and done:
            raise Stopped

    with pytest.raises(Stopped):
        session.check_all({}, stop)
    assert "Linking" in stages
    found = list(of_all(session.check_all({})))
    assert found == from_scratch(chain, session.checked)
    assert len(found) == CHAIN


def test_a_text_that_is_too_large_is_left_as_it_is_on_disk(chain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MAX_SIZE", 1_000)
    session = Session(chain)
    found = session.check_all({}).of("app/m0.py")
    assert session.check_all({"app/m0.py": b"x = 1\n" * 1_000}).of("app/m0.py") == found


def test_findings_move_with_their_lines_and_go_with_them() -> None:
    def found(line: int, *related: int) -> Finding:
        others = tuple(Related("a.py", Span(each, 1, each, 2), "") for each in related)
        return Finding("a.py", Span(line, 1, line, 5), "ERR101", Severity.ERROR, "", related=others)

    before, after = "a\nb\nc\nd\n", "a\nnew\nnewer\nc\nd\n"
    findings = (found(1), found(2), found(3, 1, 2, 4))
    assert list(moved(findings, before, after)) == [found(1), found(4, 1, 5)]
    assert list(moved(findings, before, before)) == list(findings)
    assert list(moved(findings, before, "")) == []
