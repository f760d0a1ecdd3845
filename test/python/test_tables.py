# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers on frames equal bm-dump's, on forty recordings."""

import blockmaestro
import polars
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from conftest import made, said


def rows(recording, table):
    return recording.table(table).to_pylist()


def launch_row(launch):
    """A row of the table, of what bm-dump says."""
    sizes = {f"{what}_{axis}": size for what in ("grid", "block") for axis, size in zip("xyz", launch[what])}
    grid = launch["grid"]
    return {"launch": launch["launch"], "kernel": launch["kernel"], **sizes, "blocks": grid[0] * grid[1] * grid[2],
            **{key: launch[key] for key in ("shared_bytes", "registers", "registers_as_run", "not_exact")},
            "host_thread": launch["host"]["thread"], "host_ns": launch["host"]["ns"]}


def flat(entry):
    """The host's time in columns of its own, and no lists."""
    host = entry["host"]
    return {**{key: value for key, value in entry.items() if key not in ("host", "ranges")},
            "host_thread": host["thread"], "host_ns": host["ns"]}


def test_launches_copies_barriers(recordings):
    kinds = {"degraded": 0, "copies": 0, "barriers": 0}
    for path in recordings:
        recording, dump = blockmaestro.read(path), said("bm-dump", "launches", path)
        assert rows(recording, "launches") == [launch_row(launch) for launch in dump["launches"]]
        assert rows(recording, "copies") == [flat(copy) for copy in dump["copies"]]
        assert rows(recording, "barriers") == [flat(barrier) for barrier in dump["barriers"]]
        assert rows(recording, "ranges") == [{"copy": copy["copy"], **each}
                                             for copy in dump["copies"] for each in copy["ranges"]]
        kinds["degraded"] += sum(bool(launch["not_exact"]) for launch in dump["launches"])
        kinds["copies"] += len(dump["copies"])
        kinds["barriers"] += len(dump["barriers"])
    assert all(kinds.values()), kinds


def test_relations(recordings):
    patterns = set()
    for path in recordings:
        recording, dump = blockmaestro.read(path), said("bm-dump", "graph", path, "--all")
        table = rows(recording, "relations")
        shown = [{"producer_is": "launch", "consumer_is": "launch", **each} for each in dump["relations"]]
        shown += dump["copies"]
        assert len(table) == len(shown)
        for row, each in zip(table, shown):
            assert {key: row[key] for key in each} == each
            patterns.add(row["pattern"])
    assert patterns >= {"full", "1-to-1", "overlapped"}


def test_pieces_and_runs(recordings):
    lists = 0
    for path in recordings:
        recording, dump = blockmaestro.read(path), said("bm-dump", "encoding", path, "--all", "--paper")
        relations, pieces = rows(recording, "relations"), recording.polars("pieces")
        for number, each in enumerate(dump["relations"]):
            mine = pieces.filter(polars.col("relation") == number).select(
                polars.col("hazards", "formula").cast(polars.String)).to_dicts()
            assert mine == each["pieces"]
            assert relations[number]["kind"] == each["kind"]
            assert relations[number]["runs"] == each.get("runs", 0)
            assert relations[number]["stored_bytes"] == each["stored_bytes"]
            lists += "runs" in each
        assert recording.table("runs").num_rows == sum(each.get("runs", 0) for each in dump["relations"])
    assert lists


def test_a_run_has_its_blocks_and_hazards(tmp_path):
    path = made(["run lists 4", "launch a 4 1 1 32 1 1 0", "launch b 4 1 1 32 1 1 0", "needs 0 3 list 1 0 1 1 3 3 2 2 2"],
                tmp_path / "lists.bmrec")
    assert rows(blockmaestro.read(path), "runs") == [
        {"relation": 0, "consumer_block": block, "first": first, "last": last, "hazards": "RAW+WAR"}
        for block, first, last in [(1, 0, 1), (1, 3, 3), (2, 2, 2)]]


def test_pieces_are_the_formula_of_their_numbers(tmp_path):
    path = made(["run pieces 4", "launch a 8 1 1 32 1 1 0", "launch b 8 1 1 32 1 1 0", "needs 0 1 delta -1 1 0 0"],
                tmp_path / "pieces.bmrec")
    (piece,) = rows(blockmaestro.read(path), "pieces")
    assert piece["formula"] == "p.x in [c.x-1, c.x+1] for c in [0..7]"
    assert (piece["row_x_by_x"], piece["row_x_divisor"], piece["row_x_low"], piece["row_x_high"]) == (1, 1, -1, 1)
    assert (piece["consumer_low_x"], piece["consumer_high_x"]) == (0, 7)
    assert (piece["producer_low_x"], piece["producer_high_x"]) == (0, 7)


def test_events(recordings):
    for path in recordings:
        events = blockmaestro.read(path).table("events").sort_by([("launch", "ascending"), ("block", "ascending")])
        assert events.to_pylist() == said("bm-dump", "events", path)["events"]


def test_costs_of_blocks_add_up_to_those_of_launches(recordings):
    for path in recordings:
        costs = blockmaestro.read(path).table("blocks")
        for launch in said("bm-dump", "recording", path)["launches"]:
            mine = costs.filter(pc.equal(costs["launch"], launch["launch"]))
            assert mine.num_rows == launch["costs"]
            assert {name: pc.sum(mine[name]).as_py() or 0 for name in launch["cost"]} == launch["cost"]


def test_what_a_recording_says_of_itself(recordings):
    for path in recordings:
        recording, dump = blockmaestro.read(path), said("bm-dump", "recording", path)
        for key in ("program", "device", "executor", "window", "truncated"):
            assert getattr(recording, key) == dump[key]
        for key in ("relations", "copies", "copy_relations", "barriers", "observations"):
            assert recording.counts[key] == dump[key]


def test_frames_have_the_same_numbers(recordings):
    recording = blockmaestro.read(recordings[0])
    for name in blockmaestro.TABLES:
        table = recording.table(name)
        assert recording.polars(name).to_dicts() == table.to_pylist()
        frame = recording.pandas(name)
        assert list(frame.columns) == table.column_names and len(frame) == table.num_rows


def test_a_stream_comes_in_batches_and_is_the_table(recordings):
    recording = blockmaestro.read(recordings[1])
    for name in blockmaestro.TABLES:
        batches = list(recording.stream(name, rows=7))
        assert all(batch.num_rows <= 7 for batch in batches)
        assert pa.Table.from_batches(batches, recording.stream(name).schema).to_pylist() == rows(recording, name)


def test_a_file_is_streamed_as_its_recording(recordings):
    for path in recordings:
        for name in ("events", "blocks"):
            assert blockmaestro.stream(path, name, rows=50).read_all().equals(blockmaestro.read(path).table(name))
    with pytest.raises(blockmaestro.Error, match="^files are streamed as events or blocks, not 'launches'$"):
        blockmaestro.stream(recordings[0], "launches")


def test_tables_outlive_their_recording(recordings):
    table = blockmaestro.read(recordings[2]).table("events")
    assert table["end_ns"].to_pylist() == blockmaestro.read(recordings[2]).table("events")["end_ns"].to_pylist()


def test_an_unknown_table_is_one_line(recordings):
    with pytest.raises(blockmaestro.Error, match="^a recording has no table 'edges'; it has launches, .*blocks$"):
        blockmaestro.read(recordings[0]).table("edges")
