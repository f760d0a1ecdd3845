# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Charts have the numbers that they draw."""

import blockmaestro
import pytest
from blockmaestro import charts


@pytest.fixture(scope="module")
def run(recordings):
    return blockmaestro.simulate(recordings[0], schedulers=["baseline", "producer3"], timeline=True)


def values(chart):
    """What a chart draws, and that Vega-Lite's schema takes it."""
    page = chart.to_dict()
    return page["data"]["values"] if "values" in page.get("data", {}) else page["layer"][-1]["data"]["values"]


def test_a_timeline_has_every_block(run):
    rows = values(charts.timeline(run))
    blocks = [row for row in run.blocks().to_pylist() if not row["is_copy"]]
    assert [(row["sm"], row["start_us"], row["end_us"]) for row in rows] == [
        (row["sm"], row["start_ns"] / 1000, row["end_ns"] / 1000) for row in blocks]


def test_a_timeline_of_too_many_blocks_has_launches(run):
    rows = values(charts.timeline(run, most=10))
    assert [row["end_us"] for row in rows] == [row["last_end_ns"] / 1000 for row in run.launches().to_pylist()]


def test_speedups_and_the_bound(run):
    page = charts.speedups(run).to_dict()
    bars, rule = (layer["data"]["values"] for layer in page["layer"])
    assert [(row["scheduler"], row["speedup"]) for row in bars] == [
        (each["name"], each["speedup"]) for each in run["schedulers"]]
    assert rule == [{"bound": run["baseline_us"] / run["bound_us"]}]


def test_lines_of_a_sweep_are_means(recordings, tmp_path):
    rows = blockmaestro.sweep(recordings[:3], blockmaestro.machine_grid({}, sms=[1, 2]), ["producer"],
                              folder=tmp_path, workers=0)
    page = charts.sweep_lines(rows, "sms").to_dict()
    table = rows.to_table().to_pylist()
    drawn = page["data"]["values"] if "data" in page else page["layer"][0]["data"]["values"]
    for each in drawn:
        mine = [row["speedup"] for row in table if row["sms"] == each["sms"]]
        assert len(mine) == 3
        assert each["speedup_mean"] == pytest.approx(sum(mine) / 3)
        assert (each["speedup_min"], each["speedup_max"]) == (min(mine), max(mine))
    assert "facet" in charts.sweep_lines(rows, "sms", row="recording").to_dict()
    with pytest.raises(blockmaestro.Error, match="^the sweep has no column 'clock_mhz'; it has recording, "):
        charts.sweep_lines(rows, "clock_mhz")
