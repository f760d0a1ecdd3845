# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bars, boxes and lines as SVG, on a page light or dark. The same values give the
same bytes."""

import html
import math

WIDTH, LEFT, RIGHT = 800, 170, 40
BAR, ROW_SPACE, HEAD, FOOT = 6, 8, 46, 24
# Light enough on white and dark enough on black, by series.
COLOURS = ("#8b949e", "#bf8700", "#2f81f7", "#2da44e", "#a371f7", "#e5534b", "#39c5cf")
IN_A_ROW = 3  # Names of the legend.
LEGEND_ROW = 14

STYLE = ("text { font: 12px sans-serif; fill: #1f2328 } .small { font-size: 10px } "
         ".line { stroke: #d0d7de } .one { stroke: #1f2328 } "
         "@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } "
         ".line { stroke: #3d444d } .one { stroke: #e6edf3 } }")


def bars(title, series, rows, unit="x"):
    """The text of a plot. Rows: (name, a value or None for every series)."""
    values = [value for _, each in rows for value in each if value is not None]
    most = max(2, math.ceil(2 * max(values, default=0)) / 2)
    return in_rows(title, series, rows, most, unit, bar)


def boxes(title, series, rows, most, unit="x"):
    """The same of (first quartile, median, third quartile), drawn up to the most."""
    return in_rows(title, series, rows, most, unit, box)


def in_rows(title, series, rows, most, unit, draw):
    """A plot with a row per name, in it a mark per series."""
    row = len(series) * BAR + ROW_SPACE
    top = head_of(series)
    bottom = top + row * len(rows)

    def across(value):
        return LEFT + (WIDTH - LEFT - RIGHT) * min(value, most) / most

    out = begin(title, series, bottom) + axis(most, across, top, bottom, unit)
    for number, (name, each) in enumerate(rows):
        out += row_of(name, each, top + row * number, across, draw)
    return "\n".join([*out, "</svg>", ""])


def head_of(series):
    return HEAD + LEGEND_ROW * ((len(series) - 1) // IN_A_ROW)


def begin(title, series, bottom):
    return [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + FOOT}" '
            f'width="{WIDTH}" role="img">', f"<title>{html.escape(title)}</title>",
            f"<style>{STYLE}</style>", f'<text x="8" y="16">{html.escape(title)}</text>',
            *legend(series)]


def legend(series):
    out = []
    for number, name in enumerate(series):
        x, y = LEFT + 190 * (number % IN_A_ROW), LEGEND_ROW * (number // IN_A_ROW)
        out += [f'<rect x="{x}" y="{y + 25}" width="10" height="10" fill="{COLOURS[number]}"/>',
                f'<text x="{x + 15}" y="{y + 34}">{html.escape(name)}</text>']
    return out


def axis(most, across, top, bottom, unit):
    out = []
    for half in range(int(2 * most) + 1):
        kind = "one" if half == 2 else "line"
        out.append(f'<path class="{kind}" d="M{across(half / 2):.1f} {top}V{bottom}"/>')
        if half % 2 == 0:
            out.append(f'<text class="small" x="{across(half / 2):.1f}" y="{bottom + 14}" '
                       f'text-anchor="middle">{half // 2}{unit}</text>')
    return out


def row_of(name, values, top, across, draw):
    middle = top + len(values) * BAR / 2
    out = [f'<text x="{LEFT - 8}" y="{middle + 4:.1f}" text-anchor="end">'
           f"{html.escape(name)}</text>"]
    for number, value in enumerate(values):
        if value is not None:
            out += draw(value, top + number * BAR, across, COLOURS[number])
    return out


def rectangle(low, high, top, across, colour):
    return (f'<rect x="{across(low):.1f}" y="{top}" width="{across(high) - across(low):.1f}" '
            f'height="{BAR - 1}" fill="{colour}"/>')


def bar(value, top, across, colour):
    return [f'<rect x="{LEFT}" y="{top}" width="{across(value) - LEFT:.1f}" '
            f'height="{BAR - 1}" fill="{colour}"/>']


def box(quartiles, top, across, colour):
    """The median as a line across the box, that is seen where the quartiles are the same too."""
    low, median, high = quartiles
    return [rectangle(low, high, top, across, colour),
            f'<path stroke="{colour}" stroke-width="3" '
            f'd="M{across(median):.1f} {top - 1}v{BAR + 1}"/>']


def lines(title, series, labels, least, most, unit="x"):
    """The text of a plot of values from least to most, tenths. Series: (name, a value or None
    for every label)."""
    names = [name for name, _ in series]
    top, height = head_of(names), 260
    bottom = top + height

    def across(number):
        return LEFT / 3 + (WIDTH - LEFT / 3 - RIGHT) * number / max(1, len(labels) - 1)

    def up(value):
        return bottom - height * (value - least) / (most - least)

    out = begin(title, names, bottom)
    for tenth in range(round(10 * least), round(10 * most) + 1):
        kind = "one" if tenth == 10 else "line"
        out += [f'<path class="{kind}" d="M{LEFT / 3:.1f} {up(tenth / 10):.1f}H{WIDTH - RIGHT}"/>',
                f'<text class="small" x="{LEFT / 3 - 6:.1f}" y="{up(tenth / 10) + 4:.1f}" '
                f'text-anchor="end">{tenth / 10:.1f}{unit}</text>']
    out += [f'<text class="small" x="{across(number):.1f}" y="{bottom + 14}" '
            f'text-anchor="middle">{html.escape(label)}</text>'
            for number, label in enumerate(labels)]
    for (_, values), colour in zip(series, COLOURS):
        points = " ".join(f"{across(number):.1f},{up(value):.1f}"
                          for number, value in enumerate(values) if value is not None)
        out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" '
                   f'points="{points}"/>')
    return "\n".join([*out, "</svg>", ""])
