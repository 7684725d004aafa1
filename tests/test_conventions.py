"""Conventions: presets and files of one's own, what builds on what, nested configurations, names that are not there."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from errlint.cli import main
from errlint.errors import ConfigurationError
from errlint.findings import Severity
from errlint.request import Request
from errlint.rules import RULES
from errlint.run import RunOutcome, check, nested, select
from errlint.settings import CommandLine, Loaded, Policy, Settings, Style, load
from errlint.settings import keys as declared
from errlint.settings import policy as model
from errlint.settings.configuration import read_configuration
from errlint.settings.conventions import presets_directory
from errlint.settings.locate import ConfigurationFile
from errlint.settings.nested import rebased
from errlint.settings.schema import NAME, configuration_schema, schema, text
from errlint.settings.show import render
from errlint.settings.table import Table
from errlint.settings.toml_reader import parse

PRESETS = sorted(path.stem for path in presets_directory().glob("*.toml"))
each_preset = pytest.mark.parametrize("preset", PRESETS)


def write(root: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def loaded(root: Path, files: dict[str, str], **asked: Any) -> Loaded:
    write(root, files)
    return load(root, overrides=CommandLine(**asked))


def policy(root: Path, config: str, files: dict[str, str] | None = None) -> Policy:
    return loaded(root, {"errlint.toml": config, **(files or {})}).settings.policy


# The keys


def test_every_field_of_a_policy_has_a_key() -> None:
    structs_by_section = {name: getattr(Policy(), declared.field(name)) for name in declared.SECTIONS}
    for name, part in structs_by_section.items():
        fields = [field.name for field in structs.fields(part)]
        assert [declared.field(key) for key in declared.SECTIONS[name]] == fields, name
    assert [declared.field(key) for key in declared.BOUNDARY] == [item.name for item in structs.fields(model.Boundary)]
    assert [declared.field(key) for key in declared.REQUIRED] == [
        item.name for item in structs.fields(model.Requirement)
    ]
    others = {"name", "style"} | {declared.field(key) for key in declared.ARRAYS}
    assert {field.name for field in structs.fields(Policy)} == others | set(declared.SECTIONS)


def test_every_key_of_a_policy_is_read(tmp_path: Path) -> None:
    found = policy(
        tmp_path,
        """
        style = "log"
        [[boundary]]
        decorator = "pkg.handled"
        converters = ["pkg.convert"]
        envelope = { error = "{message}" }
        operation = "op"
        empty-result = "empty"
        operation-pattern = "[a-z]+"
        operation-template = "{tool}"
        maps = ["KeyError"]
        logs = true
        [[extend-boundary]]
        middleware = ["ErrorMiddleware"]
        envelope = "is-error"
        [[required]]
        classes = ["AppError"]
        fields = ["a"]
        inside = "context"
        when = { kind = ["x", "y"] }
        handled = true
        lists = ["a"]
        values = { b = ["c"] }
        [exceptions]
        root = ["AppError"]
        default = "AdapterError"
        cause = "cause"
        exempt = ["setup"]
        map = { KeyError = "propagate" }
        messages = { "no *" = "AdapterError" }
        [codes]
        registry = ["pkg:Code"]
        vocabulary = { gone = { status = 410, retryable = false }, busy = { retryable = true } }
        reserved = ["old"]
        arguments = ["code"]
        prefix = "[{code}] "
        prefixed = ["AppError"]
        suffix = "[envelope] "
        suffix-kind = "kind"
        suffix-fields = ["kind", "more"]
        validation = "invalid"
        backend = ["client.*"]
        status = { AppError = 500 }
        status-arguments = ["http"]
        defaults = { 5xx = "busy" }
        retry-arguments = ["again"]
        writes = ["*.post"]
        refusals = { HOSTED = ["invalid"] }
        waits = ["*_wait"]
        [hints]
        keywords = ["advice"]
        classes = ["AppError"]
        verify = { create = "get" }
        [payload]
        key = "error"
        fields = ["type", "severity"]
        type-field = "type"
        severity-field = "severity"
        recovery-field = "recovery"
        context-field = "context"
        context = { Timeout = ["url"] }
        [taxonomy]
        severities = { Timeout = "warning" }
        recoveries = { warning = ["retry"] }
        stops = ["abort"]
        [logs]
        fields = ["code"]
        methods = { warning = ["warning"] }
        file-severities = ["critical"]
        writers = ["dump"]
        by-status = { 5xx = "error" }
        [response]
        types = ["Failure"]
        by-status = { ok = "Success" }
        queued = ["Queued"]
        factories = ["failed"]
        success = ["status"]
        [work]
        enqueue = ["*.put"]
        availability = ["*available*"]
        guarded = ["*.extract"]
        modes = ["A", "B"]
        """,
    )
    assert found == Policy(
        style=Style.LOG,
        boundaries=(
            model.Boundary(
                decorator="pkg.handled",
                converters=("pkg.convert",),
                envelope={"error": "{message}"},
                operation="op",
                empty_result="empty",
                operation_pattern="[a-z]+",
                operation_template="{tool}",
                maps=("KeyError",),
                logs=True,
            ),
            model.Boundary(middleware=("ErrorMiddleware",)),
        ),
        exceptions=model.Exceptions(
            root=("AppError",),
            default="AdapterError",
            map={"KeyError": "propagate"},
            messages={"no *": "AdapterError"},
            cause="cause",
            exempt=("setup",),
        ),
        codes=model.Codes(
            registry=("pkg:Code",),
            vocabulary={"gone": model.Code(410, False), "busy": model.Code(None, True)},
            reserved=("old",),
            arguments=("code",),
            prefix="[{code}] ",
            prefixed=("AppError",),
            suffix="[envelope] ",
            suffix_kind="kind",
            suffix_fields=("kind", "more"),
            validation="invalid",
            backend=("client.*",),
            status={"AppError": 500},
            status_arguments=("http",),
            defaults={"5xx": "busy"},
            retry_arguments=("again",),
            writes=("*.post",),
            refusals={"HOSTED": ("invalid",)},
            waits=("*_wait",),
        ),
        hints=model.Hints(("advice",), ("AppError",), {"create": "get"}),
        required=(
            model.Requirement(("AppError",), ("a",), "context", {"kind": ("x", "y")}, True, ("a",), {"b": ("c",)}),
        ),
        payload=model.Payload(
            "error", ("type", "severity"), "type", "severity", "recovery", "context", {"Timeout": ("url",)}
        ),
        taxonomy=model.Taxonomy({"Timeout": "warning"}, {"warning": ("retry",)}, ("abort",)),
        logs=model.Logs(("code",), {"warning": ("warning",)}, ("critical",), ("dump",), {"5xx": "error"}),
        response=model.Response(("Failure",), {"ok": "Success"}, ("Queued",), ("failed",), ("status",)),
        work=model.Work(("*.put",), ("*available*",), ("*.extract",), ("A", "B")),
    )


# What builds on what

BASE = """
description = "the one of everybody"
extend-select = ["ERR104"]
[severity]
ERR103 = "info"
ERR101 = "warning"
[[required]]
classes = ["A"]
fields = ["a"]
[codes]
reserved = ["one", "two"]
prefix = "[{code}] "
vocabulary = { busy = { status = 503, retryable = true }, gone = { status = 410 } }
"""


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        pytest.param("", {"reserved": ("one", "two"), "prefix": "[{code}] "}, id="what is not said stays"),
        pytest.param("[codes]\nreserved = ['three']", {"reserved": ("three",)}, id="a list is replaced"),
        pytest.param(
            "[codes]\nextend-reserved = ['three', 'one']",
            {"reserved": ("one", "two", "three")},
            id="a list is added to, each entry once",
        ),
        pytest.param(
            "[codes]\nreserved = ['x']\nextend-reserved = ['y']", {"reserved": ("x", "y")}, id="replaced and added to"
        ),
        pytest.param("[codes]\nprefix = ''", {"prefix": ""}, id="a text is taken back"),
        pytest.param(
            "[codes.vocabulary]\nbusy = { status = 429 }\nlate = {}",
            {
                "vocabulary": {
                    "busy": model.Code(429, True),
                    "gone": model.Code(410, None),
                    "late": model.Code(None, None),
                }
            },
            id="a table changes entry by entry",
        ),
    ],
)
def test_the_project_comes_after_its_convention(tmp_path: Path, config: str, expected: dict[str, object]) -> None:
    codes = policy(tmp_path, f"convention = 'base.toml'\n{config}", {"base.toml": BASE}).codes
    assert {name: getattr(codes, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("config", "count"),
    [
        pytest.param("[[required]]\nclasses = ['B']\nfields = ['b']", 1, id="an array of tables is replaced"),
        pytest.param("[[extend-required]]\nclasses = ['B']\nfields = ['b']", 2, id="an array of tables is added to"),
    ],
)
def test_arrays_of_tables(tmp_path: Path, config: str, count: int) -> None:
    found = policy(tmp_path, f"convention = './base.toml'\n{config}", {"base.toml": BASE})
    assert len(found.required) == count
    assert found.required[-1].classes == ("B",)


ANSWERED = """
[[boundary]]
decorator = "answered"
envelope = { error = "{message}" }
operation = "operation"
logs = true
[[boundary]]
decorator = "told"
maps = ["KeyError"]
"""


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        pytest.param(
            "decorator = 'shop.handled'\nmaps = ['OSError']",
            model.Boundary(
                "shop.handled", envelope={"error": "{message}"}, operation="operation", maps=("OSError",), logs=True
            ),
            id="another decorator stands for the first boundary",
        ),
        pytest.param(
            "decorator = 'shop.told'\noperation = 'name'",
            model.Boundary("shop.told", operation="name", maps=("KeyError",)),
            id="the same decorator stands for itself",
        ),
        pytest.param(
            "operation-template = '{tool}'\nlogs = false",
            model.Boundary(
                "answered", envelope={"error": "{message}"}, operation="operation", operation_template="{tool}"
            ),
            id="without a decorator it is that of the convention",
        ),
        pytest.param(
            "middleware = ['Errors']\nenvelope = 'is-error'",
            model.Boundary(middleware=("Errors",), operation="operation", logs=True),
            id="a middleware takes the place of the decorator",
        ),
    ],
)
def test_a_boundary_takes_from_the_convention_what_it_does_not_give(
    tmp_path: Path, config: str, expected: model.Boundary
) -> None:
    files = {"base.toml": ANSWERED}
    assert policy(tmp_path, f"convention = './base.toml'\n[[boundary]]\n{config}", files).boundaries == (expected,)


def test_a_boundary_that_is_added_stands_for_itself(tmp_path: Path) -> None:
    found = policy(
        tmp_path, "convention = './base.toml'\n[[extend-boundary]]\ndecorator = 'more'", {"base.toml": ANSWERED}
    )
    assert found.boundaries[2:] == (model.Boundary("more"),)


def test_keys_of_a_boundary_have_their_origins(tmp_path: Path) -> None:
    own = "convention = 'base.toml'\n[[boundary]]\ndecorator = 'handled'\n"
    found = loaded(tmp_path, {"errlint.toml": own, "base.toml": ANSWERED})
    assert found.origins["boundary[0].decorator"] == f"{tmp_path / 'errlint.toml'}:3"
    assert found.origins["boundary[0].operation"] == f"{tmp_path / 'base.toml'}:5"
    assert found.origins["boundary[0].maps"] == "default"


def test_a_template_with_an_unknown_hole_is_told_of(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"errlint\.toml:3:\d+: .*brace that is no \{module\}"):
        loaded(tmp_path, {"errlint.toml": "[[boundary]]\ndecorator = 'a'\noperation-template = '{file}:{function}'\n"})


def test_a_convention_builds_on_another_relative_to_itself(tmp_path: Path) -> None:
    found = loaded(
        tmp_path,
        {
            "errlint.toml": "convention = 'conventions/ours.toml'\nseverity = { ERR101 = 'error' }",
            "conventions/ours.toml": "convention = 'base.toml'\ncodes = { extend-reserved = ['three'] }\nstyle = 'log'",
            "conventions/base.toml": BASE,
        },
    ).settings
    assert found.policy.name == "ours"
    assert found.policy.style is Style.LOG
    assert found.policy.codes.reserved == ("one", "two", "three")
    assert found.severity == {"ERR101": Severity.ERROR, "ERR103": Severity.INFO}


@pytest.mark.parametrize(
    ("config", "runs"),
    [
        pytest.param("", True, id="a convention turns a rule on"),
        pytest.param('ignore = ["ERR104"]', False, id="the project turns it off"),
        pytest.param('select = ["ERR1"]', False, id="a selection starts over"),
    ],
)
def test_rules_of_a_convention(tmp_path: Path, config: str, runs: bool) -> None:
    files = {"errlint.toml": f"convention = 'base.toml'\n{config}", "base.toml": BASE}
    assert ("ERR104" in loaded(tmp_path, files).settings.rules) == runs


def test_the_command_line_comes_after_the_convention(tmp_path: Path) -> None:
    files = {"errlint.toml": "convention = 'base.toml'", "base.toml": BASE}
    assert "ERR104" not in loaded(tmp_path, files, ignore=("ERR104",)).settings.rules


def test_values_of_a_convention_have_their_origins(tmp_path: Path) -> None:
    found = loaded(
        tmp_path,
        {
            "errlint.toml": "convention = 'base.toml'\n[codes]\nextend-reserved = ['x']\nvocabulary.busy.status = 429",
            "base.toml": BASE,
        },
    )
    base, own = tmp_path / "base.toml", tmp_path / "errlint.toml"
    origins = found.origins
    assert origins["codes.reserved"] == f"{base}:11 and {own}:3"
    assert origins["codes.prefix"] == f"{base}:12"
    assert origins["codes.vocabulary.gone"] == f"{base}:13"
    assert set(origins["codes.vocabulary.busy"].split(" and ")) == {f"{base}:13", f"{own}:4"}
    assert origins["required[0].fields"] == f"{base}:9"
    assert origins["required[0].inside"] == "default"
    assert origins["extend-select"] == f"{base}:3"
    assert origins["severity.ERR103"] == f"{base}:5"
    assert origins["hints.keywords"] == "default"
    lines = render(found).splitlines()
    assert f"# convention: {base}: the one of everybody" in lines
    assert f'codes.reserved = ["one", "two", "x"]  # {base}:11 and {own}:3' in lines
    assert 'codes.vocabulary.gone = {"status" = 410}  # ' + f"{base}:13" in lines


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            {"errlint.toml": "style = 'raise'\nconvention = 'problem-detials'"},
            'errlint.toml:2:1: `convention` names no preset: there is no "problem-detials" '
            "(did you mean `problem-details`?)",
            id="a preset that does not exist",
        ),
        pytest.param(
            {"errlint.toml": "convention = 'zzz'"},
            'errlint.toml:1:1: `convention` names no preset: there is no "zzz" (there are coded-tool-errors,',
            id="a preset like no other",
        ),
        pytest.param(
            {"errlint.toml": "convention = 'base.toml'"},
            "errlint.toml:1:1: `convention` names no file: there is no {root}/base.toml",
            id="a file that does not exist",
        ),
        pytest.param(
            {"errlint.toml": "\nconvention = './a.toml'", "a.toml": "convention = './b.toml'", "b.toml": "x = 1"},
            "b.toml:1:1: unknown key `x`",
            id="an unknown key in a convention",
        ),
        pytest.param(
            {"errlint.toml": "convention = 'a.toml'", "a.toml": "\nexcude = []\nignore = []"},
            "a.toml:2:1: unknown key `excude`",
            id="a key that a convention does not have",
        ),
        pytest.param(
            {"errlint.toml": "convention = 'a.toml'", "a.toml": "\n[codes]\nprefx = '[{code}]'"},
            "a.toml:3:1: unknown key `codes.prefx` (did you mean `prefix`?)",
            id="a misspelt key in a convention",
        ),
        pytest.param(
            {"errlint.toml": "convention = 'a.toml'", "a.toml": "style = \n"},
            "a.toml:1:9: syntax error: invalid value",
            id="a convention that is no TOML",
        ),
        pytest.param(
            {
                "errlint.toml": "convention = 'a.toml'",
                "a.toml": "convention = 'b.toml'",
                "b.toml": "style = 'log'\nconvention = 'a.toml'",
            },
            "b.toml:2:1: `convention` goes round in a circle: a.toml -> b.toml -> a.toml",
            id="conventions in a circle",
        ),
        pytest.param(
            {"errlint.toml": "convention = './errlint.toml'"},
            "errlint.toml:1:1: `convention` goes round in a circle: errlint.toml -> errlint.toml",
            id="a convention that names itself",
        ),
        pytest.param(
            {"errlint.toml": "convention = 'a.toml'", "a.toml": 'extend-select = ["ERR1O4"]'},
            "a.toml:1:18: unknown rule `ERR1O4` (did you mean `ERR1",
            id="an unknown rule in a convention",
        ),
    ],
)
def test_a_convention_that_cannot_be_understood(tmp_path: Path, files: dict[str, str], expected: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        loaded(tmp_path, files)
    told = str(caught.value)
    assert told.removeprefix(f"{tmp_path}/").startswith(expected.replace("{root}", str(tmp_path)))
    assert "\n" not in told


def test_a_convention_in_another_encoding_is_told_at_the_key(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"\xff")
    with pytest.raises(ConfigurationError, match=r"errlint\.toml:1:1: .* the file is not UTF-8 text"):
        loaded(tmp_path, {"errlint.toml": "convention = 'a.toml'"})


# Overrides and configurations in subfolders


def applied(root: Path, files: dict[str, str], **asked: Any) -> Settings:
    """The settings with what the configurations in subfolders say."""
    request = Request(loaded(root, files, **asked).settings, use_cache=False)
    return nested(request, select(request))[0].settings


def policy_of(settings: Settings, path: str) -> Policy:
    from errlint.project import Project
    from errlint.project.names import Layout

    return Project(Layout((), ()), {}, settings).policy(path)


def rules_of(settings: Settings, path: str) -> frozenset[str]:
    from errlint.project import Project
    from errlint.project.names import Layout

    return Project(Layout((), ()), {}, settings).rules(path)


def test_overrides_change_keys_and_not_whole_tables(tmp_path: Path) -> None:
    settings = loaded(
        tmp_path,
        {
            "errlint.toml": """
                [codes]
                reserved = ["a"]
                validation = "invalid"
                [[overrides]]
                paths = ["jobs"]
                style = "log"
                codes = { extend-reserved = ["b"], prefix = "<{code}>" }
                [[overrides]]
                paths = ["jobs/old"]
                codes = { extend-reserved = ["c"], validation = "wrong" }
                [[overrides.required]]
                classes = ["X"]
                fields = ["y"]
            """
        },
    ).settings
    codes = policy_of(settings, "jobs/old/x.py").codes
    assert (codes.reserved, codes.prefix, codes.validation) == (("a", "b", "c"), "<{code}>", "wrong")
    assert policy_of(settings, "jobs/old/x.py").style is Style.LOG
    assert policy_of(settings, "jobs/x.py").codes.validation == "invalid"
    assert [each.fields for each in policy_of(settings, "jobs/old/x.py").required] == [("y",)]
    assert policy_of(settings, "x.py") == settings.policy


def test_a_configuration_in_a_subfolder_holds_there(tmp_path: Path) -> None:
    settings = applied(
        tmp_path,
        {
            "errlint.toml": 'ignore = ["ERR106"]\n[codes]\nreserved = ["a"]\nvalidation = "invalid"',
            "sub/pyproject.toml": """
                [tool.errlint]
                style = "return"
                extend-select = ["ERR104"]
                [tool.errlint.codes]
                extend-reserved = ["b"]
                [tool.errlint.per-file-ignores]
                "old.py" = ["ERR101"]
                "/gen" = ["ERR102"]
                [tool.errlint.severity]
                ERR103 = "info"
                [[tool.errlint.overrides]]
                paths = ["jobs/*.py"]
                style = "log"
            """,
            "sub/deep/errlint.toml": 'select = ["ERR1"]\n[codes]\nvalidation = "wrong"',
            "other/pyproject.toml": "[tool.ruff]",
        },
    )
    assert policy_of(settings, "x.py").codes.reserved == ("a",)
    inner, deep = policy_of(settings, "sub/x.py"), policy_of(settings, "sub/deep/x.py")
    assert (inner.style, inner.codes.reserved, inner.codes.validation) == (Style.RETURN, ("a", "b"), "invalid")
    assert (deep.style, deep.codes.reserved, deep.codes.validation) == (Style.RETURN, ("a", "b"), "wrong")
    assert policy_of(settings, "sub/jobs/x.py").style is Style.LOG
    assert policy_of(settings, "jobs/x.py").style is Style.RAISE
    assert dict(settings.per_file_ignores) == {"/sub/**/old.py": {"ERR101"}, "/sub/gen": {"ERR102"}}
    assert "ERR104" in rules_of(settings, "sub/x.py")
    assert not {"ERR104", "ERR106"} & rules_of(settings, "x.py")
    assert "ERR106" not in rules_of(settings, "sub/x.py")
    assert {code for code in rules_of(settings, "sub/deep/x.py") if code < "ERR2"} == {
        code for code, rule in RULES.items() if rule.default and code < "ERR2"
    }
    assert settings.rules >= rules_of(settings, "sub/x.py")


def test_a_convention_of_its_own_starts_over(tmp_path: Path) -> None:
    settings = applied(
        tmp_path,
        {
            "errlint.toml": 'convention = "mcp-exceptions"\n[codes]\nreserved = ["a"]',
            "sub/errlint.toml": 'convention = "typed-responses"',
            "sub/deep/errlint.toml": 'style = "log"',
        },
    )
    assert policy_of(settings, "x.py").name == "mcp-exceptions"
    found = policy_of(settings, "sub/x.py")
    assert (found.name, found.style, found.codes.reserved, found.exceptions.root) == (
        "typed-responses",
        Style.RETURN,
        (),
        (),
    )
    assert policy_of(settings, "sub/deep/x.py").response == found.response
    assert policy_of(settings, "sub/deep/x.py").style is Style.LOG


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param({"ignore": ("ERR104",)}, False, id="a rule that is ignored"),
        pytest.param({"select": ("ERR101",)}, False, id="another selection"),
        pytest.param({"extend_select": ("ERR112",)}, True, id="one more rule"),
    ],
)
def test_the_command_line_comes_after_subfolders(tmp_path: Path, asked: dict[str, Any], expected: bool) -> None:
    files = {"errlint.toml": "", "sub/errlint.toml": 'extend-select = ["ERR104"]'}
    assert ("ERR104" in rules_of(applied(tmp_path, files, **asked), "sub/x.py")) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("x.py", "/a[[]b/**/x.py"),
        ("/x.py", "/a[[]b/x.py"),
        ("src/x", "/a[[]b/src/x"),
        ("build/", "/a[[]b/**/build/"),
        ("!x.py", "!/a[[]b/**/x.py"),
    ],
)
def test_a_glob_of_a_subfolder(pattern: str, expected: str) -> None:
    assert rebased(pattern, "a[b") == expected


SERVER = """from fastmcp import FastMCP

mcp = FastMCP("x")


@mcp.tool()
def read(name: str) -> dict:
    if not name:
        return {"error": "no name"}
    return {"name": name}
"""


def reported(outcome: RunOutcome) -> list[str]:
    return [f"{found.path}:{found.span.line} {found.code} {found.severity.value}" for found in outcome.findings]


def test_rules_and_severities_of_a_subfolder_are_applied(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "errlint.toml": "",
            "a/pyproject.toml": '[tool.errlint]\nseverity = { ERR101 = "info" }',
            "b/pyproject.toml": '[tool.errlint]\nignore = ["ERR101"]',
            "c/pyproject.toml": '[tool.errlint.per-file-ignores]\n"s*.py" = ["ERR1"]',
            **{f"{folder}/server.py": SERVER for folder in "abcd"},
        },
    )
    outcome = check(Request(load(tmp_path).settings, use_cache=False))
    assert reported(outcome) == ["a/server.py:9 ERR101 info", "d/server.py:9 ERR101 error"]


def test_a_rule_that_only_a_subfolder_selects_finds_something_there_alone(tmp_path: Path) -> None:
    text = SERVER.replace('{"error": "no name"}', '(None, "no name")')
    write(
        tmp_path,
        {
            "errlint.toml": "",
            "a/errlint.toml": 'extend-select = ["ERR104"]',
            "a/server.py": text,
            "b/server.py": text,
        },
    )
    assert reported(check(Request(load(tmp_path).settings, use_cache=False))) == ["a/server.py:9 ERR104 warning"]


def test_a_changed_configuration_in_a_subfolder_is_not_answered_from_the_cache(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "errlint.toml": "",
            "a/pyproject.toml": '[tool.errlint]\nconvention = "../ours.toml"',
            "a/server.py": SERVER,
            "ours.toml": "",
        },
    )

    def run() -> list[str]:
        return reported(check(Request(load(tmp_path).settings)))

    assert run() == run() == ["a/server.py:9 ERR101 error"]
    write(tmp_path, {"ours.toml": 'severity = { ERR101 = "info" }'})
    assert run() == run() == ["a/server.py:9 ERR101 info"]
    write(tmp_path, {"a/pyproject.toml": '[tool.errlint]\nignore = ["ERR101"]'})
    assert run() == run() == []
    (tmp_path / "a/pyproject.toml").unlink()
    assert run() == ["a/server.py:9 ERR101 error"]
    write(tmp_path, {"a/errlint.toml": 'ignore = ["ERR101"]'})
    assert run() == []


def test_a_mistake_in_a_subfolder_is_told_on_every_run(tmp_path: Path) -> None:
    write(tmp_path, {"errlint.toml": "", "a/errlint.toml": "\nstlye = 'log'", "a/server.py": SERVER})
    for _ in range(2):
        with pytest.raises(ConfigurationError) as caught:
            check(Request(load(tmp_path).settings))
        assert str(caught.value) == f"{tmp_path}/a/errlint.toml:2:1: unknown key `stlye` (did you mean `style`?)"


@pytest.mark.parametrize(
    "arguments", [pytest.param({"config": "errlint.toml"}, id="--config"), pytest.param({"isolated": True}, id="alone")]
)
def test_subfolders_do_not_count_where_the_configuration_is_named(tmp_path: Path, arguments: dict[str, Any]) -> None:
    write(tmp_path, {"errlint.toml": "", "a/errlint.toml": "ignore = ['ERR101']", "a/server.py": SERVER, ".git/x": ""})
    outcome = check(Request(load(tmp_path, **arguments).settings, use_cache=False))
    assert reported(outcome) == ["a/server.py:9 ERR101 error"]


def test_shown_settings_say_what_a_subfolder_changes(tmp_path: Path) -> None:
    found = loaded(
        tmp_path,
        {"errlint.toml": "", "a/errlint.toml": "style = 'log'\nexclude = ['x']\n[adapters]\npaths = ['y']"},
    )
    assert render(found).splitlines()[-4:] == [
        f"# for a/**: {tmp_path}/a/errlint.toml",
        '#   exclude = ["x"]  # not applied: it is a setting of the root',
        '#   adapters.paths = ["y"]  # not applied: it is a setting of the root',
        '#   style = "log"',
    ]


# The presets


@each_preset
def test_a_preset_can_be_used(preset: str, tmp_path: Path) -> None:
    found = loaded(tmp_path, {"errlint.toml": f'convention = "{preset}"'})
    assert found.settings.policy.name == preset
    assert found.convention.description
    assert {named.preset for named in found.settings.named} <= {preset}


@each_preset
def test_a_preset_names_nothing_of_one_project(preset: str) -> None:
    content = (presets_directory() / f"{preset}.toml").read_text(encoding="utf-8")
    document = parse(content)
    names: list[str] = [*document.get("exceptions", {}).get("root", []), *document.get("response", {}).get("types", [])]
    names += [each.get("decorator", "") for each in document.get("boundary", [])]
    assert all("." not in name for name in names)


@each_preset
def test_the_page_of_a_preset_is_short_and_shows_right_and_wrong_code(preset: str) -> None:
    page = (presets_directory() / f"{preset}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {preset}\n")
    assert len(page.splitlines()) < 160
    assert page.count("```python") >= 2
    assert f'convention = "{preset}"' in page
    assert set(re.findall(r"\bERR\d{3}\b", page)) <= set(RULES)


@each_preset
def test_a_preset_turns_on_what_its_page_says(preset: str) -> None:
    turned_on = parse((presets_directory() / f"{preset}.toml").read_text(encoding="utf-8"))["extend-select"]
    assert set(turned_on) <= set(RULES)
    page = (presets_directory() / f"{preset}.md").read_text(encoding="utf-8")
    last = page.rpartition("Beyond the default rules the preset turns on ")[2]
    assert sorted(re.findall(r"\bERR\d{3}\b", last)) == turned_on == sorted(turned_on)


@each_preset
def test_the_toml_on_the_page_of_a_preset_is_understood(preset: str, tmp_path: Path) -> None:
    page = (presets_directory() / f"{preset}.md").read_text(encoding="utf-8")
    for number, block in enumerate(re.findall(r"```toml\n(.*?)```", page, re.DOTALL)):
        folder = tmp_path / str(number)
        assert loaded(folder, {"errlint.toml": block}).settings.policy.name == preset


def test_every_statement_of_the_documents_is_mapped() -> None:
    text = (presets_directory() / "README.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if re.match(r"\| [0-4]\.\d", line)]
    assert len(rows) > 120
    for row in rows:
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert len(cells) == 3, row
        assert all(cells), row
        assert set(re.findall(r"\bERR\d{3}\b", row)) <= set(RULES) | {f"ERR50{digit}" for digit in range(1, 10)}
        for section, key in re.findall(r"`([a-z]+)\.([a-z-]+)`", cells[2]):
            assert key in (declared.SECTIONS.get(section) or declared.ARRAYS[section]), row


# The schema


def valid(document: object) -> bool:
    validator: Any = import_module("jsonschema").Draft7Validator(schema())
    return bool(validator.is_valid(document))


def test_the_schema_is_current() -> None:
    """``python -m errlint.settings.schema`` brings it up to date."""
    assert (presets_directory() / NAME).read_text(encoding="utf-8") == text()


@each_preset
def test_the_schema_accepts_a_preset(preset: str) -> None:
    assert valid(parse((presets_directory() / f"{preset}.toml").read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "document",
    [
        pytest.param("stlye = 'log'", id="a misspelt key"),
        pytest.param("[codes]\nreservd = []", id="a misspelt key in a table"),
        pytest.param("[codes]\nextend-prefix = []", id="a text that is added to"),
        pytest.param("style = 'rais'", id="an unknown style"),
        pytest.param("[[boundary]]\nlogs = true", id="a boundary of nothing"),
        pytest.param("[[required]]\nclasses = ['A']", id="a requirement of nothing"),
        pytest.param("[codes.vocabulary]\na = { retry = true }", id="an unknown key of a code"),
        pytest.param("[codes.status]\na = '404'", id="a status that is a text"),
        pytest.param("exclude = []", id="a key of a configuration"),
    ],
)
def test_the_schema_and_the_reader_reject_the_same(document: str, tmp_path: Path) -> None:
    assert not valid(json.loads(json.dumps(parse(document))))
    with pytest.raises(ConfigurationError):
        loaded(tmp_path, {"errlint.toml": "convention = 'a.toml'", "a.toml": document})


RIGHT = [
    "include = ['a']\nextend-exclude = []\ntests = []",
    "select = ['ALL', 'ERR', 'ERR1', 'ERR10', 'ERR101', 'hand-built-error-return']",
    "ignore = ['ERR9']\nextend-ignore = ['ERR102']",
    "accept-shape-change = true\ncache-dir = '.x'\nbaseline = 'b.txt'",
    "convention = 'problem-details'\n[[boundary]]\nlogs = true",
    "[severity]\nALL = 'info'\nhand-built-error-return = 'error'",
    "[per-file-ignores]\ntools = ['ERR1']",
    "[adapters]\ndecorators = ['*.tool']\nmethods = { Base = ['run'] }",
    "[[overrides]]\npaths = ['a']\nstyle = 'log'\n[overrides.severity]\nERR101 = 'info'",
]
MUTATIONS = ("true", "3", "'x y'", "{ a = 1 }", "[1]", "1.5", "[['a']]")


@pytest.mark.parametrize("document", RIGHT)
def test_the_schema_of_a_configuration_and_the_reader_agree(document: str, tmp_path: Path) -> None:
    """On right files, and on each with another value for a key, or with a misspelt key."""
    lines = document.split("\n")
    texts = [document]
    for index, line in enumerate(lines):
        key, equals, _ = line.partition(" = ")
        changed = [f"{key} = {value}" for value in MUTATIONS] + [f"{key}x{line[len(key) :]}"] if equals else []
        texts += ["\n".join((*lines[:index], other, *lines[index + 1 :])) for other in changed]
    schema: Any = import_module("jsonschema").Draft7Validator(configuration_schema())
    differing = []
    for each in texts:
        try:
            loaded(tmp_path, {"errlint.toml": each})
            is_read = True
        except ConfigurationError:
            is_read = False
        if schema.is_valid(json.loads(json.dumps(parse(each)))) != is_read:
            differing.append((each, is_read))
    assert differing == []


def test_the_schema_of_a_configuration_is_one_and_has_every_key() -> None:
    schema: Any = configuration_schema()
    import_module("jsonschema").Draft7Validator.check_schema(schema)
    table = Table(ConfigurationFile(Path(), ""))
    read_configuration(table)
    known = {*schema["properties"], *(f"adapters.{key}" for key in schema["properties"]["adapters"]["properties"])}
    assert {name for name in table.answers.values if "[" not in name} <= known | {"severity", "adapters"}
    page = (presets_directory().parents[1] / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert {f"### `{key}`" for key in declared.ROOT} <= set(page.splitlines())


# Names that the code does not have

CODE = {
    "pkg/__init__.py": "from pkg.errors import AppError\n",
    "pkg/errors.py": (
        "class AppError(Exception): pass\nclass NotFoundError(AppError): pass\nclass ErrorCode: A = 'a'\n"
        "def handled(f): return f\ndef to_envelope(e): return {}\nclass ErrorResponse: pass\n"
    ),
    "pkg/tools.py": "class BasePlugin: pass\n",
}


@pytest.mark.parametrize(
    ("config", "place", "expected"),
    [
        pytest.param("[[boundary]]\ndecorator = 'pkg.errors.handeld'", (2, 1), "`handled`", id="a decorator"),
        pytest.param(
            "[[boundary]]\ndecorator = 'handled'\nconverters = [\n 'to_envelope',\n 'pkg.errors.to_envelop']",
            (5, 2),
            "`to_envelope`",
            id="a converter, at the item",
        ),
        pytest.param("[[boundary]]\nmiddleware = ['pkg.tools.ErorMiddleware']", (2, 15), "", id="a middleware"),
        pytest.param("[exceptions]\nroot = ['AppEror']", (2, 9), "`AppError`", id="a root without a module"),
        pytest.param("\n[exceptions]\ndefault = 'pkg.AppErrors'", (3, 1), "`AppError`", id="the default exception"),
        pytest.param(
            "[exceptions.map]\nKeyError = 'pkg.errors.NotFound'", (2, 1), "`NotFoundError`", id="a mapped exception"
        ),
        pytest.param(
            "[exceptions]\nmessages = { 'a*' = 'pkg.errors.Gone' }", (2, 14), "", id="the exception of a message"
        ),
        pytest.param("[codes]\nregistry = ['pkg.errors:ErrorCodes']", (2, 13), "`ErrorCode`", id="a registry"),
        pytest.param("[response]\ntypes = ['pkg.eror.ErrorResponse']", (2, 10), "`errors`", id="a module"),
        pytest.param(
            "[[overrides]]\npaths = ['a']\nresponse = { by-status = { ok = 'pkg.errors.Ok' } }",
            (3, 28),
            "",
            id="a type in an override",
        ),
        pytest.param("[adapters.methods]\nBasePlugn = ['run']", (2, 1), "`BasePlugin`", id="a base class"),
    ],
)
def test_a_name_that_the_code_does_not_have(
    tmp_path: Path,
    config: str,
    place: tuple[int, int],
    expected: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(tmp_path, {**CODE, "errlint.toml": config})
    settings = load(tmp_path, overrides=CommandLine(select=("ERR905",))).settings
    (found,) = check(Request(settings, use_cache=False)).findings
    assert (found.path, found.code, (found.span.line, found.span.column)) == ("errlint.toml", "ERR905", place)
    assert found.message.endswith(f"did you mean {expected}?") == bool(expected)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["--output-format", "concise"])
    assert ended.value.code == 1
    assert f"errlint.toml:{place[0]}:{place[1]}: ERR905" in capsys.readouterr().out


def test_names_that_are_there_are_left_alone(tmp_path: Path) -> None:
    config = """
        convention = "problem-details"
        [[boundary]]
        decorator = "pkg.errors.handled"
        converters = ["*.to_envelope", "pkg.errors:to_envelope"]
        [exceptions]
        root = ["pkg.AppError", "AppError", "*.NotFoundError", "httpx.HTTPError", "Exception"]
        map = { KeyError = "propagate", OSError = "pkg.errors.AppError" }
        [adapters.methods]
        BasePlugin = ["run"]
        [codes]
        registry = []
        [logs]
        fields = []
    """
    write(tmp_path, {**CODE, "errlint.toml": config})
    settings = load(tmp_path, overrides=CommandLine(select=("ERR905",))).settings
    assert reported(check(Request(settings, use_cache=False))) == []


def test_the_line_is_right_after_the_configuration_moved(tmp_path: Path) -> None:
    config = "[exceptions]\ndefault = 'pkg.Gone'"
    for above in range(3):
        write(tmp_path, {**CODE, "errlint.toml": "# moved\n" * above + config})
        (found,) = check(Request(load(tmp_path).settings)).findings
        assert found.span.line == above + 2


def test_a_name_in_a_subfolder_is_reported_there(tmp_path: Path) -> None:
    write(tmp_path, {**CODE, "errlint.toml": "", "pkg/errlint.toml": "[exceptions]\ndefault = 'pkg.errors.Gone'"})
    assert reported(check(Request(load(tmp_path).settings))) == ["pkg/errlint.toml:2 ERR905 error"]


def test_a_name_in_a_file_of_a_convention_is_reported_there(tmp_path: Path) -> None:
    convention = "[exceptions]\nroot = ['pkg.errors.Lost']\ndefault = 'pkg.errors.Gone'"
    write(tmp_path, {**CODE, "errlint.toml": "convention = 'team/ours.toml'", "team/ours.toml": convention})
    assert reported(check(Request(load(tmp_path).settings))) == [
        "team/ours.toml:2 ERR905 error",
        "team/ours.toml:3 ERR905 error",
    ]
    own = "convention = 'team/ours.toml'\n[exceptions]\nroot = ['AppError']"
    write(tmp_path, {"errlint.toml": own})
    assert reported(check(Request(load(tmp_path).settings))) == ["team/ours.toml:3 ERR905 error"]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("mcp.server.fastmcp.exceptions.ToolError", id="below a package of the same name"),
        pytest.param("shared.elsewhere.AppError", id="in a namespace that others fill too"),
        pytest.param("lazy.AppError", id="a module that makes up its names"),
        pytest.param("broken.AppError", id="a module that cannot be parsed"),
        pytest.param("stars.AppError", id="behind a star import from outside"),
    ],
)
def test_a_name_that_may_be_somewhere_is_left_alone(tmp_path: Path, name: str) -> None:
    files = {
        "mcp/__init__.py": "",
        "shared/own.py": "",
        "lazy.py": "def __getattr__(name):\n    return load(name)\n",
        "broken.py": "def (:\n",
        "stars.py": "from outside import *\n",
    }
    write(tmp_path, {**files, "errlint.toml": f"[exceptions]\ndefault = '{name}'"})
    codes = {found.code for found in check(Request(load(tmp_path).settings, use_cache=False)).findings}
    assert codes == {"ERR904"}


def test_names_are_not_reported_with_files_that_were_named(tmp_path: Path) -> None:
    write(tmp_path, {**CODE, "errlint.toml": "[exceptions]\ndefault = 'pkg.errors.Gone'"})
    path = tmp_path / "pkg/errors.py"
    settings = load(tmp_path, overrides=CommandLine(paths=(path,))).settings
    assert check(Request(settings, paths=(path,), use_cache=False)).findings == ()


ANSWERS = """\
def handle_adapter_errors(operation, empty_result):
    def decorate(function):
        def wrapper(*args):
            try:
                return function(*args)
            except Exception as error:
                return {**empty_result, "error": str(error)}

        return wrapper

    return decorate


@mcp.tool()
def orders():
    return {"error": "none"}
"""


def test_the_boundary_of_a_preset_is_left_alone_wherever_it_is_defined(tmp_path: Path) -> None:
    write(tmp_path, {"errlint.toml": 'convention = "problem-details"\n', "app/server.py": ANSWERS})
    found = check(Request(load(tmp_path).settings, use_cache=False)).findings
    assert [each.span.line for each in found if each.code == "ERR101"] == [ANSWERS.count("\n")]
