"""``errlint catalog write``, ``check`` and ``init``: what stands between the markers is the code's, the rest is not."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from failing_steps import failing, steps_of

from errlint.catalog.layout import span
from errlint.cli import main
from errlint.request import Request
from errlint.run import check
from errlint.settings import CommandLine, load

CODE = """\
class OrderError(Exception):
    def __init__(self, message, code, hints=(), status=None):
        super().__init__(message)
        self.code = code


class Closed(OrderError):
    pass


def close(order_id, locked):
    if order_id < 0:
        raise OrderError(f"no order {order_id}", code="ORD-10", hints=["List the orders", "Or ask"], status=404)
    if locked:
        raise Closed("the | order is `locked`", code="ORD-2")
    raise ValueError("what")
"""
BEGIN, END = "<!-- errlint: begin errors -->", "<!-- errlint: end -->"
TABLE = f"""\
{BEGIN}

| Code | Exception | Message | Hints | Status |
| --- | --- | --- | --- | --- |
| `ORD-2` | `Closed` | `` the \\| order is `locked` `` |  |  |
| `ORD-10` | `OrderError` | `no order {{order_id}}` | `List the orders`, `Or ask` | 404 |
|  | `ValueError` | `what` |  |  |

{END}
"""
PAGE = "docs/error-codes.md"
EXAMPLES = Path(__file__).parents[1] / "examples"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in a project that has the code."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "orders"\nversion = "1"\n')
    (tmp_path / "orders.py").write_text(CODE)
    (tmp_path / "docs").mkdir()

    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main(arguments)
        out, err = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return left.value.code, out, err

    return call


def findings(root: Path, *codes: str) -> list[str]:
    settings = load(root, overrides=CommandLine(select=codes)).settings
    found = check(Request(settings, use_cache=False)).findings
    return [f"{each.path}:{each.span.line} {each.code} {each.message}" for each in found]


def test_the_table_has_each_error_once_in_natural_order(run: Run, tmp_path: Path) -> None:
    page = tmp_path / PAGE
    page.write_text(f"# Errors\n\n{BEGIN}\n{END}\n")
    assert run("catalog", "write") == (
        0,
        f"{Path(PAGE)}:3: written\n",
        "1 of 1 generated region written.\n",
    )
    assert page.read_text() == f"# Errors\n\n{TABLE}"
    assert run("catalog", "write") == (0, "", "The generated region is current.\n")
    assert page.read_text() == f"# Errors\n\n{TABLE}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(b"a\r\n%b\r\n%e\r\nb\r\n", b"a\r\n%t\r\nb\r\n", id="CRLF"),
        pytest.param(b"\xef\xbb\xbf%b\n%e\nb", b"\xef\xbb\xbf%t\nb", id="a BOM before the marker, no end of line last"),
        pytest.param(b"caf\xe9 \xff\x00\n%b\n%e", b"caf\xe9 \xff\x00\n%t", id="no UTF-8, and the marker ends the file"),
        pytest.param(b"a\rb\r\n%b\n%e\n", b"a\rb\r\n%t\n", id="mixed ends of lines"),
        pytest.param(
            b"a\x0cb \xe2\x80\xa8 c\n%b\n%e\n", b"a\x0cb \xe2\x80\xa8 c\n%t\n", id="separators that end no line"
        ),
    ],
)
def test_what_is_outside_of_the_markers_stays_byte_for_byte(
    before: bytes, after: bytes, run: Run, tmp_path: Path
) -> None:
    page = tmp_path / PAGE
    content = before.replace(b"%b", BEGIN.encode()).replace(b"%e", END.encode())
    page.write_bytes(content)
    assert run("catalog", "write")[0] == 0
    table = TABLE.rstrip("\n").encode()
    if b"%b\r\n" in before:
        table = table.replace(b"\n", b"\r\n")
    assert page.read_bytes() == after.replace(b"%t", table)
    assert run("catalog", "check")[0] == 0
    assert run("undo")[0] == 0
    assert page.read_bytes() == content


def test_a_region_in_other_line_ends_is_current(run: Run, tmp_path: Path) -> None:
    content = TABLE.encode().replace(b"\n", b"\r\n")
    (tmp_path / PAGE).write_bytes(content)
    assert run("catalog", "write")[2] == "The generated region is current.\n"
    assert (tmp_path / PAGE).read_bytes() == content
    assert findings(tmp_path, "ERR5") == []


def test_an_edit_by_hand_survives_outside_and_is_reported_and_restored_inside(run: Run, tmp_path: Path) -> None:
    page = tmp_path / PAGE
    page.write_text(f"By hand.\n\n{TABLE}\nBy hand too.\n")
    assert findings(tmp_path, "ERR5") == []
    page.write_text(page.read_text().replace("no order {order_id}", "there is no order"))
    (found,) = findings(tmp_path, "ERR510")
    assert found.startswith(f"{PAGE}:3 ERR510 the region is out of date: line 8 has `…")
    assert "and should have" in found
    assert "there is no order" in found
    assert "run `errlint catalog write`" in found
    code, out, err = run("catalog", "check")
    assert (code, err) == (1, "1 of 1 generated region out of date; run `errlint catalog write`.\n")
    assert "\n-| `ORD-10` | `OrderError` | `there is no order` |" in out
    assert "\n+| `ORD-10` | `OrderError` | `no order {order_id}` |" in out
    assert run("catalog", "write")[0] == 0
    assert page.read_text() == f"By hand.\n\n{TABLE}\nBy hand too.\n"
    assert findings(tmp_path, "ERR5") == []


def test_fix_writes_a_region_after_it_has_changed_the_code(run: Run, tmp_path: Path) -> None:
    (tmp_path / PAGE).write_text(f"{BEGIN}\n{END}\n")
    assert run("--select", "ERR510", "--fix", "--no-cache")[0] == 0
    assert (tmp_path / PAGE).read_text() == TABLE


@pytest.mark.parametrize(
    ("options", "names"),
    [
        pytest.param("codes=ORD-*", ["`ORD-2`", "`ORD-10`"], id="codes"),
        pytest.param("classes=Closed,ValueError", ["`ORD-2`", "`Closed`", "`ValueError`"], id="classes"),
        pytest.param("classes=OrderError", ["`ORD-2`", "`ORD-10`"], id="a class and those below it"),
        pytest.param("paths=*.py codes=ORD-1?", ["`ORD-10`"], id="paths and codes"),
        pytest.param("paths=src/**", ["The code has no such errors."], id="nothing"),
    ],
)
def test_a_marker_narrows_down_which_errors(options: str, names: list[str], run: Run, tmp_path: Path) -> None:
    page = tmp_path / PAGE
    page.write_text(f"<!-- errlint: begin errors {options} -->\n{END}\n")
    run("catalog", "write")
    text = page.read_text()
    everything = ("`ORD-2`", "`ORD-10`", "`Closed`", "`ValueError`", "The code has no such errors.")
    implied = {"`Closed`"} if "`ORD-2`" in names else set()
    assert {name for name in everything if name in text} == {*names} | implied


def test_sections_leave_out_what_is_empty(run: Run, tmp_path: Path) -> None:
    page = tmp_path / PAGE
    page.write_text(f"<!-- errlint: begin errors format=sections codes=ORD-* -->\n{END}\n")
    run("catalog", "write")
    assert page.read_text().split("\n")[1:-2] == [
        *("", "### `ORD-2`", "", "- **Exception:** `Closed`", "", "**Messages:**", "- `` the | order is `locked` ``"),
        *("", "### `ORD-10`", "", "- **Exception:** `OrderError`", "- **Status:** 404", "", "**Messages:**"),
        *("- `no order {order_id}`", "", "**Hints:**", "- `List the orders`", "- `Or ask`", ""),
    ]
    assert findings(tmp_path, "ERR5") == []


def test_the_project_may_bring_a_template(run: Run, tmp_path: Path) -> None:
    (tmp_path / "errlint.toml").write_text(f'[catalog]\nfiles = ["{PAGE}"]\ntemplate = "docs/error.tmpl"\n')
    template = tmp_path / "docs" / "error.tmpl"
    template.write_text("#### $name costs 5$$\n\nStatus $status, see ${files}.\nClass $class\n\n$hints\n")
    page = tmp_path / PAGE
    page.write_text(f"<!-- errlint: begin errors format=sections codes=ORD-* -->\n{END}\n")
    run("catalog", "write")
    assert page.read_text().split("\n")[1:-2] == [
        *("", "#### `ORD-2` costs 5$", "", "Status , see `orders.py`.", "Class `Closed`"),
        *("", "#### `ORD-10` costs 5$", "", "Status 404, see `orders.py`.", "Class `OrderError`"),
        *("", "- `List the orders`", "- `Or ask`", ""),
    ]
    run("--select", "ERR510")
    template.write_text("#### $name\n")
    assert run("--select", "ERR510")[0] == 1  # the cache knows of the template


@pytest.mark.parametrize(
    ("template", "complaint"),
    [
        pytest.param("# $name\n\n$mesages\n", "docs/error.tmpl:3: there is no hole `$mesages`", id="an unknown hole"),
        pytest.param("# 5 $ $name\n", "docs/error.tmpl:1: a `$` without the name of a hole", id="a lone dollar"),
        pytest.param("# Error\n", "docs/error.tmpl:1: the template has no holes", id="no holes"),
        pytest.param(None, "docs/error.tmpl: the template does not exist, or is empty", id="no template"),
    ],
)
def test_a_template_that_cannot_be_used_is_an_error_with_its_line(
    template: str | None, complaint: str, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "errlint.toml").write_text(f'[catalog]\nfiles = ["{PAGE}"]\ntemplate = "docs/error.tmpl"\n')
    if template is not None:
        (tmp_path / "docs" / "error.tmpl").write_text(template)
    text = f"<!-- errlint: begin errors format=sections -->\n{END}\n"
    (tmp_path / PAGE).write_text(text)
    code, _, err = run("catalog", "write")
    assert (code, err.startswith(f"errlint: error: {complaint}")) == (2, True), err
    assert (tmp_path / PAGE).read_text() == text
    assert len(findings(tmp_path, "ERR510")) == 1


@pytest.mark.parametrize("command", ["write", "check"])
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param(
            f"a\n{BEGIN}\nb\n", "2: the region that begins here has no end (write `", id="a begin without an end"
        ),
        pytest.param(
            f"a\n\n{END}\n", "3: a region ends here that has no begin (remove it", id="an end without a begin"
        ),
        pytest.param(
            f"{BEGIN}\n{BEGIN}\n{END}\n{END}\n",
            "2: a region begins inside of the one that begins in line 1",
            id="nested",
        ),
        pytest.param(
            f"<!-- errlint: begin errors code=A -->\n{END}\n",
            "1: unknown option `code` (did you mean `codes`?)",
            id="an unknown option",
        ),
        pytest.param(
            f"<!-- errlint: begin errors format=tables -->\n{END}\n",
            "1: unknown format `tables` (did you mean `table`?)",
            id="an unknown format",
        ),
        pytest.param(
            f"<!-- errlint: begin errors codes= -->\n{END}\n", "1: the option `codes` has no value", id="no value"
        ),
        pytest.param(f"<!-- errlint: begin rules -->\n{END}\n", "1: `rules` is no kind of region", id="another kind"),
    ],
)
def test_a_broken_marker_is_an_error_and_nothing_is_written(
    text: str, complaint: str, command: str, run: Run, tmp_path: Path
) -> None:
    (tmp_path / PAGE).write_text(text)
    other = tmp_path / "docs" / "a.md"
    other.write_text(f"{BEGIN}\n{END}\n")
    code, out, err = run("catalog", command)
    assert (code, out) == (2, "")
    assert err.startswith(f"errlint: error: {Path(PAGE)}:{complaint}"), err
    assert (tmp_path / PAGE).read_text() == text
    assert other.read_text() == f"{BEGIN}\n{END}\n"
    (found,) = findings(tmp_path, "ERR510")
    assert found.startswith(f"{PAGE}:{complaint.partition(':')[0]} ERR510 ")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"```\n{BEGIN}\n```\n", id="a code block"),
        pytest.param(f"~~~~md\n```\n{BEGIN}\n```\n~~~\n{END}\n~~~~\n", id="code blocks inside of one"),
        pytest.param(f"    {BEGIN}\n", id="an indented one"),
        pytest.param(f"Write `{BEGIN}` there.\n", id="in a sentence"),
    ],
)
def test_a_marker_that_is_quoted_is_none(text: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / PAGE).write_text(text)
    told = "No document has a generated region; see `errlint catalog init --help`.\n"
    assert run("catalog", "check") == (0, "", told)


def test_a_code_block_left_open_inside_of_a_region_is_replaced(run: Run, tmp_path: Path) -> None:
    (tmp_path / PAGE).write_text(f"{BEGIN}\n```\n{END}\n\n{BEGIN}\n{END}\n")
    run("catalog", "write")
    assert (tmp_path / PAGE).read_text() == f"{TABLE}\n{TABLE}"


def test_only_named_documents_are_looked_at(run: Run, tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"{BEGIN}\n{END}\n")
    assert run("catalog", "write", "b.md")[1] == "b.md:1: written\n"
    assert (tmp_path / "a.md").read_text() == f"{BEGIN}\n{END}\n"
    assert run("catalog", "check", "docs")[0] == 0
    assert run("catalog", "check", "a.md")[0] == 1
    code, _, err = run("catalog", "check", "c.md")
    assert (code, err) == (2, "errlint: error: c.md: no such file or folder (did you mean `b.md`?)\n")


def test_a_failure_in_the_middle_leaves_all_documents_as_they_were(run: Run, tmp_path: Path) -> None:
    from errlint.fix.regions import find
    from errlint.fix.writing.transaction import apply

    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"{BEGIN}\n{END}\n")
    request = Request(load(tmp_path, overrides=CommandLine()).settings, use_cache=False)
    changes = find(request).changes
    assert [change.path for change in changes] == ["a.md", "b.md"]
    apply(tmp_path, changes)
    assert run("undo")[0] == 0  # the folder of the journal is there from now on
    steps = steps_of(lambda: apply(tmp_path, changes))
    assert run("undo")[0] == 0

    def full() -> None:
        raise OSError(28, "No space left on device")

    for step, name in enumerate(steps):
        if name != "replace":
            continue
        with failing(step, full), pytest.raises(Exception, match="No space left"):
            apply(tmp_path, changes)
        texts = {(tmp_path / each).read_text() for each in ("a.md", "b.md")}
        assert texts == {f"{BEGIN}\n{END}\n"}


def test_init_writes_a_catalog_on_which_no_rule_has_anything_to_say(run: Run, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "docs")
    code, out, _ = run("catalog", "init")
    assert (code, out.startswith(f"Wrote {Path(PAGE)}.\n")) == (0, True)
    assert f'[tool.errlint.catalog]\nfiles = ["{PAGE}"]\n' in out
    assert (tmp_path / PAGE).read_text().startswith("# Error codes\n\n")
    assert (tmp_path / PAGE).read_text().endswith(TABLE)
    assert findings(tmp_path, "ERR5") == []
    assert run("catalog", "check")[0] == 0


@pytest.mark.parametrize("form", ["table", "sections"])
def test_init_on_the_bundled_server_leaves_nothing_to_say(form: str, run: Run, tmp_path: Path) -> None:
    server = tmp_path / "server"
    shutil.copytree(EXAMPLES / "notes-server", server)
    assert run("catalog", "init", "server/docs/error-codes.md")[0] == 0
    page = server / "docs" / "error-codes.md"
    page.write_text(page.read_text().replace("begin errors", f"begin errors format={form}"))
    assert run("catalog", "write")[0] == 0
    assert "`note_not_found`" in page.read_text()
    assert findings(tmp_path, "ERR5") == []
    assert [each for each in findings(tmp_path, "ALL") if "ERR510" in each] == []


def test_init_overwrites_nothing(run: Run, tmp_path: Path) -> None:
    page = tmp_path / PAGE
    page.write_text("mine\n")
    for arguments, complaint in (
        ((), "there is such a file already"),
        ((PAGE,), "there is such a file already"),
        (("docs/more.txt",), "a catalog is a Markdown file"),
    ):
        code, _, err = run("catalog", "init", *arguments)
        assert (code, complaint in err) == (2, True), err
    assert page.read_text() == "mine\n"
    page.rename(tmp_path / "ERROR_CODES.md")
    code, _, err = run("catalog", "init")
    assert (code, "ERROR_CODES.md: the project has a catalog already" in err) == (2, True), err
    assert not page.exists()
    assert run("catalog", "init", "docs/errors/all.md")[0] == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a", "`a`", id="a word"),
        pytest.param("`a`", "`` `a` ``", id="backticks around it"),
        pytest.param("a ``b` c", "```a ``b` c```", id="runs of backticks"),
        pytest.param("a\n  b", "`a b`", id="several lines"),
    ],
)
def test_any_text_is_one_code_span(text: str, expected: str) -> None:
    assert span(text) == expected
