"""ERR313: a failed parameter check with another code than the policy's, or that code once the backend was called."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.facts import Call, Case, Constant, Function, Mapping, Question, Ref, Sequence, Text, is_closed, only
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.calls import is_made_first, is_meant, is_pure, makes, roots
from errlint.project.conditions import Conditions, asks_for
from errlint.project.values import Located
from errlint.rules import RULES
from errlint.settings.policy import Codes

_CONVERSIONS = frozenset(
    {"ValueError", "TypeError", "KeyError", "IndexError", "AttributeError", "LookupError", "ValidationError",
     "JSONDecodeError", "UnicodeDecodeError", "InvalidOperation"}
)  # fmt: skip
"""What a conversion of a parameter fails with."""

UNAUTHORIZED = 401


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the raises in one file whose code belongs to the other side of the first call of the backend."""
    codes = project.policy(path).codes
    if codes.validation and not codes.backend:
        yield from _disallowed(project, path)
    if not (codes.validation and codes.backend) and not codes.refusals:
        return
    said: dict[tuple[str, object], set[object]] = {}
    for usage in project.codes.usages(path):
        if usage.how in ("raise", "message"):
            said.setdefault((usage.function, usage.place), set()).add(usage.found.text)
    for function in project.modules[path].functions:
        raised = [(case, texts) for case in function.cases if (texts := _told(said, function, case))]
        calls = _calls_backend(project, path, function) if raised else None
        for case, texts in raised:
            if len(texts) != 1:
                continue
            (code,) = texts
            message = _refused(project, path, case, str(code))
            if not message and calls is not None:
                message = _misplaced(project, path, function, case, str(code))
            if message:
                yield Finding(path, case.span, "ERR313", RULES["ERR313"].severity, message, function.name)


def _told(said: dict[tuple[str, object], set[object]], function: Function, case: Case) -> set[object]:
    """Return the codes with which a function raises in a case."""
    return said.get((function.name, case.span), set()) if case.how == "raise" else set()


def _calls_backend(project: Project, path: str, function: Function) -> bool | None:
    """Whether a function calls the backend; ``None`` where it does not even work for one that does so afterwards."""
    codes = project.policy(path).codes
    if not codes.validation or not codes.backend:
        return None
    names = dict.fromkeys(name for case in function.cases for name in (*case.before, *case.tried))
    if makes(project, path, function.name, names, codes.backend):
        return True
    return False if is_made_first(project, path, function, codes.backend) else None


def _misplaced(project: Project, path: str, function: Function, case: Case, code: str) -> str:
    """Say that a code belongs to the other side of the first call of the backend, "" where it does not."""
    codes = project.policy(path).codes
    called = makes(project, path, function.name, case.before, codes.backend)
    if code == codes.validation:
        if called and _is_after(project, path, function, case):
            return f"`{code}` is for checks before the backend is called, and here it was called by `{called}`"
    elif not called and not _is_about_identity(codes, code) and _is_check(project, path, function, case):
        return f"a check before the first call of the backend fails with `{code}`; use `{codes.validation}`"
    return ""


def _is_about_identity(codes: Codes, code: str) -> bool:
    """Whether a code says that nobody knows who is calling: a token that is missing is no wrong parameter."""
    return code in codes.vocabulary and codes.vocabulary[code].status == UNAUTHORIZED


def _refused(project: Project, path: str, case: Case, code: str) -> str:
    """Say that an error whose condition asks for something has another code than the policy says, "" for no such."""
    last = case.conditions[-1].span if case.conditions else None
    for condition in case.conditions:
        for asked in condition.tests if condition.span == last else ():
            for pattern, wanted in project.policy(path).codes.refusals.items():
                name = asks_for(asked, pattern)
                if name and code not in wanted:
                    return f"what is refused because of `{name}` fails with `{code}`; use `{'` or `'.join(wanted)}`"
    return ""


def _disallowed(project: Project, path: str) -> Iterator[Finding]:
    """Yield the raises of a tool about a value of a parameter that is not allowed, with another code and status."""
    codes = project.policy(path).codes
    for function in project.modules[path].functions:
        if not project.adapters.is_adapter(path, function):
            continue
        for case in function.cases:
            if case.how != "raise" or case.handlers or not _asks_for_values(project, path, function, case):
                continue
            texts = project.codes.of_raise(path, function.name, case)
            code = str(next(iter(texts))) if len(texts) == 1 else ""
            known = codes.vocabulary.get(code)
            expected = codes.vocabulary.get(codes.validation)
            if known is None or code == codes.validation or (expected is not None and known.status == expected.status):
                continue  # of the same status: another way to say that the parameters are wrong
            message = f"a check of a parameter fails with `{code}`; use `{codes.validation}`"
            yield Finding(path, case.span, "ERR313", RULES["ERR313"].severity, message, function.name)


def _asks_for_values(project: Project, path: str, function: Function, case: Case) -> bool:
    """Whether the last condition around a raise says that a parameter has none of some values that are written out."""
    parameters = {item.name for item in function.parameters if item.kind not in ("*", "**")} - {"self", "cls"}
    tests = case.conditions[-1].tests if case.conditions else ()
    return bool(tests) and all(_is_of_value(project, path, function, asked, parameters) for asked in tests)


def _is_of_value(project: Project, path: str, function: Function, asked: Question, parameters: set[str]) -> bool:
    if asked.operator == "false":
        return type(asked.subject) is Ref and asked.subject.name in parameters
    names = {*roots(asked.subject)}
    if asked.operator not in _REFUSING or not names or not names <= parameters:
        return False
    return _is_written(project, project.values.followed(path, function.name, asked.value))


_REFUSING = frozenset({"not in", "!=", "<", "<=", ">", ">="})


def _is_written(project: Project, at: Located) -> bool:
    """Whether a value is a constant, or a collection of nothing but constants."""
    value = only(at.value)
    if type(value) is Call and value.name in ("frozenset", "set", "tuple", "list") and len(value.arguments) == 1:
        value = only(value.arguments[0].value)
    if type(value) is Call and value.name.rpartition(".")[2] in ("get_args", "Literal"):
        return True
    if type(value) is Mapping:
        return bool(value.entries) and is_closed(value)
    if type(value) is Sequence:
        inner = (project.values.followed(at.path, at.scope, item) for item in value.items)
        return all(_is_written(project, item) for item in inner)
    return type(value) is Text or (type(value) is Constant and value.value is not None)


def _is_after(project: Project, path: str, function: Function, case: Case) -> bool:
    """Whether a raise comes of what the backend answered, or of a check that should have come before."""
    asks = Conditions(project, path, function.name)
    if any(
        asks.asks_status(asked) or asks.own_code(asked.subject) or asks.own_code(asked.value)
        for condition in case.conditions
        for asked in condition.tests
    ):
        return False  # the backend said that the request is wrong
    if not case.handlers:
        return True
    backend = project.policy(path).codes.backend
    types = case.handlers[0].types
    return (
        bool(types)
        and not any(name.rpartition(".")[2] in _CONVERSIONS for name in types)
        and any(is_meant(project, path, function.name, name, backend) for name in case.tried)
    )


def _is_check(project: Project, path: str, function: Function, case: Case) -> bool:
    """Whether a raise can only be about the parameters: nobody was asked, and the conditions are about nothing else."""
    if case.handlers or not case.conditions or not all(is_pure(project, path, function, name) for name in case.before):
        return False
    parameters = {item.name for item in function.parameters} - {"self", "cls"}
    asked_for = {
        root
        for asked in case.conditions[-1].tests
        for value in ((asked.subject,) if asked.operator in ("true", "false") else (asked.subject, asked.value))
        for root in roots(value)
    }
    return any(root in parameters or not root for root in asked_for)
