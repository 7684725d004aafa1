"""Error records as they are written out: where their fields stand, and which values a field of one may be given.

A record is a dict under the key of the policy. What its project writes elsewhere for a field, what the convention says
of its type, and what the function has by the name of the field are what a person would write.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence

import libcst as cst

from errlint.fix.bindings import has_value
from errlint.fix.model import refuse
from errlint.fix.nodes import dotted_name, exception_names
from errlint.fix.raising.handling import caught_name
from errlint.fix.raising.imports import Needed
from errlint.fix.raising.prefixes import by_message, of_handled
from errlint.fix.rules.node_lookup import below, quoted, text_of
from errlint.fix.rules.recovering import IsError, recovery_of
from errlint.fix.source_file import SCOPES, SourceFile
from errlint.project import Project
from errlint.settings import Policy

_FILE_TESTS = frozenset({"exists", "is_file", "isfile"})
"""Last parts of calls that ask whether there is a file."""

_CLOCK = "datetime.now(timezone.utc).isoformat()"


def record_in(node: cst.CSTNode, policy: Policy) -> cst.Dict | None:
    """Return the fields of the first record that is written out below a node."""
    key = policy.payload.key
    for item in below(node):
        if not isinstance(item, cst.Dict):
            continue
        inner = entry(item, key) if key else item
        if isinstance(inner, cst.Dict) and (key or entry(inner, policy.payload.type_field) is not None):
            return inner
    return None


def entry(held: cst.Dict, name: str) -> cst.BaseExpression | None:
    """Return the value of a key that is written out, ``None`` where there is none."""
    for item in held.elements:
        if isinstance(item, cst.DictElement) and text_of(item.key) == name:
            return item.value
    return None


def beside(parsed: SourceFile, node: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """Return the statements of the block that a node stands in: what is told there is of one error."""
    block = next((parent for parent, _ in parsed.around(node) if isinstance(parent, cst.IndentedBlock)), None)
    return block.body if block is not None else ()


def spelled(parsed: SourceFile, node: cst.CSTNode, value: cst.BaseExpression) -> str:
    """Return the text of an expression where all of its names have a value at a node, "" where they have not."""
    names = {item.value for item in below(value) if isinstance(item, cst.Name) and not _is_attribute(parsed, item)}
    is_known = all(
        has_value(parsed, node, name) or _is_of_module(parsed, name) or hasattr(builtins, name) for name in names
    )
    return parsed.code(value) if is_known else ""


class Filling:
    """The values that the fields of one record, or of a log call beside it, may be given at a node."""

    def __init__(
        self,
        project: Project,
        parsed: SourceFile,
        node: cst.CSTNode,
        known: cst.Dict | None,
        message: cst.BaseExpression | None = None,
        is_error: IsError = lambda _: False,
    ) -> None:
        """Of a log call without a record ``message`` is what it says; ``is_error`` is true for errors it may answer."""
        self._is_error = is_error
        self._parsed, self._node, self._known, self._message = parsed, node, known, message
        self._policy = project.policy(parsed.path)
        self.imports: tuple[Needed, ...] = ()
        self.caught: tuple[tuple[cst.ExceptHandler, str], ...] = ()
        """Handlers that have to name what they catch, for the values that were given out."""

    @property
    def type(self) -> str:
        """The type of the error, "" where the record does not say one."""
        return self._said(self._policy.payload.type_field)

    @property
    def severity(self) -> str:
        """The severity of the error: its own, or the one that its type has."""
        return self._said(self._policy.payload.severity_field) or self._policy.taxonomy.severities.get(self.type, "")

    @property
    def is_settled(self) -> bool:
        """Whether type, severity and recovery of the record are those of the convention, as far as they are written."""
        payload, taxonomy, vocabulary = self._policy.payload, self._policy.taxonomy, self._policy.codes.vocabulary
        if self.type and vocabulary and self.type not in vocabulary:
            return False
        given, recovery = self._said(payload.severity_field), self._said(payload.recovery_field)
        severity = taxonomy.severities.get(self.type, given)
        legal = taxonomy.recoveries.get(severity, ())
        return given in ("", severity) and (not recovery or not legal or recovery in legal)

    def value(self, field: str) -> str:
        """Return the text of a field's value.

        Raises :class:`errlint.fix.model.Refusal` where a person has to choose one.
        """
        payload = self._policy.payload
        holder, _, name = field.rpartition(".")
        if holder and holder == payload.context_field:
            return self._in_scope(name) or self._refuse(name)
        if field == payload.context_field:
            return self._context()
        found = self._by_taxonomy(field) or self._given(field) or self._as_elsewhere(field)
        if not found and payload.kinds.get(field) == "time":
            found = self._time()
        if not found and field == payload.type_field != "":
            found = self._type_here()
        if not found and field == payload.recovery_field != "" and not self.severity:
            recovery = recovery_of(self._parsed, self._node, self._policy.taxonomy, self._is_error)
            found = quoted(self._parsed, recovery) if recovery else ""
        return found or self._refuse(field)

    def _type_here(self) -> str:
        """Return the type that the policy has for the message or for what is handled, else the class of that."""
        codes, handler = self._policy.codes, self._parsed.handler(self._node)
        said = next(by_message(self._message, codes.messages), "") if self._message is not None else ""
        if handler is None:
            said = said or of_handled(tuple(filter(None, (self._missed,))), codes)
        if handler is None or said:
            return quoted(self._parsed, said) if said else ""
        code = of_handled(exception_names(handler.type), codes)
        if code:
            return quoted(self._parsed, code)
        if handler.type is None:
            return ""
        name = caught_name(self._parsed, self._node, handler)
        self.caught = ((handler, name),) if handler.name is None else ()
        return f"type({name}).__name__"

    @property
    def _missed(self) -> str:
        """The exception for what the nearest ``if`` has found missing: a file. "" for any other one."""
        branches = (each for each in self._parsed.around(self._node) if isinstance(each[0], (cst.If, *SCOPES)))
        branch, child = next(branches, (None, None))
        test = branch.test if isinstance(branch, cst.If) and child is branch.body else None
        asked = test.expression if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not) else None
        last = asked.func.attr.value if isinstance(asked, cst.Call) and isinstance(asked.func, cst.Attribute) else ""
        return "FileNotFoundError" if last in _FILE_TESTS else ""

    def _said(self, field: str) -> str:
        value = entry(self._known, field) if self._known is not None and field else None
        return (text_of(value) or "") if value is not None else ""

    def _by_taxonomy(self, field: str) -> str:
        payload, taxonomy = self._policy.payload, self._policy.taxonomy
        if field == payload.severity_field and self.severity:
            return quoted(self._parsed, self.severity)
        if field == payload.recovery_field and self.severity:
            legal = taxonomy.recoveries.get(self.severity, ())
            if len(legal) == 1:
                return quoted(self._parsed, legal[0])
            used = {text for each in self._others() if (text := self._recovery_of(each))}
            if len(used) == 1:
                return quoted(self._parsed, used.pop())
        return ""

    def _recovery_of(self, other: cst.Dict) -> str:
        """Return what another record of the same type says to do."""
        payload = self._policy.payload
        kind, recovery = entry(other, payload.type_field), entry(other, payload.recovery_field)
        is_same = kind is not None and self.type != "" and text_of(kind) == self.type
        return (text_of(recovery) or "") if is_same and recovery is not None else ""

    def _given(self, field: str) -> str:
        """Return the name by which the function has a field; ``type`` is that of an error beside its severity alone."""
        payload = self._policy.payload
        if field != payload.type_field:
            return self._in_scope(field)
        own = next(filter(None, map(self._in_scope, self._policy.codes.arguments)), "")
        if own or field in self._policy.codes.arguments:
            return own
        others = filter(None, (payload.severity_field, payload.recovery_field))
        return self._in_scope(field) if any(map(self._in_scope, others)) else ""

    def _in_scope(self, name: str) -> str:
        return name if has_value(self._parsed, self._node, name) else ""

    def _as_elsewhere(self, field: str) -> str:
        """Return what all other records of the file have for a field, "" where they differ or there is none."""
        payload = self._policy.payload
        if field in (payload.type_field, payload.severity_field, payload.recovery_field):
            return ""
        values = [value for each in self._others() if (value := entry(each, field)) is not None]
        texts = {self._parsed.code(value) for value in values}
        return spelled(self._parsed, self._node, values[0]) if len(texts) == 1 else ""

    def _others(self) -> Iterator[cst.Dict]:
        for item in self._parsed.nodes(cst.Dict):
            found = record_in(item, self._policy) if entry(item, self._policy.payload.key) is not None else None
            if found is not None and found is not self._known:
                yield found

    def _context(self) -> str:
        """Return a context: what the type asks for, or else what the function was called with."""
        parsed = self._parsed
        names = self._policy.payload.context.get(self.type, ())
        if not names:
            function = parsed.function(self._node)
            given = function.params.params if function is not None else ()
            told = {item.value for item in below(self._known) if isinstance(item, cst.Name)} if self._known else set()
            names = tuple(name for item in given if (name := item.name.value) not in ("self", "cls", *told))
        entries = {name: self._in_scope(name) or self._refuse(name) for name in names}
        if not entries:
            self._refuse(self._policy.payload.context_field)
        return "{" + ", ".join(f"{quoted(parsed, name)}: {value}" for name, value in entries.items()) + "}"

    def _time(self) -> str:
        names = {item.name: (item.module, item.attribute) for item in self._parsed.imports}
        if names.get("datetime") == ("datetime", ""):
            return "datetime.datetime.now(datetime.timezone.utc).isoformat()"
        if names.get("datetime", ("datetime", "datetime")) != ("datetime", "datetime"):
            return ""
        self.imports = (Needed("datetime", "datetime"), Needed("datetime", "timezone"))
        return _CLOCK

    def _refuse(self, field: str) -> str:
        if field == self._policy.payload.recovery_field and self.severity:
            legal = " or ".join(f"`{name}`" for name in self._policy.taxonomy.recoveries.get(self.severity, ()))
            if legal:
                raise refuse(f"whether `{field}` is {legal} has to be decided")
        raise refuse(f"nothing says what `{field}` of the record is")


def _is_attribute(parsed: SourceFile, node: cst.Name) -> bool:
    parent = next((parent for parent, _ in parsed.around(node)), None)
    return (isinstance(parent, cst.Attribute) and parent.attr is node) or (
        isinstance(parent, cst.Arg) and parent.keyword is node
    )


def _is_of_module(parsed: SourceFile, name: str) -> bool:
    """Whether a name is imported, defined or assigned at the top of a file."""
    if any(item.name.partition(".")[0] == name for item in parsed.imports):
        return True
    for line in parsed.module.body:
        if isinstance(line, (cst.FunctionDef, cst.ClassDef)) and line.name.value == name:
            return True
        for item in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            if isinstance(item, cst.Assign) and any(dotted_name(target.target) == name for target in item.targets):
                return True
    return False
