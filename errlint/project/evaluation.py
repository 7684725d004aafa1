"""What values are once constants, members of enums and arguments are filled in, and the texts that they can be.

Facts keep names as they are written. Here a name becomes what it stands for: in the module where it is written
(:meth:`Evaluator.filled`), so that values of several modules can be put together, and with the arguments of a call in
place of parameters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING

from errlint.catalog.templates import Hole, Template, distinct, template
from errlint.facts import (
    SUBSCRIPT,
    Argument,
    Call,
    Choice,
    Constant,
    DictEntry,
    Item,
    Opaque,
    Ref,
    Sequence,
    Text,
    Value,
    Variable,
    constant_text,
    is_closed,
    is_null,
    keyed,
    only,
    store_all,
    text_with_holes,
    with_arguments,
    with_inner_values,
)
from errlint.facts import Mapping as Dict
from errlint.project.arguments import bound_to, defaults_of, own_parameters
from errlint.project.names import ClassSymbol, FunctionSymbol, ValueSymbol
from errlint.project.values import CALL_DEPTH, CHANGED, FROM_DICT, MAX_DEPTH, TO_DICT, Construction, Located

if TYPE_CHECKING:
    from errlint.project import Project

MAX_TEXTS = 8
"""A value that can be more texts than this has a hole in place of what differs."""

Arguments = Mapping[str, Value]

_CLASSIFIER = re.compile(r"code|kind|classif|categor|error_type", re.IGNORECASE)
"""In the name of a function: it may tell codes apart."""

_TELLER = re.compile(r"messag|msg|text|descri|format|hint|suggest|remed|guidance|reason|context", re.IGNORECASE)
"""In the name of a function: it may put a text together, or a context."""

_PERCENT = re.compile(r"%(?:\((?P<name>\w+)\))?[-+#0 ]{0,8}[\d.]{0,8}[sdrfiux](?!\w)|%%")
_FIELD = re.compile(r"\{(?P<name>\w*)(?:[.\[][^{}!:]*)?(?:![rsa])?(?::[^{}]*)?\}")
_STRIPS = frozenset(
    {".strip", ".rstrip", ".lstrip", "str", "dedent", "textwrap.dedent", "cleandoc", "inspect.cleandoc"}
)
_AROUND = frozenset({"str", "repr", "len", "type", "sorted", "list", "int", "float", "json.dumps", "set", "sum"})


class Evaluator:
    """Fills in the values of one project."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def filled(self, path: str, scope: str, value: Value, arguments: Arguments | None = None, depth: int = 0) -> Value:
        """Return a value of a function with its names replaced by what they stand for, as far as that is known.

        ``arguments`` are what stands for the function's parameters.
        """
        self._project.values.begin(depth)
        if depth > MAX_DEPTH:
            return value
        kind = type(value)
        if kind is Opaque or kind is Constant:
            return value
        if type(value) is Ref:
            return self._named(path, scope, value, arguments, depth)

        def inner(item: Value) -> Value:
            return self.filled(path, scope, item, arguments, depth + 1)

        if type(value) is Variable:
            values = value.values
            if arguments is not None and value.name in arguments and self._is_optional(path, scope, value):
                # A parameter that gets a value where nothing was passed: `if hints is None: hints = [...]`.
                given = arguments[value.name]
                if is_full(given):
                    return given
                if is_null(given):
                    values = tuple(item for item in values if item != Ref(value.name))
            return Variable(value.name, tuple(map(inner, values)), value.size)
        if type(value) is Choice:
            return _first(tuple(map(inner, value.values)), value, arguments or {})
        if type(value) is Item:
            base = only(inner(value.base))
            if type(base) is Dict and not base.spreads:
                found = [entry.value for entry in base.entries if entry.key == value.key]
                if found:
                    return found[-1]
            return Item(value.base, value.key)
        if type(value) is Call:
            return self._called(path, scope, value, inner, depth)
        return with_inner_values(value, inner)

    def _is_optional(self, path: str, scope: str, value: Variable) -> bool:
        """Whether a variable is a parameter that may be nothing, or what was put there instead."""
        function = self._project.names.function(path, scope)
        return (function is not None and Ref(value.name) in value.values) and any(
            item.name == value.name and item.default is not None and is_null(item.default)
            for item in function.parameters
        )

    def _called(self, path: str, scope: str, value: Call, inner: Callable[[Value], Value], depth: int) -> Value:
        if len(value.arguments) == 1 and value.name and not value.name.startswith("."):
            symbol = self._project.names.resolve(path, value.name, scope)
            if isinstance(symbol, ClassSymbol) and self._project.codes.of_class(symbol) is not None:
                return inner(value.arguments[0].value)  # `Code("x")` of an enumeration
        last = value.name.rpartition(".")[2]
        if value.name and _CLASSIFIER.search(last):
            codes = self._classified(path, scope, value)
            if codes:
                return Choice(tuple(Text((code,)) for code in codes))
        found = tuple(Argument(item.name, inner(item.value)) for item in value.arguments)
        steps = self._project.values.meant(path, scope, Call(value.name, found, value.inner), depth + 1)
        if len(steps) == 1 and depth + CALL_DEPTH <= MAX_DEPTH:
            return self.filled(*steps[0], None, depth + CALL_DEPTH)
        if last == "format" and (text := self.written(path, scope, Call(value.name, found, value.inner), depth + 1)):
            return text
        if last == "get_args" and len(value.arguments) == 1:
            values = self._literals(path, scope, value.arguments[0].value)
            if values is not None:
                return values
        if _TELLER.search(last) and depth + CALL_DEPTH <= MAX_DEPTH:
            told = self._told(path, scope, value.name, found, depth)
            if told:
                return told[0] if len(told) == 1 else Choice(told)
        return Call(value.name, found, inner(value.inner) if value.inner is not None else None)

    def _literals(self, path: str, scope: str, alias: Value) -> Value | None:
        """Return the values of an alias of ``Literal``, ``None`` for anything else."""
        symbol = self._project.names.resolve(path, alias.name, scope) if type(alias) is Ref else None
        found = symbol.value if isinstance(symbol, ValueSymbol) else None
        if type(found) is Call and found.name.rpartition(".")[2] == "Literal":
            return Sequence("tuple", tuple(item.value for item in found.arguments))
        return None

    def _told(self, path: str, scope: str, name: str, given: tuple[Argument, ...], depth: int) -> tuple[Value, ...]:
        """Return what a function of the project answers to some arguments, empty where that is not known."""
        symbol = self._project.objects.called(path, name, scope) if name and not name.startswith(".") else None
        if not isinstance(symbol, FunctionSymbol) or symbol.function.is_generator:
            return ()
        bound = {**defaults_of(symbol.function), **bound_to(symbol.function, Call("", given)).passed}
        returns = symbol.function.returns
        if symbol.function.ends or len(returns) > MAX_TEXTS:
            return ()
        return tuple(
            self.filled(symbol.path, symbol.function.name, found.value, bound, depth + CALL_DEPTH) for found in returns
        )

    def _classified(self, path: str, scope: str, value: Call) -> tuple[str, ...]:
        """Return the codes that a function tells apart, empty where it may return something else."""
        symbol = self._project.names.resolve(path, value.name, scope)
        if not isinstance(symbol, FunctionSymbol):
            return ()
        codes: list[str] = []
        for found in symbol.function.returns:
            texts = [
                str(item.text) for item in self._project.codes.resolved(symbol.path, symbol.function.name, found.value)
            ]
            if not texts or any(" " in text for text in texts):
                return ()
            codes.extend(texts)
        return tuple(dict.fromkeys(codes))

    def _named(self, path: str, scope: str, value: Ref, arguments: Arguments | None, depth: int) -> Value:
        root, _, rest = value.name.partition(".")
        if arguments is not None and value.name in arguments:
            return arguments[value.name]
        if arguments is not None and root in arguments and rest == "value":
            return arguments[root]
        function = self._project.names.function(path, scope)
        if root not in ("self", "cls") and function and any(item.name == root for item in function.parameters):
            return value
        codes = list(self._project.codes.resolved(path, scope, value))
        if len(codes) == 1 and codes[0].member is not None:
            code = codes[0].member.value
            return Text((codes[0].member.text,)) if code is None or isinstance(code, str) else Constant(code)
        steps = self._project.values.meant(path, scope, value, depth + 1)
        if len(steps) != 1:
            return value
        found = self.filled(*steps[0], None, depth + 1)
        if type(found) is Constant and found.value is None and root == "self":
            return value  # what a constructor sets later
        is_value = value.name.endswith(".value")
        return found if is_value or type(found) in _KNOWN or _items(found) is not None else value

    # --- dicts and calls ----------------------------------------------------------------------------------------

    def mapping(self, path: str, scope: str, value: Value, depth: int = 0) -> Dict | None:
        """Return the dict that an expression is, with what is spread into it; ``None`` where it is not known.

        Of several dicts it can be, what all of them have: the others' keys stand there as unknown ones.
        """
        self._project.values.begin(depth)
        if depth > MAX_DEPTH:
            return None
        if type(value) is Dict:
            return self._flattened(path, scope, value, depth)
        if type(value) is Variable or type(value) is Choice:
            several = [self.mapping(path, scope, item, depth + 1) for item in value.values]
            return _common([item for item in several if item is not None]) if several and None not in several else None
        steps = self._project.values.meant(path, scope, value, depth + 1)
        if steps:
            found = [self._brought(step, path, scope, depth) for step in steps]
            return _common([item for item in found if item is not None]) if None not in found else None
        if type(value) is not Call:
            return None
        if value.name.rpartition(".")[2] in TO_DICT:
            made = value.inner if value.name.startswith(".") else Ref(value.name.rpartition(".")[0])
            given = value.arguments[0].value if value.arguments and not value.name.startswith(".") else made
            return self._fields(path, scope, given, depth) if given is not None else None
        return self._answer(path, scope, value, depth)

    def _flattened(self, path: str, scope: str, value: Dict, depth: int) -> Dict:
        """Return a dict with the entries of the dicts that are spread into it, also of those inside of it."""
        entries: tuple[DictEntry, ...] = ()
        unknown: list[Value] = []
        for spread in value.spreads:
            found = self.mapping(path, scope, spread, depth + 1)
            if found is None:
                unknown.append(spread)
                continue
            entries = store_all(entries, found.entries)
            unknown.extend(found.spreads)
        own = (
            DictEntry(entry.key, self._flattened(path, scope, entry.value, depth + 1), entry.name)
            if type(entry.value) is Dict and entry.value.spreads and depth < MAX_DEPTH
            else entry
            for entry in value.entries
        )
        return Dict(store_all(entries, tuple(own)) if entries else tuple(own), tuple(unknown))

    def _brought(self, at: Located, path: str, scope: str, depth: int) -> Dict | None:
        """Return the dict that a value somewhere else is, with its values as they can be told from here."""
        found = self.mapping(*at, depth + 1)
        if found is None or (at.path, at.scope) == (path, scope):
            return found
        entries = (
            DictEntry(item.key, self.filled(at.path, at.scope, item.value, None, depth + 1), item.name)
            for item in found.entries
        )
        return Dict(tuple(entries), found.spreads)

    def _fields(self, path: str, scope: str, value: Value, depth: int) -> Dict | None:
        """Return the dict that an object makes of its fields."""
        made = self._project.values.object_of(path, scope, value, depth + 1)
        if made is None:
            return None
        at = Located(made.path, made.scope, made.call)
        construction = self._project.domain.construction_of(made.symbol, made.call)
        names = [*construction.defaults, *(name for name in construction.passed if name not in construction.defaults)]
        entries: list[DictEntry] = []
        for name in names:
            held = self._project.values.field(at, name, depth + 1)
            entries.append(DictEntry(name, self.filled(*held, None, depth + 1) if held is not None else Opaque()))
        is_open = construction.is_open or construction.has_more
        return Dict(tuple(entries), (Opaque(),) if is_open else ())

    def _answer(self, path: str, scope: str, value: Call, depth: int) -> Dict | None:
        """Return the dict that a function of the project answers."""
        if not value.name or value.name.startswith(".") or depth + CALL_DEPTH > MAX_DEPTH:
            return None
        symbol = self._project.objects.called(path, value.name, scope)
        if not isinstance(symbol, FunctionSymbol) or symbol.function.decorators:
            return None
        found = [
            self.mapping(symbol.path, symbol.function.name, item, depth + CALL_DEPTH)
            for item in self._told(path, scope, value.name, value.arguments, depth)
        ]
        return _common([item for item in found if item is not None]) if found and None not in found else None

    def called(self, path: str, scope: str, value: Call, depth: int = 0) -> Call:
        """Return a call as it is made: what is spread into it, validated or bound before stands there as keywords."""
        self._project.values.begin(depth)
        if depth > MAX_DEPTH or not value.name:
            return value
        holder, _, last = value.name.rpartition(".")
        if last in FROM_DICT and holder and value.arguments and not value.arguments[0].name:
            if isinstance(self._project.names.resolve(path, holder, scope), ClassSymbol):
                value = Call(holder, (Argument("**", value.arguments[0].value),))
        elif last in CHANGED:
            value = self._changed(path, scope, value, depth) or value
        value = self._bound_before(path, scope, value)
        if not any(item.name == "**" for item in value.arguments):
            return value
        given: list[Argument] = []
        for item in value.arguments:
            found = self.mapping(path, scope, item.value, depth + 1) if item.name == "**" else None
            if found is None:
                given.append(item)
                continue
            given.extend(Argument(entry.key, entry.value) for entry in found.entries if entry.key is not None)
            if not is_closed(found):
                given.append(Argument("**", Opaque()))
        return Call(value.name, tuple(given), value.inner)

    def handed_on(self, path: str, scope: str, value: Call) -> Construction | None:
        """Return the object that a function makes with whatever else it is given: ``return Answer("x", **more)``.

        ``None`` where the function does anything else.
        """
        symbol = self._project.objects.called(path, value.name, scope)
        if not isinstance(symbol, FunctionSymbol) or symbol.function.is_generator or symbol.function.ends:
            return None
        own = own_parameters(symbol.function)
        rest = next((item.name for item in own if item.kind == "**"), None)
        if rest is None:
            return None
        made = only(symbol.function.returns[0].value) if len(symbol.function.returns) == 1 else None
        if type(made) is not Call or Argument("**", Ref(rest)) not in made.arguments:
            return None
        of = self._project.names.resolve(symbol.path, made.name, symbol.function.name)
        if not isinstance(of, ClassSymbol):
            return None
        bound = bound_to(symbol.function, value)
        names = {item.name for item in own}
        known = defaults_of(symbol.function)
        known.update((name, given) for name, given in bound.passed.items() if name in names)
        more = [Argument(name, given) for name, given in bound.passed.items() if name not in names]
        if bound.is_open:
            more.append(Argument("**", Opaque()))
        given = (
            Argument(item.name, self.filled(symbol.path, symbol.function.name, item.value, known))
            for item in made.arguments
            if item.name != "**"
        )
        return Construction(path, scope, with_arguments(Call(made.name, tuple(given)), tuple(more)), of)

    def _bound_before(self, path: str, scope: str, value: Call) -> Call:
        """Return a call of what ``partial`` made as one of the function itself."""
        symbol = self._project.names.resolve(path, value.name, scope)
        made = symbol.value if isinstance(symbol, ValueSymbol) and symbol.path == path else None
        if type(made) is not Call or made.name.rpartition(".")[2] != "partial" or not made.arguments:
            return value
        function = made.arguments[0].value
        if type(function) is not Ref or made.arguments[0].name:
            return value
        return with_arguments(Call(function.name, made.arguments[1:]), value.arguments)

    def _changed(self, path: str, scope: str, value: Call, depth: int) -> Call | None:
        """Return the call that would have made a changed copy of an object, ``None`` where the object is not known."""
        holder, _, last = value.name.rpartition(".")
        given = value.arguments
        of: Value | None
        if last in ("_replace", "model_copy"):
            of = value.inner if value.name.startswith(".") else Ref(holder)
        else:
            of = given[0].value if given and not given[0].name else None
            given = given[1:]
        made = self._project.values.object_of(path, scope, of, depth + 1) if of is not None else None
        if made is None or made.path != path:
            return None
        changes = (Argument("**", item.value) if item.name == "update" else item for item in given)
        changed = Call(made.call.name, tuple(item for item in changes if item.name != "deep"))
        return with_arguments(made.call, self.called(path, scope, changed, depth + 1).arguments)

    def written(self, path: str, scope: str, value: Value, depth: int = 0) -> Text | None:
        """Return the text that an expression writes, with the values in its holes as they stand there.

        ``None`` for what is no text, or not known to be one.
        """
        value = only(value)
        if type(value) is Call and value.name.rpartition(".")[2] == "format":
            base = value.inner if value.name.startswith(".") else Ref(value.name.rpartition(".")[0])
            pattern = self._project.values.followed(path, scope, base, depth + 1).value if base is not None else None
            is_whole = constant_text(pattern) is not None
            return Text(tuple(_fielded(pattern, value.arguments))) if type(pattern) is Text and is_whole else None
        found = self._project.values.followed(path, scope, value, depth + 1)
        is_here = (found.path, found.scope) == (path, scope)
        if type(found.value) is not Text or not (is_here or constant_text(found.value) is not None):
            return None
        return Text(tuple(_formatted(found.value)))

    # --- texts --------------------------------------------------------------------------------------------------

    def texts(self, value: Value | None, depth: int = 0) -> tuple[Template, ...]:
        """Return the templates of the texts that a filled value can be; empty for what is nothing at all."""
        if value is None or is_null(value) or depth > MAX_DEPTH:
            return ()
        if type(value) is Text:
            return _distinct(map(template, self._joined(_formatted(value), depth)))
        if type(value) is Constant:
            return (Template((str(value.value),)),)
        if type(value) is Variable or type(value) is Choice:
            found = [text for item in value.values for text in self._of_one(value, item, depth)]
            return _distinct(found, value.name if type(value) is Variable else "")
        if type(value) is Call:
            return self._of_call(value, depth)
        name = hole_name(value)
        return (Template((Hole(name),)),)

    def _of_one(self, around: Variable | Choice, item: Value, depth: int) -> tuple[Template, ...]:
        if type(around) is Variable and type(item) is Opaque:
            return (Template((Hole(around.name),)),)
        return self.texts(item, depth + 1)

    def _of_call(self, value: Call, depth: int) -> tuple[Template, ...]:
        subject = value.inner if value.name.startswith(".") else value.arguments[0].value if value.arguments else None
        if value.name in _STRIPS and subject is not None:
            return self.texts(subject, depth + 1)
        if value.name == ".format" and value.inner is not None:
            return tuple(_with_fields(text) for text in self.texts(value.inner, depth + 1))
        if value.name == ".join" and type(value.inner) is Text and value.arguments:
            items = _items(value.arguments[0].value)
            if items is not None:
                parts: list[str | Value] = []
                for index, item in enumerate(items):
                    parts.extend((*(value.inner.parts if index else ()), item))
                return _distinct(map(template, self._joined(parts, depth)))
        return (Template((Hole(hole_name(value)),)),)

    def _joined(self, parts: Iterable[str | Value], depth: int) -> Iterator[tuple[str | Hole, ...]]:
        """Yield every way in which pieces can be put together."""
        options: list[tuple[tuple[str | Hole, ...], ...]] = []
        count = 1
        for part in parts:
            if isinstance(part, str):
                options.append(((part,),))
                continue
            if listing := _listing(part):
                options.append(((listing,),))
                continue
            found = self.texts(part, depth + 1) or (Template((Hole(hole_name(part)),)),)
            count *= len(found)
            if len(found) > 1 and count > MAX_TEXTS:
                count //= len(found)
                found = (Template((Hole(hole_name(part)),)),)
            options.append(tuple(each.parts for each in found))
        for combined in product(*options):
            yield tuple(piece for each in combined for piece in each)


_DISPLAYS = {"sorted": "list", "list": "list", "tuple": "tuple", "set": "set", "frozenset": "set"}
"""What the calls are that make a display of another one."""

_REVERSED = (Argument("reverse", Constant(True)),)

_KNOWN = frozenset({Text, Constant, Sequence, Dict, Variable, Choice})
"""What a name is replaced by: a call at module level is left alone."""


def _common(several: list[Dict]) -> Dict | None:
    """Return a dict with what some dicts have; under a key that only some have there may be nothing."""
    if len(several) < 2:
        return several[0] if several else None
    by_key = [keyed(item) for item in several]
    entries: list[DictEntry] = []
    for key in dict.fromkeys(key for item in by_key for key in item):
        values = tuple(dict.fromkeys(item[key] for item in by_key if key in item))
        if any(key not in item for item in by_key):
            values = (*values, Constant(None))
        entries.append(DictEntry(key, values[0] if len(values) == 1 else Choice(values)))
    spreads = tuple(spread for item in several for spread in item.spreads)
    is_open = any(entry.key is None for item in several for entry in item.entries)
    return Dict(tuple(entries), (*spreads, *((Opaque(),) if is_open else ())))


def _distinct(found: Iterable[Template], name: str = "") -> tuple[Template, ...]:
    """Return different templates; those that are nothing but a hole get a name, if there is one."""
    named = (Template((Hole(name),)) if name and is_hole(text) else text for text in found)
    return distinct(named)[:MAX_TEXTS]


def is_hole(text: Template) -> bool:
    """Whether a template is nothing but a hole."""
    return len(text.parts) == 1 and isinstance(text.parts[0], Hole)


def _first(values: tuple[Value, ...], before: Choice, arguments: Arguments) -> Value:
    """Return the values of ``a or b``, or of a conditional: the first alone where an argument settles it.

    What a conditional asks is not known: ``a if a else b`` is likely of an argument, and not of a constant.
    """
    name = before.values[0].name if values and type(before.values[0]) is Ref else ""
    if name and values[0] != before.values[0] and (before.is_or or name in arguments) and is_full(values[0]):
        return values[0]
    left = tuple(item for item in values if not is_null(item) and item not in _BARE)
    if len(left) == 1:
        return left[0]
    return Choice(left or values, before.is_or)


def is_full(value: Value) -> bool:
    """Whether a value is certainly something."""
    value = only(value)
    if type(value) is Text:
        return bool(text_with_holes(value, ""))
    return (type(value) is Sequence and bool(value.items)) or (type(value) is Dict and bool(value.entries))


_BARE = (Dict(()), *(Sequence(kind, ()) for kind in ("list", "tuple", "set")))
"""Displays of nothing: what stands behind an ``or`` for want of anything else."""


def _with_fields(text: Template) -> Template:
    """Return a template with holes where ``format`` puts something."""
    parts: list[str | Hole] = []
    for part in text.parts:
        if isinstance(part, Hole):
            parts.append(part)
            continue
        end = 0
        for field in _FIELD.finditer(part):
            parts.extend((part[end : field.start()], Hole(field["name"])))
            end = field.end()
        parts.append(part[end:])
    return template(parts)


def hole_name(value: Value) -> str:
    """Return what a hole with a value is called: the last part of a name, a key, what a function is asked about."""
    if type(value) is Ref:
        return value.name.rpartition(".")[2]
    if type(value) is Variable:
        return value.name
    if type(value) is Item:
        return value.key
    if type(value) is Call:
        last = value.name.rpartition(".")[2]
        if (value.name in _AROUND or last[:1].isupper()) and value.arguments:
            return hole_name(value.arguments[0].value)
        if value.name == SUBSCRIPT:
            return ""
        if value.name.startswith(".") and value.inner is not None:
            return hole_name(value.inner)
        if last == "join" and value.arguments:
            return hole_name(value.arguments[0].value)
        holder = value.name.rpartition(".")[0].rpartition(".")[2]
        return last if holder in ("", "self", "cls") else holder
    return ""


def _items(value: Value) -> list[Value] | None:
    """Return the items of a display, also of a sorted one, ``None`` for anything else."""
    value = only(value)
    if type(value) is Call and value.name in _DISPLAYS and value.arguments:
        found = _items(value.arguments[0].value)
        if found is None or value.name != "sorted":
            return found
        texts = [constant_text(item) for item in found]
        if None in texts or value.arguments[1:] not in ((), _REVERSED):
            return None
        known = [text for text in texts if text is not None]
        return [Text((text,)) for text in sorted(known, reverse=len(value.arguments) > 1)]
    return list(value.items) if type(value) is Sequence else None


def _listing(value: Value) -> str:
    """Return how a list or tuple of constant texts is written into a text, "" for anything else."""
    value = only(value)
    kind = _DISPLAYS.get(value.name) if type(value) is Call else value.kind if type(value) is Sequence else None
    texts = [constant_text(item) for item in _items(value) or ()]
    if not texts or None in texts or kind not in ("list", "tuple"):
        return ""  # nobody knows the order of a set
    return str(texts if kind == "list" else tuple(texts))


def _formatted(value: Text) -> list[str | Value]:
    """Return the parts of a text: what ``%`` and ``.format`` put behind it goes into its own holes."""
    behind = list(value.parts)
    given: list[Value] = []
    while behind and not isinstance(behind[-1], str):
        last = behind.pop()
        assert not isinstance(last, str)
        given.insert(0, last)
    if len(given) == 1 and _are_filled(behind, given[0]):
        return _put(behind, _PERCENT, _several(given[0]), {"%%": "%"})
    for end, part in enumerate(value.parts[:-1]):  # `"no %s" % title + " here"`
        before = value.parts[:end]
        if not isinstance(part, str) and _are_filled(before, part):
            return [*_put(before, _PERCENT, _several(part), {"%%": "%"}), *_formatted(Text(value.parts[end + 1 :]))]
    if not given or not any(isinstance(part, str) for part in behind):
        return list(value.parts)
    if _holes(behind) and len(given) == 1:
        return _put(behind, _PERCENT, _several(given[0]), {"%%": "%"})
    fields = list(_FIELD.finditer(text_with_holes(value, "")))
    if fields and len(fields) >= len(given) and not any(not isinstance(part, str) for part in behind):
        return _put(behind, _FIELD, given, {})
    return list(value.parts)


def _holes(parts: Iterable[str | Value]) -> int:
    """Return how many values ``%`` puts into the literal parts of a text."""
    literal = "".join(part for part in parts if isinstance(part, str))
    return sum(found.group() != "%%" for found in _PERCENT.finditer(literal))


def _are_filled(parts: Iterable[str | Value], given: Value) -> bool:
    """Whether what stands behind a ``%`` is as much as the literal parts of a text take."""
    return _holes(parts) == len(_several(given)) > 0


def _several(given: Value) -> list[Value]:
    """Return the values that stand behind a ``%``."""
    return list(given.items) if type(given) is Sequence and given.kind == "tuple" else [given]


def _fielded(pattern: Text, given: Iterable[Argument]) -> Iterator[str | Value]:
    """Yield the parts of a text with the arguments of ``format`` in its fields; those without one become open holes."""
    by_position = [item.value for item in given if not item.name]
    by_name = {item.name: item.value for item in given if item.name}
    position = 0
    for part in pattern.parts:
        if not isinstance(part, str):
            yield part
            continue
        end = 0
        for field in _FIELD.finditer(part):
            yield part[end : field.start()]
            end = field.end()
            name = field["name"]
            index = int(name) if name.isdigit() else position
            position += not name
            if name and not name.isdigit():
                yield by_name.get(name, Ref(name))
            else:
                yield by_position[index] if index < len(by_position) else Opaque()
        yield part[end:]


def _put(
    parts: Iterable[str | Value], pattern: re.Pattern[str], given: list[Value], escapes: Mapping[str, str]
) -> list[str | Value]:
    """Put values, in their order, where a pattern is found in the literal parts; named ones become open holes."""
    found: list[str | Value] = []
    position = 0
    for part in parts:
        if not isinstance(part, str):
            found.append(part)
            continue
        end = 0
        for hole in pattern.finditer(part):
            found.append(part[end : hole.start()])
            end = hole.end()
            if hole.group() in escapes:
                found.append(escapes[hole.group()])
                continue
            name = hole["name"]
            if name and not name.isdigit():
                found.append(Ref(name))
                continue
            index = int(name) if name else position
            position += 1
            found.append(given[index] if index < len(given) else Opaque())
        found.append(part[end:])
    return found
