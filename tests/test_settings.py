"""Settings: where they are looked for, what they may say, which rules they select, how errors are told."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from msgspec import structs

from errlint.cli import main
from errlint.errors import ConfigurationError, ErrlintError, ErrorCode
from errlint.findings import Severity
from errlint.rules import RULES
from errlint.settings import (
    DEFAULT_EXCLUDE,
    Adapters,
    Boundary,
    CommandLine,
    Loaded,
    Override,
    Policy,
    Response,
    Settings,
    Style,
    keys,
    load,
)
from errlint.settings.show import render
from errlint.settings.toml_positions import find_keys
from errlint.settings.toml_reader import parse

ALWAYS = {"ERR904", "ERR906", "ERR907"}
ON = {code for code, rule in RULES.items() if rule.default}
LOG = 'style = "log"'
"""A configuration that is known again by what it says."""
ON_1 = {code for code in ON if code.startswith("ERR1")}


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")


def load_text(tmp_path: Path, text: str, **asked: Any) -> Loaded:
    write(tmp_path, {"errlint.toml": text})
    return load(tmp_path, overrides=CommandLine(**asked))


def rules(settings: Settings) -> set[str]:
    return set(settings.rules)


# Where the project is


@pytest.mark.parametrize(
    ("files", "cwd", "paths", "root", "configuration"),
    [
        pytest.param(
            {"errlint.toml": "", "a/b/x.py": ""},
            "a/b",
            [],
            "",
            "errlint.toml",
            id="the configuration above is found",
        ),
        pytest.param(
            {"errlint.toml": "", "a/errlint.toml": "", "a/b/x.py": ""},
            "a/b",
            [],
            "a",
            "a/errlint.toml",
            id="the closest configuration wins",
        ),
        pytest.param(
            {"errlint.toml": "", "pyproject.toml": "[tool.errlint]"},
            "",
            [],
            "",
            "errlint.toml",
            id="errlint.toml wins over pyproject.toml in the same folder",
        ),
        pytest.param(
            {"errlint.toml": "", "a/pyproject.toml": "[tool.ruff]"},
            "a",
            [],
            "",
            "errlint.toml",
            id="a pyproject.toml without a table for errlint is passed over",
        ),
        pytest.param(
            {"errlint.toml": "", "a/pyproject.toml": "[project]\ndependencies = ['errlint']"},
            "a",
            [],
            "",
            "errlint.toml",
            id="a pyproject.toml that only depends on errlint is passed over",
        ),
        pytest.param(
            {"errlint.toml": "", "a/pyproject.toml": "[tool.errlint]"},
            "a",
            [],
            "a",
            "a/pyproject.toml",
            id="an empty table for errlint is a configuration",
        ),
        pytest.param(
            {".git/HEAD": "", "a/x.py": ""},
            "a",
            ["a/x.py"],
            "",
            None,
            id="without a configuration it is the git root",
        ),
        pytest.param(
            {".git/HEAD": "", "errlint.toml": "", "a/.git": "gitdir: x", "a/x.py": ""},
            "a",
            [],
            "",
            "errlint.toml",
            id="a configuration above a git root holds",
        ),
        pytest.param({"pyproject.toml": "", "a/x.py": ""}, "a", [], "", None, id="else the nearest pyproject.toml"),
        pytest.param({"setup.cfg": "", "a/b/x.py": ""}, "a/b", [], "", None, id="or setup.cfg"),
        pytest.param(
            {".git/HEAD": "", "a/pyproject.toml": "", "a/x.py": ""},
            "a",
            [],
            "",
            None,
            id="git comes before a pyproject.toml without a table for errlint",
        ),
        pytest.param({"setup.py": "", "a/x.py": ""}, "a", [], "a", None, id="a setup.py alone marks no project"),
        pytest.param({"a/x.py": ""}, "a", [], "a", None, id="else it is the working directory"),
        pytest.param({"a/x.py": ""}, "", ["a/x.py"], "", None, id="a named file does not make its folder the root"),
        pytest.param({"a/x.py": ""}, "", ["a"], "", None, id="nor does a named folder become it"),
        pytest.param(
            {"a/errlint.toml": "", "a/x.py": ""},
            "",
            ["a/x.py"],
            "",
            None,
            id="nor does the configuration beside a named file move it",
        ),
    ],
)
def test_root_and_configuration(
    tmp_path: Path, files: dict[str, str], cwd: str, paths: list[str], root: str, configuration: str | None
) -> None:
    write(tmp_path, files)
    loaded = load(tmp_path / cwd, overrides=CommandLine(paths=tuple(tmp_path / path for path in paths)))
    assert loaded.settings.root == tmp_path / root
    found = loaded.project.file
    assert (found.path if found else None) == (tmp_path / configuration if configuration else None)


@pytest.mark.parametrize(
    ("files", "cwd", "config", "root"),
    [
        pytest.param({"special.toml": LOG, "a/x.py": ""}, "a", "../special.toml", "a", id="above, and nothing else"),
        pytest.param({"a/special.toml": LOG}, "", "a/special.toml", "", id="below, and nothing else"),
        pytest.param({"special.toml": LOG}, "", "special.toml", "", id="in the working directory"),
        pytest.param(
            {"errlint.toml": "", "special.toml": LOG, "a/x.py": ""},
            "a",
            "../special.toml",
            "",
            id="beside the configuration that is closest",
        ),
        pytest.param(
            {"errlint.toml": LOG, "a/errlint.toml": "", "a/x.py": ""},
            "a",
            "../errlint.toml",
            "a",
            id="the one that is not closest",
        ),
        pytest.param(
            {".git/HEAD": "", "conf/pyproject.toml": f"[tool.errlint]\n{LOG}"},
            "",
            "conf/pyproject.toml",
            "",
            id="inside of a git repository",
        ),
        pytest.param(
            {"errlint.toml": "not even TOML", "special.toml": LOG, "a/x.py": ""},
            "a",
            "../special.toml",
            "",
            id="beside one that cannot be understood and is not read",
        ),
    ],
)
def test_a_named_configuration_does_not_move_the_root(
    tmp_path: Path, files: dict[str, str], cwd: str, config: str, root: str
) -> None:
    write(tmp_path, files)
    loaded = load(tmp_path / cwd, config=config)
    assert loaded.settings.root == tmp_path / root
    assert loaded.settings.policy.style is Style.LOG


def test_isolated_reads_no_configuration(tmp_path: Path) -> None:
    write(tmp_path, {".git/HEAD": "", "errlint.toml": "not even TOML"})
    assert load(tmp_path, isolated=True).settings == Settings(root=tmp_path, rules=frozenset(ON))


# What a configuration may say


def test_every_key_is_read(tmp_path: Path) -> None:
    text = """
        include = ["src"]
        exclude = ["old", "./gen"]
        extend-exclude = ["third_party/**"]
        tests = ["checks/"]
        select = ["ERR101", "ERR9"]
        style = "return"
        cache-dir = "build/cache"
        [per-file-ignores]
        "src/legacy/**" = ["ERR1"]
        [severity]
        ERR1 = "warning"
        ERR101 = "info"
        [adapters]
        decorators = ["*.command"]
        registrations = ["*.register"]
        paths = ["src/api/*.py"]
        [adapters.methods]
        BaseTool = ["run"]
        [response]
        types = ["pkg.ErrorResponse"]
        [[boundary]]
        decorator = "pkg.errors.handled"
        converters = ["pkg.errors.to_envelope"]
        [[boundary]]
        decorator = "pkg.jobs.handled"
        [[overrides]]
        paths = ["src/jobs/**"]
        style = "log"
        severity = { ERR103 = "error" }
        response = { types = [] }
        [[overrides]]
        paths = ["scripts"]
    """
    settings = load_text(tmp_path, text).settings
    assert settings.nesting is not None
    assert [(named.name, named.key) for named in settings.named] == [
        ("BaseTool", ("adapters", "methods", "BaseTool")),
        ("*.command", ("adapters", "decorators", 0)),
        ("*.register", ("adapters", "registrations", 0)),
        ("pkg.errors.handled", ("boundary", 0, "decorator")),
        ("pkg.errors.to_envelope", ("boundary", 0, "converters", 0)),
        ("pkg.jobs.handled", ("boundary", 1, "decorator")),
        ("pkg.ErrorResponse", ("response", "types", 0)),
    ]
    assert structs.replace(settings, nesting=None, named=(), sources=()) == Settings(
        root=tmp_path,
        include=("src",),
        exclude=("old", "gen", "third_party/**"),
        tests=("checks/",),
        rules=frozenset({"ERR101", "ERR901", "ERR902", "ERR905"} | ALWAYS),
        per_file_ignores=(("src/legacy/**", frozenset(code for code in RULES if code.startswith("ERR1"))),),
        severity={code: Severity.WARNING for code in RULES if code.startswith("ERR1")} | {"ERR101": Severity.INFO},
        adapters=Adapters(
            decorators=("*.command",),
            registrations=("*.register",),
            methods={"BaseTool": ("run",)},
            paths=("src/api/*.py",),
        ),
        policy=Policy(
            style=Style.RETURN,
            boundaries=(
                Boundary(decorator="pkg.errors.handled", converters=("pkg.errors.to_envelope",)),
                Boundary(decorator="pkg.jobs.handled"),
            ),
            response=Response(types=("pkg.ErrorResponse",)),
        ),
        overrides=(
            Override(
                paths=("src/jobs/**",),
                severity={"ERR103": Severity.ERROR},
                policy={"style": Style.LOG, "response": {"types": ()}},
            ),
            Override(paths=("scripts",)),
        ),
        cache_dir=tmp_path / "build/cache",
    )


def test_a_pyproject_says_the_same_below_its_table(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"pyproject.toml": '[tool.errlint]\nstyle = "log"\n[tool.errlint.response]\ntypes = ["a.B"]'},
    )
    settings = load(tmp_path).settings
    assert (settings.policy.style, settings.policy.response.types) == (Style.LOG, ("a.B",))


def test_extend_exclude_keeps_the_defaults(tmp_path: Path) -> None:
    assert load_text(tmp_path, 'extend-exclude = ["old"]').settings.exclude == (*DEFAULT_EXCLUDE, "old")


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "errlint.toml").write_bytes(b'\xef\xbb\xbf# \xc3\xa9\r\nstyle = "log"\r\n')
    assert load(tmp_path).settings.policy.style is Style.LOG


def test_the_command_line_decides_over_the_configuration(tmp_path: Path) -> None:
    text = 'cache-dir = "a"\n[per-file-ignores]\nx = ["ERR101"]'
    settings = load_text(
        tmp_path,
        text,
        cache_dir=Path("b"),
        per_file_ignores=(("y", "ERR10"), ("y", "ERR901")),
        jobs=3,
        force_exclude=True,
    ).settings
    assert settings.cache_dir == tmp_path / "b"
    assert settings.per_file_ignores == (
        ("y", frozenset(code for code in RULES if code.startswith("ERR10"))),
        ("y", frozenset({"ERR901"})),
    )
    assert (settings.jobs, settings.force_exclude) == (3, True)


# Which rules run

NAMED = {"ERR905"}
"""What `--select` leaves on: else a rule that looks for a name that is not there would pass for clean."""


@pytest.mark.parametrize(
    ("text", "asked", "expected"),
    [
        pytest.param("", {}, ON, id="the default rules without a configuration"),
        pytest.param('select = ["ERR101"]', {}, {"ERR101"}, id="a full code selects that rule"),
        pytest.param('select = ["ERR104"]', {}, {"ERR104"}, id="a full code selects a rule that is off by default"),
        pytest.param('select = ["ERR1"]', {}, ON_1, id="a prefix selects the rules that are on by default"),
        pytest.param('select = ["ERR"]', {}, ON, id="the shortest prefix selects every default rule"),
        pytest.param('select = ["ALL"]', {}, set(RULES), id="ALL selects the others too"),
        pytest.param("select = []", {}, set(), id="an empty selection runs what cannot be turned off"),
        pytest.param('ignore = ["ERR1"]', {}, ON - ON_1, id="a prefix is ignored"),
        pytest.param('ignore = ["ALL"]', {}, set(), id="ALL ignores everything that can be ignored"),
        pytest.param(
            'ignore = ["ERR9"]',
            {},
            {code for code in ON if code < "ERR9"},
            id="a prefix does not ignore what is always on",
        ),
        pytest.param(
            'select = ["ERR1"]\nignore = ["ERR101"]',
            {},
            ON_1 - {"ERR101"},
            id="a longer ignore wins over a select",
        ),
        pytest.param(
            'select = ["ERR101"]\nignore = ["ERR1"]', {}, {"ERR101"}, id="a longer select wins over an ignore"
        ),
        pytest.param('select = ["ERR101"]\nignore = ["ERR101"]', {}, set(), id="among equals the ignore wins"),
        pytest.param(
            'select = ["ALL"]\nignore = ["ERR1"]\nextend-select = ["ERR10"]\nextend-ignore = ["ERR102"]',
            {},
            (set(RULES) - {code for code in RULES if code.startswith("ERR1")})
            | {code for code in ON if code.startswith("ERR10") and code != "ERR102"},
            id="four levels, each decided by the longest",
        ),
        pytest.param('extend-select = ["ERR104"]', {}, ON | {"ERR104"}, id="extend-select adds to the defaults"),
        pytest.param('select = ["ERR9"]', {"select": ("ERR101",)}, NAMED | {"ERR101"}, id="--select starts over"),
        pytest.param(
            'extend-select = ["ERR104"]',
            {"select": ("ERR101",)},
            NAMED | {"ERR101"},
            id="--select drops extend-select",
        ),
        pytest.param(
            'ignore = ["ERR101"]',
            {"select": ("ERR1",)},
            NAMED | ON_1 - {"ERR101"},
            id="--select keeps a longer ignore",
        ),
        pytest.param(
            'ignore = ["ERR101"]',
            {"select": ("ERR101",)},
            NAMED | {"ERR101"},
            id="--select wins over an equal ignore",
        ),
        pytest.param('select = ["ERR101"]', {"ignore": ("ERR1",)}, set(), id="--ignore takes from what is configured"),
        pytest.param(
            'select = ["ERR101"]',
            {"extend_select": ("ERR104",)},
            {"ERR101", "ERR104"},
            id="--extend-select adds to it",
        ),
        pytest.param("", {"extend_ignore": ("ERR1",)}, ON - ON_1, id="--extend-ignore takes from the defaults"),
        pytest.param("", {"select": ("ERR1",), "ignore": ("ERR101",)}, NAMED | ON_1 - {"ERR101"}, id="both at once"),
        pytest.param(
            'ignore = ["ERR905"]', {"select": ("ERR101",)}, {"ERR101"}, id="names that are not there can be ignored"
        ),
        pytest.param(
            'select = ["ERR102"]', {"select": ("ERR101",)}, {"ERR101"}, id="a configuration can leave them out"
        ),
    ],
)
def test_selected_rules(tmp_path: Path, text: str, asked: dict[str, Any], expected: set[str]) -> None:
    assert rules(load_text(tmp_path, text, **asked).settings) == expected | ALWAYS


# Errors


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a = ", "1:5: syntax error: invalid value", id="a syntax error is told with its place"),
        pytest.param("a = " + "9" * 5_000, "1:1: syntax error: a number is too long", id="a number of 5,000 digits"),
        pytest.param("a = " + "[" * 5_000, "1:1: syntax error: arrays or tables in each other", id="5,000 open arrays"),
        pytest.param("\na" + ".a" * 50_000 + " = 1", "2:1: syntax error: a key has more than 200", id="a long key"),
        pytest.param("a = 1\na = 2\n", "2:6: syntax error: cannot overwrite a value", id="a key twice"),
        pytest.param('\na = """x\n', "2:9: syntax error: unterminated string", id="a text that ends too early"),
        pytest.param(
            'style = "log"\n\nselct = []',
            "3:1: unknown key `selct` (did you mean `select`?)",
            id="an unknown key",
        ),
        pytest.param("zzz = 1", "1:1: unknown key `zzz`", id="an unknown key that is like no other"),
        pytest.param(
            "[adapters]\n  decorator = []",
            "2:3: unknown key `adapters.decorator` (did you mean `decorators`?)",
            id="an unknown key in a table",
        ),
        pytest.param(
            "[ 'adapter' ]\npaths = []",
            "1:3: unknown key `adapter` (did you mean `adapters`?)",
            id="an unknown table, at its header",
        ),
        pytest.param(
            '[[boundary]]\ndecorator = "a"\n[[boundary]]\ndecorator = "b"\nconverter = []',
            "5:1: unknown key `boundary[1].converter` (did you mean `converters`?)",
            id="an unknown key in the second table of an array",
        ),
        pytest.param(
            "response = { types = [], kinds = [] }",
            "1:26: unknown key `response.kinds`",
            id="an unknown key in an inline table",
        ),
        pytest.param(
            'tests = [\n  "a",\n  3,\n]',
            "3:3: `tests` must be a list of strings, but holds an integer",
            id="an item of the wrong type, at the item",
        ),
        pytest.param(
            'select = "ERR1"',
            "1:1: `select` must be a list of strings, not a string",
            id="a string for a list",
        ),
        pytest.param(
            "cache-dir = true",
            "1:1: `cache-dir` must be a string, not a boolean",
            id="a boolean for a string",
        ),
        pytest.param('cache-dir = ""', "1:1: `cache-dir` must not be empty", id="an empty path"),
        pytest.param(
            "adapters = 1979-05-27",
            "1:1: `adapters` must be a table, not a date or time",
            id="a date for a table",
        ),
        pytest.param(
            "[boundary]\ndecorator = 'a'",
            "1:2: `boundary` must be an array of tables, not a table (write `[[boundary]]`)",
            id="a table for an array of tables",
        ),
        pytest.param("[[boundary]]", "1:3: `boundary[0]` needs a `decorator`", id="a boundary without a decorator"),
        pytest.param(
            "[[overrides]]\nstyle = 'log'",
            "1:3: `overrides[0]` needs `paths`, the globs it is about",
            id="an override of no path",
        ),
        pytest.param(
            'style = "rais"',
            '1:1: `style` must be one of raise, return, log, not "rais" (did you mean `raise`?)',
            id="a value that is none of the choices",
        ),
        pytest.param(
            "[severity]\nERR101 = 'fatal'",
            '2:1: `severity.ERR101` must be one of error, warning, info, not "fatal"',
            id="a severity that does not exist",
        ),
        pytest.param(
            "[severity]\nERR191 = 'info'",
            "2:1: unknown rule `ERR191` (did you mean `ERR",
            id="a severity of no rule",
        ),
        pytest.param(
            'select = ["ERR101", "err102"]',
            "1:21: unknown rule `err102` (did you mean `ERR102`?)",
            id="a code in the wrong case",
        ),
        pytest.param(
            'ignore = ["hand-built-error-retrun"]',
            "1:11: unknown rule `hand-built-error-retrun` (did you mean `hand-built-error-return`?)",
            id="a misspelt name of a rule",
        ),
        pytest.param(
            'ignore = ["F401"]',
            "1:11: unknown rule `F401` (`errlint rule --all` lists the rules)",
            id="a rule of another tool",
        ),
        pytest.param(
            'ignore = ["ERR904"]',
            "1:11: `ERR904` cannot be ignored (exclude the file, if it is not meant to be checked)",
            id="a rule that cannot be ignored",
        ),
        pytest.param(
            '[per-file-ignores]\n"src/**" = ["ERR999"]',
            "2:13: unknown rule `ERR999`",
            id="an unknown rule in per-file-ignores",
        ),
        pytest.param(
            '[per-file-ignores]\n"[z-a]" = ["ERR101"]',
            '2:1: `per-file-ignores."[z-a]"` is not a valid glob pattern',
            id="a glob that cannot be read, as a key",
        ),
        pytest.param(
            'exclude = ["a", ""]',
            "1:17: `exclude` pattern `` is empty",
            id="a glob that cannot be read, as an item",
        ),
    ],
)
def test_a_configuration_error_is_one_line_with_its_place(tmp_path: Path, text: str, expected: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_text(tmp_path, text)
    told = str(caught.value)
    assert told.removeprefix(f"{tmp_path / 'errlint.toml'}:").startswith(expected)
    assert "\n" not in told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("convention = 'problem-detail'", "1:1: `convention` names no preset", id="an unknown preset"),
        pytest.param("convention = ['a']", "1:1: `convention` must be a string, not a list", id="two conventions"),
        pytest.param(
            "convention = 'ours.toml'", "1:1: `convention` names no file", id="a convention that is not there"
        ),
        pytest.param(
            "[exeptions]\nroot = []", "1:2: unknown key `exeptions` (did you mean `exceptions`?)", id="an unknown table"
        ),
        pytest.param(
            "[exceptions]\nroots = []",
            "2:1: unknown key `exceptions.roots` (did you mean `root`?)",
            id="an unknown key of a table",
        ),
        pytest.param(
            "[exceptions]\nroot = 'AppError'",
            "2:1: `exceptions.root` must be a list of strings, not a string",
            id="a text for a list",
        ),
        pytest.param(
            "[exceptions.map]\nKeyError = 1",
            "2:1: `exceptions.map.KeyError` must be a string, not an integer",
            id="a number for a name",
        ),
        pytest.param(
            "[codes]\nextend-reservd = []",
            "2:1: unknown key `codes.extend-reservd` (did you mean `extend-reserved`?)",
            id="an unknown key that adds",
        ),
        pytest.param(
            "[codes]\nextend-prefix = []",
            "2:1: unknown key `codes.extend-prefix` (did you mean `extend-prefixed`?)",
            id="a text that is added to",
        ),
        pytest.param(
            "[codes]\nprefix = '[code] '",
            "2:1: `codes.prefix` must have `{code}` in it, where the code stands",
            id="a prefix without a code",
        ),
        pytest.param(
            "[codes.vocabulary]\ngone = 410",
            "2:1: `codes.vocabulary.gone` must be a table, not an integer",
            id="a number for a code",
        ),
        pytest.param(
            "[codes.vocabulary]\ngone = { retriable = true }",
            "2:10: unknown key `codes.vocabulary.gone.retriable` (did you mean `retryable`?)",
            id="an unknown key of a code",
        ),
        pytest.param(
            "[codes.vocabulary]\ngone = { retryable = 'no' }",
            "2:10: `codes.vocabulary.gone.retryable` must be true or false, not a string",
            id="a text for a truth value",
        ),
        pytest.param(
            "[codes.status]\ngone = true",
            "2:1: `codes.status.gone` must be an integer, not a boolean",
            id="a truth value for a status",
        ),
        pytest.param(
            "[[boundary]]\ndecorator = 'a'\nenvelope = 'iserror'",
            '3:1: `boundary[0].envelope` must be a table or "is-error", not "iserror" (did you mean `is-error`?)',
            id="an envelope that is another word",
        ),
        pytest.param(
            "[[boundary]]\ndecorator = 'a'\noperation-pattern = '['",
            "3:1: `boundary[0].operation-pattern` is not a regular expression: unterminated",
            id="a pattern that is none",
        ),
        pytest.param(
            "[[boundary]]\ndecorator = 'a'\noperation-pattern = '(?=a)a'",
            "3:1: `boundary[0].operation-pattern` may not have `(?=`: it cannot be matched in a time that is known",
            id="a pattern that may take forever",
        ),
        pytest.param(
            "[[required]]\nclasses = ['A']", "1:3: `required[0]` needs `fields`", id="a requirement without fields"
        ),
        pytest.param(
            "[[required]]\nclasses = []\nfields = ['a']",
            "2:1: `required[0].classes` must not be empty",
            id="a requirement of no class",
        ),
        pytest.param(
            "[[required]]\nclasses = ['A']\nfields = ['a']\nwhen = { kind = 'x' }",
            "4:10: `required[0].when.kind` must be a list of strings, not a string",
            id="a condition that is no list",
        ),
        pytest.param(
            "[[overrides]]\npaths = ['a']\nstyle = 'return'\ncodes = { arguments = 1 }",
            "4:11: `overrides[0].codes.arguments` must be a list of strings, not an integer",
            id="a wrong value in an override",
        ),
        pytest.param(
            "[[overrides]]\npaths = ['a']\nselect = ['ERR1']",
            "3:1: unknown key `overrides[0].select`",
            id="a selection in an override",
        ),
        pytest.param(
            "[[overrides]]\npaths = ['a']\nhint = {}",
            "3:1: unknown key `overrides[0].hint` (did you mean `hints`?)",
            id="an unknown table in an override",
        ),
    ],
)
def test_a_policy_that_cannot_be_understood_is_one_line_and_nothing_runs(
    tmp_path: Path, text: str, expected: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"errlint.toml": text, "a.py": ""})
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["--no-cache"])
    told = capsys.readouterr()
    assert (ended.value.code, told.out) == (2, "")
    assert told.err.startswith(f"errlint: error: {tmp_path / 'errlint.toml'}:{expected}")
    assert told.err.count("\n") == 1


def test_an_error_in_a_pyproject_has_the_place_in_the_whole_file(tmp_path: Path) -> None:
    text = '[project]\nname = "[tool.errlint]"\n\n[tool.errlint]\nstlye = "log"\n'
    write(tmp_path, {"pyproject.toml": text})
    with pytest.raises(ConfigurationError) as caught:
        load(tmp_path)
    assert str(caught.value) == f"{tmp_path / 'pyproject.toml'}:5:1: unknown key `stlye` (did you mean `style`?)"


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        pytest.param("errlint.toml", b"\xff", ": the file is not UTF-8 text", id="a file in another encoding"),
        pytest.param("pyproject.toml", b"[tool]\nerrlint = 3", ":2:1: `tool.errlint` must be a table", id="no table"),
    ],
)
def test_a_file_that_is_no_configuration(tmp_path: Path, name: str, content: bytes, expected: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigurationError) as caught:
        load(tmp_path)
    assert str(caught.value) == f"{tmp_path / name}{expected}"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param(
            {"overrides": CommandLine(select=("ERR1x",))},
            "--select: unknown rule `ERR1x`",
            id="an unknown selector",
        ),
        pytest.param(
            {"overrides": CommandLine(extend_ignore=("ERR906",))},
            "--ignore: `ERR906` cannot be ignored",
            id="an ignored rule that is always on",
        ),
        pytest.param(
            {"overrides": CommandLine(per_file_ignores=(("[z-a]", "ERR101"),))},
            "--per-file-ignores: pattern `[z-a]` is not a valid glob pattern",
            id="a broken glob",
        ),
        pytest.param(
            {"config": "errlint.toml", "isolated": True},
            "--config and --isolated do not go together",
            id="both",
        ),
        pytest.param({"config": "nowhere.toml"}, "nowhere.toml: no such file", id="a configuration that is not there"),
        pytest.param(
            {"config": "pyproject.toml"},
            "pyproject.toml: there is no [tool.errlint] table",
            id="not in there",
        ),
    ],
)
def test_an_error_on_the_command_line(tmp_path: Path, arguments: dict[str, Any], expected: str) -> None:
    write(tmp_path, {"errlint.toml": "", "pyproject.toml": "[tool.ruff]"})
    with pytest.raises(ErrlintError) as caught:
        load(tmp_path, **arguments)
    assert str(caught.value).removeprefix(f"{tmp_path}/").startswith(expected)


# Origins and positions


def test_every_value_has_an_origin(tmp_path: Path) -> None:
    text = """\
        tests = ["t"]
        ignore = ["ERR101"]
        adapters.paths = [
            "a",
        ]
        [per-file-ignores]
        "x.py" = ["ERR102"]
        [[overrides]]
        paths = ["b"]
    """
    loaded = load_text(tmp_path, text, select=("ERR1",), ignore=("ERR103",))
    file = tmp_path / "errlint.toml"
    told = {name: origin for name, origin in loaded.origins.items() if origin != "default"}
    assert told == {
        "tests": f"{file}:1",
        "select": "command line",
        "ignore": f"{file}:2 and command line",
        "adapters.paths": f"{file}:3",
        'per-file-ignores."x.py"': f"{file}:7",
        "overrides[0].paths": f"{file}:9",
    }
    assert loaded.origins["style"] == "default"


def test_shown_settings_are_what_holds_with_configurations_of_subfolders(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "errlint.toml": 'select = ["ERR101"]\nstyle = "log"\nexclude = ["old"]\n',
            "sub/pyproject.toml": "[tool.errlint]",
            "sub/deep/errlint.toml": "",
            "other/pyproject.toml": "[tool.ruff]",
            "old/errlint.toml": "",
        },
    )
    lines = render(load(tmp_path, overrides=CommandLine(per_file_ignores=(("x", "ERR101"),)))).splitlines()
    file = tmp_path / "errlint.toml"
    assert lines[:2] == [f"# root: {tmp_path} (folder of the configuration)", f"# configuration: {file}"]
    assert f'select = ["ERR101"]  # {file}:1' in lines
    assert f'style = "log"  # {file}:2' in lines
    assert "include = []  # default" in lines
    assert 'per-file-ignores = [["x", "ERR101"]]  # command line' in lines
    assert "# rules that run: ERR101 ERR904 ERR906 ERR907" in lines
    assert lines[-2:] == [
        f"# for sub/**: {tmp_path / 'sub/pyproject.toml'}",
        f"# for sub/deep/**: {tmp_path / 'sub/deep/errlint.toml'}",
    ]


@pytest.mark.parametrize(
    ("text", "key", "position"),
    [
        pytest.param("\n  a = 1", ("a",), (2, 3), id="a bare key"),
        pytest.param('"a b" = 1', ("a b",), (1, 1), id="a quoted key"),
        pytest.param(r'"\u0061" = 1', ("a",), (1, 1), id="a key with an escape"),
        pytest.param("'a.b' = 1", ("a.b",), (1, 1), id="a literal key with a dot"),
        pytest.param("x . 'y' . z = 1", ("x", "y", "z"), (1, 11), id="a dotted key with spaces"),
        pytest.param("[a.b]\nc = 1", ("a", "b", "c"), (2, 1), id="a key in a table"),
        pytest.param("[ a . b ]", ("a", "b"), (1, 7), id="a table's header"),
        pytest.param("[[a]]\nk = 1\n[[a]]\nk = 2", ("a", 1, "k"), (4, 1), id="a key in an array of tables"),
        pytest.param(
            "[[a]]\n[a.b]\nk = 1\n[[a]]\n[a.b]\nk = 1",
            ("a", 1, "b", "k"),
            (6, 1),
            id="below an array of tables",
        ),
        pytest.param("a = { b = 1, c = [ { d = 2 } ] }", ("a", "c", 0, "d"), (1, 22), id="nested inline values"),
        pytest.param('a = [ "x", # b = 1\n  "y" ]', ("a", 1), (2, 3), id="an item behind a comment"),
        pytest.param('x = """\nb = 1\n""""\nb = 2', ("b",), (4, 1), id="text in a long string that looks like a key"),
        pytest.param("x = '''\n[b]\nb = 1\n'''\nb = 2", ("b",), (5, 1), id="text in a long literal string"),
        pytest.param('x = "\\"\\n[b] b = 1"\nb = 2', ("b",), (2, 1), id="text behind an escaped quote"),
        pytest.param(
            "x = 'a]'\r\ny = [']', \"#\"]\r\nb = 2",
            ("b",),
            (3, 1),
            id="brackets in strings, Windows line ends",
        ),
        pytest.param("x = 1979-05-27 07:32:00 # b = 1\nb = 2", ("b",), (2, 1), id="a date with a space"),
        pytest.param("# é\n'é' = 2", ("é",), (2, 1), id="a key that is not ASCII"),
        pytest.param("a = [[1, 2], [3, 4]]", ("a", 1, 0), (1, 15), id="a list in a list"),
    ],
)
def test_the_position_of_a_key(text: str, key: tuple[str | int, ...], position: tuple[int, int]) -> None:
    assert find_keys(text)[key] == position


def documentation() -> str:
    return (Path(__file__).parents[1] / "docs" / "configuration.md").read_text(encoding="utf-8")


def test_every_key_is_documented(tmp_path: Path) -> None:
    page = documentation()
    documented = {line.split("`")[1] for line in page.splitlines() if line.startswith("### `")}
    known = {name for name in load_text(tmp_path, "").origins if name.partition(".")[0] not in keys.SECTIONS}
    assert documented == known | {*keys.SECTIONS, *keys.ARRAYS}


@pytest.mark.parametrize("section", [*keys.SECTIONS, *keys.ARRAYS])
def test_every_key_of_a_policy_is_documented_with_an_example(section: str) -> None:
    text = documentation().partition(f"### `{section}`\n")[2].partition("\n### ")[0]
    known = keys.SECTIONS.get(section) or keys.ARRAYS[section]
    assert re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE) == list(known)
    (example,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    given = parse(example)[section]
    shown = {key for table in given for key in table} if isinstance(given, list) else set(given)
    assert shown == set(known)


def test_the_examples_of_the_documentation_are_understood(tmp_path: Path) -> None:
    examples = re.findall(r"```toml\n(.*?)```", documentation(), re.DOTALL)
    assert len(examples) > 20
    for number, example in enumerate(examples):
        folder = tmp_path / str(number)
        if "description =" in example:
            write(folder, {"ours.toml": example})
            example = 'convention = "ours.toml"'
        assert load_text(folder, example).settings.root == folder


@pytest.mark.parametrize("code", ErrorCode)
def test_every_error_code_is_documented(code: ErrorCode) -> None:
    page = (Path(__file__).parents[1] / "docs" / "errors.md").read_text(encoding="utf-8")
    assert f"## `{code.value}`" in page


# Every mistake at once


def told(root: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the lines that a check of a folder ends with, without the folder."""
    with pytest.raises(SystemExit) as end:
        main(["check", str(root), "--no-cache"])
    assert end.value.code == 2
    return capsys.readouterr().err.replace(f"{root}/", "").splitlines()


def test_every_mistake_is_told_in_the_order_of_the_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """\
        selct = ["ALL"]
        include = [1, "src", true]
        style = "rais"

        [exeptions]
        root = ["AppError"]

        [codes]
        prefix = "[{kode}]"
        registery = ["Code"]

        [severity]
        ERR999 = "error"
        ERR101 = "err"

        [[boundary]]
        logs = "yes"

        [[overrides]]
        style = "raise"
        [[overrides]]
        paths = ["a["]
        stile = "raise"
        """
    write(tmp_path, {"errlint.toml": text, "a.py": ""})
    monkeypatch.chdir(tmp_path)
    assert [
        line.removeprefix("errlint: error: errlint.toml:").partition(" (")[0] for line in told(tmp_path, capsys)
    ] == [
        "1:1: unknown key `selct`",
        "2:12: `include` must be a list of strings, but holds an integer",
        "2:22: `include` must be a list of strings, but holds a boolean",
        '3:1: `style` must be one of raise, return, log, not "rais"',
        "5:2: unknown key `exeptions`",
        "9:1: `codes.prefix` must have `{code}` in it, where the code stands",
        "10:1: unknown key `codes.registery`",
        "13:1: unknown rule `ERR999`",
        '14:1: `severity.ERR101` must be one of error, warning, info, not "err"',
        "16:3: `boundary[0]` needs a `decorator` or `middleware`",
        "17:1: `boundary[0].logs` must be true or false, not a string",
        "19:3: `overrides[0]` needs `paths`, the globs it is about",
        "22:10: `overrides[1].paths` pattern `a[` has a `[` without its `]`",
        "23:1: unknown key `overrides[1].stile`",
    ]


def test_mistakes_of_a_convention_come_after_those_of_the_file_that_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"errlint.toml": "convention = 'a.toml'\nfoo = 1\n", "a.toml": "bar = 1\nbaz = 2\n", "a.py": ""})
    monkeypatch.chdir(tmp_path)
    assert [line.partition(": error: ")[2] for line in told(tmp_path, capsys)] == [
        "errlint.toml:2:1: unknown key `foo` (docs/configuration.md describes all keys)",
        "a.toml:1:1: unknown key `bar` (docs/configuration.md describes all keys)",
        "a.toml:2:1: unknown key `baz` (docs/configuration.md describes all keys)",
    ]


def test_mistakes_of_all_subfolders_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"errlint.toml": "", "a/errlint.toml": "foo = 1\n", "b/errlint.toml": "\nbar = 1\n", "a.py": ""})
    monkeypatch.chdir(tmp_path)
    assert [line.partition(": error: ")[2] for line in told(tmp_path, capsys)] == [
        "a/errlint.toml:1:1: unknown key `foo` (docs/configuration.md describes all keys)",
        "b/errlint.toml:2:1: unknown key `bar` (docs/configuration.md describes all keys)",
    ]


def test_an_unknown_convention_leads_to_no_other_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"errlint.toml": "convention = 'problem'\n[[boundary]]\nlogs = true\n", "a.py": ""})
    monkeypatch.chdir(tmp_path)
    assert len(told(tmp_path, capsys)) == 1


# Names of rules


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param('select = ["hand-built-error-return", "ERR102"]', "", id="select"),
        pytest.param('severity = { hand-built-error-return = "info" }', "", id="severity"),
        pytest.param('per-file-ignores = { "*" = ["hand-built-error-return"] }', "", id="per-file-ignores"),
        pytest.param('extend-unsafe-fixes = ["hand-built-error-return"]', "", id="trust"),
        pytest.param('ignore = ["hand-built-error-retrun"]', "hand-built-error-return", id="a misspelt one"),
        pytest.param('severity = { hand-built-eror = "info" }', "hand-built-error-return", id="a misspelt key"),
    ],
)
def test_a_rule_is_named_where_its_code_could_stand(text: str, line: str, tmp_path: Path) -> None:
    def settings(text: str) -> Settings:
        (tmp_path / "errlint.toml").write_text(text, encoding="utf-8")
        return load(tmp_path).settings

    if line:
        with pytest.raises(ConfigurationError, match=f"did you mean `{line}`"):
            settings(text)
    else:
        assert settings(text) == settings(text.replace("hand-built-error-return", "ERR101"))


def test_a_name_is_as_specific_as_its_code(tmp_path: Path) -> None:
    asked = CommandLine(select=("hand-built-error-return",), ignore=("ERR101", "ERR1"))
    (tmp_path / "errlint.toml").write_text("", encoding="utf-8")
    assert "ERR101" not in load(tmp_path, overrides=asked).settings.rules


# What is told of a configuration with which a run is meaningful


@pytest.mark.parametrize(
    ("config", "place"),
    [
        pytest.param("include = ['src/**', 'a.py']", "1:12: this glob of `include` matches no file", id="include"),
        pytest.param(
            "[[overrides]]\npaths = ['a.py', 'srv']",
            "2:18: this glob of `overrides` matches no file",
            id="overrides",
        ),
        pytest.param("tests = ['spec']", "1:10: this glob of `tests` matches no file", id="tests"),
        pytest.param("adapters.paths = ['tols']", "1:19: this glob of `adapters` matches no file", id="adapters"),
        pytest.param(
            "[per-file-ignores]\n'old.py' = ['ERR101']",
            "2:1: this glob of `per-file-ignores` matches no file",
            id="per-file-ignores",
        ),
        pytest.param(
            "extend-exclude = ['src/old/**', '*.pyi', 'build']",
            "1:19: this glob of `extend-exclude` matches nothing: there is no src/old (globs are relative to the root",
            id="extend-exclude",
        ),
        pytest.param("include = ['a.py', '!b.py']", "", id="a glob that takes back"),
    ],
)
def test_a_glob_that_matches_nothing_is_told(
    config: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = "@mcp.tool\ndef tool() -> None:\n    pass\n"
    write(tmp_path, {"errlint.toml": config, "a.py": tool})
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["check", "--no-cache"])
    assert end.value.code == 0
    said = capsys.readouterr().err
    assert place in said if place else said == ""


@pytest.mark.parametrize(
    ("config", "place"),
    [("", "errlint.toml:1:1"), ("style = 'raise'\n[adapters]\nmethods = {}\n", "errlint.toml:2:2")],
    ids=["nothing said of adapters", "a table of adapters"],
)
def test_a_configuration_that_selects_no_adapter_is_told(
    config: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"errlint.toml": config, "a.py": "def endpoint() -> None:\n    pass\n"})
    monkeypatch.chdir(tmp_path)
    for arguments, is_told in ((["a.py"], False), ([], True), (["--quiet"], False)):
        with pytest.raises(SystemExit) as end:
            main(["check", "--no-cache", *arguments])
        assert end.value.code == 0
        said = capsys.readouterr().err
        line = (
            f"{place}: no adapter is selected, so that rules about what clients are told have nothing to look at "
            "(name what makes one in `adapters.decorators`, `.registrations`, `.methods` or `.paths`)\n"
        )
        assert said.endswith(line) == is_told


@pytest.mark.parametrize(
    ("files", "said"),
    [
        pytest.param(
            {"errlint.toml": "", "pyproject.toml": "[tool.errlint]\nstyle = 'log'\n"},
            "pyproject.toml:1:7: not read, since errlint.toml is beside it",
            id="two configurations",
        ),
        pytest.param(
            {"errlint.toml": "[tool.errlint]\nstyle = 'log'\n"},
            "errlint.toml:1:7: `[tool.errlint]` is for pyproject.toml",
            id="the table of pyproject.toml in errlint.toml",
        ),
        pytest.param(
            {"pyproject.toml": "[errlint]\nstyle = 'log'\n"},
            "pyproject.toml:1:2: nothing reads `[errlint]` (write `[tool.errlint]`)",
            id="a table of pyproject.toml without tool",
        ),
        pytest.param(
            {"errlint.toml": "[[boundary]]\ndecorator = 'a'\nenvelope = { e = '{mesage}', f = 'empty-result' }\n"},
            'errlint.toml:3:14: `boundary[0].envelope.e` is filled by nothing that is called "{mesage}" '
            "(did you mean `{message}`?)",
            id="a placeholder",
        ),
        pytest.param({"errlint.toml": "include = ['a[']\n"}, "has a `[` without its `]`", id="an open bracket"),
        pytest.param({"errlint.toml": "include = ['../a']\n"}, "leads out of the project by `..`", id="a glob outside"),
        pytest.param(
            {"errlint.toml": "[exceptions]\nmap = { ValeuError = 'propagate' }\n"},
            "errlint.toml:2:9: ERR905 there is no exception class `ValeuError`: nothing in the project has this name; "
            "did you mean `ValueError`?",
            id="an exception that is mapped",
        ),
    ],
)
def test_a_misplaced_or_misspelt_setting_is_told(
    files: dict[str, str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(tmp_path, {**files, "a.py": ""})
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(["check", "--no-cache", "--output-format=concise"])
    printed = capsys.readouterr()
    assert said in printed.out + printed.err
