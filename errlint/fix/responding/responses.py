"""The response types that a policy declares: what their constructors take, and what clients see of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from enum import Enum
from posixpath import commonpath
from typing import NamedTuple, TypeGuard

from errlint.fix.bindings import is_stable_name
from errlint.fix.model import Refusal, refuse
from errlint.fix.source_cache import Files
from errlint.index.annotations import head, unquoted
from errlint.index.bindings import assigned_names, names_bound, variable_of
from errlint.project import Project
from errlint.project.decorators import BINDING
from errlint.project.names import ClassSymbol, FunctionSymbol
from errlint.trees import walk


class ModelKind(Enum):
    """How a type comes to its fields: by its constructor alone (``PLAIN``), or by the library that makes one."""

    DICT = "TypedDict"
    DATACLASS = "dataclass"
    MODEL = "pydantic model"
    STRUCT = "msgspec struct"
    PLAIN = "class"


class Field(NamedTuple):
    """A field of a type, or a parameter of its constructor.

    ``default`` is ``None`` where it has none. ``is_given`` is false where the constructor does not take it,
    ``is_renamed`` true where clients see it under another name, or not at all, ``is_narrow`` where not all values of
    its type will do.
    """

    name: str
    annotation: ast.expr | None
    default: ast.expr | None
    is_required: bool
    is_given: bool = True
    is_renamed: bool = False
    is_narrow: bool = False


class Declared(NamedTuple):
    """A declared response type: ``own`` are methods of it that may change what it is given, each with its line.

    ``takes_more`` is true where it keeps whatever it is given besides. ``maker`` is the function or method of it that
    makes errors, where the fields are what that takes, ``None`` for the constructor.
    """

    symbol: ClassSymbol
    kind: ModelKind
    fields: tuple[Field, ...]
    own: tuple[tuple[str, int], ...] = ()
    takes_more: bool = False
    maker: FunctionSymbol | None = None

    @property
    def name(self) -> str:
        """The name of the type."""
        return self.symbol.definition.name

    @property
    def checks(self) -> bool:
        """Whether an object of the type checks what it is given."""
        return self.kind is ModelKind.MODEL

    def field(self, name: str) -> Field | None:
        """Return a field by its name."""
        return next((item for item in self.fields if item.name == name), None)


_DEFAULTS = frozenset({"Field", "field"})
_NAMED_OTHERWISE = frozenset({"alias", "validation_alias", "serialization_alias", "exclude", "name"})
_HARMLESS_WORDS = _NAMED_OTHERWISE | {
    "default", "default_factory", "description", "title", "examples", "json_schema_extra", "repr", "kw_only", "init",
    "deprecated", "compare", "hash", "metadata", "doc", "frozen"
}  # fmt: skip
"""What ``Field`` and ``field`` may say without asking for other values than the type does."""

_HARMLESS_SETTINGS = frozenset(
    {"frozen", "extra", "validate_assignment", "arbitrary_types_allowed", "populate_by_name", "json_schema_extra",
     "title", "from_attributes", "protected_namespaces", "use_enum_values", "validate_default", "kw_only", "slots",
     "eq", "order", "repr", "total", "frozen_default", "unsafe_hash", "weakref_slot"}
)  # fmt: skip
_MAKERS = frozenset(
    {"__new__", "__init__", "__post_init__", "model_post_init", "model_dump", "model_dump_json", "dict", "json",
     "__iter__", "__getattribute__", "__pydantic_init_subclass__", "__get_pydantic_core_schema__"}
)  # fmt: skip
_CHANGERS = ("validator", "serializer", "computed_field")


def named(project: Project, files: Files, path: str, name: str) -> Declared:
    """Return a type by the name that the policy of a file has for it.

    Raises :class:`errlint.fix.model.Refusal` where that is no class of the project, or one that cannot be read.
    """
    found = project.names.resolve(path, name)
    classes = [found] if isinstance(found, ClassSymbol) else list(project.domain.classes(name))
    # Of several with one name the nearest is meant: each package of a server may have its own.
    shared = [len(commonpath((f"/{symbol.path}", f"/{path}"))) for symbol in classes]
    near = [symbol for symbol, length in zip(classes, shared, strict=True) if length == max(shared)]
    if len(near) != 1:
        why = "defined more than once; name it in full in `response.types`" if near else "no class of the project"
        raise refuse(f"`{name}` is {why}")
    found_in = files.parse(near[0].path)
    if not is_stable_name(found_in, None, near[0].definition.name):
        raise refuse(f"`{name}` is bound more than once", near[0].path, near[0].definition.span.line)
    return _read(project, files, near[0])


def made_by(project: Project, files: Files, path: str, name: str, types: Sequence[Declared]) -> Declared:
    """Return a type as a factory makes it: a method of one of some types, or a function where there is one type.

    Raises :class:`errlint.fix.model.Refusal` for a factory that is not known, or makes other things.
    """
    found = project.names.resolve(path, name)
    functions = [found] if isinstance(found, FunctionSymbol) else list(project.domain.functions(name))
    if len(functions) != 1:
        raise refuse(f"`{name}` is {'defined more than once' if functions else 'no function of the project'}")
    maker = functions[0]
    own = [each for each in types if each.symbol.definition.name == maker.function.owner]
    declared = own if maker.function.owner else list(types)
    nodes = [
        node
        for node in walk(files.parse(maker.path).tree)
        if isinstance(node, ast.FunctionDef) and node.name == maker.function.name.rpartition(".")[2]
    ]
    if len(declared) != 1 or len(nodes) != 1 or len(maker.function.name.split(".")) != 1 + bool(maker.function.owner):
        raise refuse(f"it is not certain what `{name}` makes", maker.path, maker.function.span.line)
    kinds = {ast.unparse(item) for item in nodes[0].decorator_list}
    if kinds - BINDING or (maker.function.owner and not kinds):
        raise refuse(f"`{name}` is no plain factory", maker.path, maker.function.span.line)
    arguments = nodes[0].args
    fields = tuple(_parameters(arguments, has_first="classmethod" in kinds))
    place = ((maker.function.name, maker.function.span.line),)
    return declared[0]._replace(fields=fields, own=place, takes_more=arguments.kwarg is not None, maker=maker)


def always_true(project: Project, files: Files, symbol: ClassSymbol) -> bool:
    """Whether no object of a class is false: its bases are known, and none says how long it is, or whether it is."""
    with suppress(Refusal):
        classes = [_definition(files, each) for each in project.hierarchy.bases(symbol)]
        bound = {name for each in classes for node in walk(each) for name in names_bound(node)}
        return _kind(project, files, symbol) is not ModelKind.DICT and bound.isdisjoint(("__bool__", "__len__"))
    return False


def filled_in(
    project: Project, files: Files, symbol: ClassSymbol, given: Set[str]
) -> Mapping[str, ast.expr | None] | None:
    """Return each key of what ``model_dump`` answers of an object, with its default, ``None`` for what is ``given``.

    ``None`` in the place of all stands for an object of which that is not known.
    """
    with suppress(Refusal):
        declared = _read(project, files, symbol)
        is_plain = declared.kind is ModelKind.MODEL and not declared.own and not declared.takes_more
        names = {item.name for item in declared.fields}
        is_whole = given <= names and all(item.default or item.name in given for item in declared.fields)
        if is_plain and is_whole and not any(item.is_renamed for item in declared.fields):
            return {item.name: None if item.name in given else item.default for item in declared.fields}
    return None


def _read(project: Project, files: Files, symbol: ClassSymbol) -> Declared:
    line = [(each, _definition(files, each)) for each in reversed(project.hierarchy.bases(symbol))]
    kind = _kind(project, files, symbol)
    if kind is ModelKind.PLAIN:
        return _by_constructor(symbol, line)
    fields: dict[str, Field] = {}
    own: list[tuple[str, int]] = []
    takes_more = False
    for each, node in line:
        total = not _is_false(_keyword(node, "total"))
        takes_more |= kind is ModelKind.MODEL and _extra(node) == "allow"
        members = _members(files, each.path)
        for item in _fields(node, kind, is_total=total):
            fields[item.name] = item._replace(default=_value(item.default, members))
        own.extend(_changes(each, node, kind))
    return Declared(symbol, kind, tuple(fields.values()), tuple(own), takes_more)


def _definition(files: Files, symbol: ClassSymbol) -> ast.ClassDef:
    short = symbol.definition.name.rpartition(".")[2]
    found = [
        node for node in walk(files.parse(symbol.path).tree) if isinstance(node, ast.ClassDef) and node.name == short
    ]
    if len(found) != 1:
        raise refuse(f"`{short}` is defined more than once", symbol.path, symbol.definition.span.line)
    return found[0]


_FOREIGN = {"BaseModel": ModelKind.MODEL, "TypedDict": ModelKind.DICT, "Struct": ModelKind.STRUCT}
_LIBRARIES = {
    "pydantic": ModelKind.MODEL,
    "typing": ModelKind.DICT,
    "typing_extensions": ModelKind.DICT,
    "msgspec": ModelKind.STRUCT,
}


def _kind(project: Project, files: Files, symbol: ClassSymbol) -> ModelKind:
    """Return what a class is by its foreign bases and its decorators, those of its bases too."""
    kinds: set[ModelKind] = set()
    for each in project.hierarchy.bases(symbol):
        node = _definition(files, each)
        where = each.path, each.definition.span.line
        imported = {item.name: item for item in files.parse(each.path).imports}
        for base in node.bases:
            name = ast.unparse(base.value if isinstance(base, ast.Subscript) else base)
            found = project.names.resolve(each.path, name)
            last = name.rpartition(".")[2]
            source = imported.get(name.partition(".")[0])
            library = source.module.partition(".")[0] if source is not None else ""
            if isinstance(found, ClassSymbol) or last in ("object", "Generic", "ABC", "Protocol"):
                continue
            kind = _FOREIGN.get(source.attribute if source is not None and source.attribute else last)
            if kind is None or _LIBRARIES.get(library) is not kind:
                raise refuse(f"what `{last}`, a base of `{each.definition.name}`, takes is not known", *where)
            kinds.add(kind)
        for decorator in node.decorator_list:
            function = decorator.func if isinstance(decorator, ast.Call) else decorator
            name = ast.unparse(function)
            source = imported.get(name.partition(".")[0])
            if name.rpartition(".")[2] == "dataclass" and source is not None:
                kinds.add(ModelKind.MODEL if source.module.startswith("pydantic") else ModelKind.DATACLASS)
            elif name.rpartition(".")[2] not in ("final", "runtime_checkable"):
                raise refuse(f"what `{name}` makes of `{each.definition.name}` is not known", *where)
    if len(kinds) > 1:
        raise refuse(f"it is not certain what kind of class `{symbol.definition.name}` is", symbol.path)
    return kinds.pop() if kinds else ModelKind.PLAIN


def _by_constructor(symbol: ClassSymbol, line: list[tuple[ClassSymbol, ast.ClassDef]]) -> Declared:
    """Return a class of no library by the constructor that is nearest to it."""
    for each, node in reversed(line):
        for item in node.body:
            if isinstance(item, ast.FunctionDef) and item.name == "__init__":
                fields = tuple(_parameters(item.args))
                own = ((f"{each.definition.name}.__init__", item.lineno),)
                return Declared(symbol, ModelKind.PLAIN, fields, own, item.args.kwarg is not None)
    raise refuse(f"`{symbol.definition.name}` has no constructor of its own", symbol.path, symbol.definition.span.line)


def _parameters(arguments: ast.arguments, *, has_first: bool = True) -> Iterator[Field]:
    if len(arguments.posonlyargs) > has_first:
        raise refuse("the constructor takes something by its place alone")
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    pairs = [*zip(positional, [*defaults, *arguments.defaults], strict=True)][int(has_first) :]
    for item, default in (*pairs, *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)):
        yield Field(item.arg, item.annotation, default, default is None)


def _fields(node: ast.ClassDef, kind: ModelKind, *, is_total: bool) -> Iterator[Field]:
    for item in node.body:
        if not isinstance(item, ast.AnnAssign) or not (name := variable_of(item)):
            continue
        annotation = unquoted(item.annotation)
        if kind is ModelKind.DICT:
            outer = head(annotation)
            is_required = outer == "Required" or (is_total and outer != "NotRequired")
            yield Field(name, _inner(annotation, ("Required", "NotRequired", "ReadOnly")), None, is_required)
            continue
        if head(annotation) == "ClassVar" or (name.startswith("_") and kind is ModelKind.MODEL):
            continue
        if head(annotation) == "InitVar":
            raise refuse(f"`{node.name}` takes `{name}` and does not keep it")
        plain = Field(name, _inner(annotation, ("Annotated", "Final")), None, is_required=True)
        yield _described(plain, item.value, annotation)


def _members(files: Files, path: str) -> Mapping[str, ast.expr]:
    """Return what the members of the enumerations of a file stand for."""
    return {
        f"{node.name}.{name}": value
        for node in files.parse(path).tree.body
        if isinstance(node, ast.ClassDef) and any(ast.unparse(base).endswith("Enum") for base in node.bases)
        for item in node.body
        for name, value in assigned_names(item)
    }


def _value(default: ast.expr | None, members: Mapping[str, ast.expr]) -> ast.expr | None:
    """Return a default; of a member of an enumeration what clients see of it."""
    if not isinstance(default, ast.Attribute):
        return default
    return members.get(ast.unparse(default).removesuffix(".value"), default)


def _described(item: Field, value: ast.expr | None, annotation: ast.expr) -> Field:
    """Return a field with its default, and all that is said of it by ``Field`` or ``field``."""
    extras = list(_extras(annotation))
    calls = [each for each in (value, *extras) if isinstance(each, ast.Call)]
    described = [each for each in calls if ast.unparse(each.func).rpartition(".")[2] in _DEFAULTS]
    keywords = {each.arg or "**": each.value for call in described for each in call.keywords}
    if described and value is described[0]:
        value = described[0].args[0] if described[0].args else keywords.get("default")
    if isinstance(value, ast.Constant) and value.value is Ellipsis:
        value = None
    return item._replace(
        default=value,
        is_required=value is None and "default_factory" not in keywords,
        is_given=not _is_false(keywords.get("init")),
        is_renamed=not _NAMED_OTHERWISE.isdisjoint(keywords) or "**" in keywords,
        is_narrow=not keywords.keys() <= _HARMLESS_WORDS
        or any(each not in described and not isinstance(each, ast.Constant) for each in extras),
    )


def _changes(symbol: ClassSymbol, node: ast.ClassDef, kind: ModelKind) -> Iterator[tuple[str, int]]:
    """Yield what in a class may change what it is given, or how it is answered."""
    name = symbol.definition.name
    for item in node.body:
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)):
            above = [ast.unparse(each) for each in item.decorator_list]
            if item.name in _MAKERS or any(word in text for text in above for word in _CHANGERS):
                yield f"{name}.{item.name}", item.lineno
        elif isinstance(item, ast.ClassDef) and item.name == "Config":
            yield f"{name}.Config", item.lineno
        elif _is_configuration(item) and not _settings(item.value) <= _HARMLESS_SETTINGS:
            yield f"{name}.model_config", item.lineno
    settings = {item.arg or "**" for item in node.keywords}
    for decorator in node.decorator_list:
        settings |= {item.arg or "**" for item in decorator.keywords} if isinstance(decorator, ast.Call) else set()
    if kind is not ModelKind.DICT and not settings <= _HARMLESS_SETTINGS:
        yield name, node.lineno


def _is_configuration(item: ast.stmt) -> TypeGuard[ast.Assign]:
    return isinstance(item, ast.Assign) and ast.unparse(item.targets[0]) == "model_config"


def _settings(value: ast.expr) -> set[str]:
    if isinstance(value, ast.Call) and not value.args:
        return {item.arg or "**" for item in value.keywords}
    if isinstance(value, ast.Dict):
        return {str(key.value) if isinstance(key, ast.Constant) else "**" for key in value.keys}
    return {"**"}


def _extra(node: ast.ClassDef) -> str:
    """Return what a model does with what it has no field for, "" where it does not say."""
    for item in node.body:
        if _is_configuration(item):
            for each in walk(item.value):
                if isinstance(each, ast.keyword) and each.arg == "extra" and isinstance(each.value, ast.Constant):
                    return str(each.value.value)
    return ""


def _keyword(node: ast.ClassDef, name: str) -> ast.expr | None:
    return next((item.value for item in node.keywords if item.arg == name), None)


def _is_false(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _inner(node: ast.expr, heads: tuple[str, ...]) -> ast.expr:
    """Return what some generic names are around."""
    while isinstance(node, ast.Subscript) and head(node) in heads:
        node = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) else node.slice
    return node


def _extras(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what ``Annotated`` says of a type besides."""
    if isinstance(node, ast.Subscript) and head(node) == "Annotated" and isinstance(node.slice, ast.Tuple):
        yield from node.slice.elts[1:]
