"""Calls of error factories: the payload that a call answers, with its arguments in the places of the parameters."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import suppress
from typing import NamedTuple

import libcst as cst
import libcst.matchers as m

from errlint.error_keywords import ERROR_KEYS
from errlint.facts import Function, Use
from errlint.fix.bindings import is_imported_inside, is_stable_name
from errlint.fix.callers.reach import siblings
from errlint.fix.callers.receiver_types import Definition, Receiver, definition_of
from errlint.fix.model import Doubt, Refusal, refuse
from errlint.fix.nodes import constant_key, dotted_name
from errlint.fix.payload_extraction.building import built
from errlint.fix.payload_extraction.effects import asked_to_be_text, is_computing, is_constant, is_plain, truth
from errlint.fix.payload_extraction.payload import UNKNOWN, is_known, replaced, uncast, wrapped_by
from errlint.fix.payload_extraction.substitution import Putter, in_parts
from errlint.fix.source_cache import Files, Scope
from errlint.fix.source_file import SourceFile
from errlint.project import Project
from errlint.project.callers import Caller
from errlint.project.decorators import BINDING
from errlint.project.names import ClassSymbol, FunctionSymbol
from errlint.settings.policy import bare_name

MAX_CALLS = 4
"""Through how many factories a call is followed."""

HARMLESS = frozenset({"str", "repr", "type", "len", "dict"})
"""Functions that mean the same everywhere."""


class Given(NamedTuple):
    """What a call passes: an expression for each parameter.

    That of ``more_name`` is a dict of the keywords that no other parameter is named after. ``defaults`` are the
    parameters that are not passed, and whose default is more than a constant.
    """

    values: Mapping[str, cst.BaseExpression]
    more_name: str = ""
    defaults: frozenset[str] = frozenset()


def symbol_of(scope: Scope, value: cst.BaseExpression) -> FunctionSymbol | None:
    """Return the function of the project that an expression calls, ``None`` where it calls none or is no call."""
    if not isinstance(value, cst.Call) or not dotted_name(value.func):
        return None
    found = scope.meaning(dotted_name(value.func))
    return found if isinstance(found, FunctionSymbol) else _of_object(scope, value)


def _of_object(scope: Scope, call: cst.Call) -> FunctionSymbol | None:
    """Return the method that a call calls of an object, where that is certainly made of one class and no other."""
    name = dotted_name(call.func)
    found = scope.project.objects.called(scope.parsed.path, name, scope.function.name) if "." in name else None
    if not isinstance(found, FunctionSymbol) or not found.function.owner:
        return None
    use = Use(name, scope.function.span, "called")
    receiver = Receiver(scope.project, scope.files, Caller(scope.parsed.path, scope.function.name, use))
    made = None if receiver.is_given else receiver.defining(bare_name(name))
    return found if made is not None and (made.path, made.node.name) == (found.path, found.function.owner) else None


def expanded(scope: Scope, call: cst.Call, doubts: list[Doubt], depth: int = 0) -> cst.BaseExpression:
    """Return what a call of a factory answers, as an expression of the calling function.

    What it does besides is added to ``doubts``. Raises :class:`errlint.fix.model.Refusal` where that is not certain.
    """
    project, files, parsed, function = scope
    symbol, name = symbol_of(scope, call), dotted_name(call.func)
    if symbol is None or depth > MAX_CALLS:
        raise refuse(f"it is not certain what `{name}` builds")
    root = name.partition(".")[0]
    own = definition(parsed, function)
    is_of_object = scope.meaning(name) is None
    is_own = root in ("self", "cls") or is_stable_name(parsed, own, root) or is_imported_inside(parsed, own, root)
    if not is_own and not is_of_object:
        raise refuse(f"`{root}` is bound more than once", parsed.path, function.span.line)
    theirs = files.parse(symbol.path)
    node = definition(theirs, symbol.function)
    place = theirs.path, symbol.function.span.line
    if node is None or symbol.function.is_async or symbol.function.is_generator:
        raise refuse(f"`{name}` is no plain function", *place)
    kinds = {dotted_name(item.decorator) for item in node.decorators}
    if not kinds <= BINDING:
        raise refuse(f"`{name}` is decorated", *place)
    if any(siblings(project, symbol.path, symbol.function)):
        raise refuse(f"another method may be called in place of `{name}`", *place)
    receiver: cst.BaseExpression | None = None
    if symbol.function.owner and "staticmethod" not in kinds:
        is_inside = root in ("self", "cls")
        owner = scope.meaning(name.rpartition(".")[0])
        is_of_class = bool(kinds) and isinstance(owner, ClassSymbol)
        if not isinstance(call.func, cst.Attribute) or not (is_inside or is_of_class or is_of_object):
            raise refuse(f"it is not certain whose method `{name}` is", *place)
        receiver = call.func.value if not kinds or not is_inside else None
    given = bound_to(node, call, receiver, has_first=bool(symbol.function.owner) and "staticmethod" not in kinds)
    if given is None or not all(is_stable_name(theirs, None, free) for free in _names(given, given.defaults)):
        raise refuse(f"it cannot be told which arguments of `{name}` go where", *place)

    def is_same(free: str) -> bool:
        meant = project.names.resolve(symbol.path, free, symbol.function.name)
        is_known_so = meant is not None and meant == scope.meaning(free)
        # The facts leave out most constants: in one file a name of the module is the same everywhere.
        is_own = symbol.path == parsed.path and is_stable_name(theirs, node, free)
        return (is_known_so or is_own) and is_stable_name(parsed, own, free)

    def decided(test: cst.BaseExpression) -> bool | None:
        try:
            put = test.visit(Putter(given.values))
        except Refusal:
            return None
        known = truth(put) if isinstance(put, cst.BaseExpression) else None
        text = asked_to_be_text(put) if known is None and isinstance(put, cst.BaseExpression) else None
        if text is None:
            return known
        # Whoever hands over an error hands over its text; what else it may be is for other answers.
        doubts.append(Doubt(f"`{parsed.code(text)}` is taken to be a text"))
        return True

    passed, inner = _passed(given, call), Scope(project, files, theirs, symbol.function)
    put = _Call(name, given, frozenset(key for key, value in passed.items() if not is_plain(value)), is_same)
    try:
        answered = built(
            symbol.function.name, node.body.body, decided, lambda each: computes(project, files, symbol.path, each)
        )
        value = put.put(unfolded(inner, answered.value, doubts, depth + 1))
    except Refusal as refusal:
        doubt = refusal.doubt
        raise Refusal(doubt if doubt.path else doubt._replace(path=place[0], line=place[1])) from refusal
    reads = {each.value for each in m.findall(node.body, m.Name()) if isinstance(each, cst.Name)}
    _refuse_effects(put, passed, reads, given.more_name, place)
    if answered.is_logged:
        doubts.append(Doubt(f"what `{name}` logs is not logged any more"))
    return value


def computes(project: Project, files: Files, path: str, name: str, seen: frozenset[Definition] = frozenset()) -> bool:
    """Whether a name in a file is of a function of the project that does nothing but to compute what it returns."""
    found = definition_of(project, files, path, name)
    if found is None or not isinstance(found.node, ast.FunctionDef) or found.node.decorator_list:
        return False
    if found in seen:
        return True
    parsed = files.parse(found.path)
    nodes = [item for item in parsed.definitions_by_name[found.node.name] if parsed.line(item) == found.node.lineno]
    inner = seen | {found}
    return len(seen) < MAX_CALLS and any(
        is_computing(node, lambda each: computes(project, files, parsed.path, each, inner)) for node in nodes
    )


def unfolded(scope: Scope, value: cst.BaseExpression, doubts: list[Doubt], depth: int = 0) -> cst.BaseExpression:
    """Return an expression with what factories build in the places where it calls them for a payload.

    Such places are the whole, what is dumped as JSON, the text of a block of content, and what stands below the key of
    an error. What factories do besides is added to ``doubts``. Raises :class:`errlint.fix.model.Refusal` where it is
    not certain what one builds.
    """

    def again(inner: cst.BaseExpression) -> cst.BaseExpression:
        return unfolded(scope, inner, doubts, depth)

    value = uncast(value) or value
    if isinstance(value, cst.List) and len(value.elements) == 1 and isinstance(value.elements[0], cst.Element):
        return replaced(value, value.elements[0], again(value.elements[0].value))
    if isinstance(value, cst.Dict):
        first = value.elements[0] if value.elements else None
        if isinstance(first, cst.StarredDictElement) and symbol_of(scope, first.value):
            with suppress(Refusal):
                value = _with_taken_over(value, again(first.value))
        for element in value.elements:
            key = constant_key(element.key) if isinstance(element, cst.DictElement) else None
            if key is None or key.lower() not in ERROR_KEYS or not symbol_of(scope, element.value):
                continue
            with suppress(Refusal):
                inner = again(element.value)
                return replaced(value, element, inner) if isinstance(inner, cst.Dict) else value
        return value
    if not isinstance(value, cst.Call):
        return value
    wrapped = wrapped_by(value)
    if wrapped is not None:
        return replaced(value, wrapped, again(wrapped.value))
    is_built = dotted_name(value.func) != "dict" and symbol_of(scope, value) is not None
    return expanded(scope, value, doubts, depth) if is_built else value


def _with_taken_over(value: cst.Dict, inner: cst.BaseExpression) -> cst.Dict:
    """Return a dict with the entries of another one with which it begins; as it is where that is not one."""
    if not isinstance(inner, cst.Dict):
        return value
    own = {constant_key(item.key) for item in value.elements[1:] if isinstance(item, cst.DictElement)}
    kept: list[cst.BaseDictElement] = []
    for item in inner.elements:
        if not isinstance(item, cst.DictElement) or constant_key(item.key) not in own:
            kept.append(item)
        elif not is_plain(item.value):
            return value
    return value.with_changes(elements=[*kept, *value.elements[1:]])


def definition(parsed: SourceFile, function: Function) -> cst.FunctionDef | None:
    """Return the node of a function in its file."""
    name = function.name.rpartition(".")[2]
    for item in parsed.definitions_by_name.get(name, ()):
        if function.span.line in (parsed.line(item), *(parsed.line(each) for each in item.decorators)):
            return item
    return None


def bound_to(
    node: cst.FunctionDef, call: cst.Call, receiver: cst.BaseExpression | None, *, has_first: bool
) -> Given | None:
    """Return what the parameters of a function are bound to by a call; ``None`` where that is not certain."""
    parameters = node.params
    if isinstance(parameters.star_arg, cst.Param) or any(item.star for item in call.args):
        return None
    positional = [*parameters.posonly_params, *parameters.params]
    values: dict[str, cst.BaseExpression] = {}
    if has_first:
        if not positional:
            return None
        first = positional.pop(0)
        if receiver is not None:
            values[first.name.value] = receiver
    everything = [*positional, *parameters.kwonly_params]
    names = {item.name.value for item in everything} - {item.name.value for item in parameters.posonly_params}
    more: dict[str, cst.BaseExpression] = {}
    for index, argument in enumerate(call.args):
        if argument.keyword is None:
            if index >= len(positional):
                return None
            values[positional[index].name.value] = argument.value
        elif argument.keyword.value in names and argument.keyword.value not in values:
            values[argument.keyword.value] = argument.value
        elif parameters.star_kwarg is not None and argument.keyword.value not in values:
            more[argument.keyword.value] = argument.value
        else:
            return None
    defaults: set[str] = set()
    for item in everything:
        if item.name.value not in values:
            if item.default is None or not (is_constant(item.default) or _is_kept(item.default)):
                return None
            values[item.name.value] = item.default
            defaults.update(() if is_constant(item.default) else (item.name.value,))
    if parameters.star_kwarg is None:
        return Given(values, "", frozenset(defaults))
    name = parameters.star_kwarg.name.value
    entries = [cst.DictElement(cst.SimpleString(f'"{key}"'), value) for key, value in more.items()]
    return Given({**values, name: cst.Dict(entries)}, name, frozenset(defaults))


def _is_kept(default: cst.BaseExpression) -> bool:
    """Whether a default is the same whenever it is asked for: a name of a module, or an empty display."""
    return bool(dotted_name(default)) or (isinstance(default, (cst.Dict, cst.List, cst.Tuple)) and not default.elements)


def _names(given: Given, parameters: Iterable[str]) -> Iterator[str]:
    """Yield the names that stand in what is passed for some parameters."""
    for key in parameters:
        name = dotted_name(given.values[key]).partition(".")[0]
        if name:
            yield name


def _passed(given: Given, call: cst.Call) -> dict[str, cst.BaseExpression]:
    """Return what is written at a call by the parameters that take it, ``**key`` for the other keywords."""
    more = given.values.get(given.more_name)
    others = {
        f"**{constant_key(item.key)}": item.value
        for item in (more.elements if isinstance(more, cst.Dict) else ())
        if isinstance(item, cst.DictElement)
    }
    return {
        key: value
        for key, value in {**given.values, **others}.items()
        if any(value is item.value for item in call.args) and is_known(value)
    }


class _Call:
    """Puts what one call of a factory passes into what that builds.

    ``odd`` are the parameters for which something is passed that may do something, ``is_same`` tells of a name whether
    it means the same at the call; ``used`` are the parameters that stand in the result, in order.
    """

    def __init__(self, name: str, given: Given, odd: frozenset[str], is_same: Callable[[str], bool]) -> None:
        self.name, self._given, self._odd, self._is_same = name, given, odd, is_same
        self.used: list[str] = []

    def put(self, value: cst.BaseExpression) -> cst.BaseExpression:
        """Return an expression of the factory as one of the call.

        What cannot be one is :data:`errlint.fix.payload_extraction.payload.UNKNOWN` where it is an entry of a dict or
        an argument of an object. Raises :class:`errlint.fix.model.Refusal` where it is the whole.
        """
        return in_parts(value, self._leaf)

    def _leaf(self, value: cst.BaseExpression, is_whole: bool) -> cst.BaseExpression:
        putter = Putter(self._given.values)
        try:
            found = value.visit(putter)
            free = putter.free.union(_names(self._given, self._given.defaults.intersection(putter.used)))
            unlike = next((name for name in sorted(free) if not self._is_same(name)), "")
            if unlike:
                raise refuse(f"`{self.name}` uses `{unlike}`, which is not certain to be the same here")
            if self._odd and not free <= HARMLESS:
                raise refuse(f"`{self.name}` and what is passed to it may do something, one after the other")
        except Refusal:
            if is_whole:
                raise
            return UNKNOWN
        self.used.extend(putter.used)
        assert isinstance(found, cst.BaseExpression)
        return found


def _refuse_effects(
    call: _Call, passed: Mapping[str, cst.BaseExpression], reads: Set[str], more_name: str, place: tuple[str, int]
) -> None:
    """Refuse arguments that would run twice, never, or in another order, where somebody may notice.

    What ``reads`` names may be left out of the result with the entries that it stands in.
    """
    used: list[str] = []
    for key in call.used:
        used.extend((name for name in passed if name.startswith("**")) if key == more_name else (key,))
    odd = [key for key, value in passed.items() if not is_plain(value)]
    for key in odd:
        count = used.count(key)
        if count > 1 or (not count and (more_name if key.startswith("**") else key) not in reads):
            text = f"`{call.name}` uses `{key.lstrip('*')}` not just once, and what is passed may do something"
            raise refuse(text, *place)
    given = [key for key, value in passed.items() if not is_constant(value)]
    for key in set(odd).intersection(used):
        at, passed_at = used.index(key), given.index(key)
        # What does nothing may be read in any order, and again, but not on the other side of what may do something.
        if set(given[passed_at + 1 :]).intersection(used[:at]) or set(given[:passed_at]).intersection(used[at:]):
            raise refuse(f"the arguments of `{call.name}` would be evaluated in another order", *place)
