# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who computes the parts of a sweep: this process, or tasks of Ray.

Each gives finished parts in any order, with what computed them. A worker that is killed loses nothing:
its part is computed again.
"""

from __future__ import annotations

import collections
import logging
import os
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from . import _core
from .description import Description, computed
from .extras import extra

Finished = tuple[int, pa.Table, int]
"""A part's number, its rows, the process that computed it."""

MOST_TRIES = 20
"""How often a part is given to workers that do not come back before the sweep gives up."""


def here(of: Description, parts: list[int], recordings: list[bytes]) -> Iterator[Finished]:
    """One after the other, without Ray."""
    every = of.parts()
    for part in parts:
        yield part, computed(of, every[part], recordings.__getitem__), os.getpid()


def _task(of: Description, runs: range, recordings: list[Any]) -> tuple[pa.Table, int]:
    """What a worker does; recordings are references, of which it takes those that it needs."""
    import ray

    return computed(of, runs, lambda place: ray.get(recordings[place])), os.getpid()


def _from_worker(wrong: Exception) -> _core.Error:
    """What went wrong there, as one line: as where the package is not installed on a cluster."""
    return wrong if isinstance(wrong, _core.Error) else _core.Error(
        f"a worker of Ray failed: {str(wrong).splitlines()[0] if str(wrong) else type(wrong).__name__}")


class Cluster:
    """Ray, started here or met at its address. Leaves it running only where it was running before."""

    def __init__(self, address: str | None, workers: int | None) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        # While it is imported in a notebook Ray says which of its own widgets it cannot show.
        logging.getLogger("ray.widgets").setLevel(logging.WARNING)
        ray = extra("ray", "a sweep needs", "; or say workers=0")
        self._ray = ray
        self._is_ours = not ray.is_initialized()
        if self._is_ours:
            self._start(address, workers)
        self._cores = max(1, int(ray.cluster_resources().get("CPU", 1)))

    def _start(self, address: str | None, workers: int | None) -> None:
        of_local = {"num_cpus": workers, "include_dashboard": False} if address is None else {}
        try:
            self._ray.init(address=address or "local", logging_level="ERROR", log_to_driver=False, **of_local)
        except (ConnectionError, RuntimeError, ValueError) as wrong:
            raise _core.Error(f"Ray cannot be had at {address or 'this machine'}: {wrong}".split("\n")[0]) from None

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_ours:
            self._ray.shutdown()

    def compute(self, of: Description, parts: list[int], recordings: list[bytes]) -> Iterator[Finished]:
        """Two parts for each core are under way at a time."""
        ray = self._ray
        every, task = of.parts(), ray.remote(max_retries=0)(_task)
        description, references = ray.put(of), [ray.put(data) for data in recordings]
        tries: collections.Counter[int] = collections.Counter()
        waiting = collections.deque(parts)
        running: dict[Any, int] = {}
        while waiting or running:
            while waiting and len(running) < 2 * self._cores:
                part = waiting.popleft()
                tries[part] += 1
                running[task.remote(description, every[part], references)] = part
            for done in ray.wait(list(running), num_returns=1)[0]:
                part = running.pop(done)
                try:
                    yield part, *ray.get(done)
                except ray.exceptions.RayTaskError as wrong:
                    raise _from_worker(wrong.cause) from None
                except ray.exceptions.RayError as lost:
                    if tries[part] == MOST_TRIES:
                        raise _core.Error(f"part {part} was lost {MOST_TRIES} times, at last: "
                                          f"{str(lost).splitlines()[0]}") from None
                    waiting.appendleft(part)
