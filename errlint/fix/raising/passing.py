"""Handlers that do what the boundary does anyway: they go, or let the exception pass; log calls that it makes too."""

from __future__ import annotations

import libcst as cst
from libcst.matchers import Comment, findall

from errlint.collect.expressions import dotted_name
from errlint.collect.flow import exception_names
from errlint.fix.forms.answers import Answer
from errlint.fix.forms.effects import is_plain
from errlint.fix.forms.payload import Payload
from errlint.fix.parsed import SCOPES, Parsed
from errlint.fix.raising.exceptions import mapped_to
from errlint.fix.raising.logcalls import log_call
from errlint.fix.rewrite import Changes, Replacement
from errlint.fix.users.exits import Exit, differences, missed
from errlint.fix.users.reach import Reach
from errlint.project import Project
from errlint.project.domain import matches
from errlint.project.names import ClassSymbol, ExternalSymbol


def passing(
    project: Project, parsed: Parsed, scope: str, answer: Answer, payload: Payload, found: Reach
) -> Changes | None:
    """Return the changes that let an exception pass a handler which only answers its text, as the boundary does.

    ``None`` where the handler does anything else, or where it is not certain that the boundary answers the same.
    """
    handler = parsed.handler(answer.at)
    if handler is None or not isinstance(answer.at, cst.Return) or answer.guard is not None or answer.removed:
        return None
    line = next((parent for parent, _ in parsed.around(answer.at)), None)
    body = handler.body
    is_all = isinstance(body, cst.IndentedBlock) and body.body[-1] is line and isinstance(line, cst.SimpleStatementLine)
    if not is_all or len(line.body) != 1 or findall(handler, Comment()):  # type: ignore[union-attr]
        return None
    if len(body.body) - 1 > len(logs(parsed, answer, found)):
        return None
    if payload.codes or payload.others or not _is_own_text(payload.message, handler):
        return None
    if any(difference for exit_ in found.exits for difference in differences(exit_, payload)):
        return None
    names = exception_names(handler.type) or ("?",)
    if not all(_is_answered(project, parsed, scope, name, found.exits) for name in names):
        return None
    if any(_is_tried(frame.parsed, frame.node) for frame in found.frames):
        return None
    parent = next(parent for parent, _ in parsed.around(handler))
    if not isinstance(parent, cst.Try) or _is_tried(parsed, parent):
        return None
    if parent.handlers[-1] is not handler:
        return Changes(passed=((handler,),))
    return Changes(dropped=((parent, handler),)) if _is_legal(parent) else None


def logs(parsed: Parsed, answer: Answer, found: Reach) -> tuple[Replacement, ...]:
    """Return the removal of the log calls directly before an answer, where every boundary logs what it answers."""
    handler = parsed.handler(answer.at)
    if handler is None or not found.exits or not all(exit_.boundary.logs for exit_ in found.exits):
        return ()
    gone: list[Replacement] = []
    statements = handler.body.body
    line = next((item for item in statements if item is answer.at or answer.at in getattr(item, "body", ())), None)
    if line is None:
        return ()
    before = list(statements[: next(index for index, item in enumerate(statements) if item is line)])
    while before and isinstance(last := before.pop(), cst.SimpleStatementLine):
        call = last if last in answer.removed else None
        logged = log_call(last)
        if call is not None:
            continue
        if logged is None or not all(_is_quiet(argument.value) for argument in logged.args):
            break
        gone.append(Replacement(last, ""))
    return tuple(gone)


def _is_quiet(value: cst.BaseExpression) -> bool:
    return is_plain(value) or bool(dotted_name(value))


def _is_own_text(message: cst.BaseExpression, handler: cst.ExceptHandler) -> bool:
    """Whether a message is the text of what a handler caught, and nothing else."""
    name = handler.name.name.value if handler.name is not None and isinstance(handler.name.name, cst.Name) else ""
    shown: cst.BaseExpression | None = None
    if isinstance(message, cst.FormattedString) and len(message.parts) == 1:
        part = message.parts[0]
        if isinstance(part, cst.FormattedStringExpression) and part.format_spec is None and not part.conversion:
            shown = part.expression
    elif isinstance(message, cst.Call) and dotted_name(message.func) == "str" and len(message.args) == 1:
        shown = message.args[0].value
    return shown is not None and dotted_name(shown) == name != ""


def _is_answered(project: Project, parsed: Parsed, scope: str, name: str, exits: tuple[Exit, ...]) -> bool:
    """Whether the boundaries answer a class with its text: the policy says so, or it is a domain exception."""
    symbol = project.names.resolve(parsed.path, name, scope)
    raised = symbol if isinstance(symbol, (ClassSymbol, ExternalSymbol)) else None
    if raised is not None and any(doubt for exit_ in exits for doubt in missed(project, exit_, raised)):
        return False
    exceptions = project.policy(parsed.path).exceptions
    last = name.rpartition(".")[2]
    if "propagate" in (mapped_to(last, exceptions.map), exceptions.map.get(last)):
        return True
    if not isinstance(symbol, ClassSymbol) or not exceptions.root:
        return False
    return any(matches(project.domain.absolute(base), exceptions.root) for base in project.domain.bases(symbol))


def _is_tried(parsed: Parsed, node: cst.CSTNode) -> bool:
    """Whether a ``try`` of its function is around a node."""
    for parent, _ in parsed.around(node):
        if isinstance(parent, SCOPES):
            return False
        if isinstance(parent, (cst.Try, cst.TryStar)):
            return True
    return False


def _is_legal(node: cst.Try) -> bool:
    """Whether a ``try`` is one without its last handler, or can be taken apart without losing a comment."""
    if len(node.handlers) > 1:
        return True
    if node.finalbody is not None:
        return node.orelse is None
    blocks = [node.body, *([node.orelse.body] if node.orelse is not None else [])]
    remarks = [*(node.orelse.leading_lines if node.orelse is not None else ())]
    for block in blocks:
        if not isinstance(block, cst.IndentedBlock) or block.header.comment is not None:
            return False
        remarks.extend(block.footer)
    return not any(line.comment is not None for line in remarks) and not _is_empty(node.body)


def _is_empty(body: cst.BaseSuite) -> bool:
    last = body.body[-1]
    return isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], cst.Pass)
