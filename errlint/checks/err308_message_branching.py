"""ERR308: control flow decides on an error's text instead of its code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from errlint.facts import Branch, Function
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.escape import is_domain
from errlint.project.names import ClassSymbol, ExternalSymbol
from errlint.rules import RULES
from errlint.settings import Policy

_CODED = {"botocore.exceptions.ClientError": '`response["Error"]["Code"]`'}
"""Foreign exceptions that have a code, and where it is."""

_CODE = re.compile(r"[A-Z][a-z]+(?:[A-Z][a-z]+)+")
"""What a code of such an exception looks like; other texts may tell what no code does."""


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the conditions of one file on the text of an exception that has a code or a class to decide on."""
    if project.layout.distribution(path) not in project.adapter_distributions and not project.is_governed(path):
        return
    policy = project.policy(path)
    for function in project.modules[path].functions:
        for found in function.branches:
            codes = [_code(project, path, function, found, name, policy) for name in found.types]
            if codes and all(codes) and not _is_prefixed(found, policy):
                yield Finding(
                    path,
                    found.span,
                    "ERR308",
                    RULES["ERR308"].severity,
                    f'decides on the text of `{found.types[0].rpartition(".")[2]}` ("{found.texts[0]}"), which may '
                    f"change; decide on {codes[0]}",
                    function.name,
                )


def _code(project: Project, path: str, function: Function, found: Branch, name: str, policy: Policy) -> str:
    """Say what to decide on where an exception has something better than its text, "" where it may have nothing."""
    symbol = project.names.resolve(path, name, function.name)
    if isinstance(symbol, ExternalSymbol):
        if symbol.name in _CODED:
            return _CODED[symbol.name] if all(map(_CODE.fullmatch, found.texts)) else ""
        if policy.codes.classifiers and "." in symbol.name and not symbol.name.startswith("builtins."):
            return f"what `{policy.codes.classifiers[0].strip('*.')}` says"
        known = bool(policy.exceptions.root) and is_domain(project, symbol, policy)
        return "its code" if known and (policy.codes.registry or policy.codes.vocabulary) else ""
    if not isinstance(symbol, ClassSymbol) or not is_domain(project, symbol, policy):
        return ""
    return "its code" if policy.codes.registry or policy.codes.vocabulary else "its class or a code"


def _is_prefixed(found: Branch, policy: Policy) -> bool:
    """Whether a condition looks for the code with which the policy lets a message begin."""
    if not policy.codes.prefix:
        return False
    pattern = re.escape(policy.codes.prefix.strip()).replace(r"\{code\}", r"[\w-]+")
    return all(re.match(pattern, text) for text in found.texts)
