# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sweeps: the same table whoever is killed, and nothing computed twice."""

import os
import pathlib
import signal
import subprocess
import sys
import textwrap

import blockmaestro
import pytest
from conftest import made, random_lines, said

SCHEDULERS = ["baseline", "producer3"]
PART = 20


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    return made(random_lines(7), tmp_path_factory.mktemp("sweep") / "seven.bmrec")


@pytest.fixture(scope="module")
def machines():
    """Two thousand of them."""
    return blockmaestro.machine_grid("titanx-pascal", sms=range(1, 41), launch_overhead_ns=range(0, 5000, 100))


@pytest.fixture(scope="module")
def undisturbed(recording, machines, tmp_path_factory):
    """The table of all of them, computed by this process alone."""
    folder = tmp_path_factory.mktemp("undisturbed")
    return blockmaestro.sweep(recording, machines, SCHEDULERS, folder=folder, part=PART, workers=0).to_table()


@pytest.fixture(scope="module")
def cluster():
    """Ray, started once; its address."""
    import ray

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(address="local", num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
    yield ray.get_runtime_context().gcs_address
    ray.shutdown()


def small(recording, folder, **given):
    """A sweep of four machines by this process."""
    machines = blockmaestro.machine_grid("titanx-pascal", sms=[1, 2, 3, 4])
    return blockmaestro.sweep(recording, machines, SCHEDULERS, **{"folder": folder, "workers": 0, "part": 1, **given})


def test_a_row_is_what_bm_sim_says(recording, tmp_path):
    rows = small(recording, tmp_path).to_table().to_pylist()
    assert [(row["sms"], row["scheduler"]) for row in rows] == [(sms, name) for sms in (1, 2, 3, 4)
                                                                 for name in SCHEDULERS]
    for row in rows:
        run = said("bm-sim", recording, f"--set=sms={row['sms']}", f"--scheduler={row['scheduler']}")
        (one,) = run["schedulers"]
        assert row["time_us"] == one["time_us"] and row["speedup"] == one["speedup"]
        assert row["requests"] == one["memory_requests"]["total"] and row["stall_q3"] == one["stall"]["q3"]
        assert row["bound_us"] == run["bound_us"] and row["error"] is None


def test_killed_workers_lose_nothing(recording, machines, undisturbed, cluster, tmp_path):
    killed, seen = [], []

    def kill_some(now):
        """One when a quarter, a half and three quarters are done."""
        seen.append(now.done)
        if now.done >= (len(killed) + 1) * now.total // 4 and len(killed) < 3 and now.worker not in killed:
            os.kill(now.worker, signal.SIGKILL)
            killed.append(now.worker)

    rows = blockmaestro.sweep(recording, machines, SCHEDULERS, folder=tmp_path, part=PART, progress=kill_some)
    assert len(killed) == 3
    assert seen == list(range(PART, 2001, PART))
    assert rows.to_table().equals(undisturbed)


def test_a_killed_sweep_goes_on_where_it_was(recording, machines, undisturbed, cluster, tmp_path):
    script = textwrap.dedent(f"""
        import os, signal, blockmaestro
        machines = blockmaestro.machine_grid("titanx-pascal", sms=range(1, 41), launch_overhead_ns=range(0, 5000, 100))
        blockmaestro.sweep({str(recording)!r}, machines, {SCHEDULERS}, folder={str(tmp_path)!r}, part={PART},
                           address={cluster!r},
                           progress=lambda now: now.done < 600 or os.kill(os.getpid(), signal.SIGKILL))""")
    assert subprocess.run([sys.executable, "-c", script], stdout=subprocess.DEVNULL).returncode == -signal.SIGKILL
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("part-*.parquet")}
    assert len(before) == 600 // PART
    told = []
    rows = blockmaestro.sweep(recording, machines, SCHEDULERS, folder=tmp_path, part=PART, progress=told.append)
    assert rows.to_table().equals(undisturbed)
    assert told[0].reused == 600 and told[-1].done == 2000 and len(told) == (2000 - 600) // PART
    assert all(path.stat().st_mtime_ns == time for path, time in before.items())


def test_what_is_finished_is_not_computed_again(recording, tmp_path):
    first = small(recording, tmp_path).to_table()
    told = []
    assert small(recording, tmp_path, progress=told.append).to_table().equals(first)
    assert [(now.done, now.reused) for now in told] == [(4, 4)]


def test_a_folder_is_of_one_sweep(recording, tmp_path):
    small(recording, tmp_path)
    with pytest.raises(blockmaestro.Error, match=f"^{tmp_path}: it has another sweep, with other durations, host$"):
        small(recording, tmp_path, durations="model", host="recorded")


def test_a_recording_that_has_changed_is_another_sweep(tmp_path):
    path = made(random_lines(7), tmp_path / "one.bmrec")
    small(path, tmp_path / "sweep")
    made(random_lines(8), path)
    with pytest.raises(blockmaestro.Error, match="it has another sweep, with other recordings$"):
        small(path, tmp_path / "sweep")


def test_two_sweeps_do_not_share_a_folder(recording, tmp_path):
    def again(now):
        with pytest.raises(blockmaestro.Error, match="another process is sweeping into it$"):
            small(recording, tmp_path)
        met.append(now)

    met = []
    small(recording, tmp_path, progress=again)
    assert len(met) == 4


def test_a_machine_that_a_block_does_not_fit_is_a_row_with_its_error(recording, tmp_path):
    rows = blockmaestro.sweep(recording, [{"name": "tiny", "threads_per_sm": 1}, {"name": "whole"}], ["producer"],
                              folder=tmp_path, workers=0).to_table().to_pylist()
    assert [(row["machine"], row["scheduler"]) for row in rows] == [("tiny", None), ("whole", "producer")]
    assert "launch 0" in rows[0]["error"] and rows[1]["error"] is None


@pytest.mark.parametrize("given, message", [
    (dict(durations="guessed"), "durations must be shared, .*"),
    (dict(host="fast"), "host must be none or recorded, not 'fast'"),
    (dict(part=-1), "a part has at least one simulation, not -1"),
])
def test_what_is_wrong_is_said_before_anything_is_written(recording, tmp_path, given, message):
    with pytest.raises(blockmaestro.Error, match=f"^{message}$"):
        small(recording, tmp_path / "sweep", **given)
    assert not (tmp_path / "sweep").exists()


def written(folder, text):
    (folder / "plan.toml").write_text(textwrap.dedent(text))
    return folder / "plan.toml"


def run_tool(*command):
    """With this Python before all others."""
    path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": path})


def test_bm_sim_sweeps_by_a_file_with_a_ray_of_its_own(recording, tmp_path):
    plan = written(tmp_path, f"""
        recordings = ["{recording}"]
        folder = "out"
        schedulers = ["baseline", "producer3"]
        machines = [{{ base = "titanx-pascal", sms = [1, 2, 3, 4] }}]
        workers = 1
        """)
    run = run_tool("bm-sim", "--sweep", plan)
    assert (run.returncode, run.stdout, run.stderr) == (0, f"8 rows in {tmp_path}/out\n", "")
    import pyarrow.dataset
    rows = pyarrow.dataset.dataset(tmp_path / "out", format="parquet").to_table().sort_by(
        [("sms", "ascending"), ("scheduler", "ascending")])
    assert rows.equals(small(recording, tmp_path / "small").to_table())


def test_progress_is_one_line_on_a_terminal(recording, tmp_path):
    plan = written(tmp_path, f"""
        recordings = "{recording}"
        machines = {{ base = "titanx-pascal", sms = [1, 2, 3, 4] }}
        workers = 0
        """)
    ours, theirs = os.openpty()
    run = subprocess.run([sys.executable, "-m", "blockmaestro", "sweep", plan], stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    assert run.returncode == 0
    text = os.read(ours, 4096).decode()
    assert text == "".join(f"\rsweep: {done} of 4 simulations" for done in (1, 2, 3, 4)) + "\r\n"


def test_a_wrong_file_is_one_line(recording, tmp_path):
    def line(text):
        run = run_tool(sys.executable, "-m", "blockmaestro", "sweep", written(tmp_path, text))
        assert run.returncode == 1 and run.stdout == ""
        return run.stderr

    assert line("recording = 3").startswith(f"blockmaestro: error: {tmp_path}/plan.toml: unknown key 'recording'; ")
    assert line("recordings = 'gone*.bmrec'") == "blockmaestro: error: no recordings are called gone*.bmrec\n"
    assert line("recordings = 'gone.bmrec'") == f"blockmaestro: error: {tmp_path}/gone.bmrec: No such file or directory\n"
    assert line("recordings = [").startswith(f"blockmaestro: error: {tmp_path}/plan.toml: ")
    assert line(f"recordings = '{recording}'\nmachines = {{ sms = [0, 1] }}") == (
        "blockmaestro: error: 'sms' must be a number from 1 to 4096\n")
