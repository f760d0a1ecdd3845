# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What bm-report makes, as docs/bm-report-data.md says: the data of a page, the
numbers of a column, the pairs of blocks of a form."""

import base64
import gzip
import itertools
import json
import re


def page_data(text):
    """The data inside a page."""
    packed = re.search(r'<script type="text/plain" id="data">([^<]*)</script>', text).group(1)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def pairs_of(flat):
    return zip(flat[0::2], flat[1::2])


def numbers(column):
    """The numbers of a column, whichever its form."""
    ((form, flat),) = column.items()
    if form == "list":
        return flat
    if form == "deltas":
        return list(itertools.accumulate(flat))
    repeated = [value for value, times in pairs_of(flat) for _ in range(times)]
    return repeated if form == "runs" else list(itertools.accumulate(repeated))


def rows(table):
    """A table as a list of objects."""
    columns = {name: numbers(column) for name, column in table.items()}
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


def block(number, grid):
    return (number % grid[0], number // grid[0] % grid[1], number // grid[0] // grid[1])


def count(grid):
    return grid[0] * grid[1] * grid[2]


def producers_of_piece(piece, consumer):
    """The blocks that a piece gives a block, as coordinates."""
    if any(not low <= c <= high for low, c, high in zip(piece["consumer_low"], consumer, piece["consumer_high"])):
        return []
    ranges = []
    for low, high, (*factors, divisor, first, last) in zip(piece["producer_low"], piece["producer_high"], piece["rows"]):
        at = sum(factor * c for factor, c in zip(factors, consumer))
        ranges.append(range(max(low, (at + first) // divisor), min(high, (at + last) // divisor) + 1))
    return list(itertools.product(*ranges))


def edges(form):
    """The pairs [producer, consumer] of a form; None where it has left its list out."""
    grid, consumers = form["producer_grid"], form["consumer_grid"]
    if form["kind"] == "full":
        return [[p, c] for c in range(count(consumers)) for p in range(count(grid))]
    out = []
    if form["kind"] == "listed":
        if form["list"] is None:
            return None
        begin, first, last = (numbers(form["list"][key]) for key in ("begin", "first", "last"))
        for c in range(count(consumers)):
            runs = range(begin[c], begin[c + 1])
            out += [[p, c] for r in runs for p in range(first[r], last[r] + 1)]
        return out
    for c in range(count(consumers)):
        found = set()
        for piece in form["pieces"]:
            found.update((z * grid[1] + y) * grid[0] + x for x, y, z in producers_of_piece(piece, block(c, consumers)))
        out += [[p, c] for p in sorted(found)]
    return out
