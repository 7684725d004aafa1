"""The proposal: evidence as sections of a configuration, each below what it rests on.

What the code shows is proposed as it stands; what is near to it, or for a team to say, as a comment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from errlint.baseline.entries import NAME
from errlint.characters import toml_key, toml_string
from errlint.init import shapes
from errlint.init.boundaries import Answer, Candidate, Clause, Kind, is_of_framework
from errlint.init.evidence import Evidence, Part
from errlint.init.exceptions import Family
from errlint.init.nearest import OwnType
from errlint.init.shapes import RULE_OF
from errlint.init.statements import About, counted, listed
from errlint.project.frameworks import above
from errlint.project.interceptions import Reaction
from errlint.rules import RULES
from errlint.settings.extension import Section

_IS_ERROR = '"is-error"'

RAISE = '"raise"'
"""The style that holds where no other one is asked for."""

_MOST = 5
"""How many things of one kind are told of; the others are counted."""


def propose(evidence: Evidence) -> tuple[Section, ...]:
    """Return the sections of a configuration in the order in which they are written; the outermost keys come first.

    What is of one of several distributions holds for the files of that one, below ``overrides``.
    """
    is_followed = evidence.fit is not None and evidence.fit.is_followed
    if len(evidence.parts) > 1:
        folders = [part.folder for part in evidence.parts if part.folder]
        rest = tuple(filter(None, (_override(part, folders, is_followed) for part in evidence.parts)))
        return (_outermost(evidence, (), is_bounded=False), *_catalog(evidence), *rest)
    (part,) = evidence.parts
    own = _sections(part, is_followed)
    if not evidence.clients:  # a library: what its callers are told is not for a server to say
        own = tuple(section._replace(is_active=False) for section in own)
    is_bounded = any(item.is_active and item.table == "boundary" for item in own)
    style = () if is_followed else _style(part)
    return (_outermost(evidence, style, is_bounded=is_bounded), *own, *_catalog(evidence), *_adapters(evidence))


def _sections(part: Part, is_followed: bool) -> tuple[Section, ...]:
    """Return what is proposed of a distribution, but for its style."""
    boundaries = [*_boundaries(part)]
    exceptions = _exceptions(part, boundaries, is_followed)
    response = () if is_followed else _response(part)
    return (*boundaries, *exceptions, *response, *_codes(part))


def _override(part: Part, folders: list[str], is_followed: bool) -> Section | None:
    """Return what holds for the files of one of several distributions, ``None`` where nothing does.

    ``folders`` are those of the others, which are in the one at the root.
    """
    paths = [f"{part.folder}/**"] if part.folder else ["*.py", *(f"!{folder}/**" for folder in folders)]
    keys = [("paths", _list(paths))]
    why: list[str] = []
    style = () if is_followed else _style(part)
    for text, added in style:
        why.append(text)
        keys.append(added)
    tables: dict[str, list[str]] = {}
    for section in _sections(part, is_followed):
        if section.is_active and section.keys:
            why += section.why
            inline = ", ".join(f"{key} = {value}" for key, value in section.keys)
            tables.setdefault(section.table, []).append(f"{{ {inline} }}")
    keys += [(name, f"[{', '.join(each)}]" if name == "boundary" else each[0]) for name, each in tables.items()]
    return Section("overrides", tuple(why), tuple(keys), is_array=True) if len(keys) > 1 else None


# --- the outermost keys ---------------------------------------------------------------------------------------------


_Style = tuple[tuple[str, tuple[str, str]], ...]
"""A reason, and the key with its value."""


def _style(part: Part) -> _Style:
    """Return the style of a distribution that answers nearly all errors as objects of one class, nothing for others."""
    own = part.own_type
    if own is None or not own.is_agreed:
        return ()
    return ((f"{_answers_of(part, own)}: that is the shape to keep to.", ("style", '"return"')),)


def _answers_of(part: Part, own: OwnType) -> str:
    return f"{own.number:,} of {counted(part.answers, 'error answer')} are of `{own.name}` ({own.place})"


def _outermost(evidence: Evidence, style: _Style, *, is_bounded: bool) -> Section:
    why = [*_clients(evidence)]
    if evidence.answers:
        kinds = next(item for item in evidence.statements if item.about is About.ERRORS and "shapes" in item.details)
        why.append(f"{_sentence(kinds.text)} The first is in {kinds.places[0]}.")
        why += _unreported(evidence)
    why += [_sentence(item.text) for item in evidence.statements if item.about is About.CONVENTIONS and evidence.fit]
    fit = evidence.fit
    if fit is not None and fit.is_followed:
        return Section("", tuple(why), (("convention", toml_string(fit.name)),))
    if fit is not None:
        why.append(
            f'It is not what the code does today: convention = "{fit.name}" in place of the next key asks for it.'
        )
    if style:
        return Section("", (*why, *(text for text, _ in style)), tuple(key for _, key in style))
    if evidence.clients and not is_bounded:
        why += _framework(evidence)
    for part in evidence.parts:
        if part.own_type is not None:
            why.append(f'{_answers_of(part, part.own_type)}; style = "return" and the table below keep to that shape.')
    if evidence.answers:
        why.append(f'Once `errlint baseline write` has listed what there is: baseline = "{NAME}"')
    return Section("", tuple(why), (("style", RAISE),))


def _unreported(evidence: Evidence) -> Iterator[str]:
    """Yield by which rules those error answers are reported that the default ones leave alone."""
    off = {
        rule: sum(item.number for item in evidence.shapes if RULE_OF[item.kind] == rule)
        for rule in sorted(shapes.RULES)
    }
    off = {rule: number for rule, number in off.items() if number and not RULES[rule].default}
    if off:
        codes = ", ".join(f'"{rule}"' for rule in off)
        number = sum(off.values())
        yield f"{number:,} of these {'is' if number == 1 else 'are'} only reported with extend-select = [{codes}]."


def _clients(evidence: Evidence) -> Iterator[str]:
    for item in [item for item in evidence.statements if item.about is About.ADAPTERS][:_MOST]:
        first = f" The first is in {item.places[0]}." if item.places else ""
        yield _sentence(item.text) + first


def _framework(evidence: Evidence) -> Iterator[str]:
    names = evidence.frameworks
    if evidence.has_agents:
        yield (
            "Tools of LangChain end their agent with what they raise, so `errlint --fix` refuses them unless "
            "`handle_tool_error`, `handle_tool_errors` or a middleware answers that."
        )
    if evidence.unanswered:
        of = " and ".join(evidence.unanswered)
        yield f"What answers exceptions {of} is not known, so `errlint --fix` refuses them."
    if any(item.how.startswith("routes of Django") for item in evidence.adapters):
        yield (
            "`errlint --fix` leaves routes of Django as they are: it answers no exception with a text and a status of "
            "its own, so that an error answer needs a `status` of 400 or more."
        )
    if not names:
        yield "Errors are to be raised, and to be answered by what calls these adapters: no known framework does."
        return
    answered = "answers what is raised as an error, and clients can tell it from a result."
    yield f"Errors are to be raised: the framework ({listed([*names])}) {answered}"
    yield "`errlint --diff --unsafe-fixes` shows which error answers become such raises, and why others do not."


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


# --- boundaries -----------------------------------------------------------------------------------------------------


def _boundaries(part: Part) -> Iterator[Section]:
    """Yield what catches every exception of adapters: active where it is around most of these as they are."""
    for candidate in part.boundaries:
        broad = candidate.broad
        here = [number for folder, number in candidate.coverage.items() if folder == part.folder or not part.folder]
        if broad is not None and here:
            yield _boundary(candidate, broad, sum(covered for covered, _ in here), sum(number for _, number in here))


def _boundary(candidate: Candidate, broad: Clause, covered: int, coverable: int) -> Section:
    answers = tuple(answer for answer in broad.answers if answer.how is not Reaction.AGAIN)
    why = [
        f"`{candidate.name}` ({candidate.place}) is around {covered:,} of {counted(coverable, 'adapter')}.",
        f"It catches every exception in {broad.place} and {_done(answers)}.",
    ]
    is_decorator = candidate.kind is Kind.DECORATOR
    keys = [("decorator", toml_string(candidate.name)) if is_decorator else ("middleware", _list([candidate.name]))]
    converters = tuple(dict.fromkeys(answer.converter for answer in answers if answer.converter))
    if converters:
        keys.append(("converters", _list(converters)))
    envelope = _envelope(answers)
    if envelope:
        keys.append(("envelope", envelope))
    if candidate.operation:
        keys.append(("operation", toml_string(candidate.operation)))
    spread = next((answer.spread for answer in answers if answer.spread), "")
    if spread:
        keys.append(("empty-result", toml_string(spread)))
    if candidate.logs:
        keys.append(("logs", "true"))
    is_active = bool(envelope) and 4 * covered >= 3 * coverable
    if not envelope and any(
        answer.text.startswith(("a text", "the text")) or "of the text" in answer.text for answer in answers
    ):
        why.append(
            "Clients take such a text for a result: let it raise an error of the framework, then take the # away."
        )
    elif not envelope:
        why.append("What it answers has no keys that can be told: add `envelope`, then take the # away.")
    elif not is_active:
        why.append("It is not around most of them: take the # away where it is to be around all.")
    return Section("boundary", tuple(why), tuple(keys), is_active, is_array=True)


def _done(answers: tuple[Answer, ...]) -> str:
    parts = [f"{answer.how.value} {answer.text} in {answer.place}" for answer in answers]
    return " or ".join(parts) if parts else "goes on"


def _envelope(answers: tuple[Answer, ...]) -> str:
    """Return what clients get as the value of ``envelope``, "" where that cannot be told."""
    if answers and all(answer.how is Reaction.RAISES and is_of_framework(answer) for answer in answers):
        return _IS_ERROR
    found = [answer.keys for answer in answers]
    if not found or any(set(keys) != set(found[0]) for keys in found) or not found[0]:
        return ""
    filled = (f"{toml_key(key)} = {toml_string(value)}" for key, value in found[0].items())
    return f"{{ {', '.join(filled)} }}"


# --- exceptions, responses, codes -----------------------------------------------------------------------------------


def _exceptions(part: Part, boundaries: list[Section], is_followed: bool) -> Iterator[Section]:
    """Yield the one family of exceptions that is raised for clients; what is only near to one, as a comment."""
    if part.own_type is not None and part.own_type.is_agreed:
        return
    families = [item for item in part.raised.families if item.heirs]
    main = max(families, key=lambda item: (item.reaching, item.raises, item.heirs), default=None)
    others = part.raised.reaching - (main.reaching if main is not None else 0)
    is_main = main is not None and main.reaching >= others
    if main is not None and not part.raised.reaching:
        is_main = 2 * main.raises >= sum(item.raises for item in part.raised.families)
    asked = _of_framework(part, boundaries)
    if asked and not is_main and not is_followed:
        name = asked.rpartition(".")[2]
        why = f"The boundary raises `{name}` itself: fixes are to raise it too, where no other exception fits."
        yield Section("exceptions", (why,), (("default", toml_string(asked)),))
    if main is None or (asked and not is_main):
        return
    why_not = [_raised(item) for item in families[:_MOST]]
    if len(families) > _MOST:
        why_not.append(f"{counted(len(families) - _MOST, 'more family', 'more families')}.")
    if is_followed:
        why_not.append("The convention names its exceptions; to have these instead:")
    elif not is_main and not others:
        why_not.append("No raise below an adapter is seen, and most raises are of other exceptions.")
    elif not is_main:
        raises = "1 raise below adapters is" if others == 1 else f"{others:,} raises below adapters are"
        why_not.append(f"{raises} of other exceptions: what tools raise is for you to say.")
    elif len(families) > 1:
        is_main = all(main.reaching > item.reaching for item in families if item is not main)
        if not is_main:
            why_not.append("Which of these are raised for clients, and which by default, is for you to say.")
    yield Section("exceptions", tuple(why_not), tuple(_of_family(main)), is_main and not is_followed)


def _raised(family: Family) -> str:
    what = f"`{family.name}` ({family.place}) and the {counted(family.heirs, 'exception')} below it"
    if not family.raises:
        return f"{what}: in no raise."
    below = f"at least {family.reaching:,} of them" if family.reaching else "none of them seen"
    return f"{what}: in {counted(family.raises, 'raise')}, {below} below adapters."


def _of_framework(part: Part, boundaries: list[Section]) -> str:
    """Return the class of a framework that the proposed boundary raises, "" for none."""
    if not any(item.is_active and ("envelope", _IS_ERROR) in item.keys for item in boundaries):
        return ""
    errors = (answer.error for item in part.boundaries if item.broad for answer in item.broad.answers)
    return next((error for error in errors if above(error)), "")


def _of_family(family: Family) -> Iterator[tuple[str, str]]:
    yield "root", _list((family.name,))
    yield "default", toml_string(family.name)
    if family.cause:
        yield "cause", toml_string(family.cause)


def _response(part: Part) -> tuple[Section, ...]:
    own = part.own_type
    if own is None:
        return ()
    why = () if own.is_agreed else ('Only with style = "return".',)
    return (Section("response", why, (("types", _list((own.name,))),), own.is_agreed),)


def _codes(part: Part) -> tuple[Section, ...]:
    if not part.registries:
        return ()
    why = [f"{item.name}: {counted(item.codes, 'code')} ({item.place})." for item in part.registries[:_MOST]]
    first = part.registries[0]
    if not first.uses:
        why.append("No use of a code is seen in its distribution.")
    elif not first.is_kept_to:
        why.append(f"Only {first.known:,} of {counted(first.uses, 'use')} of codes are of registered ones.")
    keys = (("registry", _list(item.name for item in part.registries)),)
    return (Section("codes", tuple(why), keys, first.is_kept_to),)


def _catalog(evidence: Evidence) -> tuple[Section, ...]:
    if not evidence.catalogs:
        return ()
    why = tuple(f"{item.name} mentions {item.codes} of the codes." for item in evidence.catalogs[:_MOST])
    return (Section("catalog", why, (("files", _list(item.name for item in evidence.catalogs)),)),)


def _adapters(evidence: Evidence) -> Iterator[Section]:
    """Yield how adapters are named where none was found, although errors are answered."""
    if not evidence.clients and evidence.unclaimed:
        returns = "1 return looks" if evidence.unclaimed == 1 else f"{evidence.unclaimed:,} returns look"
        why = [f"{returns} like an error answer, and nothing that clients call was found. What makes a function one:"]
        near = _decorators(evidence)
        why.extend(f"`{item.name}` ({item.place}) is on {item.functions:,} functions." for item in near)
        keys = [("decorators", _list(item.name for item in near) if near else '["*.endpoint"]')]
        if not near:
            keys.append(("paths", '["src/pkg/handlers/**"]'))
        yield Section("adapters", tuple(why), tuple(keys), is_active=False)


def _decorators(evidence: Evidence) -> list[Candidate]:
    """Return the decorators that answer exceptions of several functions: the project may serve what is below them."""
    found = {item.name: item for part in evidence.parts for item in part.boundaries if item.kind is Kind.DECORATOR}
    several = [item for item in found.values() if item.broad is not None and item.functions > 1]
    return sorted(several, key=lambda item: -item.functions)[:_MOST]


def _list(items: Iterable[str]) -> str:
    return f"[{', '.join(map(toml_string, items))}]"
