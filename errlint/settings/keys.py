"""Every key of a policy: its type, and what it means in a sentence.

The reader (:mod:`errlint.settings.policies`), ``--show-settings`` and the JSON schema for editors are all made from
this list; a test compares it with the fields of :mod:`errlint.settings.policy`.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class ValueKind(Enum):
    """The type of a value. Tables are from words of the user's own to values of one type."""

    TEXT = "a string"
    FLAG = "a boolean"
    LIST = "a list of strings"
    TEXTS = "a table of strings"
    NUMBERS = "a table of integers"
    LISTS = "a table of lists of strings"
    CODES = "a table of tables with `status` and `retryable`"


class Key(NamedTuple):
    """A key. ``names`` says of what in the code its value gives the names; "" where they are no such names.

    ``entries`` says the same of the user's words in a table.
    """

    kind: ValueKind
    summary: str
    names: str = ""
    entries: str = ""


_TEXT, _FLAG, _LIST = ValueKind.TEXT, ValueKind.FLAG, ValueKind.LIST
_TEXTS, _NUMBERS, _LISTS = ValueKind.TEXTS, ValueKind.NUMBERS, ValueKind.LISTS

ROOT: dict[str, Key] = {
    "include": Key(_LIST, "globs of the files to report on; all of them where it is empty"),
    "exclude": Key(_LIST, "globs of what is neither read nor reported, instead of the default"),
    "extend-exclude": Key(_LIST, "more of `exclude`"),
    "tests": Key(_LIST, "globs of files that are read as callers only"),
    "select": Key(_LIST, "the rules that run: codes, names, prefixes or ALL"),
    "ignore": Key(_LIST, "rules that do not run"),
    "extend-select": Key(_LIST, "rules that run besides"),
    "extend-ignore": Key(_LIST, "more of `ignore`"),
    "per-file-ignores": Key(_LISTS, "rules that are not reported in the files of a glob"),
    "severity": Key(_TEXTS, "the severity of rules"),
    "extend-safe-fixes": Key(_LIST, "rules whose fixes are taken for safe"),
    "extend-unsafe-fixes": Key(_LIST, "rules whose fixes are not"),
    "accept-shape-change": Key(_FLAG, "whether clients may get another shape of answer by a fix"),
    "cache-dir": Key(_TEXT, "the folder of the cache"),
    "baseline": Key(_TEXT, "the file of known findings"),
    "adapters.decorators": Key(_LIST, "patterns of decorators that make a function an adapter"),
    "adapters.registrations": Key(_LIST, "patterns of calls that make a function an adapter"),
    "adapters.methods": Key(_LISTS, "the methods of a base class that are adapters"),
    "adapters.paths": Key(_LIST, "globs of files whose public functions are adapters"),
    "overrides": Key(_LIST, "settings of some paths only"),
    "convention": Key(_TEXT, "the preset, or the file, that this builds on"),
}
"""The keys of a configuration that are no policy; its reader is :mod:`errlint.settings.configuration`."""

SECTIONS: dict[str, dict[str, Key]] = {
    "exceptions": {
        "root": Key(_LIST, "the classes that all domain exceptions are below", "exception class"),
        "default": Key(_TEXT, "the exception to raise where nothing says more", "exception class"),
        "map": Key(
            _TEXTS,
            'what a builtin or foreign exception becomes; "propagate" leaves it',
            "exception class",
            "exception class",
        ),
        "messages": Key(_TEXTS, "which exception belongs to a pattern of messages", "exception class"),
        "cause": Key(_TEXT, "the constructor's argument that takes the cause"),
        "exempt": Key(_LIST, "functions that have to answer instead of raising"),
        "parents": Key(
            _TEXTS, "the class that an exception class has to be below", "exception class", "exception class"
        ),
    },
    "codes": {
        "registry": Key(_LIST, "where the code registers its error codes", "registry"),
        "vocabulary": Key(ValueKind.CODES, "codes that are registered here"),
        "reserved": Key(_LIST, "registered codes that nobody has to use"),
        "arguments": Key(_LIST, "arguments and payload keys that carry a code"),
        "prefix": Key(_TEXT, "how a message begins; {code} stands for the code"),
        "prefixed": Key(_LIST, "exceptions whose message begins with the prefix"),
        "suffix": Key(_TEXT, "what stands in a message before a structured envelope in JSON"),
        "suffix-kind": Key(_TEXT, "the key of the structured envelope that repeats the code"),
        "suffix-fields": Key(_LIST, "the keys that the structured envelope has to have"),
        "validation": Key(_TEXT, "the code of a failed check of a parameter"),
        "backend": Key(_LIST, "calls of the backend; before the first of them a failure is one of parameters"),
        "status": Key(
            _NUMBERS, "the HTTP or JSON-RPC status of an exception class or code", "", "exception class or code"
        ),
        "status-arguments": Key(_LIST, "arguments and keys that carry a status"),
        "defaults": Key(_TEXTS, "the code of a backend's status (404, 5xx) where its answer names none"),
        "caught": Key(_LISTS, "the codes of which a caught exception becomes one", "", "exception class"),
        "messages": Key(_TEXTS, "which code belongs to a pattern of messages"),
        "retry-arguments": Key(_LIST, "arguments and keys that say whether to retry"),
        "writes": Key(_LIST, "calls that change something"),
        "classifiers": Key(_LIST, "what tells which kind of failure a foreign exception is (ERR308)"),
        "refusals": Key(_LISTS, "the codes of an error whose condition asks for a name, `not NAME` where it is not so"),
        "waits": Key(_LIST, "functions that wait: only a code that is not retryable ends one"),
    },
    "hints": {
        "keywords": Key(_LIST, "arguments and keys that carry advice"),
        "classes": Key(_LIST, "exceptions and response types that need advice"),
        "verify": Key(_TEXTS, "calls that change something, and the call that shows whether they did"),
        "tools": Key(_FLAG, "whether a tool that a hint sends people to has to exist"),
        "mentions": Key(_LISTS, "what the message with a code has to name: each one of some words between `|`"),
    },
    "payload": {
        "key": Key(_TEXT, "the key below which the fields stand; without it they stand at the top"),
        "fields": Key(_LIST, "the fields that a payload has to have"),
        "type-field": Key(_TEXT, "the field with the type of the error"),
        "severity-field": Key(_TEXT, "the field with the severity"),
        "recovery-field": Key(_TEXT, "the field with the recovery"),
        "context-field": Key(_TEXT, "the field with the context, a dict"),
        "context": Key(_LISTS, "what the context of a type has to have"),
        "kinds": Key(_TEXTS, "what a field has to be: number, text, object or time (a text, in UTC)"),
    },
    "taxonomy": {
        "severities": Key(_TEXTS, "the severity of a type of errors"),
        "recoveries": Key(_LISTS, "the recoveries that go with a severity"),
        "stops": Key(_LIST, "recoveries after which a function may not go on"),
        "saves": Key(_LIST, "calls that save the state: one comes before the process ends after such a recovery"),
        "continues": Key(_LIST, "recoveries and severities after which a loop goes on with the next item"),
        "attempts": Key(_NUMBERS, "how often what failed is tried again at most, by recovery"),
        "backoff": Key(_LIST, "recoveries that wait longer before each attempt"),
        "asks": Key(_LIST, "recoveries after which the work waits for the user"),
        "waits": Key(_LIST, "calls that wait for the user"),
        "replaces": Key(_LIST, "recoveries after which another way is tried"),
        "fails": Key(_TEXTS, "what a recovery becomes where it did not help"),
    },
    "logs": {
        "fields": Key(_LIST, "the fields that every error log call has to have"),
        "methods": Key(_LISTS, "the log methods that go with a severity"),
        "file-severities": Key(_LIST, "severities of which an error file is written"),
        "writers": Key(_LIST, "calls that write an error file"),
        "by-status": Key(_TEXTS, "the severity of errors with a status (`404`, `5xx`)"),
        "file-places": Key(_LIST, "what the path of an error file has in it, one of these"),
    },
    "commands": {
        "statuses": Key(_NUMBERS, "the exit status of a command that fails (`failure`) or is misused (`usage`)"),
        "signs": Key(_TEXTS, "what a printed `error` or `warning` begins with"),
        "stderr": Key(_FLAG, "whether errors are printed to stderr"),
    },
    "response": {
        "types": Key(_LIST, "the types by which errors are returned", "response type"),
        "by-status": Key(_TEXTS, "the type of the answer with a status", "response type"),
        "queued": Key(_LIST, "the types that say that work was only queued", "response type"),
        "factories": Key(_LIST, "functions that build such answers", "function"),
        "success": Key(_LIST, "the keys of each dict by which an adapter answers a success"),
        "base": Key(_TEXT, "the class that all of these types have to be below"),
    },
    "catalog": {
        "files": Key(_LIST, "the Markdown files that document the errors", "catalog"),
        "sections": Key(_LIST, "the headings below which entries stand; without it anywhere"),
        "ignore": Key(_LIST, "headings and entries that are none"),
        "code-column": Key(_TEXT, "the header of the column of codes, where it is not recognised"),
        "template": Key(_TEXT, "the file by which `errlint catalog write` writes a section"),
    },
    "work": {
        "enqueue": Key(_LIST, "calls that only queue work"),
        "availability": Key(_LIST, "checks that come before guarded calls"),
        "guarded": Key(_LIST, "calls that need such a check"),
        "modes": Key(_LIST, "the values of a setting that all have to be handled"),
        "answers": Key(_TEXTS, "the status of what is answered in a mode, a key of `response.by-status`"),
        "stores": Key(_LIST, "calls that keep what the work is about"),
        "kept": Key(
            _LIST, "types of answers that promise that one of `stores` or `enqueue` was called", "response type"
        ),
        "defaults": Key(_TEXTS, "the values that settings have where nobody gives others"),
        "parameters": Key(_LISTS, "the parameters that tools have to have, by the name of the tool"),
    },
}
"""The tables of a policy and their keys."""

BOUNDARY: dict[str, Key] = {
    "decorator": Key(_TEXT, "the decorator that catches what an adapter raises", "decorator"),
    "middleware": Key(_LIST, "classes that do so for every adapter of a distribution", "middleware class"),
    "converters": Key(_LIST, "functions that build the answer from an exception", "function"),
    "envelope": Key(_TEXTS, 'the keys of the answer and what fills them; "is-error" for none'),
    "operation": Key(_TEXT, "the decorator's argument with the name of the operation"),
    "empty-result": Key(_TEXT, "the decorator's argument with the empty fields of the answer"),
    "operation-pattern": Key(_TEXT, "a regular expression that operations match"),
    "operation-template": Key(_TEXT, "how an operation is spelt, of {module}, {function} and {tool}"),
    "maps": Key(_LIST, "exceptions that it answers properly besides domain exceptions", "exception class"),
    "logs": Key(_FLAG, "whether it logs what it answers"),
}
"""The keys of a ``[[boundary]]``."""

REQUIRED: dict[str, Key] = {
    "classes": Key(_LIST, "exceptions, response types or functions"),
    "fields": Key(_LIST, "the arguments that each construction has to pass"),
    "inside": Key(_TEXT, "the argument, a dict, that has to hold them instead"),
    "when": Key(_LISTS, "only where these arguments have one of these values"),
    "handled": Key(_FLAG, "only where the error is raised in a handler"),
    "lists": Key(_LIST, "the arguments that have to be lists, and not empty where `fields` has them"),
    "values": Key(_LISTS, "the only texts that these arguments may be"),
    "functions": Key(_LIST, "only in functions of these names"),
    "explicit": Key(_LIST, "the arguments that have to be passed also where the constructor has a default for them"),
    "traced": Key(_LIST, "the fields that are what the parameter of the same name has, or what is made without it"),
    "located": Key(_LIST, "the lists in which what a validator found stands with the path of its field"),
}
"""The keys of a ``[[required]]``."""

ARRAYS = {"boundary": BOUNDARY, "required": REQUIRED}
"""The arrays of tables of a policy and the keys of their tables."""

FIELDS = {"boundary": "boundaries"}
"""Keys that are named otherwise in the structs of a policy."""

FILLERS = ("{message}", "*", "empty_result")
"""What fills a key of the envelope of a boundary: the message, anything, the empty fields of the tool."""

LEAST_STATUS, MOST_STATUS = 100, 599
"""The statuses of HTTP; those of JSON-RPC are negative."""

IS_ERROR = "is-error"
"""The envelope of a boundary whose client gets isError and the text."""


def field(key: str) -> str:
    """Return the name that a key has as a field of a struct."""
    return FIELDS.get(key, key.replace("-", "_"))
