"""Generated error payloads and declared types: what is answered before and after a fix, run and compared."""

from __future__ import annotations

import random
import re
import sys
import types
from pathlib import Path

import pytest

from errlint.fix.model import Applicability
from errlint.fix.run import find_fixes
from errlint.request import Request
from errlint.run import check
from errlint.settings import CommandLine
from errlint.settings.loading import load

pydantic = pytest.importorskip("pydantic")

CONFIGURATION = """\
style = "return"

[response]
types = ["answers.Failure"]
"""

VALUES = {
    "error": ["'no name'", "f'bad {name}'", "str(name)", "name", "None", "['a', name]", "{'message': name}"],
    "message": ["'no name'", "f'bad {name}'", "'a' + str(name)"],
    "code": ["'EMPTY'", "404", "None", "name", "len(name)"],
    "error_code": ["'EMPTY'", "name"],
    "status": ["'error'", "'failed'"],
    "success": ["False"],
    "suggestion": ["'say one'", "None"],
    "hint": ["'say one'"],
    "path": ["name", "'x'"],
    "retryable": ["True", "False", "1"],
}
"""What payloads may have under each key."""

FIELDS = {
    "error": ["str", "str | None = None", "object = None"],
    "message": ["str", "str | None = None", "str = 'failed'"],
    "code": ["str | None = None", "int | str | None = None", "str = 'ERROR'"],
    "error_code": ["str = ''"],
    "status": ["str = 'error'", "Literal['error'] = 'error'", "str", "Literal['failed']", "str = 'success'"],
    "success": ["bool = False", "bool", "bool = True"],
    "suggestion": ["str | None = None", "list[str] | None = None"],
    "path": ["str | None = None"],
    "retryable": ["bool = False"],
}
"""What types may have as fields."""

KINDS = [
    "@dataclass(kw_only=True)\nclass Failure:\n",
    "class Failure(BaseModel):\n",
    "class Failure(TypedDict, total=False):\n",
]

MARKERS = {"status", "success"}


def types_of(chance: random.Random) -> str:
    """Return a module with a declared type."""
    names = [name for name in FIELDS if chance.random() < 0.75]
    if not {"error", "message"} & set(names):
        names.append(chance.choice(["error", "message"]))
    kind = chance.choice(KINDS)
    fields = [f"    {name}: {chance.choice(FIELDS[name])}\n" for name in names]
    if "TypedDict" in kind:
        fields = [f"{line.partition(' = ')[0].rstrip()}\n" for line in fields]
    start = "from dataclasses import dataclass\nfrom typing import Literal, TypedDict\nfrom pydantic import BaseModel\n"
    return f"{start}\n\n{kind}{''.join(fields)}"


def server_of(chance: random.Random, count: int) -> str:
    """Return a module with tools that answer errors."""
    parts = ["from fastmcp import FastMCP\n\nfrom answers import Failure\n\nmcp = FastMCP('generated')\n"]
    for index in range(count):
        keys = [key for key in VALUES if chance.random() < 0.2]
        if not {"error", "message"} & set(keys):
            keys.append("error")
        if keys == ["message"]:
            keys.append("success")
        chance.shuffle(keys)
        payload = "{" + ", ".join(f"{key!r}: {chance.choice(VALUES[key])}" for key in keys) + "}"
        statement = chance.choice(
            [
                "return {payload}",
                "return {payload} if name else {{}}",
                "result = {payload}\n    return result",
                "try:\n        raise ValueError(name)\n    except ValueError as exc:\n        return {payload}",
            ]
        ).format(payload=payload)
        parts.append(f"\n\n@mcp.tool()\ndef tool_{index}(name: str):\n    {statement}\n")
    return "".join(parts)


class Server:
    """Takes the place of a server: its tools are plain functions."""

    def __init__(self, name: str) -> None:
        self.name = name

    def tool(self) -> object:
        return lambda function: function


def answers_of(monkeypatch: pytest.MonkeyPatch, declared: str, server: str, count: int) -> list[object]:
    """Run a module, and return what a client gets from all of its tools."""
    for name, code in (("fastmcp", None), ("answers", declared), ("served", server)):
        module = types.ModuleType(name)
        monkeypatch.setitem(sys.modules, name, module)
        if code is None:
            vars(module)["FastMCP"] = Server
        else:
            exec(compile(code, name, "exec", dont_inherit=True), vars(module))
    found = vars(sys.modules["served"])
    adapter = pydantic.TypeAdapter(object)

    def answer(index: int) -> object:
        try:
            return adapter.dump_python(found[f"tool_{index}"]("tea"), mode="json")
        except pydantic.ValidationError:
            return None

    return [answer(index) for index in range(count)]


COUNT = 30


@pytest.mark.parametrize("seed", range(5))
def test_old_keys_keep_their_values_or_it_is_said_that_they_do_not(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    declared, server = types_of(chance), server_of(chance, COUNT)
    for name, text in {"errlint.toml": CONFIGURATION, "answers.py": declared, "server.py": server}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    only = CommandLine(select=("ERR101",))
    request = Request(settings=load(tmp_path, config=None, isolated=False, overrides=only).settings, use_cache=False)
    findings = check(request).findings
    before = answers_of(monkeypatch, declared, server, COUNT)
    for unsafe in (False, True):
        found = find_fixes(request, findings, unsafe=unsafe)
        after = found.contents.get("server.py", (b"", server.encode()))[1].decode()
        changed = answers_of(monkeypatch, declared, after, COUNT)
        doubts: dict[str, str] = {}
        for group in found.fixed:
            doubts[group.function] = " ".join(doubt.text for doubt in group.doubts)
            assert unsafe or group.applicability is Applicability.SAFE
        for index, (old, new) in enumerate(zip(before, changed, strict=True)):
            said = set(re.findall(r"`(\w+)`", doubts.get(f"tool_{index}", "")))
            assert isinstance(old, dict)
            if new is None:
                assert "it cannot be told whether `Failure` takes" in doubts[f"tool_{index}"]
                continue
            assert isinstance(new, dict)
            for key, value in old.items():
                is_excused = key in said or (key == "error" and isinstance(value, dict) and said & value.keys())
                assert is_excused or (key in new and repr(new[key]) == repr(value)), (index, key, old, new)
            if f"tool_{index}" in doubts:
                assert new.get("success") is not True
                assert new.get("status") != "success"
    assert len(found.fixed) > COUNT / 10
