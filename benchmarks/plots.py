# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bars as SVG: a row per name, a bar per series, on a page light or dark. The
same values give the same bytes."""

import html
import math

WIDTH, LEFT, RIGHT = 800, 170, 40
BAR, ROW_SPACE, HEAD, FOOT = 6, 8, 46, 24
# Light enough on white and dark enough on black, by series.
COLOURS = ("#8b949e", "#bf8700", "#2f81f7")

STYLE = ("text { font: 12px sans-serif; fill: #1f2328 } .small { font-size: 10px } "
         ".line { stroke: #d0d7de } .one { stroke: #1f2328 } "
         "@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } "
         ".line { stroke: #3d444d } .one { stroke: #e6edf3 } }")


def bars(title, series, rows):
    """The text of a plot. Rows: (name, a value or None for every series)."""
    values = [value for _, each in rows for value in each if value is not None]
    most = max(2, math.ceil(2 * max(values, default=0)) / 2)
    row = len(series) * BAR + ROW_SPACE
    bottom = HEAD + row * len(rows)

    def across(value):
        return LEFT + (WIDTH - LEFT - RIGHT) * value / most

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + FOOT}" '
           f'width="{WIDTH}" role="img">', f"<title>{html.escape(title)}</title>",
           f"<style>{STYLE}</style>", f'<text x="8" y="16">{html.escape(title)}</text>']
    out += legend(series) + axis(most, across, bottom)
    for number, (name, each) in enumerate(rows):
        out += row_of(name, each, HEAD + row * number, across)
    return "\n".join([*out, "</svg>", ""])


def legend(series):
    out = []
    for number, name in enumerate(series):
        x = LEFT + 190 * number
        out += [f'<rect x="{x}" y="25" width="10" height="10" fill="{COLOURS[number]}"/>',
                f'<text x="{x + 15}" y="34">{html.escape(name)}</text>']
    return out


def axis(most, across, bottom):
    out = []
    for half in range(int(2 * most) + 1):
        kind = "one" if half == 2 else "line"
        out.append(f'<path class="{kind}" d="M{across(half / 2):.1f} {HEAD}V{bottom}"/>')
        if half % 2 == 0:
            out.append(f'<text class="small" x="{across(half / 2):.1f}" y="{bottom + 14}" '
                       f'text-anchor="middle">{half // 2}x</text>')
    return out


def row_of(name, values, top, across):
    middle = top + len(values) * BAR / 2
    out = [f'<text x="{LEFT - 8}" y="{middle + 4:.1f}" text-anchor="end">'
           f"{html.escape(name)}</text>"]
    for number, value in enumerate(values):
        if value is not None:
            out.append(f'<rect x="{LEFT}" y="{top + number * BAR}" '
                       f'width="{across(value) - LEFT:.1f}" height="{BAR - 1}" '
                       f'fill="{COLOURS[number]}"/>')
    return out
