"""What looks like a boundary: decorators, middleware and exception handlers, with what each catches and answers.

It is told of the code, never of a name: a boundary here is what calls the functions it stands around inside of a
``try`` and answers, or raises as another, what it catches there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from msgspec import structs

from errlint.collect import collect
from errlint.error_keywords import EXCEPTION_HANDLERS, is_log_call
from errlint.facts import Call, Constant, Function, Item, Ref, Return, Sequence, Text, Value, Variable, only
from errlint.facts import Mapping as Dict
from errlint.index.catching import is_broad
from errlint.index.vocabulary import Vocabulary
from errlint.init.servers import server_framework
from errlint.init.statements import About, Seen, Statement, counted, listed, seen
from errlint.project import Project
from errlint.project.callers import uses_of
from errlint.project.frameworks import FRAMEWORKS, is_from
from errlint.project.interceptions import Interception, Outcome, Reaction, calls_one_of, interceptions
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol
from errlint.project.raise_outcome import is_protocol
from errlint.project.registry import number
from errlint.settings import Boundary, Policy
from errlint.settings.policy import bare_name
from errlint.source import read_text

_MOST = 8
_DEPTH = 3
_STATUS = ("status_code", "status")
_CALLS_NEXT = frozenset({"call_next", "next_call", "handler", "next_handler", "self.app", "self.get_response"})
"""What middleware calls to go on."""

_AROUND_TOOLS = frozenset({"__call__", "on_message", "on_request", "on_call_tool"})
"""Methods of FastMCP's middleware that are called around each call of a tool (its documentation, "Middleware")."""

_REGISTRARS = frozenset({"add_exception_handler", "register_error_handler"})
"""Last parts of the calls by which web frameworks are told who answers the exceptions of a class."""


class Kind(str, Enum):
    """What stands around functions."""

    DECORATOR = "decorator"
    MIDDLEWARE = "middleware"
    HANDLER = "exception handler"


class Answer(NamedTuple):
    """What a clause makes of an exception: in words, and where.

    ``keys`` are those of a dict that is answered and what fills them, ``converter`` the function of the project that
    builds it, ``error`` the absolute name of the class that is raised, "" for none that is known.
    """

    how: Reaction
    text: str
    place: Seen
    keys: Mapping[str, str] = MappingProxyType({})
    spread: str = ""
    converter: str = ""
    error: str = ""


class Clause(NamedTuple):
    """What is caught (nothing: everything), where, and what becomes of it (nothing: the function goes on)."""

    types: tuple[str, ...]
    place: Seen
    answers: tuple[Answer, ...]

    @property
    def is_broad(self) -> bool:
        """Whether it catches every exception."""
        return is_broad(self.types)


class Candidate(NamedTuple):
    """Something that looks like a boundary.

    ``functions`` is the number of functions it is on, ``adapters`` how many of these clients call, ``first`` the place
    of one. ``coverage`` says of each distribution with adapters that it is around, in whatever way,
    of how many and how many there are. ``operation`` and ``empty_result`` are the names of its arguments, "" for none.
    """

    kind: Kind
    name: str
    place: Seen
    functions: int
    adapters: int
    first: Seen | None
    clauses: tuple[Clause, ...]
    coverage: Mapping[str, tuple[int, int]] = MappingProxyType({})
    operation: str = ""
    logs: bool = False

    @property
    def covered(self) -> int:
        """How many adapters it is around."""
        return sum(number for number, _ in self.coverage.values())

    @property
    def broad(self) -> Clause | None:
        """The clause that catches every exception and makes something of it."""
        broad = (clause for clause in self.clauses if clause.is_broad)
        return next((each for each in broad if any(item.how is not Reaction.AGAIN for item in each.answers)), None)


def candidates(project: Project) -> tuple[Candidate, ...]:
    """Return what looks like a boundary in a project, that with most adapters below it first."""
    found = [*_decorators(project), *_middleware(project), *_handlers(project)]
    return tuple(sorted(found, key=lambda item: (-item.adapters, -item.functions, item.name, item.place)))


def statements(found: tuple[Candidate, ...], alone: Alone | None) -> Iterator[Statement]:
    """Yield what there is to say of boundaries, and of adapters that do without one."""
    if not found:
        yield Statement(
            About.BOUNDARIES, "no decorator, middleware or exception handler of the project answers exceptions"
        )
    for item in found[:_MOST]:
        yield _told(item)
    if len(found) > _MOST:
        rest = found[_MOST:]
        yield Statement(
            About.BOUNDARIES,
            f"{len(rest)} more",
            tuple(item.place for item in rest),
            {"names": [item.name for item in rest]},
        )
    if alone is not None:
        is_one = alone.number == 1
        catch, own, answer = ("catches", "itself", "answers") if is_one else ("catch", "themselves", "answer")
        text = f"{alone.number:,} of {counted(alone.total, 'adapter')} {catch} every exception {own} and {answer} it"
        yield Statement(About.BOUNDARIES, text, (alone.first,), {"count": alone.number, "adapters": alone.total})


def _told(item: Candidate) -> Statement:
    clauses = "; ".join(_of_clause(clause) for clause in item.clauses)
    if item.kind is Kind.DECORATOR:
        on = counted(item.functions, "function")
        if item.adapters:
            on += ", which clients call" if item.functions == 1 else f", {item.adapters:,} of which clients call"
        if item.covered > item.adapters:
            adapters = counted(sum(number for _, number in item.coverage.values()), "adapter")
            on += f"; around {item.covered:,} of {adapters}"
        text = f"the decorator `{item.name}` (on {on}) {clauses}"
    elif item.kind is Kind.MIDDLEWARE:
        adapters = counted(sum(number for _, number in item.coverage.values()), "adapter")
        on = f" (around {item.covered:,} of {adapters})" if item.coverage else ""
        text = f"the middleware `{item.name}`{on} {clauses}"
    else:
        text = f"the exception handler `{item.name}` {clauses}"
    places = [item.place]
    for clause in item.clauses:
        places.append(clause.place)
        places.extend(answer.place for answer in clause.answers)
    if item.first is not None:
        places.append(item.first)
    details = {
        "kind": item.kind.value,
        "name": item.name,
        "functions": item.functions,
        "adapters": item.adapters,
        "covered": item.covered,
        "catches": [
            {
                "exceptions": list(clause.types) or ["BaseException"],
                "place": str(clause.place),
                "answers": [
                    {
                        "how": answer.how.value,
                        "what": answer.text,
                        "keys": list(answer.keys),
                        "place": str(answer.place),
                    }
                    for answer in clause.answers
                ],
            }
            for clause in item.clauses
        ],
    }
    return Statement(About.BOUNDARIES, text, tuple(dict.fromkeys(places)), details)


def _of_clause(clause: Clause) -> str:
    caught = listed(clause.types, 4) if clause.types else "everything"
    if not clause.answers:
        return f"catches {caught} and goes on"
    done = [
        f"raises {'it' if len(clause.types) == 1 else 'them'} again"
        if answer.how is Reaction.AGAIN
        else f"{answer.how.value} {answer.text}"
        for answer in clause.answers
    ]
    return f"catches {caught} and {' or '.join(dict.fromkeys(done))}"


# --- adapters without one -------------------------------------------------------------------------------------------


class Alone(NamedTuple):
    """How many adapters catch every exception themselves and answer it, of how many, and the place of one."""

    number: int
    total: int
    first: Seen


def alone(project: Project) -> Alone | None:
    """Return the adapters that are boundaries of their own, ``None`` where there is none."""
    found: list[Seen] = []
    total = 0
    for path, module in project.modules.items():
        for function in module.functions:
            if not project.adapters.is_adapter(path, function):
                continue
            total += 1
            for attempt in function.tries:
                catch = next((item for item in attempt.catches if is_broad(item.types)), None)
                if catch is not None and catch.span != attempt.span and "return" in catch.exits:
                    found.append(seen(path, catch.span))
                    break
    return Alone(len(found), total, min(found)) if found else None


# --- decorators -----------------------------------------------------------------------------------------------------


def _decorators(project: Project) -> Iterator[Candidate]:
    """Yield the decorators of the project that catch what the functions below them raise."""
    used: dict[FunctionSymbol, list[tuple[str, Function]]] = {}
    for path, module in project.modules.items():
        for function in module.functions:
            if function.tries and "wraps" in map(bare_name, function.decorators) and "." in function.name:
                outer = project.names.function(path, function.name.partition(".")[0])
                if outer is not None and not outer.owner:
                    used.setdefault(FunctionSymbol(path, outer), [])
            scope = function.name.rpartition(".")[0]
            for name in dict.fromkeys(function.decorators):
                symbol = project.names.resolve(path, name, scope)
                if isinstance(symbol, FunctionSymbol) and not project.adapters.registers(path, name, scope):
                    used.setdefault(symbol, []).append((path, function))
    for symbol, places in used.items():
        candidate = _decorator(project, symbol, places)
        if candidate is not None:
            yield candidate


def _decorator(project: Project, symbol: FunctionSymbol, places: list[tuple[str, Function]]) -> Candidate | None:
    path, outer = symbol
    parts = (outer, *project.boundaries.parts(symbol))
    own = [item.name for item in outer.parameters]
    given = frozenset(item.name for part in parts for item in part.parameters if item.kind == "")
    found = [(part, each) for part in parts for each in interceptions(part, calls_one_of(given))]
    clauses = _distinct(_clause(project, path, each, given, own) for _, each in found)
    if not any(answer.how is not Reaction.AGAIN for clause in clauses for answer in clause.answers):
        return None
    adapters = [seen(other, item.span) for other, item in places if _is_called_by_clients(project, other, item)]
    name = project.names.absolute(symbol)
    around = {path, *(other for other, _ in places)}
    is_broad = any(clause.is_broad for clause in clauses)
    coverage = _coverage(project, Boundary(decorator=name), around) if is_broad else {}
    if not places and not coverage:
        return None
    return Candidate(
        Kind.DECORATOR,
        name,
        seen(path, outer.span),
        len(places),
        len(adapters),
        min(adapters or [seen(other, item.span) for other, item in places], default=None),
        clauses,
        coverage,
        "operation" if "operation" in own else "",
        any(_logs(part, each) for part, each in found),
    )


def _coverage(project: Project, boundary: Boundary, around: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Return of how many adapters a boundary is around, on them or on their way to the server, by distribution.

    Looked at are the distributions of the files ``around``, in which it is defined and used.
    """
    policy = Policy(boundaries=(boundary,))
    where = project.layout.distribution
    distributions = set(map(where, around))
    modules = {path: module for path, module in project.modules.items() if where(path) in distributions}
    bounded = Project(project.layout, modules, structs.replace(project.settings, policy=policy))
    found: dict[str, list[bool]] = {}
    for path, module in modules.items():
        for function in module.functions:
            if bounded.adapters.is_adapter(path, function) and not bounded.boundaries.is_prompt(path, function):
                found.setdefault(where(path), []).append(bounded.boundaries.is_covered(path, function))
    return {distribution: (sum(each), len(each)) for distribution, each in found.items() if any(each)}


def _is_called_by_clients(project: Project, path: str, function: Function) -> bool:
    return project.adapters.is_adapter(path, function) or project.routes.is_route(path, function)


def _distinct(clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """Return clauses without those that say the same again: decorators have a wrapper for each kind of function."""
    kept: dict[tuple[tuple[str, ...], tuple[str, ...]], Clause] = {}
    for clause in clauses:
        kept.setdefault((clause.types, tuple(f"{answer.how} {answer.text}" for answer in clause.answers)), clause)
    return tuple(kept.values())


def _logs(function: Function, found: Interception) -> bool:
    following = [catch.span.line for each in function.tries for catch in each.catches]
    end = min((line for line in following if line > found.catch.span.line), default=None)
    return any(
        is_log_call(use.callee) and found.catch.span.line <= use.span.line and (end is None or use.span.line < end)
        for use in function.uses
    )


# --- middleware and handlers ----------------------------------------------------------------------------------------


def _middleware(project: Project) -> Iterator[Candidate]:
    """Yield the middleware that answers what the calls it goes on with raise."""
    for path, module in project.modules.items():
        for function in module.functions:
            around = _of_middleware(project, path, function)
            if around is None:
                continue
            given = frozenset(item.name for item in function.parameters if item.kind == "") - {"self"} | _CALLS_NEXT
            found = [*interceptions(function, calls_one_of(given))]
            clauses = _distinct(_clause(project, path, each, given, []) for each in found)
            if any(answer.how is not Reaction.AGAIN for clause in clauses for answer in clause.answers):
                span = around.definition.span if isinstance(around, ClassSymbol) else function.span
                name = project.names.absolute(around)
                is_broad = any(clause.is_broad for clause in clauses)
                coverage: Mapping[str, tuple[int, int]] = {}
                if is_broad and isinstance(around, ClassSymbol) and _is_around_tools(project, around, function):
                    coverage = _coverage(project, Boundary(middleware=(name,)), project.modules)
                logs = any(_logs(function, each) for each in found)
                yield Candidate(
                    Kind.MIDDLEWARE, name, seen(path, span), 0, 0, None, clauses, coverage=coverage, logs=logs
                )


def _is_around_tools(project: Project, owner: ClassSymbol, function: Function) -> bool:
    """Whether a tool server calls a method of its middleware around each call of a tool, as web servers do not."""
    names = project.hierarchy.base_names(owner)
    of_server = any(is_from(item, name) for name in names for item in FRAMEWORKS)
    return of_server and bare_name(function.name) in _AROUND_TOOLS


def _of_middleware(project: Project, path: str, function: Function) -> ClassSymbol | FunctionSymbol | None:
    """Return the middleware that a function is, or is a method of, ``None`` for any other function."""
    if any(bare_name(name) == "middleware" and "." in name for name in function.decorators):
        return FunctionSymbol(path, function)
    owner = project.names.enclosing_class(path, function.name) if function.owner else None
    if owner is None:
        return None
    names = (owner.definition.name, *project.hierarchy.base_names(owner))
    return owner if any(name.endswith("Middleware") for name in names) else None


def _handlers(project: Project) -> Iterator[Candidate]:
    """Yield the functions that a web framework is told to have answer the exceptions of a class."""
    tables = _handled_by_tables(project)
    for path, module in project.modules.items():
        for function in module.functions:
            types = [*_handled_by_decorator(function), *_handled_by_call(project, path, function)]
            types += tables.get(FunctionSymbol(path, function), [])
            if not types:
                continue
            answers = tuple(
                _answer(project, path, function, Outcome(Reaction.ANSWERS, item.span, item.value), frozenset(), [], "")
                for item in function.returns
            )
            clause = Clause(tuple(dict.fromkeys(types)), seen(path, function.span), _distinct_answers(answers))
            name = project.names.absolute(FunctionSymbol(path, function))
            yield Candidate(Kind.HANDLER, name, seen(path, function.span), 0, 0, None, (clause,))


def _distinct_answers(answers: Iterable[Answer]) -> tuple[Answer, ...]:
    return tuple({(answer.how, answer.text): answer for answer in reversed([*answers])}.values())[::-1]


def _handled_by_decorator(function: Function) -> Iterator[str]:
    for position, name in enumerate(function.decorators):
        if name.rpartition(".")[2] in EXCEPTION_HANDLERS and "." in name:
            value = function.decorations[position] if function.decorations else None
            yield from _class_names(value.arguments[0].value) if type(value) is Call and value.arguments else ("?",)


def _class_names(value: Value) -> Iterator[str]:
    value = only(value)
    if type(value) is Ref:
        yield value.name
    elif type(value) is Constant:
        yield f"status {value.value}"
    elif type(value) is Sequence:
        for item in value.items:
            yield from _class_names(item)
    else:
        yield "?"


def _handled_by_tables(project: Project) -> dict[FunctionSymbol, list[str]]:
    """Return what functions handle by tables that applications are made with, as ``exception_handlers=``."""
    found: dict[FunctionSymbol, list[str]] = {}
    for path, module in project.modules.items():
        held = {item.name: item.value for item in module.assigned if type(item.value) is Dict}
        for scope, use in uses_of(module) if held else ():
            table = held.get(use.callee) if use.how == "passed" else None
            if type(table) is not Dict or server_framework(project, path, scope, use.receiver) is None:
                continue
            for entry in table.entries:
                name = getattr(entry.value, "name", "")
                symbol = project.names.resolve(path, name) if name else None
                if isinstance(symbol, FunctionSymbol):
                    what = f"status {entry.name}" if entry.name.isdigit() else entry.name or "?"
                    found.setdefault(symbol, []).append(what)
    return found


def _handled_by_call(project: Project, path: str, function: Function) -> Iterator[str]:
    if "." in function.name:
        return
    for caller in project.callers.may(path, function):
        use = caller.use
        if use.how != "passed" or use.receiver.rpartition(".")[2] not in _REGISTRARS:
            continue
        around = project.callers.around(caller)
        uses = around.uses if around is not None else project.modules[caller.path].uses
        beside = [each.callee for each in uses if each.span == use.span and each.receiver == use.receiver]
        classes = [name for name in beside if name != use.callee]
        yield from classes or ("?",)


# --- what is answered -----------------------------------------------------------------------------------------------


def _clause(project: Project, path: str, found: Interception, given: frozenset[str], own: list[str]) -> Clause:
    outcomes = found.outcomes
    if "end" in found.catch.exits:
        outcomes += tuple(_behind(project, path, found))
    answers = [_answer(project, path, found.function, outcome, given, own, found.catch.name) for outcome in outcomes]
    return Clause(found.catch.types, seen(path, found.catch.span), _distinct_answers(answers))


def _answer(
    project: Project,
    path: str,
    function: Function,
    outcome: Outcome,
    given: frozenset[str],
    own: list[str],
    caught: str,
) -> Answer:
    place = seen(path, outcome.span)
    value = only(outcome.value)
    if value is None:
        return Answer(outcome.how, "", place)
    if outcome.how is Reaction.RAISES:
        name = getattr(value, "name", "") or "?"
        symbol = project.names.resolve(path, name, function.name)
        if symbol is None and name == caught:
            return Answer(Reaction.AGAIN, "", place)
        error = symbol.name if isinstance(symbol, ExternalSymbol) else ""
        if isinstance(symbol, ClassSymbol):
            error = project.names.absolute(symbol)
        what = "what its argument says" if symbol is None and name in given else f"`{name.rpartition('.')[2]}`"
        return Answer(outcome.how, what, place, error=error)
    described = _Description(project, path, function, caught).of(value)
    spread = next((name for name in described.spreads if name in own), "")
    keys = {**described.keys, **({"result": "empty_result"} if spread else {})}
    return Answer(outcome.how, described.text, place, keys, spread, described.converter)


def _behind(project: Project, path: str, found: Interception) -> Iterator[Outcome]:
    """Yield what is answered behind the ``try``, with what the clause has put into the name that is answered."""
    text = read_text(project.settings.root / path)
    name = found.function.name
    # Ways through a function are only collected of what a policy names, which nobody has done yet.
    asked = Vocabulary(boundaries=frozenset({bare_name(name)}))
    functions = collect(text, asked).functions if text is not None else ()
    for way in (way for item in functions if item.name == name for way in item.ways):
        if not (way.is_caught and way.span == found.catch.span and way.exit == "return" and way.steps):
            continue
        last = way.steps[-1]
        value = only(last.value)
        stored = [step for step in way.steps if type(value) is Ref and step.target == value.name and not step.key]
        step = stored[-1] if stored else last
        if step.span.line > found.catch.span.line and last.span not in {each.span for each in found.outcomes}:
            yield Outcome(Reaction.ANSWERS, step.span, step.value)


class _Described(NamedTuple):
    text: str
    keys: Mapping[str, str] = MappingProxyType({})
    spreads: tuple[str, ...] = ()
    converter: str = ""


class _Description(NamedTuple):
    """Says what a value is that a function answers for the exception that it calls ``caught``."""

    project: Project
    path: str
    function: Function
    caught: str

    def of(self, value: Value, depth: int = 0) -> _Described:
        """Return a value in words, and its keys where it is a dict."""
        value = only(value)
        if type(value) is Variable:
            known = [self.of(item, depth + 1) for item in value.values[:4]] if depth < _DEPTH else []
            return known[0] if known and all(item == known[0] for item in known) else _Described(f"`{value.name}`")
        if type(value) is Dict:
            return self._dict(value)
        if type(value) is Text:
            opening = value.parts[0] if value.parts and isinstance(value.parts[0], str) else ""
            return _Described(f"the text `{opening.strip()[:40]}...`" if opening.strip() else "a text")
        if type(value) is Constant:
            return _Described(f"`{value.value}`")
        if type(value) is Sequence:
            return self._sequence(value, depth)
        if type(value) is Call:
            return self._call(value, depth)
        if type(value) is Ref:
            return _Described(f"`{value.name}`")
        return _Described("a part of something" if type(value) is Item else "a value")

    def _dict(self, value: Dict) -> _Described:
        keys = {entry.key: self._filled(entry.value) for entry in value.entries if entry.key is not None}
        spreads = tuple(name for item in value.spreads if (name := getattr(only(item), "name", "")))
        also = f" and what `{spreads[0]}` has" if spreads else ""
        return _Described(f"a dict with {listed([*keys])}{also}" if keys else "a dict", keys, spreads)

    def _filled(self, value: Value) -> str:
        """Return what fills a key: the message of the exception, with what is around it, or anything."""
        value = only(value)
        if self._is_message(value):
            return "{message}"
        if type(value) is not Text:
            return "*"
        parts = [
            part if isinstance(part, str) else "{message}" if self._is_message(part) else "*" for part in value.parts
        ]
        return "".join(parts) if "{message}" in parts else "*"

    def _is_message(self, value: Value) -> bool:
        value = only(value)
        if type(value) is Text and len(value.parts) == 1 and not isinstance(value.parts[0], str):
            value = only(value.parts[0])
        if type(value) is Call and value.name == "str" and len(value.arguments) == 1:
            value = only(value.arguments[0].value)
        return bool(self.caught) and type(value) is Ref and value.name == self.caught

    def _sequence(self, value: Sequence, depth: int) -> _Described:
        if not value.items or depth >= _DEPTH:
            return _Described(f"an empty {value.kind}" if not value.items else f"a {value.kind}")
        first = self.of(value.items[0], depth + 1)
        if value.kind == "tuple" and len(value.items) > 1 and (status := number(only(value.items[1]))) is not None:
            return first._replace(text=f"{first.text} with the status {status}", keys=MappingProxyType({}))
        return _Described(f"a {value.kind} of {first.text}")

    def _call(self, value: Call, depth: int) -> _Described:
        last = value.name.rpartition(".")[2]
        symbol = self.project.names.resolve(self.path, value.name, self.function.name) if value.name else None
        if isinstance(symbol, FunctionSymbol):
            return self._built(symbol)
        if not last or value.name.startswith("."):
            return _Described("a value")
        named = {item.name: item.value for item in value.arguments}
        status = next((number(only(named[name])) for name in _STATUS if name in named), None)
        if last == "abort" and value.arguments:
            status = number(only(value.arguments[0].value))
        said = f" with the status {status}" if status is not None else ""
        content = next((item for item in value.arguments if item.name in ("", "content", "text")), None)
        of = self.of(content.value, depth + 1) if content is not None and depth < _DEPTH else None
        inside = f" of {of.text}" if of is not None and (of.keys or of.text.startswith(("the text", "a text"))) else ""
        return _Described(f"`{last}`{inside}{said}")

    def _built(self, symbol: FunctionSymbol) -> _Described:
        """Return what a function of the project builds, by all of its returns that are dicts."""
        short = symbol.function.name.rpartition(".")[2]
        found = [
            _Description(self.project, symbol.path, symbol.function, "").of(item.value, 1) for item in _dicts(symbol)
        ]
        keys = dict.fromkeys(found[0].keys, "*") if found and len(found) == len(symbol.function.returns) else {}
        keys = {key: filled for key, filled in keys.items() if all(key in each.keys for each in found)}
        told = f"what `{short}` builds" + (f" ({listed([*keys])})" if keys else "")
        return _Described(told, keys, (), self.project.names.absolute(symbol))


def _dicts(symbol: FunctionSymbol) -> list[Return]:
    return [item for item in symbol.function.returns if type(only(item.value)) is Dict]


def is_of_framework(answer: Answer) -> bool:
    """Whether a clause raises what a framework answers as it is."""
    return bool(answer.error) and (
        is_protocol(ExternalSymbol(answer.error)) or answer.error.rpartition(".")[2] == "HTTPException"
    )
