"""The JSON schemas of a configuration and of a convention's file, for editors.

``errlint config schema`` prints the first; ``python -m errlint.settings.schema`` writes the second. They know no
globs, no expressions and no files: what is wrong with these only errlint itself tells.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from errlint.findings import Severity
from errlint.rules import FATAL_RULES, RULES
from errlint.settings.conventions import presets_directory
from errlint.settings.keys import (
    BOUNDARY,
    IS_ERROR,
    LEAST_STATUS,
    MOST_STATUS,
    REQUIRED,
    ROOT,
    SECTIONS,
    Key,
    ValueKind,
)
from errlint.settings.policy import Style
from errlint.settings.table import EXTEND

NAME = "convention.schema.json"

_STRING = {"type": "string"}
_STRINGS = {"type": "array", "items": _STRING}
_FILLED = {"type": "string", "pattern": r"\S"}
_GLOBS = {"type": "array", "items": _FILLED}
_STATUS = {"type": "integer", "anyOf": [{"maximum": -1}, {"minimum": LEAST_STATUS, "maximum": MOST_STATUS}]}
_OWN: dict[str, dict[str, object]] = {
    "codes.prefix": {"pattern": r"^\s*$|\{code\}"},
    "codes.status": {"additionalProperties": _STATUS},
    "operation-template": {"pattern": r"^(?=.*\S)([^{}]|\{(module|function|tool)\})*$"},
    "classes": {"minItems": 1},
    "fields": {"minItems": 1},
}
"""What values have to be besides their types, by keys of sections, of a boundary and of what is required."""

_GLOBBED = ("include", "exclude", "extend-exclude", "tests", "paths")
"""The keys whose lists are of globs."""

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


def configuration_schema() -> dict[str, object]:
    """Return the schema of ``[tool.errlint]``, which is that of errlint.toml: every key that is read, no others."""
    severity = {
        "type": "object",
        "propertyNames": {"pattern": _selectors(frozenset())},
        "additionalProperties": {"enum": [severity.value for severity in Severity]},
        "description": ROOT["severity"].summary,
    }
    presets = sorted(path.stem for path in presets_directory().glob("*.toml"))
    override = {"paths": {**_GLOBS, "minItems": 1, "description": "the globs of the files that it is about"}}
    adapters = {key.partition(".")[2]: spec for key, spec in ROOT.items() if key.startswith("adapters.")}
    found: dict[str, object] = {key: _root(key, spec) for key, spec in ROOT.items() if "." not in key}
    found |= {
        "severity": severity,
        "convention": {
            "anyOf": [{"enum": presets}, {"type": "string", "pattern": r"[/\\]|\.toml$"}],
            "description": ROOT["convention"].summary,
        },
        "adapters": _table(_properties(adapters)),
        "overrides": {
            "type": "array",
            "items": {**_table({**override, "severity": severity, **policy_properties()}), "required": ["paths"]},
            "description": ROOT["overrides"].summary,
        },
        **_loose(policy_properties()),
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A configuration of errlint",
        "description": "See docs/configuration.md",
        **_table(found),
        # With a convention a boundary may stand for the one of that.
        "anyOf": [{"required": ["convention"]}, {"properties": {"boundary": {"items": _SOMETHING}}}],
    }


def _loose(properties: dict[str, object]) -> dict[str, object]:
    """Return the keys of a policy whose boundaries need not say what they are."""
    return {**properties, "boundary": {"type": "array", "items": _table(_properties(BOUNDARY))}}


def _root(key: str, spec: Key) -> dict[str, object]:
    """Return the schema of a key that has to do with rules or files."""
    if key not in _OF_RULES:
        text = _FILLED if spec.kind is ValueKind.TEXT else {}
        globs = _GLOBS if key in _GLOBBED else {}
        return {**_value(key, spec), **text, **globs, "description": spec.summary}
    without = FATAL_RULES if "ignore" in key else frozenset[str]()
    selectors = {"type": "array", "items": {"type": "string", "pattern": _selectors(without)}}
    if spec.kind is ValueKind.LISTS:
        return {"type": "object", "additionalProperties": selectors, "description": spec.summary}
    return {**selectors, "description": spec.summary}


_SOMETHING = {"anyOf": [{"required": ["decorator"]}, {"required": ["middleware"]}]}

_OF_RULES = (
    "select",
    "ignore",
    "extend-select",
    "extend-ignore",
    "per-file-ignores",
    "extend-safe-fixes",
    "extend-unsafe-fixes",
)
"""The keys of a configuration whose lists are of selectors."""


def _selectors(without: frozenset[str]) -> str:
    """Return the expression of every selector of rules, but the codes and names of some."""
    words = {word for code, rule in RULES.items() if code not in without for word in (code, rule.name)}
    prefixes = {code[:length] for code in RULES for length in range(3, len(code))}
    return f"^({'|'.join(sorted({'ALL', *words, *prefixes}))})$"


def policy_properties() -> dict[str, object]:
    """Return the schemas of the keys of a policy."""
    found: dict[str, object] = {
        "style": {"enum": [style.value for style in Style], "description": "how errors are answered"}
    }
    boundary = {**_table(_properties(BOUNDARY)), **_SOMETHING}
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
        found[name] = _table({**_properties(keys, f"{name}."), **extended})
    return found


def _properties(keys: Mapping[str, Key], section: str = "") -> dict[str, object]:
    """Return the schemas of the keys of a section of a policy, or ("") of another table."""
    found: dict[str, object] = {}
    for key, spec in keys.items():
        # Those of sections may be taken back by an empty text.
        text = _FILLED if spec.kind is ValueKind.TEXT and not section else {}
        globs = _GLOBS if key in _GLOBBED and not section else {}
        found[key] = {**_value(key, spec), **text, **globs, **_OWN.get(section + key, {}), "description": spec.summary}
    return found


def _value(key: str, spec: Key) -> dict[str, object]:
    if key == "envelope":
        return {"anyOf": [{"const": IS_ERROR}, {"type": "object", "additionalProperties": _FILLED}]}
    code = _table({"status": _STATUS, "retryable": {"type": "boolean"}})
    values: dict[ValueKind, dict[str, object]] = {
        ValueKind.TEXT: dict(_STRING),
        ValueKind.FLAG: {"type": "boolean"},
        ValueKind.LIST: dict(_STRINGS),
        ValueKind.TEXTS: {"type": "object", "additionalProperties": _FILLED},
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
