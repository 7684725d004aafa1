"""Which domain exception an error return becomes, and what its constructor is given."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Mapping
from keyword import iskeyword
from pathlib import PurePosixPath
from typing import NamedTuple

import libcst as cst
import libcst.matchers as m

from errlint.facts import Function, Parameter
from errlint.fix.callers.catching import tries_around
from errlint.fix.model import Doubt, Refusal, refuse
from errlint.fix.nodes import convert, exception_names
from errlint.fix.payload_extraction.payload import Payload, is_sentence, quoted
from errlint.fix.payload_extraction.texts import continued_by, followed_by, is_text_of
from errlint.fix.payload_extraction.variables import mentions
from errlint.fix.raising.constructors import alterations, foreign_alterations, message_name
from errlint.fix.raising.libraries import Naming, is_of_library, made
from errlint.fix.raising.prefixes import by_message, with_code
from errlint.fix.source_file import Parse, SourceFile
from errlint.project import Project
from errlint.project.calls import is_called_before
from errlint.project.domain import matches
from errlint.project.frameworks import WEB, Framework, above
from errlint.project.hierarchy import Exceptional
from errlint.project.libraries import line_of
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol
from errlint.project.raise_outcome import name_of

_OPERATIONS = ("operation", "operation_name", "tool", "tool_name")
"""Parameters of exceptions that say which tool failed."""

CONTEXT_PARAMETERS = ("context", "details", "data", "extra", "extras")

_TELLING = frozenset({"message", "msg", "detail", "details", "reason", "description"})
"""Keys of a payload whose texts tell what went wrong, beside another one that is told as the error."""

_GOING_ON = _TELLING | {"hint", "suggestion", "help", "solution", "recommendation"}
"""Keys of a payload whose texts people read behind its message."""


class RaiseArguments(NamedTuple):
    """The texts of the arguments of an exception in their order, and what is in doubt about it.

    ``is_altered`` is true where its class may make something of its message.
    """

    arguments: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    is_altered: bool


_ONLY_RAISES = m.IndentedBlock([m.SimpleStatementLine([m.Raise(exc=None)])])


class RaiseSite(NamedTuple):
    """An error return: the function around it, its line, its payload, the handler around it and what that caught.

    ``framework`` answers what is raised there, where the project has no boundary of its own. ``passed`` is the class
    that the decorators of the project let pass to it, where they answer all others themselves, or of which those tell
    the text who may call it, where they tell nothing of the usual one. ``answered`` are the exceptions that handlers of
    the function around it answer by their names.
    """

    parsed: SourceFile
    function: Function
    line: int
    payload: Payload
    handler: cst.ExceptHandler | None
    caught: str
    framework: Framework | None = None
    passed: Exceptional | None = None
    answered: frozenset[str] = frozenset()


def choose(project: Project, site: RaiseSite) -> Exceptional:
    """Return the class for an error return: by code, fields, what is being handled, message, or the default.

    Raises :class:`errlint.fix.model.Refusal` where none fits.
    """
    asked = _asked(project, site)
    if asked is not None:
        return asked
    if not project.policy(site.parsed.path).boundaries:
        return ExternalSymbol(_plain(site))  # told as it is, or caught by whoever looked for the error
    raise refuse("no domain exception fits, and `exceptions.default` is not set")


def is_any(project: Project, site: RaiseSite) -> bool:
    """Whether nothing asks for a class at an error return: any will do, whose text is the same."""
    return _asked(project, site) is None and not project.policy(site.parsed.path).boundaries


def _asked(project: Project, site: RaiseSite) -> Exceptional | None:
    """Return the class that the policy, the payload, those who call or a framework ask for, ``None`` for none."""
    if site.framework in WEB:
        return ExternalSymbol(site.framework.error)  # no boundary of the project stands around a route
    exceptions = project.policy(site.parsed.path).exceptions
    by_payload = _by_code(project, site) or _by_fields(project, site)
    if by_payload is not None:
        return by_payload
    for name in (
        *_handled(site, exceptions.map),
        *by_message(site.payload.message, exceptions.messages),
        exceptions.default,
    ):
        if name:
            return _named(project, site, name)
    if site.passed is not None:
        return site.passed
    if site.framework is not None and site.framework.error:
        return ExternalSymbol(site.framework.error)
    return None


def _plain(site: RaiseSite) -> str:
    """Return the builtin exception for an error where any class will do.

    One that a handler around it answers by its name is none: what lets it pass would let pass what is meant there, too.
    """
    usual = ("ValueError", "RuntimeError") if site.handler is None else ("RuntimeError", "ValueError")
    return f"builtins.{next((name for name in usual if name not in site.answered), usual[0])}"


def answered_around(parsed: SourceFile, node: cst.CSTNode) -> frozenset[str]:
    """Return the exceptions that the handlers of a function around a node answer by their names."""
    handlers = [handler for around in tries_around(parsed, node) for handler in around.handlers]
    answering = (handler for handler in handlers if not m.matches(handler.body, _ONLY_RAISES))
    return frozenset(name for handler in answering for name in exception_names(handler.type))


def chosen_by(project: Project, site: RaiseSite) -> str:
    """Say what :func:`choose` goes by, as the end of a sentence."""
    exceptions = project.policy(site.parsed.path).exceptions
    if site.framework in WEB:
        return f"which {site.framework.name} answers with its status"
    if _by_code(project, site) is not None:
        return "by the code in the payload, which is that class's own, or its name"
    if _by_fields(project, site) is not None:
        return "by the fields of the payload, of which some are that class's own"
    if any(_handled(site, exceptions.map)) and site.handler is not None:
        return f"by `exceptions.map`, for `{', '.join(exception_names(site.handler.type))}` is handled"
    if any(by_message(site.payload.message, exceptions.messages)):
        return "by `exceptions.messages`, which its message matches"
    if exceptions.default:
        return "by `exceptions.default`"
    if site.passed is not None and site.framework is None:
        return "whose text handlers around its callers tell, which others of them do not"
    if site.passed is not None:
        return "which alone the decorators around the tool let pass"
    if site.framework is not None:
        return f"whose text {site.framework.name} tells its clients"
    return "since all who get it look for the error themselves"


def _by_code(project: Project, site: RaiseSite) -> ClassSymbol | None:
    texts = {
        found.text
        for _, node in site.payload.codes
        for found in project.codes.resolved(site.parsed.path, site.function.name, convert(node))
    }
    roots = project.policy(site.parsed.path).exceptions.root
    named = {text for text in texts if isinstance(text, str) and matches(text, roots)}
    found: list[ClassSymbol] = []
    for path, module in project.modules.items() if texts else ():
        owners = {usage.owner for usage in project.codes.own(path) if usage.found.text in texts}
        found.extend(ClassSymbol(path, item) for item in module.classes if item.name in owners | named)
    return found[0] if len(found) == 1 else None


def _by_fields(project: Project, site: RaiseSite) -> ClassSymbol | None:
    """Return the class that alone requires fields which the payload has, of several that the policy tells apart so."""
    policy = project.policy(site.parsed.path)
    given = {key for key, _ in site.payload.others}
    own = {
        name: {field for item in policy.required if not item.inside and name in item.classes for field in item.fields}
        for name in policy.exceptions.root
    }
    fits = [
        name for name, fields in own.items() if given & fields.difference(*(own[each] for each in own if each != name))
    ]
    if len(fits) != 1:
        return None
    try:
        found = _named(project, site, fits[0])
    except Refusal:
        return None
    return found if isinstance(found, ClassSymbol) else None


def _handled(site: RaiseSite, mapped: Mapping[str, str]) -> Iterator[str]:
    """Yield what the policy makes of the exceptions that the handler around a return catches."""
    types = exception_names(site.handler.type) if site.handler is not None else ()
    targets = {mapped_to(name.rpartition(".")[2], mapped) for name in types}
    if len(targets) == 1 and (target := targets.pop()) is not None:
        if target != "propagate":
            yield target
        elif len(types) == 1:
            yield types[0]


def mapped_to(name: str, mapped: Mapping[str, str]) -> str | None:
    """Return what a caught class is mapped to: its own entry, else that of its nearest builtin base."""
    last = {key.rpartition(".")[2]: value for key, value in mapped.items()}
    for each in line_of(f"builtins.{name}"):
        short = each.rpartition(".")[2]
        if short in last and short not in ("Exception", "BaseException"):
            return last[short]
    return None


def _named(project: Project, site: RaiseSite, name: str) -> Exceptional:
    found = project.names.resolve(site.parsed.path, name, site.function.name)
    if isinstance(found, ExternalSymbol) or (isinstance(found, ClassSymbol) and project.hierarchy.is_exception(found)):
        return found
    classes = list(filter(project.hierarchy.is_exception, project.domain.classes(name)))
    own = project.layout.distribution(site.parsed.path)
    near = [symbol for symbol in classes if project.layout.distribution(symbol.path) == own] or classes
    depths = [_in_common(site.parsed.path, symbol.path) for symbol in near]
    nearest = [symbol for symbol, depth in zip(near, depths, strict=True) if depth == max(depths)]
    if len(nearest) == 1:
        return nearest[0]
    last = name.rpartition(".")[2]
    if not classes and isinstance(getattr(builtins, last, None), type):
        return ExternalSymbol(f"builtins.{last}")
    if not classes and site.framework is not None and matches(site.framework.error, (name,)):
        return ExternalSymbol(site.framework.error)
    if not classes and (is_of_library(name) or above(name)):
        return ExternalSymbol(name)
    raise refuse(f"`{name}` is {'defined more than once' if classes else 'not defined in the project'}")


def _in_common(path: str, other: str) -> int:
    """Count the folders that two files both stand in."""
    return len({*PurePosixPath(path).parents} & {*PurePosixPath(other).parents})


def construct(project: Project, parse: Parse, site: RaiseSite, symbol: Exceptional, named: Naming) -> RaiseArguments:
    """Bind the parts of a payload to what the constructor of a class takes; ``named`` names what else that needs.

    Raises :class:`errlint.fix.model.Refusal` where it asks for what is not there, or does not take what is.
    """
    parsed, payload = site.parsed, site.payload
    message = parsed.argument(payload.message)
    own: tuple[Doubt, ...] = ()
    codes = project.policy(parsed.path).codes
    absolute = project.names.absolute(symbol) if isinstance(symbol, ClassSymbol) else symbol.name
    if codes.prefix and matches(absolute, codes.prefixed):
        # Behind the first call of the backend a failure is one of the backend.
        is_check = not is_called_before(project, parsed.path, site.function, site.line)
        message, key, own = with_code(parsed, payload, site.handler, codes, is_check=is_check)
        payload = payload._replace(codes=tuple(item for item in payload.codes if item[0] != key))
        site = site._replace(payload=payload)
    is_coded = bool(own)
    is_made_of_more = isinstance(symbol, ExternalSymbol) and is_of_library(symbol.name)
    clearer = None if own or is_made_of_more else _clearer(payload, site.caught)
    if clearer is not None and not (isinstance(symbol, ClassSymbol) and _has_place(project, symbol, clearer[0])):
        message = parsed.argument(clearer[1])
        left = tuple(item for item in payload.others if item[0] != clearer[0])
        payload = payload._replace(message=clearer[1], others=left)
        site = site._replace(payload=payload)
        own = (Doubt(f"what stood under `{clearer[0]}` is the message"),)
    if isinstance(symbol, ClassSymbol):
        altered = tuple(alterations(project, parse, symbol))
        constructor = project.domain.constructor(symbol)
        if constructor is not None:
            unsaid = ", ".join(f"`{key}`" for key in payload.unsaid)
            text = f"the exception is not given {unsaid}, for what is there is not known here"
            doubts = (*own, *altered, *((Doubt(text),) if unsaid else ()))
            return RaiseArguments(
                _Binder(project, site, symbol, constructor, message).bind(), doubts, bool(own or altered)
            )
    else:
        if is_made_of_more:
            is_answered = project.routes.is_route(parsed.path, site.function)
            return _of_library(site, payload, symbol.name, message, own, named, is_answered=is_answered)
        altered = tuple(foreign_alterations(symbol))
    told = _with_more(site, payload, symbol) if not own else None
    if told is not None:
        # What went wrong is told in another key, too: the message is all that takes it from now on.
        message = parsed.argument(told[1])
        payload = payload._replace(others=tuple(item for item in payload.others if item[0] != told[0]))
        own = (Doubt(f"what stood under `{told[0]}` stands behind the message"),)
    keys = ", ".join(f"`{key}`" for key in payload.other_keys)
    text = f"`{name_of(symbol)}` takes a message alone: clients do not get {keys} any more"
    return RaiseArguments((message,), (*own, *altered, *((Doubt(text),) if keys else ())), bool(is_coded or altered))


def _of_library(
    site: RaiseSite,
    payload: Payload,
    name: str,
    message: str,
    own: tuple[Doubt, ...],
    named: Naming,
    *,
    is_answered: bool,
) -> RaiseArguments:
    """Return what an exception of a library that takes more than a message is made of."""
    others = {key: site.parsed.code(node) for key, node in (*payload.codes, *payload.others)}
    is_handled = site.handler is not None
    types = exception_names(site.handler.type) if site.handler is not None else ()
    is_web = bool(types) and all(each.rpartition(".")[2] == "HTTPException" for each in types)
    status = f"{site.caught}.status_code" if is_web and site.caught else ""
    markers = {key: site.parsed.code(node) for key, node in payload.markers}
    found = made(
        name, payload, message, others, markers, named, is_handled=is_handled, is_answered=is_answered, status=status
    )
    last = name.rpartition(".")[2]
    # Clients of a route read the body: an error of the protocol says by itself that it is one, a status may not do.
    keys = (*markers, *payload.other_keys) if is_answered else payload.other_keys
    lost = [f"`{key}`" for key in keys if key not in found.keys]
    doubts = [Doubt(f"for `{last}` {found.chosen}")] if found.chosen else []
    if found.is_whole and payload.is_nested:
        above = f"`{payload.above}`" if payload.above else "another key"
        doubts.append(Doubt(f"what stood below {above} stands beside the other keys of the answer"))
    if lost:
        doubts.append(Doubt(f"`{last}` has no place for {', '.join(lost)}: clients do not get that any more"))
    return RaiseArguments(found.arguments, (*own, *doubts), is_altered=False)


def _clearer(payload: Payload, caught: str) -> tuple[str, cst.BaseExpression] | None:
    """Return the key of a payload that tells what went wrong, and its text with that of what was caught.

    ``None`` where the message of the payload is more than the text of what was caught, or no other key tells more:
    ``("message", f"no such book: {e}")`` for ``{"error": str(e), "message": "no such book"}``.
    """
    if not is_text_of(payload.message, caught):
        return None
    for key, value in payload.others:
        if key.lower() in _TELLING and is_sentence(value):
            longer = value if mentions(value, caught) else followed_by(value, caught)
            return (key, longer) if longer is not None else None
    return None


def _with_more(site: RaiseSite, payload: Payload, symbol: Exceptional) -> tuple[str, cst.BaseExpression] | None:
    """Return the key of a payload that goes on with its message, and both as one; ``None`` for no such key.

    A builtin has no place for anything but its message, so that a parameter told alone beside it stands behind it:
    ``FileNotFoundError(f"Not a file: {path}")`` for ``{"error": "Not a file", "path": path}``.
    """
    message = payload.message
    causes = [key for key, value in payload.others if is_text_of(value, site.caught)]
    if causes and not mentions(message, site.caught) and (longer := followed_by(message, site.caught)) is not None:
        return causes[0], longer
    for key, value in payload.others:
        if key.lower() in _GOING_ON and (longer := continued_by(message, value)) is not None:
            return key, longer
    is_builtin = isinstance(symbol, ExternalSymbol) and symbol.name.startswith("builtins.")
    if is_builtin and len(payload.others) == 1 and not payload.unsaid:
        key, value = payload.others[0]
        names = {item.name for item in site.function.parameters}
        if isinstance(value, cst.Name) and value.value in names and not mentions(message, value.value):
            longer = followed_by(message, value.value)
            return (key, longer) if longer is not None else None
    return None


def takes(project: Project, symbol: ClassSymbol, name: str) -> bool:
    """Whether the constructor of a class has a parameter of a name."""
    constructor = project.domain.constructor(symbol) if name else None
    return constructor is not None and any(item.name == name for item in constructor.function.parameters)


def _has_place(project: Project, symbol: ClassSymbol, key: str) -> bool:
    """Whether the constructor of a class has a parameter for a key that is not the one of its message."""
    constructor = project.domain.constructor(symbol)
    names = [item.name for item in constructor.function.parameters[1:]] if constructor is not None else []
    return key in names and key != message_name(names)


class _Binder:
    """Binds one payload to one constructor."""

    def __init__(
        self, project: Project, site: RaiseSite, symbol: ClassSymbol, constructor: FunctionSymbol, message: str
    ) -> None:
        self._site = site
        self._name = symbol.definition.name
        self._policy = project.policy(site.parsed.path)
        self._parameters = [item for item in constructor.function.parameters[1:] if item.kind in ("", "kw")]
        self._names = {item.name for item in constructor.function.parameters if item.kind in ("", "kw")}
        self._takes_more = any(item.kind == "**" for item in constructor.function.parameters)
        self._message = message
        self._codes = {name: site.parsed.code(node) for name, node in site.payload.codes}
        self._others = {name: site.parsed.code(node) for name, node in site.payload.others}
        is_tool = project.adapters.is_adapter(site.parsed.path, site.function)
        self._tool = site.function.name.rpartition(".")[2] if is_tool else ""
        own = project.codes.own(symbol.path)
        self._has_code = any(usage.owner == symbol.definition.name for usage in own)
        asked = [item for item in self._policy.required if matches(project.names.absolute(symbol), item.classes)]
        asked = [item for item in asked if not item.when and (site.handler is not None or not item.handled)]
        self._required = {name for item in asked if not item.inside for name in item.fields}
        self._handled = {name for item in asked if item.handled for name in item.fields}
        self._inside = {item.inside: item.fields for item in asked if item.inside}

    def bind(self) -> tuple[str, ...]:
        """Return the texts of the arguments."""
        message = _message_parameter(self._parameters)
        if message is None:
            raise refuse(f"the constructor of `{self._name}` takes no message")
        first = message is self._parameters[0] and message.kind == ""
        arguments = [self._message if first else f"{message.name}={self._message}"]
        context: Parameter | None = None
        for item in self._parameters:
            if item is message:
                continue
            given = self._given(item)
            if given is not None:
                arguments.append(f"{item.name}={given}")
            elif item.name in CONTEXT_PARAMETERS:
                context = item
            elif item.default is None:
                raise refuse(f"`{self._name}` needs `{item.name}`, which is not in scope")
        left = dict(self._others)
        if not self._has_code:
            left.update(self._codes)
        if context is not None:
            asked = (name for name in self._inside.get(context.name, ()) if name not in left)
            left.update((name, text) for name in asked if (text := self._in_scope(name)) is not None)
        if left and context is not None:
            arguments.append(f"{context.name}={{{', '.join(f'{quoted(key)}: {text}' for key, text in left.items())}}}")
        elif left and self._takes_more and self._can_be_keywords(left):
            arguments.extend(f"{key}={text}" for key, text in left.items())
        elif left:
            keys = ", ".join(f"`{key}`" for key in left)
            raise refuse(f"the constructor of `{self._name}` has no place for {keys}")
        elif context is not None and context.default is None:
            raise refuse(f"`{self._name}` needs `{context.name}`, which is not in scope")
        return tuple(arguments)

    def _can_be_keywords(self, keys: Iterable[str]) -> bool:
        """Whether keys of a payload can be keywords of the constructor that no parameter of its own takes."""
        return all(key.isidentifier() and not iskeyword(key) and key not in self._names for key in keys)

    def _given(self, item: Parameter) -> str | None:
        """Return the text for one parameter, ``None`` where there is nothing for it."""
        if item.name == self._policy.exceptions.cause:
            return self._site.caught or None
        if item.name in self._codes and item.name not in self._policy.codes.arguments:
            return self._codes.pop(item.name)
        if item.name in self._policy.codes.arguments and self._codes:
            name = item.name if item.name in self._codes else next(iter(self._codes))
            return self._codes.pop(name)
        if item.name in self._others:
            return self._others.pop(item.name)
        if item.default is not None and item.name not in self._required:
            return None
        return self._in_scope(item.name) or self._of_caught(item.name)

    def _of_caught(self, wanted: str) -> str | None:
        """Return the text of what is handled, for a field that is asked for in handlers alone."""
        return f"str({self._site.caught})" if wanted in self._handled and self._site.caught else None

    def _in_scope(self, wanted: str) -> str | None:
        """Return what is known at the error under a name, or one that ends in it; an operation is the tool's name."""
        own = [parameter.name for parameter in self._site.function.parameters]
        ending = [name for name in own if name.endswith(f"_{wanted}")]
        if wanted in own or len(ending) == 1:
            return wanted if wanted in own else ending[0]
        return quoted(self._tool) if self._tool and wanted in _OPERATIONS else None


def _message_parameter(parameters: list[Parameter]) -> Parameter | None:
    name = message_name([item.name for item in parameters])
    return next((item for item in parameters if item.name == name), None)
