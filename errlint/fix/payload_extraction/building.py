"""What the body of a factory builds: one expression of its parameters, in which stays open what only the body knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import libcst as cst

from errlint.error_keywords import ERROR_KEYS, MESSAGE_KEYS
from errlint.fix.model import Refusal, refuse
from errlint.fix.nodes import constant_key, dict_entries, dict_of, dotted_name, is_none, small_of, subscript_key
from errlint.fix.payload_extraction.effects import calls_that_may_do_something, is_plain
from errlint.fix.payload_extraction.payload import UNKNOWN
from errlint.fix.payload_extraction.substitution import Putter, in_parts
from errlint.fix.raising.logcalls import log_call

Locals = dict[str, cst.BaseExpression]


class Built(NamedTuple):
    """What a function answers, as an expression of its parameters, and whether it logs on the way."""

    value: cst.BaseExpression
    is_logged: bool


def built(
    name: str,
    statements: Iterable[cst.CSTNode],
    decided: Callable[[cst.BaseExpression], bool | None],
    only_computes: Callable[[str], bool],
) -> Built:
    """Return what the statements of a function answer, as an expression of its parameters.

    ``decided`` says whether a condition of parameters holds, ``only_computes`` of a name whether what it calls does
    nothing else. What is assigned in one branch and not in the other is
    :data:`errlint.fix.payload_extraction.payload.UNKNOWN`.
    Raises :class:`errlint.fix.model.Refusal` where it is not one expression, or where something other than to log is
    done that nobody would do if the expression stood in the place of a call.
    """
    body = _Body(name, decided, only_computes)
    local: Locals = {}
    found = body.run(statements, local)
    if found is None:
        raise body.does_more()
    body.refuse_undone(found)
    return Built(found, body.is_logged)


class _Body:
    """Follows the statements of one function."""

    def __init__(
        self,
        name: str,
        decided: Callable[[cst.BaseExpression], bool | None],
        only_computes: Callable[[str], bool],
    ) -> None:
        self._name, self._decided, self._only_computes = name, decided, only_computes
        self.is_logged = False
        self._done: Counter[str] = Counter()
        self._taken: set[str] = set()  # names of local values that were evaluated already
        self._shared: set[str] = set()  # names of dicts that stand in other ones

    def does_more(self) -> Refusal:
        """Return the refusal of a body that is not followed."""
        return refuse(f"`{self._name}` does more than to build a payload")

    def refuse_undone(self, found: cst.BaseExpression) -> None:
        """Refuse where a call of the body would not be made any more."""
        left = Counter(self._calls(found))
        if any(count > left[call] for call, count in self._done.items()):
            raise self.does_more()

    def _calls(self, node: cst.BaseExpression) -> Iterator[str]:
        return calls_that_may_do_something(node, self._only_computes)

    def run(self, statements: Iterable[cst.CSTNode], local: Locals) -> cst.BaseExpression | None:
        """Return what statements answer, ``None`` where they come to their end; ``local`` is what names hold then."""
        for node in statements:
            if isinstance(node, cst.If):
                found = self._branch(node, local)
                if found is not None:
                    return found
                continue
            if log_call(node) is not None:
                self.is_logged = True
                continue
            small = small_of(node)
            if isinstance(small, cst.Return) and small.value is not None:
                self._done.update(self._calls(small.value))
                return self._put(small.value, local)
            if isinstance(small, (cst.Import, cst.ImportFrom)) and not isinstance(small.names, cst.ImportStar):
                local.update((_imported(item), UNKNOWN) for item in small.names)
            elif not isinstance(small, cst.Pass) and not _is_docstring(small) and not self._takes(small, local):
                raise self.does_more()
        return None

    def _branch(self, node: cst.If, local: Locals) -> cst.BaseExpression | None:
        rest: Iterable[cst.CSTNode] = ()
        if isinstance(node.orelse, cst.Else):
            rest = node.orelse.body.body
        elif node.orelse is not None:
            rest = (node.orelse,)
        known = self._decided(self._put(node.test, dict(local), is_read=False))
        if known is not None:
            return self.run(node.body.body if known else rest, local)
        self._done.update(self._calls(node.test))
        sides = dict(local), dict(local)
        for side, statements in zip(sides, (node.body.body, rest), strict=True):
            if self.run(statements, side) is not None:
                raise refuse(f"`{self._name}` answers more than one payload")
        subject = None if rest else _subject(node.test)
        told = None if subject is None else self._put(subject, dict(local), is_read=False)
        local.clear()
        local.update(_joined(*sides, told))
        return None

    def _takes(self, small: cst.CSTNode | None, local: Locals) -> bool:
        """Whether a statement does nothing but to give a local name a value, or a dict in one an entry; do so."""
        target: cst.BaseExpression | None = None
        value: cst.BaseExpression | None = None
        if isinstance(small, cst.Assign) and len(small.targets) == 1:
            target, value = small.targets[0].target, small.value
        elif isinstance(small, cst.AnnAssign):
            target, value = small.target, small.value
        elif isinstance(small, cst.AugAssign) and isinstance(small.operator, cst.AddAssign):
            target = small.target
            is_text = isinstance(small.value, cst.BaseString) and isinstance(target, cst.Name)
            value = cst.BinaryOperation(target, cst.Add(), small.value) if is_text else None
        elif isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
            return self._updates(small.value, local)
        if target is None or value is None:
            return False
        self._done.update(self._calls(value))
        put = self._put(value, local, is_shared=True)
        if isinstance(target, cst.Name):
            local[target.value] = put
            self._taken.discard(target.value)
            self._shared.discard(target.value)
            return True
        name, keys = _path(target)
        return bool(keys) and self._stores(name, keys, put, local)

    def _stores(self, name: str, keys: tuple[str, ...], value: cst.BaseExpression, local: Locals) -> bool:
        whole = _stored(local[name], keys, value) if name in local and name not in self._shared else None
        if whole is not None:
            local[name] = whole
        return whole is not None

    def _updates(self, call: cst.Call, local: Locals) -> bool:
        """Whether a call adds entries to a dict in a local name; add them."""
        name, _, method = dotted_name(call.func).rpartition(".")
        if method != "update" or len(call.args) != 1 or call.args[0].star or name not in local or name in self._shared:
            return False
        base, argument = local[name], call.args[0]
        if argument.keyword is not None or not isinstance(base, cst.Dict):
            return False
        self._done.update(self._calls(argument.value))
        put = self._put(argument.value, local, is_shared=True)
        elements = put.elements if isinstance(put, cst.Dict) else (cst.StarredDictElement(put),)
        whole: cst.BaseExpression | None = base
        for element in elements:
            key = constant_key(element.key) if isinstance(element, cst.DictElement) else None
            if key is not None and whole is not None:
                whole = _stored(whole, (key,), element.value)
            elif isinstance(whole, cst.Dict):
                whole = whole.with_changes(elements=[*whole.elements, element])
        if whole is None:
            return False
        local[name] = whole
        return True

    def _put(
        self, value: cst.BaseExpression, local: Locals, *, is_shared: bool = False, is_read: bool = True
    ) -> cst.BaseExpression:
        """Put what local names hold into an expression.

        What may do something when it is evaluated is put in once; ``is_read`` is false where it is not for good.
        """
        known: Mapping[str, cst.BaseExpression] = {
            name: UNKNOWN if name in self._taken and not is_plain(held) else held for name, held in local.items()
        }

        def put(part: cst.BaseExpression, _is_whole: bool) -> cst.BaseExpression:
            putter = Putter(known)
            try:
                found = part.visit(putter)
            except Refusal:
                return UNKNOWN
            assert isinstance(found, cst.BaseExpression)
            if not is_read:
                return found
            used = Counter(putter.used)
            if any(not is_plain(known[name]) and (count > 1 or name in taken) for name, count in used.items()):
                return UNKNOWN
            taken.update(used)
            return found

        taken: set[str] = set()
        found = in_parts(value, put)
        self._taken |= taken
        if is_shared:
            self._shared.update(name for name in taken if isinstance(local[name], cst.Dict))
        return found


def _is_docstring(small: cst.CSTNode | None) -> bool:
    return isinstance(small, cst.Expr) and isinstance(small.value, (cst.SimpleString, cst.ConcatenatedString))


def _imported(item: cst.ImportAlias) -> str:
    return dotted_name(item.asname.name) if item.asname is not None else dotted_name(item.name).partition(".")[0]


def _path(target: cst.BaseExpression) -> tuple[str, tuple[str, ...]]:
    """Return the name and the keys of ``name["error"]["code"]``, no keys where it is anything else."""
    keys: list[str] = []
    while isinstance(target, cst.Subscript):
        key = subscript_key(target)
        if key is None:
            return "", ()
        keys.insert(0, key)
        target = target.value
    return (target.value, tuple(keys)) if isinstance(target, cst.Name) else ("", ())


def _stored(base: cst.BaseExpression, keys: tuple[str, ...], value: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return a dict with an entry at the end of some keys, ``None`` where that cannot be written as one."""
    if isinstance(base, cst.Call):
        is_empty = dotted_name(base.func) == "dict" and not base.args
        base = cst.Dict([] if is_empty else [cst.StarredDictElement(base)])
    # What another factory answers comes first, and what is stored then is the last word.
    first_of = base.elements[0] if isinstance(base, cst.Dict) and base.elements else None
    if isinstance(base, cst.Dict) and isinstance(first_of, cst.StarredDictElement):
        whole = _stored(base.with_changes(elements=base.elements[1:]), keys, value)
        return whole.with_changes(elements=[first_of, *whole.elements]) if isinstance(whole, cst.Dict) else None
    entries = dict_entries(base)
    if entries is None:
        return None
    first, *others = keys
    if not others:
        entries[first] = value
    else:
        inner = _stored(entries[first], tuple(others), value) if first in entries else None
        if inner is None:
            return None
        entries[first] = inner
    return dict_of(entries)


def _subject(test: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return the value that a condition asks for to be there, ``None`` for any other condition."""
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        target = test.comparisons[0]
        is_there = isinstance(target.operator, cst.IsNot) and is_none(target.comparator)
        return test.left if is_there else None
    return test if isinstance(test, cst.Name) else None


def _joined(
    one: Mapping[str, cst.BaseExpression],
    other: Mapping[str, cst.BaseExpression],
    told: cst.BaseExpression | None,
) -> Locals:
    """Return what names hold, or entries have, behind two branches.

    The message of an error is there in any case: ``told`` is what the first branch asks for to be there.
    """
    found: Locals = {}
    for name in dict.fromkeys((*one, *other)):
        first, second = one.get(name, UNKNOWN), other.get(name, UNKNOWN)
        if first.deep_equals(second):
            found[name] = first
            continue
        left, right = dict_entries(first), dict_entries(second)
        is_told = name not in other and name.lower() in ERROR_KEYS | MESSAGE_KEYS and told is not None
        if is_told and told is not None and first.deep_equals(told):
            found[name] = first
        else:
            found[name] = UNKNOWN if left is None or right is None else dict_of(_joined(left, right, told))
    return found
