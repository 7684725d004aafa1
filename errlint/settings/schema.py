"""The JSON schema of a convention's file, for editors; ``python -m errlint.settings.schema`` writes it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from errlint.findings import Severity
from errlint.settings.conventions import presets_directory
from errlint.settings.keys import BOUNDARY, IS_ERROR, REQUIRED, SECTIONS, Key, ValueKind
from errlint.settings.policy import Style
from errlint.settings.table import EXTEND

NAME = "convention.schema.json"

_STRING = {"type": "string"}
_STRINGS = {"type": "array", "items": _STRING}
_SELECTOR = r"^(ALL|ERR\d{0,3})$"


def schema() -> dict[str, object]:
    """Return the schema: every key that is read, and no others."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A convention of errlint",
        "description": "See docs/configuration.md",
        **_table(
            {
                "description": {**_STRING, "description": "the convention in a sentence"},
                "convention": {**_STRING, "description": "the convention that this one builds on: a preset or a path"},
                "extend-select": {
                    "type": "array",
                    "items": {"type": "string", "pattern": _SELECTOR},
                    "description": "the rules that this convention turns on",
                },
                "severity": {
                    "type": "object",
                    "propertyNames": {"pattern": _SELECTOR},
                    "additionalProperties": {"enum": [severity.value for severity in Severity]},
                    "description": "the severities of rules",
                },
                **policy_properties(),
            }
        ),
    }


def policy_properties() -> dict[str, object]:
    """Return the schemas of the keys of a policy."""
    found: dict[str, object] = {
        "style": {"enum": [style.value for style in Style], "description": "how errors are answered"}
    }
    boundary = {
        **_table(_properties(BOUNDARY)),
        "anyOf": [{"required": ["decorator"]}, {"required": ["middleware"]}],
    }
    required = {**_table(_properties(REQUIRED)), "required": ["classes", "fields"]}
    for name, items in (("boundary", boundary), ("required", required)):
        found[name] = {"type": "array", "items": items}
        found[f"{EXTEND}{name}"] = {"type": "array", "items": items, "description": f"more of `{name}`"}
    for name, keys in SECTIONS.items():
        extended = {
            f"{EXTEND}{key}": {**_STRINGS, "description": f"more of `{key}`"}
            for key, spec in keys.items()
            if spec.kind is ValueKind.LIST
        }
        found[name] = _table({**_properties(keys), **extended})
    return found


def _properties(keys: Mapping[str, Key]) -> dict[str, object]:
    return {key: {**_value(key, spec), "description": spec.summary} for key, spec in keys.items()}


def _value(key: str, spec: Key) -> dict[str, object]:
    if key == "envelope":
        return {"anyOf": [{"const": IS_ERROR}, {"type": "object", "additionalProperties": _STRING}]}
    code = _table({"status": {"type": "integer"}, "retryable": {"type": "boolean"}})
    values: dict[ValueKind, dict[str, object]] = {
        ValueKind.TEXT: dict(_STRING),
        ValueKind.FLAG: {"type": "boolean"},
        ValueKind.LIST: dict(_STRINGS),
        ValueKind.TEXTS: {"type": "object", "additionalProperties": _STRING},
        ValueKind.NUMBERS: {"type": "object", "additionalProperties": {"type": "integer"}},
        ValueKind.LISTS: {"type": "object", "additionalProperties": _STRINGS},
        ValueKind.CODES: {"type": "object", "additionalProperties": code},
    }
    return values[spec.kind]


def _table(properties: Mapping[str, object]) -> dict[str, object]:
    return {"type": "object", "additionalProperties": False, "properties": dict(properties)}


def text() -> str:
    """Return the schema as it stands in the file."""
    return json.dumps(schema(), indent=2) + "\n"


if __name__ == "__main__":
    (presets_directory() / NAME).write_text(text(), encoding="utf-8")
