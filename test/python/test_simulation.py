# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is simulated in process is what bm-sim says."""

import json
import subprocess

import blockmaestro
import pytest
from conftest import TREE, made, said


def test_every_number_is_that_of_bm_sim(recordings):
    for path in recordings:
        assert blockmaestro.simulate(path, schedulers="all") == said("bm-sim", path, "--scheduler=all")


def test_machines_and_options_mean_the_same(recordings):
    machines = subprocess.run(["bm-sim", "--machines"], capture_output=True, text=True).stdout.split()
    assert blockmaestro.machine_names() == machines and "h100" in machines
    for path, name in zip(recordings, machines):
        mine = blockmaestro.simulate(path, blockmaestro.machine(name, sms=3, launch_overhead_ns=70),
                                     ["producer3+reorder", "prelaunch"], in_flight=4, durations="uniform:40",
                                     host="recorded", launches="1..")
        assert mine == said("bm-sim", path, "--machine", name, "--set=sms=3", "--set=launch_overhead_ns=70",
                            "--scheduler=producer3+reorder,prelaunch", "--in-flight=4", "--durations=uniform:40",
                            "--host=recorded", "--launches=1..")


def test_a_machine_is_a_dictionary_of_its_file(recordings):
    text = TREE / "machines" / "gtx480.json"
    given = json.loads(text.read_text())
    assert blockmaestro.simulate(recordings[0], given) == said("bm-sim", recordings[0], "--machine", text)


def test_what_is_left_out_has_its_default(recordings):
    numbers = {key: default for key, (default, least, _) in blockmaestro.machine_numbers().items() if default >= least}
    assert numbers["sms"] == 28
    assert blockmaestro.simulate(recordings[0], {"name": "m"}) == blockmaestro.simulate(
        recordings[0], {"name": "m", **numbers})


def test_tables_of_a_simulation(recordings):
    run = blockmaestro.simulate(recordings[0], schedulers=["baseline", "producer3"], timeline=True)
    rows = run.schedulers().to_pylist()
    assert [row["scheduler"] for row in rows] == ["baseline", "producer3"]
    assert rows[1]["requests"] == run["schedulers"][1]["memory_requests"]["total"]
    assert run.launches().num_rows == 2 * run["launches"]
    blocks = run.blocks().to_pylist()
    assert len([row for row in blocks if not row["is_copy"]]) == 2 * run["blocks"]
    ends = {name: max(row["end_ns"] for row in blocks if row["scheduler"] == name) for name in ("baseline", "producer3")}
    assert [ends[row["scheduler"]] / 1000 for row in rows] == [row["time_us"] for row in rows]


@pytest.mark.parametrize("arguments, message", [
    (dict(machine={"sms": 0}), "'sms' must be a number from 1 to 4096"),
    (dict(machine={"sms": True}), "'sms' must be a number from 1 to 4096"),
    (dict(machine={"sms": -1}), "'sms' must be a number from 1 to 4096"),
    (dict(machine={"sms": 2.5}), "'sms' must be a number from 1 to 4096"),
    (dict(machine={"speed": 3}), "unknown key 'speed'"),
    (dict(machine="nosuch"), "no machine 'nosuch': neither a file nor one of "
                             f"{', '.join(blockmaestro.machine_names())}"),
    (dict(schedulers="fastest"), "unknown scheduler 'fastest'"),
    (dict(durations="guessed"), "durations must be shared, model, events or uniform:NS with NS from 1 to 1000000000, "
                                "not 'guessed'"),
    (dict(host="fast"), "host must be none or recorded, not 'fast'"),
    (dict(launches="7"), "launches must be A..B, A.., ..B or -N.. (the last N), not '7'"),
    (dict(launches="1000..2000"), "the recording has launches 0 to 2, not '1000..2000'"),
])
def test_what_is_wrong_is_one_line(tmp_path, arguments, message):
    path = made(["run three 4", "cost 1 1 1 1 1 1 50", *["launch a 4 1 1 32 1 1 0"] * 3], tmp_path / "three.bmrec")
    with pytest.raises(blockmaestro.Error) as wrong:
        blockmaestro.simulate(path, **arguments)
    assert str(wrong.value) == message


def test_a_block_that_fits_no_machine_is_named(recordings):
    with pytest.raises(blockmaestro.Error, match=rf"^{recordings[0]}: .*launch 0"):
        blockmaestro.simulate(recordings[0], {"threads_per_sm": 1})
