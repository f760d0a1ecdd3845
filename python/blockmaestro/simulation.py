# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bm-sim in process."""

import os
import re
from collections.abc import Sequence
from typing import Any, Optional, Union

import pyarrow as pa

from . import _core
from .arrow import record_batch
from .machines import Machine, split
from .recording import Recording, read

Launches = Union[str, tuple[int, int]]
"""A first and a last launch, or what bm-sim's --launches takes: A..B, A.., ..B, -N.."""

_TIMES = ("issued_ns", "launched_ns", "first_start_ns", "last_end_ns", "completed_ns")


class Simulation(dict[str, Any]):
    """What `bm-sim --json` prints, under the same keys, and the same as tables."""

    def schedulers(self) -> pa.Table:
        """A row for each scheduler."""
        return pa.Table.from_pylist([row(each) for each in self["schedulers"]])

    def launches(self) -> pa.Table:
        """A row for each launch under each scheduler, with its times."""
        rows = [{"scheduler": under["name"], "launch": kernel["id"], "kernel": kernel["kernel"],
                 **{key: times[key] for key in _TIMES}}
                for under in self["schedulers"]
                for kernel, times in zip(self["kernels"], under["launches"])]
        return pa.Table.from_pylist(rows)

    def blocks(self) -> pa.Table:
        """When and where each block ran under each scheduler; needs `timeline=True`."""
        if "timeline" not in self:
            raise _core.Error("the simulation was made without timeline=True")
        return pa.concat_tables(pa.Table.from_batches([record_batch(each)]) for each in self["timeline"])


def row(of: dict[str, Any]) -> dict[str, Any]:
    """What is said of one scheduler, without lists, in one level."""
    stall, requests, buffers = of["stall"], of["memory_requests"], of["buffer_stalls"]
    return {
        "scheduler": of["name"],
        **{key: of[key] for key in ("kernels_in_flight", "time_us", "speedup", "of_bound", "concurrency",
                                    "sm_utilisation")},
        **{f"stall_{key}": value for key, value in stall.items()},
        **{key: value for key, value in requests.items() if key not in ("lists_decoded", "total", "relative")},
        "requests": requests["total"],
        "relative_requests": requests["relative"],
        **{f"buffer_{key}": value for key, value in buffers.items()},
        "kernel_level_relations": of["kernel_level_relations"],
    }


def scheduler_names() -> dict[str, str]:
    """Each scheduler with what it is; numbers and +reorder behind a name are as in bm-sim."""
    return _core.scheduler_names()


def launch_range(text: Launches, count: int) -> tuple[int, int]:
    """The first and the last launch that are meant, of so many."""
    first, last = _range_of(text, count)
    if not 0 <= first < count or not first <= last < count:
        raise _core.Error(f"the recording has launches 0 to {count - 1}, not {text!r}" if count else
                          "the recording has no launches")
    return first, last


def _range_of(text: Launches, count: int) -> tuple[int, int]:
    if not isinstance(text, str):
        return text
    if found := re.fullmatch(r"-(\d+)\.\.", text):
        return count - int(found[1]), count - 1
    found = re.fullmatch(r"(\d*)\.\.(\d*)", text)
    if not found or text == "..":
        raise _core.Error(f"launches must be A..B, A.., ..B or -N.. (the last N), not '{text}'")
    return int(found[1] or 0), int(found[2] or count - 1)


def request_of(machine: Machine, schedulers: Union[str, Sequence[str]], in_flight: int, durations: str,
               host: str) -> _core.SimulationRequest:
    """What the compiled simulator takes."""
    if host not in ("none", "recorded"):
        raise _core.Error(f"host must be none or recorded, not '{host}'")
    if not 0 <= in_flight <= _core.MOST_IN_FLIGHT:
        raise _core.Error(f"in-flight must be a number from 1 to {_core.MOST_IN_FLIGHT}, not '{in_flight}'")
    out = _core.SimulationRequest()
    out.machine_name, out.machine_numbers = split(machine)
    out.schedulers = schedulers.split(",") if isinstance(schedulers, str) else list(schedulers)
    out.in_flight = in_flight
    out.durations = durations
    out.host_is_recorded = host == "recorded"
    return out


def simulate(recording: Union[Recording, str, "os.PathLike[str]"], machine: Machine = "titanx-pascal",
             schedulers: Union[str, Sequence[str]] = "paper", *, in_flight: int = 0, durations: str = "shared",
             host: str = "none", launches: Optional[Launches] = None, jobs: int = 0,
             timeline: bool = False) -> Simulation:
    """Replays a recording on a machine under each scheduler. The arguments are bm-sim's options, and so are the
    numbers; what is wrong is an `Error` of one line."""
    what = recording if isinstance(recording, Recording) else read(recording)
    request = request_of(machine, schedulers, in_flight, durations, host)
    request.file = what.path
    request.jobs = jobs
    request.has_timeline = timeline
    if launches is not None:
        request.launches = launch_range(launches, what.counts["launches"])
    return Simulation(_core.simulate(what._core, request))
