"""From a LibCST module (a skeleton or a whole file) to :class:`errlint.facts.Module`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst

from errlint.collect.expressions import OPAQUE, convert, dotted_name
from errlint.collect.flow import Flow, State, Statement
from errlint.collect.uses import Tracker
from errlint.facts import Assigned, Class, Entry, Function, Handler, Import, Module, Parameter, Return, Text, Value
from errlint.findings import Span
from errlint.gate.write import DEFAULT_LENGTH

Suite = cst.BaseSuite | cst.Module


def statements(body: Suite) -> Iterator[Statement]:
    """Yield every statement below a module or block in document order, compound ones before their parts."""
    for line in body.body:
        if type(line) is cst.SimpleStatementLine:
            yield from line.body
        elif isinstance(line, cst.BaseSmallStatement):
            yield line
        else:
            yield from _compound(line)


def _compound(node: cst.CSTNode) -> Iterator[Statement]:
    current: cst.CSTNode | None = node
    while current is not None:
        following: cst.CSTNode | None = None
        if isinstance(current, cst.BaseCompoundStatement):
            yield current
        for block in _blocks(current):
            yield from statements(block)
        if type(current) is cst.If:
            following = current.orelse
        current = following


def _blocks(node: cst.CSTNode) -> Iterator[cst.BaseSuite]:
    if type(node) is cst.Match:
        for case in node.cases:
            yield case.body
        return
    body = getattr(node, "body", None)
    if isinstance(body, cst.BaseSuite):
        yield body
    for handler in getattr(node, "handlers", ()):
        yield handler.body
    if type(node) is not cst.If:
        orelse = getattr(node, "orelse", None)
        if orelse is not None:
            yield orelse.body
    finalbody = getattr(node, "finalbody", None)
    if finalbody is not None:
        yield finalbody.body


class Collector:
    """Collects the facts of one module.

    ``spans`` tells where each statement stands; uses are collected of ``names`` and of whatever is handed to a call
    whose name ends in one of ``registrations``. ``using`` are the functions (by ``id``, as ``spans``) that may have
    such a use; ``None`` where that is not known.
    """

    def __init__(
        self,
        spans: Mapping[int, Span],
        names: frozenset[str],
        registrations: frozenset[str],
        using: frozenset[int] | None = None,
    ) -> None:
        self._spans = spans
        self._names = names
        self._registrations = registrations
        self._using = using
        self._functions: list[Function] = []
        self._classes: list[Class] = []
        self._imports: list[Import] = []
        self._assigned: list[Assigned] = []

    def collect(self, module: cst.Module) -> Module:
        """Return the facts of the module."""
        nodes = list(_toplevel(module))
        covered = self._names
        self._names |= frozenset(_aliases(nodes, covered))
        tracker = Tracker(self._names, self._registrations)
        state: State = {}
        for node in nodes:
            if type(node) is cst.FunctionDef:
                self._function(node, "", "")
            elif type(node) is cst.ClassDef:
                self._class(node, "", tracker)
            elif isinstance(node, (cst.Import, cst.ImportFrom)):
                self._imports.extend(imports(node))
            else:
                self._assignments(node)
                tracker.statement(node, state, self._spans[id(node)])
        return Module(
            tuple(sorted(self._functions, key=lambda function: function.span)),
            tuple(sorted(self._classes, key=lambda definition: definition.span)),
            tuple(self._imports),
            tuple(self._assigned),
            tracker.finish(),
            covered=tuple(sorted(covered)),
        )

    def _assignments(self, node: Statement) -> None:
        if type(node) is cst.Assign:
            targets = [target.target for target in node.targets]
        elif type(node) is cst.AnnAssign:
            targets = [node.target]
        else:
            return
        value = convert(node.value, {}) if node.value else OPAQUE
        self._assigned.extend(Assigned(target.value, value) for target in targets if type(target) is cst.Name)

    def _class(self, node: cst.ClassDef, prefix: str, tracker: Tracker) -> None:
        name = prefix + node.name.value
        members: list[Entry] = []
        for inner in _toplevel(node.body):
            if type(inner) is cst.FunctionDef:
                self._function(inner, name + ".", name)
                members.append(Entry(inner.name.value, OPAQUE))
            elif type(inner) is cst.ClassDef:
                self._class(inner, name + ".", tracker)
            else:
                if type(inner) is cst.AnnAssign and type(inner.target) is cst.Name:
                    members.append(Entry(inner.target.value, convert(inner.value, {}) if inner.value else OPAQUE))
                elif type(inner) is cst.Assign:
                    value = convert(inner.value, {})
                    targets = [target.target for target in inner.targets]
                    members.extend(Entry(target.value, value) for target in targets if type(target) is cst.Name)
                tracker.statement(inner, {}, self._spans[id(inner)])
        self._classes.append(
            Class(name, self._spans[id(node)], tuple(_bases(node)), tuple(decorators(node)), tuple(members))
        )

    def _function(self, node: cst.FunctionDef, prefix: str, owner: str) -> None:
        name = prefix + node.name.value
        returns: list[Return] = []
        tracker = Tracker(self._names, self._registrations)
        generator = False
        has_uses = self._using is None or id(node) in self._using

        def on_statement(statement: Statement, state: State, handlers: tuple[Handler, ...]) -> None:
            nonlocal generator
            if type(statement) is cst.FunctionDef:
                self._function(statement, name + ".", "")
                return
            if type(statement) is cst.ClassDef:
                self._class(statement, name + ".", tracker)
                return
            span = self._spans[id(statement)]
            if isinstance(statement, (cst.Import, cst.ImportFrom)):
                self._imports.extend(imports(statement))
            elif type(statement) is cst.Return:
                if statement.value is not None:
                    returns.append(Return(span, convert(statement.value, state), False, handlers))
            elif type(statement) is cst.Expr and type(statement.value) is cst.Yield:
                generator = True
                yielded = statement.value.value
                if isinstance(yielded, cst.BaseExpression):
                    returns.append(Return(span, convert(yielded, state), True, handlers))
            elif type(statement) is cst.Assign and type(statement.value) is cst.Yield:
                generator = True
            if has_uses:
                tracker.statement(statement, state, span, flow.in_loop)

        flow = Flow(on_statement)
        flow.walk(node.body)
        self._functions.append(
            Function(
                name,
                self._spans[id(node)],
                owner,
                node.asynchronous is not None,
                generator,
                tuple(_parameters(node.params)),
                tuple(decorators(node)),
                tuple(returns),
                tracker.finish(),
                flow.ends,
            )
        )


def _aliases(nodes: list[Statement], names: frozenset[str]) -> Iterator[str]:
    """Yield the names that a module gives to things of other names: by an import, or by an assignment."""
    for node in nodes:
        if isinstance(node, (cst.Import, cst.ImportFrom)):
            yield from (item.name for item in imports(node) if item.attribute in names)
        elif type(node) is cst.Assign and dotted_name(node.value).rpartition(".")[2] in names:
            yield from (target.target.value for target in node.targets if type(target.target) is cst.Name)


def _toplevel(body: Suite) -> Iterator[Statement]:
    """Yield the statements of a module or class body, also those below ``if``, ``try``, ``with`` and loops."""
    for line in body.body:
        if type(line) is cst.SimpleStatementLine:
            yield from line.body
        elif isinstance(line, (cst.BaseSmallStatement, cst.FunctionDef, cst.ClassDef)):
            yield line
        else:
            current: cst.CSTNode | None = line
            while current is not None:
                for block in _blocks(current):
                    yield from _toplevel(block)
                current = current.orelse if isinstance(current, cst.If) else None


def imports(node: cst.Import | cst.ImportFrom) -> Iterator[Import]:
    """Yield what an import statement binds."""
    if isinstance(node, cst.Import):
        for alias in node.names:
            module = alias.evaluated_name
            if alias.evaluated_alias:
                yield Import(alias.evaluated_alias, module, "")
            else:
                root = module.partition(".")[0]
                yield Import(root, root, "")
        return
    module = "." * len(node.relative) + (dotted_name(node.module) if node.module else "")
    if isinstance(node.names, cst.ImportStar):
        yield Import("*", module, "*")
        return
    for alias in node.names:
        yield Import(alias.evaluated_alias or alias.evaluated_name, module, alias.evaluated_name)


def decorators(node: cst.FunctionDef | cst.ClassDef) -> Iterator[str]:
    """Yield the dotted names of the decorators, with or without a call."""
    for decorator in node.decorators:
        expression = decorator.decorator
        while isinstance(expression, cst.Call):
            expression = expression.func
        yield dotted_name(expression) or "?"


def _bases(node: cst.ClassDef) -> Iterator[str]:
    for argument in node.bases:
        base = argument.value
        while isinstance(base, (cst.Subscript, cst.Call)):
            base = base.value if isinstance(base, cst.Subscript) else base.func
        yield dotted_name(base) or "?"


def _parameters(parameters: cst.Parameters) -> Iterator[Parameter]:
    for parameter in (*parameters.posonly_params, *parameters.params):
        yield Parameter(parameter.name.value, "", _default(parameter.default))
    if isinstance(parameters.star_arg, cst.Param):
        yield Parameter(parameters.star_arg.name.value, "*", None)
    for parameter in parameters.kwonly_params:
        yield Parameter(parameter.name.value, "kw", _default(parameter.default))
    if parameters.star_kwarg is not None:
        yield Parameter(parameters.star_kwarg.name.value, "**", None)


def _default(node: cst.BaseExpression | None) -> Value | None:
    """Return the default of a parameter as far as the gate keeps one."""
    if node is None:
        return None
    if isinstance(node, (cst.Name, cst.Attribute, cst.SimpleString, cst.Integer, cst.Float)):
        value = convert(node, {})
        if isinstance(value, Text) and len(str(value.parts[0])) > DEFAULT_LENGTH:
            return OPAQUE
        return value
    return OPAQUE
