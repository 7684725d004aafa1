"""``errlint check --since REV``: what was found at a commit is not reported."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import structs

from errlint.baseline.matching import listed, match
from errlint.discover import is_read
from errlint.errors import UsageError
from errlint.request import Request
from errlint.run import RunOutcome, check, source_reader
from errlint.source import MAX_SIZE
from errlint.workspace import git


def without_older(request: Request, outcome: RunOutcome) -> RunOutcome:
    """Return what a run found without what it finds in the files of the commit that the request names.

    The settings are those of today. Raises :class:`errlint.errors.UsageError` where there is no such commit.
    """
    root = request.settings.root
    repository = git.repository(root)
    if repository is None:
        raise UsageError("--since asks git, and the project is in no repository", hint="`errlint baseline` needs none")
    try:
        commit = git.commit_named(repository, root, request.since)
        if commit is None:
            hint = "fetch it first: a CI job often has the last commit only"
            raise UsageError(f"--since: git knows no commit `{request.since}`", hint=hint)
        if not outcome.findings:
            return outcome
        files = git.files_at(repository, root, commit, is_read, MAX_SIZE)
    except git.GitError as error:
        raise UsageError(f"--since: git does not answer: {error}") from error
    with TemporaryDirectory(prefix="errlint-") as name:
        folder = Path(name).resolve()
        for path, content in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        settings = structs.replace(request.settings, root=folder)
        asked = Request(settings, use_cache=False, use_ast=request.use_ast)
        known = tuple(listed(check(asked).findings, (), source_reader(asked)))
    matched = match(known, outcome.findings, source_reader(request), today=date.today(), looked_at=())
    return outcome._replace(findings=matched.new, known=(*outcome.known, *(finding for finding, _ in matched.known)))
