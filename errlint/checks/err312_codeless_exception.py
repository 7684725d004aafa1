"""ERR312: a domain exception without a code, or whose constructor does not set the one of its base."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.error_keywords import EXCEPTION_ENDINGS
from errlint.facts import Constant, Function
from errlint.findings import Finding, Related, Span
from errlint.project import Project
from errlint.project.domain import matches
from errlint.project.names import ClassSymbol
from errlint.rules import RULES
from errlint.settings.policy import bare_name

_BUILTIN = ("Exception.__init__", "BaseException.__init__")


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the domain exceptions of one file that have no code where they should."""
    if not project.codes.applies(path):
        return
    policy = project.policy(path)
    related: tuple[Related, ...]
    for definition in project.modules[path].classes:
        symbol = ClassSymbol(path, definition)
        if definition.members is None or not project.domain.is_domain(symbol, policy):
            continue
        skipped = _skipped(project, symbol)
        if skipped is not None:
            base, name = skipped
            message = (
                f"the constructor of `{_short(symbol)}` does not call that of `{_short(base)}`, which sets `{name}`"
            )
            constructor = project.names.own_method(symbol, "__init__")
            assert constructor is not None
            related = (Related(base.path, base.definition.span, f"`{_short(base)}` is here"),)
            yield _finding(path, constructor.span, message, related)
        elif parent := _missing_parent(project, symbol):
            message = f"`{_short(symbol)}` is not below `{parent}`, from which the policy gives it code and status"
            yield _finding(path, definition.span, message, ())
        elif project.codes.lacks_code(symbol):
            example = project.codes.example(symbol)
            related = ()
            as_in = ""
            if example is not None:
                related = (Related(example.path, example.definition.span, f"`{_short(example)}` has one"),)
                as_in = f", as `{_short(example)}` has"
            message = f"`{_short(symbol)}` has no error code of its own and inherits none; give it one{as_in}"
            yield _finding(path, definition.span, message, related)


def _missing_parent(project: Project, symbol: ClassSymbol) -> str:
    """Return the class that the policy puts an exception below and that it is not below, "" for none."""
    line = project.hierarchy.ancestors(symbol)
    for name, parent in project.policy(symbol.path).exceptions.parents.items():
        if matches(line[0], (name,)) and not any(matches(above, (parent,)) for above in line[1:]):
            return bare_name(parent)
    return ""


def _skipped(project: Project, symbol: ClassSymbol) -> tuple[ClassSymbol, str] | None:
    """Return the base whose constructor sets a code, or anything, that a class does not set, and the name of it."""
    constructor = project.names.own_method(symbol, "__init__")
    if constructor is None or _calls_a_base(constructor) or not _is_read(symbol):
        return None
    names = project.codes.carriers(symbol.path)
    line = project.hierarchy.bases(symbol)
    own = {entry.key for entry in constructor.stores}
    own |= {
        entry.key
        for base in line
        for entry in base.definition.members or ()
        if type(entry.value) is not Constant or entry.value.value is not None
    }
    others: list[tuple[ClassSymbol, str]] = []
    for base in line[1:]:
        found = project.names.own_method(base, "__init__")
        if found is None:
            continue
        set_there = next((entry.key for entry in found.stores if entry.key in names and entry.key not in own), None)
        if set_there:
            return base, set_there
        others.extend((base, entry.key) for entry in found.stores if entry.key and entry.key not in own)
        if not _calls_a_base(found):
            break  # nothing above it is reached
    return others[0] if others and not constructor.calls else None  # what it stores otherwise is lost as well


def _calls_a_base(constructor: Function) -> bool:
    """Whether a constructor calls one of the project, not only that of Python's own ``Exception``."""
    return any(called.value.name not in _BUILTIN for called in constructor.calls)


def _is_read(symbol: ClassSymbol) -> bool:
    """Whether constructors of a class are read whole: those of classes that are exceptions by their bases' names."""
    return any(base.rpartition(".")[2].endswith(EXCEPTION_ENDINGS) for base in symbol.definition.bases)


def _short(symbol: ClassSymbol) -> str:
    return symbol.definition.name.rpartition(".")[2]


def _finding(path: str, span: Span, message: str, related: tuple[Related, ...]) -> Finding:
    return Finding(path, span, "ERR312", RULES["ERR312"].severity, message, related=related)
