"""What an expression stands for, one step on: a constant, a field of an object that a constant is, what a table holds.

Each value comes with the place where its names are resolved. :mod:`errlint.project.evaluation` goes all the way, and
puts values of several modules together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.facts import (
    SUBSCRIPT,
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
    only,
)
from errlint.facts import Mapping as Dict
from errlint.findings import Span
from errlint.project.names import ClassSymbol, ValueSymbol
from errlint.project.registry import number

if TYPE_CHECKING:
    from errlint.project import Project

MAX_DEPTH = 30
"""Values inside of values are followed so far, by which a function that is followed costs :data:`CALL_DEPTH`."""

CALL_DEPTH = 8

MAX_STEPS = 2000
"""So many names, items and calls are followed for one question: each may stand for several that do so themselves."""

_ENUM = re.compile(r"(?:Enum|Flag)$")
_SAME = {"cast": 1, "MappingProxyType": 0, "deepcopy": 0, "copy": 0, "frozendict": 0}
"""Calls that answer one of their arguments, or a copy of it, and which."""

_MADE: dict[str, Value] = {
    "list": Sequence("list", ()),
    "dict": Dict(()),
    "tuple": Sequence("tuple", ()),
    "str": Text(("",)),
}
"""What factories of defaults make."""

FIELDS = frozenset({"field", "Field"})
"""Last parts of the calls by which a dataclass or model says what a field of it is."""

FROM_DICT = frozenset({"model_validate", "parse_obj", "validate_python"})
"""Methods of models that make an object of the entries of a dict."""

TO_DICT = frozenset({"asdict", "_asdict", "model_dump", "vars"})
"""Functions and methods that make a dict of the fields of an object."""

CHANGED = frozenset({"replace", "_replace", "model_copy", "evolve"})
"""Functions and methods that make a copy of an object with other fields."""


class Located(NamedTuple):
    """A value, and where its names are resolved: the file, and the function around it ("" at module level)."""

    path: str
    scope: str
    value: Value


class Construction(NamedTuple):
    """An object that is made: where, by which call, of which class."""

    path: str
    scope: str
    call: Call
    symbol: ClassSymbol


class Values:
    """Answers what the expressions of one project stand for."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._names = project.names
        self._left = MAX_STEPS

    def begin(self, depth: int) -> None:
        """Note that a question is asked; one with a depth belongs to another."""
        if not depth:
            self._left = MAX_STEPS

    def meant(self, path: str, scope: str, value: Value, depth: int = 0) -> tuple[Located, ...]:
        """Return what an expression can stand for, one step on; nothing where that is not known.

        There are several where a table is asked for a key that is not known.
        """
        if depth > MAX_DEPTH or self._left <= 0:
            return ()
        self._left -= 1
        if type(value) is Ref:
            found = self._of_name(path, scope, value.name, depth)
            return (found,) if found is not None else ()
        if type(value) is Item:
            return self._in_table(Located(path, scope, value.base), Text((value.key,)), None, depth)
        if type(value) is Call:
            return self._of_call(path, scope, value, depth)
        return ()

    def followed(self, path: str, scope: str, value: Value, depth: int = 0) -> Located:
        """Return the one thing that an expression stands for, as far as there is one."""
        found = Located(path, scope, only(value))
        for step in range(depth + 1, MAX_DEPTH):
            steps = self.meant(*found, step)
            if len(steps) != 1:
                break
            found = steps[0]._replace(value=only(steps[0].value))
        return found

    def _of_name(self, path: str, scope: str, name: str, depth: int) -> Located | None:
        root, _, rest = name.partition(".")
        if root in ("self", "cls"):
            if self._is_stored(path, scope, rest.partition(".")[0]):
                return None
        elif self._is_parameter(path, scope, root):
            return None
        symbol = self._names.resolve(path, name, scope)
        if isinstance(symbol, ValueSymbol):
            if type(symbol.value) is Opaque or symbol.value == Ref(name):
                return None
            return Located(symbol.path, "", symbol.value)
        holder, _, attribute = name.rpartition(".")
        if symbol is not None or not holder or depth > MAX_DEPTH:
            return None
        above, _, member = holder.rpartition(".")
        owner = self._names.resolve(path, above, scope) if above else None
        if isinstance(owner, ClassSymbol) and self.is_enum(owner):
            return self._of_member(owner, member, attribute, depth)
        found = self._of_name(path, scope, holder, depth + 1)
        return self.field(found, attribute, depth + 1) if found is not None else None

    def _is_parameter(self, path: str, scope: str, name: str) -> bool:
        """Whether a name is a parameter of a function, or of one around it."""
        while scope:
            function = self._names.function(path, scope)
            if function is not None and any(item.name == name for item in function.parameters):
                return True
            scope = scope.rpartition(".")[0]
        return False

    def _is_stored(self, path: str, scope: str, attribute: str) -> bool:
        """Whether a constructor gives an attribute another value than the class has."""
        owner = self._names.enclosing_class(path, scope)
        for base in self._project.hierarchy.bases(owner) if owner is not None else ():
            constructor = self._names.own_method(base, "__init__")
            if constructor is not None and any(entry.key == attribute for entry in constructor.stores):
                return True
        return False

    def written(self, path: str, scope: str, value: Value) -> tuple[str, Span] | None:
        """Return the file and the statement in which a member, a table or an object is written that a value names.

        A constant text has no place of its own: it is there for its uses.
        """
        name = _root(value)
        while name:
            symbol = self._names.resolve(path, name, scope)
            if isinstance(symbol, ValueSymbol):
                holder, _, last = name.rpartition(".")
                owner = self._names.resolve(path, holder, scope) if holder else None
                return self._place_of(owner if isinstance(owner, ClassSymbol) else None, last, symbol)
            name = name.rpartition(".")[0]
        return None

    def _place_of(self, owner: ClassSymbol | None, name: str, symbol: ValueSymbol) -> tuple[str, Span] | None:
        for base in self._project.hierarchy.bases(owner) if owner is not None else ():
            members = base.definition.members or ()
            for entry, place in zip(members, base.definition.places):  # noqa: B905 -- equal by construction
                if entry.key == name:
                    return base.path, place
        if owner is not None or type(symbol.value) not in (Dict, Call):
            return None
        assigned = self._project.modules[symbol.path].assigned
        return next(((symbol.path, item.span) for item in assigned if item.value == symbol.value), None)

    # --- enumerations and objects -------------------------------------------------------------------------------

    def is_enum(self, symbol: ClassSymbol) -> bool:
        """Whether a class is an enumeration."""
        return any(_ENUM.search(base) for base in self._project.hierarchy.base_names(symbol))

    def _of_member(self, owner: ClassSymbol, member: str, attribute: str, depth: int) -> Located | None:
        """Return an attribute of a member: its value, its name, or what the constructor makes of its value."""
        held = self._names.member(owner, member)
        if not isinstance(held, ValueSymbol):
            return None
        if attribute == "name":
            return Located(owner.path, "", Text((member,)))
        if attribute == "value":
            is_auto = type(held.value) is Call and held.value.name.rpartition(".")[2] == "auto"
            return None if is_auto or type(held.value) is Opaque else Located(held.path, "", held.value)
        constructor = self._project.domain.constructor(owner)
        if constructor is None:
            return self.field(Located(held.path, "", held.value), attribute, depth + 1)
        given = held.value.items if type(held.value) is Sequence else (held.value,)
        names = [item.name for item in constructor.function.parameters[1:] if item.kind == ""]
        passed = dict(zip(names, given, strict=False))
        for entry in constructor.function.stores:
            if entry.key == attribute and type(entry.value) is Ref and entry.value.name in passed:
                return Located(held.path, "", passed[entry.value.name])
        return None

    def field(self, at: Located, attribute: str, depth: int = 0) -> Located | None:
        """Return a field of an object that is made of a class of the project, ``None`` where it is not known."""
        found = self.object_of(*at, depth)
        if found is None:
            return None
        path, scope, call, symbol = found
        made = self._project.domain.construction_of(symbol, call)
        if attribute in made.passed:
            return Located(path, scope, made.passed[attribute])
        constructor = self._project.domain.constructor(symbol)
        for entry in constructor.function.stores if constructor is not None else ():
            if entry.key == attribute and type(entry.value) is Ref and entry.value.name in made.passed:
                return Located(path, scope, made.passed[entry.value.name])
        default = made.defaults.get(attribute)
        if default is None or made.is_open or made.has_more:
            return None
        member = self._names.member(symbol, attribute)
        return Located(
            member.path if isinstance(member, ValueSymbol) else symbol.path, "", field_default(default) or default
        )

    def object_of(self, path: str, scope: str, value: Value, depth: int = 0) -> Construction | None:
        """Return the object of a class of the project that an expression is, ``None`` for anything else."""
        at = self.followed(path, scope, value, depth)
        if type(at.value) is not Call or not at.value.name:
            return None
        call = self._project.evaluator.called(at.path, at.scope, at.value, depth + 1)
        symbol = self._names.resolve(at.path, call.name, at.scope)
        return Construction(at.path, at.scope, call, symbol) if isinstance(symbol, ClassSymbol) else None

    # --- calls --------------------------------------------------------------------------------------------------

    def _of_call(self, path: str, scope: str, value: Call, depth: int) -> tuple[Located, ...]:
        holder, _, last = value.name.rpartition(".")
        given = [item.value for item in value.arguments if not item.name]
        if value.name == SUBSCRIPT and value.inner is not None and given:
            return self._in_table(Located(path, scope, value.inner), given[0], None, depth)
        if last == "get" and given and len(given) == len(value.arguments):
            base = value.inner if not holder else Ref(holder)
            default = given[1] if len(given) > 1 else Constant(None)
            return self._in_table(Located(path, scope, base), given[0], default, depth) if base is not None else ()
        if last in _SAME and len(given) > _SAME[last] and not value.name.startswith("."):
            return (Located(path, scope, given[_SAME[last]]),)
        return ()

    def _in_table(self, base: Located, key: Value, default: Value | None, depth: int) -> tuple[Located, ...]:
        """Return what a dict holds under a key: of every key it may be where that is not known."""
        table = self.followed(*base, depth)
        if type(table.value) is not Dict or table.value.spreads:
            return ()
        otherwise = (Located(base.path, base.scope, default),) if default is not None else ()
        kept: list[Located] = []
        for entry in table.value.entries:
            if entry.key is None and not entry.name:
                return ()
            is_it = self._is_key(table.path, entry, base._replace(value=only(key)), depth)
            if is_it:
                return (table._replace(value=entry.value),)
            if is_it is None:
                kept.append(table._replace(value=entry.value))
        return (*kept, *otherwise)

    def _is_key(self, path: str, entry: DictEntry, key: Located, depth: int) -> bool | None:
        """Whether an entry stands under a key, ``None`` where that is not known."""
        if type(key.value) is Constant:
            own = int(entry.name) if entry.name.isdigit() else number(Ref(entry.name))
            return False if entry.key is not None else None if own is None else own == key.value.value
        if type(key.value) is Ref and entry.name:
            mine, other = self._member(path, "", entry.name), self._member(key.path, key.scope, key.value.name)
            if mine is not None and other is not None:
                return mine == other
        wanted = self.text(*key, depth + 1)
        own_text = entry.key if entry.key is not None else self.text(path, "", Ref(entry.name), depth + 1)
        return None if wanted is None or own_text is None else wanted == own_text

    def _member(self, path: str, scope: str, name: str) -> tuple[str, str, str] | None:
        """Return the enumeration, by file and name, and the member that a dotted name means."""
        holder, _, member = name.removesuffix(".value").rpartition(".")
        owner = self._names.resolve(path, holder, scope) if holder else None
        return (owner.path, owner.definition.name, member) if isinstance(owner, ClassSymbol) else None

    def text(self, path: str, scope: str, value: Value, depth: int = 0) -> str | None:
        """Return the one constant text that an expression is, ``None`` where it is none or may be others."""
        texts = {*self.texts(path, scope, value, depth)}
        return texts.pop() if len(texts) == 1 else None

    def texts(self, path: str, scope: str, value: Value, depth: int = 0) -> Iterator[str | None]:
        """Yield the constant texts that an expression can be, ``None`` for whatever else it can be."""
        self.begin(depth)
        if type(value) is Text:
            pieces = [
                part if isinstance(part, str) else self.text(path, scope, part, depth + 1) for part in value.parts
            ]
            yield None if None in pieces else "".join(filter(None, pieces))
        elif type(value) is Variable or type(value) is Choice:
            for item in value.values:
                yield from self.texts(path, scope, item, depth + 1)
        elif type(value) is Call and value.name == "str" and len(value.arguments) == 1:
            yield from self.texts(path, scope, value.arguments[0].value, depth + 1)
        elif steps := self.meant(path, scope, value, depth + 1):
            for step in steps:
                yield from self.texts(*step, depth + 1)
        else:
            yield None


def _root(value: Value) -> str:
    """Return the dotted name at the beginning of an expression, "" for none."""
    value = only(value)
    if type(value) is Ref:
        return value.name
    if type(value) is Item:
        return _root(value.base)
    if type(value) is Call:
        return value.name.rpartition(".")[0] or (_root(value.inner) if value.inner is not None else "")
    return ""


def field_default(value: Value) -> Value | None:
    """Return what a field of a class holds unless it is given, ``None`` where ``field(...)`` tells of no default."""
    if type(value) is not Call or value.name.rpartition(".")[2] not in FIELDS:
        return value
    for item in value.arguments:
        if item.name in ("", "default"):
            return item.value
        if item.name == "default_factory":
            name = item.value.name if type(item.value) is Ref else ""
            return _MADE.get(name, Call(name, ()))
    return None
