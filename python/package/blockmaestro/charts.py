# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Charts for notebooks, with Altair: each is an `altair.Chart` to be shown, changed or saved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from . import _core
from .extras import extra
from .simulation import Simulation

if TYPE_CHECKING:
    import altair

MOST_BLOCKS = 20000
"""A timeline with more is drawn by launches: what a browser can still draw."""


def timeline(of: Simulation, most: int = MOST_BLOCKS) -> altair.Chart:
    """What ran when, a band for each scheduler: blocks on their SMs, or launches where there are more blocks
    than `most` or the simulation was made without `timeline=True`."""
    alt = _altair()
    blocks = of.blocks() if "timeline" in of else None
    if blocks is None or blocks.num_rows > most:
        return _bars(alt, _in_us(of.launches(), "first_start_ns", "last_end_ns"), "launch", ["launch", "kernel"])
    ran = _in_us(blocks.filter(pc.invert(blocks["is_copy"])), "start_ns", "end_ns")
    return _bars(alt, ran, "sm", ["node", "block", "kernel"])


def speedups(of: Simulation) -> altair.Chart:
    """A bar for each scheduler: how many times faster than the baseline it is, and what the bound would be."""
    alt = _altair()
    table = of.schedulers()
    bound = of["baseline_us"] / of["bound_us"] if of["bound_us"] else None
    bars = alt.Chart(_values(table.select(["scheduler", "speedup", "time_us", "of_bound"]))).mark_bar().encode(
        x=alt.X("speedup:Q", title="speed-up over the baseline"),
        y=alt.Y("scheduler:N", sort=None, title=None),
        tooltip=["scheduler:N", "speedup:Q", "time_us:Q", "of_bound:Q"])
    if bound is None:
        return bars
    rule = alt.Chart(alt.Data(values=[{"bound": bound}])).mark_rule(strokeDash=[4, 4]).encode(
        x="bound:Q", tooltip=[alt.Tooltip("bound:Q", title="no scheduler is faster")])
    return bars + rule


def sweep_lines(rows: pa.Table | pa.dataset.Dataset, x: str, y: str = "speedup",
                row: str | None = None) -> altair.Chart:
    """A line for each scheduler over a number of the machines; the mean where there are several rows, with its
    range. `row` is another column, of which each value gets a panel."""
    alt = _altair()
    table = rows if isinstance(rows, pa.Table) else rows.to_table()
    for name in filter(None, (x, y, row)):
        if name not in table.column_names:
            raise _core.Error(f"the sweep has no column '{name}'; it has {', '.join(table.column_names)}")
    keys = [x, *([row] if row else []), "scheduler"]
    means = table.filter(pc.is_valid(table["scheduler"])).group_by(keys).aggregate(
        [(y, "mean"), (y, "min"), (y, "max")])
    color = alt.Color("scheduler:N", sort=None, legend=alt.Legend(symbolOpacity=1))
    base = alt.Chart(_values(means)).encode(x=alt.X(f"{x}:Q"), color=color)
    lines = base.mark_line(point=True).encode(
        y=alt.Y(f"{y}_mean:Q", title=y, scale=alt.Scale(zero=False)),
        tooltip=[f"{x}:Q", "scheduler:N", f"{y}_mean:Q", f"{y}_min:Q", f"{y}_max:Q"])
    bands = base.mark_area(opacity=0.15).encode(y=f"{y}_min:Q", y2=f"{y}_max:Q")
    both = bands + lines
    return both.properties(height=120).facet(row=f"{row}:N") if row else both


def _bars(alt: Any, rows: pa.Table, y: str, about: list[str]) -> altair.Chart:
    """A bar from start_us to end_us of each row."""
    columns = ["scheduler", "start_us", "end_us", y, *about]
    return alt.Chart(_values(rows.select(list(dict.fromkeys(columns))))).mark_bar().encode(
        x=alt.X("start_us:Q", title="us"), x2="end_us:Q", y=alt.Y(f"{y}:O", title=y), color="kernel:N",
        row=alt.Row("scheduler:N", sort=None, title=None),
        tooltip=[*(f"{name}:N" for name in about), "start_us:Q", "end_us:Q"])


def _in_us(rows: pa.Table, start: str, end: str) -> pa.Table:
    """With the two as start_us and end_us."""
    for name, of in (("start_us", start), ("end_us", end)):
        rows = rows.append_column(name, pc.divide(pc.cast(rows[of], pa.float64()), 1000.0))
    return rows


def _values(rows: pa.Table) -> Any:
    return _altair().Data(values=rows.to_pylist())


def _altair() -> Any:
    return extra("altair", "charts need")
