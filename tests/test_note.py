"""A project without a recognised adapter is told so, instead of being praised."""

from __future__ import annotations

from pathlib import Path

import pytest

from errlint.cli import main

HANDLER = """\
class Reader(SomeToolBase):
    def call(self, path: str) -> dict:
        if not path:
            return {"error": "no path given"}
        return {"path": path}
"""
CONFIGURED = '[adapters.methods]\nSomeToolBase = ["call"]\n'


@pytest.mark.parametrize(
    ("code", "config", "status", "note"),
    [
        pytest.param(HANDLER, "", 0, "although 1 return looks like one", id="error returns and no adapter"),
        pytest.param(HANDLER, CONFIGURED, 1, "", id="the adapters are configured"),
        pytest.param(
            "def double(x):\n    return 2 * x\n", "", 0, "no adapter is selected", id="no error returns at all"
        ),
    ],
)
@pytest.mark.parametrize("arguments", [["--no-cache"], []], ids=["without cache", "with cache, twice"])
def test_the_note(
    arguments: list[str],
    code: str,
    config: str,
    status: int,
    note: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "errlint.toml").write_text(config)
    (tmp_path / "reader.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    for _ in range(1 if arguments else 2):
        with pytest.raises(SystemExit) as stopped:
            main(["check", *arguments])
        told = capsys.readouterr().err
        assert stopped.value.code == status
        assert note in told
        assert bool(told) == bool(note)
