"""ERR305: the message gets the prefix with its code, where one is known."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from errlint.facts import Call, Raise, only
from errlint.findings import Finding
from errlint.fix.model import Doubt, refuse
from errlint.fix.rewrite import Changes, Edit
from errlint.fix.rules.node_lookup import Fixed, raised
from errlint.fix.source_cache import Files
from errlint.project import Project
from errlint.project.calls import first_call
from errlint.project.names import ClassSymbol


def plan(project: Project, files: Files, finding: Finding) -> Fixed:
    """Return the fix of one finding: the code of the raise, of its class or of a failed check, before its message."""
    path = finding.path
    policy = project.policy(path)
    function = project.names.function(path, finding.function)
    found = next((item for item in function.raises if item.span == finding.span), None) if function else None
    if function is None or found is None:
        raise refuse("its raise was not found")
    codes = set(_codes(project, path, function.name, found))
    called = first_call(function, policy) if policy.codes.validation and not found.handlers else None
    if called is not None and finding.span < called.span and not _is_passed(project, path, function.name, found):
        codes.add(policy.codes.validation)
    if len(codes) != 1:
        raise refuse("no code is known for it" if not codes else "several codes are possible")
    prefix = policy.codes.prefix.replace("{code}", codes.pop())
    parsed = files.parse(path)
    node = raised(parsed, finding.span)
    call = node.exc
    if not isinstance(call, cst.Call):
        raise refuse("the exception is made elsewhere")
    message = next((item.value for item in call.args if item.keyword is None or item.keyword.value == "message"), None)
    while isinstance(message, cst.BinaryOperation):
        message = message.left
    first = message
    while isinstance(first, cst.ConcatenatedString):
        first = first.left
    if not isinstance(first, (cst.SimpleString, cst.FormattedString)) or any(char in prefix for char in "\\{}'\""):
        raise refuse("the message is written elsewhere")
    assert message is not None
    opening = policy.codes.prefix.partition("{code}")[0].strip()
    if opening and parsed.code(first.with_changes(lpar=(), rpar=())).lstrip("rRfFbBuU\"'").startswith(opening):
        raise refuse("the message begins with a prefix of another form", path, finding.span.line)
    # Neighbouring strings are one expression to the interpreter.
    whole = parsed.code(message.with_changes(lpar=(), rpar=()))
    start = len(first.prefix) + len(first.quote) if isinstance(first, cst.SimpleString) else len(first.start)
    edit = Edit(message, whole[:start] + prefix + whole[start:])
    doubt = Doubt(f"the message begins with `{prefix.strip()}` from now on", path, finding.span.line)
    return Fixed({path: Changes(edited=(edit,))}, (doubt,))


def _codes(project: Project, path: str, scope: str, found: Raise) -> Iterator[str]:
    """Yield the codes that a raise passes, else those that its class has or takes by default."""
    value = only(found.value)
    passed = list(_passed(project, path, scope, found))
    symbol = project.names.resolve(path, value.name, scope) if type(value) is Call else None
    if not passed and isinstance(symbol, ClassSymbol):
        for base in project.hierarchy.bases(symbol):
            passed = [item.found.text for item in project.codes.own(base.path) if item.owner == base.definition.name]
            if passed:
                break
    yield from (text for text in passed if isinstance(text, str))


def _is_passed(project: Project, path: str, scope: str, found: Raise) -> bool:
    return any(True for _ in _passed(project, path, scope, found))


def _passed(project: Project, path: str, scope: str, found: Raise) -> Iterator[str | int]:
    policy = project.policy(path)
    for name, item in project.codes.fields(path, scope, only(found.value), policy):
        if name in policy.codes.arguments:
            yield from (code.text for code in project.codes.resolved(path, scope, item))
