"""Handlers after which the caller cannot know that something failed.

The collector finds handlers that do nothing with the exception but log it (:class:`errlint.facts.Swallow`); here it is
decided for which of them that is an error: the work of adapter code has failed, and the answer says nothing of it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.error_keywords import PROBE, STATUS_KEYS, SUCCESS_KEYS, SUCCESS_STATUS
from errlint.facts import (
    Call,
    Choice,
    Constant,
    Function,
    Mapping,
    Ref,
    Return,
    Sequence,
    Swallow,
    Text,
    Value,
    Variable,
    alternatives,
    constant_text,
    is_empty,
    named_parts,
    only,
)
from errlint.index.catching import BROAD
from errlint.patterns import fits
from errlint.project.names import ClassSymbol, ExternalSymbol
from errlint.project.promises import is_typed_success
from errlint.settings import Policy
from errlint.settings.policy import bare_name

if TYPE_CHECKING:
    from errlint.project import Project

_OPERATIONAL = frozenset(
    {"OSError", "IOError", "EnvironmentError", "ConnectionError", "ConnectionRefusedError", "ConnectionResetError",
     "ConnectionAbortedError", "TransportError", "ConnectError", "BotoCoreError", "SQLAlchemyError", "DatabaseError",
     "OperationalError", "RedisError", "ConnectTimeout", "ReadTimeout", "WriteTimeout", "PoolTimeout",
     "TimeoutException"}
)  # fmt: skip
"""Foreign exceptions that say that the work failed."""

_ANSWERED = frozenset(
    {"RuntimeError", "HTTPError", "HTTPStatusError", "RequestException", "RequestError", "ClientError",
     "CalledProcessError", "SubprocessError", "GraphQLError"}
)  # fmt: skip
"""Foreign exceptions that may also say what was asked, such as a status 404: an error where it is logged as one."""

_CAREFUL = re.compile(
    r"(?:^|_)(?:try|maybe|safe|safely|detect|guess|optional|cache|cached|cleanup|clean|close|shutdown|stop|teardown|"
    r"dispose|release|cancel|is|has|can|should|supports|exists|exit|aexit|del|default|notify|log|emit|report|telemetry|"
    r"or_none|or_empty|or_default|if|background|worker|task|loop|callback|hint|hints|parse|format|normalize|decode|coerce|convert|extract|to|as|from|ping|health|wait|poll)(?:_|$)"
)
"""In the name of a function: an answer after a failure is what it is there for."""

_SUBJECTS = frozenset(
    {"background", "cache", "default", "event", "format", "hint", "hints", "health", "log", "loop", "notify", "report",
     "task", "telemetry", "worker"}
)  # fmt: skip
"""Words that are what a tool is about where they do not begin its name: ``pin_report`` does not report."""

_SAFE_WORK = frozenset(
    {"Path", "UUID", "abs", "absolute", "add", "all", "any", "append", "b64decode", "b64encode", "bool", "capitalize",
     "cast", "compile", "copy", "count", "debug", "decode", "deepcopy", "dict", "dumps", "encode", "endswith",
     "enumerate", "error", "exception", "exists", "expanduser", "extend", "find_spec", "findall", "finditer", "float",
     "format", "fromisoformat", "fromtimestamp", "fullmatch", "get", "getLogger", "get_event_loop", "get_running_loop",
     "get_type_hints", "getattr", "getdoc", "getenv", "getfile", "getmodule", "getsource", "group", "groups",
     "hasattr", "hex", "import_module", "index", "info", "int", "is_dir", "is_file", "isinstance", "isoformat",
     "items", "join", "json", "keys", "len", "list", "literal_eval", "loads", "lower", "lstrip", "match", "max", "min",
     "model_dump", "model_json_schema", "model_validate", "monotonic", "now", "parse", "partition", "perf_counter",
     "pop", "print", "quote", "range", "relative_to", "replace", "repr", "resolve", "round", "rpartition", "rstrip",
     "safe_load", "search", "set", "setattr", "setdefault", "signature", "sorted", "split", "splitlines", "startswith",
     "str", "strftime", "strip", "strptime", "sub", "sum", "text", "time", "timestamp", "title", "translate", "tuple",
     "type", "unquote", "update", "upper", "urljoin", "urlparse", "urlsplit", "utcnow", "uuid4", "values", "version",
     "warning", "zip"}
)  # fmt: skip
"""Last names of calls that look something up or take it apart: when they fail, the text was another one."""

_REMOTE = re.compile(r"^self\.|client|session|request|http|api|backend|service", re.IGNORECASE)
"""What has a method ``get`` that asks somebody else, unlike that of a mapping."""

_TIDYING = re.compile(
    r"^a?(?:close|shutdown|stop|terminate|kill|unlink|remove|rmtree|rmdir|rollback|disconnect|cancel|cleanup|clean_up|"
    r"release|flush|quit|dispose|delete|wait|wait_for|join|unsubscribe|deregister|detach|gather|sleep|chmod|utime|"
    r"touch|mkdir|makedirs|seek|set_result|set_exception|send_notification|report_progress|notify|emit|record|track|"
    r"capture|set_attribute|add_event|end_span|configure|basicConfig|setLevel|addHandler|signal|add_signal_handler)$"
    r"|(?:_cleanup|_close|_metrics?|_telemetry|_progress|_event|_audit)$|^(?:close|cleanup|clean|delete_temp|remove_temp)_"
)
"""Last names of calls that tidy up or tell about the work: they may fail without it."""

_WRITE = re.compile(
    r"^_*(?:save|store|write|create|update|insert|upload|delete|put|post|patch|publish|send|set|add|replace|apply|submit"
    r"|commit|move|rename|archive|restore|import)(?:_|$)"
)
"""Last names of calls that the caller of a tool means by it."""

_BESIDE = re.compile(
    r"fall(?:ing|s)? ?back|fallback|retry|retri|skip|ignor|default|instead|continu|optional", re.IGNORECASE
)
"""In what is logged: the failure is expected, and something else is done."""


_TELEMETRY = re.compile(r"telemetry|metrics|analytics|tracing|cache|logging", re.IGNORECASE)
"""In the name of a file or class: what it does is beside the work."""

_NONE = Constant(None)


class Swallowed(NamedTuple):
    """A handler that swallows, its function, and what becomes of the exception in words."""

    function: Function
    found: Swallow
    fate: str


def swallowed(project: Project, path: str) -> Iterator[Swallowed]:
    """Yield the handlers in the adapter code of one file that swallow what they should not."""
    if _TELEMETRY.search(path):
        return
    policy = project.policy(path)
    for function in project.modules[path].functions:
        if not function.swallows or project.sites.is_excluded(path, function):
            continue
        is_careful = _is_careful(function, is_tool=project.adapters.is_adapter(path, function))
        for found in function.swallows:
            if found.how == "filtered":
                if not is_careful and project.reach.adapter_of(path, function):
                    yield Swallowed(function, found, "filters away what failed")
                continue
            if found.level in ("debug", "info") or not _is_work(function, found):
                continue
            if found.how == "turned" and not policy.response.by_status:
                continue
            if found.how == "looped":
                if policy.response.queued:
                    yield Swallowed(function, found, "takes what is queued next")
                continue
            fate = _typed_fate(project, path, function, found)
            if not fate and not found.tells and not is_careful and _is_failure(project, path, function, found):
                fate = _fate(project, path, function, found)
            if fate and project.reach.adapter_of(path, function):
                yield Swallowed(function, found, fate)


def _typed_fate(project: Project, path: str, function: Function, found: Swallow) -> str:
    """Say how success is answered in spite of the exception, where the policy has a type for it.

    Then it does not matter what was caught: what is expected has an answer of its own type, or of another status.
    """
    response = project.policy(path).response
    if _BESIDE.search(found.said) or not (response.types or response.by_status):
        return ""
    if found.how == "returned" and _claims_success(response.types, function, found):
        return "answers success"
    if not response.by_status:
        return ""
    answers = [item for item in function.returns if is_typed_success(project, path, function.name, item.value)]
    if found.how == "returned":
        return "answers success" if any(item.span == found.answer for item in answers) else ""
    if found.how not in ("passed", "turned") or PROBE.search(function.name.rpartition(".")[2].lower()):
        return ""
    return "goes on to answer success" if any(item.span > found.span for item in answers) else ""


def _claims_success(types: tuple[str, ...], function: Function, found: Swallow) -> bool:
    """Whether a clause answers an object of a declared type which says that all went well."""
    answer = next((only(item.value) for item in function.returns if item.span == found.answer), None)
    if type(answer) is not Call:
        return False
    last = answer.name.rpartition(".")[2]
    return any(bare_name(name) == last for name in types) and any(
        _says_success(item.name, item.value) for item in answer.arguments
    )


def _is_careful(function: Function, *, is_tool: bool) -> bool:
    short = function.name.rpartition(".")[2].lower()
    if is_tool:
        first, *others = short.split("_")
        short = "_".join((first, *(word for word in others if word not in _SUBJECTS)))
    return bool(_CAREFUL.search(short) or PROBE.search(short) or _TELEMETRY.search(function.name)) or short[:2] == "__"


def _is_failure(project: Project, path: str, function: Function, found: Swallow) -> bool:
    """Whether a clause catches everything, or nothing but exceptions that say that the work failed.

    Those of libraries say so where they are logged as errors.
    """
    policy = project.policy(path)
    roots = {name.rpartition(".")[2] for name in (*policy.exceptions.root, policy.exceptions.default)}
    names = {name.rpartition(".")[2] for name in found.types}
    failures = _OPERATIONAL | roots | (_ANSWERED if found.level == "error" else frozenset())
    if not names or not names.isdisjoint(BROAD) or all(name in failures or _is_told(policy, name) for name in names):
        return True
    return found.level == "error" and all(_is_of_library(project, path, function, name) for name in found.types)


def _is_told(policy: Policy, name: str) -> bool:
    """Whether the policy says what becomes of an exception: then it is not to end where it is caught."""
    mapped = {each.rpartition(".")[2] for each in policy.exceptions.map}
    return name in mapped or any(fits(name, pattern) for pattern in policy.codes.caught)


def _is_of_library(project: Project, path: str, function: Function, name: str) -> bool:
    symbol = project.names.resolve(path, name, function.name)
    if not isinstance(symbol, ExternalSymbol):
        return False
    package = symbol.name.partition(".")[0]
    return package != "builtins" and package not in sys.stdlib_module_names


def _is_work(function: Function, found: Swallow) -> bool:
    """Whether a ``try`` does more than to look something up, to take it apart or to tidy up.

    What the function is called after is its work: ``delete`` in ``delete_episode``.
    """
    verbs = function.name.rpartition(".")[2].lower().split("_")
    for name in found.work:
        receiver, _, last = name.rpartition(".")
        if last == "get" and _REMOTE.search(receiver):
            return True
        if last not in _SAFE_WORK and (last in verbs or not _TIDYING.search(last)):
            return True
    return False


def _fate(project: Project, path: str, function: Function, found: Swallow) -> str:
    """Say what becomes of the exception, "" where that is in order."""
    if _BESIDE.search(found.said):
        return ""
    is_adapter = project.adapters.is_adapter(path, function)
    if found.how == "returned":
        answer = next((item for item in function.returns if item.span == found.answer), None)
        if answer is not None:
            return _returned(project, path, function, answer, is_adapter)
    if not is_adapter:
        return ""
    if found.how == "passed" and project.policy(path).exceptions.root and _writes(found):
        later = [item for item in function.returns if item.span > found.span]
        if later and all(_is_success(project, path, function, item.value) for item in later):
            return "goes on to answer success"
    if found.how in ("returned", "ended") and any(item.value != _NONE for item in function.returns):
        return "answers `None`"
    is_known = bool(found.types) and all(_is_domain(project, path, function, name) for name in found.types)
    return "goes on" if found.how in ("ended", "passed") and (found.level == "error" or is_known) else ""


def _is_domain(project: Project, path: str, function: Function, name: str) -> bool:
    """Whether an exception is one of the policy's: it is raised for the boundary."""
    policy = project.policy(path)
    symbol = project.names.resolve(path, name, function.name)
    return bool(policy.exceptions.root) and project.domain.is_domain(symbol, policy)


def _writes(found: Swallow) -> bool:
    """Whether a ``try`` keeps or changes something for the caller."""
    return any(_WRITE.search(name.rpartition(".")[2]) for name in found.work)


def _returned(project: Project, path: str, function: Function, answer: Return, is_adapter: bool) -> str:
    """Say what a handler answers instead of the error.

    What a helper answers with ``None`` its callers look at in practice, as at what they raise from.
    """
    if project.classifier.classify(path, function, answer) is not None:
        return ""
    if not is_adapter and (_is_nothing(answer.value) or _is_asked(project, path, function)):
        return ""
    if _is_empty(project, path, function, answer.value):
        return f"answers {_words(answer.value)}"
    return "answers success" if _is_success(project, path, function, answer.value) else ""


def _is_asked(project: Project, path: str, function: Function) -> bool:
    """Whether a caller raises from what a function answers."""
    return any(caller.use.how == "raised" for caller in project.callers.may(path, function))


def _is_nothing(value: Value) -> bool:
    """Whether a value is ``None``, or a tuple that begins with it."""
    return all(
        each == _NONE or (type(each) is Sequence and each.kind == "tuple" and _NONE in each.items)
        for each in alternatives(value)
    )


def _is_empty(project: Project, path: str, function: Function, value: Value) -> bool:
    """Whether an answer has nothing in it: ``None``, ``[]``, ``""``, ``{"items": [], "total": 0}``."""
    if type(value) is Variable or type(value) is Choice:
        return bool(value.values) and all(_is_empty(project, path, function, item) for item in value.values)
    if type(value) is Sequence and value.kind == "tuple":
        return all(_is_empty(project, path, function, item) for item in value.items)
    if type(value) is Mapping:
        names = {parameter.name for parameter in function.parameters}
        values = [entry.value for entry in value.entries if not _is_given(entry.value, names)]
        # Beside what the function was asked for.
        is_whole = len(values) == len(value.entries) or any(map(_is_container, values))
        return not value.spreads and is_whole and all(_is_empty(project, path, function, item) for item in values)
    if type(value) is not Call:
        return is_empty(value) is True and not (type(value) is Constant and type(value.value) is bool)
    if value.inner is not None:
        return False
    if value.name in ("list", "set", "tuple", "frozenset"):
        return not value.arguments
    symbol = project.names.resolve(path, value.name, function.name)
    is_dump = value.name in ("json.dumps", "dumps")
    given = value.arguments[:1] if is_dump else value.arguments
    return (
        (is_dump or isinstance(symbol, ClassSymbol))
        and bool(given)
        and all(_is_empty(project, path, function, item.value) for item in given)
    )


def _is_given(value: Value, names: set[str]) -> bool:
    return type(value) is Ref and value.name in names


def _is_container(value: Value) -> bool:
    value = only(value)
    return (type(value) is Sequence and value.kind != "tuple") or type(value) is Mapping


def _words(value: Value) -> str:
    if type(value) is Variable:
        return f"`{value.name}`, which is empty then"
    if type(value) is Constant:
        return f"`{value.value}`"
    if type(value) is Text:
        return "an empty text"
    if type(value) is Sequence and value.kind == "list":
        return "`[]`"
    return "`{}`" if type(value) is Mapping and not value.entries else "an empty result"


def _is_success(project: Project, path: str, function: Function, value: Value) -> bool:
    """Whether an answer says that all went well."""
    value = only(value)
    if type(value) is Call and not isinstance(project.names.resolve(path, value.name, function.name), ClassSymbol):
        return False
    is_named = type(value) is Call and "Success" in value.name.rpartition(".")[2]
    return is_named or any(_says_success(*part) for part in named_parts(value).items())


def _says_success(key: str, value: Value) -> bool:
    if key.lower() in SUCCESS_KEYS:
        return value == Constant(True)
    status = constant_text(value) if key.lower() in STATUS_KEYS else None
    return status is not None and SUCCESS_STATUS.fullmatch(status) is not None
