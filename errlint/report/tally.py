"""``--statistics`` on a terminal: how often each rule was broken, and where most of it is."""

from __future__ import annotations

from collections import Counter

from rich import box
from rich.table import Table
from rich.text import Text

from errlint.characters import printable
from errlint.findings import Finding
from errlint.report import Report
from errlint.report.grouped import SEVERITY
from errlint.report.paper import Paper
from errlint.rules import RULES
from errlint.terminal import Terminal

MOST = 5
"""So many functions and factories are listed."""


def tally(report: Report, terminal: Terminal) -> str:
    """Return a table by rule, most findings first, then the worst functions and the most used factories."""
    if not report.findings:
        return ""
    paper = Paper(terminal)
    paper.add(_by_rule(paper, report))
    functions = Counter(f"{each.function}  {report.shown(each.path)}" for each in report.findings if each.function)
    _listed(paper, "Functions with most findings", functions)
    _listed(
        paper, "Factories with most uses", Counter(filter(None, (_factory(report, each) for each in report.findings)))
    )
    paper.line(Text())
    return paper.text()


def _by_rule(paper: Paper, report: Report) -> Table:
    table = Table(box=box.SIMPLE_HEAD if paper.terminal.colour else None, pad_edge=False, show_edge=False)
    table.add_column("Findings", justify="right")
    table.add_column("Rule", no_wrap=True)
    table.add_column("", overflow="fold")
    if report.offers is not None:
        for title in ("Safe fix", "Unsafe", "Refused"):
            table.add_column(title, justify="right")
    table.add_column("Severity")
    by_code: dict[str, list[Finding]] = {}
    for finding in report.findings:
        by_code.setdefault(finding.code, []).append(finding)
    for code, found in sorted(by_code.items(), key=lambda item: (-len(item[1]), item[0])):
        severity = min((each.severity for each in found), key=list(SEVERITY).index)
        cells = [Text(str(len(found)), "bold"), Text(code, paper.style(SEVERITY[severity], RULES[code].url))]
        cells.append(Text(RULES[code].name))
        if report.offers is not None:
            refused = sum(bool(report.offers.refusal(each)) for each in found)
            cells += [Text(f"{number / len(found):.0%}") for number in (*report.offers.totals(found), refused)]
        table.add_row(*cells, Text(severity.value))
    return table


def _listed(paper: Paper, title: str, counts: Counter[str]) -> None:
    if not counts:
        return
    paper.line(Text())
    paper.line(Text(title, "bold"))
    for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST]:
        paper.line(Text().append(f"{count:>8}", "bold").append(f"  {printable(name)}"))


def _factory(report: Report, finding: Finding) -> str:
    """Return the name and place of the factory whose call is reported, "" for other findings."""
    if finding.code != "ERR102" or not finding.related:
        return ""
    related = finding.related[0]
    name = related.message.split("`")[1] if related.message.startswith("`") else ""
    return f"{name}  {report.shown(related.path)}:{related.span.line}"
