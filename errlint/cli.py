"""The command line: words to a request, the outcome to reports and an exit status.

``main`` is the one place where errors become messages and statuses: 0 nothing left, 1 findings left, 2 the
command line, the configuration or errlint itself is at fault. What costs time to import is imported where it
is needed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import click

from errlint import __version__
from errlint import report as reports
from errlint.characters import printable
from errlint.errors import ConfigurationError, ErrlintError, UsageError, described, of_the_machine
from errlint.findings import Severity
from errlint.options import (
    Output,
    Stdin,
    codes,
    existing,
    formats,
    location,
    read_stdin,
    split,
    split_outputs,
    split_pairs,
    working_folder,
)
from errlint.output import (
    check_writable,
    fill_standard_streams,
    is_patch_exact,
    write_file,
    write_own,
    write_patch,
    write_stderr,
    write_stdout,
)
from errlint.rules import PROJECT_URL, RULES
from errlint.settings import CommandLine, Loaded, load
from errlint.terminal import terminal_of
from errlint.workspace.root import inside

if TYPE_CHECKING:
    from datetime import datetime
    from types import FrameType

    from errlint.fix.presentation.fix_preview import Offers
    from errlint.fix.regions import RegionUpdate
    from errlint.fix.run import Ask, Fixes
    from errlint.memory import Memory
    from errlint.progress import Report
    from errlint.report.survey import Survey
    from errlint.request import Request, Stopwatch
    from errlint.run import RunOutcome

_BACKTRACE = "ERRLINT_BACKTRACE"
_FOR_PEOPLE = (None, reports.Format.FULL, reports.Format.CONCISE)
"""What a summary is printed with; None: every format went to a file."""

_READING = "Reading the project"
"""What a terminal shows while a configuration is looked for."""

_PLANNING = "Planning fixes"
"""The stage that a terminal shows while fixes are looked for."""

_FAILING = (Severity.ERROR, Severity.WARNING)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with its status."""
    sys.exit(_status(list(sys.argv[1:] if arguments is None else arguments)))


def run_and_leave() -> NoReturn:
    """Be the process of the command: run it and leave at once, without taking a million facts apart first."""
    fill_standard_streams()
    status = _status(sys.argv[1:])
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    finally:
        os._exit(status)


def _status(arguments: list[str]) -> int:
    """Return the exit status; every error has been told on the standard error stream."""
    try:
        status = cli.main(arguments, prog_name="errlint", standalone_mode=False)
    except ErrlintError as error:
        *before, last = error.lines()
        for line in before:
            _fail(line)
        return _fail(last, error.output)
    except click.ClickException as error:
        context = error.ctx if isinstance(error, click.UsageError) else None
        command = context.command_path if context is not None else "errlint check"
        return _fail(f"{error.format_message().rstrip('.')} (see `{command} --help`)")
    except (click.Abort, KeyboardInterrupt):
        return 130
    except Exception as error:  # noqa: BLE001 - the boundary: no exception reaches the user as a traceback
        found = of_the_machine(error)
        return _fail_internally(error) if found is None else _fail(str(found))
    return status if isinstance(status, int) else 0


def _fail(message: str, output: str = "") -> int:
    """Tell what went wrong, in one line, and below it what a command of the user has said about it."""
    write_stderr(f"errlint: error: {printable(message)}\n" + "".join(f"  {line}\n" for line in output.splitlines()))
    return 2


def _fail_internally(error: Exception) -> int:
    hint = "the traceback is above"
    if os.environ.get(_BACKTRACE):
        import traceback

        traceback.print_exception(error)
    else:
        hint = f"{_BACKTRACE}=1 shows the traceback"
    return _fail(f"{described(error)} (this is a bug in errlint, please report it at {PROJECT_URL}/issues; {hint})")


class _CheckByDefault(click.Group):
    """Takes ``errlint src`` for ``errlint check src``; a first word that names a command is the command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {*self.commands, "--version", *ctx.help_option_names}
        # A shell that completes the first word is offered the commands.
        if not (ctx.resilient_parsing and not args) and (not args or args[0] not in own):
            args = ["check", *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=_CheckByDefault,
    help="A linter for error-handling consistency in Python tool servers and adapter layers.",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="`errlint src` is `errlint check src`; see `errlint check --help` for its options.",
)
@click.version_option(__version__, prog_name="errlint", message="%(prog)s %(version)s")
def cli() -> None:
    """Hold the commands, each of which returns its exit status."""


_config = click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Read this configuration (errlint.toml or pyproject.toml) instead of looking for one.",
)
_isolated = click.option("--isolated", is_flag=True, help="Ignore all configuration files.")
_cache_dir = click.option(
    "--cache-dir",
    type=click.Path(path_type=Path),
    envvar="ERRLINT_CACHE_DIR",
    show_envvar=True,
    metavar="FOLDER",
    help="Where the cache is; .errlint_cache in the project by default.",
)


def _codes(name: str, text: str) -> Callable[[Callable[..., object]], Callable[..., object]]:
    return click.option(name, multiple=True, callback=split, shell_complete=codes, metavar="CODES", help=text)


@cli.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@_codes("--select", "Run these rules only: codes, prefixes such as ERR1, or ALL; between commas.")
@_codes("--ignore", "Do not run these rules.")
@_codes("--extend-select", "Run these rules too.")
@_codes("--extend-ignore", "Do not run these rules either.")
@click.option(
    "--per-file-ignores",
    multiple=True,
    callback=split_pairs,
    metavar="PATTERN:CODE",
    help="Ignore a rule in the files that the pattern matches; instead of the configuration's table.",
)
@click.option(
    "--output-format",
    "outputs",
    multiple=True,
    callback=split_outputs,
    shell_complete=formats,
    metavar="FORMAT[=FILE]",
    help="full (default), concise, json, jsonl, github, gitlab, azure, sarif, rdjson, junit, markdown or html; "
    "repeatable, one of them without FILE.",
)
@click.option("--statistics", is_flag=True, help="Count the findings of each rule instead of listing them.")
@click.option("--timings", is_flag=True, help="Print the seconds that each stage took, to stderr.")
@click.option("--show-files", is_flag=True, help="List the files that would be checked, and stop.")
@click.option("--show-settings", is_flag=True, help="List all settings and where they come from, and stop.")
@click.option("-q", "--quiet", is_flag=True, help="Print findings only.")
@click.option("--exit-zero", is_flag=True, help="Exit with status 0 even when there are findings.")
@click.option("--fix", is_flag=True, help="Rewrite what is shown to be safe, then report what is left.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: also what is not shown to be safe.")
@click.option(
    "--diff", is_flag=True, help="Print what --fix would change, and change nothing; as `fix` in JSON, SARIF."
)
@click.option("--interactive", is_flag=True, help="Like --fix, but show and ask about each change first.")
@click.option("--fix-only", is_flag=True, help="Like --fix, without reporting what is left.")
@click.option("--fix-project", is_flag=True, help="Let a fix change files that were not named.")
@click.option(
    "--show-fixes",
    is_flag=True,
    help="List what was fixed, and why the rest was not; without --fix, mark what can be fixed, in JSON with edits.",
)
@click.option("--exit-non-zero-on-fix", is_flag=True, help="Exit with status 1 when something was fixed.")
@click.option("--add-ignore", metavar="REASON", help="Suppress what is found by comments with this reason.")
@click.option("--allow-dirty", is_flag=True, help="Fix files that have uncommitted changes too.")
@click.option("--verify", metavar="CMD", help="Run this command after a fix, and undo the fix when it fails.")
@click.option("--force-exclude", is_flag=True, help="Skip excluded files even when they are named.")
@click.option("--stdin-filename", type=click.Path(path_type=Path), metavar="FILE", help="What `-` is the content of.")
@_config
@_isolated
@click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")
@_cache_dir
@click.option(
    "--baseline",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Report only what is not in this file, which `errlint baseline write` writes.",
)
@click.option("--since", metavar="COMMIT", help="Report only what was not found in the files of this commit.")
@click.option("--no-baseline", is_flag=True, help="Report also what is in the configured baseline.")
@click.option("-j", "--jobs", type=click.IntRange(min=0), metavar="N", help="Number of processes; 0: one per core.")
@click.option("--watch", is_flag=True, help="Check again whenever files change, until Ctrl-C.")
@click.option("--reader", type=click.Choice(["ast", "libcst"]), default="ast", hidden=True)
def check(
    *,
    paths: tuple[Path, ...],
    select: tuple[str, ...] | None,
    ignore: tuple[str, ...] | None,
    extend_select: tuple[str, ...] | None,
    extend_ignore: tuple[str, ...] | None,
    per_file_ignores: tuple[tuple[str, str], ...] | None,
    outputs: tuple[Output, ...],
    statistics: bool,
    timings: bool,
    show_files: bool,
    show_settings: bool,
    quiet: bool,
    exit_zero: bool,
    fix: bool,
    unsafe_fixes: bool,
    diff: bool,
    interactive: bool,
    fix_only: bool,
    fix_project: bool,
    show_fixes: bool,
    exit_non_zero_on_fix: bool,
    add_ignore: str | None,
    allow_dirty: bool,
    verify: str | None,
    force_exclude: bool,
    stdin_filename: Path | None,
    config: Path | None,
    isolated: bool,
    no_cache: bool,
    cache_dir: Path | None,
    baseline: Path | None,
    no_baseline: bool,
    since: str | None,
    jobs: int | None,
    watch: bool,
    reader: str,
) -> int:
    """Report what is inconsistent about the errors of the project.

    PATHS are the files and folders to report on, the whole project by default. What they call is looked up
    in the whole project. `-` reads a file from the standard input.
    """
    cwd = working_folder()
    if baseline is not None and no_baseline:
        raise UsageError("--baseline and --no-baseline do not go together", hint="give one of them")
    ask = _questions(diff=diff) if interactive else None
    stdin = read_stdin(cwd, paths, stdin_filename)
    named = (stdin.path,) if stdin else tuple(existing(cwd, path, cli.commands) for path in paths)
    overrides = CommandLine(
        paths=named,
        select=select,
        ignore=ignore,
        extend_select=extend_select,
        extend_ignore=extend_ignore,
        per_file_ignores=per_file_ignores,
        force_exclude=force_exclude,
        cache_dir=cache_dir,
        baseline=baseline,
        use_baseline=not no_baseline,
        jobs=jobs,
    )

    def asked() -> tuple[Loaded, Request]:
        loaded = load(cwd, config=config, isolated=isolated, overrides=overrides)
        use_ast = reader == "ast"
        return loaded, _request(loaded, named, stdin, use_cache=not no_cache, use_ast=use_ast, since=since or "")

    if watch:
        if (
            fix
            or fix_only
            or diff
            or ask
            or show_fixes
            or stdin
            or add_ignore is not None
            or show_files
            or show_settings
        ):
            raise UsageError("--watch only reports findings", hint="leave the other option out, or --watch")
        told = _Told(outputs, statistics=statistics, quiet=quiet)
        _watch(lambda: asked()[1], _root_of(cwd, config, isolated=isolated), cwd, told)
    loaded, request = asked()
    if show_settings:
        return _show_settings(loaded)
    for output in outputs:
        if output.file:
            check_writable(output.file, loaded.settings.root)
    if show_files:
        return _show_files(request, cwd)
    stopwatch = _stopwatch(tells=timings)
    fixes: Fixes | None = None
    if add_ignore is not None:
        if fix or fix_only or unsafe_fixes or stdin or ask:
            raise UsageError("--add-ignore goes with no fix and no `-`", hint="fix first, then suppress what is left")
        fixes = _find_ignores(request, add_ignore, stopwatch, with_progress=not quiet)
        if diff:
            return _print_diff(fixes, quiet=quiet, ignores=True)
        _write_fixes(request, fixes, allow_dirty=allow_dirty, command=verify)
        _print_fixes(fixes, outputs, show=show_fixes, quiet=quiet, ignores=True)
    elif diff and (structured := tuple(output for output in outputs if output.format in reports.WITH_FIXES)):
        return _print_edits(request, cwd, structured, stopwatch, unsafe=unsafe_fixes, anywhere=fix_project, quiet=quiet)
    elif fix or fix_only or diff or ask:
        if stdin:
            raise UsageError("the standard input cannot be fixed", hint="name the file instead of `-`")
        fixes = _find_fixes(
            request, stopwatch, unsafe=unsafe_fixes, anywhere=fix_project, ask=ask, with_progress=not quiet
        )
        if diff:
            return _print_diff(fixes, quiet=quiet)
        _write_fixes(request, fixes, allow_dirty=allow_dirty, command=verify)
        _print_fixes(fixes, outputs, show=show_fixes, quiet=quiet)
        if fix_only:
            return int(exit_non_zero_on_fix and bool(fixes.fixed))
    outcome = _run(request, stopwatch, with_progress=not quiet)
    with_offers = show_fixes and fixes is None
    offers = _find_offers(request, outcome, stopwatch, with_progress=not quiet) if with_offers else None
    _print_outcome(
        _report(request, outcome, cwd, offers, outputs, quiet=quiet),
        outcome.note,
        _Told(outputs, statistics=statistics, quiet=quiet),
    )
    if loaded.project.file is not None and not quiet:
        from errlint.settings.remarks import remarks

        for line in remarks(loaded, outcome.listed, lacks_adapters=outcome.lacks_adapters):
            write_stderr(f"errlint: warning: {printable(line)}\n")
    if outcome.internal_errors:
        return 2
    was_fixed = exit_non_zero_on_fix and fixes is not None and bool(fixes.fixed)
    return 0 if exit_zero else int(was_fixed or any(finding.severity in _FAILING for finding in outcome.findings))


@cli.command()
@click.argument("code", required=False, shell_complete=codes)
@click.option("--all", "every", is_flag=True, help="Explain every rule.")
@click.option(
    "--output-format",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    help="text (default; rendered on a terminal), markdown or json.",
)
def rule(*, code: str | None, every: bool, output_format: str) -> int:
    """Explain a rule: what it finds, why, and what to write instead."""
    if every == (code is not None):
        raise UsageError("name one rule, or --all of them", hint="errlint rule ERR101")

    from errlint import rulebook

    codes = list(RULES) if code is None else [rulebook.find_rule(code).code]
    terminal = terminal_of(sys.stdout, colour=_wants_colour()) if output_format == "text" else None
    if terminal is not None:
        write_own(rulebook.rendered(codes, terminal))
    elif output_format == "json":
        write_stdout(rulebook.as_json(codes))
    else:
        told = rulebook.markdown if output_format == "markdown" else rulebook.render
        write_stdout("\n".join(map(told, codes)))
    return 0


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(*, shell: str) -> int:
    """Print what lets a shell complete commands, options, rules and formats.

    For bash: `eval "$(errlint completion bash)"` in ~/.bashrc; zsh and fish likewise.
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None  # click has one for each that can be asked for
    write_stdout(found(cli, {}, "errlint", "_ERRLINT_COMPLETE").source())
    return 0


@cli.command()
@click.option("--stdio", is_flag=True, hidden=True, help="What editors say to a server that could speak otherwise.")
@_cache_dir
def server(*, stdio: bool, cache_dir: Path | None) -> int:
    """Speak the Language Server Protocol on the standard streams; an editor starts this (docs/editor.md)."""
    try:
        from errlint.server.language_server import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise UsageError("the server needs pygls", hint="pip install 'errlint[lsp]'") from error
    return serve(working_folder() / cache_dir if cache_dir else None)


@cli.command()
@click.argument("place", metavar="PATH:LINE")
@_config
@_isolated
def explain(*, place: str, config: Path | None, isolated: bool) -> int:
    """Tell why a line is reported or not: its adapter, its boundary, and what each rule made of it.

    Of a document: which entry is at the line, and what of the code it is compared with.
    """
    cwd = working_folder()
    named, line = location(place)
    path = existing(cwd, named)
    loaded = load(cwd, config=config, isolated=isolated, overrides=CommandLine(paths=(path,)))

    from errlint.discover import PAGES

    if path.suffix in PAGES:
        from errlint.commands.explain_document import explain as explained
    else:
        from errlint.explain import explain as explained

    write_stdout(explained(_request(loaded, (path,)), path, line))
    return 0


@cli.group("config")
def config_group() -> None:
    """Tell what a configuration may say."""


@config_group.command("schema")
def config_schema() -> int:
    """Print the JSON schema of `[tool.errlint]` and errlint.toml, for editors."""
    import json

    from errlint.settings.schema import configuration_schema

    write_stdout(f"{json.dumps(configuration_schema(), indent=2)}\n")
    return 0


@cli.group()
def catalog() -> None:
    """Compare what is documented about errors with the code."""


@catalog.command()
@click.option("--format", "form", type=click.Choice(["md", "json"]), default="md", help="md (default) or json.")
@_config
@_isolated
def show(*, form: str, config: Path | None, isolated: bool) -> int:
    """Print the errors of the code: classes, codes, messages, hints, fields, and the adapters they surface through."""
    loaded = load(working_folder(), config=config, isolated=isolated, overrides=CommandLine())

    from errlint.commands.catalog_show import show as shown

    write_stdout(shown(_request(loaded, ()), form))
    return 0


_documents = click.argument("files", nargs=-1, type=click.Path(path_type=Path))


@catalog.command("write")
@_documents
@_config
@_isolated
def catalog_write(*, files: tuple[Path, ...], config: Path | None, isolated: bool) -> int:
    """Bring the generated regions of documents up to date with the code.

    FILES are documents, or folders of them; all of the project by default. `errlint undo` takes it back.
    """
    from errlint.fix.writing.journal import NOT_KEPT
    from errlint.fix.writing.transaction import apply
    from errlint.fix.writing.undo import recover

    request = _whole_request(config, isolated=isolated)
    recover(request.settings.root)
    found = _stale_regions(request, files)
    if not apply(request.settings.root, found.changes):
        write_stderr(f"{NOT_KEPT}\n")
    cwd = working_folder()
    for path, differences in found.differences.items():
        for difference in differences:
            write_stdout(f"{_as_seen_from(cwd, request.settings.root / path)}:{difference.region.begin}: written\n")
    _print_regions(found.total, sum(map(len, found.differences.values())), "written")
    return 0


@catalog.command("check")
@_documents
@_config
@_isolated
def catalog_check(*, files: tuple[Path, ...], config: Path | None, isolated: bool) -> int:
    """Print what `errlint catalog write` would change, and exit with status 1 when that is anything.

    FILES are documents, or folders of them; all of the project by default.
    """
    from errlint.commands.catalog_write import diff

    found = _stale_regions(_whole_request(config, isolated=isolated), files)
    write_patch(diff(found.changes))
    _print_regions(found.total, sum(map(len, found.differences.values())), "out of date; run `errlint catalog write`")
    return int(bool(found.changes))


@catalog.command("init")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@_config
@_isolated
def catalog_init(*, file: Path | None, config: Path | None, isolated: bool) -> int:
    """Write a catalog for a project that has none: a document with a generated region.

    FILE is docs/error-codes.md in the project by default.
    """
    from errlint.commands.catalog_write import init

    cwd = working_folder()
    path, configuration = init(_whole_request(config, isolated=isolated), cwd / file if file else None)
    write_stdout(f"Wrote {_as_seen_from(cwd, path)}.\n")
    if configuration:
        write_stdout(f"Put this into pyproject.toml (in errlint.toml the table is [catalog]):\n\n{configuration}")
    return 0


def _whole_request(config: Path | None, *, isolated: bool) -> Request:
    return _request(load(working_folder(), config=config, isolated=isolated, overrides=CommandLine()), ())


def _stale_regions(request: Request, files: tuple[Path, ...]) -> RegionUpdate:
    from errlint.fix.regions import find

    cwd = working_folder()
    return find(request, [existing(cwd, file) for file in files])


def _print_regions(total: int, stale: int, what: str) -> None:
    if not total:
        told = "No document has a generated region; see `errlint catalog init --help`."
    elif not stale:
        told = "The generated region is current." if total == 1 else f"All {total} generated regions are current."
    else:
        told = f"{stale} of {total} generated {'region' if total == 1 else 'regions'} {what}."
    write_stderr(f"{told}\n")


@cli.group("baseline")
def baseline_group() -> None:
    """Keep a file of the findings that are known, so that only new ones are reported."""


@baseline_group.command("write")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--reason", default="", metavar="TEXT", help="Why the findings that are added are there.")
@click.option("--until", type=click.DateTime(["%Y-%m-%d"]), metavar="DAY", help="The day by which they are mended.")
@click.option("--configure", is_flag=True, help="Name the file in the configuration, too.")
@_config
@_isolated
def baseline_write(
    *, file: Path | None, reason: str, until: datetime | None, configure: bool, config: Path | None, isolated: bool
) -> int:
    """Write all that is found now to the baseline. What it said of a finding stays.

    FILE is the configured one by default, else errlint-baseline.txt in the project.
    """
    from errlint.commands import baseline

    if configure and isolated:
        raise UsageError("--configure and --isolated do not go together", hint="give one of them")
    cwd = working_folder()
    loaded = load(cwd, config=config, isolated=isolated, overrides=CommandLine())
    request = _request(loaded, ())
    told = " ".join(reason.split())
    written = baseline.write(request, cwd / file if file else None, until.date() if until else None, told)
    changed = f"{written.added} new, {written.removed} no longer there"
    write_stdout(f"Wrote {_findings(written.total)} to {_as_seen_from(cwd, written.path)} ({changed}).\n")
    if written.attributes is not None:
        where = _as_seen_from(cwd, written.attributes)
        write_stdout(f"Told git in {where} to keep the lines of both sides where branches are merged.\n")
    line = baseline.configuration(request, written.path)
    if line and configure:
        write_stdout(f"Named it in {_as_seen_from(cwd, baseline.configure(loaded, written.path))}.\n")
    elif line:
        where = "[tool.errlint] of pyproject.toml (or at the top of errlint.toml)"
        write_stdout(f"Put this into {where}, or let `--configure` do it:\n\n{line}")
    return 0


@baseline_group.command("check")
@_config
@_isolated
def baseline_check(*, config: Path | None, isolated: bool) -> int:
    """Exit with status 1 when findings of the baseline are mended, or were to be mended by now."""
    from errlint.commands.baseline import check_entries

    found = check_entries(_whole_request(config, isolated=isolated))
    write_stdout("".join(f"{fault}\n" for fault in found.faults))
    if not found.faults:
        write_stderr(f"The baseline is current ({_findings(found.total)}).\n")
    return int(bool(found.faults))


@baseline_group.command("prune")
@_config
@_isolated
def baseline_prune(*, config: Path | None, isolated: bool) -> int:
    """Take out of the baseline what is mended, and note what has moved where it is now."""
    from errlint.commands.baseline import prune

    written = prune(_whole_request(config, isolated=isolated))
    where = _as_seen_from(working_folder(), written.path)
    write_stdout(f"Took out {_findings(written.removed)}; {where} has {_findings(written.total)}.\n")
    return 0


@baseline_group.command("show")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", help="text (default) or json.")
@_config
@_isolated
def baseline_show(*, output_format: str, config: Path | None, isolated: bool) -> int:
    """Print where the project stands: what the baseline has by rule and folder, how much of it is mended."""
    from errlint.commands import baseline

    found = baseline.overview(_whole_request(config, isolated=isolated))
    write_stdout(baseline.json_of(found) if output_format == "json" else baseline.text_of(found))
    return 0


def _findings(count: int) -> str:
    return "1 finding" if count == 1 else f"{count} findings"


@cli.command()
@click.option("--write", is_flag=True, help="Add the proposal to the configuration; without one to pyproject.toml.")
@click.option("--dry-run", is_flag=True, help="Print what would be written, as a diff, and nothing else.")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", help="text (default) or json.")
@click.option("--scaffold", metavar="PACKAGE", help="Write the runtime of a convention instead, as this new package.")
@click.option("--convention", metavar="NAME", help="With --scaffold: which one; by default the one that is configured.")
def init(*, write: bool, dry_run: bool, output_format: str, scaffold: str | None, convention: str | None) -> int:
    """Say what the code shows of its errors, and propose the configuration that fits."""
    if write and dry_run:
        raise UsageError("--write and --dry-run do not go together", hint="give one of them")
    if scaffold is not None:
        return _scaffold(scaffold, convention, dry_run=dry_run)
    if convention is not None:
        raise UsageError("--convention goes with --scaffold", hint="`errlint init --scaffold pkg.errors`")
    from errlint.commands import init as command

    with _progress(wanted=True) as progress:
        if progress:
            progress(_READING, 0, 0)
        found = command.proposal(working_folder())
    if dry_run:
        write_patch(command.diff(found))
        return 0
    if write and not command.write(found):
        from errlint.fix.writing.journal import NOT_KEPT

        write_stderr(f"{NOT_KEPT}\n")
    told = command.json_of if output_format == "json" else command.text_of
    write_stdout(told(found, is_written=write))
    return 0


def _scaffold(package: str, convention: str | None, *, dry_run: bool) -> int:
    """Write the runtime of a convention as a package of the project, or print it."""
    from errlint.commands.catalog_write import diff
    from errlint.init.requirements import declared
    from errlint.scaffold import planning, writing

    cwd = working_folder()
    found = planning.plan(load(cwd), cwd, package, convention)
    if dry_run:
        write_patch(diff(found.plan.changes()))
        return 0
    if found.plan.is_empty:
        write_stdout(f"`{package}` is there already, with nothing to add.\n")
        return 0
    writing.write(found.plan)
    for change in found.plan.changes():
        write_stdout(f"{_as_seen_from(cwd, found.plan.root / change.path)}: written\n")
    distribution = found.distribution.relative_to(found.plan.root).as_posix().removeprefix(".")
    required = declared(found.plan.root, (distribution,)).requirements
    if all(item.package != planning.FRAMEWORK for item in required):
        write_stderr(f"{planning.UNREQUIRED}\n")
    for sentence in found.remains:
        write_stderr(f"{sentence}\n")
    return 0


@cli.command()
@click.option("-v", "--verbose", is_flag=True, help="Name all files, however many.")
@_config
@_isolated
def undo(*, verbose: bool, config: Path | None, isolated: bool) -> int:
    """Bring back the files that the last `errlint --fix` has changed, also one that was interrupted."""
    from errlint.fix.writing import undo as undoing
    from errlint.fix.writing.files import FEW
    from errlint.settings.loading import absolute
    from errlint.settings.locate import locate

    cwd = working_folder()
    # A configuration with a wrong key in it says well enough where the project is.
    root = locate(cwd, config=absolute(cwd, config) if config else None, isolated=isolated).root
    undone = undoing.undo(root)
    if undone is None:
        write_stdout("There is nothing to undo.\n")
        return 0
    opening = "The last fix was interrupted. " if undone.interrupted else ""
    count = len(undone.files)
    write_stdout(f"{opening}Restored {count} {'file' if count == 1 else 'files'}.\n")
    if verbose or count <= FEW:
        write_stdout("".join(f"{_as_seen_from(cwd, root / file)}\n" for file in undone.files))
    return 0


def _request(
    loaded: Loaded,
    paths: tuple[Path, ...],
    stdin: Stdin | None = None,
    *,
    use_cache: bool = True,
    use_ast: bool = True,
    since: str = "",
) -> Request:
    from errlint.request import Request

    root = loaded.settings.root
    return Request(
        settings=loaded.settings,
        paths=tuple(root / inside(root, path) for path in paths),
        stdin=(str(root / inside(root, stdin.path)), stdin.content) if stdin else None,
        use_cache=use_cache,
        use_ast=use_ast,
        since=since,
    )


def _questions(*, diff: bool) -> Ask:
    """Return who asks about each change; raises :class:`UsageError` where nobody can be asked."""
    if diff:
        raise UsageError("--interactive and --diff do not go together", hint="give one of them")
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError(
            "--interactive needs a terminal to ask on", hint="`--diff` shows all changes, `--fix` makes them"
        )
    import signal

    from errlint.fix.presentation.interactive import Questions

    def read(question: str) -> str:
        interruptions: list[int] = []

        def interrupt(number: int, _: FrameType | None) -> None:
            interruptions.append(number)
            raise KeyboardInterrupt

        # What `input` calls before it reads can swallow the exception of a Ctrl-C that comes just then.
        before = signal.signal(signal.SIGINT, interrupt)
        try:
            answer: str = click.prompt(question, prompt_suffix=" ", default="", show_default=False, err=True)
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler if before is None else before)
        if interruptions:
            raise click.Abort
        return answer

    return Questions(read, write_stderr)


def _find_fixes(
    request: Request, watch: Stopwatch, *, unsafe: bool, anywhere: bool, ask: Ask | None, with_progress: bool
) -> Fixes:
    from errlint.fix.run import find_fixes
    from errlint.fix.writing.undo import recover

    recover(request.settings.root)
    root = request.settings.root.resolve()
    is_whole = not request.paths or any(path.resolve() == root for path in request.paths)
    with _keeping_facts(request) as kept:
        outcome = _run(kept, watch, with_progress=with_progress)
        editable = None if anywhere or is_whole else frozenset(outcome.files)
        with _progress(wanted=with_progress and ask is None) as progress:  # else a person is to read and to type
            if progress:
                progress(_PLANNING, 0, 0)
            return find_fixes(
                kept, outcome.findings, watch, progress, known=outcome.known, unsafe=unsafe, editable=editable, ask=ask
            )


@contextmanager
def _keeping_facts(request: Request) -> Iterator[Request]:
    """Give a request whose run leaves the facts that fixes ask for, so that no file is read again for those."""
    from errlint.fix.model import NEEDED
    from errlint.run import remembering

    with remembering(request._replace(also=NEEDED)) as kept:
        yield kept


def _find_ignores(request: Request, reason: str, watch: Stopwatch, *, with_progress: bool) -> Fixes:
    from errlint.fix.ignore import add_ignores, require_reason
    from errlint.fix.writing.undo import recover

    reason = require_reason(reason)
    recover(request.settings.root)
    return add_ignores(request, _run(request, watch, with_progress=with_progress).findings, reason)


def _summary(fixes: Fixes, *, written: bool, ignores: bool) -> str:
    from errlint.fix import ignore
    from errlint.fix.presentation import summary

    return ignore.summary(fixes, written=written) if ignores else summary.summary(fixes, written=written)


def _print_diff(fixes: Fixes, *, quiet: bool, ignores: bool = False) -> int:
    from errlint.fix.presentation import summary

    write_patch(summary.diff(fixes, is_exact=is_patch_exact()))
    if not quiet:
        told = f"{summary.reasons(fixes, written=False)}{summary.looks(fixes, written=False)}"
        write_stderr(f"{told}{_summary(fixes, written=False, ignores=ignores)}\n")
    return int(bool(fixes.contents))


def _print_edits(
    request: Request,
    cwd: Path,
    outputs: tuple[Output, ...],
    watch: Stopwatch,
    *,
    unsafe: bool,
    anywhere: bool,
    quiet: bool,
) -> int:
    """Write reports that have the edits of each fix; where none of them is printed, print the diff as well."""
    with _keeping_facts(request) as kept:
        outcome = _run(kept, watch, with_progress=not quiet)
        offers = _find_offers(kept, outcome, watch, with_progress=not quiet)
        report = _report(request, outcome, cwd, offers, outputs, quiet=quiet)
        _print_report(report, outputs, statistics=False, quiet=True)
        if all(output.file for output in outputs):
            fixes = _find_fixes(kept, watch, unsafe=unsafe, anywhere=anywhere, ask=None, with_progress=not quiet)
            return _print_diff(fixes, quiet=quiet)
    safe, others = offers.totals(outcome.findings)
    return int(bool(safe or (unsafe and others)))


def _write_fixes(request: Request, fixes: Fixes, *, allow_dirty: bool, command: str | None) -> None:
    """Write what was proved; raises :class:`errlint.errors.FixError`, with the old files in place, where it cannot."""
    if not fixes.contents:
        return
    from errlint.errors import FixError
    from errlint.fix.writing.guard import require_clean
    from errlint.fix.writing.journal import NOT_KEPT
    from errlint.fix.writing.transaction import Change, apply
    from errlint.fix.writing.undo import undo
    from errlint.fix.writing.verify import verify

    root = request.settings.root
    if not allow_dirty:
        require_clean(root, fixes.contents)
    changes = [Change(path, before, after) for path, (before, after) in sorted(fixes.contents.items())]
    if not apply(root, changes):
        write_stderr(f"{NOT_KEPT}\n")
    if command is None:
        return
    try:
        verified = verify(root, command)
    except BaseException:  # also Ctrl-C: what was not verified does not stay
        undo(root)
        raise
    if verified.status:
        undo(root)
        message = f"`{command}` failed with status {verified.status} after the fix, which was undone"
        raise FixError(message, hint="`--diff` shows what it would change", output=verified.tail)


def _print_fixes(fixes: Fixes, outputs: Sequence[Output], *, show: bool, quiet: bool, ignores: bool = False) -> None:
    from errlint import report as reports
    from errlint.fix.presentation import summary

    if show:
        # A program reads the standard output where it is JSON or SARIF: nothing else stands in it.
        is_read = any(output.format in reports.WITH_FIXES and not output.file for output in outputs)
        tell_of = write_stderr if is_read else write_stdout
        tell_of(f"{summary.fixed(fixes)}{summary.reasons(fixes, written=True)}")
    if not quiet:
        write_stderr(f"{summary.looks(fixes, written=True)}{_summary(fixes, written=True, ignores=ignores)}\n")


def _show_settings(loaded: Loaded) -> int:
    from errlint.settings.show import render

    write_stdout(render(loaded))
    return 0


def _show_files(request: Request, cwd: Path) -> int:
    from errlint.run import list_files

    root = request.settings.root
    write_stdout("".join(f"{_as_seen_from(cwd, root / file)}\n" for file in list_files(request)))
    return 0


def _as_seen_from(cwd: Path, path: Path) -> str:
    """Return a path as people see it."""
    return printable(str(path.relative_to(cwd) if path.is_relative_to(cwd) else path))


@contextmanager
def _progress(*, wanted: bool) -> Iterator[Report | None]:
    """Give what is told the progress of the block; nothing where nobody sees it."""
    if not wanted or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from errlint.progress import Progress

    with Progress(sys.stderr) as progress:
        yield progress


def _run(request: Request, watch: Stopwatch, *, with_progress: bool) -> RunOutcome:
    from errlint.run import check as run

    with _progress(wanted=with_progress) as progress:
        outcome = run(request, progress, watch)
    if request.settings.baseline is not None:
        from errlint.commands.baseline import without_known

        with watch.stage("baseline"):
            outcome = without_known(request, outcome)
    if request.since:
        from errlint.commands.since import without_older

        with watch.stage("since"):
            outcome = without_older(request, outcome)
    return outcome


class _Told(NamedTuple):
    """How findings are told: in which formats, counted or listed, and nothing else with ``quiet``."""

    outputs: tuple[Output, ...]
    statistics: bool
    quiet: bool


def _print_outcome(report: reports.Report, note: str, told: _Told) -> None:
    """Print what was found, and what a person should know beside that."""
    _print_report(report, told.outputs, statistics=told.statistics, quiet=told.quiet)
    if note and not told.quiet:
        write_stderr(f"{printable(note)}\n")


def _root_of(cwd: Path, config: Path | None, *, isolated: bool) -> Path:
    """Return the root of the project, or the folder of the configuration that does not say where that is."""
    from errlint.settings.loading import absolute
    from errlint.settings.locate import locate

    try:
        return locate(cwd, config=absolute(cwd, config) if config else None, isolated=isolated).root
    except ConfigurationError as error:
        return error.place.path.parent if error.place is not None and config is None else cwd


def _watch(asked: Callable[[], Request], root: Path, cwd: Path, told: _Told) -> NoReturn:
    """Check again and again, until Ctrl-C."""
    try:
        from errlint.watching import Ran, check_again
    except ModuleNotFoundError as error:
        if error.name != "watchfiles":
            raise
        raise UsageError("--watch needs watchfiles", hint="pip install 'errlint[watch]'") from error

    def check(memory: Memory) -> Ran:
        request = asked()._replace(memory=memory)
        outcome = _run(request, _stopwatch(tells=False), with_progress=not told.quiet)
        _print_outcome(_report(request, outcome, cwd, None, told.outputs, quiet=told.quiet), outcome.note, told)
        return Ran(request.settings.root, outcome.findings)

    written = [file for _, file in told.outputs if file is not None]
    check_again(check, root, written, tell=lambda text: write_stderr(f"{printable(text)}\n"), clear=click.clear)


def _find_offers(request: Request, outcome: RunOutcome, watch: Stopwatch, *, with_progress: bool) -> Offers:
    """Plan fixes, for reports with a place for them: that takes longer than to find what they are for."""
    from errlint.fix.presentation.edits import find_offers

    with _progress(wanted=with_progress) as progress:
        if progress:
            progress(_PLANNING, 0, 0)
        return find_offers(request, outcome.findings, watch, progress, known=outcome.known)


def _report(
    request: Request,
    outcome: RunOutcome,
    cwd: Path,
    offers: Offers | None,
    outputs: Sequence[Output],
    *,
    quiet: bool,
) -> reports.Report:
    from errlint.run import source_reader

    root, colour = request.settings.root, _wants_colour()
    return reports.Report(
        findings=outcome.findings,
        root=root,
        cwd=cwd,
        files=len(outcome.files),
        rules=request.settings.rules,
        colour=colour,
        read_source=source_reader(request),
        offers=offers,
        known=len(outcome.known),
        terminal=terminal_of(sys.stdout, colour=colour),
        survey=_survey(request, outcome, quiet=quiet)
        if any(each.format is reports.Format.HTML for each in outputs)
        else None,
    )


def _survey(request: Request, outcome: RunOutcome, *, quiet: bool) -> Survey:
    """Ask the whole project what a page tells beside the findings: none of it is in the cache."""
    from errlint.commands.survey import survey

    with _progress(wanted=not quiet) as progress:
        if progress:
            progress("Surveying", 0, 0)
        return survey(request, outcome)


def _wants_colour() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if forced := os.environ.get("FORCE_COLOR"):
        return forced != "0"
    return sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _print_report(report: reports.Report, outputs: tuple[Output, ...], *, statistics: bool, quiet: bool) -> None:
    """Write every file, then print what goes to the standard output; people get a summary with it."""
    for format, file in outputs:
        if file:
            write_file(file, reports.render(format, report._replace(colour=False, terminal=None)), report.root)
    printed = next((format for format, file in outputs if file is None), None)
    if printed:
        text = reports.statistics(report, printed) if statistics else reports.render(printed, report)
        has_links = report.terminal is not None and report.terminal.links
        write_stdout(text, commands=reports.COMMANDS.get(printed, ""), links=has_links)
    if printed in _FOR_PEOPLE and not quiet:
        told = reports.fixable(report.offers, report.findings) if report.offers is not None else ""
        summary = reports.summary(report)
        if report.terminal is not None and report.terminal.colour:
            summary = reports.coloured(summary)
        write_stdout(f"{summary}\n" + (f"{told}\n" if told else ""))


def _stopwatch(*, tells: bool) -> Stopwatch:
    """Return what takes the times of this command; in the end, however that is reached, it ``tells`` them."""
    from errlint.request import Stopwatch

    watch = Stopwatch()
    if tells:
        click.get_current_context().call_on_close(lambda: _print_timings(watch))
    return watch


def _print_timings(watch: Stopwatch) -> None:
    stages = {**watch.seconds, "total": sum(watch.seconds.values())}
    for stage, seconds in stages.items():
        write_stderr(f"{stage:<12}{seconds * 1000:>10.1f} ms\n")
