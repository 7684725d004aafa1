"""Which rules run: selectors (full codes, names of rules, prefixes, ``ALL``) resolved to full codes.

A more specific selector wins over a less specific one wherever they stand: ``ALL``, then ``ERR``, ``ERR1``,
``ERR10``, then the full code. Among equals, ignoring wins over selecting.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from errlint.rules import FATAL_RULES, RULES, code_of

_ALL = "ALL"
_FAMILY = "ERR"
DEFAULT_RULES = frozenset(code for code, rule in RULES.items() if rule.default)


class UnknownSelectorError(Exception):
    """No rule is meant by a selector; ``hint`` says which one may be."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Selection(msgspec.Struct, frozen=True):
    """The selectors of one layer: of the configuration or of the command line. ``select`` None: not given."""

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()


def configured_rules(start: frozenset[str], configured: Selection) -> frozenset[str]:
    """Return the codes that a configuration selects, of which ``start`` run where it says nothing."""
    return _apply(start if configured.select is None else frozenset[str](), (configured,))


def select_rules(configured: frozenset[str], ignore: tuple[str, ...], asked: Selection) -> frozenset[str]:
    """Return the codes that run: the ``configured`` ones, changed by the command line.

    ``select`` on the command line starts over from nothing but ERR905, without which a rule that looks for a name
    that is not there would pass for clean; of the configuration it keeps the ``ignore`` list, which gives way to its
    own selectors where they are equally specific. All selectors must be known.
    """
    if asked.select is not None:
        return _apply(configured & {"ERR905"}, (Selection((), ignore), asked)) | FATAL_RULES
    return _apply(configured, (asked,)) | FATAL_RULES


def _apply(start: frozenset[str], layers: tuple[Selection, ...]) -> frozenset[str]:
    """Return the rules of ``start``, changed by the selectors of all layers, the least specific first."""
    steps: list[tuple[int, bool, str]] = []
    for layer in layers:
        steps += [(specificity(selector), True, selector) for selector in (*(layer.select or ()), *layer.extend_select)]
        steps += [(specificity(selector), False, selector) for selector in layer.ignore]
    chosen = set(start)
    for _, wanted, selector in sorted(steps, key=lambda step: step[0]):
        if wanted:
            chosen |= expand(selector)
        else:
            chosen -= matching(selector)
    return frozenset(chosen)


def specificity(selector: str) -> int:
    """Return a number that is higher for a selector that says more exactly which rules it is about."""
    return 0 if selector == _ALL else len(code_of(selector))


def expand(selector: str) -> frozenset[str]:
    """Return the codes that selecting ``selector`` turns on; of a prefix only those that are on by default.

    Raises :class:`UnknownSelectorError` where no rule is meant.
    """
    codes = matching(selector)
    return codes if selector == _ALL or code_of(selector) in RULES else codes & DEFAULT_RULES


def matching(selector: str) -> frozenset[str]:
    """Return all codes that ``selector`` covers: what is ignored, or given a severity, is every one of them.

    Raises :class:`UnknownSelectorError` where no rule is meant.
    """
    code = code_of(selector)
    if code in RULES:
        return frozenset({code})
    if selector == _ALL:
        return frozenset(RULES)
    if selector.startswith(_FAMILY):
        codes = frozenset(code for code in RULES if code.startswith(selector))
        if codes:
            return codes
    raise UnknownSelectorError(f"unknown rule `{selector}`", _hint(selector))


def is_known(selector: str) -> bool:
    """Return whether a selector means a rule."""
    try:
        return bool(matching(selector))
    except UnknownSelectorError:
        return False


def check_ignored(selector: str) -> None:
    """Raise :class:`UnknownSelectorError` for a selector that cannot be ignored: unknown, or always on."""
    matching(selector)
    if code_of(selector) in FATAL_RULES:
        raise UnknownSelectorError(
            f"`{selector}` cannot be ignored", "exclude the file, if it is not meant to be checked"
        )


def ignorable(selectors: Iterable[str]) -> frozenset[str]:
    """Return the codes that a list of ignored selectors covers, without those always on."""
    return frozenset[str]().union(*map(matching, selectors)) - FATAL_RULES


def _hint(selector: str) -> str:
    """Return what was perhaps meant: another spelling, the code of a name, or how to list the rules."""
    from errlint.suggest import did_you_mean, did_you_mean_code

    named = re.sub(r"[\s_-]+", "-", selector.strip().casefold())
    for code, rule in RULES.items():
        if named in {rule.name, code.casefold()}:
            return f"did you mean `{code}`?"
    spelt = "".join(filter(str.isalnum, selector)).upper()
    if spelt != selector and (spelt in RULES or any(code.startswith(spelt) for code in RULES if len(spelt) > 2)):
        return f"did you mean `{spelt}`?"
    prefixes = {code[: len(selector)] for code in RULES if len(selector) > len(_FAMILY)}
    names = {rule.name for rule in RULES.values()}
    near = did_you_mean_code(selector, {*RULES, *prefixes}) or did_you_mean(selector, names)
    return near or "`errlint rule --all` lists the rules"
