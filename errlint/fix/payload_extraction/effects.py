"""Which expressions may be evaluated at another time, twice, or not at all, and which are decided before they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import libcst as cst
import libcst.matchers as m

from errlint.fix.nodes import all_below, dotted_name, is_none
from errlint.fix.source_file import SCOPES

_TEXTS = frozenset({"str", "repr"})

_READING = frozenset(
    {"abs", "all", "any", "bool", "callable", "dict", "dumps", "endswith", "enumerate", "float", "format", "format_exc",
     "get", "getattr", "getenv", "hasattr", "int", "isinstance", "isoformat", "issubclass", "items", "join", "keys",
     "len", "list", "lower", "lstrip", "max", "min", "monotonic", "now", "perf_counter", "range", "replace", "repr",
     "reversed", "round", "rstrip", "sorted", "split", "startswith", "str", "strftime", "strip", "sum", "time",
     "timestamp", "title", "today", "tuple", "type", "upper", "utcnow", "uuid4", "values", "zip"}
)  # fmt: skip
"""Last parts of the names of functions and methods that do nothing but read and convert: clocks and ids, too."""


_FILLING = frozenset({"add", "append", "extend", "insert", "setdefault", "update"})
"""Methods that change the list, set or dict they are called of, and nothing else."""

_COMPUTING = (cst.Return, cst.Assign, cst.AnnAssign, cst.AugAssign, cst.Pass, cst.Break, cst.Continue, cst.Import)
"""Statements that do nothing but to compute, where they bind local names alone."""


def calls_that_may_do_something(
    node: cst.CSTNode, only_computes: Callable[[str], bool] = lambda _name: False
) -> Iterator[str]:
    """Yield the names of what is called in an expression, without what is known to change nothing.

    ``only_computes`` says that of what a dotted name stands for.
    """
    for call in m.findall(node, m.Call()):
        assert isinstance(call, cst.Call)
        last = call.func.attr.value if isinstance(call.func, cst.Attribute) else dotted_name(call.func)
        if last not in _READING and not last[:1].isupper() and not only_computes(dotted_name(call.func)):
            yield last


def is_computing(function: cst.FunctionDef, only_computes: Callable[[str], bool]) -> bool:
    """Whether a function does nothing but to compute what it returns: nobody notices that it is not called any more.

    ``only_computes`` says that of what it calls by a dotted name.
    """
    inner = list(all_below(function.body))
    local = {item.value for each in inner for item in _targets(each) if isinstance(item, cst.Name)}
    filled: set[int] = set()
    for node in inner:
        if isinstance(node, (*SCOPES, cst.Yield, cst.Await)):
            return False
        if isinstance(node, cst.Expr):
            called = dotted_name(node.value.func) if isinstance(node.value, cst.Call) else ""
            name, _, method = called.rpartition(".")
            if not isinstance(node.value, cst.BaseString) and not (name in local and method in _FILLING):
                return False
            filled.add(id(node.value))
        elif isinstance(node, cst.BaseSmallStatement) and not isinstance(node, _COMPUTING):
            return False
        if any(_root(item) not in local for item in _targets(node)):
            return False
    calls = (item for item in inner if isinstance(item, cst.Call) and id(item) not in filled)
    return not any(
        True for call in calls for _ in calls_that_may_do_something(call.with_changes(args=()), only_computes)
    )


def _targets(node: cst.CSTNode) -> list[cst.BaseExpression]:
    """Return what a node binds or changes."""
    if isinstance(node, (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.CompFor, cst.NamedExpr)):
        target: cst.BaseExpression = node.target
        return [item.value for item in target.elements] if isinstance(target, (cst.Tuple, cst.List)) else [target]
    return []


def _root(target: cst.BaseExpression) -> str:
    """Return the name of what an assignment changes: ``found`` for ``found["key"]``, "" for anything else."""
    while isinstance(target, cst.Subscript):
        target = target.value
    return target.value if isinstance(target, cst.Name) else ""


def is_constant(node: cst.BaseExpression) -> bool:
    """Whether an expression is ``None``, a truth value, a number or a text without holes."""
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Minus) and isinstance(node.expression, (cst.Integer, cst.Float))
    if isinstance(node, cst.ConcatenatedString):
        return is_constant(node.left) and is_constant(node.right)
    return isinstance(node, (cst.Integer, cst.Float, cst.SimpleString)) or (
        isinstance(node, cst.Name) and node.value in ("None", "True", "False")
    )


def is_plain(node: cst.BaseExpression) -> bool:
    """Whether an expression does nothing but read names and make texts of them: nobody notices when it does so."""
    if is_constant(node) or isinstance(node, cst.Name):
        return True
    if isinstance(node, cst.ConcatenatedString):
        return is_plain(node.left) and is_plain(node.right)
    if isinstance(node, cst.FormattedString):
        return all(
            isinstance(part, cst.FormattedStringText)
            or (
                isinstance(part, cst.FormattedStringExpression)
                and part.format_spec is None
                and is_plain(part.expression)
            )
            for part in node.parts
        )
    if isinstance(node, cst.Attribute):
        return node.attr.value == "__name__" and _is_type(node.value)
    if isinstance(node, cst.Call):
        is_text = dotted_name(node.func) in _TEXTS and len(node.args) == 1
        return is_text and not node.args[0].star and is_plain(node.args[0].value)
    if isinstance(node, cst.Dict):
        return all(
            isinstance(item, cst.DictElement) and is_constant(item.key) and is_plain(item.value)
            for item in node.elements
        )
    if isinstance(node, (cst.List, cst.Tuple)):
        return all(isinstance(item, cst.Element) and is_plain(item.value) for item in node.elements)
    return False


def _is_type(node: cst.BaseExpression) -> bool:
    return (
        isinstance(node, cst.Call)
        and dotted_name(node.func) == "type"
        and len(node.args) == 1
        and isinstance(node.args[0].value, cst.Name)
    )


def truth(node: cst.BaseExpression) -> bool | None:
    """Return whether an expression is true; ``None`` where that is decided only when it runs."""
    if isinstance(node, cst.Name):
        return {"None": False, "False": False, "True": True}.get(node.value)
    if isinstance(node, (cst.SimpleString, cst.Integer, cst.Float)):
        return bool(node.evaluated_value)
    if isinstance(node, cst.FormattedString):
        # A text without anything but holes may be empty.
        return True if any(isinstance(part, cst.FormattedStringText) for part in node.parts) else None
    if isinstance(node, cst.ConcatenatedString):
        sides = {truth(node.left), truth(node.right)}
        return True if True in sides else None if None in sides else False
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        inner = truth(node.expression)
        return None if inner is None else not inner
    if isinstance(node, (cst.Dict, cst.List, cst.Tuple)):
        is_open = any(isinstance(item, (cst.StarredDictElement, cst.StarredElement)) for item in node.elements)
        return None if is_open else bool(node.elements)
    if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
        operator, right = node.comparisons[0].operator, node.comparisons[0].comparator
        if isinstance(operator, (cst.Is, cst.IsNot)) and isinstance(right, cst.Name) and node.left.deep_equals(right):
            return isinstance(operator, cst.Is)
        is_text = isinstance(node.left, cst.SimpleString) and isinstance(right, cst.SimpleString)
        if isinstance(operator, (cst.Equal, cst.NotEqual)) and is_text:
            return node.left.deep_equals(right) == isinstance(operator, cst.Equal)
        if is_none(right) and isinstance(operator, (cst.Is, cst.IsNot)):
            found = _is_none(node.left)
            return None if found is None else found == isinstance(operator, cst.Is)
    asked = _asked_kind(node)
    if asked is not None:
        made = next((name for kinds, name in _MADE if isinstance(asked[0], kinds)), None)
        return None if made is None else made == asked[1]
    return None


_MADE = ((cst.BaseString, "str"), (cst.Dict, "dict"), (cst.List, "list"), (cst.Tuple, "tuple"))
"""Expressions that say of which builtin class their value is."""


def _asked_kind(node: cst.CSTNode) -> tuple[cst.BaseExpression, str] | None:
    """Return of what ``isinstance`` asks whether it is of which class; ``None`` for anything else, and for several."""
    if not isinstance(node, cst.Call) or dotted_name(node.func) != "isinstance" or len(node.args) != 2:
        return None
    value, kind = node.args
    name = dotted_name(kind.value)
    is_plain_call = not any(item.star or item.keyword is not None for item in node.args)
    return (value.value, name) if is_plain_call and name in {each for _, each in _MADE} else None


def asked_to_be_text(node: cst.CSTNode) -> cst.BaseExpression | None:
    """Return of what a condition asks whether it is a text, ``None`` for any other condition."""
    asked = _asked_kind(node)
    return asked[0] if asked is not None and asked[1] == "str" else None


def _is_none(node: cst.BaseExpression) -> bool | None:
    if isinstance(node, cst.Name):
        return {"None": True, "True": False, "False": False}.get(node.value)
    made = (cst.BaseString, cst.BaseNumber, cst.Dict, cst.List, cst.Tuple, cst.Set)
    return False if isinstance(node, made) else None
