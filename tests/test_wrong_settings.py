"""Settings that a maintainer may write by mistake, and the line that each is told by: place, problem and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from errlint.cli import main
from errlint.settings.keys import ROOT, SECTIONS
from errlint.settings.unknown_keys import OF_OTHER_TOOLS

FILES = {
    "app/__init__.py": "class AppError(Exception):\n    pass\n",
    "server.py": "@mcp.tool\ndef tool() -> None:\n    pass\n",
    "src/app.py": "",
}

WRONG: dict[str, tuple[str, ...]] = {
    "ruff: a select of the tool's own prefix E": (
        'select = ["E", "F"]\n',
        "1:11: unknown rule `E` (`errlint rule --all` lists the rules)",
    ),
    "ruff: lint table": (
        '[lint]\nselect = ["ERR1"]\n',
        "1:2: unknown key `lint` (what stands in it belongs at the top, without `lint`)",
    ),
    "ruff: per-file-ignores with lint prefix": (
        '[tool.errlint.lint.per-file-ignores]\n"a.py" = ["ERR1"]\n',
        "1:15: unknown key `lint` (what stands in it belongs at the top, without `lint`)",
        "pyproject.toml",
    ),
    "ruff: line-length": (
        "line-length = 100\n",
        "1:1: unknown key `line-length` (docs/configuration.md describes all keys)",
    ),
    "ruff: target-version": (
        'target-version = "py311"\n',
        "1:1: unknown key `target-version` (docs/configuration.md describes all keys)",
    ),
    "flake8: max-line style underscore": (
        'extend_select = ["ERR104"]\n',
        "1:1: unknown key `extend_select` (did you mean `extend-select`?)",
    ),
    "flake8: comma separated string": (
        'ignore = "ERR101,ERR102"\n',
        '1:1: `ignore` must be a list of strings, not a string (write `["ERR101", "ERR102"]`)',
    ),
    "flake8: string exclude": (
        'exclude = "build,dist"\n',
        '1:1: `exclude` must be a list of strings, not a string (write `["build", "dist"]`)',
    ),
    "mypy: files": ('files = ["src"]\n', "1:1: unknown key `files` (`include` has the files that are reported on)"),
    "black: extend-exclude regexp": (
        "extend-exclude = '''\n(\n  ^/foo.py\n)\n'''\n",
        '1:1: `extend-exclude` must be a list of strings, not a string (write a list, `["...", "..."]`)',
    ),
    "isort: skip": (
        'skip = ["build"]\n',
        "1:1: unknown key `skip` (`exclude` and `extend-exclude` have the files that are left out)",
    ),
    "pylint: disable": (
        'disable = ["ERR101"]\n',
        "1:1: unknown key `disable` (`ignore` has the rules that do not run)",
    ),
    "pylint: enable": (
        'enable = ["ERR104"]\n',
        "1:1: unknown key `enable` (`extend-select` has the rules that run besides)",
    ),
    "lower-case code": ('select = ["err101"]\n', "1:11: unknown rule `err101` (did you mean `ERR101`?)"),
    "code with a dash": ('ignore = ["ERR-101"]\n', "1:11: unknown rule `ERR-101` (did you mean `ERR101`?)"),
    "code that is not there": ('ignore = ["ERR199"]\n', "1:11: unknown rule `ERR199` (did you mean `ERR109`?)"),
    "wildcard code": ('ignore = ["ERR1*"]\n', "1:11: unknown rule `ERR1*` (did you mean `ERR1`?)"),
    "rule name with spaces": (
        'ignore = ["hand built error return"]\n',
        "1:11: unknown rule `hand built error return` (did you mean `ERR101`?)",
    ),
    "rule name misspelt": (
        'ignore = ["hand-build-error-return"]\n',
        "1:11: unknown rule `hand-build-error-return` (did you mean `hand-built-error-return`?)",
    ),
    "severity off": (
        '[severity]\nERR101 = "off"\n',
        '2:1: `severity.ERR101` must be one of error, warning, info, not "off" (`ignore` has the rules that '
        "do not run)",
    ),
    "severity note": (
        '[severity]\nERR101 = "warn"\n',
        '2:1: `severity.ERR101` must be one of error, warning, info, not "warn" (did you mean `warning`?)',
    ),
    "severity number": (
        "[severity]\nERR101 = 2\n",
        "2:1: `severity.ERR101` must be one of error, warning, info, not an integer (`ignore` has the rules "
        "that do not run)",
    ),
    "severities plural": (
        '[severities]\nERR101 = "warning"\n',
        "1:2: unknown key `severities` (did you mean `severity`?)",
    ),
    "style misspelt": (
        'style = "raises"\n',
        '1:1: `style` must be one of raise, return, log, not "raises" (did you mean `raise`?)',
    ),
    "root at the wrong level": (
        'root = ["app.AppError"]\n',
        "1:1: unknown key `root` (did you mean `exceptions.root`?)",
    ),
    "registry at the wrong level": (
        'registry = ["app:Code"]\n',
        "1:1: unknown key `registry` (did you mean `codes.registry`?)",
    ),
    "decorators at the wrong level": (
        'decorators = ["*.endpoint"]\n',
        "1:1: unknown key `decorators` (did you mean `adapters.decorators`?)",
    ),
    "decorator outside of the boundary": (
        'decorator = "app.handled"\n',
        "1:1: unknown key `decorator` (did you mean `boundary.decorator` or `adapters.decorators`?)",
    ),
    "boundary as a table": (
        '[boundary]\ndecorator = "app.handled"\n',
        "1:2: `boundary` must be an array of tables, not a table (write `[[boundary]]`)",
    ),
    "root as a string": (
        '[exceptions]\nroot = "app.AppError"\n',
        '2:1: `exceptions.root` must be a list of strings, not a string (write `["app.AppError"]`)',
    ),
    "overrides without paths": (
        '[[overrides]]\npath = "src/**"\nstyle = "log"\n',
        "2:1: unknown key `overrides[0].path` (did you mean `paths`?)",
    ),
    "overrides as one table": (
        '[overrides]\npaths = ["a.py"]\n',
        "1:2: `overrides` must be an array of tables, not a table (write `[[overrides]]`)",
    ),
    "a Windows path in include": (
        "include = ['src\\app']\n",
        "1:12: `include` pattern `src\\app` has a backslash before a name; folders are separated by `/`, on "
        "Windows too",
    ),
    "a Windows path in exclude": (
        "exclude = ['C:\\work\\build']\n",
        "1:12: `exclude` pattern `C:\\work\\build` has a backslash before a name; folders are separated by "
        "`/`, on Windows too",
    ),
    "an absolute path": (
        'include = ["/home/me/project/src"]\n',
        "1:12: this glob of `include` matches no file (globs are relative to the root of the project; "
        "`errlint --show-files` lists its files)",
    ),
    "an empty include": ('include = [""]\n', "1:12: `include` pattern `` is empty"),
    "an empty select": (
        "select = []\n",
        "1:1: no rule is left to run, but those about files that cannot be checked (`select` and "
        "`extend-select` have the rules that run, `ignore` takes some of them away)",
    ),
    "a duplicate in a list": (
        'select = ["ERR101", "ERR101"]\n',
        "1:21: `ERR101` stands in this list twice (take one of them out)",
    ),
    "a preset in another case": (
        'convention = "Problem-Details"\n',
        '1:1: `convention` names no preset: there is no "Problem-Details" (did you mean `problem-details`?)',
    ),
    "ruff: unfixable under lint in pyproject": (
        '[tool.errlint]\nunfixable = ["ERR101"]\n',
        "2:1: unknown key `unfixable` (`extend-unsafe-fixes` has the rules whose fixes are not)",
        "pyproject.toml",
    ),
    "camel case key": (
        'extendSelect = ["ERR104"]\n',
        "1:1: unknown key `extendSelect` (did you mean `extend-select`?)",
    ),
    "key in another case": ('Style = "raise"\n', "1:1: unknown key `Style` (did you mean `style`?)"),
    "a boolean as a string": (
        'accept-shape-change = "yes"\n',
        "1:1: `accept-shape-change` must be true or false, not a string",
    ),
    "envelope at the top": (
        'envelope = "is-error"\n',
        "1:1: unknown key `envelope` (did you mean `boundary.envelope`?)",
    ),
    "fields of logs at the wrong level": (
        '[codes]\nmethods = { error = ["error"] }\n',
        "2:1: unknown key `codes.methods` (did you mean `adapters.methods` or `logs.methods`?)",
    ),
    "select as a table": ("[select]\nERR1 = true\n", "1:2: `select` must be a list of strings, not a table"),
    "ignore per file as a string": (
        '[per-file-ignores]\n"a.py" = "ERR101"\n',
        '2:1: `per-file-ignores."a.py"` must be a list of strings, not a string (write `["ERR101"]`)',
    ),
    "per-file-ignores as a flake8 list": (
        'per-file-ignores = ["a.py:ERR101"]\n',
        "1:1: `per-file-ignores` must be a table, not a list",
    ),
    "map to a class that is not there": (
        '[exceptions]\nmap = { ValueError = "app.AppEror" }\n',
        "2:9: ERR905 there is no exception class `app.AppEror`: `AppEror` is not in app/__init__.py and "
        "src/app.py; did you mean `AppError`?",
    ),
    "map with a list": (
        '[exceptions]\nmap = { ValueError = ["app.AppError"] }\n',
        "2:9: `exceptions.map.ValueError` must be a string, not a list",
    ),
    "status as a string": (
        '[codes]\nstatus = { AppError = "404" }\n',
        "2:12: `codes.status.AppError` must be an integer, not a string",
    ),
    "a status that is none": (
        "[codes]\nstatus = { AppError = 9999 }\n",
        "2:12: `codes.status.AppError` is no status: 9999 (those of HTTP are from 100 to 599, those of "
        "JSON-RPC are negative)",
    ),
    "vocabulary as a list": (
        '[codes]\nvocabulary = ["not_found"]\n',
        "2:1: `codes.vocabulary` must be a table, not a list",
    ),
    "an override with select": (
        '[[overrides]]\npaths = ["a.py"]\nignore = ["ERR101"]\n',
        "3:1: unknown key `overrides[0].ignore` (`per-file-ignores` has the rules that are not reported in some files)",
    ),
    "a catalog as a string": (
        '[catalog]\nfiles = "docs/errors.md"\n',
        '2:1: `catalog.files` must be a list of strings, not a string (write `["docs/errors.md"]`)',
    ),
    "a catalog that is not there": (
        '[catalog]\nfiles = ["docs/errors.md"]\n',
        "2:10: ERR905 there is no catalog `docs/errors.md`: no such document",
    ),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_told_with_place_and_remedy(
    wrong: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config, said, name = wrong if len(wrong) == 3 else (*wrong, "errlint.toml")
    for path, text in {**FILES, name: config}.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(["check", "--no-cache", "--output-format=concise"])
    done = capsys.readouterr()
    assert [line for line in (done.out + done.err).splitlines() if line.endswith(f"{name}:{said}")] != []


def test_words_of_other_tools_are_no_keys() -> None:
    assert [word for word in OF_OTHER_TOOLS if word in ROOT or word in SECTIONS] == []
