"""The plot of how errors travel: three columns of bars with bands between them, as wide as errors are many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

from errlint.characters import encodable, printable
from errlint.report.survey import Flow

_WIDTH, _BAR, _GAP, _TALL = 900, 14, 22, 300
_LEFT = (200, 430, 670)
"""Where the bars of each column are."""

_HEADS = ("Errors", "made", "arrive at")


def flow_plot(flows: Sequence[Flow]) -> str:
    """Return an SVG element with the flows of errors from their form over their origin to where they arrive."""
    total = max(sum(flow.number for flow in flows), 1)
    columns = [Counter[str]() for _ in _LEFT]
    for flow in flows:
        for column, name in zip(columns, (flow.form, flow.origin, flow.end), strict=True):
            column[name] += flow.number
    scale = _TALL / total
    tops = [_tops(column, scale) for column in columns]
    height = max(
        top + column[name] * scale for column, places in zip(columns, tops, strict=True) for name, top in places.items()
    )
    pieces = [*_bands(flows, tops, scale)]
    for index, (column, places) in enumerate(zip(columns, tops, strict=True)):
        pieces.append(f'<text class="soft" x="{_LEFT[index]}" y="14">{_HEADS[index]}</text>')
        for name, top in places.items():
            tall = max(column[name] * scale, 1)
            told = escape(encodable(printable(name)).replace("`", ""))
            at, anchor = (_LEFT[index] - 8, "end") if not index else (_LEFT[index] + _BAR + 8, "start")
            pieces.append(f'<rect class="plain" x="{_LEFT[index]}" y="{top:.1f}" width="{_BAR}" height="{tall:.1f}"/>')
            pieces.append(
                f'<text x="{at}" y="{top + tall / 2 + 4:.1f}" text-anchor="{anchor}">{told} '
                f'<tspan class="soft">{column[name]:,}</tspan></text>'
            )
    return (
        f'<svg class="flow" viewBox="0 0 {_WIDTH} {height + 24:.0f}" role="img" aria-label="How errors travel">'
        f"{''.join(pieces)}</svg>"
    )


def _tops(column: Counter[str], scale: float) -> dict[str, float]:
    """Return where the bar of each name begins, the tallest first."""
    at, tops = 30.0, {}
    for name, count in sorted(column.items(), key=lambda item: (-item[1], item[0])):
        tops[name] = at
        at += max(count * scale + 8, _GAP)
    return tops


def _bands(flows: Sequence[Flow], tops: Sequence[dict[str, float]], scale: float) -> list[str]:
    """Return the bands between each two columns, those of one bar one below the other."""
    found = []
    for index in (0, 1):
        counts: Counter[tuple[str, str, bool]] = Counter()
        for flow in flows:
            names = (flow.form, flow.origin, flow.end)
            counts[names[index], names[index + 1], flow.form == "exception"] += flow.number
        out, into = dict(tops[index]), dict(tops[index + 1])
        ordered = sorted(counts.items(), key=lambda item: (tops[index][item[0][0]], tops[index + 1][item[0][1]]))
        for (start, end, is_raised), count in ordered:
            tall = count * scale
            left, right = _LEFT[index] + _BAR, _LEFT[index + 1]
            middle, top, other = (left + right) / 2, out[start], into[end]
            out[start], into[end] = top + tall, other + tall
            title = escape(f"{printable(start)} → {printable(end)}: {count:,}".replace("`", ""))
            found.append(
                f'<path class="{"good" if is_raised else "error"}" d="M{left} {top:.1f}C{middle} {top:.1f} {middle} '
                f"{other:.1f} {right} {other:.1f}V{other + tall:.1f}C{middle} {other + tall:.1f} {middle} "
                f'{top + tall:.1f} {left} {top + tall:.1f}Z"><title>{encodable(title)}</title></path>'
            )
    return found
