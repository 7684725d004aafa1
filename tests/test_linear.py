"""What errlint reads costs time in proportion to its size: sizes that nothing slower would ever come to an end with."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from errlint.collect import collect
from errlint.index.vocabulary import Vocabulary

TIMEOUT = 120
"""A guard: what is tested here takes a second or two, or else hours."""

PROJECT = '[project]\nname = "long"\n[tool.errlint.catalog]\nfiles = ["errors.md"]\n'
CODE = """\
class LostError(Exception):
    code = "LOST"


@mcp.tool()
def look(key):
    if key == 2:
        return {"error": "gone", "code": "LOST"}
    raise LostError(f"no item {key}")
"""


def run(command: list[str], cwd: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, input=text, capture_output=True, text=True, timeout=TIMEOUT, check=False)


def findings(folder: Path) -> list[str]:
    """Check a folder with every rule, and return the places and codes of the findings."""
    command = [sys.executable, "-m", "errlint", "--no-cache", "-j1", "--select", "ALL", "--output-format", "concise"]
    done = run(command, folder)
    assert done.returncode in (0, 1), done.stderr
    assert "ERR906" not in done.stdout
    return done.stdout.splitlines()


def table(cell: str) -> str:
    return f"| Code | Message |\n|---|---|\n| {cell} | gone |\n"


DOCUMENTS = {
    "objects in each other": "```json\n" + '{"a":' * 100_000 + "\n```\n",
    "open quotes in an object": '```json\n{"error": ' + '"\\' * 40_000 + "\n```\n",
    "spaces in a heading": "## a" + " " * 100_000 + "b\n",
    "names of a heading": "## a " + "{#a" * 40_000 + "\n",
    "a name of a heading that is not closed": "## a {#" + "a" * 100_000 + "\n",
    "a code that does not end": table("A1" * 40_000 + "!"),
    "a name of words in a cell": table("`Aa" + "A" * 20_000 + "!`"),
    "spaces in a cell": table("E_A" + "\u00a0" * 200_000 + "x"),
    "numbers of a range": table("E" + "1" * 5_000 + "-E" + "2" * 5_000),
    "an article and spaces": "## GONE\n\nMessage: `an" + "\u00a0" * 200_000 + "x`\n",
    "open tables": "<table>\n\n" * 30_000,
    "open tags of a table": "<table>" + "<a " * 100_000 + "\n",
    "an open declaration of a table": "<table><![x<![y\n",
    "lines of a paragraph": "no item  \n" * 60_000,
}


@pytest.mark.parametrize("text", DOCUMENTS.values(), ids=DOCUMENTS)
def test_no_document_takes_longer_than_it_is_long(text: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    (tmp_path / "app.py").write_text(CODE)
    (tmp_path / "errors.md").write_text(f"# Error catalog\n\n## LostError\n\n**Message**: `no item`\n\n{text}")
    assert any("app.py:8:" in line and "ERR101" in line for line in findings(tmp_path))


CODES: dict[str, Callable[[], str]] = {
    "bases that are many and the same": lambda: (
        "class E0(Exception):\n    code = 'A'\n"
        + "".join(f"class E{n + 1}({', '.join([f'E{n}'] * 40)}):\n    pass\n" for n in range(12))
        + "@mcp.tool()\ndef last(a):\n    raise E12('no')\n"
    ),
    "quotes that are never closed": lambda: "x = 1 \\'''" + "x\\'''" * 100_000 + "'\\" * 100_000,
    "a comment that goes on": lambda: "# errlint: ignore[" * 20_000 + "noqa " * 50_000 + "\n",
}


@pytest.mark.parametrize("text", CODES.values(), ids=CODES)
def test_no_code_takes_longer_than_it_is_long(text: Callable[[], str], tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    (tmp_path / "errors.md").write_text("# Error catalog\n\n## LostError\n\n**Message**: `no item`\n")
    (tmp_path / "app.py").write_text(CODE)
    (tmp_path / "grown.py").write_text(text())
    assert any("app.py:8:" in line and "ERR101" in line for line in findings(tmp_path))


RAISING = """\
class Part{number}:
    def close(self, other):
        other.close(self)
        raise ValueError("part {number} is open")


"""


def test_callers_of_functions_that_raise_are_looked_for_once(tmp_path: Path) -> None:
    (tmp_path / "errlint.toml").write_text('convention = "coded-tool-errors"\n')
    (tmp_path / "app.py").write_text(CODE)
    (tmp_path / "parts.py").write_text("".join(RAISING.format(number=number) for number in range(500)))
    (tmp_path / "server.py").write_text("import parts\n\n\n@mcp.tool()\ndef close(part):\n    part.close(None)\n")
    assert any("app.py:9:" in line and "ERR206" in line for line in findings(tmp_path))


QUESTIONS = {
    "names are looked for in one pass": """
        from errlint.index.occurrences import mentioned, mentions, mentions_by_name
        names = [f"name{number}" for number in range(100_000)] + [f"E-{number}" for number in range(50_000)]
        data = " ".join(names).encode()
        found = mentions(data, names), mentioned(data, names), list(mentions_by_name(data, names))
        print([len(each) for each in found])
    """,
    "suppressions are found in one pass": """
        from errlint.suppress import find_in_document, find_suppressions
        code = find_suppressions("x = 1  # errlint: ignore[ERR101] why\\n" * 100_000)
        document = find_in_document("<!-- errlint: ignore[ERR502] why -->\\n" + "\\n" * 200_000)
        document += find_in_document("<!-- errlint: ignore[ERR502] why -->\\n" * 100_000)
        print(len(code), code[-1].span.line, len(document))
    """,
    "findings and suppressions are matched by their lines": """
        from errlint.findings import Finding, Severity, Span
        from errlint.suppress import apply, find_suppressions
        listed = find_suppressions("x = 1  # errlint: ignore[ERR101] why\\n" * 40_000)
        spans = (Span(line, 1, line, 2) for line in range(1, 40_001))
        kept, used = apply([Finding("a.py", span, "ERR101", Severity.ERROR, "", "") for span in spans], listed)
        print(len(kept), len(used))
    """,
    "hints are told from placeholders": """
        from errlint.project.hints import _PLACEHOLDER
        print(bool(_PLACEHOLDER.fullmatch("-" * 200_000 + "x")), bool(_PLACEHOLDER.fullmatch("none: todo later")))
    """,
}
ANSWERS = ["[150000, 150000, 150000]", "100000 100000 100001", "0 40000", "False True"]


@pytest.mark.parametrize(("question", "answer"), list(zip(QUESTIONS.values(), ANSWERS, strict=True)), ids=QUESTIONS)
def test_many_questions_are_answered_together(question: str, answer: str, tmp_path: Path) -> None:
    code = "\n".join(line.strip() for line in question.strip().splitlines())
    assert run([sys.executable, "-"], tmp_path, code).stdout.strip() == answer


def test_what_may_be_bound_does_not_grow_with_each_try() -> None:
    tries = (f"    try:\n        a{n} = load({n})\n    except ValueError:\n        a{n} = 'LOST'\n" for n in range(40))
    module = collect(f"def find(load):\n{''.join(tries)}    return a0\n", Vocabulary(cases=("LOST",)))
    assert module.functions[0].cases
    assert all(len(case.perhaps) <= 40 for case in module.functions[0].cases)


READERS = {
    "spaces before a label": (
        "from errlint.catalog.labelled import labelled; from errlint.catalog.markdown import Line",
        r"labelled(Line('\u00a0' * 100_000 + 'x', 1, 1))",
        "None",
    ),
    "brackets": ("from errlint.catalog.labels import is_reserved", "is_reserved('(' * 100_000)", "False"),
    "colons": ("from errlint.catalog.labels import label", "len(label(':' * 200_000 + '!'))", "0"),
    "capitals": ("from errlint.catalog.codes import MARKED", "len(MARKED.findall('A' * 60_000))", "0"),
    "formats": (
        "from errlint.catalog.templates import documented",
        "len(documented('%(a)' + '0' * 200_000).parts)",
        "1",
    ),
    "ends of tables": ("from errlint.catalog.html_tables import ending", "ending('</table' * 150_000)", "1050000"),
    "names of places": ("from errlint.catalog.references import anchors", "len(anchors('<a ' * 150_000))", "0"),
    "empty lines": (
        "from errlint.catalog.sentences import NO_MESSAGE",
        r"bool(NO_MESSAGE.search('\n' * 60_000 + 'x'))",
        "False",
    ),
    "words before a list": (
        "from errlint.project.drift.allowed_values import _runs; from errlint.catalog.markdown import Line",
        "len(list(_runs(Line('', 1, 1, raw='must be ' * 60_000 + '`x` y `a`, `b`'), '')))",
        "0",
    ),
    "commands": (
        "from errlint.catalog.samples import imports",
        r"len(list(imports('```bash\n' + 'python3 -c \x22' * 40_000 + '!')))",
        "0",
    ),
    "open comments": (
        "from errlint.suppress import find_in_document",
        "len(find_in_document('<!-- errlint: ignore [' * 100_000))",
        "0",
    ),
}


@pytest.mark.parametrize(("imports", "expression", "answer"), READERS.values(), ids=READERS)
def test_no_text_is_read_again_from_each_of_its_characters(
    imports: str, expression: str, answer: str, tmp_path: Path
) -> None:
    assert run([sys.executable, "-c", f"{imports}; print({expression})"], tmp_path).stdout.strip() == answer


@pytest.mark.parametrize("server", ["fastmcp import FastMCP as Server", "fastapi import FastAPI as Server"])
def test_functions_that_answer_what_each_other_answers_are_followed_once(tmp_path: Path, server: str) -> None:
    names = [f"step_{number}" for number in range(30)]
    made = f"from {server}\n\napp = Server('a')\n"
    served = f"{made}\n\n@app.{'tool' if 'MCP' in server else 'get'}('/')\ndef other():\n    return 1\n"
    steps = "".join(
        f"\n\ndef {name}(n):\n"
        + "".join(f"    if n == {number}:\n        return {each}(n)\n" for number, each in enumerate(names))
        + '    return "Error: no step"\n'
        for name in names
    )
    (tmp_path / "server.py").write_text(served + steps)
    assert findings(tmp_path)[-1].endswith("(1 file checked).")


def test_a_chain_of_functions_longer_than_the_stack_is_followed(tmp_path: Path) -> None:
    chain = "".join(f"def f{number}(a):\n    return f{number + 1}(a)\n\n" for number in range(400))
    tool = "@mcp.tool()\ndef look(a):\n    return f0(a)\n"
    (tmp_path / "app.py").write_text(f"{tool}\n{chain}def f400(a):\n    return {{'error': 'no'}}\n", "utf-8")
    found = findings(tmp_path)
    assert [line for line in found if "ERR906" in line] == []
    assert any(line.startswith("app.py:3:") and "ERR102" in line for line in found)
