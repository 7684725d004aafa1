"""What a returned value is: an error payload, a call of a factory, an error object, an error text, or none of these."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from collections.abc import Mapping as MappingView
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from errlint.error_keywords import (
    ACHIEVED_TEXT,
    CARRIERS,
    CROSSED_TEXT,
    ERROR_CODE_KEYS,
    ERROR_KEYS,
    ERROR_LIST_KEYS,
    ERROR_STATUS,
    ERROR_TELLER,
    EXCEPTION_VARIABLE,
    FAILURE_KEYS,
    FRAME_CODES,
    FRAME_KEYS,
    HEALTH_KEY,
    LOG_METHODS,
    MARKED_TEXT,
    MESSAGE_KEYS,
    NUMBER_KEYS,
    OUTRIGHT_KEYS,
    PRINTED_KEYS,
    PROBE,
    PROBE_KEYS,
    PROBLEM_KEY,
    PROBLEM_MEMBERS,
    PROCESS_STATUS_KEYS,
    STATES,
    STATUS_KEYS,
    STATUS_MARKS,
    SUCCESS_KEYS,
    SUCCESS_NUMBERS,
    SUCCESS_STATUS,
    TRANSLATIONS,
    UNMARKED_OPENING,
    UNMARKED_TEXT,
    VALIDITY_KEYS,
)
from errlint.facts import (
    CASTS,
    SUBSCRIPT,
    Call,
    Choice,
    Constant,
    DictEntry,
    Filled,
    Function,
    Handler,
    Item,
    Mapping,
    Opaque,
    Ref,
    Return,
    Sequence,
    Text,
    Value,
    Variable,
    constant_text,
    dicts_in,
    is_empty,
    keyed,
    named_parts,
    only,
    text_with_holes,
    with_inner_values,
)
from errlint.findings import Span
from errlint.index.expressions import MAX_VALUES
from errlint.project.arguments import bound_to, defaults_of, own_parameters
from errlint.project.bound_conditions import answer, is_given
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol
from errlint.project.registry import number

if TYPE_CHECKING:
    from errlint.project import Project

MAX_DEPTH = 6
"""Values inside values, and calls through helpers, are followed so far."""


class FormKind(Enum):
    """The forms of an error return, in order of precedence: an earlier one names a statement."""

    FACTORY = 1
    OBJECT = 2
    PAYLOAD = 3
    TEXT = 4
    TUPLE = 5
    UNMARKED_TEXT = 6


_PAYLOADS = frozenset({FormKind.FACTORY, FormKind.OBJECT, FormKind.PAYLOAD})
"""What is no text by itself."""


class Form(NamedTuple):
    """How a value is an error.

    ``shape`` lists what tells it (keys, or the name of a class or helper), ``wrapper`` is the call around it,
    ``helper`` the factory that is called, ``neutral`` is true for a payload whose own status is not a failure,
    ``is_error`` for an object marked by ``isError`` alone, ``keys`` are all keys of a payload, ``builds`` is what a
    called factory builds, ``is_weak`` is true where nothing but a message says that it is an error, ``made`` is the
    class of an object where that is known, ``number_key`` the key by whose number a payload is an error, if it is.
    ``parts`` are the dicts that are errors of those that a name holds, each with the keys that tell it; ``is_mixed`` is
    true where it holds others, too, ``is_flagged`` where a variable in it says whether it is an error. ``members`` are
    the payloads of a tuple by their places in it.
    """

    kind: FormKind
    shape: tuple[str, ...]
    text: str = ""
    wrapper: str = ""
    helper: FunctionSymbol | None = None
    neutral: bool = False
    is_error: bool = False
    keys: tuple[str, ...] = ()
    builds: FormKind | None = None
    is_weak: bool = False
    made: ClassSymbol | None = None
    number_key: str = ""
    parts: tuple[tuple[Value, tuple[str, ...]], ...] = ()
    is_mixed: bool = False
    is_flagged: bool = False
    members: tuple[tuple[int, Form], ...] = ()


class Context(NamedTuple):
    """Where a value stands: the file, the function, and the handlers around it.

    ``strict`` asks for values that are errors on every path, as those of a factory are. ``handlers`` are the ``except``
    clauses around it, innermost first.
    """

    path: str
    function: Function
    handlers: tuple[Handler, ...]
    depth: int = 0
    strict: bool = False

    @property
    def caught(self) -> frozenset[str]:
        """The names that the handlers around it bind."""
        return frozenset(handler.name for handler in self.handlers if handler.name)

    def deeper(self) -> Context:
        """Return the same place one value further in."""
        return self._replace(depth=self.depth + 1)


_ONLY_ERROR = ERROR_KEYS | ERROR_CODE_KEYS | MESSAGE_KEYS | {"code", "status_code", "hint", "hints", "suggestion"}
"""A payload of nothing but these is there for the error: what stands under its error key is one."""

_HTTP_RESPONSES = frozenset(
    {"Response", "HTMLResponse", "PlainTextResponse", "RedirectResponse", "StreamingResponse", "FileResponse",
     "jsonify", "make_response", "render_template", "TemplateResponse", "HTTPException", "abort",
     "HttpResponse", "JsonResponse", "HttpResponseBadRequest", "HttpResponseForbidden", "HttpResponseNotFound",
     "HttpResponseServerError", "HttpResponseNotAllowed", "HttpResponseRedirect"}
)  # fmt: skip
_STORES = frozenset(
    {"set", "put", "append", "store", "save", "add", "insert", "write", *(LOG_METHODS - {"error"}),
     "print", "send", "publish", "emit", "post", "patch", "request", "len", "bool", "isinstance", "setdefault",
     "update", "any", "all", "max", "min", "sum", "sorted", "get", "pop", "copy"}
)  # fmt: skip
_DUMPERS = frozenset(
    {
        "model_dump",
        "model_dump_json",
        "dict",
        "json",
        "to_dict",
        "as_dict",
        "to_json",
        "asdict",
        "decode",
        "dumps",
        "encode",
    }
)
_TRIMMED = frozenset({".strip", ".lstrip", ".rstrip", ".format", ".replace", ".expandtabs"})
"""Methods of texts that leave the opening of the text as it is, as names of calls of what is no name."""

_TEXT_CONTENT = frozenset({"TextContent", "TextContentBlock", "TextResourceContents", "EmbeddedResource", "TextBlock"})
_POSITIONAL = {"ReadResourceContents": ("content", "mime_type")}
"""Fields that foreign classes take without their names, in order."""

_PARTS = {"GetPromptResult": ("messages",), "ReadResourceResult": ("contents",)}
"""Fields of foreign classes that have all of an answer, beside those that any class may have it in."""

_CARRYING = ("content", "structured_content", "structuredContent", "data", "result", "root")
"""Fields that may have all of an answer, whatever the class."""

_ERROR_CLASS = re.compile(
    r"(?:Error|Failure|Failed|Err)(?:s)?(?:Result|Response|Output|Payload|Model|Message|Envelope|Object|Reply|Answer|Info|Detail|Details)?$"
)
_EXCEPTION_CLASS = re.compile(r"(?:Error|Exception|Warning|Interrupt|Exit|Timeout)$")
_KINDS = frozenset({"category", "level", "severity", "type"})
"""Keys by which a message for a page says what kind it is of."""

_OUTPUTS = frozenset({"output", "stdout", "out"})
"""Keys of what a command printed. Beside one, what it printed to its error stream is no error by itself."""

_VERDICT = re.compile(r"is_[a-z]|(?:allowed|permitted|approved|authorized|granted|denied|blocked)$")
"""Keys of what a function found out: a text beside one says more of that, and not that there was an error."""
_MODEL_ERROR_CLASS = re.compile(
    r"(?:Error|Failure|Failed)(?:Result|Response|Output|Payload|Model|Message|Envelope|Object|Reply|Answer)$"
)


class Classifier:
    """Decides forms over a project's names and values. An adapter is no factory."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._names = project.names
        self._factories: dict[tuple[str, str], tuple[Form, ...] | None] = {}
        self._forms: dict[tuple[str, str, Span], Form | None] = {}

    def classify(self, path: str, function: Function, found: Return) -> Form | None:
        """Return how the value of a return is an error, ``None`` when it is not."""
        if type(found.value) is Opaque:
            return None
        key = (path, function.name, found.span)
        if key not in self._forms:
            form = self._value(found.value, Context(path, function, found.handlers))
            if form is not None and form.is_mixed and _is_of_items(form, found):
                form = None
            self._forms[key] = form
        return self._forms[key]

    def form(self, path: str, function: Function, value: Value, handlers: tuple[Handler, ...]) -> Form | None:
        """Return how a value in a function is an error, ``None`` when it is not."""
        return self._value(value, Context(path, function, handlers))

    def is_always(self, path: str, function: Function, found: Return) -> bool:
        """Whether the value of a return is an error on every path that leads there."""
        form = self._value(found.value, Context(path, function, found.handlers, strict=True))
        return form is not None and form.kind not in (FormKind.TUPLE, FormKind.UNMARKED_TEXT)

    def factory(self, symbol: FunctionSymbol) -> tuple[Form, ...] | None:
        """Return the forms of a function that only answers errors, ``None`` for any other; recursion is unknown.

        A method that classes below override is none: what is called may be one of theirs.
        """
        key = (symbol.path, symbol.function.name)
        if key not in self._factories:
            self._factories[key] = None
            if self._project.hierarchy.is_overridden(symbol.path, symbol.function):
                return None
            try:
                self._factories[key] = self._only_errors(symbol, {})
            except RecursionError:  # what is deeper was not looked at: on a deeper stack it is
                del self._factories[key]
                raise
        return self._factories[key]

    def is_marked(self, form: Form) -> bool:
        """Whether a form is an object that the protocol's own mark makes an error, or a factory of such objects."""
        if form.kind is not FormKind.FACTORY or form.helper is None:
            return form.is_error
        return all(each.is_error for each in self.factory(form.helper) or (form,))

    def _only_errors(
        self, symbol: FunctionSymbol, bindings: MappingView[str, Value], depth: int = 0
    ) -> tuple[Form, ...] | None:
        function = symbol.function
        if (
            function.is_generator
            or function.ends
            or not function.returns
            or self._project.adapters.is_adapter(symbol.path, function)
        ):
            return None
        forms: list[Form] = []
        for found in function.returns:
            value = answer(found, bindings) if bindings else found.value
            if value is None or _is_handed_on(found, function):
                continue
            value = substitute(value, bindings) if bindings else value
            form = self._value(value, Context(symbol.path, function, found.handlers, depth, strict=True))
            if form is None or form.kind in (FormKind.TUPLE, FormKind.UNMARKED_TEXT):
                return None
            forms.append(form)
        return tuple(forms) or None

    # --- values -------------------------------------------------------------------------------------------------

    def _value(self, value: Value, context: Context) -> Form | None:
        if context.depth > MAX_DEPTH:
            return None
        is_named = type(value) is Variable
        value = only(value)
        if type(value) is Mapping:
            form = self._mapping(value, context)
            return form._replace(parts=((value, form.shape),)) if is_named and form is not None else form
        if type(value) is Call:
            return self._call(value, context)
        if type(value) is Text:
            form = self._text(value, context.function.name)
            if form is None and self._carries_caught(value, context):
                return Form(FormKind.UNMARKED_TEXT, (), self._message(value))
            return form
        if type(value) is Variable or type(value) is Choice:
            forms = [self._value(item, context.deeper()) for item in value.values]
            if context.strict and None in forms:
                return None
            best = self._best(forms)
            if type(value) is Variable and best is not None and None in forms:
                good = [item for item, form in zip(value.values, forms, strict=True) if form is None]
                is_text = best.kind is FormKind.TEXT
                if best.kind is FormKind.UNMARKED_TEXT or (is_text and not all(map(_is_of_others, good))):
                    return None  # a text that is put together, good or bad
                if best.number_key:  # one envelope, of which the number changes on some path
                    good = [item for item in good if not self._project.numbers.is_success(item, best.number_key)]
                bad = [item for item, form in zip(value.values, forms, strict=True) if form is not None]
                if any(type(item) is Mapping and self._is_added_to(item, bad, context) for item in good):
                    return None  # one result, to which an error is added on some path
                if any(type(item) is Mapping and item.spreads for item in value.values):
                    return None  # a result of somebody else, to which an error is added on some path
                if best.kind is FormKind.OBJECT and any(_is_filled_in(item, bad) for item in good):
                    return None  # one object, of which a field is set on some path
            if type(value) is Variable and best is not None and best.kind is FormKind.PAYLOAD and not best.parts:
                parts = tuple(
                    (item, form.shape)
                    for item, form in zip(value.values, forms, strict=True)
                    if form is not None and type(item) is Mapping
                )
                return best._replace(parts=parts, is_mixed=bool(parts) and None in forms)
            return best
        if type(value) is Sequence:
            return self._sequence(value, context)
        return None

    def _is_added_to(self, value: Mapping, others: Iterable[Value], context: Context) -> bool:
        """Whether a dict that tells no error is one to which another way has added one: another has all of its keys.

        It is an answer of its own where nothing is in it, or it says otherwise what tells the error: ``{"ok": True}``.
        """
        fields = keyed(value)
        for other in others:
            entries = keyed(other) if type(other) is Mapping else {}
            if value.entries and fields.keys() <= entries.keys():
                said = (key for key in fields if key.lower() in SUCCESS_KEYS | FAILURE_KEYS | STATUS_KEYS)
                if not any(self._is_otherwise(key, fields[key], entries[key], context) for key in said):
                    return True
        return False

    def _is_otherwise(self, key: str, value: Value, error: Value, context: Context) -> bool:
        """Whether a flag or a status says that all is well which says elsewhere that there is an error.

        Of a status that is no error that is not certain, unless the error says no more than that: ``"error"``.
        """
        if key.lower() not in STATUS_KEYS:
            told, opposite = self._literal(value, context), self._literal(error, context)
            return told is not None and opposite is not None and told != opposite
        status, other = self._constant_text(value, context), self._constant_text(error, context)
        if status is None or other is None or ERROR_STATUS.fullmatch(other) is None:
            return False
        return status.lower() in STATUS_MARKS or (other.lower() == "error" and status != other)

    def _best(self, forms: Iterable[Form | None]) -> Form | None:
        return min((form for form in forms if form is not None), key=lambda form: form.kind.value, default=None)

    def _text(self, value: Text, function: str = "") -> Form | None:
        opening = value.parts[0] if value.parts and isinstance(value.parts[0], str) else ""
        whole = text_with_holes(value)
        if len(whole.strip().partition("\n")[0].encode()) < 8:  # a letter of Chinese says more than one of ours
            return None
        if (opening and MARKED_TEXT.match(opening)) or MARKED_TEXT.match(_below_heading(whole)):
            return Form(FormKind.TEXT, (), whole)
        if CROSSED_TEXT.match(opening) and not PROBE.search(function.rpartition(".")[2]):
            return Form(FormKind.TEXT, (), whole)
        if len(whole) <= 300 and (UNMARKED_TEXT.search(whole) or UNMARKED_OPENING.match(opening)):
            return None if ACHIEVED_TEXT.search(whole) else Form(FormKind.UNMARKED_TEXT, (), whole)
        return None

    def _block(self, value: Value, context: Context) -> Form | None:
        """Decide over the text of a block of content, which may say something around a payload."""
        form = self._value(value, context)
        text = only(value)
        if (form is not None and form.kind is not FormKind.UNMARKED_TEXT) or type(text) is not Text:
            return form
        parts = [self._value(part, context.deeper()) for part in text.parts if not isinstance(part, str)]
        told = self._best(part for part in parts if part is not None and part.kind in _PAYLOADS)
        return told or form

    def _sequence(self, value: Sequence, context: Context) -> Form | None:
        if value.kind == "tuple":
            return self._tuple(value, context)
        form = self._value(value.items[0], context.deeper()) if len(value.items) == 1 else None
        # A list of what is an error on some ways only is a batch of one.
        return None if form is not None and form.is_mixed and not form.wrapper else form

    def _tuple(self, value: Sequence, context: Context) -> Form | None:
        if len(value.items) < 2:
            return None
        first = value.items[0]
        if self._project.routes.is_answering(context.path, context.function):
            # Flask's answer and status: an error already, unless the status is that of a success.
            return None if self._project.routes.has_status(value) else self._value(first, context.deeper())
        forms = [self._value(item, context.deeper()) for item in value.items]
        members = tuple(
            (place, form) for place, form in enumerate(forms) if form is not None and form.kind in _PAYLOADS
        )
        form = forms[0]
        if form is not None and form.kind in _PAYLOADS:
            return Form(FormKind.TUPLE, form.shape, form.text, members=members)
        rest = [
            (item, form)
            for item, form in zip(value.items[1:], forms[1:], strict=True)
            if self._presence(item, context) is not False
        ]
        is_nothing = type(first) is Constant and (first.value is None or first.value is False)
        if is_nothing and any(type(item) is Text or form is not None for item, form in rest):
            return Form(FormKind.TUPLE, ("None" if first == Constant(None) else "False",), members=members)
        if is_empty(first) and members:
            return Form(FormKind.TUPLE, ("nothing",), members=members)
        return None

    # --- mappings -----------------------------------------------------------------------------------------------

    def _mapping(self, value: Mapping, context: Context) -> Form | None:
        fields: dict[str, Value] = {}
        for spread in value.spreads:
            inner = self._merged(spread, context)
            fields.update(keyed(inner) if inner is not None else {})
        fields.update(keyed(value))
        if fields.keys() >= {"type", "text"} and self._constant_text(fields["type"], context) == "text":
            content = self._block(fields["text"], context.deeper())
            return content._replace(wrapper=content.wrapper or "a text block") if content is not None else None
        form = self._fields(fields, context, is_payload=True)
        if form is not None:
            return form
        if len(fields) == 1 and not value.spreads:
            ((key, held),) = fields.items()
            inner_form = self._value(held, context.deeper()) if key.lower() in CARRIERS else None
            if inner_form is not None and inner_form.kind is FormKind.PAYLOAD and not inner_form.is_weak:
                return inner_form  # an answer that stands under a key of its own, whatever it is
        for spread in value.spreads:
            if type(spread) is Call and not (fields.keys() & SUCCESS_KEYS):
                inner_form = self._value(spread, context.deeper())
                if inner_form is not None and inner_form.kind is FormKind.FACTORY:
                    return inner_form
        return None

    def _merged(self, value: Value, context: Context) -> Mapping | None:
        """Return the dict that is merged in whole; what a call answers is a result of somebody else."""
        held = value.values if type(value) is Variable else (value,)
        if any(type(item) is Call and item.name != SUBSCRIPT for item in held):
            return None
        return self._project.evaluator.mapping(context.path, context.function.name, value)

    def _fields(self, fields: MappingView[str, Value], context: Context, *, is_payload: bool = False) -> Form | None:
        """Decide over the named parts of a payload or object."""
        lower = {key.lower(): key for key in fields}
        if lower.keys() & FRAME_KEYS or lower.keys() & VALIDITY_KEYS or {"role", "content"} <= lower.keys():
            return None
        if self._is_of_command(lower.keys(), context) or self._is_of_protocol(fields, context):
            return None
        if HEALTH_KEY in lower and self._constant_text(fields[lower[HEALTH_KEY]], context) is not None:
            return None
        if PROBE.search(context.function.name.rpartition(".")[2]) and any(
            type(fields[key]) is Constant and name.removeprefix("is_") in PROBE_KEYS for name, key in lower.items()
        ):
            return None
        shape: list[str] = []
        neutral = False
        certain = False
        is_flagged = False
        for key in SUCCESS_KEYS & lower.keys():
            marker = self._literal(fields[lower[key]], context)
            if marker is None:
                is_flagged = not context.strict and _is_false_on_a_way(fields, lower[key])
                if not is_flagged:
                    return None  # passed through, or computed: both answers
            elif marker.value is not False:
                return None
            certain = True
            shape.append(lower[key])
        for key in FAILURE_KEYS & lower.keys():
            marker = self._literal(fields[lower[key]], context)
            if marker is not None and marker.value is True:
                certain = True
                shape.append(lower[key])
            elif marker is not None and marker.value is False and key in OUTRIGHT_KEYS:
                return None
        for key in STATUS_KEYS & lower.keys():
            status = self._constant_text(fields[lower[key]], context)
            if status is None and context.handlers:
                status = self._ending(fields[lower[key]])
            if status is None and not context.strict and _is_false_on_a_way(fields, lower[key]):
                is_flagged, status = True, "error"
            if status is None:
                continue
            if ERROR_STATUS.fullmatch(status):
                certain = True
                shape.append(lower[key])
            elif SUCCESS_STATUS.fullmatch(status):
                return None
            else:
                neutral = True
        if is_payload and not certain and (key := self._alert(fields, context)):
            certain = True
            shape.append(key)
        number_key = ""
        if is_payload and not certain and not lower.keys().isdisjoint(NUMBER_KEYS):
            where = context.path, context.function
            number_key = self._project.numbers.error_key(fields, *where, is_caught=bool(context.handlers))
            if number_key:
                certain = True
                shape.append(number_key)
        for key in ERROR_KEYS & lower.keys():
            presence = self._presence(fields[lower[key]], context)
            if _is_printed(fields[lower[key]]) and not lower.keys().isdisjoint(_OUTPUTS):
                continue
            if presence is None and (certain or lower.keys() <= _ONLY_ERROR):
                presence = True
            elif presence is None and not _is_of_record(fields, lower[key]):
                presence = self._others_lack(key, context) or None
            if presence is True:
                shape.append(lower[key])
                certain = True
            elif type(fields[lower[key]]) is Constant and fields[lower[key]] == Constant(True):
                certain = True
                shape.append(lower[key])
        for key in ERROR_LIST_KEYS & lower.keys() if not certain else ():
            rest = (only(value) for name, value in fields.items() if name != lower[key])
            if _is_one_error(fields[lower[key]]) and all(map(is_empty, rest)):
                certain = True
                shape.append(lower[key])
        if PROBLEM_KEY in lower and self._is_problem(fields[lower[PROBLEM_KEY]]):
            shape.append(lower[PROBLEM_KEY])
            certain = True
        if not certain and not neutral:
            for key in ERROR_CODE_KEYS & lower.keys():
                code = self._constant_text(fields[lower[key]], context)
                if code and not SUCCESS_STATUS.fullmatch(code):
                    certain = True
                    shape.append(lower[key])
        weak = not certain
        is_verdict = any(_VERDICT.match(key) for key in lower.keys() - FAILURE_KEYS - SUCCESS_KEYS)
        if not certain and not is_verdict:
            for key in MESSAGE_KEYS & lower.keys():
                found = self._only_text(fields[lower[key]])
                form = self._text(found) if found is not None else None
                if form is not None and form.kind is FormKind.TEXT and not neutral:
                    certain = True
                    shape.append(lower[key])
        if not certain or self._is_one_state(fields, shape, context) or self._is_found_out(fields, shape, context):
            return None
        ordered = tuple(
            key for key in fields if key in shape or key.lower() in MESSAGE_KEYS | ERROR_LIST_KEYS | ERROR_KEYS
        )
        text = next((message for key in ordered if (message := self._message(fields[key]))), "")
        only_is_error = {key.lower() for key in shape} <= OUTRIGHT_KEYS
        marked = {key.lower() for key in shape} & (SUCCESS_KEYS | FAILURE_KEYS)
        return Form(
            FormKind.PAYLOAD,
            tuple(key for key in fields if key in shape),
            text,
            neutral=neutral and not marked,
            is_error=only_is_error,
            keys=tuple(fields),
            is_weak=weak,
            number_key=number_key,
            is_flagged=is_flagged,
        )

    def _alert(self, fields: MappingView[str, Value], context: Context) -> str:
        """Return the key by which a dict is a message of an error for a page, "" for any other dict.

        ``{"type": "danger", "message": "no such book"}``, as Bootstrap calls its alerts.
        """
        lower = {key.lower(): key for key in fields}
        texts = lower.keys() & MESSAGE_KEYS
        for key in _KINDS & lower.keys():
            kind = self._constant_text(fields[lower[key]], context)
            if kind in ("danger", "error") and texts and lower.keys() <= {key, "title", *MESSAGE_KEYS}:
                return lower[key]
        return ""

    def _is_one_state(self, fields: MappingView[str, Value], shape: Iterable[str], context: Context) -> bool:
        """Whether nothing but a status tells of an error, which is one of several states that a function tells of.

        What is answered for an exception, or says ``error`` itself, is one whatever else there is; so is what stands
        beside a mere success: then the status says how the call went.
        """
        if context.handlers or not {key.lower() for key in shape} <= STATUS_KEYS:
            return False
        for key in shape:
            others = (self._written(found.value).get(key) for found in context.function.returns)
            told = {
                text.lower()
                for other in others
                if other is not None and (text := self._constant_text(other, context)) is not None
            }
            is_outright = (self._constant_text(fields[key], context) or "").lower() == "error"
            if len(told) >= STATES and not is_outright and told.isdisjoint(STATUS_MARKS):
                return True
        return False

    def _is_found_out(self, fields: MappingView[str, Value], shape: Collection[str], context: Context) -> bool:
        """Whether a check that no client calls answers what it found out, by a flag, as it answers that all is well."""
        if not PROBE.search(context.function.name.rpartition(".")[2]) or not {*map(str.lower, shape)} <= SUCCESS_KEYS:
            return False
        where = context.path, context.function
        if self._project.adapters.is_adapter(*where) or self._project.routes.is_route(*where):
            return False
        (flag,) = shape if len(shape) == 1 else ("",)
        others = (self._written(found.value) for found in context.function.returns)
        return any(other.keys() == fields.keys() and other.get(flag) == Constant(True) for other in others)

    def _ending(self, value: Value) -> str | None:
        """Return the status that the text of one ends with, ``None`` where it does not: ``f"{step}_failed"``."""
        text = self._only_text(value)
        last = text.parts[-1] if text is not None and len(text.parts) > 1 else None
        return last if isinstance(last, str) and ERROR_STATUS.fullmatch(last) else None

    def _written(self, value: Value) -> dict[str, Value]:
        """Return the entries of a dict that is written out, also of one that a call is handed."""
        inner = self._first(value) if type(value) is Call else value
        return keyed(inner) if type(inner) is Mapping else {}

    def _is_of_command(self, keys: Collection[str], context: Context) -> bool:
        """Whether keys are those of the record of a command, of which nothing but what it printed tells an error.

        A helper answers such a record for any end of a command: who gets it reads the number and what was printed.
        """
        names = set(keys)
        is_record = not names.isdisjoint(PROCESS_STATUS_KEYS) and not names.isdisjoint(PRINTED_KEYS)
        is_told = not names.isdisjoint(ERROR_KEYS | MESSAGE_KEYS)
        return is_record and not is_told and not self._project.adapters.is_adapter(context.path, context.function)

    def _is_problem(self, value: Value) -> bool:
        """Whether a value is a problem object (RFC 9457): written out, or made by what is called so."""
        if type(value) is Variable or type(value) is Choice:
            return bool(value.values) and all(map(self._is_problem, value.values))
        if type(value) is Mapping:
            keys = keyed(value).keys()
            return len(keys & {*PROBLEM_MEMBERS}) >= 3 and not keys.isdisjoint(("detail", "instance"))
        return type(value) is Call and PROBLEM_KEY in value.name.rpartition(".")[2].lower()

    def _is_of_protocol(self, fields: MappingView[str, Value], context: Context) -> bool:
        """Whether a payload is what JSON-RPC answers, ``{"error": {"code": -32603, …}}``, handed on by no adapter."""
        if len(fields) != 1 or self._project.adapters.is_adapter(context.path, context.function):
            return False
        code = named_parts(only(*fields.values())).get("code")
        number = self._literal(code, context) if code is not None else None
        return number is not None and type(number.value) is int and number.value in FRAME_CODES

    def _others_lack(self, key: str, context: Context) -> bool:
        """Whether the function has answers without an error key, and all others are errors: then the key is the sign.

        One answer of which that is not certain is the one that is asked about; more are, where each hands on the
        error of another payload, or of an object: ``{"found": False, "error": result["error"]}``.
        """
        lacking = uncertain = 0
        for found in context.function.returns:
            given = next(
                (value for name, value in self._named(found.value, context).items() if name.lower() == key), None
            )
            if given is None:
                lacking += 1
                continue
            if self._presence(given, context._replace(handlers=found.handlers)) is not True:
                uncertain += not _is_error_of(only(given))
        return lacking > 0 and uncertain <= 1

    def _named(self, value: Value, context: Context) -> dict[str, Value]:
        """Return the parts of a payload, or of an object that is made, which have a name."""
        value = only(value)
        if type(value) is Call:
            value = self._project.evaluator.called(context.path, context.function.name, value)
        return named_parts(value)

    def _message(self, value: Value) -> str:
        text = self._only_text(value)
        return text_with_holes(text) if text else ""

    def _only_text(self, value: Value) -> Text | None:
        value = _in_our_words(only(value))
        return value if type(value) is Text else None

    def _literal(self, value: Value, context: Context) -> Constant | None:
        value = self._resolved(value, context)
        return value if type(value) is Constant else None

    def _constant_text(self, value: Value, context: Context) -> str | None:
        value = self._resolved(value, context)
        if type(value) is Ref:
            # An enum member whose class is not at hand still names its status: Status.ERROR, JobStatus.FAILED.value.
            parts = value.name.removesuffix(".value").split(".")
            if len(parts) > 1 and parts[-1].isupper():
                return parts[-1]
        return constant_text(value)

    def _resolved(self, value: Value, context: Context) -> Value:
        """Follow a variable with one value, a constant of a module or a member of an enum."""
        value = only(value)
        found = self._project.values.followed(context.path, context.function.name, value).value
        return found if type(found) is Constant or type(found) is Text else value

    def _presence(self, value: Value, context: Context, depth: int = 0) -> bool | None:
        """Whether the value of an error key is an error: true, false, or ``None`` where it may be either."""
        if depth > 4:
            return None
        value = self._resolved(value, context)
        if type(value) is Constant:
            return False
        if type(value) is Text:
            return value.parts not in ((), ("",))
        if type(value) is Mapping:
            return bool(value.entries or value.spreads)
        if type(value) is Sequence:
            return None if value.items else False
        if type(value) is Variable or type(value) is Choice:
            found = [self._presence(item, context, depth + 1) for item in value.values]
            if type(value) is Choice and value.is_or and found and found[-1] is True:
                return True  # `x or "text"`
            if all(item is True for item in found):
                return True
            return False if all(item is False for item in found) else None
        if type(value) is Item:
            if value.key.lower() in ERROR_KEYS and not context.caught:
                return None  # handed on from another payload
            return True if context.caught or type(value.base) is Item else None
        if type(value) is Call:
            last = value.name.rpartition(".")[2]
            if value.name == SUBSCRIPT:
                return True if context.caught else None
            first = only(value.arguments[0].value) if len(value.arguments) == 1 else None
            is_looked_up = type(first) is Item or (type(first) is Call and first.name.endswith(".get"))
            if is_looked_up and value.name not in ("str", "repr"):
                return True if context.caught else None  # `shortened(record.get("error"))`
            return None if last in ("get", "getattr", "pop", "len", "bool") else True
        if type(value) is Ref:
            root, _, rest = value.name.partition(".")
            if root in context.caught:
                return True
            for parameter in context.function.parameters:
                if parameter.name == root:
                    nullable = (
                        parameter.default is not None
                        and self._presence(parameter.default, context, depth + 1) is not True
                    )
                    return None if nullable or (rest and not EXCEPTION_VARIABLE.fullmatch(root)) else True
            return None if rest else True
        return True if context.caught else None

    # --- calls --------------------------------------------------------------------------------------------------

    def _call(self, value: Call, context: Context) -> Form | None:
        last = value.name.rpartition(".")[2]
        told = self._told_of_exception(value, context)
        if told is not None:
            return told
        if last in _DUMPERS and (value.inner is not None or last in ("dumps", "asdict", "encode")):
            subject = value.inner if value.name.startswith(".") and value.inner is not None else self._first(value)
            return self._wrapped(self._value(subject, context.deeper()) if subject is not None else None, last)
        if value.name in CASTS and len(value.arguments) == 2:
            return self._value(value.arguments[1].value, context.deeper())
        if value.name in ("str", "textwrap.dedent", "dedent"):
            first = self._first(value)
            if self._carries_caught(value, context):
                return Form(FormKind.UNMARKED_TEXT, (), "{}")
            return self._value(first, context.deeper()) if first is not None else None
        if value.name in _TRIMMED and value.inner is not None:
            return self._value(value.inner, context.deeper())
        routes = self._project.routes
        if routes.is_answering(context.path, context.function) and routes.has_status(value):
            return None
        if self._is_of_web(value.name, context):
            return self._response(value, context)
        if last[:1].isupper() and any(argument.name == "status_code" for argument in value.arguments):
            return None
        if not value.name or value.name.startswith("."):
            return None if value.name == SUBSCRIPT else self._method_of_value(value, context)
        value = self._project.evaluator.called(context.path, context.function.name, value)
        last = value.name.rpartition(".")[2]
        symbol = self._project.objects.called(context.path, value.name, context.function.name)
        if isinstance(symbol, FunctionSymbol):
            return self._function_call(value, symbol, context)
        if last.endswith("_response") and routes.has_status(value):
            return None  # aiohttp's `web.json_response(…, status=404)` tells its clients of the error
        if isinstance(symbol, ClassSymbol):
            form = self._object(value, symbol, context)
            is_it = form is not None and form.kind is FormKind.OBJECT and form.shape == (symbol.definition.name,)
            return form._replace(made=symbol) if form is not None and is_it else form
        if last[:1].isupper():
            return self._object(value, None, context)
        return self._unknown_call(value, last, context)

    def _told_of_exception(self, value: Call, context: Context) -> Form | None:
        """Decide over ``e.to_dict()``: what a method of an exception of the project makes of it is always an error."""
        receiver, _, method = value.name.rpartition(".")
        if method not in _DUMPERS and not method.startswith(("to_", "as_")):
            return None
        made = value.inner if value.name.startswith(".") else Ref(receiver)
        for owner in self._exceptions(made, context) if made is not None else ():
            symbol = self._names.member(owner, method)
            if isinstance(symbol, FunctionSymbol):
                return Form(FormKind.FACTORY, (), helper=symbol, builds=FormKind.PAYLOAD)
        return None

    def teller(
        self, path: str, function: Function, value: Call, handlers: tuple[Handler, ...] = ()
    ) -> FunctionSymbol | None:
        """Return the method of an exception of the project that a call in a function makes an answer with."""
        form = self._told_of_exception(value, Context(path, function, handlers))
        return form.helper if form is not None else None

    def _exceptions(self, value: Value, context: Context) -> Iterator[ClassSymbol]:
        """Yield the exceptions of the project that a value is one of: caught, made there, or by a function."""
        value = only(value)
        if type(value) is not Ref and type(value) is not Call:
            return
        names = [value.name]
        if type(value) is Ref:
            names = [name for each in context.handlers if each.name == value.name for name in each.types]
        for name in filter(None, names):
            symbol = self._names.resolve(context.path, name, context.function.name)
            if isinstance(symbol, ClassSymbol) and self._project.hierarchy.is_exception(symbol):
                yield symbol
            elif isinstance(symbol, FunctionSymbol) and context.depth <= MAX_DEPTH:
                for found in symbol.function.returns:
                    if type(found.value) is Call:
                        yield from self._exceptions(
                            found.value, Context(symbol.path, symbol.function, found.handlers, context.depth + 2)
                        )

    def _is_of_web(self, name: str, context: Context) -> bool:
        """Whether a call makes the response of an HTTP route: a model of the project may have the same name."""
        if not _is_web_response(name):
            return False
        symbol = self._names.resolve(context.path, name, context.function.name)
        return not isinstance(symbol, ClassSymbol) or any(
            map(_is_web_response, self._project.hierarchy.base_names(symbol))
        )

    def _response(self, value: Call, context: Context) -> Form | None:
        """Decide over the response of a route: what it is made of, where its status is that of a success."""
        if not self._project.routes.answered_by(context.path, context.function):
            return None
        content = self._project.routes.content(value)
        if content is not None:
            return self._wrapped(self._value(content, context.deeper()), value.name.rpartition(".")[2])
        is_jsonify = value.name.rpartition(".")[2] == "jsonify"
        return self._fields(named_parts(value), context, is_payload=True) if is_jsonify else None

    def _first(self, value: Call) -> Value | None:
        return next((argument.value for argument in value.arguments if argument.name == ""), None)

    def _wrapped(self, form: Form | None, wrapper: str) -> Form | None:
        if form is None or form.kind is FormKind.UNMARKED_TEXT:
            return None
        return form._replace(wrapper=form.wrapper or wrapper)

    def _method_of_value(self, value: Call, context: Context) -> Form | None:
        """Decide over ``receiver.method(...)`` where the receiver is a local value."""
        method = value.name[1:]
        owner = self._class_of(value.inner, context) if value.inner is not None else None
        if owner is not None and method:
            symbol = self._names.member(owner, method)
            if isinstance(symbol, FunctionSymbol):
                return self._function_call(value, symbol, context)
        return self._unknown_call(value, method, context) if method else None

    def _class_of(self, value: Value, context: Context) -> ClassSymbol | None:
        value = only(value)
        name = f"{value.name}()" if type(value) is Call else value.name if type(value) is Ref else ""
        known = name.strip("()") and not name.startswith(".")
        made = self._project.objects.of(context.path, name, context.function.name) if known else None
        return made if isinstance(made, ClassSymbol) else None

    def _function_call(self, value: Call, symbol: FunctionSymbol, context: Context) -> Form | None:
        forms = self.factory(symbol)
        bindings = self._bindings(value, symbol, context) if forms is None else {}
        if bindings and context.depth <= MAX_DEPTH and self._says_error(bindings, context):
            forms = self._only_errors(symbol, bindings, context.depth + 2)
        form = self._best(forms or ())
        if form is not None:
            text = self._text_argument(value)
            built = form.builds or form.kind
            return Form(
                FormKind.FACTORY, form.shape, text, helper=symbol, builds=built, neutral=form.neutral, made=form.made
            )
        if context.handlers and self.tells_error(symbol):
            return Form(FormKind.FACTORY, (), helper=symbol, builds=FormKind.TEXT, is_weak=True)
        if any(self._is_exception(found.value, symbol) for found in symbol.function.returns):
            return None  # what is handed over goes into what is to be raised
        for argument, name in self._handed(value, symbol):
            form = self._value(argument, context.deeper())
            if form is None or form.kind not in _PAYLOADS:
                continue
            handing_on = [found.value for found in symbol.function.returns if _hands_on(found.value, name)]
            # A response says itself that it is one of an error: it has its status, or may have.
            if any(not self._project.routes.has_status(answer) for answer in handing_on):
                return self._wrapped(form, value.name.rpartition(".")[2])
        return None

    def _is_exception(self, value: Value, symbol: FunctionSymbol) -> bool:
        """Whether a function answers an exception, made where it returns."""
        made = only(value)
        if type(made) is not Call or not made.name or made.name.startswith("."):
            return False
        found = self._names.resolve(symbol.path, made.name, symbol.function.name)
        return isinstance(found, (ClassSymbol, ExternalSymbol)) and self._project.hierarchy.is_exception(found)

    def tells_error(self, symbol: FunctionSymbol) -> bool:
        """Whether a function is called for an error and answers a text, as what is answered in a handler."""
        function = symbol.function
        if ERROR_TELLER.search(function.name.rpartition(".")[2]) is None or function.ends or function.is_generator:
            return False
        if self._project.adapters.is_adapter(symbol.path, function):
            return False
        texts = [_is_text(found.value) for found in function.returns]
        return True in texts and False not in texts

    def _handed(self, value: Call, symbol: FunctionSymbol) -> Iterator[tuple[Value, str]]:
        """Yield what a call hands to the first parameter of a function, and to others by their names."""
        names = [item.name for item in own_parameters(symbol.function)]
        first = self._first(value)
        if first is not None and names:
            yield first, names[0]
        yield from ((item.value, item.name) for item in value.arguments if item.name in names)

    def _says_error(self, bindings: MappingView[str, Value], context: Context) -> bool:
        """Whether an argument, or a default, says that the answer is an error."""
        for name, found in bindings.items():
            lower = name.lower()
            if type(found) is Constant and isinstance(found.value, bool):
                return True
            if type(found) is Text:
                text = self._constant_text(found, context)
                if text is not None and ERROR_STATUS.fullmatch(text):
                    return True
                form = self._text(found)
                if form is not None and form.kind is FormKind.TEXT:
                    return True
            if lower in ERROR_KEYS and self._presence(found, context) is True:
                return True
            if lower in NUMBER_KEYS and (number(found) or 0) not in SUCCESS_NUMBERS:
                return True
            if self._carries_caught(found, context):
                return True
        return False

    def _carries_caught(self, value: Value, context: Context) -> bool:
        """Whether a text is, or contains, the exception that is being handled."""
        if type(value) is Ref:
            return value.name in context.caught
        if type(value) is Call:
            return value.name in ("str", "repr") and any(
                self._carries_caught(argument.value, context) for argument in value.arguments
            )
        if type(value) is Variable:
            return bool(value.values) and all(self._carries_caught(item, context) for item in value.values)
        if type(value) is Text:
            return any(not isinstance(part, str) and self._carries_caught(part, context) for part in value.parts)
        return False

    def _bindings(self, value: Call, symbol: FunctionSymbol, context: Context) -> dict[str, Value]:
        """Bind the parameters of a helper to the arguments of one call of it."""
        bound = bound_to(symbol.function, value)
        if bound.is_open:
            return {}
        given = {name: self._resolved(item, context) for name, item in bound.passed.items()}
        for name, found in given.items():
            if type(found) is Ref:
                given[name] = OPAQUE_TEXT if self._presence(found, context) else Opaque()
        return {**defaults_of(symbol.function), **given}

    def _text_argument(self, value: Call) -> str:
        return next((text for argument in value.arguments if (text := self._message(argument.value))), "")

    def _unknown_call(self, value: Call, last: str, context: Context) -> Form | None:
        """Decide over a call of something outside of the project, by what it is given.

        What looks up, stores or sends builds nothing: fields of what it answers are those of a record.
        """
        if last.partition("_")[0] in _STORES:
            return None
        fields = named_parts(value)
        form = self._fields(fields, context)
        # Whether it is an error has to be said outright: many a function takes an error and answers something else.
        if form is not None and {key.lower() for key in form.shape} & (SUCCESS_KEYS | FAILURE_KEYS | STATUS_KEYS):
            return Form(FormKind.FACTORY, form.shape, form.text, wrapper=value.name.lstrip("."))
        first = self._first(value)
        if first is not None and len(value.arguments) > 1:
            status = self._constant_text(first, context)
            if status is not None and ERROR_STATUS.fullmatch(status):
                return Form(
                    FormKind.FACTORY, (repr(status),), self._text_argument(value), wrapper=value.name.lstrip(".")
                )
        return self._passed_on(value, context)

    def _passed_on(self, value: Call, context: Context) -> Form | None:
        """Decide over a wrapper: a call that is handed an error payload first of all."""
        first = self._first(value)
        form = self._value(first, context.deeper()) if first is not None else None
        if form is None or form.kind not in _PAYLOADS:
            return None
        return self._wrapped(form, value.name.rpartition(".")[2])

    def _object(self, value: Call, symbol: ClassSymbol | None, context: Context) -> Form | None:
        name = (symbol.definition.name if symbol is not None else value.name).rpartition(".")[2]
        if symbol is not None and self._project.hierarchy.is_exception(symbol):
            return None
        if symbol is None and _EXCEPTION_CLASS.search(name):
            return None
        if symbol is not None and any(self._names.member(symbol, key) is not None for key in FRAME_KEYS):
            return None
        for argument in value.arguments:
            form = self._value(argument.value, context.deeper()) if argument.name == "**" else None
            if form is not None and form.kind is FormKind.FACTORY:
                return Form(FormKind.OBJECT, (name,), form.text)
        value = self._project.evaluator.called(context.path, context.function.name, value)
        fields = named_parts(value)
        if name in _TEXT_CONTENT:
            content = fields.get("text") or self._first(value)
            form = self._block(content, context.deeper()) if content is not None else None
            return form._replace(wrapper=form.wrapper or value.name.lstrip(".")) if form is not None else None
        positional = [argument.value for argument in value.arguments if argument.name == ""]
        members: Iterable[str] = _POSITIONAL.get(name, ())
        if symbol is not None:
            members = [
                entry.key
                for entry in symbol.definition.members or ()
                if entry.key and not entry.key.startswith("_") and self._names.own_method(symbol, entry.key) is None
            ]
        for key, item in zip(members, positional):  # noqa: B905 -- as many as there are
            fields.setdefault(key, item)
        is_caught = bool(context.handlers)
        if symbol is not None and self._project.numbers.is_error_of(symbol, fields, is_caught=is_caught):
            return Form(FormKind.OBJECT, (name,), next(filter(None, map(self._message, fields.values())), ""))
        form = self._fields(fields, context)
        if form is not None:
            return form._replace(kind=FormKind.OBJECT, shape=(name,), neutral=False, keys=())
        if _MODEL_ERROR_CLASS.search(name) or (symbol is not None and _ERROR_CLASS.search(name)):
            return Form(FormKind.OBJECT, (name,), self._text_argument(value))
        lower = {key.lower(): item for key, item in fields.items()}
        if lower.keys() & (VALIDITY_KEYS | FRAME_KEYS):
            return None
        for key in ("id", "name", "type", "kind", "level", "code"):
            text = self._constant_text(lower[key], context) if key in lower else None
            if text in ("ERROR", "FAILED", "FAILURE"):
                return Form(FormKind.OBJECT, (name,))
        if not (lower.keys() & (SUCCESS_KEYS | STATUS_KEYS)):
            for item in positional:
                inner = self._text(item) if type(item) is Text else None
                if inner is not None and inner.kind is FormKind.TEXT and context.caught:
                    return Form(FormKind.OBJECT, (name,), inner.text)
        for key in (*_CARRYING, *_PARTS.get(name, ())):
            if key in fields:
                inner = self._value(fields[key], context.deeper())
                if inner is not None and inner.kind in (FormKind.PAYLOAD, FormKind.TEXT, FormKind.OBJECT):
                    return self._wrapped(inner, name)
        for item in positional:
            inner = self._value(item, context.deeper())
            if inner is not None and inner.kind is FormKind.PAYLOAD:
                return self._wrapped(inner, name)
        return None


def _in_our_words(value: Value) -> Value:
    """Return the text that is handed to what translates it, also where it begins another one; else the value itself."""
    if type(value) is Text and value.parts and not isinstance(first := value.parts[0], str):
        opening = _in_our_words(first)
        return Text((*opening.parts, *value.parts[1:])) if type(opening) is Text and opening is not first else value
    if type(value) is Call and value.name.rpartition(".")[2] in TRANSLATIONS and value.arguments:
        text = only(value.arguments[0].value)
        return text if type(text) is Text else value
    return value


def _is_text(value: Value) -> bool | None:
    """Whether a value is a text, ``None`` where that is not known."""
    value = only(value)
    if type(value) is Text:
        return True
    if type(value) is Variable or type(value) is Choice:
        found = {_is_text(item) for item in value.values}
        return False if False in found else True if found == {True} else None
    if type(value) is Call:
        return True if value.name == "str" or (value.name == ".join" and type(value.inner) is Text) else None
    return None if type(value) in (Opaque, Ref, Item) else False


def _is_of_others(value: Value) -> bool:
    """Whether a value comes from elsewhere as it is, so that a text of an error stands in for it."""
    return type(value) in (Call, Constant, Opaque)


def _is_filled_in(value: Value, others: Iterable[Value]) -> bool:
    """Whether an object may be another one of which fields are set on some path, and not one made for itself."""
    if type(value) is not Call or not value.name:
        return False
    made = [other for other in others if type(other) is Call and other.name == value.name]
    return any(item.is_stored for each in (value, *made) for item in each.arguments) if made else False


OPAQUE_TEXT = Text((Opaque(),))
"""Stands for a value that is there, whatever it is."""


def is_part_of(value: Value, name: str, place: int | None = None) -> bool:
    """Whether a value is what stands at a place of what a function answers (``None``: at any), also written as JSON."""
    value = only(value)
    if type(value) is not Call:
        return False
    if value.name == SUBSCRIPT:
        called = only(value.inner)
        is_it = type(called) is Call and called.name.rpartition(".")[2] == name
        return is_it and (place is None or value.arguments[0].value == Constant(place))
    last = value.name.rpartition(".")[2]
    if not value.arguments or not (last in _DUMPERS or _is_web_response(last)):
        return False
    return is_part_of(value.arguments[0].value, name, place)


def _is_web_response(name: str) -> bool:
    last = name.rpartition(".")[2]
    return last in _HTTP_RESPONSES or last.endswith(("JSONResponse", "HTTPResponse", "HTTPError"))


def _is_one_error(value: Value) -> bool:
    """Whether a list is written out with one error in it: a text, or a dict with one."""
    value = only(value)
    first = only(value.items[0]) if type(value) is Sequence and len(value.items) == 1 else None
    return type(first) is Text or (type(first) is Mapping and not MESSAGE_KEYS.isdisjoint(map(str.lower, keyed(first))))


def _is_printed(value: Value) -> bool:
    """Whether a value is what a command printed to its error stream."""
    value = only(value)
    while type(value) is Call and value.inner is not None:
        value = only(value.inner)
    if type(value) is Variable or type(value) is Choice:
        return any(map(_is_printed, value.values))
    name = value.name if type(value) is Ref or type(value) is Call else ""
    return "stderr" in name.split(".")


def _below_heading(text: str) -> str:
    """Return the paragraph that is all that a text says below its heading in Markdown, "" where there is none."""
    heading, _, rest = text.partition("\n")
    rest = rest.strip()
    return rest if heading.startswith("#") and "\n" not in rest else ""


def _is_false_on_a_way(fields: MappingView[str, Value], key: str) -> bool:
    """Whether a variable that says how a call went says that it failed on some ways, with the text of an exception.

    ``success, msg = True, ""``, then ``success, msg = False, str(e)`` in a handler: one return answers both.
    """
    value = fields[key]
    if type(value) is not Variable or len(value.values) < 2:
        return False
    said = [_how_it_went(item) for item in value.values]
    return None not in said and False in said and any(map(_tells_an_exception, map(fields.get, _of_texts(fields))))


def _how_it_went(value: Value) -> bool | None:
    """Return what a flag or a status that is written out says of a call, ``None`` for anything else."""
    if type(value) is Constant and isinstance(value.value, bool):
        return value.value
    text = constant_text(value)
    if text is None:
        return None
    return False if ERROR_STATUS.fullmatch(text) else True if SUCCESS_STATUS.fullmatch(text) else None


def _of_texts(fields: MappingView[str, Value]) -> list[str]:
    return [key for key in fields if key.lower() in MESSAGE_KEYS | ERROR_KEYS]


def _tells_an_exception(value: Value | None) -> bool:
    """Whether a variable may hold the text of an exception."""
    held = value.values if type(value) is Variable else ()
    parts = [part for item in held for part in (item.parts if type(item) is Text else (item,))]
    return any(not isinstance(part, str) and _is_called_like_one(part) for part in parts)


def _is_called_like_one(value: Value) -> bool:
    """Whether a value is called like an exception, or is the text of what is."""
    value = only(value)
    if type(value) is Call and value.name in ("str", "repr") and len(value.arguments) == 1:
        value = only(value.arguments[0].value)
    return type(value) is Ref and EXCEPTION_VARIABLE.fullmatch(value.name) is not None


def _is_of_record(fields: MappingView[str, Value], key: str) -> bool:
    """Whether a part comes out of the same record as others that say nothing of an error: it is a column of many.

    So it is where the status is read of the same object: ``{"status": run.status, "error": run.error}``.
    """
    source = _source(fields[key])
    if type(source) is Ref and any(
        _source(fields[name]) in (source, Ref(f"{source.name}.{name.lower()}"))
        for name in fields
        if name.lower() in STATUS_KEYS and type(only(fields[name])) is Ref
    ):
        return True
    said = ERROR_KEYS | ERROR_CODE_KEYS | MESSAGE_KEYS | SUCCESS_KEYS | FAILURE_KEYS | STATUS_KEYS
    return source is not None and any(
        _source(value) == source for name, value in fields.items() if name.lower() not in said
    )


def places_of(form: Form, found: Return) -> Iterator[Filled]:
    """Yield by which statements the dicts became errors that a name holds which is returned."""
    held = dicts_in(found.value) if form.parts and found.filled else None
    for index, value in enumerate(held.values if held is not None else ()):
        told = [key for part, shape in form.parts if part == value for key in shape]
        yield from (each for each in found.filled if each.index == index and not set(told).isdisjoint(each.keys))


def _is_of_items(form: Form, found: Return) -> bool:
    """Whether nothing but items of a loop make an error of a result, which goes on with the others."""
    places = list(places_of(form, found))
    return bool(places) and all(each.is_added for each in places)


def _is_error_of(value: Value) -> bool:
    """Whether a value is the error of another payload or of an object: ``result["error"]``, ``result.error``."""
    if type(value) is Item:
        return value.key.lower() in ERROR_KEYS
    return type(value) is Ref and "." in value.name and value.name.rpartition(".")[2].lower() in ERROR_KEYS


def _source(value: Value) -> Value | None:
    """Return what a value is a part of: ``row`` of ``row["path"]``, ``job`` of ``job.path``, also by ``getattr``."""
    value = only(value)
    if type(value) is Call and value.name == "getattr" and value.arguments:
        return only(value.arguments[0].value)
    if type(value) is Item:
        return value.base
    if type(value) is Ref and "." in value.name:
        return Ref(value.name.rpartition(".")[0])
    return None


def _hands_on(value: Value, name: str) -> bool:
    """Whether a value is what a parameter holds, or has it as a part."""
    if type(value) is Ref:
        return value.name == name
    if type(value) is Variable or type(value) is Choice:
        return any(_hands_on(item, name) for item in value.values)
    if type(value) is Mapping:
        return any(_hands_on(item, name) for item in (*(entry.value for entry in value.entries), *value.spreads))
    if type(value) is Sequence:
        return any(_hands_on(item, name) for item in value.items)
    if type(value) is Call:
        inner = value.inner is not None and _hands_on(value.inner, name)
        return inner or any(_hands_on(argument.value, name) for argument in value.arguments)
    return False


def _is_handed_on(found: Return, function: Function) -> bool:
    """Whether a function that is called for an error answers what it is given, as it does an error of its own behind.

    ``if isinstance(answer, dict): return answer``: what comes there is an error that says so already.
    """
    short = function.name.rpartition(".")[2]
    if type(found.value) is not Ref or found is function.returns[-1] or PROBE.search(short):
        return False
    asked = [item.name for item in own_parameters(function)]
    return asked[:1] == [found.value.name] and ERROR_TELLER.search(short) is not None


def _where_given(held: tuple[Value, ...], bindings: MappingView[str, Value]) -> tuple[Value, ...]:
    """Return what a name can hold for one call, where an error is stored only if the call gives one.

    ``if error: answer["error"] = error``: of two dicts the one that has it, or the one that lacks it.
    """
    if len(held) < 2:
        return held
    if len(held) == MAX_VALUES and type(held[-1]) is Opaque and all(type(item) is Mapping for item in held[:-1]):
        held = held[:-1]  # one dict with so many optional keys that the rest of its forms was not kept
    optional = dict.fromkeys(
        (entry.key, entry.value)
        for item in held
        if type(item) is Mapping
        for entry in item.entries
        if type(entry.value) is Ref and entry.value.name in bindings and (entry.key or "").lower() in ERROR_KEYS
    )
    for key, given in optional:
        assert type(given) is Ref
        is_there = is_given(bindings[given.name])
        having = tuple(item for item in held if type(item) is Mapping and DictEntry(key, given) in item.entries)
        lacking = tuple(item for item in held if type(item) is Mapping and key not in keyed(item))
        if is_there is not None and len(having) + len(lacking) == len(held):
            held = (having if is_there else lacking) or held
    return held


def substitute(value: Value, bindings: MappingView[str, Value]) -> Value:
    """Return a value with the parameters of a helper replaced by the arguments of a call."""
    if type(value) is Ref:
        return bindings.get(value.name, value)
    if type(value) is Variable:
        value = Variable(value.name, _where_given(value.values, bindings))
    value = with_inner_values(value, lambda item: substitute(item, bindings))
    first = value.parts[0] if type(value) is Text and value.parts else None
    return Text((*first.parts, *value.parts[1:])) if type(value) is Text and type(first) is Text else value
