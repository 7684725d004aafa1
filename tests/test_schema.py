"""The schema of a configuration takes what the reader takes: settings that are drawn from it, and mutated ones."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from errlint.characters import toml_string
from errlint.errors import ConfigurationError
from errlint.settings.loading import load_text
from errlint.settings.schema import configuration_schema

WORDS = (
    "a",
    "x/y",
    "",
    "pkg.Name",
    "src/**",
    " ",
    "ERR101",
    "404",
    "5xx",
    "error",
    "{code} ",
    "{module}:{tool}",
    "{x}",
)
PATTERNED = ("ALL", "ERR1", "ERR101", "hand-built-error-return", "./own.toml", "{code}: ", "x")
NAMES = ("a", "ValueError", "404", "src/*.py")
OTHERS = (1, "x", True, ["a"], {"a": "b"}, 1.5, "", [1])
DRAWN = 60
"""So many are drawn for each seed."""


def draw(schema: dict[str, Any], random: Random, *, is_outer: bool = False) -> Any:
    """Return a value that a schema takes, or nearly: patterns and bounds are met by chance."""
    if "anyOf" in schema and "properties" in schema:
        schema = {**schema, **random.choice(schema["anyOf"])}
    elif "anyOf" in schema and schema.get("type") != "integer":
        return draw(random.choice(schema["anyOf"]), random)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return random.choice(schema["enum"])
    kind = schema["type"]
    if kind == "string":
        fitting = [word for word in PATTERNED if re.search(schema.get("pattern", "^$"), word)]
        return random.choice((*WORDS, *fitting * 9) if "pattern" in schema else WORDS)
    if kind == "boolean":
        return random.random() < 0.5
    if kind == "integer":
        return random.choice((0, 1, 200, 404, -32602, 9999))
    if kind == "array":
        return [draw(schema["items"], random) for _ in range(random.randint(schema.get("minItems", 0), 2))]
    found: dict[str, Any] = {}
    for key, inner in schema.get("properties", {}).items():
        if key in schema.get("required", ()) or random.random() < (0.06 if is_outer else 0.3):
            found[key] = draw(inner, random)
    more = schema.get("additionalProperties")
    if isinstance(more, dict):
        names = ("ERR101", "ALL") if "propertyNames" in schema else NAMES
        found |= {random.choice(names): draw(more, random) for _ in range(random.randint(0, 2))}
    return found


def mutated(value: Any, random: Random) -> Any:
    """Return a value with another one, or one more, somewhere inside."""
    value = node = json.loads(json.dumps(value))
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            node.append(random.choice(OTHERS)) if isinstance(node, list) else node.update(more=1)
            return value
        key = random.choice(keys)
        if not isinstance(node[key], dict | list) or random.random() < 0.3:
            node[key] = random.choice(OTHERS)
            return value
        node = node[key]


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{toml_string(key)} = {toml(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return toml_string(value) if isinstance(value, str) else json.dumps(value)


@pytest.mark.parametrize("seed", range(8))
def test_the_schema_takes_what_the_reader_takes(seed: int, tmp_path: Path) -> None:
    schema = configuration_schema()
    validator: Any = import_module("jsonschema").Draft7Validator(schema)
    (tmp_path / "own.toml").write_text('[[boundary]]\ndecorator = "own"\n', encoding="utf-8")
    random = Random(seed)
    differing = []
    for number in range(DRAWN):
        value = draw({key: inner for key, inner in schema.items() if key != "anyOf"}, random, is_outer=True)
        value = mutated(value, random) if number % 2 else value
        text = "".join(f"{key} = {toml(inner)}\n" for key, inner in value.items())
        try:
            load_text(tmp_path, tmp_path, tmp_path / "errlint.toml", text)
            said = ""
        except ConfigurationError as error:
            said = str(error)
        if validator.is_valid(value) == bool(said) and not is_of_a_file(said):
            differing.append((text, said))
    assert differing == []


def is_of_a_file(said: str) -> bool:
    """Whether a mistake is one that only a look at other files, or at an expression, shows."""
    return any(what in said for what in ("names no file", "needs a `decorator`", "no regular", "not a regular"))
