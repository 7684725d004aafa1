"""ERR308: control flow decides on an error's text or status instead of its code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from errlint.facts import Branch, Call, Function, Ref, Value, only
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.classified import unclassified
from errlint.project.domain import matches
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol
from errlint.project.raise_outcome import is_domain
from errlint.project.unchecked import spellings
from errlint.rules import RULES
from errlint.settings import Policy

_CODED = {"botocore.exceptions.ClientError": '`response["Error"]["Code"]`'}
"""Foreign exceptions that have a code, and where it is."""

_CODE = re.compile(r"[A-Z][a-z]+(?:[A-Z][a-z]+)+")
"""What a code of such an exception looks like; other texts may tell what no code does."""


_BY_TEXT = frozenset({"retry_if_exception_message", "retry_if_not_exception_message"})
"""Conditions of retrying decorators that look at the text of an exception."""

_CLIENT = frozenset({"call_tool", "call_tool_mcp"})
"""Methods of clients that answer what a tool has answered, errors too: the text of one is in the content."""


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the conditions of one file on the text of an error that has a code or a class to decide on."""
    if project.layout.distribution(path) not in project.adapters.distributions and not project.is_governed(path):
        return
    policy = project.policy(path)
    severity = RULES["ERR308"].severity
    has_codes = bool(policy.exceptions.root) and bool(policy.codes.registry or policy.codes.vocabulary)
    for each in unclassified(project, path):
        caught = " or ".join(f"`{name}`" for name in each.caught) or "everything"
        asked = policy.codes.classifiers[0].strip("*.")
        text = f"gives `{each.code}` to {caught}, whatever kind of failure it is; ask `{asked}`"
        yield Finding(path, each.span, "ERR308", severity, text, each.function.name)
    for function in project.modules[path].functions:
        for found in function.branches:
            if found.callee:
                codes = [_answered(project, path, function, found.callee, policy)]
                what = f"what `{found.callee.rpartition('.')[2]}` answers"
            else:
                codes = [_code(project, path, function, found, name, policy) for name in found.types]
                what = f"`{found.types[0].rpartition('.')[2]}`" if found.types else ""
            if not codes or not all(codes):
                continue
            status = next((name for name in found.statuses if name in policy.codes.status_arguments), "")
            if status and has_codes and all(code.startswith("its code") for code in codes):
                text = f"decides on `{status}` of {what}; decide on its code"
                yield Finding(path, found.span, "ERR308", severity, text, function.name)
                continue
            texts = [*found.texts, *filter(None, _patterns(project, path, function, found))]
            if texts and not _is_prefixed(texts, policy):
                text = f'decides on the text of {what} ("{texts[0]}"), which may change; decide on {codes[0]}'
                yield Finding(path, found.span, "ERR308", severity, text, function.name)
        if has_codes and any(map(_retries_by_text, function.decorations)):
            text = "tries again by the text of an exception, which may change; decide on its code"
            yield Finding(path, function.span, "ERR308", severity, text, function.name)


def _patterns(project: Project, path: str, function: Function, found: Branch) -> Iterator[str]:
    """Yield the regular expressions that a text is searched for; "" for one that is not known."""
    yield from found.patterns
    for name in found.named:
        made = project.values.followed(path, function.name, Ref(name)).value
        if type(made) is Call and made.name.rpartition(".")[2] == "compile" and made.arguments:
            yield project.values.text(path, function.name, made.arguments[0].value) or ""


def _retries_by_text(decoration: Value) -> bool:
    """Whether a decorator that calls again looks at the text of what was raised."""
    if type(decoration) is not Call:
        return False
    if decoration.name.rpartition(".")[2] in _BY_TEXT:
        return True
    return any(_retries_by_text(argument.value) for argument in decoration.arguments)


def _answered(project: Project, path: str, function: Function, callee: str, policy: Policy) -> str:
    """Say what to decide on instead of the text in the result of a call, "" where there may be nothing."""
    if callee.rpartition(".")[2] in _CLIENT:
        return "the code that it begins with" if policy.codes.prefix else ""
    symbol = project.names.resolve(path, callee, function.name)
    if not isinstance(symbol, FunctionSymbol):
        return ""
    for answer in symbol.function.returns:
        made = only(answer.value)
        if type(made) is not Call or not policy.response.types:
            continue
        names = spellings(project, symbol.path, made.name, symbol.function.name)
        given = [item.name for item in made.arguments if item.name in policy.codes.arguments]
        if given and any(matches(name, policy.response.types) for name in names):
            return f"its `{given[0]}`"
    return ""


def _code(project: Project, path: str, function: Function, found: Branch, name: str, policy: Policy) -> str:
    """Say what to decide on where an exception has something better than its text, "" where it may have nothing."""
    symbol = project.names.resolve(path, name, function.name)
    if isinstance(symbol, ExternalSymbol):
        if symbol.name in _CODED:
            return _CODED[symbol.name] if found.texts and all(map(_CODE.fullmatch, found.texts)) else ""
        if policy.codes.classifiers and "." in symbol.name and not symbol.name.startswith("builtins."):
            return f"what `{policy.codes.classifiers[0].strip('*.')}` says"
        known = bool(policy.exceptions.root) and is_domain(project, symbol, policy)
        return "its code" if known and (policy.codes.registry or policy.codes.vocabulary) else ""
    if not isinstance(symbol, ClassSymbol) or not is_domain(project, symbol, policy):
        return ""
    return "its code" if policy.codes.registry or policy.codes.vocabulary else "its class or a code"


def _is_prefixed(texts: list[str], policy: Policy) -> bool:
    """Whether a condition looks for the code with which the policy lets a message begin."""
    if not policy.codes.prefix:
        return False
    pattern = re.escape(policy.codes.prefix.strip()).replace(r"\{code\}", r"[\w|()-]+")
    return all(re.match(pattern, text.removeprefix("^").replace("\\", "")) for text in texts)
