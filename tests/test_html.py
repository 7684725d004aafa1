"""The page: what it says of a project, that nothing gets out of it or into it, and that it works in a browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from command_line import Run, caller
from test_report import finding, report

from errlint.commands.survey import survey
from errlint.findings import Related, Severity, Span
from errlint.report import Format, render
from errlint.report.survey import Code, DayOne, Factory, Flow, Package, Shape, Survey
from errlint.request import Request
from errlint.run import check
from errlint.settings import load

html5lib: Any = pytest.importorskip("html5lib")

EXAMPLE = Path(__file__).parent.parent / "examples" / "notes-server"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
BAD = "</script><script>alert(1)</script><img src=//x.example onerror=alert(2)>\"'&\x1b[2J\u202e\u2028{{script}}"


MORE = """

@mcp.tool()
def more(word: str) -> dict:
    if not word:
        return {"error": "no word"}
    return {}
"""


class Page(HTMLParser):
    """The tags of a page with their attributes, and its text outside of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.raw: dict[str, list[str]] = {"script": [], "style": []}
        self.words: list[str] = []
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag if tag in self.raw else ""

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        (self.raw[self._inside] if self._inside else self.words).append(data)

    @property
    def data(self) -> Any:
        return json.loads(self.raw["script"][0])

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return caller(capsys)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "notes"
    shutil.copytree(EXAMPLE, root)
    monkeypatch.chdir(root)
    return root


def hostile() -> str:
    found = finding(
        path=f"src/{BAD}.py", message=BAD, span=(1, 1, 1, 9), related=(Related(BAD, Span(1, 1, 1, 2), BAD),)
    )
    told = Survey(
        flows=(Flow(BAD, BAD, BAD, 3), Flow("exception", "in an adapter", f"`{BAD}`", 1)),
        shapes=(Shape(BAD, (BAD,), 3, BAD, 1),),
        factories=(Factory(BAD, BAD, 1, (BAD,), 2),),
        codes=(Code(BAD, BAD, True, False, None, True),),
        packages=(Package(BAD, 1, 0, 3),),
        packages_of={found.path: BAD},
        has_boundary=True,
        day_one=(DayOne("ERR101", 4, 1, 1),),
    )
    return render(Format.HTML, report(found, source=BAD)._replace(survey=told))


def test_the_findings_are_those_of_json(run: Run, project: Path) -> None:
    run("--output-format", "html=page.html", "--output-format", "json=found.json")
    page = Page((project / "page.html").read_text("utf-8"))
    found = json.loads((project / "found.json").read_text("utf-8"))
    assert found
    assert [
        (each["code"], each["severity"], each["message"], each["line"], each["column"], each["fingerprint"])
        for each in page.data["findings"]
    ] == [
        (each["code"], each["severity"], each["message"], *each["location"].values(), each["fingerprint"])
        for each in found
    ]
    for code in {each["code"] for each in found}:
        count = sum(each["code"] == code for each in found)
        assert re.search(rf"\b{code} {page.data['rules'][code]['name']} {count} ", page.text)


def test_it_tells_how_errors_travel_and_what_becomes_of_codes(run: Run, project: Path) -> None:
    run("--output-format", "html=page.html", "-q")
    page = Page((project / "page.html").read_text("utf-8"))
    assert "How errors travel" in page.text
    assert "the framework, as an error" in page.text
    assert "payload of a factory success error" in page.text or "payload of a factory error success" in page.text
    assert "note_not_found ErrorCode.NOTE_NOT_FOUND yes yes – yes" in page.text
    assert "unsupported_format ErrorCode.UNSUPPORTED_FORMAT yes no – no" in page.text
    assert "_search_error" in page.text
    assert "Day one" not in page.text


ERRORS = """
import functools
class AppError(Exception):
    code = "app_error"
def tool_errors(function):
    @functools.wraps(function)
    def run(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except AppError as error:
            return {"error": str(error)}
    return run
"""
SERVER = """
from fastmcp import FastMCP
from errors import AppError, tool_errors
mcp = FastMCP("x")

def load(path):
    if not path:
        raise AppError("no path")
    return {"path": path}

def own(path):
    if not path:
        raise AppError("no path of its own")
    return {"path": path}

@mcp.tool()
@tool_errors
def read(path: str) -> dict:
    if path == "x":
        raise AppError("not this one")
    own(path)
    return load(path)

@mcp.tool()
def bare(path: str) -> dict:
    if path == "x":
        raise AppError("not this one")
    if path == "y":
        return {"error": "no"}
    return load(path)
"""
BOUNDARY = """
[[boundary]]
decorator = "errors.tool_errors"
envelope = { error = "{message}" }
[exceptions]
root = ["errors.AppError"]
"""


def test_errors_arrive_at_the_boundary_of_their_adapters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("errors.py", ERRORS), ("server.py", SERVER), ("errlint.toml", BOUNDARY)):
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    request = Request(settings=load(tmp_path).settings, use_cache=False)
    found = survey(request, check(request))
    assert set(found.flows) == {
        Flow("exception", "in an adapter", "`tool_errors`", 1),
        Flow("exception", "in an adapter", "the framework, as an error", 1),
        Flow("exception", "in what adapters call", "`tool_errors`", 1),
        Flow("exception", "in what adapters call", "differs by adapter", 1),
        Flow("hand-built payload", "in an adapter", "the client, as a result", 1),
    }
    assert found.packages == (Package(".", 2, 1, 1),)
    assert found.shapes == (Shape("hand-built payload", ("error",), 1, "server.py", 29),)


def test_with_a_baseline_it_tells_what_is_left_new_and_mended(run: Run, project: Path) -> None:
    run("baseline", "write")
    with (project / "pyproject.toml").open("a") as file:
        file.write('\n[tool.errlint]\nbaseline = "errlint-baseline.txt"\n')
    server = project / "src/notes_server/server.py"
    text = server.read_text("utf-8").replace('return not_found("note", note_id)', 'raise ValueError("no such note")')
    server.write_text(f"{text}{MORE}", "utf-8")
    run("--output-format", "html=page.html", "-q")
    page = Page((project / "page.html").read_text("utf-8"))
    assert len(page.data["findings"]) == 1
    assert re.search(r"lists 21 findings: 1 mended , 20 left\. 1 new since", page.text)
    assert "ERR102 error-factory-return 5 1 0" in page.text
    assert "ERR101 hand-built-error-return 5 0 1" in page.text


def test_what_the_code_says_stays_text() -> None:
    text = hostile()
    page = Page(text)
    assert [tag for tag, _ in page.tags].count("script") == 2
    assert "img" not in {tag for tag, _ in page.tags}
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2028]", text.replace("\\u2028", ""))
    (found,) = page.data["findings"]
    assert found["message"].startswith("</script><script>alert(1)</script>")
    assert found["message"].endswith("{{script}}")


@pytest.mark.parametrize("text", [hostile(), render(Format.HTML, report()), render(Format.HTML, report(finding()))])
def test_it_is_one_valid_page_that_fetches_nothing(text: str) -> None:
    html5lib.HTMLParser(strict=True).parse(text)
    page = Page(text)
    for tag, attributes in page.tags:
        assert tag not in ("link", "iframe", "object", "embed", "base")
        assert not {"src", "srcset", "action", "style"} & attributes.keys()
        assert tag != "a" or (attributes["href"] or "").startswith("#")
    assert "url(" not in "".join(page.raw["style"])
    assert "@import" not in "".join(page.raw["style"])
    policy = next(each["content"] for tag, each in page.tags if each.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none';")
    for name, kind in (("script", "script-src"), ("style", "style-src")):
        own = hashlib.sha256(page.raw[name][-1].encode()).digest()
        assert f"{kind} 'sha256-{base64.b64encode(own).decode()}';" in policy


def test_on_the_standard_output_it_is_the_same_page_and_commands_no_ci_machine(run: Run, project: Path) -> None:
    source = (project / "src/notes_server/server.py").read_text("utf-8").replace("Give a title", "##[error] ::x")
    (project / "src/notes_server/server.py").write_text(source, "utf-8")
    run("--output-format", "html=page.html", "-q")
    printed = run("--output-format", "html", "-q").out
    assert printed == (project / "page.html").read_text("utf-8")
    assert "##[" not in printed
    assert "##[error] ::x" in str(Page(printed).data)


def in_browser(page: Path, folder: Path, *more: str) -> tuple[str, str]:
    """Return the document as a browser has it in the end, and what it wrote to its console."""
    assert CHROMIUM is not None
    done = subprocess.run(
        [
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}",
            "--virtual-time-budget=5000", "--enable-logging=stderr", *more, "--dump-dom", page.as_uri(),
        ],
        capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    return done.stdout, "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)


browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")


@browser
def test_a_browser_shows_it_without_complaint_and_runs_nothing_else(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(hostile(), "utf-8")
    shown, console = in_browser(page, tmp_path)
    assert console == ""
    assert ">1 finding</output>" in shown
    assert '<span class="code error">ERR101</span>' in shown


DRIVER = """
const told = [];
const say = (what) => told.push(`${what}: ${document.getElementById("count").textContent}`);
const set = (name, value) => {
  const field = document.getElementById(name);
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
};
const press = (key) => (document.activeElement || document.body).dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const at = () => document.activeElement.querySelector(".message")?.textContent;
say("all");
set("rule", "ERR102"); say("rule");
set("severity", "warning"); say("rule and severity");
set("rule", ""); say("severity");
set("severity", ""); set("package", "two"); say("package");
set("package", ""); set("text", "NUMBER 149. b.py"); say("text");
set("text", "");
press("j"); press("j"); told.push(`j j: ${at()}`);
press("k"); told.push(`k: ${at()}`);
press("Enter");
told.push(`Enter: ${document.activeElement.open}`);
for (let step = 0; step < 120; step += 1) press("j");
told.push(`beyond the first hundred: ${at()}`);
press("?"); told.push(`?: ${document.getElementById("help").open}`);
document.getElementById("help").close();
press("/"); told.push(`/: ${document.activeElement.id}`);
document.querySelector("a[data-rule=ERR102]").click(); say("link of a rule");
document.body.replaceChildren(document.createTextNode(told.join("\\n")));
"""


@browser
def test_filters_and_keys_work_in_a_browser(tmp_path: Path) -> None:
    findings = [
        finding(
            path=f"src/{'ab'[number % 2]}.py",
            code="ERR102" if number % 3 else "ERR101",
            severity=Severity.ERROR if number % 4 else Severity.WARNING,
            message=f"number {number}.",
        )
        for number in range(150)
    ]
    told = Survey((), (), (), (), (), {"src/a.py": "one", "src/b.py": "two"}, has_boundary=False)
    text = render(Format.HTML, report(*findings, source="x = 1\n")._replace(survey=told))
    # The page's own policy lets no driver in.
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    page = tmp_path / "page.html"
    page.write_text(text.replace("</body>", f"<script>{DRIVER}</script></body>"), "utf-8")
    shown, console = in_browser(page, tmp_path)
    assert console == ""
    assert re.sub(r"<[^>]+>", "", shown.partition("<body>")[2]).strip().splitlines() == [
        "all: 150 findings",
        "rule: 100 of 150 findings",
        "rule and severity: 25 of 150 findings",
        "severity: 38 of 150 findings",
        "package: 75 of 150 findings",
        "text: 1 of 150 findings",
        "j j: number 1.",
        "k: number 0.",
        "Enter: true",
        "beyond the first hundred: number 120.",
        "?: true",
        "/: text",
        "link of a rule: 100 of 150 findings",
    ]
