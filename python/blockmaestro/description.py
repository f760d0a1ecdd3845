# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a sweep is, as a value: which simulations there are, and what a row of each says.

A sweep is recordings x machines x durations, in this order, each under all schedulers. So many of these
in a row are a part: what one task computes, and one file of the dataset. The same description gives the
same parts, whoever computes them.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
from dataclasses import dataclass
from typing import Any, Callable

import pyarrow as pa

from . import _core
from .machines import machine_numbers
from .recording import Recording, parse
from .simulation import launch_range, request_of, row

FORMAT = 1

_ROW = pa.schema([
    ("scheduler", pa.string()), ("kernels_in_flight", pa.uint32()),
    *((key, pa.float64()) for key in ("time_us", "speedup", "of_bound", "concurrency", "sm_utilisation")),
    ("stall_blocks", pa.uint64()),
    *((f"stall_{key}", pa.float64()) for key in ("least", "q1", "median", "q3", "most")),
    *((key, pa.uint64()) for key in ("list_fetches", "list_refetches", "counter_fetches", "counter_evictions",
                                     "requests")),
    ("relative_requests", pa.float64()),
    *((key, pa.uint64()) for key in ("buffer_held", "buffer_forced", "kernel_level_relations")),
])
_BOUNDS = ("bound_us", "critical_path_us", "area_us")


@dataclass(frozen=True)
class Description:
    """All that the numbers of a sweep follow from."""

    recordings: list[dict[str, str]]  # Each with path and sha256.
    machines: list[dict[str, Any]]
    schedulers: list[str]
    durations: list[str]
    host: str
    in_flight: int
    launches: str | None
    part: int
    """How many machines, with all schedulers, are one part."""

    def runs(self) -> list[tuple[int, int, int]]:
        """Each as recording, machine, durations, by their places."""
        return list(itertools.product(range(len(self.recordings)), range(len(self.machines)),
                                      range(len(self.durations))))

    def parts(self) -> list[range]:
        """The places of each part's runs."""
        count = len(self.recordings) * len(self.machines) * len(self.durations)
        return [range(first, min(first + self.part, count)) for first in range(0, count, self.part)]

    def varied(self) -> list[str]:
        """The numbers in which the machines differ."""
        defaults = machine_numbers()
        return [key for key, (default, _, _) in defaults.items()
                if len({each.get(key, default) for each in self.machines}) > 1]

    def schema(self) -> pa.Schema:
        """Of each part, and of the dataset."""
        return pa.schema([("recording", pa.string()), ("machine", pa.string()),
                          *((key, pa.uint64()) for key in self.varied()), ("durations", pa.string()), *_ROW,
                          *((key, pa.float64()) for key in _BOUNDS), ("error", pa.string())])


def digest(data: bytes) -> str:
    """What a recording's bytes are known by."""
    return hashlib.sha256(data).hexdigest()


class Recordings:
    """Those that a worker has read: the last few, by their digests."""

    def __init__(self, most: int = 4) -> None:
        self._parsed = functools.lru_cache(maxsize=most)(self._parse)

    def get(self, about: dict[str, str], bytes_of: Callable[[], bytes]) -> Recording:
        """The recording; its bytes are asked for where it is not there."""
        self._bytes_of = bytes_of
        return self._parsed(about["sha256"], about["path"])

    def _parse(self, sha256: str, path: str) -> Recording:
        data = self._bytes_of()
        if digest(data) != sha256:
            raise _core.Error(f"{path}: it has changed since the sweep began")
        return parse(data, path)


_KNOWN = Recordings()


def computed(of: Description, runs: range, bytes_of: Callable[[int], bytes]) -> pa.Table:
    """The rows of a part; bytes_of gives those of a recording by its place."""
    places = of.runs()
    rows = []
    for place in runs:
        recording, machine, durations = places[place]
        what = _KNOWN.get(of.recordings[recording], lambda: bytes_of(recording))
        rows += _rows(of, what, of.machines[machine], of.durations[durations])
    return pa.Table.from_pylist(rows, schema=of.schema())


def _rows(of: Description, what: Recording, on: dict[str, Any], durations: str) -> list[dict[str, Any]]:
    """One for each scheduler, or one that says why there are none."""
    defaults = machine_numbers()
    about = {"recording": what.path, "machine": on["name"], "durations": durations,
             **{key: on.get(key, defaults[key][0]) for key in of.varied()}}
    request = request_of(on, of.schedulers, of.in_flight, durations, of.host)
    request.file = what.path
    request.jobs = 1
    request.has_launches = False
    try:
        if of.launches is not None:
            request.launches = launch_range(of.launches, what.counts["launches"])
        run = _core.simulate(what._core, request)
    except _core.Error as wrong:
        return [{**about, "error": str(wrong)}]
    return [{**about, **row(each), **{key: run[key] for key in _BOUNDS}} for each in run["schedulers"]]
