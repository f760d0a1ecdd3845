# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many simulations at once, resumable."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from . import _core
from .description import Description, digest
from .machines import Machine, machine
from .recording import parse
from .simulation import request_of
from .sweep_folder import SweepFolder
from .workers import Cluster, here

Path = str | os.PathLike[str]


@dataclass(frozen=True)
class Progress:
    """How far a sweep is, told after each part."""

    done: int
    """Simulations that are in the folder: one is one machine under all schedulers."""
    total: int
    reused: int
    """Of those that are done, how many were there when the sweep began."""
    worker: int
    """The process that computed the part."""


def sweep(recordings: Path | Iterable[Path], machines: Machine | Iterable[Machine],
          schedulers: str | Sequence[str] = "paper", *, folder: Path, durations: str | Sequence[str] = "shared",
          host: str = "none", in_flight: int = 0, launches: str | None = None, part: int | None = None,
          workers: int | None = None, address: str | None = None,
          progress: Callable[[Progress], object] | None = None) -> pa.dataset.Dataset:
    """Simulates every recording on every machine by every source of durations, under all schedulers.

    The rows are in the folder, a Parquet file for each part, and come back as a dataset. What is there already
    is not computed again, so that a sweep that was stopped goes on where it was.

    Ray computes the parts: started for it with so many workers (as many as there are cores), or the cluster at
    an address. With `workers=0` this process does, without Ray. Progress goes to the function given, else as one
    line to a terminal. A simulation that cannot be made, as where a block does not fit a machine, is a row with
    its `error`.
    """
    paths = [os.fspath(each) for each in _listed(recordings, (str, os.PathLike))]
    data = [_read(path) for path in paths]
    on = [machine(each) for each in _listed(machines, (str, dict))]
    by = schedulers.split(",") if isinstance(schedulers, str) else list(schedulers)
    times = [durations] if isinstance(durations, str) else list(durations)
    runs = len(paths) * len(on) * len(times)
    if runs == 0 or not by:
        raise _core.Error("a sweep needs recordings, machines, durations and schedulers")
    what = Description([{"path": path, "sha256": digest(each)} for path, each in zip(paths, data)], on, by, times,
                       host, in_flight, launches, part or max(1, min(64, runs // 100)))
    _check(what, data)
    with SweepFolder(folder, what) as into:
        _fill(into, data, workers, address, progress or _line_for_terminals())
        return into.dataset()


def _fill(into: SweepFolder, data: list[bytes], workers: int | None, address: str | None,
          told: Callable[[Progress], object]) -> None:
    """Computes what the folder has not."""
    parts, missing = into.what.parts(), into.missing()
    total = sum(map(len, parts))
    reused = done = total - sum(len(parts[part]) for part in missing)
    if not missing:
        told(Progress(done, total, reused, os.getpid()))
        return
    alone = workers == 0 and address is None
    with nullcontext() if alone else Cluster(address, workers) as cluster:
        compute = here if cluster is None else cluster.compute
        for part, rows, worker in compute(into.what, missing, data):
            into.keep(part, rows)
            done += len(parts[part])
            told(Progress(done, total, reused, worker))


def _listed(given: Any, one: tuple[type, ...]) -> list[Any]:
    return [given] if isinstance(given, one) else list(given)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as wrong:
        raise _core.Error(f"{path}: {wrong.strerror}") from None


def _check(what: Description, data: list[bytes]) -> None:
    """What is wrong with a sweep as a whole is said before anything is computed."""
    if what.part < 1:
        raise _core.Error(f"a part has at least one simulation, not {what.part}")
    for about, each in zip(what.recordings, data):
        parse(each, about["path"])
    for durations in what.durations:
        for on in what.machines:
            _core.check(request_of(on, what.schedulers, what.in_flight, durations, what.host))


def _line_for_terminals() -> Callable[[Progress], object]:
    if not sys.stderr.isatty():
        return lambda now: None
    return _show


def _show(now: Progress) -> None:
    end = "\n" if now.done == now.total else ""
    print(f"\rsweep: {now.done} of {now.total} simulations", end=end, file=sys.stderr, flush=True)
