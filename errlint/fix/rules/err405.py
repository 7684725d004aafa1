"""ERR405: a log call gets the fields that the policy asks for, from the record that is built beside it."""

from __future__ import annotations

import libcst as cst

from errlint.error_keywords import LOG_LEVELS
from errlint.findings import Finding
from errlint.fix.bindings import assignment
from errlint.fix.model import Doubt, refuse
from errlint.fix.nodes import convert, dotted_name
from errlint.fix.rewrite import Changes, Edit, called
from errlint.fix.rules.node_lookup import Fixed, below, quoted, statement, with_argument, with_entries
from errlint.fix.rules.recovering import NOTHING
from errlint.fix.rules.reported import Filling, beside, entry, record_in, spelled
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SourceFile
from errlint.project import Project
from errlint.project.logs import NO_FIELDS, logged
from errlint.settings import Policy

_EXTRA = "extra"


def plan(project: Project, files: Files, finding: Finding) -> Fixed:
    """Return the fix of one finding: the missing fields, as the logger takes them."""
    policy = project.policy(finding.path)
    log = next((item for item in logged(project, finding.path) if item.called.span == finding.span), None)
    if log is None:
        raise refuse("nothing is logged here yet: add a log call")
    parsed = files.parse(finding.path)
    node = statement(parsed, finding.span)
    calls = [item for item in below(node) if isinstance(item, cst.Call) and _method(item) == log.method]
    if len(calls) != 1:
        raise refuse("its log call was not found")
    (call,) = calls
    record = next((found for each in beside(parsed, node) if (found := record_in(each, policy)) is not None), None)
    function, key = log.function, policy.payload.key

    def is_error(value: cst.BaseExpression) -> bool:
        held = (entry(item, key) for item in below(value) if key and isinstance(item, cst.Dict))
        if any(item is not None and parsed.code(item) not in NOTHING for item in held):
            return True
        items = [item.value for item in value.elements] if isinstance(value, cst.List) else [value]
        return len(items) == 1 and project.classifier.form(parsed.path, function, convert(items[0]), ()) is not None

    filling = Filling(project, parsed, node, record, _message(parsed, node, call), is_error)
    if not filling.is_settled:
        raise refuse("type, severity and recovery of the record beside it do not go together (ERR301, ERR309)")
    given: dict[str, str] = {}
    for name in policy.logs.fields:
        if name not in log.fields:
            field = policy.payload.type_field if name in policy.codes.arguments else name
            said = entry(record, field) if record is not None and field else None
            operation = project.operations.of_boundary(finding.path, log.function)
            text = spelled(parsed, node, said) if said is not None else ""
            if not text and name == "operation" and operation is not None:
                text = quoted(parsed, operation.name)
            given[name] = text or filling.value(field or name)
    _refuse_milder_recovery(policy, log.method, (given.get(policy.payload.recovery_field) or "").strip("\"'"))
    told = ", ".join(f"`{name}`" for name in given)
    doubt = Doubt(f"the log call gets {told}: look whether that is what is meant", finding.path, finding.span.line)
    edit = Edit(call, _laid_out(parsed, call, _with_fields(parsed, call, given)))
    return Fixed({finding.path: Changes(edited=(edit,), imports=filling.imports, caught=filling.caught)}, (doubt,))


def _refuse_milder_recovery(policy: Policy, method: str, recovery: str) -> None:
    """Refuse to say that work goes on after an error whose log method is only for those that stop it."""
    taxonomy, logs = policy.taxonomy, policy.logs
    legal = [taxonomy.recoveries.get(name, ()) for name, methods in logs.methods.items() if method in methods]
    stops = {name for names in legal for name in names}
    if recovery and stops and recovery not in stops and stops <= {*taxonomy.stops}:
        named = " or ".join(f"`{name}`" for name in sorted(stops))
        raise refuse(f"`{method}` goes with {named}, and what is done next is `{recovery}`")


def _message(parsed: SourceFile, node: cst.CSTNode, call: cst.Call) -> cst.BaseExpression | None:
    """Return what a log call says, also by way of a variable that is given it before in the same block."""
    said = next((item.value for item in call.args if item.keyword is None and not item.star), None)
    if not isinstance(said, cst.Name):
        return said
    before = map(assignment, reversed(parsed.before(node)))
    given = (made[1] for made in before if made is not None and made[0] == said.value)
    return next(given, said)


def _method(call: cst.Call) -> str:
    return call.func.attr.value if isinstance(call.func, cst.Attribute) else ""


def _with_fields(parsed: SourceFile, call: cst.Call, given: dict[str, str]) -> str:
    """Return the text of a log call with more fields: entries of ``extra``, or arguments of a structured logger."""
    extra = next((item for item in call.args if item.keyword is not None and item.keyword.value == _EXTRA), None)
    if extra is not None:
        if not isinstance(extra.value, cst.Dict):
            raise refuse("`extra` is no dict that is written out")
        fuller = with_entries(parsed, extra.value, given)
        args = [item.with_changes(value=fuller) if item is extra else item for item in call.args]
        return parsed.code(call.with_changes(args=args))
    if _is_structured(parsed, call):
        for name, text in given.items():
            changed_call = cst.parse_expression(with_argument(parsed, call, name, text))
            call = cst.ensure_type(changed_call, cst.Call)
        return parsed.code(call)
    entries = ", ".join(f"{quoted(parsed, name)}: {text}" for name, text in given.items())
    return with_argument(parsed, call, _EXTRA, "{" + entries + "}")


def _laid_out(parsed: SourceFile, before: cst.Call, text: str) -> str:
    """Return a call as formatters break it, where it stood on one line and is too long for that now."""
    after = cst.ensure_type(cst.parse_expression(text), cst.Call)
    arguments = [parsed.item(item) for item in after.args]
    if "\n" in text:
        return text
    return called(parsed, parsed.code(before.func), arguments, parsed.column(before))


def _is_structured(parsed: SourceFile, call: cst.Call) -> bool:
    """Whether a logger takes fields as arguments.

    The other calls of the file say so, or where the logger comes from. Raises :class:`errlint.fix.model.Refusal`
    where nothing does.
    """
    held = call.func.value if isinstance(call.func, cst.Attribute) else call.func
    logger = dotted_name(held)
    for other in parsed.nodes(cst.Call):
        if isinstance(other.func, cst.Attribute) and other.func.attr.value in LOG_LEVELS:
            names = {item.keyword.value for item in other.args if item.keyword is not None}
            is_same = dotted_name(other.func.value) == logger != ""
            if is_same and names and not names <= NO_FIELDS:
                return True
            if is_same and _EXTRA in names:
                return False
    makers = {dotted_name(held.func)} if isinstance(held, cst.Call) else set()
    makers |= {
        dotted_name(item.value.func)
        for item in parsed.nodes(cst.Assign)
        if isinstance(item.value, cst.Call) and any(dotted_name(each.target) == logger != "" for each in item.targets)
    }
    lasts = {name.rpartition(".")[2] for name in makers} or {logger}
    if lasts & {"getLogger", "logging"}:
        return False
    if any(name.startswith("structlog.") for name in makers):
        return True
    raise refuse(
        f"nothing says how `{logger or parsed.code(held)}` takes fields: no other call of it in this file has some"
    )
