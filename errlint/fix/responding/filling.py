"""What a declared response type is given for a payload: each key a field of its name, or one that means the same."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from keyword import iskeyword
from typing import NamedTuple

import libcst as cst

from errlint.error_keywords import ERROR_KEYS, ERROR_STATUS, FAILURE_KEYS, STATUS_KEYS, SUCCESS_KEYS
from errlint.fix.model import Doubt, refuse
from errlint.fix.nodes import convert, dotted_name
from errlint.fix.payload_extraction.effects import calls_that_may_do_something, is_constant, is_plain
from errlint.fix.payload_extraction.payload import entries, is_marker
from errlint.fix.raising.exceptions import CONTEXT_PARAMETERS
from errlint.fix.responding.fitting import Nothing, evaluated, fits
from errlint.fix.responding.responses import Declared, Field, ModelKind
from errlint.fix.source_cache import Scope
from errlint.index.annotations import head, literals, members
from errlint.project import Project
from errlint.project.domain import matches
from errlint.settings import Policy

_MESSAGES = ("message", "error", "error_message", "msg", "detail", "reason", "description", "text")
_CODES = ("code", "error_code", "errorcode", "error_type", "errortype", "type", "kind")
_ANYTHING = frozenset({"dict", "Dict", "Mapping", "MutableMapping"})
_MARKERS = SUCCESS_KEYS | FAILURE_KEYS | STATUS_KEYS


class PayloadEntries(NamedTuple):
    """What a payload says, key by key in its order, and which of them holds the message; "" for a text alone."""

    parts: tuple[tuple[str, cst.BaseExpression], ...]
    message: str
    codes: frozenset[str]
    inner: frozenset[str] = frozenset()


class Filled(NamedTuple):
    """The arguments for a type in their order, and what is in doubt about them.

    ``is_same`` is true where each key of the payload is there with its value, and nothing else is.
    """

    arguments: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    is_same: bool


class Filler:
    """Fills one type from one payload.

    Where the payload need not stay whole (``is_whole``), keys that the type has no place for go to a field that holds
    anything, else are left out.
    """

    def __init__(self, scope: Scope, at: cst.CSTNode, said: PayloadEntries, into: Declared, *, is_whole: bool) -> None:
        self._project, _, self._parsed, self._function = scope
        self._at, self._said, self._type, self._is_whole = at, said, into, is_whole
        self._policy = self._project.policy(self._parsed.path)
        self._given: dict[str, cst.BaseExpression] = {}
        self._kept: set[str] = set()  # fields whose defaults are what the payload says
        self._added: dict[str, str] = {}
        self._rest: dict[str, cst.BaseExpression] = {}  # what no field is there for
        self._doubts: list[Doubt] = []

    def fill(self) -> Filled:
        """Bind what the payload says to the fields.

        Raises :class:`errlint.fix.model.Refusal` where the type asks for what is not there, or has no place for a key.
        """
        left = [part for part in self._said.parts if not self._by_name(*part)]
        markers = [part for part in left if is_marker(part[0].lower(), part[1])]
        for key, value in left:
            if (key, value) not in markers:
                self._by_meaning(key, value)
        self._put_rest()
        for item in self._type.fields:
            self._complete(item)
        for key, _ in markers if self._type.maker is None else ():
            self._without(key)
        for key in self._said.inner:
            if key in self._given:
                self._doubt(f"`{key}` stood below another key", is_convention=True)
        for name, value in self._given.items():
            self._check(name, value)
        names = [*self._given, *self._added]
        if all(map(is_plain, self._given.values())):
            places = {item.name: index for index, item in enumerate(self._type.fields)}
            names.sort(key=lambda name: places.get(name, len(places)))
        texts = {name: self._text(value) for name, value in self._given.items()} | self._added
        is_same = not self._doubts and not self._added and not markers
        is_same = is_same and not any(self._is_answered(item) for item in self._type.fields)
        return Filled(tuple(f"{name}={texts[name]}" for name in names), tuple(self._doubts), is_same)

    def _text(self, value: cst.BaseExpression) -> str:
        """Return the text of a value; what goes over several lines keeps its parentheses."""
        text = self._parsed.code(value)
        return text if "\n" in text else self._parsed.argument(value)

    def _is_answered(self, item: Field) -> bool:
        """Whether clients see a field of which the payload says nothing."""
        return item.name not in self._given and item.name not in self._kept and self._type.kind is not ModelKind.DICT

    def _by_name(self, key: str, value: cst.BaseExpression) -> bool:
        """Give a field what stands under its name; return whether there is one."""
        item = self._type.field(key)
        if item is None:
            return False
        if item.is_renamed:
            raise refuse(f"the field `{key}` of `{self._type.name}` has another name for clients", *self._place)
        if _is_default(item, value) and (
            not item.is_given or is_marker(key.lower(), value) or evaluated(value) is None
        ):
            self._kept.add(key)
            return True
        if not item.is_given:
            raise refuse(f"`{self._type.name}` sets its `{key}` itself", *self._place)
        self._given[key] = value
        return True

    def _by_meaning(self, key: str, value: cst.BaseExpression) -> None:
        """Give the one field that means the same what stands under a key."""
        taken = {*self._given, *self._kept, *(name for name, _ in self._said.parts)}
        free = [item.name for item in self._type.fields if item.name not in taken]
        found = next((names for each in self._meant(key) if (names := [item for item in each if item in free])), [])
        if not found and self._type.takes_more and key.isidentifier() and not iskeyword(key):
            self._given[key] = value
            return
        is_told = key != self._said.message or not self._given.keys().isdisjoint(_MESSAGES)
        if not found and key and is_told and not self._is_whole and not any(calls_that_may_do_something(value)):
            self._rest[key] = value
            return
        if not found:
            raise refuse(f"`{self._type.name}` has no place for `{key or 'the text'}`, which would be lost")
        if len(found) > 1:
            shown = ", ".join(f"`{name}`" for name in found)
            raise refuse(f"it is not certain which of {shown} `{key}` belongs to", *self._place)
        item = self._type.field(found[0])
        if item is None or not item.is_given or item.is_renamed:
            raise refuse(f"`{self._type.name}` does not take its `{found[0]}` as it is", *self._place)
        self._given[found[0]] = value
        if key:
            self._doubt(f"clients find `{key}` under `{found[0]}` from now on", is_convention=True)

    def _put_rest(self) -> None:
        """Put what no field is there for into the one that holds anything, or leave it out where there is none."""
        if not self._rest:
            return
        keys = ", ".join(f"`{key}`" for key in self._rest)
        taken = {*self._given, *self._kept}
        found = next((item for item in self._type.fields if item.name not in taken and _holds_anything(item)), None)
        if found is None:
            self._doubt(f"clients do not find {keys} any more, which `{self._type.name}` has no place for")
            return
        quote = self._parsed.quote
        texts = (f"{quote}{key}{quote}: {self._text(value)}" for key, value in self._rest.items())
        self._added[found.name] = f"{{{', '.join(texts)}}}"
        self._doubt(f"clients find {keys} in `{found.name}` from now on", is_convention=True)

    def _meant(self, key: str) -> Iterator[Sequence[str]]:
        """Yield the names of fields that may hold what a payload has under a key, the likeliest ones first."""
        policy = self._policy
        if key == self._said.message:
            yield from ((name,) for name in _MESSAGES)
        elif key in self._said.codes:
            yield from (policy.codes.arguments, _CODES)
        elif key in policy.hints.keywords:
            yield policy.hints.keywords
        elif key in policy.codes.retry_arguments:
            yield policy.codes.retry_arguments

    def _complete(self, item: Field) -> None:
        """Give a field of which the payload says nothing what it has to have."""
        if item.name in self._given or item.name in self._kept or item.name in self._added:
            return
        says_error = item.name.lower() in _MARKERS
        marker = self._marker(item) if says_error else ""
        if marker and (item.is_required or _contradicts(item)):
            if not item.is_given:
                raise refuse(f"`{self._type.name}` says `{item.name}` by itself", *self._place)
            self._added[item.name] = marker
            return
        if not item.is_required:
            return
        text = self._retryable(item) or self._parameter(item)
        if not text or not item.is_given or item.is_renamed:
            raise refuse(f"`{self._type.name}` needs `{item.name}`, which is not in scope")
        self._added[item.name] = text

    def _marker(self, item: Field) -> str:
        """Return how a type says by a field that this is an error, "" where that is not certain."""
        key = item.name.lower()
        if key in SUCCESS_KEYS:
            return "False"
        if key in FAILURE_KEYS:
            return "True"
        allowed = [value for each in members(item.annotation or ast.Constant(...)) for value in literals(each)]
        texts = [value for value in allowed if isinstance(value, str)]
        declared = _status(self._policy, self._project, self._type)
        heads = {head(each) for each in members(item.annotation)} if item.annotation is not None else {"str"}
        if not texts and "str" not in heads:
            return ""
        choice = declared or next(iter(texts) if len(texts) == 1 else (each for each in texts if _is_error(each)), "")
        if texts and choice not in texts:
            return ""
        return self._parsed.quote + (choice or "error") + self._parsed.quote

    def _retryable(self, item: Field) -> str:
        """Return whether the policy says that a retry can help with the code of the payload."""
        if item.name not in self._policy.codes.retry_arguments:
            return ""
        texts = [
            found.text
            for key, value in self._said.parts
            if key in self._said.codes
            for found in self._project.codes.resolved(self._parsed.path, self._function.name, convert(value))
        ]
        answers = {
            code.retryable for text in texts if (code := self._policy.codes.vocabulary.get(str(text))) is not None
        }
        return str(answers.pop()) if len(answers) == 1 and None not in answers else ""

    def _parameter(self, item: Field) -> str:
        """Return the parameter of the function that has the name of a field, and the same type."""
        node = self._parsed.function(self._at)
        for each in (*node.params.params, *node.params.kwonly_params) if node is not None else ():
            if each.name.value == item.name and each.annotation is not None and item.annotation is not None:
                written = self._parsed.code(each.annotation.annotation)
                if written == ast.unparse(item.annotation):
                    self._doubt(f"`{item.name}` is taken from the parameter of that name")
                    return item.name
        return ""

    def _without(self, key: str) -> None:
        """Leave out a marker, where the type has one of its own."""
        own = [
            item.name
            for item in self._type.fields
            if item.name.lower() in _MARKERS and item.name not in self._given and not _contradicts(item, self._added)
        ]
        if not own:
            raise refuse(f"`{self._type.name}` has no place for `{key}`, which would be lost")
        self._doubt(f"clients find `{own[0]}` instead of `{key}` from now on", is_convention=True)

    def _check(self, name: str, value: cst.BaseExpression) -> None:
        """Look whether a field takes a value."""
        item = self._type.field(name)
        if item is None:
            return
        answer = fits(self._project, self._parsed, item.annotation, value, self._at)
        if answer is False:
            written = ast.unparse(item.annotation) if item.annotation is not None else ""
            raise refuse(f"the field `{name}` of `{self._type.name}` is `{written}`, the payload has something else")
        if (answer is None or item.is_narrow) and self._type.checks:
            self._doubt(f"it cannot be told whether `{self._type.name}` takes what it is given as `{name}`")

    def _doubt(self, text: str, *, is_convention: bool = False) -> None:
        line = self._parsed.line(self._at)
        self._doubts.append(Doubt(text, self._parsed.path, line, is_convention=is_convention))

    @property
    def _place(self) -> tuple[str, int]:
        return self._type.symbol.path, self._type.symbol.definition.span.line


def _status(policy: Policy, project: Project, declared: Declared) -> str:
    """Return the status that the policy gives to a type, "" where it has none, or several."""
    absolute = project.names.absolute(declared.symbol)
    found = [status for status, name in policy.response.by_status.items() if matches(absolute, (name,))]
    return found[0] if len(found) == 1 else ""


def _is_default(item: Field, value: cst.BaseExpression) -> bool:
    own = evaluated(value)
    if item.default is None:
        allowed = list(literals(item.annotation)) if item.annotation is not None and not item.is_given else []
        return allowed == [own]
    if not isinstance(item.default, ast.Constant) or own is Nothing:
        return bool(dotted_name(value)) and not is_constant(value) and ast.unparse(item.default) == dotted_name(value)
    return type(item.default.value) is type(own) and item.default.value == own


def _holds_anything(item: Field) -> bool:
    """Whether a field takes a dict of whatever somebody wants to tell beside a message."""
    if item.name not in CONTEXT_PARAMETERS or not item.is_given or item.is_renamed or item.annotation is None:
        return False
    return any(
        ast.unparse(each).rpartition(".")[2] in _ANYTHING or _is_of_anything(each) for each in members(item.annotation)
    )


def _is_of_anything(annotation: ast.expr) -> bool:
    if not isinstance(annotation, ast.Subscript) or head(annotation) not in _ANYTHING:
        return False
    values = annotation.slice.elts[1:] if isinstance(annotation.slice, ast.Tuple) else []
    return [head(each) for each in values] in (["Any"], ["object"])


def _is_error(text: str) -> bool:
    return ERROR_STATUS.fullmatch(text) is not None


def _contradicts(item: Field, added: Iterable[str] = ()) -> bool:
    """Whether the default of a marker says anything else than that this is an error."""
    if item.name in added:
        return False
    if item.is_required or not isinstance(item.default, ast.Constant):
        return True
    value, key = item.default.value, item.name.lower()
    if key in SUCCESS_KEYS:
        return value is not False
    if key in FAILURE_KEYS:
        return value is not True
    return not (isinstance(value, str) and _is_error(value))


def said(
    parts: Iterable[tuple[str, cst.BaseExpression]], message: str, codes: Iterable[str], into: Declared
) -> PayloadEntries:
    """Return what a payload says to a type; what stands below an error that the type has no field for is taken out."""
    found: list[tuple[str, cst.BaseExpression]] = []
    inner: set[str] = set()
    for key, value in parts:
        if isinstance(value, cst.Dict) and key.lower() in ERROR_KEYS and into.field(key) is None:
            for name, item in entries(value):
                found.append((name, item))
                inner.add(name)
        else:
            found.append((key, value))
    names = [key for key, _ in found]
    if len(set(names)) < len(names):
        raise refuse("the payload has a key twice")
    return PayloadEntries(tuple(found), message, frozenset(codes), frozenset(inner))
